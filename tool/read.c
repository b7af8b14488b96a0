/* read.c - taco read and taco get: one sample by its path of ids and positions. read prints the
   GDAL path of a FILE or the children of a FOLDER, get the bytes of a FILE. */
#include "tool.h"

#include <inttypes.h>

static const char read_usage[] =
    "usage: taco read DATASET KEY[/KEY...] [--format table|ndjson|csv|vsi|arrow] [-o FILE]\n"
    "            [--show-padding] [--base-path P]\n"
    "\n"
    "KEY is an id, or @N for a position. A FILE prints its GDAL path, a FOLDER its children.\n"
    "A KEY that starts with - goes behind --.\n";

static const char get_usage[] = "usage: taco get DATASET KEY[/KEY...] [-o FILE] [--base-path P]\n"
                                "\n"
                                "Writes the bytes of one FILE to standard output.\n";

/* The GDAL path of a FILE, in one line: what gdalinfo takes. */
static int print_path(const arguments *a, const taco_sample *sample)
{
    output out;
    int status = output_open(&out, a->output);
    if (status == DONE) {
        fprintf(out.file, "%s\n", sample->vsi);
        status = output_close(&out, a->output, DONE);
    }
    return status;
}

/* Words: DATASET KEY. A FILE gives its path unless another format is asked for: then, its row. */
static int run_read(arguments *a, const taco_options *opt)
{
    taco_error err = {0};
    taco_format format;
    taco_sample sample;
    taco_dataset *ds;
    int status;
    if (a->word_count != 2) { return usage_error("read wants a DATASET and a KEY[/KEY...]", NULL); }
    if (parse_row_format(a, "table", &format) != DONE) { return USAGE; }
    ds = open_datasets(a, 1, opt, &err);
    if (!ds || taco_locate(ds, a->words[1], &sample, &err) != TACO_OK) {
        status = report_error(&err);
    } else if (!sample.folder && (!a->format || format == TACO_FORMAT_LINES)) {
        status = print_path(a, &sample);
    } else {
        taco_cursor *rows = taco_read(ds, a->words[1], a->query.padding, &err);
        status = rows ? print_cursor(rows, format, a->output, opt, a->words[0], &err)
                      : report_error(&err);
    }
    taco_close(ds);
    return status;
}

/* Copies a payload piece by piece, so that memory does not grow with it. DONE also when writing
   fails, which output_close reports. */
static int copy_bytes(taco_source *src, FILE *to, const char *key)
{
    static char buffer[1 << 16];
    uint64_t at = 0;
    while (at < src->size) {
        size_t n = src->size - at < sizeof buffer ? (size_t)(src->size - at) : sizeof buffer;
        if (!src->read(src->ctx, at, buffer, n)) {
            fprintf(stderr, "%s: reading the payload failed at byte %" PRIu64 "\n", key, at);
            return FAILED;
        }
        if (fwrite(buffer, 1, n, to) != n) { return DONE; }
        at += n;
    }
    return DONE;
}

/* Words: DATASET KEY. */
static int run_get(arguments *a, const taco_options *opt)
{
    taco_error err = {0};
    taco_source src;
    taco_dataset *ds;
    output out;
    int status;
    if (a->word_count != 2) { return usage_error("get wants a DATASET and a KEY[/KEY...]", NULL); }
    ds = open_datasets(a, 1, opt, &err);
    if (!ds || taco_payload(ds, a->words[1], &src, &err) != TACO_OK) {
        status = report_error(&err);
    } else {
        status = output_open(&out, a->output);
        if (status == DONE) {
            status = output_close(&out, a->output, copy_bytes(&src, out.file, a->words[1]));
        }
        /* a payload is a source of its own, which its opener closes */
        if (src.close) { src.close(src.ctx); }
    }
    taco_close(ds);
    return status;
}

const command read_command = {"read", read_usage, run_read, NULL, false};
const command get_command = {"get", get_usage, run_get, NULL, false};
