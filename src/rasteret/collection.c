/* collection.c - collections as datasets: filters, description, the calls of the public API. */
#include "rasteret.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../dataset/dataset.h"

/* ---- opening
   ------------------------------------------------------------------------------------- */

static bool taco__rasteret_detect(taco__container *s, const char *path, taco_bytes head)
{
    taco__hive h;
    taco_error none;
    uint64_t size;
    if (head.data) { return taco__bytes_starts_with(head, "PAR1"); }
    if (taco__plat_stat(path, &size) != TACO__PATH_DIRECTORY) { return false; }
    memset(&h, 0, sizeof h);
    memset(&none, 0, sizeof none);
    h.arena = s->arena;
    h.err = &none;
    h.any = true;
    return taco__hive_walk(&h, path, NULL, 0, 0) && h.count > 0;
}

static bool taco__rasteret_parse_int32(const char *s, int32_t *out)
{
    int64_t x;
    bool ok = taco__num_parse_i64(taco__bytes_text(s), &x) && x >= INT32_MIN && x <= INT32_MAX;
    *out = ok ? (int32_t)x : 0;
    return ok;
}

/* The partition columns of all parts of one collection: names in the order they are met. *n of
   them. */
static taco_field *taco__rasteret_partition_fields(taco__hive *h, size_t *n)
{
    size_t i, k, c, cap = 0;
    taco_field *f = NULL;
    int32_t x;
    void *list;
    *n = 0;
    for (i = 0; i < h->count; i++) {
        for (k = 0; k < h->parts[i].key_count; k++) {
            const taco__hive_key *key = &h->parts[i].keys[k];
            for (c = 0; c < *n && strcmp(f[c].name, key->name) != 0; c++) {}
            list = f;
            if (c == *n && !taco__hive_reserve(h->arena, &list, *n, &cap, sizeof *f, h->err)) {
                return NULL;
            }
            f = (taco_field *)list;
            if (c == *n) {
                f[c].name = key->name;
                f[c].type = TACO_INT32;
                f[c].width = 4;
                f[c].nullable = true;
                ++*n;
            }
            if (key->value && !taco__rasteret_parse_int32(key->value, &x)) {
                f[c].type = TACO_TEXT;
                f[c].width = 0;
            }
        }
    }
    return f ? f : (taco_field *)taco__arena_alloc(h->arena, sizeof *f, h->err);
}

/* The values of partition columns in one part, as arrays of one row. */
static taco_array *taco__rasteret_partition_values(taco__arena *arena, const taco__hive_part *p,
                                                   const taco_field *f, size_t n, taco_error *err)
{
    taco_array *a = (taco_array *)taco__arena_array(arena, n + 1, sizeof *a, err);
    int32_t *v = (int32_t *)taco__arena_array(arena, n + 1, 2 * sizeof *v, err);
    uint8_t *bits = (uint8_t *)taco__arena_alloc(arena, 8, err);
    size_t i, k;
    for (i = 0; a && v && bits && i < n; i++) {
        const char *value = NULL;
        for (k = 0; k < p->key_count; k++) {
            value = strcmp(p->keys[k].name, f[i].name) == 0 ? p->keys[k].value : value;
        }
        a[i].field = &f[i];
        a[i].length = 1;
        a[i].null_count = value ? 0 : 1;
        a[i].validity = value ? NULL : bits;
        a[i].v.any = value ? (const void *)value : (const void *)bits;
        if (f[i].type == TACO_INT32) {
            (void)taco__rasteret_parse_int32(value ? value : "0", &v[2 * i]);
            a[i].v.i32 = &v[2 * i];
        } else {
            v[2 * i + 1] = (int32_t)(value ? strlen(value) : 0);
            a[i].offsets = &v[2 * i];
        }
    }
    return a && v && bits ? a : NULL;
}

static bool taco__rasteret_init_store(taco_dataset *ds, taco__container *s,
                                      const taco_opener *format, const taco__hive_part *part,
                                      taco__rasteret_file *r, taco_error *err)
{
    memset(s, 0, sizeof *s);
    s->mem = &ds->mem;
    s->arena = &ds->arena;
    s->options = &ds->options;
    s->format = format;
    s->format_state = r;
    s->name = part->path;
    s->kind = TACO_KIND_ZIP;
    s->level_count = 1;
    s->levels[0].name = "rows";
    s->levels[0].present = true;
    s->coll.dataset_version = "unknown";
    s->coll.description = s->coll.taco_version = "";
    s->coll.id = "";
    return taco__container_set_vsi_root(s, part->path, false, err);
}

/* Stores for the parts of all collections; stores[0] may hold the file of a caller's source. */
static bool taco__rasteret_open(taco_dataset *ds, const char *const *paths, size_t n,
                                  taco_error *err)
{
    const taco_opener *format = ds->stores[0].format;
    taco__file file = ds->stores[0].file;
    bool given = ds->stores[0].file_open;
    taco__hive h;
    taco__hive_pool *pool = (taco__hive_pool *)taco__arena_alloc(&ds->arena, sizeof *pool, err);
    size_t i, k;
    ds->stores[0].file_open = false;
    ds->mode = TACO_COLUMNS_FILL_MISSING;
    ds->container_count = 0;
    if (given && (n > 1 || !pool)) {
        taco__file_close(&file);
        given = false;
    }
    for (i = 0; pool && i < n; i++) {
        taco_field *keys;
        taco__rasteret_file *r;
        size_t key_count;
        memset(&h, 0, sizeof h);
        h.arena = &ds->arena;
        h.err = err;
        keys = (given ? taco__hive_add_part(&h, paths[i], NULL, 0)
                      : taco__hive_find_parts(&h, paths[i]))
                   ? taco__rasteret_partition_fields(&h, &key_count)
                   : NULL;
        if (!keys || !taco__dataset_reserve(ds, ds->container_count + h.count, err)) {
            taco__error_prefix(err, "%s", paths[i]);
            break;
        }
        for (k = 0; k < h.count; k++) {
            taco__container *s = &ds->stores[ds->container_count];
            r = (taco__rasteret_file *)taco__arena_alloc(&ds->arena, sizeof *r, err);
            if (!r || !taco__rasteret_init_store(ds, s, format, &h.parts[k], r, err)) {
                if (given) { taco__file_close(&file); }
                return false;
            }
            if (given) {
                s->file = file;
                s->file_open = true;
            }
            ds->container_count++;
            r->part = &h.parts[k];
            r->root = paths[i];
            r->collection = i;
            r->file.path = r->part->path;
            r->file.options = &ds->options;
            r->file.pool = pool;
            r->given_fields = keys;
            r->constant_count = key_count;
            r->given = taco__rasteret_partition_values(&ds->arena, r->part, keys, key_count, err);
            if (!r->given) { return false; }
        }
    }
    for (i = 0; i < ds->container_count; i++) {
        ((taco__rasteret_file *)ds->stores[i].format_state)->few =
            ds->container_count <= TACO__HIVE_MAX_OPEN;
    }
    if (err->code == TACO_OK && ds->container_count == 0) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s: no Parquet files below", paths[0]);
    }
    if (given && ds->container_count == 0) { taco__file_close(&file); }
    return err->code == TACO_OK && taco__contract_check_dataset(ds, paths[0], err) &&
           taco__rasteret_info_describe(ds, false, err);
}

/* The table of one file, with its partition columns. */
static bool taco__rasteret_read_level(taco__container *s, uint32_t n, taco_error *err)
{
    taco__rasteret_file *r = (taco__rasteret_file *)s->format_state;
    taco__level *l = &s->levels[n];
    taco_field *fields;
    taco_array *given;
    taco_source src;
    size_t i, count;
    if (!s->file_open && !l->file_open) {
        if (r->few ? !taco__source_open_path(s->options, r->part->path, &src, err)
                   : !taco__hive_file_open(&r->file, err)) {
            return false;
        }
        if (!r->few) { /* closed and opened again: what a view returns would not live */
            src = r->file.src;
            src.ctx = &r->file;
            src.read = taco__hive_file_read;
            src.close = taco__hive_file_close;
            src.view = NULL;
            src.read_many = NULL;
        }
        taco__file_init(&l->file, &src, "", s->mem);
        l->file_open = true;
    }
    l->range.offset = 0;
    l->range.len = s->file_open ? s->file.src.size : l->file.src.size;
    if (!taco__container_open_table(s, s->file_open ? &s->file : &l->file, l->range, l->name, false,
                                    s->arena, &l->pq, &l->table, err)) {
        return false;
    }
    count = l->table.field_count;
    fields = (taco_field *)taco__arena_array(s->arena, count + r->constant_count + 1,
                                             sizeof *fields, err);
    given = (taco_array *)taco__arena_array(s->arena, r->constant_count + 1, sizeof *given, err);
    if (!fields || !given) { return false; }
    memcpy(fields, l->table.fields, count * sizeof *fields);
    for (i = 0; i < r->constant_count; i++) {
        if (taco__table_find_column(&l->table, r->given_fields[i].name) == SIZE_MAX) {
            given[l->table.constant_count++] = r->given[i];
            fields[count++] = r->given_fields[i];
        }
    }
    l->table.fields = fields;
    l->table.field_count = count;
    l->table.constants = given;
    return true;
}

/* Rasteret's columns are what makes its rows; nothing in them is a path of ours. */
static void taco__rasteret_roles(const taco__table *t, taco__column_roles *r)
{
    (void)t;
    r->type = r->parent = r->current = r->offset = r->size = r->relative = r->source = TACO__NONE;
}

static bool taco__rasteret_info(taco_dataset *ds, taco_error *err)
{
    return taco__rasteret_info_describe(ds, true, err);
}

static const taco_opener taco__rasteret_opener = {"rasteret",
                                                  taco__rasteret_detect,
                                                  taco__rasteret_open,
                                                  taco__rasteret_read_level,
                                                  NULL,
                                                  taco__rasteret_roles,
                                                  NULL,
                                                  taco__rasteret_filter_bbox,
                                                  taco__rasteret_filter_time,
                                                  NULL,
                                                  taco__rasteret_info};

TACO_API const taco_opener *taco_rasteret_opener(void)
{
    return &taco__rasteret_opener;
}

TACO__FN const taco_opener *const *taco__rasteret_openers(void)
{
    static const taco_opener *const openers[2] = {&taco__rasteret_opener, NULL};
    return openers;
}
