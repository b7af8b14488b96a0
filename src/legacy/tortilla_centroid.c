/* tortilla_centroid.c - computes stac:centroid for samples with a position but no centroid

   In: columns stac:crs, stac:geotransform and stac:raster_shape; out: the column stac:centroid, as
   "POINT (longitude latitude)" of six decimals (Tortilla 0.5.0, stac:centroid: "automatically
   generated"). As in the last writer, the two rotation terms are ignored. Values given by the
   caller are kept. If neither write/projection.c nor the caller's function knows a CRS, the result
   is null and a warning. Start reading at taco__tortilla_centroid_add. */
#include "legacy.h"
#include "../arrow/arrow.h"
#include "../base/base.h"
#include "../write/write.h"

/* Columns that a centroid is computed from, an existing one, and the function for other CRSs. */
typedef struct taco__tortilla_centroid {
    const taco_array *crs, *geotransform, *shape, *given;
    taco_lonlat_fn lonlat;
    void *lonlat_ctx;
    taco__arena scratch;
    size_t failed; /* rows without a centroid */
    taco_error why;
} taco__tortilla_centroid;

/* A column of a type, and for lists of an element type; NULL if there is none. */
static const taco_array *taco__tortilla_centroid_find(const taco__tortilla_node *node,
                                                      const char *name, taco_type type,
                                                      bool integers)
{
    const taco_array *a = taco__tortilla_check_find(node->columns, node->column_count, name);
    if (!a || a->field->type != type || type != TACO_LIST) {
        return a && a->field->type == type ? a : NULL;
    }
    type = a->field->children[0].type;
    return (integers ? taco__concat_is_integer(type) : taco__concat_is_float(type)) ? a : NULL;
}

/* The middle of a row's raster in its own CRS; false if the row lacks information. */
static bool taco__tortilla_centroid_middle(const taco__tortilla_centroid *c, size_t row,
                                           double xy[2])
{
    const taco_array *g = &c->geotransform->children[0], *s = &c->shape->children[0];
    size_t at, last;
    if (!taco_array_valid(c->crs, row) || !taco_array_valid(c->geotransform, row) ||
        !taco_array_valid(c->shape, row)) {
        return false;
    }
    at = (size_t)c->geotransform->offsets[row];
    last = (size_t)c->shape->offsets[row + 1];
    if ((size_t)c->geotransform->offsets[row + 1] - at != 6 ||
        last - (size_t)c->shape->offsets[row] < 2) {
        return false;
    }
    xy[0] = taco_array_double(g, at) +
            (double)taco_array_int(s, last - 1) / 2 * taco_array_double(g, at + 1);
    xy[1] = taco_array_double(g, at + 3) +
            (double)taco_array_int(s, last - 2) / 2 * taco_array_double(g, at + 5);
    return true;
}

/* Degrees with six decimals, as Python prints them. */
static size_t taco__tortilla_centroid_format(char *text, double degrees)
{
    double scaled = degrees * 1e6 + (degrees < 0 ? -0.5 : 0.5);
    return taco__num_format_f64(text, (double)(int64_t)scaled / 1e6);
}

/* Formats the centroid of a row, and returns the length; 0 if there is none. */
static size_t taco__tortilla_centroid_make(taco__tortilla_centroid *c, size_t row, char text[96],
                                           taco_error *err)
{
    double xy[2], out[2];
    taco_error why;
    const char *crs;
    size_t n;
    if (!taco__tortilla_centroid_middle(c, row, xy)) { return 0; }
    crs = taco__arena_text(&c->scratch, taco_array_bytes(c->crs, row), err);
    if (!crs) { return 0; }
    memset(&why, 0, sizeof why);
    if (taco__extension_lonlat(crs, xy[0], xy[1], c->lonlat, c->lonlat_ctx, out, &why) != TACO_OK) {
        if (!c->failed++) { c->why = why; }
        return 0;
    }
    memcpy(text, "POINT (", 7);
    n = 7 + taco__tortilla_centroid_format(text + 7, out[0]);
    text[n++] = ' ';
    n += taco__tortilla_centroid_format(text + n, out[1]);
    text[n++] = ')';
    return n;
}

/* Appends all rows to a builder: the caller's value, or a computed one. */
static bool taco__tortilla_centroid_fill(taco__tortilla_centroid *c, size_t rows,
                                         taco__array_builder *b, taco_error *err)
{
    size_t i;
    for (i = 0; i < rows; i++) {
        char text[96];
        taco_bytes value = c->given ? taco_array_bytes(c->given, i) : taco__bytes_of(NULL, 0);
        if (!value.len) {
            value = taco__bytes_of(text, taco__tortilla_centroid_make(c, i, text, err));
        }
        if (err->code != TACO_OK || !(value.len ? taco__array_builder_append_bytes(b, value, err)
                                                : taco__array_builder_append_null(b, err))) {
            return false;
        }
    }
    return true;
}

/* Stores the finished column, replacing an existing one or as a new one; in the arena. */
static bool taco__tortilla_centroid_put(taco__tortilla_writer *w, taco__tortilla_node *node,
                                        const taco_field *field, taco__array_builder *b,
                                        const taco_array *given)
{
    size_t at = given ? (size_t)(given - node->columns) : node->column_count, i;
    taco_array *columns =
        (taco_array *)taco__arena_array(&w->arena, node->column_count + 2, sizeof *columns, w->err);
    taco_array view;
    taco__concat_slice p;
    p.a = taco__array_builder_view(b, &view);
    p.first = 0;
    p.n = node->rows;
    if (!columns || !taco__concat_arrays(&w->arena, field, &p, 1, &columns[at], w->err)) {
        return false;
    }
    for (i = 0; i < node->column_count; i++) {
        if (i != at) { columns[i] = node->columns[i]; }
    }
    node->columns = columns;
    node->column_count += given == NULL;
    return true;
}

/* Warns the caller how many rows have none, and why the first does not. */
static void taco__tortilla_centroid_warn(const taco__tortilla_writer *w,
                                         const taco__tortilla_centroid *c)
{
    taco_error e;
    if (!c->failed || !w->options.warn) { return; }
    memset(&e, 0, sizeof e);
    TACO__FAIL(&e, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "stac:centroid of %u rows is null: %s",
               TACO__U(c->failed), c->why.text);
    w->options.warn(w->options.warn_ctx, &e);
}

TACO__FN bool taco__tortilla_centroid_add(taco__tortilla_writer *w, taco__tortilla_node *node,
                                          const taco_tortilla_options *opt)
{
    taco__tortilla_centroid c;
    taco__array_builder b;
    taco_field *field;
    bool ok;
    memset(&c, 0, sizeof c);
    memset(&b, 0, sizeof b);
    c.crs = taco__tortilla_centroid_find(node, "stac:crs", TACO_TEXT, false);
    c.geotransform = taco__tortilla_centroid_find(node, "stac:geotransform", TACO_LIST, false);
    c.shape = taco__tortilla_centroid_find(node, "stac:raster_shape", TACO_LIST, true);
    if (!c.shape) {
        c.shape = taco__tortilla_centroid_find(node, "stac:tensor_shape", TACO_LIST, true);
    }
    c.given = taco__tortilla_check_find(node->columns, node->column_count, "stac:centroid");
    if (!c.crs || !c.geotransform || !c.shape ||
        (c.given && c.given->field->type != TACO_TEXT && c.given->field->type != TACO_NULL)) {
        return true;
    }
    c.lonlat = opt->lonlat;
    c.lonlat_ctx = opt->lonlat_ctx;
    c.scratch.mem = &w->mem;
    field = (taco_field *)taco__arena_alloc(&w->arena, sizeof *field, w->err);
    if (!field) { return false; }
    *field = taco__field_make("stac:centroid", TACO_TEXT);
    ok = taco__array_builder_init(&b, field, &w->mem, &w->arena, w->err) &&
         taco__tortilla_centroid_fill(&c, node->rows, &b, w->err) &&
         taco__tortilla_centroid_put(w, node, field, &b, c.given);
    taco__array_builder_free(&b);
    taco__arena_free(&c.scratch);
    if (ok) { taco__tortilla_centroid_warn(w, &c); }
    return ok;
}
