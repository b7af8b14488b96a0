/* clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I.. -o fuzz_query
   fuzz_query.c

   Everything at once: any bytes as an archive or a catalogue in memory, opened, described, queried
   at every level by box, time and predicate, navigated, its payloads located and read. If it opens,
   every call must be safe. */
#define TACO__PAGE_INDEX_MIN_CHUNK 0
#define TACO_IMPLEMENTATION
#include "../taco.h"
#include "../extra/taco_publish.h"

#include "holds.h"
#include "mutator.h"

static void query_drain(taco_cursor *row, bool by_row, taco_error *err)
{
    int n = 0;
    if (by_row) {
        while (n++ < 50 && taco_cursor_next(row)) {
            taco_error inner;
            double d;
            int64_t i;
            taco_bytes b;
            memset(&inner, 0, sizeof inner);
            taco_cursor_text(row, "id");
            HOLDS(taco_cursor_vsi(row) != NULL);
            taco_cursor_json(row);
            taco_cursor_double(row, "internal:size", &d);
            taco_cursor_int(row, "internal:offset", &i);
            taco_cursor_bytes(row, "istac:geometry", &b);
            if (n < 3) {
                taco_cursor *below = taco_cursor_children(row, &inner);
                while (taco_cursor_next(below)) {
                    taco_cursor_vsi(below);
                }
                taco_cursor_close(below, &inner);
            }
        }
    } else {
        taco_batch batch;
        while (n++ < 50 && taco_cursor_batch(row, &batch)) {
            HOLDS(batch.length > 0 && batch.column_count > 0);
        }
    }
    HOLDS((taco_cursor_close(row, err) == TACO_OK) || err->code != TACO_OK);
}

static void query_try(taco_dataset *ds, const taco_query *q, bool by_row)
{
    taco_error err;
    taco_cursor *row;
    memset(&err, 0, sizeof err);
    row = taco_select(ds, q, &err);
    HOLDS((row != NULL) == (err.code == TACO_OK) && (row || err.text[0]));
    query_drain(row, by_row, &err);
}

static void query_all(taco_dataset *ds)
{
    static const double box[4] = {-80, -20, 10, 45};
    taco_query q;
    uint32_t level;
    memset(&q, 0, sizeof q);
    for (level = 0; level < taco_levels(ds) && level < 4; level++) {
        memset(&q, 0, sizeof q);
        q.table = level;
        query_try(ds, &q, true);
        q.flat = true;
        q.padding = true;
        query_try(ds, &q, false);
        memset(&q, 0, sizeof q);
        q.level = level;
        q.bbox = box;
        query_try(ds, &q, true);
        q.bbox = NULL;
        q.time = "2020-01-01/2021-12-31";
        query_try(ds, &q, false);
        q.time = NULL;
        q.where = "id LIKE 't%' OR \"internal:size\" > 500 AND NOT type IN ('FOLDER', 'x')";
        q.order = "id desc";
        q.offset = 1;
        query_try(ds, &q, true);
        q.select = "id, \"internal:gdal_vsi\"";
        q.limit = 2;
        query_try(ds, &q, false);
    }
}

/* Statistics and footprints of every level. */
static void query_other(taco_dataset *ds)
{
    uint32_t level, i;
    for (level = 0; level < taco_levels(ds) && level < 3; level++) {
        for (i = 0; i < 4; i++) {
            taco_error err;
            taco_query q;
            taco_stats_options how;
            taco_stats *s;
            taco_footprints *f;
            taco_bytes text;
            int n = 0;
            memset(&err, 0, sizeof err);
            memset(&q, 0, sizeof q);
            q.table = level;
            q.flat = (i & 2) != 0;
            memset(&how, 0, sizeof how);
            how.family = (taco_stats_family)((i + level) % 3);
            how.weighted_percentiles = i == 3;
            s = taco_aggregate(ds, &q, i ? &how : NULL, &err);
            HOLDS((s != NULL) == (err.code == TACO_OK));
            HOLDS(!s || taco_stats_json(s, &err).data || err.code != TACO_OK);
            taco_stats_free(s);
            memset(&err, 0, sizeof err);
            f = taco_footprints_open(ds, &q, i & 1 ? TACO_FOOTPRINTS_GTI : TACO_FOOTPRINTS_GEOJSON,
                                     &err);
            HOLDS((f != NULL) == (err.code == TACO_OK));
            while (n++ < 50 && taco_footprints_next(f, &text)) {
                HOLDS(text.len > 0 || n > 1);
            }
            HOLDS(taco_footprints_close(f, &err) == TACO_OK || err.code != TACO_OK);
        }
    }
}

static void query_navigate(taco_dataset *ds)
{
    static const char *const paths[] = {"",   "@0", "@1/@0", "@0/@0/@0", "tile_00/image",
                                        "p1", "@7", "../x",  "@@1",      "a\\/b/@0"};
    size_t i;
    for (i = 0; i < TACO__COUNT(paths); i++) {
        taco_error err;
        taco_sample sample;
        taco_source src;
        taco_cursor *row;
        memset(&err, 0, sizeof err);
        row = taco_read(ds, paths[i], (i & 1) != 0, &err);
        query_drain(row, true, &err);
        memset(&err, 0, sizeof err);
        if (taco_locate(ds, paths[i], &sample, &err) == TACO_OK) {
            HOLDS(sample.vsi && sample.file);
        }
        memset(&err, 0, sizeof err);
        if (taco_payload(ds, paths[i], &src, &err) == TACO_OK) {
            char bytes[256];
            size_t n = src.size < sizeof bytes ? (size_t)src.size : sizeof bytes;
            src.read(src.ctx, 0, bytes, n);
            if (src.close) { src.close(src.ctx); }
        }
    }
}

/* No file is there but the one in memory. */
static bool query_no_file(void *ctx, const char *path, taco_source *out)
{
    (void)ctx;
    (void)path;
    (void)out;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    taco_options opt;
    taco_source src;
    taco_error err;
    taco_dataset *ds;
    memset(&opt, 0, sizeof opt);
    memset(&err, 0, sizeof err);
    opt.limits.max_memory = (uint64_t)64 << 20;
    opt.limits.max_page = (uint64_t)1 << 20;
    opt.open_file = query_no_file;
    taco_source_memory(&src, data, size);
    ds = taco_open_source(&src, "fuzz.tacozip", &opt, &err);
    HOLDS((ds != NULL) == (err.code == TACO_OK) && (ds || err.text[0]));
    if (ds) {
        taco_info_json(ds, &err);
        query_all(ds);
        query_other(ds);
        query_navigate(ds);
    }
    taco_close(ds);
    return 0;
}
