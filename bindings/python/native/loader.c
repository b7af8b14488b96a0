/* loader.c - payloads in batches, for training: a taco_loader with access to any batch */
#include "native.h"

#include <stdlib.h>
#include <string.h>

typedef struct loader {
    dataset *d;
    taco_loader *l;
    uint64_t next; /* first sample of the next batch */
    /* held until a batch is copied, as the next call overwrites it; taken without the GIL and the
       lock of the dataset */
    PyThread_type_lock turn;
    /* the thread that has it, or 0: a log handler that reads a batch would wait for itself */
    unsigned long owner;
} loader;

static void loader_free(PyObject *capsule)
{
    loader *l = (loader *)PyCapsule_GetPointer(capsule, "taco_h.loader");
    Py_BEGIN_ALLOW_THREADS PyThread_acquire_lock(l->d->lock, 1);
    taco_loader_close(l->l, NULL);
    PyThread_release_lock(l->d->lock);
    dataset_drop(l->d);
    PyThread_free_lock(l->turn);
    free(l);
    Py_END_ALLOW_THREADS
}

/* A loader of the dataset in a capsule, without its taco_loader. NULL with an exception set. */
static loader *loader_make(PyObject *capsule)
{
    loader *l = (loader *)calloc(1, sizeof *l);
    PyThread_type_lock turn = l ? PyThread_allocate_lock() : NULL;
    if (!turn) { PyErr_NoMemory(); }
    if (turn) { l->d = dataset_enter(capsule); }
    if (!turn || !l->d) {
        if (turn) { PyThread_free_lock(turn); }
        free(l);
        return NULL;
    }
    l->turn = turn;
    return l;
}

/* loader(dataset, where, time, level, shuffle, seed, rank, ranks, batch, ahead) */
static PyObject *loader_open(PyObject *self, PyObject *args)
{
    PyObject *capsule, *out;
    taco_query q;
    taco_loader_options how;
    taco_error err = {0};
    unsigned level, rank, ranks;
    unsigned long long seed, batch, ahead;
    int shuffle;
    loader *l;
    (void)self;
    memset(&q, 0, sizeof q);
    memset(&how, 0, sizeof how);
    if (!PyArg_ParseTuple(args, "OzzIpKIIKK", &capsule, &q.where, &q.time, &level, &shuffle, &seed,
                          &rank, &ranks, &batch, &ahead)) {
        return NULL;
    }
    l = loader_make(capsule);
    if (!l) { return NULL; }
    q.level = q.table = level;
    how.shuffle = shuffle != 0;
    how.seed = seed;
    how.rank = rank;
    how.ranks = ranks;
    how.batch = (size_t)batch;
    how.ahead = (size_t)ahead;
    BEGIN_CALL(l->d)
    l->l = taco_loader_open(l->d->ds, &q, &how, &err);
    explain_failure(l->d, &err);
    END_CALL(l->d)
    out = l->l ? PyCapsule_New(l, "taco_h.loader", loader_free) : raise_failure(&err, "column");
    if (!out) {
        taco_loader_close(l->l, NULL);
        dataset_leave(l->d);
        PyThread_free_lock(l->turn);
        free(l);
    }
    return out;
}

static PyObject *loader_count(PyObject *self, PyObject *capsule)
{
    loader *l = (loader *)PyCapsule_GetPointer(capsule, "taco_h.loader");
    uint64_t count;
    (void)self;
    if (!l) { return NULL; }
    BEGIN_CALL(l->d)
    count = taco_loader_count(l->l);
    END_CALL(l->d)
    return PyLong_FromUnsignedLongLong(count);
}

/* ([row, ...], [payload, ...]) of a batch; copies the bytes. */
static PyObject *batch_tuple(const taco_loader_batch *b)
{
    PyObject *rows = PyList_New((Py_ssize_t)b->count), *payloads = PyList_New((Py_ssize_t)b->count);
    size_t i;
    for (i = 0; rows && payloads && i < b->count; i++) {
        const taco_loader_item *item = &b->items[i];
        PyObject *row = PyLong_FromUnsignedLongLong(item->row);
        PyObject *bytes =
            PyBytes_FromStringAndSize((const char *)item->bytes.data, (Py_ssize_t)item->bytes.len);
        /* both calls steal the reference; a NULL item is an exception */
        if (PyList_SetItem(rows, (Py_ssize_t)i, row) != 0 ||
            PyList_SetItem(payloads, (Py_ssize_t)i, bytes) != 0 || !row || !bytes) {
            Py_CLEAR(rows);
        }
    }
    if (!rows || !payloads) {
        Py_XDECREF(rows);
        Py_XDECREF(payloads);
        return NULL;
    }
    return Py_BuildValue("NN", rows, payloads);
}

static PyObject *read_batch(loader *l, uint64_t first)
{
    taco_loader_batch b;
    taco_error err = {0};
    bool any = false;
    BEGIN_CALL(l->d)
    if (first == l->next || taco_loader_seek(l->l, first, &err) == TACO_OK) {
        any = taco_loader_next(l->l, &b);
        l->next = any ? b.next : first;
        /* false before the last sample is a failure, which closing the loader reports */
        if (!any && first < taco_loader_count(l->l)) {
            taco_loader_close(l->l, &err);
            l->l = NULL;
        }
    }
    explain_failure(l->d, &err);
    END_CALL(l->d)
    if (err.code != TACO_OK) { return raise_failure(&err, "sample"); }
    if (!any) { Py_RETURN_NONE; }
    return batch_tuple(&b);
}

/* loader_batch(loader, first): the batch starting at sample `first`; None at the end. */
static PyObject *loader_batch(PyObject *self, PyObject *args)
{
    PyObject *capsule, *out;
    unsigned long long first;
    loader *l;
    (void)self;
    if (!PyArg_ParseTuple(args, "OK", &capsule, &first)) { return NULL; }
    l = (loader *)PyCapsule_GetPointer(capsule, "taco_h.loader");
    if (!l) { return NULL; }
    if (l->owner == PyThread_get_thread_ident()) {
        PyErr_SetString(PyExc_RuntimeError, "a batch is read while this thread reads another one");
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS PyThread_acquire_lock(l->turn, 1);
    Py_END_ALLOW_THREADS l->owner = PyThread_get_thread_ident();
    out = read_batch(l, first);
    l->owner = 0;
    PyThread_release_lock(l->turn);
    return out;
}

PyMethodDef loader_methods[] = {{"loader", loader_open, METH_VARARGS, NULL},
                                {"loader_count", loader_count, METH_O, NULL},
                                {"loader_batch", loader_batch, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};
