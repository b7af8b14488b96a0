/* taco_v3.h - TACO 3, every draft of it: archives, FOLDERs, catalogues, lists of sources; read
   only.

   Optional, next to taco.h and taco_parquet.h. In the one source file that holds the
   implementation:

       #define TACO_IMPLEMENTATION
       #include "taco_v3.h"          (includes the other headers it needs)

   C99 or C++11; nothing but libc. What taco.h says about errors, ownership, limits and threads
   holds here.

       const taco_opener *openers[] = {taco_v3_opener(), NULL};
       taco_options       opt = {0};
       opt.openers = openers;
       ds = taco_open("dataset.zip", &opt, &err);

   Level 0 of the dataset is the relation `dataset`: a row for each sample, with its columns, its
   number (taco:sample_index), in a catalogue or a list of sources the archive (source_file), and
   for each declared file FILE::location, its path for GDAL, and FILE::minimum and the like, if
   there are statistics. A sequence of files img*[1,12].tif is one column of lists, img::location,
   in the order of the numbers. Keys of samples are ids or positions, then a path:
   "scene-5/before/B02.tif", "@0/before/B02.tif".

   GENERATED from src/ by `make headers`: edit src/, not this file. src/where.sh taco_v3.h:LINE
   prints where a line comes from. */
#ifndef TACO_V3_H
#define TACO_V3_H

#include "taco_write.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the opener of TACO 3, for taco_options.openers. taco_open then takes CoZIP archives
   whatever their names, whose index, ranges and hash are checked, and directories: a FOLDER, a
   .tacocat or its parent; taco_open_many several archives or FOLDERs of one collection.
   taco:version must be 3.0.0, as it has been in all drafts. A constant. */
TACO_API const taco_opener *taco_v3_opener(void);

/* Returns a table as a dataset of one level, for queries, SQL and exports: "sample", "children",
   "children/before" (the contents of each sample's folder `before`), or "dataset", which is ds.
   Tables have the columns that are stored, and internal:gdal_vsi. It is closed with ds. NULL, with
   NOT_FOUND, if there is no such table. */
TACO_API taco_dataset *taco_v3_table(taco_dataset *ds, const char *name, taco_error *err);

/* Returns a list of columns of level 0 for taco_query.select: all columns of the samples, and those
   of the n declared files, of the files' columns no others (n 0: those of every file). A file is
   named as in taco:structure, a sequence also without its "*[...]".

       ds           a TACO 3
       files        names of declared files; NOT_FOUND, with the name, for any other
       n            how many
       places_only  only FILE::location, and no columns of the samples

   The text is valid until the next call for ds. NULL on failure. */
TACO_API const char *taco_v3_columns(taco_dataset *ds, const char *const *files, size_t n,
                                     bool places_only, taco_error *err);

#ifdef __cplusplus
}
#endif
#endif /* TACO_V3_H */
