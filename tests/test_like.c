/* parquet_write/schema_like.c, key_values.c: a file written like another one has its schema as it
   is, for every logical type, converted type, repetition and nesting, and its keys; values of lists
   and maps of old forms, of decimals of every physical type; UNKNOWN over values. */
#include "test.h"

#include "../src/base/base.h"
#include "../src/parquet/parquet.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_inspect.h"
#include "../extra/taco_parquet_write.h"

#include "footer.h"
#include "make.h"
#include "pages.h"

static char warnings[1024]; /* of the copy, a line each */

static void keep_warning(void *ctx, const taco_error *w)
{
    size_t n = strlen(warnings);
    (void)ctx;
    snprintf(warnings + n, sizeof warnings - n, "%s\n", taco_error_text(w));
}

/* A copy of some columns of f, all if names is NULL; `sink` has the bytes. */
static taco_pq_file *copy(taco_pq_file *f, const char *const *names, size_t n, taco_sink *sink,
                          taco_error *e)
{
    taco_pq_write_options write;
    taco_options opt;
    taco_pq_query q;
    taco_batch b;
    taco_pq_reader *r;
    taco_pq_writer *w;
    const taco_field *fields;
    size_t count;
    memset(&write, 0, sizeof write);
    memset(&opt, 0, sizeof opt);
    memset(&q, 0, sizeof q);
    memset(e, 0, sizeof *e);
    warnings[0] = 0;
    opt.warn = keep_warning;
    write.options = &opt;
    write.like = f;
    q.columns = names;
    q.column_count = n;
    r = taco_pq_read(f, &q, e);
    fields = taco_pq_reader_fields(r, &count);
    taco_sink_memory(sink, NULL, e);
    w = taco_pq_write(sink, fields, count, &write, e);
    while (taco_pq_reader_next(r, &b)) {
        taco_pq_writer_batch(w, &b);
    }
    taco_pq_reader_close(r, e);
    taco_pq_writer_close(w, e);
    if (e->code != TACO_OK) { return NULL; }
    {
        taco_bytes bytes = taco_sink_bytes(sink);
        return open_bytes(bytes.data, bytes.len, NULL);
    }
}

/* The copy of everything has the same elements, rows and no finding. */
static void same_copy(made *m, const char *rows)
{
    taco_pq_file *f = open_bytes(m->out.data, m->out.len, NULL), *g;
    taco_sink sink;
    taco_pq_checked sum;
    taco_error e;
    uint32_t i;
    char *text;
    memset(&sum, 0, sizeof sum);
    g = copy(f, NULL, 0, &sink, &e);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(warnings, "");
    CHECK(g && g->meta.element_count == f->meta.element_count);
    for (i = 1; g && i < f->meta.element_count; i++) {
        taco_bytes a = f->meta.elements[i].raw, b = g->meta.elements[i].raw;
        CHECK(a.len > 0 && a.len == b.len && memcmp(a.data, b.data, a.len) == 0);
    }
    if (g && rows) {
        text = dump(f, NULL, &e);
        CHECK_TEXT(text ? text : e.text, rows);
        free(text);
        text = dump(g, NULL, &e);
        CHECK_TEXT(text ? text : e.text, rows);
        free(text);
        taco_pq_verify(g, NULL, NULL, &sum, &e);
        CHECK_TEXT(e.text, "");
    }
    taco_pq_close(g);
    taco_sink_free(&sink);
    taco_pq_close(f);
    made_free(m);
}

/* ---- every annotation ---- */

/* LogicalType number `logical`, with parameters where it has some, and one that it may get. */
static void put_logical(wr *w, int logical)
{
    w_open(w, 10);
    w_open(w, logical);
    if (logical == 5) {
        w_i32(w, 1, 2);
        w_i32(w, 2, 7);
    } else if (logical == 7 || logical == 8) {
        w_bool(w, 1, logical == 8);
        w_open(w, 2);
        w_open(w, 3);
        w_end(w);
        w_end(w);
    } else if (logical == 10) {
        w_i8(w, 1, 16);
        w_bool(w, 2, false);
    } else if (logical >= 17) {
        w_text(w, 1, "EPSG:32632");
        if (logical == 18) { w_i32(w, 2, 4); }
        w_text(w, 9, "newer than this reader");
    }
    w_end(w);
    w_end(w);
}

/* A column with its annotations and a field id. */
static void put_leaf(made *m, int type, int repetition, int logical, int converted)
{
    static const int lengths[] = {2, 4, 12, 16, 20};
    wr *w = &m->schema;
    char name[32];
    snprintf(name, sizeof name, "c%d", (int)m->elements);
    w_begin(w);
    w_i32(w, 1, type);
    if (type == 7) { w_i32(w, 2, lengths[(logical + converted + 1) % 5]); }
    w_i32(w, 3, repetition);
    w_text(w, 4, name);
    if (converted >= 0) { w_i32(w, 6, converted); }
    if (converted == 5) {
        w_i32(w, 7, 3);
        w_i32(w, 8, 9);
    }
    w_i32(w, 9, (int64_t)m->elements + 1000);
    if (logical > 0) { put_logical(w, logical); }
    w_i32(w, 11, 5); /* a member that SchemaElement may get */
    w_end(w);
    m->elements++;
}

/* A group with n children, annotated as one converted type. */
static void put_group(made *m, int repetition, const char *name, int n, int converted)
{
    made_element(m, -1, repetition, name, n, converted);
}

/* Opens the groups that `nesting` has above a column. */
static void put_nesting(made *m, int nesting, int repetition)
{
    char name[32];
    snprintf(name, sizeof name, "g%d", (int)m->elements);
    if (nesting == 1) { put_group(m, repetition, name, 1, -1); }
    if (nesting == 2) { /* a list of today */
        put_group(m, 1, name, 1, 3);
        put_group(m, 2, "bag", 1, -1);
    }
    if (nesting == 3) { put_group(m, 1, name, 1, 3); } /* of old files: two levels */
    if (nesting == 4) {
        put_group(m, 0, name, 1, 1);
        put_group(m, 2, "map", 2, 2);
        put_leaf(m, 6, 0, 4, -1);
    }
}

/* All converted types, and one that does not exist, beside a logical type. */
static void test_annotations(void)
{
    int type, logical, repetition, converted, nesting;
    for (logical = 0; logical <= 20; logical++) {
        for (nesting = 0; nesting <= 4; nesting++) {
            for (repetition = 0; repetition < 3; repetition++) {
                made *m = made_new();
                made_element(m, -1, -1, "root", 24, -1);
                for (converted = -1; converted < 23; converted++) {
                    type = (logical + nesting + repetition + converted + 1) % 8;
                    put_nesting(m, nesting, repetition);
                    put_leaf(m, type, nesting == 3 ? 2 : repetition, logical, converted);
                }
                made_end(m);
                same_copy(m, NULL);
            }
        }
    }
}

/* All physical types for each logical type. */
static void test_physical(void)
{
    int type, logical;
    for (logical = 0; logical <= 20; logical++) {
        made *m = made_new();
        made_element(m, -1, -1, "root", 8, -1);
        for (type = 0; type < 8; type++) {
            put_leaf(m, type, 1, logical, -1);
        }
        made_end(m);
        same_copy(m, NULL);
    }
}

/* ---- values ---- */

/* One page of `n` entries, and the end of the file. */
static made *with_page(made *m, int64_t rows, uint64_t n, mk_buf *body)
{
    made_chunk(m);
    made_data(m, n, 0, body);
    made_group(m, rows);
    made_end(m);
    free(body->data);
    return m;
}

/* Appends levels, one digit each. */
static void put_digits(mk_buf *body, const char *digits)
{
    mk_buf levels = {NULL, 0, 0};
    for (; *digits; digits++) {
        put_run(&levels, 1, (unsigned)(*digits - '0'));
    }
    put_levels(body, &levels);
    free(levels.data);
}

/* Lists that have other groups than the ones written today. */
static void test_old_lists(void)
{
    mk_buf body = {NULL, 0, 0};
    made *m = made_new();
    made_flat(m, 1, 2, "c", -1);
    put_digits(&body, "0100");
    put_digits(&body, "1101");
    mk_le(&body, 1, 4), mk_le(&body, 2, 4), mk_le(&body, 3, 4);
    same_copy(with_page(m, 3, 4, &body), "{\"c\":[1,2]}\n{\"c\":[]}\n{\"c\":[3]}\n");
    m = made_new();
    body.data = NULL, body.len = body.cap = 0;
    made_element(m, -1, -1, "root", 1, -1);
    put_group(m, 1, "l", 1, 3);
    made_element(m, 1, 2, "array", -1, 16);
    m->types[0] = 1, m->leaves = 1;
    m->paths[0][0] = "l", m->paths[0][1] = "array";
    put_digits(&body, "01000");
    put_digits(&body, "22021");
    mk_le(&body, 7, 4), mk_le(&body, 300, 4), mk_le(&body, 9, 4);
    same_copy(with_page(m, 4, 5, &body),
              "{\"l\":[7,300]}\n{\"l\":null}\n{\"l\":[9]}\n{\"l\":[]}\n");
}

/* DECIMAL(20,2) in byte arrays and in 20 bytes, of more bytes than it takes. */
static void test_decimals(void)
{
    static const uint8_t bytes[] = {3,    0, 0, 0, 0, 0, 5, 1, 0, 0, 0,
                                    0xFE, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0x80};
    made *m;
    wr *w;
    int fixed;
    for (fixed = 0; fixed < 2; fixed++) {
        mk_buf body = {NULL, 0, 0};
        m = made_new();
        w = &m->schema;
        made_element(m, -1, -1, "root", 1, -1);
        w_begin(w);
        w_i32(w, 1, fixed ? 7 : 6);
        if (fixed) { w_i32(w, 2, 20); }
        w_i32(w, 3, 0);
        w_text(w, 4, "d");
        w_i32(w, 6, 5);
        w_i32(w, 7, 2);
        w_i32(w, 8, 20);
        w_end(w);
        m->elements++;
        m->types[0] = fixed ? 7 : 6, m->leaves = 1;
        m->paths[0][0] = "d";
        if (fixed) {
            mk_le(&body, 0, 8), mk_le(&body, 0, 8), mk_le(&body, UINT32_C(7) << 24, 4);
            mk_le(&body, UINT64_MAX, 8), mk_le(&body, UINT64_MAX, 8), mk_le(&body, UINT32_MAX, 4);
        } else {
            mk_add(&body, bytes, sizeof bytes);
        }
        same_copy(
            with_page(m, fixed ? 2 : 4, fixed ? 2 : 4, &body),
            fixed ? "{\"d\":\"0.07\"}\n{\"d\":\"-0.01\"}\n"
                  : "{\"d\":\"0.05\"}\n{\"d\":\"-0.02\"}\n{\"d\":\"0.00\"}\n{\"d\":\"1.28\"}\n");
    }
}

/* ---- UNKNOWN ---- */

static made *unknown(int repetition, const char *levels, size_t values)
{
    mk_buf body = {NULL, 0, 0};
    made *m = made_new();
    size_t i;
    made_element(m, -1, -1, "root", 1, -1);
    w_element_open(&m->schema, 1, repetition, "x", -1);
    w_open(&m->schema, 10);
    w_open(&m->schema, 11);
    w_end(&m->schema);
    w_end(&m->schema);
    w_end(&m->schema);
    m->elements++;
    m->types[0] = 1, m->leaves = 1;
    m->paths[0][0] = "x";
    if (repetition) { put_digits(&body, levels); }
    for (i = 0; i < values; i++) {
        mk_le(&body, i + 5, 4);
    }
    return with_page(m, 2, 2, &body);
}

static char *rows_of(made *m)
{
    taco_pq_file *f = open_bytes(m->out.data, m->out.len, NULL);
    static char text[400];
    taco_error e;
    char *rows;
    memset(&e, 0, sizeof e);
    rows = dump(f, NULL, &e);
    snprintf(text, sizeof text, "%s", rows ? rows : taco_error_text(&e));
    free(rows);
    taco_pq_close(f);
    made_free(m);
    return text;
}

/* Values are read or refused, never nulls. */
static void test_unknown(void)
{
    CHECK_TEXT(rows_of(unknown(1, "00", 0)), "{\"x\":null}\n{\"x\":null}\n");
    CHECK_TEXT(rows_of(unknown(0, "", 2)), "{\"x\":5}\n{\"x\":6}\n");
    CHECK(strstr(rows_of(unknown(1, "01", 1)),
                 "a value that is not null, which its annotation, UNKNOWN, excludes") != NULL);
    same_copy(unknown(0, "", 2), "{\"x\":5}\n{\"x\":6}\n");
    same_copy(unknown(1, "00", 0), "{\"x\":null}\n{\"x\":null}\n");
}

/* ---- keys, and what is not kept ---- */

/* A file with two columns, and the keys that most files have. */
static taco_pq_file *keyed(taco_sink *sink, bool nullable)
{
    static const taco_pq_key keys[] = {
        {"geo", "{}"}, {"ARROW:schema", "AAAA"}, {"pandas", "{}"}, {"mine", "1"}};
    taco_pq_write_options write;
    taco_field fields[2];
    taco_error e;
    taco_bytes b;
    memset(&write, 0, sizeof write);
    memset(fields, 0, sizeof fields);
    memset(&e, 0, sizeof e);
    write.keys = keys;
    write.key_count = 4;
    fields[0].name = "a", fields[1].name = "b";
    fields[0].type = fields[1].type = TACO_INT64;
    fields[0].width = fields[1].width = 8;
    fields[0].nullable = nullable;
    taco_sink_memory(sink, NULL, &e);
    taco_pq_writer_close(taco_pq_write(sink, fields, 2, &write, &e), &e);
    CHECK_TEXT(e.text, "");
    b = taco_sink_bytes(sink);
    return open_bytes(b.data, b.len, NULL);
}

static void test_keys(void)
{
    static const char *const one[] = {"b"}, *const two[] = {"b", "a"};
    taco_sink from, to;
    taco_error e;
    taco_pq_file *f = keyed(&from, true), *g = copy(f, NULL, 0, &to, &e);
    CHECK_TEXT(warnings, "");
    CHECK(g && g->meta.pair_count == 4 && taco_pq_key_value(g, "geo").len == 2 &&
          taco_pq_key_value(g, "ARROW:schema").len == 4 && taco_pq_key_value(g, "mine").len == 1);
    taco_pq_close(g);
    taco_sink_free(&to);
    g = copy(f, one, 1, &to, &e);
    CHECK(g && g->meta.pair_count == 2 && taco_pq_key_value(g, "mine").len == 1);
    CHECK_TEXT(warnings, "the key 'geo' describes all columns of the file, and is not kept for "
                         "some of them\nthe key 'ARROW:schema' describes all columns of the file, "
                         "and is not kept for some of them\n");
    taco_pq_close(g);
    taco_sink_free(&to);
    g = copy(f, two, 2, &to, &e);
    CHECK(g && g->meta.pair_count == 2);
    taco_pq_close(g);
    taco_sink_free(&to);
    taco_pq_close(f);
    taco_sink_free(&from);
}

/* A column of the same name and another type is written as without `like`. */
static void test_other_type(void)
{
    taco_sink from, to;
    taco_pq_write_options write;
    taco_options opt;
    taco_field field;
    taco_error e;
    taco_pq_file *f = keyed(&from, true);
    memset(&write, 0, sizeof write);
    memset(&opt, 0, sizeof opt);
    memset(&field, 0, sizeof field);
    memset(&e, 0, sizeof e);
    warnings[0] = 0;
    opt.warn = keep_warning;
    write.options = &opt;
    write.like = f;
    field.name = "a";
    field.type = TACO_DOUBLE;
    field.width = 8;
    taco_sink_memory(&to, NULL, &e);
    taco_pq_writer_close(taco_pq_write(&to, &field, 1, &write, &e), &e);
    CHECK_TEXT(e.text, "");
    CHECK(strstr(warnings, "column 'a' cannot be written as the file has it") == warnings);
    taco_sink_free(&to);
    taco_pq_close(f);
    taco_sink_free(&from);
}

int main(void)
{
    RUN(test_annotations);
    RUN(test_physical);
    RUN(test_old_lists);
    RUN(test_decimals);
    RUN(test_unknown);
    RUN(test_keys);
    RUN(test_other_type);
    return test_end("test_like");
}
