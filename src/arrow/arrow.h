/* arrow.h - arrays in Arrow's columnar layout: build, gather, print, export

   In: decoded columns (parquet), arrays made value by value (write, legacy); out: text, and Arrow's
   C structures and IPC messages. A taco_array (api/taco_parquet.h) describes a column and owns
   nothing; its buffers belong to a taco__array_buf, a builder, or a reader. Spec:
   arrow.apache.org/docs/format/Columnar.html, CDataInterface.html, CStreamInterface.html. In
   reading order:

     array.c            public access to one value
     type.c, field.c    names and widths of types; fields made by name
     array_buffers.c    the buffers of an array, reused from batch to batch
     take.c             rows of an array by index
     builder.c          arrays made value by value
     cell_text.c        a cell or a row as JSON, CSV or plain text
     printer.c          batches as text, by format
     field_names.c      "no column x, the nearest is y"
     c_array.c, c_schema.c, c_stream.c   the C data and stream interface
     ipc_write.c        messages of an IPC stream

   For users of this folder: buffers that functions write to have TACO__PAD bytes of room after
   them, which may be overwritten. Bits of a bitmap after its last row are undefined in memory, and
   zero in exported arrays (c_array.c, ipc_write.c). Values of null rows are unspecified, but
   initialised. Text and lists have 32-bit offsets: a batch that needs more fails with LIMIT.
   Functions that can fail return false (or NULL), with err filled. */
#ifndef TACO__ARROW_H
#define TACO__ARROW_H

#include "../base/base.h"

/* Number of values that pass through a buffer on the stack at a time. */
#define TACO__STACK_VALUES 512

/* Byte arrays are stored as offsets and bytes, all others as values of field->width bytes. */
TACO__INLINE bool taco__array_is_var_length(const taco_field *f)
{
    return f->type == TACO_TEXT || f->type == TACO_BINARY ||
           (f->type == TACO_DECIMAL && f->width == 0);
}

/* ---- type.c ---- */

/* The name of a type in lower case, as users of the library see it, and in upper case, as in a
   condition. NULL for an invalid type. */
TACO__FN const char *taco__type_word(taco_type t);
TACO__FN const char *taco__type_keyword(taco_type t);
/* Its format string in Arrow's C data interface; NULL if that depends on the field. */
TACO__FN const char *taco__type_format(taco_type t);
/* Bytes of one value, as in taco_field.width: 0 if values have no fixed width, and for FIXED and
   DECIMAL, whose width only the field knows. unit matters only for TIME. */
TACO__FN int32_t taco__type_width(taco_type t, taco_unit unit);
/* Width of a DECIMAL with that many digits: 16, 32, or 0 if its values stay bytes of any length. */
TACO__FN int32_t taco__type_decimal_width(int32_t precision);
/* Appends the name of a field's type as pyarrow prints it: "list<item: double>". False if there is
   no memory. */
TACO__FN bool taco__type_name_append(const taco_field *f, taco__buf *out, taco_error *err);

/* ---- field.c ---- */

/* `leaf` of a DECIMAL that is an integer of SQL (HUGEINT), and in no file: JSON shows a number. */
#define TACO__FIELD_INTEGER UINT32_MAX
/* Bytes of a value: from the type, or for FIXED and DECIMAL from the field. 0 for BOOL (bits), text
   and lists (offsets), STRUCT and NULL. */
TACO__FN int32_t taco__field_width(const taco_field *f);
/* A nullable field that borrows its name; times are in microseconds, without a time zone. */
TACO__FN taco_field taco__field_make(const char *name, taco_type type);
/* LIST, MAP or STRUCT over the caller's n fields, which must live as long. */
TACO__FN taco_field taco__field_make_nested(const char *name, taco_type type,
                                            const taco_field *children, uint32_t n);
/* A copy of f and everything below it that borrows nothing. f must not nest deeper than a schema
   may: check a caller's fields first. */
TACO__FN bool taco__field_copy(taco__arena *arena, const taco_field *f, taco_field *out,
                               taco_error *err);

/* An index of the names of n fields, to find many of them in linear time. Files may have as many
   columns as limits allow, which makes nested loops over names and columns quadratic. */
typedef struct taco__field_index {
    const taco_field *fields;
    size_t n;
    taco__hash_map names; /* empty for few fields, or without memory: names are then compared */
} taco__field_index;

/* Indexes fields, which are borrowed; free with taco__field_index_free. Cannot fail. */
TACO__FN void taco__field_index_init(taco__field_index *x, const taco_field *fields, size_t n,
                                     taco__mem *mem);
/* The first field with that name; SIZE_MAX if there is none. */
TACO__FN size_t taco__field_index_find(const taco__field_index *x, const char *name);
TACO__FN void taco__field_index_free(taco__field_index *x);

/* ---- array_buffers.c ---- */

/* Buffers of one array, one for each node of its schema, reused from batch to batch. */
typedef struct taco__array_buf {
    /* bytes: those of text, which its offsets point into */
    taco__buf validity, offsets, values, bytes;
    /* made of the buffers; its field is set from the beginning */
    taco_array array;
    struct taco__array_buf *children; /* field->child_count of them */
} taco__array_buf;

/* Bytes of n values of `width`, in *out; MEMORY if that does not fit in a size_t. */
TACO__FN bool taco__array_buf_size(size_t n, size_t width, size_t *out, taco_error *err);
/* Makes room for `more` bytes of text, whose end must still be an int32 offset. */
TACO__FN bool taco__array_buf_reserve_text(taco__buf *data, uint64_t more, taco_error *err);
/* Prepares *b, which is zeroed, for arrays of a field; its children are in the arena. */
TACO__FN bool taco__array_buf_init(taco__array_buf *b, const taco_field *f, taco__mem *mem,
                                   taco__arena *arena, taco_error *err);
/* Frees the buffers of *b and of its children. A zeroed one may be freed. */
TACO__FN void taco__array_buf_free(taco__array_buf *b);
/* Rows [at, at + n) of an array, without copying; `at` is a multiple of 8. The arrays of a STRUCT's
   children are in b, which has the same field. */
TACO__FN taco_array taco__array_buf_slice(taco__array_buf *b, const taco_array *src, size_t at,
                                          size_t n);

/* Copies len bytes; a short piece is copied as 32 if src has `left` of them; dst always has room.
   Copies through registers, because dst may overlap the bytes after the piece. */
TACO__INLINE void taco__array_buf_copy_text(uint8_t *dst, const uint8_t *src, size_t len,
                                            size_t left)
{
    if (TACO__LIKELY(len <= 32 && left >= 32)) {
        uint8_t low[16], high[16]; /* gcc leaves one of 32 bytes in memory */
        memcpy(low, src, 16);
        memcpy(high, src + 16, 16);
        memcpy(dst, low, 16);
        memcpy(dst + 16, high, 16);
    } else if (len) {
        memcpy(dst, src, len);
    }
}

/* ---- take.c ---- */

/* Indices are int32 and checked by the caller; those at 2^31 and above count as unsigned. dst may
   not overlap src. */

/* dst[i] = src[idx[i]], for values of width bytes: for dictionaries as well as selections. */
TACO__FN void taco__take_fixed(void *dst, const void *src, size_t width,
                               const int32_t *TACO__RESTRICT idx, size_t n);
/* Writes bit src_bit + idx[i] of src to bit dst_bit + i of dst, and returns the number of ones. */
TACO__FN size_t taco__take_bits(uint8_t *dst, size_t dst_bit, const uint8_t *src, size_t src_bit,
                                const int32_t *idx, size_t n);
/* Appends texts to data, and writes their n + 1 offsets. src has src_len bytes, and is not data's
   own. */
TACO__FN bool taco__take_bytes(taco__buf *data, int32_t *offsets, const uint8_t *src,
                               size_t src_len, const int32_t *src_offsets, const int32_t *idx,
                               size_t n, taco_error *err);
/* dst[i] = the value in src's dictionary for row idx[i], of fixed width. A null row has some index
   or 0, and the dictionary is not empty. */
TACO__FN void taco__take_from_dictionary(uint8_t *dst, const taco_array *src, const int32_t *idx,
                                         size_t n);
/* b->array = the rows idx[0..n) of src, in that order, for any type. Dictionaries of text are
   shared with src, others decoded. */
TACO__FN bool taco__take_array(taco__array_buf *b, const taco_array *src, const int32_t *idx,
                               size_t n, taco_error *err);

/* ---- builder.c ---- */

/* An array being built: rows are appended one by one, at any place below `field`, and can be seen
   as a taco_array at any time. If zeroed it may be freed. Every function that returns bool returns
   false, with err set, if there is no memory or a column exceeds 2^31 bytes or items (LIMIT); the
   builder is then only good for _reset and _free. */
typedef struct taco__array_builder {
    const taco_field *field; /* borrowed; lives as long as the builder; width is set */
    size_t length, nulls;    /* number of rows, and of null ones */
    taco__buf validity;      /* a bitmap, once nulls > 0 */
    /* text and lists: length + 1 offsets, none before the first row */
    taco__buf offsets;
    taco__buf values; /* field->width bytes a row; bits of BOOL; the bytes of text */
    struct taco__array_builder *children; /* field->child_count of them */
    taco_array *arrays;                   /* of the children, for _view */
} taco__array_builder;

TACO__FN bool taco__array_builder_init(taco__array_builder *b, const taco_field *f, taco__mem *mem,
                                       taco__arena *arena, taco_error *err);
TACO__FN void taco__array_builder_free(taco__array_builder *b);
/* Drops all rows and keeps the memory. */
TACO__FN void taco__array_builder_reset(taco__array_builder *b);
/* Ends a row whose bytes or children have been appended: in pieces to `values`, or to children. In
   a STRUCT every child must have its row, null or not, even if valid is false. */
TACO__FN bool taco__array_builder_end_row(taco__array_builder *b, bool valid, taco_error *err);
TACO__FN bool taco__array_builder_append_null(taco__array_builder *b, taco_error *err);
/* TEXT, BINARY, a DECIMAL of width 0; or a value of any other type with field->width bytes. */
TACO__FN bool taco__array_builder_append_bytes(taco__array_builder *b, taco_bytes value,
                                               taco_error *err);
/* null if value is NULL. */
TACO__FN bool taco__array_builder_append_text(taco__array_builder *b, const char *value,
                                              taco_error *err);
TACO__FN bool taco__array_builder_append_bool(taco__array_builder *b, bool value, taco_error *err);
/* Types of 1, 2, 4 or 8 bytes; higher bits are dropped, so check with _int_fits if necessary. */
TACO__FN bool taco__array_builder_append_int(taco__array_builder *b, int64_t x, taco_error *err);
TACO__FN bool taco__array_builder_int_fits(const taco_field *f, int64_t x);
/* FLOAT and DOUBLE. */
TACO__FN bool taco__array_builder_append_double(taco__array_builder *b, double x, taco_error *err);
/* A list of n of these; null if x is NULL. */
TACO__FN bool taco__array_builder_append_doubles(taco__array_builder *b, const double *x, size_t n,
                                                 taco_error *err);
/* n rows of fixed width, all valid, whose values the caller fills in before the next call. */
TACO__FN uint8_t *taco__array_builder_append_unset(taco__array_builder *b, size_t n,
                                                   taco_error *err);
/* Row i of an array of the same type, with everything below it. */
TACO__FN bool taco__array_builder_append_copy(taco__array_builder *b, const taco_array *a, size_t i,
                                              taco_error *err);
/* All rows so far as an array; valid until the next append, reset or free. Returns out. */
TACO__FN taco_array *taco__array_builder_view(taco__array_builder *b, taco_array *out);

/* Whether arrays of a field have offsets, into bytes or into a child. */
TACO__INLINE bool taco__array_builder_has_offsets(const taco_field *f)
{
    return taco__array_is_var_length(f) || f->type == TACO_LIST || f->type == TACO_MAP;
}

/* ---- cell_text.c ---- */

/* Room for any value of a fixed size as JSON. */
#define TACO__CELL_SIZE 64

/* The names of the columns of a batch as `"name":`, made once for all its rows and those of similar
   batches. If zeroed it may be freed. */
typedef struct taco__cell_names {
    taco__buf text;
    size_t *ends; /* of each in text */
    size_t count;
} taco__cell_names;

TACO__FN bool taco__cell_names_init(taco__cell_names *n, taco__mem *mem, const taco_batch *b,
                                    taco_error *err);
TACO__FN void taco__cell_names_free(taco__cell_names *n);
/* Appends row i as JSON: text and dates as strings, bytes in hex, decimals as strings with all
   their digits, NaN and the infinities as strings, a map as pairs, a null row as null. */
TACO__FN bool taco__cell_json(taco__buf *out, const taco_array *a, size_t i, taco_error *err);
/* Appends one row as a JSON object, without a line end. names may be NULL. On failure *out is as it
   was. */
TACO__FN bool taco__cell_json_row(taco__buf *out, const taco_batch *b, size_t row,
                                  const taco__cell_names *names, taco_error *err);
/* Appends row i without any quoting; nested values, and text that is not UTF-8, as JSON. Nothing if
   the row is null, which sets *null. */
TACO__FN bool taco__cell_bare(taco__buf *out, const taco_array *a, size_t i, bool *null,
                              taco_error *err);
/* Appends row i, or a name, as one CSV field: nothing for null, "" for empty text, quotes if RFC
   4180 requires them. */
TACO__FN bool taco__cell_csv(taco__buf *out, const taco_array *a, size_t i, taco_error *err);
TACO__FN bool taco__cell_csv_name(taco__buf *out, taco_bytes b, taco_error *err);
/* Appends row i, or a name, for display in a terminal: no quotes, `null` for null, control
   characters made visible. */
TACO__FN bool taco__cell_plain(taco__buf *out, const taco_array *a, size_t i, taco_error *err);
/* Follows the dictionary: *a and *i become the array and row with the value. 1; 0 if there is no
   value, -1 on failure. */
TACO__FN int taco__cell_resolve_dictionary(const taco_array **a, size_t *i, taco_error *err);
TACO__FN bool taco__cell_plain_name(taco__buf *out, taco_bytes b, taco_error *err);

/* ---- field_names.c ---- */

/* A hint for conditions, where text in "double quotes", or in none, is the name of a column. */
#define TACO__FIELD_NAMES_QUOTES "; text is written in 'single quotes'"

TACO__FN size_t taco__field_names_distance(taco_bytes a, taco_bytes b);
/* Fails with NOT_FOUND and up to three of the n columns whose names are nearest, or else the first
   column and a hint about what the name may mean ("" = none). at: the offset of the name in its
   text, or TACO_NO_OFFSET. */
TACO__FN TACO__COLD void taco__field_names_not_found(const taco_field *columns, size_t n,
                                                     taco_bytes name, const char *hint, uint64_t at,
                                                     taco_error *err);
/* The same without a hint. */
TACO__FN TACO__COLD void taco__field_names_no_column(const taco_field *columns, size_t n,
                                                     taco_bytes name, taco_error *err);

/* ---- array.c ---- */

TACO__FN bool taco__array_read_micros(const taco_array *a, size_t i, int64_t *us);

/* ---- c_array.c ---- */

#define TACO__ARROW_ALIGN(n) (((n) + 15) & ~(size_t)15)

/* The state of making a structure of the C interface. */
typedef struct taco__arrow_export {
    taco__mem *mem;
    uint64_t charged; /* its size, which leaves the budget of the handle together with it */
    bool borrow;      /* unchanged buffers are borrowed instead of copied */
} taco__arrow_export;

/* The buffers that may hold the array of a column: those a reader decodes to, and those it gathers
   rows in. */
typedef struct taco__buffer_owner {
    taco__array_buf *selected, *decoded;
    /* For a decoded column: its taco__column_reader, and the taco__pq_schema_node of the array;
       else NULL. */
    void *column;
    const void *node;
    /* The buffer that begins at p; NULL if none may be taken: p is in a dictionary, a page, or the
       table of an Avro file. */
    taco__buf *(*find)(const struct taco__buffer_owner *h, const void *p);
    /* The owner of the array's i-th child. */
    void (*child)(const struct taco__buffer_owner *h, uint32_t i, struct taco__buffer_owner *out);
} taco__buffer_owner;

/* Size of the second buffer for n values, as in Arrow. */
TACO__FN bool taco__arrow_values_size(const taco_field *f, size_t n, size_t *out, taco_error *err);
/* A batch as an array of structs. `owner`, which may be NULL, fills in who owns the buffers of
   column i; false: nobody, so they are copied. On failure *out is a released array. */
TACO__FN bool taco__arrow_batch_export(taco__arrow_export *x, const taco_field *fields,
                                       const taco_batch *b,
                                       bool (*owner)(void *ctx, size_t i, taco__buffer_owner *out),
                                       void *ctx, struct ArrowArray *out, taco_error *err);

/* ---- c_schema.c ---- */

/* The private data of a struct ArrowSchema, followed in the same block by the children's structs,
   pointers to them, metadata and name. */
typedef struct taco__arrow_schema_data {
    taco_allocator a;
    size_t size; /* of the block */
    char format[32];
} taco__arrow_schema_data;

/* Makes *out a schema without a format, whose children are released ones. name and metadata are
   copied; metadata of length 0 is none. */
TACO__FN bool taco__arrow_schema_init(taco__arrow_export *x, struct ArrowSchema *out,
                                      size_t children, taco_bytes name, taco_bytes metadata,
                                      taco_error *err);
/* The schema of a field and everything below it. all_nullable: ignores whether fields are nullable,
   since the files of a dataset may differ in that. On failure *out must be released, if it has a
   release. */
TACO__FN bool taco__arrow_schema_export(taco__arrow_export *x, const taco_field *f,
                                        bool all_nullable, struct ArrowSchema *out,
                                        taco_error *err);
/* Key-value metadata: appends a number, or key and value with their lengths. */
TACO__FN bool taco__arrow_append_count(taco__buf *b, size_t n, taco_error *err);
TACO__FN bool taco__arrow_append_pair(taco__buf *b, taco_bytes key, taco_bytes value,
                                      taco_error *err);
/* Reads the number at *p, which moves past it; and the next of the *n pairs at *p, false after the
   last. */
TACO__FN int32_t taco__arrow_read_count(const char **p);
TACO__FN bool taco__arrow_next_pair(const char **p, int32_t *n, taco_bytes *key, taco_bytes *value);

/* ---- c_stream.c ---- */

/* The source of a stream's batches: a reader or a cursor, which the stream closes. */
typedef struct taco__arrow_source {
    void *ctx; /* NULL: there is none */
    const taco_field *fields;
    size_t count;
    bool all_nullable;
    const taco__key_value *pairs; /* key-value metadata of the file */
    size_t pair_count;
    taco__mem *mem;
    taco_error *err; /* error of the reader: once set, it has no more batches */
    bool (*next)(void *ctx, taco_batch *out);
    bool (*owner)(void *ctx, size_t column, taco__buffer_owner *out);
    void (*prefix_error)(void *ctx); /* prefixes the message in err with the file */
    void (*close)(void *ctx);
} taco__arrow_source;

/* Makes *out the stream of a source, which is closed on failure, too. */
TACO__FN taco_status taco__arrow_stream_open(const taco__arrow_source *src,
                                             struct ArrowArrayStream *out, taco_error *err);

/* ---- ipc_write.c ---- */

/* Each appends one message: the schema that begins a stream of n fields; the same for an Arrow
   schema's children and n further fields; a batch; the end of a stream. */
TACO__FN bool taco__ipc_schema(taco__buf *out, const taco_field *fields, size_t n,
                               bool all_nullable, bool big_endian, taco_error *err);
TACO__FN bool taco__ipc_arrow_schema(taco__buf *out, const struct ArrowSchema *s,
                                     const taco_field *more, size_t n, taco_error *err);
TACO__FN bool taco__ipc_batch(taco__buf *out, const taco_field *fields, const taco_batch *b,
                              taco_error *err);
TACO__FN bool taco__ipc_end_stream(taco__buf *out, taco_error *err);
/* The number at *p in a format string, where "-2" wraps; *p moves past it. */
TACO__FN uint32_t taco__ipc_parse_number(const char **p);

#endif /* TACO__ARROW_H */
