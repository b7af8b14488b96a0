/* clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I.. -o fuzz_enc
   fuzz_enc.c

   Any bytes through any decoder of Parquet encodings. Four bytes choose decoder, width, number of
   values, and how a second pass is split into reads and skips; it must agree with the first pass,
   which reads everything at once. */
#define TACO_PARQUET_IMPLEMENTATION
#include "../taco_parquet.h"

#define VALUES 3000
#define WIDEST 20

enum {
    INDICES,
    DICT,
    LEVELS,
    VALIDITY,
    MSB,
    FIXED,
    BITS,
    TEXT,
    DELTA32,
    DELTA64,
    LENGTHS,
    STRINGS,
    PREFIXED,
    SPLIT,
    KINDS
};

typedef struct state {
    unsigned kind;
    size_t width; /* of an output value, 0 for bits and texts */
    unsigned param;
    taco__rle rle;
    taco__plain plain;
    taco__delta_int delta;
    taco__delta_len delta_len;
    taco__delta_bytes delta_bytes;
    taco__stream_split stream_split;
} state;

/* where one pass writes */
typedef struct sink {
    uint8_t fixed[VALUES * WIDEST + TACO__PAD];
    taco__buf text;
    int32_t offsets[VALUES + 1];
} sink;

static const uint8_t dict[WIDEST * 100] = {1, 2, 3};

static bool enc_open(state *s, taco_bytes b)
{
    switch (s->kind) {
    case INDICES:
    case DICT: return taco__rle_open(&s->rle, b, s->param % 40, NULL);
    case LEVELS: return taco__rle_open(&s->rle, b, s->param % 12, NULL);
    case VALIDITY: return taco__rle_open(&s->rle, b, s->param % 2, NULL);
    case MSB: return taco__rle_open_msb(&s->rle, b, s->param % 5, NULL);
    case DELTA32:
    case DELTA64:
        return taco__delta_int_open(&s->delta, b, 0, VALUES, s->kind == DELTA32 ? 32 : 64, NULL);
    case LENGTHS: return taco__delta_len_open(&s->delta_len, b, 0, VALUES, NULL);
    case STRINGS:
    case PREFIXED: return taco__delta_bytes_open(&s->delta_bytes, b, VALUES, NULL);
    case SPLIT: return taco__stream_split_open(&s->stream_split, b, s->width, NULL);
    default: taco__plain_open(&s->plain, b); return true;
    }
}

/* n values to the at-th place of the sink. */
static bool enc_read(state *s, sink *d, size_t at, size_t n)
{
    uint8_t *to = d->fixed + at * s->width;
    size_t ones;
    switch (s->kind) {
    case INDICES: return taco__rle_read_indices(&s->rle, (int32_t *)(void *)to, n, 100, NULL);
    case DICT: return taco__rle_read_dict(&s->rle, to, dict, s->width, 100, n, NULL);
    case LEVELS:
    case MSB: return taco__rle_read_levels(&s->rle, (int16_t *)(void *)to, n, 5, NULL);
    case VALIDITY: return taco__rle_read_validity(&s->rle, d->fixed, at, n, &ones, NULL);
    case FIXED: return taco__plain_read(&s->plain, to, s->width, false, n, NULL);
    case BITS: return taco__plain_read_bits(&s->plain, d->fixed, at, n, NULL);
    case TEXT: return taco__plain_read_text(&s->plain, &d->text, d->offsets + at, n, NULL);
    case DELTA32: return taco__delta_int_read32(&s->delta, (int32_t *)(void *)to, n, NULL);
    case DELTA64: return taco__delta_int_read64(&s->delta, (int64_t *)(void *)to, n, NULL);
    case LENGTHS:
        return taco__delta_len_read_text(&s->delta_len, &d->text, d->offsets + at, n, NULL);
    case STRINGS:
        return taco__delta_bytes_read_text(&s->delta_bytes, &d->text, d->offsets + at, n, NULL);
    case PREFIXED: return taco__delta_bytes_read_fixed(&s->delta_bytes, to, s->width, n, NULL);
    default: return taco__stream_split_read(&s->stream_split, to, false, n, NULL);
    }
}

static bool enc_skip(state *s, size_t n)
{
    size_t equal;
    switch (s->kind) {
    case INDICES:
    case DICT: return taco__rle_skip(&s->rle, n, NULL);
    case LEVELS:
    case VALIDITY:
    case MSB: return taco__rle_skip_count(&s->rle, n, s->param % 3, &equal, NULL);
    case FIXED: return taco__plain_skip(&s->plain, s->width, n, NULL);
    case BITS: return taco__plain_skip_bits(&s->plain, n, NULL);
    case TEXT: return taco__plain_skip_text(&s->plain, n, NULL);
    case DELTA32:
    case DELTA64: return taco__delta_int_skip(&s->delta, n, NULL);
    case LENGTHS: return taco__delta_len_skip(&s->delta_len, n, NULL);
    case STRINGS:
    case PREFIXED: return taco__delta_bytes_skip(&s->delta_bytes, n, NULL);
    default: return taco__stream_split_skip(&s->stream_split, n, NULL);
    }
}

static bool enc_is_text(unsigned kind)
{
    return kind == TEXT || kind == LENGTHS || kind == STRINGS;
}

/* n values at place `at` of both passes are the same; the second wrote its texts from offset 0
   on. */
static bool enc_same(const state *s, const sink *a, const sink *b, size_t at, size_t n)
{
    size_t i, from, len;
    if (enc_is_text(s->kind)) {
        from = (size_t)a->offsets[at];
        len = (size_t)a->offsets[at + n] - from;
        return len == b->text.len && (!len || memcmp(a->text.data + from, b->text.data, len) == 0);
    }
    for (i = at; !s->width && i < at + n; i++) {
        if (taco__bitmap_get(a->fixed, i) != taco__bitmap_get(b->fixed, i)) { return false; }
    }
    return !s->width ||
           memcmp(a->fixed + at * s->width, b->fixed + at * s->width, n * s->width) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t fixed_width[KINDS] = {4, 0xFF, 2, 0, 2, 0xFF, 0,
                                               0, 4,    8, 0, 0, 0xFF, 0xFF};
    static sink one, two;
    taco_options opt;
    taco__mem mem;
    state s;
    uint8_t *copy;
    size_t n, at, m;
    uint32_t chop;
    bool ok;
    if (size < 4) { return 0; }
    memset(&opt, 0, sizeof opt);
    memset(&s, 0, sizeof s);
    opt.limits.max_memory = 1 << 24;
    taco__mem_init(&mem, &opt);
    taco__delta_bytes_init(&s.delta_bytes, &mem);
    one.text.mem = two.text.mem = &mem;
    s.kind = data[0] % KINDS;
    s.param = data[1];
    s.width = fixed_width[s.kind] == 0xFF ? 1 + s.param % WIDEST : fixed_width[s.kind];
    n = data[2] * 12U % VALUES;
    chop = data[3];
    size -= 4;
    copy = (uint8_t *)malloc(size ? size : 1);
    memcpy(copy, data + 4, size);
    ok = enc_open(&s, taco__bytes_of(copy, size)) && enc_read(&s, &one, 0, n);
    if (enc_open(&s, taco__bytes_of(copy, size))) {
        for (at = 0; at < n; at += m) {
            bool good;
            chop = chop * 1103515245U + 12345U;
            m = (chop >> 16) % 97;
            m = m < n - at ? m : n - at;
            two.text.len = 0;
            if (chop >> 30) {
                good = enc_read(&s, &two, at, m);
                if (good && ok) { good = enc_same(&s, &one, &two, at, m); }
            } else {
                good = enc_skip(&s, m);
            }
            if (ok && !good) { abort(); /* chopped and whole reads disagree */ }
            if (!good) { break; }
        }
    } else if (ok) {
        abort();
    }
    taco__delta_bytes_free(&s.delta_bytes);
    taco__buf_free(&one.text);
    taco__buf_free(&two.text);
    free(copy);
    if (mem.used) { abort(); }
    return 0;
}
