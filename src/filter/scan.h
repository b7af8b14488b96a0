/* scan.h - scans: rows of a table that match a predicate, with their columns */
#ifndef TACO__SCAN_H
#define TACO__SCAN_H

#include "filter.h"

/* The parts of a taco__scan, in the order in which a row passes through them. Each is written by
   the functions of one file alone, the caller's settings (taco__scan_query) by nobody once the
   first rows have been asked for. Tasks that run side by side read all of it and write only to
   their own taco__scan_filter or taco__scan_reader. */

/* Rows a predicate is evaluated on at a time: their values stay in the cache. */
#define TACO__SCAN_SLICE 8192
/* Bytes of column chunks held at a time, for a vectored source or for tasks. */
#define TACO__SCAN_AHEAD ((uint64_t)64 << 20)
/* Row groups that are looked at together, at most. */
#define TACO__SCAN_WINDOW_GROUPS 256
/* Tasks at the same time, at most. */
#define TACO__SCAN_MAX_TASKS 16
/* The first place for spare blocks (taco__mem_task_take_spares) that a scan leaves to others: its
   filters have 1 to TACO__SCAN_MAX_TASKS, its readers, one more than those, the places after. */
#define TACO__SCAN_SPARES (2 * TACO__SCAN_MAX_TASKS + 2)

/* What to read. tested is the scan's own list, the rest is borrowed. */
typedef struct taco__scan_query {
    const taco__table *table;
    const taco__expr *where; /* bound to the table's columns; NULL: every row matches */
    const uint8_t *select;   /* bitmap over the table's rows; NULL: all of them */
    uint64_t from, to;       /* rows outside [from, to) are not looked at */
    size_t batch_rows;       /* of a batch, at most; TACO__BATCH_ROWS unless the caller says */
    const size_t *tested;    /* table columns that `where` reads, ascending */
    size_t tested_count;
    /* the scan's number in the cache of pages (taco__page_cache_begin_scan): pages of chunks that
       it has marked stay there; 0: nothing is cached */
    uint64_t cache_scan;
} taco__scan_query;

/* Rows of a table that may match, one after the other. Those of a scan ascend; one span may reach
   over several row groups. */
typedef struct taco__scan_span {
    uint64_t first, n;
    bool all_match; /* by statistics: nothing has to be evaluated */
} taco__scan_span;

/* What pruning saved, for those who ask. */
typedef struct taco__scan_counts {
    uint64_t groups, groups_pruned;           /* by statistics */
    uint64_t bloom_pruned, dictionary_pruned; /* row groups beyond those */
    /* stretches of rows between page boundaries, by the column index */
    uint64_t pages, pages_pruned;
} taco__scan_counts;

/* Row groups that are looked at together, before any of their pages is read. The arrays are the
   caller's, of room for as many row groups as it asks for. */
typedef struct taco__scan_window {
    uint32_t *groups;  /* ascending */
    uint8_t *outcomes; /* of each what statistics say, a set of taco__outcomes */
    size_t count;
} taco__scan_window;

/* Which rows are still to be looked at: scan_plan.c takes row groups one after the other or a
   window of them at a time, scan_prune.c drops what cannot match. */
typedef struct taco__scan_plan {
    uint32_t next_group;        /* row groups before this one are done, or at hand */
    taco__buf spans;            /* taco__scan_span, of the row groups at hand */
    size_t span_at;             /* one row group at a time: spans before this one are evaluated */
    uint64_t next_row, end_row; /* a window: the rows that are still to be evaluated */
    taco__column_stats *stats;  /* of the row group or page at hand, by table column */
    taco__bloom bloom;          /* the filter that was read last */
    taco__scan_counts counts;
    bool unpruned; /* for tests: everything is read and evaluated */
} taco__scan_plan;

/* Rows of one row group whose pages are needed: those of spans, as far as `select` has them, or,
   where `rows` is not NULL, those numbers. */
typedef struct taco__row_selection {
    uint64_t cache_scan; /* pages that are cached for this scan are not needed; 0: all are */
    const taco__scan_span *spans;
    size_t span_count;
    const uint8_t *select;
    const uint32_t *rows; /* ascending, counted from base */
    size_t row_count;
    uint64_t base;
} taco__row_selection;

/* The bytes a scan has asked its file to hold (scan_fetch.c). */
typedef struct taco__scan_fetch {
    bool windowed;            /* of several row groups at a time: a vectored source, or tasks */
    bool keep_tested;         /* chunks of tested columns stay held: they will be read again */
    taco__buf ranges;         /* taco__range: gathered for the next round */
    taco__buf tested, output; /* taco__range: held, for the predicate and for what goes out */
    size_t ready;             /* matches before this one have the columns that go out held */
} taco__scan_fetch;

/* Rows that were found, ascending. Those of a run, which is what a scan without a predicate finds,
   are not written out. */
typedef struct taco__scan_matches {
    taco__buf numbers; /* uint32_t each, counted from the scan's base; not of a run */
    size_t count;
    uint32_t first; /* of a run */
    bool is_run;    /* the matches are first, first + 1, ... */
} taco__scan_matches;

/* What it takes to evaluate the predicate: one for the calling thread, and one per task. */
typedef struct taco__scan_filter {
    taco__mem own; /* the account of a task */
    taco__mem *mem;
    taco__codecs *codecs;       /* of a task; NULL: those of the file */
    taco__row_reader reader;    /* of the tested columns */
    const taco_array **columns; /* what it reads, by table column */
    taco__column_stats *stats;  /* of the row group at hand, by table column */
    taco__buf bitmap;           /* of a slice: which rows match */
    uint64_t first, end;        /* rows to be evaluated */
    taco__scan_matches found;   /* the calling thread's: what all have found */
    uint64_t dictionary_pruned; /* row groups */
    taco_error err;             /* of a task */
    bool open, ok;
} taco__scan_filter;

/* Columns that go out of some of the matches, read by a task. */
typedef struct taco__scan_reader {
    taco__mem own; /* the account of the task */
    taco__codecs *codecs;
    taco__row_reader rows;
    size_t first, n; /* matches [first, first + n) */
    taco_error err;
    bool ok;
} taco__scan_reader;

/* What a task does with rows that it has just read, as long as the cache holds them: `reader` is
   the number of its taco__scan_reader. Tasks call it at the same time: it may write only to what
   belongs to that reader, and use only the reader's account of memory. What it makes of n rows is
   found again by taco__scan_task_last_reader once they are delivered. */
typedef void (*taco__scan_rows_read)(void *ctx, size_t reader);

/* The tasks of a scan (scan_parallel.c), run by the host's parallel_for. */
typedef struct taco__scan_tasks {
    const taco_options *host;   /* NULL: no tasks, from the start or since they failed */
    size_t width;               /* tasks at the same time */
    taco__scan_filter *filters; /* `width` of them, once they are needed */
    /* taco__scan_task_max_readers of them, once they are needed */
    taco__scan_reader *readers;
    size_t reader_count; /* of the last batch */
    uint64_t batch;      /* how many batches tasks have read: the number of the last one */
    size_t batch_end;    /* matches before this one were read... */
    bool batch_by_tasks; /* ... by tasks */
    taco__scan_rows_read rows_read; /* or NULL */
    void *rows_read_ctx;
} taco__scan_tasks;

typedef struct taco__scan {
    taco__scan_query query;
    taco__mem *mem;
    taco__arena arena;
    taco__scan_plan plan;
    taco__scan_fetch fetch;
    taco__scan_filter filter; /* of the calling thread; filter.found is what was found */
    taco__scan_tasks tasks;
    taco__row_reader out; /* the columns that go out */
    uint64_t base;        /* the row that numbers of matches count from */
    size_t delivered;     /* matches that taco__scan_next has returned */
    taco__buf ordinals;   /* uint32_t 0, 1, 2, ...: numbers of the rows of a run */
} taco__scan;

/* The i-th match, counted from the scan's base. */
TACO__INLINE uint32_t taco__scan_match(const taco__scan_matches *m, size_t i)
{
    return m->is_run ? m->first + (uint32_t)i
                     : ((const uint32_t *)(const void *)m->numbers.data)[i];
}

/* ---- reader.c ---- */

/* A query of a Parquet file. */
struct taco_pq_reader {
    taco_pq_file *file;
    taco__table table;
    taco__arena arena; /* the predicate, and the lists of columns */
    taco__scan scan;
    taco_field *fields; /* of the columns that go out */
    size_t count;
    uint64_t left;  /* rows up to the limit */
    bool owns_file; /* the file is closed with it: an export was asked to */
    taco_error err; /* the first failure: nothing is read after it */
};

/* ---- scan.c ---- */

/* Opens a scan of the rows of a table that match. where and select may be NULL and are borrowed,
   the list of columns that go out is copied. batch_rows 0: as many as suit. False leaves the scan
   closed. */
TACO__FN bool taco__scan_open(taco__scan *s, const taco__table *t, const taco__expr *where,
                              const uint8_t *select, const size_t *out_columns, size_t out_count,
                              size_t batch_rows, taco__mem *mem, taco_error *err);
/* Only rows [first, first + n) of the table are looked at; before the first call of
   taco__scan_next. Numbers beyond the table's are cut to them. */
TACO__FN void taco__scan_set_rows(taco__scan *s, uint64_t first, uint64_t n);
/* How many rows taco__scan_next returns at most, > 0; at any time. */
TACO__FN void taco__scan_set_batch_rows(taco__scan *s, size_t n);
/* Releases what the scan holds, also its ranges of the file. A zeroed or closed scan is
   accepted. */
TACO__FN void taco__scan_close(taco__scan *s);
/* Numbers of the next rows that match, ascending, counted from *base: at most max of them, 0 at the
   end and on failure, which err tells apart. With `read` their columns are in s->out.arrays. All of
   it lives until the next call. */
TACO__FN size_t taco__scan_next(taco__scan *s, size_t max, bool read, const uint32_t **rows,
                                uint64_t *base, taco_error *err);

/* ---- scan_matches.c ---- */

/* Adding matches, in ascending order: numbers into room that was reserved, runs, all of another. */
TACO__FN void taco__scan_matches_clear(taco__scan_matches *m);
TACO__FN void taco__scan_matches_truncate(taco__scan_matches *m, size_t n);
TACO__FN uint32_t *taco__scan_matches_reserve(taco__scan_matches *m, size_t n, taco_error *err);
TACO__FN void taco__scan_matches_commit(taco__scan_matches *m, size_t n);
TACO__FN bool taco__scan_matches_add_run(taco__scan_matches *m, uint32_t first, size_t n,
                                         taco_error *err);
TACO__FN bool taco__scan_matches_append(taco__scan_matches *m, const taco__scan_matches *other,
                                        taco_error *err);
/* Looking for matches, and reading their columns. */
TACO__FN size_t taco__scan_matches_lower_bound(const taco__scan_matches *m, size_t from, size_t to,
                                               uint64_t number);
TACO__FN bool taco__scan_matches_read(const taco__scan_matches *m, size_t at, size_t n,
                                      taco__row_reader *r, uint64_t base, taco_error *err);

/* ---- scan_plan.c ---- */

/* A query as a plan of what to read, without reading a page: taco__scan_next takes it step by step,
   EXPLAIN prints it. First row groups by the statistics of the footer; then, once the indexes that
   taco__scan_fetch_add_indexes names are held, the rows of those that may match, in plan.spans. */
TACO__FN bool taco__scan_plan_next_group(taco__scan *s, uint32_t *group, unsigned *may);
TACO__FN void taco__scan_plan_window(taco__scan *s, taco__scan_window *w);
TACO__FN void taco__scan_plan_all_groups(taco__scan *s, taco__scan_window *w);
TACO__FN bool taco__scan_plan_rows(taco__scan *s, taco__scan_window *w, taco_error *err);
TACO__FN bool taco__scan_plan_group_rows(const taco__scan *s, uint32_t group, size_t *at,
                                         taco__row_selection *rows);
TACO__FN bool taco__scan_plan_add_span(taco__scan *s, uint64_t first, uint64_t end, bool all_match,
                                       taco_error *err);

/* ---- scan_prune.c ---- */

/* What the statistics of a file say, also for those who have no scan. */
TACO__FN uint32_t taco__scan_prune_flat_leaf(const taco__table *t, size_t column);
TACO__FN void taco__scan_prune_bounds_of(const taco__pq_leaf *leaf, const taco__pq_bounds *b,
                                         int64_t rows, taco__column_stats *out);
TACO__FN void taco__scan_prune_group_bounds(const taco__table *t, uint32_t group, size_t column,
                                            taco__column_stats *out);
/* The steps of pruning, by cost. Those that fill plan.spans read indexes that are not held. */
TACO__FN bool taco__scan_prune_group_selected(const taco__scan *s, uint32_t g);
TACO__FN unsigned taco__scan_prune_group(taco__scan *s, uint32_t group);
TACO__FN bool taco__scan_prune_has_bloom(const taco__scan *s, uint32_t group, size_t column);
TACO__FN bool taco__scan_prune_by_bloom(taco__scan *s, uint32_t group, unsigned *may,
                                        taco_error *err);
TACO__FN bool taco__scan_prune_by_page_index(taco__scan *s, uint32_t group, unsigned may,
                                             taco_error *err);
TACO__FN bool taco__scan_prune_by_dictionary(taco__scan *s, uint32_t group, taco_error *err);

/* ---- scan_fetch.c ---- */

/* What has to be read of a file is gathered first, as ranges of it, then read in one round and held
   until it is released. The functions without a scan serve other readers of rows, too. */
TACO__FN bool taco__scan_fetch_add_range(taco__buf *ranges, const taco_pq_file *f, uint64_t offset,
                                         uint64_t len, taco_error *err);
TACO__FN bool taco__scan_fetch_add_chunks(taco_pq_file *f, const size_t *which, size_t count,
                                          size_t stored, uint32_t group,
                                          const taco__row_selection *rows, taco__buf *ranges,
                                          taco_error *err);
TACO__FN bool taco__scan_fetch_add_tested(const taco__scan *s, uint32_t group,
                                          const taco__row_selection *rows, taco__buf *ranges,
                                          taco_error *err);
TACO__FN bool taco__scan_fetch_add_output(const taco__scan *s, uint32_t group,
                                          const taco__row_selection *rows, taco__buf *ranges,
                                          taco_error *err);
TACO__FN bool taco__scan_fetch_add_indexes(taco__scan *s, const taco__scan_window *w, bool output,
                                           taco_error *err);
/* How much that is; reading it, and letting go of it. */
TACO__FN uint64_t taco__scan_fetch_range_bytes(const taco__buf *ranges);
TACO__FN uint64_t taco__scan_fetch_chunk_bytes(const taco__table *t, const size_t *which,
                                               size_t count, uint32_t group, bool plain);
TACO__FN bool taco__scan_fetch_ranges(taco__scan *s, taco__buf *held, taco_error *err);
TACO__FN void taco__scan_fetch_release(taco__scan *s, taco__buf *held);
/* The rounds of a scan: its row groups one at a time, or a window of them, and columns of
   matches. */
TACO__FN void taco__scan_fetch_mark_output(taco__scan *s, uint64_t first, uint64_t last);
TACO__FN bool taco__scan_fetch_group(taco__scan *s, uint32_t group, taco_error *err);
TACO__FN bool taco__scan_fetch_window(taco__scan *s, taco_error *err);
TACO__FN bool taco__scan_fetch_matches(taco__scan *s, size_t n, taco_error *err);

/* ---- scan_filter.c ---- */

/* Evaluating rows into filter.found; several filters may work on a scan at the same time. */
TACO__FN bool taco__scan_filter_open(taco__scan *s, taco__scan_filter *f, taco__mem *mem, bool task,
                                     taco_error *err);
TACO__FN void taco__scan_filter_close(taco__scan *s, taco__scan_filter *f);
TACO__FN bool taco__scan_filter_slice(const taco__scan *s, taco__scan_filter *f, uint64_t first,
                                      size_t n, bool all_match, taco_error *err);
TACO__FN bool taco__scan_filter_test_dictionary(const taco__scan *s, taco__scan_filter *f,
                                                uint32_t group, unsigned *may, taco_error *err);
TACO__FN bool taco__scan_filter_rows(const taco__scan *s, taco__scan_filter *f, taco_error *err);

/* ---- scan_parallel.c ---- */

/* Two rounds of tasks: evaluating a window, and reading the columns of matches. */
TACO__FN void taco__scan_task_init(taco__scan *s, const taco_options *host);
TACO__FN void taco__scan_task_close(taco__scan *s);
TACO__FN bool taco__scan_task_filter_window(taco__scan *s);
TACO__FN bool taco__scan_task_read_batch(taco__scan *s, size_t end);
TACO__FN size_t taco__scan_task_deliver(taco__scan *s, size_t n, taco_error *err);
/* For owners of a scan that have work for its tasks: how many readers there may be; what each does
   with its rows, set before the first rows are asked for; the reader that read the n rows delivered
   last, *at being the first of them among its rows, or NULL where no task has read them. */
TACO__FN size_t taco__scan_task_max_readers(const taco__scan *s);
TACO__FN void taco__scan_task_on_rows_read(taco__scan *s, taco__scan_rows_read rows_read,
                                           void *ctx);
TACO__FN const taco__scan_reader *taco__scan_task_last_reader(const taco__scan *s, size_t n,
                                                              size_t *at);

#endif /* TACO__SCAN_H */
