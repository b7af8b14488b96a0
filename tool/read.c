/* read.c - taco read and taco get: one sample by its path of ids and positions. read prints the
   GDAL path of a FILE or the children of a FOLDER, get the bytes of a FILE. */
#include "tool.h"

#include <inttypes.h>
#include <string.h>

/* Prints the GDAL path of a FILE on one line, as gdalinfo takes it. */
static int print_path(const arguments *a, const taco_sample *sample, taco_error *err)
{
    output out;
    int status = output_open(&out, a->output);
    if (status == DONE) {
        taco_bytes text = {(const uint8_t *)sample->vsi, strlen(sample->vsi)};
        (void)output_path(&out, text, a, err);
        status = output_close(&out, a->output, err->code == TACO_OK ? DONE : FAILED);
    }
    return err->code == TACO_OK ? status : report_file_error(a->words[1], err);
}

/* Words: DATASET KEY. Prints the path of a FILE, or its row if another format is requested. */
static int run_read(arguments *a, const taco_options *opt)
{
    taco_error err = {0};
    taco_sample sample;
    taco_dataset *ds;
    bool of_file;
    int status;
    if (a->word_count != 2) { return usage_error("read needs a DATASET and a KEY[/KEY...]", NULL); }
    if (choose_format(a, &read_command, "") != DONE) { return USAGE; }
    of_file = !*a->format || strcmp(a->format, "vsi") == 0;
    if (!*a->format) { a->format = "table"; }
    ds = open_datasets(a, 1, opt, &err);
    if (!ds || taco_locate(ds, a->words[1], &sample, &err) != TACO_OK) {
        status = report_error(&err);
    } else if (!sample.folder && of_file) {
        status = print_path(a, &sample, &err);
    } else {
        taco_cursor *rows = taco_read(ds, a->words[1], a->query.padding, &err);
        status = rows ? print_cursor(rows, a, NULL, opt, a->words[0], &err) : report_error(&err);
    }
    taco_close(ds);
    return status;
}

/* Copies a payload piece by piece, so that memory does not grow with its size, and compares its
   CRC-32 with that in its archive. DONE even if writing fails, which output_close reports. */
static int copy_payload(taco_dataset *ds, taco_source *src, output *to, const char *key)
{
    static uint8_t buffer[1 << 16];
    taco_error err = {0};
    taco_bytes piece;
    uint64_t at = 0;
    uint32_t crc = 0;
    while (at < src->size) {
        size_t n = src->size - at < sizeof buffer ? (size_t)(src->size - at) : sizeof buffer;
        if (!src->read(src->ctx, at, buffer, n)) {
            fprintf(stderr, "%s: reading the payload failed at byte %" PRIu64 "\n", key, at);
            return FAILED;
        }
        piece.data = buffer;
        piece.len = n;
        crc = taco_crc32(crc, buffer, n);
        if (!output_write(to, piece)) { return DONE; }
        at += n;
    }
    return taco_payload_check(ds, key, crc, &err) == TACO_OK ? DONE : report_error(&err);
}

/* Words: DATASET KEY. */
static int run_get(arguments *a, const taco_options *opt)
{
    taco_error err = {0};
    taco_source src;
    taco_dataset *ds;
    output out;
    int status;
    if (a->word_count != 2) { return usage_error("get needs a DATASET and a KEY[/KEY...]", NULL); }
    ds = open_datasets(a, 1, opt, &err);
    if (!ds || taco_payload(ds, a->words[1], &src, &err) != TACO_OK) {
        status = report_error(&err);
    } else {
        status = output_open(&out, a->output);
        /* the bytes unchanged, as cat shows them */
        out.terminal = false;
        if (status == DONE) {
            status = output_close(&out, a->output, copy_payload(ds, &src, &out, a->words[1]));
        }
        /* a payload is a separate source, which its opener closes */
        if (src.close) { src.close(src.ctx); }
    }
    taco_close(ds);
    return status;
}

static const command_option read_options[] = {
    OPTION_AS("--format", "table|ndjson|json|csv|vsi|arrow",
              "output format for the children, or the row of a FILE"),
    OPTION("-o"),
    OPTION("--overwrite"),
    OPTION("--all"),
    OPTION("--crlf"),
    OPTION("-0"),
    OPTION("--show-padding"),
    OPTION("--base-path"),
    OPTION_END,
};

const command read_command = {
    "read",
    "print the path of a FILE, or the children of a FOLDER",
    "DATASET KEY[/KEY...] [options]",
    "KEY is an id, or @N for a position. For a FILE, prints its path for GDAL, for a "
    "FOLDER its children. Put -- before a KEY that starts with -.",
    NULL,
    NULL,
    read_options,
    run_read,
    false,
    false,
    false,
};
static const command_option get_options[] = {
    OPTION("-o"), OPTION("--overwrite"), OPTION("--base-path"), OPTION("--keep-damaged"),
    OPTION_END,
};

const command get_command = {
    "get",
    "write the bytes of one FILE",
    "DATASET KEY[/KEY...] [options]",
    "Writes the bytes of one FILE to standard output.",
    NULL,
    NULL,
    get_options,
    run_get,
    false,
    false,
    false,
};
