/* names.h - column names for engines in which names are not case-sensitive. Include it after
   taco.h. */
#ifndef NAMES_H
#define NAMES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *zeroed(size_t n, size_t size)
{
    return calloc(n ? n : 1, size);
}

static char *copied(const char *text)
{
    size_t n = strlen(text) + 1;
    char *p = (char *)malloc(n);
    return p ? (char *)memcpy(p, text, n) : NULL;
}

/* FNV-1a of the lower-case name. */
static uint32_t name_hash(const char *s)
{
    uint32_t h = 2166136261U;
    for (; *s; s++) {
        h = (h ^ (uint8_t)(*s >= 'A' && *s <= 'Z' ? *s + 32 : *s)) * 16777619U;
    }
    return h;
}

static bool name_same(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        int x = *a >= 'A' && *a <= 'Z' ? *a + 32 : *a, y = *b >= 'A' && *b <= 'Z' ? *b + 32 : *b;
        if (x != y) { return false; }
    }
    return *a == *b;
}

/* Names of n fields, unique without regard to case; duplicates get _1, _2, ... NULL if out of
   memory. */
static char **names_make(const taco_field *f, size_t n)
{
    char **names = (char **)zeroed(n, sizeof *names);
    uint32_t *hash = (uint32_t *)zeroed(n, sizeof *hash);
    size_t i, k;
    bool ok = names && hash;
    for (i = 0; ok && i < n; i++) {
        size_t len = strlen(f[i].name), tries = 0;
        names[i] = (char *)malloc(len + 24);
        ok = names[i] != NULL;
        if (ok) {
            memcpy(names[i], f[i].name, len + 1);
            hash[i] = name_hash(names[i]);
        }
        for (k = 0; ok && k < i; k++) {
            if (hash[k] == hash[i] && name_same(names[k], names[i])) {
                sprintf(names[i] + len, "_%lu", (unsigned long)++tries);
                hash[i] = name_hash(names[i]);
                k = (size_t)-1; /* compare with all of them again */
            }
        }
    }
    if (!ok) {
        for (i = 0; names && i < n; i++) {
            free(names[i]);
        }
        free(names);
        names = NULL;
    }
    free(hash);
    return names;
}

static void names_free(char **names, size_t n)
{
    size_t i;
    for (i = 0; names && i < n; i++) {
        free(names[i]);
    }
    free(names);
}

#endif
