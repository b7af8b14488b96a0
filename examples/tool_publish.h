/* taco query --format parquet|geoparquet|stac-geoparquet. Included by taco.c. */
#ifndef TOOL_PUBLISH_H
#define TOOL_PUBLISH_H

static bool publish_kind(const char *format, taco_publish_kind *kind)
{
    static const char *const names[] = {"parquet", "geoparquet", "stac-geoparquet"};
    size_t                   i;
    for (i = 0; format && i < 3; i++) {
        if (strcmp(format, names[i]) == 0) {
            *kind = (taco_publish_kind)i;
            return true;
        }
    }
    return false;
}
static int publish_rows(args *a, taco_dataset *ds, taco_cursor *rows, taco_publish_kind kind,
                        const taco_options *opt, taco_error *err)
{
    taco_publish_options how;
    taco_sink            sink;
    memset(&how, 0, sizeof how);
    how.kind = kind;
    how.id = taco_id(ds) && *taco_id(ds) ? taco_id(ds) : NULL; /* a Tortilla has none */
    how.href = "./collection.json"; /* taco collection --to stac writes it */
    how.geometry_column = a->query.geometry_column;
    how.crs = a->geometry.crs;
    how.covering = a->geometry.covering;
    how.write = a->write;
    how.write.options = opt;
    if (how.write.codec == TACO_CODEC_DEFAULT) {
        how.write.codec = TACO_CODEC_ZSTD;
    }
    stop_cleanly(a->output);
    if (taco_sink_file(&sink, a->output, opt, err) != TACO_OK) {
        taco_cursor_close(rows, NULL);
        return report(err);
    }
    return taco_publish(rows, &sink, &how, err) == TACO_OK ? DONE : report_of(a->output, err);
}

#endif
