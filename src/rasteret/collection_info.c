/* collection_info.c - collections as datasets: filters, description, the calls of the public
   API. */
#include "rasteret.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../dataset/dataset.h"

/* ---- what a collection is
   ------------------------------------------------------------------------ */

typedef struct taco__rasteret_info_summary {
    double box[4];
    bool boxed;
    int64_t epsg[256]; /* ascending; more codes than these are not told apart */
    size_t epsg_count;
    char source[256]; /* first collection column that is not empty */
} taco__rasteret_info_summary;

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

static void taco__rasteret_info_add_bbox(taco__rasteret_info_summary *f, const double box[4])
{
    size_t k;
    for (k = 0; k < 4; k++) {
        if (!f->boxed || (k < 2 ? box[k] < f->box[k] : box[k] > f->box[k])) { f->box[k] = box[k]; }
    }
    f->boxed = true;
}

/* The box of row i, from a struct or a list; false where it is null or not of numbers. */
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

static bool taco__rasteret_info_scan(taco_dataset *ds, taco__rasteret_info_summary *facts,
                                     taco_error *err)
{
    static const char *const wanted[4] = {"bbox", "scene_bbox", "proj:epsg", "collection"};
    taco_query q;
    taco_cursor *c;
    taco_batch b;
    char select[64];
    size_t n, i, k, len = 0, at[4];
    const taco_field *f = taco_level_fields(ds, 0, &n, err);
    bool have[4] = {false, false, false, false};
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
    if (!f || len == 0) { return f != NULL; }
    memset(&q, 0, sizeof q);
    q.select = select;
    c = taco_select(ds, &q, err);
    while (c && taco_cursor_batch(c, &b)) {
        for (k = 0; k < b.column_count; k++) {
            const taco_array *a = &b.columns[k];
            const char *name = a->field->name;
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

static bool taco__rasteret_info_append_text(taco__buf *b, const char *key, taco_bytes v,
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
    for (from = n; from && path[from - 1] != '/' && path[from - 1] != '\\'; from--) {}
    for (i = n; i > from + 1; i--) {
        if (path[i - 1] == '.') {
            n = i - 1;
            break;
        }
    }
    return taco__bytes_of(path + from, n - from);
}

static bool taco__rasteret_info_append_bands(taco_dataset *ds, taco__buf *b, taco_error *err)
{
    const taco_field *f;
    size_t n, i, k = 0;
    bool ok = taco__buf_append_text(b, ",\"bands\":[", err);
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

static bool taco__rasteret_info_append_summary(taco_dataset *ds,
                                               const taco__rasteret_info_summary *f, taco__buf *b,
                                               taco_error *err)
{
    char number[40];
    int64_t rows = taco_level_rows(ds, 0, err);
    size_t i;
    bool ok =
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

/* Fills the collection of the first store from the key-value metadata of its file; with `whole`
   also what only the rows say: bounds, codes and number. */
TACO__FN bool taco__rasteret_info_describe(taco_dataset *ds, bool whole, taco_error *err)
{
    taco__container *s = &ds->stores[0];
    taco__level *l = taco__container_level(s, 0, err);
    taco__rasteret_info_summary facts;
    taco__buf b;
    taco_bytes name, source, dates, text;
    const void *comma;
    char *copy;
    bool ok;
    if (!l) { return false; }
    memset(&facts, 0, sizeof facts);
    memset(&b, 0, sizeof b);
    b.mem = s->mem;
    name = taco_pq_key_value(&l->pq, "name");
    name = name.len
               ? name
               : taco__rasteret_info_default_name(((taco__rasteret_file *)s->format_state)->root);
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
