/* avro_schema.c - Avro schemas as a tree of nodes with Arrow fields

   In: the JSON of a schema. Out: taco__avro_node, one for each column and child, which avro_read.c
   fills. Apache Avro 1.11, "Schema Declaration", "Complex Types", "Logical Types".

   taco__avro_schema_any dispatches: a name, an object or a union. A named type is parsed again
   wherever it is used, so a short schema can demand very many nodes: their number, their depth and
   the JSON values parsed for them have limits. A logical type that does not fit its type is
   ignored, as the specification demands. */
#include "avro.h"
#include "../base/base.h"
#include "../base/json.h"

/* most named types in a schema */
#define TACO__AVRO_MAX_NAMES 1024
/* most JSON values parsed for all uses of named types */
#define TACO__AVRO_MAX_EXPANDED ((uint32_t)1 << 24)

/* Splits "space.name" at its last point; a name without one is in the enclosing space. */
static TACO__ONCE void taco__avro_schema_split_name(taco_bytes full, taco_bytes around,
                                                    taco_bytes *space, taco_bytes *name)
{
    size_t i = full.len;
    while (i && full.data[i - 1] != '.') {
        i--;
    }
    *name = taco__bytes_of(full.data + i, full.len - i);
    *space = i ? taco__bytes_of(full.data, i - 1) : around;
}

/* FNV-1a. */
static TACO__ONCE uint32_t taco__avro_schema_hash_name(taco_bytes b)
{
    uint32_t h = 2166136261U;
    size_t i;
    for (i = 0; i < b.len; i++) {
        h = (h ^ b.data[i]) * 16777619U;
    }
    return h;
}

/* The latest definition of a full name, NULL if there is none. */
static TACO__ONCE taco__avro_name *taco__avro_schema_find_name(const taco__avro *a,
                                                               taco_bytes space, taco_bytes name)
{
    uint32_t hash = taco__avro_schema_hash_name(name);
    taco__avro_name *d;
    for (d = a->names; d; d = (taco__avro_name *)d->next) {
        if (d->hash == hash && taco__bytes_equal(d->name, name) &&
            taco__bytes_equal(d->space, space)) {
            return d;
        }
    }
    return NULL;
}

/* The entry of a definition, which is new the first time it is parsed. */
static TACO__ONCE taco__avro_name *
taco__avro_schema_define_name(taco__avro *a, const taco__json *schema, taco_bytes around)
{
    const taco__json *name = taco__json_get(schema, "name"),
                     *space = taco__json_get(schema, "namespace");
    taco_bytes s, n;
    taco__avro_name *d;
    if (!taco__json_text(name)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + schema->begin,
                   "a named type must have a name, found %s", taco__json_type_name(name));
        return NULL;
    }
    taco__avro_schema_split_name(taco__json_bytes(name),
                                 taco__json_text(space) ? taco__json_bytes(space) : around, &s, &n);
    d = taco__avro_schema_find_name(a, s, n);
    if (d && d->schema == schema) {
        return d; /* read again on behalf of a reference to the record around it */
    }
    if (a->name_count == TACO__AVRO_MAX_NAMES) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, a->base + schema->begin,
                   "more than %u named types", TACO__U(a->name_count));
        return NULL;
    }
    a->name_count++;
    d = (taco__avro_name *)taco__arena_alloc(a->arena, sizeof *d, a->err);
    if (d) {
        d->space = s;
        d->name = n;
        d->hash = taco__avro_schema_hash_name(n);
        d->schema = schema;
        d->next = a->names;
        a->names = d;
    }
    return d;
}

/* A type whose values are all width bytes long; 0 for others. */
static TACO__ONCE void taco__avro_schema_set_fixed_width(taco_field *f, taco_type type,
                                                         int32_t width)
{
    f->type = type;
    f->width = width;
}

/* precision and scale of a decimal; false if they are out of range, in which case the logical type
   is ignored, as the specification demands for everything a reader does not understand ("Logical
   Types"). */
static TACO__ONCE bool taco__avro_schema_decimal(const taco__json *schema, taco_field *f)
{
    const taco__json *node = taco__json_get(schema, "scale");
    int64_t precision, scale = 0;
    if (!taco__json_int(taco__json_get(schema, "precision"), &precision) ||
        (node && !taco__json_int(node, &scale)) || precision < 1 || precision > 76 || scale < 0 ||
        scale > precision) {
        return false;
    }
    f->type = TACO_DECIMAL;
    f->width = 0; /* big-endian bytes of any length: what Avro stores */
    f->precision = (int32_t)precision;
    f->scale = (int32_t)scale;
    return true;
}

/* Logical types of integers. A timestamp is an instant, a local one is wall-clock time. On a
   primitive type that does not fit, a logical type is ignored. */
static TACO__ONCE void taco__avro_schema_time(const taco__json *logical, taco__avro_kind kind,
                                              taco_field *f)
{
    static const struct {
        const char *name;
        uint8_t kind, type, unit, utc;
    } known[] = {
        {"date", TACO__AVRO_INT, TACO_DATE, TACO_SECOND, 0},
        {"time-millis", TACO__AVRO_INT, TACO_TIME, TACO_MILLI, 0},
        {"time-micros", TACO__AVRO_LONG, TACO_TIME, TACO_MICRO, 0},
        {"timestamp-millis", TACO__AVRO_LONG, TACO_TIMESTAMP, TACO_MILLI, 1},
        {"timestamp-micros", TACO__AVRO_LONG, TACO_TIMESTAMP, TACO_MICRO, 1},
        {"timestamp-nanos", TACO__AVRO_LONG, TACO_TIMESTAMP, TACO_NANO, 1},
        {"local-timestamp-millis", TACO__AVRO_LONG, TACO_TIMESTAMP, TACO_MILLI, 0},
        {"local-timestamp-micros", TACO__AVRO_LONG, TACO_TIMESTAMP, TACO_MICRO, 0},
        {"local-timestamp-nanos", TACO__AVRO_LONG, TACO_TIMESTAMP, TACO_NANO, 0},
    };

    size_t i;
    for (i = 0; i < TACO__COUNT(known); i++) {
        if (known[i].kind == (uint8_t)kind && taco__json_equals(logical, known[i].name)) {
            f->type = (taco_type)known[i].type;
            f->unit = (taco_unit)known[i].unit;
            f->utc = known[i].utc != 0;
        }
    }
}

/* A primitive type by name; schema is NULL if it has no attributes. False if it is not the name of
   a primitive type. */
static TACO__ONCE bool taco__avro_schema_primitive(taco_bytes name, const taco__json *schema,
                                                   taco__avro_node *n)
{
    static const struct {
        const char *name;
        uint8_t kind, type, width;
    } known[] = {
        {"null", TACO__AVRO_NULL, TACO_NULL, 0},     {"boolean", TACO__AVRO_BOOLEAN, TACO_BOOL, 0},
        {"int", TACO__AVRO_INT, TACO_INT32, 4},      {"long", TACO__AVRO_LONG, TACO_INT64, 8},
        {"float", TACO__AVRO_FLOAT, TACO_FLOAT, 4},  {"double", TACO__AVRO_DOUBLE, TACO_DOUBLE, 8},
        {"bytes", TACO__AVRO_BYTES, TACO_BINARY, 0}, {"string", TACO__AVRO_STRING, TACO_TEXT, 0},
    };

    const taco__json *logical = taco__json_get(schema, "logicalType");
    size_t i;
    for (i = 0; i < TACO__COUNT(known); i++) {
        if (taco__bytes_equal(name, taco__bytes_text(known[i].name))) {
            n->kind = known[i].kind;
            taco__avro_schema_set_fixed_width(n->field, (taco_type)known[i].type, known[i].width);
            taco__avro_schema_time(logical, (taco__avro_kind)n->kind, n->field);
            if (n->kind == TACO__AVRO_BYTES && taco__json_equals(logical, "decimal")) {
                taco__avro_schema_decimal(schema, n->field);
            }
            n->empty = n->kind == TACO__AVRO_NULL;
            n->field->nullable = n->field->nullable || n->empty;
            return true;
        }
    }
    return false;
}

/* {"type": "fixed", "size": n}. */
static TACO__ONCE bool taco__avro_schema_fixed(taco__avro *a, const taco__json *schema,
                                               taco__avro_node *n)
{
    const taco__json *logical = taco__json_get(schema, "logicalType"),
                     *node = taco__json_get(schema, "size");
    int64_t size;
    if (!taco__json_int(node, &size) || size < 0) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + (node ? node : schema)->begin,
                   "a fixed type must have a size, found %s", taco__json_type_name(node));
        return false;
    }
    if (size < 1 || size > INT32_MAX) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, a->base + node->begin,
                   "a fixed type of %u bytes, 1 to %u are supported", TACO__U(size),
                   TACO__U(INT32_MAX));
        return false;
    }
    n->kind = TACO__AVRO_FIXED;
    n->fixed = (int32_t)size;
    if (taco__json_equals(logical, "decimal") && taco__avro_schema_decimal(schema, n->field)) {
        return true;
    }
    taco__avro_schema_set_fixed_width(n->field, TACO_FIXED, n->fixed);
    if (size == 16 && taco__json_equals(logical, "uuid")) {
        n->field->type = TACO_UUID;
    } else if (size == 12 && taco__json_equals(logical, "duration")) {
        n->field->type = TACO_INTERVAL; /* the same three little-endian integers */
    }
    return true;
}

/* {"type": "enum", "symbols": [...]}: an index in the file, a text in the column. */
static TACO__ONCE bool taco__avro_schema_enum(taco__avro *a, const taco__json *schema,
                                              taco__avro_node *n)
{
    const taco__json *list = taco__json_get(schema, "symbols"), *item;
    taco_bytes *symbols;
    uint32_t i;
    if (!taco__json_is(list, TACO__JSON_ARRAY)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + schema->begin,
                   "an enum must have an array of symbols, found %s", taco__json_type_name(list));
        return false;
    }
    symbols = (taco_bytes *)taco__arena_array(a->arena, list->count, sizeof *symbols, a->err);
    if (!symbols) { return false; }
    for (i = 0, item = taco__json_first(list); i < list->count; i++, item = taco__json_next(item)) {
        symbols[i] = taco__json_bytes(item);
    }
    n->kind = TACO__AVRO_ENUM;
    n->symbols = symbols;
    n->symbol_count = list->count;
    n->field->type = TACO_TEXT;
    return true;
}

/* Gives n count children with their fields. This is the only place where nodes are created, so the
   limit is here: a named type is expanded wherever it is used, and a few lines of schema can demand
   2^60 of them. */
static TACO__ONCE bool taco__avro_schema_add_children(taco__avro *a, taco__avro_node *n,
                                                      uint32_t count)
{
    taco_field *fields;
    uint32_t i;
    if (count > a->max_nodes - a->node_count) {
        TACO__FAIL(a->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "a schema of more than %u fields, limits.max_columns is %u",
                   TACO__U(a->max_nodes), TACO__U(a->max_nodes));
        return false;
    }
    a->node_count += count;
    n->children =
        (taco__avro_node *)taco__arena_array(a->arena, count, sizeof *n->children, a->err);
    fields = n->children ? (taco_field *)taco__arena_array(a->arena, count, sizeof *fields, a->err)
                         : NULL;
    if (!fields) { return false; }
    for (i = 0; i < count; i++) {
        n->children[i].field = &fields[i];
        n->children[i].validity.mem = n->children[i].offsets.mem = n->children[i].values.mem =
            a->arena->mem;
    }
    n->child_count = count;
    n->field->children = fields;
    n->field->child_count = count;
    return true;
}

/* Names of columns: Avro does not allow ':' in names, so some releases of the reference writer
   spelled it out. */
static TACO__ONCE const char *taco__avro_schema_column_name(taco__avro *a, taco_bytes name)
{
    static const char colon[] = "_COLON_";
    char *copy = taco__arena_text(a->arena, name, a->err), *from = copy, *to = copy;
    while (copy && *from) {
        bool found = strncmp(from, colon, sizeof colon - 1) == 0;
        *to++ = found ? ':' : *from;
        from += found ? sizeof colon - 1 : 1;
    }
    if (copy) { *to = 0; }
    return copy;
}

/* {"type": "record", "fields": [{"name", "type"}...]}. Aliases and defaults are for readers that
   bring their own schema. */
static TACO__ONCE bool taco__avro_schema_record(taco__avro *a, const taco__json *schema,
                                                taco_bytes space, uint32_t depth,
                                                taco__avro_node *n)
{
    const taco__json *list = taco__json_get(schema, "fields"), *item;
    uint32_t *live;
    uint32_t i;
    if (!taco__json_is(list, TACO__JSON_ARRAY)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + schema->begin,
                   "a record must have an array of fields, found %s", taco__json_type_name(list));
        return false;
    }
    n->kind = TACO__AVRO_RECORD;
    n->field->type = TACO_STRUCT;
    if (!taco__avro_schema_add_children(a, n, list->count)) { return false; }
    live = (uint32_t *)taco__arena_array(a->arena, list->count, sizeof *live, a->err);
    if (!live) { return false; }
    n->stored = live;
    for (i = 0, item = taco__json_first(list); i < list->count; i++, item = taco__json_next(item)) {
        const taco__json *name = taco__json_get(item, "name"), *type = taco__json_get(item, "type");
        taco__avro_node *child = &n->children[i];
        taco_bytes text = taco__json_bytes(name);
        if (!taco__json_text(name) || !type) {
            TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + item->begin,
                       "a field must have a name and a type, found %s and %s",
                       taco__json_type_name(name), taco__json_type_name(type));
            return false;
        }
        child->field->name = depth == 0 ? taco__avro_schema_column_name(a, text)
                                        : taco__arena_text(a->arena, text, a->err);
        if (!child->field->name) { return false; }
        if (!taco__avro_schema_any(a, type, space, depth + 1, child)) {
            taco__error_prefix(a->err, "field %q", &text);
            return false;
        }
        if (!child->empty) { live[n->stored_count++] = i; }
    }
    n->empty = n->stored_count == 0;
    return true;
}

/* A list has its items as its only child; a map has a struct, whose children are key and value. */
static TACO__ONCE bool taco__avro_schema_list_or_map(taco__avro *a, const taco__json *schema,
                                                     bool is_map, taco_bytes space, uint32_t depth,
                                                     taco__avro_node *n)
{
    const char *key = is_map ? "values" : "items";
    const taco__json *of = taco__json_get(schema, key);
    taco__avro_node *item;
    if (!of) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + schema->begin, "%s must have %s",
                   is_map ? "a map" : "an array", key);
        return false;
    }
    n->kind = is_map ? TACO__AVRO_MAP : TACO__AVRO_ARRAY;
    n->field->type = is_map ? TACO_MAP : TACO_LIST;
    if (!taco__avro_schema_add_children(a, n, 1)) { return false; }
    item = n->children;
    item->field->name = is_map ? "entries" : "item";
    if (is_map) { /* keys are strings and never null */
        item->kind = TACO__AVRO_RECORD;
        item->field->type = TACO_STRUCT;
        if (!taco__avro_schema_add_children(a, item, 2)) { return false; }
        item->children[0].field->name = "key";
        item->children[0].field->leaf = a->leaf_count++;
        item->children[0].field->leaf_count = 1;
        taco__avro_schema_primitive(taco__bytes_text("string"), NULL, &item->children[0]);
        item->field->leaf = a->leaf_count - 1;
        item = &item->children[1];
        item->field->name = "value";
    }
    if (!taco__avro_schema_any(a, of, space, depth + 1, item)) { return false; }
    n->children->field->leaf_count = a->leaf_count - n->children->field->leaf;
    return true;
}

/* [null, T] in either order is a nullable T. There is no column type for other unions. */
static TACO__ONCE bool taco__avro_schema_union(taco__avro *a, const taco__json *s, taco_bytes space,
                                               uint32_t depth, taco__avro_node *n)
{
    const taco__json *x = taco__json_at(s, 0), *y = taco__json_at(s, 1);
    bool first = taco__json_equals(x, "null"), second = taco__json_equals(y, "null");
    n->branches = s->count;
    if (n->branches == 1) {
        n->null_branch = first ? 0 : UINT32_MAX; /* read as if it were one of two */
    } else if (n->branches == 2 && first != second) {
        n->null_branch = first ? 0 : 1;
        n->field->nullable = true;
        x = first ? y : x;
    } else {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, a->base + s->begin,
                   "a union of %u types, only one type with or without null is supported",
                   TACO__U(s->count));
        return false;
    }
    if (taco__json_is(x, TACO__JSON_ARRAY)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + x->begin, "a union directly in a union");
        return false;
    }
    if (!taco__avro_schema_any(a, x, space, depth, n)) { return false; }
    n->empty = false; /* the branch takes a byte */
    return true;
}

/* A named type, defined here or before. It cannot be used inside its own definition, which would
   make the column infinite. */
static TACO__ONCE bool taco__avro_schema_named(taco__avro *a, taco__avro_name *d, uint32_t depth,
                                               taco__avro_node *n)
{
    const taco__json *type = taco__json_get(d->schema, "type");
    bool ok;
    if (d->open) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, a->base + d->schema->begin,
                   "type %q contains itself", &d->name);
        return false;
    }
    /* a definition is parsed again for each use */
    if (d->schema->span > TACO__AVRO_MAX_EXPANDED - a->expanded) {
        TACO__FAIL(a->err, TACO_ERR_UNSUPPORTED, a->base + d->schema->begin,
                   "named types that expand to more than %u values of JSON",
                   TACO__U(TACO__AVRO_MAX_EXPANDED));
        return false;
    }
    a->expanded += d->schema->span;
    d->open = true;
    if (taco__json_equals(type, "fixed")) {
        ok = taco__avro_schema_fixed(a, d->schema, n);
    } else if (taco__json_equals(type, "enum")) {
        ok = taco__avro_schema_enum(a, d->schema, n);
    } else {
        ok = taco__avro_schema_record(a, d->schema, d->space, depth, n);
    }
    d->open = false;
    return ok;
}

/* The name of a type defined earlier in the schema, in the enclosing space or with its own. */
static TACO__ONCE bool taco__avro_schema_reference(taco__avro *a, const taco__json *s,
                                                   taco_bytes space, uint32_t depth,
                                                   taco__avro_node *n)
{
    taco_bytes full = taco__json_bytes(s), in, name;
    taco__avro_name *d;
    taco__avro_schema_split_name(full, space, &in, &name);
    d = taco__avro_schema_find_name(a, in, name);
    d = d ? d : taco__avro_schema_find_name(a, taco__bytes_of(NULL, 0), full);
    if (!d) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + s->begin,
                   "type %q is neither primitive nor defined before", &full);
        return false;
    }
    return taco__avro_schema_named(a, d, depth, n);
}

/* A schema with attributes: a complex type, or a primitive one with or without a logical type. */
static TACO__ONCE bool taco__avro_schema_object(taco__avro *a, const taco__json *s,
                                                taco_bytes space, uint32_t depth,
                                                taco__avro_node *n)
{
    const taco__json *type = taco__json_get(s, "type");
    taco__avro_name *d;
    if (taco__json_is(type, TACO__JSON_OBJECT) || taco__json_is(type, TACO__JSON_ARRAY)) {
        return taco__avro_schema_any(a, type, space, depth, n); /* {"type": {"type": ...}} */
    }
    if (taco__json_equals(type, "record") || taco__json_equals(type, "error") ||
        taco__json_equals(type, "enum") || taco__json_equals(type, "fixed")) {
        d = taco__avro_schema_define_name(a, s, space);
        return d && taco__avro_schema_named(a, d, depth, n);
    }
    if (taco__json_equals(type, "array") || taco__json_equals(type, "map")) {
        return taco__avro_schema_list_or_map(a, s, taco__json_equals(type, "map"), space, depth, n);
    }
    if (!taco__json_text(type)) {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + s->begin,
                   "a schema must have a type, found %s", taco__json_type_name(type));
        return false;
    }
    return taco__avro_schema_primitive(taco__json_bytes(type), s, n) ||
           taco__avro_schema_reference(a, type, space, depth, n);
}

/* Any schema. The caller has named the field; everything else in n and its field is set here. */
TACO__FN TACO__ONCE bool taco__avro_schema_any(taco__avro *a, const taco__json *s, taco_bytes space,
                                               uint32_t depth, taco__avro_node *n)
{
    uint32_t leaf = a->leaf_count;
    bool ok;
    if (depth > a->max_depth) {
        TACO__FAIL(a->err, TACO_ERR_LIMIT, a->base + s->begin,
                   "types nested deeper than %u, limits.max_depth is %u", TACO__U(a->max_depth),
                   TACO__U(a->max_depth));
        return false;
    }
    if (s->type == TACO__JSON_STRING) {
        ok = taco__avro_schema_primitive(taco__json_bytes(s), NULL, n) ||
             taco__avro_schema_reference(a, s, space, depth, n);
    } else if (s->type == TACO__JSON_ARRAY) {
        ok = taco__avro_schema_union(a, s, space, depth, n);
    } else if (s->type == TACO__JSON_OBJECT) {
        ok = taco__avro_schema_object(a, s, space, depth, n);
    } else {
        TACO__FAIL(a->err, TACO_ERR_CORRUPT, a->base + s->begin,
                   "a schema must be a name, an object or a union, found %s",
                   taco__json_type_name(s));
        ok = false;
    }
    /* a union counts what it wraps, which has already counted itself */
    a->leaf_count += ok && !n->child_count && a->leaf_count == leaf;
    n->field->leaf = leaf;
    n->field->leaf_count = a->leaf_count - leaf;
    return ok;
}
