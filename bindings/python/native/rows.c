/* rows.c - views of a dataset, and two ways to read their rows: as an Arrow C stream, which other
   packages import without copying, and in batches of Python objects. */
#include "native.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- views ---- */

typedef struct view {
    part of;
    taco_view *v;
} view;

static void view_end(part *p)
{
    taco_view_free(((view *)p)->v);
}

static void view_free(PyObject *capsule)
{
    view *v = (view *)PyCapsule_GetPointer(capsule, "taco_h.view");
    Py_BEGIN_ALLOW_THREADS part_free(&v->of);
    free(v);
    Py_END_ALLOW_THREADS
}

/* A capsule that takes ownership of a view of the dataset, which it leaves. If made is NULL, raises
   the failure in err. */
static PyObject *view_capsule(dataset *d, taco_view *made, const taco_error *err)
{
    view *v = made ? (view *)malloc(sizeof *v) : NULL;
    PyObject *out = v ? PyCapsule_New(v, "taco_h.view", view_free) : NULL;
    if (out) {
        v->v = made;
        part_init(&v->of, d, view_end);
    } else {
        if (!made) { raise_failure(err, "column"); }
        if (made && !v) { PyErr_NoMemory(); }
        BEGIN_CALL(d)
        taco_view_free(made);
        END_CALL(d)
        free(v);
    }
    dataset_leave(d);
    return out;
}

/* The view in a capsule, whose dataset is entered; NULL with an exception set. */
static view *view_of(PyObject *capsule)
{
    view *v = (view *)PyCapsule_GetPointer(capsule, "taco_h.view");
    return v && dataset_enter(v->of.d) ? v : NULL;
}

static PyObject *view_open(PyObject *self, PyObject *capsule)
{
    dataset *d = dataset_of(capsule);
    taco_error err = {0};
    taco_view *made;
    (void)self;
    if (!d) { return NULL; }
    BEGIN_CALL(d)
    made = taco_view_open(d->ds, NULL, &err);
    END_CALL(d)
    return view_capsule(d, made, &err);
}

/* view_filter(view, where, box or None, time, geometry_column, time_column, level, exact_time) */
static PyObject *view_filter(PyObject *self, PyObject *args)
{
    PyObject *capsule, *box;
    double corners[4];
    taco_error err = {0};
    taco_filter f;
    taco_view *made;
    unsigned level;
    int exact;
    view *v;
    (void)self;
    memset(&f, 0, sizeof f);
    if (!PyArg_ParseTuple(args, "OzOzzzIp", &capsule, &f.where, &box, &f.time, &f.geometry_column,
                          &f.time_column, &level, &exact)) {
        return NULL;
    }
    if (box != Py_None) {
        if (!PyArg_ParseTuple(box, "dddd", &corners[0], &corners[1], &corners[2], &corners[3])) {
            return NULL;
        }
        f.bbox = corners;
    }
    f.level = level;
    f.exact_time = exact != 0;
    v = view_of(capsule);
    if (!v) { return NULL; }
    BEGIN_CALL(v->of.d)
    made = taco_view_filter(v->v, &f, &err);
    END_CALL(v->of.d)
    return view_capsule(v->of.d, made, &err);
}

/* view_table(view, level, flat) */
static PyObject *view_table(PyObject *self, PyObject *args)
{
    PyObject *capsule;
    taco_error err = {0};
    taco_view *made;
    unsigned level;
    int flat;
    view *v;
    (void)self;
    if (!PyArg_ParseTuple(args, "OIp", &capsule, &level, &flat)) { return NULL; }
    v = view_of(capsule);
    if (!v) { return NULL; }
    BEGIN_CALL(v->of.d)
    made = taco_view_table(v->v, level, flat != 0, &err);
    END_CALL(v->of.d)
    return view_capsule(v->of.d, made, &err);
}

/* A step with one string as its argument. */
static PyObject *view_text_step(PyObject *args,
                                taco_view *(*step)(const taco_view *, const char *, taco_error *))
{
    PyObject *capsule;
    const char *text;
    taco_error err = {0};
    taco_view *made;
    view *v;
    if (!PyArg_ParseTuple(args, "Os", &capsule, &text)) { return NULL; }
    v = view_of(capsule);
    if (!v) { return NULL; }
    BEGIN_CALL(v->of.d)
    made = step(v->v, text, &err);
    END_CALL(v->of.d)
    return view_capsule(v->of.d, made, &err);
}

static PyObject *view_select(PyObject *self, PyObject *args)
{
    (void)self;
    return view_text_step(args, taco_view_select);
}

static PyObject *view_order(PyObject *self, PyObject *args)
{
    (void)self;
    return view_text_step(args, taco_view_order);
}

static PyObject *view_sql(PyObject *self, PyObject *args)
{
    (void)self;
    return view_text_step(args, taco_view_sql);
}

/* view_limit(view, limit, offset) */
static PyObject *view_limit(PyObject *self, PyObject *args)
{
    PyObject *capsule;
    unsigned long long limit, offset;
    taco_error err = {0};
    taco_view *made;
    view *v;
    (void)self;
    if (!PyArg_ParseTuple(args, "OKK", &capsule, &limit, &offset)) { return NULL; }
    v = view_of(capsule);
    if (!v) { return NULL; }
    BEGIN_CALL(v->of.d)
    made = taco_view_limit(v->v, limit, offset, &err);
    END_CALL(v->of.d)
    return view_capsule(v->of.d, made, &err);
}

/* ---- cursors ---- */

typedef struct cursor {
    part of;
    taco_cursor *rows;
    /* a thread is in a call with it, or converting its batch */
    bool busy;
} cursor;

/* The rows of a view, or those that taco_view_read finds at a path if it is not NULL. */
static taco_cursor *start_rows(const view *v, const char *path, bool padding, taco_error *err)
{
    return path ? taco_view_read(v->v, path, padding, err) : taco_view_rows(v->v, err);
}

static void cursor_end(part *p)
{
    taco_cursor_close(((cursor *)p)->rows, NULL);
}

static void cursor_free(PyObject *capsule)
{
    cursor *c = (cursor *)PyCapsule_GetPointer(capsule, "taco_h.cursor");
    Py_BEGIN_ALLOW_THREADS part_free(&c->of);
    free(c);
    Py_END_ALLOW_THREADS
}

/* A capsule that takes ownership of the rows of a dataset; NULL with an exception set. */
static PyObject *cursor_capsule(dataset *d, taco_cursor *rows)
{
    cursor *c = (cursor *)calloc(1, sizeof *c);
    PyObject *out = c ? PyCapsule_New(c, "taco_h.cursor", cursor_free) : PyErr_NoMemory();
    if (out) {
        c->rows = rows;
        part_init(&c->of, d, cursor_end);
    } else {
        BEGIN_CALL(d)
        taco_cursor_close(rows, NULL);
        END_CALL(d)
        free(c);
    }
    return out;
}

/* The cursor in a capsule, whose dataset is entered; NULL with an exception set. */
static cursor *cursor_of(PyObject *capsule)
{
    cursor *c = (cursor *)PyCapsule_GetPointer(capsule, "taco_h.cursor");
    if (!c || !dataset_enter(c->of.d)) { return NULL; }
    if (!c->busy) { return c; }
    PyErr_SetString(PyExc_ValueError, "another thread iterates over these rows");
    dataset_leave(c->of.d);
    return NULL;
}

/* cursor(view, path or None, padding) */
static PyObject *cursor_open(PyObject *self, PyObject *args)
{
    PyObject *capsule, *out;
    const char *path;
    int padding;
    taco_error err = {0};
    taco_cursor *rows;
    view *v;
    (void)self;
    if (!PyArg_ParseTuple(args, "Ozp", &capsule, &path, &padding)) { return NULL; }
    v = view_of(capsule);
    if (!v) { return NULL; }
    BEGIN_CALL(v->of.d)
    rows = start_rows(v, path, padding != 0, &err);
    explain_failure(v->of.d, &err);
    END_CALL(v->of.d)
    out = rows ? cursor_capsule(v->of.d, rows) : raise_failure(&err, path ? "sample" : "column");
    dataset_leave(v->of.d);
    return out;
}

/* The columns of a cursor, as from fields_tuple. */
static PyObject *cursor_fields(PyObject *self, PyObject *capsule)
{
    cursor *c = cursor_of(capsule);
    const taco_field *fields;
    PyObject *out;
    size_t n;
    (void)self;
    if (!c) { return NULL; }
    fields = taco_cursor_fields(c->rows, &n); /* valid as long as the cursor */
    out = fields_tuple(fields, n);
    dataset_leave(c->of.d);
    return out;
}

/* closed_rows(cursor): whether the dataset of these rows was closed. */
static PyObject *closed_rows(PyObject *self, PyObject *capsule)
{
    cursor *c = (cursor *)PyCapsule_GetPointer(capsule, "taco_h.cursor");
    (void)self;
    return c ? PyBool_FromLong(dataset_is_closed(c->of.d)) : NULL;
}

static PyObject *column_list(const taco_array *a)
{
    PyObject *out = PyList_New((Py_ssize_t)a->length);
    size_t i;
    for (i = 0; out && i < a->length; i++) {
        PyObject *v = array_value(a, i);
        if (!v) {
            Py_CLEAR(out);
        } else {
            PyList_SetItem(out, (Py_ssize_t)i, v);
        }
    }
    return out;
}

/* The next batch as a list of columns, each a list of values; None after the last. */
static PyObject *cursor_batch(PyObject *self, PyObject *capsule)
{
    cursor *c = cursor_of(capsule);
    taco_error err = {0};
    taco_batch batch;
    PyObject *out;
    size_t i;
    bool more;
    (void)self;
    if (!c) { return NULL; }
    c->busy = true;
    memset(&batch, 0, sizeof batch);
    BEGIN_CALL(c->of.d)
    more = taco_cursor_batch(c->rows, &batch);
    if (!more) {
        taco_cursor_close(c->rows, &err);
        c->rows = NULL; /* NULL is accepted by every call */
        explain_failure(c->of.d, &err);
    }
    END_CALL(c->of.d)
    out = more ? PyList_New((Py_ssize_t)batch.column_count) : NULL;
    for (i = 0; out && i < batch.column_count; i++) {
        PyObject *column = column_list(&batch.columns[i]);
        if (!column) {
            Py_CLEAR(out);
        } else {
            PyList_SetItem(out, (Py_ssize_t)i, column);
        }
    }
    c->busy = false;
    dataset_leave(c->of.d);
    if (!more && err.code) { return raise_failure(&err, "column"); }
    if (!more) { Py_RETURN_NONE; }
    return out;
}

/* ---- Arrow ---- */

/* A stream of the library that takes the lock in each call, since consumers call it from their own
   threads. */
typedef struct locked_stream {
    part of;
    struct ArrowArrayStream inner;
    bool closed; /* the last call found the dataset closed */
    char error[sizeof(((taco_error *)NULL)->text)];
} locked_stream;

/* Begins a call of a consumer. False if the dataset was closed, for which it returns EINVAL. */
static bool stream_begin(locked_stream *l)
{
    l->closed = !dataset_begin(l->of.d);
    if (!l->closed) { PyThread_acquire_lock(l->of.d->lock, 1); }
    return !l->closed;
}

static void stream_end(locked_stream *l)
{
    PyThread_release_lock(l->of.d->lock);
    dataset_end(l->of.d);
}

static int stream_schema(struct ArrowArrayStream *s, struct ArrowSchema *out)
{
    locked_stream *l = (locked_stream *)s->private_data;
    int status;
    if (!stream_begin(l)) { return EINVAL; }
    status = l->inner.get_schema(&l->inner, out);
    stream_end(l);
    return status;
}

static int stream_next(struct ArrowArrayStream *s, struct ArrowArray *out)
{
    locked_stream *l = (locked_stream *)s->private_data;
    int status;
    if (!stream_begin(l)) { return EINVAL; }
    status = l->inner.get_next(&l->inner, out);
    stream_end(l);
    return status;
}

/* The text of the library's stream is copied, as close() may end that stream. */
static const char *stream_last_error(struct ArrowArrayStream *s)
{
    locked_stream *l = (locked_stream *)s->private_data;
    const char *text;
    if (l->closed || !stream_begin(l)) { return "the dataset is closed"; }
    text = l->inner.get_last_error(&l->inner);
    if (text) { PyOS_snprintf(l->error, sizeof l->error, "%s", text); }
    stream_end(l);
    return text ? l->error : NULL;
}

static void stream_finish(part *p)
{
    locked_stream *l = (locked_stream *)p;
    l->inner.release(&l->inner);
}

static void stream_release(struct ArrowArrayStream *s)
{
    locked_stream *l = (locked_stream *)s->private_data;
    part_free(&l->of);
    free(l);
    s->release = NULL;
}

/* A consumer moves the stream out, and leaves release NULL. */
static void release_stream(struct ArrowArrayStream *s)
{
    Py_BEGIN_ALLOW_THREADS if (s->release)
    {
        s->release(s);
    }
    free(s);
    Py_END_ALLOW_THREADS
}

static void stream_free(PyObject *capsule)
{
    release_stream((struct ArrowArrayStream *)PyCapsule_GetPointer(capsule, "arrow_array_stream"));
}

/* stream(view, path or None, padding): a capsule for the Arrow PyCapsule interface. */
static PyObject *stream_open(PyObject *self, PyObject *args)
{
    PyObject *capsule, *out = NULL;
    const char *path;
    int padding;
    taco_error err = {0};
    taco_status status;
    locked_stream *l = (locked_stream *)calloc(1, sizeof *l);
    struct ArrowArrayStream *s = (struct ArrowArrayStream *)calloc(1, sizeof *s);
    view *v = NULL;
    (void)self;
    if (PyArg_ParseTuple(args, "Ozp", &capsule, &path, &padding)) { v = view_of(capsule); }
    if (v && (!l || !s)) {
        PyErr_NoMemory();
        dataset_leave(v->of.d);
    }
    if (!v || !l || !s) {
        free(l);
        free(s);
        return NULL;
    }
    BEGIN_CALL(v->of.d)
    status = taco_cursor_export(start_rows(v, path, padding != 0, &err), false, &l->inner, &err);
    END_CALL(v->of.d)
    if (status == TACO_OK) {
        part_init(&l->of, v->of.d, stream_finish);
        s->get_schema = stream_schema;
        s->get_next = stream_next;
        s->get_last_error = stream_last_error;
        s->release = stream_release;
        s->private_data = l;
        out = PyCapsule_New(s, "arrow_array_stream", stream_free);
        if (!out) { release_stream(s); }
    } else {
        free(l);
        free(s);
        raise_failure(&err, path ? "sample" : "column");
    }
    dataset_leave(v->of.d);
    return out;
}

/* ---- statistics ---- */

/* stats(view, column or None, family, weighted): the JSON of `taco stats`. */
static PyObject *stats(PyObject *self, PyObject *args)
{
    PyObject *capsule, *out = NULL;
    taco_stats_options how = {0};
    taco_error err = {0};
    taco_stats *made;
    taco_cursor *rows;
    int family, weighted;
    char *text = NULL;
    view *v;
    (void)self;
    if (!PyArg_ParseTuple(args, "Ozip", &capsule, &how.column, &family, &weighted)) { return NULL; }
    how.family = (taco_stats_family)family;
    how.weighted_percentiles = weighted != 0;
    v = view_of(capsule);
    if (!v) { return NULL; }
    BEGIN_CALL(v->of.d)
    rows = taco_view_rows(v->v, &err);
    made = rows ? taco_aggregate_rows(rows, &how, &err) : NULL;
    taco_cursor_close(rows, &err);
    if (made) {
        taco_bytes json = taco_stats_json(made, &err);
        text = json.data ? (char *)malloc(json.len + 1) : NULL;
        if (text) {
            memcpy(text, json.data, json.len);
            text[json.len] = 0;
        }
        taco_stats_free(made);
    }
    END_CALL(v->of.d)
    dataset_leave(v->of.d);
    if (!text) { return raise_failure(&err, "column"); }
    out = PyUnicode_FromString(text);
    free(text);
    return out;
}

PyMethodDef rows_methods[] = {{"view", view_open, METH_O, NULL},
                              {"view_filter", view_filter, METH_VARARGS, NULL},
                              {"view_table", view_table, METH_VARARGS, NULL},
                              {"view_select", view_select, METH_VARARGS, NULL},
                              {"view_order", view_order, METH_VARARGS, NULL},
                              {"view_sql", view_sql, METH_VARARGS, NULL},
                              {"view_limit", view_limit, METH_VARARGS, NULL},
                              {"cursor", cursor_open, METH_VARARGS, NULL},
                              {"cursor_fields", cursor_fields, METH_O, NULL},
                              {"cursor_batch", cursor_batch, METH_O, NULL},
                              {"closed_rows", closed_rows, METH_O, NULL},
                              {"stream", stream_open, METH_VARARGS, NULL},
                              {"stats", stats, METH_VARARGS, NULL},
                              {NULL, NULL, 0, NULL}};
