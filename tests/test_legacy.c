/* Old datasets: three generations of headers, nested tortillas, chains, filters, writers, round
   trips. */
#include "places.h"

#include "../src/arrow/arrow.h"
#include "../src/base/base.h"
#include "../src/base/sha256.h"
#include "../src/dataset/dataset.h"
#include "../src/tiff/tiff.h"
#include "../src/write/write.h"
#include "../src/legacy/legacy.h"
#undef TACO__TORTILLA_PART_BYTES
static uint64_t part_bytes = UINT64_C(20000000000);
#define TACO__TORTILLA_PART_BYTES part_bytes
#include "../src/legacy/from_taco2.c"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"
#include "../taco.h"
#include "../extra/taco_sql.h"
#include "../extra/taco_tiff.h"
#include "../extra/taco_write.h"
#include "../extra/taco_legacy.h"

#include "test.h"

#include "names.h"

#include <time.h>

#define DATA "tests/data/legacy/"
/* The core fields of a collection but for its id and description (TACO 0.2.0). */
#define CORE                                                                                       \
    "\"taco_version\":\"0.4.0\",\"dataset_version\":\"1.0\",\"licenses\":[\"MIT\",\"CC0-1.0\"],"   \
    "\"providers\":[{\"organization\":\"o|p\",\"roles\":[\"host\"]}],\"extent\":{\"spatial\":"     \
    "[[-1,-2,3,4]],\"temporal\":[[\"2020-01-01T00:00:00Z\",\"2020-02-01T00:00:00Z\"]]}"

static const taco_opener *openers[2];
static taco_options options;

static taco_error none(void)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    return e;
}

static taco_dataset *open_it(const char *path)
{
    taco_error e = none();
    taco_dataset *ds = taco_open(path, &options, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    return ds;
}

/* One column of the rows of a query, joined by blanks. */
static const char *column(taco_dataset *ds, const taco_query *q, const char *name)
{
    static char out[4096];
    taco_error e = none();
    taco_cursor *c = taco_select(ds, q, &e);
    out[0] = 0;
    while (taco_cursor_next(c)) {
        const char *text = taco_cursor_text(c, name);
        sprintf(out + strlen(out), "%s%.300s", out[0] ? " " : "", text ? text : "-");
    }
    taco_cursor_close(c, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    return out;
}

static uint64_t payload_size(taco_dataset *ds, const char *key, char first[4])
{
    taco_error e = none();
    taco_source s;
    uint64_t n;
    memset(first, 0, 4);
    if (taco_payload(ds, key, &s, &e) != TACO_OK) {
        printf("%s\n", e.text);
        return UINT64_MAX;
    }
    n = s.size;
    CHECK(n < 3 || s.read(s.ctx, 0, first, 3));
    s.close(s.ctx);
    return n;
}

static void refused(taco_status code, const taco_error *e, taco_status want, const char *words)
{
    CHECK(code == want && e->code == want && strstr(e->text, words) != NULL);
    if (!strstr(e->text, words)) { printf("%s\n", e->text); }
}

/* "/vsisubfile/RANGE,/.../PATH"; without such a call the path stays as it is. */
static bool is_absolute(const char *vsi, const char *range, const char *path)
{
    static char full[TACO__PATH_MAX + 1], want[TACO__PATH_MAX + 100];
    const char *real = TACO__REALPATH(path, full);
    snprintf(want, sizeof want, "/vsisubfile/%s,%s", range, real ? real : path);
    return strcmp(vsi, want) == 0 && (!real || taco__plat_is_absolute(real, strlen(real)));
}

static bool same_file(const char *a, const char *b)
{
    FILE *f = fopen(a, "rb"), *g = fopen(b, "rb");
    int x = 0, y = 0;
    bool open = f && g;
    while (open && x == y && x != EOF) {
        x = getc(f);
        y = getc(g);
    }
    if (f) { fclose(f); }
    if (g) { fclose(g); }
    return open && x == y;
}

static void write_bytes(const char *path, const uint8_t *p, size_t n)
{
    FILE *f = fopen(path, "wb");
    CHECK(f && fwrite(p, 1, n, f) == n);
    if (f) { fclose(f); }
}

/* ---- reading ---- */

static void plain_file(void)
{
    taco_dataset *ds = open_it(DATA "mixed.tortilla");
    taco_error e = none();
    taco_query q;
    char first[4];
    size_t n, i;
    const taco_field *f = taco_level_fields(ds, 0, &n, &e);
    memset(&q, 0, sizeof q);
    CHECK(taco_dataset_kind(ds) == TACO_KIND_OTHER && taco_levels(ds) == 1);
    CHECK_TEXT(column(ds, &q, "tortilla:id"), "\xc3\xb1"
                                              "and\xc3\xba"
                                              " 01 empty img tif raw");
    CHECK_TEXT(column(ds, &q, "type"), "FILE FILE FILE FILE FILE");
    CHECK_TEXT(column(ds, &q, "time"), "- - 2021-05-06T07:08:09.000000000 - -");
    for (i = 0; i < n; i++) {
        CHECK(strncmp(f[i].name, "__index", 7) != 0);
    }
    q.where = "\"tortilla:id\" = 'img'";
    CHECK(is_absolute(column(ds, &q, "internal:gdal_vsi"), "231_2155", DATA "mixed.tortilla"));
    CHECK(is_absolute(column(ds, &q, "internal:subfile"), "231_2155", DATA "mixed.tortilla"));
    CHECK(payload_size(ds, "empty", first) == 0);
    CHECK(payload_size(ds, "@2", first) == 2155 && strcmp(first, "\x89PN") == 0);
    CHECK(strstr((const char *)taco_info_json(ds, &e).data, "\"collection\":null") != NULL);
    taco_close(ds);
}

static void older_headers(void)
{
    static const char *const parts[] = {DATA "parts.0001.part.tortilla",
                                        DATA "parts.0000.part.tortilla"};
    taco_dataset *ds = open_it(DATA "a0.tortilla");
    taco_error e = none();
    taco_query q;
    char first[4];
    memset(&q, 0, sizeof q);
    CHECK_TEXT(column(ds, &q, "internal:file_format"), "GTiff GTiff GTiff");
    CHECK_TEXT(column(ds, &q, "tortilla:offset"), "50 12081 24104");
    CHECK(payload_size(ds, "s2", first) == 12039 && memcmp(first, "II", 2) == 0);
    taco_close(ds);
    ds = taco_open_many(parts, 2, TACO_COLUMNS_INTERSECTION, &options, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK_TEXT(column(ds, &q, "tortilla:id"), "s1 s0"); /* in the order of the files */
    CHECK(payload_size(ds, "s0", first) == 12031 && memcmp(first, "II", 2) == 0);
    q.time = "2020-01-02";
    CHECK_TEXT(column(ds, &q, "id"), "s1");
    q.exact_time = true;
    q.time = "2020-01-01T00:00:00Z/2020-01-01T00:00:01Z";
    CHECK_TEXT(column(ds, &q, "id"), "s0");
    q.time = NULL;
    {
        const double box[4] = {-0.369, 39.4, -0.368, 39.5};
        q.bbox = box;
        CHECK_TEXT(column(ds, &q, "id"), "s0");
    }
    taco_close(ds);
}

/* The first files: a header of 50 bytes, payloads, as many bytes of nothing, {"id": [offset,
   length], ...}. */
static taco_dataset *first_file(const char *footer, size_t len, taco_error *e)
{
    static uint8_t bytes[400];
    static const char head[] = "GTiff                           abcdefgh";
    taco_source src;
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, "#y", 2);
    taco__put_le64(bytes + 2, 108); /* 50 behind the last payload */
    taco__put_le64(bytes + 10, len);
    memcpy(bytes + 18, head, 40);
    memcpy(bytes + 108, footer, len);
    taco_source_memory(&src, bytes, 108 + len);
    return taco_open_source(&src, "x.tortilla", &options, e);
}

static void json_footers(void)
{
    static const char good[] = "{\"s\\u00e9\": [50, 3], \"a\": [53, 5], \"none\": [58, 0]}";

    static const struct {
        const char *footer, *words;
        taco_status status;
    } bad[] = {{"{\"a\": [50]}", "at byte 114: sample 'a' is an array, must be [offset, length]",
                TACO_ERR_CORRUPT},
               {"{\"a\": [50, 3.5]}", "sample 'a'", TACO_ERR_CORRUPT},
               {"{\"a\": \"x\"}", "sample 'a' is a string", TACO_ERR_CORRUPT},
               {"{\"a\": [-1, 3]}", "row 0: tortilla:offset -1", TACO_ERR_CORRUPT},
               {"{\"a\": [50, 9223372036854775807]}", "row 0:", TACO_ERR_TRUNCATED},
               {"{\"a\": [50, 3]", "the end of the text", TACO_ERR_CORRUPT},
               {"{\"a\": [50, 3]} x", "found 'x'", TACO_ERR_CORRUPT}};

    taco_error e = none();
    taco_query q;
    char first[4];
    size_t i;
    taco_dataset *ds = first_file(good, sizeof good - 1, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    memset(&q, 0, sizeof q);
    CHECK_TEXT(column(ds, &q, "tortilla:id"), "s\xc3\xa9 a none");
    CHECK_TEXT(column(ds, &q, "type"), "FILE FILE FILE");
    CHECK_TEXT(column(ds, &q, "internal:file_format"), "GTiff GTiff GTiff");
    CHECK_TEXT(column(ds, &q, "internal:subfile"),
               "/vsisubfile/50_3,x.tortilla /vsisubfile/53_5,x.tortilla "
               "/vsisubfile/58_0,x.tortilla");
    CHECK(payload_size(ds, "a", first) == 5 && strcmp(first, "def") == 0);
    CHECK(payload_size(ds, "none", first) == 0);
    taco_close(ds);
    ds = first_file("{}", 2, &e);
    CHECK_TEXT(column(ds, &q, "id"), "");
    taco_close(ds);
    for (i = 0; i < sizeof bad / sizeof *bad; i++) {
        e = none();
        taco_close(first_file(bad[i].footer, strlen(bad[i].footer), &e));
        refused(e.code, &e, bad[i].status, bad[i].words);
    }
}

static void nested(void)
{
    taco_dataset *ds = open_it(DATA "taco_inside.tortilla");
    taco_error e = none();
    taco_query q;
    taco_cursor *c;
    taco_filter f;
    char first[4];
    memset(&q, 0, sizeof q);
    memset(&f, 0, sizeof f);
    CHECK(taco_levels(ds) == 2);
    CHECK_TEXT(column(ds, &q, "type"), "FOLDER FILE");
    q.table = 1;
    CHECK_TEXT(column(ds, &q, "tortilla:offset"), "400 12431 24454");
    CHECK_TEXT(column(ds, &q, "internal:relative_path"), "t/s0 t/s1 t/s2");
    f.where = "id = 'z'"; /* the parents of the rows */
    q.filters = &f;
    q.filter_count = 1;
    CHECK_TEXT(column(ds, &q, "id"), "");
    CHECK(payload_size(ds, "t/s1", first) == 12023 && memcmp(first, "II", 2) == 0);
    c = taco_read(ds, "t", false, &e);
    CHECK(taco_cursor_next(c) && taco_cursor_next(c));
    CHECK(is_absolute(taco_cursor_vsi(c), "12431_12023", DATA "taco_inside.tortilla"));
    taco_cursor_close(c, &e);
    c = taco_sql(ds,
                 "SELECT count(*) AS n, sum(cloud_cover) AS s FROM level1 JOIN level0 ON "
                 "level1.\"internal:parent_id\" = level0.\"internal:current_id\"",
                 &e);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK(taco_cursor_next(c));
    CHECK_TEXT(taco_cursor_json(c), "{\"n\":3,\"s\":10.5}");
    taco_cursor_close(c, &e);
    taco_close(ds);
}

/* A file that is somewhere else: paths have the prefix of GDAL's handler of that place. */
static void remote_names(void)
{
    static const char *const t[][2] = {
        {"https://h/d/x.tortilla", "/vsisubfile/231_2155,/vsicurl/https://h/d/x.tortilla"},
        {"s3://b/x.tortilla", "/vsisubfile/231_2155,/vsis3/b/x.tortilla"},
        {"gs://b/x.tortilla", "/vsisubfile/231_2155,/vsigs/b/x.tortilla"},
        {"az://b/x.tortilla", "/vsisubfile/231_2155,/vsiaz/b/x.tortilla"},
        {"oss://b/x.tortilla", "/vsisubfile/231_2155,/vsioss/b/x.tortilla"},
        {"swift://b/x.tortilla", "/vsisubfile/231_2155,/vsiswift/b/x.tortilla"},
    };
    taco_error e = none();
    taco_source src;
    taco_sample s;
    taco_dataset *ds;
    taco_query q;
    size_t i;
    memset(&q, 0, sizeof q);
    q.where = "\"tortilla:id\" = 'img'";
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        CHECK(taco_source_file(&src, DATA "mixed.tortilla", &e) == TACO_OK);
        ds = taco_open_source(&src, t[i][0], &options, &e);
        CHECK_TEXT(taco_error_text(&e), "");
        CHECK_TEXT(column(ds, &q, "internal:subfile"), t[i][1]);
        CHECK_TEXT(column(ds, &q, "internal:gdal_vsi"), t[i][1]);
        CHECK(taco_locate(ds, "img", &s, &e) == TACO_OK);
        CHECK_TEXT(s.vsi, t[i][1]);
        taco_close(ds);
    }
}

/* The same bytes and path of every row of several files, by navigation and by a loader. */
static void several_files(void)
{
    static const char *const paths[] = {DATA "minimal.tortilla", DATA "mixed.tortilla"};
    taco_loader_options how;
    taco_loader_batch batch;
    taco_error e = none();
    taco_dataset *ds = taco_open_many(paths, 2, TACO_COLUMNS_INTERSECTION, &options, &e);
    taco_loader *l;
    uint64_t i = 0;
    memset(&how, 0, sizeof how);
    how.batch = 1;
    l = taco_loader_open(ds, NULL, &how, &e);
    CHECK(taco_loader_count(l) == 6);
    for (; taco_loader_next(l, &batch); i++) {
        static uint8_t bytes[4096];
        char key[8];
        taco_query q;
        taco_sample s;
        taco_source src;
        taco_bytes got = batch.items[0].bytes;
        memset(&q, 0, sizeof q);
        q.offset = i;
        q.limit = 1;
        sprintf(key, "@%u", (unsigned)i);
        CHECK(taco_locate(ds, key, &s, &e) == TACO_OK);
        CHECK_TEXT(s.vsi, column(ds, &q, "internal:gdal_vsi"));
        CHECK(taco_payload(ds, key, &src, &e) == TACO_OK && src.size == got.len);
        CHECK(src.size <= sizeof bytes && src.read(src.ctx, 0, bytes, (size_t)src.size));
        CHECK(got.len == 0 || memcmp(bytes, got.data, got.len) == 0);
        if (src.close) { src.close(src.ctx); }
    }
    CHECK(i == 6);
    CHECK(taco_loader_close(l, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    taco_close(ds);
}

/* A copy of minimal.tortilla with bytes [at, at + 8) replaced, opened. */
static taco_status damaged(size_t at, uint64_t value, size_t cut, taco_error *e)
{
    static uint8_t bytes[8192];
    FILE *f = fopen(DATA "minimal.tortilla", "rb");
    size_t n = f ? fread(bytes, 1, sizeof bytes, f) : 0;
    taco_source src;
    CHECK(n > 4000);
    if (f) { fclose(f); }
    taco__put_le64(bytes + at, value);
    taco_source_memory(&src, bytes, cut ? cut : n);
    taco_close(taco_open_source(&src, "x.tortilla", &options, e));
    return e->code;
}

static void bad_headers(void)
{
    taco_error e = none();
    refused(damaged(2, 1 << 30, 0, &e), &e, TACO_ERR_TRUNCATED,
            "x.tortilla: at byte 2: the footer");
    e = none();
    refused(damaged(2, UINT64_MAX, 0, &e), &e, TACO_ERR_TRUNCATED, "at byte 2: the footer");
    e = none();
    refused(damaged(10, 3, 0, &e), &e, TACO_ERR_TRUNCATED, "not Parquet");
    e = none();
    refused(damaged(34, 5, 0, &e), &e, TACO_ERR_CORRUPT, "at byte 26: the collection");
    e = none();
    refused(damaged(18, 1, 12, &e), &e, TACO_ERR_TRUNCATED, "50 or 200 bytes, 12 are there");
    e = none();
    refused(damaged(0, (uint64_t)'#' | (uint64_t)'x' << 8, 0, &e), &e, TACO_ERR_CORRUPT,
            "not a ZIP archive, which begins with");
    e = none();
    taco_close(taco_open(DATA "minimal.tortilla", NULL, &e)); /* nobody asked for old files */
    refused(e.code, &e, TACO_ERR_UNSUPPORTED, "a Tortilla 0.x file");
}

/* ---- writing ---- */

#define ROWS 5

typedef struct table {
    taco_field fields[5];
    taco_array columns[5];
    taco_batch batch;
    int32_t ends[ROWS + 1], formats[ROWS + 1], empty[ROWS + 1];
    int64_t times[ROWS];
} table;

static const char words[] = "ceadb", formats[] = "BYTESBYTESBYTESBYTESBYTES";

static bool letters(void *ctx, size_t row, taco_source *out)
{
    static const char text[] = "0123456789";
    (void)ctx;
    taco_source_memory(out, text, row * 2);
    return true;
}

static void make_table(table *t)
{
    static const char *const names[] = {"x", "tortilla:id", "tortilla:file_format",
                                        "stac:time_start", "tortilla:data_split"};
    size_t i;
    memset(t, 0, sizeof *t);
    for (i = 0; i < ROWS; i++) {
        t->ends[i + 1] = (int32_t)i + 1;
        t->formats[i + 1] = (int32_t)i * 5 + 5;
        t->times[i] = 1577836800 + (int64_t)i;
    }
    for (i = 0; i < 5; i++) {
        bool text = i == 1 || i == 2 || i == 4;
        t->fields[i].name = names[i];
        t->fields[i].type = text ? TACO_TEXT : TACO_INT64;
        t->fields[i].width = text ? 0 : 8;
        t->columns[i].field = &t->fields[i];
        t->columns[i].length = ROWS;
        t->columns[i].offsets = i == 1 ? t->ends : i == 2 ? t->formats : text ? t->empty : NULL;
        t->columns[i].v.any = i == 1   ? (const void *)words
                              : i == 2 ? (const void *)formats
                              : text   ? (const void *)""
                                       : (const void *)t->times;
    }
    t->batch.columns = t->columns;
    t->batch.column_count = 4;
    t->batch.length = ROWS;
}

static void create_files(void)
{
    static const char *const parts[] = {"build/tmp_lg.0000.part.taco",
                                        "build/tmp_lg.0001.part.taco",
                                        "build/tmp_lg.0002.part.taco"};
    taco_tortilla_options o;
    taco_error e = none();
    taco_dataset *ds;
    taco_query q;
    table t;
    char first[4];
    memset(&o, 0, sizeof o);
    memset(&q, 0, sizeof q);
    make_table(&t);
    CHECK(taco_tortilla_create("build/tmp_lg.tortilla", &t.batch, letters, NULL, NULL, &e) ==
          TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    ds = open_it("build/tmp_lg.tortilla");
    CHECK_TEXT(column(ds, &q, "tortilla:id"), "c e a d b");
    CHECK_TEXT(column(ds, &q, "tortilla:offset"), "200 200 202 206 212");
    CHECK(payload_size(ds, "b", first) == 8 && strcmp(first, "012") == 0);
    taco_close(ds);
    o.part_bytes = 8;
    o.collection = "{\"id\":\"x\",\"description\":\"d\"," CORE "}";
    CHECK(taco_tortilla_create("build/tmp_lg.taco", &t.batch, letters, NULL, &o, &e) == TACO_OK);
    ds = taco_open_many(parts, 3, TACO_COLUMNS_STRICT, &options, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK_TEXT(column(ds, &q, "tortilla:id"), "a b c d e"); /* by id, as the last reader */
    CHECK_TEXT(column(ds, &q, "tortilla:length"), "4 8 0 6 2");
    CHECK_TEXT(taco_id(ds), "x");
    CHECK(payload_size(ds, "@1", first) == 8 && payload_size(ds, "d", first) == 6);
    q.where = "\"tortilla:length\" > 3";
    CHECK(taco_tortilla_compile(ds, &q, "build/tmp_lg2.tortilla", &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    taco_close(ds);
    ds = open_it("build/tmp_lg2.tortilla");
    memset(&q, 0, sizeof q);
    CHECK(taco_level_rows(ds, 0, &e) == 3 && payload_size(ds, "b", first) == 8);
    taco_close(ds);
}

static size_t level_columns(taco_dataset *ds)
{
    taco_error e = none();
    size_t n = 0;
    CHECK(taco_level_fields(ds, 0, &n, &e) != NULL);
    return n;
}

static bool no_bytes(void *ctx, size_t row, taco_source *out)
{
    return row != 3 && letters(ctx, row, out);
}

static void create_refuses(void)
{
    taco_error e = none();
    table t;
    make_table(&t);
    t.columns[1].v.any = "abcab";
    refused(taco_tortilla_create("build/tmp_lg.no", &t.batch, letters, NULL, NULL, &e), &e,
            TACO_ERR_ARGUMENT, "ids must be unique");
    make_table(&t);
    e = none();
    refused(taco_tortilla_create("build/tmp_lg.no", &t.batch, letters, NULL, NULL, &e), &e,
            TACO_ERR_ARGUMENT, "build/tmp_lg.no: the name of a file without a collection must end");
    e = none();
    refused(taco_tortilla_create("build/tmp_lg.taco", &t.batch, letters, NULL, NULL, &e), &e,
            TACO_ERR_ARGUMENT, "must end in .tortilla");
    make_table(&t);
    t.batch.column_count = 5;
    t.empty[ROWS] = 3;
    t.columns[4].v.any = "val";
    e = none();
    refused(taco_tortilla_create("build/tmp_lg.no", &t.batch, letters, NULL, NULL, &e), &e,
            TACO_ERR_ARGUMENT, "train, validation, test");
    CHECK(fopen("build/tmp_lg.no", "rb") == NULL);
    make_table(&t);
    e = none();
    refused(taco_tortilla_create("build/tmp_no.tortilla", &t.batch, no_bytes, NULL, NULL, &e), &e,
            TACO_ERR_IO, "row 3: its bytes cannot be had");
    CHECK(fopen("build/tmp_no.tortilla", "rb") == NULL);
    e = none();
    refused(taco_tortilla_create(NULL, &t.batch, letters, NULL, NULL, &e), &e, TACO_ERR_ARGUMENT,
            "no path given");
    CHECK(taco_tortilla_create("x.tortilla", NULL, letters, NULL, NULL, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_tortilla_create("x.tortilla", &t.batch, NULL, NULL, NULL, NULL) ==
          TACO_ERR_ARGUMENT);
    t.batch.length = 0;
    CHECK(taco_tortilla_create("x.tortilla", &t.batch, letters, NULL, NULL, NULL) ==
          TACO_ERR_ARGUMENT);
}

static void edits(void)
{
    taco_error e = none();
    taco_dataset *ds;
    taco_query q;
    memset(&q, 0, sizeof q);
    CHECK(taco_tortilla_to_taco(DATA "mixed.tortilla", "build/tmp_lg3.taco",
                                "{\"id\":\"m\",\"description\":\"d\"," CORE "}", NULL,
                                &e) == TACO_OK);
    ds = open_it("build/tmp_lg3.taco");
    CHECK_TEXT(taco_id(ds), "m");
    CHECK(taco_level_rows(ds, 0, &e) == 5);
    taco_close(ds);
    CHECK(taco_tortilla_edit_collection(
              "build/tmp_lg3.taco", "build/tmp_lg3.taco",
              "{\"id\":\"n\",\"title\":\"longer\",\"description\":\"d\"," CORE "}", NULL,
              &e) == TACO_OK);
    ds = open_it("build/tmp_lg3.taco");
    CHECK_TEXT(taco_title(ds), "longer");
    taco_close(ds);
    CHECK(taco_tortilla_from_taco("build/tmp_lg3.taco", "build/tmp_lg3.tortilla", NULL, &e) ==
          TACO_OK);
    CHECK(same_file(DATA "mixed.tortilla", "build/tmp_lg3.tortilla"));
    refused(taco_tortilla_from_taco("build/tmp_lg3.tortilla", "build/tmp_lg.no", NULL, &e), &e,
            TACO_ERR_ARGUMENT, "a tortilla, not a TACO");
    e = none();
    refused(
        taco_tortilla_edit_collection("build/tmp_lg3.tortilla", "build/tmp_lg.no", "{}", NULL, &e),
        &e, TACO_ERR_ARGUMENT, "a tortilla, not a TACO");
    e = none();
    refused(taco_tortilla_to_taco("build/tmp_lg3.taco", "build/tmp_lg.no", "{}", NULL, &e), &e,
            TACO_ERR_ARGUMENT, "a TACO already");
    e = none();
    refused(taco_tortilla_to_taco(DATA "a0.tortilla", "build/tmp_lg.no", "{}", NULL, &e), &e,
            TACO_ERR_UNSUPPORTED, "files of before Tortilla 0.3 are read, not changed");
    e = none();
    refused(taco_tortilla_to_taco(DATA "mixed.tortilla", "build/tmp_lg.no", "{}", NULL, &e), &e,
            TACO_ERR_ARGUMENT, "id");
    CHECK(taco_tortilla_from_taco(DATA "none.taco", "build/tmp_lg.no", NULL, NULL) ==
          TACO_ERR_NOT_FOUND);
    CHECK(taco_tortilla_edit_collection(DATA "none.taco", "build/tmp_lg.no", "{}", NULL, NULL) ==
          TACO_ERR_NOT_FOUND);
    CHECK(fopen("build/tmp_lg.no", "rb") == NULL);
}

/* What follows a collection would be lost with it: bytes, or the footer. */
static void collection_not_last(void)
{
    static uint8_t bytes[32768];
    const char *in = "build/tmp_lg21.taco";
    taco_error e = none();
    FILE *f;
    size_t n, footer, json, i;
    CHECK(taco_tortilla_to_taco(DATA "mixed.tortilla", in,
                                "{\"id\":\"m\",\"description\":\"d\"," CORE "}", NULL,
                                &e) == TACO_OK);
    f = fopen(in, "rb");
    n = f ? fread(bytes, 1, sizeof bytes, f) : 0;
    if (f) { fclose(f); }
    CHECK(n > 200 && n < sizeof bytes / 2);
    footer = (size_t)taco__load_le64(bytes + 2);
    json = (size_t)taco__load_le64(bytes + 26);
    for (i = 0; i < 2; i++) {
        if (i == 0) {
            write_bytes(in, bytes, n + 1);
        } else { /* the footer once more, and only there */
            memcpy(bytes + n, bytes + footer, json - footer);
            taco__put_le64(bytes + 2, n);
            write_bytes(in, bytes, n + json - footer);
        }
        taco_close(open_it(in));
        refused(taco_tortilla_from_taco(in, "build/tmp_lg.no", NULL, &e), &e, TACO_ERR_UNSUPPORTED,
                "is not the end of the file");
        e = none();
        refused(taco_tortilla_edit_collection(in, "build/tmp_lg.no",
                                              "{\"id\":\"m\",\"description\":\"d\"," CORE "}", NULL,
                                              &e),
                &e, TACO_ERR_UNSUPPORTED, "what follows it would be lost");
        e = none();
    }
    CHECK(fopen("build/tmp_lg.no", "rb") == NULL);
}

/* Conditions on times and boxes of old files: times of several types, points in text. */
static void filters(void)
{
    static const double box[4] = {-1, 39, 0, 40}, all[4] = {-180, -90, 180, 90},
                        beside[4][4] = {
                            {0, 39, 1, 40}, {-2, 39, -1, 40}, {-1, 40, 0, 41}, {-1, 38, 0, 39}};
    taco_dataset *ds = open_it(DATA "parts.0000.part.tortilla");
    taco_error e = none();
    taco_cursor *c;
    taco_query q;
    size_t i;
    memset(&q, 0, sizeof q);
    q.bbox = box;
    CHECK_TEXT(column(ds, &q, "id"), "s0");
    q.bbox = all;
    CHECK_TEXT(column(ds, &q, "id"), "s0");
    for (i = 0; i < 4; i++) {
        q.bbox = beside[i];
        CHECK_TEXT(column(ds, &q, "id"), "");
    }
    q.bbox = NULL;
    q.time = "nonsense";
    c = taco_select(ds, &q, &e);
    CHECK(!c || !taco_cursor_next(c));
    taco_cursor_close(c, &e);
    refused(e.code, &e, TACO_ERR_SYNTAX, "'nonsense'");
    taco_close(ds);
}

/* Bytes that come at first, but no more after so many calls. */
static bool fewer_bytes(void *ctx, size_t row, taco_source *out)
{
    size_t *left = (size_t *)ctx;
    return *left && (--*left, letters(NULL, row, out));
}

/* Parts are written as a whole or not at all, whichever of them fails. */
static void parts_undone(void)
{
    static const char *const parts[] = {"build/tmp_lgp.0000.part.tortilla",
                                        "build/tmp_lgp.0001.part.tortilla",
                                        "build/tmp_lgp.0002.part.tortilla"};
    taco_tortilla_options o;
    size_t i, calls, left;
    table t;
    memset(&o, 0, sizeof o);
    make_table(&t);
    o.part_bytes = 8;                             /* rows 0 to 2, 3, 4 */
    for (calls = 0; calls <= 2 * ROWS; calls++) { /* a source is opened twice */
        taco_error e = none();
        taco_status st;
        for (i = 0; i < 3; i++) {
            remove(parts[i]);
        }
        left = calls;
        st = taco_tortilla_create("build/tmp_lgp.tortilla", &t.batch, fewer_bytes, &left, &o, &e);
        CHECK(left == 0 && st == e.code && st == (calls < 2 * ROWS ? TACO_ERR_IO : TACO_OK));
        for (i = 0; i < 3; i++) {
            FILE *f = fopen(parts[i], "rb");
            CHECK((f != NULL) == (st == TACO_OK));
            if (f) { fclose(f); }
        }
    }
}

/* Gets a warning about a part. */
static void warn_of_part(void *ctx, const taco_error *what)
{
    if (strstr(what->text, "part.tortilla is a part of an earlier file")) { ++*(int *)ctx; }
}

/* The bytes of a small file, and how many; 0 if it is missing. */
static size_t bytes_of(const char *path, uint8_t out[4096])
{
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(out, 1, 4096, f) : 0;
    if (f) { fclose(f); }
    return n;
}

/* Parts that are replaced stay until all new ones are complete; a further one stays. */
static void parts_replaced(void)
{
    static const char *const part = "build/tmp_lgp.0001.part.tortilla";
    taco_tortilla_options o;
    taco_options opt;
    taco_error e = none();
    static uint8_t before[4096], after[4096];
    size_t left = 2 * ROWS, n;
    int warned = 0;
    table t;
    memset(&o, 0, sizeof o);
    memset(&opt, 0, sizeof opt);
    opt.warn = warn_of_part;
    opt.warn_ctx = &warned;
    o.options = &opt;
    make_table(&t);
    o.part_bytes = 8;
    CHECK(taco_tortilla_create("build/tmp_lgp.tortilla", &t.batch, fewer_bytes, &left, &o, &e) ==
          TACO_OK);
    n = bytes_of(part, before);
    left = 2 * ROWS - 1;
    CHECK(taco_tortilla_create("build/tmp_lgp.tortilla", &t.batch, fewer_bytes, &left, &o, &e) ==
          TACO_ERR_IO);
    CHECK(n && bytes_of(part, after) == n && memcmp(before, after, n) == 0);
    e = none();
    o.keep_parts = true;
    left = 2 * ROWS;
    remove("build/tmp_lgp.0000.part.tortilla");
    CHECK(taco_tortilla_create("build/tmp_lgp.tortilla", &t.batch, fewer_bytes, &left, &o, &e) ==
          TACO_ERR_ARGUMENT);
    refused(e.code, &e, TACO_ERR_ARGUMENT, "build/tmp_lgp.0001.part.tortilla exists already");
    e = none();
    o.keep_parts = false;
    o.part_bytes = 12; /* two parts */
    CHECK(warned == 0);
    left = 2 * ROWS;
    CHECK(taco_tortilla_create("build/tmp_lgp.tortilla", &t.batch, fewer_bytes, &left, &o, &e) ==
          TACO_OK);
    CHECK(warned == 1);
    remove("build/tmp_lgp.0000.part.tortilla");
    remove(part);
    remove("build/tmp_lgp.0002.part.tortilla");
}

/* Names of datasets are made from those of files, however their paths are written. */
static void native_paths(void)
{
    const char *in = test_native(DATA "mixed.tortilla");
    taco_convert_options c;
    taco_error e = none();
    taco_dataset *ds;
    taco_bytes id;
    memset(&c, 0, sizeof c);
    c.create.overwrite = true;
    CHECK(taco_convert_to_taco2(&in, 1, "build/tmp_lgn.tacozip", &c, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    ds = open_it("build/tmp_lgn.tacozip");
    id = taco_collection(ds, "id");
    CHECK(id.len == 7 && memcmp(id.data, "\"mixed\"", 7) == 0);
    taco_close(ds);
    CHECK_TEXT(taco__metadata_base_name(in), "mixed.tortilla");
    remove("build/tmp_lgn.tacozip");
}

/* A footer of the rows of a query, in a tortilla and in a TACO, which keeps its collection. */
static void edited_footers(void)
{
    static const char *const paths[] = {DATA "mixed.tortilla", "build/tmp_lg3.taco"};
    static const char out[] = "build/tmp_lg11.taco";
    size_t i, k;
    CHECK(taco_tortilla_to_taco(paths[0], paths[1], "{\"id\":\"m\",\"description\":\"d\"," CORE "}",
                                NULL, NULL) == TACO_OK);
    for (i = 0; i < 2; i++) {
        taco_error e = none();
        taco_dataset *ds = open_it(paths[i]), *made;
        taco_cursor *c;
        taco_query q;
        taco_batch b;
        taco_array columns[64];
        int64_t far[8] = {0, 0, 1 << 30, 0, 0};
        char first[4];
        memset(&q, 0, sizeof q);
        q.where = "id <> 'empty'";
        c = taco_select(ds, &q, &e);
        CHECK(taco_cursor_batch(c, &b) && b.length == 4 && b.column_count < 64);
        CHECK(taco_tortilla_edit_footer(paths[i], out, &b, NULL, &e) == TACO_OK);
        CHECK_TEXT(taco_error_text(&e), "");
        made = open_it(out);
        q.where = NULL;
        CHECK_TEXT(column(made, &q, "tortilla:id"), "\xc3\xb1"
                                                    "and\xc3\xba"
                                                    " 01 img tif raw");
        CHECK(payload_size(made, "img", first) == 2155 && strcmp(first, "\x89PN") == 0);
        CHECK_TEXT(taco_id(made) ? taco_id(made) : "none", taco_id(ds) ? taco_id(ds) : "none");
        CHECK(level_columns(made) == level_columns(ds)); /* none twice */
        taco_close(made);
        for (k = 0; k < b.column_count; k++) {
            columns[k] = b.columns[k];
            if (strcmp(columns[k].field->name, "tortilla:offset") == 0) { columns[k].v.any = far; }
        }
        b.columns = columns;
        refused(taco_tortilla_edit_footer(paths[i], out, &b, NULL, &e), &e, TACO_ERR_ARGUMENT,
                "bytes at 1073741824, the payloads end at ");
        b.column_count = 1;
        e = none();
        refused(taco_tortilla_edit_footer(paths[i], out, &b, NULL, &e), &e, TACO_ERR_ARGUMENT,
                "a footer has tortilla:id, tortilla:offset and tortilla:length");
        e = none();
        refused(taco_tortilla_edit_footer(paths[i], out, NULL, NULL, &e), &e, TACO_ERR_ARGUMENT,
                "no rows given");
        taco_cursor_close(c, NULL);
        taco_close(ds);
    }
}

/* Tortillas in a tortilla, with the chain of footers; and what is wrong with chains. */
static bool files_in(void *ctx, size_t row, taco_source *out)
{
    (void)ctx;
    return row == 0 ? taco_source_file(out, DATA "taco_inside.tortilla", NULL) == TACO_OK
                    : letters(NULL, row, out);
}

static void chains(void)
{
    static const char kinds[] = "TORTILLABYTESBYTESBYTESBYTES";
    taco_tortilla_options o;
    taco_error e = none();
    taco_dataset *ds;
    taco_query q;
    table t;
    char first[4];
    size_t i;
    bool ends;
    taco__range r;
    memset(&o, 0, sizeof o);
    memset(&q, 0, sizeof q);
    make_table(&t);
    t.columns[2].v.any = kinds;
    for (i = 1; i <= ROWS; i++) {
        t.formats[i] += 3;
    }
    o.chain = true;
    CHECK(taco_tortilla_create("build/tmp_lg4.tortilla", &t.batch, files_in, NULL, &o, &e) ==
          TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    ds = open_it("build/tmp_lg4.tortilla");
    CHECK(taco_levels(ds) == 3);
    CHECK_TEXT(column(ds, &q, "root"), "c e a d b");
    q.table = 2;
    CHECK_TEXT(column(ds, &q, "root"), "c/t c/t c/t");
    CHECK_TEXT(column(ds, &q, "tortilla:offset"), "600 12631 24654");
    CHECK(payload_size(ds, "c/t/s1", first) == 12023 && memcmp(first, "II", 2) == 0);
    CHECK(payload_size(ds, "c/z", first) == 777);
    taco_close(ds);
    CHECK(taco__chain_parse_pointer(taco__bytes_text(" \"OFFSETLENGTH( 5 ,6)\" "), &ends, &r, &e) &&
          !ends && r.offset == 5 && r.len == 6);
    CHECK(taco__chain_parse_pointer(taco__bytes_text("\"NULL\""), &ends, &r, &e) && ends);
    CHECK(taco__chain_parse_pointer(taco__bytes_text(""), &ends, &r, &e) && ends);
    CHECK(!taco__chain_parse_pointer(taco__bytes_text("OFFSETLENGTH(-5, 6)"), &ends, &r, &e));
    e = none();
    CHECK(!taco__chain_parse_pointer(taco__bytes_text("OFFSETLENGTH(5, 6) x"), &ends, &r, &e));
    refused(e.code, &e, TACO_ERR_CORRUPT, "allowed are OFFSETLENGTH(A, B) and NULL");
}

/* ---- chains made by hand ---- */

/* A footer of a chain: values are separated by blanks, "-" is null. */
typedef struct object {
    const char *ids;
    const char *root;    /* NULL: there is no such column */
    const char *name;    /* of that column; NULL: root */
    taco_type type;      /* of its values; 0: text */
    const char *pointer; /* NULL: to the next object, or the word NULL */
} object;

static uint8_t chain_file[65536];
static size_t chain_len;

static void append_words(taco__array_builder *b, const char *s, taco_error *e)
{
    for (; *s; s += *s == ' ') {
        size_t n = strcspn(s, " ");
        bool null = n == 1 && *s == '-';
        CHECK(null ? taco__array_builder_append_null(b, e)
              : b->field->type == TACO_TEXT
                  ? taco__array_builder_append_bytes(b, taco__bytes_of(s, n), e)
              : b->field->type == TACO_DOUBLE ? taco__array_builder_append_double(b, atof(s), e)
                                              : taco__array_builder_append_int(b, atoi(s), e));
        s += n;
    }
}

/* Appends the footer to the file; every row is the first ten bytes behind the header. */
static void append_object(const object *o, const char *pointer)
{
    taco_field f[4];
    taco__array_builder b[4];
    taco_array a[4];
    taco_batch batch;
    taco_pq_write_options how;
    taco_pq_key key;
    taco_sink sink;
    taco_pq_writer *w;
    taco_error e = none();
    taco__mem mem;
    taco__arena arena;
    size_t i, n = o->root ? 4 : 3;
    memset(&how, 0, sizeof how);
    memset(&batch, 0, sizeof batch);
    memset(&arena, 0, sizeof arena);
    taco__mem_init(&mem, NULL);
    arena.mem = &mem;
    f[0] = taco__field_make("tortilla:id", TACO_TEXT);
    f[1] = taco__field_make("tortilla:offset", TACO_INT64);
    f[2] = taco__field_make("tortilla:length", TACO_INT64);
    f[3] = taco__field_make(o->name ? o->name : "root", o->type ? o->type : TACO_TEXT);
    for (i = 0; i < n; i++) {
        CHECK(taco__array_builder_init(&b[i], &f[i], &mem, &arena, &e));
    }
    append_words(&b[0], o->ids, &e);
    if (o->root) { append_words(&b[3], o->root, &e); }
    for (i = 0; i < b[0].length; i++) {
        CHECK(taco__array_builder_append_int(&b[1], 200, &e) &&
              taco__array_builder_append_int(&b[2], 10, &e));
    }
    for (i = 0; i < n; i++) {
        taco__array_builder_view(&b[i], &a[i]);
    }
    batch.columns = a;
    batch.column_count = n;
    batch.length = a[0].length;
    key.key = "pointer";
    key.value = pointer;
    how.keys = &key;
    how.key_count = 1;
    CHECK(taco_sink_memory(&sink, NULL, &e) == TACO_OK);
    w = taco_pq_write(&sink, f, n, &how, &e);
    CHECK(w && taco_pq_writer_batch(w, &batch) == TACO_OK &&
          taco_pq_writer_close(w, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK(chain_len + taco_sink_bytes(&sink).len <= sizeof chain_file);
    memcpy(chain_file + chain_len, taco_sink_bytes(&sink).data, taco_sink_bytes(&sink).len);
    chain_len += taco_sink_bytes(&sink).len;
    taco_sink_free(&sink);
    for (i = 0; i < n; i++) {
        taco__array_builder_free(&b[i]);
    }
    taco__arena_free(&arena);
}

/* A file of these objects, the last of which is written first, opened. */
static taco_dataset *open_chain(const object *list, size_t n, taco_error *e)
{
    char next[64] = "NULL";
    taco_source src;
    *e = none();
    memset(chain_file, 0, 210);
    memcpy(chain_file, "#y", 2);
    chain_file[18] = 1;
    chain_len = 210;
    while (n--) {
        size_t at = chain_len;
        append_object(&list[n], list[n].pointer ? list[n].pointer : next);
        sprintf(next, "OFFSETLENGTH(%u, %u)", (unsigned)at, (unsigned)(chain_len - at));
        taco__put_le64(chain_file + 2, at);
        taco__put_le64(chain_file + 10, chain_len - at);
    }
    taco_source_memory(&src, chain_file, chain_len);
    return taco_open_source(&src, "x.tortilla", &options, e);
}

/* Rows name their parents by key or by position. */
static void good_chains(void)
{
    static const object by_key[] = {{"a b c", "a b c", NULL, (taco_type)0, NULL},
                                    {"p q r", "c a c", NULL, (taco_type)0, NULL},
                                    {"t u", "a/q c/r", NULL, (taco_type)0, NULL}},
                        by_row[] = {{"a b c", "a b c", NULL, (taco_type)0, NULL},
                                    {"p q r", "2 0 2", "tortilla:root", TACO_INT32, NULL},
                                    {"t u", "1 2", "root", TACO_INT64, "  \"NULL\"\t"}};
    taco_error e;
    taco_query q;
    size_t i;
    memset(&q, 0, sizeof q);
    for (i = 0; i < 2; i++) {
        taco_dataset *ds = open_chain(i ? by_row : by_key, 3, &e);
        CHECK_TEXT(taco_error_text(&e), "");
        CHECK(taco_levels(ds) == 3);
        q.table = 1;
        CHECK_TEXT(column(ds, &q, "internal:relative_path"), "c/p a/q c/r");
        CHECK_TEXT(column(ds, &q, "internal:parent_id"), "2 0 2");
        q.table = 2;
        CHECK_TEXT(column(ds, &q, "internal:relative_path"), "a/q/t c/r/u");
        CHECK_TEXT(column(ds, &q, "internal:parent_id"), "1 2");
        taco_close(ds);
    }
}

/* An object without rows makes no level. */
static void empty_object(void)
{
    static const object list[] = {{"a", "a", NULL, (taco_type)0, NULL},
                                  {"", "", NULL, (taco_type)0, NULL}};
    static const char *const in[] = {"build/tmp_lg20.tortilla"};
    taco_convert_options o;
    taco_error e;
    taco_query q;
    taco_dataset *ds;
    memset(&o, 0, sizeof o);
    memset(&q, 0, sizeof q);
    taco_close(open_chain(list, 2, &e));
    CHECK_TEXT(taco_error_text(&e), "");
    write_bytes(in[0], chain_file, chain_len);
    o.create.overwrite = true;
    CHECK(taco_convert_to_taco2(in, 1, "build/tmp_lg20.tacozip", &o, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    ds = open_it("build/tmp_lg20.tacozip");
    CHECK(taco_levels(ds) == 1);
    CHECK_TEXT(column(ds, &q, "id"), "a");
    taco_close(ds);
}

static void bad_chains(void)
{
    static const struct {
        object second;
        const char *words;
    } t[] = {
        {{"p q", NULL, NULL, (taco_type)0, NULL}, "object 1 of the chain: there is no column root"},
        {{"p q", "a b", "roots", (taco_type)0, NULL}, "there is no column root"},
        {{"p q", "a z", NULL, (taco_type)0, NULL},
         "row 1: root is not a row of the previous object"},
        {{"p q", "a ab", NULL, (taco_type)0, NULL}, "row 1: root is not a row"},
        {{"p q", "- a", NULL, (taco_type)0, NULL}, "row 0: root is not a row"},
        {{"p q", "0 3", NULL, TACO_INT32, NULL}, "row 1: root is not a row"},
        {{"p q", "-1 0", NULL, TACO_INT64, NULL}, "row 0: root is not a row"},
        {{"p q", "0 1", NULL, TACO_DOUBLE, NULL}, "row 0: root is not a row"},
        {{"p q", "a b", NULL, (taco_type)0, "OFFSETLENGTH(200, 0)"},
         "object 1 of the chain: pointer to 0 bytes at 200, the file ends at "},
        {{"p q", "a b", NULL, (taco_type)0, "OFFSETLENGTH(201, 9)"}, "not Parquet"},
        {{"p q", "a b", NULL, (taco_type)0, "OFFSETLENGTH(210, 5)"},
         "pointer to 5 bytes at 210, which overlap object 1 of the chain"},
        {{"p q", "a b", NULL, (taco_type)0, "OFFSETLENGTH(209, 2)"},
         "pointer to 2 bytes at 209, which overlap object 1 of the chain"},
        {{"p q", "a b", NULL, (taco_type)0, "OFFSETLENGTH 1, 2)"},
         "object 1 of the chain: pointer is 'OFFSETLENGTH 1, 2)', allowed are OFFSETLENGTH(A, B) "
         "and NULL"},
        {{"p q", "a b", NULL, (taco_type)0, "OFFSETLENGTH(1 2)"}, "allowed are"},
        {{"p q", "a b", NULL, (taco_type)0, "OFFSETLENGTH(1, 2"}, "allowed are"},
        {{"p q", "a b", NULL, (taco_type)0, "OFFSET(1, 2)"}, "allowed are"},
        {{"p q", "a b", NULL, (taco_type)0, "OFFSETLENGTH(x, 2)"}, "allowed are"},
        {{"p q", "a b", NULL, (taco_type)0, "OFFSETLENGTH(1, x)"}, "allowed are"},
        {{"p q", "a b", NULL, (taco_type)0, "OFFSETLENGTH"}, "allowed are"},
    };

    object list[18];
    taco_error e;
    size_t i;
    list[0].ids = list[0].root = "a b c";
    list[0].name = list[0].pointer = NULL;
    list[0].type = (taco_type)0;
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        list[1] = t[i].second;
        CHECK(open_chain(list, 2, &e) == NULL);
        refused(e.code, &e, e.code, t[i].words);
        CHECK(e.code == TACO_ERR_CORRUPT || (e.code == TACO_ERR_TRUNCATED && i == 9));
    }
    list[1] = t[2].second;
    list[1].root = "a b";
    list[1].pointer = "OFFSETLENGTH(300, 18446744073709551615)";
    CHECK(open_chain(list, 2, &e) == NULL);
    refused(e.code, &e, TACO_ERR_TRUNCATED,
            "object 1 of the chain: pointer to 18446744073709551615");
    for (i = 0; i < 18; i++) { /* samples within samples, by position */
        list[i] = list[0];
        list[i].ids = "a";
        list[i].root = "0";
        list[i].type = TACO_INT32;
    }
    CHECK(open_chain(list, 18, &e) == NULL);
    refused(e.code, &e, TACO_ERR_LIMIT, "a chain of more than 16 objects");
    taco_close(open_chain(list, 16, &e));
    CHECK_TEXT(taco_error_text(&e), "");
}

/* A source that counts its reads. */
typedef struct counted {
    taco_source src;
    size_t reads;
} counted;

static bool counted_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    counted *c = (counted *)ctx;
    c->reads++;
    return c->src.read(c->src.ctx, offset, dst, len);
}

static bool counted_read_many(void *ctx, const taco_piece *reads, size_t n)
{
    counted *c = (counted *)ctx;
    const size_t before = c->reads;
    size_t i;
    for (i = 0; i < n; i++) {
        if (!counted_read(ctx, reads[i].offset, reads[i].dst, reads[i].len)) { return false; }
    }
    c->reads = before + 1;
    return true;
}

/* How many reads it takes to list what is in a tortilla within a tortilla. */
static size_t reads_of(const char *path, bool many)
{
    taco_error e = none();
    counted c;
    taco_source src;
    taco_dataset *ds;
    taco_query q;
    memset(&c, 0, sizeof c);
    memset(&src, 0, sizeof src);
    memset(&q, 0, sizeof q);
    CHECK(taco_source_file(&c.src, path, &e) == TACO_OK);
    src.ctx = &c;
    src.size = c.src.size;
    src.read = counted_read;
    src.read_many = many ? counted_read_many : NULL;
    ds = taco_open_source(&src, path, &options, &e);
    CHECK(taco_levels(ds) == 3);
    q.table = 2;
    CHECK_TEXT(column(ds, &q, "tortilla:id"), "s0 s1 s2");
    taco_close(ds);
    c.src.close(c.src.ctx);
    return c.reads;
}

/* The tables of all levels follow each other in a chain: a request for each table, where those of
   samples within samples take two for each sample, header and footer (TACO 0.2.0 §7). */
static void fewer_requests(void)
{
    static const char kinds[] = "TORTILLABYTESBYTESBYTESBYTES";
    taco_tortilla_options o;
    taco_error e = none();
    size_t chained, nested_ones, i;
    table t;
    memset(&o, 0, sizeof o);
    make_table(&t);
    t.columns[2].v.any = kinds;
    for (i = 1; i <= ROWS; i++) {
        t.formats[i] += 3;
    }
    CHECK(taco_tortilla_create("build/tmp_lg8.tortilla", &t.batch, files_in, NULL, &o, &e) ==
          TACO_OK);
    o.chain = true;
    CHECK(taco_tortilla_create("build/tmp_lg9.tortilla", &t.batch, files_in, NULL, &o, &e) ==
          TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    nested_ones = reads_of("build/tmp_lg8.tortilla", false);
    chained = reads_of("build/tmp_lg9.tortilla", false);
    CHECK(chained < nested_ones);
    /* headers of a level in one round, then footers */
    CHECK(reads_of("build/tmp_lg8.tortilla", true) <= 8);
    if (chained >= nested_ones) { printf("%d reads, %d\n", (int)chained, (int)nested_ones); }
}

/* A tortilla in a tortilla in a tortilla ...: levels end where those of TACO 2 do, and the caller is
   told. */
static const char *inner;

static bool inner_in(void *ctx, size_t row, taco_source *out)
{
    (void)ctx;
    return row == 0 ? taco_source_file(out, inner, NULL) == TACO_OK : letters(NULL, row, out);
}

static void hear_deep(void *ctx, const taco_error *warning)
{
    if (strstr(warning->text, "tortillas below level 5 are only reached by their keys")) {
        ++*(size_t *)ctx;
    }
}

static void deep(void)
{
    static const char kinds[] = "TORTILLABYTESBYTESBYTESBYTES";
    static const char *const paths[] = {"build/tmp_lg12.tortilla", "build/tmp_lg13.tortilla"};
    taco_error e = none();
    taco_options opt = options;
    taco_dataset *ds;
    size_t i, heard = 0;
    table t;
    make_table(&t);
    t.columns[2].v.any = kinds;
    for (i = 1; i <= ROWS; i++) {
        t.formats[i] += 3;
    }
    inner = DATA "minimal.tortilla";
    opt.warn = hear_deep;
    opt.warn_ctx = &heard;
    for (i = 0; i < 6; i++) {
        CHECK(taco_tortilla_create(paths[i % 2], &t.batch, inner_in, NULL, NULL, &e) == TACO_OK);
        CHECK_TEXT(taco_error_text(&e), "");
        inner = paths[i % 2];
        ds = taco_open(inner, &opt, &e);
        CHECK(taco_levels(ds) == (i < 4 ? i + 2 : 6) && heard == (i == 5));
        taco_close(ds);
    }
}

/* Columns of an extension that no rule is known for come through writing and reading as they are;
   several files are one strict table only where their columns agree. */
static void other_columns(void)
{
    static const char *const paths[] = {"build/tmp_lg10.tortilla", DATA "minimal.tortilla"};
    taco_error e = none();
    taco_dataset *ds;
    taco_query q;
    table t;
    memset(&q, 0, sizeof q);
    make_table(&t);
    t.fields[0].name = "stats:mean";
    CHECK(taco_tortilla_create(paths[0], &t.batch, letters, NULL, NULL, &e) == TACO_OK);
    ds = open_it(paths[0]);
    CHECK_TEXT(column(ds, &q, "stats:mean"),
               "1577836800 1577836801 1577836802 1577836803 1577836804");
    taco_close(ds);
    ds = taco_open_many(paths, 2, TACO_COLUMNS_STRICT, &options, &e);
    taco_cursor_close(ds ? taco_select(ds, NULL, &e) : NULL, NULL);
    CHECK(e.code != TACO_OK && strstr(e.text, "stats:mean") != NULL);
    taco_close(ds);
}

/* A tortilla of one row and so many columns, whose pandas metadata name as many index columns: 7,
   which is no name, the last ten columns, and others. */
enum { INDEX_COLUMNS = 400, INDEX_NAMES = 6000 };

static uint8_t index_file[200000];
static taco_type index_type = TACO_INT64; /* of the offset */

static size_t make_index(size_t columns, size_t index)
{
    static char names[INDEX_COLUMNS][16], json[INDEX_NAMES * 12 + 64];
    static taco_field f[INDEX_COLUMNS];
    static taco_array a[INDEX_COLUMNS];
    static const int64_t zero[8] = {0, 0, 0, 0, 0, 0, 0, 0}, first[8] = {400, 0, 0, 0, 0, 0, 0, 0};
    static const int16_t narrow[32] = {400, 0};
    static const int32_t ends[] = {0, 1};
    taco_pq_write_options how;
    taco_pq_key key;
    taco_sink sink;
    taco_pq_writer *w;
    taco_batch batch;
    taco_error e = none();
    size_t i, n, len;
    memset(&how, 0, sizeof how);
    memset(&batch, 0, sizeof batch);
    memset(a, 0, sizeof a);
    n = (size_t)sprintf(json, "{\"index_columns\":[7,\"tortilla:id\"");
    for (i = 0; i < index; i++) {
        n += (size_t)sprintf(json + n, ",\"c%06u\"", (unsigned)(i + columns - 10));
    }
    sprintf(json + n, "]}");
    for (i = 0; i < columns; i++) {
        sprintf(names[i], "c%06u", (unsigned)i);
        f[i] = taco__field_make(i == 0   ? "tortilla:id"
                                : i == 1 ? "tortilla:offset"
                                : i == 2 ? "tortilla:length"
                                         : names[i],
                                i == 1 ? index_type
                                : i    ? TACO_INT64
                                       : TACO_TEXT);
        a[i].field = &f[i];
        a[i].length = 1;
        a[i].offsets = i ? NULL : ends;
        a[i].v.any = i == 1 && index_type != TACO_INT64 ? (const void *)narrow
                     : i                                ? (const void *)(i == 1 ? first : zero)
                                                        : (const void *)"x";
    }
    batch.columns = a;
    batch.column_count = columns;
    batch.length = 1;
    key.key = "pandas";
    key.value = json;
    how.keys = &key;
    how.key_count = 1;
    CHECK(taco_sink_memory(&sink, NULL, &e) == TACO_OK);
    w = taco_pq_write(&sink, f, columns, &how, &e);
    CHECK(w && taco_pq_writer_batch(w, &batch) == TACO_OK &&
          taco_pq_writer_close(w, &e) == TACO_OK);
    len = taco_sink_bytes(&sink).len;
    CHECK(len + 400 <= sizeof index_file);
    memset(index_file, 0, sizeof index_file);
    memcpy(index_file, "#y", 2);
    taco__put_le64(index_file + 2, 400);
    taco__put_le64(index_file + 10, len);
    index_file[18] = 1;
    memcpy(index_file + 400, taco_sink_bytes(&sink).data, len);
    taco_sink_free(&sink);
    return 400 + len;
}

/* Columns of a pandas index are not shown, and to find out which they are takes time in proportion
   to their number. */
static void index_columns(void)
{
    size_t len = make_index(INDEX_COLUMNS, INDEX_NAMES), n = 0, shown;
    taco_source src;
    taco_dataset *ds;
    taco_error e = none();
    taco_options opt;
    taco_allocator allocator;
    test_memory m;
    clock_t begin = clock();
    taco_source_memory(&src, index_file, len);
    ds = taco_open_source(&src, "x.tortilla", &options, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK((double)(clock() - begin) / CLOCKS_PER_SEC < 5);
    /* all but the last ten, and id, type and five that say where it is */
    CHECK(ds && level_columns(ds) == INDEX_COLUMNS - 10 + 7);
    taco_close(ds);
    len = make_index(14, 12); /* without memory there is an error, and not one column more */
    do {
        n++;
        test_counted(&opt, &allocator, &m);
        opt.openers = openers;
        m.fail_at = n;
        e = none();
        taco_source_memory(&src, index_file, len);
        ds = taco_open_source(&src, "x.tortilla", &opt, &e);
        shown = 0;
        CHECK((ds && taco_level_fields(ds, 0, &shown, &e)) ? shown == 4 + 7
                                                           : e.code == TACO_ERR_MEMORY);
        taco_close(ds);
        CHECK(m.live == 0);
    } while (m.calls >= n && test_bad < 20);
    CHECK(n > 8);
}

/* An offset of another integer type is read like any other. */
static void narrow_offsets(void)
{
    static const taco_type types[] = {TACO_INT16, TACO_UINT16, TACO_INT64};
    taco_source src;
    taco_error e = none();
    taco_query q;
    size_t i;
    memset(&q, 0, sizeof q);
    for (i = 0; i < 3; i++) {
        taco_dataset *ds;
        index_type = types[i];
        taco_source_memory(&src, index_file, make_index(14, 1));
        ds = taco_open_source(&src, "x.tortilla", &options, &e);
        CHECK_TEXT(taco_error_text(&e), "");
        CHECK_TEXT(column(ds, &q, "tortilla:offset"), "400");
        CHECK_TEXT(column(ds, &q, "internal:offset"), "400");
        q.where = "\"tortilla:offset\" = 400 AND \"internal:offset\" > 399";
        CHECK_TEXT(column(ds, &q, "id"), "x");
        q.where = NULL;
        taco_close(ds);
    }
}

/* The chain with its table of chunks: the tiles of a TIFF, each reached by its key. */
static bool tiff_of(void *ctx, size_t row, taco_source *out)
{
    return row == 0 ? taco_payload((taco_dataset *)ctx, "t/s0", out, NULL) == TACO_OK
                    : letters(NULL, row, out);
}

static void chunks(void)
{
    taco_tortilla_options o;
    taco_validate_options how;
    taco_validated sum;
    taco_error e = none();
    taco_dataset *from = open_it(DATA "taco_inside.tortilla"), *ds;
    taco_source src;
    taco_tiff *t = NULL;
    taco_query q;
    table rows;
    char first[4], want[32];
    memset(&o, 0, sizeof o);
    memset(&q, 0, sizeof q);
    make_table(&rows);
    rows.columns[2].v.any = "GTiffBYTESBYTESBYTESBYTES";
    o.chunks = true;
    refused(taco_tortilla_create("build/tmp_lg6.tortilla", &rows.batch, tiff_of, from, &o, &e), &e,
            TACO_ERR_ARGUMENT, "sample 'c': payload: no TOG, made without driver=COG");
    e = none();
    o.any_format = true;
    CHECK(taco_tortilla_create("build/tmp_lg6.tortilla", &rows.batch, tiff_of, from, &o, &e) ==
          TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK(taco_payload(from, "t/s0", &src, &e) == TACO_OK);
    t = taco_tiff_open(&src, "s0", NULL, &e);
    src.close(src.ctx);
    ds = open_it("build/tmp_lg6.tortilla");
    CHECK(taco_levels(ds) == 2);
    q.table = 1;
    q.limit = 3;
    CHECK_TEXT(column(ds, &q, "tortilla:id"), "c::0 c::1 c::2");
    CHECK_TEXT(column(ds, &q, "root"), "c c c");
    q.limit = 1;
    sprintf(want, "%u", t ? (unsigned)taco_tiff_get(t)->tile_offsets[0] + 200 : 0);
    CHECK_TEXT(column(ds, &q, "tortilla:offset"), want);
    CHECK(t && payload_size(ds, "c/c::1", first) == taco_tiff_get(t)->tile_byte_counts[1]);
    refused(taco_payload(ds, "e/e::0", &src, &e), &e, TACO_ERR_NOT_FOUND, "e::0");
    /* tiles of a TIFF that is no TOG: a warning, and only where payloads are read */
    memset(&how, 0, sizeof how);
    CHECK(taco_validate("build/tmp_lg6.tortilla", &options, &how, &sum, NULL) == TACO_OK &&
          sum.warnings == 1); /* there is a start, and nothing else of a stac-tortilla */
    how.deep = true;
    CHECK(taco_validate("build/tmp_lg6.tortilla", &options, &how, &sum, NULL) == TACO_OK &&
          sum.warnings == 2);
    taco_tiff_close(t);
    taco_close(ds);
    taco_close(from);
}

/* ---- chains without memory ---- */

static places tried;

static bool add_length(void *ctx, const taco_problem *p)
{
    *(int64_t *)ctx += (int64_t)strlen(p->message);
    return true;
}

/* Writes a chain with the tiles of its TIFFs, reads its levels, checks it and converts it. The number
   of rows, and of letters in all that is found; -1 and an error. */
static int64_t whole_chain(const taco_options *opt, table *t, taco_error *e)
{
    static const char path[] = "build/tmp_lg12.tortilla", out[] = "build/tmp_lg12.tacozip";
    const char *from = path;
    taco_tortilla_options o;
    taco_convert_options convert;
    taco_validate_options how;
    taco_dataset *ds = NULL;
    int64_t n = 0;
    uint32_t i;
    *e = none();
    memset(&o, 0, sizeof o);
    memset(&convert, 0, sizeof convert);
    memset(&how, 0, sizeof how);
    o.options = opt;
    o.chunks = o.any_format = true;
    convert.create.options = opt;
    convert.create.overwrite = convert.create.any_tree = true;
    how.deep = true;
    how.found = add_length;
    how.ctx = &n;
    remove(path);
    if (taco_tortilla_create(path, &t->batch, files_in, NULL, &o, e) == TACO_OK &&
        (ds = taco_open(path, opt, e)) != NULL && taco_info_json(ds, e).len) {
        for (i = 0; i < taco_levels(ds) && e->code == TACO_OK; i++) {
            n += taco_level_rows(ds, i, e);
        }
    }
    taco_close(ds);
    if (e->code == TACO_OK) { taco_validate(path, opt, &how, NULL, e); }
    if (e->code == TACO_OK) { taco_convert_to_taco2(&from, 1, out, &convert, e); }
    return e->code == TACO_OK ? n : -1;
}

/* Each place that asks for memory has none once. */
static void chains_without_memory(void)
{
    static const char kinds[] = "TORTILLABYTESBYTESBYTESBYTES";
    taco_options opt;
    taco_allocator allocator;
    taco_error e;
    table t;
    int64_t want;
    size_t i, n;
    int here = 0;
    make_table(&t);
    t.columns[2].v.any = kinds;
    for (i = 1; i <= ROWS; i++) {
        t.formats[i] += 3;
    }
    places_begin(&tried, &here, &opt, &allocator);
    opt.openers = openers;
    want = whole_chain(&opt, &t, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK(want > 9 && tried.memory.live == 0);
    places_next(&tried, 0);
    CHECK(whole_chain(&opt, &t, &e) == want);
    for (n = 1; places_next(&tried, n) && test_bad < 20; n++) {
        int64_t got = whole_chain(&opt, &t, &e);
        /* a sink only says that it failed */
        if (strstr(e.text, "writing ")) { e.code = TACO_ERR_MEMORY; }
        CHECK(got == want || (got < 0 && e.code == TACO_ERR_MEMORY && e.text[0]));
        CHECK(tried.memory.live == 0);
        if (got != want && e.code != TACO_ERR_MEMORY) {
            printf("place %u: %s: %s (%d)\n", (unsigned)n, taco_status_name(e.code), e.text,
                   (int)got);
        }
    }
    /* without call stacks, hardly any places are told apart */
    CHECK(n > (TEST_PLACES ? 300 : 10));
    places_exact = false;
}

/* Ids that hold what paths are made of. */
static void odd_ids(void)
{
    static const char ids[] = "x/y@1xz\\kx\\/";
    taco_convert_options o;
    static const char *const in[] = {"build/tmp_lg7.tortilla"};
    taco_error e = none();
    taco_dataset *ds;
    taco_cursor *c;
    taco_query q;
    table t;
    char first[4];
    size_t i, k;
    taco_view *v;
    static const int32_t ends[ROWS + 1] = {0, 3, 5, 6, 9, 12};
    memset(&o, 0, sizeof o);
    memset(&q, 0, sizeof q);
    make_table(&t);
    t.columns[1].v.any = ids;
    t.columns[1].offsets = ends;
    CHECK(taco_tortilla_create(in[0], &t.batch, letters, NULL, NULL, &e) == TACO_OK);
    ds = open_it(in[0]);
    CHECK(payload_size(ds, "x/y", first) == 0 && payload_size(ds, "x\\/y", first) == 0);
    CHECK(payload_size(ds, "@1", first) == 2 && payload_size(ds, "\\@1", first) == 2);
    CHECK(payload_size(ds, "x", first) == 4 && payload_size(ds, "z\\k", first) == 6);
    CHECK(payload_size(ds, "z\\\\k", first) == 6 && payload_size(ds, "x\\\\\\/", first) == 8);
    CHECK(payload_size(ds, "x/q", first) == UINT64_MAX);
    v = taco_view_open(ds, NULL, &e);
    for (i = 0; i < ROWS; i++) { /* the row of a FILE, by a path with and without escapes */
        static const char *const keys[ROWS] = {"x/y", "\\@1", "x", "z\\k", "x\\\\\\/"};
        for (k = 0; k < 2; k++) { /* from the dataset, and from its view */
            const char *id = k ? "tortilla:id" : "id";
            c = k ? taco_view_read(v, keys[i], false, &e) : taco_read(ds, keys[i], false, &e);
            CHECK(taco_cursor_next(c) &&
                  taco__bytes_equal(taco_cursor_text(c, id)
                                        ? taco__bytes_text(taco_cursor_text(c, id))
                                        : taco__bytes_of(NULL, 0),
                                    taco__bytes_of((const uint8_t *)ids + ends[i],
                                                   (size_t)(ends[i + 1] - ends[i]))));
            CHECK(!taco_cursor_next(c));
            taco_cursor_close(c, &e);
        }
    }
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK(taco_view_read(v, "x/q", false, &e) == NULL && e.code == TACO_ERR_NOT_FOUND);
    taco_view_free(v);
    taco_close(ds);
    e = none();
    o.create.overwrite = true;
    q.where = "\"tortilla:id\" LIKE 'x%'"; /* a part of it goes forward, and all of that back */
    o.query = &q;
    CHECK(taco_convert_to_taco2(in, 1, "build/tmp_lg7.tacozip", &o, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    ds = open_it("build/tmp_lg7.tacozip");
    q.where = NULL;
    CHECK_TEXT(column(ds, &q, "id"), "x_y x x__");
    CHECK(taco_collection(ds, "taco:subset_of").len != 0);
    CHECK_TEXT(taco_dataset_format(ds), "");
    taco_close(ds);
    CHECK(taco_convert_from_taco2("build/tmp_lg7.tacozip", "build/tmp_lg8.tortilla", NULL, &e) ==
          TACO_OK);
    ds = open_it("build/tmp_lg8.tortilla");
    CHECK_TEXT(taco_dataset_format(ds), "tortilla");
    CHECK_TEXT(column(ds, &q, "tortilla:id"), "x/y x x\\/");
    taco_close(ds);
    q.where = "\"tortilla:id\" = 'no'";
    refused(taco_convert_to_taco2(in, 1, "build/tmp_lg7.tacozip", &o, &e), &e, TACO_ERR_NOT_FOUND,
            "no sample is left");
    e = none();
    q.where = NULL;
    q.order = "id";
    refused(taco_convert_to_taco2(in, 1, "build/tmp_lg7.tacozip", &o, &e), &e, TACO_ERR_ARGUMENT,
            "in storage order");
}

/* Ids that name other things in TACO 2 get a letter in front. */
static void reserved_ids(void)
{
    static const char ids[] = "__a...__b";
    static const int32_t ends[ROWS + 1] = {0, 3, 4, 6, 8, 9};
    static const char *const in[] = {"build/tmp_lg11.tortilla"};
    taco_convert_options o;
    taco_error e = none();
    taco_dataset *ds;
    taco_query q;
    table t;
    memset(&o, 0, sizeof o);
    memset(&q, 0, sizeof q);
    make_table(&t);
    t.columns[1].v.any = ids;
    t.columns[1].offsets = ends;
    CHECK(taco_tortilla_create(in[0], &t.batch, letters, NULL, NULL, &e) == TACO_OK);
    o.create.overwrite = true;
    CHECK(taco_convert_to_taco2(in, 1, "build/tmp_lg11.tacozip", &o, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    ds = open_it("build/tmp_lg11.tacozip");
    CHECK_TEXT(column(ds, &q, "id"), "x__a x. x.. x__ b");
    taco_close(ds);
}

/* ---- there and back ---- */

static size_t notes;

static void note(void *ctx, const char *text)
{
    (void)ctx;
    notes += text[0] != 0;
}

static void convert(void)
{
    static const char *const old[] = {DATA "taco_inside.tortilla"};
    static const char *const parts[] = {DATA "parts.0000.part.tortilla",
                                        DATA "parts.0001.part.tortilla"};
    taco_convert_options o;
    taco_error e = none();
    taco_dataset *ds;
    taco_query q;
    char first[4];
    memset(&o, 0, sizeof o);
    memset(&q, 0, sizeof q);
    o.create.overwrite = true;
    o.note = note;
    refused(taco_convert_to_taco2(old, 1, "build/tmp_lg.tacozip", &o, &e), &e, TACO_ERR_ARGUMENT,
            "PIT-1");
    o.create.any_tree = true;
    e = none();
    CHECK(taco_convert_to_taco2(old, 1, "build/tmp_lg.tacozip", &o, &e) == TACO_OK && notes > 0);
    CHECK_TEXT(taco_error_text(&e), "");
    ds = open_it("build/tmp_lg.tacozip");
    /* one tree: the tortilla in it is a FILE, and validation has nothing to say */
    CHECK(taco_dataset_kind(ds) == TACO_KIND_ZIP && taco_levels(ds) == 1);
    CHECK_TEXT(column(ds, &q, "tortilla:file_format"), "TORTILLA BYTES");
    CHECK_TEXT(column(ds, &q, "type"), "FILE FILE");
    CHECK(payload_size(ds, "z", first) == 777);
    taco_close(ds);
    CHECK(taco_validate("build/tmp_lg.tacozip", NULL, NULL, NULL, &e) == TACO_OK);
    CHECK(taco_convert_from_taco2("build/tmp_lg.tacozip", "build/tmp_lg5.tortilla", &o, &e) ==
          TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    ds = open_it("build/tmp_lg5.tortilla");
    q.table = 1;
    CHECK_TEXT(column(ds, &q, "tortilla:id"), "s0 s1 s2");
    CHECK_TEXT(column(ds, &q, "cloud_cover"), "0.0 3.5 7.0");
    CHECK(payload_size(ds, "t/s1", first) == 12023 && payload_size(ds, "z", first) == 777);
    taco_close(ds);
    CHECK(taco_convert_to_taco2(parts, 2, "build/tmp_lg.tacozip", &o, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    ds = open_it("build/tmp_lg.tacozip");
    q.table = 0;
    q.time = "2020-01-02";
    CHECK_TEXT(column(ds, &q, "id"), "s1");
    CHECK_TEXT(column(ds, &q, "stac:tensor_shape"), "[64,64]");
    taco_close(ds);
    CHECK(taco_convert_from_taco2("build/tmp_lg.tacozip", "build/tmp_lg5.taco", &o, &e) == TACO_OK);
    ds = open_it("build/tmp_lg5.taco");
    q.time = NULL;
    CHECK_TEXT(column(ds, &q, "stac:time_start"), "1577836800 1577923200");
    CHECK_TEXT(column(ds, &q, "stac:centroid"),
               "POINT (-0.36889 39.473965) POINT (-0.361457 39.473797)");
    taco_close(ds);
}

/* An archive of FILEs whose bytes are pairs of a text; ids are separated by blanks. */
static void make_archive(const char *path, const char *ids, const char *bytes)
{
    static const char collection[] =
        "{\"id\":\"x\",\"dataset_version\":\"1\",\"description\":\"d\",\"licenses\":[\"x\"],"
        "\"providers\":[{\"name\":\"x\"}],\"tasks\":[\"other\"],\"taco_version\":\"2.0.0\"}";
    taco_error e = none();
    taco_create_options o;
    taco_writer *w;
    char id[32];
    int n;
    memset(&o, 0, sizeof o);
    o.overwrite = true;
    w = taco_create(path, &o, &e);
    taco_writer_collection(w, collection, sizeof collection - 1);
    for (; sscanf(ids, " %31s%n", id, &n) == 1; ids += n, bytes += 2) {
        taco_writer_bytes(w, id, bytes, 2);
    }
    CHECK(taco_writer_finish(w, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
}

/* The bytes of a FILE of at most 7. */
static const char *payload_text(taco_dataset *ds, const char *key)
{
    static char out[8];
    taco_error e = none();
    taco_source s;
    memset(out, 0, sizeof out);
    if (taco_payload(ds, key, &s, &e) == TACO_OK) {
        CHECK(s.size < sizeof out && s.read(s.ctx, 0, out, (size_t)s.size));
        s.close(s.ctx);
    }
    CHECK_TEXT(taco_error_text(&e), "");
    return out;
}

/* Every part has the bytes of its own rows. */
static void back_in_parts(void)
{
    static const char *const made[] = {"build/tmp_lg12.0000.part.tortilla",
                                       "build/tmp_lg12.0001.part.tortilla",
                                       "build/tmp_lg12.0002.part.tortilla"};
    taco_convert_options o;
    taco_error e = none();
    taco_dataset *ds;
    taco_query q;
    memset(&o, 0, sizeof o);
    memset(&q, 0, sizeof q);
    o.create.overwrite = true;
    make_archive("build/tmp_lg12.tacozip", "a b c d e", "aabbccddee");
    part_bytes = 4;
    CHECK(taco_convert_from_taco2("build/tmp_lg12.tacozip", "build/tmp_lg12.tortilla", &o, &e) ==
          TACO_OK);
    part_bytes = UINT64_C(20000000000);
    ds = taco_open_many(made, 3, TACO_COLUMNS_STRICT, &options, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK_TEXT(column(ds, &q, "tortilla:id"), "a b c d e");
    CHECK_TEXT(payload_text(ds, "a"), "aa");
    CHECK_TEXT(payload_text(ds, "c"), "cc");
    CHECK_TEXT(payload_text(ds, "e"), "ee");
    taco_close(ds);
}

/* An id that looks like a position is not one. */
static void back_with_positions(void)
{
    taco_convert_options o;
    taco_error e = none();
    taco_dataset *ds;
    memset(&o, 0, sizeof o);
    o.create.overwrite = true;
    make_archive("build/tmp_lg13.tacozip", "@1 @0 @@1", "aabbcc");
    CHECK(taco_convert_from_taco2("build/tmp_lg13.tacozip", "build/tmp_lg13.tortilla", &o, &e) ==
          TACO_OK);
    ds = open_it("build/tmp_lg13.tortilla");
    CHECK_TEXT(payload_text(ds, "\\@1"), "aa");
    CHECK_TEXT(payload_text(ds, "\\@0"), "bb");
    CHECK_TEXT(payload_text(ds, "\\@@1"), "cc");
    taco_close(ds);
}

/* Whether an export of a dataset has the text. */
static bool tells(const char *path, taco_collection_format kind, const char *want)
{
    taco_collection_export_options o;
    taco_error e = none();
    taco_dataset *ds = open_it(path);
    taco_bytes text;
    bool has;
    memset(&o, 0, sizeof o);
    o.year = "2025";
    text = taco_collection_export(ds, kind, &o, &e);
    has = text.data && strstr((const char *)text.data, want) != NULL;
    if (!has) { printf("%s\n", text.data ? (const char *)text.data : e.text); }
    taco_close(ds);
    return has;
}

/* data_curator and task of TACO 0.2.0 are in all documents, of the old file and of what it is
   converted to. */
static void people_and_tasks(void)
{
    static const char *const in[] = {"build/tmp_lg8.taco"};
    static const char *const files[] = {"build/tmp_lg8.taco", "build/tmp_lg8.tacozip"};
    taco_convert_options o;
    taco_error e = none();
    size_t i;
    memset(&o, 0, sizeof o);
    o.create.overwrite = true;
    CHECK(taco_tortilla_to_taco(DATA "minimal.tortilla", in[0],
                                "{\"id\":\"m\",\"description\":\"d\",\"task\":\"general\","
                                "\"keywords\":[\"k\"],\"data_curator\":[{\"name\":\"Ada\","
                                "\"affiliation\":\"Engines\",\"email\":\"a@b\"}]," CORE "}",
                                NULL, &e) == TACO_OK);
    CHECK(taco_convert_to_taco2(in, 1, files[1], &o, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    for (i = 0; i < 2; i++) {
        CHECK(tells(files[i], TACO_COLLECTION_STAC,
                    "\"name\": \"Ada\",\n      \"roles\": [\n        \"processor\""));
        CHECK(tells(files[i], TACO_COLLECTION_STAC, "\"general\""));
        CHECK(tells(files[i], TACO_COLLECTION_DATACITE, "\"contributorType\": \"DataCurator\""));
        CHECK(tells(files[i], TACO_COLLECTION_DATACITE, "\"name\": \"Engines\""));
        CHECK(tells(files[i], TACO_COLLECTION_DATACITE,
                    "\"subject\": \"general\",\n      \"subjectScheme\": \"TACO task\""));
        CHECK(tells(files[i], TACO_COLLECTION_CROISSANT, "\"contributor\": [\n    {\n"));
        CHECK(tells(files[i], TACO_COLLECTION_CROISSANT, "\"general\""));
        CHECK(tells(files[i], TACO_COLLECTION_DATACARD, "|Ada|Engines|"));
        CHECK(tells(files[i], TACO_COLLECTION_DATACARD,
                    i ? "The task of the dataset: **other, general**"
                      : "The task of the dataset: **general**"));
    }
}

/* FOLDERs of three and of one sample in each sample: with `pad` each has three. */
static bool uneven(void *ctx, size_t row, taco_source *out)
{
    return taco_source_file(out, ((const char *const *)ctx)[row % 2], NULL) == TACO_OK;
}

static void padded(void)
{
    static const char kinds[] = "TORTILLATORTILLATORTILLATORTILLATORTILLA";
    static const char *const inside[] = {"build/tmp_lg14.tortilla", "build/tmp_lg15.tortilla"};
    static const char *const both[] = {"build/tmp_lg18.tortilla", "build/tmp_lg18.tortilla"};
    static const char *const old[] = {"build/tmp_lg16.tortilla"};
    taco_convert_options o;
    taco_error e = none();
    taco_dataset *ds;
    taco_query q;
    size_t i;
    table t;
    memset(&o, 0, sizeof o);
    memset(&q, 0, sizeof q);
    make_table(&t);
    t.batch.length = 3;
    CHECK(taco_tortilla_create(inside[0], &t.batch, letters, NULL, NULL, &e) == TACO_OK);
    t.batch.length = 1;
    CHECK(taco_tortilla_create(inside[1], &t.batch, letters, NULL, NULL, &e) == TACO_OK);
    for (i = 0; i <= ROWS; i++) {
        t.formats[i] = (int32_t)i * 8;
    }
    t.columns[2].v.any = kinds;
    t.batch.length = 2;
    CHECK(taco_tortilla_create(both[0], &t.batch, uneven, (void *)inside, NULL, &e) == TACO_OK);
    CHECK(taco_tortilla_create(old[0], &t.batch, uneven, (void *)both, NULL, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    o.create.overwrite = true;
    o.pad = true;
    CHECK(taco_convert_to_taco2(old, 1, "build/tmp_lg17.tacozip", &o, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    ds = open_it("build/tmp_lg17.tacozip");
    q.table = 2;
    q.padding = true;
    CHECK_TEXT(column(ds, &q, "id"),
               "c e a c __TACOPAD__0 __TACOPAD__1 c e a c __TACOPAD__0 __TACOPAD__1");
    q.padding = false;
    CHECK_TEXT(column(ds, &q, "id"), "c e a c c e a c");
    taco_close(ds);
    CHECK(taco_validate("build/tmp_lg17.tacozip", NULL, NULL, NULL, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
}

static void about(void)
{
    taco_collection_export_options o;
    taco_error e = none();
    taco_dataset *ds;
    taco_bytes text;
    memset(&o, 0, sizeof o);
    CHECK(taco_tortilla_to_taco(DATA "minimal.tortilla", "build/tmp_lg6.taco",
                                "{\"id\":\"m\",\"description\":\"a \\\"b\\\"\","
                                "\"task\":\"regression\",\"scientific\":null," CORE "}",
                                NULL, &e) == TACO_OK);
    ds = open_it("build/tmp_lg6.taco");
    text = taco_collection_export(ds, TACO_COLLECTION_STAC, NULL, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK(text.data && strstr((const char *)text.data, "\"license\": \"other\"") != NULL);
    CHECK(text.data &&
          strstr((const char *)text.data, "\"temporal\": {\n      \"interval\"") != NULL);
    CHECK(text.data && strstr((const char *)text.data, "application/vnd.tortilla+blob") != NULL);
    CHECK(!taco_collection_export(ds, TACO_COLLECTION_DATACITE, NULL, &e).data);
    refused(e.code, &e, TACO_ERR_ARGUMENT, "year of publication");
    e = none();
    o.year = "2025";
    text = taco_collection_export(ds, TACO_COLLECTION_DATACITE, &o, &e);
    CHECK(text.data && strstr((const char *)text.data, "\"nameType\": \"Organizational\"") != NULL);
    text = taco_collection_export(ds, TACO_COLLECTION_DATACARD, &o, &e);
    CHECK(text.data && taco__bytes_starts_with(text, "---\nlicense:\n  - \"MIT\"\n"));
    taco_close(ds);
    ds = open_it(DATA "minimal.tortilla");
    CHECK(!taco_collection_export(ds, TACO_COLLECTION_STAC, NULL, &e).data);
    refused(e.code, &e, TACO_ERR_ARGUMENT, "minimal.tortilla: the dataset has no collection");
    taco_close(ds);
}

/* Papers: by DOI or citation in STAC, by DOI in DataCite, which knows nothing else of them. */
static void papers(void)
{
    static const char col[] =
        "{\"id\":\"n\",\"dataset_version\":\"2.1\",\"description\":\"d\",\"licenses\":[\"MIT\"],"
        "\"providers\":[{\"name\":\"x\"}],\"tasks\":[\"other\"],\"publications\":[{\"doi\":\"10.1/"
        "a\","
        "\"citation\":\"A. 2020\"},{\"citation\":\"B. 2021\"},{\"title\":\"C\"}],"
        "\"scientific:publications\":[{\"doi\":\"10.1/a\",\"citation\":\"A. 2020\"},"
        "{\"citation\":\"B. 2021\"},{\"title\":\"C\"}]}";
    taco_collection_export_options o;
    taco_error e = none();
    taco_sink sink;
    taco_source src;
    taco_dataset *ds;
    taco_writer *w;
    taco_bytes b;
    memset(&o, 0, sizeof o);
    o.year = "2025";
    CHECK(taco_sink_memory(&sink, NULL, &e) == TACO_OK);
    w = taco_create_sink(&sink, NULL, &e);
    taco_writer_collection(w, col, sizeof col - 1);
    taco_writer_bytes(w, "a", "xy", 2);
    CHECK(taco_writer_finish(w, &e) == TACO_OK);
    b = taco_sink_bytes(&sink);
    taco_source_memory(&src, b.data, b.len);
    ds = taco_open_source(&src, "n.tacozip", NULL, &e);
    b = taco_collection_export(ds, TACO_COLLECTION_STAC, &o, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK(b.data && strstr((const char *)b.data, "\"doi\": \"10.1/a\"") &&
          strstr((const char *)b.data, "\"citation\": \"B. 2021\"") &&
          strstr((const char *)b.data, "scientific/v1.0.0"));
    b = taco_collection_export(ds, TACO_COLLECTION_DATACITE, &o, &e);
    CHECK(b.data && strstr((const char *)b.data, "\"relatedIdentifier\": \"10.1/a\"") &&
          strstr((const char *)b.data, "\"relationType\": \"IsDescribedBy\"") &&
          !strstr((const char *)b.data, "B. 2021"));
    taco_close(ds);
    taco_sink_free(&sink);
}

/* What TACO 2 says more: the tree, columns, bands and labels of its extensions. */
static void about_new(void)
{
    static const char col[] =
        "{\"id\":\"n\",\"dataset_version\":\"2.1\",\"description\":\"d\",\"licenses\":[\"MIT\"],"
        "\"providers\":[{\"name\":\"x\"}],\"tasks\":[\"other\"],\"optical:bands\":[{\"name\":"
        "\"B02\","
        "\"center_wavelength\":496.5}],\"labels:classes\":[{\"name\":\"Forest\",\"category\":\"1\"}"
        "],"
        "\"split:strategy\":\"random\"}";
    static const char *const want[] = {
        "The version of the dataset: **2.1**",
        "## Structure\n\n- Level 0: FOLDER, samples: 1\n- Level 1: FILE, FILE, samples: 2\n",
        "How the dataset is divided: **random**",
        "|Forest|1|N/A|",
        "|B02|N/A|N/A|496.5|N/A|N/A|",
        "### level0\n\n|**Field**|**Type**|**Description**|\n",
        "|q|string||"};
    taco_error e = none();
    taco_sink sink;
    taco_source src;
    taco_dataset *ds;
    taco_writer *w;
    taco_bytes b;
    size_t i;
    CHECK(taco_sink_memory(&sink, NULL, &e) == TACO_OK);
    w = taco_create_sink(&sink, NULL, &e);
    taco_writer_collection(w, col, sizeof col - 1);
    taco_writer_column(w, 1, "q", TACO_TEXT);
    taco_writer_folder_begin(w, "t");
    for (i = 0; i < 2; i++) {
        taco_writer_bytes(w, i ? "b" : "a", "xy", 2);
        taco_writer_set_text(w, "q", "v");
    }
    taco_writer_folder_end(w);
    CHECK(taco_writer_finish(w, &e) == TACO_OK);
    b = taco_sink_bytes(&sink);
    taco_source_memory(&src, b.data, b.len);
    ds = taco_open_source(&src, "n.tacozip", NULL, &e);
    b = taco_collection_export(ds, TACO_COLLECTION_DATACARD, NULL, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    for (i = 0; b.data && i < sizeof want / sizeof want[0]; i++) {
        CHECK(strstr((const char *)b.data, want[i]) != NULL);
    }
    b = taco_collection_export(ds, TACO_COLLECTION_STAC, NULL, &e);
    CHECK(b.data && strstr((const char *)b.data, "\"eo:center_wavelength\": 0.4965"));
    taco_close(ds);
    taco_sink_free(&sink);
}

/* FIPS 180-4, and a length at which the padding takes a block of its own. */
static void sha256(void)
{
    static const struct {
        size_t n;
        const char *text, *hex;
    } known[] = {{0, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
                 {3, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
                 {56, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"}};

    size_t i;
    for (i = 0; i < 3; i++) {
        taco__sha256 s;
        char hex[65];
        taco__sha256_init(&s);
        taco__sha256_update(&s, (const uint8_t *)known[i].text, known[i].n);
        taco__sha256_finish(&s, hex);
        CHECK_TEXT(hex, known[i].hex);
    }
}

static void croissant(void)
{
    taco_error e = none();
    taco_collection_export_options o;
    taco_dataset *ds = taco_open("examples/data/geo_stac.tacozip", &options, &e);
    static const char *const table_words[] = {"\"key\": {\n        \"@id\": \"samples/id\"",
                                              "\"fileObject\"", "bloom.parquet",
                                              "\"dataType\": \"sc:Integer\"", "\"column\": \"id\""};
    taco_bytes text;
    size_t i;
    memset(&o, 0, sizeof o);
    text = taco_collection_export(ds, TACO_COLLECTION_CROISSANT, &o, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    CHECK(text.data && strstr((const char *)text.data, "\"@id\": \"geo_stac.tacozip\"") &&
          !strstr((const char *)text.data, "recordSet\": ["));
    o.table = "tests/data/bloom.parquet";
    text = taco_collection_export(ds, TACO_COLLECTION_CROISSANT, &o, &e);
    CHECK_TEXT(taco_error_text(&e), "");
    for (i = 0; i < sizeof table_words / sizeof table_words[0]; i++) {
        CHECK(text.data && strstr((const char *)text.data, table_words[i]) != NULL);
    }
    o.table = "tests/data/pages.parquet"; /* a list repeats, a struct has no type there */
    text = taco_collection_export(ds, TACO_COLLECTION_CROISSANT, &o, &e);
    CHECK(text.data && strstr((const char *)text.data, "\"repeated\": true") != NULL &&
          !strstr((const char *)text.data, "samples/pair") &&
          !strstr((const char *)text.data, "\"key\": {"));
    o.table = "examples/data/no_such.parquet";
    CHECK(!taco_collection_export(ds, TACO_COLLECTION_CROISSANT, &o, &e).data &&
          e.code == TACO_ERR_NOT_FOUND);
    taco_close(ds);
}

int main(void)
{
    memset(&options, 0, sizeof options);
    openers[0] = taco_legacy_opener();
    options.openers = openers;
    RUN(plain_file);
    RUN(older_headers);
    RUN(json_footers);
    RUN(remote_names);
    RUN(several_files);
    RUN(nested);
    RUN(bad_headers);
    RUN(create_files);
    RUN(create_refuses);
    RUN(edits);
    RUN(collection_not_last);
    RUN(filters);
    RUN(parts_undone);
    RUN(parts_replaced);
    RUN(native_paths);
    RUN(edited_footers);
    RUN(index_columns);
    RUN(narrow_offsets);
    RUN(chains);
    RUN(good_chains);
    RUN(empty_object);
    RUN(bad_chains);
    RUN(fewer_requests);
    RUN(deep);
    RUN(other_columns);
    RUN(chunks);
    RUN(chains_without_memory);
    RUN(odd_ids);
    RUN(reserved_ids);
    RUN(sha256);
    RUN(croissant);
    RUN(convert);
    RUN(back_in_parts);
    RUN(back_with_positions);
    RUN(padded);
    RUN(about);
    RUN(about_new);
    RUN(papers);
    RUN(people_and_tasks);
    return test_end("test_legacy");
}
