/* table.c - rows as a table for people. On a terminal it is fitted to the width: columns are
   narrowed, and those that do not fit are named below it. Elsewhere nothing is cut: cells longer
   than those of the first rows shift the rest of the line. Geometries are short WKT (wkt.c);
   columns named internal:* are only shown if requested. */
#include "tool.h"

#include <inttypes.h>
#include <string.h>

enum {
    /* widest column on a terminal, and the least that one is narrowed to */
    WIDEST = 60,
    NARROWEST = 14,
    /* between columns */
    GAP = 2
};

typedef struct table {
    output *to;
    /* lines not written yet */
    char *text;
    size_t len, room;
    taco_printer *printer;
    const taco_field *fields;
    /* indexes of the fields shown, their widths, and their number */
    size_t *shown, *widths;
    /* widths they may be narrowed to: numbers are never cut */
    size_t *least;
    size_t count;
    /* number of fields to show, including those that do not fit */
    size_t wanted;
    /* columns of the terminal; 0 if it is none */
    size_t screen;
    bool bold, begun, failed;
} table;

/* ---- text ---- */

static void put(table *t, const char *text, size_t n)
{
    if (n == 0) { return; }
    if (n > t->room - t->len) {
        t->room = 2 * (t->len + n) + 65536;
        t->text = (char *)grow_list(t->text, 0, t->room);
    }
    memcpy(t->text + t->len, text, n);
    t->len += n;
}

static void put_text(table *t, const char *text)
{
    put(t, text, strlen(text));
}

static void put_blanks(table *t, size_t n)
{
    for (; n; n--) {
        put(t, " ", 1);
    }
}

/* Replaces control characters, including U+0080 to U+009F, by blanks: they would break the table,
   or be commands to a terminal. */
static void blank_controls(char *text, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        bool high = c == 0xC2 && i + 1 < n && ((unsigned char)text[i + 1] & 0xE0) == 0x80;
        if (c < 0x20 || c == 0x7F || high) { text[i] = ' '; }
        if (high) { text[++i] = ' '; }
    }
}

/* Writes the pending lines. False on failure. */
static bool flush_lines(table *t)
{
    taco_bytes lines = {(const uint8_t *)t->text, t->len};
    t->len = 0;
    return !lines.len || output_write_plain(t->to, lines);
}

/* ---- cells ---- */

/* The text of a cell, which lives until the next call. */
static const char *cell_text(table *t, const taco_array *a, size_t row, size_t *len,
                             taco_error *err)
{
    static char *text;
    static size_t room;
    taco_bytes plain;
    if (taco_array_valid(a, row) && is_geometry(a->field)) {
        return short_wkt(taco_array_bytes(a, row), len);
    }
    plain = taco_printer_cell(t->printer, a, row, err);
    if (plain.len >= room) {
        room = 2 * plain.len + 256;
        text = (char *)grow_list(NULL, 0, room);
    }
    if (plain.len) { memcpy(text, plain.data, plain.len); }
    blank_controls(text, plain.len);
    *len = plain.len;
    return text;
}

/* Numbers are right-aligned. */
static bool is_number(const taco_field *f)
{
    return f->type >= TACO_INT8 && f->type <= TACO_DECIMAL;
}

/* Prints a text in column k; on a terminal it is cut if it is too long. */
static void print_cell(table *t, size_t k, const char *text, size_t n)
{
    size_t chars = count_columns(text, n), width = t->widths[k], blanks, i, one;
    bool cut = t->screen && chars > width, right = is_number(&t->fields[t->shown[k]]);
    if (cut) {
        /* one column is left for the ellipsis */
        for (i = chars = 0; i < n && chars < width; chars += one) {
            size_t len = next_char(text + i, n - i, &one);
            if (chars + one >= width) { break; }
            i += len;
        }
        n = i;
        chars++;
    }
    blanks = chars < width ? width - chars : 0;
    put_blanks(t, right ? blanks : 0);
    put(t, text, n);
    if (cut) { put_text(t, "\xE2\x80\xA6"); }
    /* none after the last column */
    if (k + 1 < t->count) { put_blanks(t, (right ? 0 : blanks) + GAP); }
}

/* ---- widths ---- */

/* Chooses the fields to show: those named internal:* only if requested. The fields are copied, as
   their reader is closed before the last line. */
static void choose_fields(table *t, const taco_field *fields, size_t n, bool internal)
{
    size_t i;
    taco_field *copy = (taco_field *)grow_list(NULL, 0, (n + 1) * sizeof *copy);
    t->fields = copy;
    t->shown = (size_t *)grow_list(NULL, 0, (n + 1) * sizeof *t->shown);
    t->widths = (size_t *)grow_list(NULL, 0, (n + 1) * sizeof *t->widths);
    t->least = (size_t *)grow_list(NULL, 0, (n + 1) * sizeof *t->least);
    for (i = 0; i < n; i++) {
        const char *name = strstr(fields[i].name, "internal:");
        bool hidden = name && (name == fields[i].name || name == fields[i].name + 3);
        copy[i] = fields[i];
        copy[i].name = copy_text(fields[i].name);
        blank_controls((char *)copy[i].name, strlen(copy[i].name));
        if (internal || !hidden) { t->shown[t->count++] = i; }
    }
    t->wanted = t->count;
}

/* Makes columns as wide as the name and the widest cell of the first rows. */
static bool measure(table *t, const taco_batch *b, taco_error *err)
{
    size_t i, k, n;
    for (k = 0; k < t->count; k++) {
        const taco_field *f = &t->fields[t->shown[k]];
        t->widths[k] = count_columns(f->name, strlen(f->name));
        t->least[k] = NARROWEST;
        for (i = 0; i < b->length; i++) {
            const char *text = cell_text(t, &b->columns[t->shown[k]], i, &n, err);
            if (err->code != TACO_OK) { return false; }
            n = count_columns(text, n);
            t->widths[k] = n > t->widths[k] ? n : t->widths[k];
            if (is_number(f) && n > t->least[k]) { t->least[k] = n; }
        }
        if (t->screen && t->widths[k] > WIDEST) { t->widths[k] = WIDEST; }
        if (t->least[k] > t->widths[k]) { t->least[k] = t->widths[k]; }
    }
    return true;
}

/* Columns of the screen that a table of these widths takes. */
static size_t total_width(const table *t, const size_t *widths)
{
    size_t k, sum = 0;
    for (k = 0; k < t->count; k++) {
        sum += widths[k] + (k ? GAP : 0);
    }
    return sum;
}

/* Drops the last columns until the others can fit, and then narrows the widest of these until they
   do. */
static void fit(table *t)
{
    while (t->screen && total_width(t, t->least) > t->screen && t->count > 1) {
        t->count--;
    }
    while (t->screen && total_width(t, t->widths) > t->screen) {
        size_t k, widest = t->count;
        for (k = 0; k < t->count; k++) {
            bool can = t->widths[k] > t->least[k];
            if (can && (widest == t->count || t->widths[k] > t->widths[widest])) { widest = k; }
        }
        if (widest == t->count) { break; }
        t->widths[widest]--;
    }
    if (t->screen && t->count == 1 && t->widths[0] > t->screen) { t->widths[0] = t->screen; }
}

/* ---- rows ---- */

static void print_header(table *t)
{
    size_t k;
    if (t->bold) { put_text(t, "\033[1m"); }
    for (k = 0; k < t->count; k++) {
        const char *name = t->fields[t->shown[k]].name;
        print_cell(t, k, name, strlen(name));
    }
    put_text(t, t->bold ? "\033[0m\n" : "\n");
}

/* Prints the rows of a batch, at most `left`. */
static size_t print_rows(table *t, const taco_batch *b, size_t left, taco_error *err)
{
    size_t i, k, n, rows = b->length < left ? b->length : left;
    if (!t->begun) {
        if (!measure(t, b, err)) { return 0; }
        fit(t);
        print_header(t);
        t->begun = true;
    }
    for (i = 0; i < rows; i++) {
        for (k = 0; k < t->count; k++) {
            const char *text = cell_text(t, &b->columns[t->shown[k]], i, &n, err);
            if (err->code != TACO_OK) { return i; }
            print_cell(t, k, text, n);
        }
        put_text(t, "\n");
        if (t->len >= 65536 && !flush_lines(t)) { break; }
    }
    if (!flush_lines(t)) { t->failed = true; }
    return rows;
}

/* Appends a number as 1,234,567. */
static void put_count(table *t, uint64_t n)
{
    char digits[24];
    size_t i, len = (size_t)sprintf(digits, "%" PRIu64, n);
    for (i = 0; i < len; i++) {
        put(t, &digits[i], 1);
        if (i + 1 < len && (len - i) % 3 == 1) { put_text(t, ","); }
    }
}

/* Prints "1,000 rows", or "40 of 1,000 rows". */
static size_t print_row_count(table *t, uint64_t rows, uint64_t total)
{
    if (total == rows) {
        put_count(t, rows);
        put_text(t, rows == 1 ? " row" : " rows");
        return 12;
    }
    put_count(t, rows);
    put_text(t, " of ");
    if (total == UINT64_MAX) {
        put_text(t, "more");
    } else {
        put_count(t, total);
    }
    put_text(t, " rows (all of them: --all)");
    return 45;
}

/* Prints what a terminal does not show, in lines that fit. total: number of all rows, UINT64_MAX if
   unknown. */
static void print_footer(table *t, uint64_t rows, uint64_t total)
{
    static const char more[] = "; not shown: ";
    size_t k, at;
    put_text(t, t->bold ? "\033[2m" : "");
    at = print_row_count(t, rows, total);
    for (k = t->count; k < t->wanted; k++) {
        const char *name = t->fields[t->shown[k]].name, *before = k == t->count ? more : ", ";
        size_t n = strlen(before) + count_columns(name, strlen(name));
        /* a comma may follow */
        if (at + n + 1 > t->screen) {
            put_text(t, k == t->count ? ";\n  " : ",\n  ");
            before += k == t->count ? 2 : strlen(before);
            at = 2;
            n -= 2;
        }
        put_text(t, before);
        put_text(t, name);
        at += n;
    }
    put_text(t, t->bold ? "\033[0m\n" : "\n");
}

/* Counts the remaining rows, after the `count` shown and the `left` of the batch that are not. */
static uint64_t count_rest(row_source *rows, const table_options *how, uint64_t count, size_t left,
                           bool told)
{
    taco_batch batch;
    if (!told) { return count; }
    if (how->total) { return how->total(how->total_ctx); }
    count += left;
    while (rows->next(rows->reader, &batch)) {
        count += batch.length;
    }
    return count;
}

int print_table(row_source *rows, const table_options *how, output *to, const taco_options *opt,
                taco_error *err)
{
    table t;
    taco_batch batch;
    uint64_t count = 0, total, most = how->most ? how->most : UINT64_MAX;
    size_t unseen = 0;
    bool more = false;
    memset(&t, 0, sizeof t);
    memset(&batch, 0, sizeof batch);
    t.to = to;
    t.screen = how->screen;
    t.bold = how->color;
    choose_fields(&t, rows->fields, rows->field_count, how->internal);
    t.printer = taco_printer_open(rows->fields, rows->field_count, TACO_FORMAT_TABLE, opt, err);
    while (t.printer && err->code == TACO_OK && !t.failed && rows->next(rows->reader, &batch)) {
        uint64_t left = most - count;
        more = batch.length > left;
        count += print_rows(&t, &batch, (size_t)(left < SIZE_MAX ? left : SIZE_MAX), err);
        unseen = more ? batch.length - (size_t)left : 0;
        if (more) { break; }
    }
    total = count_rest(rows, how, count, unseen, t.screen && more);
    rows->close(rows->reader, err);
    rows->reader = NULL;
    memset(&batch, 0, sizeof batch);
    if (err->code == TACO_OK && !t.begun) { print_rows(&t, &batch, 0, err); }
    taco_printer_close(t.printer);
    if (err->code != TACO_OK) { return FAILED; }
    if (t.screen) { print_footer(&t, count, total); }
    flush_lines(&t);
    return DONE;
}
