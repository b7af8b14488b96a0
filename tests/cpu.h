/* Lets a program that has its own copy of a source pretend to run on a processor that lacks an
   extension. Include it before any other header. */
#ifndef TACO_TEST_CPU_H
#define TACO_TEST_CPU_H

#include "test.h"

#include <stdbool.h>

TEST_FN const char *cpu_lacks = ""; /* the name of the extension */

#if (defined(__x86_64__) || defined(__i386__)) && (defined(__GNUC__) || defined(__clang__))
TEST_FN bool cpu_has(bool has, const char *isa)
{
    return has && strcmp(isa, cpu_lacks) != 0;
}

#define TACO__CPU_HAS(isa) cpu_has(__builtin_cpu_supports(isa) != 0, isa)
#endif

#endif
