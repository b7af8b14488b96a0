/* dataset.c - one or several containers as a dataset: open, close, describe, taco_info_json

   In: paths or a source. Out: a taco_dataset, and the public functions that describe it. TACO 2.0
   §7.2.1, §7.2.2.

   Several paths become one dataset if their trees match: the same number of levels, and the same
   children in every pattern of the PIT schema (taco__dataset_check_alike). If the first path has
   another format, that format opens the whole dataset. The first container describes the dataset;
   rows and columns are those of all. */
#include "container.h"
#include "cascade.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../parquet/parquet.h"

/* ---- open and close ---- */

/* An empty dataset with room for `stores` containers. */
TACO__FN TACO__ONCE taco_dataset *taco__dataset_alloc(const taco_options *opt, size_t stores,
                                                      taco_error *err)
{
    taco__mem mem;
    taco_dataset *ds;
    if (!TACO__WITH_MANY && stores > 1) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "%u datasets as one, left out by TACO_NO_MANY", TACO__U(stores));
        return NULL;
    }
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

/* The dataset contains the account of its memory, so a copy of the account frees it. */
TACO_API void taco_close(taco_dataset *ds)
{
    taco__mem mem;
    size_t i;
    if (!ds) { return; }
    for (i = 0; i < ds->container_count; i++) {
        taco__container_close(&ds->stores[i]);
    }
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        taco__hash_map_free(&ds->schema[i].names);
    }
    taco__buf_free(&ds->info);
    taco__buf_free(&ds->locate_vsi);
    taco__buf_free(&ds->locate_file);
    taco__arena_free(&ds->arena);
    taco__mem_free_spares(&ds->mem);
    mem = ds->mem;
    taco__mem_free(&mem, ds, sizeof *ds);
}

/* Makes room for n containers, for formats; existing ones keep their places. */
TACO__FN TACO__ONCE bool taco__dataset_reserve(taco_dataset *ds, size_t n, taco_error *err)
{
    taco__container *more = (taco__container *)taco__arena_array(&ds->arena, n, sizeof *more, err);
    if (more && !TACO__WITH_MANY && n > 1) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                   "%u datasets as one, left out by TACO_NO_MANY", TACO__U(n));
        return false;
    }
    if (more) {
        memcpy(more, ds->stores, TACO__MIN(n, ds->container_count) * sizeof *more);
        ds->stores = more;
    }
    return more != NULL;
}

/* Logs that a dataset was opened. */
TACO__FN taco_dataset *taco__dataset_tell(taco_dataset *ds)
{
    static const char *const kinds[] = {"dataset", "archive", "FOLDER", "TACOCAT"};
    const taco__container *s = &ds->stores[0];
    const size_t kind = (size_t)s->kind;
    taco__log(&ds->options, TACO_LOG_INFO, "opened %s: %s, levels: %u, datasets: %u", s->name,
              s->format                   ? s->format->name
              : kind < TACO__COUNT(kinds) ? kinds[kind]
                                          : kinds[0],
              TACO__U(s->level_count), TACO__U(ds->container_count));
    return ds;
}

/* Lets the format of the first container open the dataset. NULL on failure, with the dataset
   closed. */
static TACO__ONCE taco_dataset *
taco__dataset_open_format(taco_dataset *ds, const char *const *paths, size_t n, taco_error *err)
{
    ds->container_count = 1;
    if (!ds->stores[0].format->open(ds, paths, n, err)) {
        taco_close(ds);
        return NULL;
    }
    return taco__dataset_tell(ds);
}

/* Whether container s, opened from `path`, can be read together with the first one. */
static TACO__ONCE bool taco__dataset_check_alike(const taco_dataset *ds, const taco__container *s,
                                                 const char *path, const char *first,
                                                 taco_error *err)
{
    const taco__container *a = &ds->stores[0];
    if (s->format) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "%s: a %s cannot be read together with %s, which is not one", path,
                   s->format->name, first);
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

/* Adds the container opened last to the dataset, which closes it from here on. name is for
   messages. */
TACO__FN TACO__ONCE bool taco__dataset_add(taco_dataset *ds, const char *name, taco_error *err)
{
    size_t i = ds->container_count++;
    return !TACO__WITH_MANY || i == 0 ||
           taco__dataset_check_alike(ds, &ds->stores[i], name, ds->stores[0].name, err);
}

/* Opens the next of the paths as the next container. */
static TACO__ONCE bool taco__dataset_open_next(taco_dataset *ds, const char *const *paths,
                                               taco_error *err)
{
    size_t i = ds->container_count;
    taco__container *s = &ds->stores[i];
    if (!paths[i]) { TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given"); }
    if (err->code != TACO_OK || !taco__container_open_any(s, paths[i], NULL, &ds->mem, &ds->arena,
                                                          &ds->options, true, err)) {
        return false;
    }
    return taco__dataset_add(ds, paths[i], err);
}

TACO_API taco_dataset *taco_open_many(const char *const *paths, size_t n, taco_column_mode mode,
                                      const taco_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_dataset *ds;
    err = taco__error_fresh(err, &own);
    if (!paths || n == 0) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
        return NULL;
    }
    if (n == 1 && paths[0] && taco__routing_is_collection(paths[0])) {
        if (!TACO__WITH_MANY) {
            TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                       "%s: a list of datasets, left out by TACO_NO_MANY", paths[0]);
            return NULL;
        }
        return taco_open_tacollection(paths[0], NULL, mode, opt, err);
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
    return taco__dataset_tell(ds);
}

TACO_API taco_dataset *taco_open(const char *path, const taco_options *opt, taco_error *err)
{
    return taco_open_many(&path, 1, TACO_COLUMNS_INTERSECTION, opt, err);
}

/* Opens the next source as the next container, which then owns it. */
static TACO__ONCE bool taco__dataset_open_next_source(taco_dataset *ds, const taco_source *src,
                                                      const char *const *names, taco_error *err)
{
    size_t i = ds->container_count;
    const char *name = names && names[i] ? names[i] : "";
    if (!taco__container_open_any(&ds->stores[i], name, src, &ds->mem, &ds->arena, &ds->options,
                                  true, err)) {
        return false;
    }
    return taco__dataset_add(ds, name, err);
}

TACO_API taco_dataset *taco_open_sources(const taco_source *sources, const char *const *names,
                                         size_t n, taco_column_mode mode, const taco_options *opt,
                                         taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_dataset *ds = NULL;
    size_t i, tried = 0;
    bool ok = sources && n;
    err = taco__error_fresh(err, &own);
    if (!ok) { TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no source given"); }
    for (i = 0; ok && i < n; i++) {
        ok = taco__source_check(&sources[i], err);
    }
    ds = ok ? taco__dataset_alloc(opt, n, err) : NULL;
    if (ds) { ds->mode = mode; }
    while (ds && ok && tried < n) {
        ok = taco__dataset_open_next_source(ds, &sources[tried++], names, err);
        if (ok && ds->stores[0].format && n > 1) {
            ok = TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                            "%s: a %s is opened from one source", ds->stores[0].name,
                            ds->stores[0].format->name) == TACO_OK;
        }
    }
    if (ds && ok) {
        return ds->stores[0].format ? taco__dataset_open_format(ds, &ds->stores[0].name, 1, err)
                                    : taco__dataset_tell(ds);
    }
    for (i = tried; sources && i < n; i++) { /* sources that no container was opened with */
        if (sources[i].close) { sources[i].close(sources[i].ctx); }
    }
    taco_close(ds);
    return NULL;
}

TACO_API taco_dataset *taco_open_source(const taco_source *src, const char *name,
                                        const taco_options *opt, taco_error *err)
{
    return taco_open_sources(src, &name, src ? 1 : 0, TACO_COLUMNS_INTERSECTION, opt, err);
}

/* Kinds other than TACOCAT ignore it, as in the reference. */
TACO_API taco_status taco_set_base_path(taco_dataset *ds, const char *base, taco_error *err)
{
    const size_t n = base ? strlen(base) : 0;
    size_t i;
    err = taco__error_fresh(err, NULL);
    if (!ds || !base) {
        return TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                               ds ? "base path" : "dataset");
    }
    for (i = 0; i < ds->container_count; i++) {
        taco__container *s = &ds->stores[i];
        const char *full;
        if (s->kind != TACO_KIND_TACOCAT || s->format) { continue; }
        s->archive_dir = taco__container_join_path(
            s, base, n && taco__plat_is_slash(base[n - 1]) ? "" : "/", err);
        full = s->archive_dir ? taco__container_full_path(s, base, err) : NULL;
        if (!full || !taco__container_set_vsi_root(s, full, true, err)) {
            return err ? err->code : TACO_ERR_MEMORY;
        }
    }
    return TACO_OK;
}

/* ---- description: the first container's collection ---- */

static TACO__ONCE const taco__collection *taco__dataset_collection(const taco_dataset *ds)
{
    return ds ? &ds->stores[0].coll : NULL;
}

static TACO__ONCE const char *taco__dataset_text_or_empty(const char *text)
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

TACO_API taco_bytes taco_pit_schema(taco_dataset *ds, uint64_t n, taco_error *err)
{
    const taco__collection *c = taco__dataset_collection(ds);
    const taco__json *schema = c ? taco__json_get(c->doc.root, "taco:pit_schema") : NULL,
                     *count = taco__json_get(taco__json_get(schema, "root"), "n");
    taco_bytes text;
    char digits[24], *out;
    size_t len = taco__num_format_u64(digits, n), before, after;
    err = taco__error_fresh(err, NULL);
    if (!taco__json_is(count, TACO__JSON_NUMBER)) {
        TACO__FAIL_SOFT(err, ds ? TACO_ERR_NOT_FOUND : TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                        ds ? "the collection has no taco:pit_schema with root.n"
                           : "no dataset given");
        return taco__bytes_of(NULL, 0);
    }
    text = taco__json_raw(&c->doc, schema);
    before = count->begin - schema->begin;
    after = schema->end - count->end;
    out = (char *)taco__arena_alloc(&ds->arena, before + len + after + 1, err);
    if (!out) { return taco__bytes_of(NULL, 0); }
    memcpy(out, text.data, before);
    memcpy(out + before, digits, len);
    memcpy(out + before + len, text.data + text.len - after, after);
    out[before + len + after] = 0;
    return taco__bytes_of((const uint8_t *)out, before + len + after);
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

/* Refuses a level that no dataset can have; one that only this dataset lacks is refused when it is
   opened. */
static TACO__ONCE bool taco__dataset_has_level(const taco_dataset *ds, uint32_t level,
                                               taco_error *err)
{
    if (!ds) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no dataset given");
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

/* The number of rows of an open level that are below the kept samples of a container; -1 on
   failure. */
static int64_t taco__dataset_kept_rows(taco__container *s, uint32_t level, taco_error *err)
{
    taco__expr *where[TACO__MAX_LEVELS] = {NULL};
    uint8_t *masks[TACO__MAX_LEVELS] = {NULL};
    taco__cascade left;
    int64_t rows = -1;
    uint32_t l;
    for (l = 0; l < level; l++) {
        if (!taco__container_level(s, l, err)) { return -1; }
    }
    masks[0] = s->kept;
    if (taco__cascade_run(s, &left, where, masks, 0, level, err)) {
        rows =
            (int64_t)taco__bitmap_count(left.bits[level], 0, (size_t)s->levels[level].table.rows);
    }
    taco__cascade_free(s, &left);
    return rows;
}

/* The number of rows of a level: all stored rows, or those below kept samples. */
static int64_t taco__dataset_count_rows(taco_dataset *ds, uint32_t level, bool stored,
                                        taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    int64_t rows = 0, n;
    size_t i;
    err = taco__error_fresh(err, &own); /* what is below tells failures by it */
    if (!taco__dataset_has_level(ds, level, err)) { return -1; }
    for (i = 0; i < ds->container_count; i++) {
        taco__container *s = &ds->stores[i];
        taco__level *l = taco__container_level(s, level, err);
        if (!l) { return -1; }
        n = s->kept && !stored ? taco__dataset_kept_rows(s, level, err) : (int64_t)l->table.rows;
        if (n < 0) { return -1; }
        rows += n;
    }
    return rows;
}

/* Upper bound of row positions (taco_cursor_positions). */
TACO__FN int64_t taco__dataset_stored_rows(taco_dataset *ds, uint32_t level, taco_error *err)
{
    return taco__dataset_count_rows(ds, level, true, err);
}

TACO_API int64_t taco_level_rows(taco_dataset *ds, uint32_t level, taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    return taco__dataset_count_rows(ds, level, false, err);
}

TACO_API const taco_field *taco_level_fields(taco_dataset *ds, uint32_t level, size_t *n,
                                             taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    *n = 0;
    if (!taco__dataset_has_level(ds, level, err) ||
        !taco__schema_union_level_fields(ds, level, err)) {
        return NULL;
    }
    *n = ds->schema[level].count;
    return ds->schema[level].fields;
}

/* ---- as JSON ---- */

/* The name of a type in quotes. Names of nested types include those of their fields, which may need
   escapes: struct<"a b":int32>. */
static TACO__ONCE bool taco__dataset_write_type(taco__buf *b, const taco_field *f, taco_error *err)
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

/* {"rows":N,"columns":[...]}, of a format whose levels have names with "name" before it. */
TACO__FN TACO__ONCE void taco__dataset_write_level(taco_dataset *ds, uint32_t l, const char *name,
                                                   taco__json_writer *w)
{
    int64_t rows = taco_level_rows(ds, l, w->err);
    size_t i, n = 0;
    const taco_field *f = rows < 0 ? NULL : taco_level_fields(ds, l, &n, w->err);
    w->ok = w->ok && f;
    taco__json_write_begin(w, NULL, '{');
    if (name) { taco__json_write_text(w, "name", name); }
    taco__json_write_u64(w, "rows", (uint64_t)rows);
    taco__json_write_begin(w, "columns", '[');
    for (i = 0; w->ok && i < n; i++) {
        taco__json_write_begin(w, NULL, '{');
        taco__json_write_key(w, "name");
        w->ok = w->ok && taco__json_write_name(w->out, taco__bytes_text(f[i].name), w->err);
        taco__json_write_key(w, "type");
        w->ok = w->ok && taco__dataset_write_type(w->out, &f[i], w->err);
        taco__json_write_end(w, '}');
    }
    taco__json_write_end(w, ']');
    taco__json_write_end(w, '}');
}

TACO_API taco_bytes taco_info_json(taco_dataset *ds, taco_error *err)
{
    static const char *const kinds[] = {"", "zip", "folder", "tacocat"};
    const taco_opener *f = ds ? ds->stores[0].format : NULL;
    err = taco__error_fresh(err, NULL);
    int64_t rows = taco_level_rows(ds, 0, err);
    taco__json_writer w;
    uint32_t l;
    if (rows < 0 || (f && f->info && !f->info(ds, err))) { return taco__bytes_of(NULL, 0); }
    ds->info.len = 0;
    if (f && f->describe) {
        return f->describe(ds, &ds->info, err) ? taco__bytes_of(ds->info.data, ds->info.len)
                                               : taco__bytes_of(NULL, 0);
    }
    w = taco__json_writer_init(&ds->info, err);
    taco__json_write_begin(&w, NULL, '{');
    w.ok = w.ok && taco__collection_write_info(w.out, &ds->stores[0].coll, err);
    taco__json_write_text(&w, "kind", f ? f->name : kinds[ds->stores[0].kind]);
    taco__json_write_u64(&w, "n", (uint64_t)rows);
    taco__json_write_u64(&w, "max_depth", taco_levels(ds) - 1);
    taco__json_write_begin(&w, "levels", '[');
    for (l = 0; w.ok && l < taco_levels(ds); l++) {
        taco__dataset_write_level(ds, l, NULL, &w);
    }
    taco__json_write_end(&w, ']');
    taco__json_write_end(&w, '}');
    return w.ok ? taco__bytes_of(ds->info.data, ds->info.len) : taco__bytes_of(NULL, 0);
}
