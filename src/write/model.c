/* ==== ROOM model: the rules of ids, names, trees and COLLECTION.json, and what is computed from a tree.
   Uses: pq:base error mem num describe json coll. Spec: TACO 2.0.0 §5, §6.2 ====
   The rules are functions of values alone: the writer refuses by them, and validation holds them against what stands. */

#define TACO__RULES_PADDING                                                                        \
    "__TACOPAD__" /* begins the id of a row that only keeps the tree regular (§5.5) */

/* ---- the tree: ids, types, parents and places of all samples ---- */

/* The samples of one level, in order: the children of a parent stand together, behind those of the parents before it. */
typedef struct taco__tree_level {
    taco__buf ids;     /* one behind the other                                          */
    taco__buf ends;    /* int32 where ids begin: rows + 1 of them, as Arrow's offsets   */
    taco__buf parents; /* uint32 row in the level above; nothing at level 0             */
    taco__buf folders; /* uint8: 1 for a FOLDER                                         */
    taco__buf offsets; /* int64 where the bytes are in the archive; a FOLDER's __meta__ */
    taco__buf sizes;   /* int64 how many                                                */
    size_t    rows;
} taco__tree_level;
typedef struct taco__tree {
    taco__tree_level level[TACO__MAX_LEVELS];
    uint32_t         levels; /* those with rows */
} taco__tree;

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
TACO__FN taco_bytes taco__tree_id(const taco__tree *t, uint32_t level, size_t row)
{
    const taco__tree_level *l = &t->level[level];
    const int32_t          *at = (const int32_t *)(const void *)l->ends.data;
    return taco__bytes_of(l->ids.data + at[row], (size_t)(at[row + 1] - at[row]));
}
TACO__FN size_t taco__tree_parent(const taco__tree *t, uint32_t level, size_t row)
{
    return ((const uint32_t *)(const void *)t->level[level].parents.data)[row];
}
TACO__FN bool taco__tree_is_folder(const taco__tree *t, uint32_t level, size_t row)
{
    return t->level[level].folders.data[row] != 0;
}
TACO__FN int64_t taco__tree_offset(const taco__tree *t, uint32_t level, size_t row)
{
    return ((const int64_t *)(const void *)t->level[level].offsets.data)[row];
}
TACO__FN int64_t taco__tree_size(const taco__tree *t, uint32_t level, size_t row)
{
    return ((const int64_t *)(const void *)t->level[level].sizes.data)[row];
}
TACO__FN void taco__tree_set_place(taco__tree *t, uint32_t level, size_t row, uint64_t offset,
                                   uint64_t size)
{
    ((int64_t *)(void *)t->level[level].offsets.data)[row] = (int64_t)offset;
    ((int64_t *)(void *)t->level[level].sizes.data)[row] = (int64_t)size;
}
/* Appends a sample behind those of its level; at whatever place its parent, a FOLDER of the level above, stands. */
TACO__FN bool taco__tree_append_unordered(taco__tree *t, uint32_t level, size_t parent,
                                          taco_bytes id, bool folder, taco_error *err)
{
    taco__tree_level *l = &t->level[level];
    const int64_t     zero = 0;
    const uint32_t    up = (uint32_t)parent;
    const int32_t     none = 0;
    int32_t           end;
    if (level &&
        (parent >= t->level[level - 1].rows || !t->level[level - 1].folders.data[parent])) {
        TACO__FAIL(
            err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
            "sample %q of level %u: its parent is row %u, which is no FOLDER of the %u above", &id,
            TACO__U(level), TACO__U(parent), TACO__U(t->level[level - 1].rows));
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
/* The same where its parent (nothing at level 0) is not before that of the one before. */
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
/* Brings the samples of a level that were appended into the order of their parents. *order (int32) says which row before
   each row was; it is left empty when they stood right. Nothing may hang on the rows of the level yet. */
TACO__FN bool taco__tree_sort(taco__tree *t, uint32_t level, taco__buf *order, taco_error *err)
{
    taco__tree sorted;
    taco__buf  next;
    size_t     rows = t->level[level].rows, above = level ? t->level[level - 1].rows : 0, i;
    size_t     bytes = (above + 1) * sizeof(int32_t);
    int32_t   *at, *from;
    bool       ok = true;
    order->len = 0;
    for (i = 1; level && i < rows &&
                taco__tree_parent(t, level, i - 1) <= taco__tree_parent(t, level, i);) {
        i++;
    }
    if (!level || i >= rows) {
        return true;
    }
    memset(&next, 0, sizeof next);
    next.mem = order->mem;
    if (!taco__buf_reserve(&next, bytes, err) ||
        !taco__buf_reserve(order, rows * sizeof *from, err)) {
        taco__buf_free(&next);
        return false;
    }
    at = (int32_t *)(void *)next.data; /* where the children of each parent go */
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
    sorted = *t;
    taco__tree_init(&sorted, order->mem);
    if (level) { /* for its check of parents */
        sorted.level[level - 1] = t->level[level - 1];
    }
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
    { /* the sorted level takes the place of the other, which is let go */
        taco__tree_level old = t->level[level];
        t->level[level] = sorted.level[level];
        taco__tree_init(&sorted, order->mem);
        sorted.level[level] = old;
        taco__tree_free(&sorted);
    }
    return ok;
}
/* Appends the path of a sample below DATA/, a '/' behind a FOLDER's (§7.2.3). */
TACO__FN bool taco__tree_path(const taco__tree *t, uint32_t level, size_t row, taco__buf *out,
                              taco_error *err)
{
    size_t   rows[TACO__MAX_LEVELS];
    uint32_t i = level;
    bool     ok = true;
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

/* ---- rules of samples ---- */

TACO__FN bool taco__rules_is_padding(taco_bytes id)
{
    size_t i, n = sizeof TACO__RULES_PADDING - 1;
    bool   ok = id.len > n && taco__bytes_starts_with(id, TACO__RULES_PADDING);
    for (i = n; ok && i < id.len; i++) {
        ok = id.data[i] >= '0' && id.data[i] <= '9';
    }
    return ok;
}
/* §5.6: no slash, backslash or colon; no double underscore at the start, unless it is padding. And UTF-8, as Parquet's
   strings are. */
TACO__FN taco_status taco__rules_check_id(taco_bytes id, taco_error *err)
{
    uint8_t any = 0;
    size_t  i;
    for (i = 0; i < id.len; i++) {
        uint8_t b = id.data[i];
        any |= b;
        if (b == '/' || b == '\\' || b == ':') {
            char c[2] = {0, 0};
            c[0] = (char)b;
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "id %q contains '%s'; an id has no '/', '\\' and ':'", &id, c);
        }
    }
    if (taco__bytes_starts_with(id, "__") && !taco__rules_is_padding(id)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "id %q starts with '__', which is reserved for padding", &id);
    }
    if ((any & 0x80) && !taco__utf8_valid(id)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "id %q is not UTF-8", &id);
    }
    return TACO_OK;
}
/* What an id must be besides to name a file, in a FOLDER or where an archive is unpacked. */
TACO__FN taco_status taco__rules_check_file_name(taco_bytes id, taco_error *err)
{
    if (id.len == 0) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "an id is empty; it names a file");
    }
    if ((id.len == 1 && id.data[0] == '.') ||
        (id.len == 2 && id.data[0] == '.' && id.data[1] == '.')) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "id %q is a directory's name for itself or the one above", &id);
    }
    if (memchr(id.data, 0, id.len) != NULL) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "id %q has a zero byte; it names a file", &id);
    }
    if (taco__bytes_equal(id, taco__bytes_text("__meta__"))) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "id %q is the name of the local metadata", &id);
    }
    return TACO_OK;
}
/* True for columns that are the format's own: id, type, path and what begins with "internal:" (§7.2.3). */
TACO__FN bool taco__rules_is_reserved_column(taco_bytes name)
{
    return taco__bytes_equal(name, taco__bytes_text("id")) ||
           taco__bytes_equal(name, taco__bytes_text("type")) ||
           taco__bytes_equal(name, taco__bytes_text("path")) ||
           taco__bytes_starts_with(name, "internal:");
}
/* §7.1.2: letters, digits and underscores, with at most one colon between them; and no protected name. */
TACO__FN taco_status taco__rules_check_column_name(taco_bytes name, taco_error *err)
{
    size_t i, colons = 0, run = 0;
    bool   ok = name.len != 0;
    for (i = 0; ok && i < name.len; i++) {
        uint8_t c = name.data[i];
        if (c == ':') {
            ok = run != 0 && ++colons == 1;
            run = 0;
        } else {
            ok = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                 c == '_';
            run++;
        }
    }
    if (!ok || run == 0) {
        return TACO__FAIL(
            err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
            "column %q: a name is letters, digits and '_', with one ':' between at most", &name);
    }
    if (taco__rules_is_reserved_column(name)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "column %q: the name is protected, the format fills it itself", &name);
    }
    return TACO_OK;
}

/* ---- rules of the tree ---- */

/* Siblings with equal ids; slots holds 2^bits uint32. */
TACO__FN bool taco__tree_find_equal_ids(const taco__tree *t, uint32_t level, size_t from, size_t to,
                                        uint32_t *slots, size_t mask, size_t *first, size_t *second)
{
    size_t row;
    memset(slots, 0xFF, (mask + 1) * sizeof *slots);
    for (row = from; row < to; row++) {
        taco_bytes id = taco__tree_id(t, level, row);
        size_t     at = (size_t)taco__xxh64_hash(0, id.data, id.len) & mask;
        for (; slots[at] != UINT32_MAX; at = (at + 1) & mask) {
            if (taco__bytes_equal(id, taco__tree_id(t, level, slots[at]))) {
                *first = slots[at];
                *second = row;
                return false;
            }
        }
        slots[at] = (uint32_t)row;
    }
    return true;
}
/* Ids that ascend are each there once; no table is needed to see that. */
TACO__FN bool taco__tree_ids_ascend(const taco__tree *t, uint32_t level, size_t from, size_t to)
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
    taco__buf   slots;
    uint32_t    level;
    taco_status st = TACO_OK;
    memset(&slots, 0, sizeof slots);
    slots.mem = mem;
    for (level = 0; st == TACO_OK && level < t->levels; level++) {
        size_t from, to, rows = t->level[level].rows, first, second, cap;
        for (from = 0; st == TACO_OK && from < rows; from = to) {
            for (to = from + 1; to < rows && (!level || taco__tree_parent(t, level, to) ==
                                                            taco__tree_parent(t, level, from));) {
                to++;
            }
            if (taco__tree_ids_ascend(t, level, from, to)) {
                continue;
            }
            for (cap = 8; cap < (to - from) * 2; cap *= 2) {
            }
            slots.len = 0;
            if (!taco__buf_reserve(&slots, cap * sizeof(uint32_t), err)) {
                st = TACO_ERR_MEMORY;
            } else if (!taco__tree_find_equal_ids(t, level, from, to,
                                                  (uint32_t *)(void *)slots.data, cap - 1, &first,
                                                  &second)) {
                taco_bytes id = taco__tree_id(t, level, first);
                st =
                    TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                               "level %u: rows %u and %u both have the id %q, siblings must differ",
                               TACO__U(level), TACO__U(first), TACO__U(second), &id);
            }
        }
    }
    taco__buf_free(&slots);
    return st;
}
/* PIT-1 (§5.5): all level-0 samples are of one type, and below every one of them stands the same tree: as many
   children, with the same ids and types at the same places, all the way down. */
TACO__FN taco_status taco__tree_check_pit1(const taco__tree *t, taco_error *err)
{
    size_t   n0 = t->level[0].rows, row, above = 1;
    uint32_t d;
    for (row = 1; row < n0; row++) {
        if (taco__tree_is_folder(t, 0, row) != taco__tree_is_folder(t, 0, 0)) {
            taco_bytes a = taco__tree_id(t, 0, 0), b = taco__tree_id(t, 0, row);
            return TACO__FAIL(
                err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                "PIT-1: sample %q is a %s, sample %q a %s; all of level 0 must be of one type", &a,
                taco__collection_type_name(taco__tree_is_folder(t, 0, 0)), &b,
                taco__collection_type_name(taco__tree_is_folder(t, 0, row)));
        }
    }
    for (d = 1; d < t->levels; d++) {
        size_t rows = t->level[d].rows, k = rows / n0;
        for (row = 0; row < rows; row++) {
            size_t     like = k ? row % k : 0, top = row, i;
            taco_bytes id = taco__tree_id(t, d, row), other = taco__tree_id(t, d, like), sample;
            if (k && taco__bytes_equal(id, other) &&
                taco__tree_is_folder(t, d, row) == taco__tree_is_folder(t, d, like) &&
                taco__tree_parent(t, d, row) == row / k * above + taco__tree_parent(t, d, like)) {
                continue;
            }
            for (i = d; i; i--) {
                top = taco__tree_parent(t, (uint32_t)i, top);
            }
            sample = taco__tree_id(t, 0, top);
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "PIT-1: level %u, row %u: below sample %q stands %s %q where the "
                              "first sample has %s "
                              "%q, or the numbers of children differ",
                              TACO__U(d), TACO__U(row), &sample,
                              taco__collection_type_name(taco__tree_is_folder(t, d, row)), &id,
                              taco__collection_type_name(taco__tree_is_folder(t, d, like)), &other);
        }
        if (rows % n0) {
            taco_bytes sample = taco__tree_id(t, 0, n0 - 1);
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "PIT-1: %u rows of level %u below %u samples, the last is %q; every "
                              "sample must have as "
                              "many",
                              TACO__U(rows), TACO__U(d), TACO__U(n0), &sample);
        }
        above = k;
    }
    return TACO_OK;
}

/* ---- what is said of the tree: taco:pit_schema ---- */

#define TACO__PIT_SCHEMA_NONE UINT32_MAX /* a row below which nothing is described */

typedef struct
    taco__pit_schema_pattern { /* the children of one kind of folder, as the fullest of them has them */
    uint32_t from, to;         /* rows of the level                        */
    uint64_t n;                /* rows below all folders of the kind       */
    uint32_t below; /* FOLDER places: number of the first of their patterns in the next level */
} taco__pit_schema_pattern;

/* The children of the rows of one level, by kind of folder: kinds[row] is the pattern of what stands below a row. */
TACO__FN void taco__pit_schema_find_fullest(const taco__tree *t, uint32_t level,
                                            const uint32_t           *kinds,
                                            taco__pit_schema_pattern *patterns)
{
    size_t from, to, rows = t->level[level].rows;
    for (from = 0; from < rows; from = to) {
        size_t   parent = taco__tree_parent(t, level, from);
        uint32_t kind = kinds[parent];
        for (to = from + 1; to < rows && taco__tree_parent(t, level, to) == parent;) {
            to++;
        }
        if (kind != TACO__PIT_SCHEMA_NONE) {
            taco__pit_schema_pattern *p = &patterns[kind];
            p->n += to - from;
            if (to - from > p->to - p->from) {
                p->from = (uint32_t)from;
                p->to = (uint32_t)to;
            }
        }
    }
}
/* Numbers the kinds of the FOLDERs in the patterns of a level, in order, and says for every row which it is: the FOLDER
   at the same place, or else with the same id. */
TACO__FN uint32_t taco__pit_schema_number_kinds(const taco__tree *t, uint32_t level,
                                                const uint32_t           *above,
                                                taco__pit_schema_pattern *patterns, uint32_t count,
                                                uint32_t *kinds)
{
    uint32_t i, next = 0;
    size_t   row, place = 0;
    for (i = 0; i < count; i++) {
        patterns[i].below = next;
        for (row = patterns[i].from; row < patterns[i].to; row++) {
            next += taco__tree_is_folder(t, level, row);
        }
    }
    for (row = 0; row < t->level[level].rows; row++) {
        size_t                          parent = taco__tree_parent(t, level, row), k;
        uint32_t                        folders = 0;
        const taco__pit_schema_pattern *p;
        place = row && taco__tree_parent(t, level, row - 1) == parent ? place + 1 : 0;
        kinds[row] = TACO__PIT_SCHEMA_NONE;
        if (above[parent] == TACO__PIT_SCHEMA_NONE || !taco__tree_is_folder(t, level, row)) {
            continue;
        }
        p = &patterns[above[parent]];
        for (k = p->from; k < p->to; k++) {
            bool folder = taco__tree_is_folder(t, level, k);
            if (folder && (kinds[row] == TACO__PIT_SCHEMA_NONE || k - p->from == place) &&
                taco__bytes_equal(taco__tree_id(t, level, k), taco__tree_id(t, level, row))) {
                kinds[row] = p->below + folders;
            }
            folders += folder;
        }
    }
    return next;
}
TACO__FN bool taco__pit_schema_write_number(taco__buf *out, uint64_t x, taco_error *err)
{
    char digits[24];
    return taco__buf_append(out, digits, taco__num_format_u64(digits, x), err);
}
TACO__FN bool taco__pit_schema_write_pattern(const taco__tree *t, uint32_t level,
                                             const taco__pit_schema_pattern *p, taco__buf *out,
                                             taco_error *err)
{
    size_t row;
    bool   ok = taco__buf_append_text(out, "{\"n\":", err) &&
              taco__pit_schema_write_number(out, p->n, err) &&
              taco__buf_append_text(out, ",\"type\":[", err);
    for (row = p->from; ok && row < p->to; row++) {
        ok = (row == p->from || taco__buf_append_char(out, ',', err)) &&
             taco__buf_append_char(out, '"', err) &&
             taco__buf_append_text(
                 out, taco__collection_type_name(taco__tree_is_folder(t, level, row)), err) &&
             taco__buf_append_char(out, '"', err);
    }
    ok = ok && taco__buf_append_text(out, "],\"id\":[", err);
    for (row = p->from; ok && row < p->to; row++) {
        ok = (row == p->from || taco__buf_append_char(out, ',', err)) &&
             taco__json_write_utf8(out, taco__tree_id(t, level, row), err);
    }
    return ok && taco__buf_append_text(out, "]}", err);
}
/* The key of one level: a pattern for every kind of folder above. kinds are of the rows above; *next gets those of this
   level, *count how many there are. */
TACO__FN bool taco__pit_schema_write_level(const taco__tree *t, uint32_t level,
                                           const taco__buf *kinds, taco__buf *next, uint32_t *count,
                                           taco__buf *out, taco_error *err)
{
    size_t                    bytes = (size_t)*count * sizeof(taco__pit_schema_pattern);
    taco__pit_schema_pattern *patterns =
        (taco__pit_schema_pattern *)taco__mem_alloc(next->mem, bytes, err);
    const uint32_t *above = (const uint32_t *)(const void *)kinds->data;
    uint32_t        i, n = *count;
    bool ok = patterns && taco__buf_reset(next, t->level[level].rows * sizeof(uint32_t), err);
    bool first = true;
    if (ok) {
        taco__pit_schema_find_fullest(t, level, above, patterns);
        *count = taco__pit_schema_number_kinds(t, level, above, patterns, n,
                                               (uint32_t *)(void *)next->data);
    }
    for (i = 0; ok && i < n; i++) {
        if (patterns[i].to >
            patterns[i].from) { /* a folder without children has none to describe */
            ok = (first || taco__buf_append_char(out, ',', err)) &&
                 taco__pit_schema_write_pattern(t, level, &patterns[i], out, err);
            first = false;
        }
    }
    taco__mem_free(next->mem, patterns, bytes);
    return ok;
}
/* The longest run of children in a level. */
TACO__FN uint64_t taco__pit_schema_most_children(const taco__tree *t, uint32_t level)
{
    size_t   row, run = 0;
    uint64_t most = 0;
    for (row = 0; row < t->level[level].rows; row++) {
        run = row && taco__tree_parent(t, level, row) == taco__tree_parent(t, level, row - 1)
                  ? run + 1
                  : 1;
        most = TACO__MAX(most, (uint64_t)run);
    }
    return most;
}
/* Appends the value of taco:pit_schema: counted, never copied, so that it holds for exports and parts as well. */
TACO__FN bool taco__pit_schema_write(const taco__tree *t, taco__buf *out, taco_error *err)
{
    taco__buf kinds[2];
    uint32_t  level, count = 1;
    bool      ok, folders = t->level[0].rows && taco__tree_is_folder(t, 0, 0);
    memset(kinds, 0, sizeof kinds);
    kinds[0].mem = kinds[1].mem = out->mem;
    ok = taco__buf_append_text(out, "{\"root\":{\"n\":", err) &&
         taco__pit_schema_write_number(out, t->level[0].rows, err) &&
         taco__buf_append_text(out, ",\"type\":\"", err) &&
         taco__buf_append_text(out, taco__collection_type_name(folders), err) &&
         taco__buf_append_text(out, "\"},\"shape\":[", err) &&
         taco__pit_schema_write_number(out, t->level[0].rows, err);
    for (level = 1; ok && level < t->levels; level++) {
        ok = taco__buf_append_char(out, ',', err) &&
             taco__pit_schema_write_number(out, taco__pit_schema_most_children(t, level), err);
    }
    ok = ok && taco__buf_append_text(out, "],\"hierarchy\":{", err) &&
         taco__buf_reset(&kinds[0], t->level[0].rows * sizeof(uint32_t), err);
    if (ok) {
        memset(kinds[0].data, 0, t->level[0].rows * sizeof(uint32_t));
    }
    for (level = 1; ok && level < t->levels; level++) {
        char key[] = "\"1\":[";
        key[1] = (char)('0' + level);
        ok = (level == 1 || taco__buf_append_char(out, ',', err)) &&
             taco__buf_append_text(out, key, err) &&
             taco__pit_schema_write_level(t, level, &kinds[(level - 1) & 1], &kinds[level & 1],
                                          &count, out, err) &&
             taco__buf_append_char(out, ']', err);
    }
    taco__buf_free(&kinds[0]);
    taco__buf_free(&kinds[1]);
    return ok && taco__buf_append_text(out, "}}", err);
}

/* ---- taco:field_schema ---- */

/* What the reference says of the columns that are everywhere. NULL for others. */
TACO__FN const char *taco__document_standard_description(const char *name)
{
    static const char *const texts[][2] = {
        {"id", "Unique sample identifier within parent scope. Must be unique among siblings."},
        {"type", "Sample type discriminator (FILE or FOLDER)."},
        {"internal:current_id", "Current sample position at this level (0-indexed). Enables O(1) "
                                "random access and relational JOINs (ZIP, "
                                "FOLDER, TACOCAT)."},
        {"internal:parent_id", "Foreign key referencing parent sample position in previous level "
                               "(ZIP, FOLDER, TACOCAT)."},
        {"internal:relative_path", "Relative path from DATA/ directory. Format: {parent_path}/{id} "
                                   "or {id} for level0 (ZIP, FOLDER, TACOCAT)."},
    };
    size_t i;
    for (i = 0; i < TACO__COUNT(texts); i++) {
        if (strcmp(texts[i][0], name) == 0) {
            return texts[i][1];
        }
    }
    return NULL;
}
/* The description that another field schema (may be NULL) has of a column of a level: [name, type, description]. */
TACO__FN taco_bytes taco__document_given_description(const taco__json *schema, const char *level,
                                                     const char *name)
{
    const taco__json *list = taco__json_get(schema, level), *row;
    size_t            i, n = taco__json_length(list);
    for (i = 0, row = n ? taco__json_first(list) : NULL; i < n; i++, row = taco__json_next(row)) {
        if (taco__json_equals(taco__json_at(row, 0), name)) {
            return taco__json_bytes(taco__json_at(row, 2));
        }
    }
    return taco__bytes_of("", 0);
}
TACO__FN bool taco__document_write_field(const taco_field *f, const char *level,
                                         const taco__json *known, taco__buf *out, taco_error *err)
{
    const char *text = taco__document_standard_description(f->name);
    taco_bytes  said =
        text ? taco__bytes_text(text) : taco__document_given_description(known, level, f->name);
    size_t at;
    bool   ok = taco__buf_append_char(out, '[', err) &&
              taco__json_write_utf8(out, taco__bytes_text(f->name), err) &&
              taco__buf_append_text(out, ",\"", err);
    at = out->len;
    ok = ok && taco__type_name_append(f, out, err);
    for (; ok && at < out->len; at++) { /* the reference has the names in lower case */
        uint8_t c = out->data[at];
        out->data[at] = (uint8_t)(c >= 'A' && c <= 'Z' ? c + 32 : c);
    }
    return ok && taco__buf_append_text(out, "\",", err) && taco__json_write_utf8(out, said, err) &&
           taco__buf_append_char(out, ']', err);
}
TACO__FN taco_field taco__level_table_field(const char *name, taco_type type)
{
    taco_field f;
    memset(&f, 0, sizeof f);
    f.name = name;
    f.type = type;
    f.nullable = true;
    f.width = type == TACO_INT64 ? 8 : 0;
    return f;
}
/* One level of taco:field_schema: id, type, the user's n columns, and what every container has besides. */
TACO__FN bool taco__document_write_fields(uint32_t level, const taco_field *fields, size_t n,
                                          const taco__json *known, taco__buf *out, taco_error *err)
{
    const taco_field core[] = {taco__level_table_field("id", TACO_TEXT),
                               taco__level_table_field("type", TACO_TEXT),
                               taco__level_table_field("internal:current_id", TACO_INT64),
                               taco__level_table_field("internal:parent_id", TACO_INT64),
                               taco__level_table_field("internal:relative_path", TACO_TEXT)};
    char             key[] = "level0";
    size_t           i, last = level ? 5 : 4;
    bool             ok;
    key[5] = (char)('0' + level);
    ok = taco__buf_append_char(out, '"', err) && taco__buf_append_text(out, key, err) &&
         taco__buf_append_text(out, "\":[", err);
    for (i = 0; ok && i < last + n; i++) {
        const taco_field *f = i < 2 ? &core[i] : i < 2 + n ? &fields[i - 2] : &core[i - n];
        ok = (i == 0 || taco__buf_append_char(out, ',', err)) &&
             taco__document_write_field(f, key, known, out, err);
    }
    return ok && taco__buf_append_char(out, ']', err);
}

/* ---- COLLECTION.json ---- */

/* What is done with a breach: return false to stop. A warning is a rule of the reference that the specification has not. */
typedef bool (*taco__rules_report_fn)(void *ctx, bool warning, const taco_error *what);

typedef struct taco__rules_check {
    taco__rules_report_fn found;
    void                 *ctx;
    bool                  stopped;
} taco__rules_check;

/* Says that `field` breaks a rule; n is what stands there. */
#define TACO__RULES_REPORT(c, warning, n, ...)                                                     \
    do {                                                                                           \
        taco_error taco__e;                                                                        \
        memset(&taco__e, 0, sizeof taco__e);                                                       \
        TACO__FAIL(&taco__e, TACO_ERR_ARGUMENT, (n) ? (n)->begin : TACO_NO_OFFSET, __VA_ARGS__);   \
        (c)->stopped = (c)->stopped || !(c)->found((c)->ctx, (warning), &taco__e);                 \
    } while (0)

TACO__FN bool taco__rules_is_null(const taco__json *n)
{
    return !n || n->type == TACO__JSON_NULL;
}
TACO__FN void taco__rules_check_text(taco__rules_check *c, const taco__json *root, const char *key,
                                     bool required)
{
    const taco__json *n = taco__json_get(root, key);
    if (taco__json_is(n, TACO__JSON_STRING) ? (required && n->count == 0)
                                            : (required || !taco__rules_is_null(n))) {
        TACO__RULES_REPORT(c, false, n ? n : root, "%s must be a string%s, found %s", key,
                           required ? " that is not empty" : " or null",
                           taco__json_is(n, TACO__JSON_STRING) ? "an empty one"
                                                               : taco__json_type_name(n));
    }
}
TACO__FN void taco__rules_check_texts(taco__rules_check *c, const taco__json *root, const char *key,
                                      bool required)
{
    const taco__json *n = taco__json_get(root, key), *item;
    size_t            i;
    if (!required && taco__rules_is_null(n)) {
        return;
    }
    if (!taco__json_is(n, TACO__JSON_ARRAY) || (required && n->count == 0)) {
        TACO__RULES_REPORT(c, false, n ? n : root, "%s must be an array of strings%s, found %s",
                           key, required ? ", at least one" : "",
                           taco__json_is(n, TACO__JSON_ARRAY) ? "an empty one"
                                                              : taco__json_type_name(n));
        return;
    }
    for (i = 0, item = taco__json_first(n); i < n->count; i++, item = taco__json_next(item)) {
        if (!taco__json_is(item, TACO__JSON_STRING) || item->count == 0) {
            TACO__RULES_REPORT(c, false, item,
                               "%s[%u] must be a string that is not empty, found %s", key,
                               TACO__U(i),
                               taco__json_is(item, TACO__JSON_STRING) ? "an empty one"
                                                                      : taco__json_type_name(item));
        }
    }
}
/* A string of a contact, when it is there: it begins with one of two prefixes, or contains a character. */
TACO__FN void taco__rules_check_contact_text(taco__rules_check *c, const taco__json *who,
                                             const char *key, size_t i, const char *name)
{
    const taco__json *n = taco__json_get(who, name);
    taco_bytes        text = taco__json_bytes(n);
    if (taco__rules_is_null(n)) {
        return;
    }
    if (!taco__json_is(n, TACO__JSON_STRING)) {
        TACO__RULES_REPORT(c, false, n, "%s[%u].%s must be a string, found %s", key, TACO__U(i),
                           name, taco__json_type_name(n));
    } else if (strcmp(name, "url") == 0 && text.len && !taco__bytes_starts_with(text, "http://") &&
               !taco__bytes_starts_with(text, "https://")) {
        TACO__RULES_REPORT(c, true, n, "%s[%u].url is %q, must begin with http:// or https://", key,
                           TACO__U(i), &text);
    } else if (strcmp(name, "email") == 0 && text.len && !memchr(text.data, '@', text.len)) {
        TACO__RULES_REPORT(c, true, n, "%s[%u].email is %q, must contain '@'", key, TACO__U(i),
                           &text);
    }
}
/* providers and curators: objects with a name or an organization (§5.6), roles and addresses. */
TACO__FN void taco__rules_check_contacts(taco__rules_check *c, const taco__json *root,
                                         const char *key, bool required)
{
    static const char *const texts[] = {"name", "organization", "email", "role", "url"};
    const taco__json        *n = taco__json_get(root, key), *who;
    size_t                   i, k;
    if (!required && taco__rules_is_null(n)) {
        return;
    }
    if (!taco__json_is(n, TACO__JSON_ARRAY) || (required && n->count == 0)) {
        TACO__RULES_REPORT(c, false, n ? n : root, "%s must be an array of objects%s, found %s",
                           key, required ? ", at least one" : "",
                           taco__json_is(n, TACO__JSON_ARRAY) ? "an empty one"
                                                              : taco__json_type_name(n));
        return;
    }
    for (i = 0, who = taco__json_first(n); i < n->count; i++, who = taco__json_next(who)) {
        if (!taco__json_is(who, TACO__JSON_OBJECT)) {
            TACO__RULES_REPORT(c, false, who, "%s[%u] must be an object, found %s", key, TACO__U(i),
                               taco__json_type_name(who));
            continue;
        }
        if (taco__json_bytes(taco__json_get(who, "name")).len == 0 &&
            taco__json_bytes(taco__json_get(who, "organization")).len == 0) {
            TACO__RULES_REPORT(c, false, who, "%s[%u] must have a name or an organization", key,
                               TACO__U(i));
        }
        for (k = 0; k < TACO__COUNT(texts); k++) {
            taco__rules_check_contact_text(c, who, key, i, texts[k]);
        }
        if (!taco__rules_is_null(taco__json_get(who, "roles"))) {
            const taco__json *roles = taco__json_get(who, "roles"), *role;
            bool              ok = taco__json_is(roles, TACO__JSON_ARRAY);
            for (k = 0, role = taco__json_first(roles); ok && k < roles->count;
                 k++, role = taco__json_next(role)) {
                ok = taco__json_is(role, TACO__JSON_STRING);
            }
            if (!ok) {
                TACO__RULES_REPORT(c, false, roles, "%s[%u].roles must be an array of strings", key,
                                   TACO__U(i));
            }
        }
    }
}
/* The id of a dataset (§5.6): lower case letters, digits, '_' and '-'. Letters of other scripts pass, as they do in the
   reference: what is not ASCII is not looked at. */
TACO__FN void taco__rules_check_dataset_id(taco__rules_check *c, const taco__json *root)
{
    const taco__json *n = taco__json_get(root, "id");
    taco_bytes        id = taco__json_bytes(n);
    size_t            i;
    bool              ok = id.len != 0;
    for (i = 0; ok && i < id.len; i++) {
        uint8_t b = id.data[i];
        ok = (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9') || b == '_' || b == '-' || b >= 0x80;
    }
    if (!taco__json_is(n, TACO__JSON_STRING)) {
        TACO__RULES_REPORT(c, false, n ? n : root, "id must be a string, found %s",
                           taco__json_type_name(n));
    } else if (!ok) {
        TACO__RULES_REPORT(c, false, n, "id is %q, must be lower case letters, digits, '_' and '-'",
                           &id);
    }
}
TACO__FN void taco__rules_check_tasks(taco__rules_check *c, const taco__json *root)
{
    static const char *const known[] = {"regression",
                                        "classification",
                                        "scene-classification",
                                        "detection",
                                        "object-detection",
                                        "segmentation",
                                        "semantic-segmentation",
                                        "instance-segmentation",
                                        "panoptic-segmentation",
                                        "similarity-search",
                                        "generative",
                                        "image-captioning",
                                        "super-resolution",
                                        "denoising",
                                        "inpainting",
                                        "colorization",
                                        "style-transfer",
                                        "deblurring",
                                        "dehazing",
                                        "foundation-model",
                                        "other"};
    const taco__json        *n = taco__json_get(root, "tasks"), *task;
    size_t                   i, k, count = taco__json_length(n);
    taco__rules_check_texts(c, root, "tasks", true);
    for (i = 0, task = count ? taco__json_first(n) : NULL; i < count;
         i++, task = taco__json_next(task)) {
        taco_bytes word = taco__json_bytes(task);
        for (k = 0; k < TACO__COUNT(known) && !taco__json_equals(task, known[k]); k++) {
        }
        if (k == TACO__COUNT(known) && word.len) {
            TACO__RULES_REPORT(c, true, task,
                               "tasks[%u] is %q, must be one of the 21 known tasks (regression, "
                               "classification, ..., other)",
                               TACO__U(i), &word);
        }
    }
}
/* Box and times: as room coll has it, and the times are ISO 8601, the end not before the start. */
TACO__FN void taco__rules_check_extent(taco__rules_check *c, const taco__collection *coll)
{
    taco_error what;
    int64_t    us[2] = {0, 0};
    size_t     i;
    bool       date, ok = true;
    memset(&what, 0, sizeof what);
    if (taco__collection_check_extent(coll, &what) != TACO_OK) {
        c->stopped = c->stopped || !c->found(c->ctx, false, &what);
        return;
    }
    if (taco__json_is(coll->extent, TACO__JSON_OBJECT) && !coll->has_spatial) {
        TACO__RULES_REPORT(c, false, coll->extent,
                           "extent.spatial must be four numbers: west, south, east, north");
    }
    for (i = 0; coll->has_temporal && i < 2; i++) {
        taco_bytes text = taco__bytes_text(coll->temporal[i]);
        if (!taco__time_parse(text, &us[i], &date)) {
            TACO__RULES_REPORT(c, false, coll->extent,
                               "extent.temporal[%u] is %q, must be an ISO 8601 date and time",
                               TACO__U(i), &text);
            ok = false;
        }
    }
    if (coll->has_temporal && ok && us[0] > us[1]) {
        TACO__RULES_REPORT(c, false, coll->extent,
                           "extent.temporal: the start lies behind the end");
    }
}
/* Every rule of the fields of a collection, an object (§5.6). taco:pit_schema is checked by room coll when it is read.
   made: the document is about to be written, and what the writer fills in may be missing. */
TACO__FN void taco__rules_check_collection(const taco__json_doc *doc, bool made,
                                           taco__rules_report_fn found, void *ctx)
{
    taco__rules_check c;
    taco__collection  coll;
    const taco__json *root = doc->root;
    const taco__json *title = taco__json_get(root, "title");
    taco_bytes        text = taco__json_bytes(title);
    size_t            i, letters = 0;
    c.found = found;
    c.ctx = ctx;
    c.stopped = false;
    taco__rules_check_dataset_id(&c, root);
    if (!c.stopped) {
        taco__rules_check_text(&c, root, "taco_version",
                               !made || taco__json_get(root, "taco_version"));
    }
    if (!c.stopped) {
        taco__rules_check_text(&c, root, "dataset_version", true);
    }
    if (!c.stopped) {
        taco__rules_check_text(&c, root, "description", true);
    }
    if (!c.stopped) {
        taco__rules_check_texts(&c, root, "licenses", true);
    }
    if (!c.stopped) {
        taco__rules_check_contacts(&c, root, "providers", true);
    }
    if (!c.stopped) {
        taco__rules_check_tasks(&c, root);
    }
    if (!c.stopped) {
        taco__rules_check_text(&c, root, "title", false);
        for (i = 0; i < text.len; i++) {
            letters += (text.data[i] & 0xC0) != 0x80;
        }
        if (letters > 250) {
            TACO__RULES_REPORT(&c, false, title, "title has %u characters, at most 250",
                               TACO__U(letters));
        }
    }
    if (!c.stopped) {
        taco__rules_check_contacts(&c, root, "curators", false);
    }
    if (!c.stopped) {
        taco__rules_check_texts(&c, root, "keywords", false);
    }
    if (!c.stopped) {
        memset(&coll, 0, sizeof coll);
        coll.doc = *doc;
        coll.extent = taco__json_get(root, "extent");
        taco__collection_read_extent(&coll);
        taco__rules_check_extent(&c, &coll);
    }
}
/* Stops at the first breach, for those who write: what they write passes the reference's rules, too. ctx is a taco_error. */
TACO__FN bool taco__rules_stop_at_first(void *ctx, bool warning, const taco_error *what)
{
    taco_error *err = (taco_error *)ctx;
    (void)warning;
    if (err->code == TACO_OK) {
        *err = *what;
    }
    return false;
}

/* ---- where and when: what the columns of STAC and ISTAC say of all samples ---- */

/* Longitudes are gathered twice, the second time from 0 to 360: the narrower box is that of samples on both sides of the
   antimeridian. */
typedef struct taco__extent {
    bool     box, times;
    uint32_t box_level, time_level; /* that they are of: the first that has such columns */
    double   west, south, east, north, west360, east360;
    int64_t  first, last; /* microseconds since 1970 */
} taco__extent;

TACO__FN void taco__extent_add_point(taco__extent *s, double x, double y)
{
    double turned = x < 0 ? x + 360 : x;
    if (!(x >= -180 && x <= 180 && y >= -90 && y <= 90)) {
        return; /* NaN, or not in degrees: no place on earth */
    }
    if (!s->box) {
        s->west = s->east = x;
        s->south = s->north = y;
        s->west360 = s->east360 = turned;
        s->box = true;
    }
    s->west = TACO__MIN(s->west, x);
    s->east = TACO__MAX(s->east, x);
    s->south = TACO__MIN(s->south, y);
    s->north = TACO__MAX(s->north, y);
    s->west360 = TACO__MIN(s->west360, turned);
    s->east360 = TACO__MAX(s->east360, turned);
}
TACO__FN void taco__extent_add_points(taco__extent *s, const taco_array *a)
{
    size_t i;
    for (i = 0; i < a->length; i++) {
        taco_bytes wkb = taco_array_bytes(a, i);
        double     b[4];
        bool       empty = true;
        if (wkb.len && taco__wkb_bounds(wkb, b, &empty, NULL) == TACO_OK && !empty) {
            taco__extent_add_point(s, b[0], b[1]);
            taco__extent_add_point(s, b[2], b[3]);
        }
    }
}
TACO__FN void taco__extent_add_times(taco__extent *s, const taco_array *a)
{
    static const int64_t scale[] = {1000000, 1000, 1, 1};
    size_t               i;
    for (i = 0; i < a->length; i++) {
        int64_t t = taco_array_int(a, i), k = scale[a->field->unit];
        if (!taco_array_valid(a, i) || t > INT64_MAX / k || t < INT64_MIN / k) {
            continue;
        }
        t = a->field->unit == TACO_NANO ? taco__time_floor_div(t, 1000) : t * k;
        s->first = s->times ? TACO__MIN(s->first, t) : t;
        s->last = s->times ? TACO__MAX(s->last, t) : t;
        s->times = true;
    }
}
/* Adds a batch of a level: centroids (stac before istac), and every start, middle and end. */
TACO__FN void taco__extent_add_batch(taco__extent *s, uint32_t level, const taco_batch *b)
{
    static const char *const names[2][4] = {
        {"stac:centroid", "stac:time_start", "stac:time_middle", "stac:time_end"},
        {"istac:centroid", "istac:time_start", "istac:time_middle", "istac:time_end"}};
    size_t i, k, n;
    bool   box = !s->box || s->box_level == level, times = !s->times || s->time_level == level,
         hit[2] = {false, false};
    for (k = 0; k < 2; k++) {
        bool any = false;
        for (i = 0; i < b->column_count; i++) {
            const taco_array *a = &b->columns[i];
            if (box && !hit[0] && a->field->type == TACO_BINARY &&
                strcmp(a->field->name, names[k][0]) == 0) {
                taco__extent_add_points(s, a);
                s->box_level = level;
                hit[0] = true;
            }
            for (n = 1; times && !hit[1] && n < 4; n++) {
                if (a->field->type == TACO_TIMESTAMP && strcmp(a->field->name, names[k][n]) == 0) {
                    taco__extent_add_times(s, a);
                    s->time_level = level;
                    any = true;
                }
            }
        }
        hit[1] = hit[1] || any;
    }
}
TACO__FN bool taco__document_write_double(taco__buf *out, double x, taco_error *err)
{
    char   text[40];
    size_t n = taco__num_format_f64(text, x);
    return taco__buf_append(out, text, n, err);
}
/* Appends the value of extent; otherwise (may be NULL) is what stands in for what the columns do not say. */
TACO__FN bool taco__extent_write(const taco__extent *s, const taco__json *otherwise, taco__buf *out,
                                 taco_error *err)
{
    bool              turned = s->box && s->east - s->west > 180 && s->east360 - s->west360 < 180;
    double            box[4];
    size_t            i;
    bool              ok = taco__buf_append_text(out, "{\"spatial\":", err);
    const taco__json *spatial = taco__json_get(otherwise, "spatial"),
                     *temporal = taco__json_get(otherwise, "temporal");
    box[0] = turned ? s->west360 : s->box ? s->west : -180;
    box[1] = s->box ? s->south : -90;
    box[2] = turned ? s->east360 : s->box ? s->east : 180;
    box[3] = s->box ? s->north : 90;
    if (!s->box && !taco__rules_is_null(spatial)) {
        ok = ok && taco__json_write_value(out, spatial, 0, err);
    } else {
        for (i = 0; ok && i < 4; i++) {
            ok = taco__buf_append_char(out, i ? ',' : '[', err) &&
                 taco__document_write_double(
                     out, i % 2 == 0 && box[i] > 180 ? box[i] - 360 : box[i], err);
        }
        ok = ok && taco__buf_append_char(out, ']', err);
    }
    ok = ok && taco__buf_append_text(out, ",\"temporal\":", err);
    if (ok && !s->times) {
        ok = taco__json_write_value(out, taco__rules_is_null(temporal) ? NULL : temporal, 0, err);
    } else if (ok) {
        char text[2][48];
        text[0][taco__time_format_timestamp(text[0], s->first, TACO_MICRO, true)] = 0;
        text[1][taco__time_format_timestamp(text[1], s->last, TACO_MICRO, true)] = 0;
        ok = taco__buf_append_text(out, "[\"", err) && taco__buf_append_text(out, text[0], err) &&
             taco__buf_append_text(out, "\",\"", err) && taco__buf_append_text(out, text[1], err) &&
             taco__buf_append_text(out, "\"]", err);
    }
    return ok && taco__buf_append_char(out, '}', err);
}

/* ---- the document ---- */

/* Appends members "key": value of an object that are not among the n keys of skip, a ',' before each but the first. */
TACO__FN bool taco__document_copy_members(const taco__json *root, const char *const *skip, size_t n,
                                          bool *first, taco__buf *out, taco_error *err)
{
    const taco__json *key;
    uint32_t          i;
    bool              ok = true;
    for (i = 0, key = taco__json_first(root); ok && i < root->count;
         i++, key = taco__json_next(key + 1)) {
        size_t k;
        for (k = 0; k < n && !taco__json_equals(key, skip[k]); k++) {
        }
        if (k == n && taco__json_get_bytes(root, taco__json_bytes(key)) ==
                          key + 1) { /* the last of equal keys */
            ok = (*first || taco__buf_append_char(out, ',', err)) &&
                 taco__json_write_utf8(out, taco__json_bytes(key), err) &&
                 taco__buf_append_char(out, ':', err) &&
                 taco__json_write_value(out, key + 1, 0, err);
            *first = false;
        }
    }
    return ok;
}
TACO__FN bool taco__document_write_key(taco__buf *out, bool *first, const char *key,
                                       taco_error *err)
{
    bool ok = (*first || taco__buf_append_char(out, ',', err)) &&
              taco__json_write_utf8(out, taco__bytes_text(key), err) &&
              taco__buf_append_char(out, ':', err);
    *first = false;
    return ok;
}
/* The document that stands in a container, indented by four: the user's fields (root), in the order of §5.6, then what
   is computed: extent, unless root has one and keep_extent; taco:pit_schema; taco:field_schema (a text). */
TACO__FN bool taco__document_write(const taco__json *root, bool keep_extent,
                                   const taco__extent *span, const taco__tree *t,
                                   taco_bytes field_schema, taco__buf *out, taco_error *err)
{
    static const char *const keys[] = {"id",
                                       "dataset_version",
                                       "description",
                                       "licenses",
                                       "providers",
                                       "tasks",
                                       "taco_version",
                                       "title",
                                       "curators",
                                       "keywords",
                                       "extent",
                                       "taco:pit_schema",
                                       "taco:field_schema",
                                       "taco:sources"};
    taco__buf                flat;
    taco__arena              arena;
    taco__json_doc           doc;
    const taco__json        *extent = taco__json_get(root, "extent");
    size_t                   i;
    bool                     ok, first = true;
    memset(&flat, 0, sizeof flat);
    flat.mem = arena.mem = out->mem;
    arena.head = NULL;
    ok = taco__buf_append_char(&flat, '{', err);
    for (i = 0; ok && i < 10; i++) {
        const taco__json *n = taco__json_get(root, keys[i]);
        ok = taco__document_write_key(&flat, &first, keys[i], err);
        if (i == 6 && taco__rules_is_null(n)) {
            ok = ok && taco__buf_append_text(&flat, "\"2.0.0\"", err);
        } else {
            ok = ok && taco__json_write_value(&flat, n, 0, err);
        }
    }
    ok =
        ok && taco__document_write_key(&flat, &first, "extent", err) &&
        (keep_extent && !taco__rules_is_null(extent)
             ? taco__json_write_value(&flat, extent, 0, err)
             : taco__extent_write(span, extent, &flat, err)) &&
        taco__document_copy_members(root, keys, TACO__COUNT(keys), &first, &flat, err) &&
        taco__document_write_key(&flat, &first, keys[11], err) &&
        taco__pit_schema_write(t, &flat, err) &&
        taco__document_write_key(&flat, &first, keys[12], err) &&
        taco__buf_append(&flat, field_schema.data, field_schema.len, err) &&
        taco__buf_append_char(&flat, '}', err) &&
        taco__json_parse(&arena, taco__bytes_of(flat.data, flat.len), NULL, &doc, err) == TACO_OK &&
        taco__json_write_value(out, doc.root, 4, err) && taco__buf_append_char(out, '\n', err);
    taco__arena_free(&arena);
    taco__buf_free(&flat);
    return ok;
}
