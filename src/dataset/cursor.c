/* ==== ROOM cursor: rows of a query, batch by batch or one at a time. Uses: view join pq:scan pq:text ==== */

#define TACO__ROW_ID     "\1row" /* no column of a file: store << 32 | row of the level */
#define TACO__CURRENT_ID "internal:current_id"

typedef enum taco__cursor_column_kind {
    TACO__CURSOR_COLUMN_STORED = 0,
    TACO__CURSOR_COLUMN_VSI,
    TACO__CURSOR_COLUMN_SOURCE_PATH,
    TACO__CURSOR_COLUMN_SOURCE_FILE, /* a column where the table has it, else the name of the dataset's file */
    TACO__CURSOR_COLUMN_CURRENT_ID, /* a column where the table has it, else the row's number in its archive */
    TACO__CURSOR_COLUMN_ROW_ID
} taco__cursor_column_kind;

typedef struct taco__cursor_column { /* a column that comes out */
    taco__cursor_column_kind kind;
    uint32_t                 level; /* COLUMN: the level it is of */
    const char              *name;  /* there */
} taco__cursor_column;

TACO__FN bool taco__cursor_column_is_stored(
    const taco__cursor_column *o) /* a column of the table, where that has it */
{
    return o->kind == TACO__CURSOR_COLUMN_STORED || o->kind == TACO__CURSOR_COLUMN_SOURCE_FILE ||
           o->kind == TACO__CURSOR_COLUMN_CURRENT_ID;
}
/* Paths of a piece of the rows that a task of the scan read, made by a task too. */
typedef struct taco__sample_path_task {
    taco__mem                own;
    taco__sample_path_maker  vsi;
    taco_array              *in, out;
    const taco__scan_reader *lane;
    size_t                   from, n; /* its rows */
    uint64_t                 wave;    /* of the scan */
    bool                     ok;
} taco__sample_path_task;

#define TACO__SAMPLE_PATH_TASK_ROWS                                                                \
    ((size_t)8192) /* rows: their paths stay in the cache until they go out */

/* Rows of one store (or of one __meta__ table) on their way out. */
typedef struct taco__table_reader {
    const taco__table *table;
    taco__container   *store; /* NULL for children */
    taco__scan         scan;
    taco__cascade      picks;
    taco__expr        *where;                  /* what is left to test while rows come out */
    taco__row_reader   rows[TACO__MAX_LEVELS]; /* ancestors, flat views only */
    size_t *place; /* of an output column in the arrays of its level; TACO__NONE = null there */
    taco__sample_path_maker vsi;
    taco__sample_path_task *pieces; /* as many as the scan has lanes */
    size_t                  piece_count;
    taco__mem              *mem; /* of the pieces */
    taco_bytes              source_path;
    taco_bytes              source_file;
    int32_t                *current; /* OUT_CURRENT_ID of a catalogue; NULL: the row's number */
    taco__expr **tested;  /* of a dry cursor: conditions by level, where several levels are asked */
    uint32_t     deepest; /* of them */
    bool         open, has_cascade;
    uint32_t    *numbers; /* sorted results: all row numbers that were found */
    size_t       row_number_count;
} taco__table_reader;

typedef struct taco__cursor_sorted_row { /* a row of a sorted result */
    uint32_t feed, at;
} taco__cursor_sorted_row;

struct taco_cursor {
    taco_dataset        *ds;
    taco__mem           *mem;
    taco__arena          arena;
    taco_error           err;
    taco_field          *fields;
    taco__cursor_column *outs;
    size_t               count;
    size_t               hidden; /* fields behind those: to be asked for by name, not by '*' */
    bool                 shows_hidden;
    bool                 dry; /* opened to be looked at: nothing is tested or sorted */
    size_t row_id; /* of SQL: the hidden column that tells whose row it is, or TACO__NONE */
    taco__table_reader *readers;
    size_t              reader_count, feed;
    uint32_t            level; /* of the rows */
    bool                flat, padding, children;
    uint64_t            skip, left;
    taco_array         *arrays; /* of the batch */
    taco__buf           text_bits, null_bits;
    taco__buf           source_offsets, file_bits, file_offsets, current_bits, row_bits;
    taco__arena         unified; /* columns of the batch that were made another type */
    uint8_t **masks; /* rows that may come out, by store and level; borrowed while it is opened */
    const uint32_t *now; /* rows of the batch, counted from now_base; NULL: see `order` */
    uint64_t        now_base;
    size_t          now_order;
    taco_array     *nulls;
    /* sorted results */
    bool                     sorted;
    taco__cursor_sorted_row *order;
    size_t                   order_count, order_at;
    taco__row_reader       **kept; /* per feed and level: readers of the rows that come out */
    size_t                ***output_places; /* where their columns stand in the feed's arrays */
    taco__buf held; /* taco__cached_range: what was read for the keys or for rows before */
    /* the row cursor */
    taco_batch batch;
    size_t     row;
    bool       begun, rowwise;
    /* of the batch made last, where it came from one table in its order: the scan's row numbers, which it lends */
    const uint32_t *found;
    uint64_t        found_base;
    size_t          found_count;
    taco__buf       positions;
    taco__buf      *texts; /* of the current row, one per column; NULL until asked for */
    taco__buf       json;
    /* of children: for taco_cursor_children */
    const char      *folder; /* path of keys */
    taco__container *parent;
    taco_pq_file     child_pq;
    taco__table      child_table;
    taco__file       child_file;
    taco__file      *child_held; /* holds child_range for them */
    taco__range      child_range;
    bool             child_open, child_file_open;
    bool             owns_dataset; /* exported with it */
    /* of taco_sql: what makes its batches, and what ends it */
    void *plan;
    bool (*next)(taco_cursor *c, taco_batch *out);
    void (*end)(taco_cursor *c);
    bool alone; /* conditions ask nothing of ancestors: rows without a parent stay */
};

/* ---- which columns come out ----------------------------------------------------------------------- */

TACO__FN bool taco__cursor_column_add(taco_cursor *c, taco__cursor_column_kind kind, uint32_t level,
                                      const char *name, const char *label, const taco_field *f)
{
    taco__cursor_column *o = &c->outs[c->count];
    o->kind = kind;
    o->level = level;
    o->name = name;
    c->fields[c->count] = *f;
    c->fields[c->count].name = label;
    c->fields[c->count].nullable = true;
    c->count++;
    return true;
}
TACO__FN bool taco__cursor_column_reserve(taco_cursor *c, size_t n)
{
    c->fields = (taco_field *)taco__arena_array(&c->arena, n, sizeof *c->fields, &c->err);
    c->outs = (taco__cursor_column *)taco__arena_array(&c->arena, n, sizeof *c->outs, &c->err);
    return c->fields && c->outs;
}
TACO__FN void taco__cursor_column_init_text(taco_field *f)
{
    memset(f, 0, sizeof *f);
    f->type = TACO_TEXT;
    f->nullable = true;
}
/* "lN:name" */
TACO__FN const char *taco__cursor_column_label(taco_cursor *c, uint32_t level, const char *name)
{
    size_t n = strlen(name);
    char  *p = (char *)taco__arena_alloc(&c->arena, n + 4, &c->err);
    if (p) {
        p[0] = 'l';
        p[1] = (char)('0' + (int)level);
        p[2] = ':';
        memcpy(p + 3, name, n);
    }
    return p;
}
/* Every column that a query on this level can show. */
TACO__FN bool taco__cursor_column_add_all(taco_cursor *c, uint32_t level)
{
    taco_dataset *ds = c->ds;
    taco_field    text, whole;
    size_t        i, n = 5;
    uint32_t      l, lowest = c->flat ? 0 : level;
    bool          file = false, current = false;
    for (l = lowest; l <= level; l++) {
        if (!taco__schema_union_level_fields(ds, l, &c->err)) {
            return false;
        }
        n += ds->field_count[l];
    }
    if (!taco__cursor_column_reserve(c, n)) {
        return false;
    }
    for (l = level + 1; l-- > lowest;) {
        for (i = 0; i < ds->field_count[l]; i++) {
            const taco_field *f = &ds->fields[l][i];
            const char       *label = c->flat ? taco__cursor_column_label(c, l, f->name) : f->name;
            if (!label) {
                return false;
            }
            if (!c->flat || !taco__bytes_starts_with(taco__bytes_text(f->name), "internal:")) {
                bool                     is_file = strcmp(f->name, TACO__SOURCE_FILE) == 0;
                bool                     is_id = strcmp(f->name, TACO__CURRENT_ID) == 0;
                taco__cursor_column_kind kind = is_file ? TACO__CURSOR_COLUMN_SOURCE_FILE
                                                : is_id ? TACO__CURSOR_COLUMN_CURRENT_ID
                                                        : TACO__CURSOR_COLUMN_STORED;
                file = file || is_file;
                current = current || is_id;
                taco__cursor_column_add(c, kind, l, f->name, label, f);
            }
        }
    }
    taco__cursor_column_init_text(&text);
    if (ds->container_count > 1) {
        const char *label =
            c->flat ? taco__cursor_column_label(c, level, TACO__SOURCE_PATH) : TACO__SOURCE_PATH;
        if (!label) {
            return false;
        }
        taco__cursor_column_add(c, TACO__CURSOR_COLUMN_SOURCE_PATH, level, TACO__SOURCE_PATH, label,
                                &text);
        if (!file && !c->flat) {
            taco__cursor_column_add(c, TACO__CURSOR_COLUMN_SOURCE_FILE, level, TACO__SOURCE_FILE,
                                    TACO__SOURCE_FILE, &text);
        }
    }
    taco__cursor_column_add(c, TACO__CURSOR_COLUMN_VSI, level, TACO__GDAL_VSI, TACO__GDAL_VSI,
                            &text);
    if (c->shows_hidden) {
        n = c->count;
        memset(&whole, 0, sizeof whole);
        whole.type = TACO_INT64;
        if (!c->flat && !current) {
            taco__cursor_column_add(c, TACO__CURSOR_COLUMN_CURRENT_ID, level, TACO__CURRENT_ID,
                                    TACO__CURRENT_ID, &whole);
        }
        taco__cursor_column_add(c, TACO__CURSOR_COLUMN_ROW_ID, level, TACO__ROW_ID, TACO__ROW_ID,
                                &whole);
        c->hidden = c->count - n;
        c->count = n;
    }
    return true;
}
/* Takes the next name of a list "a, \"b c\" desc" apart; *rest is what follows it up to the comma. False at the end, and
   with err where a name is missing. */
TACO__FN bool taco__cursor_column_parse_name(taco__arena *arena, const char **at, const char **name,
                                             taco_bytes *rest, taco_error *err)
{
    const char *p = *at + strspn(*at, " "), *begin;
    bool        quoted = *p == '"', closed = false;
    char       *to;
    if (!*p) {
        return false;
    }
    to = (char *)taco__arena_alloc(arena, strlen(p) + 1, err);
    if (!to) {
        return false;
    }
    *name = to;
    p += quoted;
    while (*p && !(closed = quoted ? *p == '"' && p[1] != '"' : *p == ',' || *p == ' ')) {
        p += quoted && *p == '"';
        *to++ = *p++;
    }
    *to = 0;
    p += quoted && closed;
    p += strspn(p, " ");
    begin = p;
    p += strcspn(p, ",");
    *at = *p ? p + 1 + strspn(p + 1, " ") : p;
    if (quoted ? !closed : !**name) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET,
                   quoted ? "a quote is not closed" : "expected a column, found a comma");
        return false;
    }
    if (*p && !**at) {
        TACO__FAIL(err, TACO_ERR_SYNTAX, TACO_NO_OFFSET, "expected a column after the last comma");
        return false;
    }
    while (p > begin && p[-1] == ' ') {
        p--;
    }
    *rest = taco__bytes_of(begin, (size_t)(p - begin));
    return true;
}
/* The place of a field of that name, TACO__NONE where there is none. */
TACO__FN size_t taco__cursor_column_find_field(const taco_field *fields, size_t n, const char *name)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (strcmp(fields[i].name, name) == 0) {
            return i;
        }
    }
    return TACO__NONE;
}
TACO__FN size_t taco__cursor_column_find(const taco_cursor *c, const char *name)
{
    return taco__cursor_column_find_field(c->fields, c->count, name);
}
/* Keeps the columns of a list, in its order. */
TACO__FN bool taco__cursor_column_select(taco_cursor *c, const char *list)
{
    taco_field          *fields = c->fields;
    taco__cursor_column *outs = c->outs;
    size_t               n = 0, all = c->count + c->hidden, max = 1;
    const char          *p, *name;
    taco_bytes           rest;
    for (p = list; *p; p++) {
        max += *p == ',';
    }
    if (!taco__cursor_column_reserve(c, max)) {
        return false;
    }
    for (p = list; taco__cursor_column_parse_name(&c->arena, &p, &name, &rest, &c->err);) {
        size_t i;
        for (i = 0; i < all && strcmp(fields[i].name, name) != 0; i++) {
        }
        if (i == all) {
            taco__field_names_no_column(fields, c->count, taco__bytes_text(name), &c->err);
        } else if (rest.len) {
            TACO__FAIL(&c->err, TACO_ERR_SYNTAX, (size_t)((const char *)rest.data - list),
                       "expected a comma, found %q", &rest);
        }
        if (c->err.code != TACO_OK) {
            break;
        }
        c->fields[n] = fields[i];
        c->outs[n++] = outs[i];
    }
    c->count = n;
    c->hidden = 0;
    if (n == 0 && c->err.code == TACO_OK) {
        TACO__FAIL(&c->err, TACO_ERR_SYNTAX, 0, "expected a column, found the end");
    }
    if (c->err.code != TACO_OK) {
        taco__error_prefix(&c->err, "select");
        return false;
    }
    return true;
}

/* ---- readers ---------------------------------------------------------------------------------------- */

/* Place of a table column in the list, added when it is not there: a column has one reader. */
TACO__FN size_t taco__table_reader_add_column(size_t *which, size_t *n, size_t column)
{
    size_t i;
    for (i = 0; i < *n && which[i] != column; i++) {
    }
    if (i == *n) {
        which[(*n)++] = column;
    }
    return i;
}
/* What picked rows need of the columns that go out. */
TACO__FN bool taco__table_reader_need_columns(const taco__row_reader *r, const uint8_t *picked,
                                              taco__buf *ranges, taco_error *err)
{
    const taco__table *t = r->table;
    taco__wanted_rows  w;
    taco__scan_span    span;
    uint32_t           g;
    memset(&w, 0, sizeof w);
    w.spans = &span;
    w.span_count = 1;
    w.select = picked;
    for (g = 0; g < taco__table_group_count(t); g++) {
        span.first = taco__table_group_first_row(t, g);
        span.n = taco__table_group_rows(t, g);
        span.whole = !picked;
        if ((!picked || taco__bitmap_count(picked, (size_t)span.first, (size_t)span.n)) &&
            !taco__scan_fetch_add_chunks(t->pq, r->which, r->count, t->stored, g, &w, ranges,
                                         err)) {
            return false;
        }
    }
    return true;
}
/* A flat view from a vectored source: ancestors would be read row group by row group, and come in one round instead. */
TACO__FN bool taco__table_reader_read_ahead(taco__table_reader *f, uint32_t level, taco_error *err)
{
    taco__buf   ranges;
    taco__file *file = f->table->pq ? f->table->pq->part.file : NULL;
    uint32_t    l;
    bool        ok = true;
    if (!f->has_cascade || !file || !file->src.read_many) {
        return true;
    }
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = f->store->mem;
    for (l = 0; ok && l <= level; l++) {
        const taco__row_reader *r = l == level ? &f->scan.out : &f->rows[l];
        ok = !r->table->pq || r->table->pq->part.file != file ||
             taco__table_reader_need_columns(r, f->picks.bits[l], &ranges, err);
    }
    ok = ok && taco__cascade_cache_ranges(&f->picks, file, &ranges, err);
    taco__buf_free(&ranges);
    return ok;
}
/* Makes the numbers that stand for internal:current_id where they are not the rows'. */
TACO__FN bool taco__table_reader_make_current_ids(taco_cursor *c, taco__table_reader *f,
                                                  taco_error *err)
{
    taco__level *l = &f->store->levels[c->level];
    if (f->current || f->store->kind != TACO_KIND_TACOCAT || l->role.source == TACO__NONE) {
        return true;
    }
    f->current =
        (int32_t *)taco__arena_array(&c->arena, (size_t)l->table.rows + 1, sizeof *f->current, err);
    return f->current && taco__join_number_rows(f->store, l, f->current, err);
}
/* Opens the scan of a feed over the columns of its own level, and readers for those of ancestors. */
TACO__FN bool taco__table_reader_open(taco_cursor *c, taco__table_reader *f,
                                      const taco__column_roles  *roles,
                                      const taco__cursor_column *outs, size_t count,
                                      taco_error *err)
{
    size_t  *which, n = 0, i;
    uint32_t l;
    bool     vsi = false;
    size_t   inputs[3];
    which = (size_t *)taco__arena_array(&c->arena, count + 4, sizeof *which, err);
    f->place = (size_t *)taco__arena_array(&c->arena, count + 1, sizeof *f->place, err);
    if (!which || !f->place) {
        return false;
    }
    for (i = 0; i < count; i++) {
        f->place[i] = TACO__NONE;
        vsi = vsi || outs[i].kind == TACO__CURSOR_COLUMN_VSI;
        if (taco__cursor_column_is_stored(&outs[i]) && outs[i].level == c->level) {
            size_t at = taco__table_find_column(f->table, outs[i].name);
            if (at < f->table->stored + f->table->constant_count) {
                f->place[i] = taco__table_reader_add_column(which, &n, at);
            } else if (outs[i].kind == TACO__CURSOR_COLUMN_CURRENT_ID && f->store &&
                       !taco__table_reader_make_current_ids(c, f, err)) {
                return false;
            }
        }
    }
    if (vsi && !c->children) {
        size_t places[3] = {0, 0, 0}, j,
               k = taco__sample_path_maker_init(&f->vsi, f->store, f->table, roles, c->level,
                                                inputs, err);
        if (err->code != TACO_OK) {
            return taco__container_fail(f->store, f->store->levels[c->level].name, err);
        }
        for (j = 0; j < k; j++) {
            places[j] = taco__table_reader_add_column(which, &n, inputs[j]);
        }
        if (k) {
            f->vsi.a = places[f->vsi.a];
            f->vsi.b = places[TACO__MIN(f->vsi.b, (size_t)2)];
            f->vsi.name = places[TACO__MIN(f->vsi.name, (size_t)2)];
        }
    } else if (
        vsi) { /* the plan was made where the children were found; a, b and name are table columns */
        f->vsi.a = taco__table_reader_add_column(which, &n, f->vsi.a);
        f->vsi.b = f->vsi.name = taco__table_reader_add_column(which, &n, f->vsi.b);
    }
    if (!taco__scan_open(&f->scan, f->table, f->where,
                         f->has_cascade ? f->picks.bits[c->level] : NULL, which, n,
                         TACO__BATCH_ROWS, c->mem, err)) {
        return false;
    }
    f->open = true;
    for (l = 0; c->flat && l < c->level; l++) {
        for (i = n = 0; i < count; i++) {
            if (taco__cursor_column_is_stored(&outs[i]) && outs[i].level == l) {
                size_t at = taco__table_find_column(&f->store->levels[l].table, outs[i].name);
                if (at <
                    f->store->levels[l].table.stored + f->store->levels[l].table.constant_count) {
                    f->place[i] = n;
                    which[n++] = at;
                }
            }
        }
        if (!taco__row_reader_open(&f->rows[l], &f->store->levels[l].table, which, n, c->mem,
                                   err)) {
            return false;
        }
    }
    return !c->flat || c->left != UINT64_MAX || taco__table_reader_read_ahead(f, c->level, err);
}
TACO__FN void taco__table_reader_close(taco__table_reader *f)
{
    uint32_t l;
    size_t   i;
    for (i = 0; i < f->piece_count; i++) {
        taco__sample_path_maker_free(&f->pieces[i].vsi);
        taco__mem_task_merge(f->mem, &f->pieces[i].own);
        taco__mem_task_return_spares(f->mem, &f->pieces[i].own);
    }
    f->piece_count = 0;
    if (f->open) {
        taco__scan_close(&f->scan);
        f->open = false;
    }
    for (l = 0; l < TACO__MAX_LEVELS; l++) {
        taco__row_reader_close(&f->rows[l]);
    }
    if (f->has_cascade) {
        taco__cascade_free(f->store, &f->picks);
        f->has_cascade = false;
    }
    taco__sample_path_maker_free(&f->vsi);
}
/* What the filters of a query leave of one store. */
TACO__FN bool taco__table_reader_filter(taco_cursor *c, taco__table_reader *f,
                                        const taco_filter *filters, size_t n, taco_error *err)
{
    taco__container *s = f->store;
    taco__expr      *where[TACO__MAX_LEVELS] = {NULL};
    uint8_t **masks = c->masks ? c->masks + (size_t)(f - c->readers) * TACO__MAX_LEVELS : NULL;
    uint32_t  l, deepest = 0;
    bool      any = false, masked = false;
    size_t    i;
    for (i = 0; i < n; i++) {
        taco__level *level = taco__container_level(s, filters[i].level, err);
        if (!level || (c->ds->container_count > 1 &&
                       !taco__schema_union_level_fields(c->ds, filters[i].level, err))) {
            return false;
        }
        if (!filters[i].where && !filters[i].bbox && !filters[i].time) {
            continue;
        }
        if (!taco__query_add_filter(f->store, &c->arena, &level->table, &filters[i],
                                    &c->ds->options.limits, &where[filters[i].level], err)) {
            return taco__container_fail(s, NULL, err);
        }
        deepest = TACO__MAX(deepest, filters[i].level);
        any = true;
    }
    for (l = 0; masks && l < TACO__MAX_LEVELS; l++) {
        masked = masked || masks[l];
        deepest = masks[l] ? TACO__MAX(deepest, l) : deepest;
    }
    any = any || masked;
    for (l = 0; l <= TACO__MAX(deepest, c->level); l++) {
        taco__level *level = taco__container_level(s, l, err);
        if (!level) {
            return false;
        }
        if (!c->padding && (any || c->flat || l == c->level) &&
            !taco__query_hide_padding(level, &c->arena, &where[l], err)) {
            return false;
        }
        if (where[l] && !taco__pred_bind(where[l], level->table.fields, level->table.field_count,
                                         &c->arena, err)) {
            taco__error_prefix(err, "where");
            return taco__container_fail(s, NULL, err);
        }
    }
    if ((any && (masked || (!c->alone && (deepest > 0 || c->level > 0)))) ||
        (c->flat && c->level > 0)) {
        deepest = TACO__MAX(deepest, c->flat ? c->level : 0);
        f->deepest = deepest;
        f->tested = (taco__expr **)taco__arena_array(&c->arena, TACO__MAX_LEVELS,
                                                     sizeof(taco__expr *), err);
        if (!f->tested) {
            return false;
        }
        memcpy(f->tested, where, sizeof where);
        f->has_cascade = !c->dry;
        if (!c->dry && !taco__cascade_run(s, &f->picks, where, masks, deepest, c->level, err)) {
            return false;
        }
        f->where = c->level > deepest ? where[c->level] : NULL;
    } else {
        f->where = where[c->level];
    }
    if (c->flat) {
        taco__expr *file = s->levels[c->level].role.type == TACO__NONE
                               ? NULL
                               : taco__expr_equals(&c->arena, s->levels[c->level].role.type,
                                                   taco__bytes_text("FILE"), err);
        if (!file ||
            !taco__pred_bind(file, f->table->fields, f->table->field_count, &c->arena, err)) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no type column of text");
            return taco__container_fail(s, s->levels[c->level].name, err);
        }
        f->where = f->where ? taco__expr_and(&c->arena, f->where, file, err) : file;
        if (f->where) {
            f->where->bound = true;
        }
    }
    return err->code == TACO_OK;
}

/* Puts dataset, and level or folder, in front of a message of a cursor. */
TACO__FN bool taco__cursor_fail(taco_cursor *c, const taco__table_reader *f, bool level)
{
    if (c->children) {
        taco_bytes path = taco__bytes_text(c->folder);
        taco__error_prefix(&c->err, "%s: %q", c->parent->name, &path);
        return false;
    }
    return taco__container_fail(f->store, level ? f->store->levels[c->level].name : NULL, &c->err);
}

/* ---- batches -------------------------------------------------------------------------------------- */

TACO__FN bool taco__compose_null_column(taco_cursor *c, size_t i, size_t n)
{
    taco_array *a = &c->arrays[i];
    if (c->fields[i].child_count) { /* whoever descends finds the children */
        return taco__unify_null_array(&c->fields[i], n, a, &c->unified, &c->err);
    }
    memset(a, 0, sizeof *a);
    a->field = &c->fields[i];
    a->length = a->null_count = n;
    a->validity = c->null_bits.data; /* zeroed */
    return true;
}
/* The same text in every row; places and bytes hold it. */
TACO__FN bool taco__compose_constant_column(taco_cursor *c, size_t i, taco_bytes text, size_t n,
                                            taco__buf *places, taco__buf *held)
{
    int32_t *offsets;
    size_t   k, bytes;
    if (!taco__checked_mul_size(n, text.len, &bytes) || bytes > INT32_MAX ||
        !taco__buf_reset(places, (n + 1) * sizeof(int32_t), &c->err) ||
        !taco__buf_reset(held, bytes, &c->err)) {
        return false;
    }
    offsets = (int32_t *)(void *)places->data;
    for (k = 0; k < n; k++) {
        offsets[k] = (int32_t)(k * text.len);
        memcpy(held->data + k * text.len, text.data, text.len);
    }
    offsets[n] = (int32_t)bytes;
    memset(&c->arrays[i], 0, sizeof c->arrays[i]);
    c->arrays[i].field = &c->fields[i];
    c->arrays[i].length = n;
    c->arrays[i].offsets = offsets;
    c->arrays[i].v.any = held->data;
    return true;
}
/* Row i of the batch in its level, and the store it is of. */
TACO__FN uint64_t taco__compose_row_number(const taco_cursor *c, size_t i, size_t *feed)
{
    if (c->now) {
        *feed = c->feed;
        return c->now_base + c->now[i];
    }
    *feed = c->order[c->now_order + i].feed;
    return c->readers[*feed].numbers[c->order[c->now_order + i].at];
}
/* The same behind the batch, for SQL too, as long as its rows are rows of the dataset. */
TACO__FN bool taco__compose_sample_row(const taco_cursor *c, size_t i, size_t *store, uint64_t *row)
{
    if (c->children || (c->next && c->row_id == TACO__NONE)) {
        return false;
    }
    if (c->next) {
        uint64_t x = (uint64_t)taco_array_int(&c->arrays[c->row_id], i);
        *store = (size_t)(x >> 32);
        *row = x & UINT32_MAX;
    } else {
        *row = taco__compose_row_number(c, i, store);
    }
    return true;
}
/* Numbers made of the rows: where they are, or what stands for internal:current_id. */
TACO__FN bool taco__compose_number_column(taco_cursor *c, taco__table_reader *f, size_t i, size_t n)
{
    bool       id = c->outs[i].kind == TACO__CURSOR_COLUMN_CURRENT_ID;
    taco__buf *held = id ? &c->current_bits : &c->row_bits;
    int64_t   *out;
    size_t     k, feed;
    if (!f->store || (id && c->fields[i].type != TACO_INT64)) {
        return taco__compose_null_column(c, i, n);
    }
    if (!taco__buf_reset(held, (n + 1) * sizeof *out, &c->err)) {
        return false;
    }
    out = (int64_t *)(void *)held->data;
    for (k = 0; k < n; k++) {
        uint64_t row = taco__compose_row_number(c, k, &feed);
        out[k] = !id          ? (int64_t)((uint64_t)feed << 32 | row)
                 : f->current ? f->current[row]
                              : (int64_t)row;
    }
    memset(&c->arrays[i], 0, sizeof c->arrays[i]);
    c->arrays[i].field = &c->fields[i];
    c->arrays[i].length = n;
    c->arrays[i].v.any = out;
    return true;
}
/* Whether an output column may come under another type than it is stored. */
TACO__FN bool taco__compose_is_mixed(const taco_cursor *c, size_t i)
{
    return c->ds->container_count > 1 && !c->children &&
           taco__cursor_column_is_stored(&c->outs[i]) &&
           taco__schema_union_is_mixed(c->ds, c->outs[i].level, c->outs[i].name);
}
TACO__FN void taco__sample_path_task_run(void *arg, size_t i)
{
    taco__sample_path_task *p = &((taco__table_reader *)arg)->pieces[i];
    taco_error              err;
    memset(&err, 0, sizeof err);
    p->ok = taco__sample_path_make_column(&p->vsi, &p->own, p->in, p->n, NULL, &p->out, &err);
}
/* Says which rows a piece is of: up to n of a lane, from at on. */
TACO__FN void taco__sample_path_task_set_rows(const taco__table_reader *f,
                                              taco__sample_path_task *p, const taco__scan_reader *l,
                                              size_t at, size_t n)
{
    const size_t use[3] = {p->vsi.a, p->vsi.b, p->vsi.name};
    size_t       k;
    p->lane = l;
    p->from = at;
    p->n = TACO__MIN(n, l->n - at);
    p->wave = f->scan.task_batches;
    for (k = 0; k < 3; k++) {
        if (use[k] < f->scan.out.count) {
            p->in[use[k]] = taco__array_buf_slice(NULL, &l->rows.arrays[use[k]], at, p->n);
        }
    }
}
/* Paths of a short lane, in the task that has just read its rows; their memory is of the lane's share. */
TACO__FN void taco__sample_path_chunk_done(void *ctx, size_t i)
{
    taco__table_reader     *f = (taco__table_reader *)ctx;
    taco__scan_reader      *l = &f->scan.lanes[i];
    taco__sample_path_task *p = &f->pieces[i];
    if (l->n <= TACO__SAMPLE_PATH_TASK_ROWS) {
        taco__sample_path_task_set_rows(f, p, l, 0, l->n);
        taco__mem_task_begin(&l->own, &p->own, 1);
        taco__sample_path_task_run(f, i);
        taco__mem_task_merge(&l->own, &p->own);
    }
}
/* Has tasks make the paths, where any go out: before the first rows are read. */
TACO__FN void taco__sample_path_tasks_init(taco_cursor *c, taco__table_reader *f)
{
    taco_error e;
    size_t     i, n = taco__scan_task_max_readers(&f->scan);
    memset(&e, 0, sizeof e);
    for (i = 0; i < c->count && c->outs[i].kind != TACO__CURSOR_COLUMN_VSI; i++) {
    }
    if (i == c->count || c->sorted || c->children || c->dry) {
        return;
    }
    f->mem = c->mem;
    f->pieces = (taco__sample_path_task *)taco__arena_array(&c->arena, n, sizeof *f->pieces, &e);
    for (i = 0; f->pieces && i < n; i++) {
        taco__sample_path_task *p = &f->pieces[i];
        p->in =
            (taco_array *)taco__arena_array(&c->arena, f->scan.out.count + 1, sizeof *p->in, &e);
        p->vsi.mode = f->vsi.mode;
        p->vsi.root = f->vsi.root;
        p->vsi.a = f->vsi.a;
        p->vsi.b = f->vsi.b;
        p->vsi.name = f->vsi.name;
    }
    f->piece_count = e.code == TACO_OK ? n : 0;
    for (i = 0; i < f->piece_count; i++) {
        taco__mem_task_begin(c->mem, &f->pieces[i].own, 1);
        taco__mem_task_take_spares(c->mem, &f->pieces[i].own, TACO__SCAN_SPARES + (unsigned)i,
                                   n * 3);
    }
    f->scan.also = f->piece_count ? taco__sample_path_chunk_done : NULL;
    f->scan.reader_done_ctx = f;
}
/* Makes paths of the rows of a long lane from at on: a piece a task, in whole batches. */
TACO__FN void taco__sample_path_tasks_run(taco_cursor *c, taco__table_reader *f,
                                          const taco__scan_reader *l, size_t at)
{
    const taco_options *host = f->scan.parallel;
    size_t              i, n, rows = l->n - at, each = (rows + f->scan.width - 1) / f->scan.width;
    if (rows <= TACO__BATCH_ROWS) {
        return;
    }
    each = TACO__MIN((each + TACO__BATCH_ROWS - 1) / TACO__BATCH_ROWS * TACO__BATCH_ROWS,
                     TACO__SAMPLE_PATH_TASK_ROWS);
    for (n = 0; n < f->scan.width && at < l->n; n++, at += each) {
        taco__sample_path_task_set_rows(f, &f->pieces[n], l, at, each);
        taco__mem_task_begin(c->mem, &f->pieces[n].own, f->scan.width);
    }
    host->parallel_for(host->parallel_ctx, n, taco__sample_path_task_run, f);
    for (i = 0; i < n; i++) {
        taco__mem_task_merge(c->mem, &f->pieces[i].own);
    }
}
/* The paths of the n rows that the scan gave last, where tasks can make them: of columns that tasks have read. */
TACO__FN bool taco__sample_path_take_from_tasks(taco_cursor *c, taco__table_reader *f, size_t n,
                                                taco_array *out)
{
    const taco__scan        *s = &f->scan;
    const taco__scan_reader *l = s->lanes;
    size_t                   i, at = s->found_at - n, turn;
    if (!s->parallel || !l || !s->read_by_tasks || !f->piece_count) {
        return false;
    }
    for (; at >= l->first + l->n; l++) {
    }
    at -= l->first;
    for (turn = 0; at % 8 == 0 && turn < 2; turn++) {
        for (i = 0; i < f->piece_count; i++) {
            const taco__sample_path_task *p = &f->pieces[i];
            if (p->ok && p->wave == s->task_batches && p->lane == l && at >= p->from &&
                at + n <= p->from + p->n) {
                *out = p->out;
                out->offsets += at - p->from;
                out->validity = out->validity ? out->validity + (at - p->from) / 8 : NULL;
                out->null_count = out->validity ? n - taco__bitmap_count(out->validity, 0, n) : 0;
                out->length = n;
                return true;
            }
        }
        if (turn == 0) {
            taco__sample_path_tasks_run(c, f, l, at);
        }
    }
    return false;
}
/* Lays out a batch of n rows from the arrays of each level. */
TACO__FN bool taco__compose_batch(taco_cursor *c, taco__table_reader *f,
                                  const taco_array *const *by_level, size_t n)
{
    size_t i, bits = TACO__BITMAP_BYTES(n) + 8;
    if (!taco__buf_reset(&c->null_bits, bits, &c->err)) {
        return false;
    }
    memset(c->null_bits.data, 0, bits);
    taco__arena_free(&c->unified); /* of the batch before */
    for (i = 0; i < c->count; i++) {
        if (c->outs[i].kind == TACO__CURSOR_COLUMN_VSI) {
            if (taco__sample_path_take_from_tasks(c, f, n, &c->arrays[i])) {
                c->arrays[i].field = &c->fields[i];
            } else if (!taco__sample_path_make_column(&f->vsi, c->mem, by_level[c->level], n,
                                                      &c->fields[i], &c->arrays[i], &c->err)) {
                return taco__cursor_fail(c, f, true);
            }
        } else if (c->outs[i].kind == TACO__CURSOR_COLUMN_SOURCE_PATH) {
            if (!taco__compose_constant_column(c, i, f->source_path, n, &c->source_offsets,
                                               &c->text_bits)) {
                return false;
            }
        } else if (c->outs[i].kind == TACO__CURSOR_COLUMN_SOURCE_FILE &&
                   f->place[i] == TACO__NONE) {
            if (!taco__compose_constant_column(c, i, f->source_file, n, &c->file_offsets,
                                               &c->file_bits)) {
                return false;
            }
        } else if (c->outs[i].kind == TACO__CURSOR_COLUMN_ROW_ID ||
                   (c->outs[i].kind == TACO__CURSOR_COLUMN_CURRENT_ID &&
                    f->place[i] == TACO__NONE)) {
            if (!taco__compose_number_column(c, f, i, n)) {
                return false;
            }
        } else if (f->place[i] == TACO__NONE) {
            if (!taco__compose_null_column(c, i, n)) {
                return false;
            }
        } else {
            c->arrays[i] = by_level[c->outs[i].level][f->place[i]];
            if (taco__compose_is_mixed(c, i) &&
                !taco__unify_cast_array(&c->unified, &c->fields[i],
                                        &by_level[c->outs[i].level][f->place[i]], &c->arrays[i],
                                        &c->err)) {
                return taco__cursor_fail(c, f, true);
            }
            c->arrays[i].field = &c->fields[i];
        }
    }
    return true;
}
/* Reads rows of an ancestor level, in any order, repeated ones too. */
TACO__FN bool taco__compose_read_level(taco_cursor *c, taco__row_reader *r, const uint32_t *rows,
                                       size_t n)
{
    size_t   i;
    uint32_t sorted = 1;
    for (i = 1; i < n; i++) {
        sorted &= rows[i - 1] <= rows[i];
    }
    if (sorted) {
        return taco__row_reader_read(r, 0, rows, n, &c->err);
    } else { /* parents that do not ascend: the whole span, then a selection */
        uint32_t low = rows[0], high = rows[0];
        int32_t *idx;
        bool     ok;
        for (i = 1; i < n; i++) {
            low = TACO__MIN(low, rows[i]);
            high = TACO__MAX(high, rows[i]);
        }
        if (!taco__row_reader_read_range(r, low, (size_t)(high - low) + 1, &c->err)) {
            return false;
        }
        idx = (int32_t *)taco__mem_alloc(c->mem, n * sizeof *idx, &c->err);
        for (i = 0; idx && i < n; i++) {
            idx[i] = (int32_t)(rows[i] - low);
        }
        ok = idx && taco__row_reader_take(r, idx, n, false, &c->err);
        taco__mem_free(c->mem, idx, n * sizeof *idx);
        return ok;
    }
}
/* Ancestors of the rows base + found[0..n) of the feed's level. */
TACO__FN bool taco__compose_read_ancestors(taco_cursor *c, taco__table_reader *f,
                                           const uint32_t *found, uint64_t base, size_t n,
                                           const taco_array **by_level)
{
    size_t    i, bytes = n * sizeof(uint32_t);
    uint32_t *up = (uint32_t *)taco__mem_alloc(c->mem, bytes, &c->err);
    uint32_t  l;
    bool      ok = up != NULL;
    for (i = 0; ok && i < n; i++) {
        up[i] = (uint32_t)(base + found[i]);
    }
    for (l = c->level; ok && l-- > 0;) {
        const int32_t *parents = f->store->levels[l + 1].parents;
        for (i = 0; i < n;
             i++) { /* picked rows have parents: taco__cascade_to_children saw to it */
            up[i] = (uint32_t)parents[up[i]];
        }
        ok = taco__compose_read_level(c, &f->rows[l], up, n);
        by_level[l] = f->rows[l].arrays;
    }
    taco__mem_free(c->mem, up, bytes);
    return ok || taco__cursor_fail(c, f, false);
}
TACO__FN bool taco__compose_next(taco_cursor *c, taco_batch *out)
{
    while (c->feed < c->reader_count && c->left) {
        taco__table_reader *f = &c->readers[c->feed];
        const taco_array   *by_level[TACO__MAX_LEVELS] = {NULL};
        const uint32_t     *found;
        uint64_t            base;
        size_t              n;
        bool read = c->skip == 0; /* of rows in front of the first one only the numbers are made */
        uint64_t want = read ? c->left : c->skip;
        if (f->scan.parallel && !f->scan.task_batches && !f->piece_count) {
            taco__sample_path_tasks_init(c, f);
        }
        n = taco__scan_next(&f->scan, (size_t)TACO__MIN(want, (uint64_t)SIZE_MAX), read, &found,
                            &base, &c->err);
        if (c->err.code != TACO_OK) {
            return taco__cursor_fail(c, f, false);
        }
        if (n == 0) {
            c->feed++;
            continue;
        }
        if (!read) {
            c->skip -= n;
            continue;
        }
        by_level[c->level] = f->scan.out.arrays;
        c->now = found;
        c->now_base = base;
        if ((c->flat && !taco__compose_read_ancestors(c, f, found, base, n, by_level)) ||
            !taco__compose_batch(c, f, by_level, n)) {
            return false;
        }
        c->left -= n;
        out->length = n;
        out->columns = c->arrays;
        out->column_count = c->count;
        out->first_row = found[n - 1] - found[0] == n - 1 ? (int64_t)(base + found[0]) : -1;
        c->found = c->children ? NULL : found;
        c->found_base = base;
        c->found_count = n;
        return true;
    }
    return false;
}

/* ---- sorted results ------------------------------------------------------------------------------- */

TACO__FN void taco__cursor_sorted_release_cached(taco_cursor *c)
{
    const taco__cached_range *h = (const taco__cached_range *)(const void *)c->held.data;
    size_t                    i;
    for (i = 0; i < c->held.len / sizeof *h; i++) {
        taco__file_release(h[i].file, h[i].range.offset, h[i].range.len);
    }
    c->held.len = 0;
}
/* Reads what the columns of r need for ascending rows in one round, and keeps it: a column that is sorted by and also
   comes out, or rows of one page that come out far apart, are read once. Too much of it is not kept but read as it
   comes. */
TACO__FN bool taco__cursor_sorted_cache_rows(taco_cursor *c, const taco__row_reader *r,
                                             const uint32_t *rows, size_t n)
{
    taco_pq_file             *pq = r->table->pq;
    taco__buf                 ranges;
    taco__wanted_rows         w;
    const taco__cached_range *h = (const taco__cached_range *)(const void *)c->held.data;
    uint64_t                  total = 0;
    size_t                    i, k;
    bool                      ok = true;
    if (!pq || !r->count) {
        return true;
    }
    memset(&ranges, 0, sizeof ranges);
    memset(&w, 0, sizeof w);
    ranges.mem = c->mem;
    for (i = 0; ok && i < n; i = k) {
        uint32_t g = taco__footer_find_row_group(&pq->meta, rows[i]);
        uint64_t end =
            taco__table_group_first_row(r->table, g) + taco__table_group_rows(r->table, g);
        for (k = i; k < n && rows[k] < end; k++) {
        }
        w.rows = rows + i;
        w.row_count = k - i;
        ok = taco__scan_fetch_add_chunks(pq, r->which, r->count, r->table->stored, g, &w, &ranges,
                                         &c->err);
    }
    for (i = 0; i < c->held.len / sizeof *h; i++) {
        total += h[i].range.len;
    }
    if (total > TACO__SCAN_AHEAD) {
        taco__cursor_sorted_release_cached(c);
    }
    if (ok && taco__scan_fetch_range_bytes(&ranges) <= TACO__SCAN_AHEAD) {
        const taco__range *x = (const taco__range *)(const void *)ranges.data;
        taco__cached_range one;
        n = ranges.len / sizeof *x;
        one.file = pq->part.file;
        ok = taco__buf_reserve(&c->held, n * sizeof one, &c->err) &&
             taco__file_fetch(one.file, x, n, &c->err);
        for (i = 0; ok && i < n; i++) {
            one.range = x[i];
            ok = taco__buf_append(&c->held, &one, sizeof one, &c->err);
        }
    }
    taco__buf_free(&ranges);
    return ok;
}
/* The numbers of all rows that a feed finds. */
TACO__FN bool taco__cursor_sorted_collect_rows(taco_cursor *c, taco__table_reader *f)
{
    taco__buf       list;
    const uint32_t *found;
    uint64_t        base;
    size_t          i, n;
    memset(&list, 0, sizeof list);
    list.mem = c->mem;
    f->scan.keep = true;
    while ((n = taco__scan_next(&f->scan, TACO__SCAN_SLICE, false, &found, &base, &c->err)) != 0) {
        uint32_t *to;
        if (!taco__buf_reserve(&list, n * sizeof *to, &c->err)) {
            break;
        }
        to = (uint32_t *)(void *)(list.data + list.len);
        for (i = 0; i < n; i++) {
            to[i] = (uint32_t)(base + found[i]);
        }
        list.len += n * sizeof *to;
    }
    f->row_number_count = list.len / sizeof(uint32_t);
    f->numbers = (uint32_t *)taco__arena_array(&c->arena, f->row_number_count + 1, sizeof(uint32_t),
                                               &c->err);
    if (f->numbers && list.len) {
        memcpy(f->numbers, list.data, list.len);
    }
    taco__buf_free(&list);
    return c->err.code == TACO_OK;
}
/* Reads columns of the rows numbers[0..n) of a feed, one array per output column, in `rows` (one reader per level). */
TACO__FN bool taco__cursor_sorted_read_rows(taco_cursor *c, taco__table_reader *f,
                                            taco__row_reader *rows, const uint32_t *numbers,
                                            size_t n, const taco_array **by_level)
{
    uint32_t *up, l;
    size_t    i;
    bool      ok;
    if (!taco__cursor_sorted_cache_rows(c, &rows[c->level], numbers, n) ||
        !taco__compose_read_level(c, &rows[c->level], numbers, n)) {
        return false;
    }
    by_level[c->level] = rows[c->level].arrays;
    if (!c->flat) {
        return true;
    }
    up = (uint32_t *)taco__mem_alloc(c->mem, n * sizeof *up, &c->err);
    ok = up != NULL;
    if (ok) {
        memcpy(up, numbers, n * sizeof *up);
    }
    for (l = c->level; ok && l-- > 0;) {
        const int32_t *parents = f->store->levels[l + 1].parents;
        for (i = 0; i < n; i++) {
            up[i] = (uint32_t)parents[up[i]];
        }
        for (i = 1; i < n && up[i - 1] <= up[i]; i++) {
        }
        ok = (i < n || taco__cursor_sorted_cache_rows(c, &rows[l], up, n)) &&
             taco__compose_read_level(c, &rows[l], up, n);
        by_level[l] = rows[l].arrays;
    }
    taco__mem_free(c->mem, up, n * sizeof *up);
    return ok;
}
/* A sort key in 64 bits that order as the values do; text gives its first 8 bytes, ties are accounted by the text. */
typedef struct taco__cursor_order_key {
    uint64_t   rank;
    taco_bytes text;
    bool       null;
} taco__cursor_order_key;
typedef struct taco__cursor_order_row {
    taco__cursor_order_key *keys;
    uint32_t                feed, at;
} taco__cursor_order_row;
typedef struct taco__cursor_order_spec {
    size_t column;
    bool   descending;
} taco__cursor_order_spec;
/* qsort has no context: rows point to it. */
typedef struct taco__cursor_order_item {
    const taco__cursor_order_key  *keys;
    const taco__cursor_order_spec *specs;
    size_t                         count;
    uint32_t                       feed, at;
} taco__cursor_order_item;

TACO__FN uint64_t taco__cursor_order_rank_float(double d)
{
    uint64_t x = taco__f64_to_bits(d == 0.0 ? 0.0 : d);
    if (d != d) {
        return UINT64_MAX; /* NaN is greater than every number, as in DuckDB */
    }
    return x >> 63 ? ~x : x | (uint64_t)1 << 63;
}
/* A decimal as big-endian bytes whose order is that of the numbers. */
TACO__FN bool taco__cursor_order_make_decimal_key(const taco_array *a, size_t i, taco__arena *arena,
                                                  taco__cursor_order_key *k, taco_error *err)
{
    size_t   n = (size_t)a->field->width, j;
    uint8_t *p = n ? (uint8_t *)taco__arena_alloc(arena, n, err) : NULL;
    if (!p) {
        return false;
    }
    for (j = 0; j < n; j++) {
        p[j] = a->v.u8[i * n + n - 1 - j];
    }
    p[0] ^= 0x80;
    k->text = taco__bytes_of(p, n);
    k->rank = taco__load_be64(p);
    return true;
}
/* False when the type has no order here, or memory ended. */
TACO__FN bool taco__cursor_order_make_key(const taco_array *a, size_t i, taco__arena *arena,
                                          taco__cursor_order_key *k, taco_error *err)
{
    memset(k, 0, sizeof *k);
    k->null = !taco_array_valid(a, i);
    if (k->null) {
        return true;
    }
    switch (a->field->type) {
    case TACO_UINT64: k->rank = a->v.u64[i]; return true;
    case TACO_HALF:
    case TACO_FLOAT:
    case TACO_DOUBLE: k->rank = taco__cursor_order_rank_float(taco_array_double(a, i)); return true;
    case TACO_TEXT:
    case TACO_BINARY:
    case TACO_FIXED:
    case TACO_UUID: {
        uint8_t head[8] = {0};
        k->text = taco_array_bytes(a, i);
        if (k->text.len) {
            memcpy(head, k->text.data, TACO__MIN(k->text.len, (size_t)8));
        }
        k->rank = taco__load_be64(head);
        return true;
    }
    case TACO_DECIMAL: return taco__cursor_order_make_decimal_key(a, i, arena, k, err);
    case TACO_INT96: { /* Julian day, then the signed nanoseconds of the day: both big-endian with the sign flipped */
        const uint8_t *p = a->v.u8 + i * 12;
        uint8_t       *q = (uint8_t *)taco__arena_alloc(arena, 12, err);
        size_t         j;
        for (j = 0; q && j < 12; j++) {
            q[j] = p[11 - j];
        }
        if (q) {
            q[0] ^= 0x80;
            q[4] ^= 0x80;
            k->text = taco__bytes_of(q, 12);
            k->rank = taco__load_be64(q);
        }
        return q != NULL;
    }
    case TACO_NULL:
    case TACO_INTERVAL:
    case TACO_LIST:
    case TACO_MAP:
    case TACO_STRUCT: return false;
    default: k->rank = (uint64_t)taco_array_int(a, i) ^ (uint64_t)1 << 63; return true;
    }
}
TACO__FN int taco__cursor_order_compare(const void *a, const void *b)
{
    const taco__cursor_order_item *x = (const taco__cursor_order_item *)a,
                                  *y = (const taco__cursor_order_item *)b;
    size_t i;
    for (i = 0; i < x->count; i++) {
        const taco__cursor_order_key *p = &x->keys[i], *q = &y->keys[i];
        int                           order;
        if (p->null || q->null) { /* nulls last in both directions */
            if (p->null != q->null) {
                return p->null ? 1 : -1;
            }
            continue;
        }
        order = p->rank < q->rank   ? -1
                : p->rank > q->rank ? 1
                                    : taco__bytes_compare(p->text, q->text);
        if (order) {
            return x->specs[i].descending ? -order : order;
        }
    }
    if (x->feed != y->feed) {
        return x->feed < y->feed ? -1 : 1;
    }
    return (x->at > y->at) - (x->at < y->at);
}
TACO__FN bool taco__cursor_order_parse(taco_cursor *c, const char *list,
                                       taco__cursor_order_spec *specs, size_t *count)
{
    const char *p = list, *name;
    taco_bytes  rest;
    *count = 0;
    while (taco__cursor_column_parse_name(&c->arena, &p, &name, &rest, &c->err)) {
        taco__cursor_order_spec *s = &specs[*count];
        char                     word[8] = {0};
        size_t                   i;
        for (i = 0; i < rest.len && i < 7; i++) {
            word[i] = (char)taco__ascii_lower(rest.data[i]);
        }
        s->column = taco__cursor_column_find(c, name);
        s->descending = strcmp(word, "desc") == 0;
        if (s->column == TACO__NONE) {
            taco__field_names_no_column(c->fields, c->count, taco__bytes_text(name), &c->err);
        } else if (rest.len && strcmp(word, "asc") != 0 && !s->descending) {
            TACO__FAIL(&c->err, TACO_ERR_SYNTAX, (size_t)((const char *)rest.data - list),
                       "expected asc, desc or a comma, found %q", &rest);
        }
        if (c->err.code != TACO_OK) {
            break;
        }
        ++*count;
    }
    if (c->err.code == TACO_OK && *count == 0) {
        TACO__FAIL(&c->err, TACO_ERR_SYNTAX, 0, "expected a column, found the end");
    }
    return c->err.code == TACO_OK;
}
/* Opens readers, one per level, of the columns to sort by. places[k]: where those of key k stand; TACO__NONE where the
   feed has no such column. */
TACO__FN bool taco__cursor_order_open_columns(taco_cursor *c, taco__table_reader *f,
                                              const taco__cursor_order_spec *specs, size_t count,
                                              taco__row_reader *rows, size_t *places)
{
    size_t   k, n, *which = (size_t *)taco__arena_array(&c->arena, count, sizeof *which, &c->err);
    uint32_t l;
    for (k = 0; k < count; k++) {
        places[k] = TACO__NONE;
    }
    for (l = c->flat ? 0 : c->level; which && l <= c->level; l++) {
        const taco__row_reader *like = l == c->level ? &f->scan.out : &f->rows[l];
        for (k = n = 0; k < count; k++) {
            const taco__cursor_column *o = &c->outs[specs[k].column];
            size_t                     at = f->place[specs[k].column];
            if (taco__cursor_column_is_stored(o) && o->level == l && at != TACO__NONE) {
                places[k] = n;
                which[n++] = like->which[at];
            }
        }
        if (!taco__row_reader_open(&rows[l], like->table, which, n, c->mem, &c->err)) {
            return false;
        }
    }
    return which != NULL;
}
/* Keys of all rows that a feed found, appended to items. rows, places: of taco__cursor_order_open_columns. */
TACO__FN bool taco__cursor_order_read_keys(taco_cursor *c, uint32_t number,
                                           const taco__cursor_order_spec *specs, size_t count,
                                           taco__row_reader *rows, const size_t *places,
                                           taco__cursor_order_item *items)
{
    taco__table_reader     *f = &c->readers[number];
    const taco_array       *by_level[TACO__MAX_LEVELS] = {NULL};
    taco__cursor_order_key *keys = (taco__cursor_order_key *)taco__arena_array(
        &c->arena, f->row_number_count * count + 1, sizeof *keys, &c->err);
    size_t i, k;
    if (!keys || f->row_number_count == 0) {
        return keys != NULL;
    }
    if (!taco__cursor_sorted_read_rows(c, f, rows, f->numbers, f->row_number_count, by_level)) {
        return false;
    }
    for (k = 0; k < count; k++) {
        const taco__cursor_column *o = &c->outs[specs[k].column];
        const taco_array *a = places[k] != TACO__NONE ? &by_level[o->level][places[k]] : NULL;
        taco_array        made;
        if (a && taco__compose_is_mixed(c, specs[k].column)) {
            if (!taco__unify_cast_array(&c->arena, &c->fields[specs[k].column], a, &made,
                                        &c->err)) {
                return taco__cursor_fail(c, f, true);
            }
            a = &made;
        }
        for (i = 0; i < f->row_number_count; i++) {
            taco__cursor_order_key *key = &keys[i * count + k];
            key->null = true;
            if (a && !taco__cursor_order_make_key(a, i, &c->arena, key, &c->err)) {
                taco_bytes name = taco__bytes_text(c->fields[specs[k].column].name);
                TACO__FAIL(&c->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                           "column %q is of a type that has no order here", &name);
                return false;
            }
        }
    }
    for (i = 0; i < f->row_number_count; i++) {
        items[i].keys = keys + i * count;
        items[i].specs = specs;
        items[i].count = count;
        items[i].feed = number;
        items[i].at = (uint32_t)i;
    }
    return true;
}
/* Lets items[at] sink in a heap of n whose first item is the last in order. */
TACO__FN void taco__cursor_order_heap_sift_down(taco__cursor_order_item *items, size_t n, size_t at)
{
    taco__cursor_order_item x = items[at];
    for (;;) {
        size_t child = at * 2 + 1;
        if (child >= n) {
            break;
        }
        child += child + 1 < n && taco__cursor_order_compare(&items[child], &items[child + 1]) < 0;
        if (taco__cursor_order_compare(&x, &items[child]) >= 0) {
            break;
        }
        items[at] = items[child];
        at = child;
    }
    items[at] = x;
}
/* Puts the first `most` of n items in order at the front. Few of many are picked before they are sorted. */
TACO__FN void taco__cursor_order_select_first(taco__cursor_order_item *items, size_t n,
                                              uint64_t most)
{
    size_t i, m = (size_t)TACO__MIN((uint64_t)n, most);
    if (m < n / 4) {
        for (i = m / 2; i-- > 0;) {
            taco__cursor_order_heap_sift_down(items, m, i);
        }
        for (i = m; m && i < n; i++) {
            if (taco__cursor_order_compare(&items[i], &items[0]) < 0) {
                items[0] = items[i];
                taco__cursor_order_heap_sift_down(items, m, 0);
            }
        }
        n = m;
    }
    qsort(items, n, sizeof *items, taco__cursor_order_compare);
}
/* Whether an output column of a feed, or the paths it makes, need the column at a place of a level's arrays. */
TACO__FN bool taco__cursor_sorted_needs_column(const taco_cursor *c, const taco__table_reader *f,
                                               uint32_t level, size_t place)
{
    size_t i;
    for (i = 0; i < c->count; i++) {
        if (c->outs[i].kind == TACO__CURSOR_COLUMN_VSI) {
            if (level == c->level &&
                (place == f->vsi.a || place == f->vsi.b || place == f->vsi.name)) {
                return true;
            }
        } else if (taco__cursor_column_is_stored(&c->outs[i]) && c->outs[i].level == level &&
                   f->place[i] == place) {
            return true;
        }
    }
    return false;
}
/* Opens readers of the columns that come out, once it is known which. */
TACO__FN bool taco__cursor_sorted_open_columns(taco_cursor *c)
{
    size_t i, k, n, *which;
    c->kept = (taco__row_reader **)taco__arena_array(&c->arena, c->reader_count, sizeof *c->kept,
                                                     &c->err);
    c->output_places = (size_t ***)taco__arena_array(&c->arena, c->reader_count,
                                                     sizeof *c->output_places, &c->err);
    for (i = 0; c->kept && c->output_places && i < c->reader_count; i++) {
        taco__table_reader *f = &c->readers[i];
        uint32_t            l;
        c->kept[i] = (taco__row_reader *)taco__arena_array(&c->arena, TACO__MAX_LEVELS,
                                                           sizeof **c->kept, &c->err);
        c->output_places[i] = (size_t **)taco__arena_array(&c->arena, TACO__MAX_LEVELS,
                                                           sizeof **c->output_places, &c->err);
        if (!c->kept[i] || !c->output_places[i]) {
            return false;
        }
        for (l = c->flat ? 0 : c->level; l <= c->level; l++) {
            const taco__row_reader *like = l == c->level ? &f->scan.out : &f->rows[l];
            which = (size_t *)taco__arena_array(&c->arena, like->count + 1, sizeof *which, &c->err);
            c->output_places[i][l] =
                (size_t *)taco__arena_array(&c->arena, like->count + 1, sizeof *which, &c->err);
            for (k = n = 0; which && c->output_places[i][l] && k < like->count; k++) {
                if (taco__cursor_sorted_needs_column(c, f, l, k)) {
                    c->output_places[i][l][n] = k;
                    which[n++] = like->which[k];
                }
            }
            if (!which || !c->output_places[i][l] ||
                !taco__row_reader_open(&c->kept[i][l], like->table, which, n, c->mem, &c->err)) {
                return false;
            }
        }
    }
    return c->kept && c->output_places;
}
/* Keys of what all readers found, put in order as far as rows leave. */
TACO__FN bool taco__cursor_order_run(taco_cursor *c, const taco__cursor_order_spec *specs,
                                     size_t count, taco__cursor_order_item *items, size_t total)
{
    size_t i, n = 0, end,
              *places = (size_t *)taco__arena_array(&c->arena, count, sizeof *places, &c->err);
    taco__row_reader *rows = (taco__row_reader *)taco__arena_array(
        &c->arena, c->reader_count * TACO__MAX_LEVELS, sizeof *rows, &c->err);
    bool ok = places && rows;
    for (i = 0; ok && i < c->reader_count; i++) {
        ok = taco__cursor_order_open_columns(c, &c->readers[i], specs, count,
                                             rows + i * TACO__MAX_LEVELS, places) &&
             taco__cursor_order_read_keys(c, (uint32_t)i, specs, count, rows + i * TACO__MAX_LEVELS,
                                          places, items + n);
        n += c->readers[i].row_number_count;
    }
    if (ok) { /* keys borrow the texts of `rows` */
        size_t first = (size_t)TACO__MIN((uint64_t)total, c->skip);
        end = (size_t)TACO__MIN((uint64_t)(total - first), c->left) + first;
        taco__cursor_order_select_first(items, total, end);
        c->order_count = end - first;
        c->order = (taco__cursor_sorted_row *)taco__arena_array(&c->arena, c->order_count + 1,
                                                                sizeof *c->order, &c->err);
        for (n = first; c->order && n < end; n++) {
            c->order[n - first].feed = items[n].feed;
            c->order[n - first].at = items[n].at;
        }
        ok = c->order != NULL;
    }
    for (i = 0; rows && i < c->reader_count * TACO__MAX_LEVELS; i++) {
        taco__row_reader_close(&rows[i]);
    }
    return ok;
}
/* Sorts the result by the columns of a list: they are read first, the others for the rows that leave. */
TACO__FN bool taco__cursor_order_sort(taco_cursor *c, const char *list)
{
    taco__cursor_order_spec *specs;
    taco__cursor_order_item *items;
    size_t                   i, count = 1, total = 0;
    const char              *p;
    bool                     ok;
    for (p = list; *p; p++) {
        count += *p == ',';
    }
    specs = (taco__cursor_order_spec *)taco__arena_array(&c->arena, count, sizeof *specs, &c->err);
    if (!specs || !taco__cursor_order_parse(c, list, specs, &count)) {
        taco__error_prefix(&c->err, "order");
        return false;
    }
    for (i = 0; i < c->reader_count; i++) {
        if (!taco__cursor_sorted_collect_rows(c, &c->readers[i])) {
            return false;
        }
        total += c->readers[i].row_number_count;
    }
    items =
        (taco__cursor_order_item *)taco__mem_alloc(c->mem, (total + 1) * sizeof *items, &c->err);
    ok = items && taco__cursor_order_run(c, specs, count, items, total);
    taco__mem_free(c->mem, items, (total + 1) * sizeof *items);
    c->sorted = true;
    return ok && c->err.code == TACO_OK;
}
TACO__FN int taco__cursor_sorted_compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}
/* A batch of a sorted result: rows of one feed that follow each other in the order. They are read in file order and
   then put into theirs. */
TACO__FN bool taco__cursor_sorted_next(taco_cursor *c, taco_batch *out)
{
    const taco_array   *by_level[TACO__MAX_LEVELS] = {NULL};
    taco__table_reader *f;
    uint32_t           *numbers, feed, l;
    int32_t            *idx;
    size_t              i, k, n = 0, bytes;
    bool                ok;
    if (c->order_at == c->order_count || (!c->kept && !taco__cursor_sorted_open_columns(c))) {
        return false;
    }
    feed = c->order[c->order_at].feed;
    f = &c->readers[feed];
    while (n < TACO__SCAN_SLICE && c->order_at + n < c->order_count &&
           c->order[c->order_at + n].feed == feed) {
        n++;
    }
    bytes = n * (sizeof *numbers + sizeof *idx);
    numbers = (uint32_t *)taco__mem_alloc(c->mem, bytes, &c->err);
    if (!numbers) {
        return false;
    }
    idx = (int32_t *)(void *)(numbers + n);
    for (i = 0; i < n; i++) {
        numbers[i] = f->numbers[c->order[c->order_at + i].at];
    }
    qsort(numbers, n, sizeof *numbers, taco__cursor_sorted_compare_numbers);
    for (i = 0; i < n; i++) {
        uint32_t        want = f->numbers[c->order[c->order_at + i].at];
        const uint32_t *hit = (const uint32_t *)bsearch(&want, numbers, n, sizeof *numbers,
                                                        taco__cursor_sorted_compare_numbers);
        idx[i] = (int32_t)(hit - numbers);
    }
    ok = taco__cursor_sorted_read_rows(c, f, c->kept[feed], numbers, n, by_level);
    for (l = c->flat ? 0 : c->level; ok && l <= c->level; l++) {
        taco__row_reader *r = &c->kept[feed][l];
        for (k = 0; ok && k < r->count;
             k++) { /* into the scan's selection buffers, which are idle now */
            taco__row_reader *to = l == c->level ? &f->scan.out : &f->rows[l];
            size_t            at = c->output_places[feed][l][k];
            ok = taco__take_array(&to->taken[at], &r->arrays[k], idx, n, &c->err);
            to->arrays[at] = to->taken[at].array;
            by_level[l] = to->arrays;
        }
    }
    taco__mem_free(c->mem, numbers, bytes);
    c->now = NULL;
    c->now_order = c->order_at;
    if (!ok || !taco__compose_batch(c, f, by_level, n)) {
        return false;
    }
    c->order_at += n;
    out->length = n;
    out->columns = c->arrays;
    out->column_count = c->count;
    out->first_row = -1;
    return true;
}
/* Keeps the columns of a list after all of them were sorted by: places of the readers follow. */
TACO__FN bool taco__select_columns_after_sort(taco_cursor *c, const char *list)
{
    taco_field *before = c->fields;
    size_t      i, k, n = c->count;
    if (!taco__cursor_column_select(c, list)) {
        return false;
    }
    for (i = 0; i < c->reader_count; i++) {
        size_t *place =
            (size_t *)taco__arena_array(&c->arena, c->count + 1, sizeof *place, &c->err);
        size_t j;
        if (!place) {
            return false;
        }
        for (j = 0; j < c->count; j++) {
            for (k = 0; k < n && strcmp(before[k].name, c->fields[j].name) != 0; k++) {
            }
            place[j] = k < n ? c->readers[i].place[k] : TACO__NONE;
        }
        c->readers[i].place = place;
    }
    return true;
}
/* Replaces what a cursor with one feed tests, before its first row. */
TACO__FN bool taco__table_reader_set_filter(taco_cursor *c, taco__expr *where)
{
    taco__table_reader *f = &c->readers[0];
    size_t              n = f->scan.out.count,
           *which = (size_t *)taco__arena_array(&c->arena, n + 1, sizeof *which, &c->err);
    if (!which) {
        return false;
    }
    memcpy(which, f->scan.out.which, n * sizeof *which);
    taco__scan_close(&f->scan);
    f->where = where;
    f->open = taco__scan_open(&f->scan, f->table, where, NULL, which, n, TACO__BATCH_ROWS, c->mem,
                              &c->err);
    return f->open;
}
