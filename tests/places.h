/* Faults by place. The library allocates in some ten thousand places, most of them in every query.
   Each place, identified by the calls that led to it, fails once, in the first query that reaches
   it. Include it before any other header that includes base.h. The program has its own copy of
   memory.c, in which every piece of an arena is a separate allocation after places_begin. */
#ifndef TACO_TEST_PLACES_H
#define TACO_TEST_PLACES_H

#include <stdbool.h>

static bool places_exact;
#define TACO__EXACT_MEMORY places_exact
#include "../src/base/memory.c"

#include "test.h"

#include "alloc.h"

#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__GNUC__)
#define TEST_PLACES 1
#else
#define TEST_PLACES 0
#endif

/* How many calls tell places apart; a test that has many may do with fewer. */
#ifndef PLACES_DEPTH
#define PLACES_DEPTH 11
#endif

enum { PLACES_SLOTS = 1 << 17, PLACES_DUE = 1 << 14 };

typedef struct places {
    test_memory memory;
    const char *stack; /* main's end of the stack */
    bool note;         /* calls of places that have not been tried become due */
    size_t due[PLACES_DUE], due_count;
    size_t tried, slots_used;
    uint64_t slots[PLACES_SLOTS]; /* hashes of the places tried */
} places;

/* A number for the calls that led here: return addresses, found by frame pointers as long as these
   go up the stack: up to nine lead through this file and memory.c, the rest tell places apart.
   Functions that are optimised keep none, and end it earlier. */
#if TEST_PLACES
__attribute__((no_sanitize("address", "undefined"), noinline)) static uint64_t
places_hash(const places *p)
{
    const char *frame = (const char *)__builtin_frame_address(0), *next;
    uint64_t h = 1, back;
    size_t i;
    for (i = 0; i < PLACES_DEPTH; i++) {
        memcpy(&back, frame + 8, 8);
        h = (h ^ back) * UINT64_C(0x9E3779B97F4A7C15);
        h ^= h >> 29;
        memcpy(&next, frame, sizeof next);
        if (next <= frame || next >= p->stack || ((uintptr_t)next & 7) != 0) { break; }
        frame = next;
    }
    return h | 1;
}
#endif

/* Whether a place is new; it is not from now on. Without frame pointers: some calls of each run. */
static bool places_add(places *p)
{
#if TEST_PLACES
    uint64_t h = places_hash(p);
    size_t at = (size_t)(h >> 40) % PLACES_SLOTS;
    while (p->slots[at] && p->slots[at] != h) {
        at = (at + 1) % PLACES_SLOTS;
    }
    if (p->slots[at] || p->slots_used > PLACES_SLOTS / 2) { return false; }
    p->slots[at] = h;
    p->slots_used++;
    return true;
#else
    size_t last = p->due_count ? p->due[p->due_count - 1] : 0;
    return p->memory.calls + 1 > last + last / 3;
#endif
}

static void *places_resize(void *ctx, void *old, size_t old_size, size_t size)
{
    places *p = (places *)ctx;
    if (size && p->note && p->due_count < PLACES_DUE && places_add(p)) {
        p->due[p->due_count++] = p->memory.calls + 1;
    }
    return test_resize(&p->memory, old, old_size, size);
}

/* Options of nothing but this allocator; `here` is a variable of main. */
TEST_FN void places_begin(places *p, const void *here, taco_options *opt, taco_allocator *a)
{
    memset(opt, 0, sizeof *opt);
    memset(a, 0, sizeof *a);
    memset(p, 0, sizeof *p);
    places_exact = true;
    p->stack = (const char *)here;
    a->ctx = p;
    a->resize = places_resize;
    opt->allocator = a;
    opt->limits.max_cache = 1; /* memory to keep pages in may be missing */
}

/* A run that notes what is due (n = 0), or the n-th run, in which one place of it fails. False when
   there is none left. */
TEST_FN bool places_next(places *p, size_t n)
{
    p->memory.calls = 0;
    p->note = n == 0;
    if (n == 0) { p->due_count = 0; }
    p->memory.fail_at = n ? n <= p->due_count ? p->due[n - 1] : 0 : 0;
    p->tried += p->memory.fail_at != 0;
    return n == 0 || p->memory.fail_at;
}

#endif
