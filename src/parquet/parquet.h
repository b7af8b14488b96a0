/* parquet.h - what the folder offers to the others. */
#ifndef TACO__PARQUET_H
#define TACO__PARQUET_H

#include "../base/base.h"
#include "../codec/codec.h"
#include "../arrow/arrow.h"

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

/* A reader over bytes that somebody else wrote. The first failure fills *err and stays in `status`;
   from then on every read yields zero and every loop over fields ends, so that a parser checks
   once, at its end. */
typedef struct taco__thrift {
    taco__byte_reader cur;
    uint64_t base;      /* where the bytes begin in the file, for messages */
    const char *what;   /* "footer", "page header": what ends when the bytes do */
    taco_error *err;    /* may be NULL */
    taco_status status; /* the first failure */
    /* the bytes are the beginning of something longer: running out is TRUNCATED, not CORRUPT */
    bool partial;
    uint32_t depth;
} taco__thrift;

/* the field at hand, between taco__thrift_next and its value */
typedef struct taco__thrift_field {
    int16_t id;
    uint8_t type;
} taco__thrift_field;

/* Numbers of the format. */
/* Type */
enum {
    TACO__PQ_GROUP = -1, /* ours: an element without a type */
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
    TACO__PQ_LOGICAL_INTERVAL = 9, /* reserved there; ours for the converted type */
    TACO__PQ_LOGICAL_INTEGER = 10,
    TACO__PQ_LOGICAL_NULL = 11,
    TACO__PQ_LOGICAL_JSON = 12,
    TACO__PQ_LOGICAL_BSON = 13,
    TACO__PQ_LOGICAL_UUID = 14,
    TACO__PQ_LOGICAL_FLOAT16 = 15,
    TACO__PQ_LOGICAL_VARIANT = 16,
    TACO__PQ_LOGICAL_GEOMETRY = 17,
    TACO__PQ_LOGICAL_GEOGRAPHY = 18,
    TACO__PQ_LOGICAL_OTHER = 255 /* newer than this reader: the physical type counts */
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
    TACO__PQ_ENC_BYTE_STREAM_SPLIT = 9
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

/* All slices (taco_bytes) below point into the footer or page header they were parsed from, which
   has to live as long. */

/* SchemaElement, with its place in the tree; the list is in depth-first order */
typedef struct taco__pq_schema_element {
    taco_bytes name;
    const char *text; /* the name, NUL-terminated */
    uint64_t at;      /* its offset in the file */
    int32_t type;     /* TACO__PQ_GROUP or a physical type */
    int32_t type_length;
    int32_t converted;
    int32_t scale, precision; /* of the SchemaElement; the logical type's own below */
    int32_t field_id;
    bool has_field_id;
    uint8_t repetition;
    uint8_t logical;
    bool is_signed, utc; /* INTEGER; TIME, TIMESTAMP */
    uint8_t unit;        /* TIME, TIMESTAMP: taco_unit; TACO_SECOND (0) where it is not known */
    int8_t bits;         /* INTEGER */
    int32_t dec_scale, dec_precision; /* DECIMAL */
    taco_bytes crs;                   /* GEOMETRY, GEOGRAPHY */
    int32_t algorithm;                /* GEOGRAPHY; -1 = not given */
    uint32_t parent, child_count;     /* parent of the root is the root */
    uint32_t left;                    /* children not yet seen, while the tree is linked */
    uint32_t next; /* first element behind the subtree: the next sibling, if there is one */
    uint32_t leaf, leaf_count; /* leaves of the subtree */
    int16_t def, rep;          /* maximum levels, its own repetition included */
} taco__pq_schema_element;

/* One per public field, in the same tree shape: what a reader needs to assemble it from levels. */
typedef struct taco__pq_schema_node {
    const taco_field *field;
    const taco__pq_schema_element *element;
    const struct taco__pq_schema_node *children; /* field->child_count of them */
    uint32_t leaf, leaf_count;
    int16_t def;      /* definition level at which it is there and not null (leaf: maximum) */
    int16_t rep;      /* maximum repetition level of its slots */
    int16_t list_def; /* LIST, MAP: definition level from which there is an item */
    int16_t list_rep; /* LIST, MAP: repetition level at which a further item begins */
    bool optional;
} taco__pq_schema_node;

/* a Parquet column */
typedef struct taco__pq_leaf {
    const taco__pq_schema_element *element;
    const taco__pq_schema_node *node;
    const taco_field *field;
    int32_t type;
    int32_t type_length; /* TACO__PQ_FIXED: > 0 */
    int16_t max_def, max_rep;
    uint32_t column; /* the top-level field above it */
    uint8_t order;   /* TACO__PQ_ORDER_..., from column_orders */
} taco__pq_leaf;

typedef struct
    taco__pq_statistics { /* Statistics, raw; taco__stats_bounds says what they are worth */
    taco_bytes min, max;  /* data NULL = not given */
    int64_t null_count, distinct_count, nan_count; /* -1 = not known */
    bool given;
    bool deprecated; /* min and max come from the old fields, whose order is always signed */
    bool min_exact, max_exact;
} taco__pq_statistics;

/* GeospatialStatistics' BoundingBox */
typedef struct taco__pq_geo_bounds {
    double xmin, xmax, ymin, ymax, zmin, zmax, mmin, mmax;
    bool has_z, has_m;
} taco__pq_geo_bounds;

typedef struct taco__pq_column_chunk {
    uint64_t at; /* of its metadata in the file */
    /* Dictionary and data pages; empty when encrypted or external. Old parquet-mr leaves the
       dictionary's header out of the size (PARQUET-816): who misses values at the end looks up to
       100 bytes further. */
    taco__range pages;
    int64_t num_values;         /* level entries: nulls and empty lists count */
    uint64_t uncompressed_size; /* as stored; only `pages` is proven */
    uint64_t compressed_size;
    int64_t data_offset, dictionary_offset, index_page_offset; /* as stored; -1 = none */
    taco__range column_index, offset_index;
    taco__range bloom; /* len UINT64_MAX: not given, read its header first */
    int64_t unencoded;    /* bytes of BYTE_ARRAY values; -1 = not known */
    taco__pq_statistics stats;
    taco_bytes file_path;
    taco__pq_geo_bounds *geo; /* NULL = none */
    int32_t type;
    int32_t codec;      /* any number: the reader of pages refuses what it lacks */
    uint32_t encodings; /* bit e: encoding e is used; bit 31: one above 30 */
    bool encrypted;     /* can not be read; the rest of the file can */
    bool external;      /* its pages are in the file file_path names */
    bool dict_only;     /* known to have no data page without dictionary */
    bool has_meta;
    /* its pages that are kept, once it was read; see room keep */
    struct taco__cached_chunk *kept;
} taco__pq_column_chunk;

typedef struct taco__pq_sorting_column {
    uint32_t leaf;
    bool descending, nulls_first;
} taco__pq_sorting_column;

typedef struct taco__pq_row_group {
    uint64_t at;
    int64_t rows, first_row;
    uint64_t total_byte_size;
    int64_t file_offset, total_compressed_size, ordinal; /* as stored; -1 = not given */
    taco__pq_column_chunk *chunks;                       /* meta->leaf_count of them */
    taco__pq_sorting_column *sort;
    uint32_t sort_count;
} taco__pq_row_group;

typedef struct taco__pq_metadata {
    uint64_t file_size, footer_offset, footer_size;
    int32_t version;
    int64_t num_rows;     /* sum over the row groups */
    int64_t claimed_rows; /* the footer's own figure, which some writers leave 0 */
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
    bool has_orders;
    bool distrust_binary;   /* deprecated min/max of byte arrays are wrong: PARQUET-251 */
    bool distrust_decimal;  /* bounds of byte array decimals are wrong: PARQUET-1655 */
    bool always_compressed; /* is_compressed of v2 pages is wrong: ARROW-10353 */
} taco__pq_metadata;

/* PageHeader */
typedef struct taco__pq_page_header {
    int32_t type; /* TACO__PQ_PAGE_...; the reader steps over any other */
    uint32_t uncompressed_size, compressed_size; /* of the body, < 2^31 */
    uint32_t crc;
    bool has_crc;
    bool is_compressed; /* v2: the values; else true */
    bool is_sorted;     /* dictionary */
    int32_t encoding, def_encoding, rep_encoding;
    uint32_t num_values;          /* level entries, or dictionary entries */
    uint32_t num_nulls, num_rows; /* v2: <= num_values */
    uint32_t def_len, rep_len;    /* v2: their sum is <= both sizes */
    taco__pq_statistics stats;
} taco__pq_page_header;

typedef struct taco__pq_column_index {
    size_t pages;
    const uint8_t *null_pages; /* 1 = nulls only: its min and max mean nothing */
    taco_bytes *min, *max;
    const int64_t *null_counts, *nan_counts; /* NULL = not given; -1 = not known */
    int32_t boundary_order;                  /* 0 none, 1 ascending, 2 descending */
} taco__pq_column_index;

typedef struct taco__pq_page_location {
    uint64_t offset; /* of the page header */
    uint32_t size;   /* with the header; inside the chunk */
    int64_t first_row;
} taco__pq_page_location;

typedef struct taco__pq_offset_index {
    size_t pages;
    taco__pq_page_location *page; /* offsets and rows ascend */
} taco__pq_offset_index;

#define TACO__SCHEMA_DEPTH_CAP 512 /* whatever the limit says: the tree is built recursively */

typedef struct taco__footer_parser {
    taco__thrift t;
    taco__arena *arena;
    const taco_limits *limits;
    taco__pq_metadata *out;
    bool built;
} taco__footer_parser;

/* Fails the reader with a CORRUPT at a byte of the file; false. */
#define TACO__THRIFT_FAIL(t, where, ...)                                                           \
    (TACO__FAIL((t)->err, TACO_ERR_CORRUPT, (where), __VA_ARGS__),                                 \
     taco__thrift_fail((t), TACO_ERR_CORRUPT))

/* how the values of a leaf compare */
typedef enum taco__stats_order {
    TACO__STATS_UNORDERED,
    TACO__STATS_SIGNED, /* integers, BOOLEAN among them */
    TACO__STATS_UNSIGNED,
    TACO__STATS_FLOATS, /* HALF, FLOAT, DOUBLE */
    TACO__STATS_BYTES,  /* unsigned bytewise */
    /* big-endian two's complement, any length */
    TACO__STATS_DECIMALS
} taco__stats_order;

/* Bounds of the non-null values of a chunk or page, as PLAIN-encoded slices (byte arrays without
   length). */
typedef struct taco__pq_bounds {
    taco_bytes min, max; /* data NULL = not known */
    int64_t null_count,
        /* -1 = not known. NaN lies outside min and max: it has to be counted separately */
        nan_count;
    bool min_exact, max_exact; /* false: the value may not occur, it only bounds */
} taco__pq_bounds;

/* Appends to a buffer until something fails; then nothing more happens and `ok` says so. */
typedef struct taco__describe_out {
    taco__buf *buf;
    taco_error *err;
    bool ok;
} taco__describe_out;

/* ---- RLE and bit-packed hybrid; BIT_PACKED
   -------------------------------------------------------- */

typedef struct taco__rle {
    taco_bytes bytes;
    size_t at;      /* next byte to parse */
    size_t run;     /* first byte of the run's packed values, or of the one that repeats */
    size_t used;    /* values taken from a packed run */
    size_t left;    /* values left in the run */
    uint32_t value; /* the one that repeats */
    unsigned width;
    bool packed, msb;
} taco__rle;

/* ---- PLAIN
   ---------------------------------------------------------------------------------------- */

typedef struct taco__plain {
    taco_bytes bytes;
    size_t at;    /* next byte; for BOOLEAN the byte the next bit lies in */
    unsigned bit; /* BOOLEAN: the bit of that byte */
} taco__plain;

/* ---- DELTA_BINARY_PACKED
   ---------------------------------------------------------------------------- */

typedef struct taco__delta_int {
    taco_bytes bytes;
    size_t at;        /* next byte to parse: a block, or the miniblock behind the current one */
    uint64_t left;    /* values not yet handed out */
    uint64_t value;   /* the last one, or the first while `begun` is false */
    uint64_t least;   /* minimal delta of the block, which is added to each */
    size_t per_mini;  /* values of a miniblock */
    size_t minis;     /* of a block */
    size_t mini;      /* of them begun */
    size_t widths;    /* the block's list of bit widths */
    size_t run;       /* first byte of the current miniblock */
    size_t used;      /* values taken from it */
    size_t mini_left; /* values left in it, and in those of its width behind it */
    unsigned width;   /* its bit width */
    unsigned bits;    /* 32 or 64 */
    bool begun;
} taco__delta_int;

/* ---- DELTA_LENGTH_BYTE_ARRAY
   ------------------------------------------------------------------------ */

typedef struct taco__delta_len {
    taco__delta_int lengths;
    size_t at; /* first byte of the next text */
} taco__delta_len;

/* ---- DELTA_BYTE_ARRAY
   ------------------------------------------------------------------------------- */

/* Each value is a prefix of the one before and a suffix of its own. */
typedef struct taco__delta_bytes {
    taco__delta_int prefixes;
    taco__delta_len suffixes;
    taco__buf last; /* the value before the next one */
} taco__delta_bytes;

/* ---- BYTE_STREAM_SPLIT
   ------------------------------------------------------------------------------ */

typedef struct taco__stream_split {
    taco_bytes bytes;
    /* bytes of a value; values, which is also the distance of the streams */
    size_t width, stride;
    size_t at; /* the next value */
} taco__stream_split;

/* A page; its plain bytes stand behind it. They never change, so that tasks may read them. */
typedef struct taco__cached_page {
    struct taco__cached_page *next;
    struct taco__cached_chunk *of;
    uint64_t at;               /* of its header in the part */
    size_t header;             /* bytes */
    size_t len;                /* of the plain bytes */
    taco__pq_page_header page; /* without statistics, which point elsewhere */
} taco__cached_page;

#define TACO__CACHED_PAGE_SIZE ((sizeof(taco__cached_page) + 15) & ~(size_t)15)

/* Of one column chunk, as long as its file is open. Changes only while no task runs. Chunks that a
   scan has marked keep what they have until that scan is closed. */
typedef struct taco__cached_chunk {
    /* in the list of the handle, while there are pages */
    struct taco__cached_chunk *older, *newer;
    taco__cached_page *first, *last; /* ascending */
    uint64_t bytes;                  /* of them, all told */
    uint64_t values;                 /* level entries in them */
    uint64_t scan;                   /* that used the chunk last */
    uint64_t scans;                  /* that did */
    bool whole;                      /* there is nothing else in the chunk */
} taco__cached_chunk;

/* Pages that one reader wants to keep: they are put where they belong when no task runs. */
typedef struct taco__pending_pages {
    taco__cached_page *fresh;
    uint64_t room; /* bytes that may still be added */
} taco__pending_pages;

/* Decoder states too large for a stack, one per column reader, reused from page to page. */
typedef struct taco__codecs {
    taco__zstd_decoder zstd;
    taco__pending_pages pending_pages;
} taco__codecs;

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
    size_t count;
    bool dict;
} taco__values;

/* One leaf column of one row group, read forward. */
typedef struct taco__chunk_reader {
    const taco__file_part *part;
    taco__mem *mem;
    const taco__pq_metadata *meta; /* for names in messages */
    const taco__pq_leaf *schema;
    const taco__pq_column_chunk *chunk;
    const taco_field *field;
    const taco_limits *limits;
    taco__codecs *codecs;
    bool always_compressed; /* the writer's is_compressed is wrong */

    uint64_t at, end;  /* next page header, end of the chunk, in the part */
    uint64_t expected; /* level entries that the chunk's metadata still promises */
    uint64_t page_no;
    uint64_t until; /* nothing from here on is read ahead of need */
    uint64_t group_rows;
    const taco__pq_offset_index *index; /* of the chunk, once rows were jumped to; else NULL */
    /* repeated columns: rows of the open page still to come; UINT64_MAX = not known */
    uint64_t page_rows;
    /* bytes of the chunk from window_at on, when the part does not hold them */
    taco__buf window;
    uint64_t window_at;
    taco__buf plain; /* the open page, uncompressed */
    taco__buf raw;   /* values on their way to memory form */
    taco__buf raw_text;

    taco__values dict;
    const uint8_t *dict_values; /* of fixed width: in dict, or in a kept page */
    taco_array dict_array;      /* the same, for batches of indices */
    /* no_indices: the page's section is empty, which only nulls allow */
    bool has_dict, no_indices;

    taco__cached_chunk *kept;      /* of the chunk; NULL: nothing is kept */
    const taco__cached_page *near; /* where pages of it were found last */
    const taco__cached_page *from; /* the open page is this one; NULL: the file's */

    taco__pq_page_header page;
    taco_bytes body; /* of the open page, as it stands in the file */
    uint64_t page_at, body_at;
    bool opened; /* levels and values are ready */
    size_t left; /* level entries of the open page not yet consumed */
    taco__values_encoding kind;
    taco__rle rep, def, rle;
    taco__plain flat;
    taco__delta_int delta;
    taco__delta_len delta_len;
    taco__delta_bytes delta_bytes;
    taco__stream_split stream_split;

    /* nested columns: int16 levels of the batch; repetition levels of up to 1 as a bitmap */
    taco__buf rep_buf, def_buf;
    bool full,
        /* every definition level is the maximum: of the batch, whose levels are not written then,
           and of those read last */
        ahead_full;
    size_t entries;
    taco__buf validity; /* flat nullable columns: of the batch */
    size_t rows;        /* flat and repeated columns: rows of the batch */
    uint64_t fed;       /* plain bytes of the data pages that the batch reads from */
    bool late;          /* rows are picked out of the batch: fixed width stays indices, too */
    taco__values store;
} taco__chunk_reader;

#define TACO__LEVEL_DECODE_AHEAD 4096

/* A top-level field of one row group, read forward. */
typedef struct taco__column_reader {
    const taco__pq_schema_node *node;
    taco__mem *mem;
    taco__chunk_reader *leaves;
    size_t leaf_count;
    taco__array_buf *root;
    uint64_t row, rows; /* next row, rows of the row group */
    bool flat;
} taco__column_reader;

/* Which level entries begin a slot of a node: those whose repetition level is at most that of the
   nearest repeated ancestor, and whose definition level says that the ancestor has an element
   there. */
typedef struct taco__assembly_slots {
    /* any leaf below the node, or beside it for a group without leaves */
    const taco__chunk_reader *src;
    int16_t def, rep;
} taco__assembly_slots;

#define TACO__PQ_FILE_TAIL                                                                         \
    65536 /* bytes at the end of a file that are read at first: most footers whole */
#define TACO__BATCH_ROWS 4096 /* rows of a batch where the caller does not say */

/* page index of a column chunk; what does not parse counts as not given */
typedef struct taco__pq_page_index {
    taco__pq_offset_index offsets; /* pages 0: none */
    taco__pq_column_index columns; /* pages 0: none, else as many as offsets has */
    bool has_offsets, has_columns; /* asked for */
} taco__pq_page_index;

struct taco_pq_file {
    taco__mem own_mem; /* used when the file stands alone */
    taco__file own_file;
    taco__mem *mem;
    taco__arena arena;
    taco__file_part part;
    const char *name; /* of the file in messages: "level0.parquet"; "" = the caller names it */
    taco_options options;
    taco__pq_metadata meta;
    taco__buf footer;
    taco__range tail; /* of part.file, fetched with the footer: all of a small file */
    taco__codecs *codecs;
    bool keeps; /* pages of some chunks, perhaps */
    /* by row group, then by leaf; NULL where none was asked for */
    taco__pq_page_index **indexes;
    taco__buf index_bytes;
    taco__buf text; /* what taco_pq_schema_text and _meta_json return */
    taco__buf text2;
};

/* ---- tables: what scans and joins work on
   --------------------------------------------------------- */

/* Rows of top-level columns: a Parquet file, or arrays in memory (Avro). Borrows both. Columns from
   `stored` on are not there: the first constant_count of them have one value in all rows, INT32 or
   TEXT, which the name of the file says; the others are of type NULL, so that a predicate may name
   what only other tables have. */
typedef struct taco__table {
    taco_pq_file *pq; /* NULL: arrays */
    const taco_field *fields;
    size_t field_count, stored;
    const taco_array *arrays;
    uint64_t rows;
    const taco_array *given; /* of one row each */
    size_t constant_count;
} taco__table;

/* Some columns of a table, read at ascending row numbers. What was read lives until the next
   read. */
typedef struct taco__row_reader {
    const taco__table *table;
    taco__mem *mem;
    taco__arena arena;
    size_t count;
    const size_t *which;          /* table columns */
    taco__column_reader *columns; /* Parquet */
    taco__array_buf *taken;       /* selections */
    taco_array *arrays;           /* what _read made, one per column */
    uint32_t group;
    uint64_t scan; /* it reads for: pages of chunks that this one has marked are kept */
    size_t length; /* rows of the batch */
    uint64_t next; /* no row below can be read without opening the row group again */
    taco__buf index;
    taco__buf *given; /* rows of columns of one value */
} taco__row_reader;

typedef struct taco__bloom {
    const taco__file_part *part;
    uint64_t at; /* of the blocks */
    uint32_t blocks;
    taco__buf bytes;
    taco_error *err;
} taco__bloom;

/* ---- thrift_read.c ---- */

TACO__FN void taco__thrift_init(taco__thrift *t, taco_bytes in, uint64_t base, const char *what,
                                bool partial, taco_error *err);
TACO__FN TACO__COLD bool taco__thrift_fail(taco__thrift *t, taco_status status);
TACO__FN TACO__COLD bool taco__thrift_fail_type(taco__thrift *t, unsigned type, const char *want);
TACO__FN bool taco__thrift_type_fits(unsigned type, unsigned want);
TACO__FN bool taco__thrift_begin(taco__thrift *t, taco__thrift_field *f);
TACO__FN bool taco__thrift_begin_struct(taco__thrift *t, unsigned type, taco__thrift_field *f);
TACO__FN bool taco__thrift_next(taco__thrift *t, taco__thrift_field *f);
TACO__FN int64_t taco__thrift_i64(taco__thrift *t, unsigned type);
TACO__FN int32_t taco__thrift_i32(taco__thrift *t, unsigned type);
TACO__FN bool taco__thrift_bool(taco__thrift *t, unsigned type);
TACO__FN bool taco__thrift_bool_in_list(taco__thrift *t);
TACO__FN double taco__thrift_double(taco__thrift *t, unsigned type);
TACO__FN taco_bytes taco__thrift_binary(taco__thrift *t, unsigned type);
TACO__FN size_t taco__thrift_begin_list(taco__thrift *t, unsigned type, size_t least,
                                        uint8_t *item);
TACO__FN size_t taco__thrift_begin_structs(taco__thrift *t, unsigned type, size_t least);
TACO__FN void taco__thrift_skip(taco__thrift *t, unsigned type);
TACO__FN void *taco__thrift_alloc(taco__thrift *t, taco__arena *arena, size_t n, size_t size);
TACO__FN int64_t taco__thrift_count(taco__thrift *t, unsigned type, const char *name);
TACO__FN uint32_t taco__thrift_count32(taco__thrift *t, unsigned type, const char *name);

/* ---- schema.c ---- */

TACO__FN taco_bytes taco__schema_path(const taco__pq_metadata *m, const taco__pq_schema_element *e,
                                      char *text, size_t cap);
TACO__FN unsigned taco__schema_annotation(const taco__pq_schema_element *e,
                                          taco__pq_schema_element *a);
TACO__FN bool taco__schema_parse(taco__footer_parser *j, unsigned type);

/* ---- column_metadata.c ---- */

TACO__FN bool taco__column_meta_parse(taco__footer_parser *j, const taco__pq_leaf *leaf,
                                      taco__pq_column_chunk *c);
TACO__FN bool taco__column_meta_check(taco__footer_parser *j, const taco__pq_leaf *leaf,
                                      int64_t rows, taco__pq_column_chunk *c);

/* ---- page_header.c ---- */

TACO__FN taco_status taco__page_header_parse(taco_bytes in, uint64_t file_offset,
                                             taco__pq_page_header *out, size_t *header_len,
                                             taco_error *err);

/* ---- footer.c ---- */

TACO__FN TACO__COLD void taco__footer_prefix_error(const taco__pq_metadata *m, taco_error *err,
                                                   size_t group, size_t leaf);
TACO__FN taco_status taco__footer_parse(taco__arena *arena, taco_bytes footer, uint64_t file_size,
                                        uint64_t footer_offset, const taco_limits *limits,
                                        taco__pq_metadata *out, taco_error *err);
TACO__FN uint32_t taco__footer_find_row_group(const taco__pq_metadata *m, uint64_t row);

/* ---- statistics.c ---- */

TACO__FN void taco__stats_parse(taco__thrift *t, unsigned type, taco__pq_statistics *s);
TACO__FN void taco__stats_drop_impossible(taco__pq_statistics *s, int64_t num_values);
TACO__FN taco__stats_order taco__stats_order_of(const taco__pq_leaf *leaf);
TACO__FN int64_t taco__stats_integer(taco_bytes b);
TACO__FN bool taco__stats_float_order(taco_bytes b, int64_t *order);
TACO__FN int taco__stats_compare(taco__stats_order rank, taco_bytes a, taco_bytes b);
TACO__FN void taco__stats_bounds(const taco__pq_metadata *m, const taco__pq_leaf *leaf,
                                 const taco__pq_statistics *s, taco__pq_bounds *out);
TACO__FN void taco__stats_page_bounds(const taco__pq_metadata *m, const taco__pq_leaf *leaf,
                                      const taco__pq_column_index *ix, size_t i,
                                      taco__pq_bounds *out);

/* ---- page_index.c ---- */

TACO__FN taco_status taco__page_index_parse_columns(taco__arena *arena, taco_bytes in,
                                                    uint64_t file_offset, size_t pages,
                                                    taco__pq_column_index *out, taco_error *err);
TACO__FN taco_status taco__page_index_parse_offsets(taco__arena *arena, taco_bytes in,
                                                    uint64_t file_offset,
                                                    const taco__pq_column_chunk *chunk,
                                                    int64_t rows, taco__pq_offset_index *out,
                                                    taco_error *err);
TACO__FN size_t taco__page_index_find_page(const taco__pq_offset_index *x, uint64_t row);
TACO__FN uint64_t taco__page_index_page_end(const taco__pq_offset_index *x, size_t page,
                                            uint64_t rows);
TACO__FN bool taco__page_index_is_useful(const taco__pq_column_chunk *c);
TACO__FN bool taco__page_index_is_fatal(const taco_error *e, taco_error *err);
TACO__FN bool taco__page_index_has_offsets(const taco_pq_file *f, uint32_t group, uint32_t leaf);
TACO__FN const taco__pq_offset_index *
taco__page_index_offsets(taco_pq_file *f, uint32_t group, uint32_t leaf, bool *ok, taco_error *err);
TACO__FN const taco__pq_column_index *
taco__page_index_columns(taco_pq_file *f, uint32_t group, uint32_t leaf, bool *ok, taco_error *err);

/* ---- bloom_filter.c ---- */

TACO__FN void taco__bloom_close(taco__bloom *b);
TACO__FN bool taco__bloom_open(taco__bloom *b, const taco__file_part *part,
                               const taco__pq_column_chunk *c, taco__mem *mem, taco_error *err);
TACO__FN bool taco__bloom_may_contain(void *ctx, taco_bytes plain);

/* ---- describe.c ---- */

TACO__FN void taco__describe_text(taco__describe_out *o, const char *s);
TACO__FN void taco__describe_u64(taco__describe_out *o, uint64_t x);
TACO__FN void taco__describe_i64(taco__describe_out *o, int64_t x);
TACO__FN void taco__describe_name(taco__describe_out *o, taco_bytes b);
TACO__FN void taco__describe_json_string(taco__describe_out *o, taco_bytes b);
TACO__FN void taco__describe_enum(taco__describe_out *o, const char *const *names, size_t n,
                                  int64_t i);
TACO__FN void taco__describe_float(taco__describe_out *o, taco_bytes b);
TACO__FN void taco__describe_value(taco__describe_out *o, const taco__pq_leaf *leaf, taco_bytes b);

/* ---- footer_text.c ---- */

TACO__FN bool taco__footer_text_append(const taco__pq_metadata *m, taco__buf *out, taco_error *err);
TACO__FN bool taco__footer_json_append(const taco__pq_metadata *m, taco__buf *out, taco_error *err);

/* ---- schema_text.c ---- */

TACO__FN void taco__schema_text_annotation(taco__describe_out *o, const taco__pq_schema_element *e);
TACO__FN bool taco__schema_text_append(const taco__pq_metadata *m, taco__buf *out, taco_error *err);

/* ---- values.c ---- */

TACO__FN void taco__values_fill(void *dst, const void *value, size_t width, size_t n);
TACO__FN void taco__values_narrow(void *values, size_t width, size_t n);
TACO__FN void taco__values_decimal_int32(uint8_t *dst, size_t dst_width, const int32_t *src,
                                         size_t n);
TACO__FN void taco__values_decimal_int64(uint8_t *dst, size_t dst_width, const int64_t *src,
                                         size_t n);
TACO__FN bool taco__values_decimal_fixed(uint8_t *dst, size_t dst_width, const uint8_t *src,
                                         size_t src_width, size_t n, taco_error *err);
TACO__FN bool taco__values_decimal_text(uint8_t *dst, size_t dst_width, const uint8_t *data,
                                        const int32_t *offsets, size_t n, taco_error *err);
TACO__FN void taco__values_init(taco__values *s, taco__mem *mem);
TACO__FN void taco__values_clear(taco__values *s);
TACO__FN void taco__values_free(taco__values *s);
TACO__FN uint8_t *taco__values_reserve(taco__values *s, size_t width, size_t n, taco_error *err);
TACO__FN uint8_t *taco__values_reserve_bits(taco__values *s, size_t n, taco_error *err);
TACO__FN int32_t *taco__values_reserve_offsets(taco__values *s, size_t n, taco_error *err);

/* ---- spacing.c ---- */

TACO__FN void taco__spacing_values(void *values, size_t width, const uint8_t *validity, size_t bit,
                                   size_t n_rows, size_t n_valid);
TACO__FN void taco__spacing_offsets(int32_t *offsets, const uint8_t *validity, size_t bit,
                                    size_t n_rows, size_t n_valid);
TACO__FN void taco__spacing_bits(uint8_t *values, size_t values_bit, const uint8_t *validity,
                                 size_t bit, size_t n_rows, size_t n_valid);
TACO__FN uint64_t taco__spacing_level_word(const int16_t *levels, size_t n, int16_t least);

/* ---- rle.c ---- */

TACO__FN bool taco__rle_open(taco__rle *r, taco_bytes bytes, unsigned width, taco_error *err);
TACO__FN bool taco__rle_open_msb(taco__rle *r, taco_bytes bytes, unsigned width, taco_error *err);
TACO__FN bool taco__rle_next_run(taco__rle *r, size_t missing, taco_error *err);
TACO__FN bool taco__rle_read_indices(taco__rle *r, int32_t *dst, size_t n, size_t entries,
                                     taco_error *err);
TACO__FN bool taco__rle_read_dict(taco__rle *r, void *dst, const void *dict, size_t width,
                                  size_t entries, size_t n, taco_error *err);
TACO__FN bool taco__rle_is_run_of(const taco__rle *r, size_t n, uint32_t x);
TACO__FN bool taco__rle_read_levels(taco__rle *r, int16_t *dst, size_t n, unsigned max,
                                    taco_error *err);
TACO__FN bool taco__rle_read_validity(taco__rle *r, uint8_t *bitmap, size_t bit, size_t n,
                                      size_t *ones, taco_error *err);
TACO__FN bool taco__rle_skip(taco__rle *r, size_t n, taco_error *err);
TACO__FN bool taco__rle_skip_count(taco__rle *r, size_t n, unsigned level, size_t *equal,
                                   taco_error *err);

/* ---- plain.c ---- */

TACO__FN void taco__plain_open(taco__plain *p, taco_bytes bytes);
TACO__FN bool taco__plain_skip(taco__plain *p, size_t width, size_t n, taco_error *err);
TACO__FN bool taco__plain_read(taco__plain *p, void *dst, size_t width, bool numeric, size_t n,
                               taco_error *err);
TACO__FN bool taco__plain_skip_bits(taco__plain *p, size_t n, taco_error *err);
TACO__FN bool taco__plain_read_bits(taco__plain *p, uint8_t *dst, size_t dst_bit, size_t n,
                                    taco_error *err);
TACO__FN TACO__COLD bool taco__plain_fail_text(const taco__plain *p, size_t at, size_t missing,
                                               taco_error *err);
TACO__FN bool taco__plain_read_text(taco__plain *p, taco__buf *data, int32_t *offsets, size_t n,
                                    taco_error *err);
TACO__FN bool taco__plain_skip_text(taco__plain *p, size_t n, taco_error *err);

/* ---- delta_binary_packed.c ---- */

TACO__FN bool taco__delta_int_open(taco__delta_int *d, taco_bytes bytes, size_t from,
                                   uint64_t count, unsigned bits, taco_error *err);
TACO__FN bool taco__delta_int_read64(taco__delta_int *d, int64_t *dst, size_t n, taco_error *err);
TACO__FN bool taco__delta_int_read32(taco__delta_int *d, int32_t *dst, size_t n, taco_error *err);
TACO__FN bool taco__delta_int_skip(taco__delta_int *d, size_t n, taco_error *err);
TACO__FN bool taco__delta_int_find_end(const taco__delta_int *d, size_t *end, taco_error *err);

/* ---- delta_byte_array.c ---- */

TACO__FN bool taco__delta_len_open(taco__delta_len *s, taco_bytes bytes, size_t from,
                                   uint64_t count, taco_error *err);
TACO__FN bool taco__delta_len_read_text(taco__delta_len *s, taco__buf *data, int32_t *offsets,
                                        size_t n, taco_error *err);
TACO__FN bool taco__delta_len_skip(taco__delta_len *s, size_t n, taco_error *err);
TACO__FN void taco__delta_bytes_init(taco__delta_bytes *s, taco__mem *mem);
TACO__FN void taco__delta_bytes_free(taco__delta_bytes *s);
TACO__FN bool taco__delta_bytes_open(taco__delta_bytes *s, taco_bytes bytes, uint64_t count,
                                     taco_error *err);
TACO__FN bool taco__delta_bytes_read_text(taco__delta_bytes *s, taco__buf *data, int32_t *offsets,
                                          size_t n, taco_error *err);
TACO__FN bool taco__delta_bytes_read_fixed(taco__delta_bytes *s, void *dst, size_t width, size_t n,
                                           taco_error *err);
TACO__FN bool taco__delta_bytes_skip(taco__delta_bytes *s, size_t n, taco_error *err);

/* ---- byte_stream_split.c ---- */

TACO__FN bool taco__stream_split_open(taco__stream_split *s, taco_bytes bytes, size_t width,
                                      taco_error *err);
TACO__FN bool taco__stream_split_skip(taco__stream_split *s, size_t n, taco_error *err);
TACO__FN bool taco__stream_split_read(taco__stream_split *s, void *dst, bool numeric, size_t n,
                                      taco_error *err);

/* ---- page_cache.c ---- */

TACO__FN const taco__cached_page *
taco__page_cache_find(const taco__cached_chunk *k, const taco__cached_page **near, uint64_t at);
TACO__FN void taco__page_cache_add(taco__pending_pages *to, taco__mem *mem, taco__cached_chunk *k,
                                   const taco__pq_page_header *page, uint64_t at, size_t header,
                                   taco_bytes plain);
TACO__FN void taco__page_cache_free_chunk(taco__mem *mem, taco__pq_column_chunk *chunk);
TACO__FN void taco__page_cache_commit(taco__mem *mem, taco__pending_pages *from);
TACO__FN void taco__page_cache_set_room(const taco__mem *mem, taco__pending_pages *to, size_t n);
TACO__FN uint64_t taco__page_cache_begin_scan(taco__mem *mem);
TACO__FN void taco__page_cache_end_scan(taco__mem *mem);
TACO__FN void taco__page_cache_mark(taco__mem *mem, taco__pq_column_chunk *chunk, uint64_t scan);

/* ---- page_decompress.c ---- */

TACO__FN taco__codecs *taco__codecs_open(taco__mem *mem, taco_error *err);
TACO__FN void taco__codecs_close(taco__codecs *c, taco__mem *mem);
TACO__FN bool taco__page_decompress(taco__chunk_reader *l, taco_bytes *out, taco_error *err);

/* ---- column_chunk_reader.c ---- */

TACO__FN void taco__chunk_reader_init(taco__chunk_reader *l, taco__mem *mem);
TACO__FN void taco__chunk_reader_free(taco__chunk_reader *l);
TACO__FN bool taco__chunk_reader_open(taco__chunk_reader *l, const taco__pq_column_chunk *chunk,
                                      taco_error *err);
TACO__FN const uint8_t *taco__chunk_reader_bytes(taco__chunk_reader *l, uint64_t offset, size_t len,
                                                 taco_error *err);
TACO__FN bool taco__chunk_reader_read_header(taco__chunk_reader *l, size_t *len, taco_error *err);
TACO__FN bool taco__chunk_reader_check_crc(const taco__chunk_reader *l, taco_error *err);
TACO__FN bool taco__chunk_reader_next_page(taco__chunk_reader *l, uint64_t skip, uint64_t stop,
                                           taco_error *err);
TACO__FN bool taco__chunk_reader_seek(taco__chunk_reader *l, uint64_t row, uint64_t *at,
                                      taco_error *err);
TACO__FN void taco__chunk_reader_limit_ahead(taco__chunk_reader *l, uint64_t end, bool skipping);
TACO__FN void taco__chunk_reader_begin_batch(taco__chunk_reader *l);
TACO__FN bool taco__chunk_reader_read_flat(taco__chunk_reader *l, size_t n, taco_error *err);
TACO__FN bool taco__chunk_reader_skip_flat(taco__chunk_reader *l, uint64_t n, taco_error *err);
TACO__FN bool taco__chunk_reader_read_optional(taco__chunk_reader *l, uint64_t n, bool keep,
                                               taco_error *err);
TACO__FN bool taco__chunk_reader_read_repeated(taco__chunk_reader *l, uint64_t n, bool keep,
                                               taco_error *err);

/* ---- page_decode.c ---- */

TACO__FN bool taco__page_decode_append(taco__chunk_reader *l, taco__values *s, size_t n,
                                       taco_error *err);
TACO__FN bool taco__page_decode_values(taco__chunk_reader *l, size_t n, taco_error *err);
TACO__FN bool taco__page_decode_skip(taco__chunk_reader *l, size_t n, taco_error *err);
TACO__FN bool taco__page_decode_open(taco__chunk_reader *l, taco_error *err);

/* ---- dictionary_page.c ---- */

TACO__FN bool taco__dictionary_expand_batch(taco__chunk_reader *l, taco_error *err);
TACO__FN bool taco__dictionary_load(taco__chunk_reader *l, taco_error *err);
TACO__FN bool taco__dictionary_load_first(taco__chunk_reader *l, uint64_t first_data,
                                          taco_error *err);
TACO__FN void taco__dictionary_array(const taco__chunk_reader *l, taco_array *out);

/* ---- level_decode.c ---- */

TACO__FN bool taco__level_decode_open_v1(taco__chunk_reader *l, taco__byte_reader *c, taco__rle *r,
                                         unsigned max, uint32_t encoding, taco_error *err);
TACO__FN bool taco__level_decode_open_v2(taco__byte_reader *c, taco__rle *r, unsigned max,
                                         size_t len, taco_error *err);
TACO__FN int16_t *taco__level_decode_reps(const taco__chunk_reader *l);
TACO__FN int16_t *taco__level_decode_defs(const taco__chunk_reader *l);
TACO__FN bool taco__level_decode_read(taco__chunk_reader *l, size_t want, taco_error *err);
TACO__FN size_t taco__level_decode_count_valid(const taco__chunk_reader *l, size_t from, size_t to);
TACO__FN size_t taco__level_decode_row_entries(const taco__chunk_reader *l, size_t m,
                                               uint64_t *rows, bool *begun);
TACO__FN bool taco__level_decode_check_size(const taco__chunk_reader *l, taco_error *err);

/* ---- column_reader.c ---- */

TACO__FN bool taco__column_reader_init(taco__column_reader *c, const taco__pq_schema_node *node,
                                       const taco__pq_metadata *meta, const taco__file_part *part,
                                       const taco_limits *limits, taco__codecs *codecs,
                                       bool always_compressed, taco__mem *mem, taco__arena *arena,
                                       taco_error *err);
TACO__FN void taco__column_reader_free(taco__column_reader *c);
TACO__FN bool taco__column_reader_open(taco__column_reader *c, const taco__pq_column_chunk *chunks,
                                       uint64_t rows, taco_error *err);
TACO__FN bool taco__column_reader_dictionary(taco__column_reader *c, taco_array *out,
                                             taco_error *err);
TACO__FN void taco__column_reader_begin_batch(taco__column_reader *c);
TACO__FN bool taco__column_reader_append(taco__column_reader *c, uint64_t row, size_t n,
                                         taco_error *err);
TACO__FN bool taco__column_reader_finish_batch(taco__column_reader *c, const taco_array **out,
                                               taco_error *err);

/* ---- record_assembly.c ---- */

TACO__FN bool taco__assembly_values(taco__array_buf *b, taco__chunk_reader *l, size_t n,
                                    taco_error *err);
TACO__FN bool taco__assembly_no_leaves(taco__array_buf *b, const taco_field *f, size_t n,
                                       taco_error *err);
TACO__FN bool taco__assembly_build(taco__column_reader *c, taco__array_buf *b,
                                   const taco__pq_schema_node *node, taco__assembly_slots s,
                                   taco_error *err);

/* ---- file_reader.c ---- */

TACO__FN bool taco__pq_file_open(taco_pq_file *f, taco_error *err);
TACO__FN void taco__pq_file_close(taco_pq_file *f);
TACO__FN taco__codecs *taco__pq_file_codecs(taco_pq_file *f, taco_error *err);
TACO__FN bool taco__pq_file_fail_group(const taco_pq_file *f, uint32_t group, taco_error *err);

/* ---- row_reader.c ---- */

TACO__FN void taco__table_from_file(taco__table *t, taco_pq_file *f);
TACO__FN size_t taco__table_find_column(const taco__table *t, const char *name);
TACO__FN uint32_t taco__table_group_count(const taco__table *t);
TACO__FN uint64_t taco__table_group_first_row(const taco__table *t, uint32_t g);
TACO__FN uint64_t taco__table_group_rows(const taco__table *t, uint32_t g);
TACO__FN void taco__row_reader_close(taco__row_reader *r);
TACO__FN bool taco__row_reader_open_with(taco__row_reader *r, const taco__table *t,
                                         const size_t *which, size_t count, taco__codecs *codecs,
                                         taco__mem *mem, taco_error *err);
TACO__FN bool taco__row_reader_open(taco__row_reader *r, const taco__table *t, const size_t *which,
                                    size_t count, taco__mem *mem, taco_error *err);
TACO__FN bool taco__row_reader_open_group(taco__row_reader *r, uint32_t group, taco_error *err);
TACO__FN bool taco__row_reader_take(taco__row_reader *r, const int32_t *idx, size_t n, bool memory,
                                    taco_error *err);
TACO__FN int32_t *taco__row_reader_reserve_index(taco__row_reader *r, size_t n, taco_error *err);
TACO__FN bool taco__row_reader_read_range(taco__row_reader *r, uint64_t first, size_t n,
                                          taco_error *err);
TACO__FN bool taco__row_reader_read(taco__row_reader *r, uint64_t base, const uint32_t *rows,
                                    size_t n, taco_error *err);
TACO__FN bool taco__row_reader_buffer_owner(const taco__row_reader *r, size_t i,
                                            taco__buffer_owner *out);

/* ---- verify.c ---- */

TACO__FN taco_status taco__verify_file(taco_pq_file *file,
                                       bool (*found)(void *ctx, bool fault, const taco_error *what),
                                       void *ctx, taco_pq_checked *sum, taco_error *err);

/* Offset in the file of the next byte. */
TACO__INLINE uint64_t taco__thrift_at(const taco__thrift *t)
{
    return t->base + taco__byte_reader_position(&t->cur);
}

TACO__INLINE bool taco__thrift_ok(const taco__thrift *t)
{
    return t->status == TACO_OK;
}

static const char *const taco__schema_text_physical[8] = {
    "BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"};

/* Swaps numbers from or to little-endian on machines of the other order. */
TACO__INLINE void taco__plain_swap_bytes(void *dst, size_t width, size_t n)
{
    uint8_t *d = (uint8_t *)dst;
    size_t i;
    if (!TACO__BIG_ENDIAN) { return; }
    for (i = 0; i < n; i++, d += width) {
        if (width == 8) {
            uint64_t x = taco__load_le64(d);
            memcpy(d, &x, 8);
        } else if (width == 4) {
            uint32_t x = taco__load_le32(d);
            memcpy(d, &x, 4);
        } else if (width == 2) {
            uint16_t x = taco__load_le16(d);
            memcpy(d, &x, 2);
        }
    }
}

TACO__INLINE const uint8_t *taco__page_cache_bytes(const taco__cached_page *p)
{
    return (const uint8_t *)p + TACO__CACHED_PAGE_SIZE;
}

/* ---- values
   ------------------------------------------------------------------------------------- */

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

/* Bit k is set where entry i + k of the batch, of m <= 64, has a repetition level of at least rep >
   0; the column is repeated. */
TACO__INLINE uint64_t taco__level_decode_rep_mask(const taco__chunk_reader *l, size_t i, size_t m,
                                                  int16_t rep)
{
    return l->schema->max_rep == 1
               ? taco__bitmap_read(l->rep_buf.data, i, m)
               : taco__spacing_level_word(taco__level_decode_reps(l) + i, m, rep);
}

#endif /* TACO__PARQUET_H */
