/* cursor_lookup.c - columns of the current row that its query does not show: id, type, internal:*
   and the GDAL path stay reachable by the row accessors, whatever is selected (TACO 2.0 §7.2.3).

   In: a cursor on a row that is a sample, and the name of a column. Out: its value, as text and,
   where it is one, as a number.

   Nothing is read before a name is requested. Then one query reads the column for all rows of the
   current batch (taco__lookup_read): the rows are a mask for each container, and the values are
   kept by container and row, in the order of storage. Later rows of the batch find their values
   there. */
#include "cursor.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

/* A value of the column; at: where its text begins. */
typedef struct taco__lookup_value {
    /* number of the container << 32 | row of the level */
    uint64_t key;
    size_t at, len;
    int64_t number;
    bool is_null;
} taco__lookup_value;

struct taco__cursor_lookup {
    const char *name;
    /* number of the batch that the values belong to */
    uint64_t serial;
    bool is_number;
    taco__buf values, text;
    taco__cursor_lookup *next;
};

TACO__FN void taco__lookup_free(taco_cursor *c)
{
    taco__cursor_lookup *l;
    for (l = c->row.lookups; l; l = l->next) {
        taco__buf_free(&l->values);
        taco__buf_free(&l->text);
    }
}

/* The columns that can be looked up: those kept by every view. */
static bool taco__lookup_is_kept(const char *name)
{
    return strcmp(name, "id") == 0 || strcmp(name, "type") == 0 ||
           strncmp(name, "internal:", 9) == 0;
}

/* Whether the level of the rows has the column, stored or computed. */
static bool taco__lookup_exists(taco_cursor *c, const char *name)
{
    const taco__level_schema *s = &c->ds->schema[c->query.level];
    return strcmp(name, TACO__GDAL_VSI) == 0 ||
           (taco__schema_union_level_fields(c->ds, c->query.level, &c->err) &&
            taco__cursor_column_find_field(s->fields, s->count, name) != TACO__NONE);
}

/* The state for a name, created on first use. */
static taco__cursor_lookup *taco__lookup_get(taco_cursor *c, const char *name)
{
    taco__cursor_lookup *l = c->row.lookups;
    while (l && strcmp(l->name, name) != 0) {
        l = l->next;
    }
    if (l) { return l; }
    l = (taco__cursor_lookup *)taco__arena_alloc(&c->arena, sizeof *l, &c->err);
    if (!l) { return NULL; }
    l->name = taco__arena_text(&c->arena, taco__bytes_text(name), &c->err);
    if (!l->name) { return NULL; }
    l->values.mem = l->text.mem = c->mem;
    l->next = c->row.lookups;
    c->row.lookups = l;
    return l;
}

/* The rows of the current batch, as a bitmap over the level of each container. NULL on failure. */
static uint8_t **taco__lookup_make_masks(taco_cursor *c, taco__arena *arena)
{
    uint32_t level = c->query.level;
    uint8_t **masks = (uint8_t **)taco__arena_array(
        arena, c->ds->container_count * TACO__MAX_LEVELS, sizeof *masks, &c->err);
    size_t i, store;
    uint64_t row;
    for (i = 0; masks && i < c->ds->container_count; i++) {
        taco__container *s = &c->ds->stores[i];
        if (!taco__container_level(s, level, &c->err)) { return NULL; }
        masks[i * TACO__MAX_LEVELS + level] =
            (uint8_t *)taco__arena_array(arena, taco__cascade_bitmap_bytes(s, level), 1, &c->err);
        if (!masks[i * TACO__MAX_LEVELS + level]) { return NULL; }
    }
    for (i = 0; masks && i < c->row.batch.length; i++) {
        if (taco__compose_sample_row(c, i, &store, &row)) {
            taco__bitmap_set(masks[store * TACO__MAX_LEVELS + level], (size_t)row);
        }
    }
    return masks;
}

/* Keeps the values of a batch of the query, whose rows are in storage order. */
static bool taco__lookup_keep(taco__cursor_lookup *l, taco_cursor *rows, const taco_batch *batch,
                              taco_error *err)
{
    const taco_array *a = &batch->columns[0];
    taco__lookup_value v;
    size_t i, store = 0;
    uint64_t row = 0;
    l->is_number = a->field->type >= TACO_INT8 && a->field->type <= TACO_UINT64;
    for (i = 0; i < batch->length; i++) {
        taco__compose_sample_row(rows, i, &store, &row);
        memset(&v, 0, sizeof v);
        v.key = (uint64_t)store << 32 | row;
        v.at = l->text.len;
        v.is_null = !taco_array_valid(a, i);
        if (!v.is_null && l->is_number) { v.number = taco_array_int(a, i); }
        if ((!v.is_null && !taco__cell_plain(&l->text, a, i, err)) ||
            !taco__buf_append_char(&l->text, 0, err)) {
            return false;
        }
        v.len = l->text.len - 1 - v.at;
        if (!taco__buf_append(&l->values, &v, sizeof v, err)) { return false; }
    }
    return true;
}

/* Reads the column for the rows of the current batch. */
static bool taco__lookup_read(taco_cursor *c, taco__cursor_lookup *l)
{
    taco__query q;
    taco__query_column column;
    taco__select_options opt;
    taco__arena arena;
    taco_batch batch;
    taco_cursor *rows = NULL;
    memset(&q, 0, sizeof q);
    memset(&column, 0, sizeof column);
    memset(&opt, 0, sizeof opt);
    memset(&arena, 0, sizeof arena);
    arena.mem = c->mem;
    column.name = l->name;
    q.select.items = &column;
    q.select.count = 1;
    q.select.given = true;
    q.table = c->query.level;
    q.padding = true;
    opt.keeps_orphans = true;
    opt.masks = taco__lookup_make_masks(c, &arena);
    l->values.len = l->text.len = 0;
    if (opt.masks) { rows = taco__select_open(c->ds, &q, &opt, &c->err); }
    while (rows && taco_cursor_batch(rows, &batch) && taco__lookup_keep(l, rows, &batch, &c->err)) {
    }
    taco_cursor_close(rows, &c->err);
    taco__arena_free(&arena);
    l->serial = c->row.serial;
    return c->err.code == TACO_OK;
}

/* The value of the current row. */
static const taco__lookup_value *taco__lookup_search(const taco__cursor_lookup *l, uint64_t key)
{
    const taco__lookup_value *v = (const taco__lookup_value *)(const void *)l->values.data;
    size_t n = l->values.len / sizeof *v, at = 0;
    TACO__LOWER_BOUND(at, n, i, v[i].key < key);
    return at < n && v[at].key == key ? &v[at] : NULL;
}

/* Whether the rows of the cursor are samples, which have such columns. */
TACO__FN bool taco__lookup_has_samples(const taco_cursor *c)
{
    size_t store;
    uint64_t row;
    return c->row.begun && taco__compose_sample_row(c, c->row.row, &store, &row);
}

/* Finds the value of the current row in a column of its level that the cursor does not show, as
   text and, if *is_number is set, as a number. False if it is null, if there is no such column, if
   the row is not a sample, and on failure, which the cursor keeps. The text lives until the next
   step. */
TACO__FN bool taco__lookup_cell(taco_cursor *c, const char *name, taco_bytes *text, int64_t *number,
                                bool *is_number)
{
    taco__cursor_lookup *l;
    const taco__lookup_value *v;
    size_t store;
    uint64_t row;
    if (c->err.code != TACO_OK || !c->row.begun || !taco__lookup_is_kept(name) ||
        !taco__compose_sample_row(c, c->row.row, &store, &row) || !taco__lookup_exists(c, name)) {
        return false;
    }
    l = taco__lookup_get(c, name);
    if (!l || (l->serial != c->row.serial && !taco__lookup_read(c, l))) { return false; }
    v = taco__lookup_search(l, (uint64_t)store << 32 | row);
    if (!v || v->is_null) { return false; }
    *text = taco__bytes_of(l->text.data + v->at, v->len);
    *number = v->number;
    *is_number = l->is_number;
    return true;
}
