/* shard.c - rows for many ranks: even parts of a query, and an order that each rank computes

   In: a query, a rank and the number of ranks; or a seed and an index. Out: the same query
   restricted to a range of positions of the level; or the row at that index. Nothing is exchanged
   between ranks: all of them compute the same. */
#include "dataset.h"
#include "../base/base.h"

/* ---- parts ---- */

/* floor(n * part / parts), even if the product does not fit in 64 bits. */
static uint64_t taco__shard_cut(uint64_t n, uint32_t part, uint32_t parts)
{
    return n / parts * part + n % parts * part / parts;
}

/* Rows of a batch: their sizes and positions. */
typedef struct taco__shard_rows {
    taco_cursor *rows;
    taco_batch batch;
    const uint64_t *place;
} taco__shard_rows;

/* The next batch of the query's rows with their sizes. False at the end and on failure. */
static bool taco__shard_next(taco__shard_rows *s)
{
    if (!taco_cursor_batch(s->rows, &s->batch)) { return false; }
    s->place = taco_cursor_positions(s->rows);
    return s->place != NULL;
}

/* Begins a pass over the sizes of the rows of a query. */
static bool taco__shard_begin(taco__shard_rows *s, taco_dataset *ds, const taco_query *q,
                              taco_error *err)
{
    taco_query sizes = *q;
    sizes.select = "\"internal:size\"";
    s->rows = taco_select(ds, &sizes, err);
    return s->rows != NULL;
}

/* The weight of a row; a size that is null or negative counts as 0. */
static uint64_t taco__shard_size(const taco__shard_rows *s, size_t i)
{
    int64_t size =
        taco_array_valid(&s->batch.columns[0], i) ? taco_array_int(&s->batch.columns[0], i) : 0;
    return size > 0 ? (uint64_t)size : 0;
}

/* The sum of all sizes, at most UINT64_MAX. */
static bool taco__shard_sum(taco_dataset *ds, const taco_query *q, uint64_t *sum, taco_error *err)
{
    taco__shard_rows s;
    size_t i;
    *sum = 0;
    if (!taco__shard_begin(&s, ds, q, err)) { return false; }
    while (taco__shard_next(&s)) {
        for (i = 0; i < s.batch.length; i++) {
            if (!taco__checked_add64(*sum, taco__shard_size(&s, i), sum)) { *sum = UINT64_MAX; }
        }
    }
    return taco_cursor_close(s.rows, err) == TACO_OK;
}

/* Sets the part to the rows that begin inside a share of the sum, at least from and less than to: a
   row belongs to the rank in whose share it begins. The range is from the first such row to the
   first row after them; `all` if there is none. */
static bool taco__shard_find(taco_dataset *ds, const taco_query *q, const uint64_t share[2],
                             uint64_t all, taco_query *part, taco_error *err)
{
    taco__shard_rows s;
    uint64_t before = 0;
    size_t i;
    /* q may be *part */
    if (!taco__shard_begin(&s, ds, q, err)) { return false; }
    part->row_from = part->row_to = all;
    while (part->row_to == all && taco__shard_next(&s)) {
        for (i = 0; i < s.batch.length && part->row_to == all; i++) {
            if (before >= share[0] && part->row_from == all) { part->row_from = s.place[i]; }
            if (before >= share[1]) { part->row_to = s.place[i]; }
            if (!taco__checked_add64(before, taco__shard_size(&s, i), &before)) {
                before = UINT64_MAX;
            }
            before -= before == UINT64_MAX; /* where the last share ends: no row begins there */
        }
    }
    return taco_cursor_close(s.rows, err) == TACO_OK;
}

/* Cuts by bytes. If all sizes are 0, the last rank gets all rows. */
static bool taco__shard_by_bytes(taco_dataset *ds, const taco_query *q, uint32_t rank,
                                 uint32_t size, uint64_t all, taco_query *part, taco_error *err)
{
    uint64_t sum, share[2];
    if (!taco__shard_sum(ds, q, &sum, err)) { return false; }
    share[0] = taco__shard_cut(sum, rank, size);
    share[1] = rank + 1 == size ? UINT64_MAX : taco__shard_cut(sum, rank + 1, size);
    return taco__shard_find(ds, q, share, all, part, err);
}

TACO_API taco_status taco_shard(taco_dataset *ds, const taco_query *q, taco_shard_by by,
                                uint32_t rank, uint32_t size, taco_query *part, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_query all;
    int64_t rows;
    memset(&all, 0, sizeof all);
    err = taco__error_fresh(err, &own);
    *part = q ? *q : all;
    if (!ds || rank >= size) {
        return ds ? TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                                    "rank %u of %u, ranks count from 0", TACO__U(rank),
                                    TACO__U(size))
                  : TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
    }
    if (part->order || part->limit || part->offset || part->row_to) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a query with %s cannot be split: its parts are rows in storage order",
                          part->order    ? "order"
                          : part->limit  ? "limit"
                          : part->offset ? "offset"
                                         : "row_to");
    }
    rows = taco__dataset_stored_rows(ds, part->table, err);
    if (rows < 0) { return err->code; }
    if (by == TACO_SHARD_ROWS) {
        part->row_from = taco__shard_cut((uint64_t)rows, rank, size);
        part->row_to = taco__shard_cut((uint64_t)rows, rank + 1, size);
    } else if (!taco__shard_by_bytes(ds, part, rank, size, (uint64_t)rows, part, err)) {
        return err->code;
    }
    /* row_to 0 means all rows, so an empty part begins past the end */
    if (part->row_from >= part->row_to) {
        part->row_from = part->row_to = TACO__MAX((uint64_t)rows, 1);
    }
    return TACO_OK;
}

/* ---- order ---- */

/* Mixes the bits of x (the finaliser of SplitMix64: a bijection in which every bit of x changes
   about half of the result's). */
static uint64_t taco__shuffle_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31);
}

/* A Feistel network over two halves of `bits` bits each: a permutation of their range, whatever the
   round function. Eight rounds, each with its own key. */
static uint64_t taco__shuffle_network(uint64_t x, unsigned bits, uint64_t seed)
{
    const uint64_t mask = ((uint64_t)1 << bits) - 1; /* at most 32 */
    uint64_t left = x >> bits, right = x & mask, key = taco__shuffle_mix(seed), next;
    unsigned round;
    for (round = 0; round < 8; round++) {
        key += 0x9E3779B97F4A7C15U;
        next = left ^ (taco__shuffle_mix(right ^ taco__shuffle_mix(key)) & mask);
        left = right;
        right = next;
    }
    return left << bits | right;
}

/* Numbers outside [0, n) are permuted again until one is inside: the range of the network is less
   than four times as large. */
TACO_API uint64_t taco_shuffle(uint64_t n, uint64_t seed, uint64_t i)
{
    unsigned bits = 1;
    if (i >= n) { return UINT64_MAX; }
    while (bits < 32 && (n - 1) >> (2 * bits)) {
        bits++;
    }
    do {
        i = taco__shuffle_network(i, bits, seed);
    } while (i >= n);
    return i;
}
