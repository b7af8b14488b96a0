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

#include "../api/taco_parquet_inspect.h"
#include "../parquet/parquet.h"

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
