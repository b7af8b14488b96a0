/* collection_extent.c - extent: the box and the time span of all samples, from their columns

   In: batches of every level; out: the value of "extent". TACO 2.0 §5.6 (extent), §8
   (stac:centroid, stac:time_start, istac:...).

   The first level that has such columns counts. Longitudes are gathered twice, from -180 and from
   0: samples on both sides of the antimeridian get the narrower box, whose west is then greater
   than its east. If a sample has a CRS but no centroid, its position is unknown, and a box without
   it would hide it from queries by extent: then there is no extent. Samples without any position
   get the whole globe, as §7.1.3 requires. */
#include "write.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../geo/geo.h"
#include "../validate/validate.h"

/* Extends the box; points that are not in degrees are ignored. */
static void taco__extent_add_point(taco__extent *s, double x, double y)
{
    double at[2], turned;
    at[0] = x;
    at[1] = y;
    /* NaN, or not in degrees: not a place on earth */
    if (!taco__projection_clamp(at)) { return; }
    x = at[0];
    y = at[1];
    turned = x < 0 ? x + 360 : x;
    if (!s->box) {
        s->west = s->east = x;
        s->south = s->north = y;
        s->west360 = s->east360 = turned;
        s->box = true;
    }
    s->west = TACO__MIN(s->west, x);
    s->east = TACO__MAX(s->east, x);
    s->south = TACO__MIN(s->south, y);
    s->north = TACO__MAX(s->north, y);
    s->west360 = TACO__MIN(s->west360, turned);
    s->east360 = TACO__MAX(s->east360, turned);
}

/* Adds the corners of the bounds of every geometry (WKB) in a column. */
static void taco__extent_add_points(taco__extent *s, const taco_array *a)
{
    size_t i;
    for (i = 0; i < a->length; i++) {
        taco_bytes wkb = taco_array_bytes(a, i);
        double b[4];
        bool empty = true;
        if (wkb.len && taco__wkb_bounds(wkb, b, &empty, NULL) == TACO_OK && !empty) {
            taco__extent_add_point(s, b[0], b[1]);
            taco__extent_add_point(s, b[2], b[3]);
        }
    }
}

/* Adds every instant of a column of times or dates; those out of range are ignored. */
static void taco__extent_add_times(taco__extent *s, const taco_array *a)
{
    size_t i;
    for (i = 0; i < a->length; i++) {
        int64_t t;
        if (!taco__array_read_micros(a, i, &t)) { continue; }
        s->first = s->times ? TACO__MIN(s->first, t) : t;
        s->last = s->times ? TACO__MAX(s->last, t) : t;
        s->times = true;
    }
}

/* Records that a row has a CRS but no centroid. centroid and crs may be NULL. */
static void taco__extent_find_unplaced(taco__extent *s, uint32_t level, const taco_array *crs,
                                       const taco_array *centroid)
{
    size_t i;
    for (i = 0; crs && i < crs->length && !(s->unplaced >> level & 1); i++) {
        if (taco_array_bytes(crs, i).len && !(centroid && taco_array_valid(centroid, i))) {
            s->unplaced |= (uint8_t)(1U << level);
        }
    }
}

/* The column with that name and type, NULL if there is none. */
static const taco_array *taco__extent_column(const taco_batch *b, const char *name, taco_type type)
{
    size_t i;
    for (i = 0; i < b->column_count; i++) {
        const taco_array *a = &b->columns[i];
        if (a->field->type == type && strcmp(a->field->name, name) == 0) { return a; }
    }
    return NULL;
}

/* Adds a batch of a level: centroids (stac before istac), and every start, middle and end. */
TACO__FN void taco__extent_add_batch(taco__extent *s, uint32_t level, const taco_batch *b)
{
    static const char *const names[2][5] = {
        {"stac:centroid", "stac:time_start", "stac:time_middle", "stac:time_end", "stac:crs"},
        {"istac:centroid", "istac:time_start", "istac:time_middle", "istac:time_end", "istac:crs"}};
    size_t k, n;
    bool box = !s->box || s->box_level == level, times = !s->times || s->time_level == level,
         found = false;
    for (k = 0; k < 2 && box; k++) {
        const taco_array *centroid = taco__extent_column(b, names[k][0], TACO_BINARY);
        taco__extent_find_unplaced(s, level, taco__extent_column(b, names[k][4], TACO_TEXT),
                                   centroid);
        if (centroid && !found) {
            taco__extent_add_points(s, centroid);
            s->box_level = level;
            found = true;
        }
    }
    for (k = 0, found = false; k < 2 && times && !found; k++) {
        for (n = 1; n < 4; n++) {
            const taco_array *a = taco__extent_column(b, names[k][n], TACO_TIMESTAMP);
            a = a ? a : taco__extent_column(b, names[k][n], TACO_DATE);
            if (!a) { continue; }
            taco__extent_add_times(s, a);
            s->time_level = level;
            found = true;
        }
    }
}

/* True if samples have positions that are not known here. */
TACO__FN bool taco__extent_is_unknown(const taco__extent *s)
{
    return s->box ? s->unplaced >> s->box_level & 1 : s->unplaced != 0;
}

/* True if there is an extent to write: otherwise the member is omitted. */
TACO__FN bool taco__extent_is_told(const taco__extent *s, const taco__json *otherwise)
{
    return !taco__extent_is_unknown(s) || s->times || !taco__rules_is_null(otherwise);
}

/* Writes "spatial": the box, else that of `otherwise`; nothing if neither exists. */
static void taco__extent_write_box(const taco__extent *s, const taco__json *spatial,
                                   taco__json_writer *w)
{
    bool known = s->box && !taco__extent_is_unknown(s);
    bool turned = known && s->east - s->west > 180 && s->east360 - s->west360 < 180;
    double box[4];
    size_t i;
    if (!known && !taco__rules_is_null(spatial)) {
        taco__json_print_value(w, "spatial", spatial);
        return;
    }
    if (!known && taco__extent_is_unknown(s)) { return; }
    box[0] = turned ? s->west360 : known ? s->west : -180;
    box[1] = known ? s->south : -90;
    box[2] = turned ? s->east360 : known ? s->east : 180;
    box[3] = known ? s->north : 90;
    taco__json_write_begin(w, "spatial", '[');
    for (i = 0; i < 4; i++) {
        taco__json_write_double(w, NULL, i % 2 == 0 && box[i] > 180 ? box[i] - 360 : box[i]);
    }
    taco__json_write_end(w, ']');
}

/* Writes the value of extent. otherwise (may be NULL) is an older extent, used for what the columns
   lack. Without one: the globe if no sample has a position, no box if one has a position that is
   not known here, and null times. */
TACO__FN void taco__extent_write(const taco__extent *s, const taco__json *otherwise,
                                 taco__json_writer *w)
{
    const taco__json *temporal = taco__json_get(otherwise, "temporal");
    taco__json_write_begin(w, NULL, '{');
    taco__extent_write_box(s, taco__json_get(otherwise, "spatial"), w);
    if (s->times) {
        char text[2][48];
        text[0][taco__time_format_timestamp(text[0], s->first, TACO_MICRO, true)] = 0;
        text[1][taco__time_format_timestamp(text[1], s->last, TACO_MICRO, true)] = 0;
        taco__json_write_begin(w, "temporal", '[');
        taco__json_write_text(w, NULL, text[0]);
        taco__json_write_text(w, NULL, text[1]);
        taco__json_write_end(w, ']');
    } else {
        taco__json_print_value(w, "temporal", taco__rules_is_null(temporal) ? NULL : temporal);
    }
    taco__json_write_end(w, '}');
}
