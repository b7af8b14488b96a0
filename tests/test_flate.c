/* codec/inflate.c, gzip_decode.c: data made by hand, every error, and random blocks with random
   codes, compared with a model. */
#include "../src/codec/gzip_decode.c"
#include "../src/codec/inflate.c"
#include "../src/base/base.h"
#include "../taco_parquet.h"
#include "../extra/taco_parquet_write.h"

#include "test.h"

static taco__mem mem;
static taco__buf out;
static taco_error err;

enum { RAW, GZIP, ZLIB, ANY };

/* Decodes a copy of exactly len bytes behind the text "ab", which has to stay. */
static taco_status decode(int how, const void *data, size_t len, size_t limit)
{
    uint8_t *copy = (uint8_t *)calloc(1, len ? len : 1);
    taco_bytes in = taco__bytes_of(copy, len);
    taco_status st;
    if (len) { memcpy(copy, data, len); }
    taco__buf_free(&out);
    memset(&err, 0, sizeof err);
    taco__buf_append_text(&out, "ab", &err);
    switch (how) {
    case RAW: st = taco__inflate(in, &out, limit, &err); break;
    case GZIP: st = taco__gzip_decode(in, &out, limit, &err); break;
    case ZLIB: st = taco__zlib_decode(in, &out, limit, &err); break;
    default: st = taco__gzip_decode_any(in, &out, limit, &err); break;
    }
    CHECK(st == err.code);
    CHECK(out.len >= 2 && memcmp(out.data, "ab", 2) == 0);
    CHECK(st == TACO_OK || out.len == 2);
    free(copy);
    return st;
}

static bool plain_is(const char *text)
{
    return out.len == 2 + strlen(text) && memcmp(out.data + 2, text, strlen(text)) == 0;
}

#define DECODE(how, bytes, limit) decode(how, bytes, sizeof(bytes) - 1, limit)

/* ---- a writer of bits ---- */

static uint8_t buf[200000], model[300000];
static size_t at, made; /* bits written to buf, bytes in model */
static uint32_t seed = 1;

static uint32_t next(uint32_t n)
{
    seed = seed * 1664525U + 1013904223U;
    return (seed >> 8) % n;
}

static void bits(uint32_t x, unsigned n)
{
    for (; n; n--, x >>= 1, at++) {
        buf[at / 8] = (uint8_t)((at % 8 ? buf[at / 8] : 0) | (x & 1) << at % 8);
    }
}

static size_t bytes(void)
{
    return (at + 7) / 8;
}

/* A code: a length for every symbol, and the bits, highest first. */
typedef struct code {
    unsigned n;
    uint8_t len[288];
    uint16_t word[288];
} code;

static void code_words(code *c)
{
    unsigned len, i, word = 0;
    for (len = 1; len < 16; len++, word <<= 1) {
        for (i = 0; i < c->n; i++) {
            if (c->len[i] == len) { c->word[i] = (uint16_t)word++; }
        }
    }
}

static void symbol(const code *c, unsigned s)
{
    unsigned i;
    for (i = c->len[s]; i; i--) {
        bits(c->word[s] >> (i - 1) & 1U, 1);
    }
}

/* Splits leaves of a tree at random; `deep` prefers the one split last, for long codes. */
static void code_random(code *c, unsigned n, unsigned used, unsigned must, bool deep)
{
    uint8_t leaf[288] = {0};
    unsigned leaves = 1, i;
    memset(c, 0, sizeof *c);
    c->n = n;
    if (used == 1) { leaf[0] = 1; }
    while (leaves < used) {
        i = deep && next(8) ? leaves - 1 : next(leaves);
        if (leaf[i] < 15) {
            leaf[i]++;
            leaf[leaves++] = leaf[i];
        } else {
            deep = false;
        }
    }
    for (i = next(leaves), c->len[must] = leaf[i], leaf[i] = leaf[leaves - 1]; --leaves > 0;) {
        do {
            i = next(n);
        } while (c->len[i]);
        c->len[i] = leaf[leaves - 1];
    }
    code_words(c);
}

static code fixed_lits, fixed_dists;

static void fixed_codes(void)
{
    unsigned i;
    fixed_lits.n = 288;
    fixed_dists.n = 32;
    for (i = 0; i < 288; i++) {
        fixed_lits.len[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    }
    memset(fixed_dists.len, 5, 32);
    code_words(&fixed_lits);
    code_words(&fixed_dists);
}

/* RFC 1951 3.2.5, worked out by counting rather than from the tables of the room. */
static unsigned len_base(unsigned s, unsigned *extra)
{
    unsigned i, base = 3;
    for (i = 257;; i++) {
        *extra = i < 265 || i == 285 ? 0 : (i - 261) / 4;
        if (i == s) { return s == 285 ? 258 : base; }
        base += 1U << *extra;
    }
}

static unsigned dist_base(unsigned s, unsigned *extra)
{
    unsigned i, base = 1;
    for (i = 0;; i++) {
        *extra = i < 4 ? 0 : i / 2 - 1;
        if (i == s) { return base; }
        base += 1U << *extra;
    }
}

static void literal(const code *lits, unsigned c)
{
    symbol(lits, c);
    model[made++] = (uint8_t)c;
}

static void match(const code *lits, const code *dists, unsigned len_symbol, unsigned len_extra,
                  unsigned dist_symbol, unsigned dist_extra)
{
    unsigned n, back, len = len_base(len_symbol, &n) + len_extra;
    symbol(lits, len_symbol);
    bits(len_extra, n);
    back = dist_base(dist_symbol, &n) + dist_extra;
    symbol(dists, dist_symbol);
    bits(dist_extra, n);
    for (; len; len--, made++) {
        model[made] = model[made - back];
    }
}

/* The code of the code lengths in these tests: 13 of 4 bits and 6 of 5. */
static code lens_code;

static void lens_codes(void)
{
    lens_code.n = 19;
    memset(lens_code.len, 4, 13);
    memset(lens_code.len + 13, 5, 6);
    code_words(&lens_code);
}

static void dynamic_start(unsigned last, unsigned lits, unsigned dists)
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                      11, 4,  12, 3, 13, 2, 14, 1, 15};
    unsigned i;
    bits(last | 2 << 1, 3);
    bits(lits - 257, 5);
    bits(dists - 1, 5);
    bits(19 - 4, 4);
    for (i = 0; i < 19; i++) {
        bits(lens_code.len[order[i]], 3);
    }
}

static void dynamic_header(unsigned last, const code *lits, const code *dists)
{
    uint8_t all[320];
    unsigned n = lits->n + dists->n, i, run;
    memcpy(all, lits->len, lits->n);
    memcpy(all + lits->n, dists->len, dists->n);
    dynamic_start(last, lits->n, dists->n);
    for (i = 0; i < n; i += run) {
        for (run = 1; i + run < n && all[i + run] == all[i]; run++) {}
        if (all[i] == 0 && run >= 3 && next(8)) {
            run = TACO__MIN(run, 138U);
            symbol(&lens_code, run < 11 ? 17 : 18);
            bits(run - (run < 11 ? 3 : 11), run < 11 ? 3 : 7);
            continue;
        }
        symbol(&lens_code, all[i]);
        if (run >= 4 && next(8)) {
            run = TACO__MIN(run, 7U);
            symbol(&lens_code, 16);
            bits(run - 4, 2);
        } else {
            run = 1;
        }
    }
}

/* ---- tests ---- */

static void test_stored(void)
{
    CHECK(DECODE(RAW, "\x01\x05\x00\xfa\xffhello", 5) == TACO_OK && plain_is("hello"));
    CHECK(DECODE(RAW, "\x00\x02\x00\xfd\xffhe\x01\x03\x00\xfc\xffllo", 5) == TACO_OK &&
          plain_is("hello"));
    CHECK(DECODE(RAW, "\x01\x00\x00\xff\xff", 0) == TACO_OK && plain_is(""));
    CHECK(DECODE(RAW, "\x01\x05\x00\xfa\xffhelloXYZ", 5) == TACO_OK &&
          plain_is("hello")); /* what follows is not ours */
    CHECK(DECODE(RAW, "\x01\x05\x00\xfa\xffhello", 4) == TACO_ERR_LIMIT && err.offset == 5);
    CHECK_TEXT(err.text, "at byte 5: decodes to 5 bytes or more, limits.max_page leaves 4");
    CHECK(DECODE(RAW, "\x01\x05\x00\xfb\xffhello", 5) == TACO_ERR_CORRUPT && err.offset == 1);
    CHECK_TEXT(err.text,
               "at byte 1: DEFLATE stored block of 5 bytes, the complement of its length says 4");
    CHECK(DECODE(RAW, "\x01\x05\x00\xfa\xffhell", 5) == TACO_ERR_TRUNCATED && err.offset == 9);
    CHECK_TEXT(err.text, "at byte 9: DEFLATE data ends inside a block");
    CHECK(DECODE(RAW, "\x01\x05\x00\xfa", 5) == TACO_ERR_TRUNCATED && err.offset == 4);
    CHECK(DECODE(RAW, "", 5) == TACO_ERR_TRUNCATED && err.offset == 0);
    CHECK(taco__inflate(taco__bytes_of("\x07", 1), &out, 5, NULL) == TACO_ERR_CORRUPT);
}

static void test_fixed(void)
{
    size_t i;
    CHECK(DECODE(RAW, "\xcb\x48\xcd\xc9\xc9\x07\x00", 5) == TACO_OK && plain_is("hello"));
    for (i = 0; i < 7; i++) {
        CHECK(decode(RAW, "\xcb\x48\xcd\xc9\xc9\x07\x00", i, 5) == TACO_ERR_TRUNCATED &&
              err.offset == i);
    }
    CHECK(DECODE(RAW, "\xcb\x48\xcd\xc9\xc9\x07\x00", 4) == TACO_ERR_LIMIT);
    at = made = 0;
    bits(1 | 1 << 1, 3);
    literal(&fixed_lits, 'x');
    literal(&fixed_lits, 200);
    match(&fixed_lits, &fixed_dists, 257, 0, 1, 0);
    match(&fixed_lits, &fixed_dists, 285, 0, 0, 0);
    match(&fixed_lits, &fixed_dists, 284, 31, 2, 0); /* 258 in its other spelling */
    symbol(&fixed_lits, 256);
    CHECK(decode(RAW, buf, bytes(), made) == TACO_OK);
    CHECK(out.len == 2 + made && memcmp(out.data + 2, model, made) == 0);
    CHECK(decode(RAW, buf, bytes(), made - 1) == TACO_ERR_LIMIT);
}

static void fixed_and(unsigned lit, int dist, const char *text)
{
    at = made = 0;
    bits(1 | 1 << 1, 3);
    symbol(&fixed_lits, 'x');
    symbol(&fixed_lits, lit);
    if (dist >= 0) { symbol(&fixed_dists, (unsigned)dist); }
    bits(0, 32);
    CHECK(decode(RAW, buf, bytes(), 100) == TACO_ERR_CORRUPT);
    CHECK_TEXT(err.text, text);
    bits(0, 400); /* and in the fast loop */
    CHECK(decode(RAW, buf, bytes(), 100000) == TACO_ERR_CORRUPT);
}

static void test_symbol_errors(void)
{
    CHECK(DECODE(RAW, "\x07", 5) == TACO_ERR_CORRUPT && err.offset == 0);
    CHECK_TEXT(err.text, "at byte 0: DEFLATE block of type 3");
    fixed_and(286, -1, "at byte 1: unassigned DEFLATE code");
    fixed_and(287, -1, "at byte 1: unassigned DEFLATE code");
    fixed_and(257, 30, "at byte 1: unassigned DEFLATE distance code");
    fixed_and(257, 31, "at byte 1: unassigned DEFLATE distance code");
    fixed_and(257, 1, "at byte 1: DEFLATE match from 2 bytes back, 1 bytes are decoded");
}

/* A dynamic block with these code lengths for 257 literals and lengths, and dists distances. */
static taco_status dynamic_with(const uint8_t *lens, unsigned lits, const uint8_t *dist_lens,
                                unsigned dists)
{
    code l, d;
    memset(&l, 0, sizeof l);
    memset(&d, 0, sizeof d);
    l.n = lits;
    d.n = dists;
    memcpy(l.len, lens, lits);
    memcpy(d.len, dist_lens, dists);
    at = made = 0;
    dynamic_header(1, &l, &d);
    bits(0, 64);
    return decode(RAW, buf, bytes(), 100);
}

static void test_code_errors(void)
{
    uint8_t lens[288] = {0}, dists[32] = {0};
    unsigned i;
    CHECK(dynamic_with(lens, 257, dists, 1) == TACO_ERR_CORRUPT);
    CHECK(strstr(err.text, "DEFLATE block without a code for its end") != NULL);
    lens[256] = 2;
    lens['a'] = 1;
    CHECK(dynamic_with(lens, 257, dists, 1) == TACO_ERR_CORRUPT);
    CHECK(strstr(err.text, "DEFLATE literals are coded with 24576 parts of 32768") != NULL);
    lens['b'] = lens['c'] = 2;
    CHECK(dynamic_with(lens, 257, dists, 1) == TACO_ERR_CORRUPT);
    CHECK(strstr(err.text, "DEFLATE literals are coded with 40960 parts of 32768") != NULL);
    lens['c'] = 0; /* complete now: the bits that follow are 'a's until the input ends */
    CHECK(dynamic_with(lens, 257, dists, 1) == TACO_ERR_TRUNCATED);
    dists[0] = dists[1] = 2;
    CHECK(dynamic_with(lens, 257, dists, 2) == TACO_ERR_CORRUPT);
    CHECK(strstr(err.text, "DEFLATE distances are coded with 16384 parts of 32768") != NULL);
    dists[1] = 0;
    dists[0] = 1; /* the one incomplete code there may be */
    CHECK(dynamic_with(lens, 257, dists, 1) == TACO_ERR_TRUNCATED);
    memset(lens, 0, sizeof lens); /* and the only symbol may be the end: the bit 0 */
    lens[256] = 1;
    CHECK(dynamic_with(lens, 257, dists, 1) == TACO_OK && plain_is(""));

    CHECK(dynamic_with(lens, 287, dists, 1) == TACO_ERR_CORRUPT);
    CHECK(strstr(err.text, "DEFLATE block with 287 literal and length codes, the most is 286") !=
          NULL);
    CHECK(dynamic_with(lens, 257, dists, 31) == TACO_ERR_CORRUPT);
    CHECK(strstr(err.text, "DEFLATE block with 31 distance codes, the most is 30") != NULL);

    at = made = 0; /* a repeat of nothing, and one too long */
    dynamic_start(1, 257, 1);
    symbol(&lens_code, 16);
    bits(0, 64);
    CHECK(decode(RAW, buf, bytes(), 100) == TACO_ERR_CORRUPT);
    CHECK(strstr(err.text, "DEFLATE code length repeats one before the first") != NULL);
    at = made = 0;
    dynamic_start(1, 257, 1);
    for (i = 0; i < 2; i++) {
        symbol(&lens_code, 18);
        bits(127, 7);
    }
    bits(0, 64);
    CHECK(decode(RAW, buf, bytes(), 100) == TACO_ERR_CORRUPT);
    CHECK(strstr(err.text, "DEFLATE code length repeats 138 times, 120 lengths are left") != NULL);

    for (i = 0; i < 2; i++) { /* the code of the code lengths: with one, and with too many */
        at = 0;
        bits(1 | 2 << 1, 3);
        bits(0, 14);
        bits(i ? 01111 : 00001, 12);
        bits(0, 64);
        CHECK(decode(RAW, buf, bytes(), 100) == TACO_ERR_CORRUPT);
        CHECK(strstr(err.text, i ? "DEFLATE code lengths are coded with 65536 parts of 32768"
                                 : "DEFLATE code lengths are coded with 16384 parts of 32768") !=
              NULL);
    }
}

static void random_block(unsigned last)
{
    code lits, dists;
    unsigned type = next(8), n = next(4) ? next(300) : next(6000), s, extra, back;
    if (type == 0) {
        bits(last, 3);
        at = (at + 7) / 8 * 8;
        bits(n, 16);
        bits(~n & 0xFFFF, 16);
        for (; n; n--) {
            model[made++] = (uint8_t)next(256);
            bits(model[made - 1], 8);
        }
        return;
    }
    if (type == 1) {
        lits = fixed_lits;
        dists = fixed_dists;
        bits(last | 1 << 1, 3);
    } else {
        code_random(&lits, 257 + next(30), 1 + next(next(2) ? 10 : 257), 256, next(2) != 0);
        code_random(&dists, 1 + next(30), 1, 0, false);
        s = dists.n;
        code_random(&dists, s, 1 + next(s), next(s), next(2) != 0);
        dynamic_header(last, &lits, &dists);
    }
    for (; n; n--) {
        s = next(8) ? next(lits.n) : 257 + next(29);
        if (s == 256 || s > 285 || s >= lits.n || !lits.len[s]) { continue; }
        if (s < 256) {
            literal(&lits, s);
        } else {
            unsigned d = next(dists.n), len_extra;
            len_base(s, &len_extra);
            len_extra = next(1U << len_extra);
            if (d > 29 || !dists.len[d]) { continue; }
            back = dist_base(d, &extra);
            extra = next(1U << extra);
            if (back + extra <= made) { match(&lits, &dists, s, len_extra, d, extra); }
        }
    }
    symbol(&lits, 256);
}

static void test_random(void)
{
    unsigned round;
    for (round = 0; round < 600; round++) {
        unsigned blocks = 1 + next(3);
        size_t n, i;
        at = made = 0;
        while (blocks) {
            random_block(--blocks == 0);
            if (blocks && made > 60000) {
                bits(1 | 1 << 1, 3);
                symbol(&fixed_lits, 256);
                break;
            }
        }
        n = bytes();
        CHECK(decode(RAW, buf, n, made) == TACO_OK);
        CHECK(out.len == 2 + made && memcmp(out.data + 2, model, made) == 0);
        CHECK(made == 0 || decode(RAW, buf, n, made - 1) == TACO_ERR_LIMIT);
        CHECK(decode(RAW, buf, n - 1, made) == TACO_ERR_TRUNCATED && err.offset == n - 1);
        for (i = 0; i < 5; i++) { /* damaged: any verdict, no harm */
            size_t k = next((uint32_t)n);
            uint8_t was = buf[k];
            buf[k] = (uint8_t)next(256);
            (void)decode(RAW, buf, n, 100000);
            buf[k] = was;
        }
    }
}

/* The twin without BMI2 decodes the same. */
static void test_plain_twin(void)
{
#if TACO__X86
    unsigned round;
    for (round = 0; round < 100; round++) {
        static taco__inflate_state s;
        taco__inflater z;
        at = made = 0;
        random_block(1);
        taco__buf_free(&out);
        memset(&err, 0, sizeof err);
        CHECK(taco__inflate_init(&z, taco__bytes_of(buf, bytes()), &out, made, &err) == TACO_OK);
        taco__inflate_begin(&s, &z);
        s.bmi2 = false;
        CHECK(taco__inflate_run(&s, &err) == TACO_OK);
        taco__lz_output_finish(&s.out);
        CHECK(out.len == made && memcmp(out.data, model, made) == 0);
    }
#else
    SKIP("one twin alone");
#endif
}

#define HELLO   "\xcb\x48\xcd\xc9\xc9\x07\x00"             /* "hello", raw */
#define TRAILER "\x86\xa6\x10\x36\x05\x00\x00\x00"         /* its CRC-32 and length */
#define HEADER  "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03" /* of a gzip member without anything */

static void test_gzip(void)
{
    size_t i;
    CHECK(DECODE(GZIP, HEADER HELLO TRAILER, 5) == TACO_OK && plain_is("hello"));
    CHECK(DECODE(ANY, HEADER HELLO TRAILER, 5) == TACO_OK && plain_is("hello"));
    for (i = 0; i < 25; i++) {
        CHECK(decode(GZIP, HEADER HELLO TRAILER, i, 5) == TACO_ERR_TRUNCATED && err.offset == i);
    }
    /* members are joined; what follows and is none is ignored */
    CHECK(DECODE(GZIP, HEADER HELLO TRAILER HEADER HELLO TRAILER "\0\0\0", 10) == TACO_OK &&
          plain_is("hellohello"));
    CHECK(DECODE(GZIP, HEADER HELLO TRAILER "\x1f", 10) == TACO_OK && plain_is("hello"));
    CHECK(DECODE(GZIP, HEADER HELLO TRAILER HEADER HELLO TRAILER, 9) == TACO_ERR_LIMIT);
    CHECK(DECODE(GZIP, HEADER HELLO TRAILER "\x1f\x8b\x08", 10) == TACO_ERR_TRUNCATED &&
          err.offset == 28);
    /* a match may not reach into the member before */
    CHECK(DECODE(GZIP, HEADER HELLO TRAILER HEADER "\x03\x02\x00", 100) == TACO_ERR_CORRUPT);
    /* everything a header can hold: FEXTRA, FNAME, FCOMMENT, FHCRC */
    {
        uint8_t all[64] = "\x1f\x8b\x08\x1f\x01\x02\x03\x04\x02\x03\x03\x00xyzname\0comment";
        size_t n = 12 + 3 + 5 + 8;
        uint32_t sum = taco__crc32(0, all, n);
        all[n] = (uint8_t)sum;
        all[n + 1] = (uint8_t)(sum >> 8);
        memcpy(all + n + 2, HELLO TRAILER, 15);
        CHECK(decode(GZIP, all, n + 17, 5) == TACO_OK && plain_is("hello"));
        for (i = 1; i < n + 17; i++) {
            CHECK(decode(GZIP, all, i, 5) == TACO_ERR_TRUNCATED && err.offset == i);
        }
        all[n]++;
        CHECK(decode(GZIP, all, n + 17, 5) == TACO_ERR_CHECKSUM && err.offset == 0);
        CHECK(strncmp(err.text, "at byte 0: gzip header has checksum 0x", 38) == 0);
    }
}

static void test_gzip_errors(void)
{
    CHECK(DECODE(GZIP, "PK\x03\x04......................", 5) == TACO_ERR_CORRUPT &&
          err.offset == 0);
    CHECK_TEXT(err.text, "at byte 0: gzip member begins with 0x504b, not 0x1f8b");
    CHECK(DECODE(GZIP, "\x1f\x8b\x07\x00......................", 5) == TACO_ERR_UNSUPPORTED &&
          err.offset == 0);
    CHECK_TEXT(err.text,
               "at byte 0: gzip method 7 with flags 0x0, only 8 with flags up to 0x1f is known");
    CHECK(DECODE(GZIP, "\x1f\x8b\x08\x20......................", 5) == TACO_ERR_UNSUPPORTED);
    CHECK(DECODE(GZIP, HEADER HELLO "\x87\xa6\x10\x36\x05\x00\x00\x00", 5) == TACO_ERR_CHECKSUM &&
          err.offset == 17);
    CHECK_TEXT(err.text,
               "at byte 17: gzip member has CRC-32 0x3610a687, its bytes give 0x3610a686");
    CHECK(DECODE(GZIP, HEADER HELLO "\x86\xa6\x10\x36\x06\x00\x00\x00", 5) == TACO_ERR_CORRUPT &&
          err.offset == 21);
    CHECK_TEXT(err.text, "at byte 21: gzip member of 5 bytes, its trailer says 6");
    CHECK(DECODE(GZIP, HEADER "\x07", 5) == TACO_ERR_CORRUPT && err.offset == 10);
}

static void test_zlib(void)
{
    size_t i;
    uint32_t a = 1, b = 0;
    CHECK(DECODE(ZLIB, "\x78\x9c" HELLO "\x06\x2c\x02\x15", 5) == TACO_OK && plain_is("hello"));
    CHECK(DECODE(ANY, "\x78\x9c" HELLO "\x06\x2c\x02\x15", 5) == TACO_OK && plain_is("hello"));
    CHECK(DECODE(ANY, HELLO, 5) == TACO_OK && plain_is("hello"));
    for (i = 0; i < 13; i++) {
        CHECK(decode(ZLIB, "\x78\x9c" HELLO "\x06\x2c\x02\x15", i, 5) == TACO_ERR_TRUNCATED &&
              err.offset == i);
    }
    CHECK(DECODE(ZLIB, "\x78\x9c" HELLO "\x06\x2c\x02\x16", 5) == TACO_ERR_CHECKSUM &&
          err.offset == 9);
    CHECK_TEXT(err.text, "at byte 9: zlib stream has Adler-32 0x62c0216, its bytes give 0x62c0215");
    CHECK(DECODE(ZLIB, "\x78\x9d" HELLO "\x06\x2c\x02\x15", 5) == TACO_ERR_CORRUPT &&
          err.offset == 0);
    CHECK_TEXT(err.text, "at byte 0: not a zlib stream, it begins with 0x789d");
    CHECK(DECODE(ZLIB, "\x88\x1c" HELLO "\x06\x2c\x02\x15", 5) ==
          TACO_ERR_CORRUPT); /* a window of 64 KiB */
    CHECK(DECODE(ZLIB, "\x78\xbb" HELLO "\x06\x2c\x02\x15", 5) == TACO_ERR_UNSUPPORTED &&
          err.offset == 1);
    CHECK_TEXT(err.text, "at byte 1: zlib stream needs a dictionary");
    CHECK(DECODE(ZLIB, "\x78\x9c" HELLO "\x06\x2c\x02\x15", 4) == TACO_ERR_LIMIT);
    /* Adler-32 of the worst bytes and of others, all short lengths and a long one, against its
       definition */
    for (i = 0; i < 900; i++) {
        size_t k, n = i < 890 ? i / 2 : sizeof model - i;
        for (k = 0, a = 1, b = 0; k < n; k++) {
            model[k] = (uint8_t)(i % 2 ? next(256) : 255);
            a = (a + model[k]) % 65521;
            b = (b + a) % 65521;
        }
        CHECK(taco__adler32(model, n) == (b << 16 | a));
    }
    CHECK(taco__adler32(model, 0) == 1);
}

int main(void)
{
    taco__mem_init(&mem, NULL);
    out.mem = &mem;
    fixed_codes();
    lens_codes();
    RUN(test_stored);
    RUN(test_fixed);
    RUN(test_symbol_errors);
    RUN(test_code_errors);
    RUN(test_random);
    RUN(test_plain_twin);
    RUN(test_gzip);
    RUN(test_gzip_errors);
    RUN(test_zlib);
    taco__buf_free(&out);
    CHECK(mem.used == 0);
    return test_end("test_flate");
}
