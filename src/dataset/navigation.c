/* navigation.c - from a path of keys to a sample, and from a row back to its path

   In: "landsat_1/band_3", or "@0/@2" by position. Out: a taco__nav_node, which says where the
   sample's bytes are, or its __meta__. TACO 2.0 §6.2 "Local Metadata", §7.2.3.

   taco__nav_walk goes down key by key. The first is searched in level 0 of all containers, each
   other one in the __meta__ of the FOLDER before it (taco__nav_step, taco__nav_find_key); what the
   row says becomes the node (taco__nav_read_node). Ids of old formats may hold a '/': if no sample
   has a key, the next key is taken as part of it. taco__nav_path_of_row goes the other way: up to
   level 0 by parents, then down by ids. */
#include "navigation.h"
#include "cascade.h"
#include "cursor.h"
#include "gdal_path.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../filter/scan.h"

/* most keys in a path */
#define TACO__NAV_MAX_DEPTH 256

/* ---- keys ---- */

/* "@@12" is a position with padding counted. */
TACO__FN bool taco__nav_is_stored_position(taco_bytes key)
{
    return key.len > 2 && key.data[0] == '@' && key.data[1] == '@';
}

/* Characters with a meaning in paths, which ids in old formats may contain: they are escaped with a
   '\\'. */
static bool taco__nav_is_special(uint8_t c)
{
    return c == '/' || c == '\\' || c == '@';
}

/* Appends an id as a key. An '@' is special only at the beginning. */
TACO__FN bool taco__nav_append_key(taco__buf *b, taco_bytes id, taco_error *err)
{
    bool ok = true;
    size_t i;
    for (i = 0; ok && i < id.len; i++) {
        uint8_t c = id.data[i];
        ok = (!taco__nav_is_special(c) || (c == '@' && i) || taco__buf_append_char(b, '\\', err)) &&
             taco__buf_append_char(b, (char)c, err);
    }
    return ok;
}

/* Appends the keys of a path of ids, internal:relative_path. */
TACO__FN bool taco__nav_append_keys(taco__buf *b, taco_bytes relative, taco_error *err)
{
    size_t at = 0, end;
    for (; at <= relative.len; at = end + 1) {
        for (end = at; end < relative.len && relative.data[end] != '/'; end++) {}
        if ((at && !taco__buf_append_char(b, '/', err)) ||
            !taco__nav_append_key(b, taco__bytes_of(relative.data + at, end - at), err)) {
            return false;
        }
    }
    return true;
}

/* The id of a key; the key itself if it has no '\\'. data is NULL if there is no memory. */
TACO__FN taco_bytes taco__nav_key_to_id(taco_bytes key, taco__arena *arena, taco_error *err)
{
    uint8_t *to;
    size_t i, n = 0;
    if (!key.len || !memchr(key.data, '\\', key.len)) { return key; }
    to = (uint8_t *)taco__arena_alloc(arena, key.len, err);
    for (i = 0; to && i < key.len; i++) {
        i += key.data[i] == '\\' && i + 1 < key.len && taco__nav_is_special(key.data[i + 1]);
        to[n++] = key.data[i];
    }
    return taco__bytes_of(to, n);
}

/* "@12" is a position; anything else is an id, and sets *out to 0. */
TACO__FN bool taco__nav_parse_position(taco_bytes key, uint64_t *out)
{
    size_t skip = taco__nav_is_stored_position(key) ? 2 : 1;
    if (key.len > 1 && key.data[0] == '@' &&
        taco__vsi_parse_number(taco__bytes_of(key.data + skip, key.len - skip), out)) {
        return true;
    }
    *out = 0;
    return false;
}

/* The end of the key at p: an unescaped '/', or the end of the path. */
TACO__FN const char *taco__nav_key_end(const char *p)
{
    for (; *p && *p != '/'; p++) {
        p += *p == '\\' && p[1] && taco__nav_is_special((uint8_t)p[1]);
    }
    return p;
}

/* ---- conditions ---- */

/* Sets *out to the condition that a row has the id, or without an id that it is not padding; NULL:
   every row. The condition is in the arena and bound. */
TACO__FN bool taco__nav_make_filter(const taco__table *t, const taco__column_roles *r,
                                    const taco_bytes *id, bool padding, taco__arena *arena,
                                    taco__expr **out, taco_error *err)
{
    *out = NULL;
    if (id) {
        *out = taco__expr_equals(arena, r->id, *id, err);
        if (!*out) { return false; }
    } else if (!padding) {
        /* a level, for its statistics */
        taco__level l;
        memset(&l, 0, sizeof l);
        l.table = *t;
        l.role = *r;
        l.padded = -1;
        if (!taco__query_hide_padding(&l, arena, out, err)) { return false; }
    }
    return !*out || taco__pred_bind(*out, t->fields, t->field_count, arena, err);
}

/* "id" = 'key', as the text of a predicate; NULL if there is no memory. */
TACO__FN const char *taco__nav_id_predicate(taco__arena *arena, const char *id, taco_bytes key,
                                            taco_error *err)
{
    size_t n = strlen(id);
    char *text = (char *)taco__arena_alloc(arena, n + key.len * 2 + 16, err), *p = text;
    size_t i;
    if (!text) { return NULL; }
    *p++ = '"';
    memcpy(p, id, n);
    memcpy(p + n, "\" = '", 5);
    for (p += n + 5, i = 0; i < key.len; i++) {
        *p++ = (char)key.data[i];
        if (key.data[i] == '\'') { *p++ = '\''; }
    }
    *p++ = '\'';
    *p = 0;
    return text;
}

/* The name of the id column of a level: Tortilla has its own. */
TACO__FN const char *taco__nav_id_column(const taco__container *s, uint32_t level)
{
    const taco__level *l = &s->levels[level];
    return level < s->level_count && l->opened && l->role.id != TACO__NONE &&
                   l->table.field_count > l->role.id
               ? l->table.fields[l->role.id].name
               : "id";
}

/* ---- from a row to a node ---- */

/* The columns that make a node, in the order of taco__nav_row.at. */
enum {
    TACO__NAV_ID = 0,
    TACO__NAV_TYPE,
    TACO__NAV_OFFSET,
    TACO__NAV_SIZE,
    TACO__NAV_SOURCE,
    TACO__NAV_CURRENT,
    TACO__NAV_COLUMNS
};

/* A row that was read: arrays whose value 0 belongs to the row. */
typedef struct taco__nav_row {
    const taco_array *arrays;
    /* index of each column among them; TACO__NONE: the table has no such column */
    size_t at[TACO__NAV_COLUMNS];
} taco__nav_row;

/* A value that exists and is not null; otherwise NULL. */
static const taco_array *taco__nav_value(const taco__nav_row *row, size_t column)
{
    const taco_array *a = row->at[column] != TACO__NONE ? &row->arrays[row->at[column]] : NULL;
    return a && taco_array_valid(a, 0) ? a : NULL;
}

static taco_bytes taco__nav_text(const taco__nav_row *row, size_t column)
{
    const taco_array *a = taco__nav_value(row, column);
    return a ? taco_array_bytes(a, 0) : taco__bytes_of(NULL, 0);
}

/* type must be FILE or FOLDER. */
static bool taco__nav_read_type(const taco__nav_row *row, taco__nav_node *out, taco_error *err)
{
    taco_bytes type = taco__nav_text(row, TACO__NAV_TYPE);
    int folder = taco__sample_path_parse_type(type);
    if (folder < 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   taco__nav_value(row, TACO__NAV_TYPE) ? "type is %q, must be FILE or FOLDER"
                                                        : "type is null, must be FILE or FOLDER",
                   &type);
    }
    out->folder = folder > 0;
    return folder >= 0;
}

/* FOLDER datasets: the path below DATA/ is the parent's path and the id. */
static bool taco__nav_read_path(const taco__nav_row *row, taco__nav_node *out,
                                const taco__nav_node *parent, taco__arena *arena, taco_error *err)
{
    taco_bytes id = taco__nav_text(row, TACO__NAV_ID);
    const char *own;
    if (taco__vsi_check_path(id, false, "id", err) != TACO_OK) { return false; }
    own = taco__arena_text(arena, id, err);
    if (own && parent->path) {
        own = taco__container_join_path(out->store, "/", own, err);
        own = own ? taco__container_join_path(out->store, parent->path, own, err) : NULL;
    }
    out->path = own;
    return own != NULL;
}

/* internal:offset and internal:size must be present, integers, and not negative. */
static bool taco__nav_read_range(const taco__nav_row *row, taco__nav_node *out, taco_error *err)
{
    size_t offset = row->at[TACO__NAV_OFFSET], size = row->at[TACO__NAV_SIZE];
    if (offset == TACO__NONE || size == TACO__NONE) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no internal:%s",
                   offset == TACO__NONE ? "offset" : "size");
        return false;
    }
    if (!taco__join_is_integer(row->arrays[offset].field->type) ||
        !taco__join_is_integer(row->arrays[size].field->type)) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "internal:offset and internal:size must be integers");
        return false;
    }
    out->has_range = taco__nav_value(row, TACO__NAV_OFFSET) && taco__nav_value(row, TACO__NAV_SIZE);
    if (!out->has_range) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "internal:offset or internal:size is null");
        return false;
    }
    out->offset = taco_array_int(&row->arrays[offset], 0);
    out->size = taco_array_int(&row->arrays[size], 0);
    return taco__vsi_check_range(out->offset, out->size, err);
}

/* The archive of a catalogue: named in rows of level 0, inherited from the parent below. */
static bool taco__nav_read_source(const taco__nav_row *row, taco__nav_node *out,
                                  const taco__nav_node *parent, taco__arena *arena, taco_error *err)
{
    taco_bytes source = taco__nav_text(row, TACO__NAV_SOURCE);
    out->source = parent->source;
    if (out->store->kind != TACO_KIND_TACOCAT || !parent->root) { return true; }
    if (!out->store->format &&
        taco__vsi_check_name(source, "internal:source_file", err) != TACO_OK) {
        return false;
    }
    out->source = taco__arena_text(arena, source, err);
    return out->source != NULL;
}

/* Fills *out, whose store is set, from a row. */
static bool taco__nav_read_node(const taco__nav_row *row, taco__nav_node *out,
                                const taco__nav_node *parent, taco__arena *arena, taco_error *err)
{
    const taco_array *current;
    if (!taco__nav_read_type(row, out, err)) { return false; }
    out->root = false;
    if (out->store->kind == TACO_KIND_FOLDER) {
        return taco__nav_read_path(row, out, parent, arena, err);
    }
    if (!taco__nav_read_range(row, out, err)) { return false; }
    out->level = parent->root ? 0 : parent->level + 1;
    current = taco__nav_value(row, TACO__NAV_CURRENT);
    out->row = current ? taco_array_int(current, 0) : -1;
    return taco__nav_read_source(row, out, parent, arena, err);
}

/* ---- finding a key ---- */

/* A key that is searched, in one table after the other. */
typedef struct taco__nav_key {
    taco_bytes text;
    bool by_position;
    /* position: rows still to be skipped */
    uint64_t left;
    /* padding counts, too */
    bool padding;
} taco__nav_key;

/* The columns of a node that a table has; `which` has room for all. Returns their number. */
static size_t taco__nav_list_columns(const taco__column_roles *r, size_t *which, taco__nav_row *row)
{
    const size_t roles[TACO__NAV_COLUMNS] = {r->id,   r->type,   r->offset,
                                             r->size, r->source, r->current};
    size_t i, n = 0;
    for (i = 0; i < TACO__NAV_COLUMNS; i++) {
        row->at[i] = roles[i] == TACO__NONE ? TACO__NONE : n;
        if (roles[i] != TACO__NONE) { which[n++] = roles[i]; }
    }
    return n;
}

/* A position in a table without padding is the row. */
static bool taco__nav_find_row(const taco__table *t, const taco__column_roles *r,
                               taco__nav_key *key, const taco__nav_node *parent,
                               taco__nav_node *out, taco__arena *arena, taco_error *err)
{
    taco__row_reader one;
    taco__nav_row row;
    size_t which[TACO__NAV_COLUMNS], n = taco__nav_list_columns(r, which, &row);
    bool found;
    if (key->left >= t->rows) {
        key->left -= t->rows;
        return false;
    }
    if (!taco__row_reader_open(&one, t, which, n, parent->store->mem, err)) { return false; }
    found = taco__row_reader_read_range(&one, key->left, 1, err);
    row.arrays = one.arrays;
    found = found && taco__nav_read_node(&row, out, parent, arena, err);
    taco__row_reader_close(&one);
    return found;
}

/* Skips as many matching rows as the position says, or all if there are fewer. */
static void taco__nav_skip_rows(taco__scan *scan, taco__nav_key *key, taco_error *err)
{
    const uint32_t *rows;
    uint64_t base;
    size_t n = 1;
    while (key->left && n) {
        n = taco__scan_next(scan, (size_t)TACO__MIN(key->left, (uint64_t)TACO__BATCH_ROWS), false,
                            &rows, &base, err);
        key->left -= n;
    }
}

/* The first matching row after those that the position skips. */
static bool taco__nav_scan_row(const taco__table *t, const taco__column_roles *r,
                               const taco__expr *where, const uint8_t *kept, taco__nav_key *key,
                               const taco__nav_node *parent, taco__nav_node *out,
                               taco__arena *arena, taco_error *err)
{
    taco__scan scan;
    taco__nav_row row;
    const uint32_t *rows;
    uint64_t base;
    size_t which[TACO__NAV_COLUMNS], n = taco__nav_list_columns(r, which, &row);
    bool found = false;
    if (!taco__scan_open(&scan, t, where, kept, which, n, 0, parent->store->mem, err)) {
        return false;
    }
    if (key->by_position) { taco__nav_skip_rows(&scan, key, err); }
    if (key->left == 0 && taco__scan_next(&scan, 1, true, &rows, &base, err)) {
        row.arrays = scan.out.arrays;
        found = taco__nav_read_node(&row, out, parent, arena, err);
    }
    taco__scan_close(&scan);
    return found;
}

/* Finds a key among the rows of a table, the children of `parent`. kept: a bitmap of the rows that
   count, NULL for all. False with err unchanged if it is not found; key->left is then what is left
   for the next table. */
static bool taco__nav_find_key(const taco__table *t, const taco__column_roles *r,
                               const uint8_t *kept, taco__nav_key *key,
                               const taco__nav_node *parent, taco__nav_node *out,
                               taco__arena *arena, taco_error *err)
{
    taco__expr *where;
    taco_bytes id = key->by_position ? key->text : taco__nav_key_to_id(key->text, arena, err);
    if (!id.data || !taco__nav_make_filter(t, r, key->by_position ? NULL : &id, key->padding, arena,
                                           &where, err)) {
        return false;
    }
    return key->by_position && !where && !kept
               ? taco__nav_find_row(t, r, key, parent, out, arena, err)
               : taco__nav_scan_row(t, r, where, kept, key, parent, out, arena, err);
}

/* ---- walking ---- */

/* A sample of level 0 of any container; err says which one could not be read. */
static bool taco__nav_step_from_root(taco_dataset *ds, taco__nav_node *node, taco__nav_key *key,
                                     taco__arena *arena, taco_error *err)
{
    taco__nav_node parent = *node;
    /* "@@2" counts stored rows */
    bool stored = key->by_position && taco__nav_is_stored_position(key->text);
    size_t i;
    for (i = 0; i < ds->container_count; i++) {
        taco__container *s = &ds->stores[i];
        taco__level *l = taco__container_level(s, 0, err);
        taco__column_roles r;
        if (!l) { return false; }
        parent.store = node->store = s;
        if (taco__local_meta_find_roles(s, &l->table, &r, err) &&
            taco__nav_find_key(&l->table, &r, stored ? NULL : s->kept, key, &parent, node, arena,
                               err)) {
            return true;
        }
        if (err->code != TACO_OK) {
            taco__error_prefix(err, "sample %q", &key->text);
            return taco__container_fail(s, l->name, err);
        }
    }
    return false;
}

/* A child of a FOLDER, in its __meta__; a format may have parts of a FILE. */
static bool taco__nav_step_from_folder(taco__nav_node *node, taco__nav_key *key, taco__arena *arena,
                                       taco_error *err)
{
    taco__nav_node parent = *node;
    taco__local_meta m;
    bool found;
    if (!parent.folder && !parent.store->format) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "no %q: its parent is a FILE, which has no children", &key->text);
        return false;
    }
    found = taco__local_meta_open(&parent, arena, &m, err) &&
            taco__nav_find_key(&m.table, &m.role, NULL, key, &parent, node, arena, err);
    taco__local_meta_close(&m);
    return found;
}

/* One step down: *node becomes its child with that key. */
static bool taco__nav_step(taco_dataset *ds, taco__nav_node *node, taco_bytes text, bool padding,
                           taco__arena *arena, taco_error *err)
{
    taco__nav_key key;
    bool found;
    key.text = text;
    key.by_position = taco__nav_parse_position(text, &key.left);
    key.padding = padding || (key.by_position && taco__nav_is_stored_position(text));
    found = node->root ? taco__nav_step_from_root(ds, node, &key, arena, err)
                       : taco__nav_step_from_folder(node, &key, arena, err);
    if (!found) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "there is no sample %q", &text);
    }
    return found;
}

/* Stores the keys that led to a node: those of its parent and this one. A '/' in it, which is part
   of the id, is escaped. */
static bool taco__nav_set_key_path(taco__nav_node *node, const taco__nav_node *parent,
                                   taco_bytes key, taco__arena *arena, taco_error *err)
{
    size_t n = parent->key_path ? strlen(parent->key_path) + 1 : 0, i;
    char *to = (char *)taco__arena_alloc(arena, n + 2 * key.len + 1, err);
    if (!to) { return false; }
    if (n) {
        memcpy(to, parent->key_path, n - 1);
        to[n - 1] = '/';
    }
    node->key_path = to;
    node->last_key = n;
    for (to += n, i = 0; i < key.len; i++) {
        if (key.data[i] == '/') {
            *to++ = '\\';
        } else if (key.data[i] == '\\' && i + 1 < key.len &&
                   taco__nav_is_special(key.data[i + 1])) {
            *to++ = (char)key.data[i++];
        }
        *to++ = (char)key.data[i];
    }
    return true;
}

/* Prefixes an error with the dataset, and with the keys before the key at p, if any. here: the key
   at p was found, and the error concerns a later one. */
static void taco__nav_prefix_error(const taco__nav_node *node, const char *path, const char *p,
                                   bool here, taco_error *err)
{
    const char *name = node->store->name;
    taco_bytes done = taco__bytes_of(path, p != path ? (size_t)(p - path) - 1 : 0);
    if (!here && p != path) {
        taco__error_prefix(err, "%s: %q", name, &done);
    } else if (strncmp(err->text, name, strlen(name)) != 0) {
        taco__error_prefix(err, "%s", name);
    }
}

/* Walks the keys from p on, in `path`, down from *node. Ids in old formats may contain '/': if no
   sample has a key, the next one is taken as part of it. */
static bool taco__nav_walk_keys(taco_dataset *ds, const char *path, const char *p, unsigned depth,
                                bool padding, taco__nav_node *node, taco__arena *arena,
                                taco_error *err)
{
    const char *end = taco__nav_key_end(p);
    taco_error first;
    if (depth == TACO__NAV_MAX_DEPTH) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "a path of more than %u keys",
                   TACO__U(TACO__NAV_MAX_DEPTH));
        return false;
    }
    for (memset(&first, 0, sizeof first);; end = taco__nav_key_end(end + 1)) {
        taco_bytes key = taco__bytes_of(p, (size_t)(end - p));
        taco__nav_node child = *node;
        bool here = taco__nav_step(ds, &child, key, padding, arena, err);
        if (here && taco__nav_set_key_path(&child, node, key, arena, err) &&
            (!*end ||
             taco__nav_walk_keys(ds, path, end + 1, depth + 1, padding, &child, arena, err))) {
            *node = child;
            return true;
        }
        taco__nav_prefix_error(node, path, p, here, err);
        first = first.code == TACO_OK ? *err : first;
        if (err->code != TACO_ERR_NOT_FOUND || !*end || !node->store->format) {
            *err = err->code == TACO_ERR_NOT_FOUND ? first : *err;
            return false;
        }
        memset(err, 0, sizeof *err);
    }
}

/* Walks a path of keys from the root, which is "". *node is in the arena; err must not be NULL. */
TACO__FN bool taco__nav_walk(taco_dataset *ds, const char *path, bool padding, taco__nav_node *node,
                             taco__arena *arena, taco_error *err)
{
    const taco_opener *format = ds->stores[0].format;
    memset(node, 0, sizeof *node);
    node->store = &ds->stores[0];
    node->root = node->folder = true;
    if (path[0] && format && format->walk) { return format->walk(ds, path, node, arena, err); }
    return !path[0] || taco__nav_walk_keys(ds, path, path, 0, padding, node, arena, err);
}

/* ---- from a row to its path ---- */

/* Appends '/' and the key of one row of a level. */
static bool taco__nav_append_row_id(taco__level *l, uint64_t row, taco__buf *path, taco_error *err)
{
    taco__row_reader one;
    bool ok;
    if (l->role.id == TACO__NONE || l->table.fields[l->role.id].type != TACO_TEXT) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "id must be a column of text");
        return false;
    }
    ok = taco__row_reader_open(&one, &l->table, &l->role.id, 1, path->mem, err) &&
         taco__row_reader_read_range(&one, row, 1, err);
    if (ok) {
        taco_bytes id = taco_array_bytes(&one.arrays[0], 0);
        ok = taco__buf_append_char(path, '/', err) && taco__nav_append_key(path, id, err);
    }
    taco__row_reader_close(&one);
    return ok;
}

/* The rows of all ancestors of a row; up[level] is the row itself. */
static bool taco__nav_find_ancestors(taco__container *s, uint32_t level, uint64_t row, uint64_t *up,
                                     taco_error *err)
{
    uint32_t l;
    int64_t parent = -1;
    up[level] = row;
    for (l = level; l > 0; l--) {
        if (!taco__lookup_parent(s, l, up[l], &parent, err)) { return false; }
        if (parent < 0) {
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "row %u has no parent", up[l]);
            return taco__container_fail(s, s->levels[l].name, err);
        }
        up[l - 1] = (uint64_t)parent;
    }
    return true;
}

/* Appends the path of a row of a level: the position of its topmost ancestor, which is unique, then
   ids: "@@5/folder/file". */
TACO__FN bool taco__nav_path_of_row(taco_dataset *ds, size_t store, uint32_t level, uint64_t row,
                                    taco__buf *path, taco_error *err)
{
    taco__container *s = &ds->stores[store];
    uint64_t up[TACO__MAX_LEVELS], at = 0;
    char digits[24];
    uint32_t l;
    size_t i;
    if (!taco__nav_find_ancestors(s, level, row, up, err)) { return false; }
    for (i = 0; i < store; i++) {
        at += ds->stores[i].levels[0].table.rows;
    }
    if (!taco__buf_append_text(path, "@@", err) ||
        !taco__buf_append(path, digits, taco__num_format_u64(digits, at + up[0]), err)) {
        return false;
    }
    for (l = 1; l <= level; l++) {
        if (!taco__nav_append_row_id(&s->levels[l], up[l], path, err)) {
            return taco__container_fail(s, s->levels[l].name, err);
        }
    }
    return true;
}
