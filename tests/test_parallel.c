/* Several threads print the same rows as one thread, up to the same error. Parts have few rows,
   blocks few bytes, and queues little room, so that threads keep waiting for each other. */
#ifdef WITH_THREADS
#define PARALLEL_ROWS  50
#define PARALLEL_BLOCK 64
#define PARALLEL_TEXT  ((size_t)1000)
#endif
#include "../tool/parallel.c"

#include "test.h"
#include "footer.h"
#include "make.h"

#ifdef WITH_THREADS
#include "../tool/pool.h"

#define ROWS  2000
#define GROUP 100

/* ---- what parallel.c takes from the rest of the tool ---- */

static mk_buf archive, printed;
/* bytes that the output takes before it fails; handles that may be opened */
static size_t most_bytes;
static int most_handles;
static pthread_mutex_t handles_lock = PTHREAD_MUTEX_INITIALIZER;
static taco_error reported;

bool is_choice(const char *list, const char *value)
{
    return strstr(list, value) != NULL;
}

bool to_terminal(const arguments *a)
{
    (void)a;
    return false;
}

taco_format printer_format(const arguments *a)
{
    return strcmp(a->format, "csv") == 0   ? TACO_FORMAT_CSV
           : strcmp(a->format, "vsi") == 0 ? TACO_FORMAT_LINES
                                           : TACO_FORMAT_NDJSON;
}

int output_open(output *o, const char *path)
{
    (void)path;
    memset(o, 0, sizeof *o);
    printed.len = 0;
    return DONE;
}

bool output_write(output *o, taco_bytes text)
{
    bool good = printed.len + text.len <= most_bytes;
    (void)o;
    if (good) { mk_add(&printed, text.data, text.len); }
    return good;
}

int output_close(output *o, const char *path, int status)
{
    (void)o;
    (void)path;
    return most_bytes < SIZE_MAX ? FAILED : status;
}

int report_file_error(const char *path, const taco_error *err)
{
    CHECK_TEXT(path, "made.tacozip");
    reported = *err;
    return FAILED;
}

taco_dataset *open_datasets(const arguments *a, size_t n, const taco_options *opt, taco_error *err)
{
    taco_source s;
    bool may;
    (void)n;
    pthread_mutex_lock(&handles_lock);
    may = most_handles-- > 0;
    pthread_mutex_unlock(&handles_lock);
    if (!may) {
        err->code = TACO_ERR_IO;
        strcpy(err->text, "no further handle");
        return NULL;
    }
    taco_source_memory(&s, archive.data, archive.len);
    return taco_open_source(&s, a->words[0], opt, err);
}

/* ---- runs ---- */

static mk_buf make(void)
{
    static char names[ROWS][16];
    static const char *ids[ROWS], *type[ROWS];
    static int64_t at[ROWS], value[ROWS];
    mk_col c[5];
    mk_buf level;
    size_t i;
    for (i = 0; i < ROWS; i++) {
        sprintf(names[i], "sample_%05u", (unsigned)i);
        ids[i] = names[i];
        type[i] = "FILE";
        at[i] = MK_PAYLOAD;
        value[i] = (int64_t)(i * 7919 % 10007);
    }
    c[0] = mk_text("id", ids);
    c[1] = mk_text("type", type);
    c[2] = mk_i64("v", value);
    c[3] = mk_i64("internal:offset", at);
    c[4] = mk_i64("internal:size", at);
    level = mk_parquet(c, 5, ROWS, GROUP);
    return mk_archive(&level, 1, MK_FLAT, "data", 4);
}

/* Prints with a number of threads, 0: with a cursor and no threads, as far as its error. */
static int run(const char *format, const char *where, size_t threads)
{
    static const char *const word = "made.tacozip";
    const char *words[1];
    arguments *a = (arguments *)calloc(1, sizeof *a);
    taco_options opt, alone;
    taco_error err;
    taco_dataset *ds;
    taco_cursor *rows;
    pool p;
    int status = DONE;
    memset(&opt, 0, sizeof opt);
    memset(&err, 0, sizeof err);
    memset(&reported, 0, sizeof reported);
    words[0] = word;
    a->words = words;
    a->word_count = 1;
    a->format = format;
    a->query.where = where;
    a->query.select = strcmp(format, "vsi") == 0 ? "\"internal:gdal_vsi\"" : NULL;
    pool_open(&p, threads ? threads : 1);
    alone = opt;
    if (threads) {
        opt.parallel_for = pool_for;
        opt.parallel_ctx = &p;
        opt.parallel_width = threads;
    }
    ds = open_datasets(a, 1, &alone, &err);
    rows = taco_select(ds, &a->query, &err);
    CHECK(rows != NULL);
    if (threads) {
        CHECK(may_pay_parallel(a, &opt) == (threads > 1));
        CHECK(pays_parallel(a, ds, &opt) == (threads > 1));
        status = print_parallel(a, ds, rows, &opt, &err);
    } else {
        size_t n;
        const taco_field *fields = taco_cursor_fields(rows, &n);
        taco_printer *printer = taco_printer_open(fields, n, printer_format(a), NULL, &err);
        taco_batch batch;
        bool none = true;
        printed.len = 0;
        for (; taco_cursor_batch(rows, &batch); none = false) {
            output_write(NULL, taco_printer_batch(printer, &batch, &err));
        }
        memset(&batch, 0, sizeof batch);
        if (none) { output_write(NULL, taco_printer_batch(printer, &batch, &err)); }
        taco_printer_close(printer);
        taco_cursor_close(rows, &err);
        reported = err;
        status = err.code == TACO_OK ? DONE : FAILED;
    }
    taco_close(ds);
    pool_close(&p);
    free(a);
    return status;
}

/* Whether `text` begins with all of `start`. */
static bool begins_with(const mk_buf *text, const mk_buf *start)
{
    return text->len >= start->len &&
           (!start->len || memcmp(text->data, start->data, start->len) == 0);
}

/* Several threads print what one cursor does, with the same status and the same error. Before an
   error there are at least the rows of the cursor: those that were read in one batch with the
   damaged ones may come, too. */
static void check_same(const char *format, const char *where)
{
    size_t threads, times;
    mk_buf want, first = {NULL, 0, 0};
    taco_error error;
    int status;
    most_bytes = SIZE_MAX;
    most_handles = 1000;
    memset(&printed, 0, sizeof printed);
    status = run(format, where, 0);
    want = printed;
    error = reported;
    memset(&printed, 0, sizeof printed);
    for (threads = 1; threads <= 5; threads++) {
        for (times = 0; times < 4; times++) {
            most_handles = 1000;
            CHECK(run(format, where, threads) == status);
            CHECK(begins_with(&printed, &want) && (status == FAILED || printed.len == want.len));
            if (!first.len) { mk_add(&first, printed.data, printed.len); }
            CHECK(begins_with(&first, &printed) && begins_with(&printed, &first));
            CHECK(reported.code == error.code && reported.offset == error.offset);
            CHECK_TEXT(reported.text, error.text);
        }
    }
    free(want.data);
    free(first.data);
    free(printed.data);
}

static void test_same(void)
{
    static const char *const formats[] = {"csv", "ndjson", "vsi"};
    static const char *const filters[] = {NULL, "v < 1000",
                                          "id > 'sample_00949' AND id < 'sample_01051'",
                                          "id = 'sample_01999'", "v < 0"};
    size_t i, k;
    archive = make();
    for (i = 0; i < 3; i++) {
        for (k = 0; k < 5; k++) {
            check_same(formats[i], filters[k]);
        }
    }
    free(archive.data);
}

/* The header of the page of column v that begins with row 1200 is damaged: one part of several
   fails, and the first of two that have rows of the page tells. */
static void test_damaged(void)
{
    size_t i, hits = 0;
    const int64_t first = 1200 * 7919 % 10007;
    archive = make();
    for (i = 8; i + 8 < archive.len; i++) {
        int64_t v, w;
        memcpy(&v, archive.data + i, 8);
        memcpy(&w, archive.data + i + 8, 8);
        /* the values 1200 and 1201, with nothing before them but a header */
        if (v == first && w == 1201 * 7919 % 10007 && ++hits == 1) {
            memset(archive.data + i - 12, 0xFF, 8);
        }
    }
    CHECK(hits == 1);
    check_same("csv", NULL);
    CHECK(reported.code != TACO_OK);
    check_same("csv", "v < 1000");
    free(archive.data);
}

/* An output that fails ends the work; nothing comes after what could be written. */
static void test_output(void)
{
    size_t threads, bytes;
    mk_buf want;
    archive = make();
    most_bytes = SIZE_MAX;
    most_handles = 1000;
    memset(&printed, 0, sizeof printed);
    run("csv", NULL, 0);
    want = printed;
    memset(&printed, 0, sizeof printed);
    for (threads = 2; threads <= 4; threads++) {
        for (bytes = 0; bytes < want.len; bytes += 7001) {
            most_bytes = bytes;
            most_handles = 1000;
            CHECK(run("csv", NULL, threads) == FAILED);
            CHECK(printed.len <= bytes && begins_with(&want, &printed));
            CHECK(reported.code == TACO_OK);
        }
    }
    most_bytes = SIZE_MAX;
    free(want.data);
    free(printed.data);
    free(archive.data);
}

/* Each thread but one opens a handle, and one that has none is an error, after the rows of parts
   before its own. */
static void test_handles(void)
{
    size_t threads, times = 0;
    mk_buf want;
    int status = DONE;
    archive = make();
    most_bytes = SIZE_MAX;
    most_handles = 1000;
    memset(&printed, 0, sizeof printed);
    run("csv", NULL, 0);
    want = printed;
    memset(&printed, 0, sizeof printed);
    for (threads = 2; threads <= 4; threads++) {
        most_handles = (int)threads;
        CHECK(run("csv", NULL, threads) == DONE);
        CHECK(printed.len == want.len && begins_with(&want, &printed));
    }
    /* the first thread may be done before another has begun */
    while (status == DONE && times++ < 1000) {
        most_handles = 1;
        status = run("csv", NULL, 16);
    }
    CHECK(status == FAILED);
    CHECK_TEXT(reported.text, "no further handle");
    CHECK(printed.len < want.len && begins_with(&want, &printed));
    free(want.data);
    free(printed.data);
    free(archive.data);
}

int main(void)
{
    RUN(test_same);
    RUN(test_damaged);
    RUN(test_output);
    RUN(test_handles);
    return test_end("test_parallel");
}
#else
int main(void)
{
    puts("SKIPPED tests/test_parallel.c: no POSIX threads");
    return test_end("test_parallel");
}
#endif
