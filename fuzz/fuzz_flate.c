/* clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I.. -o fuzz_flate
   fuzz_flate.c

   Any bytes as raw deflate data, as a gzip file, as a zlib stream, and with the format detected. */
#include "codec.h"

static int how;

static taco_status run(taco_bytes in, taco__buf *out, size_t limit, taco_error *err)
{
    switch (how) {
    case 0: return taco__inflate(in, out, limit, err);
    case 1: return taco__gzip_decode(in, out, limit, err);
    case 2: return taco__zlib_decode(in, out, limit, err);
    default: return taco__gzip_decode_any(in, out, limit, err);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (how = 0; how < 4; how++) {
        codec_check(run, taco__bytes_of(data, size));
    }
    return 0;
}
