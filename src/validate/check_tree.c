/* check_tree.c - children of every row, names for messages, and the rules of the tree: PIT-1

   In: levels as check_level.c has read them into memory (hashes, types, parents); out: the
   children of every row, and problems if samples do not have the same tree below them. TACO
   2.0 §5.5 (PIT-1), §7.2.3; the draft of June 2025 §5 (strict PIT, on request).

   A level keeps two hashes per row instead of strings: key (type and id, equal for
   interchangeable siblings) and path. Trees are compared by their keys. Names are read again from
   the table only if a message needs them (taco__check_tree_name, a window of rows at a time).
   Start reading at taco__check_tree_pit. */
#include "validate.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../parquet/parquet.h"
#include "../dataset/dataset.h"

#define TACO__CHECK_TREE_NAMES 1024 /* rows whose names are kept for messages */

/* Frees everything except what is in the arena. Safe on a zeroed struct, and leaves it zeroed. */
TACO__FN void taco__check_tree_close(taco__check_tree_state *t)
{
    uint32_t i;
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        if (t->levels[i].names_open) { taco__row_reader_close(&t->levels[i].names); }
    }
    if (t->mem) {
        taco__join_free(&t->sources);
        taco__buf_free(&t->text);
        taco__buf_free(&t->other);
        taco__buf_free(&t->window);
    }
    memset(t, 0, sizeof *t);
}

/* ---- names for messages ---- */

/* Id of a row, or its path below DATA/ if the level has paths. {NULL, 0} if it cannot be read, with
   the reason in err, which may be NULL. Valid until the next call for this level: with two names,
   copy the first. */
TACO__FN taco_bytes taco__check_tree_name(taco__check_tree_state *t, uint32_t level, size_t row,
                                          bool path, taco_error *err)
{
    taco__check_tree_level *v = &t->levels[level];
    size_t which[2], at = 0;
    which[0] = v->l->role.id;
    which[1] = level && v->l->role.relative != TACO__NONE ? v->l->role.relative : v->l->role.id;
    if (which[0] == TACO__NONE) { return taco__bytes_of(NULL, 0); }
    if (!v->names_open) {
        v->names_open = taco__row_reader_open(&v->names, &v->l->table, which, 2, t->mem, err);
        if (!v->names_open) { return taco__bytes_of(NULL, 0); }
    }
    if (row < v->name_first || row - v->name_first >= v->name_count) {
        v->name_first = row - row % TACO__CHECK_TREE_NAMES;
        v->name_count = TACO__MIN(v->rows - v->name_first, (size_t)TACO__CHECK_TREE_NAMES);
        if (!taco__row_reader_read_range(&v->names, v->name_first, v->name_count, err)) {
            v->name_count = 0;
            return taco__bytes_of(NULL, 0);
        }
    }
    at = path ? 1 : 0;
    return v->names.arrays[at].field->type == TACO_TEXT
               ? taco_array_bytes(&v->names.arrays[at], row - v->name_first)
               : taco__bytes_of(NULL, 0);
}

/* The path of a row below DATA/, without a '/' at the end. */
TACO__FN taco_bytes taco__check_tree_path(taco__check_tree_state *t, uint32_t level, size_t row)
{
    taco_bytes b = taco__check_tree_name(t, level, row, true, NULL);
    if (b.len > 1 && b.data[b.len - 1] == '/') { b.len--; }
    return b;
}

/* Links the rows of the level below to their parents, in order, by counting sort: first[row + 2]
   counts children, then first[row + 1] is the slot of the row's next child, and at the end the
   children of row are first[row] to first[row + 1]. Orphans have no parent. */
TACO__FN bool taco__check_tree_link_children(taco__check_tree_state *t, uint32_t level,
                                             taco_error *err)
{
    taco__check_tree_level *v = &t->levels[level], *below = &t->levels[level + 1];
    const int32_t *parents = below->l ? below->l->parents : NULL;
    size_t i;
    int32_t sum = 0;
    if (!v->l || !parents) { return true; }
    v->first = (int32_t *)taco__arena_array(t->arena, v->rows + 2, sizeof *v->first, err);
    v->kids = (int32_t *)taco__arena_array(t->arena, below->rows + 1, sizeof *v->kids, err);
    if (!v->first || !v->kids) { return false; }
    for (i = 0; i < below->rows; i++) {
        if (parents[i] >= 0) { v->first[parents[i] + 2]++; }
    }
    for (i = 0; i < v->rows; i++) { /* first[row + 1] is the slot of the row's next child */
        sum += v->first[i + 2];
        v->first[i + 2] = sum;
    }
    for (i = 0; i < below->rows; i++) {
        if (parents[i] >= 0) { v->kids[v->first[parents[i] + 1]++] = (int32_t)i; }
    }
    return true;
}

/* Number of a row's children, and their row numbers; 0 if the level below is missing. */
TACO__FN size_t taco__check_tree_children(const taco__check_tree_state *t, uint32_t level,
                                          size_t row, const int32_t **kids)
{
    const taco__check_tree_level *v = &t->levels[level];
    *kids = v->first ? v->kids + v->first[row] : NULL;
    return v->first ? (size_t)(v->first[row + 1] - v->first[row]) : 0;
}

/* ---- PIT ---- */

/* two FOLDERs that must have the same children */
typedef struct taco__check_tree_pair {
    uint32_t level;
    size_t a, b; /* a is the first of its kind */
    const char *rule;
    bool error;
} taco__check_tree_pair;

/* Reports how the children of p->b (y, m of them) differ from those of p->a (x, n of them): in
   number, or at the first different one. Names are copied into t->other and t->text first, since
   reading one may invalidate another. */
static void taco__check_tree_report_difference(taco__check_tree_state *t,
                                               const taco__check_tree_pair *p, const int32_t *x,
                                               const int32_t *y, size_t n, size_t m)
{
    taco__findings *f = t->f;
    taco_bytes first = taco__check_tree_path(t, p->level, p->a), other, one, two;
    size_t i;
    uint32_t below = p->level + 1;
    t->other.len = 0; /* the window of names may move */
    if (!taco__buf_append(&t->other, first.data, first.len, NULL)) { return; }
    first = taco__bytes_of(t->other.data, t->other.len);
    t->level = p->level;
    t->row = p->b;
    taco__check_level_set_place(t);
    other = taco__check_tree_path(t, p->level, p->b);
    if (n != m) {
        TACO__FINDINGS_REPORT(f, p->error, "%s: %q has %u children, %q has %u", p->rule, &other,
                              TACO__U(m), &first, TACO__U(n));
        return;
    }
    for (i = 0; i < n; i++) {
        const uint64_t *key = t->levels[below].key;
        const uint8_t *folder = t->levels[below].folder;
        if (key[x[i]] == key[y[i]]) { continue; }
        one = taco__check_tree_name(t, below, (size_t)x[i], false, NULL);
        t->text.len = 0;
        if (!taco__buf_append(&t->text, one.data, one.len, NULL)) { return; }
        one = taco__bytes_of(t->text.data, t->text.len);
        two = taco__check_tree_name(t, below, (size_t)y[i], false, NULL);
        TACO__FINDINGS_REPORT(f, p->error, "%s: child %u of %q is the %s %q, that of %q the %s %q",
                              p->rule, TACO__U(i), &other,
                              taco__collection_type_name(folder[y[i]] == 1), &two, &first,
                              taco__collection_type_name(folder[x[i]] == 1), &one);
        return;
    }
}

/* True if both FOLDERs have the same children by id and type; otherwise the first difference is
   reported. */
static bool taco__check_tree_same_children(taco__check_tree_state *t,
                                           const taco__check_tree_pair *p)
{
    const int32_t *x, *y;
    size_t n = taco__check_tree_children(t, p->level, p->a, &x),
           m = taco__check_tree_children(t, p->level, p->b, &y), i = 0;
    const uint64_t *key = n ? t->levels[p->level + 1].key : NULL;
    if (n == m) {
        for (; i < n && key[x[i]] == key[y[i]]; i++) {}
        if (i == n) { return true; }
    }
    taco__check_tree_report_difference(t, p, x, y, n, m);
    return false;
}

/* True for an export of the reference (taco:subset_of), which keeps the schema of the original and
   may leave samples with different children: PIT differences are then warnings. */
TACO__FN bool taco__check_tree_is_subset(const taco__check_tree_state *t)
{
    return taco__json_get(t->s->coll.doc.root, "taco:subset_of") != NULL;
}

/* Compares two samples and everything below them, down to the first difference. Differences that
   the reference detects too (the children of level 0, and how many children those have) are errors,
   deeper ones warnings. Recursion ends at the deepest level. */
static void taco__check_tree_isomorphic(taco__check_tree_state *t, uint32_t level, size_t a,
                                        size_t b)
{
    taco__check_tree_pair p;
    const int32_t *x, *y;
    size_t n, i;
    p.level = level;
    p.a = a;
    p.b = b;
    p.rule = "PIT-1";
    n = taco__check_tree_children(t, level, a, &x);
    p.error = !taco__check_tree_is_subset(t) &&
              (level == 0 || (level == 1 && n != taco__check_tree_children(t, level, b, &y)));
    if (t->f->stop || !taco__check_tree_same_children(t, &p)) { return; }
    n = taco__check_tree_children(t, level, a, &x);
    taco__check_tree_children(t, level, b, &y);
    for (i = 0; i < n; i++) {
        if (t->levels[level + 1].folder[x[i]] == 1) {
            taco__check_tree_isomorphic(t, level + 1, (size_t)x[i], (size_t)y[i]);
        }
    }
}

/* The draft of June 2025 requires more than PIT-1: all FOLDERs of a level have the same
   children. */
static void taco__check_tree_strict_pit(taco__check_tree_state *t)
{
    taco__check_tree_pair p;
    uint32_t level;
    p.rule = "strict PIT";
    p.error = true;
    for (level = 0; level + 1 < t->count; level++) {
        taco__check_tree_level *v = &t->levels[level];
        p.level = level;
        p.a = SIZE_MAX;
        for (p.b = 0; v->first && p.b < v->rows && !t->f->stop; p.b++) {
            if (v->folder[p.b] != 1) { continue; }
            if (p.a == SIZE_MAX) {
                p.a = p.b;
            } else {
                taco__check_tree_same_children(t, &p);
            }
        }
    }
    taco__findings_end_table(t->f, "strict PIT");
}

/* PIT-1 (§5.5): every sample of level 0 has the type of the first and the same tree below it. With
   strict_pit the older rule is checked too. */
TACO__FN void taco__check_tree_pit(taco__check_tree_state *t)
{
    taco__check_tree_level *v = &t->levels[0];
    size_t row;
    t->level = 0;
    for (row = 1; v->l && row < v->rows && !t->f->stop; row++) {
        if (v->folder[row] != v->folder[0] && v->folder[row] < 2 && v->folder[0] < 2) {
            t->row = row;
            TACO__CHECK_LEVEL_ERROR(t,
                                    "PIT-1: the root mixes types: this sample is a %s, row 0 a %s",
                                    taco__collection_type_name(v->folder[row] == 1),
                                    taco__collection_type_name(v->folder[0] == 1));
        } else if (v->folder[row] == 1) {
            taco__check_tree_isomorphic(t, 0, 0, row);
        }
    }
    taco__findings_end_table(t->f, "PIT-1");
    if (t->f->how->strict_pit) { taco__check_tree_strict_pit(t); }
}
