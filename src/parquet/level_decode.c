/* level_decode.c - repetition and definition levels: entries of a batch

   In: the level sections of a data page; out: the levels of a batch's entries, in the order of the
   file. An entry is a value, a null, or an empty list; its repetition level says which list it
   continues (0: a new row), its definition level how much of its path is defined (the maximum: a
   value). Spec: parquet-format README "Nested Encoding", Encodings.md "RLE".

       lists [1,2] [] null [3]:   repetition  0 1 0 0 0     maximum 1
                                  definition  3 3 1 0 3     maximum 3, optional list of optional

   Most columns are simpler than that, and cost less: levels of one bit stay a bitmap, and
   definition levels that are the maximum throughout are not written at all (all_defined). Flat
   columns do not come here: their levels become validity at once (taco__chunk_reader_read_flat). */
#include "parquet.h"
#include "../base/base.h"

TACO__FN void taco__level_decode_init(taco__level_decoder *v, taco__mem *mem)
{
    memset(v, 0, sizeof *v);
    v->rep_levels.mem = v->def_levels.mem = v->validity.mem = mem;
}

TACO__FN void taco__level_decode_free(taco__level_decoder *v)
{
    taco__buf_free(&v->rep_levels);
    taco__buf_free(&v->def_levels);
    taco__buf_free(&v->validity);
}

TACO__FN void taco__level_decode_clear(taco__level_decoder *v)
{
    v->entries = 0;
    v->rep_levels.len = v->def_levels.len = 0;
    v->all_defined = true;
}

/* ---- opening pages ---- */

/* Bits of a level up to max: Encodings.md, "the bit-width". */
static unsigned taco__level_decode_width(unsigned max)
{
    unsigned width = 0;
    while (max >> width) {
        width++;
    }
    return width;
}

/* A level section of a v1 page: RLE after a 4-byte length, or the deprecated BIT_PACKED, whose
   length follows from the number of values. With a maximum of 0 there is no section. */
static bool taco__level_decode_open_v1(taco__rle *r, unsigned max, int32_t encoding,
                                       uint32_t num_values, taco__byte_reader *c, taco_error *err)
{
    unsigned width = taco__level_decode_width(max);
    taco_bytes b;
    if (!width) { return true; }
    if (encoding == TACO__PQ_ENC_BIT_PACKED) {
        uint64_t bytes = ((uint64_t)num_values * width + 7) / 8;
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

/* A level section of a v2 page: RLE, with its length in the page header. */
static bool taco__level_decode_open_v2(taco__rle *r, unsigned max, size_t len, taco__byte_reader *c,
                                       taco_error *err)
{
    unsigned width = taco__level_decode_width(max);
    taco_bytes b;
    b.len = len;
    b.data = taco__byte_reader_take(c, len);
    if (c->bad) { /* page_header.c has refused it */
        TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "levels of %u bytes do not fit in the page",
                   TACO__U(len));
        return false;
    }
    return !width || taco__rle_open(r, b, width, err);
}

TACO__FN bool taco__level_decode_open(taco__level_decoder *v, const taco__pq_page_header *h,
                                      taco__byte_reader *c, taco_error *err)
{
    unsigned max_rep = (unsigned)v->max_rep, max_def = (unsigned)v->max_def;
    if (h->type == TACO__PQ_PAGE_DATA_V2) {
        return taco__level_decode_open_v2(&v->rep, max_rep, (size_t)h->rep_len, c, err) &&
               taco__level_decode_open_v2(&v->def, max_def, (size_t)h->def_len, c, err);
    }
    return taco__level_decode_open_v1(&v->rep, max_rep, h->rep_encoding, h->num_values, c, err) &&
           taco__level_decode_open_v1(&v->def, max_def, h->def_encoding, h->num_values, c, err);
}

/* ---- nested columns: level entries until the next row begins ---- */

/* Makes room in b for the levels of `more` entries after those of the batch, even if those have not
   been written. */
static bool taco__level_decode_reserve(const taco__level_decoder *v, taco__buf *b, size_t more,
                                       taco_error *err)
{
    size_t bytes;
    if (!taco__checked_add_size(v->entries, more, &bytes) ||
        !taco__checked_mul_size(bytes, sizeof(int16_t), &bytes)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u levels",
                   TACO__U(more));
        return false;
    }
    b->len = 0;
    if (!taco__buf_reserve(b, bytes, err)) { return false; }
    b->len = v->entries * sizeof(int16_t);
    return true;
}

/* With a maximum of 1, by far the most common, the levels stay a bitmap. */
static bool taco__level_decode_read_reps(taco__level_decoder *v, size_t n, taco_error *err)
{
    size_t ones;
    if (v->max_rep == 1) {
        v->rep_levels.len = TACO__BITMAP_BYTES(v->entries);
        return taco__buf_reserve(&v->rep_levels, TACO__BITMAP_BYTES(n), err) &&
               taco__rle_read_validity(&v->rep, v->rep_levels.data, v->entries, n, &ones, err);
    }
    return taco__level_decode_reserve(v, &v->rep_levels, n, err) &&
           taco__rle_read_levels(&v->rep, taco__level_decode_reps(v) + v->entries, n,
                                 (unsigned)v->max_rep, err);
}

/* Levels are written only once an entry below the maximum appears; those before it are filled in
   then. */
static bool taco__level_decode_read_defs(taco__level_decoder *v, size_t n, taco_error *err)
{
    const uint16_t max = (uint16_t)v->max_def;
    if (n && !v->def.left && !taco__rle_next_run(&v->def, n, err)) { return false; }
    v->last_all_defined = taco__rle_is_run_of(&v->def, n, max);
    if (v->all_defined && v->last_all_defined) { return taco__rle_skip(&v->def, n, err); }
    if (!taco__level_decode_reserve(v, &v->def_levels, n, err)) { return false; }
    if (v->all_defined && v->entries) {
        taco__values_fill(taco__level_decode_defs(v), &max, sizeof max, v->entries);
    }
    v->all_defined = false;
    return taco__rle_read_levels(&v->def, taco__level_decode_defs(v) + v->entries, n, max, err);
}

TACO__FN bool taco__level_decode_read(taco__level_decoder *v, size_t n, taco_error *err)
{
    v->last_all_defined = true;
    return (!v->max_def || taco__level_decode_read_defs(v, n, err)) &&
           (!v->max_rep || taco__level_decode_read_reps(v, n, err));
}

TACO__FN size_t taco__level_decode_count_valid(const taco__level_decoder *v, size_t from, size_t to)
{
    size_t m, n = 0;
    if (v->last_all_defined) { return to - from; }
    for (; from < to; from += m) { /* no level is above the maximum */
        m = TACO__MIN(to - from, (size_t)64);
        n += taco__bitmap_popcount(
            taco__spacing_level_word(taco__level_decode_defs(v) + from, m, v->max_def));
    }
    return n;
}

TACO__FN size_t taco__level_decode_row_entries(const taco__level_decoder *v, size_t m,
                                               uint64_t *rows, bool *begun)
{
    size_t i, k;
    for (i = 0; i < m; i += k) {
        uint64_t starts;
        size_t n;
        k = TACO__MIN(m - i, (size_t)64);
        starts = ~taco__level_decode_rep_mask(v, v->entries + i, k, 1) & TACO__LOW_BITS(k);
        n = taco__bitmap_popcount(starts);
        if (!*begun && !(starts & 1)) { return SIZE_MAX; }
        if (n > *rows) { /* the first entry of the row after them */
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
