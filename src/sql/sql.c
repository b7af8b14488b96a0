/* ==== ROOM sql: a SELECT planned over the tables of a dataset: what scans prune, what joins match, what comes out.
   Uses: exec bind sqlp cursor dataset. Spec: the grammar in the manual ==== */

/* ---- tables ---------------------------------------------------------------------------------------- */

/* Whether FROM names the view. */
TACO__FN bool taco__planner_is_source(const taco__executor *x, size_t t)
{
    return x->base && taco__ascii_is_word(x->s.from[t].name, "data");
}
TACO__FN bool taco__planner_bind_columns(taco__executor *x, taco__bind_table *out,
                                         const taco_field *from, size_t count, size_t visible)
{
    taco_error     *err = taco__operator_err(x);
    taco__arena    *arena = &x->c->arena;
    taco_field     *fields = (taco_field *)taco__arena_array(arena, count + 1, sizeof *fields, err);
    taco__sql_type *types =
        (taco__sql_type *)taco__arena_array(arena, count + 1, sizeof *types, err);
    size_t i;
    out->place = (size_t *)taco__arena_array(arena, count + 1, sizeof *out->place, err);
    for (i = 0; fields && types && out->place && i < count; i++) {
        fields[i] = from[i];
        fields[i].name = taco__arena_text(arena, taco__bytes_text(from[i].name), err);
        out->place[i] = TACO__NONE;
        if (!fields[i].name || !taco__sql_type_from_field(arena, &fields[i], &types[i], err)) {
            return false;
        }
    }
    out->count = count;
    out->visible = visible;
    out->fields = fields;
    out->types = types;
    return fields && types && out->place;
}
TACO__FN bool taco__planner_bind_table(taco__executor *x, size_t t)
{
    taco__sql_table_ref *f = &x->s.from[t];
    taco__bind_table    *out = &x->b.tables[t];
    taco_error          *err = taco__operator_err(x);
    taco_cursor         *probe;
    size_t               i;
    bool                 ok;
    if (f->level && f->level >= taco_levels(x->c->ds)) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, f->at, "there is no table %q: the deepest level is %u",
                   &f->name, TACO__U(taco_levels(x->c->ds) - 1));
        return false;
    }
    for (i = 0; i < t; i++) {
        if (taco__bind_names_equal(f->alias, x->s.from[i].alias)) {
            TACO__FAIL(err, TACO_ERR_SYNTAX, f->at, "two tables are called %q: give one an alias",
                       &f->alias);
            return false;
        }
    }
    out->alias = f->alias;
    if (taco__planner_is_source(x, t)) {
        f->level = x->base->level;
        f->flat = x->base->flat;
        return taco__planner_bind_columns(x, out, x->base->fields, x->base->count,
                                          x->base->visible);
    }
    probe = taco__cursor_alloc(x->c->ds, 0, err);
    if (!probe) {
        return false;
    }
    probe->flat = f->flat;
    probe->level = f->level;
    probe->shows_hidden = true;
    ok = taco__cursor_column_add_all(probe, f->level) &&
         taco__planner_bind_columns(x, out, probe->fields, probe->count + probe->hidden,
                                    probe->count);
    taco_cursor_close(probe, err);
    return ok && err->code == TACO_OK;
}

/* ---- conditions for the scans ---------------------------------------------------------------------- */

/* Conditions of a scan: one for each level of each table, rows of a flat view being paths. */
#define TACO__PUSHDOWN_SLOTS ((size_t)TACO__SQL_MAX_TABLES * TACO__MAX_LEVELS)

typedef struct taco__pushdown {
    taco__buf   where[TACO__PUSHDOWN_SLOTS];
    double      box[TACO__PUSHDOWN_SLOTS][4];
    const char *geometry[TACO__PUSHDOWN_SLOTS]; /* the column that must meet the box; NULL: none */
} taco__pushdown;

TACO__FN taco__pushdown *taco__pushdown_new(taco__executor *x)
{
    taco__pushdown *p =
        (taco__pushdown *)taco__arena_alloc(&x->c->arena, sizeof *p, taco__operator_err(x));
    size_t i;
    for (i = 0; p && i < TACO__PUSHDOWN_SLOTS; i++) {
        p->where[i].mem = x->c->mem;
    }
    return p;
}
TACO__FN void taco__pushdown_free(taco__pushdown *p)
{
    size_t i;
    for (i = 0; p && i < TACO__PUSHDOWN_SLOTS; i++) {
        taco__buf_free(&p->where[i]);
    }
}

/* Where a column is stored: the level of a flat view's column is in its name. Returns table * TACO__MAX_LEVELS + level, or
   TACO__NONE when it is stored nowhere. *name is what it is called there. */
TACO__FN size_t taco__pushdown_slot(const taco__executor *x, size_t table, size_t column,
                                    const char **name)
{
    const taco__sql_table_ref *f = &x->s.from[table];
    size_t                     level = f->level;
    *name = x->b.tables[table].fields[column].name;
    if (f->left || (taco__planner_is_source(x, table) && !x->base->pushes)) {
        return TACO__NONE;
    }
    if (f->flat) { /* "lN:name" */
        if ((*name)[0] != 'l' || (*name)[1] < '0' || (*name)[1] > (char)('0' + (int)level) ||
            (*name)[2] != ':') {
            return TACO__NONE;
        }
        level = (size_t)((*name)[1] - '0');
        *name += 3;
    }
    return taco__schema_union_is_mixed(x->c->ds, (uint32_t)level, *name) ||
                   strcmp(*name, TACO__GDAL_VSI) == 0 || strcmp(*name, TACO__SOURCE_PATH) == 0 ||
                   strcmp(*name, TACO__SOURCE_FILE) == 0 || strcmp(*name, TACO__CURRENT_ID) == 0 ||
                   strcmp(*name, TACO__ROW_ID) == 0
               ? TACO__NONE
               : table * TACO__MAX_LEVELS + level;
}
TACO__FN bool taco__pushdown_is_literal(const taco__sql_expr *e, const taco_field *f)
{
    const taco__sql_expr *k = e->kind == TACO__SQL_EXPR_CAST ? e->kid[0] : e;
    if (k->kind != TACO__SQL_EXPR_CONST) {
        return false;
    }
    if (e->kind == TACO__SQL_EXPR_CAST) {
        return !e->tries && k->value.type.id == TACO_TEXT && e->to.t.id == f->type &&
               (f->type == TACO_DATE || (f->type == TACO_TIMESTAMP && e->to.t.unit == TACO_MICRO));
    }
    if (taco__scalar_is_number(k->value.type.id)) {
        return taco__scalar_is_number(f->type) && f->type != TACO_HALF;
    }
    return k->value.type.id == TACO_TEXT &&
           (f->type == TACO_TEXT || f->type == TACO_DATE || f->type == TACO_TIMESTAMP);
}
/* The slot that all columns of a condition are of, when a scan's predicate can say it: room expr's language, where both
   mean the same. TACO__NONE otherwise. */
TACO__FN size_t taco__pushdown_find_slot(taco__executor *x, const taco__sql_expr *e)
{
    size_t            table, column, slot, all = TACO__NONE;
    uint32_t          i;
    const taco_field *f;
    const char       *name;
    if (e->kind == TACO__SQL_EXPR_AND || e->kind == TACO__SQL_EXPR_OR ||
        e->kind == TACO__SQL_EXPR_NOT) {
        for (i = 0; i < e->n; i++) {
            size_t one = taco__pushdown_find_slot(x, e->kid[i]);
            all = i && all != one ? TACO__NONE : one;
            if (all == TACO__NONE) {
                return all;
            }
        }
        return all;
    }
    if (!e->n || e->kid[0]->kind != TACO__SQL_EXPR_COLUMN ||
        !taco__bind_find_column(&x->b, e->kid[0], &table, &column)) {
        return TACO__NONE;
    }
    f = &x->b.tables[table].fields[column];
    slot = taco__pushdown_slot(x, table, column, &name);
    if (slot == TACO__NONE) {
        return TACO__NONE;
    }
    switch (e->kind) {
    case TACO__SQL_EXPR_ISNULL: return slot;
    case TACO__SQL_EXPR_CMP:
        if (e->nullsafe) {
            return TACO__NONE;
        } /* fall through */
    case TACO__SQL_EXPR_IN:
    case TACO__SQL_EXPR_BETWEEN:
        for (i = 1; i < e->n; i++) {
            if (!taco__pushdown_is_literal(e->kid[i], f)) {
                return TACO__NONE;
            }
        }
        return slot;
    case TACO__SQL_EXPR_CALL:
        return e->infix && e->n == 2 && memchr(e->name.data, '~', e->name.len) &&
                       f->type == TACO_TEXT && e->kid[1]->kind == TACO__SQL_EXPR_CONST &&
                       e->kid[1]->value.type.id == TACO_TEXT
                   ? slot
                   : TACO__NONE;
    default: return TACO__NONE;
    }
}
TACO__FN bool taco__pushdown_append(taco__executor *x, taco__buf *out, const char *s)
{
    return taco__buf_append_text(out, s, taco__operator_err(x));
}
TACO__FN bool taco__pushdown_append_quoted(taco__executor *x, taco__buf *out, taco_bytes s,
                                           char quote)
{
    size_t i;
    bool   ok = taco__buf_append_char(out, quote, taco__operator_err(x));
    for (i = 0; ok && i < s.len; i++) {
        ok = (s.data[i] != (uint8_t)quote ||
              taco__buf_append_char(out, quote, taco__operator_err(x))) &&
             taco__buf_append_char(out, (char)s.data[i], taco__operator_err(x));
    }
    return ok && taco__buf_append_char(out, quote, taco__operator_err(x));
}
TACO__FN bool taco__pushdown_append_column(taco__executor *x, taco__buf *out,
                                           const taco__sql_expr *e)
{
    size_t      table = 0, column = 0;
    const char *name = NULL;
    return taco__bind_find_column(&x->b, e, &table, &column) &&
           taco__pushdown_slot(x, table, column, &name) != TACO__NONE &&
           taco__pushdown_append_quoted(x, out, taco__bytes_text(name), '"');
}
TACO__FN bool taco__pushdown_append_value(taco__executor *x, taco__buf *out,
                                          const taco__sql_expr *e)
{
    if (e->kind == TACO__SQL_EXPR_CAST) {
        return taco__pushdown_append(x, out,
                                     e->to.t.id == TACO_DATE ? "DATE "
                                     : e->to.t.utc           ? "TIMESTAMPTZ "
                                                             : "TIMESTAMP ") &&
               taco__pushdown_append_quoted(x, out, e->kid[0]->value.b, '\'');
    }
    if (e->value.type.id == TACO_TEXT) {
        return taco__pushdown_append_quoted(x, out, e->value.b, '\'');
    }
    if (e->value.type.id == TACO_DOUBLE) { /* an exponent keeps it a DOUBLE */
        size_t at = out->len;
        return taco__sql_expr_text_constant(&x->b, out, e) &&
               (memchr(out->data + at, 'e', out->len - at) != NULL ||
                taco__pushdown_append(x, out, "e0"));
    }
    return taco__sql_expr_text_constant(&x->b, out, e);
}
/* The condition in the words of room expr. */
TACO__FN bool taco__pushdown_format(taco__executor *x, taco__buf *out, const taco__sql_expr *e)
{
    static const char *const ops[] = {" = ", " <> ", " < ", " <= ", " > ", " >= "};
    uint32_t                 i;
    bool                     ok = taco__pushdown_append(x, out, "(");
    if (e->kind == TACO__SQL_EXPR_NOT) {
        return ok && taco__pushdown_append(x, out, "NOT ") &&
               taco__pushdown_format(x, out, e->kid[0]) && taco__pushdown_append(x, out, ")");
    }
    if (e->kind == TACO__SQL_EXPR_AND || e->kind == TACO__SQL_EXPR_OR) {
        for (i = 0; ok && i < e->n; i++) {
            ok = (!i || taco__pushdown_append(x, out,
                                              e->kind == TACO__SQL_EXPR_AND ? " AND " : " OR ")) &&
                 taco__pushdown_format(x, out, e->kid[i]);
        }
        return ok && taco__pushdown_append(x, out, ")");
    }
    ok = ok && taco__pushdown_append_column(x, out, e->kid[0]);
    switch (e->kind) {
    case TACO__SQL_EXPR_ISNULL:
        ok = ok && taco__pushdown_append(x, out, e->neg ? " IS NOT NULL" : " IS NULL");
        break;
    case TACO__SQL_EXPR_CMP:
        ok = ok && taco__pushdown_append(x, out, ops[e->op]) &&
             taco__pushdown_append_value(x, out, e->kid[1]);
        break;
    case TACO__SQL_EXPR_CALL:
        ok = ok && taco__pushdown_append(x, out, e->name.data[0] == '!' ? " NOT" : "") &&
             taco__pushdown_append(x, out,
                                   e->name.data[e->name.len - 1] == '*' ? " ILIKE " : " LIKE ") &&
             taco__pushdown_append_value(x, out, e->kid[1]);
        break;
    case TACO__SQL_EXPR_IN:
        ok = ok && taco__pushdown_append(x, out, e->neg ? " NOT IN (" : " IN (");
        for (i = 1; ok && i < e->n; i++) {
            ok = (i == 1 || taco__pushdown_append(x, out, ", ")) &&
                 taco__pushdown_append_value(x, out, e->kid[i]);
        }
        ok = ok && taco__pushdown_append(x, out, ")");
        break;
    default:
        ok = ok && taco__pushdown_append(x, out, " BETWEEN ") &&
             taco__pushdown_append_value(x, out, e->kid[1]) &&
             taco__pushdown_append(x, out, " AND ") &&
             taco__pushdown_append_value(x, out, e->kid[2]);
        break;
    }
    return ok && taco__pushdown_append(x, out, ")");
}
/* Whether a bound tree has the same value in every row. */
TACO__FN bool taco__pushdown_is_constant(const taco__sql_expr *e)
{
    uint32_t i;
    for (i = 0; i < e->n; i++) {
        if (!taco__pushdown_is_constant(e->kid[i])) {
            return false;
        }
    }
    return e->kind == TACO__SQL_EXPR_CONST || e->kind == TACO__SQL_EXPR_CAST ||
           (e->kind == TACO__SQL_EXPR_CALL && e->n);
}
/* ST_Intersects of the geometry in a column with a constant box is a filter of its scan. Where it is the first one there,
   it is taken, and the columns that were bound for it alone, those from `before` on, are not read. */
TACO__FN bool taco__pushdown_take_box(taco__executor *x, const taco__sql_expr *e, size_t before,
                                      taco__pushdown *pushed, bool *taken)
{
    const taco__sql_expr *g, *box;
    taco__sql_batch       calc;
    taco__vec             v;
    double                edge[4];
    size_t                slot, place, column, table;
    const char           *name;
    *taken = false;
    if (e->kind != TACO__SQL_EXPR_CALL || e->func != TACO__FUNC_INTERSECTS) {
        return true;
    }
    box = e->kid[taco__pushdown_is_constant(e->kid[1])];
    g = box == e->kid[0] ? e->kid[1] : e->kid[0];
    if (g->kind != TACO__SQL_EXPR_CALL || g->func != TACO__FUNC_GEOM ||
        g->kid[0]->kind != TACO__SQL_EXPR_REF || !taco__pushdown_is_constant(box)) {
        return true;
    }
    place = g->kid[0]->index;
    table = x->b.columns[place].table;
    column = x->b.columns[place].column;
    slot = taco__pushdown_slot(x, table, column, &name);
    if (slot == TACO__NONE || pushed->geometry[slot] || x->s.from[table].left ||
        x->b.tables[table].fields[column].type != TACO_BINARY ||
        x->c->ds->mode == TACO_COLUMNS_FILL_MISSING) {
        return true;
    }
    taco__arena_reset(&x->batch);
    taco__operator_init_batch(x, &calc, NULL, 0, 1);
    if (!taco__evaluate_expr(&calc, box, &v)) {
        return false;
    }
    if (!taco__vec_is_valid(&v, 0) || !taco__func_geo_parse_box(v.v.s[0], edge)) {
        return true;
    }
    memcpy(pushed->box[slot], edge, sizeof edge);
    pushed->geometry[slot] = name;
    while (x->b.column_count > before) {
        const taco__bind_column *c = &x->b.columns[--x->b.column_count];
        x->b.tables[c->table].place[c->column] = TACO__NONE;
    }
    *taken = true;
    return true;
}
/* Takes the conjuncts of WHERE apart: each goes to a scan or is bound. */
TACO__FN bool taco__pushdown_split_where(taco__executor *x, taco__pushdown *pushed)
{
    taco__sql_expr  *w = x->s.where, *one = w;
    taco__sql_expr **list = &one;
    size_t           i, n = w ? 1 : 0;
    bool             taken;
    if (w && w->kind == TACO__SQL_EXPR_AND) {
        list = w->kid;
        n = w->n;
    }
    x->where = (taco__sql_expr **)taco__arena_array(&x->c->arena, n + 1, sizeof *x->where,
                                                    taco__operator_err(x));
    if (!x->where) {
        return false;
    }
    x->b.no_aggr = true;
    for (i = 0; i < n; i++) {
        size_t before = x->b.column_count, slot = taco__pushdown_find_slot(x, list[i]);
        if (taco__operator_err(x)->code != TACO_OK) {
            return false;
        }
        if (slot != TACO__NONE) {
            taco__buf *where = &pushed->where[slot];
            if ((where->len && !taco__pushdown_append(x, where, " AND ")) ||
                !taco__pushdown_format(x, where, list[i])) {
                return false;
            }
            continue;
        }
        if (!taco__bind_expr(&x->b, &list[i]) || !taco__bind_require_bool(&x->b, &list[i]) ||
            !taco__pushdown_take_box(x, list[i], before, pushed, &taken)) {
            return false;
        }
        if (!taken) {
            x->where[x->where_count++] = list[i];
        }
    }
    x->b.no_aggr = false;
    return true;
}

/* ---- joins ----------------------------------------------------------------------------------------- */

/* Tables that a bound tree asks for, a bit each. */
TACO__FN uint32_t taco__planner_tables_of(const taco__executor *x, const taco__sql_expr *e)
{
    uint32_t bits = e->kind == TACO__SQL_EXPR_REF ? (uint32_t)1 << x->b.columns[e->index].table : 0,
             i;
    for (i = 0; i < e->n; i++) {
        bits |= taco__planner_tables_of(x, e->kid[i]);
    }
    return bits;
}
TACO__FN taco__sql_expr *taco__planner_new_equality(taco__executor *x, const taco__sql_expr *like,
                                                    const char *name)
{
    taco__arena    *arena = &x->c->arena;
    taco__sql_expr *e =
        (taco__sql_expr *)taco__arena_alloc(arena, sizeof *e, taco__operator_err(x));
    size_t i, table, column;
    if (!e) {
        return NULL;
    }
    e->kind = TACO__SQL_EXPR_CMP;
    e->op = TACO__OP_EQ;
    e->at = like->at;
    e->nullsafe = true;
    e->kid = (taco__sql_expr **)taco__arena_array(arena, 2, sizeof *e->kid, taco__operator_err(x));
    for (i = 0; e->kid && i < 2; i++) {
        taco__sql_expr *c =
            (taco__sql_expr *)taco__arena_alloc(arena, sizeof *c, taco__operator_err(x));
        if (!c || !taco__bind_find_column(&x->b, like->kid[i], &table, &column)) {
            return NULL;
        }
        c->kind = TACO__SQL_EXPR_COLUMN;
        c->table = x->b.tables[table].alias;
        c->name = taco__bytes_text(name);
        c->at = like->at;
        if (!taco__bind_find_column(&x->b, c, &table, &column)) {
            return NULL; /* the table has no such column: no condition */
        }
        e->kid[i] = c;
    }
    e->n = 2;
    return e->kid ? e : NULL;
}
/* parent_id = current_id: ids start again in every archive and dataset, so these are equal too (facts:
   disagreements 5). Appends such conditions to list. */
TACO__FN bool taco__planner_split_parent_join(taco__executor *x, const taco__sql_expr *e,
                                              taco__sql_expr **list, size_t *n)
{
    static const char *const names[] = {TACO__SOURCE_PATH, "internal:source_file"};
    size_t                   i;
    bool                     up, down;
    if (e->kind != TACO__SQL_EXPR_CMP || e->op != TACO__OP_EQ ||
        e->kid[0]->kind != TACO__SQL_EXPR_COLUMN || e->kid[1]->kind != TACO__SQL_EXPR_COLUMN) {
        return true;
    }
    up = taco__bind_name_is(e->kid[0]->name, "internal:parent_id") &&
         taco__bind_name_is(e->kid[1]->name, "internal:current_id");
    down = taco__bind_name_is(e->kid[1]->name, "internal:parent_id") &&
           taco__bind_name_is(e->kid[0]->name, "internal:current_id");
    for (i = 0; (up || down) && i < 2; i++) {
        taco__sql_expr *more = taco__planner_new_equality(x, e, names[i]);
        if (more) {
            list[(*n)++] = more;
        }
    }
    return taco__operator_err(x)->code == TACO_OK;
}
TACO__FN bool taco__planner_plan_join(taco__executor *x, size_t t)
{
    taco__sql_expr  *on = x->s.from[t].on, *rest;
    taco__hash_join *j = &x->joins[t];
    taco__arena     *arena = &x->c->arena;
    taco_error      *err = taco__operator_err(x);
    size_t           i, n = on->kind == TACO__SQL_EXPR_AND ? on->n : 1, tables = x->b.table_count;
    size_t           cap = n * 3;
    taco__sql_expr **list = (taco__sql_expr **)taco__arena_array(arena, cap, sizeof *list, err);
    j->left = (taco__sql_expr **)taco__arena_array(arena, cap, sizeof *j->left, err);
    j->right = (taco__sql_expr **)taco__arena_array(arena, cap, sizeof *j->right, err);
    rest = (taco__sql_expr *)taco__arena_alloc(arena, sizeof *rest, err);
    j->outer = x->s.from[t].left;
    if (!list || !j->left || !j->right || !rest) {
        return false;
    }
    rest->kind = TACO__SQL_EXPR_AND;
    rest->type = taco__sql_type_simple(TACO_BOOL);
    rest->kid = (taco__sql_expr **)taco__arena_array(arena, cap, sizeof *rest->kid, err);
    for (i = 0; i < n; i++) {
        list[i] = on->kind == TACO__SQL_EXPR_AND ? on->kid[i] : on;
    }
    x->b.table_count = t + 1; /* ON sees the tables so far */
    for (i = 0; i < (on->kind == TACO__SQL_EXPR_AND ? on->n : 1); i++) {
        if (!taco__planner_split_parent_join(x, list[i], list, &n)) {
            return false;
        }
    }
    x->b.no_aggr = true;
    for (i = 0; rest->kid && i < n; i++) {
        uint32_t self = (uint32_t)1 << t, a, b;
        if (!taco__bind_expr(&x->b, &list[i]) || !taco__bind_require_bool(&x->b, &list[i])) {
            return false;
        }
        if (list[i]->kind == TACO__SQL_EXPR_CMP && list[i]->op == TACO__OP_EQ) {
            a = taco__planner_tables_of(x, list[i]->kid[0]);
            b = taco__planner_tables_of(x, list[i]->kid[1]);
            if ((a == self && b && !(b & self)) || (b == self && a && !(a & self))) {
                j->left[j->keys] = list[i]->kid[a == self];
                j->right[j->keys++] = list[i]->kid[a != self];
                continue;
            }
        }
        rest->kid[rest->n++] = list[i];
    }
    x->b.no_aggr = false;
    x->b.table_count = tables;
    j->rest = rest->n ? rest : NULL;
    if (!j->keys) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, on->at,
                   "JOIN ... ON wants an equality between columns of the two tables");
        return false;
    }
    return rest->kid != NULL;
}

/* ---- what comes out -------------------------------------------------------------------------------- */

/* The select items, stars made columns. */
TACO__FN bool taco__planner_output_expand_stars(taco__executor *x)
{
    taco__sql_expr *items = x->s.items, *e;
    taco_error     *err = taco__operator_err(x);
    size_t          i, t, c, k, n = 0, cap = items->n + x->extra_count;
    for (t = 0; t < x->b.table_count; t++) {
        for (i = 0; i < items->n; i++) {
            cap += items->kid[i]->kind == TACO__SQL_EXPR_STAR ? x->b.tables[t].count : 0;
        }
    }
    x->b.sources =
        (taco__sql_expr **)taco__arena_array(&x->c->arena, cap + 1, sizeof *x->b.sources, err);
    for (i = 0; x->b.sources && i < items->n; i++) {
        bool any = false;
        e = items->kid[i];
        if (e->kind != TACO__SQL_EXPR_STAR) {
            x->b.sources[n++] = e;
            continue;
        }
        for (t = 0; t < x->b.table_count; t++) {
            if (e->table.len && !taco__bind_names_equal(e->table, x->b.tables[t].alias)) {
                continue;
            }
            any = true;
            for (c = 0; c < x->b.tables[t].visible; c++) {
                taco__sql_expr *col;
                for (k = 0; k < e->n &&
                            !taco__bind_name_is(e->kid[k]->name, x->b.tables[t].fields[c].name);
                     k++) {
                }
                if (k < e->n) {
                    e->kid[k]->neg = true; /* found */
                    continue;
                }
                col = (taco__sql_expr *)taco__arena_alloc(&x->c->arena, sizeof *col, err);
                if (!col) {
                    return false;
                }
                col->kind = TACO__SQL_EXPR_COLUMN;
                col->at = e->at;
                col->depth = 1;
                col->table = x->b.tables[t].alias;
                col->name = taco__bytes_text(x->b.tables[t].fields[c].name);
                x->b.sources[n++] = col;
            }
        }
        for (k = 0; any && k < e->n && e->kid[k]->neg; k++) {
        }
        if (!any || k < e->n) {
            TACO__FAIL(err, TACO_ERR_SYNTAX, any ? e->kid[k]->at : e->at,
                       any ? "EXCLUDE names %q, which is not among the columns"
                           : "there is no table %q",
                       any ? &e->kid[k]->name : &e->table);
            return false;
        }
    }
    if (!n) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, items->at, "no column is left to select");
    }
    for (i = 0; x->b.sources && i < x->extra_count; i++) {
        taco__sql_expr *col = (taco__sql_expr *)taco__arena_alloc(&x->c->arena, sizeof *col, err);
        if (!col) {
            return false;
        }
        col->kind = TACO__SQL_EXPR_COLUMN;
        col->depth = 1;
        col->name = taco__bytes_text(x->extras[i]);
        x->b.sources[n + i] = col;
    }
    x->b.source_count = n + x->extra_count;
    return x->b.sources && n > 0;
}
TACO__FN bool taco__planner_output_has_aggregate(const taco__sql_expr *e)
{
    uint32_t i;
    if (e->kind == TACO__SQL_EXPR_CALL && !e->infix && taco__aggregate_find(e->name)) {
        return true;
    }
    for (i = 0; i < e->n; i++) {
        if (taco__planner_output_has_aggregate(e->kid[i])) {
            return true;
        }
    }
    return false;
}
TACO__FN bool taco__planner_output_has_column(const taco__sql_expr *e)
{
    uint32_t i;
    for (i = 0; i < e->n; i++) {
        if (taco__planner_output_has_column(e->kid[i])) {
            return true;
        }
    }
    return e->kind == TACO__SQL_EXPR_COLUMN;
}
/* A whole number in ORDER BY or GROUP BY is a select item; -1 with an error when there is none such. */
TACO__FN int64_t taco__planner_output_position(taco__executor *x, const taco__sql_expr *e)
{
    int64_t k;
    if (e->kind != TACO__SQL_EXPR_CONST || e->literal != 1) {
        return 0;
    }
    k = (int64_t)e->value.d.w[0];
    if (k < 1 || k > (int64_t)(x->b.source_count - x->extra_count)) {
        TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, e->at,
                   "there are %u select items, not %d", TACO__U(x->b.source_count - x->extra_count),
                   TACO__D(k));
        return -1;
    }
    return k;
}
TACO__FN taco__sql_expr *taco__planner_output_copy(taco__executor *x, const taco__sql_expr *e)
{
    return taco__bind_count_nodes(&x->b, e)
               ? taco__sql_expr_copy(&x->c->arena, e, taco__operator_err(x))
               : NULL;
}
/* A name that is an alias and no column. */
TACO__FN const taco__sql_expr *taco__planner_output_find_alias(taco__executor       *x,
                                                               const taco__sql_expr *e, bool first)
{
    size_t i, table, column;
    if (e->kind != TACO__SQL_EXPR_COLUMN || e->table.len) {
        return NULL;
    }
    if (!first && taco__bind_find_column(&x->b, e, &table, &column)) {
        return NULL;
    }
    for (i = 0; i < x->b.source_count; i++) {
        if (x->b.sources[i]->alias.len && taco__bind_names_equal(x->b.sources[i]->alias, e->name)) {
            return x->b.sources[i];
        }
    }
    return NULL;
}
TACO__FN bool taco__planner_output_bind_groups(taco__executor *x)
{
    taco__bind *b = &x->b;
    taco_error *err = taco__operator_err(x);
    size_t i, n = x->s.group_all ? b->source_count : x->s.groups ? x->s.groups->n : 0, count = 0;
    taco__sql_expr **groups =
        (taco__sql_expr **)taco__arena_array(&x->c->arena, n + 1, sizeof *groups, err);
    taco_bytes *texts = (taco_bytes *)taco__arena_array(&x->c->arena, n + 1, sizeof *texts, err);
    if (!groups || !texts) {
        return false;
    }
    b->no_aggr = true;
    for (i = 0; i < n; i++) {
        const taco__sql_expr *e = x->s.group_all ? b->sources[i] : x->s.groups->kid[i], *alias;
        int64_t               k = x->s.group_all ? 0 : taco__planner_output_position(x, e);
        taco__sql_expr       *copy;
        if (k < 0 || (x->s.group_all && (taco__planner_output_has_aggregate(e) ||
                                         !taco__planner_output_has_column(e)))) {
            if (k < 0) {
                return false;
            }
            continue;
        }
        e = k ? b->sources[k - 1] : e;
        alias = taco__planner_output_find_alias(x, e, false);
        copy = taco__planner_output_copy(x, alias ? alias : e);
        if (!copy || !taco__sql_expr_text_copy(b, copy, &texts[count]) ||
            !taco__bind_expr(b, &copy)) {
            return false;
        }
        if (copy->type.t.id == TACO_NULL) {
            taco__sql_type t = taco__sql_type_simple(TACO_INT32);
            if (!taco__bind_type_add_cast(b, &copy, &t)) {
                return false;
            }
        }
        groups[count++] = copy;
    }
    b->no_aggr = false;
    b->groups = groups;
    b->group_texts = texts;
    b->group_count = count;
    return true;
}
TACO__FN bool taco__planner_output_add_sort_key(taco__executor *x, size_t at,
                                                const taco__sql_sort_key *o)
{
    size_t k;
    for (k = 0; k < x->order_count; k++) {
        if (x->order_at[k] == at) {
            return true; /* sorted by already */
        }
    }
    if (x->order_count == TACO__COUNT(x->order)) {
        TACO__FAIL(taco__operator_err(x), TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u sort keys",
                   TACO__U(TACO__COUNT(x->order)));
        return false;
    }
    x->order_at[x->order_count] = at;
    x->order[x->order_count++] = *o;
    return true;
}
TACO__FN bool taco__planner_output_bind_order(taco__executor *x)
{
    size_t     i, k;
    taco_bytes text, other;
    for (i = 0; i < x->s.order_count; i++) {
        taco__sql_sort_key   *o = &x->s.order[i];
        const taco__sql_expr *alias;
        taco__sql_expr       *copy;
        int64_t               at = o->e ? taco__planner_output_position(x, o->e) : 0;
        if (at < 0) {
            return false;
        }
        if (!o->e) {
            for (k = 0; k < x->item_count - x->extra_count; k++) {
                if (!taco__planner_output_add_sort_key(x, k, o)) {
                    return false;
                }
            }
            continue;
        }
        if (!at && o->e->kind == TACO__SQL_EXPR_CONST) {
            continue; /* constants order nothing */
        }
        alias = at ? x->b.sources[at - 1] : taco__planner_output_find_alias(x, o->e, true);
        if (!taco__sql_expr_text_copy(&x->b, alias ? alias : o->e, &text)) {
            return false;
        }
        for (k = 0; k < x->item_count; k++) {
            if (alias ? x->b.sources[k] == alias
                      : taco__sql_expr_text_copy(&x->b, x->b.sources[k], &other) &&
                            taco__bytes_equal(text, other)) {
                break;
            }
        }
        if (k == x->item_count) {
            if (x->s.distinct) {
                TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, o->e->at,
                           "with DISTINCT, ORDER BY takes select items only");
                return false;
            }
            copy = taco__planner_output_copy(x, o->e);
            if (!copy || !taco__bind_expr(&x->b, &copy)) {
                return false;
            }
            k = x->width;
            x->items[x->width++] = copy;
        }
        if (!taco__planner_output_add_sort_key(x, k, o)) {
            return false;
        }
    }
    for (k = 0; k < x->order_count; k++) {
        const taco__sql_type *t = &x->items[x->order_at[k]]->type;
        if (t->geo || t->t.id == TACO_MAP || t->t.id == TACO_INTERVAL) {
            TACO__FAIL(taco__operator_err(x), TACO_ERR_SYNTAX, x->items[x->order_at[k]]->at,
                       "a sort key of that type has no order here");
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__planner_output_bind_items(taco__executor *x)
{
    taco__bind *b = &x->b;
    taco_error *err = taco__operator_err(x);
    size_t      i;
    x->items = (taco__sql_expr **)taco__arena_array(
        &x->c->arena, b->source_count + TACO__COUNT(x->order), sizeof *x->items, err);
    for (i = 0; x->items && i < b->source_count; i++) {
        taco__sql_expr *copy = taco__planner_output_copy(x, b->sources[i]);
        b->aliases = i;
        if (!copy || !taco__bind_expr(b, &copy)) {
            return false;
        }
        if (copy->type.t.id == TACO_NULL) {
            taco__sql_type t = taco__sql_type_simple(TACO_INT32);
            if (!taco__bind_type_add_cast(b, &copy, &t)) {
                return false;
            }
        }
        if (copy->type.t.id == TACO_INTERVAL) {
            TACO__FAIL(err, TACO_ERR_SYNTAX, copy->at,
                       "results of type INTERVAL are not supported");
            return false;
        }
        x->items[i] = copy;
    }
    x->item_count = x->width = b->source_count;
    b->aliases = b->source_count;
    return x->items != NULL;
}
TACO__FN bool taco__planner_output_set_fields(taco__executor *x)
{
    taco_cursor *c = x->c;
    size_t       i;
    c->fields =
        (taco_field *)taco__arena_array(&c->arena, x->item_count, sizeof *c->fields, &c->err);
    c->arrays =
        (taco_array *)taco__arena_array(&c->arena, x->item_count, sizeof *c->arrays, &c->err);
    for (i = 0; c->fields && c->arrays && i < x->item_count; i++) {
        const char *name = taco__sql_expr_text_label(&x->b, x->b.sources[i]);
        if (!name ||
            !taco__sql_type_to_field(&c->arena, &x->items[i]->type, name, &c->fields[i], &c->err)) {
            return false;
        }
    }
    c->count = x->item_count - x->extra_count;
    c->hidden = x->extra_count;
    for (i = c->count; c->fields && i < x->item_count; i++) {
        c->row_id = strcmp(c->fields[i].name, TACO__ROW_ID) == 0 ? i : c->row_id;
    }
    return c->fields && c->arrays;
}

/* ---- opening --------------------------------------------------------------------------------------- */

/* Opens the cursor that a table's rows come from. */
TACO__FN taco_cursor *taco__planner_open_rows(taco__executor *x, size_t t, const char *select,
                                              const taco_filter *filters, size_t n)
{
    taco_error  *err = taco__operator_err(x);
    taco_query   q;
    taco_cursor *c;
    if (taco__planner_is_source(x, t)) {
        return x->base->open(x->base->ctx, select, filters, n, err);
    }
    memset(&q, 0, sizeof q);
    q.table = x->s.from[t].level;
    q.flat = x->s.from[t].flat;
    q.select = select;
    q.filters = filters;
    q.filter_count = n;
    c = taco__cursor_alloc(x->c->ds, x->c->ds->container_count, err);
    if (c) {
        c->alone = true;
        c->shows_hidden = true;
        c->dry = x->dry;
        if (!taco__select_open(c, &q)) {
            taco_cursor_close(c, err);
            return NULL;
        }
    }
    return c;
}
/* Names of the columns that the query asks of a table; one in any case. *n of them. */
TACO__FN bool taco__planner_list_columns(taco__executor *x, size_t t, taco__buf *select, size_t *n)
{
    const taco__bind_table *table = &x->b.tables[t];
    taco_error             *err = taco__operator_err(x);
    size_t                  i;
    bool                    ok = true;
    *n = 0;
    x->scan_cols[t] = (size_t *)taco__arena_array(&x->c->arena, x->b.column_count + 1,
                                                  sizeof **x->scan_cols, err);
    for (i = 0; x->scan_cols[t] && ok && i < x->b.column_count; i++) {
        if (x->b.columns[i].table == t) {
            x->scan_cols[t][*n] = i;
            ok = (!(*n)++ || taco__pushdown_append(x, select, ",")) &&
                 taco__pushdown_append_quoted(
                     x, select, taco__bytes_text(table->fields[x->b.columns[i].column].name), '"');
        }
    }
    if (ok &&
        !*n) { /* the last one is the row itself, where there is such a column: nothing to read */
        ok = taco__pushdown_append_quoted(
            x, select, taco__bytes_text(table->fields[table->count - 1].name), '"');
    }
    return ok && x->scan_cols[t] && taco__buf_append_char(select, 0, err);
}
/* Counts the rows of a first table that no column is read of. */
TACO__FN bool taco__planner_count_rows(taco__executor *x)
{
    taco_cursor *c = x->scans[0];
    taco_batch   batch;
    if (x->dry) {
        return true;
    }
    if (taco__planner_is_source(x, 0)) { /* it may have limits of its own */
        while (taco_cursor_batch(c, &batch)) {
            x->bare += batch.length;
        }
    } else {
        c->skip = UINT64_MAX;
        taco_cursor_batch(c, &batch);
        x->bare = UINT64_MAX - c->skip;
    }
    x->is_bare = true;
    if (c->err.code != TACO_OK) {
        *taco__operator_err(x) = c->err;
    }
    return c->err.code == TACO_OK;
}
/* Opens the scan of a table over the columns the query asks for. */
TACO__FN bool taco__planner_open_scan(taco__executor *x, size_t t, const taco__pushdown *pushed)
{
    taco_filter  filters[TACO__MAX_LEVELS];
    taco_cursor *c;
    taco__buf    select;
    size_t       i, k, n = 0, count = 0;
    taco_error  *err = taco__operator_err(x);
    memset(&select, 0, sizeof select);
    memset(filters, 0, sizeof filters);
    select.mem = x->c->mem;
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        size_t       slot = t * TACO__MAX_LEVELS + i;
        taco_filter *f = &filters[count];
        f->level = (uint32_t)i;
        f->where = pushed->where[slot].len ? (const char *)pushed->where[slot].data : NULL;
        f->geometry_column = pushed->geometry[slot];
        f->bbox = f->geometry_column ? pushed->box[slot] : NULL;
        count += f->where || f->bbox;
    }
    if (taco__planner_list_columns(x, t, &select, &n)) {
        x->scans[t] = taco__planner_open_rows(x, t, (const char *)select.data, filters, count);
    }
    taco__buf_free(&select);
    c = x->scans[t];
    x->scan_count[t] = n;
    x->scan_from[t] = (size_t *)taco__arena_array(&x->c->arena, n + 1, sizeof **x->scan_from, err);
    for (i = 0; c && x->scan_from[t] && i < n; i++) { /* a view's cursor may have more of them */
        const taco__bind_column *want = &x->b.columns[x->scan_cols[t][i]];
        for (k = 0; k < c->count + c->hidden &&
                    strcmp(c->fields[k].name, x->b.tables[t].fields[want->column].name) != 0;
             k++) {
        }
        x->scan_from[t][i] = k;
    }
    return c && x->scan_from[t] && (n || t || taco__planner_count_rows(x));
}
/* Points that still may be table.column. */
TACO__FN void taco__planner_qualify(taco__executor *x)
{
    size_t i;
    for (i = 0; i < x->s.items->n; i++) {
        taco__bind_qualify(&x->b, x->s.items->kid[i]);
    }
    for (i = 0; x->s.groups && i < x->s.groups->n; i++) {
        taco__bind_qualify(&x->b, x->s.groups->kid[i]);
    }
    for (i = 0; i < x->s.order_count; i++) {
        if (x->s.order[i].e) {
            taco__bind_qualify(&x->b, x->s.order[i].e);
        }
    }
    for (i = 1; i < x->s.from_count; i++) {
        taco__bind_qualify(&x->b, x->s.from[i].on);
    }
    if (x->s.where) {
        taco__bind_qualify(&x->b, x->s.where);
    }
    if (x->s.having) {
        taco__bind_qualify(&x->b, x->s.having);
    }
}
TACO__FN void taco__planner_mark_computed(taco__executor *x, const taco__sql_expr *e)
{
    uint32_t i;
    if (e->kind == TACO__SQL_EXPR_REF) {
        x->use[e->index] = TACO__COLUMN_USE_VALUES;
    }
    for (i = 0; i < e->n; i++) {
        taco__planner_mark_computed(x, e->kid[i]);
    }
}
/* Whether a column comes out of several datasets, stored as several types. */
TACO__FN bool taco__planner_has_mixed_types(const taco__executor *x)
{
    size_t i;
    for (i = 0; i < x->scan_count[0]; i++) {
        if (taco__compose_is_mixed(x->scans[0], x->scan_from[0][i])) {
            return true;
        }
    }
    return false;
}
/* What becomes of the columns of a query over one table: those that only go out are not looked into. */
TACO__FN bool taco__planner_set_column_uses(taco__executor *x)
{
    size_t i;
    bool   plain = x->b.table_count == 1 && !x->grouped && !x->order_count && !x->s.distinct &&
                 !x->where_count && !x->base && !x->extra_count && !x->dry &&
                 !taco__planner_has_mixed_types(x);
    x->use =
        (uint8_t *)taco__arena_alloc(&x->c->arena, x->b.column_count + 1, taco__operator_err(x));
    if (!x->use) {
        return false;
    }
    memset(x->use, plain ? TACO__COLUMN_USE_PASS_THROUGH : TACO__COLUMN_USE_VALUES,
           x->b.column_count);
    for (i = 0; plain && i < x->width; i++) {
        const taco__sql_expr *e = x->items[i];
        size_t column = e->kind == TACO__SQL_EXPR_REF ? x->b.columns[e->index].column : 0;
        const taco_field *f = &x->b.tables[0].fields[column];
        if (e->kind != TACO__SQL_EXPR_REF || f->child_count || f->utc != x->c->fields[i].utc ||
            !taco__unify_same_type(f, &x->c->fields[i])) {
            taco__planner_mark_computed(x, e);
        }
    }
    if (plain && x->b.column_count) { /* rows come out as they come in */
        x->limits = true;
    }
    if (x->b.table_count == 1 && x->b.group_count == 1 && !x->where_count &&
        x->b.groups[0]->kind == TACO__SQL_EXPR_REF && x->b.groups[0]->type.t.id == TACO_TEXT) {
        size_t place = x->b.groups[0]->index;
        x->use[place] = TACO__COLUMN_USE_CODES;
        for (i = 0; i < x->b.aggr_count; i++) {
            const taco__bind_aggregation *a = &x->b.aggrs[i];
            if (a->arg) {
                taco__planner_mark_computed(x, a->arg);
            }
            if (a->filter) {
                taco__planner_mark_computed(x, a->filter);
            }
        }
    }
    return true;
}
TACO__FN bool taco__planner_plan(taco__executor *x, taco__pushdown *pushed)
{
    size_t i;
    for (i = 0; i < x->s.from_count; i++) {
        if (!taco__planner_bind_table(x, i)) {
            return false;
        }
        x->b.table_count++;
    }
    taco__planner_qualify(x);
    if (!taco__planner_output_expand_stars(x)) {
        return false;
    }
    for (i = 1; i < x->s.from_count; i++) {
        if (!taco__planner_plan_join(x, i)) {
            return false;
        }
    }
    x->b.aliases = x->b.source_count;
    if (!taco__pushdown_split_where(x, pushed) || !taco__planner_output_bind_groups(x)) {
        return false;
    }
    x->grouped = x->b.group_count || x->s.having || x->s.groups;
    for (i = 0; i < x->b.source_count; i++) {
        x->grouped = x->grouped || taco__planner_output_has_aggregate(x->b.sources[i]);
    }
    for (i = 0; i < x->s.order_count; i++) {
        x->grouped =
            x->grouped || (x->s.order[i].e && taco__planner_output_has_aggregate(x->s.order[i].e));
    }
    x->b.grouped = x->grouped;
    if (!taco__planner_output_bind_items(x) ||
        (x->s.having && (!taco__bind_expr(&x->b, &x->s.having) ||
                         !taco__bind_require_bool(&x->b, &x->s.having)))) {
        return false;
    }
    if (!taco__planner_output_bind_order(x) || !taco__planner_output_set_fields(x)) {
        return false;
    }
    for (i = 0; i < TACO__PUSHDOWN_SLOTS; i++) {
        if (pushed->where[i].len &&
            !taco__buf_append_char(&pushed->where[i], 0, taco__operator_err(x))) {
            return false;
        }
    }
    for (i = 0; i < x->b.table_count; i++) {
        if (!taco__planner_open_scan(x, i, pushed)) {
            return false;
        }
    }
    return taco__planner_set_column_uses(x);
}
TACO__FN bool taco__planner_cursor_next(taco_cursor *c, taco_batch *out)
{
    return taco__operator_next((taco__executor *)c->plan, out);
}
TACO__FN void taco__planner_cursor_end(taco_cursor *c)
{
    taco__operator_close((taco__executor *)c->plan);
}
/* Makes the plan of a cursor and parses the text into it; NULL on failure. */
TACO__FN taco__executor *taco__planner_init(taco_cursor *c, const char *sql)
{
    taco__executor *x = (taco__executor *)taco__arena_alloc(&c->arena, sizeof *x, &c->err);
    size_t          len = TACO__MIN(strlen(sql), TACO__SQL_MAX_TEXT + 1);
    char           *text = taco__arena_text(&c->arena, taco__bytes_of(sql, len), &c->err);
    if (!x || !text) {
        return NULL;
    }
    x->c = c;
    x->batch.mem = x->hold[0].mem = x->hold[1].mem = c->mem;
    x->b.arena = &c->arena;
    x->b.err = &c->err;
    x->b.s = &x->s;
    c->plan = x;
    c->next = taco__planner_cursor_next;
    c->end = taco__planner_cursor_end;
    return taco__sql_parse(&c->arena, text, len, c->ds->options.limits.max_depth, &x->s, &c->err)
               ? x
               : NULL;
}
TACO__FN bool taco__planner_run(taco__executor *x)
{
    taco__pushdown *pushed = taco__pushdown_new(x);
    bool            ok = pushed && taco__planner_plan(x, pushed);
    taco__pushdown_free(pushed);
    x->skip = x->s.offset;
    x->left = x->s.has_limit ? x->s.limit : UINT64_MAX;
    if (ok && x->limits && x->left) {
        x->scans[0]->skip = x->skip;
        x->scans[0]->left = x->left;
        x->skip = 0;
        x->left = UINT64_MAX;
    }
    return ok;
}
TACO__FN bool taco__planner_open(taco_cursor *c, const char *sql)
{
    taco__executor *x = taco__planner_init(c, sql);
    return x && taco__planner_run(x);
}
TACO_API taco_cursor *taco_sql(taco_dataset *ds, const char *sql, taco_error *err)
{
    taco_cursor *c;
    taco_bytes   text;
    if (!ds || !sql) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   ds ? "no query given" : "no dataset given");
        return NULL;
    }
    c = taco__cursor_alloc(ds, 0, err);
    if (c && !taco__planner_open(c, sql)) {
        text = taco__bytes_text(sql);
        taco__error_prefix(&c->err, "%s: sql: %q", ds->stores[0].name, &text);
        taco_cursor_close(c, err);
        return NULL;
    }
    return c;
}
