/* schema_union.c - the columns of a level over all containers of a dataset

   In: the tables of one level, and the column mode. Out: ds->schema[level]: each name once, with a
   type that can hold those of all containers (type_union.c), in order of first occurrence. A column
   that not all containers have is dropped, filled with nulls, or refused, as the mode says (TACO
   2.0 §7.2.4); the caller's warn function is told. In strict mode all levels of all containers are
   compared before the first is made (schema_differences.c). One container has the columns of its
   table.

   taco__schema_union_level_fields handles a level once, on first use. */
#include "container.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"

/* Bytes for names of datasets in a message; the others are counted. */
#define TACO__SCHEMA_UNION_NAMES 160

/* What the containers have of one column. */
typedef struct taco__schema_union_column {
    /* its name, and the type that can hold those of all containers */
    taco_field field;
    /* containers that have it, and the number of containers */
    size_t have, all;
    /* it is not stored with the same type everywhere */
    bool mixed;
    /* the column names of each container's table */
    const taco__field_index *tables;
} taco__schema_union_column;

/* ---- one column ---- */

/* Extends the type of a column to hold that of another container, too. */
static TACO__ONCE bool taco__schema_union_add_type(taco_dataset *ds, uint32_t level,
                                                   const taco__container *s,
                                                   const taco_field *other,
                                                   taco__schema_union_column *c, taco_error *err)
{
    taco_field both;
    taco_bytes name;
    if (taco__unify_same_type(&c->field, other)) { return true; }
    c->mixed = true;
    if (taco__unify_type(&ds->arena, &c->field, other, &both, err)) {
        c->field = both;
        return true;
    }
    name = taco__bytes_text(c->field.name);
    TACO__FAIL(
        err, TACO_ERR_TYPE, TACO_NO_OFFSET,
        "column %q of level %u has another type than in %s, and no type holds the values of both",
        &name, TACO__U(level), ds->stores[0].name);
    return taco__container_fail(s, NULL, err);
}

/* Searches a column in all containers; its field is that of the first one. */
static TACO__ONCE bool taco__schema_union_find_column(taco_dataset *ds, uint32_t level,
                                                      taco__schema_union_column *c, taco_error *err)
{
    size_t i, at;
    for (i = 0; i < ds->container_count; i++) {
        const taco__table *t = &ds->stores[i].levels[level].table;
        c->all++;
        at = taco__field_index_find(&c->tables[i], c->field.name);
        if (at == TACO__NONE) { continue; }
        c->have++;
        if (!taco__schema_union_add_type(ds, level, &ds->stores[i], &t->fields[at], c, err)) {
            return false;
        }
    }
    return true;
}

/* ---- columns that some containers lack ---- */

/* The names of the datasets whose level has a column, or lacks it; as many as fit in a message. */
static TACO__ONCE bool taco__schema_union_list_datasets(taco_dataset *ds,
                                                        const taco__schema_union_column *c,
                                                        bool has, taco__buf *out, taco_error *err)
{
    size_t i, left = 0;
    char digits[24];
    bool ok = true;
    for (i = 0; ok && i < ds->container_count; i++) {
        const taco__container *s = &ds->stores[i];
        if ((taco__field_index_find(&c->tables[i], c->field.name) != SIZE_MAX) != has) { continue; }
        if (out->len && out->len + strlen(s->name) > TACO__SCHEMA_UNION_NAMES) {
            left++;
            continue;
        }
        ok = (!out->len || taco__buf_append_text(out, ", ", err)) &&
             taco__buf_append_text(out, s->name, err);
    }
    if (ok && left) {
        ok = taco__buf_append_text(out, " and ", err) &&
             taco__buf_append(out, digits, taco__num_format_u64(digits, left), err) &&
             taco__buf_append_text(out, " more", err);
    }
    return ok && taco__buf_append_char(out, 0, err);
}

/* Warns about what happens to the column, if the caller wants warnings. */
static TACO__ONCE void taco__schema_union_warn(taco_dataset *ds, uint32_t level,
                                               const taco__schema_union_column *c,
                                               const char *where)
{
    taco_bytes name = taco__bytes_text(c->field.name);
    taco_error w;
    memset(&w, 0, sizeof w);
    if (!ds->options.warn) { return; }
    if (ds->mode == TACO_COLUMNS_FILL_MISSING) {
        TACO__FAIL(&w, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q of level %u is in %u of %u datasets: filled with nulls in %s", &name,
                   TACO__U(level), TACO__U(c->have), TACO__U(c->all), where);
    } else {
        TACO__FAIL(&w, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q of level %u is in %u of %u datasets: dropped from %s", &name,
                   TACO__U(level), TACO__U(c->have), TACO__U(c->all), where);
    }
    ds->options.warn(ds->options.warn_ctx, &w);
}

/* Warns that not all datasets have a column, naming those that have it, or those that lack it if it
   is filled with nulls. */
static TACO__ONCE bool taco__schema_union_report_missing(taco_dataset *ds, uint32_t level,
                                                         const taco__schema_union_column *c,
                                                         taco_error *err)
{
    bool ok;
    taco__buf list;
    memset(&list, 0, sizeof list);
    list.mem = &ds->mem;
    ok = taco__schema_union_list_datasets(ds, c, ds->mode != TACO_COLUMNS_FILL_MISSING, &list, err);
    if (ok) { taco__schema_union_warn(ds, level, c, (const char *)list.data); }
    taco__buf_free(&list);
    return ok;
}

/* ---- all columns ---- */

/* Whether a new column belongs to the level; searches it in all containers. */
static TACO__ONCE bool taco__schema_union_take_column(taco_dataset *ds, uint32_t level,
                                                      taco__schema_union_column *c, bool *takes,
                                                      taco_error *err)
{
    *takes = true;
    if (!TACO__WITH_MANY || ds->container_count == 1) { return true; }
    if (!taco__schema_union_find_column(ds, level, c, err)) { return false; }
    if (c->have == c->all) { return true; }
    /* every row has a source file */
    *takes = strcmp(c->field.name, TACO__SOURCE_FILE) != 0;
    if (!*takes) { return true; }
    *takes = ds->mode != TACO_COLUMNS_INTERSECTION;
    return taco__schema_union_report_missing(ds, level, c, err);
}

/* Adds the columns of container s that no container before it has. */
static TACO__ONCE bool taco__schema_union_add_table(taco_dataset *ds, uint32_t level, size_t s,
                                                    const taco__field_index *tables,
                                                    taco__level_schema *out, taco_error *err)
{
    const taco__level *l = &ds->stores[s].levels[level];
    const taco__table *t = &l->table;
    size_t k, count = l->shown ? l->shown_count : t->field_count;
    for (k = 0; k < count; k++) {
        size_t i = l->shown ? l->shown[k] : k;
        taco__schema_union_column c;
        taco__hash_slot *slot = NULL;
        bool takes, added = true;
        if (TACO__WITH_MANY && ds->container_count > 1) {
            slot =
                taco__hash_map_add(&out->names, taco__bytes_text(t->fields[i].name), &added, err);
            if (!slot) { return false; }
        }
        if (s && !added) { continue; }
        memset(&c, 0, sizeof c);
        c.tables = tables;
        c.field = t->fields[i];
        if (!taco__schema_union_take_column(ds, level, &c, &takes, err)) { return false; }
        if (slot && added) { slot->value = takes ? out->count : UINT64_MAX; }
        if (takes) {
            out->mixed[out->count] = c.mixed;
            out->fields[out->count++] = c.field;
        }
    }
    return true;
}

/* Adds a null column to the table of a level for each column that only other containers have, so
   that predicates may name them. */
static TACO__ONCE bool taco__schema_union_add_null_columns(taco_dataset *ds, taco__table *t,
                                                           const taco__field_index *names,
                                                           const taco__level_schema *all,
                                                           taco_error *err)
{
    taco_field *fields = (taco_field *)taco__arena_array(&ds->arena, t->field_count + all->count,
                                                         sizeof *fields, err);
    size_t i, n = t->field_count;
    if (!fields) { return false; }
    memcpy(fields, t->fields, n * sizeof *fields);
    for (i = 0; i < all->count; i++) {
        if (taco__field_index_find(names, all->fields[i].name) == SIZE_MAX) {
            fields[n].name = all->fields[i].name;
            fields[n].type = TACO_NULL;
            fields[n++].nullable = true;
        }
    }
    t->fields = fields;
    t->field_count = n;
    return true;
}

/* Opens a level in all containers and makes room for all columns. */
static TACO__ONCE bool taco__schema_union_init(taco_dataset *ds, uint32_t level,
                                               taco__level_schema *out, taco_error *err)
{
    size_t s, max = 1;
    memset(out, 0, sizeof *out);
    out->names.mem = &ds->mem;
    for (s = 0; s < ds->container_count; s++) {
        taco__level *l = taco__container_level(&ds->stores[s], level, err);
        if (!l) { return false; }
        max += l->table.field_count;
    }
    out->fields = (taco_field *)taco__arena_array(&ds->arena, max, sizeof *out->fields, err);
    out->mixed = (bool *)taco__arena_array(&ds->arena, max, sizeof *out->mixed, err);
    return out->fields && out->mixed;
}

/* Strict mode: the columns of all levels must be the same in all containers, or the error names all
   differences (§7.2.4). */
static TACO__ONCE bool taco__schema_union_check_strict(taco_dataset *ds, taco_error *err)
{
    taco__differences d;
    uint32_t level;
    size_t s;
    taco__differences_init(&d, &ds->options);
    for (s = 1; s < ds->container_count; s++) {
        for (level = 0; level < ds->stores[0].level_count; level++) {
            taco__level *a = taco__container_level(&ds->stores[0], level, err);
            taco__level *b = a ? taco__container_level(&ds->stores[s], level, err) : NULL;
            taco__differing first, other;
            if (!b) { return false; }
            first.name = ds->stores[0].name;
            other.name = ds->stores[s].name;
            first.level = other.level = level;
            first.fields = a->table.fields;
            first.count = a->table.field_count;
            other.fields = b->table.fields;
            other.count = b->table.field_count;
            if (!taco__differences_compare(&d, &first, &other, TACO__SOURCE_FILE, false, &ds->mem,
                                           err)) {
                return false;
            }
        }
    }
    return taco__differences_none(&d, err);
}

/* True if no level has its columns yet. */
static TACO__ONCE bool taco__schema_union_is_new(const taco_dataset *ds)
{
    uint32_t i;
    for (i = 0; i < TACO__MAX_LEVELS && !ds->schema[i].fields; i++) {}
    return i == TACO__MAX_LEVELS;
}

/* Adds the columns of all containers, and null columns for those they lack; tables has the names of
   each. */
static bool taco__schema_union_add_tables(taco_dataset *ds, uint32_t level,
                                          const taco__field_index *tables, taco__level_schema *all,
                                          taco_error *err)
{
    size_t s;
    for (s = 0; s < ds->container_count; s++) {
        if (!taco__schema_union_add_table(ds, level, s, tables, all, err)) { return false; }
    }
    for (s = 0; TACO__WITH_MANY && ds->mode == TACO_COLUMNS_FILL_MISSING && s < ds->container_count;
         s++) {
        if (!taco__schema_union_add_null_columns(ds, &ds->stores[s].levels[level].table, &tables[s],
                                                 all, err)) {
            return false;
        }
    }
    return true;
}

/* Makes ds->schema[level], once. Afterwards the level's tables are open. */
TACO__FN TACO__ONCE bool taco__schema_union_level_fields(taco_dataset *ds, uint32_t level,
                                                         taco_error *err)
{
    taco__level_schema all;
    taco__field_index *tables;
    size_t s, n = ds->container_count;
    bool ok;
    if (ds->schema[level].fields) { return true; }
    if (TACO__WITH_MANY && ds->mode == TACO_COLUMNS_STRICT && taco__schema_union_is_new(ds) &&
        !taco__schema_union_check_strict(ds, err)) {
        return false;
    }
    if (!taco__schema_union_init(ds, level, &all, err)) { return false; }
    tables = (taco__field_index *)taco__arena_array(&ds->arena, n, sizeof *tables, err);
    for (s = 0; tables && s < n; s++) {
        const taco__table *t = &ds->stores[s].levels[level].table;
        /* with one container, no names are looked up */
        taco__field_index_init(&tables[s], t->fields, n > 1 ? t->field_count : 0, &ds->mem);
    }
    ok = tables && taco__schema_union_add_tables(ds, level, tables, &all, err);
    for (s = 0; tables && s < n; s++) {
        taco__field_index_free(&tables[s]);
    }
    if (ok) {
        ds->schema[level] = all;
    } else {
        taco__hash_map_free(&all.names);
    }
    return ok;
}

/* Whether a column is stored with several types: conditions on it must be tested on the cast
   values. False until the level has been used. */
TACO__FN TACO__ONCE bool taco__schema_union_is_mixed(const taco_dataset *ds, uint32_t level,
                                                     const char *name)
{
    const taco__level_schema *s = &ds->schema[level];
    const taco__hash_slot *slot =
        s->fields ? taco__hash_map_find(&s->names, taco__bytes_text(name)) : NULL;
    return slot && slot->value < s->count && s->mixed[slot->value];
}
