/* from_taco2.c - taco_convert_from_taco2: an archive or FOLDER of TACO 2 as a .tortilla or .taco

   In: a path; out: a tortilla with the samples of level 0, in which every FOLDER becomes a tortilla
   of its children, without padding; if the name ends in .taco, a TACO with a collection. Whole
   levels are read through the public calls and turned into columns of old footers
   (from_taco2_columns.c), then into nodes, from the top down, which tortilla_write.c writes. Spec:
   Tortilla 0.5.0, TACO 0.2.0. Start reading at taco__from_taco2_run. */
#include "legacy.h"
#include "../base/base.h"
#include "../base/file_copy.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"
#include "../write/write.h"

/* taco__tortilla_payload_fn. */
static bool taco__from_taco2_payload(void *ctx, const taco__tortilla_node *node, size_t row,
                                     taco__input *in, taco_error *err)
{
    taco__from_taco2 *b = (taco__from_taco2 *)ctx;
    const char *key = b->levels[node->level].keys[node->source_rows[row]];
    taco__file *file = &b->f.ds->stores[0].file;
    taco_source src;
    taco_sample s;
    if (taco_locate(b->f.ds, key, &s, err) != TACO_OK) { return false; }
    if (!s.folder && !s.whole) {
        /* relative to the archive, so that samples which share bytes are detected */
        if (!taco__file_check_range(file, s.offset, s.size, err)) { return false; }
        taco__input_from_range(in, &file->src, s.offset, s.size);
        in->source.close = NULL; /* it belongs to the dataset */
        in->archive = 1;
        in->has_crc = taco__zip_stored_crc(&in->source, s.offset, s.size, &in->crc);
        return true;
    }
    if (taco_payload(b->f.ds, key, &src, err) != TACO_OK) { return false; }
    taco__input_from_range(in, &src, 0, src.size);
    return true;
}

TACO__FN bool taco__from_taco2_is_folder(const taco__from_taco2_level *l, size_t i)
{
    return taco__bytes_equal(taco_array_bytes(l->type, i), taco__bytes_text("FOLDER"));
}

/* True if row i is padding (TACO 2.0.0 section 4), which old formats do not have. */
static bool taco__from_taco2_is_padding(const taco__from_taco2_level *l, size_t i)
{
    return taco__bytes_starts_with(taco_array_bytes(l->id, i), TACO__PADDING_PREFIX);
}

/* ---- keys and parents ---- */

/* The path of keys parent/id, or only the key of the id; NULL if out of memory. */
static const char *taco__from_taco2_make_key(taco__from_taco2 *b, const char *parent, taco_bytes id)
{
    taco__buf key;
    const char *text = NULL;
    memset(&key, 0, sizeof key);
    key.mem = &b->w.mem;
    if ((!parent || (taco__buf_append_text(&key, parent, b->w.err) &&
                     taco__buf_append_char(&key, '/', b->w.err))) &&
        taco__nav_append_key(&key, id, b->w.err)) {
        text = taco__arena_text(&b->w.arena, taco__bytes_of(key.data, key.len), b->w.err);
    }
    taco__buf_free(&key);
    return text;
}

/* Makes the keys of a level's rows; parents[]: rows of the level above, which is NULL for level
   0. */
static bool taco__from_taco2_make_keys(taco__from_taco2 *b, taco__from_taco2_level *l,
                                       const taco__from_taco2_level *above, const size_t *parents)
{
    size_t i, n = l->rows.length;
    l->keys = (const char **)taco__arena_array(&b->w.arena, n + 1, sizeof *l->keys, b->w.err);
    for (i = 0; l->keys && i < n; i++) {
        l->keys[i] = taco__from_taco2_make_key(b, above ? above->keys[parents[i]] : NULL,
                                               taco_array_bytes(l->id, i));
        if (!l->keys[i]) { return false; }
    }
    return l->keys != NULL;
}

/* The rows of a level, sorted by internal:current_id; NULL on failure. */
static const taco__tortilla_sort_key *taco__from_taco2_sort_ids(taco__from_taco2 *b,
                                                                const taco__from_taco2_level *l)
{
    size_t n = l->rows.length, i;
    taco__tortilla_sort_key *ids =
        (taco__tortilla_sort_key *)taco__arena_array(&b->w.arena, n + 1, sizeof *ids, b->w.err);
    for (i = 0; ids && i < n; i++) {
        ids[i].key = l->current ? taco_array_int(l->current, i) : (int64_t)i;
        ids[i].row = i;
    }
    return ids && taco__sort_in(&b->w.mem, ids, n, sizeof *ids, taco__tortilla_compile_compare,
                                NULL, b->w.err)
               ? ids
               : NULL;
}

/* Finds each row's parent among the m rows of the level above, which are sorted by their ids. */
static bool taco__from_taco2_match_parents(taco__from_taco2 *b, taco__from_taco2_level *l,
                                           const taco__tortilla_sort_key *ids, size_t m,
                                           size_t *parents)
{
    size_t i;
    for (i = 0; i < l->rows.length; i++) {
        int64_t parent = taco_array_int(l->parent, i);
        size_t at = 0;
        TACO__LOWER_BOUND(at, m, k, ids[k].key < parent);
        if (at == m || ids[at].key != parent) {
            TACO__FAIL(b->w.err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "row %u: no row above has the internal:current_id %d", TACO__U(i),
                       TACO__D(parent));
            return false;
        }
        parents[i] = ids[at].row;
        l->by_parent[i].key = (int64_t)ids[at].row;
        l->by_parent[i].row = i;
    }
    return true;
}

/* Fills parents[] and by_parent of a level below level 0. */
static bool taco__from_taco2_find_parents(taco__from_taco2 *b, taco__from_taco2_level *l,
                                          const taco__from_taco2_level *above, size_t *parents)
{
    size_t n = l->rows.length;
    const taco__tortilla_sort_key *ids;
    if (!l->parent) {
        TACO__FAIL(b->w.err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no internal:parent_id");
        return false;
    }
    ids = taco__from_taco2_sort_ids(b, above);
    l->by_parent = (taco__tortilla_sort_key *)taco__arena_array(&b->w.arena, n + 1,
                                                                sizeof *l->by_parent, b->w.err);
    return ids && l->by_parent &&
           taco__from_taco2_match_parents(b, l, ids, above->rows.length, parents) &&
           taco__sort_in(&b->w.mem, l->by_parent, n, sizeof *l->by_parent,
                         taco__tortilla_compile_compare, NULL, b->w.err);
}

/* ---- levels ---- */

/* Finds the columns of a level that identify its rows. */
static bool taco__from_taco2_find_columns(taco__from_taco2 *b, uint32_t level)
{
    taco__from_taco2_level *l = &b->levels[level];
    const taco_array *c = l->rows.columns;
    size_t n = l->rows.column_count;
    l->id = taco__tortilla_check_find(c, n, "id");
    l->type = taco__tortilla_check_find(c, n, "type");
    l->current = taco__tortilla_check_find(c, n, "internal:current_id");
    l->parent = taco__tortilla_check_find(c, n, "internal:parent_id");
    if (!l->id || !l->type || l->id->field->type != TACO_TEXT ||
        l->type->field->type != TACO_TEXT) {
        TACO__FAIL(b->w.err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "level %u: id and type must be columns of text", TACO__U(level));
        return false;
    }
    return true;
}

/* Reads all rows of a level. */
static bool taco__from_taco2_read_rows(taco__from_taco2 *b, uint32_t level)
{
    taco_query q;
    taco_cursor *c;
    bool ok;
    memset(&q, 0, sizeof q);
    q.table = level;
    q.padding = true;
    c = taco_select(b->f.ds, &q, b->w.err);
    ok = c && taco__tortilla_compile_read_rows(&b->w, c, &b->levels[level].rows);
    return (!c || taco_cursor_close(c, b->w.err) == TACO_OK) && ok;
}

/* Fills rows, parents, keys and columns of a level. */
static bool taco__from_taco2_read_level(taco__from_taco2 *b, uint32_t level)
{
    taco__from_taco2_level *l = &b->levels[level], *above = level ? l - 1 : NULL;
    size_t *parents;
    if (!taco__from_taco2_read_rows(b, level) || !taco__from_taco2_find_columns(b, level)) {
        return false;
    }
    parents =
        (size_t *)taco__arena_array(&b->w.arena, l->rows.length + 1, sizeof *parents, b->w.err);
    return parents && (!above || taco__from_taco2_find_parents(b, l, above, parents)) &&
           taco__from_taco2_make_keys(b, l, above, parents) && taco__from_taco2_columns_make(b, l);
}

/* ---- nodes ---- */

static taco__tortilla_node *taco__from_taco2_build_node(taco__from_taco2 *b, uint32_t level,
                                                        const size_t *list, size_t n);

/* The columns of the rows list[0..n) of a level; NULL on failure. */
static taco_array *taco__from_taco2_take_columns(taco__from_taco2 *b,
                                                 const taco__from_taco2_level *l,
                                                 const size_t *list, size_t n)
{
    taco__concat_slice *p =
        (taco__concat_slice *)taco__arena_array(&b->w.arena, n + 1, sizeof *p, b->w.err);
    taco_array *columns =
        (taco_array *)taco__arena_array(&b->w.arena, l->count + 1, sizeof *columns, b->w.err);
    size_t i, k;
    for (k = 0; p && columns && k < l->count; k++) {
        for (i = 0; i < n; i++) {
            p[i].a = &l->columns[k];
            p[i].first = list[i];
            p[i].n = 1;
        }
        if (!taco__concat_arrays(&b->w.arena, l->columns[k].field, p, n, &columns[k], b->w.err)) {
            return NULL;
        }
    }
    return p ? columns : NULL;
}

/* The tortilla for a FOLDER, a row of `level`. */
static taco__tortilla_node *taco__from_taco2_build_child(taco__from_taco2 *b, uint32_t level,
                                                         size_t row)
{
    const taco__from_taco2_level *l = &b->levels[level], *below = l + 1;
    size_t rows, at = 0, n = 0, *list;
    if (level + 1 >= b->depth) {
        TACO__FAIL(b->w.err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "FOLDER %s has no level below",
                   l->keys[row]);
        return NULL;
    }
    rows = below->rows.length;
    TACO__LOWER_BOUND(at, rows, i, below->by_parent[i].key < (int64_t)row);
    list = (size_t *)taco__arena_array(&b->w.arena, rows - at + 1, sizeof *list, b->w.err);
    for (; list && at < rows && below->by_parent[at].key == (int64_t)row; at++) {
        size_t child = below->by_parent[at].row;
        if (!taco__from_taco2_is_padding(below, child)) { list[n++] = child; }
    }
    return list ? taco__from_taco2_build_node(b, level + 1, list, n) : NULL;
}

/* The tortilla for the rows list[0..n) of a level and everything below them; NULL on failure. */
static taco__tortilla_node *taco__from_taco2_build_node(taco__from_taco2 *b, uint32_t level,
                                                        const size_t *list, size_t n)
{
    const taco__from_taco2_level *l = &b->levels[level];
    taco__tortilla_node *node =
        (taco__tortilla_node *)taco__arena_alloc(&b->w.arena, sizeof *node, b->w.err);
    size_t i;
    if (!node) { return NULL; }
    node->sizes = (uint64_t *)taco__arena_array(&b->w.arena, n + 1, sizeof(uint64_t), b->w.err);
    node->children = (taco__tortilla_node **)taco__arena_array(&b->w.arena, n + 1,
                                                               sizeof *node->children, b->w.err);
    node->columns = taco__from_taco2_take_columns(b, l, list, n);
    if (!node->sizes || !node->children || !node->columns) { return NULL; }
    node->column_count = l->count;
    node->rows = n;
    node->level = level;
    node->source_rows = list;
    for (i = 0; i < n; i++) {
        if (!taco__from_taco2_is_folder(l, list[i])) { continue; }
        node->children[i] = taco__from_taco2_build_child(b, level, list[i]);
        if (!node->children[i]) { return NULL; }
    }
    return node;
}

/* The tortilla for level 0. */
static taco__tortilla_node *taco__from_taco2_build_top(taco__from_taco2 *b)
{
    const taco__from_taco2_level *l = &b->levels[0];
    size_t *list =
        (size_t *)taco__arena_array(&b->w.arena, l->rows.length + 1, sizeof *list, b->w.err);
    size_t i, n = 0;
    for (i = 0; list && i < l->rows.length; i++) {
        if (!taco__from_taco2_is_padding(l, i)) { list[n++] = i; }
    }
    return list ? taco__from_taco2_build_node(b, 0, list, n) : NULL;
}

/* ---- the conversion ---- */

/* Writes the file, with a collection if its name demands one. */
static bool taco__from_taco2_write(taco__from_taco2 *b, const char *out, taco__tortilla_node *top)
{
    taco_bytes json = {NULL, 0};
    taco__buf text;
    bool ok = true;
    memset(&text, 0, sizeof text);
    text.mem = &b->w.mem;
    if (taco__container_ends_with(out, ".taco")) {
        ok = taco__convert_collection_from_taco2(&b->f, &text);
        json = taco__bytes_of(text.data, text.len);
    } else {
        taco__convert_note(
            &b->f, "the collection is left out: only a name that ends in .taco has one%s", "");
    }
    ok = ok && taco__tortilla_write_parts(&b->w, out, top, TACO__TORTILLA_PART_BYTES, json);
    taco__buf_free(&text);
    return ok;
}

/* Reads all levels, builds the nodes from the top, and writes them. Catalogues are refused, since
   their rows are in other files, and so are datasets that are not TACO 2. */
static bool taco__from_taco2_run(taco__from_taco2 *b, const char *out)
{
    taco__tortilla_node *top;
    uint32_t level;
    if (b->f.ds->stores[0].format || b->f.ds->stores[0].kind == TACO_KIND_TACOCAT) {
        TACO__FAIL(b->w.err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "only an archive or a FOLDER of TACO 2 goes back");
        return false;
    }
    b->depth = taco_levels(b->f.ds);
    for (level = 0; level < b->depth; level++) {
        if (!taco__from_taco2_read_level(b, level)) { return false; }
    }
    top = taco__from_taco2_build_top(b);
    return top && taco__tortilla_write_measure(&b->w, top) && taco__from_taco2_write(b, out, top);
}

TACO_API taco_status taco_convert_from_taco2(const char *in, const char *out,
                                             const taco_convert_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__from_taco2 *b;
    taco__mem mem;
    bool ok;
    err = taco__error_fresh(err, &own);
    if (!in || !out) { return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given"); }
    taco__mem_init(&mem, opt ? opt->create.options : NULL);
    b = (taco__from_taco2 *)taco__mem_alloc(&mem, sizeof *b, err);
    if (!b) { return err->code; }
    memset(b, 0, sizeof *b);
    taco__convert_init(&b->f, opt, err);
    taco__tortilla_write_init(&b->w, &b->f.options, err);
    b->w.closes = b->w.copies = true;
    b->w.keep_parts = opt && opt->keep_parts;
    b->w.payload = taco__from_taco2_payload;
    b->w.ctx = b;
    b->f.ds = taco_open(in, &b->f.options, err);
    ok = b->f.ds && taco__from_taco2_run(b, out);
    taco__payload_ranges_free(&b->w.copied);
    taco__arena_free(&b->w.arena);
    if (!ok && strncmp(err->text, in, strlen(in)) != 0) { taco__error_prefix(err, "%s", in); }
    taco__convert_free(&b->f);
    taco__mem_free(&mem, b, sizeof *b);
    return ok ? TACO_OK : err->code;
}
