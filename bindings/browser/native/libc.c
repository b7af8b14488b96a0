/* libc.c - the functions of the C library that src/ calls, for a WebAssembly module without one.

   wasi-libc has all of them, but makes the module 5 KB larger (15 KB before compression) and needs
   imports that a page would have to provide. Long copies and fills are single instructions (bulk
   memory, which every engine has had since 2021). Memory: small blocks come from free lists by
   size, larger ones from an address-ordered list of free runs of 4 KiB pages, which are merged with
   their neighbours; the module's memory grows and never shrinks. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- bytes and strings ---- */

/* Keeps the compiler from turning these loops into calls of the very functions they implement. */
#define NO_CALL __attribute__((no_builtin))

/* In an engine the instruction costs as much as copying some hundred bytes. */
NO_CALL void *(memcpy)(void *to, const void *from, size_t n)
{
    unsigned char *d = (unsigned char *)to;
    const unsigned char *s = (const unsigned char *)from;
    uint64_t word;
    if (n > 256) { return __builtin_memcpy(to, from, n); }
    for (; n >= 8; n -= 8, d += 8, s += 8) {
        __builtin_memcpy(&word, s, 8);
        __builtin_memcpy(d, &word, 8);
    }
    for (; n; n--) {
        *d++ = *s++;
    }
    return to;
}

NO_CALL void *memmove(void *to, const void *from, size_t n)
{
    return __builtin_memmove(to, from, n);
}

NO_CALL void *memset(void *to, int byte, size_t n)
{
    return __builtin_memset(to, byte, n);
}

NO_CALL int memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
    uint64_t u, v;
    for (; n >= 8; n -= 8, x += 8, y += 8) {
        __builtin_memcpy(&u, x, 8);
        __builtin_memcpy(&v, y, 8);
        if (u != v) { break; }
    }
    for (; n; n--, x++, y++) {
        if (*x != *y) { return *x - *y; }
    }
    return 0;
}

NO_CALL void *memchr(const void *p, int byte, size_t n)
{
    const unsigned char *s = (const unsigned char *)p;
    for (; n; n--, s++) {
        if (*s == (unsigned char)byte) { return (void *)(uintptr_t)s; }
    }
    return NULL;
}

NO_CALL size_t(strlen)(const char *s)
{
    const char *e = s;
    while (*e) {
        e++;
    }
    return (size_t)(e - s);
}

NO_CALL char *strcpy(char *to, const char *from)
{
    memcpy(to, from, strlen(from) + 1);
    return to;
}

NO_CALL char *strcat(char *to, const char *from)
{
    strcpy(to + strlen(to), from);
    return to;
}

NO_CALL int strncmp(const char *a, const char *b, size_t n)
{
    for (; n && *a && *a == *b; n--, a++, b++) {}
    return n ? (unsigned char)*a - (unsigned char)*b : 0;
}

NO_CALL int strcmp(const char *a, const char *b)
{
    return strncmp(a, b, SIZE_MAX);
}

NO_CALL char *strchr(const char *s, int c)
{
    for (; *s && *s != (char)c; s++) {}
    return *s == (char)c ? (char *)(uintptr_t)s : NULL;
}

NO_CALL char *strrchr(const char *s, int c)
{
    const char *e = s + strlen(s) + 1;
    while (e != s) {
        if (*--e == (char)c) { return (char *)(uintptr_t)e; }
    }
    return NULL;
}

NO_CALL char *strstr(const char *s, const char *part)
{
    size_t n = strlen(part);
    for (;; s++) {
        if (strncmp(s, part, n) == 0) { return (char *)(uintptr_t)s; }
        if (!*s) { return NULL; }
    }
}

NO_CALL size_t strspn(const char *s, const char *set)
{
    size_t n = 0;
    while (s[n] && strchr(set, s[n])) {
        n++;
    }
    return n;
}

NO_CALL size_t strcspn(const char *s, const char *set)
{
    size_t n = 0;
    while (s[n] && !strchr(set, s[n])) {
        n++;
    }
    return n;
}

/* ---- sorting and searching ---- */

static void swap_items(unsigned char *a, unsigned char *b, size_t size)
{
    for (; size; size--, a++, b++) {
        unsigned char c = *a;
        *a = *b;
        *b = c;
    }
}

/* Moves the item at `root` of a heap of n items down below any greater ones. */
static void sift(unsigned char *p, size_t root, size_t n, size_t size,
                 int (*compare)(const void *, const void *))
{
    size_t child;
    while ((child = 2 * root + 1) < n) {
        if (child + 1 < n && compare(p + child * size, p + (child + 1) * size) < 0) { child++; }
        if (compare(p + root * size, p + child * size) >= 0) { return; }
        swap_items(p + root * size, p + child * size, size);
        root = child;
    }
}

/* Heap sort: needs no memory, and has no slow worst case. */
void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    unsigned char *p = (unsigned char *)base;
    size_t i;
    for (i = n / 2; i-- > 0;) {
        sift(p, i, n, size, compare);
    }
    for (i = n; i-- > 1;) {
        swap_items(p, p + i * size, size);
        sift(p, 0, i, size, compare);
    }
}

void *bsearch(const void *key, const void *base, size_t n, size_t size,
              int (*compare)(const void *, const void *))
{
    const unsigned char *p = (const unsigned char *)base;
    while (n) {
        const unsigned char *mid = p + n / 2 * size;
        int c = compare(key, mid);
        if (c == 0) { return (void *)(uintptr_t)mid; }
        if (c > 0) {
            p = mid + size;
            n--;
        }
        n /= 2;
    }
    return NULL;
}

/* ---- memory ---- */

/* Each block follows a 16-byte head with its size, which keeps it aligned for any type. */
#define HEAD  16U
#define PAGE  4096U
#define SMALL 2048U /* largest block in the lists by size, including its head */
#define STEPS 24U   /* lists: 32, 48, 64, 96, 128, ... bytes, two per power of two */

typedef struct run {
    struct run *next;
    size_t size; /* bytes, a multiple of PAGE */
} run;

static struct {
    void *small[STEPS];
    run *runs; /* by address */
    uintptr_t end;
} heap;

extern unsigned char __heap_base;

/* Inserts a free run by address, and merges it with its neighbours. */
static void run_add(uintptr_t at, size_t size)
{
    run **link = &heap.runs, *r = (run *)at, *before = NULL;
    for (; *link && (uintptr_t)*link < at; link = &before->next) {
        before = *link;
    }
    r->next = *link;
    r->size = size;
    *link = r;
    if (r->next && at + size == (uintptr_t)r->next) {
        r->size += r->next->size;
        r->next = r->next->next;
    }
    if (before && (uintptr_t)before + before->size == at) {
        before->size += r->size;
        before->next = r->next;
    }
}

/* Gets more memory from the host, at least 1 MiB at a time so that calls are rare. */
static int heap_grow(size_t size)
{
    size_t pages = ((size > 1U << 20 ? size : 1U << 20) + 65535U) / 65536U;
    size_t was = __builtin_wasm_memory_grow(0, pages);
    if (was == SIZE_MAX) {
        pages = (size + 65535U) / 65536U;
        was = __builtin_wasm_memory_grow(0, pages);
    }
    if (was == SIZE_MAX) { return 0; }
    run_add(was * 65536U, pages * 65536U);
    return 1;
}

/* The first run that is long enough, or the start of it; 0 if the host has no more memory. */
static uintptr_t run_take(size_t size)
{
    run **link;
    do {
        for (link = &heap.runs; *link; link = &(*link)->next) {
            run *r = *link;
            if (r->size < size) { continue; }
            if (r->size == size) {
                *link = r->next;
            } else {
                run *rest = (run *)((uintptr_t)r + size);
                rest->next = r->next;
                rest->size = r->size - size;
                *link = rest;
            }
            return (uintptr_t)r;
        }
    } while (heap_grow(size));
    return 0;
}

/* Returns the list for blocks of `size` bytes; *block is the size of its blocks. */
static unsigned step_of(size_t size, size_t *block)
{
    unsigned i = 0;
    size_t b = 32;
    while (b < size) {
        b = i & 1 ? b / 3 * 4 : b / 2 * 3;
        i++;
    }
    *block = b;
    return i;
}

/* Splits a page into blocks for a list. */
static int small_refill(unsigned step, size_t block)
{
    uintptr_t page = run_take(PAGE), at;
    if (!page) { return 0; }
    for (at = page; at + block <= page + PAGE; at += block) {
        *(void **)at = heap.small[step];
        heap.small[step] = (void *)at;
    }
    return 1;
}

static void *block_new(size_t size)
{
    size_t block;
    uintptr_t at;
    if (size > PTRDIFF_MAX - PAGE) { return NULL; }
    size += HEAD;
    if (size <= SMALL) {
        unsigned step = step_of(size, &block);
        if (!heap.small[step] && !small_refill(step, block)) { return NULL; }
        at = (uintptr_t)heap.small[step];
        heap.small[step] = *(void **)at;
    } else {
        block = (size + PAGE - 1) / PAGE * PAGE;
        at = run_take(block);
        if (!at) { return NULL; }
    }
    *(size_t *)at = block;
    return (void *)(at + HEAD);
}

void free(void *p)
{
    uintptr_t at = (uintptr_t)p - HEAD;
    size_t block;
    if (!p) { return; }
    block = *(size_t *)at;
    if (block <= SMALL) {
        unsigned step = step_of(block, &block);
        *(void **)at = heap.small[step];
        heap.small[step] = (void *)at;
    } else {
        run_add(at, block);
    }
}

/* Grows a block in place if the run after it is free and large enough. */
static int block_extend(uintptr_t at, size_t block, size_t size)
{
    run **link = &heap.runs;
    size_t more = (size + PAGE - 1) / PAGE * PAGE - block;
    while (*link && (uintptr_t)*link < at + block) {
        link = &(*link)->next;
    }
    if ((uintptr_t)*link != at + block || (*link)->size < more) { return 0; }
    if ((*link)->size == more) {
        *link = (*link)->next;
    } else {
        run *rest = (run *)(at + block + more);
        run *r = *link;
        rest->next = r->next;
        rest->size = r->size - more;
        *link = rest;
    }
    *(size_t *)at = block + more;
    return 1;
}

void *realloc(void *p, size_t size)
{
    uintptr_t at = (uintptr_t)p - HEAD;
    size_t block;
    void *q;
    if (!p) { return block_new(size); }
    if (size > PTRDIFF_MAX - PAGE) { return NULL; }
    block = *(size_t *)at;
    if (size + HEAD <= block && (block <= SMALL || size + HEAD > block / 2)) { return p; }
    if (block > SMALL && size + HEAD > block && block_extend(at, block, size + HEAD)) { return p; }
    q = block_new(size);
    if (q) {
        memcpy(q, p, size < block - HEAD ? size : block - HEAD);
        free(p);
    }
    return q;
}

/* ---- what else the compiler and src/ need ---- */

/* Lower 128 bits of the product of two 128-bit numbers; the compiler generates calls to this. */
typedef __int128 wide;
wide __multi3(wide a, wide b);

wide __multi3(wide a, wide b)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    uint64_t x0 = (uint32_t)x, x1 = x >> 32, y0 = (uint32_t)y, y1 = y >> 32;
    uint64_t low = x0 * y0, mid = x1 * y0 + (low >> 32), mid2 = x0 * y1 + (uint32_t)mid;
    uint64_t high = x1 * y1 + (mid >> 32) + (mid2 >> 32);
    high += x * (uint64_t)((unsigned __int128)b >> 64) + (uint64_t)((unsigned __int128)a >> 64) * y;
    return (wide)((unsigned __int128)high << 64 | (mid2 << 32 | (uint32_t)low));
}

__attribute__((import_module("env"), import_name("now"))) double host_now(void);

time_t time(time_t *out)
{
    time_t t = (time_t)host_now();
    if (out) { *out = t; }
    return t;
}
