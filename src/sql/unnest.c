/* unnest.c - UNNEST: the elements of lists as rows

   In the list of SELECT, unnest(l) turns each row into as many rows as l has elements. Its value
   becomes a further column of the batch: it is moved out of its expression and computed once,
   before the items (taco__unnest_next). Several are expanded side by side, the shorter ones with
   nulls at the end. A row whose lists are all empty or null disappears.

   In FROM, unnest(l) is a table. The first one is the query SELECT unnest(l); a later one may name
   columns of the tables before it, and is joined to each row by hash_join.c, which uses the
   elements of the row's list as matches.

   Example: SELECT id, unnest([1, 2]) FROM data has every id twice, and FROM data, unnest(tags) AS
   t(tag) has a row for each tag. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* ---- binding ---- */

/* Binds the operand of UNNEST, and gives the type of its elements. */
static bool taco__unnest_bind_list(taco__bind *b, taco__sql_expr **at, taco__sql_type *element)
{
    taco__sql_type number = taco__sql_type_simple(TACO_INT32), list;
    if (!taco__bind_expr(b, at)) { return false; }
    if ((*at)->type.t.id == TACO_NULL) {
        if (!taco__bind_list_of(b, &number, &list)) { return false; }
    } else if ((*at)->type.t.id != TACO_LIST) {
        char name[96];
        taco__sql_type_text(&(*at)->type, name, sizeof name);
        TACO__FAIL(b->err, TACO_ERR_SYNTAX, (*at)->at, "UNNEST takes a list, not %s", name);
        return false;
    } else if (!taco__bind_list_settle(b, &(*at)->type, &list)) {
        return false;
    }
    *element = list.kids[0];
    return taco__bind_type_add_cast(b, at, &list);
}

/* Binds a call of unnest in the list of SELECT: the node becomes a column, whose index
   taco__unnest_place fills in. */
TACO__FN bool taco__unnest_bind(taco__bind *b, taco__sql_expr *e)
{
    taco__bind_unnest *u;
    bool ok;
    if (!b->unnests || b->inside) {
        return taco__bind_fail(b, e, "UNNEST is only allowed in the list of SELECT and in FROM");
    }
    if (e->n != 1 || e->kid[0]->alias.len) {
        return taco__bind_fail(b, e, "UNNEST takes one list");
    }
    if (b->unnest_count == TACO__BIND_MAX_UNNESTS) {
        return taco__bind_fail(b, e, "more than 64 calls of UNNEST");
    }
    if (!b->unnest) {
        b->unnest = (taco__bind_unnest *)taco__arena_array(b->arena, TACO__BIND_MAX_UNNESTS,
                                                           sizeof *b->unnest, b->err);
    }
    b->unnests = false; /* calls do not nest */
    ok = b->unnest && taco__unnest_bind_list(b, &e->kid[0], &e->type);
    b->unnests = true;
    if (!ok) { return false; }
    u = &b->unnest[b->unnest_count++];
    u->column = e;
    u->list = e->kid[0];
    e->kind = TACO__SQL_EXPR_REF;
    e->n = 0;
    return true;
}

/* Whether an unbound tree calls unnest. */
TACO__FN bool taco__unnest_is_called(const taco__sql_expr *e)
{
    uint32_t i;
    if (e->kind == TACO__SQL_EXPR_CALL && !e->infix && taco__ascii_is_word(e->name, "unnest")) {
        return true;
    }
    for (i = 0; i < e->n; i++) {
        if (taco__unnest_is_called(e->kid[i])) { return true; }
    }
    return false;
}

/* Assigns the columns of UNNEST their indexes, once the number of other columns is known. */
TACO__FN void taco__unnest_place(taco__executor *x)
{
    size_t i, first = x->grouped ? x->b.group_count + x->b.aggr_count : x->b.column_count;
    for (i = 0; i < x->b.unnest_count; i++) {
        x->b.unnest[i].column->index = first + i;
    }
}

/* Binds the list of a table unnest(l) to the tables before it; *field is the only column of that
   table, *type its type. */
TACO__FN bool taco__unnest_bind_table(taco__executor *x, size_t t, taco_field *field,
                                      taco__sql_type *type)
{
    taco__sql_table_ref *f = &x->s.from[t];
    bool ok;
    taco__bind_qualify(&x->b, f->list);
    x->b.no_aggr = true;
    ok = taco__unnest_bind_list(&x->b, &f->list, type);
    x->b.no_aggr = false;
    return ok &&
           taco__sql_type_to_field(&x->c->arena, type, "unnest", field, taco__operator_err(x));
}

/* The table of a call of unnest in FROM, at its parenthesis; f has its name. */
TACO__FN bool taco__unnest_parse(taco__parser *p, taco__sql_table_ref *f)
{
    taco__sql_select *s = taco__sql_parse_new_select(p);
    taco__sql_expr *call = taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, f->at),
                   *column = taco__sql_expr_new(p, TACO__SQL_EXPR_COLUMN, f->at);
    if (!s || !call || !column || !taco__parse_next(p)) { return false; }
    f->list = taco__parse_expr(p, TACO__BINDS_OR);
    call->name = taco__bytes_text("unnest");
    column->name = call->name;
    s->items = taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, f->at),
                                        taco__sql_expr_add_child(p, call, f->list));
    f->query = s;
    f->with_columns =
        taco__sql_expr_add_child(p, taco__sql_expr_new(p, TACO__SQL_EXPR_CALL, f->at), column);
    return s->items && f->with_columns && taco__parse_expect(p, ")");
}

/* ---- running ---- */

/* Takes a batch of rows, and computes their lists. */
static bool taco__unnest_begin(taco__executor *x, taco__sql_batch *rows)
{
    taco__unnest *u = &x->unnest;
    size_t i;
    u->lists = (taco__vec *)taco__arena_array(&x->batch, x->b.unnest_count, sizeof *u->lists,
                                              taco__operator_err(x));
    for (i = 0; u->lists && i < x->b.unnest_count; i++) {
        if (!taco__evaluate_expr(rows, x->b.unnest[i].list, &u->lists[i])) { return false; }
    }
    u->rows = *rows;
    u->at = 0;
    return u->lists != NULL;
}

/* The elements of list k in a row. */
static taco__sql_list_span taco__unnest_span(const taco__unnest *u, size_t k, size_t row)
{
    static const taco__sql_list_span none = {0, 0};
    const taco__vec *v = &u->lists[k];
    return taco__vec_is_valid(v, row) ? v->v.l[row * v->step] : none;
}

/* How many rows a row becomes: the length of its longest list. */
static uint32_t taco__unnest_length(const taco__executor *x, size_t row)
{
    uint32_t n = 0;
    size_t k;
    for (k = 0; k < x->b.unnest_count; k++) {
        n = TACO__MAX(n, taco__unnest_span(&x->unnest, k, row).len);
    }
    return n;
}

/* The next rows that the current batch expands to, about a batch: *n of them; at[i] is the row that
   row i comes from. NULL on failure. */
static uint32_t *taco__unnest_rows(taco__executor *x, size_t *n)
{
    taco__unnest *u = &x->unnest;
    size_t to, k = 0, from = u->at;
    uint64_t count = 0;
    uint32_t *at, i;
    for (to = from; to < u->rows.n && count < TACO__SQL_BATCH_ROWS; to++) {
        count += taco__unnest_length(x, to);
    }
    if (count > INT32_MAX) {
        taco__vec_fail_too_long(taco__operator_err(x));
        return NULL;
    }
    /* keeps the batch for its remaining rows, since the memory of results is emptied before the
       next */
    if (from == 0 && to < u->rows.n) {
        taco__arena batch = u->held;
        u->held = x->batch;
        x->batch = batch;
        taco__arena_reset(&x->batch);
    }
    at = (uint32_t *)taco__arena_array(&x->batch, (size_t)count + 1, sizeof *at,
                                       taco__operator_err(x));
    for (; at && u->at < to; u->at++) {
        for (i = taco__unnest_length(x, u->at); i > 0; i--) {
            at[k++] = (uint32_t)u->at;
        }
    }
    *n = k;
    return at;
}

/* The column of list k for the rows at[0..n). */
static bool taco__unnest_column(taco__executor *x, size_t k, const uint32_t *at, size_t n,
                                taco__vec *out)
{
    taco_error *err = taco__operator_err(x);
    uint32_t *idx = (uint32_t *)taco__arena_array(&x->batch, n + 1, sizeof *idx, err), nth = 0;
    size_t i;
    for (i = 0; idx && i < n; i++) {
        taco__sql_list_span s = taco__unnest_span(&x->unnest, k, at[i]);
        nth = i && at[i] == at[i - 1] ? nth + 1 : 0;
        idx[i] = nth < s.len ? s.at + nth : TACO__VEC_NONE;
    }
    return idx && taco__vec_take(&x->batch, &x->unnest.lists[k].kids[0], idx, n, out, err);
}

/* Whether a batch has rows left to expand. */
TACO__FN bool taco__unnest_waits(const taco__executor *x)
{
    return x->unnest.at < x->unnest.rows.n;
}

/* Replaces a batch of rows, or the rest of the previous one, by its expansion; which may be
   empty. */
TACO__FN bool taco__unnest_next(taco__executor *x, taco__sql_batch *rows)
{
    taco_error *err = taco__operator_err(x);
    taco__vec *cols;
    uint32_t *at;
    size_t i, n = 0;
    if (!taco__unnest_waits(x) && !taco__unnest_begin(x, rows)) { return false; }
    at = taco__unnest_rows(x, &n);
    if (!at || !taco__evaluate_subset(&x->unnest.rows, at, n, rows)) { return false; }
    cols = (taco__vec *)taco__arena_array(&x->batch, rows->count + x->b.unnest_count + 1,
                                          sizeof *cols, err);
    if (!cols) { return false; }
    memcpy(cols, rows->cols, rows->count * sizeof *cols);
    for (i = 0; i < x->b.unnest_count; i++) {
        if (!taco__unnest_column(x, i, at, n, &cols[rows->count + i])) { return false; }
    }
    rows->cols = cols;
    rows->count += x->b.unnest_count;
    return true;
}
