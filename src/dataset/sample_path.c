/* sample_path.c - a query bound to the tables of a dataset, and the cursor over its rows.. Spec:
   TACO 2.0 §7.2.2, §7.2.3 */
#include "dataset.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"
#include "../filter/filter.h"

TACO__FN void taco__sample_path_maker_free(taco__sample_path_maker *m)
{
    taco__buf_free(&m->offsets);
    taco__buf_free(&m->bytes);
    taco__buf_free(&m->validity);
    taco__buf_free(&m->padded);
}

/* Chooses the mode for a level of a store; the columns it needs go to which[0..3). Returns their
   number. */
TACO__FN size_t taco__sample_path_maker_init(taco__sample_path_maker *m, const taco__container *s,
                                             const taco__table *t, const taco__column_roles *r,
                                             uint32_t level, size_t which[3], taco_error *err)
{
    const char *missing = NULL;
    m->root = taco__bytes_text(s->vsi);
    if (s->format) {
        which[0] = r->subfile;
        m->a = m->b = m->name = 0;
        m->mode = r->subfile == TACO__NONE || t->fields[r->subfile].type != TACO_TEXT
                      ? TACO__SAMPLE_PATH_NONE
                      : TACO__SAMPLE_PATH_STORED;
        return m->mode == TACO__SAMPLE_PATH_NONE ? 0 : 1;
    }
    if (s->kind == TACO_KIND_FOLDER) {
        m->mode = level ? TACO__SAMPLE_PATH_RELATIVE : TACO__SAMPLE_PATH_TOP;
        which[0] = level ? r->relative : r->id;
        which[1] = r->type;
        m->name = 0;
        m->a = 1;
        missing = which[0] == TACO__NONE   ? (level ? "internal:relative_path" : "id")
                  : which[1] == TACO__NONE ? "type"
                                           : NULL;
        if (!missing &&
            (t->fields[which[0]].type != TACO_TEXT || t->fields[which[1]].type != TACO_TEXT)) {
            missing = "id, type or internal:relative_path as text";
        }
        if (missing) {
            m->mode = TACO__SAMPLE_PATH_NONE;
            return 0;
        }
        return 2;
    }
    which[0] = r->offset;
    which[1] = r->size;
    which[2] = r->source;
    m->a = 0;
    m->b = 1;
    m->name = 2;
    m->mode = s->kind == TACO_KIND_ZIP ? TACO__SAMPLE_PATH_ZIP : TACO__SAMPLE_PATH_TACOCAT;
    missing = r->offset == TACO__NONE ? "internal:offset"
              : r->size == TACO__NONE ? "internal:size"
                                      : NULL;
    if (!missing && m->mode == TACO__SAMPLE_PATH_TACOCAT && r->source == TACO__NONE) {
        missing = "internal:source_file";
    }
    if (missing) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no %s, no path can be made",
                   missing);
        return 0;
    }
    if (!taco__join_is_integer(t->fields[r->offset].type) ||
        !taco__join_is_integer(t->fields[r->size].type)) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "internal:offset and internal:size must be integers");
        return 0;
    }
    if (m->mode == TACO__SAMPLE_PATH_TACOCAT && t->fields[r->source].type != TACO_TEXT) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "internal:source_file must be text");
        return 0;
    }
    return m->mode == TACO__SAMPLE_PATH_ZIP ? 2 : 3;
}

TACO__FN int taco__sample_path_parse_type(taco_bytes type) /* 1 FOLDER, 0 FILE, -1 neither */
{
    return taco__bytes_equal(type, taco__bytes_text("FILE"))     ? 0
           : taco__bytes_equal(type, taco__bytes_text("FOLDER")) ? 1
                                                                 : -1;
}

/* Appends the path of row i; *null when it has none. */
static bool taco__sample_path_append_row(const taco__sample_path_maker *m, taco__buf *out,
                                         const taco_array *in, size_t i, bool *null,
                                         taco_error *err)
{
    const taco_array *a = &in[m->a];
    taco_bytes name;
    int folder;
    *null = false;
    if (m->mode == TACO__SAMPLE_PATH_STORED) {
        *null = !taco_array_valid(a, i);
        name = taco_array_bytes(a, i);
        return *null || taco__buf_append(out, name.data, name.len, err);
    }
    if (m->mode == TACO__SAMPLE_PATH_ZIP || m->mode == TACO__SAMPLE_PATH_TACOCAT) {
        const taco_array *b = &in[m->b];
        if (!taco_array_valid(a, i) || !taco_array_valid(b, i)) {
            *null = true;
            return true;
        }
        if (m->mode == TACO__SAMPLE_PATH_ZIP) {
            return taco__vsi_append_zip(out, taco_array_int(a, i), taco_array_int(b, i), m->root,
                                        err);
        }
        return taco__vsi_append_tacocat(out, taco_array_int(a, i), taco_array_int(b, i), m->root,
                                        taco_array_bytes(&in[m->name], i), err);
    }
    folder = taco__sample_path_parse_type(taco_array_bytes(a, i));
    name = taco_array_bytes(&in[m->name], i);
    if (folder < 0 || !taco_array_valid(&in[m->name], i)) {
        *null = true;
        return true;
    }
    if (m->mode == TACO__SAMPLE_PATH_CHILD) {
        return taco__vsi_append_child(out, m->root, name, err);
    }
    return taco__vsi_append_folder(
        out, m->root, name, folder > 0,
        m->mode == TACO__SAMPLE_PATH_TOP ? "id" : "internal:relative_path", err);
}

/* The common case without a test per row: an archive, int64 columns without nulls. The root is
   copied in steps of 32 bytes, from a copy that is padded as the output is. */
static bool taco__sample_path_make_zip_column(taco__sample_path_maker *m, taco__mem *mem,
                                              const taco_array *in, size_t n, int32_t *offsets,
                                              taco_error *err)
{
    const int64_t *at = in[m->a].v.i64, *size = in[m->b].v.i64;
    const uint8_t *root;
    uint8_t *p, *begin;
    size_t i, k, len = m->root.len;
    m->padded.mem = mem;
    if (m->padded.len != len && (!taco__buf_reset(&m->padded, len, err) ||
                                 !taco__buf_append(&m->padded, m->root.data, len, err))) {
        return false;
    }
    root = m->padded.data;
    begin = p = m->bytes.data;
    for (i = 0; i < n; i++) {
        offsets[i] = (int32_t)(p - begin);
        if (!taco__vsi_check_range(at[i], size[i], err)) {
            taco__error_prefix(err, "row %u of the batch", TACO__U(i));
            return false;
        }
        memcpy(p, "/vsisubfile/", 12);
        p = taco__vsi_write_digits(p + 12, (uint64_t)at[i]);
        *p++ = '_';
        p = taco__vsi_write_digits(p, (uint64_t)size[i]);
        *p++ = ',';
        for (k = 0; k < len; k += 32) {
            memcpy(p + k, root + k, 32);
        }
        p += len;
    }
    m->bytes.len = (size_t)(p - begin);
    return true;
}

TACO__FN bool taco__sample_path_make_column(taco__sample_path_maker *m, taco__mem *mem,
                                            const taco_array *in, size_t n, const taco_field *field,
                                            taco_array *out, taco_error *err)
{
    int32_t *offsets;
    size_t i, bytes;
    memset(out, 0, sizeof *out);
    out->field = field;
    out->length = n;
    m->offsets.mem = m->bytes.mem = m->validity.mem = mem;
    if (!taco__checked_mul_size(n + 1, sizeof *offsets, &bytes) ||
        !taco__buf_reset(&m->offsets, bytes, err) ||
        !taco__buf_reset(&m->validity, TACO__BITMAP_BYTES(n) + 8, err)) {
        return false;
    }
    offsets = (int32_t *)(void *)m->offsets.data;
    m->bytes.len = 0;
    if (!taco__buf_reserve(&m->bytes, n * (m->root.len + 54), err)) { return false; }
    if (m->mode == TACO__SAMPLE_PATH_ZIP && in[m->a].field->type == TACO_INT64 &&
        in[m->b].field->type == TACO_INT64 && !in[m->a].validity && !in[m->b].validity) {
        if (!taco__sample_path_make_zip_column(m, mem, in, n, offsets, err)) { return false; }
    } else {
        memset(m->validity.data, 0xFF, TACO__BITMAP_BYTES(n));
        for (i = 0; i < n; i++) {
            bool null = true;
            offsets[i] = (int32_t)m->bytes.len;
            if (m->mode != TACO__SAMPLE_PATH_NONE &&
                !taco__sample_path_append_row(m, &m->bytes, in, i, &null, err)) {
                return false;
            }
            if (null) {
                taco__bitmap_clear(m->validity.data, i);
                out->null_count++;
            }
        }
    }
    offsets[n] = (int32_t)m->bytes.len;
    out->offsets = offsets;
    out->v.any = m->bytes.data;
    out->validity = out->null_count ? m->validity.data : NULL;
    return true;
}

#define TACO__SAMPLE_PATH_TASK_ROWS                                                                \
    ((size_t)8192) /* rows: their paths stay in the cache until they go out */

static void taco__sample_path_task_run(void *arg, size_t i)
{
    taco__sample_path_task *p = &((taco__table_reader *)arg)->pieces[i];
    taco_error err;
    memset(&err, 0, sizeof err);
    p->ok = taco__sample_path_make_column(&p->vsi, &p->own, p->in, p->n, NULL, &p->out, &err);
}

/* Says which rows a piece is of: up to n of a lane, from at on. */
static void taco__sample_path_task_set_rows(const taco__table_reader *f, taco__sample_path_task *p,
                                            const taco__scan_reader *l, size_t at, size_t n)
{
    const size_t use[3] = {p->vsi.a, p->vsi.b, p->vsi.name};
    size_t k;
    p->lane = l;
    p->from = at;
    p->n = TACO__MIN(n, l->n - at);
    p->wave = f->scan.tasks.batch;
    for (k = 0; k < 3; k++) {
        if (use[k] < f->scan.out.count) {
            p->in[use[k]] = taco__array_buf_slice(NULL, &l->rows.arrays[use[k]], at, p->n);
        }
    }
}

/* Paths of a short lane, in the task that has just read its rows; their memory is of the lane's
   share. */
static void taco__sample_path_chunk_done(void *ctx, size_t i)
{
    taco__table_reader *f = (taco__table_reader *)ctx;
    taco__scan_reader *l = &f->scan.tasks.readers[i];
    taco__sample_path_task *p = &f->pieces[i];
    if (l->n <= TACO__SAMPLE_PATH_TASK_ROWS) {
        taco__sample_path_task_set_rows(f, p, l, 0, l->n);
        taco__mem_task_begin(&l->own, &p->own, 1);
        taco__sample_path_task_run(f, i);
        taco__mem_task_merge(&l->own, &p->own);
    }
}

/* Has tasks make the paths, where any go out: before the first rows are read. */
TACO__FN void taco__sample_path_tasks_init(taco_cursor *c, taco__table_reader *f)
{
    taco_error e;
    size_t i, n = taco__scan_task_max_readers(&f->scan);
    memset(&e, 0, sizeof e);
    for (i = 0; i < c->count && c->outs[i].kind != TACO__CURSOR_COLUMN_VSI; i++) {}
    if (i == c->count || c->sorted || c->children || c->dry) { return; }
    f->mem = c->mem;
    f->pieces = (taco__sample_path_task *)taco__arena_array(&c->arena, n, sizeof *f->pieces, &e);
    for (i = 0; f->pieces && i < n; i++) {
        taco__sample_path_task *p = &f->pieces[i];
        p->in =
            (taco_array *)taco__arena_array(&c->arena, f->scan.out.count + 1, sizeof *p->in, &e);
        p->vsi.mode = f->vsi.mode;
        p->vsi.root = f->vsi.root;
        p->vsi.a = f->vsi.a;
        p->vsi.b = f->vsi.b;
        p->vsi.name = f->vsi.name;
    }
    f->piece_count = e.code == TACO_OK ? n : 0;
    for (i = 0; i < f->piece_count; i++) {
        taco__mem_task_begin(c->mem, &f->pieces[i].own, 1);
        taco__mem_task_take_spares(c->mem, &f->pieces[i].own, TACO__SCAN_SPARES + (unsigned)i,
                                   n * 3);
    }
    if (f->piece_count) {
        taco__scan_task_on_rows_read(&f->scan, taco__sample_path_chunk_done, f);
    }
}

/* Makes paths of the rows of a long lane from at on: a piece a task, in whole batches. */
static void taco__sample_path_tasks_run(taco_cursor *c, taco__table_reader *f,
                                        const taco__scan_reader *l, size_t at)
{
    const taco_options *host = f->scan.tasks.host;
    size_t i, n, rows = l->n - at, each = (rows + f->scan.tasks.width - 1) / f->scan.tasks.width;
    if (rows <= TACO__BATCH_ROWS) { return; }
    each = TACO__MIN((each + TACO__BATCH_ROWS - 1) / TACO__BATCH_ROWS * TACO__BATCH_ROWS,
                     TACO__SAMPLE_PATH_TASK_ROWS);
    for (n = 0; n < f->scan.tasks.width && at < l->n; n++, at += each) {
        taco__sample_path_task_set_rows(f, &f->pieces[n], l, at, each);
        taco__mem_task_begin(c->mem, &f->pieces[n].own, f->scan.tasks.width);
    }
    host->parallel_for(host->parallel_ctx, n, taco__sample_path_task_run, f);
    for (i = 0; i < n; i++) {
        taco__mem_task_merge(c->mem, &f->pieces[i].own);
    }
}

/* The paths of the n rows that the scan gave last, where tasks can make them: of columns that tasks
   have read. */
TACO__FN bool taco__sample_path_take_from_tasks(taco_cursor *c, taco__table_reader *f, size_t n,
                                                taco_array *out)
{
    const taco__scan *s = &f->scan;
    size_t i, at, turn;
    const taco__scan_reader *l = taco__scan_task_last_reader(s, n, &at);
    if (!l || !f->piece_count) { return false; }
    for (turn = 0; at % 8 == 0 && turn < 2; turn++) {
        for (i = 0; i < f->piece_count; i++) {
            const taco__sample_path_task *p = &f->pieces[i];
            if (p->ok && p->wave == s->tasks.batch && p->lane == l && at >= p->from &&
                at + n <= p->from + p->n) {
                *out = p->out;
                out->offsets += at - p->from;
                out->validity = out->validity ? out->validity + (at - p->from) / 8 : NULL;
                out->null_count = out->validity ? n - taco__bitmap_count(out->validity, 0, n) : 0;
                out->length = n;
                return true;
            }
        }
        if (turn == 0) { taco__sample_path_tasks_run(c, f, l, at); }
    }
    return false;
}
