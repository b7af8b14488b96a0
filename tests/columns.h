/* Tables with altered columns: each column of a table is missing, null, of another type or has
   other values, in an otherwise valid Parquet file; then runs works of works.h over its dataset.
   HOME is a directory of the test. */
#ifndef TACO_TEST_COLUMNS_H
#define TACO_TEST_COLUMNS_H

#include "works.h"

typedef struct target {
    const char *path;
    const char *from;  /* what the table's rows are in SQL */
    const char *file;  /* that is replaced: the end of its path */
    const char *works; /* the numbers of those that are tried, as letters */
    int slot;          /* of TACO_HEADER; -1: a whole file, -2: the footer of a tortilla */
    bool half;         /* of what there is to try every second */
    bool members;      /* those of STRUCTs, too */
} target;

/* What takes the place of a column @; of no type that has no such value. */
static const char *const others[] = {
    "",
    "NULL",
    "CASE WHEN id IS NULL THEN @ END",
    "CASE WHEN ascii(substr(id, length(id), 1)) % 2 = 0 THEN @ END",
    "'x'",
    "'../a'",
    "'a/b'",
    "''",
    "-1",
    "0",
    "9223372036854775807",
    "1e300",
    "'NaN'::DOUBLE",
    "true",
    "DATE '2020-01-01'",
    "TIMESTAMP '0001-01-01'",
    "CAST(@ AS VARCHAR)",
    "CAST(@ AS DOUBLE)",
    "CAST(@ AS TINYINT)",
    "[@]",
    "[1.0, 2, 3, 4, 5, 6]",
    "[@, NULL]",
    "{'a': @}",
    "{'xmin': 1.0, 'ymin': 2.0, 'xmax': 0.0, 'ymax': 3.0}",
    "{'data': {'href': 'x', 'band_index': -1}}",
    "'\\x01\\x01\\x00\\x00\\x00'::BLOB",
    "'POINT (1 2)'",
    "'EPSG:99999'",
    "@ + 1",
    "-@",
    "@ * 1000000",
    "@ || '/'",
    "@ || '?'",
    "upper(@)"};

/* Of the table: what is selected from it, and rows. */
static const char *const tables[][2] = {
    {"*", "LIMIT 0"},
    {"*", "LIMIT 1"},
    {"*", "ORDER BY id DESC"},
    {"*, 'x' AS \"a b\"", ""},
    {"*, 1 AS \"internal:gdal_vsi\"", ""},
    {"*, 'x' AS \"internal:header\"", ""},
    {"*, 'x' AS \"internal:relative_path\"", ""},
    {"*, 5 AS \"internal:offset\", 'x' AS \"internal:size\"", ""},
    {"*, 'EPSG:4326' AS \"stac:crs\"", ""},
    {"*, 1 AS \"majortom:code\"", ""},
    {"*, 1 AS proj, 2 AS year, 'x' AS month", ""},
    {"1 AS id", ""}};

/* ---- a table as a file ---- */

/* Rows of a SELECT as Parquet; false where there is no such SELECT. */
static bool make_table(taco_dataset *ds, const char *sql, taco_sink *out)
{
    taco_publish_options how;
    taco_error e = {0, TACO_OK, 0, {0}};
    memset(&how, 0, sizeof how);
    if (taco_sink_memory(out, NULL, &e) != TACO_OK) { return false; }
    taco_publish(taco_sql(ds, sql, &e), out, &how, &e);
    if (e.code != TACO_OK) { taco_sink_free(out); }
    return e.code == TACO_OK;
}

static size_t find_last(const uint8_t *p, size_t len, const char *what, size_t n)
{
    size_t at = len - n;
    while (at && memcmp(p + at, what, n) != 0) {
        at--;
    }
    return at;
}

static void put_le(uint8_t *p, uint64_t x, size_t n)
{
    for (; n; n--, x >>= 8) {
        *p++ = (uint8_t)x;
    }
}

/* An archive whose TACO_HEADER and directory name another table, which lies before the directory. */
static uint8_t *with_level(const uint8_t *old, size_t old_len, int slot, taco_bytes table,
                           size_t *len)
{
    size_t eocd = find_last(old, old_len, "PK\5\6", 4), dir = taco__load_le32(old + eocd + 16), at;
    char name[32];
    size_t n = (size_t)snprintf(name, sizeof name, "METADATA/level%d.parquet", slot);
    size_t more = 30 + n + table.len;
    uint8_t *p = (uint8_t *)calloc(1, old_len + more), *local = p + dir;
    uint32_t crc = taco__crc32(0, table.data, table.len);
    memcpy(p, old, dir);
    put_le(local, 0x04034B50, 4);
    put_le(local + 4, 45, 2);
    put_le(local + 14, crc, 4);
    put_le(local + 18, table.len, 4);
    put_le(local + 22, table.len, 4);
    put_le(local + 26, n, 2);
    memcpy(local + 30, name, n);
    memcpy(local + 30 + n, table.data, table.len);
    memcpy(p + dir + more, old + dir, old_len - dir);
    put_le(p + eocd + more + 16, dir + more, 4);
    at = find_last(p, old_len + more, name, n) - 46; /* of the directory */
    put_le(p + at + 16, crc, 4);
    put_le(p + at + 20, table.len, 4);
    put_le(p + at + 24, table.len, 4);
    put_le(p + at + 42, dir, 4);
    put_le(p + 45 + 16 * slot, dir + 30 + n, 8);
    put_le(p + 53 + 16 * slot, table.len, 8);
    *len = old_len + more;
    return p;
}

/* A tortilla whose footer is another table, behind the old one. */
static uint8_t *with_footer(const uint8_t *old, size_t old_len, taco_bytes table, size_t *len)
{
    uint8_t *p = (uint8_t *)malloc(old_len + table.len);
    memcpy(p, old, old_len);
    memcpy(p + old_len, table.data, table.len);
    put_le(p + 2, old_len, 8);
    put_le(p + 10, table.len, 8);
    *len = old_len + table.len;
    return p;
}

/* ---- all of them ---- */

static size_t points, refused;

/* Works over a dataset one of whose tables is that of a SELECT. */
static void try_table(const target *t, taco_dataset *ds, const uint8_t *old, size_t old_len,
                      const char *sql)
{
    taco_sink table;
    uint8_t *made = NULL;
    char w;
    int bad;
    if (!make_table(ds, sql, &table)) { return; }
    disk.data = taco_sink_bytes(&table).data;
    disk.len = taco_sink_bytes(&table).len;
    if (t->slot >= 0) {
        disk.data = made = with_level(old, old_len, t->slot, taco_sink_bytes(&table), &disk.len);
    } else if (t->slot == -2) {
        disk.data = made = with_footer(old, old_len, taco_sink_bytes(&table), &disk.len);
    }
    disk.changed = t->file;
    w = t->works[points % strlen(t->works)];
    bad = test_bad;
    refused += damaged(&works[w == '?' ? any(WORKS) : (size_t)(w - 'a')], t->path);
    points++;
    if (test_bad != bad) { printf("%s: %s\n", t->file, sql); }
    disk.changed = NULL;
    free(made);
    taco_sink_free(&table);
}

/* The SELECT of all columns, of which one is another; the text of it is what @ means. */
static void select_with(char *sql, size_t size, const taco_field *f, size_t n, size_t which,
                        const char *other, const char *from)
{
    size_t i, at = (size_t)snprintf(sql, size, "SELECT ");
    const char *c;
    bool first = true;
    for (i = 0; i < n; i++) {
        if (i == which && !*other) { continue; }
        at += (size_t)snprintf(sql + at, size - at, "%s", first ? "" : ", ");
        first = false;
        for (c = i == which ? other : "@"; *c && at < size - 100; c++) {
            if (*c == '@') {
                at += (size_t)snprintf(sql + at, size - at, "\"%s\"", f[i].name);
            } else {
                sql[at++] = *c;
            }
        }
        at += (size_t)snprintf(sql + at, size - at, " AS \"%s\"", f[i].name);
    }
    snprintf(sql + at, size - at, " FROM %s", from);
}

/* Every member of a STRUCT is another one, or is not there. */
static void try_members(const target *t, taco_dataset *ds, const uint8_t *old, size_t old_len,
                        const taco_field *f, size_t n, size_t which)
{
    static char sql[16000], other[8000];
    const taco_field *s = &f[which];
    uint32_t i, m;
    size_t k, at;
    const char *c;
    for (i = 0; s->type == TACO_STRUCT && i < s->child_count; i++) {
        for (k = 0; k < sizeof others / sizeof others[0] && test_bad < 20; k++) {
            at = (size_t)snprintf(other, sizeof other, "{");
            for (m = 0; m < s->child_count; m++) {
                if (m == i && !*others[k]) { continue; }
                at += (size_t)snprintf(other + at, sizeof other - at,
                                       "%s'%s': ", at > 1 ? ", " : "", s->children[m].name);
                for (c = m == i ? others[k] : "@"; *c && at < sizeof other - 200; c++) {
                    if (*c == '@') {
                        at += (size_t)snprintf(other + at, sizeof other - at, "(\"%s\").\"%s\"",
                                               s->name, s->children[m].name);
                    } else {
                        other[at++] = *c;
                    }
                }
            }
            snprintf(other + at, sizeof other - at, "}");
            select_with(sql, sizeof sql, f, n, which, other, t->from);
            try_table(t, ds, old, old_len, sql);
        }
    }
}

static void try_target(const target *t)
{
    static char sql[8000];
    taco_error e = {0, TACO_OK, 0, {0}};
    taco_dataset *ds;
    taco_options plain;
    size_t n = 0, i, k, old_len = 0, before = points;
    uint8_t *old = load(t->path, &old_len);
    taco_cursor *c;
    const taco_field *f;
    memset(&plain, 0, sizeof plain); /* what is open here is no work's */
    plain.openers = openers;
    ds = taco_open(t->path, &plain, &e);
    CHECK_TEXT(e.text, "");
    snprintf(sql, sizeof sql, "SELECT * FROM %s", t->from);
    c = taco_sql(ds, sql, &e);
    f = taco_cursor_fields(c, &n);
    for (i = 0; i < n; i++) {
        for (k = 0; k < sizeof others / sizeof others[0] && test_bad < 20; k++) {
            if (strcmp(f[i].name, "internal:gdal_vsi") == 0) { continue; }
            if (t->half && (i + k) % 2) { continue; }
            select_with(sql, sizeof sql, f, n, i, others[k], t->from);
            try_table(t, ds, old, old_len, sql);
        }
        if (t->members) { try_members(t, ds, old, old_len, f, n, i); }
    }
    for (k = 0; k < sizeof tables / sizeof tables[0]; k++) {
        snprintf(sql, sizeof sql, "SELECT %s FROM %s %s", tables[k][0], t->from, tables[k][1]);
        try_table(t, ds, old, old_len, sql);
    }
    taco_cursor_close(c, &e);
    CHECK_TEXT(e.text, "");
    CHECK(n > 0 && points - before > 50);
    taco_close(ds);
    free(old);
}

static void try_targets(const target *t, size_t n)
{
    size_t i;
    for (i = 0; i < n && test_bad < 20; i++) {
        try_target(&t[i]);
    }
    printf("%u of %u works over other columns refused\n", (unsigned)refused, (unsigned)points);
    CHECK(refused > points / 10);
}

static void columns_begin(const void *here)
{
    openers[0] = taco_legacy_opener();
    openers[1] = taco_rasteret_opener();
    places_begin(&tried, here, &options, &allocator);
    places_exact = false;
    options.open_file = disk_open;
    options.openers = openers;
    make_datasets();
}

#endif
