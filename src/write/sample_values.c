/* sample_values.c - taco_writer_set_*: values of the sample that was begun last, by column name

   In: a column's name and a value of some C type; out: one row in the column's builder, or a
   TYPE error that names the column's type and what it was given. TACO 2.0 §5, §7.1.1.

   taco__sample_value_column finds the column, guessing that columns are set in the same order
   for every sample, and brings it up to the row before. Conversions: integers into every
   integer, date, time and floating type they fit; text into dates and timestamps by ISO 8601. */
#include "write.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../dataset/dataset.h"

/* The column's builder, ready for the value of the current sample. NULL on failure, with the
   writer's error set. */
static taco__array_builder *taco__sample_value_column(taco_writer *w, const char *name)
{
    taco_bytes key = taco__bytes_text(name ? name : "");
    taco__array_builder *c = NULL;
    size_t i, k, n, row;
    if (taco__dataset_writer_status(w) != TACO_OK) { return NULL; }
    if (!w->begun) {
        TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET, "column %q: there is no sample yet",
                   &key);
        return NULL;
    }
    n = w->counts[w->level];
    row = w->tree.level[w->level].rows - 1;
    for (i = 0; i < n && !c; i++) {
        k = (w->hint[w->level] + i) % n;
        if (taco__bytes_equal(taco__bytes_text(w->columns[w->level][k].rows.field->name), key)) {
            c = &w->columns[w->level][k].rows;
            w->hint[w->level] = k + 1;
        }
    }
    if (!c) {
        TACO__FAIL(&w->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "level %u has no column %q",
                   TACO__U(w->level), &key);
    } else if (c->length > row) {
        TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET, "column %q is set twice", &key);
    } else { /* earlier rows are complete, except in columns that were declared late */
        while (c->length < row) {
            if (!taco__array_builder_append_null(c, &w->err)) { break; }
        }
    }
    if (w->err.code != TACO_OK) {
        taco__dataset_writer_prefix_error(w);
        return NULL;
    }
    return c;
}

/* TYPE: the column's type and, in words, the value given. */
static taco_status taco__sample_value_fail_type(taco_writer *w, const taco__array_builder *c,
                                                const char *given)
{
    taco__buf b;
    taco_bytes name = taco__bytes_text(c->field->name);
    memset(&b, 0, sizeof b);
    b.mem = &w->mem;
    if (taco__type_name_append(c->field, &b, NULL) && taco__buf_append_char(&b, 0, NULL)) {
        TACO__FAIL(&w->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q is %s, was given %s", &name,
                   (const char *)b.data, given);
    }
    TACO__FAIL(&w->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q was given %s", &name, given);
    taco__buf_free(&b);
    return taco__dataset_writer_prefix_error(w);
}

TACO_API taco_status taco_writer_set_null(taco_writer *w, const char *column)
{
    taco__array_builder *c = taco__sample_value_column(w, column);
    if (c) { taco__array_builder_append_null(c, &w->err); }
    return taco__dataset_writer_status(w);
}

/* FIXED and UUID accept exactly their width, TEXT only UTF-8, as Parquet's strings. */
TACO_API taco_status taco_writer_set_bytes(taco_writer *w, const char *column, const void *data,
                                           size_t len)
{
    taco__array_builder *c = taco__sample_value_column(w, column);
    taco_bytes b = taco__bytes_of(data, len);
    size_t n;
    if (!c) { return taco__dataset_writer_status(w); }
    n = (size_t)c->field->width;
    if (!(c->field->type == TACO_TEXT || c->field->type == TACO_BINARY ||
          ((c->field->type == TACO_FIXED || c->field->type == TACO_UUID) && n == len))) {
        return taco__sample_value_fail_type(w, c, "bytes");
    }
    if (c->field->type == TACO_TEXT && !taco__utf8_valid(b)) {
        return taco__sample_value_fail_type(w, c, "bytes that are not UTF-8");
    }
    taco__array_builder_append_bytes(c, b, &w->err);
    return taco__dataset_writer_prefix_error(w);
}

/* Integers may be set in every numeric type: floating types round, others refuse what does not fit;
   0 and 1 in BOOL. */
TACO_API taco_status taco_writer_set_int(taco_writer *w, const char *column, int64_t value)
{
    taco__array_builder *c = taco__sample_value_column(w, column);
    taco_type t;
    double d = (double)value;
    float f = (float)value;
    if (!c) { return taco__dataset_writer_status(w); }
    t = c->field->type;
    if (t == TACO_DOUBLE || t == TACO_FLOAT) {
        taco__array_builder_append_bytes(
            c, t == TACO_DOUBLE ? taco__bytes_of(&d, 8) : taco__bytes_of(&f, 4), &w->err);
    } else if ((t >= TACO_INT8 && t <= TACO_UINT64) || t == TACO_DATE || t == TACO_TIME ||
               t == TACO_TIMESTAMP) {
        if (!taco__builder_append_int(c, value, &w->err)) {
            return taco__sample_value_fail_type(w, c, "a number that does not fit");
        }
    } else if (t == TACO_BOOL && (value == 0 || value == 1)) {
        taco__array_builder_append_bool(c, value != 0, &w->err);
    } else {
        return taco__sample_value_fail_type(w, c, "an integer");
    }
    return taco__dataset_writer_prefix_error(w);
}

TACO_API taco_status taco_writer_set_bool(taco_writer *w, const char *column, bool value)
{
    taco__array_builder *c = taco__sample_value_column(w, column);
    if (!c) { return taco__dataset_writer_status(w); }
    if (c->field->type != TACO_BOOL) { return taco__sample_value_fail_type(w, c, "a truth value"); }
    taco__array_builder_append_bool(c, value, &w->err);
    return taco__dataset_writer_prefix_error(w);
}

TACO_API taco_status taco_writer_set_double(taco_writer *w, const char *column, double value)
{
    taco__array_builder *c = taco__sample_value_column(w, column);
    if (!c) { return taco__dataset_writer_status(w); }
    if (c->field->type != TACO_DOUBLE && c->field->type != TACO_FLOAT) {
        return taco__sample_value_fail_type(w, c, "a number with a fraction");
    }
    taco__array_builder_append_double(c, value, &w->err);
    return taco__dataset_writer_prefix_error(w);
}

/* Text may also be set in dates and timestamps, as ISO 8601; NULL is null. */
TACO_API taco_status taco_writer_set_text(taco_writer *w, const char *column, const char *value)
{
    taco__array_builder *c;
    int64_t t;
    if (!value) { return taco_writer_set_null(w, column); }
    c = taco__sample_value_column(w, column);
    if (!c) { return taco__dataset_writer_status(w); }
    if (c->field->type == TACO_TEXT) {
        if (!taco__utf8_valid(taco__bytes_text(value))) {
            return taco__sample_value_fail_type(w, c, "text that is not UTF-8");
        }
        taco__array_builder_append_bytes(c, taco__bytes_text(value), &w->err);
    } else if (c->field->type == TACO_TIMESTAMP || c->field->type == TACO_DATE) {
        if (!taco__builder_parse_time(c->field, taco__bytes_text(value), &t)) {
            return taco__sample_value_fail_type(w, c, "text that is not an ISO 8601 date and time");
        }
        taco__builder_append_int(c, t, &w->err);
    } else {
        return taco__sample_value_fail_type(w, c, "text");
    }
    return taco__dataset_writer_prefix_error(w);
}

/* Sets a list of n numbers: doubles, or ints if doubles is NULL. */
static taco_status taco__sample_value_set_list(taco_writer *w, const char *column,
                                               const int64_t *ints, const double *doubles, size_t n)
{
    taco__array_builder *c = taco__sample_value_column(w, column), *item;
    size_t i;
    if (!c) { return taco__dataset_writer_status(w); }
    item = c->field->type == TACO_LIST ? &c->children[0] : NULL;
    if (!item || !(doubles ? item->field->type == TACO_DOUBLE || item->field->type == TACO_FLOAT
                           : item->field->type >= TACO_INT8 && item->field->type <= TACO_UINT64)) {
        return taco__sample_value_fail_type(w, c,
                                            doubles ? "a list of doubles" : "a list of integers");
    }
    for (i = 0; i < n && w->err.code == TACO_OK; i++) {
        if (doubles) {
            taco__array_builder_append_double(item, doubles[i], &w->err);
        } else if (!taco__builder_append_int(item, ints[i], &w->err)) {
            return taco__sample_value_fail_type(w, c, "a number that does not fit");
        }
    }
    if (w->err.code == TACO_OK) { taco__array_builder_end_row(c, true, &w->err); }
    return taco__dataset_writer_prefix_error(w);
}

TACO_API taco_status taco_writer_set_ints(taco_writer *w, const char *column, const int64_t *values,
                                          size_t n)
{
    return taco__sample_value_set_list(w, column, values, NULL, n);
}

/* values may be NULL when n is 0; a non-NULL pointer distinguishes doubles from integers. */
TACO_API taco_status taco_writer_set_doubles(taco_writer *w, const char *column,
                                             const double *values, size_t n)
{
    static const double none = 0;
    return taco__sample_value_set_list(w, column, NULL, values ? values : &none, n);
}

TACO_API taco_status taco_writer_set_array(taco_writer *w, const char *column,
                                           const taco_array *values, size_t row)
{
    taco__array_builder *c = taco__sample_value_column(w, column);
    if (!c) { return taco__dataset_writer_status(w); }
    if (!values || !taco__unify_same_type(c->field, values->field)) {
        return taco__sample_value_fail_type(w, c, "an array of another type");
    }
    taco__array_builder_append_copy(c, values, row, &w->err);
    return taco__dataset_writer_prefix_error(w);
}
