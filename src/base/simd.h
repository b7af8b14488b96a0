/* simd.h - the intrinsics of x86, for the few files that have kernels written with them

   Apart from platform.h, since compilers take longer to read <immintrin.h> than any of our files.
   Used by checksum.c and bit_unpack.c; include it after base.h. */
#ifndef TACO__SIMD_H
#define TACO__SIMD_H

#include "platform.h"

#if TACO__X86
#include <immintrin.h>
#endif

#endif /* TACO__SIMD_H */
