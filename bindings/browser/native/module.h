/* module.h - the exports that all modules have: where failures are noted, and memory for arguments;
   `options` are those of the file that includes it. */
#define EXPORT(name) __attribute__((export_name(name)))

static taco_error failure;

/* Returns where failures are noted. max_memory 0 is the default. */
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
