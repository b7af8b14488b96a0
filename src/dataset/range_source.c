/* range_source.c - taco_feed: files made of ranges that the host provides, for hosts that cannot
   block

   In: names and sizes of files, and ranges of their bytes, in any order. Out: sources whose reads
   either find all their bytes in memory or fail at once, and the ranges that failed reads would
   have needed: a host that cannot block (a browser) fetches those, feeds them, and tries again.

   A file of a feed is a taco__file whose segments have been fed; it has nothing else to read from.
   The source (taco_feed_open_file is a taco_options.open_file) either copies from it or records
   what is missing: taco__range_source_read_many. */
#include "dataset.h"
#include "../base/base.h"

/* A file of a feed; there is one for each name. */
typedef struct taco__range_source_file {
    struct taco__range_source_file *next;
    struct taco_feed *feed;
    const char *path;
    /* the host has said that the file does not exist */
    bool missing;
    /* its segments have been fed */
    taco__file file;
} taco__range_source_file;

struct taco_feed {
    taco__mem mem;
    /* files and names */
    taco__arena arena;
    taco__range_source_file *files;
    /* taco_range: missed by reads since the last piece was fed */
    taco__buf wanted;
    /* a piece has been fed since: `wanted` is outdated */
    bool stale;
};

/* ---- reading ---- */

/* Records a missing range, once. len 0: the file itself is not known. */
static bool taco__range_source_note_missing(taco_feed *f, const char *path, uint64_t offset,
                                            uint64_t len)
{
    const taco_range *have;
    taco_range r;
    size_t i, n;
    f->wanted.len = f->stale ? 0 : f->wanted.len;
    f->stale = false;
    have = (const taco_range *)(const void *)f->wanted.data;
    n = f->wanted.len / sizeof r;
    for (i = 0; i < n; i++) {
        if (strcmp(have[i].file, path) == 0 && have[i].offset == offset && have[i].len == len) {
            return true;
        }
    }
    memset(&r, 0, sizeof r);
    r.file = path;
    r.offset = offset;
    r.len = len;
    return taco__buf_append(&f->wanted, &r, sizeof r, NULL);
}

/* Records which of n ranges are missing; r has room for one more range per segment. True if none
   is. */
static bool taco__range_source_check_ranges(taco__range_source_file *f, taco__range *r, size_t n)
{
    size_t i, missing = taco__file_plan_reads(&f->file, r, n, 0);
    for (i = 0; i < missing; i++) {
        (void)taco__range_source_note_missing(f->feed, f->path, r[i].offset, r[i].len);
    }
    return missing == 0;
}

/* Records which of the pieces are missing; true if none is. */
static bool taco__range_source_has_ranges(taco__range_source_file *f, const taco_piece *reads,
                                          size_t n)
{
    taco__range *r;
    size_t i, bytes;
    bool ok;
    if (!taco__checked_mul_size(n + f->file.segment_count, sizeof *r, &bytes)) { return false; }
    r = (taco__range *)taco__mem_alloc(&f->feed->mem, bytes, NULL);
    if (!r) { return false; }
    for (i = 0; i < n; i++) {
        r[i].offset = reads[i].offset;
        r[i].len = reads[i].len;
    }
    ok = taco__range_source_check_ranges(f, r, n);
    taco__mem_free(&f->feed->mem, r, bytes);
    return ok;
}

static bool taco__range_source_read_many(void *ctx, const taco_piece *reads, size_t n)
{
    taco__range_source_file *f = (taco__range_source_file *)ctx;
    size_t i;
    bool ok = taco__range_source_has_ranges(f, reads, n);
    for (i = 0; ok && i < n; i++) {
        ok = taco__file_read(&f->file, reads[i].offset, reads[i].dst, reads[i].len, NULL);
    }
    return ok;
}

static bool taco__range_source_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    taco_piece one;
    one.offset = offset;
    one.dst = dst;
    one.len = len;
    return taco__range_source_read_many(ctx, &one, 1);
}

/* What the files read from: there is nothing besides their segments. */
/* unreachable: reads begin when taco__range_source_has_ranges has found all bytes in segments */
static bool taco__range_source_read_nothing(void *ctx, uint64_t offset, void *dst, size_t len)
{
    (void)ctx;
    (void)offset;
    (void)dst;
    return len == 0;
}

/* ---- files ---- */

/* The file with a name; add: created if it is new. NULL if there is none, or no memory. */
static taco__range_source_file *taco__range_source_find_file(taco_feed *f, const char *path,
                                                             bool add, taco_error *err)
{
    taco__range_source_file *x;
    for (x = f->files; x; x = x->next) {
        if (strcmp(x->path, path) == 0) { return x; }
    }
    x = add ? (taco__range_source_file *)taco__arena_alloc(&f->arena, sizeof *x, err) : NULL;
    if (x) {
        x->path = taco__arena_text(&f->arena, taco__bytes_text(path), err);
        if (!x->path) { return NULL; }
        x->feed = f;
        x->file.mem = &f->mem;
        x->file.src.read = taco__range_source_read_nothing;
        x->next = f->files;
        f->files = x;
    }
    return x;
}

TACO_API taco_feed *taco_feed_new(const taco_options *opt, taco_error *err)
{
    taco__mem mem;
    taco_feed *f;
    err = taco__error_fresh(err, NULL);
    taco__mem_init(&mem, opt);
    f = (taco_feed *)taco__mem_alloc(&mem, sizeof *f, err);
    if (f) {
        f->mem = mem;
        f->arena.mem = f->wanted.mem = &f->mem;
    }
    return f;
}

TACO_API void taco_feed_free(taco_feed *f)
{
    taco__mem mem;
    taco__range_source_file *x;
    if (!f) { return; }
    for (x = f->files; x; x = x->next) {
        taco__file_close(&x->file);
    }
    taco__buf_free(&f->wanted);
    taco__arena_free(&f->arena);
    mem = f->mem;
    taco__mem_free(&mem, f, sizeof *f);
}

/* The size of a file cannot change once bytes of it have been fed. */
TACO_API taco_status taco_feed_file(taco_feed *f, const char *path, uint64_t size, taco_error *err)
{
    taco__range_source_file *x;
    err = taco__error_fresh(err, NULL);
    if (!f || !path) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          f ? "path" : "feed");
    }
    f->stale = true;
    x = taco__range_source_find_file(f, path, true, err);
    if (!x) { return TACO_ERR_MEMORY; }
    if (x->file.segment_count && x->file.src.size != size) {
        taco_bytes name = taco__bytes_text(path);
        return TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET,
                          "the size of %q is %u and cannot change: bytes of it have been fed",
                          &name, x->file.src.size);
    }
    x->missing = size == TACO_FEED_NO_FILE;
    x->file.src.size = x->missing ? 0 : size;
    return TACO_OK;
}

/* Adds a copy of bytes of a file, none of which are present yet. */
static bool taco__range_source_add_segment(taco__range_source_file *x, const taco__range *r,
                                           const uint8_t *data, taco_error *err)
{
    taco__mem *mem = &x->feed->mem;
    taco__file_segment s;
    s.offset = r->offset;
    s.len = (size_t)r->len;
    s.pins = 0;
    s.data = (uint8_t *)taco__mem_resize(mem, NULL, 0, s.len, err);
    if (!s.data) { return false; }
    memcpy(s.data, data, s.len);
    if (!taco__file_add_segment(&x->file, s, err)) {
        taco__mem_free(mem, s.data, s.len);
        return false;
    }
    return true;
}

/* Adds the missing parts of a range; present bytes stay, as sources may be reading them. */
static bool taco__range_source_add_range(taco__range_source_file *x, uint64_t offset,
                                         const uint8_t *data, size_t len, taco_error *err)
{
    taco__mem *mem = &x->feed->mem;
    taco__range *r;
    size_t i, n, bytes;
    if (!taco__checked_mul_size(1 + x->file.segment_count, sizeof *r, &bytes)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory");
        return false;
    }
    r = (taco__range *)taco__mem_alloc(mem, bytes, err);
    if (!r) { return false; }
    r[0].offset = offset;
    r[0].len = len;
    n = taco__file_plan_reads(&x->file, r, 1, 0);
    for (i = 0; i < n; i++) {
        if (!taco__range_source_add_segment(x, &r[i], data + (size_t)(r[i].offset - offset), err)) {
            break;
        }
    }
    taco__mem_free(mem, r, bytes);
    return i == n;
}

TACO_API taco_status taco_feed_give(taco_feed *f, const char *path, uint64_t offset,
                                    const void *data, size_t len, taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    taco__range_source_file *x =
        f && path ? taco__range_source_find_file(f, path, false, err) : NULL;
    if (!x || x->missing || (!data && len)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          x && !x->missing ? "no bytes given"
                                           : "no such file: declare it with taco_feed_file first");
    }
    if (!taco__file_check_range(&x->file, offset, len, err)) { return TACO_ERR_TRUNCATED; }
    f->stale = true;
    return taco__range_source_add_range(x, offset, (const uint8_t *)data, len, err)
               ? TACO_OK
               : TACO_ERR_MEMORY;
}

TACO_API const taco_range *taco_feed_wanted(taco_feed *f, size_t *n)
{
    *n = f && !f->stale ? f->wanted.len / sizeof(taco_range) : 0;
    return *n ? (const taco_range *)(const void *)f->wanted.data : NULL;
}

/* A taco_options.open_file: the context is the feed. An unknown name is recorded as a wanted
   file. */
TACO_API bool taco_feed_open_file(void *feed, const char *path, taco_source *out)
{
    taco_feed *f = (taco_feed *)feed;
    taco__range_source_file *x;
    memset(out, 0, sizeof *out);
    if (!f || !path) { return false; }
    x = taco__range_source_find_file(f, path, false, NULL);
    if (!x) {
        const char *name = taco__arena_text(&f->arena, taco__bytes_text(path), NULL);
        if (name) { taco__range_source_note_missing(f, name, 0, 0); }
        return false;
    }
    out->ctx = x;
    out->size = x->file.src.size;
    out->read = taco__range_source_read;
    out->read_many = taco__range_source_read_many;
    return !x->missing;
}
