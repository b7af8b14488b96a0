/* native.h - shared by the files of the extension module taco_h._native. The module is a thin layer
   over the public headers: functions that take and return capsules, which the Python sources in
   taco_h/ wrap in classes. It uses only the limited API of CPython 3.6, so that one binary works
   with every later version.

   LOCKS. A dataset and everything made from it may be used by one thread at a time, so each dataset
   has a lock. It is taken after the GIL was released, and no thread waits for the GIL while holding
   it: results that are valid until the next call are copied first.

   CLOSING. close() ends a dataset and everything made from it, whoever still holds it: later calls
   fail. Every function enters the dataset and leaves it, and the last to leave a dataset that was
   closed meanwhile closes the files: what the library gave to a call lives until it has left. */
#ifndef NATIVE_H
#define NATIVE_H

/* Do not use formats with '#': their meaning differs between the versions of Python supported. */
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x03060000
#endif
#include <Python.h>

/* Headers of CPython 3.12 take None for immortal here, too, but before 3.12 it is not: each call
   that returned it would take a reference from it. */
#undef Py_RETURN_NONE
#define Py_RETURN_NONE                                                                             \
    do {                                                                                           \
        Py_INCREF(Py_None);                                                                        \
        return Py_None;                                                                            \
    } while (0)
#include <pythread.h>

#include "taco_legacy.h"
#include "taco_publish.h"
#include "taco_rasteret.h"
#include "taco_sql.h"
#include "taco_v3.h"

#ifdef WITH_CURL
#include "remote.h"
#endif

/* Calls of the library go between these two, without the GIL and with the lock of the dataset. Log
   lines are kept until Python may run again. */
#define BEGIN_CALL(d) Py_BEGIN_ALLOW_THREADS PyThread_acquire_lock((d)->lock, 1);
#define END_CALL(d)                                                                                \
    PyThread_release_lock((d)->lock);                                                              \
    Py_END_ALLOW_THREADS tell_log(d);

enum { MAX_WARNINGS = 16, MAX_LOG = 1 << 16 };

/* The start of everything made from a dataset: a view, cursor, stream or loader. */
typedef struct part {
    struct dataset *d;
    struct part *before, *after;
    /* ends what the library has of it; called once, with the lock of the dataset */
    void (*end)(struct part *p);
} part;

/* A dataset. Everything made from it holds a reference; the last one frees it. */
typedef struct dataset {
    PyThread_type_lock lock;
    /* never held for long; guards the next four, and links of parts */
    PyThread_type_lock refs_lock;
    size_t refs;
    /* number of calls in it now */
    size_t calls;
    bool closed;
    /* the newest part that has not ended; those after it are older */
    part *parts;
    /* NULL after it was closed */
    taco_dataset *ds;
    const taco_opener *openers[4];
    taco_options options;
    /* first MAX_WARNINGS warnings since take_warnings */
    taco_error warnings[MAX_WARNINGS];
    size_t warning_count;
    /* highest taco_log_level to log, as set by verbose() before it was opened, or 0; lines not
       passed to Python yet, each with its level, its text and a 0 */
    int log_level;
    char *log;
    size_t log_len;
#ifdef WITH_CURL
    remote_client remote;
#endif
} dataset;

/* ---- module.c ---- */

/* Raises the exception that the Python sources make of a failure. missing: what NOT_FOUND refers
   to in this call: "file", "column" or "sample". Returns NULL. */
PyObject *raise_failure(const taco_error *err, const char *missing);

/* Passes lines that the library logged to Python; needs the GIL, but not the lock of d. */
void tell_log(dataset *d);

/* Adds to a read failure what the library cannot know: why a server did not send the bytes. */
void explain_failure(const dataset *d, taco_error *err);

/* Default options, with which old formats and Rasteret collections can be opened, too. */
void set_options(taco_options *opt, const taco_opener *openers[4]);

/* Begins a call with a reference, unless the dataset was closed, and ends it. Ending the last call
   of a closed dataset closes its files. Neither needs the GIL, with which dataset_end must not be
   called. */
bool dataset_begin(dataset *d);
void dataset_end(dataset *d);

/* The same for functions of the module, with the GIL: false, and NULL for the dataset in a capsule,
   with an exception set if it was closed. */
bool dataset_enter(dataset *d);
dataset *dataset_of(PyObject *capsule);
void dataset_leave(dataset *d);

/* Whether close() was called. */
bool dataset_is_closed(dataset *d);

/* Makes p a part of the dataset that was entered. part_free ends it, if close() has not, and drops
   its reference; it must not be called with the GIL. */
void part_init(part *p, dataset *d, void (*end)(part *));
void part_free(part *p);

/* ---- arrays.c ---- */

/* The columns of a cursor or level as a tuple of (name, type, unit, utc, width, scale, children). */
PyObject *fields_tuple(const taco_field *fields, size_t n);

/* Value i of an array: None, bool, int, float, str, bytes, list, dict; dates and decimals as
   stored, as integers and bytes. */
PyObject *array_value(const taco_array *a, size_t i);

/* ---- rows.c: views and cursors ---- */

extern PyMethodDef rows_methods[];

/* ---- loader.c: batches of payloads ---- */

extern PyMethodDef loader_methods[];

/* ---- write.c: create, validate ---- */

extern PyMethodDef write_methods[];

#endif
