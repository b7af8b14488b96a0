/* inflate.c - decode raw DEFLATE data (RFC 1951)

   A stream is blocks: stored, or with fixed or dynamic Huffman codes for literals, lengths and
   distances. taco__inflate_table turns code lengths into a table indexed by the next bits: an entry
   has the value and the number of bits that code and extra bits take, and codes longer than the
   index continue in a subtable. taco__inflate_symbols is the fast loop, for input and output with
   margins, compiled a second time for processors with BMI2; taco__inflate_symbol decodes one symbol
   with every check. From outside in: taco__inflate_stream, taco__inflate_run (blocks),
   taco__inflate_block (symbols). Past the end, bits are read as zeros and counted (`past`), so that
   one comparison detects whether any of them was consumed. gzip_decode.c has the containers around
   such data. */
#include "codec.h"

#ifdef TACO_PARQUET_INFLATE
/* Decodes the DEFLATE data at z->ip, and leaves z->ip after it. */
TACO__FN taco_status taco__inflate_stream(taco__inflater *z, taco_error *err)
{
    taco_bytes in = taco__bytes_of(z->ip, (size_t)(z->end - z->ip));
    size_t used = 0;
    taco_status status = taco__lz_host_decode(&z->out, TACO_PARQUET_INFLATE, "DEFLATE", in,
                                              (uint64_t)(z->ip - z->start), &used, err);
    z->ip += status == TACO_OK ? used : 0;
    return status;
}
#else
/* Codes are looked up by their first ROOT bits, longer ones by the rest in a subtable. The sizes
   are the largest that any complete code of 288 (32) symbols and 15 bits needs with that ROOT;
   taco__inflate_table checks them anyway. */
#define TACO__INFLATE_ROOT         11
#define TACO__INFLATE_SIZE         2342
#define TACO__INFLATE_DIST_ROOT    8
#define TACO__INFLATE_DIST_SIZE    402
#define TACO__INFLATE_LENS_ROOT    7

/* All state of one stream, about 12 KB, which is too much for the stack. */
typedef struct taco__inflate_state {
    taco__lz_output out;
    size_t history;                  /* index in out of the oldest byte a match may reach */
    const uint8_t *start, *ip, *end; /* input: beginning, next byte, end */
    /* Bits read and not yet consumed, the next one lowest, and how many; bits above these may hold
       what a later refill puts there again. */
    uint64_t bits;
    unsigned count;
    unsigned past;         /* zero bytes read past the end of the input */
    bool bmi2;             /* the processor has BMI2 */
    size_t need;           /* bytes of room that a symbol needs, after TACO__INFLATE_NEED_ROOM */
    const char *what;      /* what is wrong, after TACO__INFLATE_FAULT: a format */
    uint64_t found, bound; /* and its numbers */
    bool fixed;            /* the tables are those of the fixed codes */
    unsigned root;         /* index bits of lits */
    uint32_t lits[TACO__INFLATE_SIZE];
    uint32_t dists[TACO__INFLATE_DIST_SIZE];
    uint8_t lens[288 + 32]; /* code lengths of both alphabets, one after the other */
    uint16_t sorted[288];   /* the symbols of one alphabet by code length */
} taco__inflate_state;

/* ---- decoding tables ---- */

/* A table entry. Bits 0-5: how many bits it takes, extra bits included; bits 8-11: those of the
   code alone, or the index bits of the subtable; bits 16-30: literal, base of a length or distance,
   start of the subtable, symbol. OTHER is none of literal, length and distance: with SUBTABLE the
   first bits of longer codes, with END_OF_BLOCK that code, with neither not a code. */
#define TACO__INFLATE_LITERAL      0x80000000U
#define TACO__INFLATE_OTHER        0x8000U
#define TACO__INFLATE_SUBTABLE     0x4000U
#define TACO__INFLATE_END_OF_BLOCK 0x2000U

#define TACO__INFLATE_TAKES(e) ((e)&63)
#define TACO__INFLATE_BITS(e)  ((e) >> 8 & 15)
#define TACO__INFLATE_VALUE(e) ((e) >> 16 & 0x7FFF)
/* The extra bits, from the bits as they were before the entry was consumed. */
#define TACO__INFLATE_EXTRA(bits, e)                                                               \
    ((size_t)(((bits) & (((uint64_t)1 << TACO__INFLATE_TAKES(e)) - 1)) >> TACO__INFLATE_BITS(e)))

typedef enum taco__inflate_alphabet {
    TACO__INFLATE_LENS, /* lengths of codes */
    TACO__INFLATE_LITS, /* literals, lengths of matches and the end of the block */
    TACO__INFLATE_DISTS /* distances of matches */
} taco__inflate_alphabet;

/* The outcome of a symbol or a block. */
typedef enum taco__inflate_step {
    TACO__INFLATE_MORE,
    TACO__INFLATE_DONE,
    TACO__INFLATE_NEED_ROOM, /* nothing has moved */
    TACO__INFLATE_FAULT      /* s->what describes it, or too many bits were consumed */
} taco__inflate_step;

/* The entry of a symbol, without the bits of its code, §3.2.5. */
TACO__INLINE uint32_t taco__inflate_entry(taco__inflate_alphabet kind, unsigned symbol)
{
    if (kind == TACO__INFLATE_LENS) { return (uint32_t)symbol << 16; }
    if (kind == TACO__INFLATE_LITS) {
        if (symbol < 256) { return TACO__INFLATE_LITERAL | (uint32_t)symbol << 16; }
        if (symbol == 256 || symbol > 285) {
            return TACO__INFLATE_OTHER | (symbol == 256 ? TACO__INFLATE_END_OF_BLOCK : 0);
        }
        symbol -= 257;
        return (uint32_t)taco__flate_length_base(symbol) << 16 | taco__flate_length_extra(symbol);
    }
    if (symbol > 29) { return TACO__INFLATE_OTHER; }
    return (uint32_t)taco__flate_distance_base(symbol) << 16 | taco__flate_distance_extra(symbol);
}

/* The next code of len bits, with the bits in reverse: codes are given out in order, §3.2.2, but
   read from the highest bit on, while the input's first bit is the lowest. So this counts up from
   the top. */
TACO__INLINE unsigned taco__inflate_next_code(unsigned code, unsigned len)
{
    unsigned bit = 1U << (len - 1);
    while (code & bit) {
        bit >>= 1;
    }
    return bit ? (code & (bit - 1)) | bit : 0;
}

/* Counts the lengths and sorts the symbols by them. False if they are not a complete code, §3.2.7;
   a single code of one bit is accepted, as in zlib, because one distance is written that way. */
static bool taco__inflate_sort(taco__inflate_state *z, taco__inflate_alphabet kind,
                               const uint8_t *lens, unsigned n, unsigned counts[16])
{
    unsigned offsets[16], i, used = 0;
    uint32_t space = 0;
    memset(counts, 0, 16 * sizeof counts[0]);
    for (i = 0; i < n; i++) {
        counts[lens[i]]++;
    }
    for (i = 1; i < 16; i++) {
        offsets[i] = used;
        used += counts[i];
        space += (uint32_t)counts[i] << (15 - i);
    }
    z->found = space;
    z->bound = 1U << 15;
    if (space > z->bound ||
        (space < z->bound && (kind == TACO__INFLATE_LENS || used != counts[1]))) {
        return false;
    }
    for (i = 0; i < n; i++) {
        if (lens[i]) { z->sorted[offsets[lens[i]]++] = (uint16_t)i; }
    }
    return true;
}

/* Codes longer than `root` bits: whenever the first root bits change a subtable begins, just large
   enough for the codes that share them, which are next to each other in the order of codes. `code`
   and `symbol` are the first of these. False when there is no room in the table of `size`
   entries. */
static bool taco__inflate_subtables(taco__inflate_alphabet kind, uint32_t *table, unsigned size,
                                    unsigned root, const unsigned counts[16], unsigned code,
                                    const uint16_t *symbol)
{
    unsigned len, i, prefix = 1U << 15, sub = 0, start = 0, used = 1U << root;
    for (len = root + 1; len < 16; len++) {
        for (i = counts[len]; i; i--) {
            uint32_t entry = taco__inflate_entry(kind, *symbol++) + (len - root) * 0x101;
            unsigned at;
            if ((code & ((1U << root) - 1)) != prefix) {
                unsigned left, next = len;
                prefix = code & ((1U << root) - 1);
                sub = len - root;
                for (left = 1U << sub; left > (next == len ? i : counts[next]) && next < 15;
                     next++, sub++) {
                    left = (left - (next == len ? i : counts[next])) * 2;
                }
                start = used;
                used += 1U << sub;
                if (used > size) { return false; }
                table[prefix] =
                    TACO__INFLATE_OTHER | TACO__INFLATE_SUBTABLE | start << 16 | sub << 8 | root;
            }
            for (at = code >> root; at < 1U << sub; at += 1U << (len - root)) {
                table[start + at] = entry;
            }
            code = taco__inflate_next_code(code, len);
        }
    }
    return true;
}

/* Fills a table of `size` entries for n symbols with these code lengths. Returns its index bits,
   `root` or for literals fewer; 0 when the lengths are no code. What has no code takes one bit and
   is none of anything. */
static unsigned taco__inflate_table(taco__inflate_state *z, taco__inflate_alphabet kind,
                                    uint32_t *table, unsigned size, unsigned root,
                                    const uint8_t *lens, unsigned n)
{
    unsigned counts[16], len, code = 0, i;
    const uint16_t *symbol = z->sorted;
    if (!taco__inflate_sort(z, kind, lens, n, counts)) { return 0; }
    if (kind == TACO__INFLATE_LITS) { /* a small table is filled sooner */
        for (len = 15; len > 1 && !counts[len]; len--) {}
        root = TACO__MIN(root, len);
    }
    table[0] = table[1] = TACO__INFLATE_OTHER | 1;
    /* Codes of up to root bits: the table begins with 2 entries and doubles with every bit. */
    for (len = 1; len <= root; len++) {
        if (len > 1) { memcpy(table + (1U << (len - 1)), table, (sizeof *table) << (len - 1)); }
        for (i = counts[len]; i; i--) {
            table[code] = taco__inflate_entry(kind, *symbol++) + len * 0x101;
            code = taco__inflate_next_code(code, len);
        }
    }
    return taco__inflate_subtables(kind, table, size, root, counts, code, symbol) ? root : 0;
}

/* ---- bits ---- */

/* Notes what is wrong; found and bound are for the format's two %u. */
static TACO__COLD taco__inflate_step taco__inflate_set_error(taco__inflate_state *z,
                                                             const char *what, uint64_t found,
                                                             uint64_t bound)
{
    z->what = what;
    z->found = found;
    z->bound = bound;
    return TACO__INFLATE_FAULT;
}

/* True if bits were consumed that the input does not have. */
TACO__INLINE bool taco__inflate_overrun(const taco__inflate_state *z)
{
    return z->count < 8 * z->past;
}

/* Reads until there are at least 56 bits, enough for any length with its distance: 15 + 5 + 15 +
   13. */
TACO__INLINE void taco__inflate_fill(taco__inflate_state *z)
{
    if (z->end - z->ip >= 8) {
        z->bits |= taco__load_le64(z->ip) << z->count;
        z->ip += (63 - z->count) >> 3;
        z->count |= 56;
        return;
    }
    for (; z->count < 56; z->count += 8) {
        if (z->ip < z->end) {
            z->bits |= (uint64_t)*z->ip++ << z->count;
        } else {
            z->past++;
        }
    }
}

/* Consumes the next n <= 16 bits. */
TACO__INLINE unsigned taco__inflate_take(taco__inflate_state *z, unsigned n)
{
    unsigned x;
    if (z->count < n) { taco__inflate_fill(z); }
    x = (unsigned)z->bits & ((1U << n) - 1);
    z->bits >>= n;
    z->count -= n;
    return x;
}

/* Drops the bits up to the next byte and gives back the bytes that were read too far. False when
   the input was too short. */
static bool taco__inflate_align(taco__inflate_state *z)
{
    bool ok = !taco__inflate_overrun(z);
    unsigned bytes = z->count >> 3;
    if (ok) {
        z->ip -= bytes - z->past;
        z->bits = 0;
        z->count = z->past = 0;
    }
    return ok;
}

/* ---- symbols ---- */

#define TACO__INFLATE_DROP(e)                                                                      \
    do {                                                                                           \
        bits >>= TACO__INFLATE_TAKES(e);                                                           \
        count -= (e);                                                                              \
    } while (0)

#ifndef TACO_SMALL
/* A round of the fast loop reads at most 2 * 7 + 8 bytes, and writes 2 literals and a match of
   258. */
#define TACO__INFLATE_IN_MARGIN  32
#define TACO__INFLATE_OUT_MARGIN (2 + 258)

/* The fast loop keeps bits, count, ip and mask in locals. Of count only the low 6 bits count, so
   that whole entries are subtracted from it. The two lowest of `bits` are ones that were consumed
   already: a look-up then only has to mask what comes next, and has the place in the table in
   bytes, which many processors load from a cycle sooner than from a number of entries; every symbol
   waits for that. A refill leaves 62 bits that are right, though it counts 54 to 61 of them: enough
   for a length and a distance (20 + 28) and to look up what follows before the next refill, or for
   two literals and that. So no refill comes between two look-ups that depend on each other. */
#define TACO__INFLATE_REFILL()                                                                     \
    do {                                                                                           \
        bits |= taco__load_le64(ip) << (count & 63);                                               \
        ip += 7 - (count >> 3 & 7);                                                                \
        count |= 56;                                                                               \
    } while (0)
#define TACO__INFLATE_LOOK(table, mask)                                                            \
    (*(const uint32_t *)(const void *)((const uint8_t *)(table) + (size_t)(bits & (mask))))
#define TACO__INFLATE_SUB(table, e)                                                                \
    ((table)[TACO__INFLATE_VALUE(e) + (bits >> 2 & ((1U << TACO__INFLATE_BITS(e)) - 1))])

/* Decodes symbols while the margins hold: MORE when they end, DONE at the end of the block. */
TACO__INLINE taco__inflate_step taco__inflate_symbols(taco__inflate_state *z)
{
    const uint32_t *lits = z->lits, *dists = z->dists;
    const uint8_t *ip = z->ip, *end = z->end;
    uint8_t *op = z->out.op, *stop = z->out.stop, *history = z->out.buf->data + z->history;
    uint64_t bits = z->bits << 2, mask = (((uint64_t)1 << z->root) - 1) << 2, was;
    uint32_t count = z->count + 2, e, d;
    size_t len, distance;
    taco__inflate_step step = TACO__INFLATE_MORE;
    if (end - ip < TACO__INFLATE_IN_MARGIN || stop - op < TACO__INFLATE_OUT_MARGIN || z->past) {
        return step;
    }
    if (count >= 56) { /* no room for the two bits more: the last byte is read again */
        count -= 8;
        ip--;
    }
    TACO__INFLATE_REFILL();
    e = TACO__INFLATE_LOOK(lits, mask);
    do {
        TACO__INFLATE_REFILL();
        if (e & TACO__INFLATE_LITERAL) {
            TACO__INFLATE_DROP(e);
            *op++ = (uint8_t)(e >> 16);
            e = TACO__INFLATE_LOOK(lits, mask);
            if (e & TACO__INFLATE_LITERAL) {
                TACO__INFLATE_DROP(e);
                *op++ = (uint8_t)(e >> 16);
                e = TACO__INFLATE_LOOK(lits, mask);
                if (e & TACO__INFLATE_LITERAL) {
                    TACO__INFLATE_DROP(e);
                    *op++ = (uint8_t)(e >> 16);
                    e = TACO__INFLATE_LOOK(lits, mask);
                    continue;
                }
            }
            TACO__INFLATE_REFILL();
        }
        was = bits;
        TACO__INFLATE_DROP(e);
        if (TACO__UNLIKELY(e & TACO__INFLATE_OTHER)) {
            if (e & TACO__INFLATE_SUBTABLE) {
                e = TACO__INFLATE_SUB(lits, e);
                was = bits;
                TACO__INFLATE_DROP(e);
                if (e & TACO__INFLATE_LITERAL) {
                    *op++ = (uint8_t)(e >> 16);
                    e = TACO__INFLATE_LOOK(lits, mask);
                    continue;
                }
            }
            if (e & TACO__INFLATE_OTHER) {
                step = e & TACO__INFLATE_END_OF_BLOCK
                           ? TACO__INFLATE_DONE
                           : taco__inflate_set_error(z, "unassigned DEFLATE code", 0, 0);
                break;
            }
        }
        len = TACO__INFLATE_VALUE(e) + TACO__INFLATE_EXTRA(was >> 2, e);
        d = TACO__INFLATE_LOOK(dists, ((1U << TACO__INFLATE_DIST_ROOT) - 1) << 2);
        if (TACO__UNLIKELY(d & TACO__INFLATE_OTHER)) {
            if (d & TACO__INFLATE_SUBTABLE) {
                TACO__INFLATE_DROP(d);
                d = TACO__INFLATE_SUB(dists, d);
            }
            if (d & TACO__INFLATE_OTHER) {
                step = taco__inflate_set_error(z, "unassigned DEFLATE distance code", 0, 0);
                break;
            }
        }
        distance = TACO__INFLATE_VALUE(d) + TACO__INFLATE_EXTRA(bits >> 2, d);
        TACO__INFLATE_DROP(d);
        if (TACO__UNLIKELY(distance > (size_t)(op - history))) {
            step =
                taco__inflate_set_error(z, "DEFLATE match from %u bytes back, %u bytes are decoded",
                                        distance, TACO__U(op - history));
            break;
        }
        e = TACO__INFLATE_LOOK(lits, mask);
        taco__lz_copy_match(op, distance, len);
        op += len;
    } while (end - ip >= TACO__INFLATE_IN_MARGIN && stop - op >= TACO__INFLATE_OUT_MARGIN);
    z->ip = ip;
    z->bits = bits >> 2;
    z->count = (count & 63) - 2;
    z->out.op = op;
    return step;
}

static TACO__NOINLINE taco__inflate_step taco__inflate_fast(taco__inflate_state *z)
{
    return taco__inflate_symbols(z);
}
#if TACO__X86
static TACO__NOINLINE TACO__TARGET("bmi2") taco__inflate_step
    taco__inflate_fast_bmi2(taco__inflate_state *z)
{
    return taco__inflate_symbols(z);
}
#endif
#endif

/* Decodes one symbol with every check. */
static taco__inflate_step taco__inflate_symbol(taco__inflate_state *z)
{
    uint64_t bits, was;
    uint32_t count, e, d;
    size_t len = 1, distance = 0, left = (size_t)(z->out.stop - z->out.op);
    size_t done = (size_t)(z->out.op - (z->out.buf->data + z->history));
    taco__inflate_step step = TACO__INFLATE_MORE;
    taco__inflate_fill(z);
    was = bits = z->bits;
    count = z->count;
    e = z->lits[bits & (((uint64_t)1 << z->root) - 1)];
    if ((e & TACO__INFLATE_OTHER) && (e & TACO__INFLATE_SUBTABLE)) {
        TACO__INFLATE_DROP(e);
        was = bits;
        e = z->lits[TACO__INFLATE_VALUE(e) + (bits & ((1U << TACO__INFLATE_BITS(e)) - 1))];
    }
    TACO__INFLATE_DROP(e);
    if (!(e & TACO__INFLATE_LITERAL) && (e & TACO__INFLATE_OTHER)) {
        step = e & TACO__INFLATE_END_OF_BLOCK
                   ? TACO__INFLATE_DONE
                   : taco__inflate_set_error(z, "unassigned DEFLATE code", 0, 0);
    } else if (!(e & TACO__INFLATE_LITERAL)) {
        len = TACO__INFLATE_VALUE(e) + TACO__INFLATE_EXTRA(was, e);
        d = z->dists[bits & ((1U << TACO__INFLATE_DIST_ROOT) - 1)];
        if ((d & TACO__INFLATE_OTHER) && (d & TACO__INFLATE_SUBTABLE)) {
            TACO__INFLATE_DROP(d);
            d = z->dists[TACO__INFLATE_VALUE(d) + (bits & ((1U << TACO__INFLATE_BITS(d)) - 1))];
        }
        distance = TACO__INFLATE_VALUE(d) + TACO__INFLATE_EXTRA(bits, d);
        TACO__INFLATE_DROP(d);
        if (d & TACO__INFLATE_OTHER) {
            step = taco__inflate_set_error(z, "unassigned DEFLATE distance code", 0, 0);
        } else if (distance > done) {
            step = taco__inflate_set_error(
                z, "DEFLATE match from %u bytes back, %u bytes are decoded", distance, done);
        }
    }
    count &= 63;
    if (count < 8 * z->past) { /* whatever it was, it was not in the input */
        z->count = count;
        return TACO__INFLATE_FAULT;
    }
    if (step == TACO__INFLATE_FAULT) { return step; }
    if (step == TACO__INFLATE_MORE) {
        if (len > left) {
            z->need = len;
            return TACO__INFLATE_NEED_ROOM;
        }
        if (distance) {
            taco__lz_copy_match(z->out.op, distance, len);
        } else {
            *z->out.op = (uint8_t)(e >> 16);
        }
        z->out.op += len;
    }
    z->bits = bits;
    z->count = count;
    return step;
}

/* ---- blocks ---- */

/* A stored block, §3.2.4: at a byte, its length, the complement of that, its bytes. `past` of 8
   bytes makes input that ends too early an overrun. */
static taco__inflate_step taco__inflate_stored(taco__inflate_state *z, taco_error *err,
                                               taco_status *status)
{
    size_t len;
    if (!taco__inflate_align(z) || z->end - z->ip < 4) {
        z->past = 8;
        return TACO__INFLATE_FAULT;
    }
    len = taco__load_le16(z->ip);
    if ((len ^ taco__load_le16(z->ip + 2)) != 0xFFFF) {
        return taco__inflate_set_error(
            z, "DEFLATE stored block of %u bytes, the complement of its length says %u", len,
            taco__load_le16(z->ip + 2) ^ 0xFFFFU);
    }
    z->ip += 4;
    if (len > (size_t)(z->end - z->ip)) {
        z->past = 8;
        return TACO__INFLATE_FAULT;
    }
    if (len > (size_t)(z->out.stop - z->out.op)) {
        *status = taco__lz_output_grow(&z->out, len, (size_t)(z->end - z->ip) * 2,
                                       (uint64_t)(z->ip - z->start), err);
        if (*status != TACO_OK) { return TACO__INFLATE_FAULT; }
    }
    memcpy(z->out.op, z->ip, len);
    z->out.op += len;
    z->ip += len;
    return TACO__INFLATE_DONE;
}

/* Makes the tables of the fixed codes, §3.2.6, unless they are those of the block before. */
static void taco__inflate_fixed(taco__inflate_state *z)
{
    if (!z->fixed) {
        memset(z->lens, 8, 144);
        memset(z->lens + 144, 9, 112);
        memset(z->lens + 256, 7, 24);
        memset(z->lens + 280, 8, 8);
        memset(z->lens + 288, 5, 32);
        z->root = taco__inflate_table(z, TACO__INFLATE_LITS, z->lits, TACO__INFLATE_SIZE,
                                      TACO__INFLATE_ROOT, z->lens, 288);
        (void)taco__inflate_table(z, TACO__INFLATE_DISTS, z->dists, TACO__INFLATE_DIST_SIZE,
                                  TACO__INFLATE_DIST_ROOT, z->lens + 288, 32);
        z->fixed = true;
    }
}

/* Reads the n code lengths of a dynamic block, §3.2.7, into z->lens; the table of their own code is
   in z->dists, which is not in use yet. 16 repeats the length before, 17 and 18 are runs of
   zeros. */
static taco__inflate_step taco__inflate_lengths(taco__inflate_state *z, unsigned n)
{
    unsigned i = 0;
    while (i < n) {
        uint32_t e;
        unsigned symbol, repeat, value = 0;
        if (z->count < 14) { taco__inflate_fill(z); }
        e = z->dists[z->bits & ((1U << TACO__INFLATE_LENS_ROOT) - 1)];
        z->bits >>= TACO__INFLATE_TAKES(e);
        z->count -= TACO__INFLATE_TAKES(e);
        symbol = TACO__INFLATE_VALUE(e);
        if (symbol < 16) {
            z->lens[i++] = (uint8_t)symbol;
            continue;
        }
        if (symbol == 16) {
            if (i == 0) {
                return taco__inflate_set_error(
                    z, "DEFLATE code length repeats one before the first", 0, 0);
            }
            value = z->lens[i - 1];
            repeat = 3 + taco__inflate_take(z, 2);
        } else {
            repeat = symbol == 17 ? 3 + taco__inflate_take(z, 3) : 11 + taco__inflate_take(z, 7);
        }
        if (repeat > n - i) {
            return taco__inflate_set_error(
                z, "DEFLATE code length repeats %u times, %u lengths are left", repeat, n - i);
        }
        memset(z->lens + i, (int)value, repeat);
        i += repeat;
    }
    return TACO__INFLATE_MORE;
}

/* Makes the tables of a dynamic block, §3.2.7: three counts, the lengths of the code of lengths,
   the lengths of both alphabets. */
static taco__inflate_step taco__inflate_dynamic(taco__inflate_state *z)
{
    uint8_t lens[19] = {0};
    unsigned lits = 257 + taco__inflate_take(z, 5), dists = 1 + taco__inflate_take(z, 5);
    unsigned n = 4 + taco__inflate_take(z, 4), i;
    taco__inflate_step step;
    z->fixed = false;
    if (lits > 286) {
        return taco__inflate_set_error(
            z, "DEFLATE block with %u literal and length codes, the most is %u", lits, 286);
    }
    if (dists > 30) {
        return taco__inflate_set_error(z, "DEFLATE block with %u distance codes, the most is %u",
                                       dists, 30);
    }
    for (i = 0; i < n; i++) {
        lens[taco__flate_length_order(i)] = (uint8_t)taco__inflate_take(z, 3);
    }
    if (!taco__inflate_table(z, TACO__INFLATE_LENS, z->dists, TACO__INFLATE_DIST_SIZE,
                             TACO__INFLATE_LENS_ROOT, lens, 19)) {
        z->what = "DEFLATE code lengths are coded with %u parts of %u";
        return TACO__INFLATE_FAULT;
    }
    step = taco__inflate_lengths(z, lits + dists);
    if (step != TACO__INFLATE_MORE || taco__inflate_overrun(z)) { return TACO__INFLATE_FAULT; }
    if (!z->lens[256]) {
        return taco__inflate_set_error(z, "DEFLATE block without a code for its end", 0, 0);
    }
    z->root = taco__inflate_table(z, TACO__INFLATE_LITS, z->lits, TACO__INFLATE_SIZE,
                                  TACO__INFLATE_ROOT, z->lens, lits);
    if (!z->root) {
        z->what = "DEFLATE literals are coded with %u parts of %u";
        return TACO__INFLATE_FAULT;
    }
    if (!taco__inflate_table(z, TACO__INFLATE_DISTS, z->dists, TACO__INFLATE_DIST_SIZE,
                             TACO__INFLATE_DIST_ROOT, z->lens + lits, dists)) {
        z->what = "DEFLATE distances are coded with %u parts of %u";
        return TACO__INFLATE_FAULT;
    }
    return TACO__INFLATE_MORE;
}

/* Decodes the symbols of a block whose tables are made. */
static taco__inflate_step taco__inflate_block(taco__inflate_state *z, taco_error *err,
                                              taco_status *status)
{
    for (;;) {
        taco__inflate_step step = TACO__INFLATE_MORE;
#if defined(TACO_SMALL)
        /* symbol by symbol */
#elif TACO__X86
        step = z->bmi2 ? taco__inflate_fast_bmi2(z) : taco__inflate_fast(z);
#else
        step = taco__inflate_fast(z);
#endif
        if (step == TACO__INFLATE_MORE) { step = taco__inflate_symbol(z); }
        if (step == TACO__INFLATE_NEED_ROOM) { /* and what the rest makes at an ordinary ratio */
            size_t left = (size_t)(z->end - z->ip);
            *status = taco__lz_output_grow(&z->out, z->need, left * 4 + 512,
                                           (uint64_t)(z->ip - z->start), err);
            if (*status != TACO_OK) { return TACO__INFLATE_FAULT; }
        } else if (step != TACO__INFLATE_MORE) {
            return step;
        }
    }
}

/* Fails at the byte with the next bits: those of the bad symbol, or in the fast loop those after
   it. */
static TACO__COLD taco_status taco__inflate_fail(taco__inflate_state *z, taco_error *err)
{
    uint64_t at = (uint64_t)(z->ip - z->start);
    if (taco__inflate_overrun(z)) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, TACO__U(z->end - z->start),
                          "DEFLATE data ends inside a block");
    }
    at -= (z->count + 7) / 8 - z->past;
    return TACO__FAIL(err, TACO_ERR_CORRUPT, at, z->what, z->found, z->bound);
}

/* Decodes blocks up to the last one of the stream, and leaves z->ip after it. */
static taco_status taco__inflate_run(taco__inflate_state *z, taco_error *err)
{
    taco__inflate_step step;
    taco_status status = TACO_OK;
    unsigned last, type;
    z->history = (size_t)(z->out.op - z->out.buf->data);
    z->bits = 0;
    z->count = z->past = 0;
    do {
        last = taco__inflate_take(z, 1);
        type = taco__inflate_take(z, 2);
        if (type == 0) {
            step = taco__inflate_stored(z, err, &status);
        } else if (taco__inflate_overrun(z)) {
            step = TACO__INFLATE_FAULT;
        } else if (type == 3) {
            step = taco__inflate_set_error(z, "DEFLATE block of type 3", 0, 0);
        } else {
            step = TACO__INFLATE_MORE;
            if (type == 1) {
                taco__inflate_fixed(z);
            } else {
                step = taco__inflate_dynamic(z);
            }
            if (step == TACO__INFLATE_MORE) { step = taco__inflate_block(z, err, &status); }
        }
        if (step == TACO__INFLATE_FAULT) {
            return status != TACO_OK ? status : taco__inflate_fail(z, err);
        }
    } while (!last);
    return taco__inflate_align(z) ? TACO_OK : taco__inflate_fail(z, err);
}

/* Begins a stream with the state of the call round it. */
static void taco__inflate_begin(taco__inflate_state *s, const taco__inflater *z)
{
    s->out = z->out;
    s->start = z->start;
    s->ip = z->ip;
    s->end = z->end;
    s->fixed = false;
#if TACO__X86
    s->bmi2 = TACO__CPU_HAS("bmi2");
#else
    s->bmi2 = false;
#endif
}

/* Decodes the DEFLATE data at z->ip, and leaves z->ip after it. */
TACO__FN taco_status taco__inflate_stream(taco__inflater *z, taco_error *err)
{
    taco__mem *mem = z->out.buf->mem;
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__inflate_state *s = (taco__inflate_state *)taco__mem_alloc(mem, sizeof *s, &own);
    taco_status status;
    if (!s) {
        taco__error_copy(err, &own);
        return own.code;
    }
    taco__inflate_begin(s, z);
    status = taco__inflate_run(s, err);
    z->out = s->out;
    z->ip = s->ip;
    taco__mem_free(mem, s, sizeof *s);
    return status;
}
#endif

/* Begins a call: `in` is decoded to the end of out, at most limit bytes. */
TACO__FN taco_status taco__inflate_init(taco__inflater *z, taco_bytes in, taco__buf *out,
                                        size_t limit, taco_error *err)
{
    z->start = z->ip = in.data;
    z->end = in.len ? in.data + in.len : in.data;
    return taco__lz_output_init(&z->out, out, 0, limit, err);
}

/* Appends the uncompressed bytes of raw DEFLATE data, at most limit, to out. On failure the length
   of out is unchanged. Bytes after the end of the data are ignored, as in zlib's own tools. */
TACO__FN taco_status taco__inflate(taco_bytes in, taco__buf *out, size_t limit, taco_error *err)
{
    taco__inflater z;
    taco_status status = taco__inflate_init(&z, in, out, limit, err);
    if (status == TACO_OK) { status = taco__inflate_stream(&z, err); }
    if (status == TACO_OK) { taco__lz_output_finish(&z.out); }
    return status;
}
