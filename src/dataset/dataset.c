/* dataset.c - one or several containers as a dataset: open, close, what it is, taco_info_json.

   In: paths or a source. Out: a taco_dataset, and the public functions that describe it. TACO 2.0
   §7.2.1, §7.2.2.

   Several paths become one dataset when their trees are alike: as many levels, and the same
   children in every pattern of the PIT schema (taco__dataset_check_alike). When the first path
   is of another format, the whole dataset is that format's to open. What the first container
   says describes the dataset; rows and columns are those of all. */
#include "container.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../parquet/parquet.h"

/* ---- open and close ---- */

/* An empty dataset with room for so many containers. */
static taco_dataset *taco__dataset_alloc(const taco_options *opt, size_t stores, taco_error *err)
{
    taco__mem mem;
    taco_dataset *ds;
    taco__mem_init(&mem, opt);
    ds = (taco_dataset *)taco__mem_alloc(&mem, sizeof *ds, err);
    if (!ds) { return NULL; }
    ds->mem = mem;
    ds->arena.mem = ds->info.mem = ds->locate_vsi.mem = ds->locate_file.mem = &ds->mem;
    taco__options_init(&ds->options, opt);
    ds->stores = (taco__container *)taco__arena_array(&ds->arena, stores, sizeof *ds->stores, err);
    if (!ds->stores) {
        taco_close(ds);
        return NULL;
    }
    return ds;
}

/* The account of its memory is a part of the dataset, so a copy frees it. */
TACO_API void taco_close(taco_dataset *ds)
{
    taco__mem mem;
    size_t i;
    if (!ds) { return; }
    for (i = 0; i < ds->container_count; i++) {
        taco__container_close(&ds->stores[i]);
    }
    taco__buf_free(&ds->info);
    taco__buf_free(&ds->locate_vsi);
    taco__buf_free(&ds->locate_file);
    taco__arena_free(&ds->arena);
    taco__mem_free_spares(&ds->mem);
    mem = ds->mem;
    taco__mem_free(&mem, ds, sizeof *ds);
}

/* Room for n containers, for formats; those there are keep their places. */
TACO__FN bool taco__dataset_reserve(taco_dataset *ds, size_t n, taco_error *err)
{
    taco__container *more = (taco__container *)taco__arena_array(&ds->arena, n, sizeof *more, err);
    if (more) {
        memcpy(more, ds->stores, TACO__MIN(n, ds->container_count) * sizeof *more);
        ds->stores = more;
    }
    return more != NULL;
}

/* A dataset whose first container was found to be of a format is the format's to open. NULL on
   failure, the dataset then being closed. */
static taco_dataset *taco__dataset_open_format(taco_dataset *ds, const char *const *paths, size_t n,
                                               taco_error *err)
{
    ds->container_count = 1;
    if (!ds->stores[0].format->open(ds, paths, n, err)) {
        taco_close(ds);
        return NULL;
    }
    return ds;
}

/* Whether container s, opened from `path`, can be read together with the first one. */
static bool taco__dataset_check_alike(const taco_dataset *ds, const taco__container *s,
                                      const char *path, const char *first, taco_error *err)
{
    const taco__container *a = &ds->stores[0];
    if (s->format) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "%s: a %s cannot be read together with %s, which is none", path, s->format->name,
                   first);
        return false;
    }
    if (s->level_count != a->level_count ||
        taco__collection_check_same_pit(&a->coll, &s->coll, err) != TACO_OK) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%u levels, the first dataset has %u",
                   TACO__U(s->level_count), TACO__U(a->level_count));
        taco__error_prefix(err, "%s: cannot be read together with %s", path, first);
        return false;
    }
    return true;
}

/* Opens the next of the paths as the next container. */
static bool taco__dataset_open_next(taco_dataset *ds, const char *const *paths, taco_error *err)
{
    size_t i = ds->container_count;
    taco__container *s = &ds->stores[i];
    if (!paths[i]) { TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given"); }
    if (err->code != TACO_OK || !taco__container_open_any(s, paths[i], NULL, &ds->mem, &ds->arena,
                                                          &ds->options, true, err)) {
        return false;
    }
    /* from here on the dataset closes it */
    ds->container_count++;
    return i == 0 || taco__dataset_check_alike(ds, s, paths[i], paths[0], err);
}

TACO_API taco_dataset *taco_open_many(const char *const *paths, size_t n, taco_column_mode mode,
                                      const taco_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_dataset *ds;
    err = err ? err : &own;
    if (!paths || n == 0) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
        return NULL;
    }
    ds = taco__dataset_alloc(opt, n, err);
    if (!ds) { return NULL; }
    ds->mode = mode;
    while (ds->container_count < n) {
        if (!taco__dataset_open_next(ds, paths, err)) {
            taco_close(ds);
            return NULL;
        }
        if (ds->stores[0].format) { return taco__dataset_open_format(ds, paths, n, err); }
    }
    return ds;
}

TACO_API taco_dataset *taco_open(const char *path, const taco_options *opt, taco_error *err)
{
    return taco_open_many(&path, 1, TACO_COLUMNS_INTERSECTION, opt, err);
}

TACO_API taco_dataset *taco_open_source(const taco_source *src, const char *name,
                                        const taco_options *opt, taco_error *err)
{
    taco_dataset *ds;
    if (!taco__source_check(src, err)) { return NULL; }
    ds = taco__dataset_alloc(opt, 1, err);
    if (!ds) {
        if (src->close) { src->close(src->ctx); }
        return NULL;
    }
    if (!taco__container_open_any(&ds->stores[0], name ? name : "", src, &ds->mem, &ds->arena,
                                  &ds->options, true, err)) {
        taco_close(ds);
        return NULL;
    }
    ds->container_count = 1;
    return ds->stores[0].format ? taco__dataset_open_format(ds, &ds->stores[0].name, 1, err) : ds;
}

/* Kinds other than TACOCAT ignore it, as in the reference. */
TACO_API taco_status taco_set_base_path(taco_dataset *ds, const char *base, taco_error *err)
{
    size_t i;
    if (!ds || !base) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          ds ? "base path" : "dataset");
    }
    for (i = 0; i < ds->container_count; i++) {
        taco__container *s = &ds->stores[i];
        if (s->kind != TACO_KIND_TACOCAT || s->format) { continue; }
        s->archive_dir = taco__container_join_path(
            s, base, taco__container_ends_with(base, "/") ? "" : "/", err);
        if (!s->archive_dir || !taco__container_set_vsi_root(s, base, true, err)) {
            return err ? err->code : TACO_ERR_MEMORY;
        }
    }
    return TACO_OK;
}

/* ---- what it is: the first container's collection ---- */

static const taco__collection *taco__dataset_collection(const taco_dataset *ds)
{
    return ds ? &ds->stores[0].coll : NULL;
}

static const char *taco__dataset_text_or_empty(const char *text)
{
    return text ? text : "";
}

TACO_API const char *taco_id(const taco_dataset *ds)
{
    const taco__collection *c = taco__dataset_collection(ds);
    return taco__dataset_text_or_empty(c ? c->id : NULL);
}

TACO_API const char *taco_dataset_version(const taco_dataset *ds)
{
    const taco__collection *c = taco__dataset_collection(ds);
    return taco__dataset_text_or_empty(c ? c->dataset_version : NULL);
}

TACO_API const char *taco_description(const taco_dataset *ds)
{
    const taco__collection *c = taco__dataset_collection(ds);
    return taco__dataset_text_or_empty(c ? c->description : NULL);
}

TACO_API const char *taco_title(const taco_dataset *ds)
{
    const taco__collection *c = taco__dataset_collection(ds);
    return taco__dataset_text_or_empty(c ? c->title : NULL);
}

/* key NULL: the whole document. */
TACO_API taco_bytes taco_collection(const taco_dataset *ds, const char *key)
{
    const taco__collection *c = taco__dataset_collection(ds);
    const taco__json *node = c ? key ? taco__json_get(c->doc.root, key) : c->doc.root : NULL;
    return node ? taco__json_raw(&c->doc, node) : taco__bytes_of(NULL, 0);
}

TACO_API taco_kind taco_dataset_kind(const taco_dataset *ds)
{
    return !ds ? (taco_kind)0 : ds->stores[0].format ? TACO_KIND_OTHER : ds->stores[0].kind;
}

TACO_API const char *taco_dataset_format(const taco_dataset *ds)
{
    return ds && ds->stores[0].format ? ds->stores[0].format->name : "";
}

/* ---- levels ---- */

TACO_API uint32_t taco_levels(const taco_dataset *ds)
{
    return ds ? taco__container_level_count(&ds->stores[0]) : 0;
}

/* Refuses a level that no dataset can have; one that this one does not have is refused where it is
   opened. */
static bool taco__dataset_has_level(const taco_dataset *ds, uint32_t level, taco_error *err)
{
    if (!ds) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
        return false;
    }
    if (level >= TACO__MAX_LEVELS) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "%s: there is no level %u, the deepest is %u", ds->stores[0].name,
                   TACO__U(level), TACO__U(taco_levels(ds) - 1));
        return false;
    }
    return true;
}

TACO_API int64_t taco_level_rows(taco_dataset *ds, uint32_t level, taco_error *err)
{
    int64_t rows = 0;
    size_t i;
    if (!taco__dataset_has_level(ds, level, err)) { return -1; }
    for (i = 0; i < ds->container_count; i++) {
        taco__level *l = taco__container_level(&ds->stores[i], level, err);
        if (!l) { return -1; }
        rows += (int64_t)l->table.rows;
    }
    return rows;
}

TACO_API const taco_field *taco_level_fields(taco_dataset *ds, uint32_t level, size_t *n,
                                             taco_error *err)
{
    *n = 0;
    if (!taco__dataset_has_level(ds, level, err) ||
        !taco__schema_union_level_fields(ds, level, err)) {
        return NULL;
    }
    *n = ds->schema[level].count;
    return ds->schema[level].fields;
}

/* ---- as JSON ---- */

/* The name of a type in quotes. Names of nested types hold those of their fields, which may need
   escapes: struct<"a b":int32>. */
static bool taco__dataset_write_type(taco__buf *b, const taco_field *f, taco_error *err)
{
    taco__buf name;
    bool ok;
    memset(&name, 0, sizeof name);
    name.mem = b->mem;
    ok = taco__type_name_append(f, &name, err) &&
         taco__json_write_name(b, taco__bytes_of(name.data, name.len), err);
    taco__buf_free(&name);
    return ok;
}

static bool taco__dataset_write_column(taco__buf *b, const taco_field *f, bool first,
                                       taco_error *err)
{
    return taco__buf_append_text(b, first ? "{\"name\":" : ",{\"name\":", err) &&
           taco__json_write_name(b, taco__bytes_text(f->name), err) &&
           taco__buf_append_text(b, ",\"type\":", err) && taco__dataset_write_type(b, f, err) &&
           taco__buf_append_char(b, '}', err);
}

static bool taco__dataset_write_number(taco__buf *b, const char *key, int64_t x, taco_error *err)
{
    char number[24];
    return taco__buf_append_text(b, key, err) &&
           taco__buf_append(b, number, taco__num_format_i64(number, x), err);
}

/* {"rows":N,"columns":[...]} */
static bool taco__dataset_write_level(taco_dataset *ds, uint32_t l, taco__buf *b, taco_error *err)
{
    int64_t rows = taco_level_rows(ds, l, err);
    size_t i, n;
    const taco_field *f = rows < 0 ? NULL : taco_level_fields(ds, l, &n, err);
    bool ok = f && taco__dataset_write_number(b, "{\"rows\":", rows, err) &&
              taco__buf_append_text(b, ",\"columns\":[", err);
    for (i = 0; ok && i < n; i++) {
        ok = taco__dataset_write_column(b, &f[i], i == 0, err);
    }
    return ok && taco__buf_append_text(b, "]}", err);
}

static bool taco__dataset_write_levels(taco_dataset *ds, taco__buf *b, taco_error *err)
{
    uint32_t l;
    bool ok = taco__buf_append_text(b, ",\"levels\":[", err);
    for (l = 0; ok && l < taco_levels(ds); l++) {
        ok = (l == 0 || taco__buf_append_char(b, ',', err)) &&
             taco__dataset_write_level(ds, l, b, err);
    }
    return ok && taco__buf_append_text(b, "]}", err);
}

TACO_API taco_bytes taco_info_json(taco_dataset *ds, taco_error *err)
{
    static const char *const kinds[] = {"", "zip", "folder", "tacocat"};
    const taco_opener *f = ds ? ds->stores[0].format : NULL;
    taco__buf *b = ds ? &ds->info : NULL;
    int64_t rows = taco_level_rows(ds, 0, err);
    bool ok;
    if (rows < 0 || (f && f->info && !f->info(ds, err))) { return taco__bytes_of(NULL, 0); }
    b->len = 0;
    ok = taco__buf_append_char(b, '{', err) &&
         taco__collection_write_info(b, &ds->stores[0].coll, err) &&
         taco__buf_append_text(b, ",\"kind\":\"", err) &&
         taco__buf_append_text(b, f ? f->name : kinds[ds->stores[0].kind], err) &&
         taco__dataset_write_number(b, "\",\"n\":", rows, err) &&
         taco__dataset_write_number(b, ",\"max_depth\":", (int64_t)taco_levels(ds) - 1, err) &&
         taco__dataset_write_levels(ds, b, err);
    return ok ? taco__bytes_of(b->data, b->len) : taco__bytes_of(NULL, 0);
}
