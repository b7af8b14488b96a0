/* ==== ROOM raster: collections as datasets: filters, description, the calls of the public API. Uses: hive contract
   dataset pq:text ==== */

typedef struct taco__rasteret_file { /* of one file, store.own */
    const taco__hive_part *part;
    taco__hive_file        file;
    const taco_array      *given;
    taco_field            *given_fields;
    size_t                 constant_count;
    size_t                 collection; /* which of those opened together */
    bool                   few;        /* files stay open, so few are they */
    const char            *root;       /* its path */
} taco__rasteret_file;

/* ---- opening ------------------------------------------------------------------------------------- */

TACO__FN bool taco__rasteret_detect(taco__container *s, const char *path, taco_bytes head)
{
    taco__hive h;
    taco_error none;
    uint64_t   size;
    if (head.data) {
        return taco__bytes_starts_with(head, "PAR1");
    }
    if (taco__plat_stat(path, &size) != TACO__PATH_DIRECTORY) {
        return false;
    }
    memset(&h, 0, sizeof h);
    memset(&none, 0, sizeof none);
    h.arena = s->arena;
    h.err = &none;
    h.any = true;
    return taco__hive_walk(&h, path, NULL, 0, 0) && h.count > 0;
}
TACO__FN bool taco__rasteret_parse_int32(const char *s, int32_t *out)
{
    int64_t x;
    bool    ok = taco__num_parse_i64(taco__bytes_text(s), &x) && x >= INT32_MIN && x <= INT32_MAX;
    *out = ok ? (int32_t)x : 0;
    return ok;
}
/* The partition columns of all parts of one collection: names in the order they are met. *n of them. */
TACO__FN taco_field *taco__rasteret_partition_fields(taco__hive *h, size_t *n)
{
    size_t      i, k, c, cap = 0;
    taco_field *f = NULL;
    int32_t     x;
    void       *list;
    *n = 0;
    for (i = 0; i < h->count; i++) {
        for (k = 0; k < h->parts[i].key_count; k++) {
            const taco__hive_key *key = &h->parts[i].keys[k];
            for (c = 0; c < *n && strcmp(f[c].name, key->name) != 0; c++) {
            }
            list = f;
            if (c == *n && !taco__hive_reserve(h->arena, &list, *n, &cap, sizeof *f, h->err)) {
                return NULL;
            }
            f = (taco_field *)list;
            if (c == *n) {
                f[c].name = key->name;
                f[c].type = TACO_INT32;
                f[c].width = 4;
                f[c].nullable = true;
                ++*n;
            }
            if (key->value && !taco__rasteret_parse_int32(key->value, &x)) {
                f[c].type = TACO_TEXT;
                f[c].width = 0;
            }
        }
    }
    return f ? f : (taco_field *)taco__arena_alloc(h->arena, sizeof *f, h->err);
}
/* The values of partition columns in one part, as arrays of one row. */
TACO__FN taco_array *taco__rasteret_partition_values(taco__arena *arena, const taco__hive_part *p,
                                                     const taco_field *f, size_t n, taco_error *err)
{
    taco_array *a = (taco_array *)taco__arena_array(arena, n + 1, sizeof *a, err);
    int32_t    *v = (int32_t *)taco__arena_array(arena, n + 1, 2 * sizeof *v, err);
    uint8_t    *bits = (uint8_t *)taco__arena_alloc(arena, 8, err);
    size_t      i, k;
    for (i = 0; a && v && bits && i < n; i++) {
        const char *value = NULL;
        for (k = 0; k < p->key_count; k++) {
            value = strcmp(p->keys[k].name, f[i].name) == 0 ? p->keys[k].value : value;
        }
        a[i].field = &f[i];
        a[i].length = 1;
        a[i].null_count = value ? 0 : 1;
        a[i].validity = value ? NULL : bits;
        a[i].v.any = value ? (const void *)value : (const void *)bits;
        if (f[i].type == TACO_INT32) {
            (void)taco__rasteret_parse_int32(value ? value : "0", &v[2 * i]);
            a[i].v.i32 = &v[2 * i];
        } else {
            v[2 * i + 1] = (int32_t)(value ? strlen(value) : 0);
            a[i].offsets = &v[2 * i];
        }
    }
    return a && v && bits ? a : NULL;
}
TACO__FN bool taco__rasteret_init_store(taco_dataset *ds, taco__container *s,
                                        const taco_opener *format, const taco__hive_part *part,
                                        taco__rasteret_file *r, taco_error *err)
{
    memset(s, 0, sizeof *s);
    s->mem = &ds->mem;
    s->arena = &ds->arena;
    s->options = &ds->options;
    s->format = format;
    s->own = r;
    s->name = part->path;
    s->kind = TACO_KIND_ZIP;
    s->level_count = 1;
    s->levels[0].name = "rows";
    s->levels[0].present = true;
    s->coll.dataset_version = "unknown";
    s->coll.description = s->coll.taco_version = "";
    s->coll.id = "";
    return taco__container_set_vsi_root(s, part->path, false, err);
}
TACO__FN bool taco__rasteret_info_describe(taco_dataset *ds, bool whole, taco_error *err);

/* What all files have together, against the contract. */
TACO__FN bool taco__contract_check_dataset(taco_dataset *ds, const char *path, taco_error *err)
{
    taco__contract    seen;
    size_t            n, i;
    const taco_field *f = taco_level_fields(ds, 0, &n, err);
    memset(&seen, 0, sizeof seen);
    for (i = 0; f && i < n; i++) {
        taco__contract_add_field(&seen, &f[i]);
    }
    if (f && !taco__contract_check_complete(&seen, err)) {
        taco__error_prefix(err, "%s", path);
        return false;
    }
    return f != NULL;
}

/* Stores for the parts of all collections; stores[0] may hold the file of a caller's source. */
TACO__FN bool taco__rasteret_open(taco_dataset *ds, const char *const *paths, size_t n,
                                  taco_error *err)
{
    const taco_opener *format = ds->stores[0].format;
    taco__file         file = ds->stores[0].file;
    bool               given = ds->stores[0].file_open;
    taco__hive         h;
    taco__hive_pool   *pool = (taco__hive_pool *)taco__arena_alloc(&ds->arena, sizeof *pool, err);
    size_t             i, k;
    ds->stores[0].file_open = false;
    ds->mode = TACO_COLUMNS_FILL_MISSING;
    ds->container_count = 0;
    if (given && (n > 1 || !pool)) {
        taco__file_close(&file);
        given = false;
    }
    for (i = 0; pool && i < n; i++) {
        taco_field          *keys;
        taco__rasteret_file *r;
        size_t               key_count;
        memset(&h, 0, sizeof h);
        h.arena = &ds->arena;
        h.err = err;
        keys = (given ? taco__hive_add_part(&h, paths[i], NULL, 0)
                      : taco__hive_find_parts(&h, paths[i]))
                   ? taco__rasteret_partition_fields(&h, &key_count)
                   : NULL;
        if (!keys || !taco__dataset_reserve(ds, ds->container_count + h.count, err)) {
            taco__error_prefix(err, "%s", paths[i]);
            break;
        }
        for (k = 0; k < h.count; k++) {
            taco__container *s = &ds->stores[ds->container_count];
            r = (taco__rasteret_file *)taco__arena_alloc(&ds->arena, sizeof *r, err);
            if (!r || !taco__rasteret_init_store(ds, s, format, &h.parts[k], r, err)) {
                if (given) {
                    taco__file_close(&file);
                }
                return false;
            }
            if (given) {
                s->file = file;
                s->file_open = true;
            }
            ds->container_count++;
            r->part = &h.parts[k];
            r->root = paths[i];
            r->collection = i;
            r->file.path = r->part->path;
            r->file.options = &ds->options;
            r->file.pool = pool;
            r->given_fields = keys;
            r->constant_count = key_count;
            r->given = taco__rasteret_partition_values(&ds->arena, r->part, keys, key_count, err);
            if (!r->given) {
                return false;
            }
        }
    }
    for (i = 0; i < ds->container_count; i++) {
        ((taco__rasteret_file *)ds->stores[i].own)->few =
            ds->container_count <= TACO__HIVE_MAX_OPEN;
    }
    if (err->code == TACO_OK && ds->container_count == 0) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s: no Parquet files below", paths[0]);
    }
    if (given && ds->container_count == 0) {
        taco__file_close(&file);
    }
    return err->code == TACO_OK && taco__contract_check_dataset(ds, paths[0], err) &&
           taco__rasteret_info_describe(ds, false, err);
}
/* The table of one file, with its partition columns. */
TACO__FN bool taco__rasteret_read_level(taco__container *s, uint32_t n, taco_error *err)
{
    taco__rasteret_file *r = (taco__rasteret_file *)s->own;
    taco__level         *l = &s->levels[n];
    taco_field          *fields;
    taco_array          *given;
    taco_source          src;
    size_t               i, count;
    if (!s->file_open && !l->file_open) {
        if (r->few ? !taco__source_open_path(s->options, r->part->path, &src, err)
                   : !taco__hive_file_open(&r->file, err)) {
            return false;
        }
        if (!r->few) { /* closed and opened again: what a view returns would not live */
            src = r->file.src;
            src.ctx = &r->file;
            src.read = taco__hive_file_read;
            src.close = taco__hive_file_close;
            src.view = NULL;
            src.read_many = NULL;
        }
        taco__file_init(&l->file, &src, "", s->mem);
        l->file_open = true;
    }
    l->range.offset = 0;
    l->range.len = s->file_open ? s->file.src.size : l->file.src.size;
    if (!taco__container_open_table(s, s->file_open ? &s->file : &l->file, l->range, l->name, false,
                                    s->arena, &l->pq, &l->table, err)) {
        return false;
    }
    count = l->table.field_count;
    fields = (taco_field *)taco__arena_array(s->arena, count + r->constant_count + 1,
                                             sizeof *fields, err);
    given = (taco_array *)taco__arena_array(s->arena, r->constant_count + 1, sizeof *given, err);
    if (!fields || !given) {
        return false;
    }
    memcpy(fields, l->table.fields, count * sizeof *fields);
    for (i = 0; i < r->constant_count; i++) {
        if (taco__table_find_column(&l->table, r->given_fields[i].name) == SIZE_MAX) {
            given[l->table.constant_count++] = r->given[i];
            fields[count++] = r->given_fields[i];
        }
    }
    l->table.fields = fields;
    l->table.field_count = count;
    l->table.given = given;
    return true;
}
/* Rasteret's columns are what makes its rows; nothing in them is a path of ours. */
TACO__FN void taco__rasteret_roles(const taco__table *t, taco__column_roles *r)
{
    (void)t;
    r->type = r->parent = r->current = r->offset = r->size = r->relative = r->source = TACO__NONE;
}

/* ---- filters ------------------------------------------------------------------------------------- */

typedef struct taco__rasteret_filter_box {
    double edge[4]; /* west, south, east, north */
    size_t at[4];   /* places of xmin, ymin, xmax, ymax */
} taco__rasteret_filter_box;

TACO__FN bool taco__rasteret_filter_intersects(const taco__rasteret_filter_box *b,
                                               const double                     box[4])
{
    return box[2] >= b->edge[0] && box[0] <= b->edge[2] && box[3] >= b->edge[1] &&
           box[1] <= b->edge[3];
}
/* bbox, a struct: NULL and NaN meet nothing. */
TACO__FN bool taco__rasteret_filter_bbox_struct(void *ctx, const taco_array *a, size_t rows,
                                                uint8_t *true_bits, uint8_t *valid_bits,
                                                taco_error *err)
{
    const taco__rasteret_filter_box *b = (const taco__rasteret_filter_box *)ctx;
    size_t                           i, k;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        double box[4] = {0, 0, 0, 0};
        bool   valid = taco_array_valid(a, i);
        for (k = 0; valid && k < 4; k++) {
            valid = taco_array_valid(&a->children[b->at[k]], i);
            box[k] = valid ? taco_array_double(&a->children[b->at[k]], i) : 0;
        }
        if (valid && taco__rasteret_filter_intersects(b, box)) {
            taco__bitmap_set(true_bits, i);
        }
    }
    return true;
}
/* scene_bbox, a list of four. */
TACO__FN bool taco__rasteret_filter_bbox_list(void *ctx, const taco_array *a, size_t rows,
                                              uint8_t *true_bits, uint8_t *valid_bits,
                                              taco_error *err)
{
    const taco__rasteret_filter_box *b = (const taco__rasteret_filter_box *)ctx;
    size_t                           i, k;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        double box[4] = {0, 0, 0, 0};
        bool   valid = taco_array_valid(a, i) && a->offsets[i + 1] - a->offsets[i] == 4;
        for (k = 0; valid && k < 4; k++) {
            valid = taco_array_valid(&a->children[0], (size_t)a->offsets[i] + k);
            box[k] = valid ? taco_array_double(&a->children[0], (size_t)a->offsets[i] + k) : 0;
        }
        if (valid && taco__rasteret_filter_intersects(b, box)) {
            taco__bitmap_set(true_bits, i);
        }
    }
    return true;
}
/* Whether statistics leave a row group whose boxes may meet b: leaves of the struct are not the scan's to prune by. */
TACO__FN bool taco__rasteret_filter_may_match(const taco__table *t, size_t column,
                                              const taco__rasteret_filter_box *b)
{
    const taco__pq_metadata *m = t->pq ? &t->pq->meta : NULL;
    uint32_t                 g;
    size_t                   k;
    for (g = 0; m && column < t->stored && g < m->group_count; g++) {
        bool may = true;
        for (k = 0; k < 4; k++) {
            uint32_t           leaf = t->fields[column].leaf + (uint32_t)b->at[k];
            taco__pq_bounds    s;
            taco__column_stats range;
            taco__stats_bounds(m, &m->leaves[leaf], &m->groups[g].chunks[leaf].stats, &s);
            taco__scan_prune_bounds_of(&m->leaves[leaf], &s, m->groups[g].rows, &range);
            if (k < 2 ? range.has_min && range.min.f > b->edge[k + 2]
                      : range.has_max && range.max.f < b->edge[k - 2]) {
                may = false;
            }
        }
        if (may) {
            return true;
        }
    }
    return !m || column >= t->stored;
}
TACO__FN taco__expr *taco__rasteret_filter_compare_edge(taco__arena *arena, const taco__table *t,
                                                        const char *name, taco__compare_op op,
                                                        double edge, taco_error *err)
{
    size_t c = taco__table_find_column(t, name);
    return c == SIZE_MAX
               ? NULL
               : taco__expr_compare(
                     arena, op, taco__expr_column(arena, c, err),
                     taco__expr_const(arena, taco__scalar_make_double(TACO_DOUBLE, edge), err),
                     err);
}
/* rec.maxx >= west, rec.minx <= east, and so on. The scalar columns are preferred: their statistics prune row groups and
   pages. */
TACO__FN taco__expr *taco__rasteret_filter_bbox(taco__arena *arena, const taco__table *t,
                                                const taco_filter *f, taco_error *err)
{
    static const char *const   names[4] = {"bbox_maxx", "bbox_maxy", "bbox_minx", "bbox_miny"};
    taco__rasteret_filter_box *b =
        (taco__rasteret_filter_box *)taco__arena_alloc(arena, sizeof *b, err);
    taco__custom_predicate custom;
    taco__expr            *e = NULL, *x;
    size_t                 c, i;
    if (!b) {
        return NULL;
    }
    memcpy(b->edge, f->bbox, sizeof b->edge);
    if (!(b->edge[0] <= b->edge[2] && b->edge[1] <= b->edge[3])) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "invalid box: west and south must not exceed east and north");
        return NULL;
    }
    for (i = 0; i < 4; i++) {
        c = taco__table_find_column(t, names[i]);
        if (c == SIZE_MAX || t->fields[c].type != TACO_DOUBLE) {
            break;
        }
        x = taco__rasteret_filter_compare_edge(arena, t, names[i],
                                               i < 2 ? TACO__OP_GE : TACO__OP_LE, b->edge[i], err);
        e = x ? taco__expr_and(arena, e, x, err) : NULL;
        if (!e) {
            return NULL;
        }
    }
    if (i == 4) {
        return e;
    }
    memset(&custom, 0, sizeof custom);
    custom.ctx = b;
    c = taco__table_find_column(t, "bbox");
    if (c != SIZE_MAX && taco__contract_find_bbox(&t->fields[c], b->at)) {
        custom.eval = taco__rasteret_filter_bbox_struct;
        return taco__rasteret_filter_may_match(t, c, b)
                   ? taco__expr_custom(arena, c, &custom, err)
                   : taco__expr_const(arena, taco__expr_bool_value(0), err);
    }
    c = taco__table_find_column(t, "scene_bbox");
    if (c != SIZE_MAX && taco__contract_is_bbox_list(&t->fields[c])) {
        custom.eval = taco__rasteret_filter_bbox_list;
        return taco__expr_custom(arena, c, &custom, err);
    }
    return taco__expr_const(arena, taco__expr_bool_value(0),
                            err); /* a file without boxes: all null */
}
TACO__FN taco__expr *taco__rasteret_filter_time(taco__arena *arena, const taco__table *t,
                                                const taco_filter *f, taco_error *err)
{
    int64_t day = 0, last = 0, from = 0, to = 0, unit = 1;
    size_t  c = taco__table_find_column(t, f->time_column ? f->time_column : "datetime");
    if (taco__time_parse_range(f->time, &day, &last, &from, &to, err) != TACO_OK) {
        return NULL;
    }
    if (c == SIZE_MAX) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "the collection has no datetime column");
        return NULL;
    }
    if (t->fields[c].type == TACO_NULL) {
        return taco__expr_const(arena, taco__expr_bool_value(0), err);
    }
    if (t->fields[c].type != TACO_TIMESTAMP) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "the collection's datetime column is not a timestamp");
        return NULL;
    }
    if (from > to) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "invalid time range: its end is before its start");
        return NULL;
    }
    if (!strchr(f->time, '/') && from == day * 86400000000LL && to == from) {
        to += 86400000000LL - 1;
    }
    if (t->fields[c].unit == TACO_NANO) {
        to = to > INT64_MAX / 1000 - 1 ? INT64_MAX - 1
                                       : to * 1000 + 999 * (strchr(f->time, '/') == NULL);
    } else {
        unit = t->fields[c].unit == TACO_MILLI    ? 1000
               : t->fields[c].unit == TACO_SECOND ? 1000000
                                                  : 1;
        to = taco__time_floor_div(to, unit);
    }
    return taco__expr_range_i64(arena, c, taco__query_time_in_unit(from, t->fields[c].unit), true,
                                to + 1, true, err);
}

/* ---- what a collection is ------------------------------------------------------------------------ */

typedef struct taco__rasteret_info_summary {
    double  box[4];
    bool    boxed;
    int64_t epsg[256]; /* ascending; more codes than these are not told apart */
    size_t  epsg_count;
    char    source[256]; /* first collection column that is not empty */
} taco__rasteret_info_summary;

TACO__FN void taco__rasteret_info_add_code(taco__rasteret_info_summary *f, int64_t code)
{
    size_t i = 0;
    while (i < f->epsg_count && f->epsg[i] < code) {
        i++;
    }
    if (f->epsg_count < TACO__COUNT(f->epsg) && (i == f->epsg_count || f->epsg[i] != code)) {
        memmove(&f->epsg[i + 1], &f->epsg[i], (f->epsg_count - i) * sizeof *f->epsg);
        f->epsg[i] = code;
        f->epsg_count++;
    }
}
TACO__FN void taco__rasteret_info_add_bbox(taco__rasteret_info_summary *f, const double box[4])
{
    size_t k;
    for (k = 0; k < 4; k++) {
        if (!f->boxed || (k < 2 ? box[k] < f->box[k] : box[k] > f->box[k])) {
            f->box[k] = box[k];
        }
    }
    f->boxed = true;
}
/* The box of row i, from a struct or a list; false where it is null or not of numbers. */
TACO__FN bool taco__rasteret_info_row_bbox(const taco_array *a, const size_t at[4], size_t i,
                                           double box[4])
{
    size_t k;
    if (!taco_array_valid(a, i) ||
        (a->field->type == TACO_LIST && a->offsets[i + 1] - a->offsets[i] != 4)) {
        return false;
    }
    for (k = 0; k < 4; k++) {
        const taco_array *c = &a->children[a->field->type == TACO_LIST ? 0 : at[k]];
        size_t            j = a->field->type == TACO_LIST ? (size_t)a->offsets[i] + k : i;
        if (!taco_array_valid(c, j)) {
            return false;
        }
        box[k] = taco_array_double(c, j);
        if (box[k] != box[k]) {
            return false;
        }
    }
    return true;
}
TACO__FN bool taco__rasteret_info_scan(taco_dataset *ds, taco__rasteret_info_summary *facts,
                                       taco_error *err)
{
    static const char *const wanted[4] = {"bbox", "scene_bbox", "proj:epsg", "collection"};
    taco_query               q;
    taco_cursor             *c;
    taco_batch               b;
    char                     select[64];
    size_t                   n, i, k, len = 0, at[4];
    const taco_field        *f = taco_level_fields(ds, 0, &n, err);
    bool                     have[4] = {false, false, false, false};
    for (i = 0; f && i < n; i++) {
        for (k = 0; k < 4; k++) {
            have[k] = have[k] || (strcmp(f[i].name, wanted[k]) == 0 &&
                                  (k == 0   ? taco__contract_find_bbox(&f[i], at)
                                   : k == 1 ? taco__contract_is_bbox_list(&f[i])
                                   : k == 2 ? f[i].type >= TACO_INT8 && f[i].type <= TACO_UINT64
                                            : f[i].type == TACO_TEXT));
        }
    }
    have[1] = have[1] && !have[0];
    for (k = 0; k < 4; k++) {
        if (have[k]) {
            const char *p = wanted[k];
            select[len] = ',';
            len += len ? 1 : 0;
            select[len++] = '"';
            while (*p) {
                select[len++] = *p++;
            }
            select[len++] = '"';
        }
    }
    select[len] = 0;
    if (!f || len == 0) {
        return f != NULL;
    }
    memset(&q, 0, sizeof q);
    q.select = select;
    c = taco_select(ds, &q, err);
    while (c && taco_cursor_batch(c, &b)) {
        for (k = 0; k < b.column_count; k++) {
            const taco_array *a = &b.columns[k];
            const char       *name = a->field->name;
            for (i = 0; i < b.length; i++) {
                double box[4];
                if (strcmp(name, "proj:epsg") == 0) {
                    if (taco_array_valid(a, i)) {
                        taco__rasteret_info_add_code(facts, taco_array_int(a, i));
                    }
                } else if (strcmp(name, "collection") == 0) {
                    taco_bytes v = taco_array_bytes(a, i);
                    if (v.len && v.len < sizeof facts->source && !facts->source[0]) {
                        memcpy(facts->source, v.data, v.len);
                    }
                } else if ((a->field->type == TACO_LIST ||
                            taco__contract_find_bbox(a->field, at)) &&
                           taco__rasteret_info_row_bbox(a, at, i, box)) {
                    taco__rasteret_info_add_bbox(facts, box);
                }
            }
        }
    }
    return taco_cursor_close(c, err) == TACO_OK && c != NULL;
}
TACO__FN bool taco__rasteret_info_append_text(taco__buf *b, const char *key, taco_bytes v,
                                              taco_error *err)
{
    return taco__buf_append_text(b, key, err) && taco__json_write_string(b, v, err);
}
/* Rasteret's name of a collection without one: the last part of its path, without suffixes. */
TACO__FN taco_bytes taco__rasteret_info_default_name(const char *path)
{
    size_t n = strlen(path), from, i;
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    for (from = n; from && path[from - 1] != '/' && path[from - 1] != '\\'; from--) {
    }
    for (i = n; i > from + 1; i--) {
        if (path[i - 1] == '.') {
            n = i - 1;
            break;
        }
    }
    return taco__bytes_of(path + from, n - from);
}
TACO__FN bool taco__rasteret_info_append_bands(taco_dataset *ds, taco__buf *b, taco_error *err)
{
    const taco_field *f;
    size_t            n, i, k = 0;
    bool              ok = taco__buf_append_text(b, ",\"bands\":[", err);
    f = taco_level_fields(ds, 0, &n, err);
    for (i = 0; f && ok && i < n; i++) {
        size_t len = strlen(f[i].name);
        if (taco__container_ends_with(f[i].name, "_metadata")) {
            ok = (k++ == 0 || taco__buf_append_char(b, ',', err)) &&
                 taco__json_write_string(b, taco__bytes_of(f[i].name, len - 9), err);
        }
    }
    return f && ok && taco__buf_append_char(b, ']', err);
}
TACO__FN bool taco__rasteret_info_append_summary(taco_dataset                      *ds,
                                                 const taco__rasteret_info_summary *f, taco__buf *b,
                                                 taco_error *err)
{
    char    number[40];
    int64_t rows = taco_level_rows(ds, 0, err);
    size_t  i;
    bool    ok =
        rows >= 0 && taco__buf_append_text(b, f->boxed ? ",\"bounds\":[" : ",\"bounds\":null", err);
    for (i = 0; ok && f->boxed && i < 4; i++) {
        ok = (i == 0 || taco__buf_append_char(b, ',', err)) &&
             taco__buf_append(b, number, taco__num_format_f64(number, f->box[i]), err);
    }
    ok = ok && taco__buf_append_text(b, f->boxed ? "],\"epsg\":[" : ",\"epsg\":[", err);
    for (i = 0; ok && i < f->epsg_count; i++) {
        ok = (i == 0 || taco__buf_append_char(b, ',', err)) &&
             taco__buf_append(b, number, taco__num_format_i64(number, f->epsg[i]), err);
    }
    return ok && taco__buf_append_text(b, "],\"len\":", err) &&
           taco__buf_append(b, number, taco__num_format_i64(number, rows), err);
}
/* Fills the collection of the first store from the key-value metadata of its file; with `whole` also what only the rows
   say: bounds, codes and number. */
TACO__FN bool taco__rasteret_info_describe(taco_dataset *ds, bool whole, taco_error *err)
{
    taco__container            *s = &ds->stores[0];
    taco__level                *l = taco__container_level(s, 0, err);
    taco__rasteret_info_summary facts;
    taco__buf                   b;
    taco_bytes                  name, source, dates, text;
    const void                 *comma;
    char                       *copy;
    bool                        ok;
    if (!l) {
        return false;
    }
    memset(&facts, 0, sizeof facts);
    memset(&b, 0, sizeof b);
    b.mem = s->mem;
    name = taco_pq_key_value(&l->pq, "name");
    name =
        name.len ? name : taco__rasteret_info_default_name(((taco__rasteret_file *)s->own)->root);
    source = taco_pq_key_value(&l->pq, "data_source");
    dates = taco_pq_key_value(&l->pq, "date_range");
    comma = dates.len ? memchr(dates.data, ',', dates.len) : NULL;
    ok = !whole || taco__rasteret_info_scan(ds, &facts, err);
    source = source.len ? source : taco__bytes_text(facts.source);
    text = taco_pq_key_value(&l->pq, "description");
    ok = ok && taco__rasteret_info_append_text(&b, "{\"name\":", name, err) &&
         taco__rasteret_info_append_text(&b, ",\"description\":", text, err) &&
         taco__rasteret_info_append_text(&b, ",\"data_source\":", source, err);
    if (comma) {
        size_t at = (size_t)((const uint8_t *)comma - dates.data);
        ok =
            ok &&
            taco__rasteret_info_append_text(&b, ",\"start_date\":", taco__bytes_of(dates.data, at),
                                            err) &&
            taco__rasteret_info_append_text(
                &b, ",\"end_date\":", taco__bytes_of(dates.data + at + 1, dates.len - at - 1), err);
    } else {
        ok = ok && taco__buf_append_text(&b, ",\"start_date\":null,\"end_date\":null", err);
    }
    ok = ok &&
         (!whole || (taco__rasteret_info_append_bands(ds, &b, err) &&
                     taco__rasteret_info_append_summary(ds, &facts, &b, err))) &&
         taco__buf_append_char(&b, '}', err);
    copy = ok ? taco__arena_text(s->arena, taco__bytes_of(b.data, b.len), err) : NULL;
    ok = copy && taco__json_parse(s->arena, taco__bytes_of(copy, b.len), &ds->options.limits,
                                  &s->coll.doc, err) == TACO_OK;
    s->coll.id = ok ? taco__arena_text(s->arena, name, err) : "";
    s->coll.description = ok ? taco__arena_text(s->arena, text, err) : "";
    taco__buf_free(&b);
    return ok && s->coll.id && s->coll.description;
}
TACO__FN bool taco__rasteret_info(taco_dataset *ds, taco_error *err)
{
    return taco__rasteret_info_describe(ds, true, err);
}
static const taco_opener taco__rasteret_opener = {"rasteret",
                                                  taco__rasteret_detect,
                                                  taco__rasteret_open,
                                                  taco__rasteret_read_level,
                                                  NULL,
                                                  taco__rasteret_roles,
                                                  NULL,
                                                  taco__rasteret_filter_bbox,
                                                  taco__rasteret_filter_time,
                                                  NULL,
                                                  taco__rasteret_info};

TACO_API const taco_opener *taco_rasteret_opener(void)
{
    return &taco__rasteret_opener;
}
TACO_API taco_status taco_rasteret_validate(const char *path, const taco_options *opt,
                                            taco_error *err)
{
    const taco_opener *openers[2] = {&taco__rasteret_opener, NULL};
    taco_options       o;
    taco_error         own;
    taco_dataset      *ds;
    const taco_field  *f;
    size_t             n = 0, i;
    taco__contract     seen;
    memset(&o, 0, sizeof o);
    memset(&own, 0, sizeof own);
    memset(&seen, 0, sizeof seen);
    o = opt ? *opt : o;
    o.openers = openers;
    ds = taco_open(path, &o, &own);
    if (ds && !ds->stores[0].format) {
        taco__contract_check_complete(&seen, &own);
        taco__error_prefix(&own, "%s", path);
    }
    f = ds && own.code == TACO_OK ? taco_level_fields(ds, 0, &n, &own) : NULL;
    for (i = 0; f && i < n; i++) {
        if (!taco__contract_check_type(&f[i], &own)) {
            taco__error_prefix(&own, "%s", path);
            break;
        }
    }
    taco_close(ds);
    if (err && err->code == TACO_OK && own.code != TACO_OK) {
        *err = own;
    }
    return own.code;
}
