/* parquet_inspect/verify*.c: good files, and files with one fault each. tests/data/pages_*.parquet
   have 2 row groups, many pages, page indexes and statistics of all kinds; one has page CRCs, the
   other has version 2 pages. */
#define TACO__VERIFY_TASK_LEAST ((uint64_t)1) /* tasks for small files, too */
#include "../src/parquet_inspect/verify_tasks.c"
#include "../src/base/base.h"
#include "../src/parquet_inspect/inspect.h"
#include "../src/parquet_write/parquet_write.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_inspect.h"
#include "../extra/taco_parquet_write.h"
#include "test.h"

#include "footer.h"
#include "alloc.h"
#include "make.h"

static uint8_t *bytes; /* the file at hand, to be damaged */
static size_t size;

static void load(const char *path)
{
    FILE *f = fopen(path, "rb");
    free(bytes);
    bytes = NULL;
    size = 0;
    CHECK(f != NULL);
    if (f) {
        bytes = (uint8_t *)malloc(1 << 16);
        size = fread(bytes, 1, 1 << 16, f);
        fclose(f);
    }
    CHECK(size > 100 && size < 1 << 16);
}

static taco_pq_file *open_bytes(taco_error *err)
{
    taco_source src;
    memset(err, 0, sizeof *err);
    taco_source_memory(&src, bytes, size);
    return taco_pq_open_source(&src, "x", NULL, err);
}

typedef struct findings {
    size_t faults, warnings;
    taco_error first_fault, first_warning;
} findings;

static bool find(void *ctx, bool fault, const taco_error *what)
{
    findings *f = (findings *)ctx;
    CHECK(what->code != TACO_OK && what->text[0]);
    if (fault && f->faults++ == 0) { f->first_fault = *what; }
    if (!fault && f->warnings++ == 0) { f->first_warning = *what; }
    return true;
}

static findings verify(taco_pq_checked *sum)
{
    taco_error err;
    findings f;
    taco_status status;
    taco_pq_file *file = open_bytes(&err);
    memset(&f, 0, sizeof f);
    memset(sum, 0, sizeof *sum);
    if (!file) {
        f.faults = 1;
        f.first_fault = err;
        return f;
    }
    status = taco_pq_verify(file, find, &f, sum, &err);
    CHECK(status == err.code && (status == TACO_OK) == (f.faults == 0));
    CHECK(sum->faults == f.faults && sum->warnings == f.warnings);
    CHECK(!f.faults || strcmp(err.text, f.first_fault.text) == 0);
    taco_pq_close(file);
    return f;
}

/* One fault, or with `warning` one or more warnings and no fault, whose text begins so. */
static void expect(const char *want, bool warning)
{
    taco_pq_checked sum;
    findings f = verify(&sum);
    taco_error *e = warning ? &f.first_warning : &f.first_fault;
    CHECK(warning ? f.faults == 0 && f.warnings > 0 : f.faults == 1);
    if (strncmp(e->text, want, strlen(want)) != 0) { CHECK_TEXT(e->text, want); }
}

/* What the footer says of a chunk, read from a file that is not damaged; slices count from the
   file's first byte. */
static taco__pq_column_chunk find_chunk(uint32_t group, const char *path, size_t *min, size_t *max)
{
    taco_error err;
    taco__pq_column_chunk c;
    char text[80];
    uint32_t i;
    taco_pq_file *f = open_bytes(&err);
    memset(&c, 0, sizeof c);
    for (i = 0; f && i < f->meta.leaf_count; i++) {
        taco_bytes p = taco__schema_path(&f->meta, f->meta.leaves[i].element, text, sizeof text);
        if (taco__bytes_equal(p, taco__bytes_text(path))) {
            c = f->meta.groups[group].chunks[i];
            *min = (size_t)f->meta.footer_offset + (size_t)(c.stats.min.data - f->footer.data);
            *max = (size_t)f->meta.footer_offset + (size_t)(c.stats.max.data - f->footer.data);
        }
    }
    taco_pq_close(f);
    CHECK(c.pages.len > 0);
    return c;
}

static void good(void)
{
    static const char *const files[] = {"tests/data/pages_crc.parquet",
                                        "tests/data/pages_v2.parquet"};
    size_t i;
    for (i = 0; i < 2; i++) {
        taco_pq_checked sum;
        findings f;
        load(files[i]);
        f = verify(&sum);
        CHECK_TEXT(f.first_fault.text, "");
        CHECK_TEXT(f.first_warning.text, "");
        CHECK(sum.rows == 120 && sum.row_groups == 2 && sum.chunks == 18 && sum.skipped == 0);
        CHECK(sum.pages > 30 && sum.values > 9 * 120 && sum.crcs == (i ? 0 : sum.pages));
    }
    CHECK(taco_pq_verify(NULL, NULL, NULL, NULL, NULL) == TACO_ERR_ARGUMENT);
}

/* A byte of a page that has a CRC never changes unseen. */
static void crcs(void)
{
    size_t at, seen = 0, min, max;
    load("tests/data/pages_crc.parquet");
    for (at = 4; at < size; at += 13) {
        taco_pq_checked sum;
        findings f;
        bytes[at] ^= 0x20;
        f = verify(&sum);
        seen += f.faults && f.first_fault.code == TACO_ERR_CHECKSUM;
        bytes[at] ^= 0x20;
    }
    CHECK(seen > 100);
    {
        taco__pq_column_chunk c = find_chunk(0, "b", &min, &max);
        bytes[c.pages.offset + c.pages.len - 1] ^= 1;
        expect("x: row group 0, column 'b': at byte ", false);
    }
}

/* Any damage to a file without CRCs: found or not, but nothing breaks. */
static void damage(void)
{
    size_t at, k;
    load("tests/data/pages_v2.parquet");
    for (k = 0; k < 2; k++) {
        for (at = 4; at < size; at += 5) {
            taco_pq_checked sum;
            uint8_t was = bytes[at];
            bytes[at] = (uint8_t)(k ? 0xFF : was ^ 1U << at % 8);
            verify(&sum);
            bytes[at] = was;
        }
    }
}

static void statistics(void)
{
    size_t min = 0, max = 0;
    taco__pq_column_chunk c;
    load("tests/data/pages_v2.parquet");
    c = find_chunk(0, "i", &min, &max);
    CHECK(c.stats.null_count == 5);
    bytes[max] = 0; /* 137 = 0x89 becomes 0 */
    expect("x: row group 0, column 'i': at byte ", true);
    load("tests/data/pages_v2.parquet");
    find_chunk(1, "s", &min, &max);
    memcpy(bytes + min, "v020", 4);
    expect("x: row group 1, column 's': at byte ", true);
    load("tests/data/pages_v2.parquet");
    find_chunk(0, "d", &min, &max); /* -0.77, big-endian */
    bytes[min + 3]++;
    {
        taco_pq_checked sum;
        findings f = verify(&sum);
        CHECK(f.faults == 0 && f.warnings == 1);
        CHECK(strstr(f.first_warning.text,
                     ": the value '-0.77' is below '-0.76', the minimum of its "
                     "statistics") != NULL);
    }
    load("tests/data/pages_v2.parquet");
    find_chunk(0, "h", &min, &max);
    bytes[max + 1]--;
    expect("x: row group 0, column 'h': at byte ", true);
    load("tests/data/pages_v2.parquet");
    find_chunk(0, "x", &min, &max);
    bytes[min]++;
    expect("x: row group 0, column 'x': at byte ", true);
}

/* The indexes against the pages. Both begin with a field header and a list header of one byte
   each. */
static void indexes(void)
{
    size_t min, max, i, patched = 0;
    taco__pq_column_chunk c;
    taco_pq_checked sum;
    findings f;
    load("tests/data/pages_v2.parquet");
    c = find_chunk(0, "u", &min, &max);
    for (i = 0; i < c.column_index.len; i++) { /* the first page's maximum: 141, as INT32 */
        uint8_t *p = bytes + c.column_index.offset + i;
        if (taco__load_le32(p) == 141) {
            p[0] = 40;
            patched++;
            break;
        }
    }
    CHECK(patched == 1);
    f = verify(&sum);
    CHECK(f.faults == 0 && f.warnings == 1);
    CHECK(strstr(f.first_warning.text,
                 "the value '42' is above '40', the maximum of its column index"));
    load("tests/data/pages_v2.parquet");
    c = find_chunk(0, "u", &min, &max);
    /* the second page begins at row 48 */
    for (i = 0, patched = 0; i < c.offset_index.len; i++) {
        uint8_t *p = bytes + c.offset_index.offset + i;
        if (p[0] == 0x16 && p[1] == 96) {
            p[1] = 98;
            patched++;
            break;
        }
    }
    CHECK(patched == 1);
    f = verify(&sum);
    CHECK(f.faults == 1 && f.first_fault.code == TACO_ERR_CORRUPT);
    CHECK(strstr(f.first_fault.text, "with row 48, the offset index has it at byte ") != NULL);
    CHECK(strstr(f.first_fault.text, " and row 49") != NULL);
    CHECK(sum.chunks == 17); /* the others were read all the same */
}

/* The page of pages_v2.parquet whose repetition levels (5 bytes) and definition levels begin so. */
static uint8_t *find_levels(const char *begin)
{
    size_t min, max, i;
    taco__pq_column_chunk c;
    load("tests/data/pages_v2.parquet");
    c = find_chunk(0, "l.list.element", &min, &max);
    for (i = 0; i + 7 <= c.pages.len; i++) {
        if (memcmp(bytes + c.pages.offset + i, begin, 7) == 0) {
            return bytes + c.pages.offset + i;
        }
    }
    CHECK(false);
    return bytes;
}

/* Levels that a page cannot have end their chunk, each for its own reason. Both sections are
   bit-packed runs of 32 entries. */
static void levels(void)
{
    static const char first[] = "\x09\x68\x34\x1a\x8d\x09\xfd",
                      second[] = "\x09\x46\x23\x34\x1a\x09\x7f";
    static const char *const want[] = {"level 4, the column's maximum is 3",
                                       "a row begins with a repetition level that is not 0",
                                       "page begins inside a row, the offset index needs it"};
    size_t i;
    for (i = 0; i < 3; i++) {
        taco_pq_checked sum;
        findings f;
        uint8_t *p = find_levels(i == 2 ? second : first);
        if (i == 0) {
            memcpy(p + 5, "\x40\x04", 2); /* 32 times 4 */
        } else {
            p[1] |= 1;
        }
        f = verify(&sum);
        CHECK(f.faults == 1 && f.warnings == 0 && f.first_fault.code == TACO_ERR_CORRUPT);
        CHECK(strstr(f.first_fault.text, "column 'l.list.element': at byte ") != NULL);
        CHECK(strstr(f.first_fault.text, want[i]) != NULL);
        CHECK(sum.chunks == 17);
    }
}

static taco_field int32_field(const char *name)
{
    taco_field f;
    memset(&f, 0, sizeof f);
    f.name = name;
    f.type = TACO_INT32;
    f.width = 4;
    return f;
}

static taco_array array_of(const taco_field *f, const int32_t *v, size_t rows)
{
    taco_array a;
    memset(&a, 0, sizeof a);
    a.field = f;
    a.length = rows;
    a.v.any = v;
    return a;
}

/* A file of these columns in pages of 100 rows, with bloom filters; into `bytes`. */
static void write_rows(const taco_field *f, const taco_array *a, size_t columns)
{
    taco_batch b;
    taco_pq_write_options o;
    taco_sink sink;
    taco_pq_writer *w;
    memset(&b, 0, sizeof b);
    memset(&o, 0, sizeof o);
    b.length = a->length;
    b.columns = a;
    b.column_count = columns;
    o.bloom = true;
    o.page_rows = 100;
    CHECK(taco_sink_memory(&sink, NULL, NULL) == TACO_OK);
    w = taco_pq_write(&sink, f, columns, &o, NULL);
    taco_pq_writer_batch(w, &b);
    CHECK(taco_pq_writer_close(w, NULL) == TACO_OK);
    free(bytes);
    size = taco_sink_bytes(&sink).len;
    bytes = (uint8_t *)malloc(size);
    memcpy(bytes, taco_sink_bytes(&sink).data, size);
    taco_sink_free(&sink);
}

enum { NUMBERS = 20000 };

static const int32_t *ascending_numbers(void)
{
    static int32_t v[NUMBERS];
    size_t i;
    for (i = 0; i < NUMBERS; i++) {
        v[i] = (int32_t)i * 7;
    }
    return v;
}

/* Ten pages. */
static void ascending(void)
{
    taco_field f = int32_field("n");
    taco_array a = array_of(&f, ascending_numbers(), 1000);
    write_rows(&f, &a, 1);
}

static void filters_and_order(void)
{
    size_t min, max, i;
    taco__pq_column_chunk c;
    taco_pq_checked sum;
    findings f;
    ascending();
    f = verify(&sum);
    CHECK(f.faults == 0 && f.warnings == 0 && sum.pages == 10);
    c = find_chunk(0, "n", &min, &max);
    memset(bytes + c.bloom.offset + c.bloom.len - 2048, 0, 2048);
    expect("x: row group 0, column 'n': at byte ", true);
    f = verify(&sum); /* of many values one is named */
    CHECK(f.warnings == 1 && sum.warnings == 1);
    CHECK(strstr(f.first_warning.text, "the value '0' is not in the bloom filter"));
    bytes[c.bloom.offset] = 0xFF;
    CHECK(strstr(verify(&sum).first_warning.text, "the bloom filter cannot be read"));
    ascending();
    for (i = (size_t)c.column_index.offset; i < c.column_index.offset + c.column_index.len; i++) {
        /* BoundaryOrder */
        bytes[i + 1] = bytes[i] == 0x15 && bytes[i + 1] == 2 ? 4 : bytes[i + 1];
    }
    CHECK(strstr(verify(&sum).first_warning.text,
                 "bounds of pages 0 and 1, which the column index calls descending, are not"));
}

static bool stop(void *ctx, bool fault, const taco_error *what)
{
    (void)fault;
    (void)what;
    ++*(int *)ctx;
    return false;
}

/* Who returns false, or gives no function, sees one fault. */
static void stopping(void)
{
    size_t min, max;
    taco__pq_column_chunk c;
    taco_error err;
    taco_pq_checked sum;
    taco_pq_file *file;
    int calls = 0;
    load("tests/data/pages_crc.parquet");
    c = find_chunk(0, "i", &min, &max);
    bytes[c.pages.offset + c.pages.len - 1] ^= 1;
    c = find_chunk(1, "x", &min, &max);
    bytes[c.pages.offset + c.pages.len - 1] ^= 1;
    file = open_bytes(&err);
    CHECK(taco_pq_verify(file, stop, &calls, &sum, &err) == TACO_ERR_CHECKSUM && calls == 1);
    CHECK(err.code == TACO_ERR_CHECKSUM && sum.faults == 1 && sum.chunks == 0);
    memset(&err, 0, sizeof err);
    CHECK(taco_pq_verify(file, NULL, NULL, &sum, &err) == TACO_ERR_CHECKSUM && sum.faults == 1);
    taco_pq_close(file);
}

/* The bounds in a page's header are kept while its body, which is longer than the window that both
   are read through, takes their place. */
static void narrow_window(void)
{
    const size_t rows = 200000;
    int64_t *number = (int64_t *)calloc(rows, sizeof *number);
    mk_col column = mk_i64("number", number);
    mk_buf b;
    taco_error err;
    taco_pq_checked sum;
    taco_source src;
    taco_pq_file *file;
    findings f;
    size_t i;
    for (i = 0; i < rows; i++) {
        number[i] = (int64_t)i - 1000;
    }
    column.page_bounds = true;
    b = mk_parquet(&column, 1, rows, rows);
    memset(&err, 0, sizeof err);
    memset(&f, 0, sizeof f);
    taco_source_memory(&src, b.data, b.len);
    src.view = NULL;
    file = taco_pq_open_source(&src, "x", NULL, &err);
    CHECK(taco_pq_verify(file, find, &f, &sum, &err) == TACO_OK);
    CHECK(sum.values == rows && f.warnings == 0);
    CHECK_TEXT(f.first_warning.text, "");
    taco_pq_close(file);
    free(b.data);
    free(number);
}

static void meta_text(void)
{
    taco_error err;
    taco_bytes t;
    char *copy;
    taco_pq_file *file;
    load("tests/data/pages_crc.parquet");
    file = open_bytes(&err);
    t = taco_pq_meta_text(file, &err);
    copy = (char *)malloc(t.len + 1);
    memcpy(copy, t.data, t.len);
    copy[t.len] = 0;
    CHECK(strstr(copy, "120 rows, 9 columns, 2 row groups\nwritten by parquet-cpp-arrow ") != NULL);
    CHECK(strstr(copy, "\nrow group 1: 40 rows, ") != NULL);
    CHECK(strstr(copy, "\n  l.list.element  INT64       UNCOMPRESSED  ") != NULL);
    CHECK(strstr(copy, "  \"-0.77\" .. \"0.02\"  nulls 0  page index\n") != NULL);
    free(copy);
    CHECK(taco_pq_meta_text(NULL, &err).data == NULL);
    taco_pq_close(file);
}

static size_t tasks_run, rounds;

/* Runs parts of a loop in an order that no pool would choose. */
static void backwards(void *ctx, size_t n, void (*task)(void *arg, size_t i), void *arg)
{
    (void)ctx;
    tasks_run += n;
    while (n--) {
        task(arg, n);
    }
}

/* All findings as text, at most so many. */
typedef struct told {
    mk_buf text;
    size_t left;
    taco_pq_checked sum;
    taco_error err;
} told;

static bool note_finding(void *ctx, bool fault, const taco_error *what)
{
    told *t = (told *)ctx;
    mk_add(&t->text, fault ? "fault " : "warning ", fault ? 6 : 8);
    mk_add(&t->text, what->text, strlen(what->text) + 1);
    return --t->left > 0;
}

static told tell_all(bool tasks, size_t most)
{
    told t;
    taco_options opt;
    taco_source src;
    taco_pq_file *file;
    memset(&t, 0, sizeof t);
    memset(&opt, 0, sizeof opt);
    opt.parallel_for = tasks ? backwards : NULL;
    t.left = most;
    taco_source_memory(&src, bytes, size);
    file = taco_pq_open_source(&src, "x", &opt, &t.err);
    taco_pq_verify(file, note_finding, &t, &t.sum, &t.err);
    taco_pq_close(file);
    return t;
}

/* Tasks find and count the same as the calling thread alone, in the same order. */
static void same_with_tasks(void)
{
    static const size_t most[] = {1, 2, 1000};
    taco__pq_column_chunk c;
    size_t way, i, min, max;
    for (way = 0; way < 4; way++) {
        load(way & 1 ? "tests/data/pages_v2.parquet" : "tests/data/pages_crc.parquet");
        if (way & 2) {
            find_chunk(0, "i", &min, &max); /* values above the maximum */
            bytes[max] = 0;
            find_chunk(1, "s", &min, &max);
            memcpy(bytes + min, "v020", 4);
            c = find_chunk(1, "x", &min, &max);
            bytes[c.pages.offset + 1] = 0xFF; /* no page header */
        }
        for (i = 0; i < TACO__COUNT(most); i++) {
            told alone = tell_all(false, most[i]), tasks;
            tasks_run = 0;
            tasks = tell_all(true, most[i]);
            CHECK(tasks_run == (TACO__WITH_TASKS ? 18 : 0)); /* 9 columns, 2 row groups */
            CHECK(memcmp(&alone.sum, &tasks.sum, sizeof alone.sum) == 0);
            CHECK_TEXT(tasks.err.text, alone.err.text);
            CHECK((alone.text.len > 0) == (way >= 2));
            CHECK(
                alone.text.len == tasks.text.len &&
                (!alone.text.len || memcmp(alone.text.data, tasks.text.data, alone.text.len) == 0));
            free(alone.text.data);
            free(tasks.text.data);
        }
    }
}

/* A source without a view that counts who reads one byte. */
typedef struct watched {
    uint64_t at;
    size_t reads;
} watched;

static bool watched_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    watched *w = (watched *)ctx;
    w->reads += w->at >= offset && w->at - offset < len;
    memcpy(dst, bytes + (size_t)offset, len);
    return true;
}

/* How often a byte of the first page of chunk `at` is read. Nothing says how long the bloom filter
   of chunk 3 is. */
static size_t reads_of(size_t at, bool tasks)
{
    watched w = {0, 0};
    taco_options opt;
    taco_source src;
    taco_error e = {0, TACO_OK, 0, {0}};
    taco_pq_checked sum;
    findings f;
    taco_pq_file *file;
    memset(&f, 0, sizeof f);
    memset(&opt, 0, sizeof opt);
    memset(&src, 0, sizeof src);
    opt.parallel_for = tasks ? backwards : NULL;
    src.ctx = &w;
    src.size = size;
    src.read = watched_read;
    file = taco_pq_open_source(&src, "x", &opt, &e);
    CHECK(file && file->meta.leaf_count == 4);
    if (file) {
        file->meta.groups[0].chunks[3].bloom.len = UINT64_MAX;
        w.at = file->meta.groups[0].chunks[at].pages.offset;
        w.reads = 0;
        CHECK(taco_pq_verify(file, find, &f, &sum, &e) == TACO_OK);
        CHECK(f.warnings == 0 && sum.chunks == 4 && sum.values == 4 * NUMBERS);
    }
    taco_pq_close(file);
    return w.reads;
}

/* A struct that can be no task, as its second field is not known to the end: its first one is not
   fetched with the round, and is read as often as without tasks. */
static void fetched_once(void)
{
    taco_field f[3], part[2];
    taco_array a[3], parts[2];
    size_t i;
    part[0] = int32_field("x");
    part[1] = int32_field("y");
    f[0] = int32_field("a");
    f[1] = int32_field("b");
    f[2] = int32_field("s");
    f[2].type = TACO_STRUCT;
    f[2].width = 0;
    f[2].children = part;
    f[2].child_count = 2;
    for (i = 0; i < 2; i++) {
        a[i] = array_of(&f[i], ascending_numbers(), NUMBERS);
        parts[i] = array_of(&part[i], ascending_numbers(), NUMBERS);
    }
    a[2] = array_of(&f[2], NULL, NUMBERS);
    a[2].children = parts;
    write_rows(f, a, 3);
    tasks_run = 0;
    for (i = 0; i < 3; i += 2) { /* a and x */
        const size_t alone = reads_of(i, false);
        CHECK(alone > 0 && reads_of(i, true) == alone);
    }
    CHECK(tasks_run == (TACO__WITH_TASKS ? 2 * 2 : 0)); /* a and b, twice */
}

/* All that is said of a file, whatever its bytes are: there, or an error. */
static bool say_all(const taco_options *opt)
{
    taco_error err;
    taco_source src;
    taco_pq_file *file;
    taco_pq_checked sum;
    findings f;
    int i;
    memset(&err, 0, sizeof err);
    memset(&f, 0, sizeof f);
    taco_source_memory(&src, bytes, size);
    file = taco_pq_open_source(&src, "x", opt, &err);
    CHECK(file || err.text[0]);
    for (i = 0; file && i < 3; i++) {
        taco_bytes t;
        memset(&err, 0, sizeof err);
        t = i == 0   ? taco_pq_schema_text(file, &err)
            : i == 1 ? taco_pq_meta_json(file, &err)
                     : taco_pq_meta_text(file, &err);
        CHECK((t.data != NULL) == (err.code == TACO_OK) && (t.data || err.text[0]));
    }
    memset(&err, 0, sizeof err);
    if (file) {
        CHECK(taco_pq_verify(file, find, &f, &sum, &err) == err.code);
        CHECK((err.code == TACO_OK) == (f.faults == 0) || err.code == TACO_ERR_MEMORY);
    }
    taco_pq_close(file);
    return file && err.code == TACO_OK;
}

/* Bytes of a footer, of indexes and of pages are others, one or two at a time. */
static void other_bytes(void)
{
    static const char *const files[] = {"tests/data/pages_crc.parquet",
                                        "tests/data/pages_v2.parquet", "tests/data/crc.parquet",
                                        "tests/data/brotli.parquet"};
    taco_options opt;
    size_t i, at, valid = 0, points = 0, step;
    uint32_t x = 1;
    memset(&opt, 0, sizeof opt);
    opt.parallel_width = 3;
    for (i = 0; i < 4; i++) {
        load(files[i]);
        step = size > 5000 ? 7 : 1;
        for (at = 0; at < size; at += step) {
            uint8_t first = bytes[at];
            x = x * 1664525U + 1013904223U;
            bytes[at] = (uint8_t)(x >> 30 == 0   ? bytes[at] ^ 1U << (x >> 24 & 7)
                                  : x >> 30 == 1 ? bytes[at] + 2U
                                  : x >> 30 == 2 ? 0U
                                                 : x >> 22);
            opt.parallel_for = points % 3 == 0 ? backwards : NULL;
            valid += say_all(&opt);
            points++;
            bytes[at] = first;
        }
        CHECK(i == 3 || say_all(&opt)); /* without its codec */
    }
    CHECK(valid > points / 50 && valid < points);
    printf("%u of %u files with another byte are valid\n", (unsigned)valid, (unsigned)points);
}

/* Memory fails once, at every call. */
static void memory_fails(void)
{
    taco_options opt;
    taco_allocator a;
    test_memory m;
    size_t n;
    int tasks;
    load("tests/data/pages_crc.parquet");
    for (tasks = 0; tasks < 2; tasks++) {
        for (n = 1;; n++) {
            bool done;
            test_counted(&opt, &a, &m);
            opt.parallel_for = tasks ? backwards : NULL;
            m.fail_at = n;
            done = say_all(&opt);
            CHECK(m.live == 0);
            if (done && m.calls < n) { break; }
        }
    }
}

/* Runs a round whose first task has no memory, unless memory fails elsewhere. */
static void short_once(void *ctx, size_t n, void (*task)(void *arg, size_t i), void *arg)
{
    test_memory *m = (test_memory *)ctx;
    if (!m->fail_at) { m->fail_at = m->calls + 1; }
    rounds++;
    backwards(ctx, n, task, arg);
}

/* A round with a task without memory is the last: the calling thread does the rest. */
static void last_round(void)
{
    taco_options opt;
    taco_allocator allocator;
    test_memory m;
    taco_field f[TACO__VERIFY_TASKS + 2];
    taco_array a[TACO__COUNT(f)];
    size_t i;
    for (i = 0; i < TACO__COUNT(f); i++) {
        f[i] = int32_field("a");
        a[i] = array_of(&f[i], ascending_numbers(), 10);
    }
    write_rows(f, a, TACO__COUNT(f));
    for (i = 0; i < 2; i++) {
        watched w = {0, 0};
        taco_source src;
        taco_error e = {0, TACO_OK, 0, {0}};
        taco_pq_checked sum;
        taco_pq_file *file;
        test_counted(&opt, &allocator, &m);
        opt.parallel_for = short_once;
        opt.parallel_ctx = &m;
        m.fail_at = i ? 0 : SIZE_MAX;
        memset(&src, 0, sizeof src);
        src.ctx = &w;
        src.size = size;
        src.read = watched_read;
        rounds = 0;
        file = taco_pq_open_source(&src, "x", &opt, &e);
        CHECK(taco_pq_verify(file, NULL, NULL, &sum, &e) == TACO_OK);
        CHECK(sum.chunks == TACO__COUNT(f) && rounds == (TACO__WITH_TASKS ? 2 - i : 0));
        taco_pq_close(file);
        CHECK(m.live == 0);
    }
}

int main(void)
{
    RUN(good);
    RUN(crcs);
    RUN(damage);
    RUN(statistics);
    RUN(indexes);
    RUN(levels);
    RUN(filters_and_order);
    RUN(stopping);
    RUN(narrow_window);
    RUN(meta_text);
    RUN(same_with_tasks);
    RUN(fetched_once);
    RUN(other_bytes);
    RUN(memory_fails);
    RUN(last_round);
    free(bytes);
    return test_end("test_verify");
}
