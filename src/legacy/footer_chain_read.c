/* footer_chain_read.c - the streaming chain of footers of TACO 0.2.0.. Spec: TACO 0.2.0
   "Facilitating dataset streaming" */
#include "legacy.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../dataset/dataset.h"

static void taco__chain_trim(taco_bytes *b)
{
    while (b->len && (b->data[0] == ' ' || b->data[0] == '\t')) {
        b->data++;
        b->len--;
    }
    while (b->len && (b->data[b->len - 1] == ' ' || b->data[b->len - 1] == '\t')) {
        b->len--;
    }
}

/* The text up to a character, that character behind it taken away too. */
static bool taco__chain_split(taco_bytes *b, char end, taco_bytes *out)
{
    const uint8_t *p = b->len ? (const uint8_t *)memchr(b->data, end, b->len) : NULL;
    if (!p) { return false; }
    *out = taco__bytes_of(b->data, (size_t)(p - b->data));
    b->len -= out->len + 1;
    b->data = p + 1;
    taco__chain_trim(out);
    return true;
}

/* OFFSETLENGTH(A, B), with or without blanks and the quotes of JSON; NULL, null or nothing at the
   end of the chain. */
TACO__FN bool taco__chain_parse_pointer(taco_bytes text, bool *ends, taco__range *out,
                                        taco_error *err)
{
    taco_bytes b = text, a, l;
    taco__chain_trim(&b);
    if (b.len > 1 && b.data[0] == '"' && b.data[b.len - 1] == '"') {
        b = taco__bytes_of(b.data + 1, b.len - 2);
        taco__chain_trim(&b);
    }
    *ends = b.len == 0 || taco__bytes_equal(b, taco__bytes_text("NULL")) ||
            taco__bytes_equal(b, taco__bytes_text("null"));
    if (*ends) { return true; }
    if (taco__chain_split(&b, '(', &a) && taco__bytes_equal(a, taco__bytes_text("OFFSETLENGTH")) &&
        taco__chain_split(&b, ',', &a) && taco__chain_split(&b, ')', &l) && b.len == 0 &&
        taco__vsi_parse_number(a, &out->offset) && taco__vsi_parse_number(l, &out->len)) {
        return true;
    }
    TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
               "pointer is %q, allowed are OFFSETLENGTH(A, B) and NULL", &text);
    return false;
}

/* The object that the last one points at: within the file, and none of those before. */
static bool taco__chain_next(const taco__chain *c, const taco__file *file, bool *ends,
                             taco__range *out, taco_error *err)
{
    size_t i;
    if (!taco__chain_parse_pointer(c->tables[c->count - 1].pointer, ends, out, err) || *ends) {
        return *ends;
    }
    if (out->len == 0 || !taco__checked_range(out->offset, out->len, file->src.size)) {
        TACO__FAIL(err, out->len ? TACO_ERR_TRUNCATED : TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "pointer to %u bytes at %u, the file ends at %u", out->len, out->offset,
                   file->src.size);
        return false;
    }
    for (i = 0; i < c->count; i++) {
        if (out->offset < c->ranges[i].offset + c->ranges[i].len &&
            c->ranges[i].offset < out->offset + out->len) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "pointer to %u bytes at %u, where object %u of the chain stands", out->len,
                       out->offset, TACO__U(i));
            return false;
        }
    }
    if (c->count == TACO__CHAIN_MAX_OBJECTS) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "a chain of more than %u objects",
                   TACO__U(TACO__CHAIN_MAX_OBJECTS));
        return false;
    }
    return true;
}

/* ---- roots: who the parent of a row is
   ---------------------------------------------------------- */

typedef struct taco__chain_key {
    taco_bytes key; /* ids from the top, with slashes */
    size_t row;
} taco__chain_key;

static int taco__chain_compare_keys(const void *a, const void *b)
{
    const taco__chain_key *x = (const taco__chain_key *)a, *y = (const taco__chain_key *)b;
    int c = taco__bytes_compare(x->key, y->key);
    return c ? c : (x->row > y->row) - (x->row < y->row);
}

static int64_t taco__chain_find_key(const taco__chain_key *sorted, size_t n, taco_bytes key)
{
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (taco__bytes_compare(sorted[mid].key, key) < 0) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo < n && taco__bytes_equal(sorted[lo].key, key) ? (int64_t)sorted[lo].row : -1;
}

static const taco_array *taco__chain_root_column(const taco__tortilla_table *t)
{
    size_t c = taco__table_find_column(&t->t, "root");
    if (c == TACO__NONE) { c = taco__table_find_column(&t->t, "tortilla:root"); }
    return c == TACO__NONE ? NULL : &t->t.arrays[c];
}

/* The keys of a level's rows: the parent's, a slash, the id. */
static taco__chain_key *taco__chain_make_keys(const taco__tortilla_table *t, const int64_t *parents,
                                              const taco__chain_key *above, taco__arena *arena,
                                              taco_error *err)
{
    size_t i, n = (size_t)t->t.rows;
    taco__chain_key *keys = (taco__chain_key *)taco__arena_array(arena, n + 1, sizeof *keys, err);
    for (i = 0; keys && i < n; i++) {
        taco_bytes id = taco_array_bytes(&t->t.arrays[t->id], i), up = taco__bytes_of(NULL, 0);
        uint8_t *p;
        keys[i].row = i;
        keys[i].key = id;
        if (!above || parents[i] < 0) { continue; }
        up = above[parents[i]].key;
        p = (uint8_t *)taco__arena_alloc(arena, up.len + id.len + 1, err);
        if (!p) { return NULL; }
        if (up.len) { memcpy(p, up.data, up.len); }
        p[up.len] = '/';
        if (id.len) { memcpy(p + up.len + 1, id.data, id.len); }
        keys[i].key = taco__bytes_of(p, up.len + id.len + 1);
    }
    return keys;
}

/* parents[i] = the row of the table before that root names: by its key, or by its position. */
static bool taco__chain_find_parents(const taco__tortilla_table *t, const taco__chain_key *above,
                                     size_t above_count, int64_t *parents, taco__arena *arena,
                                     taco_error *err)
{
    const taco_array *root = taco__chain_root_column(t);
    taco__chain_key *sorted =
        (taco__chain_key *)taco__arena_array(arena, above_count + 1, sizeof *sorted, err);
    size_t i;
    if (!root) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no column root");
        return false;
    }
    if (!sorted) { return false; }
    if (above_count) {
        memcpy(sorted, above, above_count * sizeof *sorted);
        qsort(sorted, above_count, sizeof *sorted, taco__chain_compare_keys);
    }
    for (i = 0; i < t->t.rows; i++) {
        int64_t p = -1;
        if (taco__concat_is_integer(root->field->type) && taco_array_valid(root, i)) {
            p = taco_array_int(root, i);
            p = p >= 0 && (uint64_t)p < above_count ? p : -1;
        } else if (root->field->type == TACO_TEXT && taco_array_valid(root, i)) {
            p = taco__chain_find_key(sorted, above_count, taco_array_bytes(root, i));
        }
        if (p < 0) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "row %u: root is no row of the object before", TACO__U(i));
            return false;
        }
        parents[i] = p;
    }
    return true;
}

/* Follows the pointers from the first footer, which is read already, to the end of the chain. */
TACO__FN bool taco__chain_read(taco__container *s, taco__file *file,
                               const taco__tortilla_table *first, taco__range range,
                               taco__arena *arena, taco__chain *c, taco_error *err)
{
    taco__chain_key *above = NULL;
    taco__arena keys;
    bool ends = false, ok;
    memset(c, 0, sizeof *c);
    keys.mem = s->mem;
    keys.head = NULL;
    c->tables[0] = *first;
    c->ranges[0] = range;
    c->count = 1;
    ok = taco__chain_next(c, file, &ends, &c->ranges[1], err);
    while (ok && !ends) {
        size_t n = c->count;
        taco__tortilla_table *t = &c->tables[n];
        ok = taco__tortilla_read_footer(s, file, c->ranges[n], first->base, NULL, arena, t, err);
        if (!ok) { break; }
        t->file = first->file;
        c->parents[n] =
            (int64_t *)taco__arena_array(arena, (size_t)t->t.rows + 1, sizeof(int64_t), err);
        above = c->parents[n]
                    ? taco__chain_make_keys(&c->tables[n - 1], c->parents[n - 1], above, &keys, err)
                    : NULL;
        ok = above && taco__chain_find_parents(t, above, (size_t)c->tables[n - 1].t.rows,
                                               c->parents[n], &keys, err);
        c->count++;
        ok = ok && taco__chain_next(c, file, &ends, &c->ranges[c->count], err);
    }
    taco__arena_free(&keys);
    if (!ok) { taco__error_prefix(err, "object %u of the chain", TACO__U(c->count - 1)); }
    return ok;
}
