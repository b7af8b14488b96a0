/* TIFF headers of any bytes: opened, judged, printed; what passes has tables inside the file and a
   transform of numbers. clang -g -O1 -fsanitize=fuzzer,address,undefined -I.. fuzz_tiff.c -o
   fuzz_tiff && ./fuzz_tiff -max_len=4096 */
#define TACO_IMPLEMENTATION
#include "../extra/taco_tiff.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    taco_source src;
    taco_error e;
    taco_tiff *t;
    size_t first, n, i, sum = 0;
    int64_t band;
    memset(&e, 0, sizeof e);
    taco_source_memory(&src, data, size);
    t = taco_tiff_open(&src, "fuzz", NULL, &e);
    if ((t != NULL) == (e.code != TACO_OK)) { abort(); }
    if (t) {
        const taco_tiff_header *h = taco_tiff_get(t);
        taco_bytes text = taco_tiff_json(t, &e);
        if (!text.len || text.data[text.len - 1] != '}' || h->reads > 25) { abort(); }
        for (i = 0; i < h->tile_offset_count; i++) {
            sum += (size_t)h->tile_offsets[i];
        }
        for (band = -1; band < 4; band++) {
            if (taco_tiff_band(t, band, &first, &n, NULL) == TACO_OK &&
                (first > h->tile_offset_count || n > h->tile_offset_count - first)) {
                abort();
            }
        }
        if (taco_tiff_tiles_ok(t, &e) == TACO_OK && (!h->dtype || !h->has_transform)) { abort(); }
        memset(&e, 0, sizeof e);
        if (taco_tog_check(t, &e) == TACO_OK && (!h->big || !h->tile_byte_counts)) { abort(); }
        memset(&e, 0, sizeof e);
        text = taco_tacotiff_header(t, &e);
        if ((text.data != NULL) == (e.code != TACO_OK) ||
            (text.data && text.len != 35 + 4 * h->tile_offset_count)) {
            abort();
        }
    }
    taco_tiff_close(t);
    return (int)(sum & 0);
}
