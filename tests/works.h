/* Everything that reads or converts a dataset, as a list of works over a path. Files are read from
   memory, where bytes may be changed and a read may fail. HOME is a directory of the test;
   output goes to OUT. Include it before any other header of the library. */
#ifndef TACO_TEST_WORKS_H
#define TACO_TEST_WORKS_H

#include "places.h"

#include "../src/base/file_copy.h"
#include "../src/base/temporary.h"
#include "../extra/taco_sql.h"
#include "../extra/taco_write.h"
#include "../extra/taco_legacy.h"
#include "../extra/taco_publish.h"
#include "../extra/taco_rasteret.h"

#include "names.h"
#include "tiff.h"

#define OUT HOME "/out"

static const char collection[] =
    "{\"id\":\"demo\",\"dataset_version\":\"1.0.0\",\"description\":\"d\",\"licenses\":[\"CC0-1."
    "0\"],"
    "\"providers\":[{\"name\":\"x\",\"roles\":[\"host\"],\"url\":\"https://x.org\"}],\"tasks\":["
    "\"other\"],\"title\":\"t\",\"keywords\":[\"k\"],\"curators\":[{\"name\":\"c\","
    "\"organization\":"
    "\"o\",\"email\":\"a@b.c\",\"orcid\":\"0000-0002-1825-0097\"}],\"publications\":[{\"doi\":"
    "\"10.1/x\",\"citation\":\"c\",\"summary\":\"s\"}],\"extent\":{\"spatial\":[-1,-2,3,4],"
    "\"temporal\":[\"2020-01-01T00:00:00Z\",\"2021-01-01T00:00:00Z\"]}}";

/* ---- files of which a read fails, or one of which has other bytes ---- */

static places tried;

static struct {
    size_t calls, fail_at, open;
    bool note; /* reads at new places become due */
    size_t due[500], due_count;
    const char *changed; /* the end of a path; NULL: none */
    const uint8_t *data;
    size_t len;
    char names[64][160]; /* of what was opened, when noted */
    size_t count;
} disk;

typedef struct disk_file {
    uint8_t *data;
    size_t len;
} disk_file;

static bool disk_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    const disk_file *x = (const disk_file *)ctx;
    disk.calls++;
    if (disk.note && disk.due_count < sizeof disk.due / sizeof *disk.due &&
        places_add(&tried, 2, disk.calls, disk.due_count ? disk.due[disk.due_count - 1] : 0)) {
        disk.due[disk.due_count++] = disk.calls;
    }
    if (disk.calls == disk.fail_at) { return false; }
    if (len) { memcpy(dst, x->data + offset, len); }
    return true;
}

static bool disk_read_many(void *ctx, const taco_piece *reads, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (!disk_read(ctx, reads[i].offset, reads[i].dst, reads[i].len)) { return false; }
    }
    return true;
}

static void disk_close(void *ctx)
{
    disk_file *x = (disk_file *)ctx;
    disk.open--;
    free(x->data);
    free(x);
}

static uint8_t *load(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    uint8_t *data = NULL;
    int64_t n;
    if (f && fseek(f, 0, SEEK_END) == 0 && (n = (int64_t)ftell(f)) >= 0 && n < 100000000 &&
        fseek(f, 0, SEEK_SET) == 0) {
        data = (uint8_t *)malloc((size_t)n + 1);
        *len = data ? fread(data, 1, (size_t)n, f) : 0;
    }
    if (f) { fclose(f); }
    return data;
}

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n >= m && strcmp(s + n - m, end) == 0;
}

static bool disk_open(void *ctx, const char *path, taco_source *out)
{
    size_t len = 0, i;
    uint8_t *data = load(path, &len);
    disk_file *x;
    (void)ctx;
    if (!data) { return false; }
    for (i = 0; i < disk.count && strcmp(disk.names[i], path) != 0; i++) {}
    if (i == disk.count && i < sizeof disk.names / sizeof disk.names[0]) {
        snprintf(disk.names[disk.count++], sizeof disk.names[0], "%s", path);
    }
    if (disk.changed && ends_with(path, disk.changed)) {
        free(data);
        len = disk.len;
        data = (uint8_t *)malloc(len + 1);
        if (len) { memcpy(data, disk.data, len); }
    }
    x = (disk_file *)malloc(sizeof *x);
    x->data = data;
    x->len = len;
    disk.open++;
    memset(out, 0, sizeof *out);
    out->ctx = x;
    out->size = len;
    out->read = disk_read;
    out->read_many = len % 2 ? disk_read_many : NULL;
    out->close = disk_close;
    return true;
}

/* ---- everything that reads a dataset ---- */

typedef struct run {
    const char *path;
    const taco_options *opt;
    taco_dataset *ds;
    uint64_t sum; /* of all that was said */
    taco_error *e;
} run;

static void add(run *r, const void *data, size_t len)
{
    r->sum = r->sum * 31 + taco__crc32(0, (const uint8_t *)data, len) + len;
}

static void add_text(run *r, const char *s)
{
    add(r, s ? s : "", s ? strlen(s) : 0);
}

static char said[512]; /* the last of these */

/* What this dataset has not, or a rule that it breaks, is an answer, too. */
static bool go_on(run *r)
{
    switch (r->e->code) {
    case TACO_OK: return true;
    case TACO_ERR_NOT_FOUND:
    case TACO_ERR_ARGUMENT:
    case TACO_ERR_UNSUPPORTED:
    case TACO_ERR_TYPE:
    case TACO_ERR_SYNTAX:
    case TACO_ERR_STATE: break;
    case TACO_ERR_CORRUPT: /* records of Rasteret are no samples */
        if (strstr(r->path, "rasteret")) { break; }
        return false;
    default: return false;
    }
    CHECK(r->e->text[0]);
    add_text(r, r->e->text);
    snprintf(said, sizeof said, "%s", r->e->text);
    memset(r->e, 0, sizeof *r->e);
    return true;
}

static bool add_bytes(run *r, taco_bytes b)
{
    CHECK(b.data || r->e->code != TACO_OK || !b.len);
    if (b.data) { add(r, b.data, b.len); }
    return go_on(r);
}

static bool rows(run *r, taco_cursor *c)
{
    while (taco_cursor_next(c)) {
        add_text(r, taco_cursor_json(c));
        add_text(r, taco_cursor_text(c, "id"));
        add_text(r, taco_cursor_vsi(c));
    }
    taco_cursor_close(c, r->e);
    return go_on(r);
}

static bool read_about(run *r)
{
    uint32_t i;
    size_t n;
    if (!add_bytes(r, taco_info_json(r->ds, r->e)) ||
        !add_bytes(r, taco_pit_schema(r->ds, 3, r->e))) {
        return false;
    }
    for (i = 0; i < taco_levels(r->ds); i++) {
        const taco_field *f = taco_level_fields(r->ds, i, &n, r->e);
        r->sum += (uint64_t)taco_level_rows(r->ds, i, r->e) + (f ? n : 0);
        if (!go_on(r)) { return false; }
    }
    return true;
}

static const double world[4] = {-180, -90, 180, 90};

static bool read_rows(run *r)
{
    taco_query q;
    uint32_t i, levels = taco_levels(r->ds);
    for (i = 0; i < 9; i++) {
        memset(&q, 0, sizeof q);
        q.table = i % 2 ? levels - 1 : 0;
        q.flat = i == 3;
        q.where = i == 1   ? "id is not null and type in ('FILE', 'FOLDER')"
                  : i == 4 ? "id like '%' or \"internal:size\" > 3"
                           : NULL;
        q.level = q.where ? q.table : 0;
        q.order = i == 2 ? "id desc" : i == 3 ? "\"l0:id\", id" : NULL;
        q.bbox = i == 5 ? world : NULL;
        q.time = i == 6 ? "1990-01-01/2030-01-01" : NULL;
        q.select = i == 7 ? "id, internal:gdal_vsi" : NULL;
        q.limit = i == 8 ? 2 : 0;
        q.offset = i == 8 ? 1 : 0;
        q.padding = i == 8;
        if (!rows(r, taco_select(r->ds, &q, r->e))) { return false; }
    }
    return true;
}

static bool read_below(run *r)
{
    static const char *const keys[] = {"@0", "@1/@0", "@1/@0/@0", "nobody"};
    size_t i;
    taco_cursor *c;
    for (i = 0; i < 4; i++) {
        taco_sample s;
        taco_source payload;
        uint8_t byte = 0;
        if (taco_locate(r->ds, keys[i], &s, r->e) == TACO_OK) {
            r->sum += s.size + (s.folder ? 7 : 0);
            if (s.folder) {
                if (!rows(r, taco_read(r->ds, keys[i], true, r->e))) { return false; }
            } else if (taco_payload(r->ds, keys[i], &payload, r->e) == TACO_OK) {
                if (payload.size && !payload.read(payload.ctx, 0, &byte, 1)) {
                    r->e->code = TACO_ERR_IO; /* a source has only true and false */
                    snprintf(r->e->text, sizeof r->e->text, "%s", r->path);
                }
                payload.close(payload.ctx);
                r->sum += byte;
            }
        }
        if (!go_on(r)) { return false; }
    }
    c = taco_select(r->ds, NULL, r->e);
    while (r->e->code == TACO_OK && taco_cursor_next(c)) {
        if (!rows(r, taco_cursor_children(c, r->e))) { break; }
    }
    taco_cursor_close(c, r->e);
    return go_on(r);
}

static bool read_sql(run *r)
{
    static const char *const texts[] = {
        "SELECT count(*), min(id), max(type) FROM data",
        "SELECT type, count(*) AS n, list(id ORDER BY id) FROM data GROUP BY ALL ORDER BY n",
        "SELECT a.id, b.id FROM data a JOIN data b ON a.id = b.id WHERE a.id LIKE '%' LIMIT 3",
        "SELECT * FROM level1 WHERE id IN (SELECT id FROM level1) ORDER BY 1 LIMIT 2"};
    size_t i;
    for (i = 0; i < 4; i++) {
        if (!rows(r, taco_sql(r->ds, texts[i], r->e))) { return false; }
    }
    return true;
}

static bool read_view(run *r)
{
    taco_view *v[6];
    taco_plan *p;
    size_t i;
    bool ok;
    v[0] = taco_view_open(r->ds, NULL, r->e);
    v[1] = taco_view_where(v[0], "id is not null", 0, r->e);
    v[2] = taco_view_order(v[1], "id desc", r->e);
    v[3] = taco_view_limit(v[2], 3, 0, r->e);
    v[4] = taco_view_sql(v[3], "SELECT id, type FROM data WHERE id > ''", r->e);
    v[5] = taco_view_table(v[1], taco_levels(r->ds) - 1, false, r->e);
    ok = r->e->code == TACO_OK;
    p = ok ? taco_view_plan(v[5], r->e) : NULL;
    if (p) {
        add_bytes(r, taco_plan_text(p, r->e));
        add_bytes(r, taco_plan_json(p, r->e));
    }
    taco_plan_free(p);
    ok = go_on(r) && v[4] && rows(r, taco_view_rows(v[4], r->e)) &&
         rows(r, taco_view_rows(v[5], r->e)) && rows(r, taco_view_read(v[3], "@0", false, r->e)) &&
         add_bytes(r, taco_view_pit_schema(v[1], r->e));
    for (i = 0; i < 6; i++) {
        taco_view_free(v[i]);
    }
    return ok;
}

static bool read_arrow(run *r)
{
    struct ArrowArrayStream s;
    struct ArrowSchema schema;
    struct ArrowArray a;
    const char *text;
    if (taco_cursor_export(taco_select(r->ds, NULL, r->e), false, &s, r->e) != TACO_OK) {
        return go_on(r);
    }
    if (s.get_schema(&s, &schema) == 0) {
        schema.release(&schema);
        while (s.get_next(&s, &a) == 0 && a.release) {
            r->sum += (uint64_t)a.length;
            a.release(&a);
        }
    }
    text = s.get_last_error(&s); /* a stream has a number and a text */
    if (text && *text) {
        r->e->code = strstr(text, "memory") ? TACO_ERR_MEMORY : TACO_ERR_IO;
        snprintf(r->e->text, sizeof r->e->text, "%.80s", text);
    }
    s.release(&s);
    return go_on(r);
}

static bool read_payloads(run *r)
{
    taco_loader_options how;
    taco_loader_batch b;
    taco_query part;
    taco_loader *l;
    taco_stats *s;
    size_t i;
    memset(&how, 0, sizeof how);
    how.shuffle = true;
    how.batch = 2;
    l = taco_loader_open(r->ds, NULL, &how, r->e);
    while (l && taco_loader_next(l, &b)) {
        for (i = 0; i < b.count; i++) {
            add(r, b.items[i].bytes.data, b.items[i].bytes.len);
        }
    }
    if (l) { taco_loader_close(l, r->e); }
    if (!go_on(r)) { return false; }
    for (i = 0; i < 2; i++) {
        if (taco_shard(r->ds, NULL, i ? TACO_SHARD_BYTES : TACO_SHARD_ROWS, 1, 2, &part, r->e) ==
            TACO_OK) {
            r->sum += part.row_from;
        }
        if (!go_on(r)) { return false; }
    }
    s = taco_aggregate(r->ds, NULL, NULL, r->e);
    if (s) { add_bytes(r, taco_stats_json(s, r->e)); }
    taco_stats_free(s);
    return go_on(r);
}

static bool describe(run *r)
{
    taco_collection_export_options o;
    int kind;
    memset(&o, 0, sizeof o);
    o.year = "2024";
    for (kind = TACO_COLLECTION_STAC; kind <= TACO_COLLECTION_CROISSANT; kind++) {
        if (!add_bytes(r, taco_collection_export(r->ds, (taco_collection_format)kind, &o, r->e))) {
            return false;
        }
    }
    return true;
}

static bool read_footprints(run *r)
{
    taco_bytes text;
    int kind;
    for (kind = TACO_FOOTPRINTS_GEOJSON; kind <= TACO_FOOTPRINTS_GTI; kind++) {
        taco_footprints *f = taco_footprints_open(r->ds, NULL, (taco_footprint_format)kind, r->e);
        while (f && taco_footprints_next(f, &text)) {
            add(r, text.data, text.len);
        }
        taco_footprints_close(f, r->e);
        if (!go_on(r)) { return false; }
    }
    return true;
}

static bool publish(run *r)
{
    int kind;
    for (kind = TACO_PUBLISH_PARQUET; kind <= TACO_PUBLISH_STAC; kind++) {
        taco_publish_options how;
        taco_sink sink;
        memset(&how, 0, sizeof how);
        how.kind = (taco_publish_kind)kind;
        how.id = "demo";
        how.collection = "{}";
        how.covering = kind == TACO_PUBLISH_GEOPARQUET ? "bbox" : NULL;
        how.write.options = r->opt;
        if (taco_sink_memory(&sink, NULL, r->e) != TACO_OK) { return false; }
        taco_publish(taco_select(r->ds, NULL, r->e), &sink, &how, r->e);
        add(r, taco_sink_bytes(&sink).data, taco_sink_bytes(&sink).len);
        taco_sink_free(&sink);
        if (!go_on(r)) { return false; }
    }
    return true;
}

/* A dataset of this path and another, by each rule for columns that not both of them have. */
static bool read_several(run *r)
{
    const char *two[2];
    taco_filter box;
    taco_query q;
    int mode;
    two[0] = r->path;
    two[1] = HOME "/tiff.tacozip";
    memset(&q, 0, sizeof q);
    memset(&box, 0, sizeof box);
    box.bbox = world;
    q.order = "id desc";
    q.where = "id <> 'nobody'";
    q.filters = &box;
    q.filter_count = 1;
    if (ends_with(r->path, ".tortilla")) { return true; } /* others are no Tortillas */
    for (mode = TACO_COLUMNS_INTERSECTION; mode <= TACO_COLUMNS_STRICT; mode++) {
        bool ok;
        r->ds = taco_open_many(two, 2, (taco_column_mode)mode, r->opt, r->e);
        ok = r->ds ? read_about(r) && rows(r, taco_select(r->ds, NULL, r->e)) &&
                         rows(r, taco_select(r->ds, &q, r->e)) && read_sql(r)
                   : go_on(r);
        taco_close(r->ds);
        r->ds = NULL;
        if (!ok) { return false; }
    }
    return true;
}

/* The sources of a merged collection, of which a query may need some alone. */
static bool read_joint(run *r)
{
    taco_query q;
    taco_cursor *c;
    taco_batch b;
    memset(&q, 0, sizeof q);
    q.bbox = world;
    q.time = "1990-01-01/2030-01-01";
    r->ds = taco_open_tacollection("examples/data/multi/TACOLLECTION.json", &q,
                                   TACO_COLUMNS_FILL_MISSING, r->opt, r->e);
    if (!r->ds) { return go_on(r); }
    c = taco_select(r->ds, NULL, r->e);
    while (taco_cursor_batch(c, &b)) {
        const uint64_t *at = taco_cursor_positions(c);
        if (at) { add(r, at, b.length * sizeof *at); }
    }
    taco_cursor_close(c, r->e);
    taco_close(r->ds);
    r->ds = NULL;
    return go_on(r);
}

static bool tiles(void *ctx, const taco_rasteret_tile *t)
{
    run *r = (run *)ctx;
    add_text(r, t->id);
    r->sum += t->range.offset + t->range.len;
    return true;
}

static bool read_rasteret(run *r)
{
    static const char *const bands[] = {"data"};
    taco_rasteret_window w;
    taco_rasteret_readiness ready;
    taco_rasteret_tiles_sums sums;
    memset(&w, 0, sizeof w);
    w.bands = bands;
    w.band_count = 1;
    w.bbox = world;
    taco_rasteret_ready(r->ds, bands, 1, NULL, &ready, r->e);
    if (r->e->code == TACO_ERR_CORRUPT) { r->e->code = TACO_ERR_STATE; } /* what it is for */
    if (!go_on(r)) { return false; }
    taco_rasteret_tiles(r->ds, &w, tiles, r, &sums, r->e);
    return go_on(r);
}

/* ---- what works on a path ---- */

static bool problem(void *ctx, const taco_problem *p)
{
    add_text((run *)ctx, p->where);
    add_text((run *)ctx, p->message);
    return true;
}

static bool validate(run *r)
{
    taco_validate_options how;
    memset(&how, 0, sizeof how);
    how.deep = true;
    how.found = problem;
    how.ctx = r;
    taco_validate(r->path, r->opt, &how, NULL, r->e);
    if (r->e->code == TACO_ERR_CORRUPT || r->e->code == TACO_ERR_CHECKSUM ||
        r->e->code == TACO_ERR_TRUNCATED) {
        r->e->code = TACO_ERR_STATE;
    }
    return go_on(r);
}

static bool check_rasteret(run *r)
{
    taco_rasteret_validate(r->path, r->opt, r->e);
    if (r->e->code == TACO_ERR_CORRUPT) { r->e->code = TACO_ERR_STATE; }
    return go_on(r);
}

/* ---- what makes files of it ---- */

static taco_create_options create_with(const run *r)
{
    taco_create_options c;
    memset(&c, 0, sizeof c);
    c.options = r->opt;
    c.date = 1;
    return c;
}

static bool make_export(run *r)
{
    taco_create_options c = create_with(r);
    taco_query q;
    memset(&q, 0, sizeof q);
    q.where = "id is not null";
    q.order = "id desc";
    taco_export(r->ds, OUT "/x.tacozip", &q, &c, r->e);
    return go_on(r);
}

static bool make_rows(run *r)
{
    taco_create_options c = create_with(r);
    taco_export_rows(taco_sql(r->ds, "SELECT * FROM data ORDER BY id DESC LIMIT 2", r->e),
                     OUT "/x.tacozip", &c, r->e);
    return go_on(r);
}

static bool make_copy(run *r)
{
    taco_create_options c = create_with(r);
    const bool zip = taco_dataset_kind(r->ds) == TACO_KIND_ZIP;
    taco_repack(r->ds, zip ? OUT "/x" : OUT "/x.tacozip", &c, r->e);
    return go_on(r);
}

static bool make_repaired(run *r)
{
    taco_repair(r->path, OUT "/x.tacozip", r->opt, NULL, NULL, r->e);
    if (r->e->code == TACO_ERR_CORRUPT || r->e->code == TACO_ERR_CHECKSUM ||
        r->e->code == TACO_ERR_TRUNCATED) {
        r->e->code = TACO_ERR_STATE;
    }
    return go_on(r);
}

static bool make_catalogue(run *r)
{
    taco_merge_options m;
    memset(&m, 0, sizeof m);
    m.options = r->opt;
    taco_create_tacocat(OUT, &r->path, 1, &m, r->e);
    if (r->e->code == TACO_ERR_CORRUPT) { r->e->code = TACO_ERR_STATE; } /* to be repaired */
    return go_on(r);
}

static bool make_joint(run *r)
{
    taco_merge_options m;
    memset(&m, 0, sizeof m);
    m.options = r->opt;
    taco_create_tacollection(OUT "/x.json", &r->path, 1, &m, r->e);
    return go_on(r);
}

static bool make_from_old(run *r)
{
    taco_convert_options c;
    memset(&c, 0, sizeof c);
    c.create = create_with(r);
    c.pad = true;
    taco_convert_to_taco2(&r->path, 1, OUT "/x.tacozip", &c, r->e);
    return go_on(r);
}

static bool make_old(run *r)
{
    taco_convert_options c;
    memset(&c, 0, sizeof c);
    c.create = create_with(r);
    taco_convert_from_taco2(r->path, OUT "/x.tortilla", &c, r->e);
    return go_on(r);
}

static bool make_compiled(run *r)
{
    taco_query q;
    memset(&q, 0, sizeof q);
    q.where = "\"tortilla:length\" > 3";
    taco_tortilla_compile(r->ds, &q, OUT "/x.tortilla", r->e);
    return go_on(r);
}

static bool make_edited(run *r)
{
    static const char old[] =
        "{\"id\":\"m\",\"description\":\"d\",\"taco_version\":\"0.4.0\",\"dataset_version\":"
        "\"1.0\",\"licenses\":[\"MIT\"],\"providers\":[{\"organization\":\"o\",\"roles\":["
        "\"host\"]}],\"extent\":{\"spatial\":[[-1,-2,3,4]],\"temporal\":[["
        "\"2020-01-01T00:00:00Z\",\"2020-02-01T00:00:00Z\"]]}}";
    taco_tortilla_to_taco(r->path, OUT "/x.taco", old, r->opt, r->e);
    if (r->e->code == TACO_OK) {
        taco_tortilla_edit_collection(OUT "/x.taco", OUT "/x.taco", old, r->opt, r->e);
    }
    if (r->e->code == TACO_OK) {
        taco_tortilla_from_taco(OUT "/x.taco", OUT "/x.tortilla", r->opt, r->e);
    }
    if (r->e->code != TACO_OK) { remove(OUT "/x.taco"); }
    if (r->e->code == TACO_ERR_CORRUPT) { r->e->code = TACO_ERR_STATE; } /* of another kind */
    return go_on(r);
}

static bool make_added(run *r)
{
    static const char *const tables[] = {HOME "/add.csv", HOME "/add.ndjson"};
    taco_add_options a;
    taco_create_options c = create_with(r);
    memset(&a, 0, sizeof a);
    c.fill = true;
    a.create = &c;
    a.tables = tables;
    a.table_count = 2;
    taco_add_columns(r->path, OUT "/x.tacozip", &a, r->e);
    return go_on(r);
}

static bool make_rasteret(run *r)
{
    taco_rasteret_options o;
    memset(&o, 0, sizeof o);
    o.options = r->opt;
    o.single = true;
    taco_rasteret_from_taco(r->path, OUT "/x.parquet", &o, r->e);
    if (r->e->code == TACO_ERR_CORRUPT) { r->e->code = TACO_ERR_STATE; }
    return go_on(r);
}

static bool make_collection(run *r)
{
    static const char *const by[] = {"id"};
    taco_rasteret_options o;
    memset(&o, 0, sizeof o);
    o.options = r->opt;
    o.partition = by;
    o.partition_count = 1;
    o.enrich = true;
    taco_rasteret_build(r->path, OUT "/x", &o, r->e);
    if (r->e->code == TACO_ERR_CORRUPT) { r->e->code = TACO_ERR_STATE; }
    return go_on(r);
}

static bool make_of_rasteret(run *r)
{
    taco_rasteret_options o;
    taco_create_options c = create_with(r);
    memset(&o, 0, sizeof o);
    o.options = r->opt;
    taco_rasteret_to_taco(r->path, OUT "/x.tacozip", collection, &o, &c, r->e);
    if (r->e->code == TACO_ERR_CORRUPT) { r->e->code = TACO_ERR_STATE; }
    return go_on(r);
}

TEST_FN bool make_of_directory(run *r)
{
    static const char *const tables[] = {HOME "/files.csv"}, *const by[] = {"split"};
    taco_directory_options d;
    taco_create_options c = create_with(r);
    memset(&d, 0, sizeof d);
    c.fill = true;
    d.create = &c;
    d.tables = tables;
    d.table_count = 1;
    d.tiff = true;
    d.grid_km = 100;
    d.near_count = 2;
    d.group_by = by;
    d.group_by_count = 1;
    d.split_size = 3000;
    taco_create_directory(OUT "/x.tacozip", HOME "/files", collection, sizeof collection - 1, &d,
                          r->e);
    return go_on(r);
}

typedef struct work {
    const char *name;
    bool (*of_dataset)(run *r);
    bool (*of_path)(run *r);
    bool makes; /* files */
} work;

static const work works[] = {{"about", read_about, NULL, false},
                             {"rows", read_rows, NULL, false},
                             {"below", read_below, NULL, false},
                             {"SQL", read_sql, NULL, false},
                             {"views", read_view, NULL, false},
                             {"Arrow", read_arrow, NULL, false},
                             {"payloads", read_payloads, NULL, false},
                             {"describe", describe, NULL, false},
                             {"footprints", read_footprints, NULL, false},
                             {"publish", publish, NULL, false},
                             {"tiles", read_rasteret, NULL, false},
                             {"validate", NULL, validate, false},
                             {"check", NULL, check_rasteret, false},
                             {"export", make_export, NULL, true},
                             {"export of rows", make_rows, NULL, true},
                             {"repack", make_copy, NULL, true},
                             {"repair", NULL, make_repaired, true},
                             {"tacocat", NULL, make_catalogue, true},
                             {"tacollection", NULL, make_joint, true},
                             {"convert", NULL, make_from_old, true},
                             {"convert back", NULL, make_old, true},
                             {"compile", make_compiled, NULL, true},
                             {"edit", NULL, make_edited, true},
                             {"add", NULL, make_added, true},
                             {"from-taco", NULL, make_rasteret, true},
                             {"build", NULL, make_collection, true},
                             {"to-taco", NULL, make_of_rasteret, true},
                             {"several", NULL, read_several, false},
                             {"joint", NULL, read_joint, false}};

enum { WORKS = sizeof works / sizeof works[0] };

/* One work over one dataset. */
static uint64_t perform(const work *w, const char *path, const taco_options *opt, taco_error *e)
{
    run r;
    memset(&r, 0, sizeof r);
    memset(e, 0, sizeof *e);
    r.path = path;
    r.opt = opt;
    r.e = e;
    if (w->makes) {
        test_names_remove(OUT);
        CHECK(taco__dir_make_new(OUT, NULL));
    }
    disk.calls = 0;
    if (w->of_path) {
        w->of_path(&r);
    } else if ((r.ds = taco_open(path, opt, e)) != NULL) {
        bool ok = w->of_dataset(&r);
        CHECK(ok == (e->code == TACO_OK));
        taco_close(r.ds);
    }
    CHECK(disk.open == 0);
    if (w->makes && e->code == TACO_OK) { r.sum += test_look(OUT).sum; }
    /* archives stay where their catalogue alone fails */
    if (w->makes && e->code != TACO_OK && !strstr(e->text, "the archives are made") &&
        test_names_count(OUT, "", "")) {
        printf("%s of %s: left behind: %s\n", w->name, path, e->text);
        CHECK(!"nothing is left of what failed");
    }
    return r.sum;
}

/* ---- what is read ---- */

static void write_file(const char *path, const void *data, size_t len)
{
    FILE *f = fopen(path, "wb");
    CHECK(f && fwrite(data, 1, len, f) == len && fclose(f) == 0);
}

static void make_datasets(void)
{
    static const char add_csv[] = "id,extra,when\nt0,1,2020-01-02\nt1,,2021-01-02\n",
                      add_json[] = "{\"id\":\"t0\",\"list\":[1,2],\"s\":\"x\"}\n"
                                   "{\"id\":\"t1\",\"list\":null,\"s\":null}\n",
                      files[] = "id,split,cloud\na.tif,train,1.5\nb.tif,test,2\nd/c.bin,,3\n";
    static tiff_maker m;
    static const int64_t shape[3] = {3, 20, 40};
    taco_error e = {0, TACO_OK, 0, {0}};
    taco_rasteret_options o;
    taco_stac s;
    taco_writer *w;
    taco_dataset *ds;
    size_t i;
    taco__dir_make("build", NULL);
    test_names_remove(HOME);
    CHECK(taco__dir_make(HOME, &e) && taco__dir_make(HOME "/files", &e) &&
          taco__dir_make(HOME "/files/d", &e));
    write_file(HOME "/add.csv", add_csv, sizeof add_csv - 1);
    write_file(HOME "/add.ndjson", add_json, sizeof add_json - 1);
    write_file(HOME "/files.csv", files, sizeof files - 1);
    memset(&s, 0, sizeof s);
    memset(&o, 0, sizeof o);
    tiff_begin(&m, false, false, 32, 700);
    tiff_usual(&m, 3, true);
    write_file(HOME "/files/a.tif", m.data, m.size);
    write_file(HOME "/files/b.tif", m.data, m.size);
    write_file(HOME "/files/d/c.bin", m.data, 100);
    s.crs = "EPSG:32630";
    s.shape = shape;
    s.dimensions = 3;
    s.geotransform[0] = 500000;
    s.geotransform[1] = 10;
    s.geotransform[3] = 4000000;
    s.geotransform[5] = -10;
    w = taco_create(HOME "/tiff.tacozip", NULL, &e);
    taco_writer_collection(w, collection, sizeof collection - 1);
    taco_writer_stac_columns(w, 0);
    for (i = 0; i < 3; i++) {
        static const char *const names[] = {"one", "two", "three"};
        s.time_start = INT64_C(86400000000) * (18000 + (int64_t)i * 100);
        taco_writer_bytes(w, names[i], m.data, m.size);
        CHECK(taco_writer_set_stac(w, &s, &e) == TACO_OK);
    }
    CHECK(taco_writer_finish(w, &e) == TACO_OK);
    CHECK(taco_rasteret_from_taco(HOME "/tiff.tacozip", HOME "/rasteret", &o, &e) == TACO_OK);
    ds = taco_open(HOME "/tiff.tacozip", NULL, &e);
    CHECK(taco_repack(ds, HOME "/folder", NULL, &e) == TACO_OK);
    taco_close(ds);
    CHECK_TEXT(e.text, "");
}

static taco_options options;
static taco_allocator allocator;
static const taco_opener *openers[3];

static uint64_t seed = 1;

static size_t any(size_t n) /* 0 .. n - 1 */
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)(seed >> 33) % n;
}

/* A work over a dataset of which a file has other bytes: an answer or an error with a text. */
static bool damaged(const work *w, const char *path)
{
    taco_error e;
    options.limits.max_memory = (uint64_t)64 << 20;
    said[0] = 0;
    tried.memory.calls = 0;
    perform(w, path, &options, &e);
    options.limits.max_memory = 0;
    if (tried.memory.live || e.code == TACO_ERR_MEMORY || (e.code != TACO_OK && !e.text[0])) {
        printf("%s of %s: %s: %s\n", w->name, path, taco_status_name(e.code), e.text);
        CHECK(!"an error that tells what is wrong");
        tried.memory.live = 0;
    }
    return e.code != TACO_OK || said[0];
}

/* What a fault must lead to: the same as without, or an error that tells it. */
static void judge(const work *w, const char *path, bool read, size_t at, uint64_t want)
{
    taco_error e;
    uint64_t sum = perform(w, path, &options, &e);
    /* leave out what they cannot read */
    if (read && (w->of_path == make_rasteret || w->of_path == make_of_rasteret)) { return; }
    if (strstr(e.text, "writing ")) { e.code = TACO_ERR_MEMORY; } /* a sink has true and false */
    if (tried.memory.live || (e.code == TACO_OK && sum != want) ||
        (e.code != TACO_OK && e.code != (read ? TACO_ERR_IO : TACO_ERR_MEMORY)) ||
        (e.code != TACO_OK && !e.text[0])) {
        printf("%s of %s: %s %u: %s: %s; %u bytes lost; %s\n", w->name, path,
               read ? "read" : "allocation", (unsigned)at, taco_status_name(e.code), e.text,
               (unsigned)tried.memory.live, said);
        CHECK(!"an error that tells the fault");
        tried.memory.live = 0;
    }
}

static size_t reads_tried;

/* A work without a fault, then each new place of it that allocates or reads fails. */
TEST_FN void tour(const work *w, const char *path)
{
    size_t n;
    taco_error e;
    uint64_t want;
    places_next(&tried, 0);
    disk.due_count = 0;
    disk.note = true;
    want = perform(w, path, &options, &e);
    tried.note = disk.note = false;
    CHECK(tried.memory.live == 0);
    if (e.code != TACO_OK) { printf("%s of %s: %s\n", w->name, path, e.text); }
    CHECK(e.code == TACO_OK); /* what is not damaged can be read */
    if (e.code != TACO_OK) { return; }
    CHECK(!test_all() || perform(w, path, &options, &e) == want);
    for (n = 1; places_next(&tried, n); n++) {
        judge(w, path, false, tried.memory.fail_at, want);
    }
    for (n = 0; n < disk.due_count; n++) {
        disk.fail_at = disk.due[n];
        judge(w, path, true, disk.fail_at, want);
        disk.fail_at = 0;
        reads_tried++;
    }
}

#endif
