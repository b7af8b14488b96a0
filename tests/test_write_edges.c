/* write/: values at the edges of what is allowed, and what is refused beyond them. Boxes and times of
   many datasets, names of groups, places in degrees, types of columns, rules of columns when a
   dataset is copied, members of archives, statistics of pixels. */
#include "../src/write/merged_collection.c"
#include "../src/validate/collection_extent.c"
#include "../src/write/directory_parts.c"
#include "../src/write/column_builder.c"
#include "../src/write/extensions.c"
#include "../src/write/archive_edit.c"
#include "../src/write/catalogue.c"
#include "../src/write/band_statistics.c"
#define TACO__LEVEL_TABLE_PATHS ((size_t)20000)
#include "../src/write/level_tables.c"
#include "../taco_parquet.h"
#include "../taco.h"
#include "../extra/taco_write.h"

#include "test.h"

#include "alloc.h"

#include <math.h>

static const char collection[] = "{\"id\":\"demo\",\"dataset_version\":\"1.0.0\",\"description\":"
                                 "\"d\",\"licenses\":[\"CC0-1.0\"],"
                                 "\"providers\":[{\"name\":\"x\"}],\"tasks\":[\"other\"]}";

static taco_error none(void)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    return e;
}

/* ---- the extent of many ---- */

static const char *numbers(const double *v, size_t n)
{
    static char text[256];
    size_t i, at = 0;
    text[0] = 0;
    for (i = 0; i < n; i++) {
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%g", i ? " " : "", v[i]);
    }
    return text;
}

static void merged_boxes(void)
{
    static const struct {
        double box[3][4]; /* west above 1000: that part has none */
        const char *want;
    } t[] = {
        {{{1, 2, 3, 4}, {-5, 3, 2, 9}, {9999}}, "-5 2 3 9"},
        {{{9999}, {1, 2, 3, 4}, {9999}}, "1 2 3 4"},
        {{{9999}, {9999}, {9999}}, "none"},
        {{{-180, 0, -170, 1}, {170, 0, 180, 1}, {9999}}, "-180 0 180 1"}, /* as the reference */
        {{{170, 0, -170, 1}, {-160, -3, -150, 0}, {9999}}, "170 -3 -150 1"},
        {{{170, 0, -170, 1}, {150, 0, 160, 5}, {9999}}, "150 0 -170 5"},
        {{{150, 0, 160, 1}, {170, 0, -170, 1}, {-165, 0, -160, 1}}, "150 0 -160 1"},
        {{{-160, 0, -150, 1}, {170, 0, -170, 1}, {9999}}, "170 0 -150 1"},
        {{{10, 0, -10, 1}, {-20, 0, 20, 1}, {9999}}, "-180 0 180 1"},
        {{{0, 0, -1, 1}, {-0.5, 0, 0, 1}, {9999}}, "-0.5 0 -1 1"},
        {{{0, 0, -1, 1}, {-1.5, 0, 0, 1}, {9999}}, "-180 0 180 1"}};

    taco__catalogue_part parts[3];
    taco__catalogue m;
    size_t i, k;
    memset(&m, 0, sizeof m);
    m.parts = parts;
    m.count = 3;
    for (i = 0; i < TACO__COUNT(t); i++) {
        double out[4] = {0, 0, 0, 0};
        memset(parts, 0, sizeof parts);
        for (k = 0; k < 3; k++) {
            parts[k].has_spatial = t[i].box[k][0] < 1000;
            memcpy(parts[k].spatial, t[i].box[k], sizeof parts[k].spatial);
        }
        CHECK_TEXT(taco__merged_box(&m, out) ? numbers(out, 4) : "none", t[i].want);
    }
}

static void merged_times(void)
{
    static const struct {
        const char *times[2][2]; /* NULL: the part has none */
        bool boxed;
        const char *want;
    } t[] = {{{{"2020-01-02", "2020-01-03"}, {"2020-01-01T23:59:59Z", "2020-01-02"}},
              true,
              "{\"extent\":{\"spatial\":[1.0,2.0,3.0,4.0],\"temporal\":[\"2020-01-01T23:59:59Z\","
              "\"2020-01-03\"]}}"},
             {{{NULL, NULL}, {"2020-01-01", "soon"}},
              true,
              "{\"extent\":{\"spatial\":[1.0,2.0,3.0,4.0],\"temporal\":null}}"},
             {{{NULL, NULL}, {"2020-01-01", "2020-01-01"}},
              false,
              "{\"extent\":{\"temporal\":[\"2020-01-01\",\"2020-01-01\"]}}"}};

    taco__catalogue_part parts[2];
    taco__catalogue m;
    taco__json_writer w;
    taco__mem mem;
    taco__buf out;
    taco_error e = none();
    size_t i, k;
    memset(&m, 0, sizeof m);
    memset(&out, 0, sizeof out);
    taco__mem_init(&mem, NULL);
    out.mem = &mem;
    m.parts = parts;
    m.count = 2;
    for (i = 0; i < TACO__COUNT(t); i++) {
        char text[400];
        memset(parts, 0, sizeof parts);
        for (k = 0; k < 2; k++) {
            static const double box[4] = {1, 2, 3, 4};
            memcpy(parts[k].spatial, box, sizeof box);
            parts[k].has_spatial = k == 0 || t[i].boxed;
            parts[k].has_temporal = t[i].times[k][0] != NULL;
            parts[k].temporal[0] = t[i].times[k][0];
            parts[k].temporal[1] = t[i].times[k][1];
        }
        out.len = 0;
        w = taco__json_writer_init(&out, &e);
        taco__json_write_begin(&w, NULL, '{');
        taco__merged_write_extent(&m, &w);
        taco__json_write_end(&w, '}');
        CHECK(w.ok && out.len < sizeof text);
        memcpy(text, out.data, out.len);
        text[out.len] = 0;
        CHECK_TEXT(text, t[i].want);
    }
    taco__buf_free(&out);
}

/* Points and instants that are none are left out. */
static void extents(void)
{
    static const double points[][2] = {{-180, 3}, {180, -90}, {7, 90},    {400, 0},
                                       {-400, 0}, {0, 90.5},  {0, -90.5}, {NAN, 0}};
    static const int64_t times[] = {5, INT64_MAX / 1000000 + 1, INT64_MIN / 1000000 - 1, -3, 4, 0};
    static const uint8_t valid[] = {0x1F};
    taco__extent s;
    taco_field f = taco__field_make("stac:time_start", TACO_TIMESTAMP);
    taco_array a;
    size_t i;
    memset(&s, 0, sizeof s);
    memset(&a, 0, sizeof a);
    for (i = 0; i < TACO__COUNT(points); i++) {
        const double box[4] = {points[i][0], points[i][1], points[i][0], points[i][1]};
        CHECK(taco__extent_add_box(&s, box) == (i < 3));
    }
    CHECK(s.box && s.west == -180 && s.east == 180 && s.south == -90 && s.north == 90);
    CHECK(s.west360 == 7 && s.east360 == 180);
    a.field = &f;
    a.length = 6;
    a.v.i64 = times;
    a.validity = valid;
    f.unit = TACO_SECOND;
    taco__extent_add_times(&s, &a);
    CHECK(s.times && s.first == -3000000 && s.last == 5000000);
    s.times = false;
    f.unit = TACO_NANO; /* rounded down */
    taco__extent_add_times(&s, &a);
    CHECK(s.first == INT64_C(-9223372037) && s.last == INT64_C(9223372036));
    s.times = false;
    a.length = 1;
    taco__extent_add_times(&s, &a);
    CHECK(s.times && s.first == 0 && s.last == 0);
}

/* ---- names of groups ---- */

/* Characters of which Python's \s is true, and their neighbours. */
static void spaces(void)
{
    static const struct {
        uint32_t from, to;
    } white[] = {{9, 13},          {28, 32},         {0x85, 0x85},     {0xA0, 0xA0},
                 {0x1680, 0x1680}, {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F},
                 {0x205F, 0x205F}, {0x3000, 0x3000}};

    uint32_t c;
    size_t k, wrong = 0;
    for (c = 1; c < 0x11000; c++) {
        uint8_t p[4];
        size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4, got;
        bool is = false;
        for (k = 0; k < TACO__COUNT(white); k++) {
            is = is || (c >= white[k].from && c <= white[k].to);
        }
        p[0] = (uint8_t)(n == 1   ? c
                         : n == 2 ? 0xC0 | c >> 6
                         : n == 3 ? 0xE0 | c >> 12
                                  : 0xF0 | c >> 18);
        for (k = 1; k < n; k++) {
            p[k] = (uint8_t)(0x80 | (c >> 6 * (n - 1 - k) & 63));
        }
        got = taco__dir_parts_space_length(p, n);
        wrong += got != (is ? n : 0);
        if (n > 1) { wrong += taco__dir_parts_space_length(p, n - 1) != 0; } /* cut off */
    }
    CHECK(wrong == 0);
    CHECK(taco__dir_parts_space_length(NULL, 0) == 0);
}

static void group_names(void)
{
    static const char *const t[][2] = {{"a b", "a_b"},
                                       {"  a  b  ", "a_b"},
                                       {"__a__", "a"},
                                       {"a/b\\c:d*e?f\"g<h>i|j'k", "a_b_c_d_e_f_g_h_i_j_k"},
                                       {"a\xC2\xA0\xE3\x80\x80"
                                        "b",
                                        "a_b"},
                                       {"\xC3\xA9.1-2", "\xC3\xA9.1-2"},
                                       {"///", ""},
                                       {"", ""}};
    taco__mem mem;
    taco__buf out;
    taco_error e = none();
    size_t i;
    memset(&out, 0, sizeof out);
    taco__mem_init(&mem, NULL);
    out.mem = &mem;
    for (i = 0; i < TACO__COUNT(t); i++) {
        out.len = 0;
        CHECK(taco__buf_append_text(&out, "x_", &e));
        CHECK(taco__dir_parts_file_name(taco__bytes_text(t[i][0]), &out, &e));
        CHECK(taco__buf_append_char(&out, 0, &e));
        CHECK_TEXT((const char *)out.data + 2, t[i][1]);
    }
    out.len = 0;
    CHECK(taco__dir_parts_file_name(taco__bytes_of("a\0b", 3), &out, &e));
    CHECK(out.len == 3 && memcmp(out.data, "a_b", 3) == 0);
    taco__buf_free(&out);
}

/* ---- columns ---- */

/* Types that no column can have are refused, also below another type, and a cycle of them. */
static void impossible_types(void)
{
    taco__mem mem;
    taco__arena arena;
    taco__builder c;
    taco_field f, item, pair[2], entry, cycle;
    int i;
    taco__mem_init(&mem, NULL);
    arena.mem = &mem;
    arena.head = NULL;
    item = taco__field_make("item", TACO_INT32);
    pair[0] = taco__field_make("key", TACO_TEXT);
    pair[1] = taco__field_make("value", TACO_INT8);
    for (i = 0; i < 12; i++) {
        taco_error e = none();
        bool good = i < 3, ok;
        f = taco__field_make_nested("c", TACO_LIST, &item, 1);
        entry = taco__field_make_nested("entries", TACO_STRUCT, pair, 2);
        item = taco__field_make("item", TACO_INT32);
        switch (i) {
        case 1: f = taco__field_make_nested("c", TACO_MAP, &entry, 1); break;
        case 2: f = taco__field_make(NULL, TACO_BOOL); break;
        case 3: f.child_count = 0; break;
        case 4: f.child_count = 2; break;
        case 5: f.children = NULL; break;
        case 6: f.type = (taco_type)(TACO_STRUCT + 1); break;
        case 7: f.type = (taco_type)-1; break;
        case 8: f = taco__field_make_nested("c", TACO_MAP, &item, 1); break;
        case 9:
            entry.child_count = 1;
            f = taco__field_make_nested("c", TACO_MAP, &entry, 1);
            break;
        case 10: item = taco__field_make("item", TACO_LIST); break;
        case 11:
            cycle = taco__field_make_nested("c", TACO_LIST, &cycle, 1);
            f = cycle;
            break;
        default: break;
        }
        ok = taco__builder_init(&c, &f, &mem, &arena, &e);
        CHECK(ok == good && (good ? e.code == TACO_OK : e.code == TACO_ERR_ARGUMENT));
        if (!good) { CHECK_TEXT(e.text, "a column of an impossible type"); }
        taco__builder_free(&c);
    }
    taco__arena_free(&arena);
    CHECK(mem.used == 0);
}

static void times_of_columns(void)
{
    static const struct {
        taco_type type;
        taco_unit unit;
        const char *text;
        bool fits;
        int64_t want;
    } t[] = {{TACO_DATE, TACO_SECOND, "1969-12-31T23:59:59Z", true, -1},
             {TACO_TIMESTAMP, TACO_SECOND, "1969-12-31T23:59:59.5Z", true, -1},
             {TACO_TIMESTAMP, TACO_MILLI, "1969-12-31T23:59:59.9995Z", true, -1},
             {TACO_TIMESTAMP, TACO_MICRO, "1970-01-01T00:00:01Z", true, 1000000},
             {TACO_TIMESTAMP, TACO_NANO, "1970-01-01T00:00:01Z", true, 1000000000},
             {TACO_TIMESTAMP, TACO_NANO, "2262-04-11T23:47:16.854775Z", true,
              INT64_C(9223372036854775000)},
             {TACO_TIMESTAMP, TACO_NANO, "2262-04-11T23:47:16.854776Z", false, 0},
             {TACO_TIMESTAMP, TACO_NANO, "1677-09-21T00:12:43.145225Z", true,
              INT64_C(-9223372036854775000)},
             {TACO_TIMESTAMP, TACO_NANO, "1677-09-21T00:12:43.145224Z", false, 0},
             {TACO_TIMESTAMP, TACO_MICRO, "then", false, 0}};

    size_t i;
    for (i = 0; i < TACO__COUNT(t); i++) {
        taco_field f = taco__field_make("t", t[i].type);
        int64_t x = 0;
        f.unit = t[i].unit;
        CHECK(taco__builder_parse_time(&f, taco__bytes_text(t[i].text), &x) == t[i].fits);
        CHECK(!t[i].fits || x == t[i].want);
    }
}

/* ---- places ---- */

static bool anywhere(void *ctx, const char *crs, double x, double y, double out[2])
{
    (void)ctx;
    out[0] = x;
    out[1] = y;
    return strcmp(crs, "LOCAL:1") == 0;
}

static void places_of(void)
{
    static const struct {
        double x, y;
        taco_status code;
    } t[] = {{180, 90, TACO_OK},           {-180, -90, TACO_OK},
             {180.5, 0, TACO_ERR_CORRUPT}, {-180.5, 0, TACO_ERR_CORRUPT},
             {0, 90.5, TACO_ERR_CORRUPT},  {0, -90.5, TACO_ERR_CORRUPT},
             {1e9, 0, TACO_ERR_CORRUPT},   {-1e9, 0, TACO_ERR_CORRUPT},
             {0, 1e9, TACO_ERR_CORRUPT},   {0, -1e9, TACO_ERR_CORRUPT},
             {NAN, 0, TACO_ERR_CORRUPT},   {0, NAN, TACO_ERR_CORRUPT}};

    static const char *const crs[] = {"LOCAL:1", "EPSG:4326"};
    static const int64_t shape[3] = {2, 4, 6};
    taco_stac s;
    double out[2];
    taco_error e;
    size_t i, k;
    for (i = 0; i < TACO__COUNT(t); i++) {
        for (k = 0; k < 2; k++) {
            e = none();
            CHECK(taco__extension_lonlat(crs[k], t[i].x, t[i].y, anywhere, NULL, out, &e) ==
                  t[i].code);
            CHECK(e.code == t[i].code && (e.code || (out[0] == t[i].x && out[1] == t[i].y)));
        }
    }
    e = none();
    CHECK(taco__extension_lonlat("LOCAL:2", 1, 2, anywhere, NULL, out, &e) == TACO_ERR_UNSUPPORTED);
    CHECK(taco__extension_lonlat(NULL, 1, 2, anywhere, NULL, out, NULL) == TACO_ERR_UNSUPPORTED);
    memset(&s, 0, sizeof s);
    s.crs = "LOCAL:1";
    s.shape = shape;
    s.dimensions = 3;
    s.geotransform[0] = 10;
    s.geotransform[1] = 2;
    s.geotransform[3] = 50;
    s.geotransform[5] = -1;
    s.lonlat = anywhere;
    CHECK(taco_stac_centroid(&s, out, NULL) == TACO_OK && out[0] == 16 && out[1] == 48);
    s.dimensions = 1;
    CHECK(taco_stac_centroid(&s, out, NULL) == TACO_ERR_ARGUMENT);
    s.dimensions = 2;
    s.shape = NULL;
    CHECK(taco_stac_centroid(&s, out, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco__extension_middle(INT64_MAX, INT64_MAX) == INT64_MAX &&
          taco__extension_middle(INT64_MIN, INT64_MIN) == INT64_MIN &&
          taco__extension_middle(INT64_MIN, INT64_MAX) == -1 && taco__extension_middle(1, 4) == 2 &&
          taco__extension_middle(-1, -2) == -2 && taco__extension_middle(3, 5) == 4);
}

/* ---- rules of columns when a dataset is copied ---- */

static char told[1024];

static void hear(void *ctx, const taco_error *w)
{
    size_t n = strlen(told);
    (void)ctx;
    snprintf(told + n, sizeof told - n, "%s\n", w->text);
}

/* A copy keeps values that break a rule, and tells each column once; a type that breaks one, too. */
static void copied_breaches(void)
{
    taco_create_options c;
    taco_options o;
    taco_sink sink;
    taco_source src;
    taco_dataset *ds;
    taco_writer *w;
    taco_error e = none();
    taco_bytes b;
    size_t i, times;
    memset(&c, 0, sizeof c);
    memset(&o, 0, sizeof o);
    c.any_values = true;
    CHECK(taco_sink_memory(&sink, NULL, &e) == TACO_OK);
    w = taco_create_sink(&sink, &c, &e);
    taco_writer_collection(w, collection, sizeof collection - 1);
    taco_writer_column(w, 0, "split", TACO_TEXT);
    taco_writer_column(w, 0, "stac:crs", TACO_INT64);
    taco_writer_column(w, 0, "geoenrich:gdp", TACO_TEXT);
    for (i = 0; i < 3; i++) {
        taco_writer_bytes(w, i == 0 ? "a" : i == 1 ? "b" : "c", "xy", 2);
        taco_writer_set_text(w, "split", i ? "nowhere" : "train");
        taco_writer_set_int(w, "stac:crs", 1);
        taco_writer_set_text(w, "geoenrich:gdp", "1");
    }
    CHECK(taco_writer_finish(w, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    b = taco_sink_bytes(&sink);
    taco_source_memory(&src, b.data, b.len);
    o.warn = hear;
    c.any_values = false;
    c.overwrite = true;
    c.options = &o;
    for (times = 0; times < 2; times++) { /* told, then with nobody to tell */
        o.warn = times ? NULL : hear;
        told[0] = 0;
        ds = taco_open_source(&src, "a.tacozip", NULL, &e);
        CHECK(taco_export(ds, "build/tmp_edges.tacozip", NULL, &c, &e) == TACO_OK);
        CHECK_TEXT(e.text, "");
        CHECK((strstr(told, "sample 1 of level 0, 'b': ") != NULL) == (times == 0));
        CHECK(!strstr(told, "sample 2 of level 0"));
        CHECK((strstr(told, "level 0: ") != NULL) == (times == 0));
        taco_close(ds);
    }
    remove("build/tmp_edges.tacozip");
    taco_sink_free(&sink);
}

/* Columns of another number of rows than the tree has. */
static struct {
    size_t rows, columns;
    bool fails;
} given;

static bool next_rows(void *ctx, taco_batch *out, taco_error *err)
{
    (void)ctx;
    if (given.fails) { TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "no more"); }
    out->length = given.rows;
    out->column_count = given.columns;
    return !given.fails;
}

static void other_rows(void)
{
    taco__container_columns src;
    taco__tree tree;
    taco__mem mem;
    taco_batch b;
    taco_error e = none();
    taco__mem_init(&mem, NULL);
    memset(&src, 0, sizeof src);
    taco__tree_init(&tree, &mem);
    CHECK(taco__tree_append_ordered(&tree, 0, 0, taco__bytes_text("a"), false, &e) &&
          taco__tree_append_ordered(&tree, 0, 0, taco__bytes_text("b"), false, &e));
    CHECK(taco__level_table_next_batch(&src, &tree, 0, 1, &b, &e) &&
          b.length == 1); /* no columns */
    src.next = next_rows;
    src.counts[0] = given.columns = 2;
    for (given.rows = 0; given.rows < 4; given.rows++) {
        bool good = given.rows == 1 || given.rows == 2;
        e = none();
        CHECK(taco__level_table_next_batch(&src, &tree, 0, 0, &b, &e) == good);
        CHECK_TEXT(e.text, good          ? ""
                           : !given.rows ? "level 0: its columns have fewer rows, or other columns "
                                           "than the 2 rows of the tree"
                                         : "level 0: its columns have more rows than the 2 rows of "
                                           "the tree");
    }
    given.rows = 0;
    e = none();
    CHECK(taco__level_table_next_batch(&src, &tree, 0, 2, &b, &e) && b.length == 0); /* the end */
    given.rows = 2;
    given.columns = 3;
    CHECK(!taco__level_table_next_batch(&src, &tree, 0, 0, &b, &e) && e.code == TACO_ERR_ARGUMENT);
    given.fails = true;
    e = none();
    CHECK(!taco__level_table_next_batch(&src, &tree, 0, 0, &b, &e) && e.code == TACO_ERR_IO);
    taco__tree_free(&tree);
    CHECK(mem.used == 0);
}

/* ---- archives ---- */

static void member_names(void)
{
    static const char *const good[] = {"a", "a/b", "a..b", "..a", "a/..b/c", "a/b../c", ".", "a/"};
    static const char *const bad[] = {"",       "/a",   "..",    "../a",        "a/..",
                                      "a/../b", "a\\b", "a//..", "TACO_HEADER", NULL};
    taco_error e;
    size_t i;
    for (i = 0; i < TACO__COUNT(good); i++) {
        e = none();
        CHECK(taco__archive_check_name(good[i], &e) && e.code == TACO_OK);
    }
    for (i = 0; i < TACO__COUNT(bad); i++) {
        e = none();
        CHECK(!taco__archive_check_name(bad[i], &e) && e.code == TACO_ERR_ARGUMENT);
        if (e.code == TACO_OK) { printf("%s\n", bad[i]); }
    }
}

/* What begins like a TACO_HEADER and is none, and the older name of it. */
static void header_bytes(void)
{
    uint8_t b[TACO_HEADER_BYTES + 1], older[TACO_HEADER_BYTES];
    taco_header h, back;
    taco_error e = none();
    size_t i;
    memset(&h, 0, sizeof h);
    h.count = 2;
    h.ranges[0].offset = 157;
    h.ranges[0].size = 3;
    h.ranges[1].offset = UINT64_MAX;
    h.ranges[1].size = UINT64_MAX;
    CHECK(taco_header_bytes(&h, b, &e) == TACO_OK);
    CHECK(taco_header_parse(b, TACO_HEADER_BYTES, &back, &e) == TACO_OK);
    CHECK(back.count == 2 && memcmp(back.ranges, h.ranges, sizeof back.ranges) == 0);
    memcpy(older, b, 30);
    older[26] = 10;
    memcpy(older + 30, "TACO_GHOST", 10);
    memcpy(older + 40, b + 41, TACO_HEADER_BYTES - 41);
    CHECK(taco_header_parse(older, TACO_HEADER_BYTES - 1, &back, &e) == TACO_OK);
    CHECK(back.count == 2 && back.ranges[1].offset == UINT64_MAX);
    for (i = 0; i < 4; i++) { /* the signature, the length of the name, and the name */
        static const size_t at[4] = {0, 26, 27, 35};
        e = none();
        b[at[i]] ^= 1;
        CHECK(taco_header_parse(b, TACO_HEADER_BYTES, &back, &e) != TACO_OK);
        CHECK(strstr(e.text, "no TACO_HEADER in the first 157 bytes") != NULL);
        b[at[i]] ^= 1;
    }
    older[39] = 'X';
    CHECK(taco_header_parse(older, TACO_HEADER_BYTES - 1, &back, NULL) == TACO_ERR_TRUNCATED);
    for (i = 0; i < TACO_HEADER_BYTES; i++) {
        bool payload = i == TACO__INDEX_PAYLOAD_BYTES;
        CHECK((taco_header_parse(b, i, &back, NULL) == TACO_OK) == (payload && b[0] <= 7));
    }
    b[41] = TACO_HEADER_RANGES + 1;
    e = none();
    CHECK(taco_header_parse(b, TACO_HEADER_BYTES, &back, &e) == TACO_ERR_CORRUPT);
    CHECK(strstr(e.text, "TACO_HEADER: 8 ranges, 7 are the most") != NULL && e.offset == 41);
    h.count = TACO_HEADER_RANGES + 1;
    e = none();
    CHECK(taco_header_bytes(&h, b, &e) == TACO_ERR_ARGUMENT);
    CHECK(taco_header_bytes(NULL, b, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_header_bytes(&h, NULL, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_header_parse(NULL, 0, &back, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_header_parse(b, 9, NULL, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_header_read(NULL, NULL, &back, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_header_read("x", NULL, NULL, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_header_read("build/no_such.tacozip", NULL, &back, NULL) == TACO_ERR_NOT_FOUND);
    CHECK(taco_header_write(NULL, &h, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_archive_replace("x", NULL, NULL) == TACO_ERR_ARGUMENT);
}

/* A header may list seven members; a given one is written as it is. */
static void listed_members(void)
{
    static const char path[] = "build/tmp_edges.zip";
    taco_member m[8];
    taco_archive_options how;
    taco_header h, back;
    taco_error e = none();
    char names[8][4];
    size_t i;
    memset(m, 0, sizeof m);
    memset(&how, 0, sizeof how);
    memset(&h, 0, sizeof h);
    how.overwrite = true;
    for (i = 0; i < 8; i++) {
        sprintf(names[i], "m%u", (unsigned)i);
        m[i].name = names[i];
        m[i].data = "0123456789";
        m[i].len = i;
        m[i].listed = true;
    }
    CHECK(taco_archive_create(path, m, 7, &how, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK(taco_header_read(path, NULL, &back, &e) == TACO_OK && back.count == 7 &&
          back.ranges[6].size == 6);
    remove(path);
    CHECK(taco_archive_create(path, m, 8, &how, &e) == TACO_ERR_ARGUMENT);
    CHECK(strstr(e.text, "a TACO_HEADER lists up to 7 members, given are 8") != NULL);
    CHECK(fopen(path, "rb") == NULL);
    m[7].listed = false;
    e = none();
    h.count = 1;
    h.ranges[0].offset = 9;
    how.header = &h;
    CHECK(taco_archive_create(path, m, 8, &how, &e) == TACO_OK);
    CHECK(taco_header_read(path, NULL, &back, &e) == TACO_OK && back.count == 1 &&
          back.ranges[0].offset == 9 && back.ranges[0].size == 0);
    h.count = 8;
    CHECK(taco_archive_create(path, m, 8, &how, &e) == TACO_ERR_ARGUMENT);
    e = none();
    how.header = NULL;
    m[3].path = "build/no_such_file";
    CHECK(taco_archive_create(path, m, 8, &how, &e) == TACO_ERR_NOT_FOUND);
    m[3].path = NULL;
    m[3].name = "m2";
    e = none();
    CHECK(taco_archive_create(path, m, 8, &how, &e) == TACO_ERR_ARGUMENT);
    CHECK(strstr(e.text, "two members are named 'm2'") != NULL);
    CHECK(taco_archive_create(path, NULL, 1, NULL, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_archive_create(NULL, m, 1, NULL, NULL) == TACO_ERR_ARGUMENT);
    remove(path);
}

/* ---- 2^32 bytes and more ---- */

/* A file most of which is nowhere: what is written is kept in pieces, the rest is zeros. */
static struct {
    struct {
        uint64_t at;
        size_t len;
        uint8_t data[4096];
    } piece[64];

    size_t count;
    uint64_t end;
} sparse;

static bool sparse_write(void *ctx, uint64_t at, const void *data, size_t len)
{
    const uint8_t *p = (const uint8_t *)data;
    (void)ctx;
    sparse.end = TACO__MAX(sparse.end, at + len);
    while (len) {
        size_t n = TACO__MIN(len, sizeof sparse.piece[0].data);
        if (sparse.count == TACO__COUNT(sparse.piece)) { return false; }
        sparse.piece[sparse.count].at = at;
        sparse.piece[sparse.count].len = n;
        memcpy(sparse.piece[sparse.count++].data, p, n);
        p += n;
        at += n;
        len -= n;
    }
    return true;
}

static bool sparse_close(void *ctx, bool keep)
{
    (void)ctx;
    return keep;
}

static bool sparse_read(void *ctx, uint64_t at, void *dst, size_t len)
{
    size_t i;
    (void)ctx;
    memset(dst, 0, len);
    for (i = 0; i < sparse.count; i++) { /* later pieces lie over earlier ones */
        uint64_t from = TACO__MAX(at, sparse.piece[i].at);
        uint64_t to = TACO__MIN(at + len, sparse.piece[i].at + sparse.piece[i].len);
        if (from < to) {
            memcpy((uint8_t *)dst + (size_t)(from - at),
                   sparse.piece[i].data + (size_t)(from - sparse.piece[i].at), (size_t)(to - from));
        }
    }
    return true;
}

/* Sizes and places on both sides of 2^32 - 1, from which on they are in the extra field: the
   dataset and its central directory have them again. */
static void zip64(void)
{
    static const uint64_t sizes[] = {
        10, UINT64_C(0xFFFFFFFE), UINT64_C(0xFFFFFFFF), UINT64_C(0x100000000),
        3,  UINT64_C(1) << 45};
    static const char *const ids[] = {"a", "b", "c", "d", "e", "f"};
    uint64_t offsets[6];
    taco_sink sink;
    taco_source src;
    taco_dataset *ds;
    taco_writer *w;
    taco_error e = none();
    taco__mem mem;
    taco__file file;
    taco__zip_dir dir;
    taco__zip_iter it;
    taco__zip_entry entry;
    taco__buf scratch;
    taco_bytes directory;
    size_t i, found = 0;
    memset(&sink, 0, sizeof sink);
    memset(&src, 0, sizeof src);
    memset(&scratch, 0, sizeof scratch);
    sink.write = sparse_write;
    sink.close = sparse_close;
    w = taco_create_sink(&sink, NULL, &e);
    taco_writer_collection(w, collection, sizeof collection - 1);
    for (i = 0; i < 6; i++) {
        CHECK(taco_writer_placed(w, ids[i], sizes[i], (uint32_t)i + 7, &offsets[i]) == TACO_OK);
    }
    CHECK(taco_writer_finish(w, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    src.size = sparse.end;
    src.read = sparse_read;
    ds = taco_open_source(&src, "far.tacozip", NULL, &e);
    CHECK_TEXT(e.text, "");
    for (i = 0; i < 6; i++) {
        taco_sample s;
        CHECK(taco_locate(ds, ids[i], &s, &e) == TACO_OK && s.offset == offsets[i] &&
              s.size == sizes[i]);
        CHECK(i == 0 || offsets[i] == offsets[i - 1] + sizes[i - 1] + TACO__ZIP_LOCAL_BYTES + 6 +
                                          (sizes[i] >= 0xFFFFFFFFU ? 20 : 0));
    }
    taco_close(ds);
    taco__mem_init(&mem, NULL);
    scratch.mem = &mem;
    taco__file_init(&file, &src, "", &mem);
    CHECK(taco__zip_open(&file, &dir, &scratch, &e) == TACO_OK &&
          taco__zip_read_directory(&file, &dir, 1 << 20, &scratch, &directory, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    it = taco__zip_iter_init(directory, &dir);
    while (taco__zip_next(&it, &entry, &e)) {
        for (i = 0; i < 6; i++) {
            if (entry.name.len == 6 && memcmp(entry.name.data, "DATA/", 5) == 0 &&
                entry.name.data[5] == (uint8_t)ids[i][0]) {
                taco__zip_local_header local;
                taco__buf more;
                memset(&more, 0, sizeof more);
                more.mem = &mem;
                found++;
                CHECK(entry.size == sizes[i] && entry.csize == sizes[i] &&
                      entry.crc == (uint32_t)i + 7);
                CHECK(taco__zip_locate_entry(&file, &dir, &entry, &local, &more, &e) == TACO_OK &&
                      local.data == offsets[i] && local.csize == sizes[i]);
                taco__buf_free(&more);
            }
        }
    }
    CHECK_TEXT(e.text, "");
    CHECK(found == 6 && !it.bad);
    taco__buf_free(&scratch);
    taco__file_close(&file);
    CHECK(mem.used == 0);
}

/* ---- counts of many ---- */

/* The n of a pattern over two parts. */
static int64_t sum_of(int64_t a, int64_t b)
{
    static taco__pit_pattern patterns[2];
    static const uint64_t rows[2];
    taco__catalogue m;
    taco__collection c;
    taco_error e = none();
    taco__mem mem;
    int64_t sum;
    taco__mem_init(&mem, NULL);
    memset(&m, 0, sizeof m);
    memset(&c, 0, sizeof c);
    m.arena.mem = &mem;
    c.pit.levels[0].patterns = patterns;
    c.pit.levels[0].count = 2;
    patterns[1].n = a;
    CHECK(taco__catalogue_add_counts(&m, &c, rows, 2, true, &e));
    patterns[1].n = b;
    CHECK(taco__catalogue_add_counts(&m, &c, rows, 2, false, &e));
    sum = m.sums[0][1];
    taco__arena_free(&m.arena);
    return sum;
}

static void sums_of_patterns(void)
{
    CHECK(sum_of(3, 4) == 7);
    CHECK(sum_of(3, -1) == -1 && sum_of(-1, 3) == -1 && sum_of(-5, -5) == -1);
    CHECK(sum_of(INT64_MAX - 1, 1) == INT64_MAX && sum_of(1, INT64_MAX - 1) == INT64_MAX);
    CHECK(sum_of(INT64_MAX, 1) == -1 && sum_of(INT64_MAX, INT64_MAX) == -1);
}

/* ---- tables of text ---- */

/* The type of a column and its values; or the message. */
static const char *table_of(const char *path, const char *text, const char *name)
{
    static char out[1024];
    static const char *const types[] = {"null", "bool"};
    FILE *f = fopen(path, "wb");
    taco_options o;
    taco_table *t;
    taco_error e = none();
    size_t n, i, k, at = 0;
    const taco_field *fields;
    CHECK(f && fwrite(text, 1, strlen(text), f) == strlen(text) && fclose(f) == 0);
    memset(&o, 0, sizeof o);
    o.warn = hear;
    told[0] = out[0] = 0;
    t = taco_table_open(path, &o, &e);
    fields = taco_table_fields(t, &n);
    for (k = 0; k < n && strcmp(fields[k].name, name) != 0; k++) {}
    if (t && k < n) {
        const taco_array *a = &taco_table_rows(t)->columns[k];
        const taco_field *item = fields[k].type == TACO_LIST ? fields[k].children : &fields[k];
        at = (size_t)snprintf(out, sizeof out,
                              "%s%s:", fields[k].type == TACO_LIST ? "list of " : "",
                              item->type <= TACO_BOOL        ? types[item->type]
                              : item->type == TACO_INT64     ? "int"
                              : item->type == TACO_UINT64    ? "uint"
                              : item->type == TACO_DOUBLE    ? "double"
                              : item->type == TACO_TEXT      ? "text"
                              : item->type == TACO_TIMESTAMP ? "time"
                              : item->type == TACO_BINARY    ? "binary"
                              : item->type == TACO_FLOAT     ? "float"
                                                             : "?");
        for (i = 0; i < a->length; i++) {
            taco__mem mem;
            taco__buf b;
            bool null = false;
            taco__mem_init(&mem, NULL);
            memset(&b, 0, sizeof b);
            b.mem = &mem;
            CHECK(taco__cell_bare(&b, a, i, &null, &e));
            at += (size_t)snprintf(out + at, sizeof out - at, " %.*s", null ? 1 : (int)b.len,
                                   null     ? "-"
                                   : b.data ? (const char *)b.data
                                            : "");
            taco__buf_free(&b);
        }
    } else {
        snprintf(out, sizeof out, "%s", t ? "no such column" : e.text);
    }
    taco_table_close(t);
    return out;
}

static void tables_of_text(void)
{
    static const struct {
        const char *end, *text, *column, *want;
    } t[] = {
        {"csv", "a,b\n1,x\n-2,\n", "a", "int: 1 -2"},
        {"csv", "a,b\n1,x\n-2,\n", "b", "text: x -"},
        {"csv",
         "\xEF\xBB\xBF"
         "a\r\n1.5\r\n2\r\n",
         "a", "double: 1.5 2.0"},
        {"csv", "a\n2\n1.5", "a", "double: 2.0 1.5"},
        {"csv", "a\ntrue\nfalse\n", "a", "bool: true false"},
        {"csv", "a\ntrue\n1\n", "a", "text: true 1"},
        {"csv", "a\n1e5\n-0\n", "a", "double: 100000.0 -0.0"},
        {"csv", "a\n01\n1.\n", "a", "text: 01 1."},
        {"csv", "a\n\"1\"\n2\n", "a", "text: 1 2"},
        {"csv", "a,b\n\"x,\"\"y\nz\"\"\",1\n,2\n", "a", "text: x,\"y\nz\" -"},
        {"csv", "a,b\n\"\",1\n,2\n", "a", "text:  -"},
        {"csv", "a,b\n1,2\n1\n", "a", "build/tmp_edges.csv: row 2 has 1 fields, the header 2"},
        {"csv", "a\n1\n1,2\n", "a", "build/tmp_edges.csv: row 2 has 2 fields, the header 1"},
        {"csv", "id,a\n7,1\n", "id", "text: 7"},
        {"csv", "stac:time_start\n2020-01-01\n", "stac:time_start",
         "time: 2020-01-01T00:00:00.000000"},
        {"csv", "x:time_middle\n2020-01-01T00:00:00.5Z\n", "x:time_middle",
         "time: 2020-01-01T00:00:00.500000"},
        {"csv", "x:time_end\nsoon\n", "x:time_end",
         "build/tmp_edges.csv: row 1, column 'x:time_end': not a value of the column's type"},
        {"csv", "x:centroid\n0aFF\n", "x:centroid", "binary: 0aff"},
        {"csv", "x:geometry\n0a0\n", "x:geometry",
         "build/tmp_edges.csv: row 1, column 'x:geometry': not a value of the column's type"},
        {"csv", "x:geometry\n0g\n", "x:geometry",
         "build/tmp_edges.csv: row 1, column 'x:geometry': not a value of the column's type"},
        {"csv", "x:geometry\n0/\n", "x:geometry",
         "build/tmp_edges.csv: row 1, column 'x:geometry': not a value of the column's type"},
        {"csv", "geoenrich:gdp\n3\n", "geoenrich:gdp", "float: 3.0"},
        {"ndjson", "{\"a\":[1,2]}\n{\"a\":[]}\n{\"a\":null}\n", "a", "list of int: [1,2] [] -"},
        {"ndjson", "{\"a\":[1]}\n{\"a\":[2.5]}\n", "a", "list of double: [1.0] [2.5]"},
        {"ndjson", "{\"a\":[2.5]}\n{\"a\":[1]}\n", "a", "list of double: [2.5] [1.0]"},
        {"ndjson", "{\"a\":[1,2.5]}\n", "a", "list of double: [1.0,2.5]"},
        {"ndjson", "{\"a\":[2.5,1]}\n", "a", "list of double: [2.5,1.0]"},
        {"ndjson", "{\"a\":[1,null]}\n", "a", "list of int: [1,null]"},
        {"ndjson", "{\"a\":[null,1.5]}\n{\"a\":[null]}\n", "a",
         "list of double: [null,1.5] [null]"},
        {"ndjson", "{\"a\":[\"x\",null]}\n", "a", "text: [\"x\",null]"},
        {"ndjson", "{\"a\":[[1,2],[3]]}\n", "a", "text: [[1,2],[3]]"},
        {"ndjson", "{\"geotiff:stats\":[[1,2.5],[3]]}\n{\"geotiff:stats\":null}\n", "geotiff:stats",
         "list of ?: [[1.0,2.5],[3.0]] -"},
        {"ndjson", "{\"geotiff:stats\":[[1],2]}\n", "geotiff:stats", "text: [[1],2]"},
        {"ndjson", "{\"scaling:padding\":null}\n", "scaling:padding", "list of ?: -"},
        {"csv", "id,stac:tensor_shape\nx,\n", "stac:tensor_shape", "list of int: -"},
        {"csv", "id,stac:geotransform\nx,\n", "stac:geotransform", "list of double: -"},
        {"csv", "id,scaling:scale_factor\nx,\n", "scaling:scale_factor", "float: -"},
        {"csv", "id,stac:time_end\nx,\n", "stac:time_end", "time: -"},
        {"csv", "id,istac:geometry\nx,\n", "istac:geometry", "binary: -"},
        {"csv", "id,split\nx,\n", "split", "text: -"},
        {"ndjson", "{\"a\":[true]}\n", "a", "text: [true]"},
        {"ndjson", "{\"a\":[[1]]}\n{\"a\":[1]}\n", "a", "text: [[1]] [1]"},
        {"ndjson", "{\"a\":{\"b\":1}}\n{\"a\":[1]}\n", "a", "text: {\"b\":1} [1]"},
        {"ndjson", "{\"a\":1}\n\n{\"b\":2}\n", "a", "int: 1 -"},
        {"ndjson", "{\"a\":1,\"a\":2}\n", "a",
         "build/tmp_edges.ndjson: row 1 has the key 'a' twice"},
        {"ndjson", "{\"a\":true}\n{\"a\":\"x\"}\n", "a", "text: true x"},
        {"ndjson", "{\"a\":[1]}\n{\"a\":\"x\"}\n", "a", "text: [1] x"},
        {"ndjson", "{\"id\":7}\n{\"id\":\"x\"}\n", "id", "text: 7 x"},
        {"ndjson", "{\"a\":9223372036854775808}\n{\"a\":18446744073709551615}\n{\"a\":0}\n", "a",
         "uint: 9223372036854775808 18446744073709551615 0"},
        {"ndjson", "{\"a\":[1,18446744073709551615]}\n", "a",
         "list of uint: [1,18446744073709551615]"},
        {"ndjson", "{\"a\":18446744073709551616}\n", "a",
         "build/tmp_edges.ndjson: row 1, column 'a': '18446744073709551616' does not fit: integers "
         "are "
         "int64, or uint64 if all of a column fit that"},
        {"csv", "a\n1\n18446744073709551615\n", "a", "uint: 1 18446744073709551615"},
        {"csv", "a\n1.5\n18446744073709551616\n", "a", "text: 1.5 18446744073709551616"},
        {"csv", "a\n9223372036854775808\n-1\n", "a", "text: 9223372036854775808 -1"},
        {"csv", "a\n1\n1e999\n", "a", "text: 1 1e999"},
        {"csv", "a\n-1e999\n", "a", "text: -1e999"},
        {"ndjson", "{\"a\":[1e999]}\n", "a",
         "build/tmp_edges.ndjson: row 1, column 'a': '1e999' is out of the range of a double"},
        {"csv", "a\n1.7976931348623157e308\n1e-999\n", "a", "text: 1.7976931348623157e308 1e-999"},
        {"csv", "geoenrich:gdp\n1e39\n", "geoenrich:gdp",
         "build/tmp_edges.csv: row 1, column 'geoenrich:gdp': '1e39' is out of the range of a "
         "float"},
        {"csv", "a,b\n5\" pipe,1\nx,2\"\n", "a", "text: 5\" pipe x"},
        {"csv", "a,b\n5\" pipe,1\nx,2\"\n", "b", "text: 1 2\""},
        {"csv", "a,b\n\"x\"y,1\n", "a",
         "build/tmp_edges.csv: row 1: text after a closing quote at byte 7"},
        {"csv", "a,b\nx,1\n\"y,2\nz,3\n", "a",
         "build/tmp_edges.csv: row 2: no end of the quotes that open at byte 8"},
        {"csv", "a,b\nx,\"y\"\"", "a",
         "build/tmp_edges.csv: row 1: no end of the quotes that open at byte 6"},
        {"csv", "a,\"b\nx,1\n", "a",
         "build/tmp_edges.csv: the header: no end of the quotes that open at byte 2"},
        {"csv", "a,b\nx,\"", "a",
         "build/tmp_edges.csv: row 1: no end of the quotes that open at byte 6"},
        {"csv", "a,b\r1,\"x\ry\"\r2,z\r", "b", "text: x\ry z"},
        {"csv", "a,b\r1,2\r3,4", "a", "int: 1 3"},
        {"csv", "a,b\n", "a", "build/tmp_edges.csv: the table has no rows"},
        {"csv", "", "a", "build/tmp_edges.csv: the table has no rows"},
        {"ndjson", "\n", "a", "build/tmp_edges.ndjson: the table has no rows"},
        {"ndjson", "{\"x:geotransform\":[1,2,3,4,5,6]}\n", "x:geotransform",
         "list of double: [1.0,2.0,3.0,4.0,5.0,6.0]"},
        {"ndjson", "[1]\n", "a", "build/tmp_edges.ndjson: row 1 is not a JSON object"},
        {"ndjson", "{\"a\":1}\n{\"a\":}\n", "a", "build/tmp_edges.ndjson: at byte 13: "},
        {"txt", "a\n1\n", "a",
         "build/tmp_edges.txt: a table needs a name that ends in .ndjson, .csv or .parquet"}};

    char path[64];
    size_t i;
    for (i = 0; i < TACO__COUNT(t); i++) {
        const char *got;
        snprintf(path, sizeof path, "build/tmp_edges.%s", t[i].end);
        got = table_of(path, t[i].text, t[i].column);
        if (t[i].want[strlen(t[i].want) - 1] == ' ') {
            CHECK(strncmp(got, t[i].want, strlen(t[i].want)) == 0);
        } else {
            CHECK_TEXT(got, t[i].want);
        }
        remove(path);
    }
    table_of("build/tmp_edges.jsonl", "{\"a\":true}\n{\"a\":\"x\"}\n{\"a\":3}\n", "a");
    CHECK_TEXT(told, "build/tmp_edges.jsonl: row 2, column 'a': text, the rows before have truth "
                     "values; all become text\n");
    remove("build/tmp_edges.jsonl");
    CHECK(taco_table_open("build/no_such.csv", NULL, NULL) == NULL);
    CHECK(taco_table_open(NULL, NULL, NULL) == NULL);
}

/* ---- codes of places ---- */

static void codes_of_grids(void)
{
    static const char *const bad[] = {"",
                                      "100km",
                                      "0100km_0003",
                                      "0100km_0003X_0005R",
                                      "0100km_0003U",
                                      "0100km_0003U_",
                                      "0100km_0003U_0005",
                                      "0100km_0003U_0005X",
                                      "0100km_0003U_0005Rx",
                                      "0100km_0000D_0005R",
                                      "0100km_0003U_0000L",
                                      "0100ml_0003U_0005R",
                                      "0100km-0003U_0005R",
                                      "0100km_0003U-0005R",
                                      "km_0003U_0005R",
                                      "0100km_1234567890U_0005R",
                                      NULL};
    static const double places[][2] = {{0, 0},       {5, 52},   {-5, -52},
                                       {179.99, 84}, {180, 85}, {-0.001, -0.001}};
    taco_majortom_grid grid;
    taco_error e;
    char code[100];
    double at[2];
    size_t i;
    memset(&grid, 0, sizeof grid);
    grid.km = 100;
    for (i = 0; i < TACO__COUNT(bad); i++) {
        e = none();
        CHECK(taco_majortom_point(&grid, bad[i], at, &e) == TACO_ERR_ARGUMENT);
        CHECK(strstr(e.text, "a code like 0100km_0003U_0005R is wanted, found ") != NULL);
    }
    for (i = 0; i < TACO__COUNT(places); i++) { /* the south-west corner, less than a cell away */
        e = none();
        CHECK(taco_majortom_code(&grid, places[i][0], places[i][1], code, sizeof code, &e) ==
              TACO_OK);
        CHECK(taco_majortom_point(&grid, code, at, &e) == TACO_OK);
        CHECK_TEXT(e.text, "");
        CHECK(at[1] <= places[i][1] && places[i][1] - at[1] < 0.9);
        CHECK(at[0] <= places[i][0] && places[i][0] - at[0] < 12);
        CHECK(taco_majortom_code(&grid, at[0], at[1], code, 74, &e) == TACO_OK);
        CHECK(taco_majortom_code(&grid, at[0], at[1], code, 73, NULL) == TACO_ERR_LIMIT);
    }
    e = none();
    CHECK(taco_majortom_point(&grid, "0100km_0300U_0000R", at, &e) == TACO_ERR_NOT_FOUND);
    CHECK(strstr(e.text, "the grid has no row of") != NULL);
    e = none();
    CHECK(taco_majortom_point(&grid, "0100km_0000U_9000L", at, &e) == TACO_ERR_NOT_FOUND);
    CHECK(strstr(e.text, "the grid has no column of") != NULL);
    for (i = 0; i < 10; i++) {
        taco_majortom_grid g = grid;
        double lon = i == 0 ? 180.5 : i == 1 ? -180.5 : i == 2 ? NAN : 0;
        double lat = i == 3 ? 90.5 : i == 4 ? -90.5 : i == 5 ? NAN : 0;
        g.km = i == 6 ? 0.49 : i == 7 ? 20001 : i == 8 ? NAN : 100;
        g.south = i == 9 ? 10 : 0;
        g.north = i == 9 ? 9 : 0;
        CHECK(taco_majortom_code(&g, lon, lat, code, sizeof code, NULL) == TACO_ERR_ARGUMENT);
    }
    CHECK(taco_majortom_code(NULL, 0, 0, code, sizeof code, NULL) == TACO_ERR_ARGUMENT);
    grid.separator = "--";
    CHECK(taco_majortom_code(&grid, 5, 52, code, sizeof code, NULL) == TACO_OK);
    CHECK_TEXT(code, "0100km--0058U--0003R");
    CHECK(taco_majortom_point(&grid, code, at, NULL) == TACO_OK);
}

/* ---- statistics of pixels ---- */

static bool read_pixels(void *ctx, uint32_t band, uint64_t at, double *out, size_t n)
{
    const double *v = (const double *)ctx;
    (void)band;
    memcpy(out, v + at, n * sizeof *out);
    return true;
}

static void pixels(void)
{
    static double v[1000];
    static const int64_t classes[] = {1, 2, 5};
    taco_pixels p;
    uint64_t count[3];
    float out[9];
    taco_error e = none();
    bool any = false;
    size_t i;
    memset(&p, 0, sizeof p);
    p.ctx = v;
    p.read = read_pixels;
    p.bands = 1;
    p.count = 1000;
    for (i = 0; i < 1000; i++) {
        v[i] = (double)(999 - i);
    }
    CHECK(taco__band_stats_continuous(&p, 0, out, &any, &e) && any);
    CHECK(out[0] == 0 && out[1] == 999 && out[2] == 499.5F && out[4] == 100);
    CHECK(fabs((double)out[3] - 288.675) < 0.001);
    CHECK(fabs((double)out[5] - 244.755) < 0.001 && fabs((double)out[6] - 494.505) < 0.001 &&
          fabs((double)out[7] - 744.255) < 0.001 && fabs((double)out[8] - 944.055) < 0.001);
    p.scale = -2; /* the deviation, too; the share of valid ones stays */
    p.offset = 10;
    v[0] = NAN;
    v[1] = INFINITY;
    CHECK(taco__band_stats_continuous(&p, 0, out, &any, &e) && any);
    CHECK(out[0] == 10 && out[1] == -2 * 997 + 10 && fabs((double)out[4] - 99.8) < 1e-4);
    for (i = 0; i < 1000; i++) {
        v[i] = 7;
    }
    CHECK(taco__band_stats_continuous(&p, 0, out, &any, &e) && any);
    CHECK(out[0] == -4 && out[1] == -4 && out[3] == 0 && out[5] == -4 && out[8] == -4);
    for (i = 0; i < 1000; i++) {
        v[i] = i < 500 ? 5 : i < 750 ? 1 : i < 760 ? 2 : i % 2 ? 3 : NAN;
    }
    p.classes = classes;
    p.class_count = 3;
    CHECK(taco__band_stats_categorical(&p, 0, count, out, &any, &e) && any);
    CHECK(count[0] == 250 && count[1] == 10 && count[2] == 500);
    CHECK(fabs((double)out[0] - 250.0 / 760) < 1e-7 && fabs((double)out[2] - 500.0 / 760) < 1e-7);
    for (i = 0; i < 1000; i++) {
        v[i] = i % 2 ? 3 : NAN;
    }
    CHECK(taco__band_stats_categorical(&p, 0, count, out, &any, &e) && !any);
    p.class_count = 0;
    for (i = 0; i < 1000; i++) {
        v[i] = NAN;
    }
    CHECK(taco__band_stats_continuous(&p, 0, out, &any, &e) && !any);
    for (i = 0; i < 7; i++) {
        taco_pixels q = p;
        e = none();
        q.read = i == 0 ? NULL : p.read;
        q.bands = i == 1 ? 0 : i == 2 ? UINT16_MAX + 1 : 1;
        q.count = i == 3 ? 0 : 1;
        q.class_count = i == 4 ? 1 : i == 5 ? UINT16_MAX + 1 : 0;
        q.classes = i == 4 ? NULL : classes;
        CHECK(taco_writer_set_stats(NULL, i == 6 ? NULL : &q, &e) == TACO_ERR_ARGUMENT);
        CHECK_TEXT(e.text, "geotiff:stats needs bands, pixels and a way to read them");
    }
}

/* The paths of a batch of rows, which need more bytes than offsets can count to. */
static void long_paths(void)
{
    size_t i, n;
    for (n = 100; n <= 300; n += 200) {
        taco_error e = {0, TACO_OK, 0, {0}};
        taco_sink sink;
        taco_writer *w;
        CHECK(taco_sink_memory(&sink, NULL, &e) == TACO_OK);
        w = taco_create_sink(&sink, NULL, &e);
        taco_writer_collection(w, collection, sizeof collection - 1);
        taco_writer_folder_begin(w, "f");
        for (i = 0; i < n; i++) {
            char id[101];
            memset(id, 'x', 100);
            id[100] = 0;
            id[0] = (char)('a' + i % 26);
            id[1] = (char)('a' + i / 26);
            taco_writer_bytes(w, id, "1", 1);
        }
        taco_writer_folder_end(w);
        CHECK((taco_writer_finish(w, &e) == TACO_OK) == (n == 100));
        CHECK(e.code == (n == 100 ? TACO_OK : TACO_ERR_LIMIT));
        CHECK((strstr(e.text, "level 1: 300 rows given at once have paths of more than 20000 "
                              "bytes") != NULL) == (n == 300));
        taco_sink_free(&sink);
    }
}

int main(void)
{
    RUN(merged_boxes);
    RUN(merged_times);
    RUN(extents);
    RUN(spaces);
    RUN(group_names);
    RUN(impossible_types);
    RUN(times_of_columns);
    RUN(places_of);
    RUN(copied_breaches);
    RUN(other_rows);
    RUN(member_names);
    RUN(header_bytes);
    RUN(listed_members);
    RUN(zip64);
    RUN(sums_of_patterns);
    RUN(tables_of_text);
    RUN(codes_of_grids);
    RUN(long_paths);
    RUN(pixels);
    return test_end("test_write_edges");
}
