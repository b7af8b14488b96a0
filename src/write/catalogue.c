/* catalogue.c - taco_create_tacocat and taco_create_tacollection: many datasets as one

   In: paths of archives (for a merged collection also FOLDERs); out: a .tacocat directory, a
   __TACOCAT__ file, or TACOLLECTION.json. TACO 2.0 §6.5 (catalogues), §6.6 (merged collections).

   Every part is read twice, one at a time: once to check it and to unite columns and counts
   (taco__catalogue_add_part), once to copy its rows (catalogue_tables.c). Between the two only
   its id and extent stay in memory. The first part's collection is the base of the merged one
   (merged_collection.c). Nothing is overwritten, and what is incomplete is removed.

   Counts: n of a pattern is the sum over the parts, -1 when one part has none; shape is the
   greatest of each level; rows are counted in the tables, not believed. */
#include "write.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../base/file_copy.h"
#include "../parquet/parquet.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"

/* ---- fields ---- */

/* True for columns that every catalogue has, whether the archives do or not. */
static bool taco__catalogue_is_own_column(const char *name)
{
    return strcmp(name, "internal:current_id") == 0 || strcmp(name, "internal:source_file") == 0;
}

/* Order of columns by name. */
static int taco__catalogue_compare_fields(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return strcmp(((const taco_field *)a)->name, ((const taco_field *)b)->name);
}

/* Compares the columns of a part's table with those of earlier parts, except for the internal: ones
   of the container, which differ between archives and FOLDERs and between writers. With opt.fill
   columns may be missing, and a merged collection, which has no rows, accepts all types (§6.6). */
static bool taco__catalogue_compare_columns(taco__catalogue *m, uint32_t level,
                                            const taco__table *t, bool tables, const char *part,
                                            taco_error *err)
{
    taco__differing first, own;
    first.name = m->opt.fill ? "the archives before it" : m->parts[0].name;
    first.fields = m->fields[level];
    first.count = m->columns[level];
    own.name = part;
    own.fields = t->fields;
    own.count = t->field_count;
    first.level = own.level = level;
    if (!tables && m->opt.fill) { return true; }
    return taco__differences_compare(&m->differences, &first, &own, "internal:", m->opt.fill,
                                     &m->mem, err);
}

/* Adds new columns of a part's table: all columns of the first part and, with opt.fill, those of
   other parts. */
static bool taco__catalogue_add_fields(taco__catalogue *m, uint32_t level, const taco__table *t,
                                       bool first, taco_error *err)
{
    taco__field_index names;
    bool ok = true;
    size_t i, n = m->columns[level];
    taco_field *all =
        (taco_field *)taco__arena_array(&m->arena, n + t->field_count + 2, sizeof *all, err);
    if (!all) { return false; }
    memcpy((void *)all, m->fields[level] ? m->fields[level] : all, n * sizeof *all);
    taco__field_index_init(&names, m->fields[level], n, &m->mem);
    for (i = 0; ok && (first || m->opt.fill) && i < t->field_count; i++) {
        const taco_field *f = &t->fields[i];
        if (taco__catalogue_is_own_column(f->name) ||
            taco__field_index_find(&names, f->name) != SIZE_MAX) {
            continue;
        }
        ok = taco__field_copy(&m->arena, f, &all[n], err);
        all[n++].nullable = true;
    }
    taco__field_index_free(&names);
    if (!ok) { return false; }
    m->fields[level] = all;
    m->columns[level] = n;
    return true;
}

/* Puts columns in the order of the reference: id, type, then all others by name. */
static bool taco__catalogue_sort_fields(taco__catalogue *m, taco_error *err)
{
    static const char *const own[] = {"internal:current_id", "internal:source_file"};
    uint32_t level;
    size_t i, k;
    for (level = 0; level < m->levels; level++) {
        size_t n = m->columns[level];
        taco_field *f = (taco_field *)taco__arena_array(&m->arena, n + 2, sizeof *f, err);
        if (!f) { return false; }
        for (i = 0, k = 2; i < n; i++) {
            const taco_field *x = &m->fields[level][i];
            f[strcmp(x->name, "id") == 0 ? 0 : strcmp(x->name, "type") == 0 ? 1 : k++] = *x;
        }
        for (i = 0; i < 2; i++) {
            f[k++] = taco__field_make(own[i], i ? TACO_TEXT : TACO_INT64);
        }
        if (!taco__sort_in(m->arena.mem, f + 2, k - 2, sizeof *f, taco__catalogue_compare_fields,
                           NULL, err)) {
            return false;
        }
        m->fields[level] = f;
        m->columns[level] = k;
    }
    return true;
}

/* ---- the parts ---- */

/* Copies the bare name of a path; '/' at its end are ignored. */
static const char *taco__catalogue_file_name(taco__catalogue *m, const char *path, taco_error *err)
{
    size_t n = strlen(path), from;
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    for (from = n; from && path[from - 1] != '/' && path[from - 1] != '\\'; from--) {}
    return taco__arena_text(&m->arena, taco__bytes_of(path + from, n - from), err);
}

/* Reads what bounds the samples of a part. Where its own extent does not, it is replaced:
   the collection of all must cover all (§6.6). */
static bool taco__catalogue_read_extent(taco__catalogue *m, size_t number, taco_error *err)
{
    taco__catalogue_part *p = &m->parts[number];
    taco_options quiet = m->options;
    taco_dataset *ds;
    taco_error what = {0, TACO_OK, 0, {0}};
    char text[2][48];
    bool ok, box, times;
    size_t i;
    quiet.warn = NULL;
    ds = taco_open(p->path, &quiet, err);
    ok = ds && taco__extent_read(&p->span, ds, &m->mem, err);
    taco_close(ds);
    if (!ok) { return false; }
    p->is_file = taco__routing_mark_read(&m->options, p->path, &p->mark, &what);
    if (what.code == TACO_ERR_IO) {
        taco__error_prefix(&what, "%s", p->path);
        taco__error_copy(err, &what);
        return false;
    }
    box = p->has_spatial && !taco__extent_box_covers(&p->span, p->spatial);
    times = p->has_temporal && !taco__extent_times_cover(&p->span, p->temporal);
    if (box) {
        taco__extent_box(&p->span, p->spatial);
        p->spatial[2] -= p->spatial[2] > 180 ? 360 : 0;
        p->spatial[0] -= p->spatial[0] > 180 ? 360 : 0;
    }
    if (times) { taco__extent_time_texts(&p->span, text); }
    for (i = 0; times && i < 2; i++) {
        p->temporal[i] = taco__arena_text(&m->arena, taco__bytes_text(text[i]), err);
        if (!p->temporal[i]) { return false; }
    }
    if (box || times) {
        taco__log(&m->options, TACO_LOG_INFO,
                  "%s: its extent does not cover the %s of all samples: computed again", p->name,
                  box && times ? "footprints and times"
                  : box        ? "footprints"
                               : "times");
    }
    return true;
}

/* Copies id and extent of a part's collection. */
static bool taco__catalogue_copy_collection(taco__catalogue *m, size_t number,
                                            const taco__collection *c, taco_error *err)
{
    taco__catalogue_part *p = &m->parts[number];
    size_t i;
    p->id = taco__arena_text(&m->arena, taco__bytes_text(c->id), err);
    p->has_spatial = c->has_spatial;
    p->has_temporal = c->has_temporal;
    memcpy(p->spatial, c->spatial, sizeof p->spatial);
    for (i = 0; p->id && p->has_temporal && i < 2; i++) {
        p->temporal[i] = taco__arena_text(&m->arena, taco__bytes_text(c->temporal[i]), err);
        if (!p->temporal[i]) { return false; }
    }
    return p->id != NULL;
}

/* Adds a part's rows, and the n of its patterns. n is trusted only if a level has several patterns;
   for a single pattern the rows of the level are counted. */
static bool taco__catalogue_add_counts(taco__catalogue *m, const taco__collection *c,
                                       const uint64_t *rows, uint32_t levels, bool first,
                                       taco_error *err)
{
    uint32_t d;
    size_t i;
    m->shaped = (first || m->shaped) && c->pit.shape_count == levels;
    for (d = 0; d < levels; d++) {
        m->rows[d] += rows[d];
        if (m->shaped && d) { m->shape[d] = TACO__MAX(m->shape[d], c->pit.shape[d]); }
    }
    for (d = 0; d < TACO__PIT_MAX_DEPTH; d++) {
        const taco__pit_level *l = &c->pit.levels[d];
        if (first) {
            m->sums[d] =
                (int64_t *)taco__arena_array(&m->arena, l->count + 1, sizeof **m->sums, err);
            if (!m->sums[d]) { return false; }
        }
        for (i = 0; i < l->count; i++) {
            int64_t n = l->count == 1 && d + 1 < levels ? (int64_t)rows[d + 1] : l->patterns[i].n;
            m->sums[d][i] = n < 0 || m->sums[d][i] < 0 || n > INT64_MAX - m->sums[d][i]
                                ? -1
                                : m->sums[d][i] + n;
        }
    }
    return true;
}

/* Checks that an archive may be a part of a catalogue: its records, ids and places are right.
   Skipped if checks are off. */
static bool taco__catalogue_check_archive(const taco__catalogue *m, taco__check_dataset *c,
                                          const char *path, taco_error *err)
{
    if (c->store.kind != TACO_KIND_ZIP) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "%s: a catalogue is made of archives, this is a %s", path,
                   c->store.kind == TACO_KIND_FOLDER ? "FOLDER" : "catalogue");
        return false;
    }
    if (m->opt.unchecked) { return true; }
    if (!taco__check_dataset_archive(c, &c->store.file, err) ||
        !taco__check_dataset_levels(c, err)) {
        return false;
    }
    if (c->f->first.code != TACO_OK) {
        *err = c->f->first;
        taco__error_prefix(err, "%s: to be repaired before it is merged", path);
        return false;
    }
    return true;
}

/* Keeps the collection of the first part as the base of the merged one; the others must have the
   same levels and tree. */
static bool taco__catalogue_compare_part(taco__catalogue *m, size_t number,
                                         const taco__container *s, taco_error *err)
{
    if (number == 0) {
        m->levels = s->level_count;
        return taco__collection_parse(&m->arena, s->coll.doc.text, &m->options.limits, &m->coll,
                                      err) == TACO_OK;
    }
    if (s->level_count == m->levels &&
        taco__collection_check_same_pit(&m->coll, &s->coll, err) == TACO_OK) {
        return true;
    }
    TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%u levels, the first dataset has %u",
               TACO__U(s->level_count), TACO__U(m->levels));
    taco__error_prefix(err, "%s: cannot be merged with %s", m->parts[number].path,
                       m->parts[0].path);
    return false;
}

/* Opens and checks one part, and adds its columns and counts. tables: for a catalogue, whose parts
   must be archives with offsets. */
static bool taco__catalogue_add_part(taco__catalogue *m, size_t number, bool tables,
                                     taco_error *err)
{
    static const taco_validate_options none = {false, false, NULL, NULL, NULL};
    taco_validated sum;
    taco__findings f;
    taco__check_dataset *c;
    taco__catalogue_part *p = &m->parts[number];
    uint64_t rows[TACO__MAX_LEVELS] = {0};
    uint32_t i;
    bool ok;
    memset(&sum, 0, sizeof sum);
    memset(&f, 0, sizeof f);
    f.how = &none;
    f.sum = &sum;
    f.part = "";
    c = taco__check_dataset_open(&f, &m->mem, &m->options, err);
    if (!c) { return false; }
    c->open = taco__container_open(&c->store, p->path, NULL, &m->mem, &c->arena, &c->options, err);
    ok = c->open && (!tables || taco__catalogue_check_archive(m, c, p->path, err));
    for (i = 0; ok && i < c->store.level_count; i++) {
        taco__level *l = taco__container_level(&c->store, i, err);
        ok = l != NULL;
        rows[i] = ok ? l->table.rows : 0;
    }
    ok = ok && taco__catalogue_compare_part(m, number, &c->store, err) &&
         taco__catalogue_copy_collection(m, number, &c->store.coll, err);
    for (i = 0; ok && i < c->store.level_count; i++) {
        const taco__table *t = &taco__container_level(&c->store, i, err)->table;
        ok = (number == 0 || taco__catalogue_compare_columns(m, i, t, tables, p->name, err)) &&
             taco__catalogue_add_fields(m, i, t, number == 0, err);
    }
    ok = ok && taco__catalogue_add_counts(m, &c->store.coll, rows, m->levels, number == 0, err);
    ok = ok && taco__catalogue_read_extent(m, number, err);
    if (ok) { taco__log(&m->options, TACO_LOG_DEBUG, "read %s, samples: %u", p->path, rows[0]); }
    taco__check_dataset_close(c);
    return ok;
}

/* Reads all parts; taco__catalogue_end must follow, even after a failure. */
static bool taco__catalogue_begin(taco__catalogue *m, const char *const *paths, size_t n,
                                  const taco_merge_options *opt, bool tables, taco_error *err)
{
    size_t i, k;
    memset(m, 0, sizeof *m);
    if (opt) { m->opt = *opt; }
    taco__options_init(&m->options, m->opt.options);
    taco__mem_init(&m->mem, m->opt.options);
    m->arena.mem = &m->mem;
    taco__differences_init(&m->differences, &m->options);
    if (!n || !paths) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
        return false;
    }
    m->parts = (taco__catalogue_part *)taco__arena_array(&m->arena, n, sizeof *m->parts, err);
    if (!m->parts) { return false; }
    m->count = n;
    for (i = 0; i < n; i++) {
        m->parts[i].path = paths[i];
        m->parts[i].name = paths[i] ? taco__catalogue_file_name(m, paths[i], err) : NULL;
        if (!m->parts[i].name) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
            return false;
        }
        for (k = 0; tables && k < i; k++) {
            taco_bytes name = taco__bytes_text(m->parts[i].name);
            if (strcmp(m->parts[k].name, m->parts[i].name) == 0) {
                TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                           "two archives are named %q, a catalogue tells them by their names",
                           &name);
                return false;
            }
        }
        if (!taco__catalogue_add_part(m, i, tables, err)) { return false; }
    }
    return taco__differences_none(&m->differences, err) &&
           (!tables || taco__catalogue_sort_fields(m, err));
}

#ifndef TACO_NO_STDIO
/* Joins dir, a '/' if needed, and a name, in the arena; NULL if out of memory. */
static const char *taco__catalogue_join_path(taco__catalogue *m, const char *dir, const char *name,
                                             taco_error *err)
{
    size_t n = strlen(dir), k = strlen(name);
    char *p = (char *)taco__arena_alloc(&m->arena, n + k + 2, err);
    if (p) {
        memcpy(p, dir, n);
        p[n] = '/';
        memcpy(p + n + (n == 0 || dir[n - 1] != '/'), name, k);
    }
    return p;
}

/* ARGUMENT if the path already exists. */
static bool taco__catalogue_check_free(const taco__catalogue *m, const char *path, taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    if (!taco__temporary_is_free(path, &m->options)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%q exists already", &name);
        return false;
    }
    return true;
}

/* Writes a small file. */
static bool taco__catalogue_write_text(taco__catalogue *m, const char *path, taco_bytes text,
                                       taco_error *err)
{
    taco_sink sink;
    bool ok = taco_sink_file(&sink, path, &m->options, err) == TACO_OK;
    if (!ok) { return false; }
    ok = sink.write(sink.ctx, 0, text.data, text.len);
    ok = sink.close(sink.ctx, ok) && ok;
    if (!ok) {
        taco_bytes name = taco__bytes_text(path);
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "cannot be written: %q%s", &name,
                   taco__sink_cause(&sink));
    }
    return ok;
}

/* True if the last part of a path is `name`; '/' at its end are ignored. */
static bool taco__catalogue_has_file_name(const char *path, const char *name)
{
    size_t n = strlen(path), k = strlen(name);
    while (n > 1 && taco__plat_is_slash(path[n - 1])) {
        n--;
    }
    return n >= k && memcmp(path + n - k, name, k) == 0 && taco__plat_dir_length(path, n) == n - k;
}

/* Writes the __TACOCAT__ file into a sink that stays open, except after a failure. */
static bool taco__catalogue_write_binary(taco__catalogue *m, const char *path, taco_sink *sink,
                                         taco_error *err)
{
    bool ok = taco__catalogue_check_free(m, path, err) &&
              taco_sink_file(sink, path, &m->options, err) == TACO_OK;
    if (ok && !taco__catalogue_table_write_file(m, sink, err)) {
        sink->close(sink->ctx, false);
        ok = false;
    }
    return ok;
}

/* Closes this sink, so that the file appears. */
static bool taco__catalogue_keep(const taco_sink *sink, const char *path, taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    if (sink->close(sink->ctx, true)) { return true; }
    TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "cannot be written: %q%s", &name,
               taco__sink_cause(sink));
    return false;
}

#if TACO__DIRS
/* Fills the directory of a catalogue; *file is the path of one file in it. */
static bool taco__catalogue_fill_directory(taco__catalogue *m, const char *dir, const char **file,
                                           taco_error *err)
{
    static const char *const names[] = {"level0.parquet", "level1.parquet", "level2.parquet",
                                        "level3.parquet", "level4.parquet", "level5.parquet"};
    taco__buf text;
    taco_sink sink;
    uint32_t i;
    bool ok = true;
    memset(&text, 0, sizeof text);
    text.mem = &m->mem;
    for (i = 0; ok && i < m->levels; i++) {
        const char *name = taco__catalogue_join_path(m, dir, names[i], err);
        ok = name && taco_sink_file(&sink, name, &m->options, err) == TACO_OK &&
             taco__catalogue_table_write_level(m, i, &sink, err);
    }
    *file = ok ? taco__catalogue_join_path(m, dir, "COLLECTION.json", err) : NULL;
    ok = *file && taco__merged_write(m, false, &text, err) &&
         taco__catalogue_write_text(m, *file, taco__bytes_of(text.data, text.len), err);
    taco__buf_free(&text);
    return ok;
}
#endif

/* Writes the .tacocat directory under a temporary name, and renames it when it is complete. With
   `binary`, a sink with a complete __TACOCAT__ file for that path, either both appear or
   neither. */
static bool taco__catalogue_write_directory(taco__catalogue *m, const char *path,
                                            const taco_sink *binary, const char *binary_path,
                                            taco_error *err)
{
#if TACO__DIRS
    taco__temporary t;
    const char *file = NULL;
    bool ok, open = binary != NULL;
    memset(&t, 0, sizeof t);
    ok = taco__catalogue_check_free(m, path, err) &&
         taco__temporary_make(&t, path, NULL, &m->options, &m->mem, err) &&
         taco__catalogue_fill_directory(m, t.name, &file, err) &&
         taco__dir_commit(&t, path, file, err);
    if (ok && binary) {
        open = false;
        ok = taco__catalogue_keep(binary, binary_path, err);
        if (!ok) { taco__temporary_undo(&t, path); }
    }
    if (open) { binary->close(binary->ctx, false); }
    taco__temporary_remove(&t);
    return ok;
#else
    (void)m;
    (void)binary_path;
    if (binary) { binary->close(binary->ctx, false); }
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%s: this build makes no directories",
               path);
    return false;
#endif
}

/* Writes the form of catalogue that the name of the output selects, see taco_create_tacocat. */
static bool taco__catalogue_write(taco__catalogue *m, const char *output, taco_error *err)
{
    const char *folder, *binary;
    taco_sink sink;
    if (taco__catalogue_has_file_name(output, "__TACOCAT__")) {
        return taco__catalogue_write_binary(m, output, &sink, err) &&
               taco__catalogue_keep(&sink, output, err);
    }
    if (taco__catalogue_has_file_name(output, ".tacocat")) {
        return taco__catalogue_write_directory(m, output, NULL, NULL, err);
    }
    folder = taco__catalogue_join_path(m, output, ".tacocat", err);
    binary = taco__catalogue_join_path(m, output, "__TACOCAT__", err);
    if (!folder || !binary || !taco__catalogue_check_free(m, folder, err)) { return false; }
    if (!m->opt.binary) { return taco__catalogue_write_directory(m, folder, NULL, NULL, err); }
    return taco__catalogue_write_binary(m, binary, &sink, err) &&
           taco__catalogue_write_directory(m, folder, &sink, binary, err);
}

/* Warns of archives that are not where readers look for them: in the directory of the catalogue.
   The catalogue is complete, so out of memory is no failure. */
static void taco__catalogue_warn_elsewhere(taco__catalogue *m, const char *output)
{
    taco_error what = {0, TACO_OK, 0, {0}};
    taco_bytes first = {NULL, 0};
    size_t n = strlen(output), count = 0, i;
    const char *dir;
    if (!m->options.warn || m->options.open_file) { return; }
    while (n > 1 && taco__plat_is_slash(output[n - 1])) {
        n--;
    }
    if (taco__catalogue_has_file_name(output, "__TACOCAT__") ||
        taco__catalogue_has_file_name(output, ".tacocat")) {
        n = taco__plat_dir_length(output, n);
    }
    dir = n ? taco__arena_text(&m->arena, taco__bytes_of(output, n), NULL) : ".";
    for (i = 0; dir && i < m->count; i++) {
        const char *there = taco__catalogue_join_path(m, dir, m->parts[i].name, NULL);
        taco__plat_id id;
        if (there && taco__plat_identify(m->parts[i].path, &id) &&
            !taco__plat_is_same(there, &id, true) && !count++) {
            first = taco__bytes_text(m->parts[i].path);
        }
    }
    if (!count) { return; }
    TACO__FAIL(&what, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
               "%u of %u archives are not next to the catalogue, such as %q: readers look for them "
               "there, unless they are given another directory (--base-path)",
               TACO__U(count), TACO__U(m->count), &first);
    m->options.warn(m->options.warn_ctx, &what);
}
#endif

/* ---- public ---- */

/* Frees everything and returns the result. */
static taco_status taco__catalogue_end(taco__catalogue *m, bool ok, const taco_error *own,
                                       taco_error *err)
{
    taco_error e = *own;
    taco__arena_free(&m->arena);
    if (!ok) { TACO__FAIL(&e, TACO_ERR_IO, TACO_NO_OFFSET, "writing failed"); }
    taco__error_copy(err, &e);
    return e.code;
}

/* The name of the output decides its form: __TACOCAT__ is the file, .tacocat the directory; other
   names are directories that get a .tacocat, and with opt->binary also the file. */
TACO_API taco_status taco_create_tacocat(const char *output, const char *const *paths, size_t n,
                                         const taco_merge_options *opt, taco_error *err)
{
    taco__catalogue m;
    taco_error own = {0, TACO_OK, 0, {0}};
    bool ok;
    err = taco__error_fresh(err, NULL);
    if (!output) { return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no output given"); }
    ok = taco__catalogue_begin(&m, paths, n, opt, true, &own);
#ifndef TACO_NO_STDIO
    ok = ok && taco__catalogue_write(&m, output, &own);
    if (ok) { taco__catalogue_warn_elsewhere(&m, output); }
#endif
    if (ok) {
        taco__log(&m.options, TACO_LOG_INFO, "wrote the catalogue %s, archives: %u, samples: %u",
                  output, TACO__U(m.count), m.rows[0]);
    }
    return taco__catalogue_end(&m, ok, &own, err);
}

/* A name ending in .json is the file, any other the directory for TACOLLECTION.json. */
TACO_API taco_status taco_create_tacollection(const char *output, const char *const *paths,
                                              size_t n, const taco_merge_options *opt,
                                              taco_error *err)
{
    taco__catalogue m;
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__buf text;
    bool ok;
    err = taco__error_fresh(err, NULL);
    if (!output) { return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no output given"); }
    ok = taco__catalogue_begin(&m, paths, n, opt, false, &own);
    memset(&text, 0, sizeof text);
    text.mem = &m.mem;
#ifndef TACO_NO_STDIO
    if (ok) {
        size_t len = strlen(output);
        const char *path = len > 5 && strcmp(output + len - 5, ".json") == 0
                               ? output
                               : taco__catalogue_join_path(&m, output, "TACOLLECTION.json", &own);
        ok = path && taco__catalogue_check_free(&m, path, &own) &&
             taco__merged_write(&m, false, &text, &own) &&
             taco__catalogue_write_text(&m, path, taco__bytes_of(text.data, text.len), &own);
        if (ok) {
            taco__log(&m.options, TACO_LOG_INFO, "wrote %s, datasets: %u", path, TACO__U(m.count));
        }
    }
#endif
    taco__buf_free(&text);
    return taco__catalogue_end(&m, ok, &own, err);
}
