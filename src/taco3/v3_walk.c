/* v3_walk.c - from a key and a path to a file, and the rows below a sample or a folder

   In: "scene-5/before/B02.tif" or "@0/before/B02.tif": an id or a position, then a path in the
   sample. Out: a taco__nav_node with the place of a file; or, for a sample or a folder, a root,
   whose rows taco__v3_walk_read lists. A file is found by its internal:relative_path, which begins
   with the number of its sample. An id with a '/' is written with a '\\' before it, or its sample
   is named by position.

   Conditions are written as the text of a filter and parsed: the same statistics then prune the
   tables as for a query of the caller's. Start reading at taco__v3_walk. */
#include "v3.h"
#include "../filter/scan.h"

/* ---- one row ---- */

/* The first row of a table for which a condition holds; `where` is in the words of a filter. */
static bool taco__v3_walk_find(taco__v3_store *x, const taco__table *t, const char *where,
                               taco__arena *arena, int64_t *out, taco_error *err)
{
    taco__expr *e = taco__pred_parse(arena, where, strlen(where), &x->s->options->limits, err);
    taco__scan scan;
    const uint32_t *rows;
    uint64_t base;
    *out = -1;
    if (!e || !taco__pred_bind(e, t->fields, t->field_count, arena, err) ||
        !taco__scan_open(&scan, t, e, NULL, NULL, 0, 0, x->s->mem, err)) {
        return false;
    }
    if (taco__scan_next(&scan, 1, false, &rows, &base, err)) { *out = (int64_t)(base + rows[0]); }
    taco__scan_close(&scan);
    return !err || err->code == TACO_OK;
}

/* The text of a column in one row, in the arena; {NULL, 0} on failure. */
static taco_bytes taco__v3_walk_text(taco__v3_store *x, const taco__table *t, size_t column,
                                     uint64_t row, taco__arena *arena, taco_error *err)
{
    taco__row_reader one;
    taco_bytes text = taco__bytes_of(NULL, 0);
    if (column == TACO__NONE || t->fields[column].type != TACO_TEXT) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "there is no column %s of text",
                   column == TACO__NONE ? "internal:relative_path" : t->fields[column].name);
        return text;
    }
    if (!taco__row_reader_open(&one, t, &column, 1, x->s->mem, err)) { return text; }
    if (taco__row_reader_read_range(&one, row, 1, err)) {
        taco_bytes b = taco_array_bytes(&one.arrays[0], 0);
        text = taco__bytes_of(taco__arena_text(arena, b, err), b.len);
    }
    taco__row_reader_close(&one);
    return text;
}

/* An integer of one row. */
static bool taco__v3_walk_number(taco__v3_store *x, const taco__table *t, size_t column,
                                 uint64_t row, uint64_t *out, taco_error *err)
{
    taco__row_reader one;
    bool ok;
    if (!taco__row_reader_open(&one, t, &column, 1, x->s->mem, err)) { return false; }
    ok = taco__row_reader_read_range(&one, row, 1, err);
    if (ok) {
        *out = (uint64_t)taco_array_int(&one.arrays[0], 0);
        if (!taco_array_valid(&one.arrays[0], 0) || *out > INT64_MAX) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "row %u: %s is null, negative or too large", row, t->fields[column].name);
            ok = false;
        }
    }
    taco__row_reader_close(&one);
    return ok;
}

/* ---- conditions as text ---- */

/* Appends AND "column" = value; of a text in quotes. */
static bool taco__v3_walk_append(taco__buf *b, const char *column, taco_bytes value, bool text,
                                 taco_error *err)
{
    return (!b->len || taco__buf_append_text(b, " AND ", err)) &&
           taco__lex_append_quoted(b, taco__bytes_text(column), '"', err) &&
           taco__buf_append_text(b, " = ", err) &&
           (text ? taco__lex_append_quoted(b, value, '\'', err)
                 : taco__buf_append(b, value.data, value.len, err));
}

/* ---- samples ---- */

/* A sample: its container, and its row there. */
typedef struct taco__v3_sample {
    taco__v3_store *x;
    taco__v3_table *t;
    uint64_t row;
} taco__v3_sample;

/* The first sample with an id. Drafts before 0.9 have no ids: nothing is found. */
static bool taco__v3_walk_by_id(taco__v3_store *x, taco__v3_table *t, taco_bytes key,
                                taco__arena *arena, int64_t *found, taco_error *err)
{
    taco_bytes id = taco__nav_key_to_id(key, arena, err);
    taco__buf where;
    bool ok;
    *found = -1;
    if (t->id == TACO__NONE || t->t.fields[t->id].type != TACO_TEXT) { return true; }
    memset(&where, 0, sizeof where);
    where.mem = x->s->mem;
    ok = id.data && taco__v3_walk_append(&where, "id", id, true, err) &&
         taco__buf_append_char(&where, 0, err) &&
         taco__v3_walk_find(x, &t->t, (const char *)where.data, arena, found, err);
    taco__buf_free(&where);
    return ok;
}

/* Finds the sample of a key in all containers. */
static bool taco__v3_walk_sample(taco_dataset *ds, taco_bytes key, taco__arena *arena,
                                 taco__v3_sample *out, taco_error *err)
{
    uint64_t left = 0;
    bool position = taco__nav_parse_position(key, &left);
    int64_t found;
    size_t i;
    for (i = 0; i < ds->container_count; i++) {
        out->x = taco__v3_store_of(&ds->stores[i]);
        out->t = taco__v3_level_table(out->x, 0, err);
        if (!out->t) { return false; }
        out->row = left;
        if (position && left < out->t->t.rows) { return true; }
        left -= position ? out->t->t.rows : 0;
        if (position) { continue; }
        if (!taco__v3_walk_by_id(out->x, out->t, key, arena, &found, err)) { return false; }
        out->row = (uint64_t)found;
        if (found >= 0) { return true; }
    }
    TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "there is no sample %q", &key);
    taco__error_prefix(err, "%s", ds->stores[0].name);
    return false;
}

/* ---- files and folders ---- */

/* The condition on a level that a row is the one of a path in a sample: in a catalogue, of the same
   archive. */
static bool taco__v3_walk_row_condition(const taco__v3_sample *p, taco_bytes path,
                                        taco__arena *arena, taco__buf *where, taco_error *err)
{
    taco_bytes number = taco__v3_walk_text(p->x, &p->t->t, p->t->path, p->row, arena, err), source;
    taco__buf whole;
    bool ok;
    memset(&whole, 0, sizeof whole);
    whole.mem = where->mem;
    ok = number.data && taco__buf_append(&whole, number.data, number.len, err) &&
         taco__buf_append_char(&whole, '/', err) &&
         taco__buf_append(&whole, path.data, path.len, err) &&
         taco__v3_walk_append(where, "internal:relative_path",
                              taco__bytes_of(whole.data, whole.len), true, err);
    taco__buf_free(&whole);
    if (!ok || p->x->s->kind != TACO_KIND_TACOCAT) { return ok; }
    source = taco__v3_walk_text(p->x, &p->t->t, p->t->source, p->row, arena, err);
    return source.data && taco__v3_walk_append(where, TACO__SOURCE_FILE, source, true, err);
}

/* The condition that rows are below a row of a table, which is a sample or a folder. */
static bool taco__v3_walk_children_condition(const taco__v3_sample *p, const taco__v3_table *t,
                                             uint64_t row, taco__arena *arena, taco__buf *where,
                                             taco_error *err)
{
    uint64_t id = row;
    taco_bytes source;
    char digits[24];
    if (t->current != TACO__NONE && !taco__v3_walk_number(p->x, &t->t, t->current, row, &id, err)) {
        return false;
    }
    if (!taco__v3_walk_append(where, TACO__PARENT_ID,
                              taco__bytes_of(digits, taco__num_format_u64(digits, id)), false,
                              err)) {
        return false;
    }
    if (p->x->s->kind != TACO_KIND_TACOCAT) { return true; }
    source = taco__v3_walk_text(p->x, &t->t, t->source, row, arena, err);
    return source.data && taco__v3_walk_append(where, TACO__SOURCE_FILE, source, true, err);
}

/* A catalogue on disk must have all archives of taco:sources before bytes are read from one: of an
   incomplete one there is no telling what else is missing. */
static bool taco__v3_walk_check_sources(taco__container *s, taco__arena *arena, taco_error *err)
{
    const taco__json *list = taco__json_get(s->coll.sources, "partitions"), *part;
    size_t i, n = taco__json_length(list);
    uint64_t size;
    if (s->options->open_file || taco__vsi_is_remote(taco__bytes_text(s->archive_dir))) {
        return true;
    }
    for (i = 0, part = taco__json_first(list); i < n; i++, part = taco__json_next(part)) {
        taco_bytes name = taco__json_bytes(taco__json_get(part, "file"));
        const char *text, *path;
        if (taco__vsi_check_path(name, false, "taco:sources", err) != TACO_OK) { return false; }
        text = taco__arena_text(arena, name, err);
        path = text ? taco__container_join_path(s, s->archive_dir, text, err) : NULL;
        if (!path) { return false; }
        if (taco__plat_stat(path, &size) != TACO__PATH_FILE) {
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                       "the catalogue is incomplete: there is no %q of taco:sources", &name);
            return false;
        }
    }
    return true;
}

/* Fills the place of a file from its row. */
static bool taco__v3_walk_place(const taco__v3_sample *p, const taco__v3_table *t, uint64_t row,
                                taco__arena *arena, taco__nav_node *out, taco_error *err)
{
    uint64_t offset = 0, size = 0;
    if (p->x->s->kind == TACO_KIND_FOLDER) {
        taco_bytes path = taco__v3_walk_text(p->x, &t->t, t->path, row, arena, err);
        out->path = (const char *)path.data;
        return path.data &&
               taco__vsi_check_path(path, false, "internal:relative_path", err) == TACO_OK;
    }
    if (!taco__v3_walk_number(p->x, &t->t, t->offset, row, &offset, err) ||
        !taco__v3_walk_number(p->x, &t->t, t->size, row, &size, err)) {
        return false;
    }
    out->has_range = true;
    out->offset = (int64_t)offset;
    out->size = (int64_t)size;
    if (p->x->s->kind == TACO_KIND_TACOCAT) {
        taco_bytes source = taco__v3_walk_text(p->x, &t->t, t->source, row, arena, err);
        out->source = (const char *)source.data;
        return source.data &&
               taco__vsi_check_path(source, false, TACO__SOURCE_FILE, err) == TACO_OK &&
               taco__v3_walk_check_sources(p->x->s, arena, err);
    }
    return true;
}

/* The level of the rows of a path: that of its folder, or its own. */
static size_t taco__v3_walk_level(const taco__v3_store *x, taco_bytes path, bool folder,
                                  taco__arena *arena, taco_error *err)
{
    char *name = (char *)taco__arena_alloc(arena, path.len + 10, err);
    size_t n = path.len;
    if (!name) { return TACO__NONE; }
    while (!folder && n && path.data[n - 1] != '/') {
        n--;
    }
    n -= !folder && n;
    memcpy(name, "children/", 9);
    if (n) { memcpy(name + 9, path.data, n); }
    return taco__v3_contract_find_level(&x->contract, taco__bytes_of(name, n ? n + 9 : 8));
}

/* Finds a path in a sample. where: the condition for taco__v3_walk_read. */
static bool taco__v3_walk_path(const taco__v3_sample *p, taco_bytes path, taco__arena *arena,
                               taco__nav_node *out, taco__buf *where, taco_error *err)
{
    size_t level = taco__v3_walk_level(p->x, path, false, arena, err),
           below = taco__v3_walk_level(p->x, path, true, arena, err);
    taco__v3_table *t = level == TACO__NONE ? NULL : taco__v3_level_table(p->x, level, err);
    int64_t found = -1;
    if (level != TACO__NONE && !t) { return false; }
    if (t && (!taco__v3_walk_row_condition(p, path, arena, where, err) ||
              !taco__buf_append_char(where, 0, err) ||
              !taco__v3_walk_find(p->x, &t->t, (const char *)where->data, arena, &found, err))) {
        return false;
    }
    if (found < 0) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "the sample has no file %q", &path);
        return false;
    }
    out->level = (uint32_t)level;
    out->row = found;
    if (below == TACO__NONE) {
        out->root = out->folder = false;
        return taco__v3_walk_place(p, t, (uint64_t)found, arena, out, err);
    }
    out->level = (uint32_t)below;
    where->len = 0;
    return taco__v3_walk_children_condition(p, t, (uint64_t)found, arena, where, err) &&
           taco__buf_append_char(where, 0, err);
}

/* taco_opener.walk. out->key_path becomes the condition on the rows of out->level that are below a
   sample or folder, or that of a file. */
TACO__FN bool taco__v3_walk(taco_dataset *ds, const char *path, taco__nav_node *out,
                            taco__arena *arena, taco_error *err)
{
    const char *end = taco__nav_key_end(path);
    taco_bytes key = taco__bytes_of(path, (size_t)(end - path)), whole = taco__bytes_text(path);
    taco__v3_sample p;
    taco__buf where;
    bool ok;
    if (!taco__v3_walk_sample(ds, key, arena, &p, err)) { return false; }
    memset(&where, 0, sizeof where);
    where.mem = &ds->mem;
    out->store = p.x->s;
    out->level = 1;
    ok = *end && end[1] ? taco__v3_walk_path(&p, taco__bytes_text(end + 1), arena, out, &where, err)
                        : taco__v3_walk_children_condition(&p, p.t, p.row, arena, &where, err) &&
                              taco__buf_append_char(&where, 0, err);
    if (ok) {
        out->key_path = taco__arena_text(arena, taco__bytes_of(where.data, where.len - 1), err);
        ok = out->key_path != NULL;
    }
    taco__buf_free(&where);
    if (!ok) { taco__error_prefix(err, "%s: %q", p.x->s->name, &whole); }
    return ok;
}

/* taco_opener.read: the rows of a level for which the condition holds, in the node's container. */
TACO__FN taco_cursor *taco__v3_walk_read(taco_dataset *ds, const taco__nav_node *n, taco_error *err)
{
    taco__v3_store *x = taco__v3_store_of(n->store);
    taco_dataset *rows =
        taco__v3_level_open(ds, taco__bytes_text(x->contract.levels[n->level].name), err);
    taco__query q;
    taco__query_filter filter;
    size_t i;
    if (!rows) { return NULL; }
    memset(&q, 0, sizeof q);
    memset(&filter, 0, sizeof filter);
    filter.f.where = n->key_path;
    q.filters = &filter;
    q.filter_count = 1;
    for (i = 0; i <= x->index; i++) {
        taco__v3_table *t = taco__v3_level_table(taco__v3_store_of(&ds->stores[i]), n->level, err);
        if (!t) { return NULL; }
        q.row_from = q.row_to;
        q.row_to += t->t.rows;
    }
    return taco__select_open(rows, &q, NULL, err);
}
