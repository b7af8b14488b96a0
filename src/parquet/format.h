/* format.h - what a file says about itself: metadata, indexes, statistics

   The declarations of the files that read and print metadata; parquet.h includes this header and is
   what other folders include. Everything is parsed from Thrift's compact protocol by hand, field by
   field, and validated on the way: whoever holds a taco__pq_metadata, a page header or an index may
   rely on every number in it (offsets inside the file, counts that agree, levels that fit). What
   cannot be trusted but does no harm (statistics, indexes, bloom filters) is dropped or marked
   instead of refused.

   Slices (taco_bytes) point into the footer, page header or index they were parsed from, which must
   outlive them. Errors are CORRUPT at a byte of the file, or TRUNCATED where more bytes may
   help. */
#ifndef TACO__PARQUET_FORMAT_H
#define TACO__PARQUET_FORMAT_H

#include "../base/base.h"
#include "../arrow/arrow.h"

/* ---- thrift_read.c: structures of the compact protocol ---- */

/* The types a field header or a list header may name. A boolean field carries its value in its
   type; a boolean inside a list is a byte of its own. */
enum {
    TACO__THRIFT_TRUE = 1,
    TACO__THRIFT_FALSE = 2,
    TACO__THRIFT_I8 = 3,
    TACO__THRIFT_I16 = 4,
    TACO__THRIFT_I32 = 5,
    TACO__THRIFT_I64 = 6,
    TACO__THRIFT_DOUBLE = 7,
    TACO__THRIFT_BINARY = 8,
    TACO__THRIFT_LIST = 9,
    TACO__THRIFT_SET = 10,
    TACO__THRIFT_MAP = 11,
    TACO__THRIFT_STRUCT = 12,
    TACO__THRIFT_UUID = 13
};

/* A reader over bytes from an untrusted file. The first failure fills *err and stays in `status`;
   from then on every read yields zero and every loop over fields ends, so that a parser checks
   once, at its end. A structure is read like this:

       taco__thrift_field f;
       if (taco__thrift_begin_struct(t, type, &f)) {
           while (taco__thrift_next(t, &f)) {
               switch (f.id) {
               case 1: x = taco__thrift_i32(t, f.type); break;
               default: taco__thrift_skip(t, f.type); break;
               }
           }
       } */
typedef struct taco__thrift {
    taco__byte_reader cur;
    uint64_t base;      /* offset of the bytes in the file, for messages */
    const char *what;   /* "footer", "page header": names what ended too early */
    taco_error *err;    /* may be NULL */
    taco_status status; /* the first failure */
    /* `bytes` may be only a beginning: running out is TRUNCATED, not CORRUPT */
    bool partial;
    uint32_t depth; /* open structures and lists */
} taco__thrift;

/* The current field, between taco__thrift_next and its value. */
typedef struct taco__thrift_field {
    int16_t id;
    uint8_t type;
} taco__thrift_field;

/* Fails the reader with a CORRUPT at a byte of the file; false. */
#define TACO__THRIFT_FAIL(t, where, ...)                                                           \
    (TACO__FAIL((t)->err, TACO_ERR_CORRUPT, (where), __VA_ARGS__),                                 \
     taco__thrift_fail((t), TACO_ERR_CORRUPT))

/* `base` is the offset of `in` in the file; err may be NULL. */
TACO__FN void taco__thrift_init(taco__thrift *t, taco_bytes in, uint64_t base, const char *what,
                                bool partial, taco_error *err);
/* Fails the reader; false, so that callers can return it. The caller has filled err. */
TACO__FN TACO__COLD bool taco__thrift_fail(taco__thrift *t, taco_status status);
/* The same after a failed allocation, with the code it left in err; false. */
TACO__FN TACO__COLD bool taco__thrift_fail_memory(taco__thrift *t);
/* Fails because the current field has another type than expected; `want` names the expected one. */
TACO__FN TACO__COLD bool taco__thrift_fail_type(taco__thrift *t, unsigned type, const char *want);
/* True when a field of type `type` can be read as one of type `want`; integers of all widths are
   alike. */
TACO__FN bool taco__thrift_type_fits(unsigned type, unsigned want);
/* Begins a structure: zeroes *f and counts the level. Call taco__thrift_next until it returns
   false. _struct is for a field, whose type is checked first. */
TACO__FN bool taco__thrift_begin(taco__thrift *t, taco__thrift_field *f);
TACO__FN bool taco__thrift_begin_struct(taco__thrift *t, unsigned type, taco__thrift_field *f);
/* Moves to the next field and fills *f; false at the end of the structure, or on failure. The
   caller then reads or skips the value. Fields may come in any order. */
TACO__FN bool taco__thrift_next(taco__thrift *t, taco__thrift_field *f);
/* The value of the current field, whose type is `type`. An integer may be stored in any width. */
TACO__FN int64_t taco__thrift_i64(taco__thrift *t, unsigned type);
TACO__FN int32_t taco__thrift_i32(taco__thrift *t, unsigned type);
TACO__FN bool taco__thrift_bool(taco__thrift *t, unsigned type);
TACO__FN bool taco__thrift_bool_in_list(taco__thrift *t);
TACO__FN double taco__thrift_double(taco__thrift *t, unsigned type);
/* Bytes or text: a slice of the input. data is non-NULL even if the slice is empty, unless the
   reader failed. */
TACO__FN taco_bytes taco__thrift_binary(taco__thrift *t, unsigned type);
/* Begins a list or set: returns the number of items and their type. `least` is the fewest bytes an
   item can take; a count for which too few bytes are left is a failure, so that the result may size
   an allocation. _structs is for items that must be structures. */
TACO__FN size_t taco__thrift_begin_list(taco__thrift *t, unsigned type, size_t least,
                                        uint8_t *item);
TACO__FN size_t taco__thrift_begin_structs(taco__thrift *t, unsigned type, size_t least);
/* Skips the value of the current field. */
TACO__FN void taco__thrift_skip(taco__thrift *t, unsigned type);
/* n zeroed items from the arena, or NULL and a failed reader. */
TACO__FN TACO__NOINLINE void *taco__thrift_alloc(taco__thrift *t, taco__arena *arena, size_t n,
                                                 size_t size);
/* An integer that must not be negative; `name` is for the message. _count32 must also be below
   2^31. */
TACO__FN int64_t taco__thrift_count(taco__thrift *t, unsigned type, const char *name);
TACO__FN uint32_t taco__thrift_count32(taco__thrift *t, unsigned type, const char *name);

/* File offset of the next byte. */
TACO__INLINE uint64_t taco__thrift_at(const taco__thrift *t)
{
    return t->base + taco__byte_reader_position(&t->cur);
}

TACO__INLINE bool taco__thrift_ok(const taco__thrift *t)
{
    return t->status == TACO_OK;
}

/* ---- numbers of parquet.thrift ---- */

/* Type */
enum {
    TACO__PQ_GROUP = -1, /* not in the format: an element without a type */
    TACO__PQ_BOOLEAN = 0,
    TACO__PQ_INT32 = 1,
    TACO__PQ_INT64 = 2,
    TACO__PQ_INT96 = 3,
    TACO__PQ_FLOAT = 4,
    TACO__PQ_DOUBLE = 5,
    TACO__PQ_BYTE_ARRAY = 6,
    TACO__PQ_FIXED = 7
};

/* FieldRepetitionType */
enum { TACO__PQ_REQUIRED = 0, TACO__PQ_OPTIONAL = 1, TACO__PQ_REPEATED = 2 };

/* ConvertedType */
enum {
    TACO__PQ_CONVERTED_NONE = -1,
    TACO__PQ_CONVERTED_UTF8 = 0,
    TACO__PQ_CONVERTED_MAP = 1,
    TACO__PQ_CONVERTED_MAP_KEY_VALUE = 2,
    TACO__PQ_CONVERTED_LIST = 3,
    TACO__PQ_CONVERTED_ENUM = 4,
    TACO__PQ_CONVERTED_DECIMAL = 5,
    TACO__PQ_CONVERTED_DATE = 6,
    TACO__PQ_CONVERTED_TIME_MILLIS = 7,
    TACO__PQ_CONVERTED_TIME_MICROS = 8,
    TACO__PQ_CONVERTED_TIMESTAMP_MILLIS = 9,
    TACO__PQ_CONVERTED_TIMESTAMP_MICROS = 10,
    TACO__PQ_CONVERTED_UINT_8 = 11, /* 16, 32, 64 follow */
    TACO__PQ_CONVERTED_INT_8 = 15,  /* 16, 32, 64 follow */
    TACO__PQ_CONVERTED_JSON = 19,
    TACO__PQ_CONVERTED_BSON = 20,
    TACO__PQ_CONVERTED_INTERVAL = 21
};

/* members of the LogicalType union */
enum {
    TACO__PQ_LOGICAL_NONE = 0,
    TACO__PQ_LOGICAL_STRING = 1,
    TACO__PQ_LOGICAL_MAP = 2,
    TACO__PQ_LOGICAL_LIST = 3,
    TACO__PQ_LOGICAL_ENUM = 4,
    TACO__PQ_LOGICAL_DECIMAL = 5,
    TACO__PQ_LOGICAL_DATE = 6,
    TACO__PQ_LOGICAL_TIME = 7,
    TACO__PQ_LOGICAL_TIMESTAMP = 8,
    TACO__PQ_LOGICAL_INTERVAL = 9, /* reserved in the union; here for the converted type */
    TACO__PQ_LOGICAL_INTEGER = 10,
    TACO__PQ_LOGICAL_NULL = 11,
    TACO__PQ_LOGICAL_JSON = 12,
    TACO__PQ_LOGICAL_BSON = 13,
    TACO__PQ_LOGICAL_UUID = 14,
    TACO__PQ_LOGICAL_FLOAT16 = 15,
    TACO__PQ_LOGICAL_VARIANT = 16,
    TACO__PQ_LOGICAL_GEOMETRY = 17,
    TACO__PQ_LOGICAL_GEOGRAPHY = 18,
    TACO__PQ_LOGICAL_OTHER = 255 /* newer than this reader: only the physical type is used */
};

/* Encoding */
enum {
    TACO__PQ_ENC_PLAIN = 0,
    TACO__PQ_ENC_PLAIN_DICTIONARY = 2,
    TACO__PQ_ENC_RLE = 3,
    TACO__PQ_ENC_BIT_PACKED = 4,
    TACO__PQ_ENC_DELTA_BINARY_PACKED = 5,
    TACO__PQ_ENC_DELTA_LENGTH_BYTE_ARRAY = 6,
    TACO__PQ_ENC_DELTA_BYTE_ARRAY = 7,
    TACO__PQ_ENC_RLE_DICTIONARY = 8,
    TACO__PQ_ENC_BYTE_STREAM_SPLIT = 9,
    TACO__PQ_ENC_ALP = 10 /* not read */
};

/* CompressionCodec */
enum {
    TACO__PQ_CODEC_NONE = 0,
    TACO__PQ_CODEC_SNAPPY = 1,
    TACO__PQ_CODEC_GZIP = 2,
    TACO__PQ_CODEC_LZO = 3,
    TACO__PQ_CODEC_BROTLI = 4,
    TACO__PQ_CODEC_LZ4 = 5,
    TACO__PQ_CODEC_ZSTD = 6,
    TACO__PQ_CODEC_LZ4_RAW = 7
};

/* PageType */
enum {
    TACO__PQ_PAGE_DATA = 0,
    TACO__PQ_PAGE_INDEX = 1,
    TACO__PQ_PAGE_DICTIONARY = 2,
    TACO__PQ_PAGE_DATA_V2 = 3
};

/* members of the ColumnOrder union */
enum {
    TACO__PQ_ORDER_NONE = 0,
    TACO__PQ_ORDER_TYPE = 1,
    TACO__PQ_ORDER_IEEE754 = 2,
    TACO__PQ_ORDER_INT96 = 3,
    TACO__PQ_ORDER_OTHER = 255
};

/* ---- schema.c: columns and their types ---- */

/* SchemaElement, with its place in the tree. The list of elements is in depth-first order: the
   children of a group follow it, and `next` steps over a subtree. */
typedef struct taco__pq_schema_element {
    taco_bytes name;
    const char *text; /* the name, NUL-terminated */
    taco_bytes raw;   /* the structure as the footer has it, for a copy of the file */
    uint64_t at;      /* offset of the name in the file */
    int32_t type;     /* TACO__PQ_GROUP or a physical type */
    int32_t type_length;
    int32_t converted;
    int32_t scale, precision; /* as in the SchemaElement; those of the logical type are below */
    int32_t field_id;
    bool has_field_id;
    uint8_t repetition;
    uint8_t logical;
    bool is_signed, utc;              /* INTEGER; TIME, TIMESTAMP */
    uint8_t unit;                     /* TIME, TIMESTAMP: taco_unit; TACO_SECOND (0) if not known */
    int8_t bits;                      /* INTEGER */
    int32_t dec_scale, dec_precision; /* DECIMAL */
    taco_bytes crs;                   /* GEOMETRY, GEOGRAPHY */
    int32_t algorithm;                /* GEOGRAPHY; -1 = not given */
    uint32_t parent, child_count;     /* the root is its own parent */
    uint32_t unseen;                  /* children not met yet, while the tree is linked */
    uint32_t next;             /* first element after the subtree: the next sibling, if any */
    uint32_t leaf, leaf_count; /* leaves of the subtree */
    int16_t def, rep;          /* maximum levels, counting its own repetition */
} taco__pq_schema_element;

/* One per public field, in the same tree shape: what a reader needs to assemble the field from
   levels. */
typedef struct taco__pq_schema_node {
    const taco_field *field;
    const taco__pq_schema_element *element;
    const struct taco__pq_schema_node *children; /* field->child_count of them */
    uint32_t leaf, leaf_count;
    int16_t def;      /* definition level at which it is present and not null (leaf: maximum) */
    int16_t rep;      /* maximum repetition level of its slots */
    int16_t list_def; /* LIST, MAP: definition level at which there is an item */
    int16_t list_rep; /* LIST, MAP: repetition level of every item but the first */
    bool optional;
} taco__pq_schema_node;

/* A column in Parquet's sense: primitive values, at any depth. Column chunks belong to leaves. */
typedef struct taco__pq_leaf {
    const taco__pq_schema_element *element;
    const taco__pq_schema_node *node;
    taco_field *field;
    int32_t type;        /* physical */
    int32_t type_length; /* TACO__PQ_FIXED: > 0; else whatever the file says */
    int16_t max_def, max_rep;
    uint32_t column; /* the top-level field above it */
    uint8_t order;   /* TACO__PQ_ORDER_..., from column_orders */
} taco__pq_leaf;

/* Deepest nesting, whatever limits.max_depth says: fields are built recursively. */
#define TACO__SCHEMA_DEPTH_CAP 512

/* ---- metadata of chunks and row groups ---- */

/* Statistics as stored; taco__stats_bounds decides what to believe. */
typedef struct taco__pq_statistics {
    taco_bytes min, max;                           /* data NULL = not given */
    int64_t null_count, distinct_count, nan_count; /* -1 = not known */
    bool present;
    /* min and max come from the deprecated fields, which are always in signed order */
    bool deprecated;
    bool min_exact, max_exact;
    const char *denied; /* what the number of values denies; NULL: nothing */
} taco__pq_statistics;

/* GeospatialStatistics' BoundingBox; x may wrap the antimeridian (xmin > xmax). */
typedef struct taco__pq_geo_bounds {
    double xmin, xmax, ymin, ymax, zmin, zmax, mmin, mmax;
    bool has_z, has_m;
} taco__pq_geo_bounds;

struct taco__cached_chunk;

/* ColumnChunk and ColumnMetaData. Ranges are known to lie before the footer; len 0 = none. */
typedef struct taco__pq_column_chunk {
    uint64_t at; /* offset of its metadata in the file */
    /* Dictionary and data pages; empty when encrypted or external. Old parquet-mr leaves the
       dictionary's header out of the size (PARQUET-816): a reader that comes up short at the end
       looks up to 100 bytes further. */
    taco__range pages;
    int64_t num_values;         /* level entries, including nulls and empty lists */
    uint64_t uncompressed_size; /* as stored; only `pages` is validated */
    uint64_t compressed_size;
    int64_t data_offset, dictionary_offset, index_page_offset; /* as stored; -1 = none */
    taco__range column_index, offset_index;
    taco__range bloom; /* len UINT64_MAX: not given, read its header first */
    int64_t unencoded; /* bytes of BYTE_ARRAY values; -1 = not known */
    taco__pq_statistics stats;
    taco_bytes file_path;
    taco__pq_geo_bounds *geo; /* NULL = none */
    int32_t type;
    int32_t codec;      /* any number: the page reader refuses codecs it lacks */
    uint32_t encodings; /* bit e: encoding e is used; bit 31: some encoding above 30 */
    bool encrypted;     /* cannot be read; the rest of the file can */
    bool external;      /* its pages are in another file, named by file_path */
    bool dict_only;     /* known to have only data pages with a dictionary */
    bool has_meta;
    /* Its pages in the cache of the handle (page_cache.c); NULL until a scan has marked it. The
       only member that changes after the footer has been parsed. */
    struct taco__cached_chunk *cached;
} taco__pq_column_chunk;

typedef struct taco__pq_sorting_column {
    uint32_t leaf;
    bool descending, nulls_first;
} taco__pq_sorting_column;

typedef struct taco__pq_row_group {
    uint64_t at; /* offset of its metadata in the file */
    int64_t rows, first_row;
    uint64_t total_byte_size;
    int64_t file_offset, total_compressed_size, ordinal; /* as stored; -1 = not given */
    taco__pq_column_chunk *chunks;                       /* meta->leaf_count of them */
    taco__pq_sorting_column *sort;
    uint32_t sort_count;
} taco__pq_row_group;

/* FileMetaData */
typedef struct taco__pq_metadata {
    uint64_t file_size, footer_offset, footer_size;
    int32_t version;
    int64_t num_rows;     /* sum over the row groups */
    int64_t claimed_rows; /* num_rows of the footer, which some writers leave 0 */
    taco_bytes created_by;
    taco__pq_schema_element *elements;
    uint32_t element_count;
    taco_field *columns;         /* children of the schema's root */
    taco__pq_schema_node *nodes; /* one per column */
    uint32_t column_count;
    taco__pq_leaf *leaves;
    uint32_t leaf_count;
    taco__pq_row_group *groups;
    uint32_t group_count;
    taco__key_value *pairs; /* key-value metadata */
    uint32_t pair_count;
    taco_bytes signing_key; /* footer_signing_key_metadata */
    uint8_t encryption;     /* member of EncryptionAlgorithm; 0 = none */
    bool has_orders;        /* column_orders has an entry for each leaf */
    bool distrust_binary;   /* deprecated min/max of byte arrays are wrong: PARQUET-251 */
    bool distrust_decimal;  /* bounds of byte array decimals are wrong: PARQUET-1655 */
    bool always_compressed; /* is_compressed of v2 pages is wrong: ARROW-10353 */
} taco__pq_metadata;

/* State of the footer parser, shared by the files that parse it. */
typedef struct taco__footer_parser {
    taco__thrift t;
    taco__arena *arena;
    const taco_limits *limits; /* may be NULL */
    taco__pq_metadata *out;
    bool has_schema; /* leaves are known: row groups and orders can be parsed */
} taco__footer_parser;

/* ---- schema.c ---- */

/* The path of an element, "a.list.item", in `text`, cut to cap bytes. */
TACO__FN taco_bytes taco__schema_path(const taco__pq_metadata *m, const taco__pq_schema_element *e,
                                      char *text, size_t cap);
/* The annotation as one TACO__PQ_LOGICAL_...: the logical type wins over the converted type, which
   is translated. *a is the element with what the annotation implies (unit, bits, ...) filled in. */
TACO__FN unsigned taco__schema_annotation(const taco__pq_schema_element *e,
                                          taco__pq_schema_element *a);
/* FileMetaData.schema, a field of type `type`: elements, tree, types, leaves. */
TACO__FN bool taco__schema_parse(taco__footer_parser *j, unsigned type);

/* ---- schema_types.c ---- */

/* Sets type, unit, width, precision and scale of the field of a leaf: LogicalTypes.md. */
TACO__FN void taco__schema_types_set_leaf(taco_field *f, const taco__pq_schema_element *e);
/* Makes the field of a leaf annotated UNKNOWN, which has values, one of its physical type. */
TACO__FN void taco__schema_types_drop_unknown(taco_field *f, const taco__pq_schema_element *e);

/* ---- schema_nodes.c ---- */

/* Builds the n fields of group `i` and their nodes, with everything below them, and fills in the
   leaves. False with a failed reader. */
TACO__FN bool taco__schema_nodes_build(taco__footer_parser *j, uint32_t i,
                                       taco__pq_schema_node **nodes, taco_field **fields);

/* ---- column_metadata.c ---- */

/* Reads a ColumnChunk as stored; `leaf` is the one at its place in the row group. */
TACO__FN bool taco__column_meta_parse(taco__footer_parser *j, const taco__pq_leaf *leaf,
                                      taco__pq_column_chunk *c);
/* Validates it for a row group of `rows` rows: type, counts, byte ranges. Indexes with impossible
   ranges are dropped. */
TACO__FN bool taco__column_meta_check(taco__footer_parser *j, const taco__pq_leaf *leaf,
                                      int64_t rows, taco__pq_column_chunk *c);

/* ---- footer.c ---- */

/* Prefixes the message with "row group 3, column 'a.b'". */
TACO__FN TACO__COLD void taco__footer_prefix_error(const taco__pq_metadata *m, taco_error *err,
                                                   size_t group, size_t leaf);
/* Parses and validates a footer (the bytes between the last page and the footer's length) that
   begins at footer_offset of a file of file_size bytes. Everything in *out lives in the arena or in
   `footer`, which both must outlive it; on failure *out must not be used. Bytes after the
   FileMetaData (a signature) are ignored. limits may be NULL. */
TACO__FN taco_status taco__footer_parse(taco__arena *arena, taco_bytes footer, uint64_t file_size,
                                        uint64_t footer_offset, const taco_limits *limits,
                                        taco__pq_metadata *out, taco_error *err);
/* The row group that holds a row; group_count if none does. */
TACO__FN uint32_t taco__footer_find_row_group(const taco__pq_metadata *m, uint64_t row);

/* ---- page_header.c ---- */

/* PageHeader, with the part for its type. Of an index page, or a page of unknown type, only sizes
   and CRC are set. */
typedef struct taco__pq_page_header {
    /* TACO__PQ_PAGE_...; the reader skips all others */
    int32_t type;
    uint32_t uncompressed_size, compressed_size; /* sizes of the body, < 2^31 */
    uint32_t crc;
    bool has_crc;
    bool is_compressed; /* v2: of the values; else true */
    bool is_sorted;     /* dictionary entries are sorted */
    int32_t encoding, def_encoding, rep_encoding;
    uint32_t num_values;          /* level entries, or dictionary entries */
    uint32_t num_nulls, num_rows; /* v2: <= num_values */
    uint32_t def_len, rep_len;    /* v2: their sum is <= both sizes */
    taco__pq_statistics stats;
} taco__pq_page_header;

/* Parses the page header at the beginning of `in`, which is at file_offset, and returns its length.
   TRUNCATED: the header runs past `in`, more bytes may help. CORRUPT: they will not. */
TACO__FN taco_status taco__page_header_parse(taco_bytes in, uint64_t file_offset,
                                             taco__pq_page_header *out, size_t *header_len,
                                             taco_error *err);

/* ---- statistics.c ---- */

/* How the values of a leaf compare. */
typedef enum taco__stats_order {
    TACO__STATS_UNORDERED,
    TACO__STATS_SIGNED, /* integers, including BOOLEAN */
    TACO__STATS_UNSIGNED,
    TACO__STATS_FLOATS,  /* HALF, FLOAT, DOUBLE */
    TACO__STATS_BYTES,   /* unsigned bytewise */
    TACO__STATS_DECIMALS /* big-endian two's complement, any length */
} taco__stats_order;

/* Bounds of the non-null values of a chunk or page, as PLAIN-encoded slices (byte arrays without
   their length). */
typedef struct taco__pq_bounds {
    taco_bytes min, max; /* data NULL = not known */
    /* -1 = not known. NaN is not covered by min and max, and is counted separately. */
    int64_t null_count, nan_count;
    bool min_exact, max_exact; /* false: only a bound, the value itself may not occur */
} taco__pq_bounds;

struct taco__pq_column_index;

/* Statistics, a field of type `type`. */
TACO__FN void taco__stats_parse(taco__thrift *t, unsigned type, taco__pq_statistics *s);
/* Drops impossible counts of a chunk or page of num_values entries, and notes what they deny. */
TACO__FN void taco__stats_drop_impossible(taco__pq_statistics *s, int64_t num_values);
TACO__FN taco__stats_order taco__stats_order_of(const taco__pq_leaf *leaf);

/* A PLAIN integer of 1 (BOOLEAN), 4 or 8 bytes. */
TACO__INLINE int64_t taco__stats_integer(taco_bytes b)
{
    return b.len == 8   ? (int64_t)taco__load_le64(b.data)
           : b.len == 4 ? (int64_t)(int32_t)taco__load_le32(b.data)
                        : b.data[0];
}

/* A PLAIN HALF, FLOAT or DOUBLE as an integer that orders as its value does, -0 and +0 both being
   0; false for NaN. Inline, for loops over values of one width. */
TACO__INLINE bool taco__stats_float_order(taco_bytes b, int64_t *order)
{
    uint64_t x = b.len == 8   ? taco__load_le64(b.data)
                 : b.len == 4 ? taco__load_le32(b.data)
                              : taco__load_le16(b.data);
    uint64_t sign = (uint64_t)1 << (b.len * 8 - 1), magnitude = x & (sign - 1);
    uint64_t infinite = b.len == 8   ? (uint64_t)0x7FF << 52
                        : b.len == 4 ? (uint64_t)0xFF << 23
                                     : (uint64_t)0x1F << 10;
    *order = x & sign ? -(int64_t)magnitude : (int64_t)magnitude;
    return magnitude <= infinite;
}

/* Compares two PLAIN values in any order but UNORDERED; their lengths fit the type. */
TACO__FN int taco__stats_compare(taco__stats_order order, taco_bytes a, taco_bytes b);
/* What the statistics of a chunk or page prove about the values of a leaf. Unknown bounds stay
   {NULL, 0}: a NaN bound invalidates both, as do bounds in the wrong order or of the wrong size. */
TACO__FN void taco__stats_bounds(const taco__pq_metadata *m, const taco__pq_leaf *leaf,
                                 const taco__pq_statistics *s, taco__pq_bounds *out);
/* The same for page i of a column index. */
TACO__FN void taco__stats_page_bounds(const taco__pq_metadata *m, const taco__pq_leaf *leaf,
                                      const struct taco__pq_column_index *ix, size_t i,
                                      taco__pq_bounds *out);
/* Page i of a column index as statistics, not judged yet. */
TACO__FN taco__pq_statistics taco__stats_of_page(const struct taco__pq_column_index *ix, size_t i);
/* What the statistics have that cannot be, in words that follow "statistics have"; NULL: nothing.
   taco__stats_bounds does not rely on any of it. */
TACO__FN const char *taco__stats_contradiction(const taco__pq_metadata *m,
                                               const taco__pq_leaf *leaf,
                                               const taco__pq_statistics *s);

/* ---- page_index.c ---- */

/* ColumnIndex: bounds and counts of each page of a chunk. */
typedef struct taco__pq_column_index {
    size_t pages;
    const uint8_t *null_pages; /* 1 = only nulls: ignore its min and max */
    taco_bytes *min, *max;
    const int64_t *null_counts, *nan_counts; /* NULL = not given; -1 = not known */
    int32_t boundary_order;                  /* 0 none, 1 ascending, 2 descending */
} taco__pq_column_index;

typedef struct taco__pq_page_location {
    uint64_t offset; /* offset of the page header */
    uint32_t size;   /* including the header; inside the chunk */
    int64_t first_row;
} taco__pq_page_location;

/* OffsetIndex: where each data page of a chunk is. */
typedef struct taco__pq_offset_index {
    size_t pages;
    taco__pq_page_location *page; /* offsets and rows ascend */
} taco__pq_offset_index;

/* The page index of a column chunk, once requested; an index that does not parse counts as
   absent. */
typedef struct taco__pq_page_index {
    taco__pq_offset_index offsets; /* pages 0: none */
    taco__pq_column_index columns; /* pages 0: none, else the same number as in offsets */
    bool has_offsets, has_columns; /* read, or found unusable */
} taco__pq_page_index;

/* Parses a ColumnIndex at file_offset. All its lists must have `pages` entries (SIZE_MAX: as many
   as the first). Slices point into `in`. */
TACO__FN taco_status taco__page_index_parse_columns(taco__arena *arena, taco_bytes in,
                                                    uint64_t file_offset, size_t pages,
                                                    taco__pq_column_index *out, taco_error *err);
/* Parses an OffsetIndex at file_offset: the data pages of a chunk in a row group of `rows` rows,
   all inside the chunk, none overlapping the one before, the first at row 0, rows ascending. */
TACO__FN taco_status taco__page_index_parse_offsets(taco__arena *arena, taco_bytes in,
                                                    uint64_t file_offset,
                                                    const taco__pq_column_chunk *chunk,
                                                    int64_t rows, taco__pq_offset_index *out,
                                                    taco_error *err);
/* The last page that begins at or before a row; x is not empty. */
TACO__FN size_t taco__page_index_find_page(const taco__pq_offset_index *x, uint64_t row);
/* The row after the last one of a page, in a row group of `rows` rows. */
TACO__FN uint64_t taco__page_index_page_end(const taco__pq_offset_index *x, size_t page,
                                            uint64_t rows);
/* Whether it pays to look at the page index of a chunk. */
TACO__FN bool taco__page_index_is_useful(const taco__pq_column_chunk *c);
/* True if the error comes from the machine (I/O, memory), which is then copied to err. Any other
   error only means that the index cannot be used. */
TACO__FN bool taco__page_index_is_fatal(const taco_error *e, taco_error *err);
/* Whether the offset index of a chunk has been read already. */
TACO__FN bool taco__page_index_has_offsets(const taco_pq_file *f, uint32_t group, uint32_t leaf);
/* The offset index of a chunk, read on first use; NULL if there is none to rely on. *ok is false if
   reading failed. It lives as long as the file. So does the column index, which exists only
   together with an offset index. */
TACO__FN const taco__pq_offset_index *
taco__page_index_offsets(taco_pq_file *f, uint32_t group, uint32_t leaf, bool *ok, taco_error *err);
TACO__FN const taco__pq_column_index *
taco__page_index_columns(taco_pq_file *f, uint32_t group, uint32_t leaf, bool *ok, taco_error *err);

/* ---- page_index_check.c ---- */

/* Whether the column index of a chunk agrees with its offset index (NULL: none), the chunk's
   statistics and the schema. If not, `why` says what does not, unless it is NULL. */
TACO__FN bool taco__page_index_agrees(const taco__pq_metadata *m, uint32_t group, uint32_t leaf,
                                      const taco__pq_offset_index *offsets,
                                      const taco__pq_column_index *columns, taco_error *why);

/* ---- bloom_filter.c ---- */

/* The split-block filter of one chunk. May be closed if it is all zeros. */
typedef struct taco__bloom {
    const taco__file_part *part;
    uint64_t at;     /* offset of the blocks */
    uint32_t blocks; /* number of blocks, of 32 bytes each */
    taco__buf bytes;
    taco_error *err; /* receives failures to read a block */
} taco__bloom;

TACO__FN void taco__bloom_close(taco__bloom *b);
/* Opens the filter of a chunk. False if there is none that can be read; a damaged filter counts as
   absent, and only I/O failures are put in err. */
TACO__FN bool taco__bloom_open(taco__bloom *b, const taco__file_part *part,
                               const taco__pq_column_chunk *c, taco__mem *mem, taco_error *err);
/* False if the chunk cannot hold the value with these PLAIN bytes. ctx is a taco__bloom. */
TACO__FN bool taco__bloom_may_contain(void *ctx, taco_bytes plain);

#endif /* TACO__PARQUET_FORMAT_H */
