/* schema_write.c - the schema, options and key-value metadata of a file to be written.. Spec:
   parquet.thrift, LogicalTypes.md, GeoParquet 1.1 */
#include "parquet_write.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* ---- schema
   ---------------------------------------------------------------------------------------- */

/* Bytes that hold any decimal of p digits: its magnitude takes floor(p log2(10)) + 1 bits, the sign
   one more. */
static int32_t taco__schema_write_decimal_bytes(int32_t p)
{
    return (int32_t)(((int64_t)p * 33219281 / 10000000 + 2 + 7) / 8);
}

static void taco__schema_write_set_physical(taco__leaf_writer *l, int32_t type, int32_t length,
                                            size_t width, taco__stats_order rank)
{
    l->type = type;
    l->type_length = length;
    l->width = width;
    l->rank = rank;
}

static bool taco__schema_write_fail(const taco_field *f, const char *why, taco_error *err)
{
    taco_bytes name = taco__bytes_text(f->name);
    TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "field %q %s", &name, why);
    return false;
}

static bool taco__schema_write_decimal_type(taco__leaf_writer *l, const taco_field *f,
                                            taco_error *err)
{
    int32_t most = f->width == 16 ? 38 : f->width == 32 ? 76 : INT32_MAX;
    if (f->precision < 1 || f->precision > most || f->scale < 0 || f->scale > f->precision ||
        (f->width != 16 && f->width != 32 && f->width != 0)) {
        return taco__schema_write_fail(f, "is a decimal of impossible precision, scale or width",
                                       err);
    }
    if (f->width == 0) {
        taco__schema_write_set_physical(l, TACO__PQ_BYTE_ARRAY, 0, 0, TACO__STATS_DECIMALS);
    } else if (f->precision <= 9) {
        taco__schema_write_set_physical(l, TACO__PQ_INT32, 0, 4, TACO__STATS_SIGNED);
    } else if (f->precision <= 18) {
        taco__schema_write_set_physical(l, TACO__PQ_INT64, 0, 8, TACO__STATS_SIGNED);
    } else {
        int32_t n = taco__schema_write_decimal_bytes(f->precision);
        taco__schema_write_set_physical(l, TACO__PQ_FIXED, n, (size_t)n, TACO__STATS_DECIMALS);
    }
    return true;
}

/* The physical type of a leaf, by LogicalTypes.md. */
static bool taco__schema_write_leaf_type(taco__leaf_writer *l, const taco_field *f, taco_error *err)
{
    switch (f->type) {
    case TACO_BOOL:
        taco__schema_write_set_physical(l, TACO__PQ_BOOLEAN, 0, 1, TACO__STATS_SIGNED);
        break;
    case TACO_NULL:
        taco__schema_write_set_physical(l, TACO__PQ_INT32, 0, 4, TACO__STATS_UNORDERED);
        break;
    case TACO_INT8:
    case TACO_INT16:
    case TACO_INT32:
    case TACO_DATE:
        taco__schema_write_set_physical(l, TACO__PQ_INT32, 0, 4, TACO__STATS_SIGNED);
        break;
    case TACO_UINT8:
    case TACO_UINT16:
    case TACO_UINT32:
        taco__schema_write_set_physical(l, TACO__PQ_INT32, 0, 4, TACO__STATS_UNSIGNED);
        break;
    case TACO_INT64:
    case TACO_TIMESTAMP:
        taco__schema_write_set_physical(l, TACO__PQ_INT64, 0, 8, TACO__STATS_SIGNED);
        break;
    case TACO_UINT64:
        taco__schema_write_set_physical(l, TACO__PQ_INT64, 0, 8, TACO__STATS_UNSIGNED);
        break;
    case TACO_TIME:
        if (f->unit <= TACO_MILLI) {
            taco__schema_write_set_physical(l, TACO__PQ_INT32, 0, 4, TACO__STATS_SIGNED);
        } else {
            taco__schema_write_set_physical(l, TACO__PQ_INT64, 0, 8, TACO__STATS_SIGNED);
        }
        if (f->width != (f->unit <= TACO_MILLI ? 4 : 8)) {
            return taco__schema_write_fail(f, "is a time of another width than its unit has", err);
        }
        break;
    case TACO_HALF:
        taco__schema_write_set_physical(l, TACO__PQ_FIXED, 2, 2, TACO__STATS_FLOATS);
        break;
    case TACO_FLOAT:
        taco__schema_write_set_physical(l, TACO__PQ_FLOAT, 0, 4, TACO__STATS_FLOATS);
        break;
    case TACO_DOUBLE:
        taco__schema_write_set_physical(l, TACO__PQ_DOUBLE, 0, 8, TACO__STATS_FLOATS);
        break;
    case TACO_DECIMAL: return taco__schema_write_decimal_type(l, f, err);
    case TACO_INT96:
        taco__schema_write_set_physical(l, TACO__PQ_INT96, 0, 12, TACO__STATS_UNORDERED);
        break;
    case TACO_INTERVAL:
        taco__schema_write_set_physical(l, TACO__PQ_FIXED, 12, 12, TACO__STATS_UNORDERED);
        break;
    case TACO_TEXT:
    case TACO_BINARY:
        taco__schema_write_set_physical(l, TACO__PQ_BYTE_ARRAY, 0, 0, TACO__STATS_BYTES);
        break;
    case TACO_UUID:
        taco__schema_write_set_physical(l, TACO__PQ_FIXED, 16, 16, TACO__STATS_BYTES);
        break;
    case TACO_FIXED:
        if (f->width < 1) {
            return taco__schema_write_fail(f, "is of fixed size 0, which Parquet has not", err);
        }
        taco__schema_write_set_physical(l, TACO__PQ_FIXED, f->width, (size_t)f->width,
                                        TACO__STATS_BYTES);
        break;
    default: return taco__schema_write_fail(f, "has a type that cannot be written", err);
    }
    return true;
}

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

/* TIME and TIMESTAMP. The converted types mean instants in milli- and microseconds only. */
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

/* Converted type (6), scale, precision and logical type (10) of a SchemaElement. */
static void taco__schema_write_annotation(taco__thrift_writer *t, const taco_field *f)
{
    int32_t converted = TACO__PQ_CONVERTED_NONE;
    int16_t logical = TACO__PQ_LOGICAL_NONE;
    switch (f->type) {
    case TACO_INT8: taco__schema_write_int_type(t, 8, true); return;
    case TACO_INT16: taco__schema_write_int_type(t, 16, true); return;
    case TACO_UINT8: taco__schema_write_int_type(t, 8, false); return;
    case TACO_UINT16: taco__schema_write_int_type(t, 16, false); return;
    case TACO_UINT32: taco__schema_write_int_type(t, 32, false); return;
    case TACO_UINT64: taco__schema_write_int_type(t, 64, false); return;
    case TACO_TIME:
    case TACO_TIMESTAMP: taco__schema_write_time_type(t, f); return;
    case TACO_DECIMAL:
        taco__thrift_write_i32(t, 6, TACO__PQ_CONVERTED_DECIMAL);
        taco__thrift_write_i32(t, 7, f->scale);
        taco__thrift_write_i32(t, 8, f->precision);
        taco__thrift_write_begin(t, 10);
        taco__thrift_write_begin(t, TACO__PQ_LOGICAL_DECIMAL);
        taco__thrift_write_i32(t, 1, f->scale);
        taco__thrift_write_i32(t, 2, f->precision);
        taco__thrift_write_end(t);
        taco__thrift_write_end(t);
        return;
    case TACO_INTERVAL: converted = TACO__PQ_CONVERTED_INTERVAL; break;
    case TACO_NULL: logical = TACO__PQ_LOGICAL_NULL; break;
    case TACO_HALF: logical = TACO__PQ_LOGICAL_FLOAT16; break;
    case TACO_UUID: logical = TACO__PQ_LOGICAL_UUID; break;
    case TACO_DATE:
        converted = TACO__PQ_CONVERTED_DATE;
        logical = TACO__PQ_LOGICAL_DATE;
        break;
    case TACO_TEXT:
        converted = TACO__PQ_CONVERTED_UTF8;
        logical = TACO__PQ_LOGICAL_STRING;
        break;
    case TACO_LIST:
        converted = TACO__PQ_CONVERTED_LIST;
        logical = TACO__PQ_LOGICAL_LIST;
        break;
    case TACO_MAP:
        converted = TACO__PQ_CONVERTED_MAP;
        logical = TACO__PQ_LOGICAL_MAP;
        break;
    default: break;
    }
    if (converted != TACO__PQ_CONVERTED_NONE) { taco__thrift_write_i32(t, 6, converted); }
    if (logical != TACO__PQ_LOGICAL_NONE) {
        taco__thrift_write_begin(t, 10);
        taco__thrift_write_empty(t, logical);
        taco__thrift_write_end(t);
    }
}

/* The schema while it is walked: where a field stands, and the names and STRUCT children that lead
   there. */
typedef struct taco__schema_walk {
    taco_pq_writer *w;
    taco__thrift_writer t;
    uint32_t column;
    taco_bytes names[2 * TACO__SCHEMA_DEPTH_CAP];
    uint32_t path[TACO__SCHEMA_DEPTH_CAP];
    size_t name_count, path_count;
    uint32_t depth;
    int16_t def, rep;
} taco__schema_walk;

/* A SchemaElement: type < 0 is a group of n children. f may be NULL: a repeated group, without
   annotation. */
static void taco__schema_write_element(taco__schema_walk *k, const taco__leaf_writer *leaf,
                                       taco_bytes name, int32_t repetition, uint32_t n,
                                       const taco_field *f)
{
    taco__thrift_writer *t = &k->t;
    taco__thrift_write_init(t, &k->w->schema, &k->w->err);
    if (leaf) {
        taco__thrift_write_i32(t, 1, leaf->type);
        if (leaf->type == TACO__PQ_FIXED) { taco__thrift_write_i32(t, 2, leaf->type_length); }
    }
    if (repetition >= 0) { taco__thrift_write_i32(t, 3, repetition); }
    taco__thrift_write_binary(t, 4, name);
    if (!leaf) { taco__thrift_write_i32(t, 5, (int32_t)n); }
    if (f) { taco__schema_write_annotation(t, f); }
    taco__thrift_write_end(t);
    k->w->schema_count++;
}

static bool taco__schema_write_add_leaf(taco__schema_walk *k, const taco_field *f, taco_bytes name,
                                        int32_t repetition)
{
    taco_pq_writer *w = k->w;
    taco__leaf_writer *l = &w->leaves[w->leaf_count++];
    memset(l, 0, sizeof *l);
    l->field = f;
    l->column = k->column;
    l->max_def = k->def;
    l->max_rep = k->rep;
    l->values.mem = l->offsets.mem = l->def.mem = l->rep.mem = l->pages.mem = &w->mem;
    l->records.mem = l->bounds.mem = l->dict.mem = l->dict_offsets.mem = l->slots.mem = &w->mem;
    l->indices.mem = l->hashes.mem = l->min.mem = l->max.mem = l->levels.mem = &w->mem;
    l->path = (uint32_t *)taco__arena_array(&w->arena, k->path_count + 1, sizeof *l->path, &w->err);
    l->names = (taco_bytes *)taco__arena_array(&w->arena, k->name_count, sizeof *l->names, &w->err);
    if (!l->path || !l->names || !taco__schema_write_leaf_type(l, f, &w->err)) { return false; }
    memcpy(l->path, k->path, k->path_count * sizeof *l->path);
    memcpy(l->names, k->names, k->name_count * sizeof *l->names);
    l->name_count = k->name_count;
    taco__schema_write_element(k, l, name, repetition, 0, f);
    return true;
}

static bool taco__schema_write_field(taco__schema_walk *k, const taco_field *f, taco_bytes name,
                                     bool required); /* recursive */

/* LIST and MAP of LogicalTypes.md: the group, a repeated group, its field or fields. */
static bool taco__schema_write_list(taco__schema_walk *k, const taco_field *f)
{
    bool map = f->type == TACO_MAP;
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
    if (!map) {
        if (!taco__schema_write_field(k, item, taco__bytes_text("element"), false)) {
            return false;
        }
    } else {
        uint32_t i;
        for (i = 0; i < 2; i++) {
            k->path[k->path_count++] = i;
            if (!taco__schema_write_field(k, &item->children[i],
                                          taco__bytes_text(i ? "value" : "key"), i == 0)) {
                return false;
            }
            k->path_count--;
        }
    }
    k->def--;
    k->rep--;
    k->name_count--;
    return true;
}

static bool taco__schema_write_field(taco__schema_walk *k, const taco_field *f, taco_bytes name,
                                     bool required)
{
    bool optional = (f->nullable || f->type == TACO_NULL) && !required;
    bool good = true;
    int32_t repetition = optional ? TACO__PQ_OPTIONAL : TACO__PQ_REQUIRED;
    if (++k->depth > k->w->opt.options->limits.max_depth || k->depth > TACO__SCHEMA_DEPTH_CAP / 2) {
        TACO__FAIL(&k->w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "fields nest deeper than limits.max_depth, %u",
                   TACO__U(k->w->opt.options->limits.max_depth));
        return false;
    }
    k->names[k->name_count++] = name;
    k->def = (int16_t)(k->def + optional);
    if (f->type == TACO_LIST || f->type == TACO_MAP) {
        taco__schema_write_element(k, NULL, name, repetition, 1, f);
        good = taco__schema_write_list(k, f);
    } else if (f->type == TACO_STRUCT) {
        uint32_t i;
        if (f->child_count == 0) {
            return taco__schema_write_fail(f, "is a struct without fields, which Parquet has not",
                                           &k->w->err);
        }
        taco__schema_write_element(k, NULL, name, repetition, f->child_count, f);
        for (i = 0; good && i < f->child_count; i++) {
            k->path[k->path_count++] = i;
            good = taco__schema_write_field(k, &f->children[i],
                                            taco__bytes_text(f->children[i].name), false);
            k->path_count--;
        }
    } else {
        good = taco__schema_write_add_leaf(k, f, name, repetition);
    }
    k->def = (int16_t)(k->def - optional);
    k->name_count--;
    k->depth--;
    return good && !k->t.bad;
}

/* A copy of the caller's fields, which need not live as long. */
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

TACO__FN bool taco__schema_write(taco_pq_writer *w)
{
    taco__schema_walk *k;
    uint64_t n = 0;
    size_t i;
    bool good = true;
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
    k = (taco__schema_walk *)taco__mem_alloc(&w->mem, sizeof *k, &w->err);
    if (w->leaves && k) {
        k->w = w;
        taco__schema_write_element(k, NULL, taco__bytes_text("schema"), -1,
                                   (uint32_t)w->field_count, NULL);
        for (i = 0; good && i < w->field_count; i++) {
            k->column = (uint32_t)i;
            good = taco__schema_write_field(k, &w->fields[i], taco__bytes_text(w->fields[i].name),
                                            false);
        }
        good = good && !k->t.bad;
    }
    good = good && w->leaves && k;
    taco__mem_free(&w->mem, k, sizeof *k);
    return good && w->err.code == TACO_OK;
}
