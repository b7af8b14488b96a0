/* dataset.c - a query bound to the tables of a dataset, and the cursor over its rows.. Spec: TACO
   2.0 §7.2.2, §7.2.3 */
#include "dataset.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../parquet/parquet.h"

/* ---- open and close
   ------------------------------------------------------------------------------- */

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

/* Room for n stores, for formats; those there are keep their places. */
TACO__FN bool taco__dataset_reserve(taco_dataset *ds, size_t n, taco_error *err)
{
    taco__container *more = (taco__container *)taco__arena_array(&ds->arena, n, sizeof *more, err);
    if (more) {
        memcpy(more, ds->stores, TACO__MIN(n, ds->container_count) * sizeof *more);
        ds->stores = more;
    }
    return more != NULL;
}

/* A dataset whose first store was found to be of a format is the format's to open. NULL on
   failure. */
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
    for (; ds->container_count < n; ds->container_count++) {
        taco__container *s = &ds->stores[ds->container_count];
        if (!paths[ds->container_count]) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
        }
        if (err->code != TACO_OK ||
            !taco__container_open_any(s, paths[ds->container_count], NULL, &ds->mem, &ds->arena,
                                      &ds->options, true, err)) {
            taco_close(ds);
            return NULL;
        }
        if (s->format && ds->container_count == 0) {
            return taco__dataset_open_format(ds, paths, n, err);
        }
        if (s->format) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "%s: a %s cannot be read together with %s, which is none",
                       paths[ds->container_count], s->format->name, paths[0]);
            ds->container_count++;
            taco_close(ds);
            return NULL;
        }
        if (ds->container_count &&
            (s->level_count != ds->stores[0].level_count ||
             taco__collection_check_same_pit(&ds->stores[0].coll, &s->coll, err) != TACO_OK)) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "%u levels, the first dataset has %u", TACO__U(s->level_count),
                       TACO__U(ds->stores[0].level_count));
            taco__error_prefix(err, "%s: cannot be read together with %s",
                               paths[ds->container_count], paths[0]);
            ds->container_count++;
            taco_close(ds);
            return NULL;
        }
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

TACO_API taco_status taco_set_base_path(taco_dataset *ds, const char *base, taco_error *err)
{
    size_t i;
    if (!ds || !base) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          ds ? "base path" : "dataset");
    }
    for (i = 0; i < ds->container_count; i++) {
        taco__container *s = &ds->stores[i];
        if (s->kind == TACO_KIND_TACOCAT &&
            !s->format) { /* other kinds ignore it, as in the reference */
            s->archive_dir = taco__container_join_path(
                s, base, taco__container_ends_with(base, "/") ? "" : "/", err);
            if (!s->archive_dir || !taco__container_set_vsi_root(s, base, true, err)) {
                return err ? err->code : TACO_ERR_MEMORY;
            }
        }
    }
    return TACO_OK;
}

/* ---- what it is
   ----------------------------------------------------------------------------------- */

static const char *taco__dataset_text_or_empty(const taco_dataset *ds, const char *text)
{
    return ds && text ? text : "";
}

TACO_API const char *taco_id(const taco_dataset *ds)
{
    return taco__dataset_text_or_empty(ds, ds ? ds->stores[0].coll.id : NULL);
}

TACO_API const char *taco_dataset_version(const taco_dataset *ds)
{
    return taco__dataset_text_or_empty(ds, ds ? ds->stores[0].coll.dataset_version : NULL);
}

TACO_API const char *taco_description(const taco_dataset *ds)
{
    return taco__dataset_text_or_empty(ds, ds ? ds->stores[0].coll.description : NULL);
}

TACO_API const char *taco_title(const taco_dataset *ds)
{
    return taco__dataset_text_or_empty(ds, ds ? ds->stores[0].coll.title : NULL);
}

TACO_API taco_bytes taco_collection(const taco_dataset *ds, const char *key)
{
    const taco__json_doc *doc = ds ? &ds->stores[0].coll.doc : NULL;
    const taco__json *node = doc ? key ? taco__json_get(doc->root, key) : doc->root : NULL;
    return node ? taco__json_raw(doc, node) : taco__bytes_of(NULL, 0);
}

TACO_API taco_kind taco_dataset_kind(const taco_dataset *ds)
{
    return !ds ? (taco_kind)0 : ds->stores[0].format ? TACO_KIND_OTHER : ds->stores[0].kind;
}

TACO_API const char *taco_dataset_format(const taco_dataset *ds)
{
    return ds && ds->stores[0].format ? ds->stores[0].format->name : "";
}

TACO_API uint32_t taco_levels(const taco_dataset *ds)
{
    return ds ? taco__container_level_count(&ds->stores[0]) : 0;
}

/* A level that no dataset can have is refused here, one that this one has not where it is looked
   for. */
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
    if (!taco__dataset_has_level(ds, level, err)) { return NULL; }
    if (!taco__schema_union_level_fields(ds, level, err)) { return NULL; }
    *n = ds->schema[level].count;
    return ds->schema[level].fields;
}

static bool taco__dataset_write_levels(taco_dataset *ds, taco__buf *b, taco_error *err)
{
    uint32_t l;
    size_t i;
    bool ok = taco__buf_append_text(b, ",\"levels\":[", err);
    for (l = 0; ok && l < taco_levels(ds); l++) {
        char number[24];
        if (taco_level_rows(ds, l, err) < 0 || !taco__schema_union_level_fields(ds, l, err)) {
            return false;
        }
        ok = taco__buf_append_text(b, l ? ",{\"rows\":" : "{\"rows\":", err) &&
             taco__buf_append(b, number, taco__num_format_i64(number, taco_level_rows(ds, l, err)),
                              err) &&
             taco__buf_append_text(b, ",\"columns\":[", err);
        for (i = 0; ok && i < ds->schema[l].count; i++) {
            size_t at;
            ok = taco__buf_append_text(b, i ? ",{\"name\":" : "{\"name\":", err) &&
                 taco__json_write_name(b, taco__bytes_text(ds->schema[l].fields[i].name), err) &&
                 taco__buf_append_text(b, ",\"type\":\"", err);
            at = b->len;
            ok = ok && taco__type_name_append(&ds->schema[l].fields[i], b, err);
            if (ok && (memchr(b->data + at, '"', b->len - at) ||
                       memchr(b->data + at, '\\', b->len - at))) { /* a nested field's name */
                taco__buf copy;
                memset(&copy, 0, sizeof copy);
                copy.mem = b->mem;
                ok = taco__buf_append(&copy, b->data + at, b->len - at, err);
                b->len = at - 1;
                ok = ok && taco__json_write_string(b, taco__bytes_of(copy.data, copy.len), err) &&
                     taco__buf_append_text(b, "}", err);
                taco__buf_free(&copy);
                continue;
            }
            ok = ok && taco__buf_append_text(b, "\"}", err);
        }
        ok = ok && taco__buf_append_text(b, "]}", err);
    }
    return ok && taco__buf_append_text(b, "]}", err);
}

TACO_API taco_bytes taco_info_json(taco_dataset *ds, taco_error *err)
{
    static const char *const kinds[] = {"", "zip", "folder", "tacocat"};
    const taco_opener *f = ds ? ds->stores[0].format : NULL;
    taco__buf *b = ds ? &ds->info : NULL;
    char number[24];
    bool ok;
    int64_t rows = taco_level_rows(ds, 0, err);
    if (rows < 0 || (f && f->info && !f->info(ds, err))) { return taco__bytes_of(NULL, 0); }
    b->len = 0;
    ok = taco__buf_append_char(b, '{', err) &&
         taco__collection_write_info(b, &ds->stores[0].coll, err) &&
         taco__buf_append_text(b, ",\"kind\":\"", err) &&
         taco__buf_append_text(b, f ? f->name : kinds[ds->stores[0].kind], err) &&
         taco__buf_append_text(b, "\",\"n\":", err) &&
         taco__buf_append(b, number, taco__num_format_i64(number, rows), err) &&
         taco__buf_append_text(b, ",\"max_depth\":", err) &&
         taco__buf_append(b, number, taco__num_format_i64(number, (int64_t)taco_levels(ds) - 1),
                          err) &&
         taco__dataset_write_levels(ds, b, err);
    return ok ? taco__bytes_of(b->data, b->len) : taco__bytes_of(NULL, 0);
}
