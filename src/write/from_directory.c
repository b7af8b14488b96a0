/* from_directory.c - taco_create_directory: every file below a directory as a sample

   In: a directory, tables about its files, and options; out: one dataset, or several by groups
   and sizes with a catalogue of them. TACO 2.0 §5, §6.

   taco__from_dir_run: tables (sample_rows.c), the entries of the directory in order
   (directory_scan.c), values that are computed from TIFFs and places (directory_values.c), the
   datasets they go into (directory_parts.c), then each through the public writer, depth first,
   reading one directory at a time. Either all datasets are made or none, except that they are kept
   if only the catalogue fails, and that archives which have replaced old ones stay if the next one
   cannot get its name. */
#include "write.h"
#include "../base/base.h"
#include "../base/sink.h"
#include "../base/file_copy.h"
#include "../dataset/dataset.h"

/* ---- columns and samples into a writer ---- */

/* Declares the columns of every level: from all tables with rows of it, then the computed ones. */
static void taco__from_dir_declare_columns(taco__from_dir *g)
{
    static const taco_type types[TACO__FROM_DIR_COLUMNS] = {TACO_TEXT, TACO_INT64, TACO_DOUBLE,
                                                            TACO_BINARY, TACO_BINARY};
    uint32_t level;
    size_t i, k;
    for (level = 0; level < TACO__MAX_LEVELS; level++) {
        for (i = 0; i < g->table_count; i++) {
            const taco__sample_rows_table *t = &g->tables[i];
            for (k = 0; t->level[level] && k < t->count; k++) {
                if (t->used[level][k]) { taco_writer_field(g->w, level, &t->fields[k]); }
            }
        }
        for (k = 0; k < TACO__FROM_DIR_COLUMNS; k++) {
            if (g->computed[level][k] &&
                (k == TACO__FROM_DIR_SHAPE || k == TACO__FROM_DIR_TRANSFORM)) {
                taco_writer_list(g->w, level, taco__from_dir_column_names[k], types[k]);
            } else if (g->computed[level][k]) {
                taco_writer_column(g->w, level, taco__from_dir_column_names[k], types[k]);
            }
        }
    }
    for (level = 0; level < TACO__MAX_LEVELS; level++) {
        taco__derived_declare(g, level);
        taco__dir_place_declare(g, level);
        if (g->stats[level]) { taco_writer_stats_column(g->w, level); }
    }
    if (g->how->grid_km > 0) { taco_writer_column(g->w, 0, "majortom:code", TACO_TEXT); }
    if (g->how->near_count || g->how->near_size) {
        taco_writer_column(g->w, 0, "spatialgroup:code", TACO_TEXT);
    }
}

/* Adds a FILE: by its name in the open directory, which is fast, or if that fails by its path,
   whose first dir bytes are the directory's. */
static bool taco__from_dir_add_file(taco__from_dir *g, taco__dir_scan_list *l, size_t dir,
                                    const taco__dir_scan_entry *e)
{
    taco__input in;
    const char *path;
    bool found = false;
    if (e->listed &&
        !taco__dir_ahead_take(g, l, (size_t)(e - l->entries), &in, &found, &g->w->err)) {
        taco__dataset_writer_prefix_error(g->w);
        return false;
    }
    if (found ||
        (l->open && e->listed && taco__input_open_listed(&in, &l->dir, e->name, g->page))) {
        in.later = in.own; /* small files are in a page that is used again */
        return taco__dataset_writer_add_file(g->w, e->name, &in) == TACO_OK;
    }
    path = taco__dir_scan_path(g, dir, e->name);
    return path && taco__dataset_writer_add_path(g->w, e->name, path, true) == TACO_OK;
}

static bool taco__from_dir_add(taco__from_dir *g, taco__dir_scan_list *in, size_t dir,
                               uint32_t level, const taco__dir_scan_entry *e,
                               taco__dir_place *place);

/* Adds the entries of a directory to the FOLDER that was begun last, and ends it; *place gets what
   its TIFFs say about it. */
static bool taco__from_dir_add_folder(taco__from_dir *g, size_t dir, uint32_t level,
                                      const taco__dir_scan_entry *e, taco__dir_place *place)
{
    taco__dir_scan_list l;
    taco__dir_place child;
    size_t below = level + 1 < TACO__MAX_LEVELS ? taco__dir_scan_enter(g, dir, e->name) : 0, i;
    bool ok = below && taco__dir_scan_read(g, below, &l);
    if (ok) {
        for (i = 0; ok && i < l.count; i++) {
            ok = taco__from_dir_add(g, &l, below, level + 1, &l.entries[i], &child);
            if (ok && g->places[level]) { taco__dir_place_add(place, &child, l.entries[i].name); }
        }
        taco__dir_scan_free(&l);
    }
    return taco_writer_folder_end(g->w) == TACO_OK && ok;
}

/* Adds an entry of a list and everything below it; the first dir bytes of g->path are its
   directory. *place gets where it is. */
static bool taco__from_dir_add(taco__from_dir *g, taco__dir_scan_list *in, size_t dir,
                               uint32_t level, const taco__dir_scan_entry *e,
                               taco__dir_place *place)
{
    memset(place, 0, sizeof *place);
    if (!e->folder) {
        return taco__from_dir_add_file(g, in, dir, e) &&
               taco__dir_values_set(g, level, dir, e, place);
    }
    taco_writer_folder_begin(g->w, e->name);
    if (!taco__dir_values_set(g, level, dir, e, place)) {
        taco_writer_folder_end(g->w);
        return false;
    }
    if (!taco__from_dir_add_folder(g, dir, level, e, place) ||
        (g->places[level] && !taco__dir_place_set(g, level, dir, e, place))) {
        return false;
    }
    if (g->places[level]) { taco__dir_place_of_row(g, level, e, place); }
    return true;
}

/* The writer of a dataset: one of several is staged. */
static taco_writer *taco__from_dir_open(taco__from_dir *g, const taco__dir_parts_part *p)
{
#ifndef TACO_NO_STDIO
    if (p->staged && !p->zip) {
        taco_writer *w = taco_create(p->name, &g->create, g->err);
        if (w) { w->pack.staged = p->staged; }
        return w;
    }
    if (p->staged) {
        taco_sink sink;
        return taco__sink_file_staged(&sink, p->name, &g->options, &g->mem, p->staged, g->err) ==
                       TACO_OK
                   ? taco_create_sink(&sink, &g->create, g->err)
                   : NULL;
    }
#endif
    return taco_create(p->name, &g->create, g->err);
}

/* A writer into a sink does not know its path. */
static bool taco__from_dir_finish(taco__from_dir *g, const taco__dir_parts_part *p)
{
    bool ok = taco_writer_finish(g->w, g->err) == TACO_OK;
#ifndef TACO_NO_STDIO
    if (!ok && p->staged) { taco__error_prefix(g->err, "%s", p->name); }
#else
    (void)p;
#endif
    return ok;
}

/* Writes one dataset. After the samples of the last one, what is only needed to find samples is
   freed: the tables of metadata take as much again. */
static bool taco__from_dir_write(taco__from_dir *g, taco__dir_scan_list *l,
                                 const taco__dir_parts_part *p, bool last)
{
    taco__dir_place place;
    size_t i;
    bool ok = true;
    g->w = taco__from_dir_open(g, p);
    if (!g->w) { return false; }
    taco_writer_collection(g->w, g->collection, g->collection_len);
    taco__from_dir_declare_columns(g);
    for (i = 0; ok && i < p->count; i++) {
        ok = taco__from_dir_add(g, l, g->root, 0, &l->entries[p->first + i], &place);
    }
    if (!ok && taco__dataset_writer_blame_earlier(g->w)) { memset(g->err, 0, sizeof *g->err); }
    taco__dir_ahead_free(g);
    if (last) {
        taco__dir_scan_free(l);
        taco__hash_map_free(&g->by_id);
    }
    if (ok || g->err->code == TACO_OK) { /* finishing reports failures of the writer */
        return taco__from_dir_finish(g, p);
    }
    taco_writer_abort(g->w);
    return false;
}

/* ".tacocat" next to the parts; NULL if out of memory. */
static const char *taco__from_dir_catalogue_path(taco__from_dir *g, const char *target)
{
    const size_t n = taco__plat_dir_length(target, strlen(target));
    char *out = (char *)taco__arena_alloc(&g->arena, n + 16, g->err);
    if (out) {
        memcpy(out, target, n);
        memcpy(out + n, ".tacocat", 9);
    }
    return out;
}

/* Writes the catalogue of the new datasets. */
static bool taco__from_dir_write_catalogue(taco__from_dir *g, const taco__dir_parts_part *parts,
                                           size_t n, const char *catalogue)
{
    taco_merge_options m;
    const char **names = (const char **)taco__arena_array(&g->arena, n, sizeof *names, g->err);
    size_t i;
    memset(&m, 0, sizeof m);
    m.options = &g->options;
    m.unchecked = true; /* they have just been written */
    m.codec = g->create.codec;
    m.level = g->create.level;
    m.row_group_rows = g->create.row_group_rows;
    m.parquet = g->create.parquet;
    for (i = 0; names && i < n; i++) {
        names[i] = parts[i].name;
    }
    if (!names || taco_create_tacocat(catalogue, names, n, &m, g->err) != TACO_OK) {
        taco__error_prefix(g->err, "the archives are made, their catalogue is not");
        return false;
    }
    return true;
}

/* Groups and cuts the samples: appends the datasets to make. */
static bool taco__from_dir_plan(taco__from_dir *g, taco__dir_scan_list *l, const char *target,
                                taco__buf *parts)
{
    taco_bytes *keys = NULL;
    size_t groups = 1, at = 0, i;
    bool ok = true;
    if (g->how->group_by_count) {
        ok = taco__dir_parts_assign_groups(g, l, &keys, &groups) &&
             taco__sort_in(g->arena.mem, l->entries, l->count, sizeof *l->entries,
                           taco__dir_parts_compare_groups, NULL, g->err);
    }
    for (i = 0; ok && i < groups; i++) {
        size_t end = at;
        while (end < l->count && l->entries[end].set == i) {
            end++;
        }
        ok = taco__dir_parts_cut(g, l, at, end, target, keys ? &keys[i] : NULL, parts);
        at = end;
    }
    return ok;
}

/* Stages several datasets, whose old versions must stay until all are complete. *list is NULL for a
   single one. */
static bool taco__from_dir_stage(taco__from_dir *g, taco__dir_parts_part *parts, size_t count,
                                 bool zip, taco__staged **list)
{
#ifndef TACO_NO_STDIO
    size_t i;
    *list = NULL;
    if (count < 2) { return true; }
    *list = (taco__staged *)taco__arena_array(&g->arena, count, sizeof **list, g->err);
    if (!*list) { return false; }
    memset(*list, 0, count * sizeof **list);
    for (i = 0; i < count; i++) {
        (*list)[i].path = parts[i].name;
        (*list)[i].mem = &g->mem;
        parts[i].staged = &(*list)[i];
        parts[i].zip = zip;
    }
#else
    (void)g;
    (void)parts;
    (void)count;
    (void)zip;
    *list = NULL;
#endif
    return true;
}

#ifndef TACO_NO_STDIO
/* A catalogue that is about to be replaced: with the new archives it would lead to wrong bytes, so
   nothing has its name from the moment when these get theirs until the new one is there. */
typedef struct taco__old_catalogue {
    const char *path;
    char *aside; /* its name meanwhile; NULL: there is none */
    taco__plat_id id;
} taco__old_catalogue;

/* Renames it to PATH.old, or PATH.001.old and so on. */
static bool taco__old_catalogue_move(taco__from_dir *g, taco__old_catalogue *old, const char *path)
{
    const size_t n = path ? strlen(path) : 0;
    char *name;
    unsigned i = 0;
    memset(old, 0, sizeof *old);
    old->path = path;
    if (!path || !taco__plat_identify(path, &old->id)) { return true; }
    name = (char *)taco__arena_alloc(&g->arena, n + 16, g->err);
    if (!name) { return false; }
    memcpy(name, path, n);
    memcpy(name + n, ".old", 5);
    while (taco__plat_name_exists(name) && ++i < 1000) {
        memcpy(name + n, ".000.old", 9);
        name[n + 1] = (char)('0' + i / 100);
        name[n + 2] = (char)('0' + i / 10 % 10);
        name[n + 3] = (char)('0' + i % 10);
    }
    if (!taco__plat_rename(path, name, true)) {
        taco__sink_open_error(path, g->err);
        return false;
    }
    old->aside = name;
    return true;
}

/* `made`: archives have been replaced. */
static void taco__old_catalogue_end(taco__from_dir *g, taco__old_catalogue *old, bool ok, bool made)
{
    taco_error why = {0, TACO_OK, 0, {0}};
    if (!old->aside) { return; }
    if (ok && taco__plat_remove_tree(old->aside, &old->id)) { return; }
    if (!made && taco__plat_rename(old->aside, old->path, true)) { return; }
    TACO__FAIL(&why, TACO_ERR_IO, TACO_NO_OFFSET, "%s: is what %s was before", old->aside,
               old->path);
    if (g->options.warn) { g->options.warn(g->options.warn_ctx, &why); }
}
#endif

/* Gives all datasets their names; *made: some have them, though others could not get theirs. */
static bool taco__from_dir_publish(taco__from_dir *g, taco__staged *list, size_t count, bool *made)
{
    bool ok = true;
#ifndef TACO_NO_STDIO
    size_t i;
    if (!list) { return true; }
    ok = taco__staged_rename(list, count, g->err);
    for (i = 0; !ok && i < count; i++) { /* those that replaced a file stay */
        if (list[i].temporary.renamed) {
            *made = true;
            if (g->how->made) { g->how->made(g->how->made_ctx, list[i].path); }
        }
    }
#else
    (void)g;
    (void)list;
    (void)count;
    (void)made;
#endif
    return ok;
}

/* Writes every dataset, under temporary names if there are several. */
static bool taco__from_dir_write_parts(taco__from_dir *g, taco__dir_scan_list *l,
                                       const taco__dir_parts_part *parts, size_t count)
{
    size_t i;
    for (i = 0; i < count; i++) {
        if (!taco__from_dir_write(g, l, &parts[i], i + 1 == count)) { return false; }
    }
    return true;
}

/* Gives complete datasets their names, and writes their catalogue. */
static bool taco__from_dir_complete(taco__from_dir *g, const taco__dir_parts_part *parts,
                                    size_t count, taco__staged *list, const char *catalogue)
{
    size_t i;
    bool ok, made = false;
#ifndef TACO_NO_STDIO
    taco__old_catalogue old;
    if (!taco__old_catalogue_move(g, &old, catalogue)) { return false; }
#endif
    ok = taco__from_dir_publish(g, list, count, &made);
    for (i = 0; ok && i < count; i++) {
        made = true;
        if (g->how->made) { g->how->made(g->how->made_ctx, parts[i].name); }
    }
    ok = ok && (!catalogue || taco__from_dir_write_catalogue(g, parts, count, catalogue));
    if (ok && catalogue && g->how->made) { g->how->made(g->how->made_ctx, catalogue); }
#ifndef TACO_NO_STDIO
    taco__old_catalogue_end(g, &old, ok, made);
#endif
    return ok;
}

/* Writes every dataset, then the catalogue. All datasets get their names, or none. */
static bool taco__from_dir_write_all(taco__from_dir *g, taco__dir_scan_list *l, const char *target,
                                     taco__dir_parts_part *parts, size_t count)
{
    const char *catalogue = NULL;
    const bool zip = taco__container_write_is_zip(target, g->create.container);
    taco__staged *list = NULL;
    bool ok = true;
    if (count > 1 && !g->how->no_catalogue && zip) {
        catalogue = taco__from_dir_catalogue_path(g, target);
        ok = catalogue != NULL;
    }
    ok = ok && (count == 1 || taco__dir_parts_check_free(g, parts, count, zip, catalogue)) &&
         taco__from_dir_stage(g, parts, count, zip, &list);
    g->create.new_extent = g->create.new_extent || count > 1;
    ok = ok && taco__from_dir_write_parts(g, l, parts, count);
    if (ok) { taco__dir_place_warn(g); }
    ok = ok && taco__from_dir_complete(g, parts, count, list, catalogue);
#ifndef TACO_NO_STDIO
    if (list) { taco__staged_free(list, count); }
#endif
    return ok;
}

/* ---- public ---- */

/* Finds what must be known before the first sample is written: sizes, levels with TIFFs, points,
   neighbours. */
static bool taco__from_dir_prepare(taco__from_dir *g, taco__dir_scan_list *l)
{
    size_t i, table;
    uint32_t level;
    if (l->count == 0) {
        TACO__FAIL(g->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "the directory is empty");
        return false;
    }
    for (i = 0; g->sizes && i < l->count; i++) {
        if (!taco__dir_scan_sum_sizes(g, g->root, &l->entries[i], 0)) { return false; }
    }
    if ((g->how->tiff || g->how->tacotiff || g->how->pixels) &&
        !taco__dir_values_find_tiffs(g, g->root, &l->entries[0], 0)) {
        return false;
    }
    for (level = 0; level < TACO__MAX_LEVELS; level++) {
        g->stats[level] = g->tiff[level] && g->how->pixels &&
                          !taco__sample_rows_column(g, level, "geotiff:stats", &table);
        for (i = 0; g->tiff[level] && i < TACO__FROM_DIR_COLUMNS; i++) {
            g->computed[level][i] =
                (i == TACO__FROM_DIR_HEADER ? g->how->tacotiff : g->how->tiff) &&
                !taco__sample_rows_column(g, level, taco__from_dir_column_names[i], &table);
        }
    }
    taco__dir_place_find(g);
    taco__derived_find(g);
    if (taco__dir_values_needs_points(g) && !taco__dir_values_find_points(g, l)) { return false; }
    return !(g->how->near_count || g->how->near_size) || taco__dir_values_group_neighbours(g, l);
}

/* All steps, from the tables on. */
static bool taco__from_dir_run(taco__from_dir *g, const char *target, const char *source)
{
    taco__dir_scan_list l;
    taco__buf parts;
    size_t n = strlen(source);
    bool ok;
    if (!taco__sample_rows_open_tables(g) || !taco__buf_append(&g->path, source, n, g->err) ||
        !((n && source[n - 1] == '/') || taco__buf_append_char(&g->path, '/', g->err))) {
        return false;
    }
    g->root = g->path.len;
    g->page = (uint8_t *)taco__arena_alloc(&g->arena, TACO__PLAT_PAGE, g->err);
    if (!g->page || !taco__dir_scan_read(g, g->root, &l)) { return false; }
    memset(&parts, 0, sizeof parts);
    parts.mem = &g->mem;
    ok = taco__dir_scan_check_rows(g) && taco__from_dir_prepare(g, &l) &&
         taco__from_dir_plan(g, &l, target, &parts) &&
         taco__from_dir_write_all(g, &l, target, (taco__dir_parts_part *)(void *)parts.data,
                                  parts.len / sizeof(taco__dir_parts_part));
    taco__buf_free(&parts);
    taco__dir_scan_free(&l);
    return ok;
}

/* Sets up the state, runs, frees. A failure without a message is lack of memory. */
TACO_API taco_status taco_create_directory(const char *path, const char *source,
                                           const char *collection, size_t len,
                                           const taco_directory_options *how, taco_error *err)
{
    taco_directory_options none;
    taco__from_dir g;
    taco_error own = {0, TACO_OK, 0, {0}};
    size_t i;
    err = taco__error_fresh(err, NULL);
    memset(&none, 0, sizeof none);
    memset(&g, 0, sizeof g);
    if (!path || !source || !collection) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "path, source or collection is missing");
    }
    g.how = how ? how : &none;
    if (g.how->create) { g.create = *g.how->create; }
    if (g.create.options) { g.options = *g.create.options; }
    g.err = &own;
    taco__mem_init(&g.mem, g.create.options);
    g.arena.mem = g.path.mem = &g.mem;
    g.collection = collection;
    g.collection_len = len;
    g.sizes = g.how->split_size != 0 || g.how->near_size != 0;
    if (!taco__from_dir_run(&g, path, source)) {
        TACO__FAIL(&own, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory");
    }
    for (i = 0; i < g.table_count; i++) {
        taco_table_close(g.tables[i].table);
    }
    taco__buf_free(&g.path);
    taco__hash_map_free(&g.by_id);
    taco__arena_free(&g.arena);
    taco__error_copy(err, &own);
    return own.code;
}
