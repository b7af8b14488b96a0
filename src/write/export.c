/* ==== ROOM export: views of a dataset, and whole datasets, into other containers.
   Uses: pack model nav cursor view join store. Spec: TACO 2.0.0 §7.1.3, §7.1.4 ==== */

#define TACO__EXPORT_PREFETCH                                                                      \
    8388608 /* bytes of payload that a vectored source is asked for at a time */

typedef struct
    taco__export_origin { /* where the bytes of some level-0 samples, and of all below them, are */
    taco__container *store;
    const char      *source; /* TACOCAT: the archive */
} taco__export_origin;

typedef struct taco__export_window { /* rows of one level whose bytes are held */
    taco__file *file;
    taco__range range;
    size_t      from, to;
} taco__export_window;

typedef struct taco__export {
    taco_dataset *ds;
    taco__mem     mem;
    taco__arena   arena;
    taco__tree    tree;
    uint8_t  *chosen[TACO__MAX_LEVELS]; /* bits of the rows of all stores, one behind the other */
    size_t    rows[TACO__MAX_LEVELS];
    taco__buf map; /* int32 number in the tree of each row of the level that was read last, or -1 */
    taco__buf places; /* taco__export_origin */
    taco__buf place;  /* uint32 of each level-0 sample */
    uint64_t  total;  /* bytes of payload, where they are known */
    size_t    last;   /* place whose archive is open */
    taco__file         *file;
    taco__export_window window[TACO__MAX_LEVELS];
    taco_source         held; /* the file at hand, read from what is held */
    taco__buf           path, head;
    /* the columns of a level */
    taco__container_columns source;
    taco_cursor            *cursor;
    uint32_t                level;
    size_t                  at;
    taco__arena             columns;
    taco__array_buf        *taken;
    taco_array             *arrays;
    taco__buf               index;
    taco__buf               order
        [TACO__MAX_LEVELS]; /* int32: levels whose rows do not stand in the order of their parents */
    taco__builder *whole;   /* such a level, all of it */
} taco__export;

/* Lets go of the columns of the level at hand. */
TACO__FN void taco__export_source_end_level(taco__export *e)
{
    size_t i, n = e->source.counts[e->level];
    for (i = 0; i < n; i++) {
        if (e->taken) {
            taco__array_buf_free(&e->taken[i]);
        }
        if (e->whole) {
            taco__builder_free(&e->whole[i]);
        }
    }
    e->taken = NULL;
    e->whole = NULL;
    taco_cursor_close(e->cursor, NULL);
    e->cursor = NULL;
    taco__arena_free(&e->columns);
}
TACO__FN void taco__export_free(taco__export *e)
{
    size_t i;
    taco__export_source_end_level(e);
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        if (e->window[i].file) {
            taco__file_release(e->window[i].file, e->window[i].range.offset,
                               e->window[i].range.len);
        }
        taco__buf_free(&e->order[i]);
        taco__mem_free(&e->mem, e->chosen[i], TACO__BITMAP_BYTES(e->rows[i]));
    }
    taco__tree_free(&e->tree);
    taco__buf_free(&e->map);
    taco__buf_free(&e->places);
    taco__buf_free(&e->place);
    taco__buf_free(&e->path);
    taco__buf_free(&e->head);
    taco__buf_free(&e->index);
    taco__arena_free(&e->arena);
}

/* ---- which samples ---- */

/* Marks the level-0 rows that the query leaves. */
TACO__FN bool taco__export_select_samples(taco__export *e, const taco_query *query, taco_error *err)
{
    taco_query   q = *query;
    uint64_t     skip = q.offset, left = q.limit ? q.limit : UINT64_MAX;
    taco_cursor *c;
    size_t       i, base_all = 0;
    if (q.order || q.flat || q.table) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "an export has samples of level 0 in storage order: no order, no flat view, no "
                   "other table");
        return false;
    }
    q.limit = q.offset = 0;
    q.select = "id";
    c = taco_select(e->ds, &q, err);
    for (i = 0; c && i < c->reader_count; i++) {
        taco__table_reader *f = &c->readers[i];
        const uint32_t     *found;
        uint64_t            base;
        size_t              n, k;
        while (left && (n = taco__scan_next(&f->scan, TACO__SCAN_SLICE, false, &found, &base,
                                            &c->err)) != 0) {
            for (k = 0; k < n && left; k++) {
                if (skip) {
                    skip--;
                } else {
                    taco__bitmap_set(e->chosen[0], base_all + (size_t)base + found[k]);
                    left--;
                }
            }
        }
        base_all += (size_t)f->table->rows;
    }
    return taco_cursor_close(c, err) == TACO_OK && c != NULL;
}
TACO__FN bool taco__export_add_origin(taco__export *e, taco__container *s, taco_bytes source,
                                      taco_error *err)
{
    taco__export_origin *p = (taco__export_origin *)(void *)e->places.data, one;
    size_t               i = e->places.len / sizeof *p;
    uint32_t             number;
    while (i &&
           (p[i - 1].store != s ||
            (p[i - 1].source && !taco__bytes_equal(taco__bytes_text(p[i - 1].source), source)))) {
        i--; /* rows of one archive follow each other: the last place is the first guess */
    }
    if (i == 0) {
        one.store = s;
        one.source = NULL;
        if (s->kind == TACO_KIND_TACOCAT) {
            if (taco__vsi_check_name(source, "internal:source_file", err) != TACO_OK) {
                return false;
            }
            one.source = taco__arena_text(&e->arena, source, err);
        }
        if ((s->kind == TACO_KIND_TACOCAT && !one.source) ||
            !taco__buf_append(&e->places, &one, sizeof one, err)) {
            return false;
        }
        i = e->places.len / sizeof one;
    }
    number = (uint32_t)i - 1;
    return taco__buf_append(&e->place, &number, sizeof number, err);
}
/* What an id may not have, whatever it was written by: a path is made of it. */
TACO__FN bool taco__export_check_id(taco_bytes id, bool valid, taco_error *err)
{
    if (!valid || taco__vsi_check_path(id, false, "id", err) != TACO_OK) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "id is null");
        return false;
    }
    if (memchr(id.data, '/', id.len)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "id %q has a '/'", &id);
        return false;
    }
    return true;
}
enum {
    TACO__EXPORT_ID,
    TACO__EXPORT_TYPE,
    TACO__EXPORT_OFFSET,
    TACO__EXPORT_SIZE,
    TACO__EXPORT_SOURCE,
    TACO__EXPORT_ROLES
};

/* Row i of a batch joins the tree, with where its bytes are. */
TACO__FN bool taco__export_add_row(taco__export *e, taco__container *s, uint32_t level,
                                   size_t parent, const taco_array *a, const size_t *at, size_t i,
                                   taco_error *err)
{
    taco_bytes id = taco_array_bytes(&a[at[TACO__EXPORT_ID]], i),
               type = taco_array_bytes(&a[at[TACO__EXPORT_TYPE]], i);
    int     folder = taco__sample_path_parse_type(type);
    bool    ranges = at[TACO__EXPORT_OFFSET] != TACO__NONE && at[TACO__EXPORT_SIZE] != TACO__NONE;
    int64_t offset = 0, size = 0;
    if (!taco__export_check_id(id, taco_array_valid(&a[at[TACO__EXPORT_ID]], i), err)) {
        return false;
    }
    if (folder < 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "type is %q, must be FILE or FOLDER",
                   &type);
        return false;
    }
    if (s->kind != TACO_KIND_FOLDER && !folder) {
        if (!ranges) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "there is no internal:offset or internal:size");
            return false;
        }
        offset = taco_array_int(&a[at[TACO__EXPORT_OFFSET]], i);
        size = taco_array_int(&a[at[TACO__EXPORT_SIZE]], i);
        if (!taco__vsi_check_range(offset, size, err)) {
            return false;
        }
        e->total += (uint64_t)size;
    }
    if (!taco__tree_append_unordered(&e->tree, level, parent, id, folder != 0, err)) {
        return false;
    }
    taco__tree_set_place(&e->tree, level, e->tree.level[level].rows - 1, (uint64_t)offset,
                         (uint64_t)size);
    return level || taco__export_add_origin(e, s,
                                            at[TACO__EXPORT_SOURCE] == TACO__NONE
                                                ? taco__bytes_of(NULL, 0)
                                                : taco_array_bytes(&a[at[TACO__EXPORT_SOURCE]], i),
                                            err);
}
/* The rows of one store's level whose parent is in the tree (level 0: that are chosen). */
TACO__FN bool taco__export_add_store(taco__export *e, taco__container *s, uint32_t level,
                                     size_t base, size_t above, taco__buf *map, taco_error *err)
{
    taco__level       *l = taco__container_level(s, level, err);
    taco__column_roles r;
    size_t which[TACO__EXPORT_ROLES], at[TACO__EXPORT_ROLES], roles[TACO__EXPORT_ROLES], n = 0, i,
                                                                                         first;
    taco__row_reader rows;
    bool             ok = true;
    if (!l || (level && !taco__join_make_parents(s, level, err)) ||
        !taco__local_meta_find_roles(s, &l->table, &r, err)) {
        return false;
    }
    roles[TACO__EXPORT_ID] = r.id;
    roles[TACO__EXPORT_TYPE] = r.type;
    roles[TACO__EXPORT_OFFSET] = s->kind == TACO_KIND_FOLDER ? TACO__NONE : r.offset;
    roles[TACO__EXPORT_SIZE] = s->kind == TACO_KIND_FOLDER ? TACO__NONE : r.size;
    roles[TACO__EXPORT_SOURCE] = s->kind == TACO_KIND_TACOCAT && level == 0 ? r.source : TACO__NONE;
    for (i = 0; i < TACO__EXPORT_ROLES; i++) {
        at[i] = roles[i] == TACO__NONE ? TACO__NONE : n;
        if (roles[i] != TACO__NONE) {
            which[n++] = roles[i];
        }
    }
    if (!taco__row_reader_open(&rows, &l->table, which, n, &e->mem, err)) {
        return false;
    }
    for (first = 0; ok && first < (size_t)l->table.rows; first += n) {
        n = (size_t)TACO__MIN(l->table.rows - first, (uint64_t)TACO__BATCH_ROWS);
        ok = taco__row_reader_read_range(&rows, first, n, err);
        for (i = 0; ok && i < n; i++) {
            size_t  row = first + i, parent = 0;
            int32_t number = -1;
            bool    in = taco__bitmap_get(e->chosen[level], base + row);
            if (level) {
                int32_t up = l->parents[row];
                number =
                    up < 0 ? -1 : ((const int32_t *)(const void *)e->map.data)[above + (size_t)up];
                in = number >= 0;
                parent = in ? (size_t)number : 0;
                number = -1;
            }
            if (in) {
                taco__bitmap_set(e->chosen[level], base + row);
                number = (int32_t)e->tree.level[level].rows;
                ok = taco__export_add_row(e, s, level, parent, rows.arrays, at, i, err);
            }
            ok = ok && taco__buf_append(map, &number, sizeof number, err);
        }
    }
    taco__row_reader_close(&rows);
    return ok || taco__container_fail(s, l->name, err);
}
/* Rows that do not stand in the order of their parents are brought into it, and what points to them follows. */
TACO__FN bool taco__export_sort_level(taco__export *e, uint32_t level, taco_error *err)
{
    int32_t       *map = (int32_t *)(void *)e->map.data, *to;
    const int32_t *from;
    size_t         i, rows = e->tree.level[level].rows, bytes = rows * sizeof *to;
    e->order[level].mem = &e->mem;
    if (!taco__tree_sort(&e->tree, level, &e->order[level], err)) {
        return false;
    }
    if (!e->order[level].len) {
        return true;
    }
    to = (int32_t *)taco__mem_alloc(&e->mem, bytes, err);
    if (!to) {
        return false;
    }
    from = (const int32_t *)(const void *)e->order[level].data;
    for (i = 0; i < rows; i++) {
        to[from[i]] = (int32_t)i;
    }
    for (i = 0; i < e->map.len / sizeof *map; i++) {
        map[i] = map[i] < 0 ? map[i] : to[map[i]];
    }
    taco__mem_free(&e->mem, to, bytes);
    return true;
}
TACO__FN bool taco__export_add_level(taco__export *e, uint32_t level, taco_error *err)
{
    taco__buf map;
    size_t    i, base = 0, above = 0;
    bool      ok = true;
    memset(&map, 0, sizeof map);
    map.mem = &e->mem;
    for (i = 0; ok && i < e->ds->container_count; i++) {
        ok = taco__export_add_store(e, &e->ds->stores[i], level, base, above, &map, err);
        base += ok ? (size_t)e->ds->stores[i].levels[level].table.rows : 0;
        above += ok && level ? (size_t)e->ds->stores[i].levels[level - 1].table.rows : 0;
    }
    taco__buf_free(&e->map);
    e->map = map;
    return ok && taco__export_sort_level(e, level, err);
}
/* The tree of what the query leaves: whole samples, renumbered. */
TACO__FN bool taco__export_build_tree(taco__export *e, const taco_query *q, taco_error *err)
{
    uint32_t level, levels = taco_levels(e->ds);
    for (level = 0; level < levels; level++) {
        int64_t rows = taco_level_rows(e->ds, level, err);
        if (rows < 0) {
            return false;
        }
        e->rows[level] = (size_t)rows;
        e->chosen[level] =
            (uint8_t *)taco__mem_alloc(&e->mem, TACO__BITMAP_BYTES(e->rows[level]), err);
        if (!e->chosen[level] || (level == 0 && !taco__export_select_samples(e, q, err)) ||
            !taco__export_add_level(e, level, err)) {
            return false;
        }
        if (e->tree.level[level].rows == 0) {
            break;
        }
    }
    if (e->tree.level[0].rows == 0) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s: no sample is left to export",
                   e->ds->stores[0].name);
        return false;
    }
    return true;
}

/* ---- columns ---- */

TACO__FN bool taco__export_source_fields(taco__export *e, uint32_t level, taco_error *err)
{
    size_t            n, i, count = 0;
    const taco_field *all = taco_level_fields(e->ds, level, &n, err);
    taco_field       *fields =
        all ? (taco_field *)taco__arena_array(&e->arena, n, sizeof *fields, err) : NULL;
    if (!fields) {
        return false;
    }
    for (i = 0; i < n; i++) {
        if (!taco__rules_is_reserved_column(taco__bytes_text(all[i].name))) {
            fields[count] = all[i];
            fields[count++].nullable = true;
        }
    }
    e->source.fields[level] = fields;
    e->source.counts[level] = count;
    return true;
}
/* "a", "b": the user's columns, for a query's select. */
TACO__FN bool taco__export_source_select_list(taco__export *e, uint32_t level, taco__buf *out,
                                              taco_error *err)
{
    size_t i;
    bool   ok = true;
    for (i = 0; ok && i < e->source.counts[level]; i++) {
        const char *p = e->source.fields[level][i].name;
        ok = taco__buf_append_text(out, i ? ", \"" : "\"", err);
        for (; ok && *p; p++) {
            ok = (*p != '"' || taco__buf_append_char(out, '"', err)) &&
                 taco__buf_append_char(out, *p, err);
        }
        ok = ok && taco__buf_append_char(out, '"', err);
    }
    return ok && taco__buf_append_char(out, 0, err);
}
/* The chosen rows of the next batch that has some. */
TACO__FN bool taco__export_source_next_chosen(taco__export *e, taco_batch *out, taco_error *err)
{
    taco_batch b;
    size_t     i, n = 0;
    memset(out, 0, sizeof *out);
    while (n == 0) {
        int32_t *index;
        if (!taco_cursor_batch(e->cursor, &b)) {
            taco_cursor *c = e->cursor;
            e->cursor = NULL;
            return taco_cursor_close(c, err) == TACO_OK;
        }
        if (e->at + b.length > e->rows[e->level] ||
            !taco__buf_reset(&e->index, b.length * sizeof *index, err)) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "level %u has more rows than before",
                       TACO__U(e->level));
            return false;
        }
        index = (int32_t *)(void *)e->index.data;
        for (i = 0; i < b.length; i++) {
            index[n] = (int32_t)i;
            n += taco__bitmap_get(e->chosen[e->level], e->at + i);
        }
        e->at += b.length;
    }
    if (n == b.length) {
        *out = b;
        return true;
    }
    for (i = 0; i < b.column_count; i++) {
        if (!taco__take_array(&e->taken[i], &b.columns[i],
                              (const int32_t *)(const void *)e->index.data, n, err)) {
            return false;
        }
        e->arrays[i] = e->taken[i].array;
    }
    out->first_row = -1;
    out->length = n;
    out->columns = e->arrays;
    out->column_count = b.column_count;
    return true;
}
/* All chosen rows of a level into memory: they come out in another order than they are stored in. */
TACO__FN bool taco__export_source_read_level(taco__export *e, taco_error *err)
{
    size_t     n = e->source.counts[e->level], i, row;
    taco_batch b;
    bool       ok;
    e->whole = (taco__builder *)taco__arena_array(&e->columns, n, sizeof *e->whole, err);
    ok = e->whole != NULL;
    for (i = 0; ok && i < n; i++) {
        ok = taco__builder_init(&e->whole[i], &e->source.fields[e->level][i], &e->mem, &e->columns,
                                0, err);
    }
    b.length = 1;
    while (ok && b.length) {
        ok = taco__export_source_next_chosen(e, &b, err);
        for (i = 0; ok && i < n && b.length; i++) {
            for (row = 0; ok && row < b.length; row++) {
                ok = taco__builder_append_copy(&e->whole[i], &b.columns[i], row, err);
            }
        }
    }
    for (i = 0; ok && i < n; i++) {
        taco__builder_finish(&e->whole[i], &e->columns, err);
        ok = e->whole[i].length == e->tree.level[e->level].rows && e->whole[i].array.children;
    }
    e->at = 0;
    return ok;
}
TACO__FN bool taco__export_source_begin_level(void *ctx, uint32_t level, taco_error *err)
{
    taco__export *e = (taco__export *)ctx;
    taco_query    q;
    taco__buf     names;
    size_t        i, n = e->source.counts[level];
    bool          ok;
    memset(&q, 0, sizeof q);
    memset(&names, 0, sizeof names);
    names.mem = &e->mem;
    taco__export_source_end_level(e);
    e->level = level;
    e->at = 0;
    ok = taco__export_source_select_list(e, level, &names, err);
    if (ok) {
        q.table = level;
        q.padding = true;
        q.select = (const char *)names.data;
        e->cursor = taco_select(e->ds, &q, err);
    }
    taco__buf_free(&names);
    if (!e->cursor) {
        return false;
    }
    e->arrays = (taco_array *)taco__arena_array(&e->columns, n, sizeof *e->arrays, err);
    e->taken = (taco__array_buf *)taco__arena_array(&e->columns, n, sizeof *e->taken, err);
    ok = e->arrays && e->taken;
    for (i = 0; ok && i < n; i++) {
        ok = taco__array_buf_init(&e->taken[i], &e->source.fields[level][i], &e->mem, &e->columns,
                                  err);
    }
    return ok && (!e->order[level].len || taco__export_source_read_level(e, err));
}
TACO__FN bool taco__export_source_next_batch(void *ctx, taco_batch *out, taco_error *err)
{
    taco__export  *e = (taco__export *)ctx;
    const int32_t *order = (const int32_t *)(const void *)e->order[e->level].data;
    size_t         i, n;
    if (!e->whole) {
        return taco__export_source_next_chosen(e, out, err);
    }
    n = TACO__MIN(e->tree.level[e->level].rows - e->at, (size_t)TACO__BATCH_ROWS);
    memset(out, 0, sizeof *out);
    for (i = 0; i < e->source.counts[e->level]; i++) {
        if (!taco__take_array(&e->taken[i], &e->whole[i].array, order + e->at, n, err)) {
            return false;
        }
        e->arrays[i] = e->taken[i].array;
    }
    e->at += n;
    out->first_row = -1;
    out->length = n;
    out->columns = e->arrays;
    out->column_count = e->source.counts[e->level];
    return true;
}

/* ---- payload ---- */

TACO__FN bool taco__export_source_read_prefetched(void *ctx, uint64_t offset, void *dst, size_t len)
{
    return taco__file_read((taco__file *)ctx, offset, dst, len, NULL);
}
TACO__FN const taco__export_origin *taco__export_source_origin_of(taco__export *e, uint32_t level,
                                                                  size_t row, size_t *number)
{
    for (; level; level--) {
        row = taco__tree_parent(&e->tree, level, row);
    }
    *number = ((const uint32_t *)(const void *)e->place.data)[row];
    return &((const taco__export_origin *)(const void *)e->places.data)[*number];
}
/* Asks a vectored source for the bytes of the rows that follow, in one round, sorted and joined by room io. */
TACO__FN bool taco__export_source_prefetch(taco__export *e, uint32_t level, size_t row,
                                           size_t place, taco_error *err)
{
    taco__export_window *w = &e->window[level];
    uint64_t             begin = UINT64_MAX, end = 0, sum = 0;
    size_t               to = row, number;
    if (w->file == e->file && row >= w->from && row < w->to) {
        return true;
    }
    if (w->file) {
        taco__file_release(w->file, w->range.offset, w->range.len);
        w->file = NULL;
    }
    for (; to < e->tree.level[level].rows; to++) {
        uint64_t offset = (uint64_t)taco__tree_offset(&e->tree, level, to),
                 size = (uint64_t)taco__tree_size(&e->tree, level, to), low, high;
        taco__export_source_origin_of(e, level, to, &number);
        if (number != place || taco__tree_is_folder(&e->tree, level, to)) {
            break;
        }
        low = TACO__MIN(begin, offset - TACO__MIN(offset, (uint64_t)1024)); /* its local header */
        high = TACO__MAX(end, offset + size);
        sum += size;
        if (high - low > TACO__EXPORT_PREFETCH || high - low > sum * 2 + 65536) {
            break; /* too much at a time, or too much between them */
        }
        begin = low;
        end = high;
    }
    if (to > row + 1 && taco__checked_range(begin, end - begin, e->file->src.size)) {
        w->range.offset = begin;
        w->range.len = end - begin;
        w->from = row;
        w->to = to;
        if (!taco__file_fetch(e->file, &w->range, 1, err)) {
            return false;
        }
        w->file = e->file;
    }
    return true;
}
/* True when the local header of the entry `name` ends right before the offset. */
TACO__FN bool taco__export_source_has_local_header(taco__export *e, uint64_t offset,
                                                   taco_bytes name)
{
    size_t extra;
    for (extra = 0; extra <= 20; extra += 20) {
        size_t len = TACO__ZIP_LOCAL_BYTES + name.len + extra;
        if (offset >= len && taco__buf_reset(&e->head, len, NULL) &&
            taco__file_read(e->file, offset - len, e->head.data, len, NULL) &&
            taco__load_le32(e->head.data) == TACO__ZIP_SIG_LOCAL &&
            memcmp(e->head.data + TACO__ZIP_LOCAL_BYTES, name.data, name.len) == 0) {
            return true;
        }
    }
    return false;
}
/* Offset and size of a FILE in its archive. Consolidated ones may be another row's (facts: disagreements 1): what stands
   before the bytes tells, and then __meta__ is asked. */
TACO__FN bool taco__export_source_range(taco__export *e, uint32_t level, size_t row,
                                        taco__range *out, taco_error *err)
{
    taco_sample s;
    taco_error  why;
    out->offset = (uint64_t)taco__tree_offset(&e->tree, level, row);
    out->len = (uint64_t)taco__tree_size(&e->tree, level, row);
    if (level == 0) {
        return true;
    }
    e->path.len = 0;
    if (!taco__buf_append_text(&e->path, "DATA/", err) ||
        !taco__tree_path(&e->tree, level, row, &e->path, err) ||
        taco__export_source_has_local_header(e, out->offset,
                                             taco__bytes_of(e->path.data, e->path.len))) {
        return err->code == TACO_OK;
    }
    memset(&why, 0, sizeof why);
    if (taco__buf_append_char(&e->path, 0, err) &&
        taco_locate(e->ds, (const char *)e->path.data + 5, &s, &why) == TACO_OK && !s.folder &&
        !s.whole) {
        out->offset = s.offset;
        out->len = s.size;
    }
    return err->code == TACO_OK;
}
TACO__FN bool taco__export_source_open_folder_file(taco__export *e, const taco__container *s,
                                                   uint32_t level, size_t row, taco__input *in,
                                                   taco_error *err)
{
    const char *path;
    taco_error  why;
    bool        ok;
    e->path.len = 0;
    memset(&why, 0, sizeof why);
    if (!taco__buf_append_text(&e->path, s->dir, err) ||
        !taco__buf_append_text(&e->path, "DATA/", err) ||
        !taco__tree_path(&e->tree, level, row, &e->path, err) ||
        !taco__buf_append_char(&e->path, 0, err)) {
        return false;
    }
    path = (const char *)e->path.data;
#ifndef TACO_NO_STDIO
    ok = s->options->open_file ? taco__source_open_path(s->options, path, &in->source, &why)
                               : taco__input_open_file(in, path, &why);
#else
    ok = taco__source_open_path(s->options, path, &in->source, &why);
#endif
    if (ok && s->options->open_file) {
        in->size = in->source.size;
        in->own = true;
    }
    if (!ok && taco__rules_is_padding(taco__tree_id(&e->tree, level, row))) {
        taco__input_from_bytes(
            in, taco__bytes_of(NULL, 0)); /* no file is needed for what has no bytes */
        ok = true;
    }
    if (!ok && err->code == TACO_OK) {
        *err = why;
    }
    return ok;
}
TACO__FN bool taco__export_source_payload(void *ctx, uint32_t level, size_t row, taco__input *in,
                                          taco_error *err)
{
    taco__export              *e = (taco__export *)ctx;
    size_t                     number;
    const taco__export_origin *p = taco__export_source_origin_of(e, level, row, &number);
    taco__range                r;
    if (p->store->kind == TACO_KIND_FOLDER) {
        return taco__export_source_open_folder_file(e, p->store, level, row, in, err);
    }
    if (e->last != number || !e->file) {
        e->file = p->source
                      ? taco__container_open_archive(p->store, taco__bytes_text(p->source), err)
                      : &p->store->file;
        e->last = number;
        if (!e->file) {
            return taco__container_fail(p->store, NULL, err);
        }
    }
    if ((e->file->src.read_many && !taco__export_source_prefetch(e, level, row, number, err)) ||
        !taco__export_source_range(e, level, row, &r, err)) {
        return false;
    }
    if (!taco__checked_range(r.offset, r.len, e->file->src.size)) {
        taco_bytes id = taco__tree_id(&e->tree, level, row);
        TACO__FAIL(err, TACO_ERR_TRUNCATED, r.offset,
                   "%s: sample %q: payload of %u bytes, the archive ends at %u",
                   p->source ? p->source : p->store->name, &id, r.len, e->file->src.size);
        return false;
    }
    if (e->file->src.read_many) {
        memset(&e->held, 0, sizeof e->held);
        e->held.ctx = e->file;
        e->held.read = taco__export_source_read_prefetched;
        e->held.size = e->file->src.size;
        taco__input_from_range(in, &e->held, r.offset, r.len);
    } else {
        taco__input_from_range(in, &e->file->src, r.offset, r.len);
    }
    return true;
}

/* ---- the collection, and all of it ---- */

/* The source's document; of a subset with what it is of and since when (§7.1.3). */
TACO__FN const taco__json *taco__export_collection(taco__export *e, bool subset, int64_t when,
                                                   taco_error *err)
{
    static const char *const skip[] = {"taco:subset_of", "taco:subset_date"};
    const taco__collection  *c = &e->ds->stores[0].coll;
    taco__json_doc           doc;
    taco__buf                text;
    char                     stamp[48];
    bool                     ok, first = true;
    const char              *copy;
    if (!subset) {
        return c->doc.root;
    }
    memset(&text, 0, sizeof text);
    text.mem = &e->mem;
    stamp[taco__time_format_timestamp(stamp, when, TACO_SECOND, false)] = 0;
    ok = taco__buf_append_char(&text, '{', err) &&
         taco__document_copy_members(c->doc.root, skip, 2, &first, &text, err) &&
         taco__document_write_key(&text, &first, skip[0], err) &&
         taco__json_write_utf8(&text, taco__bytes_text(c->id), err) &&
         taco__document_write_key(&text, &first, skip[1], err) &&
         taco__buf_append_char(&text, '"', err) && taco__buf_append_text(&text, stamp, err) &&
         taco__buf_append_text(&text, "+00:00\"}", err);
    copy = ok ? taco__arena_text(&e->arena, taco__bytes_of(text.data, text.len), err) : NULL;
    ok = copy &&
         taco__json_parse(&e->arena, taco__bytes_of(copy, text.len), NULL, &doc, err) == TACO_OK;
    taco__buf_free(&text);
    return ok ? doc.root : NULL;
}
/* The samples of the tree, whole, with these columns and this collection. */
TACO__FN bool taco__export_write_container(taco__export *e, const char *path,
                                           const taco_create_options *opt, const taco__json *root,
                                           const taco__container_columns *source, taco_error *err)
{
    taco__container_writer p;
    if (!taco__container_write_begin(&p, path, opt, &e->tree, &e->mem, err)) {
        return false;
    }
    if (!taco__container_write_samples(&p, taco__export_source_payload, e, err)) {
        taco__container_write_abort(&p);
        return false;
    }
    return taco__container_write_finish(&p, root, source, err);
}
TACO__FN bool taco__export_write(taco__export *e, const char *path, const taco_create_options *opt,
                                 bool subset, taco_error *err)
{
    taco_create_options o;
    const taco__json   *root;
    uint32_t            level;
    memset(&o, 0, sizeof o);
    o = opt ? *opt : o;
    o.options = o.options ? o.options : &e->ds->options;
    o.new_extent = o.new_extent || subset;
    o.total = o.total ? o.total : e->total;
    for (level = 0; level < e->tree.levels; level++) {
        if (!taco__export_source_fields(e, level, err)) {
            return false;
        }
    }
    e->source.ctx = e;
    e->source.begin = taco__export_source_begin_level;
    e->source.next = taco__export_source_next_batch;
    root = taco__export_collection(e, subset, o.date ? o.date : taco__plat_now(), err);
    return root && taco__export_write_container(e, path, &o, root, &e->source, err);
}
/* Of what taco__export_free frees, also when it fails. */
TACO__FN bool taco__export_init(taco__export *e, taco_dataset *ds, taco_error *err)
{
    memset(e, 0, sizeof *e);
    e->ds = ds;
    taco__mem_init(&e->mem, &ds->options);
    e->arena.mem = e->columns.mem = &e->mem;
    e->map.mem = e->places.mem = e->place.mem = e->path.mem = e->head.mem = e->index.mem = &e->mem;
    taco__tree_init(&e->tree, &e->mem);
    if (ds->stores[0].format) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "%s: a %s, no TACO 2 dataset: taco convert makes one", ds->stores[0].name,
                   ds->stores[0].format->name);
        return false;
    }
    return true;
}
TACO__FN taco_status taco__export_run(taco_dataset *ds, const char *path, const taco_query *q,
                                      const taco_create_options *opt, bool subset, taco_error *err)
{
    taco_error   own;
    taco__export e;
    bool         ok;
    memset(&own, 0, sizeof own);
    err = err ? err : &own;
    if (!ds || !path) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          ds ? "path" : "dataset");
    }
    if (!taco__export_init(&e, ds, err)) {
        taco__export_free(&e);
        return err->code;
    }
    ok = taco__export_build_tree(&e, q, err) && taco__export_write(&e, path, opt, subset, err);
    if (!ok) {
        taco__error_prefix(err, "%s", path);
    }
    taco__export_free(&e);
    return ok ? TACO_OK : err->code;
}
TACO_API taco_status taco_export(taco_dataset *ds, const char *path, const taco_query *query,
                                 const taco_create_options *opt, taco_error *err)
{
    taco_query all;
    memset(&all, 0, sizeof all);
    return taco__export_run(ds, path, query ? query : &all, opt, true, err);
}
TACO_API taco_status taco_repack(taco_dataset *ds, const char *path, const taco_create_options *opt,
                                 taco_error *err)
{
    taco_query all;
    memset(&all, 0, sizeof all);
    all.padding = true;
    return taco__export_run(ds, path, &all, opt, false, err);
}
