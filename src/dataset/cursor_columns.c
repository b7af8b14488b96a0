/* cursor_columns.c - a query bound to the tables of a dataset, and the cursor over its rows.. Spec:
   TACO 2.0 §7.2.2, §7.2.3 */
#include "dataset.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

TACO__FN bool taco__cursor_column_is_stored(
    const taco__cursor_column *o) /* a column of the table, where that has it */
{
    return o->kind == TACO__CURSOR_COLUMN_STORED || o->kind == TACO__CURSOR_COLUMN_SOURCE_FILE ||
           o->kind == TACO__CURSOR_COLUMN_CURRENT_ID;
}

/* ---- which columns come out
   ----------------------------------------------------------------------- */

TACO__FN bool taco__cursor_column_add(taco_cursor *c, taco__cursor_column_kind kind, uint32_t level,
                                      const char *name, const char *label, const taco_field *f)
{
    taco__cursor_column *o = &c->outs[c->count];
    o->kind = kind;
    o->level = level;
    o->name = name;
    c->fields[c->count] = *f;
    c->fields[c->count].name = label;
    c->fields[c->count].nullable = true;
    c->count++;
    return true;
}

TACO__FN bool taco__cursor_column_reserve(taco_cursor *c, size_t n)
{
    c->fields = (taco_field *)taco__arena_array(&c->arena, n, sizeof *c->fields, &c->err);
    c->outs = (taco__cursor_column *)taco__arena_array(&c->arena, n, sizeof *c->outs, &c->err);
    return c->fields && c->outs;
}

TACO__FN void taco__cursor_column_init_text(taco_field *f)
{
    memset(f, 0, sizeof *f);
    f->type = TACO_TEXT;
    f->nullable = true;
}

/* "lN:name" */
static const char *taco__cursor_column_label(taco_cursor *c, uint32_t level, const char *name)
{
    size_t n = strlen(name);
    char *p = (char *)taco__arena_alloc(&c->arena, n + 4, &c->err);
    if (p) {
        p[0] = 'l';
        p[1] = (char)('0' + (int)level);
        p[2] = ':';
        memcpy(p + 3, name, n);
    }
    return p;
}

/* Every column that a query on this level can show. */
TACO__FN bool taco__cursor_column_add_all(taco_cursor *c, uint32_t level)
{
    taco_dataset *ds = c->ds;
    taco_field text, whole;
    size_t i, n = 5;
    uint32_t l, lowest = c->flat ? 0 : level;
    bool file = false, current = false;
    for (l = lowest; l <= level; l++) {
        if (!taco__schema_union_level_fields(ds, l, &c->err)) { return false; }
        n += ds->field_count[l];
    }
    if (!taco__cursor_column_reserve(c, n)) { return false; }
    for (l = level + 1; l-- > lowest;) {
        for (i = 0; i < ds->field_count[l]; i++) {
            const taco_field *f = &ds->fields[l][i];
            const char *label = c->flat ? taco__cursor_column_label(c, l, f->name) : f->name;
            if (!label) { return false; }
            if (!c->flat || !taco__bytes_starts_with(taco__bytes_text(f->name), "internal:")) {
                bool is_file = strcmp(f->name, TACO__SOURCE_FILE) == 0;
                bool is_id = strcmp(f->name, TACO__CURRENT_ID) == 0;
                taco__cursor_column_kind kind = is_file ? TACO__CURSOR_COLUMN_SOURCE_FILE
                                                : is_id ? TACO__CURSOR_COLUMN_CURRENT_ID
                                                        : TACO__CURSOR_COLUMN_STORED;
                file = file || is_file;
                current = current || is_id;
                taco__cursor_column_add(c, kind, l, f->name, label, f);
            }
        }
    }
    taco__cursor_column_init_text(&text);
    if (ds->container_count > 1) {
        const char *label =
            c->flat ? taco__cursor_column_label(c, level, TACO__SOURCE_PATH) : TACO__SOURCE_PATH;
        if (!label) { return false; }
        taco__cursor_column_add(c, TACO__CURSOR_COLUMN_SOURCE_PATH, level, TACO__SOURCE_PATH, label,
                                &text);
        if (!file && !c->flat) {
            taco__cursor_column_add(c, TACO__CURSOR_COLUMN_SOURCE_FILE, level, TACO__SOURCE_FILE,
                                    TACO__SOURCE_FILE, &text);
        }
    }
    taco__cursor_column_add(c, TACO__CURSOR_COLUMN_VSI, level, TACO__GDAL_VSI, TACO__GDAL_VSI,
                            &text);
    if (c->shows_hidden) {
        n = c->count;
        memset(&whole, 0, sizeof whole);
        whole.type = TACO_INT64;
        if (!c->flat && !current) {
            taco__cursor_column_add(c, TACO__CURSOR_COLUMN_CURRENT_ID, level, TACO__CURRENT_ID,
                                    TACO__CURRENT_ID, &whole);
        }
        taco__cursor_column_add(c, TACO__CURSOR_COLUMN_ROW_ID, level, TACO__ROW_ID, TACO__ROW_ID,
                                &whole);
        c->hidden = c->count - n;
        c->count = n;
    }
    return true;
}

/* The place of a field of that name, TACO__NONE where there is none. */
TACO__FN size_t taco__cursor_column_find_field(const taco_field *fields, size_t n, const char *name)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (strcmp(fields[i].name, name) == 0) { return i; }
    }
    return TACO__NONE;
}

TACO__FN size_t taco__cursor_column_find(const taco_cursor *c, const char *name)
{
    return taco__cursor_column_find_field(c->fields, c->count, name);
}

/* Keeps the columns of a list, in its order. */
TACO__FN bool taco__cursor_column_select(taco_cursor *c, const taco__query_columns *list)
{
    taco_field *fields = c->fields;
    taco__cursor_column *outs = c->outs;
    size_t n, i, all = c->count + c->hidden;
    if (!taco__cursor_column_reserve(c, list->count + 1)) { return false; }
    for (n = 0; n < list->count && c->err.code == TACO_OK; n++) {
        const taco__query_column *want = &list->items[n];
        for (i = 0; i < all && strcmp(fields[i].name, want->name) != 0; i++) {}
        if (i == all) {
            taco__field_names_no_column(fields, c->count, taco__bytes_text(want->name), &c->err);
        } else if (want->rest.len) {
            TACO__FAIL(&c->err, TACO_ERR_SYNTAX, want->rest_at, "expected a comma, found %q",
                       &want->rest);
        } else {
            c->fields[n] = fields[i];
            c->outs[n] = outs[i];
        }
    }
    c->count = n;
    c->hidden = 0;
    taco__query_parse_ends(list, &c->err);
    if (n == 0 && c->err.code == TACO_OK) {
        TACO__FAIL(&c->err, TACO_ERR_SYNTAX, 0, "expected a column, found the end");
    }
    if (c->err.code != TACO_OK) { taco__error_prefix(&c->err, "select"); }
    return c->err.code == TACO_OK;
}

/* ---- which columns
   -------------------------------------------------------------------------------- */

TACO__FN bool taco__cursor_column_is_number(const taco_field *f)
{
    return f->type >= TACO_INT8 && f->type <= TACO_DECIMAL;
}

/* A flat view puts "lN:" in front of the names of a level. */
TACO__FN size_t taco__cursor_column_prefix_length(const char *label)
{
    return label[0] == 'l' && label[1] >= '0' && label[1] <= '9' && label[2] == ':' ? 3 : 0;
}

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

/* The column of that name at the level of another one. */
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

/* Appends a name to a list of columns, quoted. */
TACO__FN bool taco__cursor_column_append_quoted(taco__buf *list, const char *name, taco_error *err)
{
    bool ok = (list->len == 0 || taco__buf_append_text(list, ", ", err)) &&
              taco__buf_append_char(list, '"', err);
    for (; ok && *name; name++) {
        ok = (*name != '"' || taco__buf_append_char(list, '"', err)) &&
             taco__buf_append_char(list, *name, err);
    }
    return ok && taco__buf_append_char(list, '"', err);
}
