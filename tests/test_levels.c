/* Levels, catalogues, FOLDERs and merged collections made in memory, as few writers make them:
   archives whose rows alternate, ids that are missing or not numbers, columns that are missing or of
   other types, rows without a parent, ids with '/' and '\\', endless trees. Each query is right, or an
   error says what is wrong; each is made again with each place that allocates, and with reads, failing
   once. */
#define PLACES_DEPTH 16 /* who collects ranges is many calls above */
#include "places.h"

#include <math.h>

#include "../src/dataset/parent_lookup.c"
#include "../src/dataset/dataset.h"
#include "../src/geo/geo.h"
#include "../taco.h"
#include "../extra/taco_sql.h"
#include "../extra/taco_legacy.h"

#include "../src/base/file_copy.h"
#include "../src/base/temporary.h"

#include "footer.h"
#include "make.h"
#include "names.h"

/* ---- files in memory ---- */

enum { MOST_FILES = 16 };

static struct {
    char path[64];
    mk_buf data;
} files[MOST_FILES];

static size_t file_count;
static bool vectored; /* files are read in many ranges at once, and never viewed */

static struct {
    bool only; /* files are read, and never viewed */
    size_t calls, fail_at;
} reads;

static void put_file(const char *path, mk_buf data)
{
    CHECK(file_count < MOST_FILES);
    snprintf(files[file_count].path, sizeof files[0].path, "%s", path);
    files[file_count++].data = data;
}

static void put_text_file(const char *path, const char *text)
{
    mk_buf b = {NULL, 0, 0};
    mk_add(&b, text, strlen(text));
    put_file(path, b);
}

static void forget_files(void)
{
    while (file_count) {
        free(files[--file_count].data.data);
    }
}

static bool read_file(void *ctx, uint64_t offset, void *dst, size_t len)
{
    if (++reads.calls == reads.fail_at) { return false; }
    memcpy(dst, ((const mk_buf *)ctx)->data + offset, len);
    return true;
}

static bool read_many(void *ctx, const taco_piece *pieces, size_t n)
{
    for (; n; n--, pieces++) {
        if (!read_file(ctx, pieces->offset, pieces->dst, pieces->len)) { return false; }
    }
    return true;
}

static bool open_file(void *ctx, const char *path, taco_source *out)
{
    size_t i;
    (void)ctx;
    for (i = 0; i < file_count && strcmp(files[i].path, path) != 0; i++) {}
    if (i == file_count) { return false; }
    taco_source_memory(out, files[i].data.data, files[i].data.len);
    if (vectored || reads.only) {
        out->ctx = &files[i].data;
        out->read = read_file;
        out->read_many = vectored ? read_many : NULL;
        out->view = NULL;
    }
    return true;
}

/* ---- queries, and their places ---- */

static places tried;
static taco_options options;
static taco_allocator allocator;

/* What is done with a dataset: appends to *said, and leaves what is wrong in *e. */
typedef void (*work)(taco_dataset *ds, const char *how, char *said, taco_error *e);

enum { SAID = 8192 };

static void say(char *said, const char *text)
{
    size_t n = strlen(said);
    snprintf(said + n, SAID - n, "%s%s", n ? " " : "", text ? text : "-");
}

static const taco_query *route; /* of merged collections */

/* One path, or a list of several after '=' (columns that all have), '+' (filled with nulls) or '!'
   (strict), separated by ' '. */
static taco_dataset *open_any(const char *path, taco_error *e)
{
    static char copy[1024];
    const char *list[MOST_FILES];
    size_t n = 0;
    char *p;
    if (strstr(path, "TACOLLECTION.json")) {
        return taco_open_tacollection(path, route, TACO_COLUMNS_INTERSECTION, &options, e);
    }
    if (!strchr("=+!", path[0])) { return taco_open(path, &options, e); }
    snprintf(copy, sizeof copy, "%s", path + 1);
    for (p = strtok(copy, " "); p && n < MOST_FILES; p = strtok(NULL, " ")) {
        list[n++] = p;
    }
    return taco_open_many(list, n,
                          path[0] == '='   ? TACO_COLUMNS_INTERSECTION
                          : path[0] == '+' ? TACO_COLUMNS_FILL_MISSING
                                           : TACO_COLUMNS_STRICT,
                          &options, e);
}

static void run(const char *path, work w, const char *how, char *said, taco_error *e)
{
    taco_dataset *ds;
    memset(e, 0, sizeof *e);
    said[0] = 0;
    ds = open_any(path, e);
    if (ds) { w(ds, how, said, e); }
    taco_close(ds);
    if (e->code != TACO_OK) { snprintf(said, SAID, "%s", e->text); }
}

/* The same with many of its reads failing, one at a time. */
static void tour_reads(const char *path, work w, const char *how, const char *want)
{
    static char said[SAID];
    taco_error e;
    size_t n;
    reads.only = true;
    for (n = 1;; n += 1 + n / 8) {
        reads.calls = 0;
        reads.fail_at = n;
        run(path, w, how, said, &e);
        if (tried.memory.live || (e.code != TACO_ERR_IO && strcmp(said, want) != 0)) {
            printf("%s, %s: read %u: %s: %s, not %s\n", path, how, (unsigned)n,
                   taco_status_name(e.code), said, want);
            CHECK(!"the same, or an error that tells of the read");
            tried.memory.live = 0;
        }
        if (reads.calls < n) { break; }
    }
    reads.only = false;
    reads.fail_at = 0;
}

/* What a work says, or what is wrong; the same with each new place that allocates failing once. */
static const char *tour(const char *path, work w, const char *how)
{
    static char want[SAID], said[SAID];
    taco_error e;
    size_t n;
    places_next(&tried, 0);
    run(path, w, how, want, &e);
    CHECK(tried.memory.live == 0);
    tried.note = false;
    for (n = 1; places_next(&tried, n); n++) {
        run(path, w, how, said, &e);
        if (tried.memory.live || (e.code != TACO_ERR_MEMORY && strcmp(said, want) != 0)) {
            printf("%s, %s: allocation %u: %s: %s, not %s\n", path, how, (unsigned)n,
                   taco_status_name(e.code), said, want);
            CHECK(!"the same, or an error that tells of the memory");
            tried.memory.live = 0;
        }
    }
    tried.memory.fail_at = 0;
    tour_reads(path, w, how, want);
    return want;
}

static void rows(taco_cursor *c, char *said, taco_error *e)
{
    while (taco_cursor_next(c)) {
        say(said, taco_cursor_json(c));
    }
    taco_cursor_close(c, e);
}

/* The rows of a SELECT. */
static void by_sql(taco_dataset *ds, const char *how, char *said, taco_error *e)
{
    rows(taco_sql(ds, how, e), said, e);
}

/* Where the sample at a path is, and its children. */
static void by_path(taco_dataset *ds, const char *how, char *said, taco_error *e)
{
    taco_sample s;
    if (taco_locate(ds, how, &s, e) == TACO_OK) {
        say(said, s.vsi);
        rows(taco_read(ds, how, false, e), said, e);
    }
}

/* The children of each row of the table whose number is in the first letter; of the others all. */
static void by_row(taco_dataset *ds, const char *how, char *said, taco_error *e)
{
    taco_query q;
    taco_cursor *c;
    memset(&q, 0, sizeof q);
    q.table = (uint32_t)(how[0] - '0');
    q.select = how[1] ? how + 1 : NULL;
    c = taco_select(ds, &q, e);
    while (e->code == TACO_OK && taco_cursor_next(c)) {
        rows(taco_cursor_children(c, e), said, e);
    }
    taco_cursor_close(c, e);
}

static void contains(const char *text, const char *part)
{
    if (!strstr(text, part)) { printf("\"%s\" is not in \"%s\"\n", part, text); }
    CHECK(strstr(text, part) != NULL);
}

/* ---- catalogues ---- */

enum { ARCHIVES = 20, TOP = 2 * ARCHIVES };

static char archive_names[ARCHIVES][16];

/* A catalogue of 20 archives with two samples each, x and y, each with a FILE below it. In order: those
   of an archive follow each other; otherwise archives alternate. With ids in internal:current_id, or
   none; with names of archives at all. */
static void make_catalogue(bool in_order, bool with_ids, bool with_names)
{
    static const char *id0[TOP], *id1[TOP], *names[TOP], *folder[TOP], *file[TOP];
    static int64_t zero[TOP], current[TOP], parent[TOP];
    mk_col c[6];
    size_t i, n;
    for (i = 0; i < TOP; i++) {
        size_t part = in_order ? i / 2 : i % ARCHIVES;
        snprintf(archive_names[part], sizeof archive_names[0], "p%02u.tacozip", (unsigned)part);
        names[i] = archive_names[part];
        folder[i] = "FOLDER";
        file[i] = "FILE";
        current[i] = parent[i] = (int64_t)(in_order ? i % 2 : i / ARCHIVES);
        id0[i] = current[i] ? "y" : "x";
        id1[i] = current[i] ? "below y" : "below x";
    }
    forget_files();
    put_text_file("cat/.tacocat/COLLECTION.json", MK_NESTED);
    n = 0;
    c[n++] = mk_text("id", id0);
    c[n++] = mk_text("type", folder);
    c[n++] = mk_i64("internal:offset", zero);
    c[n++] = mk_i64("internal:size", zero);
    if (with_names) { c[n++] = mk_text("internal:source_file", names); }
    if (with_ids) { c[n++] = mk_i64("internal:current_id", current); }
    put_file("cat/.tacocat/level0.parquet", mk_parquet(c, n, TOP, 16));
    n = 0;
    c[n++] = mk_text("id", id1);
    c[n++] = mk_text("type", file);
    c[n++] = mk_i64("internal:offset", zero);
    c[n++] = mk_i64("internal:size", zero);
    c[n++] = mk_i64("internal:parent_id", parent);
    if (with_names) { c[n++] = mk_text("internal:source_file", names); }
    put_file("cat/.tacocat/level1.parquet", mk_parquet(c, n, TOP, 16));
}

/* Each FILE has its own parent, whatever the order of the archives; without ids the number of a row in
   its archive is its id, whatever is between. */
static void catalogues(void)
{
    static const char joined[] =
        "SELECT count(*) AS n FROM level1 c JOIN level0 p ON c.\"internal:parent_id\" = "
        "p.\"internal:current_id\" AND c.\"internal:source_file\" = p.\"internal:source_file\"";
    static const char ids[] = "SELECT sum(\"internal:current_id\") AS s, "
                              "max(\"internal:current_id\") AS m FROM data";
    static const char above[] =
        "SELECT count(*) AS n, min(id) AS a, max(id) AS b FROM level1 WHERE id = 'below y'";
    make_catalogue(true, false, true);
    CHECK_TEXT(tour("cat", by_sql, ids), "{\"s\":20,\"m\":1}");
    CHECK_TEXT(tour("cat", by_sql, joined), "{\"n\":40}");
    CHECK_TEXT(tour("cat", by_sql, above), "{\"n\":20,\"a\":\"below y\",\"b\":\"below y\"}");
    make_catalogue(true, true, true);
    CHECK_TEXT(tour("cat", by_sql, ids), "{\"s\":20,\"m\":1}");
    CHECK_TEXT(tour("cat", by_sql, joined), "{\"n\":40}");
    make_catalogue(false, true, true);
    CHECK_TEXT(tour("cat", by_sql, joined), "{\"n\":40}");
    make_catalogue(false, false, true);
    CHECK_TEXT(tour("cat", by_sql, ids), "{\"s\":400,\"m\":20}");
}

/* Pairs of a row and its parent, in a flat view; those of level 0 that have a child. */
static void by_levels(taco_dataset *ds, const char *how, char *said, taco_error *e)
{
    taco_query q;
    taco_cursor *c;
    size_t wrong = 0, n = 0;
    memset(&q, 0, sizeof q);
    q.table = 1;
    q.flat = true;
    q.order = strcmp(how, "sorted") == 0 ? "\"l0:id\", \"l1:id\" desc" : NULL;
    c = taco_select(ds, &q, e);
    while (taco_cursor_next(c)) {
        const char *up = taco_cursor_text(c, "l0:id"), *id = taco_cursor_text(c, "l1:id");
        wrong += !up || !id || up[0] != id[6];
        n++;
    }
    taco_cursor_close(c, e);
    snprintf(said, SAID, "%u rows, %u wrong", (unsigned)n, (unsigned)wrong);
    memset(&q, 0, sizeof q);
    q.level = 1;
    q.where = "id = 'below x'";
    if (e->code == TACO_OK) {
        c = taco_select(ds, &q, e);
        for (n = 0; taco_cursor_next(c); n++) {}
        taco_cursor_close(c, e);
        snprintf(said + strlen(said), SAID - strlen(said), ", %u above", (unsigned)n);
    }
}

/* A catalogue of two samples, of an archive without a name and of b, and of FILEs of archives that it
   does not have, or without a parent. */
static void make_lost(bool numbers)
{
    static const char *const ids[] = {"x", "y", "z"},
                             *const types[] = {"FOLDER", "FOLDER", "FOLDER"},
                             *const names[] = {"", "b.tacozip", "c.tacozip"},
                             *const others[] = {"b.tacozip", "zz.tacozip", ""};
    static const int64_t zero[] = {0, 0, 0}, lost[] = {0, 0, 99};
    mk_col c[6];
    forget_files();
    put_text_file("cat/.tacocat/COLLECTION.json", MK_NESTED);
    c[0] = mk_text("id", ids);
    c[1] = mk_text("type", types);
    c[2] = mk_i64("internal:offset", zero);
    c[3] = mk_i64("internal:size", zero);
    c[4] = numbers ? mk_i64("internal:source_file", zero) : mk_text("internal:source_file", names);
    c[5] = mk_i64("internal:current_id", lost);
    put_file("cat/.tacocat/level0.parquet", mk_parquet(c, 6, 3, 3));
    c[4] = numbers ? c[4] : mk_text("internal:source_file", others);
    c[5] = mk_i64("internal:parent_id", lost);
    put_file("cat/.tacocat/level1.parquet", mk_parquet(c, 6, 3, 3));
}

/* The rows of level 0 that have a child. */
static void by_child(taco_dataset *ds, const char *how, char *said, taco_error *e)
{
    taco_query q;
    memset(&q, 0, sizeof q);
    q.level = 1;
    q.where = "id is not null";
    q.select = how;
    rows(taco_select(ds, &q, e), said, e);
}

static void by_base(taco_dataset *ds, const char *how, char *said, taco_error *e)
{
    if (how[0] == '/') {
        taco_set_base_path(ds, how, e);
    } else if (taco_set_base_path(ds, how, NULL) != TACO_OK) {
        e->code = TACO_ERR_MEMORY;
        snprintf(e->text, sizeof e->text, "no memory");
    }
    say(said, how);
}

static void lost_children(void)
{
    make_lost(false);
    CHECK_TEXT(tour("cat", by_child, "id"), "{\"id\":\"y\"}");
    CHECK_TEXT(tour("cat", by_base, "/base"), "/base");
    CHECK_TEXT(tour("cat", by_base, "base/"), "base/");
    contains(tour("cat", by_child, "internal:gdal_vsi"), "/vsisubfile/0_0,cat/b.tacozip");
    make_lost(true);
    contains(tour("cat", by_child, "internal:gdal_vsi"), "internal:source_file must be text");
}

static void catalogues_joined(void)
{
    int i;
    for (i = 0; i < 2; i++) {
        vectored = i == 1;
        make_catalogue(true, true, true);
        CHECK_TEXT(tour("cat", by_levels, "in order"), "40 rows, 0 wrong, 20 above");
        make_catalogue(true, false, true);
        CHECK_TEXT(tour("cat", by_levels, "no ids"), "40 rows, 0 wrong, 20 above");
        make_catalogue(false, true, true);
        CHECK_TEXT(tour("cat", by_levels, "in turns"), "40 rows, 0 wrong, 20 above");
        CHECK_TEXT(tour("cat", by_levels, "sorted"), "40 rows, 0 wrong, 20 above");
        make_catalogue(true, true, false);
        make_catalogue(false, false, true);
        CHECK_TEXT(tour("cat", by_levels, "neither"), "20 rows, 0 wrong, 20 above");
        make_catalogue(true, true, false);
        contains(tour("cat", by_levels, "no names"),
                 "there is no internal:source_file, no path can be made");
        CHECK_TEXT(tour("cat", by_sql, "SELECT count(*) AS n FROM level1"), "{\"n\":40}");
    }
    vectored = false;
}

/* ---- columns of archives ---- */

/* What is odd about the only table of an archive; NORMAL: nothing. */
typedef enum oddity {
    NORMAL,
    NO_OFFSET,
    NO_SIZE,
    OFFSET_TEXT,
    SIZE_TEXT,
    OFFSET_NULL,
    SIZE_NULL,
    OFFSET_NEGATIVE,
    BEYOND, /* a range behind the end */
    NO_TYPE,
    TYPE_NULL,
    TYPE_ODD,
    ID_NUMBER,
    TWICE /* a column */
} oddity;

/* Columns of two rows, f a FILE and x a FOLDER with a range. Returns their number. */
static size_t odd_columns(mk_col *c, oddity what, int64_t offset, int64_t size)
{
    static const char *const ids[] = {"f", "x"}, *const types[] = {"FILE", "FOLDER"},
                             *const odd[] = {"LINK", "LINK"}, *const none[] = {NULL, NULL},
                             *const texts[] = {"1", "2"};
    static int64_t offsets[2], sizes[2];
    static const uint8_t null[] = {1, 1};
    size_t n = 0;
    offsets[0] = MK_PAYLOAD;
    sizes[0] = 3;
    offsets[1] = what == OFFSET_NEGATIVE ? -1 : what == BEYOND ? 1000000 : offset;
    sizes[1] = size;
    c[n++] = what == ID_NUMBER ? mk_i64("id", offsets) : mk_text("id", ids);
    if (what != NO_TYPE) {
        c[n++] = mk_text("type", what == TYPE_NULL ? none : what == TYPE_ODD ? odd : types);
    }
    if (what != NO_OFFSET) {
        c[n] = what == OFFSET_TEXT ? mk_text("internal:offset", texts)
                                   : mk_i64("internal:offset", offsets);
        c[n++].null = what == OFFSET_NULL ? null : NULL;
    }
    if (what != NO_SIZE) {
        c[n] = what == SIZE_TEXT ? mk_text("internal:size", texts) : mk_i64("internal:size", sizes);
        c[n++].null = what == SIZE_NULL ? null : NULL;
    }
    if (what == TWICE) { c[n++] = mk_text("id", ids); }
    return n;
}

static const struct {
    oddity what;
    const char *locate, *select; /* NULL: it succeeds */
} oddities[] = {
    {NO_OFFSET, "there is no internal:offset", "there is no internal:offset, no path can be made"},
    {NO_SIZE, "there is no internal:size", "there is no internal:size, no path can be made"},
    {OFFSET_TEXT, "must be integers", "internal:offset and internal:size must be integers"},
    {SIZE_TEXT, "must be integers", "internal:offset and internal:size must be integers"},
    {OFFSET_NULL, "internal:offset or internal:size is null", NULL},
    {SIZE_NULL, "internal:offset or internal:size is null", NULL},
    {OFFSET_NEGATIVE, "internal:offset is -1, must not be negative", "internal:offset is -1"},
    {BEYOND, "3 bytes of __meta__, the archive ends at", NULL},
    {NO_TYPE, "id and type must be columns of text", NULL},
    {TYPE_NULL, "type is null, must be FILE or FOLDER", NULL},
    {TYPE_ODD, "type is 'LINK', must be FILE or FOLDER", NULL},
    {ID_NUMBER, "id and type must be columns of text", NULL},
    {TWICE, "column 'id' occurs twice", "column 'id' occurs twice"}};

static void make_odd(oddity what)
{
    mk_col c[6];
    mk_buf level;
    size_t n = odd_columns(c, what, MK_PAYLOAD, 3);
    level = mk_parquet(c, n, 2, 2);
    forget_files();
    put_file("a.tacozip", mk_archive(&level, 1, MK_FLAT, "data", 4));
}

static void odd_archives(void)
{
    size_t i;
    for (i = 0; i < sizeof oddities / sizeof oddities[0]; i++) {
        make_odd(oddities[i].what);
        contains(tour("a.tacozip", by_path, "x"), oddities[i].locate);
        if (oddities[i].select) { contains(tour("a.tacozip", by_row, "0"), oddities[i].select); }
    }
    make_odd(NORMAL); /* 3 bytes are no table */
    contains(tour("a.tacozip", by_path, "x"), "a.tacozip: 'x': ");
    contains(tour("a.tacozip", by_path, "f"), "/vsisubfile/193_3,a.tacozip");
}

/* The table is the __meta__ of a FOLDER x in another table that is as it should be. */
static void odd_children(void)
{
    static const struct {
        oddity what;
        const char *read;
    } t[] = {{NO_OFFSET, "__meta__ has no 'internal:offset' of integers, no path can be made"},
             {NO_SIZE, "__meta__ has no 'internal:size' of integers, no path can be made"},
             {SIZE_TEXT, "__meta__ has no 'internal:size' of integers, no path can be made"},
             {NO_TYPE, "id and type must be columns of text"},
             {ID_NUMBER, "id and type must be columns of text"},
             {OFFSET_NEGATIVE, "internal:offset is -1, must not be negative"}};

    size_t i, n;
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        mk_col c[6];
        mk_buf meta, level;
        n = odd_columns(c, t[i].what, MK_PAYLOAD, 3);
        meta = mk_parquet(c, n, 2, 2);
        n = odd_columns(c, NORMAL, MK_PAYLOAD, (int64_t)meta.len);
        level = mk_parquet(c, n, 2, 2);
        forget_files();
        put_file("a.tacozip", mk_archive(&level, 1, MK_FLAT, meta.data, meta.len));
        free(meta.data);
        contains(tour("a.tacozip", by_path, "x"), t[i].read);
    }
}

/* ---- keys ---- */

/* FOLDERs x and y; below x FOLDERs with `ids`, each with the FILE f. */
static void make_deep(const char *const *ids, size_t n, const int64_t *parents, bool numbers)
{
    static const char *const top[] = {"x", "y"},
                             *folders[8], *const file[] = {"f"}, *const type[] = {"FILE"};
    static int64_t at[8], size[8], number[8];
    mk_col c[6];
    mk_buf inner, middle = {NULL, 0, 0}, levels[2], all = {NULL, 0, 0};
    size_t i, round;
    c[0] = mk_text("id", file);
    c[1] = mk_text("type", type);
    at[0] = MK_PAYLOAD;
    size[0] = 1;
    c[2] = mk_i64("internal:offset", at);
    c[3] = mk_i64("internal:size", size);
    inner = mk_parquet(c, 4, 1, 1);
    for (round = 0; round < 2; round++) { /* its own length is part of it, and does not change */
        for (i = 0; i < n; i++) {
            folders[i] = "FOLDER";
            at[i] = MK_PAYLOAD + (int64_t)middle.len;
            size[i] = (int64_t)inner.len;
            number[i] = (int64_t)i;
        }
        free(middle.data);
        c[0] = mk_text("id", ids);
        c[1] = mk_text("type", folders);
        middle = mk_parquet(c, 4, n, n);
    }
    if (numbers) { c[0] = mk_i64(n > 1 ? "id" : "number", number); }
    c[4] = mk_i64("internal:parent_id", parents);
    levels[1] = mk_parquet(c, 5, n, n);
    mk_add(&all, middle.data, middle.len);
    mk_add(&all, inner.data, inner.len);
    at[0] = at[1] = MK_PAYLOAD;
    size[0] = size[1] = (int64_t)middle.len;
    c[0] = mk_text("id", top);
    levels[0] = mk_parquet(c, 4, 2, 2);
    forget_files();
    put_file("a.tacozip", mk_archive(levels, 2, MK_NESTED, all.data, all.len));
    free(inner.data);
    free(middle.data);
    free(all.data);
}

/* The children of the rows below a path. */
static void by_children(taco_dataset *ds, const char *how, char *said, taco_error *e)
{
    taco_cursor *c = taco_read(ds, how, false, e);
    while (e->code == TACO_OK && taco_cursor_next(c)) {
        taco_cursor *below = taco_cursor_children(c, e);
        while (taco_cursor_next(below)) {
            say(said, taco_cursor_text(below, "id"));
        }
        taco_cursor_close(below, e);
    }
    taco_cursor_close(c, e);
}

/* The children of the rows of a SELECT. */
static void by_sql_rows(taco_dataset *ds, const char *how, char *said, taco_error *e)
{
    taco_cursor *c = taco_sql(ds, how, e);
    while (e->code == TACO_OK && taco_cursor_next(c)) {
        taco_cursor *below = taco_cursor_children(c, e);
        while (taco_cursor_next(below)) {
            say(said, taco_cursor_text(below, "id"));
        }
        taco_cursor_close(below, e);
    }
    taco_cursor_close(c, e);
}

static void special_ids(void)
{
    static const char *const ids[] = {"a/b", "a\\b", "@x", "a@b", "plain", "end\\"};
    static const int64_t below_x[] = {0, 0, 0, 0, 0, 0}, lost[] = {0, 9, 0, 0, 0, 0};
    static const char *const paths[] = {"x/a\\/b", "x/a\\\\b",  "x/a\\b", "x/\\@x",  "x/a@b",
                                        "x/plain", "x/end\\\\", "@0/@0",  "@@0/@@0", "@1/a\\/b"};
    size_t i;
    char path[64];
    make_deep(ids, 6, below_x, false);
    for (i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        contains(tour("a.tacozip", by_path, paths[i]), "\"id\":\"f\"");
        snprintf(path, sizeof path, "%s/f", paths[i]);
        contains(tour("a.tacozip", by_path, path), "\"id\":\"f\"");
        snprintf(path, sizeof path, "%s/@@0", paths[i]);
        contains(tour("a.tacozip", by_path, path), "\"id\":\"f\"");
        snprintf(path, sizeof path, "%s/g", paths[i]);
        contains(tour("a.tacozip", by_path, path), "there is no sample 'g'");
    }
    contains(tour("a.tacozip", by_path, "x/end\\"), "\"id\":\"f\"");
    contains(tour("a.tacozip", by_row, "1"), "\"id\":\"f\"");
    CHECK_TEXT(tour("a.tacozip", by_children, "x"), "f f f f f f");
    CHECK_TEXT(tour("a.tacozip", by_children, ""), "a/b a\\b @x a@b plain end\\ a/b a\\b @x a@b "
                                                   "plain end\\");
    CHECK_TEXT(tour("a.tacozip", by_sql_rows, "SELECT DISTINCT id FROM data ORDER BY id LIMIT 1"),
               "a/b a\\b @x a@b plain end\\");
    contains(tour("a.tacozip", by_sql_rows, "SELECT count(*) AS n FROM data"),
             "the row has neither id nor internal:relative_path");
    contains(tour("a.tacozip", by_sql_rows, "SELECT NULL AS id, count(*) AS n FROM data"),
             "the row has neither id nor internal:relative_path");
    make_deep(ids, 6, lost, false);
    contains(tour("a.tacozip", by_row, "1"), "METADATA/level1.parquet: row 1 has no parent");
    make_deep(ids, 6, below_x, true);
    contains(tour("a.tacozip", by_row, "1"), "id must be a column of text");
    make_deep(ids, 1, below_x, true); /* and has none with that name */
    contains(tour("a.tacozip", by_row, "1"), "id must be a column of text");
}

/* A FOLDER that lists itself: a tree without an end. */
static void endless(void)
{
    static const char *const ids[] = {"x"}, *const type[] = {"FOLDER"};
    static const int64_t at[] = {MK_PAYLOAD};
    static char path[600];
    int64_t size[] = {0};
    mk_col c[4];
    mk_buf meta = {NULL, 0, 0}, level;
    taco_error e;
    char said[SAID];
    size_t i;
    c[0] = mk_text("id", ids);
    c[1] = mk_text("type", type);
    c[2] = mk_i64("internal:offset", at);
    c[3] = mk_i64("internal:size", size);
    for (i = 0; i < 2; i++) {
        free(meta.data);
        meta = mk_parquet(c, 4, 1, 1);
        size[0] = (int64_t)meta.len;
    }
    free(meta.data);
    meta = mk_parquet(c, 4, 1, 1);
    level = mk_parquet(c, 4, 1, 1);
    forget_files();
    put_file("a.tacozip", mk_archive(&level, 1, MK_FLAT, meta.data, meta.len));
    free(meta.data);
    for (i = 0; i < 257; i++) {
        memcpy(path + 2 * i, "x/", 2);
    }
    path[2 * 256 - 1] = 0;
    run("a.tacozip", by_path, path, said, &e);
    CHECK(e.code == TACO_OK);
    path[2 * 256 - 1] = '/';
    path[2 * 257 - 1] = 0;
    run("a.tacozip", by_path, path, said, &e);
    CHECK(e.code == TACO_ERR_LIMIT);
    contains(said, "a path of more than 256 keys");
}

/* ---- FOLDERs ---- */

static void put_table(const char *path, const mk_col *c, size_t n, size_t count)
{
    put_file(path, mk_parquet(c, n, count, count));
}

/* FOLDERs x, with the FILE f and the FOLDER sub, and "..", which is no name; the FILE g/h. */
static void make_folder(const char *meta)
{
    static const char *const top[] = {"x", "..", "g/h"},
                             *const top_type[] = {"FOLDER", "FOLDER", "FILE"},
                             *const in_x[] = {"f", "sub"}, *const x_type[] = {"FILE", "FOLDER"},
                             *const x_path[] = {"", "x/sub/"}, *const deep[] = {"deep"},
                             *const all_path[] = {"x/f", "x/sub/"};
    static const int64_t zero[] = {0, 0};
    mk_col c[4];
    forget_files();
    put_text_file("dir/COLLECTION.json", MK_NESTED);
    c[0] = mk_text("id", top);
    c[1] = mk_text("type", top_type);
    put_table("dir/METADATA/level0.parquet", c, 2, 3);
    c[0] = mk_text("id", in_x);
    c[1] = mk_text("type", x_type);
    c[2] = mk_text("internal:relative_path", all_path);
    c[3] = mk_i64("internal:parent_id", zero);
    put_table("dir/METADATA/level1.parquet", c, 4, 2);
    c[2] = mk_text("internal:relative_path", x_path);
    if (meta) {
        put_text_file("dir/DATA/x/__meta__", meta);
    } else {
        put_table("dir/DATA/x/__meta__", c, 3, 2);
    }
    c[0] = mk_text("id", deep);
    put_table("dir/DATA/x/sub/__meta__", c, 2, 1);
}

static void folders(void)
{
    make_folder(NULL);
    CHECK_TEXT(tour("dir", by_children, "x"), "f deep");
    CHECK_TEXT(tour("dir/", by_children, "x"), "f deep");
    contains(tour("dir", by_path, ".."), "id '..' has a '..' component");
    contains(tour("dir", by_path, "g\\/h"), "dir/DATA/g/h");
    contains(tour("dir/", by_path, "x/sub"), "dir/DATA/x/sub/__meta__");
    contains(tour("dir", by_path, "x/sub/deep"), "dir/DATA/x/sub/deep");
    contains(tour("dir", by_row, "1"), "\"id\":\"deep\"");
    contains(tour("dir", by_row, "0"), "has a '..' component");
    contains(tour("dir", by_sql, "SELECT id, \"internal:gdal_vsi\" FROM level1"),
             "dir/DATA/x/sub/__meta__");
    make_folder("PA");
    contains(tour("dir", by_children, "x"), "dir: 'x': ");
    make_folder("PAR1 and no more than that, which is no table");
    contains(tour("dir", by_children, "x"), "dir: 'x': ");
}

/* Files of their own, each of which is read in few rounds. */
static void by_flat(taco_dataset *ds, const char *how, char *said, taco_error *e)
{
    taco_query q;
    memset(&q, 0, sizeof q);
    q.table = 1;
    q.flat = true;
    q.select = how;
    rows(taco_select(ds, &q, e), said, e);
}

static void folders_read_ahead(void)
{
    int i;
    for (i = 0; i < 2; i++) {
        vectored = i == 1;
        make_folder(NULL);
        CHECK_TEXT(tour("dir", by_flat, "\"l0:id\", \"l1:id\""),
                   "{\"l0:id\":\"x\",\"l1:id\":\"f\"}");
        contains(tour("dir", by_flat, "internal:gdal_vsi"), "dir/DATA/x/f");
    }
    vectored = false;
}

/* ---- boxes ---- */

static char heard[4096];

static void hear(void *ctx, const taco_error *w)
{
    (void)ctx;
    strncat(heard, w->text, sizeof heard - strlen(heard) - 1);
}

/* Points at 0, 1, 2 and 3 degrees of longitude, with CRSs of their own. */
static void make_points(const char *const *crs, bool text, const char *column)
{
    static const char *const ids[] = {"a", "b", "c", "d"}, *const type[] = {"FILE", "FILE", "FILE",
                                                                            "FILE"};
    static const int64_t at[] = {MK_PAYLOAD, MK_PAYLOAD, MK_PAYLOAD, MK_PAYLOAD},
                         size[] = {1, 1, 1, 1};
    static uint8_t wkb[4 * TACO__WKB_POINT_BYTES];
    mk_col c[6];
    mk_buf level;
    size_t i;
    for (i = 0; i < 4; i++) {
        taco__wkb_point_write(wkb + i * TACO__WKB_POINT_BYTES, (double)i, 0);
    }
    c[0] = mk_text("id", ids);
    c[1] = mk_text("type", type);
    c[2] = mk_i64("internal:offset", at);
    c[3] = mk_i64("internal:size", size);
    c[4] = mk_bin(column, wkb, TACO__WKB_POINT_BYTES);
    c[5] = text ? mk_text("istac:crs", crs) : mk_i64("istac:crs", size);
    level = mk_parquet(c, crs || !text ? 6 : 5, 4, 2);
    forget_files();
    put_file("a.tacozip", mk_archive(&level, 1, MK_FLAT, "data", 4));
}

static void by_box(taco_dataset *ds, const char *how, char *said, taco_error *e)
{
    static const double degrees[] = {0.5, -1, 2.5, 1}, meters[] = {0.5, -1000, 2.5, 1000},
                        wrong[] = {NAN, 1, 1, 0};
    taco_query q;
    memset(&q, 0, sizeof q);
    q.bbox = strcmp(how, "degrees") == 0 ? degrees : strcmp(how, "meters") == 0 ? meters : wrong;
    q.select = "id";
    rows(taco_select(ds, &q, e), said, e);
}

/* A box is compared in degrees where rows have a CRS; of those that are not known it is told. */
static void boxes(void)
{
    static const char two[] = "{\"id\":\"b\"} {\"id\":\"c\"}";
    static const char *const none[] = {NULL, NULL, NULL, NULL},
                             *const some[] = {NULL, NULL, "EPSG:2154", "EPSG:2154"},
                             *const fine[] = {"EPSG:4326", NULL, "EPSG:4326", "EPSG:4326"},
                             *const utm[] = {"EPSG:32631", "EPSG:32631", "EPSG:32631",
                                             "EPSG:32631"};
    int told;
    for (told = 0; told < 2; told++) {
        options.warn = told ? hear : NULL;
        heard[0] = 0;
        make_points(none, true, "istac:geometry");
        CHECK_TEXT(tour("a.tacozip", by_box, "degrees"), two);
        make_points(fine, true, "istac:geometry");
        CHECK_TEXT(tour("a.tacozip", by_box, "degrees"), two);
        make_points(some, true, "istac:geometry");
        CHECK_TEXT(tour("a.tacozip", by_box, "meters"), two);
        make_points(some, true, "stac:centroid");
        CHECK_TEXT(tour("a.tacozip", by_box, "degrees"), two);
        make_points(NULL, true, "istac:geometry");
        CHECK_TEXT(tour("a.tacozip", by_box, "degrees"), two);
        make_points(NULL, false, "istac:geometry");
        CHECK_TEXT(tour("a.tacozip", by_box, "degrees"), two);
        CHECK_TEXT(heard, "");
        make_points(utm, true, "istac:geometry"); /* a few meters from one place */
        CHECK_TEXT(tour("a.tacozip", by_box, "degrees"), "");
        make_points(some, true, "istac:geometry");
        CHECK_TEXT(tour("a.tacozip", by_box, "degrees"), two);
        if (told) { contains(heard, "bbox: istac:crs is 'EPSG:2154' to 'EPSG:2154'"); }
        contains(tour("a.tacozip", by_box, "wrong"), "bbox");
    }
    options.warn = NULL;
}

static void times_in_units(void)
{
    CHECK(taco__query_time_in_unit(1500000, TACO_SECOND) == 2);
    CHECK(taco__query_time_in_unit(-1500000, TACO_SECOND) == -1);
    CHECK(taco__query_time_in_unit(1001, TACO_MILLI) == 2);
    CHECK(taco__query_time_in_unit(1001, TACO_MICRO) == 1001);
    CHECK(taco__query_time_in_unit(7, TACO_NANO) == 7000);
    CHECK(taco__query_time_in_unit(INT64_MAX / 2, TACO_NANO) == INT64_MAX);
    CHECK(taco__query_time_in_unit(INT64_MIN / 2, TACO_NANO) == INT64_MIN);
}

/* ---- payloads, and values that are not shown ---- */

static void by_payload(taco_dataset *ds, const char *how, char *said, taco_error *e)
{
    taco_source s;
    char bytes[16] = "";
    if (taco_payload(ds, how, &s, e) != TACO_OK) { return; }
    CHECK(s.size < sizeof bytes);
    if (s.read(s.ctx, 0, bytes, (size_t)s.size)) {
        say(said, bytes);
    } else {
        e->code = TACO_ERR_IO; /* a source has true and false */
    }
    s.close(s.ctx);
}

static void by_hidden(taco_dataset *ds, const char *how, char *said, taco_error *e)
{
    taco_query q;
    taco_cursor *c;
    memset(&q, 0, sizeof q);
    q.select = how;
    c = taco_select(ds, &q, e);
    while (taco_cursor_next(c)) {
        int64_t size = -1;
        say(said, taco_cursor_text(c, "id"));
        say(said, taco_cursor_int(c, "internal:size", &size) ? "3" : "none");
        say(said, taco_cursor_text(c, "internal:size"));
        say(said, taco_cursor_text(c, "type"));
        CHECK(size == 3 || size == -1);
    }
    taco_cursor_close(c, e);
}

static void payloads(void)
{
    mk_buf part = {NULL, 0, 0};
    make_odd(NORMAL);
    CHECK_TEXT(tour("a.tacozip", by_payload, "f"), "dat");
    contains(tour("a.tacozip", by_payload, "x"), "sample 'x' is a FOLDER, only a FILE has bytes");
    contains(tour("a.tacozip", by_payload, "y"), "there is no sample 'y'");
    CHECK_TEXT(tour("a.tacozip", by_hidden, "type"), "f 3 3 FILE x 3 3 FOLDER");
    CHECK_TEXT(tour("a.tacozip", by_hidden, "internal:offset"), "f 3 3 FILE x 3 3 FOLDER");
    make_odd(SIZE_NULL);
    CHECK_TEXT(tour("a.tacozip", by_hidden, "type"), "f none - FILE x none - FOLDER");
    {
        static const char *const id[] = {"f"}, *const type[] = {"FILE"};
        static const int64_t at[] = {MK_PAYLOAD}, size[] = {1000000};
        mk_col c[4];
        mk_buf level;
        c[0] = mk_text("id", id);
        c[1] = mk_text("type", type);
        c[2] = mk_i64("internal:offset", at);
        c[3] = mk_i64("internal:size", size);
        level = mk_parquet(c, 4, 1, 1);
        forget_files();
        put_file("a.tacozip", mk_archive(&level, 1, MK_FLAT, "data", 4));
        contains(
            tour("a.tacozip", by_payload, "f"),
            "a.tacozip: sample 'f': at byte 193: payload of 1000000 bytes, the archive ends at");
        c[0] = mk_text("id", id);
        forget_files();
        put_text_file("dir/COLLECTION.json", MK_FLAT);
        put_table("dir/METADATA/level0.parquet", c, 2, 1);
        contains(tour("dir", by_payload, "f"), "dir: sample 'f': ");
        mk_add(&part, "folder", 6);
        put_file("dir/DATA/f", part);
        CHECK_TEXT(tour("dir", by_payload, "f"), "folder");
    }
}

/* ---- merged collections ---- */

static void put_archive(const char *path, bool more)
{
    mk_col c[6];
    static const double v[] = {1.5, 2.5};
    mk_buf level;
    size_t n = odd_columns(c, NORMAL, MK_PAYLOAD, 3);
    if (more) { c[n++] = mk_f64("v", v); }
    level = mk_parquet(c, n, 2, 2);
    put_file(path, mk_archive(&level, 1, MK_FLAT, "data", 4));
}

static void by_count(taco_dataset *ds, const char *how, char *said, taco_error *e)
{
    taco_cursor *c = taco_select(ds, NULL, e);
    size_t n = 0;
    (void)how;
    while (taco_cursor_next(c)) {
        n++;
    }
    taco_cursor_close(c, e);
    snprintf(said, SAID, "%u", (unsigned)n);
}

/* The number of rows of a collection of a, b and c with these bounds of c, made when its size
   (1) or its end (2) was another one, of which a query may need some. The extents of all are far from every query. */
static const char *routed_of(const char *bounds, int other, const double *box, const char *time)
{
    static char text[1000];
    taco__routing_mark a, c;
    taco_query q;
    taco_filter f;
    memset(&q, 0, sizeof q);
    memset(&f, 0, sizeof f);
    f.bbox = box;
    f.time = time;
    q.filters = &f;
    q.filter_count = 1;
    route = &q;
    forget_files();
    put_archive("m/a.tacozip", false);
    put_archive("m/b.tacozip", false);
    put_archive("m/c.tacozip", false);
    reads.calls = reads.fail_at = 0;
    options.open_file = open_file;
    CHECK(taco__routing_mark_read(&options, "m/a.tacozip", &a, NULL));
    CHECK(taco__routing_mark_read(&options, "m/c.tacozip", &c, NULL));
    snprintf(
        text, sizeof text,
        "{\"taco:sources\":{\"files\":[\"a.tacozip\",\"b.tacozip\",\"c.tacozip\"],\"extents\":["
        "{\"file\":\"a.tacozip\",\"taco:bounds\":{\"bytes\":%u,\"crc\":%u,\"spatial\":[0,0,1,1],"
        "\"temporal\":[\"2020-01-01\",\"2020-01-31\"]}},{\"file\":1},"
        "{\"file\":\"c.tacozip\",\"spatial\":[-50,-50,-50,-50],\"temporal\":[\"1970-01-01\","
        "\"1970-01-01\"],\"taco:bounds\":{\"bytes\":%u,\"crc\":%u,%s}},"
        "{\"file\":\"c.tacozip\",\"spatial\":[0,0,0,0]}]}}",
        (unsigned)a.bytes, (unsigned)a.crc, (unsigned)c.bytes + (unsigned)(other == 1),
        (unsigned)c.crc + (unsigned)(other == 2), bounds);
    put_text_file("m/TACOLLECTION.json", text);
    return tour("m/TACOLLECTION.json", by_count, "");
}

static const char *routed(const char *bounds, const double *box, const char *time)
{
    return routed_of(bounds, 0, box, time);
}

static void routes(void)
{
    static const double far_east[] = {100, 0, 110, 1}, far_north[] = {0, 50, 1, 60},
                        far_south[] = {0, -60, 1, -50}, meters[] = {100000, 0, 110000, 1},
                        wrong[] = {0, NAN, 1, 4};
    static const double across[] = {175, 0, -175, 1}, in_east[] = {174, 0, 176, 1},
                        in_west[] = {-176, 0, -174, 1};
    static const char far_west[] = "\"spatial\":[-120,0,-90,1]";
    static const char east[] = "\"spatial\":[90,0,120,1]", over[] = "\"spatial\":[170,0,190,1]",
                      none[] = "\"spatial\":[90,\"x\",120,1]";

    static const struct {
        const char *temporal, *rows; /* on 2020-02-10; b has no extent */
    } t[] = {{"[\"2020-02-01\",\"2020-02-10\"]", "4"},
             {"[\"2020-02-01T00:00:00Z\",\"2020-02-09T23:59:59Z\"]", "2"},
             {"[\"2020-02-01\",\"2020-02-09\"]", "2"},
             {"[\"2020-02-11\",\"2020-02-12\"]", "2"},
             {"[\"2020-02-10\",\"2020-02-12\"]", "4"},
             {"[\"x\",\"2020-02-12\"]", "4"},
             {"[\"2020-03-10\",\"x\"]", "4"},
             {"[1,\"2020-03-12\"]", "4"},
             {"[\"2020-03-10\",1]", "4"},
             {"null", "4"}};

    taco__routing_mark none_such;
    size_t i;
    char text[100];
    CHECK_TEXT(routed(east, NULL, NULL), "6");
    CHECK_TEXT(routed(east, far_east, NULL), "4");
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        snprintf(text, sizeof text, "\"temporal\":%s", t[i].temporal);
        CHECK_TEXT(routed(text, NULL, "2020-02-10"), t[i].rows);
    }
    CHECK_TEXT(routed(over, far_east, NULL), "2");
    CHECK_TEXT(routed(over, in_east, NULL), "4");
    CHECK_TEXT(routed(over, in_west, NULL), "4");
    CHECK_TEXT(routed(far_west, in_east, NULL), "2");
    CHECK_TEXT(routed(none, far_east, NULL), "4");
    CHECK_TEXT(routed(east, far_north, NULL), "2");
    CHECK_TEXT(routed(east, far_south, NULL), "2");
    CHECK_TEXT(routed(east, meters, NULL), "6"); /* not in degrees */
    CHECK_TEXT(routed(east, across, NULL), "2");
    CHECK_TEXT(routed(over, across, NULL), "4");
    CHECK_TEXT(routed(far_west, across, NULL), "2");
    /* c has changed since; nobody knows whether it has; only an extent, which proves nothing */
    CHECK_TEXT(routed_of(east, 1, far_north, NULL), "4");
    CHECK_TEXT(routed_of(east, 2, far_north, NULL), "4");
    CHECK(!taco__routing_mark_read(&options, "m/none.tacozip", &none_such, NULL));
    CHECK_TEXT(routed("\"bytes\":null", far_north, NULL), "4");
    CHECK_TEXT(routed("\"x\":1},\"no\":{\"x\":1", far_north, NULL), "4");
    contains(routed(east, wrong, NULL), "south is not a number");
    contains(routed(east, NULL, "yesterday"), "time");
}

/* What is no merged collection, or has no sources that can be opened. */
static void no_routes(void)
{
    static const struct {
        const char *text, *says;
    } t[] = {
        {"{}", "must name its sources: taco:sources.files"},
        {"{\"taco:sources\":{\"files\":\"a\"}}", "must name its sources"},
        {"{\"taco:sources\":{\"files\":[]}}", "must name its sources"},
        {"{\"taco:sources\":{\"files\":[7]}}", "taco:sources.files must have names"},
        {"{\"taco:sources\":{\"files\":[\"../a\"]}}", "has a '..' component"},
        {"{\"taco:sources\":{\"files\":[\"TACOLLECTION.json\"]}}", "the merged collection itself"},
        {"{\"taco:sources\":{\"files\":[\"gone.tacozip\"]}}", "gone.tacozip"},
        {"[", "m/TACOLLECTION.json: at byte 1: "}};

    static const char *const names[] = {"TACOLLECTION.json", "d\\TACOLLECTION.json",
                                        "xTACOLLECTION.json", "COLLECTION.json"};
    taco_error e;
    taco_dataset *ds;
    taco_query q;
    size_t i;
    route = NULL;
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        forget_files();
        put_text_file("m/TACOLLECTION.json", t[i].text);
        contains(tour("m/TACOLLECTION.json", by_count, ""), t[i].says);
    }
    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        forget_files();
        put_archive("a.tacozip", false);
        put_archive("d\\a.tacozip", false);
        put_text_file(names[i], "{\"taco:sources\":{\"files\":[\"a.tacozip\"]}}");
        memset(&e, 0, sizeof e);
        ds = taco_open(names[i], &options, &e);
        CHECK((ds != NULL) == (i < 2) && (e.code == TACO_OK) == (i < 2));
        taco_close(ds);
    }
    /* nobody asks why; more than may be read; no source has rows of the query: the first stays */
    memset(&e, 0, sizeof e);
    CHECK(!taco_open_tacollection("gone/TACOLLECTION.json", NULL, TACO_COLUMNS_INTERSECTION,
                                  &options, &e) &&
          e.code == TACO_ERR_NOT_FOUND);
    CHECK(!taco_open_tacollection(NULL, NULL, TACO_COLUMNS_INTERSECTION, &options, NULL));
    CHECK(!taco_open_tacollection("a.tacozip", NULL, TACO_COLUMNS_INTERSECTION, &options, NULL));
    forget_files();
    put_archive("a.tacozip", false);
    put_text_file(
        "TACOLLECTION.json",
        "{\"taco:sources\":{\"files\":[\"a.tacozip\"],\"extents\":[{\"file\":\"a.tacozip\","
        "\"temporal\":[\"2020-01-01\",\"2020-01-02\"]}]}}");
    memset(&e, 0, sizeof e);
    options.limits.max_metadata = 10;
    CHECK(!taco_open_tacollection("TACOLLECTION.json", NULL, TACO_COLUMNS_INTERSECTION, &options,
                                  &e));
    contains(e.text, "limits.max_metadata is 10");
    options.limits.max_metadata = 0;
    memset(&q, 0, sizeof q);
    memset(&e, 0, sizeof e);
    q.time = "2021-01-01";
    ds = taco_open_tacollection("TACOLLECTION.json", &q, TACO_COLUMNS_INTERSECTION, &options, &e);
    CHECK(ds && taco_level_rows(ds, 0, &e) == 2);
    taco_close(ds);
}

/* ---- few rows of many ---- */

/* How a large level and the one above it are joined. */
typedef enum joint {
    NUMBERS,   /* internal:parent_id is the row of the parent */
    SAME_IDS,  /* and so is internal:current_id */
    OTHER_IDS, /* the last row has the id 0, and so on */
    TEXT_IDS,  /* internal:current_id is text */
    TEXT_PARENT,
    NO_PARENT,
    SCATTERED, /* children are in no order */
    NOBODY     /* no row above */
} joint;

enum { PARENTS = 100, CHILDREN = 9000 };

static void make_large(joint how)
{
    static const char *id0[PARENTS], *type0[PARENTS], *text_id[PARENTS], *id1[CHILDREN],
        *type1[CHILDREN], *text_parent[CHILDREN];
    static char names[PARENTS][8];
    static int64_t current[PARENTS], zero[CHILDREN], parent[CHILDREN];
    static uint8_t null[CHILDREN]; /* with internal:current_id, some rows have no size */
    mk_col c[6];
    mk_buf levels[2];
    size_t i, n = 0;
    for (i = 0; i < PARENTS; i++) {
        snprintf(names[i], sizeof names[0], "k%u", (unsigned)i);
        id0[i] = text_id[i] = names[i];
        type0[i] = "FOLDER";
        current[i] = (int64_t)(how == OTHER_IDS ? PARENTS - 1 - i : i);
    }
    for (i = 0; i < CHILDREN; i++) {
        id1[i] = "f";
        type1[i] = "FILE";
        text_parent[i] = "0";
        parent[i] = (int64_t)(how == SCATTERED ? i * 37 % PARENTS : i / (CHILDREN / PARENTS));
        null[i] = i % 7 == 3;
        /* some of the last are lost */
        if (i >= 8500 && i % 90 == 89) { parent[i] = i / 90 % 2 ? -5 : 500000; }
    }
    c[n++] = mk_text("id", id0);
    c[n++] = mk_text("type", type0);
    c[n++] = mk_i64("internal:offset", zero);
    c[n++] = mk_i64("internal:size", zero);
    if (how == SAME_IDS || how == OTHER_IDS) { c[n++] = mk_i64("internal:current_id", current); }
    if (how == SCATTERED) { c[n++] = mk_i64("number", current); }
    if (how == TEXT_IDS) { c[n++] = mk_text("internal:current_id", text_id); }
    levels[0] = mk_parquet(c, n, how == NOBODY ? 0 : PARENTS, 32);
    n = 0;
    c[n++] = mk_text("id", id1);
    c[n++] = mk_text("type", type1);
    c[n++] = mk_i64("internal:offset", zero);
    c[n] = mk_i64("internal:size", zero);
    c[n++].null = how == SAME_IDS ? null : NULL;
    if (how == TEXT_PARENT) {
        c[n++] = mk_text("internal:parent_id", text_parent);
    } else if (how != NO_PARENT) {
        c[n++] = mk_i64("internal:parent_id", parent);
    }
    if (vectored) { /* too large for one read of everything */
        for (i = 0; i < CHILDREN; i++) {
            text_parent[i] =
                "a text that makes the table larger than what is read in one piece when an archive "
                "is opened, by one hundred and fifty bytes or so for each row";
        }
        c[n++] = mk_text("more", text_parent);
    }
    levels[1] = mk_parquet(c, n, CHILDREN, 500);
    forget_files();
    put_file("a.tacozip", mk_archive(levels, 2, MK_NESTED, "data", 4));
}

/* How many children the sample k5 has, and the paths of two rows. */
static void by_lookup(taco_dataset *ds, const char *how, char *said, taco_error *e)
{
    static const uint64_t of[] = {500, 8999, 8549};
    taco_query q;
    taco_cursor *c;
    taco_batch b;
    size_t n = 0, i;
    taco__mem mem;
    taco__buf path;
    memset(&q, 0, sizeof q);
    q.where = how;
    q.table = 1;
    c = taco_select(ds, &q, e);
    while (taco_cursor_batch(c, &b)) {
        n += b.length;
    }
    taco_cursor_close(c, e);
    if (e->code != TACO_OK) { return; }
    snprintf(said, SAID, "%u", (unsigned)n);
    taco__mem_init(&mem, &options);
    for (i = 0; i < 3 && e->code == TACO_OK; i++) {
        memset(&path, 0, sizeof path);
        path.mem = &mem;
        if (taco__nav_path_of_row(ds, 0, 1, of[i], &path, e) &&
            taco__buf_append_char(&path, 0, e)) {
            say(said, (const char *)path.data);
        }
        taco__buf_free(&path);
        if (e->code == TACO_ERR_NOT_FOUND) {
            say(said, "lost");
            memset(e, 0, sizeof *e);
        }
    }
}

static void few_of_many(void)
{
    int i;
    for (i = 0; i < 2; i++) {
        vectored = i == 1;
        make_large(NUMBERS);
        CHECK_TEXT(tour("a.tacozip", by_lookup, "id = 'k5'"), "90 @@5/f lost lost");
        CHECK_TEXT(tour("a.tacozip", by_lookup, "id <> 'k5'"), "8904 @@5/f lost lost");
        make_large(SAME_IDS);
        CHECK_TEXT(tour("a.tacozip", by_lookup, "id = 'k5'"), "90 @@5/f lost lost");
        make_large(OTHER_IDS);
        CHECK_TEXT(tour("a.tacozip", by_lookup, "id = 'k94'"), "90 @@94/f lost lost");
    }
    vectored = false;
    make_large(SCATTERED);
    CHECK_TEXT(tour("a.tacozip", by_lookup, "id = 'nobody'"), "0 @@0/f lost lost");
    make_large(NOBODY);
    CHECK_TEXT(tour("a.tacozip", by_lookup, "id <> 'k5'"), "0 lost lost lost");
    make_large(TEXT_IDS);
    contains(tour("a.tacozip", by_lookup, "id = 'k5'"), "internal:current_id must be an integer");
    make_large(TEXT_PARENT);
    contains(tour("a.tacozip", by_lookup, "id = 'k5'"), "internal:parent_id must be an integer");
    make_large(NO_PARENT);
    contains(tour("a.tacozip", by_lookup, "id = 'k5'"), "there is no internal:parent_id");
}

/* Rows of a flat view, whose parents repeat and are in no order: a text and a number of each. */
static void by_parent(taco_dataset *ds, const char *how, char *said, taco_error *e)
{
    taco_query q;
    taco_cursor *c;
    size_t wrong = 0, n = 0, row = 0;
    (void)how;
    memset(&q, 0, sizeof q);
    q.table = 1;
    q.flat = true;
    for (c = taco_select(ds, &q, e); taco_cursor_next(c); n++, row++) {
        const char *up = taco_cursor_text(c, "l0:id");
        int64_t number = -1;
        row += row >= 8500 && row % 90 == 89; /* it is lost */
        wrong += !up || strtol(up + 1, NULL, 10) != (long)(row * 37 % PARENTS) ||
                 !taco_cursor_int(c, "l0:number", &number) ||
                 number != (int64_t)(row * 37 % PARENTS);
    }
    taco_cursor_close(c, e);
    snprintf(said, SAID, "%u rows, %u wrong", (unsigned)n, (unsigned)wrong);
}

static void scattered_parents(void)
{
    make_large(SCATTERED);
    CHECK_TEXT(tour("a.tacozip", by_parent, ""), "8994 rows, 0 wrong");
}

/* taco_options.parallel_for, one task after the other. */
static void in_turn(void *ctx, size_t n, void (*task)(void *arg, size_t i), void *arg)
{
    size_t i;
    (void)ctx;
    for (i = 0; i < n; i++) {
        task(arg, i);
    }
}

/* How many rows of level 1 have a path, and how long these are in all. */
static void by_batches(taco_dataset *ds, const char *how, char *said, taco_error *e)
{
    taco_query q;
    taco_cursor *c;
    taco_batch b;
    size_t n = 0, bytes = 0, i, last;
    memset(&q, 0, sizeof q);
    q.table = 1;
    q.where = how;
    c = taco_select(ds, &q, e);
    while (taco_cursor_batch(c, &b)) {
        last = b.column_count - 1;
        CHECK(strcmp(b.columns[last].field->name, "internal:gdal_vsi") == 0);
        for (i = 0; i < b.length; i++) {
            if (!taco_array_valid(&b.columns[last], i)) { continue; }
            n++;
            bytes += taco_array_bytes(&b.columns[last], i).len;
        }
    }
    taco_cursor_close(c, e);
    snprintf(said, SAID, "%u %u", (unsigned)n, (unsigned)bytes);
}

/* Tasks make the same paths, also where some rows have none. */
static void paths_by_tasks(void)
{
    static const char *const conditions[] = {NULL, "id = 'f'", "\"internal:parent_id\" < 50"};
    char alone[SAID];
    size_t i;
    for (i = 0; i < 6; i++) {
        make_large(i < 3 ? NUMBERS : SAME_IDS);
        options.parallel_for = NULL;
        snprintf(alone, sizeof alone, "%s", tour("a.tacozip", by_batches, conditions[i % 3]));
        options.parallel_for = in_turn;
        CHECK_TEXT(tour("a.tacozip", by_batches, conditions[i % 3]), alone);
    }
    options.parallel_for = NULL;
}

/* Rows that have an ancestor, and rows, levels and ids that there are not. */
static void ancestors(void)
{
    taco_dataset *ds;
    taco_error e;
    uint64_t row, rows, limit;
    int64_t parent = 0;
    taco__arena arena;
    const char *text;
    taco__level *l;
    make_large(NUMBERS);
    memset(&e, 0, sizeof e);
    ds = taco_open("a.tacozip", &options, &e);
    CHECK_TEXT(taco__nav_id_column(&ds->stores[0], 1), "id"); /* not opened yet */
    row = 500;
    CHECK(taco__join_top_row(&ds->stores[0], 1, &row, &e) && row == 5);
    row = 8999;
    CHECK(!taco__join_top_row(&ds->stores[0], 1, &row, &e));
    row = CHILDREN;
    CHECK(!taco__join_top_row(&ds->stores[0], 1, &row, &e) && e.code == TACO_OK);
    CHECK(!taco__join_top_row(&ds->stores[0], 2, &row, &e) && e.code == TACO_ERR_ARGUMENT);
    memset(&e, 0, sizeof e);
    CHECK(taco__lookup_parent(&ds->stores[0], 1, CHILDREN, &parent, &e) && parent == -1);
    CHECK(!taco__lookup_parent(&ds->stores[0], 2, 0, &parent, &e) && e.code == TACO_ERR_ARGUMENT);
    memset(&e, 0, sizeof e);
    CHECK(!taco__lookup_parent(&ds->stores[0], 3, 0, &parent, &e) && e.code == TACO_ERR_ARGUMENT);
    memset(&e, 0, sizeof e);
    CHECK(!taco__join_make_parents(&ds->stores[0], 3, &e) && e.code == TACO_ERR_ARGUMENT);
    CHECK_TEXT(taco__nav_id_column(&ds->stores[0], 1), "id");
    CHECK_TEXT(taco__nav_id_column(&ds->stores[0], 4), "id");
    memset(&arena, 0, sizeof arena);
    arena.mem = &ds->mem;
    text = taco__nav_id_predicate(&arena, "id", taco__bytes_text("it's"), &e);
    CHECK_TEXT(text ? text : "", "\"id\" = 'it''s'");
    taco__arena_free(&arena);
    tried.memory.fail_at = tried.memory.calls + 1;
    memset(&e, 0, sizeof e);
    CHECK(!taco__nav_id_predicate(&arena, "id", taco__bytes_text("x"), &e) &&
          e.code == TACO_ERR_MEMORY);
    tried.memory.fail_at = 0;
    taco_close(ds);
    memset(&e, 0, sizeof e);
    ds = taco_open("a.tacozip", &options, &e);
    l = taco__container_level(&ds->stores[0], 1, &e);
    limit = ds->mem.limit; /* 4 GiB of parents are more than a size_t of 32 bits */
    rows = l->table.rows;
    ds->mem.limit = (uint64_t)1 << 30;
    l->table.rows = (uint64_t)1 << 30;
    memset(&e, 0, sizeof e);
    CHECK(!taco__join_make_parents(&ds->stores[0], 1, &e) && !l->parents &&
          e.code == (sizeof(size_t) == 4 ? TACO_ERR_MEMORY : TACO_ERR_LIMIT));
    ds->mem.limit = limit;
    l->table.rows = rows;
    taco_close(ds);
    make_large(NO_PARENT);
    memset(&e, 0, sizeof e);
    ds = taco_open("a.tacozip", &options, &e);
    row = 500;
    CHECK(!taco__join_top_row(&ds->stores[0], 1, &row, &e) && e.code == TACO_ERR_CORRUPT);
    taco_close(ds);
}

/* Bounds of a page against numbers 3 and 5 of 10: it may have one of them, or has none. */
static void bounds_of_pages(void)
{
    static const struct {
        bool has_min, has_max;
        int64_t min, max;
        bool may;
    } t[] = {{false, true, 0, 0, true},   {true, false, 0, 0, true},   {true, true, 0, 2, false},
             {true, true, 0, 3, true},    {true, true, 4, 4, false},   {true, true, 5, 500, true},
             {true, true, 6, 500, false}, {true, true, 10, 11, false}, {true, true, -5, -1, false},
             {true, true, -5, 3, true},   {true, true, -5, 2, false},  {true, true, 5, 3, false},
             {true, true, -5, 500, true}};

    static const uint8_t bits[16] = {0x28};
    taco__lookup_set set;
    taco__column_stats r;
    size_t i;
    set.bits = bits;
    set.rows = 10;
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        memset(&r, 0, sizeof r);
        r.has_min = t[i].has_min;
        r.has_max = t[i].has_max;
        r.min.d = taco__i256_from_i64(t[i].min);
        r.max.d = taco__i256_from_i64(t[i].max);
        CHECK(((taco__lookup_prune(&set, &r) & TACO__MAY_TRUE) != 0) == t[i].may);
    }
}

/* ---- several datasets ---- */

/* Archives with long names; column v in the first only, in the others of another type or not at all. */
static const char *make_many(size_t n, bool types)
{
    static char list[1024];
    static const double v[] = {1.5, 2.5};
    static const int64_t w[] = {7, 8};
    char name[64];
    size_t i, k;
    forget_files();
    snprintf(list, sizeof list, "+");
    for (i = 0; i < n; i++) {
        mk_col c[6];
        mk_buf level;
        snprintf(name, sizeof name, "an_archive_with_a_long_name_%u.tacozip", (unsigned)i);
        k = odd_columns(c, NORMAL, MK_PAYLOAD, 3);
        if (i == 0) { c[k++] = mk_f64("v", v); }
        if (i > 0 && types) { c[k++] = mk_i64("v", w); }
        level = mk_parquet(c, k, 2, 2);
        put_file(name, mk_archive(&level, 1, MK_FLAT, "data", 4));
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? " " : "", name);
    }
    return list;
}

/* Rows of an archive without a column: an array of nulls whose offsets and values can be read. */
static void lacking_columns(void)
{
    static const char *const words[] = {"p", "q"};
    static const double v[] = {1.5, 2.5};
    taco_error e;
    taco_dataset *ds;
    taco_cursor *c;
    taco_batch b;
    size_t i, k, lacking = 0;
    forget_files();
    for (i = 0; i < 2; i++) {
        mk_col columns[8];
        mk_buf level;
        size_t n = odd_columns(columns, NORMAL, MK_PAYLOAD, 3);
        if (i == 0) {
            columns[n++] = mk_text("word", words);
            columns[n++] = mk_f64("v", v);
        }
        level = mk_parquet(columns, n, 2, 2);
        put_file(i ? "b.tacozip" : "a.tacozip", mk_archive(&level, 1, MK_FLAT, "data", 4));
    }
    memset(&e, 0, sizeof e);
    ds = open_any("+a.tacozip b.tacozip", &e);
    c = taco_select(ds, NULL, &e);
    while (taco_cursor_batch(c, &b)) {
        for (i = 0; i < b.column_count; i++) {
            const taco_array *a = &b.columns[i];
            CHECK(a->length == b.length && a->v.any);
            if (a->field->type == TACO_TEXT && !a->dictionary) {
                CHECK(a->offsets && a->offsets[0] <= a->offsets[b.length]);
            }
            for (k = 0; k < b.length; k++) {
                lacking += !taco_array_valid(a, k);
            }
        }
    }
    CHECK(taco_cursor_close(c, &e) == TACO_OK && lacking == 4);
    taco_close(ds);
}

/* Two archives, of which one has internal:source_file: it is no difference. */
static void source_files(void)
{
    static const char *const names[] = {"p", "q"};
    size_t i, k;
    for (i = 0; i < 2; i++) {
        forget_files();
        for (k = 0; k < 2; k++) {
            mk_col c[6];
            mk_buf level;
            size_t n = odd_columns(c, NORMAL, MK_PAYLOAD, 3);
            if (k == i) { c[n++] = mk_text("internal:source_file", names); }
            level = mk_parquet(c, n, 2, 2);
            put_file(k ? "b.tacozip" : "a.tacozip", mk_archive(&level, 1, MK_FLAT, "data", 4));
        }
        CHECK_TEXT(tour("!a.tacozip b.tacozip", by_count, ""), "4");
        CHECK_TEXT(tour("=a.tacozip b.tacozip", by_sql,
                        "SELECT max(\"internal:source_file\") AS s FROM data"),
                   i ? "{\"s\":\"q\"}" : "{\"s\":\"q\"}");
    }
}

/* The values of v, and what the rows say without showing it. */
static void by_order(taco_dataset *ds, const char *how, char *said, taco_error *e)
{
    taco_query q;
    taco_cursor *c;
    memset(&q, 0, sizeof q);
    q.select = "v";
    q.order = how;
    c = taco_select(ds, &q, e);
    while (taco_cursor_next(c)) {
        int64_t size = 0;
        say(said, taco_cursor_text(c, "v"));
        say(said, taco_cursor_text(c, "id"));
        if (taco_cursor_int(c, "internal:size", &size)) { CHECK(size == 3); }
        CHECK(c == NULL || !strcmp(taco_cursor_vsi(c), "") ||
              strstr(taco_cursor_vsi(c), "/vsisubfile/193_3,"));
    }
    taco_cursor_close(c, e);
}

static void several(void)
{
    const char *list = make_many(8, false);
    char strict[1024];
    options.warn = hear;
    heard[0] = 0;
    CHECK_TEXT(tour(list, by_count, ""), "16");
    contains(heard,
             "is in 1 of 8 datasets: filled with nulls in an_archive_with_a_long_name_1.tacozip"
             ", an_archive_with_a_long_name_2.tacozip");
    contains(heard, " and 3 more");
    snprintf(strict, sizeof strict, "!%s", list + 1);
    heard[0] = 0;
    contains(tour(strict, by_count, ""), "7 differences: ");
    contains(heard, "an_archive_with_a_long_name_7.tacozip: level 0: column 'v' of ");
    options.warn = NULL;
    contains(tour(strict, by_count, ""), "7 differences: ");
    CHECK_TEXT(tour(list, by_count, ""), "16");
    list = make_many(2, true);
    CHECK_TEXT(tour(list, by_order, NULL), "1.5 f 2.5 x 7.0 f 8.0 x");
    CHECK_TEXT(tour(list, by_order, "v desc"), "8.0 x 7.0 f 2.5 x 1.5 f");
    CHECK_TEXT(tour(list, by_sql, "SELECT sum(v) AS s FROM data WHERE v > 2"), "{\"s\":17.5}");
    CHECK_TEXT(tour(list, by_order, "type, v"), "1.5 f 7.0 f 2.5 x 8.0 x");
    CHECK_TEXT(tour(list, by_order, "type"), "1.5 f 7.0 f 2.5 x 8.0 x");
    CHECK_TEXT(tour(list, by_order, "\"internal:gdal_vsi\", v desc"), "8.0 x 7.0 f 2.5 x 1.5 f");
    snprintf(strict, sizeof strict, "!%s", list + 1);
    contains(tour(strict, by_count, ""), "column 'v' has another type than in an_archive");
    list = make_many(2, false);
    CHECK_TEXT(tour(list, by_order, "v desc"), "2.5 x 1.5 f - f - x");
}

/* ---- opening ---- */

static size_t closed;

static void count_close(void *ctx)
{
    (void)ctx;
    closed++;
}

static uint8_t *load(const char *path, size_t *len)
{
    static uint8_t data[1 << 20];
    FILE *f = fopen(path, "rb");
    *len = f ? fread(data, 1, sizeof data, f) : 0;
    if (f) { fclose(f); }
    CHECK(*len > 0);
    return data;
}

static taco_source bytes_of(const void *data, size_t len)
{
    taco_source s;
    taco_source_memory(&s, data, len);
    s.close = count_close;
    return s;
}

/* Files that are no datasets, or not of the kinds that can be read together; a catalogue without a
   name; sources are closed in any case. */
static void strangers(void)
{
    static const char *const heads[] = {"II*\0....", "MM\0*....", "II+\0....", "MM\0+....", "II"};
    static const taco_opener *openers[2];
    const char *both[] = {"examples/data/geo_stac.tacozip", "tests/data/legacy/a0.tortilla"};
    taco_options plain;
    taco_error e;
    taco_source two[2];
    taco_dataset *ds;
    size_t i, len;
    uint8_t *data;
    memset(&plain, 0, sizeof plain);
    openers[0] = taco_legacy_opener();
    plain.openers = openers;
    for (i = 0; i < 5; i++) {
        two[0] = bytes_of(heads[i], i < 4 ? 8 : 2);
        memset(&e, 0, sizeof e);
        CHECK(!taco_open_source(&two[0], "x", &plain, &e));
        if (i < 4) { contains(e.text, "x: not a dataset but a TIFF"); }
    }
    CHECK(closed == 5);
    memset(&e, 0, sizeof e);
    CHECK(!taco_open_many(both, 2, TACO_COLUMNS_STRICT, &plain, &e));
    contains(e.text, "a0.tortilla: a ");
    contains(e.text, "cannot be read together with examples/data/geo_stac.tacozip");
    data = load("tests/data/legacy/a0.tortilla", &len);
    two[0] = two[1] = bytes_of(data, len);
    memset(&e, 0, sizeof e);
    CHECK(!taco_open_sources(two, NULL, 2, TACO_COLUMNS_STRICT, &plain, &e));
    contains(e.text, "is opened from one source");
    CHECK(closed == 7);
    ds = taco_open_sources(two, NULL, 1, TACO_COLUMNS_STRICT, &plain, NULL);
    CHECK(ds && *taco_dataset_format(ds));
    taco_close(ds);
    data = load("examples/data/tacocat_binary/__TACOCAT__", &len);
    two[0] = bytes_of(data, len);
    both[0] = NULL;
    memset(&e, 0, sizeof e);
    ds = taco_open_sources(two, both, 1, TACO_COLUMNS_STRICT, &plain, &e);
    CHECK_TEXT(e.text, "");
    CHECK(ds && taco_dataset_kind(ds) == TACO_KIND_TACOCAT && *taco_dataset_format(ds) == 0);
    CHECK(taco_set_base_path(ds, NULL, &e) == TACO_ERR_ARGUMENT);
    contains(e.text, "no base path given");
    CHECK(taco_set_base_path(NULL, "x", NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_set_base_path(ds, "/base/", NULL) == TACO_OK);
    taco_close(ds);
    CHECK(closed == 9);
    CHECK(!taco_open_sources(NULL, NULL, 1, TACO_COLUMNS_STRICT, &plain, NULL));
    memset(&e, 0, sizeof e);
    CHECK(!taco_open_sources(two, NULL, 0, TACO_COLUMNS_STRICT, &plain, &e));
    contains(e.text, "no source given");
}

/* Paths that nothing can be opened at, and why. */
static void nothing_there(void)
{
    uint64_t none;
    const char *device =
        taco__plat_stat("NUL", &none) == TACO__PATH_SPECIAL ? "NUL" : "/dev/null"; /* Windows' */
    const char *const paths[][2] = {
        {"s3://bucket/key", "not a local file: a program opens others with taco_options.open_file"},
        {"/vsicurl/x", "not a local file"},
        {device, "a pipe or a device: a dataset needs random access"},
        {"build/nothing", "no archive of that name, and no directory with COLLECTION.json"},
        {"tests/data/", "a directory without COLLECTION.json, so not a dataset"},
        {"tests/data", "a directory without COLLECTION.json, so not a dataset"},
        {"examples/data", "so not a dataset; it contains: "}};
    taco_error e;
    uint64_t size;
    size_t i;
    const bool devices = taco__plat_stat("/dev/null", &size) != TACO__PATH_MISSING;
    for (i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        memset(&e, 0, sizeof e);
        CHECK(!taco_open(paths[i][0], NULL, &e));
        if (devices || i != 2) { contains(e.text, paths[i][1]); } /* WASI shows none */
    }
    forget_files();
    memset(&e, 0, sizeof e);
    CHECK(!taco_open("s3://bucket/key", &options, &e)); /* open_file knows */
    contains(e.text, "no archive of that name");
    CHECK(!taco_open(device, &options, NULL));
}

/* What is next to what was meant: as many names as fit in a line. */
static void nearby(void)
{
    static const char *const names[] = {"a.tacozip", "b\nc.tacozip", "d\177.tacozip", "e.txt"};
    char path[300], text[200];
    taco_error e;
    size_t i;
    FILE *f;
    test_names_remove("build/test_levels");
    CHECK(taco__dir_make("build", NULL) && taco__dir_make("build/test_levels", NULL));
    for (i = 0; i < 9; i++) {
        memset(text, 'x', sizeof text);
        text[0] = (char)('0' + (int)i);
        memcpy(text + 60, ".taco", 6);
        snprintf(path, sizeof path, "build/test_levels/%s", i < 4 ? names[i] : text);
        f = fopen(path, "wb");
        CHECK(f ? fclose(f) == 0 : strchr(path, '\n') != NULL); /* which Windows refuses */
    }
    memset(&e, 0, sizeof e);
    CHECK(!taco_open("build/test_levels", NULL, &e) && e.code == TACO_ERR_NOT_FOUND);
    contains(e.text, "it contains: ");
    contains(e.text, " more");
    CHECK(!strchr(e.text, '\n') && !strchr(e.text, '\177') && !strstr(e.text, "e.txt"));
    test_names_remove("build/test_levels");
}

/* Calls without a dataset, a path or an error to fill. */
static void without(void)
{
    taco_dataset *ds;
    taco_sample s;
    taco_error e;
    taco_cursor *c, *below;
    taco_batch b;
    make_odd(NORMAL);
    memset(&e, 0, sizeof e);
    ds = taco_open("a.tacozip", &options, &e);
    CHECK(taco_locate(ds, NULL, &s, &e) == TACO_ERR_ARGUMENT);
    contains(e.text, "no path given");
    memset(&e, 0, sizeof e);
    c = taco_read(ds, NULL, false, &e); /* level 0 */
    CHECK(taco_cursor_next(c) && taco_cursor_close(c, &e) == TACO_OK);
    CHECK_TEXT(taco_error_text(&e), "");
    memset(&e, 0, sizeof e);
    CHECK(!taco_read(NULL, "f", false, &e));
    contains(e.text, "no dataset given");
    memset(&e, 0, sizeof e);
    c = taco_read(ds, "@0", true, &e); /* counted with padding, of which there is none */
    CHECK(taco_cursor_next(c) && !strcmp(taco_cursor_text(c, "id"), "f") && !taco_cursor_next(c));
    taco_cursor_close(c, &e);
    c = taco_select(ds, NULL, &e);
    CHECK(taco_cursor_next(c));
    below = taco_cursor_children(c, NULL);
    CHECK(taco_cursor_next(below) && !strcmp(taco_cursor_text(below, "id"), "f"));
    taco_cursor_close(below, &e);
    CHECK(taco_cursor_next(c) && !taco_cursor_children(c, NULL)); /* x, whose table is none */
    taco_cursor_close(c, &e);
    CHECK_TEXT(e.text, "");
    taco_close(ds);
    make_folder(NULL);
    ds = taco_open("dir", &options, &e);
    c = taco_read(ds, "x", false, &e);
    CHECK(taco_cursor_batch(c, &b) && b.length == 2 && !taco_cursor_positions(c));
    taco_cursor_close(c, &e);
    taco_close(ds);
    CHECK_TEXT(e.text, "");
}

/* Every column of a row as each kind of value: what is an integer is a number, too. */
static void every_type(void)
{
    static const char *const paths[] = {"examples/data/types.tacozip",
                                        "examples/data/types_exotic.tacozip"};
    size_t i, k, n = 0, numbers = 0;
    for (i = 0; i < 2; i++) {
        taco_error e;
        taco_dataset *ds;
        taco_cursor *c;
        const taco_field *f;
        memset(&e, 0, sizeof e);
        ds = taco_open(paths[i], NULL, &e);
        c = taco_select(ds, NULL, &e);
        f = taco_cursor_fields(c, &n);
        while (taco_cursor_next(c)) {
            for (k = 0; k < n; k++) {
                int64_t x;
                double d;
                bool whole = taco_cursor_int(c, f[k].name, &x),
                     number = taco_cursor_double(c, f[k].name, &d);
                CHECK(number || !whole);
                CHECK(!number || taco_cursor_text(c, f[k].name));
                numbers += number;
            }
        }
        taco_cursor_close(c, &e);
        taco_close(ds);
        CHECK_TEXT(e.text, "");
    }
    CHECK(numbers > 20);
}

/* Texts that are all empty are values; Avro that is too large; archives that are gone, asked for
   twice. */
static void odds_and_ends(void)
{
    static const char *const empty[] = {"", ""};
    static char avro[2000];
    mk_col c[6];
    mk_buf level;
    size_t n = odd_columns(c, NORMAL, MK_PAYLOAD, 3), i;
    taco_dataset *ds;
    taco_cursor *rows_of;
    taco_bytes b;
    taco_error e;
    memset(&e, 0, sizeof e);
    c[n++] = mk_text("s", empty);
    level = mk_parquet(c, n, 2, 2);
    forget_files();
    put_file("a.tacozip", mk_archive(&level, 1, MK_FLAT, "data", 4));
    ds = taco_open("a.tacozip", &options, &e);
    rows_of = taco_select(ds, NULL, &e);
    CHECK(taco_cursor_next(rows_of) && taco_cursor_bytes(rows_of, "s", &b) && b.data && !b.len);
    taco_cursor_close(rows_of, &e);
    taco_close(ds);
    make_catalogue(true, true, true);
    ds = taco_open("cat", &options, &e);
    CHECK_TEXT(e.text, "");
    for (i = 0; i < 3; i++) {
        memset(&e, 0, sizeof e);
        CHECK(!taco_read(ds, i == 1 ? "@2/@0" : "@0/@0", false, &e));
        CHECK(e.code == TACO_ERR_NOT_FOUND);
        contains(e.text, i == 1 ? "p01.tacozip" : "p00.tacozip");
    }
    taco_close(ds);
    memset(avro, 'x', sizeof avro - 1);
    forget_files();
    put_text_file("dir/COLLECTION.json", MK_FLAT);
    put_text_file("dir/METADATA/level0.avro", avro);
    options.limits.max_metadata = 1000;
    contains(tour("dir", by_count, ""), "1999 bytes of Avro, limits.max_metadata is 1000");
    options.limits.max_metadata = 0;
    contains(tour("dir", by_count, ""), "an Avro file must begin with");
}

/* The deepest FOLDER; one more level is not looked at. */
static void as_deep_as_possible(void)
{
    static const char *const ids[] = {"x"}, *const type[] = {"FOLDER"};
    static const int64_t zero[] = {0};
    mk_col c[3];
    char name[64];
    taco_dataset *ds;
    taco_error e;
    size_t i;
    c[0] = mk_text("id", ids);
    c[1] = mk_text("type", type);
    c[2] = mk_i64("internal:parent_id", zero);
    forget_files();
    put_text_file("dir/COLLECTION.json", MK_NESTED);
    for (i = 0; i < 7; i++) {
        snprintf(name, sizeof name, "dir/METADATA/level%u.parquet", (unsigned)i);
        put_table(name, c, 3, 1);
    }
    memset(&e, 0, sizeof e);
    ds = taco_open("dir", &options, &e);
    CHECK_TEXT(e.text, "");
    CHECK(taco_levels(ds) == 6);
    CHECK(taco_level_rows(ds, 5, NULL) == 1 && taco_level_rows(ds, 6, NULL) == -1);
    CHECK(taco_set_base_path(ds, "/elsewhere", &e) == TACO_OK);
    taco_close(ds);
}

/* The number of children of a part that has one sample of many, where the n-th read or allocation
   fails; quiet: without an error to fill. */
static int64_t rows_of_part(size_t read, size_t allocation, bool quiet)
{
    taco_error e;
    taco_part part;
    taco_view *all, *some;
    taco_dataset *ds, *parts;
    int64_t n;
    memset(&e, 0, sizeof e);
    memset(&part, 0, sizeof part);
    reads.only = true;
    ds = taco_open("a.tacozip", &options, &e);
    all = taco_view_open(ds, NULL, &e);
    some = taco_view_where(all, "id = 'k5'", 0, &e);
    part.view = some;
    parts = taco_open_parts(&part, 1, TACO_COLUMNS_INTERSECTION, &options, &e);
    CHECK_TEXT(e.text, "");
    reads.calls = tried.memory.calls = 0;
    reads.fail_at = read;
    tried.memory.fail_at = allocation;
    n = taco_level_rows(parts, 1, quiet ? NULL : &e);
    reads.fail_at = tried.memory.fail_at = 0;
    CHECK(quiet || (n < 0) == (e.code != TACO_OK));
    taco_view_free(some);
    taco_view_free(all);
    taco_close(parts);
    taco_close(ds);
    reads.only = false;
    CHECK(tried.memory.live == 0);
    return n;
}

static void rows_of_parts(void)
{
    size_t n, quiet;
    make_large(NUMBERS);
    CHECK(rows_of_part(0, 0, false) == 90);
    for (quiet = 0; quiet < 2; quiet++) {
        int64_t got = rows_of_part(1, 0, quiet != 0);
        CHECK(got == 90 || got == -1);
        for (n = 1; n < 200; n++) {
            got = rows_of_part(0, n, quiet != 0);
            CHECK(got == 90 || got == -1);
            if (tried.memory.calls < n) { break; }
        }
        CHECK(got == 90);
    }
}

/* Keys that are made of bytes, and lists of names with blanks. */
static void by_key(taco_dataset *ds, const char *how, char *said, taco_error *e)
{
    taco_query q;
    memset(&q, 0, sizeof q);
    q.order = how;
    q.select = "id ,  \"a \"\"b\"\"\"";
    rows(taco_select(ds, &q, e), said, e);
}

static void keys(void)
{
    static const char *const ids[] = {"a", "b", "c"}, *const type[] = {"FILE", "FILE", "FILE"};
    static const int64_t at[] = {MK_PAYLOAD, MK_PAYLOAD, MK_PAYLOAD}, k[] = {2, -1, 5};
    static const uint8_t days[36] = {1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 0, 0,
                                     0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
    static const char acb[] = "{\"id\":\"b\",\"a \\\"b\\\"\":-1} {\"id\":\"a\",\"a \\\"b\\\"\":2} "
                              "{\"id\":\"c\",\"a \\\"b\\\"\":5}";
    mk_col c[7];
    mk_buf level;
    c[0] = mk_text("id", ids);
    c[1] = mk_text("type", type);
    c[2] = mk_i64("internal:offset", at);
    c[3] = mk_i64("internal:size", at);
    c[4] = mk_i64("d", k);
    c[4].type = MK_DECIMAL;
    c[5] = mk_bin("t", days, 12);
    c[5].type = MK_INT96;
    c[6] = mk_i64("a \"b\"", k);
    level = mk_parquet(c, 7, 3, 3);
    forget_files();
    put_file("a.tacozip", mk_archive(&level, 1, MK_FLAT, "data", 4));
    CHECK_TEXT(tour("a.tacozip", by_key, "d"), acb);
    CHECK_TEXT(tour("a.tacozip", by_key, "d asc ,t  desc "), acb);
    contains(tour("a.tacozip", by_key, "t"), "{\"id\":\"c\",");
    contains(tour("a.tacozip", by_key, "d sideways  , t"), "found 'sideways'");
    contains(tour("a.tacozip", by_key, "\"d"), "a quote is not closed");
    contains(tour("a.tacozip", by_key, "x, \"d"), "order: ");
}

/* How many rows a flat view of all levels has. */
static void by_flat_count(taco_dataset *ds, const char *how, char *said, taco_error *e)
{
    taco_query q;
    taco_cursor *c;
    taco_batch b;
    size_t n = 0;
    memset(&q, 0, sizeof q);
    q.table = 1;
    q.flat = true;
    q.where = how;
    c = taco_select(ds, &q, e);
    while (taco_cursor_batch(c, &b)) {
        n += b.length;
    }
    taco_cursor_close(c, e);
    snprintf(said, SAID, "%u", (unsigned)n);
}

static void flat_from_afar(void)
{
    int i;
    for (i = 0; i < 2; i++) {
        vectored = i == 1;
        make_large(NUMBERS);
        CHECK_TEXT(tour("a.tacozip", by_flat_count, NULL), "8994");
        CHECK_TEXT(tour("a.tacozip", by_flat_count, "id = 'k7'"), "90");
        make_large(OTHER_IDS);
        CHECK_TEXT(tour("a.tacozip", by_flat_count, "id <> 'k7'"), "8904");
    }
    vectored = false;
}

static void by_info(taco_dataset *ds, const char *how, char *said, taco_error *e)
{
    taco_bytes t = taco_info_json(ds, e);
    (void)how;
    CHECK((t.data != NULL) == (e->code == TACO_OK));
    if (t.data) { snprintf(said, SAID, "%.*s", (int)t.len, (const char *)t.data); }
}

/* Tables that cannot be described, and ids that one stores as text and another not at all. */
static void descriptions(void)
{
    static const char *const ids[] = {"7", "8"};
    mk_col c[6];
    mk_buf level;
    size_t n;
    make_odd(NORMAL);
    contains(tour("a.tacozip", by_info, ""), "\"kind\":\"zip\",\"n\":2,\"max_depth\":0");
    make_odd(TWICE);
    contains(tour("a.tacozip", by_info, ""), "column 'id' occurs twice");
    forget_files();
    put_archive("a.tacozip", false);
    n = odd_columns(c, NORMAL, MK_PAYLOAD, 3);
    c[n++] = mk_text("internal:current_id", ids);
    level = mk_parquet(c, n, 2, 2);
    put_file("b.tacozip", mk_archive(&level, 1, MK_FLAT, "data", 4));
    CHECK_TEXT(
        tour("+a.tacozip b.tacozip", by_sql, "SELECT \"internal:current_id\" AS i FROM data"),
        "{\"i\":null} {\"i\":null} {\"i\":\"7\"} {\"i\":\"8\"}");
}

/* ---- ranges that a host provides ---- */

static bool is_or(taco_status st, taco_status other)
{
    return st == other || st == TACO_ERR_MEMORY;
}

/* Everything that a feed does; true if nothing failed. */
static bool feed(taco_error *e)
{
    static const char bytes[] = "0123456789";
    char to[10];
    taco_source s, t;
    const taco_range *r;
    size_t n;
    bool ok;
    taco_feed *f = taco_feed_new(&options, e);
    if (!f) { return false; }
    ok = taco_feed_file(f, "a", 10, e) == TACO_OK;
    CHECK(!taco_feed_open_file(f, "b", &s)); /* a file that is not known is wanted */
    r = taco_feed_wanted(f, &n);
    CHECK(!ok || n == 0 || (n == 1 && strcmp(r->file, "b") == 0 && r->len == 0));
    ok = ok && n == 1 && taco_feed_file(f, "gone", TACO_FEED_NO_FILE, e) == TACO_OK;
    CHECK(!taco_feed_open_file(f, "gone", &s));
    CHECK(is_or(taco_feed_give(f, "gone", 0, bytes, 1, NULL), TACO_ERR_ARGUMENT));
    ok = ok && taco_feed_open_file(f, "a", &s) && taco_feed_open_file(f, "a", &t);
    if (ok) {
        CHECK(!s.read(s.ctx, 2, to, 3) && !s.read(s.ctx, 2, to, 3) && !t.read(t.ctx, 2, to, 2) &&
              !t.read(t.ctx, 5, to, 3));
        r = taco_feed_wanted(f, &n);
        ok = n == 3 && r[0].offset == 2 && r[0].len == 3 && r[1].len == 2 && r[2].offset == 5;
        CHECK(ok || tried.memory.calls >= tried.memory.fail_at);
    }
    ok = ok && taco_feed_give(f, "a", 4, bytes + 4, 2, e) == TACO_OK;
    ok = ok && taco_feed_give(f, "a", 0, bytes, 10, e) == TACO_OK; /* what is missing of it */
    if (ok) {
        ok = s.read(s.ctx, 1, to, 9);
        CHECK(!ok || memcmp(to, "123456789", 9) == 0);
        CHECK(taco_feed_file(f, "a", 10, NULL) == TACO_OK);
        CHECK(taco_feed_file(f, "a", 11, NULL) == TACO_ERR_STATE);
        CHECK(taco_feed_give(f, "a", 0, NULL, 1, NULL) == TACO_ERR_ARGUMENT);
        CHECK(taco_feed_give(f, "a", 0, NULL, 0, NULL) != TACO_ERR_ARGUMENT);
        CHECK(taco_feed_give(f, "a", 9, bytes, 2, NULL) == TACO_ERR_TRUNCATED);
        CHECK(taco_feed_give(f, "c", 0, bytes, 1, NULL) == TACO_ERR_ARGUMENT);
    }
    taco_feed_free(f);
    return ok;
}

static void fed(void)
{
    taco_error e;
    taco_source s;
    size_t n, failed = 0;
    memset(&e, 0, sizeof e);
    tried.memory.fail_at = 0;
    CHECK(feed(&e) && e.code == TACO_OK && tried.memory.live == 0);
    for (n = 1;; n++) {
        bool ok;
        memset(&e, 0, sizeof e);
        tried.memory.calls = 0;
        tried.memory.fail_at = n;
        ok = feed(&e);
        CHECK(tried.memory.live == 0 && (e.code == TACO_OK || e.code == TACO_ERR_MEMORY));
        if (tried.memory.calls < n) { break; }
        failed += !ok;
    }
    CHECK(n > 10 && failed + 5 > n); /* what was noted before need not be noted again */
    tried.memory.fail_at = 0;
    CHECK(taco_feed_file(NULL, "a", 1, NULL) == TACO_ERR_ARGUMENT);
    memset(&e, 0, sizeof e);
    CHECK(taco_feed_give(NULL, "a", 0, "x", 1, &e) == TACO_ERR_ARGUMENT);
    contains(e.text, "no such file: declare it with taco_feed_file first");
    CHECK(!taco_feed_open_file(NULL, "a", &s));
    CHECK(taco_feed_wanted(NULL, &n) == NULL && n == 0);
    {
        taco_feed *f = taco_feed_new(&options, &e);
        memset(&e, 0, sizeof e);
        CHECK(taco_feed_file(f, NULL, 1, &e) == TACO_ERR_ARGUMENT);
        contains(e.text, "no path given");
        CHECK(taco_feed_give(f, NULL, 0, "x", 1, NULL) == TACO_ERR_ARGUMENT);
        CHECK(!taco_feed_open_file(f, NULL, &s));
        taco_feed_free(f);
    }
}

int main(void)
{
    int here = 0;
    places_begin(&tried, &here, &options, &allocator);
    options.open_file = open_file;
    RUN(catalogues);
    RUN(catalogues_joined);
    RUN(lost_children);
    RUN(odd_archives);
    RUN(odd_children);
    RUN(special_ids);
    RUN(endless);
    RUN(folders);
    RUN(folders_read_ahead);
    RUN(boxes);
    RUN(times_in_units);
    RUN(payloads);
    RUN(routes);
    RUN(no_routes);
    RUN(few_of_many);
    RUN(scattered_parents);
    RUN(paths_by_tasks);
    RUN(ancestors);
    RUN(bounds_of_pages);
    RUN(several);
    RUN(lacking_columns);
    RUN(source_files);
    RUN(rows_of_parts);
    RUN(keys);
    RUN(flat_from_afar);
    RUN(descriptions);
    RUN(strangers);
    RUN(nothing_there);
    RUN(nearby);
    RUN(without);
    RUN(as_deep_as_possible);
    RUN(every_type);
    RUN(odds_and_ends);
    RUN(fed);
    forget_files();
    return test_end("test_levels");
}
