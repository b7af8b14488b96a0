/* compress.c - the schema, options and key-value metadata of a file to be written.. Spec:
   parquet.thrift, LogicalTypes.md, GeoParquet 1.1 */
#include "parquet_write.h"
#include "../base/base.h"
#include "../codec/encode.h"

/* An encoder is kept for the level that was asked for last. */
TACO__FN bool taco__compress_zstd(void *ctx, taco_bytes src, taco__buf *dst, int level,
                                  taco_error *err)
{
    taco_pq_writer *w = (taco_pq_writer *)ctx;
    size_t bound, size;
    level = level ? level : TACO__ZSTD_ENCODE_DEFAULT_LEVEL;
    if (w->zstd && w->zstd_level != level) {
        taco__zstd_encode_close(w->zstd);
        w->zstd = NULL;
    }
    if (!w->zstd) {
        w->zstd = taco__zstd_encode_open(&w->mem, level, err);
        w->zstd_level = level;
    }
    if (!w->zstd) { return false; }
    if (!taco__zstd_encode_bound(src.len, &bound)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u bytes",
                   TACO__U(src.len));
        return false;
    }
    if (!taco__buf_reserve(dst, bound, err) ||
        taco__zstd_encode(w->zstd, src, false, dst->data + dst->len, bound, &size, err) !=
            TACO_OK) {
        return false;
    }
    dst->len += size;
    return true;
}

TACO__FN bool taco__compress_snappy(void *ctx, taco_bytes src, taco__buf *dst, int level,
                                    taco_error *err)
{
    taco_pq_writer *w = (taco_pq_writer *)ctx;
    size_t bound, size;
    (void)level;
    if (!w->snappy) {
        w->snappy = (taco__snappy_encoder *)taco__mem_alloc(&w->mem, sizeof *w->snappy, err);
    }
    if (!w->snappy) { return false; }
    if (!taco__snappy_encode_bound(src.len, &bound)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u bytes",
                   TACO__U(src.len));
        return false;
    }
    if (!taco__buf_reserve(dst, bound, err) ||
        taco__snappy_encode(w->snappy, src, dst->data + dst->len, bound, &size, err) != TACO_OK) {
        return false;
    }
    dst->len += size;
    return true;
}

TACO__FN bool taco__compress_lz4(void *ctx, taco_bytes src, taco__buf *dst, int level,
                                 taco_error *err)
{
    taco_pq_writer *w = (taco_pq_writer *)ctx;
    size_t bound, size;
    (void)level;
    if (!w->lz4) { w->lz4 = (taco__lz4_encoder *)taco__mem_alloc(&w->mem, sizeof *w->lz4, err); }
    if (!w->lz4) { return false; }
    if (!taco__lz4_encode_bound(src.len, &bound)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u bytes",
                   TACO__U(src.len));
        return false;
    }
    if (!taco__buf_reserve(dst, bound, err) ||
        taco__lz4_encode(w->lz4, src, dst->data + dst->len, bound, &size, err) != TACO_OK) {
        return false;
    }
    dst->len += size;
    return true;
}

TACO__FN bool taco__compress_gzip(void *ctx, taco_bytes src, taco__buf *dst, int level,
                                  taco_error *err)
{
    taco_pq_writer *w = (taco_pq_writer *)ctx;
    size_t bound, size;
    (void)level;
    if (!w->gzip) { w->gzip = taco__deflate_open(&w->mem, err); }
    if (!w->gzip) { return false; }
    if (!taco__deflate_bound(src.len, &bound)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u bytes",
                   TACO__U(src.len));
        return false;
    }
    if (!taco__buf_reserve(dst, bound, err) ||
        taco__deflate_gzip(w->gzip, src, dst->data + dst->len, bound, &size, err) != TACO_OK) {
        return false;
    }
    dst->len += size;
    return true;
}

static const taco__compress_codec *taco__compress_find_codec(int32_t number)
{
    size_t i;
    for (i = 0; i < TACO__COUNT(taco__compress_codecs); i++) {
        if (taco__compress_codecs[i].number == number) { return &taco__compress_codecs[i]; }
    }
    return NULL;
}

/* Appends src to out, compressed where the leaf has a codec. */
TACO__FN bool taco__compress_append(taco_pq_writer *w, const taco__leaf_writer *l, taco_bytes src,
                                    taco__buf *out)
{
    const taco__compress_codec *c = taco__compress_find_codec(l->codec);
    return c->encode ? c->encode(w, src, out, l->level, &w->err)
                     : taco__buf_append(out, src.data, src.len, &w->err);
}
