/* sort.c: order, stability, the first few of many, memory, and TACO__LOWER_BOUND. */
#include "../src/base/base.h"
#include "../src/base/sort.c"
#include "test.h"
#include "alloc.h"

#define MOST 3000

static uint32_t state = 1;

static uint32_t dice(void)
{
    state = state * 1664525U + 1013904223U;
    return state >> 8;
}

/* Items of any size begin with a key; their position follows where there is room. */
static unsigned long compared;

static int by_key(const void *ctx, const void *a, const void *b)
{
    uint32_t x, y;
    memcpy(&x, a, 4);
    memcpy(&y, b, 4);
    compared++;
    return *(const int *)ctx * ((x > y) - (x < y));
}

static int by_key_and_place(const void *ctx, const void *a, const void *b)
{
    uint32_t x[2], y[2];
    int c = by_key(ctx, a, b);
    memcpy(x, a, 8);
    memcpy(y, b, 8);
    return c ? c : (x[1] > y[1]) - (x[1] < y[1]);
}

static void fill(uint8_t *items, size_t n, size_t size, uint32_t keys)
{
    uint32_t i, key;
    for (i = 0; i < n; i++) {
        key = keys ? dice() % keys : i;
        memset(items + i * size, (int)(key & 0xFF), size);
        memcpy(items + i * size, &key, 4);
        if (size >= 8) { memcpy(items + i * size + 4, &i, 4); }
    }
}

static bool in_order(const uint8_t *items, size_t n, size_t size, int sign)
{
    size_t i;
    for (i = 1; i < n; i++) {
        const uint8_t *p = items + (i - 1) * size;
        int c = size >= 8 ? by_key_and_place(&sign, p, p + size) : by_key(&sign, p, p + size);
        if (c > 0 || (c == 0 && size >= 8)) { return false; }
    }
    return true;
}

/* One item of scratch is enough; what is in order already is looked at once. */
static void in_place(size_t n, size_t size, uint32_t keys)
{
    const int up = 1;
    uint8_t *items = (uint8_t *)malloc(n * size + 1), *one = (uint8_t *)malloc(size);
    fill(items, n, size, keys);
    taco__sort_in_place(items, one, n, size, size >= 8 ? by_key_and_place : by_key, &up);
    CHECK(in_order(items, n, size, 1));
    compared = 0;
    taco__sort_in_place(items, one, n, size, by_key, &up);
    CHECK(compared < n + !n && in_order(items, n, size, 1));
    free(items);
    free(one);
}

static void sizes_and_counts(void)
{
    static const size_t sizes[] = {4, 8, 16, 12, 40, 61};
    static const size_t counts[] = {0, 1, 2, 3, 7, 8, 9, 16, 17, 31, 64, 100, 1023, MOST};
    static const uint32_t keys[] = {2, 10, 1000000};
    const int up = 1, down = -1;
    size_t s, c, k;
    for (s = 0; s < TACO__COUNT(sizes); s++) {
        for (c = 0; c < TACO__COUNT(counts); c++) {
            for (k = 0; k < TACO__COUNT(keys); k++) {
                size_t n = counts[c], size = sizes[s];
                /* of exactly the size that is promised to be enough: sanitizers look at its ends */
                uint8_t *items = (uint8_t *)malloc(n * size + 1);
                uint8_t *scratch = (uint8_t *)malloc(n / 2 * size + 1);
                fill(items, n, size, keys[k]);
                taco__sort(items, scratch, n, size, by_key, &up);
                CHECK(in_order(items, n, size, 1));
                fill(items, n, size, keys[k]);
                taco__sort(items, scratch, n, size, by_key, &down);
                CHECK(in_order(items, n, size, -1));
                in_place(n, size, keys[k]);
                free(items);
                free(scratch);
            }
        }
    }
}

static void what_is_in_order_stays(void)
{
    static uint8_t items[8 * MOST], scratch[8 * MOST / 2];
    const int up = 1;
    fill(items, MOST, 8, 0);
    compared = 0;
    taco__sort(items, scratch, MOST, 8, by_key, &up);
    CHECK(compared < MOST);
    CHECK(in_order(items, MOST, 8, 1));
    fill(items, MOST, 8, 1000000);
    compared = 0;
    taco__sort(items, scratch, MOST, 8, by_key, &up);
    CHECK(compared < MOST * 13UL);
}

static void memory_is_charged_and_may_fail(void)
{
    static uint32_t items[1000];
    const int up = 1;
    taco_options opt;
    taco_allocator a;
    test_memory memory;
    taco__mem mem;
    taco_error err;
    memset(&err, 0, sizeof err);
    test_counted(&opt, &a, &memory);
    taco__mem_init(&mem, &opt);
    fill((uint8_t *)items, 1000, 4, 50);
    CHECK(taco__sort_in(&mem, items, 1000, 4, by_key, &up, &err));
    CHECK(in_order((uint8_t *)items, 1000, 4, 1));
    CHECK(mem.used == 0 && mem.peak == 2000 && memory.live == 0);
    CHECK(taco__sort_in(&mem, items, 1, 4, by_key, &up, &err) && memory.calls == 1);
    CHECK(taco__sort_in(&mem, NULL, 0, 4, by_key, &up, &err) && memory.calls == 1);
    mem.limit = 100;
    fill((uint8_t *)items, 1000, 4, 0);
    CHECK(!taco__sort_in(&mem, items, 1000, 4, by_key, &up, &err));
    CHECK(err.code == TACO_ERR_LIMIT && items[999] == 999);
    memset(&err, 0, sizeof err);
    memory.fail_at = memory.calls + 1;
    CHECK(!taco__sort_first(&mem, items, 1000, 10, 4, by_key, &up, &err));
    CHECK(err.code == TACO_ERR_MEMORY && mem.used == 0 && memory.live == 0);
}

static void the_first_few(void)
{
    static const size_t few[] = {0, 1, 2, 9, 100, MOST / 4 - 1, MOST / 4, MOST - 1, MOST};
    static uint8_t all[8 * MOST], items[8 * MOST], scratch[8 * MOST / 2];
    const int sign[2] = {1, -1};
    taco__mem mem;
    taco_error err;
    size_t i, k;
    memset(&err, 0, sizeof err);
    taco__mem_init(&mem, NULL);
    for (i = 0; i < 2; i++) {
        for (k = 0; k < TACO__COUNT(few); k++) {
            fill(items, MOST, 8, 100);
            memcpy(all, items, sizeof all);
            taco__sort(all, scratch, MOST, 8, by_key, &sign[i]);
            CHECK(taco__sort_first(&mem, items, MOST, few[k], 8, by_key_and_place, &sign[i], &err));
            CHECK(memcmp(all, items, few[k] * 8) == 0);
        }
    }
    CHECK(mem.used == 0);
}

static void lower_bounds(void)
{
    static const int keys[] = {1, 3, 3, 3, 8, 9};
    static const size_t first[] = {0, 0, 1, 1, 4, 4, 4, 4, 4, 5, 6};
    size_t at;
    int key;
    for (key = 0; key <= 10; key++) {
        at = 0;
        TACO__LOWER_BOUND(at, TACO__COUNT(keys), i, keys[i] < key);
        CHECK(at == first[key]);
    }
    at = 2; /* from the middle */
    TACO__LOWER_BOUND(at, 4, i, keys[i] < 1);
    CHECK(at == 2);
    TACO__LOWER_BOUND(at, 4, i, keys[i] < 9);
    CHECK(at == 4);
    at = SIZE_MAX - 1; /* the middle does not wrap */
    TACO__LOWER_BOUND(at, SIZE_MAX, i, i < SIZE_MAX);
    CHECK(at == SIZE_MAX);
}

int main(void)
{
    RUN(sizes_and_counts);
    RUN(what_is_in_order_stays);
    RUN(memory_is_charged_and_may_fail);
    RUN(the_first_few);
    RUN(lower_bounds);
    return test_end("test_sort");
}
