/* An allocator that keeps freed large blocks, poisoned, for the next of that size: the one of ASan
   maps and unmaps each, which takes half of the time of targets that open encoders. */
#ifndef FUZZ_BLOCKS_H
#define FUZZ_BLOCKS_H
#include <sanitizer/asan_interface.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS_KEPT  24
#define BLOCKS_LARGE ((size_t)1 << 16)

static struct {
    void *p;
    size_t size;
} blocks_kept[BLOCKS_KEPT];

static void *blocks_take(size_t size)
{
    size_t i;
    for (i = 0; size >= BLOCKS_LARGE && i < BLOCKS_KEPT; i++) {
        void *p = blocks_kept[i].p;
        if (p && blocks_kept[i].size == size) {
            blocks_kept[i].p = NULL;
            ASAN_UNPOISON_MEMORY_REGION(p, size);
            return p;
        }
    }
    return malloc(size);
}

static void blocks_give(void *p, size_t size)
{
    static size_t oldest;
    size_t i;
    if (!p || size < BLOCKS_LARGE) {
        free(p);
        return;
    }
    for (i = 0; i < BLOCKS_KEPT && blocks_kept[i].p; i++) {}
    if (i == BLOCKS_KEPT) {
        i = oldest++ % BLOCKS_KEPT;
        ASAN_UNPOISON_MEMORY_REGION(blocks_kept[i].p, blocks_kept[i].size);
        free(blocks_kept[i].p);
    }
    ASAN_POISON_MEMORY_REGION(p, size);
    blocks_kept[i].p = p;
    blocks_kept[i].size = size;
}

static void *blocks_resize(void *ctx, void *p, size_t old, size_t size)
{
    void *to;
    (void)ctx;
    if (size && p && old < BLOCKS_LARGE && size < BLOCKS_LARGE) { return realloc(p, size); }
    to = size ? blocks_take(size) : NULL;
    if (to && p) { memcpy(to, p, old < size ? old : size); }
    if (to || !size) { blocks_give(p, old); }
    return to;
}

static const taco_allocator blocks = {NULL, blocks_resize};
#endif
