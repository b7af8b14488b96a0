/* check_metadata.c - {band}_metadata, checked against tier 2 of Rasteret's contract

   In: the field of such a column, or a non-null row of it; out: problems in taco__findings. Fields
   and types must be those that enrich.c writes: another kind of type is an error, another integer
   width a warning. Files of older versions may lack the last five fields, and call the size of the
   image width and height. Readers of tiles compute windows and byte ranges from the values. Spec:
   Rasteret's schema contract, tier 2; numbers of the TIFF tags. */
#include "rasteret.h"
#include "../base/base.h"
#include "../validate/validate.h"

#define TACO__RASTERET_METADATA_REQUIRED 12 /* fields that all versions have */

static const char taco__rasteret_metadata_clause[] = "Rasteret contract, tier 2";

/* ---- types ---- */

/* A field of the struct, by its name or an older one. */
static const taco_field *taco__rasteret_metadata_find(const taco_field *f, const char *name,
                                                      size_t *at)
{
    const taco_field *found = taco__rasteret_check_child(f, name, at);
    if (!found && strcmp(name, "image_width") == 0) {
        found = taco__rasteret_check_child(f, "width", at);
    }
    if (!found && strcmp(name, "image_height") == 0) {
        found = taco__rasteret_check_child(f, "height", at);
    }
    return found;
}

/* Whether two types are of the same kind (integers, floating point, ...). An integer may replace a
   floating point number. */
static bool taco__rasteret_metadata_is_kin(const taco_field *have, const taco_field *want)
{
    bool integer = taco__rasteret_check_is_integer(have);
    if (have->type == TACO_NULL || have->type == want->type) { return true; }
    return taco__rasteret_check_is_integer(want)
               ? integer
               : want->type == TACO_DOUBLE && (integer || have->type == TACO_FLOAT);
}

/* Compares a field with the contract's, including elements of lists. */
static void taco__rasteret_metadata_check_type(taco__findings *f, taco_bytes column,
                                               const taco_field *have, const taco_field *want)
{
    const taco_field *in = have, *should = want;
    if (have->type == TACO_LIST && want->type == TACO_LIST) {
        in = &have->children[0];
        should = &want->children[0];
    }
    if (!taco__rasteret_metadata_is_kin(in, should)) {
        TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause,
                              "%q: field %s is of another type than the contract has", &column,
                              want->name);
    } else if (in->type != should->type && in->type != TACO_NULL) {
        TACO__FINDINGS_CLAUSE(f, false, taco__rasteret_metadata_clause,
                              "%q: field %s is wider or narrower than in the contract", &column,
                              want->name);
    }
}

TACO__FN void taco__rasteret_metadata_check_field(taco__findings *f, const taco_field *field)
{
    taco_field want[TACO__ENRICH_FIELDS];
    taco_field f64 = taco__field_make("item", TACO_DOUBLE);
    taco_field i64 = taco__field_make("item", TACO_INT64);
    taco_field i32 = taco__field_make("item", TACO_INT32);
    taco_bytes name = taco__bytes_text(field->name);
    size_t k, at;
    if (field->type == TACO_NULL) { return; }
    if (field->type != TACO_STRUCT) {
        TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause, "column %q must be a struct",
                              &name);
        return;
    }
    taco__enrich_init_fields(want, &f64, &i64, &i32);
    for (k = 0; k < TACO__ENRICH_FIELDS; k++) {
        const taco_field *have = taco__rasteret_metadata_find(field, want[k].name, &at);
        if (have) {
            taco__rasteret_metadata_check_type(f, name, have, &want[k]);
        } else if (k < TACO__RASTERET_METADATA_REQUIRED) {
            TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause, "%q has no field %s",
                                  &name, want[k].name);
        }
    }
}

/* ---- values ---- */

/* A member of a row; NULL if it is null, or of a wrong type, which has been reported already. */
static const taco_array *taco__rasteret_metadata_member(const taco_array *a, const char *name,
                                                        taco_type type, size_t i)
{
    size_t at = 0;
    const taco_field *f = taco__rasteret_metadata_find(a->field, name, &at);
    bool fits = f && (type == TACO_INT32 ? taco__rasteret_check_is_integer(f) : f->type == type);
    return fits && taco_array_valid(&a->children[at], i) ? &a->children[at] : NULL;
}

/* An integer member of a row, or a default if there is none. */
static int64_t taco__rasteret_metadata_int(const taco_array *a, const char *name, size_t i,
                                           int64_t otherwise)
{
    const taco_array *m = taco__rasteret_metadata_member(a, name, TACO_INT32, i);
    return m ? taco_array_int(m, i) : otherwise;
}

/* The length of a list in a row; -1 if there is none. */
static int64_t taco__rasteret_metadata_length(const taco_array *a, const char *name, size_t i)
{
    const taco_array *m = taco__rasteret_metadata_member(a, name, TACO_LIST, i);
    return m ? (int64_t)m->offsets[i + 1] - m->offsets[i] : -1;
}

/* Whether a list contains a null or a negative number. */
static bool taco__rasteret_metadata_is_bad(const taco_array *a, const char *name, size_t i)
{
    const taco_array *m = taco__rasteret_metadata_member(a, name, TACO_LIST, i);
    int32_t k;
    for (k = m ? m->offsets[i] : 0; m && k < m->offsets[i + 1]; k++) {
        if (!taco_array_valid(&m->children[0], (size_t)k) ||
            taco_array_int(&m->children[0], (size_t)k) < 0) {
            return true;
        }
    }
    return false;
}

/* Whether dtype is the NumPy name of a type that TIFF has. */
static bool taco__rasteret_metadata_is_dtype(taco_bytes name)
{
    static const char *const known[] = {"uint8", "uint16", "uint32",  "uint64",  "int8",   "int16",
                                        "int32", "int64",  "float16", "float32", "float64"};
    size_t k;
    for (k = 0; k < TACO__COUNT(known); k++) {
        if (taco__bytes_equal(name, taco__bytes_text(known[k]))) { return true; }
    }
    return false;
}

/* The tile tables must have the same length, and all tiles of the image. */
static void taco__rasteret_metadata_check_tiles(taco__findings *f, const taco_array *a, size_t i,
                                                const int64_t size[4])
{
    taco_bytes name = taco__bytes_text(a->field->name);
    int64_t offsets = taco__rasteret_metadata_length(a, "tile_offsets", i);
    int64_t counts = taco__rasteret_metadata_length(a, "tile_byte_counts", i);
    int64_t across = (size[0] + size[2] - 1) / size[2], down = (size[1] + size[3] - 1) / size[3];
    if (offsets != counts) {
        TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause,
                              "%q has %d tile_offsets and %d tile_byte_counts", &name,
                              TACO__D(offsets), TACO__D(counts));
    } else if (offsets < across * down) {
        TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause,
                              "%q has %d tile_offsets, the image has %d tiles", &name,
                              TACO__D(offsets), TACO__D(across * down));
    } else if (taco__rasteret_metadata_is_bad(a, "tile_offsets", i) ||
               taco__rasteret_metadata_is_bad(a, "tile_byte_counts", i)) {
        TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause,
                              "%q has a tile without a place or size", &name);
    }
}

/* Checks the other texts and numbers. */
static void taco__rasteret_metadata_check_tags(taco__findings *f, const taco_array *a, size_t i)
{
    taco_bytes name = taco__bytes_text(a->field->name);
    const taco_array *dtype = taco__rasteret_metadata_member(a, "dtype", TACO_TEXT, i);
    taco_bytes text = dtype ? taco_array_bytes(dtype, i) : taco__bytes_of(NULL, 0);
    int64_t transform = taco__rasteret_metadata_length(a, "transform", i);
    int64_t planar = taco__rasteret_metadata_int(a, "planar_configuration", i, 1);
    int64_t predictor = taco__rasteret_metadata_int(a, "predictor", i, 1);
    if (!taco__rasteret_metadata_is_dtype(text)) {
        TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause,
                              "%q: dtype is %q, must be a NumPy name such as uint16", &name, &text);
    }
    if (transform != 4 && transform != 6) {
        TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause,
                              "%q: transform has %d numbers, must be 4", &name,
                              TACO__D(TACO__MAX(transform, 0)));
    }
    if (planar < 1 || planar > 2 || predictor < 1 || predictor > 3 ||
        taco__rasteret_metadata_int(a, "samples_per_pixel", i, 1) < 1) {
        TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause,
                              "%q: planar_configuration is %d, predictor %d, samples_per_pixel %d: "
                              "no TIFF has that",
                              &name, TACO__D(planar), TACO__D(predictor),
                              TACO__D(taco__rasteret_metadata_int(a, "samples_per_pixel", i, 1)));
    }
}

/* Whether a list of n or more numbers has a scale that is null, 0 or not finite. Scales are
   the first and third of a transform, the first two of a pixel_scale. */
static bool taco__rasteret_metadata_is_flat(const taco_array *a, const char *name, size_t step,
                                            size_t n, size_t i)
{
    const taco_array *m = taco__rasteret_metadata_member(a, name, TACO_LIST, i);
    bool numbers = m && m->children[0].field->type == TACO_DOUBLE;
    size_t k, len = numbers ? (size_t)(m->offsets[i + 1] - m->offsets[i]) : 0;
    for (k = 0; len >= n && k < 2; k++) {
        size_t at = (size_t)m->offsets[i] + k * step;
        double x =
            taco_array_valid(&m->children[0], at) ? taco_array_double(&m->children[0], at) : 0;
        if (x == 0 || !taco__f64_is_finite(x)) { return true; }
    }
    return false;
}

/* Checks what pixels are decoded and placed by: a compression that TIFF can name (a SHORT; 0 is
   none), and the size of a pixel. */
static void taco__rasteret_metadata_check_pixels(taco__findings *f, const taco_array *a, size_t i)
{
    taco_bytes name = taco__bytes_text(a->field->name);
    int64_t compression = taco__rasteret_metadata_int(a, "compression", i, 1);
    if (compression < 1 || compression > UINT16_MAX) {
        TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause,
                              "%q: compression is %d, no TIFF has that", &name,
                              TACO__D(compression));
    }
    if (taco__rasteret_metadata_length(a, "transform", i) == 4 &&
        taco__rasteret_metadata_is_flat(a, "transform", 2, 4, i)) {
        TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause,
                              "%q: a scale in transform is 0, or no finite number", &name);
    }
    if (taco__rasteret_metadata_is_flat(a, "pixel_scale", 1, 2, i)) {
        TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause,
                              "%q: pixel_scale is 0, or no finite number", &name);
    }
}

TACO__FN void taco__rasteret_metadata_check_row(taco__findings *f, const taco_array *a, size_t i)
{
    static const char *const names[4] = {"image_width", "image_height", "tile_width",
                                         "tile_height"};
    taco_bytes name = taco__bytes_text(a->field->name);
    int64_t size[4];
    size_t k;
    for (k = 0; k < 4; k++) {
        size[k] = taco__rasteret_metadata_int(a, names[k], i, 0);
        if (size[k] <= 0 || size[k] > INT32_MAX) {
            TACO__FINDINGS_CLAUSE(f, true, taco__rasteret_metadata_clause,
                                  "%q: %s is %d, must be above 0", &name, names[k],
                                  TACO__D(size[k]));
            return;
        }
    }
    taco__rasteret_metadata_check_tiles(f, a, i, size);
    taco__rasteret_metadata_check_tags(f, a, i);
    taco__rasteret_metadata_check_pixels(f, a, i);
}
