/* v3_level.c - the tables of the levels, each also as a dataset of one level

   In: the range or the file of a table, and its name in the contract. Out: its footer and the
   columns that readers need (taco__v3_level_table), or a dataset over the tables of all containers
   (taco__v3_level_open), which queries, SQL and exports take like any other. Such a dataset shows
   the stored columns, without those whose names readers reserve, and internal:gdal_vsi. It reads
   the files of the dataset that it belongs to, and has its own memory. */
#include "v3.h"

/* The column that internal:gdal_vsi is taken from. */
#define TACO__V3_LEVEL_PLACE "\1place"

/* ---- tables ---- */

/* Opens the file of a table in a directory. */
static bool taco__v3_level_open_file(taco__v3_store *x, size_t level, taco_error *err)
{
    taco__container *s = x->s;
    taco__v3_table *t = &x->tables[level];
    taco_source src;
    const char *path = taco__container_join_path(s, s->kind == TACO_KIND_FOLDER ? "METADATA/" : "",
                                                 x->contract.levels[level].file, err);
    path = path ? taco__container_join_path(s, s->dir, path, err) : NULL;
    if (!path || !taco__source_open_path(s->options, path, &src, err)) { return false; }
    taco__file_init(&t->file, &src, "", s->mem);
    t->file_open = true;
    t->range.offset = 0;
    t->range.len = src.size;
    return true;
}

/* Drafts agree on uint64; other integers are read, too, as validation says what is wrong. */
TACO__FN bool taco__v3_level_is_integer(const taco__v3_table *t, size_t column)
{
    return column != TACO__NONE && taco__join_is_integer(t->t.fields[column].type);
}

/* Whether a column is there, and is text. */
static bool taco__v3_level_is_text(const taco__v3_table *t, size_t column)
{
    return column != TACO__NONE && t->t.fields[column].type == TACO_TEXT;
}

/* Finds the columns that readers need. */
static void taco__v3_level_find_columns(taco__v3_table *t)
{
    t->current = taco__table_find_column(&t->t, TACO__CURRENT_ID);
    t->parent = taco__table_find_column(&t->t, TACO__PARENT_ID);
    t->path = taco__table_find_column(&t->t, "internal:relative_path");
    t->offset = taco__table_find_column(&t->t, "internal:offset");
    t->size = taco__table_find_column(&t->t, "internal:size");
    t->source = taco__table_find_column(&t->t, TACO__SOURCE_FILE);
    t->id = taco__table_find_column(&t->t, "id");
}

/* Checks that rows can be located: the level below samples needs all columns. */
static bool taco__v3_level_check_columns(const taco__v3_store *x, const taco__v3_table *t,
                                         size_t level, taco_error *err)
{
    bool placed = x->s->kind != TACO_KIND_FOLDER, many = x->s->kind == TACO_KIND_TACOCAT;
    const char *missing =
        !level                                               ? NULL
        : !taco__v3_level_is_integer(t, t->parent)           ? "internal:parent_id of integers"
        : !taco__v3_level_is_text(t, t->path)                ? "internal:relative_path of text"
        : placed && !taco__v3_level_is_integer(t, t->offset) ? "internal:offset of integers"
        : placed && !taco__v3_level_is_integer(t, t->size)   ? "internal:size of integers"
                                                             : NULL;
    missing = !missing && many && !taco__v3_level_is_text(t, t->source)
                  ? "internal:source_file of text"
                  : missing;
    if (missing) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "there is no column %s", missing);
        return false;
    }
    if (t->t.rows > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%u rows in a level, at most %u are supported", t->t.rows, TACO__U(INT32_MAX));
        return false;
    }
    return true;
}

/* The table of a level, opened; NULL on failure. */
TACO__FN taco__v3_table *taco__v3_level_table(taco__v3_store *x, size_t level, taco_error *err)
{
    taco__container *s = x->s;
    taco__v3_table *t = &x->tables[level];
    const char *name = x->contract.levels[level].file;
    if (t->open) { return t; }
    if (!s->file_open && !t->file_open && !taco__v3_level_open_file(x, level, err)) {
        taco__error_prefix(err, "%s", s->name);
        return NULL;
    }
    if (!taco__container_open_table(s, s->file_open ? &s->file : &t->file, t->range, name, false,
                                    s->arena, &t->pq, &t->t, err)) {
        taco__error_prefix(err, "%s", s->name);
        return NULL;
    }
    t->open = true;
    taco__v3_level_find_columns(t);
    if (!taco__v3_level_check_columns(x, t, level, err)) {
        taco__pq_file_close(&t->pq);
        t->open = false;
        taco__error_prefix(err, "%s: %s", s->name, name);
        return NULL;
    }
    return t;
}

/* Closes tables and their files; may be called after a failure. */
TACO__FN void taco__v3_level_close_tables(taco__v3_store *x)
{
    size_t i;
    for (i = 0; x->tables && i < x->contract.level_count; i++) {
        taco__v3_table *t = &x->tables[i];
        if (t->open) { taco__pq_file_close(&t->pq); }
        if (t->file_open) { taco__file_close(&t->file); }
        t->open = t->file_open = false;
    }
}

/* ---- a table as a dataset ---- */

/* A container of such a dataset: format_state. */
typedef struct taco__v3_part {
    taco__v3_store *x;
    size_t level;
    taco__made_columns made;
} taco__v3_part;

/* taco__made_columns.prepare: there is one column. */
static bool taco__v3_level_prepare(void *ctx, size_t column, taco_error *err)
{
    taco__v3_part *p = (taco__v3_part *)ctx;
    (void)column;
    return taco__v3_places_read(p->x, p->level, err);
}

/* taco__made_columns.append: the paths of rows, null for those of folders. */
static bool taco__v3_level_append(void *ctx, size_t column, uint64_t first, uint64_t n,
                                  taco__array_builder *out, taco_error *err)
{
    const taco__v3_part *p = (const taco__v3_part *)ctx;
    uint64_t i;
    (void)column;
    for (i = first; i < first + n; i++) {
        bool none = true;
        if (!taco__v3_places_append(p->x, p->level, (size_t)i, &out->values, &none, err) ||
            !taco__array_builder_end_row(out, !none, err)) {
            return false;
        }
    }
    return true;
}

/* Columns whose names readers reserve are dropped where they are stored. */
TACO__FN bool taco__v3_level_is_reserved(const char *name)
{
    return strcmp(name, "taco:location") == 0 || strcmp(name, "cozip:location") == 0 ||
           strcmp(name, "taco:sample_index") == 0 || strcmp(name, TACO__GDAL_VSI) == 0;
}

/* taco_opener.level: the table of the dataset that this one belongs to, and a column of places. */
static bool taco__v3_level_read(taco__container *s, uint32_t n, taco_error *err)
{
    taco__v3_part *p = (taco__v3_part *)s->format_state;
    taco__v3_table *t = taco__v3_level_table(p->x, p->level, err);
    taco__level *l = &s->levels[n];
    size_t i, count = t ? t->t.field_count : 0, *shown;
    taco_field *fields;
    if (!t) { return false; }
    fields = (taco_field *)taco__arena_array(s->arena, count + 1, sizeof *fields, err);
    shown = (size_t *)taco__arena_array(s->arena, count + 1, sizeof *shown, err);
    if (!fields || !shown) { return false; }
    memcpy(fields, t->t.fields, count * sizeof *fields);
    l->shown = shown;
    for (i = 0; i < count; i++) {
        if (!taco__v3_level_is_reserved(fields[i].name)) { shown[l->shown_count++] = i; }
    }
    l->table = t->t;
    if (p->level) {
        fields[count++] = taco__field_make(TACO__V3_LEVEL_PLACE, TACO_TEXT);
        p->made.count = 1;
        p->made.ctx = p;
        p->made.prepare = taco__v3_level_prepare;
        p->made.append = taco__v3_level_append;
        l->table.made = &p->made;
    }
    l->table.fields = fields;
    l->table.field_count = count;
    return true;
}

/* Only the paths have a role: the other columns are data here. */
static void taco__v3_level_roles(const taco__table *t, taco__column_roles *r)
{
    size_t place = taco__table_find_column(t, TACO__V3_LEVEL_PLACE);
    memset(r, 0xFF, sizeof *r);
    r->subfile = place;
}

/* Container i of a table as a dataset. */
static bool taco__v3_level_init(taco_dataset *own, size_t i, taco__v3_store *x, size_t level,
                                taco_error *err)
{
    /* never detected, never opened: the dataset is made here */
    static const taco_opener format = {"taco3",
                                       NULL,
                                       NULL,
                                       taco__v3_level_read,
                                       NULL,
                                       taco__v3_level_roles,
                                       NULL,
                                       taco__v3_filter_bbox,
                                       taco__v3_filter_time,
                                       NULL,
                                       NULL,
                                       NULL,
                                       NULL,
                                       NULL,
                                       NULL,
                                       NULL,
                                       NULL,
                                       NULL};
    taco__container *s = &own->stores[i];
    taco__v3_part *p = (taco__v3_part *)taco__arena_alloc(&own->arena, sizeof *p, err);
    if (!p) { return false; }
    p->x = x;
    p->level = level;
    s->mem = &own->mem;
    s->arena = &own->arena;
    s->options = &own->options;
    s->name = x->s->name;
    s->vsi = x->s->vsi;
    s->kind = TACO_KIND_ZIP;
    s->coll = x->s->coll;
    s->format = &format;
    s->format_state = p;
    s->level_count = 1;
    s->levels[0].name = x->contract.levels[level].name;
    s->levels[0].present = true;
    s->levels[0].wide = level == 0;
    own->container_count++;
    return true;
}

/* taco_opener.table. */
TACO__FN taco_dataset *taco__v3_level_open(taco_dataset *ds, taco_bytes name, taco_error *err)
{
    taco__v3_store *first = taco__v3_store_of(&ds->stores[0]);
    taco__v3 *all = first->all;
    size_t level = taco__v3_contract_find_level(&first->contract, name), i;
    taco_dataset *own;
    if (taco__bytes_equal(name, taco__bytes_text("dataset"))) { return ds; }
    if (level == TACO__NONE) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "%s: there is no table %q; there are dataset, sample, children and folders "
                   "below, such as children/before",
                   ds->stores[0].name, &name);
        return NULL;
    }
    if (all->levels[level]) { return all->levels[level]; }
    own = taco__dataset_alloc(&ds->options, ds->container_count, err);
    for (i = 0; own && i < ds->container_count; i++) {
        if (!taco__v3_level_init(own, i, taco__v3_store_of(&ds->stores[i]), level, err)) {
            taco_close(own);
            return NULL;
        }
    }
    all->levels[level] = own;
    return own;
}

/* ---- public ---- */

TACO_API taco_dataset *taco_v3_table(taco_dataset *ds, const char *name, taco_error *err)
{
    const taco_opener *format = ds ? ds->stores[0].format : NULL;
    err = taco__error_fresh(err, NULL);
    if (!ds || !name) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given", ds ? "name" : "dataset");
        return NULL;
    }
    if (!format || !format->table) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "%s: not a TACO 3, its tables have no names but numbers: no table %s",
                   ds->stores[0].name, name);
        return NULL;
    }
    return format->table(ds, taco__bytes_text(name), err);
}
