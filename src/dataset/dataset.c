/* ==== ROOM dataset: the calls of the public API. Uses: cursor view store coll. Spec: TACO 2.0 §7.2 ==== */

/* ---- open and close ------------------------------------------------------------------------------- */

TACO__FN taco_dataset *taco__dataset_alloc(const taco_options *opt, size_t stores, taco_error *err)
{
    taco__mem     mem;
    taco_dataset *ds;
    taco__mem_init(&mem, opt);
    ds = (taco_dataset *)taco__mem_alloc(&mem, sizeof *ds, err);
    if (!ds) {
        return NULL;
    }
    ds->mem = mem;
    ds->arena.mem = ds->info.mem = ds->locate_vsi.mem = ds->locate_file.mem = &ds->mem;
    taco__options_init(&ds->options, opt);
    ds->stores = (taco__container *)taco__arena_array(&ds->arena, stores, sizeof *ds->stores, err);
    if (!ds->stores) {
        taco_close(ds);
        return NULL;
    }
    return ds;
}
TACO_API void taco_close(taco_dataset *ds)
{
    taco__mem mem;
    size_t    i;
    if (!ds) {
        return;
    }
    for (i = 0; i < ds->container_count; i++) {
        taco__container_close(&ds->stores[i]);
    }
    taco__buf_free(&ds->info);
    taco__buf_free(&ds->locate_vsi);
    taco__buf_free(&ds->locate_file);
    taco__arena_free(&ds->arena);
    taco__mem_free_spares(&ds->mem);
    mem = ds->mem;
    taco__mem_free(&mem, ds, sizeof *ds);
}
/* Room for n stores, for formats; those there are keep their places. */
TACO__FN bool taco__dataset_reserve(taco_dataset *ds, size_t n, taco_error *err)
{
    taco__container *more = (taco__container *)taco__arena_array(&ds->arena, n, sizeof *more, err);
    if (more) {
        memcpy(more, ds->stores, TACO__MIN(n, ds->container_count) * sizeof *more);
        ds->stores = more;
    }
    return more != NULL;
}
/* A dataset whose first store was found to be of a format is the format's to open. NULL on failure. */
TACO__FN taco_dataset *taco__dataset_open_format(taco_dataset *ds, const char *const *paths,
                                                 size_t n, taco_error *err)
{
    ds->container_count = 1;
    if (!ds->stores[0].format->open(ds, paths, n, err)) {
        taco_close(ds);
        return NULL;
    }
    return ds;
}
TACO_API taco_dataset *taco_open_many(const char *const *paths, size_t n, taco_column_mode mode,
                                      const taco_options *opt, taco_error *err)
{
    taco_error    own = {0, TACO_OK, 0, {0}};
    taco_dataset *ds;
    err = err ? err : &own;
    if (!paths || n == 0) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
        return NULL;
    }
    ds = taco__dataset_alloc(opt, n, err);
    if (!ds) {
        return NULL;
    }
    ds->mode = mode;
    for (; ds->container_count < n; ds->container_count++) {
        taco__container *s = &ds->stores[ds->container_count];
        if (!paths[ds->container_count]) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
        }
        if (err->code != TACO_OK ||
            !taco__container_open_any(s, paths[ds->container_count], NULL, &ds->mem, &ds->arena,
                                      &ds->options, true, err)) {
            taco_close(ds);
            return NULL;
        }
        if (s->format && ds->container_count == 0) {
            return taco__dataset_open_format(ds, paths, n, err);
        }
        if (s->format) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "%s: a %s cannot be read together with %s, which is none",
                       paths[ds->container_count], s->format->name, paths[0]);
            ds->container_count++;
            taco_close(ds);
            return NULL;
        }
        if (ds->container_count &&
            (s->level_count != ds->stores[0].level_count ||
             taco__collection_check_same_pit(&ds->stores[0].coll, &s->coll, err) != TACO_OK)) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "%u levels, the first dataset has %u", TACO__U(s->level_count),
                       TACO__U(ds->stores[0].level_count));
            taco__error_prefix(err, "%s: cannot be read together with %s",
                               paths[ds->container_count], paths[0]);
            ds->container_count++;
            taco_close(ds);
            return NULL;
        }
    }
    return ds;
}
TACO_API taco_dataset *taco_open(const char *path, const taco_options *opt, taco_error *err)
{
    return taco_open_many(&path, 1, TACO_COLUMNS_INTERSECTION, opt, err);
}
TACO_API taco_dataset *taco_open_source(const taco_source *src, const char *name,
                                        const taco_options *opt, taco_error *err)
{
    taco_dataset *ds;
    if (!taco__source_check(src, err)) {
        return NULL;
    }
    ds = taco__dataset_alloc(opt, 1, err);
    if (!ds) {
        if (src->close) {
            src->close(src->ctx);
        }
        return NULL;
    }
    if (!taco__container_open_any(&ds->stores[0], name ? name : "", src, &ds->mem, &ds->arena,
                                  &ds->options, true, err)) {
        taco_close(ds);
        return NULL;
    }
    ds->container_count = 1;
    return ds->stores[0].format ? taco__dataset_open_format(ds, &ds->stores[0].name, 1, err) : ds;
}
TACO_API taco_status taco_set_base_path(taco_dataset *ds, const char *base, taco_error *err)
{
    size_t i;
    if (!ds || !base) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          ds ? "base path" : "dataset");
    }
    for (i = 0; i < ds->container_count; i++) {
        taco__container *s = &ds->stores[i];
        if (s->kind == TACO_KIND_TACOCAT &&
            !s->format) { /* other kinds ignore it, as in the reference */
            s->parts = taco__container_join_path(
                s, base, taco__container_ends_with(base, "/") ? "" : "/", err);
            if (!s->parts || !taco__container_set_vsi_root(s, base, true, err)) {
                return err ? err->code : TACO_ERR_MEMORY;
            }
        }
    }
    return TACO_OK;
}

/* ---- what it is ----------------------------------------------------------------------------------- */

TACO__FN const char *taco__dataset_text_or_empty(const taco_dataset *ds, const char *text)
{
    return ds && text ? text : "";
}
TACO_API const char *taco_id(const taco_dataset *ds)
{
    return taco__dataset_text_or_empty(ds, ds ? ds->stores[0].coll.id : NULL);
}
TACO_API const char *taco_dataset_version(const taco_dataset *ds)
{
    return taco__dataset_text_or_empty(ds, ds ? ds->stores[0].coll.dataset_version : NULL);
}
TACO_API const char *taco_description(const taco_dataset *ds)
{
    return taco__dataset_text_or_empty(ds, ds ? ds->stores[0].coll.description : NULL);
}
TACO_API const char *taco_title(const taco_dataset *ds)
{
    return taco__dataset_text_or_empty(ds, ds ? ds->stores[0].coll.title : NULL);
}
TACO_API taco_bytes taco_collection(const taco_dataset *ds, const char *key)
{
    const taco__json_doc *doc = ds ? &ds->stores[0].coll.doc : NULL;
    const taco__json     *node = doc ? key ? taco__json_get(doc->root, key) : doc->root : NULL;
    return node ? taco__json_raw(doc, node) : taco__bytes_of(NULL, 0);
}
TACO_API taco_kind taco_dataset_kind(const taco_dataset *ds)
{
    return !ds ? (taco_kind)0 : ds->stores[0].format ? TACO_KIND_OTHER : ds->stores[0].kind;
}
TACO_API const char *taco_dataset_format(const taco_dataset *ds)
{
    return ds && ds->stores[0].format ? ds->stores[0].format->name : "";
}
TACO_API uint32_t taco_levels(const taco_dataset *ds)
{
    return ds ? taco__container_level_count(&ds->stores[0]) : 0;
}
/* A level that no dataset can have is refused here, one that this one has not where it is looked for. */
TACO__FN bool taco__dataset_has_level(const taco_dataset *ds, uint32_t level, taco_error *err)
{
    if (!ds) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
        return false;
    }
    if (level >= TACO__MAX_LEVELS) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "%s: there is no level %u, the deepest is %u", ds->stores[0].name,
                   TACO__U(level), TACO__U(taco_levels(ds) - 1));
        return false;
    }
    return true;
}
TACO_API int64_t taco_level_rows(taco_dataset *ds, uint32_t level, taco_error *err)
{
    int64_t rows = 0;
    size_t  i;
    if (!taco__dataset_has_level(ds, level, err)) {
        return -1;
    }
    for (i = 0; i < ds->container_count; i++) {
        taco__level *l = taco__container_level(&ds->stores[i], level, err);
        if (!l) {
            return -1;
        }
        rows += (int64_t)l->table.rows;
    }
    return rows;
}
TACO_API const taco_field *taco_level_fields(taco_dataset *ds, uint32_t level, size_t *n,
                                             taco_error *err)
{
    *n = 0;
    if (!taco__dataset_has_level(ds, level, err)) {
        return NULL;
    }
    if (!taco__schema_union_level_fields(ds, level, err)) {
        return NULL;
    }
    *n = ds->field_count[level];
    return ds->fields[level];
}
TACO__FN bool taco__dataset_write_levels(taco_dataset *ds, taco__buf *b, taco_error *err)
{
    uint32_t l;
    size_t   i;
    bool     ok = taco__buf_append_text(b, ",\"levels\":[", err);
    for (l = 0; ok && l < taco_levels(ds); l++) {
        char number[24];
        if (taco_level_rows(ds, l, err) < 0 || !taco__schema_union_level_fields(ds, l, err)) {
            return false;
        }
        ok = taco__buf_append_text(b, l ? ",{\"rows\":" : "{\"rows\":", err) &&
             taco__buf_append(b, number, taco__num_format_i64(number, taco_level_rows(ds, l, err)),
                              err) &&
             taco__buf_append_text(b, ",\"columns\":[", err);
        for (i = 0; ok && i < ds->field_count[l]; i++) {
            size_t at;
            ok = taco__buf_append_text(b, i ? ",{\"name\":" : "{\"name\":", err) &&
                 taco__json_write_name(b, taco__bytes_text(ds->fields[l][i].name), err) &&
                 taco__buf_append_text(b, ",\"type\":\"", err);
            at = b->len;
            ok = ok && taco__type_name_append(&ds->fields[l][i], b, err);
            if (ok && (memchr(b->data + at, '"', b->len - at) ||
                       memchr(b->data + at, '\\', b->len - at))) { /* a nested field's name */
                taco__buf copy;
                memset(&copy, 0, sizeof copy);
                copy.mem = b->mem;
                ok = taco__buf_append(&copy, b->data + at, b->len - at, err);
                b->len = at - 1;
                ok = ok && taco__json_write_string(b, taco__bytes_of(copy.data, copy.len), err) &&
                     taco__buf_append_text(b, "}", err);
                taco__buf_free(&copy);
                continue;
            }
            ok = ok && taco__buf_append_text(b, "\"}", err);
        }
        ok = ok && taco__buf_append_text(b, "]}", err);
    }
    return ok && taco__buf_append_text(b, "]}", err);
}
TACO_API taco_bytes taco_info_json(taco_dataset *ds, taco_error *err)
{
    static const char *const kinds[] = {"", "zip", "folder", "tacocat"};
    const taco_opener       *f = ds ? ds->stores[0].format : NULL;
    taco__buf               *b = ds ? &ds->info : NULL;
    char                     number[24];
    bool                     ok;
    int64_t                  rows = taco_level_rows(ds, 0, err);
    if (rows < 0 || (f && f->info && !f->info(ds, err))) {
        return taco__bytes_of(NULL, 0);
    }
    b->len = 0;
    ok = taco__buf_append_char(b, '{', err) &&
         taco__collection_write_info(b, &ds->stores[0].coll, err) &&
         taco__buf_append_text(b, ",\"kind\":\"", err) &&
         taco__buf_append_text(b, f ? f->name : kinds[ds->stores[0].kind], err) &&
         taco__buf_append_text(b, "\",\"n\":", err) &&
         taco__buf_append(b, number, taco__num_format_i64(number, rows), err) &&
         taco__buf_append_text(b, ",\"max_depth\":", err) &&
         taco__buf_append(b, number, taco__num_format_i64(number, (int64_t)taco_levels(ds) - 1),
                          err) &&
         taco__dataset_write_levels(ds, b, err);
    return ok ? taco__bytes_of(b->data, b->len) : taco__bytes_of(NULL, 0);
}

/* ---- cursors -------------------------------------------------------------------------------------- */

TACO__FN taco_cursor *taco__cursor_alloc(taco_dataset *ds, size_t readers, taco_error *err)
{
    taco_cursor *c = (taco_cursor *)taco__mem_alloc(&ds->mem, sizeof *c, err);
    if (!c) {
        return NULL;
    }
    c->ds = ds;
    c->mem = &ds->mem;
    c->arena.mem = c->held.mem = c->text_bits.mem = c->null_bits.mem = c->source_offsets.mem =
        c->json.mem = c->positions.mem = c->mem;
    c->unified.mem = c->file_bits.mem = c->file_offsets.mem = c->current_bits.mem =
        c->row_bits.mem = c->mem;
    c->left = UINT64_MAX;
    c->row_id = TACO__NONE;
    c->readers =
        (taco__table_reader *)taco__arena_array(&c->arena, readers, sizeof *c->readers, err);
    if (!c->readers) {
        taco_cursor_close(c, err);
        return NULL;
    }
    c->reader_count = readers;
    return c;
}
TACO_API taco_status taco_cursor_close(taco_cursor *c, taco_error *err)
{
    taco_status code;
    taco__mem  *mem;
    size_t      i;
    uint32_t    l;
    if (!c) {
        return TACO_OK;
    }
    code = c->err.code;
    if (err && err->code == TACO_OK && code != TACO_OK) {
        *err = c->err;
    }
    if (c->end) {
        c->end(c);
    }
    for (i = 0; i < c->reader_count; i++) {
        taco__table_reader_close(&c->readers[i]);
        for (l = 0; c->kept && c->kept[i] && l < TACO__MAX_LEVELS; l++) {
            taco__row_reader_close(&c->kept[i][l]);
        }
    }
    taco__cursor_sorted_release_cached(c);
    taco__buf_free(&c->held);
    taco__buf_free(&c->text_bits);
    taco__buf_free(&c->null_bits);
    taco__buf_free(&c->source_offsets);
    taco__buf_free(&c->file_offsets);
    taco__buf_free(&c->file_bits);
    taco__buf_free(&c->current_bits);
    taco__buf_free(&c->row_bits);
    taco__arena_free(&c->unified);
    for (i = 0; c->texts && i < c->count; i++) {
        taco__buf_free(&c->texts[i]);
    }
    taco__buf_free(&c->json);
    taco__buf_free(&c->positions);
    if (c->child_open) {
        taco__container_count_archive_user(c->parent, c->child_pq.part.file, false);
        taco__pq_file_close(&c->child_pq);
    }
    if (c->child_held) {
        taco__file_release(c->child_held, c->child_range.offset, c->child_range.len);
    }
    if (c->child_file_open) {
        taco__file_close(&c->child_file);
    }
    mem = c->mem;
    taco__arena_free(&c->arena);
    taco__mem_free(mem, c, sizeof *c);
    return code;
}
TACO__FN bool taco__select_open(taco_cursor *c, const taco_query *q)
{
    taco_dataset *ds = c->ds;
    taco_filter  *filters =
        (taco_filter *)taco__arena_array(&c->arena, q->filter_count + 1, sizeof *filters, &c->err);
    size_t i, k;
    if (!filters) {
        return false;
    }
    for (i = 0; i < q->filter_count; i++) {
        filters[i] = q->filters[i];
    }
    filters[i].where = q->where;
    filters[i].bbox = q->bbox;
    filters[i].time = q->time;
    filters[i].geometry_column = q->geometry_column;
    filters[i].time_column = q->time_column;
    filters[i].level = q->level;
    filters[i].exact_time = q->exact_time;
    for (i = 0; i <= q->filter_count; i++) {
        if (filters[i].level && filters[i].level >= taco_levels(ds)) {
            TACO__FAIL(&c->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "there is no level %u to filter, the deepest is %u",
                       TACO__U(filters[i].level), TACO__U(taco_levels(ds) - 1));
            return taco__container_fail(&ds->stores[0], NULL, &c->err);
        }
    }
    if (q->table && q->table >= taco_levels(ds)) {
        TACO__FAIL(&c->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "there is no level %u, the deepest is %u", TACO__U(q->table),
                   TACO__U(taco_levels(ds) - 1));
        return taco__container_fail(&ds->stores[0], NULL, &c->err);
    }
    c->level = q->table;
    c->flat = q->flat;
    c->padding = q->padding;
    c->skip = q->offset;
    c->left = q->limit ? q->limit : UINT64_MAX;
    if (!taco__cursor_column_add_all(c, c->level)) {
        return false;
    }
    if (q->select && !q->order && !taco__cursor_column_select(c, q->select)) {
        return taco__container_fail(&ds->stores[0], NULL, &c->err);
    }
    if (q->order) { /* keys may be any of them, those asked for come later */
        c->count += c->hidden;
        c->hidden = 0;
    }
    c->arrays =
        (taco_array *)taco__arena_array(&c->arena, c->count + 1, sizeof *c->arrays, &c->err);
    if (!c->arrays) {
        return false;
    }
    for (i = 0; i < ds->container_count; i++) {
        taco__table_reader *f = &c->readers[i];
        taco__container    *s = &ds->stores[i];
        taco__level        *l = taco__container_level(s, c->level, &c->err);
        if (!l) {
            return false;
        }
        f->store = s;
        f->table = &l->table;
        f->source_path = taco__bytes_text(s->vsi);
        while (f->source_path.len > 1 && f->source_path.data[f->source_path.len - 1] == '/') {
            f->source_path.len--;
        }
        f->source_file = f->source_path;
        for (k = f->source_path.len; k > 0 && f->source_path.data[k - 1] != '/'; k--) {
        }
        f->source_file.data += k;
        f->source_file.len -= k;
        if (!taco__table_reader_filter(c, f, filters, q->filter_count + 1, &c->err) ||
            !taco__table_reader_open(c, f, &l->role, c->outs, c->count, &c->err)) {
            return false;
        }
    }
    if (q->order && !c->dry) {
        if (!taco__cursor_order_sort(c, q->order)) {
            return taco__container_fail(&ds->stores[0], NULL, &c->err);
        }
        if (q->select) {
            return taco__select_columns_after_sort(c, q->select) ||
                   taco__container_fail(&ds->stores[0], NULL, &c->err);
        }
    }
    return true;
}
TACO_API taco_cursor *taco_select(taco_dataset *ds, const taco_query *query, taco_error *err)
{
    taco_query   q;
    taco_cursor *c;
    memset(&q, 0, sizeof q);
    q = query ? *query : q;
    if (!ds) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
        return NULL;
    }
    c = taco__cursor_alloc(ds, ds->container_count, err);
    if (c && !taco__select_open(c, &q)) {
        taco_cursor_close(c, err);
        return NULL;
    }
    return c;
}
TACO_API const taco_field *taco_cursor_fields(const taco_cursor *c, size_t *n)
{
    *n = c ? c->count : 0;
    return c ? c->fields : NULL;
}
TACO_API bool taco_cursor_batch(taco_cursor *c, taco_batch *out)
{
    memset(out, 0, sizeof *out);
    if (!c || c->err.code != TACO_OK) {
        return false;
    }
    if (c->rowwise) {
        TACO__FAIL(&c->err, TACO_ERR_STATE, TACO_NO_OFFSET,
                   "taco_cursor_next was used before taco_cursor_batch");
        return false;
    }
    c->found = NULL;
    return c->next     ? c->next(c, out)
           : c->sorted ? taco__cursor_sorted_next(c, out)
                       : taco__compose_next(c, out);
}
TACO_API const uint64_t *taco_cursor_positions(taco_cursor *c)
{
    uint64_t *to, before = 0;
    size_t    i, bytes;
    if (!c || !c->found || c->rowwise) {
        return NULL;
    }
    for (i = 0; i < c->feed; i++) {
        before += c->readers[i].table->rows;
    }
    if (!taco__checked_mul_size(c->found_count, sizeof *to, &bytes) ||
        !taco__buf_reset(&c->positions, bytes, &c->err)) {
        return NULL;
    }
    to = (uint64_t *)(void *)c->positions.data;
    for (i = 0; i < c->found_count; i++) {
        to[i] = before + c->found_base + c->found[i];
    }
    return to;
}
TACO__FN bool taco__cursor_stream_next(void *ctx, taco_batch *out)
{
    return taco_cursor_batch((taco_cursor *)ctx, out);
}
/* What the batch that was made last is of. */
TACO__FN taco__table_reader *taco__cursor_last_reader(taco_cursor *c)
{
    return &c->readers[c->sorted ? c->order[c->order_at - 1].feed : c->feed];
}
TACO__FN void taco__cursor_stream_prefix_error(void *ctx)
{
    taco_cursor *c = (taco_cursor *)ctx;
    if (c->next) {
        taco__container_fail(&c->ds->stores[0], NULL, &c->err);
    } else {
        taco__cursor_fail(c, taco__cursor_last_reader(c), true);
    }
}
/* Where a column of that batch was read or gathered. */
TACO__FN bool taco__cursor_stream_owner(void *ctx, size_t i, taco__buffer_owner *out)
{
    taco_cursor               *c = (taco_cursor *)ctx;
    taco__table_reader        *f = taco__cursor_last_reader(c);
    const taco__cursor_column *o = &c->outs[i];
    const taco__row_reader    *r = o->level == c->level ? &f->scan.out : &f->rows[o->level];
    return taco__cursor_column_is_stored(o) && f->place[i] != TACO__NONE &&
           !taco__compose_is_mixed(c, i) && taco__row_reader_buffer_owner(r, f->place[i], out);
}
TACO__FN void taco__cursor_stream_close(void *ctx)
{
    taco_cursor  *c = (taco_cursor *)ctx;
    taco_dataset *ds = c->owns_dataset ? c->ds : NULL;
    taco_cursor_close(c, NULL);
    taco_close(ds);
}
TACO_API taco_status taco_cursor_export(taco_cursor *c, bool close_dataset,
                                        struct ArrowArrayStream *out, taco_error *err)
{
    taco__arrow_source src;
    memset(&src, 0, sizeof src);
    if (c) {
        c->owns_dataset = close_dataset;
        src.ctx = c;
        src.fields = c->fields;
        src.count = c->count;
        src.all_nullable = c->ds->container_count > 1;
        src.mem = c->mem;
        src.err = &c->err;
        src.next = taco__cursor_stream_next;
        src.holder = c->next ? NULL : taco__cursor_stream_owner; /* SQL makes what it hands out */
        src.name = taco__cursor_stream_prefix_error;
        src.close = taco__cursor_stream_close;
    }
    if (c && c->rowwise) {
        TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET,
                   "taco_cursor_next was used before taco_cursor_export");
        taco__cursor_stream_close(c);
        if (out) {
            memset(out, 0, sizeof *out);
        }
        return TACO_ERR_STATE;
    }
    return taco__arrow_stream_open(&src, out, err);
}
TACO_API bool taco_cursor_next(taco_cursor *c)
{
    if (!c || c->err.code != TACO_OK) {
        return false;
    }
    if (c->begun && c->row + 1 < c->batch.length) {
        c->row++;
        return true;
    }
    c->rowwise = false;
    c->begun = taco_cursor_batch(c, &c->batch);
    c->rowwise = true;
    c->row = 0;
    return c->begun;
}
TACO__FN const taco_array *taco__cursor_cell(taco_cursor *c, const char *column)
{
    size_t i = c && c->begun && column ? taco__cursor_column_find(c, column) : TACO__NONE;
    return i == TACO__NONE || !taco_array_valid(&c->batch.columns[i], c->row)
               ? NULL
               : &c->batch.columns[i];
}
TACO_API bool taco_cursor_bytes(taco_cursor *c, const char *column, taco_bytes *out)
{
    static const uint8_t nothing = 0;
    const taco_array    *a = taco__cursor_cell(c, column);
    *out = a ? taco_array_bytes(a, c->row) : taco__bytes_of(NULL, 0);
    if (a && !out->data && taco__array_is_var_length(a->field)) { /* "" is a value */
        *out = taco__bytes_of(&nothing, 0);
    }
    return out->data != NULL;
}
TACO_API const char *taco_cursor_text(taco_cursor *c, const char *column)
{
    const taco_array *a = taco__cursor_cell(c, column);
    taco__buf        *b;
    if (!a) {
        return NULL;
    }
    if (!c->texts) {
        c->texts = (taco__buf *)taco__arena_array(&c->arena, c->count, sizeof *c->texts, &c->err);
        if (!c->texts) {
            return NULL;
        }
    }
    b = &c->texts[a - c->batch.columns];
    b->mem = c->mem;
    b->len = 0;
    if (!taco__cell_plain(b, a, c->row, &c->err) || !taco__buf_append_char(b, 0, &c->err)) {
        return NULL;
    }
    return (const char *)b->data;
}
/* What taco_array_int has a value for; taco_array_double also for floats and decimals of known width. */
TACO__FN bool taco__cursor_is_integer_like(const taco_array *a)
{
    return a->field->type == TACO_BOOL ||
           (a->field->type >= TACO_INT8 && a->field->type <= TACO_UINT64) ||
           a->field->type == TACO_DATE || a->field->type == TACO_TIME ||
           a->field->type == TACO_TIMESTAMP;
}
TACO_API bool taco_cursor_double(taco_cursor *c, const char *column, double *out)
{
    const taco_array *a = taco__cursor_cell(c, column);
    bool              ok = a && (taco__cursor_is_integer_like(a) || a->field->type == TACO_HALF ||
                    a->field->type == TACO_FLOAT || a->field->type == TACO_DOUBLE ||
                    (a->field->type == TACO_DECIMAL && a->field->width > 0));
    if (ok) {
        *out = taco_array_double(a, c->row);
    }
    return ok;
}
TACO_API bool taco_cursor_int(taco_cursor *c, const char *column, int64_t *out)
{
    const taco_array *a = taco__cursor_cell(c, column);
    bool              ok = a && taco__cursor_is_integer_like(a);
    if (ok) {
        *out = taco_array_int(a, c->row);
    }
    return ok;
}
TACO_API const char *taco_cursor_vsi(taco_cursor *c)
{
    const char *text = taco_cursor_text(c, TACO__GDAL_VSI);
    return text ? text : "";
}
TACO_API const char *taco_cursor_json(taco_cursor *c)
{
    if (!c || !c->begun) {
        return "";
    }
    c->json.len = 0;
    if (!taco__cell_json_row(&c->json, &c->batch, c->row, NULL, &c->err) ||
        !taco__buf_append_char(&c->json, 0, &c->err)) {
        return "";
    }
    return (const char *)c->json.data;
}
