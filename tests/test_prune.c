/* Row ranges and conditions that skip pages and row groups: the same rows as without skipping,
   fewer bytes, and what happens if an index is wrong. The files are described in
   tests/data/README.md. */
#include "test.h"

#include "../src/arrow/printer.c"
#include "../src/base/base.h"
#include "../src/parquet/parquet.h"
#include "../src/filter/scan.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"

#include "footer.h"
#include "make.h"

/* ---- files ---- */

/* a source that counts; with read_many where `many` is set */
typedef struct counted {
    uint8_t *data;
    size_t len, bytes, rounds, twice;
    uint8_t *map;
    taco__range lost; /* what reaches into these bytes cannot be read */
} counted;

static void counted_piece(counted *c, uint64_t offset, void *dst, size_t len)
{
    size_t i;
    memcpy(dst, c->data + offset, len);
    c->bytes += len;
    for (i = 0; i < len; i++) {
        c->twice += c->map[offset + i];
        c->map[offset + i] = 1;
    }
}

static bool counted_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    counted *c = (counted *)ctx;
    c->rounds++;
    if (offset < c->lost.offset + c->lost.len && c->lost.offset < offset + len) { return false; }
    counted_piece(c, offset, dst, len);
    return true;
}

static bool counted_many(void *ctx, const taco_piece *reads, size_t n)
{
    size_t i;
    ((counted *)ctx)->rounds++;
    for (i = 0; i < n; i++) {
        counted_piece((counted *)ctx, reads[i].offset, reads[i].dst, reads[i].len);
    }
    return true;
}

static void counted_load(counted *c, const char *path)
{
    FILE *f = fopen(path, "rb");
    memset(c, 0, sizeof *c);
    CHECK(f != NULL);
    if (f) {
        fseek(f, 0, SEEK_END);
        c->len = (size_t)ftell(f);
        rewind(f);
        c->data = (uint8_t *)malloc(c->len);
        c->map = (uint8_t *)calloc(c->len, 1);
        CHECK(fread(c->data, 1, c->len, f) == c->len);
        fclose(f);
    }
}

static void counted_reset(counted *c)
{
    memset(c->map, 0, c->len);
    c->bytes = c->rounds = c->twice = 0;
}

static void counted_free(counted *c)
{
    free(c->data);
    free(c->map);
}

static taco_pq_file *counted_open(counted *c, bool many, const taco_options *opt)
{
    taco_source src;
    taco_error e;
    taco_pq_file *f;
    memset(&src, 0, sizeof src);
    memset(&e, 0, sizeof e);
    src.ctx = c;
    src.size = c->len;
    src.read = counted_read;
    src.read_many = many ? counted_many : NULL;
    f = taco_pq_open_source(&src, "made", opt, &e);
    CHECK_TEXT(e.text, "");
    return f;
}

/* ---- what comes out ---- */

typedef struct answer {
    mk_buf text;
    taco__scan_counts counts;
    taco_error err;
} answer;

static answer ask(taco_pq_file *f, const taco_pq_query *q, bool unpruned)
{
    answer a;
    taco_pq_reader *r;
    const taco_field *fields;
    taco_printer *p;
    taco_batch b;
    size_t n;
    memset(&a, 0, sizeof a);
    r = taco_pq_read(f, q, &a.err);
    if (r) {
        r->scan.plan.unpruned = unpruned;
        fields = taco_pq_reader_fields(r, &n);
        p = taco_printer_open(fields, n, TACO_FORMAT_NDJSON, NULL, &a.err);
        while (taco_pq_reader_next(r, &b)) {
            taco_bytes t = taco_printer_batch(p, &b, &a.err);
            mk_add(&a.text, t.data, t.len);
        }
        taco_printer_close(p);
        a.counts = r->scan.plan.counts;
        taco_pq_reader_close(r, &a.err);
    }
    mk_add(&a.text, "", 1);
    return a;
}

static size_t lines(const answer *a)
{
    size_t i, n = 0;
    for (i = 0; i < a->text.len; i++) {
        n += a->text.data[i] == '\n';
    }
    return n;
}

static const char *const files[] = {"tests/data/pages.parquet", "tests/data/pages2.parquet",
                                    "tests/data/bloom.parquet"};

/* Runs parts of a loop in an order that no pool would choose. */
static void backwards(void *ctx, size_t n, void (*task)(void *arg, size_t i), void *arg)
{
    ++*(size_t *)ctx;
    while (n--) {
        task(arg, n);
    }
}

/* ---- the same rows ---- */

/* Every way to read it gives what reading and testing everything gives: `rows` rows, unless that is
   SIZE_MAX. */
static void same_of(counted *c, const char *path, const taco_pq_query *q, size_t rows,
                    taco__scan_counts *counts)
{
    int way;
    answer want, got;
    size_t tasks = 0;
    memset(&want, 0, sizeof want);
    /* unpruned; local, vectored, with tasks, with both; unpruned with both */
    for (way = 0; way < (q->row_count ? 5 : 6); way++) {
        taco_options opt;
        taco_pq_file *f;
        memset(&opt, 0, sizeof opt);
        opt.parallel_for = way >= 3 ? backwards : NULL;
        opt.parallel_ctx = &tasks;
        opt.parallel_width = 3;
        f = counted_open(c, way == 2 || way >= 4, &opt);
        got = ask(f, q, way == 0 || way == 5);
        CHECK_TEXT(got.err.text, "");
        if (way == 0) {
            want = got;
            CHECK(rows == SIZE_MAX || lines(&want) == rows);
        } else {
            if (got.text.len != want.text.len ||
                memcmp(got.text.data, want.text.data, got.text.len) != 0) {
                printf("%s: way %d: %s rows %u+%u: %u lines, expected %u\n", path, way,
                       q->where ? q->where : "-", (unsigned)q->first_row, (unsigned)q->row_count,
                       (unsigned)lines(&got), (unsigned)lines(&want));
                test_bad++;
            }
            if (way == 1 && counts) { *counts = got.counts; }
            free(got.text.data);
        }
        taco_pq_close(f);
    }
    free(want.text.data);
}

static void same(const char *path, const taco_pq_query *q, taco__scan_counts *counts)
{
    counted c;
    counted_load(&c, path);
    same_of(&c, path, q, SIZE_MAX, counts);
    counted_free(&c);
}

static void test_conditions(void)
{
    static const char *const where[] = {"sorted between 1000 and 1200",
                                        "sorted < 30 or sorted > 7100",
                                        "sorted < 4000 or sorted = 6000",
                                        "sorted = 1203",
                                        "sorted in (6, 3000, 3001, 7197)",
                                        "not (sorted > 100)",
                                        "part is null",
                                        "part > 20.5",
                                        "part is not null and sorted > 6000",
                                        "part < 3 or noise < 1000000000",
                                        "text = 'key-004200'",
                                        "text = 'key-004201'",
                                        "text in ('key-000007', 'nothing')",
                                        "text like 'key-0101%'",
                                        "few = 'red'",
                                        "few = 'yellow'",
                                        "few is null and sorted > 3600",
                                        "few not in ('red', 'green')",
                                        "noise = 5",
                                        "noise in (1, 2, 3)",
                                        "part = sorted",
                                        "sorted > 100000",
                                        "sorted >= 0",
                                        "few <> 'blue' and part between 10 and 11",
                                        "few is distinct from 'red'",
                                        "(few = 'yellow') is null"};
    static const char *const more[] = {"id = 4000",
                                       "id = 4001",
                                       "id in (1, 3, 5)",
                                       "name = 'n499'",
                                       "name = 'm'",
                                       "v = 17",
                                       "v = 17.5",
                                       "few = 2",
                                       "few = 3",
                                       "v < 0.5",
                                       "name like 'n1%' and v = 3"};
    size_t i, k;
    taco_pq_query q;
    memset(&q, 0, sizeof q);
    for (k = 0; k < 2; k++) {
        for (i = 0; i < TACO__COUNT(where); i++) {
            q.where = where[i];
            same(files[k], &q, NULL);
        }
    }
    for (i = 0; i < TACO__COUNT(more); i++) {
        q.where = more[i];
        same(files[2], &q, NULL);
    }
}

/* More bytes than are fetched ahead of a local file: the window of row groups ends before them, and
   the group that did not fit is the first of the next. */
static void test_windows(void)
{
    enum { ROWS = 720000, GROUP = 60000 };

    int64_t *numbers = (int64_t *)malloc(ROWS * sizeof *numbers);
    mk_col column;
    mk_buf file;
    taco_source s;
    taco_pq_file *f;
    taco_pq_query q;
    taco_error e;
    taco_options o;
    size_t tasks = 0;
    answer got;
    size_t i;
    memset(&q, 0, sizeof q);
    memset(&e, 0, sizeof e);
    for (i = 0; i < ROWS; i++) {
        numbers[i] = (int64_t)((uint64_t)i * 2654435761U % 1000003);
    }
    column = mk_i64("n", numbers);
    file = mk_parquet(&column, 1, ROWS, GROUP);
    CHECK(file.len > 4 << 20);
    taco_source_memory(&s, file.data, file.len);
    memset(&o, 0, sizeof o);
    o.parallel_for = backwards;
    o.parallel_ctx = &tasks;
    o.parallel_width = 3;
    f = taco_pq_open_source(&s, "made", &o, &e);
    CHECK_TEXT(e.text, "");
    q.where = "n between 17 and 2000 or n = 1000003";
    got = ask(f, &q, false);
    CHECK_TEXT(got.err.text, "");
    CHECK(got.counts.groups == ROWS / GROUP && got.counts.groups_pruned == 0);
    for (i = 0; i < ROWS; i++) { /* what is left is in the order of the file */
        if (numbers[i] >= 17 && numbers[i] <= 2000) {
            char line[40];
            size_t n = (size_t)snprintf(line, sizeof line, "{\"n\":%d}\n", (int)numbers[i]);
            if (memcmp(got.text.data, line, n) != 0) { break; }
            memmove(got.text.data, got.text.data + n, got.text.len -= n);
        }
    }
    CHECK(i == ROWS && got.text.len == 1);
    free(got.text.data);
    taco_pq_close(f);
    free(file.data);
    free(numbers);
}

/* Ranges of rows, alone and under a condition, whose end and beginning fall inside pages and row
   groups. */
static void test_ranges(void)
{
    static const unsigned ranges[][2] = {{0, 1},    {1, 1},    {149, 2},  {150, 1},   {1199, 2},
                                         {1200, 1}, {2399, 1}, {777, 40}, {10, 2380}, {2399, 9},
                                         {2400, 1}, {9999, 3}, {600, 0},  {0, 0},     {1350, 150}};
    size_t i, k;
    taco_pq_query q;
    memset(&q, 0, sizeof q);
    for (k = 0; k < 3; k++) {
        for (i = 0; i < TACO__COUNT(ranges); i++) {
            q.first_row = ranges[i][0];
            q.row_count = ranges[i][1];
            q.where = NULL;
            same(files[k], &q, NULL);
            q.where = k < 2 ? "sorted < 5000 and few = 'blue'" : "v > 10";
            same(files[k], &q, NULL);
        }
    }
    q.where = NULL;
    q.first_row = 2390;
    q.row_count = UINT64_MAX; /* the sum would wrap */
    same(files[0], &q, NULL);
}

/* ---- fewer bytes ---- */

static size_t bytes_of(const char *path, const taco_pq_query *q, bool many, size_t rows,
                       size_t *rounds)
{
    counted c;
    answer a;
    taco_pq_file *f;
    size_t bytes;
    counted_load(&c, path);
    f = counted_open(&c, many, NULL);
    taco__file_release(f->part.file, f->tail.offset,
                       f->tail.len); /* what was guessed would hide all */
    f->tail.len = 0;
    counted_reset(&c);
    a = ask(f, q, false);
    CHECK_TEXT(a.err.text, "");
    CHECK(lines(&a) == rows);
    CHECK(c.twice == 0);
    *rounds = c.rounds;
    bytes = c.bytes;
    free(a.text.data);
    taco_pq_close(f);
    counted_free(&c);
    return bytes;
}

static void test_bytes(void)
{
    static const char *const one[] = {"noise"};
    taco_pq_query q;
    size_t rounds, n;
    int many;
    for (many = 0; many < 2; many++) {
        memset(&q, 0, sizeof q);
        q.columns = one;
        q.column_count = 1;
        q.first_row = 800;
        q.row_count = 1; /* one page of 1200 + 29 bytes, and the offset index */
        n = bytes_of(files[0], &q, many != 0, 1, &rounds);
        CHECK(n < 2000);
        CHECK(!many || rounds <= 2);
        q.row_count = 300;
        n = bytes_of(files[0], &q, many != 0, 300, &rounds);
        CHECK(n > 2400 && n < 4500);
        q.first_row = q.row_count = 0;
        q.where = "sorted = 1203"; /* one page of either column; indexes */
        n = bytes_of(files[0], &q, many != 0, 1, &rounds);
        CHECK(n < 6500);
        CHECK(!many || rounds <= 3); /* indexes, the predicate's pages, the rest */
        q.columns = NULL;
        n = bytes_of(files[0], &q, many != 0, 1, &rounds);
        CHECK(n < 20000);
        CHECK(!many || rounds <= 3);
    }
}

static void test_counts(void)
{
    taco_pq_query q;
    taco__scan_counts c;
    memset(&q, 0, sizeof q);
    q.where = "sorted = 1203";
    same(files[0], &q, &c);
    CHECK(c.groups == 2 && c.groups_pruned == 1 && c.pages == 8 && c.pages_pruned == 7);
    q.where = "noise = 550000000000"; /* inside the bounds, not in the filters */
    same(files[0], &q, &c);
    CHECK(c.groups == 2 && c.groups_pruned == 0 && c.bloom_pruned == 2);
    q.where = "few = 'cyan'"; /* between blue and green: the dictionary knows better */
    same(files[0], &q, &c);
    CHECK(c.groups_pruned == 1 && c.dictionary_pruned == 1);
    q.where = "id = 4001"; /* DuckDB's filter */
    same(files[2], &q, &c);
    CHECK(c.bloom_pruned + c.groups_pruned == c.groups && c.bloom_pruned >= 1);
}

/* Row groups before or after the rows that are wanted do not count. */
static void test_counted_groups(void)
{
    static const struct {
        uint64_t first, count, groups;
    } t[] = {{0, 1200, 1}, {1199, 1, 1}, {1199, 2, 2}, {1200, 1, 1}, {0, 1201, 2}, {2399, 1, 1}};

    taco_pq_query q;
    taco__scan_counts c;
    size_t i;
    memset(&q, 0, sizeof q);
    q.where = "sorted >= 0";
    for (i = 0; i < TACO__COUNT(t); i++) {
        q.first_row = t[i].first;
        q.row_count = t[i].count;
        same(files[0], &q, &c);
        CHECK(c.groups == t[i].groups);
    }
}

/* ---- the caller's conditions ---- */

typedef struct mod {
    int64_t by, at_least;
    size_t asked, rows;
} mod;

static bool mod_match(void *ctx, const taco_array *a, size_t rows, uint8_t *bits)
{
    mod *m = (mod *)ctx;
    size_t i;
    m->rows += rows;
    for (i = 0; i < rows; i++) {
        int64_t x = taco_array_int(a, i);
        if (taco_array_valid(a, i) && x % m->by == 0 && x >= m->at_least) {
            bits[i / 8] = (uint8_t)(bits[i / 8] | 1 << i % 8);
        }
    }
    return m->by != 0;
}

static bool mod_may(void *ctx, const taco_array *min, const taco_array *max)
{
    mod *m = (mod *)ctx;
    m->asked++;
    CHECK(!min || taco_array_int(min, 0) >= 0);
    return !max || taco_array_int(max, 0) >= m->at_least;
}

static bool red(void *ctx, const taco_array *a, size_t rows, uint8_t *bits)
{
    size_t i;
    (void)ctx;
    for (i = 0; i < rows; i++) {
        taco_bytes b = taco_array_bytes(a, i);
        if (b.len == 3 && memcmp(b.data, "red", 3) == 0) {
            bits[i / 8] = (uint8_t)(bits[i / 8] | 1 << i % 8);
        }
    }
    return true;
}

static void test_predicates(void)
{
    taco_pq_query q;
    taco_pq_predicate p[2];
    taco__scan_counts c;
    mod m = {30, 6900, 0, 0};
    counted file;
    taco_pq_file *f;
    answer a;
    memset(&q, 0, sizeof q);
    memset(p, 0, sizeof p);
    p[0].column = "sorted";
    p[0].ctx = &m;
    p[0].match = mod_match;
    p[0].may_match = mod_may;
    p[1].column = "few";
    p[1].match = red;
    q.predicates = p;
    q.predicate_count = 1;
    same(files[0], &q, &c);
    CHECK(c.groups_pruned == 1 && c.pages_pruned == 7 && m.asked > 0);
    q.predicate_count = 2;
    q.where = "sorted < 7000";
    same(files[0], &q, NULL);
    counted_load(&file, files[0]);
    f = counted_open(&file, false, NULL);
    a = ask(f, &q, false);
    CHECK(a.err.code == TACO_OK);
    free(a.text.data);
    p[1].column = "fewer";
    a = ask(f, &q, false);
    CHECK(a.err.code == TACO_ERR_NOT_FOUND);
    free(a.text.data);
    p[1].column = NULL;
    a = ask(f, &q, false);
    CHECK(a.err.code == TACO_ERR_ARGUMENT);
    free(a.text.data);
    taco_pq_close(f);
    counted_free(&file);
}

/* ---- indexes that lie ---- */

/* Changes every byte of the indexes and filters in turn: whatever comes out, it is in bounds, and
   row by row the truth unless an error says where it is not. */
static void test_damage(void)
{
    taco_pq_query q;
    counted c;
    taco_pq_file *f;
    answer a;
    size_t i, from, end, errors = 0;
    int k;
    memset(&q, 0, sizeof q);
    counted_load(&c, files[0]);
    f = counted_open(&c, false, NULL);
    from = (size_t)f->meta.groups[1].chunks[f->meta.leaf_count - 1].pages.offset +
           (size_t)f->meta.groups[1].chunks[f->meta.leaf_count - 1].pages.len;
    end = (size_t)f->meta.footer_offset;
    taco_pq_close(f);
    CHECK(from < end);
    for (i = from; i < end; i += 1 + (i % 3)) {
        for (k = 0; k < 2; k++) {
            uint8_t before = c.data[i];
            c.data[i] = (uint8_t)(k ? before ^ 1 : before + 0x11);
            q.where = i % 2 ? "sorted = 1203 and part is not null" : NULL;
            q.first_row = i % 2 ? 0 : 700 + i % 600;
            q.row_count = i % 2 ? 0 : 3;
            f = counted_open(&c, i % 4 == 0, NULL);
            a = ask(f, &q, false);
            if (a.err.code != TACO_OK) {
                errors++;
                CHECK(a.err.code == TACO_ERR_CORRUPT || a.err.code == TACO_ERR_TRUNCATED);
                CHECK(strstr(a.err.text, "column '") && strstr(a.err.text, "at byte"));
            } else if (!q.where) {
                CHECK(lines(&a) == 3);
            }
            free(a.text.data);
            taco_pq_close(f);
            c.data[i] = before;
        }
    }
    CHECK(errors > 0);
    counted_free(&c);
}

/* Rows whose values are all over a dictionary with far more entries than rows: each is tested on its
   own. */
static void test_large_dictionary(void)
{
    enum { VALUES = 5000 };

    static char text[VALUES * 12 + 1];
    static int32_t offsets[2 * VALUES + 1];
    taco_field f = taco__field_make("t", TACO_TEXT);
    taco_pq_write_options o;
    taco_array a;
    taco_batch b;
    taco_sink sink;
    taco_source src;
    taco_pq_writer *w;
    taco_pq_file *file;
    taco_pq_query q;
    answer got;
    taco_error e;
    int32_t i;
    for (i = 0; i < 2 * VALUES; i++) { /* in order, then in another one */
        offsets[i] = i * 6;
        snprintf(text + i * 6, 7, "v%05u",
                 (unsigned)(i < VALUES ? i : (i - VALUES) * 3571 % VALUES));
    }
    offsets[i] = i * 6;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    memset(&o, 0, sizeof o);
    memset(&q, 0, sizeof q);
    memset(&e, 0, sizeof e);
    a.field = &f;
    a.length = b.length = 2 * VALUES;
    a.offsets = offsets;
    a.v.any = text;
    b.columns = &a;
    b.column_count = 1;
    o.encoding = TACO_ENCODING_DICTIONARY;
    CHECK(taco_sink_memory(&sink, NULL, &e) == TACO_OK);
    w = taco_pq_write(&sink, &f, 1, &o, &e);
    CHECK(taco_pq_writer_batch(w, &b) == TACO_OK && taco_pq_writer_close(w, &e) == TACO_OK);
    taco_source_memory(&src, taco_sink_bytes(&sink).data, taco_sink_bytes(&sink).len);
    file = taco_pq_open_source(&src, "made", NULL, &e);
    q.where = "t <> 'v03571'";
    q.first_row = VALUES + 1;
    q.row_count = 3;
    got = ask(file, &q, false);
    CHECK_TEXT((const char *)got.text.data, "{\"t\":\"v02142\"}\n{\"t\":\"v00713\"}\n");
    CHECK_TEXT(got.err.text, "");
    free(got.text.data);
    taco_pq_close(file);
    taco_sink_free(&sink);
}

/* Writes `rows` numbers of each of n columns with bloom filters, `group` to a row group. */
static void write_blooms(counted *c, const taco_array *columns, size_t n, size_t rows,
                         uint32_t group)
{
    taco_field f[2];
    taco_pq_write_options o;
    taco_batch b;
    taco_sink sink;
    taco_pq_writer *w;
    size_t i;
    memset(&b, 0, sizeof b);
    memset(&o, 0, sizeof o);
    memset(c, 0, sizeof *c);
    for (i = 0; i < n; i++) {
        f[i] = *columns[i].field;
    }
    b.columns = columns;
    b.column_count = n;
    b.length = rows;
    o.bloom = true;
    o.row_group_rows = group;
    CHECK(taco_sink_memory(&sink, NULL, NULL) == TACO_OK);
    w = taco_pq_write(&sink, f, n, &o, NULL);
    CHECK(taco_pq_writer_batch(w, &b) == TACO_OK && taco_pq_writer_close(w, NULL) == TACO_OK);
    c->len = taco_sink_bytes(&sink).len;
    c->data = (uint8_t *)malloc(c->len);
    c->map = (uint8_t *)calloc(c->len, 1);
    memcpy(c->data, taco_sink_bytes(&sink).data, c->len);
    taco_sink_free(&sink);
}

/* A file of multiples of seven, with a bloom filter that is larger than what opening reads. */
static void write_multiples(counted *c)
{
    enum { ROWS = 120000 };

    taco_field f = taco__field_make("n", TACO_INT32);
    int32_t *v = (int32_t *)malloc(ROWS * sizeof *v), i;
    taco_array a;
    for (i = 0; i < ROWS; i++) {
        v[i] = i * 7;
    }
    memset(&a, 0, sizeof a);
    a.field = &f;
    a.length = ROWS;
    a.v.any = v;
    write_blooms(c, &a, 1, ROWS, 0);
    free(v);
}

/* Conditions on a column whose bloom filter is read and on another, whose bounds decide and differ
   between the row groups of a window. */
static void test_bounds_with_filters(void)
{
    enum { ROWS = 4000, GROUP = 1000 };

    static const struct {
        const char *where;
        size_t rows;
    } t[] = {{"a = 10 and b < 2000", 200},  {"a = 10 and b >= 2000", 200},
             {"a = 10 or b >= 3000", 1300}, {"a = 10 or b < 3000", 3100},
             {"a = 10 or b > 4000", 400},   {"a = 11 or b < 500", 500},
             {"not (a = 10) and b < 1", 1}, {"a = 11 and b < 2000", 0}};

    taco_field f[2];
    int32_t *v = (int32_t *)malloc(2 * ROWS * sizeof *v), i;
    taco_array a[2];
    taco_pq_query q;
    counted c;
    size_t k;
    f[0] = taco__field_make("a", TACO_INT32);
    f[1] = taco__field_make("b", TACO_INT32);
    memset(a, 0, sizeof a);
    memset(&q, 0, sizeof q);
    for (i = 0; i < ROWS; i++) {
        v[i] = (i + 1) % 10 * 2;
        v[ROWS + i] = i;
    }
    for (k = 0; k < 2; k++) {
        a[k].field = &f[k];
        a[k].length = ROWS;
        a[k].v.any = v + k * ROWS;
    }
    write_blooms(&c, a, 2, ROWS, GROUP);
    for (k = 0; k < TACO__COUNT(t); k++) {
        q.where = t[k].where;
        same_of(&c, "two columns", &q, t[k].rows, NULL);
    }
    counted_free(&c);
    free(v);
}

/* 2^30 numbers are 4 GiB, more than a size_t of 32 bits. */
static void test_many_matches(void)
{
    const size_t many = (size_t)1 << 30;
    const taco_status want = sizeof(size_t) == 4 ? TACO_ERR_MEMORY : TACO_ERR_LIMIT;
    taco__mem mem;
    taco__scan_matches m;
    taco_error e;
    taco__mem_init(&mem, NULL);
    mem.limit = (uint64_t)1 << 20;
    memset(&m, 0, sizeof m);
    memset(&e, 0, sizeof e);
    m.numbers.mem = &mem;
    CHECK(!taco__scan_matches_reserve(&m, many, &e) && e.code == want);
    CHECK(taco__scan_matches_add_run(&m, 5, many, NULL) && m.count == many && m.numbers.len == 0);
    memset(&e, 0, sizeof e);
    CHECK(!taco__scan_matches_add_run(&m, (uint32_t)many + 6, 1, &e) && e.code == want);
    memset(&e, 0, sizeof e);
    CHECK(!taco__scan_matches_reserve(&m, 1, &e) && e.code == want);
    taco__buf_free(&m.numbers);
}

/* Batches have 2^28 rows at most, whatever the caller asks for. */
static void test_batch_rows(void)
{
    static const size_t asked[] = {1, (size_t)1 << 28, ((size_t)1 << 28) + 1, SIZE_MAX};
    taco_pq_file *f = taco_pq_open(files[0], NULL, NULL);
    taco_pq_query q;
    size_t i;
    memset(&q, 0, sizeof q);
    for (i = 0; i < TACO__COUNT(asked); i++) {
        const size_t want = TACO__MIN(asked[i], (size_t)1 << 28);
        taco_pq_reader *r;
        q.batch_rows = asked[i];
        r = taco_pq_read(f, &q, NULL);
        CHECK(r && r->scan.query.batch_rows == want);
        taco__scan_set_batch_rows(&r->scan, 7);
        taco__scan_set_batch_rows(&r->scan, asked[i]);
        CHECK(r->scan.query.batch_rows == want);
        taco_pq_reader_close(r, NULL);
    }
    taco_pq_close(f);
}

/* A bloom filter that cannot be read is an error, not one that is not there: neither its header nor
   the block that a value falls into. */
static void test_unread_filter(void)
{
    taco_pq_query q;
    counted c;
    int part;
    memset(&q, 0, sizeof q);
    q.where = "n = 5"; /* inside the bounds, not in the filter */
    write_multiples(&c);
    for (part = 0; part < 3; part++) { /* all of it can be read, but for the header, the blocks */
        taco_pq_file *f = counted_open(&c, false, NULL);
        taco__range bloom = f->meta.groups[0].chunks[0].bloom;
        answer a;
        CHECK(bloom.len > 100000 && bloom.len < c.len);
        c.lost.offset = bloom.offset + (part == 2 ? 4096 : 0);
        c.lost.len = part == 2 ? bloom.len - 4096 : (uint64_t)part;
        a = ask(f, &q, false);
        if (part == 0) {
            CHECK_TEXT(a.err.text, "");
            CHECK(lines(&a) == 0 && a.counts.bloom_pruned == 1);
        } else {
            CHECK(a.err.code == TACO_ERR_IO);
            CHECK(strncmp(a.err.text, "made: row group 0: ", 19) == 0);
        }
        c.lost.len = 0;
        free(a.text.data);
        taco_pq_close(f);
    }
    counted_free(&c);
}

/* The offset index of a column says that a page has a row less than it has. */
static void test_contradiction(void)
{
    taco_pq_query q;
    counted c;
    taco_pq_file *f;
    answer a;
    bool ok;
    static const char *const columns[] = {"noise", "list"};
    int k;
    for (k = 0; k < 3;
         k++) { /* the list of the third file is too small to have its index looked at */
        memset(&q, 0, sizeof q);
        q.columns = &columns[k & 1];
        q.column_count = 1;
        q.first_row = 400;
        q.row_count = 160;
        counted_load(&c, files[k / 2]);
        f = counted_open(&c, false, NULL);
        taco__page_index_offsets(f, 0, k & 1 ? f->meta.nodes[5].leaf : f->meta.nodes[1].leaf, &ok,
                                 NULL);
        f->indexes[0][k & 1 ? f->meta.nodes[5].leaf : f->meta.nodes[1].leaf]
            .offsets.page[3]
            .first_row--;
        a = ask(f, &q, false);
        CHECK(a.err.code == TACO_ERR_CORRUPT);
        CHECK(strstr(a.err.text, "offset index") != NULL);
        CHECK(strstr(a.err.text, "row group 0") && strstr(a.err.text, "page"));
        free(a.text.data);
        taco_pq_close(f);
        counted_free(&c);
    }
}

int main(void)
{
    RUN(test_conditions);
    RUN(test_windows);
    RUN(test_ranges);
    RUN(test_bytes);
    RUN(test_counts);
    RUN(test_counted_groups);
    RUN(test_predicates);
    RUN(test_damage);
    RUN(test_bounds_with_filters);
    RUN(test_many_matches);
    RUN(test_batch_rows);
    RUN(test_unread_filter);
    RUN(test_large_dictionary);
    RUN(test_contradiction);
    return test_end("test_prune");
}
