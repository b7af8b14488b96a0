/* scan.h - scans: rows of a table that match a predicate, with their columns */
#ifndef TACO__SCAN_H
#define TACO__SCAN_H

#include "filter.h"

/* The parts of a taco__scan, in the order in which a row passes through them, each with the file
   that it belongs to. The query does not change after the first taco__scan_next, except batch_rows.
   Tasks read all parts and write only to their own taco__scan_filter or taco__scan_reader. */

/* How many rows a predicate is evaluated on at a time: their values stay in the processor's
   cache. */
#define TACO__SCAN_SLICE 8192
/* Bytes of column chunks to fetch ahead from a vectored source, and for tasks from a local one:
   fetched bytes should still be in the processor's cache when they are decoded. */
#define TACO__SCAN_AHEAD       ((uint64_t)64 << 20)
#define TACO__SCAN_AHEAD_LOCAL ((uint64_t)4 << 20)
/* Most row groups planned together. */
#define TACO__SCAN_WINDOW_GROUPS 256
/* Most rows in a batch, whatever the caller asks for: their numbers and values of 8 bytes fit into
   half of a 32-bit address space. */
#define TACO__SCAN_MAX_BATCH ((size_t)1 << 28)
/* Most tasks at the same time. */
#define TACO__SCAN_MAX_TASKS 16
/* The first index for spare blocks (taco__mem_task_take_spares) that a scan leaves to others: its
   filters use 1 to TACO__SCAN_MAX_TASKS, its readers, which are one more, the indexes after
   those. */
#define TACO__SCAN_SPARES (2 * TACO__SCAN_MAX_TASKS + 2)

/* What to read. The scan owns the list `tested` and borrows the rest. */
typedef struct taco__scan_query {
    const taco__table *table;
    const taco__expr *where; /* bound to the columns of the table; NULL: every row matches */
    const uint8_t *select;   /* bitmap of the rows to consider; NULL: all */
    uint64_t from, to;       /* consider only rows [from, to) */
    size_t batch_rows;       /* most rows in a batch */
    const size_t *tested;    /* table columns that `where` reads, ascending */
    size_t tested_count;
    /* the scan's number in the page cache (taco__page_cache_begin_scan): pages of chunks that it
       has marked stay there; 0: nothing is cached */
    uint64_t cache_scan;
} taco__scan_query;

/* Consecutive rows of a table that may match. The spans of a scan ascend, and one may extend over
   several row groups. */
typedef struct taco__scan_span {
    uint64_t first, n;
    bool all_match; /* known from statistics: no evaluation needed */
} taco__scan_span;

/* What pruning saved, for EXPLAIN and for tests. */
typedef struct taco__scan_counts {
    uint64_t groups, groups_pruned; /* by statistics */
    /* further row groups, by bloom filter and dictionary */
    uint64_t bloom_pruned, dictionary_pruned;
    /* ranges of rows between page boundaries, by the column index */
    uint64_t pages, pages_pruned;
} taco__scan_counts;

/* Row groups planned together, before any of their pages is read. The caller provides the arrays,
   with room for TACO__SCAN_WINDOW_GROUPS, or for all row groups of the table if it requests all. */
typedef struct taco__scan_window {
    uint32_t *groups;  /* ascending */
    uint8_t *outcomes; /* for each, a set of taco__outcomes from its statistics */
    size_t count;
} taco__scan_window;

/* scan_plan.c, scan_prune.c: which rows still have to be evaluated. Row groups are taken one by one
   or a window at a time, and those that cannot match are dropped. */
typedef struct taco__scan_plan {
    uint32_t next_group; /* the next row group to consider */
    /* taco__scan_span: remaining rows of the current row group or window */
    taco__buf spans;
    size_t span_at;             /* row group: the first span not yet evaluated */
    uint64_t next_row, end_row; /* window: the rows not yet evaluated */
    taco__column_stats *stats;  /* of the row group or page pruned last, by table column */
    taco__bloom bloom;          /* the filter read last */
    taco__scan_counts counts;
    bool unpruned; /* for tests: disables pruning */
} taco__scan_plan;

/* The rows of one row group whose pages are needed: rows of the spans that `select` includes, or,
   if `rows` is not NULL, the rows with those numbers. */
typedef struct taco__row_selection {
    uint64_t cache_scan; /* pages cached for this scan are left out; 0: no page is cached */
    const taco__scan_span *spans;
    size_t span_count;
    const uint8_t *select;
    const uint32_t *rows; /* ascending, counted from base */
    size_t row_count;
    uint64_t base;
} taco__row_selection;

/* scan_fetch.c: bytes that a scan has fetched and not yet released. */
typedef struct taco__scan_fetch {
    /* fetch a window of row groups at a time: a vectored source, or tasks */
    bool windowed;
    bool keep_tested;         /* tested columns stay fetched: the caller will read them again */
    taco__buf ranges;         /* taco__range: to fetch in the next round */
    taco__buf tested, output; /* taco__range: fetched for tested and for output columns */
    size_t ready;             /* the first match whose output columns are not fetched */
} taco__scan_fetch;

/* scan_matches.c: matching rows, ascending. A run, which is what a scan without a predicate finds,
   is not expanded. */
typedef struct taco__scan_matches {
    taco__buf numbers; /* uint32_t each, relative to the scan's base; empty for a run */
    size_t count;
    uint32_t first; /* first row of a run */
    bool is_run;    /* the matches are first, first + 1, ... */
} taco__scan_matches;

/* scan_filter.c: the state for evaluating the predicate. The calling thread and each task have
   one. */
typedef struct taco__scan_filter {
    taco__mem own; /* memory account of a task */
    taco__mem *mem;
    taco__codecs *codecs;       /* codecs of a task; NULL: those of the file */
    taco__row_reader reader;    /* of the tested columns */
    const taco_array **columns; /* columns read last, by table column */
    taco__column_stats *stats;  /* statistics of the row group, by table column */
    taco__buf bitmap;           /* which rows of a slice match */
    uint64_t first, end;        /* rows to evaluate */
    taco__scan_matches found;   /* for the calling thread: the matches of all filters */
    uint64_t dictionary_pruned; /* row groups */
    taco_error err;             /* error of a task */
    bool open, ok;
} taco__scan_filter;

/* scan_parallel.c: the output columns of some matches, read by a task. */
typedef struct taco__scan_reader {
    taco__mem own; /* memory account of the task */
    taco__codecs *codecs;
    taco__row_reader rows;
    size_t first, n; /* matches [first, first + n) */
    taco_error err;
    bool ok;
} taco__scan_reader;

/* A hook of the scan's owner, called when a task has just read rows, while they are in the
   processor's cache. `reader` is the number of its taco__scan_reader. Tasks call it concurrently:
   it may write only to the owner's data for that reader, and allocate only from the reader's memory
   account. Once the rows are delivered, taco__scan_task_last_reader returns which reader had
   them. */
typedef void (*taco__scan_rows_read)(void *ctx, size_t reader);

/* scan_parallel.c: the tasks of a scan, run by the host's parallel_for. */
typedef struct taco__scan_tasks {
    const taco_options *host;   /* NULL: no tasks, possibly because they failed */
    size_t width;               /* tasks at the same time */
    taco__scan_filter *filters; /* `width` of them, allocated on first use */
    /* taco__scan_task_max_readers of them, allocated on first use */
    taco__scan_reader *readers;
    size_t reader_count;            /* readers of the last batch */
    uint64_t batch;                 /* number of batches read by tasks so far */
    size_t batch_end;               /* end of the matches in the current batch... */
    bool batch_by_tasks;            /* ... which tasks have read */
    taco__scan_rows_read rows_read; /* or NULL */
    void *rows_read_ctx;
} taco__scan_tasks;

typedef struct taco__scan {
    taco__scan_query query;
    taco__mem *mem;
    taco__arena arena;
    taco__scan_plan plan;
    taco__scan_fetch fetch;
    taco__scan_filter filter; /* filter of the calling thread; filter.found has the matches */
    taco__scan_tasks tasks;
    taco__row_reader out; /* the output columns */
    uint64_t base;        /* the row that matches are counted from */
    size_t delivered;     /* matches returned by taco__scan_next */
    taco__buf ordinals;   /* uint32_t 0, 1, 2, ...: row numbers of a run */
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
    taco__arena arena; /* memory for the predicate and the lists of columns */
    taco__scan scan;
    taco_field *fields; /* fields of the output columns */
    size_t *which;      /* their columns in the table */
    size_t count;
    uint64_t left;  /* rows left before the limit */
    bool owns_file; /* the file is closed with the reader, as an export requested */
    taco_error err; /* the first failure; nothing is read after it */
};

/* ---- scan.c ---- */

/* Opens a scan of the matching rows of a table. where and select may be NULL and are borrowed, the
   list of output columns is copied. batch_rows 0: TACO__BATCH_ROWS, or fewer if the handle has
   little memory. On failure the scan is left closed. */
TACO__FN bool taco__scan_open(taco__scan *s, const taco__table *t, const taco__expr *where,
                              const uint8_t *select, const size_t *out_columns, size_t out_count,
                              size_t batch_rows, taco__mem *mem, taco_error *err);
/* Restricts the scan to rows [first, first + n) of the table, clipped to its end; call before the
   first taco__scan_next. */
TACO__FN void taco__scan_set_rows(taco__scan *s, uint64_t first, uint64_t n);
/* Sets the most rows that taco__scan_next returns, > 0; may be called at any time. */
TACO__FN void taco__scan_set_batch_rows(taco__scan *s, size_t n);
/* Releases everything, including the fetched ranges of the file. A zeroed or closed scan is
   accepted. */
TACO__FN void taco__scan_close(taco__scan *s);
/* Numbers of the next matching rows, ascending, relative to *base: at most max; 0 at the end, and
   on failure with err set. With `read`, their columns are in s->out.arrays. All valid until the
   next call. */
TACO__FN size_t taco__scan_next(taco__scan *s, size_t max, bool read, const uint32_t **rows,
                                uint64_t *base, taco_error *err);

/* ---- scan_matches.c ---- */

/* Adding matches, in ascending order: numbers into reserved room, a run, or all of another list. */
TACO__FN void taco__scan_matches_clear(taco__scan_matches *m);
TACO__FN void taco__scan_matches_truncate(taco__scan_matches *m, size_t n);
TACO__FN uint32_t *taco__scan_matches_reserve(taco__scan_matches *m, size_t n, taco_error *err);
TACO__FN void taco__scan_matches_commit(taco__scan_matches *m, size_t n);
TACO__FN bool taco__scan_matches_add_run(taco__scan_matches *m, uint32_t first, size_t n,
                                         taco_error *err);
TACO__FN bool taco__scan_matches_append(taco__scan_matches *m, const taco__scan_matches *other,
                                        taco_error *err);
/* Searching matches, and reading their columns. */
TACO__FN size_t taco__scan_matches_lower_bound(const taco__scan_matches *m, size_t from, size_t to,
                                               uint64_t number);
TACO__FN bool taco__scan_matches_load(const taco__scan_matches *m, size_t at, size_t n,
                                      const taco__row_reader *r, uint64_t base, taco_error *err);
TACO__FN bool taco__scan_matches_read(const taco__scan_matches *m, size_t at, size_t n,
                                      taco__row_reader *r, uint64_t base, taco_error *err);

/* ---- int96_units.c ---- */

/* What there is among values of INT96. */
typedef struct taco__int96_seen {
    bool beyond_nanos, beyond_micros; /* a time that 64 bits of them do not hold */
    bool has_nanos, has_micros;       /* digits below microseconds, below milliseconds */
} taco__int96_seen;

/* Whether a field, or one below it, is an INT96. */
TACO__FN bool taco__int96_units_has(const taco_field *f);
/* Reads column number `column` of a table, and adds what it has to *seen. */
TACO__FN bool taco__int96_units_read(const taco__table *t, size_t column, taco__mem *mem,
                                     taco__int96_seen *seen, taco_error *err);
/* Sets the unit of INT96 in *f and below, in copies in the arena; options->warn is told where
   digits will be cut. */
TACO__FN bool taco__int96_units_choose(taco__arena *arena, const taco__int96_seen *seen,
                                       const taco_options *options, taco_field *f, taco_error *err);

/* ---- scan_plan.c ---- */

/* The plan of what to read, made without reading a page: taco__scan_next executes it step by step,
   EXPLAIN prints it. First row groups, by the statistics of the footer; then, in plan.spans, the
   rows of them that may match, by the indexes that taco__scan_fetch_add_indexes fetches. */
TACO__FN bool taco__scan_plan_has_windows(const taco__table *t);
TACO__FN bool taco__scan_plan_next_group(taco__scan *s, uint32_t *group, unsigned *may);
TACO__FN void taco__scan_plan_window(taco__scan *s, taco__scan_window *w);
TACO__FN void taco__scan_plan_all_groups(taco__scan *s, taco__scan_window *w);
TACO__FN bool taco__scan_plan_rows(taco__scan *s, taco__scan_window *w, taco_error *err);
TACO__FN bool taco__scan_plan_group_rows(const taco__scan *s, uint32_t group, size_t *at,
                                         taco__row_selection *rows);
TACO__FN bool taco__scan_plan_add_span(taco__scan *s, uint64_t first, uint64_t end, bool all_match,
                                       taco_error *err);

/* ---- scan_prune.c ---- */

/* What is known from the statistics of a file; needs no scan. */
TACO__FN uint32_t taco__scan_prune_flat_leaf(const taco__table *t, size_t column);
TACO__FN void taco__scan_prune_bounds_of(const taco__pq_leaf *leaf, const taco__pq_bounds *b,
                                         int64_t rows, taco__column_stats *out);
TACO__FN void taco__scan_prune_group_bounds(const taco__table *t, uint32_t group, size_t column,
                                            taco__column_stats *out);
/* The steps of pruning, the cheapest first. Indexes that were not fetched are read. */
TACO__FN bool taco__scan_prune_group_selected(const taco__scan *s, uint32_t g);
TACO__FN unsigned taco__scan_prune_group(taco__scan *s, uint32_t group);
TACO__FN bool taco__scan_prune_has_bloom(const taco__scan *s, uint32_t group, size_t column);
TACO__FN bool taco__scan_prune_by_bloom(taco__scan *s, uint32_t group, unsigned *may,
                                        taco_error *err);
TACO__FN bool taco__scan_prune_by_page_index(taco__scan *s, uint32_t group, unsigned may,
                                             taco_error *err);
TACO__FN bool taco__scan_prune_by_dictionary(taco__scan *s, uint32_t group, taco_error *err);

/* ---- scan_fetch.c ---- */

/* Needed bytes are collected as ranges, fetched in one round, and released after use. The functions
   without a scan serve other readers of rows, too. */
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
/* The size of ranges; fetching and releasing them. */
TACO__FN uint64_t taco__scan_fetch_range_bytes(const taco__buf *ranges);
TACO__FN uint64_t taco__scan_fetch_chunk_bytes(const taco__table *t, const size_t *which,
                                               size_t count, uint32_t group, bool plain);
TACO__FN bool taco__scan_fetch_ranges(taco__scan *s, taco__buf *fetched, taco_error *err);
TACO__FN void taco__scan_fetch_release(taco__scan *s, taco__buf *fetched);
/* The fetch rounds of a scan: one row group or a window of them, and the output columns of
   matches. */
TACO__FN void taco__scan_fetch_mark_output(taco__scan *s, uint64_t first, uint64_t last);
TACO__FN bool taco__scan_fetch_group(taco__scan *s, uint32_t group, taco_error *err);
TACO__FN bool taco__scan_fetch_window(taco__scan *s, taco_error *err);
TACO__FN bool taco__scan_fetch_matches(taco__scan *s, size_t n, taco_error *err);

/* ---- scan_filter.c ---- */

/* Evaluates rows and adds matches to filter.found; several filters may work on a scan at the same
   time. */
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
/* For owners with a taco__scan_rows_read: the most readers; setting the hook, before the first
   taco__scan_next; and the reader of the last n rows delivered, which begin at row *at of its rows,
   or NULL if no task read them. */
TACO__FN size_t taco__scan_task_max_readers(const taco__scan *s);
TACO__FN void taco__scan_task_on_rows_read(taco__scan *s, taco__scan_rows_read rows_read,
                                           void *ctx);
TACO__FN const taco__scan_reader *taco__scan_task_last_reader(const taco__scan *s, size_t n,
                                                              size_t *at);

#endif /* TACO__SCAN_H */
