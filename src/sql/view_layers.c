/* view_layers.c - layers of a view: SELECTs that run over the query below

   A step of a view that needs more than columns, conditions, sort keys and limits becomes a layer:
   a SELECT that runs like taco_sql, with `data` meaning the rows below it. Columns that navigation
   needs (id, type, internal:*) are passed along as hidden columns, as long as rows stay samples;
   columns that no layer above uses are left out of a layer's SELECT (taco__view_layer_narrow).

   Example: of the steps "SELECT split, avg(v) AS m FROM data GROUP BY split" and "m > 1" the first
   is a layer over the query of data; the second filters the rows of that layer, since m does not
   exist below it. */
#include "sql.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../filter/filter.h"
#include "../dataset/dataset.h"

/* Appends the protected columns that a tree names to the layer's. */
static bool taco__view_layer_list_protected(taco__view_query *z, taco__view_layer *l,
                                            taco__buf *list, const taco__sql_expr *e)
{
    uint32_t i;
    if (!e) { return true; }
    if ((e->kind == TACO__SQL_EXPR_COLUMN || e->kind == TACO__SQL_EXPR_FIELD) &&
        taco__view_is_protected(e->name) &&
        !taco__buf_append(list, &e->name, sizeof e->name, z->err)) {
        return false;
    }
    for (i = 0; i < e->n; i++) {
        if (!taco__view_layer_list_protected(z, l, list, e->kid[i])) { return false; }
    }
    return taco__view_layer_list_protected(z, l, list, e->filter);
}

/* Turns data.a in the items of a SELECT into column a. */
static void taco__view_layer_unqualify(taco__sql_select *s)
{
    size_t i;
    for (i = 0; s->from_count == 1 && i < s->items->n; i++) {
        taco__sql_expr *e = s->items->kid[i];
        if (e->kind == TACO__SQL_EXPR_FIELD && e->kid[0]->kind == TACO__SQL_EXPR_COLUMN &&
            !e->kid[0]->table.len && taco__bind_names_equal(e->kid[0]->name, s->from[0].alias)) {
            e->kind = TACO__SQL_EXPR_COLUMN;
            e->table = e->kid[0]->name;
            e->n = 0;
        }
    }
}

/* Parses a SELECT as the topmost layer, and records what it does to rows and which protected
   columns it names. */
TACO__FN bool taco__view_layer_init(taco__view_query *z, const char *sql)
{
    taco__view_layer *l = &z->layers[z->layer_count++];
    taco__sql_select *s = (taco__sql_select *)taco__arena_alloc(&z->arena, sizeof *s, z->err);
    taco__buf list;
    size_t i;
    bool ok;
    if (!s ||
        !taco__sql_parse(&z->arena, sql, strlen(sql), z->ds->options.limits.max_depth, s, z->err)) {
        return false;
    }
    memset(l, 0, sizeof *l);
    l->sql = sql;
    l->s = s;
    taco__view_layer_unqualify(s);
    l->keeps = taco__view_keeps_rows(s);
    l->limits = s->has_limit || s->offset || s->offset_expr;
    memset(&list, 0, sizeof list);
    list.mem = &z->ds->mem;
    ok = taco__view_layer_list_protected(z, l, &list, s->items) &&
         taco__view_layer_list_protected(z, l, &list, s->on) &&
         taco__view_layer_list_protected(z, l, &list, s->groups) &&
         taco__view_layer_list_protected(z, l, &list, s->where) &&
         taco__view_layer_list_protected(z, l, &list, s->having);
    for (i = 0; ok && i < s->order_count; i++) {
        ok = taco__view_layer_list_protected(z, l, &list, s->order[i].e);
    }
    for (i = 1; ok && i < s->from_count; i++) {
        ok = taco__view_layer_list_protected(z, l, &list, s->from[i].on) &&
             taco__view_layer_list_protected(z, l, &list, s->from[i].list);
    }
    l->name_count = list.len / sizeof *l->names;
    l->names =
        (taco_bytes *)taco__arena_array(&z->arena, l->name_count + 1, sizeof *l->names, z->err);
    if (l->names && list.len) { memcpy(l->names, list.data, list.len); }
    taco__buf_free(&list);
    return ok && l->names;
}

/* Writes a list of taco_query's select or order as SQL. */
TACO__FN bool taco__view_layer_append_list(taco__view_query *z, const taco__query_columns *list,
                                           taco__buf *out)
{
    size_t i;
    bool ok = true;
    for (i = 0; ok && i < list->count; i++) {
        const taco__query_column *c = &list->items[i];
        ok = (!i || taco__buf_append_text(out, ", ", z->err)) &&
             taco__lex_append_quoted(out, taco__bytes_text(c->name), '"', z->err) &&
             taco__buf_append_char(out, ' ', z->err) &&
             taco__buf_append(out, c->rest.data, c->rest.len, z->err);
    }
    return ok && taco__query_parse_ends(list, z->err);
}

/* taco__sql_source.open of a view: the cursor opened to find its columns, or the rows below. */
static taco_cursor *taco__view_layer_source_open(void *ctx, const taco__query_columns *select,
                                                 const taco__query_filter *filters, size_t n,
                                                 taco_error *err)
{
    taco__view_source *b = (taco__view_source *)ctx;
    taco_cursor *c = b->ready;
    b->ready = NULL;
    if (c) { return c; }
    return b->layers ? taco__view_layer_open(b->z, b->layers, b->ids, err)
                     : taco__view_query_open_base(b->z, select, filters, n, err);
}

/* Puts the columns that the view selects first; the remaining ones are protected columns, which can
   be named although * does not show them. */
static bool taco__view_layer_source_columns(taco__view_query *z, taco__view_source *b,
                                            taco_error *err)
{
    const taco__cursor_columns *p = &b->probe->columns;
    taco__field_index names;
    size_t i, n = 0, all = p->count + p->hidden;
    taco_field *out = (taco_field *)taco__arena_array(&z->arena, all * 2 + 1, sizeof *out, err);
    b->base.fields = out ? out : p->fields;
    if (!out) { return false; }
    if (!z->q.select.given) {
        memcpy(out, p->fields, all * sizeof *out);
        b->base.count = all;
        b->base.visible = p->count;
        return true;
    }
    taco__field_index_init(&names, p->fields, p->count, b->probe->mem);
    for (; n < all && n < z->q.select.count; n++) {
        const char *name = z->q.select.items[n].name;
        size_t k = taco__field_index_find(&names, name);
        if (k == TACO__NONE) {
            taco__field_index_free(&names);
            taco__field_names_no_column(p->fields, p->count, taco__bytes_text(name), err);
            return false;
        }
        out[n] = p->fields[k];
    }
    taco__field_index_free(&names);
    if (n == z->q.select.count && n < all && !taco__query_parse_ends(&z->q.select, err)) {
        return false;
    }
    b->base.visible = n;
    for (i = 0; i < all; i++) {
        if (taco__view_is_protected(taco__bytes_text(p->fields[i].name)) || i >= p->count) {
            out[n++] = p->fields[i];
        }
    }
    b->base.count = n;
    return err->code == TACO_OK;
}

/* Prepares the meaning of FROM data above the first `layers` layers: the fields of a cursor over
   them, which is kept for the first open, or those that the query could show. */
TACO__FN bool taco__view_layer_source_init(taco__view_query *z, taco__view_source *b, size_t layers,
                                           bool ids, taco_error *err)
{
    taco__select_options opt;
    memset(b, 0, sizeof *b);
    b->z = z;
    b->layers = layers;
    b->ids = ids;
    b->base.ctx = b;
    b->base.open = taco__view_layer_source_open;
    b->base.level = z->q.table;
    b->base.flat = z->q.flat;
    if (layers) {
        b->ready = taco__view_layer_open(z, layers, ids, err);
        if (b->ready) {
            b->base.query = b->ready;
            b->base.fields = b->ready->columns.fields;
            b->base.visible = b->ready->columns.count;
            b->base.count = b->ready->columns.count + b->ready->columns.hidden;
        }
        return b->ready != NULL;
    }
    b->base.pushes = !z->limited;
    memset(&opt, 0, sizeof opt);
    opt.shows_hidden = true;
    b->probe = taco__select_columns(z->ds, z->q.table, z->q.flat, &opt, err);
    return b->probe && taco__view_layer_source_columns(z, b, err);
}

/* Closes what taco__view_layer_source_init opened, unless it was used. */
TACO__FN void taco__view_layer_source_free(taco__view_source *b)
{
    taco_cursor_close(b->ready, NULL);
    taco_cursor_close(b->probe, NULL);
}

/* Protected columns used by layers above the n-th, and the row id (ids): they are passed along
   hidden, even if its SELECT does not list them. */
static const char **taco__view_layer_hidden_columns(taco__view_query *z, size_t n,
                                                    const taco__sql_source *base, bool ids,
                                                    size_t *count, taco_error *err)
{
    size_t i, k, f, m = 1;
    const char **out;
    *count = 0;
    for (i = n; i < z->layer_count; i++) {
        m += z->layers[i].name_count;
    }
    out = (const char **)taco__arena_array(&z->arena, m, sizeof *out, err);
    for (i = n; out && i < z->layer_count; i++) {
        for (k = 0; k < z->layers[i].name_count; k++) {
            for (f = 0; f < base->count &&
                        !taco__bind_name_is(z->layers[i].names[k], base->fields[f].name);
                 f++) {}
            if (f < base->count) { out[(*count)++] = base->fields[f].name; }
        }
    }
    if (out && ids && base->count &&
        strcmp(base->fields[base->count - 1].name, TACO__ROW_ID) == 0) {
        out[(*count)++] = TACO__ROW_ID;
    }
    return out;
}

/* The conjuncts of a WHERE. */
TACO__FN size_t taco__view_layer_conjuncts(taco__sql_select *s, taco__sql_expr ***list)
{
    bool several = s->where && s->where->kind == TACO__SQL_EXPR_AND;
    *list = several ? s->where->kid : &s->where;
    return several ? s->where->n : s->where ? 1 : 0;
}

/* Removes from a layer's SELECT what the query below has taken over: conditions, order, limits. */
static void taco__view_layer_remove_pushed(const taco__view_layer *l, taco__sql_select *s)
{
    taco__sql_expr **list;
    size_t i, k = 0, n = taco__view_layer_conjuncts(s, &list);
    for (i = 0; l->pushed_down && i < n; i++) {
        if (!l->pushed_down[i]) { list[k++] = list[i]; }
    }
    if (l->pushed_down && k < n) {
        s->where->n = k > 1 ? (uint32_t)k : s->where->n;
        s->where = k > 1 ? s->where : k ? list[0] : NULL;
    }
    if (l->unlimited) {
        s->has_limit = false;
        s->offset = 0;
    }
    if (l->unordered) { s->order_count = 0; }
}

/* Appends the names in a tree to a list of taco_bytes; for a plain name that is all it needs. */
static bool taco__view_layer_list_names(taco__buf *list, const taco__sql_expr *e, taco_error *err)
{
    uint32_t i;
    bool ok = true;
    if (e && (e->kind == TACO__SQL_EXPR_COLUMN || e->kind == TACO__SQL_EXPR_FIELD)) {
        ok = taco__buf_append(list, &e->name, sizeof e->name, err);
    }
    for (i = 0; ok && e && i < e->n; i++) {
        ok = taco__view_layer_list_names(list, e->kid[i], err);
    }
    return ok && (!e || !e->filter || taco__view_layer_list_names(list, e->filter, err));
}

/* Whether a list of taco_bytes contains the name, ignoring case. */
static bool taco__view_layer_has_name(const taco__buf *list, taco_bytes name)
{
    const taco_bytes *have = (const taco_bytes *)(const void *)list->data;
    size_t i, n = list->len / sizeof *have;
    for (i = 0; i < n && !taco__bind_names_equal(have[i], name); i++) {}
    return i < n;
}

/* Names in a SELECT, and whether all columns below may be in its output. */
static bool taco__view_layer_list_select_names(taco__buf *list, const taco__sql_select *s,
                                               bool *star, taco_error *err)
{
    size_t i;
    bool ok = taco__view_layer_list_names(list, s->items, err) &&
              taco__view_layer_list_names(list, s->on, err) &&
              taco__view_layer_list_names(list, s->groups, err) &&
              taco__view_layer_list_names(list, s->where, err) &&
              taco__view_layer_list_names(list, s->having, err);
    for (i = 0; ok && i < s->order_count; i++) {
        ok = taco__view_layer_list_names(list, s->order[i].e, err);
    }
    for (i = 1; ok && i < s->from_count; i++) {
        ok = taco__view_layer_list_names(list, s->from[i].on, err) &&
             taco__view_layer_list_names(list, s->from[i].list, err);
    }
    /* names in queries inside of it are not listed: any column may be one of them */
    for (i = 0, *star = s->nested; i < s->items->n; i++) {
        *star = *star || s->items->kid[i]->kind == TACO__SQL_EXPR_STAR;
    }
    return ok;
}

/* Removes items of a SELECT that no layer above uses, if that changes nothing else: they are not
   computed, and * becomes the used columns. Not if everything is output, or if numbers in ORDER BY
   count items. */
static bool taco__view_layer_narrow(taco__view_query *z, size_t layers,
                                    const taco__sql_source *base, taco__sql_select *s,
                                    taco_error *err)
{
    taco__sql_expr **kids;
    taco__buf list;
    size_t i, k, n = 0, stars = 0;
    bool ok = true, all = true, star = false;
    memset(&list, 0, sizeof list);
    list.mem = &z->ds->mem;
    /* names that layers above have; all: one of them lets every column out */
    for (i = z->layer_count; ok && i-- > layers;) {
        ok = taco__view_layer_list_select_names(&list, z->layers[i].s, &star, err);
        all = all && star;
    }
    for (i = 0; i < s->order_count; i++) { /* ALL, or the number of an item */
        all = all || !s->order[i].e || s->order[i].e->kind == TACO__SQL_EXPR_CONST;
    }
    /* without a column, grouped or distinct rows would be different */
    if (!ok || all || !z->layers[layers - 1].keeps ||
        !taco__view_layer_list_names(&list, s->where, err)) {
        taco__buf_free(&list);
        return ok && err->code == TACO_OK;
    }
    for (i = 0; ok && i < s->order_count; i++) {
        ok = taco__view_layer_list_names(&list, s->order[i].e, err);
    }
    for (i = 0; ok && i < s->items->n; i++) {
        taco__sql_expr *e = s->items->kid[i];
        /* kids has room for the columns of a single * */
        stars += e->kind == TACO__SQL_EXPR_STAR;
        all = all || stars > 1 || (e->kind == TACO__SQL_EXPR_STAR && (e->n || e->table.len));
    }
    kids = (taco__sql_expr **)taco__arena_array(&z->arena, s->items->n + base->visible,
                                                sizeof *kids, err);
    ok = ok && kids;
    for (i = 0; ok && !all && i < s->items->n; i++) {
        taco__sql_expr *e = s->items->kid[i];
        for (k = 0; ok && e->kind == TACO__SQL_EXPR_STAR && k < base->visible; k++) {
            taco_bytes name = taco__bytes_text(base->fields[k].name);
            if (taco__view_layer_has_name(&list, name)) {
                kids[n] = (taco__sql_expr *)taco__arena_alloc(&z->arena, sizeof **kids, err);
                ok = kids[n] != NULL;
                if (ok) {
                    kids[n]->kind = TACO__SQL_EXPR_COLUMN;
                    kids[n]->depth = 1;
                    kids[n++]->name = name;
                }
            }
        }
        if (e->kind != TACO__SQL_EXPR_STAR &&
            (!(e->alias.len || e->kind == TACO__SQL_EXPR_COLUMN) ||
             taco__view_layer_has_name(&list, e->alias.len ? e->alias : e->name))) {
            kids[n++] = e;
        }
    }
    if (ok && !all && n) {
        s->items->kid = kids;
        s->items->n = (uint32_t)n;
    }
    taco__buf_free(&list);
    return ok;
}

/* Lets tasks run a SELECT that is the only layer; in a task, makes it the plan of a part. Failing
   to copy the view is no error: there are no tasks then. */
static void taco__view_layer_set_tasks(taco__view_query *z, taco__executor *x)
{
    taco_error none;
    memset(&none, 0, sizeof none);
    if (z->of) {
        x->is_part = true;
        x->b.now = z->of->b.now;
    } else if (TACO__WITH_TASKS && z->ds->options.parallel_for && z->layer_count == 1 &&
               !z->plan_only && !x->s.nested) {
        x->view = taco__view_make(z->ds, z->view, NULL, 0, &none);
    }
}

/* Rows of the first n >= 1 layers: plans the n-th over those below it and opens it. ids: with row
   ids, as long as they are rows of the dataset. The cursor outlives the plan. */
TACO__FN taco_cursor *taco__view_layer_open(taco__view_query *z, size_t n, bool ids,
                                            taco_error *err)
{
    const taco__view_layer *l = &z->layers[n - 1];
    taco__view_source b;
    taco__executor *x;
    taco_cursor *c = NULL;
    bool ok = taco__view_layer_source_init(z, &b, n - 1, ids, err);
    c = ok ? taco__cursor_alloc(z->ds, 0, err) : NULL;
    if (c) {
        taco_bytes text = taco__bytes_text(l->sql);
        x = taco__planner_init(c, l->sql);
        ok = x != NULL;
        /* queries inside it open the rows below several times: the cursor opened for their columns
           is kept for them */
        if (l->s->nested && b.ready) {
            b.probe = b.ready;
            b.ready = NULL;
        }
        if (ok) { taco__view_layer_remove_pushed(l, &x->s); }
        if (ok) { taco__view_layer_set_tasks(z, x); }
        if (ok) {
            x->base = &b.base;
            x->plan_only = z->plan_only;
            ok = taco__view_layer_narrow(z, n, &b.base, &x->s, &c->err);
            if (l->keeps) {
                x->extras =
                    taco__view_layer_hidden_columns(z, n, &b.base, ids, &x->extra_count, &c->err);
            }
            ok = ok && c->err.code == TACO_OK && taco__planner_run(x);
            x->base = NULL;
        }
        c->query.level = z->q.table;
        if (!ok) {
            if (c->err.code == TACO_OK && err->code != TACO_OK) {
                c->err = *err;
                err->code = TACO_OK;
            }
            taco__error_prefix(&c->err, "%s: sql: %q", z->ds->stores[0].name, &text);
            taco_cursor_close(c, err);
            c = NULL;
        }
    }
    taco__view_layer_source_free(&b);
    return c;
}
