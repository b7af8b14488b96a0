/* ==== ROOM view: a query bound to the tables of a dataset, and the cursor over its rows. Uses: join geom pq:text vsi.
   Spec: TACO 2.0 §7.2.2, §7.2.3 ==== */

#define TACO__GDAL_VSI    "internal:gdal_vsi"
#define TACO__SOURCE_PATH "internal:source_path"
#define TACO__SOURCE_FILE "internal:source_file"

struct taco_dataset {
    taco__mem        mem;
    taco__arena      arena;
    taco_options     options;
    taco__container *stores;
    size_t           container_count;
    taco_column_mode mode;
    taco_field
             *fields[TACO__MAX_LEVELS]; /* of a level, over all stores; made when first asked for */
    size_t    field_count[TACO__MAX_LEVELS];
    bool     *mixed[TACO__MAX_LEVELS]; /* of each: stored under several types */
    taco__buf info, locate_vsi, locate_file;
};

/* ---- the columns of a level over all stores ------------------------------------------------------ */

/* In how many stores a level has the column, and the type that takes all of them up; *clash: they are not all the same. */
TACO__FN bool taco__schema_union_find_column(taco_dataset *ds, uint32_t level, taco_field *f,
                                             size_t *have, size_t *all, bool *clash,
                                             taco_error *err)
{
    size_t i, c;
    *have = *all = 0;
    *clash = false;
    for (i = 0; i < ds->container_count; i++) {
        taco__level *l = taco__container_level(&ds->stores[i], level, err);
        taco_field   both;
        if (!l) {
            return false;
        }
        ++*all;
        c = taco__table_find_column(&l->table, f->name);
        if (c == TACO__NONE) {
            continue;
        }
        ++*have;
        if (taco__unify_same_type(f, &l->table.fields[c])) {
            continue;
        }
        *clash = true;
        if (!taco__unify_type(&ds->arena, f, &l->table.fields[c], &both, err)) {
            taco_bytes name = taco__bytes_text(f->name);
            TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "column %q of level %u has another type than in %s, and there is none for "
                       "both",
                       &name, TACO__U(level), ds->stores[0].name);
            return taco__container_fail(&ds->stores[i], NULL, err);
        }
        *f = both;
    }
    return true;
}
/* The datasets whose level has a column, or lacks it, by name; as many as a message holds. */
TACO__FN bool taco__schema_union_list_datasets(taco_dataset *ds, uint32_t level, const char *column,
                                               bool has, taco__buf *out, taco_error *err)
{
    size_t i, left = 0;
    bool   ok = true;
    out->len = 0;
    for (i = 0; ok && i < ds->container_count; i++) {
        const taco__container *s = &ds->stores[i];
        size_t                 n = strlen(s->name);
        if ((taco__table_find_column(&s->levels[level].table, column) != TACO__NONE) != has) {
            continue;
        }
        if (out->len && out->len + n > 160) {
            left++;
            continue;
        }
        ok = (!out->len || taco__buf_append_text(out, ", ", err)) &&
             taco__buf_append_text(out, s->name, err);
    }
    if (ok && left) {
        char digits[24];
        ok = taco__buf_append_text(out, " and ", err) &&
             taco__buf_append(out, digits, taco__num_format_u64(digits, left), err) &&
             taco__buf_append_text(out, " more", err);
    }
    return ok && taco__buf_append_char(out, 0, err);
}
/* Tells that not all datasets have a column: a failure in strict mode, else a warning that says where. */
TACO__FN bool taco__schema_union_report_missing(taco_dataset *ds, uint32_t level,
                                                const char *column, size_t have, size_t all,
                                                taco_error *err)
{
    bool       fill = ds->mode == TACO_COLUMNS_FILL_MISSING;
    taco_bytes name = taco__bytes_text(column);
    taco__buf  where;
    taco_error w;
    bool       ok;
    memset(&where, 0, sizeof where);
    memset(&w, 0, sizeof w);
    where.mem = &ds->mem;
    ok = taco__schema_union_list_datasets(ds, level, column, !fill, &where, err);
    if (ok && ds->mode == TACO_COLUMNS_STRICT) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q of level %u is in %u of %u datasets (%s), --column-mode strict wants "
                   "it in all",
                   &name, TACO__U(level), TACO__U(have), TACO__U(all), (const char *)where.data);
        ok = false;
    } else if (ok && ds->options.warn && fill) {
        TACO__FAIL(&w, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q of level %u is in %u of %u datasets: filled with nulls in %s", &name,
                   TACO__U(level), TACO__U(have), TACO__U(all), (const char *)where.data);
    } else if (ok && ds->options.warn) {
        TACO__FAIL(&w, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "column %q of level %u is in %u of %u datasets: dropped from %s", &name,
                   TACO__U(level), TACO__U(have), TACO__U(all), (const char *)where.data);
    }
    if (w.code != TACO_OK) {
        ds->options.warn(ds->options.warn_ctx, &w);
    }
    taco__buf_free(&where);
    return ok;
}
/* Gives the table of a level a column of nulls for each that only other stores have: predicates may name them. */
TACO__FN bool taco__schema_union_add_null_columns(taco_dataset *ds, taco__table *t,
                                                  const taco_field *all, size_t count,
                                                  taco_error *err)
{
    taco_field *fields =
        (taco_field *)taco__arena_array(&ds->arena, t->field_count + count, sizeof *fields, err);
    size_t i, n = t->field_count;
    if (!fields) {
        return false;
    }
    memcpy(fields, t->fields, n * sizeof *fields);
    for (i = 0; i < count; i++) {
        if (taco__table_find_column(t, all[i].name) == TACO__NONE) {
            fields[n].name = all[i].name;
            fields[n].type = TACO_NULL;
            fields[n++].nullable = true;
        }
    }
    t->fields = fields;
    t->field_count = n;
    return true;
}
TACO__FN bool taco__schema_union_level_fields(taco_dataset *ds, uint32_t level, taco_error *err)
{
    size_t      s, c, n = 0, max = 0, have, all;
    taco_field *out, f;
    bool       *mixed, clash;
    if (ds->fields[level]) {
        return true;
    }
    for (s = 0; s < ds->container_count; s++) {
        taco__level *l = taco__container_level(&ds->stores[s], level, err);
        if (!l) {
            return false;
        }
        max += l->table.field_count;
    }
    out = (taco_field *)taco__arena_array(&ds->arena, max + 1, sizeof *out, err);
    mixed = (bool *)taco__arena_array(&ds->arena, max + 1, sizeof *mixed, err);
    if (!out || !mixed) {
        return false;
    }
    for (s = 0; s < ds->container_count; s++) {
        const taco__table *t = &ds->stores[s].levels[level].table;
        for (c = 0; c < t->field_count; c++) {
            size_t k;
            for (k = 0; s && k < n && strcmp(out[k].name, t->fields[c].name) != 0; k++) {
            }
            if (s && k < n) {
                continue;
            }
            f = t->fields[c];
            have = all = 0;
            clash = false;
            if (ds->container_count > 1 &&
                !taco__schema_union_find_column(ds, level, &f, &have, &all, &clash, err)) {
                return false;
            }
            if (have < all && strcmp(f.name, TACO__SOURCE_FILE) == 0) {
                continue; /* all rows get one */
            }
            if (have < all) {
                if (!taco__schema_union_report_missing(ds, level, f.name, have, all, err)) {
                    return false;
                }
                if (ds->mode == TACO_COLUMNS_INTERSECTION) {
                    continue;
                }
            }
            mixed[n] = clash;
            out[n++] = f;
        }
    }
    for (s = 0; ds->mode == TACO_COLUMNS_FILL_MISSING && s < ds->container_count; s++) {
        if (!taco__schema_union_add_null_columns(ds, &ds->stores[s].levels[level].table, out, n,
                                                 err)) {
            return false;
        }
    }
    ds->fields[level] = out;
    ds->mixed[level] = mixed;
    ds->field_count[level] = n;
    return true;
}
/* Whether a column is stored under several types: what tests it must test the values that come out. */
TACO__FN bool taco__schema_union_is_mixed(const taco_dataset *ds, uint32_t level, const char *name)
{
    size_t i;
    for (i = 0; ds->mixed[level] && i < ds->field_count[level]; i++) {
        if (strcmp(ds->fields[level][i].name, name) == 0) {
            return ds->mixed[level][i];
        }
    }
    return false;
}

/* ---- filters as expressions ----------------------------------------------------------------------- */

typedef struct taco__query_box {
    double edge[4]; /* west, south, east, north */
} taco__query_box;

TACO__FN bool taco__query_box_test(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                                   uint8_t *valid_bits, taco_error *err)
{
    taco_array part = *a;
    (void)valid_bits;
    part.length = rows;
    return taco__intersect_filter(&part, ((const taco__query_box *)ctx)->edge, true_bits, err) ==
           TACO_OK;
}
typedef struct taco__query_period { /* of microseconds, half open */
    int64_t from, to;
    bool    days;
} taco__query_period;

/* Times that are stored as text, in the way of TRY_CAST: what does not parse does not match. */
TACO__FN bool taco__query_text_time_test(void *ctx, const taco_array *a, size_t rows,
                                         uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    const taco__query_period *s = (const taco__query_period *)ctx;
    size_t                    i;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        taco_bytes b = taco_array_bytes(a, i);
        int32_t    day;
        int64_t    us;
        bool       date, zone;
        if (!taco_array_valid(a, i)) {
            continue;
        }
        if (s->days ? taco__time_cast_date(b, &day)
                    : taco__time_cast_timestamp(b, &us, &date, &zone)) {
            us = s->days ? (int64_t)day * 86400000000LL : us;
            if (us >= s->from && us < s->to) {
                taco__bitmap_set(true_bits, i);
            }
        }
    }
    return true;
}
TACO__FN bool taco__query_int96_time_test(void *ctx, const taco_array *a, size_t rows,
                                          uint8_t *true_bits, uint8_t *valid_bits, taco_error *err)
{
    const taco__query_period *s = (const taco__query_period *)ctx;
    size_t                    i;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        int64_t ns;
        if (taco_array_valid(a, i) && taco__time_int96_to_nanos(a->v.u8 + i * 12, &ns)) {
            int64_t us = ns / 1000 - (ns % 1000 < 0);
            if (us >= s->from && us < s->to) {
                taco__bitmap_set(true_bits, i);
            }
        }
    }
    return true;
}
/* The first of the names that the table has; NOT_FOUND, naming them all, when it has none. */
TACO__FN size_t taco__query_find_column(const taco__table *t, const char *asked,
                                        const char *const *names, size_t n, const char *what,
                                        taco_error *err)
{
    size_t i, c;
    if (asked) {
        c = taco__table_find_column(t, asked);
        if (c == TACO__NONE) {
            taco__field_names_no_column(t->fields, t->field_count, taco__bytes_text(asked), err);
        }
        return c;
    }
    for (i = 0; i < n; i++) {
        c = taco__table_find_column(t, names[i]);
        if (c != TACO__NONE) {
            return c;
        }
    }
    TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
               "no column to filter by %s: none of %s, %s%s%s", what, names[0], names[1],
               n > 2 ? ", " : "", n > 2 ? names[2] : "");
    return TACO__NONE;
}
TACO__FN taco__expr *taco__query_add_bbox(taco__arena *arena, const taco__table *t,
                                          const taco_filter *f, taco_error *err)
{
    static const char *const names[] = {"istac:geometry", "stac:centroid",
                                        "istac:centroid"}; /* spec 7.2.2 */
    size_t c = taco__query_find_column(t, f->geometry_column, names, 3, "bbox", err);
    taco__custom_predicate custom;
    taco__query_box       *box = (taco__query_box *)taco__arena_alloc(arena, sizeof *box, err);
    if (c == TACO__NONE || !box ||
        taco__intersect_normalize_box(f->bbox, box->edge, err) != TACO_OK) {
        return NULL;
    }
    if (t->fields[c].type != TACO_BINARY) {
        taco_bytes name = taco__bytes_text(t->fields[c].name);
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q is no geometry: WKB is binary",
                   &name);
        return NULL;
    }
    memset(&custom, 0, sizeof custom);
    custom.ctx = box;
    custom.eval = taco__query_box_test;
    return taco__expr_custom(arena, c, &custom, err);
}
/* us in the unit of a column; beyond its reach, the end of it. */
TACO__FN int64_t taco__query_time_in_unit(int64_t us, taco_unit unit)
{
    if (unit == TACO_NANO) {
        return us > INT64_MAX / 1000 ? INT64_MAX : us < INT64_MIN / 1000 ? INT64_MIN : us * 1000;
    }
    if (unit == TACO_MILLI ||
        unit == TACO_SECOND) { /* the first whole unit that is not before us */
        int64_t per = unit == TACO_MILLI ? 1000 : 1000000;
        return us / per + (us % per > 0);
    }
    return us;
}
TACO__FN taco__expr *taco__query_add_time(taco__arena *arena, const taco__table *t,
                                          const taco_filter *f, taco_error *err)
{
    static const char *const names[] = {"istac:time_start", "stac:time_start"}; /* spec 7.2.2 */
    size_t                   c = taco__query_find_column(t, f->time_column, names, 2, "time", err);
    int64_t                  first = 0, last = 0, from = 0, to = 0;
    taco__custom_predicate   custom;
    taco__query_period *span = (taco__query_period *)taco__arena_alloc(arena, sizeof *span, err);
    if (taco__time_parse_range(f->time, &first, &last, &from, &to, err) != TACO_OK ||
        c == TACO__NONE || !span) {
        return NULL;
    }
    span->days = !f->exact_time;
    span->from = f->exact_time ? from : first * 86400000000LL;
    span->to = f->exact_time ? (to > from ? to : from + 1) : (last + 1) * 86400000000LL;
    memset(&custom, 0, sizeof custom);
    custom.ctx = span;
    switch (t->fields[c].type) {
    case TACO_TIMESTAMP:
        return taco__expr_range_i64(
            arena, c, taco__query_time_in_unit(span->from, t->fields[c].unit), true,
            taco__query_time_in_unit(span->to, t->fields[c].unit), true, err);
    case TACO_DATE: /* a date is its midnight */
        return taco__expr_range_i64(
            arena, c,
            taco__query_time_in_unit(span->from, TACO_MICRO) / 86400000000LL +
                (span->from % 86400000000LL > 0),
            true, span->to / 86400000000LL + (span->to % 86400000000LL > 0), true, err);
    case TACO_TEXT: custom.eval = taco__query_text_time_test; break;
    case TACO_INT96: custom.eval = taco__query_int96_time_test; break;
    default: /* TRY_CAST of any other type gives no date: no row matches */
        span->from = span->to = 0;
        return taco__expr_const(arena, taco__expr_bool_value(0), err);
    }
    return taco__expr_custom(arena, c, &custom, err);
}
/* One filter on one level of one store, AND *e. */
TACO__FN bool taco__query_add_filter(const taco__container *s, taco__arena *arena,
                                     const taco__table *t, const taco_filter *f,
                                     const taco_limits *limits, taco__expr **e, taco_error *err)
{
    taco__expr *x;
    if (f->where) {
        char *text = taco__arena_text(arena, taco__bytes_text(f->where), err);
        x = text ? taco__pred_parse(arena, text, strlen(text), limits, err) : NULL;
        if (!x) {
            taco_bytes w = taco__bytes_text(f->where);
            taco__error_prefix(err, "where: %q", &w);
            return false;
        }
        *e = taco__expr_and(arena, *e, x, err);
    }
    if (f->time) {
        x = s && s->format && s->format->time ? s->format->time(arena, t, f, err)
                                              : taco__query_add_time(arena, t, f, err);
        if (!x) {
            return false;
        }
        *e = taco__expr_and(arena, *e, x, err);
    }
    if (f->bbox) {
        x = s && s->format && s->format->bbox ? s->format->bbox(arena, t, f, err)
                                              : taco__query_add_bbox(arena, t, f, err);
        if (!x) {
            taco__error_prefix(err, "bbox");
            return false;
        }
        *e = taco__expr_and(arena, *e, x, err);
    }
    return !err || err->code == TACO_OK;
}

/* ---- paths ---------------------------------------------------------------------------------------- */

typedef enum taco__sample_path_mode {
    TACO__SAMPLE_PATH_NONE = 0,
    TACO__SAMPLE_PATH_ZIP,
    TACO__SAMPLE_PATH_TACOCAT,
    TACO__SAMPLE_PATH_TOP,      /* FOLDER, level 0: by id */
    TACO__SAMPLE_PATH_RELATIVE, /* FOLDER, below: by internal:relative_path */
    TACO__SAMPLE_PATH_CHILD,    /* FOLDER, rows of a __meta__: parent directory and id */
    TACO__SAMPLE_PATH_STORED    /* formats: a column holds them */
} taco__sample_path_mode;

/* How the paths of a table's rows are made, and of which columns: places in the arrays that were read. */
typedef struct taco__sample_path_maker {
    taco__sample_path_mode mode;
    taco_bytes             root; /* archive, base of the archives, dataset or parent directory */
    size_t    a, b, name;        /* offset and size, or type; source_file, id or relative_path */
    taco__buf offsets, bytes, validity, padded;
} taco__sample_path_maker;

TACO__FN void taco__sample_path_maker_free(taco__sample_path_maker *m)
{
    taco__buf_free(&m->offsets);
    taco__buf_free(&m->bytes);
    taco__buf_free(&m->validity);
    taco__buf_free(&m->padded);
}
/* Chooses the mode for a level of a store; the columns it needs go to which[0..3). Returns their number. */
TACO__FN size_t taco__sample_path_maker_init(taco__sample_path_maker *m, const taco__container *s,
                                             const taco__table *t, const taco__column_roles *r,
                                             uint32_t level, size_t which[3], taco_error *err)
{
    const char *missing = NULL;
    m->root = taco__bytes_text(s->vsi);
    if (s->format) {
        which[0] = r->subfile;
        m->a = m->b = m->name = 0;
        m->mode = r->subfile == TACO__NONE || t->fields[r->subfile].type != TACO_TEXT
                      ? TACO__SAMPLE_PATH_NONE
                      : TACO__SAMPLE_PATH_STORED;
        return m->mode == TACO__SAMPLE_PATH_NONE ? 0 : 1;
    }
    if (s->kind == TACO_KIND_FOLDER) {
        m->mode = level ? TACO__SAMPLE_PATH_RELATIVE : TACO__SAMPLE_PATH_TOP;
        which[0] = level ? r->relative : r->id;
        which[1] = r->type;
        m->name = 0;
        m->a = 1;
        missing = which[0] == TACO__NONE   ? (level ? "internal:relative_path" : "id")
                  : which[1] == TACO__NONE ? "type"
                                           : NULL;
        if (!missing &&
            (t->fields[which[0]].type != TACO_TEXT || t->fields[which[1]].type != TACO_TEXT)) {
            missing = "id, type or internal:relative_path as text";
        }
        if (missing) {
            m->mode = TACO__SAMPLE_PATH_NONE;
            return 0;
        }
        return 2;
    }
    which[0] = r->offset;
    which[1] = r->size;
    which[2] = r->source;
    m->a = 0;
    m->b = 1;
    m->name = 2;
    m->mode = s->kind == TACO_KIND_ZIP ? TACO__SAMPLE_PATH_ZIP : TACO__SAMPLE_PATH_TACOCAT;
    missing = r->offset == TACO__NONE ? "internal:offset"
              : r->size == TACO__NONE ? "internal:size"
                                      : NULL;
    if (!missing && m->mode == TACO__SAMPLE_PATH_TACOCAT && r->source == TACO__NONE) {
        missing = "internal:source_file";
    }
    if (missing) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no %s, no path can be made",
                   missing);
        return 0;
    }
    if (!taco__join_is_integer(t->fields[r->offset].type) ||
        !taco__join_is_integer(t->fields[r->size].type)) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                   "internal:offset and internal:size must be integers");
        return 0;
    }
    if (m->mode == TACO__SAMPLE_PATH_TACOCAT && t->fields[r->source].type != TACO_TEXT) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "internal:source_file must be text");
        return 0;
    }
    return m->mode == TACO__SAMPLE_PATH_ZIP ? 2 : 3;
}
TACO__FN int taco__sample_path_parse_type(taco_bytes type) /* 1 FOLDER, 0 FILE, -1 neither */
{
    return taco__bytes_equal(type, taco__bytes_text("FILE"))     ? 0
           : taco__bytes_equal(type, taco__bytes_text("FOLDER")) ? 1
                                                                 : -1;
}
/* Appends the path of row i; *null when it has none. */
TACO__FN bool taco__sample_path_append_row(const taco__sample_path_maker *m, taco__buf *out,
                                           const taco_array *in, size_t i, bool *null,
                                           taco_error *err)
{
    const taco_array *a = &in[m->a];
    taco_bytes        name;
    int               folder;
    *null = false;
    if (m->mode == TACO__SAMPLE_PATH_STORED) {
        *null = !taco_array_valid(a, i);
        name = taco_array_bytes(a, i);
        return *null || taco__buf_append(out, name.data, name.len, err);
    }
    if (m->mode == TACO__SAMPLE_PATH_ZIP || m->mode == TACO__SAMPLE_PATH_TACOCAT) {
        const taco_array *b = &in[m->b];
        if (!taco_array_valid(a, i) || !taco_array_valid(b, i)) {
            *null = true;
            return true;
        }
        if (m->mode == TACO__SAMPLE_PATH_ZIP) {
            return taco__vsi_append_zip(out, taco_array_int(a, i), taco_array_int(b, i), m->root,
                                        err);
        }
        return taco__vsi_append_tacocat(out, taco_array_int(a, i), taco_array_int(b, i), m->root,
                                        taco_array_bytes(&in[m->name], i), err);
    }
    folder = taco__sample_path_parse_type(taco_array_bytes(a, i));
    name = taco_array_bytes(&in[m->name], i);
    if (folder < 0 || !taco_array_valid(&in[m->name], i)) {
        *null = true;
        return true;
    }
    if (m->mode == TACO__SAMPLE_PATH_CHILD) {
        return taco__vsi_append_child(out, m->root, name, err);
    }
    return taco__vsi_append_folder(
        out, m->root, name, folder > 0,
        m->mode == TACO__SAMPLE_PATH_TOP ? "id" : "internal:relative_path", err);
}
/* The common case without a test per row: an archive, int64 columns without nulls. The root is copied in steps of 32
   bytes, from a copy that is padded as the output is. */
TACO__FN bool taco__sample_path_make_zip_column(taco__sample_path_maker *m, taco__mem *mem,
                                                const taco_array *in, size_t n, int32_t *offsets,
                                                taco_error *err)
{
    const int64_t *at = in[m->a].v.i64, *size = in[m->b].v.i64;
    const uint8_t *root;
    uint8_t       *p, *begin;
    size_t         i, k, len = m->root.len;
    m->padded.mem = mem;
    if (m->padded.len != len && (!taco__buf_reset(&m->padded, len, err) ||
                                 !taco__buf_append(&m->padded, m->root.data, len, err))) {
        return false;
    }
    root = m->padded.data;
    begin = p = m->bytes.data;
    for (i = 0; i < n; i++) {
        offsets[i] = (int32_t)(p - begin);
        if (!taco__vsi_check_range(at[i], size[i], err)) {
            taco__error_prefix(err, "row %u of the batch", TACO__U(i));
            return false;
        }
        memcpy(p, "/vsisubfile/", 12);
        p = taco__vsi_write_digits(p + 12, (uint64_t)at[i]);
        *p++ = '_';
        p = taco__vsi_write_digits(p, (uint64_t)size[i]);
        *p++ = ',';
        for (k = 0; k < len; k += 32) {
            memcpy(p + k, root + k, 32);
        }
        p += len;
    }
    m->bytes.len = (size_t)(p - begin);
    return true;
}
TACO__FN bool taco__sample_path_make_column(taco__sample_path_maker *m, taco__mem *mem,
                                            const taco_array *in, size_t n, const taco_field *field,
                                            taco_array *out, taco_error *err)
{
    int32_t *offsets;
    size_t   i, bytes;
    memset(out, 0, sizeof *out);
    out->field = field;
    out->length = n;
    m->offsets.mem = m->bytes.mem = m->validity.mem = mem;
    if (!taco__checked_mul_size(n + 1, sizeof *offsets, &bytes) ||
        !taco__buf_reset(&m->offsets, bytes, err) ||
        !taco__buf_reset(&m->validity, TACO__BITMAP_BYTES(n) + 8, err)) {
        return false;
    }
    offsets = (int32_t *)(void *)m->offsets.data;
    m->bytes.len = 0;
    if (!taco__buf_reserve(&m->bytes, n * (m->root.len + 54), err)) {
        return false;
    }
    if (m->mode == TACO__SAMPLE_PATH_ZIP && in[m->a].field->type == TACO_INT64 &&
        in[m->b].field->type == TACO_INT64 && !in[m->a].validity && !in[m->b].validity) {
        if (!taco__sample_path_make_zip_column(m, mem, in, n, offsets, err)) {
            return false;
        }
    } else {
        memset(m->validity.data, 0xFF, TACO__BITMAP_BYTES(n));
        for (i = 0; i < n; i++) {
            bool null = true;
            offsets[i] = (int32_t)m->bytes.len;
            if (m->mode != TACO__SAMPLE_PATH_NONE &&
                !taco__sample_path_append_row(m, &m->bytes, in, i, &null, err)) {
                return false;
            }
            if (null) {
                taco__bitmap_clear(m->validity.data, i);
                out->null_count++;
            }
        }
    }
    offsets[n] = (int32_t)m->bytes.len;
    out->offsets = offsets;
    out->v.any = m->bytes.data;
    out->validity = out->null_count ? m->validity.data : NULL;
    return true;
}
