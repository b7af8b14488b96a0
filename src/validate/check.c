/* ==== ROOM check: every rule held against a dataset that stands. Uses: treecheck collcheck zipcheck. Spec: TACO 2.0 §5, §6 ==== */

/* ---- __meta__ against the levels ---- */

typedef struct taco__check_meta_folder { /* a FOLDER whose children are compared */
    taco__check_tree_state *t;
    uint32_t                level;
    size_t                  row;
    taco__check_tree_level *below; /* NULL: no level to compare with */
    const int32_t          *kids;
    size_t                  count;
    taco__local_meta        m;
} taco__check_meta_folder;

TACO__FN void taco__check_meta_set_place(taco__check_meta_folder *d)
{
    taco_bytes path = taco__check_tree_path(d->t, d->level, d->row);
    taco__findings_set_place(d->t->f, "DATA/%q/__meta__", &path);
}
/* Column of that name, most likely at the same place. */
TACO__FN size_t taco__check_meta_find_column(const taco__table *t, const char *name, size_t guess)
{
    return guess < t->field_count && strcmp(t->fields[guess].name, name) == 0
               ? guess
               : taco__table_find_column(t, name);
}
/* PIT-2: columns of the same name have the same type (§5.5); that some folders lack some is left to the writer. */
TACO__FN void taco__check_meta_schema(taco__check_meta_folder *d)
{
    const taco__table *a = &d->m.table, *b = &d->below->l->table;
    taco__findings    *f = d->t->f;
    size_t             i, k;
    for (i = 0; i < a->field_count; i++) {
        taco_bytes name = taco__bytes_text(a->fields[i].name);
        k = taco__check_meta_find_column(b, a->fields[i].name, i);
        if (k == SIZE_MAX) {
            if (!taco__bytes_starts_with(name, "internal:")) {
                TACO__FINDINGS_WARN(f, "PIT-2: %s has no column %q", d->below->l->name, &name);
            }
        } else if (!taco__bytes_starts_with(name, "internal:") &&
                   !taco__unify_same_type(&a->fields[i], &b->fields[k])) {
            TACO__FINDINGS_ERROR(f, "PIT-2: column %q has another type in %s", &name,
                                 d->below->l->name);
        }
    }
    for (i = 0; i < b->field_count; i++) {
        taco_bytes name = taco__bytes_text(b->fields[i].name);
        if (!taco__bytes_starts_with(name, "internal:") &&
            taco__check_meta_find_column(a, b->fields[i].name, i) == SIZE_MAX) {
            TACO__FINDINGS_WARN(f, "PIT-2: column %q of %s is missing", &name, d->below->l->name);
        }
    }
}
/* One child of a folder, as its __meta__ has it, against the row of the level. */
TACO__FN void taco__check_meta_child(taco__check_meta_folder *d, const taco_array *a,
                                     const size_t at[4], size_t i, size_t number)
{
    taco__check_tree_state *t = d->t;
    taco__findings         *f = t->f;
    bool                    valid = taco_array_valid(&a[at[0]], i);
    taco_bytes id = taco_array_bytes(&a[at[0]], i), type = taco_array_bytes(&a[at[1]], i);
    int        folder = taco__sample_path_parse_type(type);
    size_t     row;
    uint64_t   key;
    taco__check_level_id(f, id, valid);
    if (folder < 0) {
        TACO__FINDINGS_ERROR(f, "row %u: type is %q, must be FILE or FOLDER", TACO__U(number),
                             &type);
    }
    if (!d->below || number >= d->count) {
        return;
    }
    row = (size_t)d->kids[number];
    key = taco__findings_hash_path(TACO__FINDINGS_HASH_SEED + (uint64_t)(folder < 0 ? 2 : folder),
                                   id);
    if (key != d->below->key[row]) {
        taco_bytes other = taco__check_tree_name(t, d->level + 1, row, false);
        TACO__FINDINGS_ERROR(f,
                             "row %u is the %q %q, but row %u of %s the %s %q: __meta__ and level "
                             "disagree",
                             TACO__U(number), &type, &id, TACO__U(row), d->below->l->name,
                             taco__collection_type_name(d->below->folder[row] == 1), &other);
    } else if (at[2] != TACO__NONE && d->below->offset) {
        int64_t offset = taco_array_int(&a[at[2]], i), size = taco_array_int(&a[at[3]], i);
        if (!taco_array_valid(&a[at[2]], i) || !taco_array_valid(&a[at[3]], i)) {
            TACO__FINDINGS_ERROR(f, "row %u: internal:offset or internal:size is null",
                                 TACO__U(number));
        } else if (offset != d->below->offset[row] || size != d->below->size[row]) {
            TACO__FINDINGS_ERROR(
                f,
                "row %u (id %q): internal:offset %d, internal:size %d, but %d, %d in "
                "row %u of %s: __meta__ and level disagree",
                TACO__U(number), &id, TACO__D(offset), TACO__D(size),
                TACO__D(d->below->offset[row]), TACO__D(d->below->size[row]), TACO__U(row),
                d->below->l->name);
        }
    }
}
TACO__FN bool taco__check_meta_children(taco__check_meta_folder *d, taco_error *err)
{
    taco__check_tree_state *t = d->t;
    taco__row_reader        rows;
    taco_error              e;
    size_t                  which[4], at[4] = {0, 1, TACO__NONE, TACO__NONE}, n = 2, i, m, row = 0;
    memset(&e, 0, sizeof e);
    which[0] = d->m.role.id;
    which[1] = d->m.role.type;
    if (t->s->kind == TACO_KIND_ZIP) {
        bool offset = taco__check_level_column(t->f, &d->m.table, d->m.role.offset,
                                               "internal:offset", false, true),
             size = taco__check_level_column(t->f, &d->m.table, d->m.role.size, "internal:size",
                                             false, true);
        if (offset && size) {
            at[2] = n;
            which[n++] = d->m.role.offset;
            at[3] = n;
            which[n++] = d->m.role.size;
        }
    }
    if (!taco__row_reader_open(&rows, &d->m.table, which, n, t->mem, err)) {
        return false;
    }
    while (row < d->m.table.rows && !t->f->stop) {
        m = (size_t)TACO__MIN(d->m.table.rows - row, (uint64_t)TACO__CHECK_TREE_BATCH);
        if (!taco__row_reader_read_range(&rows, row, m, &e)) {
            break;
        }
        for (i = 0; i < m; i++, row++) {
            taco__check_meta_child(d, rows.arrays, at, i, row);
        }
    }
    taco__row_reader_close(&rows);
    return e.code == TACO_OK || taco__findings_take_error(t->f, &e) || (*err = e, false);
}
/* Rows of two tables that must hold the same: row a_rows[i] of a, or i, and row b_rows[i] of b, for n of them. */
typedef struct taco__check_meta_tables {
    taco__check_tree_state *t;
    const taco__table      *a, *b;
    const char             *other; /* b, for messages */
    const uint32_t         *a_rows, *b_rows;
    size_t                  n;
} taco__check_meta_tables;

/* The cells of the columns both have; both readers hold the same rows. */
TACO__FN bool taco__check_meta_cells(const taco__check_meta_tables *d, const taco__row_reader *a,
                                     const taco__row_reader *b, size_t n, size_t first,
                                     taco_error *err)
{
    taco__check_tree_state *t = d->t;
    size_t                  c, i;
    for (c = 0; c < a->count; c++) {
        for (i = 0; i < n && !t->f->stop; i++) {
            t->text.len = t->other.len = 0;
            if (!taco__cell_json(&t->text, &a->arrays[c], i, err) ||
                !taco__cell_json(&t->other, &b->arrays[c], i, err)) {
                return false;
            }
            if (t->text.len != t->other.len ||
                memcmp(t->text.data, t->other.data, t->text.len) != 0) {
                taco_bytes name = taco__bytes_text(d->a->fields[a->which[c]].name);
                taco_bytes x = taco__bytes_of(t->text.data, t->text.len),
                           y = taco__bytes_of(t->other.data, t->other.len);
                TACO__FINDINGS_ERROR(t->f, "row %u, column %q is %q, in %s %q: they disagree",
                                     TACO__U(d->a_rows ? d->a_rows[first + i] : first + i), &name,
                                     &x, d->other, &y);
            }
        }
    }
    return true;
}
/* Every cell of the columns of one type that both have, but for those of the format. */
TACO__FN bool taco__check_meta_columns(const taco__check_meta_tables *d, taco__arena *arena,
                                       taco_error *err)
{
    taco__check_tree_state *t = d->t;
    const taco__table      *a = d->a, *b = d->b;
    size_t *mine = (size_t *)taco__arena_array(arena, a->field_count + 1, sizeof *mine, err),
           *theirs = (size_t *)taco__arena_array(arena, a->field_count + 1, sizeof *theirs, err);
    size_t           i, n = 0;
    taco__row_reader x, y;
    taco_error       e;
    bool             ok = true;
    memset(&e, 0, sizeof e);
    if (!mine || !theirs) {
        return false;
    }
    for (i = 0; i < a->field_count; i++) {
        size_t k = taco__check_meta_find_column(b, a->fields[i].name, i);
        if (k != SIZE_MAX && strncmp(a->fields[i].name, "internal:", 9) != 0 &&
            taco__unify_same_type(&a->fields[i], &b->fields[k])) {
            mine[n] = i;
            theirs[n++] = k;
        }
    }
    if (!taco__row_reader_open(&x, a, mine, n, t->mem, err)) {
        return false;
    }
    if (!taco__row_reader_open(&y, b, theirs, n, t->mem, err)) {
        taco__row_reader_close(&x);
        return false;
    }
    for (i = 0; ok && i < d->n && !t->f->stop; i += TACO__CHECK_TREE_BATCH) {
        size_t m = TACO__MIN(d->n - i, (size_t)TACO__CHECK_TREE_BATCH);
        ok = (d->a_rows ? taco__row_reader_read(&x, 0, d->a_rows + i, m, &e)
                        : taco__row_reader_read_range(&x, i, m, &e)) &&
             taco__row_reader_read(&y, 0, d->b_rows + i, m, &e) &&
             taco__check_meta_cells(d, &x, &y, m, i, &e);
    }
    taco__row_reader_close(&x);
    taco__row_reader_close(&y);
    return ok || taco__findings_take_error(t->f, &e) || (*err = e, false);
}
/* Every cell of a __meta__ against the level, with --deep. */
TACO__FN bool taco__check_meta_values(taco__check_meta_folder *d, taco__arena *arena,
                                      taco_error *err)
{
    uint32_t *numbers = (uint32_t *)taco__arena_array(arena, d->count + 1, sizeof *numbers, err);
    size_t    i;
    taco__check_meta_tables both;
    both.t = d->t;
    both.a = &d->m.table;
    both.b = &d->below->l->table;
    both.other = d->below->l->name;
    both.a_rows = NULL;
    both.b_rows = numbers;
    both.n = TACO__MIN((size_t)d->m.table.rows, d->count);
    for (i = 0; numbers && i < both.n; i++) {
        numbers[i] = (uint32_t)d->kids[i];
    }
    return numbers && taco__check_meta_columns(&both, arena, err);
}
TACO__FN bool taco__check_meta_run(taco__check_meta_folder *d, taco__arena *arena, taco_error *err)
{
    taco__check_tree_state *t = d->t;
    taco_error              e;
    memset(&e, 0, sizeof e);
    if (t->f->how->deep && d->m.table.pq && !taco__check_level_parquet(t->f, &d->m.pq, err)) {
        return false;
    }
    if (!taco__container_check_unique_names(t->s, &d->m.table, &e)) {
        return taco__findings_take_error(t->f, &e) || (*err = e, false);
    }
    if (d->m.table.rows == 0) {
        TACO__FINDINGS_ERROR(t->f, "a FOLDER without children: the table has no rows");
    }
    if (!d->below && d->level + 1 >= t->count) {
        TACO__FINDINGS_ERROR(t->f, "a FOLDER on the deepest level: no level lists its %u children",
                             d->m.table.rows);
    }
    if (d->below && d->m.table.rows != d->count) {
        TACO__FINDINGS_ERROR(t->f,
                             "__meta__ has %u rows, %s has %u for this folder: rows are missing",
                             d->m.table.rows, d->below->l->name, TACO__U(d->count));
    }
    if (!taco__check_meta_children(d, err)) {
        return false;
    }
    if (d->below) {
        taco__check_meta_schema(d);
    }
    return !d->below || !t->f->how->deep || taco__check_meta_values(d, arena, err);
}
/* The __meta__ of one FOLDER, where its path says it is. */
TACO__FN bool taco__check_meta_row(taco__check_tree_state *t, uint32_t level, size_t row,
                                   taco_error *err)
{
    taco__check_tree_level *v = &t->levels[level];
    taco__check_meta_folder d;
    taco__nav_node          node;
    taco__arena             arena;
    taco_error              e;
    taco_bytes              path = taco__check_tree_path(t, level, row);
    bool                    ok;
    memset(&d, 0, sizeof d);
    memset(&node, 0, sizeof node);
    memset(&e, 0, sizeof e);
    arena.mem = t->mem;
    arena.head = NULL;
    d.t = t;
    d.level = level;
    d.row = row;
    if (v->first) {
        d.below = &t->levels[level + 1];
        d.count = taco__check_tree_children(t, level, row, &d.kids);
    }
    node.store = t->s;
    node.folder = true;
    if (t->s->kind == TACO_KIND_ZIP) {
        taco__check_zip_entry *entry =
            t->zip && t->zip->known
                ? taco__check_zip_find(
                      t->zip, taco__findings_hash_path(v->path[row], taco__bytes_text("/__meta__")))
                : NULL;
        node.has_range = (entry && entry->placed) || (v->offset && v->offset[row] >= 0);
        if (!node.has_range) {
            return true;
        }
        node.offset = entry && entry->placed ? (int64_t)entry->data : v->offset[row];
        node.size = entry && entry->placed ? (int64_t)entry->size : v->size[row];
    } else {
        if (taco__vsi_check_path(path, false, "path", &e) != TACO_OK) {
            return true; /* was told */
        }
        node.path = taco__arena_text(&arena, path, err);
        if (!node.path) {
            return false;
        }
    }
    taco__check_meta_set_place(&d);
    ok = taco__local_meta_open(&node, &arena, &d.m, &e)
             ? taco__check_meta_run(&d, &arena, err)
             : taco__findings_take_error(t->f, &e) || (*err = e, false);
    taco__local_meta_close(&d.m);
    taco__arena_free(&arena);
    return ok;
}
TACO__FN bool taco__check_meta_level(taco__check_tree_state *t, uint32_t level, taco_error *err)
{
    taco__check_tree_level *v = &t->levels[level];
    size_t                  row;
    for (row = 0; v->l && row < v->rows && !t->f->stop; row++) {
        if (v->folder[row] == 1 && !taco__check_meta_row(t, level, row, err)) {
            return false;
        }
    }
    taco__findings_end_table(t->f, "__meta__");
    return true;
}

/* ---- PIT ---- */

typedef struct taco__check_tree_pair { /* two FOLDERs that must have the same children */
    uint32_t    level;
    size_t      a, b; /* a is the first of its kind */
    const char *rule;
    bool        error;
} taco__check_tree_pair;

TACO__FN void taco__check_tree_report_difference(taco__check_tree_state      *t,
                                                 const taco__check_tree_pair *p, const int32_t *x,
                                                 const int32_t *y, size_t n, size_t m)
{
    taco__findings *f = t->f;
    taco_bytes      first = taco__check_tree_path(t, p->level, p->a), other, one, two;
    size_t          i;
    uint32_t        below = p->level + 1;
    t->other.len = 0; /* the window of names may move */
    if (!taco__buf_append(&t->other, first.data, first.len, NULL)) {
        return;
    }
    first = taco__bytes_of(t->other.data, t->other.len);
    t->level = p->level;
    t->row = p->b;
    taco__check_level_set_place(t);
    other = taco__check_tree_path(t, p->level, p->b);
    if (n != m) {
        TACO__FINDINGS_REPORT(f, p->error, "%s: %q has %u children, %q has %u", p->rule, &other,
                              TACO__U(m), &first, TACO__U(n));
        return;
    }
    for (i = 0; i < n; i++) {
        const uint64_t *key = t->levels[below].key;
        const uint8_t  *folder = t->levels[below].folder;
        if (key[x[i]] == key[y[i]]) {
            continue;
        }
        one = taco__check_tree_name(t, below, (size_t)x[i], false);
        t->text.len = 0;
        if (!taco__buf_append(&t->text, one.data, one.len, NULL)) {
            return;
        }
        one = taco__bytes_of(t->text.data, t->text.len);
        two = taco__check_tree_name(t, below, (size_t)y[i], false);
        TACO__FINDINGS_REPORT(f, p->error, "%s: child %u of %q is the %s %q, that of %q the %s %q",
                              p->rule, TACO__U(i), &other,
                              taco__collection_type_name(folder[y[i]] == 1), &two, &first,
                              taco__collection_type_name(folder[x[i]] == 1), &one);
        return;
    }
}
/* True when the children of both are alike; else the first difference is told. */
TACO__FN bool taco__check_tree_same_children(taco__check_tree_state      *t,
                                             const taco__check_tree_pair *p)
{
    const int32_t *x, *y;
    size_t         n = taco__check_tree_children(t, p->level, p->a, &x),
           m = taco__check_tree_children(t, p->level, p->b, &y), i = 0;
    const uint64_t *key = n ? t->levels[p->level + 1].key : NULL;
    if (n == m) {
        for (; i < n && key[x[i]] == key[y[i]]; i++) {
        }
        if (i == n) {
            return true;
        }
    }
    taco__check_tree_report_difference(t, p, x, y, n, m);
    return false;
}
/* Exports of the reference keep the schema of the whole, and may leave some samples fewer children than others. */
TACO__FN bool taco__check_tree_is_subset(const taco__check_tree_state *t)
{
    return taco__json_get(t->s->coll.doc.root, "taco:subset_of") != NULL;
}
/* Two samples of level 0 and what is below, as far as they are alike. The reference compares the ids and types of the
   children and the number of theirs; deeper differences are those it lets pass (facts: disagreements 27). */
TACO__FN void taco__check_tree_isomorphic(taco__check_tree_state *t, uint32_t level, size_t a,
                                          size_t b)
{
    taco__check_tree_pair p;
    const int32_t        *x, *y;
    size_t                n, i;
    p.level = level;
    p.a = a;
    p.b = b;
    p.rule = "PIT-1";
    n = taco__check_tree_children(t, level, a, &x);
    p.error = !taco__check_tree_is_subset(t) &&
              (level == 0 || (level == 1 && n != taco__check_tree_children(t, level, b, &y)));
    if (t->f->stop || !taco__check_tree_same_children(t, &p)) {
        return;
    }
    n = taco__check_tree_children(t, level, a, &x);
    taco__check_tree_children(t, level, b, &y);
    for (i = 0; i < n; i++) {
        if (t->levels[level + 1].folder[x[i]] == 1) {
            taco__check_tree_isomorphic(t, level + 1, (size_t)x[i], (size_t)y[i]);
        }
    }
}
/* The draft of June 2025 asks more: all FOLDERs of a level have the same children. */
TACO__FN void taco__check_tree_strict_pit(taco__check_tree_state *t)
{
    taco__check_tree_pair p;
    uint32_t              level;
    p.rule = "strict PIT";
    p.error = true;
    for (level = 0; level + 1 < t->count; level++) {
        taco__check_tree_level *v = &t->levels[level];
        p.level = level;
        p.a = SIZE_MAX;
        for (p.b = 0; v->first && p.b < v->rows && !t->f->stop; p.b++) {
            if (v->folder[p.b] != 1) {
                continue;
            }
            if (p.a == SIZE_MAX) {
                p.a = p.b;
            } else {
                taco__check_tree_same_children(t, &p);
            }
        }
    }
    taco__findings_end_table(t->f, "strict PIT");
}
TACO__FN void taco__check_tree_pit(taco__check_tree_state *t)
{
    taco__check_tree_level *v = &t->levels[0];
    size_t                  row;
    t->level = 0;
    for (row = 1; v->l && row < v->rows && !t->f->stop; row++) {
        if (v->folder[row] != v->folder[0] && v->folder[row] < 2 && v->folder[0] < 2) {
            t->row = row;
            TACO__CHECK_LEVEL_ERROR(t,
                                    "PIT-1: the root mixes types: this sample is a %s, row 0 a %s",
                                    taco__collection_type_name(v->folder[row] == 1),
                                    taco__collection_type_name(v->folder[0] == 1));
        } else if (v->folder[row] == 1) {
            taco__check_tree_isomorphic(t, 0, 0, row);
        }
    }
    taco__findings_end_table(t->f, "PIT-1");
    if (t->f->how->strict_pit) {
        taco__check_tree_strict_pit(t);
    }
}

/* ---- the collection against the tables ---- */

/* A pattern of the pit schema against the children of a FOLDER. */
TACO__FN bool taco__check_collection_pattern(const taco__check_tree_state *t, uint32_t level,
                                             size_t row, const taco__pit_pattern *p)
{
    const int32_t *kids;
    size_t         n = taco__check_tree_children(t, level, row, &kids), i;
    for (i = 0; i < n && i < p->count; i++) {
        if (t->levels[level + 1].key[kids[i]] !=
            taco__findings_hash_path(TACO__FINDINGS_HASH_SEED + p->folders[i], p->ids[i])) {
            return false;
        }
    }
    return n == p->count;
}
/* Level 1 has one pattern. Deeper ones follow the FOLDERs of the first pattern above only, so that the tables may hold
   more than the schema tells (facts: disagreements 4): told as a warning, and only what no FOLDER matches. */
TACO__FN void taco__check_collection_patterns(taco__check_tree_state *t, uint32_t depth)
{
    const taco__pit_level  *c = &t->s->coll.pit.levels[depth - 1];
    taco__check_tree_level *above = &t->levels[depth - 1];
    int64_t                 sum = 0;
    size_t                  i, row;
    taco__findings_set_place(t->f, "COLLECTION.json: taco:pit_schema.hierarchy.%u", TACO__U(depth));
    if (depth < t->count && !c->count) {
        TACO__FINDINGS_ERROR(t->f, "there is no pattern, but there is a level %u", TACO__U(depth));
        return;
    }
    if (depth >= t->count) {
        if (c->count) {
            TACO__FINDINGS_ERROR(t->f, "describes level %u, which is missing", TACO__U(depth));
        }
        return;
    }
    for (i = 0; i < c->count; i++) {
        sum = sum < 0 || c->patterns[i].n < 0 || c->patterns[i].n > INT32_MAX
                  ? -1
                  : sum + c->patterns[i].n;
        for (row = 0; above->first && row < above->rows; row++) {
            if (above->folder[row] == 1 &&
                taco__check_collection_pattern(t, depth - 1, row, &c->patterns[i])) {
                break;
            }
        }
        if (above->first && row == above->rows) {
            TACO__FINDINGS_REPORT(t->f, depth == 1 && !taco__check_tree_is_subset(t),
                                  "no FOLDER has the children that pattern %u lists", TACO__U(i));
        }
    }
    if (t->levels[depth].l && sum >= 0 && (uint64_t)sum != t->levels[depth].rows) {
        TACO__FINDINGS_WARN(t->f, "n is %d in all, level%u has %u rows", TACO__D(sum),
                            TACO__U(depth), TACO__U(t->levels[depth].rows));
    }
}
TACO__FN void taco__check_collection_fields(taco__check_tree_state *t)
{
    const taco__json *schema = t->s->coll.field_schema, *list, *row;
    char              key[] = "level0";
    size_t            i;
    for (; key[5] < (char)('0' + t->count); key[5]++) {
        const taco__level *l = t->levels[key[5] - '0'].l;
        list = taco__json_get(schema, key);
        taco__findings_set_place(t->f, "COLLECTION.json: taco:field_schema.%s", key);
        if (taco__json_is(schema, TACO__JSON_OBJECT) && !list) {
            TACO__FINDINGS_WARN(t->f, "is missing");
        }
        for (i = 0, row = taco__json_first(list); l && i < taco__json_length(list);
             i++, row = taco__json_next(row)) {
            const char *name = taco__json_text(taco__json_at(row, 0));
            taco_bytes  text = taco__bytes_text(name);
            if (name && taco__table_find_column(&l->table, name) == SIZE_MAX &&
                strcmp(name, "path") != 0) {
                TACO__FINDINGS_WARN(t->f, "lists the column %q, which %s has not", &text, l->name);
            }
        }
    }
}
TACO__FN void taco__check_collection_tables(taco__check_tree_state *t)
{
    const taco__pit        *pit = &t->s->coll.pit;
    taco__check_tree_level *v = &t->levels[0];
    uint32_t                d;
    taco__findings_set_place(t->f, "COLLECTION.json: taco:pit_schema.root");
    if (v->l && pit->n < 0) {
        const taco__json *n = taco__json_get(taco__json_get(t->s->coll.pit_schema, "root"), "n");
        TACO__FINDINGS_REPORT(t->f, !taco__rules_is_null(n),
                              taco__rules_is_null(n) ? "n is missing"
                                                     : "n must be an integer, 0 or more");
    } else if (v->l && (uint64_t)pit->n != v->rows) {
        TACO__FINDINGS_ERROR(t->f, "taco:pit_schema: root n is %d, level0 has %u rows",
                             TACO__D(pit->n), TACO__U(v->rows));
    }
    if (v->l && v->rows && v->folder[0] < 2 && pit->folders != (v->folder[0] == 1)) {
        TACO__FINDINGS_ERROR(t->f, "type is %s, but the samples of level0 are of type %s",
                             taco__collection_type_name(pit->folders),
                             taco__collection_type_name(v->folder[0] == 1));
    }
    for (d = 1; d <= TACO__PIT_MAX_DEPTH; d++) {
        taco__check_collection_patterns(t, d);
    }
    taco__findings_set_place(t->f, "COLLECTION.json: taco:pit_schema.shape");
    if (pit->shape && v->l &&
        (pit->shape_count != t->count || (uint64_t)pit->shape[0] != v->rows)) {
        TACO__FINDINGS_WARN(t->f, "says %u levels and %d samples, there are %u and %u",
                            TACO__U(pit->shape_count), TACO__D(pit->shape[0]), TACO__U(t->count),
                            TACO__U(v->rows));
    }
    taco__check_collection_fields(t);
    taco__findings_end_table(t->f, "COLLECTION.json");
}

/* ---- a dataset ---- */

/* What one archive, folder or catalogue needs; the parts of a catalogue get one each, one after the other. */
typedef struct taco__check_dataset {
    taco__findings        *f;
    taco__mem             *mem;
    taco_options           options;
    taco__arena            arena;
    taco__container        store;
    bool                   open;
    taco__check_zip        zip;
    taco__check_tree_state tree;
} taco__check_dataset;

TACO__FN void taco__check_dataset_free(taco__check_dataset *c)
{
    taco__check_tree_close(&c->tree);
    taco__check_zip_close(&c->zip);
    if (c->open) {
        taco__container_close(&c->store);
    }
    taco__arena_free(&c->arena);
}
TACO__FN void taco__check_dataset_init(taco__check_dataset *c, taco__findings *f, taco__mem *mem,
                                       const taco_options *opt)
{
    memset(c, 0, sizeof *c);
    c->f = f;
    c->mem = c->arena.mem = mem;
    taco__options_init(&c->options, opt);
    c->options.warn = NULL;         /* what it would tell is told as a problem */
    c->options.parallel_for = NULL; /* work is in small pieces */
}
TACO__FN bool taco__check_dataset_archive(taco__check_dataset *c, taco__file *file, taco_error *err)
{
    c->zip.f = c->f;
    c->zip.file = file;
    c->zip.mem = c->mem;
    c->zip.arena = &c->arena;
    return taco__check_zip_run(&c->zip, c->options.limits.max_metadata, err);
}
/* A file that does not open as a dataset may say more as an archive. */
TACO__FN bool taco__check_dataset_unopened(taco__check_dataset *c, const char *path,
                                           taco_error *err)
{
    taco_source src;
    taco__file  file;
    uint8_t     magic[4] = {0};
    taco_error  e;
    bool        ok = true;
    memset(&e, 0, sizeof e);
    if (!path || !taco__source_open_path(&c->options, path, &src, &e)) {
        return true;
    }
    taco__file_init(&file, &src, "", c->mem);
    if (src.size >= 4 && taco__file_read(&file, 0, magic, 4, &e) &&
        memcmp(magic, "PK\3\4", 4) == 0) {
        ok = taco__check_dataset_archive(c, &file, err);
    }
    taco__check_zip_close(&c->zip);
    taco__file_close(&file);
    return ok;
}
/* Every level by itself, and against the directory of its archive. */
TACO__FN bool taco__check_dataset_levels(taco__check_dataset *c, taco_error *err)
{
    taco__check_tree_state *t = &c->tree;
    uint32_t                i;
    t->f = c->f;
    t->s = &c->store;
    t->mem = t->text.mem = t->other.mem = t->window.mem = t->sources.arena.mem = c->mem;
    t->arena = &c->arena;
    t->zip = c->store.kind == TACO_KIND_ZIP ? &c->zip : NULL;
    t->count = c->store.level_count;
    t->sources.store = &c->store;
    for (i = 0; i < t->count && !c->f->stop; i++) {
        if (!taco__check_level_run(t, i, err)) {
            return false;
        }
    }
    return true;
}
/* Levels and what hangs on them. */
TACO__FN bool taco__check_dataset_tables(taco__check_dataset *c, taco_error *err)
{
    taco__check_tree_state *t = &c->tree;
    uint32_t                i;
    if (!taco__check_dataset_levels(c, err)) {
        return false;
    }
    for (i = 0; i + 1 < t->count && !c->f->stop; i++) {
        if (!taco__check_tree_link_children(t, i, err)) {
            return false;
        }
    }
    for (i = 0; i < t->count && c->store.kind != TACO_KIND_TACOCAT && !c->f->stop; i++) {
        if (!taco__check_meta_level(t, i, err)) {
            return false;
        }
    }
    taco__check_tree_pit(t);
    taco__check_collection_tables(t);
    return true;
}
/* Opens a dataset and checks it, but not the archives of a catalogue. */
/* ---- files that no level lists ---- */

typedef struct taco__check_unlisted_dirs { /* over the directories of a FOLDER dataset */
    taco__check_dataset *c;
    uint64_t            *listed; /* hashes of the paths of all rows; 0 = free */
    size_t               mask;
    taco__buf            path;  /* of the directory at hand, a '/' at its end; then a name */
    size_t               root;  /* length of the dataset's own */
    uint32_t             depth; /* 0: the dataset, 1: DATA or METADATA, ... */
    const char         **strays;
    size_t               count, cap;
    taco_error          *err;
} taco__check_unlisted_dirs;

TACO__FN uint64_t *taco__check_unlisted_slot(taco__check_unlisted_dirs *w, uint64_t hash)
{
    size_t at = (size_t)(hash >> 7) & w->mask;
    hash += hash == 0;
    while (w->listed[at] && w->listed[at] != hash) {
        at = (at + 1) & w->mask;
    }
    return &w->listed[at];
}
/* Whether a path below the dataset is one that the format or a row knows. */
TACO__FN bool taco__check_unlisted_is_expected(taco__check_unlisted_dirs *w, taco_bytes path)
{
    taco__check_tree_state *t = &w->c->tree;
    uint32_t                i;
    if (w->depth == 0) {
        return taco__bytes_equal(path, taco__bytes_text("COLLECTION.json")) ||
               taco__bytes_equal(path, taco__bytes_text("METADATA")) ||
               taco__bytes_equal(path, taco__bytes_text("DATA"));
    }
    if (taco__bytes_starts_with(path, "METADATA/")) {
        for (i = 0;
             i < t->count && !taco__bytes_equal(taco__bytes_text(t->levels[i].l->name), path);
             i++) {
        }
        return i < t->count;
    }
    return *taco__check_unlisted_slot(
               w, taco__findings_hash_path(TACO__FINDINGS_HASH_SEED, path)) != 0;
}
TACO__FN bool taco__check_unlisted_add(taco__check_unlisted_dirs *w, taco_bytes path)
{
    if (w->count == w->cap) {
        size_t       cap = w->cap ? w->cap * 2 : 16;
        const char **grown = (const char **)taco__mem_resize(
            w->c->mem, (void *)w->strays, w->cap * sizeof *grown, cap * sizeof *grown, w->err);
        if (!grown) {
            return false;
        }
        w->strays = grown;
        w->cap = cap;
    }
    w->strays[w->count] = taco__arena_text(&w->c->arena, path, w->err);
    return w->strays[w->count++] != NULL;
}
TACO__FN bool taco__check_unlisted_entry(void *ctx, const char *name, taco__path_kind kind)
{
    taco__check_unlisted_dirs *w = (taco__check_unlisted_dirs *)ctx;
    size_t                     dir = w->path.len;
    uint64_t                   size;
    taco_bytes                 path;
    bool                       ok = taco__buf_append(&w->path, name, strlen(name), w->err);
    path = taco__bytes_of(w->path.data + w->root, w->path.len - w->root);
    if (ok && !(w->depth > 1 && strcmp(name, "__meta__") == 0) &&
        !taco__check_unlisted_is_expected(w, path)) {
        ok = taco__check_unlisted_add(w, path);
    } else if (ok && w->depth <= TACO__MAX_LEVELS) {
        ok = taco__buf_append_char(&w->path, 0, w->err);
        if (ok && (kind == TACO__PATH_DIRECTORY ||
                   (kind == TACO__PATH_MISSING &&
                    taco__plat_stat((const char *)w->path.data, &size) == TACO__PATH_DIRECTORY))) {
            w->path.data[w->path.len - 1] = '/';
            ok = taco__buf_append_char(&w->path, 0, w->err);
            w->path.len -= ok;
            w->depth++;
            ok = ok &&
                 (taco__plat_list_dir((const char *)w->path.data, taco__check_unlisted_entry, w) ||
                  w->err->code == TACO_OK); /* one that cannot be read is none of ours */
            w->depth--;
        }
    }
    w->path.len = dir;
    return ok;
}
TACO__FN int taco__check_unlisted_compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}
TACO__FN bool taco__check_unlisted_walk(taco__check_unlisted_dirs *w)
{
    taco__check_dataset    *c = w->c;
    taco__check_tree_state *t = &c->tree;
    size_t                  rows = 0, i;
    uint32_t                level;
    for (level = 0; level < t->count; level++) {
        if (!t->levels[level].path) {
            return true; /* not readable, which was told */
        }
        rows += t->levels[level].rows;
    }
    for (w->mask = 16; w->mask < 2 * rows; w->mask *= 2) {
    }
    w->listed = (uint64_t *)taco__arena_array(&c->arena, w->mask--, sizeof *w->listed, w->err);
    if (!w->listed || !taco__buf_append_text(&w->path, c->store.dir, w->err)) {
        return false;
    }
    for (level = 0; level < t->count; level++) {
        for (i = 0; i < t->levels[level].rows; i++) {
            uint64_t hash = t->levels[level].path[i];
            *taco__check_unlisted_slot(w, hash) = hash + (hash == 0);
        }
    }
    w->root = w->path.len;
    if (!taco__buf_append_char(&w->path, 0, w->err)) {
        return false;
    }
    w->path.len--;
    (void)taco__plat_list_dir(w->root ? (const char *)w->path.data : ".",
                              taco__check_unlisted_entry, w);
    if (w->count) {
        qsort((void *)w->strays, w->count, sizeof *w->strays, taco__check_unlisted_compare);
    }
    return w->err->code == TACO_OK;
}
/* What stands in the directories of a FOLDER dataset, where they are directories here, and no level lists. */
TACO__FN bool taco__check_unlisted_run(taco__check_dataset *c, taco_error *err)
{
    taco__check_unlisted_dirs w;
    size_t                    i;
    bool                      ok;
    memset(&w, 0, sizeof w);
    w.c = c;
    w.err = err;
    w.path.mem = c->mem;
    ok = taco__check_unlisted_walk(&w);
    for (i = 0; ok && i < w.count && !c->f->stop; i++) {
        taco_bytes name = taco__bytes_text(w.strays[i]);
        taco__findings_set_place(c->f, "%q", &name);
        TACO__FINDINGS_WARN(c->f, "no level lists this file");
    }
    taco__findings_end_table(c->f, "directories");
    taco__buf_free(&w.path);
    taco__mem_free(c->mem, (void *)w.strays, w.cap * sizeof *w.strays);
    return ok;
}
TACO__FN bool taco__check_dataset_one(taco__check_dataset *c, const char *path,
                                      const taco_source *src, taco_error *err)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    taco__findings_set_place(c->f, "%s", "");
    c->open = taco__container_open(&c->store, path, src, c->mem, &c->arena, &c->options, &e);
    if (!c->open) {
        if (!taco__findings_take_error(c->f, &e)) {
            *err = e;
            return false;
        }
        return taco__check_dataset_unopened(c, src ? NULL : path, err);
    }
    if (c->store.kind == TACO_KIND_ZIP && !taco__check_dataset_archive(c, &c->store.file, err)) {
        return false;
    }
    taco__check_collection_document(c->f, &c->store.coll);
    if (!taco__check_dataset_tables(c, err)) {
        return false;
    }
    if (c->store.kind == TACO_KIND_ZIP) {
        taco__check_zip_unlisted(&c->zip);
        return !c->f->how->deep || taco__check_zip_payloads(&c->zip, err);
    }
    return c->store.kind != TACO_KIND_FOLDER || taco__check_unlisted_run(c, err);
}

/* ---- catalogues ---- */

/* True when row i of the catalogue is row k of the archive. */
TACO__FN bool taco__check_catalogue_same_row(const taco__check_tree_level *a, size_t i,
                                             const taco__check_tree_level *b, size_t k)
{
    return a->key[i] == b->key[k] &&
           (!a->offset || !b->offset || (a->offset[i] == b->offset[k] && a->size[i] == b->size[k]));
}
/* Rows of one level of an archive, and those the catalogue has of it: all of them, or some in their order. */
TACO__FN bool taco__check_catalogue_rows(taco__check_dataset *cat, taco__check_dataset *part,
                                         uint32_t source, uint32_t level, taco_error *err)
{
    taco__check_tree_level *a = &cat->tree.levels[level], *b = &part->tree.levels[level];
    taco__check_tree_state *t = &cat->tree;
    size_t                  i, k = 0, count = 0;
    uint32_t               *mine, *theirs;
    taco__check_meta_tables both;
    t->level = level;
    if (!a->l || !b->l || !a->source) {
        return true;
    }
    for (i = 0; i < a->rows; i++) {
        count += a->source[i] == source;
    }
    mine = (uint32_t *)taco__arena_array(&part->arena, count + 1, sizeof *mine, err);
    theirs = (uint32_t *)taco__arena_array(&part->arena, count + 1, sizeof *theirs, err);
    if (!mine || !theirs) {
        return false;
    }
    both.n = 0;
    taco__findings_set_place(cat->f, "%s", a->l->name);
    if (count != b->rows) {
        TACO__FINDINGS_REPORT(cat->f, count > b->rows,
                              "the catalogue has %u rows of it, the archive has %u", TACO__U(count),
                              TACO__U(b->rows));
    }
    for (i = 0; i < a->rows && !cat->f->stop; i++) {
        if (a->source[i] != source) {
            continue;
        }
        for (; count != b->rows && k < b->rows && !taco__check_catalogue_same_row(a, i, b, k);
             k++) {
        }
        if (k < b->rows && taco__check_catalogue_same_row(a, i, b, k)) {
            mine[both.n] = (uint32_t)i;
            theirs[both.n++] = (uint32_t)k++;
            continue;
        }
        t->row = i;
        if (k == b->rows) {
            TACO__CHECK_LEVEL_ERROR(t, "the archive has no such row (id, type, internal:offset)");
            break;
        }
        if (a->key[i] != b->key[k]) {
            TACO__CHECK_LEVEL_ERROR(t, "another id or type than row %u of the archive", TACO__U(k));
        } else {
            TACO__CHECK_LEVEL_ERROR(
                t,
                "internal:offset %d, internal:size %d, but %d, %d in row %u of the "
                "archive",
                TACO__D(a->offset[i]), TACO__D(a->size[i]), TACO__D(b->offset[k]),
                TACO__D(b->size[k]), TACO__U(k));
        }
        k++;
    }
    both.t = t;
    both.a = &a->l->table;
    both.b = &b->l->table;
    both.other = "the archive";
    both.a_rows = mine;
    both.b_rows = theirs;
    taco__findings_set_place(cat->f, "%s", a->l->name);
    return taco__check_meta_columns(&both, &part->arena, err);
}
/* One archive of a catalogue: it is there, and with deep it is right, and the rows are its rows. */
TACO__FN bool taco__check_catalogue_part(taco__check_dataset *cat, uint32_t source, taco_error *err)
{
    taco__findings     *f = cat->f;
    taco_bytes          name = cat->tree.sources.sources[source].name;
    const char         *path, *prefix;
    taco_source         src;
    taco_error          e;
    taco__check_dataset part;
    uint32_t            i;
    bool                ok = true;
    memset(&e, 0, sizeof e);
    if (taco__vsi_check_name(name, "internal:source_file", &e) != TACO_OK) {
        return true; /* was told */
    }
    memset(&e, 0, sizeof e);
    path = taco__container_join_path(&cat->store, cat->store.parts, (const char *)name.data, err);
    prefix =
        path ? taco__container_join_path(&cat->store, (const char *)name.data, ": ", err) : NULL;
    if (!prefix) {
        return false;
    }
    taco__findings_set_place(f, "internal:source_file");
    if (!taco__source_open_path(&cat->options, path, &src, &e)) {
        TACO__FINDINGS_ERROR(f, "the archive %q is missing: it does not exist, or cannot be read",
                             &name);
        return true;
    }
    if (!f->how->deep) {
        if (src.close) {
            src.close(src.ctx);
        }
        return true;
    }
    f->part = prefix;
    taco__check_dataset_init(&part, f, cat->mem, &cat->options);
    ok = taco__check_dataset_one(&part, path, &src, err);
    if (ok && part.open && part.store.kind == TACO_KIND_ZIP) {
        taco_error why;
        memset(&why, 0, sizeof why);
        if (part.store.level_count != cat->store.level_count) {
            taco__findings_set_place(f, "levels");
            TACO__FINDINGS_ERROR(f, "the archive has %u levels, the catalogue %u",
                                 TACO__U(part.store.level_count), TACO__U(cat->store.level_count));
        } else if (taco__collection_check_same_pit(&cat->store.coll, &part.store.coll, &why) !=
                   TACO_OK) {
            taco__findings_set_place(f, "COLLECTION.json");
            taco__findings_take_error(f, &why);
        }
        for (i = 0; ok && i < cat->store.level_count && i < part.store.level_count; i++) {
            ok = taco__check_catalogue_rows(cat, &part, source, i, err);
        }
    } else if (ok && part.open) {
        taco__findings_set_place(f, "%s", "");
        TACO__FINDINGS_ERROR(f, "internal:source_file names something that is no archive");
    }
    taco__check_dataset_free(&part);
    taco__findings_end_table(f, "catalogue");
    f->part = "";
    return ok;
}
/* taco:sources, as the writers of catalogues leave it (§6.6). */
TACO__FN void taco__check_catalogue_sources(taco__check_dataset *c)
{
    const taco__json *sources = c->store.coll.sources, *files = taco__json_get(sources, "files"),
                     *file;
    int64_t count;
    size_t  i, n = c->tree.sources.source_count;
    taco__findings_set_place(c->f, "COLLECTION.json: taco:sources");
    if (taco__rules_is_null(sources)) {
        return;
    }
    if (!taco__json_is(sources, TACO__JSON_OBJECT)) {
        TACO__FINDINGS_WARN(c->f, "must be an object, found %s", taco__json_type_name(sources));
    }
    if (taco__json_int(taco__json_get(sources, "count"), &count) && (uint64_t)count != n) {
        TACO__FINDINGS_WARN(c->f, "count is %d, the levels name %u archives", TACO__D(count),
                            TACO__U(n));
    }
    for (i = 0, file = taco__json_first(files); i < taco__json_length(files);
         i++, file = taco__json_next(file)) {
        taco_bytes name = taco__json_bytes(file);
        if (taco__join_find_archive(&c->tree.sources, name, false, NULL) == SIZE_MAX) {
            TACO__FINDINGS_WARN(c->f, "files names %q, no level does", &name);
        }
    }
}
TACO__FN bool taco__check_dataset_run(taco__check_dataset *c, const char *path,
                                      const taco_source *src, taco_error *err)
{
    size_t i;
    if (!taco__check_dataset_one(c, path, src, err)) {
        return false;
    }
    if (c->open && c->store.kind == TACO_KIND_TACOCAT) {
        taco__check_catalogue_sources(c);
        for (i = 0; i < c->tree.sources.source_count && !c->f->stop; i++) {
            if (!taco__check_catalogue_part(c, (uint32_t)i, err)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- public ---- */

/* A dataset of one of the caller's formats: what its opener proves of all levels. False for TACO 2. */
TACO__FN bool taco__check_dataset_other_format(const char *path, const taco_options *opt,
                                               taco__findings *f, taco_validated *sum)
{
    taco_error    e = {0, TACO_OK, 0, {0}};
    taco_dataset *ds = taco_open(path, opt, &e);
    bool          other = ds && taco_dataset_kind(ds) == TACO_KIND_OTHER;
    uint32_t      l;
    for (l = 0; other && l < taco_levels(ds); l++) {
        int64_t rows = taco_level_rows(ds, l, &e);
        if (rows < 0) {
            taco__findings_take_error(f, &e);
            break;
        }
        sum->rows += (uint64_t)rows;
    }
    taco_close(ds);
    return other;
}
TACO__FN taco_status taco__check_dataset_validate(const char *path, const taco_source *src,
                                                  const taco_options          *opt,
                                                  const taco_validate_options *how,
                                                  taco_validated *out, taco_error *err)
{
    taco_validate_options none;
    taco_validated        sum;
    taco__findings        f;
    taco__mem             mem;
    taco__check_dataset   c;
    taco_error            own = {0, TACO_OK, 0, {0}};
    bool                  done;
    memset(&none, 0, sizeof none);
    memset(&sum, 0, sizeof sum);
    memset(&f, 0, sizeof f);
    f.how = how ? how : &none;
    f.sum = &sum;
    f.part = "";
    taco__mem_init(&mem, opt);
    taco__check_dataset_init(&c, &f, &mem, opt);
    done = (!src && opt && opt->openers && taco__check_dataset_other_format(path, opt, &f, &sum)) ||
           taco__check_dataset_run(&c, path, src, &own);
    taco__check_dataset_free(&c);
    if (!done) {
        TACO__FAIL(&own, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory");
        taco__findings_set_place(&f, "%s", "");
        taco__findings_report(&f, true, &own);
    }
    if (out) {
        *out = sum;
    }
    if (done && f.first.code != TACO_OK) {
        own = f.first;
        if (strncmp(own.text, path, strlen(path)) != 0) {
            taco__error_prefix(&own, "%s", path);
        }
    }
    if (err && err->code == TACO_OK) {
        *err = own;
    }
    return own.code;
}
TACO_API taco_status taco_validate(const char *path, const taco_options *opt,
                                   const taco_validate_options *how, taco_validated *out,
                                   taco_error *err)
{
    if (!path) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
    }
    return taco__check_dataset_validate(path, NULL, opt, how, out, err);
}
TACO_API taco_status taco_validate_source(const taco_source *src, const char *name,
                                          const taco_options *opt, const taco_validate_options *how,
                                          taco_validated *out, taco_error *err)
{
    return taco__source_check(src, err)
               ? taco__check_dataset_validate(name ? name : "", src, opt, how, out, err)
               : TACO_ERR_ARGUMENT;
}
