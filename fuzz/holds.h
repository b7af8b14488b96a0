/* Conditions that must hold for any input: a fuzzer reports the abort as a finding. */
#ifndef FUZZ_HOLDS_H
#define FUZZ_HOLDS_H
#include <stdlib.h>

#define HOLDS(cond)                                                                                \
    do {                                                                                           \
        if (!(cond)) { abort(); }                                                                  \
    } while (0)

#endif
