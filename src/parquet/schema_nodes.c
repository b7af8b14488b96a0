/* schema_nodes.c - lists, maps and structs: groups of a schema to public fields

   In: the elements of a schema, linked to a tree with levels (schema.c); out: a taco_field for each
   public field and beside it, in the same shape, a taco__pq_schema_node with the levels at which
   its values and items begin. Spec: parquet-format LogicalTypes.md "Lists" and "Maps", with the
   rules for files older than they are:

       optional group a (LIST) {           a: list of optional int32; the elements `list` and
         repeated group list {             `element` become one field
           optional int32 element; } }
       optional group b (LIST) {           b: list of required int32, as old writers have it
         repeated int32 array; }
       repeated int32 c;                   c: list of required int32, never null itself
       optional group d (MAP) {            d: map; a map of keys alone is a list of them
         repeated group key_value {
           required binary key (STRING);
           optional int32 value; } }

   taco__schema_nodes_shape decides what a group is; the rest builds it. Recursion is as deep as the
   schema, which taco__schema_link has bounded. */
#include "parquet.h"
#include "../base/base.h"

typedef enum taco__schema_nodes_kind {
    TACO__SCHEMA_STRUCT,
    TACO__SCHEMA_LIST,
    TACO__SCHEMA_MAP
} taco__schema_nodes_kind;

/* How an element is read: as a field; as an item, whose repetition is the list's; or as the entry
   of a map, whose own annotation (MAP_KEY_VALUE, in old files) adds nothing. */
typedef enum taco__schema_nodes_role {
    TACO__SCHEMA_FIELD,
    TACO__SCHEMA_ITEM,
    TACO__SCHEMA_ENTRY
} taco__schema_nodes_role;

/* Whether a LIST's repeated field r, not the one inside it, is the item (LogicalTypes.md,
   "Backward- compatibility rules"): a column, or a group of several fields or none; a group called
   "array", or after its list with "_tuple"; or one whose field repeats or which is a list
   itself. */
static bool taco__schema_nodes_is_item(const taco__pq_schema_element *list,
                                       const taco__pq_schema_element *r)
{
    static const char tuple[] = "_tuple";
    const size_t n = list->name.len, suffix = sizeof tuple - 1;
    taco__pq_schema_element a;
    unsigned inner;
    if (r->type != TACO__PQ_GROUP || r->child_count != 1 ||
        taco__bytes_equal(r->name, taco__bytes_text("array"))) {
        return true;
    }
    if (r->name.len == n + suffix && memcmp(r->name.data + n, tuple, suffix) == 0 &&
        taco__bytes_equal(taco__bytes_of(r->name.data, n), list->name)) {
        return true;
    }
    inner = taco__schema_annotation(r, &a);
    return r[1].repetition == TACO__PQ_REPEATED || inner == TACO__PQ_LOGICAL_LIST ||
           inner == TACO__PQ_LOGICAL_MAP;
}

/* What group i is, and in *item the element that describes its items. An unsuitable annotation is
   ignored. */
static taco__schema_nodes_kind taco__schema_nodes_shape(const taco__pq_schema_element *all,
                                                        uint32_t i, uint32_t *item)
{
    const taco__pq_schema_element *e = &all[i], *r = e + 1;
    taco__pq_schema_element a;
    unsigned logical = taco__schema_annotation(e, &a);
    if ((logical != TACO__PQ_LOGICAL_LIST && logical != TACO__PQ_LOGICAL_MAP) ||
        e->child_count != 1 || r->repetition != TACO__PQ_REPEATED) {
        return TACO__SCHEMA_STRUCT;
    }
    *item = i + 1;
    if (logical == TACO__PQ_LOGICAL_LIST) {
        /* with three levels the repeated group is only a wrapper: its field is the item */
        *item += taco__schema_nodes_is_item(e, r) ? 0 : 1;
        return TACO__SCHEMA_LIST;
    }
    if (r->type != TACO__PQ_GROUP || r->child_count < 1 || r->child_count > 2) {
        return TACO__SCHEMA_STRUCT;
    }
    *item += r->child_count == 1; /* keys without values: a list of them */
    return r->child_count == 2 ? TACO__SCHEMA_MAP : TACO__SCHEMA_LIST;
}

static bool taco__schema_nodes_element(taco__footer_parser *j, uint32_t i,
                                       taco__schema_nodes_role role, taco__pq_schema_node *node,
                                       taco_field *field); /* recursive */

/* Makes the node a list or map whose items begin at element `repeated`, with one child, built from
   element `item`. */
static bool taco__schema_nodes_list(taco__footer_parser *j, uint32_t repeated, uint32_t item,
                                    taco__schema_nodes_role role, taco__pq_schema_node *node,
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
    return taco__schema_nodes_element(j, item, role, child, below);
}

TACO__FN bool taco__schema_nodes_build(taco__footer_parser *j, uint32_t i,
                                       taco__pq_schema_node **nodes, taco_field **fields)
{
    const taco__pq_schema_element *e = j->out->elements;
    uint32_t n = e[i].child_count, c, k;
    *nodes = (taco__pq_schema_node *)taco__thrift_alloc(&j->t, j->arena, n, sizeof **nodes);
    *fields = (taco_field *)taco__thrift_alloc(&j->t, j->arena, n, sizeof **fields);
    if (!*nodes || !*fields) { return false; }
    for (k = 0, c = i + 1; k < n; k++, c = e[c].next) {
        if (!taco__schema_nodes_element(j, c, TACO__SCHEMA_FIELD, &(*nodes)[k], &(*fields)[k])) {
            return false;
        }
    }
    return true;
}

static bool taco__schema_nodes_struct(taco__footer_parser *j, uint32_t i,
                                      taco__pq_schema_node *node, taco_field *field)
{
    taco__pq_schema_node *nodes;
    taco_field *fields;
    bool ok = taco__schema_nodes_build(j, i, &nodes, &fields);
    field->type = TACO_STRUCT;
    field->children = fields;
    field->child_count = j->out->elements[i].child_count;
    node->children = nodes;
    return ok;
}

/* A primitive field and its leaf. */
static void taco__schema_nodes_leaf(taco__footer_parser *j, const taco__pq_schema_element *e,
                                    const taco__pq_schema_node *node, taco_field *field)
{
    taco__pq_leaf *leaf = &j->out->leaves[e->leaf];
    taco__schema_types_set_leaf(field, e);
    leaf->element = e;
    leaf->node = node;
    leaf->field = field;
    leaf->type = e->type;
    leaf->type_length = e->type_length;
    leaf->max_def = e->def;
    leaf->max_rep = e->rep;
}

/* A field that is a group, by its kind. */
static bool taco__schema_nodes_group(taco__footer_parser *j, uint32_t i,
                                     taco__schema_nodes_role role, taco__pq_schema_node *node,
                                     taco_field *field)
{
    uint32_t item = i;
    taco__schema_nodes_kind kind = role == TACO__SCHEMA_ENTRY
                                       ? TACO__SCHEMA_STRUCT
                                       : taco__schema_nodes_shape(j->out->elements, i, &item);
    switch (kind) {
    case TACO__SCHEMA_MAP:
        return taco__schema_nodes_list(j, i + 1, i + 1, TACO__SCHEMA_ENTRY, node, field);
    case TACO__SCHEMA_LIST:
        return taco__schema_nodes_list(
            j, i + 1, item, item == i + 1 ? TACO__SCHEMA_ITEM : TACO__SCHEMA_FIELD, node, field);
    default: return taco__schema_nodes_struct(j, i, node, field);
    }
}

static bool taco__schema_nodes_element(taco__footer_parser *j, uint32_t i,
                                       taco__schema_nodes_role role, taco__pq_schema_node *node,
                                       taco_field *field)
{
    const taco__pq_schema_element *e = &j->out->elements[i];
    node->field = field;
    node->element = e;
    node->leaf = field->leaf = e->leaf;
    node->leaf_count = field->leaf_count = e->leaf_count;
    node->def = e->def;
    node->rep = e->rep;
    field->name = e->text;
    if (role == TACO__SCHEMA_FIELD && e->repetition == TACO__PQ_REPEATED) {
        /* a list that is present whenever its parent is: never null */
        node->def = (int16_t)(e->def - 1);
        node->rep = (int16_t)(e->rep - 1);
        return taco__schema_nodes_list(j, i, i, TACO__SCHEMA_ITEM, node, field);
    }
    node->optional = field->nullable = e->repetition == TACO__PQ_OPTIONAL;
    if (e->type != TACO__PQ_GROUP) {
        taco__schema_nodes_leaf(j, e, node, field);
        return true;
    }
    return taco__schema_nodes_group(j, i, role, node, field);
}
