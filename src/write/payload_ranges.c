/* payload_ranges.c - makes sure that no more payload is written than the source has

   Rows of a hostile archive can all name the same bytes: a file of a few megabytes would become an
   output of any size. So every range that is copied from an archive is recorded: together they may
   not have more bytes than the archive and, as checked when all have been copied, no two may
   overlap. If limits.max_output is given, bytes may be shared, up to that total. Start with
   taco__payload_ranges_add. */
#include "write.h"
#include "../base/base.h"
#include "../base/file_copy.h"

/* An archive and what was copied from it. */
typedef struct taco__payload_source {
    uint64_t archive; /* taco__input.archive */
    uint64_t size, used;
    taco__buf ranges; /* taco__range */
} taco__payload_source;

/* The archives so far. */
static taco__payload_source *taco__payload_ranges_list(const taco__payload_ranges *p, size_t *n)
{
    *n = p->sources.len / sizeof(taco__payload_source);
    return (taco__payload_source *)(void *)p->sources.data;
}

/* The entry of an archive, added if it is new; rows of one archive are usually adjacent. NULL if
   out of memory. */
static taco__payload_source *taco__payload_ranges_find(taco__payload_ranges *p,
                                                       const taco__input *in, taco_error *err)
{
    taco__payload_source s, *list;
    size_t n, i;
    list = taco__payload_ranges_list(p, &n);
    if (p->last < n && list[p->last].archive == in->archive) { return &list[p->last]; }
    for (i = 0; i < n && list[i].archive != in->archive; i++) {}
    p->last = i;
    if (i == n) {
        memset(&s, 0, sizeof s);
        s.archive = in->archive;
        s.size = in->source.size;
        s.ranges.mem = p->mem;
        if (!taco__buf_append(&p->sources, &s, sizeof s, err)) { return NULL; }
        list = taco__payload_ranges_list(p, &n);
    }
    return &list[i];
}

/* Must be called before the bytes of a sample are copied. */
TACO__FN bool taco__payload_ranges_add(taco__payload_ranges *p, const taco__input *in,
                                       taco_bytes id, taco_error *err)
{
    taco__payload_source *s;
    taco__range r;
    if (p->most) {
        if (!taco__checked_range(p->total, in->size, p->most)) {
            TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                       "sample %q: %u bytes of payload with it, limits.max_output is %u", &id,
                       p->total + TACO__MIN(in->size, UINT64_MAX - p->total), p->most);
            return false;
        }
        p->total += in->size;
        return true;
    }
    if (!in->archive || in->size == 0) { return true; }
    s = taco__payload_ranges_find(p, in, err);
    if (!s) { return false; }
    if (!taco__checked_range(s->used, in->size, s->size)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, in->offset,
                   "sample %q: the samples have more bytes than the %u of the file, so that some "
                   "share theirs; limits.max_output allows that",
                   &id, s->size);
        return false;
    }
    s->used += in->size;
    r.offset = in->offset;
    r.len = in->size;
    return taco__buf_append(&s->ranges, &r, sizeof r, err);
}

static int taco__payload_ranges_compare(const void *ctx, const void *a, const void *b)
{
    uint64_t x = ((const taco__range *)a)->offset, y = ((const taco__range *)b)->offset;
    (void)ctx;
    return (x > y) - (x < y);
}

/* CORRUPT if two ranges of one archive overlap. */
TACO__FN bool taco__payload_ranges_check(const taco__payload_ranges *p, taco_error *err)
{
    size_t n, i, k, count;
    const taco__payload_source *list = taco__payload_ranges_list(p, &n);
    for (i = 0; i < n; i++) {
        taco__range *r = (taco__range *)(void *)list[i].ranges.data;
        count = list[i].ranges.len / sizeof *r;
        if (!taco__sort_in(list[i].ranges.mem, r, count, sizeof *r, taco__payload_ranges_compare,
                           NULL, err)) {
            return false;
        }
        for (k = 1; k < count; k++) {
            if (r[k].offset < r[k - 1].offset + r[k - 1].len) {
                TACO__FAIL(err, TACO_ERR_CORRUPT, r[k].offset,
                           "two samples share bytes: %u from %u and %u from %u; limits.max_output "
                           "allows that",
                           r[k - 1].len, r[k - 1].offset, r[k].len, r[k].offset);
                return false;
            }
        }
    }
    return true;
}

TACO__FN void taco__payload_ranges_free(taco__payload_ranges *p)
{
    size_t n, i;
    taco__payload_source *list = taco__payload_ranges_list(p, &n);
    for (i = 0; i < n; i++) {
        taco__buf_free(&list[i].ranges);
    }
    taco__buf_free(&p->sources);
}
