/* Arrow streams of other libraries as batches: every layout, sliced or not; inconsistent arrays are
   refused; the Arrow schema stored in the file. */
#include "../src/arrow/printer.c"
#include "../src/base/base.h"
#include "../src/parquet/parquet.h"
#include "../src/parquet_write/parquet_write.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"

#include "test.h"

/* ---- streams made by hand ---- */

/* a field and its array; release only notes that it was called */
typedef struct node {
    struct ArrowSchema schema, *schemas[4];
    struct ArrowArray array, *arrays[4];
    const void *buffers[6];
} node;

static int released, broken;

static void drop_schema(struct ArrowSchema *s)
{
    released++;
    s->release = NULL;
}

static void drop_array(struct ArrowArray *a)
{
    released++;
    a->release = NULL;
}

static void make(node *n, const char *format, const char *name, int64_t length, int64_t buffers)
{
    memset(n, 0, sizeof *n);
    n->schema.format = format;
    n->schema.name = name;
    n->schema.flags = ARROW_FLAG_NULLABLE;
    n->schema.children = n->schemas;
    n->schema.release = drop_schema;
    n->array.length = length;
    n->array.null_count = -1;
    n->array.n_buffers = buffers;
    n->array.buffers = n->buffers;
    n->array.children = n->arrays;
    n->array.release = drop_array;
}

static void adopt(node *parent, node *child)
{
    parent->schemas[parent->schema.n_children++] = &child->schema;
    parent->arrays[parent->array.n_children++] = &child->array;
}

typedef struct source {
    node *table;
    int left; /* batches */
} source;

static int give_schema(struct ArrowArrayStream *s, struct ArrowSchema *out)
{
    *out = ((source *)s->private_data)->table->schema;
    return broken == 1 ? 22 : 0;
}

static int give_next(struct ArrowArrayStream *s, struct ArrowArray *out)
{
    source *x = (source *)s->private_data;
    memset(out, 0, sizeof *out);
    if (x->left > 0) {
        x->left--;
        *out = x->table->array;
    }
    return broken == 2 ? 5 : 0;
}

static const char *give_error(struct ArrowArrayStream *s)
{
    (void)s;
    return "no luck";
}

static void drop_stream(struct ArrowArrayStream *s)
{
    released++;
    s->release = NULL;
}

static struct ArrowArrayStream stream_of(source *x, node *table, int batches)
{
    struct ArrowArrayStream s;
    x->table = table;
    x->left = batches;
    s.get_schema = give_schema;
    s.get_next = give_next;
    s.get_last_error = give_error;
    s.release = drop_stream;
    s.private_data = x;
    released = 0;
    return s;
}

static char text[60000];

/* What the stream holds, as NDJSON; the message of the failure behind it. */
static const char *rows_of(node *table, int batches)
{
    source x;
    struct ArrowArrayStream s = stream_of(&x, table, batches);
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_import *in = taco_import_open(&s, NULL, &err);
    size_t n = 0, len = 0;
    const taco_field *fields = taco_import_fields(in, &n);
    taco_printer *p = in ? taco_printer_open(fields, n, TACO_FORMAT_NDJSON, NULL, &err) : NULL;
    taco_batch b;
    CHECK(s.release == NULL);
    while (taco_import_next(in, &b)) {
        taco_bytes t = taco_printer_batch(p, &b, &err);
        if (len + t.len < sizeof text) {
            memcpy(text + len, t.data, t.len);
            len += t.len;
        }
    }
    taco_import_close(in, &err);
    taco_printer_close(p);
    if (err.code) {
        len += (size_t)sprintf(text + len, "%s: %s", taco_status_name(err.code),
                               taco_error_text(&err));
    }
    text[len] = 0;
    return text;
}

/* A table of one column. */
static const char *rows_of_one(node *column, int64_t first, int64_t n)
{
    node table;
    make(&table, "+s", "", n, 1);
    adopt(&table, column);
    table.array.offset = first;
    return rows_of(&table, 1);
}

/* ---- layouts ---- */

static void test_slices(void)
{
    static const int16_t v[5] = {1, -2, 3, 4, 5};
    static const uint8_t valid[1] = {0x1D}; /* 1 0 1 1 1 */
    static const uint8_t bits[2] = {0x35, 1};
    node a, b, table;
    make(&a, "s", "a", 4, 2);
    a.array.offset = 1;
    a.buffers[0] = valid;
    a.buffers[1] = v;
    make(&b, "b", "b", 8, 2);
    b.buffers[1] = bits;
    b.array.offset = 1;
    make(&table, "+s", "", 2, 1);
    adopt(&table, &a);
    adopt(&table, &b);
    CHECK_TEXT(rows_of(&table, 2), "{\"a\":null,\"b\":false}\n{\"a\":3,\"b\":true}\n{\"a\":null,"
                                   "\"b\":false}\n{\"a\":3,\"b\":true}\n");
    CHECK(released == 4);   /* the schema, two batches, the stream */
    table.array.offset = 2; /* on top of the children's own */
    CHECK_TEXT(rows_of(&table, 1), "{\"a\":4,\"b\":false}\n{\"a\":5,\"b\":true}\n");
    table.array.length = 0;
    CHECK_TEXT(rows_of(&table, 3), "");
    table.buffers[0] = valid;
    table.array.offset = 0;
    table.array.length = 2;
    CHECK_TEXT(rows_of(&table, 1),
               "argument: an Arrow array of field '': null rows of the table itself: 1, 0 at most");
}

static void test_text_layouts(void)
{
    static const int64_t wide[4] = {2, 3, 3, 6};
    static const uint8_t bytes[] = "..ab\xC3\xA9";
    static const uint8_t one_valid[1] = {5};
    static uint8_t views[3][16];
    static const int64_t sizes[1] = {20};
    node a;
    int32_t x[4] = {14, 0, 0, 3}, short_length = 2;
    make(&a, "U", "a", 3, 3);
    a.buffers[1] = wide;
    a.buffers[2] = bytes;
    CHECK_TEXT(rows_of_one(&a, 0, 3), "{\"a\":\"a\"}\n{\"a\":\"\"}\n{\"a\":\"b\xC3\xA9\"}\n");
    CHECK_TEXT(rows_of_one(&a, 2, 1), "{\"a\":\"b\xC3\xA9\"}\n");
    make(&a, "vu", "a", 3, 4);
    memcpy(views[0], &short_length, 4); /* as the machine has it */
    memcpy(views[0] + 4, "hi", 2);
    memset(views[1], 0xEE, 16); /* null: may be anything */
    memcpy(views[2], x, 16);
    a.buffers[0] = one_valid;
    a.buffers[1] = views;
    a.buffers[2] = "---a view of 14 bytes";
    a.buffers[3] = sizes;
    CHECK_TEXT(rows_of_one(&a, 0, 3), "{\"a\":\"hi\"}\n{\"a\":null}\n{\"a\":\"a view of 14 b\"}\n");
    x[3] = 7;
    memcpy(views[2], x, 16);
    CHECK_TEXT(rows_of_one(&a, 2, 1),
               "argument: an Arrow array of field 'a': a view to byte 21, 20 at most");
    x[2] = 1;
    memcpy(views[2], x, 16);
    CHECK_TEXT(rows_of_one(&a, 2, 1),
               "argument: an Arrow array of field 'a': a view into buffer 1, 1 at most");
}

static void test_lists(void)
{
    static const int32_t offsets[4] = {1, 3, 3, 4};
    static const int64_t wide[4] = {1, 3, 3, 4};
    static const int32_t v[6] = {9, 10, 20, 30, 40, 50};
    static const uint8_t valid[1] = {5};
    node a, item, pair, key;
    make(&item, "i", "item", 6, 2);
    item.buffers[1] = v;
    make(&a, "+l", "a", 3, 2);
    a.buffers[1] = offsets;
    adopt(&a, &item);
    CHECK_TEXT(rows_of_one(&a, 0, 3), "{\"a\":[10,20]}\n{\"a\":[]}\n{\"a\":[30]}\n");
    CHECK_TEXT(rows_of_one(&a, 1, 2), "{\"a\":[]}\n{\"a\":[30]}\n");
    a.schema.format = "+L";
    a.buffers[1] = wide;
    a.buffers[0] = valid;
    CHECK_TEXT(rows_of_one(&a, 1, 2), "{\"a\":null}\n{\"a\":[30]}\n");
    item.array.length = 3;
    CHECK_TEXT(
        rows_of_one(&a, 1, 2),
        "argument: an Arrow array of field 'item': its parent needs rows up to 4, 3 at most");
    make(&item, "i", "item", 6, 2);
    item.buffers[1] = v;
    make(&a, "+w:2", "a", 3, 1);
    a.buffers[0] = valid;
    adopt(&a, &item);
    CHECK_TEXT(rows_of_one(&a, 0, 3), "{\"a\":[9,10]}\n{\"a\":null}\n{\"a\":[40,50]}\n");
    CHECK_TEXT(rows_of_one(&a, 2, 1), "{\"a\":[40,50]}\n");
    make(&item, "i", "v", 6, 2);
    item.buffers[1] = v;
    make(&key, "i", "k", 6, 2);
    key.buffers[1] = v;
    make(&pair, "+s", "entries", 4, 1);
    pair.array.offset = 1;
    adopt(&pair, &key);
    adopt(&pair, &item);
    make(&a, "+m", "a", 2, 2);
    a.buffers[1] = offsets;
    adopt(&a, &pair);
    CHECK_TEXT(rows_of_one(&a, 0, 1), "{\"a\":[[20,20],[30,30]]}\n");
}

/* Lists that have more items than one batch may come in batches of fewer rows: half as many, until
   they fit; one row that is too large is an error. The items are nulls, which need no memory. */
static void test_too_large(void)
{
    static const int64_t most = INT32_MAX, part = INT64_C(1) << 30;
    int64_t offsets[5];
    static const size_t want[] = {2, 1, 1};
    node a, item, table;
    source x;
    struct ArrowArrayStream s;
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_import *in;
    taco_batch b;
    size_t n = 0;
    offsets[0] = 0;
    offsets[1] = part;
    offsets[2] = most; /* as many as there may be */
    offsets[3] = most + part;
    offsets[4] = most + most + 1;
    make(&item, "n", "item", offsets[4], 0);
    make(&a, "+L", "a", 4, 2);
    a.buffers[1] = offsets;
    adopt(&a, &item);
    make(&table, "+s", "", 4, 1);
    adopt(&table, &a);
    s = stream_of(&x, &table, 1);
    in = taco_import_open(&s, NULL, &err);
    while (taco_import_next(in, &b)) {
        CHECK(n < 3 && b.length == want[n]);
        n++;
    }
    CHECK(n == 3 && taco_import_close(in, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    offsets[1] = most + 1;
    offsets[2] = offsets[3] = offsets[4];
    CHECK(strstr(rows_of_one(&a, 0, 4),
                 "limit: 2147483648 bytes or items in one row, at most 2147483647 are allowed") !=
          NULL);
}

static void test_dictionaries(void)
{
    static const int8_t index[5] = {1, 0, 2, 1, -1};
    static const uint8_t valid[1] = {0x0F}, some[1] = {6};
    static const int32_t offsets[4] = {0, 1, 2, 4};
    static const double d[3] = {0.5, 1.5, 2.5};
    static const uint8_t bits[1] = {2};
    node a, values;
    make(&a, "c", "a", 5, 2);
    make(&values, "u", "", 3, 3);
    a.buffers[0] = valid;
    a.buffers[1] = index;
    a.schema.dictionary = &values.schema;
    a.array.dictionary = &values.array;
    values.buffers[1] = offsets;
    values.buffers[2] = "xyzz";
    CHECK_TEXT(rows_of_one(&a, 1, 4),
               "{\"a\":\"x\"}\n{\"a\":\"zz\"}\n{\"a\":\"y\"}\n{\"a\":null}\n");
    values.buffers[0] = some; /* null is among the values */
    CHECK_TEXT(rows_of_one(&a, 0, 4),
               "{\"a\":\"y\"}\n{\"a\":null}\n{\"a\":\"zz\"}\n{\"a\":\"y\"}\n");
    a.buffers[0] = NULL;
    CHECK_TEXT(rows_of_one(&a, 0, 3), "{\"a\":\"y\"}\n{\"a\":null}\n{\"a\":\"zz\"}\n");
    CHECK_TEXT(rows_of_one(&a, 3, 2), "argument: an Arrow array of field 'a': a dictionary index "
                                      "of 18446744073709551615, 2 at most");
    { /* below a null the index may be anything, of a dictionary without entries, too */
        static const uint8_t second[1] = {2};
        node parent;
        make(&parent, "+s", "p", 2, 1);
        parent.buffers[0] = second;
        values.buffers[0] = NULL;
        adopt(&parent, &a);
        CHECK_TEXT(rows_of_one(&parent, 0, 2), "{\"p\":null}\n{\"p\":{\"a\":\"x\"}}\n");
        values.array.length = 0;
        CHECK_TEXT(rows_of_one(&parent, 0, 1), "{\"p\":null}\n");
        values.array.length = 3;
    }
    make(&values, "g", "", 3, 2);
    values.buffers[1] = d;
    CHECK_TEXT(rows_of_one(&a, 0, 3), "{\"a\":1.5}\n{\"a\":0.5}\n{\"a\":2.5}\n");
    make(&values, "b", "", 3, 2);
    values.buffers[1] = bits;
    CHECK_TEXT(rows_of_one(&a, 0, 2), "{\"a\":true}\n{\"a\":false}\n");
    make(&values, "+s", "", 3, 1);
    CHECK_TEXT(
        rows_of_one(&a, 0, 2),
        "unsupported: unsupported: field 'a' of Arrow format 'c', a dictionary of nested values");
}

static void test_changed_types(void)
{
    static const int64_t days[2] = {-1, 86400000 * INT64_C(3)};
    static const int32_t months[2] = {14, -1}, pair[4] = {3, 1500, 0, -1};
    static int64_t mixed[4], dec64[2] = {-12345, 7};
    static uint64_t dec128[4];
    static const int32_t head[4] = {1, 2, 5, 6};
    const uint16_t one = 1;
    const size_t low = *(const uint8_t *)&one ? 0 : 1; /* which half comes first */
    node a;
    dec128[low] = (uint64_t)-12345;
    dec128[1 - low] = UINT64_MAX;
    dec128[2 + low] = 7;
    make(&a, "tdm", "a", 2, 2);
    a.buffers[1] = days;
    CHECK_TEXT(rows_of_one(&a, 0, 2), "{\"a\":\"1969-12-31\"}\n{\"a\":\"1970-01-04\"}\n");
    make(&a, "tDu", "a", 2, 2);
    a.buffers[1] = days;
    CHECK_TEXT(rows_of_one(&a, 0, 1), "{\"a\":-1}\n");
    make(&a, "d:9,2,64", "a", 2, 2);
    a.buffers[1] = dec64;
    CHECK_TEXT(rows_of_one(&a, 0, 2), "{\"a\":\"-123.45\"}\n{\"a\":\"0.07\"}\n");
    make(&a, "d:12,2,128", "a", 2, 2);
    a.buffers[1] = dec128;
    CHECK_TEXT(rows_of_one(&a, 0, 2), "{\"a\":\"-123.45\"}\n{\"a\":\"0.07\"}\n");
    make(&a, "tiM", "a", 2, 2);
    a.buffers[1] = months;
    CHECK_TEXT(rows_of_one(&a, 0, 1), "{\"a\":\"0e0000000000000000000000\"}\n");
    CHECK(strstr(rows_of_one(&a, 1, 1), "an interval below zero") != NULL);
    make(&a, "tiD", "a", 2, 2);
    a.buffers[1] = pair;
    CHECK_TEXT(rows_of_one(&a, 0, 1), "{\"a\":\"0000000003000000dc050000\"}\n");
    CHECK(strstr(rows_of_one(&a, 1, 1), "an interval below zero") != NULL);
    memcpy(mixed, head, 8);
    mixed[1] = 5000000;
    memcpy(mixed + 2, head + 2, 8);
    mixed[3] = 5000001;
    make(&a, "tin", "a", 2, 2);
    a.buffers[1] = mixed;
    CHECK_TEXT(rows_of_one(&a, 0, 1), "{\"a\":\"010000000200000005000000\"}\n");
    CHECK(strstr(rows_of_one(&a, 1, 1), "not of whole milliseconds") != NULL);
}

/* ---- refusals ---- */

static void test_formats(void)
{
    static const char *const bad[] = {
        "",    "x",       "+vl", "+r", "+ud:0", "d:", "d:3", "d:3,-1", "d:3,1,96",     "w:", "w:x",
        "tdX", "tsq:UTC", "tss", "+w", "ii",    "vx", "tDq", "+l:",    "w:99999999999"};
    size_t i;
    node a;
    for (i = 0; i < TACO__COUNT(bad); i++) {
        make(&a, bad[i], "a", 0, 2);
        CHECK(strncmp(rows_of_one(&a, 0, 0), "unsupported: unsupported: field 'a' of Arrow format",
                      50) == 0);
    }
    make(&a, "+l", "a", 0, 2); /* no child */
    CHECK_TEXT(rows_of_one(&a, 0, 0), "unsupported: unsupported: field 'a' of Arrow format '+l', "
                                      "which has other children than it must");
    make(&a, "+s", "a", 0, 2);
    a.schema.n_children = 0xFFFFFFFF; /* one more of them wraps where sizes have 32 bits */
    CHECK_TEXT(rows_of_one(&a, 0, 0), "unsupported: unsupported: field 'a' of Arrow format '+s', "
                                      "which has more children than are allowed");
    make(&a, "i", "a", 1, 2);
    CHECK_TEXT(rows_of_one(&a, 0, 1),
               "argument: an Arrow array of field 'a': no buffer for rows: 1, 0 at most");
    a.array.n_buffers = 1;
    CHECK_TEXT(rows_of_one(&a, 0, 1),
               "argument: an Arrow array of field 'a': number of buffers 1, 2 at most");
    a.array.n_buffers = 2;
    a.array.offset = INT64_MAX;
    CHECK(strstr(rows_of_one(&a, 0, 1), "offset and length below zero or beyond") != NULL);
    a.array.offset = -1;
    CHECK(strstr(rows_of_one(&a, 0, 1), "offset and length below zero or beyond") != NULL);
}

/* Formats that end early, or go on; schemas without names and children; values at odd addresses. */
static void test_cut_formats(void)
{
    static const char *const formats[] = {
        "d:10,2,256", "d:x", "d:10,x", "w:3", "+w:2", "vu", "vz", "tdD", "tts", "tsn:UTC", "tiM",
        "tiD",        "tin", "tDu",    "+s",  "+l",   "+L", "+m", "u",   "b",   "i"};
    static const uint8_t zeros[64];
    char format[16];
    size_t i, n, more, refused = 0, points = 0;
    node a;
    for (i = 0; i < TACO__COUNT(formats); i++) {
        for (n = 0; n <= strlen(formats[i]); n++) {
            for (more = 0; more < 4; more++) {
                memcpy(format, formats[i], n);
                format[n] = "\0x:,"[more];
                format[n + 1] = 0;
                make(&a, format, more == 3 ? NULL : "a", 0, 2);
                a.schema.n_children = more == 2 ? -1 : (int64_t)more;
                if (n == 0) { a.schema.children = NULL; }
                rows_of_one(&a, 0, 0);
                refused += text[0] != 0;
                points++;
            }
        }
    }
    CHECK(refused > points / 2 && refused < points);
    make(&a, NULL, "a", 0, 2);
    CHECK(strncmp(rows_of_one(&a, 0, 0), "unsupported", 11) == 0);
    make(&a, "l", "a", 2, 2); /* copied, where numbers are not at their places */
    a.buffers[1] = zeros + 1;
    CHECK_TEXT(rows_of_one(&a, 0, 2), "{\"a\":0}\n{\"a\":0}\n");
    {
        struct ArrowArrayStream s;
        source x;
        node table;
        make(&table, "+s", "", 0, 1);
        s = stream_of(&x, &table, 0);
        CHECK(taco_pq_writer_stream(NULL, &s) == TACO_ERR_ARGUMENT && !s.release);
        CHECK(taco_pq_writer_stream(NULL, NULL) == TACO_ERR_ARGUMENT);
        CHECK(taco_pq_writer_batch(NULL, NULL) == TACO_ERR_ARGUMENT);
        CHECK(taco_pq_writer_flush(NULL) == TACO_ERR_ARGUMENT);
        CHECK(taco_pq_write_stream(NULL, &s, NULL, NULL) != TACO_OK);
    }
}

/* Each format with numbers of rows, buffers and children that do not fit it, and with buffers that
   are missing, of zeros or of ones: rows, or an error that says what is wrong. */
static void test_numbers_of_arrays(void)
{
    static const char *const formats[] = {
        "n",          "b",   "c",   "C",   "s",   "S",   "i",   "I",   "l",    "L",
        "e",          "f",   "g",   "z",   "Z",   "u",   "U",   "vu",  "vz",   "d:10,2",
        "d:70,2,256", "w:3", "tdD", "tdm", "tts", "ttm", "ttu", "ttn", "tsu:", "tsn:UTC",
        "tiM",        "tiD", "tin", "tDu", "+s",  "+l",  "+L",  "+m",  "+w:2", "+vl"};
    static const int64_t numbers[] = {0, 1, 2, 3, 4, -1, -2, INT64_MIN, INT64_MAX, 5};
    static const uint8_t zeros[256],
        ones[256] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                     255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                     255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                     255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
                     255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    size_t i, k, what, fill, errors = 0, points = 0;
    for (i = 0; i < TACO__COUNT(formats); i++) {
        const char *f = formats[i];
        int64_t usual = strchr("nb", f[0])     ? f[0] == 'b' ? 2 : 0
                        : f[0] == '+'          ? f[1] == 's' || f[1] == 'w' ? 1
                                                 : f[1] == 'v'              ? 3
                                                                            : 2
                        : f[0] == 'v'          ? 3
                        : strchr("zZuU", f[0]) ? 3
                                               : 2;
        for (what = 0; what < 8; what++) {
            for (k = 0; k < TACO__COUNT(numbers); k++) {
                for (fill = 0; fill < 3; fill++) {
                    node a, child, key, dictionary;
                    size_t b;
                    make(&a, f, "a", 2, usual);
                    make(&child, strcmp(f, "+m") == 0 ? "+s" : "i", "child", 4, 2);
                    make(&key, "u", "key", 4, 3);
                    make(&dictionary, "u", "words", 1, 3);
                    for (b = 0; b < 3; b++) {
                        a.buffers[b] = fill == 1 ? ones : fill == 2 && b == 1 ? ones : zeros;
                        child.buffers[b] = key.buffers[b] = dictionary.buffers[b] = zeros;
                    }
                    if (fill) { a.buffers[0] = NULL; }
                    if (f[0] == '+') {
                        if (strcmp(f, "+m") == 0) {
                            adopt(&child, &key);
                            adopt(&child, &dictionary);
                            dictionary.array.length = 4;
                        }
                        adopt(&a, &child);
                    }
                    switch (what) {
                    case 0: a.array.length = numbers[k] > 2 ? 2 : numbers[k]; break;
                    case 1: a.array.offset = numbers[k]; break;
                    case 2: a.array.null_count = numbers[k]; break;
                    case 3: a.array.n_buffers = numbers[k] > 3 ? 2 : numbers[k]; break;
                    case 4: a.array.n_children = numbers[k] > 1 ? 0 : numbers[k]; break;
                    case 5: a.buffers[k % 3] = NULL; break;
                    case 6:
                        if (k == 0) { a.array.buffers = NULL; }
                        if (k == 1) { a.array.children = NULL; }
                        if (k == 2) { a.arrays[0] = NULL; }
                        if (k == 3) { a.array.dictionary = &dictionary.array; }
                        break;
                    default:
                        a.schema.dictionary = &dictionary.schema;
                        a.array.dictionary = k ? &dictionary.array : NULL;
                        dictionary.array.length = k > 5 ? numbers[k] < 0 ? numbers[k] : 0 : 1;
                        dictionary.array.n_buffers = k == 2 ? 2 : 3;
                        dictionary.array.null_count = k == 3 ? 1 : 0;
                        break;
                    }
                    rows_of_one(&a, 0, 2);
                    errors += strstr(text, "argument") || strstr(text, "unsupported");
                    points++;
                }
            }
        }
    }
    CHECK(errors > points / 4 && errors < points);
    printf("%u of %u arrays refused\n", (unsigned)errors, (unsigned)points);
}

/* Which types Parquet does not say all of, so that the Arrow schema goes into the file. */
static void test_hints(void)
{
    static const int32_t pair[] = {1, 0, 0}; /* a key and a value of no bytes */

    static const struct {
        const char *format;
        bool needed;
    } types[] = {{"d:10,2", false},     {"d:10,2,256", true},
                 {"d:70,2,256", false}, {"tdD", false},
                 {"tdm", true},         {"ttm", false},
                 {"tts", true},         {"tsu:", false},
                 {"tsu:UTC", false},    {"tsn:Europe/Madrid", true},
                 {"tss:", true},        {"tDu", true},
                 {"u", false},          {"U", true},
                 {"vu", true},          {"i", true}};

    size_t i;
    for (i = 0; i < TACO__COUNT(types); i++) {
        taco_error err = {0, TACO_OK, 0, {0}};
        node a, table;
        source x;
        struct ArrowArrayStream s;
        taco_sink sink;
        taco_source src;
        taco_pq_file *file;
        make(&a, types[i].format, "a", 0, 2);
        if (*types[i].format == 'i') { a.schema.metadata = (const char *)pair; }
        make(&table, "+s", "", 0, 1);
        adopt(&table, &a);
        s = stream_of(&x, &table, 0);
        CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
        CHECK(taco_pq_write_stream(&sink, &s, NULL, &err) == TACO_OK);
        CHECK_TEXT(err.text, "");
        taco_source_memory(&src, taco_sink_bytes(&sink).data, taco_sink_bytes(&sink).len);
        file = taco_pq_open_source(&src, "f", NULL, &err);
        CHECK((taco_pq_key_value(file, "ARROW:schema").len != 0) == types[i].needed);
        if ((taco_pq_key_value(file, "ARROW:schema").len != 0) != types[i].needed) {
            printf("%s\n", types[i].format);
        }
        taco_pq_close(file);
        taco_sink_free(&sink);
    }
}

/* Sixteen bytes are a UUID where the extension type says so; lists of a fixed size that are too many
   in a batch are tried with fewer rows. */
static void test_extensions(void)
{
    static const char name[] = "ARROW:extension:name", uuid[] = "arrow.uuid";
    static const int32_t one = 1, name_len = sizeof name - 1, uuid_len = sizeof uuid - 1;
    char meta[64];
    int round;
    node a, table, item;
    for (round = 0; round < 2; round++) {
        char *p = meta;
        source x;
        struct ArrowArrayStream s;
        taco_error err = {0, TACO_OK, 0, {0}};
        taco_import *in;
        const taco_field *f;
        size_t n;
        memcpy(p, &one, 4), p += 4;
        memcpy(p, &name_len, 4), p += 4;
        memcpy(p, name, sizeof name - 1), p += sizeof name - 1;
        memcpy(p, &uuid_len, 4), p += 4;
        memcpy(p, round ? "other.uuid" : uuid, sizeof uuid - 1);
        make(&a, "w:16", "a", 0, 2);
        a.schema.metadata = meta;
        make(&table, "+s", "", 0, 1);
        adopt(&table, &a);
        s = stream_of(&x, &table, 0);
        in = taco_import_open(&s, NULL, &err);
        f = taco_import_fields(in, &n);
        CHECK(n == 1 && f[0].type == (round ? TACO_FIXED : TACO_UUID) && f[0].width == 16);
        taco_import_close(in, &err);
        CHECK_TEXT(err.text, "");
    }
    make(&item, "c", "item", 0, 2);
    make(&a, "+w:999999999", "a", 3, 1);
    adopt(&a, &item);
    CHECK(strstr(rows_of_one(&a, 0, 3), "its parent needs rows up to") != NULL);
}

static void test_broken_streams(void)
{
    static const int32_t down[3] = {4, 2, 3}, v[2] = {1, 2};
    node a;
    struct ArrowArrayStream none;
    taco_error err = {0, TACO_OK, 0, {0}};
    make(&a, "u", "a", 2, 3);
    a.buffers[1] = down;
    a.buffers[2] = "abcd";
    CHECK_TEXT(rows_of_one(&a, 0, 2),
               "argument: an Arrow array of field 'a': offsets that descend, to 2, 4 at most");
    make(&a, "i", "a", 2, 2);
    a.buffers[1] = v;
    broken = 1;
    CHECK_TEXT(rows_of_one(&a, 0, 2),
               "io: the schema of an Arrow stream failed with code 22: 'no luck'");
    broken = 2;
    CHECK_TEXT(rows_of_one(&a, 0, 2),
               "io: the next batch of an Arrow stream failed with code 5: 'no luck'");
    broken = 0;
    memset(&none, 0, sizeof none);
    CHECK(taco_import_open(&none, NULL, &err) == NULL && err.code == TACO_ERR_ARGUMENT);
    CHECK(!taco_import_next(NULL, NULL) && taco_import_close(NULL, NULL) == TACO_OK);
}

/* ---- to Parquet ---- */

static void test_written(void)
{
    static const int64_t wide[3] = {0, 1, 3}, t[2] = {1, 2};
    static const int8_t index[2] = {0, 0};
    static const int32_t offsets[2] = {0, 1};
    static const char meta[] = "\1\0\0\0\2\0\0\0me\3\0\0\0you",
                      swapped[] = "\0\0\0\1\0\0\0\2me\0\0\0\3you";
    node a, b, c, values, table;
    source x;
    struct ArrowArrayStream s;
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_sink sink;
    taco_source src;
    taco_pq_file *file;
    taco_pq_write_options o;
    taco_bytes hint;
    taco_pq_writer *w;
    int round;
    make(&a, "U", "a", 2, 3);
    a.buffers[1] = wide;
    a.buffers[2] = "xyz";
    make(&b, "tss:Europe/Madrid", "b", 2, 2);
    b.buffers[1] = t;
    make(&c, "c", "c", 2, 2);
    make(&values, "u", "", 1, 3);
    c.buffers[1] = index;
    c.schema.dictionary = &values.schema;
    c.array.dictionary = &values.array;
    values.buffers[1] = offsets;
    values.buffers[2] = "v";
    memset(&o, 0, sizeof o);
    o.encoding = TACO_ENCODING_DELTA_BYTES; /* not of what Arrow has as a dictionary */
    for (round = 0; round < 2; round++) {
        make(&table, "+s", "", 2, 1);
        adopt(&table, &a);
        adopt(&table, &b);
        adopt(&table, &c);
        table.schema.metadata = TACO__BIG_ENDIAN ? swapped : meta;
        o.arrow_schema = round ? TACO_HINT_NEVER : TACO_HINT_NEEDED;
        s = stream_of(&x, &table, 2);
        CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
        CHECK(taco_pq_write_stream(&sink, &s, &o, &err) == TACO_OK && released == 4);
        taco_source_memory(&src, taco_sink_bytes(&sink).data, taco_sink_bytes(&sink).len);
        file = taco_pq_open_source(&src, "f", NULL, &err);
        CHECK(taco_pq_rows(file) == 4);
        hint = taco_pq_key_value(file, "ARROW:schema");
        CHECK((hint.len > 100) == !round && (round || memcmp(hint.data, "/////", 5) == 0));
        CHECK(taco__bytes_equal(taco_pq_key_value(file, "me"), taco__bytes_text("you")));
        if (file) {
            CHECK(!!(file->meta.groups[0].chunks[2].encodings &
                     (uint32_t)1 << TACO__PQ_ENC_DELTA_BYTE_ARRAY) == !!round);
        }
        taco_pq_close(file);
        taco_sink_free(&sink);
    }
    s = stream_of(&x, &table, 1); /* rows of other types than declared */
    CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
    {
        taco_field f;
        memset(&f, 0, sizeof f);
        f.name = "a";
        f.type = TACO_INT32;
        f.width = 4;
        w = taco_pq_write(&sink, &f, 1, NULL, &err);
    }
    CHECK(taco_pq_writer_stream(w, &s) == TACO_ERR_ARGUMENT && !s.release && released == 3);
    CHECK(taco_pq_writer_close(w, NULL) == TACO_ERR_ARGUMENT);
    taco_sink_free(&sink);
    CHECK_TEXT(taco_error_text(&err), "");
}

/* Keys of a map are never null: maps of the Arrow type null have none (Schema.fbs, Map). */
static void test_null_keys(void)
{
    static const int32_t none[3] = {0, 0, 0}, one[3] = {0, 1, 1};
    node key, value, pair, map, table;
    source x;
    struct ArrowArrayStream s;
    taco_error err;
    taco_sink sink;
    int full;
    for (full = 0; full < 2; full++) {
        memset(&err, 0, sizeof err);
        make(&key, "n", "k", 1, 0);
        make(&value, "n", "v", 1, 0);
        make(&pair, "+s", "entries", 1, 1);
        adopt(&pair, &key);
        adopt(&pair, &value);
        make(&map, "+m", "m", 2, 2);
        map.buffers[1] = full ? one : none;
        adopt(&map, &pair);
        make(&table, "+s", "", 2, 1);
        adopt(&table, &map);
        s = stream_of(&x, &table, 1);
        CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
        CHECK(taco_pq_write_stream(&sink, &s, NULL, &err) == (full ? TACO_ERR_ARGUMENT : TACO_OK));
        CHECK_TEXT(taco_error_text(&err),
                   full ? "column 'm': null in field 'k', which is not nullable" : "");
        taco_sink_free(&sink);
    }
}

/* An allocator that fails once. */
typedef struct failing {
    size_t calls, fail;
    int64_t live;
} failing;

static void *fail_resize(void *ctx, void *p, size_t old, size_t size)
{
    failing *x = (failing *)ctx;
    void *q = NULL;
    if (size == 0) {
        free(p);
    } else if (++x->calls == x->fail || (q = realloc(p, size)) == NULL) {
        return NULL;
    }
    x->live += (int64_t)size - (int64_t)old;
    return q;
}

static void test_no_memory(void)
{
    static const int32_t offsets[4] = {0, 21, 21, 42};
    static const uint8_t valid[1] = {5};
    static const uint8_t points[] = "\1\1\0\0\0\0\0\0\0\0\0\360\77\0\0\0\0\0\0\0\100\1\1\0\0\0\0\0"
                                    "\0\0\0\0\360\77\0\0\0\0\0\0\0\100";
    static const int64_t wide[4] = {0, 1, 1, 3};
    static const int8_t index[3] = {0, 1, 0};
    static const double d[2] = {1, 2};
    node g, list, item, coded, values, table;
    failing x;
    taco_allocator a;
    taco_options opt;
    taco_pq_geometry geo = {"g", "null", "bbox", false};
    taco_pq_write_options o;
    size_t total = 0, i;
    memset(&opt, 0, sizeof opt);
    memset(&o, 0, sizeof o);
    a.ctx = &x;
    a.resize = fail_resize;
    opt.allocator = &a;
    o.options = &opt;
    o.geometries = &geo;
    o.geometry_count = 1;
    o.bloom = true;
    o.codec = TACO_CODEC_ZSTD;
    for (i = 0; i <= total; i++) {
        source src;
        struct ArrowArrayStream s;
        taco_sink sink;
        taco_error err = {0, TACO_OK, 0, {0}};
        make(&table, "+s", "", 3, 1);
        make(&g, "z", "g", 3, 3);
        g.buffers[0] = valid;
        g.buffers[1] = offsets;
        g.buffers[2] = points;
        make(&list, "+L", "l", 3, 2);
        list.buffers[1] = wide;
        make(&item, "g", "item", 3, 2);
        item.buffers[1] = d;
        make(&item, "b", "item", 3, 2);
        item.buffers[1] = valid;
        adopt(&list, &item);
        make(&coded, "c", "c", 3, 2);
        coded.buffers[1] = index;
        make(&values, "g", "", 2, 2);
        values.buffers[1] = d;
        coded.schema.dictionary = &values.schema;
        coded.array.dictionary = &values.array;
        adopt(&table, &g);
        adopt(&table, &list);
        adopt(&table, &coded);
        s = stream_of(&src, &table, 2);
        memset(&x, 0, sizeof x);
        x.fail = i;
        CHECK(taco_sink_memory(&sink, NULL, NULL) == TACO_OK);
        taco_pq_write_stream(&sink, &s, &o, &err);
        CHECK(err.code == (i ? TACO_ERR_MEMORY : TACO_OK) && x.live == 0 && s.release == NULL);
        CHECK(taco_sink_bytes(&sink).len > 0 ? i == 0 : i > 0);
        taco_sink_free(&sink);
        total = i ? total : x.calls;
    }
    CHECK(total > 50);
}

int main(void)
{
    RUN(test_slices);
    RUN(test_text_layouts);
    RUN(test_lists);
    RUN(test_too_large);
    RUN(test_dictionaries);
    RUN(test_changed_types);
    RUN(test_formats);
    RUN(test_cut_formats);
    RUN(test_numbers_of_arrays);
    RUN(test_hints);
    RUN(test_extensions);
    RUN(test_broken_streams);
    RUN(test_written);
    RUN(test_null_keys);
    RUN(test_no_memory);
    return test_end("test_import");
}
