/* scan_matches.c - the numbers of the rows that a scan has found

   In: the matches of each slice of rows, as numbers or, if every row matches, as a run. Out: all
   matches, to be searched, read and returned.

   Numbers have 32 bits and count from the scan's base, the first row of its window or slice: tables
   may have more rows than that, a window or slice does not. A run of consecutive rows is stored as
   its first number and its length, so that a scan without a predicate writes no row numbers,
   however large its window is; taco__scan_next returns the numbers 0, 1, 2, ... for a batch. A run
   becomes numbers when anything but its next rows is added (taco__scan_matches_write_run).

   Start reading at taco__scan_matches_add_run. */
#include "scan.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"

TACO__FN void taco__scan_matches_clear(taco__scan_matches *m)
{
    m->numbers.len = m->count = 0;
    m->is_run = false;
}

/* Drops all but the first n. */
TACO__FN void taco__scan_matches_truncate(taco__scan_matches *m, size_t n)
{
    m->count = n;
    m->numbers.len = m->is_run ? 0 : n * sizeof(uint32_t);
}

/* Turns a run into numbers. */
static bool taco__scan_matches_write_run(taco__scan_matches *m, taco_error *err)
{
    uint32_t *out;
    size_t i, bytes;
    if (!taco__array_buf_size(m->count, sizeof *out, &bytes, err) ||
        !taco__buf_reserve(&m->numbers, bytes, err)) {
        return false;
    }
    out = (uint32_t *)(void *)m->numbers.data;
    for (i = 0; i < m->count; i++) {
        out[i] = m->first + (uint32_t)i;
    }
    m->numbers.len = bytes;
    m->is_run = false;
    return true;
}

/* Makes room for n more numbers; taco__scan_matches_commit adds those that were filled in. NULL if
   there is no memory. */
TACO__FN uint32_t *taco__scan_matches_reserve(taco__scan_matches *m, size_t n, taco_error *err)
{
    size_t bytes;
    if ((m->is_run && !taco__scan_matches_write_run(m, err)) ||
        !taco__array_buf_size(n, sizeof(uint32_t), &bytes, err) ||
        !taco__buf_reserve(&m->numbers, bytes, err)) {
        return NULL;
    }
    return (uint32_t *)(void *)m->numbers.data + m->count;
}

TACO__FN void taco__scan_matches_commit(taco__scan_matches *m, size_t n)
{
    m->count += n;
    m->numbers.len += n * sizeof(uint32_t);
}

/* Adds n consecutive numbers from `first` on, which is above all present ones. */
TACO__FN bool taco__scan_matches_add_run(taco__scan_matches *m, uint32_t first, size_t n,
                                         taco_error *err)
{
    uint32_t *out;
    size_t i;
    if (m->count == 0) {
        m->first = first;
        m->is_run = true;
    }
    if (m->is_run && first - m->first == m->count) {
        m->count += n;
        return true;
    }
    out = taco__scan_matches_reserve(m, n, err);
    for (i = 0; out && i < n; i++) {
        out[i] = first + (uint32_t)i;
    }
    if (out) { taco__scan_matches_commit(m, n); }
    return out != NULL;
}

/* Appends the matches that another filter found in later rows. */
TACO__FN bool taco__scan_matches_append(taco__scan_matches *m, const taco__scan_matches *other,
                                        taco_error *err)
{
    uint32_t *out;
    if (other->count == 0) { return true; }
    if (other->is_run) { return taco__scan_matches_add_run(m, other->first, other->count, err); }
    out = taco__scan_matches_reserve(m, other->count, err);
    if (!out) { return false; }
    memcpy(out, other->numbers.data, other->numbers.len);
    taco__scan_matches_commit(m, other->count);
    return true;
}

/* The first of matches [from, to) whose number is at least `number`; `to` if there is none. */
TACO__FN size_t taco__scan_matches_lower_bound(const taco__scan_matches *m, size_t from, size_t to,
                                               uint64_t number)
{
    TACO__LOWER_BOUND(from, to, i, taco__scan_match(m, i) < number);
    return from;
}

/* Has the made columns of r load matches [at, at + n), which tasks will read. */
TACO__FN bool taco__scan_matches_load(const taco__scan_matches *m, size_t at, size_t n,
                                      const taco__row_reader *r, uint64_t base, taco_error *err)
{
    return m->is_run ? taco__row_reader_load(r, base + taco__scan_match(m, at), NULL, n, err)
                     : taco__row_reader_load(
                           r, base, (const uint32_t *)(const void *)m->numbers.data + at, n, err);
}

/* Reads matches [at, at + n) with the columns of r. */
TACO__FN bool taco__scan_matches_read(const taco__scan_matches *m, size_t at, size_t n,
                                      taco__row_reader *r, uint64_t base, taco_error *err)
{
    uint32_t first = taco__scan_match(m, at), last = taco__scan_match(m, at + n - 1);
    return last - first == n - 1 /* they are consecutive */
               ? taco__row_reader_read_range(r, base + first, n, err)
               : taco__row_reader_read(
                     r, base, (const uint32_t *)(const void *)m->numbers.data + at, n, err);
}
