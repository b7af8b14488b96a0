/* clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I.. -o fuzz_tortilla
   fuzz_tortilla.c

   A file that starts like a tortilla: opened, all levels printed, all samples of level 0 and their
   children found by position. The first two bytes are always corrected, so that no input is wasted
   on them. Half of the inputs come from a source that reads many ranges at once. */
#include "../examples/system_codecs.h"
#define TACO_IMPLEMENTATION
#include "../extra/taco_legacy.h"

#include "holds.h"
#include "mutator.h"

typedef struct input {
    const uint8_t *data;
    size_t size;
} input;

static bool input_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    const input *in = (const input *)ctx;
    HOLDS(offset <= in->size && len <= in->size - offset);
    memcpy(dst, in->data + offset, len);
    return true;
}

static bool input_read_many(void *ctx, const taco_piece *reads, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        input_read(ctx, reads[i].offset, reads[i].dst, reads[i].len);
    }
    return true;
}

/* Prints all rows of a cursor. */
static int64_t all_rows(taco_cursor *rows, const taco_options *opt, taco_error *err)
{
    size_t n;
    int64_t count = 0;
    taco_batch batch;
    const taco_field *fields = taco_cursor_fields(rows, &n);
    taco_printer *p = rows ? taco_printer_open(fields, n, TACO_FORMAT_NDJSON, opt, err) : NULL;
    while (p && taco_cursor_batch(rows, &batch)) {
        count += (int64_t)batch.length;
        if (!taco_printer_batch(p, &batch, err).data) { break; }
    }
    taco_printer_close(p);
    taco_cursor_close(rows, err);
    return count;
}

static void look(taco_dataset *ds, const taco_options *opt)
{
    taco_error err;
    taco_query q;
    uint32_t level, levels = taco_levels(ds);
    unsigned i;
    memset(&q, 0, sizeof q);
    HOLDS(levels >= 1 && levels <= 6);
    for (level = 0; level < levels; level++) {
        int64_t rows;
        memset(&err, 0, sizeof err);
        q.table = level;
        rows = taco_level_rows(ds, level, &err);
        HOLDS((rows < 0) == (err.code != TACO_OK));
        HOLDS(rows < 0 || all_rows(taco_select(ds, &q, &err), opt, &err) == rows ||
              err.code != TACO_OK);
    }
    for (i = 0; i < 4; i++) { /* where and when */
        static const double box[4] = {-80, -20, 10, 45};
        memset(&q, 0, sizeof q);
        memset(&err, 0, sizeof err);
        q.table = q.level = i % 2 < levels ? i % 2 : 0;
        q.bbox = i < 3 ? box : NULL;
        q.time = i > 1 ? "2019-01-01/2021-12-31" : NULL;
        all_rows(taco_select(ds, &q, &err), opt, &err);
    }
    for (i = 0; i < 4; i++) {
        char key[16];
        taco_sample s;
        memset(&err, 0, sizeof err);
        sprintf(key, "@%u", i);
        if (taco_locate(ds, key, &s, &err) != TACO_OK) { continue; }
        if (s.folder) {
            all_rows(taco_read(ds, key, false, &err), opt, &err);
            strcat(key, "/@0");
            memset(&err, 0, sizeof err);
            taco_locate(ds, key, &s, &err);
        }
    }
    memset(&err, 0, sizeof err);
    taco_info_json(ds, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const taco_opener *openers[2] = {NULL, NULL};
    taco_options opt;
    taco_source src;
    taco_error err;
    taco_dataset *ds;
    input in;
    uint8_t *copy = (uint8_t *)malloc(size + 2);
    HOLDS(copy != NULL);
    memcpy(copy, data, size);
    memcpy(copy, "#y", 2);
    memset(&opt, 0, sizeof opt);
    memset(&err, 0, sizeof err);
    openers[0] = taco_legacy_opener();
    opt.openers = openers;
    opt.limits.max_memory = (uint64_t)256 << 20;
    taco_source_memory(&src, copy, size < 2 ? 2 : size);
    if (mutator_choice(data, size, 2)) {
        in.data = copy;
        in.size = size < 2 ? 2 : size;
        memset(&src, 0, sizeof src);
        src.ctx = &in;
        src.size = in.size;
        src.read = input_read;
        src.read_many = input_read_many;
    }
    ds = taco_open_source(&src, "fuzz.tortilla", &opt, &err);
    HOLDS((ds != NULL) == (err.code == TACO_OK) && (ds || err.text[0]));
    if (ds) { look(ds, &opt); }
    taco_close(ds);
    free(copy);
    return 0;
}
