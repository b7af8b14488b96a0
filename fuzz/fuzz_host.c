/* A decoder of the program that does not keep its promises: the first byte says how it counts, the
   others are what it decodes. The output grows within the limit, and a failure leaves what was
   there before. */
#include "codec.h"

static uint8_t habit;

/* Eight bytes become as many times as the first of them says; it lies about both counts. */
static size_t decode(void *dst, size_t room, const void *src, size_t len, size_t *used)
{
    size_t stream = TACO__MIN(len, (size_t)8), need = stream ? *(const uint8_t *)src * stream : 0;
    if (habit & 1) { need *= 300; }
    if (need > room) { return habit & 2 ? SIZE_MAX : room + 1; }
    if (need) { memset(dst, *(const uint8_t *)src, need); }
    *used = (habit & 12) == 12 ? len + 1 : (habit & 12) == 8 ? 0 : stream;
    return need;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    taco__mem mem;
    taco__buf out;
    taco_error err;
    taco_status st;
    if (size < 2) { return 0; }
    habit = data[0];
    taco__mem_init(&mem, NULL);
    memset(&out, 0, sizeof out);
    memset(&err, 0, sizeof err);
    out.mem = &mem;
    HOLDS(taco__buf_append_text(&out, "ab", &err));
    st = taco__lz_host_decode_all(decode, "Made", taco__bytes_of(data + 2, size - 2), &out,
                                  (size_t)data[1] << (habit >> 5), &err);
    HOLDS(st == err.code && out.len >= 2 && memcmp(out.data, "ab", 2) == 0);
    HOLDS(st == TACO_OK ? out.len - 2 <= (size_t)data[1] << (habit >> 5) : out.len == 2);
    taco__buf_free(&out);
    HOLDS(mem.used == 0);
    return 0;
}
