/* Footers, page indexes and bloom filters with everything that they may have: cut at each byte, with
   other bytes, with parts twice or of unknown kinds. */
#include "test.h"

#include "../src/parquet/bloom_filter.c"
#include "../src/base/base.h"
#include "../taco_parquet.h"

#include "alloc.h"
#include "footer.h"
#include "make.h"
#include "pages.h"

static wr w;
static parsed p;

/* ---- a footer that has everything ---- */

static void sorting(int64_t leaf, bool other)
{
    w_begin(&w);
    if (leaf >= -1) { w_i32(&w, 1, leaf); }
    w_bool(&w, 2, true);
    w_bool(&w, 3, false);
    if (other) { w_i32(&w, 4, 7); }
    w_end(&w);
}

/* ColumnMetaData of column "t", as far as most footers do not have it. `box` has a bit for each of
   the numbers of a bounding box. */
static void rich_chunk(unsigned box)
{
    int i;
    w_begin(&w);
    w_i64(&w, 2, 4);
    w_open(&w, 3);
    w_i32(&w, 1, 2);
    w_list(&w, 2, 5, 3);
    w_zz(&w, 0), w_zz(&w, -1), w_zz(&w, 99);
    w_list(&w, 3, 8, 1);
    w_bytes(&w, "t", 1);
    w_i32(&w, 4, 0);
    w_i64(&w, 5, 3), w_i64(&w, 6, 60), w_i64(&w, 7, 50), w_i64(&w, 9, 4), w_i64(&w, 10, 5);
    w_list(&w, 13, 12, 2);
    w_begin(&w), w_i32(&w, 1, 0), w_i32(&w, 2, 8), w_i32(&w, 3, 1), w_i32(&w, 4, 1), w_end(&w);
    w_begin(&w), w_i32(&w, 1, 3), w_i32(&w, 2, 2), w_i32(&w, 3, 1), w_end(&w);
    w_open(&w, 16);
    w_i64(&w, 1, 77);
    w_list(&w, 2, 6, 1), w_zz(&w, 1);
    w_end(&w);
    w_open(&w, 17);
    w_open(&w, 1);
    for (i = 1; i <= 9; i++) {
        if (box >> i & 1) { w_f64(&w, i, i); }
    }
    w_end(&w);
    w_list(&w, 2, 5, 1), w_zz(&w, 1);
    w_end(&w);
    w_end(&w);
    w_i64(&w, 4, 600), w_i32(&w, 5, 10), w_i64(&w, 6, 700), w_i32(&w, 7, 10);
    w_i32(&w, 30, 1);
    w_end(&w);
}

/* An unknown field with a map of number to list, and an empty map. */
static void unknown_maps(void)
{
    w_field(&w, 40, 11);
    w_varint(&w, 1), w_u8(&w, 0x59), w_zz(&w, 5), w_u8(&w, 0x15), w_zz(&w, 6);
    w_field(&w, 41, 11);
    w_varint(&w, 0);
}

/* A schema of one column "t", a TIME in `unit`. */
static void rich_schema(int unit)
{
    w_schema(&w, 2);
    w_root(&w, 1);
    w_element_open(&w, 2, 1, "t", -1);
    w_open(&w, 10);
    w_open(&w, 7);
    w_bool(&w, 1, true);
    w_open(&w, 2), w_open(&w, unit), w_end(&w), w_end(&w);
    w_end(&w), w_end(&w), w_end(&w);
}

static void rich_footer(int unit, unsigned box, int encryption)
{
    rich_schema(unit);
    w_i64(&w, 3, 3);
    w_list(&w, 4, 12, 1);
    w_begin(&w);
    w_list(&w, 1, 12, 1);
    rich_chunk(box);
    w_i64(&w, 2, 60), w_i64(&w, 3, 3);
    w_list(&w, 4, 12, 4);
    sorting(5, false), sorting(-1, false), sorting(-2, true), sorting(0, true);
    w_i64(&w, 5, 4), w_i64(&w, 6, 50), w_i32(&w, 7, 0), w_i32(&w, 9, 0);
    w_end(&w);
    w_list(&w, 5, 12, 1);
    w_begin(&w), w_text(&w, 1, "key"), w_text(&w, 2, "value"), w_i32(&w, 3, 1), w_end(&w);
    w_text(&w, 6, "parquet-cpp version 1.2.3.4");
    w_list(&w, 7, 12, 1);
    w_begin(&w), w_open(&w, 1), w_end(&w), w_end(&w);
    w_open(&w, 8), w_open(&w, encryption), w_end(&w), w_end(&w);
    w_text(&w, 9, "key");
    unknown_maps();
    w_u8(&w, 0);
}

static void test_rich(void)
{
    const taco__pq_row_group *g;
    rich_footer(2, 0x3FE, 1);
    CHECK(parse_footer(&p, &w, NULL) == TACO_OK);
    CHECK_TEXT(p.err.text, "");
    g = p.m.groups;
    CHECK(g->sort_count == 1 && g->sort[0].leaf == 0 && g->sort[0].descending);
    CHECK(g->chunks[0].unencoded == 77 && g->chunks[0].dict_only);
    CHECK(g->chunks[0].geo && g->chunks[0].geo->xmin == 1 && g->chunks[0].geo->ymax == 4 &&
          g->chunks[0].geo->has_z);
    CHECK(p.m.has_orders && p.m.leaves[0].order == 1 && p.m.encryption == 1);
    CHECK(p.m.always_compressed && p.m.columns[0].unit == TACO_MICRO);
    parse_done(&p);
    /* what is only a hint is dropped if it is not understood */
    rich_footer(4, 0x1E, 300);
    CHECK(parse_footer(&p, &w, NULL) == TACO_OK);
    CHECK(p.m.groups->chunks[0].geo && !p.m.groups->chunks[0].geo->has_z);
    CHECK(p.m.encryption == 255 && p.m.columns[0].type == TACO_INT64);
    parse_done(&p);
    rich_footer(0, 0x0E, 0);
    CHECK(parse_footer(&p, &w, NULL) == TACO_OK);
    CHECK(!p.m.groups->chunks[0].geo && p.m.encryption == 255);
    parse_done(&p);
}

/* No prefix of a footer is one; other bytes give a footer or a failure that says where. */
static void test_cut(void)
{
    size_t n, whole, i, refused_ones = 0;
    static const uint8_t other[] = {0, 0x0C, 0x7F, 0x80, 0xFF};
    rich_footer(2, 0x3FE, 1);
    whole = w.n;
    for (n = 0; n < whole; n++) {
        w.n = n;
        CHECK(parse_footer(&p, &w, NULL) == TACO_ERR_CORRUPT && p.err.text[0]);
        parse_done(&p);
    }
    w.n = whole;
    for (n = 0; n < whole; n++) {
        const uint8_t was = w.b[n];
        for (i = 0; i < sizeof other + 8; i++) {
            w.b[n] = (uint8_t)(i < sizeof other ? other[i] : was ^ 1U << i % 8);
            refused_ones += parse_footer(&p, &w, NULL) != TACO_OK;
            CHECK(p.status == TACO_OK || p.err.text[0]);
            parse_done(&p);
        }
        w.b[n] = was;
    }
    CHECK(refused_ones > whole);
}

static void refused_at(const char *text)
{
    CHECK(parse_footer(&p, &w, NULL) == TACO_ERR_CORRUPT);
    if (!strstr(p.err.text, text)) { CHECK_TEXT(p.err.text, text); }
    parse_done(&p);
}

/* A footer whose parts come before its schema, or twice. */
static void test_twice(void)
{
    chunk_spec c = chunk_of(2, "t");
    size_t i;
    for (i = 0; i < 2; i++) { /* a list of row groups, after the schema and before it */
        w_schema(&w, 2);
        w_root(&w, 1);
        w_element(&w, 2, 0, "t", -1, -1);
        w_list(&w, 4, 12, 1);
        w_group(&w, &c, 1, 3);
        w_list(&w, 4 - 2 * (int)i, 12, 1);
        if (i) {
            w_root(&w, 0);
        } else {
            w_group(&w, &c, 1, 3);
        }
        w_u8(&w, 0);
        refused_at(i ? "footer has a second schema" : "footer has a second list of row groups");
    }
    w_schema(&w, 2);
    w_root(&w, 1);
    w_element(&w, 2, 0, "t", -1, -1);
    w_list(&w, 4, 12, 1);
    w_begin(&w);
    for (i = 0; i < 2; i++) {
        w_list(&w, 1, 12, 1);
        w_chunk(&w, &c);
    }
    w_i64(&w, 3, 3);
    w_end(&w);
    w_u8(&w, 0);
    refused_at("row group 0 has again 1 column chunks, the schema has 1 columns");
    /* row groups in the second pass fail after orders that would be read then, too */
    w_init(&w);
    w_list(&w, 4, 12, 1);
    w_group(&w, &c, 1, 4);
    w_list(&w, 7, 12, 1);
    w_begin(&w), w_open(&w, 1), w_end(&w), w_end(&w);
    w_list(&w, 2, 12, 2);
    w_root(&w, 1);
    w_element(&w, 2, 0, "t", -1, -1);
    w_u8(&w, 0);
    refused_at("column chunk has 3 values, its row group has 4 rows");
}

static void test_orders(void)
{
    static const int ids[] = {0, 1, 2, 3, 9, -4};
    chunk_spec c = chunk_of(2, "t");
    size_t i, n;
    for (i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        for (n = 1; n < 3; n++) {
            taco_limits none;
            memset(&none, 0, sizeof none);
            w_schema(&w, 2);
            w_root(&w, 1);
            w_element(&w, 2, 0, "t", -1, -1);
            w_list(&w, 4, 12, 1);
            w_group(&w, &c, 1, 3);
            w_list(&w, 7, 12, n);
            w_begin(&w), w_open(&w, ids[i]), w_end(&w), w_end(&w);
            if (n == 2) { w_begin(&w), w_end(&w); }
            w_u8(&w, 0);
            CHECK(parse_footer(&p, &w, &none) == TACO_OK);
            CHECK(p.m.has_orders == (n == 1));
            CHECK(n == 2 || (p.m.leaves[0].order == ids[i]) == (ids[i] >= 1 && ids[i] <= 3));
            parse_done(&p);
        }
    }
}

/* What created_by says of its version. */
static void test_versions(void)
{
    static const struct {
        const char *by;
        bool old;
    } t[] = {{"parquet-cpp version 1.2.3.", true},
             {"parquet-cpp version 1.1000000.0", true},
             {"parquet-cpp version 1000000", false},
             {"parquet-cpp version 2.0.0", false},
             {"parquet-cpp version 2.0.0.1", false},
             {"parquet-cpp version", true},
             {"parquet-cpp", true},
             {"parquet-cppx version 1.0", false},
             {"parquet-cpp version 1.x", true}};

    chunk_spec c = chunk_of(2, "t");
    size_t i;
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        w_schema(&w, 2);
        w_root(&w, 1);
        w_element(&w, 2, 0, "t", -1, -1);
        w_list(&w, 4, 12, 1);
        w_group(&w, &c, 1, 3);
        w_text(&w, 6, t[i].by);
        w_u8(&w, 0);
        CHECK(parse_footer(&p, &w, NULL) == TACO_OK);
        CHECK(p.m.always_compressed == t[i].old);
        parse_done(&p);
    }
}

/* Numbers that are too large, maps that end early, lists in lists. */
static void test_thrift(void)
{
    size_t i;
    w_init(&w), w_i64(&w, 1, INT64_C(1) << 40), w_u8(&w, 0);
    refused_at("footer has the number 1099511627776, at most 32 bits are allowed");
    w_init(&w), w_i64(&w, 1, -(INT64_C(1) << 40)), w_u8(&w, 0);
    refused_at("footer has the number -1099511627776, at most 32 bits are allowed");
    w_init(&w), w_field(&w, 40, 11);
    for (i = 0; i < 11; i++) {
        w_u8(&w, 0xFF);
    }
    refused_at("footer has a number of more than 64 bits");
    w_init(&w), w_field(&w, 40, 11), w_varint(&w, 200), w_u8(&w, 0x55);
    refused_at("list of 200 items, footer has 0 bytes left");
    w_init(&w), w_field(&w, 40, 11), w_varint(&w, 2);
    refused_at("footer ends inside a field");
    for (i = 0; i < 2; i++) { /* of UUIDs, which are no level */
        size_t k;
        w_init(&w), w_field(&w, 40, 9);
        for (k = 0; k < 62; k++) {
            w_u8(&w, 0x19);
        }
        w_u8(&w, i ? 0x19 : 0x1D);
        for (k = 0; k < 16; k++) {
            w_u8(&w, i ? 0x19 : 0);
        }
        w_u8(&w, 0);
        refused_at(i ? "footer nests structures deeper than 64" : "footer has no schema");
    }
}

/* Memory runs out, with an error to say so in and without one. */
static void test_no_memory(void)
{
    size_t n, failed = 0;
    rich_footer(2, 0x3FE, 1);
    for (n = 1; n < 40; n++) {
        int told;
        for (told = 0; told < 2; told++) {
            taco_options opt;
            taco_allocator a;
            test_memory m;
            taco__mem mem;
            taco__arena arena;
            taco__pq_metadata meta;
            taco_error e;
            taco_status status;
            test_counted(&opt, &a, &m);
            m.fail_at = n;
            taco__mem_init(&mem, &opt);
            memset(&arena, 0, sizeof arena);
            memset(&e, 0, sizeof e);
            arena.mem = &mem;
            status = taco__footer_parse(&arena, taco__bytes_of(w.b, w.n), FOOTER_AT + w.n + 8,
                                        FOOTER_AT, NULL, &meta, told ? &e : NULL);
            CHECK(status == (m.calls >= n ? TACO_ERR_MEMORY : TACO_OK));
            CHECK(!told || e.code == status);
            failed += status != TACO_OK;
            taco__arena_free(&arena);
            CHECK(m.live == 0);
        }
    }
    CHECK(failed > 1);
}

/* ---- bloom filters ---- */

/* A header whose three unions have these members, and a filter of that many bytes. */
static taco_status bloom_of(int64_t bytes, const int *ids, taco_error *e)
{
    size_t i, len = 0;
    uint32_t n = 0;
    w_init(&w);
    w_i32(&w, 1, bytes);
    for (i = 0; i < 3; i++) {
        w_open(&w, 2 + (int)i), w_open(&w, ids[i]), w_end(&w), w_end(&w);
    }
    w_i32(&w, 9, 1);
    w_u8(&w, 0);
    memset(e, 0, sizeof *e);
    return taco__bloom_parse_header(taco__bytes_of(w.b, w.n), 500, &n, &len, e);
}

static void test_bloom_headers(void)
{
    static const int good[] = {1, 1, 1};
    taco_error e;
    size_t i, len, n;
    uint32_t bytes;
    CHECK(bloom_of(64, good, &e) == TACO_OK);
    for (i = 0; i < 3; i++) {
        int ids[] = {1, 1, 1};
        ids[i] = 2;
        CHECK(bloom_of(64, ids, &e) == TACO_ERR_UNSUPPORTED);
        CHECK(strstr(e.text, "unsupported: bloom filter that is not of split blocks"));
    }
    CHECK(bloom_of(0, good, &e) == TACO_ERR_CORRUPT);
    CHECK_TEXT(e.text, "at byte 500: bloom filter of 0 bytes, blocks have 32");
    CHECK(bloom_of(40, good, &e) == TACO_ERR_CORRUPT);
    CHECK_TEXT(e.text, "at byte 500: bloom filter of 40 bytes, blocks have 32");
    CHECK(bloom_of(64, good, &e) == TACO_OK);
    for (n = 0, i = w.n; n < i; n++) { /* more bytes may help */
        memset(&e, 0, sizeof e);
        CHECK(taco__bloom_parse_header(taco__bytes_of(w.b, n), 500, &bytes, &len, &e) ==
              TACO_ERR_TRUNCATED);
    }
    /* the first member counts, wherever it is; a union of none has none */
    w_init(&w);
    w_i32(&w, 1, 32);
    w_open(&w, 2), w_open(&w, 1), w_end(&w), w_open(&w, 2), w_end(&w), w_end(&w);
    w_open(&w, 3), w_end(&w);
    w_u8(&w, 0);
    CHECK(taco__bloom_parse_header(taco__bytes_of(w.b, w.n), 500, &bytes, &len, &e) ==
          TACO_ERR_UNSUPPORTED);
    w_init(&w), w_i32(&w, 1, 32), w_i32(&w, 2, 1), w_u8(&w, 0);
    CHECK(taco__bloom_parse_header(taco__bytes_of(w.b, w.n), 500, &bytes, &len, &e) ==
          TACO_ERR_CORRUPT);
}

/* A filter is not opened where its chunk cannot have one. */
static void test_bloom_open(void)
{
    static const int good[] = {1, 1, 1};
    made *m = made_new();
    mk_buf body = {NULL, 0, 0};
    taco_pq_file *f;
    taco__pq_column_chunk c;
    taco__bloom b;
    taco_error e;
    size_t at, i;
    CHECK(bloom_of(64, good, &e) == TACO_OK);
    made_flat(m, 1, 0, "a", -1);
    made_chunk(m);
    mk_le(&body, 5, 4);
    made_data(m, 1, 0, &body);
    at = m->out.len;
    mk_add(&m->out, w.b, w.n);
    for (i = 0; i < 64; i++) {
        mk_le(&m->out, 0, 1);
    }
    made_group(m, 1);
    made_end(m);
    f = open_bytes(m->out.data, m->out.len, NULL);
    for (i = 0; i < 7; i++) {
        memset(&b, 0, sizeof b);
        memset(&e, 0, sizeof e);
        memset(&c, 0, sizeof c);
        c.bloom.offset = at;
        c.bloom.len = i == 0   ? (uint64_t)0
                      : i == 3 ? UINT64_MAX
                      : i == 4 ? w.n + 64
                      : i == 5 ? w.n + 63
                      : i == 6 ? (uint64_t)3
                               : 5000;
        c.encrypted = i == 1;
        c.external = i == 2;
        CHECK(taco__bloom_open(&b, &f->part, &c, f->mem, &e) == (i == 3 || i == 4));
        if (i == 3 || i == 4) {
            CHECK(b.blocks == 2 && b.at == at + w.n);
            CHECK(!taco__bloom_may_contain(&b, taco__bytes_of("\5\0\0\0", 4)));
        }
        taco__bloom_close(&b);
    }
    taco_pq_close(f);
    made_free(m);
    free(body.data);
}

/* ---- page indexes of readers ---- */

static void test_useful(void)
{
    taco__pq_column_chunk c;
    size_t i;
    for (i = 0; i < 6; i++) {
        memset(&c, 0, sizeof c);
        c.pages.len = i == 1 ? 4096 : 5000;
        c.offset_index.len = i == 2 ? 0 : i == 3 ? 5000 : 100;
        c.encrypted = i == 4;
        c.external = i == 5;
        CHECK(taco__page_index_is_useful(&c) == (i == 0));
    }
}

/* A column of 1000 pages of two rows, whose index is larger than the footer. */
static made *many_pages(const char *columns, size_t len)
{
    made *m = made_new();
    mk_buf body = {NULL, 0, 0};
    size_t i;
    made_flat(m, 2, 0, "a", -1);
    made_chunk(m);
    m->about[0].offsets = true;
    mk_add(&m->about[0].columns, columns, len);
    for (i = 0; i < 500; i++) {
        mk_le(&body, i * 2, 8);
        mk_le(&body, i * 2 + 1, 8);
        made_data(m, 2, 0, &body);
    }
    made_group(m, 1000);
    made_end(m);
    free(body.data);
    return m;
}

static void test_index_limits(void)
{
    static char long_index[6000];
    made *m = many_pages(long_index, sizeof long_index);
    taco_pq_file *f;
    taco_limits limits;
    taco_error e;
    bool ok;
    memset(&limits, 0, sizeof limits);
    memset(&e, 0, sizeof e);
    limits.max_metadata = 1000; /* more than the footer, less than the index: it is not used */
    f = open_bytes(m->out.data, m->out.len, &limits);
    CHECK(taco__page_index_offsets(f, 0, 0, &ok, &e) == NULL && ok && e.code == TACO_OK);
    CHECK(taco__page_index_columns(f, 0, 0, &ok, &e) == NULL && ok && e.code == TACO_OK);
    taco_pq_close(f);
    limits.max_metadata = 20; /* less than the footer */
    {
        taco_source src;
        taco_options opt;
        memset(&opt, 0, sizeof opt);
        opt.limits = limits;
        taco_source_memory(&src, m->out.data, m->out.len);
        CHECK(taco_pq_open_source(&src, NULL, &opt, &e) == NULL && e.code == TACO_ERR_LIMIT);
        CHECK(strstr(e.text, "bytes, limits.max_metadata is 20") && strstr(e.text, "at byte "));
        taco_source_memory(&src, m->out.data, m->out.len);
        CHECK(taco_pq_open_source(&src, "x", &opt, NULL) == NULL);
        taco_source_memory(&src, m->out.data, m->out.len);
        f = taco_pq_open_source(&src, NULL, NULL, NULL);
        CHECK(f && taco_pq_rows(f) == 1000);
    }
    memset(&e, 0, sizeof e);
    limits.max_metadata = 0;
    f->part.file->cached_only = true; /* what is not known is not read */
    CHECK(taco__page_index_offsets(f, 0, 0, &ok, &e) == NULL && ok);
    f->part.file->cached_only = false;
    CHECK(taco__page_index_offsets(f, 0, 0, &ok, &e) != NULL && ok);
    f->part.file->cached_only = true;
    CHECK(taco__page_index_offsets(f, 0, 0, &ok, &e) != NULL && ok);
    /* a column index that is no index is not there */
    CHECK(taco__page_index_columns(f, 0, 0, &ok, &e) == NULL && ok && e.code == TACO_OK);
    taco_pq_close(f);
    made_free(m);
    m = many_pages("", 0);
    f = open_bytes(m->out.data, m->out.len, NULL);
    CHECK(taco__page_index_columns(f, 0, 0, &ok, &e) == NULL && ok);
    taco_pq_close(f);
    made_free(m);
}

/* A column index that is as long as its chunk, or longer than limits allow, is not read. */
static void test_long_columns(void)
{
    static char long_index[30000];
    made *m = many_pages(long_index, sizeof long_index);
    taco_pq_file *f = open_bytes(m->out.data, m->out.len, NULL);
    taco_limits limits;
    taco_error e;
    bool ok;
    memset(&e, 0, sizeof e);
    CHECK(f->meta.groups[0].chunks[0].column_index.len == sizeof long_index);
    CHECK(taco__page_index_columns(f, 0, 0, &ok, &e) == NULL && ok);
    taco_pq_close(f);
    made_free(m);
    m = many_pages(long_index, 12000);
    memset(&limits, 0, sizeof limits);
    limits.max_metadata = 11000;
    f = open_bytes(m->out.data, m->out.len, &limits);
    CHECK(taco__page_index_offsets(f, 0, 0, &ok, &e) != NULL && ok);
    CHECK(taco__page_index_columns(f, 0, 0, &ok, &e) == NULL && ok);
    CHECK_TEXT(e.text, "");
    taco_pq_close(f);
    made_free(m);
}

int main(void)
{
    RUN(test_rich);
    RUN(test_cut);
    RUN(test_twice);
    RUN(test_orders);
    RUN(test_versions);
    RUN(test_thrift);
    RUN(test_no_memory);
    RUN(test_bloom_headers);
    RUN(test_bloom_open);
    RUN(test_useful);
    RUN(test_index_limits);
    RUN(test_long_columns);
    return test_end("test_meta_edges");
}
