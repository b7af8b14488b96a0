/* simd.h - x86 intrinsics, for the few files with kernels that use them

   Separate from platform.h, because compilers take longer to read <immintrin.h> than any of our
   files. Used by checksum.c and bit_unpack.c; include it after base.h. */
#ifndef TACO__SIMD_H
#define TACO__SIMD_H

#include "platform.h"

#if TACO__X86
#include <immintrin.h>
#endif

#endif /* TACO__SIMD_H */
