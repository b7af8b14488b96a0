/* collection_extent.c - extent: the box and the time span of all samples, from their columns

   In: batches of every level; out: the value of "extent", and whether another one covers the
   samples. TACO 2.0 §5.6 (extent), §8 (stac:centroid, stac:time_start, istac:...).

   Footprints count as well as centroids, in degrees as queries compare them, and all three times,
   so that the result bounds every sample. Longitudes are gathered twice, from -180 and from 0:
   samples on both sides of the antimeridian get the narrower box, whose west is then greater than
   its east. If a sample has a CRS but no centroid, its position is unknown, and a box without it
   would hide it from queries by extent: then there is no extent. Samples without any position get
   the whole globe, as §7.1.3 requires. `loose` is set if some geometry is in no CRS that is
   converted, or cannot be read: then the box bounds the others only. */
#include "validate.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../geo/geo.h"

/* The columns of times that queries compare by default, and the others of a period. */
static const char *const taco__extent_times[] = {"istac:time_start", "istac:time_middle",
                                                 "istac:time_end",   "stac:time_start",
                                                 "stac:time_middle", "stac:time_end"};

/* ---- boxes ---- */

/* Extends the box by [west, south, east, north], where a footprint across 180 degrees continues
   past it. False if these are no degrees. */
static bool taco__extent_add_box(taco__extent *s, const double in[4])
{
    double low[2], high[2], west, east, turned;
    bool crosses;
    low[0] = high[0] = 0;
    low[1] = in[1];
    high[1] = in[3];
    if (!taco__projection_clamp(low) || !taco__projection_clamp(high) || !(in[0] >= -360.1) ||
        !(in[2] <= 360.1) || !(in[2] >= in[0])) {
        return false;
    }
    west = in[0] < -180.000001 ? in[0] + 360 : in[0] > 180.000001 ? in[0] - 360 : in[0];
    west = TACO__MAX(-180, TACO__MIN(180, west));
    east = west + (in[2] - in[0]);
    crosses = east > 180.000001;
    turned = west < 0 ? west + 360 : west;
    if (!s->box) {
        s->west = s->west360 = 1e9;
        s->east = s->east360 = -1e9;
        s->south = low[1];
        s->north = high[1];
        s->box = true;
    }
    s->west = TACO__MIN(s->west, crosses ? -180 : west);
    s->east = TACO__MAX(s->east, TACO__MIN(east, 180));
    s->south = TACO__MIN(s->south, low[1]);
    s->north = TACO__MAX(s->north, high[1]);
    crosses = turned + (east - west) > 360;
    s->west360 = TACO__MIN(s->west360, crosses ? 0 : turned);
    s->east360 = TACO__MAX(s->east360, crosses ? 360 : turned + (east - west));
    return true;
}

/* Adds the bounds of the geometry (WKB) of a row, whose CRS is converted to degrees if code is not
   0; true if it has a position that is now in the box. */
static bool taco__extent_add_geometry(taco__extent *s, taco_bytes wkb, int32_t code,
                                      taco__buf *scratch)
{
    double b[4];
    bool empty = true;
    if (!taco__box_bounds_in_degrees(code, wkb, scratch, b, &empty)) {
        s->loose = true;
        return false;
    }
    if (!empty && !taco__extent_add_box(s, b)) { s->loose = true; }
    return !empty;
}

/* Adds a column of geometries in degrees, or, with crs, in the CRS of each row. */
static void taco__extent_add_geometries(taco__extent *s, const taco_array *a, const taco_array *crs,
                                        taco__mem *mem)
{
    taco_bytes known = taco__bytes_of(NULL, 0);
    taco__buf scratch;
    int32_t code = 0;
    bool comparable = true;
    size_t i;
    memset(&scratch, 0, sizeof scratch);
    scratch.mem = mem;
    for (i = 0; i < a->length; i++) {
        taco_bytes text = crs ? taco_array_bytes(crs, i) : known;
        if (!taco_array_valid(a, i)) { continue; }
        if (!taco__bytes_equal(text, known)) {
            known = text;
            comparable = taco__box_crs_to_degrees(text, &code);
        }
        if (!comparable) {
            s->loose = true;
            continue;
        }
        taco__extent_add_geometry(s, taco_array_bytes(a, i), code, &scratch);
    }
    taco__buf_free(&scratch);
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

/* ---- times ---- */

/* Adds every instant of a column of times or dates. */
static void taco__extent_add_times(taco__extent *s, const taco_array *a)
{
    size_t i;
    for (i = 0; i < a->length; i++) {
        int64_t t;
        if (!taco__array_read_micros(a, i, &t)) {
            s->loose_times = s->loose_times || taco_array_valid(a, i);
            continue;
        }
        s->first = s->times ? TACO__MIN(s->first, t) : t;
        s->last = s->times ? TACO__MAX(s->last, t) : t;
        s->times = true;
    }
}

/* ---- batches ---- */

/* The column with that name, NULL if there is none. *loose is set if it cannot be one of `type` or
   of `other`, but queries might read it. */
static const taco_array *taco__extent_column(const taco_batch *b, const char *name, taco_type type,
                                             taco_type other, bool *loose)
{
    size_t i;
    for (i = 0; i < b->column_count; i++) {
        const taco_array *a = &b->columns[i];
        if (strcmp(a->field->name, name) != 0) { continue; }
        if (a->field->type == type || a->field->type == other) { return a; }
        *loose = *loose || a->field->type != TACO_NULL;
    }
    return NULL;
}

/* Adds the centroids and footprints of a batch. */
static void taco__extent_add_places(taco__extent *s, uint32_t level, const taco_batch *b,
                                    taco__mem *mem)
{
    static const char *const names[2][2] = {{"stac:centroid", "stac:crs"},
                                            {"istac:centroid", "istac:crs"}};
    const taco_array *footprint =
        taco__extent_column(b, "istac:geometry", TACO_BINARY, TACO_FIXED, &s->loose);
    bool had = s->box, ignored = false;
    size_t k;
    for (k = 0; k < 2; k++) {
        const taco_array *centroid =
            taco__extent_column(b, names[k][0], TACO_BINARY, TACO_FIXED, &s->loose);
        const taco_array *crs = taco__extent_column(b, names[k][1], TACO_TEXT, TACO_TEXT, &ignored);
        taco__extent_find_unplaced(s, level, crs, centroid);
        if (centroid) { taco__extent_add_geometries(s, centroid, NULL, mem); }
        if (k && footprint) { taco__extent_add_geometries(s, footprint, crs, mem); }
    }
    if (!had && s->box) { s->box_level = level; }
}

/* Adds a batch of a level: centroids and footprints, and every start, middle and end. */
TACO__FN void taco__extent_add_batch(taco__extent *s, uint32_t level, const taco_batch *b,
                                     taco__mem *mem)
{
    size_t i;
    taco__extent_add_places(s, level, b, mem);
    for (i = 0; i < TACO__COUNT(taco__extent_times); i++) {
        const taco_array *a = taco__extent_column(b, taco__extent_times[i], TACO_TIMESTAMP,
                                                  TACO_DATE, &s->loose_times);
        if (a) { taco__extent_add_times(s, a); }
    }
}

/* Adds the rows of a dataset, from those of its columns that queries compare by default. */
TACO__FN bool taco__extent_read(taco__extent *s, taco_dataset *ds, taco__mem *mem, taco_error *err)
{
    static const char *const places[] = {"istac:geometry", "istac:crs", "stac:centroid",
                                         "istac:centroid"};
    const size_t all = TACO__COUNT(places) + TACO__COUNT(taco__extent_times);
    taco_query q;
    taco_batch b;
    uint32_t level;
    bool ok = true;
    for (level = 0; ok && level < taco_levels(ds); level++) {
        char select[512];
        size_t n = 0, i, fields = 0, k, len;
        const taco_field *f = taco_level_fields(ds, level, &fields, err);
        taco_cursor *rows;
        for (i = 0; f && i < all; i++) {
            const char *name =
                i < TACO__COUNT(places) ? places[i] : taco__extent_times[i - TACO__COUNT(places)];
            for (k = 0; k < fields && strcmp(f[k].name, name) != 0; k++) {}
            if (k == fields) { continue; }
            len = strlen(name); /* 20 bytes at most */
            select[n] = n ? ',' : ' ';
            select[n + 1] = select[n + 2 + len] = '"';
            memcpy(select + n + 2, name, len);
            n += len + 3;
        }
        ok = f != NULL;
        if (!n) { continue; }
        memset(&q, 0, sizeof q);
        q.table = level;
        select[n] = 0;
        q.select = select;
        rows = taco_select(ds, &q, err);
        while (rows && taco_cursor_batch(rows, &b)) {
            taco__extent_add_batch(s, level, &b, mem);
        }
        ok = rows && taco_cursor_close(rows, err) == TACO_OK;
    }
    return ok;
}

/* Adds what another extent bounds. */
TACO__FN void taco__extent_join(taco__extent *s, const taco__extent *more)
{
    if (more->box && !s->box) {
        s->west = more->west;
        s->east = more->east;
        s->south = more->south;
        s->north = more->north;
        s->west360 = more->west360;
        s->east360 = more->east360;
    } else if (more->box) {
        s->west = TACO__MIN(s->west, more->west);
        s->east = TACO__MAX(s->east, more->east);
        s->south = TACO__MIN(s->south, more->south);
        s->north = TACO__MAX(s->north, more->north);
        s->west360 = TACO__MIN(s->west360, more->west360);
        s->east360 = TACO__MAX(s->east360, more->east360);
    }
    if (more->times) {
        s->first = s->times ? TACO__MIN(s->first, more->first) : more->first;
        s->last = s->times ? TACO__MAX(s->last, more->last) : more->last;
    }
    s->box = s->box || more->box;
    s->times = s->times || more->times;
    s->loose = s->loose || more->loose;
    s->loose_times = s->loose_times || more->loose_times;
}

/* ---- comparing ---- */

/* Whether bounds [in[0], in[2]] lie within [west, east], turned or not; writers round to a tenth of
   a metre. */
static bool taco__extent_lies_within(double low, double high, double west, double east)
{
    const double slack = 1e-6;
    double turn;
    for (turn = -360; turn <= 360; turn += 360) {
        if (low + turn >= west - slack && high + turn <= east + slack) { return true; }
    }
    return false;
}

/* Whether a box, whose west may be greater than its east, covers the one of the samples. */
TACO__FN bool taco__extent_box_covers(const taco__extent *s, const double box[4])
{
    const double slack = 1e-6, east = box[2] + (box[0] > box[2] ? 360 : 0);
    if (!s->box) { return true; }
    return s->south >= box[1] - slack && s->north <= box[3] + slack &&
           (taco__extent_lies_within(s->west, s->east, box[0], east) ||
            taco__extent_lies_within(s->west360, s->east360, box[0], east));
}

/* Whether two times of an extent, of which a date is the whole day, cover those of the samples;
   true if they are no times. Writers may round to seconds. */
TACO__FN bool taco__extent_times_cover(const taco__extent *s, const char *const text[2])
{
    const int64_t second = 1000000, day = INT64_C(86400000000);
    int64_t first, last;
    bool date, whole;
    if (!s->times || !taco__time_parse(taco__bytes_text(text[0]), &first, &date) ||
        !taco__time_parse(taco__bytes_text(text[1]), &last, &whole)) {
        return true;
    }
    last += whole ? day - 1 : second - 1;
    return s->first >= first && s->last <= last;
}

/* ---- output ---- */

/* The box of the samples in one piece: [west, south, east, north], its east beyond 180 if it is
   narrower so. */
TACO__FN void taco__extent_box(const taco__extent *s, double box[4])
{
    bool turned = s->east - s->west > 180 && s->east360 - s->west360 < 180;
    box[0] = turned ? s->west360 : s->west;
    box[1] = s->south;
    box[2] = turned ? s->east360 : s->east;
    box[3] = s->north;
}

/* The times of the samples as text. */
TACO__FN void taco__extent_time_texts(const taco__extent *s, char text[2][48])
{
    text[0][taco__time_format_timestamp(text[0], s->first, TACO_MICRO, true)] = 0;
    text[1][taco__time_format_timestamp(text[1], s->last, TACO_MICRO, true)] = 0;
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
    double box[4] = {-180, -90, 180, 90};
    size_t i;
    if (!known && !taco__rules_is_null(spatial)) {
        taco__json_print_value(w, "spatial", spatial);
        return;
    }
    if (!known && taco__extent_is_unknown(s)) { return; }
    if (known) { taco__extent_box(s, box); }
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
        taco__extent_time_texts(s, text);
        taco__json_write_begin(w, "temporal", '[');
        taco__json_write_text(w, NULL, text[0]);
        taco__json_write_text(w, NULL, text[1]);
        taco__json_write_end(w, ']');
    } else {
        taco__json_print_value(w, "temporal", taco__rules_is_null(temporal) ? NULL : temporal);
    }
    taco__json_write_end(w, '}');
}
