/* ipc_write.c - schemas and batches as messages of an Arrow IPC stream
   library

   In: fields and batches, or a struct ArrowSchema; out: bytes that every Arrow library reads. Spec:
   Arrow "Serialization and Interprocess Communication", Message.fbs, Schema.fbs; FlatBuffers
   "Internals".

       FF FF FF FF  length of the metadata (4 bytes)  metadata, padded to 8  body, padded to 64

   Metadata is a FlatBuffer, which is written front to back: a table is written with its offsets
   unset, and each is set when its target is written. A schema is first converted to a struct
   ArrowSchema, whose format strings give the types (taco__ipc_type); a batch to a struct ArrowArray
   with borrowed buffers, which are copied to the body unchanged. */
#include "arrow.h"
#include "../base/base.h"

/* The state of writing a message; after the first failure nothing more is written. */
typedef struct taco__ipc_writer {
    taco__buf *out;
    size_t base; /* first byte of the message's metadata, later of its body, in `out` */
    bool ok;
    taco_error *err;
    uint64_t dictionaries; /* number of dictionaries so far */
} taco__ipc_writer;

/* Numbers of Message.fbs and Schema.fbs. */
enum {
    TACO__IPC_V5 = 4,
    TACO__IPC_SCHEMA = 1,
    TACO__IPC_BATCH = 3,
    TACO__IPC_NULL = 1,
    TACO__IPC_INT = 2,
    TACO__IPC_FLOAT = 3,
    TACO__IPC_BINARY = 4,
    TACO__IPC_UTF8 = 5,
    TACO__IPC_BOOL = 6,
    TACO__IPC_DECIMAL = 7,
    TACO__IPC_DATE = 8,
    TACO__IPC_TIME = 9,
    TACO__IPC_TIMESTAMP = 10,
    TACO__IPC_LIST = 12,
    TACO__IPC_INTERVAL = 11,
    TACO__IPC_STRUCT = 13,
    TACO__IPC_FIXED = 15,
    TACO__IPC_FIXED_LIST = 16,
    TACO__IPC_MAP = 17,
    TACO__IPC_DURATION = 18,
    TACO__IPC_LARGE_BINARY = 19,
    TACO__IPC_LARGE_UTF8 = 20,
    TACO__IPC_LARGE_LIST = 21,
    TACO__IPC_BINARY_VIEW = 23,
    TACO__IPC_UTF8_VIEW = 24
};

/* Where the next byte goes, from `base` on. */
static size_t taco__ipc_position(const taco__ipc_writer *w)
{
    return w->out->len - w->base;
}

static TACO__NOINLINE void taco__ipc_bytes(taco__ipc_writer *w, const void *p, size_t n)
{
    w->ok = w->ok && taco__buf_append(w->out, p, n, w->err);
}

static void taco__ipc_u32(taco__ipc_writer *w, uint32_t x)
{
    uint8_t le[4];
    taco__put_le32(le, x);
    taco__ipc_bytes(w, le, 4);
}

static void taco__ipc_u64(taco__ipc_writer *w, uint64_t x)
{
    uint8_t le[8];
    taco__put_le64(le, x);
    taco__ipc_bytes(w, le, 8);
}

/* Zeros up to a position that is `rest` beyond a multiple of n. */
static void taco__ipc_align(taco__ipc_writer *w, size_t n, size_t rest)
{
    static const uint8_t zeros[64] = {0};
    taco__ipc_bytes(w, zeros, (n + rest - taco__ipc_position(w) % n) % n);
}

/* Overwrites a little-endian number of 1, 2, 4 or 8 bytes. */
static TACO__NOINLINE void taco__ipc_set(taco__ipc_writer *w, size_t at, size_t size, uint64_t x)
{
    size_t i;
    for (i = 0; w->ok && i < size; i++) {
        w->out->data[w->base + at + i] = (uint8_t)(x >> 8 * i);
    }
}

/* Points the offset at `at` to what is written next. */
static void taco__ipc_set_offset(taco__ipc_writer *w, size_t at)
{
    taco__ipc_set(w, at, 4, taco__ipc_position(w) - at);
}

/* A table of zeros. sizes has a digit for each field, its size, 0 = omitted: "2148" are fields of
   2, 1, 4 and 8 bytes. fields[i] becomes the position of the i-th, at most 8 of them. Its virtual
   table (sizes of both tables, then where each field is in the table) comes before it. */
static void taco__ipc_table(taco__ipc_writer *w, const char *sizes, size_t fields[8])
{
    size_t n = strlen(sizes), i, vtable, table, end = 4;
    size_t place[8] = {0};
    for (i = 0; i < n; i++) {
        size_t size = (size_t)(sizes[i] - '0');
        if (size) {
            end = (end + size - 1) / size * size;
            place[i] = end;
            end += size;
        }
    }
    taco__ipc_align(w, 8, (8 - (4 + 2 * n) % 8) % 8); /* the table itself at a multiple of 8 */
    vtable = taco__ipc_position(w);
    table = vtable + 4 + 2 * n;
    for (i = 0; i < 4 + 2 * n + end; i++) {
        taco__ipc_bytes(w, "", 1);
    }
    taco__ipc_set(w, vtable, 2, 4 + 2 * n);
    taco__ipc_set(w, vtable + 2, 2, end);
    for (i = 0; i < n; i++) {
        taco__ipc_set(w, vtable + 4 + 2 * i, 2, place[i]);
        fields[i] = table + place[i];
    }
    taco__ipc_set(w, table, 4, table - vtable);
}

/* Makes a table, and points the offset at `at` to it. */
static void taco__ipc_table_at(taco__ipc_writer *w, size_t at, const char *sizes, size_t fields[8])
{
    size_t n = strlen(sizes);
    taco__ipc_align(w, 8, (8 - (4 + 2 * n) % 8) % 8);
    taco__ipc_set(w, at, 4, taco__ipc_position(w) + 4 + 2 * n - at);
    taco__ipc_table(w, sizes, fields);
}

/* A string, NUL-terminated as in FlatBuffers, that the offset at `at` points to. */
static void taco__ipc_string(taco__ipc_writer *w, size_t at, taco_bytes text)
{
    taco__ipc_align(w, 4, 0);
    taco__ipc_set_offset(w, at);
    taco__ipc_u32(w, (uint32_t)text.len);
    taco__ipc_bytes(w, text.data, text.len);
    taco__ipc_bytes(w, "", 1);
}

/* A vector of n offsets, to be set later; returns the position of the first. */
static size_t taco__ipc_offsets(taco__ipc_writer *w, size_t at, size_t n)
{
    size_t i, first;
    taco__ipc_align(w, 4, 0);
    taco__ipc_set_offset(w, at);
    taco__ipc_u32(w, (uint32_t)n);
    first = taco__ipc_position(w);
    for (i = 0; i < n; i++) {
        taco__ipc_u32(w, 0);
    }
    return first;
}

/* ---- messages ---- */

/* Begins a message: the marker, a length to be set later, and the root table. Fields: version,
   header type, header, body length. */
static void taco__ipc_begin_message(taco__ipc_writer *w, unsigned header, size_t fields[8])
{
    size_t root;
    w->base = w->out->len;
    taco__ipc_u32(w, 0xFFFFFFFF);
    taco__ipc_u32(w, 0);
    w->base = w->out->len;
    root = 0;
    taco__ipc_u32(w, 0);
    taco__ipc_table_at(w, root, "2148", fields);
    taco__ipc_set(w, fields[0], 2, TACO__IPC_V5);
    taco__ipc_set(w, fields[1], 1, header);
}

/* Ends the metadata: sets the length before it, including padding. */
static void taco__ipc_end_message(taco__ipc_writer *w)
{
    taco__ipc_align(w, 8, 0);
    if (w->ok && taco__ipc_position(w) > INT32_MAX) {
        TACO__FAIL(w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "an Arrow message header of %u bytes, at most %u are allowed",
                   TACO__U(taco__ipc_position(w)), TACO__U(INT32_MAX));
        w->ok = false;
    }
    if (w->ok) { taco__put_le32(w->out->data + w->base - 4, (uint32_t)taco__ipc_position(w)); }
}

/* ---- schema ---- */

TACO__FN uint32_t taco__ipc_parse_number(const char **p)
{
    uint32_t x = 0;
    bool minus = **p == '-';
    for (*p += minus; **p >= '0' && **p <= '9'; ++*p) {
        x = x * 10 + (uint32_t)(**p - '0');
    }
    return minus ? 0 - x : x;
}

/* TimeUnit, of the letter in a format. */
static uint32_t taco__ipc_unit(char c)
{
    return c == 's' ? 0 : c == 'm' ? 1 : c == 'u' ? 2 : 3;
}

/* Dates and times: the table of a format that begins with t. */
static unsigned taco__ipc_temporal_type(taco__ipc_writer *w, const char *p, size_t at)
{
    size_t t[8];
    uint32_t unit = p[1] ? taco__ipc_unit(p[2]) : 0;
    bool zone = p[1] == 's' && p[2] && p[3] == ':' && p[4];
    taco__ipc_table_at(w, at, p[1] == 't' || zone ? "24" : "2", t);
    taco__ipc_set(w, t[0], 2, unit);
    switch (p[1]) {
    case 'd': taco__ipc_set(w, t[0], 2, p[2] == 'm'); return TACO__IPC_DATE;
    case 't': taco__ipc_set(w, t[1], 4, unit <= 1 ? 32 : 64); return TACO__IPC_TIME;
    case 'D': return TACO__IPC_DURATION;
    case 'i':
        taco__ipc_set(w, t[0], 2, p[2] == 'M' ? 0 : p[2] == 'D' ? 1 : 2);
        return TACO__IPC_INTERVAL;
    default:
        if (zone) { taco__ipc_string(w, t[1], taco__bytes_text(p + 4)); }
        return TACO__IPC_TIMESTAMP;
    }
}

/* Nested types and those without parameters. */
static unsigned taco__ipc_simple_type(taco__ipc_writer *w, const struct ArrowSchema *s,
                                      const char *p, size_t at)
{
    size_t t[8];
    if (strncmp(p, "+w:", 3) == 0) {
        p += 3;
        taco__ipc_table_at(w, at, "4", t);
        taco__ipc_set(w, t[0], 4, taco__ipc_parse_number(&p));
        return TACO__IPC_FIXED_LIST;
    }
    if (strcmp(p, "+m") == 0) {
        taco__ipc_table_at(w, at, "1", t);
        taco__ipc_set(w, t[0], 1, (s->flags & ARROW_FLAG_MAP_KEYS_SORTED) != 0);
        return TACO__IPC_MAP;
    }
    taco__ipc_table_at(w, at, "", t);
    switch (p[0] == '+' || p[0] == 'v' ? p[1] : p[0]) {
    case 'n': return TACO__IPC_NULL;
    case 'b': return TACO__IPC_BOOL;
    case 'u': return p[0] == 'v' ? TACO__IPC_UTF8_VIEW : TACO__IPC_UTF8;
    case 'z': return p[0] == 'v' ? TACO__IPC_BINARY_VIEW : TACO__IPC_BINARY;
    case 'U': return TACO__IPC_LARGE_UTF8;
    case 'Z': return TACO__IPC_LARGE_BINARY;
    case 'l': return TACO__IPC_LIST;
    case 'L': return TACO__IPC_LARGE_LIST;
    default: return TACO__IPC_STRUCT;
    }
}

/* The table of a type from its format, pointed to from `at`; returns the type's number. Non-zero
   defaults are written. Formats are those of taco__arrow_schema_format, and all others of the C
   data interface, which a caller's schema may have. */
static unsigned taco__ipc_type(taco__ipc_writer *w, const struct ArrowSchema *s, const char *p,
                               size_t at)
{
    static const char numbers[] = "cCsSiIlLefg";
    static const uint8_t bits[] = {8, 8, 16, 16, 32, 32, 64, 64};
    const char *number = p[0] && !p[1] ? strchr(numbers, p[0]) : NULL;
    size_t t[8], i = number ? (size_t)(number - numbers) : 0;
    uint32_t x;
    if (number && i < 8) {
        taco__ipc_table_at(w, at, "41", t);
        taco__ipc_set(w, t[0], 4, bits[i]);
        taco__ipc_set(w, t[1], 1, i % 2 == 0);
        return TACO__IPC_INT;
    }
    if (number) {
        taco__ipc_table_at(w, at, "2", t);
        taco__ipc_set(w, t[0], 2, i - 8);
        return TACO__IPC_FLOAT;
    }
    switch (p[0]) {
    case 'd':
        p += 2;
        taco__ipc_table_at(w, at, "444", t);
        taco__ipc_set(w, t[0], 4, taco__ipc_parse_number(&p));
        p += *p == ',';
        taco__ipc_set(w, t[1], 4, taco__ipc_parse_number(&p));
        p += *p == ',';
        x = taco__ipc_parse_number(&p);
        taco__ipc_set(w, t[2], 4, x ? x : 128);
        return TACO__IPC_DECIMAL;
    case 'w':
        p += 2;
        taco__ipc_table_at(w, at, "4", t);
        taco__ipc_set(w, t[0], 4, taco__ipc_parse_number(&p));
        return TACO__IPC_FIXED;
    case 't': return taco__ipc_temporal_type(w, p, at);
    default: return taco__ipc_simple_type(w, s, p, at);
    }
}

/* Key-value metadata of a field. */
static void taco__ipc_metadata(taco__ipc_writer *w, const char *metadata, size_t at)
{
    const char *p = metadata;
    int32_t count = taco__arrow_read_count(&p), n = count, i;
    size_t first = taco__ipc_offsets(w, at, (size_t)count), m[8];
    taco_bytes key, value;
    for (i = 0; w->ok && taco__arrow_next_pair(&p, &n, &key, &value); i++) {
        taco__ipc_table_at(w, first + 4 * (size_t)i, "44", m);
        taco__ipc_string(w, m[0], key);
        taco__ipc_string(w, m[1], value);
    }
    if (i < count) { /* an error before this one stays */
        TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "pair %d of the metadata of an Arrow field has a negative length", TACO__D(i));
        w->ok = false;
    }
}

/* A field from its Arrow schema, pointed to from `at`. null_above: it is in a struct that may be
   null. pyarrow 26 cannot read a fixed-size list in a struct that may not be null: it is written as
   a list. */
static void taco__ipc_field(taco__ipc_writer *w, const struct ArrowSchema *s, size_t at,
                            bool null_above)
{
    size_t t[8], d[8], first;
    int64_t i;
    const char *p = s->metadata, *format = s->dictionary ? s->dictionary->format : s->format;
    bool nullable = (s->flags & ARROW_FLAG_NULLABLE) != 0;
    bool below = strcmp(format, "+s") == 0 && (null_above || nullable);
    bool pairs = p && taco__arrow_read_count(&p) > 0;
    /* name, nullable, type's number, type, dictionary, children, metadata */
    taco__ipc_table_at(w, at,
                       s->dictionary ? pairs ? "4114444" : "411444"
                       : pairs       ? "4114044"
                                     : "411404",
                       t);
    taco__ipc_set(w, t[1], 1, nullable);
    taco__ipc_string(w, t[0], taco__bytes_text(s->name ? s->name : ""));
    format = null_above && !nullable && strncmp(format, "+w:", 3) == 0 ? "+l" : format;
    taco__ipc_set(w, t[2], 1, taco__ipc_type(w, s, format, t[3]));
    if (s->dictionary) {
        taco__ipc_table_at(w, t[4], "841", d); /* id, type of the indices, ordered */
        taco__ipc_set(w, d[0], 8, w->dictionaries++);
        taco__ipc_set(w, d[2], 1, (s->flags & ARROW_FLAG_DICTIONARY_ORDERED) != 0);
        taco__ipc_type(w, s, s->format, d[1]);
    }
    first = taco__ipc_offsets(w, t[5], (size_t)s->n_children);
    for (i = 0; w->ok && i < s->n_children; i++) {
        taco__ipc_field(w, s->children[i], first + 4 * (size_t)i, below);
    }
    if (pairs) { taco__ipc_metadata(w, s->metadata, t[6]); }
}

/* Begins the message of a schema of n fields; returns where the offset of the first is. */
static size_t taco__ipc_begin_schema(taco__ipc_writer *w, taco__buf *out, size_t n, bool big_endian,
                                     taco_error *err)
{
    size_t root[8], t[8];
    memset(w, 0, sizeof *w);
    w->out = out;
    w->ok = true;
    w->err = err;
    taco__ipc_begin_message(w, TACO__IPC_SCHEMA, root);
    taco__ipc_table_at(w, root[2], "24", t); /* endianness, fields */
    taco__ipc_set(w, t[0], 2, big_endian);
    return taco__ipc_offsets(w, t[1], n);
}

/* n fields, converted to Arrow schemas, at the offsets from `at` on. */
static void taco__ipc_fields(taco__ipc_writer *w, const taco_field *fields, size_t n,
                             bool all_nullable, size_t at)
{
    taco__arrow_export x;
    size_t i;
    memset(&x, 0, sizeof x);
    x.mem = w->out->mem;
    for (i = 0; w->ok && i < n; i++) {
        struct ArrowSchema s;
        memset(&s, 0, sizeof s);
        w->ok = taco__arrow_schema_export(&x, &fields[i], all_nullable, &s, w->err);
        if (w->ok) { taco__ipc_field(w, &s, at + 4 * i, false); }
        if (s.release) { s.release(&s); }
        taco__mem_disown(x.mem, x.charged);
        x.charged = 0;
    }
}

TACO__FN bool taco__ipc_schema(taco__buf *out, const taco_field *fields, size_t n,
                               bool all_nullable, bool big_endian, taco_error *err)
{
    taco__ipc_writer w;
    size_t first = taco__ipc_begin_schema(&w, out, n, big_endian, err);
    taco__ipc_fields(&w, fields, n, all_nullable, first);
    taco__ipc_end_message(&w);
    return w.ok;
}

TACO__FN bool taco__ipc_arrow_schema(taco__buf *out, const struct ArrowSchema *s,
                                     const taco_field *more, size_t n, taco_error *err)
{
    taco__ipc_writer w;
    size_t have = (size_t)s->n_children, i;
    size_t first = taco__ipc_begin_schema(&w, out, have + n, false, err);
    for (i = 0; w.ok && i < have; i++) {
        taco__ipc_field(&w, s->children[i], first + 4 * i, false);
    }
    taco__ipc_fields(&w, more, n, false, first + 4 * have);
    taco__ipc_end_message(&w);
    return w.ok;
}

/* ---- record batches ---- */

/* Where the next FieldNode and the next Buffer of a RecordBatch go. */
typedef struct taco__ipc_layout {
    taco__ipc_writer *w;
    size_t nodes, buffers; /* positions of the next ones to set */
    uint64_t body;         /* bytes so far */
} taco__ipc_layout;

/* Size of the i-th buffer of an array made by taco__arrow_batch_export: it fits in a size_t. */
static size_t taco__ipc_buffer_length(const taco_field *f, const struct ArrowArray *a, int64_t i)
{
    size_t n = (size_t)a->length, len = 0;
    if (!a->buffers[i]) { return 0; }
    if (i == 0) { return TACO__BITMAP_BYTES(n); }
    if (i == 2) { return (size_t)((const int32_t *)a->buffers[1])[n]; }
    taco__arrow_values_size(f, n, &len, NULL);
    return len;
}

/* Counts the arrays and buffers of an array and everything below it. */
static TACO__NOINLINE void taco__ipc_count_nodes(const struct ArrowArray *a, size_t *nodes,
                                                 size_t *buffers)
{
    int64_t i;
    *nodes += 1;
    *buffers += (size_t)a->n_buffers;
    for (i = 0; i < a->n_children; i++) {
        taco__ipc_count_nodes(a->children[i], nodes, buffers);
    }
}

/* Buffers of a body begin at multiples of 64, as Arrow recommends. */
#define TACO__IPC_PADDED(n) (((n) + 63) / 64 * 64)

/* Sets the nodes and buffers of an array and those below, in depth-first order. */
static void taco__ipc_set_layout(taco__ipc_layout *k, const taco_field *f,
                                 const struct ArrowArray *a)
{
    int64_t i;
    taco__ipc_set(k->w, k->nodes, 8, (uint64_t)a->length);
    taco__ipc_set(k->w, k->nodes + 8, 8, (uint64_t)a->null_count);
    k->nodes += 16;
    for (i = 0; i < a->n_buffers; i++) {
        uint64_t len = taco__ipc_buffer_length(f, a, i);
        taco__ipc_set(k->w, k->buffers, 8, k->body);
        taco__ipc_set(k->w, k->buffers + 8, 8, len);
        k->buffers += 16;
        k->body += TACO__IPC_PADDED(len);
    }
    for (i = 0; i < a->n_children; i++) {
        taco__ipc_set_layout(k, &f->children[i], a->children[i]);
    }
}

/* Appends the buffers of an array and those below, in the order of taco__ipc_set_layout. */
static void taco__ipc_append_body(taco__ipc_writer *w, const taco_field *f,
                                  const struct ArrowArray *a)
{
    unsigned rest = (unsigned)(a->length % 8);
    int64_t i;
    for (i = 0; i < a->n_buffers; i++) {
        size_t len = taco__ipc_buffer_length(f, a, i);
        taco__ipc_bytes(w, a->buffers[i], len);
        /* bits after the last row are undefined in a borrowed bitmap */
        if (w->ok && len && rest && (i == 0 || (i == 1 && f->type == TACO_BOOL))) {
            w->out->data[w->out->len - 1] &= (uint8_t)TACO__LOW_BITS(rest);
        }
        taco__ipc_align(w, 64, 0);
    }
    for (i = 0; i < a->n_children; i++) {
        taco__ipc_append_body(w, &f->children[i], a->children[i]);
    }
}

/* A vector of n pairs of 64-bit numbers, to be set later; returns the position of the first. */
static size_t taco__ipc_reserve_pairs(taco__ipc_writer *w, size_t at, size_t n)
{
    size_t i, first;
    taco__ipc_align(w, 8, 4);
    taco__ipc_set_offset(w, at);
    taco__ipc_u32(w, (uint32_t)n);
    first = taco__ipc_position(w);
    for (i = 0; w->ok && i < 2 * n; i++) {
        taco__ipc_u64(w, 0);
    }
    return first;
}

/* The message of a batch: metadata with the layout of its body, then the body. */
static void taco__ipc_append_rows(taco__ipc_writer *w, const taco_field *fields,
                                  const struct ArrowArray *a)
{
    size_t root[8], t[8], nodes = 0, buffers = 0;
    taco__ipc_layout k;
    int64_t i;
    for (i = 0; i < a->n_children; i++) {
        taco__ipc_count_nodes(a->children[i], &nodes, &buffers);
    }
    memset(&k, 0, sizeof k);
    k.w = w;
    taco__ipc_begin_message(w, TACO__IPC_BATCH, root);
    taco__ipc_table_at(w, root[2], "844", t); /* length, nodes, buffers */
    taco__ipc_set(w, t[0], 8, (uint64_t)a->length);
    k.nodes = taco__ipc_reserve_pairs(w, t[1], nodes);
    k.buffers = taco__ipc_reserve_pairs(w, t[2], buffers);
    for (i = 0; w->ok && i < a->n_children; i++) {
        taco__ipc_set_layout(&k, &fields[i], a->children[i]);
    }
    taco__ipc_set(w, root[3], 8, k.body);
    taco__ipc_end_message(w);
    w->base = w->out->len; /* the body is aligned separately */
    for (i = 0; w->ok && i < a->n_children; i++) {
        taco__ipc_append_body(w, &fields[i], a->children[i]);
    }
}

TACO__FN bool taco__ipc_batch(taco__buf *out, const taco_field *fields, const taco_batch *b,
                              taco_error *err)
{
    taco__ipc_writer w;
    taco__arrow_export x;
    struct ArrowArray a;
    memset(&w, 0, sizeof w);
    w.out = out;
    w.ok = true;
    w.err = err;
    memset(&x, 0, sizeof x);
    x.mem = out->mem;
    x.borrow = true;
    if (!taco__arrow_batch_export(&x, fields, b, NULL, NULL, &a, err)) { return false; }
    taco__ipc_append_rows(&w, fields, &a);
    a.release(&a);
    return w.ok;
}

TACO__FN bool taco__ipc_end_stream(taco__buf *out, taco_error *err)
{
    return taco__buf_append(out, "\xFF\xFF\xFF\xFF\0\0\0\0", 8, err);
}
