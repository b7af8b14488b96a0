/* output.c - what commands print and write: files that appear only when they are complete,
   standard output that is checked to its last byte, and rows in the formats of the library's
   printer. Rows come from a cursor of a dataset or a reader of a Parquet file; a row_source is
   either. */
#include "tool.h"

#include <errno.h>
#include <string.h>

/* ---- files and standard output ---- */

int check_overwrite(const arguments *a, const char *path)
{
    if (a->create.overwrite || kind_of_path(path) != PATH_FILE) { return DONE; }
    fprintf(stderr, "%s: exists; --overwrite replaces it\n", path);
    return FAILED;
}

int output_open(output *o, const char *path)
{
    taco_options opt;
    taco_error err = {0};
    memset(o, 0, sizeof *o);
    if (!path || strcmp(path, "-") == 0) {
        o->file = stdout;
        o->terminal = stdout_is_terminal();
        return DONE;
    }
    memset(&opt, 0, sizeof opt);
    opt.temporary = note_temporary;
    return taco_sink_file(&o->sink, path, &opt, &err) == TACO_OK ? DONE : report_error(&err);
}

int output_close(output *o, const char *path, int status)
{
    bool good;
    end_progress();
    taco_printer_close(o->paths);
    /* the first cause is kept, as later calls may change errno */
    if (o->file) {
        good = fflush(o->file) == 0 && !ferror(o->file);
    } else {
        /* the last bytes may fail only now, as on a full disk */
        errno = 0;
        good = o->sink.close(o->sink.ctx, status == DONE && !o->why) && !o->why;
    }
    o->why = good || o->why ? o->why : errno;
    if (!good && status == DONE) {
        fprintf(stderr, "%s: writing failed: %s\n", o->file ? "standard output" : path,
                strerror(o->why ? o->why : EIO));
        return FAILED;
    }
    return status;
}

bool write_terminal(FILE *file, taco_bytes text)
{
    size_t i;
    for (i = 0; i < text.len; i++) {
        uint8_t c = text.data[i];
        if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7F) {
            fprintf(file, "^%c", c ^ 0x40);
        } else if (c == 0xC2 && i + 1 < text.len && text.data[i + 1] >= 0x80 &&
                   text.data[i + 1] < 0xA0) {
            fprintf(file, "^%c", text.data[++i] - 0x40);
        } else {
            putc(c, file);
        }
    }
    return !ferror(file);
}

bool write_bytes(FILE *file, taco_bytes text)
{
    return text.data && fwrite(text.data, 1, text.len, file) == text.len;
}

bool output_write(output *o, taco_bytes text)
{
    return o->terminal ? text.data && write_terminal(o->file, text) : output_write_plain(o, text);
}

bool output_write_plain(output *o, taco_bytes text)
{
    bool good = text.data != NULL;
    if (good && text.len) {
        errno = 0;
        good = !o->why && (o->file ? write_bytes(o->file, text)
                                   : o->sink.write(o->sink.ctx, o->at, text.data, text.len));
        if (!good && !o->why) { o->why = errno ? errno : EIO; }
        o->at += text.len;
    }
    return good;
}

int flush_stdout(int status)
{
    if (status == DONE && (fflush(stdout) != 0 || ferror(stdout))) {
        fprintf(stderr, "standard output: writing failed: %s\n", strerror(errno));
        return FAILED;
    }
    return status;
}

/* Bytes from 0x80 on are passed through: all text is UTF-8, except file names, which may be
   anything. */
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

/* Formats by file extension. The first is the one that it implies, the others are those that
   --format may also name. */
static const struct {
    const char *ending;
    const char *formats;
} endings[] = {
    {".parquet", "parquet|geoparquet|stac-geoparquet"},
    {".geoparquet", "geoparquet|stac-geoparquet"},
    {".geojson", "geojson"},
    {".gti", "gti"},
    {".csv", "csv"},
    {".ndjson", "ndjson"},
    {".jsonl", "ndjson"},
    {".json", "json|geojson"},
    {".arrow", "arrow"},
    {".arrows", "arrow"},
    {".txt", "table|vsi"},
};

/* Whether a path like "x.xlsx" is a file name with an extension that implies a format. */
static bool has_ending(const char *path)
{
    const char *name = name_in_path(path), *dot = strrchr(name, '.');
    return dot && dot[1] && dot > name && kind_of_path(path) != PATH_SPECIAL;
}

int choose_format(arguments *a, const command *c, const char *otherwise)
{
    const char *formats = NULL, *name = a->output ? a->output : "";
    const command_option *row = command_takes(c, verb_count(c), "--format");
    size_t i;
    for (i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (ends_with(name, endings[i].ending)) { formats = endings[i].formats; }
    }
    if (!formats && !a->format && has_ending(name)) {
        fprintf(
            stderr,
            "taco: -o %s: unknown extension: use .csv, .ndjson, .parquet, ... or --format (taco "
            "help formats)\n",
            name);
        return USAGE;
    }
    if (!formats) {
        a->format = a->format ? a->format : otherwise;
        return DONE;
    }
    if (a->format && !is_choice(formats, a->format)) {
        fprintf(stderr, "taco: -o %s and --format %s disagree: a name with this ending is %.*s\n",
                name, a->format, (int)strcspn(formats, "|"), formats);
        return USAGE;
    }
    if (!a->format) {
        char *first = copy_text(formats);
        first[strcspn(first, "|")] = 0;
        a->format = first;
    }
    if (!is_choice(row->value, a->format)) {
        fprintf(stderr, "taco: -o %s: %s writes no %s\n", name, c->name, a->format);
        return USAGE;
    }
    return DONE;
}

taco_format printer_format(const arguments *a)
{
    static const char *const names[] = {"ndjson", "json", "csv", "vsi", "arrow"};
    static const taco_format formats[] = {TACO_FORMAT_NDJSON, TACO_FORMAT_NDJSON, TACO_FORMAT_CSV,
                                          TACO_FORMAT_LINES, TACO_FORMAT_ARROW};
    taco_format format = formats[find_name(a->format, names, 4)];
    return format == TACO_FORMAT_CSV && a->crlf     ? TACO_FORMAT_CSV_CRLF
           : format == TACO_FORMAT_LINES && a->zero ? TACO_FORMAT_NUL
                                                    : format;
}

static bool output_text(output *o, const char *text)
{
    taco_bytes b = {(const uint8_t *)text, strlen(text)};
    return output_write(o, b);
}

/* Writes lines of JSON as members of one array; every line feed ends a row. */
static bool write_members(output *out, taco_bytes text, bool *first)
{
    while (text.len) {
        const void *end = memchr(text.data, '\n', text.len);
        taco_bytes line = {text.data, end ? (size_t)((const uint8_t *)end - text.data) : text.len};
        size_t n = line.len + (end != NULL);
        if (!output_text(out, *first ? "[\n" : ",\n") || !output_write(out, line)) { return false; }
        *first = false;
        text.data += n;
        text.len -= n;
    }
    return text.data != NULL;
}

/* Prints every batch, and closes the source before the end of the output is written: the reader may
   report an error only then, and the output is discarded. If there are no rows, an empty batch
   makes the printer write what comes before them, while the fields still exist. */
static void print_rows(row_source *rows, size_t first, taco_printer *p, output *out, bool array,
                       taco_error *err)
{
    taco_batch batch;
    taco_bytes header = {NULL, 0};
    bool none = true, first_row = true;
    while (err->code == TACO_OK && rows->next(rows->reader, &batch)) {
        taco_bytes text;
        batch.columns += first;
        batch.column_count -= first;
        text = taco_printer_batch(p, &batch, err);
        if (!(array ? write_members(out, text, &first_row) : output_write(out, text))) { break; }
        none = false;
    }
    if (none && err->code == TACO_OK) {
        memset(&batch, 0, sizeof batch);
        header = taco_printer_batch(p, &batch, err);
    }
    rows->close(rows->reader, err);
    rows->reader = NULL;
    if (err->code == TACO_OK && header.data) { output_write(out, header); }
    if (err->code == TACO_OK) { output_write(out, taco_printer_batch(p, NULL, err)); }
    if (array) { output_text(out, first_row ? "[]\n" : "\n]\n"); }
}

/* Prints the rows of a source in one of the library printer's formats. */
static int print_with_printer(row_source *rows, size_t first, const arguments *a, output *out,
                              const taco_options *opt, taco_error *err)
{
    taco_printer *p = taco_printer_open(rows->fields + first, rows->field_count - first,
                                        printer_format(a), opt, err);
    if (p) { print_rows(rows, first, p, out, strcmp(a->format, "json") == 0, err); }
    taco_printer_close(p);
    return err->code == TACO_OK ? DONE : FAILED;
}

bool output_path(output *o, taco_bytes path, const arguments *a, taco_error *err)
{
    taco_array value;
    taco_batch batch;
    const int32_t ends[2] = {0, (int32_t)path.len};
    memset(&value, 0, sizeof value);
    memset(&batch, 0, sizeof batch);
    if (!o->paths) {
        o->path.name = "internal:gdal_vsi";
        o->path.type = TACO_TEXT;
        o->paths = taco_printer_open(&o->path, 1, a->zero ? TACO_FORMAT_NUL : TACO_FORMAT_LINES,
                                     NULL, err);
    }
    value.field = &o->path;
    value.length = batch.length = batch.column_count = 1;
    value.offsets = ends;
    value.v.any = path.data;
    batch.columns = &value;
    return o->paths && output_write(o, taco_printer_batch(o->paths, &batch, err));
}

bool to_terminal(const arguments *a)
{
    return (!a->output || strcmp(a->output, "-") == 0) && stdout_is_terminal();
}

int print_batches(row_source rows, size_t first, const arguments *a, const table_options *how,
                  const taco_options *opt, taco_error *err)
{
    output out;
    table_options own;
    int status = rows.reader ? output_open(&out, a->output) : FAILED;
    memset(&own, 0, sizeof own);
    if (how) { own = *how; }
    if (to_terminal(a)) {
        own.screen = terminal_width();
        own.color = use_color(a);
        if (!a->all && !own.most) { own.most = TERMINAL_ROWS; }
    }
    if (status == DONE) {
        status = strcmp(a->format, "table") == 0
                     ? print_table(&rows, &own, &out, opt, err)
                     : print_with_printer(&rows, first, a, &out, opt, err);
        status = output_close(&out, a->output, status);
    }
    rows.close(rows.reader, err);
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

size_t find_field(const taco_field *fields, size_t n, const char *name)
{
    size_t i;
    for (i = 0; i < n && strcmp(fields[i].name, name) != 0; i++) {}
    return i;
}

int print_cursor(taco_cursor *rows, const arguments *a, const table_options *how,
                 const taco_options *opt, const char *dataset, taco_error *err)
{
    row_source source;
    size_t first = 0;
    int status;
    memset(&source, 0, sizeof source);
    source.reader = rows;
    source.next = cursor_next;
    source.close = cursor_close;
    source.fields = taco_cursor_fields(rows, &source.field_count);
    if (strcmp(a->format, "vsi") == 0) {
        /* one value per line; the caller has made sure that the column exists */
        first = find_field(source.fields, source.field_count, "internal:gdal_vsi");
    }
    status = print_batches(source, first, a, how, opt, err);
    return err->code != TACO_OK ? report_file_error(dataset, err) : status;
}
