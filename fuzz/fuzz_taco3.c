/* TACO 3: any bytes as an archive, whose hash is made right, so that index, collection and tables are
   reached; or as a collection alone, as JSON: its levels and declared files.
   clang -g -O1 -fsanitize=fuzzer,address,undefined -I.. fuzz_taco3.c -o fuzz_taco3 &&
   ./fuzz_taco3 -max_len=65536 */
#define TACO_IMPLEMENTATION
#include "../extra/taco_v3.h"

#include <stdlib.h>

static const taco_opener *openers[2];
static taco_options options;

/* Stores the hash of the index and of the end. */
static void rehash(uint8_t *data, size_t size)
{
    uint64_t h = UINT64_C(0xCBF29CE484222325), n = taco__load_le32(data + 18);
    size_t end = TACO__COZIP_HEADER_BYTES + (size_t)TACO__MIN(n, size - TACO__COZIP_HEADER_BYTES);
    h = taco__cozip_hash(h, data + TACO__COZIP_HEADER_BYTES, end - TACO__COZIP_HEADER_BYTES);
    end = TACO__MAX(end, size - TACO__COZIP_TAIL_BYTES);
    taco__put_le64(data + 43, taco__cozip_hash(h, data + end, size - end));
}

/* Rows, description, a payload; what fails says why. */
static void read_all(taco_dataset *ds)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_source payload;
    taco_cursor *c = taco_select(ds, NULL, &err);
    unsigned n = 0;
    while (taco_cursor_next(c) && n++ < 100) {
        taco_cursor_json(c);
    }
    if (taco_cursor_close(c, &err) != TACO_OK && !err.text[0]) { abort(); }
    memset(&err, 0, sizeof err);
    taco_info_json(ds, &err);
    memset(&err, 0, sizeof err);
    if (taco_payload(ds, "@0/before/B02.tif", &payload, &err) == TACO_OK) {
        uint8_t byte;
        if (payload.size && !payload.read(payload.ctx, payload.size - 1, &byte, 1)) { abort(); }
        if (payload.close) { payload.close(payload.ctx); }
    }
    memset(&err, 0, sizeof err);
    taco_cursor_close(taco_read(ds, "@0", false, &err), &err);
}

static void open_archive(const uint8_t *data, size_t size)
{
    size_t least = TACO__COZIP_HEADER_BYTES + TACO__COZIP_TAIL_BYTES, n = TACO__MAX(size, least);
    uint8_t *whole = (uint8_t *)calloc(n, 1);
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_source src;
    taco_dataset *ds;
    if (!whole) { return; }
    memcpy(whole, data, size);
    rehash(whole, n);
    taco_source_memory(&src, whole, n);
    ds = taco_open_source(&src, "x.zip", &options, &err);
    if ((ds != NULL) != (err.code == TACO_OK)) { abort(); }
    if (ds) { read_all(ds); }
    taco_close(ds);
    free(whole);
}

/* What a contract promises: parents before children, files in levels. */
static void read_contract(const uint8_t *data, size_t size)
{
    taco__v3_contract c;
    taco__json_doc doc;
    taco__arena arena;
    taco__mem mem;
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_options opt;
    size_t i;
    taco__options_init(&opt, &options);
    taco__mem_init(&mem, &options);
    arena.mem = &mem;
    arena.head = NULL;
    if (taco__json_parse(&arena, taco__bytes_of(data, size), &opt.limits, &doc, &err) == TACO_OK &&
        taco__v3_contract_read(&arena, doc.root, &c, &err)) {
        for (i = 1; i < c.level_count; i++) {
            if (c.levels[i].parent >= i) { abort(); }
        }
        for (i = 0; i < c.file_count; i++) {
            if (c.files[i].level == 0 || c.files[i].level >= c.level_count) { abort(); }
        }
    } else if (err.code == TACO_OK) {
        abort();
    }
    taco__arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    openers[0] = taco_v3_opener();
    options.openers = openers;
    taco_limits_strict(&options.limits);
    if (size && data[0] == '{') {
        read_contract(data, size);
    } else if (size >= TACO__COZIP_HEADER_BYTES) {
        open_archive(data, size);
    }
    return 0;
}
