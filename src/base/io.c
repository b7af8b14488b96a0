/* ==== ROOM io: the only user of stdio: sources, and a file that keeps what it has read. Uses: mem ==== */

#define TACO__FILE_GAP    4096    /* bytes read in vain to save a request of a vectored source */
#define TACO__FILE_WINDOW 1048576 /* bytes a local source is asked for at a time */

/* A source with the ranges that are held in memory. Segments are sorted and do not overlap. */
typedef struct taco__file_segment {
    uint64_t offset;
    size_t   len;
    uint8_t *data;
    size_t
        pins; /* ranges of fetches that touch it and were not released yet: several cursors may use it */
} taco__file_segment;
typedef struct taco__file {
    taco_source         src;
    taco__mem          *mem;
    const char         *name; /* for messages; borrowed */
    taco__file_segment *segments;
    size_t              segment_count, segment_cap;
    bool cached_only; /* tasks are reading what is held: the source is not theirs to call */
} taco__file;

/* A range of a file that is a file of its own: METADATA/level0.parquet inside an archive. */
typedef struct taco__file_part {
    taco__file *file;
    uint64_t    base, size;
} taco__file_part;

typedef struct taco__range {
    uint64_t offset;
    uint64_t len;
} taco__range;

TACO__FN bool taco__source_memory_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    memcpy(dst, (const uint8_t *)ctx + (size_t)offset, len);
    return true;
}
TACO__FN const void *taco__source_memory_view(void *ctx, uint64_t offset, size_t len)
{
    (void)len;
    return (const uint8_t *)ctx + (size_t)offset;
}
TACO_API void taco_source_memory(taco_source *out, const void *data, size_t len)
{
    static const uint8_t nothing = 0;
    union {
        const void *in;
        void       *out;
    } u;
    u.in = data ? data : &nothing;
    memset(out, 0, sizeof *out);
    out->ctx = u.out;
    out->size = data ? len : 0;
    out->read = taco__source_memory_read;
    out->view = taco__source_memory_view;
}

#ifndef TACO_NO_STDIO
TACO__FN bool taco__source_file_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    return offset <= TACO__FILE_MAX && taco__plat_read(TACO__FILE_FROM_CTX(ctx), offset, dst, len);
}
TACO__FN void taco__source_file_close(void *ctx)
{
    TACO__FILE_CLOSE(TACO__FILE_FROM_CTX(ctx));
}
/* Why a file did not open, of what a second look tells: <errno.h> is not ISO C for these reasons, and 32-bit compilers
   often lack it. */
TACO__COLD taco_status taco__source_open_error(const char *path, taco_error *err)
{
    taco_bytes      name = taco__bytes_text(path);
    uint64_t        size;
    taco__path_kind kind = TACO__DIRS && path ? taco__plat_stat(path, &size) : TACO__PATH_SPECIAL;
    return TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s: %q",
                      kind == TACO__PATH_MISSING     ? "no such file"
                      : kind == TACO__PATH_FILE      ? "the file is not readable"
                      : kind == TACO__PATH_DIRECTORY ? "a directory, not a regular file"
                                                     : "no such file, or not readable",
                      &name);
}
TACO__FN void taco__source_file_init(taco_source *out, taco__plat_file in, uint64_t size)
{
    memset(out, 0, sizeof *out);
    out->ctx = TACO__FILE_TO_CTX(in);
    out->size = size;
    out->read = taco__source_file_read;
    out->close = taco__source_file_close;
}
TACO_API taco_status taco_source_file(taco_source *out, const char *path, taco_error *err)
{
    taco__plat_file in;
    uint64_t        size;
    taco_bytes      name = taco__bytes_text(path);
    memset(out, 0, sizeof *out);
    if (!path || !taco__plat_open(path, &in, &size)) {
        return taco__source_open_error(path, err);
    }
    if (size > TACO__FILE_MAX) {
        TACO__FILE_CLOSE(in);
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                          "%u bytes are more than this system reads: %q", size, &name);
    }
    taco__source_file_init(out, in, size);
    return TACO_OK;
}
#endif

TACO__FN bool taco__source_check(const taco_source *src, taco_error *err)
{
    if (!src || !src->read) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "no source given, or one that is not open");
        return false;
    }
    return true;
}
TACO__FN void taco__file_init(taco__file *f, const taco_source *src, const char *name,
                              taco__mem *mem)
{
    memset(f, 0, sizeof *f);
    f->src = *src;
    f->name = name;
    f->mem = mem;
}
TACO__FN bool taco__file_overlaps(const taco__file_segment *s, uint64_t offset, uint64_t len)
{
    return len && s->offset < offset + len && offset < s->offset + s->len;
}
/* Takes a fetch of a range back. Segments that no other fetch needs are dropped. */
TACO__FN void taco__file_release(taco__file *f, uint64_t offset, uint64_t len)
{
    size_t i, kept = 0;
    for (i = 0; i < f->segment_count; i++) {
        taco__file_segment s = f->segments[i];
        if (taco__file_overlaps(&s, offset, len) && s.pins && --s.pins == 0) {
            taco__mem_free(f->mem, s.data, s.len);
        } else {
            f->segments[kept++] = s;
        }
    }
    f->segment_count = kept;
}
TACO__FN void taco__file_close(taco__file *f)
{
    size_t i;
    for (i = 0; i < f->segment_count; i++) {
        taco__mem_free(f->mem, f->segments[i].data, f->segments[i].len);
    }
    f->segment_count = 0;
    taco__mem_free(f->mem, f->segments, f->segment_cap * sizeof *f->segments);
    f->segments = NULL;
    f->segment_cap = 0;
    if (f->src.close) {
        f->src.close(f->src.ctx);
    }
    memset(&f->src, 0, sizeof f->src);
}

/* Index of the first segment that ends behind offset. */
TACO__FN size_t taco__file_find_segment(const taco__file *f, uint64_t offset)
{
    size_t lo = 0, hi = f->segment_count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (f->segments[mid].offset + f->segments[mid].len <= offset) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}
TACO__FN bool taco__file_read_source(taco__file *f, uint64_t offset, void *dst, size_t len,
                                     taco_error *err)
{
    if (f->cached_only) {
        TACO__FAIL(err, TACO_ERR_STATE, offset, "%u bytes that are not held", TACO__U(len));
        return false;
    }
    if (!f->src.read(f->src.ctx, offset, dst, len)) {
        TACO__FAIL(err, TACO_ERR_IO, offset, "reading %u bytes failed", TACO__U(len));
        return false;
    }
    return true;
}
TACO__FN bool taco__file_check_range(const taco__file *f, uint64_t offset, uint64_t len,
                                     taco_error *err)
{
    if (!taco__checked_range(offset, len, f->src.size)) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, offset, "needs %u bytes, the file ends at %u", len,
                   f->src.size);
        return false;
    }
    return true;
}
/* Copies len bytes at offset to dst: what is held from memory, the rest from the source. */
TACO__FN bool taco__file_read(taco__file *f, uint64_t offset, void *dst, size_t len,
                              taco_error *err)
{
    uint8_t *to = (uint8_t *)dst;
    size_t   i;
    if (!taco__file_check_range(f, offset, len, err)) {
        return false;
    }
    for (i = taco__file_find_segment(f, offset); len; i++) {
        uint64_t next = i < f->segment_count ? f->segments[i].offset : UINT64_MAX;
        size_t   n;
        if (next > offset) {
            n = next - offset < len ? (size_t)(next - offset) : len;
            if (!taco__file_read_source(f, offset, to, n, err)) {
                return false;
            }
            to += n;
            offset += n;
            len -= n;
        }
        if (len) {
            const taco__file_segment *s = &f->segments[i];
            n = TACO__MIN(len, s->len - (size_t)(offset - s->offset));
            memcpy(to, s->data + (size_t)(offset - s->offset), n);
            to += n;
            offset += n;
            len -= n;
        }
    }
    return true;
}
/* The len bytes at offset where they are held already or the source can show them; else NULL. */
TACO__FN const uint8_t *taco__file_cached(taco__file *f, uint64_t offset, size_t len)
{
    size_t i;
    if (!taco__checked_range(offset, len, f->src.size)) {
        return NULL;
    }
    i = taco__file_find_segment(f, offset);
    if (i < f->segment_count && offset >= f->segments[i].offset &&
        taco__checked_range(offset - f->segments[i].offset, len, f->segments[i].len)) {
        return f->segments[i].data + (size_t)(offset - f->segments[i].offset);
    }
    return f->src.view ? (const uint8_t *)f->src.view(f->src.ctx, offset, len) : NULL;
}
/* How many bytes from offset on are held, in segments that follow each other. */
TACO__FN uint64_t taco__file_cached_length(const taco__file *f, uint64_t offset)
{
    uint64_t end = offset;
    size_t   i;
    for (i = taco__file_find_segment(f, offset);
         i < f->segment_count && f->segments[i].offset <= end; i++) {
        end = f->segments[i].offset + f->segments[i].len;
    }
    return end - offset;
}
/* The len bytes at offset, valid until scratch is used again or the segment is released. NULL on failure. */
TACO__FN const uint8_t *taco__file_view(taco__file *f, uint64_t offset, size_t len,
                                        taco__buf *scratch, taco_error *err)
{
    const uint8_t *p = taco__file_cached(f, offset, len);
    if (p) {
        return p;
    }
    if (!taco__file_check_range(f, offset, len, err) || !taco__buf_reset(scratch, len, err) ||
        !taco__file_read(f, offset, scratch->data, len, err)) {
        return NULL;
    }
    scratch->len = len;
    return scratch->data;
}

TACO__FN bool taco__file_add_segment(taco__file *f, taco__file_segment s, taco_error *err)
{
    size_t at;
    if (f->segment_count == f->segment_cap) {
        size_t              cap = f->segment_cap ? f->segment_cap * 2 : 8;
        taco__file_segment *p = (taco__file_segment *)taco__mem_resize(
            f->mem, f->segments, f->segment_cap * sizeof *p, cap * sizeof *p, err);
        if (!p) {
            return false;
        }
        f->segments = p;
        f->segment_cap = cap;
    }
    at = taco__file_find_segment(f, s.offset);
    memmove(f->segments + at + 1, f->segments + at, (f->segment_count - at) * sizeof *f->segments);
    f->segments[at] = s;
    f->segment_count++;
    return true;
}
TACO__FN int taco__file_compare_ranges(const void *a, const void *b)
{
    uint64_t x = ((const taco__range *)a)->offset, y = ((const taco__range *)b)->offset;
    return (x > y) - (x < y);
}
/* Sorts ranges, joins those closer than gap, and cuts off what is held. Returns the new count; ranges has room for
   n + segment_count entries. */
TACO__FN size_t taco__file_plan_reads(const taco__file *f, taco__range *ranges, size_t n,
                                      uint64_t gap)
{
    size_t i, k = 0, room = n + f->segment_count;
    qsort(ranges, n, sizeof *ranges, taco__file_compare_ranges);
    for (i = 0; i < n; i++) {
        taco__range r = ranges[i];
        uint64_t    end = k ? ranges[k - 1].offset + ranges[k - 1].len : 0;
        if (r.len == 0) {
            continue;
        }
        if (k && r.offset <= end + gap) {
            ranges[k - 1].len = TACO__MAX(end, r.offset + r.len) - ranges[k - 1].offset;
        } else {
            ranges[k++] = r;
        }
    }
    n = k;
    for (i = 0; i < f->segment_count; i++) { /* each segment cuts at most one range in two */
        uint64_t s = f->segments[i].offset, e = s + f->segments[i].len;
        size_t   j;
        for (j = 0; j < n; j++) {
            uint64_t a = ranges[j].offset, b = a + ranges[j].len;
            if (s >= b || e <= a) {
                continue;
            }
            ranges[j].offset = s > a ? a : TACO__MIN(e, b);
            ranges[j].len = s > a ? s - a : b - ranges[j].offset;
            if (s > a && e < b && n < room) {
                ranges[n].offset = e;
                ranges[n++].len = b - e;
            }
        }
    }
    for (i = k = 0; i < n; i++) {
        if (ranges[i].len) {
            ranges[k++] = ranges[i];
        }
    }
    return k;
}
TACO__FN bool taco__file_read_ranges(taco__file *f, const taco_piece *reads, size_t n,
                                     taco_error *err)
{
    size_t i;
    if (n > 1 && f->src.read_many) {
        if (!f->src.read_many(f->src.ctx, reads, n)) {
            TACO__FAIL(err, TACO_ERR_IO, reads[0].offset, "reading %u ranges failed", TACO__U(n));
            return false;
        }
        return true;
    }
    for (i = 0; i < n; i++) {
        if (!taco__file_read_source(f, reads[i].offset, reads[i].dst, reads[i].len, err)) {
            return false;
        }
    }
    return true;
}
/* Allocates a segment for each range and reads them all in one round. */
TACO__FN bool taco__file_load_segments(taco__file *f, const taco__range *ranges, size_t n,
                                       taco_piece *reads, taco_error *err)
{
    size_t i, made = 0;
    for (i = 0; i < n; i++, made++) {
        size_t len;
        if (!taco__file_check_range(f, ranges[i].offset, ranges[i].len, err)) {
            break;
        }
        if (!taco__checked_to_size(ranges[i].len, &len)) {
            TACO__FAIL(err, TACO_ERR_MEMORY, ranges[i].offset, "out of memory for %u bytes",
                       ranges[i].len);
            break;
        }
        reads[i].offset = ranges[i].offset;
        reads[i].len = len;
        reads[i].dst = taco__mem_resize(f->mem, NULL, 0, len, err);
        if (!reads[i].dst) {
            break;
        }
    }
    if (made == n && taco__file_read_ranges(f, reads, n, err)) {
        for (i = 0; i < n; i++) {
            taco__file_segment s;
            s.offset = reads[i].offset;
            s.len = reads[i].len;
            s.data = (uint8_t *)reads[i].dst;
            s.pins = 0;
            if (!taco__file_add_segment(f, s, err)) {
                break;
            }
        }
        if (i == n) {
            return true;
        }
        while (made > i) {
            made--;
            taco__mem_free(f->mem, reads[made].dst, reads[made].len);
        }
        return false;
    }
    while (made) {
        made--;
        taco__mem_free(f->mem, reads[made].dst, reads[made].len);
    }
    return false;
}
/* Makes the ranges resident in one round, reading no byte that is held already; until each is released, or close. */
TACO__FN bool taco__file_fetch(taco__file *f, const taco__range *want, size_t n, taco_error *err)
{
    size_t       room = n + f->segment_count, bytes, total, i, k;
    taco__range *ranges;
    bool         ok;
    if (n == 0 || f->src.view) {
        return true;
    }
    if (!taco__checked_mul_size(room, sizeof(taco__range) + sizeof(taco_piece), &bytes)) {
        return TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u ranges",
                          TACO__U(room)),
               false;
    }
    ranges = (taco__range *)taco__mem_resize(f->mem, NULL, 0, bytes, err);
    if (!ranges) {
        return false;
    }
    memcpy(ranges, want, n * sizeof *want);
    total = taco__file_plan_reads(f, ranges, n, f->src.read_many ? TACO__FILE_GAP : 0);
    ok = taco__file_load_segments(f, ranges, total, (taco_piece *)(void *)(ranges + room), err);
    for (i = 0; ok && i < n; i++) {
        for (k = taco__file_find_segment(f, want[i].offset);
             k < f->segment_count &&
             taco__file_overlaps(&f->segments[k], want[i].offset, want[i].len);
             k++) {
            f->segments[k].pins++;
        }
    }
    taco__mem_free(f->mem, ranges, bytes);
    return ok;
}

/* The same for parts; offsets are relative to the part, in messages too. */
TACO__FN bool taco__file_part_check_range(const taco__file_part *p, uint64_t offset, uint64_t len,
                                          taco_error *err)
{
    if (!taco__checked_range(offset, len, p->size)) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, offset, "needs %u bytes, the file ends at %u", len,
                   p->size);
        return false;
    }
    return true;
}
TACO__FN const uint8_t *taco__file_part_view(const taco__file_part *p, uint64_t offset, size_t len,
                                             taco__buf *scratch, taco_error *err)
{
    return taco__file_part_check_range(p, offset, len, err)
               ? taco__file_view(p->file, p->base + offset, len, scratch, err)
               : NULL;
}
TACO__FN const uint8_t *taco__file_part_cached(const taco__file_part *p, uint64_t offset,
                                               size_t len)
{
    return taco__checked_range(offset, len, p->size)
               ? taco__file_cached(p->file, p->base + offset, len)
               : NULL;
}
TACO__FN bool taco__file_part_read(const taco__file_part *p, uint64_t offset, void *dst, size_t len,
                                   taco_error *err)
{
    return taco__file_part_check_range(p, offset, len, err) &&
           taco__file_read(p->file, p->base + offset, dst, len, err);
}

/* ---- sinks ---------------------------------------------------------------------------------------- */

typedef struct taco__sink_memory {
    taco__mem mem;
    taco__buf buf;
} taco__sink_memory;

TACO__FN bool taco__sink_memory_write(void *ctx, uint64_t offset, const void *src, size_t len)
{
    taco__sink_memory *m = (taco__sink_memory *)ctx;
    size_t             at, end;
    if (!taco__checked_to_size(offset, &at) || at > m->buf.len ||
        !taco__checked_add_size(at, len, &end)) {
        return false;
    }
    if (end > m->buf.len) {
        if (!taco__buf_reserve(&m->buf, end - m->buf.len, NULL)) {
            return false;
        }
        m->buf.len = end;
    }
    if (len) {
        memcpy(m->buf.data + at, src, len);
    }
    return true;
}
TACO__FN bool taco__sink_memory_close(void *ctx, bool keep)
{
    taco__sink_memory *m = (taco__sink_memory *)ctx;
    if (!keep) {
        taco__buf_free(&m->buf);
    }
    return true;
}
TACO_API taco_status taco_sink_memory(taco_sink *out, const taco_options *opt, taco_error *err)
{
    taco__mem          mem;
    taco__sink_memory *m;
    memset(out, 0, sizeof *out);
    taco__mem_init(&mem, opt);
    m = (taco__sink_memory *)taco__mem_alloc(&mem, sizeof *m, err);
    if (!m) {
        return TACO_ERR_MEMORY;
    }
    m->mem = mem;
    m->buf.mem = &m->mem;
    out->ctx = m;
    out->write = taco__sink_memory_write;
    out->close = taco__sink_memory_close;
    return TACO_OK;
}
TACO_API taco_bytes taco_sink_bytes(const taco_sink *sink)
{
    const taco__sink_memory *m = sink ? (const taco__sink_memory *)sink->ctx : NULL;
    return taco__bytes_of(m ? m->buf.data : NULL, m ? m->buf.len : 0);
}
TACO_API void taco_sink_free(taco_sink *sink)
{
    taco__sink_memory *m = sink ? (taco__sink_memory *)sink->ctx : NULL;
    if (m) {
        taco__mem mem = m->mem;
        m->buf.mem = &mem;
        taco__buf_free(&m->buf);
        taco__mem_free(&mem, m, sizeof *m);
    }
    if (sink) {
        memset(sink, 0, sizeof *sink);
    }
}

#ifndef TACO_NO_STDIO
/* Why `path` cannot be written, as taco__source_open_error. */
TACO__COLD taco_status taco__sink_open_error(const char *path, taco_error *err)
{
    taco_bytes  name = taco__bytes_text(path);
    char        dir[1024];
    const char *why = "";
    uint64_t    size;
    size_t      n = name.len;
    while (n && path[n - 1] != '/') {
        n--;
    }
    if (TACO__DIRS && taco__plat_stat(path, &size) == TACO__PATH_DIRECTORY) {
        why = ", which is a directory";
    } else if (TACO__DIRS && n > 1 && n < sizeof dir) {
        memcpy(dir, path, n - 1);
        dir[n - 1] = 0;
        why = taco__plat_stat(dir, &size) == TACO__PATH_DIRECTORY
                  ? ""
                  : ", whose directory is not there";
    }
    return TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "cannot be written: %q%s", &name, why);
}

typedef struct taco__sink_file {
    taco__mem mem;
    FILE     *f;
    uint64_t  at;
    size_t    size; /* of this block; the two names stand behind it */
    char     *path, *temporary;
    bool      special; /* a device or a pipe: no file may take its place, it is written to */
} taco__sink_file;

TACO__FN bool taco__sink_file_write(void *ctx, uint64_t offset, const void *src, size_t len)
{
    taco__sink_file *t = (taco__sink_file *)ctx;
    if (offset != t->at && (offset > TACO__FILE_MAX || TACO__FSEEK(t->f, offset, SEEK_SET) != 0)) {
        return false;
    }
    t->at = offset + len;
    return fwrite(src, 1, len, t->f) == len;
}
TACO__FN bool taco__sink_file_close(void *ctx, bool keep)
{
    taco__sink_file *t = (taco__sink_file *)ctx;
    taco__mem        mem = t->mem;
    bool             good = !keep || (fflush(t->f) == 0 && (t->special || TACO__FSYNC(t->f) == 0));
    good = fclose(t->f) == 0 && good;
    if (keep && good && !t->special) {
        TACO__BEFORE_RENAME(t->path);
        good = rename(t->temporary, t->path) == 0;
    }
    if ((!keep || !good) && !t->special) {
        remove(t->temporary);
    }
    taco__mem_free(&mem, t, t->size);
    return good;
}
TACO_API taco_status taco_sink_file(taco_sink *out, const char *path, const taco_options *opt,
                                    taco_error *err)
{
    taco__mem        mem;
    taco__sink_file *t;
    taco_bytes       name = taco__bytes_text(path);
    size_t           size;
    uint64_t         bytes;
    taco__path_kind  kind = path ? taco__plat_stat(path, &bytes) : TACO__PATH_MISSING;
    memset(out, 0, sizeof *out);
    taco__mem_init(&mem, opt);
    if (!path || !taco__checked_mul_size(name.len + 8, 2, &size) ||
        !taco__checked_add_size(size, sizeof *t, &size)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
    }
    if (kind == TACO__PATH_DIRECTORY) { /* told now, not when all is written and renaming fails */
        return taco__sink_open_error(path, err);
    }
    t = (taco__sink_file *)taco__mem_alloc(&mem, size, err);
    if (!t) {
        return TACO_ERR_MEMORY;
    }
    t->size = size;
    t->path = (char *)(t + 1);
    t->temporary = t->path + name.len + 1;
    memcpy(t->path, path, name.len);
    memcpy(t->temporary, path, name.len);
    memcpy(t->temporary + name.len, ".part", 5);
    t->special = kind == TACO__PATH_SPECIAL;
    t->f = fopen(t->special ? path : t->temporary, "wb");
    if (!t->f) {
        taco__mem_free(&mem, t, size);
        return taco__sink_open_error(path, err);
    }
    t->mem = mem;
    out->ctx = t;
    out->write = taco__sink_file_write;
    out->close = taco__sink_file_close;
    return TACO_OK;
}

/* A file that goes on from byte `begin` on. What is written before that byte, once all else is, turns readers to the rest:
   the rest is on the disk by then. Closed without being kept, the file ends at `begin` again. */
typedef struct taco__sink_append {
    FILE      *f;
    taco__mem *mem;
    uint64_t   begin, at;
} taco__sink_append;

TACO__FN bool taco__sink_append_write(void *ctx, uint64_t offset, const void *src, size_t len)
{
    taco__sink_append *t = (taco__sink_append *)ctx;
    if (offset < t->begin && TACO__FSYNC(t->f) != 0) {
        return false;
    }
    if (offset != t->at && (offset > TACO__FILE_MAX || TACO__FSEEK(t->f, offset, SEEK_SET) != 0)) {
        return false;
    }
    t->at = offset + len;
    return fwrite(src, 1, len, t->f) == len;
}
TACO__FN bool taco__sink_append_close(void *ctx, bool keep)
{
    taco__sink_append *t = (taco__sink_append *)ctx;
    bool               good = keep ? TACO__FSYNC(t->f) == 0 : TACO__TRUNCATE(t->f, t->begin);
    good = fclose(t->f) == 0 && good;
    taco__mem_free(t->mem, t, sizeof *t);
    return good;
}
/* What the file has behind `begin` is cut off now. */
TACO__FN bool taco__sink_append_open(taco_sink *out, const char *path, uint64_t begin,
                                     taco__mem *mem, taco_error *err)
{
    taco__sink_append *t = (taco__sink_append *)taco__mem_alloc(mem, sizeof *t, err);
    memset(out, 0, sizeof *out);
    if (!t) {
        return false;
    }
    t->mem = mem;
    t->begin = begin;
    t->f = fopen(path, "r+b");
    /* unbuffered: what a full disk refused must not be written once the file was cut off */
    if (!t->f || setvbuf(t->f, NULL, _IONBF, 0) != 0 || !TACO__TRUNCATE(t->f, begin)) {
        if (t->f) {
            fclose(t->f);
        }
        taco__mem_free(mem, t, sizeof *t);
        taco__sink_open_error(path, err);
        return false;
    }
    out->ctx = t;
    out->write = taco__sink_append_write;
    out->close = taco__sink_append_close;
    return true;
}
#endif

/* ---- output in order, with small pieces gathered ----------------------------------------------------- */

#define TACO__OUTPUT_BYTES                                                                         \
    262144 /* what a core's own cache holds: bytes are read, summed and written there */

typedef struct taco__output {
    taco_sink  sink;
    taco__mem *mem;
    uint8_t   *data;
    size_t     used;
    uint64_t   at;       /* of data[0] in the output */
    bool       anywhere; /* the sink replaces what was written at any time, not only at the end */
} taco__output;

/* Closes a sink that nothing is written to. One that could not be opened is all zero, and so is what follows of it. */
TACO__FN void taco__sink_abort(const taco_sink *sink)
{
    if (sink && sink->close) {
        sink->close(sink->ctx, false);
    }
}
/* False with an error where there is no sink to write to, as after a taco_sink_file that failed. */
TACO__FN bool taco__sink_check(const taco_sink *sink, taco_error *err)
{
    if (!sink || !sink->write || !sink->close) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "no sink given, or one that is not open");
        taco__sink_abort(sink);
        return false;
    }
    return true;
}
/* Takes the sink over, on failure too. */
TACO__FN bool taco__output_open(taco__output *o, const taco_sink *sink, taco__mem *mem,
                                taco_error *err)
{
    memset(o, 0, sizeof *o);
    o->sink = *sink;
    o->mem = mem;
#ifndef TACO_NO_STDIO
    o->anywhere = sink->write == taco__sink_file_write;
#endif
    o->data = (uint8_t *)taco__mem_alloc(mem, TACO__OUTPUT_BYTES, err);
    if (!o->data) {
        taco__sink_abort(sink);
    }
    return o->data != NULL;
}
/* The file that a sink of ours writes, for messages; {NULL, 0} for others. */
TACO__FN taco_bytes taco__sink_name(const taco_sink *sink)
{
#ifndef TACO_NO_STDIO
    if (sink->write == taco__sink_file_write) {
        return taco__bytes_text(((const taco__sink_file *)sink->ctx)->path);
    }
#endif
    (void)sink;
    return taco__bytes_of(NULL, 0);
}
TACO__COLD void taco__output_write_error(const taco__output *o, uint64_t at, size_t len,
                                         taco_error *err)
{
    taco_bytes name = taco__sink_name(&o->sink);
    if (name.len) {
        TACO__FAIL(err, TACO_ERR_IO, at, "writing %u bytes to %q failed", TACO__U(len), &name);
    } else {
        TACO__FAIL(err, TACO_ERR_IO, at, "writing %u bytes failed", TACO__U(len));
    }
}
TACO__FN uint64_t taco__output_position(const taco__output *o)
{
    return o->at + o->used;
}
TACO__FN bool taco__output_flush(taco__output *o, taco_error *err)
{
    if (o->used && !o->sink.write(o->sink.ctx, o->at, o->data, o->used)) {
        taco__output_write_error(o, o->at, o->used, err);
        return false;
    }
    o->at += o->used;
    o->used = 0;
    return true;
}
/* Room for len bytes in one piece, at most TACO__OUTPUT_BYTES, which count as written. NULL on failure. */
TACO__FN uint8_t *taco__output_reserve(taco__output *o, size_t len, taco_error *err)
{
    if (len > TACO__OUTPUT_BYTES - o->used && !taco__output_flush(o, err)) {
        return NULL;
    }
    o->used += len;
    return o->data + o->used - len;
}
TACO__FN bool taco__output_write(taco__output *o, const void *data, size_t len, taco_error *err)
{
    const uint8_t *p = (const uint8_t *)data;
    while (len) {
        size_t   n = TACO__MIN(len, (size_t)TACO__OUTPUT_BYTES);
        uint8_t *room = taco__output_reserve(o, n, err);
        if (!room) {
            return false;
        }
        memcpy(room, p, n);
        p += n;
        len -= n;
    }
    return true;
}
/* Replaces bytes that were written. Where the sink allows that once only, it is the last call. */
TACO__FN bool taco__output_patch(taco__output *o, uint64_t at, const void *data, size_t len,
                                 taco_error *err)
{
    if (at >= o->at) {
        memcpy(o->data + (size_t)(at - o->at), data, len);
        return true;
    }
    if (!o->sink.write(o->sink.ctx, at, data, len)) {
        taco__output_write_error(o, at, len, err);
        return false;
    }
    return true;
}
/* keep: what is left goes out and the output becomes permanent, or it fails; else nothing is left behind. */
TACO__FN bool taco__output_close(taco__output *o, bool keep, taco_error *err)
{
    bool ok = !keep || taco__output_flush(o, err);
    if (o->sink.close && !o->sink.close(o->sink.ctx, keep && ok) && keep && ok) {
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET,
                   "the output cannot be completed: flushing or renaming it failed");
        ok = false;
    }
    taco__mem_free(o->mem, o->data, TACO__OUTPUT_BYTES);
    memset(o, 0, sizeof *o);
    return ok;
}

/* ---- bytes to be copied ------------------------------------------------------------------------------ */

/* A whole file, a range of a source, or bytes in memory. */
typedef struct taco__input {
    taco_source source;
    uint64_t    offset, size;
    bool        own; /* closes the source */
} taco__input;

TACO__FN void taco__input_from_bytes(taco__input *in, taco_bytes b)
{
    memset(in, 0, sizeof *in);
    taco_source_memory(&in->source, b.data, b.len);
    in->size = b.len;
}
TACO__FN void taco__input_from_range(taco__input *in, const taco_source *src, uint64_t offset,
                                     uint64_t size)
{
    memset(in, 0, sizeof *in);
    in->source = *src;
    in->offset = offset;
    in->size = size;
}
#ifndef TACO_NO_STDIO
TACO__FN bool taco__input_open_file(taco__input *in, const char *path, taco_error *err)
{
    memset(in, 0, sizeof *in);
    in->own = taco_source_file(&in->source, path, err) == TACO_OK;
    in->size = in->source.size;
    return in->own;
}
#endif
/* A directory whose files are about to be read; false where that spares nothing. */
TACO__FN bool taco__dir_open(taco__plat_dir *dir, const char *path)
{
    memset(dir, 0, sizeof *dir);
#ifdef TACO__OPEN_AT
    dir->fd = open(path, O_RDONLY | O_NONBLOCK);
    return dir->fd >= 0;
#else
    (void)path;
    return false;
#endif
}
TACO__FN void taco__dir_close(taco__plat_dir *dir)
{
#ifdef TACO__OPEN_AT
    taco__plat_close_deferred(dir);
    close(dir->fd);
#else
    (void)dir;
#endif
}
/* A regular file that such a directory lists; false without an error: its path may tell more. The bytes of a small one
   are in page then, which *in borrows. */
TACO__FN bool taco__input_open_listed(taco__input *in, taco__plat_dir *dir, const char *name,
                                      uint8_t page[TACO__PLAT_PAGE])
{
#ifdef TACO__OPEN_AT
    taco__plat_file file;
    uint64_t        size;
    bool            whole;
    memset(in, 0, sizeof *in);
    if (!taco__plat_open_at(dir, name, &file, &size, page, &whole)) {
        return false;
    }
    if (whole) {
        taco__input_from_bytes(in, taco__bytes_of(page, (size_t)size));
    } else {
        taco__source_file_init(&in->source, file, size);
        in->size = size;
        in->own = true;
    }
    return true;
#else
    (void)in;
    (void)dir;
    (void)name;
    (void)page;
    return false;
#endif
}
TACO__FN void taco__input_close(taco__input *in)
{
    if (in->own && in->source.close) {
        in->source.close(in->source.ctx);
    }
    memset(in, 0, sizeof *in);
}
/* Reads bytes [at, at + len) of them. */
TACO__FN bool taco__input_read(const taco__input *in, uint64_t at, void *dst, size_t len,
                               taco_error *err)
{
    bool ok = len == 0 || in->source.read(in->source.ctx, in->offset + at, dst, len);
    if (!ok) {
        TACO__FAIL(err, TACO_ERR_IO, in->offset + at, "reading %u bytes failed", TACO__U(len));
    }
    return ok;
}

/* ---- files and directories of a FOLDER being made ---------------------------------------------------- */

#if TACO__DIRS
/* Writes a file of these bytes under its final name; buffer holds TACO__OUTPUT_BYTES. */
TACO__FN bool taco__dir_write_file(const char *path, const taco__input *in, uint8_t *buffer,
                                   taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    uint64_t   at = 0;
    bool       ok = true;
    FILE      *f = fopen(path, "wb");
    if (!f) {
        taco__sink_open_error(path, err);
        return false;
    }
    setvbuf(f, NULL, _IONBF, 0);
    while (in->source.read == taco__source_file_read && at < in->size) {
        size_t n = taco__plat_copy_range(TACO__FILE_FROM_CTX(in->source.ctx), in->offset + at, f,
                                         at, (size_t)TACO__MIN(in->size - at, (uint64_t)1 << 30));
        if (n == 0) {
            ok = TACO__FSEEK(f, at, SEEK_SET) == 0; /* the rest goes through the buffer */
            break;
        }
        at += n;
    }
    while (ok && at < in->size) {
        size_t n = (size_t)TACO__MIN(in->size - at, (uint64_t)TACO__OUTPUT_BYTES);
        ok = taco__input_read(in, at, buffer, n, err);
        if (ok && fwrite(buffer, 1, n, f) != n) {
            TACO__FAIL(err, TACO_ERR_IO, at, "writing %u bytes to %q failed", TACO__U(n), &name);
            ok = false;
        }
        at += n;
    }
    if (fclose(f) != 0 && ok) {
        TACO__FAIL(err, TACO_ERR_IO, at, "writing to %q failed", &name);
        ok = false;
    }
    return ok;
}
TACO__FN bool taco__dir_make(const char *path, taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    uint64_t   size;
    if (TACO__MKDIR(path) != 0 && taco__plat_stat(path, &size) != TACO__PATH_DIRECTORY) {
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "the directory cannot be made: %q%s", &name,
                   taco__plat_stat(path, &size) == TACO__PATH_MISSING ? ""
                                                                      : ", a file stands there");
        return false;
    }
    return true;
}

#define TACO__DIR_MAX_DEPTH 64 /* directories below directories: a loop of links ends here */

typedef struct taco__dir_removal { /* a directory that is being emptied */
    taco__buf *path;
    unsigned   depth;
} taco__dir_removal;

TACO__FN bool taco__dir_remove_entry(void *ctx, const char *name, taco__path_kind kind)
{
    taco__dir_removal *t = (taco__dir_removal *)ctx, below;
    size_t             len = t->path->len - 1; /* the zero byte */
    uint64_t           size;
    const char        *path;
    bool               ok;
    (void)kind;
    t->path->len = len;
    if (!taco__buf_append_char(t->path, '/', NULL) ||
        !taco__buf_append(t->path, name, strlen(name) + 1, NULL)) {
        return false;
    }
    path = (const char *)t->path->data;
    ok = remove(path) == 0; /* a file, a link, an empty directory */
    if (!ok && t->depth < TACO__DIR_MAX_DEPTH &&
        taco__plat_stat(path, &size) == TACO__PATH_DIRECTORY) {
        below = *t;
        below.depth++;
        ok = taco__plat_list_dir(path, taco__dir_remove_entry, &below) &&
             TACO__RMDIR((const char *)t->path->data) == 0;
    }
    t->path->data[len] = 0;
    t->path->len = len + 1;
    return ok;
}
/* Removes a directory and everything in it; what links point to stays. */
TACO__FN bool taco__dir_remove_tree(const char *path, taco__mem *mem)
{
    taco__buf         b;
    taco__dir_removal t;
    bool              ok;
    memset(&b, 0, sizeof b);
    b.mem = mem;
    t.path = &b;
    t.depth = 0;
    ok = taco__buf_append(&b, path, strlen(path) + 1, NULL) &&
         taco__plat_list_dir(path, taco__dir_remove_entry, &t) && TACO__RMDIR(path) == 0;
    taco__buf_free(&b);
    return ok;
}
/* Everything that was written near `file` reaches the disk, then the directory gets its name. */
TACO__FN bool taco__dir_rename(const char *from, const char *to, const char *file, taco_error *err)
{
    taco_bytes name = taco__bytes_text(to);
    FILE      *f = fopen(file, "rb");
    bool       ok = f && TACO__SYNC_ALL(f) == 0;
    if (f) {
        fclose(f);
    }
    if (!ok || rename(from, to) != 0) {
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "the directory cannot be completed: %q",
                   &name);
        return false;
    }
    return true;
}
#endif
