/* taco_validate of the older formats: every rule of Tortilla 0.5.0 and TACO 0.2.0 broken once; the
   problem found, its level and its clause; writers refuse the same. Files of the real writers stay
   valid. Files here are written with the parts of taco_tortilla_create that check nothing. */
#include "../src/legacy/tortilla_create.c"
#include "../src/arrow/arrow.h"
#include "../src/base/base.h"
#include "../src/dataset/dataset.h"
#include "../src/write/write.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"
#include "../taco.h"
#include "../extra/taco_tiff.h"
#include "../extra/taco_write.h"
#include "../extra/taco_legacy.h"

#include "test.h"
#include "tiff.h"

#include <math.h>
#include <time.h>

#define PATH "build/tmp_rules.tortilla"
#define ROWS 3

/* ---- a table of three rows ---- */

/* A column as literals: texts, NULL for a null; or numbers, NAN for a null; or lists of numbers. */
typedef struct column {
    const char *name;
    taco_type type;
    const char *text[ROWS];
    double number[ROWS];
    double list[ROWS][6];
    int lengths[ROWS];
    bool of_integers;
} column;

typedef struct table {
    taco_field fields[32], items[32];
    taco_array columns[32], elements[32];
    char bytes[32][256];
    int32_t ends[32][ROWS + 1];
    double f64[32][ROWS * 6];
    int64_t i64[32][ROWS * 6];
    uint8_t valid[32];
    taco_batch batch;
} table;

static table made;

static void add(const column *c)
{
    size_t k = made.batch.column_count++, i, at = 0;
    int m;
    taco_array *a = &made.columns[k];
    made.fields[k] = taco__field_make(c->name, c->type);
    if (c->type == TACO_LIST) {
        made.items[k] = taco__field_make("item", c->of_integers ? TACO_INT64 : TACO_DOUBLE);
        made.fields[k] = taco__field_make_nested(c->name, TACO_LIST, &made.items[k], 1);
    }
    memset(a, 0, sizeof *a);
    a->field = &made.fields[k];
    a->length = ROWS;
    made.valid[k] = 0;
    for (i = 0; i < ROWS; i++) {
        bool null = c->type == TACO_TEXT ? !c->text[i] : c->number[i] != c->number[i];
        if (c->type == TACO_TEXT && !null) {
            memcpy(made.bytes[k] + at, c->text[i], strlen(c->text[i]));
            at += strlen(c->text[i]);
        }
        for (m = 0; c->type == TACO_LIST && m < c->lengths[i]; m++, at++) {
            made.f64[k][at] = c->list[i][m];
            made.i64[k][at] = (int64_t)c->list[i][m];
        }
        if (c->type != TACO_LIST && c->type != TACO_TEXT) {
            made.f64[k][i] = c->number[i];
            made.i64[k][i] = null ? 0 : (int64_t)c->number[i];
        }
        made.ends[k][i + 1] = (int32_t)at;
        if (!null) { made.valid[k] |= (uint8_t)(1u << i); }
        a->null_count += null;
    }
    a->validity = a->null_count ? &made.valid[k] : NULL;
    a->offsets = c->type == TACO_TEXT || c->type == TACO_LIST ? made.ends[k] : NULL;
    a->v.any = c->type == TACO_TEXT     ? (const void *)made.bytes[k]
               : c->type == TACO_DOUBLE ? (const void *)made.f64[k]
                                        : (const void *)made.i64[k];
    if (c->type == TACO_LIST) {
        taco_array *e = &made.elements[k];
        memset(e, 0, sizeof *e);
        e->field = &made.items[k];
        e->length = at;
        e->v.any = c->of_integers ? (const void *)made.i64[k] : (const void *)made.f64[k];
        a->children = e;
    }
}

/* Columns that keep every rule. */
static const column good[] = {
    {"tortilla:id", TACO_TEXT, {"a", "b", "c"}, {0}, {{0}}, {0}, false},
    {"tortilla:file_format", TACO_TEXT, {"GTiff", "BYTES", "netCDF"}, {0}, {{0}}, {0}, false},
    {"tortilla:data_split", TACO_TEXT, {"train", NULL, "test"}, {0}, {{0}}, {0}, false},
    {"stac:crs", TACO_TEXT, {"EPSG:32630", "EPSG:4326", NULL}, {0}, {{0}}, {0}, false},
    {"stac:geotransform",
     TACO_LIST,
     {0},
     {0},
     {{0, 10, 0, 0, 0, -10}, {0, 1, 0, 0, 0, -1}, {0, 1, 0, 0, 0, 1}},
     {6, 6, 6},
     false},
    {"stac:raster_shape", TACO_LIST, {0}, {0}, {{64, 64}, {1, 2}, {3, 4}}, {2, 2, 2}, true},
    {"stac:time_start", TACO_INT64, {0}, {10, 20, 30}, {{0}}, {0}, false},
    {"stac:time_end", TACO_INT64, {0}, {10, 21, 31}, {{0}}, {0}, false},
    {"stac:centroid",
     TACO_TEXT,
     {"POINT (1.5 2)", "POINT (-180 90)", NULL},
     {0},
     {{0}},
     {0},
     false},
    {"rai:ele", TACO_DOUBLE, {0}, {-5, 0, 8000}, {{0}}, {0}, false},
    {"rai:cisi", TACO_DOUBLE, {0}, {0, 0.5, 1}, {{0}}, {0}, false},
    {"rai:gdp", TACO_DOUBLE, {0}, {1, 2, 3}, {{0}}, {0}, false},
    {"rai:hdi", TACO_DOUBLE, {0}, {0, 0.5, 1}, {{0}}, {0}, false},
    {"rai:gmi", TACO_DOUBLE, {0}, {0, 0.5, 1}, {{0}}, {0}, false},
    {"rai:pop", TACO_DOUBLE, {0}, {0, 5, 1}, {{0}}, {0}, false},
    {"rai:admin0", TACO_TEXT, {"x", "y", "z"}, {0}, {{0}}, {0}, false},
    {"rai:admin1", TACO_TEXT, {"x", "y", "z"}, {0}, {{0}}, {0}, false},
    {"rai:admin2", TACO_TEXT, {"x", "y", "missing"}, {0}, {{0}}, {0}, false}};

/* The good columns, one of them replaced, or left out where the other one has no type. */
static void make(const column *other)
{
    size_t i;
    memset(&made, 0, sizeof made);
    for (i = 0; i < sizeof good / sizeof good[0]; i++) {
        if (!other || strcmp(other->name, good[i].name) != 0) {
            add(&good[i]);
        } else if (other->type != TACO_NULL) {
            add(other);
        }
    }
    made.batch.columns = made.columns;
    made.batch.length = ROWS;
}

static bool payload(void *ctx, size_t row, taco_source *out)
{
    (void)ctx;
    taco_source_memory(out, "0123456789", row % ROWS + 2);
    return true;
}

/* Writes the table without a check; json NULL: no collection. */
static void write_file(const char *path, const char *json)
{
    taco_error e;
    taco_tortilla_options o;
    taco__tortilla_writer w;
    taco__tortilla_node node;
    taco__tortilla_caller caller;
    bool ok;
    memset(&e, 0, sizeof e);
    memset(&o, 0, sizeof o);
    taco__tortilla_write_init(&w, NULL, &e);
    caller.payload = payload;
    caller.ctx = NULL;
    w.closes = true;
    w.payload = taco__tortilla_create_payload;
    w.ctx = &caller;
    ok = taco__tortilla_create_node(&w, &made.batch, &node) &&
         taco__tortilla_create_write(&w, path, &node, &o, taco__bytes_text(json));
    CHECK(taco__tortilla_write_finish(&w, ok, path) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
}

/* ---- what is found ---- */

static const taco_opener *openers[2];
static taco_options options;
static char found[8192];

/* "error: where: message [clause]" and a line end for each. */
static bool note(void *ctx, const taco_problem *p)
{
    size_t n = strlen(found);
    (void)ctx;
    snprintf(found + n, sizeof found - n, "%s: %s: %s [%s]\n", p->error ? "error" : "warning",
             p->where, p->message, p->clause ? p->clause : "");
    return true;
}

static taco_status validate(const char *path)
{
    taco_validate_options how;
    memset(&how, 0, sizeof how);
    how.found = note;
    found[0] = 0;
    return taco_validate(path, &options, &how, NULL, NULL);
}

/* Validates a file with one thing wrong: there is that one line and no other. The writer refuses an
   error with the same words, and passes a warning on. */
static void finds(const column *bad, const char *line)
{
    taco_error e;
    taco_status written;
    bool error = strncmp(line, "error", 5) == 0;
    const char *words = strstr(line, ": ") + 2;
    make(bad);
    write_file(PATH, NULL);
    CHECK(validate(PATH) == (error ? TACO_ERR_CORRUPT : TACO_OK));
    CHECK_TEXT(found, line);
    memset(&e, 0, sizeof e);
    written =
        taco_tortilla_create("build/tmp_rules2.tortilla", &made.batch, payload, NULL, NULL, &e);
    CHECK(written == (error ? TACO_ERR_ARGUMENT : TACO_OK));
    if (error) {
        const char *at = strstr(words, "level 0: ");
        const char *told = strstr(e.text, ".tortilla: ");
        size_t n = strcspn(at + 9, "[");
        CHECK(told && strncmp(told + 11, at + 9, n - 1) == 0);
    }
}

/* So many copies of the rows break a rule more often than it is told. */
#define OFTEN 110

/* The table OFTEN times, with ids of their own unless they are empty; in the arena. */
static void make_often(taco__arena *arena)
{
    static taco_array often[32];
    taco__concat_slice *p = (taco__concat_slice *)taco__arena_array(arena, OFTEN, sizeof *p, NULL);
    taco__array_builder ids;
    size_t i, k;
    for (k = 0; p && k < made.batch.column_count; k++) {
        for (i = 0; i < OFTEN; i++) {
            p[i].a = &made.columns[k];
            p[i].first = 0;
            p[i].n = ROWS;
        }
        CHECK(taco__concat_arrays(arena, &made.fields[k], p, OFTEN, &often[k], NULL));
    }
    CHECK(taco__array_builder_init(&ids, &made.fields[0], arena->mem, arena, NULL));
    for (i = 0; i < OFTEN * ROWS; i++) {
        taco_bytes id = taco_array_bytes(&often[0], i);
        char text[32];
        int n = id.len ? snprintf(text, sizeof text, "%.*s%u", (int)id.len, (const char *)id.data,
                                  (unsigned)(i / ROWS))
                       : 0;
        CHECK(taco__array_builder_append_bytes(&ids, taco__bytes_of(text, (size_t)n), NULL));
    }
    if (p) {
        taco_array view;
        p[0].a = taco__array_builder_view(&ids, &view);
        p[0].n = OFTEN * ROWS;
        CHECK(taco__concat_arrays(arena, &made.fields[0], p, 1, &often[0], NULL));
    }
    taco__array_builder_free(&ids);
    made.batch.columns = often;
    made.batch.length = OFTEN * ROWS;
}

static size_t heard;

static bool count_line(void *ctx, const taco_problem *p)
{
    (void)ctx;
    heard += p->message[0] != 0;
    return true;
}

/* A rule about rows that OFTEN of them break is told a hundred times, and counted each time. lines:
   what is told of three rows. */
static void finds_often(const column *bad, const char *lines)
{
    taco_validate_options how;
    taco_validated sum;
    taco__mem mem;
    taco__arena arena;
    size_t of_rows = 0, others = 0;
    const char *at;
    for (at = lines; *at; at = strchr(at, '\n') + 1) {
        *(strstr(at, ": level 0: row") == strchr(at, ':') ? &of_rows : &others) += 1;
    }
    memset(&how, 0, sizeof how);
    memset(&arena, 0, sizeof arena);
    taco__mem_init(&mem, NULL);
    arena.mem = &mem;
    make(bad);
    make_often(&arena);
    write_file(PATH, NULL);
    how.found = count_line;
    heard = 0;
    taco_validate(PATH, &options, &how, &sum, NULL);
    CHECK(sum.errors + sum.warnings == others + OFTEN * of_rows);
    CHECK(heard == others + of_rows * 101); /* the last says how many more there are */
    taco__arena_free(&arena);
}

static void rows(void)
{
    static const struct {
        column bad;
        const char *line;
    } all[] = {
        {{"tortilla:id", TACO_TEXT, {"a", "b", "a"}, {0}, {{0}}, {0}, false},
         "error: level 0: rows 0 and 2: both have the tortilla:id 'a', ids must be unique "
         "[Tortilla 0.5.0, tortilla:id]\n"},
        {{"tortilla:id", TACO_TEXT, {"a", "", "c"}, {0}, {{0}}, {0}, false},
         "error: level 0: row 1: no tortilla:id [Tortilla 0.5.0, tortilla:id]\n"},
        {{"tortilla:file_format", TACO_TEXT, {"GTiff", "GTIFF", "COG"}, {0}, {{0}}, {0}, false},
         "error: level 0: row 1: tortilla:file_format is 'GTIFF', which is not a GDAL driver, nor "
         "BYTES or TORTILLA [Tortilla 0.5.0, tortilla:file_format]\n"},
        {{"tortilla:file_format", TACO_TEXT, {"GTiff", "COG", NULL}, {0}, {{0}}, {0}, false},
         "error: level 0: row 2: no tortilla:file_format: must be a GDAL driver, BYTES or TORTILLA "
         "[Tortilla 0.5.0, tortilla:file_format]\n"},
        {{"tortilla:data_split", TACO_TEXT, {"val", NULL, "test"}, {0}, {{0}}, {0}, false},
         "error: level 0: row 0: tortilla:data_split is 'val', allowed are train, validation, test "
         "[Tortilla 0.5.0, tortilla:data_split]\n"},
        {{"tortilla:data_split", TACO_INT64, {0}, {1, 2, 3}, {{0}}, {0}, false},
         "error: level 0: columns: column tortilla:data_split must hold text [Tortilla 0.5.0, "
         "tortilla:data_split]\n"},
        {{"stac:crs", TACO_TEXT, {"EPSG:", "ESRI:102022", "SR-ORG:7483"}, {0}, {{0}}, {0}, false},
         "warning: level 0: row 0: stac:crs is 'EPSG:', must be a code of EPSG, ESRI or SR-ORG "
         "such as EPSG:4326 [Tortilla 0.5.0, stac:crs]\n"},
        {{"stac:geotransform",
          TACO_LIST,
          {0},
          {0},
          {{0, 10, 0, 0, 0, -10}, {0, 1}, {0, 1, 0, 0, 0, 1}},
          {6, 2, 6},
          false},
         "error: level 0: row 1: stac:geotransform has 2 numbers, must be the 6 of GDAL's "
         "geotransform [Tortilla 0.5.0, stac:geotransform]\n"},
        {{"stac:geotransform", TACO_TEXT, {"x", "y", "z"}, {0}, {{0}}, {0}, false},
         "error: level 0: columns: column stac:geotransform must hold lists of numbers [Tortilla "
         "0.5.0, stac:geotransform]\nwarning: level 0: columns: no stac-tortilla, columns are "
         "missing: stac:geotransform [Tortilla 0.5.0, stac-tortilla]\n"},
        {{"stac:raster_shape", TACO_LIST, {0}, {0}, {{64, 64}, {1, 2, 3}, {3, 4}}, {2, 3, 2}, true},
         "error: level 0: row 1: stac:raster_shape has 3 numbers, must be rows and columns "
         "[Tortilla 0.5.0, stac:raster_shape]\n"},
        {{"stac:raster_shape", TACO_LIST, {0}, {0}, {{64, 64}, {1, 2}, {3, 0}}, {2, 2, 2}, true},
         "error: level 0: row 2: stac:raster_shape has a number that is not above 0 [Tortilla "
         "0.5.0, stac:raster_shape]\n"},
        {{"stac:time_end", TACO_INT64, {0}, {10, 19, 31}, {{0}}, {0}, false},
         "error: level 0: row 1: stac:time_end lies before stac:time_start [Tortilla 0.5.0, "
         "stac:time_end]\n"},
        {{"stac:time_start", TACO_DOUBLE, {0}, {10, 19.5, 31}, {{0}}, {0}, false},
         "warning: level 0: columns: column stac:time_start holds fractions, seconds are integers "
         "[Tortilla 0.5.0, stac:time_start]\n"},
        {{"stac:time_start", TACO_NULL, {0}, {0}, {{0}}, {0}, false},
         "warning: level 0: columns: no stac-tortilla, columns are missing: stac:time_start "
         "[Tortilla 0.5.0, stac-tortilla]\n"},
        {{"stac:centroid", TACO_TEXT, {"POINT (1 91)", NULL, NULL}, {0}, {{0}}, {0}, false},
         "error: level 0: row 0: stac:centroid is 'POINT (1 91)', must be degrees: longitude "
         "within 180, latitude within 90 [Tortilla 0.5.0, stac:centroid]\n"},
        {{"stac:centroid", TACO_TEXT, {NULL, "1, 2", NULL}, {0}, {{0}}, {0}, false},
         "error: level 0: row 1: stac:centroid is '1, 2', must be POINT (longitude latitude) "
         "[Tortilla 0.5.0, stac:centroid]\n"},
        {{"rai:cisi", TACO_DOUBLE, {0}, {0, 1.5, 1}, {{0}}, {0}, false},
         "error: level 0: row 1: rai:cisi is 1.5, must lie from 0 to 1 [Tortilla 0.5.0, "
         "rai:cisi]\n"},
        {{"rai:hdi", TACO_DOUBLE, {0}, {-0.5, 1, 1}, {{0}}, {0}, false},
         "error: level 0: row 0: rai:hdi is -0.5, must lie from 0 to 1 [Tortilla 0.5.0, "
         "rai:hdi]\n"},
        {{"rai:gmi", TACO_DOUBLE, {0}, {2, 1, 1}, {{0}}, {0}, false},
         "warning: level 0: row 0: rai:gmi is 2.0, must lie from 0 to 1 [Tortilla 0.5.0, "
         "rai:gmi]\n"},
        {{"rai:admin1", TACO_NULL, {0}, {0}, {{0}}, {0}, false},
         "warning: level 0: columns: no rai-tortilla, columns are missing: rai:admin1 [Tortilla "
         "0.5.0, rai-tortilla]\n"},
        {{"rai:admin0", TACO_INT64, {0}, {1, 2, 3}, {{0}}, {0}, false},
         "error: level 0: columns: column rai:admin0 must hold text [Tortilla 0.5.0, "
         "rai:admin0]\nwarning: level 0: columns: no rai-tortilla, columns are missing: rai:admin0 "
         "[Tortilla 0.5.0, rai-tortilla]\n"},
        {{"rai:pop", TACO_TEXT, {"1", "2", "3"}, {0}, {{0}}, {0}, false},
         "error: level 0: columns: column rai:pop must hold numbers [Tortilla 0.5.0, "
         "rai:pop]\nwarning: level 0: columns: no rai-tortilla, columns are missing: rai:pop "
         "[Tortilla 0.5.0, rai-tortilla]\n"},
        {{"tortilla:file_format", TACO_INT64, {0}, {1, 2, 3}, {{0}}, {0}, false},
         "error: level 0: columns: column tortilla:file_format must hold text [Tortilla 0.5.0, "
         "tortilla:file_format]\n"},
        {{"stac:geotransform",
          TACO_LIST,
          {0},
          {0},
          {{0, 10, 0, 0, 0, -10}, {0, 1, 0, INFINITY, 0, 1}, {0, 1, 0, 0, 0, 1}},
          {6, 6, 6},
          false},
         "error: level 0: row 1: stac:geotransform has 6 numbers, some of them not finite, must be "
         "the 6 of GDAL's geotransform [Tortilla 0.5.0, stac:geotransform]\n"},
        {{"stac:raster_shape", TACO_LIST, {0}, {0}, {{1, 2}, {1, 2}, {1, 2}}, {2, 2, 2}, false},
         "error: level 0: columns: column stac:raster_shape must hold lists of integers [Tortilla "
         "0.5.0, stac:raster_shape]\nwarning: level 0: columns: no stac-tortilla, columns are "
         "missing: stac:raster_shape [Tortilla 0.5.0, stac-tortilla]\n"},
        {{"stac:time_start", TACO_TEXT, {"1", "2", "3"}, {0}, {{0}}, {0}, false},
         "error: level 0: columns: column stac:time_start must hold seconds, which are integers "
         "[Tortilla 0.5.0, stac:time_start]\nwarning: level 0: columns: no stac-tortilla, columns "
         "are missing: stac:time_start [Tortilla 0.5.0, stac-tortilla]\n"},
        {{"stac:centroid", TACO_TEXT, {NULL, NULL, "POINT (-180.5 2)"}, {0}, {{0}}, {0}, false},
         "error: level 0: row 2: stac:centroid is 'POINT (-180.5 2)', must be degrees: longitude "
         "within 180, latitude within 90 [Tortilla 0.5.0, stac:centroid]\n"},
        {{"stac:centroid", TACO_TEXT, {NULL, NULL, "POINT (180.5 2)"}, {0}, {{0}}, {0}, false},
         "error: level 0: row 2: stac:centroid is 'POINT (180.5 2)', must be degrees: longitude "
         "within 180, latitude within 90 [Tortilla 0.5.0, stac:centroid]\n"},
        {{"stac:centroid", TACO_TEXT, {"POINT (2 -90.5)", NULL, NULL}, {0}, {{0}}, {0}, false},
         "error: level 0: row 0: stac:centroid is 'POINT (2 -90.5)', must be degrees: longitude "
         "within 180, latitude within 90 [Tortilla 0.5.0, stac:centroid]\n"}};

    /* of other types that the documents allow, and nulls where a rule compares two columns */
    static const column fine[] = {
        {"stac:geotransform",
         TACO_LIST,
         {0},
         {0},
         {{0, 10, 0, 0, 0, -10}, {0, 1, 0, 0, 0, -1}, {0, 1, 0, 0, 0, 1}},
         {6, 6, 6},
         true},
        {"rai:pop", TACO_INT64, {0}, {0, 5, 1}, {{0}}, {0}, false},
        {"rai:hdi", TACO_INT64, {0}, {0, 1, 1}, {{0}}, {0}, false},
        {"stac:time_start", TACO_INT64, {0}, {10, NAN, 31}, {{0}}, {0}, false},
        {"stac:time_end", TACO_INT64, {0}, {NAN, 20, 30}, {{0}}, {0}, false}};

    size_t i;
    make(NULL);
    write_file(PATH, NULL);
    CHECK(validate(PATH) == TACO_OK);
    CHECK_TEXT(found, "");
    for (i = 0; i < sizeof all / sizeof all[0]; i++) {
        finds(&all[i].bad, all[i].line);
        finds_often(&all[i].bad, all[i].line);
    }
    for (i = 0; i < sizeof fine / sizeof fine[0]; i++) {
        make(&fine[i]);
        write_file(PATH, NULL);
        CHECK(validate(PATH) == TACO_OK);
        CHECK_TEXT(found, "");
    }
}

/* What a reader needs is refused by the writer, which names it. */
static void ids_needed(void)
{
    static const column bad[] = {{"tortilla:id", TACO_NULL, {0}, {0}, {{0}}, {0}, false},
                                 {"tortilla:id", TACO_INT64, {0}, {1, 2, 3}, {{0}}, {0}, false}};
    static const char *const words[] = {"columns: there is no column tortilla:id",
                                        "columns: column tortilla:id must hold text"};
    size_t i;
    for (i = 0; i < 2; i++) {
        taco_error e;
        memset(&e, 0, sizeof e);
        make(&bad[i]);
        CHECK(taco_tortilla_create(PATH, &made.batch, payload, NULL, NULL, &e) ==
              TACO_ERR_ARGUMENT);
        CHECK(strstr(e.text, words[i]) != NULL);
    }
}

/* A format that GDAL will have one day: only where the caller says so. */
static void any_format(void)
{
    static const column other = {
        "tortilla:file_format", TACO_TEXT, {"GTiff", "FutureTiff", "COG"}, {0}, {{0}}, {0}, false};
    taco_tortilla_options o;
    taco_error e;
    memset(&o, 0, sizeof o);
    memset(&e, 0, sizeof e);
    make(&other);
    CHECK(taco_tortilla_create(PATH, &made.batch, payload, NULL, &o, &e) == TACO_ERR_ARGUMENT);
    CHECK(strstr(e.text, "row 1: tortilla:file_format is 'FutureTiff'") != NULL);
    memset(&e, 0, sizeof e);
    o.any_format = true;
    CHECK(taco_tortilla_create(PATH, &made.batch, payload, NULL, &o, &e) == TACO_OK);
}

/* ---- collections ---- */

#define LICENSES  "\"licenses\":[\"MIT\"]"
#define PROVIDERS "\"providers\":[{\"name\":\"p\"}]"
#define CURATORS  "\"curators\":[{\"organization\":\"c\"}]"
#define SPATIAL   "\"spatial\":[[-1,-2,3,4]]"
#define TEMPORAL  "\"temporal\":[[\"2020-01-01T00:00:00Z\",\"2020-02-01T00:00:00Z\"]]"
#define TEXTS                                                                                      \
    "\"id\":\"x\",\"taco_version\":\"0.4.0\",\"dataset_version\":\"1\",\"description\":\"d\""
#define CLAUSE " [TACO 0.2.0, Semantic Description, core fields]\n"
#define EXTRA  " [TACO 0.2.0, Semantic Description, optional fields]\n"
#define OUTSIDE                                                                                    \
    "error: collection: extent.spatial: a box must be west, south, east, north in degrees, south " \
    "not above north" CLAUSE

static void collections(void)
{
    static const char *const all[][2] = {
        {"{" TEXTS "," LICENSES "," PROVIDERS "," CURATORS ",\"extent\":{" SPATIAL "," TEMPORAL
         "},\"title\":null,\"keywords\":[\"a\"],\"raw_link\":{\"href\":\"h\"}}",
         ""},
        {"{\"id\":\"x\",\"taco_version\":\"0.4.0\",\"description\":\"\"," LICENSES "," PROVIDERS
         "," CURATORS ",\"extent\":{" SPATIAL "," TEMPORAL "}}",
         "error: collection: dataset_version: must be a text that is not empty, found "
         "nothing" CLAUSE
         "error: collection: description: must be a text that is not empty, found an empty "
         "one" CLAUSE},
        {"{" TEXTS ",\"licenses\":[]," PROVIDERS "," CURATORS ",\"extent\":{" SPATIAL "," TEMPORAL
         "}}",
         "error: collection: licenses: must be a list of texts, at least one, found an empty "
         "one" CLAUSE},
        {"{" TEXTS ",\"licenses\":\"MIT\"," PROVIDERS "," CURATORS ",\"extent\":{" SPATIAL
         "," TEMPORAL "},\"keywords\":5}",
         "error: collection: licenses: must be a list of texts, at least one, found a string" CLAUSE
         "error: collection: keywords: must be a list of texts, found a number" EXTRA},
        {"{" TEXTS ",\"providers\":[]," CURATORS ",\"extent\":{\"spatial\":[]}}",
         "error: collection: licenses: must be a list of texts, at least one, found nothing" CLAUSE
         "error: collection: providers: must be a list of contacts, at least one, found an empty "
         "one" CLAUSE
         "error: collection: extent.spatial: must be a list that is not empty, found an empty "
         "one" CLAUSE "warning: collection: extent.temporal: is missing" CLAUSE},
        {"{" TEXTS "," LICENSES ",\"curators\":[],\"extent\":{" TEMPORAL "}}",
         "error: collection: providers: must be a list of contacts, at least one, found "
         "nothing" CLAUSE "warning: collection: data_curator: is missing, and so is curators" CLAUSE
         "error: collection: extent.spatial: must be a list that is not empty, found "
         "nothing" CLAUSE},
        {"{" TEXTS "," LICENSES "," PROVIDERS "," CURATORS
         ",\"extent\":{\"spatial\":[[1,2,3,4,5,6],[1,2,\"3\",4],[-181,0,0,0],[0,0,181,0],"
         "[0,-91,0,0],[0,0,0,91],[181,0,0,0],[0,0,-181,0]],\"temporal\":[null]}}",
         "error: collection: extent.spatial: a box must be 4 or 6 numbers, found 4" CLAUSE OUTSIDE
             OUTSIDE OUTSIDE OUTSIDE OUTSIDE OUTSIDE
         "warning: collection: extent.temporal: is missing" CLAUSE},
        {"{" TEXTS "," LICENSES "," PROVIDERS "," CURATORS ",\"extent\":{" SPATIAL
         ",\"temporal\":[[\"2020-01-01\"]]}}",
         "error: collection: extent.temporal: an interval must be two times in ISO 8601" CLAUSE},
        {"{" TEXTS "," LICENSES "," PROVIDERS "," CURATORS ",\"extent\":{" SPATIAL
         ",\"temporal\":[\"2020-01-01\",\"then\"]}}",
         "error: collection: extent.temporal: an interval must be two times in ISO 8601" CLAUSE},
        {"{" TEXTS "," LICENSES ",\"providers\":[{\"email\":\"e\"}]," CURATORS
         ",\"extent\":{" SPATIAL "," TEMPORAL "}}",
         "error: collection: providers: item 0 has neither a name nor an organization" CLAUSE},
        {"{" TEXTS "," LICENSES "," PROVIDERS ",\"data_curator\":\"me\",\"extent\":{" SPATIAL
         "," TEMPORAL "}}",
         "error: collection: data_curator: must be a list of contacts, at least one, found a "
         "string" CLAUSE},
        {"{" TEXTS "," LICENSES "," PROVIDERS ",\"curators\":null,\"extent\":{" SPATIAL "," TEMPORAL
         "}}",
         "warning: collection: data_curator: is missing, and so is curators" CLAUSE},
        {"{" TEXTS "," LICENSES "," PROVIDERS "," CURATORS "}",
         "error: collection: extent: must be an object of spatial and temporal, found "
         "nothing" CLAUSE},
        {"{" TEXTS "," LICENSES "," PROVIDERS "," CURATORS
         ",\"extent\":{\"spatial\":[[1,2]]," TEMPORAL "}}",
         "error: collection: extent.spatial: a box must be 4 or 6 numbers, found 2" CLAUSE},
        {"{" TEXTS "," LICENSES "," PROVIDERS "," CURATORS
         ",\"extent\":{\"spatial\":[-1,5,3,4]," TEMPORAL "}}",
         "error: collection: extent.spatial: a box must be west, south, east, north in degrees, "
         "south not above north" CLAUSE},
        {"{" TEXTS "," LICENSES "," PROVIDERS "," CURATORS ",\"extent\":{" SPATIAL
         ",\"temporal\":[[\"2020-02-01\",\"2020-01-01\"]]}}",
         "error: collection: extent.temporal: an interval ends before it starts" CLAUSE},
        {"{" TEXTS "," LICENSES "," PROVIDERS "," CURATORS ",\"extent\":{" SPATIAL
         ",\"temporal\":[[\"2020-01-01\",1577836799999]]}}",
         "error: collection: extent.temporal: an interval ends before it starts" CLAUSE},
        {"{" TEXTS "," LICENSES "," PROVIDERS "," CURATORS ",\"extent\":{" SPATIAL
         ",\"temporal\":[[\"2020-01-01\",1577836800000],[1577836800000,\"2020-01-01\"],"
         "[null,5],[\"1969-01-01\",null]]}}",
         ""},
        {"{" TEXTS "," LICENSES "," PROVIDERS "," CURATORS ",\"extent\":{" SPATIAL
         ",\"temporal\":[[\"soon\",\"later\"]]}}",
         "error: collection: extent.temporal: an interval must be two times in ISO 8601" CLAUSE},
        {"{" TEXTS "," LICENSES "," PROVIDERS "," CURATORS ",\"extent\":{" SPATIAL "," TEMPORAL
         "},\"title\":5,\"keywords\":[\"\"],\"raw_link\":{}}",
         "error: collection: title: must be a text or null, found a number" EXTRA
         "error: collection: keywords: item 0 must be a text that is not empty, found a "
         "string" EXTRA "error: collection: raw_link: must be an object with href, found an "
         "object" EXTRA}};
    size_t i;
    make(NULL);
    for (i = 0; i < sizeof all / sizeof all[0]; i++) {
        taco_error e;
        bool error = strstr(all[i][1], "error") != NULL;
        memset(&e, 0, sizeof e);
        write_file("build/tmp_rules.taco", all[i][0]);
        CHECK(validate("build/tmp_rules.taco") == (error ? TACO_ERR_CORRUPT : TACO_OK));
        CHECK_TEXT(found, all[i][1]);
        CHECK(taco_tortilla_to_taco("tests/data/legacy/minimal.tortilla", "build/tmp_rules2.taco",
                                    all[i][0], NULL, &e) == (error ? TACO_ERR_ARGUMENT : TACO_OK));
    }
}

/* A collection of many members of a list is checked in time in proportion to them. */
static void many_members(void)
{
    enum { MANY = 50000 };

    static char json[MANY * 60 + 1000];
    static const char *const lists[][3] = {
        {",\"licenses\":[\"MIT\"", ",\"l\"", "]"},
        {",\"keywords\":[\"k\"", ",\"k\"", "]"},
        {",\"providers\":[{\"name\":\"p\"}", ",{\"name\":\"q\"}", "]"},
        {",\"extent\":{" TEMPORAL ",\"spatial\":[[1,2,3,4]", ",[0,0,1,1]", "]}"}};
    taco_collection_export_options o;
    taco_error e;
    taco_dataset *ds;
    taco_bytes text;
    size_t n = 0, i, k;
    clock_t begin = clock();
    memset(&o, 0, sizeof o);
    memset(&e, 0, sizeof e);
    n += (size_t)sprintf(json, "{" TEXTS "," CURATORS);
    for (i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        n += (size_t)sprintf(json + n, "%s", lists[i][0]);
        for (k = 0; k < MANY; k++) {
            memcpy(json + n, lists[i][1], strlen(lists[i][1]));
            n += strlen(lists[i][1]);
        }
        n += (size_t)sprintf(json + n, "%s", lists[i][2]);
    }
    sprintf(json + n, "}");
    make(NULL);
    write_file("build/tmp_rules.taco", json);
    CHECK(validate("build/tmp_rules.taco") == TACO_OK);
    CHECK_TEXT(found, "");
    ds = taco_open("build/tmp_rules.taco", &options, &e);
    text = taco_collection_export(ds, TACO_COLLECTION_STAC, &o, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK(text.data &&
          strstr((const char *)text.data, "\"bbox\": [\n        [\n          0.0,") != NULL);
    taco_close(ds);
    CHECK((double)(clock() - begin) / CLOCKS_PER_SEC < 10);
}

/* Text that is no version: read with a warning, never written. */
static void versions(void)
{
    static const char json[] =
        "{\"id\":\"x\",\"taco_version\":\"latest\",\"dataset_version\":\"1\","
        "\"description\":\"d\"," LICENSES "," PROVIDERS "," CURATORS ",\"extent\":{" SPATIAL
        "," TEMPORAL "}}";
    static const char *const known[] = {"2.0.0", "0.26.1rc1", "0.4", "1.0.0-beta.2"};
    static const char *const none[] = {"", "2", "latest", "2.", "v2.0", "2.0 beta", "2.0/x"};
    taco_error e;
    size_t i;
    for (i = 0; i < sizeof known / sizeof known[0]; i++) {
        CHECK(taco__collection_is_version(taco__bytes_text(known[i])));
    }
    for (i = 0; i < sizeof none / sizeof none[0]; i++) {
        CHECK(!taco__collection_is_version(taco__bytes_text(none[i])));
    }
    make(NULL);
    write_file("build/tmp_rules.taco", json);
    CHECK(validate("build/tmp_rules.taco") == TACO_OK);
    CHECK_TEXT(found, "warning: : build/tmp_rules.taco: collection: taco_version is 'latest', not "
                      "a version such as 2.0.0 []\nwarning: collection: taco_version: is 'latest', "
                      "must be a version such as 0.2.0" CLAUSE);
    memset(&e, 0, sizeof e);
    CHECK(taco_tortilla_to_taco("tests/data/legacy/minimal.tortilla", "build/tmp_rules2.taco", json,
                                NULL, &e) == TACO_ERR_ARGUMENT);
    CHECK(strstr(e.text, "taco_version: is 'latest'") != NULL);
}

/* ---- headers, names, ranges ---- */

/* Changes 8 bytes of a file. */
static void patch(const char *path, long at, uint64_t value)
{
    uint8_t p[8];
    FILE *f = fopen(path, "r+b");
    size_t i;
    for (i = 0; i < 8; i++) {
        p[i] = (uint8_t)(value >> 8 * i);
    }
    CHECK(f && fseek(f, at, SEEK_SET) == 0 && fwrite(p, 1, 8, f) == 8);
    if (f) { fclose(f); }
}

static void headers(void)
{
    make(NULL);
    write_file(PATH, NULL);
    patch(PATH, 60, 7);
    CHECK(validate(PATH) == TACO_OK);
    CHECK_TEXT(found, "warning: header: the bytes from 26 on are reserved, and not all zero "
                      "[Tortilla 0.5.0, The Free Space]\n");
    write_file(PATH, NULL);
    patch(PATH, 18, 0);
    CHECK(validate(PATH) == TACO_ERR_CORRUPT);
    CHECK(strstr(found, "the number of parts is 0, must be 1 or more [Tortilla 0.5.0, The Data "
                        "Partition]\n") != NULL);
    write_file(PATH, NULL);
    remove("build/tmp_rules.bin");
    CHECK(rename(PATH, "build/tmp_rules.bin") == 0);
    CHECK(validate("build/tmp_rules.bin") == TACO_OK);
    CHECK_TEXT(found, "warning: header: the name of a file without a collection ends in .tortilla "
                      "[Tortilla 0.5.0, File Extension]\n");
    write_file("build/tmp_rules.0007.part.tortilla", NULL);
    patch("build/tmp_rules.0007.part.tortilla", 18, 3);
    CHECK(validate("build/tmp_rules.0007.part.tortilla") == TACO_OK);
    CHECK(strstr(found, "the name says part 7, there are 3 [") != NULL);
    CHECK(strstr(found, "1 of 3 parts are opened, samples of the others are missing") != NULL);
    write_file(PATH, NULL);
    patch(PATH, 0, (uint64_t)'W' | (uint64_t)'X' << 8); /* and the footer at 0 */
    CHECK(validate(PATH) != TACO_OK);
    write_file(PATH, NULL);
    patch(PATH, 18, 3);
    CHECK(validate(PATH) == TACO_OK);
    CHECK(strstr(found, "header: a file of 3 parts must be named NAME.####.part.tortilla "
                        "[Tortilla 0.5.0, File Extension]\n") != NULL);
    write_file("build/tmp_rules.0001.part.tortilla", NULL);
    CHECK(validate("build/tmp_rules.0001.part.tortilla") == TACO_OK);
    CHECK_TEXT(found, "warning: header: a file of 1 parts must be named without .####.part "
                      "[Tortilla 0.5.0, File Extension]\n");
    write_file("build/tmp_rules.taco", "{" TEXTS "," LICENSES "," PROVIDERS "," CURATORS
                                       ",\"extent\":{" SPATIAL "," TEMPORAL "}}");
    patch("build/tmp_rules.taco", 60, 7);
    CHECK(validate("build/tmp_rules.taco") == TACO_OK);
    CHECK_TEXT(found, "warning: header: the bytes from 42 on are reserved, and not all zero "
                      "[Tortilla 0.5.0, The Free Space]\n");
    patch("build/tmp_rules.taco", 60, 0);
    remove("build/tmp_rules.bin");
    CHECK(rename("build/tmp_rules.taco", "build/tmp_rules.bin") == 0);
    CHECK(validate("build/tmp_rules.bin") == TACO_OK);
    CHECK_TEXT(found, "warning: header: the name of a file with a collection ends in .taco "
                      "[Tortilla 0.5.0, File Extension]\n");
    patch("build/tmp_rules.bin", 34, 0); /* as if the collection were empty */
    remove(PATH);                        /* rename of ISO C need not replace a file */
    CHECK(rename("build/tmp_rules.bin", PATH) == 0);
    CHECK(validate(PATH) == TACO_ERR_CORRUPT);
    CHECK_TEXT(found, "error: header: a TACO (magic 'WX') without a collection [TACO 0.2.0, Data "
                      "format]\n");
}

/* Samples that lie in the header, in the footer, and on each other. */
static void ranges(void)
{
    static const char *const want[] = {
        "error: level 0: row 0: its bytes 150 to 152 overlap those of the header",
        "error: level 0: row 2: its bytes 205 to 300 overlap those of the footer",
        "warning: level 0: rows 1 and 2: share bytes from 205 on"};
    static int64_t at[ROWS] = {150, 202, 205}, size[ROWS] = {2, 4, 95};
    taco_error e;
    taco_dataset *ds;
    taco_validate_options how;
    taco_validated sum;
    taco__findings f;
    taco__legacy *state;
    size_t i;
    memset(&e, 0, sizeof e);
    make(NULL);
    write_file(PATH, NULL);
    ds = taco_open(PATH, &options, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    if (!ds) { return; }
    state = (taco__legacy *)ds->stores[0].format_state;
    state->levels[0].offset = at;
    state->levels[0].size = size;
    memset(&how, 0, sizeof how);
    memset(&sum, 0, sizeof sum);
    memset(&f, 0, sizeof f);
    how.found = note;
    f.how = &how;
    f.sum = &sum;
    f.part = "";
    found[0] = 0;
    CHECK(taco__legacy_check(ds, &f, &e));
    for (i = 0; i < 3; i++) {
        CHECK(strstr(found, want[i]) != NULL);
    }
    CHECK(sum.errors == 2 && sum.warnings == 1);
    taco_close(ds);
}

/* Samples of a tortilla within a tortilla that lie before and behind it. */
static void inner_ranges(void)
{
    taco_error e;
    taco_dataset *ds;
    taco_validate_options how;
    taco_validated sum;
    taco__findings f;
    taco__legacy *state;
    char want[2][160];
    int64_t begin, end;
    memset(&e, 0, sizeof e);
    ds = taco_open("tests/data/legacy/taco_inside.tortilla", &options, &e);
    CHECK(ds && taco_levels(ds) == 2);
    CHECK_TEXT(taco_error_text(&e), "");
    if (!ds) { return; }
    state = (taco__legacy *)ds->stores[0].format_state;
    begin = state->levels[0].offset[0];
    end = begin + state->levels[0].size[0];
    state->levels[1].offset[0] = begin - 1;
    state->levels[1].size[0] = 2;
    state->levels[1].size[2] = end - state->levels[1].offset[2] + 1;
    snprintf(want[0], sizeof want[0],
             "error: level 1: row 0: its bytes %d to %d are not within those of its parent, %d to "
             "%d [",
             (int)begin - 1, (int)begin + 1, (int)begin, (int)end);
    snprintf(want[1], sizeof want[1],
             "error: level 1: row 2: its bytes %d to %d are not within those of its parent, %d to "
             "%d [",
             (int)state->levels[1].offset[2], (int)end + 1, (int)begin, (int)end);
    memset(&how, 0, sizeof how);
    memset(&sum, 0, sizeof sum);
    memset(&f, 0, sizeof f);
    how.found = note;
    f.how = &how;
    f.sum = &sum;
    f.part = "";
    found[0] = 0;
    CHECK(taco__legacy_check(ds, &f, &e));
    CHECK(strstr(found, want[0]) != NULL && strstr(found, want[1]) != NULL);
    CHECK(sum.errors == 2 && sum.warnings == 0);
    taco_close(ds);
}

/* ---- parts ---- */

static size_t warnings;
static char warned[512];

static void count_warning(void *ctx, const taco_error *w)
{
    (void)ctx;
    warnings++;
    snprintf(warned, sizeof warned, "%s", w->text);
}

static void parts(void)
{
    static const char *const all[] = {"build/tmp_rulesp.0000.part.tortilla",
                                      "build/tmp_rulesp.0001.part.tortilla",
                                      "build/tmp_rulesp.0002.part.tortilla"};
    static const char *const two[] = {"build/tmp_rulesp.0000.part.tortilla",
                                      "build/tmp_rulesp.0002.part.tortilla"};
    taco_options o = options;
    taco_tortilla_options t;
    taco_dataset *ds;
    taco_error e;
    taco_bytes stem;
    uint64_t number;
    memset(&e, 0, sizeof e);
    memset(&t, 0, sizeof t);
    o.warn = count_warning;
    make(NULL);
    t.part_bytes = 4;
    CHECK(taco_tortilla_create("build/tmp_rulesp.tortilla", &made.batch, payload, NULL, &t, &e) ==
          TACO_OK);
    ds = taco_open_many(all, 3, TACO_COLUMNS_INTERSECTION, &o, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK(ds && warnings == 0);
    taco_close(ds);
    ds = taco_open_many(two, 2, TACO_COLUMNS_INTERSECTION, &o, &e);
    CHECK(ds && taco_level_rows(ds, 0, &e) == 2 && warnings == 1);
    CHECK(strstr(warned, "2 of 3 parts are opened, samples of the others are missing") != NULL);
    taco_close(ds);
    CHECK(taco__legacy_parts_parse("a/b.0012.part.taco", &stem, &number) && number == 12 &&
          taco__bytes_equal(stem, taco__bytes_text("a/b")));
    /* a part is validated with the others that are there: ids are unique in all of them */
    CHECK(validate(all[1]) == TACO_OK);
    CHECK_TEXT(found, "");
    rename(all[2], "build/tmp_rulesp.away");
    CHECK(validate(all[1]) == TACO_OK);
    CHECK(strstr(found, "1 of 3 parts are opened, samples of the others are missing") != NULL);
    write_file(all[2], NULL); /* all three ids, a header of one part */
    CHECK(validate(all[1]) == TACO_ERR_CORRUPT);
    CHECK(strstr(found, "tmp_rulesp.0002.part.tortilla: header: a file of 1 parts must be named") !=
              NULL &&
          strstr(found, "must be unique") != NULL);
    CHECK(!taco__legacy_parts_parse("b.012.part.tortilla", &stem, &number) &&
          !taco__legacy_parts_parse("b0012.part.tortilla", &stem, &number) &&
          !taco__legacy_parts_parse("b.0012.tortilla", &stem, &number));
}

/* ---- centroids ---- */

/* lonlat of a CRS of the caller's. */
static bool own_crs(void *ctx, const char *crs, double x, double y, double out[2])
{
    (void)ctx;
    out[0] = x / 1e6;
    out[1] = y / 1e6;
    return strcmp(crs, "EPSG:2154") == 0;
}

/* The value of stac:centroid in a row of what was written. */
static const char *centroid(size_t row)
{
    static char text[128];
    taco_error e;
    taco_dataset *ds;
    taco_cursor *c;
    taco_query q;
    const char *t;
    memset(&e, 0, sizeof e);
    memset(&q, 0, sizeof q);
    q.offset = row;
    q.limit = 1;
    ds = taco_open(PATH, &options, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    c = taco_select(ds, &q, &e);
    CHECK(c && taco_cursor_next(c));
    t = taco_cursor_text(c, "stac:centroid");
    snprintf(text, sizeof text, "%s", t ? t : "null");
    taco_cursor_close(c, NULL);
    taco_close(ds);
    return text;
}

/* As pytortilla computes them; what is given stays; what cannot be computed is null, and told. */
static void centroids(void)
{
    static const column crs = {
        "stac:crs", TACO_TEXT, {"EPSG:32630", "EPSG:4326", "EPSG:2154"}, {0}, {{0}}, {0}, false};
    static const column where = {
        "stac:geotransform",
        TACO_LIST,
        {0},
        {0},
        {{726000, 10, 0, 4373000, 0, -10}, {10, 1, 0, 50, 0, -1}, {652000, 10, 0, 6862000, 0, -10}},
        {6, 6, 6},
        false};
    static const column size = {
        "stac:raster_shape", TACO_LIST, {0}, {0}, {{64, 64}, {1, 3}, {400, 200}}, {2, 2, 2}, true};
    static const column given = {
        "stac:centroid", TACO_TEXT, {NULL, "POINT (1 2)", NULL}, {0}, {{0}}, {0}, false};
    taco_tortilla_options t;
    taco_options o;
    taco_error e;
    memset(&e, 0, sizeof e);
    memset(&t, 0, sizeof t);
    memset(&o, 0, sizeof o);
    o.warn = count_warning;
    t.options = &o;
    memset(&made, 0, sizeof made);
    add(&good[0]);
    add(&good[1]);
    add(&crs);
    add(&where);
    add(&size);
    made.batch.columns = made.columns;
    made.batch.length = ROWS;
    warnings = 0;
    CHECK(taco_tortilla_create(PATH, &made.batch, payload, NULL, &t, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK_TEXT(centroid(0), "POINT (-0.36889 39.473965)");
    CHECK_TEXT(centroid(1), "POINT (11.5 49.5)");
    CHECK_TEXT(centroid(2), "null");
    CHECK(warnings == 2); /* this, and that there are no times */
    add(&given);
    t.lonlat = own_crs;
    CHECK(taco_tortilla_create(PATH, &made.batch, payload, NULL, &t, &e) == TACO_OK);
    CHECK_TEXT(centroid(0), "POINT (-0.36889 39.473965)");
    CHECK_TEXT(centroid(1), "POINT (1 2)");
    CHECK_TEXT(centroid(2), "POINT (0.653 6.86)");
}

/* ---- conversion ---- */

#define TACO2 "build/tmp_rules.tacozip"
#define TACO  "build/tmp_rules.taco"

/* A column of level 0 of a dataset, its values joined by blanks; or the message. */
static const char *values_of(const char *path, const char *name)
{
    static char text[1024];
    taco_error e;
    taco_dataset *ds;
    taco_cursor *c;
    size_t n = 0;
    memset(&e, 0, sizeof e);
    text[0] = 0;
    ds = taco_open(path, &options, &e);
    c = ds ? taco_select(ds, NULL, &e) : NULL;
    while (c && taco_cursor_next(c) && n < 900) {
        const char *t = taco_cursor_text(c, name);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%.100s", n ? " " : "", t ? t : "-");
    }
    taco_cursor_close(c, &e);
    taco_close(ds);
    return e.code == TACO_OK ? text : strcpy(text, e.text);
}

/* A member of the collection, as JSON without white space. */
static const char *member_of(const char *path, const char *key)
{
    static char text[2048];
    taco_error e;
    taco_dataset *ds;
    taco_bytes b;
    size_t i, n = 0;
    bool quoted = false;
    memset(&e, 0, sizeof e);
    ds = taco_open(path, &options, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    b = taco_collection(ds, key);
    for (i = 0; i < b.len && n + 1 < sizeof text; i++) {
        quoted = quoted != (b.data[i] == '"');
        if (quoted || (b.data[i] != ' ' && b.data[i] != '\n')) { text[n++] = (char)b.data[i]; }
    }
    text[n] = 0;
    taco_close(ds);
    return text;
}

static char noted[2048];

static void hear_note(void *ctx, const char *line)
{
    size_t n = strlen(noted);
    (void)ctx;
    snprintf(noted + n, sizeof noted - n, "%s\n", line);
}

static taco_status convert(const char *from, const taco_convert_options *given, taco_error *e)
{
    taco_convert_options o;
    memset(&o, 0, sizeof o);
    if (given) { o = *given; }
    o.create.overwrite = true;
    o.note = hear_note;
    noted[0] = 0;
    memset(e, 0, sizeof *e);
    return taco_convert_to_taco2(&from, 1, TACO2, &o, e);
}

/* Collections of old files that lack members, or have them in other forms. */
static void old_collections(void)
{
    static const struct {
        const char *json, *key, *want;
    } t[] = {
        {"{\"id\":\"My Set 1.0-Z\"}", "id", "\"my_set_1_0-z\""},
        {"{\"id\":\"\"}", "id", "\"tmp_rules\""},
        {"{\"id\":\"x\"}", "licenses", "[\"unknown\"]"},
        {"{\"id\":\"x\",\"licenses\":[]}", "licenses", "[\"unknown\"]"},
        {"{\"id\":\"x\"}", "providers", "[{\"name\":\"unknown\"}]"},
        {"{\"id\":\"x\"}", "description", "\"Converted from a tortilla.\""},
        {"{\"id\":\"x\"}", "dataset_version", "\"1.0.0\""},
        {"{\"id\":\"x\",\"task\":\"general\"}", "tasks", "[\"other\"]"},
        {"{\"id\":\"x\",\"task\":\"regression\"}", "tasks", "[\"regression\"]"},
        {"{\"id\":\"x\",\"title\":\"T\",\"keywords\":null}", "title", "\"T\""},
        {"{\"id\":\"x\",\"keywords\":null}", "keywords", "null"},
        {"{\"id\":\"x\",\"providers\":[{\"name\":\"A\",\"affiliation\":\"B\",\"email\":\"c@d\","
         "\"roles\":[\"host\",\"producer\"],\"links\":[{\"href\":\"https://e\"}]}]}",
         "providers",
         "[{\"name\":\"A\",\"organization\":\"B\",\"email\":\"c@d\",\"role\":\"host\",\"url\":"
         "\"https://e\"}]"},
        {"{\"id\":\"x\",\"providers\":[{\"organization\":\"B\",\"affiliation\":\"C\",\"emails\":[{"
         "\"value\":\"f@g\"},{\"value\":\"h@i\"}],\"email\":\"c@d\",\"links\":[{\"href\":"
         "\"ftp://e\"}]}]}",
         "providers", "[{\"organization\":\"B\",\"email\":\"f@g\"}]"},
        {"{\"id\":\"x\",\"curators\":[{\"name\":\"P\"}],\"data_curator\":[{\"name\":\"Q\"}]}",
         "curators", "[{\"name\":\"P\"}]"},
        {"{\"id\":\"x\",\"curators\":[],\"data_curator\":[{\"name\":\"Q\"}]}", "curators",
         "[{\"name\":\"Q\"}]"},
        {"{\"id\":\"x\",\"extent\":{\"spatial\":[[-1,-2,-9,3,4,9],[-3,1,-9,2,6,9]],\"temporal\":"
         "[\"2020-01-01T00:00:00Z\",\"2021-01-01T00:00:00Z\"]}}",
         "extent",
         "{\"spatial\":[-3.0,-2.0,3.0,6.0],\"temporal\":[\"2020-01-01T00:00:00Z\",\"2021-01-01T00:"
         "00:00Z\"]}"},
        {"{\"id\":\"x\",\"extent\":{\"spatial\":[1,2,3,4],\"temporal\":[[\"2020-01-01T00:00:00Z\","
         "null]]}}",
         "extent", "{\"spatial\":[1.0,2.0,3.0,4.0],\"temporal\":null}"},
        {"{\"id\":\"x\",\"extent\":{\"spatial\":[[1,2,3,4],[1,2,3]]}}", "legacy:collection",
         "{\"id\":\"x\",\"extent\":{\"spatial\":[[1,2,3,4],[1,2,3]]}}"}};

    taco_error e;
    size_t i;
    make(NULL);
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        write_file(TACO, t[i].json);
        CHECK(convert(TACO, NULL, &e) == TACO_OK);
        CHECK_TEXT(taco_error_text(&e), "");
        CHECK_TEXT(member_of(TACO2, t[i].key), t[i].want);
        /* and all of it comes back */
        CHECK(taco_convert_from_taco2(TACO2, "build/tmp_rules2.taco", NULL, &e) == TACO_OK);
        CHECK_TEXT(member_of("build/tmp_rules2.taco", "id"), strcmp(t[i].json, "{\"id\":\"\"}") == 0
                                                                 ? "\"\""
                                                             : i == 0 ? "\"My Set 1.0-Z\""
                                                                      : "\"x\"");
    }
}

/* A collection that is given, or none; a part of the samples. */
static void given_collections(void)
{
    static const char *const bad[][2] = {{"[1]", "a collection is a JSON object"},
                                         {"{", "the end of the text"},
                                         {"{\"id\":\"x\"}", "collection: "}};
    static const char good_json[] =
        "{\"id\":\"mine\",\"dataset_version\":\"1\",\"description\":\"d\",\"taco_version\":"
        "\"2.0.0\",\"licenses\":[\"MIT\"],\"providers\":[{\"name\":\"p\",\"email\":\"a@b\","
        "\"role\":"
        "\"host\"},{\"organization\":\"o\"}],\"tasks\":[\"other\"],\"keywords\":[\"k\"]}";
    taco_convert_options o;
    taco_query q;
    taco_error e;
    size_t i;
    memset(&o, 0, sizeof o);
    memset(&q, 0, sizeof q);
    make(NULL);
    write_file(PATH, NULL);
    for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        o.collection = bad[i][0];
        CHECK(convert(PATH, &o, &e) == e.code && e.code != TACO_OK);
        CHECK(strstr(e.text, bad[i][1]) != NULL);
    }
    o.collection = NULL;
    CHECK(convert(PATH, &o, &e) == TACO_OK);
    CHECK_TEXT(member_of(TACO2, "id"), "\"tmp_rules\"");
    CHECK(strstr(noted, "a tortilla has no collection: id, licenses, providers and tasks are "
                        "placeholders\n") != NULL);
    o.query = &q;
    o.create.date = 86400;
    q.where = "\"tortilla:id\" <> 'b'";
    CHECK(convert(PATH, &o, &e) == TACO_OK);
    CHECK_TEXT(values_of(TACO2, "id"), "a c");
    CHECK_TEXT(member_of(TACO2, "taco:subset_of"), "\"tmp_rules\"");
    CHECK_TEXT(member_of(TACO2, "taco:subset_date"), "\"1970-01-02T00:00:00+00:00\"");
    q.where = NULL;
    q.flat = true;
    CHECK(convert(PATH, &o, &e) == TACO_ERR_ARGUMENT);
    q.flat = false;
    q.table = 1;
    CHECK(convert(PATH, &o, &e) == TACO_ERR_ARGUMENT);
    CHECK(strstr(e.text, "no order, no flat view, no other table") != NULL);
    o.query = NULL;
    o.collection = good_json;
    CHECK(convert(PATH, &o, &e) == TACO_OK);
    CHECK_TEXT(member_of(TACO2, "legacy:collection"), "");
    memset(&e, 0, sizeof e);
    CHECK(taco_convert_from_taco2(TACO2, "build/tmp_rules2.taco", NULL, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK_TEXT(member_of("build/tmp_rules2.taco", "providers"),
               "[{\"name\":\"p\",\"organization\":null,\"emails\":[{\"value\":\"a@b\"}],\"roles\":["
               "\"host\"]},{\"name\":null,\"organization\":\"o\",\"emails\":null,\"roles\":null}]");
    CHECK_TEXT(member_of("build/tmp_rules2.taco", "curators"), "[]");
    CHECK_TEXT(member_of("build/tmp_rules2.taco", "task"), "\"other\"");
    CHECK_TEXT(member_of("build/tmp_rules2.taco", "title"), "null");
    CHECK_TEXT(member_of("build/tmp_rules2.taco", "keywords"), "[\"k\"]");
}

/* Names that TACO 2 has not, and values that are none of their kind. */
static void old_columns(void)
{
    static const column others[] = {
        {"type", TACO_TEXT, {"x", "y", "z"}, {0}, {{0}}, {0}, false},
        {"path", TACO_INT64, {0}, {1, 2, NAN}, {{0}}, {0}, false},
        {":a-b:c:", TACO_INT64, {0}, {1, 2, 3}, {{0}}, {0}, false},
        {"stac:time_start", TACO_DOUBLE, {0}, {1.25, -0.0000016, 1e300}, {{0}}, {0}, false},
        {"stac:time_end", TACO_INT64, {0}, {-1, 9.1e18, NAN}, {{0}}, {0}, false},
        {"stac:centroid", TACO_TEXT, {"POINT (1 2)", "POINTLESS", NULL}, {0}, {{0}}, {0}, false},
        {"stac:tensor_shape", TACO_LIST, {0}, {0}, {{1, 2}, {3, 4}, {5, 6}}, {2, 2, 2}, true}};
    static const column clash = {"_a_b:c_", TACO_INT64, {0}, {1, 2, 3}, {{0}}, {0}, false};
    static const char *const want[][2] = {
        {"id", "a b c"},
        {"type", "FILE FILE FILE"},
        {"legacy:type", "x y z"},
        {"legacy:path", "1 2 -"},
        {"_a_b:c_", "1 2 3"},
        {"stac:time_start", "1970-01-01T00:00:01.250000 1969-12-31T23:59:59.999998 -"},
        {"stac:time_end", "1969-12-31T23:59:59.000000 - -"},
        {"stac:tensor_shape", "[1,2] [3,4] [5,6]"},
        {"tortilla:file_format", "GTiff BYTES netCDF"}};
    static const char *const back[][2] = {{"tortilla:id", "a b c"},
                                          {"type", "x y z"},
                                          {"path", "1 2 -"},
                                          {"stac:time_start", "1.25 -2e-06 -"},
                                          {"stac:time_end", "-1 - -"},
                                          {"stac:centroid", "POINT (1.0 2.0) - -"},
                                          {"stac:raster_shape", "[1,2] [3,4] [5,6]"}};
    taco_convert_options o;
    taco_error e;
    size_t i;
    memset(&o, 0, sizeof o);
    memset(&made, 0, sizeof made);
    add(&good[0]);
    add(&good[1]);
    for (i = 0; i < sizeof others / sizeof others[0]; i++) {
        add(&others[i]);
    }
    made.batch.columns = made.columns;
    made.batch.length = ROWS;
    write_file(PATH, NULL);
    o.create.any_values = true;
    CHECK(convert(PATH, &o, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    for (i = 0; i < sizeof want / sizeof want[0]; i++) {
        CHECK_TEXT(values_of(TACO2, want[i][0]), want[i][1]);
    }
    CHECK(strstr(noted, "a column of a protected name becomes legacy:type\n") != NULL);
    CHECK(strstr(noted, "a column of a protected name becomes legacy:path\n") != NULL);
    CHECK(strstr(noted, "a column's name becomes _a_b:c_\n") != NULL);
    for (i = 3; i < 6; i++) {
        char line[100];
        snprintf(line, sizeof line, "values of %s that are none of their kind become null\n",
                 others[i].name);
        CHECK(strstr(noted, line) != NULL);
    }
    memset(&e, 0, sizeof e);
    CHECK(taco_convert_from_taco2(TACO2, "build/tmp_rules2.tortilla", NULL, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    for (i = 0; i < sizeof back / sizeof back[0]; i++) {
        CHECK_TEXT(values_of("build/tmp_rules2.tortilla", back[i][0]), back[i][1]);
    }
    add(&clash);
    write_file(PATH, NULL);
    CHECK(convert(PATH, &o, &e) == TACO_ERR_ARGUMENT);
    CHECK(strstr(e.text, "two columns of level 0 would be called _a_b:c_") != NULL);
}

/* Everything that a collection of TACO 0.2.0 may say, in the documents made from it. */
static void documents(void)
{
    static const char json[] =
        "{" TEXTS "," LICENSES
        ",\"task\":\"segmentation\",\"providers\":[{\"name\":\"p\",\"roles\":["
        "\"host\"],\"links\":[{\"href\":\"https://p\"}]},{\"name\":\"q\",\"role\":\"friend\"}],"
        "\"data_curator\":[{\"name\":\"c|d\\r\\ne\",\"affiliation\":\"f\"},{\"email\":\"nobody\"}],"
        "\"scientific\":{\"doi\":\"10.1/x\",\"citation\":\"C. 2020\",\"publications\":[{\"doi\":"
        "\"10.1/y\",\"summary\":\"S\"}]},\"optical_data\":{\"sensor\":\"sentinel2\",\"bands\":[{"
        "\"name\":\"B02\",\"center_wavelength\":490,\"full_width_half_max\":65}]},\"labels\":{"
        "\"label_classes\":[{\"name\":\"Tree\",\"category\":3}]},\"split_strategy\":\"random\","
        "\"raw_link\":\"https://raw\",\"discuss_link\":{\"href\":\"https://"
        "talk\",\"title\":\"Talk\"},"
        "\"extent\":{" SPATIAL ",\"temporal\":[[\"2020-01-01T00:00:00Z\",null]]}}";

    static const struct {
        taco_collection_format kind;
        const char *words;
    } want[] = {
        {TACO_COLLECTION_STAC, "scientific/v1.0.0/schema.json"},
        {TACO_COLLECTION_STAC, "eo/v2.0.0/schema.json"},
        {TACO_COLLECTION_STAC, "\"sci:doi\": \"10.1/x\""},
        {TACO_COLLECTION_STAC, "\"sci:citation\": \"C. 2020\""},
        {TACO_COLLECTION_STAC, "\"href\": \"https://doi.org/10.1/x\""},
        {TACO_COLLECTION_STAC, "\"rel\": \"via\",\n      \"href\": \"https://raw\"\n"},
        {TACO_COLLECTION_STAC,
         "\"rel\": \"about\",\n      \"href\": \"https://talk\",\n      \"title\": \"Talk\""},
        {TACO_COLLECTION_STAC, "\"license\": \"MIT\""},
        {TACO_COLLECTION_STAC, "\"platform\": [\n      \"sentinel2\"\n"},
        {TACO_COLLECTION_STAC, "\"eo:center_wavelength\": 0.49,"},
        {TACO_COLLECTION_STAC, "\"eo:full_width_half_max\": 0.065\n"},
        {TACO_COLLECTION_STAC, "\"interval\": [\n        [\n          null,\n          null\n"},
        {TACO_COLLECTION_STAC, "\"url\": \"https://p\""},
        {TACO_COLLECTION_STAC, "\"name\": \"q\"\n    },"}, /* a role that STAC has not */
        {TACO_COLLECTION_DATACITE, "\"doi\": \"10.1/x\""},
        {TACO_COLLECTION_DATACITE, "\"relatedIdentifier\": \"10.1/y\""},
        {TACO_COLLECTION_DATACITE, "\"westBoundLongitude\": -1.0"},
        {TACO_COLLECTION_DATACARD, "The sensor of the dataset: **sentinel2**"},
        {TACO_COLLECTION_DATACARD, "How the dataset is divided: **random**"},
        {TACO_COLLECTION_DATACARD, "Where the dataset is discussed: **https://talk**"},
        {TACO_COLLECTION_DATACARD, "|Tree|3|N/A|"},
        {TACO_COLLECTION_DATACARD, "|10.1/y|S|N/A|"},
        {TACO_COLLECTION_DATACARD, "|c\\|d  e|f|N/A|"},
        {TACO_COLLECTION_DATACARD, "|B02|N/A|N/A|490|65|N/A|"},
        {TACO_COLLECTION_CROISSANT, "\"citeAs\": \"C. 2020\""},
        {TACO_COLLECTION_CROISSANT, "\"@type\": \"sc:Person\",\n      \"name\": \"c|d\\r\\ne\""},
        {TACO_COLLECTION_CROISSANT, "application/vnd.tortilla+blob"},
        {TACO_COLLECTION_CROISSANT, "\"segmentation\""}};

    taco_collection_export_options o;
    taco_error e;
    taco_dataset *ds;
    taco_bytes text;
    size_t i;
    memset(&o, 0, sizeof o);
    memset(&e, 0, sizeof e);
    o.year = "2024";
    make(NULL);
    write_file(TACO, json);
    ds = taco_open(TACO, &options, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    for (i = 0; i < sizeof want / sizeof want[0]; i++) {
        text = taco_collection_export(ds, want[i].kind, &o, &e);
        CHECK_TEXT(taco_error_text(&e), "");
        if (!text.data || !strstr((const char *)text.data, want[i].words)) {
            printf("%s\n%s\n", want[i].words, text.data ? (const char *)text.data : "");
            CHECK(!"the words are there");
        }
    }
    /* without extent.temporal at both ends there is no date, without an address no link */
    text = taco_collection_export(ds, TACO_COLLECTION_DATACITE, &o, &e);
    CHECK(text.data && !strstr((const char *)text.data, "\"dates\""));
    CHECK(text.data && !strstr((const char *)text.data, "IsDerivedFrom"));
    text = taco_collection_export(ds, TACO_COLLECTION_STAC, &o, &e);
    CHECK(text.data && !strstr((const char *)text.data, "friend"));
    taco_close(ds);
}

/* ---- tiles ---- */

static bool tiff_payload(void *ctx, size_t row, taco_source *out)
{
    const tiff_maker *m = (const tiff_maker *)ctx;
    if (row) { return payload(NULL, row, out); }
    taco_source_memory(out, m->data, m->size);
    return true;
}

/* Puts another text of the same length over a value of a column, in memory. */
static void other_text(const taco__table *t, const char *name, size_t row, const char *text)
{
    size_t c = taco__table_find_column(t, name);
    const taco_array *a = &t->arrays[c];
    CHECK(c != TACO__NONE && (size_t)(a->offsets[row + 1] - a->offsets[row]) == strlen(text));
    memcpy((uint8_t *)(uintptr_t)a->v.u8 + a->offsets[row], text, strlen(text));
}

/* What a chain of footers with tiles may have wrong: each is told, and where. */
static void bad_tiles(void)
{
    static const char clause[] = " [TACO 0.2.0, Facilitating dataset streaming]\n";
    static const char *const want[] = {
        "error: level 0: columns: a chain of footers without a column root",
        "warning: level 1: row 0: the tile 'b::0' is not named as its sample 'a'",
        "warning: level 1: row 1: the tile 'a:.1' is not named as its sample 'a'",
        "error: level 1: row 0: a tile of the sample 'a', whose format is 'GTifg': only GeoTIFFs "
        "have some"};
    static tiff_maker m;
    taco_tortilla_options o;
    taco_validate_options how;
    taco_validated sum;
    taco__findings f;
    taco_error e;
    taco_dataset *ds;
    taco__legacy *state;
    char line[300];
    size_t i;
    memset(&o, 0, sizeof o);
    memset(&e, 0, sizeof e);
    memset(&how, 0, sizeof how);
    memset(&sum, 0, sizeof sum);
    memset(&f, 0, sizeof f);
    tiff_begin(&m, false, false, 32, 700);
    tiff_usual(&m, 1, false);
    make(NULL);
    o.chunks = o.any_format = true;
    CHECK(taco_tortilla_create(PATH, &made.batch, tiff_payload, &m, &o, &e) == TACO_ERR_TRUNCATED);
    CHECK(strstr(e.text, "sample 'a': tile 0 has 500 bytes at 1000, the TIFF ends at ") != NULL);
    memset(&e, 0, sizeof e);
    m.size = 4200; /* all 6 tiles */
    CHECK(taco_tortilla_create(PATH, &made.batch, tiff_payload, &m, &o, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK(validate(PATH) == TACO_OK);
    CHECK_TEXT(found, "");
    ds = taco_open(PATH, &options, &e);
    CHECK(ds && taco_levels(ds) == 2);
    if (!ds) { return; }
    state = (taco__legacy *)ds->stores[0].format_state;
    CHECK(state->files[0].chain && state->levels[1].t.rows > 2);
    other_text(&state->levels[1].t, "tortilla:id", 0, "b::0");
    other_text(&state->levels[1].t, "tortilla:id", 1, "a:.1");
    other_text(&state->levels[0].t, "tortilla:file_format", 0, "GTifg");
    for (i = 0; state->files[0].chain && i < state->files[0].chain->tables[0].t.field_count; i++) {
        taco_field *field = (taco_field *)(uintptr_t)&state->files[0].chain->tables[0].t.fields[i];
        if (strcmp(field->name, "root") == 0) { field->name = "other"; }
    }
    how.found = note;
    f.how = &how;
    f.sum = &sum;
    f.part = "";
    found[0] = 0;
    CHECK(taco__legacy_check(ds, &f, &e));
    for (i = 0; i < sizeof want / sizeof want[0]; i++) {
        snprintf(line, sizeof line, "%s%s", want[i], clause);
        if (!strstr(found, line)) { printf("%s%s", line, found); }
        CHECK(strstr(found, line) != NULL);
    }
    taco_close(ds);
}

/* ---- queries ---- */

/* The ids that pass a box or a time, joined; or the message. */
static const char *passing(const double *box, const char *time, bool exact)
{
    static char text[512];
    taco_error e;
    taco_dataset *ds;
    taco_cursor *c;
    taco_query q;
    size_t n = 0;
    memset(&e, 0, sizeof e);
    memset(&q, 0, sizeof q);
    q.bbox = box;
    q.time = time;
    q.exact_time = exact;
    text[0] = 0;
    ds = taco_open(PATH, &options, &e);
    c = taco_select(ds, &q, &e);
    while (taco_cursor_next(c)) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%.20s", taco_cursor_text(c, "id"));
    }
    taco_cursor_close(c, &e);
    taco_close(ds);
    return e.code == TACO_OK ? text : strcpy(text, e.text);
}

/* Boxes and times of all the types that old files have; what is missing or no place passes none. */
static void types_of_filters(void)
{
    static const column points = {
        "stac:centroid", TACO_TEXT, {"POINT (1 2)", "LINE (1 2)", NULL}, {0}, {{0}}, {0}, false};
    static const column times[] = {
        {"stac:time_start", TACO_INT64, {0}, {1577836800, NAN, 1577923200}, {{0}}, {0}, false},
        {"stac:time_start", TACO_DOUBLE, {0}, {1577836800.5, NAN, 1577923200}, {{0}}, {0}, false},
        {"stac:time_start",
         TACO_TIMESTAMP,
         {0},
         {1577836800.0e6, NAN, 1577923200.0e6},
         {{0}},
         {0},
         false}};
    static const double boxes[][4] = {{1, 2, 1, 2},   {1.1, 0, 3, 3}, {-1, 0, 0.9, 3},
                                      {0, 2.1, 3, 3}, {0, 0, 3, 1.9}, {-180, -90, 180, 90}};
    static const double turned[4] = {0, 3, 1, 2};
    size_t i;
    make(&points);
    write_file(PATH, NULL);
    for (i = 0; i < 6; i++) {
        CHECK_TEXT(passing(boxes[i], NULL, false), i == 0 || i == 5 ? "a" : "");
    }
    CHECK_TEXT(passing(turned, NULL, false), "a"); /* south and north in either order */
    for (i = 0; i < sizeof times / sizeof times[0]; i++) {
        make(&times[i]);
        write_file(PATH, NULL);
        CHECK_TEXT(passing(NULL, "2020-01-01", false), "a");
        CHECK_TEXT(passing(NULL, "2020-01-02", false), "c");
        CHECK_TEXT(passing(NULL, "2020-01-01/2020-01-02", false), "ac");
        CHECK_TEXT(passing(NULL, "2019-12-31", false), "");
        CHECK_TEXT(passing(NULL, "2020-01-02T00:00:00Z", true), "c");
        CHECK_TEXT(passing(NULL, "2020-01-01T00:00:01Z/2020-01-02T00:00:01Z", true), "c");
        CHECK(strstr(passing(NULL, "never", false), "never") != NULL);
    }
}

/* Collections that are none, or too large. */
static void unread_collections(void)
{
    static const char *const bad[][2] = {
        {"[1]", "a collection must be a JSON object, found an array"},
        {"{\"id\":", "collection: "},
        {"7", "a collection must be a JSON object, found a number"}};
    taco_options o = options;
    taco_error e;
    size_t i;
    make(NULL);
    for (i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        write_file(TACO, bad[i][0]);
        memset(&e, 0, sizeof e);
        CHECK(taco_open(TACO, &options, &e) == NULL && e.code == TACO_ERR_CORRUPT);
        CHECK(strstr(e.text, bad[i][1]) != NULL && strncmp(e.text, TACO, strlen(TACO)) == 0);
        memset(&e, 0, sizeof e);
        CHECK(taco_tortilla_to_taco("tests/data/legacy/minimal.tortilla", "build/tmp_rules2.taco",
                                    bad[i][0], NULL, &e) != TACO_OK);
        CHECK(strstr(e.text, i == 1 ? "collection: " : "a collection is a JSON object") != NULL);
    }
    o.limits.max_metadata = 20000;
    {
        static char json[20100];
        memset(json, ' ', sizeof json - 1);
        json[0] = '{';
        json[sizeof json - 2] = '}';
        write_file(TACO, json);
    }
    memset(&e, 0, sizeof e);
    CHECK(taco_open(TACO, &o, &e) == NULL && e.code == TACO_ERR_LIMIT);
    CHECK(strstr(e.text, "a collection of 20099 bytes, limits.max_metadata is 20000") != NULL);
    write_file(PATH, NULL);
    o.limits.max_metadata = 100;
    memset(&e, 0, sizeof e);
    CHECK(taco_open(PATH, &o, &e) == NULL && e.code == TACO_ERR_LIMIT);
    CHECK(strstr(e.text, "a footer of ") && strstr(e.text, "limits.max_metadata is 100"));
}

/* Rows of a footer that are none. */
static void bad_footers(void)
{
    static const column bad[] = {
        {"tortilla:offset", TACO_TEXT, {"1", "2", "3"}, {0}, {{0}}, {0}, false},
        {"tortilla:length", TACO_DOUBLE, {0}, {1, 2, 3}, {{0}}, {0}, false},
        {"tortilla:length", TACO_NULL, {0}, {0}, {{0}}, {0}, false},
        {"tortilla:id", TACO_INT64, {0}, {1, 2, 3}, {{0}}, {0}, false},
        {"tortilla:offset", TACO_INT64, {0}, {200, -1, 200}, {{0}}, {0}, false},
        {"tortilla:length", TACO_INT64, {0}, {2, 3, -4}, {{0}}, {0}, false},
        {"tortilla:length", TACO_INT64, {0}, {10, 3, 4}, {{0}}, {0}, false}};
    static const char needed[] = "a footer has tortilla:id, tortilla:offset and tortilla:length";
    static const char *const words[] = {needed,
                                        needed,
                                        needed,
                                        needed,
                                        "row 1: 3 bytes at -1, the payloads end at 209",
                                        "row 2: -4 bytes at 205, the payloads end at 209",
                                        "row 0: 10 bytes at 200, the payloads end at 209"};
    static const column whole[] = {
        {"tortilla:offset", TACO_INT64, {0}, {200, 202, 205}, {{0}}, {0}, false},
        {"tortilla:length", TACO_INT64, {0}, {2, 3, 4}, {{0}}, {0}, false},
        {"id", TACO_TEXT, {"a", "b", "other"}, {0}, {{0}}, {0}, false},
        {"type", TACO_TEXT, {"FILE", "FOLDER", "FILE"}, {0}, {{0}}, {0}, false}};
    taco_error e;
    size_t i, k;
    make(NULL);
    write_file(PATH, NULL);
    for (i = 0; i <= sizeof bad / sizeof bad[0]; i++) {
        const column *other = i < sizeof bad / sizeof bad[0] ? &bad[i] : NULL;
        make(other);
        for (k = 0; k < sizeof whole / sizeof whole[0]; k++) {
            if (!other || strcmp(other->name, whole[k].name) != 0) {
                add(&whole[k]);
            } else if (other->type != TACO_NULL) {
                add(other);
            }
        }
        memset(&e, 0, sizeof e);
        CHECK(taco_tortilla_edit_footer(PATH, "build/tmp_rules2.tortilla", &made.batch, NULL, &e) ==
              (other ? TACO_ERR_ARGUMENT : TACO_OK));
        CHECK(other ? strstr(e.text, words[i]) != NULL : e.code == TACO_OK);
    }
    /* columns of these names that say something else are the user's */
    CHECK_TEXT(values_of("build/tmp_rules2.tortilla", "id"), "a b other");
    CHECK_TEXT(values_of("build/tmp_rules2.tortilla", "type"), "FILE FOLDER FILE");
    CHECK_TEXT(values_of("build/tmp_rules2.tortilla", "internal:id"), "a b c");
}

/* Files that the writers of that time made keep all rules. */
static void real(void)
{
    static const char *const files[] = {"minimal.tortilla", "mixed.tortilla",
                                        "taco_inside.tortilla", "a0.tortilla"};
    char path[128];
    size_t i;
    for (i = 0; i < sizeof files / sizeof files[0]; i++) {
        snprintf(path, sizeof path, "tests/data/legacy/%s", files[i]);
        CHECK(validate(path) == TACO_OK);
        CHECK_TEXT(found, "");
    }
}

int main(void)
{
    openers[0] = taco_legacy_opener();
    options.openers = openers;
    RUN(rows);
    RUN(ids_needed);
    RUN(any_format);
    RUN(collections);
    RUN(many_members);
    RUN(versions);
    RUN(headers);
    RUN(ranges);
    RUN(inner_ranges);
    RUN(parts);
    RUN(centroids);
    RUN(old_collections);
    RUN(given_collections);
    RUN(old_columns);
    RUN(documents);
    RUN(bad_tiles);
    RUN(types_of_filters);
    RUN(unread_collections);
    RUN(bad_footers);
    RUN(real);
    return test_end("test_old_rules");
}
