/* Arrow streams and IPC messages: the values are those put in, in any order of releases, and with
   failures. */
#include "../src/arrow/c_array.c"
#include "../src/arrow/printer.c"
#include "../src/base/base.h"
#include "../src/parquet/parquet.h"
#include "../src/filter/scan.h"
#include "../src/dataset/dataset.h"
#include "../taco_parquet.h"
#include "../taco.h"

#include "test.h"

#include "alloc.h"

#include "footer.h"
#include "make.h"

/* ---- a file of our own: 10 rows in row groups of 4 ---- */

static const char *const words[10] = {"a", "bb", "", "dddd", "\xC3\xA4", "f", "g", "h", "i", "jjj"};
static const int64_t numbers[10] = {1, -2, 3, -4, 5, 6, 7, 8, 9, INT64_MIN};
static const double reals[10] = {0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9};
static const uint8_t holes[10] = {0, 1, 0, 0, 0, 0, 0, 0, 0, 1};
static const int64_t cents[10] = {150, -1, 0, 3, 4, 5, 6, 7, 8, 9};

static mk_buf small_file(void)
{
    mk_col c[5];
    c[0] = mk_text("word", words);
    c[0].null = holes;
    c[1] = mk_i64("number", numbers);
    c[2] = mk_f64("real", reals);
    c[2].null = holes;
    c[3] = mk_i64("money", cents);
    c[3].type = MK_DECIMAL;
    c[4] = mk_i64("at", numbers);
    c[4].type = MK_STAMP_UTC;
    return mk_parquet(c, 5, 10, 4);
}

static taco_pq_file *open_bytes(const mk_buf *b, const taco_options *opt, taco_error *err)
{
    taco_source src;
    taco_source_memory(&src, b->data, b->len);
    return taco_pq_open_source(&src, "x.parquet", opt, err);
}

static bool export_bytes(const mk_buf *b, const taco_options *opt, const taco_pq_query *q,
                         struct ArrowArrayStream *out, taco_error *err)
{
    taco_pq_file *f = open_bytes(b, opt, err);
    taco_pq_reader *r = taco_pq_read(f, q, err);
    memset(out, 0, sizeof *out);
    if (!r) {
        taco_pq_close(f);
        return false;
    }
    return taco_pq_reader_export(r, true, out, err) == TACO_OK;
}

/* ---- what a consumer does ---- */

static void array_release(struct ArrowArray *a)
{
    if (a->release) {
        a->release(a);
        CHECK(a->release == NULL);
    }
}

static bool bit(const struct ArrowArray *a, int64_t i)
{
    const uint8_t *v = (const uint8_t *)a->buffers[0];
    return !v || (v[i >> 3] >> (i & 7) & 1);
}

/* An array as one of ours: but for what the export changes, the layout is the same. */
typedef struct back {
    taco_field fields[160];
    taco_array arrays[160];
    size_t n;
} back;

static void back_array(back *b, const taco_field *f, const struct ArrowArray *a, taco_field *field,
                       taco_array *out)
{
    uint32_t i;
    memset(out, 0, sizeof *out);
    *field = *f;
    out->field = field;
    out->length = (size_t)a->length;
    out->null_count = (size_t)a->null_count;
    CHECK(a->offset == 0 && a->dictionary == NULL && a->n_children == (int64_t)f->child_count);
    CHECK(a->n_buffers == taco__arrow_array_buffer_count(f));
    if (a->n_buffers) {
        out->validity = (const uint8_t *)a->buffers[0];
        CHECK((a->null_count == 0) == (out->validity == NULL));
    }
    if (f->type == TACO_INT96) {
        field->type = TACO_TIMESTAMP;
        field->unit = TACO_NANO;
        field->utc = false;
        field->width = 8;
    }
    if (taco__arrow_array_is_list(f) || taco__array_is_var_length(f)) {
        out->offsets = (const int32_t *)a->buffers[1];
        CHECK(out->offsets[0] == 0);
    }
    if (a->n_buffers == 3) {
        out->v.any = a->buffers[2];
    } else if (a->n_buffers == 2 && !out->offsets) {
        out->v.any = a->buffers[1];
    }
    /* as the file has it again */
    if (TACO__BIG_ENDIAN && f->type == TACO_DECIMAL && f->width) {
        uint8_t *v = (uint8_t *)(uintptr_t)out->v.any;
        size_t w = (size_t)f->width, k, m;
        for (k = 0; k < out->length; k++, v += w) {
            for (m = 0; m < w / 2; m++) {
                uint8_t x = v[m];
                v[m] = v[w - 1 - m];
                v[w - 1 - m] = x;
            }
        }
    }
    if (f->child_count && b->n + f->child_count <= 160) {
        taco_field *fields = &b->fields[b->n];
        taco_array *arrays = &b->arrays[b->n];
        b->n += f->child_count;
        field->children = fields;
        out->children = arrays;
        for (i = 0; i < f->child_count; i++) {
            back_array(b, &f->children[i], a->children[i], &fields[i], &arrays[i]);
        }
    }
}

/* The rows of an exported batch as ndjson, appended. */
static void print_exported(const taco_field *fields, size_t n, const struct ArrowArray *a,
                           mk_buf *out)
{
    static back b;
    taco_batch batch;
    taco_error err = {0, TACO_OK, 0, {0}};
    size_t i;
    taco_printer *p;
    memset(&b, 0, sizeof b);
    memset(&batch, 0, sizeof batch);
    CHECK(a->n_children == (int64_t)n && n <= 96 && a->n_buffers == 1 && !a->buffers[0]);
    b.n = n;
    for (i = 0; i < n; i++) {
        CHECK(a->children[i]->length == a->length);
        back_array(&b, &fields[i], a->children[i], &b.fields[i], &b.arrays[i]);
    }
    batch.length = (size_t)a->length;
    batch.columns = b.arrays;
    batch.column_count = n;
    p = taco_printer_open(b.fields, n, TACO_FORMAT_NDJSON, NULL, &err);
    {
        taco_bytes text = taco_printer_batch(p, &batch, &err);
        mk_add(out, text.data, text.len);
    }
    CHECK_TEXT(taco_error_text(&err), "");
    taco_printer_close(p);
}

static void same_text(const char *what, mk_buf *got, mk_buf *want)
{
    if (got->len != want->len || (got->len && memcmp(got->data, want->data, got->len) != 0)) {
        printf("%s: %u bytes of rows, %u wanted\n%.300s\n%.300s\n", what, (unsigned)got->len,
               (unsigned)want->len, got->data ? (char *)got->data : "",
               want->data ? (char *)want->data : "");
        CHECK(!"the same rows");
    }
    free(got->data);
    free(want->data);
}

/* All rows of a query, printed as they are and printed after they went through the stream, with
   every array kept until the stream and what stands behind it are gone. */
static void same_rows(const char *path, const taco_query *q)
{
    struct ArrowArrayStream stream;
    struct ArrowArray arrays[64];
    struct ArrowSchema schema;
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_options opt;
    taco_allocator allocator;
    test_memory c;
    taco_field fields[96];
    size_t n = 0, columns, i;
    mk_buf want = {NULL, 0, 0}, got = {NULL, 0, 0};
    taco_dataset *names = taco_open(path, NULL, &err), *ds;
    taco_cursor *rows = taco_select(names, q, &err), *out;
    const taco_field *all = taco_cursor_fields(rows, &columns);
    taco_batch batch;
    taco_printer *p = taco_printer_open(all, columns, TACO_FORMAT_NDJSON, NULL, &err);
    while (taco_cursor_batch(rows, &batch)) {
        taco_bytes text = taco_printer_batch(p, &batch, &err);
        mk_add(&want, text.data, text.len);
    }
    CHECK_TEXT(taco_error_text(&err), "");
    if (err.code != TACO_OK) { return; }
    CHECK(columns <= 96);
    memcpy(fields, all, columns * sizeof *fields);
    test_counted(&opt, &allocator, &c);
    ds = taco_open(path, &opt, &err);
    out = taco_select(ds, q, &err);
    CHECK(taco_cursor_export(out, true, &stream, &err) == TACO_OK);
    CHECK(stream.get_schema(&stream, &schema) == 0 && schema.n_children == (int64_t)columns);
    CHECK_TEXT(schema.format, "+s");
    for (i = 0; i < columns; i++) {
        CHECK_TEXT(schema.children[i]->name, fields[i].name);
    }
    schema.release(&schema);
    do {
        CHECK(stream.get_next(&stream, &arrays[n]) == 0);
    } while (arrays[n].release && ++n < 64);
    CHECK(stream.get_last_error(&stream) == NULL);
    stream.release(&stream);
    CHECK(stream.release == NULL);
    for (i = 0; i < n; i++) {
        print_exported(fields, columns, &arrays[i], &got);
        array_release(&arrays[i]);
    }
    CHECK(c.live == 0);
    taco_printer_close(p);
    taco_cursor_close(rows, &err);
    taco_close(names);
    CHECK_TEXT(taco_error_text(&err), "");
    same_text(path, &got, &want);
}

/* ---- tests ---- */

static void schema_of(const taco_field *f, struct ArrowSchema *out)
{
    taco__mem mem;
    taco__arrow_export x;
    taco_error err = {0, TACO_OK, 0, {0}};
    memset(&x, 0, sizeof x);
    taco__mem_init(&mem, NULL);
    x.mem = &mem;
    CHECK(taco__arrow_schema_export(&x, f, false, out, &err));
    CHECK(x.charged == mem.used);
}

static void test_formats(void)
{
    static const struct {
        taco_type type;
        int32_t width, precision, scale;
        taco_unit unit;
        bool utc;
        const char *format;
    } all[] = {{TACO_NULL, 0, 0, 0, TACO_SECOND, false, "n"},
               {TACO_BOOL, 0, 0, 0, TACO_SECOND, false, "b"},
               {TACO_INT8, 1, 0, 0, TACO_SECOND, false, "c"},
               {TACO_INT16, 2, 0, 0, TACO_SECOND, false, "s"},
               {TACO_INT32, 4, 0, 0, TACO_SECOND, false, "i"},
               {TACO_INT64, 8, 0, 0, TACO_SECOND, false, "l"},
               {TACO_UINT8, 1, 0, 0, TACO_SECOND, false, "C"},
               {TACO_UINT16, 2, 0, 0, TACO_SECOND, false, "S"},
               {TACO_UINT32, 4, 0, 0, TACO_SECOND, false, "I"},
               {TACO_UINT64, 8, 0, 0, TACO_SECOND, false, "L"},
               {TACO_HALF, 2, 0, 0, TACO_SECOND, false, "e"},
               {TACO_FLOAT, 4, 0, 0, TACO_SECOND, false, "f"},
               {TACO_DOUBLE, 8, 0, 0, TACO_SECOND, false, "g"},
               {TACO_DECIMAL, 16, 38, 7, TACO_SECOND, false, "d:38,7"},
               {TACO_DECIMAL, 32, 76, 0, TACO_SECOND, false, "d:76,0,256"},
               {TACO_DECIMAL, 0, 90, 3, TACO_SECOND, false, "z"},
               {TACO_DATE, 4, 0, 0, TACO_SECOND, false, "tdD"},
               {TACO_TIME, 4, 0, 0, TACO_MILLI, true, "ttm"},
               {TACO_TIME, 8, 0, 0, TACO_MICRO, false, "ttu"},
               {TACO_TIME, 8, 0, 0, TACO_NANO, false, "ttn"},
               {TACO_TIMESTAMP, 8, 0, 0, TACO_MILLI, false, "tsm:"},
               {TACO_TIMESTAMP, 8, 0, 0, TACO_MICRO, true, "tsu:UTC"},
               {TACO_TIMESTAMP, 8, 0, 0, TACO_NANO, true, "tsn:UTC"},
               {TACO_INT96, 12, 0, 0, TACO_SECOND, false, "tsn:"},
               {TACO_INTERVAL, 12, 0, 0, TACO_SECOND, false, "w:12"},
               {TACO_TEXT, 0, 0, 0, TACO_SECOND, false, "u"},
               {TACO_BINARY, 0, 0, 0, TACO_SECOND, false, "z"},
               {TACO_FIXED, 2147483647, 0, 0, TACO_SECOND, false, "w:2147483647"},
               {TACO_UUID, 16, 0, 0, TACO_SECOND, false, "w:16"}};

    size_t i;
    for (i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct ArrowSchema s;
        taco_field f;
        memset(&f, 0, sizeof f);
        f.name = i & 1 ? "odd" : "";
        f.type = all[i].type;
        f.width = all[i].width;
        f.precision = all[i].precision;
        f.scale = all[i].scale;
        f.unit = all[i].unit;
        f.utc = all[i].utc;
        f.nullable = i % 3 == 0;
        schema_of(&f, &s);
        CHECK_TEXT(s.format, all[i].format);
        CHECK_TEXT(s.name, f.name);
        CHECK(s.flags == (f.nullable || f.type == TACO_NULL ? ARROW_FLAG_NULLABLE : 0));
        CHECK((s.metadata != NULL) == (f.type == TACO_UUID));
        CHECK(s.n_children == 0 && !s.dictionary);
        if (s.metadata) {
            int32_t n[2];
            memcpy(n, s.metadata, sizeof n);
            CHECK(n[0] == 1 && n[1] == 20);
            CHECK(memcmp(s.metadata + 8, "ARROW:extension:name", 20) == 0);
            memcpy(n, s.metadata + 28, 4);
            CHECK(n[0] == 10 && memcmp(s.metadata + 32, "arrow.uuid", 10) == 0);
        }
        s.release(&s);
        CHECK(!s.release);
    }
}

static void test_nested_schema(void)
{
    taco_field key[2], pair, map, item, parent[2], root;
    struct ArrowSchema s, moved;
    memset(key, 0, sizeof key);
    memset(parent, 0, sizeof parent);
    pair = map = item = root = key[0];
    key[0].name = "k\xFFy"; /* no UTF-8 */
    key[0].type = TACO_TEXT;
    key[1].name = "value";
    key[1].type = TACO_INT32;
    key[1].width = 4;
    key[1].nullable = true;
    pair.name = "pairs";
    pair.type = TACO_STRUCT;
    pair.children = key;
    pair.child_count = 2;
    map.name = "map";
    map.type = TACO_MAP;
    map.children = &pair;
    map.child_count = 1;
    map.nullable = true;
    item.name = "element";
    item.type = TACO_DATE;
    item.width = 4;
    parent[0] = map;
    parent[1].name = "list";
    parent[1].type = TACO_LIST;
    parent[1].children = &item;
    parent[1].child_count = 1;
    root.name = "root";
    root.type = TACO_STRUCT;
    root.children = parent;
    root.child_count = 2;
    schema_of(&root, &s);
    CHECK_TEXT(s.format, "+s");
    CHECK_TEXT(s.children[0]->format, "+m");
    CHECK(s.children[0]->flags == ARROW_FLAG_NULLABLE && s.children[0]->children[0]->flags == 0);
    CHECK_TEXT(s.children[0]->children[0]->format, "+s");
    CHECK_TEXT(s.children[0]->children[0]->children[0]->name, "k\xEF\xBF\xBDy");
    CHECK(s.children[0]->children[0]->children[1]->flags == ARROW_FLAG_NULLABLE);
    CHECK_TEXT(s.children[1]->format, "+l");
    CHECK_TEXT(s.children[1]->children[0]->name, "element");
    /* as the specification says: a copy, and the original marked released */
    moved = *s.children[0];
    s.children[0]->release = NULL;
    s.release(&s);
    CHECK_TEXT(moved.children[0]->children[1]->name, "value");
    moved.release(&moved);
    key[0].nullable = true; /* Arrow's maps have no null keys */
    schema_of(&map, &s);
    CHECK_TEXT(s.format, "+l");
    CHECK_TEXT(s.children[0]->format, "+s");
    CHECK(s.children[0]->children[0]->flags == ARROW_FLAG_NULLABLE);
    s.release(&s);
}

static void check_small(const struct ArrowArray *a, size_t first)
{
    const int32_t *o = (const int32_t *)a->children[0]->buffers[1];
    const char *text = (const char *)a->children[0]->buffers[2];
    int64_t i;
    for (i = 0; i < a->length; i++) {
        size_t k = first + (size_t)i, n = (size_t)(o[i + 1] - o[i]);
        CHECK(bit(a->children[0], i) == !holes[k] && bit(a->children[2], i) == !holes[k]);
        CHECK(holes[k] ? n == 0 : n == strlen(words[k]) && memcmp(text + o[i], words[k], n) == 0);
        CHECK(((const int64_t *)a->children[1]->buffers[1])[i] == numbers[k]);
        CHECK(holes[k] || ((const double *)a->children[2]->buffers[1])[i] == reals[k]);
        CHECK(((const int64_t *)a->children[3]->buffers[1])[2 * i + TACO__BIG_ENDIAN] == cents[k]);
        CHECK(((const int64_t *)a->children[4]->buffers[1])[i] == numbers[k]);
    }
}

static void test_values(void)
{
    struct ArrowArrayStream s;
    struct ArrowSchema schema;
    struct ArrowArray a[8];
    taco_options opt;
    taco_allocator allocator;
    test_memory c;
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_pq_query q;
    mk_buf b = small_file();
    size_t n = 0, row = 0, i;
    memset(&q, 0, sizeof q);
    q.batch_rows = 3; /* row groups of 4: 3 1 3 1 2, or across them */
    test_counted(&opt, &allocator, &c);
    CHECK(export_bytes(&b, &opt, &q, &s, &err));
    CHECK(s.get_schema(&s, &schema) == 0);
    CHECK_TEXT(schema.children[0]->format, "u");
    CHECK_TEXT(schema.children[3]->format, "d:12,2");
    CHECK_TEXT(schema.children[4]->format, "tsu:UTC");
    CHECK(schema.children[0]->flags == ARROW_FLAG_NULLABLE && schema.metadata == NULL);
    while (s.get_next(&s, &a[n]) == 0 && a[n].release) {
        row += (size_t)a[n++].length;
    }
    CHECK(row == 10 && n == 5);
    CHECK(s.get_next(&s, &a[n]) == 0 && !a[n].release); /* and again */
    s.release(&s);
    memset(b.data, 0xAA, b.len);
    free(b.data);
    for (i = row = 0; i < n; i++) {
        check_small(&a[i], row);
        row += (size_t)a[i].length;
        array_release(&a[i]);
    }
    CHECK_TEXT(schema.children[1]->name, "number");
    schema.release(&schema);
    CHECK(c.live == 0);
}

/* Buffers that hold just the batch leave the reader; the budget is the reader's again at once. */
static void test_moved(void)
{
    struct ArrowArrayStream s;
    struct ArrowArray a, b;
    taco_error err = {0, TACO_OK, 0, {0}};
    mk_buf bytes = small_file();
    taco_pq_file *f = open_bytes(&bytes, NULL, &err);
    taco_pq_reader *r;
    taco_pq_query q;
    const void *buffer;
    uint64_t used;
    taco__pq_file_codecs(f, &err); /* they stay with the file */
    used = f->mem->used;
    memset(&q, 0, sizeof q);
    q.batch_rows = 4;
    r = taco_pq_read(f, &q, &err);
    CHECK(taco_pq_reader_export(r, false, &s, &err) == TACO_OK);
    CHECK(s.get_next(&s, &a) == 0 && a.length == 4);
    buffer = a.children[1]->buffers[1];
    CHECK(r->scan.out.columns[1].leaf_readers[0].batch.values.fixed.data == NULL);
    CHECK(s.get_next(&s, &b) == 0 && b.length == 4);
    CHECK(b.children[1]->buffers[1] != buffer);
    s.release(&s);
    CHECK(f->mem->used == used);
    taco_pq_close(f);
    free(bytes.data);
    check_small(&b, 4);
    check_small(&a, 0);
    array_release(&a);
    array_release(&b);
}

static void test_release_orders(void)
{
    struct ArrowArrayStream s;
    struct ArrowArray a, moved, whole;
    taco_options opt;
    taco_allocator allocator;
    test_memory c;
    taco_error err = {0, TACO_OK, 0, {0}};
    mk_buf b = small_file();
    test_counted(&opt, &allocator, &c);
    CHECK(export_bytes(&b, &opt, NULL, &s, &err));
    s.release(&s); /* nothing was asked for */
    CHECK(c.live == 0);
    CHECK(export_bytes(&b, &opt, NULL, &s, &err));
    CHECK(s.get_next(&s, &a) == 0);
    moved = *a.children[1]; /* a child outlives its parent */
    a.children[1]->release = NULL;
    array_release(&a);
    CHECK(((const int64_t *)moved.buffers[1])[3] == -4);
    CHECK(s.get_next(&s, &a) == 0); /* half-consumed, stream first */
    whole = a;
    s.release(&s);
    check_small(&whole, 4);
    array_release(&whole);
    array_release(&moved);
    CHECK(c.live == 0);
    free(b.data);
}

static void test_arguments(void)
{
    struct ArrowArrayStream s;
    struct ArrowArray a;
    taco_options opt;
    taco_allocator allocator;
    test_memory c;
    taco_error err = {0, TACO_OK, 0, {0}};
    mk_buf b = small_file();
    taco_dataset *ds;
    taco_cursor *rows;
    test_counted(&opt, &allocator, &c);
    CHECK(taco_pq_reader_export(NULL, true, &s, &err) == TACO_ERR_ARGUMENT && !s.release);
    CHECK_TEXT(taco_error_text(&err), "no rows given");
    CHECK(taco_cursor_export(NULL, true, &s, NULL) == TACO_ERR_ARGUMENT && !s.release);
    memset(&err, 0, sizeof err);
    {
        taco_pq_file *f = open_bytes(&b, &opt, &err);
        CHECK(taco_pq_reader_export(taco_pq_read(f, NULL, &err), true, NULL, &err) ==
              TACO_ERR_ARGUMENT);
        CHECK_TEXT(taco_error_text(&err), "no stream given");
    }
    CHECK(c.live == 0);
    memset(&err, 0, sizeof err);
    ds = taco_open("examples/data/names.tacozip", &opt, &err);
    rows = taco_select(ds, NULL, &err);
    CHECK(taco_cursor_next(rows));
    CHECK(taco_cursor_export(rows, false, &s, &err) == TACO_ERR_STATE && !s.release);
    CHECK_TEXT(taco_error_text(&err), "taco_cursor_next was used before taco_cursor_export");
    memset(&err, 0, sizeof err);
    rows = taco_select(ds, NULL, &err);
    CHECK(taco_cursor_export(rows, false, &s, &err) == TACO_OK);
    CHECK(s.get_next(&s, &a) == 0 && a.length > 0);
    array_release(&a);
    s.release(&s);
    taco_close(ds);
    CHECK(c.live == 0);
    free(b.data);
}

/* What the stream cannot hand out, and a page that is not there. */
static void test_errors(void)
{
    static const char *const bad[10] = {"good", "bad\xFF", "", "", "", "", "", "", "", ""};
    static const char *const split[10] = {"\xC3", "\xA4", "", "", "", "", "", "", "", ""};
    struct ArrowArrayStream s;
    struct ArrowArray a;
    taco_options opt;
    taco_allocator allocator;
    test_memory c;
    taco_error err = {0, TACO_OK, 0, {0}};
    int i;
    test_counted(&opt, &allocator, &c);
    for (i = 0; i < 2; i++) {
        mk_col col = mk_text("t", i ? split : bad);
        mk_buf b = mk_parquet(&col, 1, 10, 10);
        CHECK(export_bytes(&b, &opt, NULL, &s, &err));
        CHECK(s.get_next(&s, &a) == TACO__EINVAL && !a.release);
        CHECK_TEXT(s.get_last_error(&s),
                   "x.parquet: column 't': text that is not UTF-8, which Arrow does not allow");
        CHECK(s.get_next(&s, &a) == TACO__EINVAL && !a.release); /* it stays so */
        s.release(&s);
        CHECK(c.live == 0);
        free(b.data);
    }
    {
        mk_buf b = small_file();
        b.data[4] = 0xFF; /* the header of the first page */
        CHECK(export_bytes(&b, &opt, NULL, &s, &err));
        CHECK(s.get_next(&s, &a) == TACO__EINVAL && !a.release);
        CHECK(strncmp(s.get_last_error(&s), "x.parquet: row group 0: column 'word'", 36) == 0);
        s.release(&s);
        CHECK(c.live == 0);
        free(b.data);
    }
}

static void test_int96(void)
{
    uint8_t raw[36];
    taco_field f;
    taco_array v;
    taco_batch batch;
    taco__mem mem;
    taco__arrow_export x;
    struct ArrowArray a;
    taco_error err = {0, TACO_OK, 0, {0}};
    uint8_t valid = 5;
    memset(&f, 0, sizeof f);
    memset(&v, 0, sizeof v);
    memset(&x, 0, sizeof x);
    memset(&batch, 0, sizeof batch);
    memset(raw, 0xFF, sizeof raw);
    taco__put_le64(raw, 1);
    taco__put_le32(raw + 8, 2440588); /* 1970-01-01 */
    taco__put_le64(raw + 24, 86399999999999);
    taco__put_le32(raw + 32, 2440587);
    taco__mem_init(&mem, NULL);
    x.mem = &mem;
    f.name = "t";
    f.type = TACO_INT96;
    f.width = 12;
    v.field = &f;
    v.length = batch.length = 3;
    v.null_count = 1;
    v.validity = &valid;
    v.v.u8 = raw;
    batch.columns = &v;
    batch.column_count = 1;
    CHECK(taco__arrow_batch_export(&x, &f, &batch, NULL, NULL, &a, &err));
    CHECK(((const int64_t *)a.children[0]->buffers[1])[0] == 1);
    CHECK(((const int64_t *)a.children[0]->buffers[1])[1] == 0); /* null */
    CHECK(((const int64_t *)a.children[0]->buffers[1])[2] == -1);
    CHECK(mem.used == 0); /* the consumer's now */
    array_release(&a);
    taco__put_le32(raw + 8, 5373484); /* 9999-12-31 */
    CHECK(!taco__arrow_batch_export(&x, &f, &batch, NULL, NULL, &a, &err) && !a.release);
    CHECK_TEXT(taco_error_text(&err),
               "column 't': the INT96 time '9999-12-31T00:00:00.000000001', which 64 bits of "
               "nanoseconds, 1677 to 2262, do not hold");
    CHECK(err.code == TACO_ERR_UNSUPPORTED && mem.used == 0);
    f.unit = TACO_MICRO; /* cut downwards */
    memset(&err, 0, sizeof err);
    CHECK(taco__arrow_batch_export(&x, &f, &batch, NULL, NULL, &a, &err));
    CHECK(((const int64_t *)a.children[0]->buffers[1])[0] == INT64_C(253402214400000000));
    CHECK(((const int64_t *)a.children[0]->buffers[1])[2] == -1);
    array_release(&a);
    taco__put_le32(raw + 8, INT32_MAX);
    CHECK(!taco__arrow_batch_export(&x, &f, &batch, NULL, NULL, &a, &err) && !a.release);
    CHECK_TEXT(taco_error_text(&err),
               "column 't': the INT96 time '+5874898-06-03T00:00:00.000000001', which 64 bits of "
               "microseconds do not hold");
}

/* A dictionary whose null rows have indices beyond it. */
static void test_dictionary(void)
{
    static const int32_t indices[4] = {1, 77, 0, 1}, offsets[3] = {0, 2, 5};
    taco_field f;
    taco_array v, d;
    taco_batch batch;
    taco__mem mem;
    taco__arrow_export x;
    struct ArrowArray a;
    taco_error err = {0, TACO_OK, 0, {0}};
    uint8_t valid = 13;
    memset(&f, 0, sizeof f);
    memset(&v, 0, sizeof v);
    memset(&x, 0, sizeof x);
    memset(&batch, 0, sizeof batch);
    taco__mem_init(&mem, NULL);
    x.mem = &mem;
    f.name = "d";
    f.type = TACO_TEXT;
    d = v;
    d.field = v.field = &f;
    d.length = 2;
    d.offsets = offsets;
    d.v.any = "xxyyy";
    v.length = batch.length = 4;
    v.null_count = 1;
    v.validity = &valid;
    v.v.i32 = indices;
    v.dictionary = &d;
    batch.columns = &v;
    batch.column_count = 1;
    CHECK(taco__arrow_batch_export(&x, &f, &batch, NULL, NULL, &a, &err));
    CHECK(memcmp(a.children[0]->buffers[2], "yyyxxyyy", 8) == 0);
    CHECK(((const int32_t *)a.children[0]->buffers[1])[1] == 3);
    CHECK(((const int32_t *)a.children[0]->buffers[1])[2] == 3);
    CHECK(((const int32_t *)a.children[0]->buffers[1])[4] == 8);
    array_release(&a);
}

/* Texts of a slice: the bytes outside of it are none of theirs, whatever they are. */
static void test_texts_of_slices(void)
{
    static const uint8_t bytes[] = "\xFF\xC3\xA4"
                                   "b\xFF\xC3\xA4\xFF\xFF\xFF\xFF";

    static const struct {
        int32_t offsets[3];
        bool good;
    } t[] = {{{1, 3, 4}, true},  {{3, 3, 4}, true},  {{5, 7, 7}, true}, {{0, 3, 4}, false},
             {{1, 3, 5}, false}, {{2, 3, 4}, false}, {{1, 2, 4}, false}};

    size_t i;
    for (i = 0; i < TACO__COUNT(t); i++) {
        taco_error err = {0, TACO_OK, 0, {0}};
        CHECK(taco__arrow_array_check_utf8(t[i].offsets, bytes, 2, &err) == t[i].good);
        CHECK(err.code == (t[i].good ? TACO_OK : TACO_ERR_CORRUPT));
    }
}

/* Nulls of every type, for columns that one of several datasets lacks. */
static void test_absent(void)
{
    taco_field item, f[4];
    taco_array v[4];
    taco_batch batch;
    taco__mem mem;
    taco__arrow_export x;
    struct ArrowArray a;
    taco_error err = {0, TACO_OK, 0, {0}};
    size_t i;
    uint8_t none[1] = {0};
    memset(&item, 0, sizeof item);
    memset(f, 0, sizeof f);
    memset(v, 0, sizeof v);
    memset(&x, 0, sizeof x);
    memset(&batch, 0, sizeof batch);
    taco__mem_init(&mem, NULL);
    x.mem = &mem;
    item.name = "i";
    item.type = TACO_TEXT;
    f[0].type = TACO_LIST;
    f[1].type = TACO_STRUCT;
    f[2].type = TACO_DECIMAL;
    f[2].width = 32;
    f[3].type = TACO_TEXT;
    for (i = 0; i < 4; i++) {
        f[i].name = "c";
        f[i].children = i < 2 ? &item : NULL;
        f[i].child_count = i < 2;
        v[i].field = &f[i];
        v[i].length = v[i].null_count = 5;
        v[i].validity = none;
    }
    batch.length = 5;
    batch.columns = v;
    batch.column_count = 4;
    CHECK(taco__arrow_batch_export(&x, f, &batch, NULL, NULL, &a, &err));
    for (i = 0; i < 4; i++) {
        CHECK(a.children[i]->null_count == 5 && a.children[i]->length == 5);
        CHECK(!bit(a.children[i], 4));
    }
    CHECK(a.children[0]->children[0]->length == 0 && a.children[1]->children[0]->length == 5);
    CHECK(((const int32_t *)a.children[0]->buffers[1])[5] == 0);
    CHECK(((const int32_t *)a.children[3]->buffers[1])[5] == 0);
    array_release(&a);
}

static void test_datasets(void)
{
    static const struct {
        const char *path;
        uint32_t table;
        bool flat;
        const char *order, *where;
    } all[] = {{"examples/data/types.tacozip", 0, false, NULL, NULL},
               {"examples/data/types_exotic.tacozip", 0, false, NULL, NULL},
               {"examples/data/geo_stac.tacozip", 0, false, "id desc", NULL},
               {"examples/data/geo_nested.tacozip", 2, true, NULL, NULL},
               {"examples/data/geo_nested.tacozip", 2, true, "\"l2:id\" desc, \"l0:id\"", NULL},
               {"examples/data/geo_nested.tacozip", 1, false, NULL, "id like '%1%'"},
               {"examples/data/nested_folder", 1, false, NULL, NULL},
               {"examples/data/era_0130_folder", 2, false, NULL, NULL},
               {"examples/data/padded_old.tacozip", 1, false, NULL, NULL},
               {"examples/data/multi", 0, false, NULL, NULL},
               {"examples/data/names.tacozip", 0, false, NULL, "id = 'none such'"},
               {"examples/data/tacocat_binary", 0, false, NULL, NULL}};

    size_t i;
    for (i = 0; i < sizeof all / sizeof all[0]; i++) {
        taco_query q;
        memset(&q, 0, sizeof q);
        q.table = q.level = all[i].table;
        q.flat = all[i].flat;
        q.order = all[i].order;
        q.where = all[i].where;
        same_rows(all[i].path, &q);
    }
}

/* ---- failing allocations and budgets ---- */

/* Exports, consumes two batches and lets go in the order the number says; the code of what
   failed. */
static taco_status consume(const char *path, const mk_buf *b, const taco_options *opt, int order,
                           taco_error *err)
{
    struct ArrowArrayStream s;
    struct ArrowSchema schema;
    struct ArrowArray a[2];
    int i, code = 0;
    memset(a, 0, sizeof a);
    memset(&s, 0, sizeof s);
    memset(&schema, 0, sizeof schema);
    if (path) {
        taco_query q;
        taco_dataset *ds = taco_open(path, opt, err);
        taco_cursor *c;
        memset(&q, 0, sizeof q);
        q.table = 1;
        q.flat = true;
        c = taco_select(ds, &q, err);
        if (!c) {
            taco_close(ds);
            return err->code;
        }
        if (taco_cursor_export(c, true, &s, err) != TACO_OK) {
            CHECK(!s.release);
            return err->code;
        }
    } else {
        taco_pq_query q;
        memset(&q, 0, sizeof q);
        q.batch_rows = 7;
        if (!export_bytes(b, opt, &q, &s, err)) { return err->code; }
    }
    code = s.get_schema(&s, &schema);
    for (i = 0; code == 0 && i < 2; i++) {
        code = s.get_next(&s, &a[i]);
    }
    if (code) {
        CHECK(code == TACO__ENOMEM);
        TACO__FAIL(err,
                   strstr(s.get_last_error(&s), "out of memory") ? TACO_ERR_MEMORY : TACO_ERR_LIMIT,
                   TACO_NO_OFFSET, "%s", s.get_last_error(&s));
    }
    for (i = 0; i < 4; i++) {
        switch ((i + order) % 4) {
        case 0: s.release(&s); break;
        case 1: array_release(&a[0]); break;
        case 2: array_release(&a[1]); break;
        default:
            if (schema.release) { schema.release(&schema); }
        }
    }
    return err->code;
}

static void every_allocation(const char *path, const mk_buf *b)
{
    size_t n, before = 0;
    for (n = 1;; n++) {
        taco_options opt;
        taco_allocator a;
        test_memory c;
        taco_error err = {0, TACO_OK, 0, {0}};
        taco_status st;
        test_counted(&opt, &a, &c);
        c.fail_at = n;
        st = consume(path, b, &opt, (int)(n % 4), &err);
        if (c.live) {
            printf("allocation %u: %u bytes left, %s\n", (unsigned)n, (unsigned)c.live, err.text);
        }
        CHECK(c.live == 0);
        if (c.calls < n) {
            CHECK(st == TACO_OK);
            break;
        }
        CHECK(st == TACO_ERR_MEMORY || st == TACO_OK);
        before++;
        if (test_bad > 20) { break; }
    }
    CHECK(before > 20);
}

static void test_allocations(void)
{
    mk_buf b = small_file();
    every_allocation(NULL, &b);
    every_allocation("examples/data/nested.tacozip", NULL);
    free(b.data);
}

static void test_budget(void)
{
    mk_buf b = small_file();
    uint64_t limit;
    bool good = false;
    for (limit = 1024; limit < (1 << 22) && !good; limit += limit / 8) {
        taco_options opt;
        taco_allocator a;
        test_memory c;
        taco_error err = {0, TACO_OK, 0, {0}};
        test_counted(&opt, &a, &c);
        opt.limits.max_memory = limit;
        good = consume(NULL, &b, &opt, 0, &err) == TACO_OK;
        CHECK(c.live == 0);
        CHECK(good || (err.code == TACO_ERR_LIMIT && strstr(err.text, "limits.max_memory")));
    }
    CHECK(good);
    free(b.data);
}

/* Many batches of a long file, each let go of at once: the allocator never holds more than the
   limit and a batch; all of them kept: no limit ends them. */
static void test_long(void)
{
    enum { ROWS = 200000, MOST = 1024 };

    int64_t *v = (int64_t *)malloc(ROWS * sizeof *v);
    struct ArrowArrayStream s;
    struct ArrowArray a, *kept = (struct ArrowArray *)calloc(MOST, sizeof *kept);
    taco_options opt;
    taco_allocator allocator;
    test_memory c;
    taco_error err = {0, TACO_OK, 0, {0}};
    mk_buf b;
    mk_col col;
    taco_pq_query q;
    int64_t i, sum, rows;
    size_t n = 0;
    int round;
    for (i = 0; i < ROWS; i++) {
        v[i] = i;
    }
    col = mk_i64("v", v);
    b = mk_parquet(&col, 1, ROWS, ROWS / 50);
    memset(&q, 0, sizeof q);
    for (round = 0; round < 2; round++) {
        test_counted(&opt, &allocator, &c);
        opt.limits.max_memory = 400000;
        CHECK(export_bytes(&b, &opt, &q, &s, &err));
        rows = sum = 0;
        while (s.get_next(&s, &a) == 0 && a.release) {
            const int64_t *x = (const int64_t *)a.children[0]->buffers[1];
            for (i = 0; i < a.length; i++) {
                sum += x[i];
            }
            rows += a.length;
            if (round == 0) {
                array_release(&a);
            } else if (n < MOST) {
                kept[n++] = a;
            }
        }
        CHECK(!s.get_last_error(&s));
        CHECK(rows == ROWS && sum == (int64_t)ROWS * (ROWS - 1) / 2);
        CHECK(round == 1 ? c.peak > 1600000 : c.peak <= 400000);
        s.release(&s);
    }
    CHECK(n >= 50 && n < MOST); /* a row group at most, less where the limit is low */
    while (n) {
        array_release(&kept[--n]);
    }
    CHECK(c.live == 0);
    free(kept);
    free(v);
    free(b.data);
}

/* ---- IPC ---- */

static uint64_t le(const uint8_t *p, size_t n)
{
    uint64_t x = 0;
    while (n--) {
        x = x << 8 | p[n];
    }
    return x;
}

/* Position of field `i` of the table at `at`, 0 when it is left out. */
static size_t slot(const uint8_t *p, size_t at, size_t i)
{
    size_t vtable = at - (size_t)le(p + at, 4), place;
    CHECK(vtable % 2 == 0 && at % 4 == 0);
    if (4 + 2 * i >= le(p + vtable, 2)) { return 0; }
    place = (size_t)le(p + vtable + 4 + 2 * i, 2);
    return place ? at + place : 0;
}

static size_t follow(const uint8_t *p, size_t at)
{
    return at + (size_t)le(p + at, 4);
}

static void test_ipc(void)
{
    mk_buf b = small_file(), out = {NULL, 0, 0};
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_pq_file *f = open_bytes(&b, NULL, &err);
    taco_pq_reader *r = taco_pq_read(f, NULL, &err);
    taco_batch batch;
    taco_bytes text;
    size_t n, at = 0, rows = 0, batches = 0;
    const taco_field *fields = taco_pq_reader_fields(r, &n);
    taco_printer *p = taco_printer_open(fields, n, TACO_FORMAT_ARROW, NULL, &err);
    while (taco_pq_reader_next(r, &batch)) {
        text = taco_printer_batch(p, &batch, &err);
        mk_add(&out, text.data, text.len);
    }
    text = taco_printer_batch(p, NULL, &err);
    mk_add(&out, text.data, text.len);
    CHECK_TEXT(taco_error_text(&err), "");
    while (at + 8 <= out.len) {
        const uint8_t *m = out.data + at + 8;
        size_t len = (size_t)le(out.data + at + 4, 4), root, header;
        CHECK(le(out.data + at, 4) == 0xFFFFFFFF && len % 8 == 0);
        at += 8;
        if (!len) { break; }
        root = follow(m, 0);
        CHECK(le(m + slot(m, root, 0), 2) == 4);
        header = follow(m, slot(m, root, 2));
        if (at == 8) {
            size_t list = follow(m, slot(m, header, 1)), first;
            CHECK(m[slot(m, root, 1)] == 1 && le(m + list, 4) == 5);
            first = follow(m, list + 4);
            CHECK(le(m + follow(m, slot(m, first, 0)), 4) == 4);
            CHECK_TEXT((const char *)m + follow(m, slot(m, first, 0)) + 4, "word");
            CHECK(m[slot(m, first, 1)] == 1 && m[slot(m, first, 2)] == 5);
            CHECK(le(m + follow(m, slot(m, first, 5)), 4) == 0);
            at += len;
            continue;
        }
        CHECK(m[slot(m, root, 1)] == 3);
        rows += (size_t)le(m + slot(m, header, 0), 8);
        CHECK(le(m + follow(m, slot(m, header, 1)), 4) == 5);
        CHECK(le(m + follow(m, slot(m, header, 2)), 4) == 11);
        CHECK((follow(m, slot(m, header, 1)) + 4) % 8 == 0);
        { /* the second column: no nulls, 8 bytes each */
            const uint8_t *buffer = m + follow(m, slot(m, header, 2)) + 4 + 16 * 4;
            int64_t first;
            CHECK(le(buffer + 8, 8) == 8 * le(m + slot(m, header, 0), 8));
            memcpy(&first, m + len + le(buffer, 8), sizeof first); /* in the machine's order */
            CHECK(batches || first == 1);
        }
        at += len + (size_t)le(m + slot(m, root, 3), 8);
        batches++;
    }
    CHECK(at == out.len && rows == 10 && batches == 3);
    taco_printer_close(p);
    taco_pq_reader_close(r, &err);
    { /* no rows: the schema and the end */
        fields = taco_pq_fields(f, &n);
        p = taco_printer_open(fields, n, TACO_FORMAT_ARROW, NULL, &err);
        memset(&batch, 0, sizeof batch);
        text = taco_printer_batch(p, &batch, &err);
        CHECK(text.len > 100 && le(text.data, 4) == 0xFFFFFFFF);
        text = taco_printer_batch(p, NULL, &err);
        CHECK(text.len == 8);
        taco_printer_close(p);
    }
    taco_pq_close(f);
    free(out.data);
    free(b.data);
}

/* A batch of five BOOLEANs, two of them null, whose bitmaps end in the given bits. */
static void padded_batch(uint8_t padding, uint8_t bitmaps[2], taco_field *f, taco_array *a,
                         taco_batch *b)
{
    memset(f, 0, sizeof *f);
    memset(a, 0, sizeof *a);
    memset(b, 0, sizeof *b);
    f->name = "flag";
    f->type = TACO_BOOL;
    f->nullable = true;
    bitmaps[0] = (uint8_t)(0x15 | padding);
    bitmaps[1] = (uint8_t)(0x05 | padding);
    a->field = f;
    a->length = 5;
    a->null_count = 2;
    a->validity = &bitmaps[0];
    a->v.u8 = &bitmaps[1];
    b->length = 5;
    b->columns = a;
    b->column_count = 1;
}

/* The bits of a bitmap that belong to no row: zeros in all that leaves, whatever a reader left
   there. */
static void test_padding_bits(void)
{
    uint8_t bitmaps[2], text[2][1024];
    size_t i, len[2] = {0, 1};
    taco_field f;
    taco_array a;
    taco_batch b;
    for (i = 0; i < 2; i++) {
        taco_error err = {0, TACO_OK, 0, {0}};
        taco_printer *p;
        taco_bytes out;
        padded_batch(i ? 0xE0 : 0, bitmaps, &f, &a, &b);
        p = taco_printer_open(&f, 1, TACO_FORMAT_ARROW, NULL, &err);
        out = taco_printer_batch(p, &b, &err);
        CHECK_TEXT(taco_error_text(&err), "");
        CHECK(out.len <= sizeof text[i]);
        len[i] = out.len;
        memcpy(text[i], out.data, out.len);
        CHECK(bitmaps[0] >> 5 == (i ? 7 : 0)); /* the caller's own are not touched */
        taco_printer_close(p);
    }
    CHECK(len[0] == len[1] && memcmp(text[0], text[1], len[0]) == 0);
    { /* copied into an Arrow array */
        taco_error err = {0, TACO_OK, 0, {0}};
        taco__mem mem;
        taco__arrow_export x;
        struct ArrowArray out;
        taco__mem_init(&mem, NULL);
        memset(&x, 0, sizeof x);
        x.mem = &mem;
        CHECK(taco__arrow_batch_export(&x, &f, &b, NULL, NULL, &out, &err));
        CHECK(*(const uint8_t *)out.children[0]->buffers[0] == 0x15);
        CHECK(*(const uint8_t *)out.children[0]->buffers[1] == 0x05);
        out.release(&out);
    }
}

static void test_ipc_allocations(void)
{
    mk_buf b = small_file();
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_pq_file *f = open_bytes(&b, NULL, &err);
    taco_pq_reader *r = taco_pq_read(f, NULL, &err);
    taco_batch batch;
    size_t n, k;
    const taco_field *fields = taco_pq_reader_fields(r, &n);
    CHECK(taco_pq_reader_next(r, &batch));
    for (k = 1;; k++) {
        taco_options opt;
        taco_allocator a;
        test_memory c;
        taco_printer *p;
        bool ok;
        memset(&err, 0, sizeof err);
        test_counted(&opt, &a, &c);
        c.fail_at = k;
        p = taco_printer_open(fields, n, TACO_FORMAT_ARROW, &opt, &err);
        ok =
            p && taco_printer_batch(p, &batch, &err).data && taco_printer_batch(p, NULL, &err).data;
        CHECK(ok == (err.code == TACO_OK) && (ok || err.code == TACO_ERR_MEMORY));
        CHECK(!p || p->mem.used == c.live); /* borrowed arrays left nothing charged */
        taco_printer_close(p);
        CHECK(c.live == 0);
        if (c.calls < k) {
            CHECK(ok);
            break;
        }
    }
    CHECK(k > 5);
    taco_pq_reader_close(r, NULL);
    taco_pq_close(f);
    free(b.data);
}

int main(void)
{
    RUN(test_formats);
    RUN(test_nested_schema);
    RUN(test_values);
    RUN(test_moved);
    RUN(test_release_orders);
    RUN(test_arguments);
    RUN(test_errors);
    RUN(test_int96);
    RUN(test_dictionary);
    RUN(test_texts_of_slices);
    RUN(test_absent);
    RUN(test_datasets);
    RUN(test_allocations);
    RUN(test_budget);
    RUN(test_long);
    RUN(test_ipc);
    RUN(test_padding_bits);
    RUN(test_ipc_allocations);
    return test_end("test_arrow");
}
