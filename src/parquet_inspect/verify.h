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
    taco__mem *mem;                                               /* the file's, or a task's */
    taco__codecs *codecs;                                         /* likewise */
    bool (*found)(void *ctx, bool fault, const taco_error *what); /* the caller's, or NULL */
    void *ctx;
    taco_pq_checked *sum;
    taco_error first; /* fault */
    bool stop;        /* found has said so, or a fault was met without one */
    bool in_task;     /* found is that of a task, see verify_tasks.c */
    taco__buf text;   /* of values in messages */
    taco__buf bounds; /* of the page's header */
    uint64_t decoded; /* bytes, see parquet/expansion.c */

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
    bool no_crc;               /* warned of a page whose CRC was not set */
    bool odd_value;            /* warned of a value that the annotation excludes */
    bool odd_statistics;       /* warned of statistics that cannot be */
    bool odd_encoding;         /* warned of a page's encoding that the chunk does not list */
    taco__verify_counts total; /* of its pages so far */

    /* the data page at hand */
    size_t page_index; /* data pages of the chunk before it */
    taco__verify_counts page;
    taco__verify_claim claims[3]; /* of the chunk, of the page's header, of the column index */
} taco__verify;

/* Counts a finding, and hands it to the caller as it is. */
TACO__FN void taco__verify_emit(taco__verify *v, bool fault, const taco_error *e);
/* Hands a finding to the caller, after the place: the file, row group and column at hand. */
TACO__FN void taco__verify_report(taco__verify *v, bool fault, taco_error *e);

#define TACO__VERIFY_WARN(v, at, ...)                                                              \
    do {                                                                                           \
        taco_error warning;                                                                        \
        memset(&warning, 0, sizeof warning);                                                       \
        TACO__FAIL(&warning, TACO_ERR_CORRUPT, (at), __VA_ARGS__);                                 \
        taco__verify_report((v), false, &warning);                                                 \
    } while (0)

/* Where the buffers of a zeroed state get their memory, and the end of them. */
TACO__FN void taco__verify_set_memory(taco__verify *v, taco__mem *mem);
TACO__FN void taco__verify_free(taco__verify *v);
/* The chunks of a column in a row group, then what they are together. */
TACO__FN void taco__verify_column(taco__verify *v, uint32_t group, uint32_t column);

/* ---- verify_tasks.c ---- */

#define TACO__VERIFY_TASKS 64 /* columns that are checked in one round, at most */

/* A column of a row group and what was found of it. */
typedef struct taco__verify_task {
    taco__mem own;
    taco__verify v;
    taco_pq_checked sum;
    taco__buf findings; /* taco__verify_finding each, in the order of the file */
    uint32_t group, column;
    uint64_t bytes;
    /* it ran out of memory, or of the bytes that were fetched: to be done by the calling thread */
    bool again;
} taco__verify_task;

typedef struct taco__verify_tasks {
    taco__verify *v;                   /* the caller's */
    taco__verify_task *items;          /* TACO__VERIFY_TASKS of them; NULL: no tasks */
    taco__buf ranges;                  /* what the source must be asked for: taco__range each */
    size_t count;                      /* of the round */
    uint8_t order[TACO__VERIFY_TASKS]; /* in which they run */
} taco__verify_tasks;

TACO__FN void taco__verify_tasks_open(taco__verify_tasks *t, taco__verify *v);
TACO__FN void taco__verify_tasks_close(taco__verify_tasks *t);
/* Checks columns of row groups side by side, from number `at` of all of them on. Returns how many;
   0 where that must be done, or does not pay, one by one. */
TACO__FN size_t taco__verify_tasks_run(taco__verify_tasks *t, uint64_t at);

/* ---- verify_values.c ---- */

/* Warns of the values in the reader's batch that lie outside what is claimed for them. */
TACO__FN void taco__verify_values_bounds(taco__verify *v);
/* Warns of the first one of the chunk that the column's annotation excludes. */
TACO__FN void taco__verify_values_annotation(taco__verify *v);
/* Warns of the first one that the chunk's bloom filter denies. Failures of reading it go to err. */
TACO__FN void taco__verify_values_bloom(taco__verify *v, taco_error *err);

#endif /* TACO__VERIFY_H */
