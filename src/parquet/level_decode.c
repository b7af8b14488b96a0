/* level_decode.c - a column chunk read forward: page headers, CRC, codecs, levels, values. */
#include "parquet.h"
#include "../base/base.h"

/* ---- opening pages
   ------------------------------------------------------------------------------ */

/* The level sections of a v1 page: RLE behind a 4-byte length, or the deprecated BIT_PACKED without
   one. */
TACO__FN bool taco__level_decode_open_v1(taco__chunk_reader *l, taco__byte_reader *c, taco__rle *r,
                                         unsigned max, uint32_t encoding, taco_error *err)
{
    unsigned width = 0;
    taco_bytes b;
    while (max >> width) {
        width++;
    }
    if (!width) { return true; }
    if (encoding == TACO__PQ_ENC_BIT_PACKED) {
        uint64_t bytes = ((uint64_t)l->page.num_values * width + 7) / 8;
        b.len = (size_t)TACO__MIN(bytes, (uint64_t)taco__byte_reader_left(c));
        b.data = taco__byte_reader_take(c, b.len);
        return taco__rle_open_msb(r, b, width, err);
    }
    b.len = taco__byte_reader_le32(c);
    b.data = taco__byte_reader_take(c, b.len);
    if (c->bad) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "levels of %u bytes, %u are left in the page",
                   TACO__U(b.len), TACO__U(taco__byte_reader_left(c)));
        return false;
    }
    return taco__rle_open(r, b, width, err);
}

TACO__FN bool taco__level_decode_open_v2(taco__byte_reader *c, taco__rle *r, unsigned max,
                                         size_t len, taco_error *err)
{
    unsigned width = 0;
    taco_bytes b;
    while (max >> width) {
        width++;
    }
    b.len = len;
    b.data = taco__byte_reader_take(c, len);
    if (c->bad) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "levels of %u bytes do not fit in the page",
                   TACO__U(len));
        return false;
    }
    return !width || taco__rle_open(r, b, width, err);
}

/* ---- nested columns: level entries until the next row begins
   --------------------------------------- */

TACO__FN int16_t *taco__level_decode_reps(const taco__chunk_reader *l)
{
    return (int16_t *)(void *)l->rep_buf.data;
}

TACO__FN int16_t *taco__level_decode_defs(const taco__chunk_reader *l)
{
    return (int16_t *)(void *)l->def_buf.data;
}

/* Makes room for the levels of `more` entries behind those of the batch, which may not have been
   written. */
static bool taco__level_decode_reserve(taco__chunk_reader *l, taco__buf *b, size_t more,
                                       taco_error *err)
{
    size_t bytes;
    if (!taco__checked_add_size(l->entries, more, &bytes) ||
        !taco__checked_mul_size(bytes, sizeof(int16_t), &bytes)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u levels",
                   TACO__U(more));
        return false;
    }
    b->len = 0;
    if (!taco__buf_reserve(b, bytes, err)) { return false; }
    b->len = l->entries * sizeof(int16_t);
    return true;
}

static bool taco__level_decode_read_reps(taco__chunk_reader *l, size_t want, taco_error *err)
{
    size_t ones;
    if (l->schema->max_rep == 1) {
        l->rep_buf.len = TACO__BITMAP_BYTES(l->entries);
        return taco__buf_reserve(&l->rep_buf, TACO__BITMAP_BYTES(want), err) &&
               taco__rle_read_validity(&l->rep, l->rep_buf.data, l->entries, want, &ones, err);
    }
    return taco__level_decode_reserve(l, &l->rep_buf, want, err) &&
           taco__rle_read_levels(&l->rep, taco__level_decode_reps(l) + l->entries, want,
                                 (unsigned)l->schema->max_rep, err);
}

static bool taco__level_decode_read_defs(taco__chunk_reader *l, size_t want, taco_error *err)
{
    const uint16_t max = (uint16_t)l->schema->max_def;
    if (want && !l->def.left && !taco__rle_next_run(&l->def, want, err)) { return false; }
    l->ahead_full = taco__rle_is_run_of(&l->def, want, max);
    if (l->full && l->ahead_full) { return taco__rle_skip(&l->def, want, err); }
    if (!taco__level_decode_reserve(l, &l->def_buf, want, err)) { return false; }
    if (l->full && l->entries) { /* those before are wanted after all */
        taco__values_fill(taco__level_decode_defs(l), &max, sizeof max, l->entries);
    }
    l->full = false;
    return taco__rle_read_levels(&l->def, taco__level_decode_defs(l) + l->entries, want, max, err);
}

/* Appends up to `want` level entries of the open page to the batch, without values. */
TACO__FN bool taco__level_decode_read(taco__chunk_reader *l, size_t want, taco_error *err)
{
    if (!taco__page_decode_open(l, err)) { return false; }
    l->ahead_full = true;
    if ((l->schema->max_def && !taco__level_decode_read_defs(l, want, err)) ||
        (l->schema->max_rep && !taco__level_decode_read_reps(l, want, err))) {
        return taco__error_inside(err, l->body_at, "levels");
    }
    return true;
}

/* Values among the level entries that were read last. */
TACO__FN size_t taco__level_decode_count_valid(const taco__chunk_reader *l, size_t from, size_t to)
{
    size_t m, n = 0;
    if (l->ahead_full) { return to - from; }
    for (; from < to; from += m) { /* no level is above the maximum */
        m = TACO__MIN(to - from, (size_t)64);
        n += taco__bitmap_popcount(taco__spacing_level_word(taco__level_decode_defs(l) + from, m,
                                                            (int16_t)l->schema->max_def));
    }
    return n;
}

/* Of the next m level entries of the open page, which stand behind `entries`, counts those that
   belong to the next *rows rows; *begun says whether a row is under way. SIZE_MAX when a row does
   not begin with repetition level 0. */
TACO__FN size_t taco__level_decode_row_entries(const taco__chunk_reader *l, size_t m,
                                               uint64_t *rows, bool *begun)
{
    size_t i, k;
    for (i = 0; i < m; i += k) {
        uint64_t starts;
        size_t n;
        k = TACO__MIN(m - i, (size_t)64);
        starts = ~taco__level_decode_rep_mask(l, l->entries + i, k, 1) & TACO__LOW_BITS(k);
        n = taco__bitmap_popcount(starts);
        if (!*begun && !(starts & 1)) { return SIZE_MAX; }
        if (n > *rows) { /* the first one too many ends the rows */
            for (; *rows; --*rows) {
                *begun = true;
                starts &= starts - 1;
            }
            return i + taco__plat_ctz64(starts);
        }
        *rows -= n;
        *begun = *begun || n;
    }
    return m;
}

/* A run-length page of a few bytes can claim 2^31 entries, all of one row: what it costs is bounded
   by what was read, and by limits.max_page for lists that are long and constant. */
TACO__FN bool taco__level_decode_check_size(const taco__chunk_reader *l, taco_error *err)
{
    uint64_t most = TACO__MAX(l->limits->max_page / 64, (uint64_t)1 << 20);
    most = TACO__MAX(most, l->fed * 8) + l->rows;
    if (l->entries <= most) { return true; }
    TACO__FAIL(err, TACO_ERR_LIMIT, l->body_at,
               "%u level entries in a batch of %u rows from %u bytes, limits.max_page allows %u",
               TACO__U(l->entries), TACO__U(l->rows), l->fed, most);
    return false;
}
