/* arena.h - a taco_allocator over one array of the caller's

   First fit over a list of free pieces in order of address; adjacent ones are merged. The library
   passes the size of a piece when it frees it, so only free pieces need a header. `peak` is how much
   of the array was ever used: the size to which it can be reduced. */
#ifndef ARENA_H
#define ARENA_H

#include "../../taco_parquet.h"
#include <string.h>

#define ARENA_ALIGN 16 /* a power of two, and enough for a piece */

typedef struct arena_piece {
    size_t size; /* a multiple of ARENA_ALIGN */
    struct arena_piece *next;
} arena_piece;

typedef struct arena {
    uint8_t *base;
    arena_piece *free;
    size_t live, peak;
} arena;

/* base is aligned to ARENA_ALIGN, size a multiple of it. */
static void arena_init(arena *a, void *base, size_t size)
{
    a->base = (uint8_t *)base;
    a->live = a->peak = 0;
    a->free = (arena_piece *)base;
    a->free->size = size;
    a->free->next = NULL;
}

static size_t arena_round(size_t size)
{
    return (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
}

static void *arena_take(arena *a, size_t size)
{
    arena_piece **at = &a->free, *p;
    size = arena_round(size);
    while ((p = *at) != NULL && p->size < size) {
        at = &p->next;
    }
    if (!p) { return NULL; }
    if (p->size > size) {
        arena_piece *rest = (arena_piece *)(void *)((uint8_t *)p + size);
        rest->size = p->size - size;
        rest->next = p->next;
        *at = rest;
    } else {
        *at = p->next;
    }
    a->live += size;
    if ((size_t)((uint8_t *)p + size - a->base) > a->peak) {
        a->peak = (size_t)((uint8_t *)p + size - a->base);
    }
    return p;
}

static void arena_give(arena *a, void *ptr, size_t size)
{
    arena_piece *p = (arena_piece *)ptr, **at = &a->free, *before = NULL;
    if (!ptr) { return; }
    a->live -= arena_round(size);
    while (*at && *at < p) {
        before = *at;
        at = &before->next;
    }
    p->size = arena_round(size);
    p->next = *at;
    *at = p;
    if (p->next && (uint8_t *)p + p->size == (uint8_t *)p->next) {
        p->size += p->next->size;
        p->next = p->next->next;
    }
    if (before && (uint8_t *)before + before->size == (uint8_t *)p) {
        before->size += p->size;
        before->next = p->next;
    }
}

/* Takes the bytes from `at` on, `more` of them, if a free piece begins there. */
static bool arena_extend(arena *a, uint8_t *at, size_t more)
{
    arena_piece **link = &a->free, *p;
    while ((p = *link) != NULL && (uint8_t *)p < at) {
        link = &p->next;
    }
    if (!p || (uint8_t *)p != at || p->size < more) { return false; }
    if (p->size > more) {
        arena_piece *rest = (arena_piece *)(void *)(at + more);
        rest->size = p->size - more;
        rest->next = p->next;
        *link = rest;
    } else {
        *link = p->next;
    }
    a->live += more;
    if ((size_t)(at + more - a->base) > a->peak) { a->peak = (size_t)(at + more - a->base); }
    return true;
}

/* taco_allocator.resize; ctx is the arena. */
static void *arena_resize(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    arena *a = (arena *)ctx;
    size_t old = arena_round(old_size), size = arena_round(new_size);
    void *to;
    if (new_size == 0) {
        arena_give(a, ptr, old_size);
        return NULL;
    }
    if (ptr && size <= old) { /* shrinks in place */
        if (size < old) { arena_give(a, (uint8_t *)ptr + size, old - size); }
        return ptr;
    }
    if (ptr && arena_extend(a, (uint8_t *)ptr + old, size - old)) { return ptr; }
    to = arena_take(a, new_size);
    if (to && ptr) {
        memcpy(to, ptr, old_size);
        arena_give(a, ptr, old_size);
    }
    return to;
}

#endif /* ARENA_H */
