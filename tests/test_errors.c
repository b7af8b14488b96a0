/* Every code of taco_status, raised through the public calls: the code, the offset and the whole
   text are the contract. Cases for predicates have a caret below the column that the error names.
   */
#include "../taco.h"

#include "test.h"

#include "alloc.h"

static const char *const zip = "examples/data/nested.tacozip";
static uint8_t bytes[1 << 16];
static size_t size;
static taco_error err;
static taco_query query;
static taco_options options;

static void load(const char *path)
{
    FILE *f = fopen(path, "rb");
    CHECK(f != NULL);
    size = f ? fread(bytes, 1, sizeof bytes, f) : 0;
    if (f) { fclose(f); }
    memset(&query, 0, sizeof query);
    memset(&options, 0, sizeof options);
    memset(&err, 0, sizeof err);
}

static void expect(taco_status code, uint64_t offset, const char *text)
{
    CHECK(err.code == code);
    CHECK(err.offset == offset);
#ifdef TACO_SMALL
    CHECK(err.line == 0);
#else
    CHECK(code == TACO_OK || err.line > 0);
#endif
    CHECK_TEXT(taco_error_text(&err), text);
    memset(&err, 0, sizeof err);
}

static taco_dataset *from_memory(void)
{
    taco_source s;
    taco_source_memory(&s, bytes, size);
    return taco_open_source(&s, "x.tacozip", &options, &err);
}

/* Runs the query to its end and closes everything; err keeps the first failure. */
static void drain(taco_dataset *ds)
{
    taco_cursor *row = taco_select(ds, &query, &err);
    while (taco_cursor_next(row)) {}
    taco_cursor_close(row, &err);
    taco_close(ds);
}

static void drain_column(const char *column, taco_type type)
{
    taco_source s;
    taco_array a;
    taco_pq_file *f;
    taco_pq_column *c;
    taco_source_memory(&s, bytes, size);
    f = taco_pq_open_source(&s, "y.parquet", NULL, &err);
    c = taco_pq_column_open(f, column, type, &err);
    while (taco_pq_column_next(c, 10, &a)) {}
    taco_pq_column_close(c, &err);
    taco_pq_close(f);
}

static void argument(void)
{
    taco_dataset *ds;
    load(zip);
    CHECK(taco_open(NULL, NULL, &err) == NULL);
    expect(TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
    CHECK(taco_select(NULL, NULL, &err) == NULL);
    expect(TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
    query.table = 9;
    drain(taco_open(zip, NULL, &err));
    expect(TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
           "examples/data/nested.tacozip: there is no level 9, the deepest is 1");
    ds = taco_open(zip, NULL, &err);
    {
        size_t n;
        CHECK(taco_level_rows(ds, 77, &err) == -1);
        expect(TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "examples/data/nested.tacozip: there is no level 77, the deepest is 1");
        CHECK(taco_level_fields(ds, 77, &n, &err) == NULL && n == 0);
        expect(TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "examples/data/nested.tacozip: there is no level 77, the deepest is 1");
        CHECK(taco_level_rows(NULL, 0, &err) == -1);
        expect(TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
    }
    {
        taco_source s;
        CHECK(taco_payload(ds, "tile_00", &s, &err) == TACO_ERR_ARGUMENT);
        expect(TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "examples/data/nested.tacozip: sample 'tile_00' is a FOLDER, only a FILE has bytes");
    }
    taco_close(ds);
}

static void state(void)
{
    taco_dataset *ds;
    taco_cursor *row;
    load(zip);
    ds = from_memory();
    row = taco_select(ds, NULL, &err);
    CHECK(taco_cursor_children(row, &err) == NULL); /* before the first row */
    expect(TACO_ERR_STATE, TACO_NO_OFFSET, "the cursor is not on a row");
    taco_cursor_close(row, &err);
    taco_close(ds);
}

/* The allocator fails at the n-th call, for every n until the query gets through: an error each
   time, and no leak. */
static void memory(void)
{
    size_t n;
    taco_allocator a;
    test_memory m;
    load(zip);
    query.where = "id LIKE 'tile%'";
    for (n = 1; n < 1000; n++) {
        test_counted(&options, &a, &m);
        m.fail_at = n;
        m.all_after = true;
        drain(from_memory());
        CHECK(m.live == 0);
        if (err.code == TACO_OK) { break; }
        CHECK(err.code == TACO_ERR_MEMORY && strstr(err.text, "out of memory for ") != NULL);
        memset(&err, 0, sizeof err);
    }
    CHECK(n > 5 && n < 1000);
}

static void limits(void)
{
    load(zip);
    options.limits.max_metadata = 64;
    drain(from_memory());
    expect(TACO_ERR_LIMIT, 22191,
           "x.tacozip: COLLECTION.json: at byte 22191: 4441 bytes, limits.max_metadata is 64");
    memset(&options, 0, sizeof options);
    options.limits.max_page = 10;
    drain(from_memory());
    expect(TACO_ERR_LIMIT, 18,
           "x.tacozip: METADATA/level0.parquet: column 'id': at byte 18: page of 44 bytes "
           "uncompressed, limits.max_page is 10");
    memset(&options, 0, sizeof options);
    options.limits.max_depth = 1;
    drain(from_memory());
    expect(
        TACO_ERR_LIMIT, 107,
        "x.tacozip: COLLECTION.json: at byte 107: nesting of more than 1, limits.max_depth is 1");
    memset(&options, 0, sizeof options);
    options.limits.max_columns = 3;
    drain(from_memory());
    CHECK(err.code == TACO_ERR_LIMIT && strstr(err.text, "limits.max_columns is 3") != NULL);
    memset(&err, 0, sizeof err);
    memset(&options, 0, sizeof options);
    options.limits.max_memory = 20000;
    drain(from_memory());
    CHECK(err.code == TACO_ERR_LIMIT && strstr(err.text, "limits.max_memory is 20000") != NULL);
}

/* Whether all rows can be read when one limit, a uint64_t or uint32_t of options, has a value. */
static bool fits(void *limit, size_t width, uint64_t value)
{
    uint32_t narrow = (uint32_t)value;
    memset(&err, 0, sizeof err);
    memcpy(limit, width == 8 ? (void *)&value : (void *)&narrow, width);
    drain(from_memory());
    return err.code == TACO_OK;
}

/* Each limit has a least value with which the same dataset is read, and one less is refused with
   its name and its value. max_output is tested in test_beside.c; max_cache refuses nothing. */
static void each_limit(void)
{
    taco_limits *l = &options.limits;

    struct {
        const char *name;
        void *limit;
        size_t width;
    } all[7];

    size_t i;
    all[0].name = "limits.max_metadata", all[0].limit = &l->max_metadata, all[0].width = 8;
    all[1].name = "limits.max_page", all[1].limit = &l->max_page, all[1].width = 8;
    all[2].name = "limits.max_memory", all[2].limit = &l->max_memory, all[2].width = 8;
    all[3].name = "limits.max_columns", all[3].limit = &l->max_columns, all[3].width = 4;
    all[4].name = "limits.max_depth", all[4].limit = &l->max_depth, all[4].width = 4;
    all[5].name = "limits.max_values", all[5].limit = &l->max_values, all[5].width = 8;
    all[6].name = "limits.max_decoded", all[6].limit = &l->max_decoded, all[6].width = 8;
    for (i = 0; i < 7; i++) {
        uint64_t low = 0, high = 1 << 24, mid; /* low is refused, high is not */
        char text[64];
        load(zip);
        memset(&options, 0, sizeof options);
        while (high - low > 1) {
            mid = low + (high - low) / 2;
            if (fits(all[i].limit, all[i].width, mid)) {
                high = mid;
            } else {
                low = mid;
            }
        }
        CHECK(low > 0 && fits(all[i].limit, all[i].width, low + 1));
        CHECK(!fits(all[i].limit, all[i].width, low) && err.code == TACO_ERR_LIMIT);
        snprintf(text, sizeof text, "%s is %u", all[i].name, (unsigned)low);
        if (!strstr(err.text, text)) { printf("%s, not: %s\n", text, err.text); }
        CHECK(strstr(err.text, text) != NULL);
    }
    memset(&options, 0, sizeof options);
    memset(&err, 0, sizeof err);
}

static int reads_left;

static bool failing_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    (void)ctx;
    if (reads_left-- <= 0 || offset > size || len > size - offset) { return false; }
    memcpy(dst, bytes + offset, len);
    return true;
}

/* The source fails at the n-th read. */
static void io(void)
{
    int n;
    load(zip);
    for (n = 0; n < 10; n++) {
        taco_source s;
        memset(&s, 0, sizeof s);
        s.size = size;
        s.read = failing_read;
        reads_left = n;
        drain(taco_open_source(&s, "x.tacozip", NULL, &err));
        if (err.code == TACO_OK) { break; }
        CHECK(err.code == TACO_ERR_IO && strstr(err.text, "x.tacozip: ") == err.text &&
              strstr(err.text, " failed") != NULL);
        CHECK(n > 0 || err.offset == 0);
        memset(&err, 0, sizeof err);
    }
    CHECK(n > 0 && n < 10);
}

static void truncated(void)
{
    size_t whole;
    load(zip);
    whole = size;
    size = 20000;
    drain(from_memory());
    expect(TACO_ERR_TRUNCATED, 61,
           "x.tacozip: at byte 61: TACO_HEADER: level1 has 3136 bytes at 19010, past the end of "
           "the file at 20000");
    size = 20;
    drain(from_memory());
    expect(TACO_ERR_TRUNCATED, 20,
           "x.tacozip: at byte 20: a local header needs 30 bytes, the file has 20");
    for (size = 0; size < whole; size += 997) { /* wherever it is cut, some error says so */
        drain(from_memory());
        CHECK(size >= 22191 + 4441 ? err.code == TACO_OK : err.code != TACO_OK && err.text[0]);
        memset(&err, 0, sizeof err);
    }
}

static void corrupt(void)
{
    load("examples/data/nested_folder/METADATA/level0.parquet");
    bytes[size - 1] = 'X';
    drain_column("id", TACO_TEXT);
    CHECK(err.code == TACO_ERR_CORRUPT);
    CHECK_TEXT(taco_error_text(&err),
               "y.parquet: at byte 4184: not Parquet: the file does not end with PAR1");
    load("Makefile");
    drain(from_memory());
    expect(TACO_ERR_CORRUPT, 0,
           "x.tacozip: at byte 0: not a ZIP archive, which begins with 'PK\\x03\\x04': '# ma'");
}

static void checksum(void)
{
    load("tests/data/crc.parquet");
    drain_column("id", TACO_TEXT);
    expect(TACO_OK, 0, "");
    bytes[40] ^= 1; /* in the first page */
    drain_column("id", TACO_TEXT);
    expect(TACO_ERR_CHECKSUM, 24,
           "y.parquet: column 'id': at byte 24: page CRC is 91e5667f, its header says e6e256e9");
}

static void unsupported(void)
{
    load("tests/data/brotli.parquet");
    drain_column("id", TACO_TEXT);
#ifdef TACO_PARQUET_BROTLI_DECOMPRESS
    expect(TACO_OK, 0, "");
    bytes[18] ^= 0xFF; /* the stream's first byte */
    drain_column("id", TACO_TEXT);
    CHECK(err.code == TACO_ERR_CORRUPT);
    memset(&err, 0, sizeof err);
#else
    expect(TACO_ERR_UNSUPPORTED, 18,
           "y.parquet: column 'id': at byte 18: unsupported: codec brotli");
#endif
    load(zip);
    memcpy(bytes, "WX", 2);
    drain(from_memory());
    expect(TACO_ERR_UNSUPPORTED, 0,
           "x.tacozip: at byte 0: a TACO 0.x file (magic 'WX'), not a TACO 2 archive: "
           "taco convert makes one");
}

static void not_found(void)
{
    load(zip);
    taco_close(taco_open("examples/data/none.tacozip", NULL, &err));
    expect(TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
           "examples/data/none.tacozip: no archive of that name, and no directory with "
           "COLLECTION.json");
    query.where = "\"stac:cts\" = 'EPSG:4326'";
    drain(from_memory());
    CHECK(err.code == TACO_ERR_NOT_FOUND && strstr(err.text, "no column 'stac:cts'") &&
          strstr(err.text, "'stac:crs'"));
    memset(&err, 0, sizeof err);
    {
        taco_dataset *ds = from_memory();
        taco_cursor_close(taco_read(ds, "tile_99", false, &err), NULL);
        expect(TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "x.tacozip: there is no sample 'tile_99'");
        taco_cursor_close(taco_read(ds, "tile_00/image/x", false, &err), NULL);
        expect(TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
               "x.tacozip: 'tile_00/image': no 'x': its parent is a FILE, which has no children");
        taco_close(ds);
    }
}

static void type(void)
{
    load(zip);
    query.where = "id < 3";
    drain(from_memory());
    expect(TACO_ERR_TYPE, 0,
           "x.tacozip: where: 'id < 3': at column 1: column 'id' is TEXT, was given a number");
    load("examples/data/nested_folder/METADATA/level0.parquet");
    drain_column("type", TACO_DOUBLE);
    CHECK(err.code == TACO_ERR_TYPE && strstr(err.text, "'type'") && strstr(err.text, "double"));
}

static void syntax(void)
{
    static const struct {
        const char *where, *caret, *text;
    } cases[] = {
        {"id <", "    ^", "at column 5: expected a value, found end of text"},
        {"id = = 3", "     ^", "at column 6: expected a value, found '='"},
        {"id IN ()", "       ^", "at column 8: "},
        {"(id = 'a'", "         ^", "at column 10: "},
        {"id = 'a' id", "         ^", "at column 10: expected AND, OR or the end, found 'id'"},
        {"id = 'a", "     ^", "at column 6: "},
    };

    size_t i;
    load(zip);
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        query.where = cases[i].where;
        drain(from_memory());
        CHECK(err.code == TACO_ERR_SYNTAX);
        CHECK(err.offset == strlen(cases[i].caret) - 1);
        if (!strstr(err.text, cases[i].text)) { CHECK_TEXT(err.text, cases[i].text); }
        memset(&err, 0, sizeof err);
    }
    query.where = NULL;
    query.time = "soon";
    drain(from_memory());
    expect(TACO_ERR_SYNTAX, 0,
           "x.tacozip: time range 'soon': at column 1: expected a date, YYYY-MM-DD, found 'soon'");
}

/* The first failure stays; without a taco_error everything still works. */
static void first_stays(void)
{
    taco_cursor *row;
    load(zip);
    taco_close(taco_open("examples/data/none.tacozip", NULL, &err));
    taco_close(taco_open(NULL, NULL, &err));
    CHECK(err.code == TACO_ERR_NOT_FOUND);
    CHECK(taco_open("examples/data/none.tacozip", NULL, NULL) == NULL);
    row = taco_select(NULL, NULL, NULL);
    CHECK(row == NULL && !taco_cursor_next(row) &&
          taco_cursor_close(row, NULL) == TACO_ERR_ARGUMENT);
    CHECK_TEXT(taco_status_name(TACO_ERR_CORRUPT), "corrupt");
    CHECK(taco_error_text(NULL) != NULL);
}

int main(void)
{
    RUN(argument);
    RUN(state);
    RUN(memory);
    RUN(limits);
    RUN(each_limit);
    RUN(io);
    RUN(truncated);
    RUN(corrupt);
    RUN(checksum);
    RUN(unsupported);
    RUN(not_found);
    RUN(type);
    RUN(syntax);
    RUN(first_stays);
    return test_end("test_errors");
}
