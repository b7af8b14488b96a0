/* verify.h - what the checker of whole files knows, for verify*.c only */
#ifndef TACO__VERIFY_H
#define TACO__VERIFY_H

#include "inspect.h"

/* Bounds and counts that a file claims for some of its values. */
typedef struct taco__verify_claim {
    const char *what; /* "statistics", "page statistics", "column index" */
    taco__pq_bounds bounds;
    bool reported; /* one warning about its bounds is enough */
} taco__verify_claim;

/* Rows, nulls and level entries that were read. */
typedef struct taco__verify_counts {
    uint64_t rows, nulls, entries;
} taco__verify_counts;

typedef struct taco__verify {
    taco_pq_file *file;
    bool (*found)(void *ctx, bool fault, const taco_error *what); /* the caller's, or NULL */
    void *ctx;
    taco_pq_checked *sum;
    taco_error first; /* fault */
    bool stop;        /* found has said so, or a fault was met without one */
    taco__buf text;   /* of values in messages */

    /* the chunk at hand */
    taco__arena arena; /* its indexes */
    taco__chunk_reader reader;
    const taco__pq_column_chunk *chunk;
    uint32_t group, leaf;
    taco__stats_order order;
    bool has_columns, has_offsets; /* which indexes there are */
    taco__pq_column_index columns;
    taco__pq_offset_index offsets;
    taco__bloom bloom; /* where has_bloom */
    bool has_bloom;
    bool odd_encoding;         /* warned of a page's encoding that the chunk does not list */
    taco__verify_counts total; /* of its pages so far */

    /* the data page at hand */
    size_t page_index; /* data pages of the chunk before it */
    taco__verify_counts page;
    taco__verify_claim claims[3]; /* of the chunk, of the page's header, of the column index */
} taco__verify;

/* Hands a finding to the caller, after the place: the file, row group and column at hand. */
TACO__FN void taco__verify_report(taco__verify *v, bool fault, taco_error *e);

#define TACO__VERIFY_WARN(v, at, ...)                                                              \
    do {                                                                                           \
        taco_error warning;                                                                        \
        memset(&warning, 0, sizeof warning);                                                       \
        TACO__FAIL(&warning, TACO_ERR_CORRUPT, (at), __VA_ARGS__);                                 \
        taco__verify_report((v), false, &warning);                                                 \
    } while (0)

/* ---- verify_values.c ---- */

/* Warns of the values in the reader's batch that lie outside what is claimed for them. */
TACO__FN void taco__verify_values_bounds(taco__verify *v);
/* Warns of the first one that the chunk's bloom filter denies. Failures of reading it go to err. */
TACO__FN void taco__verify_values_bloom(taco__verify *v, taco_error *err);

#endif /* TACO__VERIFY_H */
