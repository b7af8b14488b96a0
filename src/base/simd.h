/* simd.h - the intrinsics of the processor, for the few files with kernels of them: the compiler
   takes longer to read them than any of our files. */
#ifndef TACO__SIMD_H
#define TACO__SIMD_H

#include "platform.h"

#if TACO__X86
#include <immintrin.h>
#endif

#endif /* TACO__SIMD_H */
