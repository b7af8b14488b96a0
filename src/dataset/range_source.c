/* range_source.c - files of ranges that were handed in, for hosts whose reads cannot wait. */
#include "dataset.h"
#include "../base/base.h"

typedef struct taco__range_source_file {
    struct taco__range_source_file *next;
    struct taco_feed *feed;
    const char *path;
    bool missing;    /* there is no such file */
    taco__file file; /* its segments are what was handed in */
} taco__range_source_file;

struct taco_feed {
    taco__mem mem;
    taco__arena arena; /* files and names */
    taco__range_source_file *files;
    taco__buf wanted; /* taco_range */
    bool stale;       /* wanted is of before the last piece */
};

static bool taco__range_source_note_missing(taco_feed *f, const char *path, uint64_t offset,
                                            uint64_t len)
{
    taco_range *have = (taco_range *)(void *)f->wanted.data, r;
    size_t i, n;
    f->wanted.len = f->stale ? 0 : f->wanted.len;
    f->stale = false;
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

/* Notes what of the pieces is not there; true when all of it is. */
static bool taco__range_source_has_ranges(taco__range_source_file *f, const taco_piece *reads,
                                          size_t n)
{
    taco__buf list;
    taco__range *r;
    size_t i, missing = 0, bytes;
    bool ok;
    memset(&list, 0, sizeof list);
    list.mem = &f->feed->mem;
    ok = taco__checked_mul_size(n + f->file.segment_count, sizeof *r, &bytes) &&
         taco__buf_reserve(&list, bytes, NULL);
    if (ok) {
        r = (taco__range *)(void *)list.data;
        for (i = 0; i < n; i++) {
            r[i].offset = reads[i].offset;
            r[i].len = reads[i].len;
        }
        missing = taco__file_plan_reads(&f->file, r, n, 0);
        for (i = 0; i < missing; i++) {
            ok = taco__range_source_note_missing(f->feed, f->path, r[i].offset, r[i].len) && ok;
        }
    }
    taco__buf_free(&list);
    return ok && !missing;
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

static bool taco__range_source_read_nothing(void *ctx, uint64_t offset, void *dst, size_t len)
{
    (void)ctx;
    (void)offset;
    (void)dst;
    return len == 0;
}

/* The file of a name, made when it is new. */
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

/* ---- public
   ---------------------------------------------------------------------------------------- */

TACO_API taco_feed *taco_feed_new(const taco_options *opt, taco_error *err)
{
    taco__mem mem;
    taco_feed *f;
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

TACO_API taco_status taco_feed_file(taco_feed *f, const char *path, uint64_t size, taco_error *err)
{
    taco__range_source_file *x;
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
                          "the size of %q is %u, and it has been fed", &name, x->file.src.size);
    }
    x->missing = size == TACO_FEED_NO_FILE;
    x->file.src.size = x->missing ? 0 : size;
    return TACO_OK;
}

TACO_API taco_status taco_feed_give(taco_feed *f, const char *path, uint64_t offset,
                                    const void *data, size_t len, taco_error *err)
{
    taco__range_source_file *x =
        f && path ? taco__range_source_find_file(f, path, false, err) : NULL;
    taco__range *r;
    taco__file_segment s;
    size_t i, n, bytes, room;
    if (!x || x->missing || (!data && len)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          x && !x->missing ? "no bytes given"
                                           : "no such file, taco_feed_file tells of it");
    }
    if (!taco__file_check_range(&x->file, offset, len, err)) { return TACO_ERR_TRUNCATED; }
    f->stale = true;
    room = 1 + x->file.segment_count;
    if (!taco__checked_mul_size(room, sizeof *r, &bytes)) {
        return TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory");
    }
    r = (taco__range *)taco__mem_alloc(&f->mem, bytes, err);
    if (!r) { return TACO_ERR_MEMORY; }
    r[0].offset = offset;
    r[0].len = len;
    n = taco__file_plan_reads(&x->file, r, 1, 0);
    for (i = 0; i < n; i++) { /* what is there already stays: sources may be reading it */
        s.offset = r[i].offset;
        s.len = (size_t)r[i].len;
        s.pins = 0;
        s.data = (uint8_t *)taco__mem_resize(&f->mem, NULL, 0, s.len, err);
        if (!s.data) { break; }
        memcpy(s.data, (const uint8_t *)data + (size_t)(s.offset - offset), s.len);
        if (!taco__file_add_segment(&x->file, s, err)) {
            taco__mem_free(&f->mem, s.data, s.len);
            break;
        }
    }
    taco__mem_free(&f->mem, r, bytes);
    return i == n ? TACO_OK : TACO_ERR_MEMORY;
}

TACO_API const taco_range *taco_feed_wanted(taco_feed *f, size_t *n)
{
    *n = f && !f->stale ? f->wanted.len / sizeof(taco_range) : 0;
    return *n ? (const taco_range *)(const void *)f->wanted.data : NULL;
}

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
