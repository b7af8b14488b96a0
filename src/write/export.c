/* export.c - taco_export, taco_export_rows, taco_repack: samples of a dataset in a new container

   In: an open dataset of any container and a query, or rows of a view; out: a new archive or FOLDER
   with the selected samples, complete and renumbered. TACO 2.0 §7.1.3 (exports, taco:subset_of),
   §7.1.4 (repacking).

   taco__export_build_tree finds the chosen samples of level 0, then goes down level by level: a
   row is in when its parent is; one without a parent is reported. e->map holds, for the rows of the
   level read last, their row in the new tree. Then export_source.c streams columns and bytes, and
   container_write.c writes. add_columns.c uses the same state to rewrite a dataset with more
   columns.

   Example: of a level with 4 rows the query selects the second and the fourth: chosen = 0b1010, map
   = -1 0 -1 1. A row of the level below whose parent is 3 then has the new parent 1. */
#include "write.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../parquet/parquet.h"
#include "../filter/filter.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"

/* Frees everything in an export; the dataset stays open. */
TACO__FN void taco__export_free(taco__export *e)
{
    size_t i;
    taco__export_source_end_level(e);
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        if (e->window[i].file) {
            taco__file_release(e->window[i].file, e->window[i].range.offset,
                               e->window[i].range.len);
        }
        taco__buf_free(&e->order[i]);
        taco__mem_free(&e->mem, e->chosen[i], TACO__BITMAP_BYTES(e->rows[i]));
    }
    taco__tree_free(&e->tree);
    taco__buf_free(&e->map);
    taco__buf_free(&e->places);
    taco__buf_free(&e->place);
    taco__buf_free(&e->path);
    taco__buf_free(&e->head);
    taco__buf_free(&e->lead);
    taco__buf_free(&e->index);
    taco__arena_free(&e->arena);
}

/* ---- which samples ---- */

/* Sets the bits of the level-0 rows that pass the query, in storage order, within its offset and
   limit. */
static bool taco__export_select_samples(taco__export *e, const taco_query *query, taco_error *err)
{
    taco_query q = *query;
    uint64_t skip = q.offset, left = q.limit ? q.limit : UINT64_MAX;
    taco_cursor *c;
    const uint32_t *rows;
    uint64_t first;
    size_t i, n;
    if (q.order || q.flat || q.table) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "an export has samples of level 0 in storage order: no order, no flat view, no "
                   "other table");
        return false;
    }
    q.limit = q.offset = 0;
    q.select = "id";
    c = taco_select(e->ds, &q, err);
    while (c && left && (n = taco__compose_next_rows(c, &first, &rows)) != 0) {
        for (i = 0; i < n && left; i++) {
            if (skip) {
                skip--;
            } else {
                taco__bitmap_set(e->chosen[0], (size_t)first + rows[i]);
                left--;
            }
        }
    }
    return taco_cursor_close(c, err) == TACO_OK && c != NULL;
}

/* Sets the bits of the level-0 rows that contain the rows of a cursor, or are these rows. ARGUMENT
   for rows that are not samples. */
static bool taco__export_choose_rows(taco__export *e, taco_cursor *rows, taco_error *err)
{
    taco_batch b;
    uint64_t row, base;
    size_t i, k, store;
    while (taco_cursor_batch(rows, &b)) {
        for (i = 0; i < b.length; i++) {
            if (!taco__compose_sample_row(rows, i, &store, &row)) {
                TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                           "an export has samples: these rows are of groups, of a join or of a "
                           "FOLDER");
                return false;
            }
            if (!taco__join_top_row(&e->ds->stores[store], rows->query.level, &row, err)) {
                if (err->code != TACO_OK) { return false; }
                continue;
            }
            for (k = 0, base = 0; k < store; k++) {
                base += e->ds->stores[k].levels[0].table.rows;
            }
            taco__bitmap_set(e->chosen[0], (size_t)(base + row));
        }
    }
    return rows->err.code == TACO_OK;
}

/* Records where the bytes of the next level-0 sample are: its container and, in a catalogue, its
   archive. */
static bool taco__export_add_origin(taco__export *e, taco__container *s, taco_bytes source,
                                    taco_error *err)
{
    taco__export_origin *p = (taco__export_origin *)(void *)e->places.data, one;
    size_t i = e->places.len / sizeof *p;
    uint32_t number;
    while (i &&
           (p[i - 1].store != s ||
            (p[i - 1].source && !taco__bytes_equal(taco__bytes_text(p[i - 1].source), source)))) {
        i--; /* rows of an archive are usually adjacent: the last origin is tried first */
    }
    if (i == 0) {
        one.store = s;
        one.source = NULL;
        if (s->kind == TACO_KIND_TACOCAT) {
            if (taco__vsi_check_name(source, "internal:source_file", err) != TACO_OK) {
                return false;
            }
            one.source = taco__arena_text(&e->arena, source, err);
        }
        if ((s->kind == TACO_KIND_TACOCAT && !one.source) ||
            !taco__buf_append(&e->places, &one, sizeof one, err)) {
            return false;
        }
        i = e->places.len / sizeof one;
    }
    number = (uint32_t)i - 1;
    return taco__buf_append(&e->place, &number, sizeof number, err);
}

/* CORRUPT for ids that cannot be part of a path, or are reserved. */
static bool taco__export_check_id(taco_bytes id, bool valid, taco_error *err)
{
    if (!valid || taco__vsi_check_path(id, false, "id", err) != TACO_OK) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "id is null");
        return false;
    }
    if (memchr(id.data, '/', id.len)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "id %q has a '/'", &id);
        return false;
    }
    if (taco__rules_check_id(id, err) == TACO_OK) { return true; }
    err->code = TACO_ERR_CORRUPT; /* the source is wrong, not the caller */
    return false;
}

/* Fails, or warns if only some samples are copied: rows without a parent are of no sample, and
   would be lost. */
static bool taco__export_report_orphan(const taco__export *e, taco__container *s,
                                       const taco__level *l, size_t row, taco_error *err)
{
    taco_error what = {0, TACO_OK, 0, {0}};
    bool whole = taco__bitmap_count(e->chosen[0], 0, e->rows[0]) == e->rows[0];
    TACO__FAIL(whole ? err : &what, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
               "row %u: internal:parent_id names no row of the level above, so that the row is of "
               "no sample",
               TACO__U(row));
    if (!whole) { taco__container_warn(s, &what, l->name); }
    return !whole;
}

/* The new row of the parent of a row, -1 if that is not in the tree. False, with CORRUPT, if it is
   a FILE. above: the container's first row in the level above. *orphan: whether there was one
   before. */
static bool taco__export_find_parent(const taco__export *e, taco__container *s,
                                     const taco__level *l, uint32_t level, size_t row, size_t above,
                                     bool *orphan, int32_t *out, taco_error *err)
{
    int32_t up = l->parents[row];
    /* no pointer into a map of no rows */
    *out = up < 0 ? -1 : ((const int32_t *)(const void *)e->map.data)[above + (size_t)up];
    if (up < 0 && !*orphan) {
        *orphan = true;
        return taco__export_report_orphan(e, s, l, row, err);
    }
    if (*out >= 0 && !taco__tree_is_folder(&e->tree, level - 1, (size_t)*out)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "row %u: internal:parent_id names a FILE",
                   TACO__U(row));
        return false;
    }
    return true;
}

/* Columns of a level that an export reads. */
enum {
    TACO__EXPORT_ID,
    TACO__EXPORT_TYPE,
    TACO__EXPORT_OFFSET,
    TACO__EXPORT_SIZE,
    TACO__EXPORT_SOURCE,
    TACO__EXPORT_ROLES
};

/* Adds row i of a batch to the tree, with its place; `at` are the columns by role. */
static bool taco__export_add_row(taco__export *e, taco__container *s, uint32_t level, size_t parent,
                                 const taco_array *a, const size_t *at, size_t i, taco_error *err)
{
    taco_bytes id = taco_array_bytes(&a[at[TACO__EXPORT_ID]], i),
               type = taco_array_bytes(&a[at[TACO__EXPORT_TYPE]], i);
    int folder = taco__sample_path_parse_type(type);
    bool ranges = at[TACO__EXPORT_OFFSET] != TACO__NONE && at[TACO__EXPORT_SIZE] != TACO__NONE;
    int64_t offset = 0, size = 0;
    if (!taco__export_check_id(id, taco_array_valid(&a[at[TACO__EXPORT_ID]], i), err)) {
        return false;
    }
    if (folder < 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "type is %q, must be FILE or FOLDER",
                   &type);
        return false;
    }
    if (s->kind != TACO_KIND_FOLDER && !folder) {
        if (!ranges) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "there is no internal:offset or internal:size");
            return false;
        }
        offset = taco_array_int(&a[at[TACO__EXPORT_OFFSET]], i);
        size = taco_array_int(&a[at[TACO__EXPORT_SIZE]], i);
        if (!taco__vsi_check_range(offset, size, err)) { return false; }
        e->total += (uint64_t)size;
    }
    if (!taco__tree_append_unordered(&e->tree, level, parent, id, folder != 0, err)) {
        return false;
    }
    taco__tree_set_place(&e->tree, level, e->tree.level[level].rows - 1, (uint64_t)offset,
                         (uint64_t)size);
    return level || taco__export_add_origin(e, s,
                                            at[TACO__EXPORT_SOURCE] == TACO__NONE
                                                ? taco__bytes_of(NULL, 0)
                                                : taco_array_bytes(&a[at[TACO__EXPORT_SOURCE]], i),
                                            err);
}

/* Adds the rows of one container's level whose parent is in the tree, at level 0 the chosen ones.
   base is the container's first row in the whole level, above that in the level above. Appends to
   *map the new row of each, or -1. */
static bool taco__export_add_store(taco__export *e, taco__container *s, uint32_t level, size_t base,
                                   size_t above, taco__buf *map, taco_error *err)
{
    taco__level *l = taco__container_level(s, level, err);
    taco__column_roles r;
    size_t which[TACO__EXPORT_ROLES], at[TACO__EXPORT_ROLES], roles[TACO__EXPORT_ROLES], n = 0, i,
                                                                                         first;
    taco__row_reader rows;
    bool ok = true, orphan = false;
    if (!l || (level && !taco__join_make_parents(s, level, err)) ||
        !taco__places_check(s, level, err) || !taco__local_meta_find_roles(s, &l->table, &r, err)) {
        return false;
    }
    roles[TACO__EXPORT_ID] = r.id;
    roles[TACO__EXPORT_TYPE] = r.type;
    roles[TACO__EXPORT_OFFSET] = s->kind == TACO_KIND_FOLDER ? TACO__NONE : r.offset;
    roles[TACO__EXPORT_SIZE] = s->kind == TACO_KIND_FOLDER ? TACO__NONE : r.size;
    roles[TACO__EXPORT_SOURCE] = s->kind == TACO_KIND_TACOCAT && level == 0 ? r.source : TACO__NONE;
    for (i = 0; i < TACO__EXPORT_ROLES; i++) {
        at[i] = roles[i] == TACO__NONE ? TACO__NONE : n;
        if (roles[i] != TACO__NONE) { which[n++] = roles[i]; }
    }
    if (!taco__row_reader_open(&rows, &l->table, which, n, &e->mem, err)) { return false; }
    for (first = 0; ok && first < (size_t)l->table.rows; first += n) {
        n = (size_t)TACO__MIN(l->table.rows - first, (uint64_t)TACO__BATCH_ROWS);
        ok = taco__row_reader_read_range(&rows, first, n, err);
        for (i = 0; ok && i < n; i++) {
            size_t row = first + i;
            int32_t number = -1, parent = 0;
            bool in = taco__bitmap_get(e->chosen[level], base + row);
            if (level) {
                ok = taco__export_find_parent(e, s, l, level, row, above, &orphan, &parent, err);
                in = ok && parent >= 0;
            }
            if (in) {
                taco__bitmap_set(e->chosen[level], base + row);
                number = (int32_t)e->tree.level[level].rows;
                ok = taco__export_add_row(e, s, level, (size_t)parent, rows.arrays, at, i, err);
            }
            ok = ok && taco__buf_append(map, &number, sizeof number, err);
        }
    }
    taco__row_reader_close(&rows);
    return ok || taco__container_fail(s, l->name, err);
}

/* Sorts the rows of a level by parent, and e->map with them. */
static bool taco__export_sort_level(taco__export *e, uint32_t level, taco_error *err)
{
    int32_t *map = (int32_t *)(void *)e->map.data, *to;
    const int32_t *from;
    size_t i, rows = e->tree.level[level].rows, bytes = rows * sizeof *to;
    e->order[level].mem = &e->mem;
    if (!taco__tree_sort(&e->tree, level, &e->order[level], err)) { return false; }
    if (!e->order[level].len) { return true; }
    to = (int32_t *)taco__mem_alloc(&e->mem, bytes, err);
    if (!to) { return false; }
    from = (const int32_t *)(const void *)e->order[level].data;
    for (i = 0; i < rows; i++) {
        to[from[i]] = (int32_t)i;
    }
    for (i = 0; i < e->map.len / sizeof *map; i++) {
        map[i] = map[i] < 0 ? map[i] : to[map[i]];
    }
    taco__mem_free(&e->mem, to, bytes);
    return true;
}

/* Adds a level of all containers, then replaces e->map by that of this level. */
static bool taco__export_add_level(taco__export *e, uint32_t level, taco_error *err)
{
    taco__buf map;
    size_t i, base = 0, above = 0;
    bool ok = true;
    memset(&map, 0, sizeof map);
    map.mem = &e->mem;
    for (i = 0; ok && i < e->ds->container_count; i++) {
        ok = taco__export_add_store(e, &e->ds->stores[i], level, base, above, &map, err);
        base += ok ? (size_t)e->ds->stores[i].levels[level].table.rows : 0;
        above += ok && level ? (size_t)e->ds->stores[i].levels[level - 1].table.rows : 0;
    }
    taco__buf_free(&e->map);
    e->map = map;
    return ok && taco__export_sort_level(e, level, err);
}

/* Builds the tree of the samples that pass the query, or that contain the rows of e->view if set,
   with everything below them. NOT_FOUND if there are none. */
TACO__FN bool taco__export_build_tree(taco__export *e, const taco_query *q, taco_error *err)
{
    uint32_t level, levels = taco_levels(e->ds);
    for (level = 0; level < levels; level++) {
        int64_t rows = taco__dataset_stored_rows(e->ds, level, err);
        if (rows < 0) { return false; }
        e->rows[level] = (size_t)rows;
        e->chosen[level] =
            (uint8_t *)taco__mem_alloc(&e->mem, TACO__BITMAP_BYTES(e->rows[level]), err);
        if (!e->chosen[level] ||
            (level == 0 && !(e->view ? taco__export_choose_rows(e, e->view, err)
                                     : taco__export_select_samples(e, q, err))) ||
            !taco__export_add_level(e, level, err)) {
            return false;
        }
        if (e->tree.level[level].rows == 0 && rows) { break; }
    }
    if (e->tree.level[0].rows == 0) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s: no sample is left to export",
                   e->ds->stores[0].name);
        return false;
    }
    return true;
}

/* ---- the collection, and all of it ---- */

/* The collection of the new dataset: the source's; for a subset with the id of the source and the
   date (§7.1.3). */
TACO__FN const taco__json *taco__export_collection(taco__export *e, bool subset, int64_t when,
                                                   taco_error *err)
{
    static const char *const skip[] = {"taco:subset_of", "taco:subset_date", "extent"};
    const taco__collection *c = &e->ds->stores[0].coll;
    taco__json_doc doc;
    taco__buf text;
    taco__json_writer w;
    char stamp[48];
    bool ok;
    const char *copy;
    if (!subset) { return c->doc.root; }
    memset(&text, 0, sizeof text);
    text.mem = &e->mem;
    memcpy(stamp + taco__time_format_timestamp(stamp, when, TACO_SECOND, false), "+00:00", 7);
    w = taco__json_writer_init(&text, err);
    taco__json_write_begin(&w, NULL, '{');
    /* a wrong extent describes no sample of the subset either */
    taco__document_copy_members(c->doc.root, skip,
                                taco__collection_check_extent(c, NULL) == TACO_OK ? 2 : 3, &w);
    taco__json_write_quoted_value(&w, skip[0], taco__bytes_text(c->id));
    taco__json_write_text(&w, skip[1], stamp);
    taco__json_write_end(&w, '}');
    copy = w.ok ? taco__arena_text(&e->arena, taco__bytes_of(text.data, text.len), err) : NULL;
    ok = copy &&
         taco__json_parse(&e->arena, taco__bytes_of(copy, text.len), NULL, &doc, err) == TACO_OK;
    taco__buf_free(&text);
    return ok ? doc.root : NULL;
}

/* Writes the samples of the tree, with these columns and this collection. */
TACO__FN bool taco__export_write_container(taco__export *e, const char *path,
                                           const taco_create_options *opt, const taco__json *root,
                                           const taco__container_columns *source, taco_error *err)
{
    taco__container_writer p;
    taco__container_source from;
    if (!taco__container_write_begin(&p, path, opt, &e->tree, &e->mem, err)) { return false; }
    /* existing data: warnings instead of errors */
    p.checked = !(opt && opt->any_values);
    e->writer = &p;
    from.ctx = e;
    from.payload = taco__export_source_payload;
    from.path = taco__export_source_path;
    if (!taco__container_write_samples(&p, &from, err)) {
        taco__container_write_abort(&p);
        return false;
    }
    return taco__container_write_finish(&p, root, source, err);
}

/* Checks the tree of a whole copy, unless it is a subset, where samples may differ
   (taco__check_tree_is_subset): what validate calls an error fails, deeper differences are
   warnings. */
static bool taco__export_check_tree(const taco__export *e, taco_error *err)
{
    taco__container *s = &e->ds->stores[0];
    taco_error what = {0, TACO_OK, 0, {0}};
    if (taco__json_get(s->coll.doc.root, "taco:subset_of")) { return true; }
    if (taco__tree_check_pit1(&e->tree, false, err) != TACO_OK) {
        taco__error_prefix(err, "%s", s->name);
        return false;
    }
    if (s->options->warn && taco__tree_check_pit1(&e->tree, true, &what) != TACO_OK) {
        taco__container_warn(s, &what, "levels");
    }
    return true;
}

/* Checks what a whole copy takes over from its source: the extent, unless it is computed again, and
   the tree. */
static bool taco__export_check_copy(const taco__export *e, const taco_create_options *o,
                                    taco_error *err)
{
    const taco__container *s = &e->ds->stores[0];
    if (!o->new_extent && taco__collection_check_extent(&s->coll, err) != TACO_OK) {
        taco__error_prefix(err, "%s: COLLECTION.json", s->name);
        return false;
    }
    return o->any_tree || taco__export_check_tree(e, err);
}

/* Declares the columns and writes the container; options get the defaults of an export. */
static bool taco__export_write(taco__export *e, const char *path, const taco_create_options *opt,
                               bool subset, taco_error *err)
{
    taco_create_options o;
    const taco__json *root;
    uint32_t level;
    memset(&o, 0, sizeof o);
    o = opt ? *opt : o;
    if (!subset && !taco__export_check_copy(e, &o, err)) { return false; }
    o.options = o.options ? o.options : &e->ds->options;
    o.new_extent = o.new_extent || subset;
    o.total = o.total ? o.total : e->total;
    for (level = 0; level < e->tree.levels; level++) {
        if (!taco__export_source_fields(e, level, err)) { return false; }
    }
    e->source.ctx = e;
    e->source.begin = taco__export_source_begin_level;
    e->source.next = taco__export_source_next_batch;
    root = taco__export_collection(e, subset, o.date ? o.date : taco__plat_now(), err);
    return root && taco__export_write_container(e, path, &o, root, &e->source, err);
}

/* Prepares an export. taco__export_free must follow, even after a failure. */
TACO__FN bool taco__export_init(taco__export *e, taco_dataset *ds, taco_error *err)
{
    memset(e, 0, sizeof *e);
    e->ds = ds;
    taco__mem_init(&e->mem, &ds->options);
    e->arena.mem = e->columns.mem = &e->mem;
    e->map.mem = e->places.mem = e->place.mem = e->path.mem = e->head.mem = e->lead.mem =
        e->index.mem = &e->mem;
    taco__tree_init(&e->tree, &e->mem);
    if (ds->stores[0].format) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "%s: a %s, not a TACO 2 dataset: taco convert makes one", ds->stores[0].name,
                   ds->stores[0].format->name);
        return false;
    }
    return true;
}

/* taco_export, taco_export_rows (view: its rows) and taco_repack, which is not a subset, and keeps
   padding. */
static taco_status taco__export_run(taco_dataset *ds, const char *path, const taco_query *q,
                                    taco_cursor *view, const taco_create_options *opt, bool subset,
                                    taco_error *err)
{
    taco_error own;
    taco__export e;
    bool ok;
    memset(&own, 0, sizeof own);
    err = taco__error_fresh(err, &own);
    if (!ds || !path) {
        return TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                               ds ? "path" : "dataset");
    }
    if (!taco__export_init(&e, ds, err)) {
        taco__export_free(&e);
        return err->code;
    }
    e.view = view;
    ok = taco__export_build_tree(&e, q, err) && taco__export_write(&e, path, opt, subset, err);
    if (!ok) { taco__error_prefix(err, "%s", path); }
    taco__export_free(&e);
    return ok ? TACO_OK : err->code;
}

TACO_API taco_status taco_export(taco_dataset *ds, const char *path, const taco_query *query,
                                 const taco_create_options *opt, taco_error *err)
{
    taco_query all;
    err = taco__error_fresh(err, NULL);
    memset(&all, 0, sizeof all);
    return taco__export_run(ds, path, query ? query : &all, NULL, opt, true, err);
}

/* The cursor's own failure comes first: it explains why there are no more rows. */
TACO_API taco_status taco_export_rows(taco_cursor *rows, const char *path,
                                      const taco_create_options *opt, taco_error *err)
{
    taco_error own, end;
    err = taco__error_fresh(err, NULL);
    memset(&own, 0, sizeof own);
    memset(&end, 0, sizeof end);
    if (!rows) { return TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no rows given"); }
    if (rows->row.rowwise) {
        TACO__FAIL(&own, TACO_ERR_STATE, TACO_NO_OFFSET, "the cursor is stepped by rows");
    } else {
        taco__export_run(rows->ds, path, NULL, rows, opt, true, &own);
    }
    if (taco_cursor_close(rows, &end) != TACO_OK) { own = end; }
    taco__error_copy(err, &own);
    return own.code;
}

/* A whole dataset, including padding; its collection is not that of a subset. */
TACO_API taco_status taco_repack(taco_dataset *ds, const char *path, const taco_create_options *opt,
                                 taco_error *err)
{
    taco_query all;
    err = taco__error_fresh(err, NULL);
    memset(&all, 0, sizeof all);
    all.padding = true;
    return taco__export_run(ds, path, &all, NULL, opt, false, err);
}
