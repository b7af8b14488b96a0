/* Views: steps that make new views, their combined plan, protected columns and navigation, SELECTs
   over SELECTs; plans of byte ranges, and queries with only the bytes of a plan. */
#include "../src/dataset/range_source.c"
#include "../src/base/base.h"
#include "../src/parquet/parquet.h"
#include "../src/filter/filter.h"
#include "../src/parquet_write/parquet_write.h"
#include "../src/sql/sql.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"
#include "../taco.h"
#include "../extra/taco_sql.h"

#include "alloc.h"
#include "test.h"

#include "footer.h"
#include "make.h"

static taco_error none(void)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    return e;
}

/* ---- a dataset ---- */

/* Six FOLDERs f0 ... f5 of two FILEs each, x and y; v = 5 ... 0, cloud = 0 10 ... 50, name with a
   null; below, w = 0 ... 11 and day 0 ... 11. current_id only where `ids` is set. */
static mk_buf six(bool ids)
{
    static const char *const id0[] = {"f0", "f1", "f2", "f3", "f4", "f5"};
    static const char *const folder[] = {"FOLDER", "FOLDER", "FOLDER",
                                         "FOLDER", "FOLDER", "FOLDER"};
    static const char *const name[] = {"ann", "bob", NULL, "ann", "cy", "bob"};
    static const double v[] = {5, 4, 3, 2, 1, 0}, cloud[] = {0, 10, 20, 30, 40, 50};
    static const double w[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    static const char *const id1[] = {"x", "y", "x", "y", "x", "y", "x", "y", "x", "y", "x", "y"};
    static const char *const file[] = {"FILE", "FILE", "FILE", "FILE", "FILE", "FILE",
                                       "FILE", "FILE", "FILE", "FILE", "FILE", "FILE"};
    static const int64_t current[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
                         parent[] = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5};
    static const int64_t one[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    int64_t offset[12], size[12], day[12];
    mk_col c[8];
    mk_buf levels[2], payload = {NULL, 0, 0}, z;
    size_t i, n;
    for (i = 0; i < 6; i++) { /* a __meta__ for each; its FILEs lie anywhere */
        mk_buf meta;
        c[0] = mk_text("id", id1);
        c[1] = mk_text("type", file);
        c[2] = mk_f64("w", w + i * 2);
        c[3] = mk_i64("internal:offset", one + i * 2);
        c[4] = mk_i64("internal:size", one);
        meta = mk_parquet(c, 5, 2, 2);
        offset[i] = (int64_t)(193 + payload.len);
        size[i] = (int64_t)meta.len;
        mk_add(&payload, meta.data, meta.len);
        free(meta.data);
    }
    n = 0;
    c[n++] = mk_text("id", id0);
    c[n++] = mk_text("type", folder);
    c[n++] = mk_f64("v", v);
    c[n++] = mk_f64("cloud", cloud);
    c[n++] = mk_text("name", name);
    if (ids) { c[n++] = mk_i64("internal:current_id", current); }
    c[n++] = mk_i64("internal:offset", offset);
    c[n++] = mk_i64("internal:size", size);
    levels[0] = mk_parquet(c, n, 6, 2);
    for (i = 0; i < 12; i++) {
        day[i] = (int64_t)i * 86400000000;
    }
    n = 0;
    c[n++] = mk_text("id", id1);
    c[n++] = mk_text("type", file);
    c[n++] = mk_f64("w", w);
    c[n] = mk_i64("stac:time_start", day);
    c[n++].type = MK_STAMP;
    if (ids) { c[n++] = mk_i64("internal:current_id", current); }
    c[n++] = mk_i64("internal:parent_id", parent);
    c[n++] = mk_i64("internal:offset", one);
    c[n++] = mk_i64("internal:size", one);
    levels[1] = mk_parquet(c, n, 12, 4);
    z = mk_archive(levels, 2, MK_NESTED, payload.data, payload.len);
    free(payload.data);
    return z;
}

static taco_dataset *open_made(mk_buf *z)
{
    taco_error e = none();
    taco_source s;
    taco_dataset *ds;
    taco_source_memory(&s, z->data, z->len);
    ds = taco_open_source(&s, "/data/six.tacozip", NULL, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    return ds;
}

/* ---- what a cursor has ---- */

/* Rows as text: values of all columns joined by commas, rows by spaces; or the error. Closes the
   cursor. */
static const char *told(taco_cursor *c, taco_error *e)
{
    static char out[8192];
    size_t n = 0, i, k = 0;
    const taco_field *f = taco_cursor_fields(c, &i);
    out[0] = 0;
    while (taco_cursor_next(c)) {
        f = taco_cursor_fields(c, &i);
        for (k = 0; k < i && n < sizeof out - 300; k++) {
            const char *t = taco_cursor_text(c, f[k].name), *dot = t ? strstr(t, ".0") : NULL;
            int len = !t ? 1 : dot && !dot[2] ? (int)(dot - t) : (int)strlen(t);
            n += (size_t)snprintf(out + n, sizeof out - n, "%s%.*s",
                                  k   ? ","
                                  : n ? " "
                                      : "",
                                  len, t ? t : "-"); /* 3 for 3.0 */
        }
    }
    taco_cursor_close(c, e);
    if (e->code != TACO_OK) {
        snprintf(out, sizeof out, "%s: %s", taco_status_name(e->code), e->text);
    }
    *e = none();
    return out;
}

static const char *rows_of(taco_view *v, taco_error *e)
{
    return told(taco_view_rows(v, e), e);
}

/* A column of the first row; the error otherwise. Closes the cursor. */
static const char *first(taco_cursor *c, const char *column)
{
    static char out[600];
    taco_error e = none();
    const char *t = taco_cursor_next(c) ? taco_cursor_text(c, column) : "no row";
    snprintf(out, sizeof out, "%s", t ? t : "-");
    if (taco_cursor_close(c, &e) != TACO_OK) {
        snprintf(out, sizeof out, "%s", taco_error_text(&e));
    }
    return out;
}

/* One step, its argument freed. */
#define STEP(v, call)                                                                              \
    do {                                                                                           \
        taco_view *step_next = call;                                                               \
        taco_view_free(v);                                                                         \
        (v) = step_next;                                                                           \
        CHECK_TEXT(taco_error_text(&e), "");                                                       \
    } while (0)

/* ---- tests ---- */

static void lazy(void)
{
    mk_buf z = six(true);
    taco_dataset *ds = open_made(&z);
    taco_error e = none();
    taco_view *all, *v, *w;
    const double box[4] = {0, 0, 1, 1};
    all = taco_view_open(ds, NULL, &e);
    v = taco_view_sql(all, "SELECT * FROM data WHERE cloud < 40", &e);
    STEP(v, taco_view_sql(v, "SELECT * FROM data WHERE name = 'ann'", &e));
    STEP(v, taco_view_select(v, "id, v", &e));
    w = taco_view_filter_bbox(v, box, NULL, 0, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK(!ds->stores[0].levels[0].opened); /* nothing is read until rows are asked for */
    CHECK_TEXT(rows_of(v, &e), "f0,5 f3,2");
    CHECK(ds->stores[0].levels[0].opened);
    CHECK(strstr(rows_of(w, &e), "no column to filter by bbox") != NULL);
    taco_view_free(w);
    w = taco_view_where(all, "v > 3", 0, &e); /* the first view is as it was */
    STEP(w, taco_view_select(w, "id", &e));
    CHECK_TEXT(rows_of(w, &e), "f0 f1");
    taco_view_free(w);
    taco_view_free(v);
    taco_view_free(all);
    taco_view_free(NULL);
    taco_close(ds);
    free(z.data);
}

/* Chained SELECTs of plain columns and conditions become one query. */
static void one_plan(void)
{
    mk_buf z = six(true);
    taco_dataset *ds = open_made(&z);
    taco_error e = none();
    taco_view *v = taco_view_open(ds, NULL, &e);
    taco__view_query plan;
    STEP(v, taco_view_sql(v, "SELECT * FROM data WHERE cloud < 40 AND name IS NOT NULL", &e));
    STEP(v, taco_view_filter_datetime(v, "1970-01-02/1970-01-08", NULL, 1, &e));
    STEP(v, taco_view_sql(v, "SELECT ID, name, v FROM data WHERE v >= 2 ORDER BY v", &e));
    STEP(v, taco_view_where(v, "w <> 3", 1, &e));
    STEP(v, taco_view_sql(v, "SELECT * FROM data LIMIT 2 OFFSET 1", &e));
    CHECK(taco__view_query_init(&plan, v, false, &e));
    CHECK(plan.layer_count == 0 && plan.filter_count == 4);
    CHECK(plan.limited && plan.limit == 2 && plan.offset == 1);
    CHECK(plan.q.order.count == 1 && plan.q.select.count == 3);
    CHECK_TEXT(plan.q.order.items[0].name, "v");
    CHECK_TEXT(plan.q.select.items[0].name, "id");
    CHECK_TEXT(plan.q.select.items[1].name, "name");
    CHECK_TEXT(plan.q.select.items[2].name, "v");
    taco__view_query_free(&plan);
    CHECK_TEXT(rows_of(v, &e), "f1,bob,4 f0,ann,5");
    STEP(v, taco_view_limit(v, 5, 1, &e));
    CHECK_TEXT(rows_of(v, &e), "f0,ann,5");
    STEP(v, taco_view_limit(v, 5, 1, &e));
    CHECK_TEXT(rows_of(v, &e), "");
    taco_view_free(v);
    taco_close(ds);
    free(z.data);
}

/* Steps behind a limit are about the rows that it leaves. */
static void limits(void)
{
    mk_buf z = six(true);
    taco_dataset *ds = open_made(&z);
    taco_error e = none();
    taco_view *v = taco_view_open(ds, NULL, &e), *w;
    STEP(v, taco_view_sql(v, "SELECT id, cloud FROM data ORDER BY cloud DESC LIMIT 4", &e));
    CHECK_TEXT(rows_of(v, &e), "f5,50 f4,40 f3,30 f2,20");
    w = taco_view_where(v, "cloud < 40", 0, &e);
    CHECK_TEXT(rows_of(w, &e), "f3,30 f2,20");
    STEP(w, taco_view_where(w, "w <= 5", 1, &e));
    CHECK_TEXT(rows_of(w, &e), "f2,20");
    taco_view_free(w);
    /* no scan can say it */
    w = taco_view_sql(v, "SELECT * FROM data WHERE cloud + 0 < 40", &e);
    CHECK_TEXT(rows_of(w, &e), "f3,30 f2,20");
    STEP(w, taco_view_where(w, "w <= 5", 1, &e));
    CHECK_TEXT(rows_of(w, &e), "f2,20");
    taco_view_free(w);
    w = taco_view_sql(v, "SELECT id, cloud * 2 AS twice FROM data LIMIT 3 OFFSET 1", &e);
    CHECK_TEXT(rows_of(w, &e), "f4,80 f3,60 f2,40");
    STEP(w, taco_view_where(w, "w <= 7", 1, &e)); /* of these three, not of all */
    CHECK_TEXT(rows_of(w, &e), "f3,60 f2,40");
    STEP(w, taco_view_order(w, "twice", &e));
    CHECK_TEXT(rows_of(w, &e), "f2,40 f3,60");
    STEP(w, taco_view_limit(w, 1, 0, &e));
    CHECK_TEXT(rows_of(w, &e), "f2,40");
    taco_view_free(w);
    w = taco_view_table(v, 1, false, &e); /* the children of those four */
    STEP(w, taco_view_sql(w, "SELECT count(*) AS n, min(w) AS least FROM data", &e));
    CHECK(strstr(rows_of(w, &e), "column") != NULL); /* w was not selected above */
    taco_view_free(w);
    taco_view_free(v);
    v = taco_view_open(ds, NULL, &e);
    STEP(v, taco_view_limit(v, 2, 3, &e));
    STEP(v, taco_view_table(v, 1, false, &e));
    STEP(v, taco_view_sql(v, "SELECT count(*) AS n, min(w) AS least FROM data", &e));
    CHECK_TEXT(rows_of(v, &e), "4,6");
    taco_view_free(v);
    taco_close(ds);
    free(z.data);
}

static void over_views(void)
{
    mk_buf z = six(true);
    taco_dataset *ds = open_made(&z);
    taco_error e = none();
    taco_view *v = taco_view_open(ds, NULL, &e), *w;
    STEP(v, taco_view_where(v, "cloud <= 40", 0, &e));
    w = taco_view_sql(
        v, "SELECT name, count(*) AS n, sum(v) AS s FROM data GROUP BY name ORDER BY 1", &e);
    CHECK_TEXT(rows_of(w, &e), "ann,2,7 bob,1,4 cy,1,1 -,1,3");
    STEP(w, taco_view_sql(w, "SELECT name FROM data WHERE s > 3 AND n = 1", &e));
    CHECK_TEXT(rows_of(w, &e), "bob");
    STEP(w, taco_view_where(w, "name = 'cy'", 0, &e)); /* its own columns can be filtered */
    CHECK_TEXT(rows_of(w, &e), "");
    STEP(w, taco_view_where(w, "w = 1", 1, &e)); /* others cannot: these are no samples */
    CHECK(strstr(rows_of(w, &e), "no longer samples") != NULL);
    taco_view_free(w);
    w = taco_view_sql(v,
                      "SELECT a.id, b.w FROM data a JOIN level1 b ON b.\"internal:parent_id\" = "
                      "a.\"internal:current_id\" WHERE b.w > 6 ORDER BY w",
                      &e);
    CHECK_TEXT(rows_of(w, &e), "f3,7 f4,8 f4,9");
    taco_view_free(w);
    w = taco_view_sql(v,
                      "SELECT a.id, b.v FROM data a JOIN data b ON a.name = b.name AND a.v < b.v",
                      &e); /* the view twice */
    CHECK_TEXT(rows_of(w, &e), "f3,5");
    taco_view_free(w);
    w = taco_view_sql(v, "SELECT *, v + 1 AS next FROM data", &e);
    STEP(w, taco_view_sql(w, "SELECT id, next FROM data WHERE next > 3 AND name IS NULL", &e));
    CHECK_TEXT(rows_of(w, &e), "f2,4");
    STEP(w, taco_view_sql(w, "SELECT count(*) FROM data", &e));
    CHECK_TEXT(rows_of(w, &e), "1");
    taco_view_free(w);
    w = taco_view_sql(v, "SELECT DISTINCT name FROM data", &e);
    STEP(w, taco_view_sql(w, "SELECT count(*) AS n FROM data", &e));
    CHECK_TEXT(rows_of(w, &e), "4");
    taco_view_free(w);
    taco_view_free(v);
    taco_close(ds);
    free(z.data);
}

/* A filter of another level, a box and a period go below SELECTs that keep samples, and below their
   limits. */
static void filters_below(void)
{
    mk_buf z = six(true);
    taco_dataset *ds = open_made(&z);
    taco_error e = none();
    taco_view *v = taco_view_open(ds, NULL, &e), *w;
    STEP(v, taco_view_sql(v, "SELECT *, v + 1 AS next FROM data", &e));
    w = taco_view_where(v, "w BETWEEN 3 AND 6", 1, &e);
    CHECK_TEXT(first(taco_view_rows(w, &e), "id"), "f1");
    STEP(w, taco_view_where(w, "w = 6", 1, &e));
    CHECK_TEXT(first(taco_view_rows(w, &e), "next"), "3.0");
    STEP(w, taco_view_sql(w, "SELECT id, next FROM data", &e));
    CHECK_TEXT(rows_of(w, &e), "f3,3");
    taco_view_free(w);
    w = taco_view_where(v, "w = ", 1, &e);
    CHECK(!w && strstr(e.text, "expected"));
    e = none();
    STEP(v, taco_view_sql(v, "SELECT *, v * 2 AS twice FROM data ORDER BY v LIMIT 2", &e));
    STEP(v, taco_view_where(v, "w < 10", 1, &e)); /* of f5 and f4 alone */
    STEP(v, taco_view_sql(v, "SELECT id, twice FROM data", &e));
    CHECK_TEXT(rows_of(v, &e), "f4,2");
    taco_view_free(v);
    taco_close(ds);
    free(z.data);
}

/* id, type and internal:* are there for later steps and for navigation, whatever was selected (spec
   7.2.3). */
/* taco:pit_schema with the rows of the view, as the draft of June 2025 has it (8.2). */
static void pit_schema(void)
{
    mk_buf z = six(true);
    taco_dataset *ds = open_made(&z);
    taco_error e = none();
    taco_view *v = taco_view_open(ds, NULL, &e);
    taco_bytes whole = taco_view_pit_schema(v, &e), few;
    CHECK(strstr((const char *)whole.data, "\"n\"") != NULL);
    STEP(v, taco_view_sql(v, "SELECT * FROM data WHERE cloud >= 20", &e));
    few = taco_view_pit_schema(v, &e);
    CHECK_TEXT(e.text, "");
    CHECK(few.len == whole.len && whole.data[whole.len] == 0 && few.data[few.len] == 0);
    CHECK(strcmp((const char *)whole.data, (const char *)few.data) != 0);
    CHECK(strstr((const char *)whole.data, "6") && strstr((const char *)few.data, "4"));
    STEP(v, taco_view_sql(v, "SELECT nothing FROM data", &e));
    CHECK(taco_view_pit_schema(v, &e).len == 0 && e.code != TACO_OK);
    taco_view_free(v);
    taco_close(ds);
    free(z.data);
}

static void protected_columns(void)
{
    mk_buf z = six(true);
    taco_dataset *ds = open_made(&z);
    taco_error e = none();
    taco_view *v = taco_view_open(ds, NULL, &e), *w;
    taco_cursor *c;
    STEP(v, taco_view_sql(v, "SELECT cloud FROM data WHERE cloud >= 20", &e));
    CHECK_TEXT(rows_of(v, &e), "20 30 40 50");
    w = taco_view_sql(v, "SELECT * FROM data WHERE type = 'FOLDER' AND id <> 'f3'", &e);
    CHECK_TEXT(rows_of(w, &e), "20 40 50");
    STEP(w, taco_view_select(w, "id", &e));
    CHECK_TEXT(rows_of(w, &e), "f2 f4 f5");
    STEP(w, taco_view_select(w, "name", &e));
    CHECK(strstr(rows_of(w, &e), "the view no longer has a column 'name'") != NULL);
    taco_view_free(w);
    /* by position and by id, of rows of the view */
    CHECK_TEXT(told(taco_view_read(v, "@1", false, &e), &e),
               "x,FILE,6,7,1,/vsisubfile/7_1,/data/six.tacozip "
               "y,FILE,7,8,2,/vsisubfile/8_2,/data/six.tacozip");
    CHECK_TEXT(first(taco_view_read(v, "f4/y", false, &e), "w"), "9.0");
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK(strstr(told(taco_view_read(v, "f1", false, &e), &e), "the view has no sample 'f1'") !=
          NULL);
    CHECK(strstr(told(taco_view_read(v, "@4", false, &e), &e), "the view has no sample '@4'") !=
          NULL);
    w = taco_view_sql(v, "SELECT cloud / 10 AS c FROM data ORDER BY c DESC LIMIT 3", &e);
    CHECK_TEXT(rows_of(w, &e), "5 4 3");
    c = taco_view_rows(w, &e);
    CHECK(taco_cursor_next(c) && taco_cursor_next(c));
    /* of f4, though the row shows nothing of it */
    CHECK_TEXT(first(taco_cursor_children(c, &e), "w"), "8.0");
    taco_cursor_close(c, &e);
    CHECK_TEXT(first(taco_view_read(w, "f3", false, &e), "w"), "6.0");
    CHECK_TEXT(taco_error_text(&e), "");
    STEP(w, taco_view_sql(w, "SELECT c, id FROM data WHERE \"internal:current_id\" <> 4", &e));
    CHECK_TEXT(rows_of(w, &e), "5,f5 3,f3");
    STEP(w, taco_view_sql(w, "SELECT sum(c) AS s FROM data", &e));
    CHECK(strstr(told(taco_view_read(w, "@0", false, &e), &e), "no longer samples") != NULL);
    taco_view_free(w);
    CHECK(taco_view_sql(v, "SELECT upper(id) AS id FROM data", &e) == NULL);
    CHECK(e.code == TACO_ERR_ARGUMENT && strstr(e.text, "'id' is a protected column") != NULL);
    e = none();
    CHECK(taco_view_sql(v, "SELECT 1 AS \"internal:offset\" FROM data", &e) == NULL);
    e = none();
    w = taco_view_table(v, 1, false, &e); /* rows of deeper levels are found, too */
    STEP(w, taco_view_select(w, "type", &e));
    c = taco_view_rows(w, &e);
    e = none();
    taco_cursor_close(c, &e);
    taco_view_free(w);
    taco_view_free(v);
    taco_close(ds);
    free(z.data);
}

static void mistakes(void)
{
    mk_buf z = six(true);
    taco_dataset *ds = open_made(&z);
    taco_error e = none();
    taco_query q;
    taco_view *v = taco_view_open(ds, NULL, &e);
    CHECK(!taco_view_open(NULL, NULL, &e) && e.code == TACO_ERR_ARGUMENT);
    e = none();
    CHECK(!taco_view_sql(v, "SELEC 1", &e) && e.code == TACO_ERR_SYNTAX);
    e = none();
    CHECK(!taco_view_where(v, "v <", 0, &e) && e.code == TACO_ERR_SYNTAX);
    e = none();
    CHECK(!taco_view_filter_datetime(v, "2020-13-01", NULL, 0, &e));
    e = none();
    CHECK(!taco_view_where(v, "v < 1", 2, &e) && e.code == TACO_ERR_ARGUMENT);
    e = none();
    CHECK(!taco_view_table(v, 7, false, &e) && e.code == TACO_ERR_ARGUMENT);
    e = none();
    CHECK(!taco_view_select(NULL, "id", &e) && e.code == TACO_ERR_ARGUMENT);
    e = none();
    CHECK(!taco_view_rows(NULL, &e) && e.code == TACO_ERR_ARGUMENT);
    e = none();
    STEP(v, taco_view_where(v, "nothing = 1", 0, &e)); /* names are looked up when it runs */
    CHECK(strstr(rows_of(v, &e), "nothing") != NULL);
    taco_view_free(v);
    memset(&q, 0, sizeof q);
    q.table = 3;
    CHECK(!taco_view_open(ds, &q, &e) && e.code == TACO_ERR_ARGUMENT);
    e = none();
    q.table = 1;
    q.flat = true;
    q.where = "cloud = 30";
    q.select = "\"l1:w\", \"l0:name\"";
    q.order = "\"l1:w\" desc";
    v = taco_view_open(ds, &q, &e);
    CHECK_TEXT(rows_of(v, &e), "7,ann 6,ann");
    taco_view_free(v);
    taco_close(ds);
    free(z.data);
}

/* The error of a view that cannot run is that of its rows, in the stream's place nothing. */
static void not_exported(void)
{
    void (*volatile fill_stack)(void) = test_fill_stack;
    mk_buf z = six(true);
    taco_dataset *ds = open_made(&z);
    taco_error e = none(), want = none();
    taco_view *v = taco_view_open(ds, NULL, &e);
    struct ArrowArrayStream s;
    STEP(v, taco_view_where(v, "nothing = 1", 0, &e));
    CHECK(!taco_view_rows(v, &want) && want.code != TACO_OK);
    memset(&s, 0xA5, sizeof s);
    fill_stack();
    CHECK(taco_view_export(v, &s, &e) == want.code);
    CHECK(e.code == want.code && !s.release && !s.private_data);
    CHECK_TEXT(e.text, want.text);
    e = none();
    fill_stack();
    CHECK(taco_view_export(NULL, NULL, &e) == TACO_ERR_ARGUMENT && e.code == TACO_ERR_ARGUMENT);
    CHECK_TEXT(e.text, "no view given");
    taco_view_free(v);
    taco_close(ds);
    free(z.data);
}

static void exported(void)
{
    mk_buf z = six(true);
    taco_dataset *ds = open_made(&z);
    taco_error e = none();
    taco_view *v = taco_view_open(ds, NULL, &e);
    struct ArrowArrayStream s;
    struct ArrowArray a;
    int i;
    int64_t n;
    for (i = 0; i < 2; i++) { /* a query, and a SELECT over it */
        memset(&a, 0, sizeof a);
        CHECK(taco_view_export(v, &s, &e) == TACO_OK);
        CHECK_TEXT(taco_error_text(&e), "");
        for (n = 0; s.get_next(&s, &a) == 0 && a.release; n += a.length) {
            CHECK(a.n_children == (i ? 1 : 9)); /* hidden columns stay */
            a.release(&a);
        }
        CHECK(n == (i ? 2 : 6));
        s.release(&s);
        STEP(v, taco_view_sql(v, "SELECT v * 2 AS d FROM data WHERE v < 2", &e));
    }
    taco_view_free(v);
    taco_close(ds);
    free(z.data);
}

/* Conditions on flat views test the level that a column is of; joins do without
   internal:current_id. */
static void flat_and_joins(void)
{
    int i;
    for (i = 0; i < 2; i++) {
        mk_buf z = six(i == 0);
        taco_dataset *ds = open_made(&z);
        taco_error e = none();
        taco_cursor *c = taco_sql(ds,
                                  "SELECT \"l0:id\", \"l1:w\" FROM l1 WHERE \"l0:cloud\" > 10 AND "
                                  "\"l1:w\" < 7 AND \"l1:id\" = 'x'",
                                  &e);
        /* all of it went to the scan */
        CHECK(c && ((taco__executor *)c->producer.state)->where_count == 0);
        CHECK_TEXT(told(c, &e), "f2,4 f3,6");
        c = taco_sql(ds, "SELECT \"l1:w\" FROM l1 WHERE \"l0:cloud\" > 30 OR \"l1:w\" < 1", &e);
        CHECK(c && ((taco__executor *)c->producer.state)->where_count ==
                       1); /* of two levels: none can */
        CHECK_TEXT(told(c, &e), "0 8 9 10 11");
        CHECK_TEXT(
            told(taco_sql(ds,
                          "SELECT a.id, b.w FROM level0 a JOIN level1 b ON "
                          "b.\"internal:parent_id\" = a.\"internal:current_id\" WHERE a.v = 2",
                          &e),
                 &e),
            "f3,6 f3,7");
        CHECK_TEXT(told(taco_sql(ds, "SELECT max(\"internal:current_id\") FROM level1", &e), &e),
                   "11");
        taco_close(ds);
        free(z.data);
    }
}

/* What a plan says of a condition above a layer that computes, and the rows: w = 0 ... 11, x and y in
   turn, a day each. */
static void pushed_texts(void)
{
    static const struct {
        const char *where, *pushed, *rows;
    } t[] = {
        {"w = 3", "(\"w\" = 3)", "4"},
        {"w < 2.5 AND w >= 1", "(\"w\" < 2.5) (\"w\" >= 1)", "2 3"},
        {"w > 1e300 OR w = 11", "((\"w\" > 1e+300) OR (\"w\" = 11))", "12"},
        {"w IN (1, 2, 30)", "(\"w\" IN (1, 2, 30))", "2 3"},
        {"w NOT IN (1, 2) AND w < 4", "(\"w\" NOT IN (1, 2)) (\"w\" < 4)", "1 4"},
        {"id LIKE 'x%' AND w < 3", "(\"id\" LIKE 'x%') (\"w\" < 3)", "1 3"},
        {"id NOT LIKE 'x%' AND w < 4", "(\"id\" NOT LIKE 'x%') (\"w\" < 4)", "2 4"},
        {"id ILIKE 'X' AND w < 3", "(\"id\" ILIKE 'X') (\"w\" < 3)", "1 3"},
        {"id NOT ILIKE 'X' AND w < 4", "(\"id\" NOT ILIKE 'X') (\"w\" < 4)", "2 4"},
        {"NOT (w > 1 OR id = 'y')", "(NOT ((\"w\" > 1) OR (\"id\" = 'y')))", "1"},
        {"w BETWEEN 2 AND 3 AND id IS NOT NULL", "(\"w\" BETWEEN 2 AND 3) (\"id\" IS NOT NULL)",
         "3 4"},
        {"\"stac:time_start\" < TIMESTAMP '1970-01-03'",
         "(\"stac:time_start\" < TIMESTAMP '1970-01-03')", "1 2"},
        {"\"stac:time_start\" = DATE '1970-01-03'", "", "3"},
        {"w <> 0 AND w <> 1 AND w <> 2 AND w <> 3 AND w <> 4 AND w <> 5 AND w <> 6 AND w <> 7 AND "
         "w <> 8 AND w <> 9",
         "(\"w\" <> 0) (\"w\" <> 1) (\"w\" <> 2) (\"w\" <> 3) (\"w\" <> 4) (\"w\" <> 5) (\"w\" <> "
         "6) (\"w\" <> 7) (\"w\" <> 8) (\"w\" <> 9)",
         "11 12"},
    };

    mk_buf z = six(true);
    taco_dataset *ds = open_made(&z);
    taco_error e = none();
    size_t i, k;
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        taco_view *v = taco_view_open(ds, NULL, &e);
        taco_plan *p;
        char sql[300], all[800] = "";
        STEP(v, taco_view_table(v, 1, false, &e));
        STEP(v, taco_view_sql(v, "SELECT *, w + 1 AS next FROM data", &e));
        snprintf(sql, sizeof sql, "SELECT next FROM data WHERE %s", t[i].where);
        STEP(v, taco_view_sql(v, sql, &e));
        p = taco_view_plan(v, &e);
        CHECK_TEXT(taco_error_text(&e), "");
        for (k = 0; p && k < p->pushed_down_count; k++) {
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", k ? " " : "",
                     p->pushed_down[k]);
        }
        CHECK_TEXT(all, t[i].pushed);
        taco_plan_free(p);
        CHECK_TEXT(rows_of(v, &e), t[i].rows);
        taco_view_free(v);
    }
    taco_close(ds);
    free(z.data);
}

/* Queries within a SELECT over a layer read it as often as they name it; data.x is x. */
static void nested_layers(void)
{
    mk_buf z = six(true);
    taco_dataset *ds = open_made(&z);
    taco_error e = none();
    taco_view *v = taco_view_open(ds, NULL, &e), *w;
    STEP(v, taco_view_sql(v, "SELECT *, v + 1 AS next FROM data", &e));
    w = taco_view_sql(v, "SELECT id FROM data WHERE next = (SELECT max(next) FROM data)", &e);
    CHECK_TEXT(rows_of(w, &e), "f0");
    STEP(w, taco_view_sql(v, "SELECT data.id, data.next AS n FROM data WHERE data.next > 4", &e));
    CHECK_TEXT(rows_of(w, &e), "f0,6 f1,5");
    STEP(w, taco_view_where(w, "n < 6", 0, &e));
    CHECK_TEXT(rows_of(w, &e), "f1,5");
    STEP(w, taco_view_sql(v,
                          "SELECT a.id, b.next FROM data a JOIN data b ON a.next = b.next + 1 "
                          "WHERE b.next > 3",
                          &e));
    CHECK_TEXT(rows_of(w, &e), "f0,5 f1,4");
    STEP(w, taco_view_sql(v, "SELECT nobody FROM data WHERE (SELECT 1) = 1", &e));
    CHECK(strstr(rows_of(w, &e), "'nobody'") != NULL);
    taco_view_free(w);
    taco_view_free(v);
    taco_close(ds);
    free(z.data);
}

/* A column without a name is named as DuckDB prints its expression, a query of one SELECT included,
   but for quotes around `data`. */
static void names_of_queries(void)
{
    static const char *const t[][2] = {
        {"(select max(v) from data)", "((SELECT max(v) FROM data) IS NULL)"},
        {"EXISTS (SELECT * FROM data LIMIT 1)", "(EXISTS(SELECT * FROM data LIMIT 1) IS NULL)"},
        {"EXISTS (SELECT DISTINCT v AS x, d.v FROM data d WHERE v > 1 AND id = 'f0' ORDER BY v "
         "DESC, x LIMIT 1 OFFSET 2)",
         "(EXISTS(SELECT DISTINCT v AS x, d.v FROM data AS d WHERE ((v > 1) AND (id = 'f0')) ORDER "
         "BY v DESC, x LIMIT 1 OFFSET 2) IS NULL)"},
        {"(SELECT name FROM data AS q GROUP BY name HAVING count(*) > 1 ORDER BY 1 LIMIT 1)",
         "((SELECT \"name\" FROM data AS q GROUP BY \"name\" HAVING (count_star() > 1) ORDER BY 1 "
         "LIMIT 1) IS NULL)"},
        {"(SELECT 1)", "((SELECT 1) IS NULL)"},
        {"(SELECT v FROM data WHERE v > 0 LIMIT 1)",
         "((SELECT v FROM data WHERE (v > 0) LIMIT 1) IS NULL)"},
        {"v IN (SELECT v FROM data)", "((v = ANY(SELECT v FROM data)) IS NULL)"},
        {"(SELECT v FROM data ORDER BY v NULLS FIRST LIMIT 1)",
         "((SELECT v FROM data ORDER BY v NULLS FIRST LIMIT 1) IS NULL)"},
        {"(SELECT v FROM data UNION SELECT 1 LIMIT 1)",
         "((SELECT v FROM data UNION SELECT 1 LIMIT 1) IS NULL)"},
        {"(SELECT * EXCLUDE (id) FROM (SELECT id, v FROM data) LIMIT 1)",
         "((SELECT * EXCLUDE (id) FROM (SELECT id, v FROM data) LIMIT 1) IS NULL)"},
        {"(SELECT v FROM data ORDER BY ALL LIMIT 1)",
         "((SELECT v FROM data ORDER BY ALL LIMIT 1) IS NULL)"},
        {"(SELECT v FROM data GROUP BY ALL LIMIT 1)",
         "((SELECT v FROM data GROUP BY ALL LIMIT 1) IS NULL)"},
        {"(SELECT v FROM data LIMIT 1 + 0)", "((SELECT v FROM data LIMIT 1 + 0) IS NULL)"},
    };
    mk_buf z = six(true);
    taco_dataset *ds = open_made(&z);
    taco_error e = none();
    size_t i, n;
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        char sql[300];
        taco_cursor *c;
        const taco_field *f;
        snprintf(sql, sizeof sql, "SELECT %s IS NULL FROM data", t[i][0]);
        c = taco_sql(ds, sql, &e);
        f = c ? taco_cursor_fields(c, &n) : NULL;
        CHECK_TEXT(f ? f[0].name : taco_error_text(&e), t[i][1]);
        taco_cursor_close(c, &e);
        e = none();
    }
    taco_close(ds);
    free(z.data);
}

/* A layer with * more than once, of which the layer above needs some columns. */
static void several_stars(void)
{
    char sql[256] = "SELECT v + 1 AS next";
    mk_buf z = six(true);
    taco_dataset *ds = open_made(&z);
    taco_error e = none();
    taco_view *v = taco_view_open(ds, NULL, &e);
    size_t i;
    for (i = 0; i < 40; i++) {
        strcat(sql, ", *");
    }
    STEP(v, taco_view_sql(v, strcat(sql, " FROM data"), &e));
    STEP(v, taco_view_sql(v, "SELECT next FROM data WHERE next > 4", &e));
    CHECK_TEXT(rows_of(v, &e), "6 5");
    STEP(v, taco_view_sql(v, "SELECT next FROM data WHERE next < 6", &e));
    CHECK_TEXT(rows_of(v, &e), "5");
    taco_view_free(v);
    v = taco_view_open(ds, NULL, &e);
    STEP(v, taco_view_sql(v, sql, &e));
    STEP(v, taco_view_sql(v,
                          "SELECT next FROM data WHERE next > 4 AND "
                          "(v + cloud > 0 OR name = id OR type = id)",
                          &e));
    CHECK_TEXT(rows_of(v, &e), "6 5");
    taco_view_free(v);
    taco_close(ds);
    free(z.data);
}

/* ---- plans ---- */

#define BIG 20000

/* The same rows with page indexes and bloom filters. */
static mk_buf indexed(mk_buf plain)
{
    taco_error e = none();
    taco_source src;
    taco_sink sink;
    taco_pq_write_options opt;
    taco_pq_file *file;
    taco_pq_reader *rows;
    taco_pq_writer *w;
    taco_batch batch;
    mk_buf out = {NULL, 0, 0};
    const taco_field *fields;
    size_t n;
    memset(&opt, 0, sizeof opt);
    opt.row_group_rows = 10000;
    opt.page_rows = 500;
    opt.bloom = true;
    opt.encoding = TACO_ENCODING_PLAIN;
    taco_source_memory(&src, plain.data, plain.len);
    file = taco_pq_open_source(&src, "plain", NULL, &e);
    rows = taco_pq_read(file, NULL, &e);
    fields = taco_pq_reader_fields(rows, &n);
    CHECK(taco_sink_memory(&sink, NULL, &e) == TACO_OK);
    w = taco_pq_write(&sink, fields, n, &opt, &e);
    while (taco_pq_reader_next(rows, &batch)) {
        taco_pq_writer_batch(w, &batch);
    }
    taco_pq_reader_close(rows, &e);
    CHECK(taco_pq_writer_close(w, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    mk_add(&out, taco_sink_bytes(&sink).data, taco_sink_bytes(&sink).len);
    taco_sink_free(&sink);
    taco_pq_close(file);
    free(plain.data);
    return out;
}

/* Two levels of BIG and 2 * BIG rows, more than is read when a dataset opens; v and w ascend. */
static mk_buf big(bool pages)
{
    char(*names)[12] = (char(*)[12])calloc(2 * BIG, 12);
    const char **text = (const char **)calloc(2 * BIG, sizeof *text),
               **type = (const char **)calloc(2 * BIG, sizeof *type);
    double *v = (double *)calloc(2 * BIG, sizeof *v), *u = (double *)calloc(2 * BIG, sizeof *u);
    int64_t *id = (int64_t *)calloc(2 * BIG, sizeof *id),
            *up = (int64_t *)calloc(2 * BIG, sizeof *up);
    mk_col c[8];
    mk_buf levels[2], z;
    size_t i, level;
    for (level = 0; level < 2; level++) {
        size_t n = 0;
        for (i = 0; i < (level + 1) * BIG; i++) {
            snprintf(names[i], sizeof names[i], "s%u", (unsigned)i);
            text[i] = names[i];
            type[i] = level ? "FILE" : "FOLDER";
            v[i] = (double)i;
            u[i] = (double)(i * 7919 % 1000);
            id[i] = (int64_t)i;
            up[i] = (int64_t)i / 2;
        }
        c[n++] = mk_text("id", text);
        c[n++] = mk_text("type", type);
        c[n++] = mk_f64(level ? "w" : "v", v);
        c[n++] = mk_f64("u", u);
        c[n++] = mk_i64("internal:current_id", id);
        if (level) { c[n++] = mk_i64("internal:parent_id", up); }
        c[n++] = mk_i64("internal:offset", id);
        c[n++] = mk_i64("internal:size", id);
        levels[level] = mk_parquet(c, n, (level + 1) * BIG, 2000);
        levels[level] = pages ? indexed(levels[level]) : levels[level];
    }
    z = mk_archive(levels, 2, MK_NESTED, "data", 4);
    free(names);
    free((void *)text);
    free((void *)type);
    free(v);
    free(u);
    free(id);
    free(up);
    return z;
}

static taco_view *view_of(taco_dataset *ds, int which)
{
    taco_error e = none();
    taco_view *v = taco_view_open(ds, NULL, &e);
    switch (which) {
    case 0: STEP(v, taco_view_where(v, "v BETWEEN 4100 AND 4105", 0, &e)); break;
    case 1:
        STEP(v, taco_view_sql(v, "SELECT id, u FROM data WHERE u < 2 AND v < 9000", &e));
        STEP(v, taco_view_sql(v, "SELECT id FROM data ORDER BY u DESC LIMIT 7", &e));
        break;
    case 2:
        STEP(v, taco_view_where(v, "w > 30000 AND u = 3", 1, &e));
        STEP(v, taco_view_select(v, "id, \"internal:gdal_vsi\"", &e));
        break;
    case 3:
        STEP(v, taco_view_table(v, 1, true, &e));
        STEP(v, taco_view_where(v, "u = 5", 0, &e));
        STEP(v, taco_view_select(v, "\"l0:id\", \"l1:w\"", &e));
        break;
    case 4:
        STEP(v, taco_view_sql(v, "SELECT count(*), sum(v) FROM data WHERE v < 3000", &e));
        break;
    case 5:
        STEP(v, taco_view_sql(v,
                              "SELECT a.id, b.w FROM data a JOIN level1 b ON "
                              "b.\"internal:parent_id\" = a.\"internal:current_id\" "
                              "WHERE a.v < 3 AND b.w < 1000",
                              &e));
        break;
    case 6:
        STEP(v, taco_view_limit(v, 5, 3999, &e));
        STEP(v, taco_view_select(v, "id", &e));
        break;
    case 7:
        STEP(v, taco_view_order(v, "u desc, v", &e));
        STEP(v, taco_view_limit(v, 5, 0, &e));
        STEP(v, taco_view_where(v, "u > 1", 1, &e));
        STEP(v, taco_view_select(v, "id", &e));
        break;
    case 8:
        STEP(v, taco_view_sql(v, "SELECT u + 1 AS more FROM data WHERE v + 0 < 5", &e));
        STEP(v, taco_view_sql(v, "SELECT id, more FROM data WHERE more > 1 LIMIT 3", &e));
        break;
    default: STEP(v, taco_view_sql(v, "SELECT count(*) FROM data", &e)); break;
    }
    return v;
}

#define VIEWS 10

static uint64_t fed_bytes;

static void feed_it(taco_feed *feed, const mk_buf *z, const taco_range *r, size_t n)
{
    taco_error e = none();
    size_t i;
    taco_range copy[256];
    CHECK(n && n <= 256);
    for (i = 0; i < n && i < 256; i++) {
        copy[i] = r[i];
    }
    for (i = 0; i < n && i < 256; i++) {
        bool there = strcmp(copy[i].file, "/data/big.tacozip") == 0;
        CHECK(taco__checked_range(copy[i].offset, copy[i].len, z->len));
        if (copy[i].len == 0) { /* directories are looked for, too */
            CHECK(taco_feed_file(feed, copy[i].file, there ? z->len : TACO_FEED_NO_FILE, &e) ==
                  TACO_OK);
        } else {
            CHECK(there);
            CHECK(taco_feed_give(feed, copy[i].file, copy[i].offset, z->data + copy[i].offset,
                                 (size_t)copy[i].len, &e) == TACO_OK);
        }
        fed_bytes += copy[i].len;
    }
    CHECK_TEXT(taco_error_text(&e), "");
}

static taco_dataset *open_fed(taco_feed *feed, const mk_buf *z)
{
    taco_error e = none();
    taco_options opt;
    taco_dataset *ds;
    const taco_range *r;
    size_t n;
    int tries;
    memset(&opt, 0, sizeof opt);
    opt.open_file = taco_feed_open_file;
    opt.open_ctx = feed;
    for (tries = 0; tries < 8; tries++) {
        e = none();
        ds = taco_open("/data/big.tacozip", &opt, &e);
        if (ds) { return ds; }
        r = taco_feed_wanted(feed, &n);
        feed_it(feed, z, r, n);
    }
    CHECK_TEXT(taco_error_text(&e), "");
    return NULL;
}

/* Whatever the plan says is all that running takes. */
static void plans(bool pages)
{
    mk_buf z = big(pages);
    taco_dataset *whole;
    taco_source s;
    taco_error e = none();
    int which, tries;
    size_t n;
    taco_source_memory(&s, z.data, z.len);
    whole = taco_open_source(&s, "/data/big.tacozip", NULL, &e);
    for (which = 0; which < VIEWS; which++) {
        taco_feed *feed = taco_feed_new(NULL, &e);
        taco_dataset *ds = open_fed(feed, &z);
        taco_view *v = view_of(ds, which), *w = view_of(whole, which);
        taco_plan *p = NULL;
        char want[8192];
        uint64_t opened = fed_bytes, told_bytes = 0;
        /* of a source that is read piece by piece: for few rows indexes are read first */
        p = taco_view_plan(w, &e);
        CHECK(p && p->table_count > 0 && (which == 9 || p->bytes > 0));
        taco_plan_free(p);
        p = NULL;
        snprintf(want, sizeof want, "%s", rows_of(w, &e));
        for (tries = 0; tries < 8; tries++) { /* footers first, then what is planned */
            e = none();
            p = taco_view_plan(v, &e);
            if (p && p->range_count) {
                feed_it(feed, &z, p->ranges, p->range_count);
            } else if (!p) {
                const taco_range *r = taco_feed_wanted(feed, &n);
                CHECK(e.code == TACO_ERR_IO);
                feed_it(feed, &z, r, n);
            }
            if (p && p->complete) { break; }
            taco_plan_free(p);
            p = NULL;
        }
        CHECK(p != NULL);
        if (p) {
            told_bytes = p->bytes;
            CHECK(p->table_count > 0);
            CHECK(p->bytes < z.len / 2);
        }
        e = none();
        CHECK_TEXT(rows_of(v, &e), want);
        taco_feed_wanted(feed, &n);
        CHECK(n == 0); /* nothing else was asked for */
        CHECK(which == 9 || told_bytes > 0);
        CHECK(fed_bytes - opened < z.len / 10 * (pages ? 9 : 5));
        taco_plan_free(p);
        taco_view_free(v);
        taco_view_free(w);
        taco_close(ds);
        taco_feed_free(feed);
    }
    taco_close(whole);
    free(z.data);
}

static void planned(void)
{
    plans(false);
}

static void planned_pages(void)
{
    plans(true);
}

/* Without a plan it comes to the same: call, feed what was missing, call again. */
static void by_misses(void)
{
    mk_buf z = big(false);
    taco_error e = none();
    taco_feed *feed = taco_feed_new(NULL, &e);
    taco_dataset *ds = open_fed(feed, &z);
    taco_view *v = view_of(ds, 1);
    const char *got = "";
    size_t n = 1;
    int tries;
    CHECK(taco_feed_give(feed, "/nowhere", 0, "x", 1, &e) == TACO_ERR_ARGUMENT);
    e = none();
    CHECK(taco_feed_give(feed, "/data/big.tacozip", z.len, "x", 1, &e) == TACO_ERR_TRUNCATED);
    e = none();
    CHECK(taco_feed_file(feed, "/data/big.tacozip", 5, &e) == TACO_ERR_STATE);
    for (tries = 0; tries < 12 && n; tries++) {
        const taco_range *r;
        e = none();
        got = rows_of(v, &e);
        r = taco_feed_wanted(feed, &n);
        if (n) {
            CHECK(strncmp(got, "io:", 3) == 0);
            feed_it(feed, &z, r, n);
        }
    }
    CHECK(tries > 2 && tries < 12);
    CHECK(strncmp(got, "s", 1) == 0);
    taco_view_free(v);
    taco_close(ds);
    taco_feed_free(feed);
    taco_feed_free(NULL);
    free(z.data);
}

static void explained(void)
{
    static const char begins[] =
        "/data/big.tacozip: level0: 20000 rows, 9 of 10 row groups pruned, "
        "at most 2000 rows left\n  tests v\n  reads id, type, v, u, ";
    mk_buf z = big(false);
    taco_source s;
    taco_error e = none();
    taco_dataset *ds;
    taco_view *v;
    taco_plan *p;
    taco_bytes t;
    size_t i;
    taco_source_memory(&s, z.data, z.len);
    ds = taco_open_source(&s, "/data/big.tacozip", NULL, &e);
    v = view_of(ds, 0);
    p = taco_view_plan(v, &e);
    CHECK(p && p->complete && p->table_count == 1 && p->rounds == 2);
    if (p) {
        const taco_plan_table *x = &p->tables[0];
        CHECK(x->rows == BIG && x->groups == 10 && x->groups_pruned == 9 && x->rows_left == 2000);
        CHECK(x->tested_count == 1 && x->shown_count == 7 && x->at_most);
        CHECK_TEXT(x->tested[0], "v");
        CHECK(p->ranges[0].round == 0 && !p->ranges[0].at_most);
        CHECK(p->ranges[p->range_count - 1].round == 1 && p->ranges[p->range_count - 1].at_most);
        t = taco_plan_text(p, &e);
        CHECK(t.len > strlen(begins) && memcmp(t.data, begins, strlen(begins)) == 0);
        t = taco_plan_json(p, &e);
        CHECK(t.len && t.data[0] == '{' && t.data[t.len - 1] == '}');
    }
    taco_plan_free(p);
    taco_view_free(v);
    v = taco_view_open(ds, NULL, &e);
    STEP(v, taco_view_sql(v, "SELECT sum(u) FROM data WHERE u + 0 > 2", &e));
    p = taco_view_plan(v, &e);
    CHECK(p && p->select_count == 1 && p->rounds == 1 && p->tables[0].shown_count == 1);
    CHECK(p && p->tables[0].rows_left == BIG && !p->tables[0].at_most);
    taco_plan_free(p);
    taco_view_free(v);
    v = taco_view_open(ds, NULL, &e); /* order and limit leave nothing of the second SELECT */
    STEP(v, taco_view_sql(v, "SELECT *, v + 1 AS c FROM data", &e));
    STEP(v, taco_view_sql(v, "SELECT * FROM data ORDER BY v DESC LIMIT 1", &e));
    p = taco_view_plan(v, &e);
    CHECK(p && p->select_count == 1);
    taco_plan_free(p);
    taco_view_free(v);
    v = view_of(ds, 2); /* what tests level 1 is needed, whatever the answer */
    p = taco_view_plan(v, &e);
    for (i = 0; p && i < p->range_count && p->ranges[i].at_most == (p->ranges[i].round > 0); i++) {}
    CHECK(p && p->rounds == 2 && i == p->range_count);
    taco_plan_free(p);
    taco_plan_free(NULL);
    CHECK(!taco_view_plan(NULL, &e) && e.code == TACO_ERR_ARGUMENT);
    taco_view_free(v);
    taco_close(ds);
    free(z.data);
}

/* The bounds of v and the bloom filter of u, each of its own row group. */
static void explained_filters(void)
{
    /* a DOUBLE may be NaN, which is above all bounds */
    static const char *const where[] = {"u = 5 AND v < 9000", "u = 5 OR v < 20000",
                                        "u = 5.5 AND v < 19000"};
    static const unsigned left[] = {9000, 20000, 0}, found[] = {9, 20000, 0};
    mk_buf z = big(true);
    taco_source s;
    taco_error e = none();
    taco_dataset *ds;
    size_t i;
    taco_source_memory(&s, z.data, z.len);
    ds = taco_open_source(&s, "/data/big.tacozip", NULL, &e);
    for (i = 0; i < TACO__COUNT(where); i++) {
        char sql[120], want[20];
        taco_view *v = taco_view_open(ds, NULL, &e);
        taco_plan *p;
        snprintf(sql, sizeof sql, "SELECT count(*) FROM data WHERE %s", where[i]);
        snprintf(want, sizeof want, "%u", found[i]);
        STEP(v, taco_view_sql(v, sql, &e));
        p = taco_view_plan(v, &e);
        CHECK(p && p->tables[0].rows_left == left[i]);
        CHECK_TEXT(rows_of(v, &e), want);
        taco_plan_free(p);
        taco_view_free(v);
    }
    taco_close(ds);
    free(z.data);
}

/* ---- several datasets ---- */

/* One level of three rows; kind 0: x and y are whole numbers, `only` is there; kind 1: x is a
   DOUBLE, y text. */
static mk_buf flat_set(int kind)
{
    static const char *const id[] = {"a", "b", "c"}, *const file[] = {"FILE", "FILE", "FILE"};
    static const char *const text[] = {"one", "2", NULL};
    static const int64_t whole[] = {3, 1, 2}, place[] = {100, 101, 102};
    static const double real[] = {0.5, 2.5, 1.5};
    mk_col c[9];
    mk_buf level;
    size_t n = 0;
    c[n++] = mk_text("id", id);
    c[n++] = mk_text("type", file);
    c[n++] = kind ? mk_f64("x", real) : mk_i64("x", whole);
    c[n++] = kind ? mk_text("y", text) : mk_i64("y", whole);
    c[n] = mk_i64("t", whole);
    c[n++].type = kind ? MK_STAMP_UTC : MK_STAMP;
    if (!kind) {
        c[n++] = mk_i64("only", whole);
        c[n++] = mk_i64("internal:current_id", place);
    }
    c[n++] = mk_i64("internal:offset", place);
    c[n++] = mk_i64("internal:size", whole);
    level = mk_parquet(c, n, 3, 2);
    return mk_archive(&level, 1, MK_FLAT, "data", 4);
}

static char warned[2048];

static void on_warning(void *ctx, const taco_error *w)
{
    (void)ctx;
    strncat(warned, w->text, sizeof warned - strlen(warned) - 2);
    strcat(warned, "\n");
}

static taco_dataset *open_both(taco_feed *feed, taco_column_mode mode, taco_error *e)
{
    static const char *const paths[] = {"/d/one.tacozip", "/d/two.tacozip"};
    taco_options opt;
    int i;
    memset(&opt, 0, sizeof opt);
    opt.open_file = taco_feed_open_file;
    opt.open_ctx = feed;
    opt.warn = on_warning;
    warned[0] = 0;
    for (i = 0; i < 2; i++) {
        mk_buf z = flat_set(i);
        CHECK(taco_feed_file(feed, paths[i], z.len, e) == TACO_OK);
        CHECK(taco_feed_give(feed, paths[i], 0, z.data, z.len, e) == TACO_OK);
        free(z.data);
    }
    return taco_open_many(paths, 2, mode, &opt, e);
}

/* Bytes and pruned row groups of big() that a chain of SELECTs over it takes, told by its plan, and
   its rows. A where ("w:..."), an order ("o:...") and a limit ("l:...") are steps too. */
static void sinks(taco_dataset *ds, const char *const *steps, uint64_t most, uint64_t pruned,
                  const char *pushed_down, const char *rows)
{
    taco_error e = none();
    taco_view *v = taco_view_open(ds, NULL, &e);
    taco_plan *p;
    char all[512];
    size_t i, n = 0;
    const char *at;
    for (; *steps; steps++) {
        at = *steps + 2;
        if ((*steps)[1] != ':') {
            STEP(v, taco_view_sql(v, *steps, &e));
        } else if ((*steps)[0] == 'w') {
            STEP(v, taco_view_where(v, at, 0, &e));
        } else if ((*steps)[0] == 'o') {
            STEP(v, taco_view_order(v, at, &e));
        } else {
            STEP(v, taco_view_limit(v, (uint64_t)atoi(at), 0, &e));
        }
    }
    p = taco_view_plan(v, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK(p && p->bytes < most && p->tables[0].groups_pruned == pruned);
    all[0] = 0;
    for (i = 0; p && i < p->pushed_down_count; i++) {
        n += (size_t)snprintf(all + n, sizeof all - n, "%s%s", i ? " " : "", p->pushed_down[i]);
    }
    CHECK_TEXT(all, pushed_down);
    if (p && p->pushed_down_count) {
        taco_bytes text = taco_plan_text(p, &e);
        at = text.data ? strstr((const char *)text.data, "tested below them") : NULL;
        CHECK(at && strstr(at, p->pushed_down[0]));
        text = taco_plan_json(p, &e);
        CHECK(text.data && strstr((const char *)text.data, "\"pushed_down\":[\"("));
    }
    taco_plan_free(p);
    CHECK_TEXT(rows_of(v, &e), rows);
    taco_view_free(v);
}

/* Conditions, order and limits go below SELECTs that compute, as far as these let them; what is not
   asked for is not read. A row group of a column of numbers is 20,000 bytes. */
static void sunken(void)
{
    static const struct {
        const char *step[6];
        uint64_t most, pruned;
        const char *pushed_down, *rows;
    } t[] = {
        {{"SELECT id, v AS x, v * 2 + u AS c FROM data", "w:x BETWEEN 4100 AND 4101"},
         120000,
         9,
         "(\"v\" BETWEEN 4100 AND 4101)",
         "s4100,4100,9100 s4101,4101,9021"},
        {{"SELECT id, v AS x, v * 2 + u AS c FROM data", "SELECT x AS y, c, id FROM data",
          "SELECT c, y + 1 AS z FROM data d WHERE d.y < 2 AND c > 0"},
         120000,
         9,
         "(\"v\" < 2)",
         "921,2"},
        {{"SELECT id, v AS x, v * 2 + u AS c FROM data", "w:x < 4000",
          "SELECT *, c + 1 AS c1 FROM data", "w:x > 3997 AND c1 > 0 OR x = 7",
          "SELECT id FROM data WHERE x <> 3998"},
         240000,
         8,
         "(\"v\" < 4000) (\"v\" <> 3998)",
         "s7 s3999"},
        {{"SELECT v AS k, count(*) AS n FROM data GROUP BY v", "w:k < 2"},
         60000,
         9,
         "(\"v\" < 2)",
         "0,1 1,1"},
        {{"SELECT DISTINCT v AS k FROM data", "w:k < 1 AND k IS NOT NULL"},
         60000,
         9,
         "(\"v\" < 1) (\"v\" IS NOT NULL)",
         "0"},
        {{"SELECT v * 2 AS c FROM data", "w:\"internal:size\" < 2"},
         60000,
         9,
         "(\"internal:size\" < 2)",
         "0 2"},
        {{"SELECT id, u AS v, v AS u, v + u AS s FROM data", "w:v = 7 AND u < 1000"},
         120000,
         9,
         "(\"u\" = 7) (\"v\" < 1000)",
         "s753,7,753,760"},
        /* not the condition, but what comes out */
        {{"SELECT id, v * 2 AS c, u FROM data", "SELECT c FROM data WHERE c = 8"},
         220000,
         0,
         "",
         "8"},
        {{"SELECT *, v * 2 AS c FROM data", "SELECT id, c FROM data WHERE v = 4 AND c = 8"},
         120000,
         9,
         "(\"v\" = 4)",
         "s4,8"},
        {{"SELECT id, v AS x, v * 2 + u AS c FROM data", "l:2"}, 120000, 0, "", "s0,0,0 s1,1,921"},
        {{"SELECT v AS x, v * 2 + u AS c FROM data", "o:x desc", "l:1"},
         440000,
         0,
         "",
         "19999,40079"},
        {{"SELECT id, v AS x, v * 2 AS c FROM data", "SELECT id, c FROM data LIMIT 1 OFFSET 3",
          "l:3"},
         120000,
         0,
         "",
         "s3,6"},
        /* these would change the answer */
        {{"SELECT id, v + 0 AS c, v AS x FROM data ORDER BY c DESC LIMIT 2", "w:x < 19999"},
         UINT64_MAX,
         0,
         "",
         "s19998,19998,19998"},
        {{"SELECT id, v + 0 AS c, v AS x FROM data LIMIT 2", "w:x > 0"},
         UINT64_MAX,
         0,
         "",
         "s1,1,1"},
        {{"SELECT count(*) AS n, 1 AS v FROM data", "w:v = 2"}, UINT64_MAX, 0, "", ""},
        {{"SELECT v AS k, count(*) AS n FROM data GROUP BY v ORDER BY v LIMIT 1", "w:k > 0"},
         UINT64_MAX,
         0,
         "",
         ""},
        {{"SELECT DISTINCT ON (v % 2) v FROM data ORDER BY v", "w:v > 0"}, UINT64_MAX, 0, "", "1"},
        {{"SELECT id, unnest([v, 7]) AS u FROM data", "w:id = 's2'"},
         UINT64_MAX,
         0,
         "",
         "s2,2 s2,7"},
        {{"SELECT DISTINCT v > 5 AS v FROM data ORDER BY 1", "w:NOT v"},
         UINT64_MAX,
         0,
         "",
         "false"},
        {{"SELECT a.v AS v, b.u AS x FROM data a JOIN data b ON a.v = b.v + 1", "w:v = 1"},
         UINT64_MAX,
         0,
         "",
         "1,0"},
    };

    mk_buf z = big(false);
    taco_source s;
    taco_error e = none();
    taco_dataset *ds;
    size_t i;
    taco_source_memory(&s, z.data, z.len);
    ds = taco_open_source(&s, "/data/big.tacozip", NULL, &e);
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        sinks(ds, t[i].step, t[i].most, t[i].pruned, t[i].pushed_down, t[i].rows);
    }
    taco_close(ds);
    free(z.data);
}

static void several(void)
{
    taco_error e = none();
    taco_feed *feed = taco_feed_new(NULL, &e);
    taco_dataset *ds = open_both(feed, TACO_COLUMNS_INTERSECTION, &e);
    taco_view *v = taco_view_open(ds, NULL, &e), *w;
    taco_plan *p;
    CHECK_TEXT(taco_error_text(&e), "");
    w = taco_view_select(v, "id, x, y, \"internal:source_file\"", &e);
    CHECK_TEXT(rows_of(w, &e), "a,3,3,one.tacozip b,1,1,one.tacozip c,2,2,one.tacozip "
                               "a,0.5,one,two.tacozip b,2.5,2,two.tacozip c,1.5,-,two.tacozip");
    CHECK(strstr(warned, "column 'only' of level 0 is in 1 of 2 datasets: dropped from "
                         "/d/one.tacozip\n") != NULL);
    CHECK(strstr(warned, "source_file") == NULL);
    STEP(w, taco_view_order(w, "x desc", &e)); /* by the common type */
    STEP(w, taco_view_limit(w, 4, 0, &e));
    CHECK_TEXT(rows_of(w, &e), "a,3,3,one.tacozip b,2.5,2,two.tacozip c,2,2,one.tacozip "
                               "c,1.5,-,two.tacozip");
    STEP(w, taco_view_where(w, "x > 1.5", 0, &e));
    CHECK_TEXT(rows_of(w, &e), "a,3,3,one.tacozip b,2.5,2,two.tacozip c,2,2,one.tacozip");
    taco_view_free(w);
    w = taco_view_sql(v,
                      "SELECT id, x FROM data WHERE y = '2' AND \"internal:source_file\" LIKE "
                      "'two%'",
                      &e);
    CHECK_TEXT(rows_of(w, &e), "b,2.5");
    taco_view_free(w);
    w = taco_view_sql(v,
                      "SELECT a.x, b.x FROM data a JOIN data b ON a.id = b.id AND "
                      "a.\"internal:current_id\" = b.\"internal:current_id\" WHERE a.x < b.x "
                      "ORDER BY 1",
                      &e); /* 100, 101, 102 in one, row numbers in the other */
    CHECK_TEXT(rows_of(w, &e), "");
    taco_view_free(w);
    w = taco_view_sql(v, "SELECT \"internal:current_id\" AS n FROM data", &e);
    CHECK_TEXT(rows_of(w, &e), "100 101 102 0 1 2");
    taco_view_free(w);
    CHECK_TEXT(told(taco_sql(ds, "SELECT x, y FROM data LIMIT 3 OFFSET 2", &e), &e),
               "2,2 0.5,one 2.5,2");
    CHECK_TEXT(told(taco_sql(ds, "SELECT y, count(*) FROM data GROUP BY y ORDER BY y", &e), &e),
               "1,1 2,2 3,1 one,1 -,1");
    CHECK_TEXT(told(taco_sql(ds,
                             "SELECT \"internal:current_id\" AS n, id, \"internal:source_file\" "
                             "FROM data LIMIT 3 OFFSET 2",
                             &e),
                    &e),
               "102,c,one.tacozip 0,a,two.tacozip 1,b,two.tacozip");
    CHECK_TEXT(first(taco_view_read(v, "@4", false, &e), "x"), "2.5"); /* of the second */
    CHECK_TEXT(first(taco_view_read(v, "b", false, &e), "x"), "1.0");
    w = taco_view_where(v, "x = 2.5", 0, &e);
    CHECK_TEXT(first(taco_view_read(w, "b", false, &e), "x"), "2.5");
    CHECK_TEXT(first(taco_view_read(w, "@0", false, &e), "internal:source_path"), "/d/two.tacozip");
    p = taco_view_plan(w, &e);
    CHECK(p && p->complete && p->table_count == 2);
    taco_plan_free(p);
    taco_view_free(w);
    taco_view_free(v);
    taco_close(ds);
    ds = open_both(feed, TACO_COLUMNS_FILL_MISSING, &e);
    CHECK_TEXT(told(taco_sql(ds, "SELECT \"only\" FROM data WHERE x > 1", &e), &e), "3 2 - -");
    CHECK_TEXT(told(taco_sql(ds, "SELECT id, \"only\" FROM data LIMIT 3 OFFSET 2", &e), &e),
               "c,2 a,- b,-");
    CHECK(strstr(warned, "column 'only' of level 0 is in 1 of 2 datasets: filled with nulls in "
                         "/d/two.tacozip\n") != NULL);
    taco_close(ds);
    ds = open_both(feed, TACO_COLUMNS_STRICT, &e);
    CHECK(!taco_select(ds, NULL, &e) && e.code == TACO_ERR_TYPE);
    CHECK(strstr(warned, "/d/two.tacozip: level 0: column 'only' of /d/one.tacozip is missing\n"));
    CHECK(strstr(e.text, "; and ") != NULL); /* more than the text has room for */
    taco_close(ds);
    taco_feed_free(feed);
}

/* The common types are DuckDB's, of SELECT ... UNION ALL BY NAME SELECT ... */
static void common_types(void)
{
    static const struct {
        taco_type a, b, both;
    } pairs[] = {
        {TACO_BOOL, TACO_INT8, TACO_INT8},       {TACO_INT8, TACO_UINT8, TACO_INT16},
        {TACO_INT8, TACO_UINT16, TACO_INT32},    {TACO_INT8, TACO_UINT32, TACO_INT64},
        {TACO_INT16, TACO_UINT8, TACO_INT16},    {TACO_INT32, TACO_UINT32, TACO_INT64},
        {TACO_INT64, TACO_UINT32, TACO_INT64},   {TACO_UINT8, TACO_UINT64, TACO_UINT64},
        {TACO_INT64, TACO_FLOAT, TACO_FLOAT},    {TACO_UINT64, TACO_FLOAT, TACO_FLOAT},
        {TACO_INT8, TACO_DOUBLE, TACO_DOUBLE},   {TACO_FLOAT, TACO_DOUBLE, TACO_DOUBLE},
        {TACO_INT64, TACO_TEXT, TACO_TEXT},      {TACO_DATE, TACO_TEXT, TACO_TEXT},
        {TACO_TEXT, TACO_BINARY, TACO_BINARY},   {TACO_DATE, TACO_TIMESTAMP, TACO_TIMESTAMP},
        {TACO_NULL, TACO_TEXT, TACO_TEXT},       {TACO_HALF, TACO_INT32, TACO_FLOAT},
        {TACO_UINT64, TACO_INT8, TACO_DECIMAL},  {TACO_LIST, TACO_TEXT, TACO_NULL},
        {TACO_DATE, TACO_INT32, TACO_NULL},      {TACO_INT64, TACO_INT64, TACO_INT64},
        {TACO_STRUCT, TACO_STRUCT, TACO_STRUCT}, {TACO_BOOL, TACO_BOOL, TACO_BOOL},
    };

    taco__mem mem;
    taco__arena arena;
    taco_error e = none();
    size_t i;
    taco__mem_init(&mem, NULL);
    memset(&arena, 0, sizeof arena);
    arena.mem = &mem;
    for (i = 0; i < 2 * sizeof pairs / sizeof pairs[0]; i++) {
        taco_field f[2], both, list[2];
        memset(f, 0, sizeof f);
        memset(list, 0, sizeof list);
        f[i % 2].type = pairs[i / 2].a;
        f[1 - i % 2].type = pairs[i / 2].b;
        CHECK(taco__unify_type(&arena, &f[0], &f[1], &both, &e) ==
              (pairs[i / 2].both != TACO_NULL));
        CHECK(pairs[i / 2].both == TACO_NULL || both.type == pairs[i / 2].both);
        list[0].type = list[1].type = TACO_LIST;
        list[0].child_count = list[1].child_count = 1;
        list[0].children = &f[0];
        list[1].children = &f[1];
        CHECK(taco__unify_type(&arena, &list[0], &list[1], &both, &e) ==
              (pairs[i / 2].both != TACO_NULL));
        CHECK(pairs[i / 2].both == TACO_NULL || both.children->type == pairs[i / 2].both);
    }
    taco__arena_free(&arena);
}

/* ---- boxes ---- */

/* Four FILEs, points (0 0), (1 1), (2 2) and one that is not there; v = 4 ... 1. */
static mk_buf points(void)
{
    static const char *const id[] = {"p0", "p1", "p2", "p3"};
    static const char *const file[] = {"FILE", "FILE", "FILE", "FILE"};
    static const double v[] = {4, 3, 2, 1};
    static const int64_t one[] = {1, 1, 1, 1};
    static const uint8_t null[] = {0, 0, 0, 1};
    uint8_t wkb[4][21];
    mk_col c[6];
    mk_buf level;
    size_t i;
    memset(wkb, 0, sizeof wkb);
    for (i = 0; i < 4; i++) {
        wkb[i][0] = wkb[i][1] = 1;
        w_le64(wkb[i] + 5, w_bits((double)i));
        w_le64(wkb[i] + 13, w_bits((double)i));
    }
    c[0] = mk_text("id", id);
    c[1] = mk_text("type", file);
    c[2] = mk_bin("g", wkb[0], 21);
    c[2].null = null;
    c[3] = mk_f64("v", v);
    c[4] = mk_i64("internal:offset", one);
    c[5] = mk_i64("internal:size", one);
    level = mk_parquet(c, 6, 4, 2);
    return mk_archive(&level, 1, MK_FLAT, "x", 1);
}

/* A box in a SELECT is a filter of what stands below it, wherever that is. */
static void boxes(void)
{
#define MEETS "ST_Intersects(ST_GeomFromWKB(g), ST_MakeEnvelope(0.5, 0.5, 2.5, 2.5))"
    mk_buf z = points();
    taco_error e = none();
    taco_dataset *ds = open_made(&z);
    taco_view *v = taco_view_open(ds, NULL, &e), *w;
    taco_plan *p;
    CHECK_TEXT(told(taco_sql(ds, "SELECT id FROM data WHERE " MEETS " LIMIT 1 OFFSET 1", &e), &e),
               "p2");
    w = taco_view_sql(v, "SELECT id, v FROM data WHERE " MEETS " AND v < 4 ORDER BY v", &e);
    CHECK_TEXT(rows_of(w, &e), "p2,2 p1,3");
    p = taco_view_plan(w, &e);
    CHECK(p && p->select_count == 0); /* part of the one query */
    taco_plan_free(p);
    STEP(w, taco_view_where(w, "v > 2", 0, &e));
    CHECK_TEXT(rows_of(w, &e), "p1,3");
    taco_view_free(w);
    w = taco_view_sql(v, "SELECT upper(id) AS u, v FROM data WHERE " MEETS, &e); /* a layer */
    CHECK_TEXT(rows_of(w, &e), "P1,3 P2,2");
    p = taco_view_plan(w, &e);
    CHECK(p && p->select_count == 1);
    taco_plan_free(p);
    STEP(w, taco_view_sql(w, "SELECT u FROM data WHERE v < 3", &e));
    CHECK_TEXT(rows_of(w, &e), "P2");
    taco_view_free(w);
    w = taco_view_limit(v, 2, 0, &e); /* of the first two */
    STEP(w, taco_view_sql(w, "SELECT id FROM data WHERE " MEETS, &e));
    CHECK_TEXT(rows_of(w, &e), "p1");
    taco_view_free(w);
    w = taco_view_limit(v, 2, 0, &e);
    STEP(w, taco_view_sql(w, "SELECT upper(id) AS u FROM data WHERE " MEETS, &e));
    CHECK_TEXT(rows_of(w, &e), "P1");
    taco_view_free(w);
    w = taco_view_sql(v, "SELECT id, g FROM data LIMIT 3", &e); /* over a SELECT */
    STEP(w, taco_view_sql(w, "SELECT id FROM data WHERE " MEETS " ORDER BY id DESC", &e));
    CHECK_TEXT(rows_of(w, &e), "p2 p1");
    taco_view_free(w);
    w = taco_view_sql(v, "SELECT id || '!' AS i, g FROM data", &e);
    STEP(w, taco_view_sql(w, "SELECT i FROM data WHERE " MEETS " LIMIT 1", &e));
    CHECK_TEXT(rows_of(w, &e), "p1!");
    taco_view_free(w);
    taco_view_free(v);
    taco_close(ds);
    free(z.data);
#undef MEETS
}

/* ---- faults ---- */

/* One step more; the view before goes. */
static taco_view *then(taco_view *before, taco_view *next)
{
    taco_view_free(before);
    return next;
}

/* Everything that views do, once. The number of rows, or -1 when something failed, which e
   tells. */
static int everything(const mk_buf *z, const taco_options *opt, taco_error *e)
{
    taco_source s;
    taco_dataset *ds;
    taco_view *v = NULL;
    taco_plan *p;
    taco_cursor *c;
    int n = 0;
    taco_source_memory(&s, z->data, z->len);
    ds = taco_open_source(&s, "/data/six.tacozip", opt, e);
    v = ds ? taco_view_open(ds, NULL, e) : NULL;
    v = v ? then(v, taco_view_where(v, "cloud <= 40", 0, e)) : NULL;
    v = v ? then(v, taco_view_sql(v, "SELECT * FROM data WHERE v < 5 ORDER BY v LIMIT 4", e))
          : NULL;
    v = v ? then(v, taco_view_where(v, "w < 9", 1, e)) : NULL;
    v = v ? then(v, taco_view_sql(v, "SELECT v * 2 AS d FROM data WHERE v + 0 > 1 LIMIT 9", e))
          : NULL;
    v = v ? then(v, taco_view_where(v, "w > 2", 1, e)) : NULL;
    v = v ? then(v, taco_view_sql(v, "SELECT * FROM data WHERE id <> 'f4'", e)) : NULL;
    p = v ? taco_view_plan(v, e) : NULL;
    n += p && taco_plan_text(p, e).len && taco_plan_json(p, e).len;
    taco_plan_free(p);
    c = e->code == TACO_OK ? taco_view_rows(v, e) : NULL;
    while (c && taco_cursor_next(c)) {
        taco_cursor *k = taco_cursor_children(c, e);
        while (taco_cursor_next(k)) {
            n += 10;
        }
        taco_cursor_close(k, e);
        n += 1000;
    }
    taco_cursor_close(c, e);
    c = e->code == TACO_OK ? taco_view_read(v, "f1/x", false, e) : NULL;
    while (taco_cursor_next(c)) {
        n += 100000;
    }
    taco_cursor_close(c, e);
    taco_view_free(v);
    taco_close(ds);
    return e->code == TACO_OK ? n : -1;
}

static void allocations_fail(void)
{
    mk_buf z = six(true);
    test_memory f;
    taco_allocator a;
    taco_options opt;
    size_t n;
    for (n = 1; n < 20000; n++) {
        taco_error e = none();
        int got;
        test_counted(&opt, &a, &f);
        f.fail_at = n;
        got = everything(&z, &opt, &e);
        CHECK(f.live == 0);
        CHECK(got < 0 ? e.code == TACO_ERR_MEMORY : got == 103061);
        if (got < 0 && e.code != TACO_ERR_MEMORY) {
            printf("allocation %u: %s: %s\n", (unsigned)n, taco_status_name(e.code), e.text);
        } else if (got > 0 && got != 103061) {
            printf("allocation %u: %d\n", (unsigned)n, got);
        }
        if (f.calls < n || test_bad > 20) { break; }
    }
    CHECK(n > 100 && n < 20000);
    free(z.data);
}

/* ---- columns that are not shown ---- */

/* id, path and internal:size of each row, by the accessors, whatever the cursor shows. */
static const char *kept(taco_cursor *c, taco_error *e)
{
    static char out[8192];
    int64_t size;
    double number;
    taco_bytes id;
    size_t n = 0;
    out[0] = 0;
    while (taco_cursor_next(c) && n < sizeof out - 300) {
        const char *vsi = taco_cursor_vsi(c);
        CHECK(!*vsi || taco_cursor_bytes(c, "id", &id));
        CHECK(!*vsi || (taco_cursor_int(c, "internal:size", &size) &&
                        taco_cursor_double(c, "internal:size", &number) && number == (double)size &&
                        !taco_cursor_bytes(c, "internal:size", &id)));
        CHECK(taco_cursor_text(c, "v") || !taco_cursor_text(c, "vv"));
        n += (size_t)snprintf(out + n, sizeof out - n, "%s%s=%s", n ? " " : "",
                              *vsi ? taco_cursor_text(c, "id") : "", vsi);
    }
    taco_cursor_close(c, e);
    return e->code == TACO_OK ? out : e->text;
}

/* The same of a query, with the columns that accessors are about shown or not. */
static void kept_of_query(taco_dataset *ds, taco_query q, const char *shown, const char *hidden)
{
    taco_error e = none();
    char want[8192];
    q.select = shown;
    strcpy(want, kept(taco_select(ds, &q, &e), &e));
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK(strlen(want) > 40 && strstr(want, "/vsisubfile/"));
    q.select = hidden;
    CHECK_TEXT(kept(taco_select(ds, &q, &e), &e), want);
}

/* Paths, ids and internal columns of rows that show none of them. */
static void not_shown(void)
{
    mk_buf z = six(false);
    taco_dataset *ds = open_made(&z);
    taco_query q;
    taco_error e = none();
    taco_view *all, *v;
    char want[8192];
    memset(&q, 0, sizeof q);
    kept_of_query(ds, q, NULL, "v");
    q.where = "v > 1 AND v <> 3";
    kept_of_query(ds, q, NULL, "name");
    q.order = "name, v desc";
    kept_of_query(ds, q, NULL, "v, cloud");
    q.limit = 2;
    q.offset = 1;
    kept_of_query(ds, q, "v, id, \"internal:size\", \"internal:gdal_vsi\"", "v");
    memset(&q, 0, sizeof q);
    q.table = 1;
    kept_of_query(ds, q, NULL, "w");

    /* a SELECT that keeps rows, and computes */
    memset(&q, 0, sizeof q);
    q.where = "v > 2";
    q.order = "cloud desc";
    strcpy(want, kept(taco_select(ds, &q, &e), &e));
    all = taco_view_open(ds, NULL, &e);
    v = taco_view_sql(all, "SELECT cloud * 2 AS c FROM data WHERE v > 2 ORDER BY c DESC", &e);
    CHECK_TEXT(kept(taco_view_rows(v, &e), &e), want);
    taco_view_free(v);
    /* rows that are no samples have no path, which is an error */
    v = taco_view_sql(all, "SELECT name, count(*) AS n FROM data GROUP BY name", &e);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK(strstr(kept(taco_view_rows(v, &e), &e), "not known to be samples"));
    CHECK(e.code == TACO_ERR_STATE);
    taco_view_free(v);
    taco_view_free(all);
    taco_close(ds);
    free(z.data);
}

int main(void)
{
    RUN(lazy);
    RUN(one_plan);
    RUN(limits);
    RUN(over_views);
    RUN(filters_below);
    RUN(pit_schema);
    RUN(protected_columns);
    RUN(mistakes);
    RUN(exported);
    RUN(not_exported);
    RUN(flat_and_joins);
    RUN(several_stars);
    RUN(pushed_texts);
    RUN(nested_layers);
    RUN(names_of_queries);
    RUN(planned);
    RUN(planned_pages);
    RUN(by_misses);
    RUN(explained);
    RUN(explained_filters);
    RUN(sunken);
    RUN(several);
    RUN(common_types);
    RUN(boxes);
    RUN(not_shown);
    RUN(allocations_fail);
    return test_end("test_views");
}
