/* memory.c - the only caller of malloc: a handle's budget, arenas and growable buffers

   Every handle has a taco__mem: an allocator (the caller's, or libc) and an account of the bytes in
   use, which limits.max_memory bounds. All memory of the handle is allocated by taco__mem_resize
   and freed by taco__mem_free with its size, so that no block header is needed. Three kinds:
     taco__mem_alloc   one piece
     taco__arena       many small pieces with one life, such as the tree of a schema
     taco__buf         bytes that grow: pages, columns, text
   Threads: an account belongs to one thread. While tasks of a scan run concurrently, each has an
   account with a share of what the handle has left (taco__mem_task_begin, _merge), and reuses large
   blocks of the previous scan as spares, because mapping and clearing fresh pages is slow. Start
   with taco__mem_resize and taco__buf_grow. */
#include "base.h"

#ifndef TACO_NO_MALLOC
#include <stdlib.h>
#endif

/* Smaller blocks are not kept as spares, because malloc has them at hand. */
#define TACO__SPARE_MIN_BYTES 65536

/* ---- the account ---- */

/* taco_allocator.resize with libc: a new_size of 0 frees, a ptr of NULL allocates. With
   TACO_NO_MALLOC the only memory is that of the caller's allocator. */
static void *taco__mem_libc_resize(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    (void)ctx;
    (void)old_size;
#ifdef TACO_NO_MALLOC
    (void)ptr;
    (void)new_size;
    return NULL;
#else
    if (!new_size) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
#endif
}

/* An empty account. opt may be NULL; what it points to must outlive the account. Caches may use a
   sixteenth of the budget, or limits.max_cache; a quarter of that is for spare blocks. */
TACO__FN void taco__mem_init(taco__mem *m, const taco_options *opt)
{
    memset(m, 0, sizeof *m);
    m->a.resize = taco__mem_libc_resize;
    if (opt && opt->allocator) { m->a = *opt->allocator; }
    m->limit = opt && opt->limits.max_memory ? opt->limits.max_memory : TACO__DEFAULT_MAX_MEMORY;
    m->cache.most = opt && opt->limits.max_cache ? opt->limits.max_cache : m->limit / 16;
    m->spares.limit = m->cache.most / 4;
    m->cache.most -= m->spares.limit;
}

/* Every "out of memory" except that of the limit. Always NULL. */
static TACO__COLD void *taco__mem_fail(uint64_t size, taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u bytes", size);
    return NULL;
}

/* Grows, shrinks or allocates (old 0, p NULL) to size > 0 bytes. NULL on failure, with p
   unchanged. */
TACO__FN void *taco__mem_resize(taco__mem *m, void *p, size_t old, size_t size, taco_error *err)
{
    void *q;
    if (size > old && size - old > m->limit - TACO__MIN(m->used, m->limit)) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "needs %u bytes of memory, limits.max_memory is %u", m->used + (size - old),
                   m->limit);
        return NULL;
    }
    q = m->a.resize(m->a.ctx, p, old, size);
    if (!q) { return taco__mem_fail(size, err); }
    m->used = m->used - old + size;
    m->peak = TACO__MAX(m->peak, m->used);
    return q;
}

/* Zeroed; size 0 allocates one byte. */
TACO__FN TACO__NOINLINE void *taco__mem_alloc(taco__mem *m, size_t size, taco_error *err)
{
    void *p = taco__mem_resize(m, NULL, 0, size ? size : 1, err);
    if (p) { memset(p, 0, size ? size : 1); }
    return p;
}

/* size as requested; p may be NULL. */
TACO__FN TACO__NOINLINE void taco__mem_free(taco__mem *m, void *p, size_t size)
{
    if (p) {
        m->a.resize(m->a.ctx, p, size ? size : 1, 0);
        m->used -= size ? size : 1;
    }
}

/* Memory that leaves the handle, as in a batch exported to Arrow: it no longer counts, and is freed
   through the allocator alone, possibly after the handle. */
TACO__FN void taco__mem_disown(taco__mem *m, uint64_t size)
{
    m->used -= size;
}

TACO__FN void taco__mem_free_disowned(const taco_allocator *a, void *p, size_t size)
{
    if (p) { a->resize(a->ctx, p, size, 0); }
}

/* ---- accounts of tasks ---- */

/* Before tasks run, each account gets an equal share of what the handle has left; after all are
   done, what they hold is added to the handle's. Nothing may use the handle's account in
   between. */
TACO__FN void taco__mem_task_begin(const taco__mem *m, taco__mem *task, size_t tasks)
{
    task->a = m->a;
    task->limit = task->used + (m->limit - TACO__MIN(m->used, m->limit)) / tasks;
    task->peak = task->used;
}

/* The peak is an estimate: which tasks peaked at the same time is not known. */
TACO__FN void taco__mem_task_merge(taco__mem *m, taco__mem *task)
{
    m->peak = TACO__MAX(m->peak, m->used + (task->peak - TACO__MIN(task->accounted, task->peak)));
    m->used = m->used - task->accounted + task->used;
    m->peak = TACO__MAX(m->peak, m->used);
    task->accounted = task->used;
}

/* ---- spare blocks ---- */

/* Adds a block of `size` bytes; false if it is too small, or there is no room. */
static bool taco__mem_add_spare(taco__spare_blocks *s, void *block, size_t size, unsigned owner)
{
    if (size < TACO__SPARE_MIN_BYTES || s->count == TACO__SPARE_BLOCKS ||
        size > s->limit - TACO__MIN(s->limit, s->bytes)) {
        return false;
    }
    s->block[s->count] = block;
    s->size[s->count] = size;
    s->owner[s->count++] = owner;
    s->bytes += size;
    return true;
}

/* Removes block i; the last one takes its place. */
static void *taco__mem_remove_spare(taco__spare_blocks *s, size_t i, size_t *size)
{
    void *p = s->block[i];
    *size = s->size[i];
    s->bytes -= *size;
    s->count--;
    s->block[i] = s->block[s->count];
    s->size[i] = s->size[s->count];
    s->owner[i] = s->owner[s->count];
    return p;
}

/* The smallest spare block of at least *size and at most four times *size bytes that the budget
   allows; *size becomes its size. NULL if there is none. */
static void *taco__mem_reuse_spare(taco__mem *m, size_t *size)
{
    taco__spare_blocks *s = &m->spares;
    size_t i, best = s->count;
    for (i = 0; i < s->count; i++) {
        if (s->size[i] >= *size && s->size[i] / 4 <= *size &&
            s->size[i] <= m->limit - TACO__MIN(m->used, m->limit) &&
            (best == s->count || s->size[i] < s->size[best])) {
            best = i;
        }
    }
    if (best == s->count) { return NULL; }
    m->used += s->size[best];
    m->peak = TACO__MAX(m->peak, m->used);
    return taco__mem_remove_spare(s, best, size);
}

/* Frees the block of a buffer; that of a task may become a spare one. */
static void taco__mem_free_block(taco__mem *m, void *p, size_t size)
{
    if (m->spares.task && taco__mem_add_spare(&m->spares, p, size, m->spares.task)) {
        m->used -= size;
    } else {
        taco__mem_free(m, p, size);
    }
}

/* Gives the task with a number > 0, one of n, the spare blocks of the last task with this number,
   until taco__mem_task_return_spares. */
TACO__FN void taco__mem_task_take_spares(taco__mem *m, taco__mem *task, unsigned number, size_t n)
{
    size_t i = 0, size;
    task->spares.task = number;
    task->spares.limit = m->spares.limit / n;
    while (i < m->spares.count) {
        if (m->spares.owner[i] == number && task->spares.count < TACO__SPARE_BLOCKS) {
            void *p = taco__mem_remove_spare(&m->spares, i, &size);
            if (!taco__mem_add_spare(&task->spares, p, size, number)) {
                taco__mem_free_disowned(&m->a, p, size);
            }
        } else {
            i++;
        }
    }
}

/* Takes back the spare blocks of a task, which has freed its buffers. */
TACO__FN void taco__mem_task_return_spares(taco__mem *m, taco__mem *task)
{
    size_t size;
    while (task->spares.count) {
        void *p = taco__mem_remove_spare(&task->spares, task->spares.count - 1, &size);
        if (!taco__mem_add_spare(&m->spares, p, size, task->spares.task)) {
            taco__mem_free_disowned(&m->a, p, size);
        }
    }
    task->spares.task = 0;
}

/* Frees the spare blocks of a handle, which is about to close. */
TACO__FN void taco__mem_free_spares(taco__mem *m)
{
    size_t size;
    while (m->spares.count) {
        void *p = taco__mem_remove_spare(&m->spares, m->spares.count - 1, &size);
        taco__mem_free_disowned(&m->a, p, size);
    }
}

/* ---- arenas ---- */

#define TACO__ARENA_HEADER_BYTES ((sizeof(taco__arena_block) + 15) & ~(size_t)15)

/* In tests that set this to true, each piece of an arena is a separate allocation, and small
   buffers grow only by what is requested, so that a sanitizer sees each byte beyond them, and each
   allocation can fail. */
#ifndef TACO__EXACT_MEMORY
#define TACO__EXACT_MEMORY false
#endif
#define TACO__ARENA_ALIGN (TACO__EXACT_MEMORY ? (size_t)1 : (size_t)16)
#define TACO__ARENA_FIRST (TACO__EXACT_MEMORY ? (size_t)0 : (size_t)1008)
#define TACO__ARENA_MOST  (TACO__EXACT_MEMORY ? (uint64_t)0 : (uint64_t)1 << 20)
/* Smaller buffers do not grow ahead. */
#define TACO__BUF_EXACT (TACO__EXACT_MEMORY ? (size_t)2000 : (size_t)0)

/* Adds a block of at least `need` bytes: twice as large as the last, at most 1 MiB or a small part
   of the budget, unless more is needed, so that a large arena has few blocks and a small one little
   waste. */
static taco__arena_block *taco__arena_add_block(taco__arena *a, size_t need, taco_error *err)
{
    const size_t most = (size_t)taco__mem_ahead(a->mem, TACO__ARENA_MOST);
    size_t cap = a->head ? TACO__MIN(a->head->size * 2, most) : TACO__ARENA_FIRST, total;
    taco__arena_block *b;
    cap = TACO__MAX(cap, need);
    if (!taco__checked_add_size(cap, TACO__ARENA_HEADER_BYTES, &total)) {
        return (taco__arena_block *)taco__mem_fail(need, err);
    }
    b = (taco__arena_block *)taco__mem_resize(a->mem, NULL, 0, total, err);
    if (b) {
        b->next = a->head;
        b->size = cap;
        b->used = 0;
        a->head = b;
    }
    return b;
}

/* size bytes, zeroed, aligned to 16; size 0 yields a distinct piece, too. NULL on failure. */
TACO__FN void *taco__arena_alloc(taco__arena *a, size_t size, taco_error *err)
{
    taco__arena_block *b = a->head;
    size_t need;
    if (!taco__checked_add_size(size ? size : 1, TACO__ARENA_ALIGN - 1, &need)) {
        return taco__mem_fail(size, err);
    }
    need &= ~(TACO__ARENA_ALIGN - 1);
    if (!b || need > b->size - b->used) { b = taco__arena_add_block(a, need, err); }
    if (!b) { return NULL; }
    b->used += need;
    return memset((uint8_t *)b + TACO__ARENA_HEADER_BYTES + b->used - need, 0, need);
}

/* n items of size bytes each, with the product checked. */
TACO__FN TACO__NOINLINE void *taco__arena_array(taco__arena *a, size_t n, size_t size,
                                                taco_error *err)
{
    size_t total;
    if (!taco__checked_mul_size(n, size, &total)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u items", TACO__U(n));
        return NULL;
    }
    return taco__arena_alloc(a, total, err);
}

/* A NUL-terminated copy. */
TACO__FN TACO__NOINLINE char *taco__arena_text(taco__arena *a, taco_bytes b, taco_error *err)
{
    char *p = b.len < SIZE_MAX ? (char *)taco__arena_alloc(a, b.len + 1, err) : NULL;
    if (p && b.len) { memcpy(p, b.data, b.len); }
    return p;
}

TACO__FN void taco__arena_free(taco__arena *a)
{
    while (a->head) {
        taco__arena_block *b = a->head;
        a->head = b->next;
        taco__mem_free(a->mem, b, TACO__ARENA_HEADER_BYTES + b->size);
    }
}

/* Empties an arena for reuse, keeping only its newest block, which is the largest or close to
   it. */
TACO__FN void taco__arena_reset(taco__arena *a)
{
    taco__arena_block *b = a->head;
    if (b) {
        taco__arena rest;
        rest.mem = a->mem;
        rest.head = b->next;
        taco__arena_free(&rest);
        b->next = NULL;
        b->used = TACO__EXACT_MEMORY ? b->size : 0;
    }
}

/* ---- buffers ---- */

/* Grows the block of a buffer to `cap` bytes, using a spare one if one fits. */
static bool taco__buf_move(taco__buf *b, size_t cap, taco_error *err)
{
    size_t size = cap + TACO__PAD;
    uint8_t *p = (uint8_t *)(b->mem->spares.count ? taco__mem_reuse_spare(b->mem, &size) : NULL);
    if (p && b->data) {
        memcpy(p, b->data, b->cap);
        taco__mem_free_block(b->mem, b->data, b->cap + TACO__PAD);
    } else if (!p) {
        p = (uint8_t *)taco__mem_resize(b->mem, b->data, b->data ? b->cap + TACO__PAD : 0, size,
                                        err);
    }
    if (!p) { return false; }
    b->data = p;
    b->cap = size - TACO__PAD;
    return true;
}

/* Grows by at least half, so that appending byte by byte takes linear time. */
static TACO__COLD bool taco__buf_grow(taco__buf *b, size_t extra, taco_error *err)
{
    size_t need, cap;
    if (!taco__checked_add_size(b->len, extra, &need) || need > SIZE_MAX / 2 - TACO__PAD) {
        taco__mem_fail(extra, err);
        return false;
    }
    cap = b->cap > TACO__BUF_EXACT ? b->cap + b->cap / 2 : 0;
    return taco__buf_move(b, TACO__MAX(cap, need), err);
}

/* Makes room for `extra` more bytes after len; false on failure. */
TACO__FN bool taco__buf_reserve(taco__buf *b, size_t extra, taco_error *err)
{
    return (b->data && b->len <= b->cap && extra <= b->cap - b->len) ||
           taco__buf_grow(b, extra, err);
}

/* Empties the buffer and makes room for cap bytes, exactly that many if it must grow, without
   copying its old contents. */
TACO__FN bool taco__buf_reset(taco__buf *b, size_t cap, taco_error *err)
{
    b->len = 0;
    if (b->data && cap > b->cap) {
        taco__mem_free_block(b->mem, b->data, b->cap + TACO__PAD);
        b->data = NULL;
        b->cap = 0;
    }
    return taco__buf_reserve(b, cap, err);
}

TACO__FN bool taco__buf_append(taco__buf *b, const void *data, size_t len, taco_error *err)
{
    return taco__buf_append_inline(b, data, len, err);
}

TACO__FN bool taco__buf_append_text(taco__buf *b, const char *s, taco_error *err)
{
    return taco__buf_append(b, s, strlen(s), err);
}

/* The buffer is empty afterwards and may be used again. */
TACO__FN void taco__buf_free(taco__buf *b)
{
    if (b->data) { taco__mem_free_block(b->mem, b->data, b->cap + TACO__PAD); }
    b->data = NULL;
    b->len = b->cap = 0;
}

TACO_API void taco_limits_strict(taco_limits *out)
{
    if (!out) { return; }
    memset(out, 0, sizeof *out);
    out->max_metadata = out->max_page = (uint64_t)16 << 20;
    out->max_memory = (uint64_t)128 << 20;
    out->max_columns = 4096;
    out->max_depth = 32;
    out->max_cache = 1;
    out->max_values = (uint64_t)8 << 20;
    out->max_decoded = (uint64_t)256 << 20;
}

/* ---- limits ---- */
TACO__FN void taco__options_init(taco_options *out, const taco_options *in)
{
    memset(out, 0, sizeof *out);
    if (in) { *out = *in; }
    if (!out->limits.max_metadata) { out->limits.max_metadata = TACO__DEFAULT_MAX_BYTES; }
    if (!out->limits.max_page) { out->limits.max_page = TACO__DEFAULT_MAX_BYTES; }
    if (!out->limits.max_memory) { out->limits.max_memory = TACO__DEFAULT_MAX_MEMORY; }
    if (!out->limits.max_columns) { out->limits.max_columns = TACO__DEFAULT_MAX_COLUMNS; }
    if (!out->limits.max_values) { out->limits.max_values = TACO__DEFAULT_MAX_VALUES; }
    if (!out->limits.max_depth) { out->limits.max_depth = TACO__DEFAULT_MAX_DEPTH; }
}
