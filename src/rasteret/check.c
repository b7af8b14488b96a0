/* check.c - taco_validate of a Rasteret collection: types of columns, then one pass over the rows

   In: an open dataset, which therefore has the required columns; out: problems in taco__findings,
   each with the tier of the contract that it breaks. A type that Rasteret cannot read is an error,
   an integer of another width a warning. Values of rows are in check_rows.c, those of
   {band}_metadata in check_metadata.c. Spec: Rasteret's schema contract, tiers 1 and 2. What the
   library itself writes without complaint (a record without a time, a box supplied by the caller)
   is a warning. Start reading at taco__rasteret_check. */
#include "rasteret.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"

/* The rule for the type of a column. */
typedef enum taco__rasteret_check_kind {
    TACO__RASTERET_CHECK_CORE,   /* checked by taco__contract_check_type */
    TACO__RASTERET_CHECK_TIME,   /* a timestamp, or text in ISO 8601 */
    TACO__RASTERET_CHECK_LIST,   /* scene_bbox */
    TACO__RASTERET_CHECK_STRUCT, /* bbox */
    TACO__RASTERET_CHECK_EDGE,   /* double */
    TACO__RASTERET_CHECK_INTEGER
} taco__rasteret_check_kind;

/* The columns that have rules, in the order of taco__rasteret_records.column. */
static const struct {
    const char *name;
    taco__rasteret_check_kind kind;
} taco__rasteret_check_list[TACO__RASTERET_COLUMNS] = {
    {"id", TACO__RASTERET_CHECK_CORE},
    {"datetime", TACO__RASTERET_CHECK_CORE},
    {"geometry", TACO__RASTERET_CHECK_CORE},
    {"assets", TACO__RASTERET_CHECK_CORE},
    {"start_datetime", TACO__RASTERET_CHECK_TIME},
    {"end_datetime", TACO__RASTERET_CHECK_TIME},
    {"scene_bbox", TACO__RASTERET_CHECK_LIST},
    {"bbox", TACO__RASTERET_CHECK_STRUCT},
    {"bbox_minx", TACO__RASTERET_CHECK_EDGE},
    {"bbox_miny", TACO__RASTERET_CHECK_EDGE},
    {"bbox_maxx", TACO__RASTERET_CHECK_EDGE},
    {"bbox_maxy", TACO__RASTERET_CHECK_EDGE},
    {"year", TACO__RASTERET_CHECK_INTEGER},
    {"month", TACO__RASTERET_CHECK_INTEGER},
    {"proj:epsg", TACO__RASTERET_CHECK_INTEGER}};

TACO__FN bool taco__rasteret_check_is_integer(const taco_field *f)
{
    return f->type >= TACO_INT8 && f->type <= TACO_UINT64;
}

/* The expected type of a column; NULL if the column has it. */
static const char *taco__rasteret_check_expected(taco__rasteret_check_kind kind,
                                                 const taco_field *f)
{
    size_t at[4];
    switch (kind) {
    case TACO__RASTERET_CHECK_TIME:
        return f->type == TACO_TIMESTAMP || f->type == TACO_TEXT ? NULL : "a timestamp";
    case TACO__RASTERET_CHECK_LIST:
        return taco__contract_is_bbox_list(f) ? NULL : "a list of four doubles";
    case TACO__RASTERET_CHECK_STRUCT:
        return taco__contract_find_bbox(f, at) ? NULL
                                               : "a struct of doubles xmin, ymin, xmax, ymax";
    case TACO__RASTERET_CHECK_EDGE: return f->type == TACO_DOUBLE ? NULL : "double";
    case TACO__RASTERET_CHECK_INTEGER:
        return taco__rasteret_check_is_integer(f) ? NULL : "an integer";
    default: return NULL;
    }
}

TACO__FN const taco_field *taco__rasteret_check_child(const taco_field *f, const char *name,
                                                      size_t *at)
{
    uint32_t k;
    for (k = 0; k < f->child_count; k++) {
        if (strcmp(f->children[k].name, name) == 0) {
            *at = k;
            return &f->children[k];
        }
    }
    return NULL;
}

/* Each asset must be a struct of href and optionally band_index, or text, which Rasteret also
   reads. */
static void taco__rasteret_check_assets(taco__findings *f, const taco_field *assets)
{
    static const char clause[] = "Rasteret contract, tier 1, assets";
    uint32_t k;
    for (k = 0; k < assets->child_count; k++) {
        const taco_field *asset = &assets->children[k], *href, *index;
        taco_bytes name = taco__bytes_text(asset->name);
        size_t at;
        if (asset->type == TACO_TEXT || asset->type == TACO_NULL) { continue; }
        href = taco__rasteret_check_child(asset, "href", &at);
        index = taco__rasteret_check_child(asset, "band_index", &at);
        if (asset->type != TACO_STRUCT || !href || href->type != TACO_TEXT) {
            TACO__FINDINGS_CLAUSE(f, true, clause, "asset %q has no href of text", &name);
        } else if (index && index->type != TACO_NULL && !taco__rasteret_check_is_integer(index)) {
            TACO__FINDINGS_CLAUSE(f, true, clause, "asset %q: band_index must be an integer",
                                  &name);
        }
    }
}

/* Checks the type of one column. */
static void taco__rasteret_check_field(taco__findings *f, const taco_field *field)
{
    taco_error e;
    size_t k;
    memset(&e, 0, sizeof e);
    for (k = 0; k < TACO__COUNT(taco__rasteret_check_list); k++) {
        if (strcmp(field->name, taco__rasteret_check_list[k].name) == 0) { break; }
    }
    if (!taco__contract_check_type(field, &e)) {
        f->clause = "Rasteret contract, tier 1";
        taco__findings_report(f, true, &e);
        f->clause = NULL;
    } else if (strcmp(field->name, "assets") == 0) {
        taco__rasteret_check_assets(f, field);
    } else if (k < TACO__COUNT(taco__rasteret_check_list)) {
        const char *expected =
            taco__rasteret_check_expected(taco__rasteret_check_list[k].kind, field);
        if (expected) {
            TACO__FINDINGS_CLAUSE(f, true, "Rasteret contract, derived columns",
                                  "column %s must be %s", field->name, expected);
        }
    } else if (taco__container_ends_with(field->name, "_metadata")) {
        taco__rasteret_metadata_check_field(f, field);
    }
}

/* ---- the rows ---- */

/* Selects the columns to read: those with rules, and {band}_metadata. Returns how many. */
static size_t taco__rasteret_check_select(const taco_field *fields, size_t n,
                                          taco__query_column *items)
{
    size_t i, k, count = 0;
    for (i = 0; i < n; i++) {
        bool wanted = taco__container_ends_with(fields[i].name, "_metadata");
        for (k = 0; k < TACO__COUNT(taco__rasteret_check_list); k++) {
            wanted = wanted || strcmp(fields[i].name, taco__rasteret_check_list[k].name) == 0;
        }
        if (wanted) { items[count++].name = fields[i].name; }
    }
    return count;
}

/* Sets r->column to the columns of a batch. */
static void taco__rasteret_check_find(taco__rasteret_records *r, const taco_batch *b)
{
    size_t i, k;
    memset(r->column, 0, sizeof r->column);
    r->batch = b;
    for (i = 0; i < b->column_count; i++) {
        for (k = 0; k < TACO__COUNT(taco__rasteret_check_list); k++) {
            const taco_field *f = b->columns[i].field;
            taco_error e;
            memset(&e, 0, sizeof e);
            if (strcmp(f->name, taco__rasteret_check_list[k].name) == 0 &&
                !taco__rasteret_check_expected(taco__rasteret_check_list[k].kind, f) &&
                taco__contract_check_type(f, &e)) {
                r->column[k] = &b->columns[i];
            }
        }
    }
}

/* Checks all rows, batch by batch. */
static bool taco__rasteret_check_scan(taco_dataset *ds, taco__rasteret_records *r,
                                      const taco_field *fields, size_t n, taco_error *err)
{
    taco__query q;
    taco_cursor *c;
    taco_batch b;
    taco__query_column *items =
        (taco__query_column *)taco__arena_array(&r->arena, n + 1, sizeof *items, err);
    bool ok = true;
    if (!items) { return false; }
    memset(&q, 0, sizeof q);
    q.select.items = items;
    q.select.count = taco__rasteret_check_select(fields, n, items);
    q.select.given = true;
    c = taco__select_open(ds, &q, NULL, err);
    while (ok && c && !r->f->stop && taco_cursor_batch(c, &b)) {
        taco__rasteret_check_find(r, &b);
        ok = taco__rasteret_rows_check(r, err);
        r->first += b.length;
    }
    return taco_cursor_close(c, err) == TACO_OK && c != NULL && ok;
}

/* True for a CRS in degrees, longitude first: none named (CRS84), OGC:CRS84 or EPSG:4326 as
   PROJJSON. null says that it is unknown. */
static bool taco__rasteret_check_is_crs84(const taco__json *crs)
{
    const taco__json *id = taco__json_get(crs, "id"), *code = taco__json_get(id, "code");
    int64_t number = 0;
    if (!id) { return !taco__json_is(crs, TACO__JSON_NULL); }
    return taco__json_equals(code, "CRS84") || taco__json_equals(code, "4326") ||
           (taco__json_int(code, &number) && number == 4326);
}

/* The document of GeoParquet, which must declare the column geometry to be WKB in CRS84. */
static void taco__rasteret_check_geo_document(taco__findings *f, const taco__json *root)
{
    static const char clause[] = "Rasteret contract, GeoParquet";
    const taco__json *column = taco__json_get(taco__json_get(root, "columns"), "geometry");
    const taco__json *encoding = taco__json_get(column, "encoding");
    taco_bytes text = taco__json_bytes(encoding);
    if (!taco__json_is(column, TACO__JSON_OBJECT)) {
        TACO__FINDINGS_CLAUSE(f, true, clause, "geo does not describe the column geometry");
        return;
    }
    if (!taco__json_equals(encoding, "WKB")) {
        TACO__FINDINGS_CLAUSE(f, true, clause, "the encoding of geometry is %q, must be WKB",
                              &text);
    }
    if (!taco__rasteret_check_is_crs84(taco__json_get(column, "crs"))) {
        TACO__FINDINGS_CLAUSE(f, false, clause, "the CRS of geometry is not CRS84");
    }
    if (!taco__json_equals(taco__json_get(root, "primary_column"), "geometry")) {
        TACO__FINDINGS_CLAUSE(f, false, clause, "primary_column is not geometry");
    }
}

/* Checks GeoParquet's metadata. */
static bool taco__rasteret_check_geo(taco_dataset *ds, taco__findings *f, taco_error *err)
{
    static const char clause[] = "Rasteret contract, GeoParquet";
    taco__level *l = taco__container_level(&ds->stores[0], 0, err);
    taco__arena arena;
    taco__json_doc doc;
    taco_bytes text;
    taco_error e;
    if (!l) { return false; }
    memset(&arena, 0, sizeof arena);
    memset(&e, 0, sizeof e);
    arena.mem = &ds->mem;
    text = taco_pq_key_value(&l->pq, "geo");
    taco__findings_set_place(f, "key-value metadata");
    if (!text.len) {
        TACO__FINDINGS_CLAUSE(f, false, clause, "there is no key geo");
    } else if (taco__json_parse(&arena, text, &ds->options.limits, &doc, &e) == TACO_OK) {
        taco__rasteret_check_geo_document(f, doc.root);
    } else if (taco__error_is_of_machine(&e)) {
        *err = e;
    } else {
        TACO__FINDINGS_CLAUSE(f, true, clause, "geo is no JSON: %s", e.text);
    }
    taco__arena_free(&arena);
    return err->code == TACO_OK;
}

TACO__FN bool taco__rasteret_check(taco_dataset *ds, taco__findings *f, taco_error *err)
{
    taco__rasteret_records r;
    taco_error e;
    size_t n, i;
    const taco_field *fields = taco_level_fields(ds, 0, &n, err);
    bool ok;
    if (!fields || !taco__rasteret_check_geo(ds, f, err)) { return false; }
    taco__findings_set_place(f, "columns");
    for (i = 0; i < n; i++) {
        taco__rasteret_check_field(f, &fields[i]);
    }
    memset(&r, 0, sizeof r);
    memset(&e, 0, sizeof e);
    r.f = f;
    r.ids.mem = r.arena.mem = &ds->mem;
    ok = taco__rasteret_check_scan(ds, &r, fields, n, &e);
    if (!ok) {
        taco__findings_set_place(f, "rows");
        ok = taco__findings_take_error(f, &e);
        if (!ok) { *err = e; }
    }
    taco__findings_end_table(f, "rows");
    taco__hash_map_free(&r.ids);
    taco__arena_free(&r.arena);
    return ok;
}
