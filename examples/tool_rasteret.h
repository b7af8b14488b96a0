/* taco rasteret: collections of raster tiles by offset. Included by taco.c behind its common helpers. */
static const char usage_rasteret[] =
    "usage: taco rasteret header FILE.tif [--json]\n"
    "       taco rasteret validate COLLECTION\n"
    "\n"
    "  header    what a tile reader needs of a TIFF's header, as one JSON object\n"
    "  validate  holds a collection, a directory or a Parquet file, against the schema contract\n";

static int rasteret_header(const char *path)
{
    taco_error  err = {0};
    taco_source src;
    taco_tiff  *t = NULL;
    taco_bytes  text;
    if (taco_source_file(&src, path, &err) == TACO_OK) {
        t = taco_tiff_open(&src, path, NULL, &err);
        src.close(src.ctx);
    }
    if (t && taco_tiff_tiles_ok(t, &err) == TACO_OK) {
        text = taco_tiff_json(t, &err);
        if (text.len) {
            puts((const char *)text.data);
        }
    }
    taco_tiff_close(t);
    return err.code ? report(&err) : DONE;
}
static int run_rasteret(args *a, const taco_options *opt)
{
    const char *verb = a->word_count ? a->words[0] : "";
    taco_error  err = {0};
    if (strcmp(verb, "header") == 0 && a->word_count == 2) {
        return rasteret_header(a->words[1]);
    }
    if (strcmp(verb, "validate") == 0 && a->word_count == 2) {
        return taco_rasteret_validate(a->words[1], opt, &err) == TACO_OK ? DONE : report(&err);
    }
    fputs(usage_rasteret, stderr);
    return USAGE;
}
