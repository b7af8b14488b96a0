/* WKB: box intersection, bounds and GeoJSON of any bytes. Where they succeed they must agree, and
   the text is JSON. clang -g -O1 -fsanitize=fuzzer,address,undefined -I.. fuzz_wkb.c -o fuzz_wkb &&
   ./fuzz_wkb -max_len=2048 */
#define TACO_IMPLEMENTATION
#include "../extra/taco_publish.h"

#include <stdlib.h>

static void geojson(taco_bytes wkb, bool bad)
{
    taco__mem mem;
    taco__buf text;
    taco__arena arena;
    taco__json_doc doc;
    taco_error e;
    taco_limits limits;
    bool finite, empty, ok;
    taco__mem_init(&mem, NULL);
    memset(&text, 0, sizeof text);
    memset(&e, 0, sizeof e);
    text.mem = arena.mem = &mem;
    arena.head = NULL;
    ok = taco__geojson_write_wkb(&text, wkb, &finite, &empty, &e);
    if (ok == bad || ok == (e.code != TACO_OK)) { abort(); }
    memset(&limits, 0, sizeof limits);
    limits.max_depth = 4 * TACO__WKB_MAX_DEPTH;
    if (ok && taco__json_parse(&arena, taco__bytes_of(text.data, text.len), &limits, &doc, &e) !=
                  TACO_OK) {
        abort();
    }
    taco__arena_free(&arena);
    taco__buf_free(&text);
}

/* Rows of a column of these bytes, cut in pieces, and of the same as a dictionary: the same bits and
   the same failures. */
static void columns(const uint8_t *p, size_t n, const double box[4])
{
    enum { ENTRIES = 8, ROWS = 40 };

    uint8_t entries[1], plain[5], coded[5], valid[5];
    int32_t offsets[ROWS + 1], index[ROWS];
    uint8_t *bytes = (uint8_t *)malloc(ROWS * (n + 1));
    taco_field f;
    taco_array a, d;
    taco_error e, k;
    taco_status st;
    size_t i, used = 0, piece = n / ENTRIES;
    if (!bytes) { abort(); }
    memset(&f, 0, sizeof f);
    memset(&a, 0, sizeof a);
    memset(&e, 0, sizeof e);
    memset(&k, 0, sizeof k);
    f.type = TACO_BINARY;
    for (i = 0; i < ROWS; i++) { /* entry 0 is the whole */
        size_t at = n ? p[i % n] % ENTRIES : 0, len = at ? piece : n;
        index[i] = (int32_t)at;
        offsets[i] = (int32_t)used;
        if (len) { memcpy(bytes + used, p + at * piece, len); }
        used += len;
    }
    offsets[ROWS] = (int32_t)used;
    for (i = 0; i < 5; i++) {
        valid[i] = n > i ? p[i] : 0;
    }
    a.field = &f;
    a.length = ROWS;
    a.validity = valid;
    a.offsets = offsets;
    a.v.any = bytes;
    st = taco__intersect_filter(&a, box, plain, &e);
    d = a;
    d.length = ENTRIES;
    entries[0] = 0xFF;
    d.validity = entries;
    for (i = 0; i <= ENTRIES; i++) {
        offsets[i] = (int32_t)(i < 2 ? i * n : n + (i - 1) * piece);
    }
    if (n) { memcpy(bytes, p, n); }
    if (piece) { memcpy(bytes + n, p + piece, (ENTRIES - 1) * piece); }
    a.offsets = NULL;
    a.v.i32 = index;
    a.dictionary = &d;
    if (taco__intersect_filter(&a, box, coded, &k) != st) { abort(); }
    if (st == TACO_OK ? memcmp(plain, coded, sizeof plain) : strcmp(e.text, k.text)) { abort(); }
    index[ROWS - 1] = n ? (int8_t)p[n - 1] : -1; /* beyond it, or any */
    memset(&k, 0, sizeof k);
    taco__intersect_filter(&a, box, coded, &k);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    double in[4], box[4], bounds[4];
    bool hit = false, none = true;
    taco_error a, b;
    taco_bytes wkb;
    size_t i;
    if (size < 8) { return 0; }
    for (i = 0; i < 4; i++) { /* small numbers, so that boxes and coordinates meet */
        in[i] = (int8_t)data[i] / 4.0;
    }
    wkb = taco__bytes_of(data + 4, size - 4);
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    taco__intersect_normalize_box(in, box, NULL);
    taco__intersect_wkb_box(wkb, box, &hit, &a);
    taco__wkb_bounds(wkb, bounds, &none, &b);
    if (a.code != b.code || a.offset != b.offset || (a.code && hit)) { abort(); }
    if (!a.code && hit &&
        (none || bounds[0] > box[2] || bounds[2] < box[0] || bounds[1] > box[3] ||
         bounds[3] < box[1])) {
        abort(); /* touches a box that is outside of its bounds */
    }
    geojson(wkb, b.code != TACO_OK);
    columns(data + 4, size - 4, box);
    return 0;
}
