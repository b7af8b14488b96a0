/* sample_rows.c - rows of the tables about samples, found by the path of their sample

   In: tables with a column `id`, the path of a sample below the source directory (tile_1/a.tif);
   out: for each table the levels that it covers and the columns of each, and a hash map from
   path to row. Used for directories (from_directory.c) and for added columns
   (add_columns.c).

   A level is the number of '/' in the path. If a table covers one level, all its columns belong to
   it; if it covers several, a column belongs to those where it has values. Two rows for the same
   sample are an error.

   Example: rows with id "t1", "t1/a.tif" and columns cloud (only of t1) and band (only of
   t1/a.tif): cloud belongs to level 0, band to level 1. The keys of the map point into the tables,
   so that it is valid only while these are open. */
#include "write.h"
#include "../base/base.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"

/* ---- rows by the path of their sample ---- */

/* The path that a row of a table refers to. */
TACO__FN taco_bytes taco__sample_rows_id(const taco__sample_rows_table *t, size_t row)
{
    return taco_array_bytes(&t->rows->columns[t->id], row);
}

/* The row for a path: table << 32 | row, or TACO__SAMPLE_ROWS_NONE. */
TACO__FN uint64_t taco__sample_rows_find(const taco__from_dir *g, taco_bytes id)
{
    const taco__hash_slot *slot = taco__hash_map_find(&g->by_id, id);
    return slot ? slot->value : TACO__SAMPLE_ROWS_NONE;
}

/* Marks a row whose sample was found; the sample must have the type in the row's column `type`, if
   there is one (tables from a query have it). */
TACO__FN bool taco__sample_rows_meet(taco__from_dir *g, uint64_t found, bool folder,
                                     taco_error *err)
{
    taco__sample_rows_table *t = &g->tables[found >> 32];
    size_t row = (size_t)(found & UINT32_MAX);
    const taco_array *type = t->type < t->count ? &t->rows->columns[t->type] : NULL;
    taco_bytes id = taco__sample_rows_id(t, row), said;
    t->seen[row] = 1;
    if (!type || type->field->type != TACO_TEXT || !taco_array_valid(type, row)) { return true; }
    said = taco_array_bytes(type, row);
    if (taco__bytes_equal(said, taco__bytes_text(taco__collection_type_name(folder)))) {
        return true;
    }
    TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "row %u: type is %q, %q is a %s",
               TACO__U(row + 1), &said, &id, taco__collection_type_name(folder));
    return false;
}

/* The level of a path. */
static uint32_t taco__sample_rows_level(taco_bytes id)
{
    uint32_t n = 0;
    size_t i;
    for (i = 0; i < id.len; i++) {
        n += id.data[i] == '/';
    }
    return n;
}

/* Reports an invalid id of a row; always false. */
static bool taco__sample_rows_refuse(taco__from_dir *g, size_t row, taco_bytes id,
                                     const char *fault)
{
    TACO__FAIL(g->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "row %u: id %q %s", TACO__U(row + 1), &id,
               fault);
    return false;
}

/* True if a path is written as paths of samples are: no other spelling of it names a sample, though
   the file system would find its file. */
static bool taco__sample_rows_is_normal(taco_bytes id)
{
    size_t from = 0, i;
    for (i = 0; i <= id.len; i++) {
        if (i < id.len && id.data[i] == '\\') { return false; }
        if (i < id.len && id.data[i] != '/') { continue; }
        if (i == from || (id.data[from] == '.' &&
                          (i == from + 1 || (i == from + 2 && id.data[from + 1] == '.')))) {
            return false;
        }
        from = i + 1;
    }
    return true;
}

/* Enters a row; *levels counts the levels of the table. */
static bool taco__sample_rows_add(taco__from_dir *g, size_t number, size_t row, size_t *levels)
{
    taco__sample_rows_table *t = &g->tables[number];
    taco_bytes id = taco__sample_rows_id(t, row);
    uint32_t level = taco__sample_rows_level(id);
    taco__hash_slot *slot;
    bool added;
    size_t i;
    if (!id.len || level >= TACO__MAX_LEVELS) {
        return taco__sample_rows_refuse(g, row, id, id.len ? "lies too deep" : "is empty");
    }
    if (!taco__sample_rows_is_normal(id)) {
        return taco__sample_rows_refuse(
            g, row, id,
            "is not a path of names, such as tile_1/a.tif: without '.', '..', '\\' and "
            "superfluous '/'");
    }
    slot = taco__hash_map_add(&g->by_id, id, &added, g->err);
    if (!slot) { return false; }
    if (!added) { return taco__sample_rows_refuse(g, row, id, "has a row before"); }
    slot->value = (uint64_t)number << 32 | row;
    if (!t->level[level]) {
        t->used[level] = (uint8_t *)taco__arena_alloc(&g->arena, t->count, g->err);
        t->level[level] = t->used[level] != NULL;
        ++*levels;
    }
    for (i = 0; t->level[level] && i < t->count; i++) {
        t->used[level][i] |= taco_array_valid(&t->rows->columns[i], row);
    }
    return true;
}

/* Enters the rows of a table, and assigns its columns to levels: if it has rows of several levels,
   a column belongs to those where it has values. */
static bool taco__sample_rows_add_table(taco__from_dir *g, size_t number)
{
    taco__sample_rows_table *t = &g->tables[number];
    size_t row, i, levels = 0;
    uint32_t level;
    for (row = 0; row < t->rows->length; row++) {
        if (!taco__sample_rows_add(g, number, row, &levels)) { return false; }
    }
    for (level = 0; level < TACO__MAX_LEVELS; level++) {
        for (i = 0; t->level[level] && i < t->count; i++) {
            taco_bytes name = taco__bytes_text(t->fields[i].name);
            t->used[level][i] =
                (levels == 1 || t->used[level][i]) && !taco__rules_is_format_column(name);
        }
    }
    t->seen = (uint8_t *)taco__arena_alloc(&g->arena, t->rows->length, g->err);
    return t->seen != NULL;
}

/* Refuses columns that would be lost: those with the format's names, except for `id`, `type` if it
   is text and can be compared, and what a query has added, which the writer makes again. */
static bool taco__sample_rows_check_names(const taco__sample_rows_table *t, taco_error *err)
{
    size_t i;
    for (i = 0; i < t->count; i++) {
        const taco_field *f = &t->fields[i];
        bool known = i == t->id ||
                     (i == t->type && (f->type == TACO_TEXT || f->type == TACO_NULL)) ||
                     (strncmp(f->name, "internal:", 9) == 0 &&
                      taco__rules_is_format_column(taco__bytes_text(f->name)));
        if (!known && taco__rules_check_own_name(taco__bytes_text(f->name), err) != TACO_OK) {
            return false;
        }
    }
    return true;
}

/* Opens a table; it must have a column `id` of text. */
static bool taco__sample_rows_open_table(taco__from_dir *g, const char *path)
{
    taco__sample_rows_table *t = &g->tables[g->table_count];
    t->table = taco__sample_table_open(path, &g->options, !g->create.fill, g->err);
    if (!t->table) { return false; }
    g->table_count++;
    t->rows = taco_table_rows(t->table);
    t->fields = taco_table_fields(t->table, &t->count);
    t->id = taco__sample_table_find_field(t->fields, t->count, "id");
    t->type = taco__sample_table_find_field(t->fields, t->count, "type");
    if (t->id == t->count || t->fields[t->id].type != TACO_TEXT || t->rows->length > UINT32_MAX) {
        TACO__FAIL(g->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "there is no column `id` of text");
        taco__error_prefix(g->err, "%s", path);
        return false;
    }
    if (!taco__sample_rows_check_names(t, g->err)) {
        taco__error_prefix(g->err, "%s", path);
        return false;
    }
    return true;
}

/* Opens all tables and enters their rows. The caller frees g->by_id in any case. */
TACO__FN bool taco__sample_rows_open_tables(taco__from_dir *g)
{
    size_t i, rows = 0;
    if (g->how->table_count > TACO__SAMPLE_ROWS_TABLES) {
        TACO__FAIL(g->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u tables, allowed are %u",
                   TACO__U(g->how->table_count), TACO__U(TACO__SAMPLE_ROWS_TABLES));
        return false;
    }
    g->tables = (taco__sample_rows_table *)taco__arena_array(&g->arena, g->how->table_count + 1,
                                                             sizeof *g->tables, g->err);
    if (!g->tables) { return false; }
    for (i = 0; i < g->how->table_count; i++) {
        if (!taco__sample_rows_open_table(g, g->how->tables[i])) { return false; }
        rows += g->tables[i].rows->length;
    }
    g->by_id.mem = &g->mem;
    if (!taco__hash_map_reset(&g->by_id, rows, g->err)) { return false; }
    for (i = 0; i < g->table_count; i++) {
        if (!taco__sample_rows_add_table(g, i)) {
            taco__error_prefix(g->err, "%s", g->how->tables[i]);
            return false;
        }
    }
    return true;
}

/* The column of that name for samples of a level; NULL if no table has one. *table is its index. */
TACO__FN const taco_array *taco__sample_rows_column(const taco__from_dir *g, uint32_t level,
                                                    const char *name, size_t *table)
{
    size_t i, k;
    for (i = 0; i < g->table_count; i++) {
        const taco__sample_rows_table *t = &g->tables[i];
        for (k = 0; t->level[level] && k < t->count; k++) {
            if (t->used[level][k] && strcmp(t->fields[k].name, name) == 0) {
                *table = i;
                return &t->rows->columns[k];
            }
        }
    }
    return NULL;
}
