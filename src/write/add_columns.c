/* add_columns.c - taco_add_columns: adds columns of tables to an existing dataset

   In: a dataset and tables with the paths of its samples; out: a new dataset, the same archive with
   new metadata after its payload, or the same FOLDER with its metadata replaced. TACO 2.0 §6.

   The dataset is read as an export of everything (export.c), the tables as for directories
   (sample_rows.c); each level has the old columns that are kept, then the new ones. In place
   (taco__add_columns_write_in_place) nothing before the old end of the file changes until all new
   data is on disk: then TACO_HEADER is changed to point to it, so that a reader sees either state,
   even after a crash. The archive is locked before it is read (base/sink.h), and an incomplete
   change is undone. The central directory keeps the headers of payload entries. */
#include "write.h"
#include "../base/base.h"
#include "../base/sink.h"
#include "../base/json.h"
#include "../arrow/arrow.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"

/* State of one call. */
typedef struct taco__add_columns {
    taco__from_dir g; /* the tables, and their rows by path */
    taco__export e;   /* the dataset: its tree, and the columns to keep */
    taco__builder *columns[TACO__MAX_LEVELS];
    size_t counts[TACO__MAX_LEVELS];
    taco__container_columns source; /* all columns */
    taco__arena arena;
    taco_array *arrays;
    uint32_t level;
    size_t at;
    taco__buf index;
    taco__buf old_headers;     /* entries of the archive's directory to keep */
    uint64_t old_count, begin; /* number of these; bytes of the archive to keep */
    bool replace;
#ifndef TACO_NO_STDIO
    taco__update update; /* in place: update of the archive */
#endif
} taco__add_columns;

/* ---- columns ---- */

/* A column that already exists: an error or, with `replace`, removed from those to keep. */
static bool taco__add_columns_replace(taco__add_columns *a, uint32_t level, const char *name,
                                      taco_error *err)
{
    taco_field *f = (taco_field *)(void *)(uintptr_t)(const void *)a->e.source.fields[level];
    size_t i, n = a->e.source.counts[level];
    taco_bytes text = taco__bytes_text(name);
    for (i = 0; i < n && strcmp(f[i].name, name) != 0; i++) {}
    if (i == n) { return true; }
    if (!a->replace) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "level %u has a column %q already, and replacing is not asked for",
                   TACO__U(level), &text);
        return false;
    }
    memmove(f + i, f + i + 1, (n - i - 1) * sizeof *f);
    a->e.source.counts[level]--;
    return true;
}

/* Opens a builder for each column that the tables have for a level. */
static bool taco__add_columns_open_level(taco__add_columns *a, uint32_t level, taco_error *err)
{
    size_t i, k, j, most = 0;
    for (i = 0; i < a->g.table_count; i++) {
        most += a->g.tables[i].count;
    }
    a->columns[level] =
        (taco__builder *)taco__arena_array(&a->arena, most, sizeof *a->columns[level], err);
    for (i = 0; a->columns[level] && i < a->g.table_count; i++) {
        const taco__sample_rows_table *t = &a->g.tables[i];
        for (k = 0; t->level[level] && k < t->count; k++) {
            taco_bytes name = taco__bytes_text(t->fields[k].name);
            if (!t->used[level][k]) { continue; }
            for (j = 0; j < a->counts[level]; j++) {
                if (strcmp(a->columns[level][j].rows.field->name, t->fields[k].name) == 0) {
                    TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                               "column %q of level %u is in two tables", &name, TACO__U(level));
                    return false;
                }
            }
            if (taco__rules_check_column_name(name, err) != TACO_OK ||
                !taco__add_columns_replace(a, level, t->fields[k].name, err) ||
                !taco__builder_init(&a->columns[level][a->counts[level]++], &t->fields[k],
                                    &a->e.mem, &a->arena, err)) {
                return false;
            }
        }
    }
    return a->columns[level] != NULL;
}

/* Appends the values of one sample: those in its table, null for columns of other tables. ARGUMENT
   if it has no row, unless nulls are allowed. */
static bool taco__add_columns_append_row(taco__add_columns *a, uint32_t level, size_t row,
                                         taco_error *err)
{
    taco_bytes id = taco__tree_id(&a->e.tree, level, row);
    const bool null = a->g.create.fill || taco__rules_is_padding(id);
    const taco__sample_rows_table *t;
    uint64_t x;
    size_t i, k, j = 0, at;
    a->e.path.len = 0;
    if (!taco__tree_path(&a->e.tree, level, row, &a->e.path, err)) { return false; }
    /* the '/' at the end of a FOLDER's path is not part of its id */
    at = a->e.path.len - (taco__tree_is_folder(&a->e.tree, level, row) ? 1 : 0);
    x = taco__sample_rows_find(&a->g, taco__bytes_of(a->e.path.data, at));
    if (x != TACO__SAMPLE_ROWS_NONE &&
        !taco__sample_rows_meet(&a->g, x, taco__tree_is_folder(&a->e.tree, level, row), err)) {
        return false;
    }
    for (i = 0; i < a->g.table_count; i++) {
        t = &a->g.tables[i];
        for (k = 0; t->level[level] && k < t->count; k++) {
            taco__builder *c = &a->columns[level][j];
            taco_bytes name = taco__bytes_text(t->fields[k].name);
            bool mine = x != TACO__SAMPLE_ROWS_NONE && x >> 32 == i;
            if (!t->used[level][k]) { continue; }
            if (!mine && !null) {
                TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                           "sample %q of level %u has no value for column %q; the schema is "
                           "strict, null must be said",
                           &id, TACO__U(level), &name);
                return false;
            }
            if (mine ? !taco__array_builder_append_copy(&c->rows, &t->rows->columns[k],
                                                        (size_t)(x & UINT32_MAX), err)
                     : !taco__array_builder_append_null(&c->rows, err)) {
                return false;
            }
            j++;
        }
    }
    return true;
}

/* NOT_FOUND if a row matches no sample. */
static bool taco__add_columns_check_all_used(const taco__add_columns *a, taco_error *err)
{
    size_t i, row;
    for (i = 0; i < a->g.table_count; i++) {
        for (row = 0; row < a->g.tables[i].rows->length; row++) {
            taco_bytes id = taco__sample_rows_id(&a->g.tables[i], row);
            if (!a->g.tables[i].seen[row]) {
                TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                           "%s: row %u: there is no sample %q", a->g.how->tables[i],
                           TACO__U(row + 1), &id);
                return false;
            }
        }
    }
    return true;
}

/* Makes all columns of a level; new ones are complete in memory. */
static bool taco__add_columns_make_level(taco__add_columns *a, uint32_t level, taco_error *err)
{
    size_t i, row, rows = a->e.tree.level[level].rows, stay;
    taco_field *fields;
    if (!taco__export_source_fields(&a->e, level, err) ||
        !taco__add_columns_open_level(a, level, err)) {
        return false;
    }
    for (row = 0; row < rows; row++) {
        if (!taco__add_columns_append_row(a, level, row, err)) { return false; }
    }
    stay = a->e.source.counts[level];
    a->source.counts[level] = stay + a->counts[level];
    fields =
        (taco_field *)taco__arena_array(&a->arena, stay + a->counts[level], sizeof *fields, err);
    for (i = 0; fields && i < stay + a->counts[level]; i++) {
        taco__builder *c = i < stay ? NULL : &a->columns[level][i - stay];
        if (c) {
            taco__builder_finish(c);
            if (!taco__array_buf_init(&c->pieces, c->rows.field, &a->e.mem, &a->arena, err)) {
                return false;
            }
        }
        fields[i] = c ? *c->rows.field : a->e.source.fields[level][i];
    }
    a->source.fields[level] = fields;
    return fields != NULL;
}

/* taco__container_columns.begin. */
static bool taco__add_columns_begin_level(void *ctx, uint32_t level, taco_error *err)
{
    taco__add_columns *a = (taco__add_columns *)ctx;
    a->level = level;
    a->at = 0;
    return a->e.source.counts[level] == 0 || taco__export_source_begin_level(&a->e, level, err);
}

/* taco__container_columns.next: a batch of the old columns, and the same rows of the new ones, as
   slices if they begin at a multiple of 8, else copied. */
static bool taco__add_columns_next_batch(void *ctx, taco_batch *out, taco_error *err)
{
    taco__add_columns *a = (taco__add_columns *)ctx;
    const size_t stay = a->e.source.counts[a->level], rows = a->e.tree.level[a->level].rows;
    size_t i;
    int32_t *index = NULL;
    if (stay == 0) {
        memset(out, 0, sizeof *out);
        out->length = TACO__MIN(rows - a->at, (size_t)TACO__BUILDER_SLICE);
    } else if (!taco__export_source_next_batch(&a->e, out, err)) {
        return false;
    }
    if (out->length > rows - a->at) {
        return true; /* taco__level_table_next_batch refuses the batch */
    }
    for (i = 0; i < stay && out->length; i++) {
        a->arrays[i] = out->columns[i];
    }
    if (a->at % 8) { /* row groups may end anywhere: such rows are copied */
        if (!taco__buf_reset(&a->index, out->length * sizeof *index, err)) { return false; }
        index = (int32_t *)(void *)a->index.data;
        for (i = 0; i < out->length; i++) {
            index[i] = (int32_t)(a->at + i);
        }
    }
    for (i = 0; i < a->counts[a->level]; i++) {
        taco__builder *c = &a->columns[a->level][i];
        if (index) {
            if (!taco__take_array(&c->pieces, &c->array, index, out->length, err)) { return false; }
            a->arrays[stay + i] = c->pieces.array;
        } else {
            a->arrays[stay + i] = taco__array_buf_slice(&c->pieces, &c->array, a->at, out->length);
        }
    }
    out->columns = a->arrays;
    out->column_count = stay + a->counts[a->level];
    a->at += out->length;
    return true;
}

/* ---- an extended archive ---- */

/* Finds the central directory of a file that does not end with it, as after a crash: it follows
   COLLECTION.json. */
static bool taco__add_columns_find_directory(taco__file *f, const taco__index *x,
                                             taco__zip_dir *dir, taco__buf *scratch,
                                             taco_error *err)
{
    uint64_t at = x->collection.offset + x->collection.len;
    uint64_t end = taco__zip_find_end(f, at, scratch);
    if (!end) {
        TACO__FAIL(
            err, TACO_ERR_CORRUPT, at,
            "there is no central directory at the end or after COLLECTION.json; taco repair makes "
            "one");
        return false;
    }
    return taco__zip_open_until(f, end, dir, scratch, err) == TACO_OK;
}

/* True for entries that are rewritten. */
static bool taco__add_columns_is_metadata(taco_bytes name)
{
    static const char meta[] = "/__meta__";
    const size_t n = sizeof meta - 1;
    return taco__bytes_equal(name, taco__bytes_text("TACO_HEADER")) ||
           taco__bytes_equal(name, taco__bytes_text("COLLECTION.json")) ||
           (name.len > 9 && memcmp(name.data, "METADATA/", 9) == 0) ||
           (name.len > n && memcmp(name.data, "DATA/", 5) == 0 &&
            memcmp(name.data + name.len - n, meta, n) == 0);
}

/* Reads the headers of entries to keep, and where the archive ends. */
static bool taco__add_columns_read_directory(taco__add_columns *a, taco__container *s,
                                             taco_error *err)
{
    taco__buf whole;
    taco__zip_dir dir;
    taco__zip_iter it;
    taco__zip_entry e;
    taco_bytes directory;
    bool ok;
    memset(&whole, 0, sizeof whole);
    whole.mem = &a->e.mem;
    ok = taco__zip_open(&s->file, &dir, &whole, NULL) == TACO_OK ||
         taco__add_columns_find_directory(&s->file, &s->index, &dir, &whole, err);
    ok = ok && taco__zip_read_directory(&s->file, &dir, s->options->limits.max_metadata, &whole,
                                        &directory, err) == TACO_OK;
    if (ok) {
        a->begin = s->file.src.size; /* whatever follows the records stays too */
        it = taco__zip_iter_init(directory, &dir);
        while (ok && taco__zip_next(&it, &e, err)) {
            const size_t at = (size_t)(e.at - dir.offset);
            if (!taco__add_columns_is_metadata(e.name)) {
                a->old_count++;
                ok = taco__buf_append(&a->old_headers, directory.data + at,
                                      taco__byte_reader_position(&it.cur) - at, err);
            }
        }
        ok = ok && !it.bad;
    }
    taco__buf_free(&whole);
    return ok;
}

/* Sets the places of the FILEs of a level, corrected if the level has those of another row, as in
   every writer. */
static bool taco__add_columns_fix_places(taco__add_columns *a, uint32_t level, taco_error *err)
{
    size_t row;
    taco__range r;
    for (row = 0; row < a->e.tree.level[level].rows; row++) {
        if (taco__tree_is_folder(&a->e.tree, level, row)) { continue; }
        if (!taco__export_source_range(&a->e, level, row, &r, err)) { return false; }
        if (!taco__checked_range(r.offset, r.len, a->begin)) {
            taco_bytes id = taco__tree_id(&a->e.tree, level, row);
            TACO__FAIL(err, TACO_ERR_TRUNCATED, r.offset,
                       "sample %q: payload of %u bytes, the archive ends at %u", &id, r.len,
                       a->begin);
            return false;
        }
        taco__tree_set_place(&a->e.tree, level, row, r.offset, r.len);
    }
    return true;
}

/* ---- a FOLDER changed in place ---- */

/* Replaces the metadata of a FOLDER dataset, a file at a time: each __meta__, from the deepest up,
   then the level tables, then COLLECTION.json (§6.4). A concurrent reader may find old columns in
   some files and new ones in others, but each file is complete. */
static bool taco__add_columns_write_folder(taco__add_columns *a, const char *path,
                                           const taco__json *root, taco_error *err)
{
    taco__container *s = &a->e.ds->stores[0];
    taco__container_writer p;
    uint32_t level;
    for (level = 0; level < a->e.tree.levels; level++) {
        taco__level *l = taco__container_level(s, level, err);
        if (!l || !l->table.pq) {
            TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                       "tables of Avro are not replaced in place: an output is needed");
            return false;
        }
    }
    if (!taco__container_write_begin_in_place(&p, path, &a->g.create, &a->e.tree, &a->e.mem, err)) {
        taco__container_write_abort(&p);
        return false;
    }
    return taco__container_write_finish(&p, root, &a->source, err);
}

/* Appends new metadata to the archive itself, or replaces that of a FOLDER. */
static bool taco__add_columns_write_in_place(taco__add_columns *a, const char *path,
                                             const taco__json *root, taco_error *err)
{
    taco__container *s = &a->e.ds->stores[0];
    taco__container_writer p;
    taco_sink sink;
    uint32_t level;
    bool ok;
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_bytes name = taco__bytes_text(path);
    if (s->kind == TACO_KIND_FOLDER && !a->g.options.open_file) {
        return taco__add_columns_write_folder(a, path, root, err);
    }
    if (s->kind != TACO_KIND_ZIP || a->g.options.open_file) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "%q is not an archive or FOLDER on disk: an output is needed", &name);
        return false;
    }
    if (!taco__add_columns_read_directory(a, s, err)) { return false; }
    a->e.file = &s->file;
    for (level = 0; level < a->e.tree.levels; level++) {
        if (!taco__add_columns_fix_places(a, level, err)) { return false; }
    }
    memset(&sink, 0, sizeof sink);
#ifndef TACO_NO_STDIO
    if (!taco__sink_append_open(&sink, &a->update, a->begin, &a->e.mem, err)) { return false; }
#endif
    taco__container_write_init(&p, &a->g.create, &a->e.tree, &a->e.mem);
    p.zip = true;
    if (!taco__sink_check(&sink, err) || !taco__output_open(&p.out, &sink, &a->e.mem, err)) {
        return false;
    }
    p.out.anywhere = p.open = true;
    taco__zip_write_resume(&p.z, &p.out, &a->e.mem, p.opt.mtime, a->begin,
                           taco__bytes_of(a->old_headers.data, a->old_headers.len), a->old_count);
    ok = taco__container_write_finish(&p, root, &a->source, &own);
#ifndef TACO_NO_STDIO
    /* the sink refuses to lose data, but gives no reason */
    if (!ok && own.code == TACO_ERR_IO) { taco__update_check(&a->update, err); }
#endif
    if (!ok && err->code == TACO_OK) { *err = own; }
    return ok;
}

#ifndef TACO_NO_STDIO
/* The file of a FOLDER to lock: its COLLECTION.json, which is replaced last. NULL if there is
   none. */
static const char *taco__add_columns_lock_of(taco__add_columns *a, const char *path)
{
    static const char name[] = "/COLLECTION.json";
    const size_t n = strlen(path);
    uint64_t size;
    char *text = (char *)taco__arena_alloc(&a->g.arena, n + sizeof name, NULL);
    if (!text) { return NULL; }
    memcpy(text, path, n);
    memcpy(text + n, name, sizeof name);
    return taco__plat_stat(text, &size) == TACO__PATH_FILE ? text : NULL;
}
#endif

/* Opens the dataset; in place, after taking a lock. The lock is on the file that was opened: if
   another file replaces it, that is detected before the new columns take effect. */
static taco_dataset *taco__add_columns_open(taco__add_columns *a, const char *path,
                                            const char *output, const taco_options *opt,
                                            taco_error *err)
{
    taco_dataset *ds = NULL;
#ifndef TACO_NO_STDIO
    uint64_t size;
    const bool here = !output && !a->g.options.open_file;
    const taco__path_kind kind = here ? taco__plat_stat(path, &size) : TACO__PATH_MISSING;
    const char *locked = kind == TACO__PATH_FILE        ? path
                         : kind == TACO__PATH_DIRECTORY ? taco__add_columns_lock_of(a, path)
                                                        : NULL;
    if (locked) {
        if (!taco__update_open(&a->update, locked, err)) { return NULL; }
        ds = taco_open(path, opt, err);
        if (ds && !taco__update_check(&a->update, err)) {
            taco_close(ds);
            return NULL;
        }
        return ds;
    }
#endif
    (void)a;
    (void)output;
    ds = taco_open(path, opt, err);
    return ds;
}

/* ---- all steps ---- */

/* All steps, once dataset and tables are open. */
static bool taco__add_columns_write(taco__add_columns *a, const char *path, const char *output,
                                    taco_error *err)
{
    const taco__json *root;
    taco_query all;
    uint32_t level;
    size_t most = 0;
    memset(&all, 0, sizeof all);
    all.padding = true;
    if (!taco__export_build_tree(&a->e, &all, err)) { return false; }
    for (level = 0; level < a->e.tree.levels; level++) {
        if (!taco__add_columns_make_level(a, level, err)) { return false; }
        most = TACO__MAX(most, a->source.counts[level]);
    }
    a->arrays = (taco_array *)taco__arena_array(&a->arena, most, sizeof *a->arrays, err);
    a->source.ctx = a;
    a->source.begin = taco__add_columns_begin_level;
    a->source.next = taco__add_columns_next_batch;
    root = taco__export_collection(&a->e, false, 0, err);
    if (!a->arrays || !taco__add_columns_check_all_used(a, err) || !root) { return false; }
    if (!output) { return taco__add_columns_write_in_place(a, path, root, err); }
    a->g.create.total = a->g.create.total ? a->g.create.total : a->e.total;
    return taco__export_write_container(&a->e, output, &a->g.create, root, &a->source, err);
}

/* Frees columns and export, but neither the tables nor the dataset. */
static void taco__add_columns_free(taco__add_columns *a)
{
    uint32_t level;
    size_t i;
    for (level = 0; level < TACO__MAX_LEVELS; level++) {
        for (i = 0; i < a->counts[level]; i++) {
            taco__array_buf_free(&a->columns[level][i].pieces);
            taco__builder_free(&a->columns[level][i]);
        }
    }
    taco__buf_free(&a->index);
    taco__buf_free(&a->old_headers);
    taco__arena_free(&a->arena);
    taco__export_free(&a->e);
}

/* Opens tables and dataset, adds the columns, and closes everything. Messages begin with the path
   of the output, or else of the archive. */
TACO_API taco_status taco_add_columns(const char *path, const char *output,
                                      const taco_add_options *how, taco_error *err)
{
    taco_directory_options tables;
    taco__add_columns a;
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_dataset *ds;
    size_t i;
    bool ok;
    err = taco__error_fresh(err, NULL);
    memset(&tables, 0, sizeof tables);
    memset(&a, 0, sizeof a);
    if (!path || !how || !how->tables || !how->table_count) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "path or tables are missing");
    }
    tables.tables = how->tables;
    tables.table_count = how->table_count;
    a.replace = how->replace;
    a.g.how = &tables;
    a.g.err = &own;
    if (how->create) { a.g.create = *how->create; }
    if (a.g.create.options) { a.g.options = *a.g.create.options; }
    taco__mem_init(&a.g.mem, a.g.create.options);
    a.g.arena.mem = a.g.path.mem = &a.g.mem;
    ds = taco__sample_rows_open_tables(&a.g)
             ? taco__add_columns_open(&a, path, output, a.g.create.options, &own)
             : NULL;
    if (ds) {
        a.g.create.options = a.g.create.options ? a.g.create.options : &ds->options;
        ok = taco__export_init(&a.e, ds, &own);
        a.arena.mem = a.old_headers.mem = a.index.mem = &a.e.mem;
        ok = ok && taco__add_columns_write(&a, path, output, &own);
        if (!ok) { taco__error_prefix(&own, "%s", output ? output : path); }
        taco__add_columns_free(&a);
    }
    taco_close(ds);
#ifndef TACO_NO_STDIO
    taco__update_close(&a.update);
#endif
    for (i = 0; i < a.g.table_count; i++) {
        taco_table_close(a.g.tables[i].table);
    }
    taco__buf_free(&a.g.path);
    taco__hash_map_free(&a.g.by_id);
    taco__arena_free(&a.g.arena);
    taco__error_copy(err, &own);
    return own.code;
}
