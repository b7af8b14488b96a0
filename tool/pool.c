/* pool.c - threads that wait for work, see pool.h. Work comes in short pieces, many per second:
   waking a thread takes longer than most of them, so threads spin for a while before they sleep.
   They are started when there is work for that many for the first time, and sleep before they get
   it: a sleeping thread is woken on an idle processor, while a new one may wait for milliseconds on
   that of its creator. Single tasks start and wake no threads. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "pool.h"

#include <sched.h>
#include <unistd.h>

/* How often a thread looks for work, or the caller for its end, before sleeping. */
#define POOL_SPINS 1000

/* Runs tasks until none is left. Called, and returns, with the lock held. */
static void pool_drain(pool *p)
{
    while (p->next < p->count) {
        size_t i = p->next++;
        pthread_mutex_unlock(&p->lock);
        p->task(p->arg, i);
        pthread_mutex_lock(&p->lock);
        if (++p->finished == p->count) { pthread_cond_signal(&p->done); }
    }
}

/* Spins until *turn changes, or for a while, without the lock. */
static void pool_spin(const size_t *turn, size_t before)
{
    int i;
    for (i = 0; i < POOL_SPINS && __atomic_load_n(turn, __ATOMIC_ACQUIRE) == before; i++) {
        sched_yield();
    }
}

/* Runs tasks, and any that come soon after. Called, and returns, with the lock held. */
static void pool_work(pool *p)
{
    size_t turn;
    do {
        turn = p->turn;
        pool_drain(p);
        if (p->closing || p->turn != turn) { continue; }
        pthread_mutex_unlock(&p->lock);
        pool_spin(&p->turn, turn);
        pthread_mutex_lock(&p->lock);
    } while (!p->closing && p->turn != turn);
}

/* What each thread runs until the pool is closed. */
static void *pool_thread(void *ctx)
{
    pool *p = (pool *)ctx;
    pthread_mutex_lock(&p->lock);
    p->ready++;
    pthread_cond_signal(&p->done);
    while (!p->closing) {
        size_t turn = p->turn;
        while (!p->closing && p->turn == turn) {
            pthread_cond_wait(&p->work, &p->lock);
        }
        pool_work(p);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

void pool_open(pool *p, size_t threads)
{
    long n =
        threads ? (long)(threads < POOL_MOST ? threads : POOL_MOST) : sysconf(_SC_NPROCESSORS_ONLN);
    p->threads = n < 1 ? 1 : n > POOL_MOST ? POOL_MOST : (size_t)n;
    p->started = p->ready = p->count = p->next = p->finished = p->turn = 0;
    p->task = NULL;
    p->arg = NULL;
    p->closing = false;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->done, NULL);
}

/* Starts threads for n tasks, and returns when all of them sleep. If one cannot be started, the
   others do its work from now on. */
static void pool_begin(pool *p, size_t n)
{
    while (p->started + 1 < p->threads && p->started + 1 < n) {
        if (pthread_create(&p->ids[p->started], NULL, pool_thread, p) != 0) {
            p->threads = p->started + 1;
            break;
        }
        p->started++;
    }
    pthread_mutex_lock(&p->lock);
    while (p->ready < p->started) {
        pthread_cond_wait(&p->done, &p->lock);
    }
    pthread_mutex_unlock(&p->lock);
}

/* The caller also runs tasks, and returns when all are finished. */
void pool_for(void *ctx, size_t n, void (*task)(void *arg, size_t i), void *arg)
{
    pool *p = (pool *)ctx;
    int i;
    if (n == 1) {
        task(arg, 0);
        return;
    }
    if (p->started + 1 < p->threads && p->started + 1 < n) { pool_begin(p, n); }
    pthread_mutex_lock(&p->lock);
    p->task = task;
    p->arg = arg;
    p->next = p->finished = 0;
    p->count = n;
    __atomic_store_n(&p->turn, p->turn + 1, __ATOMIC_RELEASE);
    pthread_cond_broadcast(&p->work);
    pool_drain(p);
    /* other threads are running the last tasks, which are short */
    for (i = 0; i < POOL_SPINS && p->finished < n; i++) {
        pthread_mutex_unlock(&p->lock);
        sched_yield();
        pthread_mutex_lock(&p->lock);
    }
    while (p->finished < n) {
        pthread_cond_wait(&p->done, &p->lock);
    }
    p->count = 0;
    pthread_mutex_unlock(&p->lock);
}

/* Wakes every thread, which sees `closing` and returns. */
void pool_close(pool *p)
{
    size_t i;
    pthread_mutex_lock(&p->lock);
    p->closing = true;
    __atomic_store_n(&p->turn, p->turn + 1, __ATOMIC_RELEASE);
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (i = 0; i < p->started; i++) {
        pthread_join(p->ids[i], NULL);
    }
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->work);
    pthread_cond_destroy(&p->done);
}
