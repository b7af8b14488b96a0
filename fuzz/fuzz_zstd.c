/* clang -g -O1 -fsanitize=fuzzer,address,undefined fuzz/fuzz_zstd.c -o build/fuzz_zstd

   Feeds any bytes to the ZSTD decoder, with at most 1 MiB of output. Run it with a directory of frames as seeds:
   build/fuzz_zstd -max_len=65536 SEEDS */
#define TACO_PARQUET_IMPLEMENTATION
#include "../taco_parquet.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static taco__zstd zstd; /* kept from input to input, as a reader keeps it from page to page */
    const size_t      limit = (size_t)1 << 20;
    taco__mem         mem;
    taco__buf         out;
    taco_error        err;
    taco_bytes        in = taco__base_bytes(data, size);
    taco_status       status;
    taco__mem_init(&mem, NULL);
    memset(&out, 0, sizeof out);
    memset(&err, 0, sizeof err);
    out.mem = &mem;
    status = taco__zstd_decode(&zstd, in, &out, limit, &err);
    if (status != err.code || out.len > limit ||
        (status != TACO_OK && (out.len != 0 || err.text[0] == 0))) {
        abort();
    }
    taco__buf_free(&out);
    if (mem.used != 0) {
        abort();
    }
    return 0;
}
