/* ==== ROOM page: a column chunk read forward: page headers, CRC, codecs, levels, values. Uses: io codecs meta enc keep ==== */

/* Decoder states too large for a stack, one per column reader, reused from page to page. */
typedef struct taco__codecs {
    taco__zstd_decoder  zstd;
    taco__pending_pages pending_pages;
} taco__codecs;

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

#define TACO__CHUNK_READER_HEADERS 16384 /* bytes read at a time while pages are passed over */

/* How the values of the open data page are stored. */
typedef enum taco__values_encoding {
    TACO__VALUES_PLAIN,
    TACO__VALUES_DICT,
    TACO__VALUES_RLE,         /* booleans */
    TACO__VALUES_DELTA_INT,   /* DELTA_BINARY_PACKED */
    TACO__VALUES_DELTA_LEN,   /* DELTA_LENGTH_BYTE_ARRAY */
    TACO__VALUES_DELTA_BYTES, /* DELTA_BYTE_ARRAY */
    TACO__VALUES_STREAM_SPLIT /* BYTE_STREAM_SPLIT */
} taco__values_encoding;

/* Non-null values of one leaf in memory form (taco_field.width): a batch, or a dictionary. */
typedef struct taco__values {
    taco__buf values;  /* fixed width; a bitmap for BOOL; int32 indices while `dict` */
    taco__buf offsets; /* int32, count + 1: byte arrays */
    taco__buf bytes;
    size_t    count;
    bool      dict;
} taco__values;

/* One leaf column of one row group, read forward. */
typedef struct taco__chunk_reader {
    const taco__file_part       *part;
    taco__mem                   *mem;
    const taco__pq_metadata     *meta; /* for names in messages */
    const taco__pq_leaf         *schema;
    const taco__pq_column_chunk *chunk;
    const taco_field            *field;
    const taco_limits           *limits;
    taco__codecs                *codecs;
    bool                         always_compressed; /* the writer's is_compressed is wrong */

    uint64_t at, end;  /* next page header, end of the chunk, in the part */
    uint64_t expected; /* level entries that the chunk's metadata still promises */
    uint64_t page_no;
    uint64_t until; /* nothing from here on is read ahead of need */
    uint64_t group_rows;
    const taco__pq_offset_index *index; /* of the chunk, once rows were jumped to; else NULL */
    uint64_t
        page_rows; /* repeated columns: rows of the open page still to come; UINT64_MAX = not known */
    taco__buf window; /* bytes of the chunk from window_at on, when the part does not hold them */
    uint64_t  window_at;
    taco__buf plain; /* the open page, uncompressed */
    taco__buf raw;   /* values on their way to memory form */
    taco__buf raw_text;

    taco__values   dict;
    const uint8_t *dict_values; /* of fixed width: in dict, or in a kept page */
    taco_array     dict_array;  /* the same, for batches of indices */
    bool has_dict, no_indices; /* no_indices: the page's section is empty, which only nulls allow */

    taco__cached_chunk      *kept; /* of the chunk; NULL: nothing is kept */
    const taco__cached_page *near; /* where pages of it were found last */
    const taco__cached_page *from; /* the open page is this one; NULL: the file's */

    taco__pq_page_header  page;
    taco_bytes            body; /* of the open page, as it stands in the file */
    uint64_t              page_at, body_at;
    bool                  opened; /* levels and values are ready */
    size_t                left;   /* level entries of the open page not yet consumed */
    taco__values_encoding kind;
    taco__rle             rep, def, rle;
    taco__plain           flat;
    taco__delta_int       delta;
    taco__delta_len       delta_len;
    taco__delta_bytes     delta_bytes;
    taco__stream_split    stream_split;

    taco__buf rep_buf, def_buf; /* nested columns: int16 levels of the batch; repetition levels of
                                   up to 1 as a bitmap */
    bool      full,
        ahead_full; /* every definition level is the maximum: of the batch, whose levels are not
                       written then, and of those read last */
    size_t       entries;
    taco__buf    validity; /* flat nullable columns: of the batch */
    size_t       rows;     /* flat and repeated columns: rows of the batch */
    uint64_t     fed;      /* plain bytes of the data pages that the batch reads from */
    bool         late;     /* rows are picked out of the batch: fixed width stays indices, too */
    taco__values store;
} taco__chunk_reader;

/* ---- stores ------------------------------------------------------------------------------------- */

TACO__FN void taco__values_init(taco__values *s, taco__mem *mem)
{
    memset(s, 0, sizeof *s);
    s->values.mem = s->offsets.mem = s->bytes.mem = mem;
}
TACO__FN void taco__values_clear(taco__values *s)
{
    s->values.len = s->offsets.len = s->bytes.len = s->count = 0;
    s->dict = false;
}
TACO__FN void taco__values_free(taco__values *s)
{
    taco__buf_free(&s->values);
    taco__buf_free(&s->offsets);
    taco__buf_free(&s->bytes);
}
/* Byte arrays are laid out as offsets and bytes, all else as values of field->width bytes. */
TACO__INLINE bool taco__array_is_var_length(const taco_field *f)
{
    return f->type == TACO_TEXT || f->type == TACO_BINARY ||
           (f->type == TACO_DECIMAL && f->width == 0);
}
/* Room for n more values of width bytes; returns where they go. */
TACO__FN uint8_t *taco__values_reserve(taco__values *s, size_t width, size_t n, taco_error *err)
{
    size_t have, more;
    if (!taco__checked_mul_size(s->count, width, &have) ||
        !taco__checked_mul_size(n, width, &more)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u values", TACO__U(n));
        return NULL;
    }
    s->values.len = have;
    return taco__buf_reserve(&s->values, more, err) ? s->values.data + have : NULL;
}
TACO__FN uint8_t *taco__values_reserve_bits(taco__values *s, size_t n, taco_error *err)
{
    s->values.len = TACO__BITMAP_BYTES(s->count);
    return taco__buf_reserve(&s->values, TACO__BITMAP_BYTES(n) + 1, err) ? s->values.data : NULL;
}
TACO__FN int32_t *taco__values_reserve_offsets(taco__values *s, size_t n, taco_error *err)
{
    size_t more;
    if (!taco__checked_mul_size(n + 1, sizeof(int32_t), &more)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u values", TACO__U(n));
        return NULL;
    }
    s->offsets.len = s->count * sizeof(int32_t);
    if (!taco__buf_reserve(&s->offsets, more, err)) {
        return NULL;
    }
    return (int32_t *)(void *)s->offsets.data + s->count;
}
/* ---- bytes of the chunk ------------------------------------------------------------------------- */

TACO__FN void taco__chunk_reader_init(taco__chunk_reader *l, taco__mem *mem)
{
    memset(l, 0, sizeof *l);
    l->mem = mem;
    l->window.mem = l->plain.mem = l->raw.mem = l->raw_text.mem = mem;
    l->rep_buf.mem = l->def_buf.mem = l->validity.mem = mem;
    taco__values_init(&l->dict, mem);
    taco__values_init(&l->store, mem);
    taco__delta_bytes_init(&l->delta_bytes, mem);
}
TACO__FN void taco__chunk_reader_free(taco__chunk_reader *l)
{
    taco__buf_free(&l->window);
    taco__buf_free(&l->plain);
    taco__buf_free(&l->raw);
    taco__buf_free(&l->raw_text);
    taco__buf_free(&l->rep_buf);
    taco__buf_free(&l->def_buf);
    taco__buf_free(&l->validity);
    taco__values_free(&l->dict);
    taco__values_free(&l->store);
    taco__delta_bytes_free(&l->delta_bytes);
}
/* Points an initialised leaf at the beginning of a column chunk; buffers are kept. */
TACO__FN bool taco__chunk_reader_open(taco__chunk_reader *l, const taco__pq_column_chunk *chunk,
                                      taco_error *err)
{
    if (chunk->encrypted) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "unsupported: encryption");
        return false;
    }
    if (chunk->external) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "unsupported: its pages are in another file, %q", &chunk->file_path);
        return false;
    }
    l->chunk = chunk;
    l->at = chunk->pages.offset;
    /* parquet-mr left the dictionary's page header out of the sum (PARQUET-816) */
    l->end = TACO__MIN(chunk->pages.offset + chunk->pages.size + 128, l->part->size);
    l->expected = (uint64_t)chunk->num_values;
    l->until = chunk->pages.offset + chunk->pages.size;
    l->index = NULL;
    l->kept = NULL;
    l->near = l->from = NULL;
    l->page_rows = UINT64_MAX;
    l->page_no = 0;
    l->window.len = 0;
    l->window_at = 0;
    l->has_dict = l->opened = false;
    l->left = 0;
    return true;
}
/* len bytes at offset of the chunk, valid until the next call. Local sources are asked for a window at a time and no
   byte twice. */
TACO__FN const uint8_t *taco__chunk_reader_bytes(taco__chunk_reader *l, uint64_t offset, size_t len,
                                                 taco_error *err)
{
    const uint8_t *p = taco__file_part_cached(l->part, offset, len);
    size_t         keep = 0, want;
    uint64_t       pages, run;
    if (p) {
        return p;
    }
    if (offset >= l->window_at && taco__checked_range(offset - l->window_at, len, l->window.len)) {
        return l->window.data + (size_t)(offset - l->window_at);
    }
    if (!taco__checked_range(offset, len, l->end)) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, offset, "page of %u bytes, its column chunk ends at %u",
                   TACO__U(len), l->end);
        return NULL;
    }
    if (offset >= l->window_at && offset - l->window_at < l->window.len) {
        keep = l->window.len - (size_t)(offset - l->window_at);
        memmove(l->window.data, l->window.data + (l->window.len - keep), keep);
    }
    pages = l->until;
    want = pages > offset ? (size_t)TACO__MIN((uint64_t)TACO__FILE_WINDOW, pages - offset) : 0;
    want = TACO__MAX(len, want);
    run = keep + taco__file_cached_length(l->part->file, l->part->base + offset + keep);
    want = run >= len ? (size_t)TACO__MIN((uint64_t)want, run) : want; /* nothing is read for it */
    l->window.len = keep;
    l->window_at = offset;
    if (!taco__buf_reserve(&l->window, want - keep, err) ||
        !taco__file_part_read(l->part, offset + keep, l->window.data + keep, want - keep, err)) {
        l->window.len = 0;
        return NULL;
    }
    l->window.len = want;
    return l->window.data;
}
/* Reads the header of the next page into l->page; its length in *len. */
TACO__FN bool taco__chunk_reader_read_header(taco__chunk_reader *l, size_t *len, taco_error *err)
{
    uint64_t left = l->end - l->at, most = l->limits->max_metadata;
    size_t   n = (size_t)TACO__MIN(l->until > l->at ? TACO__MIN(left, l->until - l->at) : left,
                                 (uint64_t)512);
    for (;; n = (size_t)TACO__MIN(left, (uint64_t)n * 8)) {
        taco_error     e;
        const uint8_t *p = taco__chunk_reader_bytes(l, l->at, n, err);
        if (!p) {
            return false;
        }
        memset(&e, 0, sizeof e);
        if (taco__page_header_parse(taco__bytes_of(p, n), l->at, &l->page, len, &e) == TACO_OK) {
            return true;
        }
        if (e.code != TACO_ERR_TRUNCATED || n >= left || n >= most) {
            if (err && err->code == TACO_OK) {
                *err = e;
            }
            return false;
        }
    }
}

/* ---- pages -------------------------------------------------------------------------------------- */

TACO__FN bool taco__chunk_reader_check_crc(const taco__chunk_reader *l, taco_error *err)
{
    uint32_t crc;
    if (!l->page.has_crc) {
        return true;
    }
    crc = taco__crc32(0, l->body.data, l->body.len);
    if (crc != (uint32_t)l->page.crc) {
        TACO__FAIL(err, TACO_ERR_CHECKSUM, l->body_at, "page CRC is %x, its header says %x",
                   TACO__U(crc), TACO__U((uint32_t)l->page.crc));
        return false;
    }
    return true;
}
TACO__FN const char *taco__page_decompress_codec_name(int32_t codec)
{
    static const char *const names[] = {"uncompressed", "snappy", "gzip", "lzo",
                                        "brotli",       "lz4",    "zstd", "lz4_raw"};
    return codec >= 0 && (size_t)codec < TACO__COUNT(names) ? names[codec] : "unknown";
}
/* Appends the plain bytes of `in` to out, which has room for `size` of them. */
TACO__FN bool taco__page_decompress_append(taco__chunk_reader *l, taco_bytes in, taco__buf *out,
                                           size_t size, taco_error *err)
{
    size_t      before = out->len;
    const char *name = taco__page_decompress_codec_name(l->chunk->codec);
    taco_error  e;
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
        if (err && err->code == TACO_OK) {
            *err = e;
        }
    }
    return e.code == TACO_OK;
}
/* The most bytes that `len` compressed ones can become: more is a lie that must not cost memory. Snappy's best is a
   copy of 64 bytes in 3, LZ4's a length byte for 255, Deflate's 258 bytes in two bits, Zstandard's a block of 128 KiB in
   4 (RFC 8878, RLE_Block), Brotli's a meta-block of 16 MiB in a few (RFC 7932 9.2). */
TACO__FN uint64_t taco__page_decompress_limit(int32_t codec, size_t len)
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
TACO__FN void taco__page_decompress_cache(taco__chunk_reader *l, taco_bytes plain)
{
    if (l->kept && l->kept->scans > 1) {
        taco__page_cache_add(&l->codecs->pending_pages, l->mem, l->kept, &l->page, l->page_at,
                             (size_t)(l->body_at - l->page_at), plain);
    }
}
/* The plain bytes of the open page: in place when nothing is compressed or they were kept, else in l->plain. The levels of
   a v2 page are never compressed (parquet.thrift, DataPageHeaderV2). */
TACO__FN bool taco__page_decompress(taco__chunk_reader *l, taco_bytes *out, taco_error *err)
{
    size_t size = (size_t)l->page.uncompressed_size, levels = 0;
    bool   packed = l->chunk->codec != TACO__PQ_CODEC_NONE;
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
        if (!l->part->file->src.view) {
            taco__page_decompress_cache(l, *out);
        }
        return true;
    }
    if (size > l->limits->max_page) {
        TACO__FAIL(err, TACO_ERR_LIMIT, l->body_at,
                   "page of %u bytes uncompressed, limits.max_page is %u", TACO__U(size),
                   l->limits->max_page);
        return false;
    }
    if (size - levels >
        taco__page_decompress_limit(
            l->chunk->codec, l->body.len - levels)) { /* levels fit: taco__page_header_check_v2 */
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

/* ---- values ------------------------------------------------------------------------------------- */

/* Physical INT32, INT64, FLOAT and DOUBLE become native numbers; other fixed widths stay bytes. */
TACO__INLINE size_t taco__page_decode_width(const taco__chunk_reader *l, bool *numeric)
{
    switch (l->schema->type) {
    case TACO__PQ_INT32:
    case TACO__PQ_FLOAT: *numeric = true; return 4;
    case TACO__PQ_INT64:
    case TACO__PQ_DOUBLE: *numeric = true; return 8;
    case TACO__PQ_INT96: *numeric = false; return 12;
    default: *numeric = l->field->type == TACO_HALF; return (size_t)l->schema->type_length;
    }
}
/* n values of fixed width as the file has them. */
TACO__FN bool taco__page_decode_fixed(taco__chunk_reader *l, uint8_t *dst, size_t n,
                                      taco_error *err)
{
    bool   numeric;
    size_t width = taco__page_decode_width(l, &numeric);
    switch (l->kind) {
    case TACO__VALUES_PLAIN: return taco__plain_read(&l->flat, dst, width, numeric, n, err);
    case TACO__VALUES_STREAM_SPLIT:
        return taco__stream_split_read(&l->stream_split, dst, numeric, n, err);
    case TACO__VALUES_DELTA_BYTES:
        if (!taco__delta_bytes_read_fixed(&l->delta_bytes, dst, width, n, err)) {
            return false;
        }
        if (numeric) {
            taco__plain_swap_bytes(dst, width, n);
        }
        return true;
    case TACO__VALUES_DELTA_INT:
        return width == 4 ? taco__delta_int_read32(&l->delta, (int32_t *)(void *)dst, n, err)
                          : taco__delta_int_read64(&l->delta, (int64_t *)(void *)dst, n, err);
    default: break;
    }
    TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "encoding %u does not hold values of this type",
               TACO__U(l->page.encoding));
    return false;
}
TACO__FN bool taco__page_decode_text(taco__chunk_reader *l, taco__buf *bytes, int32_t *offsets,
                                     size_t n, taco_error *err)
{
    switch (l->kind) {
    case TACO__VALUES_PLAIN: return taco__plain_read_text(&l->flat, bytes, offsets, n, err);
    case TACO__VALUES_DELTA_LEN:
        return taco__delta_len_read_text(&l->delta_len, bytes, offsets, n, err);
    case TACO__VALUES_DELTA_BYTES:
        return taco__delta_bytes_read_text(&l->delta_bytes, bytes, offsets, n, err);
    default: break;
    }
    TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "encoding %u does not hold byte arrays",
               TACO__U(l->page.encoding));
    return false;
}
/* Decimals of every physical type to width 16 or 32. */
TACO__FN bool taco__page_decode_decimal(taco__chunk_reader *l, uint8_t *dst, size_t n,
                                        taco_error *err)
{
    size_t width = (size_t)l->field->width, total;
    if (l->schema->type == TACO__PQ_BYTE_ARRAY) {
        int32_t *offsets;
        l->raw_text.len = 0;
        if (!taco__checked_mul_size(n + 1, 4, &total) || !taco__buf_reset(&l->raw, total, err)) {
            return false;
        }
        offsets = (int32_t *)(void *)l->raw.data;
        return taco__page_decode_text(l, &l->raw_text, offsets, n, err) &&
               taco__values_decimal_text(dst, width, l->raw_text.data, offsets, n, err);
    }
    if (!taco__checked_mul_size(n, TACO__MAX((size_t)l->schema->type_length, (size_t)8), &total) ||
        !taco__buf_reset(&l->raw, total, err) || !taco__page_decode_fixed(l, l->raw.data, n, err)) {
        return false;
    }
    if (l->schema->type == TACO__PQ_INT32) {
        taco__values_decimal_int32(dst, width, (const int32_t *)(const void *)l->raw.data, n);
    } else if (l->schema->type == TACO__PQ_INT64) {
        taco__values_decimal_int64(dst, width, (const int64_t *)(const void *)l->raw.data, n);
    } else {
        return taco__values_decimal_fixed(dst, width, l->raw.data, (size_t)l->schema->type_length,
                                          n, err);
    }
    return true;
}
TACO__FN bool taco__page_decode_bits(taco__chunk_reader *l, uint8_t *bits, size_t at, size_t n,
                                     taco_error *err)
{
    size_t ones;
    if (l->kind == TACO__VALUES_PLAIN) {
        return taco__plain_read_bits(&l->flat, bits, at, n, err);
    }
    if (l->kind == TACO__VALUES_RLE) {
        return taco__rle_read_validity(&l->rle, bits, at, n, &ones, err);
    }
    TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "encoding %u does not hold booleans",
               TACO__U(l->page.encoding));
    return false;
}
/* n values that a dictionary page or a data page without dictionary holds, appended to s in memory form. */
TACO__FN bool taco__page_decode_append(taco__chunk_reader *l, taco__values *s, size_t n,
                                       taco_error *err)
{
    const taco_field *f = l->field;
    uint8_t          *dst;
    bool              ok, numeric;
    if (f->type == TACO_NULL) { /* whatever stands there, it means nothing */
        s->count += n;
        return true;
    }
    if (f->type == TACO_BOOL) {
        dst = taco__values_reserve_bits(s, n, err);
        ok = dst && taco__page_decode_bits(l, dst, s->count, n, err);
    } else if (taco__array_is_var_length(f)) {
        int32_t *offsets = taco__values_reserve_offsets(s, n, err);
        ok = offsets && taco__page_decode_text(l, &s->bytes, offsets, n, err);
    } else if (f->type == TACO_DECIMAL) {
        dst = taco__values_reserve(s, (size_t)f->width, n, err);
        ok = dst && taco__page_decode_decimal(l, dst, n, err);
    } else {
        size_t width = taco__page_decode_width(l, &numeric);
        if (l->kind == TACO__VALUES_PLAIN && width &&
            n > (l->flat.bytes.len - l->flat.at) / width) { /* before room is made for them */
            return taco__plain_skip(&l->flat, width, n, err);
        }
        bool   narrow = width > (size_t)f->width;
        size_t pad;
        dst = taco__values_reserve(s, (size_t)f->width,
                                   n * (narrow ? width / (size_t)f->width : 1) + 4, err);
        pad = dst && narrow ? (0 - (size_t)(uintptr_t)dst) & 3 : 0; /* INT32 wants to be aligned */
        ok = dst && taco__page_decode_fixed(l, dst + pad, n, err);
        if (ok && narrow) {
            taco__values_narrow(dst + pad, (size_t)f->width, n);
        }
        if (ok && pad) {
            memmove(dst, dst + pad, n * (size_t)f->width);
        }
    }
    s->count += ok ? n : 0;
    return ok;
}
/* A dictionary-encoded batch met a page that is not, or another dictionary: its indices become what they stand for. */
TACO__FN bool taco__dictionary_expand_batch(taco__chunk_reader *l, taco_error *err)
{
    taco__values  *s = &l->store;
    size_t         n = s->count, width = (size_t)l->field->width;
    const int32_t *idx = (const int32_t *)(const void *)s->values.data;
    s->count = 0;
    if (taco__array_is_var_length(l->field)) {
        int32_t *offsets = taco__values_reserve_offsets(s, n, err);
        if (!offsets ||
            !taco__take_bytes(&s->bytes, offsets, l->dict.bytes.data, l->dict.bytes.len,
                              (const int32_t *)(const void *)l->dict.offsets.data, idx, n, err)) {
            return false;
        }
    } else {
        if (!taco__buf_reset(&l->raw, n * sizeof *idx, err)) {
            return false;
        }
        memcpy(l->raw.data, idx, n * sizeof *idx);
        if (!taco__values_reserve(s, width, n, err)) {
            return false;
        }
        taco__take_fixed(s->values.data, l->dict_values, width,
                         (const int32_t *)(const void *)l->raw.data, n);
    }
    s->count = n;
    s->dict = false;
    return true;
}
/* n values of the open page, by whatever encoding, appended to the batch. Text stays indices while every page of the
   batch has a dictionary, as other values do where few rows of the batch will be taken. */
TACO__FN bool taco__page_decode_values(taco__chunk_reader *l, size_t n, taco_error *err)
{
    taco__values *s = &l->store;
    uint8_t      *dst;
    if (n == 0 || l->field->type == TACO_NULL) {
        s->count += n;
        return true;
    }
    if (l->kind != TACO__VALUES_DICT) {
        return (!s->dict || taco__dictionary_expand_batch(l, err)) &&
               taco__page_decode_append(l, s, n, err);
    }
    if (l->no_indices) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, 0, "no dictionary indices for %u values", TACO__U(n));
        return false;
    }
    s->dict = s->dict || (s->count == 0 && (l->late || taco__array_is_var_length(l->field)));
    if (!s->dict && !taco__array_is_var_length(l->field)) {
        dst = taco__values_reserve(s, (size_t)l->field->width, n, err);
        if (!dst || !taco__rle_read_dict(&l->rle, dst, l->dict_values, (size_t)l->field->width,
                                         l->dict.count, n, err)) {
            return false;
        }
        s->count += n;
        return true;
    }
    if (s->dict) {
        dst = taco__values_reserve(s, sizeof(int32_t), n, err);
        if (!dst ||
            !taco__rle_read_indices(&l->rle, (int32_t *)(void *)dst, n, l->dict.count, err)) {
            return false;
        }
        s->count += n;
        return true;
    }
    if (!taco__buf_reset(&l->raw, n * sizeof(int32_t), err) ||
        !taco__rle_read_indices(&l->rle, (int32_t *)(void *)l->raw.data, n, l->dict.count, err)) {
        return false;
    } else {
        int32_t *offsets = taco__values_reserve_offsets(s, n, err);
        if (!offsets || !taco__take_bytes(&s->bytes, offsets, l->dict.bytes.data, l->dict.bytes.len,
                                          (const int32_t *)(const void *)l->dict.offsets.data,
                                          (const int32_t *)(const void *)l->raw.data, n, err)) {
            return false;
        }
    }
    s->count += n;
    return true;
}
TACO__FN bool taco__page_decode_skip(taco__chunk_reader *l, size_t n, taco_error *err)
{
    bool   numeric;
    size_t width;
    if (n == 0 || l->field->type == TACO_NULL) {
        return true;
    }
    switch (l->kind) {
    case TACO__VALUES_DICT:
    case TACO__VALUES_RLE: return taco__rle_skip(&l->rle, n, err);
    case TACO__VALUES_DELTA_INT: return taco__delta_int_skip(&l->delta, n, err);
    case TACO__VALUES_DELTA_LEN: return taco__delta_len_skip(&l->delta_len, n, err);
    case TACO__VALUES_DELTA_BYTES: return taco__delta_bytes_skip(&l->delta_bytes, n, err);
    case TACO__VALUES_STREAM_SPLIT: return taco__stream_split_skip(&l->stream_split, n, err);
    default: break;
    }
    if (l->schema->type == TACO__PQ_BOOLEAN) {
        return taco__plain_skip_bits(&l->flat, n, err);
    }
    if (l->schema->type == TACO__PQ_BYTE_ARRAY) {
        return taco__plain_skip_text(&l->flat, n, err);
    }
    width = taco__page_decode_width(l, &numeric);
    return taco__plain_skip(&l->flat, width, n, err);
}

/* ---- opening pages ------------------------------------------------------------------------------ */

/* The level sections of a v1 page: RLE behind a 4-byte length, or the deprecated BIT_PACKED without one. */
TACO__FN bool taco__level_decode_open_v1(taco__chunk_reader *l, taco__byte_reader *c, taco__rle *r,
                                         unsigned max, uint32_t encoding, taco_error *err)
{
    unsigned   width = 0;
    taco_bytes b;
    while (max >> width) {
        width++;
    }
    if (!width) {
        return true;
    }
    if (encoding == TACO__PQ_ENC_BIT_PACKED) {
        uint64_t bytes = ((uint64_t)l->page.num_values * width + 7) / 8;
        b.len = (size_t)TACO__MIN(bytes, (uint64_t)taco__byte_reader_left(c));
        b.data = taco__byte_reader_take(c, b.len);
        return taco__rle_open_msb(r, b, width, err);
    }
    b.len = taco__byte_reader_le32(c);
    b.data = taco__byte_reader_take(c, b.len);
    if (c->bad) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "levels of %u bytes, %u are left in the page",
                   TACO__U(b.len), TACO__U(taco__byte_reader_left(c)));
        return false;
    }
    return taco__rle_open(r, b, width, err);
}
TACO__FN bool taco__level_decode_open_v2(taco__byte_reader *c, taco__rle *r, unsigned max,
                                         size_t len, taco_error *err)
{
    unsigned   width = 0;
    taco_bytes b;
    while (max >> width) {
        width++;
    }
    b.len = len;
    b.data = taco__byte_reader_take(c, len);
    if (c->bad) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "levels of %u bytes do not fit in the page",
                   TACO__U(len));
        return false;
    }
    return !width || taco__rle_open(r, b, width, err);
}
/* Prepares the value decoder for what is behind the levels. */
TACO__FN bool taco__page_decode_open_values(taco__chunk_reader *l, taco_bytes b, taco_error *err)
{
    uint64_t count = (uint64_t)l->page.num_values;
    bool     numeric;
    switch (l->page.encoding) {
    case TACO__PQ_ENC_PLAIN:
        l->kind = TACO__VALUES_PLAIN;
        taco__plain_open(&l->flat, b);
        return true;
    case TACO__PQ_ENC_PLAIN_DICTIONARY:
    case TACO__PQ_ENC_RLE_DICTIONARY:
        l->kind = TACO__VALUES_DICT;
        if (!l->has_dict && b.len > 1) {
            TACO__FAIL(
                err, TACO_ERR_CORRUPT, 0,
                "dictionary-encoded page, but the column chunk has no dictionary page before it");
            return false;
        }
        if (l->schema->type == TACO__PQ_BOOLEAN) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "booleans have no dictionary");
            return false;
        }
        l->no_indices =
            b.len == 0 || !l->has_dict; /* a dictionary of the row group before must not serve */
        if (!taco__rle_open(&l->rle, b, b.len ? b.data[0] : 0, err)) {
            return false;
        }
        l->rle.at = b.len ? 1 : 0; /* behind the bit width; offsets in messages count it */
        return true;
    case TACO__PQ_ENC_RLE:
        l->kind = TACO__VALUES_RLE;
        if (b.len == 0) {
            return taco__rle_open(&l->rle, b, 1, err);
        }
        if (b.len < 4 || taco__load_le32(b.data) > b.len - 4) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "RLE booleans of %u bytes do not fit in %u",
                       b.len < 4 ? TACO__U(4) : TACO__U(taco__load_le32(b.data)), TACO__U(b.len));
            return false;
        }
        if (!taco__rle_open(&l->rle, taco__bytes_of(b.data, (size_t)4 + taco__load_le32(b.data)), 1,
                            err)) {
            return false;
        }
        l->rle.at = 4; /* behind the length */
        return true;
    case TACO__PQ_ENC_DELTA_BINARY_PACKED:
        l->kind = TACO__VALUES_DELTA_INT;
        if (l->schema->type != TACO__PQ_INT32 && l->schema->type != TACO__PQ_INT64) {
            break;
        }
        return taco__delta_int_open(&l->delta, b, 0, count,
                                    l->schema->type == TACO__PQ_INT32 ? 32 : 64, err);
    case TACO__PQ_ENC_DELTA_LENGTH_BYTE_ARRAY:
        l->kind = TACO__VALUES_DELTA_LEN;
        if (l->schema->type != TACO__PQ_BYTE_ARRAY) {
            break;
        }
        return taco__delta_len_open(&l->delta_len, b, 0, count, err);
    case TACO__PQ_ENC_DELTA_BYTE_ARRAY:
        l->kind = TACO__VALUES_DELTA_BYTES;
        if (l->schema->type != TACO__PQ_BYTE_ARRAY && l->schema->type != TACO__PQ_FIXED) {
            break;
        }
        return taco__delta_bytes_open(&l->delta_bytes, b, count, err);
    case TACO__PQ_ENC_BYTE_STREAM_SPLIT:
        l->kind = TACO__VALUES_STREAM_SPLIT;
        if (l->schema->type == TACO__PQ_BOOLEAN || l->schema->type == TACO__PQ_BYTE_ARRAY ||
            l->schema->type == TACO__PQ_INT96) {
            break;
        }
        return taco__stream_split_open(&l->stream_split, b, taco__page_decode_width(l, &numeric),
                                       err);
    default:
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, 0, "encoding %u", TACO__U(l->page.encoding));
        return false;
    }
    TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "encoding %u does not go with the column's physical type",
               TACO__U(l->page.encoding));
    return false;
}
/* Decompresses the open data page and prepares its decoders; once per page, when its first row is asked for. */
TACO__FN bool taco__page_decode_open(taco__chunk_reader *l, taco_error *err)
{
    taco_bytes        plain;
    taco__byte_reader c;
    if (l->opened) {
        return true;
    }
    if (!taco__page_decompress(l, &plain, err)) {
        return false;
    }
    c = taco__byte_reader_init(plain);
    if (l->page.type == TACO__PQ_PAGE_DATA_V2) {
        if (!taco__level_decode_open_v2(&c, &l->rep, (unsigned)l->schema->max_rep,
                                        (size_t)l->page.rep_len, err) ||
            !taco__level_decode_open_v2(&c, &l->def, (unsigned)l->schema->max_def,
                                        (size_t)l->page.def_len, err)) {
            return taco__error_inside(err, l->body_at, "levels");
        }
    } else if (!taco__level_decode_open_v1(l, &c, &l->rep, (unsigned)l->schema->max_rep,
                                           (uint32_t)l->page.rep_encoding, err) ||
               !taco__level_decode_open_v1(l, &c, &l->def, (unsigned)l->schema->max_def,
                                           (uint32_t)l->page.def_encoding, err)) {
        return taco__error_inside(err, l->body_at, "levels");
    }
    if (!taco__page_decode_open_values(l, taco__bytes_of(c.at, taco__byte_reader_left(&c)), err)) {
        return taco__error_inside(err, l->body_at, "values");
    }
    l->opened = true;
    l->fed += plain.len;
    return true;
}
/* The open page's plain bytes, of which len are left, become a buffer of the dictionary: no second one is touched. */
TACO__FN void taco__dictionary_take_buffer(taco__chunk_reader *l, taco__buf *to, size_t len)
{
    taco__buf swap = *to;
    *to = l->plain;
    to->len = len;
    l->plain = swap;
}
/* Whether values in memory are those of the file, but for the order of their bytes. */
TACO__FN bool taco__dictionary_is_as_stored(const taco__chunk_reader *l)
{
    bool   numeric;
    size_t width = taco__page_decode_width(l, &numeric);
    return l->schema->type != TACO__PQ_BYTE_ARRAY && numeric && l->field->width > 0 &&
           width == (size_t)l->field->width && l->field->type != TACO_DECIMAL &&
           l->field->type != TACO_BOOL && l->field->type != TACO_NULL;
}
/* Moves m bytes, which may overlap, down. */
TACO__INLINE void taco__dictionary_move_down(uint8_t *dst, const uint8_t *src, size_t m)
{
    if (m >= 8 && m <= 16) {
        uint64_t a = taco__load_le64(src), b = taco__load_le64(src + m - 8);
        taco__put_le64(dst, a);
        taco__put_le64(dst + m - 8, b);
    } else {
        memmove(dst, src, m);
    }
}
/* The byte arrays of an uncompressed dictionary page move together, over their lengths. */
TACO__FN bool taco__dictionary_compact_text(taco__chunk_reader *l, size_t n, taco_error *err)
{
    uint8_t *p = l->plain.data;
    size_t   i, at = 0, to = 0, left = l->plain.len;
    int32_t *offsets = taco__values_reserve_offsets(&l->dict, n, err);
    if (!offsets) {
        return false;
    }
    offsets[0] = 0;
    for (i = 0; i < n; i++) {
        size_t m = left >= 4 ? taco__load_le32(p + at) : SIZE_MAX;
        if (TACO__UNLIKELY(left < 4 || m > left - 4)) {
            return taco__plain_fail_text(&l->flat, at, n - i, err);
        }
        taco__dictionary_move_down(p + to, p + at + 4, m);
        left -= 4 + m;
        at += 4 + m;
        to += m;
        offsets[i + 1] = (int32_t)to;
    }
    taco__dictionary_take_buffer(l, &l->dict.bytes, to);
    l->dict.count = n;
    return true;
}
TACO__FN bool taco__dictionary_read(taco__chunk_reader *l, taco_error *err)
{
    taco_bytes plain;
    size_t     n = (size_t)l->page.num_values, least;
    bool       numeric;
    taco__values_clear(&l->dict);
    l->has_dict = true;
    if (l->page.encoding != TACO__PQ_ENC_PLAIN &&
        l->page.encoding != TACO__PQ_ENC_PLAIN_DICTIONARY) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, l->body_at, "dictionary page of encoding %u",
                   TACO__U(l->page.encoding));
        return false;
    }
    if (n == 0) {
        return true;
    }
    if (!taco__page_decompress(l, &plain, err)) {
        return false;
    }
    least = l->schema->type == TACO__PQ_BYTE_ARRAY ? 4
            : l->schema->type == TACO__PQ_BOOLEAN  ? 0
                                                   : taco__page_decode_width(l, &numeric);
    if (least && n > plain.len / least) { /* before room is made for n of them */
        TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at, "dictionary of %u values in %u bytes",
                   TACO__U(n), TACO__U(plain.len));
        return false;
    }
    l->kind = TACO__VALUES_PLAIN;
    taco__plain_open(&l->flat, plain);
    if (plain.data == l->plain.data && taco__array_is_var_length(l->field) &&
        plain.len <= INT32_MAX) {
        return taco__dictionary_compact_text(l, n, err) ||
               taco__error_inside(err, l->body_at, "dictionary");
    }
    if (l->from && !TACO__BIG_ENDIAN && taco__dictionary_is_as_stored(l)) {
        l->dict_values = plain.data; /* stays while the scan is open */
        l->dict.count = n;
        return true;
    }
    if (plain.data == l->plain.data && taco__dictionary_is_as_stored(l)) {
        taco__dictionary_take_buffer(l, &l->dict.values, n * least);
        taco__plain_swap_bytes(l->dict.values.data, least, n);
        l->dict.count = n;
        return true;
    }
    return l->schema->type == TACO__PQ_BOOLEAN || taco__page_decode_append(l, &l->dict, n, err) ||
           taco__error_inside(err, l->body_at, "dictionary");
}
TACO__FN bool taco__dictionary_load(taco__chunk_reader *l, taco_error *err)
{
    l->dict_values = NULL;
    if (!taco__dictionary_read(l, err)) {
        return false;
    }
    l->dict_values = l->dict_values ? l->dict_values : l->dict.values.data;
    return true;
}
/* The last page that begins at or before a row. */
TACO__FN size_t taco__page_index_find_page(const taco__pq_offset_index *x, uint64_t row)
{
    size_t lo = 0, hi = x->pages;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if ((uint64_t)x->page[mid].first_row <= row) {
            lo = mid;
        } else {
            hi = mid;
        }
    }
    return lo;
}
/* First row behind a page. */
TACO__FN uint64_t taco__page_index_page_end(const taco__pq_offset_index *x, size_t page,
                                            uint64_t rows)
{
    return page + 1 < x->pages ? (uint64_t)x->page[page + 1].first_row : rows;
}
/* Whoever jumps by the offset index relies on it: a data page that it describes otherwise is an error. */
TACO__FN bool taco__chunk_reader_check_index(taco__chunk_reader *l, uint64_t at, uint64_t size,
                                             taco_error *err)
{
    const taco__pq_offset_index *x = l->index;
    size_t                       lo = 0, hi = x->pages;
    uint64_t                     first, rows;
    bool                         v2 = l->page.type == TACO__PQ_PAGE_DATA_V2;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (x->page[mid].offset < at) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    if (lo == x->pages || x->page[lo].offset != at || x->page[lo].size != size) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at, "page of %u bytes, the offset index has %s %u", size,
                   lo == x->pages || x->page[lo].offset != at ? "none here, the next at" : "one of",
                   lo == x->pages             ? l->end
                   : x->page[lo].offset != at ? x->page[lo].offset
                                              : TACO__U(x->page[lo].size));
        return false;
    }
    first = (uint64_t)x->page[lo].first_row;
    rows = taco__page_index_page_end(x, lo, l->group_rows) - first;
    if (l->schema->max_rep == 0 &&
        (l->page.num_values != rows || l->group_rows - l->expected != first)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                   "page of %u rows from row %u on, the offset index says %u from %u",
                   TACO__U(l->page.num_values), l->group_rows - l->expected, rows, first);
        return false;
    }
    if (v2 && l->page.num_rows != rows) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at, "page of %u rows, the offset index says %u",
                   TACO__U(l->page.num_rows), rows);
        return false;
    }
    l->page_rows = rows;
    return true;
}
/* Points body at the bytes of the page whose header stands at l->at, and checks their CRC. */
TACO__FN bool taco__chunk_reader_load_body(taco__chunk_reader *l, size_t header, bool skip,
                                           taco_error *err)
{
    l->page_at = l->at;
    l->body_at = l->at + header;
    l->body.len = (size_t)l->page.compressed_size;
    l->opened = false;
    if (l->from) {
        l->body.data = NULL;
        l->at = l->body_at + l->body.len;
        return true;
    }
    if (skip && taco__checked_range(l->body_at, l->body.len, l->end)) { /* of no interest, unread */
        l->body.data = NULL;
        l->at = l->body_at + l->body.len;
        return true;
    }
    l->body.data = taco__chunk_reader_bytes(l, l->body_at, l->body.len, err);
    if (!l->body.data) {
        return false;
    }
    l->at = l->body_at + l->body.len;
    return taco__chunk_reader_check_crc(l, err);
}
/* Steps to the next data page, or up to `stop` if there is none before it; dictionary pages on the way are loaded,
   index pages passed over. Of a page of at most `skip` level entries, which the caller passes over, no more than the
   header is read. A batch that holds indices into the old dictionary is turned into text first. */
TACO__FN bool taco__chunk_reader_next_page(taco__chunk_reader *l, uint64_t skip, uint64_t stop,
                                           taco_error *err)
{
    while (l->at < stop) {
        size_t   header = 0;
        uint64_t at = l->at;
        bool     data;
        if (l->at >= l->end || l->expected == 0) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, l->at,
                       "the column chunk has fewer values than its row group has rows");
            return false;
        }
        l->from = l->kept ? taco__page_cache_find(l->kept, &l->near, at) : NULL;
        if (l->from) {
            l->page = l->from->page;
            header = l->from->header;
        } else if (!taco__chunk_reader_read_header(l, &header, err)) {
            return false;
        }
        data = l->page.type == TACO__PQ_PAGE_DATA || l->page.type == TACO__PQ_PAGE_DATA_V2;
        if (!taco__chunk_reader_load_body(l, header, data && l->page.num_values <= skip, err)) {
            return false;
        }
        if (l->page.type == TACO__PQ_PAGE_DICTIONARY) {
            if (l->store.dict && !taco__dictionary_expand_batch(l, err)) {
                return false;
            }
            if (!taco__dictionary_load(l, err)) {
                return false;
            }
        } else if (data) {
            if ((uint64_t)l->page.num_values > l->expected) {
                TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at,
                           "page of %u values, its column chunk has %u left",
                           TACO__U(l->page.num_values), l->expected);
                return false;
            }
            l->page_no++;
            l->page_rows = UINT64_MAX;
            if (l->index && !taco__chunk_reader_check_index(l, at, l->at - at, err)) {
                return false;
            }
            l->expected -= (uint64_t)l->page.num_values;
            l->left = (size_t)l->page.num_values;
            if (l->left) {
                return true;
            }
        }
    }
    return true;
}
/* Loads the dictionary page in front of a chunk's first data page, if there is one. */
TACO__FN bool taco__dictionary_load_first(taco__chunk_reader *l, uint64_t first_data,
                                          taco_error *err)
{
    if (l->page_no || l->at >= first_data) {
        return true;
    }
    l->until = first_data;
    return taco__chunk_reader_next_page(l, 0, first_data, err);
}
/* With an offset index: goes on at the page that holds a row, when that is not the open one. *at, the row that comes
   next, becomes the first of that page. */
TACO__FN bool taco__chunk_reader_seek(taco__chunk_reader *l, uint64_t row, uint64_t *at,
                                      taco_error *err)
{
    size_t                        p = taco__page_index_find_page(l->index, row);
    const taco__pq_page_location *to = &l->index->page[p];
    uint64_t                      first = (uint64_t)to->first_row;
    if (to->offset < l->at || first < *at) {
        return true;
    }
    if (!taco__dictionary_load_first(l, l->index->page[0].offset, err)) {
        return false;
    }
    if (l->at > to->offset) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, l->at,
                   "the page before this byte reaches into one of the offset index at %u",
                   to->offset);
        return false;
    }
    l->at = to->offset;
    l->page_no = p;
    l->left = 0;
    l->opened = false;
    l->expected = TACO__MIN(l->expected, (uint64_t)l->chunk->num_values -
                                             TACO__MIN(first, (uint64_t)l->chunk->num_values));
    *at = first;
    return true;
}
/* Bounds reading ahead to the pages that hold the rows up to `end`; while rows are passed over, to a few headers. */
TACO__FN void taco__chunk_reader_limit_ahead(taco__chunk_reader *l, uint64_t end, bool skipping)
{
    if (skipping) {
        l->until = TACO__MIN(l->chunk->pages.offset + l->chunk->pages.size,
                             l->at + TACO__CHUNK_READER_HEADERS);
    } else if (l->index) {
        const taco__pq_page_location *last =
            &l->index->page[taco__page_index_find_page(l->index, end - 1)];
        l->until = last->offset + last->size;
    } else {
        l->until = l->chunk->pages.offset + l->chunk->pages.size;
    }
}

/* ---- flat columns: a level entry per row ---------------------------------------------------------- */

/* The dictionary as an array. */
TACO__FN void taco__dictionary_array(const taco__chunk_reader *l, taco_array *out)
{
    bool text = taco__array_is_var_length(l->field);
    out->field = l->field;
    out->length = l->dict.count;
    out->offsets = text ? (const int32_t *)(const void *)l->dict.offsets.data : NULL;
    out->v.any = text ? l->dict.bytes.data : l->dict_values;
}
/* Begins a batch: what was appended before is gone. */
TACO__FN void taco__chunk_reader_begin_batch(taco__chunk_reader *l)
{
    taco__values_clear(&l->store);
    l->entries = l->rows = 0;
    l->fed = l->opened && l->left ? l->page.uncompressed_size : 0;
    l->rep_buf.len = l->def_buf.len = 0;
    l->full = true;
    l->late = false;
}
TACO__FN bool taco__chunk_reader_read_flat(taco__chunk_reader *l, size_t n, taco_error *err)
{
    if (l->schema->max_def &&
        !taco__buf_reserve(&l->validity, TACO__BITMAP_BYTES(l->rows + n) + 8, err)) {
        return false;
    }
    while (n) {
        size_t m, valid;
        if (!l->left && !taco__chunk_reader_next_page(l, 0, UINT64_MAX, err)) {
            return false;
        }
        if (!taco__page_decode_open(l, err)) {
            return false;
        }
        m = valid = TACO__MIN(n, l->left);
        if (l->schema->max_def &&
            !taco__rle_read_validity(&l->def, l->validity.data, l->rows, m, &valid, err)) {
            return taco__error_inside(err, l->body_at, "levels");
        }
        if (!taco__page_decode_values(l, valid, err)) {
            return taco__error_inside(err, l->body_at, "values");
        }
        l->rows += m;
        l->left -= m;
        n -= m;
    }
    return true;
}
TACO__FN bool taco__chunk_reader_skip_flat(taco__chunk_reader *l, uint64_t n, taco_error *err)
{
    while (n) {
        size_t m, valid;
        if (!l->left && !taco__chunk_reader_next_page(l, n, UINT64_MAX, err)) {
            return false;
        }
        m = valid = (size_t)TACO__MIN(n, (uint64_t)l->left);
        if (m < l->left || l->opened) { /* a page skipped whole is not even decompressed */
            if (!taco__page_decode_open(l, err)) {
                return false;
            }
            if ((l->schema->max_def &&
                 !taco__rle_skip_count(&l->def, m, (unsigned)l->schema->max_def, &valid, err)) ||
                !taco__page_decode_skip(l, valid, err)) {
                return taco__error_inside(err, l->body_at, "values");
            }
        }
        l->left -= m;
        n -= m;
    }
    return true;
}

/* ---- nested columns: level entries until the next row begins --------------------------------------- */

TACO__FN int16_t *taco__level_decode_reps(const taco__chunk_reader *l)
{
    return (int16_t *)(void *)l->rep_buf.data;
}
TACO__FN int16_t *taco__level_decode_defs(const taco__chunk_reader *l)
{
    return (int16_t *)(void *)l->def_buf.data;
}
/* Bit k is set where entry i + k of the batch, of m <= 64, has a repetition level of at least rep > 0; the column is
   repeated. */
TACO__INLINE uint64_t taco__level_decode_rep_mask(const taco__chunk_reader *l, size_t i, size_t m,
                                                  int16_t rep)
{
    return l->schema->max_rep == 1
               ? taco__bitmap_read(l->rep_buf.data, i, m)
               : taco__spacing_level_word(taco__level_decode_reps(l) + i, m, rep);
}
/* Makes room for the levels of `more` entries behind those of the batch, which may not have been written. */
TACO__FN bool taco__level_decode_reserve(taco__chunk_reader *l, taco__buf *b, size_t more,
                                         taco_error *err)
{
    size_t bytes;
    if (!taco__checked_add_size(l->entries, more, &bytes) ||
        !taco__checked_mul_size(bytes, sizeof(int16_t), &bytes)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u levels",
                   TACO__U(more));
        return false;
    }
    b->len = 0;
    if (!taco__buf_reserve(b, bytes, err)) {
        return false;
    }
    b->len = l->entries * sizeof(int16_t);
    return true;
}
TACO__FN bool taco__level_decode_read_reps(taco__chunk_reader *l, size_t want, taco_error *err)
{
    size_t ones;
    if (l->schema->max_rep == 1) {
        l->rep_buf.len = TACO__BITMAP_BYTES(l->entries);
        return taco__buf_reserve(&l->rep_buf, TACO__BITMAP_BYTES(want), err) &&
               taco__rle_read_validity(&l->rep, l->rep_buf.data, l->entries, want, &ones, err);
    }
    return taco__level_decode_reserve(l, &l->rep_buf, want, err) &&
           taco__rle_read_levels(&l->rep, taco__level_decode_reps(l) + l->entries, want,
                                 (unsigned)l->schema->max_rep, err);
}
TACO__FN bool taco__level_decode_read_defs(taco__chunk_reader *l, size_t want, taco_error *err)
{
    const uint16_t max = (uint16_t)l->schema->max_def;
    if (want && !l->def.left && !taco__rle_next_run(&l->def, want, err)) {
        return false;
    }
    l->ahead_full = taco__rle_is_run_of(&l->def, want, max);
    if (l->full && l->ahead_full) {
        return taco__rle_skip(&l->def, want, err);
    }
    if (!taco__level_decode_reserve(l, &l->def_buf, want, err)) {
        return false;
    }
    if (l->full && l->entries) { /* those before are wanted after all */
        taco__values_fill(taco__level_decode_defs(l), &max, sizeof max, l->entries);
    }
    l->full = false;
    return taco__rle_read_levels(&l->def, taco__level_decode_defs(l) + l->entries, want, max, err);
}
/* Appends up to `want` level entries of the open page to the batch, without values. */
TACO__FN bool taco__level_decode_read(taco__chunk_reader *l, size_t want, taco_error *err)
{
    if (!taco__page_decode_open(l, err)) {
        return false;
    }
    l->ahead_full = true;
    if ((l->schema->max_def && !taco__level_decode_read_defs(l, want, err)) ||
        (l->schema->max_rep && !taco__level_decode_read_reps(l, want, err))) {
        return taco__error_inside(err, l->body_at, "levels");
    }
    return true;
}
/* Values among the level entries that were read last. */
TACO__FN size_t taco__level_decode_count_valid(const taco__chunk_reader *l, size_t from, size_t to)
{
    size_t m, n = 0;
    if (l->ahead_full) {
        return to - from;
    }
    for (; from < to; from += m) { /* no level is above the maximum */
        m = TACO__MIN(to - from, (size_t)64);
        n += taco__bitmap_popcount(taco__spacing_level_word(taco__level_decode_defs(l) + from, m,
                                                            (int16_t)l->schema->max_def));
    }
    return n;
}
#define TACO__LEVEL_DECODE_AHEAD 4096
/* Reads (or skips) n rows of a column without repetition: an entry is a row. */
TACO__FN bool taco__chunk_reader_read_optional(taco__chunk_reader *l, uint64_t n, bool keep,
                                               taco_error *err)
{
    while (n) {
        size_t m, valid;
        if (!l->left && !taco__chunk_reader_next_page(l, keep ? 0 : n, UINT64_MAX, err)) {
            return false;
        }
        m = (size_t)TACO__MIN(n, (uint64_t)l->left);
        if (keep || m < l->left || l->opened) {
            if (!keep) { /* levels of skipped rows must not need room for all of them */
                m = TACO__MIN(m, (size_t)TACO__LEVEL_DECODE_AHEAD);
            }
            if (!taco__level_decode_read(l, m, err)) {
                return false;
            }
            valid = taco__level_decode_count_valid(l, l->entries, l->entries + m);
            if (!(keep ? taco__page_decode_values(l, valid, err)
                       : taco__page_decode_skip(l, valid, err))) {
                return taco__error_inside(err, l->body_at, "values");
            }
            l->entries += keep ? m : 0;
        }
        l->left -= m;
        n -= m;
    }
    return true;
}
/* Of the next m level entries of the open page, which stand behind `entries`, counts those that belong to the next
   *rows rows; *begun says whether a row is under way. SIZE_MAX when a row does not begin with repetition level 0. */
TACO__FN size_t taco__level_decode_row_entries(const taco__chunk_reader *l, size_t m,
                                               uint64_t *rows, bool *begun)
{
    size_t i, k;
    for (i = 0; i < m; i += k) {
        uint64_t starts;
        size_t   n;
        k = TACO__MIN(m - i, (size_t)64);
        starts = ~taco__level_decode_rep_mask(l, l->entries + i, k, 1) & TACO__LOW_BITS(k);
        n = taco__bitmap_popcount(starts);
        if (!*begun && !(starts & 1)) {
            return SIZE_MAX;
        }
        if (n > *rows) { /* the first one too many ends the rows */
            for (; *rows; --*rows) {
                *begun = true;
                starts &= starts - 1;
            }
            return i + taco__plat_ctz64(starts);
        }
        *rows -= n;
        *begun = *begun || n;
    }
    return m;
}
/* A run-length page of a few bytes can claim 2^31 entries, all of one row: what it costs is bounded by what was read, and
   by limits.max_page for lists that are long and constant. */
TACO__FN bool taco__level_decode_check_size(const taco__chunk_reader *l, taco_error *err)
{
    uint64_t most = TACO__MAX(l->limits->max_page / 64, (uint64_t)1 << 20);
    most = TACO__MAX(most, l->fed * 8) + l->rows;
    if (l->entries <= most) {
        return true;
    }
    TACO__FAIL(err, TACO_ERR_LIMIT, l->body_at,
               "%u level entries in a batch of %u rows from %u bytes, limits.max_page allows %u",
               TACO__U(l->entries), TACO__U(l->rows), l->fed, most);
    return false;
}
/* n rows of the open page began: as many as the offset index says, when the page ends. */
TACO__FN bool taco__chunk_reader_count_rows(taco__chunk_reader *l, uint64_t n, taco_error *err)
{
    if (l->page_rows == UINT64_MAX) {
        return true;
    }
    if (n > l->page_rows || (l->left == 0 && n != l->page_rows)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at,
                   "page has %s rows than the offset index says, by %u",
                   n > l->page_rows ? "more" : "fewer",
                   n > l->page_rows ? n - l->page_rows : l->page_rows - n);
        return false;
    }
    l->page_rows -= n;
    return true;
}
/* Reads (or skips) n rows of a repeated column: a row ends where the next repetition level 0 stands, which may be on a
   later page, or where the chunk ends. */
TACO__FN bool taco__chunk_reader_read_repeated(taco__chunk_reader *l, uint64_t n, bool keep,
                                               taco_error *err)
{
    bool begun = false;
    l->rows += keep ? (size_t)n : 0;
    while (n || begun) {
        taco__rle rep, def;
        size_t    i, m, valid;
        uint64_t  rows = n;
        if (!l->left) {
            if (n == 0 && (l->expected == 0 || l->index)) { /* pages of an index begin with a row */
                break;
            }
            if (!taco__chunk_reader_next_page(l, 0, UINT64_MAX, err)) {
                return false;
            }
            begun = begun && !l->index;
        }
        if (!keep && !begun && !l->opened && l->page.type == TACO__PQ_PAGE_DATA_V2 &&
            l->page.num_rows <= n) { /* pages of this version begin with a row: skipped whole */
            n -= l->page.num_rows;
            l->left = 0;
            continue;
        }
        if (!taco__page_decode_open(l, err)) {
            return false;
        }
        m = TACO__MIN(l->left, (size_t)TACO__LEVEL_DECODE_AHEAD);
        rep = l->rep;
        def = l->def;
        if (!taco__level_decode_read(l, m, err)) {
            return false;
        }
        i = taco__level_decode_row_entries(l, m, &n, &begun);
        if (i == SIZE_MAX) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, l->body_at,
                       "a row begins with a repetition level that is not 0");
            return false;
        }
        if (i < m) { /* the rows end here: go back to the first entry of the next one */
            l->rep = rep;
            l->def = def;
            if (!taco__rle_skip(&l->rep, i, err) ||
                (l->schema->max_def && !taco__rle_skip(&l->def, i, err))) {
                return false;
            }
        }
        valid = taco__level_decode_count_valid(l, l->entries, l->entries + i);
        if (!(keep ? taco__page_decode_values(l, valid, err)
                   : taco__page_decode_skip(l, valid, err))) {
            return taco__error_inside(err, l->body_at, "values");
        }
        l->entries += keep ? i : 0;
        l->left -= i;
        if (!taco__chunk_reader_count_rows(l, rows - n, err)) {
            return false;
        }
        if (!taco__level_decode_check_size(l, err)) {
            return false;
        }
        if (i < m) {
            break;
        }
    }
    return true;
}
