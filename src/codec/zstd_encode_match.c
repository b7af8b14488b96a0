/* zstd_encode_match.c - find matches for the encoder of ZSTD: cut a block into sequences and
   literals

   Three finders, by level: FAST looks up one position by a hash of 5 or 6 bytes, DOUBLE two by
   hashes of 8 and 5 bytes, CHAIN follows a chain of positions with the same hash of 4 bytes and
   checks whether a match at one of the next positions gains more. All first try the last offsets,
   which are the cheapest to write. Found sequences go to e->seq, their literals to e->literal.
   Start with taco__zstd_match_block. */
#include "encode.h"

/* No match begins in a block's last bytes, so that hashing may read 8. */
#define TACO__ZSTD_MATCH_TAIL 8

/* ---- sequences ---- */

/* The Offset_Value of a distance, which is entered into the last three, §3.1.1.5. In a sequence
   without literals the first of these is not among the three values, but the one less than it
   is. */
TACO__INLINE uint32_t taco__zstd_match_offset_value(uint32_t *repeat, uint32_t literals,
                                                    uint32_t distance)
{
    uint32_t value = distance + 3, none = literals == 0;
    if (distance == repeat[0] && !none) { return 1; }
    if (distance == repeat[1]) {
        repeat[1] = repeat[0];
        repeat[0] = distance;
        return 2 - none;
    }
    if (distance == repeat[2]) {
        value = 3 - none;
    } else if (none && distance == repeat[0] - 1) {
        value = 3;
    }
    repeat[2] = repeat[1];
    repeat[1] = repeat[0];
    repeat[0] = distance;
    return value;
}

/* Adds the sequence of a match at `at` of `match` >= 3 bytes, whose literals begin at `anchor`. A
   block's sequences fit into e->seq, as each has 3 bytes of it at least. */
TACO__INLINE void taco__zstd_match_add_sequence(taco__zstd_encoder *e, size_t anchor, size_t at,
                                                size_t match, size_t distance)
{
    taco__zstd_encode_sequence *s = &e->seq[e->seqs++];
    const size_t n = at - anchor;
    uint8_t *to = e->literal + e->literals;
    if (TACO__LIKELY(e->len - at >= TACO__ZSTD_SLACK)) {
        taco__lz_copy_wide(to, e->src + anchor, n);
    } else {
        memcpy(to, e->src + anchor, n);
    }
    e->literals += (uint32_t)n;
    s->literals = (uint32_t)n;
    s->match = (uint32_t)match - 3;
    s->value = taco__zstd_match_offset_value(e->repeat, s->literals, (uint32_t)distance);
}

/* ---- tables ---- */

/* A hash of the first `width` of 8 bytes. */
TACO__INLINE uint32_t taco__zstd_match_hash(const uint8_t *p, unsigned width, unsigned log)
{
    return (uint32_t)((taco__load_le64(p) << (64 - 8 * width)) * TACO__XXH64_PRIME1 >> (64 - log));
}

/* Enters position i into a table of FAST or DOUBLE: its number above 8 more bits of its hash, which
   rules out most mismatches without comparing bytes. Returns the entry less the one it replaces:
   see taco__zstd_match_is_near. */
TACO__INLINE uint32_t taco__zstd_match_enter(uint32_t *table, const uint8_t *src, uint32_t base,
                                             size_t i, unsigned width, unsigned log)
{
    uint64_t h = (taco__load_le64(src + i) << (64 - 8 * width)) * TACO__XXH64_PRIME1;
    uint32_t entry = (base + (uint32_t)i) << 8 | (uint32_t)(h >> (56 - log) & 255);
    uint32_t less = entry - table[h >> (64 - log)];
    table[h >> (64 - log)] = entry;
    return less;
}

/* True when x, from taco__zstd_match_enter, is of equal hashes and a position that is in the part
   and the window; x >> 8 is the distance. */
TACO__INLINE bool taco__zstd_match_is_near(const taco__zstd_encoder *e, size_t i, uint32_t x)
{
    return (x & 255) == 0 && (size_t)(x >> 8) - 1 < TACO__MIN(i, e->window);
}

/* True when the 4 bytes at i are the same as those `distance` before, in the part and the
   window. */
TACO__INLINE bool taco__zstd_match_repeats(const taco__zstd_encoder *e, size_t i, uint32_t distance)
{
    return distance <= TACO__MIN(i, e->window) &&
           taco__load_le32(e->src + i) == taco__load_le32(e->src + i - distance);
}

/* The same, and the 4 bytes there, or 8, are those at i. */
TACO__INLINE bool taco__zstd_match_is_match4(const taco__zstd_encoder *e, size_t i, uint32_t x)
{
    return taco__zstd_match_is_near(e, i, x) &&
           taco__load_le32(e->src + i) == taco__load_le32(e->src + i - (x >> 8));
}

TACO__INLINE bool taco__zstd_match_is_match8(const taco__zstd_encoder *e, size_t i, uint32_t x)
{
    return taco__zstd_match_is_near(e, i, x) &&
           taco__load_le64(e->src + i) == taco__load_le64(e->src + i - (x >> 8));
}

/* Extends a match of position m at *i backward over equal bytes, not below `anchor`. Returns how
   many. */
TACO__INLINE size_t taco__zstd_match_extend_back(const uint8_t *src, size_t anchor, size_t *i,
                                                 size_t m)
{
    size_t n = 0;
    while (*i > anchor && m > 0 && src[*i - 1] == src[m - 1]) {
        --*i;
        --m;
        n++;
    }
    return n;
}

/* ---- finders: each cuts [i, end) and returns where the last literals begin ---- */

/* FAST: each position replaces the previous one with the same hash. After a long stretch without
   matches, steps get wider. */
TACO__INLINE size_t taco__zstd_match_fast_body(taco__zstd_encoder *e, size_t i, size_t end,
                                               const unsigned width)
{
    const uint8_t *src = e->src;
    uint32_t *table = e->hash;
    const uint32_t base = e->base;
    const unsigned log = e->level->hash;
    const size_t stop = end - TACO__ZSTD_MATCH_TAIL;
    size_t anchor = i;
    while (i < stop) {
        uint32_t x = taco__zstd_match_enter(table, src, base, i, width, log),
                 distance = e->repeat[0];
        size_t n;
        if (taco__zstd_match_repeats(e, i + 1, distance)) {
            i++;
            n = 4 + taco__lz_match_length(src + i + 4 - distance, src + i + 4, src + end);
        } else if (taco__zstd_match_is_match4(e, i, x)) {
            distance = x >> 8;
            n = 4 + taco__lz_match_length(src + i + 4 - distance, src + i + 4, src + end);
            n += taco__zstd_match_extend_back(src, anchor, &i, i - distance);
        } else {
            i += 1 + ((i - anchor) >> 7);
            continue;
        }
        taco__zstd_match_add_sequence(e, anchor, i, n, distance);
        i += n;
        if (i < stop) { /* two positions of the match, then matches that follow at once */
            taco__zstd_match_enter(table, src, base, i - n + 2, width, log);
            taco__zstd_match_enter(table, src, base, i - 2, width, log);
        }
        while (i < stop && taco__zstd_match_repeats(e, i, e->repeat[1])) {
            distance = e->repeat[1];
            n = 4 + taco__lz_match_length(src + i + 4 - distance, src + i + 4, src + end);
            taco__zstd_match_enter(table, src, base, i, width, log);
            taco__zstd_match_add_sequence(e, i, i, n, distance);
            i += n;
        }
        anchor = i;
    }
    return anchor;
}

static TACO__NOINLINE size_t taco__zstd_match_fast5(taco__zstd_encoder *e, size_t i, size_t end)
{
    return taco__zstd_match_fast_body(e, i, end, 5);
}

static TACO__NOINLINE size_t taco__zstd_match_fast6(taco__zstd_encoder *e, size_t i, size_t end)
{
    return taco__zstd_match_fast_body(e, i, end, 6);
}

/* DOUBLE: a match of 8 bytes is preferred to one of 5, even if it begins one byte later. */
static TACO__NOINLINE size_t taco__zstd_match_double(taco__zstd_encoder *e, size_t i, size_t end)
{
    const uint8_t *src = e->src;
    uint32_t *wide = e->hash, *narrow = e->second;
    const uint32_t base = e->base;
    const unsigned log = e->level->hash, log2 = e->level->second;
    const size_t stop = end - TACO__ZSTD_MATCH_TAIL;
    size_t anchor = i;
    while (i < stop) {
        uint32_t x = taco__zstd_match_enter(wide, src, base, i, 8, log);
        uint32_t y = taco__zstd_match_enter(narrow, src, base, i, 5, log2), distance = e->repeat[0];
        size_t n;
        if (taco__zstd_match_repeats(e, i + 1, distance)) {
            i++;
            n = 4 + taco__lz_match_length(src + i + 4 - distance, src + i + 4, src + end);
        } else if (taco__zstd_match_is_match8(e, i, x)) {
            distance = x >> 8;
            n = 8 + taco__lz_match_length(src + i + 8 - distance, src + i + 8, src + end);
            n += taco__zstd_match_extend_back(src, anchor, &i, i - distance);
        } else if (taco__zstd_match_is_match4(e, i, y)) {
            distance = y >> 8;
            x = taco__zstd_match_enter(wide, src, base, i + 1, 8, log);
            if (taco__zstd_match_is_match8(e, i + 1, x)) {
                i++;
                distance = x >> 8;
            }
            n = 4 + taco__lz_match_length(src + i + 4 - distance, src + i + 4, src + end);
            n += taco__zstd_match_extend_back(src, anchor, &i, i - distance);
        } else {
            i += 1 + ((i - anchor) >> 8);
            continue;
        }
        taco__zstd_match_add_sequence(e, anchor, i, n, distance);
        i += n;
        if (i < stop) {
            taco__zstd_match_enter(wide, src, base, i - n + 2, 8, log);
            taco__zstd_match_enter(narrow, src, base, i - n + 2, 5, log2);
            taco__zstd_match_enter(wide, src, base, i - 2, 8, log);
            taco__zstd_match_enter(narrow, src, base, i - 1, 5, log2);
        }
        while (i < stop && taco__zstd_match_repeats(e, i, e->repeat[1])) {
            distance = e->repeat[1];
            n = 4 + taco__lz_match_length(src + i + 4 - distance, src + i + 4, src + end);
            taco__zstd_match_enter(wide, src, base, i, 8, log);
            taco__zstd_match_enter(narrow, src, base, i, 5, log2);
            taco__zstd_match_add_sequence(e, i, i, n, distance);
            i += n;
        }
        anchor = i;
    }
    return anchor;
}

/* CHAIN: of each position, the one before with the same hash of 4 bytes. `second` is a ring, and a
   chain ends where it was overwritten. Returns the length of the best match at i, 3 for none. */
static size_t taco__zstd_match_chain(taco__zstd_encoder *e, size_t i, size_t end, size_t *distance)
{
    const uint8_t *src = e->src;
    const uint32_t base = e->base, mask = (1U << e->level->second) - 1;
    const size_t farthest = TACO__MIN(e->window, (size_t)mask);
    size_t best = 3, m, before = i;
    unsigned tries = e->level->tries;
    for (; e->added < i; e->added++) {
        uint32_t *head = &e->hash[taco__zstd_match_hash(src + e->added, 4, e->level->hash)];
        e->second[(base + (uint32_t)e->added) & mask] = *head;
        *head = base + (uint32_t)e->added;
    }
    m = (uint32_t)(e->hash[taco__zstd_match_hash(src + i, 4, e->level->hash)] - base);
    for (; tries && m < before && i - m <= farthest; tries--) {
        if (i + best < end &&
            taco__load_le32(src + m + best - 3) == taco__load_le32(src + i + best - 3)) {
            size_t n = taco__lz_match_length(src + m, src + i, src + end);
            if (n > best) {
                best = n;
                *distance = i - m;
            }
        }
        before = m;
        m = (uint32_t)(e->second[(base + (uint32_t)m) & mask] - base);
    }
    return best;
}

/* What a match saves, in quarters of a byte: a near one takes fewer bits. */
TACO__INLINE int32_t taco__zstd_match_gain(size_t match, size_t distance)
{
    return (int32_t)match * 4 - (int32_t)taco__zstd_top_bit((uint32_t)distance + 1);
}

/* Replaces the match *best at *at by the best one at i, including one with the last distance, if
   that gains more by `lead`; false if it does not. */
TACO__INLINE bool taco__zstd_match_better(taco__zstd_encoder *e, size_t i, size_t end, int32_t lead,
                                          size_t *at, size_t *best, size_t *distance)
{
    const uint32_t last = e->repeat[0];
    const int32_t least = taco__zstd_match_gain(*best, *distance) + lead;
    size_t n, d = 0;
    bool found = false;
    int32_t gain = least;
    if (taco__zstd_match_repeats(e, i, last)) {
        n = 4 + taco__lz_match_length(e->src + i + 4 - last, e->src + i + 4, e->src + end);
        if ((int32_t)n * 4 - 1 > gain) {
            gain = (int32_t)n * 4 - 1;
            *at = i;
            *best = n;
            *distance = last;
            found = true;
        }
    }
    n = taco__zstd_match_chain(e, i, end, &d);
    if (n > 3 && taco__zstd_match_gain(n, d) > gain) {
        *at = i;
        *best = n;
        *distance = d;
        found = true;
    }
    return found;
}

/* CHAIN: a match is used only if none of the next `lazy` positions has one that gains more. */
static TACO__NOINLINE size_t taco__zstd_match_lazy(taco__zstd_encoder *e, size_t i, size_t end)
{
    const uint8_t *src = e->src;
    const size_t stop = end - TACO__ZSTD_MATCH_TAIL;
    size_t anchor = i;
    while (i < stop) {
        size_t at = i, best = 0, distance = 1, n;
        unsigned ahead = 0;
        if (!taco__zstd_match_better(e, i, end, 0, &at, &best, &distance) &&
            !(i + 1 < stop && taco__zstd_match_repeats(e, i + 1, e->repeat[0]) &&
              taco__zstd_match_better(e, i + 1, end, 0, &at, &best, &distance))) {
            i += 1 + ((i - anchor) >> 8);
            continue;
        }
        i = at;
        while (ahead < e->level->lazy && i + 1 < stop) { /* does it pay to begin later? */
            ahead++;
            i++;
            if (taco__zstd_match_better(e, i, end, ahead == 1 ? 4 : 7, &at, &best, &distance)) {
                ahead = 0;
            }
        }
        n = at - distance;
        best += taco__zstd_match_extend_back(src, anchor, &at, n);
        taco__zstd_match_add_sequence(e, anchor, at, best, distance);
        i = at + best;
        while (i < stop && taco__zstd_match_repeats(e, i, e->repeat[1])) {
            distance = e->repeat[1];
            n = 4 + taco__lz_match_length(src + i + 4 - distance, src + i + 4, src + end);
            taco__zstd_match_add_sequence(e, i, i, n, distance);
            i += n;
        }
        anchor = i;
    }
    return anchor;
}

/* Cuts the block [from, from + n) of the part into sequences and literals. */
TACO__FN void taco__zstd_match_block(taco__zstd_encoder *e, size_t from, size_t n)
{
    size_t end = from + n, anchor = from, left;
    e->seqs = e->literals = 0;
    switch (e->level->kind) {
    case TACO__ZSTD_MATCH_FAST:
        anchor = e->level->width == 5 ? taco__zstd_match_fast5(e, from, end)
                                      : taco__zstd_match_fast6(e, from, end);
        break;
    case TACO__ZSTD_MATCH_DOUBLE: anchor = taco__zstd_match_double(e, from, end); break;
    default: anchor = taco__zstd_match_lazy(e, from, end); break;
    }
    left = end - anchor;
    memcpy(e->literal + e->literals, e->src + anchor, left);
    e->literals += (uint32_t)left;
}
