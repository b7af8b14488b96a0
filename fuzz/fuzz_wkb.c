/* WKB: box intersection, bounds and GeoJSON of any bytes. Where they succeed they must agree, and
   the text is JSON. clang -g -O1 -fsanitize=fuzzer,address,undefined -I.. fuzz_wkb.c -o fuzz_wkb &&
   ./fuzz_wkb -max_len=2048 */
#define TACO_IMPLEMENTATION
#include "../taco_publish.h"

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
    return 0;
}
