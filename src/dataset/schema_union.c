/* schema_union.c - a query bound to the tables of a dataset, and the cursor over its rows.. Spec:
   TACO 2.0 §7.2.2, §7.2.3 */
#include "dataset.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* ---- the columns of a level over all stores
   ------------------------------------------------------ */

/* In how many stores a level has the column, and the type that takes all of them up; *clash: they
   are not all the same. */
static bool taco__schema_union_find_column(taco_dataset *ds, uint32_t level, taco_field *f,
                                           size_t *have, size_t *all, bool *clash, taco_error *err)
{
    size_t i, c;
    *have = *all = 0;
    *clash = false;
    for (i = 0; i < ds->container_count; i++) {
        taco__level *l = taco__container_level(&ds->stores[i], level, err);
        taco_field both;
        if (!l) { return false; }
        ++*all;
        c = taco__table_find_column(&l->table, f->name);
        if (c == TACO__NONE) { continue; }
        ++*have;
        if (taco__unify_same_type(f, &l->table.fields[c])) { continue; }
        *clash = true;
        if (!taco__unify_type(&ds->arena, f, &l->table.fields[c], &both, err)) {
            taco_bytes name = taco__bytes_text(f->name);
            TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "column %q of level %u has another type than in %s, and there is none for "
                       "both",
                       &name, TACO__U(level), ds->stores[0].name);
            return taco__container_fail(&ds->stores[i], NULL, err);
        }
        *f = both;
    }
    return true;
}

/* The datasets whose level has a column, or lacks it, by name; as many as a message holds. */
static bool taco__schema_union_list_datasets(taco_dataset *ds, uint32_t level, const char *column,
                                             bool has, taco__buf *out, taco_error *err)
{
    size_t i, left = 0;
    bool ok = true;
    out->len = 0;
    for (i = 0; ok && i < ds->container_count; i++) {
        const taco__container *s = &ds->stores[i];
        size_t n = strlen(s->name);
        if ((taco__table_find_column(&s->levels[level].table, column) != TACO__NONE) != has) {
            continue;
        }
        if (out->len && out->len + n > 160) {
            left++;
            continue;
        }
        ok = (!out->len || taco__buf_append_text(out, ", ", err)) &&
             taco__buf_append_text(out, s->name, err);
    }
    if (ok && left) {
        char digits[24];
        ok = taco__buf_append_text(out, " and ", err) &&
             taco__buf_append(out, digits, taco__num_format_u64(digits, left), err) &&
             taco__buf_append_text(out, " more", err);
    }
    return ok && taco__buf_append_char(out, 0, err);
}

/* Tells that not all datasets have a column: a failure in strict mode, else a warning that says
   where. */
static bool taco__schema_union_report_missing(taco_dataset *ds, uint32_t level, const char *column,
                                              size_t have, size_t all, taco_error *err)
{
    bool fill = ds->mode == TACO_COLUMNS_FILL_MISSING;
    taco_bytes name = taco__bytes_text(column);
    taco__buf where;
    taco_error w;
    bool ok;
    memset(&where, 0, sizeof where);
    memset(&w, 0, sizeof w);
    where.mem = &ds->mem;
    ok = taco__schema_union_list_datasets(ds, level, column, !fill, &where, err);
    if (ok && ds->mode == TACO_COLUMNS_STRICT) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q of level %u is in %u of %u datasets (%s), --column-mode strict wants "
                   "it in all",
                   &name, TACO__U(level), TACO__U(have), TACO__U(all), (const char *)where.data);
        ok = false;
    } else if (ok && ds->options.warn && fill) {
        TACO__FAIL(&w, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q of level %u is in %u of %u datasets: filled with nulls in %s", &name,
                   TACO__U(level), TACO__U(have), TACO__U(all), (const char *)where.data);
    } else if (ok && ds->options.warn) {
        TACO__FAIL(&w, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q of level %u is in %u of %u datasets: dropped from %s", &name,
                   TACO__U(level), TACO__U(have), TACO__U(all), (const char *)where.data);
    }
    if (w.code != TACO_OK) { ds->options.warn(ds->options.warn_ctx, &w); }
    taco__buf_free(&where);
    return ok;
}

/* Gives the table of a level a column of nulls for each that only other stores have: predicates may
   name them. */
static bool taco__schema_union_add_null_columns(taco_dataset *ds, taco__table *t,
                                                const taco_field *all, size_t count,
                                                taco_error *err)
{
    taco_field *fields =
        (taco_field *)taco__arena_array(&ds->arena, t->field_count + count, sizeof *fields, err);
    size_t i, n = t->field_count;
    if (!fields) { return false; }
    memcpy(fields, t->fields, n * sizeof *fields);
    for (i = 0; i < count; i++) {
        if (taco__table_find_column(t, all[i].name) == TACO__NONE) {
            fields[n].name = all[i].name;
            fields[n].type = TACO_NULL;
            fields[n++].nullable = true;
        }
    }
    t->fields = fields;
    t->field_count = n;
    return true;
}

TACO__FN bool taco__schema_union_level_fields(taco_dataset *ds, uint32_t level, taco_error *err)
{
    size_t s, c, n = 0, max = 0, have, all;
    taco_field *out, f;
    bool *mixed, clash;
    if (ds->schema[level].fields) { return true; }
    for (s = 0; s < ds->container_count; s++) {
        taco__level *l = taco__container_level(&ds->stores[s], level, err);
        if (!l) { return false; }
        max += l->table.field_count;
    }
    out = (taco_field *)taco__arena_array(&ds->arena, max + 1, sizeof *out, err);
    mixed = (bool *)taco__arena_array(&ds->arena, max + 1, sizeof *mixed, err);
    if (!out || !mixed) { return false; }
    for (s = 0; s < ds->container_count; s++) {
        const taco__table *t = &ds->stores[s].levels[level].table;
        for (c = 0; c < t->field_count; c++) {
            size_t k;
            for (k = 0; s && k < n && strcmp(out[k].name, t->fields[c].name) != 0; k++) {}
            if (s && k < n) { continue; }
            f = t->fields[c];
            have = all = 0;
            clash = false;
            if (ds->container_count > 1 &&
                !taco__schema_union_find_column(ds, level, &f, &have, &all, &clash, err)) {
                return false;
            }
            if (have < all && strcmp(f.name, TACO__SOURCE_FILE) == 0) {
                continue; /* all rows get one */
            }
            if (have < all) {
                if (!taco__schema_union_report_missing(ds, level, f.name, have, all, err)) {
                    return false;
                }
                if (ds->mode == TACO_COLUMNS_INTERSECTION) { continue; }
            }
            mixed[n] = clash;
            out[n++] = f;
        }
    }
    for (s = 0; ds->mode == TACO_COLUMNS_FILL_MISSING && s < ds->container_count; s++) {
        if (!taco__schema_union_add_null_columns(ds, &ds->stores[s].levels[level].table, out, n,
                                                 err)) {
            return false;
        }
    }
    ds->schema[level].fields = out;
    ds->schema[level].mixed = mixed;
    ds->schema[level].count = n;
    return true;
}

/* Whether a column is stored under several types: what tests it must test the values that come
   out. */
TACO__FN bool taco__schema_union_is_mixed(const taco_dataset *ds, uint32_t level, const char *name)
{
    size_t i;
    for (i = 0; ds->schema[level].mixed && i < ds->schema[level].count; i++) {
        if (strcmp(ds->schema[level].fields[i].name, name) == 0) {
            return ds->schema[level].mixed[i];
        }
    }
    return false;
}
