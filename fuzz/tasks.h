/* taco_options.parallel_for for fuzz targets: tasks one after the other, the last first. */
#ifndef FUZZ_TASKS_H
#define FUZZ_TASKS_H
#include <stddef.h>

static void last_first(void *ctx, size_t n, void (*task)(void *arg, size_t i), void *arg)
{
    (void)ctx;
    while (n--) {
        task(arg, n);
    }
}
#endif
