/* check_extensions.c - the values of extension columns of a level, against their rules

   In: a level of an open container whose rows were checked; out: problems under the place
   "levelN: row M", and t->span, which bounds places and times. The rules are in column_rules.c,
   which the writer follows too. A breach is an error, but only a warning for `split`, a name
   without a namespace that tables also use for other values. */
#include "validate.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../dataset/dataset.h"

/* State for the report function; t->row is the first row of the batch. */
typedef struct taco__check_extensions {
    taco__check_tree_state *t;
} taco__check_extensions;

/* A breach in a row of the batch. */
static bool taco__check_extensions_report(void *ctx, const taco_field *column, size_t row,
                                          const taco_error *what)
{
    taco__check_tree_state *t = ((taco__check_extensions *)ctx)->t;
    bool error = strcmp(column->name, "split") != 0;
    size_t first = t->row;
    t->row += row;
    taco__check_level_set_place(t);
    t->row = first;
    taco__findings_add(t->f, error, column->name, what);
    return !t->f->stop;
}

/* Picks the columns with rules; their types are checked here, once. */
static bool taco__check_extensions_columns(taco__check_tree_state *t, const taco__table *table,
                                           size_t **which, size_t *n, taco_error *err)
{
    taco_error e;
    size_t i;
    memset(&e, 0, sizeof e);
    *which = (size_t *)taco__arena_array(t->arena, table->field_count + 1, sizeof **which, err);
    *n = 0;
    for (i = 0; *which && i < table->field_count; i++) {
        const taco_field *f = &table->fields[i];
        if (!taco__column_rule_exists(f->name)) { continue; }
        if (taco__column_rule_check_type(f, &e) == TACO_OK) {
            (*which)[(*n)++] = i;
            continue;
        }
        taco__findings_add(t->f, true, f->name, &e);
        memset(&e, 0, sizeof e);
    }
    return *which != NULL;
}

/* Reads the columns with rules, a batch at a time. Unreadable ones are a problem too. */
TACO__FN bool taco__check_extensions_level(taco__check_tree_state *t, uint32_t level,
                                           taco_error *err)
{
    taco__check_tree_level *v = &t->levels[level];
    taco__check_extensions c;
    taco__row_reader rows;
    taco_batch batch;
    taco_error e;
    size_t *which, n, m;
    memset(&e, 0, sizeof e);
    c.t = t;
    if (!v->l) { return true; }
    t->level = level;
    taco__findings_set_place(t->f, "%s", v->l->name);
    if (!taco__check_extensions_columns(t, &v->l->table, &which, &n, err)) { return false; }
    if (n == 0) { return true; }
    if (!taco__row_reader_open(&rows, &v->l->table, which, n, t->mem, err)) { return false; }
    for (t->row = 0; t->row < v->rows && !t->f->stop; t->row += m) {
        m = TACO__MIN(v->rows - t->row, (size_t)TACO__CHECK_TREE_BATCH);
        if (!taco__row_reader_read_range(&rows, t->row, m, &e)) { break; }
        taco__column_rule_check_rows(rows.arrays, n, m, taco__check_extensions_report, &c);
        batch.first_row = (int64_t)t->row;
        batch.length = m;
        batch.columns = rows.arrays;
        batch.column_count = n;
        taco__extent_add_batch(&t->span, level, &batch, t->mem);
    }
    taco__row_reader_close(&rows);
    if (e.code != TACO_OK) {
        taco__findings_set_place(t->f, "%s", v->l->name);
        if (!taco__findings_take_error(t->f, &e)) { *err = e; }
    }
    return err->code == TACO_OK;
}
