/* base/find.c: substring search compared with a naive one, over few letters, so that most positions
   nearly match. */
#include "../src/base/find.c"
#include "test.h"

static size_t find_plainly(taco_bytes s, size_t from, taco_bytes what, bool fold)
{
    size_t at, i;
    for (at = from; what.len <= s.len && at <= s.len - what.len; at++) {
        for (i = 0; i < what.len; i++) {
            if (taco__find_byte(s, at + i, fold) != taco__find_byte(what, i, fold)) { break; }
        }
        if (i == what.len) { return at; }
    }
    return SIZE_MAX;
}

static uint32_t seed = 1;

static uint32_t below(uint32_t n)
{
    seed = seed * 1664525U + 1013904223U;
    return (seed >> 8) % n;
}

/* Ends where its allocation ends, so that a sanitizer sees what is read behind it. */
static taco_bytes letters(size_t n, uint32_t kinds)
{
    uint8_t *p = (uint8_t *)malloc(n ? n : 1);
    size_t i;
    for (i = 0; i < n; i++) {
        p[i] = (uint8_t)("aAbBc"[below(kinds)]);
    }
    return taco__bytes_of(p, n);
}

static void random_texts(void)
{
    unsigned round, found = 0;
    for (round = 0; round < 6000; round++) {
        uint32_t kinds = 1 + below(5);
        taco_bytes s = letters(below(round % 16 == 0 ? 500 : 40), kinds);
        taco_bytes p = letters(below(round % 16 == 0 ? 60 : 9), kinds);
        size_t from = below((uint32_t)s.len + 1);
        bool fold = round % 3 == 2;
        size_t want = find_plainly(s, from, p, fold);
        CHECK(taco__bytes_find(s, from, p, fold) == want);
        if (p.len) { CHECK(taco__find_two_way(s, from, p, fold) == want); }
        found += want != SIZE_MAX;
        free((void *)(uintptr_t)s.data);
        free((void *)(uintptr_t)p.data);
    }
    CHECK(found > 2000 && found < 5000);
}

/* All of two letters: periods of every kind. */
static void all_short_texts(void)
{
    uint8_t text[11], part[5];
    unsigned n, m, i;
    for (n = 0; n < 1U << 11; n++) {
        for (i = 0; i < 11; i++) {
            text[i] = (uint8_t)('a' + (n >> i & 1));
        }
        for (m = 0; m < 1U << 5; m++) {
            taco_bytes s = taco__bytes_of(text, sizeof text), p = taco__bytes_of(part, 1 + m % 5);
            for (i = 0; i < 5; i++) {
                part[i] = (uint8_t)('a' + (m >> i & 1));
            }
            CHECK(taco__find_two_way(s, 0, p, false) == find_plainly(s, 0, p, false));
        }
    }
}

/* Bytes that are not letters have one case; the first byte may not occur at all. */
static void other_bytes(void)
{
    uint8_t text[100];
    memset(text, 'b', sizeof text);
    CHECK(taco__bytes_find(taco__bytes_text("x[ 1_B{ 1_b"), 0, taco__bytes_text(" 1_b{"), true) ==
          2);
    CHECK(taco__bytes_find(taco__bytes_of(text, 100), 0, taco__bytes_text("ab"), false) ==
          SIZE_MAX);
    text[99] = 'a';
    CHECK(taco__bytes_find(taco__bytes_of(text, 100), 0, taco__bytes_text("ba"), false) == 98);
}

int main(void)
{
    RUN(other_bytes);
    RUN(random_texts);
    RUN(all_short_texts);
    return test_end("test_find");
}
