/* clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I.. -o fuzz_lz4
   fuzz_lz4.c

   Any bytes as a block, as frames and as a page with the deprecated codec LZ4. */
#include "codec.h"

static int how;

static taco_status run(taco_bytes in, taco__buf *out, size_t limit, taco_error *err)
{
    taco__lz4_decoder z;
    taco_status st;
    if (how == 0) { return taco__lz4_decode_raw(in, out, limit, err); }
    if (how >= 2) { /* pages that promise much, a little, nothing */
        static const size_t expected[3] = {300, 13, 0};
        return taco__lz4_decode(in, out, expected[how - 2], limit, err);
    }
    st = taco__lz4_decode_init(&z, in, out, limit, err);
    st = st == TACO_OK ? taco__lz4_decode_frames(&z, in, err) : st;
    if (st == TACO_OK) { taco__lz_output_finish(&z.out); }
    return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (how = 0; how < 5; how++) {
        codec_check(run, taco__bytes_of(data, size));
    }
    return 0;
}
