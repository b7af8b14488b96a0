/* avro.h - Avro object container files, as a tree of nodes that fill Arrow columns. */
#ifndef TACO__AVRO_H
#define TACO__AVRO_H

#include "../api/taco.h"
#include "../base/base.h"
#include "../base/json.h"

/* The metadata of the first FOLDER datasets is Avro. A schema becomes a tree of nodes, one per
   Arrow column or child (avro_schema.c). A node appends to its own buffers while rows are decoded,
   and these move to the arena when everything has been read (avro_read.c).

   A hostile file cannot claim values for free: every value that can differ takes a byte of the
   file. Values that take none (null, and records of only nulls) are never visited, only given a
   length at the end; and the children of null records are filled up in one step at the next
   non-null record. So time is proportional to bytes read plus bytes made, and both have limits. */

/* The result of reading a file, in the arena. */
typedef struct taco__avro_table {
    /* field_count of them */
    const taco_field *fields;
    size_t field_count;
    /* as many, of rows values each */
    const taco_array *columns;
    size_t rows;
} taco__avro_table;

/* How a value is encoded; the Arrow type it becomes also depends on its logical type. From ARRAY on
   there are children. */
typedef enum taco__avro_kind {
    TACO__AVRO_NULL = 0,
    TACO__AVRO_BOOLEAN,
    TACO__AVRO_INT,
    TACO__AVRO_LONG,
    TACO__AVRO_FLOAT,
    TACO__AVRO_DOUBLE,
    TACO__AVRO_BYTES,
    TACO__AVRO_STRING,
    TACO__AVRO_FIXED,
    TACO__AVRO_ENUM,
    TACO__AVRO_ARRAY,
    TACO__AVRO_MAP,
    TACO__AVRO_RECORD
} taco__avro_kind;

/* One column, or child of one. {"type": ["null", "string"]} for example is a node of kind STRING
   with 2 branches, null_branch 0 and a nullable field. */
typedef struct taco__avro_node {
    taco_field *field;
    /* child_count of them; their fields lie in the same order */
    struct taco__avro_node *children;
    uint32_t child_count;
    /* RECORD: children that take bytes in the file, stored_count of them */
    const uint32_t *stored;
    uint32_t stored_count;
    /* branches of its union, 0 if there is none; which of them is null */
    uint32_t branches;
    uint32_t null_branch;
    /* ENUM */
    uint32_t symbol_count;
    const taco_bytes *symbols;
    /* FIXED: bytes in the file */
    int32_t fixed;
    /* taco__avro_kind */
    uint8_t kind;
    /* takes no byte in any row, and is never visited */
    bool empty;
    /* entries so far; below null records fewer than the parent has, until they are filled up */
    size_t length;
    size_t null_count;
    /* as in taco_array; empty if the type has no such part */
    taco__buf validity, offsets, values;
} taco__avro_node;

/* A named type, as far as the schema has been parsed. Kept in a list, since there are few. */
typedef struct taco__avro_name {
    const struct taco__avro_name *next;
    taco_bytes space, name;
    /* hash of the name: avoids most comparisons */
    uint32_t hash;
    /* its definition is still being parsed */
    bool open;
    const taco__json *schema;
} taco__avro_name;

/* State of reading one file. */
typedef struct taco__avro {
    taco__arena *arena;
    /* over the file, or over one block of it */
    taco__byte_reader c;
    /* offset of the cursor's bytes in the file */
    uint64_t base;
    /* the bytes are unpacked from a block at base, and have no offsets of their own */
    bool packed;
    /* values of 0 bytes that may still be claimed */
    uint64_t empty_left;
    uint32_t node_count, max_nodes, max_depth;
    /* leaves of the schema, named types, and JSON values parsed for named types so far */
    uint32_t leaf_count, name_count, expanded;
    /* latest first */
    taco__avro_name *names;
    /* never NULL here */
    taco_error *err;
} taco__avro;

/* ---- avro_schema.c ---- */

TACO__FN bool taco__avro_schema_any(taco__avro *a, const taco__json *s, taco_bytes space,
                                    uint32_t depth, taco__avro_node *n);

/* ---- avro_read.c ---- */

TACO__FN taco_status taco__avro_read(taco__arena *arena, taco_bytes file, const taco_limits *limits,
                                     taco__avro_table *out, taco_error *err);

#endif /* TACO__AVRO_H */
