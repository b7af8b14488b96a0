/* zstd_encode.c - encode ZSTD frames (RFC 8878, cited by section)

   The mirror of the decoder, with its tables and constants. A level's finder (zstd_encode_match.c)
   cuts a block into sequences, "copy so many literals, then repeat so many bytes from so far back".
   Then the literals are coded with Huffman codes, the sequences with finite state codes
   (zstd_encode_entropy.c): of new tables, those of the previous block or predefined ones, those are
   used that are estimated to take the fewest bits. A block that does not shrink is stored, so that
   a frame is never larger than taco__zstd_encode_bound.

   Finders keep positions in tables, as numbers that only grow from call to call: entries of earlier
   calls are smaller than all of the current one and are ignored. So the tables need no clearing,
   and the output depends only on the input, the level and the checksum flag. Start with
   taco__zstd_encode, taco__zstd_encode_block and taco__zstd_encode_compressed. */
#include "encode.h"

#define TACO__ZSTD_ENCODE_MIN_BYTES 16 /* blocks up to this size are stored */

/* No match crosses the boundary between two parts, so that a position fits in 32 bits, and one in a
   window in 24. A multiple of the size of a block. */
#define TACO__ZSTD_ENCODE_PART ((size_t)1 << 30)

/* ---- levels ---- */

/* kind, window, hash, second, width, lazy, tries */
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

/* ---- literals, §3.1.1.3.1 ---- */

/* Samples of literals, and bytes of each. */
#define TACO__ZSTD_ENCODE_SAMPLES 4U
#define TACO__ZSTD_ENCODE_SAMPLE  1024U

/* A section of literals as they are (type 0), or of one literal n times (type 1); returns the
   end. */
static uint8_t *taco__zstd_encode_literals_plain(uint8_t *at, unsigned type, const uint8_t *p,
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
    if (type == 1) { *at++ = p[0]; }
    return at;
}

/* A section of n literals in the codes of h; returns the end, NULL when it is no shorter than the
   literals. `tree` is the description of the codes, of 0 bytes when they are those of the block
   before. Up to 255 literals are one stream, more are four. */
static uint8_t *taco__zstd_encode_literals_coded(uint8_t *at, const taco__zstd_encode_huf *h,
                                                 const uint8_t *tree, size_t tree_size,
                                                 const uint8_t *p, size_t n)
{
    const bool one = n < 256;
    unsigned width = n < 1024 ? 10 : n < 16384 ? 14 : 18, k;
    size_t head = width == 10 ? 3 : width == 14 ? 4 : 5, part = (n + 3) / 4, size;
    uint8_t *to = at + head, *stop = at + head + n, *sizes, *next;
    uint64_t x;
    if (tree_size) { memcpy(to, tree, tree_size); }
    to += tree_size;
    sizes = to;
    to = one ? to : to + 6;
    for (k = 0; k < (one ? 1 : 4); k++) {
        next = taco__zstd_encode_huf_stream(to, stop, h->code, one ? p : p + k * part,
                                            one      ? n
                                            : k == 3 ? n - 3 * part
                                                     : part);
        if (!next) { return NULL; }
        if (!one && k < 3) {
            sizes[2 * k] = (uint8_t)(next - to);
            sizes[2 * k + 1] = (uint8_t)((size_t)(next - to) >> 8);
        }
        to = next;
    }
    size = (size_t)(to - at) - head;
    if (size >= n) { return NULL; }
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

/* Whether many literals, hardly any of which were found before, are as good as random: judging by
   samples of them, all bytes are as frequent. */
static bool taco__zstd_encode_is_noise(const taco__zstd_encoder *e, const uint8_t *p, size_t n)
{
    uint32_t freq[256], sum[256], most = 0, i, k;
    if (n < 10 * TACO__ZSTD_ENCODE_SAMPLES * TACO__ZSTD_ENCODE_SAMPLE || e->seqs > n / 64) {
        return false;
    }
    memset(sum, 0, sizeof sum);
    for (k = 0; k < TACO__ZSTD_ENCODE_SAMPLES; k++) {
        const size_t at = (n - TACO__ZSTD_ENCODE_SAMPLE) / (TACO__ZSTD_ENCODE_SAMPLES - 1) * k;
        taco__zstd_encode_huf_count(freq, p + at, TACO__ZSTD_ENCODE_SAMPLE);
        for (i = 0; i < 256; i++) {
            sum[i] += freq[i];
        }
    }
    for (i = 0; i < 256; i++) {
        most = TACO__MAX(most, sum[i]);
    }
    return most <= TACO__ZSTD_ENCODE_SAMPLES * TACO__ZSTD_ENCODE_SAMPLE / 128 + 4;
}

/* Writes the literals of the current block in the smallest form; returns the end. *huf becomes the
   codes that the next block may reuse. */
static uint8_t *taco__zstd_encode_literals(taco__zstd_encoder *e, uint8_t *at, int8_t *huf)
{
    const uint8_t *p = e->literal;
    size_t n = e->literals, tree_size, i;
    uint32_t freq[256], most = 0;
    taco__zstd_encode_huf *fresh = &e->huf[e->huf_last == 0];
    uint64_t again = UINT64_MAX, cost;
    uint8_t tree[320], *end;
    if (n < 16 || taco__zstd_encode_is_noise(e, p, n)) {
        return taco__zstd_encode_literals_plain(at, 0, p, n);
    }
    taco__zstd_encode_huf_count(freq, p, n);
    for (i = 0; i < 256; i++) {
        most = TACO__MAX(most, freq[i]);
    }
    if (most == n) { return taco__zstd_encode_literals_plain(at, 1, p, n); }
    if (e->huf_last >= 0) { again = taco__zstd_encode_huf_cost(&e->huf[e->huf_last], freq); }
    if (most <= (n >> 7) + 4 && again == UINT64_MAX) { /* all as frequent: codes save nothing */
        return taco__zstd_encode_literals_plain(at, 0, p, n);
    }
    taco__zstd_encode_huf_make(fresh, freq);
    tree_size = taco__zstd_encode_huf_write(tree, fresh);
    cost = tree_size ? taco__zstd_encode_huf_cost(fresh, freq) + 8 * tree_size : UINT64_MAX;
    /* too little to be worth the decoding */
    if (TACO__MIN(cost, again) / 8 + n / 64 + 12 >= n) {
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

/* Finds the codes of all sequences and counts them by field. */
static void taco__zstd_encode_sequence_codes(taco__zstd_encoder *e, uint32_t (*freq)[64])
{
    uint32_t i;
    memset(freq, 0, 3 * sizeof freq[0]);
    for (i = 0; i < e->seqs; i++) {
        const taco__zstd_encode_sequence *s = &e->seq[i];
        unsigned ll =
            s->literals < 64 ? e->ll_code[s->literals] : taco__zstd_top_bit(s->literals) + 19;
        unsigned ml = s->match < 128 ? e->ml_code[s->match] : taco__zstd_top_bit(s->match) + 36;
        unsigned of = taco__zstd_top_bit(s->value);
        e->code[TACO__ZSTD_LL][i] = (uint8_t)ll;
        e->code[TACO__ZSTD_OF][i] = (uint8_t)of;
        e->code[TACO__ZSTD_ML][i] = (uint8_t)ml;
        freq[TACO__ZSTD_LL][ll]++;
        freq[TACO__ZSTD_OF][of]++;
        freq[TACO__ZSTD_ML][ml]++;
    }
}

/* How one field of a block's sequences is coded, §3.1.1.3.2.1. */
typedef struct taco__zstd_encode_choice {
    unsigned mode; /* 0 predefined, 1 a single code, 2 described, 3 the table of the block before */
    uint8_t table; /* in e->fse[field] */
} taco__zstd_encode_choice;

/* A new table for a field at e->fse[field][table], and its description at *at, which moves; returns
   what both cost. A table of one symbol cannot be described: UINT64_MAX. */
static uint64_t taco__zstd_encode_new_table(taco__zstd_encoder *e, unsigned field, unsigned table,
                                            const uint32_t *freq, uint8_t **at)
{
    const taco__zstd_codes *codes = taco__zstd_codes_of(field);
    taco__zstd_fse_counts *c = &e->fse[field][table].c;
    uint8_t *begin = *at;
    if (freq[e->code[field][0]] == e->seqs) { return UINT64_MAX; }
    taco__zstd_encode_fse_normalize(c, freq, codes->count, e->seqs, codes->max_log);
    *at = taco__zstd_encode_fse_write_counts(begin, c);
    return taco__zstd_encode_fse_cost(c, freq, codes->count) + (uint64_t)(*at - begin) * 8 * 256;
}

/* Chooses the table of a field that is estimated to cost the least, and writes its description;
   returns the end. */
static uint8_t *taco__zstd_encode_choose_table(taco__zstd_encoder *e, unsigned field,
                                               const uint32_t *freq, uint8_t *at,
                                               taco__zstd_encode_choice *choice)
{
    unsigned last = e->fse_last[field], fresh = last == 1 ? 2 : 1;
    unsigned symbols = taco__zstd_codes_of(field)->count;
    const unsigned first = e->code[field][0];
    uint64_t predefined = UINT64_MAX, again = UINT64_MAX, cost = UINT64_MAX;
    uint8_t *end = at;
    if (freq[first] != e->seqs || e->seqs <= 2) {
        predefined = taco__zstd_encode_fse_cost(&e->fse[field][0].c, freq, symbols);
        if (last) { again = taco__zstd_encode_fse_cost(&e->fse[field][last].c, freq, symbols); }
        cost = taco__zstd_encode_new_table(e, field, fresh, freq, &end);
    }
    if (predefined == UINT64_MAX && again == UINT64_MAX && cost == UINT64_MAX) {
        choice->mode = 1;
        choice->table = 3;
        *at++ = (uint8_t)first;
        return at;
    }
    if (again <= cost && again <= predefined) {
        choice->mode = 3;
        choice->table = (uint8_t)last;
        return at;
    }
    if (predefined <= cost) {
        choice->mode = 0;
        choice->table = 0;
        return at;
    }
    taco__zstd_encode_fse_build(&e->fse[field][fresh]);
    choice->mode = 2;
    choice->table = (uint8_t)fresh;
    return end;
}

/* The bit stream: the decoder reads the three states and then, for each sequence, the further bits
   of offset, match and literals and those of the next states of literals, match and offset. All of
   it is written in the opposite order, from the last sequence to the first. At most 26 bits of
   states, 63 of lengths and offset. */
static uint8_t *taco__zstd_encode_sequence_bits(taco__zstd_encoder *e,
                                                const taco__zstd_encode_fse *const *f, uint8_t *at,
                                                uint8_t *stop)
{
    taco__bit_writer b = taco__bit_writer_init(at, stop);
    uint32_t ll = 0, of = 0, ml = 0, i;
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

/* The count of sequences, in 1 to 3 bytes; returns the end. */
static uint8_t *taco__zstd_encode_sequence_count(uint8_t *at, uint32_t n)
{
    if (n < 128) {
        *at++ = (uint8_t)n;
    } else if (n < 0x7F00) {
        *at++ = (uint8_t)(128 + (n >> 8));
        *at++ = (uint8_t)n;
    } else {
        *at++ = 255;
        *at++ = (uint8_t)(n - 0x7F00);
        *at++ = (uint8_t)((n - 0x7F00) >> 8);
    }
    return at;
}

/* Encodes the current literals and sequences into e->out; returns the size, 0 if it is not less
   than n. In that case the tables that later blocks may reuse are unchanged. */
static size_t taco__zstd_encode_compressed(taco__zstd_encoder *e, size_t n)
{
    uint8_t *at, *modes, *stop = e->out + TACO__ZSTD_BLOCK_MAX + 512;
    const taco__zstd_encode_fse *f[3];
    taco__zstd_encode_choice choice[3];
    uint32_t freq[3][64];
    int8_t huf = e->huf_last;
    unsigned field;
    at = taco__zstd_encode_literals(e, e->out, &huf);
    at = taco__zstd_encode_sequence_count(at, e->seqs);
    if (e->seqs) {
        taco__zstd_encode_sequence_codes(e, freq);
        modes = at++;
        *modes = 0;
        for (field = 0; field < 3; field++) {
            at = taco__zstd_encode_choose_table(e, field, freq[field], at, &choice[field]);
            *modes = (uint8_t)(*modes | choice[field].mode << (6 - 2 * field));
            f[field] = &e->fse[field][choice[field].table];
        }
        at = taco__zstd_encode_sequence_bits(e, f, at, stop);
    }
    if (!at || (size_t)(at - e->out) >= n) { return 0; }
    e->huf_last = huf;
    for (field = 0; field < 3 && e->seqs; field++) {
        e->fse_last[field] = (uint8_t)(choice[field].table % 3); /* not that of a single code */
    }
    return (size_t)(at - e->out);
}

/* ---- blocks and frames, §3.1.1 ---- */

/* Writes the block [from, from + n) of the part at dst, stored if it does not shrink. False if it
   takes more than `cap` bytes; *size is what it takes. One repeated byte is a separate type of
   block, but not used for a frame's first: libzstd before 1.4.4 does not always read that. */
static bool taco__zstd_encode_block(taco__zstd_encoder *e, size_t from, size_t n, bool last,
                                    bool first, uint8_t *dst, size_t cap, size_t *size)
{
    const uint8_t *p = e->src + from;
    uint32_t repeat[3], head;
    unsigned type = 2;
    size_t packed;
    memcpy(repeat, e->repeat, sizeof repeat);
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
    if (cap < *size) { return false; }
    head = (uint32_t)last | type << 1 | (uint32_t)(type == 1 ? n : packed) << 3;
    dst[0] = (uint8_t)head;
    dst[1] = (uint8_t)(head >> 8);
    dst[2] = (uint8_t)(head >> 16);
    if (packed) { memcpy(dst + 3, type == 0 ? p : e->out, packed); }
    return true;
}

/* The frame's header at `to`, at most 14 bytes, §3.1.1.1: always with the size of the content, and
   without a window when the content is not larger. Returns its size. */
static size_t taco__zstd_encode_header(uint8_t *to, uint64_t n, unsigned window, bool checksum)
{
    const bool single = n <= (uint64_t)1 << window;
    const unsigned flag = n < 256 && single ? 0U : n < 65536 + 256 ? 1U : n <= UINT32_MAX ? 2U : 3U;
    size_t at = 5, k;
    uint64_t content = flag == 1 ? n - 256 : n;
    taco__put_le32(to, 0xFD2FB528U);
    to[4] = (uint8_t)(flag << 6 | (unsigned)single << 5 | (unsigned)checksum << 2);
    if (!single) { to[at++] = (uint8_t)((window - 10) << 3); }
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

/* Begins a part: its positions get numbers above all before, or the tables are cleared. Where a
   number has 24 bits, a part may be longer than they reach: its own positions may then look like
   nearer ones, which comparing bytes finds out. */
static void taco__zstd_encode_begin_part(taco__zstd_encoder *e, const uint8_t *src, size_t len)
{
    const uint32_t most = e->level->kind == TACO__ZSTD_MATCH_CHAIN ? UINT32_MAX : 0xFFFFFF;
    if (len >= most - e->used) {
        memset(e->hash, 0, sizeof *e->hash << e->level->hash);
        if (e->second) { memset(e->second, 0, sizeof *e->second << e->level->second); }
        e->used = 1;
    }
    e->base = e->used;
    e->used = (uint32_t)TACO__MIN(e->used + len, (size_t)most);
    e->src = src;
    e->len = len;
    e->added = 0;
}

/* Resets the state of the previous frame. */
static void taco__zstd_encode_begin_frame(taco__zstd_encoder *e)
{
    static const uint32_t first[3] = {1, 4, 8}; /* §3.1.1.5 */
    memcpy(e->repeat, first, sizeof first);
    e->huf_last = -1;
    memset(e->fse_last, 0, sizeof e->fse_last);
    e->window = (size_t)1 << e->level->window;
}

/* All blocks of `in` at dst; returns where they end, SIZE_MAX when cap is too small. */
static size_t taco__zstd_encode_blocks(taco__zstd_encoder *e, taco_bytes in, uint8_t *dst,
                                       size_t cap)
{
    size_t at = 0, part = 0, from = 0, n, used = 0;
    do { /* no bytes are one empty block */
        n = TACO__MIN(in.len - from, (size_t)TACO__ZSTD_BLOCK_MAX);
        if (from % TACO__ZSTD_ENCODE_PART == 0) {
            part = from;
            taco__zstd_encode_begin_part(e, in.data + part,
                                         TACO__MIN(in.len - part, TACO__ZSTD_ENCODE_PART));
        }
        if (!taco__zstd_encode_block(e, from - part, n, from + n == in.len, from == 0, dst + at,
                                     cap - at, &used)) {
            return SIZE_MAX;
        }
        at += used;
        from += n;
    } while (from < in.len);
    return at;
}

/* One frame, with the usual contract of an encoder, except that cap may be less than the bound if
   the caller wants no more: ARGUMENT if it is too small, and dst then has garbage. e may be used
   again after a failure. */
TACO__FN taco_status taco__zstd_encode(taco__zstd_encoder *e, taco_bytes in, bool checksum,
                                       uint8_t *dst, size_t cap, size_t *size, taco_error *err)
{
    uint8_t head[14];
    size_t at, blocks = SIZE_MAX;
    *size = 0;
    taco__zstd_encode_begin_frame(e);
    at = taco__zstd_encode_header(head, in.len, e->level->window, checksum);
    if (cap >= at) {
        memcpy(dst, head, at);
        blocks = taco__zstd_encode_blocks(e, in, dst + at, cap - at);
    }
    if (blocks == SIZE_MAX || (checksum && cap - at - blocks < 4)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a ZSTD frame of %u bytes of data does not fit into %u bytes",
                          TACO__U(in.len), TACO__U(cap));
    }
    at += blocks;
    if (checksum) {
        taco__put_le32(dst + at, (uint32_t)taco__xxh64_hash(0, in.data, in.len));
        at += 4;
    }
    *size = at;
    return TACO_OK;
}

/* ---- the encoder ---- */

/* The codes of the shortest lengths, by length. */
static void taco__zstd_encode_small_codes(taco__zstd_encoder *e)
{
    unsigned s, i;
    for (s = i = 0; i < 64; i++) {
        s += i >= e->base_of[TACO__ZSTD_LL][s + 1];
        e->ll_code[i] = (uint8_t)s;
    }
    for (s = i = 0; i < 128; i++) {
        s += i + 3 >= e->base_of[TACO__ZSTD_ML][s + 1];
        e->ml_code[i] = (uint8_t)s;
    }
}

/* Makes the encoder of a level, 1 to TACO__ZSTD_ENCODE_MAX_LEVEL; others are clamped. NULL on
   failure. It can encode any number of frames, one after the other, without further memory. */
TACO__FN taco__zstd_encoder *taco__zstd_encode_open(taco__mem *mem, int level, taco_error *err)
{
    const int k = level < 1 ? 1 : TACO__MIN(level, TACO__ZSTD_ENCODE_MAX_LEVEL);
    const taco__zstd_encode_level *l = &taco__zstd_encode_levels[k - 1];
    const size_t hash = sizeof(uint32_t) << l->hash;
    const size_t second = l->second ? sizeof(uint32_t) << l->second : 0;
    const size_t size = sizeof(taco__zstd_encoder) + hash + second;
    taco__zstd_encoder *e = (taco__zstd_encoder *)taco__mem_alloc(mem, size, err);
    unsigned field;
    if (!e) { return NULL; }
    e->mem = mem;
    e->size = size;
    e->level = l;
    e->hash = (uint32_t *)(void *)(e + 1);
    e->second = second ? e->hash + ((size_t)1 << l->hash) : NULL;
    e->used = 1;
    for (field = 0; field < 3; field++) {
        taco__zstd_codes_predefined(field, &e->fse[field][0].c);
        taco__zstd_encode_fse_build(&e->fse[field][0]);
        taco__zstd_codes_values(field, e->base_of[field], e->extra[field]);
    }
    taco__zstd_encode_small_codes(e);
    return e;
}

/* NULL is accepted. */
TACO__FN void taco__zstd_encode_close(taco__zstd_encoder *e)
{
    if (e) { taco__mem_free(e->mem, e, e->size); }
}
