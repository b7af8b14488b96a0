/* column_rules.c - what the columns of the extensions may hold, by name

   In: columns of a level as arrays; out: each breach, to the caller's report function. The writer,
   which refuses breaches, and validation (check_extensions.c) share one list. The rules are those
   that the reference's classes follow in what they compute (STAC, ISTAC, Split, Scaling,
   GeotiffStats, MajorTOM; TACO 2.0 §5.6.2, §8), and apply to values from other sources too.

   taco__column_rules is the list. A column has one type or a few (taco__column_rule_type_wanted),
   and one function checks a value (taco__column_rule_check_value). Nulls are always allowed: such
   a row has no value. Columns of other types are reported once, and their values are not
   checked. */
#include "validate.h"
#include "../base/base.h"
#include "../dataset/dataset.h"
#include "../geo/geo.h"

/* What a column holds, in the order of the switches below. */
typedef enum taco__column_rule_kind {
    TACO__COLUMN_RULE_NONE = 0,
    TACO__COLUMN_RULE_TEXT,      /* not empty */
    TACO__COLUMN_RULE_SHAPE,     /* sizes of an array, none negative */
    TACO__COLUMN_RULE_TRANSFORM, /* GDAL's six numbers */
    TACO__COLUMN_RULE_TIME,
    TACO__COLUMN_RULE_CENTROID, /* a point in degrees, WKB */
    TACO__COLUMN_RULE_GEOMETRY, /* WKB */
    TACO__COLUMN_RULE_SPLIT,
    TACO__COLUMN_RULE_FACTOR, /* a number or a list, none of them 0 */
    TACO__COLUMN_RULE_OFFSET, /* a number or a list */
    TACO__COLUMN_RULE_PADDING,
    TACO__COLUMN_RULE_GRID,  /* a cell of the MajorTOM grid */
    TACO__COLUMN_RULE_STATS, /* a list of numbers for each band */
    TACO__COLUMN_RULE_NUMBER,
    TACO__COLUMN_RULE_NAME /* text, which may be empty */
} taco__column_rule_kind;

static const struct {
    const char *name;
    taco__column_rule_kind kind;
} taco__column_rules[] = {
    {"stac:crs", TACO__COLUMN_RULE_TEXT},
    {"stac:tensor_shape", TACO__COLUMN_RULE_SHAPE},
    {"stac:geotransform", TACO__COLUMN_RULE_TRANSFORM},
    {"stac:time_start", TACO__COLUMN_RULE_TIME},
    {"stac:time_end", TACO__COLUMN_RULE_TIME},
    {"stac:time_middle", TACO__COLUMN_RULE_TIME},
    {"stac:centroid", TACO__COLUMN_RULE_CENTROID},
    {"istac:crs", TACO__COLUMN_RULE_TEXT},
    {"istac:geometry", TACO__COLUMN_RULE_GEOMETRY},
    {"istac:time_start", TACO__COLUMN_RULE_TIME},
    {"istac:time_end", TACO__COLUMN_RULE_TIME},
    {"istac:time_middle", TACO__COLUMN_RULE_TIME},
    {"istac:centroid", TACO__COLUMN_RULE_CENTROID},
    {"split", TACO__COLUMN_RULE_SPLIT},
    {"scaling:scale_factor", TACO__COLUMN_RULE_FACTOR},
    {"scaling:scale_offset", TACO__COLUMN_RULE_OFFSET},
    {"scaling:padding", TACO__COLUMN_RULE_PADDING},
    {"majortom:code", TACO__COLUMN_RULE_GRID},
    {"spatialgroup:code", TACO__COLUMN_RULE_TEXT},
    {"geotiff:stats", TACO__COLUMN_RULE_STATS},
    {"internal:stats", TACO__COLUMN_RULE_STATS},
    {"geoenrich:elevation", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:cisi", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:precipitation", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:temperature", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:soil_clay", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:soil_sand", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:soil_carbon", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:soil_bulk_density", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:soil_ph", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:gdp", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:human_modification", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:population", TACO__COLUMN_RULE_NUMBER},
    {"geoenrich:admin_countries", TACO__COLUMN_RULE_NAME},
    {"geoenrich:admin_states", TACO__COLUMN_RULE_NAME},
    {"geoenrich:admin_districts", TACO__COLUMN_RULE_NAME},
};

/* The kind of a column, NONE for columns without rules. */
static taco__column_rule_kind taco__column_rule_find(const char *name)
{
    size_t i;
    for (i = 0; i < TACO__COUNT(taco__column_rules); i++) {
        if (strcmp(taco__column_rules[i].name, name) == 0) { return taco__column_rules[i].kind; }
    }
    return TACO__COLUMN_RULE_NONE;
}

TACO__FN bool taco__column_rule_exists(const char *name)
{
    return taco__column_rule_find(name) != TACO__COLUMN_RULE_NONE;
}

/* ---- types ---- */

static bool taco__column_rule_is_real(const taco_field *f)
{
    return f->type == TACO_DOUBLE || f->type == TACO_FLOAT;
}

static bool taco__column_rule_is_integer(const taco_field *f)
{
    return f->type >= TACO_INT8 && f->type <= TACO_UINT64;
}

/* The type that the column should have, in words; NULL if it has it. */
static const char *taco__column_rule_type_wanted(const taco_field *f, taco__column_rule_kind kind)
{
    const taco_field *item = f->type == TACO_LIST ? &f->children[0] : NULL;
    switch (kind) {
    case TACO__COLUMN_RULE_TEXT:
    case TACO__COLUMN_RULE_SPLIT:
    case TACO__COLUMN_RULE_NAME:
    case TACO__COLUMN_RULE_GRID: return f->type == TACO_TEXT ? NULL : "text";
    case TACO__COLUMN_RULE_SHAPE:
    case TACO__COLUMN_RULE_PADDING:
        return item && taco__column_rule_is_integer(item) ? NULL : "a list of integers";
    case TACO__COLUMN_RULE_TRANSFORM:
        return item && taco__column_rule_is_real(item) ? NULL : "a list of doubles";
    case TACO__COLUMN_RULE_TIME:
        return f->type == TACO_TIMESTAMP || f->type == TACO_DATE ? NULL : "a timestamp";
    case TACO__COLUMN_RULE_CENTROID:
    case TACO__COLUMN_RULE_GEOMETRY: return f->type == TACO_BINARY ? NULL : "binary (WKB)";
    case TACO__COLUMN_RULE_FACTOR:
    case TACO__COLUMN_RULE_OFFSET:
        return taco__cursor_column_is_number(item ? item : f) ? NULL
                                                              : "a number, or a list of them";
    case TACO__COLUMN_RULE_NUMBER: return taco__cursor_column_is_number(f) ? NULL : "a number";
    case TACO__COLUMN_RULE_STATS:
        return item && item->type == TACO_LIST && taco__cursor_column_is_number(&item->children[0])
                   ? NULL
                   : "a list of numbers for each band";
    case TACO__COLUMN_RULE_NONE: break;
    }
    return NULL;
}

/* TACO_OK for columns without rules and for those with the right type. A column of nulls fits every
   type. */
TACO__FN taco_status taco__column_rule_check_type(const taco_field *f, taco_error *err)
{
    const char *wanted = taco__column_rule_type_wanted(f, taco__column_rule_find(f->name));
    taco_bytes name = taco__bytes_text(f->name);
    if (!wanted || f->type == TACO_NULL) { return TACO_OK; }
    return TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q is not %s", &name, wanted);
}

/* The types that a column has in the reference, from the outside in, and their number; 0 for
   columns without rules. */
TACO__FN size_t taco__column_rule_types(const char *name, taco_type out[3])
{
    taco__column_rule_kind kind = taco__column_rule_find(name);
    bool list = kind == TACO__COLUMN_RULE_SHAPE || kind == TACO__COLUMN_RULE_PADDING ||
                kind == TACO__COLUMN_RULE_TRANSFORM;
    out[0] = list || kind == TACO__COLUMN_RULE_STATS ? TACO_LIST : TACO_TEXT;
    out[1] = kind == TACO__COLUMN_RULE_SHAPE       ? TACO_INT64
             : kind == TACO__COLUMN_RULE_PADDING   ? TACO_INT32
             : kind == TACO__COLUMN_RULE_TRANSFORM ? TACO_DOUBLE
                                                   : TACO_LIST;
    out[2] = TACO_FLOAT;
    if (kind == TACO__COLUMN_RULE_TIME) {
        out[0] = TACO_TIMESTAMP;
    } else if (kind == TACO__COLUMN_RULE_CENTROID || kind == TACO__COLUMN_RULE_GEOMETRY) {
        out[0] = TACO_BINARY;
    } else if (kind == TACO__COLUMN_RULE_FACTOR || kind == TACO__COLUMN_RULE_OFFSET ||
               kind == TACO__COLUMN_RULE_NUMBER) {
        out[0] = TACO_FLOAT;
    }
    return kind == TACO__COLUMN_RULE_NONE ? 0 : kind == TACO__COLUMN_RULE_STATS ? 3 : list ? 2 : 1;
}

/* ---- values ---- */

TACO__FN taco_status taco__column_rule_check_split(taco_bytes split, taco_error *err)
{
    static const char *const words[] = {"train", "test", "validation"};
    size_t i;
    for (i = 0; i < TACO__COUNT(words); i++) {
        if (taco__bytes_equal(split, taco__bytes_text(words[i]))) { return TACO_OK; }
    }
    return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                      "split is %q, allowed are train, test and validation", &split);
}

/* A factor of 0 would erase all pixels. */
TACO__FN taco_status taco__column_rule_check_factor(double factor, taco_error *err)
{
    return factor < 0 || factor > 0 ? TACO_OK
                                    : TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                                                 "scaling:scale_factor must not be 0");
}

TACO__FN taco_status taco__column_rule_check_times(int64_t start, int64_t end, taco_error *err)
{
    return start <= end
               ? TACO_OK
               : TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                            "time_start %d is after time_end %d", TACO__D(start), TACO__D(end));
}

/* Skips digits; false if there are none. */
static bool taco__column_rule_skip_digits(const uint8_t **at, const uint8_t *end)
{
    const uint8_t *from = *at;
    while (*at < end && **at >= '0' && **at <= '9') {
        (*at)++;
    }
    return *at > from;
}

/* "0100km_0003U_0005R": the size of the cell, its row up or down from the equator, its column right
   or left of Greenwich. The separator is any text without digits, the same both times. */
static taco_status taco__column_rule_check_grid(taco_bytes code, taco_error *err)
{
    const uint8_t *at = code.data, *end = code.data + code.len, *separator;
    size_t n;
    bool ok = code.len > 0 && taco__column_rule_skip_digits(&at, end) && end - at > 2 &&
              memcmp(at, "km", 2) == 0;
    at += ok ? 2 : 0;
    separator = at;
    while (ok && at < end && (*at < '0' || *at > '9')) {
        at++;
    }
    n = ok ? (size_t)(at - separator) : 0;
    ok = ok && taco__column_rule_skip_digits(&at, end) && at < end && (*at == 'U' || *at == 'D');
    at += ok ? 1 : 0;
    ok = ok && (size_t)(end - at) > n && (n == 0 || memcmp(at, separator, n) == 0);
    at += ok ? n : 0;
    ok = ok && taco__column_rule_skip_digits(&at, end) && end - at == 1 &&
         (*at == 'R' || *at == 'L');
    return ok ? TACO_OK
              : TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                           "majortom:code is %q, codes are like 0100km_0003U_0005R", &code);
}

/* A valid, non-empty geometry; a centroid is one point on the globe, in degrees. */
static taco_status taco__column_rule_check_geometry(const char *name, taco_bytes wkb, bool centroid,
                                                    taco_error *err)
{
    taco__wkb_reader reader;
    taco__wkb_item first;
    double box[4];
    bool empty = true;
    taco__wkb_reader_init(&reader, wkb);
    if (taco__wkb_next(&reader, &first, err) != TACO_OK ||
        taco__wkb_bounds(wkb, box, &empty, err) != TACO_OK) {
        taco__error_prefix(err, "%s is not WKB", name);
        return TACO_ERR_ARGUMENT;
    }
    if (centroid && first.type != TACO__WKB_POINT) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s is a %s, must be a Point",
                          name, taco__wkb_type_name(first.type));
    }
    if (empty) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s is empty, or NaN", name);
    }
    if (centroid && !(box[0] >= -180 && box[0] <= 180 && box[1] >= -90 && box[1] <= 90)) {
        char x[40], y[40];
        x[taco__num_format_f64(x, box[0])] = 0;
        y[taco__num_format_f64(y, box[1])] = 0;
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "%s is %s %s, not a longitude and a latitude in degrees", name, x, y);
    }
    return TACO_OK;
}

/* The numbers [from, to) of a list, or the number `from` of a plain column. */
static taco_status taco__column_rule_check_numbers(const char *name, taco__column_rule_kind kind,
                                                   const taco_array *items, size_t from, size_t to,
                                                   taco_error *err)
{
    size_t n = to - from, i, want = kind == TACO__COLUMN_RULE_TRANSFORM ? 6 : 4;
    if ((kind == TACO__COLUMN_RULE_TRANSFORM || kind == TACO__COLUMN_RULE_PADDING) && n != want) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s has %u numbers, must be %u",
                          name, TACO__U(n), TACO__U(want));
    }
    for (i = from; i < to; i++) {
        double x = taco_array_double(items, i);
        if (!taco_array_valid(items, i)) {
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s has a null in its list",
                              name);
        }
        if (kind == TACO__COLUMN_RULE_SHAPE && taco_array_int(items, i) < 0) {
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "%s has a size of %d, which is negative", name,
                              TACO__D(taco_array_int(items, i)));
        }
        if (kind == TACO__COLUMN_RULE_TRANSFORM &&
            (taco__f64_is_nan(x) || !taco__f64_is_finite(x))) {
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s has a number that is %s",
                              name, taco__f64_is_nan(x) ? "NaN" : "infinite");
        }
        if (kind == TACO__COLUMN_RULE_FACTOR && taco__column_rule_check_factor(x, err) != TACO_OK) {
            return TACO_ERR_ARGUMENT;
        }
    }
    return TACO_OK;
}

/* Row i of a column of the right type: null, or a value that its kind allows. */
static taco_status taco__column_rule_check_value(const taco_array *a, taco__column_rule_kind kind,
                                                 size_t i, taco_error *err)
{
    const char *name = a->field->name;
    if (!taco_array_valid(a, i)) { return TACO_OK; }
    switch (kind) {
    case TACO__COLUMN_RULE_TEXT:
        return taco_array_bytes(a, i).len
                   ? TACO_OK
                   : TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s is empty", name);
    case TACO__COLUMN_RULE_SPLIT: return taco__column_rule_check_split(taco_array_bytes(a, i), err);
    case TACO__COLUMN_RULE_GRID: return taco__column_rule_check_grid(taco_array_bytes(a, i), err);
    case TACO__COLUMN_RULE_CENTROID:
    case TACO__COLUMN_RULE_GEOMETRY:
        return taco__column_rule_check_geometry(name, taco_array_bytes(a, i),
                                                kind == TACO__COLUMN_RULE_CENTROID, err);
    case TACO__COLUMN_RULE_SHAPE:
    case TACO__COLUMN_RULE_TRANSFORM:
    case TACO__COLUMN_RULE_PADDING:
    case TACO__COLUMN_RULE_FACTOR:
        return a->field->type == TACO_LIST
                   ? taco__column_rule_check_numbers(name, kind, a->children, (size_t)a->offsets[i],
                                                     (size_t)a->offsets[i + 1], err)
                   : taco__column_rule_check_numbers(name, kind, a, i, i + 1, err);
    case TACO__COLUMN_RULE_TIME:
    case TACO__COLUMN_RULE_OFFSET:
    case TACO__COLUMN_RULE_STATS:
    case TACO__COLUMN_RULE_NUMBER:
    case TACO__COLUMN_RULE_NAME:
    case TACO__COLUMN_RULE_NONE: break;
    }
    return TACO_OK;
}

/* The column of times with this name among n; NULL if there is none. */
static const taco_array *taco__column_rule_find_times(const taco_array *columns, size_t n,
                                                      const char *name)
{
    size_t i;
    for (i = 0; i < n; i++) {
        const taco_field *f = columns[i].field;
        if (strcmp(f->name, name) == 0) {
            return f->type == TACO_TIMESTAMP || f->type == TACO_DATE ? &columns[i] : NULL;
        }
    }
    return NULL;
}

/* Compares the start and the end of a row, in their unit, or in microseconds if they have two. */
static taco_status taco__column_rule_check_period(const taco_array *start, const taco_array *end,
                                                  size_t row, taco_error *err)
{
    int64_t from = taco_array_int(start, row), to = taco_array_int(end, row);
    if (!taco_array_valid(start, row) || !taco_array_valid(end, row)) { return TACO_OK; }
    if ((start->field->type != end->field->type || start->field->unit != end->field->unit) &&
        !(taco__array_read_micros(start, row, &from) && taco__array_read_micros(end, row, &to))) {
        return TACO_OK;
    }
    return taco__column_rule_check_times(from, to, err);
}

/* True if the column has a type that its rules cover. */
static bool taco__column_rule_is_checked(const taco_field *f, taco__column_rule_kind kind)
{
    return kind != TACO__COLUMN_RULE_NONE && f->type != TACO_NULL &&
           !taco__column_rule_type_wanted(f, kind);
}

/* Checks the values of `rows` rows of n columns against the rules. report receives each breach with
   its row, and stops the check by returning false; then the result is false. */
TACO__FN bool taco__column_rule_check_rows(const taco_array *columns, size_t n, size_t rows,
                                           taco__column_rule_report_fn report, void *ctx)
{
    static const char *const ends[] = {"stac:time_end", "istac:time_end"};
    taco_error e;
    size_t i, k, row;
    memset(&e, 0, sizeof e);
    for (i = 0; i < n; i++) {
        const taco_array *a = &columns[i], *end = NULL;
        taco__column_rule_kind kind = taco__column_rule_find(a->field->name);
        if (!taco__column_rule_is_checked(a->field, kind)) { continue; }
        for (k = 0; k < TACO__COUNT(ends) && kind == TACO__COLUMN_RULE_TIME; k++) {
            size_t prefix = strlen(ends[k]) - strlen("end");
            if (strncmp(a->field->name, ends[k], prefix) == 0 &&
                strcmp(a->field->name + prefix, "start") == 0) {
                end = taco__column_rule_find_times(columns, n, ends[k]);
            }
        }
        for (row = 0; row < rows; row++) {
            taco_status st = taco__column_rule_check_value(a, kind, row, &e);
            if (st == TACO_OK && end) { st = taco__column_rule_check_period(a, end, row, &e); }
            if (st != TACO_OK) {
                if (!report(ctx, a->field, row, &e)) { return false; }
                memset(&e, 0, sizeof e);
            }
        }
    }
    return true;
}
