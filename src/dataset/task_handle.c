/* task_handle.c - further handles on an open dataset, one for each task

   A handle belongs to one thread. The handle of a task shares with the first one what does not
   change: the collection, the index, the open files. It has its own tables, decoders and memory, so
   tasks do not wait for each other. It opens no file by name and therefore reads the same bytes as
   the first handle. It caches no pages, because tasks read each page once.

   The first handle must not change while tasks run, and must outlive theirs. */
#include "cursor.h"
#include "../base/base.h"

/* unreachable: taco_options.open_file of such a handle, which opens no file by name. */
static bool taco__task_handle_open_nothing(void *ctx, const char *path, taco_source *out)
{
    (void)ctx;
    (void)path;
    (void)out;
    return false;
}

/* A source supplied by the caller: tasks may only call its `view`. */
typedef struct taco__task_handle_view {
    void *ctx;
    const void *(*view)(void *ctx, uint64_t offset, size_t len);
} taco__task_handle_view;

static const void *taco__task_handle_view_bytes(void *ctx, uint64_t offset, size_t len)
{
    const taco__task_handle_view *v = (const taco__task_handle_view *)ctx;
    return v->view(v->ctx, offset, len);
}

static bool taco__task_handle_read_view(void *ctx, uint64_t offset, void *dst, size_t len)
{
    const void *bytes = taco__task_handle_view_bytes(ctx, offset, len);
    if (bytes) { memcpy(dst, bytes, len); }
    return bytes != NULL;
}

/* Whether tasks can read a level with handles of their own: the dataset is a single one of TACO 2,
   and the level is a Parquet file that several threads may read. Places that tasks may read are
   compared before. */
TACO__FN bool taco__task_handle_is_possible(taco_dataset *ds, uint32_t level)
{
    taco__container *s = &ds->stores[0];
    const taco__level *l = &s->levels[level];
    const taco__file *file = l->path ? &l->file : &s->file;
    return TACO__WITH_TASKS && ds->container_count == 1 && !s->format && !s->kept && l->opened &&
           l->table.pq && (file->src.view || taco__file_tasks_may_read(file)) &&
           taco__places_check(s, level, NULL);
}

/* Makes *f a file with the same bytes as *from, which the first handle closes. */
static bool taco__task_handle_share_file(taco__container *s, taco__file *f, const taco__file *from,
                                         taco_error *err)
{
    taco_source src = from->src;
    src.close = NULL;
    src.read_many = NULL;
    if (!taco__file_tasks_may_read(from)) {
        taco__task_handle_view *v =
            (taco__task_handle_view *)taco__arena_alloc(s->arena, sizeof *v, err);
        if (!v) { return false; }
        v->ctx = src.ctx;
        v->view = src.view;
        src.ctx = v;
        src.view = taco__task_handle_view_bytes;
        src.read = taco__task_handle_read_view;
    }
    taco__file_init(f, &src, from->name, s->mem);
    return true;
}

/* Makes *s a container of the same files. */
static bool taco__task_handle_share(taco__container *s, const taco__container *from,
                                    taco_dataset *own, taco_error *err)
{
    uint32_t i;
    *s = *from;
    s->mem = &own->mem;
    s->arena = &own->arena;
    s->options = &own->options;
    s->archives = NULL;
    s->file_open = false;
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        taco__level *l = &s->levels[i];
        l->opened = l->file_open = false;
        memset(&l->pq, 0, sizeof l->pq);
        memset(&l->table, 0, sizeof l->table);
        l->parents = NULL;
    }
    if (from->file_open) {
        s->file_open = taco__task_handle_share_file(s, &s->file, &from->file, err);
        if (!s->file_open) { return false; }
    }
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        const taco__level *l = &from->levels[i];
        if (!l->file_open) { continue; }
        s->levels[i].file_open = taco__task_handle_share_file(s, &s->levels[i].file, &l->file, err);
        if (!s->levels[i].file_open) { return false; }
    }
    return true;
}

/* The memory that each of so many tasks may use: equal parts of what is left. */
TACO__FN uint64_t taco__task_handle_memory(const taco__mem *mem, size_t width)
{
    return (mem->limit - TACO__MIN(mem->used, mem->limit)) / width;
}

/* Opens a handle whose memory is accounted as that of a task (taco__mem_task_begin); NULL on
   failure. Tasks may call this concurrently. */
TACO__FN taco_dataset *taco__task_handle_open(const taco_dataset *ds, uint64_t max_memory,
                                              taco_error *err)
{
    taco_options opt = ds->options;
    taco_dataset *own;
    opt.parallel_for = NULL;
    opt.warn = NULL;
    opt.log = NULL;
    opt.open_file = taco__task_handle_open_nothing;
    opt.limits.max_memory = max_memory;
    opt.limits.max_cache = 1;
    own = taco__dataset_alloc(&opt, 1, err);
    if (!own) { return NULL; }
    own->mode = ds->mode;
    own->container_count = 1;
    if (!taco__task_handle_share(&own->stores[0], &ds->stores[0], own, err)) {
        taco_close(own);
        return NULL;
    }
    return own;
}

/* Closes the handle of a task, which may be NULL, and returns its memory to the caller's
   account. */
TACO__FN void taco__task_handle_close(taco_dataset *own, taco__mem *mem)
{
    uint64_t accounted = own ? own->mem.accounted : 0;
    taco_close(own);
    mem->used -= accounted;
}
