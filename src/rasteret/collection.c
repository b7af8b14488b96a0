/* collection.c - the opener: a Rasteret collection as a dataset, one container per file

   In: paths of collections, directories or files; out: a taco_dataset whose containers are their
   Parquet files, in byte order of the paths, with one level each. Partitions of a directory become
   columns after the stored ones: INT32 if all values are numbers, else TEXT. A file's footer is
   read when its level is first requested (taco__rasteret_read_level).

   Start reading at taco__rasteret_open; taco__rasteret_opener lists what taco_open calls. */
#include "rasteret.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../dataset/dataset.h"

/* ---- detection ---- */

/* Accepts a file that begins like Parquet, or a directory with a Parquet file anywhere below. */
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
    /* if out of memory, claim it: opening it will report that */
    return taco__hive_walk(&h, path, NULL, 0, 0) ? h.count > 0 : none.code == TACO_ERR_MEMORY;
}

/* False, with *out 0, if the text is not a number or does not fit INT32. */
static bool taco__rasteret_parse_int32(const char *s, int32_t *out)
{
    int64_t x;
    bool ok = taco__num_parse_i64(taco__bytes_text(s), &x) && x >= INT32_MIN && x <= INT32_MAX;
    *out = ok ? (int32_t)x : 0;
    return ok;
}

/* ---- partition columns ---- */

/* The fields of the partition columns, in a growing list. */
typedef struct taco__rasteret_keys {
    taco_field *fields;
    size_t count, cap;
} taco__rasteret_keys;

/* The field of a key; a new one is INT32 until a value is not a number. NULL when out of memory. */
static taco_field *taco__rasteret_find_key(taco__hive *h, taco__rasteret_keys *k, const char *name)
{
    void *list = k->fields;
    size_t i;
    for (i = 0; i < k->count && strcmp(k->fields[i].name, name) != 0; i++) {}
    if (i < k->count) { return &k->fields[i]; }
    if (!taco__hive_reserve(h->arena, &list, k->count, &k->cap, sizeof *k->fields, h->err)) {
        return NULL;
    }
    k->fields = (taco_field *)list;
    k->fields[k->count] = taco__field_make(name, TACO_INT32);
    return &k->fields[k->count++];
}

/* The partition columns of all parts of one collection, in order of first occurrence. */
static bool taco__rasteret_partition_fields(taco__hive *h, taco__rasteret_keys *out)
{
    size_t i, k;
    int32_t x;
    memset(out, 0, sizeof *out);
    for (i = 0; i < h->count; i++) {
        for (k = 0; k < h->parts[i].key_count; k++) {
            const taco__hive_key *key = &h->parts[i].keys[k];
            taco_field *f = taco__rasteret_find_key(h, out, key->name);
            if (!f) { return false; }
            if (key->value && !taco__rasteret_parse_int32(key->value, &x)) {
                *f = taco__field_make(key->name, TACO_TEXT);
            }
        }
    }
    return true;
}

/* The value of a key in one part; the innermost directory wins. NULL if missing or null. */
static const char *taco__rasteret_key_value(const taco__hive_part *p, const char *name)
{
    const char *value = NULL;
    size_t i;
    for (i = 0; i < p->key_count; i++) {
        value = strcmp(p->keys[i].name, name) == 0 ? p->keys[i].value : value;
    }
    return value;
}

/* The values of partition columns in one part, as arrays of one row. v has two numbers per column:
   an INT32, or the offsets of a text. */
static taco_array *taco__rasteret_partition_values(taco__arena *arena, const taco__hive_part *p,
                                                   const taco__rasteret_keys *keys, taco_error *err)
{
    size_t n = keys->count, i;
    taco_array *a = (taco_array *)taco__arena_array(arena, n + 1, sizeof *a, err);
    int32_t *v = (int32_t *)taco__arena_array(arena, n + 1, 2 * sizeof *v, err);
    uint8_t *null = (uint8_t *)taco__arena_alloc(arena, 8, err);
    if (!a || !v || !null) { return NULL; }
    for (i = 0; i < n; i++, v += 2) {
        const char *value = taco__rasteret_key_value(p, keys->fields[i].name);
        a[i].field = &keys->fields[i];
        a[i].length = 1;
        a[i].null_count = value ? 0 : 1;
        a[i].validity = value ? NULL : null;
        if (keys->fields[i].type == TACO_INT32) {
            (void)taco__rasteret_parse_int32(value ? value : "0", &v[0]);
            a[i].v.i32 = &v[0];
        } else {
            v[1] = (int32_t)(value ? strlen(value) : 0);
            a[i].offsets = v;
            a[i].v.any = value ? (const void *)value : (const void *)null;
        }
    }
    return a;
}

/* ---- containers ---- */

/* Makes a container with one level, a file. */
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

/* Adds the container of one part. */
static bool taco__rasteret_add_part(taco_dataset *ds, const taco_opener *format,
                                    const taco__hive_part *part, const taco__rasteret_keys *keys,
                                    const char *root, taco__hive_pool *pool, taco_error *err)
{
    taco__rasteret_file *r = (taco__rasteret_file *)taco__arena_alloc(&ds->arena, sizeof *r, err);
    if (!r ||
        !taco__rasteret_init_store(ds, &ds->stores[ds->container_count], format, part, r, err)) {
        return false;
    }
    ds->container_count++;
    r->part = part;
    r->root = root;
    r->file.path = part->path;
    r->file.options = &ds->options;
    r->file.pool = pool;
    r->key_fields = keys->fields;
    r->key_count = keys->count;
    r->key_values = taco__rasteret_partition_values(&ds->arena, part, keys, err);
    return r->key_values != NULL;
}

/* Adds all parts of one collection. file, unless NULL, is the caller's open file for path, and the
   container takes it over. */
static bool taco__rasteret_add_collection(taco_dataset *ds, const taco_opener *format,
                                          const char *path, taco__file *file, taco__hive_pool *pool,
                                          taco_error *err)
{
    taco__rasteret_keys keys;
    taco__hive h;
    size_t k;
    memset(&h, 0, sizeof h);
    h.arena = &ds->arena;
    h.err = err;
    if (!(file ? taco__hive_add_part(&h, path, NULL, 0) : taco__hive_find_parts(&h, path)) ||
        !taco__rasteret_partition_fields(&h, &keys) ||
        !taco__dataset_reserve(ds, ds->container_count + h.count, err)) {
        taco__error_prefix(err, "%s", path);
        return false;
    }
    for (k = 0; k < h.count; k++) {
        taco__container *s = &ds->stores[ds->container_count];
        if (!taco__rasteret_add_part(ds, format, &h.parts[k], &keys, path, pool, err)) {
            return false;
        }
        if (file) {
            s->file = *file;
            s->file_open = true;
        }
    }
    return true;
}

/* Decides whether files may stay open; fails if there are none. */
static bool taco__rasteret_count_files(taco_dataset *ds, const char *path, taco_error *err)
{
    size_t i;
    for (i = 0; i < ds->container_count; i++) {
        ((taco__rasteret_file *)ds->stores[i].format_state)->stays_open =
            ds->container_count <= TACO__HIVE_MAX_OPEN;
    }
    if (ds->container_count == 0) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s: no Parquet files below", path);
    }
    return ds->container_count != 0;
}

/* stores[0] may hold the file of a caller's source, which is moved to its own container, or closed
   if there is none. */
static bool taco__rasteret_open(taco_dataset *ds, const char *const *paths, size_t n,
                                taco_error *err)
{
    const taco_opener *format = ds->stores[0].format;
    taco__file file = ds->stores[0].file;
    bool opened = ds->stores[0].file_open, mine = opened && n == 1, ok;
    taco__hive_pool *pool = (taco__hive_pool *)taco__arena_alloc(&ds->arena, sizeof *pool, err);
    size_t i;
    ds->stores[0].file_open = false;
    ds->mode = TACO_COLUMNS_FILL_MISSING;
    ds->container_count = 0;
    for (ok = pool != NULL, i = 0; ok && i < n; i++) {
        ok = taco__rasteret_add_collection(ds, format, paths[i], mine ? &file : NULL, pool, err);
    }
    if (opened && !(mine && ds->container_count && ds->stores[0].file_open)) {
        taco__file_close(&file);
    }
    return ok && taco__rasteret_count_files(ds, paths[0], err) &&
           taco__contract_check_dataset(ds, paths[0], err) &&
           taco__rasteret_info_describe(ds, false, err);
}

/* ---- levels ---- */

/* Opens the file of a container: permanently, or as a source that may be closed and reopened, which
   cannot offer views of its memory. */
static bool taco__rasteret_open_file(taco__container *s, taco__level *l, taco__rasteret_file *r,
                                     taco_error *err)
{
    taco_source src;
    if (r->stays_open) {
        if (!taco__source_open_path(s->options, r->part->path, &src, err)) { return false; }
    } else {
        if (!taco__hive_file_open(&r->file, err)) { return false; }
        src = r->file.src;
        src.ctx = &r->file;
        src.read = taco__hive_file_read;
        src.close = taco__hive_file_close;
        src.view = NULL;
        src.read_many = NULL;
    }
    taco__file_init(&l->file, &src, "", s->mem);
    l->file_open = true;
    return true;
}

/* Adds the partition columns to a table, except those that the file also stores. */
static bool taco__rasteret_add_keys(taco__container *s, taco__table *t,
                                    const taco__rasteret_file *r, taco_error *err)
{
    size_t i, count = t->field_count;
    taco_field *fields =
        (taco_field *)taco__arena_array(s->arena, count + r->key_count + 1, sizeof *fields, err);
    taco_array *values =
        (taco_array *)taco__arena_array(s->arena, r->key_count + 1, sizeof *values, err);
    if (!fields || !values) { return false; }
    memcpy(fields, t->fields, count * sizeof *fields);
    for (i = 0; i < r->key_count; i++) {
        if (taco__table_find_column(t, r->key_fields[i].name) == TACO__NONE) {
            values[t->constant_count++] = r->key_values[i];
            fields[count++] = r->key_fields[i];
        }
    }
    t->fields = fields;
    t->field_count = count;
    t->constants = values;
    return true;
}

/* The table of one file, with its partition columns. */
static bool taco__rasteret_read_level(taco__container *s, uint32_t n, taco_error *err)
{
    taco__rasteret_file *r = (taco__rasteret_file *)s->format_state;
    taco__level *l = &s->levels[n];
    taco__file *file = s->file_open ? &s->file : &l->file;
    if (!s->file_open && !l->file_open && !taco__rasteret_open_file(s, l, r, err)) { return false; }
    l->range.offset = 0;
    l->range.len = file->src.size;
    return taco__container_open_table(s, file, l->range, l->name, false, s->arena, &l->pq,
                                      &l->table, err) &&
           taco__rasteret_add_keys(s, &l->table, r, err);
}

/* The rows are records, without the columns that locate a sample and its bytes. */
static void taco__rasteret_roles(const taco__table *t, taco__column_roles *r)
{
    (void)t;
    r->type = r->parent = r->current = r->offset = r->size = r->relative = r->source = TACO__NONE;
}

/* taco_opener.info: the description with a summary of all rows, for taco_info_json. */
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
                                                  taco__rasteret_info,
                                                  taco__rasteret_check,
                                                  NULL,
                                                  NULL,
                                                  NULL,
                                                  NULL,
                                                  NULL,
                                                  NULL};

TACO_API const taco_opener *taco_rasteret_opener(void)
{
    return &taco__rasteret_opener;
}

TACO__FN const taco_opener *const *taco__rasteret_openers(void)
{
    static const taco_opener *const openers[2] = {&taco__rasteret_opener, NULL};
    return openers;
}
