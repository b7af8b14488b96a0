/* zstd_decode_sequences.c - decode ZSTD frames.. Spec: RFC 8878, cited by section */
#include "codec.h"
#include "../base/base.h"

/* The same for offsets below 16, where what is copied repeats itself within a step: the first 8
   bytes are made by a multiplication that repeats `offset` bytes as often as they fit. */
TACO__INLINE void taco__zstd_seq_copy_near(uint8_t *to, size_t offset, size_t n)
{
    static const uint64_t repeat[8] = {0,
                                       UINT64_C(0x0101010101010101),
                                       UINT64_C(0x0001000100010001),
                                       UINT64_C(0x0001000001000001),
                                       UINT64_C(0x0000000100000001),
                                       UINT64_C(0x0000010000000001),
                                       UINT64_C(0x0001000000000001),
                                       UINT64_C(0x0100000000000001)};
    static const uint8_t stride[16] = {0, 8, 8, 9, 8, 10, 12, 14, 8, 9, 10, 11, 12, 13, 14, 15};
    const uint8_t *from = to - offset, *end = to + n;
    uint64_t x;
    if (n - 4 <= 4 && n <= offset) {
        /* The commonest, between integers that differ in a byte or two. Reading nothing behind the
           n bytes keeps the processor from waiting for the literals just written there. */
        x = taco__load_le32(from) | (uint64_t)taco__load_le32(from + n - 4) << (8 * (n - 4));
        taco__put_le64(to, x);
        return;
    }
    x = taco__load_le64(from);
    if (offset < 8) { x = (x & ((UINT64_C(1) << (8 * offset)) - 1)) * repeat[offset]; }
    taco__put_le64(to, x);
    /* a multiple of offset, 8 or more: all is written before it is read */
    from = to + 8 - stride[offset];
    to += 8;
    if (stride[offset] == 8) {
        for (; to < end; to += 16) {
            taco__put_le64(to, x);
            taco__put_le64(to + 8, x);
        }
        return;
    }
    for (; to < end; to += 8, from += 8) {
        memcpy(to, from, 8);
    }
}

/* The n bits of w below bit r, which then is the lowest of them. A negative r gives any number. */
#define TACO__ZSTD_SEQ_TAKE(w, r, n) ((r) -= (n), (uint32_t)((w) >> ((r)&63)) & ((1U << (n)) - 1))

/* The three values of a sequence and the cells that follow, reading each of the six fields by
   itself: for the end of a stream, and for sequences longer than a word. False when bits are
   missing. */
static TACO__NOINLINE bool taco__zstd_seq_read(taco__zstd_bits *b,
                                               const taco__zstd_fse_cell *cell[3],
                                               uint32_t value[3], bool last)
{
    static const uint8_t order[6] = {TACO__ZSTD_OF, TACO__ZSTD_ML, TACO__ZSTD_LL,
                                     TACO__ZSTD_LL, TACO__ZSTD_ML, TACO__ZSTD_OF};
    unsigned i;
    for (i = 0; i < (last ? 3U : 6U);
         i++) { /* §3.1.1.3.2.1.2; no states follow the last sequence */
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

/* Decodes and executes the sequences of a block, §3.1.1.3.2.1.2 and §3.1.1.4. One load has 56 bits
   or more, enough for the six fields of almost every sequence; they are cut out of it by position,
   so that only the three next states wait for each other. Whether it was enough is asked once,
   after the values and before the states. Where a sequence is decoded, the one before is still
   being copied: nothing but the offset's history joins the two. */
TACO__INLINE taco__zstd_seq_result taco__zstd_seq_run_body(taco__zstd_seq_block *q)
{
    const taco__zstd_fse_cell *ll, *of, *ml;
    const uint8_t *lit = q->lit, *from;
    uint8_t *to = q->to;
    uint32_t n, rep0 = q->repeat[0], offset, match, lits;
    uint64_t older = q->repeat[1] | (uint64_t)q->repeat[2] << 32; /* the two before rep0 */
    const int need = (int)(q->log[0] + q->log[1] + q->log[2]);    /* bits, for the next states */
    uint64_t w;
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
        /* bits of w that are still to come; the last sequence has no states behind it and goes the
           slow way, if it comes at the end of the stream as it should */
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
            ll += (int)TACO__ZSTD_SEQ_TAKE(w, rest, ll->bits) + ll->next;
            ml += (int)TACO__ZSTD_SEQ_TAKE(w, rest, ml->bits) + ml->next;
            of += (int)TACO__ZSTD_SEQ_TAKE(w, rest, of->bits) + of->next;
            b.pos -= (size_t)(r - rest);
        } else if (rest >= (int)(ll->bits + ml->bits + of->bits)) {
            /* few bits left, and enough */
            ll += (int)TACO__ZSTD_SEQ_TAKE(w, rest, ll->bits) + ll->next;
            ml += (int)TACO__ZSTD_SEQ_TAKE(w, rest, ml->bits) + ml->next;
            of += (int)TACO__ZSTD_SEQ_TAKE(w, rest, of->bits) + of->next;
            b.pos -= (size_t)(r - rest);
        } else if (rest >= 0 && b.pos >= 128) {
            /* far offsets: the states are in the next word */
            b.pos -= (size_t)(r - rest);
            w = taco__load_le64(b.data + (b.pos >> 3) - 7);
            r = rest = (int)((b.pos & 7) | 56);
            ll += (int)TACO__ZSTD_SEQ_TAKE(w, rest, ll->bits) + ll->next;
            ml += (int)TACO__ZSTD_SEQ_TAKE(w, rest, ml->bits) + ml->next;
            of += (int)TACO__ZSTD_SEQ_TAKE(w, rest, of->bits) + of->next;
            b.pos -= (size_t)(r - rest);
        } else {
            const taco__zstd_fse_cell *cell[3];
            uint32_t value[3];
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
        if (TACO__LIKELY(offset > 3)) {
            offset -= 3;
            older = older << 32 | rep0;
            rep0 = offset;
        } else {
            /* §3.1.1.5: the last three; without literals the last two and the last less 1 */
            uint32_t which = offset - (lits != 0);
            offset = rep0;
            if (which) {
                offset = which == 1   ? (uint32_t)older
                         : which == 2 ? (uint32_t)(older >> 32)
                                      : rep0 - 1;
                older = (which == 1 ? older >> 32 << 32 : older << 32) | rep0;
                rep0 = offset;
            }
        }
        /* all that memory depends on is proven here, whatever the stream said */
        if (TACO__UNLIKELY(lits > (size_t)(q->lit_end - lit))) { return TACO__ZSTD_SEQ_LITERALS; }
        if (TACO__UNLIKELY((size_t)lits + match > (size_t)(q->end - to))) {
            return TACO__ZSTD_SEQ_NEED_ROOM;
        }
        memcpy(to, lit, 16);
        if (TACO__UNLIKELY(lits > 16)) { taco__zstd_seq_copy(to + 16, lit + 16, lits - 16); }
        to += lits;
        lit += lits;
        if (TACO__UNLIKELY((size_t)offset - 1 >=
                           (size_t)(to - q->frame))) { /* offset 0 wraps round */
            q->offset = offset;
            q->to = to;
            return TACO__ZSTD_SEQ_OFFSET;
        }
        from = to - offset;
        if (TACO__LIKELY(offset >= 16)) {
            memcpy(to, from, 16);
            memcpy(to + 16, from + 16, 16);
            if (TACO__UNLIKELY(match > 32)) { taco__zstd_seq_copy(to + 32, from + 32, match - 32); }
        } else {
            taco__zstd_seq_copy_near(to, offset, match);
        }
        to += match;
    }
    q->lit = lit;
    q->to = to;
    q->repeat[0] = rep0;
    q->repeat[1] = (uint32_t)older;
    q->repeat[2] = (uint32_t)(older >> 32);
    return b.pos ? TACO__ZSTD_SEQ_BITS : TACO__ZSTD_SEQ_OK; /* not a bit may be left */
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

TACO__FN taco__zstd_seq_result taco__zstd_seq_run(taco__zstd_seq_block *q)
{
#if TACO__X86
    if (TACO__CPU_HAS("bmi2")) { return taco__zstd_seq_run_bmi2(q); }
#endif
    return taco__zstd_seq_run_plain(q);
}

/* How many bits follow a code. Its base need not be listed: it is the base of the code before plus
   the number of values which that stands for, §3.1.1.3.2.1.1. */
static const uint8_t taco__zstd_seq_ll_extra[36] = {0, 0, 0, 0, 0, 0,  0,  0,  0,  0,  0,  0,
                                                    0, 0, 0, 0, 1, 1,  1,  1,  2,  2,  3,  3,
                                                    4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

static const uint8_t taco__zstd_seq_ml_extra[53] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  0,  0,  0,  0, 0,
    0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

/* Fills base and extra for every code of a field. */
TACO__FN void taco__zstd_seq_values(unsigned field, uint32_t *base, uint8_t *extra)
{
    const uint8_t *bits =
        field == TACO__ZSTD_LL ? taco__zstd_seq_ll_extra : taco__zstd_seq_ml_extra;
    uint32_t next = field == TACO__ZSTD_LL ? 0 : 3; /* the shortest match is 3 */
    unsigned s;
    for (s = 0; s < taco__zstd_seq_codes[field]; s++) {
        extra[s] = field == TACO__ZSTD_OF ? (uint8_t)s : bits[s];
        base[s] = field == TACO__ZSTD_OF ? 1U << s : next;
        next += 1U << extra[s];
    }
}

TACO__FN void taco__zstd_seq_predefined(taco__zstd_decoder *z)
{
    static const int8_t *const counts[3] = {taco__zstd_seq_ll_counts, taco__zstd_seq_of_counts,
                                            taco__zstd_seq_ml_counts};
    static const uint8_t symbols[3] = {36, 29, 53}, log[3] = {6, 5, 6};
    unsigned field, s;
    for (field = 0; field < 3 && !z->standard_ready; field++) {
        taco__zstd_fse_counts c;
        uint32_t base[53];
        uint8_t extra[53];
        for (s = 0; s < symbols[field]; s++) {
            c.n[s] = counts[field][s];
        }
        c.symbols = symbols[field];
        c.log = log[field];
        taco__zstd_seq_values(field, base, extra);
        taco__zstd_fse_build(z->cells + 3 * 512 + 64 * field, &c, base, extra);
    }
    z->standard_ready = true;
}

/* Makes the table of one field as its mode says, §3.1.1.3.2.1, and steps over its description: 0
   predefined, 1 one code for all sequences, 2 described here, 3 the same as in the block before. */
TACO__FN bool taco__zstd_seq_table(taco__zstd_decode_job *j, unsigned field, unsigned mode,
                                   const uint8_t **at, const uint8_t *end)
{
    static const char *const name[3] = {"literal length", "offset", "match length"};
    taco__zstd_decoder *z = j->z;
    taco__zstd_fse_counts c;
    uint32_t base[53];
    uint8_t extra[53];
    size_t size;
    if (mode == 0) {
        z->known[field] = true;
        z->table[field] = (uint16_t)(3 * 512 + 64 * field);
        z->log[field] = field == TACO__ZSTD_OF ? 5 : 6;
        return true;
    }
    if (mode == 3) {
        if (!z->known[field]) {
            TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, *at,
                            "ZSTD block repeats a table of %s codes, the frame has none before",
                            name[field]);
        }
        return z->known[field];
    }
    taco__zstd_seq_values(field, base, extra);
    z->known[field] = true;
    z->table[field] = (uint16_t)(512 * field);
    if (mode == 1) { /* one code for all, which takes no bits */
        taco__zstd_fse_cell *one = &z->cells[512 * field];
        if (*at >= end || **at >= taco__zstd_seq_codes[field]) {
            TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, *at, "ZSTD %s code %u, there are %u", name[field],
                            TACO__U(*at < end ? **at : 255), TACO__U(taco__zstd_seq_codes[field]));
            return false;
        }
        c.log = 0;
        one->base = base[**at];
        one->extra = extra[**at];
        one->bits = 0;
        one->next = 0;
        size = 1;
    } else {
        size = taco__zstd_fse_read_counts(&c, *at, (size_t)(end - *at), taco__zstd_seq_codes[field],
                                          taco__zstd_seq_max_log[field]);
        if (!size) {
            TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, *at, "damaged ZSTD table of %s codes",
                            name[field]);
            return false;
        }
        taco__zstd_fse_build(z->cells + 512 * field, &c, base, extra);
    }
    z->log[field] = (uint8_t)c.log;
    *at += size;
    return true;
}
