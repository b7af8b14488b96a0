/* Several views, sources and paths as one dataset (taco_open_parts): rows, levels, paths, counts,
   SQL, and exports. */
#include "../taco.h"
#include "../extra/taco_sql.h"
#include "../extra/taco_write.h"

#include <stdio.h>

#include "test.h"

#define OUT "parts.tmp.zip"

static const char nested[] = "examples/data/nested.tacozip",
                  folder[] = "examples/data/nested_folder", several[] = "examples/data/multi",
                  binary[] = "examples/data/tacocat_binary",
                  one[] = "examples/data/concat/a.tacozip",
                  two[] = "examples/data/concat/b.tacozip";

static taco_error err;

static taco_error *fresh(void)
{
    memset(&err, 0, sizeof err);
    return &err;
}

/* A view of what is at a path; *ds is to be closed. */
static taco_view *view_of(const char *path, const char *sql, taco_dataset **ds)
{
    taco_view *all, *v;
    *ds = taco_open(path, NULL, fresh());
    all = taco_view_open(*ds, NULL, &err);
    v = sql ? taco_view_sql(all, sql, &err) : all;
    if (v != all) { taco_view_free(all); }
    CHECK_TEXT(taco_error_text(&err), "");
    return v;
}

/* The values of a column of a cursor's rows, joined by spaces, and the cursor's error. */
static const char *texts(taco_cursor *c, const char *column)
{
    static char out[2048];
    size_t n = 0;
    out[0] = 0;
    while (taco_cursor_next(c) && n < sizeof out - 64) {
        const char *t = taco_cursor_text(c, column);
        n += (size_t)snprintf(out + n, 64, "%s%s", n ? " " : "", t ? t : "-");
    }
    if (taco_cursor_close(c, &err) != TACO_OK) { return err.text; }
    return out;
}

static const char *list(taco_dataset *ds, uint32_t level, const char *where, const char *column)
{
    taco_query q = {0};
    q.table = q.level = level;
    q.where = where;
    return texts(taco_select(ds, &q, fresh()), column);
}

/* The first column of a SELECT. */
static const char *sql(taco_dataset *ds, const char *text)
{
    taco_cursor *c = taco_sql(ds, text, fresh());
    size_t n = 0;
    const taco_field *f = c ? taco_cursor_fields(c, &n) : NULL;
    return n ? texts(c, f[0].name) : err.text;
}

/* A view of the catalogue, one of an archive and a whole FOLDER behind them: six samples. */
static taco_dataset *open_three(taco_dataset *from[2], const taco_options *opt)
{
    taco_part p[3];
    taco_dataset *ds;
    taco_view *v[2];
    memset(p, 0, sizeof p);
    p[0].view = v[0] = view_of(several, "SELECT id FROM data WHERE id > 'tile_03'", &from[0]);
    p[1].view = v[1] = view_of(nested, "SELECT id FROM data ORDER BY id DESC LIMIT 2", &from[1]);
    p[2].path = folder;
    ds = taco_open_parts(p, 3, TACO_COLUMNS_INTERSECTION, opt, fresh());
    CHECK_TEXT(taco_error_text(&err), "");
    taco_view_free(v[0]);
    taco_view_free(v[1]);
    return ds;
}

static void close_three(taco_dataset *ds, taco_dataset *from[2])
{
    taco_close(ds);
    taco_close(from[0]);
    taco_close(from[1]);
}

static void rows(void)
{
    taco_dataset *from[2], *ds = open_three(from, NULL);
    taco_query q;
    CHECK_TEXT(list(ds, 0, NULL, "id"),
               "tile_04 tile_05 tile_02 tile_03 tile_00 tile_01 tile_02 tile_03");
    CHECK_TEXT(list(ds, 0, "id = 'tile_02'", "internal:source_file"),
               "nested.tacozip nested_folder");
    /* of left out samples there is nothing on any level */
    CHECK_TEXT(list(ds, 1, "pos = 0 AND id = 'image'", "internal:parent_id"), "0 0 2 3 0 1 2 3");
    memset(&q, 0, sizeof q);
    q.level = 1;
    q.where = "pos = 0";
    q.order = "id desc";
    q.limit = 3;
    CHECK_TEXT(texts(taco_select(ds, &q, fresh()), "id"), "tile_05 tile_04 tile_03");
    q.order = NULL;
    q.limit = 0;
    q.table = 1;
    q.flat = true;
    CHECK_TEXT(texts(taco_select(ds, &q, fresh()), "l0:id"),
               "tile_04 tile_05 tile_02 tile_03 tile_00 tile_01 tile_02 tile_03");
    close_three(ds, from);
}

static void counts(void)
{
    taco_dataset *from[2], *ds = open_three(from, NULL);
    taco_query part;
    char all[256] = "";
    taco_bytes b;
    uint32_t i;
    CHECK(taco_level_rows(ds, 0, fresh()) == 8 && taco_level_rows(ds, 1, &err) == 24);
    b = taco_info_json(ds, &err);
    CHECK(b.data && strstr((const char *)b.data, "\"n\":8,") != NULL);
    CHECK_TEXT(sql(ds, "SELECT count(*) FROM data"), "8");
    CHECK_TEXT(sql(ds, "SELECT count(*) FROM level1"), "24");
    CHECK_TEXT(sql(ds, "SELECT count(*) FROM l1"), "24");
    CHECK_TEXT(sql(ds, "SELECT min(id) FROM data GROUP BY \"internal:source_file\" ORDER BY 1"),
               "tile_00 tile_02 tile_04 tile_05");
    /* parts of the rows for several workers: each row is in one of them */
    for (i = 0; i < 3; i++) {
        const char *ids;
        CHECK(taco_shard(ds, NULL, TACO_SHARD_ROWS, i, 3, &part, &err) == TACO_OK);
        ids = texts(taco_select(ds, &part, &err), "id");
        strcat(strcat(all, *all && *ids ? " " : ""), ids);
    }
    CHECK_TEXT(all, "tile_04 tile_05 tile_02 tile_03 tile_00 tile_01 tile_02 tile_03");
    CHECK_TEXT(taco_error_text(&err), "");
    close_three(ds, from);
}

/* Keys and positions count the samples there are; "@@" is the place that a row says. */
static void paths(void)
{
    taco_dataset *from[2], *ds = open_three(from, NULL);
    taco_cursor *c, *children;
    taco_sample s;
    taco_query q;
    CHECK_TEXT(texts(taco_read(ds, "@0", false, fresh()), "id"), "image label note");
    CHECK(taco_locate(ds, "@1/image", &s, fresh()) == TACO_OK && strstr(s.vsi, "multi_part"));
    CHECK(taco_locate(ds, "tile_02/image", &s, &err) == TACO_OK && strstr(s.vsi, "nested.tacozip"));
    CHECK(taco_locate(ds, "tile_01/image", &s, &err) == TACO_OK && strstr(s.vsi, "nested_folder"));
    CHECK_TEXT(taco_error_text(&err), "");
    CHECK(taco_locate(ds, "@8", &s, fresh()) == TACO_ERR_NOT_FOUND);
    CHECK_TEXT(texts(taco_read(ds, "", false, fresh()), "id"),
               "tile_04 tile_05 tile_02 tile_03 tile_00 tile_01 tile_02 tile_03");
    memset(&q, 0, sizeof q);
    q.where = "id = 'tile_03'";
    c = taco_select(ds, &q, fresh());
    CHECK(taco_cursor_next(c) && strstr(taco_cursor_vsi(c), "nested.tacozip"));
    children = taco_cursor_children(c, &err);
    CHECK(taco_cursor_next(children) && strstr(taco_cursor_vsi(children), "nested.tacozip"));
    taco_cursor_close(children, &err);
    taco_cursor_close(c, &err);
    CHECK_TEXT(taco_error_text(&err), "");
    close_three(ds, from);
}

/* Views of it are views as of any dataset, and parts again. */
static void views_of_parts(void)
{
    taco_dataset *from[2], *ds = open_three(from, NULL), *again;
    taco_view *all = taco_view_open(ds, NULL, fresh()), *v, *w;
    taco_part p[2];
    taco_bytes b;
    v = taco_view_limit(all, 3, 1, &err);
    w = taco_view_where(v, "pos = 2", 1, &err);
    CHECK_TEXT(texts(taco_view_rows(w, &err), "id"), "tile_05 tile_02 tile_03");
    b = taco_view_pit_schema(w, &err);
    CHECK(b.data && strstr((const char *)b.data, "\"n\": 3") != NULL);
    memset(p, 0, sizeof p);
    p[0].view = w;
    p[1].view = taco_view_sql(all, "SELECT * FROM data WHERE id = 'tile_00'", &err);
    again = taco_open_parts(p, 2, TACO_COLUMNS_INTERSECTION, NULL, &err);
    CHECK_TEXT(taco_error_text(&err), "");
    CHECK_TEXT(list(again, 0, NULL, "id"), "tile_05 tile_02 tile_03 tile_00");
    CHECK(taco_level_rows(again, 1, &err) == 12);
    taco_close(again);
    taco_view_free((taco_view *)p[1].view);
    /* rows of a level below: their samples, each once */
    taco_view_free(v);
    v = taco_view_table(all, 1, false, &err);
    taco_view_free(w);
    p[0].view = w = taco_view_where(v, "pos > 0 AND \"internal:parent_id\" = 3", 1, &err);
    again = taco_open_parts(p, 1, TACO_COLUMNS_INTERSECTION, NULL, &err);
    CHECK_TEXT(taco_error_text(&err), "");
    CHECK_TEXT(list(again, 0, NULL, "id"), "tile_03 tile_03");
    taco_close(again);
    taco_view_free(w);
    taco_view_free(v);
    taco_view_free(all);
    close_three(ds, from);
}

/* Whether a path has the same bytes in two datasets. */
static bool same_payload(taco_dataset *a, taco_dataset *b, const char *path)
{
    taco_source x, y;
    static char one_of[65536], other[65536];
    bool same;
    if (taco_payload(a, path, &x, &err) != TACO_OK) { return false; }
    same = taco_payload(b, path, &y, &err) == TACO_OK;
    if (same) {
        same = x.size == y.size && x.size < sizeof one_of &&
               x.read(x.ctx, 0, one_of, (size_t)x.size) &&
               y.read(y.ctx, 0, other, (size_t)y.size) &&
               memcmp(one_of, other, (size_t)x.size) == 0;
        y.close(y.ctx);
    }
    x.close(x.ctx);
    return same;
}

/* All of it, and a view of it, as a dataset of its own. */
static void exported(void)
{
    taco_dataset *from[2], *ds = open_three(from, NULL), *out;
    taco_view *all = taco_view_open(ds, NULL, fresh()), *v;
    taco_bytes b;
    remove(OUT);
    /* tile_02 and tile_03 are there twice, and siblings must differ */
    CHECK(taco_export_view(all, OUT, NULL, fresh()) != TACO_OK);
    CHECK(strstr(err.text, "both have the id 'tile_02'") != NULL);
    v = taco_view_sql(all,
                      "SELECT id FROM data WHERE id < 'tile_01' OR "
                      "\"internal:source_file\" <> 'nested_folder' ORDER BY id",
                      fresh());
    CHECK(taco_export_view(v, OUT, NULL, &err) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
    out = taco_open(OUT, NULL, &err);
    CHECK_TEXT(list(out, 0, NULL, "id"), "tile_04 tile_05 tile_02 tile_03 tile_00");
    CHECK(taco_level_rows(out, 1, &err) == 15);
    b = taco_collection(out, "taco:pit_schema");
    CHECK(b.data && strstr((const char *)b.data, "\"n\": 5") != NULL &&
          strstr((const char *)b.data, "\"n\": 15") != NULL);
    CHECK(
        same_payload(out, from[0], "tile_05/note") && same_payload(out, from[0], "tile_04/image") &&
        same_payload(out, from[1], "tile_02/label") && same_payload(out, from[1], "tile_00/note"));
    CHECK(taco_validate(OUT, NULL, NULL, NULL, fresh()) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
    taco_close(out);
    taco_view_free(v);
    taco_view_free(all);
    close_three(ds, from);
    remove(OUT);
}

/* Columns that differ are those of the mode; of one view there is no origin to tell. */
static void columns(void)
{
    taco_dataset *from[2], *ds;
    taco_part p[2];
    size_t n, m;
    memset(p, 0, sizeof p);
    p[0].view = view_of(one, "SELECT id FROM data WHERE id <> 's1'", &from[0]);
    p[1].view = view_of(two, NULL, &from[1]);
    ds = taco_open_parts(p, 2, TACO_COLUMNS_FILL_MISSING, NULL, fresh());
    CHECK_TEXT(list(ds, 0, NULL, "y"), "y0 y2 - - -");
    taco_level_fields(ds, 0, &n, &err);
    taco_close(ds);
    ds = taco_open_parts(p, 2, TACO_COLUMNS_INTERSECTION, NULL, fresh());
    taco_level_fields(ds, 0, &m, &err);
    CHECK(m == n - 2);
    CHECK_TEXT(list(ds, 0, NULL, "x"), "0 2 10 11 12");
    taco_close(ds);
    ds = taco_open_parts(p, 2, TACO_COLUMNS_STRICT, NULL, fresh());
    CHECK(strstr(list(ds, 0, NULL, "x"), "") && err.code != TACO_OK);
    taco_close(ds);
    ds = taco_open_parts(p, 1, TACO_COLUMNS_STRICT, NULL, fresh());
    CHECK_TEXT(list(ds, 0, NULL, "y"), "y0 y2");
    CHECK_TEXT(list(ds, 0, NULL, "internal:source_file"), "- -");
    taco_close(ds);
    taco_view_free((taco_view *)p[0].view);
    taco_view_free((taco_view *)p[1].view);
    taco_close(from[0]);
    taco_close(from[1]);
}

static void count_close(void *ctx)
{
    ++*(int *)ctx;
}

static bool no_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    (void)ctx;
    (void)offset;
    memset(dst, 0, len);
    return true;
}

/* Sources among views; they are closed with the dataset, and where opening fails at once. */
static void sources(void)
{
    taco_dataset *from, *ds;
    taco_part p[3];
    taco_source good, bad;
    taco_view *v = view_of(nested, "SELECT * FROM data LIMIT 1", &from);
    int closed = 0;
    memset(p, 0, sizeof p);
    CHECK(taco_source_file(&good, nested, fresh()) == TACO_OK);
    p[0].source = &good;
    p[0].path = nested;
    p[1].view = v;
    ds = taco_open_parts(p, 2, TACO_COLUMNS_INTERSECTION, NULL, fresh());
    CHECK_TEXT(taco_error_text(&err), "");
    CHECK_TEXT(list(ds, 0, NULL, "id"), "tile_00 tile_01 tile_02 tile_03 tile_00");
    taco_close(ds);
    memset(&bad, 0, sizeof bad);
    bad.size = 1;
    bad.read = no_read;
    bad.close = count_close;
    bad.ctx = &closed;
    p[0].source = p[2].source = &bad;
    CHECK(!taco_open_parts(p, 3, TACO_COLUMNS_INTERSECTION, NULL, fresh()));
    CHECK(closed == 2 && strstr(err.text, nested) != NULL);
    /* the file of a view's dataset is borrowed: it is open still */
    CHECK_TEXT(list(from, 0, NULL, "id"), "tile_00 tile_01 tile_02 tile_03");
    taco_view_free(v);
    taco_close(from);
}

static void refusals(void)
{
    taco_dataset *from, *ds;
    taco_part p[2];
    taco_view *groups = view_of(nested, "SELECT count(*) AS n FROM data", &from),
              *all = taco_view_open(from, NULL, &err);
    memset(p, 0, sizeof p);
    CHECK(!taco_open_parts(p, 1, TACO_COLUMNS_INTERSECTION, NULL, fresh()));
    CHECK_TEXT(taco_error_text(&err), "part 0 must be a view, a source or a path");
    p[0].view = groups;
    CHECK(!taco_open_parts(p, 1, TACO_COLUMNS_INTERSECTION, NULL, fresh()));
    CHECK_TEXT(taco_error_text(&err),
               "a part of a dataset has samples: these rows are of groups or of a join");
    p[0].path = nested;
    CHECK(!taco_open_parts(p, 1, TACO_COLUMNS_INTERSECTION, NULL, fresh()));
    CHECK(err.code == TACO_ERR_ARGUMENT);
    p[0].path = NULL;
    p[0].view = all;
    p[1].path = binary;
    CHECK(!taco_open_parts(p, 2, TACO_COLUMNS_INTERSECTION, NULL, fresh()));
    CHECK(strstr(err.text, "cannot be read together with examples/data/nested.tacozip") != NULL);
    /* no row at all is no failure, but no export either */
    taco_view_free(groups);
    p[0].view = groups = taco_view_where(all, "id = 'none'", 0, fresh());
    ds = taco_open_parts(p, 1, TACO_COLUMNS_INTERSECTION, NULL, &err);
    CHECK(ds && taco_level_rows(ds, 0, &err) == 0 && taco_level_rows(ds, 1, &err) == 0);
    CHECK_TEXT(list(ds, 0, NULL, "id"), "");
    CHECK(taco_export(ds, OUT, NULL, NULL, fresh()) == TACO_ERR_NOT_FOUND);
    taco_close(ds);
    taco_view_free(groups);
    taco_view_free(all);
    taco_close(from);
}

/* "@@N" counts stored rows, also for a FILE of a view that leaves some out. */
static void stored_positions(void)
{
    static const char *const names[] = {"p2", "p3", "p4"};
    taco_dataset *from, *ds;
    taco_view *v = view_of("examples/data/geo_stac.tacozip", NULL, &from), *some;
    taco_cursor *c, *own;
    taco_part p;
    int i;
    memset(&p, 0, sizeof p);
    p.view = some = taco_view_where(v, "id >= 'p2'", 0, fresh());
    ds = taco_open_parts(&p, 1, TACO_COLUMNS_INTERSECTION, NULL, &err);
    CHECK_TEXT(taco_error_text(&err), "");
    CHECK_TEXT(texts(taco_read(ds, "@@2", false, fresh()), "id"), "p2");
    CHECK_TEXT(texts(taco_read(ds, "@0", false, fresh()), "id"), "p2");
    c = taco_select(ds, NULL, fresh());
    for (i = 0; i < 3; i++) {
        CHECK(taco_cursor_next(c));
        own = taco_cursor_children(c, &err);
        CHECK_TEXT(texts(own, "id"), names[i]);
    }
    taco_cursor_close(c, &err);
    CHECK_TEXT(taco_error_text(&err), "");
    taco_close(ds);
    taco_view_free(some);
    taco_view_free(v);
    taco_close(from);
}

/* Memory that ends at any allocation: an error, and nothing lost. */
static void without_memory(void)
{
    taco_options opt;
    taco_dataset *from[2], *ds;
    uint64_t most;
    bool opened = false;
    taco_part p[2];
    memset(p, 0, sizeof p);
    p[0].view = view_of(several, "SELECT id FROM data WHERE id > 'tile_03'", &from[0]);
    p[1].view = view_of(nested, NULL, &from[1]);
    memset(&opt, 0, sizeof opt);
    for (most = 1; !opened && most < 4000000; most += most / 8 + 1) {
        opt.limits.max_memory = most;
        ds = taco_open_parts(p, 2, TACO_COLUMNS_INTERSECTION, &opt, fresh());
        opened = ds != NULL;
        CHECK(opened || err.code == TACO_ERR_LIMIT || err.code == TACO_ERR_MEMORY);
        taco_close(ds);
    }
    CHECK(opened);
    taco_view_free((taco_view *)p[0].view);
    taco_view_free((taco_view *)p[1].view);
    taco_close(from[0]);
    taco_close(from[1]);
}

int main(void)
{
    RUN(rows);
    RUN(counts);
    RUN(paths);
    RUN(stored_positions);
    RUN(views_of_parts);
    RUN(exported);
    RUN(columns);
    RUN(sources);
    RUN(refusals);
    RUN(without_memory);
    return test_end("test_parts");
}
