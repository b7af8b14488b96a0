/* legacy_levels.c - the levels of old files: rows of footers, nested tortillas and chains as tables

   In: the footers of level 0, or a level that has been built; out: the next level: the rows of
   all nested tortillas together, in the order of their parents, and those of the chains'
   objects. Level 0 is built when a dataset is opened; deeper ones are counted and built
   together, when the first of them is needed (taco__legacy_levels_count). That takes a header
   and a footer for every nested tortilla, which a source that reads many ranges at once fetches
   in two rounds.

   A file with samples a and b, of which b is a tortilla with c and d, has two levels:

       level 0   row 0  a    FILE
                 row 1  b    FOLDER
       level 1   row 0  b/c  FILE    parent 1, its offset relative to the file
                 row 1  b/d  FILE    parent 1

   A level is gathered as a list of taco__legacy_run, consecutive rows of one footer, from which
   legacy_table.c makes the table. If a level cannot be built, `why` has the error. */
#include "legacy.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../dataset/dataset.h"

TACO__FN taco__file *taco__legacy_levels_file(taco__container *s, const taco__legacy *state,
                                              size_t k, taco_error *err)
{
    return state->file_count == 1
               ? &s->file
               : taco__container_open_archive(s, taco__bytes_text(state->files[k].path), err);
}

/* ---- a level from its runs ---- */

/* Allocates the arrays for the rows of a level. */
static bool taco__legacy_levels_alloc(taco__container *s, taco__legacy_level *l, taco_error *err)
{
    size_t n = (size_t)l->t.rows + 1;
    l->file = (uint32_t *)taco__arena_array(s->arena, n, sizeof *l->file, err);
    l->object_row = (size_t *)taco__arena_array(s->arena, n, sizeof *l->object_row, err);
    l->folder = (uint8_t *)taco__arena_alloc(s->arena, n, err);
    l->offset = (int64_t *)taco__arena_array(s->arena, n, sizeof *l->offset, err);
    l->size = (int64_t *)taco__arena_array(s->arena, n, sizeof *l->size, err);
    return l->file && l->object_row && l->folder && l->offset && l->size;
}

/* Records the origin of a level's rows, for the level below. */
static void taco__legacy_levels_record(taco__legacy_level *l, const taco__legacy_run *runs,
                                       size_t count)
{
    size_t i, k, at = 0;
    for (i = 0; i < count; i++) {
        const taco__tortilla_table *t = runs[i].t;
        for (k = runs[i].first; k < runs[i].first + runs[i].n; k++, at++) {
            l->file[at] = t->file;
            l->object_row[at] = k;
            l->folder[at] = taco__tortilla_is_nested(t, k);
            l->offset[at] = taco_array_int(&t->t.arrays[t->offset], k);
            l->size[at] = taco_array_int(&t->t.arrays[t->length], k);
        }
    }
}

TACO__FN bool taco__legacy_levels_build(taco__container *s, taco__legacy *state, uint32_t level,
                                        const taco__legacy_run *runs, size_t count, taco_error *err)
{
    taco__legacy_level *l = &state->levels[level];
    size_t c;
    if (!taco__legacy_table_build(s, state, s->arena, runs, count, level == 0,
                                  level ? &state->levels[level - 1] : NULL, &l->t, err) ||
        !taco__legacy_levels_alloc(s, l, err)) {
        return false;
    }
    taco__legacy_levels_record(l, runs, count);
    c = taco__table_find_column(&l->t, level ? "internal:relative_path" : "tortilla:id");
    l->path = c == TACO__NONE ? NULL : &l->t.arrays[c];
    l->built = true;
    return true;
}

/* ---- nested tortillas ---- */

TACO__FN bool taco__legacy_levels_read_nested(taco__container *s, taco__file *file, uint64_t offset,
                                              uint32_t number, taco__arena *arena,
                                              taco__tortilla_table *out, uint64_t *budget,
                                              taco_error *err)
{
    taco__tortilla head;
    if (!taco__tortilla_read_header(file, offset, arena, &head, err)) { return false; }
    if (budget && head.footer.len > *budget) {
        TACO__FAIL(err, TACO_ERR_LIMIT, offset,
                   "the footers of a level are larger than the file: samples overlap");
        return false;
    }
    if (budget) { *budget -= head.footer.len; }
    if (!taco__tortilla_read_footer(s, file, head.footer, offset, head.driver, arena, out, err)) {
        return false;
    }
    out->file = number;
    return true;
}

/* What is fetched in one round for all nested tortillas of a level. */
typedef enum taco__legacy_levels_part {
    TACO__LEGACY_HEADERS,
    TACO__LEGACY_FOOTERS /* after the headers, which locate the footers */
} taco__legacy_levels_part;

/* Lists the ranges of that part, one per nested tortilla. */
static bool taco__legacy_levels_list_ranges(taco__container *s, const taco__legacy_level *l,
                                            taco__legacy_levels_part part, taco__buf *ranges,
                                            taco_error *err)
{
    taco__arena scratch;
    size_t i;
    bool ok = true;
    scratch.mem = s->mem;
    scratch.head = NULL;
    for (i = 0; ok && i < l->t.rows; i++) {
        taco__range r;
        if (!l->folder[i]) { continue; }
        r.offset = (uint64_t)l->offset[i];
        r.len = TACO__MIN((uint64_t)TACO__TORTILLA_HEADER_BYTES, (uint64_t)l->size[i]);
        if (part == TACO__LEGACY_FOOTERS) {
            taco__tortilla head;
            ok = taco__tortilla_read_header(&s->file, r.offset, &scratch, &head, err);
            r = head.footer;
        }
        ok = ok && taco__buf_append(ranges, &r, sizeof r, err);
    }
    taco__arena_free(&scratch);
    return ok;
}

/* Fetches a part of all nested tortillas of a level in one round; with `release`, releases it. */
static bool taco__legacy_levels_fetch(taco__container *s, const taco__legacy_level *l,
                                      taco__legacy_levels_part part, bool release, taco_error *err)
{
    taco__buf ranges;
    const taco__range *r;
    size_t i, n;
    bool ok;
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = s->mem;
    ok = taco__legacy_levels_list_ranges(s, l, part, &ranges, err);
    r = (const taco__range *)(const void *)ranges.data;
    n = ranges.len / sizeof *r;
    for (i = 0; ok && release && i < n; i++) {
        taco__file_release(&s->file, r[i].offset, r[i].len);
    }
    ok = ok && (release || !n || taco__file_fetch(&s->file, r, n, err));
    taco__buf_free(&ranges);
    return ok;
}

/* Fetches or releases headers, then footers, in this order: headers locate the footers. */
static bool taco__legacy_levels_fetch_all(taco__container *s, const taco__legacy_level *l,
                                          bool release, taco_error *err)
{
    return release ? taco__legacy_levels_fetch(s, l, TACO__LEGACY_FOOTERS, true, err) &&
                         taco__legacy_levels_fetch(s, l, TACO__LEGACY_HEADERS, true, err)
                   : taco__legacy_levels_fetch(s, l, TACO__LEGACY_HEADERS, false, err) &&
                         taco__legacy_levels_fetch(s, l, TACO__LEGACY_FOOTERS, false, err);
}

/* Rows gathered for a level. */
typedef struct taco__legacy_gather {
    taco__buf runs; /* taco__legacy_run each */
    size_t rows;
    taco__arena scratch; /* tables of the runs */
} taco__legacy_gather;

/* Adds n rows of a table from row `first` on, below row `parent` of the level above. */
static bool taco__legacy_levels_add_run(taco__legacy_gather *g, const taco__tortilla_table *t,
                                        size_t first, size_t n, int64_t parent, taco_error *err)
{
    taco__legacy_run r;
    r.t = t;
    r.first = first;
    r.n = n;
    r.parent = parent;
    r.row = (int64_t)g->rows;
    g->rows += n;
    return taco__buf_append(&g->runs, &r, sizeof r, err);
}

/* Adds the rows of the tortilla in row i of a level. */
static bool taco__legacy_levels_add_tortilla(taco__container *s, taco__legacy *state,
                                             const taco__legacy_level *above, size_t i,
                                             uint64_t *budget, taco__legacy_gather *g,
                                             taco_error *err)
{
    taco__tortilla_table *t =
        (taco__tortilla_table *)taco__arena_alloc(&g->scratch, sizeof *t, err);
    taco__file *f = t ? taco__legacy_levels_file(s, state, above->file[i], err) : NULL;
    if (!f) { return false; }
    if (!taco__legacy_levels_read_nested(s, f, (uint64_t)above->offset[i], above->file[i],
                                         &g->scratch, t, budget, err)) {
        taco_bytes key = taco_array_bytes(above->path, i);
        taco__error_prefix(err, "%q", &key);
        return false;
    }
    return taco__legacy_levels_add_run(g, t, 0, (size_t)t->t.rows, (int64_t)i, err);
}

/* Keeps all files open while a level is gathered. *budget is set to the total size of the files and
   some more: it limits tortillas that share their footers, which could multiply otherwise. */
static bool taco__legacy_levels_hold_files(taco__container *s, taco__legacy *state,
                                           uint64_t *budget, taco_error *err)
{
    size_t i;
    *budget = 1 << 20;
    for (i = 0; i < state->file_count; i++) {
        taco__file *f = taco__legacy_levels_file(s, state, i, err);
        if (!f || !taco__checked_add64(*budget, f->src.size, budget)) { return false; }
        taco__container_count_archive_user(s, f, true);
    }
    return true;
}

/* Undoes taco__legacy_levels_hold_files: files beyond the limit may be closed again. */
static void taco__legacy_levels_drop_files(taco__container *s, taco__legacy *state)
{
    size_t i;
    for (i = 0; i < state->file_count; i++) {
        taco__container_count_archive_user(s, taco__legacy_levels_file(s, state, i, NULL), false);
    }
}

/* Adds the rows of all nested tortillas of a level, in the order of their parents. */
static bool taco__legacy_levels_add_nested(taco__container *s, taco__legacy *state, uint32_t level,
                                           taco__legacy_gather *g, taco_error *err)
{
    const taco__legacy_level *above = &state->levels[level - 1];
    bool ahead = state->file_count == 1 && s->file.src.read_many && !state->files[0].chain, ok;
    uint64_t budget;
    size_t i;
    if (!taco__legacy_levels_hold_files(s, state, &budget, err)) { return false; }
    ok = !ahead || taco__legacy_levels_fetch_all(s, above, false, err);
    for (i = 0; ok && i < above->t.rows; i++) {
        if (above->folder[i] && !state->files[above->file[i]].chain) {
            ok = taco__legacy_levels_add_tortilla(s, state, above, i, &budget, g, err);
        }
    }
    ok = ok && (!ahead || taco__legacy_levels_fetch_all(s, above, true, err));
    taco__legacy_levels_drop_files(s, state);
    return ok;
}

/* ---- chains ---- */

/* For each row of file f's object the row in the level; NULL if out of memory. */
static size_t *taco__legacy_levels_object_rows(const taco__legacy_level *l, size_t f, size_t n,
                                               taco__arena *arena, taco_error *err)
{
    size_t *place = (size_t *)taco__arena_array(arena, n + 1, sizeof *place, err);
    size_t i;
    for (i = 0; place && i < l->t.rows; i++) {
        if (l->file[i] == f) { place[l->object_row[i]] = i; }
    }
    return place;
}

/* Adds the rows of the chains' objects for a level, in stored order. */
static bool taco__legacy_levels_add_chains(taco__legacy *state, uint32_t level,
                                           taco__legacy_gather *g, taco_error *err)
{
    size_t f, i;
    for (f = 0; f < state->file_count; f++) {
        const taco__chain *c = state->files[f].chain;
        size_t *place;
        if (!c || level >= c->count) { continue; }
        place = taco__legacy_levels_object_rows(
            &state->levels[level - 1], f, (size_t)c->tables[level - 1].t.rows, &g->scratch, err);
        if (!place) { return false; }
        for (i = 0; i < c->tables[level].t.rows; i++) {
            if (!taco__legacy_levels_add_run(g, &c->tables[level], i, 1,
                                             (int64_t)place[c->parents[level][i]], err)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- counting ---- */

TACO__FN bool taco__legacy_levels_any_below(const taco__legacy *state, uint32_t level)
{
    const taco__legacy_level *l = &state->levels[level];
    size_t i;
    for (i = 0; i < state->file_count; i++) {
        if (state->files[i].chain && state->files[i].chain->count > level + 1) { return true; }
    }
    for (i = 0; i < l->t.rows; i++) {
        if (l->folder[i] && !state->files[l->file[i]].chain) { return true; }
    }
    return false;
}

/* Gathers and builds the level below one that has been built. */
static bool taco__legacy_levels_add(taco__container *s, taco__legacy *state, uint32_t level,
                                    taco_error *err)
{
    taco__legacy_gather g;
    bool ok;
    memset(&g, 0, sizeof g);
    g.runs.mem = g.scratch.mem = s->mem;
    ok = taco__legacy_levels_add_nested(s, state, level, &g, err) &&
         taco__legacy_levels_add_chains(state, level, &g, err) &&
         taco__legacy_levels_build(s, state, level,
                                   (const taco__legacy_run *)(const void *)g.runs.data,
                                   g.runs.len / sizeof(taco__legacy_run), err);
    taco__buf_free(&g.runs);
    taco__arena_free(&g.scratch);
    return ok;
}

/* TACO 2 has TACO__MAX_LEVELS levels, a tortilla may be nested deeper (Tortilla 0.5.0 "Nested
   properties"): deeper samples stay reachable by key, and the caller is warned. */
static void taco__legacy_levels_warn_deep(taco__container *s, uint32_t deepest)
{
    taco_error w;
    memset(&w, 0, sizeof w);
    TACO__FAIL(&w, TACO_ERR_LIMIT, TACO_NO_OFFSET,
               "tortillas below level %u are only reached by their keys", TACO__U(deepest));
    taco__container_warn(s, &w, "levels");
}

TACO__FN bool taco__legacy_levels_count(taco__container *s, taco_error *err)
{
    taco__legacy *state = (taco__legacy *)s->format_state;
    uint32_t level;
    for (level = 1; taco__legacy_levels_any_below(state, level - 1); level++) {
        bool ok;
        if (level == TACO__MAX_LEVELS) {
            taco__legacy_levels_warn_deep(s, level - 1);
            break;
        }
        ok = taco__legacy_levels_add(s, state, level, err);
        s->levels[level].present = true;
        s->level_count = level + 1;
        if (!ok) {
            state->levels[level].why = *err;
            return false;
        }
    }
    return true;
}

TACO__FN bool taco__legacy_levels_read(taco__container *s, uint32_t n, taco_error *err)
{
    const taco__legacy_level *l = &((const taco__legacy *)s->format_state)->levels[n];
    if (!l->built) {
        taco__error_copy(err, &l->why);
        return false;
    }
    s->levels[n].table = l->t;
    return true;
}
