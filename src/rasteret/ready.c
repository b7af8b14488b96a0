/* ready.c - whether a collection has what the layers above need, for some bands

   In: a collection and names of bands; out: counts; the caller's function gets each thing that is
   missing. Spec: Rasteret's schema contract, layer requirements: the execution layer (all four
   required columns, a box, {band}_metadata) and the TorchGeo adapter (id, datetime, assets,
   proj:epsg of one CRS, {band}_metadata). The former skips records without metadata of a band, the
   latter drops records without a time: both are counted, and are an error only if no record is
   left. */
#include "rasteret.h"
#include "../base/base.h"

/* State of one call. */
typedef struct taco__ready {
    const taco_validate_options *how;
    taco_rasteret_readiness out;
    taco_error first; /* the first error */
    bool stopped;
} taco__ready;

/* Reports a problem; the first error becomes the result. */
static void taco__ready_report(taco__ready *r, bool error, const char *clause,
                               const taco_error *what)
{
    taco_problem p;
    memset(&p, 0, sizeof p);
    p.error = error;
    p.where = "";
    p.message = taco_error_text(what);
    p.clause = clause;
    if (error && r->first.code == TACO_OK) { r->first = *what; }
    if (r->how && r->how->found && !r->stopped) { r->stopped = !r->how->found(r->how->ctx, &p); }
}

#define TACO__READY_REPORT(r, error, clause, ...)                                                  \
    do {                                                                                           \
        taco_error ready_what = {0, TACO_OK, 0, {0}};                                              \
        TACO__FAIL(&ready_what, TACO_ERR_CORRUPT, TACO_NO_OFFSET, __VA_ARGS__);                    \
        taco__ready_report(r, error, clause, &ready_what);                                         \
    } while (0)

static const char taco__ready_execution[] = "Rasteret contract, execution layer";
static const char taco__ready_torchgeo[] = "Rasteret contract, TorchGeo adapter";

/* ---- columns ---- */

/* Whether any file has a column whose name is `name` followed by `end`. */
static bool taco__ready_has(taco_dataset *ds, const char *name, const char *end, taco_error *err)
{
    size_t i, k, n = strlen(name);
    for (i = 0; i < ds->container_count; i++) {
        const taco__level *l = taco__container_level(&ds->stores[i], 0, err);
        for (k = 0; l && k < l->table.field_count; k++) {
            const char *have = l->table.fields[k].name;
            if (strncmp(have, name, n) == 0 && strcmp(have + n, end) == 0) { return true; }
        }
    }
    return false;
}

/* Checks that each band has a metadata column; assets are checked in the rows. */
static bool taco__ready_bands(taco__ready *r, taco_dataset *ds, const char *const *bands, size_t n,
                              taco_error *err)
{
    bool all = true;
    size_t k;
    for (k = 0; k < n; k++) {
        if (taco__ready_has(ds, bands[k], "_metadata", err)) { continue; }
        TACO__READY_REPORT(r, true, taco__ready_execution, "there is no column %s_metadata",
                           bands[k]);
        all = false;
    }
    return all;
}

/* ---- rows ---- */

/* Counts one record: which bands it has, its time, its CRS. */
static void taco__ready_row(taco__ready *r, const taco_batch *b, size_t n, size_t row)
{
    bool timed = false, all = true, any = false;
    size_t i;
    for (i = 0; i < b->column_count; i++) {
        const taco_array *a = &b->columns[i];
        const char *name = a->field->name;
        const bool there = taco_array_valid(a, row);
        if (strcmp(name, "datetime") == 0) {
            timed = timed || there;
        } else if (strcmp(name, "start_datetime") == 0) {
            timed = timed || there;
        } else if (strcmp(name, "proj:epsg") == 0) {
            const int64_t code = there ? taco_array_int(a, row) : 0;
            r->out.without_crs += !there;
            r->out.mixed_crs = r->out.mixed_crs || (there && r->out.epsg && code != r->out.epsg);
            r->out.epsg = there && !r->out.epsg ? code : r->out.epsg;
        } else if (i + n >= b->column_count) {
            all = all && there;
            any = any || there;
        }
    }
    r->out.records++;
    r->out.complete += all;
    r->out.partial += any && !all;
    r->out.without_time += !timed;
}

/* Counts all records. The metadata columns come last. */
static bool taco__ready_count(taco__ready *r, taco_dataset *ds, const char *const *bands, size_t n,
                              taco_error *err)
{
    static const char *const names[] = {"datetime", "start_datetime", "proj:epsg"};
    taco__mem mem;
    taco__arena arena;
    taco_query q;
    taco_batch b;
    taco_cursor *rows;
    size_t i;
    memset(&arena, 0, sizeof arena);
    memset(&q, 0, sizeof q);
    taco__mem_init(&mem, &ds->options);
    arena.mem = &mem;
    q.select = taco__rasteret_select(ds, &arena, names, TACO__COUNT(names), bands, n, err);
    rows = q.select ? taco_select(ds, &q, err) : NULL;
    while (rows && taco_cursor_batch(rows, &b)) {
        for (i = 0; i < b.length; i++) {
            taco__ready_row(r, &b, n, i);
        }
    }
    taco__arena_free(&arena);
    return rows && taco_cursor_close(rows, err) == TACO_OK;
}

/* Reports what the counts mean. */
static void taco__ready_judge(taco__ready *r, bool has_code)
{
    const taco_rasteret_readiness *o = &r->out;
    if (!o->complete) {
        TACO__READY_REPORT(r, true, taco__ready_execution,
                           "no record has metadata of all these bands");
    } else if (o->complete < o->records) {
        TACO__READY_REPORT(r, false, taco__ready_execution,
                           "%u of %u records lack metadata of a band, and are skipped",
                           TACO__U(o->records - o->complete), TACO__U(o->records));
    }
    if (!has_code || o->without_crs) {
        TACO__READY_REPORT(r, true, taco__ready_torchgeo, "%u of %u records have no proj:epsg",
                           TACO__U(has_code ? o->without_crs : o->records), TACO__U(o->records));
    }
    if (o->mixed_crs) {
        TACO__READY_REPORT(r, true, taco__ready_torchgeo,
                           "the records have several values of proj:epsg, must have one");
    }
    if (o->without_time) {
        TACO__READY_REPORT(r, o->without_time == o->records, taco__ready_torchgeo,
                           "%u of %u records have neither datetime nor start_datetime, and are "
                           "dropped",
                           TACO__U(o->without_time), TACO__U(o->records));
    }
}

TACO_API taco_status taco_rasteret_ready(taco_dataset *ds, const char *const *bands, size_t n,
                                         const taco_validate_options *how,
                                         taco_rasteret_readiness *out, taco_error *err)
{
    taco__ready r;
    taco_error own = {0, TACO_OK, 0, {0}};
    bool box, code;
    err = taco__error_fresh(err, NULL);
    memset(&r, 0, sizeof r);
    r.how = how;
    if (!ds || !bands || !n) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a collection and names of bands are needed");
    }
    if (ds->stores[0].format != taco_rasteret_opener()) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no Rasteret collection");
    }
    code = taco__ready_has(ds, "proj:epsg", "", &own);
    box = taco__ready_has(ds, "scene_bbox", "", &own) || taco__ready_has(ds, "bbox", "", &own) ||
          taco__ready_has(ds, "bbox_minx", "", &own);
    if (!box) {
        TACO__READY_REPORT(&r, true, taco__ready_execution,
                           "there is no box: scene_bbox, bbox_minx or bbox");
    }
    if (taco__ready_bands(&r, ds, bands, n, &own) && own.code == TACO_OK &&
        taco__ready_count(&r, ds, bands, n, &own)) {
        taco__ready_judge(&r, code);
    }
    if (out) { *out = r.out; }
    if (own.code == TACO_OK) { own = r.first; }
    taco__error_copy(err, &own);
    return own.code;
}
