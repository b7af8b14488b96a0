/* What has to hold whatever the input: a fuzzer takes the abort for a finding. */
#ifndef FUZZ_HOLDS_H
#define FUZZ_HOLDS_H
#include <stdlib.h>

#define HOLDS(cond)                                                                                \
    do {                                                                                           \
        if (!(cond)) { abort(); }                                                                  \
    } while (0)

#endif
