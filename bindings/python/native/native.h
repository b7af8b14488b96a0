/* native.h - what the files of the extension module taco_h._native share. The module is a thin layer
   over the public headers: functions that take and return capsules, which the Python sources in
   taco_h/ make classes of. It keeps to the limited API of CPython 3.6, so that one binary serves
   every later version.

   LOCKS. A dataset and what was made from it belong to one thread at a time, so each dataset has a
   lock. It is taken after the GIL was released, and no thread waits for the GIL while it holds it:
   results that live until the next call are copied first. */
#ifndef NATIVE_H
#define NATIVE_H

/* No format with '#': what they mean differs between versions that one binary serves. */
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x03060000
#endif
#include <Python.h>
#include <pythread.h>

#include "taco_legacy.h"
#include "taco_publish.h"
#include "taco_rasteret.h"
#include "taco_sql.h"

#ifdef WITH_CURL
#include "remote.h"
#endif

/* Calls of the library go between these two: without the GIL, and with the lock of the dataset.
   What it logs is kept until Python may run again. */
#define BEGIN_CALL(d) Py_BEGIN_ALLOW_THREADS PyThread_acquire_lock((d)->lock, 1);
#define END_CALL(d)                                                                                \
    PyThread_release_lock((d)->lock);                                                              \
    Py_END_ALLOW_THREADS tell_log(d);

enum { MAX_WARNINGS = 16, MAX_LOG = 1 << 16 };

/* A dataset, which everything that was made from it holds: it is closed with the last of them. */
typedef struct dataset {
    PyThread_type_lock lock;
    /* holders; changed with the lock held */
    size_t refs;
    taco_dataset *ds;
    const taco_opener *openers[3];
    taco_options options;
    /* what the library warned of since take_warnings, the first of them */
    taco_error warnings[MAX_WARNINGS];
    size_t warning_count;
    /* as verbose() said when it was opened: 0, or the most of taco_log_level; lines that were not
       told yet, each its level, its text and a 0 */
    int log_level;
    char *log;
    size_t log_len;
#ifdef WITH_CURL
    remote_client remote;
#endif
} dataset;

/* ---- module.c ---- */

/* Raises the exception that the Python sources make of a failure. missing: what a NOT_FOUND of this
   call is about: file, column, sample. Returns NULL. */
PyObject *raise_failure(const taco_error *err, const char *missing);

/* Hands lines that the library logged to Python; with the GIL, and without the lock of d. */
void tell_log(dataset *d);

/* Says in a failure to read what the library cannot know: why a server did not send it. */
void explain_failure(const dataset *d, taco_error *err);

/* Options for calls that have no dataset: old formats and remote files are read as well. */
void set_options(taco_options *opt, const taco_opener *openers[3]);

/* Adds a holder; drops one, with which the last closes the dataset. Neither needs the GIL. */
dataset *dataset_hold(dataset *d);
void dataset_drop(dataset *d);

/* What a capsule of the dataset holds; NULL after an exception when it was closed. */
dataset *dataset_of(PyObject *capsule);

/* ---- arrays.c ---- */

/* The columns of a cursor or level as a tuple of (name, type, unit, utc, width, scale, children). */
PyObject *fields_tuple(const taco_field *fields, size_t n);

/* A row of an array: None, bool, int, float, str, bytes, list, dict; dates and decimals as the
   integers and bytes they are stored as. */
PyObject *array_value(const taco_array *a, size_t i);

/* ---- rows.c: views and cursors ---- */

extern PyMethodDef rows_methods[];

/* ---- loader.c: batches of payloads ---- */

extern PyMethodDef loader_methods[];

/* ---- write.c: create, validate ---- */

extern PyMethodDef write_methods[];

#endif
