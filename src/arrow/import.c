/* ==== ROOM import: Arrow streams of others as batches. Uses: arrow bits mem. Spec: Arrow C data interface, C stream interface,
   "Arrow Columnar Format" ==== */

#define TACO__IMPORT_ROWS 65536 /* rows of a batch at most */

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
    taco_field               *field;
    taco__import_kind         kind;
    size_t                    width;     /* bytes of a value, an offset or an index there */
    bool                      is_signed; /* of indices */
    bool                      nested;    /* rows may lie below a null and be anything */
    int32_t                   items;     /* FIXED_LIST */
    struct taco__import_node *children;
    taco_array               *arrays;     /* of the children */
    struct taco__import_node *dictionary; /* of the values; this node has the indices then */
    const struct ArrowArray
              *known; /* whose values are in `values_of`, as long as `turn` is that of the import */
    uint64_t   turn;
    taco_array values_of;
    taco__buf  validity, offsets, values;
} taco__import_node;

struct taco_import {
    taco__mem               mem;
    taco__arena             arena;
    taco_error              err;
    taco_limits             limits;
    struct ArrowArrayStream stream;
    struct ArrowSchema      schema;
    struct ArrowArray       array;    /* the rows at hand */
    uint64_t                turn;     /* counts arrays */
    uint64_t                at, rows; /* of the array; of the stream so far */
    taco__import_node       root;
    uint64_t                leaves;
    bool                    ended, large; /* large: a batch of fewer rows may do */
};

/* ---- schemas -------------------------------------------------------------------------------------- */

TACO__FN bool taco__import_schema_has_metadata(const struct ArrowSchema *s, const char *key,
                                               const char *value)
{
    const char *p = s->metadata;
    int32_t     n = p ? taco__arrow_read_count(&p) : 0;
    taco_bytes  k, v;
    while (taco__arrow_next_pair(&p, &n, &k, &v)) {
        if (taco__bytes_equal(k, taco__bytes_text(key))) {
            return taco__bytes_equal(v, taco__bytes_text(value));
        }
    }
    return false;
}
TACO__FN bool taco__import_schema_fail(taco_import *in, const struct ArrowSchema *s,
                                       const char *what)
{
    taco_bytes name = taco__bytes_text(s->name ? s->name : "");
    taco_bytes format = taco__bytes_text(s->format ? s->format : "");
    TACO__FAIL(&in->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
               "unsupported: field %q of Arrow format %q%s", &name, &format, what);
    return false;
}
/* Digits at *p, less than 10^9, into *out. */
TACO__FN bool taco__import_schema_parse_number(const char **p, int32_t *out)
{
    const char *start = *p;
    int32_t     x = 0;
    for (; **p >= '0' && **p <= '9' && *p - start < 9; ++*p) {
        x = x * 10 + (**p - '0');
    }
    *out = x;
    return *p > start;
}
TACO__FN void taco__import_schema_set_type(taco__import_node *k, taco_type type,
                                           taco__import_kind kind, size_t width, int32_t own)
{
    k->field->type = type;
    k->field->width = own;
    k->kind = kind;
    k->width = width;
}
TACO__FN bool taco__import_schema_decimal(taco__import_node *k, const char *p)
{
    int32_t bits = 128;
    if (!taco__import_schema_parse_number(&p, &k->field->precision) || *p++ != ',' ||
        !taco__import_schema_parse_number(&p, &k->field->scale) ||
        (*p == ',' && (p++, !taco__import_schema_parse_number(&p, &bits))) || *p ||
        (bits != 32 && bits != 64 && bits != 128 && bits != 256)) {
        return false;
    }
    taco__import_schema_set_type(k, TACO_DECIMAL, TACO__IMPORT_DECIMAL, (size_t)bits / 8,
                                 bits == 256 ? 32 : 16);
    return true;
}
/* Formats that begin with t. */
TACO__FN bool taco__import_schema_temporal(taco__import_node *k, const char *p)
{
    static const char units[] = "smun";
    const char       *unit = p[0] && p[1] ? strchr(units, p[1]) : NULL;
    taco_field       *f = k->field;
    f->unit = unit ? (taco_unit)(unit - units) : TACO_SECOND;
    switch (p[0]) {
    case 'd':
        taco__import_schema_set_type(k, TACO_DATE,
                                     p[1] == 'D' ? TACO__IMPORT_FIXED : TACO__IMPORT_DATE64,
                                     p[1] == 'D' ? 4 : 8, 4);
        f->unit = TACO_SECOND;
        return (p[1] == 'D' || p[1] == 'm') && !p[2];
    case 't':
        taco__import_schema_set_type(k, TACO_TIME, TACO__IMPORT_FIXED,
                                     f->unit <= TACO_MILLI ? 4 : 8, f->unit <= TACO_MILLI ? 4 : 8);
        return unit && !p[2];
    case 's':
        taco__import_schema_set_type(k, TACO_TIMESTAMP, TACO__IMPORT_FIXED, 8, 8);
        f->utc = unit && p[2] == ':' && p[3];
        return unit && p[2] == ':';
    case 'D':
        taco__import_schema_set_type(k, TACO_INT64, TACO__IMPORT_FIXED, 8, 8);
        f->unit = TACO_SECOND;
        return unit && !p[2];
    case 'i':
        f->unit = TACO_SECOND;
        taco__import_schema_set_type(k, TACO_INTERVAL,
                                     p[1] == 'M'   ? TACO__IMPORT_MONTHS
                                     : p[1] == 'D' ? TACO__IMPORT_DAYS
                                                   : TACO__IMPORT_MIXED,
                                     p[1] == 'M'   ? 4
                                     : p[1] == 'D' ? 8
                                                   : 16,
                                     12);
        return (p[1] == 'M' || p[1] == 'D' || p[1] == 'n') && !p[2];
    default: return false;
    }
}
/* Formats that begin with +. */
TACO__FN bool taco__import_schema_nested(taco__import_node *k, const char *p)
{
    switch (*p++) {
    case 'l':
    case 'L':
        taco__import_schema_set_type(k, TACO_LIST, TACO__IMPORT_LIST, p[-1] == 'L' ? 8 : 4, 0);
        break;
    case 'm': taco__import_schema_set_type(k, TACO_MAP, TACO__IMPORT_LIST, 4, 0); break;
    case 's': taco__import_schema_set_type(k, TACO_STRUCT, TACO__IMPORT_STRUCT, 0, 0); break;
    case 'w':
        taco__import_schema_set_type(k, TACO_LIST, TACO__IMPORT_FIXED_LIST, 0, 0);
        if (*p++ != ':' || !taco__import_schema_parse_number(&p, &k->items)) {
            return false;
        }
        break;
    default: return false;
    }
    return !*p;
}
/* The type of a format without a dictionary. */
TACO__FN bool taco__import_schema_format(taco__import_node *k, const char *p)
{
    static const char    plain[] = "cCsSiIlLefg";
    static const uint8_t types[] = {TACO_INT8,  TACO_UINT8,  TACO_INT16, TACO_UINT16,
                                    TACO_INT32, TACO_UINT32, TACO_INT64, TACO_UINT64,
                                    TACO_HALF,  TACO_FLOAT,  TACO_DOUBLE};
    static const uint8_t widths[] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
    const char          *at = *p && !p[1] ? strchr(plain, *p) : NULL;
    if (at) {
        size_t i = (size_t)(at - plain);
        taco__import_schema_set_type(k, (taco_type)types[i], TACO__IMPORT_FIXED, widths[i],
                                     widths[i]);
        return true;
    }
    switch (*p++) {
    case 'n': taco__import_schema_set_type(k, TACO_NULL, TACO__IMPORT_NONE, 0, 0); break;
    case 'b': taco__import_schema_set_type(k, TACO_BOOL, TACO__IMPORT_BITS, 0, 0); break;
    case 'u':
    case 'U':
        taco__import_schema_set_type(k, TACO_TEXT, TACO__IMPORT_TEXT, p[-1] == 'U' ? 8 : 4, 0);
        break;
    case 'z':
    case 'Z':
        taco__import_schema_set_type(k, TACO_BINARY, TACO__IMPORT_TEXT, p[-1] == 'Z' ? 8 : 4, 0);
        break;
    case 'v':
        taco__import_schema_set_type(k, *p == 'u' ? TACO_TEXT : TACO_BINARY, TACO__IMPORT_VIEW, 16,
                                     0);
        if (*p != 'u' && *p != 'z') {
            return false;
        }
        p++;
        break;
    case 'w':
        taco__import_schema_set_type(k, TACO_FIXED, TACO__IMPORT_FIXED, 0, 0);
        if (*p++ != ':' || !taco__import_schema_parse_number(&p, &k->field->width)) {
            return false;
        }
        k->width = (size_t)k->field->width;
        break;
    case 'd': return *p == ':' && taco__import_schema_decimal(k, p + 1);
    case 't': return taco__import_schema_temporal(k, p);
    case '+': return taco__import_schema_nested(k, p);
    default: return false;
    }
    return !*p;
}
/* The node of a dictionary's indices: a format of integers. */
TACO__FN bool taco__import_schema_indices(taco__import_node *k, const char *p)
{
    static const char formats[] = "cCsSiIlL";
    const char       *at = *p && !p[1] ? strchr(formats, *p) : NULL;
    if (at) {
        k->width = (size_t)1 << (at - formats) / 2;
        k->is_signed = (at - formats) % 2 == 0;
    }
    return at != NULL;
}
TACO__FN void taco__import_schema_init_field(taco_import *in, taco__import_node *k)
{
    memset(k, 0, sizeof *k);
    k->validity.mem = k->offsets.mem = k->values.mem = &in->mem;
}
TACO__FN bool taco__import_schema_field(taco_import *in, taco__import_node *k,
                                        const struct ArrowSchema *s,
                                        uint32_t                  depth); /* recursive */

TACO__FN bool taco__import_schema_children(taco_import *in, taco__import_node *k,
                                           const struct ArrowSchema *s, uint32_t depth)
{
    size_t      n = (size_t)s->n_children, i;
    taco_field *fields;
    fields = (taco_field *)taco__arena_array(&in->arena, n + 1, sizeof *fields, &in->err);
    k->children =
        (taco__import_node *)taco__arena_array(&in->arena, n + 1, sizeof *k->children, &in->err);
    k->arrays = (taco_array *)taco__arena_array(&in->arena, n + 1, sizeof *k->arrays, &in->err);
    if (!fields || !k->children || !k->arrays) {
        return false;
    }
    for (i = 0; i < n; i++) {
        taco__import_schema_init_field(in, &k->children[i]);
        k->children[i].field = &fields[i];
    }
    k->field->children = fields; /* from here on their buffers are freed with the tree */
    k->field->child_count = (uint32_t)n;
    for (i = 0; i < n; i++) {
        if (!s->children || !s->children[i]) {
            return taco__import_schema_fail(in, s, ", which has no schema for a child");
        }
        if (!taco__import_schema_field(in, &k->children[i], s->children[i], depth + 1)) {
            return false;
        }
    }
    return true;
}
/* True when a list, map or struct has the children it must. */
TACO__FN bool taco__import_schema_check_children(const taco__import_node  *k,
                                                 const struct ArrowSchema *s)
{
    const struct ArrowSchema *c = s->n_children > 0 && s->children ? s->children[0] : NULL;
    if (k->field->type == TACO_STRUCT) {
        return s->n_children >= 0;
    }
    if (k->field->type == TACO_MAP) {
        return s->n_children == 1 && c && c->format && strcmp(c->format, "+s") == 0 &&
               c->n_children == 2;
    }
    return s->n_children == (k->field->type == TACO_LIST);
}
TACO__FN bool taco__import_schema_field(taco_import *in, taco__import_node *k,
                                        const struct ArrowSchema *s, uint32_t depth)
{
    taco_field *f = k->field;
    if (depth > in->limits.max_depth || ++in->leaves > in->limits.max_columns) {
        TACO__FAIL(&in->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "an Arrow schema deeper than limits.max_depth, %u, or of more fields than "
                   "limits.max_columns, %u",
                   TACO__U(in->limits.max_depth), TACO__U(in->limits.max_columns));
        return false;
    }
    k->nested = depth > 1;
    f->name = taco__arena_text(&in->arena, taco__bytes_text(s->name ? s->name : ""), &in->err);
    if (!f->name) {
        return false;
    }
    if (!s->format ||
        (s->dictionary ? !taco__import_schema_indices(k, s->format) || !s->dictionary->format
                       : !taco__import_schema_format(k, s->format))) {
        return taco__import_schema_fail(in, s, "");
    }
    if (s->dictionary) {
        k->dictionary = (taco__import_node *)taco__arena_alloc(&in->arena, sizeof *k, &in->err);
        if (!k->dictionary) {
            return false;
        }
        taco__import_schema_init_field(in, k->dictionary);
        k->dictionary->field = f;
        if (s->dictionary->dictionary ||
            !taco__import_schema_format(k->dictionary, s->dictionary->format) ||
            k->dictionary->kind >= TACO__IMPORT_LIST) {
            return taco__import_schema_fail(in, s, ", a dictionary of nested values");
        }
    }
    f->nullable = f->type == TACO_NULL || (s->flags & ARROW_FLAG_NULLABLE) != 0;
    if (f->type == TACO_FIXED && f->width == 16 &&
        taco__import_schema_has_metadata(s, "ARROW:extension:name", "arrow.uuid")) {
        f->type = TACO_UUID;
    }
    if (!taco__import_schema_check_children(k, s)) {
        return taco__import_schema_fail(in, s, ", which has other children than it must");
    }
    if (!taco__import_schema_children(in, k, s, depth)) {
        return false;
    }
    if (f->type == TACO_MAP) { /* neither pairs nor keys are ever null */
        k->children[0].field->nullable = k->children[0].children[0].field->nullable = false;
    }
    return true;
}

/* ---- arrays --------------------------------------------------------------------------------------- */

TACO__FN bool taco__import_array_fail(taco_import *in, const taco__import_node *k, const char *what,
                                      uint64_t found, uint64_t allowed)
{
    taco_bytes name = taco__bytes_text(k->field->name);
    TACO__FAIL(&in->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "an Arrow array of field %q: %s %u, %u at most", &name, what, found, allowed);
    return false;
}
/* Rows [first, first + n) of an array are there, and so are its buffers: *at is where they begin in these. */
TACO__FN bool taco__import_array_check_range(taco_import *in, const taco__import_node *k,
                                             const struct ArrowArray *a, uint64_t first, size_t n,
                                             size_t *at)
{
    int64_t  buffers = k->dictionary                        ? 2
                       : k->kind == TACO__IMPORT_NONE       ? 0
                       : k->kind == TACO__IMPORT_STRUCT     ? 1
                       : k->kind == TACO__IMPORT_FIXED_LIST ? 1
                       : k->kind == TACO__IMPORT_TEXT       ? 3
                                                            : 2;
    uint64_t end = 0;
    size_t   bytes;
    if (!a) {
        return taco__import_array_fail(in, k, "missing", 0, 0);
    }
    if (a->length < 0 || a->offset < 0 || a->length > INT64_MAX - a->offset) {
        return taco__import_array_fail(in, k, "offset and length below zero or beyond",
                                       (uint64_t)a->length, INT64_MAX);
    }
    if (!taco__checked_add64(first, n, &end) || end > (uint64_t)a->length) {
        return taco__import_array_fail(in, k, "its parent needs rows up to", end,
                                       (uint64_t)a->length);
    }
    if (k->kind == TACO__IMPORT_VIEW && !k->dictionary ? a->n_buffers < 3
                                                       : a->n_buffers != buffers) {
        return taco__import_array_fail(in, k, "number of buffers", (uint64_t)a->n_buffers,
                                       (uint64_t)buffers);
    }
    if (a->n_children != (int64_t)k->field->child_count || (a->n_children && !a->children) ||
        (k->dictionary && !a->dictionary) || (buffers && !a->buffers)) {
        return taco__import_array_fail(in, k, "number of children", (uint64_t)a->n_children,
                                       k->field->child_count);
    }
    if (buffers > 1 && n && !a->buffers[1] &&
        (k->dictionary || k->width || k->kind == TACO__IMPORT_BITS)) {
        return taco__import_array_fail(in, k, "no buffer for rows:", n, 0);
    }
    first += (uint64_t)a->offset;
    if (first > SIZE_MAX - n ||
        !taco__checked_mul_size((size_t)first + n, TACO__MAX(k->width, (size_t)1), &bytes)) {
        return taco__import_array_fail(in, k, "rows beyond what memory holds:", first, SIZE_MAX);
    }
    *at = (size_t)first;
    return true;
}
/* Validity into a bitmap of our own, at bit 0. */
TACO__FN bool taco__import_array_validity(taco_import *in, taco__import_node *k,
                                          const struct ArrowArray *a, size_t at, size_t n,
                                          taco_array *out)
{
    const uint8_t *bits =
        a->n_buffers > 0 && a->null_count != 0 ? (const uint8_t *)a->buffers[0] : NULL;
    if (k->kind == TACO__IMPORT_NONE && !k->dictionary) {
        out->null_count = n;
        return true;
    }
    if (!bits || !n) {
        return true;
    }
    if (!taco__buf_reset(&k->validity, TACO__BITMAP_BYTES(n), &in->err)) {
        return false;
    }
    memset(k->validity.data, 0, TACO__BITMAP_BYTES(n));
    out->null_count = n - taco__bitmap_copy(k->validity.data, 0, bits, at, n);
    out->validity = out->null_count ? k->validity.data : NULL;
    return true;
}
/* n values of `width` bytes at `at`: where they are, if they are aligned there for a machine's number. */
TACO__FN bool taco__import_array_fixed(taco_import *in, taco__import_node *k,
                                       const struct ArrowArray *a, size_t at, size_t n,
                                       taco_array *out)
{
    size_t         unit = k->width == 2 || k->width == 4 || k->width == 8 ? k->width : 1, bytes;
    const uint8_t *p = (const uint8_t *)a->buffers[1];
    if (n == 0 || k->width == 0) {
        out->v.any = in->root.field; /* any address */
        return true;
    }
    p += at * k->width;
    if ((uintptr_t)p % unit == 0) {
        out->v.any = p;
        return true;
    }
    if (!taco__checked_mul_size(n, k->width, &bytes) ||
        !taco__buf_reset(&k->values, bytes, &in->err)) {
        return false;
    }
    memcpy(k->values.data, p, bytes);
    out->v.any = k->values.data;
    return true;
}
TACO__FN bool taco__import_array_bits(taco_import *in, taco__import_node *k,
                                      const struct ArrowArray *a, size_t at, size_t n,
                                      taco_array *out)
{
    if (!taco__buf_reset(&k->values, TACO__BITMAP_BYTES(n), &in->err)) {
        return false;
    }
    memset(k->values.data, 0, TACO__BITMAP_BYTES(n));
    if (n) {
        taco__bitmap_copy(k->values.data, 0, (const uint8_t *)a->buffers[1], at, n);
    }
    out->v.any = k->values.data;
    return true;
}
/* Decimals of the machine's order and 4 to 32 bytes as little-endian ones of 16 or 32. */
TACO__FN void taco__import_array_widen_decimal(const uint8_t *p, size_t width, uint8_t *to,
                                               size_t own)
{
    size_t i;
    for (i = 0; i < width; i++) {
        to[i] = p[TACO__BIG_ENDIAN ? width - 1 - i : i];
    }
    memset(to + width, to[width - 1] & 0x80 ? 0xFF : 0, own - width);
}
/* Parts of an interval that Parquet has not make false. */
TACO__FN bool taco__import_array_interval(taco__import_kind kind, const uint8_t *p, uint8_t *to)
{
    int32_t part[2];
    int64_t rest = 0;
    memset(part, 0, sizeof part);
    memcpy(part, p, kind == TACO__IMPORT_MONTHS ? 4 : 8);
    if (kind == TACO__IMPORT_DAYS) {
        rest = part[1];
        part[1] = part[0];
        part[0] = 0;
    } else if (kind == TACO__IMPORT_MIXED) {
        memcpy(&rest, p + 8, 8);
        if (rest % 1000000) {
            return false;
        }
        rest /= 1000000;
    }
    taco__put_le32(to, (uint32_t)part[0]);
    taco__put_le32(to + 4, (uint32_t)part[1]);
    taco__put_le32(to + 8, (uint32_t)rest);
    return part[0] >= 0 && part[1] >= 0 && rest >= 0 && rest <= UINT32_MAX;
}
/* Values that are another type here: one by one. */
TACO__FN bool taco__import_array_convert(taco_import *in, taco__import_node *k,
                                         const struct ArrowArray *a, size_t at, size_t n,
                                         taco_array *out)
{
    size_t         own = (size_t)k->field->width, i, bytes;
    const uint8_t *p = (const uint8_t *)a->buffers[1];
    if (!taco__checked_mul_size(n, own, &bytes) || !taco__buf_reset(&k->values, bytes, &in->err)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        const uint8_t *from = p + (at + i) * k->width;
        uint8_t       *to = k->values.data + i * own;
        if (out->validity && !taco__bitmap_get(out->validity, i)) {
            memset(to, 0, own);
        } else if (k->kind == TACO__IMPORT_DECIMAL) {
            taco__import_array_widen_decimal(from, k->width, to, own);
        } else if (k->kind == TACO__IMPORT_DATE64) {
            int64_t ms, day;
            int32_t days;
            memcpy(&ms, from, 8);
            day = ms / 86400000 - (ms % 86400000 < 0);
            if (day < INT32_MIN || day > INT32_MAX) {
                return taco__import_array_fail(in, k, "a date of days", (uint64_t)day, INT32_MAX);
            }
            days = (int32_t)day;
            memcpy(to, &days, 4);
        } else if (!taco__import_array_interval(k->kind, from, to)) {
            return taco__import_array_fail(
                in, k, "an interval below zero or not of whole milliseconds in row", i, 0);
        }
    }
    out->v.any = k->values.data;
    return true;
}
/* n + 1 offsets of 4 or 8 bytes, which ascend, as 32-bit ones from 0; *first is what the first of them was. */
TACO__FN bool taco__import_array_offsets(taco_import *in, taco__import_node *k,
                                         const struct ArrowArray *a, size_t at, size_t n,
                                         uint64_t *first)
{
    const uint8_t *p = (const uint8_t *)a->buffers[1];
    int64_t        from = 0, last = 0, x;
    size_t         bytes, i;
    int32_t       *to;
    if (!taco__checked_mul_size(n + 1, sizeof *to, &bytes) ||
        !taco__buf_reset(&k->offsets, bytes, &in->err)) {
        return false;
    }
    to = (int32_t *)(void *)k->offsets.data;
    to[0] = 0;
    *first = 0;
    for (i = 0; n && i <= n; i++) {
        if (k->width == 8) {
            memcpy(&x, p + (at + i) * 8, 8);
        } else {
            int32_t y;
            memcpy(&y, p + (at + i) * 4, 4);
            x = y;
        }
        if (i == 0) {
            from = last = x;
            *first = (uint64_t)x;
        }
        if (x < last || from < 0) {
            return taco__import_array_fail(in, k, "offsets that descend, to", (uint64_t)x,
                                           (uint64_t)last);
        }
        if (x - from > INT32_MAX) {
            in->large = n > 1;
            TACO__FAIL(&in->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                       "%u bytes or items in one row, %u are the most", (uint64_t)(x - from),
                       TACO__U(INT32_MAX));
            return false;
        }
        to[i] = (int32_t)(x - from);
        last = x;
    }
    return true;
}
TACO__FN bool taco__import_array_text(taco_import *in, taco__import_node *k,
                                      const struct ArrowArray *a, size_t at, size_t n,
                                      taco_array *out)
{
    uint64_t       first;
    const uint8_t *p = (const uint8_t *)a->buffers[2];
    if (!taco__import_array_offsets(in, k, a, at, n, &first)) {
        return false;
    }
    out->offsets = (const int32_t *)(const void *)k->offsets.data;
    if (out->offsets[n] && (!p || first > SIZE_MAX - INT32_MAX)) {
        return taco__import_array_fail(in, k, "no buffer for bytes:", TACO__U(out->offsets[n]), 0);
    }
    out->v.any = out->offsets[n] ? p + first : (const void *)in->root.field;
    return true;
}
/* Bytes of a view of 16: up to 12 are in it, others in one of the buffers behind. */
TACO__FN bool taco__import_array_view_bytes(taco_import *in, const taco__import_node *k,
                                            const struct ArrowArray *a, const uint8_t *view,
                                            taco_bytes *out)
{
    int64_t more = a->n_buffers - 3, size;
    int32_t len, which, at;
    memcpy(&len, view, 4);
    memcpy(&which, view + 8, 4);
    memcpy(&at, view + 12, 4);
    if (len >= 0 && len <= 12) {
        *out = taco__bytes_of(view + 4, (size_t)len);
        return true;
    }
    if (len < 0 || which < 0 || which >= more || !a->buffers[2 + which] ||
        !a->buffers[a->n_buffers - 1]) {
        return taco__import_array_fail(in, k, "a view into buffer", (uint64_t)(int64_t)which,
                                       (uint64_t)more);
    }
    memcpy(&size, (const uint8_t *)a->buffers[a->n_buffers - 1] + 8 * (size_t)which, 8);
    if (at < 0 || size < (int64_t)at + len) {
        return taco__import_array_fail(in, k, "a view to byte", (uint64_t)((int64_t)at + len),
                                       (uint64_t)size);
    }
    *out = taco__bytes_of((const uint8_t *)a->buffers[2 + which] + at, (size_t)len);
    return true;
}
TACO__FN bool taco__import_array_views(taco_import *in, taco__import_node *k,
                                       const struct ArrowArray *a, size_t at, size_t n,
                                       taco_array *out)
{
    size_t   bytes, i;
    int32_t *to;
    if (!taco__checked_mul_size(n + 1, sizeof *to, &bytes) ||
        !taco__buf_reset(&k->offsets, bytes, &in->err) ||
        !taco__buf_reset(&k->values, 0, &in->err)) {
        return false;
    }
    to = (int32_t *)(void *)k->offsets.data;
    to[0] = 0;
    for (i = 0; i < n; i++) {
        taco_bytes b = {NULL, 0};
        if ((!out->validity || taco__bitmap_get(out->validity, i)) &&
            !taco__import_array_view_bytes(in, k, a, (const uint8_t *)a->buffers[1] + (at + i) * 16,
                                           &b)) {
            return false;
        }
        if (b.len > INT32_MAX - k->values.len) {
            in->large = n > 1;
            TACO__FAIL(&in->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                       "more than %u bytes of text in a batch", TACO__U(INT32_MAX));
            return false;
        }
        if (!taco__buf_append(&k->values, b.data, b.len, &in->err)) {
            return false;
        }
        to[i + 1] = (int32_t)k->values.len;
    }
    out->offsets = to;
    out->v.any = k->values.data;
    return true;
}

TACO__FN bool taco__import_array(taco_import *in, taco__import_node *k, const struct ArrowArray *a,
                                 uint64_t first, size_t n, taco_array *out); /* recursive */

TACO__FN bool taco__import_array_nested(taco_import *in, taco__import_node *k,
                                        const struct ArrowArray *a, size_t at, size_t n,
                                        taco_array *out)
{
    uint64_t first = at;
    size_t   items = n, i, bytes;
    if (k->kind == TACO__IMPORT_LIST) {
        if (!taco__import_array_offsets(in, k, a, at, n, &first)) {
            return false;
        }
        items = (size_t)((const int32_t *)(const void *)k->offsets.data)[n];
        out->offsets = (const int32_t *)(const void *)k->offsets.data;
    } else if (k->kind == TACO__IMPORT_FIXED_LIST) {
        int32_t *to;
        if ((uint64_t)n * (uint64_t)k->items > INT32_MAX ||
            at > SIZE_MAX / 2 / ((size_t)k->items + 1)) {
            in->large = n > 1;
            TACO__FAIL(&in->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                       "more than %u list items in a batch", TACO__U(INT32_MAX));
            return false;
        }
        if (!taco__checked_mul_size(n + 1, sizeof *to, &bytes) ||
            !taco__buf_reset(&k->offsets, bytes, &in->err)) {
            return false;
        }
        to = (int32_t *)(void *)k->offsets.data;
        for (i = 0; i <= n; i++) {
            to[i] = (int32_t)(i * (size_t)k->items);
        }
        first = (uint64_t)at * (uint64_t)k->items;
        items = n * (size_t)k->items;
        out->offsets = to;
    }
    for (i = 0; i < k->field->child_count; i++) {
        if (!taco__import_array(in, &k->children[i], a->children[i], first, items, &k->arrays[i])) {
            return false;
        }
    }
    out->children = k->arrays;
    return true;
}
TACO__INLINE int64_t taco__import_array_index_at(const taco__import_node *k, const uint8_t *p)
{
    union {
        int8_t   c;
        int16_t  s;
        uint16_t S;
        int32_t  i;
        uint32_t I;
        int64_t  l;
    } x;
    memcpy(&x, p, k->width);
    switch (k->width) {
    case 1: return k->is_signed ? x.c : *p;
    case 2: return k->is_signed ? x.s : (int64_t)x.S;
    case 4: return k->is_signed ? x.i : (int64_t)x.I;
    default: return x.l; /* what does not fit is below zero */
    }
}
/* Values of fixed width that indices stand for. */
TACO__FN bool taco__import_array_decode_fixed(taco_import *in, taco__import_node *k,
                                              const int32_t *index, size_t n, taco_array *out)
{
    const taco_array *d = &k->values_of;
    size_t            width = (size_t)k->field->width, i, bytes;
    bool              bits = k->field->type == TACO_BOOL;
    taco__buf        *to = &k->values;
    if (!taco__checked_mul_size(n, TACO__MAX(width, (size_t)1), &bytes) ||
        !taco__buf_reset(to, bytes, &in->err)) {
        return false;
    }
    memset(to->data, 0, bytes);
    for (i = 0; i < n; i++) {
        if (d->length == 0 || (out->validity && !taco__bitmap_get(out->validity, i))) {
            continue;
        }
        if (bits && taco__bitmap_get(d->v.u8, (size_t)index[i])) {
            taco__bitmap_set(to->data, i);
        } else if (!bits && width) {
            memcpy(to->data + i * width, d->v.u8 + (size_t)index[i] * width, width);
        }
    }
    out->v.any = to->data;
    return true;
}
/* A dictionary's indices as int32, those of null rows 0. A null among the values makes its rows null, and so does an index
   of none below other fields, where the row may be one that is not there. */
TACO__FN bool taco__import_array_dictionary(taco_import *in, taco__import_node *k,
                                            const struct ArrowArray *a, size_t at, size_t n,
                                            taco_array *out)
{
    const taco_array *d = &k->values_of;
    size_t            bytes, i;
    int32_t          *to;
    if (k->known != a->dictionary || k->turn != in->turn) {
        if (a->dictionary->length < 0 || a->dictionary->length > INT32_MAX) {
            return taco__import_array_fail(in, k, "entries of a dictionary",
                                           (uint64_t)a->dictionary->length, INT32_MAX);
        }
        if (!taco__import_array(in, k->dictionary, a->dictionary, 0, (size_t)a->dictionary->length,
                                &k->values_of)) {
            in->large = false;
            return false;
        }
        k->known = a->dictionary;
        k->turn = in->turn;
    }
    if (!taco__checked_mul_size(n, sizeof *to, &bytes) ||
        !taco__buf_reset(&k->offsets, bytes, &in->err)) {
        return false;
    }
    to = (int32_t *)(void *)k->offsets.data;
    if ((d->null_count || k->nested) && !out->validity) {
        if (!taco__buf_reset(&k->validity, TACO__BITMAP_BYTES(n), &in->err)) {
            return false;
        }
        taco__bitmap_fill(k->validity.data, 0, n, true);
        out->validity = k->validity.data;
    }
    for (i = 0; i < n; i++) {
        int64_t x = 0;
        bool    there;
        to[i] = 0;
        if (out->validity && !taco__bitmap_get(out->validity, i)) {
            continue;
        }
        x = taco__import_array_index_at(k, (const uint8_t *)a->buffers[1] + (at + i) * k->width);
        there = x >= 0 && (uint64_t)x < d->length;
        if (!there && !k->nested) {
            return taco__import_array_fail(in, k, "a dictionary index of", (uint64_t)x,
                                           (uint64_t)d->length - (d->length > 0));
        }
        to[i] = there ? (int32_t)x : 0;
        if (!there ||
            (d->null_count && (!d->validity || !taco__bitmap_get(d->validity, (size_t)x)))) {
            taco__bitmap_fill(k->validity.data, i, 1, false);
            out->null_count++;
        }
    }
    if (out->null_count == 0) {
        out->validity = NULL;
    }
    if (taco__array_is_var_length(k->field)) {
        out->v.any = to;
        out->dictionary = d;
        return true;
    }
    return taco__import_array_decode_fixed(in, k, to, n, out);
}
/* Rows [first, first + n) of an array, as *out. */
TACO__FN bool taco__import_array(taco_import *in, taco__import_node *k, const struct ArrowArray *a,
                                 uint64_t first, size_t n, taco_array *out)
{
    size_t at = 0;
    memset(out, 0, sizeof *out);
    out->field = k->field;
    out->length = n;
    if (!taco__import_array_check_range(in, k, a, first, n, &at) ||
        !taco__import_array_validity(in, k, a, at, n, out)) {
        return false;
    }
    if (k->dictionary) {
        return taco__import_array_dictionary(in, k, a, at, n, out);
    }
    switch (k->kind) {
    case TACO__IMPORT_NONE: return true;
    case TACO__IMPORT_BITS: return taco__import_array_bits(in, k, a, at, n, out);
    case TACO__IMPORT_FIXED: return taco__import_array_fixed(in, k, a, at, n, out);
    case TACO__IMPORT_TEXT: return taco__import_array_text(in, k, a, at, n, out);
    case TACO__IMPORT_VIEW: return taco__import_array_views(in, k, a, at, n, out);
    case TACO__IMPORT_LIST:
    case TACO__IMPORT_FIXED_LIST:
    case TACO__IMPORT_STRUCT: return taco__import_array_nested(in, k, a, at, n, out);
    default: return taco__import_array_convert(in, k, a, at, n, out);
    }
}

/* ---- streams -------------------------------------------------------------------------------------- */

TACO__FN void taco__import_free_node(taco__import_node *k)
{
    uint32_t i;
    for (i = 0; k->children && i < k->field->child_count; i++) {
        taco__import_free_node(&k->children[i]);
    }
    if (k->dictionary) {
        taco__import_free_node(k->dictionary);
    }
    taco__buf_free(&k->validity);
    taco__buf_free(&k->offsets);
    taco__buf_free(&k->values);
}
TACO__FN void taco__import_free(taco_import *in)
{
    taco__mem mem;
    taco__import_free_node(&in->root);
    if (in->array.release) {
        in->array.release(&in->array);
    }
    if (in->schema.release) {
        in->schema.release(&in->schema);
    }
    if (in->stream.release) {
        in->stream.release(&in->stream);
    }
    taco__arena_free(&in->arena);
    mem = in->mem;
    taco__mem_free(&mem, in, sizeof *in);
}
/* A failure that the stream reports. */
TACO__FN bool taco__import_fail(taco_import *in, const char *what, int code)
{
    const char *text = in->stream.get_last_error ? in->stream.get_last_error(&in->stream) : NULL;
    taco_bytes  said = taco__bytes_text(text ? text : "");
    TACO__FAIL(&in->err, TACO_ERR_IO, TACO_NO_OFFSET,
               "the %s of an Arrow stream failed with code %d: %q", what, TACO__D(code), &said);
    return false;
}
TACO__FN bool taco__import_read_schema(taco_import *in)
{
    int code = in->stream.get_schema(&in->stream, &in->schema);
    if (code) {
        in->schema.release = NULL;
        return taco__import_fail(in, "schema", code);
    }
    in->root.field = (taco_field *)taco__arena_alloc(&in->arena, sizeof *in->root.field, &in->err);
    if (!in->root.field) {
        return false;
    }
    if (!in->schema.format || strcmp(in->schema.format, "+s") != 0 || in->schema.dictionary) {
        return taco__import_schema_fail(in, &in->schema, ", where a table is expected");
    }
    return taco__import_schema_field(in, &in->root, &in->schema, 0);
}
/* Makes in->array the next one with rows; false at the end and on failure. */
TACO__FN bool taco__import_next_array(taco_import *in)
{
    const struct ArrowArray *a = &in->array;
    int                      code;
    do {
        if (in->array.release) {
            in->array.release(&in->array);
        }
        memset(&in->array, 0, sizeof in->array);
        code = in->stream.get_next(&in->stream, &in->array);
        if (code) {
            in->array.release = NULL;
            return taco__import_fail(in, "next batch", code);
        }
        if (!a->release) {
            in->ended = true;
            return false;
        }
        in->at = 0;
        in->turn++;
    } while (a->length == 0);
    return true;
}
/* The next rows of the array at hand, fewer of them where their text would be too much. */
TACO__FN bool taco__import_take_rows(taco_import *in, taco_batch *out)
{
    uint64_t   left = (uint64_t)in->array.length - in->at;
    size_t     n = (size_t)TACO__MIN(left, (uint64_t)TACO__IMPORT_ROWS);
    taco_array all;
    for (;;) {
        in->large = false;
        if (taco__import_array(in, &in->root, &in->array, in->at, n, &all)) {
            break;
        }
        if (!in->large) {
            return false;
        }
        memset(&in->err, 0, sizeof in->err);
        n /= 2;
    }
    if (all.null_count) {
        return taco__import_array_fail(in, &in->root,
                                       "null rows of the table itself:", all.null_count, 0);
    }
    memset(out, 0, sizeof *out);
    out->first_row = (int64_t)in->rows;
    out->length = n;
    out->columns = in->root.arrays;
    out->column_count = in->root.field->child_count;
    in->at += n;
    in->rows += n;
    return true;
}

/* NULL is accepted. */
TACO__FN taco_status taco__import_close(taco_import *in, taco_error *err)
{
    taco_status code;
    if (!in) {
        return TACO_OK;
    }
    code = in->err.code;
    if (err && err->code == TACO_OK && code != TACO_OK) {
        *err = in->err;
    }
    taco__import_free(in);
    return code;
}
/* Takes the stream over, on failure too. */
TACO__FN taco_import *taco__import_open(struct ArrowArrayStream *stream, const taco_options *opt,
                                        taco_error *err)
{
    taco_options options;
    taco__mem    mem;
    taco_import *in;
    if (!stream || !stream->release) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no Arrow stream, or a released one");
        return NULL;
    }
    taco__options_init(&options, opt);
    taco__mem_init(&mem, opt);
    in = (taco_import *)taco__mem_alloc(&mem, sizeof *in, err);
    if (!in) {
        stream->release(stream);
        stream->release = NULL;
        return NULL;
    }
    in->mem = mem;
    in->arena.mem = &in->mem;
    in->limits = options.limits;
    in->stream = *stream;
    memset(stream, 0, sizeof *stream);
    taco__import_schema_init_field(in, &in->root);
    if (!taco__import_read_schema(in)) {
        taco__import_close(in, err);
        return NULL;
    }
    return in;
}
TACO__FN bool taco__import_next(taco_import *in, taco_batch *out)
{
    if (in->ended || in->err.code != TACO_OK) {
        return false;
    }
    return ((in->array.release && in->at < (uint64_t)in->array.length) ||
            taco__import_next_array(in)) &&
           taco__import_take_rows(in, out);
}
