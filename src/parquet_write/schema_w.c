/* ==== ROOM schema_w: the schema, options and key-value metadata of a file to be written. Uses: io stats levels thrift_w snappy lz4 zstd_enc.
   Spec: parquet.thrift, LogicalTypes.md, GeoParquet 1.1 ==== */

#define TACO__PQ_WRITER_ROWS  8192 /* rows that are taken apart at a time */
#define TACO__PQ_WRITER_TRIAL 4096 /* values by which an encoding is chosen */
#define TACO__PQ_WRITER_BOUND 64   /* bytes of text and binary bounds; longer ones are cut */
#define TACO__PQ_WRITER_LONGEST_BOUND                                                              \
    4096 /* a bound that cannot be cut is left out when it is longer */
#define TACO__PQ_WRITER_BLOOM 134217728 /* bytes of a bloom filter at most */
#define TACO__PQ_WRITER_NAME  "taco.h version " TACO_VERSION

typedef struct taco__page_record {
    uint64_t offset; /* in the chunk's data pages */
    uint32_t size;   /* with its header */
    uint64_t first_row;
    int64_t  nulls, nans, unencoded; /* unencoded: bytes of byte arrays */
    bool     all_null, bounded;
    size_t   min_at, min_len, max_at, max_len; /* in bounds */
} taco__page_record;

/* What the footer needs of a chunk that was written. */
typedef struct taco__chunk_record {
    size_t   meta_at, meta_len;     /* ColumnMetaData, in the writer's metas */
    size_t   column_at, column_len; /* indexes, in the writer's indexes */
    size_t   offset_at, offset_len;
    uint64_t column_offset, offset_offset; /* in the file, once they are there */
} taco__chunk_record;

typedef struct taco__group_record {
    uint64_t rows, offset, uncompressed, compressed;
} taco__group_record;

typedef enum taco__dictionary_mode {
    TACO__DICTIONARY_UNDECIDED,
    TACO__DICTIONARY_USED,
    TACO__DICTIONARY_UNUSED
} taco__dictionary_mode;

typedef struct taco__leaf_writer {
    const taco_field *field;
    uint32_t          column;
    uint32_t         *path;  /* for taco__levels_make */
    taco_bytes       *names; /* path_in_schema */
    size_t            name_count;
    int32_t           type, type_length;
    size_t            width; /* bytes of a PLAIN value; 1 for BOOLEAN, 0 for byte arrays */
    taco__stats_order rank;
    taco_encoding     wish;
    int32_t           codec;
    int               level;
    bool              bloom, stats, index;
    bool
        coded; /* dictionary-encoded in Arrow, too: pyarrow reads that from dictionaries and PLAIN only */
    int16_t max_def, max_rep;

    /* Values and levels not yet in a page. Those before `entry` and `value` belong to the page in the making. */
    taco__buf values, offsets, def, rep;
    size_t    count, entries;
    size_t    entry, value;
    size_t    page_rows, page_bytes;
    uint64_t  hash; /* of the values' content */
    bool      cut;  /* the hash asked for an end of the page */

    taco__buf pages, records, bounds; /* encoded pages; taco__page_record each; their min and max */
    size_t    page_count;
    taco__dictionary_mode mode;
    int32_t               direct; /* encoding of pages without dictionary */
    taco__buf             dict, dict_offsets, slots, indices;
    size_t                dict_count, slot_count;
    taco__buf             hashes; /* uint64 of every value, for the bloom filter */
    taco__buf             min, max;
    bool     bounded, unbounded; /* some value has bounds; some page has values without */
    uint64_t rows, num_values, plain_bytes;
    int64_t  nulls, nans, unencoded;
    taco__buf
        levels; /* int64: entries by repetition level, then by definition level, of each page */
    uint32_t used[10], dict_pages, direct_pages; /* data pages by encoding */
} taco__leaf_writer;

/* A geometry column. */
typedef struct taco__geo_column {
    size_t            column;
    const char       *name, *crs, *covering;
    bool              spherical;
    size_t            made; /* the covering's column when it is made here, else 0 */
    taco__wkb_summary sum;
    taco__buf         box[4], validity; /* xmin, ymin, xmax, ymax of the rows at hand */
    taco_array        side[4], array;
} taco__geo_column;

struct taco_pq_writer {
    taco__mem                 mem;
    taco__arena               arena;
    taco_error                err;
    taco_sink                 sink;
    taco_pq_write_options     opt; /* its pointers are the caller's, until taco_pq_write returns */
    const struct ArrowSchema *arrow; /* of the stream; as long, too */
    taco_field               *fields;
    size_t given, field_count; /* columns of the caller, and those of coverings behind them */
    taco__geo_column     *geo;
    size_t                geo_count;
    taco__leaf_writer    *leaves;
    size_t                leaf_count;
    taco__levels          levels;
    taco__buf             body, packed, best, trial, lengths;
    uint64_t              offset;
    uint64_t              group_rows, rows;
    taco__buf             schema, keys; /* parts of the footer */
    uint32_t              schema_count, key_count;
    taco__buf             metas, indexes, chunks, groups;
    uint64_t              gear[256];
    uint64_t              cut_mask;
    taco__zstd_encoder   *zstd;
    taco__snappy_encoder *snappy;
    taco__lz4_encoder    *lz4;
    taco__deflater       *gzip;
    int                   zstd_level;
};

/* ---- codecs: one line each -------------------------------------------------------------------------- */

typedef bool (*taco__compress_encoder)(void *ctx, taco_bytes src, taco__buf *dst, int level,
                                       taco_error *err);

typedef struct taco__compress_codec {
    taco_codec             codec;
    int32_t                number; /* CompressionCodec */
    const char            *name;
    taco__compress_encoder encode; /* NULL: not in this build */
} taco__compress_codec;

/* An encoder is kept for the level that was asked for last. */
TACO__FN bool taco__compress_zstd(void *ctx, taco_bytes src, taco__buf *dst, int level,
                                  taco_error *err)
{
    taco_pq_writer *w = (taco_pq_writer *)ctx;
    size_t          bound, size;
    level = level ? level : TACO__ZSTD_ENCODE_DEFAULT_LEVEL;
    if (w->zstd && w->zstd_level != level) {
        taco__zstd_encode_close(w->zstd);
        w->zstd = NULL;
    }
    if (!w->zstd) {
        w->zstd = taco__zstd_encode_open(&w->mem, level, err);
        w->zstd_level = level;
    }
    if (!w->zstd) {
        return false;
    }
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
    size_t          bound, size;
    (void)level;
    if (!w->snappy) {
        w->snappy = (taco__snappy_encoder *)taco__mem_alloc(&w->mem, sizeof *w->snappy, err);
    }
    if (!w->snappy) {
        return false;
    }
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
    size_t          bound, size;
    (void)level;
    if (!w->lz4) {
        w->lz4 = (taco__lz4_encoder *)taco__mem_alloc(&w->mem, sizeof *w->lz4, err);
    }
    if (!w->lz4) {
        return false;
    }
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
    size_t          bound, size;
    (void)level;
    if (!w->gzip) {
        w->gzip = taco__deflate_open(&w->mem, err);
    }
    if (!w->gzip) {
        return false;
    }
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

static const taco__compress_codec taco__compress_codecs[] = {
    {TACO_CODEC_NONE, TACO__PQ_CODEC_NONE, "no codec", NULL},
    {TACO_CODEC_SNAPPY, TACO__PQ_CODEC_SNAPPY, "Snappy", taco__compress_snappy},
    {TACO_CODEC_GZIP, TACO__PQ_CODEC_GZIP, "gzip", taco__compress_gzip},
    {TACO_CODEC_ZSTD, TACO__PQ_CODEC_ZSTD, "ZSTD", taco__compress_zstd},
    {TACO_CODEC_LZ4, TACO__PQ_CODEC_LZ4_RAW, "LZ4_RAW", taco__compress_lz4},
};

TACO__FN const taco__compress_codec *taco__compress_find_codec(int32_t number)
{
    size_t i;
    for (i = 0; i < TACO__COUNT(taco__compress_codecs); i++) {
        if (taco__compress_codecs[i].number == number) {
            return &taco__compress_codecs[i];
        }
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
TACO__FN bool taco__pq_writer_write(taco_pq_writer *w, const void *data, size_t len)
{
    if (len && !w->sink.write(w->sink.ctx, w->offset, data, len)) {
        TACO__FAIL(&w->err, TACO_ERR_IO, w->offset, "writing %u bytes failed", TACO__U(len));
        return false;
    }
    w->offset += len;
    return true;
}

/* ---- schema ---------------------------------------------------------------------------------------- */

/* Bytes that hold any decimal of p digits: its magnitude takes floor(p log2(10)) + 1 bits, the sign one more. */
TACO__FN int32_t taco__schema_write_decimal_bytes(int32_t p)
{
    return (int32_t)(((int64_t)p * 33219281 / 10000000 + 2 + 7) / 8);
}
TACO__FN void taco__schema_write_set_physical(taco__leaf_writer *l, int32_t type, int32_t length,
                                              size_t width, taco__stats_order rank)
{
    l->type = type;
    l->type_length = length;
    l->width = width;
    l->rank = rank;
}
TACO__FN bool taco__schema_write_fail(const taco_field *f, const char *why, taco_error *err)
{
    taco_bytes name = taco__bytes_text(f->name);
    TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "field %q %s", &name, why);
    return false;
}
TACO__FN bool taco__schema_write_decimal_type(taco__leaf_writer *l, const taco_field *f,
                                              taco_error *err)
{
    int32_t most = f->width == 16 ? 38 : f->width == 32 ? 76 : INT32_MAX;
    if (f->precision < 1 || f->precision > most || f->scale < 0 || f->scale > f->precision ||
        (f->width != 16 && f->width != 32 && f->width != 0)) {
        return taco__schema_write_fail(f, "is a decimal of impossible precision, scale or width",
                                       err);
    }
    if (f->width == 0) {
        taco__schema_write_set_physical(l, TACO__PQ_BYTE_ARRAY, 0, 0, TACO__STATS_DECIMALS);
    } else if (f->precision <= 9) {
        taco__schema_write_set_physical(l, TACO__PQ_INT32, 0, 4, TACO__STATS_SIGNED);
    } else if (f->precision <= 18) {
        taco__schema_write_set_physical(l, TACO__PQ_INT64, 0, 8, TACO__STATS_SIGNED);
    } else {
        int32_t n = taco__schema_write_decimal_bytes(f->precision);
        taco__schema_write_set_physical(l, TACO__PQ_FIXED, n, (size_t)n, TACO__STATS_DECIMALS);
    }
    return true;
}
/* The physical type of a leaf, by LogicalTypes.md. */
TACO__FN bool taco__schema_write_leaf_type(taco__leaf_writer *l, const taco_field *f,
                                           taco_error *err)
{
    switch (f->type) {
    case TACO_BOOL:
        taco__schema_write_set_physical(l, TACO__PQ_BOOLEAN, 0, 1, TACO__STATS_SIGNED);
        break;
    case TACO_NULL:
        taco__schema_write_set_physical(l, TACO__PQ_INT32, 0, 4, TACO__STATS_UNORDERED);
        break;
    case TACO_INT8:
    case TACO_INT16:
    case TACO_INT32:
    case TACO_DATE:
        taco__schema_write_set_physical(l, TACO__PQ_INT32, 0, 4, TACO__STATS_SIGNED);
        break;
    case TACO_UINT8:
    case TACO_UINT16:
    case TACO_UINT32:
        taco__schema_write_set_physical(l, TACO__PQ_INT32, 0, 4, TACO__STATS_UNSIGNED);
        break;
    case TACO_INT64:
    case TACO_TIMESTAMP:
        taco__schema_write_set_physical(l, TACO__PQ_INT64, 0, 8, TACO__STATS_SIGNED);
        break;
    case TACO_UINT64:
        taco__schema_write_set_physical(l, TACO__PQ_INT64, 0, 8, TACO__STATS_UNSIGNED);
        break;
    case TACO_TIME:
        if (f->unit <= TACO_MILLI) {
            taco__schema_write_set_physical(l, TACO__PQ_INT32, 0, 4, TACO__STATS_SIGNED);
        } else {
            taco__schema_write_set_physical(l, TACO__PQ_INT64, 0, 8, TACO__STATS_SIGNED);
        }
        if (f->width != (f->unit <= TACO_MILLI ? 4 : 8)) {
            return taco__schema_write_fail(f, "is a time of another width than its unit has", err);
        }
        break;
    case TACO_HALF:
        taco__schema_write_set_physical(l, TACO__PQ_FIXED, 2, 2, TACO__STATS_FLOATS);
        break;
    case TACO_FLOAT:
        taco__schema_write_set_physical(l, TACO__PQ_FLOAT, 0, 4, TACO__STATS_FLOATS);
        break;
    case TACO_DOUBLE:
        taco__schema_write_set_physical(l, TACO__PQ_DOUBLE, 0, 8, TACO__STATS_FLOATS);
        break;
    case TACO_DECIMAL: return taco__schema_write_decimal_type(l, f, err);
    case TACO_INT96:
        taco__schema_write_set_physical(l, TACO__PQ_INT96, 0, 12, TACO__STATS_UNORDERED);
        break;
    case TACO_INTERVAL:
        taco__schema_write_set_physical(l, TACO__PQ_FIXED, 12, 12, TACO__STATS_UNORDERED);
        break;
    case TACO_TEXT:
    case TACO_BINARY:
        taco__schema_write_set_physical(l, TACO__PQ_BYTE_ARRAY, 0, 0, TACO__STATS_BYTES);
        break;
    case TACO_UUID:
        taco__schema_write_set_physical(l, TACO__PQ_FIXED, 16, 16, TACO__STATS_BYTES);
        break;
    case TACO_FIXED:
        if (f->width < 1) {
            return taco__schema_write_fail(f, "is of fixed size 0, which Parquet has not", err);
        }
        taco__schema_write_set_physical(l, TACO__PQ_FIXED, f->width, (size_t)f->width,
                                        TACO__STATS_BYTES);
        break;
    default: return taco__schema_write_fail(f, "has a type that cannot be written", err);
    }
    return true;
}
TACO__FN void taco__schema_write_int_type(taco__thrift_writer *t, int bits, bool is_signed)
{
    int32_t step = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3;
    taco__thrift_write_i32(
        t, 6, (is_signed ? TACO__PQ_CONVERTED_INT_8 : TACO__PQ_CONVERTED_UINT_8) + step);
    taco__thrift_write_begin(t, 10);
    taco__thrift_write_begin(t, TACO__PQ_LOGICAL_INTEGER);
    taco__thrift_write_field(t, 1, TACO__THRIFT_I8);
    taco__thrift_write_u8(t, (unsigned)bits);
    taco__thrift_write_bool(t, 2, is_signed);
    taco__thrift_write_end(t);
    taco__thrift_write_end(t);
}
/* TIME and TIMESTAMP. The converted types mean instants in milli- and microseconds only. */
TACO__FN void taco__schema_write_time_type(taco__thrift_writer *t, const taco_field *f)
{
    taco_unit unit = f->unit == TACO_SECOND ? TACO_MILLI : f->unit;
    bool      stamp = f->type == TACO_TIMESTAMP;
    if (f->utc && unit != TACO_NANO) {
        taco__thrift_write_i32(
            t, 6,
            (stamp ? TACO__PQ_CONVERTED_TIMESTAMP_MILLIS : TACO__PQ_CONVERTED_TIME_MILLIS) +
                (unit == TACO_MICRO));
    }
    taco__thrift_write_begin(t, 10);
    taco__thrift_write_begin(t, stamp ? TACO__PQ_LOGICAL_TIMESTAMP : TACO__PQ_LOGICAL_TIME);
    taco__thrift_write_bool(t, 1, f->utc);
    taco__thrift_write_begin(t, 2);
    taco__thrift_write_empty(t, (int16_t)unit);
    taco__thrift_write_end(t);
    taco__thrift_write_end(t);
    taco__thrift_write_end(t);
}
/* Converted type (6), scale, precision and logical type (10) of a SchemaElement. */
TACO__FN void taco__schema_write_annotation(taco__thrift_writer *t, const taco_field *f)
{
    int32_t converted = TACO__PQ_CONVERTED_NONE;
    int16_t logical = TACO__PQ_LOGICAL_NONE;
    switch (f->type) {
    case TACO_INT8: taco__schema_write_int_type(t, 8, true); return;
    case TACO_INT16: taco__schema_write_int_type(t, 16, true); return;
    case TACO_UINT8: taco__schema_write_int_type(t, 8, false); return;
    case TACO_UINT16: taco__schema_write_int_type(t, 16, false); return;
    case TACO_UINT32: taco__schema_write_int_type(t, 32, false); return;
    case TACO_UINT64: taco__schema_write_int_type(t, 64, false); return;
    case TACO_TIME:
    case TACO_TIMESTAMP: taco__schema_write_time_type(t, f); return;
    case TACO_DECIMAL:
        taco__thrift_write_i32(t, 6, TACO__PQ_CONVERTED_DECIMAL);
        taco__thrift_write_i32(t, 7, f->scale);
        taco__thrift_write_i32(t, 8, f->precision);
        taco__thrift_write_begin(t, 10);
        taco__thrift_write_begin(t, TACO__PQ_LOGICAL_DECIMAL);
        taco__thrift_write_i32(t, 1, f->scale);
        taco__thrift_write_i32(t, 2, f->precision);
        taco__thrift_write_end(t);
        taco__thrift_write_end(t);
        return;
    case TACO_INTERVAL: converted = TACO__PQ_CONVERTED_INTERVAL; break;
    case TACO_NULL: logical = TACO__PQ_LOGICAL_NULL; break;
    case TACO_HALF: logical = TACO__PQ_LOGICAL_FLOAT16; break;
    case TACO_UUID: logical = TACO__PQ_LOGICAL_UUID; break;
    case TACO_DATE:
        converted = TACO__PQ_CONVERTED_DATE;
        logical = TACO__PQ_LOGICAL_DATE;
        break;
    case TACO_TEXT:
        converted = TACO__PQ_CONVERTED_UTF8;
        logical = TACO__PQ_LOGICAL_STRING;
        break;
    case TACO_LIST:
        converted = TACO__PQ_CONVERTED_LIST;
        logical = TACO__PQ_LOGICAL_LIST;
        break;
    case TACO_MAP:
        converted = TACO__PQ_CONVERTED_MAP;
        logical = TACO__PQ_LOGICAL_MAP;
        break;
    default: break;
    }
    if (converted != TACO__PQ_CONVERTED_NONE) {
        taco__thrift_write_i32(t, 6, converted);
    }
    if (logical != TACO__PQ_LOGICAL_NONE) {
        taco__thrift_write_begin(t, 10);
        taco__thrift_write_empty(t, logical);
        taco__thrift_write_end(t);
    }
}

/* The schema while it is walked: where a field stands, and the names and STRUCT children that lead there. */
typedef struct taco__schema_walk {
    taco_pq_writer     *w;
    taco__thrift_writer t;
    uint32_t            column;
    taco_bytes          names[2 * TACO__SCHEMA_DEPTH_CAP];
    uint32_t            path[TACO__SCHEMA_DEPTH_CAP];
    size_t              name_count, path_count;
    uint32_t            depth;
    int16_t             def, rep;
} taco__schema_walk;

/* A SchemaElement: type < 0 is a group of n children. f may be NULL: a repeated group, without annotation. */
TACO__FN void taco__schema_write_element(taco__schema_walk *k, const taco__leaf_writer *leaf,
                                         taco_bytes name, int32_t repetition, uint32_t n,
                                         const taco_field *f)
{
    taco__thrift_writer *t = &k->t;
    taco__thrift_write_init(t, &k->w->schema, &k->w->err);
    if (leaf) {
        taco__thrift_write_i32(t, 1, leaf->type);
        if (leaf->type == TACO__PQ_FIXED) {
            taco__thrift_write_i32(t, 2, leaf->type_length);
        }
    }
    if (repetition >= 0) {
        taco__thrift_write_i32(t, 3, repetition);
    }
    taco__thrift_write_binary(t, 4, name);
    if (!leaf) {
        taco__thrift_write_i32(t, 5, (int32_t)n);
    }
    if (f) {
        taco__schema_write_annotation(t, f);
    }
    taco__thrift_write_end(t);
    k->w->schema_count++;
}
TACO__FN bool taco__schema_write_add_leaf(taco__schema_walk *k, const taco_field *f,
                                          taco_bytes name, int32_t repetition)
{
    taco_pq_writer    *w = k->w;
    taco__leaf_writer *l = &w->leaves[w->leaf_count++];
    memset(l, 0, sizeof *l);
    l->field = f;
    l->column = k->column;
    l->max_def = k->def;
    l->max_rep = k->rep;
    l->values.mem = l->offsets.mem = l->def.mem = l->rep.mem = l->pages.mem = &w->mem;
    l->records.mem = l->bounds.mem = l->dict.mem = l->dict_offsets.mem = l->slots.mem = &w->mem;
    l->indices.mem = l->hashes.mem = l->min.mem = l->max.mem = l->levels.mem = &w->mem;
    l->path = (uint32_t *)taco__arena_array(&w->arena, k->path_count + 1, sizeof *l->path, &w->err);
    l->names = (taco_bytes *)taco__arena_array(&w->arena, k->name_count, sizeof *l->names, &w->err);
    if (!l->path || !l->names || !taco__schema_write_leaf_type(l, f, &w->err)) {
        return false;
    }
    memcpy(l->path, k->path, k->path_count * sizeof *l->path);
    memcpy(l->names, k->names, k->name_count * sizeof *l->names);
    l->name_count = k->name_count;
    taco__schema_write_element(k, l, name, repetition, 0, f);
    return true;
}

TACO__FN bool taco__schema_write_field(taco__schema_walk *k, const taco_field *f, taco_bytes name,
                                       bool required); /* recursive */

/* LIST and MAP of LogicalTypes.md: the group, a repeated group, its field or fields. */
TACO__FN bool taco__schema_write_list(taco__schema_walk *k, const taco_field *f)
{
    bool              map = f->type == TACO_MAP;
    const taco_field *item = f->children;
    taco_bytes        middle = taco__bytes_text(map ? "key_value" : "list");
    if (f->child_count != 1 || (map && (item->type != TACO_STRUCT || item->child_count != 2))) {
        return taco__schema_write_fail(f, "is a list without its one child, or a map without two",
                                       &k->w->err);
    }
    taco__schema_write_element(k, NULL, middle, TACO__PQ_REPEATED, map ? 2 : 1, NULL);
    k->names[k->name_count++] = middle;
    k->def++;
    k->rep++;
    if (!map) {
        if (!taco__schema_write_field(k, item, taco__bytes_text("element"), false)) {
            return false;
        }
    } else {
        uint32_t i;
        for (i = 0; i < 2; i++) {
            k->path[k->path_count++] = i;
            if (!taco__schema_write_field(k, &item->children[i],
                                          taco__bytes_text(i ? "value" : "key"), i == 0)) {
                return false;
            }
            k->path_count--;
        }
    }
    k->def--;
    k->rep--;
    k->name_count--;
    return true;
}
TACO__FN bool taco__schema_write_field(taco__schema_walk *k, const taco_field *f, taco_bytes name,
                                       bool required)
{
    bool    optional = (f->nullable || f->type == TACO_NULL) && !required;
    bool    good = true;
    int32_t repetition = optional ? TACO__PQ_OPTIONAL : TACO__PQ_REQUIRED;
    if (++k->depth > k->w->opt.options->limits.max_depth || k->depth > TACO__SCHEMA_DEPTH_CAP / 2) {
        TACO__FAIL(&k->w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "fields nest deeper than limits.max_depth, %u",
                   TACO__U(k->w->opt.options->limits.max_depth));
        return false;
    }
    k->names[k->name_count++] = name;
    k->def = (int16_t)(k->def + optional);
    if (f->type == TACO_LIST || f->type == TACO_MAP) {
        taco__schema_write_element(k, NULL, name, repetition, 1, f);
        good = taco__schema_write_list(k, f);
    } else if (f->type == TACO_STRUCT) {
        uint32_t i;
        if (f->child_count == 0) {
            return taco__schema_write_fail(f, "is a struct without fields, which Parquet has not",
                                           &k->w->err);
        }
        taco__schema_write_element(k, NULL, name, repetition, f->child_count, f);
        for (i = 0; good && i < f->child_count; i++) {
            k->path[k->path_count++] = i;
            good = taco__schema_write_field(k, &f->children[i],
                                            taco__bytes_text(f->children[i].name), false);
            k->path_count--;
        }
    } else {
        good = taco__schema_write_add_leaf(k, f, name, repetition);
    }
    k->def = (int16_t)(k->def - optional);
    k->name_count--;
    k->depth--;
    return good && !k->t.bad;
}
/* A copy of the caller's fields, which need not live as long. */
TACO__FN taco_field *taco__schema_write_copy_fields(taco_pq_writer *w, const taco_field *f,
                                                    size_t n, uint32_t depth)
{
    taco_field *copy = (taco_field *)taco__arena_array(&w->arena, n + 1, sizeof *copy, &w->err);
    size_t      i;
    if (depth > TACO__SCHEMA_DEPTH_CAP) {
        TACO__FAIL(&w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "fields nest deeper than %u",
                   TACO__U(TACO__SCHEMA_DEPTH_CAP));
        return NULL;
    }
    for (i = 0; copy && i < n; i++) {
        copy[i] = f[i];
        copy[i].name = taco__arena_text(&w->arena, taco__bytes_text(f[i].name), &w->err);
        copy[i].children = NULL;
        if (f[i].child_count) {
            copy[i].children =
                taco__schema_write_copy_fields(w, f[i].children, f[i].child_count, depth + 1);
        }
        if (!copy[i].name || (f[i].child_count && !copy[i].children)) {
            return NULL;
        }
    }
    return copy;
}
/* ---- geometries ---------------------------------------------------------------------------------------- */

static const char *const taco__geo_column_side_names[] = {"xmin", "ymin", "xmax", "ymax"};

TACO__FN const taco_field *taco__geo_column_find_field(const taco_pq_writer *w, const char *name)
{
    size_t i;
    for (i = 0; name && i < w->field_count; i++) {
        if (strcmp(w->fields[i].name, name) == 0) {
            return &w->fields[i];
        }
    }
    return NULL;
}
TACO__FN bool taco__geo_column_is_covering(const taco_field *f)
{
    uint32_t i, k, found = 0;
    for (i = 0; i < 4 && f->type == TACO_STRUCT; i++) {
        for (k = 0; k < f->child_count; k++) {
            found += (f->children[k].type == TACO_DOUBLE || f->children[k].type == TACO_FLOAT) &&
                     strcmp(f->children[k].name, taco__geo_column_side_names[i]) == 0;
        }
    }
    return found == 4;
}
/* A STRUCT column of four DOUBLE behind the others. */
TACO__FN bool taco__geo_column_add_covering(taco_pq_writer *w, taco__geo_column *g)
{
    taco_field *f = &w->fields[w->field_count];
    taco_field *sides = (taco_field *)taco__arena_array(&w->arena, 4, sizeof *sides, &w->err);
    size_t      i;
    if (!sides) {
        return false;
    }
    memset(f, 0, sizeof *f);
    f->name = g->covering;
    f->type = TACO_STRUCT;
    f->nullable = true;
    f->children = sides;
    f->child_count = 4;
    for (i = 0; i < 4; i++) {
        sides[i].name = taco__geo_column_side_names[i];
        sides[i].type = TACO_DOUBLE;
        sides[i].width = 8;
        g->side[i].field = &sides[i];
        g->box[i].mem = &w->mem;
    }
    g->validity.mem = &w->mem;
    g->array.field = f;
    g->array.children = g->side;
    g->made = w->field_count++;
    return true;
}
/* Copies what the caller says of geometries, and adds the coverings that are to be made. */
TACO__FN bool taco__geo_column_init_all(taco_pq_writer *w)
{
    size_t      n = w->opt.geometry_count, i;
    taco_field *more;
    if (n == 0) {
        return true;
    }
    w->geo = (taco__geo_column *)taco__arena_array(&w->arena, n, sizeof *w->geo, &w->err);
    more =
        (taco_field *)taco__arena_array(&w->arena, w->field_count + n + 1, sizeof *more, &w->err);
    if (!w->geo || !more) {
        return false;
    }
    memcpy(more, w->fields, w->field_count * sizeof *more);
    w->fields = more;
    for (i = 0; i < n; i++) {
        const taco_pq_geometry *from = &w->opt.geometries[i];
        taco__geo_column       *g = &w->geo[i];
        const taco_field       *f = taco__geo_column_find_field(w, from->column);
        if (!f || f->type != TACO_BINARY) {
            taco_bytes name = taco__bytes_text(from->column);
            TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "geometry column %q is no BINARY column", &name);
            return false;
        }
        g->column = (size_t)(f - w->fields);
        g->name = f->name;
        g->spherical = from->spherical;
        taco__wkb_summary_init(&g->sum);
        if ((from->crs &&
             !(g->crs = taco__arena_text(&w->arena, taco__bytes_text(from->crs), &w->err))) ||
            (from->covering && !(g->covering = taco__arena_text(
                                     &w->arena, taco__bytes_text(from->covering), &w->err)))) {
            return false;
        }
        w->geo_count = i + 1;
        f = taco__geo_column_find_field(w, from->covering);
        if (from->covering && !f ? !taco__geo_column_add_covering(w, g)
                                 : f && !taco__geo_column_is_covering(f)) {
            taco_bytes name = taco__bytes_text(from->covering);
            TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "covering column %q is no struct of xmin, ymin, xmax, ymax", &name);
            return false;
        }
    }
    return true;
}
TACO__FN uint64_t taco__schema_write_count_leaves(const taco_field *f, uint32_t depth)
{
    uint64_t n = 0;
    uint32_t i;
    if (f->type != TACO_LIST && f->type != TACO_MAP && f->type != TACO_STRUCT) {
        return 1;
    }
    for (i = 0; depth < TACO__SCHEMA_DEPTH_CAP && i < f->child_count; i++) {
        n += taco__schema_write_count_leaves(&f->children[i], depth + 1);
    }
    return n;
}
TACO__FN bool taco__schema_write(taco_pq_writer *w)
{
    taco__schema_walk *k;
    uint64_t           n = 0;
    size_t             i;
    bool               good = true;
    for (i = 0; i < w->field_count; i++) {
        n += taco__schema_write_count_leaves(&w->fields[i], 0);
    }
    if (n > w->opt.options->limits.max_columns) {
        TACO__FAIL(&w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u columns, limits.max_columns is %u",
                   n, TACO__U(w->opt.options->limits.max_columns));
        return false;
    }
    w->leaves = (taco__leaf_writer *)taco__arena_array(&w->arena, (size_t)n + 1, sizeof *w->leaves,
                                                       &w->err);
    k = (taco__schema_walk *)taco__mem_alloc(&w->mem, sizeof *k, &w->err);
    if (w->leaves && k) {
        k->w = w;
        taco__schema_write_element(k, NULL, taco__bytes_text("schema"), -1,
                                   (uint32_t)w->field_count, NULL);
        for (i = 0; good && i < w->field_count; i++) {
            k->column = (uint32_t)i;
            good = taco__schema_write_field(k, &w->fields[i], taco__bytes_text(w->fields[i].name),
                                            false);
        }
        good = good && !k->t.bad;
    }
    good = good && w->leaves && k;
    taco__mem_free(&w->mem, k, sizeof *k);
    return good && w->err.code == TACO_OK;
}

/* ---- options ---------------------------------------------------------------------------------------- */

/* The Encoding of a wish, -1 when the leaf's type has none such. */
TACO__FN int32_t taco__write_options_encoding(const taco__leaf_writer *l, taco_encoding wish)
{
    bool whole = l->type == TACO__PQ_INT32 || l->type == TACO__PQ_INT64;
    switch (wish) {
    case TACO_ENCODING_PLAIN: return TACO__PQ_ENC_PLAIN;
    case TACO_ENCODING_DICTIONARY:
        return l->type == TACO__PQ_BOOLEAN ? -1 : TACO__PQ_ENC_RLE_DICTIONARY;
    case TACO_ENCODING_RLE: return l->type == TACO__PQ_BOOLEAN ? TACO__PQ_ENC_RLE : -1;
    case TACO_ENCODING_DELTA: return whole ? TACO__PQ_ENC_DELTA_BINARY_PACKED : -1;
    case TACO_ENCODING_DELTA_LENGTH:
        return l->type == TACO__PQ_BYTE_ARRAY ? TACO__PQ_ENC_DELTA_LENGTH_BYTE_ARRAY : -1;
    case TACO_ENCODING_DELTA_BYTES:
        return l->type == TACO__PQ_BYTE_ARRAY || l->type == TACO__PQ_FIXED
                   ? TACO__PQ_ENC_DELTA_BYTE_ARRAY
                   : -1;
    case TACO_ENCODING_SPLIT:
        return whole || l->type == TACO__PQ_FLOAT || l->type == TACO__PQ_DOUBLE ||
                       l->type == TACO__PQ_FIXED
                   ? TACO__PQ_ENC_BYTE_STREAM_SPLIT
                   : -1;
    default: return -1;
    }
}
TACO__FN bool taco__write_options_set_codec(taco_pq_writer *w, taco__leaf_writer *l,
                                            taco_codec codec)
{
    size_t i;
    for (i = 0; i < TACO__COUNT(taco__compress_codecs); i++) {
        const taco__compress_codec *c = &taco__compress_codecs[i];
        if (c->codec == codec) {
            if (!c->encode && codec != TACO_CODEC_NONE) {
                TACO__FAIL(&w->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                           "unsupported: compressing with %s", c->name);
                return false;
            }
            l->codec = c->number;
            return true;
        }
    }
    TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no codec has the number %d",
               TACO__D(codec));
    return false;
}
/* The Arrow schema of a leaf of the stream. */
TACO__FN const struct ArrowSchema *taco__write_options_arrow_leaf(const taco_pq_writer    *w,
                                                                  const taco__leaf_writer *l)
{
    const struct ArrowSchema *s =
        w->arrow && l->column < w->given ? w->arrow->children[l->column] : NULL;
    const taco_field *f = &w->fields[l->column];
    const uint32_t   *path = l->path;
    uint32_t          i;
    while (s && f->child_count) {
        i = f->type == TACO_STRUCT ? *path++ : 0;
        s = s->children[i];
        if (f->type == TACO_MAP) { /* its entries are the repeated group itself */
            f = &f->children[0];
            i = *path++;
            s = s->children[i];
        }
        f = &f->children[i];
    }
    return s;
}
TACO__FN bool taco__write_options_set_leaf(taco_pq_writer *w, taco__leaf_writer *l)
{
    const taco_pq_column_options *c = NULL;
    const taco_pq_write_options  *o = &w->opt;
    const char                   *name = w->fields[l->column].name;
    taco_codec                    codec = o->codec ? o->codec : TACO_CODEC_NONE;
    size_t                        i;
    const struct ArrowSchema     *arrow = taco__write_options_arrow_leaf(w, l);
    l->coded = arrow && arrow->dictionary && o->arrow_schema != TACO_HINT_NEVER;
    l->wish = o->encoding;
    if (taco__write_options_encoding(l, o->encoding) < 0 ||
        (l->coded && o->encoding > TACO_ENCODING_DICTIONARY)) {
        l->wish = TACO_ENCODING_AUTO;
    }
    for (i = 0; i < o->column_count; i++) {
        c = strcmp(o->columns[i].name, name) == 0 ? &o->columns[i] : c;
    }
    if (c && c->encoding != TACO_ENCODING_AUTO) {
        taco_bytes text = taco__bytes_text(name);
        if (taco__write_options_encoding(l, c->encoding) < 0) {
            TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "column %q cannot have encoding number %d", &text, TACO__D(c->encoding));
            return false;
        }
        l->wish = c->encoding;
    }
    l->level = c && c->codec ? c->level : o->level;
    l->bloom =
        (o->bloom || (c && c->bloom)) && l->type != TACO__PQ_BOOLEAN && l->field->type != TACO_NULL;
    l->stats = !o->no_statistics && !(c && c->no_statistics);
    l->index = l->stats && !o->no_page_index;
    return taco__write_options_set_codec(w, l, c && c->codec ? c->codec : codec);
}
TACO__FN bool taco__write_options_check_names(taco_pq_writer *w)
{
    size_t i, k;
    for (i = 0; i < w->opt.column_count; i++) {
        taco_bytes name = taco__bytes_text(w->opt.columns[i].name);
        for (k = 0; k < w->field_count; k++) {
            if (name.data && strcmp(w->fields[k].name, w->opt.columns[i].name) == 0) {
                break;
            }
        }
        if (k == w->field_count) {
            TACO__FAIL(&w->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                       "options for column %q, which is not there", &name);
            return false;
        }
    }
    return true;
}
/* The gear table: 256 numbers out of a generator that has seen no values (splitmix64 from zero). */
TACO__FN void taco__write_options_init_gear(taco_pq_writer *w)
{
    uint64_t state = 0, x, span = w->opt.chunk_max - w->opt.chunk_min;
    unsigned i, bits = span > 1 ? 62 - taco__plat_clz64(span) : 1;
    for (i = 0; i < 256; i++) {
        state += UINT64_C(0x9E3779B97F4A7C15);
        x = (state ^ (state >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
        x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
        w->gear[i] = x ^ (x >> 31);
    }
    bits = TACO__MIN(TACO__MAX(bits, 1U), 40U);
    w->cut_mask = UINT64_MAX << (64 - bits);
}
TACO__FN bool taco__write_options_apply(taco_pq_writer *w)
{
    taco_pq_write_options *o = &w->opt;
    size_t                 i;
    o->row_group_rows = o->row_group_rows ? o->row_group_rows : 65536;
    o->page_rows = o->page_rows ? o->page_rows : 20000;
    o->page_bytes = o->page_bytes ? o->page_bytes : (size_t)1 << 20;
    o->dictionary_bytes = o->dictionary_bytes ? o->dictionary_bytes : (size_t)1 << 20;
    o->chunk_min = o->chunk_min ? o->chunk_min : (size_t)256 << 10;
    o->chunk_max = o->chunk_max ? o->chunk_max : (size_t)1 << 20;
    if (o->chunk_min > o->chunk_max || o->dictionary_bytes > INT32_MAX) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   o->dictionary_bytes > INT32_MAX ? "dictionary_bytes is larger than 2^31 - 1"
                                                   : "chunk_min is larger than chunk_max");
        return false;
    }
    if (o->content_defined) {
        taco__write_options_init_gear(w);
    }
    for (i = 0; i < w->leaf_count; i++) {
        if (!taco__write_options_set_leaf(w, &w->leaves[i])) {
            return false;
        }
    }
    return taco__write_options_check_names(w);
}

/* ---- key-value metadata ------------------------------------------------------------------------------ */

TACO__FN bool taco__key_values_add(taco_pq_writer *w, taco_bytes key, taco_bytes value)
{
    taco__thrift_writer t;
    taco__thrift_write_init(&t, &w->keys, &w->err);
    taco__thrift_write_binary(&t, 1, key);
    if (value.data) {
        taco__thrift_write_binary(&t, 2, value);
    }
    w->key_count++;
    return taco__thrift_write_end(&t);
}
TACO__FN bool taco__key_values_append_json(taco__buf *out, const char *s, taco_error *err)
{
    bool good = taco__buf_append_char(out, '"', err);
    for (; good && *s; s++) {
        if ((uint8_t)*s < 0x20) {
            char text[8] = "\\u00";
            text[4] = "0123456789abcdef"[(uint8_t)*s >> 4];
            text[5] = "0123456789abcdef"[*s & 15];
            text[6] = 0;
            good = taco__buf_append_text(out, text, err);
        } else {
            good = (*s != '"' && *s != '\\') || taco__buf_append_char(out, '\\', err);
            good = good && taco__buf_append_char(out, *s, err);
        }
    }
    return good && taco__buf_append_char(out, '"', err);
}
/* True where a type would come back from Parquet as another one in Arrow, or with less said of it. */
TACO__FN bool taco__key_values_format_needs_hint(const struct ArrowSchema *s)
{
    const char *p = s->format, *m = s->metadata;
    int64_t     i;
    bool        need = s->dictionary || (m && taco__arrow_read_count(&m) > 0);
    switch (p[0]) {
    case 'U':
    case 'Z':
    case 'v': need = true; break;
    case 'd': {
        const char *comma = strchr(p, ','), *bits = comma ? strchr(comma + 1, ',') : NULL;
        const char *digits = p + 2;
        need =
            need || (bits && (strcmp(bits, ",256") != 0 || taco__ipc_parse_number(&digits) <= 38));
        break;
    }
    case 't':
        need = need || p[1] == 'D' || p[1] == 'i' || p[2] == 's' || (p[1] == 'd' && p[2] == 'm') ||
               (p[1] == 's' && p[3] == ':' && p[4] && strcmp(p + 4, "UTC") != 0);
        break;
    case '+': need = need || p[1] == 'L' || p[1] == 'w'; break;
    default: break;
    }
    for (i = 0; !need && i < s->n_children; i++) {
        need = taco__key_values_format_needs_hint(s->children[i]);
    }
    return need;
}
/* The same of our own fields. */
TACO__FN bool taco__key_values_field_needs_hint(const taco_field *f)
{
    uint32_t i;
    bool     need = f->type == TACO_UUID ||
                (f->type == TACO_DECIMAL && f->width == 32 && f->precision <= 38) ||
                ((f->type == TACO_TIME || f->type == TACO_TIMESTAMP) && f->unit == TACO_SECOND);
    for (i = 0; !need && i < f->child_count; i++) {
        need = taco__key_values_field_needs_hint(&f->children[i]);
    }
    return need;
}
/* Appends base64, RFC 4648 section 4. */
TACO__FN bool taco__key_values_append_base64(taco__buf *out, taco_bytes b, taco_error *err)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t            i, k;
    for (i = 0; i < b.len; i += 3) {
        char     text[4];
        uint32_t x = (uint32_t)b.data[i] << 16;
        x |= i + 1 < b.len ? (uint32_t)b.data[i + 1] << 8 : 0;
        x |= i + 2 < b.len ? b.data[i + 2] : 0;
        for (k = 0; k < 4; k++) {
            text[k] = i + k <= b.len ? digits[x >> (18 - 6 * k) & 63] : '=';
        }
        if (!taco__buf_append(out, text, 4, err)) {
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__key_values_has_key(const taco_pq_writer *w, taco_bytes key)
{
    size_t i;
    for (i = 0; i < w->opt.key_count; i++) {
        if (taco__bytes_equal(key, taco__bytes_text(w->opt.keys[i].key))) {
            return true;
        }
    }
    return false;
}
/* "ARROW:schema": the message of the schema as text. */
TACO__FN bool taco__key_values_add_arrow_schema(taco_pq_writer *w)
{
    size_t i;
    bool   need = w->opt.arrow_schema == TACO_HINT_ALWAYS;
    for (i = 0; !need && !w->arrow && i < w->field_count; i++) {
        need = taco__key_values_field_needs_hint(&w->fields[i]);
    }
    need = need || (w->arrow && taco__key_values_format_needs_hint(w->arrow));
    if (!need || w->opt.arrow_schema == TACO_HINT_NEVER ||
        taco__key_values_has_key(w, taco__bytes_text("ARROW:schema"))) {
        return true;
    }
    w->body.len = w->trial.len = 0;
    return (w->arrow
                ? taco__ipc_arrow_schema(&w->body, w->arrow, w->fields + w->given,
                                         w->field_count - w->given, &w->err)
                : taco__ipc_schema(&w->body, w->fields, w->field_count, false, false, &w->err)) &&
           taco__key_values_append_base64(&w->trial, taco__bytes_of(w->body.data, w->body.len),
                                          &w->err) &&
           taco__key_values_add(w, taco__bytes_text("ARROW:schema"),
                                taco__bytes_of(w->trial.data, w->trial.len));
}
/* Key-value metadata of the stream, where the caller has not the same key. */
TACO__FN bool taco__key_values_add_stream_keys(taco_pq_writer *w)
{
    const char *p = w->arrow ? w->arrow->metadata : NULL;
    int32_t     n = p ? taco__arrow_read_count(&p) : 0;
    taco_bytes  key, value;
    while (taco__arrow_next_pair(&p, &n, &key, &value)) {
        if (!taco__key_values_has_key(w, key) &&
            !taco__bytes_equal(key, taco__bytes_text("ARROW:schema")) &&
            !taco__key_values_add(w, key, value)) {
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__geo_column_append_covering(taco_pq_writer *w, const char *covering,
                                               taco__buf *out)
{
    uint32_t i;
    bool     good = taco__buf_append_text(out, ",\"covering\":{\"bbox\":{", &w->err);
    for (i = 0; good && i < 4; i++) {
        good = taco__buf_append_text(out, i ? ",\"" : "\"", &w->err) &&
               taco__buf_append_text(out, taco__geo_column_side_names[i], &w->err) &&
               taco__buf_append_text(out, "\":[", &w->err) &&
               taco__key_values_append_json(out, covering, &w->err) &&
               taco__buf_append_text(out, ",\"", &w->err) &&
               taco__buf_append_text(out, taco__geo_column_side_names[i], &w->err) &&
               taco__buf_append_text(out, "\"]", &w->err);
    }
    return good && taco__buf_append_text(out, "}}", &w->err);
}
/* geometry_types and bbox of GeoParquet 1.1; an empty list of types says that they are not known. */
TACO__FN bool taco__geo_column_append_extent(const taco__geo_column *g, taco__buf *out,
                                             taco_error *err)
{
    static const char *const names[] = {
        "Point",           "LineString",   "Polygon",           "MultiPoint",
        "MultiLineString", "MultiPolygon", "GeometryCollection"};
    const taco__wkb_summary *s = &g->sum;
    uint32_t                 types = s->odd ? 0 : s->types;
    size_t                   i, k, sides = s->types >> 16 ? 3 : 2;
    bool good = taco__buf_append_text(out, ",\"geometry_types\":[", err), first = true;
    char text[32];
    for (i = 0; good && i < 14; i++) {
        if (types >> (i % 7 + 1 + i / 7 * 16) & 1) {
            good = taco__buf_append_text(out, first ? "\"" : ",\"", err) &&
                   taco__buf_append_text(out, names[i % 7], err) &&
                   taco__buf_append_text(out, i < 7 ? "\"" : " Z\"", err);
            first = false;
        }
    }
    good = good && taco__buf_append_char(out, ']', err);
    for (k = 0; k < sides; k++) {
        types = s->min[k] <= s->max[k] ? types : 0;
    }
    if (!good || types == 0 || g->spherical) { /* edges of great circles reach beyond their ends */
        return good;
    }
    good = taco__buf_append_text(out, ",\"bbox\":[", err);
    for (i = 0; good && i < 2 * sides; i++) {
        double x = i < sides ? s->min[i] : s->max[i - sides];
        good = (i == 0 || taco__buf_append_char(out, ',', err)) &&
               taco__buf_append(out, text, taco__num_format_f64(text, x), err);
    }
    return good && taco__buf_append_char(out, ']', err);
}
/* The "geo" key of GeoParquet 1.1. */
TACO__FN bool taco__geo_column_write_key(taco_pq_writer *w)
{
    taco__buf  *out = &w->body;
    taco_error *err = &w->err;
    size_t      i;
    bool        good = true;
    out->len = 0;
    for (i = 0; good && i < w->geo_count; i++) {
        const taco__geo_column *g = &w->geo[i];
        if (i == 0) {
            good = taco__buf_append_text(out, "{\"version\":\"1.1.0\",\"primary_column\":", err) &&
                   taco__key_values_append_json(out, g->name, err) &&
                   taco__buf_append_text(out, ",\"columns\":{", err);
        }
        good = good && (i == 0 || taco__buf_append_char(out, ',', err)) &&
               taco__key_values_append_json(out, g->name, err) &&
               taco__buf_append_text(out, ":{\"encoding\":\"WKB\"", err) &&
               taco__geo_column_append_extent(g, out, err) &&
               (!g->crs || (taco__buf_append_text(out, ",\"crs\":", err) &&
                            taco__buf_append_text(out, g->crs, err))) &&
               (!g->spherical || taco__buf_append_text(out, ",\"edges\":\"spherical\"", err)) &&
               (!g->covering || taco__geo_column_append_covering(w, g->covering, out)) &&
               taco__buf_append_char(out, '}', err);
    }
    return good &&
           (w->geo_count == 0 || (taco__buf_append_text(out, "}}", err) &&
                                  taco__key_values_add(w, taco__bytes_text("geo"),
                                                       taco__bytes_of(out->data, out->len))));
}
TACO__FN bool taco__key_values_write(taco_pq_writer *w)
{
    size_t i;
    for (i = 0; i < w->opt.key_count; i++) {
        const taco_pq_key *k = &w->opt.keys[i];
        if (!taco__key_values_add(w, taco__bytes_text(k->key), taco__bytes_text(k->value))) {
            return false;
        }
    }
    return taco__key_values_add_stream_keys(w) && taco__key_values_add_arrow_schema(w);
}
