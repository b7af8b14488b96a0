/* avro_read.c - reads Avro object container files into Arrow columns

   In: a whole file. Out: a taco__avro_table in an arena. Apache Avro 1.11, "Binary Encoding" and
   "Object Container Files".

   taco__avro_read parses the header, calls avro_schema.c to make a tree of nodes, and decodes block
   by block (taco__avro_read_blocks, taco__avro_read_rows). taco__avro_read_value decodes one value:
   it appends a null or zero to its node and then fills in the value, so that all buffers of a node
   always have the same length. At the end the buffers become arrays (taco__avro_make_array). avro.h
   explains why a hostile file cannot make this take longer than its size justifies. */
#include "avro.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../codec/codec.h"

/* ---- schema ---- */

/* Offset of the next byte in the file, or none if the bytes were unpacked. */
static TACO__ONCE uint64_t taco__avro_offset(const taco__avro *a)
{
    return a->base + (a->packed ? 0 : taco__byte_reader_position(&a->c));
}

/* ---- rows ---- */

/* int and long alike: zigzag in groups of seven bits ("Binary Encoding"). */
static TACO__ONCE int64_t taco__avro_read_long(taco__byte_reader *c)
{
    return taco__zigzag_decode(taco__byte_reader_varint(c));
}

/* Rows are decoded within their block, so the block is corrupt and the file not truncated. Always
   false. */
static TACO__ONCE bool taco__avro_fail_short(taco__avro *a)
{
    TACO__FAIL(a->err, TACO_ERR_CORRUPT, taco__avro_offset(a),
               "a value runs past the end of its block, %u bytes are left",
               TACO__U(taco__byte_reader_left(&a->c)));
    return false;
}

/* Appends k bytes that are all zero. */
static TACO__ONCE bool taco__avro_append_zeros(taco__buf *b, size_t k, taco_error *err)
{
    if (!taco__buf_reserve(b, k, err)) { return false; }
    memset(b->data + b->len, 0, k);
    b->len += k;
    return true;
}

/* Whether a column consists of offsets and what they point into. A decimal is bytes of any length
   (taco__avro_schema_decimal). */
static TACO__ONCE bool taco__avro_has_offsets(const taco_field *f)
{
    return f->type == TACO_TEXT || f->type == TACO_BINARY || f->type == TACO_LIST ||
           f->type == TACO_MAP || f->type == TACO_DECIMAL;
}

/* Appends k entries to n: null if possible, else zero or empty; a struct only counts them. */
static TACO__ONCE bool taco__avro_append_default(taco__avro *a, taco__avro_node *n, size_t k)
{
    size_t bitmap, bytes, i;
    int32_t last = 0;
    uint8_t *p;
    if (k > (size_t)INT32_MAX - TACO__MIN(n->length, (size_t)INT32_MAX)) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, taco__avro_offset(a),
                   "more than %u values in a column", TACO__U(INT32_MAX));
        return false;
    }
    bitmap = TACO__BITMAP_BYTES(n->length + k); /* bits beyond length are always clear */
    if (n->field->nullable) {
        if (!taco__avro_append_zeros(&n->validity, bitmap - n->validity.len, a->err)) {
            return false;
        }
        n->null_count += k;
    }
    if (n->field->type == TACO_BOOL) {
        if (!taco__avro_append_zeros(&n->values, bitmap - n->values.len, a->err)) { return false; }
    } else if (n->field->width) {
        if (!taco__checked_mul_size(k, (size_t)n->field->width, &bytes) ||
            !taco__avro_append_zeros(&n->values, bytes, a->err)) {
            TACO__FAIL(a->err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u values",
                       TACO__U(k));
            return false;
        }
    } else if (taco__avro_has_offsets(n->field)) {
        if ((!n->offsets.len && !taco__avro_append_zeros(&n->offsets, 4, a->err)) ||
            !taco__checked_mul_size(k, 4, &bytes) ||
            !taco__buf_reserve(&n->offsets, bytes, a->err)) {
            return false;
        }
        /* each new entry is empty and ends where the last one does */
        p = n->offsets.data + n->offsets.len;
        memcpy(&last, p - 4, 4);
        for (i = 0; i < k; i++) {
            memcpy(p + 4 * i, &last, 4);
        }
        n->offsets.len += bytes;
    }
    n->length += k;
    return true;
}

/* Extends the last entry by len bytes or items. */
static TACO__ONCE bool taco__avro_extend_last(taco__avro *a, taco__avro_node *n, uint64_t len)
{
    int32_t last;
    uint8_t *p = n->offsets.data + n->offsets.len - 4;
    memcpy(&last, p, 4);
    if (len > (uint64_t)(INT32_MAX - last)) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, taco__avro_offset(a),
                   "more than %u bytes or items in a column", TACO__U(INT32_MAX));
        return false;
    }
    last += (int32_t)len;
    memcpy(p, &last, 4);
    return true;
}

/* Sets the last entry, which was appended empty, to these bytes. */
static TACO__ONCE bool taco__avro_set_last(taco__avro *a, taco__avro_node *n, const uint8_t *p,
                                           size_t len)
{
    return taco__avro_extend_last(a, n, len) && taco__buf_append(&n->values, p, len, a->err);
}

/* bytes and string: a length and that many bytes. Whether a string is valid UTF-8 is left to its
   readers. */
static TACO__ONCE bool taco__avro_read_bytes(taco__avro *a, taco__avro_node *n)
{
    uint64_t at = taco__avro_offset(a);
    int64_t len = taco__avro_read_long(&a->c);
    const uint8_t *p;
    if (a->c.bad) { return taco__avro_fail_short(a); }
    if (len < 0 || (uint64_t)len > taco__byte_reader_left(&a->c)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "%s of %d bytes, %u are left in its block",
                   n->kind == TACO__AVRO_STRING ? "a string" : "a value", len,
                   TACO__U(taco__byte_reader_left(&a->c)));
        return false;
    }
    p = taco__byte_reader_take(&a->c, (size_t)len);
    return taco__avro_set_last(a, n, p, (size_t)len);
}

/* int and long, into the last entry. */
static TACO__ONCE bool taco__avro_read_integer(taco__avro *a, taco__avro_node *n)
{
    uint64_t at = taco__avro_offset(a);
    int64_t x = taco__avro_read_long(&a->c);
    int32_t narrow = (int32_t)x;
    if (a->c.bad) { return taco__avro_fail_short(a); }
    if (n->kind == TACO__AVRO_LONG) {
        memcpy(n->values.data + n->values.len - 8, &x, 8);
        return true;
    }
    if (x != narrow) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "an int of %d, it has 32 bits", x);
        return false;
    }
    memcpy(n->values.data + n->values.len - 4, &narrow, 4);
    return true;
}

/* An enum: the index of one of the symbols of the schema. */
static TACO__ONCE bool taco__avro_read_symbol(taco__avro *a, taco__avro_node *n)
{
    uint64_t at = taco__avro_offset(a);
    int64_t x = taco__avro_read_long(&a->c);
    if (a->c.bad) { return taco__avro_fail_short(a); }
    if (x < 0 || x >= (int64_t)n->symbol_count) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "symbol %d, the enum has %u", x,
                   TACO__U(n->symbol_count));
        return false;
    }
    return taco__avro_set_last(a, n, n->symbols[x].data, n->symbols[x].len);
}

/* Values without parts: one byte, four, eight, or as many as the schema says. Little-endian in the
   file. */
static TACO__ONCE bool taco__avro_read_plain(taco__avro *a, taco__avro_node *n)
{
    uint64_t at = taco__avro_offset(a);
    size_t width = (size_t)n->field->width, len = n->kind == TACO__AVRO_FIXED ? (size_t)n->fixed
                                                  : width                     ? width
                                                                              : 1;
    const uint8_t *p = taco__byte_reader_take(&a->c, len);
    uint64_t x8;
    uint32_t x4;
    if (!p) { return taco__avro_fail_short(a); }
    switch (n->kind) {
    case TACO__AVRO_BOOLEAN:
        if (p[0] > 1) {
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "a boolean of 0x%x, it is 0 or 1",
                       TACO__U(p[0]));
            return false;
        }
        if (p[0]) { taco__bitmap_set(n->values.data, n->length - 1); }
        return true;
    case TACO__AVRO_FLOAT:
        x4 = taco__load_le32(p);
        memcpy(n->values.data + n->values.len - 4, &x4, 4);
        return true;
    case TACO__AVRO_DOUBLE:
        x8 = taco__load_le64(p);
        memcpy(n->values.data + n->values.len - 8, &x8, 8);
        return true;
    default:
        if (!width) { return taco__avro_set_last(a, n, p, len); /* a decimal */ }
        memcpy(n->values.data + n->values.len - width, p, len);
        return true;
    }
}

/* One count of an array, a map or the file's metadata. A negative one is followed by the size of
   its items ("Arrays"). *end is where they must end, NULL if the size is not given. */
static TACO__ONCE bool taco__avro_read_count(taco__avro *a, uint64_t *count, const uint8_t **end)
{
    uint64_t at = taco__avro_offset(a);
    int64_t n = taco__avro_read_long(&a->c), bytes = 0;
    *end = NULL;
    *count = (uint64_t)n;
    if (!a->c.bad && n < 0) {
        *count = 0 - (uint64_t)n;
        bytes = taco__avro_read_long(&a->c);
        if (!a->c.bad && (bytes < 0 || (uint64_t)bytes > taco__byte_reader_left(&a->c))) {
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "items of %d bytes, %u are left", bytes,
                       TACO__U(taco__byte_reader_left(&a->c)));
            return false;
        }
        *end = a->c.bad ? NULL : a->c.at + bytes;
    }
    if (a->c.bad) { return taco__avro_fail_short(a); }
    return true;
}

/* Values of 0 bytes could be claimed by the billion; a file may have as many as it has bytes. */
static TACO__ONCE bool taco__avro_count_empty(taco__avro *a, uint64_t count)
{
    if (count > a->empty_left) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, taco__avro_offset(a),
                   "%u values of 0 bytes, more than the file has bytes", count);
        return false;
    }
    a->empty_left -= count;
    return true;
}

static bool taco__avro_read_value(taco__avro *a, taco__avro_node *n);

/* One item of an array, or key and value of a map. Structs of a map are never null, so its children
   are never shorter than the map. */
static TACO__ONCE bool taco__avro_read_item(taco__avro *a, taco__avro_node *list)
{
    taco__avro_node *item = list->children;
    if (list->kind == TACO__AVRO_ARRAY) { return taco__avro_read_value(a, item); }
    item->length++;
    return taco__avro_read_value(a, &item->children[0]) &&
           (item->children[1].empty || taco__avro_read_value(a, &item->children[1]));
}

/* Blocks of items until one is empty ("Arrays", "Maps"). */
static TACO__ONCE bool taco__avro_read_items(taco__avro *a, taco__avro_node *n)
{
    for (;;) {
        uint64_t count, i, at = taco__avro_offset(a);
        const uint8_t *end;
        if (!taco__avro_read_count(a, &count, &end)) { return false; }
        if (!count) { return true; }
        if (n->children->empty) {
            if (!taco__avro_count_empty(a, count)) { return false; }
        } else if (count > taco__byte_reader_left(&a->c)) { /* no item is shorter than a byte */
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "%u items in %u bytes", count,
                       TACO__U(taco__byte_reader_left(&a->c)));
            return false;
        }
        if (!taco__avro_extend_last(a, n, count)) { return false; }
        for (i = 0; !n->children->empty && i < count; i++) {
            if (!taco__avro_read_item(a, n)) { return false; }
        }
        if (end && a->c.at != end) {
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "items that end %s the bytes they claim",
                       a->c.at < end ? "before" : "after");
            return false;
        }
    }
}

/* Fields of a record. After null records its children are shorter and are filled up first. */
static TACO__ONCE bool taco__avro_read_fields(taco__avro *a, taco__avro_node *n, size_t row)
{
    uint32_t i;
    for (i = 0; i < n->stored_count; i++) {
        taco__avro_node *child = &n->children[n->stored[i]];
        if ((child->length < row && !taco__avro_append_default(a, child, row - child->length)) ||
            !taco__avro_read_value(a, child)) {
            return false;
        }
    }
    return true;
}

/* One value of any node that is not empty: the branch of its union, then the value. Recursion ends
   with the schema, whose depth is limited. */
static TACO__ONCE bool taco__avro_read_value(taco__avro *a, taco__avro_node *n)
{
    uint64_t at = taco__avro_offset(a);
    if (n->branches) {
        int64_t branch = taco__avro_read_long(&a->c);
        if (a->c.bad) { return taco__avro_fail_short(a); }
        if (branch < 0 || branch >= (int64_t)n->branches) {
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "branch %d of a union of %u", branch,
                       TACO__U(n->branches));
            return false;
        }
        if (branch == (int64_t)n->null_branch) { return taco__avro_append_default(a, n, 1); }
    }
    /* the new entry is null and zero; below it becomes what it is */
    if (!taco__avro_append_default(a, n, 1)) { return false; }
    if (n->field->nullable && n->kind != TACO__AVRO_NULL) {
        taco__bitmap_set(n->validity.data, n->length - 1);
        n->null_count--;
    }
    switch (n->kind) {
    case TACO__AVRO_NULL: return true;
    case TACO__AVRO_INT:
    case TACO__AVRO_LONG: return taco__avro_read_integer(a, n);
    case TACO__AVRO_BYTES:
    case TACO__AVRO_STRING: return taco__avro_read_bytes(a, n);
    case TACO__AVRO_ENUM: return taco__avro_read_symbol(a, n);
    case TACO__AVRO_ARRAY:
    case TACO__AVRO_MAP: return taco__avro_read_items(a, n);
    case TACO__AVRO_RECORD: return taco__avro_read_fields(a, n, n->length - 1);
    default: return taco__avro_read_plain(a, n);
    }
}

/* ---- columns ---- */

/* Frees all buffers below n. Those that were kept have been moved already. */
static TACO__NOINLINE void taco__avro_node_free(taco__avro_node *n)
{
    uint32_t i;
    taco__buf_free(&n->validity);
    taco__buf_free(&n->offsets);
    taco__buf_free(&n->values);
    for (i = 0; i < n->child_count; i++) {
        taco__avro_node_free(&n->children[i]);
    }
}

/* Moves a buffer to the arena, at its exact size. */
static TACO__ONCE bool taco__avro_buffer_to_arena(taco__avro *a, taco__buf *b, const void **out)
{
    void *p = taco__arena_alloc(a->arena, b->len, a->err);
    if (!p) { return false; }
    if (b->len) { memcpy(p, b->data, b->len); }
    taco__buf_free(b);
    *out = p;
    return true;
}

/* Extends n to length entries, and makes it an array. A struct's children have its length, those of
   a list or map the length its last offset gives. */
static TACO__ONCE bool taco__avro_make_array(taco__avro *a, taco__avro_node *n, size_t length,
                                             taco_array *out)
{
    const void *p;
    taco_array *children;
    size_t inner = length;
    uint32_t i;
    if (n->empty) {
        n->length = length;
        n->null_count = n->kind == TACO__AVRO_NULL ? length : 0;
    } else if (n->length < length && !taco__avro_append_default(a, n, length - n->length)) {
        return false;
    }
    out->field = n->field;
    out->length = length;
    out->null_count = n->null_count;
    if (n->null_count && n->field->type != TACO_NULL) {
        if (!taco__avro_buffer_to_arena(a, &n->validity, &p)) { return false; }
        out->validity = (const uint8_t *)p;
    }
    if (taco__avro_has_offsets(n->field)) {
        if ((!n->offsets.len && !taco__avro_append_zeros(&n->offsets, 4, a->err)) ||
            !taco__avro_buffer_to_arena(a, &n->offsets, &p)) {
            return false;
        }
        out->offsets = (const int32_t *)p;
        inner = (size_t)out->offsets[length];
    }
    if (n->kind < TACO__AVRO_ARRAY && n->kind != TACO__AVRO_NULL &&
        !taco__avro_buffer_to_arena(a, &n->values, &out->v.any)) {
        return false;
    }
    children = (taco_array *)taco__arena_array(a->arena, n->child_count, sizeof *children, a->err);
    if (!children) { return false; }
    out->children = n->child_count ? children : NULL;
    for (i = 0; i < n->child_count; i++) {
        if (!taco__avro_make_array(a, &n->children[i], inner, &children[i])) { return false; }
    }
    taco__buf_free(&n->validity); /* nothing was null */
    return true;
}

/* ---- the file ---- */

/* The header: slices of the file, and the marker. */
typedef struct taco__avro_file_header {
    taco_bytes schema, codec;
    uint64_t schema_at;
    uint8_t sync[16];
} taco__avro_file_header;

/* A length and that many bytes; the cursor is bad if they are missing. */
static TACO__ONCE taco_bytes taco__avro_read_slice(taco__byte_reader *c)
{
    int64_t len = taco__avro_read_long(c);
    const uint8_t *p;
    if (len < 0 || (uint64_t)len > taco__byte_reader_left(c)) {
        c->bad = true;
        return taco__bytes_of(NULL, 0);
    }
    p = taco__byte_reader_take(c, (size_t)len);
    return taco__bytes_of(p, p ? (size_t)len : 0);
}

/* "Obj", 1, a map of metadata, 16 bytes that end every block ("Object Container Files"). */
static TACO__ONCE bool taco__avro_read_header(taco__avro *a, taco__avro_file_header *h)
{
    const uint8_t *p = taco__byte_reader_take(&a->c, 4), *end;
    uint64_t count = 1;
    if (!p || memcmp(p, "Obj\x01", 4) != 0) {
        taco_bytes found =
            taco__bytes_of(a->c.begin, TACO__MIN((size_t)(a->c.end - a->c.begin), (size_t)4));
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, 0, "an Avro file must begin with 'Obj\\x01', found %q",
                   &found);
        return false;
    }
    h->codec = taco__bytes_text("null"); /* unless another one is named */
    while (count) {
        int64_t n = taco__avro_read_long(&a->c);
        count = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
        if (n < 0) {
            (void)taco__avro_read_long(&a->c); /* their size, which only helps to skip them */
        }
        for (; count && !a->c.bad; count--) {
            taco_bytes key = taco__avro_read_slice(&a->c), value = taco__avro_read_slice(&a->c);
            if (taco__bytes_equal(key, taco__bytes_text("avro.schema"))) {
                h->schema = value;
                h->schema_at = taco__byte_reader_position(&a->c) - value.len;
            } else if (taco__bytes_equal(key, taco__bytes_text("avro.codec"))) {
                h->codec = value;
            }
        }
        count = !a->c.bad && n != 0;
    }
    end = taco__byte_reader_take(&a->c, sizeof h->sync);
    if (!end) {
        TACO__FAIL(a->err, TACO_ERR_TRUNCATED, taco__byte_reader_position(&a->c),
                   "the header does not end in the %u bytes of the file",
                   TACO__U(a->c.end - a->c.begin));
        return false;
    }
    memcpy(h->sync, end, sizeof h->sync);
    return true;
}

/* The schema's text is in the file as it is, so errors in it have offsets in the file. */
static TACO__ONCE bool taco__avro_parse_schema(taco__avro *a, const taco__avro_file_header *h,
                                               const taco_limits *limits, taco__avro_node *root)
{
    taco__json_doc doc;
    taco_bytes none = taco__bytes_of(NULL, 0);
    bool ok;
    if (!h->schema.data) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, 0, "the header has no avro.schema");
        return false;
    }
    a->base = h->schema_at;
    ok = taco__json_parse_at(a->arena, h->schema, h->schema_at, limits, &doc, a->err) == TACO_OK;
    if (ok && !taco__json_equals(taco__json_get(doc.root, "type"), "record")) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, h->schema_at, "rows must be records");
        ok = false;
    }
    ok = ok && taco__avro_schema_any(a, doc.root, none, 0, root);
    if (!ok) { taco__error_prefix(a->err, "avro.schema"); }
    a->base = 0;
    return ok;
}

/* All rows of a block, which must fill it. The root record itself is not a column, its children
   are. */
static TACO__ONCE bool taco__avro_read_rows(taco__avro *a, taco__avro_node *root, uint64_t rows)
{
    uint64_t i;
    uint32_t k;
    for (i = 0; i < rows; i++) {
        for (k = 0; k < root->stored_count; k++) {
            taco__avro_node *column = &root->children[root->stored[k]];
            if (!taco__avro_read_value(a, column)) {
                taco__error_prefix(a->err, "row %u, column '%s'", TACO__U(root->length),
                                   column->field->name);
                return false;
            }
        }
        root->length++;
    }
    if (taco__byte_reader_left(&a->c)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, taco__avro_offset(a),
                   "%u bytes are left in a block after its last row",
                   TACO__U(taco__byte_reader_left(&a->c)));
        return false;
    }
    return true;
}

/* Unpacks a block. All blocks together must not be larger than an uncompressed file may be; room is
   what is left of that. */
static TACO__ONCE bool taco__avro_unpack_block(taco__avro *a, taco__buf *out, taco_bytes data,
                                               uint64_t *room, uint64_t max)
{
    if (taco__inflate(data, out, (size_t)TACO__MIN(*room, (uint64_t)SIZE_MAX / 4), a->err) !=
        TACO_OK) {
        /* the limit that failed is what earlier blocks left, not the one in the message */
        if (a->err->code == TACO_ERR_LIMIT) {
            memset(a->err, 0, sizeof *a->err);
            TACO__FAIL(a->err, TACO_ERR_LIMIT, a->base,
                       "blocks of more than %u bytes unpacked, limits.max_metadata is %u", max,
                       max);
        } else {
            taco__error_prefix(a->err, "deflate block at byte %u", a->base);
        }
        return false;
    }
    *room -= out->len;
    return true;
}

/* The rows of one block; afterwards the cursor of a is after it. */
static TACO__ONCE bool taco__avro_read_block(taco__avro *a, taco__avro_node *root, taco_bytes data,
                                             uint64_t rows, uint64_t at)
{
    taco__byte_reader file = a->c;
    uint64_t base = a->base;
    bool ok;
    if (!root->empty && rows > data.len) { /* no row is shorter than a byte */
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, at, "a block claims %u rows in %u bytes", rows,
                   TACO__U(data.len));
        return false;
    }
    a->c = taco__byte_reader_init(data);
    a->base = at;
    if (root->empty) {
        ok = taco__avro_count_empty(a, rows);
        root->length += ok ? (size_t)rows : 0;
        ok = ok && taco__avro_read_rows(a, root, 0);
    } else {
        ok = taco__avro_read_rows(a, root, rows);
    }
    a->c = file;
    a->base = base;
    return ok;
}

/* The header of a block. */
typedef struct taco__avro_block {
    /* of the block itself, and of its bytes */
    uint64_t at, from;
    int64_t rows, bytes;
} taco__avro_block;

/* Reads and checks the header of a block: number of rows and bytes. The sync marker after the bytes
   is checked first, which detects a wrong length before the bytes are decoded as rows. */
static TACO__ONCE bool taco__avro_read_block_header(taco__avro *a, const taco__avro_file_header *h,
                                                    taco__avro_block *b)
{
    uint64_t left;
    b->at = taco__byte_reader_position(&a->c);
    b->rows = taco__avro_read_long(&a->c);
    b->bytes = taco__avro_read_long(&a->c);
    b->from = taco__byte_reader_position(&a->c);
    left = taco__byte_reader_left(&a->c);
    if (a->c.bad) {
        TACO__FAIL(a->err, TACO_ERR_TRUNCATED, b->at,
                   "a block begins in the last %u bytes of the file",
                   TACO__U(a->c.end - a->c.begin) - b->at);
    } else if (b->rows < 0 || b->bytes < 0) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, b->at, "a block of %d rows and %d bytes", b->rows,
                   b->bytes);
    } else if (left < 16 || (uint64_t)b->bytes > left - 16) {
        TACO__FAIL(a->err, TACO_ERR_TRUNCATED, b->at,
                   "a block of %d bytes and 16 of its sync marker, %u are left", b->bytes, left);
    } else if (memcmp(a->c.at + b->bytes, h->sync, 16) != 0) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, b->from + (uint64_t)b->bytes,
                   "the sync marker after the block at byte %u is not that of the header", b->at);
    } else {
        return true;
    }
    return false;
}

/* Whether the blocks are compressed; false with err for an unsupported codec. */
static TACO__ONCE bool taco__avro_check_codec(taco__avro *a, taco_bytes codec, bool *deflate)
{
    *deflate = taco__bytes_equal(codec, taco__bytes_text("deflate"));
    if (*deflate || !codec.len || taco__bytes_equal(codec, taco__bytes_text("null"))) {
        return true;
    }
    TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
               "avro.codec %q, only null and deflate are supported", &codec);
    return false;
}

/* Blocks up to the end of the file. max: most bytes of all of them, unpacked. */
static TACO__ONCE bool taco__avro_read_blocks(taco__avro *a, const taco__avro_file_header *h,
                                              taco__avro_node *root, uint64_t max)
{
    bool deflate, ok = true;
    uint64_t room = max;
    taco__buf plain;
    if (!taco__avro_check_codec(a, h->codec, &deflate)) { return false; }
    memset(&plain, 0, sizeof plain);
    plain.mem = a->arena->mem;
    while (ok && taco__byte_reader_left(&a->c)) {
        taco__avro_block b;
        taco_bytes data;
        ok = taco__avro_read_block_header(a, h, &b);
        if (!ok) { break; }
        data = taco__bytes_of(taco__byte_reader_take(&a->c, (size_t)b.bytes), (size_t)b.bytes);
        if (deflate) {
            plain.len = 0;
            a->base = b.from;
            ok = taco__avro_unpack_block(a, &plain, data, &room, max);
            data = taco__bytes_of(plain.data, plain.len);
            a->packed = true;
        }
        ok = ok && taco__avro_read_block(a, root, data, (uint64_t)b.rows, b.from);
        a->base = 0;
        a->packed = false;
        (void)taco__byte_reader_take(&a->c, 16);
    }
    taco__buf_free(&plain);
    return ok;
}

/* The columns of the decoded rows. */
static TACO__ONCE bool taco__avro_make_columns(taco__avro *a, taco__avro_node *root,
                                               taco__avro_table *out)
{
    taco_array *columns =
        (taco_array *)taco__arena_array(a->arena, root->child_count, sizeof *columns, a->err);
    uint32_t i;
    for (i = 0; columns && i < root->child_count; i++) {
        if (!taco__avro_make_array(a, &root->children[i], root->length, &columns[i])) {
            return false;
        }
    }
    out->fields = root->field->children;
    out->field_count = root->child_count;
    out->columns = columns;
    out->rows = root->length;
    return columns != NULL;
}

/* Reads a whole object container file. The table is in the arena and borrows nothing from the file.
   limits may be NULL. */
TACO__FN TACO__ONCE taco_status taco__avro_read(taco__arena *arena, taco_bytes file,
                                                const taco_limits *limits, taco__avro_table *out,
                                                taco_error *err)
{
    uint64_t max = limits && limits->max_metadata ? limits->max_metadata : TACO__JSON_MAX_BYTES;
    taco_error local;
    taco_field row;
    taco__avro a;
    taco__avro_file_header head;
    taco__avro_node root;
    bool ok;
    memset(&local, 0, sizeof local);
    memset(&row, 0, sizeof row);
    memset(&a, 0, sizeof a);
    memset(&head, 0, sizeof head);
    memset(&root, 0, sizeof root);
    memset(out, 0, sizeof *out);
    err = taco__error_fresh(err, &local);
    if (file.len > max) {
        return TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                          "%u bytes of Avro, limits.max_metadata is %u", TACO__U(file.len), max);
    }
    file.data = file.data ? file.data : (const uint8_t *)"";
    a.arena = arena;
    a.c = taco__byte_reader_init(file);
    a.empty_left = file.len;
    a.max_nodes = limits && limits->max_columns ? limits->max_columns : 65536;
    a.max_depth = limits && limits->max_depth ? limits->max_depth : TACO__JSON_MAX_DEPTH;
    a.err = err;
    root.field = &row;
    ok = taco__avro_read_header(&a, &head) && taco__avro_parse_schema(&a, &head, limits, &root) &&
         taco__avro_read_blocks(&a, &head, &root, max) && taco__avro_make_columns(&a, &root, out);
    taco__avro_node_free(&root);
    if (!ok) { memset(out, 0, sizeof *out); }
    return ok ? TACO_OK : err->code;
}
