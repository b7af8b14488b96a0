/* Faults by place. The library allocates in some ten thousand places, most of them in every query.
   A failure returns through one check for each call on the stack. So a place fails only if a call
   that led to it has never led to one that failed: then each check is taken once. `make test-all`
   tells calls apart by their callers, too. Reads and system calls can be noted in the same way.
   Include it before any other header that includes base.h. The program has its own copy of
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

enum { PLACES_SLOTS = 1 << 17, PLACES_DUE = 1 << 14 };

typedef struct places {
    test_memory memory;
    const char *stack; /* main's end of the stack */
    bool note;         /* calls of places that have not been tried become due */
    size_t due[PLACES_DUE], due_count;
    size_t together; /* so many calls in a row tell places apart */
    size_t tried, slots_used;
    uint64_t slots[PLACES_SLOTS]; /* hashes of the calls that failed */
} places;

#if TEST_PLACES
/* Whether these calls were not there; they are from now on. */
static bool places_add_call(places *p, uint64_t h)
{
    size_t at = (size_t)(h >> 40) % PLACES_SLOTS;
    while (p->slots[at] && p->slots[at] != h) {
        at = (at + 1) % PLACES_SLOTS;
    }
    if (p->slots[at] || p->slots_used > PLACES_SLOTS / 2) { return false; }
    p->slots[at] = h;
    p->slots_used++;
    return true;
}

/* Whether the calls that led to the nth event of a kind have a new one; none is from now on. Calls
   are return addresses, found by frame pointers as long as these go up the stack: functions that are
   optimised keep none, and end it earlier. Without frame pointers: some events of each run, the last
   of which is given. */
__attribute__((no_sanitize("address", "undefined"), noinline)) static bool
places_add(places *p, uint64_t kind, size_t nth, size_t last)
{
    const char *frame = (const char *)__builtin_frame_address(0), *next;
    uint64_t back[4] = {0, 0, 0, 0}, h;
    size_t i, k;
    bool added = false;
    (void)nth;
    (void)last;
    for (i = 0; i < 400; i++) {
        memmove(back + 1, back, sizeof back - sizeof *back);
        memcpy(back, frame + 8, 8);
        for (h = kind, k = 0; k < p->together; k++) {
            h = (h ^ back[k]) * UINT64_C(0x9E3779B97F4A7C15);
            h ^= h >> 29;
        }
        if (places_add_call(p, h | 1)) { added = true; }
        memcpy(&next, frame, sizeof next);
        if (next <= frame || next >= p->stack || ((uintptr_t)next & 7) != 0) { break; }
        frame = next;
    }
    return added;
}
#else
static bool places_add(places *p, uint64_t kind, size_t nth, size_t last)
{
    (void)p;
    (void)kind;
    return nth > last + last / 3;
}
#endif

/* An event, counted from 1, that becomes due if it is at a new place. */
static void places_note(places *p, uint64_t kind, size_t nth)
{
    size_t last = p->due_count ? p->due[p->due_count - 1] : 0;
    if (p->due_count < PLACES_DUE && places_add(p, kind, nth, last)) {
        p->due[p->due_count++] = nth;
    }
}

static void *places_resize(void *ctx, void *old, size_t old_size, size_t size)
{
    places *p = (places *)ctx;
    if (size && p->note) { places_note(p, 1, p->memory.calls + 1); }
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
    p->together = test_all() ? 3 : 1;
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
