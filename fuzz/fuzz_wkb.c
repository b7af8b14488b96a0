/* WKB: box intersection and bounds of any bytes. Where both succeed they must agree.
   clang -g -O1 -fsanitize=fuzzer,address,undefined -I.. fuzz_wkb.c -o fuzz_wkb && ./fuzz_wkb -max_len=2048 */
#define TACO_IMPLEMENTATION
#include "../taco.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    double     in[4], box[4], bounds[4];
    bool       hit = false, none = true;
    taco_error a, b;
    taco_bytes wkb;
    size_t     i;
    if (size < 8) {
        return 0;
    }
    for (i = 0; i < 4; i++) { /* small numbers, so that boxes and coordinates meet */
        in[i] = (int8_t)data[i] / 4.0;
    }
    wkb = taco__base_bytes(data + 4, size - 4);
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    taco__geom_box(in, box, NULL);
    taco__geom_intersects(wkb, box, &hit, &a);
    taco__geom_bounds(wkb, bounds, &none, &b);
    if (a.code != b.code || a.offset != b.offset || (a.code && hit)) {
        abort();
    }
    if (!a.code && hit &&
        (none || bounds[0] > box[2] || bounds[2] < box[0] || bounds[1] > box[3] ||
         bounds[3] < box[1])) {
        abort(); /* touches a box that is outside of its bounds */
    }
    return 0;
}
