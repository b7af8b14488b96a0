/* contract.c - what a Rasteret collection must have: columns, types, a box

   In: the fields of a dataset; out: an error that names what is missing. Required are id, datetime,
   geometry and assets, and one of the two boxes: the struct bbox of xmin, ymin, xmax, ymax
   (rasteret from 0.3.5), or the list scene_bbox (before). Types are fixed for text ids, timestamps,
   WKB and structs of assets. Spec: Rasteret's schema contract.

   taco_rasteret_validate is the public call; the opener and the builder use the parts. */
#include "rasteret.h"
#include "../base/base.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"

/* Required columns and forms of the box found so far. */
typedef struct taco__contract {
    bool id, datetime, geometry, assets, box, list;
} taco__contract;

/* The four members must be DOUBLE; they may be in any order, and there may be others. */
TACO__FN bool taco__contract_find_bbox(const taco_field *f, size_t at[4])
{
    static const char *const names[4] = {"xmin", "ymin", "xmax", "ymax"};
    size_t i;
    uint32_t k;
    for (i = 0; i < 4; i++) {
        at[i] = SIZE_MAX;
        for (k = 0; f->type == TACO_STRUCT && k < f->child_count; k++) {
            if (strcmp(f->children[k].name, names[i]) == 0 && f->children[k].type == TACO_DOUBLE) {
                at[i] = k;
            }
        }
        if (at[i] == SIZE_MAX) { return false; }
    }
    return true;
}

TACO__FN bool taco__contract_is_bbox_list(const taco_field *f)
{
    return f->type == TACO_LIST && f->child_count == 1 && f->children[0].type == TACO_DOUBLE;
}

/* Records a column by its name; a box only counts if it has the right form. */
static void taco__contract_add_field(taco__contract *c, const taco_field *f)
{
    size_t at[4];
    c->id = c->id || strcmp(f->name, "id") == 0;
    c->datetime = c->datetime || strcmp(f->name, "datetime") == 0;
    c->geometry = c->geometry || strcmp(f->name, "geometry") == 0;
    c->assets = c->assets || strcmp(f->name, "assets") == 0;
    c->box = c->box || (strcmp(f->name, "bbox") == 0 && taco__contract_find_bbox(f, at));
    c->list = c->list || (strcmp(f->name, "scene_bbox") == 0 && taco__contract_is_bbox_list(f));
}

static bool taco__contract_is_complete(const taco__contract *c)
{
    return c->id && c->datetime && c->geometry && c->assets && (c->box || c->list);
}

/* Fails with CORRUPT, and names everything missing. */
static bool taco__contract_check_complete(const taco__contract *c, taco_error *err)
{
    if (taco__contract_is_complete(c)) { return true; }
    TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
               "no Rasteret collection, required columns are missing:%s%s%s%s%s",
               c->id ? "" : " id", c->datetime ? "" : " datetime", c->geometry ? "" : " geometry",
               c->assets ? "" : " assets", c->box || c->list ? "" : " bbox");
    return false;
}

/* Columns with other names may be of any type. */
TACO__FN bool taco__contract_check_type(const taco_field *f, taco_error *err)
{
    const char *expected = NULL;
    taco_bytes name = taco__bytes_text(f->name);
    if (strcmp(f->name, "datetime") == 0 && f->type != TACO_TIMESTAMP) {
        expected = "a timestamp";
    } else if (strcmp(f->name, "geometry") == 0 && f->type != TACO_BINARY) {
        expected = "binary (WKB)";
    } else if (strcmp(f->name, "assets") == 0 && f->type != TACO_STRUCT) {
        expected = "a struct of assets";
    } else if (strcmp(f->name, "id") == 0 && f->type != TACO_TEXT) {
        expected = "text";
    }
    if (expected) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q is not %s", &name, expected);
    }
    return !expected;
}

/* Whether most required columns are there, so that the rest is missing by mistake. Otherwise the
   file is not meant to be a collection. */
static bool taco__contract_is_likely(const taco__contract *c)
{
    return c->id + c->datetime + c->geometry + c->assets + (c->box || c->list) >= 3;
}

/* The error for a Parquet file that is not a dataset of any format. */
static bool taco__contract_fail_stranger(const char *path, taco_error *err)
{
    uint64_t size;
    bool directory = taco__plat_stat(path, &size) == TACO__PATH_DIRECTORY;
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
               "%s: not a dataset but %s: `taco parquet schema` shows the columns%s", path,
               directory ? "a directory of Parquet files" : "a Parquet file",
               directory ? " of one" : "");
    return false;
}

/* A column that only some of the files have counts: it is null in the others. */
TACO__FN bool taco__contract_check_dataset(taco_dataset *ds, const char *path, taco_error *err)
{
    taco__contract seen;
    size_t n, i;
    const taco_field *f = taco_level_fields(ds, 0, &n, err);
    memset(&seen, 0, sizeof seen);
    for (i = 0; f && i < n; i++) {
        taco__contract_add_field(&seen, &f[i]);
    }
    if (f && !taco__contract_is_likely(&seen) && ds->options.openers != taco__rasteret_openers()) {
        return taco__contract_fail_stranger(path, err);
    }
    if (f && !taco__contract_check_complete(&seen, err)) {
        taco__error_prefix(err, "%s", path);
        return false;
    }
    return f != NULL;
}

/* A file that is not a collection has been rejected before. */
TACO__FN bool taco__contract_check_types(taco_dataset *ds, taco_error *err)
{
    size_t n = 0, i;
    const taco_field *f = taco_level_fields(ds, 0, &n, err);
    for (i = 0; f && i < n; i++) {
        if (!taco__contract_check_type(&f[i], err)) { return false; }
    }
    return true;
}

/* Runs the checks of taco_validate; the first error is the result. */
static bool taco__contract_check_rows(taco_dataset *ds, taco_error *err)
{
    taco_validate_options how;
    taco_validated sum;
    taco__findings f;
    memset(&how, 0, sizeof how);
    memset(&sum, 0, sizeof sum);
    memset(&f, 0, sizeof f);
    f.how = &how;
    f.sum = &sum;
    f.part = "";
    if (!taco__rasteret_check(ds, &f, err)) { return false; }
    if (f.first.code != TACO_OK) { *err = f.first; }
    return f.first.code == TACO_OK;
}

/* The opener checks the columns itself; a dataset opened by another opener is not a collection. */
TACO_API taco_status taco_rasteret_validate(const char *path, const taco_options *opt,
                                            taco_error *err)
{
    static const taco__contract nothing = {false, false, false, false, false, false};
    taco_options o;
    taco_error own;
    taco_dataset *ds;
    err = taco__error_fresh(err, NULL);
    memset(&o, 0, sizeof o);
    memset(&own, 0, sizeof own);
    if (opt) { o = *opt; }
    o.openers = taco__rasteret_openers();
    ds = taco_open(path, &o, &own);
    if (ds && !(ds->stores[0].format
                    ? taco__contract_check_types(ds, &own) && taco__contract_check_rows(ds, &own)
                    : taco__contract_check_complete(&nothing, &own))) {
        taco__error_prefix(&own, "%s", path);
    }
    taco_close(ds);
    if (err && err->code == TACO_OK && own.code != TACO_OK) { *err = own; }
    return own.code;
}
