/* zstd_decode.c - decode ZSTD frames (RFC 8878): headers, blocks and their sections

   taco__zstd_decode goes over all frames of the input, taco__zstd_decode_frame over the blocks of
   one, taco__zstd_decode_compressed over the two sections of a block: literals are decoded to a
   separate buffer (or used in place, or directly to the output if the block has no sequences), then
   the sequences copy them to the output between matches. All errors are reported from here, with
   their byte. Room is reserved block by block, or for the frame if its header has a size: a few
   bytes of input never reserve more than a few blocks. */
#include "zstd.h"

#ifdef TACO_PARQUET_ZSTD_DECOMPRESS
/* The host's decoder does everything. */
TACO__FN taco_status taco__zstd_decode(taco__zstd_decoder *z, taco_bytes in, taco__buf *out,
                                       size_t limit, taco_error *err)
{
    (void)z;
    return in.len
               ? taco__lz_host_decode_all(TACO_PARQUET_ZSTD_DECOMPRESS, "ZSTD", in, out, limit, err)
               : TACO_OK;
}
#else
TACO__STATIC_ASSERT(zstd_slack, TACO__ZSTD_SLACK <= TACO__PAD);

/* ---- blocks, §3.1.1.2 ---- */

/* Number of bytes of the frame decoded so far. */
TACO__INLINE size_t taco__zstd_decode_frame_bytes(const taco__zstd_decode_job *j)
{
    return j->out->len - j->frame;
}

/* Most bytes that one more block may produce: limited by the frame's header, the block size and the
   caller. Never more than 128 KiB. */
static size_t taco__zstd_decode_room(const taco__zstd_decode_job *j)
{
    size_t room = j->limit - (j->out->len - j->start);
    room = TACO__MIN(room, (size_t)j->block_max);
    if (j->has_content && j->content - taco__zstd_decode_frame_bytes(j) < room) {
        room = (size_t)(j->content - taco__zstd_decode_frame_bytes(j));
    }
    return room;
}

/* Fails because a block produces size bytes (0: an unknown number), which is more than the room. */
static bool taco__zstd_decode_no_room(taco__zstd_decode_job *j, size_t size, const uint8_t *where)
{
    size_t room = taco__zstd_decode_room(j);
    size = size ? size : room + 1;
    /* first what no reader accepts, then what this one may not */
    if (room == j->block_max) {
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

/* Makes room in out for size more bytes of a block, if allowed. */
static bool taco__zstd_decode_reserve(taco__zstd_decode_job *j, size_t size, const uint8_t *where)
{
    return size <= taco__zstd_decode_room(j) ? taco__buf_reserve(j->out, size, j->err)
                                             : taco__zstd_decode_no_room(j, size, where);
}

/* The header of a literals section, §3.1.1.3.1.1. */
typedef struct taco__zstd_decode_literals_header {
    /* 0 raw, 1 RLE, 2 with a Huffman tree, 3 with the tree of an earlier block */
    unsigned type;
    bool one;            /* one stream, not four */
    size_t size;         /* how many literals there are */
    size_t packed;       /* the bytes they take in the input */
    const uint8_t *data; /* those bytes, a tree included */
} taco__zstd_decode_literals_header;

/* Two bits of type and two of format say how long the header is. Then come one size of 5, 12 or 20
   bits, or two of 10, 14 or 18 bits, as one little-endian number. */
static bool taco__zstd_decode_read_literals(taco__zstd_decode_job *j,
                                            taco__zstd_decode_literals_header *l, const uint8_t *p,
                                            size_t len)
{
    uint64_t x = 0;
    size_t head, i;
    unsigned format = len ? p[0] >> 2 & 3U : 0;
    l->type = len ? p[0] & 3U : 0;
    if (l->type < 2) {
        head = format == 1   ? 2
               : format == 3 ? 3
                             : 1; /* 0 and 2 are one, as its bit is the size's */
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

/* Decodes the literals to `to`, which has room for them and slack after it. */
static bool taco__zstd_decode_literals(taco__zstd_decode_job *j,
                                       const taco__zstd_decode_literals_header *l, uint8_t *to)
{
    taco__zstd_decoder *z = j->z;
    const uint8_t *p = l->data;
    size_t len = l->packed, tree = 0;
    bool ok;
    if (l->type < 2) {
        if (l->size == 0) { return true; }
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
static bool taco__zstd_decode_sequence_count(const uint8_t **at, const uint8_t *end, uint32_t *n)
{
    const uint8_t *p = *at;
    size_t len = (size_t)(end - p), head;
    if (len == 0) { return false; }
    head = p[0] < 128 ? 1 : p[0] < 255 ? 2 : 3;
    if (len < head) { return false; }
    *n = head == 1   ? p[0]
         : head == 2 ? (uint32_t)(p[0] - 128) << 8 | p[1]
                     : 0x7F00U + taco__load_le16(p + 1);
    *at += head;
    return true;
}

/* Fills q with the tables and the bit stream of n sequences. At `at` is a byte of modes, two bits
   for each field from the top and two reserved, then the tables that are described, then the
   stream. */
static bool taco__zstd_decode_open_sequences(taco__zstd_decode_job *j, taco__zstd_seq_block *q,
                                             uint32_t n, const uint8_t *at, const uint8_t *end)
{
    taco__zstd_decoder *z = j->z;
    unsigned field, modes;
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

/* Reports why the sequences of a block failed. */
static TACO__COLD bool taco__zstd_decode_sequence_error(taco__zstd_decode_job *j,
                                                        const taco__zstd_seq_block *q,
                                                        taco__zstd_seq_result why)
{
    if (why == TACO__ZSTD_SEQ_NEED_ROOM) { return taco__zstd_decode_no_room(j, 0, q->bits); }
    if (why == TACO__ZSTD_SEQ_OFFSET) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, q->bits,
                        "ZSTD match at offset %u, the frame has %u bytes before it",
                        TACO__U(q->offset), TACO__U(q->to - q->frame));
    } else if (why == TACO__ZSTD_SEQ_LITERALS) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, q->bits,
                        "ZSTD sequences take more literals than the block's %u",
                        TACO__U(q->literal_count));
    } else {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, q->bits,
                        "ZSTD sequences do not end where their %u bytes do", TACO__U(q->bits_len));
    }
    return false;
}

/* Literals where sequences can copy from: in the input if they are raw and copies may read past
   them there, else decoded to z->literals. NULL on failure. With TACO_SMALL, whose copies write
   nothing after their end, z->literals is the end of the block's room in the output: what is put
   out reaches a literal there only if there is no room for the literals that are left, which is an
   error. */
static const uint8_t *
taco__zstd_decode_literals_for_copies(taco__zstd_decode_job *j,
                                      const taco__zstd_decode_literals_header *l, uint8_t *end)
{
    if (l->type == 0 && (size_t)(j->end - l->data) >= l->size + TACO__ZSTD_SLACK) {
        return l->data;
    }
#ifdef TACO_SMALL
    j->z->literals = end - l->size;
#else
    (void)end;
#endif
    return taco__zstd_decode_literals(j, l, j->z->literals) ? j->z->literals : NULL;
}

/* A compressed block, §3.1.1.3: literals, then sequences that copy them and earlier output.
   Literals that no sequence uses are the end of the block. */
static bool taco__zstd_decode_compressed(taco__zstd_decode_job *j, const uint8_t *p, size_t len)
{
    taco__zstd_decode_literals_header l;
    taco__zstd_seq_block q;
    taco__zstd_seq_result why;
    const uint8_t *at, *end = p + len;
    size_t room = taco__zstd_decode_room(j), rest;
    uint32_t n;
    if (!taco__zstd_decode_read_literals(j, &l, p, len)) { return false; }
    at = l.data + l.packed;
    if (!taco__zstd_decode_sequence_count(&at, end, &n) || (n == 0 && at != end)) {
        /* a block without sequences ends with their count */
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, at,
                        "ZSTD block of %u bytes does not end with its sequences", TACO__U(len));
        return false;
    }
    if (!taco__buf_reserve(j->out, n ? room : l.size, j->err)) { return false; }
    if (n == 0) { /* the literals are the output */
        if (!taco__zstd_decode_literals(j, &l, j->out->data + j->out->len)) { return false; }
        j->out->len += l.size;
        return true;
    }
    q.end = j->out->data + j->out->len + room;
    q.lit = taco__zstd_decode_literals_for_copies(j, &l, q.end);
    if (!q.lit) { return false; }
    q.lit_end = q.lit + l.size;
    q.literal_count = l.size;
    q.frame = j->out->data + j->frame;
    q.to = j->out->data + j->out->len;
    if (!taco__zstd_decode_open_sequences(j, &q, n, at, end)) { return false; }
    why = taco__zstd_seq_run(&q);
    rest = (size_t)(q.lit_end - q.lit);
    if (why == TACO__ZSTD_SEQ_OK && rest > (size_t)(q.end - q.to)) {
        why = TACO__ZSTD_SEQ_NEED_ROOM;
    }
    if (why != TACO__ZSTD_SEQ_OK) { return taco__zstd_decode_sequence_error(j, &q, why); }
    memmove(q.to, q.lit, rest);
    j->out->len = (size_t)(q.to - j->out->data) + rest;
    memcpy(j->z->repeat, q.repeat, sizeof q.repeat);
    return true;
}

/* ---- frames, §3.1 ---- */

/* Fails because the input ends inside something that begins at `where` and takes `need` bytes. */
static bool taco__zstd_decode_truncated(taco__zstd_decode_job *j, const char *what, size_t need,
                                        const uint8_t *where)
{
    TACO__ZSTD_FAIL(j, TACO_ERR_TRUNCATED, where, "ZSTD %s takes %u bytes, %u are left", what,
                    TACO__U(need), TACO__U(j->end - where));
    return false;
}

/* A little-endian number of n <= 8 bytes. */
static uint64_t taco__zstd_decode_number(const uint8_t *p, size_t n)
{
    uint64_t x = 0;
    size_t i;
    for (i = 0; i < n; i++) {
        x |= (uint64_t)p[i] << (8 * i);
    }
    return x;
}

/* The window size in a Window_Descriptor at p, §3.1.1.1.2; 0 if it is too large. Here it only
   bounds the size of blocks. */
static uint64_t taco__zstd_decode_window(taco__zstd_decode_job *j, const uint8_t *p)
{
    unsigned log = 10 + (*p >> 3);
    uint64_t window = ((uint64_t)1 << log) + (((uint64_t)1 << log) >> 3) * (*p & 7);
    if (log > 31) {
        TACO__ZSTD_FAIL(j, TACO_ERR_UNSUPPORTED, p,
                        "ZSTD window of %u bytes, at most %u are supported", window,
                        TACO__U((uint64_t)15 << 28));
        return 0;
    }
    return window;
}

/* The frame header after the magic number, §3.1.1.1: a byte of flags, then a byte of window size,
   the number of a dictionary and the content size, as the flags say. A single segment has no window
   and always a size. */
static bool taco__zstd_decode_header(taco__zstd_decode_job *j)
{
    static const uint8_t id_bytes[4] = {0, 1, 2, 4}, content_bytes[4] = {0, 2, 4, 8};
    const uint8_t *p = j->at, *start = p;
    size_t left = (size_t)(j->end - p), need, n;
    unsigned flags = left ? p[0] : 0, single = flags >> 5 & 1;
    uint64_t window = 0, id;
    size_t content = content_bytes[flags >> 6];
    if (content == 0 && single) { content = 1; }
    n = id_bytes[flags & 3];
    need = (single ? 1 : 2) + n + content;
    if (left < need) { return taco__zstd_decode_truncated(j, "frame header", need, start); }
    if (flags & 8) {
        TACO__ZSTD_FAIL(j, TACO_ERR_UNSUPPORTED, start, "ZSTD frame header sets a reserved bit");
        return false;
    }
    p++;
    if (!single) {
        window = taco__zstd_decode_window(j, p++);
        if (!window) { return false; }
    }
    id = taco__zstd_decode_number(p, n);
    if (id) {
        TACO__ZSTD_FAIL(j, TACO_ERR_UNSUPPORTED, p, "ZSTD frame needs dictionary %u", id);
        return false;
    }
    p += n;
    /* §3.1.1.1.4: a size of two bytes is less 256 */
    j->content = taco__zstd_decode_number(p, content) + (content == 2 ? 256 : 0);
    j->has_content = content != 0;
    j->has_checksum = (flags & 4) != 0;
    j->block_max =
        (uint32_t)TACO__MIN(single ? j->content : window, (uint64_t)TACO__ZSTD_BLOCK_MAX);
    j->at = p + content;
    return true;
}

/* Reserves the size in the header, if the caller has not. A block takes 4 bytes and produces at
   most 128 KiB, so a few bytes cannot make this reserve much. */
static bool taco__zstd_decode_reserve_frame(taco__zstd_decode_job *j, const uint8_t *where)
{
    uint64_t most = ((uint64_t)(j->end - j->at) / 4 + 1) * TACO__ZSTD_BLOCK_MAX;
    size_t left = j->limit - (j->out->len - j->start);
    if (!j->has_content) { return true; }
    if (j->content > left) {
        uint64_t need = j->out->len - j->start;
        need = j->content > UINT64_MAX - need ? UINT64_MAX : need + j->content;
        TACO__ZSTD_FAIL(j, TACO_ERR_LIMIT, where, "ZSTD data of %u bytes, limits.max_page is %u",
                        need, TACO__U(j->limit));
        return false;
    }
    return taco__buf_reserve(j->out, (size_t)TACO__MIN(j->content, most), j->err);
}

/* Decodes the block at j->at; *last is whether it ends the frame. Its header has 3 bytes: 1 bit for
   the last block, 2 for the type, 21 for the size, §3.1.1.2. Types: 0 raw, 1 one byte repeated, 2
   compressed. */
static bool taco__zstd_decode_block(taco__zstd_decode_job *j, bool *last)
{
    const uint8_t *head = j->at, *p = head + 3;
    uint32_t x;
    size_t size, stored;
    unsigned type;
    if (j->end - head < 3) { return taco__zstd_decode_truncated(j, "block header", 3, head); }
    x = head[0] | (uint32_t)head[1] << 8 | (uint32_t)head[2] << 16;
    *last = x & 1;
    type = x >> 1 & 3;
    size = x >> 3;
    stored = type == 1 ? 1 : size;
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
    if (type == 2) { return taco__zstd_decode_compressed(j, p, size); }
    if (!taco__zstd_decode_reserve(j, size, head)) { return false; }
    if (type == 0) {
        memcpy(j->out->data + j->out->len, p, size);
    } else {
        memset(j->out->data + j->out->len, p[0], size);
    }
    j->out->len += size;
    return true;
}

/* The low half of XXH64 with seed 0 follows the last block, §3.1.1. */
static bool taco__zstd_decode_checksum(taco__zstd_decode_job *j, const taco__xxh64 *hash)
{
    uint32_t stored, found = (uint32_t)taco__xxh64_digest(hash);
    if (j->end - j->at < 4) { return taco__zstd_decode_truncated(j, "checksum", 4, j->at); }
    stored = taco__load_le32(j->at);
    if (stored != found) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CHECKSUM, j->at, "ZSTD checksum is %x, the content has %x",
                        TACO__U(stored), TACO__U(found));
        return false;
    }
    j->at += 4;
    return true;
}

/* A frame, just after its magic number. Tables and offsets of earlier frames do not apply. */
static bool taco__zstd_decode_frame(taco__zstd_decode_job *j)
{
    static const uint32_t first[3] = {1, 4, 8}; /* §3.1.1.5 */
    const uint8_t *start = j->at - 4;
    taco__xxh64 hash;
    bool last = false;
    j->frame = j->out->len;
    if (!taco__zstd_decode_header(j) || !taco__zstd_decode_reserve_frame(j, start)) {
        return false;
    }
    memset(j->z->has_table, 0, sizeof j->z->has_table);
    j->z->huf_ready = false;
    memcpy(j->z->repeat, first, sizeof first);
    taco__xxh64_init(&hash, 0);
    while (!last) {
        size_t before = j->out->len;
        if (!taco__zstd_decode_block(j, &last)) { return false; }
        /* while the block is still in the cache */
        if (j->has_checksum && j->out->len > before) {
            taco__xxh64_update(&hash, j->out->data + before, j->out->len - before);
        }
    }
    if (j->has_content && taco__zstd_decode_frame_bytes(j) != j->content) {
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, start, "ZSTD frame holds %u bytes, its header says %u",
                        TACO__U(taco__zstd_decode_frame_bytes(j)), j->content);
        return false;
    }
    return !j->has_checksum || taco__zstd_decode_checksum(j, &hash);
}

/* A frame of any kind: by its magic number, §3.1.1, or one to skip, §3.1.2. */
static bool taco__zstd_decode_any_frame(taco__zstd_decode_job *j)
{
    const uint8_t *p = j->at;
    uint32_t magic, size;
    if (j->end - p < 4) { return taco__zstd_decode_truncated(j, "magic number", 4, p); }
    magic = taco__load_le32(p);
    j->at = p + 4;
    if (magic == 0xFD2FB528U) { return taco__zstd_decode_frame(j); }
    if ((magic & 0xFFFFFFF0U) != 0x184D2A50U) { /* skippable frames have sixteen numbers */
        TACO__ZSTD_FAIL(j, TACO_ERR_CORRUPT, p, "not a ZSTD frame: magic number %x",
                        TACO__U(magic));
        return false;
    }
    if (j->end - p < 8) { return taco__zstd_decode_truncated(j, "skippable frame header", 8, p); }
    size = taco__load_le32(p + 4);
    j->at = p + 8;
    if (size > (size_t)(j->end - j->at)) {
        return taco__zstd_decode_truncated(j, "skippable frame", size, j->at);
    }
    j->at += size;
    return true;
}

/* All frames of `in`, with the usual contract of a decoder. The caller, who may know the size,
   should reserve out; else it grows with the blocks. Empty input has no frames, which is not an
   error. */
TACO__FN taco_status taco__zstd_decode(taco__zstd_decoder *z, taco_bytes in, taco__buf *out,
                                       size_t limit, taco_error *err)
{
    taco_error own;
    taco__zstd_decode_job j;
    memset(&j, 0, sizeof j);
    own.code = TACO_OK; /* err may already hold a failure */
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
            taco__error_copy(err, &own);
            return own.code;
        }
    }
    return TACO_OK;
}
#endif
