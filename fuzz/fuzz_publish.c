/* Any bytes as a dataset to publish: its collection as documents of each kind, its rows as
   footprints and as Parquet files of each kind. */
#include "operations.h"
#include "mutator.h"

static size_t written;

static bool count_bytes(void *ctx, uint64_t offset, const void *data, size_t len)
{
    (void)ctx;
    (void)data;
    HOLDS(offset == written);
    written += len;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    taco_dataset *ds;
    taco_error err;
    unsigned i;
    fuzz_begin();
    fuzz_put("in.tacozip", data, size);
    memset(&err, 0, sizeof err);
    ds = taco_open(fuzz_path("in.tacozip"), &fuzz_options, &err);
    if (!ds) { return 0; }
    for (i = 0; i < 4; i++) {
        taco_collection_export_options how;
        taco_bytes text;
        memset(&how, 0, sizeof how);
        memset(&err, 0, sizeof err);
        text = taco_collection_export(ds, (taco_collection_format)i, &how, &err);
        HOLDS((text.data != NULL) == (err.code == TACO_OK));
    }
    for (i = 0; i < 2; i++) {
        taco_footprints *f;
        taco_query q;
        taco_bytes text;
        int n = 0;
        memset(&q, 0, sizeof q);
        memset(&err, 0, sizeof err);
        f = taco_footprints_open(ds, &q, (taco_footprint_format)i, &err);
        while (n++ < 50 && taco_footprints_next(f, &text)) {}
        HOLDS(taco_footprints_close(f, &err) == err.code);
    }
    for (i = 0; i < 3; i++) {
        taco_publish_options how;
        taco_sink sink;
        taco_query q;
        memset(&how, 0, sizeof how);
        memset(&sink, 0, sizeof sink);
        memset(&q, 0, sizeof q);
        memset(&err, 0, sizeof err);
        how.kind = (taco_publish_kind)i;
        how.collection = "x";
        sink.write = count_bytes;
        written = 0;
        q.flat = i == 2;
        HOLDS(taco_publish(taco_select(ds, &q, &err), &sink, &how, &err) == err.code);
    }
    taco_close(ds);
    return 0;
}
