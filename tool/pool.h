/* pool.h - POSIX threads for taco_options.parallel_for. Copy pool.h and pool.c into your program,
   and link it with -pthread.

       pool threads;
       pool_open(&threads, 0);
       opt.parallel_for = pool_for;
       opt.parallel_ctx = &threads;
       ...
       pool_close(&threads);

   Threads are started when there is work for them, and sleep until there is more. A pool serves one
   caller at a time. The header needs _POSIX_C_SOURCE 200809L if compiled with -std=c99. */
#ifndef POOL_H
#define POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define POOL_MOST 64

typedef struct pool {
    /* threads that work, including the caller's */
    size_t threads;
    /* threads that were started, and those waiting for work */
    size_t started, ready;
    pthread_t ids[POOL_MOST];
    /* protects all members below */
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    /* the work of one call of pool_for: `count` tasks, the next one to take, how many are
       finished */
    void (*task)(void *arg, size_t i);
    void *arg;
    size_t count, next, finished;
    /* counts the calls of pool_for, so that a thread sees that there is work */
    size_t turn;
    bool closing;
} pool;

/* threads: including the caller's, at most POOL_MOST; 0: one per processor. */
void pool_open(pool *p, size_t threads);

/* taco_options.parallel_for, with the pool as its context. */
void pool_for(void *ctx, size_t n, void (*task)(void *arg, size_t i), void *arg);

/* Ends the threads. */
void pool_close(pool *p);

#endif
