/* taco_rasteret.h - Rasteret collections: read, validate, enrich, write.

   Optional, beside taco.h and taco_parquet.h. In the one source file that holds the implementation:

       #define TACO_IMPLEMENTATION
       #include "taco_rasteret.h"          (includes the other headers it needs)

   C99 or C++11; nothing but libc. What taco.h says of errors, ownership, limits and threads holds here.

   ROOMS, in order of dependency; those of the headers it includes stand before them.

   hive      - partitioned directories of Parquet files as one table
   contract  - what a collection must hold
   raster    - the calls of the public API
   enrich    - headers of assets into columns
   build     - collections out, and to and from TACO */
#ifndef TACO_RASTERET_H
#define TACO_RASTERET_H

#include "taco_write.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}
#endif
#endif /* TACO_RASTERET_H */

#if defined(TACO_IMPLEMENTATION) && !defined(TACO__RASTERET_IMPLEMENTED)
#define TACO__RASTERET_IMPLEMENTED
#include "taco_write.h" /* its implementation too, where only its declarations were seen before */

/* ==== ROOM hive: partitioned directories of Parquet files as one table ==== */

/* ==== ROOM contract: what a collection must hold ==== */

/* ==== ROOM raster: the calls of the public API ==== */

/* ==== ROOM enrich: headers of assets into columns ==== */

/* ==== ROOM build: collections out, and to and from TACO ==== */

#endif /* TACO_IMPLEMENTATION */
