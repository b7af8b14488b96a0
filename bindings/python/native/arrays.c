/* arrays.c - converts columns to Python objects, one value at a time, for iteration over rows.
   Whole tables are passed through Arrow instead, without copying (rows.c). */
#include "native.h"

static const char *const type_names[] = {
    "null",     "bool", "int8",   "int16",  "int32",   "int64", "uint8", "uint16",    "uint32",
    "uint64",   "half", "float",  "double", "decimal", "date",  "time",  "timestamp", "int96",
    "interval", "text", "binary", "fixed",  "uuid",    "list",  "map",   "struct"};

PyObject *fields_tuple(const taco_field *fields, size_t n)
{
    PyObject *out = PyTuple_New((Py_ssize_t)n);
    size_t i;
    for (i = 0; out && i < n; i++) {
        const taco_field *f = &fields[i];
        PyObject *children = fields_tuple(f->children, f->child_count), *one;
        if (!children) { break; }
        one = Py_BuildValue("(ssiNiiN)", f->name, type_names[f->type], (int)f->unit,
                            PyBool_FromLong(f->utc), (int)f->width, (int)f->scale, children);
        if (!one) { break; }
        PyTuple_SetItem(out, (Py_ssize_t)i, one);
    }
    if (i < n) { Py_CLEAR(out); }
    return out;
}

static PyObject *struct_value(const taco_array *a, size_t i)
{
    PyObject *out = PyDict_New();
    uint32_t k;
    for (k = 0; out && k < a->field->child_count; k++) {
        PyObject *v = array_value(&a->children[k], i);
        if (!v || PyDict_SetItemString(out, a->field->children[k].name, v) != 0) { Py_CLEAR(out); }
        Py_XDECREF(v);
    }
    return out;
}

/* A list; for maps a list of pairs, as in pyarrow. */
static PyObject *list_value(const taco_array *a, size_t i)
{
    int32_t from = a->offsets[i], to = a->offsets[i + 1], k;
    const taco_array *items = &a->children[0];
    PyObject *out = PyList_New(to - from);
    for (k = from; out && k < to; k++) {
        PyObject *v;
        if (a->field->type == TACO_MAP) {
            v = Py_BuildValue("(NN)", array_value(&items->children[0], (size_t)k),
                              array_value(&items->children[1], (size_t)k));
        } else {
            v = array_value(items, (size_t)k);
        }
        if (!v) {
            Py_CLEAR(out);
        } else {
            PyList_SetItem(out, k - from, v);
        }
    }
    return out;
}

PyObject *array_value(const taco_array *a, size_t i)
{
    taco_bytes b;
    if (!taco_array_valid(a, i)) { Py_RETURN_NONE; }
    if (a->dictionary) { return array_value(a->dictionary, (size_t)a->v.i32[i]); }
    switch (a->field->type) {
    case TACO_NULL: Py_RETURN_NONE;
    case TACO_BOOL: return PyBool_FromLong((long)taco_array_int(a, i));
    case TACO_INT8:
    case TACO_INT16:
    case TACO_INT32:
    case TACO_INT64:
    case TACO_UINT8:
    case TACO_UINT16:
    case TACO_UINT32:
    case TACO_DATE:
    case TACO_TIME:
    case TACO_TIMESTAMP: return PyLong_FromLongLong(taco_array_int(a, i));
    case TACO_UINT64: return PyLong_FromUnsignedLongLong(a->v.u64[i]);
    case TACO_HALF:
    case TACO_FLOAT:
    case TACO_DOUBLE: return PyFloat_FromDouble(taco_array_double(a, i));
    case TACO_LIST:
    case TACO_MAP: return list_value(a, i);
    case TACO_STRUCT: return struct_value(a, i);
    case TACO_TEXT:
        /* text in files may be invalid UTF-8; surrogateescape preserves its bytes */
        b = taco_array_bytes(a, i);
        return PyUnicode_DecodeUTF8((const char *)b.data, (Py_ssize_t)b.len, "surrogateescape");
    case TACO_DECIMAL:
        if (a->field->width) {
            return PyBytes_FromStringAndSize((const char *)a->v.u8 + i * (size_t)a->field->width,
                                             a->field->width);
        }
        break;
    case TACO_INT96:
    case TACO_INTERVAL:
    case TACO_BINARY:
    case TACO_FIXED:
    case TACO_UUID: break;
    }
    b = taco_array_bytes(a, i);
    return PyBytes_FromStringAndSize((const char *)b.data, (Py_ssize_t)b.len);
}
