/* Pages, columns and rows at their edges: encodings that a column cannot have, levels and values
   that end early, offset indexes that do not match the pages, columns that are not in the file. */
#include "test.h"

#include "../src/parquet/row_reader.c"
#include "../src/base/base.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_inspect.h"

#include "footer.h"
#include "make.h"
#include "pages.h"

/* ---- one page of one column ---- */

/* A column "a" of one page with these bytes. */
static made *one_page(int type, int repetition, int converted, page_spec p, const void *bytes,
                      size_t len)
{
    made *m = made_new();
    mk_buf body = {NULL, 0, 0};
    mk_add(&body, bytes, len);
    made_flat(m, type, repetition, "a", converted);
    made_chunk(m);
    made_page(m, &p, &body);
    made_group(m, (int64_t)p.n);
    made_end(m);
    free(body.data);
    return m;
}

static page_spec data_page(uint64_t n, int encoding)
{
    page_spec p;
    memset(&p, 0, sizeof p);
    p.n = n;
    p.encoding = encoding;
    return p;
}

static page_spec dict_page(uint64_t n)
{
    page_spec p = data_page(n, 0);
    p.type = 2;
    return p;
}

static void page_refused(int type, int encoding, const char *bytes, size_t len, taco_status code,
                         const char *text)
{
    made *m = one_page(type, 0, -1, data_page(3, encoding), bytes, len);
    refused(m, NULL, code, text);
    made_free(m);
}

/* All rows of what was made; it is freed. */
static void rows_are(made *m, const char *want)
{
    taco_pq_file *f = open_bytes(m->out.data, m->out.len, NULL);
    same(f, NULL, want);
    taco_pq_close(f);
    made_free(m);
}

static void is_refused(made *m, taco_status code, const char *text)
{
    refused(m, NULL, code, text);
    made_free(m);
}

#define NULLS3 "{\"a\":null}\n{\"a\":null}\n{\"a\":null}\n"

static void test_encodings(void)
{
    static const char misfit[] = "does not go with the column's physical type";
    page_refused(0, 3, "\1\0\0", 3, TACO_ERR_CORRUPT, "RLE booleans of 4 bytes do not fit in 3");
    page_refused(0, 3, "\3\0\0\0\6\1", 6, TACO_ERR_CORRUPT,
                 "RLE booleans of 3 bytes do not fit in 6");
    page_refused(4, 5, "", 0, TACO_ERR_CORRUPT, misfit);
    page_refused(1, 7, "", 0, TACO_ERR_CORRUPT, misfit);
    page_refused(0, 9, "", 0, TACO_ERR_CORRUPT, misfit);
    page_refused(6, 9, "", 0, TACO_ERR_CORRUPT, misfit);
    page_refused(3, 9, "", 0, TACO_ERR_CORRUPT, misfit);
    page_refused(1, 3, "\2\0\0\0\6\1", 6, TACO_ERR_CORRUPT, "does not hold values of this type");
    page_refused(6, 3, "\2\0\0\0\6\1", 6, TACO_ERR_CORRUPT, "does not hold byte arrays");
    page_refused(0, 0, "", 0, TACO_ERR_TRUNCATED, "column 'a', page 1: at byte ");
    rows_are(one_page(0, 0, -1, data_page(3, 3), "\2\0\0\0\6\1", 6),
             "{\"a\":true}\n{\"a\":true}\n{\"a\":true}\n");
    /* no values at all, because every row is null */
    rows_are(one_page(0, 1, -1, data_page(3, 3), "\2\0\0\0\6\0", 6), NULLS3);
    rows_are(one_page(6, 1, 0, data_page(3, 8), "\2\0\0\0\6\0", 6), NULLS3);
    rows_are(one_page(6, 1, 0, data_page(3, 8), "\2\0\0\0\6\0\1", 7), NULLS3);
    is_refused(one_page(6, 1, 0, data_page(3, 8), "\2\0\0\0\6\1", 6), TACO_ERR_TRUNCATED,
               "no dictionary indices for 3 values");
}

/* Levels of v1 pages: their length, and the old packed ones. */
static void test_levels(void)
{
    page_spec p = data_page(8, 0);
    p.levels = 4;
    /* a bit for each row, the first in the highest */
    rows_are(one_page(1, 1, -1, p, "\xA0\7\0\0\0\x8\0\0\0", 9),
             "{\"a\":7}\n{\"a\":null}\n{\"a\":8}\n{\"a\":null}\n{\"a\":null}\n{\"a\":null}\n"
             "{\"a\":null}\n{\"a\":null}\n");
    p.n = 30;
    is_refused(one_page(1, 1, -1, p, "\0", 1), TACO_ERR_TRUNCATED, "values end, 22 more expected");
    is_refused(one_page(1, 2, -1, data_page(2, 0), "\xE8\3\0\0\4\0", 6), TACO_ERR_CORRUPT,
               "levels of 1000 bytes, 2 are left in the page");
    is_refused(one_page(1, 2, -1, data_page(2, 0), "\2\0\0\0\4\0\xE8\3\0\0\4\1", 12),
               TACO_ERR_CORRUPT, "levels of 1000 bytes, 2 are left in the page");
    is_refused(one_page(1, 2, -1, data_page(2, 0), "\0\0\0\0\2\0\0\0\4\1", 10), TACO_ERR_TRUNCATED,
               "values end");
    is_refused(one_page(1, 2, -1, data_page(2, 0), "\2\0\0\0\4\0\0\0\0\0", 10), TACO_ERR_TRUNCATED,
               "values end");
    is_refused(one_page(1, 2, -1, data_page(2, 0), "\2\0\0\0\4\1\2\0\0\0\4\1\1\0\0\0\1\0\0\0", 20),
               TACO_ERR_CORRUPT, "a row begins with a repetition level that is not 0");
}

/* A group "s" of a column "x" and, if it is not NULL, another level of a group between them. */
static made *grouped(int outer, int inner)
{
    made *m = made_new();
    made_element(m, -1, -1, "root", 1, -1);
    made_element(m, -1, outer, "s", 1, -1);
    made_element(m, 1, inner, "x", -1, -1);
    m->leaves = 1;
    m->types[0] = 1;
    m->paths[0][0] = "s";
    m->paths[0][1] = "x";
    made_chunk(m);
    return m;
}

static made *grouped_page(page_spec p, const void *bytes, size_t len)
{
    made *m = grouped(1, 1);
    mk_buf body = {NULL, 0, 0};
    mk_add(&body, bytes, len);
    made_page(m, &p, &body);
    made_group(m, (int64_t)p.n);
    made_end(m);
    free(body.data);
    return m;
}

static void test_packed_levels(void)
{
    page_spec p = data_page(4, 0);
    p.levels = 4;
    rows_are(grouped_page(p, "\xA4\1\0\0\0\2\0\0\0", 9),
             "{\"s\":{\"x\":1}}\n{\"s\":{\"x\":2}}\n{\"s\":{\"x\":null}}\n{\"s\":null}\n");
    is_refused(grouped_page(p, "\xFF\1\0\0\0\2\0\0\0", 9), TACO_ERR_CORRUPT, "levels");
    is_refused(grouped_page(data_page(4, 0), "\2\0\0\0\4\2\1\0\0\0\2\0\0\0", 14),
               TACO_ERR_TRUNCATED, "values end, 2 more expected");
}

/* A list of lists: repetition levels of two bits. */
static void test_deep_levels(void)
{
    static const struct {
        const char *bytes;
        size_t len;
        const char *text; /* NULL: [[1,2],[3]] */
    } t[] = {{"\6\0\0\0\2\0\2\2\2\1\2\0\0\0\6\2\1\0\0\0\2\0\0\0\3\0\0\0", 28, NULL},
             {"\4\0\0\0\2\0\2\2\2\0\0\0\6\2\1\0\0\0\2\0\0\0\3\0\0\0", 26, "values end"},
             {"\6\0\0\0\2\0\2\3\2\1\2\0\0\0\6\2\1\0\0\0\2\0\0\0\3\0\0\0", 28, "levels"},
             {"\6\0\0\0\2\0\2\2\2\1\2\0\0\0\6\3\1\0\0\0\2\0\0\0\3\0\0\0", 28, "levels"}};

    size_t i;
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        made *m = made_new();
        mk_buf body = {NULL, 0, 0};
        made_element(m, -1, -1, "root", 1, -1);
        made_element(m, -1, 2, "s", 1, -1);
        made_element(m, 1, 2, "x", -1, -1);
        m->leaves = 1;
        m->types[0] = 1;
        m->paths[0][0] = "s";
        m->paths[0][1] = "x";
        made_chunk(m);
        mk_add(&body, t[i].bytes, t[i].len);
        made_data(m, 3, 0, &body);
        made_group(m, 1);
        made_end(m);
        free(body.data);
        if (t[i].text) {
            is_refused(m, i == 1 ? TACO_ERR_TRUNCATED : TACO_ERR_CORRUPT, t[i].text);
        } else {
            rows_are(m, "{\"s\":[{\"x\":[1,2]},{\"x\":[3]}]}\n");
        }
    }
}

/* ---- dictionaries ---- */

/* A column with a dictionary of n values and a page of 3 rows of indices. */
static made *with_dictionary(int type, int converted, uint64_t n, const void *dict, size_t dict_len,
                             int encoding, const void *bytes, size_t len)
{
    made *m = made_new();
    mk_buf body = {NULL, 0, 0};
    page_spec p = dict_page(n);
    made_flat(m, type, 0, "a", converted);
    made_chunk(m);
    mk_add(&body, dict, dict_len);
    made_page(m, &p, &body);
    body.len = 0;
    mk_add(&body, bytes, len);
    made_data(m, 3, encoding, &body);
    made_group(m, 3);
    made_end(m);
    free(body.data);
    return m;
}

static void test_dictionaries(void)
{
    static const char ints[] = "\1\0\0\0\2\0\0\0";
    made *m;
    mk_buf body = {NULL, 0, 0};
    page_spec p;
    rows_are(with_dictionary(1, -1, 2, ints, 8, 8, "\1\6\1", 3),
             "{\"a\":2}\n{\"a\":2}\n{\"a\":2}\n");
    is_refused(with_dictionary(1, -1, 2, ints, 8, 8, "\1\4\1", 3), TACO_ERR_TRUNCATED,
               "values end, 1 more expected");
    is_refused(with_dictionary(1, -1, 2, ints, 8, 8, "", 0), TACO_ERR_TRUNCATED,
               "no dictionary indices for 3 values");
    is_refused(with_dictionary(1, -1, 2, ints, 8, 8, "\x28\6\1", 3), TACO_ERR_CORRUPT,
               "bit width 40, at most 32 is allowed");
    is_refused(with_dictionary(1, -1, 0, "", 0, 8, "\1\6\0", 3), TACO_ERR_CORRUPT, "dictionary");
    is_refused(with_dictionary(1, -1, 3, ints, 8, 8, "\1\6\1", 3), TACO_ERR_CORRUPT,
               "dictionary of 3 values in 8 bytes");
    is_refused(with_dictionary(0, -1, 2, "\2", 1, 8, "\1\6\1", 3), TACO_ERR_CORRUPT,
               "booleans have no dictionary");
    /* a dictionary that no page uses */
    rows_are(with_dictionary(0, -1, 2, "\2", 1, 0, "\5", 1),
             "{\"a\":true}\n{\"a\":false}\n{\"a\":true}\n");
    /* texts copied behind others in the same batch */
    m = made_new();
    made_flat(m, 6, 0, "a", 0);
    made_chunk(m);
    mk_add(&body, "\1\0\0\0x\1\0\0\0y", 10);
    made_dict(m, 2, &body);
    mk_add(&body, "\1\0\0\0z", 5);
    made_data(m, 1, 0, &body);
    mk_add(&body, "\3\6\5", 3);
    made_data(m, 3, 8, &body);
    made_group(m, 4);
    made_end(m);
    is_refused(m, TACO_ERR_CORRUPT, "dictionary index 5");
    /* those of a compressed page are moved over their lengths */
    for (p = dict_page(2), p.plain = 8; p.plain <= 10; p.plain++) {
        const char *texts = p.plain == 9 ? "\1\0\0\0a\x9\0\0\0" : "\1\0\0\0a\1\0\0\0b";
        m = made_new();
        made_flat(m, 6, 0, "a", 0);
        made_chunk(m);
        m->about[0].codec = 1;
        mk_le(&body, (uint64_t)p.plain, 1);
        mk_le(&body, (uint64_t)(p.plain - 1) << 2, 1);
        mk_add(&body, texts, (size_t)p.plain);
        made_page(m, &p, &body);
        body.len = 0;
        mk_add(&body, "\3\x8\1\6\1", 5);
        {
            page_spec indices = data_page(3, 8);
            indices.plain = 3;
            made_page(m, &indices, &body);
        }
        body.len = 0;
        made_group(m, 3);
        made_end(m);
        if (p.plain == 10) {
            rows_are(m, "{\"a\":\"b\"}\n{\"a\":\"b\"}\n{\"a\":\"b\"}\n");
        } else {
            is_refused(m, TACO_ERR_TRUNCATED, "column 'a': at byte ");
        }
    }
    free(body.data);
}

/* An element with an annotation of its own: a decimal of texts, or a column of nulls. */
static void element_decimal(made *m)
{
    made_element(m, -1, -1, "root", 1, -1);
    w_element_open(&m->schema, 6, 0, "a", -1);
    w_i32(&m->schema, 6, 5);
    w_i32(&m->schema, 7, 1);
    w_i32(&m->schema, 8, 5);
    w_end(&m->schema);
    m->elements++;
    m->types[0] = 6;
    m->paths[m->leaves++][0] = "a";
}

static void element_null(made *m)
{
    made_element(m, -1, -1, "root", 1, -1);
    w_element_open(&m->schema, 1, 1, "a", -1);
    w_open(&m->schema, 10);
    w_open(&m->schema, 11);
    w_end(&m->schema);
    w_end(&m->schema);
    w_end(&m->schema);
    m->elements++;
    m->types[0] = 1;
    m->paths[m->leaves++][0] = "a";
}

static void test_decimal_texts(void)
{
    static const struct {
        const char *bytes;
        size_t len;
        const char *text;
    } t[] = {{"\1\0\0\0\x0F\2\0\0\0\xFF\xFE", 11, NULL},
             {"\1\0\0\0\x0F\2\0\0\0\xFF", 10, "values"},
             {"\1\0\0\0\x0F\x14\0\0\0\1abcdefghijklmnopqrs", 29, "values"}};

    size_t i;
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        made *m = made_new();
        mk_buf body = {NULL, 0, 0};
        element_decimal(m);
        made_chunk(m);
        mk_add(&body, t[i].bytes, t[i].len);
        made_data(m, 2, 0, &body);
        made_group(m, 2);
        made_end(m);
        free(body.data);
        if (t[i].text) {
            is_refused(m, i == 1 ? TACO_ERR_TRUNCATED : TACO_ERR_CORRUPT, "column 'a', page 1");
        } else {
            rows_are(m, "{\"a\":\"1.5\"}\n{\"a\":\"-0.2\"}\n");
        }
    }
}

/* ---- reading by row number ---- */

/* Reads n rows from `row` on, after the first `before` rows, with the offset index known from the
   beginning or not. The values of the rows are their numbers, or the text is that of the error. */
static void jump(made *m, bool known, uint64_t before, uint64_t row, size_t n, const char *text)
{
    taco_pq_file *f = open_bytes(m->out.data, m->out.len, NULL);
    taco__table t;
    taco__row_reader r;
    taco_error e;
    size_t zero = 0, i;
    bool ok;
    memset(&e, 0, sizeof e);
    taco__table_from_file(&t, f);
    CHECK(taco__row_reader_open(&r, &t, &zero, 1, f->mem, &e));
    CHECK(!known || taco__page_index_offsets(f, 0, 0, &ok, &e) != NULL);
    CHECK(!before || taco__row_reader_read_range(&r, 0, (size_t)before, &e));
    CHECK_TEXT(e.text, "");
    ok = taco__row_reader_read_range(&r, row, n, &e);
    CHECK(ok == (text == NULL));
    if (text && !strstr(e.text, text)) { CHECK_TEXT(e.text, text); }
    for (i = 0; ok && i < n && r.arrays[0].v.i32; i++) {
        CHECK(r.arrays[0].v.i32[i] == (int32_t)(row + i));
    }
    taco__row_reader_close(&r);
    taco_pq_close(f);
}

enum { PAGES = 20, PAGE_ROWS = 100 };

/* A column of that many pages, which hold the numbers of their rows. */
static made *numbered(int repetition, bool v2, bool dictionary)
{
    made *m = made_new();
    mk_buf body = {NULL, 0, 0}, levels = {NULL, 0, 0};
    size_t i, k;
    made_flat(m, 1, repetition, "a", -1);
    made_chunk(m);
    m->about[0].offsets = true;
    if (dictionary) {
        for (i = 0; i < 30; i++) {
            mk_le(&body, i, 4);
        }
        made_dict(m, 30, &body);
    }
    for (i = 0; i < PAGES; i++) {
        page_spec p = data_page(PAGE_ROWS, 0);
        p.type = v2 ? 3 : 0;
        p.rows = v2 ? PAGE_ROWS : 0;
        for (k = 0; repetition == 2 && k < 2; k++) {
            levels.len = 0;
            put_run(&levels, PAGE_ROWS, (unsigned)k);
            put_levels(&body, &levels);
        }
        for (k = 0; k < PAGE_ROWS; k++) {
            mk_le(&body, i * PAGE_ROWS + k, 4);
        }
        made_page(m, &p, &body);
        body.len = 0;
    }
    free(body.data);
    free(levels.data);
    return m;
}

static made *numbered_end(made *m)
{
    made_group(m, PAGES * PAGE_ROWS);
    made_end(m);
    return m;
}

/* The index has pages i and i + 1 as one. */
static void merge_pages(made *m, size_t i)
{
    m->pages[i].size += m->pages[i + 1].size;
    m->pages[i].rows += m->pages[i + 1].rows;
    memmove(&m->pages[i + 1], &m->pages[i + 2], (m->page_count - i - 2) * sizeof m->pages[0]);
    m->page_count--;
}

static void test_offset_index(void)
{
    made *m = numbered_end(numbered(0, false, false));
    jump(m, false, 0, 1950, 1, NULL);
    jump(m, true, 100, 105, 1, NULL);
    jump(m, false, 10, 150, 400, NULL);
    made_free(m);
    m = numbered(0, false, false);
    merge_pages(m, 5);
    numbered_end(m);
    jump(m, false, 10, 550, 1, "the offset index has one of");
    jump(m, true, 600, 650, 1, "the offset index has none here, the next at ");
    made_free(m);
    m = numbered(0, false, false);
    merge_pages(m, 18);
    numbered_end(m);
    jump(m, true, 1900, 1950, 1, "the offset index has none here, the next at ");
    made_free(m);
    m = numbered(0, false, false);
    m->pages[5].rows = 150, m->pages[6].rows = 50;
    numbered_end(m);
    jump(m, false, 10, 550, 1,
         "page of 100 rows from row 500 on, the offset index says 150 from 500");
    made_free(m);
    m = numbered(0, false, false);
    m->pages[0].rows = 50, m->pages[2].rows = 150;
    numbered_end(m);
    jump(m, true, 100, 105, 1,
         "page of 100 rows from row 100 on, the offset index says 100 from 50");
    made_free(m);
}

static void test_offset_index_v2(void)
{
    made *m = numbered_end(numbered(0, true, false));
    jump(m, false, 10, 550, 100, NULL);
    made_free(m);
}

/* Pages of which the header and the index give other numbers of rows. */
static void test_other_rows(void)
{
    made *m = made_new();
    mk_buf body = {NULL, 0, 0};
    size_t i, k;
    made_flat(m, 1, 0, "a", -1);
    made_chunk(m);
    m->about[0].offsets = true;
    for (i = 0; i < PAGES; i++) {
        page_spec p = data_page(PAGE_ROWS, 0);
        p.type = 3;
        p.rows = i == 5 ? 60 : PAGE_ROWS;
        for (k = 0; k < PAGE_ROWS; k++) {
            mk_le(&body, i * PAGE_ROWS + k, 4);
        }
        made_page(m, &p, &body);
        m->pages[i].rows = PAGE_ROWS;
        body.len = 0;
    }
    free(body.data);
    numbered_end(m);
    jump(m, false, 10, 550, 1, "page of 60 rows, the offset index says 100");
    made_free(m);
    m = numbered(2, false, false);
    m->pages[5].rows = 101, m->pages[6].rows = 99;
    numbered_end(m);
    jump(m, false, 10, 510, 100, "page has fewer rows than the offset index says, by 1");
    made_free(m);
    m = numbered(2, false, false);
    m->pages[5].rows = 90, m->pages[6].rows = 110;
    numbered_end(m);
    jump(m, false, 10, 500, 100, "page has more rows than the offset index says, by 10");
    made_free(m);
}

/* Before a jump the dictionary is read. */
static void test_jump_dictionary(void)
{
    made *m = numbered_end(numbered(0, false, true));
    mk_buf body = {NULL, 0, 0};
    page_spec p = dict_page(1);
    size_t k;
    jump(m, false, 0, 1950, 1, NULL);
    made_free(m);
    m = numbered(0, false, true);
    m->pages[0].at -= 60, m->pages[0].size += 60;
    numbered_end(m);
    jump(m, false, 0, 90, 1, "the page before this byte reaches into one of the offset index at ");
    made_free(m);
    m = made_new();
    p.encoding = 9;
    made_flat(m, 1, 0, "a", -1);
    made_chunk(m);
    m->about[0].offsets = true;
    mk_le(&body, 5, 4);
    made_page(m, &p, &body);
    for (body.len = 0, k = 0; k < PAGES * PAGE_ROWS; k++) {
        mk_le(&body, k, 4);
        if (k % PAGE_ROWS == PAGE_ROWS - 1) { made_data(m, PAGE_ROWS, 0, &body); }
    }
    numbered_end(m);
    jump(m, false, 0, 90, 1, "dictionary page of encoding 9");
    made_free(m);
    free(body.data);
}

/* Rows that are skipped have levels and values, too. */
static void test_skipping(void)
{
    mk_buf body = {NULL, 0, 0}, levels = {NULL, 0, 0};
    page_spec p = data_page(PAGE_ROWS, 0);
    made *m = made_new();
    size_t i, k;
    made_flat(m, 1, 0, "a", -1);
    made_chunk(m);
    for (i = 0; i < 3; i++) {
        for (k = 0; k < PAGE_ROWS; k++) {
            mk_le(&body, i * PAGE_ROWS + k, 4);
        }
        p.claims = i == 1 ? 1 << 20 : 0;
        made_page(m, &p, &body);
        body.len = 0;
    }
    made_group(m, 3 * PAGE_ROWS);
    made_end(m);
    jump(m, false, 0, 50, 50, NULL);
    jump(m, false, 0, 250, 1, "its column chunk ends at ");
    made_free(m);
    p = data_page(PAGE_ROWS, 0);
    put_run(&levels, 50, 1);
    put_levels(&body, &levels);
    for (k = 0; k < 50; k++) {
        mk_le(&body, k, 4);
    }
    m = one_page(1, 1, -1, p, body.data, body.len);
    jump(m, false, 0, 10, 30, NULL);
    jump(m, false, 0, 60, 1, "values end, 10 more expected");
    made_free(m);
    body.len = levels.len = 0;
    put_run(&levels, PAGE_ROWS, 2);
    put_levels(&body, &levels);
    mk_le(&body, 1, 4);
    m = grouped_page(p, body.data, body.len);
    jump(m, false, 0, 50, 1, "values end, ");
    made_free(m);
    free(body.data);
    free(levels.data);
}

/* ---- chunks ---- */

static void test_chunks(void)
{
    page_spec p = data_page(3, 0);
    mk_buf body = {NULL, 0, 0};
    taco_limits limits;
    made *m;
    size_t ended;
    mk_add(&body, "\1\0\0\0\2\0\0\0\3\0\0\0", 12);
    /* a page header of many bytes */
    p.padding = 5000;
    m = one_page(1, 0, -1, p, body.data, body.len);
    memset(&limits, 0, sizeof limits);
    limits.max_metadata = 2000;
    refused(m, &limits, TACO_ERR_LIMIT,
            "page header of more than 4096 bytes, limits.max_metadata is 2000");
    rows_are(m, "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n");
    /* an index page, which readers skip */
    m = made_new();
    made_flat(m, 1, 0, "", -1);
    made_chunk(m);
    memset(&p, 0, sizeof p);
    p.type = 1;
    made_page(m, &p, &body);
    p = data_page(3, 0);
    made_page(m, &p, &body);
    made_group(m, 3);
    made_end(m);
    rows_are(m, "{\"\":1}\n{\"\":2}\n{\"\":3}\n");
    /* more rows than the pages have, of which the last reaches up to the end of the file */
    for (p.claims = 64, ended = 0; p.claims < 400; p.claims++) {
        size_t end;
        m = made_new();
        made_flat(m, 1, 0, "", -1);
        made_chunk(m);
        made_page(m, &p, &body);
        end = m->out.len + p.claims;
        m->values[0] = 5;
        made_group(m, 5);
        made_end(m);
        if (end == m->out.len) {
            refused(m, NULL, TACO_ERR_CORRUPT,
                    ": the column chunk has fewer values than its row group has rows");
            ended++;
        }
        made_free(m);
    }
    CHECK(ended == 1);
    /* more rows than the entries that are counted have */
    m = made_new();
    made_flat(m, 1, 2, "a", -1);
    made_chunk(m);
    body.len = 0;
    mk_add(&body, "\4\0\0\0\2\0\2\1\2\0\0\0\4\1\1\0\0\0\2\0\0\0", 22);
    p = data_page(2, 0);
    made_page(m, &p, &body);
    made_page(m, &p, &body);
    m->values[0] = 2;
    made_group(m, 2);
    made_end(m);
    is_refused(m, TACO_ERR_CORRUPT,
               "the column chunk has fewer values than its row group has rows");
    /* in another file */
    m = made_new();
    made_flat(m, 1, 0, "a", -1);
    made_chunk(m);
    m->about[0].file_path = "x.parquet";
    m->about[0].data_at = 1 << 30;
    made_page(m, &p, &body);
    made_group(m, 2);
    made_end(m);
    is_refused(m, TACO_ERR_UNSUPPORTED, "its pages are in another file, 'x.parquet'");
    free(body.data);
}

static bool warned(void *ctx, bool fault, const taco_error *what)
{
    CHECK(!fault);
    CHECK(strstr(what->text, (const char *)ctx) != NULL);
    return true;
}

static void backwards(void *ctx, size_t n, void (*task)(void *arg, size_t i), void *arg)
{
    (void)ctx;
    while (n) {
        task(arg, --n);
    }
}

/* Chunks whose pages are not here: verified files say so, with and without tasks, and the footer
   as JSON names the other file. */
static void test_not_checked(void)
{
    size_t way;
    for (way = 0; way < 4; way++) {
        static const char *const why[] = {"not checked: its pages are in another file",
                                          "not checked: it is encrypted"};
        mk_buf body = {NULL, 0, 0};
        made *m = made_new();
        taco_pq_checked sum;
        taco_source src;
        taco_options opt;
        taco_error e;
        taco_pq_file *f;
        memset(&opt, 0, sizeof opt);
        memset(&e, 0, sizeof e);
        memset(&sum, 0, sizeof sum);
        opt.parallel_for = way & 2 ? backwards : NULL;
        opt.parallel_width = 2;
        made_flat(m, 1, 0, "a", -1);
        made_flat(m, 1, 0, "b", -1);
        m->elements = 0; /* a root of two */
        w_init(&m->schema);
        made_element(m, -1, -1, "root", 2, -1);
        made_element(m, 1, 0, "a", -1, -1);
        made_element(m, 1, 0, "b", -1, -1);
        made_chunk(m);
        mk_le(&body, 7, 4);
        made_data(m, 1, 0, &body);
        m->about[0].file_path = way & 1 ? NULL : "x.parquet";
        m->about[0].data_at = way & 1 ? 0 : 1 << 30;
        m->about[0].encrypted = way & 1;
        made_chunk(m);
        mk_le(&body, 7, 4);
        made_data(m, 1, 0, &body);
        made_group(m, 1);
        made_end(m);
        taco_source_memory(&src, m->out.data, m->out.len);
        f = taco_pq_open_source(&src, "made", &opt, &e);
        CHECK(taco_pq_verify(f, warned, (void *)(uintptr_t)why[way & 1], &sum, &e) == TACO_OK);
        CHECK_TEXT(e.text, "");
        CHECK(sum.skipped == 1 && sum.chunks == 1 && sum.warnings == 1 && sum.faults == 0);
        {
            taco_bytes json = taco_pq_meta_json(f, &e);
            char *text = (char *)calloc(json.len + 1, 1);
            memcpy(text, json.data, json.len);
            CHECK(strstr(text, way & 1 ? "\"encrypted\":true" : "\"file_path\":\"x.parquet\"") !=
                  NULL);
            free(text);
        }
        taco_pq_close(f);
        made_free(m);
        free(body.data);
    }
}

static bool memory_read_many(void *ctx, const taco_piece *reads, size_t n)
{
    const made *m = (const made *)ctx;
    size_t i;
    for (i = 0; i < n; i++) {
        memcpy(reads[i].dst, m->out.data + reads[i].offset, reads[i].len);
    }
    return true;
}

static bool memory_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    memcpy(dst, ((const made *)ctx)->out.data + offset, len);
    return true;
}

/* Rows of a row group that has more than 2^32, which tasks and windows number from its first. */
static void test_large_group(void)
{
    const uint64_t page = INT32_MAX;
    mk_buf body = {NULL, 0, 0};
    made *m = made_new();
    size_t way;
    made_flat(m, 1, 0, "a", -1);
    made_chunk(m);
    mk_le(&body, 7, 4);
    mk_le(&body, 8, 4);
    mk_le(&body, 9, 4);
    made_dict(m, 3, &body);
    for (way = 0; way < 4; way++) {
        mk_le(&body, 2, 1);
        put_run(&body, way < 3 ? page : 4, way < 3 ? 0 : 1);
        if (way == 3) { put_run(&body, 3, 2); }
        made_data(m, way < 3 ? page : 7, 8, &body);
    }
    made_group(m, (int64_t)(3 * page + 7));
    made_end(m);
    for (way = 0; way < 4; way++) {
        taco_source src;
        taco_options opt;
        taco_pq_query q;
        taco_error e;
        taco_pq_file *f;
        memset(&src, 0, sizeof src);
        memset(&opt, 0, sizeof opt);
        memset(&q, 0, sizeof q);
        memset(&e, 0, sizeof e);
        src.ctx = m;
        src.size = m->out.len;
        src.read = memory_read;
        src.read_many = way & 1 ? memory_read_many : NULL;
        opt.parallel_for = way & 2 ? backwards : NULL;
        f = taco_pq_open_source(&src, "made", &opt, &e);
        q.first_row = 3 * page + 2;
        same(f, &q, "{\"a\":8}\n{\"a\":8}\n{\"a\":9}\n{\"a\":9}\n{\"a\":9}\n");
        q.row_count = 4;
        q.where = "a = 9";
        same(f, &q, "{\"a\":9}\n{\"a\":9}\n");
        taco_pq_close(f);
    }
    made_free(m);
    free(body.data);
}

/* ---- nested columns ---- */

static void test_assembly(void)
{
    mk_buf body = {NULL, 0, 0}, rep = {NULL, 0, 0}, def = {NULL, 0, 0}, want = {NULL, 0, 0};
    made *m = made_new();
    size_t i, entries = 0;
    uint64_t n;
    /* optional lists of which the first sixty-four entries are all there, and others are null */
    made_element(m, -1, -1, "root", 1, -1);
    made_element(m, -1, 1, "l", 1, 3);
    made_element(m, -1, 2, "list", 1, -1);
    made_element(m, 1, 0, "element", -1, -1);
    m->leaves = 1;
    m->types[0] = 1;
    m->paths[0][0] = "l";
    m->paths[0][1] = "list";
    m->paths[0][2] = "element";
    made_chunk(m);
    for (i = 0; i < 100; i++) {
        bool null = i > 60 && i % 3 == 0;
        put_run(&rep, 1, 0);
        put_run(&def, 1, null ? 0 : 2);
        entries++;
        if (null) {
            mk_add(&want, "{\"l\":null}\n", 11);
            continue;
        }
        put_run(&rep, 1, 1);
        put_run(&def, 1, 2);
        entries++;
        mk_add(&want, "{\"l\":[5,5]}\n", 12);
    }
    put_levels(&body, &rep);
    put_levels(&body, &def);
    for (n = 0; n < entries; n++) {
        mk_le(&body, 5, 4);
    }
    mk_add(&want, "", 1);
    made_data(m, entries, 0, &body);
    made_group(m, 100);
    made_end(m);
    rows_are(m, (const char *)want.data);
    free(rep.data);
    free(def.data);
    free(want.data);
    /* two columns of the same lists, of other lengths */
    m = made_new();
    made_element(m, -1, -1, "root", 1, -1);
    made_element(m, -1, 2, "g", 2, -1);
    made_element(m, 1, 0, "x", -1, -1);
    made_element(m, 1, 0, "y", -1, -1);
    m->leaves = 2;
    m->types[0] = m->types[1] = 1;
    m->paths[0][0] = m->paths[1][0] = "g";
    m->paths[0][1] = "x";
    m->paths[1][1] = "y";
    made_chunk(m);
    mk_add(&body, "\4\0\0\0\2\0\2\1\2\0\0\0\4\1\1\0\0\0\2\0\0\0", 22);
    made_data(m, 2, 0, &body);
    made_chunk(m);
    mk_add(&body, "\2\0\0\0\2\0\2\0\0\0\2\1\7\0\0\0", 16);
    made_data(m, 1, 0, &body);
    made_group(m, 1);
    made_end(m);
    is_refused(m, TACO_ERR_CORRUPT, "1 values in field 'y', its parent has 2");
    free(body.data);
}

/* Groups without columns: a map of them, and lists in lists, have no items. */
static void test_no_leaves(void)
{
    static const uint8_t body[] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0};
    made *m = made_new();
    mk_buf page = {NULL, 0, 0};
    taco_pq_file *f;
    taco__table t;
    taco__row_reader r;
    taco_error e;
    static const size_t which[] = {0, 1, 2};
    static const uint32_t rows[] = {0, 2};
    made_element(m, -1, -1, "root", 3, -1);
    made_element(m, -1, 1, "m", 1, 1);
    made_element(m, -1, 2, "key_value", 2, -1);
    made_element(m, -1, 0, "key", 0, -1);
    made_element(m, -1, 0, "value", 0, -1);
    made_element(m, -1, 0, "e", 1, -1);
    made_element(m, -1, 2, "inner", 0, -1);
    made_element(m, 1, 0, "x", -1, -1);
    m->leaves = 1;
    m->types[0] = 1;
    m->paths[0][0] = "x";
    made_chunk(m);
    mk_add(&page, body, sizeof body);
    made_data(m, 3, 0, &page);
    made_group(m, 3);
    made_end(m);
    f = open_bytes(m->out.data, m->out.len, NULL);
    same(f, NULL,
         "{\"m\":[],\"e\":{\"inner\":[]},\"x\":1}\n{\"m\":[],\"e\":{\"inner\":[]},\"x\":2}\n"
         "{\"m\":[],\"e\":{\"inner\":[]},\"x\":3}\n");
    memset(&e, 0, sizeof e);
    taco__table_from_file(&t, f);
    CHECK(taco__row_reader_open(&r, &t, which, 3, f->mem, &e));
    CHECK(taco__row_reader_read(&r, 0, rows, 2, &e));
    CHECK(r.arrays[0].field->type == TACO_MAP && r.arrays[0].length == 2);
    CHECK(r.arrays[1].length == 2 && r.arrays[1].children[0].length == 2);
    CHECK(r.arrays[2].v.i32[0] == 1 && r.arrays[2].v.i32[1] == 3);
    CHECK(taco__row_reader_read(&r, 0, rows, 0, &e) && r.arrays[2].length == 0);
    CHECK_TEXT(e.text, "");
    taco__row_reader_close(&r);
    taco_pq_close(f);
    made_free(m);
    free(page.data);
}

/* ---- columns of nulls, booleans and texts, read sparsely ---- */

static void test_nulls(void)
{
    made *m = made_new();
    mk_buf body = {NULL, 0, 0};
    taco_pq_file *f;
    taco__table t;
    taco__row_reader r;
    taco_error e;
    size_t zero = 0;
    static const uint32_t rows[] = {1, 9};
    element_null(m);
    made_chunk(m);
    mk_add(&body, "\1\0\0\0\2\0\0\0", 8);
    made_dict(m, 2, &body);
    mk_add(&body, "\2\0\0\0\xA\0\1", 7); /* five nulls, and no index into a dictionary of two */
    made_data(m, 5, 8, &body);
    mk_add(&body, "\2\0\0\0\xA\0", 6);
    made_data(m, 5, 0, &body);
    made_group(m, 10);
    made_end(m);
    f = open_bytes(m->out.data, m->out.len, NULL);
    same(f, NULL, NULLS3 NULLS3 NULLS3 "{\"a\":null}\n");
    memset(&e, 0, sizeof e);
    taco__table_from_file(&t, f);
    CHECK(taco__row_reader_open(&r, &t, &zero, 1, f->mem, &e));
    CHECK(taco__row_reader_read(&r, 0, rows, 2, &e));
    CHECK(r.arrays[0].length == 2 && r.arrays[0].null_count == 2);
    CHECK(!taco_array_valid(&r.arrays[0], 1));
    CHECK_TEXT(e.text, "");
    taco__row_reader_close(&r);
    taco_pq_close(f);
    made_free(m);
    free(body.data);
}

/* ---- the dictionary of a chunk, for conditions that are tested on it ---- */

typedef struct opened {
    taco_pq_file *f;
    taco__table t;
    taco__row_reader r;
    taco_error e;
} opened;

static opened *open_first(const made *m)
{
    opened *o = (opened *)calloc(1, sizeof *o);
    size_t zero = 0;
    o->f = open_bytes(m->out.data, m->out.len, NULL);
    taco__table_from_file(&o->t, o->f);
    CHECK(taco__row_reader_open(&o->r, &o->t, &zero, 1, o->f->mem, &o->e));
    CHECK(taco__row_reader_open_group(&o->r, 0, &o->e));
    return o;
}

static void close_first(opened *o)
{
    taco__row_reader_close(&o->r);
    taco_pq_close(o->f);
    free(o);
}

/* How many entries the dictionary of the first column has, before its first row and after it. */
static void entries_are(made *m, size_t want)
{
    opened *o = open_first(m);
    taco_array a;
    size_t twice;
    for (twice = 0; twice < 2; twice++) {
        CHECK(taco__column_reader_dictionary(&o->r.columns[0], &a, &o->e));
        CHECK(a.length == want || (twice && a.length == 0));
    }
    CHECK_TEXT(o->e.text, "");
    CHECK(taco__row_reader_read_range(&o->r, 0, 1, &o->e));
    CHECK(taco__column_reader_dictionary(&o->r.columns[0], &a, &o->e) && a.length == 0);
    close_first(o);
    made_free(m);
}

/* Two values in a dictionary and two pages of indices; data_page_offset is that of page `at`, of the
   dictionary (-1), or past the chunk (9). */
static made *indexed(int type, int at, bool only)
{
    made *m = made_new();
    mk_buf body = {NULL, 0, 0};
    size_t i;
    if (type == 99) {
        element_null(m);
    } else {
        made_flat(m, type, 0, "a", -1);
    }
    made_chunk(m);
    mk_add(&body, "\1\0\0\0\2\0\0\0", 8);
    made_dict(m, 2, &body);
    for (i = 0; i < 2; i++) {
        if (type == 99) { mk_add(&body, "\2\0\0\0\6\0", 6); }
        mk_add(&body, type ? "\1\6\1" : "\7", type ? 3 : 1);
        made_data(m, 3, type ? 8 : 0, &body);
    }
    m->about[0].dict_only = only;
    m->about[0].data_at = at == 9 ? 1 << 20 : at < 0 ? m->dict[0] : m->pages[at].at;
    made_group(m, 6);
    made_end(m);
    free(body.data);
    return m;
}

static void test_column_dictionary(void)
{
    made *m;
    opened *o;
    taco_array a;
    mk_buf body = {NULL, 0, 0};
    page_spec p;
    bool ok;
    entries_are(indexed(1, 0, true), 2);
    entries_are(indexed(1, 0, false), 0);
    entries_are(indexed(1, 1, true), 0); /* a data page comes before that */
    entries_are(indexed(1, -1, true), 0);
    entries_are(indexed(1, 9, true), 0);
    entries_are(indexed(0, 0, true), 0);
    entries_are(indexed(99, 0, true), 0);
    m = grouped(0, 0);
    mk_add(&body, "\1\0\0\0", 4);
    made_data(m, 1, 0, &body);
    m->about[0].dict_only = true;
    made_group(m, 1);
    made_end(m);
    entries_are(m, 0);
    /* an index page where the dictionary could be */
    m = made_new();
    made_flat(m, 1, 0, "a", -1);
    made_chunk(m);
    memset(&p, 0, sizeof p);
    p.type = 1;
    made_page(m, &p, &body);
    mk_add(&body, "\1\0\0\0", 4);
    made_data(m, 1, 0, &body);
    m->about[0].dict_only = true;
    m->about[0].data_at = m->pages[1].at;
    m->dict[0] = m->pages[0].at;
    made_group(m, 1);
    made_end(m);
    entries_are(m, 0);
    /* with an offset index, which knows better where the first page is */
    m = numbered(0, false, true);
    m->about[0].dict_only = true;
    m->about[0].data_at = 1 << 20;
    numbered_end(m);
    o = open_first(m);
    o->r.columns[0].leaf_readers[0].position.index =
        taco__page_index_offsets(o->f, 0, 0, &ok, &o->e);
    CHECK(taco__column_reader_dictionary(&o->r.columns[0], &a, &o->e) && a.length == 30);
    close_first(o);
    made_free(m);
    /* damage is an error */
    m = made_new();
    made_flat(m, 1, 0, "a", -1);
    made_chunk(m);
    p = dict_page(2);
    p.encoding = 9;
    made_page(m, &p, &body);
    mk_add(&body, "\1\0\0\0", 4);
    made_data(m, 1, 0, &body);
    m->about[0].dict_only = true;
    m->about[0].data_at = m->pages[0].at;
    made_group(m, 1);
    made_end(m);
    o = open_first(m);
    CHECK(!taco__column_reader_dictionary(&o->r.columns[0], &a, &o->e));
    CHECK(o->e.code == TACO_ERR_UNSUPPORTED && strstr(o->e.text, "column 'a': at byte "));
    close_first(o);
    made_free(m);
    free(body.data);
}

/* Booleans are not picked while they are decoded. */
static void test_sparse_booleans(void)
{
    static const char bits[] = "\2\0\0\0\0\0\0\x10\0\0\0\0\0";
    static const uint32_t rows[] = {1, 2, 60};
    made *m = one_page(0, 0, -1, data_page(100, 0), bits, 13);
    opened *o = open_first(m);
    CHECK(taco__row_reader_read(&o->r, 0, rows, 3, &o->e));
    CHECK_TEXT(o->e.text, "");
    CHECK(o->r.arrays[0].length == 3 && taco_array_int(&o->r.arrays[0], 0) == 1 &&
          taco_array_int(&o->r.arrays[0], 1) == 0 && taco_array_int(&o->r.arrays[0], 2) == 1);
    close_first(o);
    made_free(m);
}

/* A reader uses the cache of a chunk only if its own scan has marked it. */
static void test_marked_chunks(void)
{
    made *m = numbered_end(numbered(0, false, false));
    opened *o = open_first(m);
    taco__mem *memory = o->f->mem;
    uint64_t scan = taco__page_cache_begin_scan(memory), i;
    o->f->has_cached = true;
    for (i = 0; i < 3; i++) {
        if (i == 1) { taco__page_cache_mark(memory, &o->f->meta.groups[0].chunks[0], scan); }
        o->r.group = TACO__NO_GROUP;
        o->r.scan = scan + (i == 2);
        CHECK(taco__row_reader_open_group(&o->r, 0, &o->e));
        CHECK((o->r.columns[0].leaf_readers[0].cache.chunk != NULL) == (i == 1));
    }
    CHECK_TEXT(o->e.text, "");
    taco__page_cache_end_scan(memory);
    close_first(o);
    made_free(m);
}

/* ---- columns that are not in the file ---- */

static void test_constants(void)
{
    static const char path[70001] = {'x'};
    static const int32_t year[] = {2020}, ends[] = {0, 70000}, none[] = {0, 0};
    static const size_t which[] = {0, 1, 2, 3, 4};
    static const uint32_t some[] = {0, 2};
    static const uint8_t zero[] = {0};
    taco_field fields[5];
    taco_array constants[3];
    made *m = one_page(1, 0, -1, data_page(3, 0), "\1\0\0\0\2\0\0\0\3\0\0\0", 12);
    opened *o = open_first(m);
    taco__row_reader r;
    taco__table memory;
    size_t i;
    memset(fields, 0, sizeof fields);
    memset(constants, 0, sizeof constants);
    fields[0] = *o->t.fields;
    fields[1] = taco__field_make("year", TACO_INT32);
    fields[2] = taco__field_make("path", TACO_TEXT);
    fields[3] = taco__field_make("none", TACO_TEXT);
    fields[4] = taco__field_make("unknown", TACO_NULL);
    for (i = 0; i < 3; i++) {
        constants[i].field = &fields[1 + i];
        constants[i].length = 1;
    }
    constants[0].v.any = year;
    constants[1].offsets = ends;
    constants[1].v.any = path;
    constants[2].offsets = none;
    constants[2].v.any = path;
    constants[2].validity = zero;
    constants[2].null_count = 1;
    o->t.fields = fields;
    o->t.field_count = 5;
    o->t.constants = constants;
    o->t.constant_count = 3;
    CHECK(taco__row_reader_open(&r, &o->t, which, 5, o->f->mem, &o->e));
    CHECK(taco__row_reader_read_range(&r, 1, 2, &o->e));
    CHECK(r.arrays[0].v.i32[1] == 3 && r.arrays[1].v.i32[1] == 2020 && r.arrays[1].length == 2);
    CHECK(taco_array_bytes(&r.arrays[2], 1).len == 70000 &&
          taco_array_bytes(&r.arrays[2], 1).data[0] == 'x');
    CHECK(r.arrays[3].null_count == 2 && !taco_array_valid(&r.arrays[3], 1));
    CHECK(r.arrays[4].null_count == 2 && r.arrays[4].length == 2);
    CHECK(taco__row_reader_read(&r, 0, some, 2, &o->e));
    CHECK(r.arrays[0].v.i32[1] == 3 && r.arrays[1].v.i32[1] == 2020 && r.arrays[4].length == 2);
    CHECK_TEXT(o->e.text, "");
    /* more text than offsets reach */
    CHECK(!taco__row_reader_fill_constant(&r, 2, 40000, &o->e) && o->e.code == TACO_ERR_LIMIT);
    CHECK_TEXT(o->e.text, "40000 rows of a text of 70000 bytes");
    memset(&o->e, 0, sizeof o->e);
    CHECK(!taco__row_reader_fill_constant(&r, 2, SIZE_MAX / 1000, &o->e));
    CHECK(!taco__row_reader_fill_constant(&r, 1, SIZE_MAX / 4, &o->e));
    CHECK(o->e.code == TACO_ERR_LIMIT);
    taco__row_reader_close(&r);
    /* the same over arrays in memory */
    memset(&o->e, 0, sizeof o->e);
    memory = o->t;
    memory.pq = NULL;
    memory.rows = 1;
    memory.arrays = constants; /* one row of a number */
    fields[0] = fields[1];
    CHECK(taco__row_reader_open(&r, &memory, which, 5, o->f->mem, &o->e));
    CHECK(taco__row_reader_read_range(&r, 0, 1, &o->e));
    CHECK(r.arrays[0].v.i32[0] == 2020 && r.arrays[2].length == 1);
    CHECK(taco__row_reader_read(&r, 0, some, 1, &o->e) && r.arrays[0].v.i32[0] == 2020);
    CHECK(taco__row_reader_read_range(&r, 0, 0, &o->e) && r.arrays[1].length == 0);
    taco__row_reader_close(&r);
    /* and with no constants at all */
    memory.constant_count = 0;
    CHECK(taco__row_reader_open(&r, &memory, which + 3, 2, o->f->mem, &o->e));
    CHECK(taco__row_reader_read_range(&r, 0, 1, &o->e) && r.arrays[0].null_count == 1);
    taco__row_reader_close(&r);
    CHECK_TEXT(o->e.text, "");
    close_first(o);
    made_free(m);
}

/* ---- small files that ask for much ---- */

/* A run of nulls, as long as a file can say. */
static made *null_run(uint64_t n)
{
    made *m = made_new();
    mk_buf levels = {NULL, 0, 0}, body = {NULL, 0, 0};
    put_run(&levels, n, 0);
    put_levels(&body, &levels);
    made_flat(m, 1, 1, "a", -1);
    made_chunk(m);
    made_data(m, n, 0, &body);
    made_group(m, (int64_t)n);
    made_end(m);
    free(levels.data);
    free(body.data);
    return m;
}

/* n times the one entry of a dictionary, of `len` bytes. */
static made *text_run(uint64_t n, size_t len)
{
    made *m = made_new();
    mk_buf body = {NULL, 0, 0};
    char *text = (char *)calloc(len, 1);
    mk_le(&body, len, 4);
    mk_add(&body, text, len);
    made_flat(m, 6, 0, "a", -1);
    made_chunk(m);
    made_dict(m, 1, &body);
    mk_le(&body, 1, 1);
    put_run(&body, n, 0);
    made_data(m, n, 8, &body);
    made_group(m, (int64_t)n);
    made_end(m);
    free(body.data);
    free(text);
    return m;
}

/* The file is not opened; it is freed. */
static void not_opened(made *m, const taco_limits *limits, taco_status code, const char *text)
{
    taco_source src;
    taco_options opt;
    taco_error e;
    memset(&opt, 0, sizeof opt);
    memset(&e, 0, sizeof e);
    opt.limits = *limits;
    taco_source_memory(&src, m->out.data, m->out.len);
    CHECK(!taco_pq_open_source(&src, "made", &opt, &e) && e.code == code);
    if (!strstr(e.text, text)) { CHECK_TEXT(e.text, text); }
    made_free(m);
}

static void test_expansion(void)
{
    taco_limits l;
    made *m;
    taco_pq_file *f;
    taco_error e;
    char *got;
    taco_limits_strict(&l);
    not_opened(null_run(((uint64_t)1 << 31) - 1), &l, TACO_ERR_LIMIT,
               "limits.max_values is 8388608 for each MiB");
    memset(&l, 0, sizeof l);
    l.max_values = 7;
    not_opened(null_run(8), &l, TACO_ERR_LIMIT, "8 values or more in ");
    memset(&l, 0, sizeof l);
    l.max_decoded = 100000;
    m = text_run(100, 1000);
    refused(m, &l, TACO_ERR_LIMIT, ": values: 101008 bytes decoded from a table of ");
    l.max_decoded = 102000; /* the pages, and what their indices stand for */
    memset(&e, 0, sizeof e);
    f = open_bytes(m->out.data, m->out.len, &l);
    got = dump(f, NULL, &e);
    CHECK_TEXT(e.text, "");
    free(got);
    taco_pq_close(f);
    made_free(m);
}

/* Two row groups of the same page: an error with limits.max_decoded, else a warning of verify. */
static bool count_shared(void *ctx, bool fault, const taco_error *what)
{
    *(int *)ctx += !fault && strstr(what->text, "shares bytes with ") != NULL;
    return true;
}

static void test_shared_page(void)
{
    made *m = made_new();
    mk_buf body = {NULL, 0, 0};
    taco_limits l;
    taco_pq_file *f;
    int found = 0;
    mk_le(&body, 7, 4);
    made_flat(m, 1, 0, "a", -1);
    made_chunk(m);
    made_data(m, 1, 0, &body);
    made_group(m, 1);
    made_chunk(m);
    m->at[1] = m->at[0];
    m->len[1] = m->len[0];
    m->values[1] = 1;
    made_group(m, 1);
    made_end(m);
    memset(&l, 0, sizeof l);
    f = open_bytes(m->out.data, m->out.len, &l);
    same(f, NULL, "{\"a\":7}\n{\"a\":7}\n");
    CHECK(taco_pq_verify(f, count_shared, &found, NULL, NULL) == TACO_OK && found == 1);
    taco_pq_close(f);
    l.max_decoded = UINT64_MAX;
    not_opened(m, &l, TACO_ERR_CORRUPT, "row group 1, column 'a': at byte 4: shares bytes with ");
    free(body.data);
}

int main(void)
{
    RUN(test_encodings);
    RUN(test_levels);
    RUN(test_packed_levels);
    RUN(test_deep_levels);
    RUN(test_dictionaries);
    RUN(test_decimal_texts);
    RUN(test_offset_index);
    RUN(test_offset_index_v2);
    RUN(test_other_rows);
    RUN(test_jump_dictionary);
    RUN(test_skipping);
    RUN(test_chunks);
    RUN(test_not_checked);
    RUN(test_large_group);
    RUN(test_assembly);
    RUN(test_no_leaves);
    RUN(test_nulls);
    RUN(test_column_dictionary);
    RUN(test_sparse_booleans);
    RUN(test_marked_chunks);
    RUN(test_constants);
    RUN(test_expansion);
    RUN(test_shared_page);
    return test_end("test_page_edges");
}
