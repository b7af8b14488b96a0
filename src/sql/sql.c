/* ==== ROOM sql: a SELECT planned over the tables of a dataset: what scans prune, what joins match, what comes out.
   Uses: exec bind sqlp cursor dataset. Spec: the grammar in the manual ==== */

/* ---- tables ---------------------------------------------------------------------------------------- */

/* Whether FROM names the view. */
TACO__FN bool taco__sql_is_base(const taco__exec *x, size_t t)
{
    return x->base && taco__value_word(x->s.from[t].name, "data");
}
TACO__FN bool taco__sql_columns(taco__exec *x, taco__bind_table *out, const taco_field *from,
                                size_t count, size_t visible)
{
    taco_error  *err = taco__exec_err(x);
    taco__arena *arena = &x->c->arena;
    taco_field  *fields = (taco_field *)taco__arena_array(arena, count + 1, sizeof *fields, err);
    taco__stype *types = (taco__stype *)taco__arena_array(arena, count + 1, sizeof *types, err);
    size_t       i;
    out->place = (size_t *)taco__arena_array(arena, count + 1, sizeof *out->place, err);
    for (i = 0; fields && types && out->place && i < count; i++) {
        fields[i] = from[i];
        fields[i].name = taco__arena_text(arena, taco__base_text(from[i].name), err);
        out->place[i] = TACO__NONE;
        if (!fields[i].name || !taco__vec_type_of(arena, &fields[i], &types[i], err)) {
            return false;
        }
    }
    out->count = count;
    out->visible = visible;
    out->fields = fields;
    out->types = types;
    return fields && types && out->place;
}
TACO__FN bool taco__sql_table(taco__exec *x, size_t t)
{
    taco__sql_from   *f = &x->s.from[t];
    taco__bind_table *out = &x->b.tables[t];
    taco_error       *err = taco__exec_err(x);
    taco_cursor      *probe;
    size_t            i;
    bool              ok;
    if (f->level && f->level >= taco_levels(x->c->ds)) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, f->at, "there is no table %q: the deepest level is %u",
                   &f->name, TACO__U(taco_levels(x->c->ds) - 1));
        return false;
    }
    for (i = 0; i < t; i++) {
        if (taco__bind_equal(f->alias, x->s.from[i].alias)) {
            TACO__FAIL(err, TACO_ERR_SYNTAX, f->at, "two tables are called %q: give one an alias",
                       &f->alias);
            return false;
        }
    }
    out->alias = f->alias;
    if (taco__sql_is_base(x, t)) {
        f->level = x->base->level;
        f->flat = x->base->flat;
        return taco__sql_columns(x, out, x->base->fields, x->base->count, x->base->visible);
    }
    probe = taco__cursor_make(x->c->ds, 0, err);
    if (!probe) {
        return false;
    }
    probe->flat = f->flat;
    probe->level = f->level;
    probe->wants_hidden = true;
    ok = taco__cursor_all(probe, f->level) &&
         taco__sql_columns(x, out, probe->fields, probe->count + probe->hidden, probe->count);
    taco_cursor_close(probe, err);
    return ok && err->code == TACO_OK;
}

/* ---- conditions for the scans ---------------------------------------------------------------------- */

/* Conditions of a scan: one for each level of each table, rows of a flat view being paths. */
#define TACO__SQL_SLOTS ((size_t)TACO__SQL_TABLES * TACO__LEVELS)

typedef struct taco__sql_pushed {
    taco__buf   where[TACO__SQL_SLOTS];
    double      box[TACO__SQL_SLOTS][4];
    const char *geometry[TACO__SQL_SLOTS]; /* the column that must meet the box; NULL: none */
} taco__sql_pushed;

TACO__FN taco__sql_pushed *taco__sql_push_begin(taco__exec *x)
{
    taco__sql_pushed *p =
        (taco__sql_pushed *)taco__arena_alloc(&x->c->arena, sizeof *p, taco__exec_err(x));
    size_t i;
    for (i = 0; p && i < TACO__SQL_SLOTS; i++) {
        p->where[i].mem = x->c->mem;
    }
    return p;
}
TACO__FN void taco__sql_push_end(taco__sql_pushed *p)
{
    size_t i;
    for (i = 0; p && i < TACO__SQL_SLOTS; i++) {
        taco__buf_free(&p->where[i]);
    }
}

/* Where a column is stored: the level of a flat view's column is in its name. Returns table * TACO__LEVELS + level, or
   TACO__NONE when it is stored nowhere. *name is what it is called there. */
TACO__FN size_t taco__sql_slot(const taco__exec *x, size_t table, size_t column, const char **name)
{
    const taco__sql_from *f = &x->s.from[table];
    size_t                level = f->level;
    *name = x->b.tables[table].fields[column].name;
    if (f->left || (taco__sql_is_base(x, table) && !x->base->pushes)) {
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
    return taco__view_mixed(x->c->ds, (uint32_t)level, *name) || strcmp(*name, TACO__VSI) == 0 ||
                   strcmp(*name, TACO__SOURCE_PATH) == 0 || strcmp(*name, TACO__SOURCE_FILE) == 0 ||
                   strcmp(*name, TACO__CURRENT_ID) == 0 || strcmp(*name, TACO__ROW_ID) == 0
               ? TACO__NONE
               : table * TACO__LEVELS + level;
}
TACO__FN bool taco__sql_literal(const taco__sx *e, const taco_field *f)
{
    const taco__sx *k = e->kind == TACO__SX_CAST ? e->kid[0] : e;
    if (k->kind != TACO__SX_CONST) {
        return false;
    }
    if (e->kind == TACO__SX_CAST) {
        return !e->tries && k->value.type.id == TACO_TEXT && e->to.t.id == f->type &&
               (f->type == TACO_DATE || (f->type == TACO_TIMESTAMP && e->to.t.unit == TACO_MICRO));
    }
    if (taco__value_is_number(k->value.type.id)) {
        return taco__value_is_number(f->type) && f->type != TACO_HALF;
    }
    return k->value.type.id == TACO_TEXT &&
           (f->type == TACO_TEXT || f->type == TACO_DATE || f->type == TACO_TIMESTAMP);
}
/* The slot that all columns of a condition are of, when a scan's predicate can say it: room expr's language, where both
   mean the same. TACO__NONE otherwise. */
TACO__FN size_t taco__sql_pushable(taco__exec *x, const taco__sx *e)
{
    size_t            table, column, slot, all = TACO__NONE;
    uint32_t          i;
    const taco_field *f;
    const char       *name;
    if (e->kind == TACO__SX_AND || e->kind == TACO__SX_OR || e->kind == TACO__SX_NOT) {
        for (i = 0; i < e->n; i++) {
            size_t one = taco__sql_pushable(x, e->kid[i]);
            all = i && all != one ? TACO__NONE : one;
            if (all == TACO__NONE) {
                return all;
            }
        }
        return all;
    }
    if (!e->n || e->kid[0]->kind != TACO__SX_COLUMN ||
        !taco__bind_find(&x->b, e->kid[0], &table, &column)) {
        return TACO__NONE;
    }
    f = &x->b.tables[table].fields[column];
    slot = taco__sql_slot(x, table, column, &name);
    if (slot == TACO__NONE) {
        return TACO__NONE;
    }
    switch (e->kind) {
    case TACO__SX_ISNULL: return slot;
    case TACO__SX_CMP:
        if (e->nullsafe) {
            return TACO__NONE;
        } /* fall through */
    case TACO__SX_IN:
    case TACO__SX_BETWEEN:
        for (i = 1; i < e->n; i++) {
            if (!taco__sql_literal(e->kid[i], f)) {
                return TACO__NONE;
            }
        }
        return slot;
    case TACO__SX_CALL:
        return e->infix && e->n == 2 && memchr(e->name.data, '~', e->name.len) &&
                       f->type == TACO_TEXT && e->kid[1]->kind == TACO__SX_CONST &&
                       e->kid[1]->value.type.id == TACO_TEXT
                   ? slot
                   : TACO__NONE;
    default: return TACO__NONE;
    }
}
TACO__FN bool taco__sql_say(taco__exec *x, taco__buf *out, const char *s)
{
    return taco__buf_puts(out, s, taco__exec_err(x));
}
TACO__FN bool taco__sql_quote(taco__exec *x, taco__buf *out, taco_bytes s, char quote)
{
    size_t i;
    bool   ok = taco__buf_char(out, quote, taco__exec_err(x));
    for (i = 0; ok && i < s.len; i++) {
        ok = (s.data[i] != (uint8_t)quote || taco__buf_char(out, quote, taco__exec_err(x))) &&
             taco__buf_char(out, (char)s.data[i], taco__exec_err(x));
    }
    return ok && taco__buf_char(out, quote, taco__exec_err(x));
}
TACO__FN bool taco__sql_column_name(taco__exec *x, taco__buf *out, const taco__sx *e)
{
    size_t      table = 0, column = 0;
    const char *name = NULL;
    return taco__bind_find(&x->b, e, &table, &column) &&
           taco__sql_slot(x, table, column, &name) != TACO__NONE &&
           taco__sql_quote(x, out, taco__base_text(name), '"');
}
TACO__FN bool taco__sql_value_text(taco__exec *x, taco__buf *out, const taco__sx *e)
{
    if (e->kind == TACO__SX_CAST) {
        return taco__sql_say(x, out,
                             e->to.t.id == TACO_DATE ? "DATE "
                             : e->to.t.utc           ? "TIMESTAMPTZ "
                                                     : "TIMESTAMP ") &&
               taco__sql_quote(x, out, e->kid[0]->value.b, '\'');
    }
    if (e->value.type.id == TACO_TEXT) {
        return taco__sql_quote(x, out, e->value.b, '\'');
    }
    if (e->value.type.id == TACO_DOUBLE) { /* an exponent keeps it a DOUBLE */
        size_t at = out->len;
        return taco__bind_constant_text(&x->b, out, e) &&
               (memchr(out->data + at, 'e', out->len - at) != NULL || taco__sql_say(x, out, "e0"));
    }
    return taco__bind_constant_text(&x->b, out, e);
}
/* The condition in the words of room expr. */
TACO__FN bool taco__sql_render(taco__exec *x, taco__buf *out, const taco__sx *e)
{
    static const char *const ops[] = {" = ", " <> ", " < ", " <= ", " > ", " >= "};
    uint32_t                 i;
    bool                     ok = taco__sql_say(x, out, "(");
    if (e->kind == TACO__SX_NOT) {
        return ok && taco__sql_say(x, out, "NOT ") && taco__sql_render(x, out, e->kid[0]) &&
               taco__sql_say(x, out, ")");
    }
    if (e->kind == TACO__SX_AND || e->kind == TACO__SX_OR) {
        for (i = 0; ok && i < e->n; i++) {
            ok = (!i || taco__sql_say(x, out, e->kind == TACO__SX_AND ? " AND " : " OR ")) &&
                 taco__sql_render(x, out, e->kid[i]);
        }
        return ok && taco__sql_say(x, out, ")");
    }
    ok = ok && taco__sql_column_name(x, out, e->kid[0]);
    switch (e->kind) {
    case TACO__SX_ISNULL:
        ok = ok && taco__sql_say(x, out, e->neg ? " IS NOT NULL" : " IS NULL");
        break;
    case TACO__SX_CMP:
        ok = ok && taco__sql_say(x, out, ops[e->op]) && taco__sql_value_text(x, out, e->kid[1]);
        break;
    case TACO__SX_CALL:
        ok = ok && taco__sql_say(x, out, e->name.data[0] == '!' ? " NOT" : "") &&
             taco__sql_say(x, out, e->name.data[e->name.len - 1] == '*' ? " ILIKE " : " LIKE ") &&
             taco__sql_value_text(x, out, e->kid[1]);
        break;
    case TACO__SX_IN:
        ok = ok && taco__sql_say(x, out, e->neg ? " NOT IN (" : " IN (");
        for (i = 1; ok && i < e->n; i++) {
            ok = (i == 1 || taco__sql_say(x, out, ", ")) && taco__sql_value_text(x, out, e->kid[i]);
        }
        ok = ok && taco__sql_say(x, out, ")");
        break;
    default:
        ok = ok && taco__sql_say(x, out, " BETWEEN ") && taco__sql_value_text(x, out, e->kid[1]) &&
             taco__sql_say(x, out, " AND ") && taco__sql_value_text(x, out, e->kid[2]);
        break;
    }
    return ok && taco__sql_say(x, out, ")");
}
/* Whether a bound tree has the same value in every row. */
TACO__FN bool taco__sql_is_constant(const taco__sx *e)
{
    uint32_t i;
    for (i = 0; i < e->n; i++) {
        if (!taco__sql_is_constant(e->kid[i])) {
            return false;
        }
    }
    return e->kind == TACO__SX_CONST || e->kind == TACO__SX_CAST ||
           (e->kind == TACO__SX_CALL && e->n);
}
/* ST_Intersects of the geometry in a column with a constant box is a filter of its scan. Where it is the first one there,
   it is taken, and the columns that were bound for it alone, those from `before` on, are not read. */
TACO__FN bool taco__sql_box(taco__exec *x, const taco__sx *e, size_t before,
                            taco__sql_pushed *pushed, bool *taken)
{
    const taco__sx *g, *box;
    taco__calc      calc;
    taco__vec       v;
    double          edge[4];
    size_t          slot, place, column, table;
    const char     *name;
    *taken = false;
    if (e->kind != TACO__SX_CALL || e->func != TACO__F_INTERSECTS) {
        return true;
    }
    box = e->kid[taco__sql_is_constant(e->kid[1])];
    g = box == e->kid[0] ? e->kid[1] : e->kid[0];
    if (g->kind != TACO__SX_CALL || g->func != TACO__F_GEOM || g->kid[0]->kind != TACO__SX_REF ||
        !taco__sql_is_constant(box)) {
        return true;
    }
    place = g->kid[0]->index;
    table = x->b.columns[place].table;
    column = x->b.columns[place].column;
    slot = taco__sql_slot(x, table, column, &name);
    if (slot == TACO__NONE || pushed->geometry[slot] || x->s.from[table].left ||
        x->b.tables[table].fields[column].type != TACO_BINARY ||
        x->c->ds->mode == TACO_COLUMNS_FILL_MISSING) {
        return true;
    }
    taco__exec_reset(&x->batch);
    taco__exec_calc(x, &calc, NULL, 0, 1);
    if (!taco__calc_expr(&calc, box, &v)) {
        return false;
    }
    if (!taco__vec_ok(&v, 0) || !taco__func_box_of(v.v.s[0], edge)) {
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
TACO__FN bool taco__sql_where(taco__exec *x, taco__sql_pushed *pushed)
{
    taco__sx  *w = x->s.where, *one = w;
    taco__sx **list = &one;
    size_t     i, n = w ? 1 : 0;
    bool       taken;
    if (w && w->kind == TACO__SX_AND) {
        list = w->kid;
        n = w->n;
    }
    x->where =
        (taco__sx **)taco__arena_array(&x->c->arena, n + 1, sizeof *x->where, taco__exec_err(x));
    if (!x->where) {
        return false;
    }
    x->b.no_aggr = true;
    for (i = 0; i < n; i++) {
        size_t before = x->b.column_count, slot = taco__sql_pushable(x, list[i]);
        if (taco__exec_err(x)->code != TACO_OK) {
            return false;
        }
        if (slot != TACO__NONE) {
            taco__buf *where = &pushed->where[slot];
            if ((where->len && !taco__sql_say(x, where, " AND ")) ||
                !taco__sql_render(x, where, list[i])) {
                return false;
            }
            continue;
        }
        if (!taco__bind_expr(&x->b, &list[i]) || !taco__bind_bool(&x->b, &list[i]) ||
            !taco__sql_box(x, list[i], before, pushed, &taken)) {
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
TACO__FN uint32_t taco__sql_tables_of(const taco__exec *x, const taco__sx *e)
{
    uint32_t bits = e->kind == TACO__SX_REF ? (uint32_t)1 << x->b.columns[e->index].table : 0, i;
    for (i = 0; i < e->n; i++) {
        bits |= taco__sql_tables_of(x, e->kid[i]);
    }
    return bits;
}
TACO__FN taco__sx *taco__sql_equality(taco__exec *x, const taco__sx *like, const char *name)
{
    taco__arena *arena = &x->c->arena;
    taco__sx    *e = (taco__sx *)taco__arena_alloc(arena, sizeof *e, taco__exec_err(x));
    size_t       i, table, column;
    if (!e) {
        return NULL;
    }
    e->kind = TACO__SX_CMP;
    e->op = TACO__EQ;
    e->at = like->at;
    e->nullsafe = true;
    e->kid = (taco__sx **)taco__arena_array(arena, 2, sizeof *e->kid, taco__exec_err(x));
    for (i = 0; e->kid && i < 2; i++) {
        taco__sx *c = (taco__sx *)taco__arena_alloc(arena, sizeof *c, taco__exec_err(x));
        if (!c || !taco__bind_find(&x->b, like->kid[i], &table, &column)) {
            return NULL;
        }
        c->kind = TACO__SX_COLUMN;
        c->table = x->b.tables[table].alias;
        c->name = taco__base_text(name);
        c->at = like->at;
        if (!taco__bind_find(&x->b, c, &table, &column)) {
            return NULL; /* the table has no such column: no condition */
        }
        e->kid[i] = c;
    }
    e->n = 2;
    return e->kid ? e : NULL;
}
/* parent_id = current_id: ids start again in every archive and dataset, so these are equal too (facts:
   disagreements 5). Appends such conditions to list. */
TACO__FN bool taco__sql_parent(taco__exec *x, const taco__sx *e, taco__sx **list, size_t *n)
{
    static const char *const names[] = {TACO__SOURCE_PATH, "internal:source_file"};
    size_t                   i;
    bool                     up, down;
    if (e->kind != TACO__SX_CMP || e->op != TACO__EQ || e->kid[0]->kind != TACO__SX_COLUMN ||
        e->kid[1]->kind != TACO__SX_COLUMN) {
        return true;
    }
    up = taco__bind_same(e->kid[0]->name, "internal:parent_id") &&
         taco__bind_same(e->kid[1]->name, "internal:current_id");
    down = taco__bind_same(e->kid[1]->name, "internal:parent_id") &&
           taco__bind_same(e->kid[0]->name, "internal:current_id");
    for (i = 0; (up || down) && i < 2; i++) {
        taco__sx *more = taco__sql_equality(x, e, names[i]);
        if (more) {
            list[(*n)++] = more;
        }
    }
    return taco__exec_err(x)->code == TACO_OK;
}
TACO__FN bool taco__sql_join(taco__exec *x, size_t t)
{
    taco__sx        *on = x->s.from[t].on, *rest;
    taco__exec_join *j = &x->joins[t];
    taco__arena     *arena = &x->c->arena;
    taco_error      *err = taco__exec_err(x);
    size_t           i, n = on->kind == TACO__SX_AND ? on->n : 1, tables = x->b.table_count;
    size_t           cap = n * 3;
    taco__sx       **list = (taco__sx **)taco__arena_array(arena, cap, sizeof *list, err);
    j->left = (taco__sx **)taco__arena_array(arena, cap, sizeof *j->left, err);
    j->right = (taco__sx **)taco__arena_array(arena, cap, sizeof *j->right, err);
    rest = (taco__sx *)taco__arena_alloc(arena, sizeof *rest, err);
    j->outer = x->s.from[t].left;
    if (!list || !j->left || !j->right || !rest) {
        return false;
    }
    rest->kind = TACO__SX_AND;
    rest->type = taco__bind_simple(TACO_BOOL);
    rest->kid = (taco__sx **)taco__arena_array(arena, cap, sizeof *rest->kid, err);
    for (i = 0; i < n; i++) {
        list[i] = on->kind == TACO__SX_AND ? on->kid[i] : on;
    }
    x->b.table_count = t + 1; /* ON sees the tables so far */
    for (i = 0; i < (on->kind == TACO__SX_AND ? on->n : 1); i++) {
        if (!taco__sql_parent(x, list[i], list, &n)) {
            return false;
        }
    }
    x->b.no_aggr = true;
    for (i = 0; rest->kid && i < n; i++) {
        uint32_t self = (uint32_t)1 << t, a, b;
        if (!taco__bind_expr(&x->b, &list[i]) || !taco__bind_bool(&x->b, &list[i])) {
            return false;
        }
        if (list[i]->kind == TACO__SX_CMP && list[i]->op == TACO__EQ) {
            a = taco__sql_tables_of(x, list[i]->kid[0]);
            b = taco__sql_tables_of(x, list[i]->kid[1]);
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
TACO__FN bool taco__sql_expand(taco__exec *x)
{
    taco__sx   *items = x->s.items, *e;
    taco_error *err = taco__exec_err(x);
    size_t      i, t, c, k, n = 0, cap = items->n + x->extra_count;
    for (t = 0; t < x->b.table_count; t++) {
        for (i = 0; i < items->n; i++) {
            cap += items->kid[i]->kind == TACO__SX_STAR ? x->b.tables[t].count : 0;
        }
    }
    x->b.sources = (taco__sx **)taco__arena_array(&x->c->arena, cap + 1, sizeof *x->b.sources, err);
    for (i = 0; x->b.sources && i < items->n; i++) {
        bool any = false;
        e = items->kid[i];
        if (e->kind != TACO__SX_STAR) {
            x->b.sources[n++] = e;
            continue;
        }
        for (t = 0; t < x->b.table_count; t++) {
            if (e->table.len && !taco__bind_equal(e->table, x->b.tables[t].alias)) {
                continue;
            }
            any = true;
            for (c = 0; c < x->b.tables[t].visible; c++) {
                taco__sx *col;
                for (k = 0;
                     k < e->n && !taco__bind_same(e->kid[k]->name, x->b.tables[t].fields[c].name);
                     k++) {
                }
                if (k < e->n) {
                    e->kid[k]->neg = true; /* found */
                    continue;
                }
                col = (taco__sx *)taco__arena_alloc(&x->c->arena, sizeof *col, err);
                if (!col) {
                    return false;
                }
                col->kind = TACO__SX_COLUMN;
                col->at = e->at;
                col->depth = 1;
                col->table = x->b.tables[t].alias;
                col->name = taco__base_text(x->b.tables[t].fields[c].name);
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
        taco__sx *col = (taco__sx *)taco__arena_alloc(&x->c->arena, sizeof *col, err);
        if (!col) {
            return false;
        }
        col->kind = TACO__SX_COLUMN;
        col->depth = 1;
        col->name = taco__base_text(x->extras[i]);
        x->b.sources[n + i] = col;
    }
    x->b.source_count = n + x->extra_count;
    return x->b.sources && n > 0;
}
TACO__FN bool taco__sql_has_aggregate(const taco__sx *e)
{
    uint32_t i;
    if (e->kind == TACO__SX_CALL && !e->infix && taco__fold_find(e->name)) {
        return true;
    }
    for (i = 0; i < e->n; i++) {
        if (taco__sql_has_aggregate(e->kid[i])) {
            return true;
        }
    }
    return false;
}
TACO__FN bool taco__sql_has_column(const taco__sx *e)
{
    uint32_t i;
    for (i = 0; i < e->n; i++) {
        if (taco__sql_has_column(e->kid[i])) {
            return true;
        }
    }
    return e->kind == TACO__SX_COLUMN;
}
/* A whole number in ORDER BY or GROUP BY is a select item; -1 with an error when there is none such. */
TACO__FN int64_t taco__sql_position(taco__exec *x, const taco__sx *e)
{
    int64_t k;
    if (e->kind != TACO__SX_CONST || e->literal != 1) {
        return 0;
    }
    k = (int64_t)e->value.d.w[0];
    if (k < 1 || k > (int64_t)(x->b.source_count - x->extra_count)) {
        TACO__FAIL(taco__exec_err(x), TACO_ERR_SYNTAX, e->at, "there are %u select items, not %d",
                   TACO__U(x->b.source_count - x->extra_count), TACO__D(k));
        return -1;
    }
    return k;
}
TACO__FN taco__sx *taco__sql_copy(taco__exec *x, const taco__sx *e)
{
    return taco__bind_count(&x->b, e) ? taco__sqlp_copy(&x->c->arena, e, taco__exec_err(x)) : NULL;
}
/* A name that is an alias and no column. */
TACO__FN const taco__sx *taco__sql_aliased(taco__exec *x, const taco__sx *e, bool first)
{
    size_t i, table, column;
    if (e->kind != TACO__SX_COLUMN || e->table.len) {
        return NULL;
    }
    if (!first && taco__bind_find(&x->b, e, &table, &column)) {
        return NULL;
    }
    for (i = 0; i < x->b.source_count; i++) {
        if (x->b.sources[i]->alias.len && taco__bind_equal(x->b.sources[i]->alias, e->name)) {
            return x->b.sources[i];
        }
    }
    return NULL;
}
TACO__FN bool taco__sql_groups(taco__exec *x)
{
    taco__bind *b = &x->b;
    taco_error *err = taco__exec_err(x);
    size_t i, n = x->s.group_all ? b->source_count : x->s.groups ? x->s.groups->n : 0, count = 0;
    taco__sx  **groups = (taco__sx **)taco__arena_array(&x->c->arena, n + 1, sizeof *groups, err);
    taco_bytes *texts = (taco_bytes *)taco__arena_array(&x->c->arena, n + 1, sizeof *texts, err);
    if (!groups || !texts) {
        return false;
    }
    b->no_aggr = true;
    for (i = 0; i < n; i++) {
        const taco__sx *e = x->s.group_all ? b->sources[i] : x->s.groups->kid[i], *alias;
        int64_t         k = x->s.group_all ? 0 : taco__sql_position(x, e);
        taco__sx       *copy;
        if (k < 0 || (x->s.group_all && (taco__sql_has_aggregate(e) || !taco__sql_has_column(e)))) {
            if (k < 0) {
                return false;
            }
            continue;
        }
        e = k ? b->sources[k - 1] : e;
        alias = taco__sql_aliased(x, e, false);
        copy = taco__sql_copy(x, alias ? alias : e);
        if (!copy || !taco__bind_text_of(b, copy, &texts[count]) || !taco__bind_expr(b, &copy)) {
            return false;
        }
        if (copy->type.t.id == TACO_NULL) {
            taco__stype t = taco__bind_simple(TACO_INT32);
            if (!taco__bind_cast(b, &copy, &t)) {
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
TACO__FN bool taco__sql_add_order(taco__exec *x, size_t at, const taco__sql_order *o)
{
    size_t k;
    for (k = 0; k < x->order_count; k++) {
        if (x->order_at[k] == at) {
            return true; /* sorted by already */
        }
    }
    if (x->order_count == TACO__COUNT(x->order)) {
        TACO__FAIL(taco__exec_err(x), TACO_ERR_LIMIT, TACO_NO_OFFSET, "more than %u sort keys",
                   TACO__U(TACO__COUNT(x->order)));
        return false;
    }
    x->order_at[x->order_count] = at;
    x->order[x->order_count++] = *o;
    return true;
}
TACO__FN bool taco__sql_orders(taco__exec *x)
{
    size_t     i, k;
    taco_bytes text, other;
    for (i = 0; i < x->s.order_count; i++) {
        taco__sql_order *o = &x->s.order[i];
        const taco__sx  *alias;
        taco__sx        *copy;
        int64_t          at = o->e ? taco__sql_position(x, o->e) : 0;
        if (at < 0) {
            return false;
        }
        if (!o->e) {
            for (k = 0; k < x->item_count - x->extra_count; k++) {
                if (!taco__sql_add_order(x, k, o)) {
                    return false;
                }
            }
            continue;
        }
        if (!at && o->e->kind == TACO__SX_CONST) {
            continue; /* constants order nothing */
        }
        alias = at ? x->b.sources[at - 1] : taco__sql_aliased(x, o->e, true);
        if (!taco__bind_text_of(&x->b, alias ? alias : o->e, &text)) {
            return false;
        }
        for (k = 0; k < x->item_count; k++) {
            if (alias ? x->b.sources[k] == alias
                      : taco__bind_text_of(&x->b, x->b.sources[k], &other) &&
                            taco__base_equal(text, other)) {
                break;
            }
        }
        if (k == x->item_count) {
            if (x->s.distinct) {
                TACO__FAIL(taco__exec_err(x), TACO_ERR_SYNTAX, o->e->at,
                           "with DISTINCT, ORDER BY takes select items only");
                return false;
            }
            copy = taco__sql_copy(x, o->e);
            if (!copy || !taco__bind_expr(&x->b, &copy)) {
                return false;
            }
            k = x->width;
            x->items[x->width++] = copy;
        }
        if (!taco__sql_add_order(x, k, o)) {
            return false;
        }
    }
    for (k = 0; k < x->order_count; k++) {
        const taco__stype *t = &x->items[x->order_at[k]]->type;
        if (t->geo || t->t.id == TACO_MAP || t->t.id == TACO_INTERVAL) {
            TACO__FAIL(taco__exec_err(x), TACO_ERR_SYNTAX, x->items[x->order_at[k]]->at,
                       "a sort key of that type has no order here");
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__sql_items(taco__exec *x)
{
    taco__bind *b = &x->b;
    taco_error *err = taco__exec_err(x);
    size_t      i;
    x->items = (taco__sx **)taco__arena_array(&x->c->arena, b->source_count + TACO__COUNT(x->order),
                                              sizeof *x->items, err);
    for (i = 0; x->items && i < b->source_count; i++) {
        taco__sx *copy = taco__sql_copy(x, b->sources[i]);
        b->aliases = i;
        if (!copy || !taco__bind_expr(b, &copy)) {
            return false;
        }
        if (copy->type.t.id == TACO_NULL) {
            taco__stype t = taco__bind_simple(TACO_INT32);
            if (!taco__bind_cast(b, &copy, &t)) {
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
TACO__FN bool taco__sql_fields(taco__exec *x)
{
    taco_cursor *c = x->c;
    size_t       i;
    c->fields =
        (taco_field *)taco__arena_array(&c->arena, x->item_count, sizeof *c->fields, &c->err);
    c->arrays =
        (taco_array *)taco__arena_array(&c->arena, x->item_count, sizeof *c->arrays, &c->err);
    for (i = 0; c->fields && c->arrays && i < x->item_count; i++) {
        const char *name = taco__bind_label(&x->b, x->b.sources[i]);
        if (!name ||
            !taco__vec_field_of(&c->arena, &x->items[i]->type, name, &c->fields[i], &c->err)) {
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
TACO__FN taco_cursor *taco__sql_rows(taco__exec *x, size_t t, const char *select,
                                     const taco_filter *filters, size_t n)
{
    taco_error  *err = taco__exec_err(x);
    taco_query   q;
    taco_cursor *c;
    if (taco__sql_is_base(x, t)) {
        return x->base->open(x->base->ctx, select, filters, n, err);
    }
    memset(&q, 0, sizeof q);
    q.table = x->s.from[t].level;
    q.flat = x->s.from[t].flat;
    q.select = select;
    q.filters = filters;
    q.filter_count = n;
    c = taco__cursor_make(x->c->ds, x->c->ds->store_count, err);
    if (c) {
        c->alone = true;
        c->wants_hidden = true;
        c->dry = x->dry;
        if (!taco__select_begin(c, &q)) {
            taco_cursor_close(c, err);
            return NULL;
        }
    }
    return c;
}
/* Names of the columns that the query asks of a table; one in any case. *n of them. */
TACO__FN bool taco__sql_wanted(taco__exec *x, size_t t, taco__buf *select, size_t *n)
{
    const taco__bind_table *table = &x->b.tables[t];
    taco_error             *err = taco__exec_err(x);
    size_t                  i;
    bool                    ok = true;
    *n = 0;
    x->scan_cols[t] = (size_t *)taco__arena_array(&x->c->arena, x->b.column_count + 1,
                                                  sizeof **x->scan_cols, err);
    for (i = 0; x->scan_cols[t] && ok && i < x->b.column_count; i++) {
        if (x->b.columns[i].table == t) {
            x->scan_cols[t][*n] = i;
            ok = (!(*n)++ || taco__sql_say(x, select, ",")) &&
                 taco__sql_quote(x, select,
                                 taco__base_text(table->fields[x->b.columns[i].column].name), '"');
        }
    }
    if (ok &&
        !*n) { /* the last one is the row itself, where there is such a column: nothing to read */
        ok = taco__sql_quote(x, select, taco__base_text(table->fields[table->count - 1].name), '"');
    }
    return ok && x->scan_cols[t] && taco__buf_char(select, 0, err);
}
/* Counts the rows of a first table that no column is read of. */
TACO__FN bool taco__sql_bare(taco__exec *x)
{
    taco_cursor *c = x->scans[0];
    taco_batch   batch;
    if (x->dry) {
        return true;
    }
    if (taco__sql_is_base(x, 0)) { /* it may have limits of its own */
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
        *taco__exec_err(x) = c->err;
    }
    return c->err.code == TACO_OK;
}
/* Opens the scan of a table over the columns the query asks for. */
TACO__FN bool taco__sql_scan(taco__exec *x, size_t t, const taco__sql_pushed *pushed)
{
    taco_filter  filters[TACO__LEVELS];
    taco_cursor *c;
    taco__buf    select;
    size_t       i, k, n = 0, count = 0;
    taco_error  *err = taco__exec_err(x);
    memset(&select, 0, sizeof select);
    memset(filters, 0, sizeof filters);
    select.mem = x->c->mem;
    for (i = 0; i < TACO__LEVELS; i++) {
        size_t       slot = t * TACO__LEVELS + i;
        taco_filter *f = &filters[count];
        f->level = (uint32_t)i;
        f->where = pushed->where[slot].len ? (const char *)pushed->where[slot].data : NULL;
        f->geometry_column = pushed->geometry[slot];
        f->bbox = f->geometry_column ? pushed->box[slot] : NULL;
        count += f->where || f->bbox;
    }
    if (taco__sql_wanted(x, t, &select, &n)) {
        x->scans[t] = taco__sql_rows(x, t, (const char *)select.data, filters, count);
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
    return c && x->scan_from[t] && (n || t || taco__sql_bare(x));
}
/* Points that still may be table.column. */
TACO__FN void taco__sql_qualify(taco__exec *x)
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
TACO__FN void taco__sql_values(taco__exec *x, const taco__sx *e)
{
    uint32_t i;
    if (e->kind == TACO__SX_REF) {
        x->use[e->index] = TACO__EXEC_VALUES;
    }
    for (i = 0; i < e->n; i++) {
        taco__sql_values(x, e->kid[i]);
    }
}
/* Whether a column comes out of several datasets, stored as several types. */
TACO__FN bool taco__sql_mixed(const taco__exec *x)
{
    size_t i;
    for (i = 0; i < x->scan_count[0]; i++) {
        if (taco__cursor_mixed(x->scans[0], x->scan_from[0][i])) {
            return true;
        }
    }
    return false;
}
/* What becomes of the columns of a query over one table: those that only go out are not looked into. */
TACO__FN bool taco__sql_uses(taco__exec *x)
{
    size_t i;
    bool   plain = x->b.table_count == 1 && !x->grouped && !x->order_count && !x->s.distinct &&
                 !x->where_count && !x->base && !x->extra_count && !x->dry && !taco__sql_mixed(x);
    x->use = (uint8_t *)taco__arena_alloc(&x->c->arena, x->b.column_count + 1, taco__exec_err(x));
    if (!x->use) {
        return false;
    }
    memset(x->use, plain ? TACO__EXEC_AS_IT_IS : TACO__EXEC_VALUES, x->b.column_count);
    for (i = 0; plain && i < x->width; i++) {
        const taco__sx   *e = x->items[i];
        size_t            column = e->kind == TACO__SX_REF ? x->b.columns[e->index].column : 0;
        const taco_field *f = &x->b.tables[0].fields[column];
        if (e->kind != TACO__SX_REF || f->child_count || f->utc != x->c->fields[i].utc ||
            !taco__unify_same(f, &x->c->fields[i])) {
            taco__sql_values(x, e);
        }
    }
    if (plain && x->b.column_count) { /* rows come out as they come in */
        x->limits = true;
    }
    if (x->b.table_count == 1 && x->b.group_count == 1 && !x->where_count &&
        x->b.groups[0]->kind == TACO__SX_REF && x->b.groups[0]->type.t.id == TACO_TEXT) {
        size_t place = x->b.groups[0]->index;
        x->use[place] = TACO__EXEC_CODES;
        for (i = 0; i < x->b.aggr_count; i++) {
            const taco__bind_aggr *a = &x->b.aggrs[i];
            if (a->arg) {
                taco__sql_values(x, a->arg);
            }
            if (a->filter) {
                taco__sql_values(x, a->filter);
            }
        }
    }
    return true;
}
TACO__FN bool taco__sql_plan(taco__exec *x, taco__sql_pushed *pushed)
{
    size_t i;
    for (i = 0; i < x->s.from_count; i++) {
        if (!taco__sql_table(x, i)) {
            return false;
        }
        x->b.table_count++;
    }
    taco__sql_qualify(x);
    if (!taco__sql_expand(x)) {
        return false;
    }
    for (i = 1; i < x->s.from_count; i++) {
        if (!taco__sql_join(x, i)) {
            return false;
        }
    }
    x->b.aliases = x->b.source_count;
    if (!taco__sql_where(x, pushed) || !taco__sql_groups(x)) {
        return false;
    }
    x->grouped = x->b.group_count || x->s.having || x->s.groups;
    for (i = 0; i < x->b.source_count; i++) {
        x->grouped = x->grouped || taco__sql_has_aggregate(x->b.sources[i]);
    }
    for (i = 0; i < x->s.order_count; i++) {
        x->grouped = x->grouped || (x->s.order[i].e && taco__sql_has_aggregate(x->s.order[i].e));
    }
    x->b.grouped = x->grouped;
    if (!taco__sql_items(x) || (x->s.having && (!taco__bind_expr(&x->b, &x->s.having) ||
                                                !taco__bind_bool(&x->b, &x->s.having)))) {
        return false;
    }
    if (!taco__sql_orders(x) || !taco__sql_fields(x)) {
        return false;
    }
    for (i = 0; i < TACO__SQL_SLOTS; i++) {
        if (pushed->where[i].len && !taco__buf_char(&pushed->where[i], 0, taco__exec_err(x))) {
            return false;
        }
    }
    for (i = 0; i < x->b.table_count; i++) {
        if (!taco__sql_scan(x, i, pushed)) {
            return false;
        }
    }
    return taco__sql_uses(x);
}
TACO__FN bool taco__sql_next(taco_cursor *c, taco_batch *out)
{
    return taco__exec_next((taco__exec *)c->plan, out);
}
TACO__FN void taco__sql_end(taco_cursor *c)
{
    taco__exec_close((taco__exec *)c->plan);
}
/* Makes the plan of a cursor and parses the text into it; NULL on failure. */
TACO__FN taco__exec *taco__sql_begin(taco_cursor *c, const char *sql)
{
    taco__exec *x = (taco__exec *)taco__arena_alloc(&c->arena, sizeof *x, &c->err);
    size_t      len = TACO__MIN(strlen(sql), TACO__SQL_TEXT + 1);
    char       *text = taco__arena_text(&c->arena, taco__base_bytes(sql, len), &c->err);
    if (!x || !text) {
        return NULL;
    }
    x->c = c;
    x->batch.mem = x->hold[0].mem = x->hold[1].mem = c->mem;
    x->b.arena = &c->arena;
    x->b.err = &c->err;
    x->b.s = &x->s;
    c->plan = x;
    c->next = taco__sql_next;
    c->end = taco__sql_end;
    return taco__sqlp_parse(&c->arena, text, len, c->ds->options.limits.max_depth, &x->s, &c->err)
               ? x
               : NULL;
}
TACO__FN bool taco__sql_run(taco__exec *x)
{
    taco__sql_pushed *pushed = taco__sql_push_begin(x);
    bool              ok = pushed && taco__sql_plan(x, pushed);
    taco__sql_push_end(pushed);
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
TACO__FN bool taco__sql_open(taco_cursor *c, const char *sql)
{
    taco__exec *x = taco__sql_begin(c, sql);
    return x && taco__sql_run(x);
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
    c = taco__cursor_make(ds, 0, err);
    if (c && !taco__sql_open(c, sql)) {
        text = taco__base_text(sql);
        taco__error_prefix(&c->err, "%s: sql: %q", ds->stores[0].name, &text);
        taco_cursor_close(c, err);
        return NULL;
    }
    return c;
}

