/* taco_shard, taco_query.row_from, taco_shuffle, taco_loader: every row in exactly one part, the
   same order for all ranks, the same payloads as taco_payload, and an order that can resume
   anywhere. */
#include "../src/dataset/loader.c"
#include "../extra/taco_write.h"

#include "alloc.h"
#include "test.h"

#include "footer.h"
#include "make.h"

#define ROWS 1000

static taco_error err;
static taco_sink made;

static taco_error *fresh(void)
{
    memset(&err, 0, sizeof err);
    return &err;
}

/* The payload of a row: its number, as often as its size says. */
static size_t payload(int row, char *out)
{
    size_t n = (size_t)(row * 7919 % 50);
    memset(out, row % 256, n);
    return n;
}

/* An archive of ROWS samples in row groups of 100, column v = row % 10. */
static taco_bytes make(void)
{
    static const char collection[] =
        "{\"id\": \"d\", \"dataset_version\": \"1.0.0\", \"description\": \"d\", \"licenses\":"
        " [\"CC-BY-4.0\"], \"providers\": [{\"name\": \"N\"}], \"tasks\": [\"other\"]}";
    taco_create_options how;
    taco_writer *w;
    char id[16], bytes[64];
    int i;
    memset(&how, 0, sizeof how);
    how.row_group_rows = 100;
    CHECK(taco_sink_memory(&made, NULL, fresh()) == TACO_OK);
    w = taco_create_sink(&made, &how, &err);
    taco_writer_collection(w, collection, sizeof collection - 1);
    taco_writer_column(w, 0, "v", TACO_INT64);
    for (i = 0; i < ROWS; i++) {
        snprintf(id, sizeof id, "s%04d", i);
        taco_writer_bytes(w, id, bytes, payload(i, bytes));
        taco_writer_set_int(w, "v", i % 10);
    }
    CHECK(taco_writer_finish(w, &err) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
    return taco_sink_bytes(&made);
}

static taco_dataset *open_made(const taco_options *opt)
{
    taco_source src;
    taco_bytes b = taco_sink_bytes(&made);
    taco_dataset *ds;
    taco_source_memory(&src, b.data, b.len);
    ds = taco_open_source(&src, "made.tacozip", opt, fresh());
    CHECK(ds != NULL);
    return ds;
}

/* The ids of a query's rows, one after the other, appended to a text. */
static int64_t ids(taco_dataset *ds, const taco_query *q, char *text)
{
    taco_cursor *row = taco_select(ds, q, fresh());
    int64_t n = 0;
    while (taco_cursor_next(row)) {
        strcat(text, taco_cursor_text(row, "id"));
        n++;
    }
    CHECK(taco_cursor_close(row, &err) == TACO_OK);
    return n;
}

/* ---- parts ---- */

/* The parts of all ranks are the rows of the query; the largest and smallest differ by `most`. */
static void check_parts(taco_dataset *ds, const taco_query *q, taco_shard_by by, uint32_t size,
                        int64_t most)
{
    static char want[8 * ROWS], got[8 * ROWS];
    taco_query part;
    uint32_t rank;
    int64_t n, least = ROWS, largest = 0;
    want[0] = got[0] = 0;
    ids(ds, q, want);
    for (rank = 0; rank < size; rank++) {
        CHECK(taco_shard(ds, q, by, rank, size, &part, fresh()) == TACO_OK);
        n = ids(ds, &part, got);
        least = n < least ? n : least;
        largest = n > largest ? n : largest;
    }
    CHECK(strcmp(want, got) == 0);
    CHECK(largest - least <= most);
}

static void test_shard(void)
{
    taco_dataset *ds = open_made(NULL);
    taco_query q, part;
    uint32_t size;
    memset(&q, 0, sizeof q);
    for (size = 1; size < 9; size++) {
        check_parts(ds, NULL, TACO_SHARD_ROWS, size, 1);
        check_parts(ds, NULL, TACO_SHARD_BYTES, size, ROWS / size); /* sizes vary */
    }
    q.where = "v = 3";
    check_parts(ds, &q, TACO_SHARD_ROWS, 3, 1);
    check_parts(ds, &q, TACO_SHARD_BYTES, 3, 40);
    q.where = "v = 77";
    check_parts(ds, &q, TACO_SHARD_BYTES, 3, 0);
    check_parts(ds, NULL, TACO_SHARD_ROWS, 1500, 1); /* more ranks than rows */
    q.where = NULL;
    q.order = "id";
    CHECK(taco_shard(ds, &q, TACO_SHARD_ROWS, 0, 2, &part, fresh()) == TACO_ERR_ARGUMENT);
    CHECK_TEXT(taco_error_text(&err),
               "a query with order cannot be split: its parts are rows in storage order");
    q.order = NULL;
    q.limit = 1;
    CHECK(taco_shard(ds, &q, TACO_SHARD_ROWS, 0, 2, &part, fresh()) == TACO_ERR_ARGUMENT &&
          strstr(err.text, "with limit cannot") != NULL);
    q.limit = 0;
    q.offset = 1;
    CHECK(taco_shard(ds, &q, TACO_SHARD_ROWS, 0, 2, &part, fresh()) == TACO_ERR_ARGUMENT &&
          strstr(err.text, "with offset cannot") != NULL);
    q.offset = 0;
    q.row_to = 1;
    CHECK(taco_shard(ds, &q, TACO_SHARD_ROWS, 0, 2, &part, fresh()) == TACO_ERR_ARGUMENT &&
          strstr(err.text, "with row_to cannot") != NULL);
    CHECK(taco_shard(ds, NULL, TACO_SHARD_ROWS, 2, 2, &part, fresh()) == TACO_ERR_ARGUMENT);
    CHECK_TEXT(taco_error_text(&err), "rank 2 of 2, ranks count from 0");
    taco_close(ds);
}

/* The parts by bytes have sums that differ by less than the largest size, twice. */
static void test_bytes(void)
{
    taco_dataset *ds = open_made(NULL);
    taco_query part;
    uint32_t rank;
    for (rank = 0; rank < 4; rank++) {
        taco_cursor *row;
        int64_t size, sum = 0;
        CHECK(taco_shard(ds, NULL, TACO_SHARD_BYTES, rank, 4, &part, fresh()) == TACO_OK);
        row = taco_select(ds, &part, &err);
        while (taco_cursor_next(row)) {
            CHECK(taco_cursor_int(row, "internal:size", &size));
            sum += size;
        }
        CHECK(taco_cursor_close(row, &err) == TACO_OK);
        CHECK(sum > 24500 / 4 - 50 && sum < 24500 / 4 + 50);
    }
    taco_close(ds);
}

static void test_rows(void)
{
    taco_dataset *ds = open_made(NULL);
    taco_query q;
    char text[256] = "";
    memset(&q, 0, sizeof q);
    q.row_from = 98;
    q.row_to = 102;
    CHECK(ids(ds, &q, text) == 4);
    CHECK_TEXT(text, "s0098s0099s0100s0101");
    text[0] = 0;
    q.where = "v >= 9 or v < 1";
    q.order = "id desc";
    CHECK(ids(ds, &q, text) == 2);
    CHECK_TEXT(text, "s0100s0099");
    q.row_from = 2000;
    q.row_to = 3000;
    CHECK(ids(ds, &q, text) == 0);
    taco_close(ds);
}

/* Places count over all datasets of a list. */
static void test_several(void)
{
    static const char *const paths[] = {"examples/data/geo_stac.tacozip",
                                        "examples/data/geo_stac.tacozip"};
    taco_dataset *ds = taco_open_many(paths, 2, TACO_COLUMNS_INTERSECTION, NULL, fresh());
    int64_t all = taco_level_rows(ds, 0, &err), sum = 0;
    taco_query part;
    uint32_t rank;
    CHECK(all > 4);
    for (rank = 0; rank < 3; rank++) {
        char text[4096] = "";
        CHECK(taco_shard(ds, NULL, TACO_SHARD_ROWS, rank, 3, &part, &err) == TACO_OK);
        sum += ids(ds, &part, text);
    }
    CHECK(sum == all);
    taco_close(ds);
}

/* ---- order ---- */

static void test_shuffle(void)
{
    static bool seen[100000];
    static const uint64_t sizes[] = {1, 2, 3, 4, 5, 16, 17, 1000, 65536, 65537, 100000};
    size_t k;
    uint64_t i, n, at, moved, runs;
    for (k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        n = sizes[k];
        memset(seen, 0, sizeof seen);
        moved = runs = 0;
        for (i = 0; i < n; i++) {
            at = taco_shuffle(n, 42, i);
            if (at >= n || seen[at]) { break; }
            seen[at] = true;
            moved += at != i;
            runs += i && at == taco_shuffle(n, 42, i - 1) + 1;
        }
        CHECK(i == n); /* each exactly once */
        CHECK(n < 1000 || (moved > n - 10 && runs < 10));
        CHECK(taco_shuffle(n, 42, n) == UINT64_MAX);
    }
    /* the same on every machine, for ever: an order that was begun is continued by later versions */
    CHECK(taco_shuffle(1000, 1, 0) == 978 && taco_shuffle(1000, 1, 4) == 603);
    CHECK(taco_shuffle(UINT64_MAX, 7, 12345) != UINT64_MAX);
    CHECK(taco_shuffle(0, 1, 0) == UINT64_MAX);
}

/* Each place is as likely as any other: of 1,000 seeds, the first of 10 rows is each about 100
   times. */
static void test_uniform(void)
{
    int count[10] = {0};
    uint64_t seed;
    int i;
    for (seed = 0; seed < 1000; seed++) {
        count[taco_shuffle(10, seed, 0)]++;
    }
    for (i = 0; i < 10; i++) {
        CHECK(count[i] > 60 && count[i] < 140);
    }
}

/* ---- batches ---- */

/* Sums of what a loader gives: rows in order, and whether each payload is right. */
static uint64_t walk(taco_dataset *ds, const taco_loader_options *how, uint64_t *rows, size_t most)
{
    taco_loader *l = taco_loader_open(ds, NULL, how, fresh());
    taco_loader_batch b;
    uint64_t n = 0, next = 0;
    size_t i, wrong = 0;
    CHECK_TEXT(taco_error_text(&err), "");
    while (n < most && taco_loader_next(l, &b)) {
        for (i = 0; i < b.count; i++) {
            char want[64];
            size_t len = payload((int)b.items[i].row, want);
            wrong += b.items[i].bytes.len != len || memcmp(b.items[i].bytes.data, want, len) != 0;
            rows[n++] = b.items[i].row;
        }
        next = b.next;
    }
    CHECK(wrong == 0);
    CHECK(taco_loader_close(l, &err) == TACO_OK);
    (void)next;
    return n;
}

static void test_load(void)
{
    taco_dataset *ds = open_made(NULL);
    static uint64_t rows[ROWS + 64], all[ROWS + 64];
    taco_loader_options how;
    uint64_t i, n;
    uint32_t rank;
    memset(&how, 0, sizeof how);
    CHECK(walk(ds, &how, rows, ROWS) == ROWS && rows[0] == 0 && rows[999] == 999);
    how.shuffle = true;
    how.seed = 5;
    how.batch = 7;
    how.ahead = 3;
    CHECK(walk(ds, &how, all, ROWS) == ROWS);
    for (i = 0; i < ROWS; i++) {
        CHECK(all[i] == taco_shuffle(ROWS, 5, i));
    }
    /* the ranks take turns in the same order */
    how.ranks = 3;
    for (rank = 0; rank < 3; rank++) {
        how.rank = rank;
        n = walk(ds, &how, rows, ROWS);
        CHECK(n == (rank ? 333 : 334));
        for (i = 0; i < n; i++) {
            CHECK(rows[i] == all[3 * i + rank]);
        }
    }
    /* another batch size, begun in the middle */
    how.ranks = 1;
    how.rank = 0;
    how.batch = 13;
    how.first = 501;
    CHECK(walk(ds, &how, rows, ROWS) == ROWS - 501 && memcmp(rows, all + 501, 499 * 8) == 0);
    how.first = ROWS + 5;
    CHECK(walk(ds, &how, rows, ROWS) == 0);
    taco_close(ds);
}

/* Stopped after each batch, and gone on from `next`. */
static void test_resume(void)
{
    taco_dataset *ds = open_made(NULL);
    taco_loader_options how;
    taco_loader_batch b;
    uint64_t n = 0;
    memset(&how, 0, sizeof how);
    how.shuffle = true;
    how.batch = 64;
    for (;;) {
        taco_loader *l = taco_loader_open(ds, NULL, &how, fresh());
        bool more = taco_loader_next(l, &b);
        size_t i;
        for (i = 0; more && i < b.count; i++) {
            CHECK(b.items[i].at == n && b.items[i].row == taco_shuffle(ROWS, 0, n));
            n++;
        }
        CHECK(!more || b.next == n);
        how.first = b.next;
        taco_loader_close(l, &err);
        if (!more) { break; }
    }
    CHECK(n == ROWS);
    taco_close(ds);
}

/* Batches live until `ahead` more calls have returned. */
static void test_ahead(void)
{
    taco_dataset *ds = open_made(NULL);
    taco_loader_options how;
    taco_loader_batch queue[4];
    taco_loader *l;
    size_t n = 0, i;
    char want[64];
    memset(&how, 0, sizeof how);
    how.batch = 10;
    how.ahead = 3;
    l = taco_loader_open(ds, NULL, &how, fresh());
    CHECK(taco_loader_count(l) == ROWS);
    while (taco_loader_next(l, &queue[n % 4])) {
        const taco_loader_batch *b = &queue[(n + 1) % 4]; /* three calls ago */
        for (i = 0; n >= 3 && i < b->count; i++) {
            size_t len = payload((int)b->items[i].row, want);
            CHECK(b->items[i].row == (n - 3) * 10 + i);
            CHECK(b->items[i].bytes.len == len && memcmp(b->items[i].bytes.data, want, len) == 0);
        }
        n++;
    }
    CHECK(n == 100);
    CHECK(taco_loader_seek(l, 555, &err) == TACO_OK && taco_loader_next(l, &queue[0]));
    CHECK(queue[0].items[0].row == 555 && queue[0].count == 10 && queue[0].next == 565);
    CHECK(taco_loader_seek(l, ROWS, &err) == TACO_OK && !taco_loader_next(l, &queue[0]));
    CHECK(taco_loader_close(l, &err) == TACO_OK);
    taco_close(ds);
}

/* taco_loader_options.decode: the sum of the bytes; fails for the row that ctx names. */
static bool decode(void *ctx, const taco_loader_item *item, void *out, taco_error *e)
{
    int64_t sum = 0;
    size_t i;
    (void)e;
    for (i = 0; i < item->bytes.len; i++) {
        sum += item->bytes.data[i];
    }
    memcpy(out, &sum, sizeof sum);
    return item->row != *(const uint64_t *)ctx;
}

/* taco_options.parallel_for, backwards, counting the tasks. */
static void backwards(void *ctx, size_t n, void (*task)(void *arg, size_t i), void *arg)
{
    *(size_t *)ctx += n;
    while (n) {
        task(arg, --n);
    }
}

static void test_decode(void)
{
    taco_options opt;
    taco_loader_options how;
    taco_loader_batch b;
    taco_dataset *ds;
    taco_loader *l;
    size_t tasks = 0, n = 0, i;
    uint64_t none = ROWS, bad = 123;
    memset(&opt, 0, sizeof opt);
    memset(&how, 0, sizeof how);
    opt.parallel_for = backwards;
    opt.parallel_ctx = &tasks;
    ds = open_made(&opt);
    how.decode = decode;
    how.ctx = &none;
    how.item_bytes = sizeof(int64_t);
    l = taco_loader_open(ds, NULL, &how, fresh());
    tasks = 0;
    while (taco_loader_next(l, &b)) {
        const int64_t *sums = (const int64_t *)b.decoded;
        for (i = 0; i < b.count; i++, n++) {
            CHECK(sums[i] == (int64_t)(n * 7919 % 50 * (n % 256)));
        }
    }
    CHECK(n == ROWS && tasks == ROWS && taco_loader_close(l, &err) == TACO_OK);
    how.ctx = &bad;
    l = taco_loader_open(ds, NULL, &how, fresh());
    for (n = 0; taco_loader_next(l, &b); n++) {}
    CHECK(n == 2 && !taco_loader_next(l, &b)); /* rows 64 to 127 are the second round */
    CHECK(taco_loader_close(l, &err) == TACO_ERR_CORRUPT);
    CHECK_TEXT(taco_error_text(&err), "sample 123 of the order, row 123: it could not be decoded");
    taco_close(ds);
}

/* Datasets whose samples are files of their own, and catalogues: as taco_payload reads them. */
static void check_kind(const char *path, uint32_t level, bool files)
{
    taco_dataset *ds = taco_open(path, NULL, fresh());
    taco_query q;
    taco_loader *l;
    taco_loader_batch b;
    taco_cursor *row;
    uint64_t n = 0;
    memset(&q, 0, sizeof q);
    q.table = q.level = level;
    q.where = files ? "type = 'FILE'" : NULL;
    row = taco_select(ds, &q, &err);
    l = taco_loader_open(ds, &q, NULL, &err);
    CHECK_TEXT(taco_error_text(&err), "");
    while (taco_loader_next(l, &b)) {
        size_t i;
        for (i = 0; i < b.count; i++, n++) {
            const char *vsi;
            unsigned long offset = 0, size = 0;
            FILE *f;
            static uint8_t want[1 << 16];
            CHECK(taco_cursor_next(row));
            vsi = taco_cursor_vsi(row);
            if (sscanf(vsi, "/vsisubfile/%lu_%lu,", &offset, &size) == 2) {
                vsi = strchr(vsi, ',') + 1;
            }
            f = fopen(vsi, "rb");
            CHECK(f != NULL);
            if (!f) { continue; }
            CHECK(fseek(f, (long)offset, SEEK_SET) == 0);
            CHECK(b.items[i].bytes.len <= sizeof want &&
                  fread(want, 1, b.items[i].bytes.len, f) == b.items[i].bytes.len &&
                  memcmp(want, b.items[i].bytes.data, b.items[i].bytes.len) == 0);
            CHECK(!strstr(taco_cursor_vsi(row), "subfile") ? fgetc(f) == EOF
                                                           : b.items[i].bytes.len == size);
            fclose(f);
        }
    }
    CHECK(n > 0 && n == taco_loader_count(l));
    CHECK(taco_loader_close(l, &err) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
    taco_cursor_close(row, NULL);
    taco_close(ds);
}

static void test_kinds(void)
{
    check_kind("examples/data/nested_folder", 1, true);
    check_kind("examples/data/nested.tacozip", 1, true);
    check_kind("examples/data/tacocat_binary/__TACOCAT__", 1, true);
    check_kind("examples/data/geo_stac.tacozip", 0, false);
}

static void test_refused(void)
{
    taco_dataset *ds = taco_open("examples/data/nested.tacozip", NULL, fresh());
    taco_loader_options how;
    taco_query part;
    memset(&how, 0, sizeof how);
    CHECK(!taco_loader_open(ds, NULL, NULL, fresh()) && err.code == TACO_ERR_ARGUMENT);
    CHECK(strstr(taco_error_text(&err), "only FILEs have bytes to load") != NULL);
    taco_close(ds);
    ds = taco_open("examples/data/nested_folder", NULL, fresh());
    CHECK(taco_shard(ds, NULL, TACO_SHARD_BYTES, 0, 2, &part, fresh()) == TACO_ERR_NOT_FOUND);
    CHECK(taco_shard(ds, NULL, TACO_SHARD_ROWS, 0, 2, &part, fresh()) == TACO_OK);
    taco_close(ds);
    ds = open_made(NULL);
    how.rank = 2;
    how.ranks = 2;
    CHECK(!taco_loader_open(ds, NULL, &how, fresh()) && err.code == TACO_ERR_ARGUMENT);
    taco_close(ds);
}

/* An archive that ends before a payload, and reads that fail. */
static bool fails(void *ctx, uint64_t offset, void *dst, size_t len)
{
    taco_bytes *b = (taco_bytes *)ctx;
    if (b->len == 0) { return false; }
    memcpy(dst, b->data + offset, len);
    return true;
}

static void test_faults(void)
{
    taco_bytes b = taco_sink_bytes(&made);
    taco_source src;
    taco_loader_batch batch;
    taco_dataset *ds;
    taco_loader *l;
    memset(&src, 0, sizeof src);
    src.ctx = &b;
    src.size = b.len;
    src.read = fails;
    ds = taco_open_source(&src, "made.tacozip", NULL, fresh());
    l = taco_loader_open(ds, NULL, NULL, &err);
    CHECK(taco_loader_next(l, &batch));
    while (taco_loader_next(l, &batch)) {
        b.len = 0;
    }
    CHECK(taco_loader_close(l, &err) == TACO_ERR_IO);
    CHECK_TEXT(taco_error_text(&err), "made.tacozip: payloads cannot be read");
    taco_close(ds);
}

/* ---- places ---- */

/* Four rows that claim `size` bytes each; the last is null if `nulls`. */
static taco_dataset *open_sized(mk_buf *z, int64_t size, bool nulls)
{
    static const char *const ids[] = {"a", "b", "c", "d"}, *const type[] = {"FILE", "FILE", "FILE",
                                                                            "FILE"};
    static const uint8_t null[] = {0, 0, 0, 1};
    const int64_t at[] = {MK_PAYLOAD, MK_PAYLOAD, MK_PAYLOAD, MK_PAYLOAD};
    const int64_t sizes[] = {size, size, size, size};
    mk_col c[4];
    mk_buf level;
    taco_source src;
    taco_dataset *ds;
    c[0] = mk_text("id", ids);
    c[1] = mk_text("type", type);
    c[2] = mk_i64("internal:offset", at);
    c[3] = mk_i64("internal:size", sizes);
    c[3].null = nulls ? null : NULL;
    level = mk_parquet(c, 4, 4, 4);
    *z = mk_archive(&level, 1, MK_FLAT, "data", 4);
    taco_source_memory(&src, z->data, z->len);
    ds = taco_open_source(&src, "sized.tacozip", NULL, fresh());
    CHECK_TEXT(err.text, "");
    return ds;
}

/* Sizes that are null count as none, sums that need more than 64 bits as the most; what lies behind
   the end of the archive cannot be loaded. */
static void test_sizes(void)
{
    mk_buf z;
    taco_dataset *ds = open_sized(&z, 4, true);
    taco_query part;
    taco_source none;
    taco_loader *l;
    taco_loader_batch b;
    char text[64] = "";
    CHECK(taco_shard(ds, NULL, TACO_SHARD_BYTES, 1, 2, &part, fresh()) == TACO_OK);
    CHECK(ids(ds, &part, text) == 2); /* from byte 6 of 12 on */
    CHECK_TEXT(text, "cd");
    CHECK(!taco_loader_open(ds, NULL, NULL, fresh()) && err.code == TACO_ERR_CORRUPT);
    CHECK_TEXT(err.text, "row 3 has no internal:gdal_vsi: where its bytes are is null");
    CHECK(taco_payload(ds, "d", &none, fresh()) == TACO_ERR_CORRUPT);
    CHECK(strstr(err.text, "internal:offset or internal:size is null") != NULL);
    taco_close(ds);
    free(z.data);
    ds = open_sized(&z, INT64_MAX, false);
    text[0] = 0;
    CHECK(taco_shard(ds, NULL, TACO_SHARD_BYTES, 0, 2, &part, fresh()) == TACO_OK);
    CHECK(ids(ds, &part, text) == 1);
    CHECK(taco_shard(ds, NULL, TACO_SHARD_BYTES, 1, 2, &part, fresh()) == TACO_OK);
    CHECK(ids(ds, &part, text) == 3);
    CHECK_TEXT(text, "abcd");
    l = taco_loader_open(ds, NULL, NULL, fresh());
    CHECK(l && !taco_loader_next(l, &b) && b.count == 0);
    CHECK(taco_loader_seek(l, 0, fresh()) == TACO_ERR_STATE);
    CHECK_TEXT(err.text, "the loader has failed before");
    CHECK(taco_loader_close(l, &err) == TACO_ERR_TRUNCATED && err.code == TACO_ERR_STATE);
    l = taco_loader_open(ds, NULL, NULL, NULL);
    CHECK(l && !taco_loader_next(l, &b));
    CHECK(taco_loader_close(l, fresh()) == TACO_ERR_TRUNCATED);
    CHECK(strstr(err.text, "sized.tacozip: payload of 9223372036854775807 bytes, the file ends") !=
          NULL);
    l = taco_loader_open(ds, NULL, NULL, fresh());
    CHECK(!taco_loader_next(l, &b) && taco_loader_close(l, NULL) == TACO_ERR_TRUNCATED);
    taco_close(ds);
    free(z.data);
}

/* Batches that no memory has room for, ranks without a row, and rounds of at most 64 batches. */
static void test_extremes(void)
{
    taco_dataset *ds = open_made(NULL);
    taco_loader_options how;
    taco_loader *l;
    taco_error own;
    memset(&how, 0, sizeof how);
    memset(&own, 0, sizeof own);
    how.batch = SIZE_MAX;
    CHECK(!taco_loader_open(ds, NULL, &how, fresh()) && err.code == TACO_ERR_ARGUMENT);
    CHECK(strstr(err.text, "a batch of ") == err.text);
    how.batch = SIZE_MAX / 4;
    how.ahead = 1;
    CHECK(!taco_loader_open(ds, NULL, &how, fresh()) && err.code == TACO_ERR_MEMORY);
    CHECK_TEXT(err.text, "out of memory for a batch");
    CHECK(!taco_loader_open(ds, NULL, &how, NULL));
    own.code = TACO_ERR_IO; /* an error is kept */
    CHECK(!taco_loader_open(ds, NULL, &how, &own) && own.code == TACO_ERR_IO);
    how.batch = 1;
    how.item_bytes = SIZE_MAX;
    CHECK(!taco_loader_open(ds, NULL, &how, fresh()) && err.code == TACO_ERR_MEMORY);
    how.batch = 2;
    CHECK(!taco_loader_open(ds, NULL, &how, fresh()) && err.code == TACO_ERR_MEMORY);
    CHECK_TEXT(err.text, "out of memory for a batch");
    how.item_bytes = 0;
    how.ahead = 1000;
    l = taco_loader_open(ds, NULL, &how, fresh());
    CHECK(l && l->round_items == 128);
    taco_loader_close(l, NULL);
    how.ranks = 5000;
    how.rank = 1001;
    l = taco_loader_open(ds, NULL, &how, fresh());
    CHECK(l && taco_loader_count(l) == 0);
    taco_loader_close(l, NULL);
    taco_close(ds);
}

static bool own_error(void *ctx, const taco_loader_item *item, void *out, taco_error *e)
{
    (void)ctx;
    (void)item;
    (void)out;
    e->code = TACO_ERR_UNSUPPORTED;
    snprintf(e->text, sizeof e->text, "a picture of another kind");
    return false;
}

static void test_own_error(void)
{
    taco_dataset *ds = open_made(NULL);
    taco_loader_options how;
    taco_loader_batch b;
    taco_loader *l;
    memset(&how, 0, sizeof how);
    how.decode = own_error;
    how.item_bytes = 1;
    l = taco_loader_open(ds, NULL, &how, fresh());
    CHECK(l && !taco_loader_next(l, &b) && taco_loader_close(l, &err) == TACO_ERR_UNSUPPORTED);
    CHECK_TEXT(err.text, "sample 0 of the order, row 0: a picture of another kind");
    taco_close(ds);
}

/* Files of a host that read many ranges at once and need not be closed; one of them is gone. */
static bool many(void *ctx, const taco_piece *pieces, size_t n)
{
    const taco_bytes *b = (const taco_bytes *)ctx;
    for (; n; n--, pieces++) {
        CHECK(pieces->len > 0);
        memcpy(pieces->dst, b->data + pieces->offset, pieces->len);
    }
    return true;
}

static bool open_host(void *ctx, const char *path, taco_source *out)
{
    static taco_bytes b;
    bool gone = *(const bool *)ctx;
    b = taco_sink_bytes(&made);
    memset(out, 0, sizeof *out);
    out->ctx = &b;
    out->size = b.len;
    out->read = fails;
    out->read_many = many;
    return !gone && strncmp(path, "part", 4) == 0;
}

static bool open_real(void *ctx, const char *path, taco_source *out)
{
    return !*(const bool *)ctx && taco_source_file(out, path, NULL) == TACO_OK;
}

static void test_host_files(void)
{
    static const char *const paths[] = {"part1.tacozip", "part2.tacozip"};
    taco_options opt;
    taco_dataset *ds;
    taco_loader *l;
    taco_loader_options how;
    taco_loader_batch b;
    taco_query q;
    size_t n = 0, i, wrong = 0;
    bool gone = false;
    memset(&opt, 0, sizeof opt);
    memset(&how, 0, sizeof how);
    opt.open_file = open_host;
    opt.open_ctx = &gone;
    ds = taco_open_many(paths, 2, TACO_COLUMNS_INTERSECTION, &opt, fresh());
    CHECK_TEXT(err.text, "");
    how.batch = 100;
    l = taco_loader_open(ds, NULL, &how, fresh());
    while (taco_loader_next(l, &b)) {
        for (i = 0; i < b.count; i++, n++) {
            char want[64];
            size_t len = payload((int)(n % ROWS), want);
            wrong += b.items[i].bytes.len != len || memcmp(b.items[i].bytes.data, want, len) != 0;
        }
    }
    CHECK(n == 2 * ROWS && wrong == 0 && taco_loader_close(l, &err) == TACO_OK);
    l = taco_loader_open(ds, NULL, &how, fresh());
    gone = true;
    CHECK(taco_loader_next(l, &b)); /* of archives that are open */
    CHECK(taco_loader_close(l, fresh()) == TACO_OK);
    taco_close(ds);
    gone = false;
    opt.open_file = open_real;
    memset(&q, 0, sizeof q);
    q.table = 1;
    ds = taco_open("examples/data/nested_folder", &opt, fresh());
    l = taco_loader_open(ds, &q, &how, fresh());
    gone = true;
    CHECK(!taco_loader_next(l, &b));
    CHECK(taco_loader_close(l, fresh()) == TACO_ERR_NOT_FOUND);
    CHECK(strstr(err.text, "nested_folder/DATA/") != NULL);
    taco_close(ds);
}

/* Archives of sources have no files to open: their names are only names. */
static void test_sources(void)
{
    static const char *const names[] = {"no_such_1", "no_such_2"};
    taco_source src[2], own;
    taco_loader *l;
    taco_loader_batch b;
    taco_dataset *ds;
    taco_bytes first = taco_sink_bytes(&made);
    char text[4] = "";
    mk_buf z;
    size_t n = 0, i, wrong = 0;
    taco_close(open_sized(&z, 4, false));
    taco_source_memory(&src[0], first.data, first.len);
    taco_source_memory(&src[1], z.data, z.len);
    ds = taco_open_sources(src, names, 2, TACO_COLUMNS_INTERSECTION, NULL, fresh());
    CHECK_TEXT(err.text, "");
    CHECK(taco_payload(ds, "b", &own, &err) == TACO_OK && own.size == 4);
    CHECK(own.read && own.read(own.ctx, 0, text, 4));
    CHECK(memcmp(text, z.data + MK_PAYLOAD, 4) == 0);
    if (own.close) { own.close(own.ctx); }
    CHECK(taco_payload(ds, "s0003", &own, &err) == TACO_OK && own.size == 3 * 7919 % 50);
    if (own.close) { own.close(own.ctx); }
    l = taco_loader_open(ds, NULL, NULL, &err);
    while (taco_loader_next(l, &b)) {
        for (i = 0; i < b.count; i++, n++) {
            char want[64];
            size_t len = n < ROWS ? payload((int)n, want) : 4;
            if (n >= ROWS) { memcpy(want, z.data + MK_PAYLOAD, 4); }
            wrong += b.items[i].bytes.len != len || memcmp(b.items[i].bytes.data, want, len) != 0;
        }
    }
    CHECK(n == ROWS + 4 && wrong == 0 && taco_loader_close(l, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    taco_close(ds);
    free(z.data);
}

/* Paths as files of the host, and what is no path of a payload. */
static void test_paths(void)
{
    static const struct {
        const char *text;
        bool ok;
    } ranges[] = {{"", false},      {"5", false},     {"5_3", false},    {"53,x", false},
                  {"a_3,x", false}, {"5_b,x", false}, {"5_3,x_,y", true}};

    static const struct {
        taco_kind kind;
        const char *vsi, *dir, *path, *file;
    } files[] = {{TACO_KIND_FOLDER, "/d", "d/", "/d/DATA/x", "d/DATA/x"},
                 {TACO_KIND_FOLDER, "/d/", "d/", "/d/DATA/x", "d/DATA/x"},
                 {TACO_KIND_FOLDER, "/d", "d/", "/d", "d/"},
                 {TACO_KIND_FOLDER, "/d", NULL, "/d/x", "/d/x"},
                 {TACO_KIND_FOLDER, "/d", "d/", "/vsicurl/x", "/vsicurl/x"},
                 {TACO_KIND_FOLDER, "", "d/", "x", "x"},
                 {TACO_KIND_TACOCAT, "/d/", "e/", "/d/x", "e/x"}};

    taco__mem mem;
    taco_loader l;
    taco__container s;
    size_t i;
    memset(&l, 0, sizeof l);
    taco__mem_init(&mem, NULL);
    l.names.mem = l.files.mem = l.places.mem = &mem;
    for (i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        taco_bytes path = taco__bytes_text(ranges[i].text);
        taco__loader_place p;
        CHECK(taco__loader_take_range(&path, &p) == ranges[i].ok);
        if (ranges[i].ok) { CHECK(p.offset == 5 && p.size == 3 && path.len == 4); }
    }
    for (i = 0; i < sizeof files / sizeof files[0]; i++) {
        memset(&s, 0, sizeof s);
        s.kind = files[i].kind;
        s.vsi = files[i].vsi;
        s.dir = s.archive_dir = files[i].dir;
        l.names.len = 0;
        CHECK(taco__loader_append_file(&l, &s, taco__bytes_text(files[i].path)));
        CHECK_TEXT((const char *)l.names.data, files[i].file);
    }
    CHECK(!taco__loader_add(&l, &s, taco__bytes_text("/vsisubfile/5_,x")));
    CHECK_TEXT(l.err.text, "no range in a path");
    taco__buf_free(&l.names);
    memset(&l.err, 0, sizeof l.err);
    mem.limit = 1;
    CHECK(!taco__loader_append_file(&l, &s, taco__bytes_text("/d/x")));
    CHECK(l.err.code == TACO_ERR_LIMIT);
    CHECK(mem.used == 0);
}

/* Every allocation fails once: an error, nothing lost, nothing half made. */
static void test_no_memory(void)
{
    taco_options opt;
    taco_allocator a;
    test_memory m;
    size_t n, rows = 0;
    bool done = false;
    for (n = 0; n < 5000 && !done; n++) {
        taco_loader_options how;
        taco_loader_batch b;
        taco_query q, part;
        taco_dataset *ds;
        taco_loader *l;
        size_t count = 0;
        uint64_t none = ROWS;
        test_counted(&opt, &a, &m);
        memset(&how, 0, sizeof how);
        memset(&q, 0, sizeof q);
        q.where = "v < 2";
        how.shuffle = true;
        how.decode = decode;
        how.ctx = &none;
        how.item_bytes = 8;
        ds = open_made(&opt);
        m.calls = 0;
        m.fail_at = n;
        fresh();
        taco_shard(ds, &q, TACO_SHARD_BYTES, 1, 3, &part, &err);
        l = taco_loader_open(ds, err.code ? &q : &part, &how, &err);
        while (taco_loader_next(l, &b)) {
            count += b.count;
        }
        taco_loader_close(l, &err);
        rows = n ? rows : count; /* nothing fails the first time */
        done = n && m.calls < n;
        /* what is only kept for later is not needed */
        CHECK(err.code == TACO_ERR_MEMORY || (err.code == TACO_OK && count == rows));
        taco_close(ds);
        CHECK(m.live == 0);
    }
    CHECK(done && n > 20 && rows > 50 && rows < 90);
}

int main(void)
{
    make();
    RUN(test_shard);
    RUN(test_bytes);
    RUN(test_rows);
    RUN(test_several);
    RUN(test_shuffle);
    RUN(test_uniform);
    RUN(test_load);
    RUN(test_resume);
    RUN(test_ahead);
    RUN(test_decode);
    RUN(test_kinds);
    RUN(test_refused);
    RUN(test_faults);
    RUN(test_sizes);
    RUN(test_extremes);
    RUN(test_own_error);
    RUN(test_host_files);
    RUN(test_sources);
    RUN(test_paths);
    RUN(test_no_memory);
    taco_sink_free(&made);
    return test_end("test_loader");
}
