/* system_codecs.h - the system's codecs for taco_parquet.h. Include it before that header, with
   SYSTEM_BROTLI, SYSTEM_ZSTD, SYSTEM_ZLIB, SYSTEM_SNAPPY or SYSTEM_LZ4 defined for each library
   to use (-lbrotlidec -lzstd -lz -lsnappy -llz4). Copy what you need. A decoder gets one stream at
   src and room for dst_cap bytes at dst. It returns the number of bytes written, or anything above
   dst_cap for a failure; *src_used is src_len on entry. */
#ifndef SYSTEM_CODECS_H
#define SYSTEM_CODECS_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#ifdef SYSTEM_BROTLI
#include <brotli/decode.h>

static size_t system_brotli(void *dst, size_t dst_cap, const void *src, size_t src_len,
                            size_t *src_used)
{
    size_t n = dst_cap;
    (void)src_used;
    return BrotliDecoderDecompress(src_len, (const uint8_t *)src, &n, (uint8_t *)dst) ==
                   BROTLI_DECODER_RESULT_SUCCESS
               ? n
               : SIZE_MAX;
}

#define TACO_PARQUET_BROTLI_DECOMPRESS system_brotli
#endif

#ifdef SYSTEM_ZSTD
#include <zstd.h>

static size_t system_zstd(void *dst, size_t dst_cap, const void *src, size_t src_len,
                          size_t *src_used)
{
    /* decodes all frames at once, skippable ones too; its error codes are above any dst_cap */
    (void)src_used;
    return ZSTD_decompress(dst, dst_cap, src, src_len);
}

#define TACO_PARQUET_ZSTD_DECOMPRESS system_zstd
#endif

#ifdef SYSTEM_ZLIB
#include <string.h>
#include <zlib.h>

/* Raw DEFLATE data: window bits below 0. Whatever follows it, such as a gzip trailer, is ignored.
   zlib counts in unsigned int, hence the pieces. */
static size_t system_inflate(void *dst, size_t dst_cap, const void *src, size_t src_len,
                             size_t *src_used)
{
    z_stream z;
    size_t in = 0, out = 0;
    int status;
    memset(&z, 0, sizeof z);
    if (inflateInit2(&z, -15) != Z_OK) { return SIZE_MAX; }
    do {
        size_t n = src_len - in < INT_MAX ? src_len - in : INT_MAX;
        size_t m = dst_cap - out < INT_MAX ? dst_cap - out : INT_MAX;
        z.next_in = (Bytef *)(uintptr_t)src + in;
        z.avail_in = (uInt)n;
        z.next_out = (Bytef *)dst + out;
        z.avail_out = (uInt)m;
        status = inflate(&z, Z_NO_FLUSH);
        n -= z.avail_in;
        m -= z.avail_out;
        in += n;
        out += m;
        if (n == 0 && m == 0) { break; /* nothing left to read, or no space left */ }
    } while (status == Z_OK);
    inflateEnd(&z);
    *src_used = in;
    return status == Z_STREAM_END ? out : SIZE_MAX;
}

static uint32_t system_crc32(uint32_t crc, const void *data, size_t len)
{
    return (uint32_t)crc32_z(crc, (const Bytef *)data, len);
}

#define TACO_PARQUET_INFLATE system_inflate
#define TACO_PARQUET_CRC32   system_crc32
#endif

#ifdef SYSTEM_SNAPPY
#include <snappy-c.h>

static size_t system_snappy(void *dst, size_t dst_cap, const void *src, size_t src_len,
                            size_t *src_used)
{
    size_t n = dst_cap;
    (void)src_used;
    return snappy_uncompress((const char *)src, src_len, (char *)dst, &n) == SNAPPY_OK ? n
                                                                                       : SIZE_MAX;
}

#define TACO_PARQUET_SNAPPY_DECOMPRESS system_snappy
#endif

#ifdef SYSTEM_LZ4
#include <lz4.h>

static size_t system_lz4(void *dst, size_t dst_cap, const void *src, size_t src_len,
                         size_t *src_used)
{
    int n = src_len > INT_MAX ? -1
                              : LZ4_decompress_safe((const char *)src, (char *)dst, (int)src_len,
                                                    dst_cap > INT_MAX ? INT_MAX : (int)dst_cap);
    (void)src_used;
    return n < 0 ? SIZE_MAX : (size_t)n;
}

#define TACO_PARQUET_LZ4_DECOMPRESS system_lz4
#endif

#endif
