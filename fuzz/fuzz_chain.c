/* clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I.. -o fuzz_chain
   fuzz_chain.c

   Chains of footers that are consistent except for what the input decides: how many objects, how
   they refer to each other, what their roots are. Each object is real Parquet, so that only the
   chain is tested. */
#include "../examples/system_codecs.h"
#define TACO_IMPLEMENTATION
#include "../extra/taco_legacy.h"

#include "holds.h"

/* An object of `rows` rows whose ids and roots are bytes of the input. */
static taco_bytes object(const uint8_t *in, size_t rows, bool whole_roots, const char *pointer,
                         taco_sink *sink)
{
    static const char *const names[] = {"root", "tortilla:id", "tortilla:offset",
                                        "tortilla:length"};
    taco_pq_write_options opt;
    taco_pq_key key;
    taco_pq_writer *w;
    taco_error err;
    taco_field f[4];
    taco_array a[4];
    taco_batch b;
    int32_t ends[17];
    int64_t numbers[16], roots[16];
    size_t i;
    memset(&opt, 0, sizeof opt);
    memset(&err, 0, sizeof err);
    memset(f, 0, sizeof f);
    memset(a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    for (i = 0; i < 16; i++) {
        ends[i] = (int32_t)i;
        numbers[i] = (int64_t)i;
        roots[i] = in[i] % 8;
    }
    ends[16] = 16;
    for (i = 0; i < 4; i++) {
        f[i].name = names[i];
        f[i].type = i == 1 || (i == 0 && !whole_roots) ? TACO_TEXT : TACO_INT64;
        f[i].width = f[i].type == TACO_TEXT ? 0 : 8;
        a[i].field = &f[i];
        a[i].length = rows;
        a[i].offsets = f[i].type == TACO_TEXT ? ends : NULL;
        a[i].v.any = i == 0   ? (whole_roots ? (const void *)roots : (const void *)in)
                     : i == 1 ? (const void *)(in + 16)
                              : (const void *)numbers;
    }
    b.length = rows;
    b.columns = a;
    b.column_count = 4;
    key.key = "pointer";
    key.value = pointer;
    opt.keys = &key;
    opt.key_count = pointer[0] != '-';
    HOLDS(taco_sink_memory(sink, NULL, &err) == TACO_OK);
    w = taco_pq_write(sink, f, 4, &opt, &err);
    HOLDS(w != NULL);
    taco_pq_writer_batch(w, &b);
    HOLDS(taco_pq_writer_close(w, &err) == TACO_OK);
    return taco_sink_bytes(sink);
}

/* 48 bytes of the input for every object: kind of pointer, rows, roots, ids. */
static size_t build(const uint8_t *data, size_t objects, uint8_t *file, size_t cap)
{
    size_t at = 200, first = 0, first_len = 0, last = 0, last_len = 0, i;
    /* the last one first: its place is known to those before it */
    for (i = objects; i-- > 0;) {
        const uint8_t *in = data + i * 48;
        char pointer[64];
        taco_sink sink;
        taco_bytes b;
        switch (in[0] % 8) {
        case 0: sprintf(pointer, "NULL"); break;
        case 1: sprintf(pointer, "-"); break;
        case 2: sprintf(pointer, "OFFSETLENGTH(%u,%u)", in[1] * 16U, in[2] * 16U); break;
        case 3: sprintf(pointer, "%.20s", (const char *)in + 3); break;
        case 4:
            sprintf(pointer, "\"OFFSETLENGTH(%u, %u)\"", (unsigned)last,
                    (unsigned)last_len + (in[1] & 1));
            break;
        default:
            sprintf(pointer, "OFFSETLENGTH(%u, %u)", (unsigned)last, (unsigned)last_len);
            break;
        }
        b = object(in + 16, in[2] % 17, in[1] & 2, pointer, &sink);
        if (b.len > cap - at) {
            taco_sink_free(&sink);
            break;
        }
        memcpy(file + at, b.data, b.len);
        last = first = at;
        last_len = first_len = b.len;
        at += b.len;
        taco_sink_free(&sink);
    }
    taco__put_le64(file + 2, first);
    taco__put_le64(file + 10, first_len);
    taco__put_le64(file + 18, 1);
    return at;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t file[1 << 18];
    uint8_t in[20 * 48];
    const taco_opener *openers[2] = {NULL, NULL};
    taco_options opt;
    taco_source src;
    taco_error err;
    taco_dataset *ds;
    size_t len;
    uint32_t level;
    if (size < 48) { return 0; }
    size = size < sizeof in - 1 ? size : sizeof in - 1;
    memset(in, 0, sizeof in);
    memcpy(in, data, size);
    memset(file, 0, 200);
    memcpy(file, "WX", 2);
    len = build(in, size / 48, file, sizeof file);
    memset(&opt, 0, sizeof opt);
    memset(&err, 0, sizeof err);
    openers[0] = taco_legacy_opener();
    opt.openers = openers;
    taco_source_memory(&src, file, len);
    ds = taco_open_source(&src, "fuzz.taco", &opt, &err);
    HOLDS((ds != NULL) == (err.code == TACO_OK) && (ds || err.text[0]));
    for (level = 0; ds && level < taco_levels(ds); level++) {
        HOLDS(taco_level_rows(ds, level, &err) >= 0 && err.code == TACO_OK);
        taco_cursor_close(taco_read(ds, level & 1 ? "@0" : "@1", false, NULL), NULL);
    }
    taco_close(ds);
    return 0;
}
