/* collection_members.c - labels, publications, split and optical bands for COLLECTION.json

   In: structs of the caller, or the name of a sensor; out: members of an object, without braces,
   in the caller's buffer. TACO 2.0 §8 (labels, publications, split strategy, optical).

   The table of bands is the reference's. Each public call fills its own buffer and copies it out
   at the end (taco__members_copy_out), with LIMIT if the caller's is too small. */
#include "write.h"
#include "../arrow/arrow.h"
#include "../base/base.h"

/* ---- fields of the collection ---- */

/* A writer of members into its own empty buffer. */
static taco__json_writer taco__members_writer(taco__buf *b, taco__mem *mem, taco_error *err)
{
    taco__mem_init(mem, NULL);
    memset(b, 0, sizeof *b);
    b->mem = mem;
    return taco__json_writer_init(b, err);
}

/* Copies the text, NUL-terminated, to the caller's buffer of `room` bytes; frees w's buffer in any
   case. If w failed, memory ran out. */
static taco_status taco__members_copy_out(taco__json_writer *w, char *out, size_t room,
                                          taco_error *err)
{
    taco__buf *b = w->out;
    taco_status st = w->ok ? TACO_OK : TACO_ERR_MEMORY;
    if (w->ok && b->len + 1 > room) {
        st =
            TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "the text needs %u bytes, there are %u",
                       TACO__U(b->len + 1), TACO__U(room));
    } else if (w->ok) {
        memcpy(out, b->data, b->len);
        out[b->len] = 0;
    }
    taco__buf_free(b);
    return st;
}

TACO_API taco_status taco_labels_json(const taco_label *labels, size_t n, const char *description,
                                      char *out, size_t room, taco_error *err)
{
    taco__mem mem;
    taco__buf b;
    err = taco__error_fresh(err, NULL);
    taco__json_writer w = taco__members_writer(&b, &mem, err);
    size_t i;
    taco__json_write_begin(&w, "labels:classes", '[');
    for (i = 0; i < n; i++) {
        taco__json_write_begin(&w, NULL, '{');
        taco__json_write_text(&w, "name", labels[i].name);
        taco__json_write_text(&w, "category", labels[i].category);
        taco__json_write_text(&w, "description", labels[i].description);
        taco__json_write_end(&w, '}');
    }
    taco__json_write_end(&w, ']');
    taco__json_write_text(&w, "labels:description", description);
    taco__json_write_u64(&w, "labels:num_classes", n);
    return taco__members_copy_out(&w, out, room, err);
}

TACO_API taco_status taco_publications_json(const taco_publication *list, size_t n, char *out,
                                            size_t room, taco_error *err)
{
    taco__mem mem;
    taco__buf b;
    err = taco__error_fresh(err, NULL);
    taco__json_writer w = taco__members_writer(&b, &mem, err);
    size_t i;
    taco__json_write_begin(&w, "publications", '[');
    for (i = 0; i < n; i++) {
        taco__json_write_begin(&w, NULL, '{');
        taco__json_write_text(&w, "doi", list[i].doi);
        taco__json_write_text(&w, "citation", list[i].citation);
        taco__json_write_text(&w, "summary", list[i].summary);
        taco__json_write_end(&w, '}');
    }
    taco__json_write_end(&w, ']');
    return taco__members_copy_out(&w, out, room, err);
}

/* ARGUMENT for strategies other than the reference's six. */
TACO_API taco_status taco_split_json(const char *strategy, char *out, size_t room, taco_error *err)
{
    static const char *const known[] = {"random", "stratified", "manual",
                                        "other",  "none",       "unknown"};
    taco__mem mem;
    taco__buf b;
    taco__json_writer w;
    taco_bytes name = taco__bytes_text(strategy ? strategy : "");
    size_t i;
    err = taco__error_fresh(err, NULL);
    for (i = 0; i < TACO__COUNT(known) && !taco__bytes_equal(taco__bytes_text(known[i]), name);
         i++) {}
    if (i == TACO__COUNT(known)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "split:strategy is %q, allowed are random, stratified, manual, other, "
                          "none and unknown",
                          &name);
    }
    w = taco__members_writer(&b, &mem, err);
    taco__json_write_text(&w, "split:strategy", strategy);
    return taco__members_copy_out(&w, out, room, err);
}

/* A band of a known sensor. */
typedef struct taco__members_band {
    const char *name, *common, *what; /* what: NULL if like the common name */
    uint16_t metres;
    double centre, width; /* nanometres: full width at half maximum */
} taco__members_band;

/* Names, centres and widths are the reference's, so that both write the same. The reference
   has the wavelengths of bands MS-1 (blue: 482.5, 61) and MS-2 (green: 566, 74) of EO-1 ALI
   swapped. */
/* clang-format off */
static const taco__members_band taco__members_bands[] = {
    /* landsat1mss */
    {"B04", "Green", NULL, 60, 553.0, 98.0},
    {"B05", "Red", NULL, 60, 652.5, 95.0},
    {"B06", "NIR 1", "Near infrared 1", 60, 747.5, 105.0},
    {"B07", "NIR 2", "Near infrared 2", 60, 900.0, 178.0},
    /* landsat2mss */
    {"B04", "Green", NULL, 60, 549.5, 101.0},
    {"B05", "Red", NULL, 60, 659.0, 104.0},
    {"B06", "NIR 1", "Near infrared 1", 60, 750.5, 105.0},
    {"B07", "NIR 2", "Near infrared 2", 60, 897.0, 184.0},
    /* landsat3mss */
    {"B04", "Green", NULL, 60, 544.0, 96.0},
    {"B05", "Red", NULL, 60, 653.5, 101.0},
    {"B06", "NIR1", "Near infrared 1", 60, 743.0, 100.0},
    {"B07", "NIR 2", "Near infrared 2", 60, 896.5, 167.0},
    /* landsat4mss */
    {"B01", "Green", NULL, 60, 549.5, 109.0},
    {"B02", "Red", NULL, 60, 650.5, 93.0},
    {"B03", "NIR 1", "Near infrared 1", 60, 756.5, 111.0},
    {"B04", "NIR 2", "Near infrared 2", 60, 914.0, 216.0},
    /* landsat5mss */
    {"B01", "Green", NULL, 60, 552.5, 109.0},
    {"B02", "Red", NULL, 60, 648.5, 93.0},
    {"B03", "NIR 1", "Near infrared 1", 60, 760.0, 110.0},
    {"B04", "NIR 2", "Near infrared 2", 60, 925.0, 230.0},
    /* landsat4tm */
    {"B01", "Blue", NULL, 30, 484.5, 65.0},
    {"B02", "Green", NULL, 30, 569.0, 80.0},
    {"B03", "Red", NULL, 30, 659.0, 68.0},
    {"B04", "NIR", "Near infrared", 30, 841.0, 128.0},
    {"B05", "SWIR 1", "Shortwave infrared 1", 30, 1678.0, 214.0},
    {"B06", "TIR", "Thermal infrared", 30, 11080.0, 1300.0},
    {"B07", "SWIR 2", "Shortwave infrared 2", 30, 2222.5, 247.0},
    /* landsat5tm */
    {"B01", "Blue", NULL, 30, 485.0, 64.0},
    {"B02", "Green", NULL, 30, 569.0, 80.0},
    {"B03", "Red", NULL, 30, 660.0, 66.0},
    {"B04", "NIR", "Near infrared", 30, 840.0, 127.0},
    {"B05", "SWIR 1", "Shortwave infrared 1", 30, 1676.0, 214.0},
    {"B06", "TIR", "Thermal infrared", 30, 11435.0, 1970.0},
    {"B07", "SWIR 2", "Shortwave infrared 2", 30, 2223.5, 249.0},
    /* landsat7etm */
    {"B01", "Blue", NULL, 30, 477.5, 71.0},
    {"B02", "Green", NULL, 30, 560.0, 80.0},
    {"B03", "Red", NULL, 30, 661.5, 61.0},
    {"B04", "NIR", "Near infrared", 30, 835.0, 126.0},
    {"B05", "SWIR 1", "Shortwave infrared 1", 30, 1648.0, 198.0},
    {"B06", "TIR", "Longwave infrared", 30, 11345.0, 2030.0},
    {"B07", "SWIR 2", "Shortwave infrared 2", 30, 2205.0, 278.0},
    {"B08", "Pan", "Panchromatic", 15, 705.0, 378.0},
    /* landsat8oli */
    {"B01", "coastal aerosol", NULL, 30, 442.5, 15.0},
    {"B02", "blue", NULL, 30, 482.5, 59.0},
    {"B03", "green", NULL, 30, 561.5, 57.0},
    {"B04", "red", NULL, 30, 654.5, 37.0},
    {"B05", "NIR", "Near infrared", 30, 864.5, 27.0},
    {"B06", "SWIR 1", "Shortwave infrared 1", 30, 1609.0, 84.0},
    {"B07", "SWIR 2", "Shortwave infrared 2", 30, 2201.0, 186.0},
    {"B08", "Pan", "Panchromatic", 15, 589.5, 171.0},
    {"B09", "Cirrus", NULL, 30, 1373.5, 19.0},
    {"B10", "TIR 1", "Thermal infrared 1", 30, 10875.0, 550.0},
    {"B11", "TIR 2", "Thermal infrared 2", 30, 12025.0, 950.0},
    /* landsat9oli */
    {"B01", "coastal aerosol", NULL, 30, 443.0, 14.0},
    {"B02", "blue", NULL, 30, 481.5, 59.0},
    {"B03", "green", NULL, 30, 561.0, 56.0},
    {"B04", "red", NULL, 30, 654.0, 36.0},
    {"B05", "NIR", "Near infrared", 30, 864.5, 27.0},
    {"B06", "SWIR 1", "Shortwave infrared 1", 30, 1608.5, 85.0},
    {"B07", "SWIR 2", "Shortwave infrared 2", 30, 2200.0, 188.0},
    {"B08", "Pan", "Panchromatic", 15, 589.0, 172.0},
    {"B09", "Cirrus", NULL, 30, 1374.0, 20.0},
    {"B10", "TIR 1", "Thermal infrared 1", 30, 10825.0, 650.0},
    {"B11", "TIR 2", "Thermal infrared 2", 30, 12025.0, 850.0},
    /* sentinel2msi */
    {"B01", "coastal aerosol", NULL, 60, 443.5, 17.0},
    {"B02", "blue", NULL, 10, 496.5, 53.0},
    {"B03", "green", NULL, 10, 560.0, 34.0},
    {"B04", "red", NULL, 10, 664.5, 29.0},
    {"B05", "red edge 1", "Vegetation red edge 1", 20, 704.5, 13.0},
    {"B06", "red edge 2", "Vegetation red edge 2", 20, 740.5, 13.0},
    {"B07", "red edge 3", "Vegetation red edge 3", 20, 783.0, 18.0},
    {"B08", "NIR", "Near infrared", 10, 840.0, 114.0},
    {"B8A", "red edge 4", "Vegetation red edge 4", 20, 864.5, 19.0},
    {"B09", "water vapor", NULL, 60, 945.0, 18.0},
    {"B10", "cirrus", NULL, 60, 1375.5, 31.0},
    {"B11", "SWIR 1", "Shortwave infrared 1", 20, 1613.5, 89.0},
    {"B12", "SWIR 2", "Shortwave infrared 2", 20, 2199.5, 173.0},
    /* eo1ali */
    {"B01", "Pan", "Panchromatic", 30, 588.5, 175.0},
    {"B02", "MS-1p", "Blue", 30, 441.5, 19.0},
    {"B03", "MS-1", "Blue", 30, 566.0, 74.0},
    {"B04", "MS-2", "Green", 30, 482.5, 61.0},
    {"B05", "MS-3", "Red", 30, 660.0, 58.0},
    {"B06", "MS-4", "Near infrared", 30, 790.0, 30.0},
    {"B07", "MS-4p", "Shortwave infrared", 30, 866.0, 44.0},
    {"B08", "MS-5", "Shortwave infrared", 30, 1638.0, 184.0},
    {"B09", "MS-5p", "Shortwave infrared", 30, 1244.5, 89.0},
    {"B10", "MS-7", "Shortwave infrared", 30, 2224.0, 276.0},
    /* aster */
    {"B01", "VNIR", "Visible and near infrared", 15, 558.0, 84.0},
    {"B02", "VNIR", "Visible and near infrared", 15, 659.0, 60.0},
    {"B3N", "VNIR", "Visible and near infrared", 15, 806.0, 100.0},
    {"B3B", "VNIR", "Visible and near infrared", 15, 806.0, 108.0},
    {"B04", "SWIR", "Shortwave infrared", 30, 1655.0, 90.0},
    {"B05", "SWIR", "Shortwave infrared", 30, 2165.0, 35.0},
    {"B06", "SWIR", "Shortwave infrared", 30, 2208.5, 37.5},
    {"B07", "SWIR", "Shortwave infrared", 30, 2262.5, 45.0},
    {"B08", "SWIR", "Shortwave infrared", 30, 2333.5, 67.5},
    {"B09", "SWIR", "Shortwave infrared", 30, 2397.5, 65.0},
    {"B10", "TIR", "Thermal infrared", 90, 8280.0, 340.0},
    {"B11", "TIR", "Thermal infrared", 90, 8630.0, 340.0},
    {"B12", "TIR", "Thermal infrared", 90, 9075.0, 350.0},
    {"B13", "TIR", "Thermal infrared", 90, 10655.0, 650.0},
    {"B14", "TIR", "Thermal infrared", 90, 11300.0, 580.0},
    /* modis */
    {"B01", "B01", "Land/Cloud/Aerosols Boundaries", 250, 645.69, 45.01},
    {"B02", "B02", "Land/Cloud/Aerosols Boundaries", 250, 856.88, 37.0},
    {"B03", "B03", "Land/Cloud/Aerosols Properties", 500, 465.7, 17.979},
    {"B04", "B04", "Land/Cloud/Aerosols Properties", 500, 553.19, 18.989},
    {"B05", "B05", "Land/Cloud/Aerosols Properties", 500, 1241.5, 22.0},
    {"B06", "B06", "Land/Cloud/Aerosols Properties", 500, 1629.0, 27.9},
    {"B07", "B07", "Land/Cloud/Aerosols Properties", 500, 2113.2, 45.0},
    {"B08", "B08", "Ocean Color/Phytoplankton/Biogeochemistry", 1000, 411.67, 11.0},
    {"B09", "B09", "Ocean Color/Phytoplankton/Biogeochemistry", 1000, 442.16, 8.01},
    {"B10", "B10", "Ocean Color/Phytoplankton/Biogeochemistry", 1000, 486.69, 9.98},
    {"B11", "B11", "Ocean Color/Phytoplankton/Biogeochemistry", 1000, 529.669, 11.01},
    {"B12", "B12", "Ocean Color/Phytoplankton/Biogeochemistry", 1000, 546.71, 9.019},
    {"B13", "B13", "Ocean Color/Phytoplankton/Biogeochemistry", 1000, 665.19, 8.02},
    {"B14", "B14", "Ocean Color/Phytoplankton/Biogeochemistry", 1000, 677.219, 10.02},
    {"B15", "B15", "Ocean Color/Phytoplankton/Biogeochemistry", 1000, 746.789, 9.0},
    {"B16", "B16", "Ocean Color/Phytoplankton/Biogeochemistry", 1000, 866.809, 15.011},
    {"B17", "B17", "Atmospheric Water Vapor", 1000, 903.75, 33.0},
    {"B18", "B18", "Atmospheric Water Vapor", 1000, 935.75, 13.01},
    {"B19", "B19", "Atmospheric Water Vapor", 1000, 935.34, 44.99},
    {"B20", "B20", "Surface/Cloud Temperature", 1000, 3786.0, 190.0},
    {"B21", "B21", "Surface/Cloud Temperature", 1000, 3991.0, 80.0},
    {"B22", "B22", "Surface/Cloud Temperature", 1000, 3971.0, 80.0},
    {"B23", "B23", "Atmospheric Temperature", 1000, 4057.5, 85.0},
    {"B24", "B24", "Atmospheric Temperature", 1000, 4471.5, 85.0},
    {"B25", "B25", "Atmospheric Temperature", 1000, 4546.0, 90.0},
    {"B26", "B26", "Cirrus Clouds Water Vapor", 1000, 1383.6, 34.0},
    {"B27", "B27", "Cirrus Clouds Water Vapor", 1000, 6758.5, 225.0},
    {"B28", "B28", "Cirrus Clouds Water Vapor", 1000, 7334.5, 316.0},
    {"B29", "B29", "Cloud Properties", 1000, 8526.0, 300.0},
    {"B30", "B30", "Cloud Properties", 1000, 9752.0, 270.0},
    {"B31", "B31", "Surface/Cloud Temperature", 1000, 11013.0, 500.0},
    {"B32", "B32", "Surface/Cloud Temperature", 1000, 12039.5, 475.0},
    {"B33", "B33", "Cloud Top Altitude", 1000, 13362.0, 299.0},
    {"B34", "B34", "Cloud Top Altitude", 1000, 13682.5, 301.0},
    {"B35", "B35", "Cloud Top Altitude", 1000, 13893.0, 281.0},
    {"B36", "B36", "Cloud Top Altitude", 1000, 14143.5, 139.0},
};

/* Known sensors, and the ranges of their bands in the table above. */
static const struct {
    const char *name;
    uint8_t     first, count;
} taco__members_sensors[] = {
    {"landsat1mss", 0, 4},
    {"landsat2mss", 4, 4},
    {"landsat3mss", 8, 4},
    {"landsat4mss", 12, 4},
    {"landsat5mss", 16, 4},
    {"landsat4tm", 20, 7},
    {"landsat5tm", 27, 7},
    {"landsat7etm", 34, 8},
    {"landsat8oli", 42, 11},
    {"landsat9oli", 53, 11},
    {"sentinel2msi", 64, 13},
    {"eo1ali", 77, 10},
    {"aster", 87, 15},
    {"modis", 102, 36},
};

/* clang-format on */

/* True when a list "[B02,B03]" names a band; NULL lists all. */
static bool taco__members_is_listed(const char *list, const char *name)
{
    size_t n = strlen(name);
    if (!list) { return true; }
    while (*list) {
        list += strspn(list, "[, ");
        if (strncmp(list, name, n) == 0 && strchr(", ]", list[n]) != NULL) { return true; }
        list += strcspn(list, ", ");
    }
    return false;
}

/* Writes a number; 0 means unknown, null. */
static void taco__members_write_number(taco__json_writer *w, const char *key, double x)
{
    if (x < 0 || x > 0) {
        taco__json_write_double(w, key, x);
    } else {
        taco__json_write_text(w, key, NULL);
    }
}

/* Writes one band; `index` is its number in the sensor. */
static void taco__members_write_band(taco__json_writer *w, size_t index, const taco_band *band)
{
    taco__json_write_begin(w, NULL, '{');
    taco__json_write_text(w, "name", band->name);
    taco__json_write_u64(w, "index", index);
    taco__json_write_text(w, "common_name", band->common_name);
    taco__json_write_text(w, "description", band->description);
    taco__json_write_text(w, "unit", band->unit);
    taco__members_write_number(w, "center_wavelength", band->center_wavelength);
    taco__members_write_number(w, "full_width_half_max", band->full_width_half_max);
    taco__json_write_end(w, '}');
}

/* Writes the bands of a known sensor and returns their number. Listed bands keep their index in the
   whole sensor. */
static size_t taco__members_write_sensor(taco__json_writer *w, size_t sensor, const char *list)
{
    size_t i, n = 0;
    char text[96];
    for (i = 0; i < taco__members_sensors[sensor].count; i++) {
        const taco__members_band *known =
            &taco__members_bands[taco__members_sensors[sensor].first + i];
        const char *what = known->what ? known->what : known->common;
        size_t len = strlen(what);
        taco_band band;
        if (!taco__members_is_listed(list, known->name)) { continue; }
        memset(&band, 0, sizeof band);
        memcpy(text, what, len);
        memcpy(text + len, ", ", 2);
        len += 2 + taco__num_format_u64(text + len + 2, known->metres);
        memcpy(text + len, " m", 3);
        band.name = known->name;
        band.common_name = known->common;
        band.description = text;
        band.center_wavelength = known->centre;
        band.full_width_half_max = known->width;
        taco__members_write_band(w, i, &band);
        n++;
    }
    return n;
}

/* ARGUMENT if a list names a band that the sensor does not have. */
static bool taco__members_check_list(size_t sensor, const char *list, taco_error *err)
{
    while (list && *list) {
        size_t n, i;
        taco_bytes name;
        list += strspn(list, "[, ]");
        n = strcspn(list, ", ]");
        name = taco__bytes_of(list, n);
        for (i = 0; n && i < taco__members_sensors[sensor].count; i++) {
            const char *known = taco__members_bands[taco__members_sensors[sensor].first + i].name;
            if (taco__bytes_equal(taco__bytes_text(known), name)) { break; }
        }
        if (n && i == taco__members_sensors[sensor].count) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s has no band %q",
                       taco__members_sensors[sensor].name, &name);
            return false;
        }
        list += n;
    }
    return true;
}

/* The sensor whose name differs in at most a third of its letters; NULL if there is none. */
static const char *taco__members_nearest_sensor(taco_bytes name)
{
    const char *near = NULL;
    size_t i, least = name.len / 3 + 1;
    for (i = 0; i < TACO__COUNT(taco__members_sensors); i++) {
        taco_bytes known = taco__bytes_text(taco__members_sensors[i].name);
        size_t d = taco__field_names_distance(name, known);
        if (d < least) {
            least = d;
            near = taco__members_sensors[i].name;
        }
    }
    return near;
}

/* sensor may end in a list of bands: "sentinel2msi[B02,B03]". If the caller gives bands, any name
   is accepted. */
TACO_API taco_status taco_optical_json(const char *sensor, const taco_band *bands, size_t n,
                                       char *out, size_t room, taco_error *err)
{
    taco__mem mem;
    taco__buf b;
    taco__json_writer w;
    taco_bytes name = taco__bytes_text(sensor ? sensor : "");
    const char *list = sensor && !bands ? strchr(sensor, '[') : NULL;
    size_t i, at;
    err = taco__error_fresh(err, NULL);
    name.len = list ? (size_t)(list - sensor) : name.len;
    for (i = 0; !bands && i < TACO__COUNT(taco__members_sensors) &&
                !taco__bytes_equal(taco__bytes_text(taco__members_sensors[i].name), name);
         i++) {}
    if (name.len == 0 || (!bands && i == TACO__COUNT(taco__members_sensors))) {
        const char *near = taco__members_nearest_sensor(name);
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "the bands of the sensor %q are not known%s%s: they must be given", &name,
                          near ? ", the nearest is " : "", near ? near : "");
    }
    if (!bands && !taco__members_check_list(i, list, err)) { return TACO_ERR_ARGUMENT; }
    w = taco__members_writer(&b, &mem, err);
    taco__json_write_bytes_value(&w, "optical:sensor", name);
    taco__json_write_begin(&w, "optical:bands", '[');
    if (!bands) { n = taco__members_write_sensor(&w, i, list); }
    for (at = 0; bands && at < n; at++) {
        taco__members_write_band(&w, at, &bands[at]);
    }
    taco__json_write_end(&w, ']');
    taco__json_write_u64(&w, "optical:num_bands", n);
    return taco__members_copy_out(&w, out, room, err);
}
