/* children.c - from keys to samples, through the local metadata: read, locate, payload.. Spec: TACO
   2.0 §6.2 "Local Metadata", §7.2.3 */
#include "dataset.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../filter/filter.h"

/* ---- public
   --------------------------------------------------------------------------------------- */

/* Directory of a FOLDER sample in a FOLDER dataset, as GDAL calls it. */
TACO__FN const char *taco__children_directory(const taco__nav_node *n, taco_error *err)
{
    const char *path = taco__container_join_path(
        n->store, n->store->vsi, taco__container_ends_with(n->store->vsi, "/") ? "DATA/" : "/DATA/",
        err);
    return path ? taco__container_join_path(n->store, path, n->path, err) : NULL;
}

/* Rows of a FOLDER's __meta__, or, for a FILE, its own row in the parent's. */
static bool taco__children_open_rows(taco_cursor *c, const taco__nav_node *node, bool padding,
                                     taco_error *err)
{
    taco__table_reader *f = &c->readers[0];
    taco__local_meta m;
    taco__column_roles r;
    taco_field text;
    taco_bytes where;
    size_t i;
    c->children = true;
    c->parent = node->store;
    if (!taco__local_meta_open(node, &c->arena, &m, err)) {
        taco__local_meta_close(&m);
        return false;
    }
    c->child_pq = m.pq; /* the cursor takes it over */
    c->child_open = m.table.pq != NULL;
    c->child_file = m.file;
    c->child_file_open = m.file_open;
    c->child_held = m.held;
    c->child_range = m.range;
    if (!m.file_open && c->child_open) {
        taco__container_count_archive_user(c->parent, m.pq.part.file, true);
    }
    c->child_table = m.table;
    if (c->child_open) {
        c->child_table.pq = &c->child_pq;
        c->child_pq.part.file = m.file_open ? &c->child_file : c->child_pq.part.file;
    }
    r = m.role;
    f->table = &c->child_table;
    if (!taco__nav_make_filter(f->table, &r, NULL, padding, &c->arena, &f->where, err) ||
        !taco__cursor_column_reserve(c, f->table->field_count + 1)) {
        return false;
    }
    for (i = 0; i < f->table->field_count; i++) {
        taco__cursor_column_add(c, TACO__CURSOR_COLUMN_STORED, 0, f->table->fields[i].name,
                                f->table->fields[i].name, &f->table->fields[i]);
    }
    taco__cursor_column_init_text(&text);
    taco__cursor_column_add(c, TACO__CURSOR_COLUMN_VSI, 0, TACO__GDAL_VSI, TACO__GDAL_VSI, &text);
    c->arrays = (taco_array *)taco__arena_array(&c->arena, c->count + 1, sizeof *c->arrays, err);
    if (!c->arrays) { return false; }
    if (node->store->format) {
        f->vsi.mode = r.subfile == TACO__NONE || f->table->fields[r.subfile].type != TACO_TEXT
                          ? TACO__SAMPLE_PATH_NONE
                          : TACO__SAMPLE_PATH_STORED;
        f->vsi.a = f->vsi.b = r.subfile == TACO__NONE ? r.id : r.subfile;
    } else if (node->store->kind == TACO_KIND_FOLDER) {
        const char *dir = taco__children_directory(node, err);
        f->vsi.mode = TACO__SAMPLE_PATH_CHILD;
        f->vsi.root = taco__bytes_text(dir);
        f->vsi.a = r.type;
        f->vsi.b = r.id;
        if (!dir) { return false; }
    } else {
        const char *root = node->source ? taco__container_join_path(node->store, node->store->vsi,
                                                                    node->source, err)
                                        : node->store->vsi;
        f->vsi.mode = TACO__SAMPLE_PATH_ZIP;
        f->vsi.root = taco__bytes_text(root);
        f->vsi.a = r.offset;
        f->vsi.b = r.size;
        if (r.offset == TACO__NONE || r.size == TACO__NONE ||
            !taco__join_is_integer(f->table->fields[r.offset].type) ||
            !taco__join_is_integer(f->table->fields[r.size].type)) {
            where = taco__bytes_text(r.offset == TACO__NONE ? "internal:offset" : "internal:size");
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "__meta__ has no %q of integers, no path can be made", &where);
            return false;
        }
    }
    return taco__table_reader_open(c, f, &r, c->outs, c->count, err);
}

static taco_cursor *taco__children_read(taco_dataset *ds, const char *path, bool inside,
                                        bool padding, taco_error *err);

/* A cursor over the one row of a FILE, in the table of its parent. */
static taco_cursor *taco__children_open_own_row(taco_cursor *c, const taco__nav_node *node,
                                                bool padding)
{
    const taco__container *s = node->store;
    taco_bytes key = taco__bytes_text(node->walked + node->last), stored = key,
               parent = taco__bytes_of(node->walked, node->last ? node->last - 1 : 0);
    uint64_t position = 0;
    bool by_position = taco__nav_parse_position(key, &position);
    taco_cursor *rows;
    if (!by_position) {
        key = taco__nav_key_to_id(key, &c->arena, &c->err);
        if (!key.data) { return NULL; }
    }
    if (!node->last) {
        taco_query q;
        memset(&q, 0, sizeof q);
        q.limit = 1;
        q.offset = position;
        q.padding = padding || !by_position || taco__nav_is_stored_position(stored);
        q.where = by_position
                      ? NULL
                      : taco__nav_id_predicate(&c->arena, taco__nav_id_column(s, 0), key, &c->err);
        return c->err.code == TACO_OK ? taco_select(c->ds, &q, &c->err) : NULL;
    } else {
        char *text = taco__arena_text(&c->arena, parent, &c->err);
        rows = text ? taco__children_read(
                          c->ds, text, true,
                          padding || !by_position || taco__nav_is_stored_position(stored), &c->err)
                    : NULL;
    }
    if (rows) {
        const taco__table *t = rows->readers[0].table;
        taco__column_roles r;
        /* the path is the caller's, the condition stays */
        char *id = taco__arena_text(&rows->arena, key, &c->err);
        taco__expr *e =
            by_position || !id
                ? NULL
                : (taco__container_find_roles(s, t, &r),
                   taco__expr_equals(&rows->arena, r.id, taco__bytes_text(id), &c->err));
        rows->left = 1;
        rows->skip = position;
        if (c->err.code == TACO_OK &&
            (by_position ||
             (e && taco__pred_bind(e, t->fields, t->field_count, &rows->arena, &c->err) &&
              taco__table_reader_set_filter(rows, e)))) {
            return rows;
        }
        taco_cursor_close(rows, &c->err);
    }
    return NULL;
}

/* The rows below a sample; for a FILE its own row, or, `inside`, its parts. */
static taco_cursor *taco__children_read(taco_dataset *ds, const char *path, bool inside,
                                        bool padding, taco_error *err)
{
    taco_cursor *c;
    taco__nav_node node;
    if (!ds || !path) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given", ds ? "path" : "dataset");
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
    if (!node.folder && !inside) {
        taco_cursor *rows = taco__children_open_own_row(c, &node, padding);
        taco_cursor_close(c, err);
        return rows;
    }
    c->folder = node.walked;
    if (!c->folder || !taco__children_open_rows(c, &node, padding, &c->err)) {
        taco_bytes where = taco__bytes_text(path);
        taco__error_prefix(&c->err, "%s: %q", node.store->name, &where);
        taco_cursor_close(c, err);
        return NULL;
    }
    return c;
}

TACO_API taco_cursor *taco_read(taco_dataset *ds, const char *path, bool padding, taco_error *err)
{
    return taco__children_read(ds, path, false, padding, err);
}

TACO_API taco_cursor *taco_cursor_children(taco_cursor *row, taco_error *err)
{
    taco_bytes id, relative;
    uint64_t number;
    size_t store;
    taco__buf path;
    taco_cursor *c = NULL;
    if (!row || !row->begun) {
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET, "the cursor is not on a row");
        return NULL;
    }
    memset(&path, 0, sizeof path);
    path.mem = row->mem;
    if (taco__compose_sample_row(row, row->row, &store, &number)) {
        relative = taco__bytes_of(NULL, 0);
        if (!taco__nav_path_of_row(row->ds, store, row->level, number, &path, err)) {
            taco__buf_free(&path);
            return NULL;
        }
    } else if (taco_cursor_bytes(row, "internal:relative_path", &relative) && relative.len) {
        relative.len -= relative.data[relative.len - 1] == '/';
    } else if (row->level == 0 && taco_cursor_bytes(row, "id", &id)) {
        relative = taco__bytes_of(NULL, 0);
        if ((row->folder && (!taco__buf_append_text(&path, row->folder, err) ||
                             !taco__buf_append_char(&path, '/', err))) ||
            !taco__nav_append_key(&path, id, err)) {
            taco__buf_free(&path);
            return NULL;
        }
    } else {
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET,
                   "the row has neither id nor internal:relative_path");
        return NULL;
    }
    if (taco__buf_append(&path, relative.data, relative.len, err) &&
        taco__buf_append_char(&path, 0, err)) {
        c = taco_read(row->ds, (const char *)path.data, row->padding, err);
    }
    taco__buf_free(&path);
    return c;
}
