/* tasks.c - independent pieces of work, run by the host's parallel_for or, without one, in order

   In: a number of tasks and a function that is called with the number of each. Out: all have run.
   Tasks share nothing that they change: each has its memory (taco__mem_task_begin, _merge) and its
   error, and the caller takes the first failure in the order of tasks, so that results do not
   depend on their number or order. */
#include "base.h"

TACO__FN size_t taco__tasks_width(const taco_options *host, size_t most)
{
    const size_t width = host && host->parallel_width ? host->parallel_width : 4;
    return TACO__WITH_TASKS && host && host->parallel_for ? TACO__MIN(width, most) : 1;
}

TACO__FN void taco__tasks_run(const taco_options *host, size_t n, void (*task)(void *arg, size_t i),
                              void *arg)
{
    size_t i;
    if (TACO__WITH_TASKS && host && host->parallel_for && n > 1) {
        host->parallel_for(host->parallel_ctx, n, task, arg);
        return;
    }
    for (i = 0; i < n; i++) {
        task(arg, i);
    }
}
