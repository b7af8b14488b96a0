/* check_dataset.c - taco_validate: opens a dataset and runs every check in order

   In: a path or a source and the caller's options; out: problems through `found`, counts, and
   the first error. TACO 2.0 §5 and §6; the other files of this folder have the rules.

   Order (taco__check_dataset_one): container opened, records of an archive, COLLECTION.json,
   each level separately, links between levels, __meta__, PIT, the collection against the tables,
   entries or files that nothing lists, payloads with deep. Later checks rely on what earlier ones
   could read, but never on its being correct. A file that cannot be opened as a dataset is still
   checked as an archive, which often shows why. src/write/repair.c and catalogue.c use the same
   state (taco__check_dataset) to read what they rebuild. */
#include "validate.h"
#include "../base/base.h"
#include "../dataset/dataset.h"

/* Closes what is open; findings and memory belong to the caller. c may be NULL. */
TACO__FN void taco__check_dataset_close(taco__check_dataset *c)
{
    if (!c) { return; }
    taco__check_tree_close(&c->tree);
    taco__check_zip_close(&c->zip);
    if (c->open) { taco__container_close(&c->store); }
    taco__arena_free(&c->arena);
    taco__mem_free(c->mem, c, sizeof *c);
}

/* The state for one dataset, which is too large for a stack; NULL if out of memory. Warnings of the
   readers are off: the checks report the same things as problems. */
TACO__FN taco__check_dataset *taco__check_dataset_open(taco__findings *f, taco__mem *mem,
                                                       const taco_options *opt, taco_error *err)
{
    taco__check_dataset *c = (taco__check_dataset *)taco__mem_alloc(mem, sizeof *c, err);
    if (!c) { return NULL; }
    memset(c, 0, sizeof *c);
    c->f = f;
    c->mem = c->arena.mem = mem;
    taco__options_init(&c->options, opt);
    c->options.warn = NULL; /* the checks report the same as problems */
    return c;
}

/* Checks the records of an archive; afterwards levels are compared with c->zip. */
TACO__FN bool taco__check_dataset_archive(taco__check_dataset *c, taco__file *file, taco_error *err)
{
    c->zip.f = c->f;
    c->zip.file = file;
    c->zip.mem = c->mem;
    c->zip.arena = &c->arena;
    c->zip.options = &c->options;
    return taco__check_zip_run(&c->zip, c->options.limits.max_metadata, err);
}

/* A file that cannot be opened as a dataset may still be an archive with a damaged directory. */
static bool taco__check_dataset_unopened(taco__check_dataset *c, const char *path, taco_error *err)
{
    taco_source src;
    taco__file file;
    uint8_t magic[4] = {0};
    taco_error e;
    bool ok = true;
    memset(&e, 0, sizeof e);
    if (!path || !taco__source_open_path(&c->options, path, &src, &e)) { return true; }
    taco__file_init(&file, &src, "", c->mem);
    if (src.size >= 4 && taco__file_read(&file, 0, magic, 4, &e) &&
        memcmp(magic, "PK\3\4", 4) == 0) {
        ok = taco__check_dataset_archive(c, &file, err);
    }
    taco__check_zip_close(&c->zip);
    taco__file_close(&file);
    return ok;
}

/* Every level separately, and against the directory of its archive, from level 0 down. */
TACO__FN bool taco__check_dataset_levels(taco__check_dataset *c, taco_error *err)
{
    taco__check_tree_state *t = &c->tree;
    uint32_t i;
    t->f = c->f;
    t->s = &c->store;
    t->mem = t->text.mem = t->other.mem = t->window.mem = c->mem;
    t->arena = &c->arena;
    t->zip = c->store.kind == TACO_KIND_ZIP ? &c->zip : NULL;
    t->count = c->store.level_count;
    taco__join_init(&t->sources, &c->store);
    for (i = 0; i < t->count && !c->f->stop; i++) {
        if (!taco__check_level_run(t, i, err) || !taco__check_extensions_level(t, i, err)) {
            return false;
        }
    }
    return true;
}

/* Levels, then everything that compares them: children, __meta__, PIT, the collection and its
   extent. A catalogue has no __meta__. */
TACO__FN bool taco__check_dataset_tables(taco__check_dataset *c, taco_error *err)
{
    taco__check_tree_state *t = &c->tree;
    uint32_t i;
    if (!taco__check_dataset_levels(c, err)) { return false; }
    for (i = 0; i + 1 < t->count && !c->f->stop; i++) {
        if (!taco__check_tree_link_children(t, i, err)) { return false; }
    }
    for (i = 0; i < t->count && c->store.kind != TACO_KIND_TACOCAT && !c->f->stop; i++) {
        if (!taco__check_meta_level(t, i, err)) { return false; }
    }
    taco__check_tree_pit(t);
    if (!taco__check_collection_tables(t, err)) { return false; }
    taco__findings_set_place(c->f, "COLLECTION.json: extent");
    taco__check_extent_run(c->f, c->store.coll.extent, &t->span, false);
    return true;
}

/* One dataset, without the archives of a catalogue. If src is NULL, path is opened. False with *err
   set only if the check itself failed. */
TACO__FN bool taco__check_dataset_one(taco__check_dataset *c, const char *path,
                                      const taco_source *src, taco_error *err)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    taco__findings_set_place(c->f, "%s", "");
    c->open = taco__container_open(&c->store, path, src, c->mem, &c->arena, &c->options, &e);
    if (!c->open) {
        if (!taco__findings_take_error(c->f, &e)) {
            *err = e;
            return false;
        }
        return taco__check_dataset_unopened(c, src ? NULL : path, err);
    }
    if (c->store.kind == TACO_KIND_ZIP && !taco__check_dataset_archive(c, &c->store.file, err)) {
        return false;
    }
    taco__check_collection_document(c->f, &c->store.coll);
    if (!taco__check_dataset_tables(c, err)) { return false; }
    if (c->store.kind == TACO_KIND_ZIP) {
        taco__check_zip_unlisted(&c->zip);
        return !c->f->how->deep || taco__check_payloads_run(&c->zip, err);
    }
    return c->store.kind != TACO_KIND_FOLDER || taco__check_unlisted_run(c, err);
}

/* taco_options.warn: what readers would say becomes a finding. */
static void taco__check_dataset_report(void *ctx, const taco_error *warning)
{
    taco__findings_report((taco__findings *)ctx, true, warning);
}

/* One line for places of children that are mixed up, of which each row has been reported. Comes
   last, because it changes what is read of the levels. */
static bool taco__check_dataset_places(taco__check_dataset *c, taco_error *err)
{
    taco_error e;
    uint32_t i;
    bool ok = true;
    c->options.warn = taco__check_dataset_report;
    c->options.warn_ctx = c->f;
    taco__findings_set_place(c->f, "%s", "");
    for (i = 1; ok && i < c->tree.count && !c->f->stop; i++) {
        memset(&e, 0, sizeof e);
        ok = taco__places_check(&c->store, i, &e) || taco__findings_take_error(c->f, &e);
        if (!ok) { *err = e; }
    }
    c->options.warn = NULL;
    return ok;
}

/* The dataset, and its archives if it is a catalogue; or a merged collection. */
static bool taco__check_dataset_run(taco__check_dataset *c, const char *path,
                                    const taco_source *src, taco_error *err)
{
    size_t i;
    if (!src && taco__routing_is_collection(path)) { return taco__check_sources_run(c, path, err); }
    if (!taco__check_dataset_one(c, path, src, err)) { return false; }
    if (c->open && c->store.kind == TACO_KIND_ZIP && c->f->sum->errors &&
        !taco__check_dataset_places(c, err)) {
        return false;
    }
    if (c->open && c->store.kind == TACO_KIND_TACOCAT) {
        taco__check_catalogue_sources(c);
        for (i = 0; i < c->tree.sources.source_count && !c->f->stop; i++) {
            if (!taco__check_catalogue_part(c, (uint32_t)i, err)) { return false; }
        }
    }
    return true;
}

/* ---- public ---- */

#define TACO__CHECK_DATASET_WARNINGS 16

/* Warnings of the readers while a dataset was opened. They become warnings of validation once the
   dataset turns out to be of another format. At most TACO__CHECK_DATASET_WARNINGS are kept. */
typedef struct taco__check_dataset_warnings {
    taco_error list[TACO__CHECK_DATASET_WARNINGS];
    size_t count;
} taco__check_dataset_warnings;

/* taco_options.warn. */
static void taco__check_dataset_warn(void *ctx, const taco_error *warning)
{
    taco__check_dataset_warnings *w = (taco__check_dataset_warnings *)ctx;
    if (w->count < TACO__CHECK_DATASET_WARNINGS) { w->list[w->count++] = *warning; }
}

/* Counts the rows of all levels, which reads them: unreadable ones are a problem. False if the
   check itself failed. */
static bool taco__check_dataset_count(taco_dataset *ds, taco__findings *f, taco_error *err)
{
    uint32_t l;
    for (l = 0; l < taco_levels(ds); l++) {
        taco_error e = {0, TACO_OK, 0, {0}};
        int64_t rows = taco_level_rows(ds, l, &e);
        if (rows >= 0) {
            f->sum->rows += (uint64_t)rows;
        } else if (!taco__findings_take_error(f, &e)) {
            *err = e;
            return false;
        }
    }
    return true;
}

/* Whether what is at a path, which could not be opened, is of a format that recognizes its
   datasets: then the error is what there is to say about it. */
static bool taco__check_dataset_is_named(const char *path, const taco_options *opt, taco__mem *mem)
{
    taco_error none = {0, TACO_OK, 0, {0}};
    taco__container *s = (taco__container *)taco__mem_alloc(mem, sizeof *s, NULL);
    taco__arena arena;
    bool found = false;
    arena.mem = mem;
    arena.head = NULL;
    if (s && taco__container_open_any(s, path, NULL, mem, &arena, opt, true, &none)) {
        found = s->format && s->format->is_collection;
        taco__container_close(s);
    }
    taco__arena_free(&arena);
    taco__mem_free(mem, s, sizeof *s);
    return found;
}

/* Opens a dataset of one of the caller's formats; together with the other files of its set, if it
   is one of several and all are there. NULL with *err set if it cannot be opened. */
static taco_dataset *taco__check_dataset_open_set(const char *path, const taco_options *o,
                                                  taco__check_dataset_warnings *seen,
                                                  taco__mem *mem, taco_error *err)
{
    taco_dataset *ds = taco_open(path, o, err);
    const taco_opener *format = ds ? ds->stores[0].format : NULL;
    const char *const *paths;
    taco__arena arena;
    size_t n = 0;
    if (!format || !format->set) { return ds; }
    memset(&arena, 0, sizeof arena);
    arena.mem = mem;
    paths = format->set(ds, &arena, &n, err);
    if (paths || err->code != TACO_OK) {
        taco_close(ds);
        ds = NULL;
        seen->count = 0;
    }
    if (paths) { ds = taco_open_many(paths, n, TACO_COLUMNS_INTERSECTION, o, err); }
    taco__arena_free(&arena);
    return ds;
}

/* A dataset of one of the caller's formats: all levels are read, as its opener does, then the rules
   of the format are checked. False for TACO 2, with *err set if the check failed. */
static bool taco__check_dataset_other_format(const char *path, const taco_options *opt,
                                             taco__findings *f, taco__mem *mem, taco_error *err)
{
    taco_options o = *opt;
    taco_error e = {0, TACO_OK, 0, {0}};
    taco__check_dataset_warnings *seen =
        (taco__check_dataset_warnings *)taco__mem_alloc(mem, sizeof *seen, err);
    taco_dataset *ds;
    bool other, ok;
    size_t i;
    if (!seen) { return true; }
    seen->count = 0;
    o.warn = taco__check_dataset_warn;
    o.warn_ctx = seen;
    ds = taco__check_dataset_open_set(path, &o, seen, mem, &e);
    other = ds && taco_dataset_kind(ds) == TACO_KIND_OTHER;
    ok = other && taco__check_dataset_count(ds, f, err);
    for (i = 0; ok && i < seen->count; i++) {
        taco__findings_report(f, false, &seen->list[i]);
    }
    if (ok && ds->stores[0].format->check) { ds->stores[0].format->check(ds, f, err); }
    taco_close(ds);
    taco__mem_free(mem, seen, sizeof *seen);
    if (!ds && !taco__error_is_of_machine(&e) && taco__check_dataset_is_named(path, &o, mem)) {
        taco__findings_report(f, true, &e);
        return true;
    }
    if (taco__error_is_of_machine(&e)) { /* says nothing about the dataset */
        *err = e;
        return true;
    }
    return other;
}

/* taco_validate and taco_validate_source; src is NULL for the former. */
static taco_status taco__check_dataset_validate(const char *path, const taco_source *src,
                                                const taco_options *opt,
                                                const taco_validate_options *how,
                                                taco_validated *out, taco_error *err)
{
    taco_validate_options none;
    taco_validated sum;
    taco__findings f;
    taco__mem mem;
    taco__check_dataset *c;
    taco_error own = {0, TACO_OK, 0, {0}};
    bool done;
    memset(&none, 0, sizeof none);
    memset(&sum, 0, sizeof sum);
    memset(&f, 0, sizeof f);
    f.how = how ? how : &none;
    f.sum = &sum;
    f.part = "";
    taco__mem_init(&mem, opt);
    c = taco__check_dataset_open(&f, &mem, opt, &own);
    if (c && !src && opt && opt->openers &&
        taco__check_dataset_other_format(path, opt, &f, &mem, &own)) {
        done = own.code == TACO_OK;
    } else {
        done = c && taco__check_dataset_run(c, path, src, &own);
    }
    taco__check_dataset_close(c);
    if (!done) {
        TACO__FAIL(&own, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory");
        taco__findings_set_place(&f, "%s", "");
        taco__findings_report(&f, true, &own);
    }
    if (out) { *out = sum; }
    if (done && f.first.code != TACO_OK) {
        own = f.first;
        if (strncmp(own.text, path, strlen(path)) != 0) { taco__error_prefix(&own, "%s", path); }
    }
    taco__error_copy(err, &own);
    return own.code;
}

TACO_API taco_status taco_validate(const char *path, const taco_options *opt,
                                   const taco_validate_options *how, taco_validated *out,
                                   taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    if (!path) { return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given"); }
    return taco__check_dataset_validate(path, NULL, opt, how, out, err);
}

TACO_API taco_status taco_validate_source(const taco_source *src, const char *name,
                                          const taco_options *opt, const taco_validate_options *how,
                                          taco_validated *out, taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    return taco__source_check(src, err)
               ? taco__check_dataset_validate(name ? name : "", src, opt, how, out, err)
               : TACO_ERR_ARGUMENT;
}
