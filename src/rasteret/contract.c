/* contract.c - what a collection must hold.. Spec: Rasteret's schema contract */
#include "rasteret.h"
#include "../base/base.h"
#include "../dataset/dataset.h"

/* required columns that were seen, and the forms of the box */
typedef struct taco__contract {
    bool id, datetime, geometry, assets, box, list;
} taco__contract;

/* The bbox struct of xmin, ymin, xmax and ymax, by place in *at. */
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

static bool taco__contract_check_complete(const taco__contract *c, taco_error *err)
{
    if (taco__contract_is_complete(c)) { return true; }
    TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
               "no Rasteret collection, required columns are missing:%s%s%s%s%s",
               c->id ? "" : " id", c->datetime ? "" : " datetime", c->geometry ? "" : " geometry",
               c->assets ? "" : " assets", c->box || c->list ? "" : " bbox");
    return false;
}

/* Types that the contract fixes. */
TACO__FN bool taco__contract_check_type(const taco_field *f, taco_error *err)
{
    const char *want = NULL;
    taco_bytes name = taco__bytes_text(f->name);
    if (strcmp(f->name, "datetime") == 0 && f->type != TACO_TIMESTAMP) {
        want = "a timestamp";
    } else if (strcmp(f->name, "geometry") == 0 && f->type != TACO_BINARY) {
        want = "binary (WKB)";
    } else if (strcmp(f->name, "assets") == 0 && f->type != TACO_STRUCT) {
        want = "a struct of assets";
    } else if (strcmp(f->name, "id") == 0 && f->type != TACO_TEXT) {
        want = "text";
    }
    if (want) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q is not %s", &name, want);
    }
    return !want;
}

/* What all files have together, against the contract. */
TACO__FN bool taco__contract_check_dataset(taco_dataset *ds, const char *path, taco_error *err)
{
    taco__contract seen;
    size_t n, i;
    const taco_field *f = taco_level_fields(ds, 0, &n, err);
    memset(&seen, 0, sizeof seen);
    for (i = 0; f && i < n; i++) {
        taco__contract_add_field(&seen, &f[i]);
    }
    if (f && !taco__contract_check_complete(&seen, err)) {
        taco__error_prefix(err, "%s", path);
        return false;
    }
    return f != NULL;
}

TACO_API taco_status taco_rasteret_validate(const char *path, const taco_options *opt,
                                            taco_error *err)
{
    taco_options o;
    taco_error own;
    taco_dataset *ds;
    const taco_field *f;
    size_t n = 0, i;
    taco__contract seen;
    memset(&o, 0, sizeof o);
    memset(&own, 0, sizeof own);
    memset(&seen, 0, sizeof seen);
    o = opt ? *opt : o;
    o.openers = taco__rasteret_openers();
    ds = taco_open(path, &o, &own);
    if (ds && !ds->stores[0].format) {
        taco__contract_check_complete(&seen, &own);
        taco__error_prefix(&own, "%s", path);
    }
    f = ds && own.code == TACO_OK ? taco_level_fields(ds, 0, &n, &own) : NULL;
    for (i = 0; f && i < n; i++) {
        if (!taco__contract_check_type(&f[i], &own)) {
            taco__error_prefix(&own, "%s", path);
            break;
        }
    }
    taco_close(ds);
    if (err && err->code == TACO_OK && own.code != TACO_OK) { *err = own; }
    return own.code;
}
