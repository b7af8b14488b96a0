/* schema.c - the schema of a footer: elements parsed, and linked into a tree

   In: FileMetaData.schema, elements in depth-first order that say how many children follow; out:
   the elements with parents, siblings, leaf numbers and levels, then fields and leaves
   (schema_nodes.c, schema_types.c). Spec: parquet.thrift "SchemaElement", LogicalTypes.md.

   taco__schema_parse does all of it: taco__schema_parse_element reads one element,
   taco__schema_link makes the tree, without recursion, so that nesting is limited before anything
   recursive runs. The levels of an element count the optional and repeated (def) and the repeated
   (rep) elements on its path, itself included. */
#include "parquet.h"
#include "../base/base.h"

/* ---- names for messages ---- */

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

/* ---- the list of elements ---- */

/* TimeUnit: a union whose member is the unit. */
static uint8_t taco__schema_parse_unit(taco__thrift *t, unsigned type)
{
    taco__thrift_field f;
    uint8_t unit = 0;
    taco__thrift_begin_struct(t, type, &f);
    while (taco__thrift_next(t, &f)) {
        unit = (uint8_t)(f.id >= 1 && f.id <= 3 ? TACO_SECOND + f.id : 0);
        taco__thrift_skip(t, f.type);
    }
    return unit;
}

/* DecimalType, TimeType, TimestampType, IntType, GeometryType, GeographyType: switches over member
   e->logical of the union and field f.id of its structure, combined into one key. */
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

/* LogicalType: a union; members newer than this reader are OTHER. */
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

/* Fails if the element is impossible; else stores its numbers. */
static bool taco__schema_check_element(taco__thrift *t, taco__pq_schema_element *e, int64_t type,
                                       int64_t repetition, int64_t children)
{
    if (!e->name.data) { return TACO__THRIFT_FAIL(t, e->at, "schema element without a name"); }
    if (children > 0) { type = TACO__PQ_GROUP; /* parquet-go gives its root a type, too */ }
    if (type > TACO__PQ_FIXED) {
        return TACO__THRIFT_FAIL(t, e->at, "column %q has the physical type %d, 7 is the last",
                                 &e->name, type);
    }
    if (repetition == 3) { /* newer than this reader, which would misread all levels below */
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
    return true;
}

static bool taco__schema_parse_element(taco__footer_parser *j, taco__pq_schema_element *e)
{
    taco__thrift *t = &j->t;
    taco__thrift_field f;
    int64_t repetition = TACO__PQ_REQUIRED, children = 0, type = TACO__PQ_GROUP;
    const uint8_t *begin = t->cur.at;
    e->at = taco__thrift_at(t);
    e->converted = TACO__PQ_CONVERTED_NONE;
    e->algorithm = -1;
    taco__thrift_begin(t, &f);
    while (taco__thrift_next(t, &f)) {
        switch (f.id) {
        case 1: type = taco__thrift_count(t, f.type, "type of a schema element"); break;
        case 2: e->type_length = taco__thrift_i32(t, f.type); break;
        case 3:
            /* fastparquet with has_nulls='infer' writes a boolean instead */
            repetition = f.type == TACO__THRIFT_TRUE || f.type == TACO__THRIFT_FALSE
                             ? taco__thrift_bool(t, f.type)
                             : taco__thrift_i64(t, f.type);
            break;
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
    if (!taco__thrift_ok(t) || !taco__schema_check_element(t, e, type, repetition, children)) {
        return false;
    }
    e->text = taco__arena_text(j->arena, e->name, t->err);
    if (!e->text) { return taco__thrift_fail_memory(t); }
    e->raw = taco__bytes_of(begin, (size_t)(t->cur.at - begin));
    return true;
}

/* ---- the tree ---- */

static TACO__COLD bool taco__schema_fail_limit(taco__footer_parser *j, uint64_t at,
                                               const char *what, uint64_t limit, const char *name)
{
    TACO__FAIL(j->t.err, TACO_ERR_LIMIT, at, "%s, limits.%s is %u", what, name, limit);
    return taco__thrift_fail(&j->t, TACO_ERR_LIMIT);
}

/* The group that the next element belongs to, and the counts so far. */
typedef struct taco__schema_linker {
    taco__pq_schema_element *e;
    uint32_t open, depth, leaves;
    uint32_t max_columns, max_depth;
} taco__schema_linker;

/* Closes the groups that have all their children, before element `at`; true once even the root is
   closed. */
static bool taco__schema_close_groups(taco__schema_linker *k, uint32_t at)
{
    while (k->e[k->open].unseen == 0) {
        taco__pq_schema_element *group = &k->e[k->open];
        group->next = at;
        group->leaf_count = k->leaves - group->leaf;
        if (k->open == 0) { return true; }
        k->open = group->parent;
        k->depth--;
    }
    return false;
}

/* Makes element i a child of the open group. */
static bool taco__schema_add_child(taco__footer_parser *j, taco__schema_linker *k, uint32_t i)
{
    taco__pq_schema_element *e = &k->e[i], *parent;
    if (taco__schema_close_groups(k, i)) {
        return TACO__THRIFT_FAIL(&j->t, e->at, "schema has %u elements, its tree ends after %u",
                                 TACO__U(j->out->element_count), TACO__U(i));
    }
    parent = &k->e[k->open];
    parent->unseen--;
    e->parent = k->open;
    e->def = (int16_t)(parent->def + (e->repetition != TACO__PQ_REQUIRED));
    e->rep = (int16_t)(parent->rep + (e->repetition == TACO__PQ_REPEATED));
    if (k->depth <= k->max_depth) { return true; }
    return taco__schema_fail_limit(j, e->at, "schema is nested deeper", k->max_depth, "max_depth");
}

/* Counts element i if it is a leaf, opens it if it is a group. */
static bool taco__schema_add_element(taco__footer_parser *j, taco__schema_linker *k, uint32_t i)
{
    taco__pq_schema_element *e = &k->e[i];
    uint32_t left = j->out->element_count - 1 - i;
    e->leaf = k->leaves;
    e->next = i + 1;
    if (e->type != TACO__PQ_GROUP) {
        e->leaf_count = 1;
        if (++k->leaves <= k->max_columns) { return true; }
        return taco__schema_fail_limit(j, e->at, "schema has more columns", k->max_columns,
                                       "max_columns");
    }
    if (e->child_count > left) {
        return TACO__THRIFT_FAIL(&j->t, e->at, "group %q has %u children, %u elements follow",
                                 &e->name, TACO__U(e->child_count), TACO__U(left));
    }
    e->unseen = e->child_count;
    k->open = i;
    k->depth++;
    return true;
}

/* Turns the depth-first list into a tree: parents, siblings, levels, leaf numbers. */
static bool taco__schema_link(taco__footer_parser *j)
{
    const taco_limits *l = j->limits;
    taco__schema_linker k;
    taco__pq_schema_element *open;
    uint32_t i;
    memset(&k, 0, sizeof k);
    k.e = j->out->elements;
    k.max_columns = l && l->max_columns ? l->max_columns : TACO__DEFAULT_MAX_COLUMNS;
    k.max_depth = l && l->max_depth ? TACO__MIN(l->max_depth, (uint32_t)TACO__SCHEMA_DEPTH_CAP)
                                    : TACO__DEFAULT_MAX_DEPTH;
    if (k.e[0].type != TACO__PQ_GROUP) {
        return TACO__THRIFT_FAIL(&j->t, k.e[0].at, "root of the schema is a column");
    }
    for (i = 0; i < j->out->element_count; i++) {
        if ((i > 0 && !taco__schema_add_child(j, &k, i)) || !taco__schema_add_element(j, &k, i)) {
            return false;
        }
    }
    if (!taco__schema_close_groups(&k, i)) {
        open = &k.e[k.open];
        return TACO__THRIFT_FAIL(&j->t, open->at,
                                 "group %q lacks %u of its %u children, the schema ends",
                                 &open->name, TACO__U(open->unseen), TACO__U(open->child_count));
    }
    j->out->leaf_count = k.leaves;
    return true;
}

/* ---- annotations ---- */

TACO__FN unsigned taco__schema_annotation(const taco__pq_schema_element *e,
                                          taco__pq_schema_element *a)
{
    int32_t c = e->converted;
    *a = *e;
    /* parquet-java writes INTERVAL, which has no logical type, beside UNKNOWN */
    if (e->logical != TACO__PQ_LOGICAL_NONE &&
        (e->logical != TACO__PQ_LOGICAL_NULL || c == TACO__PQ_CONVERTED_NONE)) {
        return e->logical;
    }
    a->utc = true; /* LogicalTypes.md: the converted types mean UTC instants */
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

/* ---- all of it ---- */

/* The fields of the root, and the column that each leaf belongs to. */
static bool taco__schema_build_columns(taco__footer_parser *j)
{
    taco__pq_metadata *m = j->out;
    uint32_t i, leaf;
    m->leaves =
        (taco__pq_leaf *)taco__thrift_alloc(&j->t, j->arena, m->leaf_count, sizeof *m->leaves);
    if (!m->leaves || !taco__schema_nodes_build(j, 0, &m->nodes, &m->columns)) { return false; }
    m->column_count = m->elements[0].child_count;
    for (i = 0; i < m->column_count; i++) {
        for (leaf = 0; leaf < m->nodes[i].leaf_count; leaf++) {
            m->leaves[m->nodes[i].leaf + leaf].column = i;
        }
    }
    return true;
}

TACO__FN bool taco__schema_parse(taco__footer_parser *j, unsigned type)
{
    taco__thrift *t = &j->t;
    taco__pq_metadata *m = j->out;
    uint64_t at = taco__thrift_at(t);
    /* at least a name with two bytes, and a stop */
    size_t n = taco__thrift_begin_structs(t, type, 3), i;
    if (!taco__thrift_ok(t)) { return false; }
    if (n == 0 || n > UINT32_MAX || j->has_schema) {
        return TACO__THRIFT_FAIL(t, at,
                                 n == 0 ? "schema without elements" : "footer has a second schema");
    }
    m->elements =
        (taco__pq_schema_element *)taco__thrift_alloc(t, j->arena, n, sizeof *m->elements);
    m->element_count = (uint32_t)n;
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        taco__schema_parse_element(j, &m->elements[i]);
    }
    j->has_schema = taco__thrift_ok(t) && taco__schema_link(j) && taco__schema_build_columns(j);
    return j->has_schema;
}
