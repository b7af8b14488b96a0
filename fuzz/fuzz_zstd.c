/* clang -g -O1 -fsanitize=fuzzer,address,undefined fuzz/fuzz_zstd.c -o build/fuzz_zstd

   Feeds any bytes to the ZSTD decoder, with at most 1 MiB of output. Run it with a directory of
   frames as seeds: build/fuzz_zstd -max_len=65536 SEEDS */
#include "codec.h"

static taco_status run(taco_bytes in, taco__buf *out, size_t limit, taco_error *err)
{
    static uint8_t literals[TACO__ZSTD_LITERALS(SIZE_MAX)];
    /* kept from input to input, as a reader keeps it from page to page */
    static taco__zstd_decoder zstd = {.literals = literals};
    return taco__zstd_decode(&zstd, in, out, limit, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    codec_check(run, taco__bytes_of(data, size));
    return 0;
}
