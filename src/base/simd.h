/* simd.h - intrinsics, for the few files with kernels that use them: those of x86 by their own
   names, those of ARM and WebAssembly by common ones (TACO__V16)

   Separate from platform.h, because compilers take longer to read <immintrin.h> than any of our
   files. Used by checksum.c, bit_unpack.c and byte_stream_split.c; include it after base.h. */
#ifndef TACO__SIMD_H
#define TACO__SIMD_H

#include "platform.h"

#if TACO__X86
#include <immintrin.h>
#elif TACO__NEON
#include <arm_neon.h>
#elif TACO__WASM_SIMD
#include <wasm_simd128.h>
#endif

#if TACO__NEON || TACO__WASM_SIMD
#define TACO__V16 1
#else
#define TACO__V16 0
#endif

/* ---- vectors of 16 bytes: ARM and WebAssembly ---- */

/* What kernels for both use, under one name. Lanes are in the order of memory. */
#if TACO__NEON
typedef uint8x16_t taco__v16;

TACO__INLINE taco__v16 taco__v16_load(const void *p)
{
    return vld1q_u8((const uint8_t *)p);
}

TACO__INLINE void taco__v16_store(void *p, taco__v16 x)
{
    vst1q_u8((uint8_t *)p, x);
}

/* Byte i is byte at[i] of x, and at[i] < 16. */
TACO__INLINE taco__v16 taco__v16_pick(taco__v16 x, taco__v16 at)
{
    return vqtbl1q_u8(x, at);
}

TACO__INLINE taco__v16 taco__v16_and(taco__v16 x, taco__v16 y)
{
    return vandq_u8(x, y);
}

TACO__INLINE taco__v16 taco__v16_or(taco__v16 x, taco__v16 y)
{
    return vorrq_u8(x, y);
}

TACO__INLINE taco__v16 taco__v16_fill32(uint32_t x)
{
    return vreinterpretq_u8_u32(vdupq_n_u32(x));
}

TACO__INLINE taco__v16 taco__v16_fill64(uint64_t x)
{
    return vreinterpretq_u8_u64(vdupq_n_u64(x));
}

TACO__INLINE taco__v16 taco__v16_sub32(taco__v16 x, taco__v16 y)
{
    return vreinterpretq_u8_u32(vsubq_u32(vreinterpretq_u32_u8(x), vreinterpretq_u32_u8(y)));
}

/* Whether a lane of 32 bits has its top bit set. */
TACO__INLINE bool taco__v16_any_top32(taco__v16 x)
{
    return vmaxvq_u32(vreinterpretq_u32_u8(x)) >> 31 != 0;
}

/* Bytes of x and y in turn: those of their low halves, those of their high halves. */
TACO__INLINE taco__v16 taco__v16_zip_low(taco__v16 x, taco__v16 y)
{
    return vzip1q_u8(x, y);
}

TACO__INLINE taco__v16 taco__v16_zip_high(taco__v16 x, taco__v16 y)
{
    return vzip2q_u8(x, y);
}

/* Shifts each lane right by 0 to 7 bits. Lanes of `by` are made by these macros: a right shift is a
   negative left shift. */
#define TACO__V16_BY32(bits) (0U - (uint32_t)(bits))
#define TACO__V16_BY64(bits) (0U - (uint64_t)(bits))

TACO__INLINE taco__v16 taco__v16_shift32(taco__v16 x, taco__v16 by)
{
    return vreinterpretq_u8_u32(vshlq_u32(vreinterpretq_u32_u8(x), vreinterpretq_s32_u8(by)));
}

TACO__INLINE taco__v16 taco__v16_shift64(taco__v16 x, taco__v16 by)
{
    return vreinterpretq_u8_u64(vshlq_u64(vreinterpretq_u64_u8(x), vreinterpretq_s64_u8(by)));
}
#elif TACO__WASM_SIMD
typedef v128_t taco__v16;

TACO__INLINE taco__v16 taco__v16_load(const void *p)
{
    return wasm_v128_load(p);
}

TACO__INLINE void taco__v16_store(void *p, taco__v16 x)
{
    wasm_v128_store(p, x);
}

TACO__INLINE taco__v16 taco__v16_pick(taco__v16 x, taco__v16 at)
{
    return wasm_i8x16_swizzle(x, at);
}

TACO__INLINE taco__v16 taco__v16_and(taco__v16 x, taco__v16 y)
{
    return wasm_v128_and(x, y);
}

TACO__INLINE taco__v16 taco__v16_or(taco__v16 x, taco__v16 y)
{
    return wasm_v128_or(x, y);
}

TACO__INLINE taco__v16 taco__v16_fill32(uint32_t x)
{
    return wasm_i32x4_splat((int32_t)x);
}

TACO__INLINE taco__v16 taco__v16_sub32(taco__v16 x, taco__v16 y)
{
    return wasm_i32x4_sub(x, y);
}

TACO__INLINE bool taco__v16_any_top32(taco__v16 x)
{
    return wasm_i32x4_bitmask(x) != 0;
}

TACO__INLINE taco__v16 taco__v16_zip_low(taco__v16 x, taco__v16 y)
{
    return wasm_i8x16_shuffle(x, y, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

TACO__INLINE taco__v16 taco__v16_zip_high(taco__v16 x, taco__v16 y)
{
    return wasm_i8x16_shuffle(x, y, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

/* All lanes are shifted by the same count: a product with a power of 2 first brings every lane's
   value to bit 7, with nothing lost but bits above a value of 25 bits. */
#define TACO__V16_BY32(bits) ((uint32_t)128 >> (bits))

TACO__INLINE taco__v16 taco__v16_shift32(taco__v16 x, taco__v16 by)
{
    return wasm_u32x4_shr(wasm_i32x4_mul(x, by), 7);
}
#endif

#endif /* TACO__SIMD_H */
