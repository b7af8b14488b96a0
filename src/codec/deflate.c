/* deflate.c - encode gzip files (RFC 1952) with DEFLATE data (RFC 1951, cited by section)

   taco__deflate_run splits the input into tokens, literals and matches, found by following chains
   of positions with the same hash of 4 bytes inside the window of 32 KiB, and checking the next
   position before a match is used. 32768 tokens make a block, which taco__deflate_end_block writes
   with dynamic codes, or stored if that is smaller; fixed codes are never used. */
#include "encode.h"

#define TACO__DEFLATE_TRIES 24 /* most candidates checked for a match */
#define TACO__DEFLATE_GOOD_LENGTH                                                                  \
    64 /* a match this long is used without checking the next position */

/* The code of a distance d > 0: 2 log2(d - 1) + the bit of d - 1 after its highest. */
TACO__INLINE unsigned taco__deflate_distance_code(uint32_t d)
{
    unsigned top;
    if (d < 3) { return d - 1; }
    top = 63 - taco__plat_clz64(d - 1);
    return 2 * top + ((d - 1) >> (top - 1) & 1);
}

/* Codes of one alphabet from its lengths, §3.2.2, as bits << 8 | length, with the bits in the order
   they are written. */
static void taco__deflate_make_codes(uint32_t *code, const uint8_t *length, unsigned symbols)
{
    uint32_t next[17] = {0}, x, reversed;
    unsigned s, k;
    for (s = 0; s < symbols; s++) {
        next[length[s] + 1]++;
    }
    next[1] = 0;
    for (k = 1; k < 16; k++) { /* the first code of each length, from that of the one before */
        next[k + 1] = (next[k] + next[k + 1]) << 1;
    }
    for (s = 0; s < symbols; s++) {
        if (length[s] == 0) {
            code[s] = 0;
            continue;
        }
        x = next[length[s]]++;
        for (reversed = k = 0; k < length[s]; k++) {
            reversed |= (x >> k & 1) << (length[s] - 1U - k);
        }
        code[s] = reversed << 8 | length[s];
    }
}

/* The lengths of both alphabets as symbols of a third, §3.2.7: 16 repeats the last 3 to 6 times, 17
   and 18 are 3 to 10 and 11 to 138 zeros. Returns how many; each is symbol | extra bits << 8. */
static unsigned taco__deflate_encode_lengths(uint16_t *run, const uint8_t *length, unsigned n)
{
    unsigned i = 0, count = 0, k;
    while (i < n) {
        for (k = 1; i + k < n && length[i + k] == length[i] && k < 138; k++) {}
        if (length[i] == 0 && k >= 3) {
            run[count++] = (uint16_t)(k < 11 ? 17 | (k - 3) << 8 : 18 | (k - 11) << 8);
        } else if (i && length[i] == length[i - 1] && k >= 3) {
            k = TACO__MIN(k, 6U);
            run[count++] = (uint16_t)(16 | (k - 3) << 8);
        } else {
            k = 1;
            run[count++] = length[i];
        }
        i += k;
    }
    return count;
}

/* The header of a block with dynamic codes: how many lengths of each alphabet are written, those
   lengths as `count` symbols, and their codes. */
typedef struct taco__deflate_block_header {
    unsigned literals, distances, lengths, count;
    uint16_t run[288 + 32];
    uint32_t code[19];
} taco__deflate_block_header;

/* extra bits of the symbols of lengths, §3.2.7 */
static const uint8_t taco__deflate_run_bits[19] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                                   0, 0, 0, 0, 0, 0, 2, 3, 7};

/* The size of n symbols in bits: their codes, and `extra` bits for each. */
static uint64_t taco__deflate_cost(const uint32_t *freq, const uint8_t *length, unsigned n,
                                   unsigned (*extra)(unsigned symbol))
{
    uint64_t bits = 0;
    unsigned i;
    for (i = 0; i < n; i++) {
        bits += (uint64_t)freq[i] * (length[i] + extra(i));
    }
    return bits;
}

static unsigned taco__deflate_run_extra(unsigned symbol)
{
    return taco__deflate_run_bits[symbol];
}

static unsigned taco__deflate_literal_extra(unsigned symbol)
{
    return symbol > 256 ? taco__flate_length_extra(symbol - 257) : 0;
}

static unsigned taco__deflate_distance_extra(unsigned symbol)
{
    return taco__flate_distance_extra(symbol);
}

/* Makes the codes of the current tokens and the block's header; returns the size of the block in
   bits. */
static uint64_t taco__deflate_plan_block(taco__deflater *e, taco__deflate_block_header *h)
{
    uint8_t length[288 + 32], of_run[19];
    uint32_t freq[19] = {0};
    unsigned i;
    e->freq[0][256] = 1; /* the end */
    /* one distance at least, for readers that insist on it */
    e->freq[1][0] += e->freq[1][0] == 0;
    taco__huffman_lengths(e->length[0], e->freq[0], 286, 15);
    taco__huffman_lengths(e->length[1], e->freq[1], 30, 15);
    taco__deflate_make_codes(e->code[0], e->length[0], 286);
    taco__deflate_make_codes(e->code[1], e->length[1], 30);
    for (h->literals = 286; e->length[0][h->literals - 1] == 0; h->literals--) {}
    for (h->distances = 30; e->length[1][h->distances - 1] == 0; h->distances--) {}
    memcpy(length, e->length[0], h->literals);
    memcpy(length + h->literals, e->length[1], h->distances);
    h->count = taco__deflate_encode_lengths(h->run, length, h->literals + h->distances);
    for (i = 0; i < h->count; i++) {
        freq[h->run[i] & 255]++;
    }
    taco__huffman_lengths(of_run, freq, 19, 7);
    taco__deflate_make_codes(h->code, of_run, 19);
    for (h->lengths = 19; of_run[taco__flate_length_order(h->lengths - 1)] == 0; h->lengths--) {}
    h->lengths = TACO__MAX(h->lengths, 4U);
    return 3 + 14 + 3 * h->lengths + taco__deflate_cost(freq, of_run, 19, taco__deflate_run_extra) +
           taco__deflate_cost(e->freq[0], e->length[0], 286, taco__deflate_literal_extra) +
           taco__deflate_cost(e->freq[1], e->length[1], 30, taco__deflate_distance_extra);
}

/* The header of a block with dynamic codes, §3.2.7. */
static void taco__deflate_write_header(const taco__deflate_block_header *h, bool last,
                                       taco__bit_writer *b)
{
    unsigned i;
    taco__bit_writer_put(b, (unsigned)last | 2U << 1, 3);
    taco__bit_writer_put(b, h->literals - 257, 5);
    taco__bit_writer_put(b, h->distances - 1, 5);
    taco__bit_writer_put(b, h->lengths - 4, 4);
    taco__bit_writer_flush(b);
    for (i = 0; i < h->lengths; i++) {
        taco__bit_writer_put(b, h->code[taco__flate_length_order(i)] & 255, 3);
        taco__bit_writer_flush(b);
    }
    for (i = 0; i < h->count; i++) {
        const uint32_t c = h->code[h->run[i] & 255];
        taco__bit_writer_put(b, c >> 8, c & 255);
        taco__bit_writer_put(b, (uint64_t)h->run[i] >> 8, taco__deflate_run_bits[h->run[i] & 255]);
        taco__bit_writer_flush(b);
    }
}

/* The current tokens, and the end of the block. */
static void taco__deflate_write_tokens(const taco__deflater *e, taco__bit_writer *b)
{
    unsigned i;
    for (i = 0; i < e->count; i++) {
        const uint32_t token = e->token[i], n = token >> 16;
        if (n == 0) {
            taco__bit_writer_put(b, e->code[0][token] >> 8, e->code[0][token] & 255);
        } else { /* 15 + 5 + 15 + 13 bits at most */
            const unsigned k = e->length_code[n];
            const uint32_t distance = token & 0xFFFF, c = e->code[0][257 + k];
            const unsigned d = taco__deflate_distance_code(distance);
            taco__bit_writer_put(b, c >> 8, c & 255);
            taco__bit_writer_put(b, n - taco__flate_length_base(k), taco__flate_length_extra(k));
            taco__bit_writer_put(b, e->code[1][d] >> 8, e->code[1][d] & 255);
            taco__bit_writer_put(b, distance - taco__flate_distance_base(d),
                                 taco__flate_distance_extra(d));
        }
        taco__bit_writer_flush(b);
    }
    taco__bit_writer_put(b, e->code[0][256] >> 8, e->code[0][256] & 255);
    taco__bit_writer_flush(b);
}

/* Stored blocks, §3.2.4, of up to 65535 bytes each; n may be 0. */
static void taco__deflate_write_stored(taco__bit_writer *b, const uint8_t *p, size_t n, bool last)
{
    do {
        const size_t k = TACO__MIN(n, (size_t)65535);
        taco__bit_writer_put(b, last && k == n, 3);
        taco__bit_writer_put(b, 0, (8 - (b->count & 7)) & 7);
        taco__bit_writer_flush(b);
        taco__bit_writer_put(b, k | (uint64_t)(k ^ 0xFFFF) << 16, 32);
        taco__bit_writer_flush(b);
        if (k) { memcpy(b->at, p, k); }
        b->at += k;
        p += k;
        n -= k;
    } while (n);
}

/* Writes the current tokens, which are n bytes at p, as a block, in the smaller form. */
static void taco__deflate_end_block(taco__deflater *e, taco__bit_writer *b, const uint8_t *p,
                                    size_t n, bool last)
{
    taco__deflate_block_header h;
    if (taco__deflate_plan_block(e, &h) / 8 < n) {
        taco__deflate_write_header(&h, last, b);
        taco__deflate_write_tokens(e, b);
    } else {
        taco__deflate_write_stored(b, p, n, last);
    }
    e->count = 0;
    memset(e->freq, 0, sizeof e->freq);
}

TACO__INLINE void taco__deflate_add_literal(taco__deflater *e, uint8_t x)
{
    e->token[e->count++] = x;
    e->freq[0][x]++;
}

/* The head of the chain of p's first 4 bytes. */
TACO__INLINE uint32_t *taco__deflate_hash_slot(taco__deflater *e, const uint8_t *p)
{
    return &e->head[taco__load_le32(p) * 0x9E3779B1U >> (32 - TACO__DEFLATE_HASH_LOG)];
}

/* Adds position i to the chains; if `look`, returns the length of its best match if that is above
   `best`, else 0. 4 bytes can be read at i. */
static size_t taco__deflate_find_match(taco__deflater *e, const uint8_t *p, size_t i, size_t n,
                                       size_t best, bool look, uint32_t *distance)
{
    uint32_t *slot = taco__deflate_hash_slot(e, p + i), m = *slot;
    size_t end = TACO__MIN(n, i + 258), found = 0;
    unsigned tries = TACO__DEFLATE_TRIES;
    e->prev[i & 32767] = m;
    *slot = (uint32_t)i + 1;
    for (; look && tries && m && i - (m - 1) <= 32768 - 1; tries--) {
        const size_t from = m - 1;
        if (i + best < end && p[from + best] == p[i + best]) {
            size_t k = taco__lz_match_length(p + from, p + i, p + end);
            if (k > best) {
                best = found = k;
                *distance = (uint32_t)(i - from);
            }
        }
        if (e->prev[from & 32767] >= m) { break; } /* overwritten since */
        m = e->prev[from & 32767];
    }
    return found;
}

/* Adds a match at i as a token, and the positions it covers to the chains. The first of these, i +
   1, may already be in them, since the next position was checked. */
static void taco__deflate_add_match(taco__deflater *e, const uint8_t *p, size_t i, size_t n,
                                    size_t stop, size_t match, uint32_t distance)
{
    const bool added = i + 1 < stop && *taco__deflate_hash_slot(e, p + i + 1) == (uint32_t)i + 2;
    uint32_t other;
    size_t k;
    e->token[e->count++] = (uint32_t)match << 16 | distance;
    e->freq[0][257 + e->length_code[match]]++;
    e->freq[1][taco__deflate_distance_code(distance)]++;
    for (k = added ? 2 : 1; k < match && i + k < stop; k++) {
        taco__deflate_find_match(e, p, i + k, n, 3, false, &other);
    }
}

/* Cuts all of `in` into tokens and writes the blocks. */
static void taco__deflate_run(taco__deflater *e, taco_bytes in, taco__bit_writer *b)
{
    const uint8_t *p = in.data;
    const size_t n = in.len, stop = n < 4 ? 0 : n - 3; /* 4 bytes are hashed */
    size_t i = 0, start = 0, match, later;
    uint32_t distance = 0, other = 0;
    while (i < n) {
        match = i < stop ? taco__deflate_find_match(e, p, i, n, 3, true, &distance) : 0;
        while (match && match < TACO__DEFLATE_GOOD_LENGTH && i + 1 < stop &&
               e->count + 2 < TACO__DEFLATE_TOKENS) { /* a longer one at the next position? */
            later = taco__deflate_find_match(e, p, i + 1, n, match, true, &other);
            if (!later) { break; }
            taco__deflate_add_literal(e, p[i++]);
            match = later;
            distance = other;
        }
        if (match) {
            taco__deflate_add_match(e, p, i, n, stop, match, distance);
            i += match;
        } else {
            taco__deflate_add_literal(e, p[i++]);
        }
        if (e->count + 2 >= TACO__DEFLATE_TOKENS && i < n) {
            taco__deflate_end_block(e, b, p + start, i - start, false);
            start = i;
        }
    }
    taco__deflate_end_block(e, b, p + start, n - start, true);
}

/* The most bytes that a gzip file of n bytes takes, plus 8 that are written after it. A block has
   32766 tokens, hence at least as many bytes, and is never larger than stored. False if that is not
   a size_t. */
TACO__FN bool taco__deflate_bound(size_t n, size_t *bound)
{
    return taco__checked_add_size(n, n / 32766 * 6 + n / 65535 * 6 + 12 + 18 + 8, bound);
}

/* One gzip member without name and time, with the contract of every encoder; `in` has less than 4
   GiB. */
TACO__FN taco_status taco__deflate_gzip(taco__deflater *e, taco_bytes in, uint8_t *dst, size_t cap,
                                        size_t *size, taco_error *err)
{
    static const uint8_t head[10] = {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255};
    taco__bit_writer b;
    size_t bound = 0;
    *size = 0;
    if (!taco__deflate_bound(in.len, &bound) || in.len >= UINT32_MAX || cap < bound) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "gzip of %u bytes of data may take %u bytes, there is room for %u",
                          TACO__U(in.len), TACO__U(bound), TACO__U(cap));
    }
    memcpy(dst, head, sizeof head);
    memset(e->head, 0, sizeof e->head);
    memset(e->prev, 0, sizeof e->prev);
    memset(e->freq, 0, sizeof e->freq);
    e->count = 0;
    b = taco__bit_writer_init(dst + sizeof head, dst + cap - 8);
    taco__deflate_run(e, in, &b);
    if (b.count) { *b.at++ = (uint8_t)b.word; }
    taco__put_le32(b.at, taco__crc32(0, in.data, in.len));
    taco__put_le32(b.at + 4, (uint32_t)in.len);
    *size = (size_t)(b.at + 8 - dst);
    return TACO_OK;
}

/* NULL on failure. For any number of files, one after the other. */
TACO__FN taco__deflater *taco__deflate_open(taco__mem *mem, taco_error *err)
{
    taco__deflater *e = (taco__deflater *)taco__mem_alloc(mem, sizeof *e, err);
    unsigned n, k = 0;
    if (e) {
        e->mem = mem;
        for (n = 3; n < 259; n++) {
            k += k < 28 && n >= taco__flate_length_base(k + 1);
            e->length_code[n] = (uint8_t)k;
        }
    }
    return e;
}

/* NULL is accepted. */
TACO__FN void taco__deflate_close(taco__deflater *e)
{
    if (e) { taco__mem_free(e->mem, e, sizeof *e); }
}
