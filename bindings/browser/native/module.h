/* module.h - exports common to all modules: the error of the last failure, and memory for
   arguments. The including file defines `options`. */
#define EXPORT(name) __attribute__((export_name(name)))

static taco_error failure;

/* Returns the struct that receives failures. max_memory 0 means the default. */
EXPORT("init") taco_error *init(double max_memory)
{
    options.limits.max_memory = (uint64_t)max_memory;
    return &failure;
}

EXPORT("alloc") void *alloc(size_t n)
{
    return realloc(NULL, n);
}

EXPORT("release") void release(void *p)
{
    free(p);
}
