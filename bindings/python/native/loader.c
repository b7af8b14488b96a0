/* loader.c - payloads in batches, for training: a taco_loader with access to any batch */
#include "native.h"

#include <stdlib.h>
#include <string.h>

typedef struct loader {
    part of;
    taco_loader *l;
    uint64_t next; /* first sample of the next batch */
    /* held until a batch is copied, as the next call overwrites it; taken without the GIL and the
       lock of the dataset */
    PyThread_type_lock turn;
    /* the thread that has it, or 0: a log handler that reads a batch would wait for itself */
    unsigned long owner;
} loader;

static void loader_end(part *p)
{
    taco_loader_close(((loader *)p)->l, NULL);
}

static void loader_free(PyObject *capsule)
{
    loader *l = (loader *)PyCapsule_GetPointer(capsule, "taco_h.loader");
    Py_BEGIN_ALLOW_THREADS part_free(&l->of);
    PyThread_free_lock(l->turn);
    free(l);
    Py_END_ALLOW_THREADS
}

/* The loader in a capsule, whose dataset is entered; NULL with an exception set. */
static loader *loader_of(PyObject *capsule)
{
    loader *l = (loader *)PyCapsule_GetPointer(capsule, "taco_h.loader");
    return l && dataset_enter(l->of.d) ? l : NULL;
}

/* A capsule that takes ownership of a loader of the dataset; NULL with an exception set. */
static PyObject *loader_capsule(dataset *d, taco_loader *made)
{
    loader *l = (loader *)calloc(1, sizeof *l);
    PyThread_type_lock turn = l ? PyThread_allocate_lock() : NULL;
    PyObject *out = turn ? PyCapsule_New(l, "taco_h.loader", loader_free) : PyErr_NoMemory();
    if (out) {
        l->l = made;
        l->turn = turn;
        part_init(&l->of, d, loader_end);
    } else {
        BEGIN_CALL(d)
        taco_loader_close(made, NULL);
        END_CALL(d)
        if (turn) { PyThread_free_lock(turn); }
        free(l);
    }
    return out;
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
    dataset *d;
    taco_loader *made;
    (void)self;
    memset(&q, 0, sizeof q);
    memset(&how, 0, sizeof how);
    if (!PyArg_ParseTuple(args, "OzzIpKIIKK", &capsule, &q.where, &q.time, &level, &shuffle, &seed,
                          &rank, &ranks, &batch, &ahead)) {
        return NULL;
    }
    d = dataset_of(capsule);
    if (!d) { return NULL; }
    q.level = q.table = level;
    how.shuffle = shuffle != 0;
    how.seed = seed;
    how.rank = rank;
    how.ranks = ranks;
    how.batch = (size_t)batch;
    how.ahead = (size_t)ahead;
    BEGIN_CALL(d)
    made = taco_loader_open(d->ds, &q, &how, &err);
    explain_failure(d, &err);
    END_CALL(d)
    out = made ? loader_capsule(d, made) : raise_failure(&err, "column");
    dataset_leave(d);
    return out;
}

static PyObject *loader_count(PyObject *self, PyObject *capsule)
{
    loader *l = loader_of(capsule);
    uint64_t count;
    (void)self;
    if (!l) { return NULL; }
    BEGIN_CALL(l->of.d)
    count = taco_loader_count(l->l);
    END_CALL(l->of.d)
    dataset_leave(l->of.d);
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
    BEGIN_CALL(l->of.d)
    if (first == l->next || taco_loader_seek(l->l, first, &err) == TACO_OK) {
        any = taco_loader_next(l->l, &b);
        l->next = any ? b.next : first;
        /* false before the last sample is a failure, which closing the loader reports */
        if (!any && first < taco_loader_count(l->l)) {
            taco_loader_close(l->l, &err);
            l->l = NULL;
        }
    }
    explain_failure(l->of.d, &err);
    END_CALL(l->of.d)
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
    l = loader_of(capsule);
    if (!l) { return NULL; }
    if (l->owner == PyThread_get_thread_ident()) {
        PyErr_SetString(PyExc_RuntimeError, "a batch is read while this thread reads another one");
        dataset_leave(l->of.d);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS PyThread_acquire_lock(l->turn, 1);
    Py_END_ALLOW_THREADS l->owner = PyThread_get_thread_ident();
    out = read_batch(l, first);
    l->owner = 0;
    PyThread_release_lock(l->turn);
    dataset_leave(l->of.d);
    return out;
}

PyMethodDef loader_methods[] = {{"loader", loader_open, METH_VARARGS, NULL},
                                {"loader_count", loader_count, METH_O, NULL},
                                {"loader_batch", loader_batch, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};
