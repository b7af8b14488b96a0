/* legacy_dataset.c - Tortilla and TACO 0.x as datasets: collection, levels, children, filters..
   Spec: Tortilla 0.5.0, TACO 0.2.0 */
#include "legacy.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../parquet/parquet.h"
#include "../filter/filter.h"
#include "../geo/geo.h"
#include "../dataset/dataset.h"

/* ---- levels
   -------------------------------------------------------------------------------------- */

/* The file that the rows of file k are in. */
TACO__FN taco__file *taco__legacy_find_file(taco__container *s, const taco__legacy *own, size_t k,
                                            taco_error *err)
{
    return own->file_count == 1
               ? &s->file
               : taco__container_open_archive(s, taco__bytes_text(own->files[k].path), err);
}

/* Notes where the rows of a level came from, for the level below it. */
static bool taco__legacy_record_rows(taco__container *s, taco__legacy_level *l,
                                     const taco__legacy_run *runs, size_t count, taco_error *err)
{
    size_t i, k, at = 0, n = (size_t)l->t.rows + 1;
    l->file = (uint32_t *)taco__arena_array(s->arena, n, sizeof *l->file, err);
    l->object_row = (size_t *)taco__arena_array(s->arena, n, sizeof *l->object_row, err);
    l->folder = (uint8_t *)taco__arena_alloc(s->arena, n, err);
    l->offset = (int64_t *)taco__arena_array(s->arena, n, sizeof *l->offset, err);
    l->size = (int64_t *)taco__arena_array(s->arena, n, sizeof *l->size, err);
    if (!l->file || !l->object_row || !l->folder || !l->offset || !l->size) { return false; }
    for (i = 0; i < count; i++) {
        const taco__tortilla_table *t = runs[i].t;
        for (k = runs[i].first; k < runs[i].first + runs[i].n; k++, at++) {
            l->file[at] = t->file;
            l->object_row[at] = k;
            l->folder[at] = taco__tortilla_is_nested(t, k);
            l->offset[at] = taco_array_int(&t->t.arrays[t->offset], k);
            l->size[at] = taco_array_int(&t->t.arrays[t->length], k);
        }
    }
    return true;
}

static bool taco__legacy_finish_level(taco__container *s, taco__legacy *own, uint32_t level,
                                      const taco__legacy_run *runs, size_t count, taco_error *err)
{
    taco__legacy_level *l = &own->levels[level];
    size_t c;
    if (!taco__legacy_table_build(s, own, s->arena, runs, count, level == 0,
                                  level ? &own->levels[level - 1] : NULL, &l->t, err) ||
        !taco__legacy_record_rows(s, l, runs, count, err)) {
        return false;
    }
    c = taco__table_find_column(&l->t, level ? "internal:relative_path" : "tortilla:id");
    l->path = c == TACO__NONE ? NULL : &l->t.arrays[c];
    l->built = true;
    return true;
}

/* The tortilla in row i of a level: its header, its footer. */
static bool taco__legacy_read_nested(taco__container *s, taco__file *file, uint64_t offset,
                                     uint32_t number, taco__arena *arena, taco__tortilla_table *out,
                                     uint64_t *budget, taco_error *err)
{
    taco__tortilla head;
    if (!taco__tortilla_read_header(file, offset, arena, &head, err)) { return false; }
    if (budget && head.footer.len > *budget) {
        TACO__FAIL(err, TACO_ERR_LIMIT, offset,
                   "the footers of a level are larger than the file: samples overlap");
        return false;
    }
    if (budget) { *budget -= head.footer.len; }
    if (!taco__tortilla_read_footer(s, file, head.footer, offset, head.driver, arena, out, err)) {
        return false;
    }
    out->file = number;
    return true;
}

/* Bytes of the headers or footers of all nested tortillas of a level in one round, from a vectored
   source. */
static bool taco__legacy_prefetch(taco__container *s, const taco__legacy_level *l, bool footers,
                                  bool release, taco_error *err)
{
    taco__buf ranges;
    taco__arena scratch;
    size_t i;
    bool ok = true;
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = scratch.mem = s->mem;
    scratch.head = NULL;
    for (i = 0; ok && i < l->t.rows; i++) {
        taco__range r;
        if (!l->folder[i]) { continue; }
        r.offset = (uint64_t)l->offset[i];
        r.len = TACO__MIN((uint64_t)TACO__TORTILLA_HEADER_BYTES, (uint64_t)l->size[i]);
        if (footers) {
            taco__tortilla head;
            ok = taco__tortilla_read_header(&s->file, r.offset, &scratch, &head, err);
            r = head.footer;
        }
        ok = ok && taco__buf_append(&ranges, &r, sizeof r, err);
    }
    for (i = 0; ok && release && i < ranges.len / sizeof(taco__range); i++) {
        taco__range r;
        memcpy(&r, ranges.data + i * sizeof r, sizeof r);
        taco__file_release(&s->file, r.offset, r.len);
    }
    ok = ok && (release || !ranges.len ||
                taco__file_fetch(&s->file, (const taco__range *)(const void *)ranges.data,
                                 ranges.len / sizeof(taco__range), err));
    taco__buf_free(&ranges);
    taco__arena_free(&scratch);
    return ok;
}

/* The rows of the chains' objects `level`, in stored order. */
static bool taco__legacy_add_chain_runs(taco__legacy *own, uint32_t level, taco__buf *runs,
                                        size_t *row, taco__arena *scratch, taco_error *err)
{
    const taco__legacy_level *above = &own->levels[level - 1];
    size_t f, i;
    for (f = 0; f < own->file_count; f++) {
        const taco__chain *c = own->files[f].chain;
        size_t *place;
        if (!c || level >= c->count) { continue; }
        place = (size_t *)taco__arena_array(scratch, (size_t)c->tables[level - 1].t.rows + 1,
                                            sizeof *place, err);
        for (i = 0; place && i < above->t.rows; i++) {
            if (above->file[i] == f) { place[above->object_row[i]] = i; }
        }
        for (i = 0; place && i < c->tables[level].t.rows; i++) {
            taco__legacy_run r;
            r.t = &c->tables[level];
            r.first = i;
            r.n = 1;
            r.parent = (int64_t)place[c->parents[level][i]];
            r.row = (int64_t)*row;
            ++*row;
            if (!taco__buf_append(runs, &r, sizeof r, err)) { return false; }
        }
        if (!place) { return false; }
    }
    return true;
}

/* The rows of nested tortillas, in the order of their parents. */
static bool taco__legacy_add_nested_runs(taco__container *s, taco__legacy *own, uint32_t level,
                                         taco__buf *runs, size_t *row, taco__arena *scratch,
                                         taco_error *err)
{
    const taco__legacy_level *above = &own->levels[level - 1];
    uint64_t budget = 1 << 20;
    size_t i;
    bool ahead = own->file_count == 1 && s->file.src.read_many && !own->files[0].chain, ok = true;
    for (i = 0; i < own->file_count; i++) {
        taco__file *f = taco__legacy_find_file(s, own, i, err);
        if (!f || !taco__checked_add64(budget, f->src.size, &budget)) { return false; }
        taco__container_count_archive_user(s, f, true);
    }
    ok = !ahead || (taco__legacy_prefetch(s, above, false, false, err) &&
                    taco__legacy_prefetch(s, above, true, false, err));
    for (i = 0; ok && i < above->t.rows; i++) {
        taco__legacy_run r;
        taco__tortilla_table *t;
        taco__file *f;
        if (!above->folder[i] || own->files[above->file[i]].chain) { continue; }
        t = (taco__tortilla_table *)taco__arena_alloc(scratch, sizeof *t, err);
        f = t ? taco__legacy_find_file(s, own, above->file[i], err) : NULL;
        ok = f && taco__legacy_read_nested(s, f, (uint64_t)above->offset[i], above->file[i],
                                           scratch, t, &budget, err);
        if (!ok && f) {
            taco_bytes key = taco_array_bytes(above->path, i);
            taco__error_prefix(err, "%q", &key);
            break;
        }
        memset(&r, 0, sizeof r);
        if (ok) {
            r.t = t;
            r.n = (size_t)t->t.rows;
            r.parent = (int64_t)i;
            r.row = (int64_t)*row;
            *row += r.n;
            ok = taco__buf_append(runs, &r, sizeof r, err);
        }
    }
    ok = ok && (!ahead || (taco__legacy_prefetch(s, above, true, true, err) &&
                           taco__legacy_prefetch(s, above, false, true, err)));
    for (i = 0; i < own->file_count; i++) {
        taco__file *f = taco__legacy_find_file(s, own, i, NULL);
        taco__container_count_archive_user(s, f, false);
    }
    return ok;
}

/* Whether there are rows below those of a level. */
static bool taco__legacy_has_rows_below(const taco__legacy *own, uint32_t level)
{
    const taco__legacy_level *l = &own->levels[level];
    size_t i;
    for (i = 0; i < own->file_count; i++) {
        if (own->files[i].chain && own->files[i].chain->count > level + 1) { return true; }
    }
    for (i = 0; i < l->t.rows; i++) {
        if (l->folder[i] && !own->files[l->file[i]].chain) { return true; }
    }
    return false;
}

static bool taco__legacy_count_levels(taco__container *s, taco_error *err)
{
    taco__legacy *own = (taco__legacy *)s->format_state;
    uint32_t level;
    bool ok = true;
    for (level = 1; ok && level < TACO__MAX_LEVELS && taco__legacy_has_rows_below(own, level - 1);
         level++) {
        taco__arena scratch;
        taco__buf runs;
        size_t row = 0;
        scratch.mem = runs.mem = s->mem;
        scratch.head = NULL;
        runs.data = NULL;
        runs.len = runs.cap = 0;
        ok = taco__legacy_add_nested_runs(s, own, level, &runs, &row, &scratch, err) &&
             taco__legacy_add_chain_runs(own, level, &runs, &row, &scratch, err) &&
             taco__legacy_finish_level(s, own, level,
                                       (const taco__legacy_run *)(const void *)runs.data,
                                       runs.len / sizeof(taco__legacy_run), err);
        taco__buf_free(&runs);
        taco__arena_free(&scratch);
        s->levels[level].present = true;
        s->level_count = level + 1;
        if (!ok) { own->levels[level].why = *err; }
    }
    if (ok && level == TACO__MAX_LEVELS && taco__legacy_has_rows_below(own, level - 1)) {
        taco_error w;
        memset(&w, 0, sizeof w);
        TACO__FAIL(&w, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "tortillas below level %u are only reached by their keys", TACO__U(level - 1));
        taco__container_warn(s, &w, "levels");
    }
    return ok;
}

static bool taco__legacy_read_level(taco__container *s, uint32_t n, taco_error *err)
{
    const taco__legacy_level *l = &((const taco__legacy *)s->format_state)->levels[n];
    if (!l->built) {
        if (err && err->code == TACO_OK) { *err = l->why; }
        return false;
    }
    s->levels[n].table = l->t;
    return true;
}

/* ---- navigation
   ---------------------------------------------------------------------------------- */

static void taco__legacy_roles(const taco__table *t, taco__column_roles *r)
{
    size_t id = taco__table_find_column(t, "internal:id"),
           type = taco__table_find_column(t, "internal:type");
    r->id = id == TACO__NONE ? r->id : id; /* the footer has a column of that name */
    r->type = type == TACO__NONE ? r->type : type;
}

/* Rows of the chain's next object that name the row as their root. */
static bool taco__legacy_chain_children(taco__container *s, taco__legacy *own,
                                        const taco__format_folder *of, taco__arena *arena,
                                        taco__table *out, taco_error *err)
{
    taco__legacy_level *l = &own->levels[of->level], *below = &own->levels[of->level + 1];
    taco__arena scratch;
    taco__legacy_run *runs;
    taco__chain *c;
    size_t i, n = 0;
    bool ok;
    if (of->row < 0 || (uint64_t)of->row >= l->t.rows || !below->built) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no object below in the chain");
        return false;
    }
    c = own->files[l->file[of->row]].chain;
    scratch.mem = s->mem;
    scratch.head = NULL;
    runs = (taco__legacy_run *)taco__arena_array(&scratch, (size_t)below->t.rows + 1, sizeof *runs,
                                                 err);
    for (i = 0; runs && i < below->t.rows; i++) {
        size_t k = below->object_row[i];
        if (below->file[i] == l->file[of->row] &&
            c->parents[of->level + 1][k] == (int64_t)l->object_row[of->row]) {
            runs[n].t = &c->tables[of->level + 1];
            runs[n].first = k;
            runs[n].n = 1;
            runs[n].parent = of->row;
            runs[n++].row = (int64_t)i;
        }
    }
    if (runs && n == 0) { /* all columns, no rows */
        runs[n].t = &c->tables[of->level + 1];
        n++;
    }
    ok = runs && taco__legacy_table_build(s, own, arena, runs, n, false, NULL, out, err);
    taco__arena_free(&scratch);
    return ok;
}

static bool taco__legacy_children(taco__container *s, const taco__format_folder *of,
                                  taco__arena *arena, taco__table *out, taco_error *err)
{
    taco__legacy *own = (taco__legacy *)s->format_state;
    taco__tortilla_table t;
    taco__legacy_run r;
    uint32_t number = 0;
    for (; of->source && number + 1 < own->file_count &&
           strcmp(own->files[number].path, of->source) != 0;
         number++) {}
    if (own->files[number].chain &&
        of->level + 1 < TACO__MIN(own->files[number].chain->count, (size_t)TACO__MAX_LEVELS)) {
        taco__container_level_count(s);
        return taco__legacy_chain_children(s, own, of, arena, out, err);
    }
    if (!of->folder) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "a FILE, which has no children");
        return false;
    }
    if (!taco__legacy_read_nested(s, of->file, (uint64_t)of->offset, number, arena, &t, NULL,
                                  err)) {
        return false;
    }
    r.t = &t;
    r.first = 0;
    r.n = (size_t)t.t.rows;
    r.parent = of->row;
    r.row = 0;
    return taco__legacy_table_build(s, own, arena, &r, 1, false, NULL, out, err);
}

/* ---- filters
   ------------------------------------------------------------------------------------- */

/* "POINT (x y)". */
TACO__FN bool taco__legacy_parse_point(taco_bytes wkt, double *x, double *y)
{
    const uint8_t *p = wkt.data, *end = p ? p + wkt.len : p, *from;
    double *to[2];
    int i;
    to[0] = x;
    to[1] = y;
    if (!taco__bytes_starts_with(wkt, "POINT")) { return false; }
    for (p += 5; p < end && (*p == ' ' || *p == '('); p++) {}
    for (i = 0; i < 2; i++) {
        for (; p < end && *p == ' '; p++) {}
        for (from = p; p < end && *p != ' ' && *p != ')'; p++) {}
        if (!taco__num_parse_f64(taco__bytes_of(from, (size_t)(p - from)), to[i])) { return false; }
    }
    return p < end && *p == ')';
}

static bool taco__legacy_match_bbox(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                                    uint8_t *valid_bits, taco_error *err)
{
    const double *b = ((const taco__query_box *)ctx)->edge;
    size_t i;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        double x, y;
        if (taco_array_valid(a, i) && taco__legacy_parse_point(taco_array_bytes(a, i), &x, &y) &&
            x >= b[0] && x <= b[2] && y >= b[1] && y <= b[3]) {
            taco__bitmap_set(true_bits, i);
        }
    }
    return true;
}

/* stac:centroid is text; a column of WKB is compared as in TACO 2. */
static taco__expr *taco__legacy_bbox_filter(taco__arena *arena, const taco__table *t,
                                            const taco_filter *f, taco_error *err)
{
    static const char *const names[] = {"istac:geometry", "stac:centroid", "istac:centroid"};
    size_t c = taco__query_find_column(t, f->geometry_column, names, 3, "bbox", err);
    taco__custom_predicate custom;
    taco__query_box *box;
    if (c == TACO__NONE || t->fields[c].type != TACO_TEXT) {
        return c == TACO__NONE ? NULL : taco__query_add_bbox(arena, t, f, err);
    }
    box = (taco__query_box *)taco__arena_alloc(arena, sizeof *box, err);
    if (!box || taco__intersect_normalize_box(f->bbox, box->edge, err) != TACO_OK) { return NULL; }
    memset(&custom, 0, sizeof custom);
    custom.ctx = box;
    custom.eval = taco__legacy_match_bbox;
    return taco__expr_custom(arena, c, &custom, err);
}

static bool taco__legacy_match_time(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                                    uint8_t *valid_bits, taco_error *err)
{
    const taco__query_period *s = (const taco__query_period *)ctx;
    size_t i;
    (void)valid_bits;
    (void)err;
    for (i = 0; i < rows; i++) {
        double t = taco_array_double(a, i) * 1e6;
        if (taco_array_valid(a, i) && t >= (double)s->from && t < (double)s->to) {
            taco__bitmap_set(true_bits, i);
        }
    }
    return true;
}

/* stac:time_start counts seconds; timestamps and text are compared as in TACO 2. */
static taco__expr *taco__legacy_time_filter(taco__arena *arena, const taco__table *t,
                                            const taco_filter *f, taco_error *err)
{
    static const char *const names[] = {"istac:time_start", "stac:time_start"};
    size_t c = taco__query_find_column(t, f->time_column, names, 2, "time", err);
    int64_t first = 0, last = 0, from = 0, to = 0;
    taco__custom_predicate custom;
    taco__query_period *span;
    if (c == TACO__NONE ||
        !(taco__concat_is_integer(t->fields[c].type) || taco__concat_is_float(t->fields[c].type))) {
        return c == TACO__NONE ? NULL : taco__query_add_time(arena, t, f, err);
    }
    span = (taco__query_period *)taco__arena_alloc(arena, sizeof *span, err);
    if (!span || taco__time_parse_range(f->time, &first, &last, &from, &to, err) != TACO_OK) {
        return NULL;
    }
    span->days = !f->exact_time;
    span->from = f->exact_time ? from : first * 86400000000LL;
    span->to = f->exact_time ? (to > from ? to : from + 1) : (last + 1) * 86400000000LL;
    memset(&custom, 0, sizeof custom);
    custom.ctx = span;
    custom.eval = taco__legacy_match_time;
    return taco__expr_custom(arena, c, &custom, err);
}

/* ---- opening
   ------------------------------------------------------------------------------------- */

/* COLLECTION of TACO 0.x: fewer rules than that of TACO 2, and no tree. */
static bool taco__legacy_read_collection(taco__container *s, taco__file *file, taco__range range,
                                         taco_error *err)
{
    taco__collection *c = &s->coll;
    const taco__json *root;
    size_t len;
    uint8_t *text;
    if (range.len > s->options->limits.max_metadata || !taco__checked_to_size(range.len, &len)) {
        TACO__FAIL(err, TACO_ERR_LIMIT, range.offset,
                   "a collection of %u bytes, limits.max_metadata is %u", range.len,
                   s->options->limits.max_metadata);
        return false;
    }
    text = (uint8_t *)taco__arena_alloc(s->arena, len + 1, err);
    if (!text || !taco__file_read(file, range.offset, text, len, err) ||
        taco__json_parse_at(s->arena, taco__bytes_of(text, len), range.offset, &s->options->limits,
                            &c->doc, err) != TACO_OK) {
        taco__error_prefix(err, "collection");
        return false;
    }
    root = c->doc.root;
    if (!taco__json_is(root, TACO__JSON_OBJECT)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, range.offset,
                   "a collection must be a JSON object, found %s", taco__json_type_name(root));
        return false;
    }
    c->id = taco__json_text(taco__json_get(root, "id"));
    c->dataset_version = taco__json_text(taco__json_get(root, "dataset_version"));
    c->description = taco__json_text(taco__json_get(root, "description"));
    c->taco_version = taco__json_text(taco__json_get(root, "taco_version"));
    c->title = taco__json_text(taco__json_get(root, "title"));
    c->providers = taco__json_get(root, "providers");
    c->curators = taco__json_get(root, "curators");
    c->extent = taco__json_get(root, "extent");
    return true;
}

TACO__FN int taco__legacy_compare_sort_keys(const void *a, const void *b)
{
    const taco__legacy_sort_key *x = (const taco__legacy_sort_key *)a,
                                *y = (const taco__legacy_sort_key *)b;
    int c = taco__bytes_compare(x->id, y->id);
    c = c ? c : (x->file > y->file) - (x->file < y->file);
    return c ? c : (x->row > y->row) - (x->row < y->row);
}

/* Rows of several files by their ids, as the last reader had them; *n runs of one row each. */
static taco__legacy_run *taco__legacy_sort_rows(const taco__tortilla_table *tables, size_t count,
                                                size_t *n, taco__arena *scratch, taco_error *err)
{
    taco__legacy_sort_key *rows;
    taco__legacy_run *runs;
    size_t f, i, total = 0;
    for (f = 0; f < count; f++) {
        total += (size_t)tables[f].t.rows;
    }
    rows = (taco__legacy_sort_key *)taco__arena_array(scratch, total + 1, sizeof *rows, err);
    runs = (taco__legacy_run *)taco__arena_array(scratch, total + count, sizeof *runs, err);
    if (!rows || !runs) { return NULL; }
    for (f = *n = 0; f < count; f++) {
        for (i = 0; i < tables[f].t.rows; i++, ++*n) {
            rows[*n].id = taco_array_bytes(&tables[f].t.arrays[tables[f].id], i);
            rows[*n].file = f;
            rows[*n].row = i;
        }
    }
    qsort(rows, total, sizeof *rows, taco__legacy_compare_sort_keys);
    for (i = 0; i < total; i++) {
        runs[i].t = &tables[rows[i].file];
        runs[i].first = rows[i].row;
        runs[i].n = 1;
        runs[i].row = (int64_t)i;
    }
    for (f = 0; f < count && total == 0; f++) { /* columns without rows */
        runs[(*n)++].t = &tables[f];
    }
    return runs;
}

/* STRICT wants the same columns in all files; otherwise they are null where a file lacks them. */
static bool taco__legacy_check_same_columns(const taco__legacy *own,
                                            const taco__tortilla_table *tables, taco_error *err)
{
    size_t f, c, k;
    for (f = 1; f < own->file_count; f++) {
        const taco__table *a = &tables[0].t, *b = &tables[f].t;
        for (c = 0; c < a->field_count + b->field_count; c++) {
            const char *name =
                c < a->field_count ? a->fields[c].name : b->fields[c - a->field_count].name;
            k = taco__table_find_column(c < a->field_count ? b : a, name);
            if (k == TACO__NONE) {
                taco_bytes quoted = taco__bytes_text(name);
                TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                           "%s: column %q is not in all files, --column-mode strict wants it",
                           own->files[f].path, &quoted);
                return false;
            }
        }
    }
    return true;
}

/* Level 0 of all files. */
static bool taco__legacy_read_top_level(taco__container *s, taco__legacy *own,
                                        const taco__tortilla_table *tables, taco_error *err)
{
    taco__arena scratch;
    taco__legacy_run *runs;
    size_t f, n = own->file_count, row = 0;
    bool sorted = false, ok;
    for (f = 0; f < n; f++) {
        sorted = sorted || (n > 1 && !own->files[f].head.driver);
    }
    scratch.mem = s->mem;
    scratch.head = NULL;
    runs = sorted ? taco__legacy_sort_rows(tables, n, &n, &scratch, err)
                  : (taco__legacy_run *)taco__arena_array(&scratch, n, sizeof *runs, err);
    for (f = 0; runs && !sorted && f < n; f++) {
        runs[f].t = &tables[f];
        runs[f].n = (size_t)tables[f].t.rows;
        runs[f].row = (int64_t)row;
        row += runs[f].n;
    }
    ok = runs && taco__legacy_finish_level(s, own, 0, runs, n, err);
    taco__arena_free(&scratch);
    return ok;
}

/* One file: header, collection, footer, chain. Tables of a chain stay, others are only needed for
   level 0. */
static bool taco__legacy_read_file(taco__container *s, taco__legacy *own, size_t k,
                                   taco__arena *scratch, taco__tortilla_table *out, taco_error *err)
{
    taco__legacy_file *f = &own->files[k];
    taco__file *file = taco__legacy_find_file(s, own, k, err);
    bool ends = true, ok;
    taco__range next;
    ok = file && taco__tortilla_read_header(file, 0, s->arena, &f->head, err) &&
         (k || !f->head.collection.len ||
          taco__legacy_read_collection(s, file, f->head.collection, err)) &&
         taco__tortilla_read_footer(s, file, f->head.footer, 0, f->head.driver, scratch, out, err);
    out->file = (uint32_t)k;
    ok = ok && (!out->pointer.data || taco__chain_parse_pointer(out->pointer, &ends, &next, err));
    if (ok && !ends) {
        f->chain = (taco__chain *)taco__arena_alloc(s->arena, sizeof *f->chain, err);
        ok = f->chain &&
             taco__tortilla_read_footer(s, file, f->head.footer, 0, NULL, s->arena, out, err);
        out->file = (uint32_t)k;
        ok = ok && taco__chain_read(s, file, out, f->head.footer, s->arena, f->chain, err);
    }
    if (!ok) { taco__error_prefix(err, "%s", f->path); }
    return ok;
}

/* How GDAL calls a file. */
static const char *taco__legacy_vsi_path(taco__container *s, const char *path, taco_error *err)
{
    taco__buf b;
    memset(&b, 0, sizeof b);
    b.mem = s->mem;
    if (!taco__vsi_append_root(&b, taco__bytes_text(path), err)) {
        taco__buf_free(&b);
        return NULL;
    }
    return taco__container_copy_text(s, &b, err);
}

static bool taco__legacy_open(taco_dataset *ds, const char *const *paths, size_t n, taco_error *err)
{
    static const char *const names[] = {"level0", "level1", "level2", "level3", "level4", "level5"};
    taco__container *s = &ds->stores[0];
    taco__legacy *own = (taco__legacy *)taco__arena_alloc(&ds->arena, sizeof *own, err);
    taco__tortilla_table *tables;
    taco__arena scratch;
    size_t i;
    bool ok;
    scratch.mem = s->mem;
    scratch.head = NULL;
    tables = (taco__tortilla_table *)taco__arena_array(&scratch, n, sizeof *tables, err);
    if (own) {
        own->files = (taco__legacy_file *)taco__arena_array(&ds->arena, n, sizeof *own->files, err);
        own->file_count = n;
    }
    ok = own && own->files && tables;
    s->format_state = own;
    s->kind = n == 1 ? TACO_KIND_ZIP : TACO_KIND_TACOCAT;
    s->vsi = s->name;
    s->archive_dir = "";
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        s->levels[i].name = names[i];
        s->levels[i].padded = 0;
    }
    for (i = 0; ok && i < n; i++) {
        own->files[i].path = taco__arena_text(&ds->arena, taco__bytes_text(paths[i]), err);
        own->files[i].vsi = own->files[i].path ? taco__legacy_vsi_path(s, paths[i], err) : NULL;
        ok = own->files[i].vsi && taco__legacy_read_file(s, own, i, &scratch, &tables[i], err);
    }
    ok = ok &&
         (ds->mode != TACO_COLUMNS_STRICT || taco__legacy_check_same_columns(own, tables, err)) &&
         taco__legacy_read_top_level(s, own, tables, err);
    taco__arena_free(&scratch);
    s->level_count = 1;
    s->levels[0].present = true;
    s->levels_uncounted = ok && taco__legacy_has_rows_below(own, 0);
    return ok;
}

static bool taco__legacy_detect(taco__container *s, const char *path, taco_bytes head)
{
    (void)s;
    (void)path;
    return taco__bytes_starts_with(head, "#y") || taco__bytes_starts_with(head, "WX");
}

static const taco_opener taco__legacy_opener = {"tortilla",
                                                taco__legacy_detect,
                                                taco__legacy_open,
                                                taco__legacy_read_level,
                                                taco__legacy_count_levels,
                                                taco__legacy_roles,
                                                taco__legacy_children,
                                                taco__legacy_bbox_filter,
                                                taco__legacy_time_filter,
                                                NULL,
                                                NULL};

TACO_API const taco_opener *taco_legacy_opener(void)
{
    return &taco__legacy_opener;
}
