/* level_tables.c - METADATA/levelN.parquet and the __meta__ of every FOLDER

   In: the tree and the user's columns as batches (taco__container_columns); out: Parquet files
   inside the container, with their places for TACO_HEADER and for the rows of FOLDERs. TACO 2.0
   §6.2 (which tables there are), §7.2.3 (columns of the format).

   Columns come in this order: id, type, the user's, internal:current_id and internal:parent_id
   (level tables), internal:offset and internal:size (archives), internal:relative_path (level
   tables below 0). Own columns are built from the tree batch by batch, or point into it. A level
   table streams its batches; taco__level_table_write_folders goes over the rows of a level once
   and opens a new __meta__ wherever the parent changes. Tables of a FOLDER dataset have
   content-defined pages, so that an edit changes few bytes.

   Two samples s and t, each a FOLDER with one file a, have these tables in an archive (places
   left out); a __meta__ has the rows of one FOLDER, without current_id, parent_id and
   relative_path:

       level0: id s, t   type FOLDER, FOLDER   current_id 0, 1   parent_id 0, 1
       level1: id a, a   type FILE, FILE       current_id 0, 1   parent_id 0, 1   path s/a, t/a */
#include "write.h"
#include "../base/base.h"
#include "../base/file_copy.h"
#include "../arrow/arrow.h"
#include "../parquet_write/parquet_write.h"

/* Rows of a batch in levels without user columns. */
#define TACO__LEVEL_TABLE_BATCH_ROWS 4096
/* Most bytes of the paths of a batch: offsets are int32. Tests use fewer. */
#ifndef TACO__LEVEL_TABLE_PATHS
#define TACO__LEVEL_TABLE_PATHS ((size_t)INT32_MAX)
#endif

/* ---- tables ---- */

/* One table, or all __meta__ of a level: fields, and arrays of the batch being written. */
typedef struct taco__level_table {
    taco__container_writer *p;
    uint32_t level;
    bool meta;
    taco__arena arena;
    taco_field *fields;
    taco_array *arrays;
    size_t count; /* columns in all */
    size_t users; /* user columns among them, after id and type */
    taco__buf types, current, parent, relative, ends, index;
    taco__array_buf *folder_rows; /* __meta__: user columns for the rows of one folder */
    /* the dictionary of `type`: rows are 0 for FILE, 1 for FOLDER */
    taco_field word;
    taco_array words;
} taco__level_table;

static const int32_t taco__level_table_type_ends[] = {0, 4, 10};

/* Frees the table; fields and arrays are in its arena. */
static void taco__level_table_free(taco__level_table *t)
{
    size_t i;
    for (i = 0; t->folder_rows && i < t->users; i++) {
        taco__array_buf_free(&t->folder_rows[i]);
    }
    taco__buf_free(&t->types);
    taco__buf_free(&t->current);
    taco__buf_free(&t->parent);
    taco__buf_free(&t->relative);
    taco__buf_free(&t->ends);
    taco__buf_free(&t->index);
    taco__arena_free(&t->arena);
}

/* Adds a column of the format. */
static void taco__level_table_add_column(taco__level_table *t, const char *name, taco_type type)
{
    t->fields[t->count] = taco__field_make(name, type);
    t->arrays[t->count].field = &t->fields[t->count];
    t->count++;
}

/* Makes the fields of a level table, or of the __meta__ of its rows, in the order of the format.
   Nothing to free after a failure. */
static bool taco__level_table_init(taco__level_table *t, taco__container_writer *p, uint32_t level,
                                   bool meta, const taco__container_columns *src, taco_error *err)
{
    size_t i;
    memset(t, 0, sizeof *t);
    t->p = p;
    t->level = level;
    t->meta = meta;
    t->arena.mem = p->mem;
    t->types.mem = t->current.mem = t->parent.mem = t->relative.mem = t->ends.mem = t->index.mem =
        p->mem;
    t->users = src->counts[level];
    t->fields = (taco_field *)taco__arena_array(&t->arena, t->users + 7, sizeof *t->fields, err);
    t->arrays = (taco_array *)taco__arena_array(&t->arena, t->users + 7, sizeof *t->arrays, err);
    t->folder_rows =
        (taco__array_buf *)taco__arena_array(&t->arena, t->users, sizeof *t->folder_rows, err);
    if (!t->fields || !t->arrays || !t->folder_rows) {
        taco__level_table_free(t);
        return false;
    }
    taco__level_table_add_column(t, "id", TACO_TEXT);
    taco__level_table_add_column(t, "type", TACO_TEXT);
    for (i = 0; i < t->users; i++) {
        t->fields[t->count++] = src->fields[level][i];
        if (meta && !taco__array_buf_init(&t->folder_rows[i], &src->fields[level][i], p->mem,
                                          &t->arena, err)) {
            taco__level_table_free(t);
            return false;
        }
    }
    if (!meta) {
        taco__level_table_add_column(t, "internal:current_id", TACO_INT64);
        taco__level_table_add_column(t, "internal:parent_id", TACO_INT64);
    }
    if (p->zip) {
        taco__level_table_add_column(t, "internal:offset", TACO_INT64);
        taco__level_table_add_column(t, "internal:size", TACO_INT64);
    }
    if (!meta && level) { taco__level_table_add_column(t, "internal:relative_path", TACO_TEXT); }
    t->word = taco__field_make("type", TACO_TEXT);
    t->words.field = &t->word;
    t->words.length = 2;
    t->words.offsets = taco__level_table_type_ends;
    t->words.v.any = "FILEFOLDER";
    return true;
}

/* Makes internal:relative_path for rows [row, row + n), in t->relative and t->ends. */
static bool taco__level_table_relative_paths(taco__level_table *t, size_t row, size_t n,
                                             taco_error *err)
{
    size_t i;
    int32_t *ends;
    t->relative.len = 0;
    if (!taco__buf_reset(&t->ends, (n + 1) * sizeof *ends, err) ||
        !taco__buf_reserve(&t->relative, 1, err)) {
        return false;
    }
    ends = (int32_t *)(void *)t->ends.data;
    ends[0] = 0;
    for (i = 0; i < n; i++) {
        if (!taco__tree_path(t->p->tree, t->level, row + i, &t->relative, err)) { return false; }
        if (t->relative.len > TACO__LEVEL_TABLE_PATHS) {
            TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                       "level %u: %u rows given at once have paths of more than %u bytes",
                       TACO__U(t->level), TACO__U(n), TACO__U(TACO__LEVEL_TABLE_PATHS));
            return false;
        }
        ends[i + 1] = (int32_t)t->relative.len;
    }
    return true;
}

/* Makes the format's own columns for rows [row, row + n) of the level, in t->arrays around the
   user's. */
static bool taco__level_table_own_columns(taco__level_table *t, size_t row, size_t n,
                                          taco_error *err)
{
    const taco__tree_level *l = &t->p->tree->level[t->level];
    size_t i, at = 2 + t->users;
    int32_t *types;
    int64_t *current, *parent;
    if (!taco__buf_reset(&t->types, n * sizeof *types, err) ||
        !taco__buf_reset(&t->current, n * sizeof *current, err) ||
        !taco__buf_reset(&t->parent, n * sizeof *parent, err)) {
        return false;
    }
    types = (int32_t *)(void *)t->types.data;
    current = (int64_t *)(void *)t->current.data;
    parent = (int64_t *)(void *)t->parent.data;
    for (i = 0; i < n; i++) {
        types[i] = l->folders.data[row + i];
        current[i] = (int64_t)(row + i);
        parent[i] =
            t->level ? (int64_t)taco__tree_parent(t->p->tree, t->level, row + i) : current[i];
    }
    for (i = 0; i < t->count; i++) {
        t->arrays[i].length = n;
    }
    t->arrays[0].offsets = (const int32_t *)(const void *)l->ends.data + row;
    t->arrays[0].v.any = l->ids.data;
    t->arrays[1].v.any = types;
    t->arrays[1].dictionary = &t->words;
    if (!t->meta) {
        t->arrays[at++].v.any = current;
        t->arrays[at++].v.any = parent;
    }
    if (t->p->zip) {
        t->arrays[at++].v.any = (const int64_t *)(const void *)l->offsets.data + row;
        t->arrays[at++].v.any = (const int64_t *)(const void *)l->sizes.data + row;
    }
    if (!t->meta && t->level) {
        if (!taco__level_table_relative_paths(t, row, n, err)) { return false; }
        t->arrays[at].offsets = (const int32_t *)(const void *)t->ends.data;
        t->arrays[at].v.any = t->relative.data;
    }
    return true;
}

/* The next batch of user columns; for a level without any, a batch without columns. ARGUMENT if the
   number of rows differs from the tree's. */
static bool taco__level_table_next_batch(const taco__container_columns *src, const taco__tree *tree,
                                         uint32_t level, size_t row, taco_batch *out,
                                         taco_error *err)
{
    size_t left = tree->level[level].rows - row;
    memset(out, 0, sizeof *out);
    if (src->counts[level] == 0) {
        out->length = TACO__MIN(left, (size_t)TACO__LEVEL_TABLE_BATCH_ROWS);
        return true;
    }
    if (!src->next(src->ctx, out, err)) { return false; }
    if (out->length > left || (out->length == 0 && left) ||
        out->column_count != src->counts[level]) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "level %u: its columns have %s than the %u rows of the tree", TACO__U(level),
                   out->length > left ? "more rows" : "fewer rows, or other columns",
                   TACO__U(tree->level[level].rows));
        return false;
    }
    return true;
}

/* The caller's options for tables, without those about columns of a single table; given may be
   NULL. */
TACO__FN taco_pq_write_options taco__level_table_user_options(const taco_pq_write_options *given)
{
    taco_pq_write_options w;
    memset(&w, 0, sizeof w);
    if (given) { w = *given; }
    w.columns = NULL;
    w.keys = NULL;
    w.geometries = NULL;
    w.column_count = w.key_count = w.geometry_count = 0;
    return w;
}

/* The options for a table; a small __meta__ has neither compression nor a page index. */
static void taco__level_table_options(const taco__container_writer *p, bool small,
                                      taco_pq_write_options *w)
{
    *w = taco__level_table_user_options(p->opt.parquet);
    w->options = &p->options;
    w->row_group_rows = p->opt.row_group_rows ? p->opt.row_group_rows : w->row_group_rows;
    w->codec = p->opt.codec ? p->opt.codec
               : w->codec   ? w->codec
               : small      ? TACO_CODEC_NONE
                            : TACO_CODEC_ZSTD;
    w->level = p->opt.level ? p->opt.level : w->level;
    w->content_defined = w->content_defined || (!p->zip && !small);
    w->no_page_index = w->no_page_index || small;
}

/* ---- __meta__ (§6.2) ---- */

/* Most rows of a __meta__ that is not worth compressing. */
#define TACO__LEVEL_TABLE_SMALL 256

/* The __meta__ being written; w is NULL if none is open. */
typedef struct taco__level_table_folder {
    taco_pq_writer *w;
    taco_sink sink;
    size_t parent;
    bool made; /* the sink has to be freed */
} taco__level_table_folder;

/* Opens the __meta__ of the folder that contains a row, in memory. */
static bool taco__level_table_folder_begin(taco__level_table *t, taco__level_table_folder *m,
                                           size_t row, taco_error *err)
{
    const taco__tree *tree = t->p->tree;
    taco_pq_write_options w;
    size_t to = row;
    m->parent = taco__tree_parent(tree, t->level, row);
    while (to < tree->level[t->level].rows && to - row <= TACO__LEVEL_TABLE_SMALL &&
           taco__tree_parent(tree, t->level, to) == m->parent) {
        to++;
    }
    taco__level_table_options(t->p, to - row <= TACO__LEVEL_TABLE_SMALL, &w);
    m->made = taco_sink_memory(&m->sink, &t->p->options, err) == TACO_OK;
    m->w = m->made ? taco_pq_write(&m->sink, t->fields, t->count, &w, err) : NULL;
    return m->w != NULL;
}

/* Writes a complete __meta__ into the container, and its place into the row of its FOLDER, in the
   level above. */
static bool taco__level_table_folder_store(taco__container_writer *p, uint32_t level, size_t row,
                                           taco_bytes bytes, taco_error *err)
{
    uint64_t offset = 0;
    uint32_t crc;
    taco__input in;
    bool ok = taco__container_write_sample_path(p, level, row, "__meta__", err);
    taco__input_from_bytes(&in, bytes);
    if (ok && p->zip) {
        ok = taco__zip_write_entry(&p->z, taco__bytes_of(p->path.data, p->path.len), &in, &offset,
                                   &crc, err);
    }
#if TACO__DIRS
    if (ok && !p->zip) {
        const char *path;
        taco_sink sink;
        ok = taco__buf_append_char(&p->path, 0, err);
        path = (const char *)p->path.data;
        if (ok && p->in_place) { /* the existing one stays until this one is complete */
            ok = taco_sink_file(&sink, path, &p->options, err) == TACO_OK;
            if (ok) {
                ok = sink.write(sink.ctx, 0, bytes.data, bytes.len);
                ok = sink.close(sink.ctx, ok) && ok;
                TACO__FAIL(ok ? NULL : err, TACO_ERR_IO, TACO_NO_OFFSET,
                           "writing __meta__ failed%s", taco__sink_cause(&sink));
            }
        } else if (ok) {
            ok = taco__dir_write_file(path, &in, p->buffer, NULL, err);
        }
    }
#endif
    if (ok) { taco__tree_set_place(p->tree, level, row, offset, bytes.len); }
    return ok;
}

/* Ends the open __meta__, if any; discards it unless `good`. */
static bool taco__level_table_folder_end(taco__level_table *t, taco__level_table_folder *m,
                                         bool good, taco_error *err)
{
    if (m->w && !good) {
        taco_pq_writer_abort(m->w);
    } else if (m->w) {
        good = taco_pq_writer_close(m->w, err) == TACO_OK &&
               taco__level_table_folder_store(t->p, t->level - 1, m->parent,
                                              taco_sink_bytes(&m->sink), err);
    }
    if (m->made) { taco_sink_free(&m->sink); }
    memset(m, 0, sizeof *m);
    return good;
}

/* Appends rows [at, at + n) of a batch that begins at row `base` to the open __meta__; all belong
   to one folder. */
static bool taco__level_table_folder_rows(taco__level_table *t, taco__level_table_folder *m,
                                          const taco_batch *batch, size_t base, size_t at, size_t n,
                                          taco_error *err)
{
    taco_batch out;
    int32_t *index;
    size_t i;
    if (!taco__buf_reset(&t->index, n * sizeof *index, err) ||
        !taco__level_table_own_columns(t, base + at, n, err)) {
        return false;
    }
    index = (int32_t *)(void *)t->index.data;
    for (i = 0; i < n; i++) {
        index[i] = (int32_t)(at + i);
    }
    for (i = 0; i < t->users; i++) {
        if (!taco__take_array(&t->folder_rows[i], &batch->columns[i], index, n, err)) {
            return false;
        }
        t->arrays[2 + i] = t->folder_rows[i].array;
    }
    memset(&out, 0, sizeof out);
    out.first_row = -1;
    out.length = n;
    out.columns = t->arrays;
    out.column_count = t->count;
    if (taco_pq_writer_batch(m->w, &out) != TACO_OK) {
        taco_pq_writer_close(m->w, err);
        m->w = NULL;
        return false;
    }
    return true;
}

/* Writes the __meta__ of all FOLDERs of the level above, in one pass over the rows of this one. */
TACO__FN bool taco__level_table_write_folders(taco__container_writer *p, uint32_t level,
                                              const taco__container_columns *src, taco_error *err)
{
    taco__level_table t;
    taco__level_table_folder m;
    size_t row = 0, rows = p->tree->level[level].rows;
    bool ok;
    memset(&m, 0, sizeof m);
    if (!taco__level_table_init(&t, p, level, true, src, err)) { return false; }
    ok = src->counts[level] == 0 || src->begin(src->ctx, level, err);
    while (ok && row < rows) {
        taco_batch b;
        size_t at = 0;
        ok = taco__level_table_next_batch(src, p->tree, level, row, &b, err);
        while (ok && at < b.length) {
            size_t to = at + 1, parent = taco__tree_parent(p->tree, level, row + at);
            while (to < b.length && taco__tree_parent(p->tree, level, row + to) == parent) {
                to++;
            }
            ok = !m.w || m.parent == parent || taco__level_table_folder_end(&t, &m, true, err);
            ok = ok && (m.w || taco__level_table_folder_begin(&t, &m, row + at, err)) &&
                 taco__level_table_folder_rows(&t, &m, &b, row, at, to - at, err);
            at = to;
        }
        row += b.length;
    }
    ok = taco__level_table_folder_end(&t, &m, ok, err) && ok;
    taco__level_table_free(&t);
    return ok;
}

/* The rows of a level being checked against the rules for their columns. */
typedef struct taco__level_table_breach {
    const taco__level_table *t;
    size_t first;     /* row of the level at which the batch begins */
    const char *told; /* column reported last: only one warning for each */
    taco_error *err;
} taco__level_table_breach;

/* taco__column_rule_report_fn: the first breach is an error, or a warning for each column. */
static bool taco__level_table_report(void *ctx, const taco_field *column, size_t row,
                                     const taco_error *what)
{
    taco__level_table_breach *b = (taco__level_table_breach *)ctx;
    const taco__container_writer *p = b->t->p;
    taco_bytes id = taco__tree_id(p->tree, b->t->level, b->first + row);
    taco_error own = *what;
    taco__error_prefix(&own, "sample %u of level %u, %q", TACO__U(b->first + row),
                       TACO__U(b->t->level), &id);
    if (p->refused) {
        *b->err = own;
        return false;
    }
    if (p->options.warn && !(b->told && strcmp(b->told, column->name) == 0)) {
        p->options.warn(p->options.warn_ctx, &own);
    }
    b->told = column->name;
    return true;
}

/* Checks the types of the user's columns; false if one is refused. */
static bool taco__level_table_check_types(const taco__level_table *t,
                                          const taco__container_columns *src, taco_error *err)
{
    const taco__container_writer *p = t->p;
    size_t i;
    for (i = 0; p->checked && i < src->counts[t->level]; i++) {
        taco_error what = {0, TACO_OK, 0, {0}};
        if (taco__column_rule_check_type(&src->fields[t->level][i], &what) == TACO_OK) { continue; }
        taco__error_prefix(&what, "level %u", TACO__U(t->level));
        if (p->refused) {
            *err = what;
            return false;
        }
        if (p->options.warn) { p->options.warn(p->options.warn_ctx, &what); }
    }
    return true;
}

/* Streams a level into its table, and adds it to the extent of the collection. */
static bool taco__level_table_write_rows(taco__level_table *t, taco_pq_writer *w,
                                         const taco__container_columns *src, taco_error *err)
{
    taco__container_writer *p = t->p;
    size_t row = 0, rows = p->tree->level[t->level].rows, i;
    taco__level_table_breach breach;
    bool ok = taco__level_table_check_types(t, src, err);
    memset(&breach, 0, sizeof breach);
    breach.t = t;
    breach.err = err;
    while (ok && row < rows) {
        taco_batch b, out;
        ok = taco__level_table_next_batch(src, p->tree, t->level, row, &b, err) &&
             taco__level_table_own_columns(t, row, b.length, err);
        breach.first = row;
        if (!ok ||
            (p->checked && !taco__column_rule_check_rows(b.columns, b.column_count, b.length,
                                                         taco__level_table_report, &breach))) {
            return false;
        }
        taco__extent_add_batch(&p->span, t->level, &b, p->mem);
        for (i = 0; i < t->users; i++) {
            t->arrays[2 + i] = b.columns[i];
        }
        memset(&out, 0, sizeof out);
        out.first_row = -1;
        out.length = b.length;
        out.columns = t->arrays;
        out.column_count = t->count;
        ok = taco_pq_writer_batch(w, &out) == TACO_OK;
        row += b.length;
    }
    return ok;
}

/* Writes METADATA/levelN.parquet. */
TACO__FN bool taco__level_table_write(taco__container_writer *p, uint32_t level,
                                      const taco__container_columns *src, taco_error *err)
{
    char name[] = "METADATA/level0.parquet";
    taco__level_table t;
    taco__zip_write_stream s;
    taco_sink sink;
    taco_pq_write_options opt;
    taco_pq_writer *w;
    bool ok;
    name[14] = (char)('0' + level);
    memset(&s, 0, sizeof s);
    if (!taco__level_table_init(&t, p, level, false, src, err)) { return false; }
    taco__level_table_options(p, false, &opt);
    ok = (src->counts[level] == 0 || src->begin(src->ctx, level, err)) &&
         taco__container_write_open_file(p, name, &s, &sink, err);
    w = ok ? taco_pq_write(&sink, t.fields, t.count, &opt, err) : NULL;
    ok = w && taco__level_table_write_rows(&t, w, src, err);
    if (w && !ok && err->code != TACO_OK) {
        taco_pq_writer_abort(w); /* the columns failed, not the writer */
    } else if (w) {
        ok = taco_pq_writer_close(w, err) == TACO_OK && ok;
    }
    p->ranges[level].offset = s.data;
    p->ranges[level].len = s.size;
    if (ok) {
        taco__log(&p->options, TACO_LOG_DEBUG, "wrote %s: %u rows", name,
                  TACO__U(p->tree->level[level].rows));
    }
    if (!ok) { taco__error_prefix(err, "%s", name); }
    taco__level_table_free(&t);
    return ok;
}
