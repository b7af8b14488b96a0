/* page_decompress.c - a column chunk read forward: page headers, CRC, codecs, levels, values. */
#include "parquet.h"
#include "../base/base.h"
#include "../codec/codec.h"

/* Without zeros in 150 KB of tables, which a query would spend more time on than on its pages. */
TACO__FN taco__codecs *taco__codecs_open(taco__mem *mem, taco_error *err)
{
    taco__codecs *c = (taco__codecs *)taco__mem_resize(mem, NULL, 0, sizeof *c, err);
    if (c) {
        memset(&c->zstd, 0, offsetof(taco__zstd_decoder, cells));
        memset(&c->pending_pages, 0, sizeof c->pending_pages);
    }
    return c;
}

TACO__FN void taco__codecs_close(taco__codecs *c, taco__mem *mem)
{
    taco__mem_free(mem, c, sizeof *c);
}

static const char *taco__page_decompress_codec_name(int32_t codec)
{
    static const char *const names[] = {"uncompressed", "snappy", "gzip", "lzo",
                                        "brotli",       "lz4",    "zstd", "lz4_raw"};
    return codec >= 0 && (size_t)codec < TACO__COUNT(names) ? names[codec] : "unknown";
}

/* Appends the plain bytes of `in` to out, which has room for `size` of them. */
static bool taco__page_decompress_append(taco__chunk_reader *l, taco_bytes in, taco__buf *out,
                                         size_t size, taco_error *err)
{
    size_t before = out->len;
    const char *name = taco__page_decompress_codec_name(l->chunk->codec);
    taco_error e;
    memset(&e, 0, sizeof e);
    switch (l->chunk->codec) {
    case TACO__PQ_CODEC_SNAPPY: taco__snappy_decode(in, out, size, &e); break;
    case TACO__PQ_CODEC_GZIP: taco__gzip_decode_any(in, out, size, &e); break;
    case TACO__PQ_CODEC_LZ4: taco__lz4_decode(in, out, size, size, &e); break;
    case TACO__PQ_CODEC_LZ4_RAW: taco__lz4_decode_raw(in, out, size, &e); break;
    case TACO__PQ_CODEC_ZSTD: taco__zstd_decode(&l->codecs->zstd, in, out, size, &e); break;
#ifdef TACO_PARQUET_BROTLI_DECOMPRESS
    case TACO__PQ_CODEC_BROTLI:
        taco__lz_host_decode_all(TACO_PARQUET_BROTLI_DECOMPRESS, "Brotli", in, out, size, &e);
        break;
#endif
    default:
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, l->body_at, "unsupported: codec %s", name);
        return false;
    }
    if (e.code ==
        TACO_ERR_LIMIT) { /* the limit was what the header promised, not one of the caller's */
        memset(&e, 0, sizeof e);
        TACO__FAIL(&e, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "more than %u bytes uncompressed, which the page header says", TACO__U(size));
    } else if (e.code == TACO_OK && out->len - before != size) {
        TACO__FAIL(&e, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "%u bytes uncompressed, the page header says %u", TACO__U(out->len - before),
                   TACO__U(size));
    }
    if (e.code != TACO_OK) {
        taco__error_inside(&e, l->body_at, name);
        if (err && err->code == TACO_OK) { *err = e; }
    }
    return e.code == TACO_OK;
}

/* The most bytes that `len` compressed ones can become: more is a lie that must not cost memory.
   Snappy's best is a copy of 64 bytes in 3, LZ4's a length byte for 255, Deflate's 258 bytes in two
   bits, Zstandard's a block of 128 KiB in 4 (RFC 8878, RLE_Block), Brotli's a meta-block of 16 MiB
   in a few (RFC 7932 9.2). */
static uint64_t taco__page_decompress_limit(int32_t codec, size_t len)
{
    switch (codec) {
    case TACO__PQ_CODEC_BROTLI: return ((uint64_t)len + 1) * ((uint64_t)1 << 24);
    case TACO__PQ_CODEC_SNAPPY: return (uint64_t)len * 22 + 64;
    case TACO__PQ_CODEC_GZIP: return (uint64_t)len * 1032 + 1032;
    case TACO__PQ_CODEC_LZ4:
    case TACO__PQ_CODEC_LZ4_RAW: return (uint64_t)len * 255 + 64;
    default: return (uint64_t)len * 32768 + 131072;
    }
}

/* Keeps the plain bytes of the open page from the second scan of the chunk on. */
static void taco__page_decompress_cache(taco__chunk_reader *l, taco_bytes plain)
{
    if (l->kept && l->kept->scans > 1) {
        taco__page_cache_add(&l->codecs->pending_pages, l->mem, l->kept, &l->page, l->page_at,
                             (size_t)(l->body_at - l->page_at), plain);
    }
}

/* The plain bytes of the open page: in place when nothing is compressed or they were kept, else in
   l->plain. The levels of a v2 page are never compressed (parquet.thrift, DataPageHeaderV2). */
TACO__FN bool taco__page_decompress(taco__chunk_reader *l, taco_bytes *out, taco_error *err)
{
    size_t size = (size_t)l->page.uncompressed_size, levels = 0;
    bool packed = l->chunk->codec != TACO__PQ_CODEC_NONE;
    if (l->from) {
        *out = taco__bytes_of(taco__page_cache_bytes(l->from), l->from->len);
        return true;
    }
    if (l->page.type == TACO__PQ_PAGE_DATA_V2) {
        levels = (size_t)l->page.rep_len + (size_t)l->page.def_len;
        packed = packed && (l->page.is_compressed || l->always_compressed);
        if (levels > size) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at, "levels of %u bytes in a page of %u",
                       TACO__U(levels), TACO__U(size));
            return false;
        }
    }
    if (!packed) {
        if (l->body.len < size) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at,
                       "page of %u bytes, its header says %u uncompressed", TACO__U(l->body.len),
                       TACO__U(size));
            return false;
        }
        *out = taco__bytes_of(l->body.data, size);
        if (!l->part->file->src.view) { taco__page_decompress_cache(l, *out); }
        return true;
    }
    if (size > l->limits->max_page) {
        TACO__FAIL(err, TACO_ERR_LIMIT, l->body_at,
                   "page of %u bytes uncompressed, limits.max_page is %u", TACO__U(size),
                   l->limits->max_page);
        return false;
    }
    /* levels fit: taco__page_header_check_v2 */
    if (size - levels > taco__page_decompress_limit(l->chunk->codec, l->body.len - levels)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at,
                   "page of %u bytes, its header says %u uncompressed, more than %s can reach",
                   TACO__U(l->body.len), TACO__U(size),
                   taco__page_decompress_codec_name(l->chunk->codec));
        return false;
    }
    if (!taco__buf_reset(&l->plain, size, err) ||
        !taco__buf_append(&l->plain, l->body.data, levels, err)) {
        return false;
    }
    if (size > levels && l->body.len > levels &&
        !taco__page_decompress_append(l,
                                      taco__bytes_of(l->body.data + levels, l->body.len - levels),
                                      &l->plain, size - levels, err)) {
        return false;
    }
    if (l->plain.len != size) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at,
                   "page of %u bytes uncompressed, its header says %u", TACO__U(l->plain.len),
                   TACO__U(size));
        return false;
    }
    *out = taco__bytes_of(l->plain.data, size);
    taco__page_decompress_cache(l, *out);
    return true;
}
