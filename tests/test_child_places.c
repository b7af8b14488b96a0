/* src/dataset/child_places.c: an archive of tacotoolbox 0.26.9 whose FOLDERs are not in byte order, so
   that METADATA/level1.parquet has the places of other samples. Whatever is read of it leads to the
   bytes that __meta__ has, with one warning; without a central directory nothing is guessed. */
#include "../taco.h"
#include "../extra/taco_sql.h"

#include "places.h"

#define ARCHIVE "tests/data/unsorted_folders.tacozip"

static const char *const ids[] = {"tile_2", "tile_10", "tile_1"};

static unsigned warned;

static void count_warning(void *ctx, const taco_error *warning)
{
    (void)ctx;
    CHECK(strstr(warning->text, "internal:offset of 4 of 6 rows leads to other samples") &&
          strstr(warning->text, "taco repair"));
    warned++;
}

/* The bytes of the file: len in *n; the caller frees them. */
static char *load(size_t *n)
{
    FILE *f = fopen(ARCHIVE, "rb");
    char *b = (char *)malloc(1 << 16);
    CHECK(f && b);
    *n = f && b ? fread(b, 1, 1 << 16, f) : 0;
    if (f) { fclose(f); }
    return b;
}

/* Whether the bytes at an offset are those of child `row`: "tile_2.image " one or more times. */
static void check_bytes(const char *file, uint64_t offset, uint64_t size, size_t row)
{
    char want[64];
    int n = sprintf(want, "%s.%s ", ids[row / 2], row % 2 ? "mask" : "image");
    CHECK(size == (uint64_t)n * (row / 2 + 1 + row % 2));
    CHECK(memcmp(file + offset, want, (size_t)n) == 0);
}

static void check_path(const char *file, taco_bytes path, size_t row)
{
    unsigned long long offset = 0, size = 0;
    char text[256] = "";
    CHECK(path.len < sizeof text);
    memcpy(text, path.data, path.len < sizeof text ? path.len : 0);
    CHECK(sscanf(text, "/vsisubfile/%llu_%llu,", &offset, &size) == 2);
    check_bytes(file, offset, size, row);
}

static taco_dataset *open_archive(taco_options *opt, taco_error *err)
{
    memset(opt, 0, sizeof *opt);
    opt->warn = count_warning;
    warned = 0;
    return taco_open(ARCHIVE, opt, err);
}

/* Rows of a query: their paths, and their offsets where it has these. */
static void check_rows(taco_dataset *ds, const char *file, bool flat, const char *where,
                       size_t rows)
{
    taco_query q;
    taco_filter f;
    taco_cursor *c;
    size_t i, n = 0;
    memset(&q, 0, sizeof q);
    memset(&f, 0, sizeof f);
    q.table = 1;
    q.flat = flat;
    f.level = 1;
    f.where = where;
    if (where) {
        q.filters = &f;
        q.filter_count = 1;
    }
    c = taco_select(ds, &q, NULL);
    while (c && taco_cursor_next(c)) {
        taco_bytes path = {NULL, 0};
        int64_t offset = 0, size = 0;
        i = where ? 3 : n;
        CHECK(taco_cursor_bytes(c, "internal:gdal_vsi", &path));
        check_path(file, path, i);
        if (!flat) {
            CHECK(taco_cursor_int(c, "internal:offset", &offset) &&
                  taco_cursor_int(c, "internal:size", &size));
            check_bytes(file, (uint64_t)offset, (uint64_t)size, i);
        }
        n++;
    }
    CHECK(taco_cursor_close(c, NULL) == TACO_OK && n == rows);
}

static void every_way(void)
{
    taco_error err;
    taco_options opt;
    size_t len;
    char *file = load(&len);
    taco_dataset *ds = open_archive(&opt, &err);
    memset(&err, 0, sizeof err);
    CHECK(ds != NULL);
    check_rows(ds, file, true, NULL, 6);
    check_rows(ds, file, false, NULL, 6);
    check_rows(ds, file, false, NULL, 6);
    /* by the statistics of the stored values nothing is known of those that replace them */
    check_rows(ds, file, false, "\"internal:offset\" = 410", 1);
    check_rows(ds, file, false,
               "\"internal:size\" < 39 AND id = 'mask' AND \"internal:offset\" > 263", 0);
    CHECK(warned == 1);
    taco_close(ds);
    free(file);
}

static void sql(void)
{
    taco_error err;
    taco_options opt;
    size_t len, n = 0;
    char *file = load(&len);
    taco_dataset *ds = open_archive(&opt, &err);
    taco_cursor *c;
    memset(&err, 0, sizeof err);
    c = taco_sql(
        ds, "SELECT \"internal:gdal_vsi\" AS p FROM level1 WHERE \"internal:offset\" >= 335", &err);
    while (c && taco_cursor_next(c)) {
        taco_bytes path = {NULL, 0};
        CHECK(taco_cursor_bytes(c, "p", &path));
        check_path(file, path, 2 + n++);
    }
    CHECK(taco_cursor_close(c, &err) == TACO_OK && n == 4 && warned == 1);
    taco_close(ds);
    free(file);
}

/* The file without its directory, which its TACO_HEADER does not need. */
static char *cut_file;
static size_t cut_len;

static bool open_cut(void *ctx, const char *path, taco_source *out)
{
    (void)ctx;
    (void)path;
    taco_source_memory(out, cut_file, cut_len);
    return true;
}

static void no_directory(void)
{
    taco_error err;
    taco_options opt;
    taco_query q;
    taco_dataset *ds;
    taco_cursor *c;
    memset(&err, 0, sizeof err);
    memset(&opt, 0, sizeof opt);
    memset(&q, 0, sizeof q);
    cut_file = load(&cut_len);
    while (cut_len > 4 && memcmp(cut_file + cut_len, "PK\1\2", 4) != 0) {
        cut_len--;
    }
    opt.open_file = open_cut;
    ds = taco_open(ARCHIVE, &opt, &err);
    CHECK(ds != NULL);
    q.table = 1;
    c = taco_select(ds, &q, &err);
    CHECK(taco_cursor_close(c, NULL) != TACO_OK || !c);
    CHECK(err.code == TACO_ERR_TRUNCATED || err.code == TACO_ERR_CORRUPT);
    CHECK(strstr(err.text, ARCHIVE ": METADATA/level1.parquet: ") == err.text);
    /* what needs no places is read */
    memset(&err, 0, sizeof err);
    q.select = "id";
    c = taco_select(ds, &q, &err);
    CHECK(c && taco_cursor_next(c) && taco_cursor_close(c, &err) == TACO_OK);
    taco_close(ds);
    free(cut_file);
}

/* Everything once more, with each place that allocates failing once. */
static void read_all(const taco_options *opt, taco_error *err)
{
    taco_query q;
    taco_dataset *ds = taco_open(ARCHIVE, opt, err);
    taco_cursor *c;
    memset(&q, 0, sizeof q);
    q.table = 1;
    c = ds ? taco_select(ds, &q, err) : NULL;
    while (c && taco_cursor_next(c)) {}
    if (c) { taco_cursor_close(c, err); }
    taco_close(ds);
}

static void without_memory(void)
{
    taco_options opt;
    taco_error err;
    uint64_t limit;
    unsigned refused = 0;
    memset(&opt, 0, sizeof opt);
    for (limit = 1024; limit < 400000; limit += limit / 16) {
        memset(&err, 0, sizeof err);
        opt.limits.max_memory = limit;
        read_all(&opt, &err);
        CHECK(err.code == TACO_OK || err.code == TACO_ERR_LIMIT || err.code == TACO_ERR_MEMORY);
        refused += err.code != TACO_OK;
    }
    CHECK(refused > 10 && err.code == TACO_OK);
}

int main(void)
{
    RUN(every_way);
    RUN(sql);
    RUN(no_directory);
    RUN(without_memory);
    return test_end("test_child_places");
}
