/* schema.c - the gate for footers, page headers and page indexes: what passes is proven.. Spec:
   parquet.thrift, LogicalTypes.md */
#include "parquet.h"
#include "../base/base.h"

/* ---- names for messages -------------------------------------------------------------------- */

/* Writes the path of an element, "a.list.item", into text, cut when it is full. */
TACO__FN taco_bytes taco__schema_path(const taco__pq_metadata *m, const taco__pq_schema_element *e,
                                      char *text, size_t cap)
{
    const taco__pq_schema_element *chain[TACO__SCHEMA_DEPTH_CAP + 2];
    size_t n = 0, len = 0;
    while (e != m->elements && n < TACO__COUNT(chain)) {
        chain[n++] = e;
        e = &m->elements[e->parent];
    }
    while (n && len < cap) {
        taco_bytes name = chain[--n]->name;
        size_t k = TACO__MIN(name.len, cap - len);
        if (k) { memcpy(text + len, name.data, k); }
        len += k;
        if (n && len < cap) { text[len++] = '.'; }
    }
    return taco__bytes_of(text, len);
}

/* ---- schema: the list of elements ------------------------------------------------------------ */

/* TimeUnit: a union whose member is the unit. */
static uint8_t taco__schema_parse_unit(taco__thrift *t, unsigned type)
{
    taco__thrift_field f;
    uint8_t unit = 0;
    if (taco__thrift_begin_struct(t, type, &f)) {
        while (taco__thrift_next(t, &f)) {
            unit = (uint8_t)(f.id >= 1 && f.id <= 3 ? TACO_SECOND + f.id : 0);
            taco__thrift_skip(t, f.type);
        }
    }
    return unit;
}

/* DecimalType, TimeType, TimestampType, IntType, GeometryType, GeographyType: their members, by the
   union's member. */
static void taco__schema_parse_logical_body(taco__thrift *t, unsigned type,
                                            taco__pq_schema_element *e)
{
    taco__thrift_field f;
    if (!taco__thrift_begin_struct(t, type, &f)) { return; }
    while (taco__thrift_next(t, &f)) {
        unsigned key = f.id == 1 || f.id == 2 ? e->logical * 2U + (unsigned)f.id : 0;
        switch (key) {
        case TACO__PQ_LOGICAL_DECIMAL * 2 + 1: e->dec_scale = taco__thrift_i32(t, f.type); break;
        case TACO__PQ_LOGICAL_DECIMAL * 2 + 2:
            e->dec_precision = taco__thrift_i32(t, f.type);
            break;
        case TACO__PQ_LOGICAL_TIME * 2 + 1:
        case TACO__PQ_LOGICAL_TIMESTAMP * 2 + 1: e->utc = taco__thrift_bool(t, f.type); break;
        case TACO__PQ_LOGICAL_TIME * 2 + 2:
        case TACO__PQ_LOGICAL_TIMESTAMP * 2 + 2:
            e->unit = taco__schema_parse_unit(t, f.type);
            break;
        case TACO__PQ_LOGICAL_INTEGER * 2 + 1: e->bits = (int8_t)taco__thrift_i64(t, f.type); break;
        case TACO__PQ_LOGICAL_INTEGER * 2 + 2: e->is_signed = taco__thrift_bool(t, f.type); break;
        case TACO__PQ_LOGICAL_GEOMETRY * 2 + 1:
        case TACO__PQ_LOGICAL_GEOGRAPHY * 2 + 1: e->crs = taco__thrift_binary(t, f.type); break;
        case TACO__PQ_LOGICAL_GEOGRAPHY * 2 + 2: e->algorithm = taco__thrift_i32(t, f.type); break;
        default: taco__thrift_skip(t, f.type); break;
        }
    }
}

static void taco__schema_parse_logical(taco__thrift *t, unsigned type, taco__pq_schema_element *e)
{
    taco__thrift_field f;
    if (!taco__thrift_begin_struct(t, type, &f)) { return; }
    while (taco__thrift_next(t, &f)) {
        unsigned member = f.id < 0 ? 0 : (unsigned)f.id;
        bool known = member >= 1 && member <= TACO__PQ_LOGICAL_GEOGRAPHY &&
                     member != TACO__PQ_LOGICAL_INTERVAL;
        e->logical = (uint8_t)(known ? member : (unsigned)TACO__PQ_LOGICAL_OTHER);
        if (known) {
            taco__schema_parse_logical_body(t, f.type, e);
        } else {
            taco__thrift_skip(t, f.type);
        }
    }
}

static bool taco__schema_parse_element(taco__footer_parser *j, taco__pq_schema_element *e)
{
    taco__thrift *t = &j->t;
    taco__thrift_field f;
    int64_t repetition = TACO__PQ_REQUIRED, children = 0, type = TACO__PQ_GROUP;
    e->at = taco__thrift_at(t);
    e->converted = TACO__PQ_CONVERTED_NONE;
    e->algorithm = -1;
    if (taco__thrift_begin(t, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: type = taco__thrift_count(t, f.type, "type of a schema element"); break;
            case 2: e->type_length = taco__thrift_i32(t, f.type); break;
            case 3: repetition = taco__thrift_i64(t, f.type); break;
            case 4: e->name = taco__thrift_binary(t, f.type); break;
            case 5: children = taco__thrift_count(t, f.type, "num_children"); break;
            case 6: e->converted = taco__thrift_i32(t, f.type); break;
            case 7: e->scale = taco__thrift_i32(t, f.type); break;
            case 8: e->precision = taco__thrift_i32(t, f.type); break;
            case 9:
                e->field_id = taco__thrift_i32(t, f.type);
                e->has_field_id = true;
                break;
            case 10: taco__schema_parse_logical(t, f.type, e); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
    if (!taco__thrift_ok(t)) { return false; }
    if (!e->name.data) { return TACO__THRIFT_FAIL(t, e->at, "schema element without a name"); }
    if (children > 0) { type = TACO__PQ_GROUP; /* parquet-go gives its root a type as well */ }
    if (type > TACO__PQ_FIXED) {
        return TACO__THRIFT_FAIL(t, e->at, "column %q has the physical type %d, 7 is the last",
                                 &e->name, type);
    }
    /* VECTOR, newer than this reader; every level below would be misread */
    if (repetition == 3) {
        TACO__FAIL(t->err, TACO_ERR_UNSUPPORTED, e->at,
                   "unsupported: VECTOR repetition, of column %q", &e->name);
        return taco__thrift_fail(t, TACO_ERR_UNSUPPORTED);
    }
    if (repetition < 0 || repetition > TACO__PQ_REPEATED) {
        return TACO__THRIFT_FAIL(t, e->at, "column %q has the repetition %d, 2 is the last",
                                 &e->name, repetition);
    }
    if (type == TACO__PQ_FIXED && e->type_length <= 0) {
        return TACO__THRIFT_FAIL(t, e->at, "column %q has values of %d bytes", &e->name,
                                 TACO__D(e->type_length));
    }
    e->type = (int32_t)type;
    e->repetition = (uint8_t)repetition;
    e->child_count = (uint32_t)TACO__MIN(children, (int64_t)UINT32_MAX);
    e->text = taco__arena_text(j->arena, e->name, t->err);
    if (!e->text) {
        return taco__thrift_fail(t, t->err && t->err->code != TACO_OK ? t->err->code
                                                                      : TACO_ERR_MEMORY);
    }
    return true;
}

/* ---- schema: the tree ---------------------------------------------------------------------- */

static TACO__COLD bool taco__schema_fail_limit(taco__footer_parser *j, uint64_t at,
                                               const char *what, uint64_t limit, const char *name)
{
    TACO__FAIL(j->t.err, TACO_ERR_LIMIT, at, "%s, limits.%s is %u", what, name, limit);
    return taco__thrift_fail(&j->t, TACO_ERR_LIMIT);
}

/* Closes groups whose children are all there, from `open` upwards, in front of element `at`.
   Returns the group that takes the next child; true in *done once even the root is closed. */
static uint32_t taco__schema_close_groups(taco__pq_schema_element *e, uint32_t open, uint32_t at,
                                          uint32_t leaves, uint32_t *depth, bool *done)
{
    *done = false;
    while (e[open].left == 0) {
        e[open].next = at;
        e[open].leaf_count = leaves - e[open].leaf;
        if (open == 0) {
            *done = true;
            break;
        }
        open = e[open].parent;
        --*depth;
    }
    return open;
}

/* Turns the depth-first list into a tree: parents, siblings, levels, leaf numbers. Iterative, so
   that no depth hurts. */
static bool taco__schema_link(taco__footer_parser *j)
{
    const taco_limits *l = j->limits;
    taco__pq_schema_element *e = j->out->elements;
    uint32_t n = j->out->element_count, i, open = 0, depth = 0, leaves = 0;
    uint32_t max_columns = l && l->max_columns ? l->max_columns : TACO__DEFAULT_MAX_COLUMNS;
    uint32_t max_depth = l && l->max_depth
                             ? TACO__MIN(l->max_depth, (uint32_t)TACO__SCHEMA_DEPTH_CAP)
                             : TACO__DEFAULT_MAX_DEPTH;
    bool done;
    if (e[0].type != TACO__PQ_GROUP) {
        return TACO__THRIFT_FAIL(&j->t, e[0].at, "root of the schema is a column");
    }
    for (i = 0; i < n; i++) {
        if (i > 0) {
            open = taco__schema_close_groups(e, open, i, leaves, &depth, &done);
            if (done) {
                return TACO__THRIFT_FAIL(&j->t, e[i].at,
                                         "schema has %u elements, its tree ends after %u",
                                         TACO__U(n), TACO__U(i));
            }
            e[open].left--;
            e[i].parent = open;
            e[i].def = (int16_t)(e[open].def + (e[i].repetition != TACO__PQ_REQUIRED));
            e[i].rep = (int16_t)(e[open].rep + (e[i].repetition == TACO__PQ_REPEATED));
            if (depth > max_depth) {
                return taco__schema_fail_limit(j, e[i].at, "schema is nested deeper", max_depth,
                                               "max_depth");
            }
        }
        e[i].leaf = leaves;
        e[i].next = i + 1;
        if (e[i].type != TACO__PQ_GROUP) {
            e[i].leaf_count = 1;
            if (++leaves > max_columns) {
                return taco__schema_fail_limit(j, e[i].at, "schema has more columns", max_columns,
                                               "max_columns");
            }
            continue;
        }
        if (e[i].child_count > n - 1 - i) {
            return TACO__THRIFT_FAIL(&j->t, e[i].at, "group %q has %u children, %u elements follow",
                                     &e[i].name, TACO__U(e[i].child_count), TACO__U(n - 1 - i));
        }
        e[i].left = e[i].child_count;
        open = i;
        depth++;
    }
    open = taco__schema_close_groups(e, open, n, leaves, &depth, &done);
    if (!done) {
        return TACO__THRIFT_FAIL(
            &j->t, e[open].at, "group %q lacks %u of its %u children, the schema ends",
            &e[open].name, TACO__U(e[open].left), TACO__U(e[open].child_count));
    }
    j->out->leaf_count = leaves;
    return true;
}

/* ---- schema: annotations to types ------------------------------------------------------------ */

/* The annotation as one logical type: it wins over the converted one, which is translated. What
   follows from the annotation (unit, bits, ...) is in *a as well. */
TACO__FN unsigned taco__schema_annotation(const taco__pq_schema_element *e,
                                          taco__pq_schema_element *a)
{
    int32_t c = e->converted;
    *a = *e;
    if (e->logical != TACO__PQ_LOGICAL_NONE) { return e->logical; }
    a->utc = true; /* LogicalTypes.md: the converted types mean instants */
    a->dec_scale = e->scale;
    a->dec_precision = e->precision;
    switch (c) {
    case TACO__PQ_CONVERTED_UTF8: return TACO__PQ_LOGICAL_STRING;
    case TACO__PQ_CONVERTED_MAP:
    case TACO__PQ_CONVERTED_MAP_KEY_VALUE: return TACO__PQ_LOGICAL_MAP;
    case TACO__PQ_CONVERTED_LIST: return TACO__PQ_LOGICAL_LIST;
    case TACO__PQ_CONVERTED_ENUM: return TACO__PQ_LOGICAL_ENUM;
    case TACO__PQ_CONVERTED_DECIMAL: return TACO__PQ_LOGICAL_DECIMAL;
    case TACO__PQ_CONVERTED_DATE: return TACO__PQ_LOGICAL_DATE;
    case TACO__PQ_CONVERTED_TIME_MILLIS: a->unit = TACO_MILLI; return TACO__PQ_LOGICAL_TIME;
    case TACO__PQ_CONVERTED_TIME_MICROS: a->unit = TACO_MICRO; return TACO__PQ_LOGICAL_TIME;
    case TACO__PQ_CONVERTED_TIMESTAMP_MILLIS:
        a->unit = TACO_MILLI;
        return TACO__PQ_LOGICAL_TIMESTAMP;
    case TACO__PQ_CONVERTED_TIMESTAMP_MICROS:
        a->unit = TACO_MICRO;
        return TACO__PQ_LOGICAL_TIMESTAMP;
    case TACO__PQ_CONVERTED_JSON: return TACO__PQ_LOGICAL_JSON;
    case TACO__PQ_CONVERTED_BSON: return TACO__PQ_LOGICAL_BSON;
    case TACO__PQ_CONVERTED_INTERVAL: return TACO__PQ_LOGICAL_INTERVAL;
    default: break;
    }
    if (c >= TACO__PQ_CONVERTED_UINT_8 && c < TACO__PQ_CONVERTED_INT_8 + 4) {
        a->is_signed = c >= TACO__PQ_CONVERTED_INT_8;
        a->bits = (int8_t)(8 << ((c - TACO__PQ_CONVERTED_UINT_8) & 3));
        return TACO__PQ_LOGICAL_INTEGER;
    }
    return TACO__PQ_LOGICAL_NONE;
}

static void taco__schema_set_type(taco_field *f, taco_type type, int32_t width)
{
    f->type = type;
    f->width = width;
}

/* DECIMAL of any physical type; false when it does not fit, and the annotation is ignored. */
static bool taco__schema_set_decimal(taco_field *f, const taco__pq_schema_element *a)
{
    int32_t p = a->dec_precision, s = a->dec_scale;
    bool bytes = a->type == TACO__PQ_BYTE_ARRAY || a->type == TACO__PQ_FIXED;
    if (p < 1 || s < 0 || s > p || (!bytes && p > 38)) { return false; }
    taco__schema_set_type(f, TACO_DECIMAL, taco__type_decimal_width(p));
    f->precision = p;
    f->scale = s;
    return true;
}

/* INT32 and INT64; LogicalTypes.md gives every annotation its one physical type and INTEGER(8, 16,
   32) the INT32. */
static void taco__schema_set_integer(taco_field *f, const taco__pq_schema_element *a,
                                     unsigned logical)
{
    bool wide = a->type == TACO__PQ_INT64;
    taco__schema_set_type(f, wide ? TACO_INT64 : TACO_INT32, wide ? 8 : 4);
    switch (logical) {
    case TACO__PQ_LOGICAL_DECIMAL: taco__schema_set_decimal(f, a); break;
    case TACO__PQ_LOGICAL_DATE:
        if (!wide) { f->type = TACO_DATE; }
        break;
    case TACO__PQ_LOGICAL_TIME:
        if (wide ? a->unit > TACO_MILLI : a->unit == TACO_MILLI) {
            f->type = TACO_TIME;
            f->unit = (taco_unit)a->unit;
            f->utc = a->utc;
        }
        break;
    case TACO__PQ_LOGICAL_TIMESTAMP:
        if (wide && a->unit) {
            f->type = TACO_TIMESTAMP;
            f->unit = (taco_unit)a->unit;
            f->utc = a->utc;
        }
        break;
    case TACO__PQ_LOGICAL_INTEGER:
        if (wide) {
            f->type = a->bits == 64 && !a->is_signed ? TACO_UINT64 : TACO_INT64;
        } else if (a->bits == 8) {
            taco__schema_set_type(f, a->is_signed ? TACO_INT8 : TACO_UINT8, 1);
        } else if (a->bits == 16) {
            taco__schema_set_type(f, a->is_signed ? TACO_INT16 : TACO_UINT16, 2);
        } else if (a->bits == 32 && !a->is_signed) {
            f->type = TACO_UINT32;
        }
        break;
    default: break;
    }
}

static void taco__schema_set_leaf_type(taco_field *f, const taco__pq_schema_element *e)
{
    taco__pq_schema_element a;
    unsigned logical = taco__schema_annotation(e, &a);
    if (logical == TACO__PQ_LOGICAL_NULL) {
        taco__schema_set_type(f, TACO_NULL, 0);
        return;
    }
    switch (e->type) {
    case TACO__PQ_BOOLEAN: taco__schema_set_type(f, TACO_BOOL, 0); break;
    case TACO__PQ_INT32:
    case TACO__PQ_INT64: taco__schema_set_integer(f, &a, logical); break;
    case TACO__PQ_INT96: taco__schema_set_type(f, TACO_INT96, 12); break;
    case TACO__PQ_FLOAT: taco__schema_set_type(f, TACO_FLOAT, 4); break;
    case TACO__PQ_DOUBLE: taco__schema_set_type(f, TACO_DOUBLE, 8); break;
    case TACO__PQ_BYTE_ARRAY:
        if (logical == TACO__PQ_LOGICAL_STRING || logical == TACO__PQ_LOGICAL_ENUM ||
            logical == TACO__PQ_LOGICAL_JSON) {
            taco__schema_set_type(f, TACO_TEXT, 0);
        } else if (logical != TACO__PQ_LOGICAL_DECIMAL || !taco__schema_set_decimal(f, &a)) {
            taco__schema_set_type(f, TACO_BINARY, 0);
        }
        break;
    default:
        if (logical == TACO__PQ_LOGICAL_UUID && e->type_length == 16) {
            taco__schema_set_type(f, TACO_UUID, 16);
        } else if (logical == TACO__PQ_LOGICAL_FLOAT16 && e->type_length == 2) {
            taco__schema_set_type(f, TACO_HALF, 2);
        } else if (logical == TACO__PQ_LOGICAL_INTERVAL && e->type_length == 12) {
            taco__schema_set_type(f, TACO_INTERVAL, 12);
        } else if (logical != TACO__PQ_LOGICAL_DECIMAL || !taco__schema_set_decimal(f, &a)) {
            taco__schema_set_type(f, TACO_FIXED, e->type_length);
        }
        break;
    }
}

typedef enum taco__schema_shape {
    TACO__SCHEMA_STRUCT,
    TACO__SCHEMA_LIST,
    TACO__SCHEMA_MAP
} taco__schema_shape;

/* What a group is, and in *item the element its items are made of. LogicalTypes.md, "Lists" and
   "Maps" with their backward-compatibility rules; an annotation that does not fit is ignored. */
static taco__schema_shape taco__schema_group_shape(const taco__pq_schema_element *all, uint32_t i,
                                                   uint32_t *item)
{
    const taco__pq_schema_element *e = &all[i], *r;
    taco__pq_schema_element a;
    unsigned kind = taco__schema_annotation(e, &a), inner;
    static const char tuple[] = "_tuple";
    if ((kind != TACO__PQ_LOGICAL_LIST && kind != TACO__PQ_LOGICAL_MAP) || e->child_count != 1) {
        return TACO__SCHEMA_STRUCT;
    }
    r = &all[i + 1];
    *item = i + 1;
    if (r->repetition != TACO__PQ_REPEATED) { return TACO__SCHEMA_STRUCT; }
    if (kind == TACO__PQ_LOGICAL_MAP) {
        if (r->type != TACO__PQ_GROUP || r->child_count < 1 || r->child_count > 2) {
            return TACO__SCHEMA_STRUCT;
        }
        *item += r->child_count == 1; /* keys alone: a list of them */
        return r->child_count == 2 ? TACO__SCHEMA_MAP : TACO__SCHEMA_LIST;
    }
    if (r->type != TACO__PQ_GROUP || r->child_count != 1) {
        /* the repeated field is the item: a column, or a group of several fields or none */
        return TACO__SCHEMA_LIST;
    }
    if (taco__bytes_equal(r->name, taco__bytes_text("array"))) { return TACO__SCHEMA_LIST; }
    if (r->name.len == e->name.len + 6 && memcmp(r->name.data + e->name.len, tuple, 6) == 0 &&
        taco__bytes_equal(taco__bytes_of(r->name.data, e->name.len), e->name)) {
        return TACO__SCHEMA_LIST;
    }
    inner = taco__schema_annotation(r, &a);
    if (all[i + 2].repetition == TACO__PQ_REPEATED || inner == TACO__PQ_LOGICAL_LIST ||
        inner == TACO__PQ_LOGICAL_MAP) {
        return TACO__SCHEMA_LIST;
    }
    *item = i + 2; /* three levels: the repeated group only counts, its field is the item */
    return TACO__SCHEMA_LIST;
}

/* How an element is taken: as a field; as an item, whose repetition the list above it stands for;
   as the entry of a map, whose own annotation (MAP_KEY_VALUE, as old writers have it) means nothing
   more. */
typedef enum taco__schema_role {
    TACO__SCHEMA_FIELD,
    TACO__SCHEMA_ITEM,
    TACO__SCHEMA_ENTRY
} taco__schema_role;

static bool taco__schema_build(taco__footer_parser *j, uint32_t i, taco__schema_role role,
                               taco__pq_schema_node *node, taco_field *field); /* recursive */

/* A list or map node with its one child, built of element `item`. */
static bool taco__schema_build_list(taco__footer_parser *j, uint32_t repeated, uint32_t item,
                                    taco__schema_role role, taco__pq_schema_node *node,
                                    taco_field *field)
{
    const taco__pq_schema_element *r = &j->out->elements[repeated];
    taco__pq_schema_node *child =
        (taco__pq_schema_node *)taco__thrift_alloc(&j->t, j->arena, 1, sizeof *child);
    taco_field *below = (taco_field *)taco__thrift_alloc(&j->t, j->arena, 1, sizeof *below);
    if (!child || !below) { return false; }
    field->type = role == TACO__SCHEMA_ENTRY ? TACO_MAP : TACO_LIST;
    field->children = below;
    field->child_count = 1;
    node->children = child;
    node->list_def = r->def;
    node->list_rep = r->rep;
    return taco__schema_build(j, item, role, child, below);
}

static bool taco__schema_build_struct(taco__footer_parser *j, uint32_t i,
                                      taco__pq_schema_node **nodes, taco_field **fields)
{
    const taco__pq_schema_element *e = j->out->elements;
    uint32_t n = e[i].child_count, c, k;
    *nodes = (taco__pq_schema_node *)taco__thrift_alloc(&j->t, j->arena, n, sizeof **nodes);
    *fields = (taco_field *)taco__thrift_alloc(&j->t, j->arena, n, sizeof **fields);
    if (!*nodes || !*fields) { return false; }
    for (k = 0, c = i + 1; k < n; k++, c = e[c].next) {
        if (!taco__schema_build(j, c, TACO__SCHEMA_FIELD, &(*nodes)[k], &(*fields)[k])) {
            return false;
        }
    }
    return true;
}

static bool taco__schema_build(taco__footer_parser *j, uint32_t i, taco__schema_role role,
                               taco__pq_schema_node *node, taco_field *field)
{
    const taco__pq_schema_element *e = &j->out->elements[i];
    taco__schema_shape shape = TACO__SCHEMA_STRUCT;
    uint32_t item = i;
    node->field = field;
    node->element = e;
    node->leaf = field->leaf = e->leaf;
    node->leaf_count = field->leaf_count = e->leaf_count;
    node->def = e->def;
    node->rep = e->rep;
    field->name = e->text;
    if (role == TACO__SCHEMA_FIELD && e->repetition == TACO__PQ_REPEATED) {
        node->def =
            (int16_t)(e->def - 1); /* there whenever its parent is: such a list is never null */
        node->rep = (int16_t)(e->rep - 1);
        return taco__schema_build_list(j, i, i, TACO__SCHEMA_ITEM, node, field);
    }
    node->optional = field->nullable = e->repetition == TACO__PQ_OPTIONAL;
    if (e->type != TACO__PQ_GROUP) {
        taco__pq_leaf *leaf = &j->out->leaves[e->leaf];
        taco__schema_set_leaf_type(field, e);
        leaf->element = e;
        leaf->node = node;
        leaf->field = field;
        leaf->type = e->type;
        leaf->type_length = e->type_length;
        leaf->max_def = e->def;
        leaf->max_rep = e->rep;
        return true;
    }
    if (role != TACO__SCHEMA_ENTRY) {
        shape = taco__schema_group_shape(j->out->elements, i, &item);
    }
    if (shape == TACO__SCHEMA_MAP) {
        return taco__schema_build_list(j, i + 1, i + 1, TACO__SCHEMA_ENTRY, node, field);
    }
    if (shape == TACO__SCHEMA_LIST) {
        return taco__schema_build_list(
            j, i + 1, item, item == i + 1 ? TACO__SCHEMA_ITEM : TACO__SCHEMA_FIELD, node, field);
    } else {
        taco__pq_schema_node *nodes;
        taco_field *fields;
        bool ok = taco__schema_build_struct(j, i, &nodes, &fields);
        field->type = TACO_STRUCT;
        field->children = fields;
        field->child_count = e->child_count;
        node->children = nodes;
        return ok;
    }
}

/* FileMetaData.schema: elements, tree, types. */
TACO__FN bool taco__schema_parse(taco__footer_parser *j, unsigned type)
{
    taco__thrift *t = &j->t;
    taco__pq_metadata *m = j->out;
    uint64_t at = taco__thrift_at(t);
    size_t n = taco__thrift_begin_structs(t, type, 3),
           i; /* an element is a name, two bytes, and a stop */
    uint32_t k;
    if (!taco__thrift_ok(t)) { return false; }
    if (n == 0 || n > UINT32_MAX || j->built) {
        return TACO__THRIFT_FAIL(t, at,
                                 n == 0 ? "schema without elements" : "footer has a second schema");
    }
    m->elements =
        (taco__pq_schema_element *)taco__thrift_alloc(t, j->arena, n, sizeof *m->elements);
    m->element_count = (uint32_t)n;
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        taco__schema_parse_element(j, &m->elements[i]);
    }
    if (!taco__thrift_ok(t) || !taco__schema_link(j)) { return false; }
    m->leaves = (taco__pq_leaf *)taco__thrift_alloc(t, j->arena, m->leaf_count, sizeof *m->leaves);
    if (!m->leaves || !taco__schema_build_struct(j, 0, &m->nodes, &m->columns)) { return false; }
    m->column_count = m->elements[0].child_count;
    for (k = 0; k < m->column_count; k++) {
        uint32_t leaf = m->nodes[k].leaf, end = leaf + m->nodes[k].leaf_count;
        for (; leaf < end; leaf++) {
            m->leaves[leaf].column = k;
        }
    }
    j->built = true;
    return true;
}
