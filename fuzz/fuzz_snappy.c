/* clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I.. -o fuzz_snappy
   fuzz_snappy.c

   Any bytes as a Snappy block. */
#include "codec.h"

static taco_status run(taco_bytes in, taco__buf *out, size_t limit, taco_error *err)
{
    return taco__snappy_decode(in, out, limit, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    codec_check(run, taco__bytes_of(data, size));
    return 0;
}
