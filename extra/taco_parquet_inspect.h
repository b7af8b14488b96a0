/* taco_parquet_inspect.h - print a Parquet file's schema and footer as text and JSON, and verify
   all of its pages. Optional; needs taco_parquet.h next to it.

   Do this in exactly one source file, before other includes:

       #define TACO_PARQUET_IMPLEMENTATION
       #include "taco_parquet_inspect.h"

   and include the header without the macro everywhere else. Switches, memory, threads and errors
   are as in taco_parquet.h.

       taco_error      err = {0};
       taco_pq_file   *file = taco_pq_open("level0.parquet", NULL, &err);
       taco_bytes      schema = taco_pq_schema_text(file, &err);
       taco_pq_checked sum;

       printf("%.*s", (int)schema.len, (const char *)schema.data);
       if (taco_pq_verify(file, NULL, NULL, &sum, &err)) puts(taco_error_text(&err));
       taco_pq_close(file);

   GENERATED from src/ by `make headers`: edit src/, not this file. src/where.sh
   taco_parquet_inspect.h:LINE prints where a line comes from. */
#ifndef TACO_PARQUET_INSPECT_H
#define TACO_PARQUET_INSPECT_H

#include "taco_parquet.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Return the schema in Parquet's message type notation; row groups, chunks and statistics as one
   JSON object; and the same as readable text. The result of _meta_json lives until its next call,
   those of the others until the next call of either; none outlives the file. */
TACO_API taco_bytes taco_pq_schema_text(taco_pq_file *file, taco_error *err);
TACO_API taco_bytes taco_pq_meta_json(taco_pq_file *file, taco_error *err);
TACO_API taco_bytes taco_pq_meta_text(taco_pq_file *file, taco_error *err);

/* What taco_pq_verify has checked and found. */
typedef struct taco_pq_checked {
    uint64_t row_groups, rows, chunks; /* checked and good */
    uint64_t pages, crcs, values;      /* pages read, pages with a CRC, level entries in pages */
    uint64_t skipped;                  /* chunks that are encrypted or in another file */
    uint64_t faults, warnings;
} taco_pq_checked;

/* Reads every page of every column chunk and checks CRCs, lengths, levels, dictionary indices,
   values, row counts, and the offset and column index against the pages. Inconsistencies are
   faults; statistics that the values contradict, bloom filters that miss a value, and whatever else
   readers cope with, are warnings. found is called for each, in file order and always from the
   calling thread, with a text that says where, valid during the call; it returns false to stop.
   After a fault the rest of that chunk is skipped. If found is NULL, the first fault ends the work.
   *out, which may be NULL, is filled on failure too. Returns the code of the first fault, which is
   also in err; TACO_OK when there is none.

       file   the file to verify
       found  called for each finding, with fault false for a warning; may be NULL
       ctx    passed to found
       out    gets the counts; may be NULL */
TACO_API taco_status taco_pq_verify(taco_pq_file *file,
                                    bool (*found)(void *ctx, bool fault, const taco_error *what),
                                    void *ctx, taco_pq_checked *out, taco_error *err);

#ifdef __cplusplus
}
#endif

#endif /* TACO_PARQUET_INSPECT_H */

#if (defined(TACO_PARQUET_IMPLEMENTATION) || defined(TACO_IMPLEMENTATION)) && !defined(TACO__PARQUET_INSPECT_IMPLEMENTED)
#define TACO__PARQUET_INSPECT_IMPLEMENTED
#include "taco_parquet.h" /* its implementation too, where only its declarations were seen before */

/* Made from these files of src/ by `make headers`; edit them, not this.

   parquet_inspect/inspect.h            what a Parquet file says about itself as text, and the checker of whole files
   parquet_inspect/verify.h             what the checker of whole files knows, for verify*.c only
   parquet_inspect/describe.c           pieces of metadata as text: names, numbers, enumerations, bounds
   parquet_inspect/schema_text.c        a schema in message type notation: "optional int64 t;"
   parquet_inspect/footer_text.c        a footer as lines for people, one for each column chunk
   parquet_inspect/footer_json.c        a footer as one JSON object: schema, row groups, chunks
   parquet_inspect/verify_values.c      values against the bounds and the bloom filter of a file
   parquet_inspect/verify.c             every page of a file read, and compared with all that is claimed
   parquet_inspect/verify_tasks.c       columns of row groups checked by the host's parallel_for
*/

/* ==== src/parquet_inspect/inspect.h ==== */
/* inspect.h - what a Parquet file says about itself as text, and the checker of whole files

   In: an open file (parquet/file_reader.c); out: schema and footer for people and as JSON, and
   findings. In reading order:

     describe.c        names, numbers, bounds as text and JSON
     schema_text.c     the schema in message type notation
     footer_text.c     row groups and chunks as lines
     footer_json.c     all of it as one JSON object
     verify.c          every page read, counted, compared with indexes
     verify_values.c   values against statistics and bloom filters
     verify_tasks.c    columns side by side (verify.h is for these three)

   Nothing here is needed to read data: programs that only read leave it out. */
#ifndef TACO__PARQUET_INSPECT_H
#define TACO__PARQUET_INSPECT_H

/* #include "../api/taco_parquet_inspect.h" */
/* #include "../parquet/parquet.h" */

/* ---- describe.c: metadata as text ---- */

/* Appends to a buffer until something fails; then nothing more happens and `ok` says so. */
typedef struct taco__describe_out {
    taco__buf *buf;
    taco_error *err;
    bool ok;
} taco__describe_out;

TACO__FN taco__describe_out taco__describe_out_init(taco__buf *buf, taco_error *err);
TACO__FN void taco__describe_text(taco__describe_out *o, const char *s);
TACO__FN void taco__describe_u64(taco__describe_out *o, uint64_t x);
TACO__FN void taco__describe_i64(taco__describe_out *o, int64_t x);
/* A name in the schema's text: bytes that would break its lines or are not UTF-8 become \xNN. */
TACO__FN void taco__describe_name(taco__describe_out *o, taco_bytes b);
/* A JSON string, quotes included: RFC 8259 §7. What is not UTF-8 becomes U+FFFD. */
TACO__FN void taco__describe_json_string(taco__describe_out *o, taco_bytes b);
/* Name i of a table of n, or the number where the table has none. */
TACO__FN void taco__describe_codec(taco__describe_out *o, int32_t codec);
TACO__FN void taco__describe_encoding(taco__describe_out *o, int32_t encoding);
/* "INT32": a physical type, as parquet.thrift spells it. */
TACO__FN void taco__describe_physical(taco__describe_out *o, int32_t type);
/* A PLAIN HALF, FLOAT or DOUBLE as JSON: a number, or a word in quotes. */
TACO__FN void taco__describe_float(taco__describe_out *o, taco_bytes b);
/* A bound as JSON, as its type is written; in hex where its length is not one the type has. */
TACO__FN void taco__describe_value(taco__describe_out *o, const taco__pq_leaf *leaf, taco_bytes b);

/* Bytes of a column's path in these texts; hostile schemas repeat long names in every column. */
#define TACO__DESCRIBE_PATH 1024

/* ---- schema_text.c, footer_text.c, footer_json.c ---- */

/* The annotation without its parentheses, "" where there is none: "TIMESTAMP(MICROS,true)". */
TACO__FN void taco__schema_text_annotation(taco__describe_out *o, const taco__pq_schema_element *e);
/* Each appends a whole text; false on failure. The schema in message type notation; the footer as
   lines for people, and as one JSON object over several lines. */
TACO__FN bool taco__schema_text_append(const taco__pq_metadata *m, taco__buf *out, taco_error *err);
TACO__FN bool taco__footer_json_append(const taco__pq_metadata *m, taco__buf *out, taco_error *err);

/* ---- verify.c ---- */

/* taco_pq_verify of api/taco_parquet_inspect.h, of a file that is part of something; `found` may be
   NULL. */
TACO__FN taco_status taco__verify_file(taco_pq_file *file,
                                       bool (*found)(void *ctx, bool fault, const taco_error *what),
                                       void *ctx, taco_pq_checked *sum, taco_error *err);

#endif /* TACO__PARQUET_INSPECT_H */
/* ==== src/parquet_inspect/verify.h ==== */
/* verify.h - what the checker of whole files knows, for verify*.c only */
#ifndef TACO__VERIFY_H
#define TACO__VERIFY_H

/* #include "inspect.h" */

/* Bounds and counts that a file claims for some of its values. */
typedef struct taco__verify_claim {
    const char *what; /* "statistics", "page statistics", "column index" */
    taco__pq_bounds bounds;
    bool reported; /* one warning about its bounds is enough */
} taco__verify_claim;

/* Rows, nulls and level entries that were read. */
typedef struct taco__verify_counts {
    uint64_t rows, nulls, entries;
} taco__verify_counts;

typedef struct taco__verify {
    taco_pq_file *file;
    taco__mem *mem;                                               /* the file's, or a task's */
    taco__codecs *codecs;                                         /* likewise */
    bool (*found)(void *ctx, bool fault, const taco_error *what); /* the caller's, or NULL */
    void *ctx;
    taco_pq_checked *sum;
    taco_error first; /* fault */
    bool stop;        /* found has said so, or a fault was met without one */
    bool in_task;     /* found is that of a task, see verify_tasks.c */
    taco__buf text;   /* of values in messages */
    taco__buf bounds; /* of the page's header */
    uint64_t decoded; /* bytes, see parquet/expansion.c */

    /* the chunk at hand */
    taco__arena arena; /* its indexes */
    taco__chunk_reader reader;
    const taco__pq_column_chunk *chunk;
    uint32_t group, leaf;
    taco__stats_order order;
    bool has_columns, has_offsets; /* which indexes there are */
    taco__pq_column_index columns;
    taco__pq_offset_index offsets;
    taco__bloom bloom; /* where has_bloom */
    bool has_bloom;
    bool no_crc;               /* warned of a page whose CRC was not set */
    bool odd_value;            /* warned of a value that the annotation excludes */
    bool odd_statistics;       /* warned of statistics that cannot be */
    bool odd_encoding;         /* warned of a page's encoding that the chunk does not list */
    taco__verify_counts total; /* of its pages so far */

    /* the data page at hand */
    size_t page_index; /* data pages of the chunk before it */
    taco__verify_counts page;
    taco__verify_claim claims[3]; /* of the chunk, of the page's header, of the column index */
} taco__verify;

/* Counts a finding, and hands it to the caller as it is. */
TACO__FN void taco__verify_emit(taco__verify *v, bool fault, const taco_error *e);
/* Hands a finding to the caller, after the place: the file, row group and column at hand. */
TACO__FN void taco__verify_report(taco__verify *v, bool fault, taco_error *e);

#define TACO__VERIFY_WARN(v, at, ...)                                                              \
    do {                                                                                           \
        taco_error warning;                                                                        \
        memset(&warning, 0, sizeof warning);                                                       \
        TACO__FAIL(&warning, TACO_ERR_CORRUPT, (at), __VA_ARGS__);                                 \
        taco__verify_report((v), false, &warning);                                                 \
    } while (0)

/* Where the buffers of a zeroed state get their memory, and the end of them. */
TACO__FN void taco__verify_set_memory(taco__verify *v, taco__mem *mem);
TACO__FN void taco__verify_free(taco__verify *v);
/* The chunks of a column in a row group, then what they are together. */
TACO__FN void taco__verify_column(taco__verify *v, uint32_t group, uint32_t column);

/* ---- verify_tasks.c ---- */

#define TACO__VERIFY_TASKS 64 /* columns that are checked in one round, at most */

/* A column of a row group and what was found of it. */
typedef struct taco__verify_task {
    taco__mem own;
    taco__verify v;
    taco_pq_checked sum;
    taco__buf findings; /* taco__verify_finding each, in the order of the file */
    uint32_t group, column;
    uint64_t bytes;
    /* it ran out of memory, or of the bytes that were fetched: to be done by the calling thread */
    bool again;
} taco__verify_task;

typedef struct taco__verify_tasks {
    taco__verify *v;                   /* the caller's */
    taco__verify_task *items;          /* TACO__VERIFY_TASKS of them; NULL: no tasks */
    taco__buf ranges;                  /* what the source must be asked for: taco__range each */
    size_t count;                      /* of the round */
    uint8_t order[TACO__VERIFY_TASKS]; /* in which they run */
} taco__verify_tasks;

TACO__FN void taco__verify_tasks_open(taco__verify_tasks *t, taco__verify *v);
TACO__FN void taco__verify_tasks_close(taco__verify_tasks *t);
/* Checks columns of row groups side by side, from number `at` of all of them on. Returns how many;
   0 where that must be done, or does not pay, one by one. */
TACO__FN size_t taco__verify_tasks_run(taco__verify_tasks *t, uint64_t at);

/* ---- verify_values.c ---- */

/* Warns of the values in the reader's batch that lie outside what is claimed for them. */
TACO__FN void taco__verify_values_bounds(taco__verify *v);
/* Warns of the first one of the chunk that the column's annotation excludes. */
TACO__FN void taco__verify_values_annotation(taco__verify *v);
/* Warns of the first one that the chunk's bloom filter denies. Failures of reading it go to err. */
TACO__FN void taco__verify_values_bloom(taco__verify *v, taco_error *err);

#endif /* TACO__VERIFY_H */
/* ==== src/parquet_inspect/describe.c ==== */
/* describe.c - pieces of metadata as text: names, numbers, enumerations, bounds

   In: what a footer has; out: pieces that schema_text.c, footer_text.c, footer_json.c and verify.c
   put together. Everything goes to a taco__describe_out, whose first failure stays, so that callers
   check once. Bounds (taco__describe_value) are PLAIN bytes of a physical type and are written as
   their column's type reads: dates, decimals, UUIDs. */
/* #include "inspect.h" */
/* #include "../base/base.h" */

TACO__FN taco__describe_out taco__describe_out_init(taco__buf *buf, taco_error *err)
{
    taco__describe_out o;
    o.buf = buf;
    o.err = err;
    o.ok = true;
    return o;
}

/* Nothing after the first failure, so that callers need not look after each call. */
static void taco__describe_bytes(taco__describe_out *o, const void *data, size_t len)
{
    o->ok = o->ok && taco__buf_append(o->buf, data, len, o->err);
}

TACO__FN void taco__describe_text(taco__describe_out *o, const char *s)
{
    taco__describe_bytes(o, s, strlen(s));
}

TACO__FN void taco__describe_u64(taco__describe_out *o, uint64_t x)
{
    char text[32];
    taco__describe_bytes(o, text, taco__num_format_u64(text, x));
}

TACO__FN void taco__describe_i64(taco__describe_out *o, int64_t x)
{
    char text[32];
    taco__describe_bytes(o, text, taco__num_format_i64(text, x));
}

/* Two lower-case digits a byte. */
static void taco__describe_hex(taco__describe_out *o, taco_bytes b)
{
    size_t i;
    for (i = 0; i < b.len && o->ok; i++) {
        char two[2];
        two[0] = "0123456789abcdef"[b.data[i] >> 4];
        two[1] = "0123456789abcdef"[b.data[i] & 15];
        taco__describe_bytes(o, two, 2);
    }
}

TACO__FN void taco__describe_name(taco__describe_out *o, taco_bytes b)
{
    size_t i = 0, n, bad;
    for (; i < b.len && o->ok; i += n) {
        n = taco__utf8_char(b.data + i, b.len - i, &bad);
        if (n == 0 || b.data[i] < 0x20 || b.data[i] == 0x7F || b.data[i] == '\\') {
            taco__describe_text(o, "\\x");
            taco__describe_hex(o, taco__bytes_of(b.data + i, 1));
            n = 1;
        } else {
            taco__describe_bytes(o, b.data + i, n);
        }
    }
}

TACO__FN void taco__describe_json_string(taco__describe_out *o, taco_bytes b)
{
    size_t i = 0, n, bad = 1;
    taco__describe_text(o, "\"");
    for (; i < b.len && o->ok; i += n) {
        uint8_t c = b.data[i];
        n = taco__utf8_char(b.data + i, b.len - i, &bad);
        if (n == 0) {
            taco__describe_text(o, "\xEF\xBF\xBD");
            n = bad;
        } else if (c == '"' || c == '\\') {
            char two[2];
            two[0] = '\\';
            two[1] = (char)c;
            taco__describe_bytes(o, two, 2);
        } else if (c < 0x20) {
            taco__describe_text(o, "\\u00");
            taco__describe_hex(o, taco__bytes_of(&c, 1));
        } else {
            taco__describe_bytes(o, b.data + i, n);
        }
    }
    taco__describe_text(o, "\"");
}

/* Name i of a table of n; the number where the table has none: files of newer writers print. */
static void taco__describe_enum(taco__describe_out *o, const char *const *names, size_t n,
                                int64_t i)
{
    if (i >= 0 && (uint64_t)i < n && names[i]) {
        taco__describe_text(o, names[i]);
    } else {
        taco__describe_i64(o, i);
    }
}

TACO__FN void taco__describe_codec(taco__describe_out *o, int32_t codec)
{
    const taco__pq_codec *known = taco__codecs_find(codec);
    const char *name = known ? known->name : "";
    if (!known) { taco__describe_i64(o, codec); }
    for (; *name; name++) {
        char upper = (char)(*name >= 'a' && *name <= 'z' ? *name - 32 : *name);
        taco__describe_bytes(o, &upper, 1);
    }
}

TACO__FN void taco__describe_encoding(taco__describe_out *o, int32_t encoding)
{
    static const char *const names[10] = {"PLAIN",
                                          NULL,
                                          "PLAIN_DICTIONARY",
                                          "RLE",
                                          "BIT_PACKED",
                                          "DELTA_BINARY_PACKED",
                                          "DELTA_LENGTH_BYTE_ARRAY",
                                          "DELTA_BYTE_ARRAY",
                                          "RLE_DICTIONARY",
                                          "BYTE_STREAM_SPLIT"};
    taco__describe_enum(o, names, TACO__COUNT(names), encoding);
}

TACO__FN void taco__describe_physical(taco__describe_out *o, int32_t type)
{
    static const char *const names[8] = {"BOOLEAN", "INT32",  "INT64",      "INT96",
                                         "FLOAT",   "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"};
    taco__describe_enum(o, names, TACO__COUNT(names), type);
}

/* ---- bounds ---- */

/* "0badcafe": a value whose bytes mean nothing else. */
static void taco__describe_quoted_hex(taco__describe_out *o, taco_bytes b)
{
    taco__describe_text(o, "\"");
    taco__describe_hex(o, b);
    taco__describe_text(o, "\"");
}

/* A decimal that is stored as an integer, in quotes. */
static void taco__describe_decimal(taco__describe_out *o, int64_t x, int32_t scale)
{
    uint8_t le[8];
    taco__put_le64(le, (uint64_t)x);
    taco__describe_text(o, "\"");
    o->ok = o->ok && taco__decimal_append_le(o->buf, le, 8, scale, o->err);
    taco__describe_text(o, "\"");
}

/* A PLAIN value of INT32, INT64 or BOOLEAN, as its logical type is written: dates and times as ISO
   8601 in quotes, the rest as numbers and words. */
static void taco__describe_integer(taco__describe_out *o, const taco_field *f, taco_bytes b)
{
    int64_t x = taco__stats_integer(b);
    char text[TACO__TIME_CHARS];
    size_t n = 0;
    switch (f->type) {
    case TACO_BOOL: taco__describe_text(o, x ? "true" : "false"); return;
    case TACO_UINT8:
    case TACO_UINT16:
    case TACO_UINT32: taco__describe_u64(o, (uint64_t)x & 0xFFFFFFFFU); return;
    case TACO_UINT64: taco__describe_u64(o, (uint64_t)x); return;
    case TACO_DATE: n = taco__time_format_date(text, x); break;
    case TACO_TIMESTAMP: n = taco__time_format_timestamp(text, x, f->unit, f->utc); break;
    case TACO_TIME:
        if (!taco__time_format_time(text, x, f->unit, &n)) {
            n = 0; /* out of the day: the number */
        }
        break;
    case TACO_DECIMAL: taco__describe_decimal(o, x, f->scale); return;
    default: break;
    }
    if (n) {
        taco__describe_json_string(o, taco__bytes_of(text, n));
    } else {
        taco__describe_i64(o, x);
    }
}

TACO__FN void taco__describe_float(taco__describe_out *o, taco_bytes b)
{
    char text[32];
    int64_t order;
    bool number = taco__stats_float_order(b, &order);
    size_t n = b.len == 8 ? taco__num_format_f64(text, taco__f64_from_bits(taco__load_le64(b.data)))
               : b.len == 4
                   ? taco__num_format_f32(text, taco__f32_from_bits(taco__load_le32(b.data)))
                   : taco__num_format_f16(text, taco__load_le16(b.data));
    bool bare = number && text[n - 1] != 'y'; /* Infinity is no JSON number either */
    taco__describe_text(o, bare ? "" : "\"");
    taco__describe_bytes(o, text, n);
    taco__describe_text(o, bare ? "" : "\"");
}

/* UUID, INT96 and INTERVAL of their lengths, as LogicalTypes.md has their bytes: UUID big-endian,
   INTERVAL three little-endian numbers (months, days, milliseconds); false for anything else. */
static bool taco__describe_fixed(taco__describe_out *o, const taco_field *f, taco_bytes b)
{
    static const uint8_t ends[] = {4, 6, 8, 10, 16};
    static const char *const names[] = {" months ", " days ", " ms"};
    char text[TACO__TIME_CHARS];
    size_t i, at = 0;
    if (f->type == TACO_UUID && b.len == 16) {
        for (i = 0; i < TACO__COUNT(ends); at = ends[i++]) {
            taco__describe_text(o, i ? "-" : "\"");
            taco__describe_hex(o, taco__bytes_of(b.data + at, ends[i] - at));
        }
        taco__describe_text(o, "\"");
    } else if (f->type == TACO_INT96 && b.len == 12) {
        taco__describe_json_string(o, taco__bytes_of(text, taco__time_format_int96(text, b.data)));
    } else if (f->type == TACO_INTERVAL && b.len == 12) {
        for (i = 0; i < 3; i++) {
            taco__describe_text(o, i ? "" : "\"");
            taco__describe_u64(o, taco__load_le32(b.data + 4 * i));
            taco__describe_text(o, names[i]);
        }
        taco__describe_text(o, "\"");
    } else {
        return false;
    }
    return true;
}

TACO__FN void taco__describe_value(taco__describe_out *o, const taco__pq_leaf *leaf, taco_bytes b)
{
    static const uint8_t lengths[6] = {1, 4, 8, 12, 4, 8};
    const taco_field *f = leaf->field;
    if (leaf->type < TACO__PQ_BYTE_ARRAY && b.len != lengths[leaf->type]) {
        taco__describe_quoted_hex(o, b);
        return;
    }
    switch (leaf->type) {
    case TACO__PQ_BOOLEAN:
    case TACO__PQ_INT32:
    case TACO__PQ_INT64: taco__describe_integer(o, f, b); return;
    case TACO__PQ_FLOAT:
    case TACO__PQ_DOUBLE: taco__describe_float(o, b); return;
    default: break;
    }
    if (taco__describe_fixed(o, f, b)) { return; }
    if (f->type == TACO_TEXT && taco__utf8_valid(b)) {
        taco__describe_json_string(o, b);
    } else if (f->type == TACO_HALF && b.len == 2) {
        taco__describe_float(o, b);
    } else if (f->type == TACO_DECIMAL && b.len > 0 && b.len <= 64 &&
               f->scale <= 100) { /* hostile scales make long texts */
        taco__describe_text(o, "\"");
        o->ok = o->ok && taco__decimal_append_be(o->buf, b, f->scale, o->err);
        taco__describe_text(o, "\"");
    } else {
        taco__describe_quoted_hex(o, b);
    }
}
/* ==== src/parquet_inspect/schema_text.c ==== */
/* schema_text.c - a schema in message type notation: "optional int64 t;"

   In: the elements of a schema; out: taco_pq_schema_text, a line per element, indented by depth.
   The notation is that of parquet-mr and of the Dremel paper; annotations are spelled as
   parquet.thrift spells the members of LogicalType. */
/* #include "inspect.h" */
/* #include "../base/base.h" */

/* What is in parentheses after the name of an annotation, if it has parameters: DecimalType,
   TimeType, TimestampType, IntType; the CRS of GeometryType and GeographyType. */
static void taco__schema_text_parameters(taco__describe_out *o, const taco__pq_schema_element *a,
                                         unsigned logical)
{
    static const char *const units[4] = {"SECONDS", "MILLIS", "MICROS", "NANOS"};
    switch (logical) {
    case TACO__PQ_LOGICAL_DECIMAL:
        taco__describe_text(o, "(");
        taco__describe_i64(o, a->dec_precision);
        taco__describe_text(o, ",");
        taco__describe_i64(o, a->dec_scale);
        taco__describe_text(o, ")");
        return;
    case TACO__PQ_LOGICAL_TIME:
    case TACO__PQ_LOGICAL_TIMESTAMP:
        taco__describe_text(o, "(");
        taco__describe_text(o, units[a->unit & 3]);
        taco__describe_text(o, a->utc ? ",true)" : ",false)");
        return;
    case TACO__PQ_LOGICAL_INTEGER:
        taco__describe_text(o, "(");
        taco__describe_i64(o, a->bits);
        taco__describe_text(o, a->is_signed ? ",true)" : ",false)");
        return;
    default:
        if (!a->crs.data) { return; }
        taco__describe_text(o, "(");
        taco__describe_name(o, a->crs);
        taco__describe_text(o, ")");
        return;
    }
}

/* LogicalType where the element has one, else what its ConvertedType means today: files of both
   generations read the same, but for MAP_KEY_VALUE, which only the old ones have. */
TACO__FN void taco__schema_text_annotation(taco__describe_out *o, const taco__pq_schema_element *e)
{
    static const char *const names[19] = {NULL,      "STRING",  "MAP",      "LIST",      "ENUM",
                                          "DECIMAL", "DATE",    "TIME",     "TIMESTAMP", "INTERVAL",
                                          "INTEGER", "UNKNOWN", "JSON",     "BSON",      "UUID",
                                          "FLOAT16", "VARIANT", "GEOMETRY", "GEOGRAPHY"};
    taco__pq_schema_element a;
    unsigned logical = taco__schema_annotation(e, &a);
    if (logical == TACO__PQ_LOGICAL_NONE) { return; }
    if (logical >= TACO__COUNT(names)) {
        taco__describe_text(o, "OTHER");
        return;
    }
    if (logical == TACO__PQ_LOGICAL_MAP && !e->logical &&
        e->converted == TACO__PQ_CONVERTED_MAP_KEY_VALUE) {
        taco__describe_text(o, "MAP_KEY_VALUE");
        return;
    }
    taco__describe_text(o, names[logical]);
    taco__schema_text_parameters(o, &a, logical);
}

/* Two spaces for each group that is open. */
static void taco__schema_text_indent(taco__describe_out *o, size_t depth)
{
    for (; depth && o->ok; depth--) {
        taco__describe_text(o, "  ");
    }
}

/* "  optional int64 t (TIMESTAMP(MICROS,true)) = 7;" or "  required group g {". */
static void taco__schema_text_element(taco__describe_out *o, const taco__pq_schema_element *e,
                                      size_t depth)
{
    static const char *const repetitions[3] = {"required ", "optional ", "repeated "};
    static const char *const types[8] = {"boolean", "int32",  "int64",  "int96",
                                         "float",   "double", "binary", "fixed_len_byte_array"};
    taco__pq_schema_element a;
    taco__schema_text_indent(o, depth);
    taco__describe_text(o, repetitions[e->repetition]);
    taco__describe_text(o, e->type == TACO__PQ_GROUP ? "group" : types[e->type]);
    if (e->type == TACO__PQ_FIXED) {
        taco__describe_text(o, "(");
        taco__describe_i64(o, e->type_length);
        taco__describe_text(o, ")");
    }
    taco__describe_text(o, " ");
    taco__describe_name(o, e->name);
    if (taco__schema_annotation(e, &a) != TACO__PQ_LOGICAL_NONE) {
        taco__describe_text(o, " (");
        taco__schema_text_annotation(o, e);
        taco__describe_text(o, ")");
    }
    if (e->has_field_id) {
        taco__describe_text(o, " = ");
        taco__describe_i64(o, e->field_id);
    }
    taco__describe_text(o, e->type == TACO__PQ_GROUP ? " {\n" : ";\n");
}

/* The elements are in depth-first order (SchemaElement.num_children), each knowing its parent and
   the element after its last descendant: braces close without a stack, however deep the schema. */
TACO__FN bool taco__schema_text_append(const taco__pq_metadata *m, taco__buf *out, taco_error *err)
{
    const taco__pq_schema_element *e = m->elements;
    uint32_t i, open = 0;
    size_t depth = 1;
    taco__describe_out o = taco__describe_out_init(out, err);
    taco__describe_text(&o, "message ");
    taco__describe_name(&o, e[0].name);
    taco__describe_text(&o, " {\n");
    for (i = 1; i <= m->element_count && o.ok; i++) {
        /* groups that end before element i; in the end all of them */
        while (depth && i == e[open].next) {
            open = e[open].parent;
            taco__schema_text_indent(&o, --depth);
            taco__describe_text(&o, "}\n");
        }
        if (i < m->element_count) {
            taco__schema_text_element(&o, &e[i], depth);
            if (e[i].type == TACO__PQ_GROUP) {
                open = i;
                depth++;
            }
        }
    }
    return o.ok;
}

TACO_API taco_bytes taco_pq_schema_text(taco_pq_file *f, taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    if (!f) { return taco__bytes_of(NULL, 0); }
    f->text.len = 0;
    return taco__schema_text_append(&f->meta, &f->text, err)
               ? taco__bytes_of(f->text.data, f->text.len)
               : taco__bytes_of(NULL, 0);
}
/* ==== src/parquet_inspect/footer_text.c ==== */
/* footer_text.c - a footer as lines for people, one for each column chunk

   In: the metadata of an open file; out: taco_pq_meta_text. Columns are as wide as their contents,
   up to a limit; a character is a column. See footer_json.c for all there is to know.

     row group 0: 5 rows, 214 bytes uncompressed, sorted by col1
       col2  BYTE_ARRAY  SNAPPY  5  52/51  PLAIN,RLE  "a" .. "e"  nulls 0  page index */
/* #include "inspect.h" */
/* #include "../base/base.h" */

/* Spaces up to column `width` of a cell that began at byte `from` of the text, and two more. A
   character is a column. */
static void taco__footer_text_pad(taco__describe_out *o, size_t from, size_t width)
{
    size_t i, n = 0;
    for (i = from; o->ok && i < o->buf->len; i++) {
        n += (o->buf->data[i] & 0xC0) != 0x80;
    }
    for (width = TACO__MAX(n, width) + 2; o->ok && n < width; n++) {
        taco__describe_text(o, " ");
    }
}

/* A bound, cut to 24 characters; "?" where there is none. */
static void taco__footer_text_bound(taco__describe_out *o, const taco__pq_leaf *leaf, taco_bytes b)
{
    size_t from = o->buf->len, i, n = 0;
    if (!b.data) {
        taco__describe_text(o, "?");
        return;
    }
    taco__describe_value(o, leaf, b);
    for (i = from; o->ok && i < o->buf->len; i++) {
        n += (o->buf->data[i] & 0xC0) != 0x80;
        if (n > 24) {
            o->buf->len = i;
            taco__describe_text(o, "...");
            return;
        }
    }
}

/* Codec, values, compressed and plain bytes, encodings. */
static void taco__footer_text_sizes(taco__describe_out *o, const taco__pq_column_chunk *c)
{
    size_t from = o->buf->len;
    int i;
    taco__describe_codec(o, c->codec);
    taco__footer_text_pad(o, from, 12);
    from = o->buf->len;
    taco__describe_i64(o, c->num_values);
    taco__footer_text_pad(o, from, 8);
    from = o->buf->len;
    taco__describe_u64(o, c->compressed_size);
    taco__describe_text(o, "/");
    taco__describe_u64(o, c->uncompressed_size);
    taco__footer_text_pad(o, from, 15);
    for (i = 0, from = 0; i < 32; i++) {
        if (c->encodings >> i & 1) {
            taco__describe_text(o, from++ ? "," : "");
            taco__describe_encoding(o, i);
        }
    }
}

/* The line of a column chunk; `width` is that of the names. */
static void taco__footer_text_row(taco__describe_out *o, const taco__pq_metadata *m,
                                  const taco__pq_leaf *leaf, const taco__pq_column_chunk *c,
                                  size_t width)
{
    char text[TACO__DESCRIBE_PATH];
    size_t from;
    taco__describe_text(o, "  ");
    from = o->buf->len;
    taco__describe_name(o, taco__schema_path(m, leaf->element, text, sizeof text));
    taco__footer_text_pad(o, from, width);
    from = o->buf->len;
    taco__describe_physical(o, leaf->type);
    taco__footer_text_pad(o, from, 10);
    if (!c->has_meta || c->encrypted) {
        taco__describe_text(o, c->encrypted ? "encrypted\n" : "no metadata\n");
        return;
    }
    taco__footer_text_sizes(o, c);
    if (c->stats.min.data || c->stats.max.data) {
        taco__describe_text(o, "  ");
        taco__footer_text_bound(o, leaf, c->stats.min);
        taco__describe_text(o, " .. ");
        taco__footer_text_bound(o, leaf, c->stats.max);
    }
    if (c->stats.present && c->stats.null_count >= 0) {
        taco__describe_text(o, "  nulls ");
        taco__describe_i64(o, c->stats.null_count);
    }
    taco__describe_text(o, c->column_index.len || c->offset_index.len ? "  page index" : "");
    taco__describe_text(o, c->bloom.len ? "  bloom" : "");
    taco__describe_text(o, c->external ? "  in another file\n" : "\n");
}

/* ", sorted by a, b desc"; nothing where the row group does not say. */
static void taco__footer_text_sorting(taco__describe_out *o, const taco__pq_metadata *m,
                                      const taco__pq_row_group *g)
{
    char text[TACO__DESCRIBE_PATH];
    uint32_t i;
    for (i = 0; i < g->sort_count && o->ok; i++) {
        taco__describe_text(o, i ? ", " : ", sorted by ");
        taco__describe_name(
            o, taco__schema_path(m, m->leaves[g->sort[i].leaf].element, text, sizeof text));
        taco__describe_text(o, g->sort[i].descending ? " desc" : "");
    }
}

/* The lines about the file: sizes, counts, writer, keys. */
static void taco__footer_text_file(taco__describe_out *o, const taco__pq_metadata *m)
{
    uint32_t i;
    taco__describe_u64(o, m->file_size);
    taco__describe_text(o, " bytes, footer ");
    taco__describe_u64(o, m->footer_size);
    taco__describe_text(o, ", ");
    taco__describe_i64(o, m->num_rows);
    taco__describe_text(o, " rows, ");
    taco__describe_u64(o, m->leaf_count);
    taco__describe_text(o, " columns, ");
    taco__describe_u64(o, m->group_count);
    taco__describe_text(o, " row groups\nwritten by ");
    taco__describe_name(o, m->created_by.data ? m->created_by : taco__bytes_text("?"));
    taco__describe_text(o, "\n");
    for (i = 0; i < m->pair_count && o->ok; i++) {
        taco__describe_text(o, "key ");
        taco__describe_name(o, m->pairs[i].key);
        taco__describe_text(o, ", ");
        taco__describe_u64(o, m->pairs[i].value.len);
        taco__describe_text(o, " bytes\n");
    }
}

/* The lines about row group i: itself, then its column chunks. */
static void taco__footer_text_group(taco__describe_out *o, const taco__pq_metadata *m, uint32_t i,
                                    size_t width)
{
    const taco__pq_row_group *g = &m->groups[i];
    uint32_t k;
    taco__describe_text(o, "\nrow group ");
    taco__describe_u64(o, i);
    taco__describe_text(o, ": ");
    taco__describe_i64(o, g->rows);
    taco__describe_text(o, " rows, ");
    taco__describe_u64(o, g->total_byte_size);
    taco__describe_text(o, " bytes uncompressed");
    taco__footer_text_sorting(o, m, g);
    taco__describe_text(o, "\n");
    for (k = 0; k < m->leaf_count && o->ok; k++) {
        taco__footer_text_row(o, m, &m->leaves[k], &g->chunks[k], width);
    }
}

/* The whole text: the file, then each row group. */
static bool taco__footer_text_append(const taco__pq_metadata *m, taco__buf *out, taco_error *err)
{
    char text[TACO__DESCRIBE_PATH];
    taco__describe_out o = taco__describe_out_init(out, err);
    size_t width = 0; /* of the column of names: the longest, but 40 bytes at most */
    uint32_t i;
    for (i = 0; i < m->leaf_count; i++) {
        taco_bytes path = taco__schema_path(m, m->leaves[i].element, text, sizeof text);
        width = TACO__MAX(width, TACO__MIN(path.len, (size_t)40));
    }
    taco__footer_text_file(&o, m);
    for (i = 0; i < m->group_count && o.ok; i++) {
        taco__footer_text_group(&o, m, i, width);
    }
    return o.ok;
}

TACO_API taco_bytes taco_pq_meta_text(taco_pq_file *f, taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    if (!f) { return taco__bytes_of(NULL, 0); }
    f->text.len = 0;
    return taco__footer_text_append(&f->meta, &f->text, err)
               ? taco__bytes_of(f->text.data, f->text.len)
               : taco__bytes_of(NULL, 0);
}
/* ==== src/parquet_inspect/footer_json.c ==== */
/* footer_json.c - a footer as one JSON object: schema, row groups, chunks

   In: the metadata of an open file; out: taco_pq_meta_json, for tools. Keys are those of
   parquet.thrift; what is not known is left out. Statistics are printed as they are stored, with
   "usable" saying whether taco__stats_bounds believes them. Start with taco__footer_json_append.

     {"file_size": n, "footer_offset": n, "footer_size": n, "version": n, "created_by": text,
      "num_rows": n, "key_value_metadata": [{"key": text, "value": text}],
      "columns":    [{"path": text, "type": text, "annotation": text, ...}],
      "row_groups": [{"num_rows": n, ..., "columns": [{"path": text, "codec": text, ...}]}]}

   Functions append one member each and know by the last byte whether a comma goes before it: no
   state travels between them. After a failure they append nothing, and loops end. */
/* #include "inspect.h" */
/* #include "../base/base.h" */

/* `"key":`, after a comma unless it is the first of its object. */
static void taco__footer_json_key(taco__describe_out *o, const char *key)
{
    if (o->ok && o->buf->len && o->buf->data[o->buf->len - 1] != '{') {
        taco__describe_text(o, ",");
    }
    taco__describe_text(o, "\"");
    taco__describe_text(o, key);
    taco__describe_text(o, "\":");
}

/* A number of up to 64 bits: readers that hold numbers as doubles lose digits above 2^53. */
static void taco__footer_json_u64(taco__describe_out *o, const char *key, uint64_t x)
{
    taco__footer_json_key(o, key);
    taco__describe_u64(o, x);
}

/* A number that is left out when it is not known. */
static void taco__footer_json_count(taco__describe_out *o, const char *key, int64_t x)
{
    if (x >= 0) {
        taco__footer_json_key(o, key);
        taco__describe_i64(o, x);
    }
}

static void taco__footer_json_bool(taco__describe_out *o, const char *key, bool x)
{
    taco__footer_json_key(o, key);
    taco__describe_text(o, x ? "true" : "false");
}

/* A word that needs no escapes. */
static void taco__footer_json_word(taco__describe_out *o, const char *key, const char *word)
{
    taco__footer_json_key(o, key);
    taco__describe_text(o, "\"");
    taco__describe_text(o, word);
    taco__describe_text(o, "\"");
}

/* {"offset":4,"size":52}; nothing where there is no range, no size where it is not known. */
static void taco__footer_json_range(taco__describe_out *o, const char *key, const taco__range *r)
{
    if (r->len == 0) { return; }
    taco__footer_json_key(o, key);
    taco__describe_text(o, "{");
    taco__footer_json_u64(o, "offset", r->offset);
    if (r->len != UINT64_MAX) { taco__footer_json_u64(o, "size", r->len); }
    taco__describe_text(o, "}");
}

/* The path from the root to a leaf, joined with dots and cut to TACO__DESCRIBE_PATH bytes. */
static void taco__footer_json_path(taco__describe_out *o, const taco__pq_metadata *m,
                                   const taco__pq_leaf *leaf)
{
    char text[TACO__DESCRIBE_PATH];
    taco__footer_json_key(o, "path");
    taco__describe_json_string(o, taco__schema_path(m, leaf->element, text, sizeof text));
}

/* Bounds and counts as they are stored; "usable" where filters may rely on a bound. */
static void taco__footer_json_statistics(taco__describe_out *o, const taco__pq_metadata *m,
                                         const taco__pq_leaf *leaf, const taco__pq_statistics *s)
{
    taco__pq_bounds bounds;
    if (!s->present) { return; }
    taco__stats_bounds(m, leaf, s, &bounds);
    taco__footer_json_key(o, "statistics");
    taco__describe_text(o, "{");
    if (s->min.data) {
        taco__footer_json_key(o, "min");
        taco__describe_value(o, leaf, s->min);
    }
    if (s->max.data) {
        taco__footer_json_key(o, "max");
        taco__describe_value(o, leaf, s->max);
    }
    if (s->min.data || s->max.data) {
        taco__footer_json_bool(o, "min_exact", s->min_exact);
        taco__footer_json_bool(o, "max_exact", s->max_exact);
        taco__footer_json_bool(o, "deprecated", s->deprecated);
        taco__footer_json_bool(o, "usable", bounds.min.data || bounds.max.data);
    }
    taco__footer_json_count(o, "null_count", s->null_count);
    taco__footer_json_count(o, "distinct_count", s->distinct_count);
    taco__footer_json_count(o, "nan_count", s->nan_count);
    taco__describe_text(o, "}");
}

/* Names of the bits that are set; bit 31, for all above 30, is 31. */
static void taco__footer_json_encodings(taco__describe_out *o, uint32_t encodings)
{
    const char *comma = "";
    int i;
    taco__footer_json_key(o, "encodings");
    taco__describe_text(o, "[");
    for (i = 0; i < 32; i++) {
        if (encodings >> i & 1) {
            taco__describe_text(o, comma);
            taco__describe_text(o, "\"");
            taco__describe_encoding(o, i);
            taco__describe_text(o, "\"");
            comma = ",";
        }
    }
    taco__describe_text(o, "]");
}

/* [xmin, ymin, xmax, ymax], the order of GeoJSON. */
static void taco__footer_json_bbox(taco__describe_out *o, const taco__pq_geo_bounds *g)
{
    const double v[4] = {g->xmin, g->ymin, g->xmax, g->ymax};
    size_t i;
    taco__footer_json_key(o, "bbox");
    taco__describe_text(o, "[");
    for (i = 0; i < 4; i++) {
        uint8_t le[8];
        taco__put_le64(le, taco__f64_to_bits(v[i]));
        taco__describe_text(o, i ? "," : "");
        taco__describe_float(o, taco__bytes_of(le, 8));
    }
    taco__describe_text(o, "]");
}

/* What ColumnMetaData says; "pages" and the other ranges are those that were proven. */
static void taco__footer_json_chunk_meta(taco__describe_out *o, const taco__pq_metadata *m,
                                         const taco__pq_leaf *leaf, const taco__pq_column_chunk *c)
{
    taco__footer_json_key(o, "codec");
    taco__describe_text(o, "\"");
    taco__describe_codec(o, c->codec);
    taco__describe_text(o, "\"");
    taco__footer_json_encodings(o, c->encodings);
    taco__footer_json_count(o, "num_values", c->num_values);
    taco__footer_json_u64(o, "uncompressed_size", c->uncompressed_size);
    taco__footer_json_u64(o, "compressed_size", c->compressed_size);
    taco__footer_json_count(o, "data_page_offset", c->data_offset);
    taco__footer_json_count(o, "dictionary_page_offset", c->dictionary_offset);
    taco__footer_json_count(o, "index_page_offset", c->index_page_offset);
    taco__footer_json_count(o, "unencoded_bytes", c->unencoded);
    taco__footer_json_range(o, "pages", &c->pages);
    taco__footer_json_range(o, "column_index", &c->column_index);
    taco__footer_json_range(o, "offset_index", &c->offset_index);
    taco__footer_json_range(o, "bloom_filter", &c->bloom);
    taco__footer_json_statistics(o, m, leaf, &c->stats);
    if (c->geo) { taco__footer_json_bbox(o, c->geo); }
}

/* ColumnChunk. One that is encrypted, or in another file, may come without ColumnMetaData. */
static void taco__footer_json_chunk(taco__describe_out *o, const taco__pq_metadata *m,
                                    const taco__pq_leaf *leaf, const taco__pq_column_chunk *c)
{
    taco__describe_text(o, "{");
    taco__footer_json_path(o, m, leaf);
    if (c->encrypted) { taco__footer_json_bool(o, "encrypted", true); }
    if (c->file_path.len) {
        taco__footer_json_key(o, "file_path");
        taco__describe_json_string(o, c->file_path);
    }
    if (c->has_meta) { taco__footer_json_chunk_meta(o, m, leaf, c); }
    taco__describe_text(o, "}");
}

/* RowGroup.sorting_columns: leaves by number, in the order of the keys. */
static void taco__footer_json_sorting(taco__describe_out *o, const taco__pq_row_group *g)
{
    uint32_t i;
    taco__footer_json_key(o, "sorting_columns");
    taco__describe_text(o, "[");
    for (i = 0; i < g->sort_count && o->ok; i++) {
        taco__describe_text(o, i ? ",{" : "{");
        taco__footer_json_u64(o, "column", g->sort[i].leaf);
        taco__footer_json_bool(o, "descending", g->sort[i].descending);
        taco__footer_json_bool(o, "nulls_first", g->sort[i].nulls_first);
        taco__describe_text(o, "}");
    }
    taco__describe_text(o, "]");
}

/* RowGroup. first_row is ours: the rows of the row groups before it. */
static void taco__footer_json_group(taco__describe_out *o, const taco__pq_metadata *m,
                                    const taco__pq_row_group *g)
{
    uint32_t i;
    taco__describe_text(o, "{");
    taco__footer_json_count(o, "num_rows", g->rows);
    taco__footer_json_count(o, "first_row", g->first_row);
    taco__footer_json_u64(o, "total_byte_size", g->total_byte_size);
    taco__footer_json_count(o, "total_compressed_size", g->total_compressed_size);
    taco__footer_json_count(o, "file_offset", g->file_offset);
    taco__footer_json_count(o, "ordinal", g->ordinal);
    if (g->sort_count) { taco__footer_json_sorting(o, g); }
    taco__footer_json_key(o, "columns");
    taco__describe_text(o, "[");
    for (i = 0; i < m->leaf_count && o->ok; i++) {
        taco__describe_text(o, i ? ",\n  " : "\n  ");
        taco__footer_json_chunk(o, m, &m->leaves[i], &g->chunks[i]);
    }
    taco__describe_text(o, "]}");
}

/* The annotation as the schema's text has it. A CRS in it is free text: what JSON would escape
   becomes a question mark. */
static void taco__footer_json_annotation(taco__describe_out *o, const taco__pq_schema_element *e)
{
    taco__pq_schema_element a;
    size_t at;
    if (taco__schema_annotation(e, &a) == TACO__PQ_LOGICAL_NONE) { return; }
    taco__footer_json_key(o, "annotation");
    taco__describe_text(o, "\"");
    at = o->buf->len;
    taco__schema_text_annotation(o, e);
    for (; o->ok && at < o->buf->len; at++) {
        uint8_t *c = &o->buf->data[at];
        *c = *c == '"' || *c == '\\' ? (uint8_t)'?' : *c;
    }
    taco__describe_text(o, "\"");
}

/* A leaf of the schema, with the levels that its nesting gives it, and ColumnOrder where the file
   says which order its statistics have. */
static void taco__footer_json_leaf(taco__describe_out *o, const taco__pq_metadata *m,
                                   const taco__pq_leaf *leaf)
{
    static const char *const orders[4] = {NULL, "TYPE_ORDER", "IEEE_754_TOTAL_ORDER",
                                          "INT96_TIMESTAMP_ORDER"};
    taco__describe_text(o, "{");
    taco__footer_json_path(o, m, leaf);
    taco__footer_json_key(o, "type");
    taco__describe_text(o, "\"");
    taco__describe_physical(o, leaf->type);
    taco__describe_text(o, "\"");
    if (leaf->type == TACO__PQ_FIXED) {
        taco__footer_json_u64(o, "type_length", (uint64_t)leaf->type_length);
    }
    taco__footer_json_annotation(o, leaf->element);
    taco__footer_json_count(o, "max_definition_level", leaf->max_def);
    taco__footer_json_count(o, "max_repetition_level", leaf->max_rep);
    if (leaf->order < TACO__COUNT(orders) && orders[leaf->order]) {
        taco__footer_json_word(o, "column_order", orders[leaf->order]);
    }
    taco__describe_text(o, "}");
}

/* KeyValue pairs in file order, keys that occur twice included. A value that is absent is left out,
   an empty one is "". */
static void taco__footer_json_key_values(taco__describe_out *o, const taco__pq_metadata *m)
{
    uint32_t i;
    taco__footer_json_key(o, "key_value_metadata");
    taco__describe_text(o, "[");
    for (i = 0; i < m->pair_count && o->ok; i++) {
        taco__describe_text(o, i ? ",\n {" : "\n {");
        taco__footer_json_key(o, "key");
        taco__describe_json_string(o, m->pairs[i].key);
        if (m->pairs[i].value.data) {
            taco__footer_json_key(o, "value");
            taco__describe_json_string(o, m->pairs[i].value);
        }
        taco__describe_text(o, "}");
    }
    taco__describe_text(o, "]");
}

TACO__FN bool taco__footer_json_append(const taco__pq_metadata *m, taco__buf *out, taco_error *err)
{
    taco__describe_out o = taco__describe_out_init(out, err);
    uint32_t i;
    taco__describe_text(&o, "{");
    taco__footer_json_u64(&o, "file_size", m->file_size);
    taco__footer_json_u64(&o, "footer_offset", m->footer_offset);
    taco__footer_json_u64(&o, "footer_size", m->footer_size);
    taco__footer_json_key(&o, "version");
    taco__describe_i64(&o, m->version);
    taco__footer_json_key(&o, "created_by");
    if (m->created_by.data) {
        taco__describe_json_string(&o, m->created_by);
    } else {
        taco__describe_text(&o, "null");
    }
    taco__footer_json_count(&o, "num_rows", m->num_rows);
    if (m->encryption) { taco__footer_json_u64(&o, "encryption_algorithm", m->encryption); }
    taco__footer_json_key_values(&o, m);
    taco__footer_json_key(&o, "columns");
    taco__describe_text(&o, "[");
    for (i = 0; i < m->leaf_count && o.ok; i++) {
        taco__describe_text(&o, i ? ",\n " : "\n ");
        taco__footer_json_leaf(&o, m, &m->leaves[i]);
    }
    taco__describe_text(&o, "]");
    taco__footer_json_key(&o, "row_groups");
    taco__describe_text(&o, "[");
    for (i = 0; i < m->group_count && o.ok; i++) {
        taco__describe_text(&o, i ? ",\n " : "\n ");
        taco__footer_json_group(&o, m, &m->groups[i]);
    }
    taco__describe_text(&o, "]}\n");
    return o.ok;
}

TACO_API taco_bytes taco_pq_meta_json(taco_pq_file *f, taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    if (!f) { return taco__bytes_of(NULL, 0); }
    f->json.len = 0;
    return taco__footer_json_append(&f->meta, &f->json, err)
               ? taco__bytes_of(f->json.data, f->json.len)
               : taco__bytes_of(NULL, 0);
}
/* ==== src/parquet_inspect/verify_values.c ==== */
/* verify_values.c - values against the bounds and the bloom filter of a file

   In: the values that a chunk reader has in its batch; out: warnings, one for each claim that a
   value contradicts. Bounds and filters are of PLAIN bytes (parquet.thrift "Statistics",
   BloomFilter.md), so that values go back from memory form to those: taco__verify_values_encode. */
/* #include "verify.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */

/* Text i of the batch, from the dictionary where the batch holds indices. */
static taco_bytes taco__verify_values_text(const taco__chunk_reader *r, size_t i)
{
    const taco__values *s = &r->batch.values;
    const int32_t *offsets;
    if (s->is_indices) {
        i = (size_t)(uint32_t)((const int32_t *)(const void *)s->fixed.data)[i];
        s = &r->dict.values;
    }
    offsets = (const int32_t *)(const void *)s->offsets.data + i;
    return taco__bytes_of(s->bytes.data + offsets[0], (size_t)(offsets[1] - offsets[0]));
}

/* A decimal of width bytes at p, little-endian and sign-extended in memory: PLAIN has the low bytes
   of INT32 and INT64 as they are, others big-endian. */
static taco_bytes taco__verify_values_decimal(const taco__pq_leaf *leaf, const uint8_t *p,
                                              uint8_t *scratch)
{
    size_t i, width = (size_t)leaf->field->width;
    if (leaf->type == TACO__PQ_INT32) { return taco__bytes_of(p, 4); }
    if (leaf->type == TACO__PQ_INT64) { return taco__bytes_of(p, 8); }
    for (i = 0; i < width; i++) {
        scratch[i] = p[width - 1 - i];
    }
    return taco__bytes_of(scratch, width);
}

/* A native number of 1, 2, 4 or 8 bytes at p, little-endian in the width of its physical type. */
static taco_bytes taco__verify_values_number(taco_type type, size_t width, const uint8_t *p,
                                             uint8_t *scratch)
{
    uint16_t x16;
    uint32_t x = 0;
    uint64_t x64;
    switch (width) {
    case 1: x = type == TACO_INT8 ? (uint32_t)(int32_t)(int8_t)p[0] : p[0]; break;
    case 2:
        memcpy(&x16, p, 2);
        x = type == TACO_INT16 ? (uint32_t)(int32_t)(int16_t)x16 : x16;
        break;
    case 8:
        memcpy(&x64, p, 8);
        taco__put_le64(scratch, x64);
        return taco__bytes_of(scratch, 8);
    default: memcpy(&x, p, 4); break;
    }
    taco__put_le32(scratch, x);
    return taco__bytes_of(scratch, type == TACO_HALF ? 2 : 4);
}

/* Value i of the batch, PLAIN-encoded as bounds are; scratch has room for 32 bytes. */
static taco_bytes taco__verify_values_encode(const taco__chunk_reader *r, size_t i,
                                             uint8_t *scratch)
{
    const taco_field *f = r->field;
    const uint8_t *values = r->batch.values.fixed.data, *p;
    bool numeric;
    if (taco__array_is_var_length(f)) { return taco__verify_values_text(r, i); }
    if (f->type == TACO_BOOL) {
        scratch[0] = taco__bitmap_get(values, i);
        return taco__bytes_of(scratch, 1);
    }
    p = values + i * (size_t)f->width;
    if (f->type == TACO_DECIMAL) { return taco__verify_values_decimal(r->leaf, p, scratch); }
    taco__value_decode_width(r->leaf, &numeric);
    return numeric ? taco__verify_values_number(f->type, (size_t)f->width, p, scratch)
                   : taco__bytes_of(p, (size_t)f->width);
}

/* A value as the footer's JSON has it, without quotes, in v->text until the next call. */
static taco_bytes taco__verify_values_format(taco__verify *v, taco_bytes b)
{
    taco__describe_out o;
    size_t n;
    v->text.len = 0;
    o = taco__describe_out_init(&v->text, NULL);
    taco__describe_value(&o, v->reader.leaf, b);
    n = o.ok ? v->text.len : 0;
    return n >= 2 && v->text.data[0] == '"' ? taco__bytes_of(v->text.data + 1, n - 2)
                                            : taco__bytes_of(v->text.data, n);
}

/* Warns that value b is below (low) or above what c claims. */
static void taco__verify_values_report(taco__verify *v, taco__verify_claim *c, bool low,
                                       taco_bytes b)
{
    char value[80];
    taco_bytes is = taco__verify_values_format(v, b), claimed;
    c->reported = true;
    is.len = TACO__MIN(is.len, sizeof value);
    if (is.len) { memcpy(value, is.data, is.len); }
    is.data = (const uint8_t *)value;
    claimed = taco__verify_values_format(v, low ? c->bounds.min : c->bounds.max);
    TACO__VERIFY_WARN(v, v->reader.page.body_at, "the value %q is %s %q, the %s of its %s", &is,
                      low ? "below" : "above", &claimed, low ? "minimum" : "maximum", c->what);
}

/* The first of n values of the batch that the annotation excludes, n if none: a decimal of more
   digits (as far as 64 bits hold it), a time outside of the day, text that is not UTF-8. */
static size_t taco__verify_values_excluded(const taco__verify *v, size_t n)
{
    static const int64_t days[] = {86400, 86400000, INT64_C(86400000000), INT64_C(86400000000000)};
    const taco_field *f = v->reader.field;
    int64_t least = 0, most, x;
    uint8_t scratch[32];
    size_t i;
    int32_t k;
    if (f->type == TACO_TEXT) {
        for (i = 0; i < n; i++) {
            taco_bytes b = taco__verify_values_text(&v->reader, i);
            if (!taco__utf8_valid(b)) { return i; }
        }
        return n;
    }
    if (v->reader.leaf->type != TACO__PQ_INT32 && v->reader.leaf->type != TACO__PQ_INT64) {
        return n;
    }
    if (f->type == TACO_DECIMAL && f->precision <= 18) {
        for (most = 1, k = 0; k < f->precision; k++) {
            most *= 10;
        }
        least = 1 - most;
    } else if (f->type == TACO_TIME) {
        most = days[f->unit];
    } else {
        return n;
    }
    for (i = 0; i < n; i++) {
        x = taco__stats_integer(taco__verify_values_encode(&v->reader, i, scratch));
        if (x < least || x >= most) { return i; }
    }
    return n;
}

TACO__FN void taco__verify_values_annotation(taco__verify *v)
{
    const taco_field *f = v->reader.field;
    size_t n = v->reader.batch.values.count, i;
    uint8_t scratch[32];
    taco__pq_schema_element element;
    taco_bytes is;
    if (v->odd_value) { return; }
    if (n && taco__schema_annotation(v->reader.leaf->element, &element) == TACO__PQ_LOGICAL_NULL) {
        v->odd_value = true;
        TACO__VERIFY_WARN(v, v->reader.page.body_at,
                          "a value that is not null, which its annotation, UNKNOWN, excludes");
        return;
    }
    i = taco__verify_values_excluded(v, n);
    if (i == n) { return; }
    v->odd_value = true;
    if (f->type == TACO_TEXT) {
        TACO__VERIFY_WARN(v, v->reader.page.body_at, "text that is not UTF-8");
        return;
    }
    is = taco__verify_values_format(v, taco__verify_values_encode(&v->reader, i, scratch));
    if (f->type == TACO_TIME) {
        TACO__VERIFY_WARN(v, v->reader.page.body_at, "the time %q is not within a day", &is);
    } else {
        TACO__VERIFY_WARN(v, v->reader.page.body_at, "the decimal %q has more than %d digits", &is,
                          TACO__D(f->precision));
    }
}

/* Every value is compared with each claim until one value has contradicted it. NaN is in no bound
   (parquet.thrift, Statistics); neither is a decimal of no bytes. */
TACO__FN void taco__verify_values_bounds(taco__verify *v)
{
    const taco__values *s = &v->reader.batch.values;
    uint8_t scratch[32];
    size_t i, k;
    int64_t order;
    for (k = 0; k < TACO__COUNT(v->claims); k++) {
        taco__verify_claim *c = &v->claims[k];
        if (!c->bounds.min.data && !c->bounds.max.data) { continue; }
        for (i = 0; i < s->count && !c->reported; i++) {
            taco_bytes b = taco__verify_values_encode(&v->reader, i, scratch);
            if ((v->order == TACO__STATS_FLOATS && !taco__stats_float_order(b, &order)) ||
                (v->order == TACO__STATS_DECIMALS && b.len == 0)) {
                continue; /* NaN lies outside of every bound */
            }
            if (c->bounds.min.data && taco__stats_compare(v->order, b, c->bounds.min) < 0) {
                taco__verify_values_report(v, c, true, b);
            } else if (c->bounds.max.data && taco__stats_compare(v->order, b, c->bounds.max) > 0) {
                taco__verify_values_report(v, c, false, b);
            }
        }
    }
}

/* Widest decimal that is looked up in a bloom filter. */
#define TACO__VERIFY_DECIMAL 64

/* A big-endian number in n bytes: the first ones only repeat its sign. */
static taco_bytes taco__verify_values_resize(taco_bytes b, size_t n, uint8_t *wide)
{
    if (n <= b.len) { return taco__bytes_of(b.data + b.len - n, n); }
    memset(wide, b.data[0] & 0x80 ? 0xFF : 0, n - b.len);
    memcpy(wide + n - b.len, b.data, b.len);
    return taco__bytes_of(wide, n);
}

TACO__FN void taco__verify_values_bloom(taco__verify *v, taco_error *err)
{
    const taco__pq_leaf *leaf = v->reader.leaf;
    bool decimal = leaf->field->type == TACO_DECIMAL && leaf->field->width;
    uint8_t scratch[32], wide[TACO__VERIFY_DECIMAL];
    size_t i;
    v->bloom.err = err;
    if (decimal && (leaf->type == TACO__PQ_BYTE_ARRAY || leaf->type_length > (int)sizeof wide)) {
        return; /* how many bytes the file has for a value is not known here, or they are many */
    }
    for (i = 0; i < v->reader.batch.values.count && v->has_bloom; i++) {
        taco_bytes b = taco__verify_values_encode(&v->reader, i, scratch), plain = b, is;
        if (decimal && leaf->type == TACO__PQ_FIXED) {
            plain = taco__verify_values_resize(b, (size_t)leaf->type_length, wide);
        }
        if (!taco__bloom_may_contain(&v->bloom, plain)) {
            v->has_bloom = false; /* one warning is enough */
            is = taco__verify_values_format(v, b);
            TACO__VERIFY_WARN(v, v->reader.page.body_at, "the value %q is not in the bloom filter",
                              &is);
        }
    }
}
/* ==== src/parquet_inspect/verify.c ==== */
/* verify.c - every page of a file read, and compared with all that is claimed

   In: an open file; out: its faults (what a reader must refuse: CRCs, lengths, levels, dictionary
   indices, counts, page indexes) and warnings (what readers get over: statistics that values
   contradict, bloom filters that deny a value, bytes after the last page), each handed to the
   caller with its place. Spec: parquet.thrift, parquet-format PageIndex.md, BloomFilter.md.

   taco__verify_chunk checks one column chunk by itself, with the readers that queries use:
   taco__verify_page reads a page, taco__verify_levels_and_values goes through its entries and
   counts them, and what was counted is compared with the page's header, the indexes, and in the end
   the chunk's metadata. A fault ends its chunk, not the file. Then taco__verify_nested assembles
   the rows of columns of several leaves, which may be good each by itself and not together.
   verify_tasks.c has columns checked side by side. */
/* #include "verify.h" */
/* #include "../base/base.h" */
/* #include "../arrow/arrow.h" */

/* ---- findings ---- */

TACO__FN void taco__verify_emit(taco__verify *v, bool fault, const taco_error *e)
{
    if (fault) {
        v->sum->faults++;
    } else {
        v->sum->warnings++;
    }
    if (fault && v->first.code == TACO_OK) { v->first = *e; }
    v->stop = v->stop || (v->found && !v->found(v->ctx, fault, e)) || (fault && !v->found);
}

TACO__FN void taco__verify_report(taco__verify *v, bool fault, taco_error *e)
{
    if (v->chunk) { taco__footer_prefix_error(&v->file->meta, e, v->group, v->leaf); }
    if (v->file->name[0]) { taco__error_prefix(e, "%s", v->file->name); }
    taco__verify_emit(v, fault, e);
}

/* Warns where a claim has another number of nulls than were counted; -1 claims none. */
static void taco__verify_null_count(taco__verify *v, const taco__verify_claim *c, uint64_t nulls)
{
    if (c->bounds.null_count >= 0 && (uint64_t)c->bounds.null_count != nulls) {
        TACO__VERIFY_WARN(v, v->reader.page.body_at, "%u nulls, its %s say %d", nulls, c->what,
                          c->bounds.null_count);
    }
}

/* Warns of the first statistics of the chunk that say what cannot be. */
static void taco__verify_contradiction(taco__verify *v, const char *what, uint64_t at,
                                       const taco__pq_statistics *s)
{
    const char *has = taco__stats_contradiction(&v->file->meta, v->reader.leaf, s);
    if (has && !v->odd_statistics) {
        v->odd_statistics = true;
        TACO__VERIFY_WARN(v, at, "its %s have %s", what, has);
    }
}

/* ---- data pages ---- */

/* Counts the m entries in the reader's batch, of which `valid` are values, and the rows they begin.
   A row must not begin inside a list, nor an indexed page inside a row. */
static bool taco__verify_count(taco__verify *v, size_t m, size_t valid, taco_error *err)
{
    const taco__chunk_reader *r = &v->reader;
    bool continues = false;
    size_t i, k, rows = m;
    for (i = 0; r->leaf->max_rep && i < m; i += k) {
        uint64_t inside;
        k = TACO__MIN(m - i, (size_t)64);
        inside = taco__level_decode_rep_mask(&r->levels, i, k, 1);
        continues = i ? continues : inside & 1;
        rows -= taco__bitmap_popcount(inside);
    }
    if (continues && v->total.entries + v->page.entries == 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, r->page.body_at,
                   "a row begins with a repetition level that is not 0");
        return false;
    }
    if (continues && v->page.entries == 0 && v->has_offsets) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, r->page.body_at,
                   "page begins inside a row, the offset index needs it to begin with one");
        return false;
    }
    v->page.rows += rows;
    v->page.entries += m;
    v->page.nulls += m - valid;
    return true;
}

/* All levels and values of the open data page, a batch at a time: a page may have more entries than
   fit into memory decoded. Bounds and the bloom filter see every batch. */
static bool taco__verify_levels_and_values(taco__verify *v, taco_error *err)
{
    taco__chunk_reader *r = &v->reader;
    memset(&v->page, 0, sizeof v->page);
    while (r->page.entries_left) {
        size_t m = TACO__MIN(r->page.entries_left, (size_t)TACO__LEVEL_DECODE_AHEAD), valid;
        taco__chunk_reader_begin_batch(r);
        if (!taco__page_decode_levels(r, m, err)) { return false; }
        valid = taco__level_decode_count_valid(&r->levels, 0, m);
        if (!taco__page_decode_values(r, valid, err)) {
            return taco__error_inside(err, r->page.body_at, "values");
        }
        if (!taco__verify_count(v, m, valid, err)) { return false; }
        r->page.entries_left -= m;
        if (r->field->type != TACO_NULL) {
            taco__verify_values_annotation(v);
            taco__verify_values_bounds(v);
            taco__verify_values_bloom(v, err);
            if (err->code != TACO_OK) { return false; }
        }
    }
    return true;
}

/* Fails where the offset index has another place, size or first row for the data page whose header
   is at `at`. PageIndex.md: compressed_page_size includes the header, first_row_index counts rows
   of the row group. A fault, as readers jump by it. */
static bool taco__verify_location(taco__verify *v, uint64_t at, taco_error *err)
{
    const taco__pq_page_location *p = &v->offsets.page[v->page_index];
    if (v->page_index >= v->offsets.pages) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at, "data page %u, the offset index has %u",
                   TACO__U(v->page_index), TACO__U(v->offsets.pages));
        return false;
    }
    if (p->offset != at || p->size != v->reader.position.next - at ||
        (uint64_t)p->first_row != v->total.rows) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                   "page %u of %u bytes with row %u, the offset index has it at byte %u with %u "
                   "bytes and row %d",
                   TACO__U(v->page_index), v->reader.position.next - at, v->total.rows, p->offset,
                   TACO__U(p->size), p->first_row);
        return false;
    }
    return true;
}

/* What the page header and the column index claim for the open page, in claims[1] and [2];
   claims[0] is the chunk's and lives as long as the chunk. Bounds that taco__stats_bounds does
   not believe (their order is not known, or they are of a writer with known errors) claim
   nothing. */
static void taco__verify_set_claims(taco__verify *v)
{
    taco__chunk_reader *r = &v->reader;
    const taco__pq_metadata *m = &v->file->meta;
    memset(&v->claims[1], 0, 2 * sizeof v->claims[0]);
    v->claims[1].what = "page statistics";
    v->claims[2].what = "column index";
    v->claims[1].bounds.null_count = v->claims[2].bounds.null_count = -1;
    taco__stats_bounds(m, r->leaf, &r->page.header.stats, &v->claims[1].bounds);
    taco__verify_contradiction(v, v->claims[1].what, r->page.body_at, &r->page.header.stats);
    if (v->has_columns && v->page_index < v->columns.pages) {
        taco__pq_statistics s = taco__stats_of_page(&v->columns, v->page_index);
        taco__verify_contradiction(v, "column index entries", v->chunk->column_index.offset, &s);
        taco__stats_page_bounds(m, r->leaf, &v->columns, v->page_index, &v->claims[2].bounds);
    }
}

/* The page's encoding is to be in the chunk's list; the two names of dictionary indices are one. */
static void taco__verify_encoding(taco__verify *v)
{
    const uint32_t dict = 1U << TACO__PQ_ENC_PLAIN_DICTIONARY | 1U << TACO__PQ_ENC_RLE_DICTIONARY;
    uint32_t bit = 1U << TACO__MIN((uint32_t)v->reader.page.header.encoding, 31U);
    if (!v->odd_encoding && !(v->chunk->encodings & (bit & dict ? dict : bit))) {
        v->odd_encoding = true;
        if (!v->chunk->encodings) { /* a required list: DuckDB 1.5 leaves it empty for INTERVAL */
            TACO__VERIFY_WARN(v, v->reader.page.body_at,
                              "the column chunk lists no encodings, its pages have encoding %d",
                              TACO__D(v->reader.page.header.encoding));
            return;
        }
        TACO__VERIFY_WARN(v, v->reader.page.body_at,
                          "page of encoding %d, which its column chunk does not list",
                          TACO__D(v->reader.page.header.encoding));
    }
}

/* Counts that the page header and the column index have for the open page: num_rows and num_nulls
   of DataPageHeaderV2, ColumnIndex.null_counts and null_pages. Warnings: the levels decide. */
static void taco__verify_page_counts(taco__verify *v)
{
    const taco__chunk_reader *r = &v->reader;
    const taco__pq_page_header *h = &r->page.header;
    size_t k;
    if (h->type == TACO__PQ_PAGE_DATA_V2 &&
        (h->num_rows != v->page.rows || h->num_nulls != v->page.nulls)) {
        TACO__VERIFY_WARN(v, r->page.body_at,
                          "page of %u rows and %u nulls, its header says %u and %u", v->page.rows,
                          v->page.nulls, TACO__U(h->num_rows), TACO__U(h->num_nulls));
    }
    taco__verify_encoding(v);
    for (k = 1; k < TACO__COUNT(v->claims); k++) {
        taco__verify_null_count(v, &v->claims[k], v->page.nulls);
    }
    if (v->has_columns && v->page_index < v->columns.pages &&
        v->columns.null_pages[v->page_index] && v->page.nulls != v->page.entries) {
        TACO__VERIFY_WARN(v, r->page.body_at,
                          "page with %u values, the column index says nulls only",
                          v->page.entries - v->page.nulls);
    }
}

/* The data page whose body was read and whose header is at `at`: its levels and values decoded,
   counted into the chunk's total, and compared with what the header and both indexes have. */
static bool taco__verify_data_page(taco__verify *v, uint64_t at, taco_error *err)
{
    taco__chunk_reader *r = &v->reader;
    uint32_t n = r->page.header.num_values;
    if (n > r->position.entries_left) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, r->page.body_at,
                   "page of %u values, its column chunk has %u left", TACO__U(n),
                   r->position.entries_left);
        return false;
    }
    if (v->has_offsets && !taco__verify_location(v, at, err)) { return false; }
    taco__verify_set_claims(v);
    r->position.entries_left -= n;
    r->page.entries_left = n;
    if (!taco__page_decode_open(r, err) || !taco__verify_levels_and_values(v, err)) {
        return false;
    }
    taco__verify_page_counts(v);
    v->page_index++;
    v->total.rows += v->page.rows;
    v->total.nulls += v->page.nulls;
    v->total.entries += v->page.entries;
    v->sum->values += v->page.entries;
    return true;
}

/* Copies the bounds in the page's header: they lie in the window, where the body may take their
   place. */
static bool taco__verify_keep_bounds(taco__verify *v, taco_error *err)
{
    taco__pq_statistics *s = &v->reader.page.header.stats;
    v->bounds.len = 0;
    if (!taco__buf_reserve(&v->bounds, s->min.len + s->max.len, err) ||
        !taco__buf_append(&v->bounds, s->min.data, s->min.len, err) ||
        !taco__buf_append(&v->bounds, s->max.data, s->max.len, err)) {
        return false;
    }
    if (s->min.data) { s->min.data = v->bounds.data; }
    if (s->max.data) { s->max.data = v->bounds.data + s->min.len; }
    return true;
}

/* The next page of the chunk, of any kind, its CRC checked and its body decompressed. A dictionary
   is loaded, index pages mean nothing. */
static bool taco__verify_page(taco__verify *v, taco_error *err)
{
    taco__chunk_reader *r = &v->reader;
    uint64_t at = r->position.next;
    size_t header = 0;
    if (!taco__chunk_reader_read_header(r, &header, err) || !taco__verify_keep_bounds(v, err) ||
        !taco__chunk_reader_load_body(r, header, false, err)) {
        return false;
    }
    v->sum->pages++;
    v->sum->crcs += r->page.header.has_crc;
    if (r->page.header.has_crc && !r->page.header.crc && !v->no_crc &&
        taco__crc32(0, r->page.body.data, r->page.body.len)) {
        v->no_crc = true;
        TACO__VERIFY_WARN(v, r->page.body_at, "page with a CRC of 0, which says nothing");
    }
    if (r->page.header.type == TACO__PQ_PAGE_DICTIONARY) {
        taco__chunk_reader_begin_batch(r);
        return taco__dictionary_load(r, err);
    }
    return !taco__chunk_reader_is_data(r) || taco__verify_data_page(v, at, err);
}

/* ---- chunks ---- */

/* Bytes of an index (PageIndex.md) of the chunk at hand, which live until the next chunk; {NULL, 0}
   on failure. */
static taco_bytes taco__verify_read_index(taco__verify *v, const taco__range *at, taco_error *err)
{
    uint8_t *p = NULL;
    if (at->len > v->file->options.limits.max_metadata) {
        TACO__FAIL(err, TACO_ERR_LIMIT, at->offset, "index of %u bytes, limits.max_metadata is %u",
                   at->len, v->file->options.limits.max_metadata);
    } else {
        p = (uint8_t *)taco__arena_alloc(&v->arena, (size_t)at->len, err);
    }
    if (!p || !taco__file_part_read(&v->file->part, at->offset, p, (size_t)at->len, err)) {
        return taco__bytes_of(NULL, 0);
    }
    return taco__bytes_of(p, (size_t)at->len);
}

/* Reads the page indexes of a chunk of a row group of `rows` rows. An index that does not parse is
   a fault here, while queries do without it. The offset index comes first: it says how many pages
   the column index must have. */
static bool taco__verify_indexes(taco__verify *v, int64_t rows, taco_error *err)
{
    const taco__pq_column_chunk *c = v->chunk;
    taco_bytes b;
    v->has_columns = v->has_offsets = false;
    if (c->offset_index.len) {
        b = taco__verify_read_index(v, &c->offset_index, err);
        if (!b.data || taco__page_index_parse_offsets(&v->arena, b, c->offset_index.offset, c, rows,
                                                      &v->offsets, err) != TACO_OK) {
            return false;
        }
        v->has_offsets = true;
    }
    if (c->column_index.len) {
        b = taco__verify_read_index(v, &c->column_index, err);
        if (!b.data || taco__page_index_parse_columns(&v->arena, b, c->column_index.offset,
                                                      v->has_offsets ? v->offsets.pages : SIZE_MAX,
                                                      &v->columns, err) != TACO_OK) {
            return false;
        }
        v->has_columns = true;
    }
    return true;
}

/* Warns of a column index that contradicts another part of the file, which queries do without. */
static void taco__verify_index_agrees(taco__verify *v)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    if (v->has_columns &&
        !taco__page_index_agrees(&v->file->meta, v->group, v->leaf,
                                 v->has_offsets ? &v->offsets : NULL, &v->columns, &e)) {
        taco__verify_report(v, false, &e);
    }
}

/* Fails where the pages add up to something else than the chunk and its indexes say. */
static bool taco__verify_totals(taco__verify *v, uint64_t rows, taco_error *err)
{
    taco__chunk_reader *r = &v->reader;
    if (r->position.entries_left) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, r->position.next,
                   "%u values in its pages, the column chunk says %u", v->total.entries,
                   TACO__U(v->chunk->num_values));
        return false;
    }
    if (v->total.rows != rows) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, r->position.next,
                   "%u rows in its pages, the row group has %u", v->total.rows, rows);
        return false;
    }
    if (v->has_offsets && v->page_index != v->offsets.pages) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, v->chunk->offset_index.offset,
                   "offset index of %u pages, the column chunk has %u", TACO__U(v->offsets.pages),
                   TACO__U(v->page_index));
        return false;
    }
    if (v->has_columns && v->page_index != v->columns.pages) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, v->chunk->column_index.offset,
                   "column index of %u pages, the column chunk has %u", TACO__U(v->columns.pages),
                   TACO__U(v->page_index));
        return false;
    }
    taco__verify_null_count(v, &v->claims[0], v->total.nulls);
    return true;
}

/* Every page of the chunk at hand. After its last value more pages may follow, or padding. */
static bool taco__verify_pages(taco__verify *v, uint64_t rows, taco_error *err)
{
    taco__chunk_reader *r = &v->reader;
    uint64_t end = v->chunk->pages.offset + v->chunk->pages.len;
    v->page_index = 0;
    v->total.rows = v->total.nulls = v->total.entries = 0;
    v->odd_encoding = v->odd_statistics = v->odd_value = v->no_crc = false;
    v->order = taco__stats_order_of(r->leaf);
    memset(v->claims, 0, sizeof v->claims);
    v->claims[0].what = "statistics";
    taco__stats_bounds(&v->file->meta, r->leaf, &v->chunk->stats, &v->claims[0].bounds);
    taco__verify_contradiction(v, v->claims[0].what, v->chunk->at, &v->chunk->stats);
    while (!v->stop && r->position.next < (r->position.entries_left ? r->window.end : end)) {
        uint64_t at = r->position.next;
        taco_error e;
        memset(&e, 0, sizeof e);
        if (taco__verify_page(v, &e)) { continue; }
        if (r->position.entries_left || r->position.next > at || taco__error_is_of_machine(&e) ||
            (v->in_task && (e.code == TACO_ERR_LIMIT || e.code == TACO_ERR_STATE))) {
            *err = e;
            return false;
        }
        TACO__VERIFY_WARN(v, at, "%u bytes behind the last page of the column chunk", end - at);
        break;
    }
    return v->stop || taco__verify_totals(v, rows, err);
}

/* Opens the bloom filter of the chunk at hand; false where reading it failed. A filter that does
   not parse is a warning: queries do without it. */
static bool taco__verify_open_bloom(taco__verify *v, taco_error *err)
{
    memset(&v->bloom, 0, sizeof v->bloom);
    v->has_bloom = taco__bloom_open(&v->bloom, &v->file->part, v->chunk, v->mem, err);
    if (!v->has_bloom && v->chunk->bloom.len && err->code == TACO_OK) {
        TACO__VERIFY_WARN(v, v->chunk->bloom.offset, "the bloom filter cannot be read");
    }
    return err->code == TACO_OK;
}

/* The chunk of a leaf in a row group. Its first fault ends it: after a broken page nothing says
   where the next one begins. What was opened for it is closed in any case. */
static void taco__verify_chunk(taco__verify *v, uint32_t group, uint32_t leaf)
{
    const taco__pq_row_group *g = &v->file->meta.groups[group];
    taco__chunk_reader *r = &v->reader;
    taco_error e;
    memset(&e, 0, sizeof e);
    v->group = group;
    v->leaf = leaf;
    v->chunk = &g->chunks[leaf];
    if (v->chunk->encrypted || v->chunk->external) {
        v->sum->skipped++;
        TACO__VERIFY_WARN(v, v->chunk->at, "not checked: %s",
                          v->chunk->encrypted ? "it is encrypted"
                                              : "its pages are in another file");
        return;
    }
    taco__chunk_reader_init(r, v->mem);
    taco__chunk_reader_set_leaf(r, v->file, leaf, v->codecs);
    r->decoded = &v->decoded;
    if (!taco__verify_open_bloom(v, &e) || !taco__chunk_reader_open(r, v->chunk, &e) ||
        !taco__verify_indexes(v, g->rows, &e) || !taco__verify_pages(v, (uint64_t)g->rows, &e)) {
        taco__verify_report(v, true, &e);
    } else {
        taco__verify_index_agrees(v);
        v->sum->chunks++;
    }
    taco__bloom_close(&v->bloom);
    taco__chunk_reader_free(r);
    taco__arena_free(&v->arena);
}

/* The rows of a nested column in a row group whose chunks are good, each by itself: do they make
   lists and structs? */
static void taco__verify_nested(taco__verify *v, uint32_t group, uint32_t column)
{
    const taco__pq_row_group *g = &v->file->meta.groups[group];
    taco__table t;
    taco__row_reader rows;
    taco_error e;
    size_t which = column;
    uint64_t at = (uint64_t)g->first_row, end = at + (uint64_t)g->rows;
    memset(&e, 0, sizeof e);
    taco__table_from_file(&t, v->file);
    if (taco__row_reader_open_with(&rows, &t, &which, 1, v->codecs, v->mem, &e)) {
        while (at < end) {
            size_t n = (size_t)TACO__MIN(end - at, (uint64_t)TACO__BATCH_ROWS);
            if (!taco__row_reader_read_range(&rows, at, n, &e)) { break; }
            at += n;
        }
    }
    taco__row_reader_close(&rows);
    if (e.code != TACO_OK) { taco__verify_emit(v, true, &e); }
}

TACO__FN void taco__verify_column(taco__verify *v, uint32_t group, uint32_t column)
{
    const taco__pq_schema_node *node = &v->file->meta.nodes[column];
    uint64_t before = v->sum->faults + v->sum->skipped;
    uint32_t i;
    for (i = 0; i < node->leaf_count && !v->stop; i++) {
        taco__verify_chunk(v, group, node->leaf + i);
    }
    if (node->field->child_count && !v->stop && v->sum->faults + v->sum->skipped == before) {
        taco__verify_nested(v, group, column);
    }
}

TACO__FN void taco__verify_set_memory(taco__verify *v, taco__mem *mem)
{
    v->mem = v->arena.mem = v->text.mem = v->bounds.mem = mem;
}

TACO__FN void taco__verify_free(taco__verify *v)
{
    taco__buf_free(&v->text);
    taco__buf_free(&v->bounds);
}

/* Warns of the first two chunks that share bytes, which limits.max_decoded refuses. */
static void taco__verify_shared(taco__verify *v, taco_error *err)
{
    taco_error e;
    bool shared = false;
    memset(&e, 0, sizeof e);
    if (taco__expansion_find_shared(v->file, &shared, &e, err) && shared) {
        if (v->file->name[0]) { taco__error_prefix(&e, "%s", v->file->name); }
        taco__verify_emit(v, false, &e);
    }
}

/* Every column of every row group, in the order of the file. Returns how many. */
static uint64_t taco__verify_columns(taco__verify *v)
{
    const uint64_t columns = v->file->meta.column_count, n = v->file->meta.group_count * columns;
    taco__verify_tasks tasks;
    uint64_t at = 0;
    taco__verify_tasks_open(&tasks, v);
    while (at < n && !v->stop) {
        size_t done = taco__verify_tasks_run(&tasks, at);
        if (!done) {
            taco__verify_column(v, (uint32_t)(at / columns), (uint32_t)(at % columns));
            done = 1;
        }
        at += done;
    }
    taco__verify_tasks_close(&tasks);
    return at;
}

/* All column chunks of a file; the code of the first fault, with its message in err. */
TACO__FN taco_status taco__verify_file(taco_pq_file *file,
                                       bool (*found)(void *ctx, bool fault, const taco_error *what),
                                       void *ctx, taco_pq_checked *sum, taco_error *err)
{
    taco__verify v;
    uint64_t columns;
    uint32_t g;
    memset(&v, 0, sizeof v);
    v.file = file;
    v.found = found;
    v.ctx = ctx;
    v.sum = sum;
    taco__verify_set_memory(&v, file->mem);
    v.codecs = taco__pq_file_codecs(file, err);
    if (!v.codecs) { return err->code; }
    if (file->meta.claimed_rows != file->meta.num_rows) {
        TACO__VERIFY_WARN(&v, file->meta.footer_offset, "footer of %d rows, its row groups have %d",
                          file->meta.claimed_rows, file->meta.num_rows);
    }
    taco__verify_shared(&v, err);
    columns = err->code == TACO_OK ? taco__verify_columns(&v) : 0;
    for (g = 0; g < file->meta.group_count; g++) {
        if (v.stop && (uint64_t)g * file->meta.column_count >= columns) { break; }
        sum->row_groups++;
        sum->rows += (uint64_t)file->meta.groups[g].rows;
    }
    taco__verify_free(&v);
    if (v.first.code != TACO_OK && err->code == TACO_OK) { *err = v.first; }
    return v.first.code != TACO_OK ? v.first.code : err->code;
}

TACO_API taco_status taco_pq_verify(taco_pq_file *file,
                                    bool (*found)(void *ctx, bool fault, const taco_error *what),
                                    void *ctx, taco_pq_checked *out, taco_error *err)
{
    taco_pq_checked sum;
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_status status;
    err = taco__error_fresh(err, NULL);
    memset(&sum, 0, sizeof sum);
    status = file ? taco__verify_file(file, found, ctx, &sum, &own)
                  : TACO__FAIL_SOFT(&own, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no file given");
    if (out) { *out = sum; }
    taco__error_copy(err, &own);
    return status;
}
/* ==== src/parquet_inspect/verify_tasks.c ==== */
/* verify_tasks.c - columns of row groups checked by the host's parallel_for

   In: the state of a check and where it has come to; out: the findings and counts that the calling
   thread would make alone, in the same order. A round takes the next columns of the file, each of
   which is a task with an account of memory, decoders and findings of its own. Tasks read files of
   the system's themselves; from other sources the bytes of a round are fetched before it, and while
   tasks run the source is not called (taco__file.cached_only).

   What a task could not do, for lack of memory or of bytes that were not fetched, the calling
   thread does again, and from then on there are no tasks. Where `found` ends the work, the column
   at hand is gone through once more up to there: counts are those of what was read.

   Start reading at taco__verify_tasks_run. */
/* #include "verify.h" */
/* #include "../base/base.h" */

/* Bytes of a round that are fetched at most, and those that are worth waking tasks. Fuzz targets
   use fewer. */
#define TACO__VERIFY_TASK_AHEAD ((uint64_t)32 << 20)
#ifndef TACO__VERIFY_TASK_LEAST
#define TACO__VERIFY_TASK_LEAST ((uint64_t)262144)
#endif

typedef struct taco__verify_finding {
    bool fault;
    taco_error what;
} taco__verify_finding;

TACO__FN void taco__verify_tasks_open(taco__verify_tasks *t, taco__verify *v)
{
    memset(t, 0, sizeof *t);
    t->v = v;
    t->ranges.mem = v->mem;
    if (!v->file->options.limits.max_decoded && /* one count of what is decoded: v->decoded */
        taco__tasks_width(&v->file->options, TACO__VERIFY_TASKS) > 1) {
        t->items = (taco__verify_task *)taco__mem_alloc(
            v->mem, TACO__VERIFY_TASKS * sizeof *t->items, NULL);
    }
}

TACO__FN void taco__verify_tasks_close(taco__verify_tasks *t)
{
    taco__mem_free(t->v->mem, t->items, TACO__VERIFY_TASKS * sizeof *t->items);
    taco__buf_free(&t->ranges);
    t->items = NULL;
}

/* ---- a round ---- */

/* Whether all that a task reads of a chunk is known before; *bytes: of its pages. Adds it to the
   ranges. */
static bool taco__verify_tasks_add_chunk(taco__verify_tasks *t, const taco__pq_column_chunk *c,
                                         uint64_t *bytes)
{
    const taco__file_part *part = &t->v->file->part;
    taco__range r[4];
    size_t i;
    if (c->encrypted || c->external) { return true; }
    if (c->bloom.len == UINT64_MAX || c->pages.len > TACO__VERIFY_TASK_AHEAD) { return false; }
    *bytes += c->pages.len;
    r[0] = c->pages;
    r[1] = c->offset_index;
    r[2] = c->column_index;
    r[3] = c->bloom;
    for (i = 0; i < TACO__COUNT(r); i++) {
        if (!taco__checked_range(r[i].offset, r[i].len, part->size)) { return false; }
        r[i].offset += part->base;
        if (r[i].len && !taco__buf_append(&t->ranges, &r[i], sizeof r[i], NULL)) { return false; }
    }
    return true;
}

/* Makes column number `at` of all row groups a task of the round; false where it is none. */
static bool taco__verify_tasks_add(taco__verify_tasks *t, uint64_t at)
{
    const taco__pq_metadata *m = &t->v->file->meta;
    taco__verify_task *task = &t->items[t->count];
    const size_t before = t->ranges.len;
    const taco__pq_schema_node *node;
    uint32_t i;
    memset(task, 0, sizeof *task);
    task->group = (uint32_t)(at / m->column_count);
    task->column = (uint32_t)(at % m->column_count);
    task->findings.mem = &task->own;
    node = &m->nodes[task->column];
    for (i = 0; i < node->leaf_count; i++) {
        if (!taco__verify_tasks_add_chunk(t, &m->groups[task->group].chunks[node->leaf + i],
                                          &task->bytes)) {
            t->ranges.len = before;
            return false;
        }
    }
    t->order[t->count] = (uint8_t)t->count;
    t->count++;
    return true;
}

static int taco__verify_tasks_compare(const void *ctx, const void *a, const void *b)
{
    const taco__verify_task *items = (const taco__verify_task *)ctx;
    uint64_t x = items[*(const uint8_t *)a].bytes, y = items[*(const uint8_t *)b].bytes;
    return (x < y) - (x > y);
}

/* Gathers the columns of a round from `at` on. False where they are not worth it. The largest run
   first, so that all threads end at about the same time. */
static bool taco__verify_tasks_gather(taco__verify_tasks *t, uint64_t at)
{
    const taco__pq_metadata *m = &t->v->file->meta;
    const uint64_t n = (uint64_t)m->group_count * m->column_count;
    const bool reads = taco__file_tasks_may_read(t->v->file->part.file);
    const uint64_t most = taco__mem_ahead(t->v->mem, TACO__VERIFY_TASK_AHEAD);
    uint64_t bytes = 0;
    uint8_t one;
    t->count = 0;
    t->ranges.len = 0;
    while (at + t->count < n && t->count < TACO__VERIFY_TASKS && (reads || bytes < most)) {
        if (!taco__verify_tasks_add(t, at + t->count)) { break; }
        bytes += t->items[t->count - 1].bytes;
    }
    taco__sort_in_place(t->order, &one, t->count, sizeof one, taco__verify_tasks_compare, t->items);
    return t->count > 1 && bytes >= TACO__VERIFY_TASK_LEAST;
}

/* ---- tasks ---- */

/* `found` of a task. What depends on its share of the memory, or on what was fetched, says nothing
   about the file. */
static bool taco__verify_tasks_found(void *ctx, bool fault, const taco_error *what)
{
    taco__verify_task *task = (taco__verify_task *)ctx;
    taco__verify_finding f;
    memset(&f, 0, sizeof f);
    f.fault = fault;
    f.what = *what;
    task->again = taco__error_is_of_machine(what) || what->code == TACO_ERR_LIMIT ||
                  what->code == TACO_ERR_STATE ||
                  !taco__buf_append(&task->findings, &f, sizeof f, NULL);
    return !task->again;
}

static void taco__verify_tasks_task(void *arg, size_t i)
{
    taco__verify_tasks *t = (taco__verify_tasks *)arg;
    taco__verify_task *task = &t->items[t->order[i]];
    taco__verify *v = &task->v;
    v->codecs = taco__codecs_open(&task->own, NULL);
    if (v->codecs) {
        taco__verify_column(v, task->group, task->column);
    } else {
        task->again = true;
    }
    taco__codecs_close(v->codecs, &task->own);
    taco__verify_free(v);
}

/* Runs the tasks of the round; false where their bytes could not be fetched. */
static bool taco__verify_tasks_work(taco__verify_tasks *t)
{
    taco__verify *v = t->v;
    taco__file *file = v->file->part.file;
    const taco__range *r = (const taco__range *)(const void *)t->ranges.data;
    const bool reads = taco__file_tasks_may_read(file);
    size_t i, n = reads ? 0 : t->ranges.len / sizeof *r;
    if (!taco__file_fetch(file, r, n, NULL)) { return false; }
    for (i = 0; i < t->count; i++) {
        taco__verify_task *task = &t->items[i];
        taco__mem_task_begin(v->mem, &task->own, t->count);
        task->v.file = v->file;
        taco__verify_set_memory(&task->v, &task->own);
        task->v.found = taco__verify_tasks_found;
        task->v.ctx = task;
        task->v.sum = &task->sum;
        task->v.in_task = true;
    }
    file->cached_only = !reads;
    taco__tasks_run(&v->file->options, t->count, taco__verify_tasks_task, t);
    file->cached_only = false;
    for (i = 0; i < n; i++) {
        taco__file_release(file, r[i].offset, r[i].len);
    }
    for (i = 0; i < t->count; i++) {
        taco__mem_task_merge(v->mem, &t->items[i].own);
    }
    return true;
}

/* ---- findings ---- */

/* `found` of a column that is gone through again: false for the last finding that is wanted. */
static bool taco__verify_tasks_count_down(void *ctx, bool fault, const taco_error *what)
{
    size_t *left = (size_t *)ctx;
    (void)fault;
    (void)what;
    return --*left > 0;
}

/* Counts what alone would have been counted of a column until its finding number n ended the
   work; `before` are the counts before it. */
static void taco__verify_tasks_count_part(taco__verify *v, const taco__verify_task *task, size_t n,
                                          const taco_pq_checked *before)
{
    taco__verify again = *v;
    taco_pq_checked sum = *before;
    again.sum = &sum;
    again.found = taco__verify_tasks_count_down;
    again.ctx = &n;
    again.stop = false;
    taco__verify_column(&again, task->group, task->column);
    v->text = again.text;
    v->bounds = again.bounds;
    *v->sum = sum;
}

/* Hands out what a task has found and counted. */
static void taco__verify_tasks_deliver(taco__verify *v, const taco__verify_task *task)
{
    const taco__verify_finding *f = (const taco__verify_finding *)(const void *)task->findings.data;
    const taco_pq_checked before = *v->sum;
    size_t i, n = task->findings.len / sizeof *f;
    for (i = 0; i < n && !v->stop; i++) {
        taco__verify_emit(v, f[i].fault, &f[i].what);
    }
    if (v->stop) {
        taco__verify_tasks_count_part(v, task, i, &before);
        return;
    }
    v->sum->chunks += task->sum.chunks;
    v->sum->pages += task->sum.pages;
    v->sum->values += task->sum.values;
    v->sum->crcs += task->sum.crcs;
    v->sum->skipped += task->sum.skipped;
}

TACO__FN size_t taco__verify_tasks_run(taco__verify_tasks *t, uint64_t at)
{
    taco__verify *v = t->v;
    size_t i, done = 0;
    bool again = false;
    if (!TACO__WITH_TASKS || !t->items || !taco__verify_tasks_gather(t, at)) { return 0; }
    if (!taco__verify_tasks_work(t)) {
        taco__verify_tasks_close(t);
        return 0;
    }
    for (i = 0; i < t->count; i++) {
        taco__verify_task *task = &t->items[i];
        done += !v->stop;
        if (v->stop) {
            /* nothing more is wanted */
        } else if (task->again) {
            again = true;
            taco__verify_column(v, task->group, task->column);
        } else {
            taco__verify_tasks_deliver(v, task);
        }
        taco__buf_free(&task->findings);
        taco__mem_task_merge(v->mem, &task->own);
    }
    if (again) { taco__verify_tasks_close(t); }
    return done;
}
#endif /* TACO_PARQUET_IMPLEMENTATION */
