/* taco_parquet_inspect.h - what is in a Parquet file, as text and JSON, and whether all of it is
   right. Optional; needs taco_parquet.h beside it.

   Do this in exactly one source file, before other includes:

       #define TACO_PARQUET_IMPLEMENTATION
       #include "taco_parquet_inspect.h"

   and include the header plainly wherever else it is used. Switches, memory, threads and errors are
   those of taco_parquet.h.

       taco_error      err = {0};
       taco_pq_file   *file = taco_pq_open("level0.parquet", NULL, &err);
       taco_bytes      schema = taco_pq_schema_text(file, &err);
       taco_pq_checked sum;

       printf("%.*s", (int)schema.len, (const char *)schema.data);
       if (taco_pq_verify(file, NULL, NULL, &sum, &err)) puts(taco_error_text(&err));
       taco_pq_close(file);

   MADE from src/ by `make headers`: edit src/, not this file. src/where.sh
   taco_parquet_inspect.h:LINE prints where a line comes from. */
#ifndef TACO_PARQUET_INSPECT_H
#define TACO_PARQUET_INSPECT_H

#include "taco_parquet.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Return the schema in Parquet's message type notation; row groups, chunks and statistics as one
   JSON object; and these as lines for people. _meta_json lives until its next call, the others
   until the next call of either; none outlives the file. */
TACO_API taco_bytes taco_pq_schema_text(taco_pq_file *file, taco_error *err);
TACO_API taco_bytes taco_pq_meta_json(taco_pq_file *file, taco_error *err);
TACO_API taco_bytes taco_pq_meta_text(taco_pq_file *file, taco_error *err);

/* What taco_pq_verify did. */
typedef struct taco_pq_checked {
    uint64_t row_groups, rows, chunks; /* checked and good */
    uint64_t pages, crcs, values;      /* pages read, those with a CRC, level entries in them */
    uint64_t skipped;                  /* chunks that are encrypted or in another file */
    uint64_t faults, warnings;
} taco_pq_checked;

/* Reads every page of every column chunk and checks CRCs, lengths, levels, dictionary indices,
   values, row counts, and the offset and column index against the pages. What does not fit is a
   fault; statistics that the values contradict, bloom filters that deny a value, and whatever else
   readers cope with, are warnings. found gets each of them, in the order of the file and from the
   calling thread whatever taco_options.parallel_for does, with a text that says where, valid during
   the call; it returns false to stop. After a fault the rest of that chunk is skipped. With found
   NULL the first fault ends the work. *out may be NULL; it is filled in any case. Returns the code
   of the first fault, which is also in err; TACO_OK when there is none.

       file   open
       found  gets each finding, fault false for a warning; may be NULL
       ctx    for found
       out    gets the counts; may be NULL */
TACO_API taco_status taco_pq_verify(taco_pq_file *file,
                                    bool (*found)(void *ctx, bool fault, const taco_error *what),
                                    void *ctx, taco_pq_checked *out, taco_error *err);

#ifdef __cplusplus
}
#endif

#endif /* TACO_PARQUET_INSPECT_H */
