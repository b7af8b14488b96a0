/* ==== ROOM exec: batches from scans through joins, conditions, groups, DISTINCT, order and limits.
   Uses: calc bind fold cursor dataset. Spec: DuckDB's semantics ==== */

#define TACO__SQL_BATCH_ROWS ((size_t)4096)

typedef enum taco__column_use {
    TACO__COLUMN_USE_VALUES = 0,   /* computed with */
    TACO__COLUMN_USE_PASS_THROUGH, /* goes out only */
    TACO__COLUMN_USE_CODES /* the only key of groups, and nothing else: texts of codes will do */
} taco__column_use;

typedef struct taco__hash_join {
    taco__sql_expr   **left, **right; /* pairs of keys */
    size_t             keys;
    taco__sql_expr    *rest; /* what else ON asks */
    bool               outer;
    taco__vec_builder *cols; /* the columns of the table, all rows; indexed as the batch's are */
    size_t             rows;
    taco__vec         *key_cols;
    uint64_t          *hashes;
    uint32_t          *heads, *next; /* row + 1 */
    size_t             slots;
} taco__hash_join;

typedef struct taco__group_table { /* distinct rows, numbered */
    taco__vec_builder *cols;
    taco__vec         *vecs; /* the same, for comparing */
    size_t             width, count, cap, slots;
    uint64_t          *hashes;
    uint32_t          *table; /* group + 1 */
} taco__group_table;

/* What FROM data means where that is not level 0: the rows of a view. */
typedef struct taco__sql_source {
    void             *ctx;
    const taco_field *fields; /* the first `visible` of them are those of '*' */
    size_t            count, visible;
    bool pushes; /* conditions may become filters of rows of `level`, or of its ancestors if flat */
    bool flat;
    uint32_t level;
    taco_cursor *(*open)(void *ctx, const char *select, const taco_filter *filters, size_t n,
                         taco_error *err);
} taco__sql_source;

typedef struct taco__executor {
    const taco__sql_source *base;   /* or NULL */
    const char *const      *extras; /* columns that go with the rows unseen */
    size_t                  extra_count;
    bool                    dry; /* to be looked at */
    taco_cursor            *c;   /* the result's; its arena holds the plan */
    taco__sql_select        s;
    taco__bind              b;
    taco__arena             batch;   /* of the batch at hand */
    taco__arena             hold[2]; /* rows that are kept; the second while they are sorted out */
    taco_cursor            *scans[TACO__SQL_MAX_TABLES];
    size_t          *scan_cols[TACO__SQL_MAX_TABLES]; /* places in the batch of a scan's columns */
    size_t           scan_count[TACO__SQL_MAX_TABLES];
    size_t          *scan_from[TACO__SQL_MAX_TABLES]; /* of each, its place in the scan's batches */
    uint8_t         *use;             /* of the batch's columns, by place: taco__column_use */
    uint64_t         bare;            /* rows of a first table that no column is read of */
    bool             is_bare, limits; /* limits: OFFSET and LIMIT are those of the scan */
    taco__hash_join  joins[TACO__SQL_MAX_TABLES];
    taco__sql_expr **where; /* conjuncts */
    size_t           where_count;
    taco__sql_expr **items; /* results, and behind them sort keys */
    size_t           item_count, width;
    taco__sql_sort_key order[64];
    size_t             order_at[64], order_count;
    taco__group_table  groups, seen;
    bool               grouped, begun, sorted;
    taco__vec         *input; /* of groups: their columns, done */
    size_t             input_n, input_at;
    taco__vec_builder *kept; /* sorted results */
    taco__vec         *kept_vecs;
    uint32_t          *sequence;
    size_t             sequence_n, sequence_at, worst;
    bool               has_worst;
    uint64_t           skip, left;
} taco__executor;

/* Empties an arena and keeps its largest block. */
TACO__FN void taco__arena_reset(taco__arena *a)
{
    taco__arena_block *b = a->head;
    if (b) {
        taco__arena rest;
        rest.mem = a->mem;
        rest.head = b->next;
        taco__arena_free(&rest);
        b->next = NULL;
        b->used = 0;
    }
}
TACO__FN taco_error *taco__operator_err(taco__executor *x)
{
    return &x->c->err;
}

/* ---- numbered rows --------------------------------------------------------------------------------- */

TACO__FN bool taco__group_table_init(taco__executor *x, taco__group_table *g,
                                     taco__sql_expr *const *types, size_t width)
{
    size_t i;
    g->width = width;
    g->cols = (taco__vec_builder *)taco__arena_array(&x->hold[0], width + 1, sizeof *g->cols,
                                                     taco__operator_err(x));
    g->vecs = (taco__vec *)taco__arena_array(&x->hold[0], width + 1, sizeof *g->vecs,
                                             taco__operator_err(x));
    for (i = 0; g->cols && g->vecs && i < width; i++) {
        if (!taco__vec_builder_init(&x->hold[0], &types[i]->type, &g->cols[i],
                                    taco__operator_err(x))) {
            return false;
        }
    }
    return g->cols && g->vecs;
}
TACO__FN bool taco__group_table_grow(taco__executor *x, taco__group_table *g)
{
    size_t    cap = g->cap ? g->cap * 2 : 1024, slots = cap * 2, i;
    uint64_t *hashes =
        (uint64_t *)taco__arena_array(&x->hold[0], cap, sizeof *hashes, taco__operator_err(x));
    uint32_t *table =
        (uint32_t *)taco__arena_array(&x->hold[0], slots, sizeof *table, taco__operator_err(x));
    if (!hashes || !table) {
        return false;
    }
    if (g->count) {
        memcpy(hashes, g->hashes, g->count * sizeof *hashes);
    }
    for (i = 0; i < g->count; i++) {
        size_t at = (size_t)hashes[i] & (slots - 1);
        while (table[at]) {
            at = (at + 1) & (slots - 1);
        }
        table[at] = (uint32_t)i + 1;
    }
    g->hashes = hashes;
    g->table = table;
    g->cap = cap;
    g->slots = slots;
    return true;
}
/* The number of the group of row i of v, whose hash is h, a new one if need be; UINT32_MAX without memory. */
TACO__FN uint32_t taco__group_table_find_or_add(taco__executor *x, taco__group_table *g,
                                                const taco__vec *v, size_t i, uint64_t h)
{
    size_t   at, k;
    uint32_t row = (uint32_t)i;
    if (g->count == g->cap && !taco__group_table_grow(x, g)) {
        return UINT32_MAX;
    }
    at = (size_t)h & (g->slots - 1);
    while (g->table[at] && (g->hashes[g->table[at] - 1] != h ||
                            !taco__vec_equal(g->vecs, g->table[at] - 1, v, i, g->width))) {
        at = (at + 1) & (g->slots - 1);
    }
    if (!g->table[at]) {
        for (k = 0; k < g->width; k++) {
            if (!taco__vec_builder_append(&x->hold[0], &g->cols[k], &v[k], &row, 1,
                                          taco__operator_err(x))) {
                return UINT32_MAX;
            }
            g->vecs[k] = g->cols[k].v;
        }
        g->hashes[g->count] = h;
        g->table[at] = (uint32_t)++g->count;
    }
    return g->table[at] - 1;
}
/* By one text with a short dictionary: each of its entries is looked up once. */
TACO__FN bool taco__group_table_number_codes(taco__executor *x, taco__group_table *g,
                                             const taco__vec *v, size_t n, uint32_t *out)
{
    uint32_t *known = (uint32_t *)taco__arena_array(&x->batch, v->code_n + 1, sizeof *known,
                                                    taco__operator_err(x)); /* group + 1 */
    size_t    i;
    if (!known) {
        return false;
    }
    for (i = 0; i < n; i++) {
        size_t code = taco__vec_is_valid(v, i) ? (size_t)(uint32_t)v->codes[i] : v->code_n;
        if (TACO__UNLIKELY(!known[code])) {
            uint64_t h;
            taco__vec_arrow_load_code_text(v, i);
            h = taco__vec_hash_mix(taco__vec_hash_one(v, i));
            known[code] = taco__group_table_find_or_add(x, g, v, i, h) + 1;
            if (!known[code]) {
                return false;
            }
        }
        out[i] = known[code] - 1;
    }
    return true;
}
/* The number of each row's group, new ones added. */
TACO__FN bool taco__group_table_number_rows(taco__executor *x, taco__group_table *g,
                                            const taco__vec *v, size_t n, uint32_t *out)
{
    uint64_t *h;
    size_t    i, k;
    if (g->width == 1 && v->codes && v->step && v->code_n <= n) {
        return taco__group_table_number_codes(x, g, v, n, out);
    }
    h = (uint64_t *)taco__arena_array(&x->batch, n + 1, sizeof *h, taco__operator_err(x));
    if (!h) {
        return false;
    }
    for (k = 0; k < g->width; k++) {
        taco__vec_hash(&v[k], h);
    }
    for (i = 0; i < n; i++) {
        out[i] = taco__group_table_find_or_add(x, g, v, i, h[i]);
        if (out[i] == UINT32_MAX) {
            return false;
        }
    }
    return true;
}

/* ---- scans and joins ------------------------------------------------------------------------------- */

/* The next batch of a table's columns into cols; *n 0 at the end. */
TACO__FN bool taco__operator_scan(taco__executor *x, size_t t, taco__vec *cols, size_t *n)
{
    taco_batch batch;
    size_t     i;
    *n = 0;
    if (t == 0 && x->is_bare) {
        *n = (size_t)TACO__MIN(x->bare, (uint64_t)TACO__SQL_BATCH_ROWS);
        x->bare -= *n;
        return true;
    }
    if (!taco_cursor_batch(x->scans[t], &batch)) {
        if (x->scans[t]->err.code != TACO_OK) {
            *taco__operator_err(x) = x->scans[t]->err;
            return false;
        }
        return true;
    }
    for (i = 0; i < x->scan_count[t]; i++) {
        size_t            place = x->scan_cols[t][i];
        size_t            column = x->b.columns[place].column;
        const taco_array *a = &batch.columns[x->scan_from[t][i]];
        if (x->use[place] == TACO__COLUMN_USE_PASS_THROUGH) {
            cols[place].type = &x->b.tables[t].types[column];
            cols[place].n = batch.length;
            cols[place].step = 1;
            cols[place].source = a;
            continue;
        }
        if (x->use[place] == TACO__COLUMN_USE_CODES && a->dictionary &&
            a->dictionary->length <= batch.length) {
            if (!taco__vec_arrow_load_codes(&x->batch, a, &x->b.tables[t].types[column],
                                            &cols[place], taco__operator_err(x))) {
                return false;
            }
            continue;
        }
        if (!taco__vec_arrow_load(&x->batch, a, &x->b.tables[t].types[column], &cols[place],
                                  taco__operator_err(x))) {
            return false;
        }
    }
    *n = batch.length;
    return true;
}
TACO__FN void taco__operator_init_batch(taco__executor *x, taco__sql_batch *c,
                                        const taco__vec *cols, size_t count, size_t n)
{
    c->arena = &x->batch;
    c->err = taco__operator_err(x);
    c->cols = cols;
    c->count = count;
    c->n = n;
}
/* Holds all of table t, and its keys in a hash table. */
TACO__FN bool taco__hash_join_build(taco__executor *x, size_t t)
{
    taco__hash_join   *j = &x->joins[t];
    taco_error        *err = taco__operator_err(x);
    taco__arena       *hold = &x->hold[0];
    taco__vec_builder *keys =
        (taco__vec_builder *)taco__arena_array(hold, j->keys, sizeof *keys, err);
    size_t i, n;
    j->cols =
        (taco__vec_builder *)taco__arena_array(hold, x->b.column_count + 1, sizeof *j->cols, err);
    j->key_cols = (taco__vec *)taco__arena_array(hold, j->keys, sizeof *j->key_cols, err);
    if (!j->cols || !j->key_cols || !keys) {
        return false;
    }
    for (i = 0; i < x->scan_count[t]; i++) {
        size_t place = x->scan_cols[t][i];
        if (!taco__vec_builder_init(hold, &x->b.tables[t].types[x->b.columns[place].column],
                                    &j->cols[place], err)) {
            return false;
        }
    }
    for (i = 0; i < j->keys; i++) {
        if (!taco__vec_builder_init(hold, &j->right[i]->type, &keys[i], err)) {
            return false;
        }
    }
    for (;;) {
        taco__vec      *cols;
        taco__sql_batch calc;
        taco__arena_reset(&x->batch);
        cols = (taco__vec *)taco__arena_array(&x->batch, x->b.column_count + 1, sizeof *cols, err);
        if (!cols || !taco__operator_scan(x, t, cols, &n)) {
            return false;
        }
        if (!n) {
            break;
        }
        taco__operator_init_batch(x, &calc, cols, x->b.column_count, n);
        for (i = 0; i < x->scan_count[t]; i++) {
            size_t place = x->scan_cols[t][i];
            if (!taco__vec_builder_append(hold, &j->cols[place], &cols[place], NULL, n, err)) {
                return false;
            }
        }
        for (i = 0; i < j->keys; i++) {
            taco__vec v;
            if (!taco__evaluate_expr(&calc, j->right[i], &v) ||
                !taco__vec_builder_append(hold, &keys[i], &v, NULL, n, err)) {
                return false;
            }
        }
        j->rows += n;
    }
    for (i = 0; i < j->keys; i++) {
        j->key_cols[i] = keys[i].v;
    }
    for (j->slots = 16; j->slots < j->rows * 2; j->slots *= 2) {
    }
    j->hashes = (uint64_t *)taco__arena_array(hold, j->rows + 1, sizeof *j->hashes, err);
    j->heads = (uint32_t *)taco__arena_array(hold, j->slots, sizeof *j->heads, err);
    j->next = (uint32_t *)taco__arena_array(hold, j->rows + 1, sizeof *j->next, err);
    if (!j->hashes || !j->heads || !j->next) {
        return false;
    }
    for (i = 0; i < j->keys; i++) {
        taco__vec_hash(&j->key_cols[i], j->hashes);
    }
    for (i = j->rows; i-- > 0;) {
        size_t at = (size_t)j->hashes[i] & (j->slots - 1);
        j->next[i] = j->heads[at];
        j->heads[at] = (uint32_t)i + 1;
    }
    return true;
}
TACO__FN bool taco__hash_join_has_null_key(const taco__vec *keys, size_t n, size_t i)
{
    size_t k;
    for (k = 0; k < n; k++) {
        if (!taco__vec_is_valid(&keys[k], i)) {
            return true;
        }
    }
    return false;
}
typedef struct taco__hash_join_pairs { /* rows of both sides that meet */
    uint32_t *left, *right;
    size_t    n;
} taco__hash_join_pairs;

TACO__FN bool taco__hash_join_add_pair(taco__executor *x, taco__buf *l, taco__buf *r, uint32_t left,
                                       uint32_t right)
{
    return taco__buf_append(l, &left, sizeof left, taco__operator_err(x)) &&
           taco__buf_append(r, &right, sizeof right, taco__operator_err(x));
}
/* The batch that a list of pairs makes. */
TACO__FN bool taco__hash_join_combine(taco__executor *x, size_t t, const taco__vec *cols,
                                      const uint32_t *l, const uint32_t *r, size_t n,
                                      taco__vec *out)
{
    size_t i;
    for (i = 0; i < x->b.column_count; i++) {
        size_t table = x->b.columns[i].table;
        if (table < t && cols[i].type &&
            !taco__vec_take(&x->batch, &cols[i], l, n, &out[i], taco__operator_err(x))) {
            return false;
        }
        if (table == t && !taco__vec_take(&x->batch, &x->joins[t].cols[i].v, r, n, &out[i],
                                          taco__operator_err(x))) {
            return false;
        }
    }
    return true;
}
/* Pairs that pass the rest of ON; rows of the left side that lose all theirs come with none, when outer. */
TACO__FN bool taco__hash_join_filter_pairs(taco__executor *x, size_t t, const taco__vec *cols,
                                           size_t rows, taco__buf *l, taco__buf *r)
{
    taco__hash_join *j = &x->joins[t];
    uint32_t        *left = (uint32_t *)(void *)l->data, *right = (uint32_t *)(void *)r->data, *idx;
    size_t           n = l->len / sizeof *left, m = 0, i, k;
    taco__vec *out = (taco__vec *)taco__arena_array(&x->batch, x->b.column_count + 1, sizeof *out,
                                                    taco__operator_err(x));
    taco__sql_batch calc;
    uint8_t        *hit = (uint8_t *)taco__arena_alloc(&x->batch, rows, taco__operator_err(x));
    if (!out || !hit || !taco__hash_join_combine(x, t, cols, left, right, n, out)) {
        return false;
    }
    taco__operator_init_batch(x, &calc, out, x->b.column_count, n);
    idx = taco__evaluate_filter(&calc, j->rest, &m);
    if (!idx) {
        return false;
    }
    for (i = k = 0; i < m; i++) {
        if (right[idx[i]] != TACO__VEC_NONE) {
            left[k] = left[idx[i]];
            right[k++] = right[idx[i]];
            hit[left[k - 1]] = 1;
        }
    }
    l->len = r->len = k * sizeof *left;
    for (i = 0; j->outer && i < rows; i++) {
        if (!hit[i] && !taco__hash_join_add_pair(x, l, r, (uint32_t)i, TACO__VEC_NONE)) {
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__hash_join_probe(taco__executor *x, size_t t, const taco__vec *cols, size_t n,
                                    taco__buf *l, taco__buf *r)
{
    taco__hash_join *j = &x->joins[t];
    taco_error      *err = taco__operator_err(x);
    taco__vec       *keys = (taco__vec *)taco__arena_array(&x->batch, j->keys, sizeof *keys, err);
    uint64_t        *h = (uint64_t *)taco__arena_array(&x->batch, n + 1, sizeof *h, err);
    taco__sql_batch  calc;
    size_t           i, k;
    if (!keys || !h) {
        return false;
    }
    taco__operator_init_batch(x, &calc, cols, x->b.column_count, n);
    for (k = 0; k < j->keys; k++) {
        if (!taco__evaluate_expr(&calc, j->left[k], &keys[k])) {
            return false;
        }
        taco__vec_hash(&keys[k], h);
    }
    for (i = 0; i < n; i++) {
        uint32_t row = j->heads[(size_t)h[i] & (j->slots - 1)];
        bool     any = false;
        for (; row && !taco__hash_join_has_null_key(keys, j->keys, i); row = j->next[row - 1]) {
            if (j->hashes[row - 1] == h[i] &&
                taco__vec_equal(j->key_cols, row - 1, keys, i, j->keys)) {
                any = true;
                if (!taco__hash_join_add_pair(x, l, r, (uint32_t)i, row - 1)) {
                    return false;
                }
            }
        }
        if (!any && j->outer && !taco__hash_join_add_pair(x, l, r, (uint32_t)i, TACO__VEC_NONE)) {
            return false;
        }
    }
    return !j->rest || taco__hash_join_filter_pairs(x, t, cols, n, l, r);
}
/* Joins table t to a batch. */
TACO__FN bool taco__hash_join_run(taco__executor *x, size_t t, taco__vec **cols, size_t *n)
{
    taco__buf  l, r;
    taco__vec *out = (taco__vec *)taco__arena_array(&x->batch, x->b.column_count + 1, sizeof *out,
                                                    taco__operator_err(x));
    bool       ok = out != NULL;
    memset(&l, 0, sizeof l);
    memset(&r, 0, sizeof r);
    l.mem = r.mem = x->c->mem;
    ok = ok && taco__hash_join_probe(x, t, *cols, *n, &l, &r);
    ok = ok && taco__hash_join_combine(x, t, *cols, (const uint32_t *)(const void *)l.data,
                                       (const uint32_t *)(const void *)r.data,
                                       l.len / sizeof(uint32_t), out);
    *cols = out;
    *n = l.len / sizeof(uint32_t);
    taco__buf_free(&l);
    taco__buf_free(&r);
    return ok;
}
/* A batch of joined rows that pass WHERE; *n 0 with *end at the end, and without when none of a batch passed. */
TACO__FN bool taco__operator_filter(taco__executor *x, taco__vec **out, size_t *n, bool *end)
{
    taco_error *err = taco__operator_err(x);
    size_t      t, i, m;
    taco__vec  *cols =
        (taco__vec *)taco__arena_array(&x->batch, x->b.column_count + 1, sizeof *cols, err);
    if (!cols || !taco__operator_scan(x, 0, cols, n)) {
        return false;
    }
    *end = *n == 0;
    for (t = 1; *n && t < x->b.table_count; t++) {
        if (!taco__hash_join_run(x, t, &cols, n)) {
            return false;
        }
    }
    for (i = 0; *n && i < x->where_count; i++) {
        taco__sql_batch calc, part;
        uint32_t       *idx;
        taco__operator_init_batch(x, &calc, cols, x->b.column_count, *n);
        idx = taco__evaluate_filter(&calc, x->where[i], &m);
        if (!idx) {
            return false;
        }
        if (m < *n) {
            if (!taco__evaluate_subset(&calc, idx, m, &part)) {
                return false;
            }
            memcpy(cols, part.cols, x->b.column_count * sizeof *cols);
            *n = m;
        }
    }
    *out = cols;
    return true;
}

/* ---- groups ---------------------------------------------------------------------------------------- */

TACO__FN bool taco__operator_aggregate(taco__executor *x, taco__sql_batch *calc,
                                       const uint32_t *group)
{
    size_t i, k;
    for (i = 0; i < x->b.aggr_count; i++) {
        taco__bind_aggregation *g = &x->b.aggrs[i];
        taco__vec               v, f;
        uint8_t                *keep = NULL;
        if (g->filter) {
            keep = (uint8_t *)taco__arena_alloc(&x->batch, calc->n, calc->err);
            if (!keep || !taco__evaluate_expr(calc, g->filter, &f)) {
                return false;
            }
            for (k = 0; k < calc->n; k++) {
                keep[k] = taco__vec_is_valid(&f, k) && f.v.i[k * f.step];
            }
        }
        if (!taco__aggregate_reserve(&g->a, &x->hold[0], TACO__MAX(x->groups.count, (size_t)1),
                                     calc->err)) {
            return false;
        }
        if (g->arg) {
            if (!taco__evaluate_expr(calc, g->arg, &v)) {
                return false;
            }
        }
        if (!taco__aggregate_add(&g->a, &x->hold[0], g->arg ? &v : NULL, group, keep, calc->n,
                                 calc->err)) {
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__operator_group(taco__executor *x)
{
    taco_error *err = taco__operator_err(x);
    size_t      i, n;
    bool        end = false;
    if (!taco__group_table_init(x, &x->groups, x->b.groups, x->b.group_count)) {
        return false;
    }
    while (!end) {
        taco__vec      *cols, *keys;
        uint32_t       *group;
        taco__sql_batch calc;
        taco__arena_reset(&x->batch);
        if (!taco__operator_filter(x, &cols, &n, &end)) {
            return false;
        }
        if (!n) {
            continue;
        }
        taco__operator_init_batch(x, &calc, cols, x->b.column_count, n);
        keys = (taco__vec *)taco__arena_array(&x->batch, x->b.group_count + 1, sizeof *keys, err);
        group = (uint32_t *)taco__arena_array(&x->batch, n, sizeof *group, err);
        for (i = 0; keys && i < x->b.group_count; i++) {
            if (!taco__evaluate_expr(&calc, x->b.groups[i], &keys[i])) {
                return false;
            }
        }
        if (!keys || !group ||
            (x->b.group_count && !taco__group_table_number_rows(x, &x->groups, keys, n, group)) ||
            !taco__operator_aggregate(x, &calc, group)) {
            return false;
        }
    }
    n = x->b.group_count ? x->groups.count : 1;
    x->input = (taco__vec *)taco__arena_array(&x->hold[0], x->b.group_count + x->b.aggr_count + 1,
                                              sizeof *x->input, err);
    for (i = 0; x->input && i < x->b.group_count; i++) {
        x->input[i] = x->groups.cols[i].v;
    }
    for (i = 0; x->input && i < x->b.aggr_count; i++) {
        taco__aggregate *a = &x->b.aggrs[i].a;
        if (!taco__aggregate_reserve(a, &x->hold[0], TACO__MAX(n, (size_t)1), err) ||
            !taco__aggregate_finish(a, &x->hold[0], n, &x->input[x->b.group_count + i], err)) {
            return false;
        }
        taco__buf_free(&a->groups);
    }
    x->input_n = n;
    return x->input != NULL;
}
/* The next batch in front of the projection: groups, or rows. */
TACO__FN bool taco__operator_input(taco__executor *x, taco__sql_batch *calc, bool *end)
{
    taco__vec *cols;
    size_t     i, n, m, count = x->b.group_count + x->b.aggr_count;
    uint32_t  *idx;
    if (!x->grouped) {
        if (!taco__operator_filter(x, &cols, &n, end)) {
            return false;
        }
        taco__operator_init_batch(x, calc, cols, x->b.column_count, n);
        return true;
    }
    n = TACO__MIN(x->input_n - x->input_at, TACO__SQL_BATCH_ROWS);
    *end = n == 0;
    cols =
        (taco__vec *)taco__arena_array(&x->batch, count + 1, sizeof *cols, taco__operator_err(x));
    idx = (uint32_t *)taco__arena_array(&x->batch, n, sizeof *idx, taco__operator_err(x));
    if (!cols || !idx) {
        return false;
    }
    for (i = 0; i < n; i++) {
        idx[i] = (uint32_t)(x->input_at + i);
    }
    for (i = 0; i < count; i++) {
        if (!taco__vec_take(&x->batch, &x->input[i], idx, n, &cols[i], taco__operator_err(x))) {
            return false;
        }
    }
    x->input_at += n;
    taco__operator_init_batch(x, calc, cols, count, n);
    if (x->s.having && n) {
        idx = taco__evaluate_filter(calc, x->s.having, &m);
        return idx && (m == n || taco__evaluate_subset(calc, idx, m, calc));
    }
    return true;
}

/* ---- order ----------------------------------------------------------------------------------------- */

TACO__FN int taco__sort_operator_compare(const taco__executor *x, const taco__vec *a, size_t i,
                                         const taco__vec *b, size_t j)
{
    size_t k;
    for (k = 0; k < x->order_count; k++) {
        const taco__vec *p = &a[x->order_at[k]], *q = &b[x->order_at[k]];
        bool             u = taco__vec_is_valid(p, i), v = taco__vec_is_valid(q, j);
        int              c;
        if (!u || !v) {
            if (u != v) {
                return u == x->order[k].nulls_first ? 1 : -1;
            }
            continue;
        }
        c = taco__vec_compare(p, i, q, j);
        if (c) {
            return x->order[k].desc ? -c : c;
        }
    }
    return 0;
}
TACO__FN bool taco__sort_operator_sort(taco__executor *x, size_t n)
{
    uint32_t *idx = (uint32_t *)taco__arena_array(&x->hold[0], n + 1, sizeof *idx,
                                                  taco__operator_err(x)),
             *tmp = (uint32_t *)taco__arena_array(&x->hold[0], n + 1, sizeof *tmp,
                                                  taco__operator_err(x));
    const taco__vec *v = x->kept_vecs;
    size_t           width, at;
    if (!idx || !tmp) {
        return false;
    }
    for (at = 0; at < n; at++) {
        idx[at] = (uint32_t)at;
    }
    for (width = 1; width < n; width *= 2) {
        uint32_t *swap;
        for (at = 0; at < n; at += 2 * width) {
            size_t i = at, mid = TACO__MIN(at + width, n), j = mid,
                   end = TACO__MIN(at + 2 * width, n), k;
            for (k = at; k < end; k++) {
                bool left = i < mid &&
                            (j >= end || taco__sort_operator_compare(x, v, idx[i], v, idx[j]) <= 0);
                tmp[k] = left ? idx[i++] : idx[j++];
            }
        }
        swap = idx;
        idx = tmp;
        tmp = swap;
    }
    x->sequence = idx;
    x->sequence_n = n;
    return true;
}
TACO__FN bool taco__sort_operator_init_rows(taco__executor *x, taco__arena *hold,
                                            taco__vec_builder **out)
{
    size_t i;
    *out = (taco__vec_builder *)taco__arena_array(hold, x->width + 1, sizeof **out,
                                                  taco__operator_err(x));
    for (i = 0; *out && i < x->width; i++) {
        if (!taco__vec_builder_init(hold, &x->items[i]->type, &(*out)[i], taco__operator_err(x))) {
            return false;
        }
    }
    return *out != NULL;
}
TACO__FN void taco__sort_operator_set_vectors(taco__executor *x)
{
    size_t i;
    for (i = 0; i < x->width; i++) {
        x->kept_vecs[i] = x->kept[i].v;
    }
}
/* Of many rows only the first `want` are needed: the others are dropped, with the memory they took. */
TACO__FN bool taco__sort_operator_prune(taco__executor *x, size_t want)
{
    taco__vec_builder *next;
    taco__arena        swap;
    size_t             i;
    if (!taco__sort_operator_sort(x, x->kept_vecs[0].n) ||
        !taco__sort_operator_init_rows(x, &x->hold[1], &next)) {
        return false;
    }
    for (i = 0; i < x->width; i++) {
        if (!taco__vec_builder_append(&x->hold[1], &next[i], &x->kept_vecs[i], x->sequence, want,
                                      taco__operator_err(x))) {
            return false;
        }
    }
    x->kept = next;
    taco__sort_operator_set_vectors(x);
    swap = x->hold[0];
    x->hold[0] = x->hold[1];
    x->hold[1] = swap;
    taco__arena_free(&x->hold[1]);
    x->worst = want - 1;
    x->has_worst = true;
    return true;
}
/* Rows of v that may come before the worst one that is kept, by their first key alone. */
TACO__FN size_t taco__sort_operator_candidates(const taco__executor *x, const taco__vec *v,
                                               size_t n, uint32_t *idx)
{
    const taco__vec    *p = &v[x->order_at[0]], *q = &x->kept_vecs[x->order_at[0]];
    taco__physical_type ph = taco__sql_type_physical(p->type);
    bool                desc = x->order[0].desc, first = x->order[0].nulls_first;
    size_t              i, m = 0;
    if ((ph != TACO__PHYS_DBL && ph != TACO__PHYS_INT) || !taco__vec_is_valid(q, x->worst)) {
        for (; m < n; m++) {
            idx[m] = (uint32_t)m;
        }
    } else if (ph == TACO__PHYS_DBL) {
        double w = q->v.f[x->worst];
        for (i = 0; i < n; i++) { /* NaN is greater than all numbers: it is looked at in any case */
            double d = p->v.f[i * p->step];
            bool   out = desc ? d < w : d > w;
            idx[m] = (uint32_t)i;
            m += taco__vec_is_valid(p, i) ? !out || w != w || d != d : first;
        }
    } else {
        int64_t w = q->v.i[x->worst];
        for (i = 0; i < n; i++) {
            int64_t d = p->v.i[i * p->step];
            idx[m] = (uint32_t)i;
            m += taco__vec_is_valid(p, i) ? (desc ? d >= w : d <= w) : first;
        }
    }
    return m;
}
TACO__FN bool taco__sort_operator_add(taco__executor *x, const taco__vec *v, size_t n)
{
    uint64_t  want = x->skip > UINT64_MAX - x->left ? UINT64_MAX : x->skip + x->left;
    bool      few = want && want < 100000 && !x->grouped && !x->s.distinct && x->b.table_count == 1;
    uint32_t *idx = NULL;
    size_t    i, m = n;
    if (x->has_worst) {
        idx = (uint32_t *)taco__arena_array(&x->batch, n, sizeof *idx, taco__operator_err(x));
        if (!idx) {
            return false;
        }
        n = taco__sort_operator_candidates(x, v, n, idx);
        for (i = m = 0; i < n; i++) {
            if (taco__sort_operator_compare(x, v, idx[i], x->kept_vecs, x->worst) < 0) {
                idx[m++] = idx[i];
            }
        }
    }
    for (i = 0; m && i < x->width; i++) {
        if (!taco__vec_builder_append(&x->hold[0], &x->kept[i], &v[i], idx, m,
                                      taco__operator_err(x))) {
            return false;
        }
    }
    taco__sort_operator_set_vectors(x);
    if (few && x->kept_vecs[0].n > (size_t)want * 2 + TACO__SQL_BATCH_ROWS) {
        return taco__sort_operator_prune(x, (size_t)want);
    }
    return true;
}

/* ---- the result ------------------------------------------------------------------------------------ */

TACO__FN bool taco__operator_project(taco__executor *x, taco__sql_batch *calc, taco__vec **out)
{
    taco__vec *v =
        (taco__vec *)taco__arena_array(&x->batch, x->width + 1, sizeof *v, taco__operator_err(x));
    size_t i;
    for (i = 0; v && i < x->width; i++) {
        if (!taco__evaluate_expr(calc, x->items[i], &v[i])) {
            return false;
        }
        if (v[i].n != calc->n) {
            v[i].n = calc->n;
        }
    }
    *out = v;
    return v != NULL;
}
/* Drops rows that were seen before. */
TACO__FN bool taco__operator_distinct(taco__executor *x, taco__vec *v, size_t *n)
{
    uint32_t *id = (uint32_t *)taco__arena_array(&x->batch, *n, sizeof *id, taco__operator_err(x)),
             *idx;
    size_t i, m = 0, before = x->seen.count;
    idx = (uint32_t *)taco__arena_array(&x->batch, *n, sizeof *idx, taco__operator_err(x));
    if (!id || !idx ||
        (!x->seen.cols && !taco__group_table_init(x, &x->seen, x->items, x->item_count)) ||
        !taco__group_table_number_rows(x, &x->seen, v, *n, id)) {
        return false;
    }
    for (i = 0; i < *n; i++) {
        if (id[i] == before + m) { /* the first of its kind */
            idx[m++] = (uint32_t)i;
        }
    }
    for (i = 0; i < x->width; i++) {
        taco__vec part;
        if (!taco__vec_take(&x->batch, &v[i], idx, m, &part, taco__operator_err(x))) {
            return false;
        }
        v[i] = part;
    }
    *n = m;
    return true;
}
/* Projected rows, DISTINCT applied. *n may be 0 before the end. */
TACO__FN bool taco__operator_rows(taco__executor *x, taco__vec **v, size_t *n, bool *end)
{
    taco__sql_batch calc;
    taco__arena_reset(&x->batch);
    if (!taco__operator_input(x, &calc, end)) {
        return false;
    }
    *n = calc.n;
    if (!*n) {
        return true;
    }
    return taco__operator_project(x, &calc, v) &&
           (!x->s.distinct || taco__operator_distinct(x, *v, n));
}
TACO__FN bool taco__operator_begin(taco__executor *x)
{
    size_t t;
    x->begun = true;
    for (t = 1; t < x->b.table_count; t++) {
        if (!taco__hash_join_build(x, t)) {
            return false;
        }
    }
    if (x->grouped && !taco__operator_group(x)) {
        return false;
    }
    if (x->order_count) {
        bool end = false;
        x->kept_vecs = (taco__vec *)taco__arena_array(&x->c->arena, x->width + 1,
                                                      sizeof *x->kept_vecs, taco__operator_err(x));
        if (!x->kept_vecs || !taco__sort_operator_init_rows(x, &x->hold[0], &x->kept)) {
            return false;
        }
        taco__sort_operator_set_vectors(x);
        while (!end) {
            taco__vec *v;
            size_t     n;
            if (!taco__operator_rows(x, &v, &n, &end) || (n && !taco__sort_operator_add(x, v, n))) {
                return false;
            }
        }
        x->sorted = true;
        return taco__sort_operator_sort(x, x->kept_vecs[0].n);
    }
    return true;
}
/* Takes OFFSET and LIMIT off rows. */
TACO__FN bool taco__operator_limit(taco__executor *x, taco__vec *v, size_t *n)
{
    size_t    skip = (size_t)TACO__MIN(x->skip, (uint64_t)*n), i;
    size_t    take = (size_t)TACO__MIN((uint64_t)(*n - skip), x->left);
    uint32_t *idx;
    x->skip -= skip;
    x->left -= x->left == UINT64_MAX ? 0 : take;
    if (take == *n) {
        return true;
    }
    idx = (uint32_t *)taco__arena_array(&x->batch, take, sizeof *idx, taco__operator_err(x));
    for (i = 0; idx && i < take; i++) {
        idx[i] = (uint32_t)(skip + i);
    }
    for (i = 0; idx && i < x->item_count; i++) {
        taco__vec part;
        if (!taco__vec_take(&x->batch, &v[i], idx, take, &part, taco__operator_err(x))) {
            return false;
        }
        v[i] = part;
    }
    *n = take;
    return idx != NULL;
}
TACO__FN bool taco__sort_operator_next(taco__executor *x, taco__vec **v, size_t *n, bool *end)
{
    size_t i, m = TACO__MIN(x->sequence_n - x->sequence_at, TACO__SQL_BATCH_ROWS);
    taco__arena_reset(&x->batch);
    *v = (taco__vec *)taco__arena_array(&x->batch, x->width + 1, sizeof **v, taco__operator_err(x));
    for (i = 0; *v && i < x->item_count; i++) {
        if (!taco__vec_take(&x->batch, &x->kept_vecs[i], x->sequence + x->sequence_at, m, &(*v)[i],
                            taco__operator_err(x))) {
            return false;
        }
    }
    x->sequence_at += m;
    *n = m;
    *end = m == 0;
    return *v != NULL;
}
/* The next batch of the result; false at the end and on failure. */
TACO__FN bool taco__operator_next(taco__executor *x, taco_batch *out)
{
    taco_cursor *c = x->c;
    taco__vec   *v = NULL;
    size_t       i, n = 0;
    bool         end = false;
    if (!x->left || (!x->begun && !taco__operator_begin(x))) {
        return false;
    }
    while (!end && !n) {
        if (!x->left) {
            return false;
        }
        if (!(x->sorted ? taco__sort_operator_next(x, &v, &n, &end)
                        : taco__operator_rows(x, &v, &n, &end)) ||
            (n && !taco__operator_limit(x, v, &n))) {
            return false;
        }
    }
    for (i = 0; n && i < x->item_count; i++) {
        if (v[i].source) {
            c->arrays[i] = *v[i].source;
            c->arrays[i].field = &c->fields[i];
            continue;
        }
        if (!taco__vec_flatten(&x->batch, &v[i], &c->err) ||
            !taco__vec_arrow_store(&x->batch, &v[i], &c->fields[i], &c->arrays[i], &c->err)) {
            return false;
        }
    }
    out->length = n;
    out->columns = c->arrays;
    out->column_count = c->count;
    out->first_row = -1;
    return n != 0;
}
TACO__FN void taco__operator_close(taco__executor *x)
{
    size_t i;
    for (i = 0; i < TACO__SQL_MAX_TABLES; i++) {
        taco_cursor_close(x->scans[i], NULL);
    }
    for (i = 0; i < x->b.aggr_count; i++) {
        taco__buf_free(&x->b.aggrs[i].a.groups);
    }
    taco__arena_free(&x->batch);
    taco__arena_free(&x->hold[0]);
    taco__arena_free(&x->hold[1]);
}
