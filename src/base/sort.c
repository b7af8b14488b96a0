/* sort.c - a stable merge sort with a context for the comparison, and the first k of n items

   In: an array of n items, and a comparison like qsort's with a context before the two items. Out:
   the items in order, stable. The order depends only on the items and the comparison, on every
   machine; the C library's qsort promises neither that nor n log n steps, may call malloc outside
   of a handle's budget, and has no context.

   taco__sort needs room for n / 2 items from the caller, taco__sort_in takes it from a handle's
   memory. Runs of TACO__SORT_RUN items are sorted by insertion, then merged: of two neighbours in
   order already nothing moves, so that sorted input costs n comparisons. taco__sort_first keeps the
   first k of n in a heap; taco__sort_in_place, which needs no memory, makes all of them one. Start
   reading at taco__sort. */
#include "base.h"

/* most items sorted by insertion, which is faster than merging up to about here */
#define TACO__SORT_RUN 8

/* What stays the same during one sort. */
typedef struct taco__sort_job {
    uint8_t *scratch;
    size_t size;
    taco__sort_compare compare;
    const void *ctx;
} taco__sort_job;

/* Sorts a few items by insertion; the scratch holds the one that moves. */
static void taco__sort_insert(const taco__sort_job *j, uint8_t *items, size_t n)
{
    size_t i, at, size = j->size;
    for (i = 1; i < n; i++) {
        uint8_t *x = items + i * size;
        for (at = i; at && j->compare(j->ctx, items + (at - 1) * size, x) > 0; at--) {}
        if (at == i) { continue; }
        memcpy(j->scratch, x, size);
        memmove(items + (at + 1) * size, items + at * size, (i - at) * size);
        memcpy(items + at * size, j->scratch, size);
    }
}

/* Merges [items, mid) and [mid, end), each in order, by way of the first, which moves to the
   scratch. Of equal items the left one goes first. The size is a parameter, so that the common ones
   become constants in taco__sort_merge. */
TACO__INLINE void taco__sort_merge_sized(const taco__sort_job *j, uint8_t *items,
                                         const uint8_t *mid, const uint8_t *end, size_t size)
{
    const uint8_t *left = j->scratch, *left_end = left + (size_t)(mid - items), *right = mid;
    uint8_t *out = items;
    memcpy(j->scratch, items, (size_t)(mid - items));
    while (left < left_end && right < end) {
        bool first = j->compare(j->ctx, left, right) <= 0;
        memcpy(out, first ? left : right, size);
        out += size;
        left += first ? size : 0;
        right += first ? 0 : size;
    }
    /* what is left of the right run is in its place */
    memcpy(out, left, (size_t)(left_end - left));
}

static void taco__sort_merge(const taco__sort_job *j, uint8_t *items, const uint8_t *mid,
                             const uint8_t *end)
{
    switch (j->size) {
    case 4: taco__sort_merge_sized(j, items, mid, end, 4); break;
    case 8: taco__sort_merge_sized(j, items, mid, end, 8); break;
    case 16: taco__sort_merge_sized(j, items, mid, end, 16); break;
    default: taco__sort_merge_sized(j, items, mid, end, j->size); break;
    }
}

/* The left half is the smaller one if the number is odd: n / 2 items of scratch are enough. */
static void taco__sort_part(const taco__sort_job *j, uint8_t *items, size_t n)
{
    uint8_t *mid = items + n / 2 * j->size;
    if (n <= TACO__SORT_RUN) {
        taco__sort_insert(j, items, n);
        return;
    }
    taco__sort_part(j, items, n / 2);
    taco__sort_part(j, mid, n - n / 2);
    if (j->compare(j->ctx, mid - j->size, mid) > 0) {
        taco__sort_merge(j, items, mid, items + n * j->size);
    }
}

TACO__FN void taco__sort(void *items, void *scratch, size_t n, size_t size,
                         taco__sort_compare compare, const void *ctx)
{
    taco__sort_job j;
    j.scratch = (uint8_t *)scratch;
    j.size = size;
    j.compare = compare;
    j.ctx = ctx;
    if (n > 1) { taco__sort_part(&j, (uint8_t *)items, n); }
}

TACO__FN bool taco__sort_in(taco__mem *mem, void *items, size_t n, size_t size,
                            taco__sort_compare compare, const void *ctx, taco_error *err)
{
    size_t bytes = n / 2 * size; /* of an array that is in memory: no overflow */
    void *scratch;
    if (n < 2) { return true; }
    scratch = taco__mem_resize(mem, NULL, 0, bytes, err);
    if (!scratch) { return false; }
    taco__sort(items, scratch, n, size, compare, ctx);
    taco__mem_free(mem, scratch, bytes);
    return true;
}

/* Puts the item in the scratch into a heap of n, whose first item is the last in order: at
   items[at], which is free, or below it. */
static void taco__sort_sink(const taco__sort_job *j, uint8_t *items, size_t n, size_t at)
{
    size_t size = j->size;
    for (;;) {
        size_t child = at * 2 + 1;
        const uint8_t *p;
        if (child >= n) { break; }
        p = items + child * size;
        if (child + 1 < n && j->compare(j->ctx, p, p + size) < 0) {
            child++;
            p += size;
        }
        if (j->compare(j->ctx, j->scratch, p) >= 0) { break; }
        memcpy(items + at * size, p, size);
        at = child;
    }
    memcpy(items + at * size, j->scratch, size);
}

/* Moves items[at] down a heap of n. */
static void taco__sort_sift_down(const taco__sort_job *j, uint8_t *items, size_t n, size_t at)
{
    memcpy(j->scratch, items + at * j->size, j->size);
    taco__sort_sink(j, items, n, at);
}

TACO__FN void taco__sort_in_place(void *items, void *scratch, size_t n, size_t size,
                                  taco__sort_compare compare, const void *ctx)
{
    taco__sort_job j;
    uint8_t *p = (uint8_t *)items;
    size_t i;
    for (i = 1; i < n && compare(ctx, p + (i - 1) * size, p + i * size) <= 0; i++) {}
    if (i >= n) { return; }
    j.scratch = (uint8_t *)scratch;
    j.size = size;
    j.compare = compare;
    j.ctx = ctx;
    for (i = n / 2; i-- > 0;) {
        taco__sort_sift_down(&j, p, n, i);
    }
    for (i = n; i-- > 1;) {
        memcpy(j.scratch, p + i * size, size);
        memcpy(p + i * size, p, size);
        taco__sort_sink(&j, p, i, 0);
    }
}

/* A heap of k items costs about log2 k comparisons per item that enters it, sorting log2 n for
   every item: from a quarter of the items on, sorting alone is as fast. */
TACO__FN bool taco__sort_first(taco__mem *mem, void *items, size_t n, size_t k, size_t size,
                               taco__sort_compare compare, const void *ctx, taco_error *err)
{
    taco__sort_job j;
    uint8_t *p = (uint8_t *)items;
    size_t i;
    if (k == 0) { return true; }
    if (k >= n / 4) { return taco__sort_in(mem, items, n, size, compare, ctx, err); }
    j.scratch = (uint8_t *)taco__mem_resize(mem, NULL, 0, size, err);
    j.size = size;
    j.compare = compare;
    j.ctx = ctx;
    if (!j.scratch) { return false; }
    for (i = k / 2; i-- > 0;) {
        taco__sort_sift_down(&j, p, k, i);
    }
    for (i = k; i < n; i++) {
        if (compare(ctx, p + i * size, p) < 0) {
            memcpy(p, p + i * size, size);
            taco__sort_sift_down(&j, p, k, 0);
        }
    }
    taco__mem_free(mem, j.scratch, size);
    return taco__sort_in(mem, items, k, size, compare, ctx, err);
}
