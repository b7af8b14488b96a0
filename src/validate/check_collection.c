/* check_collection.c - COLLECTION.json alone, and compared with the tables

   In: the parsed collection of a container, then the levels as check_level.c has read them; out:
   problems under the place "COLLECTION.json: ...". TACO 2.0 §5.6 (fields, taco:field_schema),
   §5.5 (taco:pit_schema).

   taco__check_collection_document needs only the document: keys that occur twice, the rules of
   rules.c, the form of taco:field_schema. taco__check_collection_tables runs once the children
   of every row are linked: numbers, types and patterns of the pit schema against the existing
   rows, columns and types of the field schema against those of the tables. Datasets of the
   reference often describe deeper levels incompletely, which is a warning if it misleads no
   reader. */
#include "validate.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../base/json.h"
#include "../parquet/parquet.h"
#include "../dataset/dataset.h"

/* A breach of rules.c as a problem; ctx is the taco__findings. */
static bool taco__check_collection_report(void *ctx, bool warning, const taco_error *what)
{
    taco__findings *f = (taco__findings *)ctx;
    taco__findings_report(f, !warning, what);
    return !f->stop;
}

/* Keys of the document that occur twice. Each is compared with all others, so only the first
   thousand are checked. */
static void taco__check_collection_repeated_keys(taco__findings *f, const taco__json *root)
{
    const taco__json *key;
    size_t i;
    taco__findings_set_place(f, "COLLECTION.json");
    for (i = 0, key = taco__json_first(root); i < root->count && i < 1000;
         i++, key = taco__json_next(key + 1)) {
        taco_bytes name = taco__json_bytes(key);
        if (taco__json_get_bytes(root, name) != key + 1) {
            TACO__FINDINGS_WARN(f, "the key %q occurs twice, the last one counts", &name);
        }
    }
}

/* taco:field_schema: an object of levels, each a list of [name, type, description]. Only the
   form: readers take names and types from the tables. */
static void taco__check_collection_field_schema(taco__findings *f, const taco__json *n)
{
    const taco__json *key, *row;
    size_t i, k;
    taco__findings_set_place(f, "COLLECTION.json: taco:field_schema");
    if (taco__rules_is_null(n)) {
        TACO__FINDINGS_WARN(f, "taco:field_schema is missing");
        return;
    }
    if (!taco__json_is(n, TACO__JSON_OBJECT)) {
        TACO__FINDINGS_ERROR(f, "must be an object of levels, found %s", taco__json_type_name(n));
        return;
    }
    for (i = 0, key = taco__json_first(n); i < n->count; i++, key = taco__json_next(key + 1)) {
        taco_bytes name = taco__json_bytes(key);
        const taco__json *list = key + 1;
        taco__findings_set_place(f, "COLLECTION.json: taco:field_schema: %q", &name);
        if (!taco__json_is(list, TACO__JSON_ARRAY)) {
            TACO__FINDINGS_ERROR(f, "must be an array of fields, found %s",
                                 taco__json_type_name(list));
            continue;
        }
        for (k = 0, row = taco__json_first(list); k < list->count;
             k++, row = taco__json_next(row)) {
            if (!taco__json_text(taco__json_at(row, 0)) ||
                !taco__json_text(taco__json_at(row, 1))) {
                TACO__FINDINGS_ERROR(f, "field %u must be [name, type, description]", TACO__U(k));
            }
        }
    }
}

/* All checks that need only the document. */
TACO__FN void taco__check_collection_document(taco__findings *f, const taco__collection *c)
{
    taco__check_collection_repeated_keys(f, c->doc.root);
    taco__findings_set_place(f, "COLLECTION.json");
    taco__rules_check_collection(&c->doc, false, taco__check_collection_report, f);
    taco__check_collection_field_schema(f, c->field_schema);
    taco__findings_end_table(f, "COLLECTION.json");
}

/* ---- the collection against the tables ---- */

/* True if a FOLDER has exactly the children that a pattern lists, by id and type, in order. */
static bool taco__check_collection_pattern(const taco__check_tree_state *t, uint32_t level,
                                           size_t row, const taco__pit_pattern *p)
{
    const int32_t *kids;
    size_t n = taco__check_tree_children(t, level, row, &kids), i;
    for (i = 0; i < n && i < p->count; i++) {
        if (t->levels[level + 1].key[kids[i]] !=
            taco__findings_hash_path(TACO__FINDINGS_HASH_SEED + p->folders[i], p->ids[i])) {
            return false;
        }
    }
    return n == p->count;
}

/* The patterns of one depth of taco:pit_schema.hierarchy against the level. Level 1 has one
   pattern; deeper ones describe only the FOLDERs of the first pattern above, so tables may hold
   more than the schema lists. In that case, and in subsets, a pattern without a matching FOLDER is
   a warning. */
static void taco__check_collection_patterns(taco__check_tree_state *t, uint32_t depth)
{
    const taco__pit_level *c = &t->s->coll.pit.levels[depth - 1];
    taco__check_tree_level *above = &t->levels[depth - 1];
    int64_t sum = 0;
    size_t i, row;
    taco__findings_set_place(t->f, "COLLECTION.json: taco:pit_schema.hierarchy.%u", TACO__U(depth));
    if (depth < t->count && !c->count) {
        TACO__FINDINGS_ERROR(t->f, "there is no pattern, but there is a level %u", TACO__U(depth));
        return;
    }
    if (depth >= t->count) {
        if (c->count) {
            TACO__FINDINGS_ERROR(t->f, "describes level %u, which is missing", TACO__U(depth));
        }
        return;
    }
    for (i = 0; i < c->count; i++) {
        sum = sum < 0 || c->patterns[i].n < 0 || c->patterns[i].n > INT32_MAX
                  ? -1
                  : sum + c->patterns[i].n;
        for (row = 0; above->first && row < above->rows; row++) {
            if (above->folder[row] == 1 &&
                taco__check_collection_pattern(t, depth - 1, row, &c->patterns[i])) {
                break;
            }
        }
        if (above->first && row == above->rows) {
            TACO__FINDINGS_REPORT(t->f, depth == 1 && !taco__check_tree_is_subset(t),
                                  "no FOLDER has the children that pattern %u lists", TACO__U(i));
        }
    }
    if (t->levels[depth].l && sum >= 0 && (uint64_t)sum != t->levels[depth].rows) {
        TACO__FINDINGS_WARN(t->f, "n is %d in all, level%u has %u rows", TACO__D(sum),
                            TACO__U(depth), TACO__U(t->levels[depth].rows));
    }
}

/* ---- taco:field_schema against the tables ---- */

/* Types by their names in taco:field_schema, which are Arrow's, in lower case and without what is
   in brackets. Those that Parquet stores as another type have that one. */
static const struct {
    const char *name;
    taco_type type;
} taco__check_collection_types[] = {{"bool", TACO_BOOL},
                                    {"int8", TACO_INT8},
                                    {"int16", TACO_INT16},
                                    {"int32", TACO_INT32},
                                    {"int64", TACO_INT64},
                                    {"duration", TACO_INT64},
                                    {"uint8", TACO_UINT8},
                                    {"uint16", TACO_UINT16},
                                    {"uint32", TACO_UINT32},
                                    {"uint64", TACO_UINT64},
                                    {"halffloat", TACO_HALF},
                                    {"float", TACO_FLOAT},
                                    {"float32", TACO_FLOAT},
                                    {"double", TACO_DOUBLE},
                                    {"float64", TACO_DOUBLE},
                                    {"decimal128", TACO_DECIMAL},
                                    {"decimal256", TACO_DECIMAL},
                                    {"date32", TACO_DATE},
                                    {"date64", TACO_DATE},
                                    {"time32", TACO_TIME},
                                    {"time64", TACO_TIME},
                                    {"timestamp", TACO_TIMESTAMP},
                                    {"string", TACO_TEXT},
                                    {"large_string", TACO_TEXT},
                                    {"binary", TACO_BINARY},
                                    {"large_binary", TACO_BINARY},
                                    {"fixed_size_binary", TACO_BINARY},
                                    {"list", TACO_LIST},
                                    {"large_list", TACO_LIST},
                                    {"fixed_size_list", TACO_LIST},
                                    {"map", TACO_MAP},
                                    {"struct", TACO_STRUCT}};

/* Whether a column may have this type. Names that are not known here, and null, fit any. */
static bool taco__check_collection_is_type(const taco_field *f, taco_bytes text)
{
    taco_type type = f->type == TACO_FIXED || f->type == TACO_UUID ? TACO_BINARY
                     : f->type == TACO_INT96                       ? TACO_TIMESTAMP
                                                                   : f->type;
    size_t i, n = 0;
    while (n < text.len && text.data[n] != '[' && text.data[n] != '<' && text.data[n] != '(') {
        n++;
    }
    text.len = n;
    for (i = 0; i < TACO__COUNT(taco__check_collection_types); i++) {
        if (taco__bytes_equal(text, taco__bytes_text(taco__check_collection_types[i].name))) {
            return type == taco__check_collection_types[i].type || type == TACO_NULL;
        }
    }
    return true;
}

/* One level: columns that its list has must be in the table, with that type, except "path", which
   readers add; and columns of the table, except the format's own, in the list. `names` are the
   columns of the table, `listed` is zeroed, one for each. */
static void taco__check_collection_columns(taco__check_tree_state *t, const taco__level *l,
                                           const taco__json *list, const taco__field_index *names,
                                           bool *listed)
{
    const taco__json *row;
    size_t i;
    for (i = 0, row = taco__json_first(list); i < taco__json_length(list);
         i++, row = taco__json_next(row)) {
        const char *name = taco__json_text(taco__json_at(row, 0));
        taco_bytes text = taco__bytes_text(name), type = taco__json_bytes(taco__json_at(row, 1));
        size_t at = name ? taco__field_index_find(names, name) : SIZE_MAX;
        if (name && at == SIZE_MAX && strcmp(name, "path") != 0) {
            TACO__FINDINGS_WARN(t->f, "lists the column %q, which %s has not", &text, l->name);
        } else if (at != SIZE_MAX) {
            listed[at] = true;
            if (!taco__check_collection_is_type(&l->table.fields[at], type)) {
                TACO__FINDINGS_WARN(t->f, "says %q for the type of %q, which %s does not have",
                                    &type, &text, l->name);
            }
        }
    }
    for (i = 0; i < l->table.field_count; i++) {
        taco_bytes text = taco__bytes_text(l->table.fields[i].name);
        if (!listed[i] && !taco__bytes_starts_with(text, "internal:")) {
            TACO__FINDINGS_WARN(t->f, "does not list the column %q of %s", &text, l->name);
        }
    }
}

/* taco:field_schema against the tables of all levels. */
static bool taco__check_collection_fields(taco__check_tree_state *t, taco_error *err)
{
    const taco__json *schema = t->s->coll.field_schema, *list;
    taco__field_index names;
    char key[] = "level0";
    for (; key[5] < (char)('0' + t->count); key[5]++) {
        const taco__level *l = t->levels[key[5] - '0'].l;
        bool *listed;
        list = taco__json_get(schema, key);
        taco__findings_set_place(t->f, "COLLECTION.json: taco:field_schema.%s", key);
        if (taco__json_is(schema, TACO__JSON_OBJECT) && !list) {
            TACO__FINDINGS_WARN(t->f, "is missing");
        }
        if (!l || !taco__json_is(list, TACO__JSON_ARRAY)) { continue; }
        listed = (bool *)taco__arena_array(t->arena, l->table.field_count + 1, sizeof *listed, err);
        if (!listed) { return false; }
        memset(listed, 0, l->table.field_count * sizeof *listed);
        taco__field_index_init(&names, l->table.fields, l->table.field_count, t->mem);
        taco__check_collection_columns(t, l, list, &names, listed);
        taco__field_index_free(&names);
    }
    return true;
}

/* The pit schema against the tables: root n and type, patterns, shape; then the field schema.
   Needs taco__check_tree_link_children for all levels. */
TACO__FN bool taco__check_collection_tables(taco__check_tree_state *t, taco_error *err)
{
    bool ok;
    const taco__pit *pit = &t->s->coll.pit;
    taco__check_tree_level *v = &t->levels[0];
    uint32_t d;
    taco__findings_set_place(t->f, "COLLECTION.json: taco:pit_schema.root");
    if (v->l && pit->n < 0) {
        const taco__json *n = taco__json_get(taco__json_get(t->s->coll.pit_schema, "root"), "n");
        TACO__FINDINGS_REPORT(t->f, !taco__rules_is_null(n),
                              taco__rules_is_null(n) ? "n is missing"
                                                     : "n must be an integer, 0 or more");
    } else if (v->l && (uint64_t)pit->n != v->rows) {
        TACO__FINDINGS_ERROR(t->f, "taco:pit_schema: root n is %d, level0 has %u rows",
                             TACO__D(pit->n), TACO__U(v->rows));
    }
    if (v->l && v->rows && v->folder[0] < 2 && pit->folders != (v->folder[0] == 1)) {
        TACO__FINDINGS_ERROR(t->f, "type is %s, but the samples of level0 are of type %s",
                             taco__collection_type_name(pit->folders),
                             taco__collection_type_name(v->folder[0] == 1));
    }
    for (d = 1; d <= TACO__PIT_MAX_DEPTH; d++) {
        taco__check_collection_patterns(t, d);
    }
    taco__findings_set_place(t->f, "COLLECTION.json: taco:pit_schema.shape");
    if (pit->shape && v->l &&
        (pit->shape_count != t->count || (uint64_t)pit->shape[0] != v->rows)) {
        TACO__FINDINGS_WARN(t->f, "says %u levels and %d samples, there are %u and %u",
                            TACO__U(pit->shape_count), TACO__D(pit->shape[0]), TACO__U(t->count),
                            TACO__U(v->rows));
    }
    ok = taco__check_collection_fields(t, err);
    taco__findings_end_table(t->f, "COLLECTION.json");
    return ok;
}
