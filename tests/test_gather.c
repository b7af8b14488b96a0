/* Directories as datasets: tables of every kind, parts, groups and their names, catalogues,
   computed columns, and errors. */
#include "../src/arrow/printer.c"
#include "../src/write/directory_scan.c"
#include "../src/base/base.h"
#include "../src/dataset/dataset.h"
#include "../src/base/file_copy.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"
#include "../taco.h"
#include "../extra/taco_write.h"
#include "../extra/taco_legacy.h"

#include "test.h"
#include "alloc.h"
#include "names.h"
#include "tiff.h"

#define DIR "build/test_gather"

static const char collection[] =
    "{\"id\":\"demo\",\"dataset_version\":\"1.0.0\",\"description\":\"d\",\"licenses\":[\"CC-BY-4."
    "0\"],\"providers\":[{\"name\":\"x\"}],\"tasks\":[\"other\"],\"extent\":{\"spatial\":[-1,-2,3,"
    "4]}}";

/* The same without an extent. */
static const char bare[] =
    "{\"id\":\"demo\",\"dataset_version\":\"1.0.0\",\"description\":\"d\",\"licenses\":[\"CC-BY-4."
    "0\"],\"providers\":[{\"name\":\"x\"}],\"tasks\":[\"other\"]}";

static taco_error e;
static char all_heard[4096]; /* all warnings */

static void hear_all(void *ctx, const taco_error *what)
{
    (void)ctx;
    strncat(all_heard, what->text, sizeof all_heard - strlen(all_heard) - 2);
    strcat(all_heard, "\n");
}

static taco_options hearing;
static taco_create_options create;
static taco_directory_options how;
static const char *tables[2];
static char made[2048]; /* names of the datasets, one behind the other */

static void note(void *ctx, const char *path)
{
    const char *name = strrchr(path, '/');
    CHECK(ctx == made && strstr(path, DIR "/out/") == path);
    strcat(made, made[0] ? " " : "");
    strcat(made, name ? name + 1 : path);
}

static void write_file(const char *path, const void *data, size_t n)
{
    FILE *f = fopen(path, "wb");
    CHECK(f && fwrite(data, 1, n, f) == n);
    if (f) { fclose(f); }
}

static void write_text(const char *path, const char *text)
{
    write_file(path, text, strlen(text));
}

static void begin(void)
{
    static const char *const dirs[] = {DIR,           DIR "/src",    DIR "/src/t1", DIR "/src/t2",
                                       DIR "/src/t3", DIR "/src/t4", DIR "/out"};
    size_t i;
    int k;
    test_names_remove(DIR);
    for (i = 0; i < sizeof dirs / sizeof dirs[0]; i++) {
        CHECK(taco__dir_make(dirs[i], NULL) || i == 0);
    }
    for (k = 1; k < 5; k++) {
        char path[64];
        snprintf(path, sizeof path, DIR "/src/t%d/a", k);
        write_file(path, "0123456789abcdef0123456789abcdef", (size_t)(8 * k));
        snprintf(path, sizeof path, DIR "/src/t%d/b", k);
        write_file(path, "xy", 2);
    }
    memset(&e, 0, sizeof e);
    memset(&how, 0, sizeof how);
    memset(&create, 0, sizeof create);
    memset(&hearing, 0, sizeof hearing);
    hearing.warn = hear_all;
    made[0] = all_heard[0] = 0;
    how.create = &create;
    how.tables = tables;
    how.made = note;
    how.made_ctx = made;
}

static taco_status gather(const char *out)
{
    char path[128];
    snprintf(path, sizeof path, DIR "/out/%s", out);
    return taco_create_directory(path, DIR "/src", collection, sizeof collection - 1, &how, &e);
}

static uint32_t rows_level;

/* All rows of a level of a dataset as CSV. */
static const char *rows(const char *name, const char *select)
{
    static char text[8192];
    char path[128];
    taco_query q;
    taco_dataset *ds;
    taco_cursor *c;
    taco_batch b;
    taco_printer *p = NULL;
    size_t at = 0;
    memset(&q, 0, sizeof q);
    text[0] = 0;
    snprintf(path, sizeof path, DIR "/out/%s", name);
    q.select = select;
    q.table = rows_level;
    ds = taco_open(path, NULL, &e);
    c = ds ? taco_select(ds, &q, &e) : NULL;
    if (c) {
        size_t n;
        const taco_field *f = taco_cursor_fields(c, &n);
        p = taco_printer_open(f, n, TACO_FORMAT_CSV, NULL, &e);
    }
    while (p && taco_cursor_batch(c, &b)) {
        taco_bytes got = taco_printer_batch(p, &b, &e);
        size_t i;
        for (i = 0; i < got.len && at + 1 < sizeof text; i++) {
            if (got.data[i] != '\r') { text[at++] = (char)got.data[i]; }
        }
        text[at] = 0;
    }
    taco_printer_close(p);
    taco_cursor_close(c, &e);
    taco_close(ds);
    CHECK_TEXT(e.text, "");
    return text;
}

static taco__path_kind kind_of(const char *name)
{
    char path[128];
    uint64_t size;
    snprintf(path, sizeof path, DIR "/out/%s", name);
    return taco__plat_stat(path, &size);
}

static void valid(const char *name)
{
    char path[128];
    taco_validate_options deep;
    memset(&deep, 0, sizeof deep);
    deep.deep = true;
    snprintf(path, sizeof path, DIR "/out/%s", name);
    CHECK(taco_validate(path, NULL, &deep, NULL, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
}

static uint64_t warnings(const char *name)
{
    char path[128];
    taco_validate_options o;
    taco_validated sum;
    memset(&o, 0, sizeof o);
    snprintf(path, sizeof path, DIR "/out/%s", name);
    CHECK(taco_validate(path, NULL, &o, &sum, &e) == TACO_OK);
    return sum.warnings;
}

static const char csv[] = "\xEF\xBB\xBFid,region,n,when,x:time_start\r\n"
                          "t3,\"Ocean/Sea  \"\"a\"\"\nb\",2,1.5,2020-01-01T00:00:00.5\r\n"
                          "\r\n"
                          "t1,,1,,2020-01-02\r\n"
                          "t4,__Land__,2,2,\r\n"
                          "t2,Land,1,1e3,2020-01-02\r\n";

static void test_one(void)
{
    begin();
    write_text(DIR "/s.csv", csv);
    write_text(DIR "/l.ndjson", "{\"id\":\"t2/a\",\"v\":[1,2],\"w\":{\"k\":null},\"z\":true}\n\n"
                                "{\"id\":\"t1/a\",\"v\":[1.5],\"z\":null}\n");
    tables[0] = DIR "/s.csv";
    tables[1] = DIR "/l.ndjson";
    how.table_count = 2;
    create.fill = true;
    CHECK(gather("x.tacozip") == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(made, "x.tacozip");
    CHECK_TEXT(rows("x.tacozip", "id, region, n, \"when\", \"x:time_start\""),
               "id,region,n,when,x:time_start\n"
               "t3,\"Ocean/Sea  \"\"a\"\"\nb\",2,1.5,2020-01-01T00:00:00.500000\n"
               "t1,,1,,2020-01-02T00:00:00.000000\nt4,__Land__,2,2.0,\n"
               "t2,Land,1,1000.0,2020-01-02T00:00:00.000000\n");
    valid("x.tacozip");
    CHECK(gather("x.tacozip") == TACO_ERR_ARGUMENT && strstr(e.text, "x.tacozip"));
}

/* A column of a table with rows of two levels belongs to those where it has values; one of a table
   with rows of one level to that, even without values. */
static void test_levels_of_columns(void)
{
    const char *text;
    begin();
    write_text(DIR "/s.ndjson",
               "{\"id\":\"t1\",\"high\":1,\"none\":null}\n{\"id\":\"t1/a\",\"low\":7}\n"
               "{\"id\":\"t2\",\"both\":2}\n{\"id\":\"t2/a\",\"both\":8}\n");
    write_text(DIR "/o.ndjson", "{\"id\":\"t3\",\"empty\":null}\n");
    tables[0] = DIR "/s.ndjson";
    tables[1] = DIR "/o.ndjson";
    how.table_count = 2;
    create.fill = true;
    CHECK(gather("l.tacozip") == TACO_OK);
    CHECK_TEXT(e.text, "");
    text = rows("l.tacozip", NULL);
    CHECK(strstr(text, ",high") && strstr(text, ",both") && strstr(text, ",empty"));
    CHECK(!strstr(text, ",low") && !strstr(text, ",none"));
    rows_level = 1;
    text = rows("l.tacozip", NULL);
    CHECK(strstr(text, ",low") && strstr(text, ",both"));
    CHECK(!strstr(text, ",high") && !strstr(text, ",none") && !strstr(text, ",empty"));
    rows_level = 0;
}

static void test_tables(void)
{
    taco_table *t;
    const taco_field *f;
    const taco_batch *b;
    size_t n, i;
    FILE *out;
    begin();
    write_text(DIR "/l.ndjson", "{\"id\":\"t2/a\",\"v\":[1,2],\"w\":{\"k\":null},\"z\":true}\n\n"
                                "{\"id\":\"t1/b\",\"v\":[1.5],\"z\":null}\n");
    t = taco_table_open(DIR "/l.ndjson", NULL, &e);
    CHECK_TEXT(e.text, "");
    f = taco_table_fields(t, &n);
    b = taco_table_rows(t);
    CHECK(n == 4 && b->length == 2 && b->column_count == 4);
    CHECK(f[1].type == TACO_LIST && f[1].children[0].type == TACO_DOUBLE);
    CHECK(f[2].type == TACO_TEXT && f[3].type == TACO_BOOL);
    CHECK(taco_array_bytes(&b->columns[2], 0).len != 0 && !taco_array_valid(&b->columns[2], 1) &&
          taco_array_valid(&b->columns[3], 0) && !taco_array_valid(&b->columns[3], 1));
    taco_table_close(t);
    t = taco_table_open("tests/data/crc.parquet", NULL, &e);
    CHECK_TEXT(e.text, "");
    f = taco_table_fields(t, &n);
    b = taco_table_rows(t);
    CHECK(f && b && n > 0 && b->column_count == n && b->length > 0);
    taco_table_close(t);
    CHECK(!taco_table_open(DIR "/none.parquet", NULL, &e) && e.code == TACO_ERR_NOT_FOUND);
    begin();
    out = fopen(DIR "/big.csv",
                "wb"); /* a quoted cell longer than a window, with a newline at its edge */
    fprintf(out, "id,text\na,\"");
    for (i = 0; i < (3 << 20); i++) {
        fputc(i % 61 ? 'x' : '\n', out);
    }
    fprintf(out, "\"\nb,y");
    fclose(out);
    t = taco_table_open(DIR "/big.csv", NULL, &e);
    CHECK_TEXT(e.text, "");
    b = t ? taco_table_rows(t) : NULL;
    CHECK(b && b->length == 2 && taco_array_bytes(&b->columns[1], 0).len == 3 << 20 &&
          taco_array_bytes(&b->columns[1], 1).len == 1);
    taco_table_close(t);
    write_text(DIR "/bad.csv", "id,a\nx,1\ny\n");
    CHECK(!taco_table_open(DIR "/bad.csv", NULL, &e));
    CHECK_TEXT(e.text, DIR "/bad.csv: row 2 has 1 fields, the header 2");
    memset(&e, 0, sizeof e);
    write_text(DIR "/bad.csv", "id,x:time_end\nx,yesterday\n");
    CHECK(!taco_table_open(DIR "/bad.csv", NULL, &e));
    CHECK_TEXT(e.text,
               DIR "/bad.csv: row 1, column 'x:time_end': not a value of the column's type");
    memset(&e, 0, sizeof e);
    write_text(DIR "/twice.ndjson", "{\"id\":\"a\",\"v\":1}\n{\"v\":3,\"id\":\"b\",\"v\":2}\n");
    CHECK(!taco_table_open(DIR "/twice.ndjson", NULL, &e) && e.code == TACO_ERR_SYNTAX);
    CHECK_TEXT(e.text, DIR "/twice.ndjson: row 2 has the key 'v' twice");
    memset(&e, 0, sizeof e);
    write_text(DIR "/bad.ndjson", "[1]\n");
    CHECK(!taco_table_open(DIR "/bad.ndjson", NULL, &e));
    CHECK_TEXT(e.text, DIR "/bad.ndjson: row 1 is not a JSON object");
    CHECK(!taco_table_open(DIR "/none.csv", NULL, NULL));
    taco_table_close(NULL);
}

/* A column of CSV is text if a number would not keep one of its cells. */
static void test_codes(void)
{
    static const struct {
        const char *cells; /* of the rows, separated by ';' */
        taco_type type;
    } cases[] = {{"01234;5", TACO_TEXT},
                 {"5;007", TACO_TEXT},
                 {"+5;1", TACO_TEXT},
                 {"-07;1", TACO_TEXT},
                 {"00.5;1", TACO_TEXT},
                 {"1e400;1", TACO_TEXT},
                 {"-1e400;1.5", TACO_TEXT},
                 {"1e-400;1", TACO_TEXT},
                 {"0e-400;1", TACO_DOUBLE},
                 {"18446744073709551616;1", TACO_TEXT},
                 {"-9223372036854775809;1", TACO_TEXT},
                 {"18446744073709551615;-1", TACO_TEXT},
                 {"-1;18446744073709551615", TACO_TEXT},
                 {"18446744073709551615;1", TACO_UINT64},
                 {"9007199254740993;1.5", TACO_TEXT},
                 {"1.5;9007199254740993", TACO_TEXT},
                 {"9007199254740992;1.5", TACO_DOUBLE},
                 {"9007199254740993;1", TACO_INT64},
                 {"-9223372036854775808;1", TACO_INT64},
                 {"-0;1", TACO_DOUBLE},
                 {"2.50;1e3", TACO_DOUBLE},
                 {"0x10;1", TACO_TEXT},
                 {"0;-7", TACO_INT64},
                 {"true;false", TACO_BOOL}};

    size_t i, n;
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *end = strchr(cases[i].cells, ';');
        int first = (int)(end - cases[i].cells);
        char text[200];
        taco_table *t;
        begin();
        snprintf(text, sizeof text, "id,n\na,%.*s\nb,%s\n", first, cases[i].cells, end + 1);
        write_text(DIR "/c.csv", text);
        t = taco_table_open(DIR "/c.csv", NULL, &e);
        CHECK_TEXT(e.text, "");
        if (!t || taco_table_fields(t, &n)[1].type != cases[i].type) {
            fprintf(stderr, "%s\n", cases[i].cells);
            CHECK(!"the type of the column");
        } else if (cases[i].type == TACO_TEXT) {
            taco_bytes b = taco_array_bytes(&taco_table_rows(t)->columns[1], 0);
            CHECK(b.len == (size_t)first && memcmp(b.data, cases[i].cells, b.len) == 0);
        }
        taco_table_close(t);
    }
}

/* Text in UTF-16 is refused as such, with a byte order mark or without. */
static void test_utf16(void)
{
    static const struct {
        const char *bytes;
        size_t len;
    } texts[] = {{"i\0d\0\n\0a\0\n\0", 10},
                 {"\xFF\xFEi\0d\0", 6},
                 {"\0i\0d\0\n\0a\0\n", 10},
                 {"\xFE\xFF\0i\0d", 6}};

    static const char *const names[] = {DIR "/u.csv", DIR "/u.ndjson"};
    char text[200];
    size_t i, k;
    for (i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (k = 0; k < 2; k++) {
            FILE *f;
            begin();
            f = fopen(names[k], "wb");
            fwrite(texts[i].bytes, 1, texts[i].len, f);
            fclose(f);
            CHECK(!taco_table_open(names[k], NULL, &e) && e.code == TACO_ERR_SYNTAX);
            snprintf(text, sizeof text, "%s: the text is UTF-16; tables are UTF-8", names[k]);
            CHECK_TEXT(e.text, text);
        }
    }
}

static void hear(void *ctx, const taco_error *warning)
{
    snprintf((char *)ctx, 512, "%s", warning->text);
}

/* A column of NDJSON of several types: an error in a strict schema, else plain text and a warning,
   never JSON in quotes. */
static void test_mixed(void)
{
    static const char mixed[] = "{\"id\":\"t1/a\",\"v\":\"t\",\"x:time_start\":\"2020-01-01\"}\n"
                                "{\"id\":7,\"v\":1.5,\"x:time_start\":5}\n"
                                "{\"id\":\"c\",\"v\":[1,\"u\"],\"x:time_start\":null}\n";
    taco_options options;
    taco_table *t;
    char heard[512] = {0};
    const taco_batch *b;
    taco_bytes v;
    begin();
    memset(&options, 0, sizeof options);
    options.warn = hear;
    options.warn_ctx = heard;
    write_text(DIR "/m.ndjson", mixed);
    t = taco_table_open(DIR "/m.ndjson", &options, &e);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(heard, DIR "/m.ndjson: row 2, column 'x:time_start': integers, the rows before have "
                          "text; all become text");
    b = taco_table_rows(t);
    CHECK(b && b->length == 3);
    v = taco_array_bytes(&b->columns[0], 1);
    CHECK(v.len == 1 && v.data[0] == '7');
    v = taco_array_bytes(&b->columns[1], 0);
    CHECK(v.len == 1 && v.data[0] == 't');
    v = taco_array_bytes(&b->columns[1], 1);
    CHECK(v.len == 3 && memcmp(v.data, "1.5", 3) == 0);
    v = taco_array_bytes(&b->columns[2], 0);
    CHECK(v.len == 10 && memcmp(v.data, "2020-01-01", 10) == 0);
    taco_table_close(t);
    tables[0] = DIR "/m.ndjson";
    how.table_count = 1;
    CHECK(gather("x.tacozip") == TACO_ERR_TYPE);
    CHECK_TEXT(e.text, DIR "/m.ndjson: row 2, column 'v': numbers, the rows before have text");
}

/* `path` is a column like others; those with names of the format are refused, never dropped, except
   for a type that the sample has. */
static void test_own_columns(void)
{
    static const char *const names[] = {"type",          "Type",       "ID",
                                        "Internal:size", "internal:x", "Internal:Offset"};
    size_t i;
    begin();
    write_text(DIR "/s.csv", "id,type,path,n\nt1,FOLDER,x,1\nt2,FOLDER,y,2\n"
                             "t3,FOLDER,z,3\nt4,FOLDER,z,4\n");
    tables[0] = DIR "/s.csv";
    how.table_count = 1;
    CHECK(gather("x.tacozip") == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(rows("x.tacozip", "id, path, n"), "id,path,n\nt1,x,1\nt2,y,2\nt3,z,3\nt4,z,4\n");
    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        char text[200];
        memset(&e, 0, sizeof e);
        snprintf(text, sizeof text, "id,%s,n\nt1,7,1\nt2,8,2\nt3,9,3\nt4,9,4\n", names[i]);
        write_text(DIR "/s.csv", text);
        CHECK(gather("n.tacozip") == TACO_ERR_ARGUMENT);
        snprintf(text, sizeof text, "s.csv: column '%s': id, type and internal:* are the format's",
                 names[i]);
        CHECK(strstr(e.text, text) != NULL);
    }
    memset(&e, 0, sizeof e);
    write_text(DIR "/s.csv", "id,type,n\nt1,FOLDER,1\nt2,FILE,2\nt3,FOLDER,3\nt4,FOLDER,4\n");
    CHECK(gather("y.tacozip") == TACO_ERR_ARGUMENT);
    CHECK(strstr(e.text, "row 2: type is 'FILE', 't2' is a FOLDER") != NULL);
}

static void test_groups(void)
{
    static const char *const by[] = {"region", "n"}, *const other[] = {"colour"},
                             *const id[] = {"id"};
    begin();
    write_text(DIR "/s.csv", csv);
    tables[0] = DIR "/s.csv";
    how.table_count = 1;
    create.fill = true;
    how.group_by = by;
    how.group_by_count = 2;
    CHECK(gather("g.tacozip") == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(made, "g_Ocean_Sea_a_b_2.tacozip g_None_1.tacozip g_Land_2.tacozip g_Land_1.tacozip "
                     ".tacocat");
    valid(".tacocat");
    CHECK_TEXT(rows(".tacocat", "id, \"internal:source_file\""),
               "id,internal:source_file\nt3,g_Ocean_Sea_a_b_2.tacozip\nt1,g_None_1.tacozip\n"
               "t4,g_Land_2.tacozip\nt2,g_Land_1.tacozip\n");
    made[0] = 0; /* the catalogue stands in the way, and nothing is made */
    CHECK(gather("h.tacozip") == TACO_ERR_ARGUMENT && strstr(e.text, ".tacocat exists already"));
    CHECK(kind_of("h_None_1.tacozip") == TACO__PATH_MISSING && !made[0]);
    memset(&e, 0, sizeof e);
    how.no_catalogue = true;
    how.group_by_count = 1; /* '__Land__' and 'Land' */
    CHECK(gather("h.tacozip") == TACO_ERR_ARGUMENT);
    CHECK_TEXT(e.text, "two groups would both be " DIR "/out/h_Land.tacozip");
    memset(&e, 0, sizeof e);
    how.group_by = other;
    CHECK(gather("h.tacozip") == TACO_ERR_NOT_FOUND && strstr(e.text, "'colour'"));
    memset(&e, 0, sizeof e);
    how.group_by = id;
    CHECK(gather("f") == TACO_OK); /* FOLDERs, without a catalogue */
    CHECK_TEXT(made, "f_t3 f_t1 f_t4 f_t2");
    valid("f_t4");
}

/* Times that differ by a nanosecond are two groups; all are named as Python's str() writes them. */
static void test_group_times(void)
{
    static const char *const by[] = {"when"};
    static const int64_t times[4] = {0, 1, 1500000000, INT64_C(86400000000000)};
    static const int32_t ends[5] = {0, 2, 4, 6, 8};
    taco_field f[2];
    taco_array a[2];
    taco_batch b;
    taco_sink sink;
    taco_pq_writer *w;
    begin();
    memset(a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    f[0] = taco__field_make("id", TACO_TEXT);
    f[1] = taco__field_make("when", TACO_TIMESTAMP);
    f[1].unit = TACO_NANO;
    f[1].utc = true;
    a[0].field = &f[0];
    a[1].field = &f[1];
    a[0].length = a[1].length = b.length = 4;
    a[0].v.any = "t1t2t3t4";
    a[0].offsets = ends;
    a[1].v.i64 = times;
    b.columns = a;
    b.column_count = 2;
    CHECK(taco_sink_file(&sink, DIR "/when.parquet", NULL, &e) == TACO_OK);
    w = taco_pq_write(&sink, f, 2, NULL, &e);
    CHECK(w && taco_pq_writer_batch(w, &b) == TACO_OK && taco_pq_writer_close(w, &e) == TACO_OK);
    tables[0] = DIR "/when.parquet";
    how.table_count = 1;
    how.group_by = by;
    how.group_by_count = 1;
    how.no_catalogue = true;
    CHECK(gather("n.zip") == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(made, "n_1970-01-01_00_00_00+00_00.zip n_1970-01-01_00_00_00.000000001+00_00.zip "
                     "n_1970-01-01_00_00_01.500000000+00_00.zip n_1970-01-02_00_00_00+00_00.zip");
}

/* White space of any script, what file systems refuse, and a NUL become '_' in names; None and bools
   are as Python writes them. */
static void test_group_names(void)
{
    static const char *const by[] = {"name"}, *const flag[] = {"flag", "id"};
    begin();
    write_text(DIR "/s.ndjson",
               "{\"id\":\"t1\",\"name\":\"a\\u0000b\",\"flag\":true}\n"
               "{\"id\":\"t2\",\"name\":\"\\u00a0c\\u2003\\u3000d\\u1680\",\"flag\":false}\n"
               "{\"id\":\"t3\",\"name\":\"\\u00e9\\u205f?*<>|'e\\u2028\",\"flag\":null}\n"
               "{\"id\":\"t4\",\"name\":\"\\u00a1\\u2010\\u3042\"}\n");
    tables[0] = DIR "/s.ndjson";
    how.table_count = 1;
    create.fill = true;
    how.no_catalogue = true;
    how.group_by = by;
    how.group_by_count = 1;
    CHECK(gather("k.zip") == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(made, "k_a_b.zip k_c_d.zip k_\xC3\xA9_e.zip "
                     "k_\xC2\xA1\xE2\x80\x90\xE3\x81\x82.zip");
    valid("k_a_b.zip");
    made[0] = 0;
    how.group_by = flag;
    how.group_by_count = 2;
    CHECK(gather("l") == TACO_OK);
    CHECK_TEXT(made, "l_True_t1 l_False_t2 l_None_t3 l_None_t4");
}

/* Groups by codes that are computed: samples without a point are None. */
static void test_group_codes(void)
{
    static const char *const grid[] = {"majortom:code"}, *const near[] = {"spatialgroup:code",
                                                                          "id"};
    begin();
    write_text(DIR "/s.csv", "id,stac:centroid\n"
                             "t1,0101000000000000000000F03F0000000000000040\n"
                             "t2,0101000000000000000000F03F0000000000000040\n"
                             "t3,0101000000000000000000244000000000000034C0\nt4,\n");
    tables[0] = DIR "/s.csv";
    how.table_count = 1;
    create.fill = true;
    how.no_catalogue = true;
    how.grid_km = 100;
    how.group_by = grid;
    how.group_by_count = 1;
    CHECK(gather("g.zip") == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(made, "g_0100km_0002U_0001R.zip g_0100km_0023D_0010R.zip g_None.zip");
    made[0] = 0;
    how.grid_km = 0;
    how.near_count = 2;
    how.group_by = near;
    how.group_by_count = 2;
    CHECK(gather("n.zip") == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(made, "n_sg0000_t1.zip n_sg0001_t2.zip n_sg0000_t3.zip n_None_t4.zip");
    made[0] = 0;
    how.near_count = 0; /* nobody computes it */
    CHECK(gather("o.zip") == TACO_ERR_NOT_FOUND);
    CHECK_TEXT(e.text,
               "no table has a column 'spatialgroup:code' of samples of level 0 to group by");
}

/* Fewer parts than before: those that are too many stay, and are told. */
static void test_fewer_parts(void)
{
    begin();
    create.options = &hearing;
    create.overwrite = true;
    how.no_catalogue = true;
    how.split_size = 1;
    CHECK(gather("s.zip") == TACO_OK);
    CHECK_TEXT(made, "s_part0001.zip s_part0002.zip s_part0003.zip s_part0004.zip");
    CHECK_TEXT(all_heard, "");
    made[0] = 0;
    how.split_size = 28;
    CHECK(gather("s.zip") == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(made, "s_part0001.zip s_part0002.zip s_part0003.zip");
    CHECK_TEXT(all_heard, DIR "/out/s_part0004.zip is a part of an earlier dataset and stays: this "
                              "one has 3 parts\n");
    CHECK_TEXT(rows("s_part0001.zip", "id"), "id\nt1\nt2\n");
    CHECK_TEXT(rows("s_part0004.zip", "id"), "id\nt4\n");
}

/* taco_options.temporary: a directory takes the name of the second part as the third is begun. */
static void take_second(void *ctx, const char *path, bool begun)
{
    (void)ctx;
    if (begun && strstr(path, "s_part0003")) {
        remove(DIR "/out/s_part0002.zip");
        CHECK(taco__dir_make(DIR "/out/s_part0002.zip", NULL));
    }
}

/* A part that cannot get its name: those before it have replaced old ones, which the host is told,
   as an old catalogue is wrong now; new names are removed, and not told. */
static void test_name_taken(void)
{
    int replaces;
    for (replaces = 0; replaces < 2; replaces++) {
        begin();
        hearing.temporary = NULL;
        create.options = &hearing;
        create.overwrite = true;
        how.no_catalogue = true;
        how.split_size = 28;
        CHECK(!replaces || gather("s.zip") == TACO_OK);
        made[0] = 0;
        hearing.temporary = take_second;
        CHECK(gather("s.zip") != TACO_OK);
        CHECK(strstr(e.text, "s_part0002.zip"));
        CHECK_TEXT(made, replaces ? "s_part0001.zip" : "");
        CHECK(test_names_count(DIR "/out", "", "") == (replaces ? 3 : 1));
    }
}

/* Parts and their catalogue in a directory with a dot, whose path is as the system's programs write
   it. */
static void test_native_paths(void)
{
    static const char dir[] = DIR "/out/v1.0";
    char out[128];
    uint64_t size;
    begin();
    CHECK(taco__dir_make_new(dir, NULL));
    how.split_size = 28;
    how.made = NULL;
    CHECK(taco_create_directory(test_native(DIR "/out/v1.0/p.tacozip"), test_native(DIR "/src/"),
                                collection, sizeof collection - 1, &how, &e) == TACO_OK);
    CHECK_TEXT(rows("v1.0/.tacocat", "id"), "id\nt1\nt2\nt3\nt4\n");
    how.no_catalogue = true;
    CHECK(taco_create_directory(test_native(DIR "/out/v1.0/p"), DIR "/src", collection,
                                sizeof collection - 1, &how, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    snprintf(out, sizeof out, "%s/p_part0003", dir);
    CHECK(taco__plat_stat(out, &size) == TACO__PATH_DIRECTORY);
    CHECK(test_names_count(dir, "", "") == 7); /* 3 archives, 3 FOLDERs, the catalogue */
    CHECK(test_names_count(DIR "/out", "", "") == 1);
}

static void test_parts(void)
{
    static const char *const by[] = {"n"};
    begin();
    how.split_size = 28; /* t1 10, t2 18, t3 26, t4 34 */
    CHECK(gather("p.tacozip") == TACO_OK);
    CHECK_TEXT(made, "p_part0001.tacozip p_part0002.tacozip p_part0003.tacozip .tacocat");
    CHECK_TEXT(rows("p_part0001.tacozip", "id"), "id\nt1\nt2\n");
    CHECK_TEXT(rows(".tacocat", "id"), "id\nt1\nt2\nt3\nt4\n");
    made[0] = 0;
    how.split_size = 88; /* all */
    CHECK(gather("q.tacozip") == TACO_OK);
    CHECK_TEXT(made, "q.tacozip");
    begin();
    write_text(DIR "/s.csv", csv);
    tables[0] = DIR "/s.csv";
    how.table_count = 1;
    create.fill = true;
    how.group_by = by;
    how.group_by_count = 1;
    how.split_size = 30; /* 2: t3, t4 are cut; 1: t1, t2 are not */
    CHECK(gather("r.zip") == TACO_OK);
    CHECK_TEXT(made, "r_2_part0001.zip r_2_part0002.zip r_1.zip .tacocat");
    made[0] = 0;
    how.no_catalogue = true;
    how.split_size = 1; /* each alone */
    how.group_by_count = 0;
    write_text(DIR "/out/s_part0003.zip", "");
    CHECK(gather("s.zip") == TACO_ERR_ARGUMENT && strstr(e.text, "s_part0003.zip exists already"));
    CHECK(kind_of("s_part0001.zip") == TACO__PATH_MISSING && !made[0]);
    memset(&e, 0, sizeof e);
    /* the last is another tree: none is left, unless trees may differ */
    remove(DIR "/src/t4/b");
    how.split_size = 60;
    CHECK(gather("t.zip") == TACO_ERR_ARGUMENT || e.code != TACO_OK);
    CHECK(kind_of("t_part0001.zip") == TACO__PATH_MISSING);
}

static const char *extent_of(const char *path)
{
    static char text[256];
    taco_dataset *ds = taco_open(path, NULL, &e);
    taco_bytes b = taco_collection(ds, "extent");
    snprintf(text, sizeof text, "%.*s", (int)b.len, b.data ? (const char *)b.data : "");
    taco_close(ds);
    return text;
}

static void test_extent(void)
{
    /* a given extent is that of one dataset; of several each has its own, where it can be told */
    begin();
    write_text(DIR "/s.csv", "id,stac:centroid\n"
                             "t1,0101000000000000000000F03F0000000000000040\n"
                             "t2,0101000000000000000000F03F0000000000000840\n"
                             "t3,0101000000000000000000F03F0000000000001440\n"
                             "t4,0101000000000000000000F03F0000000000000840\n");
    CHECK(gather("x.zip") == TACO_OK);
    CHECK(strstr(extent_of(DIR "/out/x.zip"), "-2"));
    how.split_size = 1;
    how.no_catalogue = true;
    CHECK(gather("y.zip") == TACO_OK);
    CHECK(strstr(extent_of(DIR "/out/y_part0002.zip"), "-2"));
    tables[0] = DIR "/s.csv";
    how.table_count = 1;
    CHECK(gather("z.zip") == TACO_OK);
    CHECK(strstr(extent_of(DIR "/out/z_part0003.zip"), "5") &&
          !strstr(extent_of(DIR "/out/z_part0003.zip"), "-2"));
    CHECK_TEXT(e.text, "");
}

/* A TACOTIFF of one tile of 16 x 16 at the easting given, UTM 30 north. */
static void make_tiff(const char *path, double east, bool zstd)
{
    static tiff_maker m;
    static const double scale[3] = {10, 10, 0};
    static const uint16_t keys[12] = {1, 1, 0, 2, 1025, 0, 1, 1, 3072, 0, 1, 32630};
    const double tie[6] = {0, 0, 0, east, 4000000, 0};
    const uint32_t offset = 2000, count = 50;
    tiff_begin(&m, true, false, 16, 900);
    tiff_short(&m, 256, 16);
    tiff_short(&m, 257, 16);
    tiff_short(&m, 258, 8);
    tiff_short(&m, 259, zstd ? 50000 : 8);
    tiff_short(&m, 277, 1);
    tiff_short(&m, 284, 1);
    tiff_short(&m, 322, 16);
    tiff_short(&m, 323, 16);
    tiff_tag(&m, 324, 4, 1, &offset);
    tiff_tag(&m, 325, 4, 1, &count);
    tiff_short(&m, 339, 1);
    tiff_tag(&m, 33550, 12, 3, scale);
    tiff_tag(&m, 33922, 12, 6, tie);
    tiff_tag(&m, 34735, 3, 12, keys);
    write_file(path, m.data, m.size);
}

static void remove_trees(void)
{
    const char *name[] = {DIR "/src/t1", DIR "/src/t2", DIR "/src/t3", DIR "/src/t4"};
    size_t i;
    for (i = 0; i < 4; i++) {
        CHECK(taco__plat_name_exists(name[i]));
        test_names_remove(name[i]);
        CHECK(!taco__plat_name_exists(name[i]));
    }
}

static void test_tiffs(void)
{
    static const char *const by[] = {"spatialgroup:code"};
    begin();
    remove_trees();
    make_tiff(DIR "/src/a.tif", 700000, true);
    make_tiff(DIR "/src/b.tif", 300000, true);
    make_tiff(DIR "/src/c.TIFF", 301000, true);
    how.tiff = how.tacotiff = true;
    how.grid_km = 100;
    how.near_count = 2;
    CHECK(gather("x.tacozip") == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(rows("x.tacozip", "id, \"stac:crs\", \"stac:tensor_shape\", \"majortom:code\", "
                                 "\"spatialgroup:code\""),
               "id,stac:crs,stac:tensor_shape,majortom:code,spatialgroup:code\n"
               "a.tif,EPSG:32630,\"[1,16,16]\",0100km_0040U_0001L,sg0001\n"
               "b.tif,EPSG:32630,\"[1,16,16]\",0100km_0040U_0005L,sg0000\n"
               "c.TIFF,EPSG:32630,\"[1,16,16]\",0100km_0040U_0005L,sg0000\n");
    valid("x.tacozip");
    made[0] = 0;
    how.group_by = by;
    how.group_by_count = 1;
    CHECK(gather("y.tacozip") == TACO_OK);
    CHECK_TEXT(made, "y_sg0001.tacozip y_sg0000.tacozip .tacocat");
    how.group_by_count = 0;
    make_tiff(DIR "/src/c.TIFF", 301000, false);
    CHECK(gather("z.tacozip") == TACO_ERR_UNSUPPORTED);
    CHECK_TEXT(e.text, DIR "/src/c.TIFF: compression 8, a TACOTIFF has ZSTD (50000)");
    CHECK(kind_of("z.tacozip") == TACO__PATH_MISSING);
    memset(&e, 0, sizeof e);
    how.tiff = how.tacotiff = false; /* no table has points, nor are TIFFs looked at */
    CHECK(gather("z.tacozip") == TACO_ERR_NOT_FOUND && strstr(e.text, "stac:centroid"));
}

/* A polygon over a square of two units, in hexadecimal: its centroid is x + 1, y + 1. */
static const char *hex_square(char *out, double x, double y)
{
    uint8_t wkb[93];
    const double ring[10] = {x, y, x + 2, y, x + 2, y + 2, x, y + 2, x, y};
    size_t i;
    memset(wkb, 0, sizeof wkb);
    wkb[0] = 1;
    wkb[1] = 3;
    wkb[5] = 1;
    wkb[9] = 5;
    for (i = 0; i < 10; i++) {
        taco__put_le64(wkb + 13 + 8 * i, taco__f64_to_bits(ring[i]));
    }
    for (i = 0; i < sizeof wkb; i++) {
        sprintf(out + 2 * i, "%02X", wkb[i]);
    }
    return out;
}

/* Centroids and middles of times of a table that has what they are computed from. */
static void test_derived(void)
{
    char text[2048], a[200], b[200];
    begin();
    snprintf(text, sizeof text,
             "id,istac:crs,istac:geometry,istac:time_start,istac:time_end\n"
             "t1,EPSG:4326,%s,2020-01-01T00:00:00Z,2020-01-03T00:00:00Z\n"
             "t2,EPSG:32630,%s,2020-01-01T00:00:00Z,\n"
             "t3,EPSG:4326,%s,2020-01-01T00:00:00Z,2020-01-01T00:00:01Z\n"
             "t4,EPSG:4326,%s,2020-01-01T00:00:00Z,2020-01-01T00:00:01Z\n",
             hex_square(a, 4, 50), hex_square(b, 499999, 4427000), a, a);
    write_text(DIR "/s.csv", text);
    tables[0] = DIR "/s.csv";
    how.table_count = 1;
    how.grid_km = 100;
    CHECK(gather("x.zip") == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(rows("x.zip", "id, \"istac:time_middle\", \"majortom:code\""),
               "id,istac:time_middle,majortom:code\n"
               "t1,2020-01-02T00:00:00.000000,0100km_0056U_0003R\n"
               "t2,,0100km_0044U_0003L\n"
               "t3,2020-01-01T00:00:00.500000,0100km_0056U_0003R\n"
               "t4,2020-01-01T00:00:00.500000,0100km_0056U_0003R\n");
    valid("x.zip");
    how.no_derived = true;
    how.grid_km = 0;
    CHECK(gather("y.zip") == TACO_OK);
    CHECK(!strstr(rows("y.zip", NULL), "time_middle"));
}

/* Samples in a CRS whose degrees are not known have no box: neither the globe nor that of the
   others. */
static void test_unknown_places(void)
{
    begin();
    how.split_size = 1;
    how.no_catalogue = true;
    write_text(DIR "/s.ndjson",
               "{\"id\":\"t1\",\"stac:crs\":\"EPSG:5070\",\"stac:tensor_shape\":[1,2,2],"
               "\"stac:geotransform\":[0,1,0,9,0,-1]}\n"
               "{\"id\":\"t2\",\"stac:crs\":\"EPSG:4326\",\"stac:tensor_shape\":[1,2,2],"
               "\"stac:geotransform\":[0,1,0,9,0,-1]}\n"
               "{\"id\":\"t3\",\"stac:crs\":\"EPSG:4326\",\"stac:tensor_shape\":[1,2,2],"
               "\"stac:geotransform\":[0,1,0,19,0,-1]}\n"
               "{\"id\":\"t4\",\"stac:crs\":\"EPSG:4326\",\"stac:tensor_shape\":[1,2,2],"
               "\"stac:geotransform\":[0,1,0,9,0,-1]}\n");
    tables[0] = DIR "/s.ndjson";
    how.table_count = 1;
    create.options = &hearing;
    CHECK(taco_create_directory(DIR "/out/p.zip", DIR "/src", bare, sizeof bare - 1, &how, &e) ==
          TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(extent_of(DIR "/out/p_part0001.zip"), "");
    CHECK(strstr(all_heard, "COLLECTION.json has no extent.spatial"));
    CHECK(strstr(all_heard, "sample 't1': stac:centroid"));
    CHECK(strstr(extent_of(DIR "/out/p_part0002.zip"), "8.0"));
    valid("p_part0001.zip");
    how.split_size = 0;
    CHECK(taco_create_directory(DIR "/out/q.zip", DIR "/src", bare, sizeof bare - 1, &how, &e) ==
          TACO_OK);
    CHECK_TEXT(extent_of(DIR "/out/q.zip"), "");
    valid("q.zip");
    how.table_count = 0; /* without places: the globe, as §7.1.3 says */
    CHECK(taco_create_directory(DIR "/out/r.zip", DIR "/src", bare, sizeof bare - 1, &how, &e) ==
          TACO_OK);
    CHECK(strstr(extent_of(DIR "/out/r.zip"), "-180.0"));
    CHECK_TEXT(e.text, "");
}

/* A table of values from elsewhere, with the names of the reference's GeoEnrich. */
static void test_enriched(void)
{
    taco_dataset *ds;
    begin();
    write_text(DIR "/s.csv", "id,geoenrich:elevation,geoenrich:population,geoenrich:admin_states\n"
                             "t1,12,1.5,A\nt2,13,2.5,B\nt3,14,0,A\nt4,,,\n");
    tables[0] = DIR "/s.csv";
    how.table_count = 1;
    create.options = &hearing;
    CHECK(gather("x.zip") == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(
        rows("x.zip", "\"geoenrich:elevation\", \"geoenrich:population\", id"),
        "geoenrich:elevation,geoenrich:population,id\n12.0,1.5,t1\n13.0,2.5,t2\n14.0,0.0,t3\n"
        ",,t4\n");
    ds = taco_open(DIR "/out/x.zip", NULL, &e);
    CHECK(strstr((const char *)taco_collection(ds, "taco:field_schema").data, "\"float\""));
    taco_close(ds);
    valid("x.zip");
    write_text(DIR "/s.csv", "id,geoenrich:gdp\nt1,rich\nt2,poor\nt3,a\nt4,b\n");
    CHECK(gather("y.zip") == TACO_ERR_TYPE);
    CHECK(strstr(e.text, "column 'geoenrich:gdp' is not a number"));
}

/* What GDAL would decode: two bands of four pixels. */
static bool read_fake(void *ctx, uint32_t band, uint64_t first, double *out, size_t n)
{
    size_t i;
    (void)ctx;
    for (i = 0; i < n; i++) {
        out[i] = (double)(first + i) + 10 * band;
    }
    return true;
}

static int opened_pixels;

static bool open_fake(void *ctx, const char *path, taco_pixels *out, taco_error *err)
{
    CHECK(ctx == made && strncmp(path, DIR "/src/", sizeof DIR + 4) == 0);
    if (strstr(path, "c.TIFF")) {
        err->code = TACO_ERR_CORRUPT;
        strcpy(err->text, "c.TIFF is broken");
        return false;
    }
    out->bands = 2;
    out->count = 4;
    out->read = read_fake;
    opened_pixels++;
    return true;
}

static void close_fake(void *ctx, taco_pixels *pixels)
{
    CHECK(ctx == made && pixels->bands == 2);
    opened_pixels--;
}

/* Statistics of pixels that somebody else decodes; scaling of the row counts. */
static void test_pixels(void)
{
    begin();
    remove_trees();
    make_tiff(DIR "/src/a.tif", 700000, true);
    make_tiff(DIR "/src/b.tif", 300000, true);
    make_tiff(DIR "/src/c.TIFF", 301000, true);
    write_text(DIR "/s.csv", "id,scaling:scale_factor,scaling:scale_offset\n"
                             "a.tif,1,0\nb.tif,2,100\nc.TIFF,1,0\n");
    tables[0] = DIR "/s.csv";
    how.table_count = 1;
    how.pixels = open_fake;
    how.pixels_done = close_fake;
    how.pixels_ctx = made;
    create.options = &hearing;
    CHECK(gather("x.zip") == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK(opened_pixels == 0);
    CHECK(strstr(rows("x.zip", "\"geotiff:stats\""), "\"[[0.0,3.0,1.5,1.118034,100.0,"));
    CHECK(strstr(rows("x.zip", "\"geotiff:stats\""), "\"[[100.0,106.0,103.0,2.236068,100.0,"));
    CHECK(strstr(all_heard, "c.TIFF is broken"));
    valid("x.zip");
}

static void note_log(void *ctx, taco_log_level level, const char *line)
{
    if (level == TACO_LOG_INFO) { strcat((char *)ctx, line); }
    opened_pixels++;
}

/* taco_options.log hears of datasets that are written and opened. */
static void test_log(void)
{
    static char said[1024];
    begin();
    hearing.log = note_log;
    hearing.log_ctx = said;
    create.options = &hearing;
    opened_pixels = 0;
    CHECK(gather("x.zip") == TACO_OK);
    CHECK_TEXT(said, "wrote an archive, samples: 4, levels: 2, bytes of payload: 88");
    CHECK(opened_pixels > 2);
    said[0] = 0;
    taco_close(taco_open(DIR "/out/x.zip", &hearing, &e));
    CHECK_TEXT(said, "opened " DIR "/out/x.zip: archive, levels: 2, datasets: 1");
}

static void test_points(void)
{
    begin();
    write_text(DIR "/s.csv", "id,stac:centroid\n"
                             "t1,0101000000000000000000F03F0000000000000040\n"
                             "t2,\nt4,0101000000000000000000F03F0000000000000040\n");
    tables[0] = DIR "/s.csv";
    how.table_count = 1;
    how.near_size = 20;
    how.grid_km = 100;
    create.fill = true;
    CHECK(gather("x.zip") == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(rows("x.zip", "id, \"majortom:code\", \"spatialgroup:code\""),
               "id,majortom:code,spatialgroup:code\nt1,0100km_0002U_0001R,sg0000\nt2,,\n"
               "t4,0100km_0002U_0001R,sg0001\nt3,,\n");
}

static void test_refused(void)
{
    begin();
    write_text(DIR "/s.csv", "id,n\nt9,1\n");
    tables[0] = DIR "/s.csv";
    how.table_count = 1;
    CHECK(gather("x.zip") == TACO_ERR_NOT_FOUND);
    CHECK_TEXT(e.text, DIR "/s.csv: row 1: there is no 't9' in the source");
    memset(&e, 0, sizeof e);
    write_text(DIR "/s.csv", "id,n\nt1,1\nt1,2\n");
    CHECK(gather("x.zip") == TACO_ERR_ARGUMENT);
    CHECK_TEXT(e.text, DIR "/s.csv: row 2: id 't1' has a row before");
    memset(&e, 0, sizeof e);
    write_text(DIR "/s.csv", "n\n1\n");
    CHECK(gather("x.zip") == TACO_ERR_ARGUMENT && strstr(e.text, "no column `id` of text"));
    memset(&e, 0, sizeof e);
    how.table_count = 65;
    CHECK(gather("x.zip") == TACO_ERR_LIMIT);
    memset(&e, 0, sizeof e);
    how.table_count = 0;
    CHECK(taco_create_directory(DIR "/out/x.zip", DIR "/none", "{}", 2, &how, &e) ==
          TACO_ERR_NOT_FOUND);
    CHECK(taco_create_directory(NULL, DIR, "{}", 2, NULL, NULL) == TACO_ERR_ARGUMENT);
    CHECK(kind_of("x.zip") == TACO__PATH_MISSING);
}

/* ---- what stands beside the samples of a FOLDER ---- */

static bool stray(void *ctx, const taco_problem *p)
{
    CHECK(!p->error && strcmp(p->message, "no level lists this file") == 0);
    strcat((char *)ctx, p->where);
    return true;
}

static void test_strays(void)
{
    static char where[512];
    taco_validate_options o;
    taco_validated sum;
    memset(&o, 0, sizeof o);
    where[0] = 0;
    o.found = stray;
    o.ctx = where;
    begin();
    CHECK(gather("f") == TACO_OK);
    CHECK(taco_validate(DIR "/out/f", NULL, &o, &sum, &e) == TACO_OK && sum.warnings == 0);
    write_text(DIR "/out/f/README.md", "x");
    write_text(DIR "/out/f/DATA/.DS_Store", "x");
    write_text(DIR "/out/f/DATA/__meta__", "x");
    write_text(DIR "/out/f/DATA/t2/c", "x");
    write_text(DIR "/out/f/METADATA/level2.parquet.part", "x");
    CHECK(taco__dir_make_new(DIR "/out/f/DATA/t9", NULL)); /* itself, not what is in it */
    write_text(DIR "/out/f/DATA/t9/a", "x");
    CHECK(taco_validate(DIR "/out/f/", NULL, &o, &sum, &e) == TACO_OK && sum.warnings == 6);
    CHECK_TEXT(where, "'DATA/.DS_Store''DATA/__meta__''DATA/t2/c''DATA/t9'"
                      "'METADATA/level2.parquet.part''README.md'");
    CHECK_TEXT(e.text, "");
}

/* Small files are taken with the one read that finds their end; those of a page and more are asked
   for their size. */
static void test_sizes(void)
{
    static const size_t sizes[] = {0, 1, 300000, 4095, 4097, 8192, 4096, 70001};
    static uint8_t bytes[300000];
    char path[64], want[256] = "id,internal:size\n";
    uint64_t size;
    size_t i, k, n = sizeof sizes / sizeof sizes[0];
    FILE *f;
    begin();
    CHECK(taco__dir_make(DIR "/sizes", NULL));
    for (i = 0; i < n; i++) { /* the names come in neither order */
        for (k = 0; k < sizes[i]; k++) {
            bytes[k] = (uint8_t)(k * 7 + sizes[i] + k / 251);
        }
        snprintf(path, sizeof path, DIR "/sizes/%u", (unsigned)((i * 5 + 2) % n));
        write_file(path, bytes, sizes[i]);
    }
    for (i = 0; i < n; i++) {
        for (k = 0; (k * 5 + 2) % n != i;) {
            k++;
        }
        snprintf(want + strlen(want), 32, "%u,%u\n", (unsigned)i, (unsigned)sizes[k]);
    }
    CHECK(taco_create_directory(DIR "/out/s.tacozip", DIR "/sizes", collection,
                                sizeof collection - 1, &how, &e) == TACO_OK);
    CHECK_TEXT(rows("s.tacozip", "id, \"internal:size\""), want);
    valid("s.tacozip");
    CHECK(taco_create_directory(DIR "/out/s", DIR "/sizes", collection, sizeof collection - 1, &how,
                                &e) == TACO_OK);
    for (i = 0; i < n; i++) {
        snprintf(path, sizeof path, DIR "/out/s/DATA/%u", (unsigned)((i * 5 + 2) % n));
        CHECK(taco__plat_stat(path, &size) == TACO__PATH_FILE && size == sizes[i]);
        f = fopen(path, "rb");
        CHECK(f && fread(bytes, 1, sizeof bytes, f) == sizes[i]);
        for (k = 0; k < sizes[i] && bytes[k] == (uint8_t)(k * 7 + sizes[i] + k / 251);) {
            k++;
        }
        CHECK(k == sizes[i]);
        if (f) { fclose(f); }
    }
}
#ifdef TACO__OPEN_AT
#include <signal.h>
#include <sys/resource.h>

/* Files that wait to be closed: where descriptors in between are another's, where the system has no
   more, and at the end. */
static void test_descriptors(void)
{
    char path[64];
    int other[9], i, k, before, after;
    struct rlimit most = {0, 0}, few;
    taco_status got;
    begin();
    CHECK(taco__dir_make(DIR "/many", NULL));
    for (i = 0; i < 77; i++) {
        snprintf(path, sizeof path, DIR "/many/%03d", i);
        write_file(path, collection, (size_t)i);
    }
    before = open(DIR, O_RDONLY);
    for (i = 0; i < 9; i++) { /* 0 stays, 1 makes room, 2, 3 stay, 4 ... */
        other[i] = open(DIR, O_RDONLY);
    }
    for (i = 1; i < 9; i += 3) {
        close(other[i]);
    }
    CHECK(getrlimit(RLIMIT_NOFILE, &most) == 0);
    for (k = 0; k < 2; k++) {
        few = most;
        few.rlim_cur =
            k ? (rlim_t)other[8] + 6 : most.rlim_cur; /* less than there are files to wait */
        CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
        got = taco_create_directory(DIR "/out/d.tacozip", DIR "/many", collection,
                                    sizeof collection - 1, &how, &e);
        CHECK(setrlimit(RLIMIT_NOFILE, &most) == 0);
        CHECK(got == TACO_OK);
        valid("d.tacozip");
        for (i = 0; i < 9; i++) {
            CHECK((fcntl(other[i], F_GETFD) >= 0) ==
                  (i % 3 != 1)); /* no one else's is closed, none is left */
        }
        CHECK(fcntl(other[8] + 1, F_GETFD) < 0);
        CHECK(remove(DIR "/out/d.tacozip") == 0);
    }
    for (i = 0; i < 9; i++) {
        if (i % 3 != 1) { close(other[i]); }
    }
    close(before);
    after = open(DIR, O_RDONLY);
    CHECK(after == before);
    close(after);
}
#endif
/* ---- columns for a dataset that stands ---- */

static taco_add_options adding;
static const char *added[3];

/* The bytes of a file; *n becomes how many. */
static char *whole(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    char *data = (char *)malloc(1 << 20);
    CHECK(f && data);
    *n = f ? fread(data, 1, 1 << 20, f) : 0;
    if (f) { fclose(f); }
    return data;
}

static bool same(const char *path, const char *data, size_t n)
{
    size_t len;
    char *now = whole(path, &len);
    bool ok = len == n && memcmp(now, data, n) == 0;
    free(now);
    return ok;
}

/* A dataset of two levels, and tables about both. */
static void begin_add(void)
{
    begin();
    CHECK(gather("a.tacozip") == TACO_OK);
    write_text(DIR "/0.csv", "id,cloud,tag\nt4,4.5,d\nt1,1.5,a\nt2,2.5,b\nt3,3.5,\n");
    write_text(DIR "/1.ndjson", "{\"id\":\"t1/a\",\"v\":[1]}\n{\"id\":\"t1/b\",\"v\":[]}\n"
                                "{\"id\":\"t2/a\",\"v\":null}\n{\"id\":\"t2/b\",\"v\":[2,3]}\n"
                                "{\"id\":\"t3/a\",\"v\":[4]}\n{\"id\":\"t3/b\",\"v\":[5]}\n"
                                "{\"id\":\"t4/a\",\"v\":[6]}\n{\"id\":\"t4/b\",\"v\":[7]}\n");
    memset(&adding, 0, sizeof adding);
    added[0] = DIR "/0.csv";
    added[1] = DIR "/1.ndjson";
    adding.create = &create;
    adding.tables = added;
    adding.table_count = 2;
}

static void has_added(const char *name)
{
    CHECK_TEXT(rows(name, "id, cloud, tag"),
               "id,cloud,tag\nt1,1.5,a\nt2,2.5,b\nt3,3.5,\nt4,4.5,d\n");
    rows_level = 1;
    CHECK_TEXT(rows(name, "id, v"),
               "id,v\na,[1]\nb,[]\na,\nb,\"[2,3]\"\na,[4]\nb,[5]\na,[6]\nb,[7]\n");
    rows_level = 0;
    valid(name);
}

static void test_add(void)
{
    static const char archive[] = DIR "/out/a.tacozip";
    size_t before, after, len;
    char *was, *now;
    begin_add();
    was = whole(archive, &before);
    /* into new datasets */
    CHECK(taco_add_columns(archive, DIR "/out/b.tacozip", &adding, &e) == TACO_OK);
    has_added("b.tacozip");
    CHECK(taco_add_columns(archive, DIR "/out/c", &adding, &e) == TACO_OK);
    has_added("c");
    CHECK(taco_add_columns(DIR "/out/c", DIR "/out/d.tacozip", &adding, &e) == TACO_ERR_ARGUMENT);
    CHECK_TEXT(e.text, DIR "/out/d.tacozip: level 0 has a column 'cloud' already, and replacing is "
                           "not asked for");
    CHECK(kind_of("d.tacozip") == TACO__PATH_MISSING && same(archive, was, before));
    memset(&e, 0, sizeof e);
    /* into the archive: what was there is there still, but for the header */
    CHECK(taco_add_columns(archive, NULL, &adding, &e) == TACO_OK);
    has_added("a.tacozip");
    CHECK(warnings("a.tacozip") == 0); /* of the old metadata, which is known as such */
    now = whole(archive, &after);
    CHECK(after > before && memcmp(was + 157, now + 157, before - 157) == 0);
    /* bytes behind the end, as a killed one leaves them: more than are searched for the end
       records */
    {
        FILE *f = fopen(archive, "wb");
        CHECK(f && fwrite(was, 1, before, f) == before);
        for (len = 0; f && len < 100000; len++) {
            fputc('P', f);
        }
        CHECK(f && fclose(f) == 0);
    }
    CHECK(taco_add_columns(archive, NULL, &adding, &e) == TACO_OK);
    has_added("a.tacozip");
    /* again, and columns in the place of others */
    write_text(DIR "/0.csv", "id,tag\nt1,x\nt2,\nt3,z\nt4,\n");
    adding.table_count = 1;
    adding.replace = true;
    CHECK(taco_add_columns(archive, NULL, &adding, &e) == TACO_OK);
    CHECK_TEXT(rows("a.tacozip", "id, cloud, tag"),
               "id,cloud,tag\nt1,1.5,x\nt2,2.5,\nt3,3.5,z\nt4,4.5,\n");
    valid("a.tacozip");
    CHECK(warnings("a.tacozip") == 1); /* the bytes left behind */
    /* into a FOLDER: its metadata is replaced, its payload is not touched, and nothing else is left */
    begin_add();
    CHECK(gather("e") == TACO_OK);
    CHECK(taco_add_columns(DIR "/out/e", NULL, &adding, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    has_added("e");
    CHECK(taco_add_columns(DIR "/out/e/", NULL, &adding, &e) == TACO_ERR_ARGUMENT);
    memset(&e, 0, sizeof e);
    adding.replace = true;
    CHECK(taco_add_columns(DIR "/out/e/", NULL, &adding, &e) == TACO_OK);
    has_added("e");
    free(was);
    free(now);
}

/* Row groups, and with them batches, that end anywhere, also within a byte of a bitmap. */
static void test_add_pieces(void)
{
    static char text[2][1024]; /* the one that is added, and all of it */
    char path[64];
    taco_table *table;
    const taco_batch *b;
    size_t n;
    int i, k;
    begin_add();
    CHECK(taco__dir_make(DIR "/many", NULL));
    strcpy(text[0], "id,n,b,t\n");
    for (i = 0; i < 29; i++) {
        snprintf(path, sizeof path, DIR "/many/%02d", i);
        write_file(path, collection, (size_t)i);
        snprintf(text[0] + strlen(text[0]), 32, i % 3 ? "%02d,%d,%s,%s\n" : "%02d,%.0d,%s,%s\n", i,
                 i % 3 ? i : 0, i % 5 ? "true" : "false", i % 4 ? "word" : "");
    }
    write_text(DIR "/0.csv", text[0]);
    adding.table_count = 1;
    create.row_group_rows = 3;
    CHECK(taco_create_directory(DIR "/out/m.tacozip", DIR "/many", collection,
                                sizeof collection - 1, &how, &e) == TACO_OK);
    for (k = 0; k < 2; k++) { /* behind no column, and behind others */
        CHECK(taco_add_columns(DIR "/out/m.tacozip", NULL, &adding, &e) == TACO_OK);
        CHECK_TEXT(rows("m.tacozip", k ? "id, n2, b2, t2" : "id, n, b, t"), text[k]);
        strcpy(text[1], text[0]);
        memcpy(text[1], "id,n2,b2,t2\n", 12);
        strcpy(text[1] + 12, text[0] + 9);
        write_text(DIR "/0.csv", text[1]);
    }
    valid("m.tacozip");
    /* its level 0 as a table: all row groups in one batch */
    CHECK(taco_create_directory(DIR "/out/m", DIR "/many", collection, sizeof collection - 1, &how,
                                &e) == TACO_OK);
    table = taco_table_open(DIR "/out/m/METADATA/level0.parquet", NULL, &e);
    b = taco_table_rows(table);
    CHECK(b && b->length == 29 && b->first_row == 0 &&
          strcmp(taco_table_fields(table, &n)[0].name, "id") == 0);
    for (i = 0; b && i < 29; i++) {
        snprintf(path, sizeof path, "%02d", i);
        CHECK(
            taco__bytes_equal(taco_array_bytes(&b->columns[0], (size_t)i), taco__bytes_text(path)));
    }
    taco_table_close(table);
}

/* What fails leaves the archive as it was. */
static void add_fails(taco_status code, const char *text, const char *was, size_t n)
{
    CHECK(taco_add_columns(DIR "/out/a.tacozip", NULL, &adding, &e) == code);
    CHECK(same(DIR "/out/a.tacozip", was, n));
    CHECK_TEXT(e.text, text);
    memset(&e, 0, sizeof e);
}

static void test_add_refused(void)
{
    static const char archive[] = DIR "/out/a.tacozip";
    size_t n;
    char *was;
    begin_add();
    was = whole(archive, &n);
    write_text(DIR "/0.csv", "id,cloud\nt1,1\nt2,2\nt3,3\n");
    add_fails(TACO_ERR_ARGUMENT,
              DIR "/out/a.tacozip: "
                  "sample 't4' of level 0 has no value for column 'cloud'; the schema is "
                  "strict, null must be said",
              was, n);
    create.fill = true;
    CHECK(taco_add_columns(archive, DIR "/out/f.tacozip", &adding, &e) == TACO_OK);
    CHECK_TEXT(rows("f.tacozip", "id, cloud"), "id,cloud\nt1,1\nt2,2\nt3,3\nt4,\n");
    write_text(DIR "/0.csv", "id,cloud\nt1,1\nt9,2\n");
    add_fails(TACO_ERR_NOT_FOUND,
              DIR "/out/a.tacozip: " DIR "/0.csv: row 2: there is no sample 't9'", was, n);
    write_text(DIR "/0.csv", "id,stac:\nt1,1\n");
    CHECK(taco_add_columns(archive, NULL, &adding, &e) == TACO_ERR_ARGUMENT &&
          same(archive, was, n));
    memset(&e, 0, sizeof e);
    write_text(DIR "/0.csv", "id,cloud\nt1,1\n");
    added[2] = DIR "/2.csv";
    adding.table_count = 3;
    write_text(DIR "/2.csv", "id,cloud\nt2,1\n");
    add_fails(TACO_ERR_ARGUMENT,
              DIR "/out/a.tacozip: "
                  "column 'cloud' of level 0 is in two tables",
              was, n);
    adding.table_count = 1;
    CHECK(taco_create_directory(DIR "/out/c", DIR "/src", collection, sizeof collection - 1, &how,
                                &e) == TACO_OK);
    CHECK(taco_add_columns(archive, NULL, NULL, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_add_columns(DIR "/out/none.tacozip", NULL, &adding, NULL) != TACO_OK);
#ifdef TACO__OPEN_AT
    { /* a full disk, which ends at another byte each time */
        struct rlimit most, few;
        size_t room;
        signal(SIGXFSZ, SIG_IGN);
        CHECK(getrlimit(RLIMIT_FSIZE, &most) == 0);
        few = most;
        for (room = 0; room < 5000; room += 311) {
            few.rlim_cur = (rlim_t)(n + room);
            CHECK(setrlimit(RLIMIT_FSIZE, &few) == 0);
            CHECK(taco_add_columns(archive, NULL, &adding, &e) == TACO_ERR_IO);
            CHECK(setrlimit(RLIMIT_FSIZE, &most) == 0);
            CHECK(strstr(e.text, DIR "/out/a.tacozip: ") == e.text);
            CHECK(same(archive, was, n));
            memset(&e, 0, sizeof e);
        }
        CHECK(taco_add_columns(archive, NULL, &adding, &e) == TACO_OK);
    }
#endif
    free(was);
}

/* The archive, with other bytes from `at` on, then so many bytes of P. */
static void write_patched(const char *path, const char *was, size_t n, const void *bytes,
                          size_t len, size_t behind)
{
    FILE *f = fopen(path, "wb");
    CHECK(f && fwrite(was, 1, n, f) == n && (!len || fwrite(bytes, 1, len, f) == len));
    for (; f && behind; behind--) {
        fputc('P', f);
    }
    CHECK(f && fclose(f) == 0);
}

/* An archive whose directory is found only behind COLLECTION.json: with records of ZIP64, and what
   is no directory. */
static void test_add_directory(void)
{
    static const char archive[] = DIR "/out/a.tacozip";
    static const char none[] = DIR "/out/a.tacozip: at byte ";
    char tail[22 + 2 * 76], *was, *now;
    size_t n, i, len;
    begin_add();
    was = whole(archive, &n);
    memset(tail, 0, sizeof tail);
    memcpy(tail, "PK\6\6\54", 5);
    for (i = 0; i < 2; i++) { /* entries, as in the end record */
        memcpy(tail + 24 + 8 * i, was + n - 12, 2);
    }
    memcpy(tail + 40, was + n - 10, 4);
    memcpy(tail + 48, was + n - 6, 4);
    memcpy(tail + 56, "PK\6\7", 4);
    for (i = 0; i < 4; i++) {
        tail[64 + i] = (char)((n - 22) >> 8 * i);
    }
    tail[72] = 1;
    memcpy(tail + 76, was + n - 22, 22);
    CHECK(memcmp(tail + 76, "PK\5\6", 4) == 0);
    write_patched(archive, was, n - 22, tail, 98, 70000);
    CHECK(taco_add_columns(archive, NULL, &adding, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    has_added("a.tacozip");
    /* these records twice; other bytes in the place of the last one; nothing at all; no entry */
    memcpy(tail + 76, tail, 76);
    memcpy(tail + 152, was + n - 22, 22);
    for (i = 0; i < 4; i++) {
        size_t stop = n - 22, from = 0;
        if (i == 2 || i == 3) { /* at the end of COLLECTION.json */
            for (stop = n - 57; memcmp(was + stop, "PK\1\2", 4) != 0 ||
                                memcmp(was + stop + 46, "TACO_HEADER", 11) != 0;
                 stop--) {}
        }
        len = i == 0 ? 174 : i == 1 ? 50 : 0;
        from = i == 1 ? 60 : 0;
        write_patched(archive, was, stop, tail + from, len, i == 2 ? 0 : 70000);
        now = whole(archive, &len);
        memset(&e, 0, sizeof e);
        CHECK(taco_add_columns(archive, NULL, &adding, &e) == TACO_ERR_CORRUPT);
        CHECK(strncmp(e.text, none, sizeof none - 1) == 0);
        CHECK(strstr(e.text, "there is no central directory at the end or after COLLECTION.json"));
        CHECK(same(archive, now, len));
        free(now);
    }
    /* an entry in the middle of the directory that is none */
    for (i = n - 57; memcmp(was + i, "PK\1\2", 4) != 0; i--) {}
    was[i] = 'X';
    write_patched(archive, was, n, NULL, 0, 0);
    memset(&e, 0, sizeof e);
    CHECK(taco_add_columns(archive, NULL, &adding, &e) == TACO_ERR_CORRUPT && e.text[0]);
    CHECK(same(archive, was, n));
    free(was);
    memset(&e, 0, sizeof e);
}

/* What taco add had written when it was killed, up to any byte: the dataset is as before, one line
   says why there is more, and another add finishes it. The header is written last, in one piece. */
static void test_add_interrupted(void)
{
    static const char archive[] = DIR "/out/a.tacozip";
    taco_validated sum;
    char *was, *now;
    size_t n, len, k, cuts = 0;
    begin_add();
    was = whole(archive, &n);
    CHECK(taco_add_columns(archive, NULL, &adding, &e) == TACO_OK);
    now = whole(archive, &len);
    CHECK(len > n && memcmp(was + 157, now + 157, n - 157) == 0);
    for (k = 1; n + k <= len; k++) {
        bool record = memcmp(now + n + k - (k > 1 ? 2 : 1), "PK", k > 1 ? 2 : 1) == 0;
        if (!record && k != 29 && k != 30 && n + k != len && k % 997) { continue; }
        cuts++;
        write_patched(archive, was, n, now + n, k, 0);
        memset(&e, 0, sizeof e);
        CHECK(taco_validate(archive, NULL, NULL, &sum, &e) == TACO_ERR_CORRUPT);
        CHECK(sum.errors == 1 && sum.warnings == 0 && sum.rows > 0);
        CHECK(strstr(e.text, "a.tacozip: an add was interrupted; `taco add` or `taco repair` "
                             "finishes it: "));
        memset(&e, 0, sizeof e); /* the next one leaves no trace of it */
        CHECK(taco_add_columns(archive, NULL, &adding, &e) == TACO_OK);
        CHECK(taco_validate(archive, NULL, NULL, &sum, &e) == TACO_OK && sum.warnings == 0);
    }
    CHECK(cuts > 10);
    has_added("a.tacozip");
    /* other bytes after the archive are no add */
    write_patched(archive, was, n, NULL, 0, 40);
    CHECK(taco_validate(archive, NULL, NULL, &sum, &e) != TACO_OK);
    CHECK(strstr(e.text, "bytes of something else after the end record"));
    memset(&e, 0, sizeof e);
    free(was);
    free(now);
}

static bool open_plain(void *ctx, const char *path, taco_source *out)
{
    (void)ctx;
    return taco_source_file(out, path, NULL) == TACO_OK;
}

/* Two tables of one level that have other samples; arguments; files that a program opens. */
static void test_add_options(void)
{
    static const char archive[] = DIR "/out/a.tacozip";
    taco_options opt;
    memset(&opt, 0, sizeof opt);
    begin_add();
    write_text(DIR "/0.csv", "id,cloud\nt1,1\nt2,2\n");
    write_text(DIR "/2.csv", "id,tag\nt3,c\nt4,d\n");
    added[1] = DIR "/2.csv";
    create.fill = true;
    create.total = 1000000;
    CHECK(taco_add_columns(archive, DIR "/out/two.tacozip", &adding, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    CHECK_TEXT(rows("two.tacozip", "id, cloud, tag"), "id,cloud,tag\nt1,1,\nt2,2,\nt3,,c\nt4,,d\n");
    create.fill = false;
    create.total = 0;
    write_text(DIR "/0.csv", "id,cloud\nt1,1\nt2,2\nt3,3\nt4,4\n");
    adding.table_count = 1;
    opt.open_file = open_plain;
    create.options = &opt;
    CHECK(taco_add_columns(archive, NULL, &adding, &e) == TACO_ERR_UNSUPPORTED);
    CHECK(strstr(e.text, "is not an archive or FOLDER on disk: an output is needed") != NULL);
    memset(&e, 0, sizeof e);
    CHECK(taco_add_columns(archive, DIR "/out/opened.tacozip", &adding, &e) == TACO_OK);
    create.options = NULL;
    adding.create = NULL;
    CHECK(taco_add_columns(archive, NULL, &adding, &e) == TACO_OK);
    CHECK_TEXT(rows("a.tacozip", "id, cloud"), "id,cloud\nt1,1\nt2,2\nt3,3\nt4,4\n");
    CHECK_TEXT(e.text, "");
    CHECK(taco__dir_make(DIR "/nothing", NULL));
    CHECK(taco_add_columns(DIR "/nothing", NULL, &adding, NULL) == TACO_ERR_NOT_FOUND);
    CHECK(taco_add_columns(NULL, NULL, &adding, NULL) == TACO_ERR_ARGUMENT);
    adding.table_count = 0;
    CHECK(taco_add_columns(archive, NULL, &adding, NULL) == TACO_ERR_ARGUMENT);
    adding.table_count = 1;
    adding.tables = NULL;
    CHECK(taco_add_columns(archive, NULL, &adding, NULL) == TACO_ERR_ARGUMENT);
}

/* Names as a file system may list them: ascending, descending, neither. */
static void test_order(void)
{
    taco__dir_scan_entry e3[3];
    taco__dir_scan_list l;
    taco__from_dir g;
    taco__mem mem;
    static char names[3][2] = {"a", "b", "c"};
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    size_t i, k, n;
    memset(&l, 0, sizeof l);
    memset(&g, 0, sizeof g);
    taco__mem_init(&mem, NULL);
    g.arena.mem = &mem;
    l.g = &g;
    l.entries = e3;
    for (i = 0; i < 6; i++) {
        for (n = 0; n <= 3; n++) {
            memset(e3, 0, sizeof e3);
            for (k = 0; k < 3; k++) {
                e3[k].name = names[orders[i][k]];
            }
            l.count = n;
            CHECK(taco__dir_scan_sort(&l));
            for (k = 1; k < n; k++) {
                CHECK(strcmp(e3[k - 1].name, e3[k].name) < 0);
            }
        }
    }
}

/* Bytes held at most while n small files become one dataset. */
static size_t peak_of(int n)
{
    taco_options opt;
    taco_allocator a;
    test_memory m;
    char path[64];
    int i;
    begin();
    test_counted(&opt, &a, &m);
    create.options = &opt;
    for (i = 0; i < n; i++) {
        snprintf(path, sizeof path, DIR "/src/t1/f%07d", i);
        write_file(path, "x", 1);
    }
    snprintf(path, sizeof path, DIR "/out/many.tacozip");
    CHECK(taco_create_directory(path, DIR "/src/t1", collection, sizeof collection - 1, &how, &e) ==
          TACO_OK);
    CHECK(m.live == 0);
    return m.peak;
}

/* What a sample more takes, beside the buffers that every dataset needs: entry, name, row. */
static void test_memory_of_samples(void)
{
    size_t few = peak_of(1024), many = peak_of(4096), each = (many - few) / 3072;
    CHECK(many > few && each < 450);
    if (each >= 450) { printf("%u bytes a sample\n", (unsigned)each); }
}

int main(void)
{
    RUN(test_one);
    RUN(test_memory_of_samples);
    RUN(test_sizes);
    RUN(test_order);
#ifdef TACO__OPEN_AT
    RUN(test_descriptors);
#endif
    RUN(test_levels_of_columns);
    RUN(test_tables);
    RUN(test_mixed);
    RUN(test_codes);
    RUN(test_utf16);
    RUN(test_own_columns);
    RUN(test_groups);
    RUN(test_group_times);
    RUN(test_group_names);
    RUN(test_group_codes);
    RUN(test_fewer_parts);
    RUN(test_name_taken);
    RUN(test_parts);
    RUN(test_native_paths);
    RUN(test_extent);
    RUN(test_tiffs);
    RUN(test_enriched);
    RUN(test_pixels);
    RUN(test_log);
    RUN(test_derived);
    RUN(test_unknown_places);
    RUN(test_points);
    RUN(test_refused);
    RUN(test_strays);
    RUN(test_add);
    RUN(test_add_pieces);
    RUN(test_add_refused);
    RUN(test_add_directory);
    RUN(test_add_interrupted);
    RUN(test_add_options);
    return test_end("gather");
}
