/* stdlib.h - the part that src/ uses; defined in ../libc.c */
#ifndef BROWSER_STDLIB_H
#define BROWSER_STDLIB_H
#include <stddef.h>

void *realloc(void *p, size_t size);
void free(void *p);
void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *base, size_t n, size_t size,
              int (*compare)(const void *, const void *));

#endif
