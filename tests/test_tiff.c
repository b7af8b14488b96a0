/* Headers of TIFF and BigTIFF files: both byte orders, positions of directories and values, errors.
   */
#include "../extra/taco_tiff.h"

#include "test.h"
#include "tiff.h"

static tiff_maker m;
static taco_error e;

static taco_tiff *open_made(void)
{
    taco_source src;
    memset(&e, 0, sizeof e);
    taco_source_memory(&src, m.data, m.size);
    return taco_tiff_open(&src, "a.tif", NULL, &e);
}

/* The message of opening, or of using, what was made. */
static const char *refusal(void)
{
    taco_tiff *t = open_made();
    if (t) { CHECK(taco_tiff_tiles_ok(t, &e) == e.code); }
    taco_tiff_close(t);
    return e.text;
}

static const char usual[] =
    "{\"image_width\":40,\"image_height\":20,\"tile_width\":16,\"tile_height\":16,"
    "\"dtype\":\"uint16\",\"transform\":[10.0,500000.0,-10.0,4000000.0],\"predictor\":1,"
    "\"compression\":8,\"tile_offsets\":[1000,1512,2024,2536,3048,3560],"
    "\"tile_byte_counts\":[500,501,502,503,504,505],\"pixel_scale\":[10.0,10.0,0.0],"
    "\"tiepoint\":[0.0,0.0,0.0,500000.0,4000000.0,0.0],\"nodata\":0.0,\"samples_per_pixel\":1,"
    "\"planar_configuration\":1,\"photometric\":1,\"extra_samples\":null,\"proj:epsg\":32630,"
    "\"crs\":\"EPSG:32630\",\"geotransform\":[500000.0,10.0,0.0,4000000.0,0.0,-10.0]}";

static void test_orders_and_places(void)
{
    unsigned i;
    for (i = 0; i < 16; i++) { /* BigTIFF, byte order, directory behind, values behind */
        size_t ifd = i & 4 ? 200000 : 32, values = i & 8 ? 210000 : i & 4 ? 201000 : 700;
        taco_tiff *t;
        tiff_begin(&m, i & 1, (i & 2) != 0, ifd, values);
        tiff_usual(&m, 1, false);
        t = open_made();
        CHECK_TEXT(e.text, "");
        if (t) {
            const taco_tiff_header *h = taco_tiff_get(t);
            CHECK_TEXT((const char *)taco_tiff_json(t, &e).data, usual);
            CHECK(taco_tiff_tiles_ok(t, &e) == TACO_OK);
            CHECK(h->big == (i & 1) && h->big_endian == ((i & 2) != 0));
            CHECK(h->reads == (i & 12 ? 2U : 1U));
            CHECK(h->shape[0] == 1 && h->shape[1] == 20 && h->shape[2] == 40);
        }
        taco_tiff_close(t);
    }
}

static void test_planar(void)
{
    taco_tiff *t;
    size_t first, n;
    tiff_begin(&m, true, false, 16, 600);
    tiff_usual(&m, 3, true);
    t = open_made();
    CHECK(t && taco_tiff_get(t)->tile_offset_count == 18);
    CHECK(taco_tiff_band(t, 2, &first, &n, &e) == TACO_OK && first == 12 && n == 6);
    CHECK(taco_tiff_band(t, 3, &first, &n, &e) == TACO_ERR_ARGUMENT);
    CHECK_TEXT(e.text, "a.tif: band_index 3, the image has 3 samples");
    taco_tiff_close(t);
    tiff_begin(&m, true, false, 16, 600); /* a chunky file takes any band */
    tiff_usual(&m, 3, false);
    t = open_made();
    CHECK(taco_tiff_band(t, 7, &first, &n, NULL) == TACO_OK && first == 0 && n == 6);
    taco_tiff_close(t);
}

static void numbers(unsigned tag, const double *v, size_t n)
{
    tiff_begin(&m, false, true, 32, 700);
    tiff_usual(&m, 1, false);
    tiff_tag(&m, tag, 12, n, v);
}

static void test_transforms(void)
{
    static const double matrix[16] = {2, 0, 0, 100, 0, -3, 0, 200, 0, 0, 0, 0, 0, 0, 0, 1};
    static const double turned[16] = {2, 1, 0, 100, 0.5, -3, 0, 200, 0, 0, 0, 0, 0, 0, 0, 1};
    static const double ties[12] = {0, 0, 0, 500000, 4000000, 0, 4, 2, 0, 500040, 3999980, 0};
    static const double odd[12] = {0, 0, 0, 500000, 4000000, 0, 4, 2, 0, 500041, 3999980, 0};
    static const uint16_t point[8] = {1, 1, 0, 1, 1025, 0, 1, 2};
    taco_tiff *t;
    numbers(34264, matrix, 16); /* goes before scale and tie points */
    tiff_tag(&m, 34735, 3, 8, point);
    t = open_made();
    CHECK(t && taco_tiff_get(t)->transform[1] == 99 && taco_tiff_get(t)->transform[3] == 201.5);
    CHECK(t && taco_tiff_get(t)->pixel_is_point && taco_tiff_get(t)->epsg == 0);
    taco_tiff_close(t);
    numbers(34264, turned, 16);
    t = open_made();
    CHECK(t && taco_tiff_get(t)->has_geotransform && taco_tiff_get(t)->geotransform[2] == 1 &&
          taco_tiff_get(t)->geotransform[4] == 0.5);
    taco_tiff_close(t);
    CHECK_TEXT(refusal(), "a.tif: its ModelTransformation rotates or shears");
    numbers(33922, ties, 12);
    CHECK_TEXT(refusal(), "");
    numbers(33922, odd, 12);
    CHECK_TEXT(refusal(), "a.tif: its tie points do not agree on one origin");
    numbers(33922, ties, 7);
    CHECK_TEXT(refusal(), "a.tif: its ModelTiepoint does not hold 6 numbers a point");
}

/* A matrix in values of every numeric type: RATIONAL and SRATIONAL are two numbers each, 0 where the
   second is (TIFF 6.0 section 2). */
static void test_number_types(void)
{
    static const struct {
        unsigned type;
        double value;
        uint64_t one; /* as it stands in the file */
    } types[] = {{1, 200, 200},
                 {3, 60000, 60000},
                 {4, 4000000000.0, 4000000000U},
                 {5, 2.5, 5 | (uint64_t)2 << 32},
                 {5, 0, 5},
                 {6, 100, 100},
                 {8, 30000, 30000},
                 {9, 2000000000, 2000000000},
                 {10, 0.5, 0xFFFFFFFFU | (uint64_t)0xFFFFFFFEU << 32}, /* -1 / -2 */
                 {10, 0, 1},
                 {11, 1.5, 0x3FC00000U},
                 {16, 7, 7},
                 {17, 9, 9}};

    size_t i, k;
    for (i = 0; i < sizeof types / sizeof types[0]; i++) {
        static uint8_t narrow[16];
        static uint16_t middle[16];
        static uint32_t wide[16];
        static uint64_t widest[16];
        const void *const values[4] = {narrow, middle, wide, widest};
        static const uint8_t which[18] = {0, 0, 0, 1, 2, 3, 0, 0, 1, 2, 3, 2, 3, 2, 0, 0, 3, 3};
        const unsigned type = types[i].type;
        taco_tiff *t;
        for (k = 0; k < 16; k++) {
            narrow[k] = (uint8_t)types[i].one;
            middle[k] = (uint16_t)types[i].one;
            wide[k] = (uint32_t)types[i].one;
            widest[k] = types[i].one;
        }
        tiff_begin(&m, true, false, 32, 700);
        tiff_usual(&m, 1, false);
        tiff_tag(&m, 34264, type, 16, values[which[type]]);
        t = open_made();
        CHECK(t && taco_tiff_get(t)->has_matrix && taco_tiff_get(t)->matrix[0] == types[i].value &&
              taco_tiff_get(t)->matrix[15] == types[i].value);
        if (t && test_bad) { printf("type %u: %g\n", type, taco_tiff_get(t)->matrix[0]); }
        taco_tiff_close(t);
    }
}

static bool nodata(unsigned tag, const char *text, double *out)
{
    taco_tiff *t;
    bool there;
    tiff_begin(&m, false, false, 32, 700);
    tiff_usual(&m, 1, false);
    if (tag == 42112) { /* the XML counts where GDAL's own tag is absent */
        m.where -= 12;
        m.entries--;
    }
    tiff_tag(&m, tag, 2, strlen(text) + 1, text);
    t = open_made();
    there = t && taco_tiff_get(t)->has_nodata;
    *out = t ? taco_tiff_get(t)->nodata : 0;
    taco_tiff_close(t);
    return there;
}

static void test_nodata(void)
{
    double x;
    CHECK(nodata(42113, " -9999.5 ", &x) && x == -9999.5);
    CHECK(nodata(42113, "NaN", &x) && x != x);
    CHECK(nodata(42113, "-inf", &x) && x < -1e308);
    {
        taco_tiff *t = open_made();
        CHECK(t && strstr((const char *)taco_tiff_json(t, &e).data, "\"nodata\":\"-Infinity\","));
        taco_tiff_close(t);
    }
    CHECK(!nodata(42113, "none", &x));
    CHECK(!nodata(42113, "", &x));
    CHECK(nodata(42112,
                 "<GDALMetadata><Item name=\"A\">1</Item><Item name=\"NODATA_VALUES\"> 7 8"
                 "</Item></GDALMetadata>",
                 &x) &&
          x == 7);
}

static int32_t epsg_of(const char *ascii)
{
    taco_tiff *t;
    int32_t code;
    tiff_begin(&m, false, false, 32, 700);
    tiff_usual(&m, 1, false);
    tiff_tag(&m, 34737, 2, strlen(ascii) + 1, ascii);
    t = open_made();
    code = t ? taco_tiff_get(t)->epsg : -1;
    taco_tiff_close(t);
    return code;
}

static void test_crs(void)
{
    CHECK(epsg_of("PROJCRS[..., ID[\"EPSG\",3857]]|") == 3857);
    CHECK(epsg_of("WGS 84 / UTM zone 30N|WGS 84|") == 32630);
}

static void set(unsigned tag, unsigned value)
{
    tiff_begin(&m, false, false, 32, 700);
    tiff_usual(&m, 1, false);
    tiff_short(&m, tag, value);
}

static void test_refused(void)
{
    taco_source src;
    set(259, 7);
    CHECK_TEXT(refusal(),
               "a.tif: compressed with JPEG (7), whose tiles need tables from the header");
    set(339, 5);
    CHECK_TEXT(refusal(), "a.tif: values of SampleFormat 5 and 16 bits, allowed are integers and "
                          "floats of 8 to 64");
    set(258, 15); /* 15 bits are held in 16 */
    CHECK_TEXT(refusal(), "");
    set(322, 0);
    CHECK_TEXT(refusal(), "a.tif: image of 40 x 20, tiles of 0 x 16");
    tiff_begin(&m, false, false, 32, 700);
    tiff_short(&m, 256, 4);
    tiff_short(&m, 257, 4);
    CHECK_TEXT(refusal(), "a.tif: not tiled: no TileOffsets and TileByteCounts");
    tiff_begin(&m, false, false, 32, 700);
    tiff_usual(&m, 1, false);
    tiff_put(&m, m.data + 34 + 12 * 9 + 4, 1U << 30, 4);
    CHECK_TEXT(refusal(), "a.tif: at byte 142: tag 324 has 1073741824 values at byte 700, the file "
                          "ends at 844");
    CHECK(e.code == TACO_ERR_TRUNCATED && e.offset == 142);
    tiff_put(&m, m.data + 4, 5000, 4);
    CHECK_TEXT(refusal(), "a.tif: at byte 4: the directory is at byte 5000, the file has 844");
    m.data[2] = 41;
    CHECK_TEXT(refusal(), "a.tif: at byte 0: not a TIFF: it begins with 49492900, allowed are "
                          "49492a00, 4d4d002a and BigTIFF's 2b");
    m.size = 3;
    CHECK_TEXT(refusal(), "a.tif: at byte 0: a TIFF header needs 8 bytes, the file has 3");
    tiff_begin(&m, true, false, 16, 700);
    tiff_put(&m, m.data + 16, (uint64_t)1 << 60, 8);
    CHECK_TEXT(refusal(), "a.tif: at byte 16: directory of 1152921504606846976 tags, allowed are "
                          "65535");
    memset(&src, 0, sizeof src);
    CHECK(!taco_tiff_open(&src, NULL, NULL, NULL) && !taco_tiff_open(NULL, NULL, NULL, NULL));
    { /* as every call, these take no handle */
        size_t first = 9, n = 9;
        memset(&e, 0, sizeof e);
        CHECK(!taco_tiff_get(NULL) && taco_tiff_tiles_ok(NULL, &e) == TACO_ERR_ARGUMENT);
        CHECK_TEXT(taco_error_text(&e), "no TIFF given");
        CHECK(taco_tiff_band(NULL, 0, &first, &n, NULL) == TACO_ERR_ARGUMENT && n == 0);
        CHECK(!taco_tiff_json(NULL, NULL).data);
    }
    taco_tiff_close(NULL);
}

static bool no_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    (void)ctx;
    (void)offset;
    (void)dst;
    (void)len;
    return false;
}

static void test_unreadable(void)
{
    taco_source src;
    memset(&src, 0, sizeof src);
    src.size = 100;
    src.read = no_read;
    memset(&e, 0, sizeof e);
    CHECK(!taco_tiff_open(&src, "a.tif", NULL, &e));
    CHECK_TEXT(e.text, "a.tif: at byte 0: read of 100 bytes failed");
}

static void test_every_cut(void) /* and every flipped byte: no header of these makes trouble */
{
    size_t i, size;
    tiff_begin(&m, false, true, 32, 700);
    tiff_usual(&m, 1, false);
    size = m.size;
    for (i = 0; i < size; i++) {
        m.size = i;
        (void)refusal();
        m.size = size;
        m.data[i] ^= 0xFF;
        (void)refusal();
        m.data[i] ^= 0xFF;
    }
    CHECK_TEXT(refusal(), "");
}

/* Whatever a header says, all that is made of it is there, or says why not. */
static void use(bool *opened)
{
    taco_tiff *t = open_made();
    taco_error own;
    size_t first, n, i;
    *opened = t != NULL;
    CHECK(t || e.text[0]);
    for (i = 0; t && i < 7; i++) {
        bool ok;
        memset(&own, 0, sizeof own);
        ok = i == 0   ? taco_tiff_tiles_ok(t, &own) == TACO_OK
             : i == 1 ? taco_tacotiff_ok(t, &own) == TACO_OK
             : i == 2 ? taco_tog_check(t, &own) == TACO_OK
             : i == 3 ? taco_tacotiff_header(t, &own).data != NULL
             : i == 4 ? taco_tiff_json(t, &own).data != NULL
                      : taco_tiff_band(t, (int64_t)i - 5, &first, &n, &own) == TACO_OK;
        CHECK(ok == (own.code == TACO_OK) && ok == !own.text[0]);
    }
    taco_tiff_close(t);
}

/* A TACO-Optimized GeoTIFF with other tags besides. */
static void many_tags(bool big, bool msb)
{
    static const char meta[] = "<GDALMetadata><Item name=\"NODATA_VALUES\"> , -nan 1</Item>"
                               "<Item name=\"IMAGE_INFO\">x</Item></GDALMetadata>";
    static const double matrix[16] = {10, 0, 0, 500000, 0, -10, 0, 4000000, 0, 0, 0, 0, 0, 0, 0, 1};
    static const uint16_t extra[2] = {0, 2}, format[3] = {1, 1, 1};
    static const char ascii[] = "WGS 84 / UTM zone 30N|ESRI PE String = PROJCS[\"x\",AUTHORITY["
                                "\"EPSG\",\"32630\"]]|";
    static const double geo_doubles[2] = {32630, 1};
    tiff_begin(&m, big, msb, 16 + (big ? 8 : 0), 800);
    tiff_usual(&m, 3, msb);
    m.where -= big ? 20 : 12; /* NODATA comes after 42112 */
    m.entries--;
    tiff_tag(&m, 34264, 12, 16, matrix);
    tiff_tag(&m, 34736, 12, 2, geo_doubles);
    tiff_tag(&m, 34737, 2, sizeof ascii, ascii);
    tiff_tag(&m, 317, 3, 1, extra + 1);
    tiff_tag(&m, 338, 3, 2, extra);
    tiff_tag(&m, 339, 3, 3, format);
    tiff_tag(&m, 42112, 2, sizeof meta, meta);
    tiff_tag(&m, 42113, 2, 5, " nan ");
    m.size = 200000;
}

/* The first bytes, with what each should say; without a name, and without room for an error. */
static void test_first_bytes(void)
{
    static const struct {
        const char *bytes;
        size_t len;
    } all[] = {{"", 0},
               {"II", 2},
               {"II*\0\10\0\0", 7},
               {"II*\0\10\0\0\0", 8},
               {"II*\0\7\0\0\0\0\0\0\0", 12},
               {"II*\0\377\0\0\0\0\0\0\0", 12},
               {"II*\0\0\0\0\0\0\0\0\0", 12},
               {"IM*\0\10\0\0\0\0\0\0\0", 12},
               {"MI\0*\0\0\0\10\0\0\0\0", 12},
               {"MM\0*\0\0\0\10\0\0\0\0", 12},
               {"XX*\0\10\0\0\0\0\0\0\0", 12},
               {"II,\0\10\0\0\0\0\0\0\0", 12},
               {"II+\0\10\0\0\0\20\0\0\0", 12},
               {"II+\0\4\0\0\0\20\0\0\0\0\0\0\0", 16},
               {"II+\0\10\0\1\0\20\0\0\0\0\0\0\0", 16},
               {"II+\0\10\0\0\0\20\0\0\0\0\0\0\0", 16},
               {"II+\0\10\0\0\0\0\0\0\0\0\0\0\200", 16},
               {"II*\0\10\0\0\0\377\377", 10}};

    size_t i;
    taco_source src;
    for (i = 0; i < sizeof all / sizeof all[0]; i++) {
        memset(&e, 0, sizeof e);
        taco_source_memory(&src, all[i].bytes, all[i].len);
        CHECK(!taco_tiff_open(&src, NULL, NULL, &e) && e.text[0]);
        CHECK(strncmp(e.text, "TIFF: ", 6) == 0);
        CHECK(!taco_tiff_open(&src, "x", NULL, &e)); /* the first error stays */
        CHECK(strncmp(e.text, "TIFF: ", 6) == 0);
        CHECK(!taco_tiff_open(&src, "x", NULL, NULL));
    }
}

/* No data, as GDAL writes and reads it, with what people write. */
static void test_nodata_texts(void)
{
    static const char *const texts[] = {"",         " ",         "nan",     "-nan", "+NaN", "inf",
                                        "-inf",     "+Infinity", "infinit", "nanx", "1e5",  " 7 ",
                                        "\t-7\r\n", "0x10",      "-",       "+",    "1,5",  "--1",
                                        "i",        "n",         "1 2"};
    static const char *const inside[] = {"<GDALMetadata><Item name=\"NODATA_VALUES\">%s</Item>",
                                         "<GDALMetadata><Item name=\"NODATA_VALUES\">%s",
                                         "<Item name=\"NODATA_VALUES\" sample=\"0\">,%s , 5</Item>",
                                         "<Item name=\"NODATA_VALUES\"",
                                         "<Item name=\"other\">%s</Item>"};
    char text[200];
    double x;
    size_t i, k;
    for (i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        (void)nodata(42113, texts[i], &x);
        for (k = 0; k < sizeof inside / sizeof inside[0]; k++) {
            snprintf(text, sizeof text, inside[k], texts[i]);
            (void)nodata(42112, text, &x);
        }
    }
    CHECK(nodata(42113, "\t-7\r\n", &x) && x == -7);
    CHECK(nodata(42113, "-inf", &x) && x < -1e308);
    CHECK(nodata(42113, "+NaN", &x) && x != x);
    CHECK(nodata(42113, "\r 7\v", &x) && x == 7);
    /* no space to Python, before the number or after it */
    CHECK(!nodata(42113, "\b7", &x) && !nodata(42113, "7\b", &x) && !nodata(42113, "\0167", &x));
}

/* Tiles of a planar image of 40 x 20 in 16 x 16 (6 a plane) by tile, each between 4 bytes before
   and behind. */
static void tacotiff(unsigned samples, bool big, bool msb, size_t shift)
{
    uint32_t offsets[18], counts[18], at = 5000;
    size_t i, b;
    tiff_begin(&m, big, msb, 16, 600);
    tiff_short(&m, 256, 40);
    tiff_short(&m, 257, 20);
    tiff_short(&m, 258, 16);
    tiff_short(&m, 259, 50000);
    tiff_short(&m, 277, samples);
    tiff_short(&m, 284, samples == 1 ? 1 : 2);
    tiff_short(&m, 317, 2);
    tiff_short(&m, 322, 16);
    tiff_short(&m, 323, 16);
    for (i = 0; i < 6; i++) {
        for (b = 0; b < samples; b++) {
            offsets[b * 6 + i] = at;
            counts[b * 6 + i] = (uint32_t)(100 + i * samples + b);
            at += counts[b * 6 + i] + 8;
        }
    }
    offsets[shift % 18] += (uint32_t)(shift / 18);
    tiff_tag(&m, 324, 4, 6 * samples, offsets);
    tiff_tag(&m, 325, 4, 6 * samples, counts);
    tiff_short(&m, 339, 1);
}

/* Each entry of the directory has another type, count or value, and each of its values, too. */
static void test_other_entries(void)
{
    static const uint64_t others[] = {
        0,     1,          2,     3,           4,           7,          9,     16,
        17,    64,         65,    255,         256,         32767,      50000, 65535,
        65536, 0x7FFFFFFF, 34736, 0x80000000U, 0xFFFFFFFFU, 0xFFFFFFF0U};
    int order;
    size_t i, k, field, refused = 0, points = 0;
    for (order = 0; order < 8; order++) {
        bool big = (order & 1) != 0, msb = (order & 2) != 0, opened;
        unsigned room = big ? 8 : 4, entry = big ? 20 : 12;
        static tiff_maker whole;
        if (order < 4) {
            many_tags(big, msb);
        } else {
            tacotiff(3, big, msb, 4);
        }
        whole = m;
        use(&opened);
        CHECK(opened);
        for (i = 0; i < whole.entries; i++) {
            uint8_t *at = m.data + whole.where - (whole.entries - i) * entry;
            for (field = 0; field < 4; field++) { /* tag, type, count, value */
                size_t to = field == 0 ? 0 : field == 1 ? 2 : field == 2 ? 4 : 4 + room;
                for (k = 0; k < sizeof others / sizeof others[0]; k++) {
                    m = whole;
                    tiff_put(&m, at + to, others[k], field < 2 ? 2 : room);
                    use(&opened);
                    refused += !opened;
                    points++;
                }
            }
        }
        for (i = 600; i < whole.values && i < 4000;
             i += 2) { /* values elsewhere: numbers of other widths */
            for (k = 0; k < sizeof others / sizeof others[0]; k += 1 + i % 3) {
                m = whole;
                tiff_put(&m, m.data + i, others[k], i % 4 ? 2 : 4);
                use(&opened);
                refused += !opened;
                points++;
            }
        }
    }
    CHECK(refused > points / 50 && refused < points);
    printf("%u of %u headers with other entries refused\n", (unsigned)refused, (unsigned)points);
}

static const char *no_tacotiff(void)
{
    taco_tiff *t = open_made();
    CHECK(t && !taco_tacotiff_header(t, &e).data && e.code == TACO_ERR_UNSUPPORTED);
    taco_tiff_close(t);
    return e.text;
}

static void test_tacotiff(void)
{
    /* struct.pack("<IHIIHHHBBBQI", 0x45564F4C, 1, 40, 20, 16, 16, 3, 16, 1, 2, 5000, 18) */
    static const uint8_t want[35] = {'L',  'O', 'V', 'E', 1,  0, 40, 0,  0,  0, 20, 0,
                                     0,    0,   16,  0,   16, 0, 3,  0,  16, 1, 2,  0x88,
                                     0x13, 0,   0,   0,   0,  0, 0,  18, 0,  0, 0};
    unsigned i;
    size_t k;
    for (i = 0; i < 4; i++) {
        taco_tiff *t;
        taco_bytes b;
        tacotiff(3, i & 1, (i & 2) != 0, 0);
        t = open_made();
        CHECK(t && !taco_tiff_get(t)->more_images && taco_tacotiff_ok(t, &e) == TACO_OK);
        b = taco_tacotiff_header(t, &e);
        CHECK_TEXT(e.text, "");
        CHECK(b.len == 35 + 4 * 18 && memcmp(b.data, want, 35) == 0);
        for (k = 0; k < 18 && b.len == 107; k++) { /* in the order of the file */
            CHECK(b.data[35 + 4 * k] == 100 + k && b.data[36 + 4 * k] == 0);
        }
        taco_tiff_close(t);
    }
    tacotiff(1, true, false, 0);
    {
        taco_tiff *t = open_made();
        CHECK(taco_tacotiff_header(t, &e).len == 35 + 4 * 6);
        taco_tiff_close(t);
    }
    tiff_begin(&m, true, false, 16, 600); /* one tile of 512 x 272 */
    tiff_short(&m, 256, 300);
    tiff_short(&m, 257, 260);
    tiff_short(&m, 258, 16);
    tiff_short(&m, 259, 50000);
    tiff_short(&m, 277, 1);
    tiff_short(&m, 322, 512);
    tiff_short(&m, 323, 272);
    tiff_short(&m, 324, 5000);
    tiff_short(&m, 325, 100);
    {
        taco_tiff *t = open_made();
        taco_bytes b = taco_tacotiff_header(t, &e);
        CHECK(b.len == 35 + 4 && memcmp(b.data + 14, "\0\2\x10\1\1\0\x10", 7) == 0);
        taco_tiff_close(t);
    }
    tacotiff(3, true, false, 0); /* another directory behind the first */
    tiff_put(&m, m.data + m.where, 400, 8);
    CHECK_TEXT(no_tacotiff(), "a.tif: overviews or other images, a TACOTIFF has one image");
    tacotiff(3, true, false, 18 + 7);
    CHECK_TEXT(no_tacotiff(), "a.tif: tile 1 of sample 1 is at 5439, by the sizes of those before "
                              "(interleaved by tile) it would be at 5438");
    tacotiff(3, true, false, 0);
    tiff_short(&m, 259, 8);
    CHECK_TEXT(no_tacotiff(), "a.tif: compression 8, a TACOTIFF has ZSTD (50000)");
    tacotiff(3, true, false, 0);
    tiff_short(&m, 284, 1);
    CHECK_TEXT(no_tacotiff(), "a.tif: samples interleaved by pixel, a TACOTIFF has them by tile");
    tacotiff(3, true, false, 0);
    tiff_short(&m, 277, 2);
    CHECK_TEXT(no_tacotiff(), "a.tif: 18 tiles of 16 x 16, 12 are wanted");
    tacotiff(3, true, false, 0);
    m.where = 16 + 8; /* no tags of tiles */
    tiff_begin(&m, true, false, 16, 600);
    tiff_short(&m, 256, 40);
    tiff_short(&m, 257, 20);
    tiff_short(&m, 259, 50000);
    CHECK_TEXT(no_tacotiff(), "a.tif: not tiled");
}

/* A TOG of two samples, six tiles each, with one of its options left out. */
static const char *tog_without(unsigned left_out)
{
    static const char ghost[] = "GDAL_STRUCTURAL_METADATA_SIZE=000140 bytes\n"
                                "LAYOUT=IFDS_BEFORE_DATA\nBLOCK_ORDER=ROW_MAJOR\n";
    static const char xml[] = "<GDALMetadata><Item name=\"IMAGE_INFO\">{}</Item></GDALMetadata>";
    static const double scale[3] = {10, 10, 0}, tie[6] = {0, 0, 0, 500000, 4000000, 0};
    uint64_t offsets[12];
    uint32_t counts[12], narrow[12];
    size_t i;
    taco_tiff *t;
    tiff_begin(&m, left_out != 1, false, 200, 2000);
    if (left_out != 2) { memcpy(m.data + (left_out == 1 ? 8 : 16), ghost, sizeof ghost - 1); }
    for (i = 0; i < 12; i++) {
        /* interleave=tile: sample 1 of each tile after sample 0 */
        offsets[i] = 4000 + 100 * (left_out == 3 ? i : i % 6 * 2 + i / 6);
        narrow[i] = (uint32_t)offsets[i];
        counts[i] = 92;
    }
    tiff_short(&m, 256, 40);
    tiff_short(&m, 257, 20);
    tiff_short(&m, 258, 16);
    tiff_short(&m, 259, left_out == 4 ? 8 : 50000);
    tiff_short(&m, 262, 1);
    tiff_short(&m, 277, 2);
    tiff_short(&m, 284, left_out == 5 ? 1 : 2);
    tiff_short(&m, 317, left_out == 6 ? 1 : 2);
    if (left_out != 7) {
        tiff_short(&m, 322, left_out == 8 ? 24 : 16);
        tiff_short(&m, 323, left_out == 8 ? 24 : 16);
        if (m.big) {
            tiff_tag(&m, 324, 16, 12, offsets);
        } else {
            tiff_tag(&m, 324, 4, 12, narrow);
        }
        tiff_tag(&m, 325, 4, 12, counts);
    }
    tiff_tag(&m, 33550, 12, 3, scale);
    tiff_tag(&m, 33922, 12, 6, tie);
    if (left_out != 9) { tiff_tag(&m, 42112, 2, sizeof xml, xml); }
    if (left_out == 10) { m.data[m.where] = 8; } /* another directory */
    m.size = 6000;
    t = open_made();
    CHECK_TEXT(e.text, "");
    CHECK((taco_tog_check(t, &e) == TACO_OK) == (left_out == 0));
    taco_tiff_close(t);
    return e.text;
}

static void togs(void)
{
    static const char *const want[] = {
        "",
        "a.tif: no TOG, made without bigtiff=yes: a classic TIFF",
        "a.tif: no TOG, made without driver=COG: no ghost area with LAYOUT=IFDS_BEFORE_DATA",
        "a.tif: no TOG, made without interleave=tile: another order of samples",
        "a.tif: no TOG, made without compress=zstd: another compression",
        "a.tif: no TOG, made without interleave=tile: another order of samples",
        "a.tif: no TOG, made without predictor=yes: predictor 1",
        "a.tif: no TOG, made without tiled=True: strips",
        "a.tif: no TOG, made without blocksize=512: tiles are not square, or no multiple of 16",
        "a.tif: no TOG, made without statistics: no IMAGE_INFO in tag 42112",
        "a.tif: no TOG, made without overview=none: overviews"};
    unsigned i;
    for (i = 0; i < sizeof want / sizeof want[0]; i++) {
        CHECK_TEXT(tog_without(i), want[i]);
    }
}

int main(void)
{
    RUN(test_orders_and_places);
    RUN(test_planar);
    RUN(test_transforms);
    RUN(test_number_types);
    RUN(test_nodata);
    RUN(test_crs);
    RUN(test_refused);
    RUN(test_unreadable);
    RUN(test_every_cut);
    RUN(test_other_entries);
    RUN(test_nodata_texts);
    RUN(test_first_bytes);
    RUN(test_tacotiff);
    RUN(togs);
    return test_end("tiff");
}
