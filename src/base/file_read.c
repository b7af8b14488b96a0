/* file_read.c - sources of bytes, and a file whose fetched ranges are kept in memory

   A taco_source is a file, bytes in memory, or whatever the caller reads with functions of its own:
   here are the first two. A taco__file adds what readers of Parquet need: a round of requests for
   many ranges at once (taco__file_fetch), which on an object store is one round trip, and the
   segments that came of it, from which later reads are served without the source. A segment lives
   until every fetched range that overlaps it is released.
     fetch -> plan_reads (sort, join, cut off what is there) -> load_segments -> pins
     view, read -> segments, then the source
   Sources in memory have a view: their bytes are used in place, and nothing is fetched. All
   ranges are checked against the source's size before it is called. Start with taco__file_fetch and
   taco__file_view. */
#include "base.h"

#include <stdlib.h>

/* ---- sources ---- */

/* The context is the bytes. */
static bool taco__source_memory_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    memcpy(dst, (const uint8_t *)ctx + (size_t)offset, len);
    return true;
}

static const void *taco__source_memory_view(void *ctx, uint64_t offset, size_t len)
{
    (void)len;
    return (const uint8_t *)ctx + (size_t)offset;
}

TACO_API void taco_source_memory(taco_source *out, const void *data, size_t len)
{
    static const uint8_t nothing = 0;

    /* removes const: the context is only read */
    union {
        const void *in;
        void *out;
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

static void taco__source_file_close(void *ctx)
{
    TACO__FILE_CLOSE(TACO__FILE_FROM_CTX(ctx));
}

/* Why a file did not open: the system's reason, or else from a second look at the path. IO if
   something is there, or may be, but was refused. path may be NULL. */
static TACO__COLD taco_status taco__source_open_error(const char *path, taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    const char *cause = path ? taco__plat_cause(taco__plat_reason()) : "";
    uint64_t size;
    taco__path_kind kind = TACO__DIRS && path ? taco__plat_stat(path, &size) : TACO__PATH_SPECIAL;
    if (*cause && (kind == TACO__PATH_FILE || kind == TACO__PATH_MISSING)) {
        return TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "the file is not readable: %q%s", &name,
                          cause);
    }
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
    uint64_t size;
    taco_bytes name = taco__bytes_text(path);
    err = taco__error_fresh(err, NULL);
    memset(out, 0, sizeof *out);
    taco__plat_set_reason(0);
    if (!path || !taco__plat_open(path, &in, &size)) { return taco__source_open_error(path, err); }
    if (size > TACO__FILE_MAX) {
        TACO__FILE_CLOSE(in);
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                          "%u bytes are more than this system can read: %q", size, &name);
    }
    taco__source_file_init(out, in, size);
    return TACO_OK;
}
#endif

/* True for a source that can be read; one that did not open is all zeros. */
TACO__FN bool taco__source_check(const taco_source *src, taco_error *err)
{
    if (!src || !src->read) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "no source given, or one that is not open");
        return false;
    }
    return true;
}

/* Opens the file at a path, using the caller's open_file if set. */
TACO__FN bool taco__source_open_path(const taco_options *o, const char *path, taco_source *out,
                                     taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    if (o->open_file) {
        memset(out, 0, sizeof *out);
        if (!o->open_file(o->open_ctx, path, out)) {
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no such file, or not readable: %q",
                       &name);
            return false;
        }
        taco__log(o, TACO_LOG_DEBUG, "file %s: %u bytes", path, out->size);
        return true;
    }
#ifndef TACO_NO_STDIO
    if (taco_source_file(out, path, err) != TACO_OK) { return false; }
    taco__log(o, TACO_LOG_DEBUG, "file %s: %u bytes", path, out->size);
    return true;
#else
    TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no taco_options.open_file to open %q with",
               &name);
    return false;
#endif
}

/* ---- segments ---- */

/* Takes the source over: taco__file_close closes it. name is borrowed. */
TACO__FN void taco__file_init(taco__file *f, const taco_source *src, const char *name,
                              taco__mem *mem)
{
    memset(f, 0, sizeof *f);
    f->src = *src;
    f->name = name;
    f->mem = mem;
}

static bool taco__file_overlaps(const taco__file_segment *s, uint64_t offset, uint64_t len)
{
    return len && s->offset < offset + len && offset < s->offset + s->len;
}

/* Releases a fetched range, once for each fetch. Segments that no other fetch needs are freed. */
TACO__FN void taco__file_release(taco__file *f, uint64_t offset, uint64_t len)
{
    size_t i, left = 0;
    for (i = 0; i < f->segment_count; i++) {
        taco__file_segment s = f->segments[i];
        if (taco__file_overlaps(&s, offset, len) && s.pins && --s.pins == 0) {
            taco__mem_free(f->mem, s.data, s.len);
        } else {
            f->segments[left++] = s;
        }
    }
    f->segment_count = left;
}

/* Frees all segments and closes the source. */
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
    if (f->src.close) { f->src.close(f->src.ctx); }
    memset(&f->src, 0, sizeof f->src);
}

/* Index of the first segment that ends after offset. */
static size_t taco__file_find_segment(const taco__file *f, uint64_t offset)
{
    size_t at = 0;
    TACO__LOWER_BOUND(at, f->segment_count, i,
                      f->segments[i].offset + f->segments[i].len <= offset);
    return at;
}

/* ---- reading now ---- */

/* Whether tasks may read the file concurrently: if that is one positional system call. Sources of
   the caller are called from one thread only. */
TACO__FN bool taco__file_tasks_may_read(const taco__file *f)
{
#ifdef TACO_NO_STDIO
    (void)f;
    return false;
#else
    return TACO__PREAD && f->src.read == taco__source_file_read;
#endif
}

/* The only place that reads the source. */
static bool taco__file_read_source(taco__file *f, uint64_t offset, void *dst, size_t len,
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

/* True if [offset, offset + len) lies inside a file, or a part of one, of `size` bytes. */
static bool taco__file_check_inside(uint64_t offset, uint64_t len, uint64_t size, taco_error *err)
{
    if (!taco__checked_range(offset, len, size)) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, offset, "needs %u bytes, the file ends at %u", len,
                   size);
        return false;
    }
    return true;
}

TACO__FN bool taco__file_check_range(const taco__file *f, uint64_t offset, uint64_t len,
                                     taco_error *err)
{
    return taco__file_check_inside(offset, len, f->src.size, err);
}

/* Copies len bytes at offset to dst: from segments as far as possible, the rest from the source. */
TACO__FN bool taco__file_read(taco__file *f, uint64_t offset, void *dst, size_t len,
                              taco_error *err)
{
    uint8_t *to = (uint8_t *)dst;
    size_t i;
    if (!taco__file_check_range(f, offset, len, err)) { return false; }
    for (i = taco__file_find_segment(f, offset); len; i++) {
        uint64_t next = i < f->segment_count ? f->segments[i].offset : UINT64_MAX;
        size_t n;
        if (next > offset) {
            n = next - offset < len ? (size_t)(next - offset) : len;
            if (!taco__file_read_source(f, offset, to, n, err)) { return false; }
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

/* The len bytes at offset, if one segment has all of them or the source has a view; else NULL.
   Valid until the segment is released. */
TACO__FN const uint8_t *taco__file_cached(taco__file *f, uint64_t offset, size_t len)
{
    size_t i;
    if (!taco__checked_range(offset, len, f->src.size)) { return NULL; }
    i = taco__file_find_segment(f, offset);
    if (i < f->segment_count && offset >= f->segments[i].offset &&
        taco__checked_range(offset - f->segments[i].offset, len, f->segments[i].len)) {
        return f->segments[i].data + (size_t)(offset - f->segments[i].offset);
    }
    return f->src.view ? (const uint8_t *)f->src.view(f->src.ctx, offset, len) : NULL;
}

/* How many bytes from offset on are in contiguous segments. */
TACO__FN uint64_t taco__file_cached_length(const taco__file *f, uint64_t offset)
{
    uint64_t end = offset;
    size_t i;
    for (i = taco__file_find_segment(f, offset);
         i < f->segment_count && f->segments[i].offset <= end; i++) {
        end = f->segments[i].offset + f->segments[i].len;
    }
    return end - offset;
}

/* The len bytes at offset, copied to scratch unless they are in memory: valid until scratch is used
   again or the segment is released. NULL on failure. */
TACO__FN const uint8_t *taco__file_view(taco__file *f, uint64_t offset, size_t len,
                                        taco__buf *scratch, taco_error *err)
{
    const uint8_t *p = taco__file_cached(f, offset, len);
    if (p) { return p; }
    if (!taco__file_check_range(f, offset, len, err) || !taco__buf_reset(scratch, len, err) ||
        !taco__file_read(f, offset, scratch->data, len, err)) {
        return NULL;
    }
    scratch->len = len;
    return scratch->data;
}

/* ---- fetching for later ---- */

/* Adds a segment, whose data the file then owns. It must not overlap another. */
TACO__FN bool taco__file_add_segment(taco__file *f, taco__file_segment s, taco_error *err)
{
    size_t at;
    if (f->segment_count == f->segment_cap) {
        size_t cap = f->segment_cap ? f->segment_cap * 2 : 8;
        taco__file_segment *p = (taco__file_segment *)taco__mem_resize(
            f->mem, f->segments, f->segment_cap * sizeof *p, cap * sizeof *p, err);
        if (!p) { return false; }
        f->segments = p;
        f->segment_cap = cap;
    }
    at = taco__file_find_segment(f, s.offset);
    memmove(f->segments + at + 1, f->segments + at, (f->segment_count - at) * sizeof *f->segments);
    f->segments[at] = s;
    f->segment_count++;
    return true;
}

static int taco__file_compare_ranges(const void *ctx, const void *a, const void *b)
{
    uint64_t x = ((const taco__range *)a)->offset, y = ((const taco__range *)b)->offset;
    (void)ctx;
    return (x > y) - (x < y);
}

/* Joins ranges that are in order and no more than `gap` apart; returns the new count. */
static size_t taco__file_join_ranges(taco__range *ranges, size_t n, uint64_t gap)
{
    size_t i, k = 0;
    for (i = 0; i < n; i++) {
        taco__range r = ranges[i];
        uint64_t end = k ? ranges[k - 1].offset + ranges[k - 1].len : 0;
        r.len = TACO__MIN(r.len, UINT64_MAX - r.offset); /* those of a damaged file may wrap */
        if (r.len == 0) { continue; }
        if (k && (r.offset <= end || r.offset - end <= gap)) {
            ranges[k - 1].len = TACO__MAX(end, r.offset + r.len) - ranges[k - 1].offset;
        } else {
            ranges[k++] = r;
        }
    }
    return k;
}

/* Sorts ranges, joins those at most gap apart, and removes what is in segments. Returns the new
   count; ranges has room for n + segment_count entries, since each segment splits at most one in
   two. */
TACO__FN size_t taco__file_plan_reads(const taco__file *f, taco__range *ranges, size_t n,
                                      uint64_t gap)
{
    size_t i, k, room = n + f->segment_count;
    taco__range one;
    taco__sort_in_place(ranges, &one, n, sizeof *ranges, taco__file_compare_ranges, NULL);
    n = taco__file_join_ranges(ranges, n, gap);
    for (i = 0; i < f->segment_count; i++) {
        uint64_t s = f->segments[i].offset, e = s + f->segments[i].len;
        size_t j;
        for (j = 0; j < n; j++) {
            uint64_t a = ranges[j].offset, b = a + ranges[j].len;
            if (s >= b || e <= a) { continue; }
            ranges[j].offset = s > a ? a : TACO__MIN(e, b);
            ranges[j].len = s > a ? s - a : b - ranges[j].offset;
            if (s > a && e < b && n < room) {
                ranges[n].offset = e;
                ranges[n++].len = b - e;
            }
        }
    }
    for (i = k = 0; i < n; i++) {
        if (ranges[i].len) { ranges[k++] = ranges[i]; }
    }
    return k;
}

/* Makes all reads in one call of the source if it supports that, or one after the other. */
static bool taco__file_read_ranges(taco__file *f, const taco_piece *reads, size_t n,
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

/* Allocates memory for each range; `reads` is as long as ranges. Returns how many succeeded, n on
   success. */
static size_t taco__file_allocate_reads(taco__file *f, const taco__range *ranges, size_t n,
                                        taco_piece *reads, taco_error *err)
{
    size_t i, len;
    for (i = 0; i < n; i++) {
        if (!taco__file_check_range(f, ranges[i].offset, ranges[i].len, err)) { break; }
        if (!taco__checked_to_size(ranges[i].len, &len)) {
            TACO__FAIL(err, TACO_ERR_MEMORY, ranges[i].offset, "out of memory for %u bytes",
                       ranges[i].len);
            break;
        }
        reads[i].offset = ranges[i].offset;
        reads[i].len = len;
        reads[i].dst = taco__mem_resize(f->mem, NULL, 0, len, err);
        if (!reads[i].dst) { break; }
    }
    return i;
}

/* Reads all ranges in one round, each into its own segment, without pins yet. */
static bool taco__file_load_segments(taco__file *f, const taco__range *ranges, size_t n,
                                     taco_piece *reads, taco_error *err)
{
    size_t i = 0, allocated = taco__file_allocate_reads(f, ranges, n, reads, err);
    bool ok = allocated == n && taco__file_read_ranges(f, reads, n, err);
    for (; ok && i < n; i += ok) {
        taco__file_segment s;
        s.offset = reads[i].offset;
        s.len = reads[i].len;
        s.data = (uint8_t *)reads[i].dst;
        s.pins = 0;
        ok = taco__file_add_segment(f, s, err);
    }
    for (; !ok && i < allocated; i++) { /* those that no segment has taken over */
        taco__mem_free(f->mem, reads[i].dst, reads[i].len);
    }
    return ok;
}

/* Brings ranges into segments in one round, reading no byte that is already in one. They stay until
   each range is released, or the file is closed. */
TACO__FN bool taco__file_fetch(taco__file *f, const taco__range *ranges, size_t n, taco_error *err)
{
    size_t room = n + f->segment_count, bytes, total, i, k;
    taco__range *plan;
    bool ok;
    if (n == 0 || f->src.view) { return true; }
    if (!taco__checked_mul_size(room, sizeof(taco__range) + sizeof(taco_piece), &bytes)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u ranges",
                   TACO__U(room));
        return false;
    }
    /* before their ends are compared */
    for (i = 0; i < n; i++) {
        if (ranges[i].len && !taco__file_check_range(f, ranges[i].offset, ranges[i].len, err)) {
            return false;
        }
    }
    plan = (taco__range *)taco__mem_resize(f->mem, NULL, 0, bytes, err);
    if (!plan) { return false; }
    memcpy(plan, ranges, n * sizeof *ranges);
    total = taco__file_plan_reads(f, plan, n, f->src.read_many ? TACO__FILE_GAP : 0);
    ok = taco__file_load_segments(f, plan, total, (taco_piece *)(void *)(plan + room), err);
    for (i = 0; ok && i < n; i++) {
        const taco__range *r = &ranges[i];
        for (k = taco__file_find_segment(f, r->offset);
             k < f->segment_count && taco__file_overlaps(&f->segments[k], r->offset, r->len); k++) {
            f->segments[k].pins++;
        }
    }
    taco__mem_free(f->mem, plan, bytes);
    return ok;
}

/* ---- parts ---- */

TACO__FN const uint8_t *taco__file_part_view(const taco__file_part *p, uint64_t offset, size_t len,
                                             taco__buf *scratch, taco_error *err)
{
    return taco__file_check_inside(offset, len, p->size, err)
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
    return taco__file_check_inside(offset, len, p->size, err) &&
           taco__file_read(p->file, p->base + offset, dst, len, err);
}
