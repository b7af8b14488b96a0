/* pit_schema.c - taco:pit_schema: patterns of children, counted from the tree

   In: a complete tree; out: the value of taco:pit_schema as JSON: root (number and type of
   samples), shape (most children of each level), hierarchy (for each level a list of patterns,
   each with n rows, types and ids). TACO 2.0 §5.5.

   A pattern describes the children of one kind of folder, taken from the fullest folder of that
   kind; each FOLDER in a pattern is a separate kind on the next level. kinds[row] is the kind of
   a row, TACO__PIT_SCHEMA_NONE if nothing below it is described. Counted, never copied, so that
   exports and parts of a dataset are right too.

   For two samples of two files each:

       {"root": {"n": 2, "type": "FOLDER"}, "shape": [2, 2],
        "hierarchy": {"1": [{"n": 4, "type": ["FILE", "FILE"], "id": ["a.tif", "b.tif"]}]}} */
#include "write.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../arrow/arrow.h"
#include "../dataset/dataset.h"

#define TACO__PIT_SCHEMA_NONE UINT32_MAX /* a row below which nothing is described */

/* The children of one kind of folder, taken from the fullest of these folders. */
typedef struct taco__pit_schema_pattern {
    uint32_t from, to; /* rows of the level                        */
    uint64_t n;        /* rows below all folders of the kind       */
    uint32_t below;    /* for FOLDERs: index of their first pattern in the next level */
} taco__pit_schema_pattern;

/* Fills in from, to and n of the patterns of a level; kinds are those of the rows above. */
static void taco__pit_schema_find_fullest(const taco__tree *t, uint32_t level,
                                          const uint32_t *kinds, taco__pit_schema_pattern *patterns)
{
    size_t from, to, rows = t->level[level].rows;
    for (from = 0; from < rows; from = to) {
        size_t parent = taco__tree_parent(t, level, from);
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

/* Numbers the FOLDERs in the patterns of a level, in order, and assigns every row its kind: that of
   the FOLDER at the same position in its pattern, or else with the same id. Returns the number of
   kinds. */
static uint32_t taco__pit_schema_number_kinds(const taco__tree *t, uint32_t level,
                                              const uint32_t *above,
                                              taco__pit_schema_pattern *patterns, uint32_t count,
                                              uint32_t *kinds)
{
    uint32_t i, next = 0;
    size_t row, place = 0;
    for (i = 0; i < count; i++) {
        patterns[i].below = next;
        for (row = patterns[i].from; row < patterns[i].to; row++) {
            next += taco__tree_is_folder(t, level, row);
        }
    }
    for (row = 0; row < t->level[level].rows; row++) {
        size_t parent = taco__tree_parent(t, level, row), k;
        uint32_t folders = 0;
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

/* Writes {"n": ..., "type": [...], "id": [...]}. */
static void taco__pit_schema_write_pattern(const taco__tree *t, uint32_t level,
                                           const taco__pit_schema_pattern *p, taco__json_writer *w)
{
    size_t row;
    taco__json_write_begin(w, NULL, '{');
    taco__json_write_u64(w, "n", p->n);
    taco__json_write_begin(w, "type", '[');
    for (row = p->from; row < p->to; row++) {
        bool folder = taco__tree_is_folder(t, level, row);
        taco__json_write_text(w, NULL, taco__collection_type_name(folder));
    }
    taco__json_write_end(w, ']');
    taco__json_write_begin(w, "id", '[');
    for (row = p->from; row < p->to; row++) {
        taco__json_write_quoted_value(w, NULL, taco__tree_id(t, level, row));
    }
    taco__json_write_end(w, ']');
    taco__json_write_end(w, '}');
}

/* Writes the patterns of one level, one for each kind of folder above. kinds are those of the rows
   above; *next and *count become those of this level, for the next call. */
static void taco__pit_schema_write_level(const taco__tree *t, uint32_t level,
                                         const taco__buf *kinds, taco__buf *next, uint32_t *count,
                                         taco__json_writer *w)
{
    size_t bytes;
    taco__pit_schema_pattern *patterns = NULL;
    const uint32_t *above = (const uint32_t *)(const void *)kinds->data;
    uint32_t i, n = *count;
    if (taco__array_buf_size(n, sizeof *patterns, &bytes, w->err)) {
        patterns = (taco__pit_schema_pattern *)taco__mem_alloc(next->mem, bytes, w->err);
    }
    w->ok =
        w->ok && patterns && taco__buf_reset(next, t->level[level].rows * sizeof(uint32_t), w->err);
    if (w->ok) {
        taco__pit_schema_find_fullest(t, level, above, patterns);
        *count = taco__pit_schema_number_kinds(t, level, above, patterns, n,
                                               (uint32_t *)(void *)next->data);
    }
    for (i = 0; w->ok && i < n; i++) {
        /* a folder without children has none to describe */
        if (patterns[i].to > patterns[i].from) {
            taco__pit_schema_write_pattern(t, level, &patterns[i], w);
        }
    }
    taco__mem_free(next->mem, patterns, bytes);
}

/* The longest run of children in a level. */
static uint64_t taco__pit_schema_most_children(const taco__tree *t, uint32_t level)
{
    size_t row, run = 0;
    uint64_t most = 0;
    for (row = 0; row < t->level[level].rows; row++) {
        run = row && taco__tree_parent(t, level, row) == taco__tree_parent(t, level, row - 1)
                  ? run + 1
                  : 1;
        most = TACO__MAX(most, (uint64_t)run);
    }
    return most;
}

/* Writes the value of taco:pit_schema. */
TACO__FN void taco__pit_schema_write(const taco__tree *t, taco__json_writer *w)
{
    taco__buf kinds[2];
    uint32_t level, count = 1;
    bool folders = t->level[0].rows && taco__tree_is_folder(t, 0, 0);
    memset(kinds, 0, sizeof kinds);
    kinds[0].mem = kinds[1].mem = w->out->mem;
    taco__json_write_begin(w, NULL, '{');
    taco__json_write_begin(w, "root", '{');
    taco__json_write_u64(w, "n", t->level[0].rows);
    taco__json_write_text(w, "type", taco__collection_type_name(folders));
    taco__json_write_end(w, '}');
    taco__json_write_begin(w, "shape", '[');
    taco__json_write_u64(w, NULL, t->level[0].rows);
    for (level = 1; level < t->levels; level++) {
        taco__json_write_u64(w, NULL, taco__pit_schema_most_children(t, level));
    }
    taco__json_write_end(w, ']');
    taco__json_write_begin(w, "hierarchy", '{');
    w->ok = w->ok && taco__buf_reset(&kinds[0], t->level[0].rows * sizeof(uint32_t), w->err);
    if (w->ok) { memset(kinds[0].data, 0, t->level[0].rows * sizeof(uint32_t)); }
    for (level = 1; w->ok && level < t->levels; level++) {
        char key[] = "1";
        key[0] = (char)('0' + level);
        taco__json_write_begin(w, key, '[');
        taco__pit_schema_write_level(t, level, &kinds[(level - 1) & 1], &kinds[level & 1], &count,
                                     w);
        taco__json_write_end(w, ']');
    }
    taco__buf_free(&kinds[0]);
    taco__buf_free(&kinds[1]);
    taco__json_write_end(w, '}');
    taco__json_write_end(w, '}');
}
