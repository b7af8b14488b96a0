/* wkt.c - geometries as short WKT for people: points in full; for others the kind, the number of
   points and parts, and the bounding box. WKB may come from anywhere: what is not understood is
   shown as hexadecimal. */
#include "tool.h"

#include <string.h>

/* State of reading a geometry. */
typedef struct wkb {
    const uint8_t *data;
    size_t len, at;
    bool bad;
    size_t points, parts;
    /* W, S, E, N */
    double box[4];
} wkb;

/* By the names of geometries in TACO, GeoParquet and Rasteret. */
bool is_geometry(const taco_field *f)
{
    const char *colon = strrchr(f->name, ':');
    const char *name = colon ? colon + 1 : f->name;
    return f->type == TACO_BINARY &&
           (strcmp(name, "geometry") == 0 || strcmp(name, "centroid") == 0);
}

static uint32_t read_u32(wkb *w, bool little)
{
    uint32_t x = 0;
    int i;
    if (w->len - w->at < 4) {
        w->bad = true;
        return 0;
    }
    for (i = 0; i < 4; i++) {
        x |= (uint32_t)w->data[w->at + (size_t)i] << 8 * (little ? i : 3 - i);
    }
    w->at += 4;
    return x;
}

static double read_double(wkb *w, bool little)
{
    uint64_t bits = 0;
    double x;
    int i;
    if (w->len - w->at < 8) {
        w->bad = true;
        return 0;
    }
    for (i = 0; i < 8; i++) {
        bits |= (uint64_t)w->data[w->at + (size_t)i] << 8 * (little ? i : 7 - i);
    }
    w->at += 8;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Reads the coordinates of a point; those after x and y are skipped. */
static void read_point(wkb *w, bool little, int dimensions)
{
    double x = read_double(w, little), y = read_double(w, little);
    for (; dimensions > 2; dimensions--) {
        read_double(w, little);
    }
    if (!w->points || x < w->box[0]) { w->box[0] = x; }
    if (!w->points || y < w->box[1]) { w->box[1] = y; }
    if (!w->points || x > w->box[2]) { w->box[2] = x; }
    if (!w->points || y > w->box[3]) { w->box[3] = y; }
    w->points++;
}

static void read_points(wkb *w, bool little, int dimensions)
{
    uint32_t n = read_u32(w, little);
    for (; n && !w->bad; n--) {
        read_point(w, little, dimensions);
    }
}

/* Reads a geometry of any kind, and returns its type without dimensions. ISO adds 1000, 2000 or
   3000 for Z, M and both, others set high bits. */
static uint32_t read_geometry(wkb *w, int depth)
{
    bool little = w->at < w->len && w->data[w->at] == 1;
    uint32_t type, kind, n, extra;
    int dimensions;
    w->at += w->at < w->len;
    type = read_u32(w, little);
    if (type & 0x20000000) { read_u32(w, little); /* SRID */ }
    extra = (type & 0xFFFF) / 1000;
    kind = (type & 0xFFFF) % 1000;
    dimensions =
        2 + (int)((type >> 31 & 1) | (extra & 1)) + (int)((type >> 30 & 1) | (extra >> 1 & 1));
    if (w->bad || depth > 8) {
        w->bad = true;
    } else if (kind == 1) {
        read_point(w, little, dimensions);
    } else if (kind == 2) {
        read_points(w, little, dimensions);
    } else if (kind == 3) {
        for (n = read_u32(w, little); n && !w->bad; n--) {
            read_points(w, little, dimensions);
        }
    } else if (kind >= 4 && kind <= 7) {
        n = read_u32(w, little);
        w->parts = depth ? w->parts : n;
        for (; n && !w->bad; n--) {
            read_geometry(w, depth + 1);
        }
    } else {
        w->bad = true;
    }
    return kind;
}

const char *short_wkt(taco_bytes value, size_t *len)
{
    static const char *const kinds[] = {
        "",           "POINT",           "LINESTRING",   "POLYGON",
        "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON", "GEOMETRYCOLLECTION"};
    static char text[256];
    wkb w;
    uint32_t kind;
    size_t i;
    memset(&w, 0, sizeof w);
    w.data = value.data;
    w.len = value.len;
    kind = read_geometry(&w, 0);
    *len = 0;
    if (w.bad) {
        for (i = 0; i < value.len && i < 100; i++) {
            *len += (size_t)sprintf(text + *len, "%02x", value.data[i]);
        }
    } else if (kind == 1) {
        *len = (size_t)sprintf(text, w.box[0] != w.box[0] ? "POINT EMPTY" : "POINT (%.6g %.6g)",
                               w.box[0], w.box[1]);
    } else if (!w.points) {
        *len = (size_t)sprintf(text, "%s EMPTY", kinds[kind]);
    } else {
        *len = (size_t)sprintf(text, "%s (%.6g %.6g .. %.6g %.6g", kinds[kind], w.box[0], w.box[1],
                               w.box[2], w.box[3]);
        if (w.parts > 1) { *len += (size_t)sprintf(text + *len, ", %u parts", (unsigned)w.parts); }
        *len += (size_t)sprintf(text + *len, ", %u points)", (unsigned)w.points);
    }
    return text;
}
