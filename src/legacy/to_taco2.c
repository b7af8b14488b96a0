/* to_taco2.c - taco_convert_to_taco2: old files as an archive or FOLDER of TACO 2

   In: paths of old files, and optionally a query; out: one TACO 2 dataset with the samples that
   pass the query, and everything below them, in their order. Payloads are copied unchanged. A
   tortilla inside another becomes a FOLDER, its rows become the level below. Spec: TACO 2.0.0
   sections 5 and 6.

   First the tree is built from the old levels (to_taco2_tree.c), then the collection
   (convert_collection.c) and the columns (to_taco2_columns.c); then the container writer of write/
   calls back for samples and columns. Start reading at taco__to_taco2_run. */
#include "legacy.h"
#include "../base/base.h"
#include "../base/file_copy.h"
#include "../base/json.h"
#include "../dataset/dataset.h"
#include "../write/write.h"

/* ---- the query ---- */

/* Marks the rows that pass a query. Returns their number. */
static size_t taco__to_taco2_note_rows(taco__to_taco2 *c, taco_cursor *rows)
{
    taco_batch b;
    size_t i, n = 0;
    while (rows && taco_cursor_batch(rows, &b)) {
        const uint64_t *at = taco_cursor_positions(rows);
        for (i = 0; at && i < b.length; i++, n++) {
            taco__bitmap_set(c->chosen, (size_t)at[i]);
        }
    }
    return n;
}

/* Selects the rows of level 0 that pass the query. */
static bool taco__to_taco2_select_rows(taco__to_taco2 *c)
{
    taco_query q = *c->f.opt.query;
    taco_cursor *rows;
    size_t n;
    if (q.order || q.flat || q.table) {
        TACO__FAIL(c->f.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "what is taken are samples of level 0 in storage order: no order, no flat "
                   "view, no other table");
        return false;
    }
    c->chosen = (uint8_t *)taco__arena_alloc(
        &c->f.arena, TACO__BITMAP_BYTES((size_t)c->state->levels[0].t.rows) + 1, c->f.err);
    q.select = "id";
    rows = c->chosen ? taco_select(c->f.ds, &q, c->f.err) : NULL;
    n = taco__to_taco2_note_rows(c, rows);
    if (!rows || taco_cursor_close(rows, c->f.err) != TACO_OK) { return false; }
    if (n == 0) {
        TACO__FAIL(c->f.err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no sample is left to export");
    }
    return n != 0;
}

/* ---- callbacks of the container writer ---- */

/* taco__container_columns.begin. */
static bool taco__to_taco2_begin_level(void *ctx, uint32_t level, taco_error *err)
{
    taco__to_taco2 *c = (taco__to_taco2 *)ctx;
    (void)err;
    c->reading = level;
    c->batch_done = false;
    return true;
}

/* taco__container_columns.next: a level is one batch. */
static bool taco__to_taco2_next_batch(void *ctx, taco_batch *out, taco_error *err)
{
    taco__to_taco2 *c = (taco__to_taco2 *)ctx;
    const taco__to_taco2_level *l = &c->levels[c->reading];
    (void)err;
    memset(out, 0, sizeof *out);
    out->length = c->batch_done ? 0 : l->row_count;
    out->columns = l->arrays;
    out->column_count = l->column_count;
    c->batch_done = true;
    return true;
}

/* The bytes of a sample: a range of an old file; padding is empty. */
static bool taco__to_taco2_payload(void *ctx, uint32_t level, size_t row, taco__input *in,
                                   taco_error *err)
{
    taco__to_taco2 *c = (taco__to_taco2 *)ctx;
    const taco__legacy_level *l = &c->state->levels[level];
    size_t k = c->levels[level].rows[row];
    taco__file *file;
    if (k == SIZE_MAX) {
        taco__input_from_bytes(in, taco__bytes_of("", 0));
        return true;
    }
    /* another file may close this one */
    if (l->file[k] != c->last && !taco__payload_batch_settle(c->writer, err)) { return false; }
    c->last = l->file[k];
    file = taco__legacy_levels_file(&c->f.ds->stores[0], c->state, l->file[k], err);
    if (!file || !taco__file_check_range(file, (uint64_t)l->offset[k], (uint64_t)l->size[k], err)) {
        return false;
    }
    taco__input_from_range(in, &file->src, (uint64_t)l->offset[k], (uint64_t)l->size[k]);
    in->archive = (uint64_t)l->file[k] + 1;
    in->later = true;
    return true;
}

/* ---- the conversion ---- */

/* Writes samples, columns and collection. */
static bool taco__to_taco2_write(taco__to_taco2 *c, const char *out,
                                 const taco__container_columns *columns, const taco__json *root)
{
    taco__container_writer p;
    taco__container_source from;
    if (!taco__container_write_begin(&p, out, &c->f.opt.create, &c->tree, &c->f.mem, c->f.err)) {
        return false;
    }
    p.checked = p.refused = !c->f.opt.create.any_values;
    c->writer = &p;
    from.ctx = c;
    from.payload = taco__to_taco2_payload;
    from.path = NULL;
    if (!taco__container_write_samples(&p, &from, c->f.err)) {
        taco__container_write_abort(&p);
        return false;
    }
    return taco__container_write_finish(&p, root, columns, c->f.err);
}

/* Chooses rows, then builds the tree, the collection and the columns of each level, in this order,
   since each needs the previous ones, and writes the container. For a subset of the samples the
   extent is computed again. */
static bool taco__to_taco2_run(taco__to_taco2 *c, const char *out)
{
    taco__container_columns columns;
    taco__json_doc doc;
    uint32_t level;
    memset(&columns, 0, sizeof columns);
    memset(&doc, 0, sizeof doc);
    c->state = (taco__legacy *)c->f.ds->stores[0].format_state;
    c->f.opt.create.new_extent = c->f.opt.create.new_extent || c->f.opt.query;
    if ((c->f.opt.query && !taco__to_taco2_select_rows(c)) || !taco__to_taco2_tree_build(c) ||
        !taco__convert_collection_to_taco2(&c->f, &doc)) {
        return false;
    }
    for (level = 0; level < c->depth; level++) {
        if (!taco__to_taco2_columns_add(c, level)) { return false; }
        columns.fields[level] = c->levels[level].fields;
        columns.counts[level] = c->levels[level].column_count;
    }
    columns.ctx = c;
    columns.begin = taco__to_taco2_begin_level;
    columns.next = taco__to_taco2_next_batch;
    return taco__to_taco2_write(c, out, &columns, doc.root);
}

TACO_API taco_status taco_convert_to_taco2(const char *const *in, size_t n, const char *out,
                                           const taco_convert_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__to_taco2 c;
    bool ok;
    err = taco__error_fresh(err, &own);
    if (!in || !n || !in[0] || !out) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
    }
    memset(&c, 0, sizeof c);
    taco__convert_init(&c.f, opt, err);
    taco__tree_init(&c.tree, &c.f.mem);
    c.f.ds = taco_open_many(in, n, TACO_COLUMNS_FILL_MISSING, &c.f.options, err);
    ok = c.f.ds != NULL;
    if (ok && c.f.ds->stores[0].format != taco_legacy_opener()) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s: no Tortilla or TACO 0.x", in[0]);
        ok = false;
    } else if (ok) {
        ok = taco__to_taco2_run(&c, out);
        if (!ok) { taco__error_prefix(err, "%s", in[0]); }
    }
    taco__tree_free(&c.tree);
    taco__convert_free(&c.f);
    return ok ? TACO_OK : err->code;
}
