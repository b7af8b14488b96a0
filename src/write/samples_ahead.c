/* samples_ahead.c - files of a FOLDER dataset, opened by tasks before they are copied

   In: samples in the order of a walk through the tree, and the paths of their files; out: an input
   for each: the bytes of a small file, an open file otherwise. As in directory_ahead.c, tasks run
   together with those of the batch, and a file that cannot be opened is left to the calling thread.
   Start with taco__samples_ahead_take. */
#include "write.h"
#include "../base/base.h"
#include "../base/file_copy.h"
#include "../validate/validate.h"

/* Files of a round and of a task, and the least that are worth a round. */
#define TACO__SAMPLES_AHEAD_FILES 64
#define TACO__SAMPLES_AHEAD_TASK  16
#define TACO__SAMPLES_AHEAD_LEAST 16

typedef struct taco__samples_ahead_item {
    taco__input in;
    uint32_t level;
    size_t row;
    size_t path; /* where it begins in `paths` */
    bool open;
} taco__samples_ahead_item;

struct taco__samples_ahead {
    taco__mem *mem;
    size_t first, count; /* the next item, and their number */
    taco__samples_ahead_item items[TACO__SAMPLES_AHEAD_FILES];
    taco__buf paths;
    uint8_t pages[TACO__SAMPLES_AHEAD_FILES][TACO__PLAT_PAGE];
};

static void taco__samples_ahead_task(void *arg, size_t i)
{
    taco__samples_ahead *a = (taco__samples_ahead *)arg;
    size_t k = i * TACO__SAMPLES_AHEAD_TASK,
           end = TACO__MIN(k + TACO__SAMPLES_AHEAD_TASK, a->count);
    for (; k < end; k++) {
        taco__samples_ahead_item *item = &a->items[k];
        item->open = taco__input_open_paged(&item->in, (const char *)a->paths.data + item->path,
                                            a->pages[k]);
    }
}

/* Closes what has not been taken. */
static void taco__samples_ahead_close(taco__samples_ahead *a)
{
    for (; a->first < a->count; a->first++) {
        if (a->items[a->first].open) { taco__input_close(&a->items[a->first].in); }
    }
    a->first = a->count = 0;
    a->paths.len = 0;
}

TACO__FN void taco__samples_ahead_free(taco__samples_ahead *a)
{
    if (a) {
        taco__mem *mem = a->mem;
        taco__samples_ahead_close(a);
        taco__buf_free(&a->paths);
        taco__mem_free(mem, a, sizeof *a);
    }
}

/* Adds a file; false if it has no path, or without memory for it. */
static bool taco__samples_ahead_add(taco__samples_ahead *a, const taco__container_source *from,
                                    uint32_t level, size_t row)
{
    taco__samples_ahead_item *item = &a->items[a->count];
    const char *path = from->path(from->ctx, level, row);
    item->path = a->paths.len;
    if (!path || !taco__buf_append(&a->paths, path, strlen(path) + 1, NULL)) { return false; }
    item->level = level;
    item->row = row;
    item->open = false;
    a->count++;
    return true;
}

/* Padding need not have a file. */
static bool taco__samples_ahead_has_file(const taco__tree *t, uint32_t level, size_t row)
{
    return !taco__tree_is_folder(t, level, row) &&
           !taco__rules_is_padding(taco__tree_id(t, level, row));
}

/* Opens the file of a FILE, and those of the FILEs that follow in the walk. False if storing the
   samples before them fails. */
static bool taco__samples_ahead_open(taco__container_writer *p, taco__samples_ahead *a,
                                     const taco__container_source *from, taco__tree_walk walk,
                                     uint32_t level, size_t row, taco_error *err)
{
    bool more = true;
    taco__samples_ahead_close(a);
    while (more && a->count < TACO__SAMPLES_AHEAD_FILES) {
        more = (!taco__samples_ahead_has_file(p->tree, level, row) ||
                taco__samples_ahead_add(a, from, level, row)) &&
               taco__tree_walk_next(p->tree, &walk, &level, &row);
    }
    if (a->count < TACO__SAMPLES_AHEAD_LEAST) {
        a->count = 0;
        return true;
    }
    return taco__payload_batch_run_also(
        p, (a->count + TACO__SAMPLES_AHEAD_TASK - 1) / TACO__SAMPLES_AHEAD_TASK,
        taco__samples_ahead_task, a, err);
}

/* The input of a FILE, which is the last sample of the walk; *found is false if it must be opened.
   The bytes of a small file are valid until the next call. *ahead is made if it is NULL and
   tasks are used. False if storing the samples before it fails. */
TACO__FN bool taco__samples_ahead_take(taco__container_writer *p, taco__samples_ahead **ahead,
                                       const taco__container_source *from,
                                       const taco__tree_walk *walk, uint32_t level, size_t row,
                                       taco__input *in, bool *found, taco_error *err)
{
    taco__samples_ahead *a = *ahead;
    taco__samples_ahead_item *item;
    *found = false;
    if (!p->batch || !from->path) { return true; }
    if (!a) {
        a = *ahead = (taco__samples_ahead *)taco__mem_alloc(p->mem, sizeof *a, NULL);
        if (!a) { return true; }
        a->mem = a->paths.mem = p->mem;
    }
    if (a->first == a->count && !taco__samples_ahead_open(p, a, from, *walk, level, row, err)) {
        return false;
    }
    item = &a->items[a->first];
    if (a->first == a->count || item->level != level || item->row != row) { return true; }
    a->first++;
    *found = item->open;
    if (*found) {
        *in = item->in;
        in->later = in->own; /* pages are used again */
        return true;
    }
    taco__samples_ahead_close(a); /* too many files may be open */
    return taco__payload_batch_settle(p, err);
}
