/* printer.c - batches as text for people and programs: the public taco_printer

   In: fields, then batches of them; out: NDJSON, CSV, a table, lines, or an Arrow IPC stream, a
   piece for each batch, in a buffer that is reused. cell_text.c prints cells, ipc_write.c messages
   of a stream; this file adds headers, separators and widths of columns.

   Rows of NDJSON and CSV are printed by tasks of the host's parallel_for if there are many: each
   prints a part of the batch into its own buffer, with its own memory account. If a task fails, the
   calling thread prints all rows, and fails where it would without tasks. */
#include "arrow.h"
#include "../base/base.h"

/* Most characters of a column in a table. */
#define TACO__PRINTER_WIDEST 60
/* Most parts of a batch, and fewest cells in one: some hundred microseconds of work. */
#define TACO__PRINTER_PARTS      16
#define TACO__PRINTER_PART_CELLS 8192

/* Rows of a batch for a task, and their text. */
typedef struct taco__printer_part {
    taco__mem mem;
    taco__buf out; /* belongs to the printer's account, or to mem while the task runs */
    size_t first, end;
    bool ok;
} taco__printer_part;

struct taco_printer {
    taco__mem mem;
    taco__buf out, cell;    /* the text of the batch; one cell of a table */
    taco__cell_names names; /* NDJSON */
    const taco_field *fields;
    size_t count;
    size_t *widths; /* widths of a table's columns, from the first batch */
    taco_format format;
    bool begun; /* the header has been printed */
    taco_options host;
    const taco_batch *batch;   /* while tasks print it */
    taco__printer_part *parts; /* NULL until tasks are used */
};

TACO_API taco_printer *taco_printer_open(const taco_field *fields, size_t n, taco_format format,
                                         const taco_options *opt, taco_error *err)
{
    taco__mem mem;
    taco_printer *p;
    size_t bytes;
    err = taco__error_fresh(err, NULL);
    taco__mem_init(&mem, opt);
    if (format < TACO_FORMAT_NDJSON || format > TACO_FORMAT_NUL ||
        ((format == TACO_FORMAT_LINES || format == TACO_FORMAT_NUL) && n == 0) ||
        !taco__checked_mul_size(n, sizeof(size_t), &bytes)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "unknown format for %u columns",
                   TACO__U(n));
        return NULL;
    }
    p = (taco_printer *)taco__mem_alloc(&mem, sizeof *p, err);
    if (!p) { return NULL; }
    p->mem = mem;
    taco__options_init(&p->host, opt);
    p->out.mem = p->cell.mem = &p->mem;
    p->fields = fields;
    p->count = n;
    p->format = format;
    p->widths = (size_t *)taco__mem_alloc(&p->mem, bytes, err);
    if (!p->widths) {
        taco_printer_close(p);
        return NULL;
    }
    return p;
}

TACO_API void taco_printer_close(taco_printer *p)
{
    if (p) {
        taco__mem mem;
        size_t i;
        for (i = 0; p->parts && i < TACO__PRINTER_PARTS; i++) {
            taco__buf_free(&p->parts[i].out);
        }
        taco__mem_free(&p->mem, p->parts, TACO__PRINTER_PARTS * sizeof *p->parts);
        taco__cell_names_free(&p->names);
        taco__mem_free(&p->mem, p->widths, p->count * sizeof *p->widths);
        taco__buf_free(&p->out);
        taco__buf_free(&p->cell);
        mem = p->mem;
        taco__mem_free(&mem, p, sizeof *p);
    }
}

/* RFC 4180 ends lines with CR LF, but then text cut out of the file in a shell ends in CR; so the
   default is a line feed, as in DuckDB, polars and GDAL on Unix. */
static const char *taco__printer_line_end(const taco_printer *p)
{
    return p->format == TACO_FORMAT_CSV_CRLF ? "\r\n" : "\n";
}

/* Before the first row: the header of CSV, the names of NDJSON. */
static bool taco__printer_begin(taco_printer *p, const taco_batch *b, taco_error *err)
{
    size_t c;
    if (p->format == TACO_FORMAT_NDJSON) {
        return p->names.ends || !b->length || taco__cell_names_init(&p->names, &p->mem, b, err);
    }
    for (c = 0; !p->begun && c < p->count; c++) {
        if ((c && !taco__buf_append_char(&p->out, ',', err)) ||
            !taco__cell_csv_name(&p->out, taco__bytes_text(p->fields[c].name), err)) {
            return false;
        }
    }
    return p->begun || taco__buf_append_text(&p->out, taco__printer_line_end(p), err);
}

static bool taco__printer_csv_row(const taco_printer *p, const taco_batch *b, size_t row,
                                  taco__buf *out, taco_error *err)
{
    size_t c;
    for (c = 0; c < b->column_count; c++) {
        if ((c && !taco__buf_append_char(out, ',', err)) ||
            !taco__cell_csv(out, &b->columns[c], row, err)) {
            return false;
        }
    }
    return taco__buf_append_text(out, taco__printer_line_end(p), err);
}

/* A line for each of rows [first, end). */
static bool taco__printer_rows(const taco_printer *p, const taco_batch *b, size_t first, size_t end,
                               taco__buf *out, taco_error *err)
{
    bool ok = true;
    for (; ok && first < end; first++) {
        ok = p->format == TACO_FORMAT_NDJSON ? taco__cell_json_row(out, b, first, &p->names, err) &&
                                                   taco__buf_append_char(out, '\n', err)
                                             : taco__printer_csv_row(p, b, first, out, err);
    }
    return ok;
}

/* ---- tasks ---- */

static void taco__printer_print_part(void *arg, size_t i)
{
    const taco_printer *p = (const taco_printer *)arg;
    taco__printer_part *t = &p->parts[i];
    t->ok = taco__printer_rows(p, p->batch, t->first, t->end, &t->out, NULL);
}

/* How many parts a batch is worth; less than two: none. */
static size_t taco__printer_count_parts(taco_printer *p, const taco_batch *b)
{
    size_t rows = TACO__PRINTER_PART_CELLS / TACO__MAX(b->column_count, (size_t)1) + 1;
    size_t n = TACO__MIN(b->length / rows, taco__tasks_width(&p->host, TACO__PRINTER_PARTS));
    if (n < 2) { return 0; }
    if (!p->parts) {
        p->parts = (taco__printer_part *)taco__mem_alloc(
            &p->mem, TACO__PRINTER_PARTS * sizeof *p->parts, NULL);
    }
    return p->parts ? n : 0;
}

/* Prints all rows by n tasks; false, with nothing printed, if one fails. */
static bool taco__printer_divide(taco_printer *p, const taco_batch *b, size_t n)
{
    const size_t before = p->out.len;
    bool ok = true;
    size_t i, first = 0;
    p->batch = b;
    for (i = 0; i < n; i++) {
        taco__printer_part *t = &p->parts[i];
        memset(&t->mem, 0, sizeof t->mem);
        t->mem.used = t->mem.accounted = t->out.data ? (uint64_t)t->out.cap + TACO__PAD : 0;
        t->out.mem = &t->mem;
        t->out.len = 0;
        t->first = first;
        t->end = first += b->length / n + (i < b->length % n);
        taco__mem_task_begin(&p->mem, &t->mem, n);
    }
    taco__tasks_run(&p->host, n, taco__printer_print_part, p);
    for (i = 0; i < n; i++) {
        taco__mem_task_merge(&p->mem, &p->parts[i].mem);
        p->parts[i].out.mem = &p->mem;
        ok = ok && p->parts[i].ok;
    }
    for (i = 0; ok && i < n; i++) {
        ok = taco__buf_append(&p->out, p->parts[i].out.data, p->parts[i].out.len, NULL);
    }
    if (!ok) { p->out.len = before; }
    return ok;
}

/* NDJSON and CSV. */
static bool taco__printer_lines_of_rows(taco_printer *p, const taco_batch *b, taco_error *err)
{
    size_t n;
    if (!taco__printer_begin(p, b, err)) { return false; }
    n = taco__printer_count_parts(p, b);
    return (n && taco__printer_divide(p, b, n)) ||
           taco__printer_rows(p, b, 0, b->length, &p->out, err);
}

/* ---- tables and lines ---- */

/* Number of code points, which usually take one column each in a terminal. */
static size_t taco__printer_count_chars(taco_bytes b)
{
    size_t i, n = 0;
    for (i = 0; i < b.len; i++) {
        n += (b.data[i] & 0xC0) != 0x80;
    }
    return n;
}

/* Appends p->cell, truncated with an ellipsis to the width of column c, and padded with blanks. The
   last column is not padded, and ends the line. */
static bool taco__printer_append_cell(taco_printer *p, size_t c, taco_error *err)
{
    taco_bytes b = taco__bytes_of(p->cell.data, p->cell.len);
    size_t n = taco__printer_count_chars(b), width = p->widths[c];
    if (n > width) {
        for (n = 0, b.len = 0;
             b.len < p->cell.len && (n < width - 1 || (b.data[b.len] & 0xC0) == 0x80); b.len++) {
            n += (b.data[b.len] & 0xC0) != 0x80;
        }
        if (!taco__buf_append(&p->out, b.data, b.len, err) ||
            !taco__buf_append_text(&p->out, "\xE2\x80\xA6", err)) {
            return false;
        }
        n = width;
    } else if (!taco__buf_append(&p->out, b.data, b.len, err)) {
        return false;
    }
    for (; c + 1 < p->count && n < width + 2; n++) {
        if (!taco__buf_append_char(&p->out, ' ', err)) { return false; }
    }
    return c + 1 < p->count || taco__buf_append_char(&p->out, '\n', err);
}

/* The plain text of a cell in p->cell; row SIZE_MAX is the name of the column. */
static bool taco__printer_format_cell(taco_printer *p, const taco_batch *b, size_t row, size_t c,
                                      taco_error *err)
{
    p->cell.len = 0;
    if (row == SIZE_MAX) {
        return taco__cell_plain_name(&p->cell, taco__bytes_text(p->fields[c].name), err);
    }
    return taco__cell_plain(&p->cell, &b->columns[c], row, err);
}

/* The first batch is printed twice: for the widths, then for the text. */
static bool taco__printer_table(taco_printer *p, const taco_batch *b, taco_error *err)
{
    size_t i, c;
    for (c = 0; !p->begun && c < p->count; c++) {
        for (i = 0; i <= b->length; i++) {
            size_t n;
            if (!taco__printer_format_cell(p, b, i ? i - 1 : SIZE_MAX, c, err)) { return false; }
            n = taco__printer_count_chars(taco__bytes_of(p->cell.data, p->cell.len));
            p->widths[c] = TACO__MAX(p->widths[c], TACO__MIN(n, (size_t)TACO__PRINTER_WIDEST));
        }
    }
    for (i = p->begun ? 1 : 0; i <= b->length; i++) {
        for (c = 0; c < p->count; c++) {
            if (!taco__printer_format_cell(p, b, i ? i - 1 : SIZE_MAX, c, err) ||
                !taco__printer_append_cell(p, c, err)) {
                return false;
            }
        }
    }
    return true;
}

static char taco__printer_value_end(const taco_printer *p)
{
    return p->format == TACO_FORMAT_NUL ? '\0' : '\n';
}

/* Whether text is one value to who reads lines, or values that end in zero bytes. A tab, which
   names may have, ends no line. */
static bool taco__printer_is_line(const taco_printer *p, const uint8_t *s, size_t n)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    size_t i = 0;
    if (p->format == TACO_FORMAT_NUL) { return !n || !memchr(s, 0, n); }
    while (i < n) {
        uint64_t x = 0;
        /* eight bytes at a time while none of them is below 0x20 */
        if (n - i >= 8) { memcpy(&x, s + i, 8); }
        if (n - i >= 8 && !((x - ones * 0x20) & ~x & ones << 7)) {
            i += 8;
        } else if (s[i] >= 0x20 || s[i] == '\t') {
            i++;
        } else {
            return false;
        }
    }
    return true;
}

static bool taco__printer_check_line(const taco_printer *p, taco_bytes b, taco_error *err)
{
    if (taco__printer_is_line(p, b.data, b.len)) { return true; }
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
               p->format == TACO_FORMAT_NUL
                   ? "%q has a zero byte, which is the end of a value here"
                   : "%q has a control character, and would not be one line: print values that end "
                     "in zero bytes (-0 of taco), or another format",
               &b);
    return false;
}

/* One value per line: text as it is, other types as in a table, nothing for null. */
static bool taco__printer_cell_lines(taco_printer *p, const taco_array *a, size_t n,
                                     taco_error *err)
{
    size_t i;
    bool ok = true;
    for (i = 0; ok && i < n; i++) {
        const taco_array *values = a;
        size_t at = i;
        int has =
            a->field->type == TACO_NULL ? 0 : taco__cell_resolve_dictionary(&values, &at, err);
        if (has > 0 && a->field->type == TACO_TEXT) {
            taco_bytes b = taco_array_bytes(values, at);
            ok = taco__printer_check_line(p, b, err) &&
                 taco__buf_append(&p->out, b.data, b.len, err);
        } else if (has) {
            ok = has > 0 && taco__cell_plain(&p->out, a, i, err);
        }
        ok = ok && taco__buf_append_char(&p->out, taco__printer_value_end(p), err);
    }
    return ok;
}

/* The first column as lines: the way to print many paths, so text without a dictionary is copied in
   steps of 32 bytes if more text follows it. */
static bool taco__printer_lines(taco_printer *p, const taco_batch *b, taco_error *err)
{
    const taco_array *a = b->columns;
    const uint8_t *from;
    uint8_t *to;
    size_t i;
    if (!b->length) { return true; }
    from = a->field->type == TACO_TEXT && !a->dictionary ? a->v.u8 + a->offsets[0] : NULL;
    if (!from || !taco__printer_is_line(p, from, (size_t)(a->offsets[b->length] - a->offsets[0]))) {
        return taco__printer_cell_lines(p, a, b->length, err);
    }
    if (!taco__buf_reserve(&p->out, (size_t)(a->offsets[b->length] - a->offsets[0]) + b->length,
                           err)) {
        return false;
    }
    to = p->out.data + p->out.len;
    for (i = 0; i < b->length; i++) {
        from = a->v.u8 + a->offsets[i];
        size_t k, n = (size_t)(a->offsets[i + 1] - a->offsets[i]);
        if (a->validity && !taco__bitmap_get(a->validity, i)) { n = 0; }
        if ((size_t)(a->offsets[b->length] - a->offsets[i]) >= n + 32) {
            for (k = 0; k < n; k += 32) {
                memcpy(to + k, from + k, 32);
            }
        } else {
            memcpy(to, from, n);
        }
        to += n;
        *to++ = (uint8_t)taco__printer_value_end(p);
    }
    p->out.len = (size_t)(to - p->out.data);
    return true;
}

TACO_API taco_bytes taco_printer_cell(taco_printer *p, const taco_array *a, size_t i,
                                      taco_error *err)
{
    static const uint8_t nothing = 0;
    err = taco__error_fresh(err, NULL);
    if (!p || !a) { return taco__bytes_of(NULL, 0); }
    p->cell.len = 0;
    if (!taco__cell_plain(&p->cell, a, i, err)) { return taco__bytes_of(NULL, 0); }
    return p->cell.data ? taco__bytes_of(p->cell.data, p->cell.len) : taco__bytes_of(&nothing, 0);
}

TACO_API taco_bytes taco_printer_batch(taco_printer *p, const taco_batch *b, taco_error *err)
{
    static const uint8_t nothing = 0;
    bool ok = true;
    err = taco__error_fresh(err, NULL);
    if (!p) { return taco__bytes_of(NULL, 0); }
    p->out.len = 0;
    if (!b && p->format != TACO_FORMAT_ARROW) { return taco__bytes_of(&nothing, 0); }
    switch (p->format) {
    case TACO_FORMAT_NDJSON:
    case TACO_FORMAT_CSV:
    case TACO_FORMAT_CSV_CRLF: ok = taco__printer_lines_of_rows(p, b, err); break;
    case TACO_FORMAT_TABLE: ok = taco__printer_table(p, b, err); break;
    case TACO_FORMAT_ARROW:
        ok = (p->begun ||
              taco__ipc_schema(&p->out, p->fields, p->count, true, TACO__BIG_ENDIAN, err)) &&
             (b ? !b->length || taco__ipc_batch(&p->out, p->fields, b, err)
                : taco__ipc_end_stream(&p->out, err));
        break;
    default: ok = taco__printer_lines(p, b, err); break;
    }
    p->begun = true;
    return !ok           ? taco__bytes_of(NULL, 0)
           : p->out.data ? taco__bytes_of(p->out.data, p->out.len)
                         : taco__bytes_of(&nothing, 0);
}
