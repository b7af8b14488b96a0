/* Which bytes of a source are read, and how often: opening, small metadata, filters on large
   metadata. */
#include "../taco.h"
#include "../extra/taco_parquet_write.h"
#include "../extra/taco_sql.h"

#include "test.h"

#include "alloc.h"
#include "footer.h"
#include "make.h"

/* ---- a source that counts ---- */

typedef struct counter {
    uint8_t *data;
    size_t len;
    uint8_t *map; /* how often each byte was read */
    size_t calls, rounds, bytes, twice, closed;
    size_t fail_at; /* this round fails, counted from 1; 0 = none */
} counter;

static void count_piece(counter *c, uint64_t offset, void *dst, size_t len)
{
    uint8_t *at = c->map + offset, *end = at + len;
    c->calls++;
    c->bytes += len;
    memcpy(dst, c->data + offset, len);
    while ((at = (uint8_t *)memchr(at, 1, (size_t)(end - at))) != NULL) {
        c->twice++;
        at++;
    }
    memset(end - len, 1, len);
}

static bool count_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    counter *c = (counter *)ctx;
    CHECK(offset <= c->len && len <= c->len - offset);
    c->rounds++;
    count_piece(c, offset, dst, len);
    return c->rounds != c->fail_at;
}

static bool count_read_many(void *ctx, const taco_piece *reads, size_t n)
{
    counter *c = (counter *)ctx;
    size_t i;
    c->rounds++;
    for (i = 0; i < n; i++) {
        count_piece(c, reads[i].offset, reads[i].dst, reads[i].len);
    }
    return true;
}

static void count_close(void *ctx)
{
    ((counter *)ctx)->closed++;
}

static void count_reset(counter *c)
{
    memset(c->map, 0, c->len);
    c->calls = c->rounds = c->bytes = c->twice = 0;
}

static taco_source count_source(counter *c, uint8_t *data, size_t len, bool many)
{
    taco_source s;
    memset(&s, 0, sizeof s);
    memset(c, 0, sizeof *c);
    c->data = data;
    c->len = len;
    c->map = (uint8_t *)calloc(len + 1, 1);
    s.ctx = c;
    s.size = len;
    s.read = count_read;
    s.close = count_close;
    s.read_many = many ? count_read_many : NULL;
    return s;
}

static bool was_read(const counter *c, size_t from, size_t len) /* any of it */
{
    return memchr(c->map + from, 1, len) != NULL;
}

static uint8_t *load(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    uint8_t *p = NULL;
    *len = 0;
    if (f) {
        fseek(f, 0, SEEK_END);
        *len = (size_t)ftell(f);
        rewind(f);
        p = (uint8_t *)malloc(*len + 1);
        *len = p ? fread(p, 1, *len, f) : 0;
        fclose(f);
    }
    return p;
}

static size_t run(taco_dataset *ds, const taco_query *q)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_cursor *c = taco_select(ds, q, &err);
    size_t n = 0;
    while (taco_cursor_next(c)) {
        n++;
    }
    taco_cursor_close(c, &err);
    CHECK_TEXT(taco_error_text(&err), "");
    return n;
}

/* ---- small metadata ---- */

static void small(const char *path, bool many)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    counter c;
    size_t len;
    uint8_t *data = load(path, &len);
    taco_source src;
    taco_dataset *ds;
    taco_query q;
    uint32_t l;
    CHECK(data != NULL);
    if (!data) { return; }
    src = count_source(&c, data, len, many);
    ds = taco_open_source(&src, "https://host/x.tacozip", NULL, &err);
    CHECK_TEXT(taco_error_text(&err), "");
    CHECK(c.rounds <= 2);
    CHECK(c.twice == 0);
    c.rounds = 0;
    for (l = 0; ds && l < taco_levels(ds);
         l++) { /* the metadata is held: nothing more is read for any query */
        memset(&q, 0, sizeof q);
        q.table = l;
        CHECK(run(ds, &q) > 0);
        q.where = "id is not null";
        q.level = l;
        q.order = "id desc";
        CHECK(run(ds, &q) > 0);
        q.order = NULL;
        q.flat = true;
        run(ds, &q);
        CHECK(taco_level_rows(ds, l, &err) > 0);
    }
    CHECK(ds && taco_info_json(ds, &err).len != 0);
    CHECK(c.rounds == 0);
    taco_close(ds);
    CHECK(c.closed == 1);
    free(c.map);
    free(data);
}

static void small_is_one_read(void)
{
    int many;
    for (many = 0; many < 2; many++) {
        small("examples/data/nested.tacozip", many != 0);
        small("examples/data/geo_nested.tacozip", many != 0);
        small("examples/data/geo_stac.tacozip", many != 0);
        small("examples/data/types.tacozip", many != 0);
        small("examples/data/tacocat_binary/__TACOCAT__", many != 0);
    }
}

/* read goes through __meta__: the payload side of the archive is touched, but no byte of it twice
   in one call. */
static void navigation_reads_once(void)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    counter c;
    size_t len;
    uint8_t *data = load("examples/data/nested.tacozip", &len);
    taco_source src = count_source(&c, data, len, true);
    taco_dataset *ds = taco_open_source(&src, "x.tacozip", NULL, &err);
    taco_sample s;
    CHECK(ds != NULL);
    c.rounds = 0;
    CHECK(taco_locate(ds, "@0", &s, &err) == TACO_OK);
    CHECK(c.rounds == 0); /* level 0 is held */
    CHECK(taco_locate(ds, "@1/@0", &s, &err) == TACO_OK);
    CHECK(c.rounds == 1 && c.twice == 0); /* one __meta__ */
    taco_close(ds);
    free(c.map);
    free(data);
}

/* ---- large metadata ---- */

#define ROWS  20000
#define GROUP 1000

typedef struct big {
    mk_buf archive;
    size_t level, level_len; /* METADATA/level0.parquet */
    size_t value, filler;    /* first byte of these chunks in row group 0, in the file */
} big;

/* A level of ROWS rows, each the parent of the row of that number below; the first letter of the
   ids is given. */
static mk_buf level_make(const char *type, char letter, bool sorted)
{
    const char **ids = (const char **)calloc(ROWS, sizeof *ids),
               **types = (const char **)calloc(ROWS, sizeof *types);
    char *names = (char *)calloc(ROWS, 16);
    double *values = (double *)calloc(ROWS, sizeof *values);
    int64_t *offsets = (int64_t *)calloc(ROWS, sizeof *offsets),
            *sizes = (int64_t *)calloc(ROWS, sizeof *sizes),
            *numbers = (int64_t *)calloc(ROWS, sizeof *numbers);
    uint8_t *filler = (uint8_t *)calloc(ROWS, 400);
    mk_col cols[8];
    mk_buf level;
    size_t i;
    for (i = 0; i < ROWS; i++) {
        snprintf(names + i * 16, 16, "%c%06u", letter, (unsigned)i);
        ids[i] = names + i * 16;
        types[i] = type;
        values[i] = sorted ? (double)i : (double)((i * 7919) % ROWS);
        offsets[i] = MK_PAYLOAD;
        sizes[i] = 4;
        numbers[i] = (int64_t)i;
        memset(filler + i * 400, (int)(i & 255), 400);
    }
    cols[0] = mk_text("id", ids);
    cols[1] = mk_text("type", types);
    cols[2] = mk_f64("value", values);
    cols[3] = mk_bin("filler", filler, 400);
    cols[4] = mk_i64("internal:current_id", numbers);
    cols[5] = mk_i64("internal:parent_id", numbers);
    cols[6] = mk_i64("internal:offset", offsets);
    cols[7] = mk_i64("internal:size", sizes);
    level = mk_parquet(cols, 8, ROWS, GROUP);
    free((void *)ids);
    free((void *)types);
    free(names);
    free(values);
    free(offsets);
    free(sizes);
    free(numbers);
    free(filler);
    return level;
}

static void big_make(big *b, bool sorted)
{
    mk_buf level = level_make("FILE", 's', sorted);
    b->level_len = level.len;
    b->archive = mk_archive(&level, 1, MK_FLAT, "data", 4);
    for (b->level = 0; memcmp(b->archive.data + b->level, "PAR1", 4) != 0; b->level++) {}
    CHECK(b->level_len > 6 << 20);
}

/* Bytes read of the metadata, and that the archive's other bytes were left alone. */
static void big_query(const big *b, bool many, const taco_query *q, size_t expect_rows, double most,
                      size_t rounds)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    counter c;
    taco_source src = count_source(&c, b->archive.data, b->archive.len, many);
    taco_dataset *ds = taco_open_source(&src, "https://host/x.tacozip", NULL, &err);
    CHECK_TEXT(taco_error_text(&err), "");
    CHECK(c.rounds <= 2 && c.bytes < 200000);
    CHECK(!was_read(&c, MK_PAYLOAD + 93,
                    b->level_len - 70000)); /* only the tail of the level, its footer */
    if (many) { c.rounds = 0; }
    CHECK(run(ds, q) == expect_rows);
    if (many) { CHECK(c.rounds <= rounds); }
    if (c.twice || c.bytes > (size_t)(most * (double)b->level_len) || (many && c.rounds > rounds)) {
        printf("where %s select %s many %d: %u rounds, %u bytes of %u, %u twice\n",
               q->where ? q->where : "-", q->select ? q->select : "-", many, (unsigned)c.rounds,
               (unsigned)c.bytes, (unsigned)b->level_len, (unsigned)c.twice);
    }
    CHECK(c.twice == 0);
    CHECK(c.bytes <= (size_t)(most * (double)b->level_len));
    count_reset(&c); /* the same handle again: what is not held may be read again, but once */
    CHECK(run(ds, q) == expect_rows);
    CHECK(c.twice == 0);
    taco_close(ds);
    CHECK(c.closed == 1);
    free(c.map);
}

static void big_both(const big *b, const taco_query *q, size_t rows, double most, size_t rounds)
{
    big_query(b, true, q, rows, most, rounds);
    big_query(b, false, q, rows, most, rounds);
}

static void large_metadata(void)
{
    big b;
    taco_query q;
    memset(&q, 0, sizeof q);
    big_make(&b, false);
    q.where = "value < 20"; /* 0.1 %, spread over all row groups */
    q.select = "internal:gdal_vsi";
    big_both(&b, &q, 20, 0.10, 2);
    q.select = "id, value"; /* the predicate's column comes out too: it is not read again */
    big_both(&b, &q, 20, 0.12, 2);
    q.select = NULL; /* the wide column of every row group is wanted: each has survivors */
    big_both(&b, &q, 20, 1.05, 2);
    q.where = "value < 0"; /* pruned by the statistics: nothing is read */
    big_both(&b, &q, 0, 0.02, 0);
    q.where = "value = 0.5"; /* inside the bounds of every row group: the predicate alone */
    big_both(&b, &q, 0, 0.05, 1);
    q.where = NULL;
    q.select = "internal:gdal_vsi";
    big_both(&b, &q, ROWS, 0.12, 1);
    q.where = "value < 20";
    q.order = "value desc"; /* a local source reads the columns again that it sorted by */
    q.select = NULL;
    big_query(&b, true, &q, 20, 1.05, 2);
    q.order = NULL;
    q.select = "id";
    q.limit = 3;
    big_both(&b, &q, 3, 0.10, 2);
    free(b.archive.data);
}

static void pruned_row_groups(void)
{
    big b;
    taco_query q;
    memset(&q, 0, sizeof q);
    big_make(&b, true);
    q.where = "value between 5000 and 5019";
    big_both(&b, &q, 20, 0.07, 2); /* one row group of twenty */
    q.where = "id = 's012345'";
    q.select = "internal:gdal_vsi";
    big_both(&b, &q, 1, 0.02, 2);
    free(b.archive.data);
}

/* Two levels of more than a mebibyte each: what joins and tests them comes in one round, what goes
   out in a second. */
static void cascade(const mk_buf *archive, const taco_query *q, size_t rows, size_t bytes)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    counter c;
    taco_source src = count_source(&c, archive->data, archive->len, true);
    taco_dataset *ds = taco_open_source(&src, "https://host/x.tacozip", NULL, &err);
    CHECK_TEXT(taco_error_text(&err), "");
    CHECK(c.rounds <= 2 && c.bytes < 300000);
    c.rounds = 0;
    CHECK(run(ds, q) == rows);
    CHECK(c.rounds <= 2);
    CHECK(c.twice == 0);
    CHECK(c.bytes < bytes);
    if (c.rounds > 2 || c.bytes >= bytes) {
        printf("%u rounds, %u bytes\n", (unsigned)c.rounds, (unsigned)c.bytes);
    }
    taco_close(ds);
    free(c.map);
}

static void cascades(void)
{
    mk_buf levels[2], archive;
    taco_query q;
    taco_filter f;
    levels[0] = level_make("FOLDER", 'a', false);
    levels[1] = level_make("FILE", 'b', false);
    archive = mk_archive(levels, 2, MK_NESTED, "data", 4);
    memset(&q, 0, sizeof q);
    memset(&f, 0, sizeof f);
    q.where = "value < 20";
    q.level = 1;
    q.select = "id";
    cascade(&archive, &q, 20, 1600000);
    q.table = 1;
    q.select = "id, value, internal:gdal_vsi";
    cascade(&archive, &q, 20, 1900000);
    f.where = "value between 10 and 29";
    q.filters = &f;
    q.filter_count = 1;
    cascade(&archive, &q, 10, 2200000);
    q.flat = true;
    q.select = NULL;
    cascade(&archive, &q, 10, archive.len);
    free(archive.data);
}

/* ---- children of few parents: rows i * n to i * n + n - 1 are those of row i ---- */

#define PIT_PARENTS  10000
#define PIT_CHILDREN 12
#define PIT_ROWS     (PIT_PARENTS * PIT_CHILDREN)

typedef enum pit_order {
    PIT_STRICT,    /* as pit_schema says */
    PIT_PERMUTED,  /* parents in any order */
    PIT_STRAY,     /* strict but for two rows far away */
    PIT_TWICE,     /* a row number of level 0 is there twice */
    PIT_RENUMBERED /* row numbers of level 0 count down */
} pit_order;

/* The row of the parent that internal:parent_id and internal:current_id give row i of level 1; -1:
   none. */
static int64_t pit_parent(pit_order order, size_t i)
{
    switch (order) {
    case PIT_PERMUTED: return (int64_t)((i * 7919) % PIT_ROWS / PIT_CHILDREN);
    case PIT_STRAY:
        return i == 60 || i == 99999 ? 1234 : i == 14808 ? -1 : (int64_t)(i / PIT_CHILDREN);
    case PIT_TWICE: return i / PIT_CHILDREN == 1234 ? 77 : (int64_t)(i / PIT_CHILDREN);
    default: return (int64_t)(i / PIT_CHILDREN);
    }
}

/* The same columns in one row group, with pages of 1,000 rows and their index; id, type and numbers
   without nulls. */
static mk_buf pit_paged(const mk_col *c, size_t n, size_t rows)
{
    taco_pq_write_options opt;
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_sink sink;
    taco_field fields[8];
    taco_array arrays[8];
    taco_batch batch;
    taco_pq_writer *w;
    taco_bytes b;
    mk_buf out = {NULL, 0, 0};
    int32_t *ends[8] = {NULL};
    char *text[8] = {NULL};
    size_t i, k;
    memset(&opt, 0, sizeof opt);
    memset(fields, 0, sizeof fields);
    memset(arrays, 0, sizeof arrays);
    memset(&batch, 0, sizeof batch);
    opt.row_group_rows = rows;
    opt.page_rows = 1000;
    opt.encoding = TACO_ENCODING_PLAIN;
    for (i = 0; i < n; i++) {
        fields[i].name = c[i].name;
        fields[i].type = c[i].text ? TACO_TEXT : c[i].f64 ? TACO_DOUBLE : TACO_INT64;
        fields[i].width = c[i].text ? 0 : 8;
        arrays[i].field = &fields[i];
        arrays[i].length = rows;
        arrays[i].v.any = c[i].f64 ? (const void *)c[i].f64 : (const void *)c[i].i64;
        if (c[i].text) {
            ends[i] = (int32_t *)calloc(rows + 1, sizeof **ends);
            text[i] = (char *)calloc(rows, 8);
            for (k = 0; k < rows; k++) {
                size_t len = strlen(c[i].text[k]);
                memcpy(text[i] + ends[i][k], c[i].text[k], len);
                ends[i][k + 1] = ends[i][k] + (int32_t)len;
            }
            arrays[i].offsets = ends[i];
            arrays[i].v.any = text[i];
        }
    }
    batch.length = rows;
    batch.columns = arrays;
    batch.column_count = n;
    CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
    w = taco_pq_write(&sink, fields, n, &opt, &err);
    taco_pq_writer_batch(w, &batch);
    taco_pq_writer_close(w, &err);
    CHECK_TEXT(taco_error_text(&err), "");
    b = taco_sink_bytes(&sink);
    mk_add(&out, b.data, b.len);
    taco_sink_free(&sink);
    for (i = 0; i < n; i++) {
        free(ends[i]);
        free(text[i]);
    }
    return out;
}

static mk_buf pit_make(pit_order order, bool paged)
{
    static const char pit[] = "{\"id\":\"made\",\"taco:pit_schema\":{\"root\":{\"n\":10000,"
                              "\"type\":\"FOLDER\"},\"hierarchy\":{\"1\":[{\"n\":120000,\"type\":["
                              "\"FILE\",\"FILE\",\"FILE\",\"FILE\",\"FILE\",\"FILE\",\"FILE\","
                              "\"FILE\",\"FILE\",\"FILE\",\"FILE\",\"FILE\"],\"id\":[\"c0\","
                              "\"c1\",\"c2\",\"c3\",\"c4\",\"c5\",\"c6\",\"c7\",\"c8\",\"c9\","
                              "\"c10\",\"c11\"]}]}}}";
    static const char *names[PIT_CHILDREN] = {"c0", "c1", "c2", "c3", "c4",  "c5",
                                              "c6", "c7", "c8", "c9", "c10", "c11"};
    const char **ids = (const char **)calloc(PIT_ROWS, sizeof *ids),
               **types = (const char **)calloc(PIT_ROWS, sizeof *types);
    char *text = (char *)calloc(PIT_PARENTS, 16);
    double *values = (double *)calloc(PIT_ROWS, sizeof *values);
    int64_t *numbers = (int64_t *)calloc(PIT_ROWS, sizeof *numbers),
            *offsets = (int64_t *)calloc(PIT_ROWS, sizeof *offsets),
            *sizes = (int64_t *)calloc(PIT_ROWS, sizeof *sizes);
    uint8_t *null = (uint8_t *)calloc(PIT_ROWS, 1);
    mk_col c[6];
    mk_buf levels[2], meta, archive;
    size_t i;
    for (i = 0; i < PIT_ROWS; i++) {
        ids[i] = names[i % PIT_CHILDREN];
        types[i] = "FILE";
        values[i] = (double)i;
        numbers[i] = pit_parent(order, i);
        null[i] = numbers[i] < 0;
        if (order == PIT_RENUMBERED) { numbers[i] = PIT_PARENTS - 1 - numbers[i]; }
        offsets[i] = 193; /* behind two local headers */
        sizes[i] = 4;
    }
    c[0] = mk_text("id", ids);
    c[1] = mk_text("type", types);
    c[2] = mk_i64("internal:offset", offsets);
    c[3] = mk_i64("internal:size", sizes);
    c[4] = mk_f64("value", values);
    c[5] = mk_i64("internal:parent_id", numbers);
    c[5].null = null;
    levels[1] = paged ? pit_paged(c, 6, PIT_ROWS) : mk_parquet(c, 6, PIT_ROWS, 6000);
    meta = mk_parquet(c, 4, PIT_CHILDREN, PIT_CHILDREN);
    for (i = 0; i < PIT_PARENTS; i++) {
        snprintf(text + i * 16, 16, "a%06u", (unsigned)i);
        ids[i] = text + i * 16;
        types[i] = "FOLDER";
        numbers[i] = order == PIT_RENUMBERED ? PIT_PARENTS - 1 - (int64_t)i : (int64_t)i;
        sizes[i] = (int64_t)meta.len;
    }
    if (order == PIT_TWICE) { numbers[1234] = 77; }
    c[5] = mk_i64("internal:current_id", numbers);
    levels[0] = paged ? pit_paged(c, 6, PIT_PARENTS) : mk_parquet(c, 6, PIT_PARENTS, 1000);
    archive = mk_archive(levels, 2, pit, meta.data, meta.len);
    free(meta.data);
    free((void *)ids);
    free((void *)types);
    free(text);
    free(values);
    free(numbers);
    free(offsets);
    free(sizes);
    free(null);
    return archive;
}

/* Children of the level-0 rows [1234, 1234 + n): their numbers, and what is read for them. */
static size_t pit_query(const mk_buf *archive, pit_order order, bool many, bool joined, size_t n)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    counter c;
    taco_source src = count_source(&c, archive->data, archive->len, many);
    taco_dataset *ds = taco_open_source(&src, "https://host/x.tacozip", NULL, &err);
    taco_query q;
    taco_cursor *rows;
    char where[64];
    size_t i = 0, bytes;
    double v = 0;
    memset(&q, 0, sizeof q);
    if (joined) { /* parents of all rows are there then */
        q.where = "value < 1";
        q.level = 1;
        CHECK(run(ds, &q) == 1);
    }
    snprintf(where, sizeof where, "value between 1234 and %u", 1233 + (unsigned)n);
    q.where = where;
    q.level = 0;
    q.table = 1;
    q.select = "value";
    c.bytes = c.rounds = 0;
    rows = taco_select(ds, &q, &err);
    while (taco_cursor_next(rows)) {
        for (; i < PIT_ROWS &&
               (pit_parent(order, i) < 1234 || pit_parent(order, i) >= 1234 + (int64_t)n);
             i++) {}
        CHECK(taco_cursor_double(rows, "value", &v) && v == (double)i);
        i++;
    }
    for (;
         i < PIT_ROWS && (pit_parent(order, i) < 1234 || pit_parent(order, i) >= 1234 + (int64_t)n);
         i++) {}
    CHECK(i == PIT_ROWS);
    CHECK(taco_cursor_close(rows, &err) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
    CHECK(!many || c.rounds <= 5);
    bytes = c.bytes;
    taco_close(ds);
    free(c.map);
    return bytes;
}

static void children_of_few(void)
{
    static const pit_order orders[] = {PIT_STRICT, PIT_PERMUTED, PIT_STRAY, PIT_TWICE,
                                       PIT_RENUMBERED};
    size_t k, bytes;
    int many;
    for (k = 0; k < sizeof orders / sizeof *orders; k++) {
        mk_buf archive = pit_make(orders[k], false);
        for (many = 0; many < 2; many++) {
            bytes = pit_query(&archive, orders[k], many != 0, false, 1);
            if (orders[k] == PIT_STRICT) { /* one row group of twenty of parent_id and value */
                CHECK(bytes < 260000);     /* 1,368,936 where all rows are joined */
            }
            pit_query(&archive, orders[k], many != 0, true, 1);
            pit_query(&archive, orders[k], many != 0, false, 50);
            pit_query(&archive, orders[k], many != 0, false, 5000);
        }
        free(archive.data);
    }
}

/* With an index of pages: one of them for each column, whatever the size of the level. */
static void children_by_pages(void)
{
    mk_buf archive = pit_make(PIT_STRICT, true);
    size_t bytes = pit_query(&archive, PIT_STRICT, false, false, 1);
    CHECK(bytes < 110000); /* 1,019,206 where all rows are joined */
    CHECK(pit_query(&archive, PIT_STRICT, false, false, 300) < bytes + 80000);
    free(archive.data);
    archive = pit_make(PIT_PERMUTED, true);
    pit_query(&archive, PIT_PERMUTED, false, false, 1);
    pit_query(&archive, PIT_PERMUTED, false, false, 50);
    free(archive.data);
}

static void give(taco_feed *feed, const mk_buf *z, const taco_range *r, size_t n)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_range copy[256];
    size_t i;
    CHECK(n <= 256);
    for (i = 0; i < n && i < 256; i++) {
        copy[i] = r[i];
    }
    for (i = 0; i < n && i < 256; i++) {
        if (copy[i].len == 0) {
            taco_feed_file(feed, copy[i].file,
                           strcmp(copy[i].file, "/x.tacozip") == 0 ? z->len : TACO_FEED_NO_FILE,
                           &err);
        } else {
            taco_feed_give(feed, copy[i].file, copy[i].offset, z->data + copy[i].offset,
                           (size_t)copy[i].len, &err);
        }
    }
    CHECK_TEXT(taco_error_text(&err), "");
}

/* A plan names all that finding children may read, whichever way they are found. */
static void children_planned(void)
{
    int paged;
    for (paged = 0; paged < 2; paged++) {
        taco_error err = {0, TACO_OK, 0, {0}};
        mk_buf z = pit_make(PIT_STRICT, paged != 0);
        taco_feed *feed = taco_feed_new(NULL, &err);
        taco_options opt;
        taco_dataset *ds = NULL;
        taco_view *v;
        taco_plan *p = NULL;
        taco_cursor *c;
        taco_query q;
        const taco_range *r;
        size_t n;
        int tries;
        memset(&opt, 0, sizeof opt);
        opt.open_file = taco_feed_open_file;
        opt.open_ctx = feed;
        for (tries = 0; tries < 8 && !ds; tries++) {
            memset(&err, 0, sizeof err);
            ds = taco_open("/x.tacozip", &opt, &err);
            r = taco_feed_wanted(feed, &n);
            give(feed, &z, r, n);
        }
        memset(&q, 0, sizeof q);
        q.where = "id = 'a001234'";
        q.table = 1;
        q.select = "value";
        v = taco_view_open(ds, &q, &err);
        CHECK_TEXT(taco_error_text(&err), "");
        for (tries = 0; tries < 8; tries++) {
            memset(&err, 0, sizeof err);
            taco_plan_free(p);
            p = taco_view_plan(v, &err);
            if (p) {
                give(feed, &z, p->ranges, p->range_count);
            } else {
                r = taco_feed_wanted(feed, &n);
                give(feed, &z, r, n);
            }
            if (p && p->complete) { break; }
        }
        CHECK(p && p->complete);
        memset(&err, 0, sizeof err);
        c = taco_view_rows(v, &err);
        for (n = 0; taco_cursor_next(c); n++) {}
        CHECK(n == PIT_CHILDREN);
        taco_cursor_close(c, &err);
        CHECK_TEXT(taco_error_text(&err), "");
        taco_feed_wanted(feed, &n);
        CHECK(n == 0);
        taco_plan_free(p);
        taco_view_free(v);
        taco_close(ds);
        taco_feed_free(feed);
        free(z.data);
    }
}

/* One allocation or read after the other fails, of finding children and of finding a parent: all of
   the answer or an error. */
static void children_faults(bool reads)
{
    mk_buf z = pit_make(PIT_STRICT, true);
    size_t n, rows;
    for (n = 1; n < 4000; n += 1 + n / 12) {
        taco_error err = {0, TACO_OK, 0, {0}};
        taco_options opt;
        taco_allocator a;
        test_memory m;
        counter c;
        taco_source src = count_source(&c, z.data, z.len, false);
        taco_dataset *ds;
        taco_query q;
        taco_cursor *row, *below = NULL;
        test_counted(&opt, &a, &m);
        m.fail_at = reads ? 0 : n;
        c.fail_at = reads ? n : 0;
        ds = taco_open_source(&src, "x.tacozip", &opt, &err);
        memset(&q, 0, sizeof q);
        q.where = "id = 'a001234'";
        q.table = 1;
        row = ds ? taco_select(ds, &q, &err) : NULL;
        for (rows = 0; taco_cursor_next(row); rows++) {
            if (rows == 7) {
                below = taco_cursor_children(row, &err);
                CHECK(below || err.code != TACO_OK);
                taco_cursor_close(below, &err);
            }
        }
        taco_cursor_close(row, &err);
        taco_close(ds);
        CHECK(m.live == 0);
        CHECK(err.code == TACO_OK ? rows == PIT_CHILDREN
                                  : err.code == (reads ? TACO_ERR_IO : TACO_ERR_MEMORY));
        free(c.map);
        if ((reads ? c.rounds : m.calls) < n) {
            CHECK(err.code == TACO_OK);
            break;
        }
    }
    CHECK(n < 4000);
    free(z.data);
}

static void children_of_broken(void)
{
    children_faults(false);
    children_faults(true);
}

/* From a row of a level down: its parent alone is looked up. */
static void parent_of_one(void)
{
    static const pit_order orders[] = {PIT_STRICT, PIT_PERMUTED, PIT_RENUMBERED};
    size_t k, i;
    for (k = 0; k < sizeof orders / sizeof *orders; k++) {
        mk_buf archive = pit_make(orders[k], false);
        taco_error err = {0, TACO_OK, 0, {0}};
        counter c;
        taco_source src = count_source(&c, archive.data, archive.len, false);
        taco_dataset *ds = taco_open_source(&src, "x.tacozip", NULL, &err);
        taco_query q;
        taco_cursor *row, *below;
        memset(&q, 0, sizeof q);
        q.offset = 54321;
        q.table = 1;
        row = taco_select(ds, &q, &err);
        for (i = 0; i < 80; i++) {
            CHECK(taco_cursor_next(row));
            c.bytes = 0;
            below = taco_cursor_children(row, &err);
            CHECK(taco_cursor_next(below));
            CHECK_TEXT(taco_cursor_text(below, "id"), taco_cursor_text(row, "id"));
            taco_cursor_close(below, &err);
            CHECK_TEXT(taco_error_text(&err), "");
            if (i == 0 && orders[k] == PIT_STRICT) { CHECK(c.bytes < 300000); }
        }
        taco_cursor_close(row, &err);
        taco_close(ds);
        free(c.map);
        free(archive.data);
    }
}

/* locate by id and by position on large metadata. */
static void large_locate(void)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    counter c;
    big b;
    taco_source src;
    taco_dataset *ds;
    taco_sample s;
    int many;
    big_make(&b, true);
    for (many = 0; many < 2; many++) {
        src = count_source(&c, b.archive.data, b.archive.len, many != 0);
        ds = taco_open_source(&src, "x.tacozip", NULL, &err);
        CHECK(taco_locate(ds, "s012345", &s, &err) == TACO_OK && s.offset == MK_PAYLOAD &&
              s.size == 4);
        CHECK(c.twice == 0 && c.bytes < b.level_len / 50);
        CHECK(taco_locate(ds, "@7000", &s, &err) == TACO_OK);
        CHECK_TEXT(taco_error_text(&err), "");
        CHECK(c.bytes < b.level_len / 25);
        taco_close(ds);
        free(c.map);
    }
    free(b.archive.data);
}

/* Two cursors over the same bytes, one closed while the other goes on. */
static void two_cursors(void)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    counter c;
    big b;
    taco_source src;
    taco_dataset *ds;
    taco_cursor *x, *y;
    taco_query q;
    size_t n = 0;
    memset(&q, 0, sizeof q);
    q.where = "value >= 0.5";
    big_make(&b, true);
    src = count_source(&c, b.archive.data, b.archive.len, true);
    ds = taco_open_source(&src, "x.tacozip", NULL, &err);
    x = taco_select(ds, &q, &err);
    CHECK(taco_cursor_next(x));
    y = taco_select(ds, &q, &err);
    CHECK(taco_cursor_next(y) && taco_cursor_next(y));
    taco_cursor_close(y, &err);
    do {
        double v = 0;
        n++;
        CHECK(taco_cursor_double(x, "value", &v) && v == (double)n);
    } while (taco_cursor_next(x) && test_bad < 9);
    CHECK(n == ROWS - 1);
    CHECK(taco_cursor_close(x, &err) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
    CHECK(c.twice == 0);
    taco_close(ds);
    free(c.map);
    free(b.archive.data);
}

int main(void)
{
    RUN(two_cursors);
    RUN(small_is_one_read);
    RUN(navigation_reads_once);
    RUN(large_metadata);
    RUN(pruned_row_groups);
    RUN(cascades);
    RUN(large_locate);
    RUN(children_of_few);
    RUN(children_by_pages);
    RUN(children_planned);
    RUN(children_of_broken);
    RUN(parent_of_one);
    return test_end("test_reads");
}
