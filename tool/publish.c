/* publish.c - taco query --format parquet, geoparquet or stac-geoparquet: the rows of a query as
   a Parquet file, which appears under its name when it is complete. */
#include "tool.h"

#include <string.h>

bool parse_publish_kind(const char *format, taco_publish_kind *kind)
{
    /* in the order of taco_publish_kind */
    static const char *const names[] = {"parquet", "geoparquet", "stac-geoparquet"};
    size_t i = format ? find_name(format, names, 3) : 3;
    *kind = i < 3 ? (taco_publish_kind)i : TACO_PUBLISH_PARQUET;
    return i < 3;
}

/* taco_publish_options.lonlat. */
static bool find_lonlat(void *ctx, const char *crs, double x, double y, double out[2])
{
    (void)ctx;
    return taco_lonlat(crs, x, y, out, NULL) == TACO_OK;
}

int publish_rows(const arguments *a, taco_dataset *ds, taco_cursor *rows, taco_publish_kind kind,
                 const taco_options *opt, taco_error *err)
{
    taco_publish_options how;
    taco_sink sink;
    const char *id = taco_id(ds);
    memset(&how, 0, sizeof how);
    how.kind = kind;
    /* a Tortilla has no id */
    how.id = id && *id ? id : NULL;
    /* what taco collection --to stac writes */
    how.href = "./collection.json";
    how.geometry_column = a->query.geometry_column;
    how.crs = a->geometry.crs;
    how.covering = a->geometry.covering;
    how.write = a->write;
    how.write.options = opt;
    how.lonlat = find_lonlat;
    /* the library's default is no compression, but published files should be compressed */
    if (how.write.codec == TACO_CODEC_DEFAULT) { how.write.codec = TACO_CODEC_ZSTD; }
    if (taco_sink_file(&sink, a->output, opt, err) != TACO_OK) {
        taco_cursor_close(rows, NULL);
        return report_error(err);
    }
    return taco_publish(rows, &sink, &how, err) == TACO_OK ? DONE
                                                           : report_file_error(a->output, err);
}
