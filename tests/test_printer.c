/* The printer: the same rows as a table for people, CSV with both line endings, lines and NDJSON;
   column widths and truncation in tables; many rows printed by tasks; out of memory. */
#include "../taco_parquet.h"

#include "test.h"

#include "alloc.h"

enum { ROWS = 4 };

/* Five letters, of which two are outside of ASCII; no text; the longest text that a table shows
   whole; and one letter more. */
static const char text[] = "\xC3\xA9t\xC3\xA9 a"
                           "012345678901234567890123456789012345678901234567890123456789"
                           "012345678901234567890123456789012345678901234567890123456789x";
static const int32_t offsets[ROWS + 1] = {0, 7, 7, 67, 128};
static const uint8_t some[] = {0xD}; /* all but the second */
static const int64_t numbers[ROWS] = {1, -20, 300, 4};
static taco_field fields[2];
static taco_array columns[2];
static taco_batch batch;

static void make_rows(void)
{
    fields[0].name = "id";
    fields[0].type = TACO_TEXT;
    fields[0].nullable = true;
    fields[1].name = "n, \"m\"";
    fields[1].type = TACO_INT64;
    fields[1].width = 8;
    columns[0].field = &fields[0];
    columns[0].offsets = offsets;
    columns[0].v.any = text;
    columns[0].validity = some;
    columns[0].null_count = 1;
    columns[1].field = &fields[1];
    columns[1].v.any = numbers;
    columns[0].length = columns[1].length = batch.length = ROWS;
    batch.columns = columns;
    batch.column_count = 2;
}

/* The rows twice in that format; with memory that ends at a call, NULL. */
static const char *print(taco_format format, size_t n, const taco_options *opt, taco_error *e)
{
    static char out[4096];
    size_t len = 0;
    int i;
    taco_printer *p = taco_printer_open(fields, n, format, opt, e);
    bool ok = p != NULL;
    batch.column_count = n;
    for (i = 0; ok && i < 2; i++) {
        taco_bytes b = taco_printer_batch(p, &batch, e);
        ok = b.data != NULL;
        if (ok) { memcpy(out + len, b.data, b.len); }
        len += b.len;
    }
    out[len] = 0;
    taco_printer_close(p);
    return ok ? out : NULL;
}

#define SIXTY "012345678901234567890123456789012345678901234567890123456789"
#define CUT   "01234567890123456789012345678901234567890123456789012345678\xE2\x80\xA6"
#define TEN   "          "

/* Columns are as wide as what is widest in the first batch, 60 letters at most; the last one is not
   filled up. */
static void tables(void)
{
    taco_error e = {0, TACO_OK, 0, {0}};
    const char *got = print(TACO_FORMAT_TABLE, 2, NULL, &e);
    char want[4096];
    static const char rows[] =
        "\xC3\xA9t\xC3\xA9 a" TEN TEN TEN TEN TEN "       1\nnull" TEN TEN TEN TEN TEN
        "        -20\n" SIXTY "  300\n" CUT "  4\n";
    CHECK_TEXT(e.text, "");
    snprintf(want, sizeof want, "id%s        n, \"m\"\n%s%s", TEN TEN TEN TEN TEN "  ", rows, rows);
    CHECK_TEXT(got ? got : "", want);
}

static bool begins(const char *text_of, const char *with)
{
    return strncmp(text_of, with, strlen(with)) == 0;
}

static void others(void)
{
    static const char rows[] = "\xC3\xA9t\xC3\xA9 a,1\n,-20\n" SIXTY ",300\n" SIXTY "x,4\n";
    taco_error e = {0, TACO_OK, 0, {0}};
    char want[4096];
    const char *got;
    snprintf(want, sizeof want, "id,\"n, \"\"m\"\"\"\n%s%s", rows, rows);
    got = print(TACO_FORMAT_CSV, 2, NULL, &e);
    CHECK_TEXT(got ? got : "", want);
    got = print(TACO_FORMAT_CSV_CRLF, 2, NULL, &e);
    CHECK(got && begins(got, "id,\"n, \"\"m\"\"\"\r\n\xC3\xA9t\xC3\xA9 a,1\r\n,-20\r\n"));
    got = print(TACO_FORMAT_LINES, 1, NULL, &e);
    CHECK(got && begins(got, "\xC3\xA9t\xC3\xA9 a\n\n" SIXTY "\n" SIXTY "x\n\xC3"));
    got = print(TACO_FORMAT_NDJSON, 2, NULL, &e);
    CHECK(got && begins(got, "{\"id\":\"\xC3\xA9t\xC3\xA9 a\",\"n, \\\"m\\\"\":1}\n"
                             "{\"id\":null,\"n, \\\"m\\\"\":-20}\n"));
    CHECK_TEXT(e.text, "");
}

/* Numbers as lines: the first column alone is looked at. */
static void number_lines(void)
{
    taco_error e = {0, TACO_OK, 0, {0}};
    taco_printer *p = taco_printer_open(&fields[1], 1, TACO_FORMAT_LINES, NULL, &e);
    taco_batch b = batch;
    taco_bytes got;
    b.columns = &columns[1];
    b.column_count = 1;
    got = taco_printer_batch(p, &b, &e);
    CHECK(got.len == 12 && memcmp(got.data, "1\n-20\n300\n4\n", 12) == 0);
    b.length = 0;
    CHECK(taco_printer_batch(p, &b, &e).len == 0);
    taco_printer_close(p);
}

/* A column as lines: the text of its `rows` rows must be that. */
static void lines_are(const taco_array *a, size_t rows, const char *want)
{
    taco_error e = {0, TACO_OK, 0, {0}};
    taco_printer *p = taco_printer_open(a->field, 1, TACO_FORMAT_LINES, NULL, &e);
    taco_batch b = batch;
    taco_bytes got;
    b.columns = a;
    b.column_count = 1;
    b.length = rows;
    got = taco_printer_batch(p, &b, &e);
    CHECK_TEXT(e.text, "");
    CHECK(got.len == strlen(want) && memcmp(got.data, want, got.len) == 0);
    taco_printer_close(p);
}

/* Null is an empty line for every type, and text is as it is, with a dictionary or without, also
   where the row of a null has bytes. */
static void same_lines(void)
{
    static const char letters[] = "a\tb hidden \xFF\x7F";
    static const int32_t ends[] = {0, 3, 11, 11, 13};
    static const int32_t of[] = {0, 1, 2, 3, 0, 3}, outside[] = {4};
    static const uint8_t all_but_second[] = {0xFD};
    taco_error e = {0, TACO_OK, 0, {0}};
    taco_array t = columns[0], d = columns[0], n = columns[1];
    taco_printer *p;
    t.offsets = ends;
    t.v.any = letters;
    t.validity = all_but_second;
    lines_are(&t, 4, "a\tb\n\n\n\xFF\x7F\n");
    d.dictionary = &t; /* whose second entry is null */
    d.validity = NULL;
    d.null_count = 0;
    d.v.any = of;
    d.length = 6;
    lines_are(&d, 4, "a\tb\n\n\n\xFF\x7F\n");
    t.validity = NULL;
    d.validity = all_but_second;
    lines_are(&d, 6, "a\tb\n\n\n\xFF\x7F\na\tb\n\xFF\x7F\n");
    n.validity = all_but_second;
    n.null_count = 1;
    lines_are(&n, 4, "1\n\n300\n4\n");
    d.v.any = outside; /* an index that the dictionary does not have */
    p = taco_printer_open(d.field, 1, TACO_FORMAT_LINES, NULL, &e);
    batch.columns = &d;
    batch.length = 1;
    CHECK(!taco_printer_batch(p, &batch, &e).data && e.code == TACO_ERR_CORRUPT);
    taco_printer_close(p);
    make_rows();
}

/* A value that could pass for two is none: in lines every control character but a tab, among values
   that end in zero bytes one of these. Hidden bytes of a null are no value. */
static void one_value(void)
{
    static const char texts[] = "a\nbc\x1B"
                                "d\0e";
    static const int32_t ends[] = {0, 3, 5, 8};
    static const uint8_t none_of_three[] = {0};
    taco_error e = {0, TACO_OK, 0, {0}};
    taco_array t = columns[0];
    taco_batch b = batch;
    taco_printer *p;
    taco_bytes got;
    char many[32];
    static const int32_t long_ends[] = {0, 31};
    int32_t i;
    t.null_count = 0;
    t.validity = NULL;
    t.v.any = texts;
    b.columns = &t;
    b.column_count = b.length = 1;
    for (i = 0; i < 3; i++) {
        t.offsets = ends + i;
        p = taco_printer_open(t.field, 1, TACO_FORMAT_LINES, NULL, &e);
        CHECK(!taco_printer_batch(p, &b, &e).data && e.code == TACO_ERR_UNSUPPORTED);
        taco_printer_close(p);
        memset(&e, 0, sizeof e);
    }
    t.offsets = long_ends;
    t.v.any = many;
    for (i = 0; i < 32; i++) { /* at each place of a long value, and at none */
        memset(many, i % 2 ? 'x' : '\xC3', sizeof many);
        if (i < 31) { many[i] = '\r'; }
        p = taco_printer_open(t.field, 1, TACO_FORMAT_LINES, NULL, &e);
        CHECK((taco_printer_batch(p, &b, &e).data == NULL) == (i < 31));
        taco_printer_close(p);
        memset(&e, 0, sizeof e);
    }
    t.v.any = texts;
    t.offsets = ends;
    b.length = 2;
    p = taco_printer_open(t.field, 1, TACO_FORMAT_NUL, NULL, &e);
    got = taco_printer_batch(p, &b, &e);
    CHECK(got.len == 7 && memcmp(got.data, "a\nb\0c\x1B\0", 7) == 0);
    b.length = 3;
    CHECK(!taco_printer_batch(p, &b, &e).data && e.code == TACO_ERR_UNSUPPORTED);
    CHECK_TEXT(e.text, "'d\\x00e' has a zero byte, which is the end of a value here");
    taco_printer_close(p);
    t.validity = none_of_three;
    t.null_count = 3;
    lines_are(&t, 3, "\n\n\n");
}

static void refused(void)
{
    taco_error e = {0, TACO_OK, 0, {0}};
    CHECK(!taco_printer_open(fields, 0, TACO_FORMAT_LINES, NULL, &e) &&
          e.code == TACO_ERR_ARGUMENT);
    CHECK_TEXT(e.text, "unknown format for 0 columns");
    CHECK(!taco_printer_open(fields, 2, (taco_format)77, NULL, NULL));
    CHECK(!taco_printer_open(fields, SIZE_MAX, TACO_FORMAT_CSV, NULL, NULL));
}

static void no_memory(void)
{
    int format;
    for (format = TACO_FORMAT_NDJSON; format <= TACO_FORMAT_CSV_CRLF; format++) {
        size_t n;
        for (n = 1; n < 1000; n++) {
            taco_error e = {0, TACO_OK, 0, {0}};
            taco_options opt;
            taco_allocator a;
            test_memory m;
            const char *got;
            test_counted(&opt, &a, &m);
            m.fail_at = n;
            got = print((taco_format)format, 2, &opt, &e);
            CHECK(m.live == 0 && (got != NULL) == (e.code == TACO_OK));
            if (m.calls < n) {
                CHECK(got != NULL);
                break;
            }
            CHECK(got || e.code == TACO_ERR_MEMORY);
        }
        CHECK(n > 2 && n < 1000);
    }
}

/* Rows of no columns, batch after batch: what one call took, the next one keeps. */
static void no_columns(void)
{
    taco_options opt;
    taco_allocator a;
    test_memory m;
    taco_batch b;
    taco_printer *p;
    int i;
    memset(&b, 0, sizeof b);
    b.length = 2;
    test_counted(&opt, &a, &m);
    p = taco_printer_open(NULL, 0, TACO_FORMAT_NDJSON, &opt, NULL);
    for (i = 0; i < 3; i++) {
        taco_bytes t = taco_printer_batch(p, &b, NULL);
        CHECK(t.len == 6 && memcmp(t.data, "{}\n{}\n", 6) == 0);
    }
    taco_printer_close(p);
    CHECK(m.live == 0);
}

/* Enough rows for three tasks, of changing length: the letters of one text. */
enum { MANY = 40000 };

static int tasks_run;

static void backwards(void *ctx, size_t n, void (*task)(void *arg, size_t i), void *arg)
{
    (void)ctx;
    while (n--) {
        tasks_run++;
        task(arg, n);
    }
}

/* The text of two batches, the second of `rows` rows; the caller frees it. NULL on failure. */
static char *print_many(taco_format format, size_t rows, const taco_options *opt, taco_error *e)
{
    static char letters[8 * MANY];
    static int32_t ends[MANY + 1];
    static int64_t values[MANY];
    taco_array cols[2];
    taco_batch b;
    size_t i, len = 0;
    char *out = (char *)malloc((size_t)256 * MANY);
    taco_printer *p = taco_printer_open(fields, 2, format, opt, e);
    memcpy(cols, columns, sizeof cols);
    memset(letters, 'x', sizeof letters);
    for (i = 0; i < MANY; i++) {
        values[i] = (int64_t)(i * i) - 7000;
        ends[i + 1] = ends[i] + (int32_t)(i % 8);
    }
    b = batch;
    b.columns = cols;
    b.column_count = 2;
    cols[0].validity = NULL;
    cols[0].null_count = 0;
    cols[0].offsets = ends;
    cols[0].v.any = letters;
    cols[1].v.any = values;
    for (i = 0; p && out && i < 2; i++) {
        taco_bytes t;
        b.length = cols[0].length = cols[1].length = i ? rows : MANY;
        t = taco_printer_batch(p, &b, e);
        if (!t.data) {
            free(out);
            out = NULL;
            break;
        }
        memcpy(out + len, t.data, t.len);
        len += t.len;
    }
    if (!p) {
        free(out);
        out = NULL;
    }
    if (out) { out[len] = 0; }
    taco_printer_close(p);
    return out;
}

static void tasks(void)
{
    int format;
    for (format = TACO_FORMAT_NDJSON; format <= TACO_FORMAT_CSV_CRLF; format++) {
        taco_error e = {0, TACO_OK, 0, {0}};
        taco_options opt;
        char *one, *many;
        bool divided = format != TACO_FORMAT_TABLE && format != TACO_FORMAT_LINES;
        if (format == TACO_FORMAT_ARROW) { continue; }
        memset(&opt, 0, sizeof opt);
        opt.parallel_for = backwards;
        opt.parallel_width = 3;
        one = print_many((taco_format)format, MANY, NULL, &e);
        tasks_run = 0;
        many = print_many((taco_format)format, MANY, &opt, &e);
        CHECK_TEXT(e.text, "");
        CHECK(one && many && strcmp(one, many) == 0);
        CHECK(tasks_run == (divided ? 6 : 0));
        free(many);
        /* the second batch is too small for tasks */
        tasks_run = 0;
        many = print_many((taco_format)format, 8000, &opt, &e);
        CHECK(one && many && strlen(many) < strlen(one) && begins(one, many));
        CHECK(tasks_run == (divided ? 3 : 0));
        free(one);
        free(many);
    }
}

/* With less and less memory, and with each call for memory failing: the same text, or none and an
   error; if only tasks lack it, the text is whole. */
static void tasks_without_memory(void)
{
    taco_error e = {0, TACO_OK, 0, {0}};
    char *whole = print_many(TACO_FORMAT_CSV, MANY, NULL, &e), *got;
    taco_options opt;
    taco_allocator a;
    test_memory m;
    size_t n, saved = 0;
    for (n = 1; whole && n < 1000; n++) {
        memset(&e, 0, sizeof e);
        test_counted(&opt, &a, &m);
        opt.parallel_for = backwards;
        opt.parallel_width = 2;
        m.fail_at = n;
        got = print_many(TACO_FORMAT_CSV, MANY, &opt, &e);
        CHECK(m.live == 0 && (got != NULL) == (e.code == TACO_OK));
        CHECK(got ? strcmp(got, whole) == 0 : e.code == TACO_ERR_MEMORY);
        saved += got && m.calls >= n;
        free(got);
        if (m.calls < n) { break; }
    }
    CHECK(n > 10 && n < 1000 && saved > 5);
    memset(&e, 0, sizeof e);
    test_counted(&opt, &a, &m);
    opt.parallel_for = backwards;
    opt.limits.max_memory = (uint64_t)1 << 20;
    got = print_many(TACO_FORMAT_CSV, MANY, &opt, &e);
    CHECK(m.live == 0 && m.peak <= (size_t)1 << 20);
    CHECK(got ? strcmp(got, whole) == 0 : e.code == TACO_ERR_LIMIT);
    free(got);
    free(whole);
}

int main(void)
{
    make_rows();
    RUN(tasks);
    RUN(tasks_without_memory);
    RUN(no_columns);
    RUN(tables);
    RUN(others);
    RUN(number_lines);
    RUN(same_lines);
    RUN(one_value);
    RUN(refused);
    RUN(no_memory);
    return test_end("test_printer");
}
