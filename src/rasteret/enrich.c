/* enrich.c - headers of the assets of a batch, parsed once each, as {band}_metadata columns

   In: the assets column of a batch and the bands to enrich; out: for each band a struct of 17
   fields per row, which lets a reader find the tiles of the band's TIFF without opening it
   (Rasteret's schema contract, COG acceleration columns), and the EPSG code in the headers.

   taco__enrich_collect_assets lists the assets of rows and bands, and each file once;
   taco__enrich_run opens and parses the files, in parallel if the caller has tasks;
   taco__enrich_fill_columns writes the rows. Headers that cannot be read give null and a warning.
   hrefs may be /vsisubfile/ paths into archives: offsets of tiles then count from the beginning of
   the archive. */
#include "rasteret.h"
#include "../base/base.h"
#include "../dataset/dataset.h"
#include "../tiff/tiff.h"
#include "../write/write.h"

/* ---- columns ---- */

/* Indexes of the fields, in the contract's order. */
enum {
    TACO__ENRICH_WIDTH,
    TACO__ENRICH_HEIGHT,
    TACO__ENRICH_TILE_WIDTH,
    TACO__ENRICH_TILE_HEIGHT,
    TACO__ENRICH_DTYPE,
    TACO__ENRICH_TRANSFORM,
    TACO__ENRICH_PREDICTOR,
    TACO__ENRICH_COMPRESSION,
    TACO__ENRICH_OFFSETS,
    TACO__ENRICH_COUNTS,
    TACO__ENRICH_SCALE,
    TACO__ENRICH_TIEPOINT,
    TACO__ENRICH_NODATA,
    TACO__ENRICH_SAMPLES,
    TACO__ENRICH_PLANAR,
    TACO__ENRICH_PHOTOMETRIC,
    TACO__ENRICH_EXTRA
};

/* Tag values are INT32 as in the contract, which has no unsigned types; larger ones become null. */
TACO__FN void taco__enrich_init_fields(taco_field out[TACO__ENRICH_FIELDS], const taco_field *f64,
                                       const taco_field *i64, const taco_field *i32)
{
    static const char *const names[TACO__ENRICH_FIELDS] = {
        "image_width", "image_height", "tile_width",  "tile_height",       "dtype",
        "transform",   "predictor",    "compression", "tile_offsets",      "tile_byte_counts",
        "pixel_scale", "tiepoint",     "nodata",      "samples_per_pixel", "planar_configuration",
        "photometric", "extra_samples"};
    size_t i;
    for (i = 0; i < TACO__ENRICH_FIELDS; i++) {
        switch (i) {
        case TACO__ENRICH_DTYPE: out[i] = taco__field_make(names[i], TACO_TEXT); break;
        case TACO__ENRICH_NODATA: out[i] = taco__field_make(names[i], TACO_DOUBLE); break;
        case TACO__ENRICH_TRANSFORM:
        case TACO__ENRICH_SCALE:
        case TACO__ENRICH_TIEPOINT:
            out[i] = taco__field_make_nested(names[i], TACO_LIST, f64, 1);
            break;
        case TACO__ENRICH_OFFSETS:
        case TACO__ENRICH_COUNTS:
            out[i] = taco__field_make_nested(names[i], TACO_LIST, i64, 1);
            break;
        case TACO__ENRICH_EXTRA:
            out[i] = taco__field_make_nested(names[i], TACO_LIST, i32, 1);
            break;
        default: out[i] = taco__field_make(names[i], TACO_INT32); break;
        }
    }
}

/* Appends the offsets or sizes of one band's tiles as a list; add is the offset of the TIFF in the
   file that the asset names. */
static bool taco__enrich_append_table(taco__array_builder *c, const uint64_t *v, size_t n,
                                      uint64_t add, taco_error *err)
{
    uint8_t *to = taco__array_builder_append_unset(&c->children[0], n, err);
    uint64_t x;
    size_t i;
    for (i = 0; to && i < n; i++) {
        if (!taco__checked_add64(v[i], add, &x) || x > INT64_MAX) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "tile at byte %u", v[i]);
            return false;
        }
        memcpy(to + i * sizeof x, &x, sizeof x);
    }
    return to && taco__array_builder_end_row(c, true, err);
}

/* Appends a tag's value; null if the tag is absent, or does not fit INT32. */
static bool taco__enrich_append_optional(taco__array_builder *c, bool there, uint32_t x,
                                         taco_error *err)
{
    return there && x <= INT32_MAX ? taco__array_builder_append_int(c, (int64_t)x, err)
                                   : taco__array_builder_append_null(c, err);
}

/* Appends sizes, and how the tiles are stored. */
static bool taco__enrich_append_layout(taco__array_builder *k, const taco_tiff_header *h,
                                       taco_error *err)
{
    return taco__array_builder_append_int(&k[TACO__ENRICH_WIDTH], h->image_width, err) &&
           taco__array_builder_append_int(&k[TACO__ENRICH_HEIGHT], h->image_height, err) &&
           taco__array_builder_append_int(&k[TACO__ENRICH_TILE_WIDTH], h->tile_width, err) &&
           taco__array_builder_append_int(&k[TACO__ENRICH_TILE_HEIGHT], h->tile_height, err) &&
           taco__array_builder_append_text(&k[TACO__ENRICH_DTYPE], h->dtype, err) &&
           taco__enrich_append_optional(&k[TACO__ENRICH_PREDICTOR], true, h->predictor, err) &&
           taco__enrich_append_optional(&k[TACO__ENRICH_COMPRESSION], true, h->compression, err) &&
           taco__enrich_append_optional(&k[TACO__ENRICH_SAMPLES], true, h->samples_per_pixel,
                                        err) &&
           taco__enrich_append_optional(&k[TACO__ENRICH_PLANAR], true, h->planar_configuration,
                                        err);
}

/* Appends the position of the image. */
static bool taco__enrich_append_place(taco__array_builder *k, const taco_tiff_header *h,
                                      taco_error *err)
{
    return taco__array_builder_append_doubles(&k[TACO__ENRICH_TRANSFORM], h->transform, 4, err) &&
           taco__array_builder_append_doubles(&k[TACO__ENRICH_SCALE],
                                              h->has_scale ? h->pixel_scale : NULL, 3, err) &&
           taco__array_builder_append_doubles(&k[TACO__ENRICH_TIEPOINT], h->tiepoints,
                                              h->tiepoint_count, err);
}

/* Appends how to interpret its values. */
static bool taco__enrich_append_meaning(taco__array_builder *k, const taco_tiff_header *h,
                                        taco_error *err)
{
    taco__array_builder *extra = &k[TACO__ENRICH_EXTRA];
    size_t i;
    bool ok =
        (h->has_nodata ? taco__array_builder_append_double(&k[TACO__ENRICH_NODATA], h->nodata, err)
                       : taco__array_builder_append_null(&k[TACO__ENRICH_NODATA], err)) &&
        taco__enrich_append_optional(&k[TACO__ENRICH_PHOTOMETRIC], h->has_photometric,
                                     h->photometric, err);
    for (i = 0; ok && h->extra_samples && i < h->extra_sample_count; i++) {
        ok = taco__array_builder_append_int(&extra->children[0], (int64_t)h->extra_samples[i], err);
    }
    return ok && taco__array_builder_end_row(extra, h->extra_sample_count != 0, err);
}

/* Appends a row to a {band}_metadata column: n tiles, beginning with `first`. */
static bool taco__enrich_append_row(taco__array_builder *c, const taco_tiff *t, size_t first,
                                    size_t n, uint64_t add, taco_error *err)
{
    const taco_tiff_header *h = taco_tiff_get(t);
    taco__array_builder *k = c->children;
    return taco__enrich_append_layout(k, h, err) && taco__enrich_append_place(k, h, err) &&
           taco__enrich_append_meaning(k, h, err) &&
           taco__enrich_append_table(&k[TACO__ENRICH_OFFSETS], h->tile_offsets + first, n, add,
                                     err) &&
           taco__enrich_append_table(&k[TACO__ENRICH_COUNTS], h->tile_byte_counts + first, n, 0,
                                     err) &&
           taco__array_builder_end_row(c, true, err);
}

/* ---- headers ---- */

/* A range of a source, as a source. */
typedef struct taco__enrich_window {
    taco_source src;
    uint64_t offset;
} taco__enrich_window;

/* taco_source.read of a window, whose range was checked when it was opened. */
static bool taco__enrich_window_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    const taco__enrich_window *w = (const taco__enrich_window *)ctx;
    return w->src.read(w->src.ctx, w->offset + offset, dst, len);
}

/* Makes *src the asset's range of its file, if it has one. */
static bool taco__enrich_open_window(taco__enrich_asset *a, taco__enrich_window *w,
                                     taco_source *src)
{
    if (!a->offset && !a->size) { return true; }
    w->offset = a->offset;
    src->ctx = w;
    src->read = taco__enrich_window_read;
    src->view = NULL;
    src->read_many = NULL;
    src->size = a->size;
    if (taco__checked_range(a->offset, a->size, w->src.size)) { return true; }
    TACO__FAIL(&a->err, TACO_ERR_TRUNCATED, a->offset,
               "the sub-file of %u bytes reaches over the end at %u", a->size, w->src.size);
    return false;
}

/* Closes the source, since the header holds everything needed later. */
TACO__FN void taco__enrich_parse_asset(void *arg, size_t i)
{
    taco__enrich *e = (taco__enrich *)arg;
    taco__enrich_asset *a = &e->assets[i];
    taco__enrich_window w;
    taco_source src;
    memset(&w, 0, sizeof w);
    if (!taco__source_open_path(e->options, a->path, &w.src, &a->err)) { return; }
    src = w.src;
    src.close = NULL;
    if (taco__enrich_open_window(a, &w, &src)) {
        a->tiff = taco_tiff_open(&src, a->path, e->options, &a->err);
    }
    if (a->tiff && taco_tiff_tiles_ok(a->tiff, &a->err) != TACO_OK) {
        taco_tiff_close(a->tiff);
        a->tiff = NULL;
    }
    if (w.src.close) { w.src.close(w.src.ctx); }
}

/* ---- hrefs ---- */

/* "/vsisubfile/100_50,/vsicurl/https://x/a.tacozip" is 50 bytes at 100 of what follows the
   comma. */
TACO__FN bool taco__enrich_parse_subfile(taco_bytes href, taco_bytes *path, uint64_t *offset,
                                         uint64_t *size)
{
    static const char prefix[] = "/vsisubfile/";
    size_t from = sizeof prefix - 1, low, comma;
    if (!taco__bytes_starts_with(href, prefix)) { return false; }
    for (low = from; low < href.len && href.data[low] != '_'; low++) {}
    for (comma = low; comma < href.len && href.data[comma] != ','; comma++) {}
    if (comma == href.len ||
        !taco__num_parse_u64(taco__bytes_of(href.data + from, low - from), offset) ||
        !taco__num_parse_u64(taco__bytes_of(href.data + low + 1, comma - low - 1), size)) {
        return false;
    }
    *path = taco__bytes_of(href.data + comma + 1, href.len - comma - 1);
    return true;
}

/* file:// paths are local ones; the base is for relative paths, also below /vsisubfile/. */
TACO__FN bool taco__enrich_resolve_href(taco__enrich *e, taco__enrich_asset *a, taco_error *err)
{
    taco_bytes path = a->href;
    size_t n = strlen(e->base);
    char *text;
    (void)taco__enrich_parse_subfile(a->href, &path, &a->offset, &a->size);
    if (path.len > 7 && taco__bytes_starts_with(path, "file://")) {
        path = taco__bytes_of(path.data + 7, path.len - 7);
    }
    if (path.len == 0 || taco__plat_is_absolute((const char *)path.data, path.len) ||
        taco__vsi_is_remote(path)) {
        n = 0;
    }
    text = (char *)taco__arena_alloc(&e->arena, n + path.len + 1, err);
    if (text) {
        memcpy(text, e->base, n);
        if (path.len) { memcpy(text + n, path.data, path.len); }
    }
    a->path = text;
    return text != NULL;
}

/* The child of a struct array by its name; NULL if there is none. */
static const taco_array *taco__enrich_find_child(const taco_array *a, const char *name)
{
    uint32_t i;
    for (i = 0; a->field->type == TACO_STRUCT && i < a->field->child_count; i++) {
        if (strcmp(a->field->children[i].name, name) == 0) { return &a->children[i]; }
    }
    return NULL;
}

/* Without a band_index, the file's first sample is taken. */
TACO__FN bool taco__enrich_read_asset(const taco_array *asset, size_t row, taco_bytes *href,
                                      int64_t *index)
{
    const taco_array *h = asset, *b;
    *index = 0;
    if (!taco_array_valid(asset, row)) { return false; }
    if (asset->field->type == TACO_STRUCT) {
        h = taco__enrich_find_child(asset, "href");
        b = taco__enrich_find_child(asset, "band_index");
        if (b && taco_array_valid(b, row)) { *index = taco_array_int(b, row); }
    }
    if (!h || h->field->type != TACO_TEXT) { return false; }
    *href = taco_array_bytes(h, row);
    return href->len != 0;
}

/* ---- the assets of a batch ---- */

static int taco__enrich_compare_assets(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return taco__bytes_compare(((const taco__enrich_asset *)a)->href,
                               ((const taco__enrich_asset *)b)->href);
}

/* Sorts the n files by href, drops duplicates, and updates the refs, the i-th of which named the
   i-th file. */
static bool taco__enrich_merge_assets(taco__enrich *e, size_t n, taco_error *err)
{
    taco__enrich_asset *list = e->assets;
    taco_bytes *names = (taco_bytes *)taco__arena_array(&e->arena, n + 1, sizeof *names, err);
    size_t i;
    if (!names) { return false; }
    for (i = 0; i < n; i++) {
        names[i] = list[i].href;
    }
    if (!taco__sort_in(e->mem, list, n, sizeof *list, taco__enrich_compare_assets, NULL, err)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        if (e->asset_count == 0 ||
            !taco__bytes_equal(list[e->asset_count - 1].href, list[i].href)) {
            list[e->asset_count++] = list[i];
        }
    }
    for (i = 0; i < n; i++) {
        size_t at = 0;
        TACO__LOWER_BOUND(at, e->asset_count, k, taco__bytes_compare(list[k].href, names[i]) < 0);
        e->refs[i].asset = at;
    }
    return true;
}

/* Allocates an asset for every row and band. */
static bool taco__enrich_alloc_refs(taco__enrich *e, size_t rows, size_t band_count,
                                    taco_error *err)
{
    size_t most;
    if (!taco__checked_mul_size(rows, band_count, &most)) { most = SIZE_MAX / sizeof *e->assets; }
    e->asset_count = e->ref_count = 0;
    e->assets =
        (taco__enrich_asset *)taco__arena_array(&e->arena, most + 1, sizeof *e->assets, err);
    e->refs = (taco__enrich_ref *)taco__arena_array(&e->arena, most + 1, sizeof *e->refs, err);
    return e->assets && e->refs;
}

TACO__FN bool taco__enrich_collect_assets(taco__enrich *e, const taco_array *assets,
                                          const uint32_t *bands, size_t band_count, size_t rows,
                                          taco_error *err)
{
    size_t row, b, i, n = 0;
    if (!taco__enrich_alloc_refs(e, rows, band_count, err)) { return false; }
    for (row = 0; row < rows; row++) {
        for (b = 0; b < band_count && taco_array_valid(assets, row); b++) {
            taco__enrich_ref *r = &e->refs[n];
            if (taco__enrich_read_asset(&assets->children[bands[b]], row, &e->assets[n].href,
                                        &r->index)) {
                r->row = row;
                r->band = b;
                n++;
            }
        }
    }
    e->ref_count = n;
    if (!taco__enrich_merge_assets(e, n, err)) { return false; }
    for (i = 0; i < e->asset_count; i++) {
        if (!taco__enrich_resolve_href(e, &e->assets[i], err)) { return false; }
    }
    return true;
}

/* Each task touches one asset, and tasks share only the options; so counting and warnings come
   afterwards. */
TACO__FN bool taco__enrich_run(taco__enrich *e, taco_error *err)
{
    size_t i;
    taco__tasks_run(e->options, e->asset_count, taco__enrich_parse_asset, e);
    for (i = 0; i < e->asset_count; i++) {
        taco__enrich_asset *a = &e->assets[i];
        e->tried++;
        e->parsed += a->tiff != NULL;
        if (!a->tiff && a->err.code == TACO_ERR_MEMORY) { /* nothing is wrong with the file */
            if (err) { *err = a->err; }
            taco__error_prefix(err, "asset %q", &a->href);
            return false;
        }
        if (!a->tiff && e->options->warn) {
            taco__error_prefix(&a->err, "asset %q", &a->href);
            e->options->warn(e->options->warn_ctx, &a->err);
        }
    }
    return true;
}

/* ---- rows ---- */

/* Finds the tiles of one band in its file; false, with a warning, if none match. */
static bool taco__enrich_find_tiles(const taco__enrich *e, const taco__enrich_ref *r, size_t *first,
                                    size_t *n)
{
    const taco_tiff *t = e->assets[r->asset].tiff;
    const taco_tiff_header *h = taco_tiff_get(t);
    taco_error bad;
    memset(&bad, 0, sizeof bad);
    if (taco_tiff_band(t, r->index, first, n, &bad) == TACO_OK &&
        h->tile_byte_count_count == h->tile_offset_count) {
        return true;
    }
    TACO__FAIL(&bad, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "%u tile offsets, %u byte counts",
               TACO__U(h->tile_offset_count), TACO__U(h->tile_byte_count_count));
    if (e->options->warn) { e->options->warn(e->options->warn_ctx, &bad); }
    return false;
}

/* The assets of one record must agree on its CRS; 0 means unknown. */
static bool taco__enrich_merge_code(int32_t *code, int32_t found, const taco_array *ids, size_t row,
                                    taco_error *err)
{
    if (found && *code && *code != found) {
        taco_bytes id = taco_array_bytes(ids, row);
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "the assets of record %q have different CRSs (EPSG %d and %d)", &id,
                   TACO__D(*code), TACO__D(found));
        return false;
    }
    *code = found ? found : *code;
    return true;
}

/* Appends nulls for missing rows, up to row `end`. */
static bool taco__enrich_append_nulls(taco__array_builder *c, size_t end, taco_error *err)
{
    while (c->length < end) {
        if (!taco__array_builder_append_null(c, err)) { return false; }
    }
    return true;
}

/* Fills the column of one band. */
static bool taco__enrich_fill_column(taco__enrich *e, taco__array_builder *c, size_t band,
                                     const taco_array *ids, int32_t *codes, taco_error *err)
{
    size_t i, first = 0, n = 0;
    for (i = 0; i < e->ref_count; i++) {
        const taco__enrich_ref *r = &e->refs[i];
        const taco__enrich_asset *a = &e->assets[r->asset];
        if (r->band != band || !a->tiff || !taco__enrich_find_tiles(e, r, &first, &n)) { continue; }
        if (!taco__enrich_append_nulls(c, r->row, err) ||
            !taco__enrich_merge_code(&codes[r->row], taco_tiff_get(a->tiff)->epsg, ids, r->row,
                                     err) ||
            !taco__enrich_append_row(c, a->tiff, first, n, a->offset, err)) {
            return false;
        }
    }
    return true;
}

/* Afterwards every column has `rows` rows, with null for those without a header. */
TACO__FN bool taco__enrich_fill_columns(taco__enrich *e, taco__array_builder *columns,
                                        size_t band_count, size_t rows, const taco_array *ids,
                                        int32_t *codes, taco_error *err)
{
    size_t b;
    memset(codes, 0, rows * sizeof *codes);
    for (b = 0; b < band_count; b++) {
        if (!taco__enrich_fill_column(e, &columns[b], b, ids, codes, err) ||
            !taco__enrich_append_nulls(&columns[b], rows, err)) {
            return false;
        }
    }
    return true;
}

TACO__FN void taco__enrich_free(taco__enrich *e)
{
    size_t i;
    for (i = 0; i < e->asset_count; i++) {
        taco_tiff_close(e->assets[i].tiff);
    }
    e->asset_count = e->ref_count = 0;
    taco__arena_free(&e->arena);
}
