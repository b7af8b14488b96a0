/* view_parts.c - several views, sources and paths as one dataset: taco_open_parts

   In: open views, sources and paths. Out: a dataset whose containers are those of all parts, one
   after the other. TACO 2.0 §7.2.4.

   The containers of a view are opened again, using the files that its dataset has open. Then the
   view is run, and the samples that its rows are, or are below, are marked in taco__container.kept;
   queries, navigation and counts of the new dataset respect that (table_reader.c, navigation.c,
   dataset.c). */
#include "sql.h"
#include "../base/base.h"
#include "../dataset/dataset.h"

/* The state of adding parts to a dataset. */
typedef struct taco__parts {
    taco_dataset *ds;
    const taco_part *items;
    size_t count;
    /* the dataset closes the sources of the parts before this one */
    size_t tried;
    taco_error *err;
} taco__parts;

/* ---- views ---- */

/* Sets the bits of the samples that a batch of rows are, or are below. first: the container of the
   new dataset that is the first one of the view's. */
static bool taco__parts_keep_batch(taco__parts *p, size_t first, taco_cursor *rows, size_t n)
{
    size_t i, store;
    uint64_t row;
    for (i = 0; i < n; i++) {
        taco__container *s;
        if (!taco__compose_sample_row(rows, i, &store, &row)) {
            TACO__FAIL(p->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "a part of a dataset has samples: these rows are of groups or of a join");
            return false;
        }
        s = &p->ds->stores[first + store];
        if (taco__join_top_row(s, rows->query.level, &row, p->err) &&
            row < s->levels[0].table.rows) {
            taco__bitmap_set(s->kept, (size_t)row);
        }
        if (p->err->code != TACO_OK) { return false; }
    }
    return true;
}

/* Runs a view and marks its samples. */
static bool taco__parts_keep(taco__parts *p, size_t first, const taco_view *v)
{
    taco_cursor *rows = taco_view_rows(v, p->err);
    taco_batch batch;
    bool ok = rows != NULL;
    while (ok && taco_cursor_batch(rows, &batch)) {
        ok = taco__parts_keep_batch(p, first, rows, batch.length);
    }
    return taco_cursor_close(rows, p->err) == TACO_OK && ok;
}

/* Opens a container of a view's dataset again, using the open file, with no samples kept yet. */
static bool taco__parts_reopen(taco__parts *p, const taco__container *from)
{
    taco_dataset *ds = p->ds;
    taco__container *s = &ds->stores[ds->container_count];
    taco_source borrowed;
    if (from->format) {
        TACO__FAIL(p->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "%s: a %s, not a TACO 2 dataset: taco convert makes one", from->name,
                   from->format->name);
        return false;
    }
    borrowed = from->file.src;
    borrowed.close = NULL;
    if (!taco__container_open(s, from->name, from->file_open ? &borrowed : NULL, &ds->mem,
                              &ds->arena, from->options, p->err) ||
        !taco__dataset_add(ds, from->name, p->err)) {
        return false;
    }
    /* of a catalogue they may have been set (taco_set_base_path); texts of a dataset that stays */
    s->vsi = from->vsi;
    s->archive_dir = from->archive_dir;
    if (!taco__container_level(s, 0, p->err)) { return false; }
    s->kept = (uint8_t *)taco__mem_alloc(&ds->mem, taco__cascade_bitmap_bytes(s, 0), p->err);
    return s->kept != NULL;
}

/* The samples of a view. */
static bool taco__parts_add_view(taco__parts *p, const taco_view *v)
{
    size_t i, first = p->ds->container_count;
    for (i = 0; i < v->ds->container_count; i++) {
        if (!taco__parts_reopen(p, &v->ds->stores[i])) { return false; }
    }
    return taco__parts_keep(p, first, v);
}

/* ---- all parts ---- */

/* A source or what is at a path. */
static bool taco__parts_add_file(taco__parts *p, const taco_part *part)
{
    taco_dataset *ds = p->ds;
    taco__container *s = &ds->stores[ds->container_count];
    const char *name = part->path ? part->path : "";
    return taco__container_open(s, name, part->source, &ds->mem, &ds->arena, &ds->options,
                                p->err) &&
           taco__dataset_add(ds, name, p->err);
}

/* Each part has exactly one kind. Counts the containers of all parts. */
static bool taco__parts_check(const taco__parts *p, size_t *containers)
{
    size_t i;
    *containers = 0;
    for (i = 0; i < p->count; i++) {
        const taco_part *part = &p->items[i];
        if (part->view ? part->source || part->path : !part->source && !part->path) {
            TACO__FAIL(p->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "part %u must be a view, a source or a path", TACO__U(i));
            return false;
        }
        if (part->source && !taco__source_check(part->source, p->err)) { return false; }
        *containers += part->view ? part->view->ds->container_count : 1;
    }
    return true;
}

/* Opens the parts one after the other. */
static bool taco__parts_open(taco__parts *p, taco_column_mode mode, const taco_options *opt)
{
    const taco_view *v = p->items[0].view;
    size_t containers;
    if (!taco__parts_check(p, &containers)) { return false; }
    p->ds = taco__dataset_alloc(opt || !v ? opt : &v->ds->options, containers, p->err);
    if (!p->ds) { return false; }
    p->ds->mode = mode;
    while (p->tried < p->count) {
        const taco_part *part = &p->items[p->tried++];
        if (!(part->view ? taco__parts_add_view(p, part->view) : taco__parts_add_file(p, part))) {
            return false;
        }
    }
    return true;
}

/* All sources belong to the dataset, even if it cannot be opened: on failure those of parts that
   were not reached are closed here. */
TACO_API taco_dataset *taco_open_parts(const taco_part *parts, size_t n, taco_column_mode mode,
                                       const taco_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__parts p;
    memset(&p, 0, sizeof p);
    p.items = parts;
    p.count = parts ? n : 0;
    p.err = taco__error_fresh(err, &own);
    if (p.count == 0) {
        TACO__FAIL(p.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no part given");
        return NULL;
    }
    if (taco__parts_open(&p, mode, opt)) { return taco__dataset_tell(p.ds); }
    for (; p.tried < p.count; p.tried++) { /* parts that no container was opened with */
        const taco_source *s = p.items[p.tried].source;
        if (s && s->close) { s->close(s->ctx); }
    }
    taco_close(p.ds);
    return NULL;
}
