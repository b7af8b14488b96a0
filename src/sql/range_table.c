/* range_table.c - range(...) and generate_series(...) in FROM: a table of whole numbers

   The arguments are [first,] end [, step], constants; range excludes the end, generate_series
   includes it. The table is a set (set_operation.c) whose rows are generated, not stored.

   Example: range(1, 8, 3) has the rows 1, 4, 7, generate_series(3, 1, -1) the rows 3, 2, 1, both in
   a column named after the function. */
#include "sql.h"
#include "../base/base.h"
#include "../filter/filter.h"
#include "../dataset/dataset.h"

/* The table of a call, at its parenthesis; f has its name. */
TACO__FN bool taco__range_table_parse(taco__parser *p, taco__sql_table_ref *f)
{
    taco__sql_select *s = taco__sql_parse_new_select(p);
    taco__sql_expr *column = taco__sql_expr_new(p, TACO__SQL_EXPR_COLUMN, f->at);
    if (!s || !column || !taco__parse_next(p)) { return false; }
    s->set = TACO__SQL_SET_RANGE;
    s->set_at = f->at;
    s->set_all = taco__ascii_is_word(f->name, "generate_series");
    s->items = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, f->at);
    do {
        if (!taco__sql_expr_add_child(p, s->items, taco__parse_expr(p, TACO__BINDS_OR))) {
            return false;
        }
    } while (taco__parse_accept(p, ","));
    if (s->items->n > 3) {
        TACO__FAIL(p->err, TACO_ERR_SYNTAX, f->at, "%q takes [first,] end [, step]", &f->name);
        return false;
    }
    /* an alias in FROM may name it otherwise */
    column->name = taco__bytes_text(s->set_all ? "generate_series" : "range");
    f->query = s;
    f->with_columns =
        taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, f->at), column);
    return f->with_columns && taco__parse_expect(p, ")");
}

/* taco_cursor.next: the next numbers. */
static bool taco__range_table_next(taco_cursor *c, taco_batch *out)
{
    taco__executor *x = (taco__executor *)c->producer.state;
    int64_t *at = x->range, end = x->range[1], step = x->range[2];
    taco__vec v;
    size_t n = 0;
    taco__arena_reset(&x->batch);
    if (!taco__vec_init(&x->batch, &x->items[0]->type, TACO__SQL_BATCH_ROWS, &v, &c->err)) {
        return false;
    }
    while (!x->sorted && n < TACO__SQL_BATCH_ROWS &&
           (step > 0 ? at[0] < end || (x->s.set_all && at[0] == end)
                     : at[0] > end || (x->s.set_all && at[0] == end))) {
        v.v.i[n++] = at[0];
        /* the last number */
        x->sorted = !taco__func_number_add64(at[0], step, &at[0]);
    }
    v.n = n;
    return n && taco__set_operation_put(x, &v, n, out);
}

/* Computes the arguments, and plans the only column. With a NULL argument there are no rows. */
TACO__FN bool taco__range_table_plan(taco__executor *x)
{
    taco__sql_expr *args = x->s.items, *column;
    taco_error *err = taco__operator_err(x);
    int64_t given[3] = {0, 0, 1};
    uint32_t i;
    x->items = (taco__sql_expr **)taco__arena_array(&x->c->arena, 1, sizeof *x->items, err);
    column = (taco__sql_expr *)taco__arena_alloc(&x->c->arena, sizeof *column, err);
    x->range = (int64_t *)taco__arena_array(&x->c->arena, 3, sizeof *x->range, err);
    if (!x->items || !column || !x->range) { return false; }
    column->kind = TACO__SQL_EXPR_REF;
    column->type = taco__sql_type_simple(TACO_INT64);
    x->items[0] = column;
    x->b.no_aggr = true;
    for (i = 0; i < args->n; i++) {
        taco__sql_batch one;
        taco__vec v;
        taco__operator_init_batch(x, &one, NULL, 0, 1);
        if (!taco__bind_expr(&x->b, &args->kid[i])) { return false; }
        if (!taco__scalar_is_int(args->kid[i]->type.t.id) && args->kid[i]->type.t.id != TACO_NULL) {
            return taco__bind_type_fail_mismatch(&x->b, args->kid[i], &args->kid[i]->type,
                                                 &column->type, "ranges must be of BIGINT, not");
        }
        if (!taco__bind_type_add_cast(&x->b, &args->kid[i], &column->type) ||
            !taco__evaluate_expr(&one, args->kid[i], &v)) {
            return false;
        }
        x->sorted = x->sorted || !taco__vec_is_valid(&v, 0);
        /* a single argument is the end */
        given[args->n == 1 ? 1 : i] = x->sorted ? 1 : v.v.i[0];
    }
    if (!given[2]) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, x->s.set_at, "the step of a range must not be 0");
        return false;
    }
    memcpy(x->range, given, sizeof given);
    x->c->producer.next = taco__range_table_next;
    return taco__set_operation_set_fields(x, NULL, 1);
}
