/* Queries: filters on every level, flat views, joins, select, order, concatenation, errors. */
#include "../taco.h"
#include "../extra/taco_sql.h"
#include "../extra/taco_write.h"

#include "test.h"

#include "footer.h"
#include "make.h"

#include <inttypes.h>

static taco_error none(void)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    return e;
}

static taco_query blank(void)
{
    taco_query q;
    memset(&q, 0, sizeof q);
    return q;
}

static taco_dataset *open_it(const char *path)
{
    taco_error e = none();
    taco_dataset *ds = taco_open(path, NULL, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    return ds;
}

static taco_dataset *open_made(mk_buf *z)
{
    taco_error e = none();
    taco_source s;
    taco_dataset *ds;
    taco_source_memory(&s, z->data, z->len);
    ds = taco_open_source(&s, "made.tacozip", NULL, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    return ds;
}

/* Values of one column of a result, joined by spaces; "-" for null. The error's text when there is
   one. */
static const char *list(taco_dataset *ds, const taco_query *q, const char *column)
{
    static char out[4096];
    taco_error e = none();
    taco_cursor *c = taco_select(ds, q, &e);
    size_t n = 0;
    out[0] = 0;
    while (taco_cursor_next(c)) {
        const char *t = taco_cursor_text(c, column);
        n += (size_t)snprintf(out + n, sizeof out - n, "%s%s", n ? " " : "", t ? t : "-");
        if (n >= sizeof out) { break; }
    }
    taco_cursor_close(c, &e);
    if (e.code != TACO_OK) {
        snprintf(out, sizeof out, "%s: %s", taco_status_name(e.code), e.text);
    }
    return out;
}

static size_t count(taco_dataset *ds, const taco_query *q)
{
    taco_error e = none();
    taco_cursor *c = taco_select(ds, q, &e);
    taco_batch b;
    size_t n = 0;
    while (taco_cursor_batch(c, &b)) {
        n += b.length;
    }
    taco_cursor_close(c, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    return n;
}

/* ---- made datasets ---- */

static mk_buf joined(void)
{
    static const double v[] = {1, 2, 3};
    static const char *const ids[] = {"a", "b", "a", "b", "lost", "nil", "c"};
    static const int64_t size[] = {1, 2, 3, 4, 5, 6, 7};
    return mk_family(v, ids, size);
}

static void hear(void *ctx, const taco_error *warning)
{
    snprintf((char *)ctx, sizeof warning->text, "%s", warning->text);
}

/* An export brings children into the order of their parents, and their columns with them. Rows
   without a parent stay behind, with a warning; if all samples are exported, that is an error. */
static void exported(void)
{
    static const char path[] = "build/test_query.tacozip";
    mk_buf z = joined();
    taco_dataset *ds = open_made(&z), *out;
    taco_error e = none();
    taco_query q = blank();
    taco_create_options how;
    taco_options options;
    taco_source s;
    char heard[sizeof e.text] = {0};
    memset(&how, 0, sizeof how);
    memset(&options, 0, sizeof options);
    options.limits.max_output = 1000; /* they share bytes */
    options.warn = hear;
    options.warn_ctx = heard;
    how.options = &options;
    how.fill = true;
    remove(path);
    CHECK(taco_export(ds, path, NULL, &how, &e) == TACO_ERR_CORRUPT);
    CHECK_TEXT(e.text,
               "build/test_query.tacozip: made.tacozip: METADATA/level1.parquet: row 4: "
               "internal:parent_id names no row of the level above, so that the row is of no "
               "sample");
    taco_close(ds);
    e = none();
    taco_source_memory(&s, z.data, z.len);
    ds = taco_open_source(&s, "made.tacozip", &options, &e);
    q.where = "id < 'z'";
    CHECK(taco_export(ds, path, &q, &how, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK(strstr(heard, "row 4: internal:parent_id names no row of the level above") != NULL);
    q.where = NULL;
    out = open_it(path);
    CHECK_TEXT(list(out, &q, "id"), "x y");
    q.table = 1;
    CHECK_TEXT(list(out, &q, "id"), "a b a b");
    CHECK_TEXT(list(out, &q, "w"), "7.0 8.0 5.0 6.0");
    CHECK_TEXT(list(out, &q, "internal:size"), "3 4 1 2");
    taco_close(out);
    taco_close(ds);
    free(z.data);
    remove(path);
}

static void joins(void)
{
    mk_buf z = joined();
    taco_dataset *ds = open_made(&z);
    taco_query q = blank();
    taco_filter f[2];
    q.level = 1;
    q.where = "w = 5";
    CHECK_TEXT(list(ds, &q, "id"), "y z"); /* distinct, in storage order */
    q.where = "w >= 5";
    CHECK_TEXT(list(ds, &q, "id"), "x y z");
    q.where = "w = 9";
    CHECK_TEXT(list(ds, &q, "id"), ""); /* an orphan and a row without a parent lead nowhere */
    q = blank();
    q.where = "v = 2";
    q.table = 1;
    CHECK_TEXT(list(ds, &q, "internal:size"), "1 2");
    q.where = NULL;
    /* no filter: every row of the level */
    CHECK_TEXT(list(ds, &q, "id"), "a b a b lost nil c");
    q.flat = true;
    CHECK_TEXT(list(ds, &q, "l0:id"), "y y x x z"); /* each child with its own parent */
    CHECK_TEXT(list(ds, &q, "l1:id"), "a b a b c");
    CHECK_TEXT(list(ds, &q, "l1:internal:size"), "- - - - -");
    q.order = "\"l0:id\" desc, l1:w desc";
    CHECK_TEXT(list(ds, &q, "l1:w"), "5.0 6.0 5.0 8.0 7.0");
    memset(f, 0, sizeof f);
    f[0].level = 1;
    f[0].where = "id = 'a'";
    f[1].level = 1;
    f[1].where = "w = 8"; /* holds for another child of the same parent: not along one path */
    q = blank();
    q.filters = f;
    q.filter_count = 2;
    CHECK_TEXT(list(ds, &q, "id"), "");
    f[1].where = "w = 7";
    CHECK_TEXT(list(ds, &q, "id"), "x");
    q.where = "v = 1";
    CHECK_TEXT(list(ds, &q, "id"), "x");
    q.table = 1;
    CHECK_TEXT(list(ds, &q, "internal:size"), "3");
    q.where = "v = 2";
    CHECK_TEXT(list(ds, &q, "id"), "");
    /* names of other levels: the parts of an AND are on the level of their columns */
    q = blank();
    q.where = "l1:id = 'a' AND L1:w = 7 AND v = 1 AND l0:id IS NOT NULL";
    CHECK_TEXT(list(ds, &q, "id"), "x");
    q.where = "l1:id = 'a' AND l1:w = 8";
    CHECK_TEXT(list(ds, &q, "id"), "");
    q.where = "(\"l0:v\" = 2 AND (w = 5 OR w = 6)) AND NOT id = 'a'";
    q.table = q.level = 1;
    CHECK_TEXT(list(ds, &q, "internal:size"), "2");
    q.where = "w = 5 OR l0:v = 1";
    CHECK_TEXT(
        list(ds, &q, "id"),
        "syntax: made.tacozip: where: 'w = 5 OR l0:v = 1': at column 10: 'l0:v' is of level 0, "
        "the column before it of level 1: conditions on different levels are joined by AND");
    q.where = "v = 1";
    CHECK(strstr(list(ds, &q, "id"), "no column 'v'") != NULL);
    CHECK(strstr(list(ds, &q, "id"), "; level 0 has it: l0:v") != NULL);
    q.where = "l9:v = 1";
    CHECK(strstr(list(ds, &q, "id"), "'l9:v': there is no level 9") != NULL);
    q.where = "l2:v = 1";
    CHECK_TEXT(list(ds, &q, "id"), "argument: made.tacozip: there is no level 2, the deepest is 1");
    q = blank();
    q.where = "v = 2";
    q.table = 2;
    CHECK(strstr(list(ds, &q, "id"),
                 "argument: made.tacozip: there is no level 2, the deepest is 1") != NULL);
    taco_close(ds);
    free(z.data);
}

static mk_buf ordered(void)
{
    static const char *const ids[] = {"a", "b", "c", "__TACOPAD__0", "e", NULL},
                             *const type[] = {"FILE", "FILE", "FILE", "FILE", "FILE", "FILE"};
    static const int64_t at[] = {163, 163, 163, 163, 163, 163},
                         dec[] = {-150, 25, 0, 7, 100000, -1}, bign[] = {3, 1, 2, 0, 2, 9};
    static const uint8_t null[] = {0, 0, 1, 0, 0, 0};
    static double f[6];
    static const int64_t t[] = {
        1577836799999999, 1577836800000000, 1577923199999999, 0, 1577923200000000, -1};
    mk_col c[8];
    mk_buf level;
    uint64_t nan = (uint64_t)0x7FF8 << 48;
    f[0] = 1.5;
    f[1] = -2;
    f[2] = 0;
    f[3] = 0;
    memcpy(&f[4], &nan, 8);
    f[5] = 9;
    c[0] = mk_text("id", ids);
    c[1] = mk_text("type", type);
    c[2] = mk_f64("f", f);
    c[2].null = null;
    c[3] = mk_i64("d", dec);
    c[3].type = MK_DECIMAL;
    c[4] = mk_i64("stac:time_start", t);
    c[4].type = MK_STAMP_UTC;
    c[5] = mk_i64("k", bign);
    c[6] = mk_i64("internal:offset", at);
    c[7] = mk_i64("internal:size", at);
    level = mk_parquet(c, 8, 6, 4);
    return mk_archive(&level, 1, MK_FLAT, "data", 4);
}

static const char *order(taco_dataset *ds, const char *by, uint64_t limit, uint64_t offset)
{
    taco_query q = blank();
    q.order = by;
    q.limit = limit;
    q.offset = offset;
    q.select = "internal:gdal_vsi, id";
    return list(ds, &q, "id");
}

static void orders(void)
{
    mk_buf z = ordered();
    taco_dataset *ds = open_made(&z);
    taco_query q = blank();
    CHECK_TEXT(list(ds, NULL, "id"), "a b c e -"); /* padding is hidden, a null id is not */
    q.padding = true;
    CHECK_TEXT(list(ds, &q, "id"), "a b c __TACOPAD__0 e -");
    CHECK_TEXT(order(ds, "f", 0, 0), "b a - e c"); /* NaN is the greatest, null behind it */
    CHECK_TEXT(order(ds, "f desc", 0, 0), "e - a b c");
    CHECK_TEXT(order(ds, "d", 0, 0), "a - c b e");
    CHECK_TEXT(order(ds, "d DESC", 0, 0), "e b c - a");
    CHECK_TEXT(order(ds, "id desc", 0, 0), "e c b a -");
    CHECK_TEXT(order(ds, "k, \"id\" desc", 0, 0), "b e c a -");
    CHECK_TEXT(order(ds, "k", 2, 1), "c e"); /* equal ones in storage order */
    CHECK_TEXT(order(ds, NULL, 2, 3), "e -");
    CHECK_TEXT(order(ds, NULL, 2, 9), "");
    CHECK(strstr(order(ds, "nope", 0, 0), "not found: made.tacozip: order: ") != NULL);
    CHECK(strstr(order(ds, "k sideways", 0, 0), "syntax: made.tacozip: order: ") != NULL &&
          strstr(order(ds, "k sideways", 0, 0), "'sideways'") != NULL);
    CHECK(strstr(order(ds, "", 0, 0), "expected a column") != NULL);
    q = blank();
    q.where = "f > 1";
    CHECK_TEXT(list(ds, &q, "id"), "a e -");
    q.where = "not (f > 1)";
    CHECK_TEXT(list(ds, &q, "id"), "b"); /* null stays unknown */
    q.where = NULL;
    q.time = "2020-01-01"; /* a whole day, closed */
    CHECK_TEXT(list(ds, &q, "id"), "b c");
    q.time = "2019-12-31/2020-01-01";
    CHECK_TEXT(list(ds, &q, "id"), "a b c");
    q.time = "2020-01-01T00:00:00/2020-01-02T00:00:00";
    q.exact_time = true; /* half open */
    CHECK_TEXT(list(ds, &q, "id"), "b c");
    q.time = "2020-01-02T00:00:00Z/2020-01-01T00:00:00Z";
    CHECK(strncmp(list(ds, &q, "id"), "syntax: ", 8) == 0 ||
          strncmp(list(ds, &q, "id"), "argument: ", 10) == 0);
    taco_close(ds);
    free(z.data);
}

/* Times that are text, INT96 of Spark, or what no time can be made of. */
static void times_of_other_types(void)
{
    static const char *const ids[] = {"a", "b", "c", "d", "e"},
                             *const type[] = {"FILE", "FILE", "FILE", "FILE", "FILE"},
                             *const texts[] = {"2020-01-01", "2020-01-01 23:59:59.5", "today", NULL,
                                               "2019-12-31T23:00:00Z"};
    static const uint8_t null[] = {0, 0, 0, 1, 0};
    static const int64_t at[] = {163, 163, 163, 163, 163}, size[] = {1, 1, 1, 1, 1},
                         numbers[] = {18262, 1, 2, 3, 4},
                         millis[] = {1577836800000, 1577923199999, 1577923200000, 0, 1577836799999};
    /* nanoseconds of a day, and its Julian number: 2458850 is 2020-01-01 */
    static const int64_t nanos[] = {0, 86399999999999, 0, 0, 86399999999999};
    static const uint32_t days[] = {2458850, 2458850, 2458851, 2458850, 2458849};
    uint8_t int96[60];
    mk_col c[5];
    size_t i;
    for (i = 0; i < 5; i++) {
        w_le64(int96 + i * 12, (uint64_t)nanos[i]);
        int96[i * 12 + 8] = (uint8_t)days[i];
        int96[i * 12 + 9] = (uint8_t)(days[i] >> 8);
        int96[i * 12 + 10] = (uint8_t)(days[i] >> 16);
        int96[i * 12 + 11] = (uint8_t)(days[i] >> 24);
    }
    for (i = 0; i < 4; i++) {
        static const char *const day[] = {"a b", "a b", "", "a b"},
                                 *const both[] = {"a b e", "a b e", "", "a b e"},
                                 *const hour[] = {"b", "b", "", "b"},
                                 *const noon[] = {"a", "a", "", "a"},
                                 *const order[] = {"", "e a b c d", "", "e a b c d"};
        mk_buf level, z;
        taco_dataset *ds;
        taco_query q = blank();
        c[0] = mk_text("id", ids);
        c[1] = mk_text("type", type);
        c[2] = i == 0   ? mk_text("stac:time_start", texts)
               : i == 1 ? mk_bin("stac:time_start", int96, 12)
                        : mk_i64("stac:time_start", i == 2 ? numbers : millis);
        c[2].type = i == 1 ? MK_INT96 : i == 3 ? MK_STAMP_MILLI : c[2].type;
        c[2].null = null;
        c[3] = mk_i64("internal:offset", at);
        c[4] = mk_i64("internal:size", size);
        level = mk_parquet(c, 5, 5, 5);
        z = mk_archive(&level, 1, MK_FLAT, "data", 4);
        ds = open_made(&z);
        q.time = "2020-01-01";
        CHECK_TEXT(list(ds, &q, "id"), day[i]);
        q.time = "2019-12-31/2020-01-01";
        CHECK_TEXT(list(ds, &q, "id"), both[i]);
        q.exact_time = true;
        q.time = "2020-01-01T23:00:00/2020-01-02T00:00:00";
        CHECK_TEXT(list(ds, &q, "id"), hour[i]);
        q.time = "2020-01-01T00:00:00/2020-01-01T12:00:00";
        CHECK_TEXT(list(ds, &q, "id"), noon[i]);
        if (order[i][0]) {
            q = blank();
            q.order = "\"stac:time_start\"";
            CHECK_TEXT(list(ds, &q, "id"), order[i]);
        }
        taco_close(ds);
        free(z.data);
    }
}

/* A stream's column `c`: its format, and its values. */
static const char *times_of(struct ArrowArrayStream *s, int c)
{
    static char text[200];
    struct ArrowSchema schema;
    struct ArrowArray a;
    size_t n;
    int64_t i;
    CHECK(s->get_schema(s, &schema) == 0 && s->get_next(s, &a) == 0 && a.release);
    n = (size_t)snprintf(text, sizeof text, "%s", schema.children[c]->format);
    for (i = 0; i < a.length; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, " %" PRId64,
                              ((const int64_t *)a.children[c]->buffers[1])[i]);
    }
    schema.release(&schema);
    a.release(&a);
    s->release(s);
    return text;
}

static int told_units; /* warnings about digits that are cut */

static void count_warning(void *ctx, const taco_error *w)
{
    (void)ctx;
    told_units += strstr(w->text, "it leaves as microseconds, and digits below are cut") != NULL;
}

/* The column in Arrow: as taco_pq_reader_export has it, from row `first` on. */
static const char *exported_times(const mk_buf *level, uint64_t first)
{
    taco_error e = none();
    taco_options opt;
    taco_source src;
    taco_pq_query pq;
    taco_pq_file *f;
    struct ArrowArrayStream s;
    memset(&opt, 0, sizeof opt);
    memset(&pq, 0, sizeof pq);
    opt.warn = count_warning;
    pq.first_row = first;
    taco_source_memory(&src, level->data, level->len);
    f = taco_pq_open_source(&src, "l", &opt, &e);
    CHECK(taco_pq_reader_export(taco_pq_read(f, &pq, &e), true, &s, &e) == TACO_OK);
    return times_of(&s, 2);
}

/* INT96 that 64 bits of nanoseconds do not hold. */
static void times_far_from_now(void)
{
    static const char *const ids[] = {"a", "b", "c", "d"}, *const type[] = {"FILE", "FILE", "FILE",
                                                                            "FILE"};
    static const int64_t at[] = {163, 163, 163, 163}, size[] = {1, 1, 1, 1};
    /* 9999-12-31, 0001-01-01, 2020-01-01, 2300-05-05 */
    static const uint32_t days[] = {5373484, 1721426, 2458850, 2561242};
    uint8_t int96[48] = {0};
    mk_col c[5];
    mk_buf level, z;
    taco_dataset *ds;
    taco_query q = blank();
    taco_error e = none();
    taco_cursor *cursor;
    struct ArrowArrayStream s;
    size_t i, k;
    for (i = 0; i < 4; i++) {
        for (k = 0; k < 4; k++) {
            int96[i * 12 + 8 + k] = (uint8_t)(days[i] >> 8 * k);
        }
    }
    c[0] = mk_text("id", ids);
    c[1] = mk_text("type", type);
    c[2] = mk_bin("stac:time_start", int96, 12);
    c[2].type = MK_INT96;
    c[3] = mk_i64("internal:offset", at);
    c[4] = mk_i64("internal:size", size);
    level = mk_parquet(c, 5, 4, 4);
    CHECK_TEXT(exported_times(&level, 0),
               "tsu: 253402214400000000 -62135596800000000 1577836800000000 "
               "10424505600000000");
    /* the unit of a file does not depend on which rows are read */
    CHECK_TEXT(exported_times(&level, 2), "tsu: 1577836800000000 10424505600000000");
    CHECK(told_units == 0);
    z = mk_archive(&level, 1, MK_FLAT, "data", 4);
    ds = open_made(&z);
    cursor = taco_select(ds, &q, &e);
    CHECK(taco_cursor_export(cursor, false, &s, &e) == TACO_OK);
    CHECK_TEXT(times_of(&s, 2), "tsu: 253402214400000000 -62135596800000000 1577836800000000 "
                                "10424505600000000");
    q.time = "2250-01-01/9999-12-31";
    CHECK_TEXT(list(ds, &q, "id"), "a d");
    q.time = "0001-01-01/1600-01-01";
    CHECK_TEXT(list(ds, &q, "id"), "b");
    taco_close(ds);
    free(z.data);
    int96[0] = 1; /* a nanosecond, which is cut */
    level = mk_parquet(c, 5, 4, 4);
    CHECK(exported_times(&level, 0) && told_units == 1);
    free(level.data);
    int96[0] = 0;
    memset(int96 + 8, 0x7F, 4); /* the year 5850300 */
    level = mk_parquet(c, 5, 4, 4);
    CHECK_TEXT(exported_times(&level, 0), "tsm: 184604102352000000 -62135596800000 1577836800000 "
                                          "10424505600000");
    free(level.data);
    memcpy(int96, int96 + 24, 12);
    memcpy(int96 + 12, int96 + 24, 12);
    memcpy(int96 + 36, int96 + 24, 12);
    int96[0] = 1;
    level = mk_parquet(c, 5, 4, 4);
    CHECK_TEXT(exported_times(&level, 0), "tsn: 1577836800000000001 1577836800000000000 "
                                          "1577836800000000000 1577836800000000000");
    free(level.data);
}

/* Decimals of as many bytes as each needs, the highest first. */
static void decimals_of_bytes(void)
{
    static const char *const ids[] = {"a", "b", "c", "d"}, *const type[] = {"FILE", "FILE", "FILE",
                                                                            "FILE"};
    static const uint8_t values[] = {0x00, 0x69, 0xFF, 0x97, 0x00, 0x00, 0x7F, 0xFF};
    static const int64_t at[] = {163, 163, 163, 163}, size[] = {1, 1, 1, 1};
    mk_col c[5];
    mk_buf level, z;
    taco_dataset *ds;
    taco_query q = blank();
    c[0] = mk_text("id", ids);
    c[1] = mk_text("type", type);
    c[2] = mk_bin("d", values, 2);
    c[2].type = MK_DECIMAL_BYTES;
    c[3] = mk_i64("internal:offset", at);
    c[4] = mk_i64("internal:size", size);
    level = mk_parquet(c, 5, 4, 4);
    z = mk_archive(&level, 1, MK_FLAT, "data", 4);
    ds = open_made(&z);
    q.order = "d desc";
    CHECK_TEXT(list(ds, &q, "d"), "327.67 1.05 0.00 -1.05");
    q.where = "d between -1.05 and 1.05";
    CHECK_TEXT(list(ds, &q, "id"), "a c b");
    taco_close(ds);
    free(z.data);
}

/* Tables whose ids are numbers, or that have none: no row is padding. */
static void ids_of_numbers(void)
{
    static const char *const type[] = {"FILE", "FILE", "FILE"};
    static const int64_t at[] = {163, 163, 163}, size[] = {1, 2, 3}, ids[] = {7, 8, 9};
    size_t i;
    for (i = 0; i < 2; i++) {
        mk_buf level, z;
        mk_col c[4];
        taco_dataset *ds;
        taco_query q = blank();
        c[0] = mk_text("type", type);
        c[1] = mk_i64("internal:offset", at);
        c[2] = mk_i64("internal:size", size);
        c[3] = mk_i64("id", ids);
        level = mk_parquet(c, 4 - i, 3, 3);
        z = mk_archive(&level, 1, MK_FLAT, "data", 4);
        ds = open_made(&z);
        CHECK_TEXT(list(ds, &q, "internal:size"), "1 2 3");
        CHECK_TEXT(list(ds, &q, "internal:size"), "1 2 3"); /* once it is known */
        taco_close(ds);
        free(z.data);
    }
}

/* Values of the current row by name: of columns that are shown, of those that are not, and of none.
   */
static void accessors(void)
{
    mk_buf z = ordered();
    taco_dataset *ds = open_made(&z);
    taco_query q = blank();
    taco_cursor *c;
    taco_batch b;
    taco_bytes x;
    taco_error e = none();
    double d = 0;
    int64_t i = 0;
    struct ArrowArrayStream stream;
    q.select = "f, k";
    c = taco_select(ds, &q, &e);
    CHECK(!taco_cursor_text(c, "k") && !taco_cursor_int(c, "k", &i) && !*taco_cursor_json(c));
    CHECK(!taco_cursor_text(NULL, "k") && !*taco_cursor_json(NULL) && !taco_cursor_positions(NULL));
    CHECK(!taco_cursor_positions(c) && taco_cursor_next(c) && !taco_cursor_positions(c));
    CHECK(!taco_cursor_text(c, NULL) && !taco_cursor_bytes(c, NULL, &x));
    CHECK(taco_cursor_int(c, "k", &i) && i == 3 && taco_cursor_double(c, "k", &d) && d == 3);
    CHECK(!taco_cursor_int(c, "f", &i) && taco_cursor_double(c, "f", &d) && d == 1.5);
    CHECK(!taco_cursor_bytes(c, "k", &x)); /* a number has no bytes of its own */
    /* hidden */
    CHECK(taco_cursor_double(c, "internal:size", &d) && d == 163);
    CHECK(!taco_cursor_double(c, "id", &d) && !taco_cursor_int(c, "id", &i));
    CHECK(taco_cursor_bytes(c, "id", &x) && x.len == 1 && x.data[0] == 'a');
    CHECK(!taco_cursor_bytes(c, "internal:size", &x) && !taco_cursor_bytes(c, "d", &x));
    CHECK(!taco_cursor_int(c, "d", &i) && !taco_cursor_text(c, "internal:none"));
    CHECK(strncmp(taco_cursor_vsi(c), "/vsisubfile/163_163,", 20) == 0);
    CHECK(!taco_cursor_batch(c, &b) && taco_cursor_close(c, &e) == TACO_ERR_STATE);
    CHECK_TEXT(e.text, "taco_cursor_next was used before taco_cursor_batch");
    e = none();
    c = taco_select(ds, &q, &e);
    CHECK(taco_cursor_next(c) && taco_cursor_export(c, false, NULL, &e) == TACO_ERR_STATE);
    e = none();
    c = taco_sql(ds, "SELECT f, k FROM data ORDER BY k LIMIT 1", &e);
    CHECK(taco_cursor_next(c) && taco_cursor_int(c, "k", &i) && i == 1);
    CHECK(taco_cursor_close(c, &e) == TACO_OK);
    c = taco_sql(ds, "SELECT count(*) AS n FROM data", &e);
    CHECK(taco_cursor_next(c) && !*taco_cursor_vsi(c) && !*taco_cursor_vsi(c));
    CHECK(taco_cursor_close(c, &e) == TACO_ERR_STATE &&
          strstr(e.text, "the rows are not known to be samples") != NULL);
    e = none(); /* a row that cannot be made, in a stream */
    c = taco_sql(ds, "SELECT CAST(id AS INTEGER) AS n FROM data", &e);
    CHECK(taco_cursor_export(c, false, &stream, &e) == TACO_OK);
    {
        struct ArrowArray a;
        CHECK(stream.get_next(&stream, &a) != 0);
        CHECK_TEXT(stream.get_last_error(&stream), "'a' is not a valid INTEGER");
        stream.release(&stream);
    }
    taco_close(ds);
    free(z.data);
}

static void errors(void)
{
    mk_buf z = ordered();
    taco_dataset *ds = open_made(&z);
    taco_query q = blank();
    taco_error e = none();
    double box[4] = {0, 0, 1, 1};
    size_t i;
    static const char *const holes[][2] = {{"id,,type", "syntax: made.tacozip: "},
                                           {",id", "expected a column, found a comma"},
                                           {"id, ", "expected a column after the last comma"},
                                           {" ", "expected a column, found the end"},
                                           {"\"id", "a quote is not closed"},
                                           {"\"\"", "no column"}};
    q.where = "idd = 'a'";
    CHECK(strncmp(list(ds, &q, "id"), "not found: made.tacozip: where: ", 32) == 0 &&
          strstr(list(ds, &q, "id"), "id") != NULL);
    q.where = "id = ";
    CHECK(strncmp(list(ds, &q, "id"), "syntax: made.tacozip: ", 22) == 0);
    e = none();
    CHECK(taco_select(ds, &q, &e) == NULL && e.code == TACO_ERR_SYNTAX && e.offset == 5);
    q = blank();
    q.select = "id, nope";
    CHECK(strstr(list(ds, &q, "id"), "not found: made.tacozip: select: ") != NULL);
    q.select = "id type";
    CHECK(strstr(list(ds, &q, "id"), "expected a comma, found 'type'") != NULL);
    for (i = 0; i < sizeof holes / sizeof *holes; i++) {
        q.select = holes[i][0];
        CHECK(strstr(list(ds, &q, "id"), holes[i][1]) != NULL);
        q.select = NULL;
        q.order = holes[i][0];
        CHECK(strstr(list(ds, &q, "id"), holes[i][1]) != NULL);
        q.order = NULL;
    }
    q = blank();
    q.bbox = box;
    CHECK(strstr(list(ds, &q, "id"), "istac:geometry, stac:centroid, istac:centroid") != NULL);
    q.geometry_column = "id";
    CHECK(strstr(list(ds, &q, "id"), "is not a geometry") != NULL);
    q = blank();
    q.level = 3;
    q.where = "id = 'a'";
    CHECK(strncmp(list(ds, &q, "id"), "argument: ", 10) == 0);
    taco_close(ds);
    free(z.data);
}

/* Text, numbers and JSON of the row cursor against the arrays of the batch cursor. */
static void rows_and_batches(const char *path)
{
    taco_dataset *ds = open_it(path);
    taco_error e = none();
    taco_cursor *r = taco_select(ds, NULL, &e), *b = taco_select(ds, NULL, &e);
    taco_batch batch;
    size_t n, i, k, rows = 0;
    const taco_field *f = taco_cursor_fields(r, &n);
    while (taco_cursor_batch(b, &batch)) {
        CHECK(batch.column_count == n);
        for (i = 0; i < batch.length; i++, rows++) {
            const char *first = NULL;
            CHECK(taco_cursor_next(r));
            for (k = 0; k < n; k++) {
                const taco_array *a = &batch.columns[k];
                int64_t x = -1;
                double d = -1;
                taco_bytes bytes;
                const char *text = taco_cursor_text(r, f[k].name);
                bool valid = taco_array_valid(a, i);
                bool number = f[k].type != TACO_TEXT && f[k].type != TACO_BINARY &&
                              f[k].type != TACO_FIXED && f[k].child_count == 0;
                bool whole = number && f[k].type != TACO_HALF && f[k].type != TACO_FLOAT &&
                             f[k].type != TACO_DOUBLE && f[k].type != TACO_DECIMAL;
                first = k == 0 ? text : first;
                CHECK((text != NULL) == valid);
                CHECK(taco_cursor_int(r, f[k].name, &x) == (valid && whole) &&
                      x == (valid && whole ? taco_array_int(a, i) : -1));
                CHECK(taco_cursor_double(r, f[k].name, &d) == (valid && number));
                CHECK(d != d || d == (valid && number ? taco_array_double(a, i) : -1));
                if (f[k].type == TACO_TEXT || f[k].type == TACO_BINARY) {
                    taco_bytes want = taco_array_bytes(a, i);
                    CHECK(taco_cursor_bytes(r, f[k].name, &bytes) == valid);
                    CHECK(bytes.len == want.len &&
                          (want.len == 0 || memcmp(bytes.data, want.data, want.len) == 0));
                }
            }
            CHECK_TEXT(first ? first : "-", taco_cursor_text(r, f[0].name)
                                                ? taco_cursor_text(r, f[0].name)
                                                : "-"); /* it lived on */
            CHECK(taco_cursor_json(r)[0] == '{');
        }
    }
    CHECK(!taco_cursor_next(r) && !taco_cursor_next(r) && rows > 0);
    CHECK(taco_cursor_text(r, "id") == NULL);
    CHECK(taco_cursor_close(r, &e) == TACO_OK && taco_cursor_close(b, &e) == TACO_OK);
    taco_close(ds);
}

/* Positions count over all datasets and stay what they are, whatever is asked for. */
static void positions(void)
{
    taco_dataset *ds = open_it("examples/data/multi");
    taco_error e = none();
    taco_query q = blank();
    taco_batch b;
    taco_cursor *c = taco_select(ds, NULL, &e);
    const uint64_t *at;
    const char *first[64];
    uint64_t rows = 0;
    size_t i, found = 0;
    char ids[64][32];
    CHECK(taco_cursor_positions(NULL) == NULL && taco_cursor_positions(c) == NULL);
    while (taco_cursor_batch(c, &b)) {
        at = taco_cursor_positions(c);
        for (i = 0; at && i < b.length && rows < 64; i++, rows++) {
            taco_bytes id = taco_array_bytes(&b.columns[0], i);
            CHECK(at[i] == rows && b.columns[0].field->type == TACO_TEXT && id.len < 32);
            memcpy(ids[rows], id.data, id.len);
            ids[rows][id.len] = 0;
            first[rows] = ids[rows];
        }
        CHECK(at != NULL);
    }
    CHECK(taco_cursor_positions(c) == NULL && taco_cursor_close(c, &e) == TACO_OK);
    CHECK((int64_t)rows == taco_level_rows(ds, 0, &e) && rows > 4);
    q.select = "id";
    q.offset = 1;
    q.where = "id >= ''";
    c = taco_select(ds, &q, &e);
    while (taco_cursor_batch(c, &b)) {
        at = taco_cursor_positions(c);
        for (i = 0; at && i < b.length; i++, found++) {
            taco_bytes id = taco_array_bytes(&b.columns[0], i);
            CHECK(at[i] == found + 1 && strlen(first[at[i]]) == id.len &&
                  memcmp(first[at[i]], id.data, id.len) == 0);
        }
    }
    CHECK(found == rows - 1 && taco_cursor_close(c, &e) == TACO_OK);
    q.order = "id";
    c = taco_select(ds, &q, &e);
    CHECK(taco_cursor_batch(c, &b) && taco_cursor_positions(c) == NULL);
    CHECK(taco_cursor_close(c, &e) == TACO_OK);
    c = taco_select(ds, NULL, &e);
    CHECK(taco_cursor_next(c) && taco_cursor_positions(c) == NULL);
    CHECK(taco_cursor_close(c, &e) == TACO_OK);
    c = taco_sql(ds, "SELECT id FROM data", &e);
    CHECK(taco_cursor_batch(c, &b) && taco_cursor_positions(c) == NULL);
    CHECK(taco_cursor_close(c, &e) == TACO_OK);
    taco_close(ds);
}

static void cursors_agree(void)
{
    rows_and_batches("examples/data/types.tacozip");
    rows_and_batches("examples/data/types_exotic.tacozip");
    rows_and_batches("examples/data/geo_stac.tacozip");
    rows_and_batches("examples/data/names.tacozip");
    rows_and_batches("examples/data/multi");
    rows_and_batches("examples/data/era_0130_folder");
}

/* Parts of a catalogue count their ids from 0 each: no cross products. */
static void catalogue(void)
{
    taco_dataset *ds = open_it("examples/data/multi");
    taco_error e = none();
    taco_query q = blank();
    taco_cursor *c;
    q.table = 1;
    CHECK(count(ds, &q) == 18);
    q.flat = true;
    CHECK(count(ds, &q) == 18);
    q = blank();
    CHECK(count(ds, &q) == 6);
    q.level = 1;
    q.where = "id = 'image'";
    CHECK(count(ds, &q) == 6);
    CHECK(taco_set_base_path(ds, "s3://b/k", &e) == TACO_OK);
    c = taco_select(ds, NULL, &e);
    CHECK(taco_cursor_next(c) &&
          strstr(taco_cursor_vsi(c), ",/vsis3/b/k/multi_part0001.tacozip") != NULL);
    taco_cursor_close(c, &e);
    taco_close(ds);
}

static void concatenation(void)
{
    const char *paths[2] = {"examples/data/concat/a.tacozip", "examples/data/concat/b.tacozip"};
    taco_error e = none();
    size_t n_a = 0, n_b = 0, n_i = 0, n_f = 0;
    taco_dataset *a = open_it(paths[0]), *b = open_it(paths[1]), *ds;
    size_t rows = count(a, NULL) + count(b, NULL);
    taco_level_fields(a, 0, &n_a, &e);
    taco_level_fields(b, 0, &n_b, &e);
    ds = taco_open_many(paths, 2, TACO_COLUMNS_INTERSECTION, NULL, &e);
    CHECK(taco_level_fields(ds, 0, &n_i, &e) != NULL && n_i <= n_a && n_i <= n_b);
    CHECK(count(ds, NULL) == rows);
    taco_close(ds);
    ds = taco_open_many(paths, 2, TACO_COLUMNS_FILL_MISSING, NULL, &e);
    CHECK(taco_level_fields(ds, 0, &n_f, &e) != NULL && n_f == n_a + n_b - n_i && n_f > n_i);
    CHECK(count(ds, NULL) == rows);
    CHECK_TEXT(taco_error_text(&e), "");
    taco_close(ds);
    ds = taco_open_many(paths, 2, TACO_COLUMNS_STRICT, NULL, &e);
    CHECK(taco_select(ds, NULL, &e) == NULL && e.code == TACO_ERR_ARGUMENT &&
          strstr(e.text, "is not in examples/data/concat/a.tacozip") != NULL);
    taco_close(ds);
    taco_close(a);
    taco_close(b);
}

static bool one_byte(void *ctx, uint64_t offset, void *dst, size_t len)
{
    (void)ctx;
    (void)offset;
    memset(dst, 0, len);
    return true;
}

static void count_close(void *ctx)
{
    ++*(int *)ctx;
}

/* Sources as one dataset, as paths are; all are closed, whichever fails. */
static void concatenated_sources(void)
{
    const char *paths[2] = {"examples/data/concat/a.tacozip", "examples/data/concat/b.tacozip"};
    taco_source src[2];
    taco_error e = none();
    taco_dataset *ds = open_it(paths[0]);
    size_t rows = count(ds, NULL);
    int closed = 0;
    taco_close(ds);
    ds = open_it(paths[1]);
    rows += count(ds, NULL);
    taco_close(ds);
    CHECK(taco_source_file(&src[0], paths[0], &e) == TACO_OK);
    CHECK(taco_source_file(&src[1], paths[1], &e) == TACO_OK);
    ds = taco_open_sources(src, paths, 2, TACO_COLUMNS_INTERSECTION, NULL, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK(count(ds, NULL) == rows);
    taco_close(ds);
    memset(src, 0, sizeof src);
    src[0].read = src[1].read = one_byte;
    src[0].close = src[1].close = count_close;
    src[0].ctx = src[1].ctx = &closed;
    src[0].size = src[1].size = 1;
    CHECK(!taco_open_sources(src, NULL, 2, TACO_COLUMNS_INTERSECTION, NULL, &e));
    CHECK(closed == 2 && e.code != TACO_OK);
}

static void padding(void)
{
    taco_dataset *ds = open_it("examples/data/padded_old.tacozip");
    taco_query q = blank();
    size_t shown, hidden;
    q.table = 1;
    hidden = count(ds, &q);
    CHECK(strstr(list(ds, &q, "id"), "TACOPAD") == NULL);
    q.padding = true;
    shown = count(ds, &q);
    CHECK(shown > hidden && strstr(list(ds, &q, "id"), "TACOPAD") != NULL);
    q.padding = false;
    q.flat = true;
    CHECK(strstr(list(ds, &q, "l1:id"), "TACOPAD") == NULL);
    taco_close(ds);
}

/* Points of a fixed size are geometries, too. */
static void fixed_points(void)
{
    static const char *const ids[] = {"a", "b", "c"}, *const types[] = {"FILE", "FILE", "FILE"};
    static const double at[3][2] = {{1, 2}, {30, 40}, {-5, 6}};
    double box[4] = {0, 0, 30, 40};
    const int64_t place[] = {MK_PAYLOAD, MK_PAYLOAD, MK_PAYLOAD}, sizes[] = {4, 4, 4};
    uint8_t wkb[3][21];
    mk_col c[5];
    mk_buf level, z;
    taco_source src;
    taco_error e = none();
    taco_query q = blank();
    taco_dataset *ds;
    int i;
    for (i = 0; i < 3; i++) {
        memset(wkb[i], 0, 5);
        wkb[i][0] = wkb[i][1] = 1; /* little-endian, a point */
        w_le64(wkb[i] + 5, w_bits(at[i][0]));
        w_le64(wkb[i] + 13, w_bits(at[i][1]));
    }
    c[0] = mk_text("id", ids);
    c[1] = mk_text("type", types);
    c[2] = mk_i64("internal:offset", place);
    c[3] = mk_i64("internal:size", sizes);
    c[4] = mk_bin("stac:centroid", wkb[0], 21);
    c[4].type = MK_FIXED;
    level = mk_parquet(c, 5, 3, 3);
    z = mk_archive(&level, 1, MK_FLAT, "data", 4);
    taco_source_memory(&src, z.data, z.len);
    ds = taco_open_source(&src, "made.tacozip", NULL, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    q.bbox = box;
    CHECK_TEXT(list(ds, &q, "id"), "a b");
    box[2] = 29;
    CHECK_TEXT(list(ds, &q, "id"), "a");
    taco_close(ds);
    free(z.data);
}

/* A polygon is tested itself, not its bounding box; both levels are. */
static void boxes(void)
{
    taco_dataset *ds = open_it("examples/data/geo_nested.tacozip");
    taco_query q = blank();
    double world[4] = {-180, -90, 180, 90}, touch[4] = {-40, 25, -40, 25},
           nowhere[4] = {170, 80, 175, 85}, swapped[4] = {180, 90, -180, -90};
    size_t all = count(ds, &q);
    q.bbox = world;
    CHECK(count(ds, &q) == all);
    q.bbox = swapped;
    CHECK(count(ds, &q) == all);
    q.bbox = nowhere;
    CHECK(count(ds, &q) == 0);
    q.bbox = touch; /* the corner of a polygon */
    CHECK_TEXT(list(ds, &q, "id"), "site1");
    q.bbox = world;
    q.level = 1;
    CHECK(count(ds, &q) == all);
    taco_close(ds);
}

static void null_handles(void)
{
    taco_error e = none();
    taco_batch b;
    taco_bytes bytes;
    size_t n = 1;
    int64_t x;
    double d;
    const char *missing = NULL;
    CHECK(taco_open(NULL, NULL, &e) == NULL && e.code == TACO_ERR_ARGUMENT);
    CHECK(taco_open_many(&missing, 0, TACO_COLUMNS_STRICT, NULL, NULL) == NULL);
    taco_close(NULL);
    CHECK_TEXT(taco_id(NULL), "");
    CHECK_TEXT(taco_title(NULL), "");
    CHECK(taco_collection(NULL, "id").data == NULL && taco_levels(NULL) == 0);
    e = none();
    CHECK(taco_level_rows(NULL, 0, &e) == -1 && e.code == TACO_ERR_ARGUMENT);
    CHECK(taco_level_fields(NULL, 0, &n, NULL) == NULL && n == 0);
    CHECK(taco_info_json(NULL, NULL).data == NULL && taco_select(NULL, NULL, NULL) == NULL);
    CHECK(!taco_cursor_next(NULL) && !taco_cursor_batch(NULL, &b) &&
          taco_cursor_fields(NULL, &n) == NULL);
    CHECK(taco_cursor_text(NULL, "id") == NULL && !taco_cursor_bytes(NULL, "id", &bytes) &&
          !taco_cursor_int(NULL, "id", &x) && !taco_cursor_double(NULL, "id", &d));
    CHECK_TEXT(taco_cursor_vsi(NULL), "");
    CHECK_TEXT(taco_cursor_json(NULL), "");
    CHECK(taco_cursor_close(NULL, &e) == TACO_ERR_ARGUMENT);
    CHECK(taco_set_base_path(NULL, "x", NULL) == TACO_ERR_ARGUMENT);
}

/* The first failure stays. */
static void first_error_stays(void)
{
    taco_error e = none();
    char text[384];
    CHECK(taco_open("/nowhere.tacozip", NULL, &e) == NULL && e.code == TACO_ERR_NOT_FOUND);
    memcpy(text, e.text, sizeof text);
    CHECK(taco_select(NULL, NULL, &e) == NULL);
    CHECK_TEXT(e.text, text);
}

static void odd_levels(void)
{
    taco_dataset *ds = open_it("examples/data/nested.tacozip");
    taco_error e = none();
    CHECK(taco_level_rows(ds, 77, &e) == -1 && e.code == TACO_ERR_ARGUMENT);
    e = none();
    CHECK(taco_level_rows(ds, 5, &e) == -1 && e.code == TACO_ERR_ARGUMENT);
    taco_close(ds);
}

int main(void)
{
    RUN(joins);
    RUN(exported);
    RUN(orders);
    RUN(times_of_other_types);
    RUN(times_far_from_now);
    RUN(decimals_of_bytes);
    RUN(ids_of_numbers);
    RUN(accessors);
    RUN(errors);
    RUN(cursors_agree);
    RUN(positions);
    RUN(catalogue);
    RUN(concatenation);
    RUN(concatenated_sources);
    RUN(padding);
    RUN(boxes);
    RUN(fixed_points);
    RUN(null_handles);
    RUN(first_error_stays);
    RUN(odd_levels);
    return test_end("test_query");
}
