/* zstd_decode_sequences.c - the tables of ZSTD's sequences, and executing them

   A block gives the mode of each field's table (taco__zstd_seq_table), and has one bit stream for
   all sequences. taco__zstd_seq_run_body reads a sequence, three values and the bits of three next
   states, and executes it: literals are copied, then a match from what was put out before. RFC 8878
   §3.1.1.3.2 and §3.1.1.4. The stream may be damaged or malicious: everything that memory safety
   depends on is checked in one place, just before the copies. Failures are returned, and reported
   by zstd_decode.c. */
#include "zstd.h"

#ifndef TACO_PARQUET_ZSTD_DECOMPRESS

#ifndef TACO_SMALL
/* The n bits of w below bit r, which moves to the lowest of them. A negative r yields garbage, so
   that whether there were enough bits is checked only once for several fields. */
#define TACO__ZSTD_SEQ_TAKE(w, r, n) ((r) -= (n), (uint32_t)((w) >> ((r)&63)) & ((1U << (n)) - 1))

/* The cells after ll, ml and of, by bits below bit r of w. */
#define TACO__ZSTD_SEQ_NEXT_STATES(w, r)                                                           \
    (ll += (int)TACO__ZSTD_SEQ_TAKE(w, r, ll->bits) + ll->next,                                    \
     ml += (int)TACO__ZSTD_SEQ_TAKE(w, r, ml->bits) + ml->next,                                    \
     of += (int)TACO__ZSTD_SEQ_TAKE(w, r, of->bits) + of->next)
#endif

/* Reads the three values of a sequence and the cells that follow, each of the six fields
   separately: for the end of a stream, and for sequences longer than a word. False if bits are
   missing. The order is that of §3.1.1.3.2.1.2; no states follow the last sequence. */
static TACO__NOINLINE bool taco__zstd_seq_read(taco__zstd_bits *b,
                                               const taco__zstd_fse_cell *cell[3],
                                               uint32_t value[3], bool last)
{
    static const uint8_t order[6] = {TACO__ZSTD_OF, TACO__ZSTD_ML, TACO__ZSTD_LL,
                                     TACO__ZSTD_LL, TACO__ZSTD_ML, TACO__ZSTD_OF};
    unsigned i;
    for (i = 0; i < (last ? 3U : 6U); i++) {
        const taco__zstd_fse_cell *c = cell[order[i]];
        uint32_t x = 0;
        if (!taco__zstd_bits_read(b, i < 3 ? c->extra : c->bits, &x)) { return false; }
        if (i < 3) {
            value[order[i]] = c->base + x;
        } else {
            cell[order[i]] = c + (ptrdiff_t)x + c->next;
        }
    }
    return true;
}

/* The offset that an Offset_Value means, §3.1.1.5, entered into the last three: rep0, then the low
   and the high half of `older`. Values 1 to 3 name one of those; in a sequence without literals 1
   and 2 name the second and third, and 3 the first less 1, which may be 0. */
TACO__INLINE uint32_t taco__zstd_seq_offset(uint32_t value, bool literals, uint32_t *rep0,
                                            uint64_t *older)
{
    uint32_t offset = *rep0, which = value - literals;
    if (TACO__LIKELY(value > 3)) {
        *older = *older << 32 | offset;
        *rep0 = value - 3;
        return value - 3;
    }
    if (which) {
        offset = which == 1 ? (uint32_t)*older : which == 2 ? (uint32_t)(*older >> 32) : *rep0 - 1;
        *older = (which == 1 ? *older >> 32 << 32 : *older << 32) | *rep0;
        *rep0 = offset;
    }
    return offset;
}

/* Decodes and executes the sequences of a block, §3.1.1.3.2.1.2 and §3.1.1.4. One load has 56 bits
   or more, enough for the six fields of almost every sequence; they are cut out of it by position,
   so that only the three next states wait for each other. Whether it was enough is checked once,
   after the values and before the states. While a sequence is decoded, the previous one is still
   being copied: only the history of offsets connects the two. */
TACO__INLINE taco__zstd_seq_result taco__zstd_seq_run_body(taco__zstd_seq_block *q)
{
    const taco__zstd_fse_cell *ll, *of, *ml;
    const uint8_t *lit = q->lit;
    uint8_t *to = q->to;
    uint32_t n, rep0 = q->repeat[0], offset, match, lits;
    uint64_t older = q->repeat[1] | (uint64_t)q->repeat[2] << 32; /* the two before rep0 */
#ifndef TACO_SMALL
    const int need = (int)(q->log[0] + q->log[1] + q->log[2]); /* bits, for the next states */
    uint64_t w;
#endif
    taco__zstd_bits b;
    if (!taco__zstd_bits_init(&b, q->bits, q->bits_len) ||
        !taco__zstd_bits_read(&b, q->log[TACO__ZSTD_LL], &lits) ||
        !taco__zstd_bits_read(&b, q->log[TACO__ZSTD_OF], &offset) ||
        !taco__zstd_bits_read(&b, q->log[TACO__ZSTD_ML], &match)) {
        return TACO__ZSTD_SEQ_BITS;
    }
    ll = q->cells + q->table[TACO__ZSTD_LL] + lits;
    of = q->cells + q->table[TACO__ZSTD_OF] + offset;
    ml = q->cells + q->table[TACO__ZSTD_ML] + match;
    for (n = q->count; n; n--) {
        /* bits of w that are still to come; the last sequence has no states after it and goes the
           slow way, if it comes at the end of the stream as it should */
        const taco__zstd_fse_cell *cell[3];
        uint32_t value[3];
#ifndef TACO_SMALL
        int r = n > 1 ? (int)b.pos : -1, rest;
        w = b.low;
        if (TACO__LIKELY(b.pos >= 64)) {
            w = taco__load_le64(b.data + (b.pos >> 3) - 7);
            r = (int)((b.pos & 7) | 56);
        }
        rest = r;
        offset = of->base + TACO__ZSTD_SEQ_TAKE(w, rest, of->extra);
        match = ml->base + TACO__ZSTD_SEQ_TAKE(w, rest, ml->extra);
        lits = ll->base + TACO__ZSTD_SEQ_TAKE(w, rest, ll->extra);
        if (TACO__LIKELY(rest >= need)) { /* else the values may be wrong, and are read again */
            TACO__ZSTD_SEQ_NEXT_STATES(w, rest);
            b.pos -= (size_t)(r - rest);
        } else if (rest >= (int)(ll->bits + ml->bits + of->bits)) {
            /* few bits left, and enough */
            TACO__ZSTD_SEQ_NEXT_STATES(w, rest);
            b.pos -= (size_t)(r - rest);
        } else if (rest >= 0 && b.pos >= 128) {
            /* a far offset: the states are in the next word */
            b.pos -= (size_t)(r - rest);
            w = taco__load_le64(b.data + (b.pos >> 3) - 7);
            r = rest = (int)((b.pos & 7) | 56);
            TACO__ZSTD_SEQ_NEXT_STATES(w, rest);
            b.pos -= (size_t)(r - rest);
        } else
#endif
        {
            cell[TACO__ZSTD_LL] = ll;
            cell[TACO__ZSTD_OF] = of;
            cell[TACO__ZSTD_ML] = ml;
            if (!taco__zstd_seq_read(&b, cell, value, n == 1)) { return TACO__ZSTD_SEQ_BITS; }
            lits = value[TACO__ZSTD_LL];
            offset = value[TACO__ZSTD_OF];
            match = value[TACO__ZSTD_ML];
            ll = cell[TACO__ZSTD_LL];
            of = cell[TACO__ZSTD_OF];
            ml = cell[TACO__ZSTD_ML];
        }
        offset = taco__zstd_seq_offset(offset, lits != 0, &rep0, &older);
        /* everything that memory safety depends on is checked here */
        if (TACO__UNLIKELY(lits > (size_t)(q->lit_end - lit))) { return TACO__ZSTD_SEQ_LITERALS; }
        if (TACO__UNLIKELY((size_t)lits + match > (size_t)(q->end - to))) {
            return TACO__ZSTD_SEQ_NEED_ROOM;
        }
#ifdef TACO_SMALL
        memmove(to, lit, lits);
#else
        taco__lz_copy16(to, lit);
        if (TACO__UNLIKELY(lits > 16)) { taco__lz_copy_wide(to + 16, lit + 16, lits - 16); }
#endif
        to += lits;
        lit += lits;
        if (TACO__UNLIKELY((size_t)offset - 1 >=
                           (size_t)(to - q->frame))) { /* offset 0 wraps round */
            q->offset = offset;
            q->to = to;
            return TACO__ZSTD_SEQ_OFFSET;
        }
        taco__lz_copy_match_inline(to, offset, match);
        to += match;
    }
    q->lit = lit;
    q->to = to;
    q->repeat[0] = rep0;
    q->repeat[1] = (uint32_t)older;
    q->repeat[2] = (uint32_t)(older >> 32);
    return b.pos ? TACO__ZSTD_SEQ_BITS : TACO__ZSTD_SEQ_OK; /* no bit may be left */
}

static TACO__NOINLINE taco__zstd_seq_result taco__zstd_seq_run_plain(taco__zstd_seq_block *q)
{
    return taco__zstd_seq_run_body(q);
}

#if TACO__X86
static TACO__NOINLINE TACO__TARGET("bmi,bmi2") taco__zstd_seq_result
    taco__zstd_seq_run_bmi2(taco__zstd_seq_block *q)
{
    return taco__zstd_seq_run_body(q);
}
#endif

/* Executes the sequences of a block. On failure q->offset may say more; the output is garbage. */
TACO__FN taco__zstd_seq_result taco__zstd_seq_run(taco__zstd_seq_block *q)
{
#if TACO__X86
    if (TACO__CPU_HAS("bmi2")) { return taco__zstd_seq_run_bmi2(q); }
#endif
    return taco__zstd_seq_run_plain(q);
}

/* Builds the predefined tables, unless that has been done. */
TACO__FN void taco__zstd_seq_predefined(taco__zstd_decoder *z)
{
    unsigned field;
    for (field = 0; field < 3 && !z->predefined_ready; field++) {
        taco__zstd_fse_counts c;
        uint32_t base[53];
        uint8_t extra[53];
        taco__zstd_codes_predefined(field, &c);
        taco__zstd_codes_values(field, base, extra);
        taco__zstd_fse_build(z->cells + 3 * 512 + 64 * field, &c, base, extra);
    }
    z->predefined_ready = true;
}

/* One code for all sequences, which takes no bits: a table of one state. The code is the byte at
   *at. */
static bool taco__zstd_seq_single_code(taco__zstd_decode_job *j, unsigned field, const uint8_t *at,
                                       const uint8_t *end)
{
    const taco__zstd_codes *codes = taco__zstd_codes_of(field);
    taco__zstd_fse_cell *one = &j->z->cells[512 * field];
    uint32_t base[53];
    uint8_t extra[53];
    if (at >= end || *at >= codes->count) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, at, "ZSTD %s code %u, there are %u", codes->name,
                        TACO__U(at < end ? *at : 255), TACO__U(codes->count));
        return false;
    }
    taco__zstd_codes_values(field, base, extra);
    one->base = base[*at];
    one->extra = extra[*at];
    one->bits = 0;
    one->next = 0;
    j->z->log[field] = 0;
    return true;
}

/* A table described at `at`; returns the bytes of the description, 0 on failure. */
static size_t taco__zstd_seq_described(taco__zstd_decode_job *j, unsigned field, const uint8_t *at,
                                       const uint8_t *end)
{
    const taco__zstd_codes *codes = taco__zstd_codes_of(field);
    taco__zstd_fse_counts c;
    uint32_t base[53];
    uint8_t extra[53];
    size_t size =
        taco__zstd_fse_read_counts(&c, at, (size_t)(end - at), codes->count, codes->max_log);
    if (!size) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, at, "damaged ZSTD table of %s codes", codes->name);
        return 0;
    }
    taco__zstd_codes_values(field, base, extra);
    taco__zstd_fse_build(j->z->cells + 512 * field, &c, base, extra);
    j->z->log[field] = (uint8_t)c.log;
    return size;
}

/* Makes the table of one field according to its mode, §3.1.1.3.2.1, and skips its description: 0
   predefined, 1 one code for all sequences, 2 described here, 3 the same as in the previous
   block. */
TACO__FN bool taco__zstd_seq_table(taco__zstd_decode_job *j, unsigned field, unsigned mode,
                                   const uint8_t **at, const uint8_t *end)
{
    const taco__zstd_codes *codes = taco__zstd_codes_of(field);
    taco__zstd_decoder *z = j->z;
    size_t size;
    if (mode == 3) {
        if (!z->has_table[field]) {
            TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, *at,
                            "ZSTD block repeats a table of %s codes, the frame has none before",
                            codes->name);
        }
        return z->has_table[field];
    }
    z->has_table[field] = true;
    if (mode == 0) {
        z->table[field] = (uint16_t)(3 * 512 + 64 * field);
        z->log[field] = (uint8_t)codes->predefined_log;
        return true;
    }
    z->table[field] = (uint16_t)(512 * field);
    size = mode == 1 ? taco__zstd_seq_single_code(j, field, *at, end)
                     : taco__zstd_seq_described(j, field, *at, end);
    *at += size;
    return size != 0;
}
#endif
