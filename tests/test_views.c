/* Views: steps that make new views, one plan of them, protected columns and navigation, SELECTs over SELECTs; plans of
   byte ranges, and queries over the bytes of a plan alone. */
#define TACO_IMPLEMENTATION
#include "../taco.h"

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

/* Six FOLDERs f0 ... f5 of two FILEs each, x and y; v = 5 ... 0, cloud = 0 10 ... 50, name with a null; below, w = 0 ...
   11 and day 0 ... 11. current_id only where `ids` is set. */
static mk_buf six(bool ids)
{
    static const char *const id0[] = {"f0", "f1", "f2", "f3", "f4", "f5"};
    static const char *const folder[] = {"FOLDER", "FOLDER", "FOLDER",
                                         "FOLDER", "FOLDER", "FOLDER"};
    static const char *const name[] = {"ann", "bob", NULL, "ann", "cy", "bob"};
    static const double      v[] = {5, 4, 3, 2, 1, 0}, cloud[] = {0, 10, 20, 30, 40, 50};
    static const double      w[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    static const char *const id1[] = {"x", "y", "x", "y", "x", "y", "x", "y", "x", "y", "x", "y"};
    static const char *const file[] = {"FILE", "FILE", "FILE", "FILE", "FILE", "FILE",
                                       "FILE", "FILE", "FILE", "FILE", "FILE", "FILE"};
    static const int64_t     current[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
                         parent[] = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5};
    static const int64_t one[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    int64_t              offset[12], size[12], day[12];
    mk_col               c[8];
    mk_buf               levels[2], payload = {NULL, 0, 0}, z;
    size_t               i, n;
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
    if (ids) {
        c[n++] = mk_i64("internal:current_id", current);
    }
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
    if (ids) {
        c[n++] = mk_i64("internal:current_id", current);
    }
    c[n++] = mk_i64("internal:parent_id", parent);
    c[n++] = mk_i64("internal:offset", one);
    c[n++] = mk_i64("internal:size", one);
    levels[1] = mk_parquet(c, n, 12, 4);
    z = mk_archive(levels, 2, MK_NESTED, payload.data, payload.len);
    free(payload.data);
    return z;
}

/* A source that counts, and takes ranges together. */
typedef struct counted {
    mk_buf *z;
    size_t  reads, bytes;
} counted;
static bool counted_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    counted *c = (counted *)ctx;
    c->reads++;
    c->bytes += len;
    memcpy(dst, c->z->data + offset, len);
    return true;
}
static bool counted_many(void *ctx, const taco_piece *reads, size_t n)
{
    counted *c = (counted *)ctx;
    size_t   i;
    c->reads++;
    for (i = 0; i < n; i++) {
        c->bytes += reads[i].len;
        memcpy(reads[i].dst, c->z->data + reads[i].offset, reads[i].len);
    }
    return true;
}
static taco_dataset *open_counted(counted *c, mk_buf *z)
{
    taco_error    e = none();
    taco_source   s;
    taco_dataset *ds;
    memset(&s, 0, sizeof s);
    memset(c, 0, sizeof *c);
    c->z = z;
    s.ctx = c;
    s.size = z->len;
    s.read = counted_read;
    s.read_many = counted_many;
    ds = taco_open_source(&s, "/data/six.tacozip", NULL, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    return ds;
}
static taco_dataset *open_made(mk_buf *z)
{
    taco_error    e = none();
    taco_source   s;
    taco_dataset *ds;
    taco_source_memory(&s, z->data, z->len);
    ds = taco_open_source(&s, "/data/six.tacozip", NULL, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    return ds;
}

/* ---- what a cursor has ---- */

/* Rows as text: values of all columns joined by commas, rows by spaces; or the error. Closes the cursor. */
static const char *told(taco_cursor *c, taco_error *e)
{
    static char       out[8192];
    size_t            n = 0, i, k = 0;
    const taco_field *f = taco_cursor_fields(c, &i);
    out[0] = 0;
    while (taco_cursor_next(c)) {
        f = taco_cursor_fields(c, &i);
        for (k = 0; k < i && n < sizeof out - 300; k++) {
            const char *t = taco_cursor_text(c, f[k].name), *dot = t ? strstr(t, ".0") : NULL;
            int         len = !t ? 1 : dot && !dot[2] ? (int)(dot - t) : (int)strlen(t);
            n += (size_t)snprintf(out + n, sizeof out - n, "%s%.*s", k ? "," : n ? " " : "", len,
                                  t ? t : "-"); /* 3 for 3.0 */
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
    taco_error  e = none();
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
    mk_buf        z = six(true);
    taco_dataset *ds = open_made(&z);
    taco_error    e = none();
    taco_view    *all, *v, *w;
    const double  box[4] = {0, 0, 1, 1};
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
    mk_buf        z = six(true);
    taco_dataset *ds = open_made(&z);
    taco_error    e = none();
    taco_view    *v = taco_view_open(ds, NULL, &e);
    taco__lazy    plan;
    STEP(v, taco_view_sql(v, "SELECT * FROM data WHERE cloud < 40 AND name IS NOT NULL", &e));
    STEP(v, taco_view_filter_datetime(v, "1970-01-02/1970-01-08", NULL, 1, &e));
    STEP(v, taco_view_sql(v, "SELECT ID, name, v FROM data WHERE v >= 2 ORDER BY v", &e));
    STEP(v, taco_view_where(v, "w <> 3", 1, &e));
    STEP(v, taco_view_sql(v, "SELECT * FROM data LIMIT 2 OFFSET 1", &e));
    CHECK(taco__lazy_begin(&plan, v, &e));
    CHECK(plan.layer_count == 0 && plan.filter_count == 4);
    CHECK(plan.limited && plan.limit == 2 && plan.offset == 1);
    CHECK_TEXT(plan.q.order, "\"v\"");
    CHECK_TEXT(plan.q.select, "\"id\", \"name\", \"v\"");
    taco__lazy_end(&plan);
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
    mk_buf        z = six(true);
    taco_dataset *ds = open_made(&z);
    taco_error    e = none();
    taco_view    *v = taco_view_open(ds, NULL, &e), *w;
    STEP(v, taco_view_sql(v, "SELECT id, cloud FROM data ORDER BY cloud DESC LIMIT 4", &e));
    CHECK_TEXT(rows_of(v, &e), "f5,50 f4,40 f3,30 f2,20");
    w = taco_view_where(v, "cloud < 40", 0, &e);
    CHECK_TEXT(rows_of(w, &e), "f3,30 f2,20");
    STEP(w, taco_view_where(w, "w <= 5", 1, &e));
    CHECK_TEXT(rows_of(w, &e), "f2,20");
    taco_view_free(w);
    w = taco_view_sql(v, "SELECT * FROM data WHERE cloud + 0 < 40", &e); /* no scan can say it */
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
    mk_buf        z = six(true);
    taco_dataset *ds = open_made(&z);
    taco_error    e = none();
    taco_view    *v = taco_view_open(ds, NULL, &e), *w;
    STEP(v, taco_view_where(v, "cloud <= 40", 0, &e));
    w = taco_view_sql(v, "SELECT name, count(*) AS n, sum(v) AS s FROM data GROUP BY name ORDER BY 1",
                      &e);
    CHECK_TEXT(rows_of(w, &e), "ann,2,7 bob,1,4 cy,1,1 -,1,3");
    STEP(w, taco_view_sql(w, "SELECT name FROM data WHERE s > 3 AND n = 1", &e));
    CHECK_TEXT(rows_of(w, &e), "bob");
    STEP(w, taco_view_where(w, "name = 'cy'", 0, &e)); /* its own columns can be filtered */
    CHECK_TEXT(rows_of(w, &e), "");
    STEP(w, taco_view_where(w, "w = 1", 1, &e)); /* others cannot: these are no samples */
    CHECK(strstr(rows_of(w, &e), "no samples any more") != NULL);
    taco_view_free(w);
    w = taco_view_sql(v, "SELECT a.id, b.w FROM data a JOIN level1 b ON b.\"internal:parent_id\" = "
                         "a.\"internal:current_id\" WHERE b.w > 6 ORDER BY w",
                      &e);
    CHECK_TEXT(rows_of(w, &e), "f3,7 f4,8 f4,9");
    taco_view_free(w);
    w = taco_view_sql(v, "SELECT a.id, b.v FROM data a JOIN data b ON a.name = b.name AND a.v < b.v",
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
/* id, type and internal:* are there for later steps and for navigation, whatever was selected (spec 7.2.3). */
static void protected_columns(void)
{
    mk_buf        z = six(true);
    taco_dataset *ds = open_made(&z);
    taco_error    e = none();
    taco_view    *v = taco_view_open(ds, NULL, &e), *w;
    taco_cursor  *c;
    STEP(v, taco_view_sql(v, "SELECT cloud FROM data WHERE cloud >= 20", &e));
    CHECK_TEXT(rows_of(v, &e), "20 30 40 50");
    w = taco_view_sql(v, "SELECT * FROM data WHERE type = 'FOLDER' AND id <> 'f3'", &e);
    CHECK_TEXT(rows_of(w, &e), "20 40 50");
    STEP(w, taco_view_select(w, "id", &e));
    CHECK_TEXT(rows_of(w, &e), "f2 f4 f5");
    STEP(w, taco_view_select(w, "name", &e));
    CHECK(strstr(rows_of(w, &e), "the view has no column 'name' any more") != NULL);
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
    CHECK(strstr(told(taco_view_read(w, "@0", false, &e), &e), "no samples any more") != NULL);
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
    mk_buf        z = six(true);
    taco_dataset *ds = open_made(&z);
    taco_error    e = none();
    taco_query    q;
    taco_view    *v = taco_view_open(ds, NULL, &e);
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
static void exported(void)
{
    mk_buf                  z = six(true);
    taco_dataset           *ds = open_made(&z);
    taco_error              e = none();
    taco_view              *v = taco_view_open(ds, NULL, &e);
    struct ArrowArrayStream s;
    struct ArrowArray       a;
    int                     i;
    int64_t                 n;
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
/* Conditions on flat views test the level that a column is of; joins do without internal:current_id. */
static void flat_and_joins(void)
{
    int i;
    for (i = 0; i < 2; i++) {
        mk_buf        z = six(i == 0);
        taco_dataset *ds = open_made(&z);
        taco_error    e = none();
        taco_cursor  *c = taco_sql(ds,
                                   "SELECT \"l0:id\", \"l1:w\" FROM l1 WHERE \"l0:cloud\" > 10 AND "
                                    "\"l1:w\" < 7 AND \"l1:id\" = 'x'",
                                   &e);
        CHECK(c && ((taco__exec *)c->plan)->where_count == 0); /* all of it went to the scan */
        CHECK_TEXT(told(c, &e), "f2,4 f3,6");
        c = taco_sql(ds, "SELECT \"l1:w\" FROM l1 WHERE \"l0:cloud\" > 30 OR \"l1:w\" < 1", &e);
        CHECK(c && ((taco__exec *)c->plan)->where_count == 1); /* of two levels: none can */
        CHECK_TEXT(told(c, &e), "0 8 9 10 11");
        CHECK_TEXT(told(taco_sql(ds,
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

int main(void)
{
    RUN(lazy);
    RUN(one_plan);
    RUN(limits);
    RUN(over_views);
    RUN(protected_columns);
    RUN(mistakes);
    RUN(exported);
    RUN(flat_and_joins);
    return test_end("test_views");
}
