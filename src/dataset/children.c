/* children.c - the rows below a sample: taco_read, taco_cursor_children

   In: a path of keys, or the current row of a cursor. Out: a cursor over the __meta__ of the FOLDER
   that the path leads to (TACO 2.0 §6.2, §7.2.3); over level 0 for the empty path; over its own row
   for a FILE, which has no children.

   taco__children_read walks the path (navigation.c), opens the __meta__ (local_metadata.c) inside
   the cursor, and opens its one table reader over it. Such a cursor has no container and no level:
   code that needs those checks c->children. */
#include "cursor.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../filter/filter.h"

/* Releases the archive and the __meta__; does nothing if there are no children. */
TACO__FN void taco__children_close(taco__cursor_children *x)
{
    if (x->counted) { taco__container_count_archive_user(x->parent, x->meta.pq.part.file, false); }
    taco__local_meta_close(&x->meta);
    x->counted = false;
}

/* ---- a cursor over a __meta__ ---- */

/* Adds every column of the table, and the path. */
static bool taco__children_add_columns(taco_cursor *c, const taco__table *t)
{
    size_t i;
    if (!taco__cursor_column_reserve(c, t->field_count + 1)) { return false; }
    for (i = 0; i < t->field_count; i++) {
        const taco_field *f = &t->fields[i];
        taco__cursor_column_add(c, TACO__CURSOR_COLUMN_STORED, 0, f->name, f->name, f);
    }
    taco__cursor_column_add_vsi(c, 0);
    c->batch.arrays = (taco_array *)taco__arena_array(&c->arena, c->columns.count + 1,
                                                      sizeof *c->batch.arrays, &c->err);
    return c->batch.arrays != NULL;
}

/* Makes c a cursor over the rows of a FOLDER's __meta__. */
static bool taco__children_open_rows(taco_cursor *c, const taco__nav_node *node, bool padding)
{
    taco__table_reader *f = &c->readers[0];
    taco__cursor_children *x = &c->children;
    taco__local_meta *m = &x->meta;
    x->active = true;
    x->parent = node->store;
    if (!taco__local_meta_open(node, &c->arena, m, &c->err)) { return false; }
    if (!m->file_open && m->table.pq) {
        taco__container_count_archive_user(x->parent, m->pq.part.file, true);
        x->counted = true;
    }
    f->table = &m->table;
    return taco__nav_make_filter(f->table, &m->role, NULL, padding, &c->arena, &f->filter.where,
                                 &c->err) &&
           taco__children_add_columns(c, f->table) &&
           taco__sample_path_init_children(&f->paths, node, f->table, &m->role, &c->err) &&
           taco__table_reader_open(c, f);
}

static taco_cursor *taco__children_read(taco_dataset *ds, const char *path, bool inside,
                                        bool padding, taco_error *err);

/* ---- a FILE's own row ---- */

/* The last key of a path, which is searched among the rows of its parent. */
typedef struct taco__children_key {
    /* the id, if it is not a position */
    taco_bytes id;
    bool by_position;
    /* the position counts all rows of the file, those that a view hides, too */
    bool stored;
    uint64_t position;
    /* search with padding: a position may count it, and it does not hide an id */
    bool padding;
} taco__children_key;

static bool taco__children_parse_key(taco_cursor *c, const taco__nav_node *node, bool padding,
                                     taco__children_key *out)
{
    taco_bytes key = taco__bytes_text(node->key_path + node->last_key);
    memset(out, 0, sizeof *out);
    out->by_position = taco__nav_parse_position(key, &out->position);
    out->stored = out->by_position && taco__nav_is_stored_position(key);
    out->padding = padding || !out->by_position || out->stored;
    if (out->by_position) { return true; }
    out->position = 0;
    out->id = taco__nav_key_to_id(key, &c->arena, &c->err);
    return out->id.data != NULL;
}

/* "id" = 'key' at level 0, as an unbound tree. */
static taco__expr *taco__children_id_condition(taco_cursor *c, const taco__nav_node *node,
                                               taco_bytes id)
{
    const char *column = taco__nav_id_column(node->store, 0);
    taco__expr *text = taco__expr_const(&c->arena, taco__scalar_make_bytes(TACO_TEXT, id), &c->err);
    if (text) { text->text = true; }
    return taco__expr_compare(&c->arena, TACO__OP_EQ,
                              taco__expr_named(&c->arena, taco__bytes_text(column), 0, &c->err),
                              text, &c->err);
}

/* A sample of level 0: a query for one row. */
static taco_cursor *taco__children_select_top_row(taco_cursor *c, const taco__nav_node *node,
                                                  const taco__children_key *key)
{
    taco__query q;
    taco__query_filter filter;
    memset(&q, 0, sizeof q);
    memset(&filter, 0, sizeof filter);
    q.limit = 1;
    q.padding = key->padding;
    if (key->stored) {
        q.row_from = key->position;
        q.row_to = key->position + 1;
    } else {
        q.offset = key->position;
    }
    if (!key->by_position) {
        filter.where = taco__children_id_condition(c, node, key->id);
        if (!filter.where) { return NULL; }
        q.filters = &filter;
        q.filter_count = 1;
    }
    return taco__select_open(c->ds, &q, NULL, &c->err);
}

/* Restricts a cursor over children to the row with an id. The condition is kept in that cursor. */
static bool taco__children_only_id(taco_cursor *rows, const taco__container *s, taco_bytes id,
                                   taco_error *err)
{
    const taco__table *t = rows->readers[0].table;
    taco__column_roles r;
    taco__expr *e;
    char *text = taco__arena_text(&rows->arena, id, err);
    if (!text) { return false; }
    taco__container_find_roles(s, t, &r);
    e = taco__expr_equals(&rows->arena, r.id, taco__bytes_text(text), err);
    return e && taco__pred_bind(e, t->fields, t->field_count, &rows->arena, err) &&
           taco__table_reader_set_filter(rows, e);
}

/* A sample below: one of the children of its parent. */
static taco_cursor *taco__children_select_row(taco_cursor *c, const taco__nav_node *node,
                                              const taco__children_key *key)
{
    char *parent =
        taco__arena_text(&c->arena, taco__bytes_of(node->key_path, node->last_key - 1), &c->err);
    taco_cursor *rows =
        parent ? taco__children_read(c->ds, parent, true, key->padding, &c->err) : NULL;
    if (!rows) { return NULL; }
    taco__cursor_set_window(rows, key->position, 1);
    if (key->by_position || taco__children_only_id(rows, node->store, key->id, &c->err)) {
        return rows;
    }
    taco_cursor_close(rows, &c->err);
    return NULL;
}

/* A cursor over the single row of a FILE, in the table of its parent; c lends its arena and its
   error. */
static taco_cursor *taco__children_open_own_row(taco_cursor *c, const taco__nav_node *node,
                                                bool padding)
{
    taco__children_key key;
    if (!taco__children_parse_key(c, node, padding, &key)) { return NULL; }
    return node->last_key ? taco__children_select_row(c, node, &key)
                          : taco__children_select_top_row(c, node, &key);
}

/* ---- by path ---- */

/* The rows below the sample that was found with c. Returns c, or another cursor after closing c;
   NULL on failure. */
static taco_cursor *taco__children_open_node(taco_cursor *c, const taco__nav_node *node,
                                             const char *path, bool inside, bool padding,
                                             taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    if (!node->folder && !inside) {
        taco_cursor *rows = taco__children_open_own_row(c, node, padding);
        taco_cursor_close(c, err);
        return rows;
    }
    c->children.folder = node->key_path;
    if (taco__children_open_rows(c, node, padding)) { return c; }
    taco__error_prefix(&c->err, "%s: %q", node->store->name, &name);
    taco_cursor_close(c, err);
    return NULL;
}

/* The rows below a sample; for a FILE its own row, or with `inside` its parts, which formats may
   have. */
static taco_cursor *taco__children_read(taco_dataset *ds, const char *path, bool inside,
                                        bool padding, taco_error *err)
{
    taco_cursor *c;
    taco__nav_node node;
    if (!ds) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
        return NULL;
    }
    if (!path[0]) {
        taco_query q;
        memset(&q, 0, sizeof q);
        q.padding = padding;
        return taco_select(ds, &q, err);
    }
    c = taco__cursor_alloc(ds, 1, err);
    if (!c) { return NULL; }
    if (!taco__nav_walk(ds, path, padding, &node, &c->arena, &c->err)) {
        taco_cursor_close(c, err);
        return NULL;
    }
    if (node.store->format && node.store->format->read) {
        taco_cursor *rows = node.store->format->read(ds, &node, &c->err);
        taco_cursor_close(c, err);
        return rows;
    }
    return taco__children_open_node(c, &node, path, inside, padding, err);
}

TACO_API taco_cursor *taco_read(taco_dataset *ds, const char *path, bool padding, taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    return taco__children_read(ds, path ? path : "", false, padding, err);
}

/* ---- by row ---- */

/* The path of a row of a cursor over children: its folder, and its id. */
static bool taco__children_append_id(const taco_cursor *row, taco_bytes id, taco__buf *path,
                                     taco_error *err)
{
    const char *folder = row->children.folder;
    return (!folder ||
            (taco__buf_append_text(path, folder, err) && taco__buf_append_char(path, '/', err))) &&
           taco__nav_append_key(path, id, err);
}

/* Appends the path of the current row from whatever it has: its number in a level, a stored path,
   an id. */
static bool taco__children_append_path(taco_cursor *row, taco__buf *path, taco_error *err)
{
    taco_bytes id, relative;
    uint64_t number;
    size_t store;
    if (taco__compose_sample_row(row, row->row.row, &store, &number)) {
        return taco__nav_path_of_row(row->ds, store, row->query.level, number, path, err);
    }
    if (taco_cursor_bytes(row, "internal:relative_path", &relative) && relative.len) {
        relative.len -= relative.data[relative.len - 1] == '/';
        return taco__nav_append_keys(path, relative, err);
    }
    if (row->query.level == 0 && taco_cursor_bytes(row, "id", &id)) {
        return taco__children_append_id(row, id, path, err);
    }
    TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET,
               "the row has neither id nor internal:relative_path");
    return false;
}

TACO_API taco_cursor *taco_cursor_children(taco_cursor *row, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__buf path;
    taco_cursor *c = NULL;
    err = taco__error_fresh(err, &own); /* what is below tells failures by it */
    if (!row || !row->row.begun) {
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET, "the cursor is not on a row");
        return NULL;
    }
    memset(&path, 0, sizeof path);
    path.mem = row->mem;
    if (taco__children_append_path(row, &path, err) && taco__buf_append_char(&path, 0, err)) {
        c = taco_read(row->ds, (const char *)path.data, row->query.padding, err);
    }
    taco__buf_free(&path);
    return c;
}
