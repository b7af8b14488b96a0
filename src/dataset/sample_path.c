/* sample_path.c - the column internal:gdal_vsi: GDAL paths of rows, made here or by tasks

   In: the columns of a table that paths are made of. Out: an array of text, null where a row has no
   path. TACO 2.0 §7.2.3; gdal_path.c knows the syntax.

   taco__sample_path_init decides once how the paths of a level are made; its inputs are columns of
   the table, which table_reader.c then turns into indexes of the arrays it reads.
   taco__sample_path_make_column makes a batch of paths. A path costs more than decoding most
   columns, so if the host runs tasks, the second half of the file lets them make paths from what
   they have just read (taco__sample_path_tasks_init). */
#include "cursor.h"
#include "gdal_path.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"
#include "../filter/scan.h"

/* 1 FOLDER, 0 FILE, -1 neither */
TACO__FN int taco__sample_path_parse_type(taco_bytes type)
{
    return taco__bytes_equal(type, taco__bytes_text("FILE"))     ? 0
           : taco__bytes_equal(type, taco__bytes_text("FOLDER")) ? 1
                                                                 : -1;
}

/* ---- how the paths of a table are made ---- */

TACO__FN void taco__sample_path_free(taco__sample_path_maker *m)
{
    taco__buf_free(&m->offsets);
    taco__buf_free(&m->bytes);
    taco__buf_free(&m->validity);
    taco__buf_free(&m->padded_root);
}

/* No paths, until a mode with inputs is set. */
static void taco__sample_path_reset(taco__sample_path_maker *m)
{
    size_t i;
    m->mode = TACO__SAMPLE_PATH_NONE;
    for (i = 0; i < TACO__SAMPLE_PATH_INPUTS; i++) {
        m->input[i] = TACO__NONE;
    }
}

static bool taco__sample_path_is_text(const taco__table *t, size_t column)
{
    return column != TACO__NONE && t->fields[column].type == TACO_TEXT;
}

static bool taco__sample_path_is_integer(const taco__table *t, size_t column)
{
    return column != TACO__NONE && taco__join_is_integer(t->fields[column].type);
}

/* Formats store paths in a column, or have none. */
static void taco__sample_path_init_stored(taco__sample_path_maker *m, const taco__table *t,
                                          const taco__column_roles *r)
{
    if (taco__sample_path_is_text(t, r->subfile)) {
        m->mode = TACO__SAMPLE_PATH_STORED;
        m->input[TACO__SAMPLE_PATH_NAME] = r->subfile;
    }
}

/* A FOLDER dataset. Without the columns, or if they are not text, all paths are null. */
static void taco__sample_path_init_folder(taco__sample_path_maker *m, const taco__table *t,
                                          const taco__column_roles *r, uint32_t level)
{
    size_t name = level ? r->relative : r->id;
    if (taco__sample_path_is_text(t, name) && taco__sample_path_is_text(t, r->type)) {
        m->mode = level ? TACO__SAMPLE_PATH_RELATIVE : TACO__SAMPLE_PATH_TOP;
        m->input[TACO__SAMPLE_PATH_NAME] = name;
        m->input[TACO__SAMPLE_PATH_TYPE] = r->type;
    }
}

/* Archives and catalogues must have the columns. */
static bool taco__sample_path_init_archive(taco__sample_path_maker *m, const taco__container *s,
                                           const taco__table *t, const taco__column_roles *r,
                                           taco_error *err)
{
    bool many = s->kind != TACO_KIND_ZIP;
    const char *missing = r->offset == TACO__NONE           ? "internal:offset"
                          : r->size == TACO__NONE           ? "internal:size"
                          : many && r->source == TACO__NONE ? "internal:source_file"
                                                            : NULL;
    if (missing) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no %s, no path can be made",
                   missing);
    } else if (!taco__sample_path_is_integer(t, r->offset) ||
               !taco__sample_path_is_integer(t, r->size)) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "internal:offset and internal:size must be integers");
    } else if (many && !taco__sample_path_is_text(t, r->source)) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "internal:source_file must be text");
    } else {
        m->mode = many ? TACO__SAMPLE_PATH_TACOCAT : TACO__SAMPLE_PATH_ZIP;
        m->input[TACO__SAMPLE_PATH_OFFSET] = r->offset;
        m->input[TACO__SAMPLE_PATH_SIZE] = r->size;
        m->input[TACO__SAMPLE_PATH_NAME] = many ? r->source : TACO__NONE;
        return true;
    }
    return false;
}

/* Decides how the paths of a level of a container are made; the inputs are columns of its table.
   The container must outlive m. */
TACO__FN bool taco__sample_path_init(taco__sample_path_maker *m, const taco__container *s,
                                     const taco__table *t, const taco__column_roles *r,
                                     uint32_t level, taco_error *err)
{
    taco__sample_path_reset(m);
    m->root = taco__bytes_text(s->vsi);
    if (!s->format && s->kind != TACO_KIND_FOLDER) {
        return taco__sample_path_init_archive(m, s, t, r, err);
    }
    if (s->format) {
        taco__sample_path_init_stored(m, t, r);
    } else {
        taco__sample_path_init_folder(m, t, r, level);
    }
    return true;
}

/* The same for rows of an archive's __meta__; their bytes are in the same archive as the FOLDER. */
static bool taco__sample_path_init_meta(taco__sample_path_maker *m, const taco__nav_node *n,
                                        const taco__table *t, const taco__column_roles *r,
                                        taco_error *err)
{
    const char *root = n->source
                           ? taco__container_join_path(n->store, n->store->vsi, n->source, err)
                           : n->store->vsi;
    if (!root) { return false; }
    if (!taco__sample_path_is_integer(t, r->offset) || !taco__sample_path_is_integer(t, r->size)) {
        taco_bytes name =
            taco__bytes_text(r->offset == TACO__NONE ? "internal:offset" : "internal:size");
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "__meta__ has no %q of integers, no path can be made", &name);
        return false;
    }
    m->mode = TACO__SAMPLE_PATH_ZIP;
    m->root = taco__bytes_text(root);
    m->input[TACO__SAMPLE_PATH_OFFSET] = r->offset;
    m->input[TACO__SAMPLE_PATH_SIZE] = r->size;
    return true;
}

/* Decides how the paths of the children of n, listed in t, are made. */
TACO__FN bool taco__sample_path_init_children(taco__sample_path_maker *m, const taco__nav_node *n,
                                              const taco__table *t, const taco__column_roles *r,
                                              taco_error *err)
{
    const char *dir;
    taco__sample_path_reset(m);
    if (n->store->format) {
        taco__sample_path_init_stored(m, t, r);
        return true;
    }
    if (n->store->kind != TACO_KIND_FOLDER) { return taco__sample_path_init_meta(m, n, t, r, err); }
    dir = taco__local_meta_folder_vsi(n, err);
    m->mode = TACO__SAMPLE_PATH_CHILD;
    m->root = taco__bytes_text(dir);
    m->input[TACO__SAMPLE_PATH_TYPE] = r->type;
    m->input[TACO__SAMPLE_PATH_NAME] = r->id;
    return dir != NULL;
}

/* ---- a column of paths ---- */

/* The array of an input, which the mode must have. */
static const taco_array *taco__sample_path_array(const taco__sample_path_maker *m,
                                                 const taco_array *in, taco__sample_path_input i)
{
    return &in[m->input[i]];
}

static bool taco__sample_path_append_stored(const taco__sample_path_maker *m, taco__buf *out,
                                            const taco_array *in, size_t i, bool *null,
                                            taco_error *err)
{
    const taco_array *a = taco__sample_path_array(m, in, TACO__SAMPLE_PATH_NAME);
    taco_bytes path = taco_array_bytes(a, i);
    *null = !taco_array_valid(a, i);
    return *null || taco__buf_append(out, path.data, path.len, err);
}

static bool taco__sample_path_append_archive(const taco__sample_path_maker *m, taco__buf *out,
                                             const taco_array *in, size_t i, bool *null,
                                             taco_error *err)
{
    const taco_array *offset = taco__sample_path_array(m, in, TACO__SAMPLE_PATH_OFFSET),
                     *size = taco__sample_path_array(m, in, TACO__SAMPLE_PATH_SIZE);
    *null = !taco_array_valid(offset, i) || !taco_array_valid(size, i);
    if (*null) { return true; }
    if (m->mode == TACO__SAMPLE_PATH_ZIP) {
        return taco__vsi_append_zip(out, taco_array_int(offset, i), taco_array_int(size, i),
                                    m->root, err);
    }
    return taco__vsi_append_tacocat(
        out, taco_array_int(offset, i), taco_array_int(size, i), m->root,
        taco_array_bytes(taco__sample_path_array(m, in, TACO__SAMPLE_PATH_NAME), i), err);
}

static bool taco__sample_path_append_folder(const taco__sample_path_maker *m, taco__buf *out,
                                            const taco_array *in, size_t i, bool *null,
                                            taco_error *err)
{
    const taco_array *type = taco__sample_path_array(m, in, TACO__SAMPLE_PATH_TYPE),
                     *name = taco__sample_path_array(m, in, TACO__SAMPLE_PATH_NAME);
    int folder = taco__sample_path_parse_type(taco_array_bytes(type, i));
    *null = folder < 0 || !taco_array_valid(name, i);
    if (*null) { return true; }
    if (m->mode == TACO__SAMPLE_PATH_CHILD) {
        return taco__vsi_append_child(out, m->root, taco_array_bytes(name, i), err);
    }
    return taco__vsi_append_folder(
        out, m->root, taco_array_bytes(name, i), folder > 0,
        m->mode == TACO__SAMPLE_PATH_TOP ? "id" : "internal:relative_path", err);
}

/* Appends the path of row i; *null if it has none. */
static bool taco__sample_path_append_row(const taco__sample_path_maker *m, taco__buf *out,
                                         const taco_array *in, size_t i, bool *null,
                                         taco_error *err)
{
    switch (m->mode) {
    case TACO__SAMPLE_PATH_NONE: *null = true; return true;
    case TACO__SAMPLE_PATH_STORED: return taco__sample_path_append_stored(m, out, in, i, null, err);
    case TACO__SAMPLE_PATH_ZIP:
    case TACO__SAMPLE_PATH_TACOCAT:
        return taco__sample_path_append_archive(m, out, in, i, null, err);
    default: return taco__sample_path_append_folder(m, out, in, i, null, err);
    }
}

/* Whether 32-bit offsets reach all bytes. */
static bool taco__sample_path_check_length(const taco__sample_path_maker *m, taco_error *err)
{
    if (m->bytes.len <= INT32_MAX) { return true; }
    TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
               "%u bytes of paths in one batch, 32-bit offsets reach %u: read fewer rows at a time",
               TACO__U(m->bytes.len), TACO__U(INT32_MAX));
    return false;
}

/* Paths of any kind, row by row; sets the validity and counts the nulls. */
static bool taco__sample_path_fill(taco__sample_path_maker *m, const taco_array *in, size_t n,
                                   int32_t *offsets, taco_array *out, taco_error *err)
{
    size_t i;
    memset(m->validity.data, 0xFF, TACO__BITMAP_BYTES(n));
    for (i = 0; i < n; i++) {
        bool null;
        offsets[i] = (int32_t)m->bytes.len;
        if (!taco__sample_path_append_row(m, &m->bytes, in, i, &null, err) ||
            !taco__sample_path_check_length(m, err)) {
            return false;
        }
        if (null) {
            taco__bitmap_clear(m->validity.data, i);
            out->null_count++;
        }
    }
    return true;
}

/* The usual case: an archive, and int64 columns without nulls. */
static bool taco__sample_path_is_plain_zip(const taco__sample_path_maker *m, const taco_array *in)
{
    const taco_array *a, *b;
    if (m->mode != TACO__SAMPLE_PATH_ZIP) { return false; }
    a = taco__sample_path_array(m, in, TACO__SAMPLE_PATH_OFFSET);
    b = taco__sample_path_array(m, in, TACO__SAMPLE_PATH_SIZE);
    return a->field->type == TACO_INT64 && b->field->type == TACO_INT64 && !a->validity &&
           !b->validity;
}

/* The usual case, without a test per row, into room that has been reserved. The root is copied in
   steps of 32 bytes, from a padded copy to padded output. */
static bool taco__sample_path_fill_zip(taco__sample_path_maker *m, taco__mem *mem,
                                       const taco_array *in, size_t n, int32_t *offsets,
                                       taco_error *err)
{
    const int64_t *at = taco__sample_path_array(m, in, TACO__SAMPLE_PATH_OFFSET)->v.i64,
                  *size = taco__sample_path_array(m, in, TACO__SAMPLE_PATH_SIZE)->v.i64;
    const uint8_t *root;
    uint8_t *p, *begin;
    size_t i, k, len = m->root.len;
    m->padded_root.mem = mem;
    if (m->padded_root.len != len && (!taco__buf_reset(&m->padded_root, len, err) ||
                                      !taco__buf_append(&m->padded_root, m->root.data, len, err))) {
        return false;
    }
    root = m->padded_root.data;
    begin = p = m->bytes.data;
    for (i = 0; i < n; i++) {
        offsets[i] = (int32_t)(p - begin);
        if (!taco__vsi_check_range(at[i], size[i], err)) {
            taco__error_prefix(err, "row %u of the batch", TACO__U(i));
            return false;
        }
        p = taco__vsi_write_range(p, (uint64_t)at[i], (uint64_t)size[i]);
        for (k = 0; k < len; k += 32) {
            memcpy(p + k, root + k, 32);
        }
        p += len;
    }
    m->bytes.len = (size_t)(p - begin);
    return taco__sample_path_check_length(m, err);
}

/* Makes the paths of n rows; in has the arrays that the inputs index. The returned array is in m
   until the next call. */
TACO__FN bool taco__sample_path_make_column(taco__sample_path_maker *m, taco__mem *mem,
                                            const taco_array *in, size_t n, const taco_field *field,
                                            taco_array *out, taco_error *err)
{
    int32_t *offsets;
    size_t bytes;
    memset(out, 0, sizeof *out);
    out->field = field;
    out->length = n;
    m->offsets.mem = m->bytes.mem = m->validity.mem = mem;
    if (!taco__array_buf_size(n + 1, sizeof *offsets, &bytes, err) ||
        !taco__buf_reset(&m->offsets, bytes, err) ||
        !taco__buf_reset(&m->validity, TACO__BITMAP_BYTES(n) + 8, err)) {
        return false;
    }
    m->bytes.len = 0;
    if (!taco__checked_mul_size(n, m->root.len + TACO__VSI_RANGE_BYTES, &bytes)) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "more bytes of paths than memory has");
        return false;
    }
    if (!taco__buf_reserve(&m->bytes, bytes, err)) { return false; }
    offsets = (int32_t *)(void *)m->offsets.data;
    if (!(taco__sample_path_is_plain_zip(m, in)
              ? taco__sample_path_fill_zip(m, mem, in, n, offsets, err)
              : taco__sample_path_fill(m, in, n, offsets, out, err))) {
        return false;
    }
    offsets[n] = (int32_t)m->bytes.len;
    out->offsets = offsets;
    out->v.any = m->bytes.data;
    out->validity = out->null_count ? m->validity.data : NULL;
    return true;
}

/* ---- tasks ---- A task of the scan reads some of the matching rows (a taco__scan_reader). If
   these are few, it makes their paths at once, while the columns are in its cache; for many, paths
   are made piece by piece, as batches need them. Either way taco__sample_path_take_from_tasks finds
   the piece with the rows of a batch, or the batch makes its paths itself. */

/* rows of a piece: their paths stay in the cache until returned */
#define TACO__SAMPLE_PATH_TASK_ROWS ((size_t)8192)

static void taco__sample_path_task_run(void *arg, size_t i)
{
    taco__sample_path_task *p = &((taco__table_reader *)arg)->path_tasks.items[i];
    taco_error err;
    memset(&err, 0, sizeof err);
    p->ok = taco__sample_path_make_column(&p->maker, &p->own, p->in, p->n, NULL, &p->out, &err);
}

/* Gives a task up to n rows of a reader, beginning at `at`. */
static void taco__sample_path_task_set_rows(const taco__table_reader *f, taco__sample_path_task *p,
                                            const taco__scan_reader *r, size_t at, size_t n)
{
    size_t k;
    p->reader = r;
    p->from = at;
    p->n = TACO__MIN(n, r->n - at);
    p->round = f->scan.tasks.batch;
    for (k = 0; k < TACO__SAMPLE_PATH_INPUTS; k++) {
        size_t place = p->maker.input[k];
        if (place != TACO__NONE) {
            p->in[place] = taco__array_buf_slice(NULL, &r->rows.arrays[place], at, p->n);
        }
    }
}

/* Called by the task that has just read the rows of reader i. Its memory is part of that reader's
   share. */
static void taco__sample_path_reader_done(void *ctx, size_t i)
{
    taco__table_reader *f = (taco__table_reader *)ctx;
    taco__scan_reader *r = &f->scan.tasks.readers[i];
    taco__sample_path_task *p = &f->path_tasks.items[i];
    if (r->n <= TACO__SAMPLE_PATH_TASK_ROWS) {
        taco__sample_path_task_set_rows(f, p, r, 0, r->n);
        taco__mem_task_begin(&r->own, &p->own, 1);
        taco__sample_path_task_run(f, i);
        taco__mem_task_merge(&r->own, &p->own);
    }
}

/* Whether the column of paths of a level is an output column; children have one level. */
TACO__FN bool taco__sample_path_is_asked_for(const taco_cursor *c, uint32_t level)
{
    size_t i;
    for (i = 0; i < c->columns.count; i++) {
        const taco__cursor_column *o = &c->columns.origins[i];
        if (o->kind == TACO__CURSOR_COLUMN_VSI && (c->children.active || o->level == level)) {
            return true;
        }
    }
    return false;
}

/* A task that makes paths as the reader does, with its own memory. */
static bool taco__sample_path_task_init(taco_cursor *c, const taco__table_reader *f,
                                        taco__sample_path_task *p, taco_error *err)
{
    p->in = (taco_array *)taco__arena_array(&c->arena, f->scan.out.count + 1, sizeof *p->in, err);
    p->maker.mode = f->paths.mode;
    p->maker.root = f->paths.root;
    memcpy(p->maker.input, f->paths.input, sizeof p->maker.input);
    return p->in != NULL;
}

/* Prepares tasks to make the paths, if any are output: call before the first rows of a reader are
   read. Without memory for tasks the batches make them. */
TACO__FN void taco__sample_path_tasks_init(taco_cursor *c, taco__table_reader *f)
{
    taco__sample_path_tasks *t = &f->path_tasks;
    taco_error err;
    size_t i, n = taco__scan_task_max_readers(&f->scan);
    if (c->children.active || !taco__sample_path_is_asked_for(c, c->query.level)) { return; }
    memset(&err, 0, sizeof err);
    t->mem = c->mem;
    t->items = (taco__sample_path_task *)taco__arena_array(&c->arena, n, sizeof *t->items, &err);
    for (i = 0; t->items && i < n; i++) {
        if (!taco__sample_path_task_init(c, f, &t->items[i], &err)) { return; }
    }
    t->count = t->items ? n : 0;
    for (i = 0; i < t->count; i++) {
        taco__mem_task_begin(c->mem, &t->items[i].own, 1);
        taco__mem_task_take_spares(c->mem, &t->items[i].own, TACO__SCAN_SPARES + (unsigned)i,
                                   n * 3);
    }
    if (t->count) { taco__scan_task_on_rows_read(&f->scan, taco__sample_path_reader_done, f); }
}

TACO__FN void taco__sample_path_tasks_free(taco__sample_path_tasks *t)
{
    size_t i;
    for (i = 0; i < t->count; i++) {
        taco__sample_path_free(&t->items[i].maker);
        taco__mem_task_merge(t->mem, &t->items[i].own);
        taco__mem_task_return_spares(t->mem, &t->items[i].own);
    }
    t->count = 0;
}

/* Makes paths of the rows of a reader, beginning at `at`: one piece per task, in whole batches. */
static void taco__sample_path_tasks_run(taco_cursor *c, taco__table_reader *f,
                                        const taco__scan_reader *r, size_t at)
{
    taco__sample_path_task *items = f->path_tasks.items;
    size_t i, n, rows = r->n - at, each = (rows + f->scan.tasks.width - 1) / f->scan.tasks.width;
    if (rows <= TACO__BATCH_ROWS) { return; }
    each = TACO__MIN((each + TACO__BATCH_ROWS - 1) / TACO__BATCH_ROWS * TACO__BATCH_ROWS,
                     TACO__SAMPLE_PATH_TASK_ROWS);
    for (n = 0; n < f->scan.tasks.width && at < r->n; n++, at += each) {
        taco__sample_path_task_set_rows(f, &items[n], r, at, each);
        taco__mem_task_begin(c->mem, &items[n].own, f->scan.tasks.width);
    }
    taco__tasks_run(f->scan.tasks.host, n, taco__sample_path_task_run, f);
    for (i = 0; i < n; i++) {
        taco__mem_task_merge(c->mem, &items[i].own);
    }
}

/* The paths of n rows of a reader, beginning at `at`, if a task has made them; at is a multiple of
   8, for the validity. */
static bool taco__sample_path_tasks_find(const taco__table_reader *f, const taco__scan_reader *r,
                                         size_t at, size_t n, taco_array *out)
{
    size_t i;
    for (i = 0; i < f->path_tasks.count; i++) {
        const taco__sample_path_task *p = &f->path_tasks.items[i];
        if (!p->ok || p->round != f->scan.tasks.batch || p->reader != r || at < p->from ||
            at + n > p->from + p->n) {
            continue;
        }
        *out = p->out;
        out->offsets += at - p->from;
        out->validity = out->validity ? out->validity + (at - p->from) / 8 : NULL;
        out->null_count = out->validity ? n - taco__bitmap_count(out->validity, 0, n) : 0;
        out->length = n;
        return true;
    }
    return false;
}

/* The paths of the n rows that the scan delivered last, if tasks have made them or can make them
   from columns they have read. */
TACO__FN bool taco__sample_path_take_from_tasks(taco_cursor *c, taco__table_reader *f, size_t n,
                                                taco_array *out)
{
    size_t at;
    const taco__scan_reader *r = taco__scan_task_last_reader(&f->scan, n, &at);
    if (!r || !f->path_tasks.count) { return false; }
    if (at % 8) { return false; }
    if (taco__sample_path_tasks_find(f, r, at, n, out)) { return true; }
    taco__sample_path_tasks_run(c, f, r, at);
    return taco__sample_path_tasks_find(f, r, at, n, out);
}
