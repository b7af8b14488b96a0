/* The Parquet writer: its output is read back unchanged, by page and by row group; bounds, indexes,
   bloom filters and keys are correct; failures leave nothing behind. */
#include "../src/arrow/printer.c"
#include "../src/parquet/row_reader.c"
#include "../src/parquet_write/chunk_writer.c"
#include "../src/base/base.h"
#include "../src/base/temporary.h"
#include "../src/filter/filter.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_inspect.h"
#include "../extra/taco_parquet_write.h"

#include "test.h"

#include "alloc.h"
#include "names.h"

/* ---- generated batches ---- */

static uint64_t seed = 1;

static uint32_t any(uint32_t n) /* 0 .. n - 1 */
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % n;
}

#include "batches.h"

/* ---- writing and reading back ---- */

/* Rows [first, first + n) of flat or nested columns: validity and offsets are addressed by row, so
   a slice of the top level is made by gathering. */
static taco_batch slice(const taco_batch *b, size_t first, size_t n, taco__array_buf *to,
                        int32_t *index)
{
    taco_batch out = *b;
    taco_array *columns = (taco_array *)keep(b->column_count * sizeof *columns);
    size_t i;
    for (i = 0; i < n; i++) {
        index[i] = (int32_t)(first + i);
    }
    for (i = 0; i < b->column_count; i++) {
        CHECK(taco__take_array(&to[i], &b->columns[i], index, n, NULL));
        columns[i] = to[i].array;
    }
    out.columns = columns;
    out.length = n;
    return out;
}

/* Writes the batch, cut into pieces of `step` rows; the bytes are the caller's to free. */
static taco_status write_steps(const taco_batch *b, const taco_field *fields, size_t step,
                               const taco_pq_write_options *o, taco_sink *sink, taco_error *err)
{
    taco_pq_writer *w;
    taco__mem mem;
    taco__arena arena;
    taco__array_buf *to;
    int32_t *index = (int32_t *)keep(b->length * 4 + 4);
    size_t at, i;
    CHECK(taco_sink_memory(sink, NULL, err) == TACO_OK);
    w = taco_pq_write(sink, fields, b->column_count, o, err);
    if (!w) { return err->code; }
    taco__mem_init(&mem, NULL);
    memset(&arena, 0, sizeof arena);
    arena.mem = &mem;
    to = (taco__array_buf *)keep(b->column_count * sizeof *to);
    for (i = 0; i < b->column_count; i++) {
        CHECK(taco__array_buf_init(&to[i], &fields[i], &mem, &arena, NULL));
    }
    for (at = 0; w && at < b->length; at += step) {
        taco_batch part = *b;
        if (step < b->length) { part = slice(b, at, TACO__MIN(step, b->length - at), to, index); }
        taco_pq_writer_batch(w, &part);
    }
    for (i = 0; i < b->column_count; i++) {
        taco__array_buf_free(&to[i]);
    }
    taco__arena_free(&arena);
    return taco_pq_writer_close(w, err);
}

static char *text_of(const taco_field *fields, size_t n, taco_pq_reader *r, const taco_batch *only)
{
    taco_printer *p = taco_printer_open(fields, n, TACO_FORMAT_NDJSON, NULL, NULL);
    char *out = (char *)keep(1);
    size_t len = 0;
    taco_batch b;
    while (only || taco_pq_reader_next(r, &b)) {
        taco_bytes t = taco_printer_batch(p, only ? only : &b, NULL);
        char *more = (char *)keep(len + t.len + 1);
        memcpy(more, out, len);
        memcpy(more + len, t.data, t.len);
        len += t.len;
        out = more;
        if (only) { break; }
    }
    taco_printer_close(p);
    return out;
}

static int faults_found;

static bool found(void *ctx, bool fault, const taco_error *what)
{
    (void)ctx;
    (void)fault;
    if (++faults_found < 5) { printf("verify: %s\n", taco_error_text(what)); }
    return true;
}

static void round_trip(const taco_field *fields, size_t n, size_t rows,
                       const taco_pq_write_options *o)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_array *columns = (taco_array *)keep(n * sizeof *columns);
    taco_batch b;
    taco_sink one, many;
    taco_source src;
    taco_pq_file *file;
    taco_pq_reader *r;
    taco_options opt;
    taco_pq_checked checked;
    size_t i;
    memset(&b, 0, sizeof b);
    memset(&opt, 0, sizeof opt);
    memset(&checked, 0, sizeof checked);
    for (i = 0; i < n; i++) {
        columns[i] = fill(&fields[i], rows);
    }
    b.columns = columns;
    b.column_count = n;
    b.length = rows;
    CHECK(write_steps(&b, fields, rows + 1, o, &one, &err) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
    CHECK(write_steps(&b, fields, 1 + any(40), o, &many, &err) == TACO_OK);
    CHECK(taco__bytes_equal(taco_sink_bytes(&one), taco_sink_bytes(&many)));
    taco_source_memory(&src, taco_sink_bytes(&one).data, taco_sink_bytes(&one).len);
    file = taco_pq_open_source(&src, "copy", &opt, &err);
    CHECK(taco_pq_rows(file) == (int64_t)rows);
    CHECK(taco_pq_verify(file, found, NULL, &checked, &err) == TACO_OK);
    CHECK(faults_found == 0 && checked.faults == 0 && checked.warnings == 0);
    r = taco_pq_read(file, NULL, &err);
    if (rows) {
        const char *want = text_of(fields, n, NULL, &b);
        const char *got = text_of(taco_pq_reader_fields(r, &i), n, r, NULL);
        size_t k = 0;
        while (want[k] && want[k] == got[k]) {
            k++;
        }
        CHECK(want[k] == got[k]);
        if (want[k] != got[k]) {
            printf("wanted ...%.80s\n   got ...%.80s\n", want + (k > 40 ? k - 40 : 0),
                   got + (k > 40 ? k - 40 : 0));
        }
    }
    CHECK(taco_pq_reader_close(r, &err) == TACO_OK);
    taco_pq_close(file);
    CHECK_TEXT(taco_error_text(&err), "");
    taco_sink_free(&one);
    taco_sink_free(&many);
}

static void test_every_type(void)
{
    taco_field f[100];
    taco_pq_write_options o;
    size_t n = all_fields(f), pass;
    memset(&o, 0, sizeof o);
    round_trip(f, n, 0, &o);
    round_trip(f, n, 1, &o);
    round_trip(f, n, 300, &o);
    for (pass = 0; pass < 24; pass++) {
        memset(&o, 0, sizeof o);
        o.encoding = (taco_encoding)(pass % 8);
        o.pages_v2 = pass % 2 != 0;
        o.page_rows = pass % 3 == 0 ? 1 : pass % 3 == 1 ? 7 : 0;
        o.row_group_rows = pass % 5 == 0 ? 50 : 0;
        o.page_bytes = pass % 4 == 1 ? 40 : 0;
        o.dictionary_bytes = pass % 3 == 1 ? 30 : 0;
        o.content_defined = pass > 16;
        o.chunk_min = 20;
        o.chunk_max = 90;
        o.bloom = pass % 7 == 0;
        o.codec = pass % 5 == 4   ? TACO_CODEC_GZIP
                  : pass % 5 == 3 ? TACO_CODEC_ZSTD
                  : pass % 5 == 2 ? TACO_CODEC_SNAPPY
                  : pass % 5 == 1 ? TACO_CODEC_LZ4
                                  : TACO_CODEC_NONE;
        o.level = pass == 7 ? 9 : 0;
        round_trip(f, n, 120, &o);
    }
    forget();
}

/* ---- rows that are picked ---- */

/* Rows far apart and close together, some of them twice. */
static size_t some_rows(uint32_t *rows, size_t n)
{
    uint32_t at = any(20), step = 1 + any(40);
    size_t k = 0;
    while (at < n) {
        rows[k++] = at;
        at += any(9) ? 1 + any(step) : 0;
    }
    return k;
}

static void pick(const taco_field *fields, size_t n, size_t rows, const taco_pq_write_options *o)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_array *columns = (taco_array *)keep(n * sizeof *columns);
    size_t *which = (size_t *)keep(n * sizeof *which), i, k, round;
    uint32_t *wanted = (uint32_t *)keep((rows * 10 + 1) * sizeof *wanted);
    taco_batch b, part;
    taco_sink sink;
    taco_source src;
    taco_pq_file *file;
    taco__table table;
    taco__row_reader r;
    memset(&b, 0, sizeof b);
    for (i = 0; i < n; i++) {
        columns[i] = fill(&fields[i], rows);
        which[i] = i;
        for (k = 0;
             columns[i].validity && rows > TACO__ROW_READER_PIECE && k < TACO__ROW_READER_PIECE;
             k++) {
            columns[i].null_count -= !taco__bitmap_get(columns[i].validity, k);
            taco__bitmap_set((uint8_t *)(uintptr_t)columns[i].validity, k);
        }
    }
    b.columns = columns;
    b.column_count = n;
    b.length = rows;
    CHECK(write_steps(&b, fields, rows, o, &sink, &err) == TACO_OK);
    taco_source_memory(&src, taco_sink_bytes(&sink).data, taco_sink_bytes(&sink).len);
    file = taco_pq_open_source(&src, "copy", NULL, &err);
    CHECK(file != NULL);
    taco__table_from_file(&table, file);
    CHECK(taco__row_reader_open(&r, &table, which, n, file->mem, &err));
    for (round = 0; round < 6; round++) {
        taco__mem mem;
        taco__arena arena;
        taco__array_buf *to = (taco__array_buf *)keep(n * sizeof *to);
        taco_array *taken = (taco_array *)keep(n * sizeof *taken);
        const char *want, *got;
        k = some_rows(wanted, rows);
        if (!k) { continue; }
        taco__mem_init(&mem, NULL);
        memset(&arena, 0, sizeof arena);
        arena.mem = &mem;
        for (i = 0; i < n; i++) {
            CHECK(taco__array_buf_init(&to[i], &fields[i], &mem, &arena, NULL));
            CHECK(taco__take_array(&to[i], &columns[i], (const int32_t *)wanted, k, NULL));
            taken[i] = to[i].array;
        }
        part = b;
        part.columns = taken;
        part.length = k;
        want = text_of(fields, n, NULL, &part);
        CHECK(taco__row_reader_read(&r, 0, wanted, k, &err));
        part.columns = r.arrays;
        got = text_of(fields, n, NULL, &part);
        CHECK_TEXT(err.text, "");
        CHECK(strcmp(got, want) == 0);
        for (i = 0; i < n; i++) {
            CHECK(fields[i].type == TACO_NULL || r.arrays[i].null_count == to[i].array.null_count);
            taco__array_buf_free(&to[i]);
        }
        taco__arena_free(&arena);
    }
    taco__row_reader_close(&r);
    taco_pq_close(file);
    taco_sink_free(&sink);
}

static void test_picks(void)
{
    static const taco_encoding encodings[] = {TACO_ENCODING_DICTIONARY, TACO_ENCODING_PLAIN,
                                              TACO_ENCODING_AUTO};
    taco_field f[100];
    taco_pq_write_options o;
    size_t n = all_fields(f), pass;
    for (pass = 0; pass < 12; pass++) {
        memset(&o, 0, sizeof o);
        o.encoding = encodings[pass % 3];
        o.page_rows = pass % 4 == 0 ? 0 : 5 + pass * 9;
        o.row_group_rows = pass % 2 ? 97 : 0;
        o.dictionary_bytes = pass % 4 == 2 ? 200 : 0; /* the dictionary ends within the chunk */
        o.pages_v2 = pass > 5;
        pick(f, n, 300, &o);
    }
    n = 0;
    f[n++] = leaf("a", TACO_INT64, 8, true);
    f[n++] = leaf("b", TACO_INT16, 2, false);
    f[n++] = leaf("c", TACO_UUID, 16, true);
    f[n++] = leaf("d", TACO_TEXT, 0, true);
    for (pass = 0; pass < 3; pass++) { /* more than is decoded at a time */
        memset(&o, 0, sizeof o);
        o.encoding = encodings[pass];
        o.row_group_rows = pass ? 0 : 12000;
        pick(f, n, 2 * TACO__ROW_READER_PIECE + 3000, &o);
    }
    forget();
}

/* Pages without a null whose levels were not kept, and then one with: what was kept for a smaller
   batch is too small. */
static void test_late_null(void)
{
    taco_field part = leaf("element", TACO_INT32, 4, true),
               f = nest("l", TACO_LIST, &part, 1, true);
    taco_array list, items;
    taco_pq_write_options o;
    taco_pq_query q;
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_batch b;
    taco_sink sink;
    taco_source src;
    taco_pq_file *file;
    taco_pq_reader *r;
    int32_t *offsets = (int32_t *)keep(201 * 4), *values = (int32_t *)keep(6000 * 4);
    uint8_t *valid = (uint8_t *)keep(26);
    size_t i, rows = 0;
    int64_t sum = 0, want = 0;
    memset(&list, 0, sizeof list);
    memset(&items, 0, sizeof items);
    memset(&o, 0, sizeof o);
    memset(&q, 0, sizeof q);
    memset(&b, 0, sizeof b);
    for (i = 0; i < 200; i++) {
        bool null = i == 0 || i == 199;
        offsets[i + 1] = offsets[i] + (null ? 0 : i < 100 ? 1 : 50);
        if (!null) { taco__bitmap_set(valid, i); }
    }
    for (i = 0; i < (size_t)offsets[200]; i++) {
        values[i] = (int32_t)(i * 3);
        want += values[i];
    }
    items.field = f.children;
    items.length = (size_t)offsets[200];
    items.v.any = values;
    list.field = &f;
    list.length = b.length = 200;
    list.null_count = 2;
    list.validity = valid;
    list.offsets = offsets;
    list.children = &items;
    b.columns = &list;
    b.column_count = 1;
    o.page_rows = 7;
    q.batch_rows = 100;
    CHECK(write_steps(&b, &f, 200, &o, &sink, &err) == TACO_OK);
    taco_source_memory(&src, taco_sink_bytes(&sink).data, taco_sink_bytes(&sink).len);
    file = taco_pq_open_source(&src, "copy", NULL, &err);
    r = taco_pq_read(file, &q, &err);
    while (taco_pq_reader_next(r, &b)) {
        const taco_array *a = &b.columns[0];
        rows += b.length;
        CHECK(a->null_count == 1);
        for (i = 0; i < (size_t)a->offsets[b.length]; i++) {
            sum += a->children[0].v.i32[i];
        }
    }
    CHECK(taco_pq_reader_close(r, &err) == TACO_OK);
    CHECK(rows == 200 && sum == want);
    taco_pq_close(file);
    taco_sink_free(&sink);
    forget();
}

/* ---- one column of given values ---- */

typedef struct one {
    taco_sink sink;
    taco_pq_file *file;
} one;

static taco_status one_open(one *x, const taco_array *a, const taco_pq_write_options *o,
                            taco_error *err)
{
    taco_batch b;
    taco_source src;
    memset(&b, 0, sizeof b);
    memset(x, 0, sizeof *x);
    b.columns = a;
    b.column_count = 1;
    b.length = a->length;
    if (write_steps(&b, a->field, a->length + 1, o, &x->sink, err) == TACO_OK) {
        taco_source_memory(&src, taco_sink_bytes(&x->sink).data, taco_sink_bytes(&x->sink).len);
        x->file = taco_pq_open_source(&src, "one", NULL, err);
    }
    return err->code;
}

static void one_close(one *x)
{
    taco_pq_close(x->file);
    taco_sink_free(&x->sink);
    forget();
}

static const taco__pq_statistics *one_stats(const one *x)
{
    return &x->file->meta.groups[0].chunks[0].stats;
}

static bool is(taco_bytes b, const char *bytes, size_t len)
{
    return b.data && b.len == len && memcmp(b.data, bytes, len) == 0;
}

static taco_array numbers(const taco_field *f, const void *v, size_t n)
{
    taco_array a;
    memset(&a, 0, sizeof a);
    a.field = f;
    a.length = n;
    a.v.any = v;
    return a;
}

static taco_array texts(const taco_field *f, const char *const *v, size_t n)
{
    taco_array a = numbers(f, NULL, n);
    int32_t *offsets = (int32_t *)keep((n + 1) * 4);
    char *bytes = (char *)keep(100000);
    size_t i;
    for (i = 0; i < n; i++) {
        strcpy(bytes + offsets[i], v[i]);
        offsets[i + 1] = offsets[i] + (int32_t)strlen(v[i]);
    }
    a.offsets = offsets;
    a.v.any = bytes;
    return a;
}

static void test_float_bounds(void)
{
    const double v[5] = {0.0, taco__f64_from_bits(UINT64_C(0x7FF8) << 48), 0.0, -0.0, 0.0};
    const double nan2[2] = {v[1], v[1]};
    taco_field f = leaf("d", TACO_DOUBLE, 8, false);
    taco_array a = numbers(&f, v, 5);
    taco_pq_write_options o;
    taco_error err = {0, TACO_OK, 0, {0}};
    one x;
    memset(&o, 0, sizeof o);
    CHECK(one_open(&x, &a, &o, &err) == TACO_OK);
    CHECK(is(one_stats(&x)->min, "\0\0\0\0\0\0\0\x80", 8));
    CHECK(is(one_stats(&x)->max, "\0\0\0\0\0\0\0\0", 8));
    CHECK(one_stats(&x)->nan_count == 1);
    CHECK(one_stats(&x)->distinct_count == -1);
    CHECK(x.file->meta.groups[0].chunks[0].column_index.len > 0);
    one_close(&x);
    a = numbers(&f, nan2, 2);
    CHECK(one_open(&x, &a, &o, &err) == TACO_OK);
    CHECK(!one_stats(&x)->min.data && !one_stats(&x)->max.data);
    CHECK(one_stats(&x)->nan_count == 2);
    /* it has no place for that */
    CHECK(x.file->meta.groups[0].chunks[0].column_index.len == 0);
    CHECK(x.file->meta.groups[0].chunks[0].offset_index.len > 0);
    one_close(&x);
}

/* An extreme or a NaN is found wherever it is among values that are compared many at a time. */
static void test_bounds_anywhere(void)
{
    double d[100];
    int64_t s[100];
    taco_field floats = leaf("d", TACO_DOUBLE, 8, false), whole = leaf("i", TACO_INT64, 8, false);
    taco_array a = numbers(&floats, d, 100), b = numbers(&whole, s, 100);
    uint8_t low[8], high[8], least[8], most[8]; /* bounds are little-endian */
    taco_pq_write_options o;
    taco_error err = {0, TACO_OK, 0, {0}};
    one x;
    size_t i, k;
    memset(&o, 0, sizeof o);
    taco__put_le64(low, taco__f64_to_bits(-1000));
    taco__put_le64(high, taco__f64_to_bits(1000));
    taco__put_le64(least, (uint64_t)INT64_MIN);
    taco__put_le64(most, (uint64_t)INT64_MAX);
    for (k = 0; k < 100; k++) {
        for (i = 0; i < 100; i++) {
            s[i] = (int64_t)any(200) - 100;
            d[i] = (double)s[i];
        }
        d[k] = -1000;
        d[(k + 37) % 100] = 1000;
        d[(k + 11) % 100] = taco__f64_from_bits(UINT64_C(0x7FF8) << 48);
        s[k] = INT64_MIN;
        s[(k + 37) % 100] = INT64_MAX;
        CHECK(one_open(&x, &a, &o, &err) == TACO_OK);
        CHECK(is(one_stats(&x)->min, (const char *)low, 8));
        CHECK(is(one_stats(&x)->max, (const char *)high, 8));
        CHECK(one_stats(&x)->nan_count == 1);
        one_close(&x);
        CHECK(one_open(&x, &b, &o, &err) == TACO_OK);
        CHECK(is(one_stats(&x)->min, (const char *)least, 8));
        CHECK(is(one_stats(&x)->max, (const char *)most, 8));
        one_close(&x);
    }
}

static void test_integer_bounds(void)
{
    const uint32_t u[3] = {0xFFFFFFFFU, 1, 0x80000000U};
    const int32_t s[4] = {-1, 7, INT32_MIN, 7};
    uint8_t d[48] = {0};
    taco_field fu = leaf("u", TACO_UINT32, 4, false), fs = leaf("s", TACO_INT32, 4, false),
               fd = leaf("d", TACO_DECIMAL, 16, false);
    taco_array a = numbers(&fu, u, 3);
    taco_pq_write_options o;
    taco_error err = {0, TACO_OK, 0, {0}};
    one x;
    memset(&o, 0, sizeof o);
    CHECK(one_open(&x, &a, &o, &err) == TACO_OK);
    CHECK(is(one_stats(&x)->min, "\1\0\0\0", 4) && is(one_stats(&x)->max, "\xFF\xFF\xFF\xFF", 4));
    one_close(&x);
    o.encoding = TACO_ENCODING_DICTIONARY;
    a = numbers(&fs, s, 4);
    CHECK(one_open(&x, &a, &o, &err) == TACO_OK);
    CHECK(is(one_stats(&x)->min, "\0\0\0\x80", 4) && is(one_stats(&x)->max, "\7\0\0\0", 4));
    CHECK(one_stats(&x)->distinct_count == 3 && one_stats(&x)->null_count == 0);
    one_close(&x);
    memset(d, 0xFF, 16); /* -1, 1, 0 */
    d[16] = 1;
    fd.precision = 20;
    a = numbers(&fd, d, 3);
    CHECK(one_open(&x, &a, &o, &err) == TACO_OK);
    CHECK(is(one_stats(&x)->min, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 9));
    CHECK(is(one_stats(&x)->max, "\0\0\0\0\0\0\0\0\1", 9));
    one_close(&x);
}

static void text_bounds(const char *v, const char *min, const char *max, bool exact)
{
    taco_field f = leaf("t", TACO_TEXT, 0, false);
    taco_array a = texts(&f, &v, 1);
    taco_pq_write_options o;
    taco_error err = {0, TACO_OK, 0, {0}};
    one x;
    memset(&o, 0, sizeof o);
    CHECK(one_open(&x, &a, &o, &err) == TACO_OK);
    CHECK(is(one_stats(&x)->min, min, strlen(min)));
    CHECK(is(one_stats(&x)->max, max, strlen(max)));
    CHECK(one_stats(&x)->max_exact == exact);
    one_close(&x);
}

#define A60 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static void test_text_bounds(void)
{
    char last[400] = "";
    int i;
    text_bounds("", "", "", true);
    text_bounds("short", "short", "short", true);
    text_bounds(A60 "bbbb", A60 "bbbb", A60 "bbbb", true);
    text_bounds(A60 "bbbbb", A60 "bbbb", A60 "bbbc", false);
    text_bounds(A60 "bbb\xC3\xA9z", A60 "bbb", A60 "bbc", false); /* cut before the character */
    text_bounds(A60 "bb\xC3\xA9z", A60 "bb\xC3\xA9", A60 "bb\xC3\xAA", false);
    text_bounds(A60 "bb\xC3\xBFz", A60 "bb\xC3\xBF", A60 "bc",
                false); /* no character behind it: the one before */
    for (i = 0; i < 20; i++) {
        strcat(last, "\xF4\x8F\xBF\xBF"); /* the last character there is */
    }
    text_bounds(last,
                "\xF4\x8F\xBF\xBF\xF4\x8F\xBF\xBF\xF4\x8F\xBF\xBF\xF4\x8F\xBF\xBF\xF4\x8F\xBF\xBF"
                "\xF4\x8F\xBF\xBF\xF4\x8F\xBF\xBF\xF4\x8F\xBF\xBF\xF4\x8F\xBF\xBF\xF4\x8F\xBF\xBF"
                "\xF4\x8F\xBF\xBF\xF4\x8F\xBF\xBF\xF4\x8F\xBF\xBF\xF4\x8F\xBF\xBF\xF4\x8F\xBF\xBF"
                "\xF4\x8F\xBF\xBF",
                last, true);
}

/* Texts that differ late, or in length alone: their order is that of their bytes, and each comes back
   as it was from a dictionary. */
static void test_text_order(void)
{
    taco_field f = leaf("t", TACO_TEXT, 0, false);
    taco_pq_write_options o;
    taco_error err = {0, TACO_OK, 0, {0}};
    int pass;
    memset(&o, 0, sizeof o);
    o.encoding = TACO_ENCODING_DICTIONARY;
    for (pass = 0; pass < 100; pass++) {
        char text[40][32];
        const char *v[40], *min, *max;
        taco_array a;
        taco_batch b;
        taco_pq_reader *r;
        one x;
        size_t i;
        for (i = 0; i < 40; i++) {
            size_t n = any(22), k;
            for (k = 0; k < n; k++) {
                text[i][k] = (char)(k < any(20) ? 'm' : 'l' + any(3));
            }
            text[i][n] = 0;
            v[i] = text[i];
        }
        min = max = v[0];
        for (i = 1; i < 40; i++) {
            min = strcmp(v[i], min) < 0 ? v[i] : min;
            max = strcmp(v[i], max) > 0 ? v[i] : max;
        }
        a = texts(&f, v, 40);
        memset(&b, 0, sizeof b);
        b.columns = &a;
        b.column_count = 1;
        b.length = 40;
        CHECK(one_open(&x, &a, &o, &err) == TACO_OK);
        CHECK(is(one_stats(&x)->min, min, strlen(min)));
        CHECK(is(one_stats(&x)->max, max, strlen(max)));
        r = taco_pq_read(x.file, NULL, &err);
        CHECK(strcmp(text_of(&f, 1, r, NULL), text_of(&f, 1, NULL, &b)) == 0);
        CHECK(taco_pq_reader_close(r, &err) == TACO_OK);
        one_close(&x);
    }
}

static void test_encodings_chosen(void)
{
    int64_t v[5000];
    double d[5000];
    taco_field f = leaf("i", TACO_INT64, 8, false), fd = leaf("d", TACO_DOUBLE, 8, false);
    taco_array a = numbers(&f, v, 5000);
    taco_pq_write_options o;
    taco_error err = {0, TACO_OK, 0, {0}};
    one x;
    size_t i;
    memset(&o, 0, sizeof o);
    for (i = 0; i < 5000; i++) {
        v[i] = (int64_t)i;
        d[i] = i % 3 ? 1.5 : -7e300;
    }
    CHECK(one_open(&x, &a, &o, &err) == TACO_OK);
    CHECK(x.file->meta.groups[0].chunks[0].encodings == 1U << TACO__PQ_ENC_DELTA_BINARY_PACKED);
    one_close(&x);
    a = numbers(&fd, d, 5000);
    CHECK(one_open(&x, &a, &o, &err) == TACO_OK);
    CHECK(x.file->meta.groups[0].chunks[0].dict_only);
    one_close(&x);
}

/* Lists of one or two of `most` numbers, cut anywhere: reads back as it was, and is the same file
   however many rows come at a time. *dictionary: whether pages of the first group have one. */
static void waiting_pages(uint32_t most, size_t rows, bool *dictionary)
{
    taco_field part = leaf("element", TACO_INT64, 8, true),
               f = nest("l", TACO_LIST, &part, 1, true);
    taco_array list, items;
    taco_pq_write_options o;
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_batch b;
    taco_sink parts;
    one x;
    int32_t *offsets = (int32_t *)keep((rows + 1) * 4);
    int64_t *v = (int64_t *)keep(rows * 16);
    uint8_t *valid = (uint8_t *)keep(rows / 4 + 1);
    const char *want;
    taco_pq_reader *r;
    size_t i, n = 0;
    memset(&list, 0, sizeof list);
    memset(&items, 0, sizeof items);
    memset(&o, 0, sizeof o);
    memset(&b, 0, sizeof b);
    for (i = 0; i < rows; i++) {
        for (offsets[i + 1] = offsets[i] + 1 + (i % 3 == 0); n < (size_t)offsets[i + 1]; n++) {
            v[n] = (int64_t)any(most);
            if (n % 50) { taco__bitmap_set(valid, n); }
        }
    }
    items.field = f.children;
    items.length = n;
    items.null_count = (n + 49) / 50;
    items.validity = valid;
    items.v.any = v;
    list.field = &f;
    list.length = b.length = rows;
    list.offsets = offsets;
    list.children = &items;
    b.columns = &list;
    b.column_count = 1;
    o.page_rows = 5000;
    want = text_of(&f, 1, NULL, &b);
    CHECK(write_steps(&b, &f, 997, &o, &parts, &err) == TACO_OK);
    CHECK(one_open(&x, &list, &o, &err) == TACO_OK);
    CHECK(taco__bytes_equal(taco_sink_bytes(&x.sink), taco_sink_bytes(&parts)));
    r = taco_pq_read(x.file, NULL, &err);
    CHECK(strcmp(text_of(&f, 1, r, NULL), want) == 0);
    CHECK(taco_pq_reader_close(r, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    *dictionary = x.file->meta.groups[0].chunks[0].dict_only;
    taco_sink_free(&parts);
    one_close(&x);
}

/* A dictionary that is larger than what it saves in the first page is weighed against more pages:
   those of 1000 numbers need ten bits instead of eleven. */
static void test_dictionary_of_many_pages(void)
{
    bool dictionary;
    waiting_pages(1000, 60000, &dictionary); /* all pages of a row group */
    CHECK(dictionary);
    waiting_pages(1000, 14000, &dictionary); /* too few to pay */
    CHECK(!dictionary);
    waiting_pages(1000000, 60000, &dictionary); /* grows with every page */
    CHECK(!dictionary);
    waiting_pages(10, 14000, &dictionary); /* pays at once */
    CHECK(dictionary);
}

/* The values of a random walk are new ever more seldom: a dictionary that adds more to the first
   page than it saves there pays over most chunks. */
static void test_dictionary_of_a_walk(void)
{
    static double v[300000];
    taco_field f = leaf("d", TACO_DOUBLE, 8, false);
    taco_array a = numbers(&f, v, 300000);
    taco_pq_write_options o;
    taco_error err = {0, TACO_OK, 0, {0}};
    one x;
    size_t i, k, with = 0;
    memset(&o, 0, sizeof o);
    o.codec = TACO_CODEC_ZSTD;
    o.level = 3;
    o.row_group_rows = 300000;
    for (k = 0; k < 20; k++) {
        int64_t at = 20000;
        seed = k;
        for (i = 0; i < 300000; i++) {
            at += (int64_t)(any(70) + any(70)) - 69;
            v[i] = (double)at / 1000;
        }
        CHECK(one_open(&x, &a, &o, &err) == TACO_OK);
        with += x.file->meta.groups[0].chunks[0].dict_only;
        one_close(&x);
    }
    CHECK(with >= 18);
}

/* A dictionary that no longer pays is given up with the page that says so: what waits for more
   pages is in memory. */
static void test_dictionary_given_up(void)
{
    static int64_t v[200000];
    taco_field f = leaf("i", TACO_INT64, 8, false);
    taco_array a = numbers(&f, v, 200000);
    taco_pq_write_options o;
    taco_options opt;
    taco_allocator allocator;
    test_memory m;
    taco_error err = {0, TACO_OK, 0, {0}};
    one x;
    size_t i;
    test_counted(&opt, &allocator, &m);
    memset(&o, 0, sizeof o);
    o.options = &opt;
    o.row_group_rows = 200000;
    o.page_rows = 7000;
    o.dictionary_bytes = 1 << 28;
    for (i = 0; i < 200000; i++) {
        v[i] = (int64_t)any(i < 7000 ? 1000 : 1U << 30);
    }
    CHECK(one_open(&x, &a, &o, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    CHECK(!x.file->meta.groups[0].chunks[0].dict_only && m.peak < 4000000);
    if (test_bad) { printf("%u bytes\n", (unsigned)m.peak); }
    one_close(&x);
    CHECK(m.live == 0);
}

/* Whether a dictionary pays is decided by the first page alone if it has few values, and by more
   pages where those after the first few repeat them. */
static void test_dictionary_first_page(void)
{
    static int64_t v[60000], words[6000];
    taco_field f = leaf("i", TACO_INT64, 8, false);
    taco_array a = numbers(&f, v, 60000);
    taco_pq_write_options o;
    taco_error err = {0, TACO_OK, 0, {0}};
    one x;
    size_t i, pass;
    memset(&o, 0, sizeof o);
    for (pass = 0; pass < 2; pass++) {
        const uint32_t n = pass ? 6000 : 3000;
        for (i = 0; i < n; i++) {
            words[i] = (int64_t)((uint64_t)any(1U << 30) << 30 ^ any(1U << 30));
        }
        for (i = 0; i < 60000; i++) {
            v[i] = words[any(n)];
        }
        o.page_rows = pass ? 5000 : 1000;
        CHECK(one_open(&x, &a, &o, &err) == TACO_OK);
        CHECK(x.file->meta.groups[0].chunks[0].dict_only == (pass > 0));
        one_close(&x);
    }
}

/* One cell of a long column is another: how many bytes of the pages are new. */
static void test_content_defined(void)
{
    static int64_t v[60000];
    taco_field f = leaf("i", TACO_INT64, 8, false);
    taco_array a = numbers(&f, v, 60000);
    taco_pq_write_options o;
    taco_error err = {0, TACO_OK, 0, {0}};
    one x, y;
    size_t i, k, n, same = 0, pages;
    memset(&o, 0, sizeof o);
    o.content_defined = true;
    o.chunk_min = 2000;
    o.chunk_max = 16000;
    o.encoding = TACO_ENCODING_PLAIN;
    for (i = 0; i < 60000; i++) {
        v[i] = (int64_t)(((uint64_t)any(1000000) << 32) ^ any(1000000));
    }
    CHECK(one_open(&x, &a, &o, &err) == TACO_OK);
    memmove(v + 30000, v + 30001, 29999 * sizeof *v); /* one is gone */
    a.length--;
    CHECK(one_open(&y, &a, &o, &err) == TACO_OK);
    pages = (size_t)x.file->meta.groups[0].chunks[0].pages.len / 9000;
    n = taco_sink_bytes(&x.sink).len;
    for (k = 0; k + 64 <= n; k += 64) { /* pages after the gap are found again, as they were */
        const uint8_t *p = taco_sink_bytes(&x.sink).data + k, *q = taco_sink_bytes(&y.sink).data;
        for (i = k > 4000 ? k - 4000 : 0; i + 64 <= taco_sink_bytes(&y.sink).len && i < k + 4000;
             i++) {
            if (q[i] == p[0] && memcmp(q + i, p, 64) == 0) {
                same += 64;
                break;
            }
        }
    }
    CHECK(pages > 20);
    CHECK(same > n / 10 * 9);
    one_close(&x);
    one_close(&y);
}

/* The end of a page that is too short for chunk_min is forgotten: behind it, in values that are all
   the same, the page goes on to chunk_max. */
static void test_content_end_forgotten(void)
{
    int64_t v[2000];
    taco_field f = leaf("i", TACO_INT64, 8, false);
    taco_array a = numbers(&f, v, 2000);
    taco_pq_write_options o;
    taco_pq_checked checked;
    taco_error err = {0, TACO_OK, 0, {0}};
    one x;
    size_t i;
    memset(&o, 0, sizeof o);
    memset(v, 0, sizeof v);
    o.content_defined = true;
    o.chunk_min = 14000;
    o.chunk_max = 16000;
    o.encoding = TACO_ENCODING_PLAIN;
    for (i = 0; i < 1000; i++) {
        v[i] = (int64_t)(((uint64_t)any(1000000) << 32) ^ any(1000000));
    }
    CHECK(one_open(&x, &a, &o, &err) == TACO_OK);
    CHECK(taco_pq_verify(x.file, found, NULL, &checked, &err) == TACO_OK && checked.pages == 1);
    one_close(&x);
}

static void test_bloom(void)
{
    int32_t v[1000];
    taco_field f = leaf("i", TACO_INT32, 4, false);
    taco_array a = numbers(&f, v, 1000);
    taco_pq_write_options o;
    taco_error err = {0, TACO_OK, 0, {0}};
    one x;
    size_t i, found = 0, k;
    taco_bytes bytes;
    taco__range at;
    memset(&o, 0, sizeof o);
    o.bloom = true;
    for (i = 0; i < 1000; i++) {
        v[i] = (int32_t)i * 7;
    }
    CHECK(one_open(&x, &a, &o, &err) == TACO_OK);
    at = x.file->meta.groups[0].chunks[0].bloom;
    bytes = taco_sink_bytes(&x.sink);
    CHECK(at.len > 2048 && at.len < 2100 && at.offset + at.len < bytes.len);
    for (i = 0; i < 7000; i++) { /* as a reader of BloomFilter.md does */
        uint8_t raw[4], *filter = (uint8_t *)keep(2048);
        const uint8_t *data = bytes.data + at.offset + at.len - 2048;
        uint64_t h;
        bool all = true;
        taco__put_le32(raw, (uint32_t)i);
        h = taco__xxh64_hash(0, raw, 4);
        taco__chunk_writer_bloom_set(filter, 2048 / 32, h);
        for (k = 0; k < 2048; k++) {
            all = all && (data[k] & filter[k]) == filter[k];
        }
        CHECK(all || i % 7);
        found += all;
        if (i % 1000 == 999) { forget(); }
    }
    CHECK(found < 1000 + 6000 / 20);
    one_close(&x);
}

static void test_keys_and_geometry(void)
{
    const char wkb[] = "x";
    const char *v[1] = {wkb};
    taco_field f = leaf("geo \"1\"", TACO_BINARY, 0, true);
    taco_array a = texts(&f, v, 1);
    taco_pq_key key = {"who", "me"};
    taco_pq_geometry g = {"geo \"1\"", NULL, NULL, true};
    taco_pq_write_options o;
    taco_error err = {0, TACO_OK, 0, {0}};
    one x;
    memset(&o, 0, sizeof o);
    o.keys = &key;
    o.key_count = 1;
    o.geometries = &g;
    o.geometry_count = 1;
    CHECK(one_open(&x, &a, &o, &err) == TACO_OK);
    CHECK(is(taco_pq_key_value(x.file, "who"), "me", 2));
    {
        static const char want[] =
            "{\"version\":\"1.1.0\",\"primary_column\":\"geo \\\"1\\\"\",\"columns\":{\"geo "
            "\\\"1\\\"\":{"
            "\"encoding\":\"WKB\",\"geometry_types\":[],\"edges\":\"spherical\"}}}";
        CHECK(is(taco_pq_key_value(x.file, "geo"), want, sizeof want - 1));
    }
    one_close(&x);
}

static size_t wkb_at;

static void wkb_put(uint8_t *to, uint8_t order, uint32_t type, int64_t count, const double *xy,
                    size_t n)
{
    uint8_t *p = to + wkb_at;
    size_t i, k;
    *p++ = order;
    for (k = 0; k < 4; k++) {
        *p++ = (uint8_t)(type >> 8 * (order ? k : 3 - k));
    }
    for (k = 0; count >= 0 && k < 4; k++) {
        *p++ = (uint8_t)((uint32_t)count >> 8 * (order ? k : 3 - k));
    }
    for (i = 0; i < n; i++) {
        for (k = 0; k < 8; k++) {
            *p++ = (uint8_t)(taco__f64_to_bits(xy[i]) >> 8 * (order ? k : 7 - k));
        }
    }
    wkb_at = (size_t)(p - to);
}

static const double nan_point[2] = {0, 0};

/* Points of both byte orders, a line with Z, a collection, one that is empty, a null, and (odd) one
   with M. */
static taco_array some_wkb(const taco_field *f, bool odd)
{
    static const double xy[6] = {1.5, -2, 7, 30, 4, -9.25};
    taco_array a;
    double nan[2];
    int32_t *offsets = (int32_t *)keep(8 * sizeof *offsets);
    uint8_t *bytes = (uint8_t *)keep(1000), *valid = (uint8_t *)keep(1);
    memset(&a, 0, sizeof a);
    nan[0] = nan[1] = taco__f64_from_bits(UINT64_C(0x7FF8) << 48) + nan_point[0];
    wkb_at = 0;
    wkb_put(bytes, 1, 1, -1, xy, 2);
    offsets[1] = (int32_t)wkb_at;
    wkb_put(bytes, 0, 1002, 2, xy, 6);
    offsets[2] = (int32_t)wkb_at;
    wkb_put(bytes, 1, 0x20000007, 4326, NULL, 0); /* with an SRID, then the count of parts */
    taco__put_le32(bytes + wkb_at, 1);
    wkb_at += 4;
    wkb_put(bytes, 0, 1, -1, xy + 3, 2);
    offsets[3] = offsets[4] = (int32_t)wkb_at; /* the last is null */
    wkb_put(bytes, 1, 1, -1, nan, 2);
    offsets[5] = (int32_t)wkb_at;
    if (odd) { wkb_put(bytes, 1, 2001, -1, xy, 3); }
    offsets[6] = (int32_t)wkb_at;
    *valid = 0x17 | (odd ? 0x20 : 0);
    a.field = f;
    a.length = odd ? 6 : 5;
    a.validity = valid;
    a.offsets = offsets;
    a.v.any = bytes;
    return a;
}

static void test_geometries(void)
{
    taco_field f = leaf("g", TACO_BINARY, 0, true);
    taco_pq_geometry g = {"g", "null", "bbox", false};
    taco_pq_write_options o;
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_array a;
    one x;
    int odd;
    memset(&o, 0, sizeof o);
    o.geometries = &g;
    o.geometry_count = 1;
    o.arrow_schema = TACO_HINT_ALWAYS;
    for (odd = 0; odd < 2; odd++) {
        static const char *const want[] = {
            "{\"version\":\"1.1.0\",\"primary_column\":\"g\",\"columns\":{\"g\":{\"encoding\":"
            "\"WKB\",\"geometry_types\":["
            "\"Point\",\"GeometryCollection\",\"LineString "
            "Z\"],\"bbox\":[1.5,-2.0,-9.25,30.0,4.0,7.0],\"crs\":null,\"covering\":"
            "{\"bbox\":{\"xmin\":[\"bbox\",\"xmin\"],\"ymin\":[\"bbox\",\"ymin\"],\"xmax\":["
            "\"bbox\",\"xmax\"],"
            "\"ymax\":[\"bbox\",\"ymax\"]}}}}}",
            "{\"version\":\"1.1.0\",\"primary_column\":\"g\",\"columns\":{\"g\":{\"encoding\":"
            "\"WKB\",\"geometry_types\":[]}}}"};
        taco_bytes got;
        a = some_wkb(&f, odd != 0);
        g.covering = odd ? NULL : "bbox";
        g.crs = odd ? NULL : "null";
        CHECK(one_open(&x, &a, &o, &err) == TACO_OK);
        got = taco_pq_key_value(x.file, "geo");
        CHECK(is(got, want[odd], strlen(want[odd])));
        if (!is(got, want[odd], strlen(want[odd]))) {
            printf("%.*s\n", (int)got.len, got.data ? (const char *)got.data : "");
        }
        CHECK(taco_pq_key_value(x.file, "ARROW:schema").len > 0);
        if (!odd) {
            taco_pq_query q;
            taco_pq_reader *r;
            const char *column = "bbox", *rows;
            size_t n;
            memset(&q, 0, sizeof q);
            q.columns = &column;
            q.column_count = 1;
            r = taco_pq_read(x.file, &q, &err);
            rows = text_of(taco_pq_reader_fields(r, &n), 1, r, NULL);
            CHECK_TEXT(rows, "{\"bbox\":{\"xmin\":1.5,\"ymin\":-2.0,\"xmax\":1.5,\"ymax\":-2.0}}\n"
                             "{\"bbox\":{\"xmin\":1.5,\"ymin\":-2.0,\"xmax\":30.0,\"ymax\":4.0}}\n"
                             "{\"bbox\":{\"xmin\":30.0,\"ymin\":4.0,\"xmax\":30.0,\"ymax\":4.0}}\n"
                             "{\"bbox\":null}\n{\"bbox\":null}\n");
            taco_pq_reader_close(r, &err);
        }
        one_close(&x);
    }
    CHECK_TEXT(taco_error_text(&err), "");
}

/* Two geometry columns have two coverings: one made for a column is not that of another. */
static void test_two_coverings(void)
{
    taco_field f[2];
    taco_pq_geometry g[2] = {{"g", NULL, "box", false}, {"h", NULL, "box", false}};
    taco_pq_write_options o;
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_sink sink;
    taco_pq_writer *w;
    f[0] = leaf("g", TACO_BINARY, 0, true);
    f[1] = leaf("h", TACO_BINARY, 0, true);
    memset(&o, 0, sizeof o);
    o.geometries = g;
    o.geometry_count = 2;
    CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
    w = taco_pq_write(&sink, f, 2, &o, &err);
    CHECK(!w && err.code == TACO_ERR_ARGUMENT);
    CHECK(strstr(err.text, "covering column 'box' of 'h' is made for another geometry column"));
    taco_pq_writer_close(w, NULL);
    taco_sink_free(&sink);
    memset(&err, 0, sizeof err);
    g[1].covering = "boxes";
    CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
    w = taco_pq_write(&sink, f, 2, &o, &err);
    CHECK(w && taco_pq_writer_close(w, &err) == TACO_OK);
    taco_sink_free(&sink);
}

/* Collections in collections, 64 at most, and a point: deeper ones are not walked. */
static void test_deep_geometries(void)
{
    static const double xy[2] = {3, 4};
    int depth, i;
    for (depth = 63; depth < 67; depth++) {
        uint8_t bytes[1000];
        taco__wkb_summary s;
        double box[4] = {0, 0, 0, 0};
        const bool good = depth <= 64;
        wkb_at = 0;
        for (i = 0; i < depth; i++) {
            wkb_put(bytes, 1, 7, 1, NULL, 0);
        }
        wkb_put(bytes, 1, 1, -1, xy, 2);
        taco__wkb_summary_init(&s);
        CHECK(taco__wkb_summary_add(&s, taco__bytes_of(bytes, wkb_at), box) == good);
        CHECK(s.odd == !good && s.types == (good ? 1U << 7 : 0U));
        CHECK(!good || (box[0] == 3 && box[1] == 4 && box[2] == 3 && box[3] == 4));
    }
}

/* ---- refusals and failures ---- */

static void refuse(const taco_array *a, const taco_pq_write_options *o, taco_status code,
                   const char *text)
{
    taco_pq_write_options none;
    taco_error err = {0, TACO_OK, 0, {0}};
    one x;
    memset(&none, 0, sizeof none);
    CHECK(one_open(&x, a, o ? o : &none, &err) == code);
    CHECK_TEXT(taco_error_text(&err), text);
    CHECK(taco_sink_bytes(&x.sink).len == 0); /* nothing is left */
    taco_pq_close(x.file);
    taco_sink_free(&x.sink);
}

static void test_refusals(void)
{
    const int32_t v[2] = {1, 2};
    const uint8_t big[32] = {0, 0, 0, 0, 1}, none = 0;
    taco_field f = leaf("c", TACO_INT32, 4, false);
    taco_array a = numbers(&f, v, 2);
    taco_pq_column_options c;
    taco_pq_write_options o;
    memset(&o, 0, sizeof o);
    memset(&c, 0, sizeof c);
    a.validity = &none;
    refuse(&a, NULL, TACO_ERR_ARGUMENT, "column 'c': null in field 'c', which is not nullable");
    a.validity = NULL;
    o.columns = &c;
    o.column_count = 1;
    c.name = "d";
    refuse(&a, &o, TACO_ERR_NOT_FOUND, "options for column 'd', which does not exist");
    c.name = "c";
    c.encoding = TACO_ENCODING_DELTA_LENGTH;
    refuse(&a, &o, TACO_ERR_ARGUMENT, "column 'c' cannot have encoding number 5");
    f = leaf("c", TACO_FIXED, 0, false);
    refuse(&a, NULL, TACO_ERR_ARGUMENT,
           "field 'c' is of fixed size 0, which Parquet does not have");
    f = leaf("c", TACO_STRUCT, 0, false);
    refuse(&a, NULL, TACO_ERR_ARGUMENT,
           "field 'c' is a struct without fields, which Parquet does not have");
    f = leaf("c", TACO_DECIMAL, 16, false);
    refuse(&a, NULL, TACO_ERR_ARGUMENT,
           "field 'c' is a decimal of impossible precision, scale or width");
    a = numbers(&f, big, 1);
    f.precision = 39; /* 10^39 - 1 needs more than 16 bytes, 10^77 - 1 more than 32 */
    refuse(&a, NULL, TACO_ERR_ARGUMENT,
           "field 'c' is a decimal of impossible precision, scale or width");
    f.width = 32;
    f.precision = 77;
    refuse(&a, NULL, TACO_ERR_ARGUMENT,
           "field 'c' is a decimal of impossible precision, scale or width");
    f.width = 16;
    f.precision = 9;
    refuse(&a, NULL, TACO_ERR_ARGUMENT,
           "column 'c': a decimal has more digits than its precision, 9");
    forget();
}

static void test_wrong_batch(void)
{
    const int32_t v[2] = {1, 2};
    taco_field f = leaf("c", TACO_INT32, 4, false), other = leaf("c", TACO_DATE, 4, false);
    taco_array a = numbers(&other, v, 2);
    taco_batch b;
    taco_sink sink;
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_pq_writer *w;
    memset(&b, 0, sizeof b);
    b.columns = &a;
    b.column_count = 1;
    b.length = 2;
    CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
    w = taco_pq_write(&sink, &f, 1, NULL, &err);
    CHECK(taco_pq_writer_batch(w, &b) == TACO_ERR_TYPE);
    a.field = &f;
    CHECK(taco_pq_writer_batch(w, &b) == TACO_ERR_TYPE); /* it stays */
    CHECK(taco_pq_writer_close(w, &err) == TACO_ERR_TYPE);
    CHECK_TEXT(taco_error_text(&err),
               "column 'c' of the batch has another type or length than was declared");
    CHECK(taco_sink_bytes(&sink).len == 0);
    taco_sink_free(&sink);
    CHECK(taco_pq_writer_close(NULL, &err) == TACO_OK);
    CHECK(taco_pq_writer_batch(NULL, &b) == TACO_ERR_ARGUMENT);
    taco_pq_writer_abort(NULL);
}

typedef struct faults {
    size_t allocs, fail_alloc, writes, fail_write, closes, kept;
    size_t live;
} faults;

static void *fault_resize(void *ctx, void *p, size_t old, size_t size)
{
    faults *f = (faults *)ctx;
    void *q;
    if (size == 0) {
        f->live -= old;
        free(p);
        return NULL;
    }
    if (++f->allocs == f->fail_alloc) { return NULL; }
    q = realloc(p, size);
    f->live += size - old;
    return q;
}

static bool fault_write(void *ctx, uint64_t offset, const void *src, size_t len)
{
    faults *f = (faults *)ctx;
    (void)offset;
    (void)src;
    (void)len;
    return ++f->writes != f->fail_write;
}

static bool fault_close(void *ctx, bool kept)
{
    faults *f = (faults *)ctx;
    f->closes++;
    f->kept += kept;
    return true;
}

static taco_status faulty(faults *f, const taco_batch *b, const taco_field *fields, taco_error *err)
{
    taco_allocator a = {f, fault_resize};
    taco_options opt;
    taco_pq_write_options o;
    taco_sink sink = {f, fault_write, fault_close};
    taco_pq_writer *w;
    memset(&opt, 0, sizeof opt);
    memset(&o, 0, sizeof o);
    opt.allocator = &a;
    o.options = &opt;
    o.row_group_rows = 25;
    o.page_rows = 10;
    o.bloom = true;
    w = taco_pq_write(&sink, fields, b->column_count, &o, err);
    if (!w) { return err->code; }
    taco_pq_writer_batch(w, b);
    return taco_pq_writer_close(w, err);
}

static void test_failures(void)
{
    taco_field f[100];
    size_t n = all_fields(f), i, total;
    taco_array *columns = (taco_array *)keep(n * sizeof *columns);
    taco_batch b;
    faults x;
    memset(&b, 0, sizeof b);
    memset(&x, 0, sizeof x);
    for (i = 0; i < n; i++) {
        columns[i] = fill(&f[i], 60);
    }
    b.columns = columns;
    b.column_count = n;
    b.length = 60;
    {
        taco_error err = {0, TACO_OK, 0, {0}};
        CHECK(faulty(&x, &b, f, &err) == TACO_OK && x.kept == 1 && x.closes == 1 && x.live == 0);
    }
    total = x.allocs;
    for (i = 1; i <= total; i += i < 200 ? 1 : 1 + any(9)) {
        taco_error err = {0, TACO_OK, 0, {0}};
        memset(&x, 0, sizeof x);
        x.fail_alloc = i;
        CHECK(faulty(&x, &b, f, &err) == TACO_ERR_MEMORY && err.code == TACO_ERR_MEMORY);
        CHECK(x.closes == 1 && x.kept == 0 && x.live == 0);
    }
    memset(&x, 0, sizeof x);
    {
        taco_error err = {0, TACO_OK, 0, {0}};
        faulty(&x, &b, f, &err);
    }
    total = x.writes;
    for (i = 1; i <= total; i++) {
        taco_error err = {0, TACO_OK, 0, {0}};
        memset(&x, 0, sizeof x);
        x.fail_write = i;
        CHECK(faulty(&x, &b, f, &err) == TACO_ERR_IO);
        CHECK(strstr(err.text, " failed") != NULL);
        CHECK(x.closes == 1 && x.kept == 0 && x.live == 0 && x.writes == i);
    }
    forget();
}

static bool there(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (f) { fclose(f); }
    return f != NULL;
}

static size_t part(void)
{
    return test_names_count("build", "test_write.tmp.", ".part");
}

static void test_file_sink(void)
{
    static const char path[] = "build/test_write.tmp";
    taco_sink s;
    taco_error err = {0, TACO_OK, 0, {0}};
    remove(path);
    if (taco_sink_file(&s, path, NULL, &err) != TACO_OK) {
        printf("SKIPPED the file sink: no directory build\n");
        return;
    }
    CHECK(s.write(s.ctx, 0, "12345", 5) && part() == 1 && !there(path));
    CHECK(s.close(s.ctx, false) && part() == 0 && !there(path));
    CHECK(taco_sink_file(&s, path, NULL, &err) == TACO_OK);
    CHECK(s.write(s.ctx, 0, "12345", 5) && s.write(s.ctx, 5, "678", 3) &&
          s.write(s.ctx, 1, "x", 1));
    CHECK(s.close(s.ctx, true) && part() == 0 && there(path));
    {
        char got[16] = "";
        FILE *f = fopen(path, "rb");
        CHECK(f && fread(got, 1, 15, f) == 8);
        fclose(f);
        CHECK_TEXT(got, "1x345678");
    }
    remove(path);
    CHECK(taco_sink_file(&s, "build/no/such/directory/x", NULL, &err) == TACO_ERR_IO);
    CHECK_TEXT(taco_error_text(&err),
               "cannot be written: 'build/no/such/directory/x', whose directory does not exist");
}

static void test_runs(void)
{
    uint32_t v[700], back[700 + 16];
    taco__mem mem;
    taco__buf out;
    taco__rle r;
    size_t pass, i;
    taco_error err = {0, TACO_OK, 0, {0}};
    taco__mem_init(&mem, NULL);
    memset(&out, 0, sizeof out);
    out.mem = &mem;
    for (pass = 0; pass < 300; pass++) {
        size_t n = any(700), entries = 1 + any(pass % 2 ? 5 : 60000), run = 0;
        for (i = 0; i < n; i++) {
            run = run ? run - 1 : any(pass % 3 ? 20 : 1);
            v[i] = i && run ? v[i - 1] : any((uint32_t)entries);
        }
        out.len = 0;
        CHECK(taco__encode_indices(&out, v, n, entries, &err));
        CHECK(taco__rle_open(&r, taco__bytes_of(out.data + 1, out.len - 1), out.data[0], &err));
        CHECK(taco__rle_read_indices(&r, (int32_t *)(void *)back, n, entries, &err));
        CHECK(n == 0 || memcmp(v, back, n * 4) == 0);
    }
    taco__buf_free(&out);
}

int main(void)
{
    RUN(test_runs);
    RUN(test_every_type);
    RUN(test_picks);
    RUN(test_late_null);
    RUN(test_float_bounds);
    RUN(test_bounds_anywhere);
    RUN(test_integer_bounds);
    RUN(test_text_bounds);
    RUN(test_text_order);
    RUN(test_encodings_chosen);
    RUN(test_dictionary_of_many_pages);
    RUN(test_dictionary_of_a_walk);
    RUN(test_dictionary_given_up);
    RUN(test_dictionary_first_page);
    RUN(test_content_defined);
    RUN(test_content_end_forgotten);
    RUN(test_bloom);
    RUN(test_keys_and_geometry);
    RUN(test_geometries);
    RUN(test_two_coverings);
    RUN(test_deep_geometries);
    RUN(test_refusals);
    RUN(test_wrong_batch);
    RUN(test_failures);
    RUN(test_file_sink);
    return test_end("test_write");
}
