/* parquet_write.h - what the folder offers to the others. */
#ifndef TACO__PARQUET_WRITE_H
#define TACO__PARQUET_WRITE_H

#include "../api/taco_parquet_write.h"
#include "../base/base.h"
#include "../codec/encode.h"
#include "../parquet/parquet.h"

typedef enum taco__import_kind {
    TACO__IMPORT_NONE, /* NULL: no buffers */
    TACO__IMPORT_BITS,
    TACO__IMPORT_FIXED, /* values stay as they are */
    TACO__IMPORT_DECIMAL,
    TACO__IMPORT_DATE64,
    TACO__IMPORT_MONTHS,
    TACO__IMPORT_DAYS,  /* and milliseconds */
    TACO__IMPORT_MIXED, /* months, days, nanoseconds */
    TACO__IMPORT_TEXT,
    TACO__IMPORT_VIEW,
    TACO__IMPORT_LIST,
    TACO__IMPORT_FIXED_LIST,
    TACO__IMPORT_STRUCT
} taco__import_kind;

/* A field of the stream and the buffers of its array. */
typedef struct taco__import_node {
    taco_field *field;
    taco__import_kind kind;
    size_t width;   /* bytes of a value, an offset or an index there */
    bool is_signed; /* of indices */
    bool nested;    /* rows may lie below a null and be anything */
    int32_t items;  /* FIXED_LIST */
    struct taco__import_node *children;
    taco_array *arrays;                   /* of the children */
    struct taco__import_node *dictionary; /* of the values; this node has the indices then */
    /* whose values are in `values_of`, as long as `turn` is that of the import */
    const struct ArrowArray *known;
    uint64_t turn;
    taco_array values_of;
    taco__buf validity, offsets, values;
} taco__import_node;

struct taco_import {
    taco__mem mem;
    taco__arena arena;
    taco_error err;
    taco_limits limits;
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray array; /* the rows at hand */
    uint64_t turn;           /* counts arrays */
    uint64_t at, rows;       /* of the array; of the stream so far */
    taco__import_node root;
    uint64_t leaves;
    bool ended, large; /* large: a batch of fewer rows may do */
};

#define TACO__THRIFT_WRITE_DEPTH 16 /* what is written here nests six deep */

/* A writer of structures. The first failure stays in `bad`, and err says what it was. */
typedef struct taco__thrift_writer {
    taco__buf *out;
    taco_error *err;
    bool bad;
    unsigned depth;
    int16_t last[TACO__THRIFT_WRITE_DEPTH]; /* number of the last field, per open structure */
} taco__thrift_writer;

/* What a leaf column is made of: one entry per value, null or empty list. */
typedef struct taco__levels {
    taco__mem *mem;
    taco__buf def, rep, index;    /* int16, int16, uint32: the entries */
    taco__buf def2, rep2, index2; /* while a list unfolds */
    /* after taco__levels_make index holds `values` positions in `leaf` */
    size_t entries, values;
    const taco_array *leaf;
    int16_t max_def, max_rep;
} taco__levels;

/* What is known of the geometries of a column. */
typedef struct taco__wkb_summary {
    uint32_t types;        /* bit 1 .. 7: of the type; 16 higher: with Z */
    bool odd;              /* some were no WKB, have M, or a coordinate that is infinite */
    double min[3], max[3]; /* of finite coordinates; min > max: none */
} taco__wkb_summary;

#define TACO__PQ_WRITER_TRIAL 4096 /* values by which an encoding is chosen */
#define TACO__PQ_WRITER_BOUND 64   /* bytes of text and binary bounds; longer ones are cut */
#define TACO__PQ_WRITER_LONGEST_BOUND                                                              \
    4096 /* a bound that cannot be cut is left out when it is longer */
#define TACO__PQ_WRITER_BLOOM 134217728 /* bytes of a bloom filter at most */

typedef struct taco__page_record {
    uint64_t offset; /* in the chunk's data pages */
    uint32_t size;   /* with its header */
    uint64_t first_row;
    int64_t nulls, nans, unencoded; /* unencoded: bytes of byte arrays */
    bool all_null, bounded;
    size_t min_at, min_len, max_at, max_len; /* in bounds */
} taco__page_record;

/* What the footer needs of a chunk that was written. */
typedef struct taco__chunk_record {
    size_t meta_at, meta_len;     /* ColumnMetaData, in the writer's metas */
    size_t column_at, column_len; /* indexes, in the writer's indexes */
    size_t offset_at, offset_len;
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
    uint32_t column;
    uint32_t *path;    /* for taco__levels_make */
    taco_bytes *names; /* path_in_schema */
    size_t name_count;
    int32_t type, type_length;
    size_t width; /* bytes of a PLAIN value; 1 for BOOLEAN, 0 for byte arrays */
    taco__stats_order rank;
    taco_encoding wish;
    int32_t codec;
    int level;
    bool bloom, stats, index;
    /* dictionary-encoded in Arrow, too: pyarrow reads that from dictionaries and PLAIN only */
    bool coded;
    int16_t max_def, max_rep;

    /* Values and levels not yet in a page. Those before `entry` and `value` belong to the page in
       the making. */
    taco__buf values, offsets, def, rep;
    size_t count, entries;
    size_t entry, value;
    size_t page_rows, page_bytes;
    uint64_t hash; /* of the values' content */
    bool cut;      /* the hash asked for an end of the page */

    /* encoded pages; taco__page_record each; their min and max */
    taco__buf pages, records, bounds;
    size_t page_count;
    taco__dictionary_mode mode;
    int32_t direct; /* encoding of pages without dictionary */
    taco__buf dict, dict_offsets, slots, indices;
    size_t dict_count, slot_count;
    taco__buf hashes; /* uint64 of every value, for the bloom filter */
    taco__buf min, max;
    bool bounded, unbounded; /* some value has bounds; some page has values without */
    uint64_t rows, num_values, plain_bytes;
    int64_t nulls, nans, unencoded;
    /* int64: entries by repetition level, then by definition level, of each page */
    taco__buf levels;
    uint32_t used[10], dict_pages, direct_pages; /* data pages by encoding */
} taco__leaf_writer;

/* A geometry column. */
typedef struct taco__geo_column {
    size_t column;
    const char *name, *crs, *covering;
    bool spherical;
    size_t made; /* the covering's column when it is made here, else 0 */
    taco__wkb_summary sum;
    taco__buf box[4], validity; /* xmin, ymin, xmax, ymax of the rows at hand */
    taco_array side[4], array;
} taco__geo_column;

struct taco_pq_writer {
    taco__mem mem;
    taco__arena arena;
    taco_error err;
    taco_sink sink;
    taco_pq_write_options opt; /* its pointers are the caller's, until taco_pq_write returns */
    const struct ArrowSchema *arrow; /* of the stream; as long, too */
    taco_field *fields;
    size_t given, field_count; /* columns of the caller, and those of coverings behind them */
    taco__geo_column *geo;
    size_t geo_count;
    taco__leaf_writer *leaves;
    size_t leaf_count;
    taco__levels levels;
    taco__buf body, packed, best, trial, lengths;
    uint64_t offset;
    uint64_t group_rows, rows;
    taco__buf schema, keys; /* parts of the footer */
    uint32_t schema_count, key_count;
    taco__buf metas, indexes, chunks, groups;
    uint64_t gear[256];
    uint64_t cut_mask;
    taco__zstd_encoder *zstd;
    taco__snappy_encoder *snappy;
    taco__lz4_encoder *lz4;
    taco__deflater *gzip;
    int zstd_level;
};

/* ---- codecs: one line each
   -------------------------------------------------------------------------- */

typedef bool (*taco__compress_encoder)(void *ctx, taco_bytes src, taco__buf *dst, int level,
                                       taco_error *err);

typedef struct taco__compress_codec {
    taco_codec codec;
    int32_t number; /* CompressionCodec */
    const char *name;
    taco__compress_encoder encode; /* NULL: not in this build */
} taco__compress_codec;

/* a page before its header is made */
typedef struct taco__page_body {
    int32_t type, encoding;
    size_t entries, nulls, rows;
    size_t rep_len, def_len, plain; /* plain: of the whole body, uncompressed */
    bool compressed;
} taco__page_body;

/* ---- stream_import.c ---- */

TACO__FN taco_status taco__import_close(taco_import *in, taco_error *err);
TACO__FN taco_import *taco__import_open(struct ArrowArrayStream *stream, const taco_options *opt,
                                        taco_error *err);
TACO__FN bool taco__import_next(taco_import *in, taco_batch *out);

/* ---- import_schema.c ---- */

TACO__FN bool taco__import_schema_fail(taco_import *in, const struct ArrowSchema *s,
                                       const char *what);
TACO__FN void taco__import_schema_init_field(taco_import *in, taco__import_node *k);
TACO__FN bool taco__import_schema_field(taco_import *in, taco__import_node *k,
                                        const struct ArrowSchema *s, uint32_t depth);

/* ---- import_array.c ---- */

TACO__FN bool taco__import_array_fail(taco_import *in, const taco__import_node *k, const char *what,
                                      uint64_t found, uint64_t allowed);
TACO__FN bool taco__import_array(taco_import *in, taco__import_node *k, const struct ArrowArray *a,
                                 uint64_t first, size_t n, taco_array *out);

/* ---- thrift_write.c ---- */

TACO__FN void taco__thrift_write_init(taco__thrift_writer *w, taco__buf *out, taco_error *err);
TACO__FN void taco__thrift_write_raw(taco__thrift_writer *w, const void *data, size_t len);
TACO__FN void taco__thrift_write_u8(taco__thrift_writer *w, unsigned x);
TACO__FN void taco__thrift_write_number(taco__thrift_writer *w, int64_t x);
TACO__FN void taco__thrift_write_bytes(taco__thrift_writer *w, taco_bytes b);
TACO__FN void taco__thrift_write_field(taco__thrift_writer *w, int16_t id, unsigned type);
TACO__FN void taco__thrift_write_i32(taco__thrift_writer *w, int16_t id, int32_t x);
TACO__FN void taco__thrift_write_i64(taco__thrift_writer *w, int16_t id, int64_t x);
TACO__FN void taco__thrift_write_bool(taco__thrift_writer *w, int16_t id, bool x);
TACO__FN void taco__thrift_write_binary(taco__thrift_writer *w, int16_t id, taco_bytes b);
TACO__FN void taco__thrift_write_list(taco__thrift_writer *w, int16_t id, unsigned type, size_t n);
TACO__FN void taco__thrift_write_begin_item(taco__thrift_writer *w);
TACO__FN void taco__thrift_write_begin(taco__thrift_writer *w, int16_t id);
TACO__FN bool taco__thrift_write_end(taco__thrift_writer *w);
TACO__FN void taco__thrift_write_empty(taco__thrift_writer *w, int16_t id);

/* ---- encode.c ---- */

TACO__FN bool taco__encode_levels(taco__buf *out, const int16_t *levels, size_t n, int16_t max,
                                  taco_error *err);
TACO__FN bool taco__encode_indices(taco__buf *out, const uint32_t *v, size_t n, size_t entries,
                                   taco_error *err);
TACO__FN bool taco__encode_bools_rle(taco__buf *out, const uint8_t *v, size_t n, taco_error *err);
TACO__FN bool taco__encode_bools(taco__buf *out, const uint8_t *v, size_t n, taco_error *err);
TACO__FN bool taco__encode_delta(taco__buf *out, const uint8_t *v, size_t width, size_t n,
                                 taco_error *err);
TACO__FN bool taco__encode_byte_arrays(taco__buf *out, const uint8_t *bytes,
                                       const uint32_t *offsets, size_t n, taco_error *err);
TACO__FN bool taco__encode_delta_length(taco__buf *out, const uint8_t *bytes,
                                        const uint32_t *offsets, size_t n, uint8_t *lengths,
                                        taco_error *err);
TACO__FN bool taco__encode_delta_strings(taco__buf *out, const uint8_t *bytes,
                                         const uint32_t *offsets, size_t width, size_t n,
                                         uint8_t *lengths, taco_error *err);
TACO__FN bool taco__encode_byte_stream_split(taco__buf *out, const uint8_t *v, size_t width,
                                             size_t n, taco_error *err);

/* ---- levels.c ---- */

TACO__FN void taco__levels_init(taco__levels *l, taco__mem *mem);
TACO__FN void taco__levels_free(taco__levels *l);
TACO__FN bool taco__levels_make(taco__levels *l, const taco_array *a, const uint32_t *path,
                                size_t first, size_t n, taco_error *err);

/* ---- wkb_bounds.c ---- */

TACO__FN void taco__wkb_summary_init(taco__wkb_summary *s);
TACO__FN bool taco__wkb_summary_add(taco__wkb_summary *s, taco_bytes b, double box[4]);

/* ---- file_writer.c ---- */

TACO__FN bool taco__pq_writer_write(taco_pq_writer *w, const void *data, size_t len);

/* ---- compress.c ---- */

TACO__FN bool taco__compress_zstd(void *ctx, taco_bytes src, taco__buf *dst, int level,
                                  taco_error *err);
TACO__FN bool taco__compress_snappy(void *ctx, taco_bytes src, taco__buf *dst, int level,
                                    taco_error *err);
TACO__FN bool taco__compress_lz4(void *ctx, taco_bytes src, taco__buf *dst, int level,
                                 taco_error *err);
TACO__FN bool taco__compress_gzip(void *ctx, taco_bytes src, taco__buf *dst, int level,
                                  taco_error *err);
TACO__FN bool taco__compress_append(taco_pq_writer *w, const taco__leaf_writer *l, taco_bytes src,
                                    taco__buf *out);

/* ---- schema_write.c ---- */

TACO__FN taco_field *taco__schema_write_copy_fields(taco_pq_writer *w, const taco_field *f,
                                                    size_t n, uint32_t depth);
TACO__FN bool taco__schema_write(taco_pq_writer *w);

/* ---- geo_columns.c ---- */

TACO__FN bool taco__geo_column_init_all(taco_pq_writer *w);
TACO__FN bool taco__geo_column_write_key(taco_pq_writer *w);
TACO__FN bool taco__geo_column_add_rows(taco_pq_writer *w, taco__geo_column *g, const taco_array *a,
                                        size_t first, size_t n);
TACO__FN const taco_array *taco__geo_column_made_array(const taco_pq_writer *w, size_t column);

/* ---- write_options.c ---- */

TACO__FN int32_t taco__write_options_encoding(const taco__leaf_writer *l, taco_encoding wish);
TACO__FN bool taco__write_options_apply(taco_pq_writer *w);

/* ---- key_values.c ---- */

TACO__FN bool taco__key_values_add(taco_pq_writer *w, taco_bytes key, taco_bytes value);
TACO__FN bool taco__key_values_append_json(taco__buf *out, const char *s, taco_error *err);
TACO__FN bool taco__key_values_write(taco_pq_writer *w);

/* ---- array_values.c ---- */

TACO__FN bool taco__array_values_append(taco__leaf_writer *l, const taco_array *a, uint32_t *index,
                                        size_t n, taco_error *err);

/* ---- value_bounds.c ---- */

TACO__FN bool taco__value_bounds_add_page(taco__leaf_writer *l, size_t at, size_t n,
                                          taco__page_record *p, taco_error *err);
TACO__FN bool taco__value_bounds_write(taco_pq_writer *w, taco__leaf_writer *l,
                                       taco__thrift_writer *t, int16_t id);

/* ---- dictionary_builder.c ---- */

TACO__FN bool taco__dict_builder_add_values(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                            size_t n, bool *fits);
TACO__FN bool taco__dict_builder_append_plain(const taco__leaf_writer *l, taco__buf *out,
                                              taco_error *err);

/* ---- encoding_choice.c ---- */

TACO__FN bool taco__encoding_choice_encode(taco_pq_writer *w, taco__leaf_writer *l,
                                           int32_t encoding, size_t at, size_t n, taco__buf *out);
TACO__FN bool taco__encoding_choice_choose_direct(taco_pq_writer *w, taco__leaf_writer *l,
                                                  size_t at, size_t n);
TACO__FN bool taco__encoding_choice_choose(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                           size_t n);

/* ---- page_writer.c ---- */

TACO__FN bool taco__page_writer_append_page(taco_pq_writer *w, const taco__page_body *b,
                                            taco__buf *out);
TACO__FN bool taco__page_writer_compress(taco_pq_writer *w, const taco__leaf_writer *l,
                                         taco__page_body *b);
TACO__FN bool taco__page_writer_end_full_pages(taco_pq_writer *w, taco__leaf_writer *l, bool last);
TACO__FN bool taco__page_writer_add_rows(taco_pq_writer *w, taco__leaf_writer *l,
                                         const taco_array *a, size_t first, size_t n);

/* ---- chunk_writer.c ---- */

TACO__FN bool taco__chunk_writer_end_chunk(taco_pq_writer *w, taco__leaf_writer *l,
                                           taco__group_record *g);
TACO__FN bool taco__chunk_writer_metadata_position(taco_pq_writer *w, const taco__leaf_writer *l);

/* ---- page_index_write.c ---- */

TACO__FN void taco__page_index_write_histograms(const taco__leaf_writer *l, taco__thrift_writer *t,
                                                int16_t id, bool sum);
TACO__FN bool taco__page_index_write_column_index(taco_pq_writer *w, taco__leaf_writer *l);
TACO__FN bool taco__page_index_write_offset_index(taco_pq_writer *w, taco__leaf_writer *l,
                                                  uint64_t data);
TACO__FN bool taco__page_index_write_all(taco_pq_writer *w);

TACO__INLINE int16_t *taco__levels_values(const taco__buf *b)
{
    return (int16_t *)(void *)b->data;
}

TACO__INLINE uint32_t *taco__levels_indices(const taco__buf *b)
{
    return (uint32_t *)(void *)b->data;
}

static const taco__compress_codec taco__compress_codecs[] = {
    {TACO_CODEC_NONE, TACO__PQ_CODEC_NONE, "no codec", NULL},
    {TACO_CODEC_SNAPPY, TACO__PQ_CODEC_SNAPPY, "Snappy", taco__compress_snappy},
    {TACO_CODEC_GZIP, TACO__PQ_CODEC_GZIP, "gzip", taco__compress_gzip},
    {TACO_CODEC_ZSTD, TACO__PQ_CODEC_ZSTD, "ZSTD", taco__compress_zstd},
    {TACO_CODEC_LZ4, TACO__PQ_CODEC_LZ4_RAW, "LZ4_RAW", taco__compress_lz4},
};

/* Value i of the values at hand. */
TACO__INLINE taco_bytes taco__array_values_at(const taco__leaf_writer *l, size_t i)
{
    const uint32_t *offsets = (const uint32_t *)(const void *)l->offsets.data;
    return l->width ? taco__bytes_of(l->values.data + i * l->width, l->width)
                    : taco__bytes_of(l->values.data + offsets[i], offsets[i + 1] - offsets[i]);
}

/* Histograms are written where they say more than the counts of entries and nulls do. */
TACO__INLINE bool taco__page_writer_has_histograms(const taco__leaf_writer *l)
{
    return l->stats && (l->max_rep > 0 || l->max_def > 1);
}

#endif /* TACO__PARQUET_WRITE_H */
