/* enrich.c - headers of assets into columns. */
#include "rasteret.h"
#include "../base/base.h"
#include "../dataset/dataset.h"
#include "../tiff/tiff.h"
#include "../write/write.h"

/* Fields of a {band}_metadata column, in the contract's order. */
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
        case 4: out[i] = taco__field_make(names[i], TACO_TEXT); break;
        case 12: out[i] = taco__field_make(names[i], TACO_DOUBLE); break;
        case 5:
        case 10:
        case 11: out[i] = taco__field_make_nested(names[i], TACO_LIST, f64, 1); break;
        case 8:
        case 9: out[i] = taco__field_make_nested(names[i], TACO_LIST, i64, 1); break;
        case 16: out[i] = taco__field_make_nested(names[i], TACO_LIST, i32, 1); break;
        default: out[i] = taco__field_make(names[i], TACO_INT32); break;
        }
    }
}

/* Tables of one band as a list; add is where the file begins in the one that the asset names. */
static bool taco__enrich_append_table(taco__array_builder *c, const uint64_t *v, size_t n,
                                      uint64_t add, taco_error *err)
{
    uint64_t *to = (uint64_t *)(void *)taco__array_builder_append_unset(&c->children[0], n, err);
    size_t i;
    for (i = 0; to && i < n; i++) {
        if (!taco__checked_add64(v[i], add, &to[i]) || to[i] > INT64_MAX) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "tile at byte %u", v[i]);
            return false;
        }
    }
    return to && taco__array_builder_end_row(c, true, err);
}

static bool taco__enrich_append_optional(taco__array_builder *c, bool there, uint32_t x,
                                         taco_error *err)
{
    return there && x <= INT32_MAX ? taco__array_builder_append_int(c, (int64_t)x, err)
                                   : taco__array_builder_append_null(c, err);
}

/* A row of a {band}_metadata column. */
static bool taco__enrich_append_row(taco__array_builder *c, const taco_tiff *t, size_t first,
                                    size_t n, uint64_t add, taco_error *err)
{
    const taco_tiff_header *h = taco_tiff_get(t);
    taco__array_builder *k = c->children;
    size_t i;
    bool ok =
        taco__array_builder_append_int(&k[0], h->image_width, err) &&
        taco__array_builder_append_int(&k[1], h->image_height, err) &&
        taco__array_builder_append_int(&k[2], h->tile_width, err) &&
        taco__array_builder_append_int(&k[3], h->tile_height, err) &&
        taco__array_builder_append_text(&k[4], h->dtype, err) &&
        taco__array_builder_append_doubles(&k[5], h->transform, 4, err) &&
        taco__enrich_append_optional(&k[6], true, h->predictor, err) &&
        taco__enrich_append_optional(&k[7], true, h->compression, err) &&
        taco__enrich_append_table(&k[8], h->tile_offsets + first, n, add, err) &&
        taco__enrich_append_table(&k[9], h->tile_byte_counts + first, n, 0, err) &&
        taco__array_builder_append_doubles(&k[10], h->has_scale ? h->pixel_scale : NULL, 3, err) &&
        taco__array_builder_append_doubles(&k[11], h->tiepoints, h->tiepoint_count, err) &&
        (h->has_nodata ? taco__array_builder_append_double(&k[12], h->nodata, err)
                       : taco__array_builder_append_null(&k[12], err)) &&
        taco__enrich_append_optional(&k[13], true, h->samples_per_pixel, err) &&
        taco__enrich_append_optional(&k[14], true, h->planar_configuration, err) &&
        taco__enrich_append_optional(&k[15], h->has_photometric, h->photometric, err);
    for (i = 0; ok && h->extra_samples && i < h->extra_sample_count; i++) {
        ok = taco__array_builder_append_int(&k[16].children[0], (int64_t)h->extra_samples[i], err);
    }
    return ok && taco__array_builder_end_row(&k[16], h->extra_sample_count != 0, err) &&
           taco__array_builder_end_row(c, true, err);
}

/* a range of a source */
typedef struct taco__enrich_window {
    taco_source src;
    uint64_t offset;
} taco__enrich_window;

static bool taco__enrich_window_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    const taco__enrich_window *w = (const taco__enrich_window *)ctx;
    return w->src.read(w->src.ctx, w->offset + offset, dst, len);
}

TACO__FN void taco__enrich_parse_asset(void *arg, size_t i)
{
    taco__enrich *e = (taco__enrich *)arg;
    taco__enrich_asset *a = &e->assets[i];
    taco__enrich_window w;
    taco_source src;
    taco_options o = *e->options;
    memset(&w, 0, sizeof w);
    if (!taco__source_open_path(&o, a->path, &w.src, &a->err)) { return; }
    src = w.src;
    src.close = NULL;
    if (a->offset || a->size) {
        w.offset = a->offset;
        src.ctx = &w;
        src.read = taco__enrich_window_read;
        src.view = NULL;
        src.read_many = NULL;
        src.size = a->size;
        if (!taco__checked_range(a->offset, a->size, w.src.size)) {
            TACO__FAIL(&a->err, TACO_ERR_TRUNCATED, a->offset,
                       "the sub-file of %u bytes reaches over the end at %u", a->size, w.src.size);
        }
    }
    if (a->err.code == TACO_OK) { a->tiff = taco_tiff_open(&src, a->path, &o, &a->err); }
    if (a->tiff && taco_tiff_tiles_ok(a->tiff, &a->err) != TACO_OK) {
        taco_tiff_close(a->tiff);
        a->tiff = NULL;
    }
    if (w.src.close) { w.src.close(w.src.ctx); }
}

/* The file, offset and size of /vsisubfile/{offset}_{size},{path}. False when href is none. */
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

/* What is opened for an href: relative ones stand behind the base. */
TACO__FN bool taco__enrich_resolve_href(taco__enrich *e, taco__enrich_asset *a, taco_error *err)
{
    taco_bytes path = a->href;
    size_t n = strlen(e->base);
    char *text;
    (void)taco__enrich_parse_subfile(a->href, &path, &a->offset, &a->size);
    if (path.len > 7 && taco__bytes_starts_with(path, "file://")) {
        path = taco__bytes_of(path.data + 7, path.len - 7);
    }
    if (n == 0 || path.len == 0 || path.data[0] == '/' || taco__vsi_is_remote(path)) { n = 0; }
    text = (char *)taco__arena_alloc(&e->arena, n + path.len + 1, err);
    if (text) {
        memcpy(text, e->base, n);
        if (path.len) { memcpy(text + n, path.data, path.len); }
    }
    a->path = text;
    return text != NULL;
}

static int taco__enrich_compare_assets(const void *a, const void *b)
{
    return taco__bytes_compare(((const taco__enrich_asset *)a)->href,
                               ((const taco__enrich_asset *)b)->href);
}

/* The child of a struct array by its name, and the field's place; NULL when there is none. */
static const taco_array *taco__enrich_find_child(const taco_array *a, const char *name)
{
    uint32_t i;
    for (i = 0; a->field->type == TACO_STRUCT && i < a->field->child_count; i++) {
        if (strcmp(a->field->children[i].name, name) == 0) { return &a->children[i]; }
    }
    return NULL;
}

/* href and band_index of one asset; an asset that is text is its href. False without one. */
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

/* Sorts the n files, drops those that occur again, and points the refs, the i-th at the i-th so
   far, to what is left. */
static bool taco__enrich_merge_assets(taco__enrich *e, size_t n, taco_error *err)
{
    taco__enrich_asset *list = e->assets, *hit, key;
    taco_bytes *names = (taco_bytes *)taco__arena_array(&e->arena, n + 1, sizeof *names, err);
    size_t i;
    for (i = 0; names && i < n; i++) {
        names[i] = list[i].href;
    }
    if (names && n > 1) { qsort(list, n, sizeof *list, taco__enrich_compare_assets); }
    for (i = 0; names && i < n; i++) {
        if (e->asset_count == 0 ||
            !taco__bytes_equal(list[e->asset_count - 1].href, list[i].href)) {
            list[e->asset_count++] = list[i];
        }
    }
    memset(&key, 0, sizeof key);
    for (i = 0; names && i < n; i++) {
        key.href = names[i];
        hit = (taco__enrich_asset *)bsearch(&key, list, e->asset_count, sizeof *list,
                                            taco__enrich_compare_assets);
        e->refs[i].asset = hit ? (size_t)(hit - list) : 0;
    }
    return names != NULL;
}

/* The assets of a batch, each file once, and what rows want of them. bands[i] is a child of the
   assets column. */
TACO__FN bool taco__enrich_collect_assets(taco__enrich *e, const taco_array *assets,
                                          const uint32_t *bands, size_t band_count, size_t rows,
                                          taco_error *err)
{
    size_t most, row, b, i, n = 0;
    taco__enrich_asset *list;
    e->asset_count = e->ref_count = 0;
    if (!taco__checked_mul_size(rows, band_count, &most)) { most = SIZE_MAX / sizeof *list; }
    list = (taco__enrich_asset *)taco__arena_array(&e->arena, most + 1, sizeof *list, err);
    e->refs = (taco__enrich_ref *)taco__arena_array(&e->arena, most + 1, sizeof *e->refs, err);
    e->assets = list;
    if (!list || !e->refs) { return false; }
    for (row = 0; row < rows; row++) {
        for (b = 0; b < band_count && taco_array_valid(assets, row); b++) {
            taco__enrich_ref *r = &e->refs[e->ref_count];
            if (taco__enrich_read_asset(&assets->children[bands[b]], row, &list[n].href,
                                        &r->index)) {
                r->row = row;
                r->band = b;
                r->asset = n++;
                e->ref_count++;
            }
        }
    }
    if (!taco__enrich_merge_assets(e, n, err)) { return false; }
    for (i = 0; i < e->asset_count; i++) {
        if (!taco__enrich_resolve_href(e, &list[i], err)) { return false; }
    }
    return true;
}

TACO__FN void taco__enrich_run(taco__enrich *e)
{
    size_t i;
    if (e->options->parallel_for && e->asset_count > 1) {
        e->options->parallel_for(e->options->parallel_ctx, e->asset_count, taco__enrich_parse_asset,
                                 e);
    } else {
        for (i = 0; i < e->asset_count; i++) {
            taco__enrich_parse_asset(e, i);
        }
    }
    for (i = 0; i < e->asset_count; i++) {
        taco__enrich_asset *a = &e->assets[i];
        e->tried++;
        e->parsed += a->tiff != NULL;
        if (!a->tiff && e->options->warn) {
            taco__error_prefix(&a->err, "asset %q", &a->href);
            e->options->warn(e->options->warn_ctx, &a->err);
        }
    }
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

/* Fills one column for each band, and codes[row] with the CRS of each record, 0 where no asset says
   one. */
TACO__FN bool taco__enrich_fill_columns(taco__enrich *e, taco__array_builder *columns,
                                        size_t band_count, size_t rows, const taco_array *ids,
                                        int32_t *codes, taco_error *err)
{
    size_t b, i, row;
    memset(codes, 0, rows * sizeof *codes);
    for (b = 0; b < band_count; b++) {
        row = 0;
        for (i = 0; i < e->ref_count; i++) {
            const taco__enrich_ref *r = &e->refs[i];
            const taco_tiff *t = e->assets[r->asset].tiff;
            size_t first = 0, n = 0;
            taco_error bad;
            int32_t code;
            if (r->band != b || !t) { continue; }
            memset(&bad, 0, sizeof bad);
            if (taco_tiff_band(t, r->index, &first, &n, &bad) != TACO_OK ||
                taco_tiff_get(t)->tile_byte_count_count != taco_tiff_get(t)->tile_offset_count) {
                if (e->options->warn) {
                    TACO__FAIL(&bad, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                               "%u tile offsets, %u byte counts",
                               TACO__U(taco_tiff_get(t)->tile_offset_count),
                               TACO__U(taco_tiff_get(t)->tile_byte_count_count));
                    e->options->warn(e->options->warn_ctx, &bad);
                }
                continue;
            }
            for (; row < r->row; row++) {
                if (!taco__array_builder_append_null(&columns[b], err)) { return false; }
            }
            row++;
            code = taco_tiff_get(t)->epsg;
            if (code && codes[r->row] && codes[r->row] != code) {
                taco_bytes id = taco_array_bytes(ids, r->row);
                TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                           "the assets of record %q have different CRSs (EPSG %d and %d)", &id,
                           TACO__D(codes[r->row]), TACO__D(code));
                return false;
            }
            codes[r->row] = code ? code : codes[r->row];
            if (!taco__enrich_append_row(&columns[b], t, first, n, e->assets[r->asset].offset,
                                         err)) {
                return false;
            }
        }
        for (; row < rows; row++) {
            if (!taco__array_builder_append_null(&columns[b], err)) { return false; }
        }
    }
    return true;
}
