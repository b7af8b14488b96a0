/* tiles.c - which byte ranges of which files hold the tiles of a box

   In: a collection with {band}_metadata, bands, a box; out: for each record that intersects the
   box, the caller's function gets the tiles of each band that do, with their byte ranges. Spec:
   Rasteret's schema contract, tier 2 and execution layer: records without metadata of a band are
   skipped.

   A box in degrees is converted to the CRS of each image: points along the edges of the part that
   the image covers are projected by Newton's method, as geo/ only has the inverse
   (taco__tiles_project). The window contains all whole pixels that the box touches, like rasterio's
   window from bounds, and is cut into tiles. */
#include "rasteret.h"
#include "../base/base.h"
#include "../geo/geo.h"

/* Points on each edge of a box to project. */
#define TACO__TILES_EDGE 20

/* A box: west or minimum x, south or minimum y, east, north. */
typedef struct taco__tiles_box {
    double v[4];
} taco__tiles_box;

/* State of one call. */
typedef struct taco__tiles {
    const taco_rasteret_window *how;
    bool (*found)(void *ctx, const taco_rasteret_tile *tile);
    void *ctx;
    taco_rasteret_tiles_sums sums;
    /* columns of the batch; metadata[band] and asset[band] */
    const taco_array *id, *assets, *code, *crs;
    const taco_array **metadata, **asset;
    bool stopped; /* by the function `found` */
} taco__tiles;

/* The contents of {band}_metadata in one row. */
typedef struct taco__tiles_image {
    int64_t width, height, tile_width, tile_height, across, down;
    double scale[2], origin[2];
    const taco_array *offsets, *counts; /* lists of the row */
    size_t first, count;                /* the band's part of the tile table */
} taco__tiles_image;

/* ---- boxes ---- */

/* Extends a box by a point; the first point initializes it. */
static void taco__tiles_add_point(taco__tiles_box *b, const double xy[2], bool *any)
{
    size_t k;
    for (k = 0; k < 2; k++) {
        b->v[k] = *any ? TACO__MIN(b->v[k], xy[k]) : xy[k];
        b->v[2 + k] = *any ? TACO__MAX(b->v[2 + k], xy[k]) : xy[k];
    }
    *any = true;
}

/* Point i of n of the outline of a box. */
static void taco__tiles_outline(const taco__tiles_box *b, size_t i, double xy[2])
{
    const double at = (double)(i % TACO__TILES_EDGE) / TACO__TILES_EDGE;
    const size_t edge = i / TACO__TILES_EDGE;
    const double w = b->v[2] - b->v[0], h = b->v[3] - b->v[1];
    xy[0] = edge == 0   ? b->v[0] + at * w
            : edge == 1 ? b->v[2]
            : edge == 2 ? b->v[2] - at * w
                        : b->v[0];
    xy[1] = edge == 1   ? b->v[1] + at * h
            : edge == 2 ? b->v[3]
            : edge == 3 ? b->v[3] - at * h
                        : b->v[1];
}

/* The bounds in degrees of a box in the CRS; longitudes continue past 180. */
static bool taco__tiles_degrees(int32_t code, const taco__tiles_box *box, taco__tiles_box *out)
{
    double xy[2], to[2];
    bool any = false;
    size_t i;
    for (i = 0; i < 4 * TACO__TILES_EDGE; i++) {
        taco__tiles_outline(box, i, xy);
        if (!taco__projection_inverse_unwrapped(code, xy[0], xy[1], to) || !(to[0] == to[0]) ||
            !(to[1] == to[1])) {
            return false;
        }
        taco__tiles_add_point(out, to, &any);
    }
    return any;
}

/* Projects one point by Newton's method, from a guess in xy, with differences of one metre. Its
   longitude continues past 180. */
static bool taco__tiles_project(int32_t code, const double lonlat[2], double xy[2])
{
    size_t step;
    for (step = 0; step < 20; step++) {
        double at[2], dx[2], dy[2], miss[2], det, move[2];
        if (!taco__projection_inverse_unwrapped(code, xy[0], xy[1], at) ||
            !taco__projection_inverse_unwrapped(code, xy[0] + 1, xy[1], dx) ||
            !taco__projection_inverse_unwrapped(code, xy[0], xy[1] + 1, dy)) {
            return false;
        }
        miss[0] = lonlat[0] - at[0];
        miss[1] = lonlat[1] - at[1];
        dx[0] -= at[0];
        dx[1] -= at[1];
        dy[0] -= at[0];
        dy[1] -= at[1];
        det = dx[0] * dy[1] - dy[0] * dx[1];
        if (!(det > 0 || det < 0)) { return false; }
        move[0] = (miss[0] * dy[1] - dy[0] * miss[1]) / det;
        move[1] = (dx[0] * miss[1] - miss[0] * dx[1]) / det;
        xy[0] += move[0];
        xy[1] += move[1];
        /* a tenth of a millimetre */
        if (move[0] * move[0] + move[1] * move[1] < 1e-8) { return true; }
    }
    return false;
}

/* The part of a box in degrees that an image covers, after `turn` degrees. A box that only touches
   an end of the image after a turn has no part: the ends of the world are one meridian. */
static bool taco__tiles_part(const taco__tiles_box *cover, const double degrees[4], double turn,
                             taco__tiles_box *part)
{
    const double slack = turn < 0 || turn > 0 ? 1e-9 : 0;
    part->v[0] = TACO__MAX(degrees[0] + turn, cover->v[0]);
    part->v[1] = TACO__MAX(degrees[1], cover->v[1]);
    part->v[2] = TACO__MIN(degrees[2] + turn, cover->v[2]);
    part->v[3] = TACO__MIN(degrees[3], cover->v[3]);
    return part->v[0] <= part->v[2] && part->v[1] <= part->v[3] &&
           part->v[2] >= cover->v[0] + slack && part->v[0] <= cover->v[2] - slack;
}

/* Extends out by a part in degrees of an image, in its CRS. */
static bool taco__tiles_add_part(int32_t code, const taco__tiles_box *image,
                                 const taco__tiles_box *part, taco__tiles_box *out, bool *any)
{
    double at[2], guess[2];
    size_t i;
    if (taco__projection_is_geographic(code)) {
        taco__tiles_add_point(out, part->v, any);
        taco__tiles_add_point(out, part->v + 2, any);
        return true;
    }
    guess[0] = (image->v[0] + image->v[2]) / 2;
    guess[1] = (image->v[1] + image->v[3]) / 2;
    for (i = 0; i < 4 * TACO__TILES_EDGE; i++) {
        taco__tiles_outline(part, i, at);
        if (!taco__tiles_project(code, at, guess)) { return false; }
        taco__tiles_add_point(out, guess, any);
    }
    return true;
}

/* The part of a box in degrees that an image covers, as a box in its CRS; false if there is none,
   or the image's bounds in degrees are unknown. If the box meets an image of the whole world at
   both ends, the part reaches from one to the other. */
static bool taco__tiles_box_in_crs(int32_t code, const taco__tiles_box *image,
                                   const double degrees[4], taco__tiles_box *out)
{
    static const double turns[] = {0, 360, -360};
    taco__tiles_box cover, part;
    bool any = false;
    size_t i;
    memset(&cover, 0, sizeof cover);
    if (!taco__tiles_degrees(code, image, &cover)) { return false; }
    for (i = 0; i < 3; i++) {
        if (taco__tiles_part(&cover, degrees, turns[i], &part) &&
            !taco__tiles_add_part(code, image, &part, out, &any)) {
            return false;
        }
    }
    return any;
}

/* ---- one image ---- */

/* A member of a metadata struct; NULL if missing or null. */
static const taco_array *taco__tiles_member(const taco_array *a, size_t row, const char *name,
                                            const char *older)
{
    uint32_t i;
    for (i = 0; i < a->field->child_count; i++) {
        const char *have = a->field->children[i].name;
        if ((strcmp(have, name) == 0 || (older && strcmp(have, older) == 0)) &&
            taco_array_valid(&a->children[i], row)) {
            return &a->children[i];
        }
    }
    return NULL;
}

/* A positive number in the struct, else `otherwise`. */
static int64_t taco__tiles_number(const taco_array *a, size_t row, const char *name,
                                  const char *older, int64_t otherwise)
{
    const taco_array *m = taco__tiles_member(a, row, name, older);
    int64_t x = m ? taco_array_int(m, row) : otherwise;
    return x > 0 && x <= INT32_MAX ? x : otherwise;
}

/* Reads four numbers, [scale, origin] of x and y, or the six of an affine transform without
   rotation. */
static bool taco__tiles_transform(const taco_array *a, size_t row, taco__tiles_image *out)
{
    static const size_t four[4] = {0, 1, 2, 3}, six[4] = {0, 2, 4, 5};
    const taco_array *m = taco__tiles_member(a, row, "transform", NULL);
    size_t from, n, k;
    double v[6];
    const size_t *at;
    if (!m || m->field->type != TACO_LIST) { return false; }
    from = (size_t)m->offsets[row];
    n = (size_t)m->offsets[row + 1] - from;
    if (n != 4 && n != 6) { return false; }
    for (k = 0; k < n; k++) {
        v[k] = taco_array_double(m->children, from + k);
    }
    if (n == 6 && (v[1] < 0 || v[1] > 0 || v[3] < 0 || v[3] > 0)) { return false; }
    at = n == 4 ? four : six;
    for (k = 0; k < 2; k++) {
        out->scale[k] = v[at[2 * k]];
        out->origin[k] = v[at[2 * k + 1]];
        if (!(out->scale[k] > 0 || out->scale[k] < 0)) { return false; }
    }
    return true;
}

/* Reads the members needed from a row. If a planar file's table lists all samples, the band's part
   is somewhere inside. */
static bool taco__tiles_read_image(const taco_array *a, size_t row, int64_t index,
                                   taco__tiles_image *out)
{
    uint64_t tiles;
    size_t n, counts;
    memset(out, 0, sizeof *out);
    out->width = taco__tiles_number(a, row, "image_width", "width", 0);
    out->height = taco__tiles_number(a, row, "image_height", "height", 0);
    out->tile_width = taco__tiles_number(a, row, "tile_width", NULL, out->width);
    out->tile_height = taco__tiles_number(a, row, "tile_height", NULL, out->height);
    out->offsets = taco__tiles_member(a, row, "tile_offsets", NULL);
    out->counts = taco__tiles_member(a, row, "tile_byte_counts", NULL);
    if (!out->width || !out->height || !out->offsets || !out->counts ||
        out->offsets->field->type != TACO_LIST || out->counts->field->type != TACO_LIST ||
        !taco__tiles_transform(a, row, out)) {
        return false;
    }
    out->across = (out->width + out->tile_width - 1) / out->tile_width;
    out->down = (out->height + out->tile_height - 1) / out->tile_height;
    n = (size_t)(out->offsets->offsets[row + 1] - out->offsets->offsets[row]);
    counts = (size_t)(out->counts->offsets[row + 1] - out->counts->offsets[row]);
    tiles = (uint64_t)out->across * (uint64_t)out->down;
    if (n != counts || tiles > n) { return false; }
    out->count = (size_t)tiles;
    if (n > out->count && index > 0) {
        if ((uint64_t)index >= n / out->count) { return false; }
        out->first = (size_t)index * out->count;
    }
    return true;
}

/* The pixels [from, to) along an axis that [low, high] of the CRS touches. */
static bool taco__tiles_span(double low, double high, double scale, double origin, int64_t size,
                             int64_t *from, int64_t *to)
{
    double a = (low - origin) / scale, b = (high - origin) / scale;
    double least = TACO__MIN(a, b), most = TACO__MAX(a, b);
    if (!(least < (double)size && most > 0)) { return false; }
    *from = least > 0 ? (int64_t)least : 0;
    *to = most < (double)size ? (int64_t)most : size;
    *to += *to < size && (double)*to < most;
    /* a box without extent lies in a pixel, too */
    *to = TACO__MAX(*to, *from + 1);
    return true;
}

/* Passes the tiles of a window to the caller's function. */
static void taco__tiles_cut(taco__tiles *t, const taco__tiles_image *m, size_t row,
                            const int64_t window[4], taco_rasteret_tile *tile)
{
    int64_t x, y;
    for (y = window[1] / m->tile_height; y * m->tile_height < window[3] && !t->stopped; y++) {
        for (x = window[0] / m->tile_width; x * m->tile_width < window[2] && !t->stopped; x++) {
            const size_t at = m->first + (size_t)(y * m->across + x);
            const int64_t offset =
                taco_array_int(m->offsets->children, (size_t)m->offsets->offsets[row] + at);
            const int64_t size =
                taco_array_int(m->counts->children, (size_t)m->counts->offsets[row] + at);
            tile->column = x;
            tile->row = y;
            tile->x = TACO__MAX(window[0], x * m->tile_width);
            tile->y = TACO__MAX(window[1], y * m->tile_height);
            tile->columns = TACO__MIN(window[2], (x + 1) * m->tile_width) - tile->x;
            tile->rows = TACO__MIN(window[3], (y + 1) * m->tile_height) - tile->y;
            tile->tile_width = m->tile_width;
            tile->tile_height = m->tile_height;
            /* a sparse tile has no bytes, and is all nodata */
            if (offset < 0 || size < 0) { continue; }
            tile->range.offset = (uint64_t)offset;
            tile->range.len = (uint64_t)size;
            t->sums.tiles++;
            t->sums.bytes += (uint64_t)size;
            t->stopped = !t->found(t->ctx, tile);
        }
    }
}

/* ---- records ---- */

/* The EPSG code of a record: proj:epsg, else crs; 0 if unknown. */
static int32_t taco__tiles_code(const taco__tiles *t, size_t row)
{
    char text[64];
    taco_bytes crs = t->crs ? taco_array_bytes(t->crs, row) : taco__bytes_of(NULL, 0);
    if (t->code && taco_array_valid(t->code, row)) {
        int64_t code = taco_array_int(t->code, row);
        return code > 0 && code <= INT32_MAX ? (int32_t)code : 0;
    }
    if (!crs.len || crs.len >= sizeof text) { return 0; }
    memcpy(text, crs.data, crs.len);
    text[crs.len] = 0;
    return taco__projection_epsg_code(text);
}

/* The window of a box in an image: columns [0] to [2], rows [1] to [3]. */
static bool taco__tiles_box_window(const taco__tiles *t, const taco__tiles_image *m, int32_t code,
                                   const double edge[4], int64_t window[4])
{
    taco__tiles_box image, box;
    const double far[2] = {m->origin[0] + (double)m->width * m->scale[0],
                           m->origin[1] + (double)m->height * m->scale[1]};
    bool any = false;
    memset(&image, 0, sizeof image);
    memset(&box, 0, sizeof box);
    taco__tiles_add_point(&image, m->origin, &any);
    taco__tiles_add_point(&image, far, &any);
    if (t->how->epsg == code) {
        memcpy(box.v, edge, sizeof box.v);
    } else if (!taco__tiles_box_in_crs(code, &image, edge, &box)) {
        return false;
    }
    return taco__tiles_span(box.v[0], box.v[2], m->scale[0], m->origin[0], m->width, &window[0],
                            &window[2]) &&
           taco__tiles_span(box.v[1], box.v[3], m->scale[1], m->origin[1], m->height, &window[1],
                            &window[3]);
}

/* The same for the caller's box; the whole image without one. Of a box that crosses 180 degrees one
   part is enough, since longitudes are turned as the image needs them. */
static bool taco__tiles_window(const taco__tiles *t, const taco__tiles_image *m, int32_t code,
                               int64_t window[4])
{
    double edge[2][4];
    size_t n;
    if (!t->how->bbox) {
        window[0] = window[1] = 0;
        window[2] = m->width;
        window[3] = m->height;
        return true;
    }
    /* corners of a CRS are in their order: taco_rasteret_tiles checks */
    return taco__intersect_split_box(t->how->bbox, edge, &n, NULL) == TACO_OK &&
           taco__tiles_box_window(t, m, code, edge[0], window);
}

/* Whether a box can be compared with images of a CRS. */
static bool taco__tiles_is_comparable(const taco__tiles *t, int32_t code)
{
    double at[2];
    return !t->how->bbox || t->how->epsg == code ||
           (!t->how->epsg && taco__projection_inverse(code, 0, 0, at));
}

/* Handles all bands of a record. */
static bool taco__tiles_row(taco__tiles *t, taco__arena *arena, size_t row, taco_error *err)
{
    const int32_t code = taco__tiles_code(t, row);
    const bool comparable = taco__tiles_is_comparable(t, code);
    bool unplaced = false;
    size_t k;
    t->sums.records++;
    for (k = 0; k < t->how->band_count && !t->stopped; k++) {
        taco_rasteret_tile tile;
        taco__tiles_image image;
        taco_bytes href;
        int64_t index = 0, window[4];
        if (!taco_array_valid(t->metadata[k], row) ||
            !taco__enrich_read_asset(t->asset[k], row, &href, &index) ||
            !taco__tiles_read_image(t->metadata[k], row, index, &image)) {
            t->sums.skipped++;
            continue;
        }
        unplaced = unplaced || !comparable;
        if (!comparable || !taco__tiles_window(t, &image, code, window)) { continue; }
        memset(&tile, 0, sizeof tile);
        tile.id = taco__arena_text(arena, taco_array_bytes(t->id, row), err);
        tile.range.file = taco__arena_text(arena, href, err);
        tile.band = t->how->bands[k];
        tile.epsg = code;
        if (!tile.id || !tile.range.file) { return false; }
        taco__tiles_cut(t, &image, row, window, &tile);
    }
    t->sums.unplaced += unplaced;
    return true;
}

/* The column of that name in a batch; NULL if there is none. */
static const taco_array *taco__tiles_column(const taco_batch *b, const char *name)
{
    size_t i;
    for (i = 0; i < b->column_count; i++) {
        if (strcmp(b->columns[i].field->name, name) == 0) { return &b->columns[i]; }
    }
    return NULL;
}

/* Finds the columns in a batch. */
static bool taco__tiles_bind(taco__tiles *t, taco__arena *arena, const taco_batch *b,
                             taco_error *err)
{
    size_t k, i, n = t->how->band_count;
    t->metadata = (const taco_array **)taco__arena_array(arena, n, sizeof *t->metadata, err);
    t->asset = (const taco_array **)taco__arena_array(arena, n, sizeof *t->asset, err);
    t->id = taco__tiles_column(b, "id");
    t->assets = taco__tiles_column(b, "assets");
    t->code = taco__tiles_column(b, "proj:epsg");
    t->crs = taco__tiles_column(b, "crs");
    if (!t->metadata || !t->asset) { return false; }
    for (k = 0; k < n; k++) {
        const char *band = t->how->bands[k];
        const size_t len = strlen(band);
        t->metadata[k] = t->asset[k] = NULL;
        for (i = 0; i < b->column_count; i++) {
            const char *name = b->columns[i].field->name;
            if (strncmp(name, band, len) == 0 && strcmp(name + len, "_metadata") == 0) {
                t->metadata[k] = &b->columns[i];
            }
        }
        for (i = 0; t->assets && t->assets->field->type == TACO_STRUCT &&
                    i < t->assets->field->child_count;
             i++) {
            if (strcmp(t->assets->field->children[i].name, band) == 0) {
                t->asset[k] = &t->assets->children[i];
            }
        }
        if (!t->metadata[k] || t->metadata[k]->field->type != TACO_STRUCT || !t->asset[k]) {
            taco_bytes name = taco__bytes_text(band);
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                       "no band %q: a band has an asset and a column %s_metadata", &name, band);
            return false;
        }
    }
    return t->id != NULL;
}

/* Quoted: "id","assets",...; only those that the collection has. NULL if out of memory. */
TACO__FN const char *taco__rasteret_select(taco_dataset *ds, taco__arena *arena,
                                           const char *const *names, size_t count,
                                           const char *const *bands, size_t n, taco_error *err)
{
    taco__buf b;
    const char *text = NULL;
    size_t i, k;
    bool ok = true;
    const taco__level *level = taco__container_level(&ds->stores[0], 0, err);
    if (!level) { return NULL; }
    memset(&b, 0, sizeof b);
    b.mem = arena->mem;
    for (i = 0; ok && i < count + n; i++) {
        const char *name = i < count ? names[i] : bands[i - count];
        const char *end = i < count ? "" : "_metadata";
        if (i < count && taco__table_find_column(&level->table, name) == TACO__NONE) { continue; }
        ok = taco__buf_append_text(&b, b.len ? ",\"" : "\"", err);
        for (k = 0; ok && name[k]; k++) {
            ok = (name[k] != '"' || taco__buf_append_char(&b, '"', err)) &&
                 taco__buf_append_char(&b, name[k], err);
        }
        ok = ok && taco__buf_append_text(&b, end, err) && taco__buf_append_char(&b, '"', err);
    }
    if (ok) { text = taco__arena_text(arena, taco__bytes_of(b.data, b.len), err); }
    taco__buf_free(&b);
    return text;
}

/* Handles all batches of the records that match the query and the box. */
static bool taco__tiles_run(taco__tiles *t, taco_dataset *ds, taco_error *err)
{
    static const char *const names[] = {"id", "assets", "proj:epsg", "crs"};
    taco__mem mem;
    taco__arena arena;
    taco_query q;
    taco_batch b;
    taco_cursor *rows = NULL;
    size_t i;
    bool ok;
    memset(&arena, 0, sizeof arena);
    taco__mem_init(&mem, &ds->options);
    arena.mem = &mem;
    memset(&q, 0, sizeof q);
    if (t->how->query) { q = *t->how->query; }
    /* boxes of records are in degrees */
    if (t->how->bbox && !t->how->epsg) { q.bbox = t->how->bbox; }
    q.select = taco__rasteret_select(ds, &arena, names, TACO__COUNT(names), t->how->bands,
                                     t->how->band_count, err);
    rows = q.select ? taco_select(ds, &q, err) : NULL;
    ok = rows != NULL;
    while (ok && !t->stopped && taco_cursor_batch(rows, &b)) {
        ok = taco__tiles_bind(t, &arena, &b, err);
        for (i = 0; ok && !t->stopped && i < b.length; i++) {
            ok = taco__tiles_row(t, &arena, i, err);
        }
        taco__arena_free(&arena);
        arena.mem = &mem;
    }
    if (rows && taco_cursor_close(rows, ok ? err : NULL) != TACO_OK) { ok = false; }
    taco__arena_free(&arena);
    return ok;
}

TACO_API taco_status taco_rasteret_tiles(taco_dataset *ds, const taco_rasteret_window *how,
                                         bool (*found)(void *ctx, const taco_rasteret_tile *tile),
                                         void *ctx, taco_rasteret_tiles_sums *out, taco_error *err)
{
    taco__tiles t;
    taco_error own = {0, TACO_OK, 0, {0}};
    size_t i;
    err = taco__error_fresh(err, NULL);
    memset(&t, 0, sizeof t);
    if (!ds || !how || !found || !how->band_count || !how->bands) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a collection, bands and a function for their tiles are needed");
    }
    if (ds->stores[0].format != taco_rasteret_opener()) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no Rasteret collection");
    }
    for (i = 0; how->bbox && i < 2; i++) {
        bool crosses = i == 0 && !how->epsg && taco__intersect_box_crosses(how->bbox);
        if (!crosses && !(how->bbox[i] <= how->bbox[i + 2])) {
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "a box is west, south, east, north");
        }
    }
    t.how = how;
    t.found = found;
    t.ctx = ctx;
    if (!taco__tiles_run(&t, ds, &own)) {
        TACO__FAIL(&own, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory");
    }
    if (out) { *out = t.sums; }
    taco__error_copy(err, &own);
    return own.code;
}
