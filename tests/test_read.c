/* The reading path with hostile input: what must be refused before it costs memory, and what
   messages may contain. */
#include "test.h"

#include "../src/arrow/printer.c"
#include "../src/filter/reader.c"
#include "../src/base/base.h"
#include "../src/parquet/parquet.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_inspect.h"
#include "../extra/taco_parquet_write.h"

#include "alloc.h"
#include "footer.h"
#include "make.h"
#include "pages.h"

static void quoted(const char *bytes, size_t len, const char *want)
{
    taco_error e;
    taco_bytes b = taco__bytes_of(bytes, len);
    memset(&e, 0, sizeof e);
    TACO__FAIL(&e, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "%q", &b);
    CHECK_TEXT(e.text, want);
}

static bool never_matches(void *ctx, const taco_array *min, const taco_array *max)
{
    (void)ctx;
    CHECK(!min || min->length == 1);
    CHECK(!max || max->length == 1);
    return false;
}

/* Messages are UTF-8 whatever names a file has. */
static void test_quoted(void)
{
    char name[80], want[80];
    size_t i;
    quoted("a\xC3\xA9", 3, "'a\xC3\xA9'");
    quoted("\xF0\x9F\x8C\x8D", 4, "'\xF0\x9F\x8C\x8D'");
    quoted("\xC3", 1, "'\\xc3'");
    quoted("\xC0\x80", 2, "'\\xc0\\x80'");          /* overlong */
    quoted("\xED\xA0\x80", 3, "'\\xed\\xa0\\x80'"); /* surrogate */
    quoted("\xF4\x90\x80\x80", 4, "'\\xf4\\x90\\x80\\x80'");
    for (i = 0; i < 63; i++) {
        name[i] = 'a';
    }
    name[63] = '\xC3'; /* the cut at 64 bytes would split it */
    name[64] = '\xA9';
    memcpy(want, "'", 1);
    memcpy(want + 1, name, 63);
    memcpy(want + 64, "...'", 5);
    quoted(name, 65, want);
}

/* A text that a prefix makes too long ends with a whole character. */
static void test_prefix_cut(void)
{
    char name[400];
    size_t shift;
    for (shift = 0; shift < 4; shift++) {
        taco_error e;
        size_t k = shift;
        taco_bytes all;
        memset(&e, 0, sizeof e);
        memset(name, 'x', shift);
        for (; k + 4 < sizeof name; k += 4) {
            memcpy(name + k, "\xF0\x9F\x8C\x8D", 4);
        }
        name[k] = 0;
        TACO__FAIL(&e, TACO_ERR_CORRUPT, 7, "%s", "short");
        taco__error_prefix(&e, "%s", name);
        all = taco__bytes_text(e.text);
        CHECK(all.len > sizeof e.text - 6 && all.len < sizeof e.text);
        CHECK(taco__utf8_valid(all));
    }
}

/* A page header that promises more than its codec can produce is refused before memory is asked
   for. */
static void bomb(int32_t codec, size_t len, uint32_t claimed, bool refused)
{
    static const uint8_t body[64] = {0};
    taco__mem mem;
    taco__pq_column_chunk chunk;
    taco__codecs *codecs;
    taco__chunk_reader l;
    taco_limits limits;
    taco_bytes out;
    taco_error e;
    memset(&e, 0, sizeof e);
    memset(&chunk, 0, sizeof chunk);
    memset(&limits, 0, sizeof limits);
    limits.max_page = (uint64_t)1 << 28;
    taco__mem_init(&mem, NULL);
    codecs = taco__codecs_open(&mem, NULL);
    mem.peak = 0;
    taco__chunk_reader_init(&l, &mem);
    chunk.codec = codec;
    l.chunk = &chunk;
    l.codecs = codecs;
    l.limits = &limits;
    l.page.body = taco__bytes_of(body, len);
    l.page.body_at = 77;
    l.page.header.uncompressed_size = claimed;
    CHECK(!taco__page_decompress(&l, &out, &e));
    CHECK(e.offset == 77);
    CHECK((strstr(e.text, "can reach") != NULL) == refused);
    CHECK(!refused || (e.code == TACO_ERR_CORRUPT && mem.peak == 0));
    taco__chunk_reader_free(&l);
    taco__codecs_close(codecs, &mem);
    CHECK(mem.used == 0);
}

/* A codec without a decoder, or one that parquet.thrift does not have, is refused by name before
   memory is asked for. */
static void no_decoder(int32_t codec, const char *name)
{
    static const uint8_t body[8] = {0};
    taco__mem mem;
    taco__pq_column_chunk chunk;
    taco__chunk_reader l;
    taco_limits limits;
    taco_bytes out;
    taco_error e;
    memset(&e, 0, sizeof e);
    memset(&chunk, 0, sizeof chunk);
    memset(&limits, 0, sizeof limits);
    limits.max_page = 1 << 20;
    taco__mem_init(&mem, NULL);
    taco__chunk_reader_init(&l, &mem);
    chunk.codec = codec;
    l.chunk = &chunk;
    l.limits = &limits;
    l.page.body = taco__bytes_of(body, sizeof body);
    l.page.header.uncompressed_size = 1000;
    CHECK(!taco__page_decompress(&l, &out, &e));
    CHECK(e.code == TACO_ERR_UNSUPPORTED && mem.peak == 0);
    CHECK(strstr(e.text, "unsupported: codec ") && strcmp(strchr(e.text, 'c') + 6, name) == 0);
    taco__chunk_reader_free(&l);
}

static void test_bombs(void)
{
    no_decoder(TACO__PQ_CODEC_LZO, "lzo");
    no_decoder(8, "unknown");
    no_decoder(-1, "unknown");
    bomb(TACO__PQ_CODEC_SNAPPY, 40, (uint32_t)1 << 28, true);
    bomb(TACO__PQ_CODEC_GZIP, 40, (uint32_t)1 << 28, true);
    bomb(TACO__PQ_CODEC_LZ4, 40, (uint32_t)1 << 28, true);
    bomb(TACO__PQ_CODEC_LZ4_RAW, 40, (uint32_t)1 << 28, true);
    bomb(TACO__PQ_CODEC_ZSTD, 40, (uint32_t)1 << 28, true);
    bomb(TACO__PQ_CODEC_SNAPPY, 40, 900, false); /* within reach: the codec finds out */
    bomb(TACO__PQ_CODEC_GZIP, 40, 40000, false);
}

/* More plain bytes than the page header promises are damage, not a limit of the caller's. */
static void longer(int32_t codec, const char *body, size_t len)
{
    taco__mem mem;
    taco__pq_column_chunk chunk;
    taco__codecs *codecs;
    taco__chunk_reader l;
    taco_limits limits;
    taco_bytes out;
    taco_error e;
    size_t size;
    taco__mem_init(&mem, NULL);
    codecs = taco__codecs_open(&mem, NULL);
    for (size = 1; size <= 5; size += 1) {
        memset(&e, 0, sizeof e);
        memset(&chunk, 0, sizeof chunk);
        memset(&limits, 0, sizeof limits);
        limits.max_page = (uint64_t)1 << 28;
        taco__chunk_reader_init(&l, &mem);
        chunk.codec = codec;
        l.chunk = &chunk;
        l.codecs = codecs;
        l.limits = &limits;
        l.page.body = taco__bytes_of(body, len);
        l.page.body_at = 77;
        l.page.header.uncompressed_size = (uint32_t)size;
        CHECK(taco__page_decompress(&l, &out, &e) == (size == 5));
        CHECK(size == 5 ? out.len == 5 && memcmp(out.data, "hello", 5) == 0
                        : e.code == TACO_ERR_CORRUPT && e.offset == 77);
        taco__chunk_reader_free(&l);
    }
    taco__codecs_close(codecs, &mem);
}

static void test_longer(void)
{
    longer(TACO__PQ_CODEC_ZSTD, "\x28\xb5\x2f\xfd\x20\5\x29\0\0hello", 14);
    longer(TACO__PQ_CODEC_ZSTD, "\x28\xb5\x2f\xfd\0\x58\x29\0\0hello", 14); /* without a size */
    longer(TACO__PQ_CODEC_SNAPPY, "\5\x10hello", 7);
    longer(TACO__PQ_CODEC_LZ4_RAW, "\x50hello", 6);
    longer(TACO__PQ_CODEC_GZIP, "\1\5\0\xfa\xffhello", 10);
}

static void test_null_handles(void)
{
    taco_error e;
    taco_batch b;
    taco_array a;
    memset(&e, 0, sizeof e);
    CHECK(taco_pq_read(NULL, NULL, &e) == NULL && e.code == TACO_ERR_ARGUMENT);
    memset(&e, 0, sizeof e);
    CHECK(taco_pq_column_open(NULL, "a", TACO_INT32, &e) == NULL && e.code == TACO_ERR_ARGUMENT);
    CHECK(!taco_pq_reader_next(NULL, &b) && b.length == 0);
    CHECK(!taco_pq_column_next(NULL, 10, &a));
    CHECK(taco_pq_reader_close(NULL, &e) == TACO_OK && taco_pq_column_close(NULL, &e) == TACO_OK);
    CHECK(taco_printer_batch(NULL, NULL, &e).data == NULL);
    taco_pq_close(NULL);
}

/* ---- queries ---- */

static const int64_t some_i[7] = {0, 1, 2, 3, 4, 5, 6};
static const double some_f[7] = {0, 0.5, 1, 1.5, 2, 2.5, 3};
static const char *const some_t[7] = {"a", "b", NULL, "d", "", "f", "g"};

static void test_queries(void)
{
    mk_col cols[3];
    mk_buf file;
    taco_pq_file *f;
    taco_pq_query q;
    const char *two[2] = {"t", "i"}, *wrong[1] = {"tt"};
    taco_error e;
    taco_batch b;
    cols[0] = mk_i64("i", some_i);
    cols[1] = mk_f64("f", some_f);
    cols[2] = mk_text("t", some_t);
    file = mk_parquet(cols, 3, 7, 3);
    f = open_bytes(file.data, file.len, NULL);
    CHECK(taco_pq_rows(f) == 7 && taco_pq_row_groups(f) == 3);
    memset(&q, 0, sizeof q);
    q.columns = two;
    q.column_count = 2;
    q.where = "f >= 1 AND i < 6";
    q.limit = 3;
    same(f, &q, "{\"t\":null,\"i\":2}\n{\"t\":\"d\",\"i\":3}\n{\"t\":\"\",\"i\":4}\n");
    q.batch_rows = 1;
    same(f, &q, "{\"t\":null,\"i\":2}\n{\"t\":\"d\",\"i\":3}\n{\"t\":\"\",\"i\":4}\n");
    q.where = "t IS NULL";
    same(f, &q, "{\"t\":null,\"i\":2}\n");
    q.where = NULL;
    q.limit = 4;
    q.batch_rows = 2;
    same(f, &q,
         "{\"t\":\"a\",\"i\":0}\n{\"t\":\"b\",\"i\":1}\n{\"t\":null,\"i\":2}\n{\"t\":\"d\",\"i\":3}"
         "\n");
    q.columns = wrong;
    q.column_count = 1;
    memset(&e, 0, sizeof e);
    CHECK(taco_pq_read(f, &q, &e) == NULL && e.code == TACO_ERR_NOT_FOUND &&
          strstr(e.text, "'tt'"));
    memset(&e, 0, sizeof e);
    q.columns = two;
    q.where = "nope = 1";
    CHECK(taco_pq_read(f, &q, &e) == NULL && e.code == TACO_ERR_NOT_FOUND &&
          strstr(e.text, "'nope'"));
    memset(&e, 0, sizeof e);
    q.where = "i = ";
    CHECK(taco_pq_read(f, &q, &e) == NULL && e.code == TACO_ERR_SYNTAX);
    { /* closed half-way: nothing may leak, and there is no failure to report */
        taco_pq_reader *r;
        memset(&q, 0, sizeof q);
        q.batch_rows = 2;
        r = taco_pq_read(f, &q, NULL);
        CHECK(taco_pq_reader_next(r, &b) && b.length == 2 && b.first_row == 0 &&
              b.column_count == 3);
        CHECK(taco_pq_reader_next(r, &b) && b.length == 1 && b.first_row == 2);
        CHECK(taco_pq_reader_close(r, NULL) == TACO_OK);
    }
    taco_pq_close(f);
    free(file.data);
}

/* type_length of a decimal that is stored as INT64 means nothing, whatever it is. */
static void test_type_length(void)
{
    static const size_t lengths[3] = {1, INT32_MAX, (size_t)-1};
    size_t i;
    for (i = 0; i < 3; i++) {
        mk_col c = mk_i64("d", some_i);
        mk_buf file;
        taco_pq_file *f;
        c.type = MK_DECIMAL;
        c.width = lengths[i];
        file = mk_parquet(&c, 1, 7, 4);
        f = open_bytes(file.data, file.len, NULL);
        same(f, NULL,
             "{\"d\":\"0.00\"}\n{\"d\":\"0.01\"}\n{\"d\":\"0.02\"}\n{\"d\":\"0.03\"}\n"
             "{\"d\":\"0.04\"}\n{\"d\":\"0.05\"}\n{\"d\":\"0.06\"}\n");
        taco_pq_close(f);
        free(file.data);
    }
}

static void test_column(void)
{
    mk_col cols[2];
    mk_buf file;
    taco_pq_file *f;
    taco_pq_column *c;
    taco_array a;
    taco_bytes schema;
    char *copy;
    taco_error e;
    size_t n = 0, i;
    cols[0] = mk_i64("i", some_i);
    cols[1] = mk_text("t", some_t);
    file = mk_parquet(cols, 2, 7, 3);
    f = open_bytes(file.data, file.len, NULL);
    memset(&e, 0, sizeof e);
    c = taco_pq_column_open(f, "i", TACO_INT64, &e);
    while (taco_pq_column_next(c, 2, &a)) {
        CHECK(a.length <= 2);
        for (i = 0; i < a.length; i++) {
            CHECK(taco_array_valid(&a, i) && a.v.i64[i] == (int64_t)n);
            n++;
        }
    }
    CHECK(n == 7 && !taco_pq_column_next(c, 2, &a) && a.length == 0);
    CHECK(taco_pq_column_close(c, &e) == TACO_OK);
    schema = taco_pq_schema_text(f, &e);
    copy = (char *)malloc(schema.len + 1);
    memcpy(copy, schema.data, schema.len);
    CHECK(taco_pq_column_open(f, "i", TACO_TEXT, &e) == NULL && e.code == TACO_ERR_TYPE);
    CHECK_TEXT(e.text, "made: column 'i' is of type 'int64', was requested as text");
    CHECK(memcmp(schema.data, copy, schema.len) == 0); /* lives as long as the file */
    free(copy);
    memset(&e, 0, sizeof e);
    CHECK(taco_pq_column_open(f, "I", TACO_INT64, &e) == NULL && e.code == TACO_ERR_NOT_FOUND &&
          strstr(e.text, "'I'"));
    memset(&e, 0, sizeof e);
    CHECK(taco_pq_column_open(f, NULL, TACO_INT64, &e) == NULL && e.code == TACO_ERR_ARGUMENT);
    c = taco_pq_column_open(f, "t", TACO_TEXT, NULL);
    CHECK(!taco_pq_column_next(c, 0, &a));
    CHECK(taco_pq_column_next(c, 100, &a) && a.length == 3 && a.null_count == 1 &&
          !taco_array_valid(&a, 2));
    CHECK(taco_pq_column_close(c, NULL) == TACO_OK);
    taco_pq_close(f);
    free(file.data);
}

/* ---- damaged pages ---- */

static void damaged(page_spec p, size_t values, taco_status code, const char *text)
{
    made *m = made_new();
    mk_buf b = {NULL, 0, 0};
    size_t i;
    made_flat(m, 1, 0, "a", -1);
    made_chunk(m);
    for (i = 0; i < values; i++) {
        mk_le(&b, i, 4);
    }
    made_page(m, &p, &b);
    made_group(m, (int64_t)p.n);
    made_end(m);
    refused(m, NULL, code, text);
    free(b.data);
    made_free(m);
}

static void test_damaged(void)
{
    page_spec p;
    memset(&p, 0, sizeof p);
    p.n = 100;
    p.crc = true;
    p.crc_off = 1;
    damaged(p, 100, TACO_ERR_CHECKSUM, "column 'a': at byte 30: page CRC is ");
    p.crc = false;
    damaged(p, 99, TACO_ERR_TRUNCATED, "column 'a', page 1");
    damaged(p, 0, TACO_ERR_TRUNCATED, "column 'a', page 1");
    p.claims = 1 << 20;
    damaged(p, 100, TACO_ERR_TRUNCATED, "column 'a'");
    p.claims = 0;
    p.encoding = 8;
    damaged(p, 100, TACO_ERR_CORRUPT, "no dictionary page");
    p.encoding = 77;
    damaged(p, 100, TACO_ERR_UNSUPPORTED, "encoding 77");
    p.encoding = 6;
    damaged(p, 100, TACO_ERR_CORRUPT, "does not go with");
}

/* ---- dictionaries ---- */

static const char *const dict_a[3] = {"red", "green", "blue"};
static const char *const dict_b[2] = {"BLUE", "R"};

static void put_indices(mk_buf *b, const unsigned *v, size_t n)
{
    size_t i;
    mk_le(b, 2, 1); /* bit width */
    for (i = 0; i < n; i++) {
        put_run(b, 1, v[i]);
    }
}

/* Row group 0: a dictionary and a plain page behind it; row group 1: another dictionary; row group
   2: only a plain page, or (broken) a dictionary-encoded one without its dictionary. */
static made *dictionaries(bool broken)
{
    static const unsigned v[4] = {2, 0, 1, 1};
    made *m = made_new();
    mk_buf b = {NULL, 0, 0};
    made_flat(m, 6, 0, "t", 0);
    made_chunk(m);
    put_texts(&b, dict_a, 3);
    made_dict(m, 3, &b);
    put_indices(&b, v, 4);
    made_data(m, 4, 8, &b);
    put_texts(&b, dict_b, 2);
    made_data(m, 2, 0, &b);
    put_indices(&b, v, 2);
    made_data(m, 2, 8, &b);
    made_group(m, 8);
    made_chunk(m);
    put_texts(&b, dict_b, 2);
    made_dict(m, 2, &b);
    put_indices(&b, v + 1, 3);
    made_data(m, 3, 8, &b);
    made_group(m, 3);
    made_chunk(m);
    if (broken) {
        put_indices(&b, v + 1, 2);
        made_data(m, 2, 8, &b);
    } else {
        put_texts(&b, dict_a, 2);
        made_data(m, 2, 0, &b);
    }
    made_group(m, 2);
    made_end(m);
    free(b.data);
    return m;
}

static const char *const dict_rows[13] = {"blue", "red",  "green", "green", "BLUE", "R",    "blue",
                                          "red",  "BLUE", "R",     "R",     "red",  "green"};

static void dict_check(const taco_array *a, const uint32_t *rows, size_t n)
{
    size_t i;
    CHECK(a->length == n);
    for (i = 0; i < n && i < a->length; i++) {
        taco_bytes v = taco_array_bytes(a, i);
        CHECK(taco__bytes_compare(v, taco__bytes_text(dict_rows[rows[i]])) == 0);
    }
}

static void test_dictionaries(void)
{
    made *m = dictionaries(false);
    taco_pq_file *f = open_bytes(m->out.data, m->out.len, NULL);
    taco_pq_query q;
    taco_error e;
    taco__table table;
    uint32_t from, to, all[13], n;
    size_t zero = 0;
    char *want;
    memset(&e, 0, sizeof e);
    memset(&q, 0, sizeof q);
    want = dump(f, NULL, &e);
    CHECK_TEXT(want ? want : e.text, "{\"t\":\"blue\"}\n{\"t\":\"red\"}\n{\"t\":\"green\"}\n{\"t\":"
                                     "\"green\"}\n{\"t\":\"BLUE\"}\n{\"t\":\"R\"}\n"
                                     "{\"t\":\"blue\"}\n{\"t\":\"red\"}\n{\"t\":\"BLUE\"}\n{\"t\":"
                                     "\"R\"}\n{\"t\":\"R\"}\n{\"t\":\"red\"}\n{\"t\":\"green\"}\n");
    for (q.batch_rows = 1; q.batch_rows < 6; q.batch_rows++) {
        same(f, &q, want);
    }
    free(want);
    q.where = "t = 'R' OR t = 'blue'";
    same(f, &q,
         "{\"t\":\"blue\"}\n{\"t\":\"R\"}\n{\"t\":\"blue\"}\n{\"t\":\"R\"}\n{\"t\":\"R\"}\n");
    /* batches over row groups: every range, and every range with holes */
    taco__table_from_file(&table, f);
    for (n = 0; n < 13; n++) {
        all[n] = n;
    }
    for (from = 0; from < 13; from++) {
        for (to = from + 1; to <= 13; to++) {
            taco__row_reader r;
            uint32_t odd[13];
            size_t k = 0;
            memset(&e, 0, sizeof e);
            CHECK(taco__row_reader_open(&r, &table, &zero, 1, f->mem, &e));
            CHECK(taco__row_reader_read_range(&r, from, to - from, &e));
            dict_check(&r.arrays[0], all + from, to - from);
            for (n = from; n < to; n += 1 + n % 3) {
                odd[k++] = n;
            }
            CHECK(taco__row_reader_read(&r, 0, odd, k, &e));
            dict_check(&r.arrays[0], odd, k);
            CHECK_TEXT(e.text, "");
            taco__row_reader_close(&r);
        }
    }
    taco_pq_close(f);
    made_free(m);
    /* what a row group before left behind must not serve */
    m = dictionaries(true);
    refused(m, NULL, TACO_ERR_CORRUPT, "row group 2: column 't', page 1: at byte ");
    refused(m, NULL, TACO_ERR_CORRUPT, "the column chunk has no dictionary page before it");
    made_free(m);
}

/* ---- nested columns ---- */

static uint32_t dice(uint32_t *seed, uint32_t n)
{
    *seed = *seed * 1664525U + 1013904223U;
    return (*seed >> 8) % n;
}

/* optional list of optional structs of an optional int32 and a required text: pages end anywhere,
   even inside rows. */
static made *nested(size_t rows, uint32_t seed)
{
    static const char *const words[3] = {"", "x", "longer"};
    made *m = made_new();
    mk_buf rep[2], def[2], val[2], page = {NULL, 0, 0};
    uint64_t n[2] = {0, 0};
    size_t leaf, r, g;
    made_element(m, -1, -1, "root", 1, -1);
    made_element(m, -1, 1, "l", 1, 3);
    made_element(m, -1, 2, "list", 1, -1);
    made_element(m, -1, 1, "element", 2, -1);
    made_element(m, 1, 1, "x", -1, -1);
    made_element(m, 6, 0, "y", -1, 0);
    m->leaves = 2;
    m->types[0] = 1;
    m->types[1] = 6;
    for (leaf = 0; leaf < 2; leaf++) {
        m->paths[leaf][0] = "l";
        m->paths[leaf][1] = "list";
        m->paths[leaf][2] = "element";
        m->paths[leaf][3] = leaf ? "y" : "x";
    }
    memset(rep, 0, sizeof rep);
    memset(def, 0, sizeof def);
    memset(val, 0, sizeof val);
    for (g = 0; g < 2; g++) {
        for (leaf = 0; leaf < 2; leaf++) {
            uint32_t shape = seed + (uint32_t)g,
                     split = seed * 7 + (uint32_t)leaf; /* one shape, other pages */
            made_chunk(m);
            for (r = 0; r < rows; r++) {
                uint32_t len = dice(&shape, 6), i = 0;
                do {
                    uint32_t what = dice(&shape, 4), word = dice(&shape, 3);
                    unsigned d = len == 0    ? 0
                                 : len == 1  ? 1
                                 : what == 0 ? 2
                                 : leaf      ? 3
                                 : what == 1 ? 3
                                             : 4;
                    put_run(&rep[leaf], 1, i > 0);
                    put_run(&def[leaf], 1, d);
                    n[leaf]++;
                    if (leaf && d == 3) {
                        put_texts(&val[leaf], words + word, 1);
                    } else if (d == 4) {
                        mk_le(&val[leaf], word + r, 4);
                    }
                    if (dice(&split, 9) == 0 ||
                        (r + 1 == rows && i + 1 >= (len < 2 ? 1 : len - 1))) {
                        put_levels(&page, &rep[leaf]);
                        put_levels(&page, &def[leaf]);
                        mk_add(&page, val[leaf].data, val[leaf].len);
                        made_data(m, n[leaf], 0, &page);
                        rep[leaf].len = def[leaf].len = val[leaf].len = 0;
                        n[leaf] = 0;
                    }
                    i++;
                } while (len > 1 && i < len - 1);
            }
        }
        made_group(m, (int64_t)rows);
    }
    made_end(m);
    for (leaf = 0; leaf < 2; leaf++) {
        free(rep[leaf].data);
        free(def[leaf].data);
        free(val[leaf].data);
    }
    free(page.data);
    return m;
}

/* A repeated column with more rows than its row group: the first ones are read, as Arrow, DuckDB
   and polars do; verify says what is wrong. */
static void test_surplus(void)
{
    made *m = made_new();
    mk_buf rep = {NULL, 0, 0}, def = {NULL, 0, 0}, page = {NULL, 0, 0};
    taco_pq_file *f;
    taco_pq_checked sum;
    taco_error e;
    char *text;
    int i;
    memset(&e, 0, sizeof e);
    made_flat(m, 1, 2, "v", -1);
    made_chunk(m);
    put_run(&rep, 2, 0); /* [0], [1, 2], [3], [4] */
    put_run(&rep, 1, 1);
    put_run(&rep, 2, 0);
    put_run(&def, 5, 1);
    put_levels(&page, &rep);
    put_levels(&page, &def);
    for (i = 0; i < 5; i++) {
        mk_le(&page, (uint64_t)i, 4);
    }
    made_data(m, 5, 0, &page);
    made_group(m, 2);
    made_end(m);
    f = open_bytes(m->out.data, m->out.len, NULL);
    text = dump(f, NULL, &e);
    CHECK_TEXT(text ? text : "", "{\"v\":[0]}\n{\"v\":[1,2]}\n");
    CHECK(taco_pq_verify(f, NULL, NULL, &sum, &e) == TACO_ERR_CORRUPT && sum.faults == 1);
    CHECK(strstr(e.text, ": 4 rows in its pages, the row group has 2") != NULL);
    free(text);
    taco_pq_close(f);
    free(rep.data);
    free(def.data);
    free(page.data);
    made_free(m);
}

static void test_nested(void)
{
    uint32_t seed;
    for (seed = 1; seed < 6; seed++) {
        made *m = nested(40, seed);
        taco_pq_file *f = open_bytes(m->out.data, m->out.len, NULL);
        taco_pq_query q;
        taco_error e;
        char *want, *line, *end;
        mk_buf all = {NULL, 0, 0};
        taco__table table;
        taco__row_reader rows;
        taco_printer *p;
        size_t zero = 0;
        uint32_t i;
        memset(&e, 0, sizeof e);
        memset(&q, 0, sizeof q);
        want = dump(f, NULL, &e);
        CHECK_TEXT(e.text, "");
        CHECK(want && strstr(want, "{\"l\":null}") && strstr(want, "{\"l\":[]}") &&
              strstr(want, "{\"x\":null,\"y\":"));
        for (q.batch_rows = 1; want && q.batch_rows < 50; q.batch_rows += 1 + q.batch_rows / 2) {
            same(f, &q, want);
        }
        /* every third row, read sparsely: with and without the rows between */
        taco__table_from_file(&table, f);
        CHECK(taco__row_reader_open(&rows, &table, &zero, 1, f->mem, &e));
        p = taco_printer_open(table.fields, 1, TACO_FORMAT_NDJSON, NULL, &e);
        for (i = 0, line = want; want && i < 80; i++, line = end + 1) {
            taco_batch b;
            taco_bytes t;
            end = strchr(line, '\n');
            if (i % 3 == 0) {
                memset(&b, 0, sizeof b);
                CHECK(taco__row_reader_read(&rows, 0, &i, 1, &e));
                b.length = b.column_count = 1;
                b.columns = rows.arrays;
                t = taco_printer_batch(p, &b, &e);
                CHECK(t.len == (size_t)(end - line) + 1 && memcmp(t.data, line, t.len) == 0);
            }
        }
        CHECK_TEXT(e.text, "");
        taco_printer_close(p);
        taco__row_reader_close(&rows);
        free(all.data);
        free(want);
        taco_pq_close(f);
        made_free(m);
    }
}

/* The chunk of an optional list of optional int32, three levels deep. */
static void made_list(made *m)
{
    made_element(m, -1, -1, "root", 1, -1);
    made_element(m, -1, 1, "l", 1, 3);
    made_element(m, -1, 2, "list", 1, -1);
    made_element(m, 1, 1, "element", -1, -1);
    m->leaves = 1;
    m->types[0] = 1;
    m->paths[0][0] = "l";
    m->paths[0][1] = "list";
    m->paths[0][2] = "element";
    made_chunk(m);
}

/* Groups without fields, by themselves, in a list, and in a group that has a column, too: every row
   has them, with nothing inside. */
static void test_empty_groups(void)
{
    static const uint8_t body[] = {1, 0, 0, 0, 2, 0, 0, 0};
    static const char *const names[] = {"e", "l", "s"};
    made *m = made_new();
    mk_buf page = {NULL, 0, 0};
    taco_pq_file *f;
    taco_pq_query q;
    made_element(m, -1, -1, "root", 3, -1);
    made_element(m, -1, 0, "e", 0, -1);
    made_element(m, -1, 1, "l", 1, 3); /* a list of such groups */
    made_element(m, -1, 2, "list", 1, -1);
    made_element(m, -1, 1, "element", 0, -1);
    made_element(m, -1, 0, "s", 2, -1);
    made_element(m, 1, 0, "x", -1, -1);
    made_element(m, -1, 0, "inner", 1, -1);
    made_element(m, -1, 0, "none", 0, -1);
    m->leaves = 1;
    m->types[0] = 1;
    m->paths[0][0] = "s";
    m->paths[0][1] = "x";
    made_chunk(m);
    mk_add(&page, body, sizeof body);
    made_data(m, 2, 0, &page);
    made_group(m, 2);
    made_end(m);
    f = open_bytes(m->out.data, m->out.len, NULL);
    memset(&q, 0, sizeof q);
    for (q.batch_rows = 0; q.batch_rows < 3; q.batch_rows++) {
        same(f, &q,
             "{\"e\":{},\"l\":[],\"s\":{\"x\":1,\"inner\":{\"none\":{}}}}\n"
             "{\"e\":{},\"l\":[],\"s\":{\"x\":2,\"inner\":{\"none\":{}}}}\n");
    }
    q.columns = names;
    q.column_count = 2;
    same(f, &q, "{\"e\":{},\"l\":[]}\n{\"e\":{},\"l\":[]}\n");
    taco_pq_close(f);
    made_free(m);
    free(page.data);
}

/* Pages whose levels say in one run that every element is there, and others, in every order within
   a batch. */
static void test_full_pages(void)
{
    uint32_t shape;
    for (shape = 0; shape < 16; shape++) {
        made *m = made_new();
        mk_buf rep = {NULL, 0, 0}, def = {NULL, 0, 0}, val = {NULL, 0, 0};
        mk_buf page = {NULL, 0, 0}, want = {NULL, 0, 0};
        taco_pq_file *f;
        taco_pq_query q;
        size_t p, r, i;
        char text[32];
        made_list(m);
        for (p = 0; p < 4; p++) {
            bool full = (shape >> p & 1) != 0;
            size_t n = 0;
            rep.len = def.len = val.len = 0;
            for (r = 0; r < 40; r++) {
                size_t len = 1 + (r + p) % 3;
                mk_add(&want, "{\"l\":[", 6);
                for (i = 0; i < len; i++, n++) {
                    bool null = !full && (r + i) % 5 == 0;
                    put_run(&rep, 1, i > 0);
                    if (!full) { put_run(&def, 1, null ? 2 : 3); }
                    if (!null) { mk_le(&val, p * 1000 + r * 10 + i, 4); }
                    snprintf(text, sizeof text, "%s%u", i ? "," : "",
                             (unsigned)(p * 1000 + r * 10 + i));
                    mk_add(&want, null ? i ? ",null" : "null" : text,
                           null ? i ? (size_t)5 : 4 : strlen(text));
                }
                mk_add(&want, "]}\n", 3);
            }
            if (full) { put_run(&def, n, 3); }
            put_levels(&page, &rep);
            put_levels(&page, &def);
            mk_add(&page, val.data, val.len);
            made_data(m, n, 0, &page);
        }
        made_group(m, 160);
        made_end(m);
        mk_add(&want, "", 1);
        f = open_bytes(m->out.data, m->out.len, NULL);
        memset(&q, 0, sizeof q);
        for (q.batch_rows = 1; q.batch_rows < 400; q.batch_rows += 1 + q.batch_rows / 2) {
            same(f, &q, (const char *)want.data);
        }
        taco_pq_close(f);
        made_free(m);
        free(rep.data);
        free(def.data);
        free(val.data);
        free(page.data);
        free(want.data);
    }
}

/* Sparse reading finds what dense reading finds. */
static void test_sparse(void)
{
    made *m = made_new();
    mk_buf b = {NULL, 0, 0};
    taco_pq_file *f;
    taco_pq_query q;
    taco_error e;
    const char *both[1] = {"a"};
    char *sparse;
    size_t i, at = 0;
    made_flat(m, 2, 0, "a", -1);
    made_chunk(m);
    for (i = 0; i < 20000; i++) {
        mk_le(&b, i * i % 10007, 8);
        if (i % 300 == 299 || i == 19999) { made_data(m, i % 300 + 1, 0, &b); }
    }
    made_group(m, 20000);
    made_end(m);
    f = open_bytes(m->out.data, m->out.len, NULL);
    memset(&q, 0, sizeof q);
    memset(&e, 0, sizeof e);
    q.columns = both;
    q.column_count = 1;
    q.where = "a < 12";
    sparse = dump(f, &q, &e);
    CHECK_TEXT(e.text, "");
    for (i = 0; sparse && i < 20000; i++) {
        size_t x = i * i % 10007;
        char line[32];
        if (x < 12) {
            int len = snprintf(line, sizeof line, "{\"a\":%u}\n", (unsigned)x);
            CHECK(strncmp(sparse + at, line, (size_t)len) == 0);
            at += (size_t)len;
        }
    }
    CHECK(sparse && sparse[at] == 0 && at > 0);
    free(sparse);
    free(b.data);
    taco_pq_close(f);
    made_free(m);
}

/* ---- memory ---- */

typedef struct bytes_ctx {
    const uint8_t *data;
} bytes_ctx;

static bool bytes_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    memcpy(dst, ((bytes_ctx *)ctx)->data + offset, len);
    return true;
}

/* Reads column "a" of ten million rows, from a source that must be copied from, within `most`
   bytes. */
static void frugal(const made *m, uint64_t most, int64_t sum)
{
    taco_source src;
    taco_options opt;
    taco_pq_file *f;
    taco_pq_column *c;
    taco_array a;
    taco_error e;
    bytes_ctx ctx;
    size_t i, n = 0;
    int64_t got = 0;
    memset(&src, 0, sizeof src);
    memset(&opt, 0, sizeof opt);
    memset(&e, 0, sizeof e);
    ctx.data = m->out.data;
    src.ctx = &ctx;
    src.size = m->out.len;
    src.read = bytes_read;
    opt.limits.max_memory = most;
    f = taco_pq_open_source(&src, "made", &opt, &e);
    c = taco_pq_column_open(f, "a", TACO_INT32, &e);
    while (taco_pq_column_next(c, 4096, &a)) {
        for (i = 0; i < a.length; i++) {
            got += a.v.i32[i];
        }
        n += a.length;
    }
    CHECK(taco_pq_column_close(c, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK(n == 10000000 && got == sum);
    CHECK(f->mem->peak <= most);
    taco_pq_close(f);
}

static void test_memory_limit(void)
{
    made *m = made_new();
    mk_buf b = {NULL, 0, 0};
    size_t i, k;
    int64_t sum = 0;
    uint64_t most =
        (uint64_t)3
        << 20; /* the file's window of 1 MiB, the footer's 64 KiB, decoder states, batches */
    made_flat(m, 1, 0, "a", -1);
    made_chunk(m);
    for (i = 0; i < 1000; i++) { /* plain pages of 40 KB */
        for (k = 0; k < 10000; k++) {
            mk_le(&b, k ^ i, 4);
            sum += (int64_t)(k ^ i);
        }
        made_data(m, 10000, 0, &b);
    }
    made_group(m, 10000000);
    made_end(m);
    frugal(m, most, sum);
    made_free(m);
    m = made_new();
    made_flat(m, 1, 0, "a", -1);
    made_chunk(m);
    for (i = 0; i < 4; i++) {
        mk_le(&b, i * 5, 4);
    }
    made_dict(m, 4, &b);
    mk_le(&b, 2, 1);
    put_run(&b, 9999999, 3); /* a page of a few bytes */
    put_run(&b, 1, 1);
    made_data(m, 10000000, 8, &b);
    made_group(m, 10000000);
    made_end(m);
    frugal(m, most, (int64_t)9999999 * 15 + 5);
    made_free(m);
    free(b.data);
}

/* A page of a few bytes that claims 2^31 - 1 level entries, all of one row. */
static void test_endless_row(void)
{
    made *m;
    mk_buf b = {NULL, 0, 0}, rep = {NULL, 0, 0}, def = {NULL, 0, 0};
    taco_limits limits;
    taco_pq_file *f;
    taco_error e;
    unsigned level;
    for (level = 0; level < 2; level++) { /* nulls, values of a dictionary */
        m = made_new();
        made_list(m);
        mk_le(&b, 77, 4);
        made_dict(m, 1, &b);
        put_run(&rep, 1, 0);
        put_run(&rep, INT32_MAX - 1, 1);
        put_run(&def, INT32_MAX, 2 + level);
        put_levels(&b, &rep);
        put_levels(&b, &def);
        mk_le(&b, 1, 1);
        put_run(&b, INT32_MAX, 0);
        made_data(m, INT32_MAX, 8, &b);
        made_group(m, 1);
        made_end(m);
        memset(&e, 0, sizeof e);
        f = open_bytes(m->out.data, m->out.len, NULL);
        CHECK(dump(f, NULL, &e) == NULL && e.code == TACO_ERR_LIMIT);
        CHECK(strstr(e.text, "level entries in a batch of 1 rows from 29 bytes") &&
              strstr(e.text, "limits.max_page allows 4194305"));
        CHECK(f->mem->peak < (uint64_t)80 << 20);
        taco_pq_close(f);
        memset(&limits, 0, sizeof limits);
        limits.max_page = 1 << 20;
        refused(m, &limits, TACO_ERR_LIMIT, "limits.max_page allows 1048577");
        rep.len = def.len = b.len = 0;
        made_free(m);
    }
    free(b.data);
    free(rep.data);
    free(def.data);
}

/* ---- conditions of the caller ---- */

/* One column of four rows in two row groups, and its values as numbers, or as bytes of equal
   length. */
typedef struct bounded {
    taco_type type;
    int32_t width, scale;
    const void *data;
    double number[4];
    const char *bytes[4]; /* NULL: numbers */
    bool told;            /* its bounds are passed on */
} bounded;

/* What a condition was asked. */
typedef struct asked {
    const bounded *of;
    size_t calls, rows;
    bool fail;
} asked;

static bool is_value(const bounded *of, const taco_array *a, size_t i)
{
    taco_bytes b = taco_array_bytes(a, 0);
    return of->bytes[i] ? b.len == strlen(of->bytes[i]) && memcmp(b.data, of->bytes[i], b.len) == 0
                        : taco_array_double(a, 0) >= of->number[i] &&
                              taco_array_double(a, 0) <= of->number[i];
}

/* Only the second row group may match: rows 2 and 3. */
static bool second_group(void *ctx, const taco_array *min, const taco_array *max)
{
    asked *x = (asked *)ctx;
    size_t group = x->calls++;
    CHECK(x->of->told == (min != NULL) && x->of->told == (max != NULL));
    if (min && max) {
        CHECK(min->length == 1 && max->length == 1 && min->field->type == x->of->type);
        CHECK(is_value(x->of, min, 2 * group) && is_value(x->of, max, 2 * group + 1));
    }
    return group == 1;
}

static bool all_match(void *ctx, const taco_array *a, size_t rows, uint8_t *bits)
{
    asked *x = (asked *)ctx;
    size_t i;
    CHECK(a->length >= rows);
    x->rows += rows;
    for (i = 0; i < rows; i++) {
        bits[i / 8] = (uint8_t)(bits[i / 8] | 1 << i % 8);
    }
    return !x->fail;
}

/* A file of two row groups with that column. */
static taco_pq_file *write_bounded(const bounded *x, taco_sink *sink)
{
    static const int32_t ends[2][5] = {{0, 1, 2, 3, 4}, {0, 2, 4, 6, 8}};
    taco_pq_write_options o;
    taco_field f = taco__field_make("v", x->type);
    taco_array a;
    taco_batch b;
    taco_pq_writer *w;
    taco_error e;
    memset(&o, 0, sizeof o);
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    memset(&e, 0, sizeof e);
    o.row_group_rows = 2;
    if (x->width) { f.width = x->width; }
    f.precision = x->scale ? 9 : 0;
    f.scale = x->scale;
    a.field = &f;
    a.length = b.length = 4;
    a.v.any = x->data;
    a.offsets = x->bytes[0] && !f.width ? ends[strlen(x->bytes[0]) - 1] : NULL;
    b.columns = &a;
    b.column_count = 1;
    CHECK(taco_sink_memory(sink, NULL, &e) == TACO_OK);
    w = taco_pq_write(sink, &f, 1, &o, &e);
    CHECK(w && taco_pq_writer_batch(w, &b) == TACO_OK && taco_pq_writer_close(w, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    return open_bytes(taco_sink_bytes(sink).data, taco_sink_bytes(sink).len, NULL);
}

/* Bounds of every type are arrays of one row of that type. */
static void test_predicate_bounds(void)
{
    static const int8_t i8[4] = {-3, 1, 5, 9};
    static const int16_t i16[4] = {-300, 1, 5, 900};
    static const int32_t i32[4] = {-70000, 1, 5, 90000};
    static const int64_t i64[4] = {INT64_C(-5000000000), 1, 5, INT64_C(9000000000)};
    static const uint64_t u64[4] = {3, 4, 5, UINT64_C(1) << 63};
    static const float f32[4] = {-1.5, 1, 5, 9.25};
    static const double f64[4] = {-1.5, 1, 5, 1e300};
    static const uint16_t f16[4] = {0x3C00, 0x4000, 0x4200, 0x4400};
    static const uint8_t bits[1] = {0x0E};
    static const int64_t tenths[4] = {-30, 10, 50, 90};
    static uint8_t decimals[64]; /* little-endian */
    static const bounded t[] = {
        {TACO_INT8, 0, 0, i8, {-3, 1, 5, 9}, {NULL}, true},
        {TACO_INT16, 0, 0, i16, {-300, 1, 5, 900}, {NULL}, true},
        {TACO_INT32, 0, 0, i32, {-70000, 1, 5, 90000}, {NULL}, true},
        {TACO_DATE, 0, 0, i32, {-70000, 1, 5, 90000}, {NULL}, true},
        {TACO_INT64, 0, 0, i64, {-5e9, 1, 5, 9e9}, {NULL}, true},
        {TACO_UINT64, 0, 0, u64, {3, 4, 5, 9223372036854775808.0}, {NULL}, true},
        {TACO_TIMESTAMP, 0, 0, i64, {-5e9, 1, 5, 9e9}, {NULL}, true},
        {TACO_BOOL, 0, 0, bits, {0, 1, 1, 1}, {NULL}, true},
        {TACO_HALF, 0, 0, f16, {1, 2, 3, 4}, {NULL}, false},
        {TACO_FLOAT, 0, 0, f32, {-1.5, 1, 5, 9.25}, {NULL}, true},
        {TACO_DOUBLE, 0, 0, f64, {-1.5, 1, 5, 1e300}, {NULL}, true},
        {TACO_DECIMAL, 16, 1, decimals, {-3, 1, 5, 9}, {NULL}, true},
        {TACO_TEXT, 0, 0, "abcd", {0}, {"a", "b", "c", "d"}, true},
        {TACO_BINARY, 0, 0, "aabbccdd", {0}, {"aa", "bb", "cc", "dd"}, true},
        {TACO_FIXED, 2, 0, "aabbccdd", {0}, {"aa", "bb", "cc", "dd"}, true},
        {TACO_UUID,
         0,
         0,
         "0123456789abcdef1123456789abcdef2123456789abcdef3123456789abcdef",
         {0},
         {"0123456789abcdef", "1123456789abcdef", "2123456789abcdef", "3123456789abcdef"},
         true},
    };
    size_t i;
    for (i = 0; i < 4; i++) {
        w_le64(decimals + 16 * i, (uint64_t)tenths[i]);
        w_le64(decimals + 16 * i + 8, tenths[i] < 0 ? UINT64_MAX : 0);
    }
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        taco_sink sink;
        taco_pq_file *f = write_bounded(&t[i], &sink);
        taco_pq_query q;
        taco_pq_predicate p;
        taco_pq_reader *r;
        taco_batch b;
        asked x = {NULL, 0, 0, false};
        taco_error e;
        memset(&q, 0, sizeof q);
        memset(&p, 0, sizeof p);
        memset(&e, 0, sizeof e);
        x.of = &t[i];
        p.column = "v";
        p.ctx = &x;
        p.match = all_match;
        p.may_match = second_group;
        q.predicates = &p;
        q.predicate_count = 1;
        CHECK(taco_pq_row_groups(f) == 2);
        r = taco_pq_read(f, &q, &e);
        CHECK(taco_pq_reader_next(r, &b) && b.length == 2 && b.first_row == 2);
        CHECK(!taco_pq_reader_next(r, &b));
        CHECK(taco_pq_reader_close(r, &e) == TACO_OK);
        CHECK_TEXT(e.text, "");
        CHECK(x.calls == 2 && x.rows == 2); /* no row of the first was asked about */
        if (x.calls != 2) { printf("type %d\n", (int)t[i].type); }
        taco_pq_close(f);
        taco_sink_free(&sink);
    }
}

/* What is wrong with a condition is told when the file is read; a match that fails, when it does. */
static void test_predicate_refused(void)
{
    static const int8_t v[4] = {-3, 1, 5, 9};
    static const bounded one = {TACO_INT8, 0, 0, v, {-3, 1, 5, 9}, {NULL}, true};
    taco_sink sink;
    taco_pq_file *f = write_bounded(&one, &sink);
    taco_pq_query q;
    taco_pq_predicate p[2];
    taco_pq_reader *r;
    taco_batch b;
    asked x = {&one, 0, 0, false};
    taco_error e;
    memset(&q, 0, sizeof q);
    memset(p, 0, sizeof p);
    q.predicates = p;
    q.predicate_count = 2;
    p[0].column = p[1].column = "v";
    p[0].ctx = &x;
    p[0].match = all_match;
    memset(&e, 0, sizeof e);
    CHECK(!taco_pq_read(f, &q, &e) && e.code == TACO_ERR_ARGUMENT);
    CHECK_TEXT(e.text, "predicate 1 has no function");
    p[1] = p[0];
    p[0].column = NULL;
    memset(&e, 0, sizeof e);
    CHECK(!taco_pq_read(f, &q, &e) && e.code == TACO_ERR_ARGUMENT);
    CHECK_TEXT(e.text, "predicate 0 has no column");
    p[0].column = "w";
    memset(&e, 0, sizeof e);
    CHECK(!taco_pq_read(f, &q, &e) && e.code == TACO_ERR_NOT_FOUND && strstr(e.text, "'w'"));
    p[0].column = "v";
    q.where = "v > 1"; /* conditions of both kinds hold */
    memset(&e, 0, sizeof e);
    r = taco_pq_read(f, &q, &e);
    CHECK(taco_pq_reader_next(r, &b) && b.length == 2 && b.first_row == 2 &&
          b.columns[0].v.i8[0] == 5);
    CHECK(taco_pq_reader_close(r, &e) == TACO_OK);
    q.where = "v > 'x'";
    CHECK(!taco_pq_read(f, &q, &e) && e.code == TACO_ERR_TYPE);
    CHECK(strncmp(e.text, "where: ", 7) == 0);
    q.where = NULL;
    x.fail = true;
    memset(&e, 0, sizeof e);
    r = taco_pq_read(f, &q, &e);
    CHECK(r && !taco_pq_reader_next(r, &b) && b.length == 0);
    CHECK(!taco_pq_reader_next(r, &b)); /* nor later */
    CHECK(taco_pq_reader_close(r, &e) == TACO_ERR_ARGUMENT);
    CHECK_TEXT(e.text, "the condition on column 'v' failed");
    /* rows of the file, and no more than so many of them */
    memset(&q, 0, sizeof q);
    q.first_row = 1;
    q.row_count = 2;
    r = taco_pq_read(f, &q, NULL);
    CHECK(taco_pq_reader_next(r, &b) && b.length == 1 && b.first_row == 1 &&
          b.columns[0].v.i8[0] == 1);
    CHECK(taco_pq_reader_next(r, &b) && b.length == 1 && b.first_row == 2);
    CHECK(!taco_pq_reader_next(r, &b));
    CHECK(taco_pq_reader_close(r, NULL) == TACO_OK);
    taco_pq_close(f);
    taco_sink_free(&sink);
}

/* Bounds as a predicate sees them: none where an array cannot hold them. */
static void test_bound_arrays(void)
{
    taco__reader_predicate p;
    taco__column_stats r;
    taco_field f;
    taco_array a;
    taco__scalar v;
    uint8_t scratch[32];
    int32_t offsets[2];
    memset(&f, 0, sizeof f);
    f.type = TACO_DECIMAL;
    v = taco__scalar_make_int(TACO_DECIMAL, 5);
    CHECK(!taco__reader_bound_array(&f, &v, true, &a, scratch, offsets)); /* of any width */
    f.width = 16;
    CHECK(!taco__reader_bound_array(&f, &v, false, &a, scratch, offsets));
    CHECK(taco__reader_bound_array(&f, &v, true, &a, scratch, offsets) == &a && a.v.u8[0] == 5);
    f.type = TACO_HALF;
    CHECK(!taco__reader_bound_array(&f, &v, true, &a, scratch, offsets));
    v = taco__scalar_make_bytes(TACO_BINARY, taco__bytes_text("abc"));
    f.type = TACO_FIXED;
    CHECK(!taco__reader_bound_array(&f, &v, true, &a, scratch, offsets));
    f.width = 3;
    CHECK(taco__reader_bound_array(&f, &v, true, &a, scratch, offsets) == &a && !a.offsets);
    f.type = TACO_TEXT;
    f.width = 0;
    CHECK(taco__reader_bound_array(&f, &v, true, &a, scratch, offsets) == &a && offsets[1] == 3);
    v.b.len = (size_t)INT32_MAX + 1; /* longer than offsets can say */
    CHECK(!taco__reader_bound_array(&f, &v, true, &a, scratch, offsets));
    memset(&p, 0, sizeof p);
    memset(&r, 0, sizeof r);
    p.field = &f;
    f.type = TACO_INT8;
    f.width = 1;
    r.has_min = true;
    CHECK(taco__reader_prune_predicate(&p, &r) == TACO__MAY_ANY);
    p.of.may_match = never_matches;
    CHECK(taco__reader_prune_predicate(&p, &r) == (TACO__MAY_FALSE | TACO__MAY_NULL));
    r.has_max = true;
    CHECK(taco__reader_prune_predicate(&p, &r) == (TACO__MAY_FALSE | TACO__MAY_NULL));
    r.has_min = false;
    CHECK(taco__reader_prune_predicate(&p, &r) == (TACO__MAY_FALSE | TACO__MAY_NULL));
    r.has_max = false;
    CHECK(taco__reader_prune_predicate(&p, &r) == TACO__MAY_ANY);
}

/* One column of a file without a name, where each allocation fails once. */
static void test_column_memory(void)
{
    taco_options opt;
    taco_allocator allocator;
    test_memory m;
    int64_t numbers[3] = {1, 2, 3};
    mk_col column = mk_i64("i", numbers);
    mk_buf file = mk_parquet(&column, 1, 3, 3);
    taco_source src;
    taco_pq_file *f;
    size_t n, type;
    taco_source_memory(&src, file.data, file.len);
    test_counted(&opt, &allocator, &m);
    for (type = 0; type < 2; type++) {
        taco_status code = TACO_ERR_MEMORY;
        for (n = 1; code == TACO_ERR_MEMORY; n++) {
            taco_error e;
            taco_pq_column *c;
            memset(&e, 0, sizeof e);
            m.calls = m.fail_at = 0;
            f = taco_pq_open_source(&src, NULL, &opt, &e);
            CHECK(f != NULL);
            m.fail_at = m.calls + n;
            c = taco_pq_column_open(f, "i", type ? TACO_INT64 : TACO_TEXT, &e);
            code = e.code;
            CHECK(c ? type && code == TACO_OK : code == TACO_ERR_MEMORY || code == TACO_ERR_TYPE);
            m.fail_at = 0;
            taco_pq_column_close(c, NULL);
            if (code == TACO_ERR_TYPE) { /* the first failure stays, and needs no room */
                CHECK_TEXT(e.text, "column 'i' is of type 'int64', was requested as text");
                CHECK(!taco_pq_column_open(f, "i", TACO_DATE, &e));
                CHECK(strstr(e.text, "as text") != NULL);
                CHECK(!taco_pq_column_open(f, "i", TACO_DATE, NULL));
            }
            taco_pq_close(f);
            CHECK(m.live == 0);
        }
        CHECK(n > 3);
    }
    free(file.data);
}

int main(void)
{
    RUN(test_bound_arrays);
    RUN(test_column_memory);
    RUN(test_quoted);
    RUN(test_prefix_cut);
    RUN(test_bombs);
    RUN(test_longer);
    RUN(test_null_handles);
    RUN(test_queries);
    RUN(test_type_length);
    RUN(test_column);
    RUN(test_damaged);
    RUN(test_dictionaries);
    RUN(test_nested);
    RUN(test_empty_groups);
    RUN(test_full_pages);
    RUN(test_surplus);
    RUN(test_sparse);
    RUN(test_memory_limit);
    RUN(test_endless_row);
    RUN(test_predicate_bounds);
    RUN(test_predicate_refused);
    return test_end("test_read");
}
