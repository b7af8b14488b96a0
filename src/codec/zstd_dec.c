/* ==== ROOM zstd_dec: decode ZSTD frames. Uses: hash mem. Spec: RFC 8878, cited by section ==== */

/* A frame is a header and blocks of up to 128 KiB. A compressed block is a section of literals,
   mostly Huffman codes in four streams, and a section of sequences: "copy so many literals, then
   repeat so many bytes from so far back", whose three numbers are codes of three finite state
   tables with further bits behind them. What costs time are two loops: taco__zstd_huf4_body and
   taco__zstd_seq_run_body. Both exist twice, the second time for processors with BMI2, whose shifts
   take any register and leave the flags alone.

   Every stream must be consumed to its last bit, and no block may give more than the frame's
   header allows. A decoder that is laxer would turn damage into data. */

#define TACO__ZSTD_BLOCK_MAX    131072U /* the largest block, §3.1.1.2.4 */
#define TACO__ZSTD_HUF_MAX_BITS 11      /* the longest Huffman code, §4.2.1 */
#define TACO__ZSTD_HUF_SYMBOL                                                                      \
    ((1 << TACO__ZSTD_HUF_MAX_BITS) + 64) /* from a code's length to its symbol */
#define TACO__ZSTD_SLACK 32 /* bytes that copies read and write behind what they are asked for */
TACO__STATIC_ASSERT(zstd_slack, TACO__ZSTD_SLACK <= TACO__PAD);

/* One state of a finite state decoder. The value it stands for is base + the next `extra` bits.
   The cell that follows lies next + the next `bits` bits behind this one: a distance, which is
   often negative, so that a state is an address and the decoding loop needs no table's address
   besides. */
typedef struct taco__zstd_fse_cell {
    uint32_t base;
    int16_t  next;
    uint8_t  extra, bits;
} taco__zstd_fse_cell;

/* The three fields of a sequence, in the order of their tables in the header, §3.1.1.3.2.1 */
enum { TACO__ZSTD_LL, TACO__ZSTD_OF, TACO__ZSTD_ML };

/* What lives from block to block, 146 KiB. Zeroed by the caller before the first use; then good
   for any number of frames, one after the other. It owns nothing and may be copied. */
typedef struct taco__zstd_decoder {
    bool     standard_ready; /* the predefined tables are built, by the first who needs them */
    bool     known[3];       /* the field has a table in this frame, which mode Repeat can repeat */
    uint8_t  log[3];         /* its number of states is 1 << log */
    uint16_t table[3];       /* its first cell */
    bool     huf_ready;      /* huf is a table of this frame */
    uint32_t repeat[3];      /* the last three offsets, the latest first, §3.1.1.5 */
    /* What stands above begins as zeros; what follows is written before it is read.
       Three tables of up to 512 cells that the frame described, then the three predefined ones. */
    taco__zstd_fse_cell cells[3 * (512 + 64)];
    /* by the next 11 bits of a stream: the length of the code there, and TACO__ZSTD_HUF_SYMBOL
       behind it its symbol; the last 7 of each are written, not read */
    uint8_t huf[2 * TACO__ZSTD_HUF_SYMBOL];
    uint8_t literals[TACO__ZSTD_BLOCK_MAX + TACO__ZSTD_SLACK]; /* of the block at hand */
} taco__zstd_decoder;

/* One call of the decoder, and the frame it is in. */
typedef struct taco__zstd_decode_job {
    taco__zstd_decoder *z;
    const uint8_t      *begin, *at, *end; /* of the input */
    taco__buf          *out;
    size_t      start, frame; /* where in out this call's bytes and this frame's bytes begin */
    size_t      limit;        /* the most bytes that the call may append */
    uint64_t    content;      /* Frame_Content_Size, if has_content */
    uint32_t    block_max;    /* Block_Maximum_Size */
    bool        has_content, has_checksum;
    taco_error *err;
} taco__zstd_decode_job;

#define TACO__ZSTD_FAIL(j, code, where, ...)                                                       \
    TACO__FAIL((j)->err, code, TACO__U((where) - (j)->begin), __VA_ARGS__)

TACO__INLINE unsigned taco__zstd_top_bit(uint32_t x)
{
    return 63 - taco__plat_clz64(x);
} /* the highest bit set, x != 0 */

/* ---- bits ---- */

/* A bit stream that is read from its end backward, §4.1: pos bits are left, and the next one to
   read is the highest of them. A field is just cut out of a word. */
typedef struct taco__zstd_bits {
    const uint8_t *data;
    size_t         pos;
    uint64_t low; /* the first 8 bytes of data, or fewer and zeros: the input may begin here, and
                           no load may reach before it */
} taco__zstd_bits;

/* The writer ended the stream with a bit 1 and zeros up to a whole byte. False when that bit is
   not in the last byte. */
TACO__FN bool taco__zstd_bits_init(taco__zstd_bits *b, const uint8_t *data, size_t len)
{
    size_t i;
    if (len == 0 || data[len - 1] == 0) {
        return false;
    }
    b->data = data;
    b->pos = (len - 1) * 8 + taco__zstd_top_bit(data[len - 1]);
    b->low = 0;
    for (i = 0; i < len && i < 8; i++) {
        b->low |= (uint64_t)data[i] << (8 * i);
    }
    return true;
}
/* The next 56 bits or more, from bit 63 down, and zeros behind the stream's last. A word that ends
   with the byte of the next bit never reaches behind the stream: that byte is part of it. */
TACO__INLINE uint64_t taco__zstd_bits_peek(const taco__zstd_bits *b)
{
    if (b->pos >= 64) {
        return taco__load_le64(b->data + (b->pos >> 3) - 7) << (8 - (b->pos & 7));
    }
    return b->pos ? b->low << (64 - b->pos) : 0;
}
/* Reads n <= 32 bits into *out; false when fewer are left. */
TACO__INLINE bool taco__zstd_bits_read(taco__zstd_bits *b, unsigned n, uint32_t *out)
{
    if (n > b->pos) {
        return false;
    }
    *out = (uint32_t)(taco__zstd_bits_peek(b) >> 1 >> (63 - n)); /* in two steps, as n may be 0 */
    b->pos -= n;
    return true;
}

/* ---- finite state tables, §4.1.1 ---- */

typedef struct taco__zstd_fse_counts {
    int16_t
        n[256]; /* of cells a symbol has; -1: one cell, behind which all the bits are read anew */
    unsigned symbols, log;
} taco__zstd_fse_counts;

/* Up to 25 bits at bit pos of a forward stream; zeros behind its end. */
TACO__FN uint32_t taco__zstd_fse_peek(const uint8_t *p, size_t len, size_t pos)
{
    size_t   i = pos >> 3, k;
    uint32_t x = 0;
    for (k = 0; k < 4 && i + k < len; k++) {
        x |= (uint32_t)p[i + k] << (8 * k);
    }
    return x >> (pos & 7);
}
/* Reads the description of a table: the counts of symbols 0, 1, ... until all the cells are dealt
   out. Returns the bytes it takes, or 0 when it is not one of at most max_symbols and max_log. */
TACO__FN size_t taco__zstd_fse_read_counts(taco__zstd_fse_counts *c, const uint8_t *p, size_t len,
                                           unsigned max_symbols, unsigned max_log)
{
    size_t   pos = 4;
    unsigned left, s = 0;
    if (len == 0) {
        return 0;
    }
    c->log = 5 + (p[0] & 15U);
    if (c->log > max_log) {
        return 0;
    }
    for (left = 1U << c->log; left && s < max_symbols;) {
        /* The next number is 0 ... left + 1, for counts from -1. It has `width` bits, but as that
           could say more, the lowest `spare` numbers do without the highest of them. */
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
        while (x == 1) { /* pairs of bits count further zeros; 3 goes on */
            unsigned zeros = taco__zstd_fse_peek(p, len, pos) & 3;
            pos += 2;
            for (x = zeros == 3; zeros && s < max_symbols; zeros--) {
                c->n[s++] = 0;
            }
            if (zeros || pos > len * 8) {
                return 0;
            }
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
    uint8_t  symbol[512], line[512 + 8]; /* by state; in the order of the walk */
    unsigned size = 1U << c->log, high = size, pos = 0, step = (size >> 1) + (size >> 3) + 3, s, i;
    int      k;
    for (s = i = 0; s < c->symbols; s++) {
        const uint64_t eight = s * UINT64_C(0x0101010101010101);
        next[s] = (uint16_t)(c->n[s] < 0 ? 1 : c->n[s]);
        for (k = 0; k < c->n[s]; k += 8) { /* up to 7 too many */
            taco__put_le64(line + i + (unsigned)k, eight);
        }
        high -= c->n[s] < 0;
        i += c->n[s] < 0 ? 0 : (unsigned)c->n[s];
    }
    line[i] = 0; /* read, and not kept */
    /* The walk visits every state once. Those of the rare symbols take nothing, and are set behind it: no branch. */
    for (i = s = 0; i < size; i++) {
        symbol[pos] = line[s];
        s += pos < high;
        pos = (pos + step) & (size - 1);
    }
    for (s = 0, i = size; s < c->symbols; s++) {
        if (c->n[s] < 0) {
            symbol[--i] = (uint8_t)s;
        }
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

/* Weights packed by a finite state code with two states that take turns, §4.2.1.2. It ends where a
   state finds too few bits to go on: no count is stored. Returns how many, 0 on failure; `weights`
   has room for 255. */
TACO__FN unsigned taco__zstd_huf_packed_weights(uint8_t *weights, const uint8_t *p, size_t len)
{
    static const uint8_t  no_extra[13] = {0};
    uint32_t              value[13], state[2] = {0, 0}, step;
    taco__zstd_fse_cell   cell[64];
    taco__zstd_fse_counts c;
    taco__zstd_bits       b;
    unsigned              n;
    size_t                head = taco__zstd_fse_read_counts(&c, p, len, 13, 6);
    if (!head || !taco__zstd_bits_init(&b, p + head, len - head)) {
        return 0;
    }
    for (n = 0; n < 13; n++) {
        value[n] = n;
    }
    taco__zstd_fse_build(cell, &c, value, no_extra);
    if (!taco__zstd_bits_read(&b, c.log, &state[0]) ||
        !taco__zstd_bits_read(&b, c.log, &state[1])) {
        return 0;
    }
    n = 0;
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
    for (; n < 254; n++) {
        const taco__zstd_fse_cell *now = &cell[state[n & 1]];
        weights[n] = (uint8_t)now->base;
        if (!taco__zstd_bits_read(&b, now->bits, &step)) {
            weights[n + 1] = (uint8_t)cell[state[~n & 1]].base; /* the other state's last word */
            return n + 2;
        }
        state[n & 1] = (uint32_t)((int)(state[n & 1] + step) + now->next);
    }
    return 0;
}
/* Reads the weights of a Huffman tree, §4.2.1.1: *n of them, of which the last of all is left out.
   Returns the bytes they take, 0 on failure. */
TACO__FN size_t taco__zstd_huf_weights(uint8_t *weights, unsigned *n, const uint8_t *p, size_t len)
{
    size_t   size;
    unsigned i;
    if (len == 0) {
        return 0;
    }
    if (p[0] < 128) { /* a number of bytes, packed */
        size = p[0];
        if (size >= len) {
            return 0;
        }
        *n = taco__zstd_huf_packed_weights(weights, p + 1, size);
        return *n ? size + 1 : 0;
    }
    *n = p[0] - 127U; /* a number of weights, four bits each */
    size = (*n + 1) / 2;
    if (size >= len) {
        return 0;
    }
    for (i = 0; i < *n; i++) {
        weights[i] = (uint8_t)(i & 1 ? p[1 + i / 2] & 15 : p[1 + i / 2] >> 4);
    }
    return size + 1;
}
/* Reads a tree into z->huf; returns the bytes of its description, 0 when it is not one. Weight w
   means a code of log + 1 - w bits, 0 no code, §4.2.1.3. Codes are given out from the longest, by
   symbol, so the table simply fills from its start. It is always for 11 bits, whatever the longest
   code has, which keeps the decoding loop to one shift. */
TACO__FN size_t taco__zstd_huf_read(taco__zstd_decoder *z, const uint8_t *p, size_t len)
{
    uint8_t  weights[256];
    unsigned start[TACO__ZSTD_HUF_MAX_BITS + 2] = {0}, count[TACO__ZSTD_HUF_MAX_BITS + 2] = {0};
    unsigned n, i, log, at;
    uint8_t  order[256]; /* the symbols by weight */
    uint8_t *to;
    uint32_t sum = 0, rest;
    size_t   size = taco__zstd_huf_weights(weights, &n, p, len);
    if (!size) {
        return 0;
    }
    for (i = 0; i < n; i++) {
        if (weights[i] > TACO__ZSTD_HUF_MAX_BITS) {
            return 0;
        }
        count[weights[i]]++;
        sum += (1U << weights[i]) >> 1;
    }
    /* the weight left out makes the sum a power of two, and must be a weight itself, §4.2.1.1 */
    log = sum ? taco__zstd_top_bit(sum) + 1 : 0;
    rest = (1U << log) - sum;
    if (!sum || log > TACO__ZSTD_HUF_MAX_BITS || (rest & (rest - 1))) {
        return 0;
    }
    weights[n] = (uint8_t)(taco__zstd_top_bit(rest) + 1);
    count[weights[n++]]++;
    if (count[1] < 2) { /* a full tree has a pair of longest codes */
        return 0;
    }
    for (i = 1, at = count[0]; i <= log; i++) {
        start[i] = at;
        at += count[i];
    }
    for (i = 0; i < n; i++) {
        order[start[weights[i]]++] = (uint8_t)i;
    }
    for (i = 1, at = count[0], to = z->huf; i <= log; i++) { /* by weight, and for each by symbol */
        const uint64_t lens = (log + 1 - i) * UINT64_C(0x0101010101010101);
        unsigned       span = 1U << (i - 1 + TACO__ZSTD_HUF_MAX_BITS - log), end = at + count[i], k;
        for (; at < end; at++, to += span) {
            const uint64_t symbols = order[at] * UINT64_C(0x0101010101010101);
            for (k = 0; k < span; k += 8) { /* what is too much the next symbol writes over */
                taco__put_le64(to + k, lens);
                taco__put_le64(to + k + TACO__ZSTD_HUF_SYMBOL, symbols);
            }
        }
    }
    z->huf_ready = true;
    return size;
}

/* Decodes the symbols of one stream into [to, end), checking each. The stream must end with the
   last of them, not before and not behind, §4.2.2. */
TACO__FN bool taco__zstd_huf_decode_rest(const uint8_t *table, taco__zstd_bits *b, uint8_t *to,
                                         uint8_t *end)
{
    while (to < end) {
        uint64_t x = taco__zstd_bits_peek(b);
        unsigned i;
        for (i = 0; i < 5 && to < end; i++) { /* 5 codes of 11 bits fit the 56 that are there */
            const uint8_t *code = table + (size_t)(x >> (64 - TACO__ZSTD_HUF_MAX_BITS));
            unsigned       n = code[0];
            if (n > b->pos) {
                return false;
            }
            x <<= n;
            b->pos -= n;
            *to++ = code[TACO__ZSTD_HUF_SYMBOL];
        }
    }
    return b->pos == 0;
}

typedef struct taco__zstd_huf4 { /* the four streams of a literals section */
    const uint8_t  *table;
    taco__zstd_bits b[4];
    const uint8_t  *at[4];
    unsigned shift; /* 64 - TACO__ZSTD_HUF_MAX_BITS: as a variable, an instruction less on x86 */
    uint8_t *to[4], *end[4];
} taco__zstd_huf4;

/* One symbol of stream k. Lengths and symbols are bytes apart: a load from an index that is not scaled comes a cycle sooner
   on many processors, and the next symbol waits for the length. */
#define TACO__ZSTD_HUF_STEP(k, i)                                                                  \
    code = (size_t)(x##k >> shift);                                                                \
    x##k <<= table[code] & 63;                                                                     \
    to##k[i] = table[code + TACO__ZSTD_HUF_SYMBOL];
/* Two symbols of each stream: all streams are near enough for the processor to see them at once, and stores to one line
   stand together. */
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
   is always set; it moves up as bits are read, and where it is tells how many were. The addresses
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
   which with the up to 8 read before moves a stream by up to 7 bytes. So as many rounds go without
   a check as the shortest stream has times 7 bytes. Each symbol waits for the one before, but the
   four streams do not wait for each other. The rest is left to taco__zstd_huf_decode_rest. */
TACO__INLINE void taco__zstd_huf4_body(taco__zstd_huf4 *h)
{
    const uint8_t *table = h->table, *at;
    uint8_t       *to0 = h->to[0], *to1 = h->to[1], *to2 = h->to[2], *to3 = h->to[3], *stop;
    uint64_t       x0, x1, x2, x3;
    const unsigned shift = h->shift;
    unsigned       k, read;
    size_t         code;
    for (k = 0; k < 4; k++) {
        if (h->b[k].pos < 64) {
            return;
        }
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
        if (n == 0) {
            break;
        }
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
TACO__NOINLINE void taco__zstd_huf4_plain(taco__zstd_huf4 *h)
{
    taco__zstd_huf4_body(h);
}
#if TACO__X86
TACO__NOINLINE TACO__TARGET("bmi,bmi2") void taco__zstd_huf4_bmi2(taco__zstd_huf4 *h)
{
    taco__zstd_huf4_body(h);
}
#endif
TACO__FN void taco__zstd_huf4_decode(taco__zstd_huf4 *h)
{
#if TACO__X86
    if (TACO__CPU_HAS("bmi2")) {
        taco__zstd_huf4_bmi2(h);
        return;
    }
#endif
    taco__zstd_huf4_plain(h);
}
/* Finds the four streams behind a table of the sizes of the first three, §3.1.1.3.1.6. Each of the
   first three holds a quarter of the n literals, rounded up. */
TACO__FN bool taco__zstd_huf4_open(taco__zstd_huf4 *h, const uint8_t *table, const uint8_t *p,
                                   size_t len, uint8_t *to, size_t n)
{
    size_t at = 6, k, part = (n + 3) / 4;
    if (len < 6 || n < 6 || part * 3 > n) { /* fewer than 6 have no use for four streams */
        return false;
    }
    h->table = table;
    h->shift = 64 - TACO__ZSTD_HUF_MAX_BITS;
    for (k = 0; k < 4; k++) {
        size_t size = k < 3 ? taco__load_le16(p + 2 * k) : len - at;
        if (size > len - at || !taco__zstd_bits_init(&h->b[k], p + at, size)) {
            return false;
        }
        at += size;
        h->to[k] = to + k * part;
        h->end[k] = k < 3 ? h->to[k] + part : to + n;
    }
    return true;
}
/* False when the streams are damaged. */
TACO__FN bool taco__zstd_huf4_streams(const uint8_t *table, const uint8_t *p, size_t len,
                                      uint8_t *to, size_t n)
{
    taco__zstd_huf4 h;
    size_t          k;
    if (!taco__zstd_huf4_open(&h, table, p, len, to, n)) {
        return false;
    }
    taco__zstd_huf4_decode(&h);
    for (k = 0; k < 4; k++) {
        if (!taco__zstd_huf_decode_rest(table, &h.b[k], h.to[k], h.end[k])) {
            return false;
        }
    }
    return true;
}

/* ---- sequences, §3.1.1.3.2 ---- */

typedef struct
    taco__zstd_seq_block { /* what executing the sequences of a block needs, and leaves */
    const taco__zstd_fse_cell *cells;
    unsigned       table[3], log[3]; /* per field: its first cell, and 1 << log of them */
    const uint8_t *bits;             /* the bit stream */
    size_t         bits_len;
    uint32_t       count; /* of sequences */
    uint32_t       repeat[3];
    const uint8_t *lit, *lit_end; /* the literals, with slack behind them */
    size_t         lits;          /* how many there were */
    uint8_t       *frame;         /* the frame's first byte: no match begins before it */
    uint8_t       *to, *end;      /* where the next byte goes, and where none may go */
    uint32_t       offset;        /* the one that failed */
} taco__zstd_seq_block;

typedef enum taco__zstd_seq_result {
    TACO__ZSTD_SEQ_OK,
    TACO__ZSTD_SEQ_BITS,     /* more or fewer bits than the sequences take */
    TACO__ZSTD_SEQ_OFFSET,   /* a match from before the frame, or offset 0 */
    TACO__ZSTD_SEQ_LITERALS, /* more literals than the block has */
    TACO__ZSTD_SEQ_NEED_ROOM /* more output than the block may have */
} taco__zstd_seq_result;

/* Copies at least n bytes, and up to 31 more. From may be 16 bytes or more behind to: then a step
   reads what an earlier step wrote, as a match that overlaps itself asks for. */
TACO__INLINE void taco__zstd_seq_copy(uint8_t *to, const uint8_t *from, size_t n)
{
    const uint8_t *end = to + n;
    do {
        memcpy(to, from, 16);
        memcpy(to + 16, from + 16, 16);
        to += 32;
        from += 32;
    } while (to < end);
}
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
    static const uint8_t  stride[16] = {0, 8, 8, 9, 8, 10, 12, 14, 8, 9, 10, 11, 12, 13, 14, 15};
    const uint8_t        *from = to - offset, *end = to + n;
    uint64_t              x;
    if (n - 4 <= 4 && n <= offset) {
        /* The commonest, between integers that differ in a byte or two. Reading nothing behind the
           n bytes keeps the processor from waiting for the literals just written there. */
        x = taco__load_le32(from) | (uint64_t)taco__load_le32(from + n - 4) << (8 * (n - 4));
        taco__put_le64(to, x);
        return;
    }
    x = taco__load_le64(from);
    if (offset < 8) {
        x = (x & ((UINT64_C(1) << (8 * offset)) - 1)) * repeat[offset];
    }
    taco__put_le64(to, x);
    from = to + 8 -
           stride[offset]; /* a multiple of offset, 8 or more: all is written before it is read */
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
TACO__NOINLINE bool taco__zstd_seq_read(taco__zstd_bits *b, const taco__zstd_fse_cell *cell[3],
                                        uint32_t value[3], bool last)
{
    static const uint8_t order[6] = {TACO__ZSTD_OF, TACO__ZSTD_ML, TACO__ZSTD_LL,
                                     TACO__ZSTD_LL, TACO__ZSTD_ML, TACO__ZSTD_OF};
    unsigned             i;
    for (i = 0; i < (last ? 3U : 6U);
         i++) { /* §3.1.1.3.2.1.2; no states follow the last sequence */
        const taco__zstd_fse_cell *c = cell[order[i]];
        uint32_t                   x = 0;
        if (!taco__zstd_bits_read(b, i < 3 ? c->extra : c->bits, &x)) {
            return false;
        }
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
    const uint8_t             *lit = q->lit, *from;
    uint8_t                   *to = q->to;
    uint32_t                   n, rep0 = q->repeat[0], offset, match, lits;
    uint64_t        older = q->repeat[1] | (uint64_t)q->repeat[2] << 32; /* the two before rep0 */
    const int       need = (int)(q->log[0] + q->log[1] + q->log[2]); /* bits, for the next states */
    uint64_t        w;
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
        } else if (rest >= (int)(ll->bits + ml->bits + of->bits)) { /* few bits left, and enough */
            ll += (int)TACO__ZSTD_SEQ_TAKE(w, rest, ll->bits) + ll->next;
            ml += (int)TACO__ZSTD_SEQ_TAKE(w, rest, ml->bits) + ml->next;
            of += (int)TACO__ZSTD_SEQ_TAKE(w, rest, of->bits) + of->next;
            b.pos -= (size_t)(r - rest);
        } else if (rest >= 0 && b.pos >= 128) { /* far offsets: the states are in the next word */
            b.pos -= (size_t)(r - rest);
            w = taco__load_le64(b.data + (b.pos >> 3) - 7);
            r = rest = (int)((b.pos & 7) | 56);
            ll += (int)TACO__ZSTD_SEQ_TAKE(w, rest, ll->bits) + ll->next;
            ml += (int)TACO__ZSTD_SEQ_TAKE(w, rest, ml->bits) + ml->next;
            of += (int)TACO__ZSTD_SEQ_TAKE(w, rest, of->bits) + of->next;
            b.pos -= (size_t)(r - rest);
        } else {
            const taco__zstd_fse_cell *cell[3];
            uint32_t                   value[3];
            cell[TACO__ZSTD_LL] = ll;
            cell[TACO__ZSTD_OF] = of;
            cell[TACO__ZSTD_ML] = ml;
            if (!taco__zstd_seq_read(&b, cell, value, n == 1)) {
                return TACO__ZSTD_SEQ_BITS;
            }
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
        } else { /* §3.1.1.5: the last three; without literals the last two and the last less 1 */
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
        if (TACO__UNLIKELY(lits > (size_t)(q->lit_end - lit))) {
            return TACO__ZSTD_SEQ_LITERALS;
        }
        if (TACO__UNLIKELY((size_t)lits + match > (size_t)(q->end - to))) {
            return TACO__ZSTD_SEQ_NEED_ROOM;
        }
        memcpy(to, lit, 16);
        if (TACO__UNLIKELY(lits > 16)) {
            taco__zstd_seq_copy(to + 16, lit + 16, lits - 16);
        }
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
            if (TACO__UNLIKELY(match > 32)) {
                taco__zstd_seq_copy(to + 32, from + 32, match - 32);
            }
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
TACO__NOINLINE taco__zstd_seq_result taco__zstd_seq_run_plain(taco__zstd_seq_block *q)
{
    return taco__zstd_seq_run_body(q);
}
#if TACO__X86
TACO__NOINLINE TACO__TARGET("bmi,bmi2") taco__zstd_seq_result
    taco__zstd_seq_run_bmi2(taco__zstd_seq_block *q)
{
    return taco__zstd_seq_run_body(q);
}
#endif
TACO__FN taco__zstd_seq_result taco__zstd_seq_run(taco__zstd_seq_block *q)
{
#if TACO__X86
    if (TACO__CPU_HAS("bmi2")) {
        return taco__zstd_seq_run_bmi2(q);
    }
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
/* The tables of mode Predefined, §3.1.1.3.2.2 */
static const int8_t taco__zstd_seq_ll_counts[36] = {4, 3, 2, 2, 2, 2, 2, 2, 2,  2,  2,  2,
                                                    2, 1, 1, 1, 2, 2, 2, 2, 2,  2,  2,  2,
                                                    2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1};
static const int8_t taco__zstd_seq_ml_counts[53] = {
    1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,  1,  1,  1,  1,  1,  1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1};
static const int8_t taco__zstd_seq_of_counts[29] = {1, 1, 1, 1, 1, 1, 2, 2, 2, 1,  1,  1,  1,  1, 1,
                                                    1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1};
/* The largest tables that a frame may describe, and the codes that exist. Offsets of 32 bits and
   more are not read: no window that is supported reaches as far. */
static const uint8_t taco__zstd_seq_max_log[3] = {9, 8, 9};
static const uint8_t taco__zstd_seq_codes[3] = {36, 32, 53};

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
    static const uint8_t       symbols[3] = {36, 29, 53}, log[3] = {6, 5, 6};
    unsigned                   field, s;
    for (field = 0; field < 3 && !z->standard_ready; field++) {
        taco__zstd_fse_counts c;
        uint32_t              base[53];
        uint8_t               extra[53];
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
    taco__zstd_decoder      *z = j->z;
    taco__zstd_fse_counts    c;
    uint32_t                 base[53];
    uint8_t                  extra[53];
    size_t                   size;
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

/* ---- blocks, §3.1.1.2 ---- */

TACO__INLINE size_t taco__zstd_decode_frame_bytes(const taco__zstd_decode_job *j)
{
    return j->out->len - j->frame;
}

/* How much one more block may give: what the frame's header, the block size and the caller allow.
   It is never more than 128 KiB, and no more is reserved ahead. */
TACO__FN size_t taco__zstd_decode_room(const taco__zstd_decode_job *j)
{
    size_t room = j->limit - (j->out->len - j->start);
    room = TACO__MIN(room, (size_t)j->block_max);
    if (j->has_content && j->content - taco__zstd_decode_frame_bytes(j) < room) {
        room = (size_t)(j->content - taco__zstd_decode_frame_bytes(j));
    }
    return room;
}
/* Fails for a block that gives size bytes (0: an unknown number), which is more than the room. */
TACO__FN bool taco__zstd_decode_no_room(taco__zstd_decode_job *j, size_t size, const uint8_t *where)
{
    size_t room = taco__zstd_decode_room(j);
    size = size ? size : room + 1;
    if (room ==
        j->block_max) { /* first what no reader accepts, then what this one was told not to */
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, where,
                        "ZSTD block holds more than %u bytes, the most the frame's blocks may",
                        TACO__U(room));
    } else if (j->has_content && room == j->content - taco__zstd_decode_frame_bytes(j)) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, where, "ZSTD frame holds %u bytes, its header says %u",
                        TACO__U(taco__zstd_decode_frame_bytes(j) + size), j->content);
    } else {
        TACO__ZSTD_FAIL(j, TACO_ERR_LIMIT, where, "ZSTD data of %u bytes, limits.max_page is %u",
                        TACO__U(j->out->len - j->start + size), TACO__U(j->limit));
    }
    return false;
}
/* Makes room in out for size more bytes of a block, if it may have as many. */
TACO__FN bool taco__zstd_decode_reserve(taco__zstd_decode_job *j, size_t size, const uint8_t *where)
{
    return size <= taco__zstd_decode_room(j) ? taco__buf_reserve(j->out, size, j->err)
                                             : taco__zstd_decode_no_room(j, size, where);
}

typedef struct
    taco__zstd_decode_literals_header { /* the header of a literals section, §3.1.1.3.1.1 */
    unsigned type;   /* 0 raw, 1 RLE, 2 with a Huffman tree, 3 with the tree of an earlier block */
    bool     one;    /* one stream, not four */
    size_t   size;   /* how many literals there are */
    size_t   packed; /* the bytes they take here */
    const uint8_t *data; /* those */
} taco__zstd_decode_literals_header;

/* Two bits of type and two of format say how long the header is. Then come one size of 5, 12 or 20
   bits, or two of 10, 14 or 18 bits, as one little-endian number. */
TACO__FN bool taco__zstd_decode_read_literals(taco__zstd_decode_job             *j,
                                              taco__zstd_decode_literals_header *l,
                                              const uint8_t *p, size_t len)
{
    uint64_t x = 0;
    size_t   head, i;
    unsigned format = len ? p[0] >> 2 & 3U : 0;
    l->type = len ? p[0] & 3U : 0;
    if (l->type < 2) {
        head = format == 1   ? 2
               : format == 3 ? 3
                             : 1; /* formats 0 and 2 are one, of 5 bits and 3 before */
    } else {
        head = format < 2 ? 3 : format + 2;
    }
    for (i = 0; i < head && i < len; i++) {
        x |= (uint64_t)p[i] << (8 * i);
    }
    l->one = format == 0;
    if (l->type < 2) {
        l->size = (size_t)(x >> (format & 1 ? 4 : 3));
        l->packed = l->type ? 1 : l->size;
    } else {
        unsigned width = format < 2 ? 10 : format == 2 ? 14 : 18;
        l->size = (size_t)(x >> 4 & ((1U << width) - 1));
        l->packed = (size_t)(x >> (4 + width) & ((1U << width) - 1));
    }
    l->data = p + head;
    if (len < head || l->packed > len - head) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, p, "ZSTD literals take %u bytes, the block has %u",
                        TACO__U(head + l->packed), TACO__U(len));
        return false;
    }
    return l->size <= taco__zstd_decode_room(j) || taco__zstd_decode_no_room(j, l->size, p);
}
/* Puts the literals at `to`, which has room for them and slack behind. */
TACO__FN bool taco__zstd_decode_literals(taco__zstd_decode_job                   *j,
                                         const taco__zstd_decode_literals_header *l, uint8_t *to)
{
    taco__zstd_decoder *z = j->z;
    const uint8_t      *p = l->data;
    size_t              len = l->packed, tree = 0;
    bool                ok;
    if (l->type < 2) {
        if (l->type == 0) {
            memcpy(to, p, l->size);
        } else {
            memset(to, p[0], l->size);
        }
        return true;
    }
    if (l->type == 2) { /* the tree is part of the packed size */
        tree = taco__zstd_huf_read(z, p, len);
        if (!tree) {
            TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, p, "damaged ZSTD Huffman tree");
            return false;
        }
    } else if (!z->huf_ready) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, p,
                        "ZSTD literals without a Huffman tree, the frame has none before");
        return false;
    }
    if (l->one) {
        taco__zstd_bits b;
        ok = taco__zstd_bits_init(&b, p + tree, len - tree) &&
             taco__zstd_huf_decode_rest(z->huf, &b, to, to + l->size);
    } else {
        ok = taco__zstd_huf4_streams(z->huf, p + tree, len - tree, to, l->size);
    }
    if (!ok) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, p + tree,
                        "ZSTD literals do not end where their %u bytes do", TACO__U(len - tree));
    }
    return ok;
}

/* Reads the count of sequences, of 1 to 3 bytes, §3.1.1.3.2.1; false when the block ends inside
   it. */
TACO__FN bool taco__zstd_decode_sequence_count(const uint8_t **at, const uint8_t *end, uint32_t *n)
{
    const uint8_t *p = *at;
    size_t         len = (size_t)(end - p), head;
    if (len == 0) {
        return false;
    }
    head = p[0] < 128 ? 1 : p[0] < 255 ? 2 : 3;
    if (len < head) {
        return false;
    }
    *n = head == 1   ? p[0]
         : head == 2 ? (uint32_t)(p[0] - 128) << 8 | p[1]
                     : 0x7F00U + taco__load_le16(p + 1);
    *at += head;
    return true;
}
/* Fills q with the tables and the bit stream of n sequences. At `at` is a byte of modes, two bits
   for each field from the top and two reserved, then the tables described, then the stream. */
TACO__FN bool taco__zstd_decode_open_sequences(taco__zstd_decode_job *j, taco__zstd_seq_block *q,
                                               uint32_t n, const uint8_t *at, const uint8_t *end)
{
    taco__zstd_decoder *z = j->z;
    unsigned            field, modes;
    if (at >= end || (at[0] & 3)) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, at,
                        "ZSTD sequences without a valid byte of table modes");
        return false;
    }
    modes = *at++;
    taco__zstd_seq_predefined(z);
    for (field = 0; field < 3; field++) {
        if (!taco__zstd_seq_table(j, field, modes >> (6 - 2 * field) & 3, &at, end)) {
            return false;
        }
        q->table[field] = z->table[field];
        q->log[field] = z->log[field];
        q->repeat[field] = z->repeat[field];
    }
    q->cells = z->cells;
    q->count = n;
    q->bits = at;
    q->bits_len = (size_t)(end - at);
    return true;
}
TACO__COLD bool taco__zstd_decode_sequence_error(taco__zstd_decode_job      *j,
                                                 const taco__zstd_seq_block *q,
                                                 taco__zstd_seq_result       why)
{
    if (why == TACO__ZSTD_SEQ_NEED_ROOM) {
        return taco__zstd_decode_no_room(j, 0, q->bits);
    }
    if (why == TACO__ZSTD_SEQ_OFFSET) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, q->bits,
                        "ZSTD match at offset %u, the frame has %u bytes before it",
                        TACO__U(q->offset), TACO__U(q->to - q->frame));
    } else if (why == TACO__ZSTD_SEQ_LITERALS) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, q->bits,
                        "ZSTD sequences take more literals than the block's %u", TACO__U(q->lits));
    } else {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, q->bits,
                        "ZSTD sequences do not end where their %u bytes do", TACO__U(q->bits_len));
    }
    return false;
}
/* A compressed block, §3.1.1.3: literals, then sequences that copy them and what was made before.
   The literals that no sequence takes are the block's end. */
TACO__FN bool taco__zstd_decode_compressed(taco__zstd_decode_job *j, const uint8_t *p, size_t len)
{
    taco__zstd_decoder               *z = j->z;
    taco__zstd_decode_literals_header l;
    taco__zstd_seq_block              q;
    taco__zstd_seq_result             why;
    const uint8_t                    *at, *end = p + len;
    size_t                            room = taco__zstd_decode_room(j), rest;
    uint32_t                          n;
    if (!taco__zstd_decode_read_literals(j, &l, p, len)) {
        return false;
    }
    at = l.data + l.packed;
    if (!taco__zstd_decode_sequence_count(&at, end, &n) || (n == 0 && at != end)) {
        /* a block without sequences ends with their count */
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, at,
                        "ZSTD block of %u bytes does not end with its sequences", TACO__U(len));
        return false;
    }
    if (!taco__buf_reserve(j->out, n ? room : l.size, j->err)) {
        return false;
    }
    if (n == 0) { /* they are the output: no need to put them anywhere else first */
        if (!taco__zstd_decode_literals(j, &l, j->out->data + j->out->len)) {
            return false;
        }
        j->out->len += l.size;
        return true;
    }
    q.lit = z->literals;
    if (l.type == 0 && (size_t)(j->end - l.data) >= l.size + TACO__ZSTD_SLACK) {
        q.lit = l.data; /* copies may read behind them, so they can stay where they are */
    } else if (!taco__zstd_decode_literals(j, &l, z->literals)) {
        return false;
    }
    q.lit_end = q.lit + l.size;
    q.lits = l.size;
    q.frame = j->out->data + j->frame;
    q.to = j->out->data + j->out->len;
    q.end = q.to + room;
    if (!taco__zstd_decode_open_sequences(j, &q, n, at, end)) {
        return false;
    }
    why = taco__zstd_seq_run(&q);
    rest = (size_t)(q.lit_end - q.lit);
    if (why == TACO__ZSTD_SEQ_OK && rest > (size_t)(q.end - q.to)) {
        why = TACO__ZSTD_SEQ_NEED_ROOM;
    }
    if (why != TACO__ZSTD_SEQ_OK) {
        return taco__zstd_decode_sequence_error(j, &q, why);
    }
    memcpy(q.to, q.lit, rest);
    j->out->len = (size_t)(q.to - j->out->data) + rest;
    memcpy(z->repeat, q.repeat, sizeof z->repeat);
    return true;
}

/* ---- frames, §3.1 ---- */

/* Fails for an input that ends inside of what begins at where. */
TACO__FN bool taco__zstd_decode_truncated(taco__zstd_decode_job *j, const char *what, size_t need,
                                          const uint8_t *where)
{
    TACO__ZSTD_FAIL(j, TACO_ERR_TRUNCATED, where, "ZSTD %s takes %u bytes, %u are left", what,
                    TACO__U(need), TACO__U(j->end - where));
    return false;
}
/* The frame header behind the magic number, §3.1.1.1: a byte of flags, then a byte of window size,
   the number of a dictionary and the content size, as the flags say. */
TACO__FN bool taco__zstd_decode_header(taco__zstd_decode_job *j)
{
    static const uint8_t id_bytes[4] = {0, 1, 2, 4}, content_bytes[4] = {0, 2, 4, 8};
    const uint8_t       *p = j->at, *start = p;
    size_t               left = (size_t)(j->end - p), need, n, i;
    unsigned             flags = left ? p[0] : 0, single = flags >> 5 & 1;
    uint64_t             window = 0, id = 0;
    size_t               content = content_bytes[flags >> 6];
    if (content == 0 && single) { /* a single segment has a size always */
        content = 1;
    }
    n = id_bytes[flags & 3];
    need = (single ? 1 : 2) + n + content;
    if (left < need) {
        return taco__zstd_decode_truncated(j, "frame header", need, start);
    }
    if (flags & 8) {
        TACO__ZSTD_FAIL(j, TACO_ERR_UNSUPPORTED, start, "ZSTD frame header sets a reserved bit");
        return false;
    }
    p++;
    if (!single) { /* §3.1.1.1.2; here the window only bounds the size of blocks */
        unsigned log = 10 + (*p >> 3);
        window = ((uint64_t)1 << log) + (((uint64_t)1 << log) >> 3) * (*p & 7);
        if (log > 31) {
            TACO__ZSTD_FAIL(j, TACO_ERR_UNSUPPORTED, p,
                            "ZSTD window of %u bytes, at most %u are supported", window,
                            TACO__U((uint64_t)15 << 28));
            return false;
        }
        p++;
    }
    for (i = 0; i < n; i++) {
        id |= (uint64_t)*p++ << (8 * i);
    }
    if (id) {
        TACO__ZSTD_FAIL(j, TACO_ERR_UNSUPPORTED, p - n, "ZSTD frame needs dictionary %u", id);
        return false;
    }
    j->content = content == 2 ? 256 : 0; /* §3.1.1.1.4 */
    for (i = 0; i < content; i++) {
        j->content += (uint64_t)*p++ << (8 * i);
    }
    j->has_content = content != 0;
    j->has_checksum = (flags & 4) != 0;
    j->block_max =
        (uint32_t)TACO__MIN(single ? j->content : window, (uint64_t)TACO__ZSTD_BLOCK_MAX);
    j->at = p;
    return true;
}
/* Reserves what the header promises, if the caller has not. A block takes 4 bytes and gives 128
   KiB at most, so that a few bytes cannot make this reserve much. */
TACO__FN bool taco__zstd_decode_reserve_frame(taco__zstd_decode_job *j, const uint8_t *where)
{
    uint64_t most = ((uint64_t)(j->end - j->at) / 4 + 1) * TACO__ZSTD_BLOCK_MAX;
    size_t   left = j->limit - (j->out->len - j->start);
    if (!j->has_content) {
        return true;
    }
    if (j->content > left) {
        uint64_t need = j->out->len - j->start;
        need = j->content > UINT64_MAX - need ? UINT64_MAX : need + j->content;
        TACO__ZSTD_FAIL(j, TACO_ERR_LIMIT, where, "ZSTD data of %u bytes, limits.max_page is %u",
                        need, TACO__U(j->limit));
        return false;
    }
    return taco__buf_reserve(j->out, (size_t)TACO__MIN(j->content, most), j->err);
}
/* Decodes the block at j->at; *last tells whether it ends the frame. Its header has 3 bytes: 1 bit
   for the last block, 2 for the type, 21 for the size, §3.1.1.2. */
TACO__FN bool taco__zstd_decode_block(taco__zstd_decode_job *j, bool *last)
{
    const uint8_t *head = j->at, *p = head + 3;
    uint32_t       x;
    size_t         size, stored;
    unsigned       type;
    if (j->end - head < 3) {
        return taco__zstd_decode_truncated(j, "block header", 3, head);
    }
    x = head[0] | (uint32_t)head[1] << 8 | (uint32_t)head[2] << 16;
    *last = x & 1;
    type = x >> 1 & 3;
    size = x >> 3;
    stored = type == 1 ? 1 : size; /* a block of one repeated byte stores that byte */
    if (type == 3) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, head, "ZSTD block of reserved type 3");
        return false;
    }
    if (size > j->block_max) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, head,
                        "ZSTD block of %u bytes, the frame's blocks have at most %u", TACO__U(size),
                        TACO__U(j->block_max));
        return false;
    }
    if (stored > (size_t)(j->end - p)) {
        return taco__zstd_decode_truncated(j, "block", stored, p);
    }
    j->at = p + stored;
    if (type == 2) {
        return taco__zstd_decode_compressed(j, p, size);
    }
    if (!taco__zstd_decode_reserve(j, size, head)) {
        return false;
    }
    if (type == 0) {
        memcpy(j->out->data + j->out->len, p, size);
    } else {
        memset(j->out->data + j->out->len, p[0], size);
    }
    j->out->len += size;
    return true;
}
/* A frame, its magic number just passed. No table or offset of the frame before counts. */
TACO__FN bool taco__zstd_decode_frame(taco__zstd_decode_job *j)
{
    static const uint32_t first[3] = {1, 4, 8}; /* §3.1.1.5 */
    const uint8_t        *start = j->at - 4;
    taco__xxh64           hash;
    bool                  last = false;
    j->frame = j->out->len;
    if (!taco__zstd_decode_header(j) || !taco__zstd_decode_reserve_frame(j, start)) {
        return false;
    }
    memset(j->z->known, 0, sizeof j->z->known);
    j->z->huf_ready = false;
    memcpy(j->z->repeat, first, sizeof first);
    taco__xxh64_init(&hash, 0);
    while (!last) {
        size_t before = j->out->len;
        if (!taco__zstd_decode_block(j, &last)) {
            return false;
        }
        if (j->has_checksum && j->out->len > before) { /* while the block is still in the cache */
            taco__xxh64_update(&hash, j->out->data + before, j->out->len - before);
        }
    }
    if (j->has_content && taco__zstd_decode_frame_bytes(j) != j->content) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, start, "ZSTD frame holds %u bytes, its header says %u",
                        TACO__U(taco__zstd_decode_frame_bytes(j)), j->content);
        return false;
    }
    if (j->has_checksum) { /* the low half of XXH64 with seed 0, §3.1.1 */
        uint32_t want, found = (uint32_t)taco__xxh64_digest(&hash);
        if (j->end - j->at < 4) {
            return taco__zstd_decode_truncated(j, "checksum", 4, j->at);
        }
        want = taco__load_le32(j->at);
        if (want != found) {
            TACO__ZSTD_FAIL(j, TACO_ERR_CHECKSUM, j->at, "ZSTD checksum is %x, the content has %x",
                            TACO__U(want), TACO__U(found));
            return false;
        }
        j->at += 4;
    }
    return true;
}
/* A frame of any kind: by its magic number, §3.1.1 and §3.1.2. */
TACO__FN bool taco__zstd_decode_any_frame(taco__zstd_decode_job *j)
{
    const uint8_t *p = j->at;
    uint32_t       magic, size;
    if (j->end - p < 4) {
        return taco__zstd_decode_truncated(j, "magic number", 4, p);
    }
    magic = taco__load_le32(p);
    j->at = p + 4;
    if (magic == 0xFD2FB528U) {
        return taco__zstd_decode_frame(j);
    }
    if ((magic & 0xFFFFFFF0U) != 0x184D2A50U) { /* skippable frames have sixteen numbers */
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, p, "not a ZSTD frame: magic number %x",
                        TACO__U(magic));
        return false;
    }
    if (j->end - p < 8) {
        return taco__zstd_decode_truncated(j, "skippable frame header", 8, p);
    }
    size = taco__load_le32(p + 4);
    j->at = p + 8;
    if (size > (size_t)(j->end - j->at)) {
        return taco__zstd_decode_truncated(j, "skippable frame", size, j->at);
    }
    j->at += size;
    return true;
}
/* Appends to out what all the frames of `in` hold, at most limit bytes. Nothing behind `in` is
   read. Out is best reserved by the caller, who knows the size; else it grows as blocks come. On
   failure it holds what it held before. Offsets in err count from the start of `in`. No bytes are
   no frames, which hold nothing. */
#ifdef TACO_PARQUET_ZSTD_DECOMPRESS /* what is above is dropped but for what the encoder shares */
TACO__FN taco_status taco__zstd_decode(taco__zstd_decoder *z, taco_bytes in, taco__buf *out,
                                       size_t limit, taco_error *err)
{
    (void)z;
    return in.len
               ? taco__lz_host_decode_all(TACO_PARQUET_ZSTD_DECOMPRESS, "ZSTD", in, out, limit, err)
               : TACO_OK;
}
#else
TACO__FN taco_status taco__zstd_decode(taco__zstd_decoder *z, taco_bytes in, taco__buf *out,
                                       size_t limit, taco_error *err)
{
    taco_error            own;
    taco__zstd_decode_job j;
    memset(&j, 0, sizeof j);
    own.code = TACO_OK; /* whatever err holds already */
    j.z = z;
    j.begin = j.at = in.data;
    j.end = in.len ? in.data + in.len : in.data;
    j.out = out;
    j.start = out->len;
    j.limit = limit;
    j.err = &own;
    while (j.at < j.end) {
        if (!taco__zstd_decode_any_frame(&j)) {
            out->len = j.start;
            if (err && err->code == TACO_OK) {
                *err = own;
            }
            return own.code;
        }
    }
    return TACO_OK;
}
#endif
