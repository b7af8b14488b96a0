/* hash_map.c: keys of both kinds, growth, reuse, memory, and keys made to collide. */
#include "../src/base/base.h"
#include "../src/base/hash_map.c"
#include "test.h"
#include "alloc.h"

static taco__mem mem;
static taco__hash_map map;
static taco_error err;
static test_memory memory;

static void begin(void)
{
    static taco_allocator a;
    taco_options opt;
    test_counted(&opt, &a, &memory);
    taco__mem_init(&mem, &opt);
    memset(&map, 0, sizeof map);
    memset(&err, 0, sizeof err);
    map.mem = &mem;
}

static void end(void)
{
    taco__hash_map_free(&map);
    CHECK(mem.used == 0 && memory.live == 0);
    taco__hash_map_free(&map); /* again is harmless */
    CHECK(!taco__hash_map_find(&map, taco__bytes_text("a")));
}

static void texts(void)
{
    static const char *const words[] = {"a", "", "ab", "b", "abc"};
    taco__hash_slot *s;
    bool added;
    size_t i;
    begin();
    CHECK(!taco__hash_map_find(&map, taco__bytes_text("a")));
    for (i = 0; i < TACO__COUNT(words); i++) {
        s = taco__hash_map_add(&map, taco__bytes_text(words[i]), &added, &err);
        CHECK(s && added && s->value == 0);
        s->value = i + 10;
    }
    for (i = 0; i < TACO__COUNT(words); i++) {
        s = taco__hash_map_add(&map, taco__bytes_text(words[i]), &added, &err);
        CHECK(s && !added && s->value == i + 10);
        CHECK(taco__hash_map_find(&map, taco__bytes_text(words[i])) == s);
    }
    s = taco__hash_map_find(&map, taco__bytes_of(NULL, 0));
    CHECK(s && s->value == 11);
    CHECK(!taco__hash_map_find(&map, taco__bytes_text("c")));
    s = taco__hash_map_find(&map, taco__bytes_text("ab")); /* another key with the same hash */
    CHECK(taco__hash_map_probe(&map, s->hash, taco__bytes_text("ba")) != s);
    CHECK(map.count == 5);
    end();
}

static void integers(void)
{
    enum { MOST = 20000 };

    uint64_t i, found = 0;
    bool added;
    begin();
    CHECK(!taco__hash_map_find_u64(&map, 0));
    for (i = 0; i < MOST; i++) { /* in steps that would all begin at one slot without mixing */
        taco__hash_slot *s = taco__hash_map_add_u64(&map, i << 40, &added, &err);
        if (!s || !added) { break; }
        s->value = i;
    }
    CHECK(i == MOST && map.count == MOST && map.slot_count >= 2 * MOST);
    for (i = 0; i < MOST; i++) {
        const taco__hash_slot *s = taco__hash_map_find_u64(&map, i << 40);
        found += s && s->value == i && !taco__hash_map_find_u64(&map, i << 40 | 1);
    }
    CHECK(found == MOST);
    CHECK(taco__hash_map_find_u64(&map, 0) && !taco__hash_map_find_u64(&map, UINT64_MAX));
    CHECK(map.seed == 0);
    CHECK(mem.used == map.room * sizeof(taco__hash_slot));
    end();
}

/* The caller's buffer changes behind the map; a copy takes its place. */
static void keys_of_one_buffer(void)
{
    static char copies[1000][8];
    char key[8];
    size_t i, n = 0;
    begin();
    for (i = 0; i < 3000; i++) {
        bool added;
        taco__hash_slot *s;
        sprintf(key, "%u", (unsigned)(i * 7 % 1000));
        s = taco__hash_map_add(&map, taco__bytes_text(key), &added, &err);
        if (!s) { break; }
        if (added) {
            memcpy(copies[n], key, sizeof key);
            s->key = taco__bytes_text(copies[n]);
            s->value = n++;
        }
        if (strcmp(copies[s->value], key) != 0) { break; }
    }
    CHECK(i == 3000 && n == 1000);
    end();
}

static void filled_again(void)
{
    uint64_t i, bytes;
    bool added;
    begin();
    CHECK(taco__hash_map_reset(&map, 1000, &err));
    bytes = mem.used;
    CHECK(map.slot_count == 2048);
    for (i = 0; i < 1000; i++) {
        CHECK(taco__hash_map_add_u64(&map, i, &added, &err) && added);
    }
    CHECK(mem.used == bytes && memory.calls == 1); /* nothing grew */
    CHECK(taco__hash_map_reset(&map, 3, &err) && map.slot_count == 16);
    CHECK(mem.used == bytes && !taco__hash_map_find_u64(&map, 5));
    for (i = 0; i < 9; i++) { /* more than was said */
        CHECK(taco__hash_map_add_u64(&map, i, &added, &err) && added);
    }
    CHECK(taco__hash_map_find_u64(&map, 8) && map.slot_count == 32);
    CHECK(taco__hash_map_reset(&map, 0, &err) && map.count == 0);
    end();
}

static void memory_may_fail(void)
{
    uint64_t i, n;
    bool added;
    begin();
    memory.fail_at = 1;
    CHECK(!taco__hash_map_add_u64(&map, 1, &added, &err) && !added);
    CHECK(err.code == TACO_ERR_MEMORY);
    for (i = 0; i < 8; i++) {
        CHECK(taco__hash_map_add_u64(&map, i, &added, &err));
    }
    memory.fail_at = memory.calls + 1;
    CHECK(!taco__hash_map_add_u64(&map, 8, &added, &err)); /* it would have to grow */
    for (i = n = 0; i < 8; i++) {
        n += taco__hash_map_find_u64(&map, i) != NULL;
    }
    CHECK(n == 8 && !taco__hash_map_find_u64(&map, 8));
    CHECK(taco__hash_map_add_u64(&map, 8, &added, &err) && added);
    memset(&err, 0, sizeof err);
    CHECK(!taco__hash_map_reset(&map, SIZE_MAX, &err) && err.code == TACO_ERR_MEMORY);
    end();
}

/* Integers that begin at slot 0 of a large table for the seed of 0: the finalizer backwards. */
static uint64_t undo_shift(uint64_t x, unsigned by)
{
    uint64_t y = x;
    unsigned done;
    for (done = by; done < 64; done += by) {
        y = x ^ y >> by;
    }
    return y;
}

static uint64_t inverse(uint64_t x)
{
    uint64_t y = x;
    unsigned i;
    for (i = 0; i < 6; i++) {
        y *= 2 - x * y; /* Newton's method modulo 2^64 */
    }
    return y;
}

static uint64_t colliding(uint64_t i, uint64_t seed)
{
    uint64_t x = i << 32; /* the low bits choose the slot */
    x = undo_shift(x, 31) * inverse(UINT64_C(0x94D049BB133111EB));
    x = undo_shift(x, 27) * inverse(UINT64_C(0xBF58476D1CE4E5B9));
    return undo_shift(x, 30) - (seed + 1) * UINT64_C(0x9E3779B97F4A7C15);
}

static void keys_made_to_collide(void)
{
    uint64_t i, n = 0;
    bool added;
    begin();
    for (i = 0; i < 10000; i++) {
        if (!taco__hash_map_add_u64(&map, colliding(i, 0), &added, &err)) { break; }
    }
    CHECK(i == 10000 && map.seed == 1);
    for (i = 0; i < 10000; i++) {
        n += taco__hash_map_find_u64(&map, colliding(i, 0)) != NULL;
    }
    CHECK(n == 10000);
    end();
    begin(); /* for all seeds: an error, and what was there stays */
    for (i = 0; i < 10000; i++) {
        uint64_t seed = i % TACO__HASH_MAP_SEEDS;
        if (!taco__hash_map_add_u64(&map, colliding(i / TACO__HASH_MAP_SEEDS, seed), &added,
                                    &err)) {
            break;
        }
    }
    CHECK(i < 10000 && i >= TACO__HASH_MAP_PROBES && err.code == TACO_ERR_LIMIT);
    CHECK(map.count == i);
    while (i-- > 0) {
        uint64_t seed = i % TACO__HASH_MAP_SEEDS;
        n += taco__hash_map_find_u64(&map, colliding(i / TACO__HASH_MAP_SEEDS, seed)) == NULL;
    }
    CHECK(n == 10000);
    end();
}

int main(void)
{
    RUN(texts);
    RUN(integers);
    RUN(keys_of_one_buffer);
    RUN(filled_again);
    RUN(memory_may_fail);
    RUN(keys_made_to_collide);
    return test_end("test_hash_map");
}
