/* write.c - creates and checks datasets: writers, directories, validation */
#include "native.h"

#include <stdlib.h>
#include <string.h>

/* ---- writers ---- */

typedef struct writer {
    taco_writer *w;
    const taco_opener *openers[4];
    taco_options options;
    /* a thread is in a call with it */
    bool busy;
} writer;

static void writer_free(PyObject *capsule)
{
    writer *w = (writer *)PyCapsule_GetPointer(capsule, "taco_h.writer");
    Py_BEGIN_ALLOW_THREADS taco_writer_abort(w->w);
    free(w);
    Py_END_ALLOW_THREADS
}

/* The writer in a capsule, marked busy until finish_call; NULL with an exception set on failure. */
static writer *begin_call(PyObject *capsule)
{
    writer *w = (writer *)PyCapsule_GetPointer(capsule, "taco_h.writer");
    if (w && (!w->w || w->busy)) {
        PyErr_SetString(PyExc_ValueError,
                        w->w ? "another thread uses this writer" : "the writer is finished");
        return NULL;
    }
    if (w) { w->busy = true; }
    return w;
}

/* A failed writer stays failed, and only finishing it returns the message, so finish it here. */
static PyObject *finish_call(writer *w, taco_status status)
{
    taco_error err = {0};
    taco_writer *failed = w->w;
    w->busy = false;
    if (status == TACO_OK) { Py_RETURN_NONE; }
    w->w = NULL; /* before other threads may run */
    Py_BEGIN_ALLOW_THREADS taco_writer_finish(failed, &err);
    Py_END_ALLOW_THREADS return raise_failure(&err, "file");
}

/* Reads a dict of options: container, overwrite, any_tree, fill, pad_to, row_group_rows, mtime. */
static bool create_options(PyObject *dict, taco_create_options *how)
{
    static const char *const names[] = {"container", "overwrite",      "any_tree", "fill",
                                        "pad_to",    "row_group_rows", "mtime"};
    long long values[7] = {0};
    size_t i;
    for (i = 0; i < 7; i++) {
        PyObject *v = PyDict_GetItemString(dict, names[i]);
        if (v) { values[i] = PyLong_AsLongLong(v); }
        if (v && values[i] == -1 && PyErr_Occurred()) { return false; }
    }
    if (values[4] < 0 || values[4] > UINT32_MAX || values[5] < 0) {
        PyErr_SetString(PyExc_ValueError, "pad_to is 0 to 4294967295, row_group_rows not negative");
        return false;
    }
    how->container = (taco_kind)values[0];
    how->overwrite = values[1] != 0;
    how->any_tree = values[2] != 0;
    how->fill = values[3] != 0;
    how->pad_to = (uint32_t)values[4];
    how->row_group_rows = (uint64_t)values[5];
    how->mtime = values[6];
    return true;
}

/* writer(path, collection, options): the collection as bytes */
static PyObject *writer_open(PyObject *self, PyObject *args)
{
    PyObject *path = NULL, *collection, *options, *out = NULL;
    char *json;
    Py_ssize_t len;
    taco_create_options how;
    taco_error err = {0};
    writer *w;
    (void)self;
    memset(&how, 0, sizeof how);
    if (!PyArg_ParseTuple(args, "O&SO", PyUnicode_FSConverter, &path, &collection, &options) ||
        PyBytes_AsStringAndSize(collection, &json, &len) != 0) {
        Py_XDECREF(path);
        return NULL;
    }
    w = (writer *)calloc(1, sizeof *w);
    if (!w) { PyErr_NoMemory(); }
    if (w && create_options(options, &how)) {
        const char *name = PyBytes_AsString(path);
        set_options(&w->options, w->openers);
        how.options = &w->options;
        Py_BEGIN_ALLOW_THREADS w->w = taco_create(name, &how, &err);
        Py_END_ALLOW_THREADS if (w->w && taco_writer_collection(w->w, json, (size_t)len) != TACO_OK)
        {
            taco_writer_finish(w->w, &err);
            w->w = NULL;
        }
        out = w->w ? PyCapsule_New(w, "taco_h.writer", writer_free) : raise_failure(&err, "file");
    }
    if (!out && w) {
        taco_writer_abort(w->w);
        free(w);
    }
    Py_DECREF(path);
    return out;
}

/* writer_column(writer, level, name, type, items or -1): items is the item type of a list. */
static PyObject *writer_column(PyObject *self, PyObject *args)
{
    PyObject *capsule;
    unsigned level;
    const char *name;
    int type, items;
    writer *w;
    (void)self;
    if (!PyArg_ParseTuple(args, "OIsii", &capsule, &level, &name, &type, &items)) { return NULL; }
    w = begin_call(capsule);
    if (!w) { return NULL; }
    return finish_call(w, items >= 0 ? taco_writer_list(w->w, level, name, (taco_type)items)
                                     : taco_writer_column(w->w, level, name, (taco_type)type));
}

/* writer_file(writer, id, path) */
static PyObject *writer_file(PyObject *self, PyObject *args)
{
    PyObject *capsule, *path = NULL, *out = NULL;
    const char *id;
    taco_status status;
    writer *w;
    (void)self;
    if (!PyArg_ParseTuple(args, "OsO&", &capsule, &id, PyUnicode_FSConverter, &path)) {
        return NULL;
    }
    w = begin_call(capsule);
    if (w) {
        const char *name = PyBytes_AsString(path);
        Py_BEGIN_ALLOW_THREADS status = taco_writer_file(w->w, id, name);
        Py_END_ALLOW_THREADS out = finish_call(w, status);
    }
    Py_DECREF(path);
    return out;
}

/* writer_bytes(writer, id, buffer) */
static PyObject *writer_bytes(PyObject *self, PyObject *args)
{
    PyObject *capsule, *data;
    const char *id;
    char *bytes;
    Py_ssize_t len;
    taco_status status;
    writer *w;
    (void)self;
    if (!PyArg_ParseTuple(args, "OsS", &capsule, &id, &data) ||
        PyBytes_AsStringAndSize(data, &bytes, &len) != 0) {
        return NULL;
    }
    w = begin_call(capsule);
    if (!w) { return NULL; }
    Py_BEGIN_ALLOW_THREADS status = taco_writer_bytes(w->w, id, bytes, (size_t)len);
    Py_END_ALLOW_THREADS return finish_call(w, status);
}

/* writer_folder(writer, id or None): begins a FOLDER, or ends the one begun last. */
static PyObject *writer_folder(PyObject *self, PyObject *args)
{
    PyObject *capsule;
    const char *id;
    taco_status status;
    writer *w;
    (void)self;
    if (!PyArg_ParseTuple(args, "Oz", &capsule, &id)) { return NULL; }
    w = begin_call(capsule);
    if (!w) { return NULL; }
    Py_BEGIN_ALLOW_THREADS status =
        id ? taco_writer_folder_begin(w->w, id) : taco_writer_folder_end(w->w);
    Py_END_ALLOW_THREADS return finish_call(w, status);
}

/* Numbers of a list: as integers if all are, otherwise as doubles. */
static taco_status set_numbers(taco_writer *w, const char *column, PyObject *items)
{
    size_t i, n = (size_t)PyTuple_Size(items);
    double *doubles = (double *)calloc(n + 1, sizeof *doubles);
    int64_t *ints = (int64_t *)calloc(n + 1, sizeof *ints);
    taco_status status = TACO_ERR_MEMORY;
    bool whole = true;
    for (i = 0; doubles && ints && i < n; i++) {
        PyObject *v = PyTuple_GetItem(items, (Py_ssize_t)i);
        whole = whole && PyLong_Check(v);
        if (whole) { ints[i] = PyLong_AsLongLong(v); }
        doubles[i] = PyFloat_AsDouble(v);
    }
    if (!doubles || !ints) { PyErr_NoMemory(); }
    if (!PyErr_Occurred()) {
        status = whole ? taco_writer_set_ints(w, column, ints, n)
                       : taco_writer_set_doubles(w, column, doubles, n);
        /* integers may be meant for a column of doubles; the writer checks whether they fit */
    }
    free(doubles);
    free(ints);
    return status;
}

/* A copy of the list is read: converting an item may run Python code, which may change the list. */
static taco_status set_list(taco_writer *w, const char *column, PyObject *list)
{
    PyObject *items = PyList_AsTuple(list);
    taco_status status = items ? set_numbers(w, column, items) : TACO_ERR_MEMORY;
    Py_XDECREF(items);
    return status;
}

/* Text may contain NUL, which only set_bytes takes; only set_text takes dates and times. */
static taco_status set_text(taco_writer *w, const char *column, PyObject *text)
{
    PyObject *utf8 = PyUnicode_AsUTF8String(text);
    taco_status status = TACO_ERR_ARGUMENT;
    char *bytes;
    Py_ssize_t len;
    if (utf8 && PyBytes_AsStringAndSize(utf8, &bytes, &len) == 0) {
        status = strlen(bytes) == (size_t)len
                     ? taco_writer_set_text(w, column, bytes)
                     : taco_writer_set_bytes(w, column, bytes, (size_t)len);
    }
    Py_XDECREF(utf8);
    return status;
}

static taco_status set_value(taco_writer *w, const char *column, PyObject *v)
{
    char *bytes;
    Py_ssize_t len;
    if (v == Py_None) { return taco_writer_set_null(w, column); }
    if (PyBool_Check(v)) { return taco_writer_set_bool(w, column, v == Py_True); }
    if (PyLong_Check(v)) {
        int64_t n = PyLong_AsLongLong(v);
        return PyErr_Occurred() ? TACO_ERR_ARGUMENT : taco_writer_set_int(w, column, n);
    }
    if (PyFloat_Check(v)) { return taco_writer_set_double(w, column, PyFloat_AsDouble(v)); }
    if (PyList_Check(v)) { return set_list(w, column, v); }
    if (PyUnicode_Check(v)) { return set_text(w, column, v); }
    if (PyBytes_Check(v) && PyBytes_AsStringAndSize(v, &bytes, &len) == 0) {
        return taco_writer_set_bytes(w, column, bytes, (size_t)len);
    }
    PyErr_Format(PyExc_TypeError, "column '%s': a value of type %R is not written", column,
                 (PyObject *)Py_TYPE(v));
    return TACO_ERR_TYPE;
}

/* writer_set(writer, column, value) */
static PyObject *writer_set(PyObject *self, PyObject *args)
{
    PyObject *capsule, *value;
    const char *column;
    taco_status status;
    writer *w;
    (void)self;
    if (!PyArg_ParseTuple(args, "OsO", &capsule, &column, &value)) { return NULL; }
    w = begin_call(capsule);
    if (!w) { return NULL; }
    status = set_value(w->w, column, value);
    if (PyErr_Occurred()) {
        w->busy = false;
        return NULL;
    }
    return finish_call(w, status);
}

/* writer_end(writer, finish): makes the dataset permanent, or discards it. */
static PyObject *writer_end(PyObject *self, PyObject *args)
{
    PyObject *capsule;
    taco_error err = {0};
    taco_status status = TACO_OK;
    taco_writer *ended;
    int finish;
    writer *w;
    (void)self;
    if (!PyArg_ParseTuple(args, "Op", &capsule, &finish)) { return NULL; }
    w = begin_call(capsule);
    if (!w) { return NULL; }
    ended = w->w;
    w->w = NULL;
    w->busy = false;
    Py_BEGIN_ALLOW_THREADS if (finish)
    {
        status = taco_writer_finish(ended, &err);
    }
    else
    {
        taco_writer_abort(ended);
    }
    Py_END_ALLOW_THREADS if (status != TACO_OK)
    {
        return raise_failure(&err, "file");
    }
    Py_RETURN_NONE;
}

/* ---- a directory as a dataset ---- */

/* create_directory(path, source, collection, table or None, options) */
static PyObject *create_directory(PyObject *self, PyObject *args)
{
    PyObject *path = NULL, *source = NULL, *table = NULL, *table_or_none, *collection, *options,
             *out = NULL;
    const char *tables[1];
    char *json;
    Py_ssize_t len;
    const taco_opener *openers[4];
    taco_directory_options how;
    taco_create_options create;
    taco_options opt;
    taco_error err = {0};
    taco_status status;
    (void)self;
    memset(&how, 0, sizeof how);
    memset(&create, 0, sizeof create);
    if (!PyArg_ParseTuple(args, "O&O&SOO", PyUnicode_FSConverter, &path, PyUnicode_FSConverter,
                          &source, &collection, &table_or_none, &options) ||
        PyBytes_AsStringAndSize(collection, &json, &len) != 0) {
        Py_XDECREF(path);
        Py_XDECREF(source);
        return NULL;
    }
    if (create_options(options, &create) &&
        (table_or_none == Py_None || PyUnicode_FSConverter(table_or_none, &table))) {
        const char *to = PyBytes_AsString(path), *from = PyBytes_AsString(source);
        PyObject *tiff = PyDict_GetItemString(options, "tiff");
        set_options(&opt, openers);
        create.options = &opt;
        how.create = &create;
        how.tiff = tiff && PyObject_IsTrue(tiff) == 1;
        if (table) {
            tables[0] = PyBytes_AsString(table);
            how.tables = tables;
            how.table_count = 1;
        }
        Py_BEGIN_ALLOW_THREADS status =
            taco_create_directory(to, from, json, (size_t)len, &how, &err);
        Py_END_ALLOW_THREADS if (status != TACO_OK)
        {
            raise_failure(&err, "file");
        }
        else
        {
            out = Py_None;
            Py_INCREF(out);
        }
    }
    Py_DECREF(path);
    Py_DECREF(source);
    Py_XDECREF(table);
    return out;
}

/* ---- validation ---- */

/* taco_validate_options.found: appends the problem to the list ctx. */
static bool add_problem(void *ctx, const taco_problem *p)
{
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *one =
        Py_BuildValue("(NNN)", PyBool_FromLong(p->error),
                      PyUnicode_DecodeUTF8(p->where, (Py_ssize_t)strlen(p->where), "replace"),
                      PyUnicode_DecodeUTF8(p->message, (Py_ssize_t)strlen(p->message), "replace"));
    bool ok = one && PyList_Append((PyObject *)ctx, one) == 0;
    Py_XDECREF(one);
    PyGILState_Release(gil);
    return ok;
}

/* taco_validate_options.progress: stops on Ctrl-C. */
static bool go_on(void *ctx, uint64_t done, uint64_t total)
{
    PyGILState_STATE gil = PyGILState_Ensure();
    bool ok = PyErr_CheckSignals() == 0;
    (void)ctx;
    (void)done;
    (void)total;
    PyGILState_Release(gil);
    return ok;
}

/* The message of a failure, which may quote bytes that are not UTF-8; None if there is none. */
static PyObject *failure_text(taco_status status, const taco_error *err)
{
    const char *text = taco_error_text(err);
    if (status == TACO_OK) { Py_RETURN_NONE; }
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

/* validate(path, deep, strict_pit): (problems, errors, warnings, rows, payloads, bytes, failure);
   failure is None, or the message of the first error */
static PyObject *validate(PyObject *self, PyObject *args)
{
    PyObject *path = NULL, *list = PyList_New(0);
    const taco_opener *openers[4];
    taco_validate_options how;
    taco_validated done;
    taco_options opt;
    taco_error err = {0};
    taco_status status;
    const char *name;
    int deep, strict_pit;
    (void)self;
    memset(&how, 0, sizeof how);
    memset(&done, 0, sizeof done);
    if (!list ||
        !PyArg_ParseTuple(args, "O&pp", PyUnicode_FSConverter, &path, &deep, &strict_pit)) {
        Py_XDECREF(list);
        return NULL;
    }
    how.deep = deep != 0;
    how.strict_pit = strict_pit != 0;
    how.found = add_problem;
    how.progress = go_on;
    how.ctx = list;
    set_options(&opt, openers);
    name = PyBytes_AsString(path);
    Py_BEGIN_ALLOW_THREADS status = taco_validate(name, &opt, &how, &done, &err);
    Py_END_ALLOW_THREADS Py_DECREF(path);
    /* failures that are not problems of the dataset: it does not exist, out of memory, Ctrl-C */
    if (PyErr_Occurred() || (status != TACO_OK && done.errors == 0)) {
        Py_DECREF(list);
        return raise_failure(&err, "file");
    }
    return Py_BuildValue("(NKKKKKN)", list, (unsigned long long)done.errors,
                         (unsigned long long)done.warnings, (unsigned long long)done.rows,
                         (unsigned long long)done.payloads, (unsigned long long)done.bytes,
                         failure_text(status, &err));
}

PyMethodDef write_methods[] = {{"writer", writer_open, METH_VARARGS, NULL},
                               {"writer_column", writer_column, METH_VARARGS, NULL},
                               {"writer_file", writer_file, METH_VARARGS, NULL},
                               {"writer_bytes", writer_bytes, METH_VARARGS, NULL},
                               {"writer_folder", writer_folder, METH_VARARGS, NULL},
                               {"writer_set", writer_set, METH_VARARGS, NULL},
                               {"writer_end", writer_end, METH_VARARGS, NULL},
                               {"create_directory", create_directory, METH_VARARGS, NULL},
                               {"validate", validate, METH_VARARGS, NULL},
                               {NULL, NULL, 0, NULL}};
