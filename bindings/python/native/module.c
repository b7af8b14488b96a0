/* module.c - taco_h._native: opening datasets, information about them, single samples and their
   bytes, and exceptions. Views and cursors are in rows.c, writing is in write.c. Start at
   PyInit__native at the end, which lists the functions. */
#include "native.h"

#include <stdlib.h>
#include <string.h>

/* ---- failures ---- */

/* Set by the Python sources: makes an exception from (status name, what "not found" refers to,
   message, offset or None). */
static PyObject *failure_factory;

PyObject *raise_failure(const taco_error *err, const char *missing)
{
    PyObject *offset, *e;
    if (PyErr_Occurred()) { return NULL; }
    if (err->code == TACO_ERR_MEMORY) { return PyErr_NoMemory(); }
    if (!failure_factory) {
        PyErr_SetString(PyExc_RuntimeError, taco_error_text(err));
        return NULL;
    }
    if (err->offset == TACO_NO_OFFSET) {
        offset = Py_None;
        Py_INCREF(offset);
    } else {
        offset = PyLong_FromUnsignedLongLong(err->offset);
    }
    /* a message may quote bytes of a file, or be truncated within a character */
    e = PyObject_CallFunction(
        failure_factory, "ssNN", taco_status_name(err->code), missing,
        PyUnicode_DecodeUTF8(err->text, (Py_ssize_t)strlen(err->text), "replace"), offset);
    if (e) {
        PyErr_SetObject((PyObject *)Py_TYPE(e), e);
        Py_DECREF(e);
    }
    return NULL;
}

static PyObject *set_failure_factory(PyObject *self, PyObject *factory)
{
    (void)self;
    Py_XDECREF(failure_factory);
    Py_INCREF(factory);
    failure_factory = factory;
    Py_RETURN_NONE;
}

/* ---- datasets ---- */

/* taco_options.warn: called with the lock held, during a call of the library. */
static void keep_warning(void *ctx, const taco_error *warning)
{
    dataset *d = (dataset *)ctx;
    if (d->warning_count < MAX_WARNINGS) { d->warnings[d->warning_count++] = *warning; }
}

/* Set by the Python sources: called with a level and a line, up to log_level. */
static PyObject *log_call;
static int log_level;

static PyObject *set_log(PyObject *self, PyObject *args)
{
    PyObject *call, *before;
    int level;
    (void)self;
    if (!PyArg_ParseTuple(args, "Oi", &call, &level)) { return NULL; }
    Py_INCREF(call);
    before = log_call;
    log_call = call;
    log_level = level;
    Py_XDECREF(before);
    Py_RETURN_NONE;
}

/* taco_options.log: called with the lock held, so it must not wait for the GIL. Drops lines beyond
   MAX_LOG bytes in one call, and lines for which there is no memory. */
static void keep_line(void *ctx, taco_log_level level, const char *text)
{
    dataset *d = (dataset *)ctx;
    size_t n = strlen(text) + 2;
    char *grown;
    if ((int)level > d->log_level || d->log_len + n > MAX_LOG) { return; }
    grown = (char *)realloc(d->log, d->log_len + n);
    if (!grown) { return; }
    d->log = grown;
    grown[d->log_len] = (char)level;
    memcpy(grown + d->log_len + 1, text, n - 1);
    d->log_len += n;
}

void tell_log(dataset *d)
{
    char *lines;
    size_t at, n;
    PyObject *call = log_call;
    if (!d->log_level || !call || PyErr_Occurred()) { return; }
    Py_INCREF(call); /* set_log may replace it meanwhile */
    Py_BEGIN_ALLOW_THREADS PyThread_acquire_lock(d->lock, 1);
    lines = d->log;
    n = d->log_len;
    d->log = NULL;
    d->log_len = 0;
    PyThread_release_lock(d->lock);
    Py_END_ALLOW_THREADS for (at = 0; at < n; at += strlen(lines + at) + 1)
    {
        const char *text = lines + at + 1;
        PyObject *told =
            PyObject_CallFunction(call, "iN", (int)lines[at],
                                  PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace"));
        if (!told) { PyErr_WriteUnraisable(call); }
        Py_XDECREF(told);
    }
    Py_DECREF(call);
    free(lines);
}

void set_options(taco_options *opt, const taco_opener *openers[4])
{
    memset(opt, 0, sizeof *opt);
    openers[0] = taco_legacy_opener();
    openers[1] = taco_rasteret_opener();
    openers[2] = taco_v3_opener();
    openers[3] = NULL;
    opt->openers = openers;
}

/* libcurl opens URLs. The library resolves local paths only if it opens them itself, so its own
   functions remain in use unless the path is a URL. */
static void set_remote(dataset *d, const char *path)
{
#ifdef WITH_CURL
    if (path && remote_is_url(path)) {
        d->options.open_file = remote_open;
        d->options.open_ctx = &d->remote;
    }
#else
    (void)d;
    (void)path;
#endif
}

void explain_failure(const dataset *d, taco_error *err)
{
#ifdef WITH_CURL
    bool unread = err->code == TACO_ERR_IO || err->code == TACO_ERR_NOT_FOUND;
    const char *why = d->remote.failure;
    size_t url = strcspn(why, " "), len = strlen(err->text);
    if (!unread || !*why) { return; }
    /* if the message is about the same file, "URL: why" replaces it */
    if (strncmp(err->text, why, url) == 0) { len = 0; }
    PyOS_snprintf(err->text + len, sizeof err->text - len, len ? " (%s)" : "%s", why);
#else
    (void)d;
    (void)err;
#endif
}

/* Closes the files. No call is in the dataset, and none can enter. */
static void dataset_shut(dataset *d)
{
    PyThread_acquire_lock(d->lock, 1);
    while (d->parts) {
        part *p = d->parts;
        p->end(p); /* newest first: a cursor before its view */
        d->parts = p->after;
        p->end = NULL;
    }
    taco_close(d->ds);
    d->ds = NULL;
#ifdef WITH_CURL
    remote_close(&d->remote);
#endif
    PyThread_release_lock(d->lock);
}

static void dataset_destroy(dataset *d)
{
    if (d->lock && !d->closed) { dataset_shut(d); }
    if (d->lock) { PyThread_free_lock(d->lock); }
    if (d->refs_lock) { PyThread_free_lock(d->refs_lock); }
    free(d->log);
    free(d);
}

bool dataset_begin(dataset *d)
{
    bool open;
    PyThread_acquire_lock(d->refs_lock, 1);
    open = !d->closed;
    if (open) {
        d->refs++;
        d->calls++;
    }
    PyThread_release_lock(d->refs_lock);
    return open;
}

static void dataset_drop(dataset *d)
{
    bool last;
    PyThread_acquire_lock(d->refs_lock, 1);
    last = --d->refs == 0;
    PyThread_release_lock(d->refs_lock);
    if (last) { dataset_destroy(d); }
}

void dataset_end(dataset *d)
{
    bool shut;
    PyThread_acquire_lock(d->refs_lock, 1);
    shut = --d->calls == 0 && d->closed;
    PyThread_release_lock(d->refs_lock);
    if (shut) { dataset_shut(d); }
    dataset_drop(d);
}

bool dataset_enter(dataset *d)
{
    if (dataset_begin(d)) { return true; }
    PyErr_SetString(PyExc_ValueError, "the dataset is closed");
    return false;
}

dataset *dataset_of(PyObject *capsule)
{
    dataset *d = (dataset *)PyCapsule_GetPointer(capsule, "taco_h.dataset");
    return d && dataset_enter(d) ? d : NULL;
}

void dataset_leave(dataset *d)
{
    Py_BEGIN_ALLOW_THREADS dataset_end(d);
    Py_END_ALLOW_THREADS
}

void part_init(part *p, dataset *d, void (*end)(part *))
{
    p->d = d;
    p->end = end;
    p->before = NULL;
    PyThread_acquire_lock(d->refs_lock, 1);
    d->refs++;
    p->after = d->parts;
    if (p->after) { p->after->before = p; }
    d->parts = p;
    PyThread_release_lock(d->refs_lock);
}

void part_free(part *p)
{
    dataset *d = p->d;
    PyThread_acquire_lock(d->lock, 1);
    if (p->end) {
        p->end(p);
        PyThread_acquire_lock(d->refs_lock, 1);
        if (p->after) { p->after->before = p->before; }
        if (p->before) {
            p->before->after = p->after;
        } else {
            d->parts = p->after;
        }
        PyThread_release_lock(d->refs_lock);
    }
    PyThread_release_lock(d->lock);
    dataset_drop(d);
}

static void dataset_free(PyObject *capsule)
{
    dataset *d = (dataset *)PyCapsule_GetPointer(capsule, "taco_h.dataset");
    Py_BEGIN_ALLOW_THREADS dataset_drop(d);
    Py_END_ALLOW_THREADS
}

/* Calls in progress end first: the last of them closes the files. */
static PyObject *dataset_close(PyObject *self, PyObject *capsule)
{
    dataset *d = (dataset *)PyCapsule_GetPointer(capsule, "taco_h.dataset");
    (void)self;
    if (!d) { return NULL; }
    if (dataset_begin(d)) {
        PyThread_acquire_lock(d->refs_lock, 1);
        d->closed = true;
        PyThread_release_lock(d->refs_lock);
        dataset_leave(d);
    }
    Py_RETURN_NONE;
}

bool dataset_is_closed(dataset *d)
{
    bool closed;
    PyThread_acquire_lock(d->refs_lock, 1);
    closed = d->closed;
    PyThread_release_lock(d->refs_lock);
    return closed;
}

static PyObject *dataset_closed(PyObject *self, PyObject *capsule)
{
    dataset *d = (dataset *)PyCapsule_GetPointer(capsule, "taco_h.dataset");
    (void)self;
    return d ? PyBool_FromLong(dataset_is_closed(d)) : NULL;
}

/* The paths in a tuple of str as C strings, owned by the bytes objects in `keep`. NULL with an
   exception set if it fails. */
static const char **path_list(PyObject *paths, PyObject **keep, size_t *n)
{
    Py_ssize_t i, count = PyTuple_Size(paths);
    const char **list = count < 0 ? NULL : (const char **)calloc((size_t)count + 1, sizeof *list);
    if (count >= 0 && !list) { PyErr_NoMemory(); }
    *keep = PyList_New(0);
    for (i = 0; list && *keep && i < count; i++) {
        PyObject *bytes = NULL;
        if (!PyUnicode_FSConverter(PyTuple_GetItem(paths, i), &bytes)) { break; }
        list[i] = PyBytes_AsString(bytes);
        if (!list[i] || PyList_Append(*keep, bytes) != 0) { list[i] = NULL; }
        Py_DECREF(bytes);
        if (!list[i]) { break; }
    }
    if (!list || !*keep || i < count) {
        free(list);
        Py_CLEAR(*keep);
        return NULL;
    }
    *n = (size_t)count;
    return list;
}

static taco_dataset *open_paths(dataset *d, const char **list, size_t n, int mode,
                                const char *base_path, taco_error *err)
{
    taco_dataset *ds = n == 1 ? taco_open(list[0], &d->options, err)
                              : taco_open_many(list, n, (taco_column_mode)mode, &d->options, err);
    if (ds && base_path && taco_set_base_path(ds, base_path, err) != TACO_OK) {
        taco_close(ds);
        ds = NULL;
    }
    return ds;
}

/* open(paths, column_mode, base_path or None) */
static PyObject *dataset_open(PyObject *self, PyObject *args)
{
    PyObject *paths, *keep, *out = NULL;
    const char *base_path, **list;
    taco_error err = {0};
    dataset *d;
    size_t i, n;
    int mode;
    (void)self;
    if (!PyArg_ParseTuple(args, "Oiz", &paths, &mode, &base_path)) { return NULL; }
    list = path_list(paths, &keep, &n);
    if (!list) { return NULL; }
    d = (dataset *)calloc(1, sizeof *d);
    if (d) {
        d->lock = PyThread_allocate_lock();
        d->refs_lock = PyThread_allocate_lock();
    }
    if (d && d->lock && d->refs_lock) {
        d->refs = 1;
        set_options(&d->options, d->openers);
        d->options.warn = keep_warning;
        d->options.warn_ctx = d;
        d->log_level = log_level;
        if (d->log_level) { d->options.log = keep_line; }
        d->options.log_ctx = d;
        for (i = 0; i < n; i++) {
            set_remote(d, list[i]);
        }
        set_remote(d, base_path);
        Py_BEGIN_ALLOW_THREADS d->ds = open_paths(d, list, n, mode, base_path, &err);
        Py_END_ALLOW_THREADS if (d->ds)
        {
            out = PyCapsule_New(d, "taco_h.dataset", dataset_free);
        }
        tell_log(d);
        if (!out) {
            explain_failure(d, &err);
            raise_failure(&err, "file");
        }
    } else {
        PyErr_NoMemory();
    }
    if (!out && d) { dataset_destroy(d); }
    free(list);
    Py_DECREF(keep);
    return out;
}

static PyObject *take_warnings(PyObject *self, PyObject *capsule)
{
    dataset *d = dataset_of(capsule);
    PyObject *out;
    taco_error kept[MAX_WARNINGS];
    size_t i, n;
    (void)self;
    if (!d) { return NULL; }
    BEGIN_CALL(d)
    n = d->warning_count;
    memcpy(kept, d->warnings, n * sizeof kept[0]);
    d->warning_count = 0;
    END_CALL(d)
    dataset_leave(d);
    out = PyList_New(0);
    for (i = 0; out && i < n; i++) {
        PyObject *text =
            PyUnicode_DecodeUTF8(kept[i].text, (Py_ssize_t)strlen(kept[i].text), "replace");
        if (!text || PyList_Append(out, text) != 0) { Py_CLEAR(out); }
        Py_XDECREF(text);
    }
    return out;
}

/* ---- information ---- */

/* The library's texts are valid until its next call: they are copied while the lock is held. */
static char *copied(taco_bytes text)
{
    char *out = text.data ? (char *)malloc(text.len + 1) : NULL;
    if (out) {
        memcpy(out, text.data, text.len);
        out[text.len] = 0;
    }
    return out;
}

static PyObject *info_json(PyObject *self, PyObject *capsule)
{
    dataset *d = dataset_of(capsule);
    taco_error err = {0};
    PyObject *out;
    char *text;
    (void)self;
    if (!d) { return NULL; }
    BEGIN_CALL(d)
    text = copied(taco_info_json(d->ds, &err));
    if (!text && !err.code) { err.code = TACO_ERR_MEMORY; }
    END_CALL(d)
    dataset_leave(d);
    if (!text) { return raise_failure(&err, "file"); }
    out = PyUnicode_FromString(text);
    free(text);
    return out;
}

/* The whole COLLECTION.json as bytes. */
static PyObject *collection(PyObject *self, PyObject *capsule)
{
    dataset *d = dataset_of(capsule);
    taco_bytes text;
    PyObject *out;
    (void)self;
    if (!d) { return NULL; }
    BEGIN_CALL(d)
    text = taco_collection(d->ds, NULL); /* valid as long as the dataset */
    END_CALL(d)
    out = PyBytes_FromStringAndSize((const char *)text.data, (Py_ssize_t)text.len);
    dataset_leave(d);
    return out;
}

/* (kind, format, levels) */
static PyObject *describe(PyObject *self, PyObject *capsule)
{
    static const char *const kinds[] = {"", "zip", "folder", "tacocat", "other"};
    dataset *d = dataset_of(capsule);
    const char *format;
    taco_kind kind;
    unsigned levels;
    PyObject *out;
    (void)self;
    if (!d) { return NULL; }
    BEGIN_CALL(d)
    kind = taco_dataset_kind(d->ds);
    format = taco_dataset_format(d->ds); /* valid as long as the dataset */
    levels = (unsigned)taco_levels(d->ds);
    END_CALL(d)
    out = Py_BuildValue("(ssI)", kinds[kind], format, levels);
    dataset_leave(d);
    return out;
}

/* level_fields(dataset, level) */
static PyObject *level_fields(PyObject *self, PyObject *args)
{
    PyObject *capsule, *out;
    unsigned level;
    taco_error err = {0};
    const taco_field *fields;
    dataset *d;
    size_t n;
    (void)self;
    if (!PyArg_ParseTuple(args, "OI", &capsule, &level)) { return NULL; }
    d = dataset_of(capsule);
    if (!d) { return NULL; }
    BEGIN_CALL(d)
    fields = taco_level_fields(d->ds, level, &n, &err);
    END_CALL(d)
    out = fields ? fields_tuple(fields, n) : raise_failure(&err, "file");
    dataset_leave(d);
    return out;
}

/* ---- one sample ---- */

/* locate(dataset, path): (vsi, file, offset, size, folder, whole) */
static PyObject *locate(PyObject *self, PyObject *args)
{
    PyObject *capsule, *out;
    const char *path;
    char *vsi = NULL, *file = NULL;
    taco_error err = {0};
    taco_sample s;
    taco_status status;
    dataset *d;
    (void)self;
    if (!PyArg_ParseTuple(args, "Os", &capsule, &path)) { return NULL; }
    d = dataset_of(capsule);
    if (!d) { return NULL; }
    memset(&s, 0, sizeof s);
    BEGIN_CALL(d)
    status = taco_locate(d->ds, path, &s, &err);
    if (status == TACO_OK) {
        taco_bytes text = {(const uint8_t *)s.vsi, strlen(s.vsi)};
        vsi = copied(text);
        text.data = (const uint8_t *)s.file;
        text.len = strlen(s.file);
        file = copied(text);
    }
    explain_failure(d, &err);
    END_CALL(d)
    dataset_leave(d);
    if (status != TACO_OK) { return raise_failure(&err, "sample"); }
    out = vsi && file ? Py_BuildValue("(NNKKNN)", PyUnicode_DecodeFSDefault(vsi),
                                      PyUnicode_DecodeFSDefault(file), (unsigned long long)s.offset,
                                      (unsigned long long)s.size, PyBool_FromLong(s.folder),
                                      PyBool_FromLong(s.whole))
                      : PyErr_NoMemory();
    free(vsi);
    free(file);
    return out;
}

static PyObject *read_payload(dataset *d, const char *path, unsigned long long offset,
                              long long size)
{
    PyObject *out = NULL;
    taco_error err = {0};
    taco_source src;
    taco_status status;
    bool ok = true;
    BEGIN_CALL(d)
    status = taco_payload(d->ds, path, &src, &err);
    explain_failure(d, &err);
    END_CALL(d)
    if (status != TACO_OK) { return raise_failure(&err, "sample"); }
    offset = offset < src.size ? offset : src.size;
    if (size < 0 || (uint64_t)size > src.size - offset) { size = (long long)(src.size - offset); }
    out = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    BEGIN_CALL(d)
    if (out && size) { ok = src.read(src.ctx, offset, PyBytes_AsString(out), (size_t)size); }
    if (src.close) { src.close(src.ctx); }
    END_CALL(d)
    if (!ok) {
        Py_CLEAR(out);
        err.code = TACO_ERR_IO;
        err.offset = offset;
        PyOS_snprintf(err.text, sizeof err.text, "%.200s: the payload cannot be read", path);
        explain_failure(d, &err);
        return raise_failure(&err, "sample");
    }
    return out;
}

/* payload(dataset, path, offset, size or -1): bytes of a FILE; fewer if it ends before. */
static PyObject *payload(PyObject *self, PyObject *args)
{
    PyObject *capsule, *out;
    const char *path;
    long long size;
    unsigned long long offset;
    dataset *d;
    (void)self;
    if (!PyArg_ParseTuple(args, "OsKL", &capsule, &path, &offset, &size)) { return NULL; }
    d = dataset_of(capsule);
    if (!d) { return NULL; }
    out = read_payload(d, path, offset, size);
    dataset_leave(d);
    return out;
}

/* ---- the module ---- */

static PyObject *version(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    return PyUnicode_FromString(taco_version());
}

/* Optional parts found when the module was built. */
static PyObject *parts(PyObject *self, PyObject *unused)
{
    bool brotli = false, curl = false;
    (void)self;
    (void)unused;
#ifdef SYSTEM_BROTLI
    brotli = true;
#endif
#ifdef WITH_CURL
    curl = true;
#endif
    return Py_BuildValue("{sNsN}", "brotli", PyBool_FromLong(brotli), "curl",
                         PyBool_FromLong(curl));
}

static PyMethodDef module_methods[] = {{"set_failure_factory", set_failure_factory, METH_O, NULL},
                                       {"set_log", set_log, METH_VARARGS, NULL},
                                       {"open", dataset_open, METH_VARARGS, NULL},
                                       {"close", dataset_close, METH_O, NULL},
                                       {"closed", dataset_closed, METH_O, NULL},
                                       {"take_warnings", take_warnings, METH_O, NULL},
                                       {"info_json", info_json, METH_O, NULL},
                                       {"collection", collection, METH_O, NULL},
                                       {"describe", describe, METH_O, NULL},
                                       {"level_fields", level_fields, METH_VARARGS, NULL},
                                       {"locate", locate, METH_VARARGS, NULL},
                                       {"payload", payload, METH_VARARGS, NULL},
                                       {"version", version, METH_NOARGS, NULL},
                                       {"parts", parts, METH_NOARGS, NULL},
                                       {NULL, NULL, 0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_native", NULL, -1, module_methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__native(void)
{
    PyObject *m = PyModule_Create(&module);
#ifdef WITH_CURL
    remote_start();
#endif
    if (m && (PyModule_AddFunctions(m, rows_methods) != 0 ||
              PyModule_AddFunctions(m, loader_methods) != 0 ||
              PyModule_AddFunctions(m, write_methods) != 0)) {
        Py_CLEAR(m);
    }
    return m;
}
