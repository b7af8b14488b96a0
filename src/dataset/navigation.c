/* navigation.c - from keys to samples, through the local metadata: read, locate, payload.. Spec:
   TACO 2.0 §6.2 "Local Metadata", §7.2.3 */
#include "dataset.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../filter/filter.h"

/* ---- one key
   -------------------------------------------------------------------------------------- */

/* "@@12" is a position, padding counted. */
TACO__FN bool taco__nav_is_stored_position(taco_bytes key)
{
    return key.len > 2 && key.data[0] == '@' && key.data[1] == '@';
}

/* Ids of old formats may hold what paths are made of: '/', '\\' and '@' stand behind a '\\'
   there. */
static bool taco__nav_is_special(uint8_t c)
{
    return c == '/' || c == '\\' || c == '@';
}

/* The key of an id. */
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

/* The id of a key; itself where it has no '\\'. data is NULL when memory ends. */
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

/* "@12" is a position; everything else is an id. */
TACO__FN bool taco__nav_parse_position(taco_bytes key, uint64_t *out)
{
    size_t skip = taco__nav_is_stored_position(key) ? 2 : 1;
    return key.len > 1 && key.data[0] == '@' &&
           taco__vsi_parse_number(taco__bytes_of(key.data + skip, key.len - skip), out);
}

/* A scan that only shows rows which are no padding, or have the id; expressions live in the
   arena. */
TACO__FN bool taco__nav_make_filter(const taco__table *t, const taco__column_roles *r,
                                    const taco_bytes *id, bool padding, taco__arena *arena,
                                    taco__expr **out, taco_error *err)
{
    *out = NULL;
    if (id) {
        *out = taco__expr_equals(arena, r->id, *id, err);
    } else if (!padding) {
        taco__level l; /* asks the statistics */
        memset(&l, 0, sizeof l);
        l.table = *t;
        l.role = *r;
        l.padded = -1;
        if (!taco__query_hide_padding(&l, arena, out, err)) { return false; }
    }
    return (!id || *out) && (!*out || taco__pred_bind(*out, t->fields, t->field_count, arena, err));
}

/* Copies the row that the reader holds into *out. */
static bool taco__nav_read_node(const taco_array *a, const size_t *at, taco__nav_node *out,
                                const taco__nav_node *parent, taco__arena *arena, taco_error *err)
{
    taco_bytes type = taco_array_bytes(&a[at[1]], 0), id = taco_array_bytes(&a[at[0]], 0);
    int folder = taco__sample_path_parse_type(type);
    taco__container *s = out->store;
    if (folder < 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   taco_array_valid(&a[at[1]], 0) ? "type is %q, must be FILE or FOLDER"
                                                  : "type is null, must be FILE or FOLDER",
                   &type);
        return false;
    }
    out->root = false;
    out->folder = folder > 0;
    if (s->kind == TACO_KIND_FOLDER) {
        const char *own;
        if (taco__vsi_check_path(id, false, "id", err) != TACO_OK) { return false; }
        own = taco__arena_text(arena, id, err);
        if (own && parent->path) {
            own = taco__container_join_path(s, "/", own, err);
            own = own ? taco__container_join_path(s, parent->path, own, err) : NULL;
        }
        out->path = own;
        return own != NULL;
    }
    if (at[2] == TACO__NONE || at[3] == TACO__NONE) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no internal:%s",
                   at[2] == TACO__NONE ? "offset" : "size");
        return false;
    }
    if (!taco__join_is_integer(a[at[2]].field->type) ||
        !taco__join_is_integer(a[at[3]].field->type)) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "internal:offset and internal:size must be integers");
        return false;
    }
    out->has_range = taco_array_valid(&a[at[2]], 0) && taco_array_valid(&a[at[3]], 0);
    out->offset = taco_array_int(&a[at[2]], 0);
    out->size = taco_array_int(&a[at[3]], 0);
    if (!out->has_range) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "internal:offset or internal:size is null");
        return false;
    }
    if (!taco__vsi_check_range(out->offset, out->size, err)) { return false; }
    out->level = parent->root ? 0 : parent->level + 1;
    out->row =
        at[5] != TACO__NONE && taco_array_valid(&a[at[5]], 0) ? taco_array_int(&a[at[5]], 0) : -1;
    if (s->kind == TACO_KIND_TACOCAT && parent->root) {
        taco_bytes source =
            at[4] == TACO__NONE ? taco__bytes_of(NULL, 0) : taco_array_bytes(&a[at[4]], 0);
        if (!s->format && taco__vsi_check_name(source, "internal:source_file", err) != TACO_OK) {
            return false;
        }
        out->source = taco__arena_text(arena, source, err);
        return out->source != NULL;
    }
    out->source = parent->source;
    return true;
}

/* Finds a key among the rows of a table. *left counts a position down, over several tables. False
   with err untouched when it is not there. */
static bool taco__nav_find_key(const taco__table *t, const taco__column_roles *r, taco_bytes key,
                               uint64_t *left, bool padding, const taco__nav_node *parent,
                               taco__nav_node *out, taco__arena *arena, taco_error *err)
{
    taco__expr *where;
    taco__scan scan;
    const uint32_t *rows;
    uint64_t base, position;
    bool by_position = taco__nav_parse_position(key, &position), found = false;
    size_t which[6], at[6], i, n = 0;
    const size_t roles[6] = {r->id, r->type, r->offset, r->size, r->source, r->current};
    taco_bytes id = by_position ? key : taco__nav_key_to_id(key, arena, err);
    if (!id.data ||
        !taco__nav_make_filter(t, r, by_position ? NULL : &id, padding, arena, &where, err)) {
        return false;
    }
    for (i = 0; i < 6; i++) {
        at[i] = roles[i] == TACO__NONE ? TACO__NONE : n;
        if (roles[i] != TACO__NONE) { which[n++] = roles[i]; }
    }
    /* without padding the position is the row */
    if (by_position && !where && *left < t->rows) {
        taco__row_reader one;
        if (!taco__row_reader_open(&one, t, which, n, parent->store->mem, err)) { return false; }
        found = taco__row_reader_read_range(&one, *left, 1, err) &&
                taco__nav_read_node(one.arrays, at, out, parent, arena, err);
        taco__row_reader_close(&one);
        return found;
    }
    if (by_position && !where) {
        *left -= t->rows;
        return false;
    }
    if (!taco__scan_open(&scan, t, where, NULL, which, n, 0, parent->store->mem, err)) {
        return false;
    }
    while (by_position && *left) {
        n = taco__scan_next(&scan, (size_t)TACO__MIN(*left, (uint64_t)TACO__BATCH_ROWS), false,
                            &rows, &base, err);
        *left -= n;
        if (n == 0) { break; }
    }
    if ((!by_position || *left == 0) && taco__scan_next(&scan, 1, true, &rows, &base, err)) {
        found = taco__nav_read_node(scan.out.arrays, at, out, parent, arena, err);
    }
    taco__scan_close(&scan);
    return found;
}

/* One step down: the child of *node with that key; *node becomes it. */
static bool taco__nav_step(taco_dataset *ds, taco__nav_node *node, taco_bytes key, bool padding,
                           taco__arena *arena, taco_error *err)
{
    taco__nav_node parent = *node;
    uint64_t left = 0;
    size_t i;
    bool found = false;
    if (taco__nav_parse_position(key, &left)) {
        padding = padding || taco__nav_is_stored_position(key);
    }
    if (parent.root) {
        for (i = 0; i < ds->container_count && !found && err->code == TACO_OK; i++) {
            taco__level *l = taco__container_level(&ds->stores[i], 0, err);
            taco__column_roles r;
            if (!l) { return false; }
            parent.store = node->store = &ds->stores[i];
            found =
                taco__local_meta_find_roles(&ds->stores[i], &l->table, &r, err) &&
                taco__nav_find_key(&l->table, &r, key, &left, padding, &parent, node, arena, err);
            if (!found && err->code != TACO_OK) {
                taco__error_prefix(err, "sample %q", &key);
                return taco__container_fail(&ds->stores[i], l->name, err);
            }
        }
    } else {
        taco__local_meta m;
        if (!parent.folder && !parent.store->format) { /* a format may have parts of a FILE */
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                       "no %q: its parent is a FILE, which has no children", &key);
            return false;
        }
        found =
            taco__local_meta_open(&parent, arena, &m, err) &&
            taco__nav_find_key(&m.table, &m.role, key, &left, padding, &parent, node, arena, err);
        taco__local_meta_close(&m);
    }
    if (!found) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "there is no sample %q", &key);
    }
    return found;
}

/* Notes the key that led to a node; a '/' in it, which an id was found to hold, gets its '\\'. */
static bool taco__nav_append_walked(taco__nav_node *node, const taco__nav_node *parent,
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

/* The end of the key at p: a '/' without '\\' in front, or the end of the path. */
static const char *taco__nav_key_end(const char *p)
{
    for (; *p && *p != '/'; p++) {
        p += *p == '\\' && p[1] && taco__nav_is_special((uint8_t)p[1]);
    }
    return p;
}

#define TACO__NAV_MAX_DEPTH 256 /* keys of a path */

/* Walks the keys from p on, in `path`, down from *node. Ids of old formats may hold a '/': where
   there is no sample of a key, the next one is taken as a part of it. */
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
        taco_bytes done = taco__bytes_of(path, p != path ? (size_t)(p - path) - 1 : 0);
        taco__nav_node child = *node;
        bool here = taco__nav_step(ds, &child, key, padding, arena, err);
        if (here && taco__nav_append_walked(&child, node, key, arena, err) &&
            (!*end ||
             taco__nav_walk_keys(ds, path, end + 1, depth + 1, padding, &child, arena, err))) {
            *node = child;
            return true;
        }
        if (!here && p != path) {
            taco__error_prefix(err, "%s: %q", node->store->name, &done);
        } else if (strncmp(err->text, node->store->name, strlen(node->store->name)) != 0) {
            taco__error_prefix(err, "%s", node->store->name);
        }
        first = first.code == TACO_OK ? *err : first;
        if (err->code != TACO_ERR_NOT_FOUND || !*end || !node->store->format) {
            *err = err->code == TACO_ERR_NOT_FOUND ? first : *err;
            return false;
        }
        memset(err, 0, sizeof *err);
    }
}

/* Walks a path of keys; "" is the root. */
TACO__FN bool taco__nav_walk(taco_dataset *ds, const char *path, bool padding, taco__nav_node *node,
                             taco__arena *arena, taco_error *err)
{
    memset(node, 0, sizeof *node);
    node->store = &ds->stores[0];
    node->root = node->folder = true;
    return !path[0] || taco__nav_walk_keys(ds, path, path, 0, padding, node, arena, err);
}

/* id = 'key', as a predicate. */
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

/* What the ids of a level are called: Tortilla has a name of its own. */
TACO__FN const char *taco__nav_id_column(const taco__container *s, uint32_t level)
{
    const taco__level *l = &s->levels[level];
    return level < s->level_count && l->opened && l->role.id != TACO__NONE &&
                   l->table.field_count > l->role.id
               ? l->table.fields[l->role.id].name
               : "id";
}

/* The id of one row of a level, appended to a path. */
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

/* The path of a row of a level: its ancestor's place at the top, then ids. */
TACO__FN bool taco__nav_path_of_row(taco_dataset *ds, size_t store, uint32_t level, uint64_t row,
                                    taco__buf *path, taco_error *err)
{
    taco__container *s = &ds->stores[store];
    uint64_t up[TACO__MAX_LEVELS], at = 0;
    char digits[24];
    uint32_t l;
    size_t i;
    up[level] = row;
    for (l = level; l > 0; l--) {
        int64_t parent;
        if (!taco__lookup_parent(s, l, up[l], &parent, err)) { return false; }
        if (parent < 0) {
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "row %u has no parent", up[l]);
            return taco__container_fail(s, s->levels[l].name, err);
        }
        up[l - 1] = (uint64_t)parent;
    }
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
