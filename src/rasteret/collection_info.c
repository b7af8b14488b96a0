/* collection_info.c - the description of a collection, for taco_info_json

   In: the key-value metadata of the first file (name, description, data_source, date_range), and on
   demand the boxes, codes and collection names in all rows. Out: the collection of the first
   container: a JSON object with the members of Rasteret's own description. Its bounds, epsg, len
   and bands are only computed for taco_info_json, as they take a pass over all rows.

   Start reading at taco__rasteret_info_describe. */
#include "rasteret.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../dataset/dataset.h"

/* ---- summary of the rows ---- */

/* Gathered over all rows. */
typedef struct taco__rasteret_info_summary {
    double box[4];
    bool boxed;
    int64_t epsg[256]; /* ascending; further codes are dropped */
    size_t epsg_count;
    char source[256]; /* first value of the column `collection` */
} taco__rasteret_info_summary;

/* Adds a code, unless it is already there or there are too many. */
static void taco__rasteret_info_add_code(taco__rasteret_info_summary *f, int64_t code)
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

/* Extends the bounds by one box. */
static void taco__rasteret_info_add_bbox(taco__rasteret_info_summary *f, const double box[4])
{
    size_t k;
    for (k = 0; k < 4; k++) {
        if (!f->boxed || (k < 2 ? box[k] < f->box[k] : box[k] > f->box[k])) { f->box[k] = box[k]; }
    }
    f->boxed = true;
}

/* The box of row i, from a struct or a list; false if it is null or not numeric. */
static bool taco__rasteret_info_row_bbox(const taco_array *a, const size_t at[4], size_t i,
                                         double box[4])
{
    size_t k;
    if (!taco_array_valid(a, i) ||
        (a->field->type == TACO_LIST && a->offsets[i + 1] - a->offsets[i] != 4)) {
        return false;
    }
    for (k = 0; k < 4; k++) {
        const taco_array *c = &a->children[a->field->type == TACO_LIST ? 0 : at[k]];
        size_t j = a->field->type == TACO_LIST ? (size_t)a->offsets[i] + k : i;
        if (!taco_array_valid(c, j)) { return false; }
        box[k] = taco_array_double(c, j);
        if (box[k] != box[k]) { return false; }
    }
    return true;
}

/* Columns that are read if they have the expected type. */
enum {
    TACO__RASTERET_INFO_BBOX,
    TACO__RASTERET_INFO_SCENE_BBOX,
    TACO__RASTERET_INFO_EPSG,
    TACO__RASTERET_INFO_COLLECTION,
    TACO__RASTERET_INFO_COLUMNS
};

static const char *const taco__rasteret_info_names[TACO__RASTERET_INFO_COLUMNS] = {
    "bbox", "scene_bbox", "proj:epsg", "collection"};

/* Which of the columns a field is; TACO__RASTERET_INFO_COLUMNS if none. */
static size_t taco__rasteret_info_kind(const taco_field *f)
{
    size_t at[4], k;
    bool fits[TACO__RASTERET_INFO_COLUMNS];
    fits[TACO__RASTERET_INFO_BBOX] = taco__contract_find_bbox(f, at);
    fits[TACO__RASTERET_INFO_SCENE_BBOX] = taco__contract_is_bbox_list(f);
    fits[TACO__RASTERET_INFO_EPSG] = f->type >= TACO_INT8 && f->type <= TACO_UINT64;
    fits[TACO__RASTERET_INFO_COLLECTION] = f->type == TACO_TEXT;
    for (k = 0; k < TACO__RASTERET_INFO_COLUMNS; k++) {
        if (fits[k] && strcmp(f->name, taco__rasteret_info_names[k]) == 0) { return k; }
    }
    return k;
}

/* The columns to read; for boxes the struct, if there is one. */
static size_t taco__rasteret_info_select(const taco_field *f, size_t n, taco__query_column *items)
{
    bool have[TACO__RASTERET_INFO_COLUMNS + 1] = {false, false, false, false, false};
    size_t i, k, count = 0;
    for (i = 0; i < n; i++) {
        have[taco__rasteret_info_kind(&f[i])] = true;
    }
    have[TACO__RASTERET_INFO_SCENE_BBOX] =
        have[TACO__RASTERET_INFO_SCENE_BBOX] && !have[TACO__RASTERET_INFO_BBOX];
    for (k = 0; k < TACO__RASTERET_INFO_COLUMNS; k++) {
        if (have[k]) { items[count++].name = taco__rasteret_info_names[k]; }
    }
    return count;
}

/* Adds one value of a column of that kind. */
static void taco__rasteret_info_add_value(taco__rasteret_info_summary *f, size_t kind,
                                          const taco_array *a, const size_t at[4], size_t i)
{
    double box[4];
    taco_bytes v;
    switch (kind) {
    case TACO__RASTERET_INFO_EPSG:
        if (taco_array_valid(a, i)) { taco__rasteret_info_add_code(f, taco_array_int(a, i)); }
        break;
    case TACO__RASTERET_INFO_COLLECTION:
        v = taco_array_bytes(a, i);
        if (v.len && v.len < sizeof f->source && !f->source[0]) {
            memcpy(f->source, v.data, v.len);
        }
        break;
    default:
        if (taco__rasteret_info_row_bbox(a, at, i, box)) { taco__rasteret_info_add_bbox(f, box); }
        break;
    }
}

/* Adds the rows of a batch. A column's type may differ from the one in the merged schema. */
static void taco__rasteret_info_add_batch(taco__rasteret_info_summary *f, const taco_batch *b)
{
    size_t i, k, at[4] = {0, 0, 0, 0};
    for (k = 0; k < b->column_count; k++) {
        const taco_array *a = &b->columns[k];
        size_t kind = taco__rasteret_info_kind(a->field);
        if (kind == TACO__RASTERET_INFO_BBOX) { taco__contract_find_bbox(a->field, at); }
        for (i = 0; kind < TACO__RASTERET_INFO_COLUMNS && i < b->length; i++) {
            taco__rasteret_info_add_value(f, kind, a, at, i);
        }
    }
}

/* A pass over all rows. */
static bool taco__rasteret_info_scan(taco_dataset *ds, taco__rasteret_info_summary *out,
                                     taco_error *err)
{
    taco__query_column items[TACO__RASTERET_INFO_COLUMNS];
    taco__query q;
    taco_cursor *c;
    taco_batch b;
    size_t n;
    const taco_field *f = taco_level_fields(ds, 0, &n, err);
    memset(&q, 0, sizeof q);
    memset(items, 0, sizeof items);
    q.select.items = items;
    q.select.count = f ? taco__rasteret_info_select(f, n, items) : 0;
    q.select.given = true;
    if (!f || q.select.count == 0) { return f != NULL; }
    c = taco__select_open(ds, &q, NULL, err);
    while (c && taco_cursor_batch(c, &b)) {
        taco__rasteret_info_add_batch(out, &b);
    }
    return taco_cursor_close(c, err) == TACO_OK && c != NULL;
}

/* ---- the document ---- */

/* "/data/s2_records/" is s2_records, "a/b.c.parquet" b.c; a name that is all suffix stays. */
TACO__FN taco_bytes taco__rasteret_info_default_name(const char *path)
{
    size_t n = strlen(path), from, i;
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    for (from = n; from && path[from - 1] != '/' && path[from - 1] != '\\'; from--) {}
    for (i = n; i > from + 1; i--) {
        if (path[i - 1] == '.') {
            n = i - 1;
            break;
        }
    }
    return taco__bytes_of(path + from, n - from);
}

/* "bands": the names of the {band}_metadata columns, without that ending. */
static bool taco__rasteret_info_write_bands(taco_dataset *ds, taco__json_writer *j)
{
    size_t n, i;
    const taco_field *f = taco_level_fields(ds, 0, &n, j->err);
    taco__json_write_begin(j, "bands", '[');
    for (i = 0; f && i < n; i++) {
        size_t len = strlen(f[i].name);
        if (taco__container_ends_with(f[i].name, "_metadata")) {
            taco__json_write_bytes_value(j, NULL, taco__bytes_of(f[i].name, len - 9));
        }
    }
    taco__json_write_end(j, ']');
    return f && j->ok;
}

/* bounds, epsg and len. */
static bool taco__rasteret_info_write_summary(taco_dataset *ds,
                                              const taco__rasteret_info_summary *f,
                                              taco__json_writer *j)
{
    int64_t rows = taco_level_rows(ds, 0, j->err);
    char text[24];
    size_t i;
    if (rows < 0) { return false; }
    if (f->boxed) {
        taco__json_write_begin(j, "bounds", '[');
        for (i = 0; i < 4; i++) {
            taco__json_write_double(j, NULL, f->box[i]);
        }
        taco__json_write_end(j, ']');
    } else {
        taco__json_write_text(j, "bounds", NULL);
    }
    taco__json_write_begin(j, "epsg", '[');
    for (i = 0; i < f->epsg_count; i++) {
        taco__json_write_raw(j, NULL, taco__bytes_of(text, taco__num_format_i64(text, f->epsg[i])));
    }
    taco__json_write_end(j, ']');
    taco__json_write_u64(j, "len", (uint64_t)rows);
    return j->ok;
}

/* date_range is "start,end". */
static void taco__rasteret_info_write_dates(taco__json_writer *j, taco_bytes dates)
{
    const uint8_t *comma = dates.len ? (const uint8_t *)memchr(dates.data, ',', dates.len) : NULL;
    size_t at = comma ? (size_t)(comma - dates.data) : 0;
    if (comma) {
        taco__json_write_bytes_value(j, "start_date", taco__bytes_of(dates.data, at));
        taco__json_write_bytes_value(j, "end_date", taco__bytes_of(comma + 1, dates.len - at - 1));
    } else {
        taco__json_write_text(j, "start_date", NULL);
        taco__json_write_text(j, "end_date", NULL);
    }
}

/* Writes the document, with the summary of the rows if `whole`. */
static bool taco__rasteret_info_write(taco_dataset *ds, const taco_pq_file *pq, taco_bytes name,
                                      bool whole, taco__json_writer *j)
{
    taco_bytes source = taco_pq_key_value(pq, "data_source");
    taco__rasteret_info_summary f;
    memset(&f, 0, sizeof f);
    if (whole && !taco__rasteret_info_scan(ds, &f, j->err)) { return false; }
    taco__json_write_begin(j, NULL, '{');
    taco__json_write_bytes_value(j, "name", name);
    taco__json_write_bytes_value(j, "description", taco_pq_key_value(pq, "description"));
    taco__json_write_bytes_value(j, "data_source",
                                 source.len ? source : taco__bytes_text(f.source));
    taco__rasteret_info_write_dates(j, taco_pq_key_value(pq, "date_range"));
    if (whole &&
        !(taco__rasteret_info_write_bands(ds, j) && taco__rasteret_info_write_summary(ds, &f, j))) {
        return false;
    }
    taco__json_write_end(j, '}');
    return j->ok;
}

/* The document is parsed again like any COLLECTION.json, since the code that prints it works on
   JSON nodes. */
TACO__FN bool taco__rasteret_info_describe(taco_dataset *ds, bool whole, taco_error *err)
{
    taco__container *s = &ds->stores[0];
    taco__level *l = taco__container_level(s, 0, err);
    const char *root = ((const taco__rasteret_file *)s->format_state)->root;
    taco__json_writer j;
    taco__buf b;
    taco_bytes name;
    char *copy;
    bool ok;
    if (!l) { return false; }
    memset(&b, 0, sizeof b);
    b.mem = s->mem;
    j = taco__json_writer_init(&b, err);
    name = taco_pq_key_value(&l->pq, "name");
    name = name.len ? name : taco__rasteret_info_default_name(root);
    ok = taco__rasteret_info_write(ds, &l->pq, name, whole, &j);
    copy = ok ? taco__arena_text(s->arena, taco__bytes_of(b.data, b.len), err) : NULL;
    ok = copy && taco__json_parse(s->arena, taco__bytes_of(copy, b.len), &ds->options.limits,
                                  &s->coll.doc, err) == TACO_OK;
    s->coll.id = ok ? taco__arena_text(s->arena, name, err) : "";
    s->coll.description =
        ok ? taco__arena_text(s->arena, taco_pq_key_value(&l->pq, "description"), err) : "";
    taco__buf_free(&b);
    return ok && s->coll.id && s->coll.description;
}
