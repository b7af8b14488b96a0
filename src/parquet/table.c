/* table.c - rows of top-level columns, whether they are in a Parquet file or in memory

   In: an open Parquet file; out: a taco__table over it, which scans, joins and cursors use without
   knowing where rows come from. A table of arrays in memory (Avro) is filled in by its creator and
   has one row group. See taco__table in parquet.h for columns that are not stored. */
#include "parquet.h"
#include "../base/base.h"

TACO__FN void taco__table_from_file(taco__table *t, taco_pq_file *f)
{
    memset(t, 0, sizeof *t);
    t->pq = f;
    t->fields = f->meta.columns;
    t->field_count = t->stored = f->meta.column_count;
    t->rows = (uint64_t)f->meta.num_rows;
}

TACO__FN size_t taco__table_find_column(const taco__table *t, const char *name)
{
    taco_bytes wanted = taco__bytes_text(name);
    size_t i;
    for (i = 0; i < t->field_count; i++) {
        if (taco__bytes_equal(taco__bytes_text(t->fields[i].name), wanted)) { return i; }
    }
    return SIZE_MAX;
}

TACO__FN bool taco__table_is_made(const taco__table *t, size_t column, size_t *made)
{
    size_t first = t->stored + t->constant_count;
    *made = column - first;
    return t->made && column >= first && column - first < t->made->count;
}

TACO__FN size_t taco__table_readable(const taco__table *t)
{
    return t->stored + t->constant_count + (t->made ? t->made->count : 0);
}

TACO__FN const int64_t *taco__table_replaced(const taco__table *t, size_t column)
{
    size_t i;
    for (i = 0; t->replaced && i < TACO__REPLACED_COLUMNS; i++) {
        if (t->replaced->column[i] == column) { return t->replaced->values[i]; }
    }
    return NULL;
}

TACO__FN uint32_t taco__table_group_count(const taco__table *t)
{
    return t->pq ? t->pq->meta.group_count : t->rows ? 1U : 0U;
}

TACO__FN uint64_t taco__table_group_first_row(const taco__table *t, uint32_t g)
{
    return t->pq ? (uint64_t)t->pq->meta.groups[g].first_row : 0;
}

TACO__FN uint64_t taco__table_group_rows(const taco__table *t, uint32_t g)
{
    return t->pq ? (uint64_t)t->pq->meta.groups[g].rows : t->rows;
}
