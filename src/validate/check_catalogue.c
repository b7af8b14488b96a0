/* check_catalogue.c - a catalogue against its archives: rows, levels, collection, taco:sources

   In: a .tacocat or __TACOCAT__ whose tables check_dataset.c has checked as those of one
   dataset; out: problems about the archives it names. TACO 2.0 §6.5, §6.6.

   Each archive must exist (taco__check_catalogue_part). With deep it is also validated like any
   other dataset, with its name as a prefix of problems, and each of its rows in the catalogue
   must be a row of the archive, with the same id, type, place and cells. A catalogue may lack
   rows of an archive (exports), but must not have additional ones. */
#include "validate.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../dataset/dataset.h"

/* ---- catalogues ---- */

/* True when row i of the catalogue is row k of the archive. */
static bool taco__check_catalogue_same_row(const taco__check_tree_level *a, size_t i,
                                           const taco__check_tree_level *b, size_t k)
{
    return a->key[i] == b->key[k] &&
           (!a->offset || !b->offset || (a->offset[i] == b->offset[k] && a->size[i] == b->size[k]));
}

/* Rows of one level of an archive against those in the catalogue: all of them, or some in the same
   order. k walks the archive's rows, i the catalogue's; matching pairs are compared cell by cell at
   the end. */
static bool taco__check_catalogue_rows(taco__check_dataset *cat, taco__check_dataset *part,
                                       uint32_t source, uint32_t level, taco_error *err)
{
    taco__check_tree_level *a = &cat->tree.levels[level], *b = &part->tree.levels[level];
    taco__check_tree_state *t = &cat->tree;
    size_t i, k = 0, count = 0;
    uint32_t *mine, *theirs;
    taco__check_meta_tables both;
    t->level = level;
    if (!a->l || !b->l || !a->source) { return true; }
    for (i = 0; i < a->rows; i++) {
        count += a->source[i] == source;
    }
    mine = (uint32_t *)taco__arena_array(&part->arena, count + 1, sizeof *mine, err);
    theirs = (uint32_t *)taco__arena_array(&part->arena, count + 1, sizeof *theirs, err);
    if (!mine || !theirs) { return false; }
    both.n = 0;
    taco__findings_set_place(cat->f, "%s", a->l->name);
    if (count != b->rows) {
        TACO__FINDINGS_REPORT(cat->f, count > b->rows,
                              "the catalogue has %u rows of it, the archive has %u", TACO__U(count),
                              TACO__U(b->rows));
    }
    for (i = 0; i < a->rows && !cat->f->stop; i++) {
        if (a->source[i] != source) { continue; }
        for (; count != b->rows && k < b->rows && !taco__check_catalogue_same_row(a, i, b, k);
             k++) {}
        if (k < b->rows && taco__check_catalogue_same_row(a, i, b, k)) {
            mine[both.n] = (uint32_t)i;
            theirs[both.n++] = (uint32_t)k++;
            continue;
        }
        t->row = i;
        if (k == b->rows) {
            TACO__CHECK_LEVEL_ERROR(t, "the archive has no such row (id, type, internal:offset)");
            break;
        }
        if (a->key[i] != b->key[k]) {
            TACO__CHECK_LEVEL_ERROR(t, "another id or type than row %u of the archive", TACO__U(k));
        } else {
            TACO__CHECK_LEVEL_ERROR(
                t,
                "internal:offset %d, internal:size %d, but %d, %d in row %u of the "
                "archive",
                TACO__D(a->offset[i]), TACO__D(a->size[i]), TACO__D(b->offset[k]),
                TACO__D(b->size[k]), TACO__U(k));
        }
        k++;
    }
    both.t = t;
    both.a = &a->l->table;
    both.b = &b->l->table;
    both.other = "the archive";
    both.a_rows = mine;
    both.b_rows = theirs;
    taco__findings_set_place(cat->f, "%s", a->l->name);
    return taco__check_meta_columns(&both, &part->arena, err);
}

/* One archive of a catalogue: it exists; with deep it is valid, has the same levels and tree, and
   the catalogue's rows. False only if the check itself failed. */
TACO__FN bool taco__check_catalogue_part(taco__check_dataset *cat, uint32_t source, taco_error *err)
{
    taco__findings *f = cat->f;
    taco_bytes name = cat->tree.sources.sources[source].name;
    const char *path, *prefix;
    taco_source src;
    taco_error e;
    taco__check_dataset *part;
    taco__extent span;
    uint32_t i;
    bool ok = true;
    memset(&e, 0, sizeof e);
    if (taco__vsi_check_name(name, "internal:source_file", &e) != TACO_OK) {
        return true; /* check_level.c has reported it */
    }
    memset(&e, 0, sizeof e);
    path = taco__container_join_path(&cat->store, cat->store.archive_dir, (const char *)name.data,
                                     err);
    prefix =
        path ? taco__container_join_path(&cat->store, (const char *)name.data, ": ", err) : NULL;
    if (!prefix) { return false; }
    taco__findings_set_place(f, "internal:source_file");
    if (!taco__source_open_path(&cat->options, path, &src, &e)) {
        TACO__FINDINGS_ERROR(f, "the archive %q is missing: it does not exist, or cannot be read",
                             &name);
        return true;
    }
    if (!f->how->deep) {
        if (src.close) { src.close(src.ctx); }
        return true;
    }
    part = taco__check_dataset_open(f, cat->mem, &cat->options, err);
    if (!part) {
        if (src.close) { src.close(src.ctx); }
        return false;
    }
    f->part = prefix;
    ok = taco__check_dataset_one(part, path, &src, err);
    if (ok && part->open && part->store.kind == TACO_KIND_ZIP) {
        taco_error why;
        memset(&why, 0, sizeof why);
        if (part->store.level_count != cat->store.level_count) {
            taco__findings_set_place(f, "levels");
            TACO__FINDINGS_ERROR(f, "the archive has %u levels, the catalogue %u",
                                 TACO__U(part->store.level_count), TACO__U(cat->store.level_count));
        } else if (taco__collection_check_same_pit(&cat->store.coll, &part->store.coll, &why) !=
                   TACO_OK) {
            taco__findings_set_place(f, "COLLECTION.json");
            taco__findings_take_error(f, &why);
        }
        for (i = 0; ok && i < cat->store.level_count && i < part->store.level_count; i++) {
            ok = taco__check_catalogue_rows(cat, part, source, i, err);
        }
    } else if (ok && part->open) {
        taco__findings_set_place(f, "internal:source_file");
        TACO__FINDINGS_ERROR(f, "names something that is not an archive");
    }
    span = part->tree.span;
    taco__check_dataset_close(part);
    taco__findings_end_table(f, "catalogue");
    f->part = "";
    taco__check_extent_source(f, &cat->store.coll, "COLLECTION.json", (const char *)name.data,
                              &cat->options, path, &span);
    return ok;
}

/* taco:sources, as written into catalogues (§6.6): informative, so all faults are warnings. */
TACO__FN void taco__check_catalogue_sources(taco__check_dataset *c)
{
    const taco__json *sources = c->store.coll.sources, *files = taco__json_get(sources, "files"),
                     *file;
    int64_t count;
    size_t i, n = c->tree.sources.source_count;
    taco__findings_set_place(c->f, "COLLECTION.json: taco:sources");
    if (taco__rules_is_null(sources)) { return; }
    if (!taco__json_is(sources, TACO__JSON_OBJECT)) {
        TACO__FINDINGS_WARN(c->f, "must be an object, found %s", taco__json_type_name(sources));
    }
    if (taco__json_int(taco__json_get(sources, "count"), &count) && (uint64_t)count != n) {
        TACO__FINDINGS_WARN(c->f, "count is %d, the levels name %u archives", TACO__D(count),
                            TACO__U(n));
    }
    for (i = 0, file = taco__json_first(files); i < taco__json_length(files);
         i++, file = taco__json_next(file)) {
        taco_bytes name = taco__json_bytes(file);
        if (taco__join_find_archive(&c->tree.sources, name, false, NULL) == SIZE_MAX) {
            TACO__FINDINGS_WARN(c->f, "files names %q, no level does", &name);
        }
    }
}
