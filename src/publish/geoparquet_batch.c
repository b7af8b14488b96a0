/* geoparquet_batch.c - batches of rows as batches of GeoParquet columns.. Spec: GeoParquet 1.1,
   STAC GeoParquet 1.1 */
#include "publish.h"
#include "../base/base.h"
#include "../dataset/dataset.h"

/* ---- arrays of one batch ---- */

static void *taco__geoparquet_batch_alloc(taco__geoparquet *x, size_t n, size_t size)
{
    void *p = taco__arena_array(&x->batch, n + 1, size, &x->err);
    if (p) { memset(p, 0, (n + 1) * size); }
    return p;
}

static void taco__geoparquet_batch_begin_array(taco_array *a, const taco_field *f, size_t n)
{
    memset(a, 0, sizeof *a);
    a->field = f;
    a->length = n;
}

static bool taco__geoparquet_batch_alloc_bitmap(taco__geoparquet *x, taco_array *a, uint8_t **bits)
{
    *bits = (uint8_t *)taco__geoparquet_batch_alloc(x, TACO__BITMAP_BYTES(a->length), 1);
    a->validity = *bits;
    return *bits != NULL;
}

static void taco__geoparquet_batch_end_array(taco_array *a)
{
    size_t i;
    for (a->null_count = 0, i = 0; i < a->length; i++) {
        a->null_count += !taco__bitmap_get(a->validity, i);
    }
    a->validity = a->null_count ? a->validity : NULL;
}

/* The same text in every row. */
static bool taco__geoparquet_batch_constant_text(taco__geoparquet *x, taco_array *a,
                                                 const taco_field *f, size_t n, const char *text)
{
    size_t len = strlen(text), i, bytes;
    int32_t *offsets;
    uint8_t *to;
    taco__geoparquet_batch_begin_array(a, f, n);
    if (!taco__checked_mul_size(n, len, &bytes) || bytes > INT32_MAX) {
        TACO__FAIL(&x->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u texts of %u bytes in one batch",
                   TACO__U(n), TACO__U(len));
        return false;
    }
    offsets = (int32_t *)taco__geoparquet_batch_alloc(x, n + 1, sizeof *offsets);
    to = (uint8_t *)taco__geoparquet_batch_alloc(x, bytes, 1);
    if (!offsets || !to) { return false; }
    for (i = 0; i < n; i++) {
        memcpy(to + i * len, text, len);
        offsets[i + 1] = (int32_t)((i + 1) * len);
    }
    a->offsets = offsets;
    a->v.any = to;
    return true;
}

/* A list of one element, or of none, in every row. */
static bool taco__geoparquet_batch_constant_list(taco__geoparquet *x, taco_array *a,
                                                 const taco_field *f, size_t n, bool one,
                                                 taco_array **child)
{
    int32_t *offsets = (int32_t *)taco__geoparquet_batch_alloc(x, n + 1, sizeof *offsets);
    size_t i;
    *child = (taco_array *)taco__geoparquet_batch_alloc(x, 1, sizeof **child);
    if (!offsets || !*child) { return false; }
    taco__geoparquet_batch_begin_array(a, f, n);
    for (i = 0; one && i <= n; i++) {
        offsets[i] = (int32_t)i;
    }
    a->offsets = offsets;
    a->children = *child;
    return true;
}

static bool taco__geoparquet_batch_text_list(taco__geoparquet *x, taco_array *a,
                                             const taco_field *f, size_t n, const char *text)
{
    taco_array *child;
    return taco__geoparquet_batch_constant_list(x, a, f, n, text != NULL, &child) &&
           taco__geoparquet_batch_constant_text(x, child, f->children, text ? n : 0,
                                                text ? text : "");
}

static bool taco__geoparquet_batch_links(taco__geoparquet *x, taco_array *a, const taco_field *f,
                                         size_t n)
{
    const taco_field *c = f->children->children;
    taco_array *link, *parts = (taco_array *)taco__geoparquet_batch_alloc(x, 3, sizeof *parts);
    size_t m = x->how.href ? n : 0;
    if (!parts || !taco__geoparquet_batch_constant_list(x, a, f, n, m > 0, &link)) { return false; }
    taco__geoparquet_batch_begin_array(link, f->children, m);
    link->children = parts;
    return taco__geoparquet_batch_constant_text(x, &parts[0], &c[0], m, m ? x->how.href : "") &&
           taco__geoparquet_batch_constant_text(x, &parts[1], &c[1], m, "collection") &&
           taco__geoparquet_batch_constant_text(x, &parts[2], &c[2], m, "application/json");
}

/* What GDAL opens as a raster by its name is one; of the rest nothing is known. */
static const char *taco__geoparquet_batch_media_type(const taco_batch *b,
                                                     const taco__geoparquet_column *c, size_t i)
{
    taco_bytes id = taco_array_bytes(&b->columns[c->other], i);
    if ((id.len > 4 && memcmp(id.data + id.len - 4, ".tif", 4) == 0) ||
        (id.len > 5 && memcmp(id.data + id.len - 5, ".tiff", 5) == 0)) {
        return "image/tiff; application=geotiff";
    }
    return "application/octet-stream";
}

static bool taco__geoparquet_batch_media_types(taco__geoparquet *x, taco_array *a,
                                               const taco_field *f, const taco_batch *b,
                                               const taco__geoparquet_column *c)
{
    size_t i, at = 0, n = b->length;
    int32_t *offsets = (int32_t *)taco__geoparquet_batch_alloc(x, n + 1, sizeof *offsets);
    uint8_t *to =
        (uint8_t *)taco__geoparquet_batch_alloc(x, n, 32); /* the longer name has 31 bytes */
    taco__geoparquet_batch_begin_array(a, f, n);
    if (!offsets || !to) { return false; }
    for (i = 0; i < n; i++) {
        const char *text = taco__geoparquet_batch_media_type(b, c, i);
        memcpy(to + at, text, strlen(text));
        at += strlen(text);
        offsets[i + 1] = (int32_t)at;
    }
    a->offsets = offsets;
    a->v.any = to;
    return true;
}

static bool taco__geoparquet_batch_assets(taco__geoparquet *x, taco_array *a, const taco_field *f,
                                          const taco_batch *b, const taco__geoparquet_column *c)
{
    taco_array *data = (taco_array *)taco__geoparquet_batch_alloc(x, 1, sizeof *data);
    taco_array *parts = (taco_array *)taco__geoparquet_batch_alloc(x, 3, sizeof *parts);
    const taco_field *g = f->children->children;
    if (!data || !parts) { return false; }
    taco__geoparquet_batch_begin_array(a, f, b->length);
    taco__geoparquet_batch_begin_array(data, f->children, b->length);
    a->children = data;
    data->children = parts;
    if (c->from == TACO__NONE) {
        if (!taco__geoparquet_batch_constant_text(x, &parts[0], &g[0], b->length, "")) {
            return false;
        }
    } else {
        parts[0] = b->columns[c->from];
        parts[0].field = &g[0];
    }
    return taco__geoparquet_batch_media_types(x, &parts[1], &g[1], b, c) &&
           taco__geoparquet_batch_text_list(x, &parts[2], &g[2], b->length, "data");
}

/* POINT (x y), as Tortilla writes centroids, into WKB; false for anything else. */
static bool taco__geoparquet_batch_parse_point(taco_bytes text, uint8_t wkb[21])
{
    double xy[2];
    unsigned k;
    while (text.len && *text.data != '(') {
        text.data++, text.len--;
    }
    for (k = 0; k < 2; k++) {
        taco_bytes word;
        if (text.len == 0) { return false; }
        for (text.data++, text.len--; text.len && *text.data == ' '; text.data++, text.len--) {}
        word = taco__bytes_of(text.data, 0);
        while (word.len < text.len && text.data[word.len] != ' ' && text.data[word.len] != ')') {
            word.len++;
        }
        if (!taco__num_parse_f64(word, &xy[k])) { return false; }
        text.data += word.len, text.len -= word.len;
    }
    memset(wkb, 0, 21); /* WKB: byte order 1, type 1 (Point), x, y */
    wkb[0] = wkb[1] = 1;
    taco__put_le64(wkb + 5, taco__f64_to_bits(xy[0]));
    taco__put_le64(wkb + 13, taco__f64_to_bits(xy[1]));
    return true;
}

static bool taco__geoparquet_batch_geometry(taco__geoparquet *x, taco_array *a, const taco_field *f,
                                            const taco_array *from)
{
    size_t i, n = from->length;
    int32_t *offsets;
    uint8_t *to, *bits;
    if (from->field->type == TACO_BINARY) {
        *a = *from;
        a->field = f;
        return true;
    }
    offsets = (int32_t *)taco__geoparquet_batch_alloc(x, n + 1, sizeof *offsets);
    to = (uint8_t *)taco__geoparquet_batch_alloc(x, n, 21);
    taco__geoparquet_batch_begin_array(a, f, n);
    if (!offsets || !to || !taco__geoparquet_batch_alloc_bitmap(x, a, &bits)) { return false; }
    for (i = 0; i < n; i++) {
        taco_bytes text = taco_array_bytes(from, i);
        bool good = text.data && taco__geoparquet_batch_parse_point(text, to + offsets[i]);
        if (text.data && !good) {
            TACO__FAIL(&x->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "geometry %q is not POINT (x y)",
                       &text);
            return false;
        }
        bits[i >> 3] |= (uint8_t)((unsigned)good << (i & 7));
        offsets[i + 1] = offsets[i] + (good ? 21 : 0);
    }
    a->offsets = offsets;
    a->v.any = to;
    taco__geoparquet_batch_end_array(a);
    return true;
}

/* Microseconds since 1970 of row i; false when there is no time, or none that fits. */
static bool taco__geoparquet_batch_read_time(const taco_array *a, size_t i, int64_t *out)
{
    static const int64_t each[4] = {1000000, 1000, 1, 1};
    int64_t v = taco_array_int(a, i), by;
    if (!taco_array_valid(a, i)) { return false; }
    if (a->field->type == TACO_DOUBLE) {
        double d = taco_array_double(a, i) * 1e6;
        *out = d > -9.2e18 && d < 9.2e18 ? (int64_t)d : 0;
        return d > -9.2e18 && d < 9.2e18;
    }
    by = a->field->type == TACO_TIMESTAMP ? each[a->field->unit]
         : a->field->type == TACO_DATE    ? INT64_C(86400000000)
                                          : 1000000;
    if (a->field->type == TACO_TIMESTAMP && a->field->unit == TACO_NANO) {
        *out = v / 1000 - (v % 1000 < 0); /* rounds down, before 1970 too: C rounds to zero */
        return true;
    }
    if (v > INT64_MAX / by || v < INT64_MIN / by) { return false; }
    *out = v * by;
    return true;
}

static bool taco__geoparquet_batch_times(taco__geoparquet *x, taco_array *a, const taco_field *f,
                                         const taco_batch *b, const taco__geoparquet_column *c)
{
    size_t i, n = b->length;
    int64_t *v = (int64_t *)taco__geoparquet_batch_alloc(x, n, sizeof *v);
    uint8_t *bits;
    taco__geoparquet_batch_begin_array(a, f, n);
    if (!v || !taco__geoparquet_batch_alloc_bitmap(x, a, &bits)) { return false; }
    for (i = 0; i < n; i++) {
        bool good = taco__geoparquet_batch_read_time(&b->columns[c->from], i, &v[i]) ||
                    (c->other != TACO__NONE &&
                     taco__geoparquet_batch_read_time(&b->columns[c->other], i, &v[i]));
        bits[i >> 3] |= (uint8_t)((unsigned)good << (i & 7));
    }
    a->v.any = v;
    taco__geoparquet_batch_end_array(a);
    return true;
}

/* The last two sizes of a tensor; or the six numbers of a geotransform, by rows of the matrix (STAC
   projection extension). */
static bool taco__geoparquet_batch_numbers(taco__geoparquet *x, taco_array *a, const taco_field *f,
                                           const taco_array *from, bool transform)
{
    static const size_t order[6] = {1, 2, 0, 4, 5, 3};
    size_t i, k, n = from->length, each = transform ? 6 : 2, at = 0;
    int32_t *offsets = (int32_t *)taco__geoparquet_batch_alloc(x, n + 1, sizeof *offsets);
    double *reals = (double *)taco__geoparquet_batch_alloc(x, n * each, sizeof *reals);
    int64_t *whole = (int64_t *)taco__geoparquet_batch_alloc(x, n * each, sizeof *whole);
    taco_array *child = (taco_array *)taco__geoparquet_batch_alloc(x, 1, sizeof *child);
    uint8_t *bits;
    taco__geoparquet_batch_begin_array(a, f, n);
    if (!offsets || !reals || !whole || !child ||
        !taco__geoparquet_batch_alloc_bitmap(x, a, &bits)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        size_t first = (size_t)from->offsets[i], len = (size_t)from->offsets[i + 1] - first;
        bool good = taco_array_valid(from, i) && (transform ? len == 6 : len >= 2);
        for (k = 0; good && k < each; k++) {
            size_t j = first + (transform ? order[k] : len - 2 + k);
            if (transform) {
                reals[at++] = taco_array_double(from->children, j);
            } else {
                whole[at++] = taco_array_int(from->children, j);
            }
        }
        bits[i >> 3] |= (uint8_t)((unsigned)good << (i & 7));
        offsets[i + 1] = (int32_t)at;
    }
    taco__geoparquet_batch_begin_array(child, f->children, at);
    child->v.any = transform ? (const void *)reals : (const void *)whole;
    a->offsets = offsets;
    a->children = child;
    taco__geoparquet_batch_end_array(a);
    return true;
}

static bool taco__geoparquet_batch_make_column(taco__geoparquet *x, size_t k, const taco_batch *b)
{
    static const char projection[] =
        "https://stac-extensions.github.io/projection/v2.0.0/schema.json";
    const taco__geoparquet_column *c = &x->columns[k];
    const taco_field *f = &x->out[k];
    taco_array *a = &x->arrays[k];
    switch (c->what) {
    case TACO__GEOPARQUET_GEOMETRY:
        return taco__geoparquet_batch_geometry(x, a, f, &b->columns[c->from]);
    case TACO__GEOPARQUET_TEXT:
        return taco__geoparquet_batch_constant_text(x, a, f, b->length, c->text);
    case TACO__GEOPARQUET_EXTENSIONS:
        return taco__geoparquet_batch_text_list(x, a, f, b->length,
                                                c->from == TACO__NONE ? NULL : projection);
    case TACO__GEOPARQUET_LINKS: return taco__geoparquet_batch_links(x, a, f, b->length);
    case TACO__GEOPARQUET_ASSETS: return taco__geoparquet_batch_assets(x, a, f, b, c);
    case TACO__GEOPARQUET_TIME: return taco__geoparquet_batch_times(x, a, f, b, c);
    case TACO__GEOPARQUET_SHAPE:
    case TACO__GEOPARQUET_TRANSFORM:
        return taco__geoparquet_batch_numbers(x, a, f, &b->columns[c->from],
                                              c->what == TACO__GEOPARQUET_TRANSFORM);
    default:
        *a = b->columns[c->from];
        a->field = f;
        return true;
    }
}

/* The batch as it goes out; it lives until the next call. */
TACO__FN bool taco__geoparquet_batch_make(taco__geoparquet *x, const taco_batch *b, taco_batch *out)
{
    size_t k;
    taco__arena_free(&x->batch);
    for (k = 0; k < x->count; k++) {
        if (!taco__geoparquet_batch_make_column(x, k, b)) { return false; }
    }
    *out = *b;
    out->columns = x->arrays;
    out->column_count = x->count;
    return true;
}
