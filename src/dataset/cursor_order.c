/* cursor_order.c - ORDER BY: sorts the rows that a query finds by their keys

   In: a cursor whose readers are open, and the sort list parsed from a text such as "cloud_cover
   desc, id" (query_parse.c). Out: c->sorted.order, the rows that the limit leaves; cursor_sorted.c
   reads the other columns for them.

   taco__cursor_order_sort collects the row numbers of every reader, reads the columns to sort by
   (taco__cursor_order_read_keys) and turns each value into a key whose bits order as the values
   do (taco__cursor_order_make_key). Only as many rows are sorted as come
   out. Order is that of SQL: nulls last in both directions, NaN greater than every number,
   equal rows as they are stored. */
#include "cursor.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"

/* ---- keys ---- */

/* Bits that sort as floats do: negative numbers complemented, the sign of others flipped. */
static uint64_t taco__cursor_order_rank_float(double d)
{
    uint64_t x = taco__f64_to_bits(taco__f64_is_zero(d) ? 0.0 : d);
    if (taco__f64_is_nan(d)) {
        return UINT64_MAX; /* NaN is greater than every number, as in DuckDB */
    }
    return x >> 63 ? ~x : x | (uint64_t)1 << 63;
}

static uint64_t taco__cursor_order_rank_text(taco_bytes text)
{
    uint8_t head[8] = {0};
    if (text.len) { memcpy(head, text.data, TACO__MIN(text.len, (size_t)8)); }
    return taco__load_be64(head);
}

/* Signed little-endian numbers of n bytes, as big-endian bytes that sort as they do: reversed, with
   the sign flipped. NULL if there is no memory, or n is 0. */
static uint8_t *taco__cursor_order_reverse(const uint8_t *le, size_t n, taco__arena *arena,
                                           taco__cursor_order_key *k, taco_error *err)
{
    uint8_t *p = n ? (uint8_t *)taco__arena_alloc(arena, n, err) : NULL;
    size_t j;
    if (!p) { return NULL; }
    for (j = 0; j < n; j++) {
        p[j] = le[n - 1 - j];
    }
    p[0] ^= 0x80;
    k->text = taco__bytes_of(p, n);
    return p;
}

static bool taco__cursor_order_decimal_key(const taco_array *a, size_t i, taco__arena *arena,
                                           taco__cursor_order_key *k, taco_error *err)
{
    size_t n = (size_t)a->field->width;
    const uint8_t *p = taco__cursor_order_reverse(a->v.u8 + i * n, n, arena, k, err);
    k->rank = p ? taco__load_be64(p) : 0;
    return p != NULL;
}

/* INT96: 8 bytes of nanoseconds of the day, 4 of the Julian day, both signed. Reversed, the day
   comes first. */
static bool taco__cursor_order_int96_key(const taco_array *a, size_t i, taco__arena *arena,
                                         taco__cursor_order_key *k, taco_error *err)
{
    uint8_t *p = taco__cursor_order_reverse(a->v.u8 + i * 12, 12, arena, k, err);
    if (!p) { return false; }
    p[4] ^= 0x80;
    k->rank = taco__load_be64(p);
    return true;
}

/* Makes the key of row i; false if the type cannot be sorted, or there is no memory. Texts are
   borrowed from the array or the arena. */
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
    case TACO_UUID:
        k->text = taco_array_bytes(a, i);
        k->rank = taco__cursor_order_rank_text(k->text);
        return true;
    case TACO_DECIMAL: return taco__cursor_order_decimal_key(a, i, arena, k, err);
    case TACO_INT96: return taco__cursor_order_int96_key(a, i, arena, k, err);
    case TACO_NULL:
    case TACO_INTERVAL:
    case TACO_LIST:
    case TACO_MAP:
    case TACO_STRUCT: return false;
    /* signed integers, and types stored as such: the sign flipped */
    default: k->rank = (uint64_t)taco_array_int(a, i) ^ (uint64_t)1 << 63; return true;
    }
}

static int taco__cursor_order_compare_keys(const taco__cursor_order_key *p,
                                           const taco__cursor_order_key *q)
{
    return p->rank < q->rank ? -1 : p->rank > q->rank ? 1 : taco__bytes_compare(p->text, q->text);
}

/* For taco__sort_first; ctx is the list. Rows are never equal, because storage order decides
   last. */
TACO__FN int taco__cursor_order_compare(const void *ctx, const void *a, const void *b)
{
    const taco__cursor_order_item *x = (const taco__cursor_order_item *)a,
                                  *y = (const taco__cursor_order_item *)b;
    const taco__cursor_order *o = (const taco__cursor_order *)ctx;
    size_t i;
    for (i = 0; i < o->count; i++) {
        const taco__cursor_order_key *p = &x->keys[i], *q = &y->keys[i];
        int order;
        if (p->null || q->null) { /* nulls last in both directions */
            if (p->null != q->null) { return p->null ? 1 : -1; }
            continue;
        }
        order = taco__cursor_order_compare_keys(p, q);
        if (order) { return o->specs[i].descending ? -order : order; }
    }
    if (x->reader != y->reader) { return x->reader < y->reader ? -1 : 1; }
    return (x->at > y->at) - (x->at < y->at);
}

/* ---- the list ---- */

/* Whether larger values come first: set by the caller, or by the word after the name, "asc" or
   "desc" in any case. Fails for any other word. */
static bool taco__cursor_order_parse_word(taco_cursor *c, const taco__query_column *key,
                                          bool *descending)
{
    char word[8] = {0};
    size_t i;
    for (i = 0; i < key->rest.len && i < 7; i++) {
        word[i] = (char)taco__ascii_lower(key->rest.data[i]);
    }
    *descending = key->descending || strcmp(word, "desc") == 0;
    if (!key->rest.len || *descending || strcmp(word, "asc") == 0) { return true; }
    TACO__FAIL(&c->err, TACO_ERR_SYNTAX, key->rest_at, "expected asc, desc or a comma, found %q",
               &key->rest);
    return false;
}

/* Finds the columns in a list. */
TACO__FN bool taco__cursor_order_find_columns(taco_cursor *c, const taco__query_columns *list,
                                              taco__cursor_order *o)
{
    memset(o, 0, sizeof *o);
    o->specs = (taco__cursor_order_spec *)taco__arena_array(&c->arena, list->count + 1,
                                                            sizeof *o->specs, &c->err);
    for (; o->specs && o->count < list->count; o->count++) {
        const taco__query_column *key = &list->items[o->count];
        taco__cursor_order_spec *s = &o->specs[o->count];
        s->column = taco__cursor_column_find(c, key->name);
        if (s->column == TACO__NONE) {
            taco__field_names_no_column(c->columns.fields, c->columns.count,
                                        taco__bytes_text(key->name), &c->err);
            return false;
        }
        if (!taco__cursor_order_parse_word(c, key, &s->descending)) { return false; }
    }
    if (!o->specs || !taco__query_parse_ends(list, &c->err)) { return false; }
    if (o->count == 0) {
        TACO__FAIL(&c->err, TACO_ERR_SYNTAX, 0, "expected a column, found the end");
    }
    return o->count > 0;
}

/* ---- reading keys ---- */

/* The keys that are columns of one level; `which` has room for all. Returns their number. */
static size_t taco__cursor_order_list_columns(const taco_cursor *c, taco__table_reader *f,
                                              const taco__cursor_order *o, uint32_t level,
                                              size_t *which, size_t *places)
{
    const taco__row_reader *all = taco__table_reader_level(c, f, level);
    size_t k, n = 0;
    for (k = 0; k < o->count; k++) {
        const taco__cursor_column *x = &c->columns.origins[o->specs[k].column];
        size_t at = f->place[o->specs[k].column];
        if (taco__cursor_column_is_stored(x) && x->level == level && at != TACO__NONE) {
            places[k] = n;
            which[n++] = all->which[at];
        }
    }
    return n;
}

static bool taco__cursor_order_open_columns(taco_cursor *c, taco__table_reader *f,
                                            const taco__cursor_order *o,
                                            taco__cursor_order_columns *out)
{
    size_t k, *which = (size_t *)taco__arena_array(&c->arena, o->count, sizeof *which, &c->err);
    uint32_t l;
    out->places = (size_t *)taco__arena_array(&c->arena, o->count, sizeof *out->places, &c->err);
    if (!which || !out->places) { return false; }
    for (k = 0; k < o->count; k++) {
        out->places[k] = TACO__NONE;
    }
    for (l = taco__table_reader_first_level(c); l <= c->query.level; l++) {
        size_t n = taco__cursor_order_list_columns(c, f, o, l, which, out->places);
        const taco__table *t = taco__table_reader_level(c, f, l)->table;
        if (!taco__row_reader_open(&out->levels[l], t, which, n, c->mem, &c->err)) { return false; }
    }
    return true;
}

/* Makes the keys of one sort column: that of row i at keys[i * o->count]. a is NULL if the reader
   has no such column. */
static bool taco__cursor_order_add_column(taco_cursor *c, taco__table_reader *f,
                                          const taco__cursor_order *o, size_t column,
                                          const taco_array *a, taco__cursor_order_key *keys)
{
    taco_array cast;
    size_t i;
    if (TACO__WITH_MANY && a && taco__compose_is_mixed(c, column)) {
        if (!taco__unify_cast_array(&c->arena, &c->columns.fields[column], a, &cast, &c->err)) {
            return taco__cursor_fail(c, f, true);
        }
        a = &cast;
    }
    for (i = 0; i < f->row_number_count; i++, keys += o->count) {
        keys->null = true;
        if (a && !taco__cursor_order_make_key(a, i, &c->arena, keys, &c->err)) {
            taco_bytes name = taco__bytes_text(c->columns.fields[column].name);
            TACO__FAIL(&c->err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "column %q is of a type that cannot be sorted", &name);
            return false;
        }
    }
    return true;
}

/* Fills items with the rows that a reader found, and makes their keys. Texts of keys are borrowed
   from `columns`, which must stay open. */
static bool taco__cursor_order_read_keys(taco_cursor *c, uint32_t reader,
                                         const taco__cursor_order *o,
                                         taco__cursor_order_columns *columns,
                                         taco__cursor_order_item *items)
{
    taco__table_reader *f = &c->readers[reader];
    const taco_array *by_level[TACO__MAX_LEVELS] = {NULL};
    taco__row_reader *rows[TACO__MAX_LEVELS];
    size_t i, k, n = f->row_number_count, count;
    taco__cursor_order_key *keys;
    if (n == 0) { return true; }
    /* too many for memory in either case */
    if (!taco__checked_mul_size(n, o->count, &count)) { count = SIZE_MAX; }
    keys = (taco__cursor_order_key *)taco__arena_array(&c->arena, count, sizeof *keys, &c->err);
    if (!keys) { return false; }
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        rows[i] = &columns->levels[i];
    }
    if (!taco__cursor_sorted_read_rows(c, f, rows, f->row_numbers, n, by_level)) { return false; }
    for (k = 0; k < o->count; k++) {
        size_t column = o->specs[k].column, at = columns->places[k];
        const taco_array *a =
            at != TACO__NONE ? &by_level[c->columns.origins[column].level][at] : NULL;
        if (!taco__cursor_order_add_column(c, f, o, column, a, keys + k)) { return false; }
    }
    for (i = 0; i < n; i++) {
        items[i].keys = keys + i * o->count;
        items[i].reader = reader;
        items[i].at = (uint32_t)i;
    }
    return true;
}

/* Reads the keys of all rows that the readers find. Must be closed, even on failure. */
TACO__FN bool taco__cursor_order_read(taco_cursor *c, taco__cursor_order *o)
{
    size_t i, n = 0, bytes;
    for (i = 0; i < c->reader_count; i++) {
        if (!taco__cursor_sorted_collect_rows(c, &c->readers[i])) { return false; }
        o->total += c->readers[i].row_number_count;
    }
    if (!taco__checked_mul_size(o->total + 1, sizeof *o->items, &bytes)) {
        TACO__FAIL(&c->err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u rows to sort",
                   TACO__U(o->total));
        return false;
    }
    o->items = (taco__cursor_order_item *)taco__mem_alloc(c->mem, bytes, &c->err);
    o->columns = (taco__cursor_order_columns *)taco__arena_array(&c->arena, c->reader_count,
                                                                 sizeof *o->columns, &c->err);
    if (!o->items || !o->columns) { return false; }
    for (i = 0; i < c->reader_count; i++) {
        if (!taco__cursor_order_open_columns(c, &c->readers[i], o, &o->columns[i]) ||
            !taco__cursor_order_read_keys(c, (uint32_t)i, o, &o->columns[i], o->items + n)) {
            return false;
        }
        n += c->readers[i].row_number_count;
    }
    return true;
}

TACO__FN void taco__cursor_order_close(taco_cursor *c, taco__cursor_order *o)
{
    size_t i, l;
    for (i = 0; o->columns && i < c->reader_count; i++) {
        for (l = 0; l < TACO__MAX_LEVELS; l++) {
            taco__row_reader_close(&o->columns[i].levels[l]);
        }
    }
    taco__mem_free(c->mem, o->items, (o->total + 1) * sizeof *o->items);
}

/* ---- sorting ---- */

/* Sorts the items as far as they are returned, and stores those. */
static bool taco__cursor_order_finish(taco_cursor *c, const taco__cursor_order *o)
{
    taco__sorted_rows *s = &c->sorted;
    taco__cursor_order_item *items = o->items;
    size_t i, first = (size_t)TACO__MIN((uint64_t)o->total, c->query.skip);
    size_t end = (size_t)TACO__MIN((uint64_t)(o->total - first), c->query.left) + first;
    if (!taco__sort_first(c->mem, items, o->total, end, sizeof *items, taco__cursor_order_compare,
                          o, &c->err)) {
        return false;
    }
    s->count = end - first;
    s->order =
        (taco__sorted_row *)taco__arena_array(&c->arena, s->count + 1, sizeof *s->order, &c->err);
    for (i = 0; s->order && i < s->count; i++) {
        s->order[i].reader = items[first + i].reader;
        s->order[i].at = items[first + i].at;
    }
    return s->order != NULL;
}

/* Sorts the result by the columns of the query's order: these are read now, the others later, for
   the rows that are returned. */
TACO__FN bool taco__cursor_order_sort(taco_cursor *c, const taco__query *q,
                                      const taco__select_options *opt)
{
    taco__cursor_order o;
    bool ok;
    if (!taco__cursor_order_find_columns(c, &q->order, &o)) {
        taco__error_prefix(&c->err, "order");
        return false;
    }
    c->sorted.active = true;
    if (taco__order_tasks_run(c, q, opt, &o)) { return true; }
    ok = taco__cursor_order_read(c, &o) && taco__cursor_order_finish(c, &o);
    taco__cursor_order_close(c, &o);
    return ok && c->err.code == TACO_OK;
}
