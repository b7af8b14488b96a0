/* schema_union.c - the columns of a level over all containers of a dataset.

   In: the tables of one level, and the column mode. Out: ds->schema[level]: each name once, under a
   type that takes up those of all containers (type_union.c), in the order in which they are met. A
   column that not all containers have is dropped, filled with nulls, or refused, as the mode says
   (TACO 2.0 §7.2.4); the caller's warn function hears of it. One container has the columns of its
   table.

   taco__schema_union_level_fields does a level once, when it is first asked for. */
#include "container.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* Names of datasets in a message, in bytes; the others are counted. */
#define TACO__SCHEMA_UNION_NAMES 160

/* What the containers have of one column. */
typedef struct taco__schema_union_column {
    /* its name, and the type that takes all of them up */
    taco_field field;
    /* containers that have it, and all of them */
    size_t have, all;
    /* they do not store it under the same type */
    bool mixed;
} taco__schema_union_column;

/* ---- one column ---- */

/* Extends the type of a column by that of another container. */
static bool taco__schema_union_add_type(taco_dataset *ds, uint32_t level, const taco__container *s,
                                        const taco_field *other, taco__schema_union_column *c,
                                        taco_error *err)
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
    TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
               "column %q of level %u has another type than in %s, and there is none for both",
               &name, TACO__U(level), ds->stores[0].name);
    return taco__container_fail(s, NULL, err);
}

/* Looks for a column, whose field is that of the first container with it, in all containers. */
static bool taco__schema_union_find_column(taco_dataset *ds, uint32_t level,
                                           taco__schema_union_column *c, taco_error *err)
{
    size_t i, at;
    for (i = 0; i < ds->container_count; i++) {
        const taco__table *t = &ds->stores[i].levels[level].table;
        c->all++;
        at = taco__table_find_column(t, c->field.name);
        if (at == TACO__NONE) { continue; }
        c->have++;
        if (!taco__schema_union_add_type(ds, level, &ds->stores[i], &t->fields[at], c, err)) {
            return false;
        }
    }
    return true;
}

/* ---- columns that some containers lack ---- */

static bool taco__schema_union_has_column(const taco__container *s, uint32_t level,
                                          const char *column)
{
    return taco__table_find_column(&s->levels[level].table, column) != TACO__NONE;
}

/* The datasets whose level has a column, or lacks it, by name; as many as a message holds. */
static bool taco__schema_union_list_datasets(taco_dataset *ds, uint32_t level, const char *column,
                                             bool has, taco__buf *out, taco_error *err)
{
    size_t i, left = 0;
    char digits[24];
    bool ok = true;
    for (i = 0; ok && i < ds->container_count; i++) {
        const taco__container *s = &ds->stores[i];
        if (taco__schema_union_has_column(s, level, column) != has) { continue; }
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

/* A warning of what becomes of the column, to the caller that wants warnings. */
static void taco__schema_union_warn(taco_dataset *ds, uint32_t level,
                                    const taco__schema_union_column *c, const char *where)
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

/* Reports that not all datasets have a column: a failure in strict mode, else a warning that says
   which have it, or which lack it where it is filled. */
static bool taco__schema_union_report_missing(taco_dataset *ds, uint32_t level,
                                              const taco__schema_union_column *c, taco_error *err)
{
    bool strict = ds->mode == TACO_COLUMNS_STRICT, ok;
    taco_bytes name = taco__bytes_text(c->field.name);
    taco__buf list;
    memset(&list, 0, sizeof list);
    list.mem = &ds->mem;
    ok = taco__schema_union_list_datasets(ds, level, c->field.name,
                                          ds->mode != TACO_COLUMNS_FILL_MISSING, &list, err);
    if (ok && strict) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q of level %u is in %u of %u datasets (%s), --column-mode strict wants "
                   "it in all",
                   &name, TACO__U(level), TACO__U(c->have), TACO__U(c->all),
                   (const char *)list.data);
    } else if (ok) {
        taco__schema_union_warn(ds, level, c, (const char *)list.data);
    }
    taco__buf_free(&list);
    return ok && !strict;
}

/* ---- all columns ---- */

/* Whether a column that is new is one of the level; it is looked for in all containers. */
static bool taco__schema_union_take_column(taco_dataset *ds, uint32_t level,
                                           taco__schema_union_column *c, bool *takes,
                                           taco_error *err)
{
    *takes = true;
    if (ds->container_count == 1) { return true; }
    if (!taco__schema_union_find_column(ds, level, c, err)) { return false; }
    if (c->have == c->all) { return true; }
    /* all rows get a source file */
    *takes = strcmp(c->field.name, TACO__SOURCE_FILE) != 0;
    if (!*takes) { return true; }
    *takes = ds->mode != TACO_COLUMNS_INTERSECTION;
    return taco__schema_union_report_missing(ds, level, c, err);
}

/* Adds the columns of container s that none before it has. */
static bool taco__schema_union_add_table(taco_dataset *ds, uint32_t level, size_t s,
                                         taco__level_schema *out, taco_error *err)
{
    const taco__table *t = &ds->stores[s].levels[level].table;
    size_t i, k;
    for (i = 0; i < t->field_count; i++) {
        taco__schema_union_column c;
        bool takes;
        for (k = 0; s && k < out->count && strcmp(out->fields[k].name, t->fields[i].name) != 0;
             k++) {}
        if (s && k < out->count) { continue; }
        memset(&c, 0, sizeof c);
        c.field = t->fields[i];
        if (!taco__schema_union_take_column(ds, level, &c, &takes, err)) { return false; }
        if (takes) {
            out->mixed[out->count] = c.mixed;
            out->fields[out->count++] = c.field;
        }
    }
    return true;
}

/* Gives the table of a level a column of nulls for each that only other containers have: predicates
   may name them. */
static bool taco__schema_union_add_null_columns(taco_dataset *ds, taco__table *t,
                                                const taco__level_schema *all, taco_error *err)
{
    taco_field *fields = (taco_field *)taco__arena_array(&ds->arena, t->field_count + all->count,
                                                         sizeof *fields, err);
    size_t i, n = t->field_count;
    if (!fields) { return false; }
    memcpy(fields, t->fields, n * sizeof *fields);
    for (i = 0; i < all->count; i++) {
        if (taco__table_find_column(t, all->fields[i].name) == TACO__NONE) {
            fields[n].name = all->fields[i].name;
            fields[n].type = TACO_NULL;
            fields[n++].nullable = true;
        }
    }
    t->fields = fields;
    t->field_count = n;
    return true;
}

/* Opens a level in all containers and makes room for the columns of all. */
static bool taco__schema_union_init(taco_dataset *ds, uint32_t level, taco__level_schema *out,
                                    taco_error *err)
{
    size_t s, max = 1;
    memset(out, 0, sizeof *out);
    for (s = 0; s < ds->container_count; s++) {
        taco__level *l = taco__container_level(&ds->stores[s], level, err);
        if (!l) { return false; }
        max += l->table.field_count;
    }
    out->fields = (taco_field *)taco__arena_array(&ds->arena, max, sizeof *out->fields, err);
    out->mixed = (bool *)taco__arena_array(&ds->arena, max, sizeof *out->mixed, err);
    return out->fields && out->mixed;
}

/* Makes ds->schema[level], once. The level's tables are open afterwards. */
TACO__FN bool taco__schema_union_level_fields(taco_dataset *ds, uint32_t level, taco_error *err)
{
    taco__level_schema all;
    size_t s;
    if (ds->schema[level].fields) { return true; }
    if (!taco__schema_union_init(ds, level, &all, err)) { return false; }
    for (s = 0; s < ds->container_count; s++) {
        if (!taco__schema_union_add_table(ds, level, s, &all, err)) { return false; }
    }
    for (s = 0; ds->mode == TACO_COLUMNS_FILL_MISSING && s < ds->container_count; s++) {
        if (!taco__schema_union_add_null_columns(ds, &ds->stores[s].levels[level].table, &all,
                                                 err)) {
            return false;
        }
    }
    ds->schema[level] = all;
    return true;
}

/* Whether a column is stored under several types: conditions on it must be tested on the values
   that come out. False as long as the level was not asked for. */
TACO__FN bool taco__schema_union_is_mixed(const taco_dataset *ds, uint32_t level, const char *name)
{
    const taco__level_schema *s = &ds->schema[level];
    size_t i;
    for (i = 0; i < s->count; i++) {
        if (strcmp(s->fields[i].name, name) == 0) { return s->mixed[i]; }
    }
    return false;
}
