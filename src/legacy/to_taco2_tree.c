/* to_taco2_tree.c - the rows of old levels as the tree of a dataset of TACO 2

   In: the levels of the source, and which rows of level 0 are converted; out:
   taco__to_taco2.tree, and for each level the old row of each new one. TACO 2 requires children in
   the order of their parents, old files do not. Chunks, which are children of a FILE, cannot be
   expressed and are left out. With padding all FOLDERs of a level get the same number of children.
   If samples have different trees (PIT-1), any_tree keeps nested tortillas as files, so that they
   have the same. Ids become names of files. */
#include "legacy.h"
#include "../base/base.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"
#include "../write/write.h"

/* ---- ids ---- */

/* Replaces characters that a file name cannot have. Returns whether there were any. */
static bool taco__to_taco2_tree_replace(char *id, size_t n)
{
    bool changed = false;
    size_t i;
    for (i = 0; i < n; i++) {
        if (id[i] == '/' || id[i] == '\\' || id[i] == ':' || id[i] == 0) {
            id[i] = '_';
            changed = true;
        }
    }
    return changed;
}

/* True for names that TACO 2 does not allow for samples. */
static bool taco__to_taco2_tree_is_reserved(const char *id)
{
    return !*id || strncmp(id, "__", 2) == 0 || strcmp(id, ".") == 0 || strcmp(id, "..") == 0;
}

/* Replaces what TACO 2 does not allow in an id: / \ : and a double underscore at its start. {NULL,
   0} if out of memory. */
static taco_bytes taco__to_taco2_tree_clean_id(taco__to_taco2 *c, taco_bytes id)
{
    char *text = (char *)taco__arena_alloc(&c->f.arena, id.len + 2, c->f.err), *name;
    bool changed;
    if (!text) { return taco__bytes_of(NULL, 0); }
    name = text + 1; /* with room for an x before it */
    if (id.len) { memcpy(name, id.data, id.len); }
    changed = taco__to_taco2_tree_replace(name, id.len);
    if (taco__to_taco2_tree_is_reserved(name)) {
        *--name = 'x';
        changed = true;
    }
    if (changed) {
        taco__convert_note(&c->f, "an id is not a valid file name: it becomes %s", name);
        c->renamed = true;
    }
    return taco__bytes_of(name, id.len + (name == text));
}

/* ---- the rows of a level ---- */

/* An old row, and the new row that is its parent. */
typedef struct taco__to_taco2_row {
    size_t parent, row;
} taco__to_taco2_row;

/* Values instead of a parent: */
#define TACO__TO_TACO2_CHUNK   SIZE_MAX       /* the parent is a FILE */
#define TACO__TO_TACO2_SKIPPED (SIZE_MAX - 1) /* the parent is not converted */

/* taco__sort_compare: by parent, then in stored order, which makes the sort stable. */
static int taco__to_taco2_tree_compare_rows(const void *ctx, const void *a, const void *b)
{
    const taco__to_taco2_row *x = (const taco__to_taco2_row *)a;
    const taco__to_taco2_row *y = (const taco__to_taco2_row *)b;
    (void)ctx;
    return x->parent != y->parent ? (x->parent > y->parent) - (x->parent < y->parent)
                                  : (x->row > y->row) - (x->row < y->row);
}

/* For every old row of the level above the new row, or one of the values above. NULL if out of
   memory. */
static size_t *taco__to_taco2_tree_new_rows(taco__to_taco2 *c, uint32_t level)
{
    const taco__to_taco2_level *l = &c->levels[level];
    size_t n = (size_t)c->state->levels[level].t.rows, i;
    size_t *place = (size_t *)taco__arena_array(&c->f.arena, n + 1, sizeof *place, c->f.err);
    if (!place) { return NULL; }
    for (i = 0; i < n; i++) {
        place[i] = TACO__TO_TACO2_SKIPPED;
    }
    for (i = 0; i < l->row_count; i++) {
        if (l->rows[i] != SIZE_MAX) {
            place[l->rows[i]] = taco__tree_is_folder(&c->tree, level, i) ? i : TACO__TO_TACO2_CHUNK;
        }
    }
    return place;
}

/* Rows of level 0 have no parents: 0 for those that are converted. */
static size_t taco__to_taco2_tree_top_parent(const taco__to_taco2 *c, size_t row)
{
    return !c->chosen || taco__bitmap_get(c->chosen, row) ? 0 : TACO__TO_TACO2_SKIPPED;
}

/* The old rows of a level, sorted by their new parents, without rows below a FILE, which are
   chunks. */
static taco__to_taco2_row *taco__to_taco2_tree_sort_rows(taco__to_taco2 *c, uint32_t level,
                                                         size_t *n)
{
    const taco__table *t = &c->state->levels[level].t;
    size_t column = taco__table_find_column(t, "internal:parent_id"), rows = (size_t)t->rows, i;
    taco__to_taco2_row *list =
        (taco__to_taco2_row *)taco__arena_array(&c->f.arena, rows + 1, sizeof *list, c->f.err);
    const size_t *place = level ? taco__to_taco2_tree_new_rows(c, level - 1) : NULL;
    bool chunks = false;
    *n = 0;
    if (!list || (level && !place)) { return NULL; }
    for (i = 0; i < rows; i++) {
        size_t parent = level ? place[taco_array_int(&t->arrays[column], i)]
                              : taco__to_taco2_tree_top_parent(c, i);
        chunks = chunks || parent == TACO__TO_TACO2_CHUNK;
        if (parent >= TACO__TO_TACO2_SKIPPED) { continue; }
        list[*n].parent = parent;
        list[(*n)++].row = i;
    }
    if (chunks) {
        taco__convert_note(&c->f, "the table of chunks is left out: TACO 2 has none%s", "");
    }
    return taco__sort_in(&c->f.mem, list, *n, sizeof *list, taco__to_taco2_tree_compare_rows, NULL,
                         c->f.err)
               ? list
               : NULL;
}

/* ---- the tree ---- */

/* Pads a FOLDER from `have` to `most` children. */
static bool taco__to_taco2_tree_pad(taco__to_taco2 *c, uint32_t level, size_t parent, size_t have,
                                    size_t most, taco__buf *rows)
{
    const size_t none = SIZE_MAX, prefix = sizeof TACO__RULES_PADDING - 1;
    uint64_t number;
    for (number = 0; have + number < most; number++) {
        char id[40];
        size_t n = prefix;
        memcpy(id, TACO__RULES_PADDING, prefix);
        n += taco__num_format_u64(id + n, number);
        if (!taco__tree_append_ordered(&c->tree, level, parent, taco__bytes_of(id, n), false,
                                       c->f.err) ||
            !taco__buf_append(rows, &none, sizeof none, c->f.err)) {
            return false;
        }
    }
    return true;
}

/* Adds one old row. A FOLDER in the last converted level becomes a FILE: the tortilla as it is. */
static bool taco__to_taco2_tree_add_row(taco__to_taco2 *c, uint32_t level,
                                        const taco__to_taco2_row *r, const taco_array *ids,
                                        taco__buf *rows)
{
    taco_bytes id = taco__to_taco2_tree_clean_id(c, taco_array_bytes(ids, r->row));
    bool folder = level + 1 < c->most && c->state->levels[level].folder[r->row] != 0;
    return id.data && taco__tree_append_ordered(&c->tree, level, r->parent, id, folder, c->f.err) &&
           taco__buf_append(rows, &r->row, sizeof r->row, c->f.err);
}

/* End of the rows that have the parent of list[from]. */
static size_t taco__to_taco2_tree_end_of(const taco__to_taco2_row *list, size_t from, size_t n)
{
    size_t to = from + 1;
    while (to < n && list[to].parent == list[from].parent) {
        to++;
    }
    return to;
}

/* Adds n rows that are sorted by their parents, and padding. rows: size_t each, the old rows. */
static bool taco__to_taco2_tree_add_rows(taco__to_taco2 *c, uint32_t level,
                                         const taco__to_taco2_row *list, size_t n, taco__buf *rows)
{
    const taco__table *t = &c->state->levels[level].t;
    /* a level without rows may have no columns */
    const taco_array *ids = n ? &t->arrays[taco__table_find_column(t, "tortilla:id")] : NULL;
    size_t from, to, i, most = 0;
    for (from = 0; from < n; from = to) {
        to = taco__to_taco2_tree_end_of(list, from, n);
        most = TACO__MAX(most, to - from);
    }
    for (from = 0; from < n; from = to) {
        to = taco__to_taco2_tree_end_of(list, from, n);
        for (i = from; i < to; i++) {
            if (!taco__to_taco2_tree_add_row(c, level, &list[i], ids, rows)) { return false; }
        }
        if (c->f.opt.pad && level &&
            !taco__to_taco2_tree_pad(c, level, list[from].parent, to - from, most, rows)) {
            return false;
        }
    }
    return true;
}

/* Adds a level; *any: it has rows. */
static bool taco__to_taco2_tree_add_level(taco__to_taco2 *c, uint32_t level, bool *any)
{
    taco__to_taco2_level *l = &c->levels[level];
    size_t n;
    const taco__to_taco2_row *list = taco__to_taco2_tree_sort_rows(c, level, &n);
    taco__buf rows;
    bool ok;
    memset(&rows, 0, sizeof rows);
    rows.mem = &c->f.mem;
    *any = n != 0;
    ok = list && taco__to_taco2_tree_add_rows(c, level, list, n, &rows);
    l->row_count = rows.len / sizeof *l->rows;
    l->rows = (size_t *)taco__arena_alloc(&c->f.arena, rows.len + 1, c->f.err);
    if (l->rows && rows.len) { memcpy(l->rows, rows.data, rows.len); }
    taco__buf_free(&rows);
    return ok && l->rows;
}

/* Builds the tree of the first c->most levels. */
static bool taco__to_taco2_tree_build_levels(taco__to_taco2 *c)
{
    uint32_t level;
    bool any = true;
    taco__tree_free(&c->tree);
    taco__tree_init(&c->tree, &c->f.mem);
    c->depth = 0;
    for (level = 0; level < c->most && any; level++) {
        if (!taco__container_level(&c->f.ds->stores[0], level, c->f.err) ||
            !taco__to_taco2_tree_add_level(c, level, &any)) {
            return false;
        }
        c->depth = level + (any ? 1 : 0);
    }
    return true;
}

/* With any_tree, converts only as many levels as have the same tree in all samples: nested
   tortillas below stay FILEs. Level 0 alone always passes. */
TACO__FN bool taco__to_taco2_tree_build(taco__to_taco2 *c)
{
    taco_error *err = c->f.err, differ = {0, TACO_OK, 0, {0}};
    char levels[2] = {0, 0};
    c->most = taco_levels(c->f.ds);
    if (!taco__to_taco2_tree_build_levels(c)) { return false; }
    if (taco__tree_check_pit1(&c->tree, true, &differ) == TACO_OK) { return true; }
    if (!c->f.opt.create.any_tree) {
        *err = differ;
        taco__error_prefix(err, c->f.opt.pad ? "padding does not help"
                                             : "padding or any tree may be asked for");
        return false;
    }
    do {
        c->most--;
        memset(&differ, 0, sizeof differ);
        if (!taco__to_taco2_tree_build_levels(c)) { return false; }
    } while (taco__tree_check_pit1(&c->tree, true, &differ) != TACO_OK && c->most > 1);
    levels[0] = (char)('0' + c->most - 1);
    taco__convert_note(
        &c->f,
        "samples have different trees: the tortillas in level %s stay the files that "
        "they are",
        levels);
    return true;
}
