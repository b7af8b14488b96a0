/* to_taco2.c - old datasets as TACO 2, and back.. Spec: TACO 2.0.0 §5, §6 */
#include "legacy.h"
#include "../base/base.h"
#include "../base/file_copy.h"
#include "../base/json.h"
#include "../parquet/parquet.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"
#include "../write/write.h"

/* ---- the tree
   ------------------------------------------------------------------------------------ */

/* An id without what TACO 2 has no place for: / \ : and a double underscore in front. */
static taco_bytes taco__to_taco2_clean_id(taco__conversion *f, taco_bytes id)
{
    char *copy = taco__arena_text(&f->arena, id, f->err), *p;
    size_t i, n = id.len;
    bool changed = false;
    for (i = 0; copy && i < n; i++) {
        if (copy[i] == '/' || copy[i] == '\\' || copy[i] == ':' || copy[i] == 0) {
            copy[i] = '_';
            changed = true;
        }
    }
    if (copy && (n == 0 || strncmp(copy, "__", 2) == 0 || strcmp(copy, ".") == 0 ||
                 strcmp(copy, "..") == 0)) {
        p = (char *)taco__arena_alloc(&f->arena, n + 3, f->err);
        if (p) {
            p[0] = 'x';
            memcpy(p + 1, copy, n);
            n++;
        }
        copy = p;
        changed = true;
    }
    if (copy && changed) {
        taco__convert_note(f, "an id is no name of a file: it becomes %s", copy);
        f->renamed = true;
    }
    return taco__bytes_of(copy, copy ? n : 0);
}

/* The rows of level 0 that the query leaves. */
static bool taco__to_taco2_select_rows(taco__conversion *f)
{
    taco_query q = *f->opt.query;
    taco_cursor *c;
    taco_batch b;
    size_t i, n = 0;
    if (q.order || q.flat || q.table) {
        TACO__FAIL(f->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "what is taken are samples of level 0 in storage order: no order, no flat "
                   "view, no other table");
        return false;
    }
    f->chosen = (uint8_t *)taco__arena_alloc(
        &f->arena, TACO__BITMAP_BYTES((size_t)f->own->levels[0].t.rows) + 1, f->err);
    q.select = "id";
    c = f->chosen ? taco_select(f->ds, &q, f->err) : NULL;
    while (c && taco_cursor_batch(c, &b)) {
        const uint64_t *at = taco_cursor_positions(c);
        for (i = 0; at && i < b.length; i++, n++) {
            taco__bitmap_set(f->chosen, (size_t)at[i]);
        }
    }
    if (!c || taco_cursor_close(c, f->err) != TACO_OK) { return false; }
    if (n == 0) {
        TACO__FAIL(f->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no sample is left to export");
    }
    return n != 0;
}

typedef struct taco__to_taco2_row {
    size_t parent, row;
} taco__to_taco2_row;

static int taco__to_taco2_compare_rows(const void *a, const void *b)
{
    const taco__to_taco2_row *x = (const taco__to_taco2_row *)a, *y = (const taco__to_taco2_row *)b;
    return x->parent != y->parent ? (x->parent > y->parent) - (x->parent < y->parent)
                                  : (x->row > y->row) - (x->row < y->row);
}

/* The old rows of a level by their new parents; those below a FILE, which are chunks, are left
   out. */
static taco__to_taco2_row *taco__to_taco2_sort_rows(taco__conversion *f, uint32_t level, size_t *n)
{
    const taco__legacy_level *l = &f->own->levels[level];
    size_t i, k, column = taco__table_find_column(&l->t, "internal:parent_id"), lost = 0;
    const size_t out = SIZE_MAX - 1;
    taco__to_taco2_row *list = (taco__to_taco2_row *)taco__arena_array(
        &f->arena, (size_t)l->t.rows + 1, sizeof *list, f->err);
    size_t *place = NULL;
    if (level) {
        place = (size_t *)taco__arena_array(&f->arena, (size_t)f->own->levels[level - 1].t.rows + 1,
                                            sizeof *place, f->err);
    }
    if (!list || (level && !place)) { return NULL; }
    /* of an old row among the new ones; SIZE_MAX of a FILE, `out` of what is not taken */
    if (level) {
        for (i = 0; i < f->own->levels[level - 1].t.rows; i++) {
            place[i] = out;
        }
        for (i = 0; i < f->tree.level[level - 1].rows; i++) {
            k = f->rows[level - 1][i];
            if (k != SIZE_MAX) {
                place[k] = taco__tree_is_folder(&f->tree, level - 1, i) ? i : SIZE_MAX;
            }
        }
    }
    for (i = *n = 0; i < l->t.rows; i++) {
        size_t parent = level || !f->chosen || taco__bitmap_get(f->chosen, i) ? 0 : out;
        if (level) {
            int64_t p = taco_array_int(&l->t.arrays[column], i);
            parent = place[p];
        }
        if (parent == SIZE_MAX) {
            lost++;
            continue;
        }
        if (parent == out) { continue; }
        list[*n].parent = parent;
        list[(*n)++].row = i;
    }
    qsort(list, *n, sizeof *list, taco__to_taco2_compare_rows);
    if (lost) { taco__convert_note(f, "the table of chunks is left out: TACO 2 has none%s", ""); }
    return list;
}

/* Appends padding until a folder has `most` children. */
static bool taco__to_taco2_add_padding(taco__conversion *f, uint32_t level, size_t parent,
                                       size_t have, size_t most, taco__buf *rows)
{
    size_t number = 0, none = SIZE_MAX;
    for (; have < most; have++) {
        char id[40];
        size_t n = sizeof TACO__RULES_PADDING - 1;
        memcpy(id, TACO__RULES_PADDING, n);
        n += taco__num_format_u64(id + n, number++);
        if (!taco__tree_append_ordered(&f->tree, level, parent, taco__bytes_of(id, n), false,
                                       f->err) ||
            !taco__buf_append(rows, &none, sizeof none, f->err)) {
            return false;
        }
    }
    return true;
}

static bool taco__to_taco2_add_level(taco__conversion *f, uint32_t level, bool *any)
{
    const taco__legacy_level *l = &f->own->levels[level];
    const taco_array *ids = &l->t.arrays[taco__table_find_column(&l->t, "tortilla:id")];
    taco__to_taco2_row *list;
    taco__buf rows;
    size_t n = 0, i, to, most = 0;
    bool ok = true;
    list = taco__to_taco2_sort_rows(f, level, &n);
    memset(&rows, 0, sizeof rows);
    rows.mem = &f->mem;
    for (i = 0; list && i < n; i = to) {
        for (to = i + 1; to < n && list[to].parent == list[i].parent; to++) {}
        most = TACO__MAX(most, to - i);
    }
    *any = n != 0;
    for (i = 0; list && ok && i < n; i = to) {
        size_t from = i;
        for (to = i; ok && to < n && list[to].parent == list[from].parent; to++) {
            size_t row = list[to].row;
            ok = taco__tree_append_ordered(&f->tree, level, list[to].parent,
                                           taco__to_taco2_clean_id(f, taco_array_bytes(ids, row)),
                                           l->folder[row] != 0, f->err) &&
                 taco__buf_append(&rows, &row, sizeof row, f->err);
        }
        ok =
            ok && (!f->opt.pad || !level ||
                   taco__to_taco2_add_padding(f, level, list[from].parent, to - from, most, &rows));
    }
    f->lengths[level] = rows.len / sizeof(size_t);
    f->rows[level] = (size_t *)taco__arena_alloc(&f->arena, rows.len + 1, f->err);
    if (f->rows[level] && rows.len) { memcpy(f->rows[level], rows.data, rows.len); }
    taco__buf_free(&rows);
    return ok && list && f->rows[level];
}

static bool taco__to_taco2_build_tree(taco__conversion *f)
{
    uint32_t level, n = taco_levels(f->ds);
    bool any = true;
    for (level = 0; level < n && any; level++) {
        if (!taco__container_level(&f->ds->stores[0], level, f->err) ||
            !taco__to_taco2_add_level(f, level, &any)) {
            return false;
        }
        f->levels = level + (any ? 1 : 0);
    }
    if (!f->opt.create.any_tree && taco__tree_check_pit1(&f->tree, f->err) != TACO_OK) {
        taco__error_prefix(f->err, f->opt.pad ? "padding does not help"
                                              : "padding or any tree may be asked for");
        return false;
    }
    return true;
}

/* ---- columns
   ------------------------------------------------------------------------------------- */

/* The name in TACO 2 of an old column; NULL: it has none. */
static const char *taco__to_taco2_column_name(taco__conversion *f, const taco__table *t,
                                              const char *name)
{
    char *copy;
    size_t i, colons = 0;
    if ((strcmp(name, "tortilla:id") == 0 && !f->renamed) || strcmp(name, "tortilla:offset") == 0 ||
        strcmp(name, "tortilla:length") == 0) {
        return NULL;
    }
    if (f->own->files[0].chain &&
        (strcmp(name, "root") == 0 || strcmp(name, "tortilla:root") == 0)) {
        taco__convert_note(f, "column %s is left out: internal:parent_id says the same", name);
        return NULL;
    }
    if (strcmp(name, "stac:raster_shape") == 0 &&
        taco__table_find_column(t, "stac:tensor_shape") == TACO__NONE) {
        return "stac:tensor_shape";
    }
    if (strcmp(name, "internal:file_format") == 0 &&
        taco__table_find_column(t, "tortilla:file_format") == TACO__NONE) {
        return "tortilla:file_format";
    }
    if (strncmp(name, "internal:", 9) == 0) { return NULL; }
    if (strcmp(name, "id") == 0 || strcmp(name, "type") == 0 || strcmp(name, "path") == 0) {
        static const char *const other[] = {"legacy:id", "legacy:type", "legacy:path"};
        name = other[name[0] == 'i' ? 0 : name[0] == 't' ? 1 : 2];
        taco__convert_note(f, "a column of a protected name becomes %s", name);
        return name;
    }
    copy = taco__arena_text(&f->arena, taco__bytes_text(name), f->err);
    for (i = 0; copy && copy[i]; i++) {
        char c = copy[i];
        bool good = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                    c == '_' || (c == ':' && i && copy[i + 1] && !colons++);
        copy[i] = good ? c : '_';
    }
    if (copy && strcmp(copy, name) != 0) {
        taco__convert_note(f, "a column's name becomes %s", copy);
    }
    return copy;
}

/* Seconds as microseconds since 1970; beyond what they hold, null. */
static bool taco__to_taco2_read_time(const taco_array *a, size_t i, int64_t *out)
{
    if (taco__concat_is_integer(a->field->type)) {
        int64_t s = taco_array_int(a, i);
        *out = s > INT64_MAX / 1000000 || s < INT64_MIN / 1000000 ? 0 : s * 1000000;
        return *out != 0 || s == 0;
    } else {
        double d = taco_array_double(a, i) * 1e6;
        if (!(d > -9.2e18 && d < 9.2e18)) { return false; }
        *out = (int64_t)(d + (d < 0 ? -0.5 : 0.5));
        return true;
    }
}

/* Times of seconds become timestamps, centroids of WKT become WKB. What cannot be is null, and
   told. */
static bool taco__to_taco2_convert_column(taco__conversion *f, taco_field *field, taco_array *a)
{
    size_t i, n = a->length, lost = 0;
    bool stamp = field->type == TACO_TIMESTAMP;
    int64_t *values = (int64_t *)taco__arena_array(&f->arena, n + 8, sizeof *values, f->err);
    uint8_t *bits = (uint8_t *)taco__arena_alloc(&f->arena, TACO__BITMAP_BYTES(n) + 8, f->err);
    int32_t *offsets = (int32_t *)taco__arena_array(&f->arena, n + 1, sizeof *offsets, f->err);
    uint8_t *wkb = stamp ? NULL : (uint8_t *)taco__arena_array(&f->arena, n + 4, 21, f->err);
    taco_array out;
    if (!values || !bits || !offsets || (!stamp && !wkb) || n > INT32_MAX / 21) {
        TACO__FAIL(f->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u rows are too many", TACO__U(n));
        return false;
    }
    memset(&out, 0, sizeof out);
    out.field = field;
    out.length = n;
    for (i = 0; i < n; i++) {
        double xy[2];
        int64_t us;
        bool valid = taco_array_valid(a, i), good = false;
        offsets[i + 1] = offsets[i];
        if (valid && stamp) {
            good = taco__to_taco2_read_time(a, i, &us);
            values[i] = good ? us : 0;
        } else if (valid) {
            good = taco__legacy_parse_point(taco_array_bytes(a, i), &xy[0], &xy[1]);
        }
        if (good && !stamp) {
            uint8_t *p = wkb + offsets[i];
            p[0] = 1;
            taco__put_le32(p + 1, 1);
            taco__put_le64(p + 5, taco__f64_to_bits(xy[0]));
            taco__put_le64(p + 13, taco__f64_to_bits(xy[1]));
            offsets[i + 1] += 21;
        }
        if (good) { taco__bitmap_set(bits, i); }
        out.null_count += !good;
        lost += valid && !good;
    }
    out.validity = out.null_count ? bits : NULL;
    out.offsets = stamp ? NULL : offsets;
    out.v.any = stamp ? (const void *)values : (const void *)wkb;
    *a = out;
    if (lost) {
        taco__convert_note(f, "values of %s that are none of their kind become null", field->name);
    }
    return true;
}

/* The rows of a column in their new order. */
static bool taco__to_taco2_take_rows(taco__conversion *f, uint32_t level, const taco_array *from,
                                     const taco_field *field, taco_array *out)
{
    size_t i, k, n = f->lengths[level];
    taco__concat_slice *p =
        (taco__concat_slice *)taco__arena_array(&f->arena, n + 1, sizeof *p, f->err);
    for (i = k = 0; p && i < n; i++) {
        size_t row = f->rows[level][i];
        if (k && p[k - 1].a && row != SIZE_MAX && row == p[k - 1].first + p[k - 1].n) {
            p[k - 1].n++;
            continue;
        }
        p[k].a = row == SIZE_MAX ? NULL : from;
        p[k].first = row == SIZE_MAX ? 0 : row;
        p[k++].n = 1;
    }
    return p && taco__concat_arrays(&f->arena, field, p, k, out, f->err);
}

static bool taco__to_taco2_add_column(taco__conversion *f, uint32_t level, size_t c,
                                      const char *name)
{
    const taco__table *t = &f->own->levels[level].t;
    taco_field *field = &f->fields[level][f->counts[level]];
    taco_array *out = &f->arrays[level][f->counts[level]];
    taco_field stored = t->fields[c];
    bool time = strcmp(name, "stac:time_start") == 0 || strcmp(name, "stac:time_end") == 0;
    if (!taco__to_taco2_take_rows(f, level, &t->arrays[c], &stored, out)) { return false; }
    *field = stored;
    field->name = name;
    field->nullable = true;
    f->counts[level]++;
    if (time && (stored.type == TACO_NULL || taco__concat_is_integer(stored.type) ||
                 taco__concat_is_float(stored.type))) {
        taco_field *was = (taco_field *)taco__arena_alloc(&f->arena, sizeof *was, f->err);
        field->type = TACO_TIMESTAMP;
        field->unit = TACO_MICRO;
        field->width = 8;
        if (!was) { return false; }
        *was = stored;
        out->field = was;
        return taco__to_taco2_convert_column(f, field, out);
    }
    if (strcmp(name, "stac:centroid") == 0 && stored.type == TACO_TEXT) {
        taco_field *was = (taco_field *)taco__arena_alloc(&f->arena, sizeof *was, f->err);
        field->type = TACO_BINARY;
        if (!was) { return false; }
        *was = stored;
        out->field = was;
        return taco__to_taco2_convert_column(f, field, out);
    }
    out->field = field;
    return true;
}

static bool taco__to_taco2_add_columns(taco__conversion *f, uint32_t level)
{
    const taco__table *t = &f->own->levels[level].t;
    size_t c, k;
    bool user_id = taco__table_find_column(t, "internal:id") != TACO__NONE,
         user_type = taco__table_find_column(t, "internal:type") != TACO__NONE;
    f->fields[level] = (taco_field *)taco__arena_array(&f->arena, t->field_count + 1,
                                                       sizeof *f->fields[level], f->err);
    f->arrays[level] = (taco_array *)taco__arena_array(&f->arena, t->field_count + 1,
                                                       sizeof *f->arrays[level], f->err);
    if (!f->fields[level] || !f->arrays[level]) { return false; }
    for (c = 0; c < t->field_count; c++) {
        const char *name = t->fields[c].name;
        if ((!user_id && strcmp(name, "id") == 0) || (!user_type && strcmp(name, "type") == 0)) {
            continue;
        }
        name = taco__to_taco2_column_name(f, t, name);
        for (k = 0; name && k < f->counts[level]; k++) {
            if (strcmp(f->fields[level][k].name, name) == 0) {
                TACO__FAIL(f->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                           "two columns of level %u would be called %s", TACO__U(level), name);
                return false;
            }
        }
        if (f->err->code != TACO_OK || (name && !taco__to_taco2_add_column(f, level, c, name))) {
            return false;
        }
    }
    return true;
}

static bool taco__to_taco2_begin_level(void *ctx, uint32_t level, taco_error *err)
{
    taco__conversion *f = (taco__conversion *)ctx;
    (void)err;
    f->at = level;
    f->given = false;
    return true;
}

static bool taco__to_taco2_next_batch(void *ctx, taco_batch *out, taco_error *err)
{
    taco__conversion *f = (taco__conversion *)ctx;
    (void)err;
    memset(out, 0, sizeof *out);
    out->length = f->given ? 0 : f->lengths[f->at];
    out->columns = f->arrays[f->at];
    out->column_count = f->counts[f->at];
    f->given = true;
    return true;
}

static bool taco__to_taco2_payload(void *ctx, uint32_t level, size_t row, taco__input *in,
                                   taco_error *err)
{
    taco__conversion *f = (taco__conversion *)ctx;
    taco__legacy_level *l = &f->own->levels[level];
    size_t k = f->rows[level][row];
    taco__file *file;
    if (k == SIZE_MAX) {
        taco__input_from_bytes(in, taco__bytes_of("", 0));
        return true;
    }
    file = taco__legacy_find_file(&f->ds->stores[0], f->own, l->file[k], err);
    if (!file || !taco__file_check_range(file, (uint64_t)l->offset[k], (uint64_t)l->size[k], err)) {
        return false;
    }
    taco__input_from_range(in, &file->src, (uint64_t)l->offset[k], (uint64_t)l->size[k]);
    return true;
}

/* ---- there
   ---------------------------------------------------------------------------------------- */

static bool taco__to_taco2_run(taco__conversion *f, const char *out)
{
    taco__container_writer p;
    taco__container_columns src;
    taco__json_doc doc;
    uint32_t level;
    memset(&src, 0, sizeof src);
    memset(&doc, 0, sizeof doc);
    if (!taco__to_taco2_build_tree(f) ||
        !taco__convert_collection_to_taco2(f, f->ds->stores[0].name, &doc)) {
        return false;
    }
    for (level = 0; level < f->levels; level++) {
        if (!taco__to_taco2_add_columns(f, level)) { return false; }
        src.fields[level] = f->fields[level];
        src.counts[level] = f->counts[level];
    }
    src.ctx = f;
    src.begin = taco__to_taco2_begin_level;
    src.next = taco__to_taco2_next_batch;
    if (!taco__container_write_begin(&p, out, &f->opt.create, &f->tree, &f->mem, f->err)) {
        return false;
    }
    if (!taco__container_write_samples(&p, taco__to_taco2_payload, f, f->err)) {
        taco__container_write_abort(&p);
        return false;
    }
    return taco__container_write_finish(&p, doc.root, &src, f->err);
}

TACO_API taco_status taco_convert_to_taco2(const char *const *in, size_t n, const char *out,
                                           const taco_convert_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__conversion f;
    bool ok;
    err = err ? err : &own;
    if (!in || !n || !in[0] || !out) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
    }
    taco__convert_init(&f, opt, err);
    f.ds = taco_open_many(in, n, TACO_COLUMNS_FILL_MISSING, &f.options, err);
    ok = f.ds != NULL;
    if (ok && f.ds->stores[0].format != taco_legacy_opener()) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s: no Tortilla or TACO 0.x", in[0]);
        ok = false;
    } else if (ok) {
        f.own = (taco__legacy *)f.ds->stores[0].format_state;
        f.opt.create.new_extent = f.opt.create.new_extent || f.opt.query;
        ok = (!f.opt.query || taco__to_taco2_select_rows(&f)) && taco__to_taco2_run(&f, out);
        if (!ok) { taco__error_prefix(err, "%s", in[0]); }
    }
    taco__convert_free(&f);
    return ok ? TACO_OK : err->code;
}
