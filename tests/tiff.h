/* TIFF headers made by hand: any byte order, classic or BigTIFF, the directory before or after the
   values. */
#ifndef TACO_TESTS_TIFF_H
#define TACO_TESTS_TIFF_H

typedef struct tiff_maker {
    uint8_t data[262144];
    size_t size;  /* of the file */
    size_t where; /* next entry */
    size_t values;
    unsigned entries;
    bool big, msb;
} tiff_maker;

static void tiff_put(const tiff_maker *m, uint8_t *p, uint64_t x, unsigned n)
{
    unsigned i;
    for (i = 0; i < n; i++) {
        p[m->msb ? n - 1 - i : i] = (uint8_t)(x >> 8 * i);
    }
}

/* Starts a file whose directory stands at `ifd`, with room for 24 entries, and whose long values
   begin at `values`. */
static void tiff_begin(tiff_maker *m, bool big, bool msb, size_t ifd, size_t values)
{
    memset(m, 0, sizeof *m);
    m->big = big;
    m->msb = msb;
    m->data[0] = m->data[1] = (uint8_t)(msb ? 'M' : 'I');
    tiff_put(m, m->data + 2, big ? 43 : 42, 2);
    if (big) {
        tiff_put(m, m->data + 4, 8, 2);
        tiff_put(m, m->data + 8, ifd, 8);
    } else {
        tiff_put(m, m->data + 4, ifd, 4);
    }
    m->where = ifd + (big ? 8 : 2);
    m->values = values;
    m->size = ifd + 8 + 24 * 20 > values ? ifd + 8 + 24 * 20 : values;
}

static void tiff_tag(tiff_maker *m, unsigned tag, unsigned type, size_t n, const void *values)
{
    static const uint8_t sizes[19] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
    size_t one = sizes[type], len = n * one, i;
    uint8_t *e = m->data + m->where, *to;
    unsigned room = m->big ? 8 : 4;
    tiff_put(m, e, tag, 2);
    tiff_put(m, e + 2, type, 2);
    tiff_put(m, e + 4, n, room);
    to = e + 4 + room;
    if (len > room) {
        tiff_put(m, to, m->values, room);
        to = m->data + m->values;
        m->values += len;
        m->size = m->size > m->values ? m->size : m->values;
    }
    for (i = 0; i < n; i++) {
        uint64_t x = 0;
        if (one == 1) {
            x = ((const uint8_t *)values)[i];
        } else if (one == 2) {
            x = ((const uint16_t *)values)[i];
        } else if (one == 4) {
            x = ((const uint32_t *)values)[i];
        } else {
            memcpy(&x, (const uint8_t *)values + 8 * i, 8);
        }
        tiff_put(m, to + i * one, x, (unsigned)one);
    }
    m->where += m->big ? 20 : 12;
    m->entries++;
    tiff_put(m, m->data + (m->where - m->entries * (m->big ? 20 : 12)) - (m->big ? 8 : 2),
             m->entries, m->big ? 8 : 2);
}

static void tiff_short(tiff_maker *m, unsigned tag, unsigned value)
{
    uint16_t x = (uint16_t)value;
    tiff_tag(m, tag, 3, 1, &x);
}

/* A tiled image of 40 x 20 pixels in tiles of 16 x 16, 6 a plane, uint16, nodata 0, of a projected
   CRS. corner: west and north; pixel: their width and height. */
TEST_FN void tiff_placed(tiff_maker *m, unsigned samples, bool planar, unsigned epsg,
                         const double corner[2], const double pixel[2])
{
    const double scale[3] = {pixel[0], pixel[1], 0}, tie[6] = {0, 0, 0, corner[0], corner[1], 0};
    const uint16_t keys[12] = {1, 1, 0, 2, 1025, 0, 1, 1, 3072, 0, 1, (uint16_t)epsg};
    uint64_t offsets[32];
    uint32_t narrow[32], counts[32];
    size_t i, n = planar ? 6 * samples : 6;
    for (i = 0; i < n; i++) {
        offsets[i] = narrow[i] = (uint32_t)(1000 + 512 * i);
        counts[i] = (uint32_t)(500 + i);
    }
    tiff_short(m, 256, 40);
    tiff_short(m, 257, 20);
    tiff_short(m, 258, 16);
    tiff_short(m, 259, 8);
    tiff_short(m, 262, 1);
    tiff_short(m, 277, samples);
    tiff_short(m, 284, planar ? 2 : 1);
    tiff_short(m, 322, 16);
    tiff_short(m, 323, 16);
    if (m->big) {
        tiff_tag(m, 324, 16, n, offsets);
    } else {
        tiff_tag(m, 324, 4, n, narrow);
    }
    tiff_tag(m, 325, 4, n, counts);
    tiff_tag(m, 33550, 12, 3, scale);
    tiff_tag(m, 33922, 12, 6, tie);
    tiff_tag(m, 34735, 3, 12, keys);
    tiff_tag(m, 42113, 2, 2, "0");
}

/* The same in EPSG:32630 with pixels of 10 m. */
TEST_FN void tiff_usual(tiff_maker *m, unsigned samples, bool planar)
{
    static const double corner[2] = {500000, 4000000}, pixel[2] = {10, 10};
    tiff_placed(m, samples, planar, 32630, corner, pixel);
}

#endif
