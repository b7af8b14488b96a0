/* taco_legacy.h - Tortilla 0.5 and TACO 0.2: read, write, convert.

   Optional, beside taco.h and taco_parquet.h. In the one source file that holds the implementation:

       #define TACO_IMPLEMENTATION
       #include "taco_legacy.h"          (includes the other headers it needs)

   C99 or C++11; nothing but libc. What taco.h says of errors, ownership, limits and threads holds here.

   ROOMS, in order of dependency; those of the headers it includes stand before them.

   tortilla  - headers, footers and nested tables of Tortilla and TACO 0.x
   chain     - the streaming chain of footers of TACO 0.2.0
   oldw      - writers of the old containers
   forward   - old datasets as TACO 2, and back */
#ifndef TACO_LEGACY_H
#define TACO_LEGACY_H

#include "taco_write.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}
#endif
#endif /* TACO_LEGACY_H */

#if defined(TACO_IMPLEMENTATION) && !defined(TACO__LEGACY_IMPLEMENTED)
#define TACO__LEGACY_IMPLEMENTED
#include "taco_write.h" /* its implementation too, where only its declarations were seen before */

/* ==== ROOM tortilla: headers, footers and nested tables of Tortilla and TACO 0.x ==== */

/* ==== ROOM chain: the streaming chain of footers of TACO 0.2.0 ==== */

/* ==== ROOM oldw: writers of the old containers ==== */

/* ==== ROOM forward: old datasets as TACO 2, and back ==== */

#endif /* TACO_IMPLEMENTATION */
