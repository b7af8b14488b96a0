/* page_decompress.c - decompresses a page with the codec its column chunk names

   In: the body of the open page as stored; out: exactly the number of uncompressed bytes its header
   gives, in place if nothing is compressed, else in r->page.plain, or from the page cache. Spec:
   parquet-format Compression.md; the codecs themselves are in src/codec.

   Before memory is allocated, the size in the header is checked against limits.max_page and against
   the codec's highest possible ratio: a page of 40 bytes cannot hold 256 MiB. Errors of a codec get
   its name and the page's offset; its LIMIT only means more than the header promised, and becomes
   CORRUPT. */
#include "parquet.h"
#include "../base/base.h"
#include "../codec/codec.h"

TACO__FN taco__codecs *taco__codecs_open(taco__mem *mem, taco_error *err)
{
    taco__codecs *c = (taco__codecs *)taco__mem_alloc(mem, sizeof *c, err);
    if (c) { c->mem = mem; }
    return c;
}

TACO__FN void taco__codecs_close(taco__codecs *c, taco__mem *mem)
{
    if (c) { taco__mem_free(mem, c->zstd, c->zstd_size); }
    taco__mem_free(mem, c, sizeof *c);
}

/* Makes the ZSTD decoder for a page of `size` bytes: for the first such page, and again for one
   with more literals than any before. Its tables are not zeroed, which would take longer than a
   small query spends on its pages. Not needed with the host's own decoder. */
static bool taco__codecs_make_zstd(taco__codecs *c, size_t size, taco_error *err)
{
#ifdef TACO_PARQUET_ZSTD_DECOMPRESS
    (void)c;
    (void)size;
    (void)err;
#else
    const size_t need = sizeof *c->zstd + TACO__ZSTD_LITERALS(size);
    if (c->zstd_size < need) {
        taco__mem_free(c->mem, c->zstd, c->zstd_size);
        c->zstd = (taco__zstd_decoder *)taco__mem_resize(c->mem, NULL, 0, need, err);
        c->zstd_size = c->zstd ? need : 0;
        if (!c->zstd) { return false; }
        memset(c->zstd, 0, offsetof(taco__zstd_decoder, cells));
        c->zstd->literals = (uint8_t *)(c->zstd + 1);
    }
#endif
    return true;
}

static taco_status taco__codecs_snappy(taco__codecs *c, taco_bytes in, taco__buf *out, size_t size,
                                       taco_error *e)
{
    (void)c;
    return taco__snappy_decode(in, out, size, e);
}

static taco_status taco__codecs_gzip(taco__codecs *c, taco_bytes in, taco__buf *out, size_t size,
                                     taco_error *e)
{
    (void)c;
    return taco__gzip_decode_any(in, out, size, e);
}

static taco_status taco__codecs_lz4(taco__codecs *c, taco_bytes in, taco__buf *out, size_t size,
                                    taco_error *e)
{
    (void)c;
    return taco__lz4_decode(in, out, size, size, e);
}

static taco_status taco__codecs_lz4_raw(taco__codecs *c, taco_bytes in, taco__buf *out, size_t size,
                                        taco_error *e)
{
    (void)c;
    return taco__lz4_decode_raw(in, out, size, e);
}

static taco_status taco__codecs_zstd(taco__codecs *c, taco_bytes in, taco__buf *out, size_t size,
                                     taco_error *e)
{
    return taco__zstd_decode(c->zstd, in, out, size, e);
}

#ifdef TACO_PARQUET_BROTLI_DECOMPRESS
#define TACO__CODECS_BROTLI taco__codecs_brotli

static taco_status taco__codecs_brotli(taco__codecs *c, taco_bytes in, taco__buf *out, size_t size,
                                       taco_error *e)
{
    (void)c;
    return taco__lz_host_decode_all(TACO_PARQUET_BROTLI_DECOMPRESS, "Brotli", in, out, size, e);
}
#else
#define TACO__CODECS_BROTLI NULL
#endif

/* Every codec of Compression.md, by its number. The most bytes that n compressed bytes can expand
   to is n * factor + slack: Snappy, a copy of 64 bytes in 3; LZ4, a length byte for 255; Deflate,
   258 bytes in two bits; Zstandard, a block of 128 KiB in 4 bytes (RFC 8878, RLE_Block); Brotli, a
   meta-block of 16 MiB in a few (RFC 7932 9.2). */
static const taco__pq_codec taco__codecs_table[] = {
    {"uncompressed", 1, 0, NULL, NULL},
    {"snappy", 22, 64, NULL, TACO__WITH_SNAPPY ? taco__codecs_snappy : NULL},
    {"gzip", 1032, 1032, NULL, TACO__WITH_GZIP ? taco__codecs_gzip : NULL},
    {"lzo", 0, 0, NULL, NULL},
    {"brotli", 1 << 24, 1 << 24, NULL, TACO__CODECS_BROTLI},
    {"lz4", 255, 64, NULL, TACO__WITH_LZ4 ? taco__codecs_lz4 : NULL},
    {"zstd", 32768, 131072, taco__codecs_make_zstd, TACO__WITH_ZSTD ? taco__codecs_zstd : NULL},
    {"lz4_raw", 255, 64, NULL, TACO__WITH_LZ4 ? taco__codecs_lz4_raw : NULL},
};
TACO__STATIC_ASSERT(codec_of_each_number,
                    TACO__COUNT(taco__codecs_table) == TACO__PQ_CODEC_LZ4_RAW + 1);

TACO__FN const taco__pq_codec *taco__codecs_find(int32_t codec)
{
    bool known = codec >= 0 && (size_t)codec < TACO__COUNT(taco__codecs_table);
    return known ? &taco__codecs_table[codec] : NULL;
}

/* Appends the uncompressed bytes of `in` to out, which has room for `size` of them; false with err
   set unless there were exactly `size` bytes. */
static bool taco__page_decompress_append(taco__chunk_reader *r, taco_bytes in, taco__buf *out,
                                         size_t size, taco_error *err)
{
    size_t before = out->len;
    const taco__pq_codec *codec = taco__codecs_find(r->chunk->codec);
    taco_error e;
    memset(&e, 0, sizeof e);
    if (codec->open && !codec->open(r->codecs, size, err)) { return false; }
    codec->decode(r->codecs, in, out, size, &e);
    /* `size` comes from the header, it is not a limit of the caller */
    if (e.code == TACO_ERR_LIMIT) {
        memset(&e, 0, sizeof e);
        TACO__FAIL(&e, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "more than the %u bytes uncompressed that the page header says", TACO__U(size));
    } else if (e.code == TACO_OK && out->len - before != size) {
        TACO__FAIL(&e, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "%u bytes uncompressed, the page header says %u", TACO__U(out->len - before),
                   TACO__U(size));
    }
    if (e.code != TACO_OK) {
        taco__error_inside(&e, r->page.body_at, codec->name);
        taco__error_copy(err, &e);
    }
    return e.code == TACO_OK;
}

/* Caches the uncompressed bytes of the open page, from the second scan of the chunk on. */
static void taco__page_decompress_cache(taco__chunk_reader *r, taco_bytes plain)
{
    if (TACO__WITH_CACHE && r->cache.chunk && r->cache.chunk->scans > 1) {
        taco__page_cache_add(&r->codecs->pending_pages, r->mem, r->cache.chunk, &r->page.header,
                             r->page.header_at, (size_t)(r->page.body_at - r->page.header_at),
                             plain);
    }
}

/* A page with nothing compressed: its bytes as stored. */
static bool taco__page_decompress_none(taco__chunk_reader *r, size_t size, taco_bytes *out,
                                       taco_error *err)
{
    if (r->page.body.len < size) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, r->page.body_at,
                   "page of %u bytes, its header says %u uncompressed", TACO__U(r->page.body.len),
                   TACO__U(size));
        return false;
    }
    *out = taco__bytes_of(r->page.body.data, size);
    /* a source with `view` has its bytes in memory anyway */
    if (!r->part->file->src.view) { taco__page_decompress_cache(r, *out); }
    return true;
}

/* Refuses a page of `size` bytes, the first `levels` of them uncompressed, that exceeds the
   caller's limit or the codec's best ratio, since a header that claims more must not cost memory,
   or whose codec has no decoder. levels <= body.len: taco__page_header_check_v2. */
static bool taco__page_decompress_check(const taco__chunk_reader *r, size_t size, size_t levels,
                                        taco_error *err)
{
    const taco__pq_codec *codec = taco__codecs_find(r->chunk->codec);
    size_t len = r->page.body.len;
    if (size > r->limits->max_page) {
        TACO__FAIL(err, TACO_ERR_LIMIT, r->page.body_at,
                   "page of %u bytes uncompressed, limits.max_page is %u", TACO__U(size),
                   r->limits->max_page);
        return false;
    }
    if (size > levels && !(codec && codec->decode)) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, r->page.body_at, "unsupported: codec %s",
                   codec ? codec->name : "unknown");
        return false;
    }
    if (size > levels && size - levels > (uint64_t)(len - levels) * codec->factor + codec->slack) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, r->page.body_at,
                   "page of %u bytes, its header says %u uncompressed, more than %s can reach",
                   TACO__U(len), TACO__U(size), codec->name);
        return false;
    }
    return true;
}

/* Levels as they are, then the rest decompressed, in r->page.plain. */
static bool taco__page_decompress_packed(taco__chunk_reader *r, size_t size, size_t levels,
                                         taco_error *err)
{
    taco_bytes body = r->page.body;
    taco__buf *plain = &r->page.plain;
    if (!taco__page_decompress_check(r, size, levels, err) || !taco__buf_reset(plain, size, err) ||
        !taco__buf_append(plain, body.data, levels, err)) {
        return false;
    }
    if (size > levels && body.len > levels &&
        !taco__page_decompress_append(r, taco__bytes_of(body.data + levels, body.len - levels),
                                      plain, size - levels, err)) {
        return false;
    }
    if (plain->len != size) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, r->page.body_at,
                   "page of %u bytes uncompressed, its header says %u", TACO__U(plain->len),
                   TACO__U(size));
        return false;
    }
    return true;
}

TACO__FN bool taco__page_decompress(taco__chunk_reader *r, taco_bytes *out, taco_error *err)
{
    const taco__pq_page_header *h = &r->page.header;
    size_t size = (size_t)h->uncompressed_size, levels = 0;
    bool packed = r->chunk->codec != TACO__PQ_CODEC_NONE;
    if (r->page.cached) {
        *out = taco__bytes_of(taco__page_cache_bytes(r->page.cached), r->page.cached->len);
        return true;
    }
    if (h->type == TACO__PQ_PAGE_DATA_V2) {
        levels = (size_t)h->rep_len + (size_t)h->def_len;
        packed = packed && (h->is_compressed || r->meta->always_compressed);
        if (levels > size) { /* page_header.c has refused it */
            TACO__FAIL(err, TACO_ERR_CORRUPT, r->page.body_at, "levels of %u bytes in a page of %u",
                       TACO__U(levels), TACO__U(size));
            return false;
        }
    }
    if (!taco__expansion_charge(r, size, err)) { return false; }
    if (!packed) { return taco__page_decompress_none(r, size, out, err); }
    if (!taco__page_decompress_packed(r, size, levels, err)) { return false; }
    *out = taco__bytes_of(r->page.plain.data, size);
    taco__page_decompress_cache(r, *out);
    return true;
}
