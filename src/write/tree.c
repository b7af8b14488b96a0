/* tree.c - ids, types, parents and places of all samples of a dataset being written

   In: samples one by one, with the row of their parent in the level above; out: the tree that
   all writers work from: paths, the order of rows, the values of internal:offset and
   internal:size, and whether it obeys PIT-1. TACO 2.0 §5.5 (PIT-1), §6.2 (no empty FOLDER),
   §7.2.3 (paths, unique ids).

   A level holds its rows in columns (struct taco__tree_level), a few tens of bytes per sample,
   so that millions fit. Children of a parent are adjacent and in the order of their parents:
   taco__tree_append_ordered refuses any other order, taco__tree_append_unordered accepts it and
   taco__tree_sort then establishes this one. */
#include "write.h"
#include "../base/base.h"
#include "../dataset/dataset.h"

/* Initializes an empty tree, whose memory is charged to mem. */
TACO__FN void taco__tree_init(taco__tree *t, taco__mem *mem)
{
    size_t i;
    memset(t, 0, sizeof *t);
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        taco__tree_level *l = &t->level[i];
        l->ids.mem = l->ends.mem = l->parents.mem = l->folders.mem = mem;
        l->offsets.mem = l->sizes.mem = mem;
    }
}

/* Frees all levels; the tree is empty afterwards and may be used again. */
TACO__FN void taco__tree_free(taco__tree *t)
{
    size_t i;
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        taco__tree_level *l = &t->level[i];
        taco__buf_free(&l->ids);
        taco__buf_free(&l->ends);
        taco__buf_free(&l->parents);
        taco__buf_free(&l->folders);
        taco__buf_free(&l->offsets);
        taco__buf_free(&l->sizes);
        l->rows = 0;
    }
    t->levels = 0;
}

/* The id of a row; valid until the level grows. */
TACO__FN taco_bytes taco__tree_id(const taco__tree *t, uint32_t level, size_t row)
{
    const taco__tree_level *l = &t->level[level];
    const int32_t *at = (const int32_t *)(const void *)l->ends.data;
    return taco__bytes_of(l->ids.data + at[row], (size_t)(at[row + 1] - at[row]));
}

/* Row of the parent in the level above. Not for level 0. */
TACO__FN size_t taco__tree_parent(const taco__tree *t, uint32_t level, size_t row)
{
    return ((const uint32_t *)(const void *)t->level[level].parents.data)[row];
}

/* True for a FOLDER, false for a FILE. */
TACO__FN bool taco__tree_is_folder(const taco__tree *t, uint32_t level, size_t row)
{
    return t->level[level].folders.data[row] != 0;
}

/* Offset of a row's bytes in the archive; 0 until they are stored, and in a FOLDER dataset. */
TACO__FN int64_t taco__tree_offset(const taco__tree *t, uint32_t level, size_t row)
{
    return ((const int64_t *)(const void *)t->level[level].offsets.data)[row];
}

/* Size of a row in bytes; for a FOLDER that of its __meta__. */
TACO__FN int64_t taco__tree_size(const taco__tree *t, uint32_t level, size_t row)
{
    return ((const int64_t *)(const void *)t->level[level].sizes.data)[row];
}

/* Sets the place of a FILE's bytes in the archive, or of a FOLDER's __meta__. */
TACO__FN void taco__tree_set_place(taco__tree *t, uint32_t level, size_t row, uint64_t offset,
                                   uint64_t size)
{
    ((int64_t *)(void *)t->level[level].offsets.data)[row] = (int64_t)offset;
    ((int64_t *)(void *)t->level[level].sizes.data)[row] = (int64_t)size;
}

/* Appends a sample to its level, in any order of parents; the parent is a FOLDER of the level
   above. Its place is 0 until it is set. */
TACO__FN bool taco__tree_append_unordered(taco__tree *t, uint32_t level, size_t parent,
                                          taco_bytes id, bool folder, taco_error *err)
{
    taco__tree_level *l = &t->level[level];
    const int64_t zero = 0;
    const uint32_t up = (uint32_t)parent;
    const int32_t none = 0;
    int32_t end;
    if (level &&
        (parent >= t->level[level - 1].rows || !t->level[level - 1].folders.data[parent])) {
        TACO__FAIL(
            err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
            "sample %q of level %u: its parent is row %u, which is not a FOLDER of the %u above",
            &id, TACO__U(level), TACO__U(parent), TACO__U(t->level[level - 1].rows));
        return false;
    }
    if (l->rows >= INT32_MAX || id.len > INT32_MAX - l->ids.len) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "more than 2^31 rows or bytes of ids in level %u", TACO__U(level));
        return false;
    }
    end = (int32_t)(l->ids.len + id.len);
    if ((l->rows == 0 && !taco__buf_append_inline(&l->ends, &none, sizeof none, err)) ||
        !taco__buf_append(&l->ids, id.data, id.len, err) ||
        !taco__buf_append_inline(&l->ends, &end, sizeof end, err) ||
        (level && !taco__buf_append_inline(&l->parents, &up, sizeof up, err)) ||
        !taco__buf_append_char(&l->folders, folder ? 1 : 0, err) ||
        !taco__buf_append_inline(&l->offsets, &zero, sizeof zero, err) ||
        !taco__buf_append_inline(&l->sizes, &zero, sizeof zero, err)) {
        return false;
    }
    l->rows++;
    t->levels = TACO__MAX(t->levels, level + 1);
    return true;
}

/* The same, but CORRUPT if its parent is before that of the previous sample. parent is ignored at
   level 0. */
TACO__FN bool taco__tree_append_ordered(taco__tree *t, uint32_t level, size_t parent, taco_bytes id,
                                        bool folder, taco_error *err)
{
    size_t rows = t->level[level].rows;
    if (level && rows && parent < taco__tree_parent(t, level, rows - 1)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "sample %q of level %u: its parent is row %u, that of the sample before is %u",
                   &id, TACO__U(level), TACO__U(parent),
                   TACO__U(taco__tree_parent(t, level, rows - 1)));
        return false;
    }
    return taco__tree_append_unordered(t, level, parent, id, folder, err);
}

/* True if the rows of a level are sorted by parent. */
static bool taco__tree_is_sorted(const taco__tree *t, uint32_t level)
{
    size_t i = 1, rows = t->level[level].rows;
    while (level && i < rows &&
           taco__tree_parent(t, level, i - 1) <= taco__tree_parent(t, level, i)) {
        i++;
    }
    return !level || i >= rows;
}

/* Sorts the rows of a level by parent, keeping the order of siblings, with a counting sort: at[p +
   1] counts the children of p, then at[p] is the position of the next one. *order (int32) becomes
   the old row of each new row. */
static bool taco__tree_order_rows(const taco__tree *t, uint32_t level, taco__buf *order,
                                  taco_error *err)
{
    taco__buf next;
    size_t rows = t->level[level].rows, above = t->level[level - 1].rows, i;
    size_t bytes = (above + 1) * sizeof(int32_t);
    int32_t *at, *from;
    memset(&next, 0, sizeof next);
    next.mem = order->mem;
    if (!taco__buf_reserve(&next, bytes, err) ||
        !taco__buf_reserve(order, rows * sizeof *from, err)) {
        taco__buf_free(&next);
        return false;
    }
    at = (int32_t *)(void *)next.data;
    from = (int32_t *)(void *)order->data;
    memset(at, 0, bytes);
    for (i = 0; i < rows; i++) {
        at[taco__tree_parent(t, level, i) + 1]++;
    }
    for (i = 1; i <= above; i++) {
        at[i] += at[i - 1];
    }
    for (i = 0; i < rows; i++) {
        from[at[taco__tree_parent(t, level, i)]++] = (int32_t)i;
    }
    order->len = rows * sizeof *from;
    taco__buf_free(&next);
    return true;
}

/* Sorts the rows of a level by parent, keeping the order of siblings. *order (int32) is the old row
   of each new row, or empty if nothing moved. There must be no level below yet, since its parents
   would not follow. */
TACO__FN bool taco__tree_sort(taco__tree *t, uint32_t level, taco__buf *order, taco_error *err)
{
    taco__tree sorted;
    taco__tree_level old;
    const int32_t *from;
    size_t rows = t->level[level].rows, i;
    bool ok = true;
    order->len = 0;
    if (taco__tree_is_sorted(t, level)) { return true; }
    if (!taco__tree_order_rows(t, level, order, err)) { return false; }
    from = (const int32_t *)(const void *)order->data;
    taco__tree_init(&sorted, order->mem);
    sorted.level[level - 1] = t->level[level - 1]; /* borrowed: appending looks at parents */
    for (i = 0; ok && i < rows; i++) {
        size_t row = (size_t)from[i];
        ok = taco__tree_append_unordered(&sorted, level, taco__tree_parent(t, level, row),
                                         taco__tree_id(t, level, row),
                                         taco__tree_is_folder(t, level, row), err);
        if (ok) {
            taco__tree_set_place(&sorted, level, i, (uint64_t)taco__tree_offset(t, level, row),
                                 (uint64_t)taco__tree_size(t, level, row));
        }
    }
    /* the sorted level replaces the other, which is freed */
    old = t->level[level];
    t->level[level] = sorted.level[level];
    taco__tree_init(&sorted, order->mem);
    sorted.level[level] = old;
    taco__tree_free(&sorted);
    return ok;
}

/* Appends the path of a sample below DATA/, with a '/' at the end of a FOLDER's (§7.2.3). */
TACO__FN bool taco__tree_path(const taco__tree *t, uint32_t level, size_t row, taco__buf *out,
                              taco_error *err)
{
    size_t rows[TACO__MAX_LEVELS];
    uint32_t i = level;
    bool ok = true;
    rows[level] = row;
    for (; i; i--) {
        rows[i - 1] = taco__tree_parent(t, i, rows[i]);
    }
    for (i = 0; ok && i <= level; i++) {
        taco_bytes id = taco__tree_id(t, i, rows[i]);
        ok = taco__buf_append(out, id.data, id.len, err) &&
             ((i == level && !taco__tree_is_folder(t, i, rows[i])) ||
              taco__buf_append_char(out, '/', err));
    }
    return ok;
}

/* ---- rules of the tree ---- */

/* Checks that ids of the siblings [from, to) are unique; false with ARGUMENT if not, or if the
   check itself failed. map is emptied first; its memory is reused for each FOLDER. */
static bool taco__tree_check_siblings(const taco__tree *t, uint32_t level, size_t from, size_t to,
                                      taco__hash_map *map, taco_error *err)
{
    size_t row;
    if (!taco__hash_map_reset(map, to - from, err)) { return false; }
    for (row = from; row < to; row++) {
        taco_bytes id = taco__tree_id(t, level, row);
        bool added;
        taco__hash_slot *slot = taco__hash_map_add(map, id, &added, err);
        if (!slot) { return false; }
        if (!added) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "level %u: rows %u and %u both have the id %q, siblings must differ",
                       TACO__U(level), TACO__U(slot->value), TACO__U(row), &id);
            return false;
        }
        slot->value = row;
    }
    return true;
}

/* True for ids in ascending order, which are unique: true of most datasets, and needs no hash
   table. */
static bool taco__tree_ids_ascend(const taco__tree *t, uint32_t level, size_t from, size_t to)
{
    size_t row = from + 1;
    while (row < to && taco__bytes_compare(taco__tree_id(t, level, row - 1),
                                           taco__tree_id(t, level, row)) < 0) {
        row++;
    }
    return row == to;
}

/* §7.2.3: an id is unique among its siblings. */
TACO__FN taco_status taco__tree_check_unique_ids(const taco__tree *t, taco__mem *mem,
                                                 taco_error *err)
{
    taco__hash_map map;
    uint32_t level;
    bool ok = true;
    memset(&map, 0, sizeof map);
    map.mem = mem;
    for (level = 0; ok && level < t->levels; level++) {
        size_t from, to, rows = t->level[level].rows;
        for (from = 0; ok && from < rows; from = to) {
            for (to = from + 1; to < rows && (!level || taco__tree_parent(t, level, to) ==
                                                            taco__tree_parent(t, level, from));) {
                to++;
            }
            ok = taco__tree_ids_ascend(t, level, from, to) ||
                 taco__tree_check_siblings(t, level, from, to, &map, err);
        }
    }
    taco__hash_map_free(&map);
    return ok ? TACO_OK : err->code;
}

/* The rows [*from, *to) of a level below one row of the level above: rows are sorted by parent. */
static void taco__tree_find_children(const taco__tree *t, uint32_t level, size_t parent,
                                     size_t *from, size_t *to)
{
    size_t rows = t->level[level].rows, at = 0, end = 0;
    TACO__LOWER_BOUND(at, rows, i, taco__tree_parent(t, level, i) < parent);
    end = at;
    TACO__LOWER_BOUND(end, rows, i, taco__tree_parent(t, level, i) <= parent);
    *from = at;
    *to = end;
}

/* The first row of [from, to) whose id is not in [other, other_end); `to` if there is none. */
static size_t taco__tree_find_stray(const taco__tree *t, uint32_t level, size_t from, size_t to,
                                    size_t other, size_t other_end)
{
    for (; from < to; from++) {
        taco_bytes id = taco__tree_id(t, level, from);
        size_t k = other;
        while (k < other_end && !taco__bytes_equal(taco__tree_id(t, level, k), id)) {
            k++;
        }
        if (k == other_end) { return from; }
    }
    return to;
}

/* Reports how the children [y, yn) of a folder named `sample` differ from [x, xn) of the first one:
   one is missing, additional, of another type, or at another position. */
static void taco__tree_say_difference(const taco__tree *t, uint32_t level, size_t x, size_t xn,
                                      size_t y, size_t yn, taco_bytes sample, taco_error *err)
{
    size_t missing = taco__tree_find_stray(t, level, x, xn, y, yn);
    size_t extra = taco__tree_find_stray(t, level, y, yn, x, xn);
    taco_bytes id, other;
    if (missing < xn) {
        id = taco__tree_id(t, level, missing);
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "PIT-1: sample %q has no %q, which the first sample has", &sample, &id);
        return;
    }
    if (extra < yn) {
        id = taco__tree_id(t, level, extra);
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "PIT-1: sample %q has %q, which the first sample has not", &sample, &id);
        return;
    }
    while (x + 1 < xn && y + 1 < yn &&
           taco__bytes_equal(taco__tree_id(t, level, x), taco__tree_id(t, level, y)) &&
           taco__tree_is_folder(t, level, x) == taco__tree_is_folder(t, level, y)) {
        x++;
        y++;
    }
    id = taco__tree_id(t, level, y);
    other = taco__tree_id(t, level, x);
    TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "PIT-1: sample %q has the %s %q where the first sample has the %s %q", &sample,
               taco__collection_type_name(taco__tree_is_folder(t, level, y)), &id,
               taco__collection_type_name(taco__tree_is_folder(t, level, x)), &other);
}

/* The same for folder b, which differs from a, in the first sample. Always false. */
static bool taco__tree_fail_children(const taco__tree *t, uint32_t level, size_t a, size_t b,
                                     taco_error *err)
{
    size_t x, xn, y, yn;
    taco__buf path;
    memset(&path, 0, sizeof path);
    path.mem = t->level[0].ids.mem;
    taco__tree_find_children(t, level + 1, a, &x, &xn);
    taco__tree_find_children(t, level + 1, b, &y, &yn);
    if (taco__tree_path(t, level, b, &path, err)) {
        /* without the '/' at its end */
        taco__tree_say_difference(t, level + 1, x, xn, y, yn,
                                  taco__bytes_of(path.data, path.len - 1), err);
    }
    taco__buf_free(&path);
    return false;
}

/* Checks that two folders, and everything below them, are alike. If it is not deep, only children
   of level 0 are compared, and how many children those have. */
static bool taco__tree_check_alike(const taco__tree *t, uint32_t level, size_t a, size_t b,
                                   bool deep, taco_error *err)
{
    size_t x, xn, y, yn, i;
    const bool only_count = level == 1 && !deep;
    taco__tree_find_children(t, level + 1, a, &x, &xn);
    taco__tree_find_children(t, level + 1, b, &y, &yn);
    for (i = 0; xn - x == yn - y && x + i < xn &&
                (only_count || (taco__tree_is_folder(t, level + 1, x + i) ==
                                    taco__tree_is_folder(t, level + 1, y + i) &&
                                taco__bytes_equal(taco__tree_id(t, level + 1, x + i),
                                                  taco__tree_id(t, level + 1, y + i))));
         i++) {}
    if (xn - x != yn - y || x + i < xn) { return taco__tree_fail_children(t, level, a, b, err); }
    for (i = x; i < xn && level + 2 < t->levels && !only_count; i++) {
        if (taco__tree_is_folder(t, level + 1, i) &&
            !taco__tree_check_alike(t, level + 1, i, y + (i - x), deep, err)) {
            return false;
        }
    }
    return true;
}

/* PIT-1 (§5.5): all level-0 samples have the same type, and the same tree below them, with the same
   ids and types at the same positions. If it is not deep, only what taco__check_tree_isomorphic
   calls an error fails. */
TACO__FN taco_status taco__tree_check_pit1(const taco__tree *t, bool deep, taco_error *err)
{
    size_t n0 = t->level[0].rows, row;
    bool folder = n0 && taco__tree_is_folder(t, 0, 0);
    for (row = 1; row < n0; row++) {
        if (taco__tree_is_folder(t, 0, row) != folder) {
            taco_bytes a = taco__tree_id(t, 0, 0), b = taco__tree_id(t, 0, row);
            return TACO__FAIL(
                err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                "PIT-1: sample %q is a %s, sample %q a %s; all of level 0 must be of one type", &a,
                taco__collection_type_name(folder), &b, taco__collection_type_name(!folder));
        }
    }
    for (row = 1; folder && t->levels > 1 && row < n0; row++) {
        if (!taco__tree_check_alike(t, 0, 0, row, deep, err)) { return err->code; }
    }
    return TACO_OK;
}

/* End of the rows that have the parent of row `from`. */
static size_t taco__tree_siblings_end(const taco__tree *t, uint32_t d, size_t from)
{
    size_t row = from;
    while (row < t->level[d].rows &&
           taco__tree_parent(t, d, row) == taco__tree_parent(t, d, from)) {
        row++;
    }
    return row;
}

/* The first of k rows from `from` on that differs from the first rows of its level. */
static size_t taco__tree_unlike_first(const taco__tree *t, uint32_t d, size_t from, size_t k)
{
    size_t i;
    for (i = 0; i < k; i++) {
        taco_bytes id = taco__tree_id(t, d, from + i), other = taco__tree_id(t, d, i);
        if (!taco__bytes_equal(id, other) ||
            taco__tree_is_folder(t, d, from + i) != taco__tree_is_folder(t, d, i)) {
            break;
        }
    }
    return i;
}

/* The draft of June 2025 requires more than PIT-1: all FOLDERs of a level have the same children,
   in ids and types, whatever their parents. Rows are sorted by parent. */
TACO__FN taco_status taco__tree_check_strict_pit(const taco__tree *t, taco_error *err)
{
    uint32_t d;
    for (d = 1; d < t->levels; d++) {
        size_t k = taco__tree_siblings_end(t, d, 0), from = k, end;
        for (; from < t->level[d].rows; from = end) {
            taco_bytes folder = taco__tree_id(t, d - 1, taco__tree_parent(t, d, from));
            end = taco__tree_siblings_end(t, d, from);
            if (end - from != k) {
                return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                                  "strict PIT: level %u: FOLDER %q has %u children, the first of "
                                  "its level has %u",
                                  TACO__U(d - 1), &folder, TACO__U(end - from), TACO__U(k));
            }
            if (taco__tree_unlike_first(t, d, from, k) < k) {
                size_t i = taco__tree_unlike_first(t, d, from, k);
                taco_bytes id = taco__tree_id(t, d, from + i), other = taco__tree_id(t, d, i);
                return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                                  "strict PIT: level %u: FOLDER %q has %s %q where the first of "
                                  "its level has %s %q",
                                  TACO__U(d - 1), &folder,
                                  taco__collection_type_name(taco__tree_is_folder(t, d, from + i)),
                                  &id, taco__collection_type_name(taco__tree_is_folder(t, d, i)),
                                  &other);
            }
        }
    }
    return TACO_OK;
}

/* ARGUMENT if there is no sample, or a FOLDER without children, which could not have a __meta__
   (§6.2). */
TACO__FN bool taco__tree_check_no_empty_folder(const taco__tree *t, taco_error *err)
{
    uint32_t level;
    if (t->level[0].rows == 0) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "a dataset has at least one sample");
        return false;
    }
    for (level = 0; level < TACO__MAX_LEVELS; level++) {
        const taco__tree_level *below = level + 1 < TACO__MAX_LEVELS ? &t->level[level + 1] : NULL;
        size_t row, next = 0;
        for (row = 0; row < t->level[level].rows; row++) {
            if (!taco__tree_is_folder(t, level, row)) { continue; }
            while (below && next < below->rows && taco__tree_parent(t, level + 1, next) < row) {
                next++;
            }
            if (!below || next == below->rows || taco__tree_parent(t, level + 1, next) != row) {
                taco_bytes id = taco__tree_id(t, level, row);
                TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                           "level %u: FOLDER %q has no children", TACO__U(level), &id);
                return false;
            }
        }
    }
    return true;
}

/* The next sample, depth first: after the last child of a FOLDER, the sample after the FOLDER.
   False at the end. */
TACO__FN bool taco__tree_walk_next(const taco__tree *t, taco__tree_walk *w, uint32_t *level,
                                   size_t *row)
{
    size_t at;
    while (at = w->next[w->level],
           at >= t->level[w->level].rows ||
               (w->level && taco__tree_parent(t, w->level, at) != w->next[w->level - 1] - 1)) {
        if (w->level == 0) { return false; }
        w->level--;
    }
    *level = w->level;
    *row = at;
    w->next[w->level]++;
    w->level += taco__tree_is_folder(t, *level, at) && *level + 1 < TACO__MAX_LEVELS;
    return true;
}
