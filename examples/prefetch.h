/* prefetch.h - a thread that loads batches of a taco_loader while the program works on earlier ones:
   a queue of at most `ahead` batches, as in the loader's options. POSIX threads; meant to be copied.
   Define _POSIX_C_SOURCE 200809L before it if you compile with -std=c99.

       prefetch p;
       prefetch_open(&p, loader, how.ahead);
       while (prefetch_next(&p, &batch)) { ... }         (batch lives until the next call)
       prefetch_close(&p);                               (then taco_loader_close)

   The loader, and its dataset, belong to that thread between open and close. */
#ifndef PREFETCH_H
#define PREFETCH_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define PREFETCH_MOST 64

typedef struct prefetch {
    taco_loader *loader;
    pthread_t thread;
    pthread_mutex_t lock; /* for all members below */
    pthread_cond_t changed;
    taco_loader_batch queue[PREFETCH_MOST];
    size_t most;        /* limit of batches loaded and not yet given back */
    size_t begun, done; /* batches put into the queue so far; given back so far */
    size_t taken;       /* batches handed out so far */
    bool ended, closing;
} prefetch;

/* The thread. The loader keeps a batch until `ahead` more calls have returned, so it is called only
   when fewer than that are in the queue or in use. */
static void *prefetch_run(void *ctx)
{
    prefetch *p = (prefetch *)ctx;
    taco_loader_batch batch;
    bool more = true;
    while (more) {
        pthread_mutex_lock(&p->lock);
        while (p->begun - p->done >= p->most && !p->closing) {
            pthread_cond_wait(&p->changed, &p->lock);
        }
        more = !p->closing;
        pthread_mutex_unlock(&p->lock);
        more = more && taco_loader_next(p->loader, &batch);
        pthread_mutex_lock(&p->lock);
        if (more) { p->queue[p->begun++ % PREFETCH_MOST] = batch; }
        p->ended = !more;
        pthread_cond_broadcast(&p->changed);
        pthread_mutex_unlock(&p->lock);
    }
    return NULL;
}

/* False when no thread can be started. ahead is as in the loader's options; 2 if those have 0. */
static bool prefetch_open(prefetch *p, taco_loader *loader, size_t ahead)
{
    p->loader = loader;
    p->most = ahead < 1 ? 1 : ahead > PREFETCH_MOST ? PREFETCH_MOST : ahead;
    p->begun = p->done = p->taken = 0;
    p->ended = p->closing = false;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->changed, NULL);
    return pthread_create(&p->thread, NULL, prefetch_run, p) == 0;
}

/* Gives the last batch back and waits for the next one. False at the end and on failure;
   taco_loader_close says which. */
static bool prefetch_next(prefetch *p, taco_loader_batch *out)
{
    bool any;
    pthread_mutex_lock(&p->lock);
    p->done = p->taken;
    pthread_cond_broadcast(&p->changed);
    while (p->taken == p->begun && !p->ended) {
        pthread_cond_wait(&p->changed, &p->lock);
    }
    any = p->taken < p->begun;
    if (any) { *out = p->queue[p->taken++ % PREFETCH_MOST]; }
    pthread_mutex_unlock(&p->lock);
    return any;
}

/* Ends the thread, at any time. */
static void prefetch_close(prefetch *p)
{
    pthread_mutex_lock(&p->lock);
    p->closing = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
}

#endif
