/* Our decoders compared with libzstd, zlib, liblz4 and libsnappy: if both decode an input, the
   output is the same; if only one does, it is a finding, unless our limits or rules are stricter.
   Linked with -lzstd -lz -llz4 -lsnappy. */
#define TACO_PARQUET_IMPLEMENTATION
#include "../extra/taco_parquet_write.h"

#include "holds.h"

#include <lz4.h>
#include <snappy-c.h>
#include <zlib.h>
#include <zstd.h>

#define ROOM ((size_t)1 << 18)

static uint8_t theirs[ROOM];

/* SIZE_MAX where the system's library does not decode it, SIZE_MAX - 1 where it does not end. */
static size_t decode_theirs(unsigned kind, const uint8_t *p, size_t n)
{
    if (kind == 0) {
        size_t k = ZSTD_decompress(theirs, ROOM, p, n);
        return ZSTD_isError(k) ? SIZE_MAX : k;
    }
    if (kind == 1) {
        z_stream z;
        int st;
        memset(&z, 0, sizeof z);
        HOLDS(inflateInit2(&z, -15) == Z_OK);
        z.next_in = (Bytef *)(uintptr_t)p;
        z.avail_in = (uInt)n;
        z.next_out = theirs;
        z.avail_out = (uInt)ROOM;
        st = inflate(&z, Z_FINISH);
        inflateEnd(&z);
        return st == Z_STREAM_END ? (size_t)z.total_out : SIZE_MAX;
    }
    if (kind == 2) {
        int k = LZ4_decompress_safe((const char *)p, (char *)theirs, (int)n, (int)ROOM);
        return k < 0 ? SIZE_MAX : (size_t)k;
    }
    {
        size_t k = ROOM;
        return snappy_uncompress((const char *)p, n, (char *)theirs, &k) == SNAPPY_OK ? k
                                                                                      : SIZE_MAX;
    }
}

static taco_status decode_ours(unsigned kind, taco_bytes in, taco__buf *out, taco_error *err)
{
    static uint8_t literals[TACO__ZSTD_LITERALS(SIZE_MAX)];
    static taco__zstd_decoder zstd = {.literals = literals};
    return kind == 0   ? taco__zstd_decode(&zstd, in, out, ROOM, err)
           : kind == 1 ? taco__inflate(in, out, ROOM, err)
           : kind == 2 ? taco__lz4_decode_raw(in, out, ROOM, err)
                       : taco__snappy_decode(in, out, ROOM, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned kind;
    for (kind = 0; kind < 4; kind++) {
        taco__mem mem;
        taco__buf out;
        taco_error err;
        taco_status st;
        size_t n = decode_theirs(kind, data, size);
        taco__mem_init(&mem, NULL);
        memset(&out, 0, sizeof out);
        memset(&err, 0, sizeof err);
        out.mem = &mem;
        st = decode_ours(kind, taco__bytes_of(data, size), &out, &err);
        if (st == TACO_OK && n != SIZE_MAX) {
            HOLDS(out.len == n && (n == 0 || memcmp(out.data, theirs, n) == 0));
        }
        if (st == TACO_OK) { HOLDS(n != SIZE_MAX); }
        /* liblz4 takes an offset of 0, which the format forbids, and writes anything. After up to 14
           literals it does not check that the block ends with literals, as the format requires; ours
           then finds a match among the last bytes, or no room for its length. libzstd does not check
           the reserved bits of the table modes, which must be 0 (RFC 8878, 3.1.1.3.2.1.3), nor, for
           uncompressed blocks, the most that a block of the frame may hold (3.1.1.2.4); before
           1.5.6 it reads zeros beyond the begin of a stream of sequences. Debian's also reads
           formats before version 0.8, whose magic numbers end in other digits. */
        if (n != SIZE_MAX) {
            HOLDS(st == TACO_OK || size == 0 || strstr(err.text, "LZ4 match from 0 bytes back") ||
                  strstr(err.text, "bytes before the end of its block") ||
                  strstr(err.text, "LZ4 block ends inside the length of a match") ||
                  strstr(err.text, "without a valid byte of table modes") ||
                  strstr(err.text, "the frame's blocks have at most") ||
                  strstr(err.text, "not a ZSTD frame: magic number fd2fb52") ||
                  (ZSTD_versionNumber() < 10506 &&
                   strstr(err.text, "ZSTD sequences do not end where")));
        }
        taco__buf_free(&out);
    }
    return 0;
}
