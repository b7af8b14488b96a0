/* footer_chain_read.c - the streaming chain of footers of TACO 0.2.0

   In: the first footer of a file, which has a pointer in its key-value metadata; out: the
   objects of the chain, the k-th with the rows of level k, and for each row its parent in the
   previous one. Spec: TACO 0.2.0 "Facilitating dataset streaming". A pointer is OFFSETLENGTH(A,
   B), or NULL at the end; the column root names the parent, by its key ("a/b") or by its
   position.

   For a sample img0 with a nested lrf that has tiles:

       object 0   root "img0"       tortilla:id "img0"     TORTILLA
       object 1   root "img0"       tortilla:id "lrf"      GTiff
       object 2   root "img0/lrf"   tortilla:id "lrf::0"   a tile
                  root "img0/lrf"   tortilla:id "lrf::1"

   No writer of that time made such files, so pointers are accepted in every form that the text
   allows, and everything else is checked: objects lie in the file and do not overlap, so there
   are no cycles. Start reading at taco__chain_read. */
#include "legacy.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../dataset/dataset.h"

/* ---- pointers ---- */

/* Removes blanks and tabs at both ends. */
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

/* Splits off the text before a character, and drops the character. */
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

/* Checks that an object lies in the file and overlaps none of the previous ones. */
static bool taco__chain_check_range(const taco__chain *c, const taco__file *file,
                                    const taco__range *r, taco_error *err)
{
    size_t i;
    if (r->len == 0 || !taco__checked_range(r->offset, r->len, file->src.size)) {
        TACO__FAIL(err, r->len ? TACO_ERR_TRUNCATED : TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "pointer to %u bytes at %u, the file ends at %u", r->len, r->offset,
                   file->src.size);
        return false;
    }
    for (i = 0; i < c->count; i++) {
        if (r->offset < c->ranges[i].offset + c->ranges[i].len &&
            c->ranges[i].offset < r->offset + r->len) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "pointer to %u bytes at %u, which overlap object %u of the chain", r->len,
                       r->offset, TACO__U(i));
            return false;
        }
    }
    return true;
}

/* Finds the object that the last one points to. */
static bool taco__chain_next(const taco__chain *c, const taco__file *file, bool *ends,
                             taco__range *out, taco_error *err)
{
    if (!taco__chain_parse_pointer(c->tables[c->count - 1].pointer, ends, out, err) || *ends) {
        return *ends;
    }
    if (!taco__chain_check_range(c, file, out, err)) { return false; }
    if (c->count == TACO__CHAIN_MAX_OBJECTS) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "a chain of more than %u objects",
                   TACO__U(TACO__CHAIN_MAX_OBJECTS));
        return false;
    }
    return true;
}

/* ---- roots: who the parent of a row is ---- */

/* A row and its key. */
typedef struct taco__chain_key {
    taco_bytes key; /* ids from the top, with slashes */
    size_t row;
} taco__chain_key;

/* taco__sort_compare: by bytes, so that equal keys are adjacent. */
static int taco__chain_compare_keys(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return taco__bytes_compare(((const taco__chain_key *)a)->key,
                               ((const taco__chain_key *)b)->key);
}

/* The first row with a key, -1 if there is none. */
static int64_t taco__chain_find_key(const taco__chain_key *sorted, size_t n, taco_bytes key)
{
    size_t at = 0;
    TACO__LOWER_BOUND(at, n, i, taco__bytes_compare(sorted[i].key, key) < 0);
    return at < n && taco__bytes_equal(sorted[at].key, key) ? (int64_t)sorted[at].row : -1;
}

/* The column that names the parents; NULL if there is none. */
static const taco_array *taco__chain_root_column(const taco__tortilla_table *t)
{
    size_t c = taco__table_find_column(&t->t, "root");
    if (c == TACO__NONE) { c = taco__table_find_column(&t->t, "tortilla:root"); }
    return c == TACO__NONE ? NULL : &t->t.arrays[c];
}

/* parent/id; {NULL, 0} if out of memory. */
static taco_bytes taco__chain_join_key(taco__arena *arena, taco_bytes parent, taco_bytes id,
                                       taco_error *err)
{
    uint8_t *p = (uint8_t *)taco__arena_alloc(arena, parent.len + id.len + 1, err);
    if (!p) { return taco__bytes_of(NULL, 0); }
    if (parent.len) { memcpy(p, parent.data, parent.len); }
    p[parent.len] = '/';
    if (id.len) { memcpy(p + parent.len + 1, id.data, id.len); }
    return taco__bytes_of(p, parent.len + id.len + 1);
}

/* The keys of a level's rows; above are those of the previous level, NULL for the first. */
static taco__chain_key *taco__chain_make_keys(const taco__tortilla_table *t, const int64_t *parents,
                                              const taco__chain_key *above, taco__arena *arena,
                                              taco_error *err)
{
    size_t i, n = (size_t)t->t.rows;
    taco__chain_key *keys = (taco__chain_key *)taco__arena_array(arena, n + 1, sizeof *keys, err);
    for (i = 0; keys && i < n; i++) {
        keys[i].row = i;
        keys[i].key = taco_array_bytes(&t->t.arrays[t->id], i);
        if (above && parents[i] >= 0) {
            keys[i].key = taco__chain_join_key(arena, above[parents[i]].key, keys[i].key, err);
            if (!keys[i].key.data) { return NULL; }
        }
    }
    return keys;
}

/* The row of the previous level that root names in row i; -1 if there is none. */
static int64_t taco__chain_find_parent(const taco_array *root, size_t i,
                                       const taco__chain_key *sorted, size_t n)
{
    int64_t p;
    if (!taco_array_valid(root, i)) { return -1; }
    if (root->field->type == TACO_TEXT) {
        return taco__chain_find_key(sorted, n, taco_array_bytes(root, i));
    }
    if (!taco__concat_is_integer(root->field->type)) { return -1; }
    p = taco_array_int(root, i);
    return p >= 0 && (uint64_t)p < n ? p : -1;
}

/* Sets parents[i] to the row of the previous level that is the parent of row i. */
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
    if (above_count) { memcpy(sorted, above, above_count * sizeof *sorted); }
    if (!taco__sort_in(arena->mem, sorted, above_count, sizeof *sorted, taco__chain_compare_keys,
                       NULL, err)) {
        return false;
    }
    for (i = 0; i < t->t.rows; i++) {
        parents[i] = taco__chain_find_parent(root, i, sorted, above_count);
        if (parents[i] < 0) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "row %u: root is not a row of the previous object", TACO__U(i));
            return false;
        }
    }
    return true;
}

/* ---- the chain ---- */

/* Reads the next object, whose range is known, and finds the parents of its rows. *keys are those
   of the last object before the call, and of the new one afterwards. */
static bool taco__chain_read_object(taco__container *s, taco__file *file, taco__arena *arena,
                                    taco__chain *c, taco__chain_key **keys, taco__arena *scratch,
                                    taco_error *err)
{
    size_t n = c->count;
    const taco__tortilla_table *before = &c->tables[n - 1];
    taco__tortilla_table *t = &c->tables[n];
    if (!taco__tortilla_read_footer(s, file, c->ranges[n], before->base, NULL, arena, t, err)) {
        return false;
    }
    t->file = before->file;
    c->count++;
    c->parents[n] =
        (int64_t *)taco__arena_array(arena, (size_t)t->t.rows + 1, sizeof(int64_t), err);
    if (!c->parents[n]) { return false; }
    *keys = taco__chain_make_keys(before, c->parents[n - 1], *keys, scratch, err);
    return *keys &&
           taco__chain_find_parents(t, *keys, (size_t)before->t.rows, c->parents[n], scratch, err);
}

TACO__FN bool taco__chain_read(taco__container *s, taco__file *file,
                               const taco__tortilla_table *first, taco__range range,
                               taco__arena *arena, taco__chain *c, taco_error *err)
{
    taco__chain_key *keys = NULL;
    taco__arena scratch;
    bool ends = false, ok;
    memset(c, 0, sizeof *c);
    scratch.mem = s->mem;
    scratch.head = NULL;
    c->tables[0] = *first;
    c->ranges[0] = range;
    c->count = 1;
    ok = taco__chain_next(c, file, &ends, &c->ranges[1], err);
    while (ok && !ends) {
        ok = taco__chain_read_object(s, file, arena, c, &keys, &scratch, err) &&
             taco__chain_next(c, file, &ends, &c->ranges[c->count], err);
    }
    taco__arena_free(&scratch);
    if (!ok) { taco__error_prefix(err, "object %u of the chain", TACO__U(c->count - 1)); }
    return ok;
}
