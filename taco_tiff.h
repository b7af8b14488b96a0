/* taco_tiff.h - read the headers of TIFF, BigTIFF and COG files.

   Optional, beside taco.h and taco_parquet.h. In the one source file that holds the implementation:

       #define TACO_IMPLEMENTATION
       #include "taco_tiff.h"          (includes the other headers it needs)

   C99 or C++11; nothing but libc. What taco.h says of errors, ownership, limits and threads holds here.

   ROOMS, in order of dependency; those of the headers it includes stand before them.

   tiff      - directories, tags and geo keys of the first image */
#ifndef TACO_TIFF_H
#define TACO_TIFF_H

#include "taco.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}
#endif
#endif /* TACO_TIFF_H */

#if defined(TACO_IMPLEMENTATION) && !defined(TACO__TIFF_IMPLEMENTED)
#define TACO__TIFF_IMPLEMENTED
#include "taco.h" /* its implementation too, where only its declarations were seen before */

/* ==== ROOM tiff: directories, tags and geo keys of the first image ==== */

#endif /* TACO_IMPLEMENTATION */
