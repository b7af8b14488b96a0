/* hash_map.c - from keys of bytes or integers to numbers, charged to a handle's memory

   Open addressing with linear probing over a table of a power of two slots, at most half of them in
   use. Keys of bytes are borrowed: they are in an array or an arena of the caller, and the value
   usually is an index into that. There is no order and no way to iterate, so that hashes never
   influence what the library writes.

   Keys may come from a file designed to make them collide. No probe is longer than
   TACO__HASH_MAP_PROBES slots: if one would be, all keys are rehashed with another seed, and after
   TACO__HASH_MAP_SEEDS seeds adding fails. For other keys, at half load, the longest run of used
   slots is about 5.2 ln n, 115 for 2^32 keys. Seeds count from 0, because results must be
   repeatable.

   Tables specialized for one layout of keys are separate, because they are faster:
   parquet_write/dictionary_builder.c, sql/group_table.c, sql/hash_join.c. Start reading at
   taco__hash_map_add_slot. */
#include "base.h"

#define TACO__HASH_MAP_PROBES 256
#define TACO__HASH_MAP_SEEDS  4
#define TACO__HASH_MAP_LEAST  16 /* slots */

/* The bytes of a slot that is in use but has none of its own: an integer, the empty text. */
static const uint8_t taco__hash_map_no_bytes[1] = {0};

/* The first slot of the search for a key. `hash` is what its slot holds: the hash of bytes, or the
   integer itself, so that a new seed finds it there. */
static size_t taco__hash_map_home(const taco__hash_map *m, uint64_t hash)
{
    uint64_t x = hash;
    if (m->integers) { /* the finalizer of splitmix64 */
        x += (m->seed + 1) * UINT64_C(0x9E3779B97F4A7C15);
        x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
        x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
        x ^= x >> 31;
    }
    return (size_t)x & (m->slot_count - 1);
}

/* The slot of a key, or the empty one where it would go; NULL if the search would be too long. */
static taco__hash_slot *taco__hash_map_probe(const taco__hash_map *m, uint64_t hash, taco_bytes key)
{
    size_t at = taco__hash_map_home(m, hash), left;
    for (left = TACO__HASH_MAP_PROBES; left; left--) {
        taco__hash_slot *s = &m->slots[at];
        if (!s->key.data || (s->hash == hash && taco__bytes_equal(s->key, key))) { return s; }
        at = (at + 1) & (m->slot_count - 1);
    }
    return NULL;
}

/* Puts the keys of n slots, which are distinct, into the table, which is empty; false if a search
   would be too long. */
static bool taco__hash_map_insert_all(taco__hash_map *m, const taco__hash_slot *from, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        uint64_t hash = from[i].hash;
        size_t at, left = TACO__HASH_MAP_PROBES;
        if (!from[i].key.data) { continue; }
        if (!m->integers) { hash = taco__xxh64_hash(m->seed, from[i].key.data, from[i].key.len); }
        for (at = taco__hash_map_home(m, hash); m->slots[at].key.data && --left;) {
            at = (at + 1) & (m->slot_count - 1);
        }
        if (!left) { return false; }
        m->slots[at] = from[i];
        m->slots[at].hash = hash;
    }
    return true;
}

/* Moves all keys to a new table, with the first seed from `seed` on that spreads them well enough.
   On failure the map is unchanged. */
static TACO__COLD bool taco__hash_map_rebuild(taco__hash_map *m, size_t slot_count, uint64_t seed,
                                              taco_error *err)
{
    taco__hash_map to = *m;
    size_t bytes;
    if (slot_count > SIZE_MAX / 2 / sizeof *to.slots) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u keys",
                   TACO__U(m->count));
        return false;
    }
    bytes = slot_count * sizeof *to.slots;
    to.slots = (taco__hash_slot *)taco__mem_alloc(m->mem, bytes, err);
    if (!to.slots) { return false; }
    to.slot_count = to.room = slot_count;
    for (to.seed = seed; to.seed < TACO__HASH_MAP_SEEDS; to.seed++) {
        if (taco__hash_map_insert_all(&to, m->slots, m->slot_count)) {
            taco__hash_map_free(m);
            *m = to;
            return true;
        }
        memset(to.slots, 0, bytes);
    }
    taco__mem_free(m->mem, to.slots, bytes);
    TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
               "too many of %u keys have the same hash, at most %u may", TACO__U(m->count),
               TACO__U(TACO__HASH_MAP_PROBES));
    return false;
}

TACO__FN bool taco__hash_map_reset(taco__hash_map *m, size_t n, taco_error *err)
{
    size_t slots = TACO__HASH_MAP_LEAST;
    m->count = 0;
    m->seed = 0;
    while (slots / 2 < n && slots <= SIZE_MAX / 4) {
        slots *= 2;
    }
    if (slots > m->room) {
        m->slot_count = 0;
        return taco__hash_map_rebuild(m, slots, 0, err);
    }
    m->slot_count = slots;
    memset(m->slots, 0, slots * sizeof *m->slots);
    return true;
}

/* The slot of a key, added where it is new. */
static taco__hash_slot *taco__hash_map_add_slot(taco__hash_map *m, taco_bytes key, uint64_t integer,
                                                bool *added, taco_error *err)
{
    *added = false;
    if (!m->slot_count && !taco__hash_map_rebuild(m, TACO__HASH_MAP_LEAST, 0, err)) { return NULL; }
    for (;;) {
        uint64_t hash = m->integers ? integer : taco__xxh64_hash(m->seed, key.data, key.len);
        taco__hash_slot *s = taco__hash_map_probe(m, hash, key);
        if (s && s->key.data) { return s; }
        if (s && m->count < m->slot_count / 2) {
            s->key = key;
            s->hash = hash;
            s->value = 0;
            m->count++;
            *added = true;
            return s;
        }
        if (!taco__hash_map_rebuild(m, s ? m->slot_count * 2 : m->slot_count, m->seed + !s, err)) {
            return NULL;
        }
    }
}

/* An empty key may have no address, but a used slot needs one. */
static taco_bytes taco__hash_map_key(taco_bytes key)
{
    return key.len ? key : taco__bytes_of(taco__hash_map_no_bytes, 0);
}

TACO__FN taco__hash_slot *taco__hash_map_add(taco__hash_map *m, taco_bytes key, bool *added,
                                             taco_error *err)
{
    return taco__hash_map_add_slot(m, taco__hash_map_key(key), 0, added, err);
}

TACO__FN taco__hash_slot *taco__hash_map_add_u64(taco__hash_map *m, uint64_t key, bool *added,
                                                 taco_error *err)
{
    m->integers = true;
    return taco__hash_map_add_slot(m, taco__hash_map_key(taco__bytes_of(NULL, 0)), key, added, err);
}

TACO__FN taco__hash_slot *taco__hash_map_find(const taco__hash_map *m, taco_bytes key)
{
    taco__hash_slot *s = NULL;
    if (m->count) {
        key = taco__hash_map_key(key);
        s = taco__hash_map_probe(m, taco__xxh64_hash(m->seed, key.data, key.len), key);
    }
    return s && s->key.data ? s : NULL;
}

TACO__FN taco__hash_slot *taco__hash_map_find_u64(const taco__hash_map *m, uint64_t key)
{
    taco__hash_slot *s = NULL;
    if (m->count) { s = taco__hash_map_probe(m, key, taco__hash_map_key(taco__bytes_of(NULL, 0))); }
    return s && s->key.data ? s : NULL;
}

TACO__FN void taco__hash_map_free(taco__hash_map *m)
{
    taco__mem_free(m->mem, m->slots, m->room * sizeof *m->slots);
    m->slots = NULL;
    m->slot_count = m->room = m->count = 0;
}
