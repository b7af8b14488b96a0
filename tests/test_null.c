/* Every public call with NULL and zero for all arguments: an error or nothing, never a crash
   (README). tests/house.sh checks that none is missing. */
#include "../extra/taco_publish.h"
#include "../extra/taco_legacy.h"
#include "../extra/taco_rasteret.h"
#include "../extra/taco_v3.h"
#include "../extra/taco_sql.h"

#include "test.h"

static taco_error err;
static taco_source out_source;
static taco_pq_checked out_pq_checked;
static taco_batch out_batch;
static taco_array out_array;
static struct ArrowArrayStream stream;
static taco_sink out_sink;
static taco_bytes out_bytes;
static taco_sample out_sample;
static taco_query out_query;
static taco_loader_batch out_loaded;
static taco_validated out_validated;
static taco_repaired out_repaired;
static taco_stac out_stac;
static double two[2];
static uint64_t place = 1;
static char text[64];
static int64_t whole;
static size_t count;

static taco_error *fresh(void)
{
    memset(&err, 0, sizeof err);
    return &err;
}

static void parquet(void)
{
    CHECK(taco_error_text(NULL) != NULL);
    CHECK(taco_status_name((taco_status)0) != NULL);
    CHECK(taco_version() != NULL);
    taco_limits_strict(NULL);
    taco_source_memory(&out_source, NULL, 0);
    CHECK(taco_source_file(&out_source, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(!taco_pq_open(NULL, NULL, fresh()) && err.code != TACO_OK);
    CHECK(!taco_pq_open_source(NULL, NULL, NULL, fresh()) && err.code != TACO_OK);
    taco_pq_close(NULL);
    CHECK(taco_pq_rows(NULL) <= 0);
    CHECK(taco_pq_row_groups(NULL) <= 0);
    CHECK(!taco_pq_fields(NULL, &count));
    CHECK(taco_pq_key_value(NULL, NULL).len == 0);
    CHECK(taco_pq_schema_text(NULL, fresh()).len == 0);
    CHECK(taco_pq_meta_json(NULL, fresh()).len == 0);
    CHECK(taco_pq_meta_text(NULL, fresh()).len == 0);
    CHECK(taco_pq_verify(NULL, NULL, NULL, &out_pq_checked, fresh()) != TACO_OK &&
          err.code != TACO_OK);
    CHECK(!taco_pq_read(NULL, NULL, fresh()) && err.code != TACO_OK);
    CHECK(!taco_pq_reader_fields(NULL, &count));
    CHECK(!taco_pq_reader_next(NULL, &out_batch));
    CHECK(taco_pq_reader_close(NULL, fresh()) == TACO_OK);
    CHECK(!taco_pq_column_open(NULL, NULL, (taco_type)0, fresh()) && err.code != TACO_OK);
    CHECK(!taco_pq_column_next(NULL, 0, &out_array));
    CHECK(taco_pq_column_close(NULL, fresh()) == TACO_OK);
    CHECK(taco_pq_reader_export(NULL, false, &stream, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_sink_memory(&out_sink, NULL, fresh()) ==
          TACO_OK); /* no options are the usual ones */
    taco_sink_free(&out_sink);
    CHECK(taco_sink_bytes(NULL).len == 0);
    taco_sink_free(NULL);
    CHECK(taco_sink_file(&out_sink, NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(!taco_pq_write(NULL, NULL, 0, NULL, fresh()) && err.code != TACO_OK);
    CHECK(taco_pq_writer_batch(NULL, NULL) != TACO_OK);
    CHECK(taco_pq_writer_flush(NULL) != TACO_OK);
    CHECK(taco_pq_writer_close(NULL, fresh()) == TACO_OK);
    taco_pq_writer_abort(NULL);
    CHECK(taco_pq_writer_stream(NULL, NULL) != TACO_OK);
    CHECK(taco_pq_write_stream(NULL, NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(!taco_import_open(NULL, NULL, fresh()) && err.code != TACO_OK);
    CHECK(!taco_import_fields(NULL, &count));
    CHECK(!taco_import_next(NULL, &out_batch));
    CHECK(taco_import_close(NULL, fresh()) == TACO_OK);
    CHECK(!taco_printer_open(NULL, 0, (taco_format)0, NULL, fresh()) && err.code != TACO_OK);
    CHECK(taco_printer_batch(NULL, NULL, fresh()).len == 0);
    CHECK(!taco_printer_cell(NULL, NULL, 0, fresh()).data);
    taco_printer_close(NULL);
}

static void datasets(void)
{
    taco_feed *feed;
    CHECK(!taco_open(NULL, NULL, fresh()) && err.code != TACO_OK);
    CHECK(taco_open_tacollection(NULL, NULL, TACO_COLUMNS_INTERSECTION, NULL, fresh()) == NULL &&
          err.code != TACO_OK);
    CHECK(taco_open_sources(NULL, NULL, 0, TACO_COLUMNS_INTERSECTION, NULL, fresh()) == NULL &&
          err.code != TACO_OK);
    CHECK(!taco_open_parts(NULL, 0, (taco_column_mode)0, NULL, fresh()) && err.code != TACO_OK);
    CHECK(!taco_open_many(NULL, 0, (taco_column_mode)0, NULL, fresh()) && err.code != TACO_OK);
    CHECK(!taco_open_source(NULL, NULL, NULL, fresh()) && err.code != TACO_OK);
    taco_close(NULL);
    CHECK(taco_set_base_path(NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_id(NULL) != NULL);
    CHECK(taco_dataset_version(NULL) != NULL);
    CHECK(taco_description(NULL) != NULL);
    CHECK(taco_title(NULL) != NULL);
    CHECK(taco_collection(NULL, NULL).len == 0);
    CHECK(taco_dataset_kind(NULL) <= 0);
    CHECK(taco_dataset_format(NULL) != NULL);
    CHECK(taco_levels(NULL) <= 0);
    CHECK(taco_level_rows(NULL, 0, fresh()) <= 0);
    CHECK(!taco_level_fields(NULL, 0, &count, fresh()) && err.code != TACO_OK);
    CHECK(taco_info_json(NULL, fresh()).len == 0);
    CHECK(!taco_select(NULL, NULL, fresh()) && err.code != TACO_OK);
    CHECK(!taco_sql(NULL, NULL, fresh()) && err.code != TACO_OK);
    CHECK(!taco_read(NULL, NULL, false, fresh()) && err.code != TACO_OK);
    CHECK(!taco_cursor_children(NULL, fresh()) && err.code != TACO_OK);
    CHECK(!taco_cursor_next(NULL));
    CHECK(!taco_cursor_batch(NULL, &out_batch));
    CHECK(!taco_cursor_positions(NULL));
    CHECK(!taco_cursor_fields(NULL, &count));
    CHECK(!taco_cursor_text(NULL, NULL));
    CHECK(!taco_cursor_bytes(NULL, NULL, &out_bytes));
    CHECK(!taco_cursor_double(NULL, NULL, two));
    CHECK(!taco_cursor_int(NULL, NULL, &whole));
    CHECK(taco_cursor_vsi(NULL) != NULL);
    CHECK(taco_cursor_json(NULL) != NULL);
    CHECK(taco_cursor_close(NULL, fresh()) == TACO_ERR_ARGUMENT);
    CHECK(taco_cursor_export(NULL, false, &stream, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(!taco_view_open(NULL, NULL, fresh()) && err.code != TACO_OK);
    CHECK(!taco_view_filter(NULL, NULL, fresh()) && err.code != TACO_OK);
    CHECK(!taco_view_where(NULL, NULL, 0, fresh()) && err.code != TACO_OK);
    CHECK(!taco_view_filter_bbox(NULL, NULL, NULL, 0, fresh()) && err.code != TACO_OK);
    CHECK(!taco_view_filter_datetime(NULL, NULL, NULL, 0, fresh()) && err.code != TACO_OK);
    CHECK(!taco_view_table(NULL, 0, false, fresh()) && err.code != TACO_OK);
    CHECK(!taco_view_select(NULL, NULL, fresh()) && err.code != TACO_OK);
    CHECK(!taco_view_order(NULL, NULL, fresh()) && err.code != TACO_OK);
    CHECK(!taco_view_limit(NULL, 0, 0, fresh()) && err.code != TACO_OK);
    CHECK(!taco_view_sql(NULL, NULL, fresh()) && err.code != TACO_OK);
    CHECK(!taco_view_rows(NULL, fresh()) && err.code != TACO_OK);
    CHECK(taco_view_pit_schema(NULL, fresh()).len == 0 && err.code != TACO_OK);
    CHECK(taco_pit_schema(NULL, 1, fresh()).len == 0 && err.code != TACO_OK);
    CHECK(taco_view_export(NULL, &stream, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(!taco_view_read(NULL, NULL, false, fresh()) && err.code != TACO_OK);
    taco_view_free(NULL);
    CHECK(!taco_view_plan(NULL, fresh()) && err.code != TACO_OK);
    CHECK(taco_plan_text(NULL, fresh()).len == 0);
    CHECK(taco_plan_json(NULL, fresh()).len == 0);
    taco_plan_free(NULL);
    feed = taco_feed_new(NULL, fresh());
    CHECK(feed != NULL);
    taco_feed_free(feed);
    CHECK(taco_feed_file(NULL, NULL, 0, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_feed_give(NULL, NULL, 0, NULL, 0, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(!taco_feed_wanted(NULL, &count));
    CHECK(!taco_feed_open_file(NULL, NULL, &out_source));
    taco_feed_free(NULL);
    CHECK(taco_locate(NULL, NULL, &out_sample, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_payload(NULL, NULL, &out_source, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_payload_check(NULL, NULL, 0, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_shard(NULL, NULL, TACO_SHARD_ROWS, 0, 0, &out_query, fresh()) != TACO_OK &&
          err.code != TACO_OK);
    CHECK(taco_shuffle(0, 0, 0) == UINT64_MAX);
    CHECK(!taco_loader_open(NULL, NULL, NULL, fresh()) && err.code != TACO_OK);
    CHECK(taco_loader_count(NULL) == 0);
    CHECK(!taco_loader_next(NULL, &out_loaded));
    CHECK(taco_loader_seek(NULL, 0, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_loader_close(NULL, fresh()) == TACO_OK);
    CHECK(!taco_aggregate(NULL, NULL, NULL, fresh()) && err.code != TACO_OK);
    CHECK(!taco_aggregate_rows(NULL, NULL, fresh()) && err.code != TACO_OK);
    CHECK(taco_stats_json(NULL, fresh()).len == 0);
    taco_stats_free(NULL);
    CHECK(!taco_footprints_open(NULL, NULL, (taco_footprint_format)0, fresh()) &&
          err.code != TACO_OK);
    CHECK(!taco_footprints_next(NULL, &out_bytes));
    CHECK(taco_footprints_close(NULL, fresh()) == TACO_OK);
}

static void writing(void)
{
    CHECK(taco_validate(NULL, NULL, NULL, &out_validated, fresh()) != TACO_OK &&
          err.code != TACO_OK);
    CHECK(taco_validate_source(NULL, NULL, NULL, NULL, &out_validated, fresh()) != TACO_OK &&
          err.code != TACO_OK);
    CHECK(taco_repair(NULL, NULL, NULL, NULL, &out_repaired, fresh()) != TACO_OK &&
          err.code != TACO_OK);
    CHECK(taco_create_tacocat(NULL, NULL, 0, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_create_tacollection(NULL, NULL, 0, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(!taco_create(NULL, NULL, fresh()) && err.code != TACO_OK);
    CHECK(!taco_create_sink(NULL, NULL, fresh()) && err.code != TACO_OK);
    CHECK(taco_writer_collection(NULL, NULL, 0) != TACO_OK);
    CHECK(taco_writer_column(NULL, 0, NULL, (taco_type)0) != TACO_OK);
    CHECK(taco_writer_list(NULL, 0, NULL, (taco_type)0) != TACO_OK);
    CHECK(taco_writer_field(NULL, 0, NULL) != TACO_OK);
    CHECK(taco_writer_file(NULL, NULL, NULL) != TACO_OK);
    CHECK(taco_writer_bytes(NULL, NULL, NULL, 0) != TACO_OK);
    CHECK(taco_writer_placed(NULL, NULL, 0, 0, &place) != TACO_OK && place == 0);
    CHECK(taco_crc32(5, NULL, 0) == 5);
    CHECK(taco_writer_range(NULL, NULL, NULL, 0, 0) != TACO_OK);
    CHECK(taco_writer_folder_begin(NULL, NULL) != TACO_OK);
    CHECK(taco_writer_folder_end(NULL) != TACO_OK);
    CHECK(taco_writer_set_null(NULL, NULL) != TACO_OK);
    CHECK(taco_writer_set_text(NULL, NULL, NULL) != TACO_OK);
    CHECK(taco_writer_set_bytes(NULL, NULL, NULL, 0) != TACO_OK);
    CHECK(taco_writer_set_bool(NULL, NULL, false) != TACO_OK);
    CHECK(taco_writer_set_int(NULL, NULL, 0) != TACO_OK);
    CHECK(taco_writer_set_double(NULL, NULL, 0) != TACO_OK);
    CHECK(taco_writer_set_ints(NULL, NULL, NULL, 0) != TACO_OK);
    CHECK(taco_writer_set_doubles(NULL, NULL, NULL, 0) != TACO_OK);
    CHECK(taco_writer_set_array(NULL, NULL, NULL, 0) != TACO_OK);
    CHECK(taco_writer_finish(NULL, fresh()) == TACO_OK);
    taco_writer_abort(NULL);
    CHECK(taco_export(NULL, NULL, NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_export_rows(NULL, NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_repack(NULL, NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_lonlat(NULL, 0, 0, two, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_stac_tiff(NULL, &out_stac, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_stac_centroid(NULL, two, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_istac_centroid(NULL, two, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_writer_stac_columns(NULL, 0) != TACO_OK);
    CHECK(taco_writer_set_stac(NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_writer_istac_columns(NULL, 0) != TACO_OK);
    CHECK(taco_writer_set_istac(NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_writer_set_split(NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_writer_scaling_columns(NULL, 0, false) != TACO_OK);
    CHECK(taco_writer_set_scaling(NULL, NULL, NULL, 0, false, NULL, fresh()) != TACO_OK &&
          err.code != TACO_OK);
    CHECK(taco_majortom(0, 0, 0, text, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_majortom_code(NULL, 0, 0, NULL, 0, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_majortom_point(NULL, NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_spatial_groups(NULL, NULL, 0, 0, 0, NULL, fresh()) != TACO_OK &&
          err.code != TACO_OK);
    CHECK(taco_writer_stats_column(NULL, 0) != TACO_OK);
    CHECK(taco_writer_set_stats(NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_labels_json(NULL, 0, NULL, text, 0, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_publications_json(NULL, 0, text, 0, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_split_json(NULL, text, 0, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_optical_json(NULL, NULL, 0, text, 0, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(!taco_table_open(NULL, NULL, fresh()) && err.code != TACO_OK);
    CHECK(!taco_table_rows(NULL));
    CHECK(!taco_table_fields(NULL, &count));
    taco_table_close(NULL);
    CHECK(!taco_rasteret_descriptor_open(NULL, 0, NULL, NULL, fresh()) && err.code != TACO_OK);
    CHECK(!taco_rasteret_descriptor_options(NULL));
    taco_rasteret_descriptor_close(NULL);
    CHECK(taco_rasteret_ready(NULL, NULL, 0, NULL, NULL, fresh()) != TACO_OK &&
          err.code != TACO_OK);
    CHECK(taco_rasteret_tiles(NULL, NULL, NULL, NULL, NULL, fresh()) != TACO_OK &&
          err.code != TACO_OK);
    CHECK(taco_header_parse(NULL, 0, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_header_bytes(NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_header_read(NULL, NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_header_write(NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_archive_create(NULL, NULL, 0, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_archive_replace(NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_add_columns(NULL, NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_create_directory(NULL, NULL, NULL, 0, NULL, fresh()) != TACO_OK &&
          err.code != TACO_OK);
}

static void legacy(void)
{
    CHECK(taco_legacy_opener() != NULL);
    CHECK(taco_tortilla_create(NULL, NULL, NULL, NULL, NULL, fresh()) != TACO_OK &&
          err.code != TACO_OK);
    CHECK(taco_tortilla_compile(NULL, NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_tortilla_to_taco(NULL, NULL, NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_tortilla_from_taco(NULL, NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_tortilla_edit_collection(NULL, NULL, NULL, NULL, fresh()) != TACO_OK &&
          err.code != TACO_OK);
    CHECK(taco_tortilla_edit_footer(NULL, NULL, NULL, NULL, fresh()) != TACO_OK &&
          err.code != TACO_OK);
    CHECK(taco_convert_to_taco2(NULL, 0, NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_convert_from_taco2(NULL, NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_collection_export(NULL, (taco_collection_format)0, NULL, fresh()).len == 0);
}

static void tiff(void)
{
    CHECK(!taco_tiff_open(NULL, NULL, NULL, fresh()) && err.code != TACO_OK);
    CHECK(!taco_tiff_get(NULL));
    CHECK(taco_tiff_tiles_ok(NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_tiff_band(NULL, 0, &count, &count, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_tacotiff_ok(NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_tog_check(NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_tacotiff_header(NULL, fresh()).len == 0);
    CHECK(taco_tiff_json(NULL, fresh()).len == 0);
    taco_tiff_close(NULL);
}

static void v3(void)
{
    CHECK(taco_v3_opener() != NULL);
    CHECK(!taco_v3_table(NULL, NULL, fresh()) && err.code != TACO_OK);
    CHECK(!taco_v3_columns(NULL, NULL, 0, false, fresh()) && err.code != TACO_OK);
}

static void rasteret(void)
{
    CHECK(taco_rasteret_opener() != NULL);
    CHECK(taco_rasteret_validate(NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_rasteret_build(NULL, NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_rasteret_from_taco(NULL, NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
    CHECK(taco_rasteret_to_taco(NULL, NULL, NULL, NULL, NULL, fresh()) != TACO_OK &&
          err.code != TACO_OK);
}

static void publish(void)
{
    CHECK(taco_publish(NULL, NULL, NULL, fresh()) != TACO_OK && err.code != TACO_OK);
}

int main(void)
{
    RUN(parquet);
    RUN(datasets);
    RUN(writing);
    RUN(legacy);
    RUN(tiff);
    RUN(rasteret);
    RUN(v3);
    RUN(publish);
    return test_end("null");
}
