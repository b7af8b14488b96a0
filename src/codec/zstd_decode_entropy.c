/* zstd_decode_entropy.c - bit streams, finite state tables and Huffman codes of ZSTD

   Finite state tables (RFC 8878 §4.1.1): taco__zstd_fse_read_counts reads a description,
   taco__zstd_fse_build makes the table of cells. Huffman codes (§4.2): taco__zstd_huf_read reads a
   tree, whose weights may themselves be packed by a finite state code, and makes a table by the
   next 11 bits; taco__zstd_huf4_streams decodes the four streams of a section of literals side by
   side. All streams are read backward: taco__zstd_bits in zstd.h. Failures are returned, and
   reported by zstd_decode.c. Start with taco__zstd_huf4_streams. */
#include "zstd.h"

#ifndef TACO_PARQUET_ZSTD_DECOMPRESS

/* ---- bits and finite state tables, §4.1 ---- */

/* The stream ends with a 1 bit followed by zeros up to a whole byte. False if that bit is not in
   the last byte. */
TACO__FN bool taco__zstd_bits_init(taco__zstd_bits *b, const uint8_t *data, size_t len)
{
    size_t i;
    if (len == 0 || data[len - 1] == 0) { return false; }
    b->data = data;
    b->pos = (len - 1) * 8 + taco__zstd_top_bit(data[len - 1]);
    b->low = 0;
    for (i = 0; i < len && i < 8; i++) {
        b->low |= (uint64_t)data[i] << (8 * i);
    }
    return true;
}

/* Up to 25 bits at bit pos of a forward stream; zeros after its end. */
static uint32_t taco__zstd_fse_peek(const uint8_t *p, size_t len, size_t pos)
{
    size_t i = pos >> 3, k;
    uint32_t x = 0;
    for (k = 0; k < 4 && i + k < len; k++) {
        x |= (uint32_t)p[i + k] << (8 * k);
    }
    return x >> (pos & 7);
}

/* Reads the description of a table: the counts of symbols 0, 1, ... until all cells are assigned.
   Returns its size in bytes, or 0 if it is invalid for max_symbols and max_log. */
TACO__FN size_t taco__zstd_fse_read_counts(taco__zstd_fse_counts *c, const uint8_t *p, size_t len,
                                           unsigned max_symbols, unsigned max_log)
{
    size_t pos = 4;
    unsigned left, s = 0;
    if (len == 0) { return 0; }
    c->log = 5 + (p[0] & 15U);
    if (c->log > max_log) { return 0; }
    for (left = 1U << c->log; left && s < max_symbols;) {
        /* The next number is 0 ... left + 1, for counts from -1. It has `width` bits, but since
           these could represent more, the lowest `spare` numbers omit the highest bit. */
        unsigned width = taco__zstd_top_bit(left + 1) + 1,
                 x = taco__zstd_fse_peek(p, len, pos) & ((1U << width) - 1);
        unsigned spare = (1U << width) - 2 - left, half = 1U << (width - 1);
        if ((x & (half - 1)) < spare) {
            x &= half - 1;
            width--;
        } else if (x >= half) {
            x -= spare;
        }
        pos += width;
        c->n[s++] = (int16_t)((int)x - 1);
        left -= x == 0 ? 1 : x - 1;
        while (x == 1) { /* pairs of bits count further zeros; 3 continues */
            unsigned zeros = taco__zstd_fse_peek(p, len, pos) & 3;
            pos += 2;
            for (x = zeros == 3; zeros && s < max_symbols; zeros--) {
                c->n[s++] = 0;
            }
            if (zeros || pos > len * 8) { return 0; }
        }
    }
    c->symbols = s;
    return left || (pos + 7) / 8 > len ? 0 : (pos + 7) / 8;
}

/* Spreads the symbols over the states, by the walk that §4.1.1 prescribes: the rare symbols take
   cells from the end, the others step through the rest. Symbol s stands for base[s] and extra[s]
   further bits. Of a symbol's cells, in order, each leads to a range of states as wide as a power
   of two; together the ranges cover all the states. The counts add up to the size, so that the
   walk fills every cell. */
TACO__FN void taco__zstd_fse_build(taco__zstd_fse_cell *cell, const taco__zstd_fse_counts *c,
                                   const uint32_t *base, const uint8_t *extra)
{
    uint16_t next[256];
    uint8_t symbol[512], spread[512 + 8]; /* by state; in the order of the walk */
    unsigned size = 1U << c->log, high = size, pos = 0, step = (size >> 1) + (size >> 3) + 3, s, i;
    int k;
    for (s = i = 0; s < c->symbols; s++) {
        const uint64_t eight = s * UINT64_C(0x0101010101010101);
        next[s] = (uint16_t)(c->n[s] < 0 ? 1 : c->n[s]);
        for (k = 0; k < c->n[s]; k += 8) { /* up to 7 too many */
            taco__put_le64(spread + i + (unsigned)k, eight);
        }
        high -= c->n[s] < 0;
        i += c->n[s] < 0 ? 0 : (unsigned)c->n[s];
    }
    spread[i] = 0; /* read, but not used */
    /* The walk visits every state once. Those of the rare symbols use nothing up, and are set after
       it: no branch. */
    for (i = s = 0; i < size; i++) {
        symbol[pos] = spread[s];
        s += pos < high;
        pos = (pos + step) & (size - 1);
    }
    for (s = 0, i = size; s < c->symbols; s++) {
        if (c->n[s] < 0) { symbol[--i] = (uint8_t)s; }
    }
    for (i = 0; i < size; i++) {
        unsigned x = next[symbol[i]]++, bits = c->log - taco__zstd_top_bit(x);
        cell[i].base = base[symbol[i]];
        cell[i].extra = extra[symbol[i]];
        cell[i].bits = (uint8_t)bits;
        cell[i].next = (int16_t)((int)(x << bits) - (int)(size + i));
    }
}

/* ---- Huffman codes, §4.2 ---- */

/* Reads the table at the beginning of packed weights, and makes its cells, with weights as values.
   Returns the size of the description, 0 if it is invalid. */
static size_t taco__zstd_huf_weight_table(taco__zstd_fse_cell cell[64], unsigned *log,
                                          const uint8_t *p, size_t len)
{
    static const uint8_t no_extra[13] = {0};
    taco__zstd_fse_counts c;
    uint32_t value[13];
    unsigned n;
    size_t head = taco__zstd_fse_read_counts(&c, p, len, 13, 6);
    if (!head) { return 0; }
    for (n = 0; n < 13; n++) {
        value[n] = n;
    }
    taco__zstd_fse_build(cell, &c, value, no_extra);
    *log = c.log;
    return head;
}

/* Weights packed by a finite state code with two states that take turns, §4.2.1.2. It ends where
   too few bits are left for a state: no count is stored. Returns how many, 0 on failure; `weights`
   has room for 255. */
static unsigned taco__zstd_huf_packed_weights(uint8_t *weights, const uint8_t *p, size_t len)
{
    uint32_t state[2] = {0, 0}, step;
    taco__zstd_fse_cell cell[64];
    taco__zstd_bits b;
    unsigned n = 0, log = 0;
    size_t head = taco__zstd_huf_weight_table(cell, &log, p, len);
    if (!head || !taco__zstd_bits_init(&b, p + head, len - head) ||
        !taco__zstd_bits_read(&b, log, &state[0]) || !taco__zstd_bits_read(&b, log, &state[1])) {
        return 0;
    }
#ifndef TACO_SMALL
    while (b.pos >= 64 && n < 254 - 8) { /* eight steps of up to 6 bits in one word */
        uint64_t x = taco__zstd_bits_peek(&b);
        unsigned k;
        for (k = 0; k < 8; k++) {
            const taco__zstd_fse_cell *now = &cell[state[k & 1]];
            weights[n++] = (uint8_t)now->base;
            state[k & 1] =
                (uint32_t)((int)state[k & 1] + now->next + (int)(x >> 1 >> (63 - now->bits)));
            x <<= now->bits;
            b.pos -= now->bits;
        }
    }
#endif
    for (; n < 254; n++) {
        const taco__zstd_fse_cell *now = &cell[state[n & 1]];
        weights[n] = (uint8_t)now->base;
        if (!taco__zstd_bits_read(&b, now->bits, &step)) {
            /* the other state has one more weight */
            weights[n + 1] = (uint8_t)cell[state[~n & 1]].base;
            return n + 2;
        }
        state[n & 1] = (uint32_t)((int)(state[n & 1] + step) + now->next);
    }
    return 0;
}

/* Reads the weights of a Huffman tree, §4.2.1.1: *n of them, all but the last, which follows from
   the others. Returns their size in bytes, 0 on failure. */
static size_t taco__zstd_huf_weights(uint8_t *weights, unsigned *n, const uint8_t *p, size_t len)
{
    size_t size;
    unsigned i;
    if (len == 0) { return 0; }
    if (p[0] < 128) { /* a number of bytes, packed */
        size = p[0];
        if (size >= len) { return 0; }
        *n = taco__zstd_huf_packed_weights(weights, p + 1, size);
        return *n ? size + 1 : 0;
    }
    *n = p[0] - 127U; /* a number of weights, four bits each */
    size = (*n + 1) / 2;
    if (size >= len) { return 0; }
    for (i = 0; i < *n; i++) {
        weights[i] = (uint8_t)(i & 1 ? p[1 + i / 2] & 15 : p[1 + i / 2] >> 4);
    }
    return size + 1;
}

/* Adds the last weight to the *n present ones, counts all by weight, and returns the length of the
   longest code, 0 if they are not the weights of a tree. The omitted weight makes the sum a power
   of two, and must itself be a weight, §4.2.1.1. */
static unsigned taco__zstd_huf_complete(uint8_t *weights, unsigned *n,
                                        unsigned count[TACO__ZSTD_HUF_MAX_BITS + 2])
{
    uint32_t sum = 0, rest;
    unsigned i, log;
    for (i = 0; i < *n; i++) {
        if (weights[i] > TACO__ZSTD_HUF_MAX_BITS) { return 0; }
        count[weights[i]]++;
        sum += (1U << weights[i]) >> 1;
    }
    log = sum ? taco__zstd_top_bit(sum) + 1 : 0;
    rest = (1U << log) - sum;
    if (!sum || log > TACO__ZSTD_HUF_MAX_BITS || (rest & (rest - 1))) { return 0; }
    weights[*n] = (uint8_t)(taco__zstd_top_bit(rest) + 1);
    count[weights[(*n)++]]++;
    return count[1] < 2 ? 0 : log; /* a full tree has a pair of longest codes */
}

/* Fills z->huf from symbols ordered by weight, of which order[0..count[0]) have no code. */
static void taco__zstd_huf_fill(taco__zstd_decoder *z, const uint8_t *order, const unsigned *count,
                                unsigned log)
{
    unsigned i, at = count[0];
    uint8_t *to = z->huf;
    for (i = 1; i <= log; i++) {
        const uint64_t lens = (log + 1 - i) * UINT64_C(0x0101010101010101);
        unsigned span = 1U << (i - 1 + TACO__ZSTD_HUF_MAX_BITS - log), end = at + count[i], k;
        for (; at < end; at++, to += span) {
            const uint64_t symbols = order[at] * UINT64_C(0x0101010101010101);
            for (k = 0; k < span; k += 8) { /* the next symbol overwrites the excess */
                taco__put_le64(to + k, lens);
                taco__put_le64(to + k + TACO__ZSTD_HUF_SYMBOL, symbols);
            }
        }
    }
}

/* Reads a tree into z->huf; returns the size of its description, 0 if it is invalid. Weight w means
   a code of log + 1 - w bits, 0 no code, §4.2.1.3. Codes are given out from the longest, by symbol,
   so that the table simply fills from its start. It is always for 11 bits, whatever the longest
   code has, which keeps the decoding loop to one shift. */
TACO__FN size_t taco__zstd_huf_read(taco__zstd_decoder *z, const uint8_t *p, size_t len)
{
    uint8_t weights[256], order[256];
    unsigned start[TACO__ZSTD_HUF_MAX_BITS + 2] = {0}, count[TACO__ZSTD_HUF_MAX_BITS + 2] = {0};
    unsigned n, i, log, at;
    size_t size = taco__zstd_huf_weights(weights, &n, p, len);
    if (!size) { return 0; }
    log = taco__zstd_huf_complete(weights, &n, count);
    if (!log) { return 0; }
    for (i = 1, at = count[0]; i <= log; i++) {
        start[i] = at;
        at += count[i];
    }
    for (i = 0; i < n; i++) {
        order[start[weights[i]]++] = (uint8_t)i;
    }
    taco__zstd_huf_fill(z, order, count, log);
    z->huf_ready = true;
    return size;
}

/* ---- literals in Huffman codes, §4.2.2 ---- */

/* Decodes the symbols of one stream into [to, end), checking each. The stream must end with the
   last of them, not before and not after, §4.2.2. */
TACO__FN bool taco__zstd_huf_decode_rest(const uint8_t *table, taco__zstd_bits *b, uint8_t *to,
                                         uint8_t *end)
{
    while (to < end) {
        uint64_t x = taco__zstd_bits_peek(b);
        unsigned i;
        for (i = 0; i < 5 && to < end; i++) { /* 5 codes of 11 bits fit the 56 that are there */
            const uint8_t *code = table + (size_t)(x >> (64 - TACO__ZSTD_HUF_MAX_BITS));
            unsigned n = code[0];
            if (n > b->pos) { return false; }
            x <<= n;
            b->pos -= n;
            *to++ = code[TACO__ZSTD_HUF_SYMBOL];
        }
    }
    return b->pos == 0;
}

/* The four streams of a literals section: for each, its bits, the address of the word it has in a
   register, and where its symbols go. */
typedef struct taco__zstd_huf4 {
    const uint8_t *table;
    taco__zstd_bits b[4];
    const uint8_t *at[4];
    /* 64 - TACO__ZSTD_HUF_MAX_BITS: as a variable, an instruction less on x86 */
    unsigned shift;
    uint8_t *to[4], *end[4];
} taco__zstd_huf4;

#ifndef TACO_SMALL
/* One symbol of stream k. Lengths and symbols are bytes apart: a load from an index that is not
   scaled comes a cycle sooner on many processors, and the next symbol waits for the length. */
#define TACO__ZSTD_HUF_STEP(k, i)                                                                  \
    code = (size_t)(x##k >> shift);                                                                \
    x##k <<= table[code] & 63;                                                                     \
    to##k[i] = table[code + TACO__ZSTD_HUF_SYMBOL];
/* Two symbols of each stream: all streams are near enough for the processor to see them at once,
   and stores to one cache line come together. */
#define TACO__ZSTD_HUF_TWO(i)                                                                      \
    TACO__ZSTD_HUF_STEP(0, i)                                                                      \
    TACO__ZSTD_HUF_STEP(0, (i) + 1)                                                                \
    TACO__ZSTD_HUF_STEP(1, i)                                                                      \
    TACO__ZSTD_HUF_STEP(1, (i) + 1)                                                                \
    TACO__ZSTD_HUF_STEP(2, i)                                                                      \
    TACO__ZSTD_HUF_STEP(2, (i) + 1)                                                                \
    TACO__ZSTD_HUF_STEP(3, i)                                                                      \
    TACO__ZSTD_HUF_STEP(3, (i) + 1)
/* The fifth of stream k, and its next word. */
#define TACO__ZSTD_HUF_FIFTH(k)                                                                    \
    TACO__ZSTD_HUF_STEP(k, 4)                                                                      \
    TACO__ZSTD_HUF_LOAD(k)
/* The word of a stream has its next bits at the top. Bit 0, which no step of five symbols reaches,
   is always set; it moves up as bits are read, and its place says how many were. The addresses
   stay in memory, where their latency does no harm: there are not enough registers for all. */
#define TACO__ZSTD_HUF_LOAD(k)                                                                     \
    read = taco__plat_ctz64(x##k);                                                                 \
    at = h->at[k] - (read >> 3);                                                                   \
    x##k = (taco__load_le64(at) | 1) << (read & 7);                                                \
    h->at[k] = at;                                                                                 \
    to##k += 5;
#define TACO__ZSTD_HUF_OPEN(k)                                                                     \
    h->at[k] = h->b[k].data + (h->b[k].pos >> 3) - 7;                                              \
    x##k = (taco__load_le64(h->at[k]) | 1) << (8 - (h->b[k].pos & 7));
#define TACO__ZSTD_HUF_CLOSE(k)                                                                    \
    h->to[k] = to##k;                                                                              \
    h->b[k].pos = (size_t)(h->at[k] - h->b[k].data) * 8 + 64 - taco__plat_ctz64(x##k);

/* Decodes all four streams in turn, while none of them can end: five symbols read up to 55 bits,
   which with the up to 8 read before moves a stream by up to 7 bytes. So the number of rounds
   without a check is the length of the shortest stream divided by 7. Each symbol waits for the one
   before, but the four streams do not wait for each other. The rest is left to
   taco__zstd_huf_decode_rest. */
TACO__INLINE void taco__zstd_huf4_body(taco__zstd_huf4 *h)
{
    const uint8_t *table = h->table, *at;
    uint8_t *to0 = h->to[0], *to1 = h->to[1], *to2 = h->to[2], *to3 = h->to[3], *stop;
    uint64_t x0, x1, x2, x3;
    const unsigned shift = h->shift;
    unsigned k, read;
    size_t code;
    for (k = 0; k < 4; k++) {
        if (h->b[k].pos < 64) { return; }
    }
    TACO__ZSTD_HUF_OPEN(0)
    TACO__ZSTD_HUF_OPEN(1)
    TACO__ZSTD_HUF_OPEN(2)
    TACO__ZSTD_HUF_OPEN(3)
    for (;;) {
        size_t n = (size_t)(h->end[3] - to3) / 5;
        for (k = 0; k < 4; k++) {
            n = TACO__MIN(n, (size_t)(h->at[k] - h->b[k].data) / 7);
        }
        if (n == 0) { break; }
        stop = to3 + 5 * n;
        do {
            TACO__ZSTD_HUF_TWO(0)
            TACO__ZSTD_HUF_TWO(2)
            TACO__ZSTD_HUF_FIFTH(0)
            TACO__ZSTD_HUF_FIFTH(1)
            TACO__ZSTD_HUF_FIFTH(2)
            TACO__ZSTD_HUF_FIFTH(3)
        } while (to3 < stop);
    }
    TACO__ZSTD_HUF_CLOSE(0)
    TACO__ZSTD_HUF_CLOSE(1)
    TACO__ZSTD_HUF_CLOSE(2)
    TACO__ZSTD_HUF_CLOSE(3)
}

static TACO__NOINLINE void taco__zstd_huf4_plain(taco__zstd_huf4 *h)
{
    taco__zstd_huf4_body(h);
}

#if TACO__X86
static TACO__NOINLINE TACO__TARGET("bmi,bmi2") void taco__zstd_huf4_bmi2(taco__zstd_huf4 *h)
{
    taco__zstd_huf4_body(h);
}
#endif

static void taco__zstd_huf4_decode(taco__zstd_huf4 *h)
{
#if TACO__X86
    if (TACO__CPU_HAS("bmi2")) {
        taco__zstd_huf4_bmi2(h);
        return;
    }
#endif
    taco__zstd_huf4_plain(h);
}
#endif

/* Finds the four streams after a table with the sizes of the first three, §3.1.1.3.1.6. Each of the
   first three has a quarter of the n literals, rounded up. */
static bool taco__zstd_huf4_open(taco__zstd_huf4 *h, const uint8_t *table, const uint8_t *p,
                                 size_t len, uint8_t *to, size_t n)
{
    size_t at = 6, k, part = (n + 3) / 4;
    if (len < 6 || n < 6 || part * 3 > n) { /* four streams need at least 6 */
        return false;
    }
    h->table = table;
    h->shift = 64 - TACO__ZSTD_HUF_MAX_BITS;
    for (k = 0; k < 4; k++) {
        size_t size = k < 3 ? taco__load_le16(p + 2 * k) : len - at;
        if (size > len - at || !taco__zstd_bits_init(&h->b[k], p + at, size)) { return false; }
        at += size;
        h->to[k] = to + k * part;
        h->end[k] = k < 3 ? h->to[k] + part : to + n;
    }
    return true;
}

/* Decodes n literals to `to` with the table of taco__zstd_huf_read; false when the streams are
   damaged. */
TACO__FN bool taco__zstd_huf4_streams(const uint8_t *table, const uint8_t *p, size_t len,
                                      uint8_t *to, size_t n)
{
    taco__zstd_huf4 h;
    size_t k;
    if (!taco__zstd_huf4_open(&h, table, p, len, to, n)) { return false; }
#ifndef TACO_SMALL
    taco__zstd_huf4_decode(&h);
#endif
    for (k = 0; k < 4; k++) {
        if (!taco__zstd_huf_decode_rest(table, &h.b[k], h.to[k], h.end[k])) { return false; }
    }
    return true;
}
#endif
