/* taco_write.h - create, consolidate, export, convert, validate and repair TACO datasets.

   Optional, beside taco.h and taco_parquet.h. In the one source file that holds the implementation:

       #define TACO_IMPLEMENTATION
       #include "taco_write.h"          (includes the other headers it needs)

   C99 or C++11; nothing but libc. What taco.h says of errors, ownership, limits and threads holds here.

   ROOMS, in order of dependency; those of the headers it includes stand before them.

   model     - the rules of ids, names, trees and COLLECTION.json, and what is computed from a tree
   zipw      - STORE-mode archives out: local headers, central directory, ZIP64, TACO_HEADER
   pack      - level tables, __meta__ and payloads into an archive or a folder
   make      - samples, folders and columns handed over one by one
   ext       - columns and fields of the known extensions
   merge     - many datasets as one: .tacocat, __TACOCAT__, merged collections
   export    - views of a dataset, and whole datasets, into other containers
   check     - every rule held against a dataset that stands
   repair    - offsets and headers made right again */
#ifndef TACO_WRITE_H
#define TACO_WRITE_H

#include "taco_tiff.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}
#endif
#endif /* TACO_WRITE_H */

#if defined(TACO_IMPLEMENTATION) && !defined(TACO__WRITE_IMPLEMENTED)
#define TACO__WRITE_IMPLEMENTED
#include "taco_tiff.h" /* its implementation too, where only its declarations were seen before */

/* ==== ROOM model: the rules of ids, names, trees and COLLECTION.json, and what is computed from a tree ==== */

/* ==== ROOM zipw: STORE-mode archives out: local headers, central directory, ZIP64, TACO_HEADER ==== */

/* ==== ROOM pack: level tables, __meta__ and payloads into an archive or a folder ==== */

/* ==== ROOM make: samples, folders and columns handed over one by one ==== */

/* ==== ROOM ext: columns and fields of the known extensions ==== */

/* ==== ROOM merge: many datasets as one: .tacocat, __TACOCAT__, merged collections ==== */

/* ==== ROOM export: views of a dataset, and whole datasets, into other containers ==== */

/* ==== ROOM check: every rule held against a dataset that stands ==== */

/* ==== ROOM repair: offsets and headers made right again ==== */

#endif /* TACO_IMPLEMENTATION */
