/* schema_write.c - fields as the schema of a Parquet file, and a writer for each leaf column

   In: w->fields. Out: footer.schema, SchemaElements in depth-first order, the root first, with
   converted and logical types for old and new readers (LogicalTypes.md), and w->leaves, in the same
   order, each with its physical type, levels and path. Lists have three levels (list, element),
   maps key_value groups, as LogicalTypes.md demands of writers.

   Start reading at taco__schema_write; taco__schema_write_field takes one field, and those below
   it. A field's converted type and annotation follow from taco_field alone, so that reading it back
   yields the same field, except for what "ARROW:schema" restores (key_values.c). */
#include "parquet_write.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* ---- physical types ---- */

/* Bytes that hold any decimal of p digits: its magnitude takes floor(p log2(10)) + 1 bits, plus one
   for the sign. */
static int32_t taco__schema_write_decimal_bytes(int32_t p)
{
    return (int32_t)(((int64_t)p * 33219281 / 10000000 + 2 + 7) / 8);
}

static bool taco__schema_write_fail(const taco_field *f, const char *why, taco_error *err)
{
    taco_bytes name = taco__bytes_text(f->name);
    TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "field %q %s", &name, why);
    return false;
}

/* How the values of a leaf are stored and compared. */
typedef struct taco__leaf_type {
    int32_t type;
    size_t width; /* 0 for byte arrays; also type_length of TACO__PQ_FIXED */
    taco__stats_order order;
} taco__leaf_type;

static taco__leaf_type taco__schema_write_physical(int32_t type, size_t width,
                                                   taco__stats_order order)
{
    taco__leaf_type p;
    p.type = type;
    p.width = width;
    p.order = order;
    return p;
}

/* The smallest type that holds the precision (LogicalTypes.md, DECIMAL). width 0: the decimals have
   any number of bytes. */
static bool taco__schema_write_decimal_type(taco__leaf_type *p, const taco_field *f,
                                            taco_error *err)
{
    int32_t most = f->width == 16 ? 38 : f->width == 32 ? 76 : INT32_MAX;
    if (f->precision < 1 || f->precision > most || f->scale < 0 || f->scale > f->precision ||
        (f->width != 16 && f->width != 32 && f->width != 0)) {
        return taco__schema_write_fail(f, "is a decimal of impossible precision, scale or width",
                                       err);
    }
    *p = f->width == 0 ? taco__schema_write_physical(TACO__PQ_BYTE_ARRAY, 0, TACO__STATS_DECIMALS)
         : f->precision <= 9 ? taco__schema_write_physical(TACO__PQ_INT32, 4, TACO__STATS_SIGNED)
         : f->precision <= 18
             ? taco__schema_write_physical(TACO__PQ_INT64, 8, TACO__STATS_SIGNED)
             : taco__schema_write_physical(TACO__PQ_FIXED,
                                           (size_t)taco__schema_write_decimal_bytes(f->precision),
                                           TACO__STATS_DECIMALS);
    return true;
}

/* Types whose width is given by the field; Parquet has no FIXED of 0 bytes. */
static bool taco__schema_write_sized_type(taco__leaf_type *p, const taco_field *f, taco_error *err)
{
    bool narrow = f->unit <= TACO_MILLI;
    if (f->type == TACO_TIME) {
        *p = narrow ? taco__schema_write_physical(TACO__PQ_INT32, 4, TACO__STATS_SIGNED)
                    : taco__schema_write_physical(TACO__PQ_INT64, 8, TACO__STATS_SIGNED);
        return f->width == (narrow ? 4 : 8) ||
               taco__schema_write_fail(f, "is a time of another width than its unit has", err);
    }
    *p = taco__schema_write_physical(TACO__PQ_FIXED, (size_t)f->width, TACO__STATS_BYTES);
    return f->width >= 1 ||
           taco__schema_write_fail(f, "is of fixed size 0, which Parquet does not have", err);
}

/* Types that have one form (LogicalTypes.md); NULL for the others. */
static const taco__leaf_type *taco__schema_write_plain_type(taco_type type)
{
    static const taco__leaf_type boolean = {TACO__PQ_BOOLEAN, 1, TACO__STATS_SIGNED};
    static const taco__leaf_type nothing = {TACO__PQ_INT32, 4, TACO__STATS_UNORDERED};
    static const taco__leaf_type int32 = {TACO__PQ_INT32, 4, TACO__STATS_SIGNED};
    static const taco__leaf_type uint32 = {TACO__PQ_INT32, 4, TACO__STATS_UNSIGNED};
    static const taco__leaf_type int64 = {TACO__PQ_INT64, 8, TACO__STATS_SIGNED};
    static const taco__leaf_type uint64 = {TACO__PQ_INT64, 8, TACO__STATS_UNSIGNED};
    static const taco__leaf_type half = {TACO__PQ_FIXED, 2, TACO__STATS_FLOATS};
    static const taco__leaf_type real = {TACO__PQ_FLOAT, 4, TACO__STATS_FLOATS};
    static const taco__leaf_type number = {TACO__PQ_DOUBLE, 8, TACO__STATS_FLOATS};
    static const taco__leaf_type int96 = {TACO__PQ_INT96, 12, TACO__STATS_UNORDERED};
    static const taco__leaf_type interval = {TACO__PQ_FIXED, 12, TACO__STATS_UNORDERED};
    static const taco__leaf_type bytes = {TACO__PQ_BYTE_ARRAY, 0, TACO__STATS_BYTES};
    static const taco__leaf_type uuid = {TACO__PQ_FIXED, 16, TACO__STATS_BYTES};
    switch (type) {
    case TACO_BOOL: return &boolean;
    case TACO_NULL: return &nothing;
    case TACO_INT8:
    case TACO_INT16:
    case TACO_INT32:
    case TACO_DATE: return &int32;
    case TACO_UINT8:
    case TACO_UINT16:
    case TACO_UINT32: return &uint32;
    case TACO_INT64:
    case TACO_TIMESTAMP: return &int64;
    case TACO_UINT64: return &uint64;
    case TACO_HALF: return &half;
    case TACO_FLOAT: return &real;
    case TACO_DOUBLE: return &number;
    case TACO_INT96: return &int96;
    case TACO_INTERVAL: return &interval;
    case TACO_TEXT:
    case TACO_BINARY: return &bytes;
    case TACO_UUID: return &uuid;
    default: return NULL;
    }
}

/* Bytes of a value in memory; 0 for byte arrays. Booleans take one each until they are encoded. */
static size_t taco__schema_write_width(const taco__leaf_schema *s)
{
    static const uint8_t widths[] = {1, 4, 8, 12, 4, 8, 0};
    return s->type == TACO__PQ_FIXED ? (size_t)s->type_length : widths[s->type];
}

static bool taco__schema_write_leaf_type(taco__leaf_writer *l, const taco_field *f, taco_error *err)
{
    const taco__leaf_type *plain = taco__schema_write_plain_type(f->type);
    taco__leaf_type p = {0, 0, TACO__STATS_UNORDERED};
    if (plain) {
        p = *plain;
    } else if (f->type == TACO_DECIMAL) {
        if (!taco__schema_write_decimal_type(&p, f, err)) { return false; }
    } else if (f->type == TACO_TIME || f->type == TACO_FIXED) {
        if (!taco__schema_write_sized_type(&p, f, err)) { return false; }
    } else {
        return taco__schema_write_fail(f, "has a type that cannot be written", err);
    }
    l->schema.type = p.type;
    l->schema.type_length = p.type == TACO__PQ_FIXED ? (int32_t)p.width : 0;
    l->schema.order = p.order;
    return true;
}

/* ---- annotations ---- */

/* INT(bits, signed): converted types INT_8, INT_16, INT_32, INT_64 are numbered in a row. */
static void taco__schema_write_int_type(taco__thrift_writer *t, int bits, bool is_signed)
{
    int32_t step = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3;
    taco__thrift_write_i32(
        t, 6, (is_signed ? TACO__PQ_CONVERTED_INT_8 : TACO__PQ_CONVERTED_UINT_8) + step);
    taco__thrift_write_begin(t, 10);
    taco__thrift_write_begin(t, TACO__PQ_LOGICAL_INTEGER);
    taco__thrift_write_field(t, 1, TACO__THRIFT_I8);
    taco__thrift_write_u8(t, (unsigned)bits);
    taco__thrift_write_bool(t, 2, is_signed);
    taco__thrift_write_end(t);
    taco__thrift_write_end(t);
}

/* TIME and TIMESTAMP. The converted types only mean instants in milli- and microseconds, so local
   times and nanoseconds have none; their numbers are consecutive in that order. */
static void taco__schema_write_time_type(taco__thrift_writer *t, const taco_field *f)
{
    taco_unit unit = f->unit == TACO_SECOND ? TACO_MILLI : f->unit;
    bool stamp = f->type == TACO_TIMESTAMP;
    if (f->utc && unit != TACO_NANO) {
        taco__thrift_write_i32(
            t, 6,
            (stamp ? TACO__PQ_CONVERTED_TIMESTAMP_MILLIS : TACO__PQ_CONVERTED_TIME_MILLIS) +
                (unit == TACO_MICRO));
    }
    taco__thrift_write_begin(t, 10);
    taco__thrift_write_begin(t, stamp ? TACO__PQ_LOGICAL_TIMESTAMP : TACO__PQ_LOGICAL_TIME);
    taco__thrift_write_bool(t, 1, f->utc);
    taco__thrift_write_begin(t, 2);
    taco__thrift_write_empty(t, (int16_t)unit);
    taco__thrift_write_end(t);
    taco__thrift_write_end(t);
    taco__thrift_write_end(t);
}

static void taco__schema_write_decimal(taco__thrift_writer *t, const taco_field *f)
{
    taco__thrift_write_i32(t, 6, TACO__PQ_CONVERTED_DECIMAL);
    taco__thrift_write_i32(t, 7, f->scale);
    taco__thrift_write_i32(t, 8, f->precision);
    taco__thrift_write_begin(t, 10);
    taco__thrift_write_begin(t, TACO__PQ_LOGICAL_DECIMAL);
    taco__thrift_write_i32(t, 1, f->scale);
    taco__thrift_write_i32(t, 2, f->precision);
    taco__thrift_write_end(t);
    taco__thrift_write_end(t);
}

/* Types that are named and have no parameters. */
static void taco__schema_write_named_type(taco__thrift_writer *t, int32_t converted,
                                          int16_t logical)
{
    if (converted != TACO__PQ_CONVERTED_NONE) { taco__thrift_write_i32(t, 6, converted); }
    if (logical != TACO__PQ_LOGICAL_NONE) {
        taco__thrift_write_begin(t, 10);
        taco__thrift_write_empty(t, logical);
        taco__thrift_write_end(t);
    }
}

/* Converted type (6), scale, precision and logical type (10) of a SchemaElement. INT32, INT64,
   FLOAT, DOUBLE, BOOL, BINARY and FIXED have none. */
static void taco__schema_write_annotation(taco__thrift_writer *t, const taco_field *f)
{
    const int32_t no = TACO__PQ_CONVERTED_NONE;
    switch (f->type) {
    case TACO_INT8: taco__schema_write_int_type(t, 8, true); break;
    case TACO_INT16: taco__schema_write_int_type(t, 16, true); break;
    case TACO_UINT8: taco__schema_write_int_type(t, 8, false); break;
    case TACO_UINT16: taco__schema_write_int_type(t, 16, false); break;
    case TACO_UINT32: taco__schema_write_int_type(t, 32, false); break;
    case TACO_UINT64: taco__schema_write_int_type(t, 64, false); break;
    case TACO_TIME:
    case TACO_TIMESTAMP: taco__schema_write_time_type(t, f); break;
    case TACO_DECIMAL: taco__schema_write_decimal(t, f); break;
    case TACO_INTERVAL:
        taco__schema_write_named_type(t, TACO__PQ_CONVERTED_INTERVAL, TACO__PQ_LOGICAL_NONE);
        break;
    case TACO_NULL: taco__schema_write_named_type(t, no, TACO__PQ_LOGICAL_NULL); break;
    case TACO_HALF: taco__schema_write_named_type(t, no, TACO__PQ_LOGICAL_FLOAT16); break;
    case TACO_UUID: taco__schema_write_named_type(t, no, TACO__PQ_LOGICAL_UUID); break;
    case TACO_DATE:
        taco__schema_write_named_type(t, TACO__PQ_CONVERTED_DATE, TACO__PQ_LOGICAL_DATE);
        break;
    case TACO_TEXT:
        taco__schema_write_named_type(t, TACO__PQ_CONVERTED_UTF8, TACO__PQ_LOGICAL_STRING);
        break;
    case TACO_LIST:
        taco__schema_write_named_type(t, TACO__PQ_CONVERTED_LIST, TACO__PQ_LOGICAL_LIST);
        break;
    case TACO_MAP:
        taco__schema_write_named_type(t, TACO__PQ_CONVERTED_MAP, TACO__PQ_LOGICAL_MAP);
        break;
    default: break;
    }
}

/* ---- the walk ---- */

/* The state of walking the schema: names and STRUCT children that lead to the current field, and
   the levels of an entry that has a value there. */
typedef struct taco__schema_walk {
    taco_pq_writer *w;
    taco__thrift_writer t;
    uint32_t column;
    const taco__pq_schema_node *like; /* the column of opt.like that this one copies, or NULL */
    uint32_t like_leaf;               /* its next leaf */
    taco_bytes names[2 * TACO__SCHEMA_DEPTH_CAP]; /* a list takes two: its own, and "list" */
    uint32_t path[TACO__SCHEMA_DEPTH_CAP];
    size_t name_count, path_count;
    uint32_t depth;
    int16_t def, rep;
} taco__schema_walk;

/* Appends a SchemaElement: of a leaf, or of a group of n children. repetition < 0 is the root's,
   which has none; f NULL a repeated group's, which has no annotation. */
static void taco__schema_write_element(taco__schema_walk *k, const taco__leaf_schema *leaf,
                                       taco_bytes name, int32_t repetition, uint32_t n,
                                       const taco_field *f)
{
    taco__thrift_writer *t = &k->t;
    taco__thrift_write_init(t, &k->w->footer.schema, &k->w->err);
    if (k->like) { return; } /* its elements have been copied */
    if (leaf) {
        taco__thrift_write_i32(t, 1, leaf->type);
        if (leaf->type == TACO__PQ_FIXED) { taco__thrift_write_i32(t, 2, leaf->type_length); }
    }
    if (repetition >= 0) { taco__thrift_write_i32(t, 3, repetition); }
    taco__thrift_write_binary(t, 4, name);
    if (!leaf) { taco__thrift_write_i32(t, 5, (int32_t)n); }
    if (f) { taco__schema_write_annotation(t, f); }
    taco__thrift_write_end(t);
    k->w->footer.schema_count++;
}

/* Copies where the leaf is in the schema. */
static bool taco__schema_write_copy_path(const taco__schema_walk *k, taco__leaf_schema *s)
{
    taco_pq_writer *w = k->w;
    s->path = (uint32_t *)taco__arena_array(&w->arena, k->path_count + 1, sizeof *s->path, &w->err);
    s->names = (taco_bytes *)taco__arena_array(&w->arena, k->name_count, sizeof *s->names, &w->err);
    if (!s->path || !s->names) { return false; }
    memcpy(s->path, k->path, k->path_count * sizeof *s->path);
    memcpy(s->names, k->names, k->name_count * sizeof *s->names);
    s->name_count = k->name_count;
    return true;
}

static void taco__schema_write_init_leaf(taco__leaf_writer *l, taco__mem *mem)
{
    memset(l, 0, sizeof *l);
    l->input.def.mem = l->input.rep.mem = mem;
    l->dict.slots.mem = l->dict.indices.mem = mem;
    l->stats.min.mem = l->stats.max.mem = mem;
    l->pages.bytes.mem = l->pages.records.mem = l->pages.bounds.mem = mem;
    l->pages.level_counts.mem = l->pages.hashes.mem = mem;
}

static bool taco__schema_write_add_leaf(taco__schema_walk *k, const taco_field *f, taco_bytes name,
                                        int32_t repetition)
{
    taco_pq_writer *w = k->w;
    taco__leaf_writer *l = &w->leaves[w->leaf_count++];
    taco__schema_write_init_leaf(l, &w->mem);
    l->schema.field = f;
    l->schema.column = k->column;
    l->schema.max_def = k->def;
    l->schema.max_rep = k->rep;
    if (!taco__schema_write_copy_path(k, &l->schema) ||
        !taco__schema_write_leaf_type(l, f, &w->err) ||
        (k->like && !taco__schema_like_leaf(w, &l->schema, k->like_leaf++))) {
        return false;
    }
    taco__plain_values_init(&l->input.values, taco__schema_write_width(&l->schema), &w->mem);
    taco__plain_values_init(&l->dict.values, l->input.values.width, &w->mem);
    taco__schema_write_element(k, &l->schema, name, repetition, 0, f);
    return true;
}

static bool taco__schema_write_field(taco__schema_walk *k, const taco_field *f, taco_bytes name,
                                     bool required); /* recursive */

/* A child of a STRUCT, or of a map's entries. */
static bool taco__schema_write_child(taco__schema_walk *k, const taco_field *f, uint32_t i,
                                     taco_bytes name, bool required)
{
    bool good;
    k->path[k->path_count++] = i;
    good = taco__schema_write_field(k, &f->children[i], name, required);
    k->path_count--;
    return good;
}

/* LIST and MAP: the group, a repeated group, its field or its two fields, of which the key is
   required. */
static bool taco__schema_write_list(taco__schema_walk *k, const taco_field *f)
{
    bool map = f->type == TACO_MAP, good;
    const taco_field *item = f->children;
    taco_bytes middle = taco__bytes_text(map ? "key_value" : "list");
    if (f->child_count != 1 || (map && (item->type != TACO_STRUCT || item->child_count != 2))) {
        return taco__schema_write_fail(f, "is a list without its one child, or a map without two",
                                       &k->w->err);
    }
    taco__schema_write_element(k, NULL, middle, TACO__PQ_REPEATED, map ? 2 : 1, NULL);
    k->names[k->name_count++] = middle;
    k->def++;
    k->rep++;
    good = map ? taco__schema_write_child(k, item, 0, taco__bytes_text("key"), true) &&
                     taco__schema_write_child(k, item, 1, taco__bytes_text("value"), false)
               : taco__schema_write_field(k, item, taco__bytes_text("element"), false);
    k->def--;
    k->rep--;
    k->name_count--;
    return good;
}

static bool taco__schema_write_struct(taco__schema_walk *k, const taco_field *f)
{
    uint32_t i;
    for (i = 0; i < f->child_count; i++) {
        if (!taco__schema_write_child(k, f, i, taco__bytes_text(f->children[i].name), false)) {
            return false;
        }
    }
    return true;
}

/* Names and paths have room for TACO__SCHEMA_DEPTH_CAP / 2 fields, even if all are lists or
   maps. */
static bool taco__schema_write_enter(taco__schema_walk *k)
{
    uint32_t most = k->w->opt.options->limits.max_depth;
    if (++k->depth > most || k->depth > TACO__SCHEMA_DEPTH_CAP / 2) {
        TACO__FAIL(&k->w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "fields nest deeper than limits.max_depth, %u", TACO__U(most));
        return false;
    }
    return true;
}

/* A field and everything below it. NULL columns are optional, whatever the field says, because they
   contain nothing else. */
static bool taco__schema_write_field(taco__schema_walk *k, const taco_field *f, taco_bytes name,
                                     bool required)
{
    bool optional = (f->nullable || f->type == TACO_NULL) && !required, good;
    int32_t repetition = optional ? TACO__PQ_OPTIONAL : TACO__PQ_REQUIRED;
    if (!taco__schema_write_enter(k)) { return false; }
    k->names[k->name_count++] = name;
    k->def = (int16_t)(k->def + optional);
    if (f->type == TACO_LIST || f->type == TACO_MAP) {
        taco__schema_write_element(k, NULL, name, repetition, 1, f);
        good = taco__schema_write_list(k, f);
    } else if (f->type == TACO_STRUCT && f->child_count == 0) {
        return taco__schema_write_fail(f, "is a struct without fields, which Parquet does not have",
                                       &k->w->err);
    } else if (f->type == TACO_STRUCT) {
        taco__schema_write_element(k, NULL, name, repetition, f->child_count, f);
        good = taco__schema_write_struct(k, f);
    } else {
        good = taco__schema_write_add_leaf(k, f, name, repetition);
    }
    k->def = (int16_t)(k->def - optional);
    k->name_count--;
    k->depth--;
    return good && !k->t.bad;
}

/* ---- the whole ---- */

TACO__FN taco_field *taco__schema_write_copy_fields(taco_pq_writer *w, const taco_field *f,
                                                    size_t n, uint32_t depth)
{
    taco_field *copy = (taco_field *)taco__arena_array(&w->arena, n + 1, sizeof *copy, &w->err);
    size_t i;
    if (depth > TACO__SCHEMA_DEPTH_CAP) {
        TACO__FAIL(&w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "fields nest deeper than %u",
                   TACO__U(TACO__SCHEMA_DEPTH_CAP));
        return NULL;
    }
    for (i = 0; copy && i < n; i++) {
        copy[i] = f[i];
        copy[i].name = taco__arena_text(&w->arena, taco__bytes_text(f[i].name), &w->err);
        copy[i].children = NULL;
        if (f[i].child_count) {
            copy[i].children =
                taco__schema_write_copy_fields(w, f[i].children, f[i].child_count, depth + 1);
        }
        if (!copy[i].name || (f[i].child_count && !copy[i].children)) { return NULL; }
    }
    return copy;
}

/* Number of leaves of a field; too deep nesting is refused later. */
static uint64_t taco__schema_write_count_leaves(const taco_field *f, uint32_t depth)
{
    uint64_t n = 0;
    uint32_t i;
    if (f->type != TACO_LIST && f->type != TACO_MAP && f->type != TACO_STRUCT) { return 1; }
    for (i = 0; depth < TACO__SCHEMA_DEPTH_CAP && i < f->child_count; i++) {
        n += taco__schema_write_count_leaves(&f->children[i], depth + 1);
    }
    return n;
}

/* Room for all leaves, against limits.max_columns. */
static bool taco__schema_write_alloc_leaves(taco_pq_writer *w)
{
    uint64_t n = 0;
    size_t i;
    for (i = 0; i < w->field_count; i++) {
        n += taco__schema_write_count_leaves(&w->fields[i], 0);
    }
    if (n > w->opt.options->limits.max_columns) {
        TACO__FAIL(&w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u columns, limits.max_columns is %u",
                   n, TACO__U(w->opt.options->limits.max_columns));
        return false;
    }
    w->leaves = (taco__leaf_writer *)taco__arena_array(&w->arena, (size_t)n + 1, sizeof *w->leaves,
                                                       &w->err);
    return w->leaves != NULL;
}

/* The state takes 18 KB, too much for the stack. */
TACO__FN bool taco__schema_write(taco_pq_writer *w)
{
    taco__schema_walk *k;
    uint32_t next = 0;
    size_t i;
    bool good;
    if (!taco__schema_write_alloc_leaves(w)) { return false; }
    k = (taco__schema_walk *)taco__mem_alloc(&w->mem, sizeof *k, &w->err);
    if (!k) { return false; }
    k->w = w;
    taco__schema_write_element(
        k, NULL, w->opt.like ? w->opt.like->meta.elements[0].name : taco__bytes_text("schema"), -1,
        (uint32_t)w->field_count, NULL);
    good = !k->t.bad;
    w->all_alike = w->opt.like && w->field_count == w->opt.like->meta.column_count;
    for (i = 0; good && i < w->field_count; i++) {
        k->column = (uint32_t)i;
        k->like = taco__schema_like_find(w, i, &next);
        k->like_leaf = k->like ? k->like->leaf : 0;
        good =
            (!k->like || taco__schema_like_elements(w, k->like)) &&
            taco__schema_write_field(k, &w->fields[i], taco__bytes_text(w->fields[i].name), false);
    }
    taco__mem_free(&w->mem, k, sizeof *k);
    return good && w->err.code == TACO_OK;
}
