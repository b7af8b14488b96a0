/* ==== ROOM make: samples, folders and columns handed over one by one.
   Uses: pack model pq:column pq:time view. Spec: TACO 2.0.0 §5, §7.1.1 ==== */

#define TACO__BUILDER_SLICE 16384 /* rows of a batch that goes to the tables, a multiple of 8 */

/* A column that grows: Arrow's buffers, and those of its children. */
typedef struct taco__builder {
    taco_field            field;
    taco__buf             validity, offsets, values; /* values: bytes of TEXT and BINARY, too */
    size_t                length, nulls;
    struct taco__builder *children;
    taco_array            array;  /* all of it, once it is complete */
    taco__array_buf       pieces; /* for slices */
} taco__builder;

struct taco_writer {
    taco__mem              mem;
    taco__arena            arena;
    taco_error             err;
    taco_options           options;
    taco__container_writer pack;
    taco__tree             tree;
    const char            *path;
    bool                   fill, any_tree;
    uint32_t               pad_to;
    taco__json_doc         collection;
    bool                   has_collection, begun; /* some sample is there */
    uint32_t               depth;                 /* FOLDERs that are open */
    uint32_t               level;                 /* of the sample at hand */
    taco__builder         *columns[TACO__MAX_LEVELS];
    size_t                 counts[TACO__MAX_LEVELS], caps[TACO__MAX_LEVELS];
    size_t                 hint[TACO__MAX_LEVELS]; /* columns are set in the same order as a rule */
    /* while the tables are written */
    uint32_t    table;
    size_t      at;
    taco_array *arrays;
    taco_field *fields[TACO__MAX_LEVELS];
};

/* ---- columns ---- */

TACO__FN void taco__builder_free(taco__builder *c)
{
    uint32_t i;
    for (i = 0; i < c->field.child_count && c->children; i++) {
        taco__builder_free(&c->children[i]);
    }
    taco__buf_free(&c->validity);
    taco__buf_free(&c->offsets);
    taco__buf_free(&c->values);
}
TACO__FN bool taco__builder_has_offsets(const taco_field *f)
{
    return f->type == TACO_TEXT || f->type == TACO_BINARY || f->type == TACO_LIST ||
           f->type == TACO_MAP || (f->type == TACO_DECIMAL && f->width == 0);
}
/* Bytes of a value of a fixed width; 0 for others. */
TACO__FN size_t taco__builder_value_width(const taco_field *f)
{
    static const uint8_t widths[] = {0, 0, 1, 2, 4,  8,  1, 2, 4, 8,  2, 4, 8,
                                     0, 4, 8, 8, 12, 12, 0, 0, 0, 16, 0, 0, 0};
    if (f->type == TACO_FIXED || f->type == TACO_DECIMAL) {
        return (size_t)f->width;
    }
    return f->type == TACO_TIME && f->unit <= TACO_MILLI ? 4 : widths[f->type];
}
/* A copy of a field and all below it, with names of its own. */
TACO__FN bool taco__builder_init(taco__builder *c, const taco_field *f, taco__mem *mem,
                                 taco__arena *arena, uint32_t depth, taco_error *err)
{
    const int32_t zero = 0;
    taco_field   *below;
    uint32_t      i;
    memset(c, 0, sizeof *c);
    c->validity.mem = c->offsets.mem = c->values.mem = mem;
    if (depth > 32 || (f->child_count && !f->children) ||
        (uint32_t)f->type > (uint32_t)TACO_STRUCT) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "a column of an impossible type");
        return false;
    }
    c->field = *f;
    c->field.nullable = true;
    c->field.leaf = c->field.leaf_count = 0;
    c->field.width = (int32_t)taco__builder_value_width(f);
    c->field.name = taco__arena_text(arena, taco__bytes_text(f->name ? f->name : ""), err);
    below = (taco_field *)taco__arena_array(arena, f->child_count, sizeof *below, err);
    c->children =
        (taco__builder *)taco__arena_array(arena, f->child_count, sizeof *c->children, err);
    if (!c->field.name || !below || !c->children) {
        return false;
    }
    for (i = 0; i < f->child_count; i++) {
        if (!taco__builder_init(&c->children[i], &f->children[i], mem, arena, depth + 1, err)) {
            return false;
        }
        c->children[i].field.nullable = f->children[i].nullable;
        below[i] = c->children[i].field;
    }
    c->field.children = below;
    return !taco__builder_has_offsets(f) || taco__buf_append(&c->offsets, &zero, sizeof zero, err);
}
TACO__FN bool taco__builder_append_offset(taco__builder *c, size_t end, taco_error *err)
{
    int32_t at = (int32_t)end;
    if (end > INT32_MAX) {
        taco_bytes name = taco__bytes_text(c->field.name);
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "column %q has more than 2^31 bytes or items", &name);
        return false;
    }
    return taco__buf_append(&c->offsets, &at, sizeof at, err);
}
/* Counts one more row, and whether it has a value. */
TACO__FN bool taco__builder_append_validity(taco__builder *c, bool valid, taco_error *err)
{
    if (c->length % 8 == 0 && !taco__buf_append_char(&c->validity, 0, err)) {
        return false;
    }
    if (valid) {
        taco__bitmap_set(c->validity.data, c->length);
    }
    c->nulls += !valid;
    c->length++;
    return true;
}
TACO__FN bool taco__builder_append_null(taco__builder *c, taco_error *err)
{
    static const uint8_t zeros[64] = {0};
    size_t               n = taco__builder_value_width(&c->field);
    uint32_t             i;
    bool                 ok = true;
    if (c->field.type == TACO_BOOL) {
        ok = c->length % 8 != 0 || taco__buf_append_char(&c->values, 0, err);
    } else if (taco__builder_has_offsets(&c->field)) {
        int32_t last;
        memcpy(&last, c->offsets.data + c->offsets.len - sizeof last, sizeof last);
        ok = taco__builder_append_offset(c, (size_t)last, err);
    } else if (c->field.type == TACO_STRUCT) {
        for (i = 0; ok && i < c->field.child_count; i++) {
            ok = taco__builder_append_null(&c->children[i], err);
        }
    }
    for (; ok && n; n -= TACO__MIN(n, sizeof zeros)) {
        ok = taco__buf_append(&c->values, zeros, TACO__MIN(n, sizeof zeros), err);
    }
    return ok && taco__builder_append_validity(c, false, err);
}
/* A value of a fixed width, or the bytes of TEXT and BINARY. */
TACO__FN bool taco__builder_append_bytes(taco__builder *c, taco_bytes b, taco_error *err)
{
    return taco__buf_append(&c->values, b.data, b.len, err) &&
           (!taco__builder_has_offsets(&c->field) ||
            taco__builder_append_offset(c, c->values.len, err)) &&
           taco__builder_append_validity(c, true, err);
}
TACO__FN bool taco__builder_append_bool(taco__builder *c, bool value, taco_error *err)
{
    if (c->length % 8 == 0 && !taco__buf_append_char(&c->values, 0, err)) {
        return false;
    }
    if (value) {
        taco__bitmap_set(c->values.data, c->length);
    }
    return taco__builder_append_validity(c, true, err);
}
/* Row i of an array of the same type, with all below it. */
TACO__FN bool taco__builder_append_copy(taco__builder *c, const taco_array *a, size_t i,
                                        taco_error *err)
{
    const taco_field *f = &c->field;
    uint32_t          k;
    int32_t           from, to;
    if (!taco_array_valid(a, i)) {
        return taco__builder_append_null(c, err);
    }
    if (a->dictionary) {
        i = (size_t)a->v.i32[i];
        a = a->dictionary;
        if (!taco_array_valid(a, i)) {
            return taco__builder_append_null(c, err);
        }
    }
    if (f->type == TACO_BOOL) {
        return taco__builder_append_bool(c, taco__bitmap_get(a->v.u8, i), err);
    }
    if (f->type == TACO_STRUCT) {
        for (k = 0; k < f->child_count; k++) {
            if (!taco__builder_append_copy(&c->children[k], &a->children[k], i, err)) {
                return false;
            }
        }
        return taco__builder_append_validity(c, true, err);
    }
    if (!taco__builder_has_offsets(f)) {
        size_t n = taco__builder_value_width(f);
        return taco__builder_append_bytes(c, taco__bytes_of(a->v.u8 + i * n, n), err);
    }
    from = a->offsets[i];
    to = a->offsets[i + 1];
    if (f->type != TACO_LIST && f->type != TACO_MAP) {
        return taco__builder_append_bytes(c, taco__bytes_of(a->v.u8 + from, (size_t)(to - from)),
                                          err);
    }
    for (; from < to; from++) {
        if (!taco__builder_append_copy(&c->children[0], &a->children[0], (size_t)from, err)) {
            return false;
        }
    }
    return taco__builder_append_offset(c, c->children[0].length, err) &&
           taco__builder_append_validity(c, true, err);
}
/* The whole column as an array. */
TACO__FN void taco__builder_finish(taco__builder *c, taco__arena *arena, taco_error *err)
{
    taco_array *below =
        (taco_array *)taco__arena_array(arena, c->field.child_count, sizeof *below, err);
    uint32_t i;
    memset(&c->array, 0, sizeof c->array);
    c->array.field = &c->field;
    c->array.length = c->length;
    c->array.null_count = c->field.type == TACO_NULL ? c->length : c->nulls;
    c->array.validity = c->nulls ? c->validity.data : NULL;
    c->array.offsets = taco__builder_has_offsets(&c->field)
                           ? (const int32_t *)(const void *)c->offsets.data
                           : NULL;
    c->array.v.any = c->values.data ? c->values.data : (const uint8_t *)"";
    for (i = 0; below && i < c->field.child_count; i++) {
        taco__builder_finish(&c->children[i], arena, err);
        below[i] = c->children[i].array;
    }
    c->array.children = below;
}

/* ---- the handle ---- */

TACO__FN taco_status taco__dataset_writer_status(taco_writer *w)
{
    return w ? w->err.code : TACO_ERR_ARGUMENT;
}
TACO__FN void taco__dataset_writer_free(taco_writer *w)
{
    taco__mem mem;
    uint32_t  level;
    size_t    i;
    for (level = 0; level < TACO__MAX_LEVELS; level++) {
        for (i = 0; i < w->counts[level]; i++) {
            taco__builder_free(&w->columns[level][i]);
        }
        taco__mem_free(&w->mem, w->columns[level], w->caps[level] * sizeof *w->columns[level]);
    }
    taco__tree_free(&w->tree);
    taco__arena_free(&w->arena);
    mem = w->mem;
    taco__mem_free(&mem, w, sizeof *w);
}
TACO__FN taco_writer *taco__dataset_writer_open(const char *path, const taco_sink *sink,
                                                const taco_create_options *opt, taco_error *err)
{
    taco__mem           mem;
    taco_writer        *w;
    taco_error          own;
    taco_create_options o;
    memset(&own, 0, sizeof own);
    memset(&o, 0, sizeof o);
    err = err ? err : &own;
    o = opt ? *opt : o;
    taco__mem_init(&mem, o.options);
    w = (taco_writer *)taco__mem_alloc(&mem, sizeof *w, err);
    if (!w) {
        if (sink) {
            sink->close(sink->ctx, false);
        }
        return NULL;
    }
    w->mem = mem;
    w->arena.mem = &w->mem;
    taco__options_init(&w->options, o.options);
    o.options = &w->options;
    w->fill = o.fill;
    w->any_tree = o.any_tree;
    w->pad_to = o.pad_to;
    taco__tree_init(&w->tree, &w->mem);
    w->path = taco__arena_text(&w->arena, taco__bytes_text(path), err);
    if (!w->path ||
        !(sink ? taco__container_write_begin_sink(&w->pack, sink, &o, &w->tree, &w->mem, err)
               : taco__container_write_begin(&w->pack, path, &o, &w->tree, &w->mem, err))) {
        taco__dataset_writer_free(w);
        return NULL;
    }
    return w;
}
TACO_API taco_writer *taco_create(const char *path, const taco_create_options *opt, taco_error *err)
{
    if (!path) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
        return NULL;
    }
    return taco__dataset_writer_open(path, NULL, opt, err);
}
TACO_API taco_writer *taco_create_sink(const taco_sink *sink, const taco_create_options *opt,
                                       taco_error *err)
{
    return taco__sink_check(sink, err) ? taco__dataset_writer_open("", sink, opt, err) : NULL;
}
TACO_API void taco_writer_abort(taco_writer *w)
{
    if (w) {
        taco__container_write_abort(&w->pack);
        taco__dataset_writer_free(w);
    }
}
TACO_API taco_status taco_writer_collection(taco_writer *w, const char *json, size_t len)
{
    char *copy;
    if (taco__dataset_writer_status(w) != TACO_OK) {
        return taco__dataset_writer_status(w);
    }
    copy = taco__arena_text(&w->arena, taco__bytes_of(json, json ? len : 0), &w->err);
    if (copy && taco__json_parse(&w->arena, taco__bytes_of(copy, json ? len : 0),
                                 &w->options.limits, &w->collection, &w->err) == TACO_OK) {
        if (!taco__json_is(w->collection.root, TACO__JSON_OBJECT)) {
            TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, 0,
                       "a collection must be a JSON object, found %s",
                       taco__json_type_name(w->collection.root));
        } else {
            w->has_collection = true;
            taco__rules_check_collection(&w->collection, true, taco__rules_stop_at_first, &w->err);
        }
    }
    if (w->err.code != TACO_OK) {
        taco__error_prefix(&w->err, "collection");
    }
    return w->err.code;
}
TACO_API taco_status taco_writer_field(taco_writer *w, uint32_t level, const taco_field *field)
{
    taco_bytes     name = taco__bytes_text(field && field->name ? field->name : "");
    taco__builder *c;
    size_t         i;
    if (taco__dataset_writer_status(w) != TACO_OK) {
        return taco__dataset_writer_status(w);
    }
    if (!field || level >= TACO__MAX_LEVELS) {
        return TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "column %q: there are levels 0 to %u", &name,
                          TACO__U(TACO__MAX_LEVELS - 1));
    }
    if (taco__rules_check_column_name(name, &w->err) != TACO_OK) {
        return w->err.code;
    }
    for (i = 0; i < w->counts[level]; i++) {
        if (strcmp(w->columns[level][i].field.name, field->name) == 0) {
            return TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "column %q of level %u is declared twice", &name, TACO__U(level));
        }
    }
    if (w->tree.level[level].rows && !w->fill) {
        return TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET,
                          "column %q: level %u has samples already, and the schema is strict",
                          &name, TACO__U(level));
    }
    if (w->counts[level] == w->caps[level]) {
        size_t         cap = w->caps[level] ? w->caps[level] * 2 : 8;
        taco__builder *grown = (taco__builder *)taco__mem_resize(&w->mem, w->columns[level],
                                                                 w->caps[level] * sizeof *grown,
                                                                 cap * sizeof *grown, &w->err);
        if (!grown) {
            return w->err.code;
        }
        w->columns[level] = grown;
        w->caps[level] = cap;
    }
    c = &w->columns[level][w->counts[level]++];
    taco__builder_init(c, field, &w->mem, &w->arena, 0, &w->err);
    return w->err.code;
}
TACO_API taco_status taco_writer_column(taco_writer *w, uint32_t level, const char *name,
                                        taco_type type)
{
    taco_field f;
    memset(&f, 0, sizeof f);
    f.name = name;
    f.type = type;
    f.nullable = true;
    f.unit = type == TACO_TIMESTAMP || type == TACO_TIME ? TACO_MICRO : TACO_SECOND;
    if (taco__dataset_writer_status(w) == TACO_OK &&
        (type == TACO_DECIMAL || type == TACO_FIXED || type >= TACO_LIST || type < TACO_NULL)) {
        taco_bytes n = taco__bytes_text(name);
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "column %q: this type wants taco_writer_field", &n);
    }
    return taco_writer_field(w, level, &f);
}
TACO_API taco_status taco_writer_list(taco_writer *w, uint32_t level, const char *name,
                                      taco_type items)
{
    taco_field f, item;
    memset(&f, 0, sizeof f);
    memset(&item, 0, sizeof item);
    item.name = "element";
    item.type = items;
    item.nullable = true;
    f.name = name;
    f.type = TACO_LIST;
    f.children = &item;
    f.child_count = 1;
    return taco_writer_field(w, level, &f);
}

/* ---- values ---- */

/* What a failure is about: "sample 'id'". */
TACO__FN taco_status taco__dataset_writer_prefix_error(taco_writer *w)
{
    const taco__tree_level *l = &w->tree.level[w->level];
    if (w->err.code != TACO_OK && w->begun && l->rows) {
        taco_bytes id = taco__tree_id(&w->tree, w->level, l->rows - 1);
        taco__error_prefix(&w->err, "sample %u of level %u, %q", TACO__U(l->rows - 1),
                           TACO__U(w->level), &id);
    }
    return w->err.code;
}
/* The rows of a level before `rows` are complete: what was not set is null, or an error. */
TACO__FN bool taco__dataset_writer_fill_missing(taco_writer *w, uint32_t level, size_t rows)
{
    size_t i;
    for (i = 0; i < w->counts[level]; i++) {
        taco__builder *c = &w->columns[level][i];
        while (c->length < rows) {
            taco_bytes id = taco__tree_id(&w->tree, level, c->length),
                       name = taco__bytes_text(c->field.name);
            if (!w->fill && !taco__rules_is_padding(id)) {
                TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                           "sample %q of level %u has no value for column %q; the schema is "
                           "strict, null must be said",
                           &id, TACO__U(level), &name);
                return false;
            }
            if (!taco__builder_append_null(c, &w->err)) {
                return false;
            }
        }
    }
    return true;
}
/* The column of the sample at hand, ready for its value. NULL on failure. */
TACO__FN taco__builder *taco__sample_value_column(taco_writer *w, const char *name)
{
    taco_bytes     key = taco__bytes_text(name ? name : "");
    taco__builder *c = NULL;
    size_t         i, k, n, row;
    if (taco__dataset_writer_status(w) != TACO_OK) {
        return NULL;
    }
    if (!w->begun) {
        TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET, "column %q: there is no sample yet",
                   &key);
        return NULL;
    }
    n = w->counts[w->level];
    row = w->tree.level[w->level].rows - 1;
    for (i = 0; i < n && !c; i++) {
        k = (w->hint[w->level] + i) % n;
        if (taco__bytes_equal(taco__bytes_text(w->columns[w->level][k].field.name), key)) {
            c = &w->columns[w->level][k];
            w->hint[w->level] = k + 1;
        }
    }
    if (!c) {
        TACO__FAIL(&w->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "level %u has no column %q",
                   TACO__U(w->level), &key);
    } else if (c->length > row) {
        TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET, "column %q is set twice", &key);
    } else { /* rows before are complete but for columns that were declared late */
        while (c->length < row) {
            if (!taco__builder_append_null(c, &w->err)) {
                break;
            }
        }
    }
    if (w->err.code != TACO_OK) {
        taco__dataset_writer_prefix_error(w);
        return NULL;
    }
    return c;
}
TACO__FN taco_status taco__sample_value_fail_type(taco_writer *w, const taco__builder *c,
                                                  const char *given)
{
    taco__buf  b;
    taco_bytes name = taco__bytes_text(c->field.name);
    memset(&b, 0, sizeof b);
    b.mem = &w->mem;
    if (taco__type_name_append(&c->field, &b, NULL) && taco__buf_append_char(&b, 0, NULL)) {
        TACO__FAIL(&w->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q is %s, was given %s", &name,
                   (const char *)b.data, given);
    }
    TACO__FAIL(&w->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q was given %s", &name, given);
    taco__buf_free(&b);
    return taco__dataset_writer_prefix_error(w);
}
TACO_API taco_status taco_writer_set_null(taco_writer *w, const char *column)
{
    taco__builder *c = taco__sample_value_column(w, column);
    if (c) {
        taco__builder_append_null(c, &w->err);
    }
    return taco__dataset_writer_status(w);
}
TACO_API taco_status taco_writer_set_bytes(taco_writer *w, const char *column, const void *data,
                                           size_t len)
{
    taco__builder *c = taco__sample_value_column(w, column);
    taco_bytes     b = taco__bytes_of(data, len);
    size_t         n;
    if (!c) {
        return taco__dataset_writer_status(w);
    }
    n = taco__builder_value_width(&c->field);
    if (!(c->field.type == TACO_TEXT || c->field.type == TACO_BINARY ||
          ((c->field.type == TACO_FIXED || c->field.type == TACO_UUID) && n == len))) {
        return taco__sample_value_fail_type(w, c, "bytes");
    }
    if (c->field.type == TACO_TEXT && !taco__utf8_valid(b)) {
        return taco__sample_value_fail_type(w, c, "bytes that are not UTF-8");
    }
    taco__builder_append_bytes(c, b, &w->err);
    return taco__dataset_writer_prefix_error(w);
}
/* An instant of ISO 8601 in the unit of a column. */
TACO__FN bool taco__builder_parse_time(const taco_field *f, taco_bytes text, int64_t *out)
{
    static const int64_t per[] = {1000000, 1000, 1, 1};
    bool                 date;
    if (!taco__time_parse(text, out, &date)) {
        return false;
    }
    if (f->type == TACO_DATE) {
        *out = taco__time_floor_div(*out, TACO__TIME_DAY_MICROS);
    } else if (f->unit == TACO_NANO) {
        if (*out > INT64_MAX / 1000 || *out < INT64_MIN / 1000) {
            return false;
        }
        *out *= 1000;
    } else {
        *out = taco__time_floor_div(*out, per[f->unit]);
    }
    return true;
}
/* Stores an integer of any width; false where it does not fit. */
TACO__FN bool taco__builder_append_int(taco__builder *c, int64_t x, taco_error *err)
{
    static const uint8_t bits[] = {
        0, 0, 7, 15, 31, 63, 8, 16, 32, 63}; /* of the largest; UINT64 as far as int64_t goes */
    taco_type t = c->field.type;
    size_t    n = taco__builder_value_width(&c->field), i;
    uint8_t   b[8];
    bool      is_signed = t < TACO_UINT8 || t > TACO_UINT64;
    unsigned  most = t <= TACO_UINT64 ? bits[t] : n == 4 ? 31 : 63;
    if (most < 63 && (x >= (int64_t)1 << most || x < (is_signed ? -((int64_t)1 << most) : 0))) {
        return false;
    }
    if (!is_signed && x < 0) {
        return false;
    }
    for (i = 0; i < n; i++) {
        b[TACO__BIG_ENDIAN ? n - 1 - i : i] = (uint8_t)((uint64_t)x >> (8 * i));
    }
    return taco__builder_append_bytes(c, taco__bytes_of(b, n), err) || true;
}
TACO_API taco_status taco_writer_set_int(taco_writer *w, const char *column, int64_t value)
{
    taco__builder *c = taco__sample_value_column(w, column);
    taco_type      t;
    double         d = (double)value;
    float          f = (float)value;
    if (!c) {
        return taco__dataset_writer_status(w);
    }
    t = c->field.type;
    if (t == TACO_DOUBLE || t == TACO_FLOAT) {
        taco__builder_append_bytes(
            c, t == TACO_DOUBLE ? taco__bytes_of(&d, 8) : taco__bytes_of(&f, 4), &w->err);
    } else if ((t >= TACO_INT8 && t <= TACO_UINT64) || t == TACO_DATE || t == TACO_TIME ||
               t == TACO_TIMESTAMP) {
        if (!taco__builder_append_int(c, value, &w->err)) {
            return taco__sample_value_fail_type(w, c, "a number that does not fit");
        }
    } else if (t == TACO_BOOL && (value == 0 || value == 1)) {
        taco__builder_append_bool(c, value != 0, &w->err);
    } else {
        return taco__sample_value_fail_type(w, c, "an integer");
    }
    return taco__dataset_writer_prefix_error(w);
}
TACO_API taco_status taco_writer_set_bool(taco_writer *w, const char *column, bool value)
{
    taco__builder *c = taco__sample_value_column(w, column);
    if (!c) {
        return taco__dataset_writer_status(w);
    }
    if (c->field.type != TACO_BOOL) {
        return taco__sample_value_fail_type(w, c, "a truth value");
    }
    taco__builder_append_bool(c, value, &w->err);
    return taco__dataset_writer_prefix_error(w);
}
TACO_API taco_status taco_writer_set_double(taco_writer *w, const char *column, double value)
{
    taco__builder *c = taco__sample_value_column(w, column);
    float          f = (float)value;
    if (!c) {
        return taco__dataset_writer_status(w);
    }
    if (c->field.type == TACO_DOUBLE) {
        taco__builder_append_bytes(c, taco__bytes_of(&value, 8), &w->err);
    } else if (c->field.type == TACO_FLOAT) {
        taco__builder_append_bytes(c, taco__bytes_of(&f, 4), &w->err);
    } else {
        return taco__sample_value_fail_type(w, c, "a number with a fraction");
    }
    return taco__dataset_writer_prefix_error(w);
}
TACO_API taco_status taco_writer_set_text(taco_writer *w, const char *column, const char *value)
{
    taco__builder *c;
    int64_t        t;
    if (!value) {
        return taco_writer_set_null(w, column);
    }
    c = taco__sample_value_column(w, column);
    if (!c) {
        return taco__dataset_writer_status(w);
    }
    if (c->field.type == TACO_TEXT) {
        if (!taco__utf8_valid(taco__bytes_text(value))) {
            return taco__sample_value_fail_type(w, c, "text that is not UTF-8");
        }
        taco__builder_append_bytes(c, taco__bytes_text(value), &w->err);
    } else if (c->field.type == TACO_TIMESTAMP || c->field.type == TACO_DATE) {
        if (!taco__builder_parse_time(&c->field, taco__bytes_text(value), &t)) {
            return taco__sample_value_fail_type(w, c, "text that is no date and time of ISO 8601");
        }
        taco__builder_append_int(c, t, &w->err);
    } else {
        return taco__sample_value_fail_type(w, c, "text");
    }
    return taco__dataset_writer_prefix_error(w);
}
/* A list of n numbers, each stored by one of the two. */
TACO__FN taco_status taco__sample_value_set_list(taco_writer *w, const char *column,
                                                 const int64_t *ints, const double *doubles,
                                                 size_t n)
{
    taco__builder *c = taco__sample_value_column(w, column), *item;
    size_t         i;
    if (!c) {
        return taco__dataset_writer_status(w);
    }
    item = c->field.type == TACO_LIST ? &c->children[0] : NULL;
    if (!item || !(doubles ? item->field.type == TACO_DOUBLE || item->field.type == TACO_FLOAT
                           : item->field.type >= TACO_INT8 && item->field.type <= TACO_UINT64)) {
        return taco__sample_value_fail_type(w, c,
                                            doubles ? "a list of doubles" : "a list of integers");
    }
    for (i = 0; i < n && w->err.code == TACO_OK; i++) {
        float f = doubles ? (float)doubles[i] : 0.0F;
        if (doubles) {
            taco__builder_append_bytes(item,
                                       item->field.type == TACO_DOUBLE
                                           ? taco__bytes_of(&doubles[i], 8)
                                           : taco__bytes_of(&f, 4),
                                       &w->err);
        } else if (!taco__builder_append_int(item, ints[i], &w->err)) {
            return taco__sample_value_fail_type(w, c, "a number that does not fit");
        }
    }
    if (w->err.code == TACO_OK && taco__builder_append_offset(c, item->length, &w->err)) {
        taco__builder_append_validity(c, true, &w->err);
    }
    return taco__dataset_writer_prefix_error(w);
}
TACO_API taco_status taco_writer_set_ints(taco_writer *w, const char *column, const int64_t *values,
                                          size_t n)
{
    return taco__sample_value_set_list(w, column, values, NULL, n);
}
TACO_API taco_status taco_writer_set_doubles(taco_writer *w, const char *column,
                                             const double *values, size_t n)
{
    static const double none = 0;
    return taco__sample_value_set_list(w, column, NULL, values ? values : &none, n);
}
TACO_API taco_status taco_writer_set_array(taco_writer *w, const char *column,
                                           const taco_array *values, size_t row)
{
    taco__builder *c = taco__sample_value_column(w, column);
    if (!c) {
        return taco__dataset_writer_status(w);
    }
    if (!values || !taco__unify_same_type(&c->field, values->field)) {
        return taco__sample_value_fail_type(w, c, "an array of another type");
    }
    taco__builder_append_copy(c, values, row, &w->err);
    return taco__dataset_writer_prefix_error(w);
}

/* ---- samples ---- */

/* A sample of the folder that is open joins the tree. */
TACO__FN bool taco__dataset_writer_append_sample(taco_writer *w, taco_bytes id, bool folder)
{
    uint32_t level = w->depth;
    size_t   parent = level ? w->tree.level[level - 1].rows - 1 : 0;
    w->level = level;
    if (!taco__dataset_writer_fill_missing(w, level, w->tree.level[level].rows) ||
        !taco__tree_append_ordered(&w->tree, level, parent, id, folder, &w->err)) {
        return false;
    }
    w->begun = true;
    return true;
}
TACO__FN bool taco__dataset_writer_begin_sample(taco_writer *w, const char *id, bool folder)
{
    taco_bytes name = taco__bytes_text(id ? id : "");
    if (taco__dataset_writer_status(w) != TACO_OK) {
        return false;
    }
    if (taco__rules_check_id(name, &w->err) != TACO_OK ||
        taco__rules_check_file_name(name, &w->err) != TACO_OK) {
        return false;
    }
    if (taco__rules_is_padding(name)) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "id %q starts with '__', which is reserved for padding", &name);
        return false;
    }
    if (folder && w->depth + 1 >= TACO__MAX_LEVELS) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "FOLDER %q at level %u: the deepest level is %u", &name, TACO__U(w->depth),
                   TACO__U(TACO__MAX_LEVELS - 1));
        return false;
    }
    if (!w->any_tree && w->depth == 0 && w->tree.level[0].rows &&
        taco__tree_is_folder(&w->tree, 0, 0) != folder) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "PIT-1: sample %q is a %s, the first sample is a %s; all of level 0 must be of "
                   "one type",
                   &name, taco__collection_type_name(folder), taco__collection_type_name(!folder));
        return false;
    }
    return taco__dataset_writer_append_sample(w, name, folder);
}
TACO__FN taco_status taco__dataset_writer_store_payload(taco_writer *w, taco__input *in)
{
    if (w->err.code == TACO_OK) {
        taco__container_write_sample(&w->pack, w->level, w->tree.level[w->level].rows - 1, in,
                                     &w->err);
    }
    if (in) {
        taco__input_close(in);
    }
    return taco__dataset_writer_prefix_error(w);
}
/* A FILE of bytes that are open, which are closed then. */
TACO__FN taco_status taco__dataset_writer_add_file(taco_writer *w, const char *id, taco__input *in)
{
    if (!taco__dataset_writer_begin_sample(w, id, false)) {
        taco__input_close(in);
        return taco__dataset_writer_status(w);
    }
    return taco__dataset_writer_store_payload(w, in);
}
TACO_API taco_status taco_writer_file(taco_writer *w, const char *id, const char *path)
{
    taco__input in;
    memset(&in, 0, sizeof in);
    if (!taco__dataset_writer_begin_sample(w, id, false)) {
        return taco__dataset_writer_status(w);
    }
    if (!path) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
    } else if (w->options.open_file) {
        if (taco__source_open_path(&w->options, path, &in.source, &w->err)) {
            in.size = in.source.size;
            in.own = true;
        }
    } else {
#ifndef TACO_NO_STDIO
        taco__input_open_file(&in, path, &w->err);
#else
        taco__source_open_path(&w->options, path, &in.source, &w->err);
#endif
    }
    return taco__dataset_writer_store_payload(w, &in);
}
TACO_API taco_status taco_writer_bytes(taco_writer *w, const char *id, const void *data, size_t len)
{
    taco__input in;
    if (!taco__dataset_writer_begin_sample(w, id, false)) {
        return taco__dataset_writer_status(w);
    }
    taco__input_from_bytes(&in, taco__bytes_of(data, len));
    return taco__dataset_writer_store_payload(w, &in);
}
TACO_API taco_status taco_writer_range(taco_writer *w, const char *id, const taco_source *src,
                                       uint64_t offset, uint64_t size)
{
    taco__input in;
    if (!taco__dataset_writer_begin_sample(w, id, false)) {
        return taco__dataset_writer_status(w);
    }
    if (!src || !taco__checked_range(offset, size, src->size)) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, offset, "%u bytes, the source has %u", size,
                   src ? src->size : 0);
        return taco__dataset_writer_prefix_error(w);
    }
    taco__input_from_range(&in, src, offset, size);
    return taco__dataset_writer_store_payload(w, &in);
}
TACO_API taco_status taco_writer_folder_begin(taco_writer *w, const char *id)
{
    if (taco__dataset_writer_begin_sample(w, id, true)) {
        w->depth++;
        return taco__dataset_writer_store_payload(w, NULL);
    }
    return taco__dataset_writer_status(w);
}

/* ---- padding (§5.5, §7.1.1) ---- */

TACO__FN bool taco__dataset_writer_pad_file(taco_writer *w, taco_bytes id)
{
    taco__input in;
    taco__input_from_bytes(&in, taco__bytes_of(NULL, 0));
    return taco__dataset_writer_append_sample(w, id, false) &&
           taco__dataset_writer_store_payload(w, &in) == TACO_OK;
}
/* What stands below the first sample, without bytes: so is a padding sample isomorphic to it. */
TACO__FN bool taco__dataset_writer_pad_below(taco_writer *w, uint32_t level, size_t like)
{
    size_t row;
    bool   ok = true;
    w->depth = level;
    for (row = 0;
         ok && row < w->tree.level[level].rows && taco__tree_parent(&w->tree, level, row) <= like;
         row++) {
        taco_bytes id = taco__tree_id(&w->tree, level, row);
        char      *copy;
        if (taco__tree_parent(&w->tree, level, row) != like) {
            continue;
        }
        copy = taco__arena_text(&w->arena, id, &w->err); /* the tree's ids move when it grows */
        id = taco__bytes_of(copy, id.len);
        if (!copy || !taco__tree_is_folder(&w->tree, level, row)) {
            ok = copy && taco__dataset_writer_pad_file(w, id);
        } else {
            ok = taco__dataset_writer_append_sample(w, id, true) &&
                 taco__dataset_writer_store_payload(w, NULL) == TACO_OK &&
                 taco__dataset_writer_pad_below(w, level + 1, row);
            w->depth = level;
        }
    }
    return ok;
}
/* Pads the children of the folder that is open; at level 0 the samples. */
TACO__FN bool taco__dataset_writer_pad(taco_writer *w)
{
    const taco__tree_level *l = &w->tree.level[w->depth];
    size_t                  from = l->rows, n, k;
    bool                    fill = w->fill, ok = true;
    if (!w->pad_to || !l->rows) {
        return true;
    }
    while (from && (!w->depth || taco__tree_parent(&w->tree, w->depth, from - 1) ==
                                     w->tree.level[w->depth - 1].rows - 1)) {
        from--;
    }
    n = l->rows - from;
    n = (w->pad_to - n % w->pad_to) % w->pad_to;
    ok = taco__dataset_writer_fill_missing(w, w->depth, l->rows);
    w->fill = true; /* what pads has no values */
    for (k = 0; ok && k < n; k++) {
        char     id[40] = TACO__RULES_PADDING;
        size_t   len = sizeof TACO__RULES_PADDING - 1;
        uint32_t depth = w->depth;
        bool     folder = depth == 0 && taco__tree_is_folder(&w->tree, 0, 0);
        len += taco__num_format_u64(id + len, k);
        if (folder) {
            ok = taco__dataset_writer_append_sample(w, taco__bytes_of(id, len), true) &&
                 taco__dataset_writer_store_payload(w, NULL) == TACO_OK &&
                 taco__dataset_writer_pad_below(w, 1, 0);
        } else {
            ok = taco__dataset_writer_pad_file(w, taco__bytes_of(id, len));
        }
        w->depth = depth;
    }
    for (k = 0; ok && n && k < TACO__MAX_LEVELS; k++) {
        ok = k < w->depth ||
             taco__dataset_writer_fill_missing(w, (uint32_t)k, w->tree.level[k].rows);
    }
    w->fill = fill;
    return ok;
}
TACO_API taco_status taco_writer_folder_end(taco_writer *w)
{
    if (taco__dataset_writer_status(w) != TACO_OK) {
        return taco__dataset_writer_status(w);
    }
    if (w->depth == 0) {
        return TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET, "no FOLDER is open");
    }
    if (taco__dataset_writer_pad(w)) {
        w->depth--;
        w->level = w->depth; /* columns are set of the FOLDER again */
    }
    return w->err.code;
}

/* ---- the end ---- */

TACO__FN bool taco__dataset_writer_begin_level(void *ctx, uint32_t level, taco_error *err)
{
    taco_writer *w = (taco_writer *)ctx;
    (void)err;
    w->table = level;
    w->at = 0;
    return true;
}
TACO__FN bool taco__dataset_writer_next_batch(void *ctx, taco_batch *out, taco_error *err)
{
    taco_writer *w = (taco_writer *)ctx;
    size_t       rows = w->tree.level[w->table].rows, i;
    (void)err;
    memset(out, 0, sizeof *out);
    out->first_row = (int64_t)w->at;
    out->length = TACO__MIN(rows - w->at, (size_t)TACO__BUILDER_SLICE);
    for (i = 0; i < w->counts[w->table]; i++) {
        taco__builder *c = &w->columns[w->table][i];
        w->arrays[i] = taco__array_buf_slice(&c->pieces, &c->array, w->at, out->length);
    }
    out->columns = w->arrays;
    out->column_count = w->counts[w->table];
    w->at += out->length;
    return true;
}
TACO__FN bool taco__dataset_writer_finish_columns(taco_writer *w, taco__container_columns *src)
{
    uint32_t level;
    size_t   i, most = 0;
    memset(src, 0, sizeof *src);
    src->ctx = w;
    src->begin = taco__dataset_writer_begin_level;
    src->next = taco__dataset_writer_next_batch;
    for (level = 0; level < w->tree.levels; level++) {
        size_t n = w->counts[level];
        most = TACO__MAX(most, n);
        w->fields[level] =
            (taco_field *)taco__arena_array(&w->arena, n, sizeof **w->fields, &w->err);
        for (i = 0; w->err.code == TACO_OK && i < n; i++) {
            taco__builder *c = &w->columns[level][i];
            taco__builder_finish(c, &w->arena, &w->err);
            taco__array_buf_init(&c->pieces, &c->field, &w->mem, &w->arena, &w->err);
            w->fields[level][i] = c->field;
        }
        src->fields[level] = w->fields[level];
        src->counts[level] = n;
    }
    w->arrays = (taco_array *)taco__arena_array(&w->arena, most, sizeof *w->arrays, &w->err);
    return w->err.code == TACO_OK;
}
TACO__FN bool taco__dataset_writer_finish(taco_writer *w)
{
    taco__container_columns src;
    uint32_t                level;
    if (w->err.code != TACO_OK) {
        return false;
    }
    if (w->depth) {
        taco_bytes id = taco__tree_id(&w->tree, w->depth - 1, w->tree.level[w->depth - 1].rows - 1);
        TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET, "FOLDER %q is still open", &id);
        return false;
    }
    if (!w->has_collection) {
        TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET, "there is no collection");
        return false;
    }
    for (level = 0; level < TACO__MAX_LEVELS; level++) {
        if (!taco__dataset_writer_fill_missing(w, level, w->tree.level[level].rows)) {
            return false;
        }
    }
    return taco__dataset_writer_pad(w) &&
           (w->any_tree || taco__tree_check_pit1(&w->tree, &w->err) == TACO_OK) &&
           taco__dataset_writer_finish_columns(w, &src) &&
           taco__container_write_finish(&w->pack, w->collection.root, &src, &w->err);
}
TACO_API taco_status taco_writer_finish(taco_writer *w, taco_error *err)
{
    taco_status st;
    if (!w) {
        return err ? err->code : TACO_ERR_ARGUMENT;
    }
    if (!taco__dataset_writer_finish(w)) {
        taco__container_write_abort(&w->pack); /* nothing, where finishing failed */
        if (w->path[0]) {
            taco__error_prefix(&w->err, "%s", w->path);
        }
    }
    st = w->err.code;
    if (err && err->code == TACO_OK) {
        *err = w->err;
    }
    taco__dataset_writer_free(w);
    return st;
}
