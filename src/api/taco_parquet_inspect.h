/* taco_parquet_inspect.h - print a Parquet file's schema and footer as text and JSON, and verify
   all of its pages. Optional; needs taco_parquet.h next to it.

   Do this in exactly one source file, before other includes:

       #define TACO_PARQUET_IMPLEMENTATION
       #include "taco_parquet_inspect.h"

   and include the header without the macro everywhere else. Switches, memory, threads and errors
   are as in taco_parquet.h.

       taco_error      err = {0};
       taco_pq_file   *file = taco_pq_open("level0.parquet", NULL, &err);
       taco_bytes      schema = taco_pq_schema_text(file, &err);
       taco_pq_checked sum;

       printf("%.*s", (int)schema.len, (const char *)schema.data);
       if (taco_pq_verify(file, NULL, NULL, &sum, &err)) puts(taco_error_text(&err));
       taco_pq_close(file);

   GENERATED from src/ by `make headers`: edit src/, not this file. src/where.sh
   taco_parquet_inspect.h:LINE prints where a line comes from. */
#ifndef TACO_PARQUET_INSPECT_H
#define TACO_PARQUET_INSPECT_H

#include "taco_parquet.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Return the schema in Parquet's message type notation; row groups, chunks and statistics as one
   JSON object; and the same as readable text. The result of _meta_json lives until its next call,
   those of the others until the next call of either; none outlives the file. */
TACO_API taco_bytes taco_pq_schema_text(taco_pq_file *file, taco_error *err);
TACO_API taco_bytes taco_pq_meta_json(taco_pq_file *file, taco_error *err);
TACO_API taco_bytes taco_pq_meta_text(taco_pq_file *file, taco_error *err);

/* What taco_pq_verify has checked and found. */
typedef struct taco_pq_checked {
    uint64_t row_groups, rows, chunks; /* checked and good */
    uint64_t pages, crcs, values;      /* pages read, pages with a CRC, level entries in pages */
    uint64_t skipped;                  /* chunks that are encrypted or in another file */
    uint64_t faults, warnings;
} taco_pq_checked;

/* Reads every page of every column chunk and checks CRCs, lengths, levels, dictionary indices,
   values, row counts, and the offset and column index against the pages. Inconsistencies are
   faults; statistics that the values contradict, bloom filters that miss a value, and whatever else
   readers cope with, are warnings. found is called for each, in file order and always from the
   calling thread, with a text that says where, valid during the call; it returns false to stop.
   After a fault the rest of that chunk is skipped. If found is NULL, the first fault ends the work.
   *out, which may be NULL, is filled on failure too. Returns the code of the first fault, which is
   also in err; TACO_OK when there is none.

       file   the file to verify
       found  called for each finding, with fault false for a warning; may be NULL
       ctx    passed to found
       out    gets the counts; may be NULL */
TACO_API taco_status taco_pq_verify(taco_pq_file *file,
                                    bool (*found)(void *ctx, bool fault, const taco_error *what),
                                    void *ctx, taco_pq_checked *out, taco_error *err);

#ifdef __cplusplus
}
#endif

#endif /* TACO_PARQUET_INSPECT_H */
