/* output.c - what commands print and write: files that appear only when they are complete,
   standard output that is checked to its last byte, and rows in the formats of the library's
   printer. Rows come from a cursor of a dataset or a reader of a Parquet file; a row_source is
   either. */
#include "tool.h"

#include <errno.h>
#include <string.h>

/* ---- files and standard output ---- */

int output_open(output *o, const char *path)
{
    path_kind kind;
    o->file = stdout;
    o->temporary[0] = 0;
    if (!path || strcmp(path, "-") == 0) { return DONE; }
    kind = kind_of_path(path);
    if (!*path || kind == PATH_DIRECTORY || strlen(path) + 8 > sizeof o->temporary) {
        fprintf(stderr, "%s: cannot be written: %s\n", path,
                !*path                   ? "no name"
                : kind == PATH_DIRECTORY ? "a directory"
                                         : "the path is too long");
        return FAILED;
    }
    /* a device or a pipe is written to; all else is made beside its final name */
    if (kind != PATH_SPECIAL) {
        sprintf(o->temporary, "%s.part", path);
        catch_interrupts(path);
    }
    o->file = fopen(o->temporary[0] ? o->temporary : path, "wb");
    if (!o->file) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return FAILED;
    }
    return DONE;
}

int output_close(output *o, const char *path, int status)
{
    /* the first cause is kept: what follows may change errno */
    bool own = o->file != stdout, good = fflush(o->file) == 0 && !ferror(o->file);
    int why = errno;
    if (own) {
        /* the last bytes may fail only now, as on a full disk */
        if (fclose(o->file) != 0 && good) {
            good = false;
            why = errno;
        }
        if (status == DONE && good && o->temporary[0] && rename(o->temporary, path) != 0) {
            good = false;
            why = errno;
        }
        if ((status != DONE || !good) && o->temporary[0]) { remove(o->temporary); }
    }
    if (!good && status == DONE) {
        fprintf(stderr, "%s: writing failed: %s\n", own ? path : "standard output", strerror(why));
        return FAILED;
    }
    return status;
}

bool write_bytes(FILE *file, taco_bytes text)
{
    return text.data && fwrite(text.data, 1, text.len, file) == text.len;
}

int flush_stdout(int status)
{
    if (status == DONE && (fflush(stdout) != 0 || ferror(stdout))) {
        fprintf(stderr, "standard output: writing failed: %s\n", strerror(errno));
        return FAILED;
    }
    return status;
}

/* Bytes from 0x80 on are passed through: all text is UTF-8 but for names of files, which are
   what they are. */
void print_json_string(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            printf("\\%c", c);
        } else if (c < 0x20) {
            printf("\\u%04x", c);
        } else {
            putchar(c);
        }
    }
    putchar('"');
}

/* ---- rows ---- */

int parse_row_format(const arguments *a, const char *otherwise, taco_format *out)
{
    static const struct {
        const char *name;
        taco_format format;
    } formats[] = {
        {"ndjson", TACO_FORMAT_NDJSON}, {"csv", TACO_FORMAT_CSV},     {"table", TACO_FORMAT_TABLE},
        {"vsi", TACO_FORMAT_LINES},     {"arrow", TACO_FORMAT_ARROW},
    };

    const char *name = a->format ? a->format : otherwise;
    size_t i;
    for (i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(name, formats[i].name) == 0) {
            *out = formats[i].format;
            return DONE;
        }
    }
    return value_error("--format",
                       "table, ndjson, csv, vsi or arrow (query also geojson, gti, parquet, "
                       "geoparquet, stac-geoparquet)",
                       name);
}

/* Prints every batch, and closes the source before the end of the output is written: an error of
   the reader may come as late as that, and then the output is discarded. Where there is no row,
   a batch of none makes the printer write what comes before rows; that is made while the fields
   still exist. */
static void print_rows(row_source *rows, size_t first, taco_printer *p, FILE *file, taco_error *err)
{
    taco_batch batch;
    taco_bytes header = {NULL, 0};
    bool none = true;
    while (err->code == TACO_OK && rows->next(rows->reader, &batch)) {
        batch.columns += first;
        batch.column_count -= first;
        if (!write_bytes(file, taco_printer_batch(p, &batch, err))) { break; }
        none = false;
    }
    if (none && err->code == TACO_OK) {
        memset(&batch, 0, sizeof batch);
        header = taco_printer_batch(p, &batch, err);
    }
    rows->close(rows->reader, err);
    rows->reader = NULL;
    if (err->code == TACO_OK && header.data) { write_bytes(file, header); }
    if (err->code == TACO_OK) { write_bytes(file, taco_printer_batch(p, NULL, err)); }
}

int print_batches(row_source rows, size_t first, taco_format format, const char *path,
                  const taco_options *opt, taco_error *err)
{
    output out;
    taco_printer *p = rows.reader ? taco_printer_open(rows.fields + first, rows.field_count - first,
                                                      format, opt, err)
                                  : NULL;
    int status = p ? output_open(&out, path) : FAILED;
    if (status == DONE) {
        print_rows(&rows, first, p, out.file, err);
        status = output_close(&out, path, err->code == TACO_OK ? DONE : FAILED);
    }
    rows.close(rows.reader, err);
    taco_printer_close(p);
    return status;
}

/* row_source.next of a cursor */
static bool cursor_next(void *reader, taco_batch *batch)
{
    return taco_cursor_batch((taco_cursor *)reader, batch);
}

/* row_source.close of a cursor */
static void cursor_close(void *reader, taco_error *err)
{
    taco_cursor_close((taco_cursor *)reader, err);
}

/* The index of a column, 0 where there is none of that name. */
static size_t find_column(const taco_field *fields, size_t n, const char *name)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (strcmp(fields[i].name, name) == 0) { return i; }
    }
    return 0;
}

int print_cursor(taco_cursor *rows, taco_format format, const char *path, const taco_options *opt,
                 const char *dataset, taco_error *err)
{
    row_source source;
    size_t first = 0;
    int status;
    memset(&source, 0, sizeof source);
    source.reader = rows;
    source.next = cursor_next;
    source.close = cursor_close;
    source.fields = taco_cursor_fields(rows, &source.field_count);
    if (format == TACO_FORMAT_LINES) {
        /* one value a line, that of the first column */
        first = find_column(source.fields, source.field_count, "internal:gdal_vsi");
    }
    status = print_batches(source, first, format, path, opt, err);
    return err->code != TACO_OK ? report_file_error(dataset, err) : status;
}
