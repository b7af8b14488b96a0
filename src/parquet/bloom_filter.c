/* bloom_filter.c - is a value not in a column chunk? split-block bloom filters

   In: a chunk's metadata and the PLAIN bytes of a value; out: false if the chunk cannot hold the
   value, so that a test for equality need not read it. Spec: parquet-format BloomFilter.md. A large
   filter is not read whole: a value needs one block of 32 bytes. A damaged filter counts as absent;
   verify.c reports it. */
#include "parquet.h"
#include "../base/base.h"

/* A union whose only known member is 1, an empty structure; others are reserved for the future. */
static bool taco__bloom_parse_union(taco__thrift *t, unsigned type)
{
    taco__thrift_field f;
    bool first = false;
    if (taco__thrift_begin_struct(t, type, &f)) {
        while (taco__thrift_next(t, &f)) {
            first = first || f.id == 1;
            taco__thrift_skip(t, f.type);
        }
    }
    return first;
}

/* Parses a BloomFilterHeader at file_offset: split blocks, XXH64, uncompressed; else UNSUPPORTED.
   TRUNCATED: more bytes may help. */
static taco_status taco__bloom_parse_header(taco_bytes in, uint64_t file_offset, uint32_t *bytes,
                                            size_t *header_len, taco_error *err)
{
    taco__thrift t;
    taco__thrift_field f;
    bool block = false, xxh = false, plain = false;
    *bytes = 0;
    *header_len = 0;
    taco__thrift_init(&t, in, file_offset, "bloom filter", true, err);
    taco__thrift_begin(&t, &f);
    while (taco__thrift_next(&t, &f)) {
        switch (f.id) {
        case 1: *bytes = taco__thrift_count32(&t, f.type, "numBytes"); break;
        case 2: block = taco__bloom_parse_union(&t, f.type); break;
        case 3: xxh = taco__bloom_parse_union(&t, f.type); break;
        case 4: plain = taco__bloom_parse_union(&t, f.type); break;
        default: taco__thrift_skip(&t, f.type); break;
        }
    }
    if (taco__thrift_ok(&t) && (!block || !xxh || !plain)) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, file_offset,
                          "unsupported: bloom filter that "
                          "is not of split blocks, XXH64 and uncompressed");
    }
    if (taco__thrift_ok(&t) && (*bytes == 0 || *bytes % 32)) {
        TACO__THRIFT_FAIL(&t, file_offset, "bloom filter of %u bytes, blocks have 32",
                          TACO__U(*bytes));
    }
    *header_len = taco__byte_reader_position(&t.cur);
    return t.status;
}

/* Bytes read for a header whose length the footer does not give. */
#define TACO__BLOOM_HEADER_SIZE 64

/* Filters up to this size are read whole; of a larger one, only the 32-byte block for a value. */
#define TACO__BLOOM_READ_WHOLE 4096

TACO__FN void taco__bloom_close(taco__bloom *b)
{
    if (b->bytes.mem) { taco__buf_free(&b->bytes); }
}

TACO__FN bool taco__bloom_open(taco__bloom *b, const taco__file_part *part,
                               const taco__pq_column_chunk *c, taco__mem *mem, taco_error *err)
{
    uint64_t end = c->bloom.offset + c->bloom.len;
    size_t len = TACO__BLOOM_HEADER_SIZE, header = 0;
    uint32_t bytes = 0;
    const uint8_t *p;
    if (!b->bytes.mem) { b->bytes.mem = mem; }
    b->part = part;
    b->err = err;
    if (c->bloom.len == 0 || c->encrypted || c->external || c->bloom.offset >= part->size) {
        return false;
    }
    if (c->bloom.len == UINT64_MAX || end > part->size) {
        end = part->size;
    } else if (c->bloom.len <= TACO__BLOOM_READ_WHOLE) {
        len = (size_t)c->bloom.len;
    }
    len = (size_t)TACO__MIN((uint64_t)len, end - c->bloom.offset);
    p = taco__file_part_view(part, c->bloom.offset, len, &b->bytes, err);
    if (!p || taco__bloom_parse_header(taco__bytes_of(p, len), c->bloom.offset, &bytes, &header,
                                       NULL) != TACO_OK) {
        return false;
    }
    b->at = c->bloom.offset + header;
    b->blocks = bytes / 32;
    /* a filter inside of the pages is none: its length or its place is wrong */
    return taco__checked_range(b->at, bytes, end) &&
           (b->at + bytes <= c->pages.offset || c->bloom.offset >= c->pages.offset + c->pages.len);
}

/* The high half of a value's hash selects a block; the low half times a salt selects one bit in
   each of the block's eight words (BloomFilter.md, "Algorithm"). A block that cannot be read rules
   nothing out, and the failure is in b->err. */
TACO__FN bool taco__bloom_may_contain(void *ctx, taco_bytes plain)
{
    static const uint32_t salts[8] = {0x47b6137bU, 0x44974d91U, 0x8824ad5bU, 0xa2b7289dU,
                                      0x705495c7U, 0x2df1424bU, 0x9efc4947U, 0x5c6bfb31U};
    taco__bloom *b = (taco__bloom *)ctx;
    uint64_t h = taco__xxh64_hash(0, plain.data, plain.len);
    uint64_t block = ((h >> 32) * b->blocks) >> 32;
    const uint8_t *p = taco__file_part_view(b->part, b->at + block * 32, 32, &b->bytes, b->err);
    int i;
    for (i = 0; p && i < 8; i++) {
        uint32_t bit = (uint32_t)((uint32_t)h * salts[i]) >> 27;
        if (!(taco__load_le32(p + (size_t)i * 4) >> bit & 1)) { return false; }
    }
    return true;
}
