/* gzip_decode.c - gzip files (RFC 1952) and zlib streams (RFC 1950) around DEFLATE data

   Both are a header, DEFLATE data, and a checksum of the uncompressed bytes: gzip has CRC-32 and
   the length, zlib Adler-32. Parquet's codec GZIP is meant to be gzip members, joined, and some
   writers put zlib streams or raw data there: taco__gzip_decode_any finds out which.
   taco__inflate_stream (inflate.c) decodes what is inside. */
#include "codec.h"

/* Skips the header of a gzip member, RFC 1952 §2.3: ten bytes, then optional parts according to the
   flags. */
static taco_status taco__gzip_header(taco__inflater *z, taco_error *err)
{
    taco__byte_reader c = taco__byte_reader_init(taco__bytes_of(z->ip, (size_t)(z->end - z->ip)));
    uint64_t at = (uint64_t)(z->ip - z->start);
    const uint8_t *head = taco__byte_reader_take(&c, 10);
    unsigned flags = head ? head[3] : 0, n, want;
    if (head && (head[0] != 0x1F || head[1] != 0x8B)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at, "gzip member begins with 0x%x%x, not 0x1f8b",
                          TACO__U(head[0]), TACO__U(head[1]));
    }
    if (head && (head[2] != 8 || (flags & 0xE0))) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, at,
                          "gzip method %u with flags 0x%x, only 8 with flags up to 0x1f is known",
                          TACO__U(head[2]), TACO__U(flags));
    }
    if (flags & 4) { /* FEXTRA */
        n = taco__byte_reader_le16(&c);
        (void)taco__byte_reader_take(&c, n);
    }
    for (n = 8; n <= 16; n *= 2) { /* FNAME and FCOMMENT end with a zero byte */
        while ((flags & n) && taco__byte_reader_u8(&c)) {}
    }
    if ((flags & 2) && !c.bad) { /* FHCRC: the low half of the CRC-32 of everything before it */
        n = taco__crc32(0, z->ip, taco__byte_reader_position(&c)) & 0xFFFF;
        want = taco__byte_reader_le16(&c);
        if (!c.bad && want != n) {
            return TACO__FAIL(err, TACO_ERR_CHECKSUM, at,
                              "gzip header has checksum 0x%x, its bytes give 0x%x", TACO__U(want),
                              TACO__U(n));
        }
    }
    if (c.bad) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, TACO__U(z->end - z->start),
                          "gzip member ends inside its header");
    }
    z->ip = c.at;
    return TACO_OK;
}

/* Decodes one gzip member at z->ip, and leaves z->ip after its trailer, CRC-32 and length. */
static taco_status taco__gzip_member(taco__inflater *z, taco_error *err)
{
    size_t first = (size_t)(z->out.op - z->out.base), size;
    uint32_t sum, want;
    uint64_t at;
    taco_status status = taco__gzip_header(z, err);
    if (status == TACO_OK) { status = taco__inflate_stream(z, err); }
    if (status != TACO_OK) { return status; }
    at = (uint64_t)(z->ip - z->start);
    size = (size_t)(z->out.op - z->out.base) - first;
    if (z->end - z->ip < 8) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, TACO__U(z->end - z->start),
                          "gzip member ends inside its trailer");
    }
    sum = taco__crc32(0, z->out.base + first, size);
    want = taco__load_le32(z->ip);
    if (sum != want) {
        return TACO__FAIL(err, TACO_ERR_CHECKSUM, at,
                          "gzip member has CRC-32 0x%x, its bytes give 0x%x", TACO__U(want),
                          TACO__U(sum));
    }
    want = taco__load_le32(z->ip + 4);
    if ((uint32_t)size != want) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at + 4,
                          "gzip member of %u bytes, its trailer says %u", TACO__U(size),
                          TACO__U(want));
    }
    z->ip += 8;
    return TACO_OK;
}

/* All members, concatenated. Anything else after the last one is ignored, as gzip does. */
static taco_status taco__gzip_decode(taco_bytes in, taco__buf *out, size_t limit, taco_error *err)
{
    taco__inflater z;
    taco_status status = taco__inflate_init(&z, in, out, limit, err);
    do {
        if (status == TACO_OK) { status = taco__gzip_member(&z, err); }
    } while (status == TACO_OK && z.end - z.ip >= 2 && z.ip[0] == 0x1F && z.ip[1] == 0x8B);
    if (status == TACO_OK) { taco__lz_output_finish(&z.out); }
    return status;
}

/* RFC 1950 §2.2: the method is 8 with a window of up to 32 KiB, and the two bytes are a multiple of
   31. */
static bool taco__zlib_detect(taco_bytes in)
{
    return in.len >= 2 && (in.data[0] & 15) == 8 && in.data[0] >> 4 <= 7 &&
           (in.data[0] * 256U + in.data[1]) % 31 == 0;
}

/* One zlib stream; what follows it is ignored. */
static taco_status taco__zlib_decode(taco_bytes in, taco__buf *out, size_t limit, taco_error *err)
{
    taco__inflater z;
    uint32_t sum, want;
    taco_status status = taco__inflate_init(&z, in, out, limit, err);
    if (status != TACO_OK) { return status; }
    if (in.len < 2) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, TACO__U(in.len),
                          "zlib stream ends inside its header");
    }
    if (!taco__zlib_detect(in)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "not a zlib stream, it begins with 0x%x",
                          TACO__U(in.data[0] * 256U + in.data[1]));
    }
    if (in.data[1] & 0x20) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, 1, "zlib stream needs a dictionary");
    }
    z.ip += 2;
    status = taco__inflate_stream(&z, err);
    if (status != TACO_OK) { return status; }
    if (z.end - z.ip < 4) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, TACO__U(in.len),
                          "zlib stream ends inside its checksum");
    }
    want = taco__load_be32(z.ip);
    sum = taco__adler32(z.out.base, (size_t)(z.out.op - z.out.base));
    if (sum != want) {
        return TACO__FAIL(err, TACO_ERR_CHECKSUM, TACO__U(z.ip - z.start),
                          "zlib stream has Adler-32 0x%x, its bytes give 0x%x", TACO__U(want),
                          TACO__U(sum));
    }
    taco__lz_output_finish(&z.out);
    return TACO_OK;
}

/* Any of the three, with the usual contract of a decoder. No raw data begins as one of the others:
   as the first byte of DEFLATE, 0x1F is a last block of type 3, and a byte that ends in 8 is a
   stored block whose padding is not zero, which no encoder writes. */
TACO__FN taco_status taco__gzip_decode_any(taco_bytes in, taco__buf *out, size_t limit,
                                           taco_error *err)
{
    if (in.len >= 2 && in.data[0] == 0x1F && in.data[1] == 0x8B) {
        return taco__gzip_decode(in, out, limit, err);
    }
    return taco__zlib_detect(in) ? taco__zlib_decode(in, out, limit, err)
                                 : taco__inflate(in, out, limit, err);
}
