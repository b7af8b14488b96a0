/* ==== ROOM merge: many datasets as one: .tacocat, __TACOCAT__, merged collections.
   Uses: check model coll pq:write. Spec: TACO 2.0 §6.5, §6.6; facts of taco-format 6 and 10 ====
   The tables of the parts are read twice, a part at a time: once to check them and to count, once to copy their rows.
   What is kept of a part is its id and extent. */

typedef struct taco__catalogue_part {
    const char *path, *name, *id; /* name: the bare file name */
    bool        has_spatial, has_temporal;
    double      spatial[4];
    const char *temporal[2];
} taco__catalogue_part;

typedef struct taco__catalogue {
    taco__mem             mem;
    taco__arena           arena;
    taco_options          options;
    taco_merge_options    opt;
    taco__catalogue_part *parts;
    size_t                count;
    taco__collection      coll; /* of the first part */
    uint32_t              levels;
    taco_field           *fields[TACO__MAX_LEVELS]; /* of the catalogue's tables */
    size_t                columns[TACO__MAX_LEVELS];
    uint64_t              rows[TACO__MAX_LEVELS];
    int64_t              *sums[TACO__PIT_MAX_DEPTH]; /* n of each pattern; -1 where one has none */
    int64_t               shape[TACO__MAX_LEVELS];
    bool                  shaped;
} taco__catalogue;

/* ---- fields ---- */

TACO__FN bool taco__catalogue_copy_field(taco__arena *arena, const taco_field *f, taco_field *out,
                                         taco_error *err)
{
    taco_field *children;
    uint32_t    i;
    *out = *f;
    out->nullable = true;
    out->name = taco__arena_text(arena, taco__bytes_text(f->name), err);
    children = (taco_field *)taco__arena_array(arena, f->child_count + 1, sizeof *children, err);
    if (!out->name || !children) {
        return false;
    }
    for (i = 0; i < f->child_count; i++) {
        if (!taco__catalogue_copy_field(arena, &f->children[i], &children[i], err)) {
            return false;
        }
        children[i].nullable = f->children[i].nullable;
    }
    out->children = children;
    return true;
}
/* Columns that every catalogue has, whether the archives do or not. */
TACO__FN bool taco__catalogue_is_own_column(const char *name)
{
    return strcmp(name, "internal:current_id") == 0 || strcmp(name, "internal:source_file") == 0;
}
TACO__FN int taco__catalogue_compare_fields(const void *a, const void *b)
{
    return strcmp(((const taco_field *)a)->name, ((const taco_field *)b)->name);
}
TACO__FN const taco_field *taco__catalogue_find_field(const taco_field *fields, size_t n,
                                                      const char *name)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (strcmp(fields[i].name, name) == 0) {
            return &fields[i];
        }
    }
    return NULL;
}
/* Adds the columns of a part's table that are not there yet; false for other types, and for other columns unless they
   are to be filled. */
TACO__FN bool taco__catalogue_add_fields(taco__catalogue *m, uint32_t level, const taco__table *t,
                                         bool first, const char *part, taco_error *err)
{
    size_t      i, n = m->columns[level];
    taco_field *all =
        (taco_field *)taco__arena_array(&m->arena, n + t->field_count + 2, sizeof *all, err);
    if (!all) {
        return false;
    }
    memcpy((void *)all, m->fields[level] ? m->fields[level] : all, n * sizeof *all);
    for (i = 0; i < t->field_count; i++) {
        const taco_field *f = &t->fields[i], *have = taco__catalogue_find_field(all, n, f->name);
        taco_bytes        name = taco__bytes_text(f->name);
        if (taco__catalogue_is_own_column(f->name)) {
            continue;
        }
        if (have && !taco__unify_same_type(have, f)) {
            TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "level %u: column %q has another type than in %s", TACO__U(level), &name,
                       m->parts[0].name);
        } else if (!have && !first && !m->opt.fill) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "level %u: column %q is not in %s",
                       TACO__U(level), &name, m->parts[0].name);
        } else if (!have && !taco__catalogue_copy_field(&m->arena, f, &all[n++], err)) {
            return false;
        }
        if (err->code != TACO_OK) {
            taco__error_prefix(err, "%s", part);
            return false;
        }
    }
    for (i = 0; !first && !m->opt.fill && i < m->columns[level]; i++) {
        taco_bytes name = taco__bytes_text(all[i].name);
        if (taco__table_find_column(t, all[i].name) == SIZE_MAX) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "level %u: column %q of %s is missing", TACO__U(level), &name,
                       m->parts[0].name);
            taco__error_prefix(err, "%s", part);
            return false;
        }
    }
    m->fields[level] = all;
    m->columns[level] = n;
    return true;
}
/* id, type, then all others by name, as the reference has them. */
TACO__FN bool taco__catalogue_sort_fields(taco__catalogue *m, taco_error *err)
{
    static const char *const own[] = {"internal:current_id", "internal:source_file"};
    uint32_t                 level;
    size_t                   i, k;
    for (level = 0; level < m->levels; level++) {
        size_t      n = m->columns[level];
        taco_field *f = (taco_field *)taco__arena_array(&m->arena, n + 2, sizeof *f, err);
        if (!f) {
            return false;
        }
        for (i = 0, k = 2; i < n; i++) {
            const taco_field *x = &m->fields[level][i];
            f[strcmp(x->name, "id") == 0 ? 0 : strcmp(x->name, "type") == 0 ? 1 : k++] = *x;
        }
        for (i = 0; i < 2; i++) {
            f[k++] = taco__level_table_field(own[i], i ? TACO_TEXT : TACO_INT64);
        }
        qsort((void *)(f + 2), k - 2, sizeof *f, taco__catalogue_compare_fields);
        m->fields[level] = f;
        m->columns[level] = k;
    }
    return true;
}

/* ---- the parts ---- */

/* The bare name of a path; a '/' at its end is not looked at. */
TACO__FN const char *taco__catalogue_file_name(taco__catalogue *m, const char *path,
                                               taco_error *err)
{
    size_t n = strlen(path), from;
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    for (from = n; from && path[from - 1] != '/' && path[from - 1] != '\\'; from--) {
    }
    return taco__arena_text(&m->arena, taco__bytes_of(path + from, n - from), err);
}
/* Keeps what is needed of a part's collection. */
TACO__FN bool taco__catalogue_copy_collection(taco__catalogue *m, size_t number,
                                              const taco__collection *c, taco_error *err)
{
    taco__catalogue_part *p = &m->parts[number];
    size_t                i;
    p->id = taco__arena_text(&m->arena, taco__bytes_text(c->id), err);
    p->has_spatial = c->has_spatial;
    p->has_temporal = c->has_temporal;
    memcpy(p->spatial, c->spatial, sizeof p->spatial);
    for (i = 0; p->id && p->has_temporal && i < 2; i++) {
        p->temporal[i] = taco__arena_text(&m->arena, taco__bytes_text(c->temporal[i]), err);
        if (!p->temporal[i]) {
            return false;
        }
    }
    return p->id != NULL;
}
/* The counts of a part's pit schema; rows are counted, n is believed only where a level has several patterns. */
TACO__FN bool taco__catalogue_add_counts(taco__catalogue *m, const taco__collection *c,
                                         const uint64_t *rows, uint32_t levels, bool first,
                                         taco_error *err)
{
    uint32_t d;
    size_t   i;
    m->shaped = (first || m->shaped) && c->pit.shape_count == levels;
    for (d = 0; d < levels; d++) {
        m->rows[d] += rows[d];
        if (m->shaped && d) {
            m->shape[d] = TACO__MAX(m->shape[d], c->pit.shape[d]);
        }
    }
    for (d = 0; d < TACO__PIT_MAX_DEPTH; d++) {
        const taco__pit_level *l = &c->pit.levels[d];
        if (first) {
            m->sums[d] =
                (int64_t *)taco__arena_array(&m->arena, l->count + 1, sizeof **m->sums, err);
            if (!m->sums[d]) {
                return false;
            }
        }
        for (i = 0; i < l->count; i++) {
            int64_t n = l->count == 1 && d + 1 < levels ? (int64_t)rows[d + 1] : l->patterns[i].n;
            m->sums[d][i] = n < 0 || m->sums[d][i] < 0 || n > INT64_MAX - m->sums[d][i]
                                ? -1
                                : m->sums[d][i] + n;
        }
    }
    return true;
}
/* One part, opened and checked. With tables it is an archive whose rows say where their bytes are. */
TACO__FN bool taco__catalogue_add_part(taco__catalogue *m, size_t number, bool tables,
                                       taco_error *err)
{
    static const taco_validate_options none = {false, false, NULL, NULL, NULL};
    taco_validated                     sum;
    taco__findings                     f;
    taco__check_dataset                c;
    taco__catalogue_part              *p = &m->parts[number];
    uint64_t                           rows[TACO__MAX_LEVELS] = {0};
    uint32_t                           i;
    bool                               ok;
    memset(&sum, 0, sizeof sum);
    memset(&f, 0, sizeof f);
    f.how = &none;
    f.sum = &sum;
    f.part = "";
    taco__check_dataset_init(&c, &f, &m->mem, &m->options);
    c.open = taco__container_open(&c.store, p->path, NULL, &m->mem, &c.arena, &c.options, err);
    ok = c.open;
    if (ok && tables && c.store.kind != TACO_KIND_ZIP) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "%s: a catalogue is made of archives, this is a %s", p->path,
                   c.store.kind == TACO_KIND_FOLDER ? "FOLDER" : "catalogue");
        ok = false;
    }
    if (ok && tables && !m->opt.unchecked) {
        ok = taco__check_dataset_archive(&c, &c.store.file, err) &&
             taco__check_dataset_levels(&c, err);
        if (ok && f.first.code != TACO_OK) {
            *err = f.first;
            taco__error_prefix(err, "%s: to be repaired before it is merged", p->path);
            ok = false;
        }
    }
    for (i = 0; ok && i < c.store.level_count; i++) {
        taco__level *l = taco__container_level(&c.store, i, err);
        ok = l != NULL;
        rows[i] = ok ? l->table.rows : 0;
        ok = ok &&
             (!tables || taco__catalogue_add_fields(m, i, &l->table, number == 0, p->name, err));
    }
    if (ok && number == 0) { /* its collection stays: the base of the merged one */
        m->levels = c.store.level_count;
        ok = taco__collection_parse(&m->arena, c.store.coll.doc.text, &m->options.limits, &m->coll,
                                    err) == TACO_OK;
    } else if (ok && (c.store.level_count != m->levels ||
                      taco__collection_check_same_pit(&m->coll, &c.store.coll, err) != TACO_OK)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%u levels, the first dataset has %u",
                   TACO__U(c.store.level_count), TACO__U(m->levels));
        taco__error_prefix(err, "%s: cannot be merged with %s", p->path, m->parts[0].path);
        ok = false;
    }
    ok = ok && taco__catalogue_copy_collection(m, number, &c.store.coll, err) &&
         taco__catalogue_add_counts(m, &c.store.coll, rows, m->levels, number == 0, err);
    taco__check_dataset_free(&c);
    return ok;
}
TACO__FN bool taco__catalogue_begin(taco__catalogue *m, const char *const *paths, size_t n,
                                    const taco_merge_options *opt, bool tables, taco_error *err)
{
    size_t i, k;
    memset(m, 0, sizeof *m);
    if (opt) {
        m->opt = *opt;
    }
    taco__options_init(&m->options, m->opt.options);
    taco__mem_init(&m->mem, m->opt.options);
    m->arena.mem = &m->mem;
    if (!n || !paths) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
        return false;
    }
    m->parts = (taco__catalogue_part *)taco__arena_array(&m->arena, n, sizeof *m->parts, err);
    if (!m->parts) {
        return false;
    }
    m->count = n;
    for (i = 0; i < n; i++) {
        m->parts[i].path = paths[i];
        m->parts[i].name = paths[i] ? taco__catalogue_file_name(m, paths[i], err) : NULL;
        if (!m->parts[i].name) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
            return false;
        }
        for (k = 0; tables && k < i; k++) {
            taco_bytes name = taco__bytes_text(m->parts[i].name);
            if (strcmp(m->parts[k].name, m->parts[i].name) == 0) {
                TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                           "two archives are named %q, a catalogue tells them by their names",
                           &name);
                return false;
            }
        }
        if (!taco__catalogue_add_part(m, i, tables, err)) {
            return false;
        }
    }
    return !tables || taco__catalogue_sort_fields(m, err);
}

/* ---- the collection ---- */

/* The box around all boxes. Where one crosses the antimeridian (west > east) the others are turned towards it, so that
   the result is as narrow as can be; otherwise it is what the reference computes. */
TACO__FN bool taco__merged_box(const taco__catalogue *m, double out[4])
{
    size_t i;
    int    turn;
    bool   any = false, crosses = false;
    double best;
    for (i = 0; i < m->count; i++) {
        crosses =
            crosses || (m->parts[i].has_spatial && m->parts[i].spatial[0] > m->parts[i].spatial[2]);
    }
    for (i = 0; i < m->count; i++) {
        const double *b = m->parts[i].spatial;
        double        w = b[0], e = b[2] < b[0] ? b[2] + 360 : b[2], to = 0;
        if (!m->parts[i].has_spatial) {
            continue;
        }
        if (!any) {
            out[0] = w;
            out[1] = b[1];
            out[2] = e;
            out[3] = b[3];
            any = true;
            continue;
        }
        for (turn = -1, best = 1e9; turn <= 1; turn++) {
            double wide = TACO__MAX(out[2], e + turn * 360) - TACO__MIN(out[0], w + turn * 360);
            if ((crosses || turn == 0) && wide < best) {
                best = wide;
                to = turn * 360;
            }
        }
        out[0] = TACO__MIN(out[0], w + to);
        out[2] = TACO__MAX(out[2], e + to);
        out[1] = TACO__MIN(out[1], b[1]);
        out[3] = TACO__MAX(out[3], b[3]);
    }
    if (any && crosses && out[2] - out[0] >= 360) {
        out[0] = -180;
        out[2] = 180;
    } else if (any && crosses) {
        out[0] += out[0] < -180 ? 360 : out[0] > 180 ? -360 : 0;
        out[2] += out[2] < -180 ? 360 : out[2] > 180 ? -360 : 0;
    }
    return any;
}
TACO__FN bool taco__merged_write_box(taco__buf *b, const double box[4], taco_error *err)
{
    size_t i;
    bool   ok = true;
    for (i = 0; ok && i < 4; i++) {
        ok = taco__buf_append_char(b, i ? ',' : '[', err) &&
             taco__document_write_double(b, box[i], err);
    }
    return ok && taco__buf_append_char(b, ']', err);
}
TACO__FN bool taco__merged_write_times(taco__buf *b, const char *first, const char *last,
                                       taco_error *err)
{
    return taco__buf_append_char(b, '[', err) &&
           taco__json_write_utf8(b, taco__bytes_text(first), err) &&
           taco__buf_append_char(b, ',', err) &&
           taco__json_write_utf8(b, taco__bytes_text(last), err) &&
           taco__buf_append_char(b, ']', err);
}
TACO__FN bool taco__merged_write_extent(const taco__catalogue *m, taco__buf *b, taco_error *err)
{
    double      box[4] = {-180, -90, 180, 90};
    const char *text[2] = {NULL, NULL};
    int64_t     best[2] = {0, 0};
    size_t      i, k;
    taco__merged_box(m, box);
    for (i = 0; i < m->count; i++) {
        for (k = 0; m->parts[i].has_temporal && k < 2; k++) {
            int64_t us;
            bool    date;
            if (taco__time_parse(taco__bytes_text(m->parts[i].temporal[k]), &us, &date) &&
                (!text[k] || (k ? us > best[k] : us < best[k]))) {
                text[k] = m->parts[i].temporal[k];
                best[k] = us;
            }
        }
    }
    return taco__buf_append_text(b, "{\"spatial\":", err) && taco__merged_write_box(b, box, err) &&
           taco__buf_append_text(b, ",\"temporal\":", err) &&
           (text[0] && text[1] ? taco__merged_write_times(b, text[0], text[1], err)
                               : taco__buf_append_text(b, "null", err)) &&
           taco__buf_append_char(b, '}', err);
}
TACO__FN bool taco__merged_write_number(taco__buf *b, int64_t x, taco_error *err)
{
    char text[24];
    return taco__buf_append(b, text, taco__num_format_i64(text, x), err);
}
/* A pattern, or the root, with another n. */
TACO__FN bool taco__merged_write_pattern(const taco__json *node, int64_t n, taco__buf *b,
                                         taco_error *err)
{
    static const char *const skip[] = {"n"};
    bool                     first = n < 0;
    return taco__buf_append_char(b, '{', err) &&
           (n < 0 ||
            (taco__buf_append_text(b, "\"n\":", err) && taco__merged_write_number(b, n, err))) &&
           taco__document_copy_members(node, skip, 1, &first, b, err) &&
           taco__buf_append_char(b, '}', err);
}
TACO__FN bool taco__merged_write_pit_schema(const taco__catalogue *m, taco__buf *b, taco_error *err)
{
    const taco__pit *pit = &m->coll.pit;
    uint32_t         d;
    size_t           i;
    bool             ok = taco__buf_append_text(b, "{\"root\":", err) &&
              taco__merged_write_pattern(taco__json_get(m->coll.pit_schema, "root"),
                                         (int64_t)m->rows[0], b, err),
         any = false;
    if (ok && m->shaped) {
        ok = taco__buf_append_text(b, ",\"shape\":[", err) &&
             taco__merged_write_number(b, (int64_t)m->rows[0], err);
        for (i = 1; ok && i < m->levels; i++) {
            ok = taco__buf_append_char(b, ',', err) &&
                 taco__merged_write_number(b, m->shape[i], err);
        }
        ok = ok && taco__buf_append_char(b, ']', err);
    }
    ok = ok && taco__buf_append_text(b, ",\"hierarchy\":{", err);
    for (d = 0; ok && d < TACO__PIT_MAX_DEPTH; d++) {
        char key[] = "\"1\":[";
        if (!pit->levels[d].present) {
            continue;
        }
        key[1] = (char)('1' + d);
        ok = (!any || taco__buf_append_char(b, ',', err)) && taco__buf_append_text(b, key, err);
        any = true;
        for (i = 0; ok && i < pit->levels[d].count; i++) {
            ok = (!i || taco__buf_append_char(b, ',', err)) &&
                 taco__merged_write_pattern(pit->levels[d].patterns[i].node, m->sums[d][i], b, err);
        }
        ok = ok && taco__buf_append_char(b, ']', err);
    }
    return ok && taco__buf_append_text(b, "}}", err);
}
TACO__FN bool taco__merged_write_sources(const taco__catalogue *m, taco__buf *b, taco_error *err)
{
    size_t i;
    bool   ok = taco__buf_append_text(b, "{\"count\":", err) &&
              taco__merged_write_number(b, (int64_t)m->count, err) &&
              taco__buf_append_text(b, ",\"ids\":[", err);
    for (i = 0; ok && i < m->count; i++) {
        ok = (!i || taco__buf_append_char(b, ',', err)) &&
             taco__json_write_utf8(b, taco__bytes_text(m->parts[i].id), err);
    }
    ok = ok && taco__buf_append_text(b, "],\"files\":[", err);
    for (i = 0; ok && i < m->count; i++) {
        ok = (!i || taco__buf_append_char(b, ',', err)) &&
             taco__json_write_utf8(b, taco__bytes_text(m->parts[i].name), err);
    }
    ok = ok && taco__buf_append_text(b, "],\"extents\":[", err);
    for (i = 0; ok && i < m->count; i++) {
        const taco__catalogue_part *p = &m->parts[i];
        ok = (!i || taco__buf_append_char(b, ',', err)) &&
             taco__buf_append_text(b, "{\"file\":", err) &&
             taco__json_write_utf8(b, taco__bytes_text(p->name), err) &&
             taco__buf_append_text(b, ",\"id\":", err) &&
             taco__json_write_utf8(b, taco__bytes_text(p->id), err) &&
             (!p->has_spatial || (taco__buf_append_text(b, ",\"spatial\":", err) &&
                                  taco__merged_write_box(b, p->spatial, err))) &&
             (!p->has_temporal ||
              (taco__buf_append_text(b, ",\"temporal\":", err) &&
               taco__merged_write_times(b, p->temporal[0], p->temporal[1], err))) &&
             taco__buf_append_char(b, '}', err);
    }
    return ok && taco__buf_append_text(b, "]}", err);
}
/* What the first writers of __TACOCAT__ noted of its parts; readers of today do not look at it. */
TACO__FN bool taco__merged_write_note(const taco__catalogue *m, taco__buf *b, taco_error *err)
{
    size_t i;
    bool   ok = taco__buf_append_text(b, "{\"version\":1,\"num_datasets\":", err) &&
              taco__merged_write_number(b, (int64_t)m->count, err) &&
              taco__buf_append_text(b, ",\"dataset_sources\":[", err);
    for (i = 0; ok && i < m->count; i++) {
        ok = (!i || taco__buf_append_char(b, ',', err)) &&
             taco__json_write_utf8(b, taco__bytes_text(m->parts[i].name), err);
    }
    return ok && taco__buf_append_text(b, "]}", err);
}
/* Everything that is not ASCII as \uXXXX, as the reference writes merged collections. */
TACO__FN bool taco__merged_escape_ascii(taco_bytes text, taco__buf *out, taco_error *err)
{
    static const char hex[] = "0123456789abcdef";
    size_t            i = 0;
    bool              ok = true;
    while (ok && i < text.len) {
        size_t   from = i, k, n;
        uint32_t c, half[2];
        while (i < text.len && text.data[i] < 0x80) {
            i++;
        }
        ok = taco__buf_append(out, text.data + from, i - from, err);
        if (!ok || i == text.len) {
            break;
        }
        n = taco__json_utf8_length(text.data + i, text.data + text.len);
        if (n < 2) { /* cannot be: the parser let it in */
            i++;
            continue;
        }
        c = text.data[i] & (0x7FU >> n);
        for (k = 1; k < n; k++) {
            c = c << 6 | (text.data[i + k] & 0x3FU);
        }
        i += n;
        half[0] = c < 0x10000U ? c : 0xD800U + ((c - 0x10000U) >> 10);
        half[1] = 0xDC00U + ((c - 0x10000U) & 0x3FFU);
        for (k = 0; ok && k < (c < 0x10000U ? 1U : 2U); k++) {
            char     esc[6] = {'\\', 'u', 0, 0, 0, 0};
            unsigned d;
            for (d = 0; d < 4; d++) {
                esc[2 + d] = hex[half[k] >> (12 - 4 * d) & 15];
            }
            ok = taco__buf_append(out, esc, 6, err);
        }
    }
    return ok;
}
/* The merged document: that of the first part with what is computed in the places it has there. */
TACO__FN bool taco__merged_write(taco__catalogue *m, bool note, taco__buf *out, taco_error *err)
{
    static const char *const skip[] = {"taco:sources", "_tacocat", "taco:subset_of",
                                       "taco:subset_date"};
    const taco__json        *root = m->coll.doc.root, *key;
    taco__buf                b, pretty;
    taco__arena              arena;
    taco__json_doc           doc;
    uint32_t                 i;
    size_t                   k;
    bool                     ok, first = true;
    memset(&b, 0, sizeof b);
    b.mem = arena.mem = &m->mem;
    arena.head = NULL;
    pretty = b;
    ok = taco__buf_append_char(&b, '{', err);
    for (i = 0, key = taco__json_first(root); ok && i < root->count;
         i++, key = taco__json_next(key + 1)) {
        for (k = 0; k < TACO__COUNT(skip) && !taco__json_equals(key, skip[k]); k++) {
        }
        if (k < TACO__COUNT(skip) || taco__json_get_bytes(root, taco__json_bytes(key)) != key + 1) {
            continue;
        }
        ok = (first || taco__buf_append_char(&b, ',', err)) &&
             taco__json_write_utf8(&b, taco__json_bytes(key), err) &&
             taco__buf_append_char(&b, ':', err) &&
             (taco__json_equals(key, "extent") ? taco__merged_write_extent(m, &b, err)
              : taco__json_equals(key, "taco:pit_schema")
                  ? taco__merged_write_pit_schema(m, &b, err)
                  : taco__json_write_value(&b, key + 1, 0, err));
        first = false;
    }
    ok = ok && taco__buf_append_text(&b, ",\"taco:sources\":", err) &&
         taco__merged_write_sources(m, &b, err) &&
         (!note || (taco__buf_append_text(&b, ",\"_tacocat\":", err) &&
                    taco__merged_write_note(m, &b, err))) &&
         taco__buf_append_char(&b, '}', err) &&
         taco__json_parse(&arena, taco__bytes_of(b.data, b.len), &m->options.limits, &doc, err) ==
             TACO_OK &&
         taco__json_write_value(&pretty, doc.root, 4, err) &&
         taco__merged_escape_ascii(taco__bytes_of(pretty.data, pretty.len), out, err);
    taco__arena_free(&arena);
    taco__buf_free(&b);
    taco__buf_free(&pretty);
    return ok;
}

/* ---- the tables ---- */

#define TACO__CATALOGUE_TABLE_BATCH 4096 /* rows of a batch */

/* One level of one part on its way into the catalogue. */
typedef struct taco__catalogue_table_copy {
    taco__catalogue *m;
    uint32_t         level;
    taco__table     *table;
    taco__row_reader rows;
    taco__arena      arena;
    taco_array      *arrays;
    size_t          *at; /* column among those that are read, TACO__NONE: none */
    size_t           current, source;
    int64_t         *numbers;
    int32_t         *zeros, ends[2];
    taco_array       word;
} taco__catalogue_table_copy;

TACO__FN bool taco__catalogue_table_copy_init(taco__catalogue_table_copy *c, const char *name,
                                              taco_error *err)
{
    size_t            i, n = 0, count = c->m->columns[c->level], *which;
    const taco_field *fields = c->m->fields[c->level];
    c->arrays = (taco_array *)taco__arena_array(&c->arena, count, sizeof *c->arrays, err);
    c->at = (size_t *)taco__arena_array(&c->arena, count, sizeof *c->at, err);
    which = (size_t *)taco__arena_array(&c->arena, count, sizeof *which, err);
    c->numbers = (int64_t *)taco__arena_array(&c->arena, TACO__CATALOGUE_TABLE_BATCH,
                                              sizeof *c->numbers, err);
    c->zeros =
        (int32_t *)taco__arena_array(&c->arena, TACO__CATALOGUE_TABLE_BATCH, sizeof *c->zeros, err);
    if (!c->arrays || !c->at || !which || !c->numbers || !c->zeros) {
        return false;
    }
    for (i = 0; i < count; i++) {
        size_t k = taco__table_find_column(c->table, fields[i].name);
        c->at[i] = TACO__NONE;
        if (strcmp(fields[i].name, "internal:source_file") == 0) {
            c->source = i;
        } else if (strcmp(fields[i].name, "internal:current_id") == 0) {
            c->current = i; /* the number of the row: archives of before 2025-12 have none */
        } else if (k != SIZE_MAX) {
            c->at[i] = n;
            which[n++] = k;
        } else if (!taco__unify_null_array(&fields[i], TACO__CATALOGUE_TABLE_BATCH, &c->arrays[i],
                                           &c->arena, err)) {
            return false;
        }
    }
    c->ends[0] = 0;
    c->ends[1] = (int32_t)strlen(name);
    c->word.field = &fields[c->source];
    c->word.length = 1;
    c->word.offsets = c->ends;
    c->word.v.any = name;
    return taco__row_reader_open(&c->rows, c->table, which, n, &c->m->mem, err);
}
TACO__FN bool taco__catalogue_table_copy_rows(taco__catalogue_table_copy *c, taco_pq_writer *w,
                                              taco_error *err)
{
    size_t     row = 0, i, count = c->m->columns[c->level];
    taco_batch b;
    memset(&b, 0, sizeof b);
    b.first_row = -1;
    b.columns = c->arrays;
    b.column_count = count;
    while (row < c->table->rows) {
        size_t n = (size_t)TACO__MIN(c->table->rows - row, (uint64_t)TACO__CATALOGUE_TABLE_BATCH);
        if (!taco__row_reader_read_range(&c->rows, row, n, err)) {
            return false;
        }
        for (i = 0; i < count; i++) {
            taco_array *a = &c->arrays[i];
            if (c->at[i] != TACO__NONE) {
                *a = c->rows.arrays[c->at[i]];
            } else if (i == c->source || i == c->current) {
                memset(a, 0, sizeof *a);
                a->field = &c->m->fields[c->level][i];
                a->v.any = i == c->source ? (const void *)c->zeros : (const void *)c->numbers;
                a->dictionary = i == c->source ? &c->word : NULL;
            } else {
                a->null_count = n;
            }
            a->length = n;
        }
        for (i = 0; i < n; i++) {
            c->numbers[i] = (int64_t)(row + i);
        }
        b.length = n;
        if (taco_pq_writer_batch(w, &b) != TACO_OK) {
            return false; /* the writer says why */
        }
        row += n;
    }
    return true;
}
TACO__FN bool taco__catalogue_table_copy_part(taco__catalogue *m, size_t number, uint32_t level,
                                              taco_pq_writer *w, taco_error *err)
{
    taco__container            s;
    taco__arena                arena;
    taco__catalogue_table_copy c;
    taco__level               *l;
    bool                       ok;
    memset(&c, 0, sizeof c);
    arena.mem = c.arena.mem = &m->mem;
    arena.head = NULL;
    c.m = m;
    c.level = level;
    if (!taco__container_open(&s, m->parts[number].path, NULL, &m->mem, &arena, &m->options, err)) {
        taco__arena_free(&arena);
        return false;
    }
    l = taco__container_level(&s, level, err);
    ok = l != NULL;
    if (ok) {
        c.table = &l->table;
        ok = taco__catalogue_table_copy_init(&c, m->parts[number].name, err) &&
             taco__catalogue_table_copy_rows(&c, w, err);
        if (!ok) {
            taco__error_prefix(err, "%s", m->parts[number].path);
        }
        taco__row_reader_close(&c.rows);
    }
    taco__container_close(&s);
    taco__arena_free(&c.arena);
    taco__arena_free(&arena);
    return ok;
}
/* Writes a level of the catalogue into a sink, which is taken over. */
TACO__FN bool taco__catalogue_table_write_level(taco__catalogue *m, uint32_t level,
                                                const taco_sink *sink, taco_error *err)
{
    taco_pq_write_options w;
    taco_pq_writer       *writer;
    size_t                i;
    bool                  ok;
    memset(&w, 0, sizeof w);
    w.options = &m->options;
    w.codec = m->opt.codec ? m->opt.codec : TACO_CODEC_ZSTD;
    w.level = m->opt.level;
    w.row_group_rows = m->opt.row_group_rows;
    writer = taco_pq_write(sink, m->fields[level], m->columns[level], &w, err);
    ok = writer != NULL;
    for (i = 0; ok && i < m->count; i++) {
        ok = taco__catalogue_table_copy_part(m, i, level, writer, err);
    }
    if (writer && !ok && err->code != TACO_OK) {
        taco_pq_writer_abort(writer);
    } else if (writer) {
        ok = taco_pq_writer_close(writer, err) == TACO_OK && ok;
    }
    return ok;
}

/* ---- the 128-byte file (§6.5) ---- */

typedef struct taco__catalogue_table_sink { /* a table inside of the file */
    taco_sink *out;
    uint64_t   base, size;
} taco__catalogue_table_sink;
TACO__FN bool taco__catalogue_table_sink_write(void *ctx, uint64_t offset, const void *src,
                                               size_t len)
{
    taco__catalogue_table_sink *s = (taco__catalogue_table_sink *)ctx;
    if (offset != s->size) {
        return false;
    }
    s->size += len;
    return s->out->write(s->out->ctx, s->base + offset, src, len);
}
TACO__FN bool taco__catalogue_table_sink_close(void *ctx, bool keep)
{
    (void)ctx;
    (void)keep;
    return true;
}
TACO__FN bool taco__catalogue_table_write_file(taco__catalogue *m, taco_sink *out, taco_error *err)
{
    uint8_t                    head[TACO__INDEX_TACOCAT_BYTES];
    taco__catalogue_table_sink part;
    taco_sink                  sink;
    taco__buf                  text;
    uint32_t                   i;
    bool                       ok;
    memset(head, 0, sizeof head);
    memcpy(head, "TACOCAT", 7);
    taco__put_le32(head + 8, 1);
    taco__put_le32(head + 12, m->levels - 1);
    memset(&text, 0, sizeof text);
    memset(&sink, 0, sizeof sink);
    text.mem = &m->mem;
    part.out = out;
    part.base = sizeof head;
    sink.ctx = &part;
    sink.write = taco__catalogue_table_sink_write;
    sink.close = taco__catalogue_table_sink_close;
    ok = out->write(out->ctx, 0, head, sizeof head);
    for (i = 0; ok && i < m->levels; i++) {
        part.size = 0;
        ok = taco__catalogue_table_write_level(m, i, &sink, err);
        taco__put_le64(head + 16 + 16 * (size_t)i, part.base);
        taco__put_le64(head + 24 + 16 * (size_t)i, part.size);
        part.base += part.size;
    }
    ok = ok && taco__merged_write(m, true, &text, err);
    taco__put_le64(head + 112, part.base);
    taco__put_le64(head + 120, text.len);
    ok = ok && out->write(out->ctx, part.base, text.data, text.len) &&
         out->write(out->ctx, 0, head, sizeof head);
    taco__buf_free(&text);
    return ok;
}

#ifndef TACO_NO_STDIO
/* dir, a '/' and a name in the arena. */
TACO__FN const char *taco__catalogue_join_path(taco__catalogue *m, const char *dir,
                                               const char *name, taco_error *err)
{
    size_t n = strlen(dir), k = strlen(name);
    char  *p = (char *)taco__arena_alloc(&m->arena, n + k + 2, err);
    if (p) {
        memcpy(p, dir, n);
        p[n] = '/';
        memcpy(p + n + (n == 0 || dir[n - 1] != '/'), name, k);
    }
    return p;
}
TACO__FN bool taco__catalogue_check_free(const char *path, taco_error *err)
{
    uint64_t   size;
    taco_bytes name = taco__bytes_text(path);
    if (taco__plat_stat(path, &size) != TACO__PATH_MISSING) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%q exists already", &name);
        return false;
    }
    return true;
}
TACO__FN bool taco__catalogue_write_text(taco__catalogue *m, const char *path, taco_bytes text,
                                         taco_error *err)
{
    taco_sink sink;
    bool      ok = taco_sink_file(&sink, path, &m->options, err) == TACO_OK;
    if (!ok) {
        return false;
    }
    ok = sink.write(sink.ctx, 0, text.data, text.len);
    ok = sink.close(sink.ctx, ok) && ok;
    if (!ok) {
        taco_bytes name = taco__bytes_text(path);
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "cannot be written: %q", &name);
    }
    return ok;
}
TACO__FN bool taco__catalogue_write_binary(taco__catalogue *m, const char *path, taco_error *err)
{
    taco_sink sink;
    bool      ok = taco__catalogue_check_free(path, err) &&
              taco_sink_file(&sink, path, &m->options, err) == TACO_OK;
    if (!ok) {
        return false;
    }
    ok = taco__catalogue_table_write_file(m, &sink, err);
    ok = sink.close(sink.ctx, ok) && ok;
    if (!ok) {
        taco_bytes name = taco__bytes_text(path);
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "cannot be written: %q", &name);
    }
    return ok;
}
/* The directory, under another name until it is complete. */
TACO__FN bool taco__catalogue_write_directory(taco__catalogue *m, const char *path, taco_error *err)
{
#if TACO__DIRS
    static const char *const names[] = {"level0.parquet", "level1.parquet", "level2.parquet",
                                        "level3.parquet", "level4.parquet", "level5.parquet"};
    taco__buf                text, temporary;
    const char              *at, *file = NULL;
    taco_sink                sink;
    uint32_t                 i;
    bool                     ok;
    memset(&text, 0, sizeof text);
    text.mem = &m->mem;
    temporary = text;
    ok = taco__catalogue_check_free(path, err) && taco__buf_append_text(&temporary, path, err) &&
         taco__buf_append(&temporary, ".part", 6, err);
    at = (const char *)temporary.data;
    if (ok) {
        taco__dir_remove_tree(at, &m->mem); /* of a writer that was killed */
        ok = taco__dir_make(at, err);
    }
    for (i = 0; ok && i < m->levels; i++) {
        const char *name = taco__catalogue_join_path(m, at, names[i], err);
        ok = name && taco_sink_file(&sink, name, &m->options, err) == TACO_OK &&
             taco__catalogue_table_write_level(m, i, &sink, err);
    }
    if (ok) {
        file = taco__catalogue_join_path(m, at, "COLLECTION.json", err);
        ok = file && taco__merged_write(m, false, &text, err) &&
             taco__catalogue_write_text(m, file, taco__bytes_of(text.data, text.len), err) &&
             taco__dir_rename(at, path, file, err);
    }
    if (!ok && temporary.len) {
        taco__dir_remove_tree(at, &m->mem);
    }
    taco__buf_free(&text);
    taco__buf_free(&temporary);
    return ok;
#else
    (void)m;
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%s: this build makes no directories",
               path);
    return false;
#endif
}
#endif

/* ---- public ---- */

TACO__FN bool taco__catalogue_has_file_name(const char *path, const char *name)
{
    size_t n = strlen(path), k = strlen(name);
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    return n >= k && memcmp(path + n - k, name, k) == 0 && (n == k || path[n - k - 1] == '/');
}
TACO__FN taco_status taco__catalogue_end(taco__catalogue *m, bool ok, const taco_error *own,
                                         taco_error *err)
{
    taco_error e = *own;
    taco__arena_free(&m->arena);
    if (!ok) {
        TACO__FAIL(&e, TACO_ERR_IO, TACO_NO_OFFSET, "writing failed");
    }
    if (err && err->code == TACO_OK) {
        *err = e;
    }
    return e.code;
}
TACO_API taco_status taco_create_tacocat(const char *output, const char *const *paths, size_t n,
                                         const taco_merge_options *opt, taco_error *err)
{
    taco__catalogue m;
    taco_error      own = {0, TACO_OK, 0, {0}};
    bool            ok;
    if (!output) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no output given");
    }
    ok = taco__catalogue_begin(&m, paths, n, opt, true, &own);
#ifndef TACO_NO_STDIO
    if (ok && taco__catalogue_has_file_name(output, "__TACOCAT__")) {
        ok = taco__catalogue_write_binary(&m, output, &own);
    } else if (ok && taco__catalogue_has_file_name(output, ".tacocat")) {
        ok = taco__catalogue_write_directory(&m, output, &own);
    } else if (ok) {
        const char *folder = taco__catalogue_join_path(&m, output, ".tacocat", &own),
                   *binary = taco__catalogue_join_path(&m, output, "__TACOCAT__", &own);
        ok = folder && binary && (!m.opt.binary || taco__catalogue_check_free(binary, &own)) &&
             taco__catalogue_write_directory(&m, folder, &own) &&
             (!m.opt.binary || taco__catalogue_write_binary(&m, binary, &own));
    }
#endif
    return taco__catalogue_end(&m, ok, &own, err);
}
TACO_API taco_status taco_create_tacollection(const char *output, const char *const *paths,
                                              size_t n, const taco_merge_options *opt,
                                              taco_error *err)
{
    taco__catalogue m;
    taco_error      own = {0, TACO_OK, 0, {0}};
    taco__buf       text;
    bool            ok;
    if (!output) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no output given");
    }
    ok = taco__catalogue_begin(&m, paths, n, opt, false, &own);
    memset(&text, 0, sizeof text);
    text.mem = &m.mem;
#ifndef TACO_NO_STDIO
    if (ok) {
        size_t      len = strlen(output);
        const char *path = len > 5 && strcmp(output + len - 5, ".json") == 0
                               ? output
                               : taco__catalogue_join_path(&m, output, "TACOLLECTION.json", &own);
        ok = path && taco__catalogue_check_free(path, &own) &&
             taco__merged_write(&m, false, &text, &own) &&
             taco__catalogue_write_text(&m, path, taco__bytes_of(text.data, text.len), &own);
    }
#endif
    taco__buf_free(&text);
    return taco__catalogue_end(&m, ok, &own, err);
}
