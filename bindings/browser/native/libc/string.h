/* string.h - the part that src/ uses; defined in ../libc.c */
#ifndef BROWSER_STRING_H
#define BROWSER_STRING_H
#include <stddef.h>

void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int memcmp(const void *a, const void *b, size_t n);
void *memchr(const void *p, int byte, size_t n);
char *strcpy(char *to, const char *from);
char *strcat(char *to, const char *from);
size_t strlen(const char *s);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
char *strchr(const char *s, int c);
char *strrchr(const char *s, int c);
char *strstr(const char *s, const char *part);
size_t strspn(const char *s, const char *set);
size_t strcspn(const char *s, const char *set);

/* A copy of a small constant size becomes a load and a store or two, which is far faster and
   smaller than a call. Other copies must not use the builtin: it becomes a bulk memory instruction,
   which is slow to start. (With -ffreestanding the compiler does not recognize memcpy by name.) */
#define memcpy(to, from, n)                                                                        \
    (__builtin_constant_p(n) && (n) <= 32 ? __builtin_memcpy((to), (from), (n))                    \
                                          : (memcpy)((to), (from), (n)))
#define strlen(s) (__builtin_constant_p(*(s)) ? __builtin_strlen(s) : (strlen)(s))

#endif
