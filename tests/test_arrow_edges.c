/* Arrays, cells and Arrow's formats at their edges: no room at any byte of a text, no memory for any
   buffer, formats and fields that no reader of ours makes. */
#include "test.h"

#include "../src/arrow/printer.c"
#include "../src/arrow/ipc_write.c"
#include "../src/arrow/cell_text.c"
#include "../src/base/base.h"
#include "../taco_parquet.h"

#include "alloc.h"
#include "room.h"

static uint64_t seed = 1;

static uint32_t any(uint32_t n) /* 0 .. n - 1 */
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % n;
}

#include "batches.h"

/* ---- rows of every type ---- */

enum { ROWS = 3 };

static taco_field fields[100];
static taco_array arrays[100];
static taco_batch batch;

static void make_batch(void)
{
    size_t i, n = all_fields(fields);
    for (i = 0; i < n; i++) {
        arrays[i] = fill(&fields[i], ROWS);
        if (fields[i].type == TACO_INT96) { /* days that 64 bits have */
            uint8_t *p = (uint8_t *)keep(ROWS * 12);
            size_t k;
            for (k = 0; k < ROWS; k++) {
                taco__put_le32(p + k * 12 + 8, 2440588);
            }
            arrays[i].v.any = p;
        }
    }
    memset(&batch, 0, sizeof batch);
    batch.columns = arrays;
    batch.column_count = n;
    batch.length = ROWS;
}

static bool add_json(taco__buf *out, const void *what, taco_error *e)
{
    return taco__cell_json_row(out, &batch, *(const size_t *)what, NULL, e);
}

static bool add_csv(taco__buf *out, const void *what, taco_error *e)
{
    return taco__cell_csv(out, (const taco_array *)what, 0, e) &&
           taco__buf_append_char(out, ',', e);
}

static bool add_plain(taco__buf *out, const void *what, taco_error *e)
{
    return taco__cell_plain(out, (const taco_array *)what, 0, e) &&
           taco__buf_append_char(out, ' ', e);
}

static bool add_name(taco__buf *out, const void *what, taco_error *e)
{
    return taco__cell_plain_name(out, taco__bytes_text((const char *)what), e);
}

static bool add_csv_name(taco__buf *out, const void *what, taco_error *e)
{
    return taco__cell_csv_name(out, taco__bytes_text((const char *)what), e);
}

static bool add_type(taco__buf *out, const void *what, taco_error *e)
{
    return taco__type_name_append((const taco_field *)what, out, e);
}

static bool add_pair(taco__buf *out, const void *what, taco_error *e)
{
    return taco__arrow_append_pair(out, taco__bytes_text("key"),
                                   taco__bytes_text((const char *)what), e);
}

static bool add_schema(taco__buf *out, const void *what, taco_error *e)
{
    return taco__ipc_schema(out, (const taco_field *)what, batch.column_count, true, false, e);
}

static bool add_end(taco__buf *out, const void *what, taco_error *e)
{
    (void)what;
    return taco__ipc_end_stream(out, e);
}

static bool add_rows(taco__buf *out, const void *what, taco_error *e)
{
    return taco__ipc_batch(out, fields, (const taco_batch *)what, e);
}

static void test_room(void)
{
    size_t i;
    taco_batch few;
    make_batch();
    for (i = 0; i < ROWS; i++) {
        every_room(add_json, &i);
    }
    for (i = 0; i < batch.column_count; i++) {
        every_room(add_csv, &arrays[i]);
        every_room(add_plain, &arrays[i]);
        every_room(add_type, &fields[i]);
    }
    every_room(add_name, "a\nb\x7F");
    every_room(add_csv_name, "a \"b\"");
    every_room(add_pair, "value");
    every_room(add_schema, fields);
    every_room(add_end, NULL);
    few = batch;
    few.column_count = 12;
    every_room(add_rows, &few);
    forget();
}

/* ---- a printer ---- */

/* Prints with every room in the printer's buffers and no memory beyond. */
static void print_little(taco_format format, const taco_batch *b, size_t step)
{
    taco_error e;
    taco_printer *p;
    taco_bytes whole, t;
    size_t room, cap, tried = 0;
    uint8_t *copy;
    memset(&e, 0, sizeof e);
    p = taco_printer_open(fields, b->column_count, format, NULL, &e);
    p->mem = mem;
    whole = taco_printer_batch(p, b, &e); /* buffers have their size */
    CHECK_TEXT(e.text, "");
    p->begun = false;
    whole = taco_printer_batch(p, b, &e);
    CHECK(whole.len > 0);
    copy = (uint8_t *)malloc(whole.len);
    memcpy(copy, whole.data, whole.len);
    cap = p->out.cap;
    for (room = 0; room < whole.len; room += step) {
        memset(&e, 0, sizeof e);
        p->out.cap = room;
        p->begun = false;
        refused_from = format == TACO_FORMAT_ARROW ? room : 1;
        t = taco_printer_batch(p, b, &e);
        refused_from = SIZE_MAX;
        CHECK(t.data == NULL && e.code == TACO_ERR_MEMORY);
        CHECK(p->out.cap == room);
        tried++;
    }
    p->out.cap = cap;
    p->begun = false;
    memset(&e, 0, sizeof e);
    t = taco_printer_batch(p, b, &e);
    CHECK(tried > 0 && t.len == whole.len && memcmp(t.data, copy, t.len) == 0);
    free(copy);
    taco_printer_close(p);
}

static void test_printer_room(void)
{
    static const char wide[] = "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
                               "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
                               "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
                               "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
                               "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
                               "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
                               "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
                               "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9";
    static const int32_t ends[] = {0, sizeof wide - 1, sizeof wide + 1};
    static char two[sizeof wide + 2];
    taco_batch b;
    taco_array a[2];
    make_batch();
    b = batch;
    b.column_count = 9;
    print_little(TACO_FORMAT_NDJSON, &b, 1);
    print_little(TACO_FORMAT_CSV, &b, 1);
    print_little(TACO_FORMAT_CSV_CRLF, &b, 1);
    print_little(TACO_FORMAT_TABLE, &b, 1);
    b.columns = arrays + 52; /* text, which is not null */
    b.column_count = 1;
    print_little(TACO_FORMAT_LINES, &b, 1);
    b.columns = arrays + 8;
    print_little(TACO_FORMAT_LINES, &b, 1);
    /* a cell that is wider than its column is cut after a whole character */
    memcpy(two, wide, sizeof wide);
    fields[0] = taco__field_make("t", TACO_TEXT);
    fields[1] = fields[0];
    memset(a, 0, sizeof a);
    a[0].field = a[1].field = &fields[0];
    a[0].length = a[1].length = b.length = 2;
    a[0].offsets = a[1].offsets = ends;
    a[0].v.any = a[1].v.any = two;
    b.columns = a;
    b.column_count = 2;
    print_little(TACO_FORMAT_TABLE, &b, 1);
    forget();
}

static void test_printer_cells(void)
{
    static const int32_t none[] = {0, 0};
    taco_field f = taco__field_make("t", TACO_TEXT);
    taco_array a, d;
    taco_batch b;
    taco_error e;
    taco_printer *p;
    taco_bytes t;
    static const int32_t idx[] = {0, 0}, ends[] = {0, 3};
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    memset(&e, 0, sizeof e);
    a.field = &f;
    a.length = 1;
    a.offsets = none;
    p = taco_printer_open(&f, 1, TACO_FORMAT_LINES, NULL, &e);
    p->mem = mem;
    CHECK(taco_printer_cell(p, NULL, 0, &e).data == NULL);
    CHECK(taco_printer_cell(NULL, &a, 0, &e).data == NULL);
    t = taco_printer_cell(p, &a, 0, &e); /* nothing, which is not a failure */
    CHECK(t.data != NULL && t.len == 0);
    a.v.any = "abc";
    a.offsets = ends;
    refused_from = 1;
    CHECK(taco_printer_cell(p, &a, 0, &e).data == NULL && e.code == TACO_ERR_MEMORY);
    refused_from = SIZE_MAX;
    memset(&e, 0, sizeof e);
    t = taco_printer_cell(p, &a, 0, &e);
    CHECK(t.len == 3 && memcmp(t.data, "abc", 3) == 0);
    /* lines of a dictionary */
    d = a;
    memset(&a, 0, sizeof a);
    a.field = &f;
    a.length = b.length = 2;
    a.dictionary = &d;
    a.v.any = idx;
    b.columns = &a;
    b.column_count = 1;
    t = taco_printer_batch(p, &b, &e);
    CHECK(t.len == 8 && memcmp(t.data, "abc\nabc\n", 8) == 0);
    taco_printer_close(p);
    CHECK_TEXT(e.text, "");
}

/* Characters that move the cursor or hide others are written as escapes. */
static void test_unprintable(void)
{
    static const struct {
        const char *text, *shown;
    } t[] = {{"\xE2\x80\x8A", "\xE2\x80\x8A"}, {"\xE2\x80\x8B", "\\u200b"},
             {"\xE2\x80\x8C", "\xE2\x80\x8C"}, {"\xE2\x80\x8D", "\xE2\x80\x8D"},
             {"\xE2\x80\x8E", "\\u200e"},      {"\xE2\x80\x8F", "\\u200f"},
             {"\xE2\x80\x90", "\xE2\x80\x90"}, {"\xE2\x80\xA7", "\xE2\x80\xA7"},
             {"\xE2\x80\xA8", "\\u2028"},      {"\xE2\x80\xAE", "\\u202e"},
             {"\xE2\x80\xAF", "\xE2\x80\xAF"}, {"\xE2\x81\x9F", "\xE2\x81\x9F"},
             {"\xE2\x81\xA0", "\\u2060"},      {"\xE2\x81\xAF", "\\u206f"},
             {"\xE2\x81\xB0", "\xE2\x81\xB0"}, {"\xE2\x82\xA0", "\xE2\x82\xA0"},
             {"\xEF\xBB\xBF", "\\ufeff"},      {"\xEF\xBB\xBE", "\xEF\xBB\xBE"},
             {"\xEF\xBC\xBF", "\xEF\xBC\xBF"}, {"\xEE\xBB\xBF", "\xEE\xBB\xBF"},
             {"\xC2\x9F", "\\u009f"},          {"\xC2\xA0", "\xC2\xA0"},
             {"\xC3\x80", "\xC3\x80"},         {"\xF0\x9F\x8C\x8D", "\xF0\x9F\x8C\x8D"}};

    taco__buf out;
    taco_error e;
    size_t i;
    memset(&out, 0, sizeof out);
    memset(&e, 0, sizeof e);
    out.mem = &mem;
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        out.len = 0;
        CHECK(taco__cell_plain_name(&out, taco__bytes_text(t[i].text), &e));
        CHECK(taco__buf_append_char(&out, 0, &e));
        CHECK_TEXT((const char *)out.data, t[i].shown);
    }
    taco__buf_free(&out);
}

/* ---- formats of the C data interface ---- */

static void test_formats(void)
{
    static const struct {
        const char *format;
        unsigned type; /* its number in Arrow's Schema.fbs */
    } t[] = {{"n", 1},        {"b", 6},    {"c", 2},   {"C", 2},     {"L", 2},
             {"e", 3},        {"g", 3},    {"z", 4},   {"u", 5},     {"U", 20},
             {"Z", 19},       {"vz", 23},  {"vu", 24}, {"d:5,2", 7}, {"d:5,-2,256", 7},
             {"d:5,2,64", 7}, {"w:7", 15}, {"tdD", 8}, {"tdm", 8},   {"tts", 9},
             {"ttm", 9},      {"ttu", 9},  {"ttn", 9}, {"tss:", 10}, {"tsn:UTC", 10},
             {"ts", 10},      {"tss", 10}, {"t", 10},  {"tDs", 18},  {"tiM", 11},
             {"tiD", 11},     {"tin", 11}, {"+l", 12}, {"+L", 21},   {"+w:3", 16},
             {"+s", 13},      {"+m", 17}};
    struct ArrowSchema s;
    taco__ipc_writer w;
    taco__buf out[64];
    taco_error e;
    size_t i, k;
    memset(&s, 0, sizeof s);
    memset(&e, 0, sizeof e);
    memset(out, 0, sizeof out);
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        memset(&w, 0, sizeof w);
        out[i].mem = &mem;
        w.out = &out[i];
        w.ok = true;
        w.err = &e;
        CHECK(taco__buf_append(&out[i], "\0\0\0\0\0\0\0\0", 8, &e));
        CHECK(taco__ipc_type(&w, &s, t[i].format, 4) == t[i].type);
        CHECK(w.ok && out[i].len > 8);
        for (k = 0; k < i; k++) { /* a table says all that its format does */
            bool same =
                out[k].len == out[i].len && memcmp(out[k].data, out[i].data, out[i].len) == 0;
            CHECK(t[i].type != t[k].type || !same || strncmp(t[i].format, "ts", 2) == 0 ||
                  strcmp(t[i].format, "t") == 0);
        }
    }
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        taco__buf_free(&out[i]);
    }
    CHECK_TEXT(e.text, "");
}

static void schema_child(struct ArrowSchema *s, const char *format, int64_t flags,
                         struct ArrowSchema **children, int64_t n)
{
    memset(s, 0, sizeof *s);
    s->format = format;
    s->flags = flags;
    s->children = children;
    s->n_children = n;
}

/* A caller's schema: names that are missing, metadata that ends early, fixed-size lists in structs. */
static void test_caller_schema(void)
{
    struct ArrowSchema root, item, list, record, *below[1], *above[1], *top[1];
    taco__buf out[4];
    taco_error e;
    size_t i;
    static const int32_t pair[] = {1, 1, 0x00000061, -1}, none[] = {0}, minus[] = {-5};
    char metadata[3][32];
    memset(out, 0, sizeof out);
    memset(metadata, 0, sizeof metadata);
    memset(&e, 0, sizeof e);
    memcpy(metadata[0], none, sizeof none);
    memcpy(metadata[1], minus, sizeof minus);
    memcpy(metadata[2], pair, 8);
    metadata[2][8] = 'k';
    memcpy(metadata[2] + 9, &pair[3], 4);
    below[0] = &item;
    above[0] = &list;
    top[0] = &record;
    for (i = 0; i < 4; i++) {
        out[i].mem = &mem;
        schema_child(&item, "c", 0, NULL, 0);
        schema_child(&list, "+w:3", i == 1 ? ARROW_FLAG_NULLABLE : 0, below, 1);
        schema_child(&record, "+s", i == 2 ? 0 : ARROW_FLAG_NULLABLE, above, 1);
        schema_child(&root, "+s", 0, top, 1);
        record.metadata = i ? metadata[i > 2 ? 2 : i - 1] : NULL;
        CHECK(taco__ipc_arrow_schema(&out[i], &root, NULL, 0, &e) == (i < 3));
    }
    CHECK(e.code == TACO_ERR_ARGUMENT);
    CHECK_TEXT(e.text, "pair 0 of the metadata of an Arrow field has a negative length");
    /* a fixed-size list that is never null in a struct that may be is written as a list */
    CHECK(out[0].len > 0 && out[0].len < out[1].len + 64 && out[2].len > 0);
    CHECK(out[0].len != out[2].len || memcmp(out[0].data, out[2].data, out[0].len) != 0);
    for (i = 0; i < 4; i++) {
        taco__buf_free(&out[i]);
    }
}

/* ---- the stream interface ---- */

typedef struct rows_of {
    taco_error err;
    taco__key_value pairs[6];
} rows_of;

static bool no_rows(void *ctx, taco_batch *out)
{
    rows_of *r = (rows_of *)ctx;
    memset(out, 0, sizeof *out);
    r->err.code = TACO_ERR_IO; /* without a text, as with TACO_NO_ERROR_TEXT */
    return false;
}

static bool no_owner(void *ctx, size_t i, taco__buffer_owner *out)
{
    (void)ctx;
    (void)i;
    (void)out;
    return false;
}

static void nothing(void *ctx)
{
    (void)ctx;
}

static void stream_source(taco__arrow_source *src, rows_of *r, taco__mem *m)
{
    memset(src, 0, sizeof *src);
    memset(r, 0, sizeof *r);
    src->ctx = r;
    src->fields = fields;
    src->count = 3;
    src->mem = m;
    src->err = &r->err;
    src->next = no_rows;
    src->owner = no_owner;
    src->prefix_error = nothing;
    src->close = nothing;
    src->pairs = r->pairs;
}

static void test_stream(void)
{
    taco__arrow_source src;
    rows_of r;
    struct ArrowArrayStream s;
    struct ArrowSchema schema;
    struct ArrowArray a;
    taco_error e;
    int32_t n = 0;
    size_t i;
    memset(&e, 0, sizeof e);
    all_fields(fields);
    stream_source(&src, &r, &mem);
    for (i = 0; i < 2; i++) { /* keys that a schema cannot have, and one that it can */
        r.pairs[0].key = taco__bytes_text("\xFF");
        r.pairs[0].value = r.pairs[2].value = r.pairs[3].key = taco__bytes_text("x");
        r.pairs[1].key = taco__bytes_text("k");
        r.pairs[1].value = taco__bytes_text("\xFF");
        r.pairs[2].key = taco__bytes_text("ARROW:schema");
        r.pairs[3].value = taco__bytes_text("y");
        src.pair_count = 3 + i;
        CHECK(taco__arrow_stream_open(&src, &s, &e) == TACO_OK);
        CHECK(s.get_schema(&s, &schema) == 0 && schema.n_children == 3);
        CHECK((schema.metadata != NULL) == (i == 1));
        if (schema.metadata) { memcpy(&n, schema.metadata, 4); }
        schema.release(&schema);
        CHECK(s.get_last_error(&s) == NULL);
        CHECK(s.get_next(&s, &a) == TACO__EIO && a.release == NULL);
        CHECK_TEXT(s.get_last_error(&s), "failed");
        s.release(&s);
        memset(&r.err, 0, sizeof r.err);
    }
    CHECK(n == 1);
    forget();
}

/* Every allocation of a schema and of a batch fails once. */
static void test_no_memory(void)
{
    taco_options opt;
    taco_allocator al;
    test_memory m;
    taco__mem counted;
    taco_array nulls[100];
    size_t i, n, failed = 0;
    test_counted(&opt, &al, &m);
    taco__mem_init(&counted, &opt);
    make_batch();
    memset(nulls, 0, sizeof nulls);
    for (i = 0; i < batch.column_count; i++) { /* columns that the file does not have */
        nulls[i].field = &fields[i];
        nulls[i].length = nulls[i].null_count = ROWS;
    }
    for (i = 0; i < 4; i++) {
        for (n = 1; n < 2000; n++) {
            taco__arrow_export x;
            struct ArrowArray a;
            struct ArrowSchema s;
            taco_batch b = batch;
            taco_error e;
            bool ok = true;
            memset(&x, 0, sizeof x);
            memset(&e, 0, sizeof e);
            x.mem = &counted;
            m.calls = 0;
            m.fail_at = n;
            if (i < 2) {
                b.columns = i ? nulls : arrays;
                ok = taco__arrow_batch_export(&x, fields, &b, NULL, NULL, &a, &e);
                if (ok) {
                    CHECK(a.n_children == (int64_t)batch.column_count && a.length == ROWS);
                    CHECK(!i || a.children[4]->null_count == ROWS);
                    a.release(&a);
                }
            } else if (i == 2) {
                size_t k;
                for (k = 0; ok && k < batch.column_count; k++) {
                    memset(&s, 0, sizeof s);
                    ok = taco__arrow_schema_export(&x, &fields[k], false, &s, &e);
                    if (s.release) { s.release(&s); }
                }
            } else {
                taco__arrow_source src;
                rows_of r;
                struct ArrowArrayStream stream;
                stream_source(&src, &r, &counted);
                r.pairs[0].key = r.pairs[0].value = taco__bytes_text("x");
                src.pair_count = 1;
                ok = taco__arrow_stream_open(&src, &stream, &e) == TACO_OK;
                if (ok) {
                    ok = stream.get_schema(&stream, &s) == 0;
                    if (ok) { s.release(&s); }
                    e.code = ok ? TACO_OK : TACO_ERR_MEMORY;
                    CHECK(ok || strstr(stream.get_last_error(&stream), "memory") != NULL);
                    stream.release(&stream);
                }
            }
            CHECK(ok == (e.code == TACO_OK) && (ok || e.code == TACO_ERR_MEMORY));
            failed += !ok;
            if (m.live != 0) {
                CHECK(m.live == 0);
                break;
            }
            if (ok) { break; }
        }
    }
    CHECK(failed > 100);
    forget();
}

/* ---- arrays ---- */

static void test_arrays(void)
{
    static const int32_t zeros[2200], one_long[] = {0, 1 << 20}, items[] = {0, 1000000},
                                      many_items[] = {0, 1 << 30};
    static uint8_t long_text[1 << 20], bits[] = {3};
    static const uint8_t raw[] = "abcdefghijklmnopqrstuvwx";
    taco_field f = taco__field_make("t", TACO_TEXT), g = taco__field_make("n", TACO_NULL);
    taco_field lists = taco__field_make_nested("l", TACO_LIST, &g, 1);
    taco__arrow_export x;
    struct ArrowArray out;
    taco__array_buf b;
    taco__arena arena;
    taco_array a, d;
    taco_batch batch_of;
    taco_error e;
    size_t bytes;
    uint64_t limit;
    memset(&a, 0, sizeof a);
    memset(&d, 0, sizeof d);
    memset(&e, 0, sizeof e);
    memset(&x, 0, sizeof x);
    memset(&b, 0, sizeof b);
    memset(&arena, 0, sizeof arena);
    memset(&batch_of, 0, sizeof batch_of);
    x.mem = arena.mem = &mem;
    memset(&out, 0xFF, sizeof out); /* every member is set */
    CHECK(taco__arrow_batch_export(&x, &f, &batch_of, NULL, NULL, &out, &e));
    CHECK(out.null_count == 0 && out.offset == 0 && out.dictionary == NULL);
    out.release(&out);
    /* a megabyte, more often than offsets reach */
    d.field = a.field = &f;
    d.length = 1;
    d.offsets = one_long;
    d.v.any = long_text;
    a.length = batch_of.length = 2200;
    a.dictionary = &d;
    a.v.any = zeros;
    batch_of.columns = &a;
    batch_of.column_count = 1;
    CHECK(!taco__arrow_batch_export(&x, &f, &batch_of, NULL, NULL, &out, &e));
    CHECK(e.code == TACO_ERR_LIMIT && strstr(e.text, "bytes of text in one batch"));
    memset(&e, 0, sizeof e);
    d.field = &lists;
    d.offsets = items;
    d.dictionary = NULL;
    CHECK(taco__array_buf_init(&b, &lists, &mem, &arena, &e));
    CHECK(!taco__take_array(&b, &d, zeros, 2200, &e) && e.code == TACO_ERR_LIMIT);
    CHECK_TEXT(e.text, "2200000000 list elements in one batch, 32-bit offsets reach 2147483647");
    memset(&e, 0, sizeof e);
    limit = mem.limit; /* 4 GiB of element numbers are more than a size_t of 32 bits */
    mem.limit = (uint64_t)1 << 20;
    d.offsets = many_items;
    CHECK(!taco__take_array(&b, &d, zeros, 1, &e) &&
          e.code == (sizeof(size_t) == 4 ? TACO_ERR_MEMORY : TACO_ERR_LIMIT));
    mem.limit = limit;
    taco__array_buf_free(&b);
    taco__arena_free(&arena);
    memset(&e, 0, sizeof e);
    CHECK(!taco__array_buf_size(SIZE_MAX, 8, &bytes, &e) && e.code == TACO_ERR_MEMORY);
    {
        taco__buf full;
        memset(&full, 0, sizeof full);
        full.mem = &mem;
        memset(&e, 0, sizeof e);
        full.len = (size_t)INT32_MAX + 1;
        CHECK(!taco__array_buf_reserve_text(&full, 1, &e) && e.code == TACO_ERR_LIMIT);
        full.len = 5;
        memset(&e, 0, sizeof e);
        CHECK(!taco__array_buf_reserve_text(&full, INT32_MAX, &e) && e.code == TACO_ERR_LIMIT);
    }
    memset(&e, 0, sizeof e);
    /* bytes, numbers and validity of single rows */
    memset(&a, 0, sizeof a);
    a.field = &g;
    a.length = 2;
    a.v.any = raw;
    g = taco__field_make("n", TACO_INT96);
    CHECK(taco_array_bytes(&a, 1).len == 12 && taco_array_bytes(&a, 1).data == raw + 12);
    g = taco__field_make("n", TACO_INTERVAL);
    CHECK(taco_array_bytes(&a, 1).len == 12);
    g = taco__field_make("n", TACO_INT32);
    CHECK(taco_array_bytes(&a, 1).data == NULL);
    g = taco__field_make("n", TACO_DECIMAL);
    g.width = 0;
    CHECK(taco_array_double(&a, 0) >= 0 && taco_array_double(&a, 0) <= 0);
    g = taco__field_make("n", TACO_INT96);
    CHECK(taco__arrow_values_size(&g, 3, &bytes, &e) && bytes == 24);
    g = taco__field_make("n", TACO_INT64);
    a.validity = bits;
    memset(&b, 0, sizeof b);
    d = taco__array_buf_slice(&b, &a, 0, 2);
    CHECK(d.validity == NULL && d.null_count == 0);
    bits[0] = 1;
    d = taco__array_buf_slice(&b, &a, 0, 2);
    CHECK(d.validity == bits && d.null_count == 1);
    /* words of types that are none */
    CHECK(taco__type_keyword((taco_type)99) == NULL && taco__type_format((taco_type)99) == NULL);
    CHECK(taco__type_keyword(TACO_INT32) != NULL && taco__type_format(TACO_INT32) != NULL);
    taco__field_names_not_found(NULL, 0, taco__bytes_text("x"), "", TACO_NO_OFFSET, &e);
    CHECK_TEXT(e.text, "no column 'x', there are no columns");
}

/* A decimal with a negative scale, as pyarrow has it, and a map whose keys may be null. */
static void test_schemas(void)
{
    taco__arrow_export x;
    struct ArrowSchema s;
    taco_field f = taco__field_make("d", TACO_DECIMAL), pair[2], entry;
    taco_error e;
    size_t i;
    memset(&x, 0, sizeof x);
    memset(&e, 0, sizeof e);
    x.mem = &mem;
    f.width = 16;
    f.precision = 9;
    f.scale = -2;
    CHECK(taco__arrow_schema_export(&x, &f, false, &s, &e));
    CHECK_TEXT(s.format, "d:9,-2");
    s.release(&s);
    for (i = 0; i < 3; i++) {
        pair[0] = taco__field_make("key", TACO_TEXT);
        pair[0].nullable = i == 1;
        pair[1] = taco__field_make("value", TACO_INT32);
        entry = taco__field_make_nested("entries", TACO_STRUCT, pair, i == 2 ? 1 : 2);
        f = taco__field_make_nested("m", TACO_MAP, &entry, 1);
        f.nullable = false;
        CHECK(taco__arrow_schema_export(&x, &f, false, &s, &e));
        CHECK_TEXT(s.format, i == 0 ? "+m" : "+l");
        CHECK(s.flags == 0);
        s.release(&s);
    }
    f = taco__field_make("n", TACO_NULL);
    f.nullable = false;
    CHECK(taco__arrow_schema_export(&x, &f, false, &s, &e) && s.flags == ARROW_FLAG_NULLABLE);
    s.release(&s);
    CHECK_TEXT(e.text, "");
}

/* ---- builders ---- */

/* Rows that need every buffer of a nested column, with each allocation failing once. */
static bool build(taco__mem *m, size_t *rows, taco_error *e)
{
    taco_field parts[3], item, list, field;
    taco__array_builder b;
    taco__arena arena;
    taco_array a;
    size_t i;
    bool ok;
    memset(&arena, 0, sizeof arena);
    memset(&b, 0, sizeof b);
    arena.mem = m;
    item = taco__field_make("element", TACO_INT32);
    list = taco__field_make_nested("list", TACO_LIST, &item, 1);
    parts[0] = list;
    parts[1] = taco__field_make("bit", TACO_BOOL);
    parts[2] = taco__field_make("text", TACO_TEXT);
    field = taco__field_make_nested("s", TACO_STRUCT, parts, 3);
    ok = taco__array_builder_init(&b, &field, m, &arena, e);
    for (i = 0; ok && i < 700; i++) {
        if (i % 3 == 0) {
            ok = taco__array_builder_append_null(&b, e);
            continue;
        }
        ok = taco__array_builder_append_int(&b.children[0].children[0], (int64_t)i, e) &&
             taco__array_builder_end_row(&b.children[0], true, e) &&
             (i % 2 ? taco__array_builder_append_bool(&b.children[1], true, e)
                    : taco__array_builder_append_null(&b.children[1], e)) &&
             taco__array_builder_append_text(&b.children[2], i % 5 ? "abc" : NULL, e) &&
             taco__array_builder_end_row(&b, true, e);
    }
    if (ok) {
        taco__array_builder copy;
        memset(&copy, 0, sizeof copy);
        taco__array_builder_view(&b, &a);
        *rows = a.length;
        ok = taco__array_builder_init(&copy, &field, m, &arena, e);
        for (i = 0; ok && i < a.length; i++) {
            ok = taco__array_builder_append_copy(&copy, &a, i, e);
        }
        if (ok) {
            taco_array c;
            taco__array_builder_view(&copy, &c);
            CHECK(c.length == a.length && c.null_count == a.null_count);
            CHECK(c.children[0].children[0].v.i32[9] == a.children[0].children[0].v.i32[9]);
        }
        taco__array_builder_free(&copy);
    }
    taco__array_builder_free(&b);
    taco__arena_free(&arena);
    return ok;
}

/* Tables begin at multiples of 8, whatever comes before and however many fields they have. */
static void test_tables(void)
{
    size_t n, at, i, places[8];
    for (n = 0; n <= 8; n++) {
        for (at = 0; at < 8; at++) {
            taco__ipc_writer w;
            taco__buf out;
            taco_error e;
            memset(&w, 0, sizeof w);
            memset(&out, 0, sizeof out);
            memset(&e, 0, sizeof e);
            out.mem = &mem;
            w.out = &out;
            w.err = &e;
            w.ok = true;
            for (i = 0; i < at; i++) {
                taco__ipc_bytes(&w, "", 1);
            }
            taco__ipc_table(&w, "88888888" + 8 - n, places);
            CHECK(w.ok);
            for (i = 0; i < n; i++) {
                CHECK(places[i] % 8 == 0 && places[i] < out.len);
            }
            taco__buf_free(&out);
        }
    }
}

static void test_builder(void)
{
    taco_options opt;
    taco_allocator al;
    test_memory m;
    taco__mem counted;
    taco_error e;
    size_t n, rows = 0;
    bool ok = false;
    test_counted(&opt, &al, &m);
    taco__mem_init(&counted, &opt);
    for (n = 1; !ok && n < 1000; n++) {
        memset(&e, 0, sizeof e);
        m.calls = 0;
        m.fail_at = n;
        ok = build(&counted, &rows, &e);
        CHECK(ok ? m.calls < n : e.code == TACO_ERR_MEMORY);
        CHECK(m.live == 0);
    }
    CHECK(ok && n > 20 && rows == 700);
}

/* Rows that are set later, after some that are null; texts whose field has a width. */
static void test_builder_rows(void)
{
    taco_field f = taco__field_make("n", TACO_INT32), d = taco__field_make("t", TACO_TEXT);
    taco__array_builder b;
    taco__arena arena;
    taco_array a, of, dict;
    taco_error e;
    uint8_t *to;
    static const int32_t idx[] = {0, 1}, ends[] = {0, 1, 2};
    static const uint8_t valid[] = {1};
    memset(&arena, 0, sizeof arena);
    memset(&b, 0, sizeof b);
    memset(&e, 0, sizeof e);
    arena.mem = &mem;
    CHECK(taco__array_builder_init(&b, &f, &mem, &arena, &e));
    CHECK(taco__array_builder_append_null(&b, &e));
    CHECK(taco__array_builder_append_unset(&b, SIZE_MAX, &e) == NULL);
    refused_from = 64;
    CHECK(taco__array_builder_append_unset(&b, 4000, &e) == NULL && e.code == TACO_ERR_MEMORY);
    refused_from = SIZE_MAX;
    memset(&e, 0, sizeof e);
    to = taco__array_builder_append_unset(&b, 1000, &e);
    memset(to, 1, 4000);
    taco__array_builder_view(&b, &a);
    CHECK(a.length == 1001 && a.null_count == 1 && taco_array_int(&a, 1000) == 0x01010101);
    taco__array_builder_free(&b);
    memset(&b, 0, sizeof b);
    d.width = 4; /* which means nothing */
    CHECK(taco__array_builder_init(&b, &d, &mem, &arena, &e));
    CHECK(taco__array_builder_append_null(&b, &e) && taco__array_builder_append_text(&b, "x", &e));
    memset(&of, 0, sizeof of);
    memset(&dict, 0, sizeof dict);
    of.field = dict.field = &d;
    of.length = dict.length = 2;
    of.dictionary = &dict;
    of.v.any = idx;
    dict.offsets = ends;
    dict.v.any = "ab";
    dict.validity = valid;
    dict.null_count = 1;
    CHECK(taco__array_builder_append_copy(&b, &of, 0, &e));
    CHECK(taco__array_builder_append_copy(&b, &of, 1, &e)); /* null in the dictionary */
    taco__array_builder_view(&b, &a);
    CHECK(a.length == 4 && a.null_count == 2 && taco_array_bytes(&a, 2).data[0] == 'a');
    taco__array_builder_free(&b);
    taco__arena_free(&arena);
    CHECK_TEXT(e.text, "");
}

int main(void)
{
    room_begin();
    RUN(test_room);
    RUN(test_printer_room);
    RUN(test_printer_cells);
    RUN(test_unprintable);
    RUN(test_formats);
    RUN(test_caller_schema);
    RUN(test_stream);
    RUN(test_no_memory);
    RUN(test_arrays);
    RUN(test_schemas);
    RUN(test_tables);
    RUN(test_builder);
    RUN(test_builder_rows);
    return test_end("test_arrow_edges");
}
