/* zstd_encode_entropy.c - finite state tables and Huffman codes for the encoder of ZSTD

   The mirror of zstd_decode_entropy.c. Finite state codes (RFC 8878 §4.1): from frequencies to
   counts of cells (taco__zstd_encode_fse_normalize), their description, the coder's tables, and
   what symbols would cost with them. Huffman codes (§4.2): from frequencies to codes, their
   description, their cost, and a stream of literals. Costs are estimates, by which zstd_encode.c
   chooses; they are in integers, so that every machine chooses alike. */
#include "encode.h"

/* ---- finite state codes, §4.1 ---- */

/* log2(x) in 1/256, x > 0: the fraction is a parabola that is at most 0.01 away. */
TACO__INLINE uint32_t taco__zstd_encode_fse_log2(uint32_t x)
{
    unsigned top = taco__zstd_top_bit(x);
    uint32_t f = (uint32_t)((((uint64_t)x << 8) >> top) & 255);
    return (top << 8) + f + (f * (256 - f) * 88 >> 16);
}

/* Fills f for the counts in f->c: the walk of taco__zstd_fse_build, and for each symbol its states
   in order, from first[s] on in f->next. */
TACO__FN void taco__zstd_encode_fse_build(taco__zstd_encode_fse *f)
{
    const taco__zstd_fse_counts *c = &f->c;
    uint16_t first[64];
    uint8_t symbol[512];
    unsigned size = 1U << c->log, high = size, pos = 0, step = (size >> 1) + (size >> 3) + 3, s, i;
    unsigned total = 0;
    for (s = 0; s < c->symbols; s++) {
        unsigned n = c->n[s] < 0 ? 1U : (unsigned)c->n[s];
        if (c->n[s] < 0) { symbol[--high] = (uint8_t)s; }
        first[s] = (uint16_t)total;
        f->find[s] = (int32_t)total - (int32_t)n;
        if (n) { /* n << most is the least state that gives `most` bits away and not one less */
            unsigned most = c->log - (n > 1 ? taco__zstd_top_bit(n - 1) : 0);
            f->bits[s] = n > 1 ? (most << 16) - (n << most) : (c->log << 16) - size;
        }
        total += n;
    }
    for (s = 0; s < c->symbols; s++) {
        int k;
        for (k = 0; k < c->n[s]; k++) {
            symbol[pos] = (uint8_t)s;
            do {
                pos = (pos + step) & (size - 1);
            } while (pos >= high);
        }
    }
    for (i = 0; i < size; i++) {
        f->next[first[symbol[i]]++] = (uint16_t)(size + i);
    }
}

/* Gives `left` more cells to symbols, or takes -left away, one by one: where one saves the most or
   costs the least. */
static void taco__zstd_encode_fse_adjust(taco__zstd_fse_counts *c, const uint32_t *freq,
                                         int32_t left)
{
    unsigned s;
    while (left) {
        uint64_t best = 0, x;
        unsigned at = 0;
        for (s = 0; s < c->symbols; s++) {
            if (left > 0 && freq[s]) {
                x = ((uint64_t)freq[s] << 20) / (2U * (unsigned)c->n[s] + 1);
            } else if (left < 0 && c->n[s] > 1) {
                x = UINT64_MAX - ((uint64_t)freq[s] << 20) / (2U * (unsigned)c->n[s] - 1);
            } else {
                continue;
            }
            if (x > best) {
                best = x;
                at = s;
            }
        }
        c->n[at] = (int16_t)(c->n[at] + (left > 0 ? 1 : -1));
        left += left > 0 ? -1 : 1;
    }
}

/* Shares 1 << log cells among symbols that occur freq[symbol] times, `total` together: each that
   occurs gets one at least. log is chosen here, at most max_log: more precision would not be worth
   its bytes. */
TACO__FN void taco__zstd_encode_fse_normalize(taco__zstd_fse_counts *c, const uint32_t *freq,
                                              unsigned symbols, uint32_t total, unsigned max_log)
{
    unsigned s, used = 0, log;
    int32_t left;
    c->symbols = 0;
    for (s = 0; s < symbols; s++) {
        used += freq[s] > 0;
        c->symbols = freq[s] ? s + 1 : c->symbols;
    }
    log = total > 128 ? taco__zstd_top_bit(total - 1) - 2 : 5;
    log = TACO__MAX(log, taco__zstd_top_bit(used) + 1);
    c->log = log = TACO__MAX(5U, TACO__MIN(log, max_log));
    left = (int32_t)1 << log;
    for (s = 0; s < c->symbols; s++) {
        uint32_t n = (uint32_t)((((uint64_t)freq[s] << (log + 1)) / total + 1) >> 1);
        c->n[s] = (int16_t)(freq[s] ? TACO__MAX(n, 1U) : 0);
        left -= c->n[s];
    }
    taco__zstd_encode_fse_adjust(c, freq, left);
    /* the rare ones to the end of the table, where they have all bits of the next state */
    for (s = 0; s < c->symbols && total >= 2048; s++) {
        c->n[s] = (int16_t)(c->n[s] == 1 ? -1 : c->n[s]);
    }
}

/* Describes a table, as taco__zstd_fse_read_counts reads it; returns the end. 53 counts take less
   than 80 bytes; there is room for 96 and 8. */
TACO__FN uint8_t *taco__zstd_encode_fse_write_counts(uint8_t *at, const taco__zstd_fse_counts *c)
{
    taco__bit_writer b = taco__bit_writer_init(at, at + 96);
    unsigned left = 1U << c->log, s = 0;
    taco__bit_writer_put(&b, c->log - 5, 4);
    while (left && s < c->symbols) {
        unsigned width = taco__zstd_top_bit(left + 1) + 1, spare = (1U << width) - 2 - left;
        unsigned half = 1U << (width - 1), x = (unsigned)(c->n[s] + 1), zeros = 0;
        left -= x == 0 ? 1 : x - 1;
        taco__bit_writer_put(&b, x < half ? x : x + spare, x < spare ? width - 1 : width);
        taco__bit_writer_flush(&b);
        s++;
        if (x != 1) { continue; }
        while (s < c->symbols && c->n[s] == 0) {
            zeros++;
            s++;
        }
        for (; zeros >= 3; zeros -= 3) {
            taco__bit_writer_put(&b, 3, 2);
            taco__bit_writer_flush(&b);
        }
        taco__bit_writer_put(&b, zeros, 2);
        taco__bit_writer_flush(&b);
    }
    if (b.count) { *b.at++ = (uint8_t)b.word; }
    return b.at;
}

/* What symbols cost with a table, in 1/256 bit; UINT64_MAX when it lacks one of them. */
TACO__FN uint64_t taco__zstd_encode_fse_cost(const taco__zstd_fse_counts *c, const uint32_t *freq,
                                             unsigned symbols)
{
    uint64_t sum = 0;
    unsigned s;
    for (s = 0; s < symbols; s++) {
        if (freq[s] == 0) { continue; }
        if (s >= c->symbols || c->n[s] == 0) { return UINT64_MAX; }
        sum += (uint64_t)freq[s] *
               ((c->log << 8) - taco__zstd_encode_fse_log2(c->n[s] < 0 ? 1U : (uint32_t)c->n[s]));
    }
    return sum;
}

/* ---- Huffman codes, §4.2 ---- */

/* Makes the codes for 256 frequencies, of which two or more are not zero. Codes are given out from
   the longest, and among equals by symbol, §4.2.1.3. */
TACO__FN void taco__zstd_encode_huf_make(taco__zstd_encode_huf *h, const uint32_t *freq)
{
    uint32_t first[TACO__ZSTD_HUF_MAX_BITS + 2] = {0}, next = 0;
    uint8_t length[256];
    unsigned s, i;
    taco__huffman_lengths(length, freq, 256, TACO__ZSTD_HUF_MAX_BITS);
    h->log = 0;
    for (s = 0; s < 256; s++) {
        first[length[s]]++;
        h->symbols = length[s] ? s + 1 : h->symbols;
        h->log = TACO__MAX(h->log, length[s]);
    }
    for (i = TACO__ZSTD_HUF_MAX_BITS; i > 0; i--) {
        uint32_t n = first[i];
        first[i] = next;
        next = (next + n) >> 1;
    }
    for (s = 0; s < 256; s++) {
        unsigned n = length[s];
        h->code[s] = n ? (uint64_t)first[n]++ << (64 - n) | n : 0;
    }
}

/* The bits that symbols take with these codes; UINT64_MAX when one has none. */
TACO__FN uint64_t taco__zstd_encode_huf_cost(const taco__zstd_encode_huf *h, const uint32_t *freq)
{
    uint64_t sum = 0;
    unsigned s;
    for (s = 0; s < 256; s++) {
        if (freq[s] && !h->code[s]) { return UINT64_MAX; }
        sum += (uint64_t)freq[s] * (h->code[s] & 255);
    }
    return sum;
}

/* Packs n weights by a finite state code, as taco__zstd_huf_packed_weights reads them: two states
   take turns. Returns the bytes, 0 when all weights are the same or all differ, or when they are
   128 or more. `to` has room for 300. */
static size_t taco__zstd_encode_huf_pack_weights(uint8_t *to, const uint8_t *weight, unsigned n)
{
    taco__zstd_encode_fse f;
    taco__bit_writer b;
    uint32_t freq[13] = {0}, state[2] = {0, 0};
    unsigned i, most = 0;
    size_t size;
    uint8_t *end;
    for (i = 0; i < n; i++) {
        freq[weight[i]]++;
        most = TACO__MAX(most, freq[weight[i]]);
    }
    if (n < 2 || most == n || most == 1) { return 0; }
    taco__zstd_encode_fse_normalize(&f.c, freq, 13, n, 6);
    taco__zstd_encode_fse_build(&f);
    b = taco__bit_writer_init(taco__zstd_encode_fse_write_counts(to, &f.c), to + 290);
    for (i = n; i-- > 0;) {
        if (i + 2 >= n) {
            state[i & 1] = taco__zstd_encode_fse_first(&f, weight[i]);
        } else {
            taco__zstd_encode_fse_step(&b, &f, &state[i & 1], weight[i]);
            taco__bit_writer_flush(&b);
        }
    }
    taco__bit_writer_put(&b, state[1] & ((1U << f.c.log) - 1), f.c.log);
    taco__bit_writer_put(&b, state[0] & ((1U << f.c.log) - 1), f.c.log);
    end = taco__bit_writer_finish(&b);
    size = end ? (size_t)(end - to) : 0;
    return size < 128 ? size : 0;
}

/* Describes the codes, §4.2.1.1: packed weights or four bits for each, what is shorter. Returns the
   bytes, 0 when neither is possible. `to` has room for 301. */
TACO__FN size_t taco__zstd_encode_huf_write(uint8_t *to, const taco__zstd_encode_huf *h)
{
    uint8_t weight[256];
    unsigned i, n = h->symbols - 1; /* the last is left out */
    size_t size;
    for (i = 0; i < n; i++) {
        unsigned bits = (unsigned)(h->code[i] & 255);
        weight[i] = (uint8_t)(bits ? h->log + 1 - bits : 0);
    }
    weight[n] = 0;
    size = taco__zstd_encode_huf_pack_weights(to + 1, weight, n);
    if (size && (n > 128 || size < (n + 1) / 2)) {
        to[0] = (uint8_t)size;
        return size + 1;
    }
    if (n > 128) { return 0; }
    to[0] = (uint8_t)(127 + n);
    for (i = 0; i < n; i += 2) {
        to[1 + i / 2] = (uint8_t)(weight[i] << 4 | weight[i + 1]);
    }
    return 1 + (n + 1) / 2;
}

/* One stream of n literals, from the last to the first; returns its end, NULL when it reached
   `stop`. Codes are stacked from the top of a word; their lengths lie below all of the codes, and
   the sum of those of five fits 8 bits. */
TACO__FN uint8_t *taco__zstd_encode_huf_stream(uint8_t *at, uint8_t *stop, const uint64_t *code,
                                               const uint8_t *p, size_t n)
{
    taco__bit_writer b = taco__bit_writer_init(at, stop);
    for (; n % 5; n--) {
        uint64_t c = code[p[n - 1]];
        taco__bit_writer_put(&b, c >> (64 - (c & 63)), (unsigned)(c & 63));
    }
    taco__bit_writer_flush(&b);
    for (; n; n -= 5) { /* 55 bits at most */
        uint64_t c = code[p[n - 1]], word = c, sum = c;
        c = code[p[n - 2]];
        word = word >> (c & 63) | c;
        sum += c;
        c = code[p[n - 3]];
        word = word >> (c & 63) | c;
        sum += c;
        c = code[p[n - 4]];
        word = word >> (c & 63) | c;
        sum += c;
        c = code[p[n - 5]];
        word = word >> (c & 63) | c;
        sum += c;
        taco__bit_writer_put(&b, word >> (64 - (sum & 63)), (unsigned)(sum & 63));
        taco__bit_writer_flush(&b);
    }
    return taco__bit_writer_finish(&b);
}

/* How often each byte occurs, counted in four tables, as a count that is read right after it was
   written must be waited for. */
TACO__FN void taco__zstd_encode_huf_count(uint32_t *freq, const uint8_t *p, size_t n)
{
    uint32_t part[4][256];
    size_t i = 0;
    memset(part, 0, sizeof part);
    for (; n - i >= 8; i += 8) {
        uint64_t x = taco__load_le64(p + i);
        part[0][x & 255]++;
        part[1][x >> 8 & 255]++;
        part[2][x >> 16 & 255]++;
        part[3][x >> 24 & 255]++;
        part[0][x >> 32 & 255]++;
        part[1][x >> 40 & 255]++;
        part[2][x >> 48 & 255]++;
        part[3][x >> 56]++;
    }
    for (; i < n; i++) {
        part[0][p[i]]++;
    }
    for (i = 0; i < 256; i++) {
        freq[i] = part[0][i] + part[1][i] + part[2][i] + part[3][i];
    }
}
