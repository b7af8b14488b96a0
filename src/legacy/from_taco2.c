/* from_taco2.c - TACO 2 as Tortilla and TACO 0.x.. Spec: Tortilla 0.5.0 */
#include "legacy.h"
#include "../base/base.h"
#include "../base/file_copy.h"
#include "../geo/geo.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"
#include "../write/write.h"

static bool taco__from_taco2_payload(void *ctx, const taco__tortilla_node *node, size_t row,
                                     taco__input *in, taco_error *err)
{
    taco__from_taco2 *b = (taco__from_taco2 *)ctx;
    taco_source src;
    if (taco_payload(b->f.ds, b->levels[node->level].keys[node->rows_of[row]], &src, err) !=
        TACO_OK) {
        return false;
    }
    taco__input_from_range(in, &src, 0, src.size);
    return true;
}

/* First of the rows whose parent is not below `parent`. */
static size_t taco__from_taco2_lower_bound(const taco__tortilla_sort_key *list, size_t n,
                                           int64_t parent)
{
    size_t lo = 0;
    while (lo < n) {
        size_t mid = lo + (n - lo) / 2;
        if (list[mid].offset < parent) {
            lo = mid + 1;
        } else {
            n = mid;
        }
    }
    return lo;
}

static bool taco__from_taco2_is_folder(const taco__from_taco2_level *l, size_t i)
{
    return taco__bytes_equal(taco_array_bytes(l->type, i), taco__bytes_text("FOLDER"));
}

static bool taco__from_taco2_is_padding(const taco__from_taco2_level *l, size_t i)
{
    return taco__bytes_starts_with(taco_array_bytes(l->id, i), TACO__PADDING_PREFIX);
}

/* ---- columns ---- */

/* A column of text that a buffer and its ends hold. */
static bool taco__from_taco2_make_text_column(taco__from_taco2 *b, taco_array *a, const char *name,
                                              const taco__buf *text, const int32_t *ends,
                                              const uint8_t *bits)
{
    taco_field *f = (taco_field *)taco__arena_alloc(&b->w.arena, sizeof *f, b->w.err);
    uint8_t *p = (uint8_t *)taco__arena_alloc(&b->w.arena, text->len + TACO__PAD, b->w.err);
    if (!f || !p) { return false; }
    f->name = name;
    f->type = TACO_TEXT;
    f->nullable = true;
    if (text->len) { memcpy(p, text->data, text->len); }
    a->field = f;
    a->offsets = ends;
    a->v.any = p;
    a->validity = bits;
    a->dictionary = NULL;
    return true;
}

/* GDAL's driver by the end of a name; what no name says is BYTES. */
static const char *taco__from_taco2_gdal_driver(taco_bytes id)
{
    static const char *const ends[][2] = {
        {".tif", "GTiff"}, {".tiff", "GTiff"}, {".png", "PNG"},        {".jpg", "JPEG"},
        {".jpeg", "JPEG"}, {".nc", "netCDF"},  {".jp2", "JP2OpenJPEG"}};
    size_t i;
    for (i = 0; i < TACO__COUNT(ends); i++) {
        size_t n = strlen(ends[i][0]);
        if (id.len > n && memcmp(id.data + id.len - n, ends[i][0], n) == 0) { return ends[i][1]; }
    }
    return "BYTES";
}

/* What the rows are: TORTILLA for FOLDERs, what a column says, or their names. Or centroids as
   text. */
static bool taco__from_taco2_convert_text(taco__from_taco2 *b, const taco__from_taco2_level *l,
                                          const taco_array *from, bool points, const char *name,
                                          taco_array *out)
{
    size_t i, n = l->rows.length;
    int32_t *ends = (int32_t *)taco__arena_array(&b->w.arena, n + 1, sizeof *ends, b->w.err);
    uint8_t *bits = (uint8_t *)taco__arena_alloc(&b->w.arena, TACO__BITMAP_BYTES(n) + 8, b->w.err);
    taco__buf text;
    bool ok = ends && bits;
    memset(&text, 0, sizeof text);
    text.mem = &b->w.mem;
    memset(out, 0, sizeof *out);
    out->length = n;
    for (i = 0; ok && i < n; i++) {
        taco_bytes value = from ? taco_array_bytes(from, i) : taco__bytes_of(NULL, 0);
        double box[4];
        bool empty = true, valid = true;
        if (points) {
            valid = value.len && taco__wkb_bounds(value, box, &empty, NULL) == TACO_OK && !empty;
            ok = !valid || (taco__buf_append_text(&text, "POINT (", b->w.err) &&
                            taco__document_write_double(&text, (box[0] + box[2]) / 2, b->w.err) &&
                            taco__buf_append_char(&text, ' ', b->w.err) &&
                            taco__document_write_double(&text, (box[1] + box[3]) / 2, b->w.err) &&
                            taco__buf_append_char(&text, ')', b->w.err));
        } else if (taco__from_taco2_is_folder(l, i) || !value.len) {
            ok = taco__buf_append_text(
                &text,
                taco__from_taco2_is_folder(l, i)
                    ? "TORTILLA"
                    : taco__from_taco2_gdal_driver(taco_array_bytes(l->id, i)),
                b->w.err);
        } else {
            ok = taco__buf_append(&text, value.data, value.len, b->w.err);
        }
        if (ok && text.len > INT32_MAX) {
            TACO__FAIL(b->w.err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "too much text in column %s",
                       name);
            ok = false;
        }
        if (valid && ok) { taco__bitmap_set(bits, i); }
        out->null_count += !valid;
        if (ok) { ends[i + 1] = (int32_t)text.len; }
    }
    ok = ok && taco__from_taco2_make_text_column(b, out, name, &text, ends,
                                                 out->null_count ? bits : NULL);
    taco__buf_free(&text);
    return ok;
}

/* Timestamps as seconds: whole ones, or with a fraction where one of them has one. */
static bool taco__from_taco2_convert_time(taco__from_taco2 *b, const taco_array *from,
                                          taco_array *out)
{
    static const int64_t per[] = {1, 1000, 1000000, 1000000000};
    int64_t unit = per[from->field->unit];
    taco_field *f = (taco_field *)taco__arena_alloc(&b->w.arena, sizeof *f, b->w.err);
    int64_t *v = (int64_t *)taco__arena_array(&b->w.arena, from->length + 8, sizeof *v, b->w.err);
    size_t i;
    bool whole = true;
    if (!f || !v) { return false; }
    for (i = 0; i < from->length; i++) {
        whole = whole && (!taco_array_valid(from, i) || taco_array_int(from, i) % unit == 0);
    }
    for (i = 0; i < from->length; i++) {
        double d = (double)taco_array_int(from, i) / (double)unit;
        v[i] = taco_array_int(from, i) / unit;
        if (!whole) { memcpy(&v[i], &d, 8); }
    }
    *f = *from->field;
    f->type = whole ? TACO_INT64 : TACO_DOUBLE;
    *out = *from;
    out->field = f;
    out->v.i64 = v;
    return true;
}

static bool taco__from_taco2_add_column(taco__from_taco2 *b, taco__from_taco2_level *l,
                                        const taco_array *from)
{
    const char *name = from->field->name;
    taco_array *out = &l->columns[l->count];
    taco_field *f;
    if (strcmp(name, "id") == 0 || strcmp(name, "type") == 0 ||
        strcmp(name, "tortilla:file_format") == 0 || strcmp(name, "tortilla:id") == 0 ||
        strcmp(name, "tortilla:offset") == 0 || strcmp(name, "tortilla:length") == 0 ||
        strncmp(name, "internal:", 9) == 0) {
        return true;
    }
    l->count++;
    if ((strcmp(name, "stac:time_start") == 0 || strcmp(name, "stac:time_end") == 0) &&
        from->field->type == TACO_TIMESTAMP) {
        return taco__from_taco2_convert_time(b, from, out);
    }
    if (strcmp(name, "stac:centroid") == 0 && from->field->type == TACO_BINARY) {
        return taco__from_taco2_convert_text(b, l, from, true, name, out);
    }
    f = (taco_field *)taco__arena_alloc(&b->w.arena, sizeof *f, b->w.err);
    if (!f) { return false; }
    *f = *from->field;
    f->name = strcmp(name, "stac:tensor_shape") == 0 ? "stac:raster_shape"
              : strcmp(name, "legacy:id") == 0       ? "id"
              : strcmp(name, "legacy:type") == 0     ? "type"
              : strcmp(name, "legacy:path") == 0     ? "path"
                                                     : name;
    *out = *from;
    out->field = f;
    return true;
}

/* The ids of before taco_convert_to_taco2 changed them; those of now where it did not. */
static const taco_array *taco__from_taco2_original_ids(const taco__from_taco2_level *l)
{
    const taco_array *old =
        taco__tortilla_write_find_column(l->rows.columns, l->rows.column_count, "tortilla:id");
    size_t i;
    for (i = 0; old && i < l->rows.length; i++) {
        if (old->field->type != TACO_TEXT ||
            (!taco_array_valid(old, i) &&
             !taco__bytes_starts_with(taco_array_bytes(l->id, i), TACO__RULES_PADDING))) {
            old = NULL;
        }
    }
    return old ? old : l->id;
}

static bool taco__from_taco2_add_columns(taco__from_taco2 *b, taco__from_taco2_level *l)
{
    const taco_array *format = taco__tortilla_write_find_column(
        l->rows.columns, l->rows.column_count, "tortilla:file_format");
    taco_field *id = (taco_field *)taco__arena_alloc(&b->w.arena, sizeof *id, b->w.err);
    size_t c;
    l->columns = (taco_array *)taco__arena_array(&b->w.arena, l->rows.column_count + 3,
                                                 sizeof *l->columns, b->w.err);
    if (!id || !l->columns) { return false; }
    l->columns[0] = *taco__from_taco2_original_ids(l);
    *id = *l->columns[0].field;
    id->name = "tortilla:id";
    l->columns[0].field = id;
    l->count = 2;
    if (!taco__from_taco2_convert_text(b, l,
                                       format && format->field->type == TACO_TEXT ? format : NULL,
                                       false, "tortilla:file_format", &l->columns[1])) {
        return false;
    }
    for (c = 0; c < l->rows.column_count; c++) {
        if (!taco__from_taco2_add_column(b, l, &l->rows.columns[c])) { return false; }
    }
    return true;
}

/* ---- levels and nodes ---- */

/* The keys of a level's rows, which stand below those of their parents. */
static bool taco__from_taco2_make_keys(taco__from_taco2 *b, taco__from_taco2_level *l,
                                       const taco__from_taco2_level *above, const size_t *parents)
{
    size_t i, n = l->rows.length;
    l->keys = (const char **)taco__arena_array(&b->w.arena, n + 1, sizeof *l->keys, b->w.err);
    for (i = 0; l->keys && i < n; i++) {
        taco_bytes id = taco_array_bytes(l->id, i);
        const char *up = above ? above->keys[parents[i]] : "";
        size_t m = strlen(up);
        char *p = (char *)taco__arena_alloc(&b->w.arena, m + id.len + 2, b->w.err);
        if (!p) { return false; }
        memcpy(p, up, m);
        if (m) { p[m++] = '/'; }
        if (id.len) { memcpy(p + m, id.data, id.len); }
        l->keys[i] = p;
    }
    return l->keys != NULL;
}

/* Which row of the level above is the parent of each. */
static bool taco__from_taco2_find_parents(taco__from_taco2 *b, taco__from_taco2_level *l,
                                          const taco__from_taco2_level *above, size_t *parents)
{
    taco__tortilla_sort_key *ids = (taco__tortilla_sort_key *)taco__arena_array(
        &b->w.arena, above->rows.length + 1, sizeof *ids, b->w.err);
    size_t i, n = l->rows.length, m = above->rows.length;
    l->byparent = (taco__tortilla_sort_key *)taco__arena_array(&b->w.arena, n + 1,
                                                               sizeof *l->byparent, b->w.err);
    if (!ids || !l->byparent || !l->parent) {
        TACO__FAIL(b->w.err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no internal:parent_id");
        return false;
    }
    for (i = 0; i < m; i++) {
        ids[i].offset = above->current ? taco_array_int(above->current, i) : (int64_t)i;
        ids[i].row = i;
    }
    qsort(ids, m, sizeof *ids, taco__tortilla_compile_compare);
    for (i = 0; i < n; i++) {
        int64_t parent = taco_array_int(l->parent, i);
        size_t at = taco__from_taco2_lower_bound(ids, m, parent);
        if (at == m || ids[at].offset != parent) {
            TACO__FAIL(b->w.err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "row %u: no row above has the internal:current_id %d", TACO__U(i),
                       TACO__D(parent));
            return false;
        }
        parents[i] = ids[at].row;
        l->byparent[i].offset = (int64_t)ids[at].row;
        l->byparent[i].row = i;
    }
    qsort(l->byparent, n, sizeof *l->byparent, taco__tortilla_compile_compare);
    return true;
}

static bool taco__from_taco2_read_level(taco__from_taco2 *b, uint32_t level)
{
    taco__from_taco2_level *l = &b->levels[level], *above = level ? l - 1 : NULL;
    taco_query q;
    taco_cursor *c;
    size_t *parents;
    bool ok;
    memset(&q, 0, sizeof q);
    q.table = level;
    q.padding = true;
    c = taco_select(b->f.ds, &q, b->w.err);
    ok = c && taco__tortilla_compile_read_rows(&b->w, c, &l->rows);
    if (c && taco_cursor_close(c, b->w.err) != TACO_OK) { ok = false; }
    if (!ok) { return false; }
    l->id = taco__tortilla_write_find_column(l->rows.columns, l->rows.column_count, "id");
    l->type = taco__tortilla_write_find_column(l->rows.columns, l->rows.column_count, "type");
    l->current = taco__tortilla_write_find_column(l->rows.columns, l->rows.column_count,
                                                  "internal:current_id");
    l->parent = taco__tortilla_write_find_column(l->rows.columns, l->rows.column_count,
                                                 "internal:parent_id");
    if (!l->id || !l->type || l->id->field->type != TACO_TEXT ||
        l->type->field->type != TACO_TEXT) {
        TACO__FAIL(b->w.err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "level %u: id and type must be columns of text", TACO__U(level));
        return false;
    }
    parents =
        (size_t *)taco__arena_array(&b->w.arena, l->rows.length + 1, sizeof *parents, b->w.err);
    return parents && (!above || taco__from_taco2_find_parents(b, l, above, parents)) &&
           taco__from_taco2_make_keys(b, l, above, parents) && taco__from_taco2_add_columns(b, l);
}

/* The tortilla of the rows list[0..n) of a level, and of all below them; padding is left out. */
static taco__tortilla_node *taco__from_taco2_build_node(taco__from_taco2 *b, uint32_t level,
                                                        size_t *list, size_t n)
{
    taco__from_taco2_level *l = &b->levels[level];
    taco__tortilla_node *node =
        (taco__tortilla_node *)taco__arena_alloc(&b->w.arena, sizeof *node, b->w.err);
    taco__concat_slice *p =
        (taco__concat_slice *)taco__arena_array(&b->w.arena, n + 1, sizeof *p, b->w.err);
    taco_array *columns =
        (taco_array *)taco__arena_array(&b->w.arena, l->count + 1, sizeof *columns, b->w.err);
    size_t i, k;
    if (!node || !p || !columns) { return NULL; }
    node->sizes = (uint64_t *)taco__arena_array(&b->w.arena, n + 1, sizeof(uint64_t), b->w.err);
    node->kids =
        (taco__tortilla_node **)taco__arena_array(&b->w.arena, n + 1, sizeof *node->kids, b->w.err);
    node->columns = columns;
    node->column_count = l->count;
    node->rows = n;
    node->level = level;
    node->rows_of = list;
    for (i = 0; i < n; i++) {
        p[i].a = NULL;
        p[i].first = list[i];
        p[i].n = 1;
    }
    for (k = 0; node->sizes && node->kids && k < l->count; k++) {
        for (i = 0; i < n; i++) {
            p[i].a = &l->columns[k];
        }
        if (!taco__concat_arrays(&b->w.arena, l->columns[k].field, p, n, &columns[k], b->w.err)) {
            return NULL;
        }
    }
    for (i = 0; node->sizes && node->kids && i < n; i++) {
        taco__from_taco2_level *below = l + 1;
        size_t at, m = 0, *kids;
        if (!taco__from_taco2_is_folder(l, list[i])) { continue; }
        if (level + 1 >= b->depth) {
            TACO__FAIL(b->w.err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "FOLDER %s has no level below",
                       l->keys[list[i]]);
            return NULL;
        }
        at = taco__from_taco2_lower_bound(below->byparent, below->rows.length, (int64_t)list[i]);
        kids = (size_t *)taco__arena_array(&b->w.arena, below->rows.length - at + 1, sizeof *kids,
                                           b->w.err);
        for (; kids && at < below->rows.length && below->byparent[at].offset == (int64_t)list[i];
             at++) {
            if (!taco__from_taco2_is_padding(below, below->byparent[at].row)) {
                kids[m++] = below->byparent[at].row;
            }
        }
        node->kids[i] = kids ? taco__from_taco2_build_node(b, level + 1, kids, m) : NULL;
        if (!node->kids[i]) { return NULL; }
    }
    return node->sizes && node->kids ? node : NULL;
}

static bool taco__from_taco2_run(taco__from_taco2 *b, const char *out)
{
    taco__buf text;
    taco__tortilla_node *top;
    taco_bytes json = {NULL, 0};
    size_t *list, i, n = 0;
    uint32_t level;
    bool ok;
    b->depth = taco_levels(b->f.ds);
    for (level = 0; level < b->depth; level++) {
        if (!taco__from_taco2_read_level(b, level)) { return false; }
    }
    list = (size_t *)taco__arena_array(&b->w.arena, b->levels[0].rows.length + 1, sizeof *list,
                                       b->w.err);
    for (i = 0; list && i < b->levels[0].rows.length; i++) {
        if (!taco__from_taco2_is_padding(&b->levels[0], i)) { list[n++] = i; }
    }
    top = list ? taco__from_taco2_build_node(b, 0, list, n) : NULL;
    memset(&text, 0, sizeof text);
    text.mem = &b->w.mem;
    ok = top && taco__tortilla_write_measure(&b->w, top);
    if (ok && taco__container_ends_with(out, ".taco")) {
        ok = taco__convert_collection_from_taco2(b, &text);
        json = taco__bytes_of(text.data, text.len);
    } else if (ok) {
        taco__convert_note(
            &b->f, "the collection is left out: only a name that ends in .taco has one%s", "");
    }
    ok = ok && taco__tortilla_write_parts(&b->w, out, top, TACO__TORTILLA_PART_BYTES, json);
    taco__buf_free(&text);
    return ok;
}

TACO_API taco_status taco_convert_from_taco2(const char *in, const char *out,
                                             const taco_convert_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__from_taco2 *b;
    taco__mem mem;
    bool ok;
    err = err ? err : &own;
    if (!in || !out) { return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given"); }
    taco__mem_init(&mem, opt ? opt->create.options : NULL);
    b = (taco__from_taco2 *)taco__mem_alloc(&mem, sizeof *b, err);
    if (!b) { return err->code; }
    taco__convert_init(&b->f, opt, err);
    taco__tortilla_write_init(&b->w, &b->f.options, err);
    b->w.closes = true;
    b->w.payload = taco__from_taco2_payload;
    b->w.ctx = b;
    b->f.ds = taco_open(in, &b->f.options, err);
    ok = b->f.ds != NULL;
    if (ok && (b->f.ds->stores[0].format || b->f.ds->stores[0].kind == TACO_KIND_TACOCAT)) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "only an archive or a FOLDER of TACO 2 goes back");
        ok = false;
    }
    ok = ok && taco__from_taco2_run(b, out);
    taco__arena_free(&b->w.arena);
    if (!ok && strncmp(err->text, in, strlen(in)) != 0) { taco__error_prefix(err, "%s", in); }
    taco__convert_free(&b->f);
    taco__mem_free(&mem, b, sizeof *b);
    return ok ? TACO_OK : err->code;
}
