/* cursor_order.c - rows of a query, batch by batch or one at a time. */
#include "dataset.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"

/* A sort key in 64 bits that order as the values do; text gives its first 8 bytes, ties are
   accounted by the text. */
typedef struct taco__cursor_order_key {
    uint64_t rank;
    taco_bytes text;
    bool null;
} taco__cursor_order_key;

typedef struct taco__cursor_order_row {
    taco__cursor_order_key *keys;
    uint32_t feed, at;
} taco__cursor_order_row;

typedef struct taco__cursor_order_spec {
    size_t column;
    bool descending;
} taco__cursor_order_spec;

/* qsort has no context: rows point to it. */
typedef struct taco__cursor_order_item {
    const taco__cursor_order_key *keys;
    const taco__cursor_order_spec *specs;
    size_t count;
    uint32_t feed, at;
} taco__cursor_order_item;

static uint64_t taco__cursor_order_rank_float(double d)
{
    uint64_t x = taco__f64_to_bits(d == 0.0 ? 0.0 : d);
    if (d != d) { return UINT64_MAX; /* NaN is greater than every number, as in DuckDB */ }
    return x >> 63 ? ~x : x | (uint64_t)1 << 63;
}

/* A decimal as big-endian bytes whose order is that of the numbers. */
static bool taco__cursor_order_make_decimal_key(const taco_array *a, size_t i, taco__arena *arena,
                                                taco__cursor_order_key *k, taco_error *err)
{
    size_t n = (size_t)a->field->width, j;
    uint8_t *p = n ? (uint8_t *)taco__arena_alloc(arena, n, err) : NULL;
    if (!p) { return false; }
    for (j = 0; j < n; j++) {
        p[j] = a->v.u8[i * n + n - 1 - j];
    }
    p[0] ^= 0x80;
    k->text = taco__bytes_of(p, n);
    k->rank = taco__load_be64(p);
    return true;
}

/* False when the type has no order here, or memory ended. */
static bool taco__cursor_order_make_key(const taco_array *a, size_t i, taco__arena *arena,
                                        taco__cursor_order_key *k, taco_error *err)
{
    memset(k, 0, sizeof *k);
    k->null = !taco_array_valid(a, i);
    if (k->null) { return true; }
    switch (a->field->type) {
    case TACO_UINT64: k->rank = a->v.u64[i]; return true;
    case TACO_HALF:
    case TACO_FLOAT:
    case TACO_DOUBLE: k->rank = taco__cursor_order_rank_float(taco_array_double(a, i)); return true;
    case TACO_TEXT:
    case TACO_BINARY:
    case TACO_FIXED:
    case TACO_UUID: {
        uint8_t head[8] = {0};
        k->text = taco_array_bytes(a, i);
        if (k->text.len) { memcpy(head, k->text.data, TACO__MIN(k->text.len, (size_t)8)); }
        k->rank = taco__load_be64(head);
        return true;
    }
    case TACO_DECIMAL: return taco__cursor_order_make_decimal_key(a, i, arena, k, err);
    /* Julian day, then the signed nanoseconds of the day: both big-endian with the sign flipped */
    case TACO_INT96: {
        const uint8_t *p = a->v.u8 + i * 12;
        uint8_t *q = (uint8_t *)taco__arena_alloc(arena, 12, err);
        size_t j;
        for (j = 0; q && j < 12; j++) {
            q[j] = p[11 - j];
        }
        if (q) {
            q[0] ^= 0x80;
            q[4] ^= 0x80;
            k->text = taco__bytes_of(q, 12);
            k->rank = taco__load_be64(q);
        }
        return q != NULL;
    }
    case TACO_NULL:
    case TACO_INTERVAL:
    case TACO_LIST:
    case TACO_MAP:
    case TACO_STRUCT: return false;
    default: k->rank = (uint64_t)taco_array_int(a, i) ^ (uint64_t)1 << 63; return true;
    }
}

static int taco__cursor_order_compare(const void *a, const void *b)
{
    const taco__cursor_order_item *x = (const taco__cursor_order_item *)a,
                                  *y = (const taco__cursor_order_item *)b;
    size_t i;
    for (i = 0; i < x->count; i++) {
        const taco__cursor_order_key *p = &x->keys[i], *q = &y->keys[i];
        int order;
        if (p->null || q->null) { /* nulls last in both directions */
            if (p->null != q->null) { return p->null ? 1 : -1; }
            continue;
        }
        order = p->rank < q->rank   ? -1
                : p->rank > q->rank ? 1
                                    : taco__bytes_compare(p->text, q->text);
        if (order) { return x->specs[i].descending ? -order : order; }
    }
    if (x->feed != y->feed) { return x->feed < y->feed ? -1 : 1; }
    return (x->at > y->at) - (x->at < y->at);
}

/* Whether the text after a name says that larger values come first. False with an error where it
   is neither asc nor desc. */
static bool taco__cursor_order_is_descending(taco_cursor *c, const taco__query_column *key)
{
    char word[8] = {0};
    size_t i;
    bool descending;
    for (i = 0; i < key->rest.len && i < 7; i++) {
        word[i] = (char)taco__ascii_lower(key->rest.data[i]);
    }
    descending = key->descending || strcmp(word, "desc") == 0;
    if (key->rest.len && strcmp(word, "asc") != 0 && !descending) {
        TACO__FAIL(&c->err, TACO_ERR_SYNTAX, key->rest_at,
                   "expected asc, desc or a comma, found %q", &key->rest);
    }
    return descending;
}

/* Finds the columns of a list of sort keys, one spec for each. */
static bool taco__cursor_order_find_columns(taco_cursor *c, const taco__query_columns *list,
                                            taco__cursor_order_spec *specs)
{
    size_t i;
    for (i = 0; i < list->count && c->err.code == TACO_OK; i++) {
        const taco__query_column *key = &list->items[i];
        specs[i].column = taco__cursor_column_find(c, key->name);
        if (specs[i].column == TACO__NONE) {
            taco__field_names_no_column(c->fields, c->count, taco__bytes_text(key->name), &c->err);
        } else {
            specs[i].descending = taco__cursor_order_is_descending(c, key);
        }
    }
    taco__query_parse_ends(list, &c->err);
    if (c->err.code == TACO_OK && list->count == 0) {
        TACO__FAIL(&c->err, TACO_ERR_SYNTAX, 0, "expected a column, found the end");
    }
    return c->err.code == TACO_OK;
}

/* Opens readers, one per level, of the columns to sort by. places[k]: where those of key k stand;
   TACO__NONE where the feed has no such column. */
static bool taco__cursor_order_open_columns(taco_cursor *c, taco__table_reader *f,
                                            const taco__cursor_order_spec *specs, size_t count,
                                            taco__row_reader *rows, size_t *places)
{
    size_t k, n, *which = (size_t *)taco__arena_array(&c->arena, count, sizeof *which, &c->err);
    uint32_t l;
    for (k = 0; k < count; k++) {
        places[k] = TACO__NONE;
    }
    for (l = c->flat ? 0 : c->level; which && l <= c->level; l++) {
        const taco__row_reader *like = l == c->level ? &f->scan.out : &f->rows[l];
        for (k = n = 0; k < count; k++) {
            const taco__cursor_column *o = &c->outs[specs[k].column];
            size_t at = f->place[specs[k].column];
            if (taco__cursor_column_is_stored(o) && o->level == l && at != TACO__NONE) {
                places[k] = n;
                which[n++] = like->which[at];
            }
        }
        if (!taco__row_reader_open(&rows[l], like->table, which, n, c->mem, &c->err)) {
            return false;
        }
    }
    return which != NULL;
}

/* Keys of all rows that a feed found, appended to items. rows, places: of
   taco__cursor_order_open_columns. */
static bool taco__cursor_order_read_keys(taco_cursor *c, uint32_t number,
                                         const taco__cursor_order_spec *specs, size_t count,
                                         taco__row_reader *rows, const size_t *places,
                                         taco__cursor_order_item *items)
{
    taco__table_reader *f = &c->readers[number];
    const taco_array *by_level[TACO__MAX_LEVELS] = {NULL};
    taco__cursor_order_key *keys = (taco__cursor_order_key *)taco__arena_array(
        &c->arena, f->row_number_count * count + 1, sizeof *keys, &c->err);
    size_t i, k;
    if (!keys || f->row_number_count == 0) { return keys != NULL; }
    if (!taco__cursor_sorted_read_rows(c, f, rows, f->numbers, f->row_number_count, by_level)) {
        return false;
    }
    for (k = 0; k < count; k++) {
        const taco__cursor_column *o = &c->outs[specs[k].column];
        const taco_array *a = places[k] != TACO__NONE ? &by_level[o->level][places[k]] : NULL;
        taco_array made;
        if (a && taco__compose_is_mixed(c, specs[k].column)) {
            if (!taco__unify_cast_array(&c->arena, &c->fields[specs[k].column], a, &made,
                                        &c->err)) {
                return taco__cursor_fail(c, f, true);
            }
            a = &made;
        }
        for (i = 0; i < f->row_number_count; i++) {
            taco__cursor_order_key *key = &keys[i * count + k];
            key->null = true;
            if (a && !taco__cursor_order_make_key(a, i, &c->arena, key, &c->err)) {
                taco_bytes name = taco__bytes_text(c->fields[specs[k].column].name);
                TACO__FAIL(&c->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                           "column %q is of a type that has no order here", &name);
                return false;
            }
        }
    }
    for (i = 0; i < f->row_number_count; i++) {
        items[i].keys = keys + i * count;
        items[i].specs = specs;
        items[i].count = count;
        items[i].feed = number;
        items[i].at = (uint32_t)i;
    }
    return true;
}

/* Lets items[at] sink in a heap of n whose first item is the last in order. */
static void taco__cursor_order_heap_sift_down(taco__cursor_order_item *items, size_t n, size_t at)
{
    taco__cursor_order_item x = items[at];
    for (;;) {
        size_t child = at * 2 + 1;
        if (child >= n) { break; }
        child += child + 1 < n && taco__cursor_order_compare(&items[child], &items[child + 1]) < 0;
        if (taco__cursor_order_compare(&x, &items[child]) >= 0) { break; }
        items[at] = items[child];
        at = child;
    }
    items[at] = x;
}

/* Puts the first `most` of n items in order at the front. Few of many are picked before they are
   sorted. */
static void taco__cursor_order_select_first(taco__cursor_order_item *items, size_t n, uint64_t most)
{
    size_t i, m = (size_t)TACO__MIN((uint64_t)n, most);
    if (m < n / 4) {
        for (i = m / 2; i-- > 0;) {
            taco__cursor_order_heap_sift_down(items, m, i);
        }
        for (i = m; m && i < n; i++) {
            if (taco__cursor_order_compare(&items[i], &items[0]) < 0) {
                items[0] = items[i];
                taco__cursor_order_heap_sift_down(items, m, 0);
            }
        }
        n = m;
    }
    qsort(items, n, sizeof *items, taco__cursor_order_compare);
}

/* Keys of what all readers found, put in order as far as rows leave. */
static bool taco__cursor_order_run(taco_cursor *c, const taco__cursor_order_spec *specs,
                                   size_t count, taco__cursor_order_item *items, size_t total)
{
    size_t i, n = 0, end,
              *places = (size_t *)taco__arena_array(&c->arena, count, sizeof *places, &c->err);
    taco__row_reader *rows = (taco__row_reader *)taco__arena_array(
        &c->arena, c->reader_count * TACO__MAX_LEVELS, sizeof *rows, &c->err);
    bool ok = places && rows;
    for (i = 0; ok && i < c->reader_count; i++) {
        ok = taco__cursor_order_open_columns(c, &c->readers[i], specs, count,
                                             rows + i * TACO__MAX_LEVELS, places) &&
             taco__cursor_order_read_keys(c, (uint32_t)i, specs, count, rows + i * TACO__MAX_LEVELS,
                                          places, items + n);
        n += c->readers[i].row_number_count;
    }
    if (ok) { /* keys borrow the texts of `rows` */
        size_t first = (size_t)TACO__MIN((uint64_t)total, c->skip);
        end = (size_t)TACO__MIN((uint64_t)(total - first), c->left) + first;
        taco__cursor_order_select_first(items, total, end);
        c->order_count = end - first;
        c->order = (taco__cursor_sorted_row *)taco__arena_array(&c->arena, c->order_count + 1,
                                                                sizeof *c->order, &c->err);
        for (n = first; c->order && n < end; n++) {
            c->order[n - first].feed = items[n].feed;
            c->order[n - first].at = items[n].at;
        }
        ok = c->order != NULL;
    }
    for (i = 0; rows && i < c->reader_count * TACO__MAX_LEVELS; i++) {
        taco__row_reader_close(&rows[i]);
    }
    return ok;
}

/* Sorts the result by the columns of a list: they are read first, the others for the rows that
   leave. */
TACO__FN bool taco__cursor_order_sort(taco_cursor *c, const taco__query_columns *list)
{
    taco__cursor_order_spec *specs;
    taco__cursor_order_item *items;
    size_t i, count = list->count, total = 0;
    bool ok;
    specs =
        (taco__cursor_order_spec *)taco__arena_array(&c->arena, count + 1, sizeof *specs, &c->err);
    if (!specs || !taco__cursor_order_find_columns(c, list, specs)) {
        taco__error_prefix(&c->err, "order");
        return false;
    }
    for (i = 0; i < c->reader_count; i++) {
        if (!taco__cursor_sorted_collect_rows(c, &c->readers[i])) { return false; }
        total += c->readers[i].row_number_count;
    }
    items =
        (taco__cursor_order_item *)taco__mem_alloc(c->mem, (total + 1) * sizeof *items, &c->err);
    ok = items && taco__cursor_order_run(c, specs, count, items, total);
    taco__mem_free(c->mem, items, (total + 1) * sizeof *items);
    c->sorted = true;
    return ok && c->err.code == TACO_OK;
}
