/* ==== ROOM zstd_enc: encode ZSTD frames. Uses: hash mem copy huf zstd_dec. Spec: RFC 8878, cited by section ==== */

/* The mirror of zstd_dec, with its tables and constants. A level's finder cuts a block into
   sequences, "copy so many literals, then repeat so many bytes from so far back"; then the literals
   are coded with Huffman codes and the sequences with finite state codes. A block that does not
   shrink is stored as it is, so that a frame is never larger than taco__zstd_encode_bound says.

   Finders keep positions in tables, as numbers that only grow from call to call: what an earlier
   call left there is smaller than all of this one's and is passed over. So the tables need no
   clearing, and the output depends on nothing but the input, the level and the checksum flag. */

#define TACO__ZSTD_ENCODE_DEFAULT_LEVEL 3 /* the levels are 1 ... TACO__ZSTD_ENCODE_MAX_LEVEL */
#define TACO__ZSTD_ENCODE_MAX_LEVEL     19
#define TACO__ZSTD_ENCODE_MAX_SEQUENCES                                                            \
    (TACO__ZSTD_BLOCK_MAX / 3 + 1)     /* the shortest match has 3 bytes */
#define TACO__ZSTD_ENCODE_MIN_BYTES 16 /* what is no longer is stored as it is */
#define TACO__ZSTD_MATCH_TAIL                                                                      \
    8 /* no match begins in a block's last bytes, so that hashing may read 8 */
/* No match crosses the border between two parts: 32 bits then hold the number of a position, and 24 what is in a window. */
#define TACO__ZSTD_ENCODE_PART ((size_t)1 << 30)

typedef enum taco__zstd_match_kind {
    TACO__ZSTD_MATCH_FAST,   /* one table of hashes */
    TACO__ZSTD_MATCH_DOUBLE, /* two: of 8 bytes and of 5 */
    TACO__ZSTD_MATCH_CHAIN   /* hashes and chains, with a look at the next positions */
} taco__zstd_match_kind;

typedef struct taco__zstd_encode_level {
    uint8_t  kind;
    uint8_t  window, hash, second; /* logarithms: of the window, of the entries of both tables */
    uint8_t  width;                /* FAST: the bytes that are hashed */
    uint8_t  lazy;                 /* CHAIN: positions looked ahead, 0 to 2 */
    uint16_t tries;                /* CHAIN: candidates looked at */
} taco__zstd_encode_level;

static const taco__zstd_encode_level taco__zstd_encode_levels[TACO__ZSTD_ENCODE_MAX_LEVEL] = {
    {TACO__ZSTD_MATCH_FAST, 19, 14, 0, 6, 0, 0},
    {TACO__ZSTD_MATCH_FAST, 20, 16, 0, 5, 0, 0},
    {TACO__ZSTD_MATCH_DOUBLE, 21, 16, 16, 0, 0, 0},
    {TACO__ZSTD_MATCH_DOUBLE, 21, 18, 17, 0, 0, 0},
    {TACO__ZSTD_MATCH_CHAIN, 21, 16, 17, 0, 0, 4},
    {TACO__ZSTD_MATCH_CHAIN, 21, 17, 18, 0, 1, 4},
    {TACO__ZSTD_MATCH_CHAIN, 21, 17, 18, 0, 1, 8},
    {TACO__ZSTD_MATCH_CHAIN, 21, 18, 19, 0, 2, 8},
    {TACO__ZSTD_MATCH_CHAIN, 22, 18, 19, 0, 2, 16},
    {TACO__ZSTD_MATCH_CHAIN, 22, 18, 20, 0, 2, 32},
    {TACO__ZSTD_MATCH_CHAIN, 22, 18, 20, 0, 2, 64},
    {TACO__ZSTD_MATCH_CHAIN, 22, 19, 20, 0, 2, 128},
    {TACO__ZSTD_MATCH_CHAIN, 22, 19, 20, 0, 2, 128},
    {TACO__ZSTD_MATCH_CHAIN, 22, 19, 20, 0, 2, 192},
    {TACO__ZSTD_MATCH_CHAIN, 22, 19, 20, 0, 2, 256},
    {TACO__ZSTD_MATCH_CHAIN, 22, 19, 21, 0, 2, 384},
    {TACO__ZSTD_MATCH_CHAIN, 23, 19, 21, 0, 2, 512},
    {TACO__ZSTD_MATCH_CHAIN, 23, 20, 22, 0, 2, 768},
    {TACO__ZSTD_MATCH_CHAIN, 23, 20, 22, 0, 2, 1024},
};

typedef struct taco__zstd_encode_sequence {
    uint32_t literals, match; /* match: less 3 */
    uint32_t value;           /* Offset_Value, §3.1.1.3.2.1.1 */
} taco__zstd_encode_sequence;

/* A finite state coder. Of a state, (state + bits[symbol]) >> 16 bits are written; what is above
   them, and find[symbol], lead to the next. */
typedef struct taco__zstd_encode_fse {
    taco__zstd_fse_counts c;
    uint16_t              next[512];
    uint32_t              bits[64];
    int32_t               find[64];
} taco__zstd_encode_fse;

typedef struct taco__zstd_encode_huf {
    uint64_t code[256]; /* the code in the upper bits, its length in the lowest 8; 0: none */
    unsigned symbols, log;
} taco__zstd_encode_huf;

/* What is kept from call to call: one allocation, made by taco__zstd_encode_open. */
typedef struct taco__zstd_encoder {
    taco__mem                     *mem;
    size_t                         size; /* of the allocation */
    const taco__zstd_encode_level *level;
    uint32_t *hash, *second; /* numbers of positions; see taco__zstd_match_enter */
    uint32_t  base;          /* the number of the first byte of the part, > 0 */
    uint32_t  used;          /* the numbers given out so far end here */

    const uint8_t *src;    /* the part at hand */
    size_t         len;    /* of it */
    size_t         window; /* no match is from farther back */
    size_t         added;  /* CHAIN: positions below are in the chains */

    uint32_t              repeat[3];
    uint32_t              seqs, literals; /* how many the block has */
    taco__zstd_encode_huf huf[2];
    taco__zstd_encode_fse
             fse[3][4]; /* of each field: predefined, two that take turns, one for a single code */
    int8_t   huf_last;  /* which of huf a later block may use again, -1 none */
    uint8_t  fse_last[3];               /* and which of fse, 0 none */
    uint8_t  ll_code[64], ml_code[128]; /* codes of the lengths that are most common */
    uint32_t base_of[3][53];
    uint8_t  extra[3][53];
    taco__zstd_encode_sequence seq[TACO__ZSTD_ENCODE_MAX_SEQUENCES];
    uint8_t                    code[3][TACO__ZSTD_ENCODE_MAX_SEQUENCES];
    uint8_t                    literal[TACO__ZSTD_BLOCK_MAX + TACO__ZSTD_SLACK];
    uint8_t out[TACO__ZSTD_BLOCK_MAX + 1024 + TACO__ZSTD_SLACK]; /* the block, encoded */
} taco__zstd_encoder;

/* log2(x) in 1/256, x > 0: the fraction is a parabola that is at most 0.01 away. */
TACO__INLINE uint32_t taco__zstd_encode_fse_log2(uint32_t x)
{
    unsigned top = taco__zstd_top_bit(x);
    uint32_t f = (uint32_t)((((uint64_t)x << 8) >> top) & 255);
    return (top << 8) + f + (f * (256 - f) * 88 >> 16);
}

/* ---- finite state codes, §4.1 ---- */

/* Fills f for the counts in f->c: the walk of taco__zstd_fse_build, and for each symbol its states in
   order. */
TACO__FN void taco__zstd_encode_fse_build(taco__zstd_encode_fse *f)
{
    const taco__zstd_fse_counts *c = &f->c;
    uint16_t                     first[64];
    uint8_t                      symbol[512];
    unsigned size = 1U << c->log, high = size, pos = 0, step = (size >> 1) + (size >> 3) + 3, s, i;
    unsigned total = 0;
    for (s = 0; s < c->symbols; s++) {
        unsigned n = c->n[s] < 0 ? 1U : (unsigned)c->n[s];
        if (c->n[s] < 0) {
            symbol[--high] = (uint8_t)s;
        }
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
/* The state to begin with, for the symbol that the decoder gets last */
TACO__INLINE uint32_t taco__zstd_encode_fse_first(const taco__zstd_encode_fse *f, unsigned s)
{
    unsigned bits = (f->bits[s] + 0x8000U) >> 16;
    uint32_t least = (bits << 16) - f->bits[s];
    return f->next[(int32_t)(least >> bits) + f->find[s]];
}
TACO__INLINE void taco__zstd_encode_fse_step(taco__bit_writer *b, const taco__zstd_encode_fse *f,
                                             uint32_t *state, unsigned s)
{
    unsigned bits = (*state + f->bits[s]) >> 16;
    taco__bit_writer_put(b, *state & ((1U << bits) - 1), bits);
    *state = f->next[(int32_t)(*state >> bits) + f->find[s]];
}
/* Deals 1 << log cells out to symbols that were seen `seen` times, `total` together: to each that
   was seen at least one. log is chosen here, at most max_log. */
TACO__FN void taco__zstd_encode_fse_normalize(taco__zstd_fse_counts *c, const uint32_t *seen,
                                              unsigned symbols, uint32_t total, unsigned max_log)
{
    unsigned s, used = 0, log;
    int32_t  left;
    c->symbols = 0;
    for (s = 0; s < symbols; s++) {
        used += seen[s] > 0;
        c->symbols = seen[s] ? s + 1 : c->symbols;
    }
    log = total > 128 ? taco__zstd_top_bit(total - 1) - 2
                      : 5; /* more precision is not worth its bytes */
    log = TACO__MAX(log, taco__zstd_top_bit(used) + 1);
    c->log = log = TACO__MAX(5U, TACO__MIN(log, max_log));
    left = (int32_t)1 << log;
    for (s = 0; s < c->symbols; s++) {
        uint32_t n = (uint32_t)((((uint64_t)seen[s] << (log + 1)) / total + 1) >> 1);
        c->n[s] = (int16_t)(seen[s] ? TACO__MAX(n, 1U) : 0);
        left -= c->n[s];
    }
    while (left) { /* one cell more or less where it saves the most or costs the least */
        uint64_t best = 0, x;
        unsigned at = 0;
        for (s = 0; s < c->symbols; s++) {
            if (left > 0 && seen[s]) {
                x = ((uint64_t)seen[s] << 20) / (2U * (unsigned)c->n[s] + 1);
            } else if (left < 0 && c->n[s] > 1) {
                x = UINT64_MAX - ((uint64_t)seen[s] << 20) / (2U * (unsigned)c->n[s] - 1);
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
    for (s = 0; s < c->symbols && total >= 2048; s++) { /* the rare ones to the end of the table */
        c->n[s] = (int16_t)(c->n[s] == 1 ? -1 : c->n[s]);
    }
}
/* Describes a table, as taco__zstd_fse_read_counts reads it; returns the end. 53 counts take less than
   80 bytes, which there is room for. */
TACO__FN uint8_t *taco__zstd_encode_fse_write_counts(uint8_t *at, const taco__zstd_fse_counts *c)
{
    taco__bit_writer b = taco__bit_writer_init(at, at + 96);
    unsigned         left = 1U << c->log, s = 0;
    taco__bit_writer_put(&b, c->log - 5, 4);
    while (left && s < c->symbols) {
        unsigned width = taco__zstd_top_bit(left + 1) + 1, spare = (1U << width) - 2 - left;
        unsigned half = 1U << (width - 1), x = (unsigned)(c->n[s] + 1), zeros = 0;
        left -= x == 0 ? 1 : x - 1;
        taco__bit_writer_put(&b, x < half ? x : x + spare, x < spare ? width - 1 : width);
        taco__bit_writer_flush(&b);
        s++;
        if (x != 1) {
            continue;
        }
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
    if (b.held) {
        *b.at++ = (uint8_t)b.word;
    }
    return b.at;
}
/* What symbols cost with a table, in 1/256 bit; UINT64_MAX when it lacks one of them. */
TACO__FN uint64_t taco__zstd_encode_fse_cost(const taco__zstd_fse_counts *c, const uint32_t *seen,
                                             unsigned symbols)
{
    uint64_t sum = 0;
    unsigned s;
    for (s = 0; s < symbols; s++) {
        if (seen[s] == 0) {
            continue;
        }
        if (s >= c->symbols || c->n[s] == 0) {
            return UINT64_MAX;
        }
        sum += (uint64_t)seen[s] *
               ((c->log << 8) - taco__zstd_encode_fse_log2(c->n[s] < 0 ? 1U : (uint32_t)c->n[s]));
    }
    return sum;
}

/* ---- Huffman codes, §4.2 ---- */

/* Makes the codes for 256 counts, of which two or more are not zero. Codes are given out from the
   longest, and among equals by symbol, §4.2.1.3. */
TACO__FN void taco__zstd_encode_huf_make(taco__zstd_encode_huf *h, const uint32_t *seen)
{
    uint32_t first[TACO__ZSTD_HUF_MAX_BITS + 2] = {0}, next = 0;
    uint8_t  length[256];
    unsigned s, i;
    taco__huffman_lengths(length, seen, 256, TACO__ZSTD_HUF_MAX_BITS);
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
TACO__FN uint64_t taco__zstd_encode_huf_cost(const taco__zstd_encode_huf *h, const uint32_t *seen)
{
    uint64_t sum = 0;
    unsigned s;
    for (s = 0; s < 256; s++) {
        if (seen[s] && !h->code[s]) {
            return UINT64_MAX;
        }
        sum += (uint64_t)seen[s] * (h->code[s] & 255);
    }
    return sum;
}
/* Weights packed by a finite state code, as taco__zstd_huf_packed_weights reads them: two states take
   turns. Returns the bytes, 0 when there is nothing to choose between or they are 128 or more. `to` has room
   for 300. */
TACO__FN size_t taco__zstd_encode_huf_pack_weights(uint8_t *to, const uint8_t *weight, unsigned n)
{
    taco__zstd_encode_fse f;
    taco__bit_writer      b;
    uint32_t              seen[13] = {0}, state[2] = {0, 0};
    unsigned              i, most = 0;
    size_t                size;
    uint8_t              *end;
    for (i = 0; i < n; i++) {
        most = TACO__MAX(most, ++seen[weight[i]]);
    }
    if (n < 2 || most == n || most == 1) {
        return 0;
    }
    taco__zstd_encode_fse_normalize(&f.c, seen, 13, n, 6);
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
/* Describes the codes, §4.2.1.1; returns the bytes, 0 when that is not possible. `to` has room for 301. */
TACO__FN size_t taco__zstd_encode_huf_write(uint8_t *to, const taco__zstd_encode_huf *h)
{
    uint8_t  weight[256];
    unsigned i, n = h->symbols - 1; /* the last is left out */
    size_t   size;
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
    if (n > 128) {
        return 0;
    }
    to[0] = (uint8_t)(127 + n);
    for (i = 0; i < n; i += 2) {
        to[1 + i / 2] = (uint8_t)(weight[i] << 4 | weight[i + 1]);
    }
    return 1 + (n + 1) / 2;
}
/* One stream of n literals, from the last to the first. Codes are stacked from the top of a word; their lengths lie
   below all of the codes, and the sum of those of five fits 8 bits. */
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

/* ---- literals, §3.1.1.3.1 ---- */

/* Counts bytes, in four tables, as a count that is read right after it was written has to wait. */
TACO__FN void taco__zstd_encode_huf_count(uint32_t *seen, const uint8_t *p, size_t n)
{
    uint32_t part[4][256];
    size_t   i = 0;
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
        seen[i] = part[0][i] + part[1][i] + part[2][i] + part[3][i];
    }
}
/* A section of literals as they are (type 0), or of one literal n times (type 1) */
TACO__FN uint8_t *taco__zstd_encode_literals_plain(uint8_t *at, unsigned type, const uint8_t *p,
                                                   size_t n)
{
    uint32_t head = n < 32     ? type | (uint32_t)n << 3
                    : n < 4096 ? type | 1U << 2 | (uint32_t)n << 4
                               : type | 3U << 2 | (uint32_t)n << 4;
    unsigned size = n < 32 ? 1 : n < 4096 ? 2 : 3, i;
    for (i = 0; i < size; i++) {
        *at++ = (uint8_t)(head >> (8 * i));
    }
    if (type == 0 && n) {
        memcpy(at, p, n);
        return at + n;
    }
    if (type == 1) {
        *at++ = p[0];
    }
    return at;
}
/* Writes n coded literals behind a header of `head` bytes at `at`, and the header; returns the end,
   NULL when it is not less than n. `tree`: the description, 0 bytes when the last block's codes
   are meant. */
TACO__FN uint8_t *taco__zstd_encode_literals_coded(uint8_t *at, const taco__zstd_encode_huf *h,
                                                   const uint8_t *tree, size_t tree_size,
                                                   const uint8_t *p, size_t n)
{
    const bool one = n < 256;
    unsigned   width = n < 1024 ? 10 : n < 16384 ? 14 : 18, k;
    size_t     head = width == 10 ? 3 : width == 14 ? 4 : 5, part = (n + 3) / 4, size;
    uint8_t   *to = at + head, *stop = at + head + n, *sizes, *next;
    uint64_t   x;
    if (tree_size) {
        memcpy(to, tree, tree_size);
    }
    to += tree_size;
    sizes = to;
    to = one ? to : to + 6;
    for (k = 0; k < (one ? 1 : 4); k++) {
        next = taco__zstd_encode_huf_stream(to, stop, h->code, one ? p : p + k * part,
                                            one      ? n
                                            : k == 3 ? n - 3 * part
                                                     : part);
        if (!next) {
            return NULL;
        }
        if (!one && k < 3) {
            sizes[2 * k] = (uint8_t)(next - to);
            sizes[2 * k + 1] = (uint8_t)((size_t)(next - to) >> 8);
        }
        to = next;
    }
    size = (size_t)(to - at) - head;
    if (size >= n) {
        return NULL;
    }
    x = (tree_size ? 2U : 3U) |
        (one           ? 0U
         : width == 10 ? 1U
         : width == 14 ? 2U
                       : 3U)
            << 2 |
        (uint64_t)n << 4 | (uint64_t)size << (4 + width);
    for (k = 0; k < head; k++) {
        at[k] = (uint8_t)(x >> (8 * k));
    }
    return to;
}
/* Writes the literals of the block at hand in the form that takes the fewest bytes. *huf becomes the codes that
   the next block may use again. */
TACO__FN uint8_t *taco__zstd_encode_literals(taco__zstd_encoder *e, uint8_t *at, int8_t *huf)
{
    const uint8_t         *p = e->literal;
    size_t                 n = e->literals, tree_size, i;
    uint32_t               seen[256], most = 0;
    taco__zstd_encode_huf *fresh = &e->huf[e->huf_last == 0];
    uint64_t               again = UINT64_MAX, cost;
    uint8_t                tree[320], *end;
    if (n < 16) {
        return taco__zstd_encode_literals_plain(at, 0, p, n);
    }
    taco__zstd_encode_huf_count(seen, p, n);
    for (i = 0; i < 256; i++) {
        most = TACO__MAX(most, seen[i]);
    }
    if (most == n) {
        return taco__zstd_encode_literals_plain(at, 1, p, n);
    }
    if (e->huf_last >= 0) {
        again = taco__zstd_encode_huf_cost(&e->huf[e->huf_last], seen);
    }
    if (most <= (n >> 7) + 4 && again == UINT64_MAX) { /* as good as even */
        return taco__zstd_encode_literals_plain(at, 0, p, n);
    }
    taco__zstd_encode_huf_make(fresh, seen);
    tree_size = taco__zstd_encode_huf_write(tree, fresh);
    cost = tree_size ? taco__zstd_encode_huf_cost(fresh, seen) + 8 * tree_size : UINT64_MAX;
    if (TACO__MIN(cost, again) / 8 + n / 64 + 12 >= n) { /* too little to be worth the decoding */
        return taco__zstd_encode_literals_plain(at, 0, p, n);
    }
    if (again <= cost) {
        end = taco__zstd_encode_literals_coded(at, &e->huf[e->huf_last], NULL, 0, p, n);
    } else {
        end = taco__zstd_encode_literals_coded(at, fresh, tree, tree_size, p, n);
        *huf = end ? (int8_t)(fresh - e->huf) : *huf;
    }
    return end ? end : taco__zstd_encode_literals_plain(at, 0, p, n);
}

/* ---- sequences, §3.1.1.3.2 ---- */

/* Finds the codes of all the sequences and counts them. */
TACO__FN void taco__zstd_encode_sequence_codes(taco__zstd_encoder *e, uint32_t (*seen)[64])
{
    uint32_t i;
    memset(seen, 0, 3 * sizeof seen[0]);
    for (i = 0; i < e->seqs; i++) {
        const taco__zstd_encode_sequence *s = &e->seq[i];
        unsigned                          ll =
            s->literals < 64 ? e->ll_code[s->literals] : taco__zstd_top_bit(s->literals) + 19;
        unsigned ml = s->match < 128 ? e->ml_code[s->match] : taco__zstd_top_bit(s->match) + 36;
        unsigned of = taco__zstd_top_bit(s->value);
        e->code[TACO__ZSTD_LL][i] = (uint8_t)ll;
        e->code[TACO__ZSTD_OF][i] = (uint8_t)of;
        e->code[TACO__ZSTD_ML][i] = (uint8_t)ml;
        seen[TACO__ZSTD_LL][ll]++;
        seen[TACO__ZSTD_OF][of]++;
        seen[TACO__ZSTD_ML][ml]++;
    }
}
/* Chooses the table of a field, §3.1.1.3.2.1, and writes its description; returns the end. *mode becomes
   the mode, *use the table in e->fse[field] (none for one code). */
TACO__FN uint8_t *taco__zstd_encode_choose_table(taco__zstd_encoder *e, unsigned field,
                                                 const uint32_t *seen, uint8_t *at, unsigned *mode,
                                                 uint8_t *use)
{
    unsigned               last = e->fse_last[field], fresh = last == 1 ? 2 : 1;
    taco__zstd_encode_fse *f = &e->fse[field][fresh];
    unsigned               symbols = taco__zstd_seq_codes[field];
    const unsigned         first = e->code[field][0];
    uint64_t               standard, again = UINT64_MAX, cost;
    uint8_t               *end;
    if (seen[first] == e->seqs && e->seqs > 2) {
        *mode = 1;
        *use = 3;
        *at++ = (uint8_t)first;
        return at;
    }
    standard = taco__zstd_encode_fse_cost(&e->fse[field][0].c, seen, symbols);
    if (last) {
        again = taco__zstd_encode_fse_cost(&e->fse[field][last].c, seen, symbols);
    }
    if (seen[first] == e->seqs) { /* a table of one symbol cannot be described */
        cost = UINT64_MAX;
        end = at;
    } else {
        taco__zstd_encode_fse_normalize(&f->c, seen, symbols, e->seqs,
                                        taco__zstd_seq_max_log[field]);
        cost = taco__zstd_encode_fse_cost(&f->c, seen, symbols);
        end = taco__zstd_encode_fse_write_counts(at, &f->c);
        cost += (uint64_t)(end - at) * 8 * 256;
    }
    if (standard == UINT64_MAX && again == UINT64_MAX && cost == UINT64_MAX) {
        *mode = 1;
        *use = 3;
        *at++ = (uint8_t)first;
        return at;
    }
    if (again <= cost && again <= standard) {
        *mode = 3;
        *use = (uint8_t)last;
        return at;
    }
    if (standard <= cost) {
        *mode = 0;
        *use = 0;
        return at;
    }
    taco__zstd_encode_fse_build(f);
    *mode = 2;
    *use = (uint8_t)fresh;
    return end;
}
/* The bit stream: the decoder reads the three states and then, for each sequence, the further bits of
   offset, match and literals and those of the next states of literals, match and offset. All of it is
   written in the opposite order, from the last sequence to the first. At most 26 bits of states,
   63 of lengths and offset. */
TACO__FN uint8_t *taco__zstd_encode_sequence_bits(taco__zstd_encoder                 *e,
                                                  const taco__zstd_encode_fse *const *f,
                                                  uint8_t *at, uint8_t *stop)
{
    taco__bit_writer b = taco__bit_writer_init(at, stop);
    uint32_t         ll = 0, of = 0, ml = 0, i;
    for (i = e->seqs; i-- > 0;) {
        const taco__zstd_encode_sequence *s = &e->seq[i];
        const unsigned lc = e->code[TACO__ZSTD_LL][i], mc = e->code[TACO__ZSTD_ML][i];
        const unsigned oc = e->code[TACO__ZSTD_OF][i];
        const unsigned lb = e->extra[TACO__ZSTD_LL][lc], mb = e->extra[TACO__ZSTD_ML][mc];
        if (i + 1 == e->seqs) {
            of = taco__zstd_encode_fse_first(f[TACO__ZSTD_OF], oc);
            ml = taco__zstd_encode_fse_first(f[TACO__ZSTD_ML], mc);
            ll = taco__zstd_encode_fse_first(f[TACO__ZSTD_LL], lc);
        } else {
            taco__zstd_encode_fse_step(&b, f[TACO__ZSTD_OF], &of, oc);
            taco__zstd_encode_fse_step(&b, f[TACO__ZSTD_ML], &ml, mc);
            taco__zstd_encode_fse_step(&b, f[TACO__ZSTD_LL], &ll, lc);
        }
        if (TACO__UNLIKELY(lb + mb + oc > 30)) { /* 7 + 26 + 30 bits fit */
            taco__bit_writer_flush(&b);
            taco__bit_writer_put(&b, s->literals - e->base_of[TACO__ZSTD_LL][lc], lb);
            taco__bit_writer_put(&b, s->match + 3 - e->base_of[TACO__ZSTD_ML][mc], mb);
            taco__bit_writer_flush(&b);
        } else {
            taco__bit_writer_put(&b, s->literals - e->base_of[TACO__ZSTD_LL][lc], lb);
            taco__bit_writer_put(&b, s->match + 3 - e->base_of[TACO__ZSTD_ML][mc], mb);
        }
        taco__bit_writer_put(&b, s->value - (1U << oc), oc);
        taco__bit_writer_flush(&b);
    }
    taco__bit_writer_put(&b, ml & ((1U << f[TACO__ZSTD_ML]->c.log) - 1), f[TACO__ZSTD_ML]->c.log);
    taco__bit_writer_put(&b, of & ((1U << f[TACO__ZSTD_OF]->c.log) - 1), f[TACO__ZSTD_OF]->c.log);
    taco__bit_writer_put(&b, ll & ((1U << f[TACO__ZSTD_LL]->c.log) - 1), f[TACO__ZSTD_LL]->c.log);
    taco__bit_writer_flush(&b);
    return taco__bit_writer_finish(&b);
}

/* ---- finders ---- */

/* The Offset_Value of a distance, and what it makes of the last three distances, §3.1.1.5. After no
   literals the first of them is not among the three values, but the one less than it is. */
TACO__INLINE uint32_t taco__zstd_match_offset_value(uint32_t *repeat, uint32_t literals,
                                                    uint32_t distance)
{
    uint32_t value = distance + 3, none = literals == 0;
    if (distance == repeat[0] && !none) {
        return 1;
    }
    if (distance == repeat[1]) {
        repeat[1] = repeat[0];
        repeat[0] = distance;
        return 2 - none;
    }
    if (distance == repeat[2]) {
        value = 3 - none;
    } else if (none && distance == repeat[0] - 1) {
        value = 3;
    }
    repeat[2] = repeat[1];
    repeat[1] = repeat[0];
    repeat[0] = distance;
    return value;
}
/* Adds the sequence of a match at `at` of `match` >= 3 bytes, whose literals begin at `anchor`. A block's
   sequences are proven to fit: each stands for 3 bytes of it at least. */
TACO__INLINE void taco__zstd_match_add_sequence(taco__zstd_encoder *e, size_t anchor, size_t at,
                                                size_t match, size_t distance)
{
    taco__zstd_encode_sequence *s = &e->seq[e->seqs++];
    const size_t                n = at - anchor;
    uint8_t                    *to = e->literal + e->literals;
    if (TACO__LIKELY(e->len - at >= TACO__ZSTD_SLACK)) {
        taco__zstd_seq_copy(to, e->src + anchor, n);
    } else {
        memcpy(to, e->src + anchor, n);
    }
    e->literals += (uint32_t)n;
    s->literals = (uint32_t)n;
    s->match = (uint32_t)match - 3;
    s->value = taco__zstd_match_offset_value(e->repeat, s->literals, (uint32_t)distance);
}
/* A hash of the first `width` of 8 bytes */
TACO__INLINE uint32_t taco__zstd_match_hash(const uint8_t *p, unsigned width, unsigned log)
{
    return (uint32_t)((taco__load_le64(p) << (64 - 8 * width)) * TACO__XXH64_PRIME1 >> (64 - log));
}
/* Enters position i into a table of FAST or DOUBLE: its number above 8 more bits of its hash, which tell what cannot match
   without a look at the bytes. Returns the entry less the one it replaces: see taco__zstd_match_is_near. */
TACO__INLINE uint32_t taco__zstd_match_enter(uint32_t *table, const uint8_t *src, uint32_t base,
                                             size_t i, unsigned width, unsigned log)
{
    uint64_t h = (taco__load_le64(src + i) << (64 - 8 * width)) * TACO__XXH64_PRIME1;
    uint32_t entry = (base + (uint32_t)i) << 8 | (uint32_t)(h >> (56 - log) & 255);
    uint32_t less = entry - table[h >> (64 - log)];
    table[h >> (64 - log)] = entry;
    return less;
}
/* True when x, from taco__zstd_match_enter, is that of equal hashes and a position that is in the part and the window;
   x >> 8 is the distance. */
TACO__INLINE bool taco__zstd_match_is_near(const taco__zstd_encoder *e, size_t i, uint32_t x)
{
    return (x & 255) == 0 && (size_t)(x >> 8) - 1 < TACO__MIN(i, e->window);
}
/* True when the 4 bytes at i stand `distance` before, within the part and the window, too. */
TACO__INLINE bool taco__zstd_match_repeats(const taco__zstd_encoder *e, size_t i, uint32_t distance)
{
    return distance <= TACO__MIN(i, e->window) &&
           taco__load_le32(e->src + i) == taco__load_le32(e->src + i - distance);
}
/* True when x leads to the same 4 bytes, or 8. */
TACO__INLINE bool taco__zstd_match_is_match4(const taco__zstd_encoder *e, size_t i, uint32_t x)
{
    return taco__zstd_match_is_near(e, i, x) &&
           taco__load_le32(e->src + i) == taco__load_le32(e->src + i - (x >> 8));
}
TACO__INLINE bool taco__zstd_match_is_match8(const taco__zstd_encoder *e, size_t i, uint32_t x)
{
    return taco__zstd_match_is_near(e, i, x) &&
           taco__load_le64(e->src + i) == taco__load_le64(e->src + i - (x >> 8));
}
/* Steps a match at *i from m back, over bytes that are the same before both. */
TACO__INLINE size_t taco__zstd_match_extend_back(const uint8_t *src, size_t anchor, size_t *i,
                                                 size_t m)
{
    size_t n = 0;
    while (*i > anchor && m > 0 && src[*i - 1] == src[m - 1]) {
        --*i;
        --m;
        n++;
    }
    return n;
}

/* FAST: each position replaces the one before with the same hash. What did not match for long is
   looked at in wider and wider steps. Returns where the last literals begin. */
TACO__INLINE size_t taco__zstd_match_fast_body(taco__zstd_encoder *e, size_t i, size_t end,
                                               const unsigned width)
{
    const uint8_t *src = e->src;
    uint32_t      *table = e->hash;
    const uint32_t base = e->base;
    const unsigned log = e->level->hash;
    const size_t   stop = end - TACO__ZSTD_MATCH_TAIL;
    size_t         anchor = i;
    while (i < stop) {
        uint32_t x = taco__zstd_match_enter(table, src, base, i, width, log),
                 distance = e->repeat[0];
        size_t n;
        if (taco__zstd_match_repeats(e, i + 1, distance)) {
            i++;
            n = 4 + taco__lz_match_length(src + i + 4 - distance, src + i + 4, src + end);
        } else if (taco__zstd_match_is_match4(e, i, x)) {
            distance = x >> 8;
            n = 4 + taco__lz_match_length(src + i + 4 - distance, src + i + 4, src + end);
            n += taco__zstd_match_extend_back(src, anchor, &i, i - distance);
        } else {
            i += 1 + ((i - anchor) >> 7);
            continue;
        }
        taco__zstd_match_add_sequence(e, anchor, i, n, distance);
        i += n;
        if (i < stop) { /* two positions of the match, then matches that follow at once */
            taco__zstd_match_enter(table, src, base, i - n + 2, width, log);
            taco__zstd_match_enter(table, src, base, i - 2, width, log);
        }
        while (i < stop && taco__zstd_match_repeats(e, i, e->repeat[1])) {
            distance = e->repeat[1];
            n = 4 + taco__lz_match_length(src + i + 4 - distance, src + i + 4, src + end);
            taco__zstd_match_enter(table, src, base, i, width, log);
            taco__zstd_match_add_sequence(e, i, i, n, distance);
            i += n;
        }
        anchor = i;
    }
    return anchor;
}
TACO__NOINLINE size_t taco__zstd_match_fast5(taco__zstd_encoder *e, size_t i, size_t end)
{
    return taco__zstd_match_fast_body(e, i, end, 5);
}
TACO__NOINLINE size_t taco__zstd_match_fast6(taco__zstd_encoder *e, size_t i, size_t end)
{
    return taco__zstd_match_fast_body(e, i, end, 6);
}

/* DOUBLE: a match of 8 bytes is preferred to one of 5, also if it begins one byte later. */
TACO__NOINLINE size_t taco__zstd_match_double(taco__zstd_encoder *e, size_t i, size_t end)
{
    const uint8_t *src = e->src;
    uint32_t      *wide = e->hash, *narrow = e->second;
    const uint32_t base = e->base;
    const unsigned log = e->level->hash, log2 = e->level->second;
    const size_t   stop = end - TACO__ZSTD_MATCH_TAIL;
    size_t         anchor = i;
    while (i < stop) {
        uint32_t x = taco__zstd_match_enter(wide, src, base, i, 8, log);
        uint32_t y = taco__zstd_match_enter(narrow, src, base, i, 5, log2), distance = e->repeat[0];
        size_t   n;
        if (taco__zstd_match_repeats(e, i + 1, distance)) {
            i++;
            n = 4 + taco__lz_match_length(src + i + 4 - distance, src + i + 4, src + end);
        } else if (taco__zstd_match_is_match8(e, i, x)) {
            distance = x >> 8;
            n = 8 + taco__lz_match_length(src + i + 8 - distance, src + i + 8, src + end);
            n += taco__zstd_match_extend_back(src, anchor, &i, i - distance);
        } else if (taco__zstd_match_is_match4(e, i, y)) {
            distance = y >> 8;
            x = taco__zstd_match_enter(wide, src, base, i + 1, 8, log);
            if (taco__zstd_match_is_match8(e, i + 1, x)) {
                i++;
                distance = x >> 8;
            }
            n = 4 + taco__lz_match_length(src + i + 4 - distance, src + i + 4, src + end);
            n += taco__zstd_match_extend_back(src, anchor, &i, i - distance);
        } else {
            i += 1 + ((i - anchor) >> 8);
            continue;
        }
        taco__zstd_match_add_sequence(e, anchor, i, n, distance);
        i += n;
        if (i < stop) {
            taco__zstd_match_enter(wide, src, base, i - n + 2, 8, log);
            taco__zstd_match_enter(narrow, src, base, i - n + 2, 5, log2);
            taco__zstd_match_enter(wide, src, base, i - 2, 8, log);
            taco__zstd_match_enter(narrow, src, base, i - 1, 5, log2);
        }
        while (i < stop && taco__zstd_match_repeats(e, i, e->repeat[1])) {
            distance = e->repeat[1];
            n = 4 + taco__lz_match_length(src + i + 4 - distance, src + i + 4, src + end);
            taco__zstd_match_enter(wide, src, base, i, 8, log);
            taco__zstd_match_enter(narrow, src, base, i, 5, log2);
            taco__zstd_match_add_sequence(e, i, i, n, distance);
            i += n;
        }
        anchor = i;
    }
    return anchor;
}

/* CHAIN: of each position, the one before with the same hash of 4 bytes. `second` is a ring, and a
   chain ends where it was written over. Returns the length of the best match at i, and 3 for none. */
TACO__FN size_t taco__zstd_match_chain(taco__zstd_encoder *e, size_t i, size_t end,
                                       size_t *distance)
{
    const uint8_t *src = e->src;
    const uint32_t base = e->base, mask = (1U << e->level->second) - 1;
    const size_t   farthest = TACO__MIN(e->window, (size_t)mask);
    size_t         best = 3, m, before = i;
    unsigned       tries = e->level->tries;
    for (; e->added < i; e->added++) {
        uint32_t *head = &e->hash[taco__zstd_match_hash(src + e->added, 4, e->level->hash)];
        e->second[(base + (uint32_t)e->added) & mask] = *head;
        *head = base + (uint32_t)e->added;
    }
    m = (uint32_t)(e->hash[taco__zstd_match_hash(src + i, 4, e->level->hash)] - base);
    for (; tries && m < before && i - m <= farthest; tries--) {
        if (i + best < end &&
            taco__load_le32(src + m + best - 3) == taco__load_le32(src + i + best - 3)) {
            size_t n = taco__lz_match_length(src + m, src + i, src + end);
            if (n > best) {
                best = n;
                *distance = i - m;
            }
        }
        before = m;
        m = (uint32_t)(e->second[(base + (uint32_t)m) & mask] - base);
    }
    return best;
}
/* What a match saves, in quarters of a byte: a near one is cheaper to write. */
TACO__INLINE int32_t taco__zstd_match_gain(size_t match, size_t distance)
{
    return (int32_t)match * 4 - (int32_t)taco__zstd_top_bit((uint32_t)distance + 1);
}
/* The best match at i, one with the last distance included, if it gains more than *best at *at, which
   has to be beaten by `lead`. */
TACO__INLINE bool taco__zstd_match_better(taco__zstd_encoder *e, size_t i, size_t end, int32_t lead,
                                          size_t *at, size_t *best, size_t *distance)
{
    const uint32_t last = e->repeat[0];
    const int32_t  have = taco__zstd_match_gain(*best, *distance) + lead;
    size_t         n, d = 0;
    bool           found = false;
    int32_t        gain = have;
    if (taco__zstd_match_repeats(e, i, last)) {
        n = 4 + taco__lz_match_length(e->src + i + 4 - last, e->src + i + 4, e->src + end);
        if ((int32_t)n * 4 - 1 > gain) {
            gain = (int32_t)n * 4 - 1;
            *at = i;
            *best = n;
            *distance = last;
            found = true;
        }
    }
    n = taco__zstd_match_chain(e, i, end, &d);
    if (n > 3 && taco__zstd_match_gain(n, d) > gain) {
        *at = i;
        *best = n;
        *distance = d;
        found = true;
    }
    return found;
}
TACO__NOINLINE size_t taco__zstd_match_lazy(taco__zstd_encoder *e, size_t i, size_t end)
{
    const uint8_t *src = e->src;
    const size_t   stop = end - TACO__ZSTD_MATCH_TAIL;
    size_t         anchor = i;
    while (i < stop) {
        size_t   at = i, best = 0, distance = 1, n;
        unsigned ahead = 0;
        if (!taco__zstd_match_better(e, i, end, 0, &at, &best, &distance) &&
            !(i + 1 < stop && taco__zstd_match_repeats(e, i + 1, e->repeat[0]) &&
              taco__zstd_match_better(e, i + 1, end, 0, &at, &best, &distance))) {
            i += 1 + ((i - anchor) >> 8);
            continue;
        }
        i = at;
        while (ahead < e->level->lazy && i + 1 < stop) { /* does it pay to begin later? */
            ahead++;
            i++;
            if (taco__zstd_match_better(e, i, end, ahead == 1 ? 4 : 7, &at, &best, &distance)) {
                ahead = 0;
            }
        }
        n = at - distance;
        best += taco__zstd_match_extend_back(src, anchor, &at, n);
        taco__zstd_match_add_sequence(e, anchor, at, best, distance);
        i = at + best;
        while (i < stop && taco__zstd_match_repeats(e, i, e->repeat[1])) {
            distance = e->repeat[1];
            n = 4 + taco__lz_match_length(src + i + 4 - distance, src + i + 4, src + end);
            taco__zstd_match_add_sequence(e, i, i, n, distance);
            i += n;
        }
        anchor = i;
    }
    return anchor;
}

/* ---- blocks and frames, §3.1.1 ---- */

/* Cuts the block [from, from + n) of the part into sequences and literals. */
TACO__FN void taco__zstd_match_block(taco__zstd_encoder *e, size_t from, size_t n)
{
    size_t end = from + n, anchor = from, left;
    e->seqs = e->literals = 0;
    switch (e->level->kind) {
    case TACO__ZSTD_MATCH_FAST:
        anchor = e->level->width == 5 ? taco__zstd_match_fast5(e, from, end)
                                      : taco__zstd_match_fast6(e, from, end);
        break;
    case TACO__ZSTD_MATCH_DOUBLE: anchor = taco__zstd_match_double(e, from, end); break;
    default: anchor = taco__zstd_match_lazy(e, from, end); break;
    }
    left = end - anchor;
    memcpy(e->literal + e->literals, e->src + anchor, left);
    e->literals += (uint32_t)left;
}
/* Encodes the sequences and literals at hand into e->out; returns the bytes, 0 when they are no
   fewer than n. Only then is what later blocks may use again unchanged. */
TACO__FN size_t taco__zstd_encode_compressed(taco__zstd_encoder *e, size_t n)
{
    uint8_t                     *at, *modes, *stop = e->out + TACO__ZSTD_BLOCK_MAX + 512;
    const taco__zstd_encode_fse *f[3];
    uint32_t                     seen[3][64];
    int8_t                       huf = e->huf_last;
    uint8_t                      use[3] = {0, 0, 0};
    unsigned                     field, mode = 0;
    at = taco__zstd_encode_literals(e, e->out, &huf);
    if (e->seqs < 128) {
        *at++ = (uint8_t)e->seqs;
    } else if (e->seqs < 0x7F00) {
        *at++ = (uint8_t)(128 + (e->seqs >> 8));
        *at++ = (uint8_t)e->seqs;
    } else {
        *at++ = 255;
        *at++ = (uint8_t)(e->seqs - 0x7F00);
        *at++ = (uint8_t)((e->seqs - 0x7F00) >> 8);
    }
    if (e->seqs) {
        taco__zstd_encode_sequence_codes(e, seen);
        modes = at++;
        *modes = 0;
        for (field = 0; field < 3; field++) {
            at = taco__zstd_encode_choose_table(e, field, seen[field], at, &mode, &use[field]);
            *modes = (uint8_t)(*modes | mode << (6 - 2 * field));
            f[field] = &e->fse[field][use[field]];
        }
        at = taco__zstd_encode_sequence_bits(e, f, at, stop);
    }
    if (!at || (size_t)(at - e->out) >= n) {
        return 0;
    }
    e->huf_last = huf;
    for (field = 0; field < 3 && e->seqs; field++) {
        e->fse_last[field] = (uint8_t)(use[field] % 3);
    }
    return (size_t)(at - e->out);
}
/* Writes the block [from, from + n) of the part at dst, as it is if it does not shrink. False when
   it takes more than `cap` bytes; *size is what it takes. */
TACO__FN bool taco__zstd_encode_block(taco__zstd_encoder *e, size_t from, size_t n, bool last,
                                      bool first, uint8_t *dst, size_t cap, size_t *size)
{
    const uint8_t *p = e->src + from;
    uint32_t       repeat[3], head;
    unsigned       type = 2;
    size_t         packed;
    memcpy(repeat, e->repeat, sizeof repeat);
    /* One byte repeated: not in a frame's first block: libzstd before 1.4.4 does not always read that. */
    if (n <= TACO__ZSTD_ENCODE_MIN_BYTES) {
        type = 0;
        packed = n;
    } else if (!first && memcmp(p, p + 1, n - 1) == 0) {
        type = 1;
        packed = 1;
        e->out[0] = p[0];
    } else {
        taco__zstd_match_block(e, from, n);
        packed = taco__zstd_encode_compressed(e, n);
        if (!packed) {
            type = 0;
            packed = n;
            memcpy(e->repeat, repeat, sizeof repeat);
        }
    }
    *size = 3 + packed;
    if (cap < *size) {
        return false;
    }
    head = (uint32_t)last | type << 1 | (uint32_t)(type == 1 ? n : packed) << 3;
    dst[0] = (uint8_t)head;
    dst[1] = (uint8_t)(head >> 8);
    dst[2] = (uint8_t)(head >> 16);
    if (packed) {
        memcpy(dst + 3, type == 0 ? p : e->out, packed);
    }
    return true;
}
/* The frame's header at `to`, at most 14 bytes, §3.1.1.1: with the size of the content always, and
   without a window when it is not larger. Returns its size. */
TACO__FN size_t taco__zstd_encode_header(uint8_t *to, uint64_t n, unsigned window, bool checksum)
{
    const bool     single = n <= (uint64_t)1 << window;
    const unsigned flag = n < 256 && single ? 0U : n < 65536 + 256 ? 1U : n <= UINT32_MAX ? 2U : 3U;
    size_t         at = 5, k;
    uint64_t       content = flag == 1 ? n - 256 : n;
    taco__put_le32(to, 0xFD2FB528U);
    to[4] = (uint8_t)(flag << 6 | (unsigned)single << 5 | (unsigned)checksum << 2);
    if (!single) {
        to[at++] = (uint8_t)((window - 10) << 3);
    }
    for (k = 0; k < (size_t)1 << flag; k++) {
        to[at++] = (uint8_t)(content >> (8 * k));
    }
    return at;
}
/* The most bytes that a frame of n bytes takes; false when that is not a size. */
TACO__FN bool taco__zstd_encode_bound(size_t n, size_t *bound)
{
    return taco__checked_add_size(n, n / TACO__ZSTD_BLOCK_MAX * 3 + 3 + 14 + 4, bound);
}
/* Begins a part: its positions get numbers above all before, or the tables are cleared. Where a number has 24 bits, a part
   may be longer than they reach: its own positions are then taken for nearer ones, which the bytes there tell. */
TACO__FN void taco__zstd_encode_begin_part(taco__zstd_encoder *e, const uint8_t *src, size_t len)
{
    const uint32_t most = e->level->kind == TACO__ZSTD_MATCH_CHAIN ? UINT32_MAX : 0xFFFFFF;
    if (len >= most - e->used) {
        memset(e->hash, 0, sizeof *e->hash << e->level->hash);
        if (e->second) {
            memset(e->second, 0, sizeof *e->second << e->level->second);
        }
        e->used = 1;
    }
    e->base = e->used;
    e->used = (uint32_t)TACO__MIN(e->used + len, (size_t)most);
    e->src = src;
    e->len = len;
    e->added = 0;
}
/* Encodes `in` into one frame at dst, which has room for cap bytes (those of taco__zstd_encode_bound are
   always enough) and does not overlap it; *size becomes the frame's size. ARGUMENT when cap is too
   small, and dst then holds garbage. e may be used again after a failure. */
TACO__FN taco_status taco__zstd_encode(taco__zstd_encoder *e, taco_bytes in, bool checksum,
                                       uint8_t *dst, size_t cap, size_t *size, taco_error *err)
{
    static const uint32_t first[3] = {1, 4, 8}; /* §3.1.1.5 */
    uint8_t               head[14];
    size_t                at, part = 0, from = 0, n, used = 0;
    bool                  ok;
    *size = 0;
    memcpy(e->repeat, first, sizeof first);
    e->huf_last = -1;
    memset(e->fse_last, 0, sizeof e->fse_last);
    e->window = (size_t)1 << e->level->window;
    at = taco__zstd_encode_header(head, in.len, e->level->window, checksum);
    ok = cap >= at;
    if (ok) {
        memcpy(dst, head, at);
    }
    do {
        if (!ok) {
            break;
        }
        n = TACO__MIN(in.len - from, (size_t)TACO__ZSTD_BLOCK_MAX);
        if (from % TACO__ZSTD_ENCODE_PART == 0) {
            part = from;
            taco__zstd_encode_begin_part(e, in.data + part,
                                         TACO__MIN(in.len - part, TACO__ZSTD_ENCODE_PART));
        }
        ok = taco__zstd_encode_block(e, from - part, n, from + n == in.len, from == 0, dst + at,
                                     cap - at, &used);
        at += ok ? used : 0;
        from += n;
    } while (ok && from < in.len);
    if (ok && checksum) {
        ok = cap - at >= 4;
        if (ok) {
            taco__put_le32(dst + at, (uint32_t)taco__xxh64_hash(0, in.data, in.len));
            at += 4;
        }
    }
    if (!ok) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a ZSTD frame of %u bytes of data does not fit into %u bytes",
                          TACO__U(in.len), TACO__U(cap));
    }
    *size = at;
    return TACO_OK;
}
/* Makes the encoder of a level, 1 ... TACO__ZSTD_ENCODE_MAX_LEVEL, what is beyond becomes the nearest. NULL on failure. It is
   for any number of frames, one after the other, which need no further memory. */
TACO__FN taco__zstd_encoder *taco__zstd_encode_open(taco__mem *mem, int level, taco_error *err)
{
    static const int8_t *const counts[3] = {taco__zstd_seq_ll_counts, taco__zstd_seq_of_counts,
                                            taco__zstd_seq_ml_counts};
    static const uint8_t       symbols[3] = {36, 29, 53}, log[3] = {6, 5, 6};
    const int                  k = level < 1 ? 1 : TACO__MIN(level, TACO__ZSTD_ENCODE_MAX_LEVEL);
    const taco__zstd_encode_level *l = &taco__zstd_encode_levels[k - 1];
    const size_t                   hash = sizeof(uint32_t) << l->hash;
    const size_t                   second = l->second ? sizeof(uint32_t) << l->second : 0;
    const size_t                   size = sizeof(taco__zstd_encoder) + hash + second;
    taco__zstd_encoder            *e = (taco__zstd_encoder *)taco__mem_alloc(mem, size, err);
    unsigned                       field, s, i;
    if (!e) {
        return NULL;
    }
    e->mem = mem;
    e->size = size;
    e->level = l;
    e->hash = (uint32_t *)(void *)(e + 1);
    e->second = second ? e->hash + ((size_t)1 << l->hash) : NULL;
    e->used = 1;
    for (field = 0; field < 3; field++) {
        taco__zstd_fse_counts *c = &e->fse[field][0].c;
        c->symbols = symbols[field];
        c->log = log[field];
        for (s = 0; s < c->symbols; s++) {
            c->n[s] = counts[field][s];
        }
        taco__zstd_encode_fse_build(&e->fse[field][0]);
        taco__zstd_seq_values(field, e->base_of[field], e->extra[field]);
    }
    for (s = i = 0; i < 64; i++) {
        s += i >= e->base_of[TACO__ZSTD_LL][s + 1];
        e->ll_code[i] = (uint8_t)s;
    }
    for (s = i = 0; i < 128; i++) {
        s += i + 3 >= e->base_of[TACO__ZSTD_ML][s + 1];
        e->ml_code[i] = (uint8_t)s;
    }
    return e;
}
/* NULL is accepted. */
TACO__FN void taco__zstd_encode_close(taco__zstd_encoder *e)
{
    if (e) {
        taco__mem_free(e->mem, e, e->size);
    }
}
