/* legacy_rules.c - what the rows of a footer may hold: the rules of Tortilla 0.5.0 and TACO 0.2.0

   In: columns of rows, of a file or about to be written; out: a problem in taco__findings for
   each breach, with its clause. Tables of the documents: the footer's own columns (tortilla:),
   those of a stac-tortilla and those of a rai-tortilla (Tortilla 0.5.0 "The Footer"; TACO 0.2.0
   table 1). A MUST is an error. Deviations of the writers of that time (no end of a time span,
   seconds with fractions, rai:ele for rai:elevation) are a warning or nothing, so that their
   files stay valid.

   taco_validate applies these rules to files (legacy_check.c), the writers to their input
   (tortilla_check.c). Start reading at taco__legacy_rules_check_rows. */
#include "legacy.h"
#include "../base/base.h"
#include "../validate/validate.h"

/* What a column holds. */
typedef enum taco__legacy_rules_kind {
    TACO__LEGACY_RULES_TEXT,
    TACO__LEGACY_RULES_INTEGER,
    TACO__LEGACY_RULES_SECONDS, /* integer in the document, fractional in its writers */
    TACO__LEGACY_RULES_NUMBER,
    TACO__LEGACY_RULES_SHARE, /* number from 0 to 1 */
    TACO__LEGACY_RULES_NUMBERS,
    TACO__LEGACY_RULES_INTEGERS,
    TACO__LEGACY_RULES_KINDS
} taco__legacy_rules_kind;

/* A column of the documents. need: bits of the columns that make a stac- or rai-tortilla; two names
   for the same thing share a bit. */
typedef struct taco__legacy_rules_column {
    const char *name;
    taco__legacy_rules_kind kind;
    uint32_t need;
    const char *clause;
} taco__legacy_rules_column;

static const taco__legacy_rules_column taco__legacy_rules_columns[] = {
    {"tortilla:id", TACO__LEGACY_RULES_TEXT, 0, "Tortilla 0.5.0, tortilla:id"},
    {"tortilla:file_format", TACO__LEGACY_RULES_TEXT, 0, "Tortilla 0.5.0, tortilla:file_format"},
    {"tortilla:data_split", TACO__LEGACY_RULES_TEXT, 0, "Tortilla 0.5.0, tortilla:data_split"},
    {"tortilla:offset", TACO__LEGACY_RULES_INTEGER, 0, "Tortilla 0.5.0, tortilla:offset"},
    {"tortilla:length", TACO__LEGACY_RULES_INTEGER, 0, "Tortilla 0.5.0, tortilla:length"},
    {"stac:crs", TACO__LEGACY_RULES_TEXT, 1, "Tortilla 0.5.0, stac:crs"},
    {"stac:geotransform", TACO__LEGACY_RULES_NUMBERS, 2, "Tortilla 0.5.0, stac:geotransform"},
    {"stac:raster_shape", TACO__LEGACY_RULES_INTEGERS, 4, "Tortilla 0.5.0, stac:raster_shape"},
    {"stac:tensor_shape", TACO__LEGACY_RULES_INTEGERS, 4, "TACO 0.2.0, stac:tensor_shape"},
    {"stac:time_start", TACO__LEGACY_RULES_SECONDS, 8, "Tortilla 0.5.0, stac:time_start"},
    {"stac:time_end", TACO__LEGACY_RULES_SECONDS, 16, "Tortilla 0.5.0, stac:time_end"},
    {"stac:centroid", TACO__LEGACY_RULES_TEXT, 0, "Tortilla 0.5.0, stac:centroid"},
    {"rai:elevation", TACO__LEGACY_RULES_NUMBER, 32, "Tortilla 0.5.0, rai:elevation"},
    {"rai:ele", TACO__LEGACY_RULES_NUMBER, 32, "Tortilla 0.5.0, rai:elevation"},
    {"rai:cisi", TACO__LEGACY_RULES_SHARE, 64, "Tortilla 0.5.0, rai:cisi"},
    {"rai:gdp", TACO__LEGACY_RULES_NUMBER, 128, "Tortilla 0.5.0, rai:gdp"},
    {"rai:hdi", TACO__LEGACY_RULES_SHARE, 256, "Tortilla 0.5.0, rai:hdi"},
    {"rai:gmi", TACO__LEGACY_RULES_SHARE, 512, "Tortilla 0.5.0, rai:gmi"},
    {"rai:pop", TACO__LEGACY_RULES_NUMBER, 1024, "Tortilla 0.5.0, rai:pop"},
    {"rai:admin0", TACO__LEGACY_RULES_TEXT, 2048, "Tortilla 0.5.0, rai:admin0"},
    {"rai:admin1", TACO__LEGACY_RULES_TEXT, 4096, "Tortilla 0.5.0, rai:admin1"},
    {"rai:admin2", TACO__LEGACY_RULES_TEXT, 8192, "Tortilla 0.5.0, rai:admin2"}};

/* All columns of a stac-tortilla, and of a rai-tortilla. */
#define TACO__LEGACY_RULES_STAC 31u
#define TACO__LEGACY_RULES_RAI  16352u

/* Reports a breach in row i. The place is only formatted here, since that takes time. */
#define TACO__LEGACY_RULES_ROW(r, error, clause, i, ...)                                           \
    do {                                                                                           \
        taco__findings_set_place((r)->f, "%srow %u", (r)->place, TACO__U(i));                      \
        TACO__FINDINGS_CLAUSE((r)->f, error, clause, __VA_ARGS__);                                 \
    } while (0)

/* Reports a breach of the table as a whole. */
#define TACO__LEGACY_RULES_TABLE(r, error, clause, ...)                                            \
    do {                                                                                           \
        taco__findings_set_place((r)->f, "%scolumns", (r)->place);                                 \
        TACO__FINDINGS_CLAUSE((r)->f, error, clause, __VA_ARGS__);                                 \
    } while (0)

/* ---- types ---- */

/* True if a field has a type of that kind. Columns of only nulls pass: pandas knows no type for
   them. */
static bool taco__legacy_rules_fits(taco__legacy_rules_kind kind, const taco_field *f)
{
    taco_type t = f->type;
    if ((kind == TACO__LEGACY_RULES_NUMBERS || kind == TACO__LEGACY_RULES_INTEGERS) &&
        t == TACO_LIST) {
        t = f->children[0].type;
        return t == TACO_NULL || taco__concat_is_integer(t) ||
               (kind == TACO__LEGACY_RULES_NUMBERS && taco__concat_is_float(t));
    }
    switch (kind) {
    case TACO__LEGACY_RULES_TEXT: return t == TACO_NULL || t == TACO_TEXT;
    case TACO__LEGACY_RULES_INTEGER: return t == TACO_NULL || taco__concat_is_integer(t);
    case TACO__LEGACY_RULES_NUMBERS:
    case TACO__LEGACY_RULES_INTEGERS: return t == TACO_NULL;
    default: return t == TACO_NULL || taco__concat_is_integer(t) || taco__concat_is_float(t);
    }
}

/* Checks the type of a column in the documents. */
static bool taco__legacy_rules_check_type(const taco__legacy_rows *r,
                                          const taco__legacy_rules_column *c, const taco_field *f)
{
    static const char *const kinds[TACO__LEGACY_RULES_KINDS] = {"text",
                                                                "integers",
                                                                "seconds, which are integers",
                                                                "numbers",
                                                                "numbers from 0 to 1",
                                                                "lists of numbers",
                                                                "lists of integers"};
    if (!taco__legacy_rules_fits(c->kind, f)) {
        TACO__LEGACY_RULES_TABLE(r, true, c->clause, "column %s must hold %s", c->name,
                                 kinds[c->kind]);
        return false;
    }
    if (c->kind == TACO__LEGACY_RULES_SECONDS && taco__concat_is_float(f->type)) {
        TACO__LEGACY_RULES_TABLE(r, false, c->clause,
                                 "column %s holds fractions, seconds are integers", c->name);
    }
    return true;
}

/* ---- values of one column ---- */

/* Checks a number from 0 to 1; NaN means none, as in pandas. The document says so about cisi and
   hdi; for gmi only the paper that it cites does, so other values are a warning. */
static void taco__legacy_rules_check_share(const taco__legacy_rows *r,
                                           const taco__legacy_rules_column *c, const taco_array *a,
                                           size_t i)
{
    double x = taco_array_double(a, i);
    char text[40];
    if (x < 0 || x > 1) {
        text[taco__num_format_f64(text, x)] = 0;
        TACO__LEGACY_RULES_ROW(r, strcmp(c->name, "rai:gmi") != 0, c->clause, i,
                               "%s is %s, must lie from 0 to 1", c->name, text);
    }
}

/* Checks stac:geotransform: six numbers, in GDAL's order. */
static void taco__legacy_rules_check_geotransform(const taco__legacy_rows *r,
                                                  const taco__legacy_rules_column *c,
                                                  const taco_array *a, size_t i)
{
    size_t from = (size_t)a->offsets[i], to = (size_t)a->offsets[i + 1], k;
    bool finite = true;
    for (k = from; k < to; k++) {
        double x = taco_array_double(&a->children[0], k);
        finite = finite && taco_array_valid(&a->children[0], k) && taco__f64_is_finite(x);
    }
    if (to - from != 6 || !finite) {
        TACO__LEGACY_RULES_ROW(r, true, c->clause, i,
                               "%s has %u numbers%s, must be the 6 of GDAL's geotransform", c->name,
                               TACO__U(to - from), finite ? "" : ", some of them not finite");
    }
}

/* Checks stac:raster_shape, rows and columns, or stac:tensor_shape, any number of dimensions. */
static void taco__legacy_rules_check_shape(const taco__legacy_rows *r,
                                           const taco__legacy_rules_column *c, const taco_array *a,
                                           size_t i)
{
    size_t from = (size_t)a->offsets[i], to = (size_t)a->offsets[i + 1], k;
    bool two = strcmp(c->name, "stac:raster_shape") == 0, positive = true;
    for (k = from; k < to; k++) {
        positive = positive && taco_array_int(&a->children[0], k) > 0;
    }
    if (two ? to - from != 2 : to == from) {
        TACO__LEGACY_RULES_ROW(r, true, c->clause, i, "%s has %u numbers, must be %s", c->name,
                               TACO__U(to - from), two ? "rows and columns" : "one or more");
    } else if (!positive) {
        TACO__LEGACY_RULES_ROW(r, true, c->clause, i, "%s has a number that is not above 0",
                               c->name);
    }
}

/* Checks stac:crs: AUTHORITY:CODE. Writers accepted everything that PROJ reads, so another text is
   a warning. */
static void taco__legacy_rules_check_crs(const taco__legacy_rows *r,
                                         const taco__legacy_rules_column *c, const taco_array *a,
                                         size_t i)
{
    static const char *const known[] = {"EPSG:", "ESRI:", "SR-ORG:"};
    taco_bytes text = taco_array_bytes(a, i);
    size_t k;
    for (k = 0; k < TACO__COUNT(known); k++) {
        if (taco__bytes_starts_with(text, known[k]) && text.len > strlen(known[k])) { return; }
    }
    TACO__LEGACY_RULES_ROW(r, false, c->clause, i,
                           "%s is %q, must be a code of EPSG, ESRI or SR-ORG such as EPSG:4326",
                           c->name, &text);
}

/* Checks stac:centroid: a point in degrees. */
static void taco__legacy_rules_check_centroid(const taco__legacy_rows *r,
                                              const taco__legacy_rules_column *c,
                                              const taco_array *a, size_t i)
{
    taco_bytes text = taco_array_bytes(a, i);
    double xy[2] = {0, 0};
    bool point = taco__legacy_filter_parse_point(text, xy);
    if (!point || !(xy[0] >= -180 && xy[0] <= 180 && xy[1] >= -90 && xy[1] <= 90)) {
        TACO__LEGACY_RULES_ROW(r, true, c->clause, i, "%s is %q, must be %s", c->name, &text,
                               point ? "degrees: longitude within 180, latitude within 90"
                                     : "POINT (longitude latitude)");
    }
}

/* tortilla:data_split. */
static void taco__legacy_rules_check_split(const taco__legacy_rows *r,
                                           const taco__legacy_rules_column *c, const taco_array *a,
                                           size_t i)
{
    taco_bytes split = taco_array_bytes(a, i);
    if (taco__column_rule_check_split(split, NULL) != TACO_OK) {
        TACO__LEGACY_RULES_ROW(r, true, c->clause, i,
                               "%s is %q, allowed are train, validation, test", c->name, &split);
    }
}

/* Checks one value that is not null. */
static void taco__legacy_rules_check_value(const taco__legacy_rows *r,
                                           const taco__legacy_rules_column *c, const taco_array *a,
                                           size_t i)
{
    if (c->kind == TACO__LEGACY_RULES_SHARE) {
        taco__legacy_rules_check_share(r, c, a, i);
    } else if (c->kind == TACO__LEGACY_RULES_NUMBERS) {
        taco__legacy_rules_check_geotransform(r, c, a, i);
    } else if (c->kind == TACO__LEGACY_RULES_INTEGERS) {
        taco__legacy_rules_check_shape(r, c, a, i);
    } else if (strcmp(c->name, "tortilla:data_split") == 0) {
        taco__legacy_rules_check_split(r, c, a, i);
    } else if (strcmp(c->name, "stac:crs") == 0) {
        taco__legacy_rules_check_crs(r, c, a, i);
    } else if (strcmp(c->name, "stac:centroid") == 0) {
        taco__legacy_rules_check_centroid(r, c, a, i);
    }
}

/* True if there are rules for the values of the column. */
static bool taco__legacy_rules_has_values(const taco__legacy_rules_column *c)
{
    return c->kind == TACO__LEGACY_RULES_SHARE || c->kind == TACO__LEGACY_RULES_NUMBERS ||
           c->kind == TACO__LEGACY_RULES_INTEGERS || strcmp(c->name, "tortilla:data_split") == 0 ||
           strcmp(c->name, "stac:crs") == 0 || strcmp(c->name, "stac:centroid") == 0;
}

/* Checks type and values of all columns in the documents. *seen: bits of the existing columns of
   the right type. */
static void taco__legacy_rules_check_columns(const taco__legacy_rows *r, uint32_t *seen)
{
    size_t k, i;
    for (k = 0; k < TACO__COUNT(taco__legacy_rules_columns) && !r->f->stop; k++) {
        const taco__legacy_rules_column *c = &taco__legacy_rules_columns[k];
        const taco_array *a = taco__tortilla_check_find(r->columns, r->column_count, c->name);
        if (!a || !taco__legacy_rules_check_type(r, c, a->field)) { continue; }
        *seen |= c->need;
        for (i = 0; taco__legacy_rules_has_values(c) && i < r->rows && !r->f->stop; i++) {
            if (taco_array_valid(a, i)) { taco__legacy_rules_check_value(r, c, a, i); }
        }
    }
}

/* ---- several columns together ---- */

/* Reports a file that has some, but not all columns of a class: it is not of that class. */
static void taco__legacy_rules_check_class(const taco__legacy_rows *r, uint32_t seen, uint32_t all,
                                           const char *what, const char *clause)
{
    char missing[256] = "";
    uint32_t told = seen;
    size_t k, n = 0;
    if (!(seen & all) || (seen & all) == all) { return; }
    for (k = 0; k < TACO__COUNT(taco__legacy_rules_columns); k++) {
        const taco__legacy_rules_column *c = &taco__legacy_rules_columns[k];
        size_t len = strlen(c->name);
        if (!(c->need & all) || (c->need & told) || n + len + 2 > sizeof missing) { continue; }
        told |= c->need;
        missing[n++] = ' ';
        memcpy(missing + n, c->name, len + 1);
        n += len;
    }
    TACO__LEGACY_RULES_TABLE(r, false, clause, "no %s, columns are missing:%s", what, missing);
}

/* The column with that name if its values are numbers; NULL if there is none. */
static const taco_array *taco__legacy_rules_numbers(const taco__legacy_rows *r, const char *name)
{
    const taco_array *a = taco__tortilla_check_find(r->columns, r->column_count, name);
    return a && a->field->type != TACO_NULL &&
                   taco__legacy_rules_fits(TACO__LEGACY_RULES_NUMBER, a->field)
               ? a
               : NULL;
}

/* Checks that times do not end before they start. */
static void taco__legacy_rules_check_times(const taco__legacy_rows *r)
{
    const taco_array *start = taco__legacy_rules_numbers(r, "stac:time_start");
    const taco_array *end = taco__legacy_rules_numbers(r, "stac:time_end");
    size_t i;
    for (i = 0; start && end && i < r->rows && !r->f->stop; i++) {
        if (taco_array_valid(start, i) && taco_array_valid(end, i) &&
            taco_array_double(end, i) < taco_array_double(start, i)) {
            TACO__LEGACY_RULES_ROW(r, true, "Tortilla 0.5.0, stac:time_end", i,
                                   "stac:time_end lies before stac:time_start");
        }
    }
}

/* Checks tortilla:file_format, or the one format of old files: it exists and is a name of GDAL. The
   tiles at the end of a chain are not files and have none. */
static void taco__legacy_rules_check_formats(const taco__legacy_rows *r)
{
    static const char clause[] = "Tortilla 0.5.0, tortilla:file_format";
    const taco_array *format =
        taco__tortilla_check_find(r->columns, r->column_count, "tortilla:file_format");
    const taco_array *one =
        taco__tortilla_check_find(r->columns, r->column_count, "internal:file_format");
    size_t i;
    for (i = 0; i < r->rows && !r->f->stop; i++) {
        taco_bytes name = format ? taco_array_bytes(format, i) : taco__bytes_of(NULL, 0);
        if (!name.len && one) { name = taco_array_bytes(one, i); }
        if (name.len ? r->any_format || taco__gdal_is_driver(name) : r->tiles && r->tiles[i]) {
            continue;
        }
        if (name.len) {
            TACO__LEGACY_RULES_ROW(r, true, clause, i,
                                   "tortilla:file_format is %q, which is not a GDAL driver, nor "
                                   "BYTES or TORTILLA",
                                   &name);
        } else {
            TACO__LEGACY_RULES_ROW(
                r, true, clause, i,
                "no tortilla:file_format: must be a GDAL driver, BYTES or TORTILLA");
        }
    }
}

/* ---- ids ---- */

typedef struct taco__legacy_rules_id {
    taco_bytes id;
    int64_t parent;
    size_t row;
} taco__legacy_rules_id;

/* taco__sort_compare: by parent, id, and row. */
static int taco__legacy_rules_compare_ids(const void *ctx, const void *a, const void *b)
{
    const taco__legacy_rules_id *x = (const taco__legacy_rules_id *)a;
    const taco__legacy_rules_id *y = (const taco__legacy_rules_id *)b;
    int order = (x->parent > y->parent) - (x->parent < y->parent);
    (void)ctx;
    order = order ? order : taco__bytes_compare(x->id, y->id);
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

/* Checks that ids exist, and are unique within a tortilla. */
static bool taco__legacy_rules_check_ids(const taco__legacy_rows *r, const taco_array *ids,
                                         taco_error *err)
{
    static const char clause[] = "Tortilla 0.5.0, tortilla:id";
    taco__arena scratch;
    taco__legacy_rules_id *list;
    size_t i;
    bool ok;
    scratch.mem = r->mem;
    scratch.head = NULL;
    list = (taco__legacy_rules_id *)taco__arena_array(&scratch, r->rows + 1, sizeof *list, err);
    for (i = 0; list && i < r->rows; i++) {
        list[i].id = taco_array_bytes(ids, i);
        list[i].parent = r->parent ? taco_array_int(r->parent, i) : 0;
        list[i].row = i;
        if (!list[i].id.len) { TACO__LEGACY_RULES_ROW(r, true, clause, i, "no tortilla:id"); }
    }
    ok = list && taco__sort_in(r->mem, list, r->rows, sizeof *list, taco__legacy_rules_compare_ids,
                               NULL, err);
    for (i = 1; ok && i < r->rows && !r->f->stop; i++) {
        if (list[i].parent == list[i - 1].parent && list[i].id.len &&
            taco__bytes_equal(list[i - 1].id, list[i].id)) {
            taco__findings_set_place(r->f, "%srows %u and %u", r->place, TACO__U(list[i - 1].row),
                                     TACO__U(list[i].row));
            TACO__FINDINGS_CLAUSE(r->f, true, clause,
                                  "both have the tortilla:id %q, ids must be unique", &list[i].id);
        }
    }
    taco__arena_free(&scratch);
    return ok;
}

TACO__FN bool taco__legacy_rules_check_rows(const taco__legacy_rows *r, taco_error *err)
{
    const taco_array *ids = taco__tortilla_check_find(r->columns, r->column_count, "tortilla:id");
    const taco_array *format =
        taco__tortilla_check_find(r->columns, r->column_count, "tortilla:file_format");
    bool text = ids && ids->field->type == TACO_TEXT;
    uint32_t seen = 0;
    if (!ids) {
        TACO__LEGACY_RULES_TABLE(r, true, "Tortilla 0.5.0, tortilla:id",
                                 "there is no column tortilla:id");
    }
    taco__legacy_rules_check_columns(r, &seen);
    if (!format || format->field->type == TACO_TEXT || format->field->type == TACO_NULL) {
        taco__legacy_rules_check_formats(r);
    }
    taco__legacy_rules_check_times(r);
    taco__legacy_rules_check_class(r, seen, TACO__LEGACY_RULES_STAC, "stac-tortilla",
                                   "Tortilla 0.5.0, stac-tortilla");
    if (!r->before_03) {
        taco__legacy_rules_check_class(r, seen, TACO__LEGACY_RULES_RAI, "rai-tortilla",
                                       "Tortilla 0.5.0, rai-tortilla");
    }
    return !text || taco__legacy_rules_check_ids(r, ids, err);
}
