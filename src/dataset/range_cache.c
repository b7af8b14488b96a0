/* range_cache.c - byte ranges of files, read ahead in one round and kept until released

   A vectored source (a network) takes as long for many ranges as for one. Callers that know what
   they will read collect the ranges and fetch them here; the readers that need them later find the
   bytes in memory (taco__file_fetch pins them). Used by cascades for the columns that join levels,
   and by sorted results for keys and for rows that are far apart. */
#include "container.h"
#include "../base/base.h"
#include "../filter/scan.h"

TACO__FN void taco__range_cache_init(taco__range_cache *c, taco__mem *mem)
{
    memset(c, 0, sizeof *c);
    c->ranges.mem = mem;
}

/* Fetches ranges (taco__range) of a file and keeps them. If they are more than TACO__SCAN_AHEAD
   bytes, nothing is fetched and they are read on demand, which is not a failure. */
TACO__FN bool taco__range_cache_fetch(taco__range_cache *c, taco__file *file,
                                      const taco__buf *ranges, taco_error *err)
{
    const taco__range *r = (const taco__range *)(const void *)ranges->data;
    size_t i, n = ranges->len / sizeof *r;
    taco__cached_range one;
    if (taco__scan_fetch_range_bytes(ranges) > TACO__SCAN_AHEAD) { return true; }
    one.file = file;
    /* room first: a fetched range that is not recorded would never be released */
    if (!taco__buf_reserve(&c->ranges, n * sizeof one, err) || !taco__file_fetch(file, r, n, err)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        one.range = r[i];
        (void)taco__buf_append(&c->ranges, &one, sizeof one, err); /* there is room */
    }
    return true;
}

static const taco__cached_range *taco__range_cache_items(const taco__range_cache *c, size_t *n)
{
    *n = c->ranges.len / sizeof(taco__cached_range);
    return (const taco__cached_range *)(const void *)c->ranges.data;
}

/* Number of bytes kept. */
TACO__FN uint64_t taco__range_cache_bytes(const taco__range_cache *c)
{
    size_t i, n;
    const taco__cached_range *r = taco__range_cache_items(c, &n);
    uint64_t total = 0;
    for (i = 0; i < n; i++) {
        total += r[i].range.len;
    }
    return total;
}

/* Releases all ranges. The files must still be open. */
TACO__FN void taco__range_cache_release(taco__range_cache *c)
{
    size_t i, n;
    const taco__cached_range *r = taco__range_cache_items(c, &n);
    for (i = 0; i < n; i++) {
        taco__file_release(r[i].file, r[i].range.offset, r[i].range.len);
    }
    c->ranges.len = 0;
}

/* Releases everything, and frees the list. */
TACO__FN void taco__range_cache_free(taco__range_cache *c)
{
    taco__range_cache_release(c);
    taco__buf_free(&c->ranges);
}
