/* Public calls that are given an error which holds the failure of an earlier call: they do and return
   what they do with a fresh one, and the first failure stays as it is. */
#include "../extra/taco_publish.h"
#include "../extra/taco_legacy.h"
#include "../extra/taco_rasteret.h"
#include "../extra/taco_sql.h"

#include "test.h"

#define DIR    "build/stale_error"
#define NESTED "examples/data/nested.tacozip"
#define TYPES  "examples/data/types.tacozip"
#define PAGES  "tests/data/pages.parquet"

static taco_error err;

/* An error as an earlier call has left it. */
static taco_error *stale(void)
{
    memset(&err, 0, sizeof err);
    err.code = TACO_ERR_NOT_FOUND;
    err.offset = 7;
    memcpy(err.text, "an earlier one", 15);
    return &err;
}

static bool is_stale(void)
{
    return err.code == TACO_ERR_NOT_FOUND && err.offset == 7 && !strcmp(err.text, "an earlier one");
}

/* A call that succeeds; one that fails says so by what it returns alone. */
#define WORKS(call) CHECK((call) && is_stale())
#define FAILS(call) CHECK(!(call) && is_stale())

static const char collection[] =
    "{\"id\":\"s\",\"dataset_version\":\"1\",\"description\":\"d\",\"licenses\":[\"CC0-1.0\"],"
    "\"providers\":[{\"name\":\"n\"}],\"tasks\":[\"other\"]}";

static const char old_collection[] =
    "{\"id\":\"s\",\"dataset_version\":\"1\",\"description\":\"d\",\"taco_version\":\"0.4.0\","
    "\"licenses\":[\"MIT\"],\"providers\":[{\"organization\":\"o\",\"roles\":[\"host\"]}],"
    "\"task\":\"other\",\"extent\":{\"spatial\":[[-1,-2,3,4]],"
    "\"temporal\":[[\"2020-01-01T00:00:00Z\",\"2020-02-01T00:00:00Z\"]]}}";

static void parquet(void)
{
    taco_source src;
    taco_pq_file *f;
    taco_pq_reader *r;
    taco_pq_column *c;
    taco_printer *p;
    taco_pq_writer *w;
    taco_import *in;
    taco_sink sink;
    taco_batch b;
    struct ArrowArrayStream stream;
    const taco_field *fields;
    size_t n;
    WORKS(taco_source_file(&src, PAGES, stale()) == TACO_OK);
    WORKS((f = taco_pq_open_source(&src, "pages", NULL, stale())) != NULL);
    taco_pq_close(f);
    FAILS(taco_pq_open("build/no_such_file", NULL, stale()));
    WORKS((f = taco_pq_open(PAGES, NULL, stale())) != NULL);
    WORKS(taco_pq_schema_text(f, stale()).len);
    WORKS(taco_pq_meta_json(f, stale()).len);
    WORKS(taco_pq_meta_text(f, stale()).len);
    WORKS(taco_pq_verify(f, NULL, NULL, NULL, stale()) == TACO_OK);
    WORKS((r = taco_pq_read(f, NULL, stale())) != NULL);
    fields = taco_pq_reader_fields(r, &n);
    WORKS((p = taco_printer_open(fields, n, TACO_FORMAT_CSV, NULL, stale())) != NULL);
    WORKS(taco_sink_memory(&sink, NULL, stale()) == TACO_OK);
    WORKS((w = taco_pq_write(&sink, fields, n, NULL, stale())) != NULL);
    CHECK(taco_pq_reader_next(r, &b) && taco_pq_writer_batch(w, &b) == TACO_OK);
    WORKS(taco_printer_batch(p, &b, stale()).len);
    WORKS(taco_printer_cell(p, b.columns, 0, stale()).len);
    WORKS(taco_pq_writer_close(w, stale()) == TACO_OK);
    taco_sink_free(&sink);
    taco_printer_close(p);
    WORKS(taco_pq_reader_close(r, stale()) == TACO_OK);
    WORKS((r = taco_pq_read(f, NULL, stale())) != NULL);
    WORKS(taco_pq_reader_export(r, false, &stream, stale()) == TACO_OK);
    WORKS((in = taco_import_open(&stream, NULL, stale())) != NULL);
    fields = taco_import_fields(in, &n);
    CHECK(n > 0);
    WORKS((c = taco_pq_column_open(f, fields[0].name, fields[0].type, stale())) != NULL);
    WORKS(taco_pq_column_close(c, stale()) == TACO_OK);
    WORKS(taco_import_close(in, stale()) == TACO_OK);
    WORKS((r = taco_pq_read(f, NULL, stale())) != NULL);
    WORKS(taco_pq_reader_export(r, false, &stream, stale()) == TACO_OK);
    WORKS(taco_sink_file(&sink, DIR ".parquet", NULL, stale()) == TACO_OK);
    WORKS(taco_pq_write_stream(&sink, &stream, NULL, stale()) == TACO_OK);
    taco_pq_close(f);
}

static void datasets(void)
{
    const char *paths[2] = {"examples/data/concat/a.tacozip", "examples/data/concat/b.tacozip"};
    taco_dataset *ds;
    taco_cursor *c, *below;
    taco_loader *l;
    taco_sample sample;
    taco_source src;
    taco_query q, part;
    taco_loader_options how;
    taco_feed *feed;
    struct ArrowArrayStream stream;
    size_t n;
    memset(&q, 0, sizeof q);
    memset(&how, 0, sizeof how);
    FAILS(taco_open("build/no_such_dataset", NULL, stale()));
    WORKS((ds = taco_open_many(paths, 2, TACO_COLUMNS_INTERSECTION, NULL, stale())) != NULL);
    taco_close(ds);
    WORKS(taco_source_file(&src, NESTED, stale()) == TACO_OK);
    WORKS((ds = taco_open_source(&src, NESTED, NULL, stale())) != NULL);
    taco_close(ds);
    WORKS((ds = taco_open_tacollection("examples/data/multi/TACOLLECTION.json", NULL,
                                       TACO_COLUMNS_INTERSECTION, NULL, stale())) != NULL);
    taco_close(ds);
    WORKS((ds = taco_open(NESTED, NULL, stale())) != NULL);
    WORKS(taco_set_base_path(ds, "examples/data/", stale()) == TACO_OK);
    WORKS(taco_pit_schema(ds, 3, stale()).len);
    WORKS(taco_level_rows(ds, 0, stale()) > 0);
    WORKS(taco_level_fields(ds, 1, &n, stale()) != NULL);
    FAILS(taco_level_rows(ds, 9, stale()) >= 0);
    WORKS(taco_info_json(ds, stale()).len);
    WORKS(taco_collection_export(ds, TACO_COLLECTION_STAC, NULL, stale()).len);
    FAILS(taco_select(NULL, NULL, stale()));
    WORKS((c = taco_select(ds, NULL, stale())) != NULL);
    CHECK(taco_cursor_next(c));
    WORKS((below = taco_cursor_children(c, stale())) != NULL);
    WORKS(taco_cursor_close(below, stale()) == TACO_OK);
    WORKS(taco_cursor_close(c, stale()) == TACO_OK);
    WORKS((c = taco_select(ds, NULL, stale())) != NULL);
    WORKS(taco_cursor_export(c, false, &stream, stale()) == TACO_OK);
    stream.release(&stream);
    WORKS((c = taco_read(ds, NULL, false, stale())) != NULL);
    WORKS(taco_cursor_close(c, stale()) == TACO_OK);
    WORKS(taco_shard(ds, &q, TACO_SHARD_ROWS, 0, 2, &part, stale()) == TACO_OK);
    WORKS((c = taco_sql(ds, "SELECT min(\"internal:gdal_vsi\") FROM level1", stale())) != NULL);
    WORKS(taco_cursor_close(c, stale()) == TACO_OK);
    taco_close(ds);
    WORKS((ds = taco_open(TYPES, NULL, stale())) != NULL);
    WORKS((c = taco_sql(ds, "SELECT id FROM level0 LIMIT 1", stale())) != NULL);
    CHECK(taco_cursor_next(c));
    WORKS(taco_locate(ds, taco_cursor_text(c, "id"), &sample, stale()) == TACO_OK);
    WORKS(taco_payload(ds, taco_cursor_text(c, "id"), &src, stale()) == TACO_OK);
    src.close(src.ctx);
    WORKS(taco_cursor_close(c, stale()) == TACO_OK);
    FAILS(taco_locate(ds, "no such", &sample, stale()) == TACO_OK);
    WORKS((l = taco_loader_open(ds, NULL, &how, stale())) != NULL);
    WORKS(taco_loader_seek(l, 1, stale()) == TACO_OK);
    WORKS(taco_loader_close(l, stale()) == TACO_OK);
    taco_close(ds);
    WORKS((feed = taco_feed_new(NULL, stale())) != NULL);
    WORKS(taco_feed_file(feed, "x", 4, stale()) == TACO_OK);
    WORKS(taco_feed_give(feed, "x", 0, "abcd", 4, stale()) == TACO_OK);
    taco_feed_free(feed);
}

static void views(void)
{
    taco_dataset *ds = taco_open(NESTED, NULL, &err), *both;
    taco_view *v, *w;
    taco_plan *plan;
    taco_cursor *c;
    taco_part part;
    taco_filter f;
    struct ArrowArrayStream stream;
    memset(&f, 0, sizeof f);
    memset(&part, 0, sizeof part);
    CHECK(ds != NULL);
    WORKS((v = taco_view_open(ds, NULL, stale())) != NULL);
#define NEXT(call)                                                                                 \
    WORKS((w = (call)) != NULL);                                                                   \
    taco_view_free(v);                                                                             \
    v = w
    NEXT(taco_view_filter(v, &f, stale()));
    NEXT(taco_view_where(v, "id IS NOT NULL", 0, stale()));
    NEXT(taco_view_order(v, "id", stale()));
    NEXT(taco_view_limit(v, 100, 0, stale()));
    NEXT(taco_view_sql(v, "SELECT * FROM data", stale()));
    FAILS(taco_view_where(v, "nonsense(", 0, stale()));
    WORKS((plan = taco_view_plan(v, stale())) != NULL);
    WORKS(taco_plan_text(plan, stale()).len);
    WORKS(taco_plan_json(plan, stale()).len);
    taco_plan_free(plan);
    WORKS(taco_view_pit_schema(v, stale()).len);
    WORKS((c = taco_view_rows(v, stale())) != NULL);
    WORKS(taco_cursor_close(c, stale()) == TACO_OK);
    WORKS((c = taco_view_read(v, "", false, stale())) != NULL);
    WORKS(taco_cursor_close(c, stale()) == TACO_OK);
    WORKS(taco_view_export(v, &stream, stale()) == TACO_OK);
    stream.release(&stream);
    part.view = v;
    WORKS((both = taco_open_parts(&part, 1, TACO_COLUMNS_INTERSECTION, NULL, stale())) != NULL);
    taco_close(both);
    NEXT(taco_view_select(v, "id", stale()));
    NEXT(taco_view_table(v, 1, false, stale()));
    taco_view_free(v);
    taco_close(ds);
}

static void writers(void)
{
    const char *const archive = DIR "_a.tacozip";
    taco_dataset *ds;
    taco_writer *w;
    taco_cursor *c;
    taco_sink sink;
    taco_stac stac;
    taco_footprints *f;
    taco_stats *s;
    taco_header header;
    taco_member member;
    taco_create_options over;
    char text[4000];
    uint8_t bytes[TACO_HEADER_BYTES];
    double place[2];
    memset(&over, 0, sizeof over);
    memset(&stac, 0, sizeof stac);
    memset(&member, 0, sizeof member);
    over.overwrite = true;
    member.name = "x";
    member.data = "y";
    member.len = 1;
    WORKS((w = taco_create(archive, &over, stale())) != NULL);
    CHECK(taco_writer_collection(w, collection, sizeof collection - 1) == TACO_OK &&
          taco_writer_column(w, 0, "split", TACO_TEXT) == TACO_OK &&
          taco_writer_bytes(w, "a", "abc", 3) == TACO_OK);
    WORKS(taco_writer_set_split(w, "train", stale()) == TACO_OK);
    WORKS(taco_writer_finish(w, stale()) == TACO_OK);
    WORKS(taco_sink_memory(&sink, NULL, stale()) == TACO_OK);
    WORKS((w = taco_create_sink(&sink, NULL, stale())) != NULL);
    taco_writer_abort(w);
    taco_sink_free(&sink);
    WORKS(taco_validate(archive, NULL, NULL, NULL, stale()) == TACO_OK);
    FAILS(taco_validate("build/no_such_dataset", NULL, NULL, NULL, stale()) == TACO_OK);
    (void)remove(DIR "_repaired.tacozip");
    WORKS(taco_repair(archive, DIR "_repaired.tacozip", NULL, NULL, NULL, stale()) == TACO_OK);
    WORKS((ds = taco_open(archive, NULL, stale())) != NULL);
    WORKS(taco_export(ds, DIR "_b.tacozip", NULL, &over, stale()) == TACO_OK);
    WORKS((c = taco_select(ds, NULL, stale())) != NULL);
    WORKS(taco_export_rows(c, DIR "_c.tacozip", &over, stale()) == TACO_OK);
    WORKS(taco_repack(ds, DIR "_d.tacozip", &over, stale()) == TACO_OK);
    taco_close(ds);
    WORKS(taco_header_read(archive, NULL, &header, stale()) == TACO_OK);
    WORKS(taco_header_bytes(&header, bytes, stale()) == TACO_OK);
    WORKS(taco_header_parse(bytes, sizeof bytes, &header, stale()) == TACO_OK);
    WORKS(taco_header_write(archive, &header, stale()) == TACO_OK);
    (void)remove(DIR "_e.zip");
    WORKS(taco_archive_create(DIR "_e.zip", &member, 1, NULL, stale()) == TACO_OK);
    WORKS(taco_archive_replace(DIR "_e.zip", &member, stale()) == TACO_OK);
    WORKS(taco_lonlat("EPSG:32630", 500000, 0, place, stale()) == TACO_OK);
    FAILS(taco_lonlat("EPSG:1", 0, 0, place, stale()) == TACO_OK);
    WORKS(taco_majortom(100, 1, 2, text, stale()) == TACO_OK);
    WORKS(taco_labels_json(NULL, 0, NULL, text, sizeof text, stale()) == TACO_OK);
    WORKS(taco_publications_json(NULL, 0, text, sizeof text, stale()) == TACO_OK);
    WORKS(taco_split_json("random", text, sizeof text, stale()) == TACO_OK);
    WORKS(taco_optical_json("landsat9oli", NULL, 0, text, sizeof text, stale()) == TACO_OK);
    WORKS((ds = taco_open("examples/data/geo_stac.tacozip", NULL, stale())) != NULL);
    WORKS((c = taco_select(ds, NULL, stale())) != NULL);
    WORKS((s = taco_aggregate_rows(c, NULL, stale())) != NULL);
    WORKS(taco_stats_json(s, stale()).len);
    taco_stats_free(s);
    WORKS((s = taco_aggregate(ds, NULL, NULL, stale())) != NULL);
    taco_stats_free(s);
    WORKS(taco_cursor_close(c, stale()) == TACO_OK);
    WORKS((f = taco_footprints_open(ds, NULL, TACO_FOOTPRINTS_GEOJSON, stale())) != NULL);
    WORKS(taco_footprints_close(f, stale()) == TACO_OK);
    WORKS((c = taco_select(ds, NULL, stale())) != NULL);
    WORKS(taco_sink_memory(&sink, NULL, stale()) == TACO_OK);
    WORKS(taco_publish(c, &sink, NULL, stale()) == TACO_OK);
    taco_sink_free(&sink);
    taco_close(ds);
}

static void other_generations(void)
{
    const char *old = "tests/data/legacy/first.tortilla";
    taco_convert_options over;
    memset(&over, 0, sizeof over);
    over.create.overwrite = over.create.any_tree = true;
    WORKS(taco_convert_to_taco2(&old, 1, DIR "_f.tacozip", &over, stale()) == TACO_OK);
    WORKS(taco_convert_from_taco2(DIR "_f.tacozip", DIR "_g.tortilla", &over, stale()) == TACO_OK);
    WORKS(taco_tortilla_to_taco(DIR "_g.tortilla", DIR "_h.taco", old_collection, NULL, stale()) ==
          TACO_OK);
    WORKS(taco_tortilla_from_taco(DIR "_h.taco", DIR "_i.tortilla", NULL, stale()) == TACO_OK);
    WORKS(taco_tortilla_edit_collection(DIR "_h.taco", DIR "_j.taco", old_collection, NULL,
                                        stale()) == TACO_OK);
    WORKS(taco_rasteret_validate("tests/data/legacy/rasteret.parquet", NULL, stale()) == TACO_OK);
}

int main(void)
{
    RUN(parquet);
    RUN(datasets);
    RUN(views);
    RUN(writers);
    RUN(other_generations);
    return test_end("stale error");
}
