/* cursor_columns.c - which columns a query shows: all of a level, or those named in a list

   In: the columns of levels over all containers (schema_union.c). Out: c->columns: fields as the
   caller sees them, and the origin of each column's values. TACO 2.0 §7.2.2, §7.2.3.

   taco__cursor_column_add_all adds every column: those stored, the container's path and file name
   if there are several, the GDAL path, and hidden ones for SQL. In a flat view names begin with the
   level, "l0:id", and internal columns are left out; a whole view (taco__select_options) leaves out
   only those that join levels. taco__cursor_column_select then keeps those in a list, which
   query_parse.c makes from taco_query.select. */
#include "cursor.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

/* A column that is taken from the table if it has it. */
TACO__FN bool taco__cursor_column_is_stored(const taco__cursor_column *o)
{
    return o->kind == TACO__CURSOR_COLUMN_STORED || o->kind == TACO__CURSOR_COLUMN_SOURCE_FILE ||
           o->kind == TACO__CURSOR_COLUMN_CURRENT_ID;
}

/* ---- making columns ---- */

/* Makes room for n columns; previous ones are dropped, but stay in the arena. */
TACO__FN bool taco__cursor_column_reserve(taco_cursor *c, size_t n)
{
    taco__cursor_columns *x = &c->columns;
    x->fields = (taco_field *)taco__arena_array(&c->arena, n, sizeof *x->fields, &c->err);
    x->origins =
        (taco__cursor_column *)taco__arena_array(&c->arena, n, sizeof *x->origins, &c->err);
    return x->fields && x->origins;
}

/* Adds a column with the type of f, for which there is room; name is its name in the table, label
   that in the result. */
TACO__FN void taco__cursor_column_add(taco_cursor *c, taco__cursor_column_kind kind, uint32_t level,
                                      const char *name, const char *label, const taco_field *f)
{
    taco__cursor_columns *x = &c->columns;
    taco__cursor_column *o = &x->origins[x->count];
    o->kind = kind;
    o->level = level;
    o->name = name;
    x->fields[x->count] = *f;
    x->fields[x->count].name = label;
    x->fields[x->count].nullable = true;
    x->count++;
}

/* A column of a type without parameters. */
static void taco__cursor_column_add_made(taco_cursor *c, taco__cursor_column_kind kind,
                                         uint32_t level, const char *name, const char *label,
                                         taco_type type)
{
    taco_field f;
    memset(&f, 0, sizeof f);
    f.type = type;
    taco__cursor_column_add(c, kind, level, name, label, &f);
}

/* internal:gdal_vsi of the rows themselves, without a prefix even in a flat view. */
TACO__FN void taco__cursor_column_add_vsi(taco_cursor *c, uint32_t level)
{
    taco__cursor_column_add_made(c, TACO__CURSOR_COLUMN_VSI, level, TACO__GDAL_VSI, TACO__GDAL_VSI,
                                 TACO_TEXT);
}

/* name, or "lN:name" in a flat view; NULL when memory ends. */
static const char *taco__cursor_column_label(taco_cursor *c, uint32_t level, const char *name)
{
    size_t n = strlen(name);
    char *p;
    if (!c->query.flat) { return name; }
    p = (char *)taco__arena_alloc(&c->arena, n + 4, &c->err);
    if (p) {
        p[0] = 'l';
        p[1] = (char)('0' + (int)level);
        p[2] = ':';
        memcpy(p + 3, name, n);
    }
    return p;
}

/* Whether a flat view omits a stored column. */
static bool taco__cursor_column_is_left_out(const taco_cursor *c, const char *name)
{
    if (!c->query.whole) {
        return c->query.flat && taco__bytes_starts_with(taco__bytes_text(name), "internal:");
    }
    return strcmp(name, TACO__CURRENT_ID) == 0 || strcmp(name, TACO__PARENT_ID) == 0 ||
           strcmp(name, TACO__GDAL_VSI) == 0;
}

/* The kind of a stored column with that name: two of them are computed if a table lacks them. */
static taco__cursor_column_kind taco__cursor_column_kind_of(const char *name)
{
    return strcmp(name, TACO__SOURCE_FILE) == 0  ? TACO__CURSOR_COLUMN_SOURCE_FILE
           : strcmp(name, TACO__CURRENT_ID) == 0 ? TACO__CURSOR_COLUMN_CURRENT_ID
                                                 : TACO__CURSOR_COLUMN_STORED;
}

/* The columns that containers store for a level. */
static bool taco__cursor_column_add_level(taco_cursor *c, uint32_t level)
{
    const taco__level_schema *s = &c->ds->schema[level];
    size_t i;
    for (i = 0; i < s->count; i++) {
        const taco_field *f = &s->fields[i];
        const char *label;
        if (taco__cursor_column_is_left_out(c, f->name)) { continue; }
        label = taco__cursor_column_label(c, level, f->name);
        if (!label) { return false; }
        taco__cursor_column_add(c, taco__cursor_column_kind_of(f->name), level, f->name, label, f);
    }
    return true;
}

/* Whether there is a column of the kind at the level. */
static bool taco__cursor_column_has(const taco_cursor *c, uint32_t level,
                                    taco__cursor_column_kind kind)
{
    const taco__cursor_column *o = c->columns.origins;
    size_t i;
    for (i = 0; i < c->columns.count && (o[i].kind != kind || o[i].level != level); i++) {}
    return i < c->columns.count;
}

/* Several containers: which one a row belongs to. */
static bool taco__cursor_column_add_source(taco_cursor *c, uint32_t level)
{
    const char *label = taco__cursor_column_label(c, level, TACO__SOURCE_PATH),
               *file = taco__cursor_column_label(c, level, TACO__SOURCE_FILE);
    if (!label || !file) { return false; }
    taco__cursor_column_add_made(c, TACO__CURSOR_COLUMN_SOURCE_PATH, level, TACO__SOURCE_PATH,
                                 label, TACO_TEXT);
    if ((!c->query.flat || c->query.whole) &&
        !taco__cursor_column_has(c, level, TACO__CURSOR_COLUMN_SOURCE_FILE)) {
        taco__cursor_column_add_made(c, TACO__CURSOR_COLUMN_SOURCE_FILE, level, TACO__SOURCE_FILE,
                                     file, TACO_TEXT);
    }
    return true;
}

/* The computed columns of a level in a whole view: containers, paths. */
static bool taco__cursor_column_add_whole(taco_cursor *c, uint32_t level)
{
    const char *label = taco__cursor_column_label(c, level, TACO__GDAL_VSI);
    if (!label || (c->ds->container_count > 1 && !taco__cursor_column_add_source(c, level))) {
        return false;
    }
    taco__cursor_column_add_made(c, TACO__CURSOR_COLUMN_VSI, level, TACO__GDAL_VSI, label,
                                 TACO_TEXT);
    return true;
}

/* Columns that only SQL may name: those that join levels, and the row id. */
static void taco__cursor_column_add_hidden(taco_cursor *c, uint32_t level)
{
    taco__cursor_columns *x = &c->columns;
    size_t shown = x->count;
    if (c->query.whole) {
        taco__cursor_column_add_vsi(c, level); /* without prefix, as in views of FILEs */
    }
    if (!c->query.flat && !c->ds->stores[0].levels[level].wide &&
        !taco__cursor_column_has(c, level, TACO__CURSOR_COLUMN_CURRENT_ID)) {
        taco__cursor_column_add_made(c, TACO__CURSOR_COLUMN_CURRENT_ID, level, TACO__CURRENT_ID,
                                     TACO__CURRENT_ID, TACO_INT64);
    }
    taco__cursor_column_add_made(c, TACO__CURSOR_COLUMN_ROW_ID, level, TACO__ROW_ID, TACO__ROW_ID,
                                 TACO_INT64);
    x->hidden = x->count - shown;
    x->count = shown;
}

/* Adds every column that a query on this level can show; for a flat view also those of its
   ancestors, beginning with the deepest level. */
TACO__FN bool taco__cursor_column_add_all(taco_cursor *c, uint32_t level, bool hidden)
{
    taco_dataset *ds = c->ds;
    /* source path and file, GDAL path, two hidden ones */
    size_t n = 6;
    uint32_t l, lowest = c->query.flat ? 0 : level;
    for (l = lowest; l <= level; l++) {
        if (!taco__schema_union_level_fields(ds, l, &c->err)) { return false; }
        n += ds->schema[l].count + (c->query.whole ? 3U : 0U);
    }
    if (!taco__cursor_column_reserve(c, n)) { return false; }
    for (l = level + 1; l-- > lowest;) {
        if (!taco__cursor_column_add_level(c, l) ||
            (c->query.whole && !taco__cursor_column_add_whole(c, l))) {
            return false;
        }
    }
    if (!c->query.whole && !ds->stores[0].levels[level].wide) {
        if (ds->container_count > 1 && !taco__cursor_column_add_source(c, level)) { return false; }
        taco__cursor_column_add_vsi(c, level);
    }
    if (hidden) { taco__cursor_column_add_hidden(c, level); }
    return true;
}

/* ---- lists of names ---- */

/* Copies one column named in a list from `all` to c->columns. */
static bool taco__cursor_column_select_one(taco_cursor *c, const taco__query_column *named,
                                           const taco__cursor_columns *all,
                                           const taco__field_index *names)
{
    taco__cursor_columns *x = &c->columns;
    size_t i = taco__field_index_find(names, named->name);
    if (i == TACO__NONE) {
        taco__field_names_no_column(all->fields, all->count, taco__bytes_text(named->name),
                                    &c->err);
        return false;
    }
    if (named->rest.len) {
        TACO__FAIL(&c->err, TACO_ERR_SYNTAX, named->rest_at, "expected a comma, found %q",
                   &named->rest);
        return false;
    }
    x->fields[x->count] = all->fields[i];
    x->origins[x->count++] = all->origins[i];
    return true;
}

/* Keeps the columns in a list, in its order; may include hidden ones. */
TACO__FN bool taco__cursor_column_select(taco_cursor *c, const taco__query_columns *list)
{
    taco__cursor_columns all = c->columns;
    taco__field_index names;
    size_t i;
    if (!taco__cursor_column_reserve(c, list->count + 1)) { return false; }
    taco__field_index_init(&names, all.fields, all.count + all.hidden, c->mem);
    c->columns.count = c->columns.hidden = 0;
    for (i = 0; i < list->count && taco__cursor_column_select_one(c, &list->items[i], &all, &names);
         i++) {}
    taco__field_index_free(&names);
    taco__query_parse_ends(list, &c->err);
    if (list->count == 0 && c->err.code == TACO_OK) {
        TACO__FAIL(&c->err, TACO_ERR_SYNTAX, 0, "expected a column, found the end");
    }
    if (c->err.code != TACO_OK) {
        taco__error_prefix(&c->err, "select");
        return false;
    }
    return true;
}

/* ---- finding columns ---- */

TACO__FN size_t taco__cursor_column_find_field(const taco_field *fields, size_t n, const char *name)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (strcmp(fields[i].name, name) == 0) { return i; }
    }
    return TACO__NONE;
}

/* Searches the shown columns. */
TACO__FN size_t taco__cursor_column_find(const taco_cursor *c, const char *name)
{
    return taco__cursor_column_find_field(c->columns.fields, c->columns.count, name);
}

TACO__FN bool taco__cursor_column_is_number(const taco_field *f)
{
    return f->type >= TACO_INT8 && f->type <= TACO_DECIMAL;
}

/* Length of the "lN:" that a flat view puts before the names of a level. */
TACO__FN size_t taco__cursor_column_prefix_length(const char *label)
{
    return label[0] == 'l' && label[1] >= '0' && label[1] <= '9' && label[2] == ':' ? 3 : 0;
}

/* The first column with that name at any level; exact: the name includes the prefix. */
TACO__FN size_t taco__cursor_column_find_unprefixed(const taco_field *fields, size_t n,
                                                    const char *name, bool exact)
{
    size_t i;
    for (i = 0; i < n; i++) {
        const char *l = fields[i].name;
        if (strcmp(exact ? l : l + taco__cursor_column_prefix_length(l), name) == 0) { return i; }
    }
    return TACO__NONE;
}

/* The column with that name at the same level as the column `of`. */
TACO__FN size_t taco__cursor_column_find_same_level(const taco_field *fields, size_t n,
                                                    const char *of, const char *name)
{
    size_t i, k = taco__cursor_column_prefix_length(of);
    for (i = 0; i < n; i++) {
        const char *l = fields[i].name;
        if (strncmp(l, of, k) == 0 && strcmp(l + k, name) == 0) { return i; }
    }
    return TACO__NONE;
}
