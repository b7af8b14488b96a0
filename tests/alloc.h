/* An allocator that counts live allocations, and fails on demand. Include it after the header under
   test. */
#ifndef TACO_TEST_ALLOC_H
#define TACO_TEST_ALLOC_H

#include "test.h"

#include <stdlib.h>
#include <string.h>

typedef struct test_memory {
    size_t live, peak, calls; /* bytes now, bytes at most, calls that asked for memory */
    size_t fail_at;           /* this call fails, counted from 1; 0 = none */
    bool all_after;           /* and all that follow */
} test_memory;

static void *test_resize(void *ctx, void *p, size_t old, size_t size)
{
    test_memory *m = (test_memory *)ctx;
    void *q;
    if (size == 0) {
        m->live -= old;
        free(p);
        return NULL;
    }
    m->calls++;
    if (m->fail_at && (m->calls == m->fail_at || (m->all_after && m->calls > m->fail_at))) {
        return NULL;
    }
    q = realloc(p, size);
    m->live += size - old;
    m->peak = m->live > m->peak ? m->live : m->peak;
    return q;
}

/* Options of nothing but this allocator, with nothing counted yet. */
TEST_FN void test_counted(taco_options *opt, taco_allocator *a, test_memory *m)
{
    memset(opt, 0, sizeof *opt);
    memset(a, 0, sizeof *a);
    memset(m, 0, sizeof *m);
    a->ctx = m;
    a->resize = test_resize;
    opt->allocator = a;
}

#endif
