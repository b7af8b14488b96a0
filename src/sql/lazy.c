/* ==== ROOM lazy: views: steps that are kept, made into one query or a chain of SELECTs when rows are asked for.
   Uses: sql exec nav cursor dataset. Spec: TACO 2.0 §7.2.2, §7.2.3 ==== */

typedef enum taco__view_step_kind {
    TACO__VIEW_STEP_FILTER = 0,
    TACO__VIEW_STEP_TABLE,
    TACO__VIEW_STEP_SELECT,
    TACO__VIEW_STEP_ORDER,
    TACO__VIEW_STEP_LIMIT,
    TACO__VIEW_STEP_SQL
} taco__view_step_kind;

typedef struct taco__view_step {
    taco__view_step_kind kind;
    taco_filter          f;
    double               box[4];
    const char          *text; /* SELECT, ORDER, SQL */
    uint64_t             limit, offset;
    uint32_t             level; /* TABLE */
    bool                 flat, padding;
} taco__view_step;

struct taco_view {
    taco_dataset    *ds;
    taco__arena      arena;
    taco__view_step *steps;
    size_t           count;
};

/* A SELECT over what stands below it. */
typedef struct taco__view_layer {
    const char       *sql;
    taco__sql_select *s;
    bool              keeps;       /* its rows are rows of what stands below, one for one */
    bool              limits;      /* it has LIMIT or OFFSET... */
    bool              unlimited;   /* ...that the query below or a mask has by now */
    bool              unordered;   /* the query below has its order */
    bool             *pushed_down; /* conjuncts of WHERE that the query below has */
    taco_bytes       *names;       /* protected columns that it names */
    size_t            name_count;
} taco__view_layer;

/* The plan of a view: one query, and layers over it. */
typedef struct taco__view_query {
    taco_dataset     *ds;
    taco__arena       arena;
    taco_error       *err;
    taco_query        q;
    taco_filter      *filters;
    size_t            filter_count, filter_cap;
    bool              dry;  /* nothing is run: limits that would have to be leave every row */
    taco__buf         also; /* then: columns that they would have been ordered by */
    bool              limited;
    uint64_t          limit, offset; /* UINT64_MAX: no limit */
    uint8_t         **masks;         /* by store and level */
    taco__view_layer *layers;
    size_t            layer_count;
    const char      **pushed_down; /* conditions that went below layers */
    size_t            pushed_down_count, pushed_down_cap;
} taco__view_query;

/* ---- steps ----------------------------------------------------------------------------------------- */

TACO__FN bool taco__view_copy_text(taco_view *v, const char **text, taco_error *err)
{
    *text = *text ? taco__arena_text(&v->arena, taco__bytes_text(*text), err) : NULL;
    return !err || err->code == TACO_OK;
}
TACO_API void taco_view_free(taco_view *v)
{
    taco__mem *mem = v ? &v->ds->mem : NULL;
    if (v) {
        taco__arena_free(&v->arena);
        taco__mem_free(mem, v, sizeof *v);
    }
}
/* A view with the steps of `from`, which may be NULL, and those of more. */
TACO__FN taco_view *taco__view_make(taco_dataset *ds, const taco_view *from,
                                    const taco__view_step *more, size_t n, taco_error *err)
{
    taco_view *v = (taco_view *)taco__mem_alloc(&ds->mem, sizeof *v, err);
    size_t     i, before = from ? from->count : 0;
    bool       ok = v != NULL;
    if (v) {
        v->ds = ds;
        v->arena.mem = &ds->mem;
        v->count = before + n;
        v->steps =
            (taco__view_step *)taco__arena_array(&v->arena, v->count + 1, sizeof *v->steps, err);
        ok = v->steps != NULL;
    }
    for (i = 0; ok && i < v->count; i++) {
        taco__view_step *s = &v->steps[i];
        *s = i < before ? from->steps[i] : more[i - before];
        if (s->f.bbox) {
            memmove(s->box, s->f.bbox, sizeof s->box);
            s->f.bbox = s->box;
        }
        ok = taco__view_copy_text(v, &s->f.where, err) &&
             taco__view_copy_text(v, &s->f.time, err) &&
             taco__view_copy_text(v, &s->f.geometry_column, err) &&
             taco__view_copy_text(v, &s->f.time_column, err) &&
             taco__view_copy_text(v, &s->text, err);
    }
    if (!ok) {
        taco_view_free(v);
        return NULL;
    }
    return v;
}
TACO__FN taco_view *taco__view_add_step(const taco_view *v, const taco__view_step *s,
                                        taco_error *err)
{
    if (!v) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no view given");
        return NULL;
    }
    return taco__view_make(v->ds, v, s, 1, err);
}
/* What can be said of a filter before anything is read. */
TACO__FN bool taco__view_check_filter(taco_dataset *ds, const taco_filter *f, taco_error *err)
{
    taco__arena arena;
    taco_error  own;
    int64_t     day[2], at[2];
    double      edge[4];
    bool        ok = true;
    memset(&own, 0, sizeof own);
    memset(&arena, 0, sizeof arena);
    arena.mem = &ds->mem;
    if (f->level >= taco_levels(ds)) {
        TACO__FAIL(&own, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "there is no level %u to filter, the deepest is %u", TACO__U(f->level),
                   TACO__U(taco_levels(ds) - 1));
    } else if (f->where) {
        ok =
            taco__pred_parse(&arena, f->where, strlen(f->where), &ds->options.limits, &own) != NULL;
        if (!ok) {
            taco_bytes w = taco__bytes_text(f->where);
            taco__error_prefix(&own, "where: %q", &w);
        }
    }
    ok = own.code == TACO_OK && ok &&
         (!f->time ||
          taco__time_parse_range(f->time, &day[0], &day[1], &at[0], &at[1], &own) == TACO_OK) &&
         (!f->bbox || taco__intersect_normalize_box(f->bbox, edge, &own) == TACO_OK);
    taco__arena_free(&arena);
    if (!ok && err && err->code == TACO_OK) {
        *err = own;
    }
    return ok || taco__container_fail(&ds->stores[0], NULL, err);
}
TACO_API taco_view *taco_view_open(taco_dataset *ds, const taco_query *query, taco_error *err)
{
    taco__view_step *steps;
    taco_query       q;
    taco_view       *v = NULL;
    size_t           i, n = 0, bytes;
    memset(&q, 0, sizeof q);
    q = query ? *query : q;
    if (!ds) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
        return NULL;
    }
    if (q.table >= taco_levels(ds)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "there is no level %u, the deepest is %u", TACO__U(q.table),
                   TACO__U(taco_levels(ds) - 1));
        taco__container_fail(&ds->stores[0], NULL, err);
        return NULL;
    }
    if (!taco__checked_mul_size(q.filter_count + 5, sizeof *steps, &bytes)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for filters");
        return NULL;
    }
    steps = (taco__view_step *)taco__mem_alloc(&ds->mem, bytes, err);
    if (!steps) {
        return NULL;
    }
    steps[n].kind = TACO__VIEW_STEP_TABLE;
    steps[n].level = q.table;
    steps[n].flat = q.flat;
    steps[n++].padding = q.padding;
    for (i = 0; i < q.filter_count; i++) {
        steps[n++].f = q.filters[i];
    }
    steps[n].f.where = q.where;
    steps[n].f.bbox = q.bbox;
    steps[n].f.time = q.time;
    steps[n].f.geometry_column = q.geometry_column;
    steps[n].f.time_column = q.time_column;
    steps[n].f.level = q.level;
    steps[n++].f.exact_time = q.exact_time;
    if (q.order) {
        steps[n].kind = TACO__VIEW_STEP_ORDER;
        steps[n++].text = q.order;
    }
    if (q.select) {
        steps[n].kind = TACO__VIEW_STEP_SELECT;
        steps[n++].text = q.select;
    }
    steps[n].kind = TACO__VIEW_STEP_LIMIT;
    steps[n].limit = q.limit;
    steps[n++].offset = q.offset;
    for (i = 0; i <= q.filter_count && taco__view_check_filter(ds, &steps[1 + i].f, err); i++) {
    }
    if (i > q.filter_count) {
        v = taco__view_make(ds, NULL, steps, n, err);
    }
    taco__mem_free(&ds->mem, steps, bytes);
    return v;
}
TACO_API taco_view *taco_view_filter(const taco_view *v, const taco_filter *f, taco_error *err)
{
    taco__view_step s;
    memset(&s, 0, sizeof s);
    if (f) {
        s.f = *f;
    }
    return v && !taco__view_check_filter(v->ds, &s.f, err) ? NULL : taco__view_add_step(v, &s, err);
}
TACO_API taco_view *taco_view_where(const taco_view *v, const char *where, uint32_t level,
                                    taco_error *err)
{
    taco_filter f;
    memset(&f, 0, sizeof f);
    f.where = where;
    f.level = level;
    return taco_view_filter(v, &f, err);
}
TACO_API taco_view *taco_view_filter_bbox(const taco_view *v, const double box[4],
                                          const char *geometry_column, uint32_t level,
                                          taco_error *err)
{
    taco_filter f;
    memset(&f, 0, sizeof f);
    f.bbox = box;
    f.geometry_column = geometry_column;
    f.level = level;
    return taco_view_filter(v, &f, err);
}
TACO_API taco_view *taco_view_filter_datetime(const taco_view *v, const char *time,
                                              const char *time_column, uint32_t level,
                                              taco_error *err)
{
    taco_filter f;
    memset(&f, 0, sizeof f);
    f.time = time;
    f.time_column = time_column;
    f.level = level;
    return taco_view_filter(v, &f, err);
}
TACO_API taco_view *taco_view_select(const taco_view *v, const char *columns, taco_error *err)
{
    taco__view_step s;
    memset(&s, 0, sizeof s);
    s.kind = TACO__VIEW_STEP_SELECT;
    s.text = columns ? columns : "";
    return taco__view_add_step(v, &s, err);
}
TACO_API taco_view *taco_view_order(const taco_view *v, const char *columns, taco_error *err)
{
    taco__view_step s;
    memset(&s, 0, sizeof s);
    s.kind = TACO__VIEW_STEP_ORDER;
    s.text = columns ? columns : "";
    return taco__view_add_step(v, &s, err);
}
TACO_API taco_view *taco_view_limit(const taco_view *v, uint64_t limit, uint64_t offset,
                                    taco_error *err)
{
    taco__view_step s;
    memset(&s, 0, sizeof s);
    s.kind = TACO__VIEW_STEP_LIMIT;
    s.limit = limit;
    s.offset = offset;
    return taco__view_add_step(v, &s, err);
}

/* ---- SELECTs --------------------------------------------------------------------------------------- */

/* Columns that navigation goes by (spec 7.2.3): no step takes them away, and none may put something else in their place. */
TACO__FN bool taco__view_is_protected(taco_bytes name)
{
    return taco__bind_name_is(name, "id") || taco__bind_name_is(name, "type") ||
           (name.len > 9 && taco__bind_name_is(taco__bytes_of(name.data, 9), "internal:"));
}
TACO__FN bool taco__view_keeps_rows(const taco__sql_select *s)
{
    size_t i;
    bool ok = s->from_count == 1 && taco__ascii_is_word(s->from[0].name, "data") && !s->distinct &&
              !s->groups && !s->group_all && !s->having;
    for (i = 0; ok && i < s->items->n; i++) {
        ok = !taco__planner_output_has_aggregate(s->items->kid[i]);
    }
    for (i = 0; ok && i < s->order_count; i++) {
        ok = !s->order[i].e || !taco__planner_output_has_aggregate(s->order[i].e);
    }
    return ok;
}
/* A SELECT whose rows stay samples must leave the protected columns what they are. */
TACO__FN bool taco__view_check_protected(const taco__sql_select *s, taco_error *err)
{
    size_t i;
    for (i = 0; i < s->items->n && taco__view_keeps_rows(s); i++) {
        const taco__sql_expr *e = s->items->kid[i];
        if (e->alias.len && taco__view_is_protected(e->alias) &&
            !((e->kind == TACO__SQL_EXPR_COLUMN || e->kind == TACO__SQL_EXPR_FIELD) &&
              taco__bind_names_equal(e->name, e->alias))) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, e->at,
                       "%q is a protected column: a view keeps it as it is", &e->alias);
            return false;
        }
    }
    return true;
}
TACO_API taco_view *taco_view_sql(const taco_view *v, const char *sql, taco_error *err)
{
    taco__view_step   s;
    taco__arena       arena;
    taco__sql_select *parsed;
    taco_error        own;
    bool              ok = false;
    if (!v || !sql) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given", v ? "query" : "view");
        return NULL;
    }
    memset(&s, 0, sizeof s);
    memset(&own, 0, sizeof own);
    memset(&arena, 0, sizeof arena);
    arena.mem = &v->ds->mem;
    s.kind = TACO__VIEW_STEP_SQL;
    s.text = sql;
    parsed = (taco__sql_select *)taco__arena_alloc(&arena, sizeof *parsed, &own);
    ok = parsed &&
         taco__sql_parse(&arena, sql, TACO__MIN(strlen(sql), TACO__SQL_MAX_TEXT + 1),
                         v->ds->options.limits.max_depth, parsed, &own) &&
         taco__view_check_protected(parsed, &own);
    taco__arena_free(&arena);
    if (!ok) {
        taco_bytes text = taco__bytes_text(sql);
        taco__error_prefix(&own, "%s: sql: %q", v->ds->stores[0].name, &text);
        if (err && err->code == TACO_OK) {
            *err = own;
        }
        return NULL;
    }
    return taco__view_add_step(v, &s, err);
}
/* Protected columns that a tree names, appended to the layer's. */
TACO__FN bool taco__view_layer_list_protected(taco__view_query *z, taco__view_layer *l,
                                              taco__buf *list, const taco__sql_expr *e)
{
    uint32_t i;
    if (!e) {
        return true;
    }
    if ((e->kind == TACO__SQL_EXPR_COLUMN || e->kind == TACO__SQL_EXPR_FIELD) &&
        taco__view_is_protected(e->name) &&
        !taco__buf_append(list, &e->name, sizeof e->name, z->err)) {
        return false;
    }
    for (i = 0; i < e->n; i++) {
        if (!taco__view_layer_list_protected(z, l, list, e->kid[i])) {
            return false;
        }
    }
    return taco__view_layer_list_protected(z, l, list, e->filter);
}
/* data.a in the items of a SELECT is column a. */
TACO__FN void taco__view_layer_unqualify(taco__sql_select *s)
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
TACO__FN bool taco__view_layer_init(taco__view_query *z, const char *sql)
{
    taco__view_layer *l = &z->layers[z->layer_count++];
    taco__sql_select *s = (taco__sql_select *)taco__arena_alloc(&z->arena, sizeof *s, z->err);
    taco__buf         list;
    size_t            i;
    bool              ok;
    if (!s ||
        !taco__sql_parse(&z->arena, sql, strlen(sql), z->ds->options.limits.max_depth, s, z->err)) {
        return false;
    }
    memset(l, 0, sizeof *l);
    l->sql = sql;
    l->s = s;
    taco__view_layer_unqualify(s);
    l->keeps = taco__view_keeps_rows(s);
    l->limits = s->has_limit || s->offset;
    memset(&list, 0, sizeof list);
    list.mem = &z->ds->mem;
    ok = taco__view_layer_list_protected(z, l, &list, s->items) &&
         taco__view_layer_list_protected(z, l, &list, s->groups) &&
         taco__view_layer_list_protected(z, l, &list, s->where) &&
         taco__view_layer_list_protected(z, l, &list, s->having);
    for (i = 0; ok && i < s->order_count; i++) {
        ok = taco__view_layer_list_protected(z, l, &list, s->order[i].e);
    }
    for (i = 1; ok && i < s->from_count; i++) {
        ok = taco__view_layer_list_protected(z, l, &list, s->from[i].on);
    }
    l->name_count = list.len / sizeof *l->names;
    l->names =
        (taco_bytes *)taco__arena_array(&z->arena, l->name_count + 1, sizeof *l->names, z->err);
    if (l->names && list.len) {
        memcpy(l->names, list.data, list.len);
    }
    taco__buf_free(&list);
    return ok && l->names;
}
TACO__FN bool taco__view_layer_append_quoted(taco__buf *out, const char *name, taco_error *err)
{
    bool ok = taco__buf_append_char(out, '"', err);
    for (; ok && *name; name++) {
        ok = (*name != '"' || taco__buf_append_char(out, '"', err)) &&
             taco__buf_append_char(out, *name, err);
    }
    return ok && taco__buf_append_char(out, '"', err);
}
/* A list of taco_query's select or order in the words of SQL. */
TACO__FN bool taco__view_layer_append_list(taco__view_query *z, const char *list, taco__buf *out)
{
    const char *p = list, *name;
    taco_bytes  rest;
    bool        ok = true, first = true;
    while (ok && taco__cursor_column_parse_name(&z->arena, &p, &name, &rest, z->err)) {
        ok = (first || taco__buf_append_text(out, ", ", z->err)) &&
             taco__view_layer_append_quoted(out, name, z->err) &&
             taco__buf_append_char(out, ' ', z->err) &&
             taco__buf_append(out, rest.data, rest.len, z->err);
        first = false;
    }
    return ok && z->err->code == TACO_OK;
}
/* ---- cursors of a plan ----------------------------------------------------------------------------- */

/* For a cursor that is only looked at: all columns that come out or are sorted by, to be read in storage order. */
TACO__FN bool taco__view_query_all_columns(taco__view_query *z, taco_query *q, taco_error *err)
{
    taco__buf list;
    bool      ok = true;
    if (q->order || z->also.len) {
        q->limit = q->offset = 0; /* any row may be the first */
    }
    memset(&list, 0, sizeof list);
    list.mem = &z->ds->mem;
    if (q->select && (q->order || z->also.len)) {
        const char *p, *name;
        taco_bytes  rest;
        ok = taco__buf_append_text(&list, q->select, err) &&
             taco__buf_append(&list, z->also.data, z->also.len, err);
        for (p = q->order;
             ok && p && taco__cursor_column_parse_name(&z->arena, &p, &name, &rest, err);) {
            ok = taco__buf_append_text(&list, ", ", err) &&
                 taco__view_layer_append_quoted(&list, name, err);
        }
        ok = ok && err->code == TACO_OK;
        q->select =
            ok ? taco__arena_text(&z->arena, taco__bytes_of(list.data, list.len), err) : NULL;
        ok = ok && q->select;
    }
    taco__buf_free(&list);
    q->order = NULL;
    return ok;
}
/* Rows of the query below the layers. select NULL: what the view selects. */
TACO__FN taco_cursor *taco__view_query_open_base(taco__view_query *z, const char *select,
                                                 const taco_filter *more, size_t n, taco_error *err)
{
    taco_query   q = z->q;
    taco_filter *all =
        (taco_filter *)taco__arena_array(&z->arena, z->filter_count + n + 1, sizeof *all, err);
    taco_cursor *c;
    if (!all) {
        return NULL;
    }
    if (z->filter_count) {
        memcpy(all, z->filters, z->filter_count * sizeof *all);
    }
    if (n) {
        memcpy(all + z->filter_count, more, n * sizeof *all);
    }
    q.filters = all;
    q.filter_count = z->filter_count + n;
    q.select = select ? select : q.select;
    if (z->limited) {
        q.limit = z->limit == UINT64_MAX ? 0 : TACO__MAX(z->limit, (uint64_t)1);
        q.offset = z->limit ? z->offset : UINT64_MAX;
    }
    c = taco__cursor_alloc(z->ds, z->ds->container_count, err);
    if (!c) {
        return NULL;
    }
    c->masks = z->masks;
    c->shows_hidden = select != NULL;
    c->dry = z->dry;
    if (z->dry && !taco__view_query_all_columns(z, &q, err)) {
        taco_cursor_close(c, err);
        return NULL;
    }
    if (!taco__select_open(c, &q)) {
        taco_cursor_close(c, err);
        return NULL;
    }
    c->masks = NULL;
    return c;
}
typedef struct taco__view_source {
    taco__sql_source  base;
    taco__view_query *z;
    size_t            layers; /* below */
    bool              ids;
    taco_cursor      *ready; /* opened to see its columns; the first to be handed out */
    taco_cursor      *probe; /* holds the columns */
} taco__view_source;

TACO__FN taco_cursor *taco__view_layer_open(taco__view_query *z, size_t layers, bool ids,
                                            taco_error *err);

TACO__FN taco_cursor *taco__view_layer_source_open(void *ctx, const char *select,
                                                   const taco_filter *filters, size_t n,
                                                   taco_error *err)
{
    taco__view_source *b = (taco__view_source *)ctx;
    taco_cursor       *c = b->ready;
    b->ready = NULL;
    if (c) {
        return c;
    }
    return b->layers ? taco__view_layer_open(b->z, b->layers, b->ids, err)
                     : taco__view_query_open_base(b->z, select, filters, n, err);
}
/* Puts the columns that the view selects in front; the others that stay are the protected ones. */
TACO__FN bool taco__view_layer_source_columns(taco__view_query *z, taco__view_source *b,
                                              taco_error *err)
{
    taco_cursor *p = b->probe;
    size_t       i, n = 0, all = p->count + p->hidden;
    taco_field  *out = (taco_field *)taco__arena_array(&z->arena, all * 2 + 1, sizeof *out, err);
    const char  *at = z->q.select, *name;
    taco_bytes   rest;
    b->base.fields = out ? out : p->fields;
    if (!out) {
        return false;
    }
    if (!z->q.select) {
        memcpy(out, p->fields, all * sizeof *out);
        b->base.count = all;
        b->base.visible = p->count;
        return true;
    }
    while (n < all && taco__cursor_column_parse_name(&z->arena, &at, &name, &rest, err)) {
        size_t k = taco__cursor_column_find(p, name);
        if (k == TACO__NONE) {
            taco__field_names_no_column(p->fields, p->count, taco__bytes_text(name), err);
            return false;
        }
        out[n++] = p->fields[k];
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
/* Makes what FROM data means behind so many layers. */
TACO__FN bool taco__view_layer_source_init(taco__view_query *z, taco__view_source *b, size_t layers,
                                           bool ids, taco_error *err)
{
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
            b->base.fields = b->ready->fields;
            b->base.visible = b->ready->count;
            b->base.count = b->ready->count + b->ready->hidden;
        }
        return b->ready != NULL;
    }
    b->base.pushes = !z->limited;
    b->probe = taco__cursor_alloc(z->ds, 0, err);
    if (!b->probe) {
        return false;
    }
    b->probe->flat = z->q.flat;
    b->probe->level = z->q.table;
    b->probe->shows_hidden = true;
    if (!taco__cursor_column_add_all(b->probe, z->q.table)) {
        if (err->code == TACO_OK) {
            *err = b->probe->err;
        }
        return false;
    }
    return taco__view_layer_source_columns(z, b, err);
}
TACO__FN void taco__view_layer_source_free(taco__view_source *b)
{
    taco_cursor_close(b->ready, NULL);
    taco_cursor_close(b->probe, NULL);
}
/* Protected columns that layers above the n-th name, and the row itself: they go along with its rows. */
TACO__FN const char **taco__view_layer_hidden_columns(taco__view_query *z, size_t n,
                                                      const taco__sql_source *base, bool ids,
                                                      size_t *count, taco_error *err)
{
    size_t       i, k, f, m = 1;
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
                 f++) {
            }
            if (f < base->count) {
                out[(*count)++] = base->fields[f].name;
            }
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
/* Takes out of a layer's SELECT what the query below has. */
TACO__FN void taco__view_layer_remove_pushed(const taco__view_layer *l, taco__sql_select *s)
{
    taco__sql_expr **list;
    size_t           i, k = 0, n = taco__view_layer_conjuncts(s, &list);
    for (i = 0; l->pushed_down && i < n; i++) {
        if (!l->pushed_down[i]) {
            list[k++] = list[i];
        }
    }
    if (l->pushed_down && k < n) {
        s->where->n = k > 1 ? (uint32_t)k : s->where->n;
        s->where = k > 1 ? s->where : k ? list[0] : NULL;
    }
    if (l->unlimited) {
        s->has_limit = false;
        s->offset = 0;
    }
    if (l->unordered) {
        s->order_count = 0;
    }
}
/* Names that a tree has, appended to a list of taco_bytes; of a plain name that is all it asks for. */
TACO__FN bool taco__view_layer_list_names(taco__buf *list, const taco__sql_expr *e, taco_error *err)
{
    uint32_t i;
    bool     ok = true;
    if (e && (e->kind == TACO__SQL_EXPR_COLUMN || e->kind == TACO__SQL_EXPR_FIELD)) {
        ok = taco__buf_append(list, &e->name, sizeof e->name, err);
    }
    for (i = 0; ok && e && i < e->n; i++) {
        ok = taco__view_layer_list_names(list, e->kid[i], err);
    }
    return ok && (!e || !e->filter || taco__view_layer_list_names(list, e->filter, err));
}
TACO__FN bool taco__view_layer_has_name(const taco__buf *list, taco_bytes name)
{
    const taco_bytes *have = (const taco_bytes *)(const void *)list->data;
    size_t            i, n = list->len / sizeof *have;
    for (i = 0; i < n && !taco__bind_names_equal(have[i], name); i++) {
    }
    return i < n;
}
/* Names that a SELECT has, and whether all columns of what stands below it may come out of it. */
TACO__FN bool taco__view_layer_list_select_names(taco__buf *list, const taco__sql_select *s,
                                                 bool *star, taco_error *err)
{
    size_t i;
    bool   ok = taco__view_layer_list_names(list, s->items, err) &&
              taco__view_layer_list_names(list, s->groups, err) &&
              taco__view_layer_list_names(list, s->where, err) &&
              taco__view_layer_list_names(list, s->having, err);
    for (i = 0; ok && i < s->order_count; i++) {
        ok = taco__view_layer_list_names(list, s->order[i].e, err);
    }
    for (i = 1; ok && i < s->from_count; i++) {
        ok = taco__view_layer_list_names(list, s->from[i].on, err);
    }
    for (i = 0, *star = false; i < s->items->n; i++) {
        *star = *star || s->items->kid[i]->kind == TACO__SQL_EXPR_STAR;
    }
    return ok;
}
/* Leaves away what no layer above the n-th asks of its SELECT, where that changes nothing else. */
TACO__FN bool taco__view_layer_narrow(taco__view_query *z, size_t layers,
                                      const taco__sql_source *base, taco__sql_select *s,
                                      taco_error *err)
{
    taco__sql_expr **kids;
    taco__buf        list;
    size_t           i, k, n = 0;
    bool             ok = true, all = true, star = false;
    memset(&list, 0, sizeof list);
    list.mem = &z->ds->mem;
    for (i = z->layer_count; ok && i-- > layers;) {
        ok = taco__view_layer_list_select_names(&list, z->layers[i].s, &star, err);
        all = all && star;
    }
    for (i = 0; i < s->order_count; i++) { /* ALL, or an item's number */
        all = all || !s->order[i].e || s->order[i].e->kind == TACO__SQL_EXPR_CONST;
    }
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
        all = all || (e->kind == TACO__SQL_EXPR_STAR && (e->n || e->table.len));
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
/* Rows of the first n >= 1 layers. ids: they say whose rows they are, as long as they are rows of the dataset. */
TACO__FN taco_cursor *taco__view_layer_open(taco__view_query *z, size_t n, bool ids,
                                            taco_error *err)
{
    const taco__view_layer *l = &z->layers[n - 1];
    taco__view_source       b;
    taco__executor         *x;
    taco_cursor            *c = NULL;
    bool                    ok = taco__view_layer_source_init(z, &b, n - 1, ids, err);
    c = ok ? taco__cursor_alloc(z->ds, 0, err) : NULL;
    if (c) {
        taco_bytes text = taco__bytes_text(l->sql);
        x = taco__planner_init(c, l->sql);
        ok = x != NULL;
        if (ok) {
            taco__view_layer_remove_pushed(l, &x->s);
        }
        if (ok) {
            x->base = &b.base;
            x->dry = z->dry;
            ok = taco__view_layer_narrow(z, n, &b.base, &x->s, &c->err);
            if (l->keeps) {
                x->extras =
                    taco__view_layer_hidden_columns(z, n, &b.base, ids, &x->extra_count, &c->err);
            }
            ok = ok && c->err.code == TACO_OK && taco__planner_run(x);
            x->base = NULL;
        }
        c->level = z->q.table;
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
/* Rows of the whole plan; ids: the row itself as the only column there is to read, hidden or not. */
TACO__FN taco_cursor *taco__view_query_open(taco__view_query *z, bool ids)
{
    if (z->layer_count) {
        return taco__view_layer_open(z, z->layer_count, true, z->err);
    }
    return taco__view_query_open_base(z, ids ? "\"" TACO__ROW_ID "\"" : NULL, NULL, 0, z->err);
}
/* ---- from steps to a plan -------------------------------------------------------------------------- */

TACO__FN void taco__view_query_free(taco__view_query *z)
{
    size_t i;
    for (i = 0; z->masks && i < z->ds->container_count * TACO__MAX_LEVELS; i++) {
        if (z->masks[i]) {
            taco__mem_free(&z->ds->mem, z->masks[i],
                           taco__cascade_bitmap_bytes(&z->ds->stores[i / TACO__MAX_LEVELS],
                                                      (uint32_t)(i % TACO__MAX_LEVELS)));
        }
    }
    taco__buf_free(&z->also);
    taco__arena_free(&z->arena);
}
TACO__FN bool taco__view_query_mask_limit_dry(taco__view_query *z)
{
    const char *p = z->q.order, *name;
    taco_bytes  rest;
    size_t      i;
    bool        ok = true;
    while (ok && p && taco__cursor_column_parse_name(&z->arena, &p, &name, &rest, z->err)) {
        ok = taco__buf_append_text(&z->also, ", ", z->err) &&
             taco__view_layer_append_quoted(&z->also, name, z->err);
    }
    for (i = 0; i < z->layer_count; i++) {
        z->layers[i].unlimited = true;
    }
    z->limited = false;
    return ok && z->err->code == TACO_OK;
}
TACO__FN bool taco__view_query_mask_limit_run(taco__view_query *z)
{
    taco_cursor   *c = taco__view_query_open(z, true);
    taco_batch     batch;
    size_t         i, store = 0;
    uint64_t       row;
    uint8_t       *fresh;
    uint32_t       level = z->q.table;
    taco__cascade *made;
    bool           ok = c != NULL;
    made =
        (taco__cascade *)taco__arena_array(&z->arena, z->ds->container_count, sizeof *made, z->err);
    for (i = 0; ok && made && i < z->ds->container_count; i++) {
        ok = taco__cascade_alloc_bitmap(&z->ds->stores[i], &made[i], level, z->err);
    }
    while (ok && made && taco_cursor_batch(c, &batch)) {
        for (i = 0; i < batch.length; i++) {
            if (taco__compose_sample_row(c, i, &store, &row)) {
                taco__bitmap_set(made[store].bits[level], (size_t)row);
            }
        }
    }
    ok = taco_cursor_close(c, z->err) == TACO_OK && ok && made;
    for (i = 0; made && i < z->ds->container_count; i++) {
        fresh = made[i].bits[level];
        if (fresh && z->masks[i * TACO__MAX_LEVELS + level]) {
            taco__mem_free(&z->ds->mem, z->masks[i * TACO__MAX_LEVELS + level],
                           taco__cascade_bitmap_bytes(&z->ds->stores[i], level));
        }
        z->masks[i * TACO__MAX_LEVELS + level] =
            fresh ? fresh : z->masks[i * TACO__MAX_LEVELS + level];
    }
    for (i = 0; i < z->layer_count; i++) {
        z->layers[i].unlimited = true;
    }
    z->limited = false;
    return ok;
}
/* Makes the rows that a limit leaves a mask, so that what comes after them may be part of the one query. */
TACO__FN bool taco__view_query_mask_limit(taco__view_query *z)
{
    return z->dry ? taco__view_query_mask_limit_dry(z) : taco__view_query_mask_limit_run(z);
}
TACO__FN bool taco__view_query_add_filter(taco__view_query *z, const taco_filter *f)
{
    if (z->filter_count == z->filter_cap) {
        size_t       cap = z->filter_cap ? z->filter_cap * 2 : 8;
        taco_filter *p = (taco_filter *)taco__arena_array(&z->arena, cap, sizeof *p, z->err);
        if (!p) {
            return false;
        }
        if (z->filter_count) {
            memcpy(p, z->filters, z->filter_count * sizeof *p);
        }
        z->filters = p;
        z->filter_cap = cap;
    }
    z->filters[z->filter_count++] = *f;
    return true;
}
TACO__FN bool taco__view_query_add_limit(taco__view_query *z, uint64_t limit, uint64_t offset)
{
    uint64_t left = z->limited ? z->limit : UINT64_MAX;
    left = left == UINT64_MAX ? left : left > offset ? left - offset : 0;
    z->offset = z->limited ? z->offset : 0;
    z->offset = offset > UINT64_MAX - 1 - z->offset ? UINT64_MAX - 1 : z->offset + offset;
    z->limit = TACO__MIN(left, limit);
    z->limited = true;
    return true;
}

/* ---- what sinks through layers --------------------------------------------------------------------- */

/* Whether a condition on plain columns of a layer may be tested below it: the rows that it leaves are the same ones then.
   Not those of LIMIT, nor the one row of an aggregate without groups; rows of DISTINCT and groups are kept or dropped
   whole. */
TACO__FN bool taco__view_pushdown_is_allowed(const taco__view_layer *l)
{
    return l->s->from_count == 1 && taco__ascii_is_word(l->s->from[0].name, "data") &&
           (!l->limits || l->unlimited) &&
           (l->keeps || l->s->groups || l->s->group_all || (l->s->distinct && !l->s->having));
}
/* Makes the name of a column of a layer that of the one below that it is. False where it is computed, or not one. */
TACO__FN bool taco__view_pushdown_name_below(const taco__view_layer *l, taco_bytes *name)
{
    const taco__sql_expr *found = NULL;
    size_t                i, k, hits = 0;
    for (i = 0; i < l->s->items->n; i++) {
        const taco__sql_expr *e = l->s->items->kid[i];
        if (e->kind == TACO__SQL_EXPR_STAR) {
            for (k = 0; k < e->n && !taco__bind_names_equal(e->kid[k]->name, *name); k++) {
            }
            hits += k == e->n;
        } else if (taco__bind_names_equal(e->alias.len ? e->alias : e->name, *name)) {
            found = e;
            hits++;
        }
    }
    if (hits != 1) {
        return !hits && l->keeps && taco__view_is_protected(*name);
    }
    if (found && found->kind != TACO__SQL_EXPR_COLUMN) {
        return false;
    }
    *name = found ? found->name : *name;
    return true;
}
/* The same down to the query, from what stands on the first n layers. s: the SELECT that has the name; where one of its
   own items is called like that, it is not looked into. */
TACO__FN bool taco__view_pushdown_base_name(const taco__view_query *z, size_t n,
                                            const taco__sql_select *s, taco_bytes *name)
{
    size_t i;
    for (i = 0; i < s->items->n; i++) {
        if (s->items->kid[i]->alias.len && taco__bind_names_equal(s->items->kid[i]->alias, *name)) {
            return false;
        }
    }
    while (n && taco__view_pushdown_name_below(&z->layers[n - 1], name)) {
        n--;
    }
    return n == 0;
}
TACO__FN bool taco__view_pushdown_rename(const taco__view_query *z, size_t n,
                                         const taco__sql_select *s, taco__sql_expr *e)
{
    uint32_t i;
    if (e->kind == TACO__SQL_EXPR_COLUMN) {
        e->table.len = 0; /* there is one table */
        return taco__view_pushdown_base_name(z, n, s, &e->name);
    }
    for (i = 0; i < e->n; i++) {
        if (!taco__view_pushdown_rename(z, n, s, e->kid[i])) {
            return false;
        }
    }
    return !e->filter;
}
TACO__FN bool taco__view_pushdown_record(taco__view_query *z, const char *where)
{
    if (z->pushed_down_count == z->pushed_down_cap) {
        size_t       cap = z->pushed_down_cap ? z->pushed_down_cap * 2 : 8;
        const char **p = (const char **)taco__arena_array(&z->arena, cap, sizeof *p, z->err);
        if (!p) {
            return false;
        }
        if (z->pushed_down_count) {
            memcpy(p, z->pushed_down, z->pushed_down_count * sizeof *p);
        }
        z->pushed_down = p;
        z->pushed_down_cap = cap;
    }
    z->pushed_down[z->pushed_down_count++] = where;
    return true;
}
/* Makes a condition of the topmost layer, in the names of the query, one of its filters. */
TACO__FN bool taco__view_pushdown_condition(taco__view_query *z, taco__executor *x,
                                            const taco__sql_expr *e, bool *pushed_down)
{
    taco__sql_expr *copy = taco__sql_expr_copy(&z->arena, e, z->err);
    taco__buf       text;
    taco_filter     f;
    size_t          slot;
    bool            ok;
    if (!copy || !taco__view_pushdown_rename(z, z->layer_count - 1, &x->s, copy)) {
        return copy != NULL;
    }
    slot = taco__pushdown_find_slot(x, copy);
    if (slot == TACO__NONE) {
        return x->c->err.code == TACO_OK;
    }
    memset(&text, 0, sizeof text);
    memset(&f, 0, sizeof f);
    text.mem = &z->ds->mem;
    f.level = (uint32_t)(slot % TACO__MAX_LEVELS);
    ok = taco__pushdown_format(x, &text, copy);
    f.where = ok ? taco__arena_text(&z->arena, taco__bytes_of(text.data, text.len), z->err) : NULL;
    taco__buf_free(&text);
    *pushed_down =
        f.where && taco__view_query_add_filter(z, &f) && taco__view_pushdown_record(z, f.where);
    return *pushed_down;
}
/* The sort keys of the topmost layer as those of the query; NULL where they are none. */
TACO__FN const char *taco__view_pushdown_sort_order(taco__view_query *z, taco__executor *x)
{
    taco__buf   text;
    const char *out = NULL;
    size_t      i, k, table, column;
    bool        ok = true;
    memset(&text, 0, sizeof text);
    text.mem = &z->ds->mem;
    for (i = 0; ok && i < x->s.order_count; i++) {
        const taco__sql_sort_key *o = &x->s.order[i];
        taco__sql_expr            e;
        ok = o->e && !o->nulls_first && o->e->kind == TACO__SQL_EXPR_COLUMN;
        if (!ok) {
            break;
        }
        e = *o->e;
        for (k = 0; k < x->s.items->n; k++) { /* a name may be what SELECT calls a column */
            const taco__sql_expr *item = x->s.items->kid[k];
            if (!o->e->table.len && item->alias.len &&
                taco__bind_names_equal(item->alias, o->e->name)) {
                e = *item;
            }
        }
        for (k = z->layer_count - 1; ok && k > 0; k--) {
            ok = taco__view_pushdown_name_below(&z->layers[k - 1], &e.name);
        }
        e.table.len = 0;
        ok = ok && e.kind == TACO__SQL_EXPR_COLUMN &&
             taco__bind_find_column(&x->b, &e, &table, &column) &&
             !x->b.tables[0].types[column].geo &&
             (!i || taco__buf_append_text(&text, ", ", z->err)) &&
             taco__view_layer_append_quoted(&text, x->b.tables[0].fields[column].name, z->err) &&
             (!o->desc || taco__buf_append_text(&text, " desc", z->err));
    }
    if (ok) {
        out = taco__arena_text(&z->arena, taco__bytes_of(text.data, text.len), z->err);
    }
    taco__buf_free(&text);
    return out;
}
/* Whether a layer only computes: its rows are those below it, in their order. */
TACO__FN bool taco__view_pushdown_is_projection(const taco__view_layer *l)
{
    taco__sql_expr **list;
    size_t           k, n = taco__view_layer_conjuncts(l->s, &list);
    for (k = 0; k < n && l->pushed_down && l->pushed_down[k]; k++) {
    }
    return l->keeps && k == n && (!l->s->order_count || l->unordered) &&
           (!l->limits || l->unlimited);
}
/* Moves conditions, order and limit of the topmost layer into the query, as far as the layers between let them. */
TACO__FN bool taco__view_pushdown_run(taco__view_query *z, taco__executor *x)
{
    size_t            top = z->layer_count - 1, i, k, n;
    taco__view_layer *l = &z->layers[top];
    taco__sql_select *s = l->s;
    taco__sql_expr  **list;
    const char       *order;
    bool              ok = true;
    n = taco__view_layer_conjuncts(&x->s, &list);
    l->pushed_down = (bool *)taco__arena_array(&z->arena, n + 1, sizeof *l->pushed_down, z->err);
    for (i = 0; i < top && taco__view_pushdown_is_allowed(&z->layers[i]); i++) {
    }
    n = i == top && !z->limited ? n : 0;
    for (i = 0; ok && l->pushed_down && i < n; i++) {
        ok = taco__view_pushdown_condition(z, x, list[i], &l->pushed_down[i]);
    }
    if (!ok || !l->pushed_down || !l->keeps) {
        return ok && l->pushed_down;
    }
    n = taco__view_layer_conjuncts(s, &list);
    for (k = 0; k < n && l->pushed_down[k]; k++) {
    }
    for (i = 0; i < top && taco__view_pushdown_is_projection(&z->layers[i]); i++) {
    }
    if (i == top && k == n && s->order_count && !z->limited) {
        order = taco__view_pushdown_sort_order(z, x);
        l->unordered = order != NULL;
        z->q.order = order ? order : z->q.order;
    }
    if (i == top && k == n && l->limits && (!s->order_count || l->unordered)) {
        taco__view_query_add_limit(z, s->has_limit ? s->limit : UINT64_MAX, s->offset);
        l->unlimited = true;
    }
    if (s->items->n == 1 && s->items->kid[0]->kind == TACO__SQL_EXPR_STAR && !s->items->kid[0]->n &&
        taco__view_pushdown_is_projection(l)) {
        z->layer_count--; /* nothing is left of it */
    }
    return z->err->code == TACO_OK;
}
TACO__FN bool taco__view_query_add_layer(taco__view_query *z, const char *sql)
{
    taco__view_source b;
    taco_cursor      *c;
    taco__executor   *x;
    taco__sql_select *s;
    bool              ok;
    if (!taco__view_layer_init(z, sql)) {
        return false;
    }
    s = z->layers[z->layer_count - 1].s;
    if (s->from_count != 1 || !taco__ascii_is_word(s->from[0].name, "data")) {
        return true;
    }
    c = taco__cursor_alloc(z->ds, 0, z->err);
    x = c ? taco__planner_init(c, sql) : NULL;
    ok = taco__view_layer_source_init(z, &b, 0, false, z->err) && x;
    if (ok) {
        x->base = &b.base;
        ok = taco__planner_bind_table(x, 0);
        x->b.table_count = 1;
        taco__planner_qualify(x);
        ok = ok && taco__view_pushdown_run(z, x);
        x->base = NULL;
    }
    taco__view_layer_source_free(&b);
    return taco_cursor_close(c, z->err) == TACO_OK && ok;
}
/* A layer made of pieces of text. */
TACO__FN bool taco__view_query_add_layer_text(taco__view_query *z, const char *a, taco_bytes b,
                                              const char *c)
{
    taco__buf   text;
    const char *sql = NULL;
    memset(&text, 0, sizeof text);
    text.mem = &z->ds->mem;
    if (taco__buf_append_text(&text, a, z->err) && taco__buf_append(&text, b.data, b.len, z->err) &&
        taco__buf_append_text(&text, c, z->err)) {
        sql = taco__arena_text(&z->arena, taco__bytes_of(text.data, text.len), z->err);
    }
    taco__buf_free(&text);
    return sql && taco__view_query_add_layer(z, sql);
}
TACO__FN bool taco__view_query_add_layer_list(taco__view_query *z, const char *before,
                                              const char *list, const char *behind)
{
    taco__buf text;
    bool      ok;
    memset(&text, 0, sizeof text);
    text.mem = &z->ds->mem;
    ok = taco__view_layer_append_list(z, list, &text) &&
         taco__view_query_add_layer_text(z, before, taco__bytes_of(text.data, text.len), behind);
    taco__buf_free(&text);
    return ok;
}

TACO__FN bool taco__view_query_apply_filter(taco__view_query *z, const taco_filter *f)
{
    bool   limited = z->limited;
    size_t i;
    if (!f->where && !f->bbox && !f->time) {
        return true;
    }
    if (z->layer_count && f->where && !f->bbox && !f->time && f->level == z->q.table) {
        return taco__view_query_add_layer_text(z, "SELECT * FROM data WHERE (",
                                               taco__bytes_text(f->where), ")");
    }
    for (i = 0; i < z->layer_count; i++) {
        limited = limited || (z->layers[i].limits && !z->layers[i].unlimited);
        if (!z->layers[i].keeps) {
            TACO__FAIL(z->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "the rows of %s are no samples any more, only their own columns can be "
                       "filtered",
                       z->layers[i].sql);
            return false;
        }
    }
    return (!limited || taco__view_query_mask_limit(z)) && taco__view_query_add_filter(z, f);
}
TACO__FN bool taco__view_query_apply_select(taco__view_query *z, const char *list)
{
    const char *p = list, *q, *name, *old;
    taco_bytes  rest;
    if (z->layer_count) {
        return taco__view_query_add_layer_list(z, "SELECT ", list, " FROM data");
    }
    while (z->q.select && taco__cursor_column_parse_name(&z->arena, &p, &name, &rest, z->err)) {
        bool found = taco__view_is_protected(taco__bytes_text(name));
        for (q = z->q.select;
             !found && taco__cursor_column_parse_name(&z->arena, &q, &old, &rest, z->err);) {
            found = strcmp(old, name) == 0;
        }
        if (!found) {
            taco_bytes n = taco__bytes_text(name);
            TACO__FAIL(z->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                       "select: the view has no column %q any more", &n);
            return false;
        }
    }
    z->q.select = list;
    return z->err->code == TACO_OK;
}
TACO__FN bool taco__view_query_apply_limit(taco__view_query *z, const taco__view_step *s)
{
    char digits[2][24];
    char text[96];
    if (!s->limit && !s->offset) {
        return true;
    }
    if (!z->layer_count) {
        return taco__view_query_add_limit(z, s->limit ? s->limit : UINT64_MAX, s->offset);
    }
    digits[0][taco__num_format_u64(digits[0], s->limit ? s->limit : (uint64_t)INT64_MAX)] = 0;
    digits[1][taco__num_format_u64(digits[1], s->offset)] = 0;
    memset(text, 0, sizeof text);
    strcat(text, " LIMIT ");
    strcat(text, digits[0]);
    strcat(text, " OFFSET ");
    strcat(text, digits[1]);
    return taco__view_query_add_layer_text(z, "SELECT * FROM data", taco__bytes_text(text), "");
}
/* Whether a planned SELECT is nothing but columns, conditions that scans test, plain sort keys and limits. */
TACO__FN bool taco__view_query_is_simple(taco__executor *x)
{
    size_t i, k, table, column;
    for (i = 0; i < x->b.source_count; i++) {
        const taco__sql_expr *e = x->b.sources[i];
        if (e->kind != TACO__SQL_EXPR_COLUMN ||
            !taco__bind_find_column(&x->b, e, &table, &column) ||
            (e->alias.len &&
             !taco__bytes_equal(e->alias, taco__bytes_text(x->b.tables[0].fields[column].name)))) {
            return false;
        }
        for (k = 0; k < i; k++) {
            if (taco__bind_names_equal(x->b.sources[k]->name, e->name)) {
                return false;
            }
        }
    }
    for (i = 0; i < x->s.order_count; i++) {
        const taco__sql_sort_key *o = &x->s.order[i];
        if (!o->e || o->nulls_first || o->e->kind != TACO__SQL_EXPR_COLUMN ||
            !taco__bind_find_column(&x->b, o->e, &table, &column) ||
            x->b.tables[0].types[column].geo) {
            return false;
        }
    }
    return x->where_count == 0;
}
/* "a", "b" desc: the select items, or the sort keys, of a simple SELECT. */
TACO__FN const char *taco__view_query_format_items(taco__view_query *z, taco__executor *x,
                                                   bool order)
{
    taco__buf   text;
    const char *out = NULL;
    size_t      i, table, column, n = order ? x->s.order_count : x->b.source_count;
    bool        ok = true;
    memset(&text, 0, sizeof text);
    text.mem = &z->ds->mem;
    for (i = 0; ok && i < n; i++) {
        ok = taco__bind_find_column(&x->b, order ? x->s.order[i].e : x->b.sources[i], &table,
                                    &column) &&
             (!i || taco__buf_append_text(&text, ", ", z->err)) &&
             taco__view_layer_append_quoted(&text, x->b.tables[0].fields[column].name, z->err) &&
             (!order || !x->s.order[i].desc || taco__buf_append_text(&text, " desc", z->err));
    }
    if (ok) {
        out = taco__arena_text(&z->arena, taco__bytes_of(text.data, text.len), z->err);
    }
    taco__buf_free(&text);
    return out;
}
/* What a SELECT asks of rows of a level, as a filter that stays as long as the plan. */
TACO__FN bool taco__view_query_pushed_filter(taco__view_query *z, const taco__pushdown *pushed,
                                             uint32_t level, taco_filter *f)
{
    const taco__buf *where = &pushed->where[level];
    memset(f, 0, sizeof *f);
    f->level = level;
    if (where->len) {
        f->where = taco__arena_text(&z->arena, taco__bytes_of(where->data, where->len), z->err);
    }
    if (pushed->geometry[level]) {
        double *box = (double *)taco__arena_alloc(&z->arena, sizeof *pushed->box, z->err);
        f->geometry_column =
            taco__arena_text(&z->arena, taco__bytes_text(pushed->geometry[level]), z->err);
        if (box) {
            memcpy(box, pushed->box[level], sizeof *pushed->box);
        }
        f->bbox = box;
    }
    return z->err->code == TACO_OK;
}
TACO__FN bool taco__view_query_take_select(taco__view_query *z, taco__executor *x,
                                           const taco__pushdown *pushed)
{
    taco_filter           f;
    uint32_t              l;
    const taco__sql_expr *only = x->s.items->n == 1 ? x->s.items->kid[0] : NULL;
    if (z->limited && (x->s.where || x->s.order_count) && !taco__view_query_mask_limit(z)) {
        return false;
    }
    for (l = 0; l < TACO__MAX_LEVELS; l++) {
        if (!taco__view_query_pushed_filter(z, pushed, l, &f) ||
            ((f.where || f.bbox) && !taco__view_query_add_filter(z, &f))) {
            return false;
        }
    }
    if (x->s.order_count) {
        z->q.order = taco__view_query_format_items(z, x, true);
    }
    if (!only || only->kind != TACO__SQL_EXPR_STAR || only->n) {
        z->q.select = taco__view_query_format_items(z, x, false);
    }
    if (x->s.has_limit || x->s.offset) {
        taco__view_query_add_limit(z, x->s.has_limit ? x->s.limit : UINT64_MAX, x->s.offset);
    }
    return z->err->code == TACO_OK;
}
/* Makes a SELECT part of the query below, where that can say it; *taken tells. */
TACO__FN bool taco__view_query_absorb_select(taco__view_query *z, const char *sql, bool *taken)
{
    taco__view_source b;
    taco__pushdown   *pushed;
    taco_cursor      *c = taco__cursor_alloc(z->ds, 0, z->err);
    taco__executor   *x = c ? taco__planner_init(c, sql) : NULL;
    bool              ok = x != NULL;
    *taken = false;
    if (ok && taco__view_keeps_rows(&x->s)) {
        pushed = taco__pushdown_new(x);
        ok = taco__view_layer_source_init(z, &b, 0, false, z->err);
        b.base.pushes = true;
        x->base = &b.base;
        ok = ok && pushed && taco__planner_bind_table(x, 0);
        x->b.table_count = 1;
        if (ok) {
            taco__planner_qualify(x);
            x->b.aliases = 0;
            ok = taco__planner_output_expand_stars(x) && taco__pushdown_split_where(x, pushed);
        }
        if (ok && taco__view_query_is_simple(x)) {
            *taken = true;
            ok = taco__view_query_take_select(z, x, pushed);
        }
        x->base = NULL;
        taco__view_layer_source_free(&b);
        taco__pushdown_free(pushed);
    }
    if (!ok && c) {
        taco_bytes text = taco__bytes_text(sql);
        if (c->err.code == TACO_OK) {
            c->err = *z->err;
            z->err->code = TACO_OK;
        }
        taco__error_prefix(&c->err, "%s: sql: %q", z->ds->stores[0].name, &text);
    }
    return taco_cursor_close(c, z->err) == TACO_OK && ok;
}
TACO__FN bool taco__view_query_apply(taco__view_query *z, const taco__view_step *s)
{
    bool taken = false;
    switch (s->kind) {
    case TACO__VIEW_STEP_FILTER: return taco__view_query_apply_filter(z, &s->f);
    case TACO__VIEW_STEP_SELECT: return taco__view_query_apply_select(z, s->text);
    case TACO__VIEW_STEP_LIMIT: return taco__view_query_apply_limit(z, s);
    case TACO__VIEW_STEP_TABLE:
        if (z->layer_count) {
            TACO__FAIL(z->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "the rows of a SELECT are of one table");
            return false;
        }
        if (z->limited && !taco__view_query_mask_limit(z)) {
            return false;
        }
        z->q.table = s->level;
        z->q.flat = s->flat;
        z->q.padding = z->q.padding || s->padding;
        return true;
    case TACO__VIEW_STEP_ORDER:
        if (z->layer_count) {
            return taco__view_query_add_layer_list(z, "SELECT * FROM data ORDER BY ", s->text, "");
        }
        if (z->limited && !taco__view_query_mask_limit(z)) {
            return false;
        }
        z->q.order = s->text;
        return true;
    default:
        return (z->layer_count || taco__view_query_absorb_select(z, s->text, &taken)) &&
               (taken || taco__view_query_add_layer(z, s->text));
    }
}
/* Makes the plan of a view. taco__view_query_free ends it, on failure too. */
TACO__FN bool taco__view_query_init(taco__view_query *z, const taco_view *v, bool dry,
                                    taco_error *err)
{
    size_t i;
    memset(z, 0, sizeof *z);
    z->ds = v->ds;
    z->dry = dry;
    z->arena.mem = z->also.mem = &v->ds->mem;
    z->err = err;
    z->layers =
        (taco__view_layer *)taco__arena_array(&z->arena, v->count + 2, sizeof *z->layers, err);
    z->masks = (uint8_t **)taco__arena_array(&z->arena, z->ds->container_count * TACO__MAX_LEVELS,
                                             sizeof *z->masks, err);
    for (i = 0; z->layers && z->masks && i < v->count; i++) {
        if (!taco__view_query_apply(z, &v->steps[i])) {
            return false;
        }
    }
    return z->layers && z->masks;
}
/* The plan, and a cursor over it that is only there to be looked at. */
TACO__FN bool taco__view_query_open_dry(taco__view_query *z, const taco_view *v, taco_error *err,
                                        taco_cursor **c)
{
    *c = taco__view_query_init(z, v, true, err) ? taco__view_query_open(z, false) : NULL;
    return *c != NULL;
}

/* ---- public ---------------------------------------------------------------------------------------- */

TACO_API taco_view *taco_view_table(const taco_view *v, uint32_t level, bool flat, taco_error *err)
{
    taco__view_step s;
    memset(&s, 0, sizeof s);
    s.kind = TACO__VIEW_STEP_TABLE;
    s.level = level;
    s.flat = flat;
    if (v && level >= taco_levels(v->ds)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "there is no level %u, the deepest is %u", TACO__U(level),
                   TACO__U(taco_levels(v->ds) - 1));
        taco__container_fail(&v->ds->stores[0], NULL, err);
        return NULL;
    }
    return taco__view_add_step(v, &s, err);
}
TACO_API taco_cursor *taco_view_rows(const taco_view *v, taco_error *err)
{
    taco_error       own;
    taco__view_query z;
    taco_cursor     *c = NULL;
    memset(&own, 0, sizeof own);
    if (!v) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no view given");
        return NULL;
    }
    if (taco__view_query_init(&z, v, false, &own)) {
        c = taco__view_query_open(&z, false);
    }
    taco__view_query_free(&z);
    if (!c && err && err->code == TACO_OK) {
        *err = own;
    }
    return c;
}
TACO_API taco_status taco_view_export(const taco_view *v, struct ArrowArrayStream *out,
                                      taco_error *err)
{
    taco_error   own;
    taco_cursor *c;
    memset(&own, 0, sizeof own);
    c = taco_view_rows(v, &own);
    if (!c) {
        if (out) {
            memset(out, 0, sizeof *out);
        }
        if (err && err->code == TACO_OK) {
            *err = own;
        }
        return own.code;
    }
    return taco_cursor_export(c, false, out, err);
}
/* The row that the first key of a path names among those of a view, as a path from the root. */
TACO__FN bool taco__view_find_row(taco__view_query *z, taco_bytes key, taco__buf *path)
{
    taco_filter  f;
    taco_batch   batch;
    taco_cursor *c;
    uint64_t     left = 0, row;
    size_t       store = 0;
    bool         found = false;
    if (!taco__nav_parse_position(key, &left)) {
        memset(&f, 0, sizeof f);
        f.level = z->q.table;
        f.where = taco__nav_id_predicate(
            &z->arena, taco__nav_id_column(&z->ds->stores[0], z->q.table), key, z->err);
        if (!f.where || !taco__view_query_apply_filter(z, &f)) {
            return false;
        }
    }
    c = taco__view_query_open(z, true);
    while (c && !found && taco_cursor_batch(c, &batch)) {
        if (left >= batch.length) {
            left -= batch.length;
            continue;
        }
        found = true;
        if (!taco__compose_sample_row(c, (size_t)left, &store, &row)) {
            TACO__FAIL(&c->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "the rows of the view are no samples any more");
        } else {
            taco__nav_path_of_row(z->ds, store, z->q.table, row, path, &c->err);
        }
    }
    if (!c || taco_cursor_close(c, z->err) != TACO_OK) {
        return false;
    }
    if (!found) {
        TACO__FAIL(z->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s: the view has no sample %q",
                   z->ds->stores[0].name, &key);
    }
    return found;
}
TACO_API taco_cursor *taco_view_read(const taco_view *v, const char *path, bool padding,
                                     taco_error *err)
{
    taco_error       own;
    taco__view_query z;
    taco__buf        full;
    taco_cursor     *c = NULL;
    const char      *rest;
    if (!v || !path) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given", v ? "path" : "view");
        return NULL;
    }
    if (!path[0]) {
        return taco_view_rows(v, err);
    }
    memset(&own, 0, sizeof own);
    memset(&full, 0, sizeof full);
    full.mem = &v->ds->mem;
    rest = strchr(path, '/');
    rest = rest ? rest : path + strlen(path);
    if (taco__view_query_init(&z, v, false, &own) &&
        taco__view_find_row(&z, taco__bytes_of(path, (size_t)(rest - path)), &full) &&
        taco__buf_append_text(&full, rest, &own) && taco__buf_append_char(&full, 0, &own)) {
        c = taco_read(v->ds, (const char *)full.data, padding, &own);
    }
    taco__view_query_free(&z);
    taco__buf_free(&full);
    if (!c && err && err->code == TACO_OK) {
        *err = own;
    }
    return c;
}
