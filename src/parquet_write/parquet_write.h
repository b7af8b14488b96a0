/* parquet_write.h - Parquet files from batches or from an Arrow stream: encoders, pages, footer

   Reading order:

   file_writer.c         the public calls; batches in, row groups and the footer out
   schema_write.c        fields -> SchemaElements, and a taco__leaf_writer for every leaf column
   schema_like.c         columns that are copied from another file, with its SchemaElements
   write_options.c       the caller's options -> the settings of each leaf
   key_values.c          key-value metadata, "ARROW:schema" among it
   geo_columns.c         GeoParquet: the "geo" key, covering columns; wkb_summary.c walks the WKB
   levels.c              definition and repetition levels, positions of the values (Dremel)
   array_values.c        Arrow values -> the form of PLAIN; plain_values.c holds them
   write_tasks.c         pages of several leaves made by the host's parallel_for
   page_writer.c         decides where pages end, puts one together, compresses it
   encoding_choice.c     which encoding makes a chunk smallest; encode.c has the encodings
   dictionary_builder.c  the distinct values of a chunk
   compress.c            the codecs, one encoder of each kept for all pages
   value_bounds.c        min and max of pages and chunks
   chunk_writer.c        a finished column chunk into the sink, its ColumnMetaData
   page_index_write.c    ColumnIndex, OffsetIndex, histograms of levels
   thrift_write.c        the compact protocol
   stream_import.c       an Arrow C stream -> batches; import_schema.c its fields, import_array.c
                         its buffers

   Other folders use the public calls (taco_pq_write, taco_import_open); taco.h uses nothing of this
   folder. The writer owns what it points to unless a comment says that it is the caller's. The
   first failure stays in taco_pq_writer.err (taco_import.err), functions return false from then on,
   and the running public call returns the code. Nothing is read back from the sink. */
#ifndef TACO__PARQUET_WRITE_H
#define TACO__PARQUET_WRITE_H

#include "../api/taco_parquet_write.h"
#include "../base/base.h"
#include "../codec/encode.h"
#include "../parquet/parquet.h"

/* ---- imports ---- */

/* How the buffers of an Arrow type are converted. */
typedef enum taco__import_kind {
    TACO__IMPORT_NONE,    /* type NULL: no buffers */
    TACO__IMPORT_BITS,    /* BOOL */
    TACO__IMPORT_FIXED,   /* values of the same width and meaning: used in place */
    TACO__IMPORT_DECIMAL, /* of 4 to 32 bytes, sign-extended to 16 or 32 */
    TACO__IMPORT_DATE64,  /* milliseconds -> days */
    TACO__IMPORT_MONTHS,  /* int32 */
    TACO__IMPORT_DAYS,    /* int32 days, int32 milliseconds */
    TACO__IMPORT_MIXED,   /* int32 months, int32 days, int64 nanoseconds */
    TACO__IMPORT_TEXT,    /* offsets of 32 or 64 bits, and bytes */
    TACO__IMPORT_VIEW,    /* 16 bytes each: the text, or where it is */
    TACO__IMPORT_LIST,
    TACO__IMPORT_FIXED_LIST,
    TACO__IMPORT_STRUCT
} taco__import_kind;

/* A field of the stream, with the buffers that its arrays are converted into. */
typedef struct taco__import_node {
    taco_field *field; /* the converted field */
    taco__import_kind kind;
    size_t width;        /* bytes of a value, an offset or an index in the stream */
    bool is_signed;      /* dictionary indices only */
    bool nested;         /* below another field: rows under a null parent are undefined */
    int32_t list_length; /* FIXED_LIST: items of every list */
    struct taco__import_node *children;
    taco_array *arrays; /* of the children */
    /* of the values, if there is a dictionary; this node then describes the indices, with the field
       of the values */
    struct taco__import_node *dictionary;
    /* The dictionary whose values are in `decoded`, valid while decoded_turn is the import's turn:
       a stream may reuse the address of a released array. */
    const struct ArrowArray *decoded_from;
    uint64_t decoded_turn;
    taco_array decoded;
    taco__buf validity, offsets, values;
} taco__import_node;

struct taco_import {
    taco__mem mem;
    taco__arena arena; /* fields and nodes */
    taco_error err;
    taco_limits limits;
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray array; /* the array whose rows are being returned; the import releases it */
    uint64_t turn;           /* number of arrays received */
    uint64_t next_row;       /* first row of the array not yet returned */
    uint64_t rows;           /* rows returned so far */
    taco__import_node root;  /* the table itself, a STRUCT */
    uint64_t field_count;    /* against limits.max_columns */
    bool ended;
    bool too_large; /* the failure may be avoided by a batch with fewer rows */
};

/* ---- Thrift ---- */

#define TACO__THRIFT_WRITE_DEPTH 16 /* most nested structures; ours go six deep */

/* A writer of structures. After a failure, which sets `bad` and err, nothing is written. */
typedef struct taco__thrift_writer {
    taco__buf *out;
    taco_error *err;
    bool bad;
    unsigned depth;
    int16_t last[TACO__THRIFT_WRITE_DEPTH]; /* number of the last field, per open structure */
} taco__thrift_writer;

/* ---- a leaf column in parts, each changed by one file ---- */

/* The entries of a batch's rows for one leaf: one per value, null or empty list (levels.c). */
typedef struct taco__levels {
    taco__mem *mem;
    taco__buf def, rep, index;    /* int16, int16, uint32 per entry */
    taco__buf def2, rep2, index2; /* the next ones, while a list is expanded; then swapped */
    size_t entries;
    /* After taco__levels_make, index holds only the positions of the values in `leaf`. */
    size_t values;
    const taco_array *leaf;
    int16_t max_def, max_rep;
    bool any_none; /* some entries may have no value */
    /* After taco__levels_make: the positions of the values are consecutive numbers. */
    bool consecutive;
} taco__levels;

/* Values in PLAIN form (Encodings.md): fixed widths little-endian in sequence, a BOOLEAN as a byte
   of 0 or 1, byte arrays without their lengths, with offsets. */
typedef struct taco__plain_values {
    size_t width; /* bytes of a value; 0 for byte arrays */
    size_t count;
    taco__buf bytes;
    /* Byte arrays only: uint32, value i being bytes [offsets[i], offsets[i + 1]). len counts only
       `count` of them: the end of the last value is stored past it, where the next append
       begins. */
    taco__buf offsets;
} taco__plain_values;

/* The leaf in the schema (schema_write.c); never changes. */
typedef struct taco__leaf_schema {
    const taco_field *field;
    uint32_t column;   /* the top-level column it belongs to */
    uint32_t *path;    /* child to take at every STRUCT and map entry, for taco__levels_make */
    taco_bytes *names; /* path_in_schema */
    size_t name_count;
    int32_t type;        /* TACO__PQ_INT32 and so on */
    int32_t type_length; /* of TACO__PQ_FIXED */
    taco__stats_order order;
    int16_t max_def, max_rep;
} taco__leaf_schema;

/* How it is written, from the options (write_options.c); never changes. */
typedef struct taco__leaf_settings {
    taco_encoding encoding; /* AUTO if the requested one does not fit the type */
    int32_t codec;          /* CompressionCodec */
    int level;
    bool bloom, stats, page_index;
    /* Dictionary-encoded in Arrow, too: pyarrow restores a dictionary only from dictionary pages
       and PLAIN, so nothing else is tried. */
    bool arrow_dictionary;
} taco__leaf_settings;

/* Entries and values that are not in a page yet (page_writer.c). */
typedef struct taco__leaf_input {
    taco__plain_values values;
    taco__buf def, rep; /* int16 each */
    size_t entries;
} taco__leaf_input;

/* The current page: entries [first_entry, entry) and values [first_value, value) of the input
   (page_writer.c). */
typedef struct taco__open_page {
    size_t first_entry, first_value;
    size_t entry, value;
    size_t rows, bytes;
    uint64_t hash; /* content-defined ends: hash of the last 64 bytes, across page ends */
    bool boundary; /* the hash found an end in this row */
} taco__open_page;

/* The distinct values of a chunk in order of occurrence (dictionary_builder.c). */
typedef struct taco__dict_builder {
    taco__plain_values values;
    /* A hash table with linear probing: uint32 positions + 1, 0 for a free slot. slot_count is 0 or
       a power of two, at least twice values.count. */
    taco__buf slots;
    size_t slot_count;
    taco__buf indices; /* uint32, for the values added last */
} taco__dict_builder;

typedef enum taco__dictionary_mode {
    /* no page of the chunk had values yet, or those that had are waiting */
    TACO__DICTIONARY_UNDECIDED,
    TACO__DICTIONARY_USED,
    TACO__DICTIONARY_UNUSED /* not smaller, or exceeded dictionary_bytes */
} taco__dictionary_mode;

/* State of a dictionary that does not pay for the first page with values, but may for the chunk:
   its pages wait in the input, and further ones are examined (encoding_choice.c). */
typedef struct taco__dictionary_trial {
    uint32_t pages; /* waiting pages; 0: the first has not been examined */
    size_t bytes;   /* their size, as counted for page_bytes */
    size_t seen;    /* values in the dictionary */
    /* for the first page: its values, their size without dictionary; and with one, the size of the
       dictionary, before and after compression, and of the indices, at `width` bits each */
    size_t values, direct, plain, dictionary, indices;
    unsigned width;
    /* size of all pages so far, without and with a dictionary */
    uint64_t direct_sum, dictionary_sum;
} taco__dictionary_trial;

/* Statistics of a chunk (value_bounds.c, page_writer.c). */
typedef struct taco__chunk_stats {
    taco__buf min, max;  /* whole values, not truncated as bounds are */
    bool bounded;        /* some value has bounds: min and max are set */
    bool unbounded_page; /* some page has values but no bounds: no ColumnIndex */
    int64_t nulls, nans;
    int64_t unencoded; /* size of byte arrays, without lengths */
} taco__chunk_stats;

/* One data page, for the indexes. */
typedef struct taco__page_record {
    uint64_t offset; /* offset in the chunk's data pages */
    uint32_t size;   /* including its header */
    uint64_t first_row;
    int64_t nulls, nans, unencoded;
    bool all_null, bounded;
    size_t min_at, min_len, max_at, max_len; /* positions in taco__chunk_pages.bounds */
} taco__page_record;

#define TACO__PQ_ENCODINGS 10 /* Encoding: 0 to 9 */

/* The encoded pages of the current chunk (page_writer.c). */
typedef struct taco__chunk_pages {
    taco__buf bytes;        /* headers and bodies, as in the file */
    taco__buf records;      /* taco__page_record each */
    taco__buf bounds;       /* their min and max */
    taco__buf level_counts; /* int64: entries by repetition, then by definition level, per page */
    taco__buf hashes;       /* uint64 of every value, for the bloom filter */
    size_t count;
    uint64_t rows, entries;
    uint64_t plain_bytes; /* size of headers and uncompressed bodies */
    uint32_t by_encoding[TACO__PQ_ENCODINGS];
    uint32_t with_dictionary, without_dictionary; /* the latter: only pages with values */
} taco__chunk_pages;

typedef struct taco__leaf_writer {
    taco__leaf_schema schema;
    taco__leaf_settings settings;
    taco__leaf_input input;
    taco__open_page page;
    taco__dict_builder dict;
    taco__dictionary_mode mode;
    taco__dictionary_trial trial;
    bool indexed;   /* dict.indices are already those of the open page */
    int32_t direct; /* encoding of pages without dictionary; set when mode is */
    taco__chunk_stats stats;
    taco__chunk_pages pages;
    size_t ahead; /* rows of the current batch that a task has already added (write_tasks.c) */
} taco__leaf_writer;

#define TACO__PQ_TRIAL_VALUES 4096      /* number of values used to choose an encoding */
#define TACO__PQ_TRIAL_PAGES  8         /* most pages used to decide about a dictionary, */
#define TACO__PQ_TRIAL_BYTES  2097152   /* and their size */
#define TACO__PQ_BOUND_BYTES  64        /* of text and binary bounds; longer ones are cut */
#define TACO__PQ_BOUND_MAX    4096      /* a bound that cannot be truncated is omitted if longer */
#define TACO__PQ_BLOOM_MAX    134217728 /* most bytes of a bloom filter, as in parquet-mr */

/* ---- geometries ---- */

/* What is known about the geometries of a column, or a single one (wkb_summary.c). */
typedef struct taco__wkb_summary {
    uint32_t types; /* bit 1 .. 7: WKB type without Z; 17 .. 23: with Z */
    /* some were not WKB, have M, or an infinite coordinate: types and bounds are incomplete */
    bool odd;
    double min[3], max[3]; /* of finite coordinates; min > max: none */
} taco__wkb_summary;

typedef struct taco__geo_column {
    size_t column;
    const char *name, *crs,
        *covering; /* crs: PROJJSON or NULL; covering: a column's name or NULL */
    bool spherical;
    taco__wkb_summary summary;
    /* A covering that the caller does not provide is made here: column `made`, 0 for none, from the
       rows of one batch. */
    size_t made;
    taco__buf box[4], validity; /* xmin, ymin, xmax, ymax */
    taco_array side[4], array;
} taco__geo_column;

/* ---- the writer ---- */

/* The encoders, created on first use (compress.c). */
typedef struct taco__compressor {
    taco__mem *mem;
    taco__zstd_encoder *zstd; /* for zstd_level */
    int zstd_level;
    taco__snappy_encoder *snappy;
    taco__lz4_encoder *lz4;
    taco__deflater *gzip;
} taco__compressor;

/* Content-defined page ends: a random number per byte, and the bits of their rolling sum that are
   all zero at an end (page_writer.c). */
typedef struct taco__gear {
    uint64_t table[256];
    uint64_t mask;
} taco__gear;

/* Buffers that are only used within one call. */
typedef struct taco__write_scratch {
    taco__levels levels;
    taco__buf body;    /* a page, a filter, a footer, a document */
    taco__buf packed;  /* the compressed page */
    taco__buf trial;   /* a trial encoding; a second document */
    taco__buf lengths; /* uint32 per value, for the encodings of byte arrays */
} taco__write_scratch;

/* Where the parts of a chunk named in the footer are. */
typedef struct taco__chunk_record {
    size_t meta_at, meta_len;              /* ColumnMetaData, in taco__footer_parts.metas */
    size_t column_at, column_len;          /* ColumnIndex, in .indexes; len 0: none */
    size_t offset_at, offset_len;          /* OffsetIndex */
    uint64_t column_offset, offset_offset; /* in the file, once written */
} taco__chunk_record;

typedef struct taco__group_record {
    uint64_t rows, offset, uncompressed, compressed;
} taco__group_record;

/* The contents of the footer, collected while the file grows. */
typedef struct taco__footer_parts {
    taco__buf schema, keys; /* SchemaElements, KeyValues, each a Thrift structure */
    uint32_t schema_count, key_count;
    taco__buf metas, indexes; /* Thrift structures; the records say where each is */
    taco__buf chunks, groups; /* taco__chunk_record, taco__group_record each */
} taco__footer_parts;

struct taco_pq_writer {
    taco__mem mem;
    taco__arena arena; /* fields, leaves, geometry columns */
    taco_error err;
    taco_sink sink;
    uint64_t offset;                 /* bytes written */
    taco_pq_write_options opt;       /* pointers are the caller's, NULL after taco_pq_write */
    const struct ArrowSchema *arrow; /* schema of the stream, or NULL; only as long */
    taco_field *fields;
    size_t caller_count, field_count; /* coverings made here come after the caller's columns */
    taco__geo_column *geo;
    size_t geo_count;
    taco__leaf_writer *leaves;
    size_t leaf_count;
    bool all_alike;  /* the columns are all those of opt.like, in its order */
    taco__gear gear; /* where opt.content_defined */
    taco__compressor compressor;
    taco__write_scratch scratch;
    taco_options host;              /* whose parallel_for makes pages */
    struct taco__write_task *tasks; /* write_tasks.c; NULL: none */
    uint64_t waiting;               /* bytes added to leaves since the last round */
    bool only_adds;                 /* in a task that only adds rows and makes no pages */
    taco__footer_parts footer;
    uint64_t group_rows, rows; /* rows of the current row group, and of those before it */
};

/* A page before its header is made; the body is in scratch.body. */
typedef struct taco__page_body {
    int32_t type, encoding;
    size_t entries, nulls, rows;
    size_t rep_len, def_len; /* bytes of the levels */
    size_t plain;            /* bytes of the whole body, uncompressed */
    bool compressed;
} taco__page_body;

/* ---- file_writer.c ---- */

#define TACO__PQ_WRITER_ROWS 8192 /* number of rows whose levels are made at a time */

TACO__FN void taco__pq_writer_init_scratch(taco__write_scratch *s, taco__mem *mem);
TACO__FN void taco__pq_writer_free_scratch(taco__write_scratch *s);
/* Appends to the sink. */
TACO__FN bool taco__pq_writer_write(taco_pq_writer *w, const void *data, size_t len);

/* ---- schema_write.c ---- */

/* A copy in the arena of the caller's fields, which need not live as long; NULL on failure. */
TACO__FN taco_field *taco__schema_write_copy_fields(taco_pq_writer *w, const taco_field *f,
                                                    size_t n, uint32_t depth);
/* Makes footer.schema and the leaves of w->fields. */
TACO__FN bool taco__schema_write(taco_pq_writer *w);

/* ---- schema_like.c ---- */

/* The column of opt.like that column i of the caller is a copy of; NULL if there is none. `*next`
   is 0 for the first column, and is kept between calls: columns of one name are found in order. */
TACO__FN const taco__pq_schema_node *taco__schema_like_find(taco_pq_writer *w, size_t i,
                                                            uint32_t *next);
/* Appends the elements of a column of opt.like to footer.schema, as they are. */
TACO__FN bool taco__schema_like_elements(taco_pq_writer *w, const taco__pq_schema_node *node);
/* Makes the schema of a leaf that of leaf number `leaf` of opt.like. */
TACO__FN bool taco__schema_like_leaf(taco_pq_writer *w, taco__leaf_schema *s, uint32_t leaf);

/* ---- write_options.c ---- */

/* The Encoding for an option; -1 if the leaf's type cannot have it. */
TACO__FN int32_t taco__write_options_encoding(const taco__leaf_schema *s, taco_encoding option);
/* Fills in defaults and the settings of all leaves. */
TACO__FN bool taco__write_options_apply(taco_pq_writer *w);

/* ---- key_values.c ---- */

/* value.data NULL: a key without a value. */
TACO__FN bool taco__key_values_add(taco_pq_writer *w, taco_bytes key, taco_bytes value);
/* Writes the caller's keys, those of the stream, and "ARROW:schema" if needed. */
TACO__FN bool taco__key_values_write(taco_pq_writer *w);

/* ---- geo_columns.c ---- */

TACO__FN bool taco__geo_column_init_all(taco_pq_writer *w);
/* Writes the "geo" key; called last, after all rows. */
TACO__FN bool taco__geo_column_write_key(taco_pq_writer *w);
/* Adds rows [first, first + n) of the geometry column to its summary, and makes their covering if
   it is made here. */
TACO__FN bool taco__geo_column_add_rows(taco_pq_writer *w, taco__geo_column *g, const taco_array *a,
                                        size_t first, size_t n);
/* The covering made last, for a column beyond the caller's. */
TACO__FN const taco_array *taco__geo_column_made_array(const taco_pq_writer *w, size_t column);

/* ---- wkb_summary.c ---- */

TACO__FN void taco__wkb_summary_init(taco__wkb_summary *s);
/* Adds a geometry; box becomes its bounds, xmin, ymin, xmax, ymax. False if it has none: it is
   empty, or not WKB. */
TACO__FN bool taco__wkb_summary_add(taco__wkb_summary *s, taco_bytes b, double box[4]);

/* ---- levels.c ---- */

TACO__FN void taco__levels_init(taco__levels *l, taco__mem *mem);
TACO__FN void taco__levels_free(taco__levels *l);
/* The entries of rows [first, first + n) of the leaf that path leads to below a top-level array. */
TACO__FN bool taco__levels_make(taco__levels *l, const taco_array *a, const uint32_t *path,
                                size_t first, size_t n, taco_error *err);

/* ---- plain_values.c ---- */

TACO__FN void taco__plain_values_init(taco__plain_values *v, size_t width, taco__mem *mem);
TACO__FN bool taco__plain_values_append(taco__plain_values *v, taco_bytes value, taco_error *err);
/* Keeps only the first n values, and the memory. */
TACO__FN void taco__plain_values_truncate(taco__plain_values *v, size_t n);
/* Drops the first n values. */
TACO__FN void taco__plain_values_drop_front(taco__plain_values *v, size_t n);

/* ---- array_values.c ---- */

/* Appends values [at, at + n) of those that taco__levels_make found to the leaf's input; changes
   their positions. */
TACO__FN bool taco__array_values_append(taco__leaf_writer *l, taco__levels *v, size_t at, size_t n,
                                        taco_error *err);

/* ---- write_tasks.c ---- */

/* Number of rows given to tasks at a time. */
#define TACO__WRITE_TASK_ROWS 65536
#define TACO__LEAF_BUFFERS    15

/* All buffers of a leaf. */
TACO__FN void taco__write_tasks_buffers(taco__leaf_writer *l, taco__buf *out[TACO__LEAF_BUFFERS]);
/* Called once the leaves are known. */
TACO__FN void taco__write_tasks_open(taco_pq_writer *w);
TACO__FN void taco__write_tasks_close(taco_pq_writer *w);
/* Whether a leaf's full pages wait for a round of tasks. */
TACO__FN bool taco__write_tasks_may_wait(const taco_pq_writer *w);
/* Lets tasks add rows [first, first + n) of a batch to the leaves, n at most TACO__WRITE_TASK_ROWS;
   afterwards each has taken the first l->ahead of them, possibly none. */
TACO__FN void taco__write_tasks_add_rows(taco_pq_writer *w, const taco_batch *b, size_t first,
                                         size_t n);
/* Makes the pages of all leaves, if there is enough for a round, or with `last` in any case. */
TACO__FN bool taco__write_tasks_end_full_pages(taco_pq_writer *w, bool last);

/* ---- page_writer.c ---- */

/* Adds rows [first, first + n) of a top-level column to one of its leaves, and makes full pages. */
TACO__FN bool taco__page_writer_add_rows(taco_pq_writer *w, taco__leaf_writer *l,
                                         const taco_array *a, size_t first, size_t n);
/* Makes pages of the input where they are full; with `last` of all of it. */
TACO__FN bool taco__page_writer_end_full_pages(taco_pq_writer *w, taco__leaf_writer *l, bool last);
/* Compresses scratch.body to scratch.packed, or copies it if that is not smaller; without a codec
   both are exchanged. */
TACO__FN bool taco__page_writer_compress(taco_pq_writer *w, const taco__leaf_writer *l,
                                         taco__page_body *b);
/* Appends a PageHeader and scratch.packed to out. */
TACO__FN bool taco__page_writer_append_page(taco_pq_writer *w, const taco__page_body *b,
                                            taco__buf *out);

/* ---- encoding_choice.c ---- */

/* Appends values [at, at + n) of the input in an encoding without dictionary. */
TACO__FN bool taco__encoding_choice_encode(taco_pq_writer *w, const taco__leaf_writer *l,
                                           int32_t encoding, size_t at, size_t n, taco__buf *out);
/* Sets l->direct to the encoding that makes these values smallest, judging by the first few
   thousand. */
TACO__FN bool taco__encoding_choice_choose_direct(taco_pq_writer *w, taco__leaf_writer *l,
                                                  size_t at, size_t n);
/* Decides l->mode and l->direct for the chunk, from values [at, at + n) of the input, those of its
   first pages; or leaves the mode UNDECIDED if another page would help. `all`: there is none. */
TACO__FN bool taco__encoding_choice_choose(taco_pq_writer *w, taco__leaf_writer *l, size_t at,
                                           size_t n, bool all);

/* ---- dictionary_builder.c ---- */

/* Finds or adds values [at, at + n) of v and sets d->indices to their positions. *fits is false if
   the dictionary would exceed most_bytes as a PLAIN page: its values are unchanged, but it must not
   grow any more, because slots may refer to dropped values. */
TACO__FN bool taco__dict_builder_add_values(taco__dict_builder *d, const taco__plain_values *v,
                                            size_t at, size_t n, size_t most_bytes, bool *fits,
                                            taco_error *err);
/* Empties the dictionary for the next chunk; the memory stays. */
TACO__FN void taco__dict_builder_clear(taco__dict_builder *d);
/* Appends the body of the dictionary page. */
TACO__FN bool taco__dict_builder_append_plain(const taco__dict_builder *d, taco__buf *out,
                                              taco_error *err);

/* ---- encode.c ---- */

/* Each appends n values, and is false only without memory. Levels as RLE without a length. */
TACO__FN bool taco__encode_levels(taco__buf *out, const int16_t *levels, size_t n, int16_t max,
                                  taco_error *err);
/* RLE_DICTIONARY: indices into a dictionary of `entries`, after the bit width. */
TACO__FN bool taco__encode_indices(taco__buf *out, const uint32_t *v, size_t n, size_t entries,
                                   taco_error *err);
/* BOOLEAN from bytes of 0 and 1: RLE after its length; PLAIN as bits. */
TACO__FN bool taco__encode_bools_rle(taco__buf *out, const uint8_t *v, size_t n, taco_error *err);
TACO__FN bool taco__encode_bools(taco__buf *out, const uint8_t *v, size_t n, taco_error *err);
/* DELTA_BINARY_PACKED of integers of 4 or 8 bytes. */
TACO__FN bool taco__encode_delta(taco__buf *out, const uint8_t *v, size_t width, size_t n,
                                 taco_error *err);
/* PLAIN: each value after its length. */
TACO__FN bool taco__encode_byte_arrays(taco__buf *out, const uint8_t *bytes,
                                       const uint32_t *offsets, size_t n, taco_error *err);
/* DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY; the latter also for values of one width, with
   offsets NULL. lengths: scratch of 4 n bytes. */
TACO__FN bool taco__encode_delta_length(taco__buf *out, const uint8_t *bytes,
                                        const uint32_t *offsets, size_t n, uint8_t *lengths,
                                        taco_error *err);
TACO__FN bool taco__encode_delta_strings(taco__buf *out, const uint8_t *bytes,
                                         const uint32_t *offsets, size_t width, size_t n,
                                         uint8_t *lengths, taco_error *err);
TACO__FN bool taco__encode_byte_stream_split(taco__buf *out, const uint8_t *v, size_t width,
                                             size_t n, taco_error *err);

/* ---- compress.c ---- */

/* The CompressionCodec of an option; false, with err set, if there is none or no encoder. */
TACO__FN bool taco__compress_codec_number(taco_codec codec, int32_t *out, taco_error *err);
/* Appends src to out, compressed with the leaf's codec. */
TACO__FN bool taco__compress_append(taco_pq_writer *w, const taco__leaf_settings *s, taco_bytes src,
                                    taco__buf *out);
TACO__FN void taco__compress_free(taco__compressor *c);

/* ---- value_bounds.c ---- */

/* Adds bounds of values [at, at + n) of the input to the page's record and the chunk's
   statistics. */
TACO__FN bool taco__value_bounds_add_page(taco__leaf_writer *l, size_t at, size_t n,
                                          taco__page_record *p, taco_error *err);
/* Writes Statistics as field `id` of the current structure of t. */
TACO__FN bool taco__value_bounds_write(taco_pq_writer *w, const taco__leaf_writer *l,
                                       taco__thrift_writer *t, int16_t id);

/* ---- chunk_writer.c ---- */

/* Writes the leaf's pages, dictionary and filter to the sink, collects what the footer needs, and
   clears the leaf for the next row group. */
TACO__FN bool taco__chunk_writer_end_chunk(taco_pq_writer *w, taco__leaf_writer *l,
                                           taco__group_record *g);
/* Adds the column's name to the failure; false. */
TACO__FN bool taco__chunk_writer_fail(taco_pq_writer *w, const taco__leaf_writer *l);

/* ---- page_index_write.c ---- */

/* Histograms of levels as fields id and id + 1: of all pages in sequence, or with `sum` of the
   chunk. */
TACO__FN void taco__page_index_write_histograms(const taco__leaf_writer *l, taco__thrift_writer *t,
                                                int16_t id, bool sum);
/* Append to footer.indexes; the ColumnIndex only if every page with values has bounds. data: offset
   of the chunk's first data page. */
TACO__FN bool taco__page_index_write_column_index(taco_pq_writer *w, const taco__leaf_writer *l);
TACO__FN bool taco__page_index_write_offset_index(taco_pq_writer *w, const taco__leaf_writer *l,
                                                  uint64_t data);
/* Writes the indexes of all chunks to the sink, and stores their positions in the records. */
TACO__FN bool taco__page_index_write_all(taco_pq_writer *w);

/* ---- thrift_write.c ---- */

/* Begins a structure after the buffer's contents; taco__thrift_write_end ends it. */
TACO__FN void taco__thrift_write_init(taco__thrift_writer *w, taco__buf *out, taco_error *err);
/* Without a field header: raw bytes; items of a list. */
TACO__FN void taco__thrift_write_raw(taco__thrift_writer *w, const void *data, size_t len);
TACO__FN void taco__thrift_write_u8(taco__thrift_writer *w, unsigned x);
TACO__FN void taco__thrift_write_number(taco__thrift_writer *w, int64_t x);
TACO__FN void taco__thrift_write_bytes(taco__thrift_writer *w, taco_bytes b);
/* The header of a field, and whole fields. Numbers of fields ascend within a structure. */
TACO__FN void taco__thrift_write_field(taco__thrift_writer *w, int16_t id, unsigned type);
TACO__FN void taco__thrift_write_i32(taco__thrift_writer *w, int16_t id, int32_t x);
TACO__FN void taco__thrift_write_i64(taco__thrift_writer *w, int16_t id, int64_t x);
TACO__FN void taco__thrift_write_bool(taco__thrift_writer *w, int16_t id, bool x);
TACO__FN void taco__thrift_write_binary(taco__thrift_writer *w, int16_t id, taco_bytes b);
/* The header of a list; its n items follow. */
TACO__FN void taco__thrift_write_list(taco__thrift_writer *w, int16_t id, unsigned type, size_t n);
/* Begin a nested structure: an item of a list; a field. */
TACO__FN void taco__thrift_write_begin_item(taco__thrift_writer *w);
TACO__FN void taco__thrift_write_begin(taco__thrift_writer *w, int16_t id);
/* Ends the innermost structure; false if anything has failed. */
TACO__FN bool taco__thrift_write_end(taco__thrift_writer *w);
/* A member of a union that has no fields. */
TACO__FN void taco__thrift_write_empty(taco__thrift_writer *w, int16_t id);

/* ---- stream_import.c ---- */

/* As the public calls without _; err is not NULL. */
TACO__FN taco_import *taco__import_open(struct ArrowArrayStream *stream, const taco_options *opt,
                                        taco_error *err);
TACO__FN bool taco__import_next(taco_import *in, taco_batch *out);
TACO__FN taco_status taco__import_close(taco_import *in, taco_error *err);

/* ---- import_schema.c ---- */

TACO__FN void taco__import_schema_init_node(taco_import *in, taco__import_node *k);
/* Fills k, whose field is set, and makes the nodes below it. */
TACO__FN bool taco__import_schema_field(taco_import *in, taco__import_node *k,
                                        const struct ArrowSchema *s, uint32_t depth);
TACO__FN bool taco__import_schema_fail(taco_import *in, const struct ArrowSchema *s,
                                       const char *what);

/* ---- import_array.c ---- */

/* Rows [first, first + n) of an array as *out, which is valid until the next call for the same
   node. The contents of the producer's buffers are checked; their length cannot be. */
TACO__FN bool taco__import_array(taco_import *in, taco__import_node *k, const struct ArrowArray *a,
                                 uint64_t first, size_t n, taco_array *out);
TACO__FN bool taco__import_array_fail(taco_import *in, const taco__import_node *k, const char *what,
                                      uint64_t found, uint64_t allowed);

/* ---- inline helpers ---- */

TACO__INLINE int16_t *taco__levels_values(const taco__buf *b)
{
    return (int16_t *)(void *)b->data;
}

TACO__INLINE uint32_t *taco__levels_indices(const taco__buf *b)
{
    return (uint32_t *)(void *)b->data;
}

TACO__INLINE uint32_t *taco__plain_values_offsets(const taco__plain_values *v)
{
    return (uint32_t *)(void *)v->offsets.data;
}

TACO__INLINE taco_bytes taco__plain_values_at(const taco__plain_values *v, size_t i)
{
    const uint32_t *offsets = taco__plain_values_offsets(v);
    return v->width ? taco__bytes_of(v->bytes.data + i * v->width, v->width)
                    : taco__bytes_of(v->bytes.data + offsets[i], offsets[i + 1] - offsets[i]);
}

TACO__INLINE const uint32_t *taco__dict_builder_indices(const taco__dict_builder *d)
{
    return (const uint32_t *)(const void *)d->indices.data;
}

/* Histograms of levels are written only if they say more than the counts of entries and nulls. */
TACO__INLINE bool taco__page_index_write_has_histograms(const taco__leaf_writer *l)
{
    return l->settings.stats && (l->schema.max_rep > 0 || l->schema.max_def > 1);
}

#endif /* TACO__PARQUET_WRITE_H */
