/* Any bytes as a dataset to publish: its collection as a document, its rows as footprints or as a
   Parquet file, each of any kind. */
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

static void collection(taco_dataset *ds, taco_collection_format format)
{
    taco_collection_export_options how;
    taco_error err;
    taco_bytes text;
    memset(&how, 0, sizeof how);
    memset(&err, 0, sizeof err);
    text = taco_collection_export(ds, format, &how, &err);
    HOLDS((text.data != NULL) == (err.code == TACO_OK));
}

static void footprints(taco_dataset *ds, taco_footprint_format format)
{
    taco_footprints *f;
    taco_query q;
    taco_error err;
    taco_bytes text;
    int n = 0;
    memset(&q, 0, sizeof q);
    memset(&err, 0, sizeof err);
    f = taco_footprints_open(ds, &q, format, &err);
    while (n++ < 50 && taco_footprints_next(f, &text)) {}
    HOLDS(taco_footprints_close(f, &err) == err.code);
}

static void rows(taco_dataset *ds, taco_publish_kind kind)
{
    taco_publish_options how;
    taco_sink sink;
    taco_query q;
    taco_cursor *c;
    taco_error err;
    memset(&how, 0, sizeof how);
    memset(&sink, 0, sizeof sink);
    memset(&q, 0, sizeof q);
    memset(&err, 0, sizeof err);
    how.kind = kind;
    how.collection = "x";
    sink.write = count_bytes;
    written = 0;
    q.flat = kind == (taco_publish_kind)2;
    c = taco_select(ds, &q, &err);
    HOLDS(taco_publish(c, &sink, &how, &err) == (c ? err.code : TACO_ERR_ARGUMENT));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned what = mutator_choice(data, size, 9);
    taco_dataset *ds;
    taco_error err;
    fuzz_begin();
    fuzz_put("in.tacozip", data, size);
    memset(&err, 0, sizeof err);
    ds = taco_open(fuzz_path("in.tacozip"), &fuzz_options, &err);
    if (!ds) { return 0; }
    if (what < 4) {
        collection(ds, (taco_collection_format)what);
    } else if (what < 6) {
        footprints(ds, (taco_footprint_format)(what - 4));
    } else {
        rows(ds, (taco_publish_kind)(what - 6));
    }
    taco_close(ds);
    return 0;
}
