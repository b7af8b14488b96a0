/* directory_ahead.c - many files of a directory, opened by tasks before they are stored

   In: entries of a directory, of which the next ones are listed as files; out: an input for each:
   the bytes of a small file, an open file otherwise. Opening takes most of the time that small
   files need. The tasks run together with those of the batch (payload_batch.c). A file that cannot
   be opened has no input: whoever needs it opens it by its path, and reports why that fails. Start
   with taco__dir_ahead_take. */
#include "write.h"
#include "../base/base.h"
#include "../base/file_copy.h"
#include "../dataset/cursor.h"

/* Files of a round and of a task, the least that are worth a round, and how many must follow when
   the first round is run. Tests use fewer. */
#ifndef TACO__DIR_AHEAD_FIRST
#define TACO__DIR_AHEAD_FIRST 1024
#endif
#define TACO__DIR_AHEAD_FILES 64
#define TACO__DIR_AHEAD_TASK  16
#define TACO__DIR_AHEAD_LEAST 16

struct taco__dir_ahead {
    const taco__dir_scan_list *list;
    size_t first, count; /* entries that are open, or were until they were taken */
    taco__input in[TACO__DIR_AHEAD_FILES];
    bool open[TACO__DIR_AHEAD_FILES];
    uint8_t pages[TACO__DIR_AHEAD_FILES][TACO__PLAT_PAGE];
};

static void taco__dir_ahead_task(void *arg, size_t i)
{
    taco__dir_ahead *a = (taco__dir_ahead *)arg;
    size_t k = i * TACO__DIR_AHEAD_TASK, end = TACO__MIN(k + TACO__DIR_AHEAD_TASK, a->count);
    taco__plat_dir dir;
    taco__dir_begin_task(&dir, &a->list->dir);
    for (; k < end; k++) {
        a->open[k] = taco__input_open_listed(&a->in[k], &dir, a->list->entries[a->first + k].name,
                                             a->pages[k]);
    }
    taco__dir_end_task(&dir);
}

/* Closes what has not been taken. */
static void taco__dir_ahead_close(taco__dir_ahead *a)
{
    size_t i;
    for (i = 0; i < a->count; i++) {
        if (a->open[i]) { taco__input_close(&a->in[i]); }
        a->open[i] = false;
    }
    a->count = 0;
}

TACO__FN void taco__dir_ahead_free(taco__from_dir *g)
{
    if (g->ahead) { taco__dir_ahead_close(g->ahead); }
    taco__mem_free(&g->mem, g->ahead, sizeof *g->ahead);
    g->ahead = NULL;
}

/* How many entries from i on are listed as files, at most `most`. */
static size_t taco__dir_ahead_count(const taco__dir_scan_list *l, size_t i, size_t most)
{
    size_t n = 0;
    while (n < most && i + n < l->count && l->entries[i + n].listed) {
        n++;
    }
    return n;
}

/* Opens the files from entry i on, if enough follow and the host has threads. False if storing the
   samples before them fails. */
static bool taco__dir_ahead_open(taco__from_dir *g, taco__dir_scan_list *l, size_t i,
                                 taco_error *err)
{
    taco__container_writer *p = &g->w->pack;
    taco__dir_ahead *a = g->ahead;
    size_t least = a ? TACO__DIR_AHEAD_LEAST : TACO__DIR_AHEAD_FIRST, n;
    if (!l->open || i < l->single || taco__tasks_width(&p->options, 2) < 2) { return true; }
    n = taco__dir_ahead_count(l, i, least);
    if (n < least) {
        l->single = i + n;
        return true;
    }
    if (!a) {
        a = g->ahead = (taco__dir_ahead *)taco__mem_alloc(&g->mem, sizeof *a, NULL);
        if (!a) { return true; }
    }
    if (!taco__payload_batch_begin(p, NULL, err)) { return false; }
    taco__dir_ahead_close(a);
    a->list = l;
    a->first = i;
    a->count = taco__dir_ahead_count(l, i, TACO__DIR_AHEAD_FILES);
    return taco__payload_batch_run_also(
        p, (a->count + TACO__DIR_AHEAD_TASK - 1) / TACO__DIR_AHEAD_TASK, taco__dir_ahead_task, a,
        err);
}

/* The input of entry i of a list, which the caller closes; *found is false if it must be opened.
   The bytes of a small file are valid until the next call. False if storing the samples before it
   fails. */
TACO__FN bool taco__dir_ahead_take(taco__from_dir *g, taco__dir_scan_list *l, size_t i,
                                   taco__input *in, bool *found, taco_error *err)
{
    taco__dir_ahead *a = g->ahead;
    *found = false;
    if ((!a || a->list != l || i < a->first || i - a->first >= a->count) &&
        !taco__dir_ahead_open(g, l, i, err)) {
        return false;
    }
    a = g->ahead;
    if (!a || a->list != l || i < a->first || i - a->first >= a->count) { return true; }
    *found = a->open[i - a->first];
    if (!*found) { /* too many files may be open */
        taco__dir_ahead_close(a);
        return taco__payload_batch_settle(&g->w->pack, err);
    }
    *in = a->in[i - a->first];
    a->open[i - a->first] = false;
    if (i - a->first + 1 == a->count) { a->count = 0; } /* its list may be freed */
    return true;
}
