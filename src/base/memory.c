/* memory.c - the only caller of malloc: budget, arena, growable buffer. */
#include "base.h"

#include <stdlib.h>
#define TACO__SPARE_MIN_BYTES 65536 /* bytes of a block */

static void *taco__mem_libc_resize(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    (void)ctx;
    (void)old_size;
    if (!new_size) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}

TACO__FN void taco__mem_init(taco__mem *m, const taco_options *opt)
{
    memset(m, 0, sizeof *m);
    m->a.resize = taco__mem_libc_resize;
    if (opt && opt->allocator) { m->a = *opt->allocator; }
    m->limit = opt && opt->limits.max_memory ? opt->limits.max_memory : (uint64_t)1 << 30;
    m->cache.most = opt && opt->limits.max_cache ? opt->limits.max_cache : m->limit / 16;
    m->spares.most = m->cache.most / 4;
    m->cache.most -= m->spares.most;
}

/* Grows, shrinks or allocates (old 0, p NULL) to size > 0 bytes. NULL on failure, p then still
   lives. */
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
    if (!q) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u bytes",
                   TACO__U(size));
        return NULL;
    }
    m->used = m->used - old + size;
    m->peak = TACO__MAX(m->peak, m->used);
    return q;
}

TACO__FN void *taco__mem_alloc(taco__mem *m, size_t size, taco_error *err) /* zeroed */
{
    void *p = taco__mem_resize(m, NULL, 0, size ? size : 1, err);
    if (p) { memset(p, 0, size ? size : 1); }
    return p;
}

TACO__FN void taco__mem_free(taco__mem *m, void *p,
                             size_t size) /* size as it was asked for; p may be NULL */
{
    if (p) {
        m->a.resize(m->a.ctx, p, size ? size : 1, 0);
        m->used -= size ? size : 1;
    }
}

/* Memory of the handle that becomes somebody else's: it leaves the budget, and is freed through the
   allocator alone. */
TACO__FN void taco__mem_disown(taco__mem *m, uint64_t size)
{
    m->used -= size;
}

TACO__FN void taco__mem_free_disowned(const taco_allocator *a, void *p, size_t size)
{
    if (p) { a->resize(a->ctx, p, size, 0); }
}

/* Accounts are not shared between threads. Before tasks run, each gets its own an equal share of
   what is left; when all are done, what they hold is added to the handle's. Nothing may use the
   handle's account in between. */
TACO__FN void taco__mem_task_begin(const taco__mem *m, taco__mem *task, size_t tasks)
{
    task->a = m->a;
    task->limit = task->used + (m->limit - TACO__MIN(m->used, m->limit)) / tasks;
    task->peak = task->used;
}

TACO__FN void taco__mem_task_merge(taco__mem *m, taco__mem *task)
{
    m->peak = TACO__MAX(m->peak, m->used + (task->peak - TACO__MIN(task->accounted, task->peak)));
    m->used = m->used - task->accounted + task->used;
    m->peak = TACO__MAX(m->peak, m->used);
    task->accounted = task->used;
}

/* Takes a block of `size` bytes; false when it is none to keep, or there is no room. */
static bool taco__mem_add_spare(taco__spare_blocks *s, void *block, size_t size, unsigned who)
{
    if (size < TACO__SPARE_MIN_BYTES || s->count == TACO__SPARE_BLOCKS ||
        size > s->most - TACO__MIN(s->most, s->bytes)) {
        return false;
    }
    s->block[s->count] = block;
    s->size[s->count] = size;
    s->who[s->count++] = who;
    s->bytes += size;
    return true;
}

static void *taco__mem_remove_spare(taco__spare_blocks *s, size_t i, size_t *size)
{
    void *p = s->block[i];
    *size = s->size[i];
    s->bytes -= *size;
    s->count--;
    s->block[i] = s->block[s->count];
    s->size[i] = s->size[s->count];
    s->who[i] = s->who[s->count];
    return p;
}

/* The smallest block of a task that fits, where one does without much waste; *size becomes its
   size. */
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

/* Frees the block of a buffer; that of a task may stay for the next one. */
static void taco__mem_free_block(taco__mem *m, void *p, size_t size)
{
    if (m->spares.me && taco__mem_add_spare(&m->spares, p, size, m->spares.me)) {
        m->used -= size;
    } else {
        taco__mem_free(m, p, size);
    }
}

/* Gives a task, `me` > 0 among n, the blocks that were in its place before, until
   taco__mem_task_return_spares. */
TACO__FN void taco__mem_task_take_spares(taco__mem *m, taco__mem *task, unsigned me, size_t n)
{
    size_t i = 0, size;
    task->spares.me = me;
    task->spares.most = m->spares.most / n;
    while (i < m->spares.count) {
        if (m->spares.who[i] == me && task->spares.count < TACO__SPARE_BLOCKS) {
            void *p = taco__mem_remove_spare(&m->spares, i, &size);
            if (!taco__mem_add_spare(&task->spares, p, size, me)) {
                taco__mem_free_disowned(&m->a, p, size);
            }
        } else {
            i++;
        }
    }
}

/* Takes the blocks of a task back, which has freed its buffers. */
TACO__FN void taco__mem_task_return_spares(taco__mem *m, taco__mem *task)
{
    size_t size;
    while (task->spares.count) {
        void *p = taco__mem_remove_spare(&task->spares, task->spares.count - 1, &size);
        if (!taco__mem_add_spare(&m->spares, p, size, task->spares.me)) {
            taco__mem_free_disowned(&m->a, p, size);
        }
    }
    task->spares.me = 0;
}

/* Frees the blocks of a handle. */
TACO__FN void taco__mem_free_spares(taco__mem *m)
{
    size_t size;
    while (m->spares.count) {
        void *p = taco__mem_remove_spare(&m->spares, m->spares.count - 1, &size);
        taco__mem_free_disowned(&m->a, p, size);
    }
}

#define TACO__ARENA_HEADER_BYTES ((sizeof(taco__arena_block) + 15) & ~(size_t)15)

TACO__FN void *taco__arena_alloc(taco__arena *a, size_t size, taco_error *err)
{
    taco__arena_block *b = a->head;
    size_t need;
    if (!taco__checked_add_size(size ? size : 1, 15, &need)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u bytes",
                   TACO__U(size));
        return NULL;
    }
    need &= ~(size_t)15;
    if (!b || need > b->size - b->used) {
        size_t cap = TACO__MAX(need, b ? TACO__MIN(b->size * 2, (size_t)1 << 20) : (size_t)1008),
               total;
        if (!taco__checked_add_size(cap, TACO__ARENA_HEADER_BYTES, &total)) {
            TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u bytes",
                       TACO__U(size));
            return NULL;
        }
        b = (taco__arena_block *)taco__mem_resize(a->mem, NULL, 0, total, err);
        if (!b) { return NULL; }
        b->next = a->head;
        b->size = cap;
        b->used = 0;
        a->head = b;
    }
    b->used += need;
    return memset((uint8_t *)b + TACO__ARENA_HEADER_BYTES + b->used - need, 0, need);
}

/* n items of size bytes each, with the product checked. */
TACO__FN void *taco__arena_array(taco__arena *a, size_t n, size_t size, taco_error *err)
{
    size_t total;
    if (!taco__checked_mul_size(n, size, &total)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u items", TACO__U(n));
        return NULL;
    }
    return taco__arena_alloc(a, total, err);
}

TACO__FN char *taco__arena_text(taco__arena *a, taco_bytes b,
                                taco_error *err) /* a NUL-terminated copy */
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

static TACO__COLD bool taco__buf_grow(taco__buf *b, size_t extra, taco_error *err)
{
    size_t need, cap;
    uint8_t *p;
    if (!taco__checked_add_size(b->len, extra, &need) || need > SIZE_MAX / 2 - TACO__PAD) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u bytes",
                   TACO__U(extra));
        return false;
    }
    cap = b->cap ? b->cap + b->cap / 2 : 0;
    cap = TACO__MAX(cap, need);
    if (b->mem->spares.count) {
        size_t size = cap + TACO__PAD;
        p = (uint8_t *)taco__mem_reuse_spare(b->mem, &size);
        if (p) {
            if (b->data) {
                memcpy(p, b->data, b->cap);
                taco__mem_free_block(b->mem, b->data, b->cap + TACO__PAD);
            }
            b->data = p;
            b->cap = size - TACO__PAD;
            return true;
        }
    }
    p = (uint8_t *)taco__mem_resize(b->mem, b->data, b->data ? b->cap + TACO__PAD : 0,
                                    cap + TACO__PAD, err);
    if (!p) { return false; }
    b->data = p;
    b->cap = cap;
    return true;
}

/* Makes room for extra more bytes behind len; false on failure. */
TACO__FN bool taco__buf_reserve(taco__buf *b, size_t extra, taco_error *err)
{
    return (b->data && b->len <= b->cap && extra <= b->cap - b->len) ||
           taco__buf_grow(b, extra, err);
}

/* Empties the buffer and makes room for exactly cap bytes, without copying what it held. */
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

TACO__FN bool taco__buf_append_char(taco__buf *b, char c, taco_error *err)
{
    return taco__buf_append_inline(b, &c, 1, err);
}

TACO__FN bool taco__buf_append_text(taco__buf *b, const char *s, taco_error *err)
{
    return taco__buf_append(b, s, strlen(s), err);
}

TACO__FN void taco__buf_free(taco__buf *b)
{
    if (b->data) { taco__mem_free_block(b->mem, b->data, b->cap + TACO__PAD); }
    b->data = NULL;
    b->len = b->cap = 0;
}

TACO__FN void taco__options_init(taco_options *out, const taco_options *in)
{
    memset(out, 0, sizeof *out);
    if (in) { *out = *in; }
    out->limits.max_metadata =
        out->limits.max_metadata ? out->limits.max_metadata : (uint64_t)256 << 20;
    out->limits.max_page = out->limits.max_page ? out->limits.max_page : (uint64_t)256 << 20;
    out->limits.max_memory = out->limits.max_memory ? out->limits.max_memory : (uint64_t)1 << 30;
    out->limits.max_columns =
        out->limits.max_columns ? out->limits.max_columns : TACO__DEFAULT_MAX_COLUMNS;
    out->limits.max_depth = out->limits.max_depth ? out->limits.max_depth : TACO__DEFAULT_MAX_DEPTH;
}

/* Empties an arena and keeps its largest block. */
TACO__FN void taco__arena_reset(taco__arena *a)
{
    taco__arena_block *b = a->head;
    if (b) {
        taco__arena rest;
        rest.mem = a->mem;
        rest.head = b->next;
        taco__arena_free(&rest);
        b->next = NULL;
        b->used = 0;
    }
}
