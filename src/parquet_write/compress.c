/* compress.c - the codecs that the writer has, and one encoder of each for all pages

   In: bytes and the leaf's settings; out: the same bytes appended to a buffer, compressed as the
   settings say (parquet-format, Compression.md). The encoders are in src/codec, which knows nothing
   about Parquet: this file gives them names, memory, and room for the worst case. Start reading at
   taco__compress_append. */
#include "parquet_write.h"
#include "../base/base.h"
#include "../codec/encode.h"

/* Makes room for *bound bytes; if fits is false, the worst case for src exceeds a size_t. (A
   pointer: arguments are evaluated in any order, and the bound is set by one of them.) */
static bool taco__compress_reserve(taco__buf *dst, bool fits, const size_t *bound, taco_bytes src,
                                   taco_error *err)
{
    if (fits) { return taco__buf_reserve(dst, *bound, err); }
    TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u bytes",
               TACO__U(src.len));
    return false;
}

/* Opens the encoder for a level; another level needs a new one, since its tables depend on it. */
static bool taco__compress_open_zstd(taco__compressor *c, int level, taco_error *err)
{
    if (c->zstd && c->zstd_level != level) {
        taco__zstd_encode_close(c->zstd);
        c->zstd = NULL;
    }
    if (!c->zstd) {
        c->zstd = taco__zstd_encode_open(c->mem, level, err);
        c->zstd_level = level;
    }
    return c->zstd != NULL;
}

static bool taco__compress_zstd(taco__compressor *c, taco_bytes src, taco__buf *dst, int level,
                                taco_error *err)
{
    size_t bound = 0, size;
    if (!taco__compress_open_zstd(c, level ? level : TACO__ZSTD_ENCODE_DEFAULT_LEVEL, err) ||
        !taco__compress_reserve(dst, taco__zstd_encode_bound(src.len, &bound), &bound, src, err) ||
        taco__zstd_encode(c->zstd, src, false, dst->data + dst->len, bound, &size, err) !=
            TACO_OK) {
        return false;
    }
    dst->len += size;
    return true;
}

static bool taco__compress_snappy(taco__compressor *c, taco_bytes src, taco__buf *dst, int level,
                                  taco_error *err)
{
    size_t bound = 0, size;
    (void)level;
    if (!c->snappy) {
        c->snappy = (taco__snappy_encoder *)taco__mem_alloc(c->mem, sizeof *c->snappy, err);
    }
    if (!c->snappy ||
        !taco__compress_reserve(dst, taco__snappy_encode_bound(src.len, &bound), &bound, src,
                                err) ||
        taco__snappy_encode(c->snappy, src, dst->data + dst->len, bound, &size, err) != TACO_OK) {
        return false;
    }
    dst->len += size;
    return true;
}

static bool taco__compress_lz4(taco__compressor *c, taco_bytes src, taco__buf *dst, int level,
                               taco_error *err)
{
    size_t bound = 0, size;
    (void)level;
    if (!c->lz4) { c->lz4 = (taco__lz4_encoder *)taco__mem_alloc(c->mem, sizeof *c->lz4, err); }
    if (!c->lz4 ||
        !taco__compress_reserve(dst, taco__lz4_encode_bound(src.len, &bound), &bound, src, err) ||
        taco__lz4_encode(c->lz4, src, dst->data + dst->len, bound, &size, err) != TACO_OK) {
        return false;
    }
    dst->len += size;
    return true;
}

static bool taco__compress_gzip(taco__compressor *c, taco_bytes src, taco__buf *dst, int level,
                                taco_error *err)
{
    size_t bound = 0, size;
    (void)level;
    if (!c->gzip) { c->gzip = taco__deflate_open(c->mem, err); }
    if (!c->gzip ||
        !taco__compress_reserve(dst, taco__deflate_bound(src.len, &bound), &bound, src, err) ||
        taco__deflate_gzip(c->gzip, src, dst->data + dst->len, bound, &size, err) != TACO_OK) {
        return false;
    }
    dst->len += size;
    return true;
}

/* One line per codec. LZ4 is LZ4_RAW: the older number 5 means Hadoop's frames, which nobody
   should write (Compression.md). */
static const struct taco__compress_codec {
    taco_codec codec;
    int32_t number; /* CompressionCodec */
    bool (*encode)(taco__compressor *c, taco_bytes src, taco__buf *dst, int level, taco_error *err);
} taco__compress_codecs[] = {
    {TACO_CODEC_NONE, TACO__PQ_CODEC_NONE, NULL},
    {TACO_CODEC_SNAPPY, TACO__PQ_CODEC_SNAPPY, taco__compress_snappy},
    {TACO_CODEC_GZIP, TACO__PQ_CODEC_GZIP, taco__compress_gzip},
    {TACO_CODEC_ZSTD, TACO__PQ_CODEC_ZSTD, taco__compress_zstd},
    {TACO_CODEC_LZ4, TACO__PQ_CODEC_LZ4_RAW, taco__compress_lz4},
};

TACO__FN bool taco__compress_codec_number(taco_codec codec, int32_t *out, taco_error *err)
{
    size_t i;
    for (i = 0; i < TACO__COUNT(taco__compress_codecs); i++) {
        if (taco__compress_codecs[i].codec == codec) {
            *out = taco__compress_codecs[i].number;
            return true;
        }
    }
    TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "there is no codec number %d",
               TACO__D(codec));
    return false;
}

TACO__FN bool taco__compress_append(taco_pq_writer *w, const taco__leaf_settings *s, taco_bytes src,
                                    taco__buf *out)
{
    size_t i = 0;
    while (taco__compress_codecs[i].number != s->codec) { /* of the table, by _codec_number */
        i++;
    }
    return taco__compress_codecs[i].encode
               ? taco__compress_codecs[i].encode(&w->compressor, src, out, s->level, &w->err)
               : taco__buf_append(out, src.data, src.len, &w->err);
}

TACO__FN void taco__compress_free(taco__compressor *c)
{
    if (c->zstd) { taco__zstd_encode_close(c->zstd); }
    taco__mem_free(c->mem, c->snappy, sizeof *c->snappy);
    taco__mem_free(c->mem, c->lz4, sizeof *c->lz4);
    taco__deflate_close(c->gzip);
}
