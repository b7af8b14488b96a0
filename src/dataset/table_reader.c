/* table_reader.c - the rows and columns that a query takes from one table

   In: a table (a level of a container, or a __meta__), the filters of the query, the output
   columns. Out: a taco__table_reader whose scan delivers the matching rows, and readers for the
   columns of their ancestors in a flat view.

   Three steps, called by select.c. taco__table_reader_bind turns the filters into conditions, level
   by level, and decides whether they can be tested while rows are read or need a cascade first, as
   they do if several levels are involved. taco__table_reader_run_cascade tests those.
   taco__table_reader_open opens the scan over each column once, and records where output columns
   and paths find theirs. */
#include "cursor.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"
#include "../filter/scan.h"

/* ---- conditions ---- */

/* Before a column of a level is read. */
static bool taco__table_reader_check_places(taco_cursor *c, taco__container *s, uint32_t level,
                                            size_t column)
{
    const taco__column_roles *r = s ? &s->levels[level].role : NULL;
    return !r || (column != r->offset && column != r->size) ||
           taco__places_check(s, level, &c->err);
}

/* Before a condition on a level is tested. */
static bool taco__table_reader_check_where(taco_cursor *c, taco__container *s, uint32_t level,
                                           const taco__expr *where)
{
    const taco__level *l = s ? &s->levels[level] : NULL;
    uint8_t *read;
    size_t i;
    if (!l || level == 0 || l->places || !where) { return true; }
    read = (uint8_t *)taco__arena_alloc(&c->arena, TACO__BITMAP_BYTES(l->table.field_count) + 8,
                                        &c->err);
    if (!read) { return false; }
    taco__expr_mark_columns(where, read);
    for (i = 0; i < l->table.field_count; i++) {
        if (taco__bitmap_get(read, i) && !taco__table_reader_check_places(c, s, level, i)) {
            return false;
        }
    }
    return true;
}

/* Opens a level that a filter tests, in all containers. */
static taco__level *taco__table_reader_open_level(taco_cursor *c, const taco__table_reader *f,
                                                  uint32_t level)
{
    taco__level *l = taco__container_level(f->store, level, &c->err);
    return l && (c->ds->container_count < 2 ||
                 taco__schema_union_level_fields(c->ds, level, &c->err))
               ? l
               : NULL;
}

/* Adds the condition of a filter to those of the levels whose columns it names. */
static bool taco__table_reader_add_condition(taco_cursor *c, taco__table_reader *f,
                                             taco__query_filter *filter, taco__expr **where)
{
    const bool last = f + 1 == c->readers + c->ds->container_count;
    taco__expr *parts[TACO__MAX_LEVELS], *x = NULL;
    uint32_t l;
    if (!taco__query_parse_condition(filter, &c->arena, &c->ds->options.limits, last, &x,
                                     &c->err)) {
        return taco__container_fail(f->store, NULL, &c->err);
    }
    if (!x) { return true; }
    if (!taco__condition_levels(f->store, &c->arena, filter->f.level, x, parts, &c->err)) {
        taco_bytes w = taco__bytes_text(filter->f.where ? filter->f.where : "");
        taco__error_prefix(&c->err, "where: %q", &w);
        return taco__container_fail(f->store, NULL, &c->err);
    }
    for (l = 0; l < TACO__MAX_LEVELS; l++) {
        if (!parts[l]) { continue; }
        if (l != filter->f.level && !taco__table_reader_open_level(c, f, l)) { return false; }
        where[l] = taco__expr_and(&c->arena, where[l], parts[l], &c->err);
        if (!where[l]) { return false; }
        f->filter.deepest = TACO__MAX(f->filter.deepest, l);
    }
    return true;
}

/* Turns the filters into conditions: where[l] for level l. *any: there is a filter that is not
   empty. */
static bool taco__table_reader_add_filters(taco_cursor *c, taco__table_reader *f,
                                           taco__query_filter *filters, size_t n,
                                           taco__expr **where, bool *any)
{
    size_t i;
    for (i = 0; i < n; i++) {
        const taco_filter *x = &filters[i].f;
        taco__level *level = taco__table_reader_open_level(c, f, x->level);
        if (!level) { return false; }
        if (!x->where && !filters[i].where && !x->bbox && !x->time) { continue; }
        if (!taco__table_reader_add_condition(c, f, &filters[i], where)) { return false; }
        if (!taco__query_add_filter(f->store, &c->arena, &level->table, x, &where[x->level],
                                    &c->err)) {
            taco__query_hint(f->store, x, &c->err);
            return taco__container_fail(f->store, NULL, &c->err);
        }
        if (x->bbox || x->time) { f->filter.deepest = TACO__MAX(f->filter.deepest, x->level); }
        *any = true;
    }
    return true;
}

/* Sets the masks of one container, and the deepest level with a condition or a mask. True if there
   is a mask. A caller's masks come from the dataset, so they contain only kept rows. */
static bool taco__table_reader_set_masks(const taco_cursor *c, taco__table_reader *f,
                                         const taco__select_options *opt)
{
    taco__table_filter *t = &f->filter;
    uint32_t l;
    bool masked = false;
    for (l = 0; l < TACO__MAX_LEVELS; l++) {
        t->masks[l] =
            opt->masks ? opt->masks[(size_t)(f - c->readers) * TACO__MAX_LEVELS + l] : NULL;
        if (l == 0 && !t->masks[0]) { t->masks[0] = f->store->kept; }
        masked = masked || t->masks[l];
        t->deepest = t->masks[l] ? TACO__MAX(t->deepest, l) : t->deepest;
    }
    return masked;
}

/* The fields that conditions on a level of one container test where other containers store a column
   with another type, by column; NULL: all as stored. */
static bool taco__table_reader_tested_fields(taco_cursor *c, uint32_t level, const taco__table *t,
                                             const taco_field *const **out)
{
    const taco__level_schema *s = &c->ds->schema[level];
    const taco_field **as;
    size_t i;
    *out = NULL;
    if (!TACO__WITH_MANY || !s->fields) { return true; }
    for (i = 0; i < s->count && !s->mixed[i]; i++) {}
    if (i == s->count) { return true; }
    as = (const taco_field **)taco__arena_array(&c->arena, t->field_count + 1, sizeof *as, &c->err);
    for (i = 0; as && i < t->field_count; i++) {
        const taco__hash_slot *slot =
            taco__hash_map_find(&s->names, taco__bytes_text(t->fields[i].name));
        if (slot && slot->value < s->count && s->mixed[slot->value] &&
            t->fields[i].type != TACO_NULL &&
            !taco__unify_same_type(&s->fields[slot->value], &t->fields[i])) {
            as[i] = &s->fields[slot->value];
        }
    }
    *out = as;
    return as != NULL;
}

/* Adds the implicit conditions, and binds all. Padding is hidden in the rows' own level and, if
   levels are joined, in the others, too. */
static bool taco__table_reader_bind_levels(taco_cursor *c, taco__table_reader *f, bool any,
                                           taco__expr **where)
{
    uint32_t l, last = TACO__MAX(f->filter.deepest, c->query.level);
    for (l = 0; l <= last; l++) {
        taco__level *level = taco__container_level(f->store, l, &c->err);
        bool joined = any || c->query.flat || l == c->query.level;
        const taco_field *const *as;
        if (!level || (!c->query.padding && joined &&
                       !taco__query_hide_padding(level, &c->arena, &where[l], &c->err))) {
            return false;
        }
        if (!where[l]) { continue; }
        if (!taco__table_reader_tested_fields(c, l, &level->table, &as)) { return false; }
        if (!taco__pred_bind_cast(where[l], level->table.fields, level->table.field_count, as,
                                  TACO__WITH_MANY ? taco__unify_cast_array : NULL, &c->arena,
                                  &c->err)) {
            taco__condition_hint(f->store, l, where[l], &c->err);
            taco__error_prefix(&c->err, "where");
            return taco__container_fail(f->store, NULL, &c->err);
        }
        if (!taco__table_reader_check_where(c, f->store, l, where[l])) { return false; }
    }
    return true;
}

/* A flat view shows only FILEs: AND type = 'FILE'. */
static bool taco__table_reader_only_files(taco_cursor *c, taco__table_reader *f)
{
    const taco__level *level = &f->store->levels[c->query.level];
    taco__expr **where = &f->filter.where;
    taco__expr *file =
        level->role.type == TACO__NONE
            ? NULL
            : taco__expr_equals(&c->arena, level->role.type, taco__bytes_text("FILE"), &c->err);
    if (!file ||
        !taco__pred_bind(file, f->table->fields, f->table->field_count, &c->arena, &c->err)) {
        TACO__FAIL(&c->err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no column 'type' of text");
        return taco__container_fail(f->store, level->name, &c->err);
    }
    *where = *where ? taco__expr_and(&c->arena, *where, file, &c->err) : file;
    /* both sides are bound */
    if (*where) { (*where)->bound = true; }
    return true;
}

/* Decides where the conditions of n filters are tested. f->store and f->table are set. */
TACO__FN bool taco__table_reader_bind(taco_cursor *c, taco__table_reader *f,
                                      taco__query_filter *filters, size_t n,
                                      const taco__select_options *opt)
{
    taco__table_filter *t = &f->filter;
    taco__expr *where[TACO__MAX_LEVELS] = {NULL};
    uint32_t level = c->query.level;
    bool any = false, masked;
    t->deepest = 0;
    if (!taco__table_reader_add_filters(c, f, filters, n, where, &any)) { return false; }
    masked = taco__table_reader_set_masks(c, f, opt);
    any = any || masked;
    if (!taco__table_reader_bind_levels(c, f, any, where)) { return false; }
    t->where = where[level];
    if ((any && (masked || (!opt->keeps_orphans && (t->deepest > 0 || level > 0)))) ||
        (c->query.flat && level > 0)) {
        t->deepest = TACO__MAX(t->deepest, c->query.flat ? level : 0);
        t->conditions = (taco__expr **)taco__arena_array(&c->arena, TACO__MAX_LEVELS,
                                                         sizeof(taco__expr *), &c->err);
        if (!t->conditions) { return false; }
        memcpy(t->conditions, where, sizeof where);
        /* the cascade tests the levels down to the deepest */
        t->where = level > t->deepest ? where[level] : NULL;
    }
    return (!c->query.flat || c->query.whole || taco__table_reader_only_files(c, f)) &&
           c->err.code == TACO_OK;
}

/* Tests the conditions that have to be tested before rows are read, if any. */
TACO__FN bool taco__table_reader_run_cascade(taco_cursor *c, taco__table_reader *f)
{
    taco__table_filter *t = &f->filter;
    if (!t->conditions) { return true; }
    t->has_cascade = true;
    return taco__cascade_run(f->store, &t->cascade, t->conditions, t->masks, t->deepest,
                             c->query.level, &c->err);
}

/* Replaces the condition of a cursor with one reader, before its first row. */
TACO__FN bool taco__table_reader_set_filter(taco_cursor *c, taco__expr *where)
{
    taco__table_reader *f = &c->readers[0];
    size_t n = f->scan.out.count,
           *which = (size_t *)taco__arena_array(&c->arena, n + 1, sizeof *which, &c->err);
    if (!which || !taco__table_reader_check_where(c, f->store, c->query.level, where)) {
        return false;
    }
    memcpy(which, f->scan.out.which, n * sizeof *which);
    taco__scan_close(&f->scan);
    f->filter.where = where;
    f->open = taco__scan_open(&f->scan, f->table, where, NULL, which, n, 0, c->mem, &c->err);
    return f->open;
}

/* ---- reading ahead ---- */

/* Adds the ranges of the columns of r that picked rows (NULL: all) need. */
TACO__FN bool taco__table_reader_need_columns(const taco__row_reader *r, const uint8_t *picked,
                                              taco__buf *ranges, taco_error *err)
{
    const taco__table *t = r->table;
    taco__row_selection w;
    taco__scan_span span;
    uint32_t g;
    memset(&w, 0, sizeof w);
    w.spans = &span;
    w.span_count = 1;
    w.select = picked;
    for (g = 0; g < taco__table_group_count(t); g++) {
        span.first = taco__table_group_first_row(t, g);
        span.n = taco__table_group_rows(t, g);
        span.all_match = !picked;
        if ((!picked || taco__bitmap_count(picked, (size_t)span.first, (size_t)span.n)) &&
            !taco__scan_fetch_add_chunks(t->pq, r->which, r->count, t->stored, g, &w, ranges,
                                         err)) {
            return false;
        }
    }
    return true;
}

/* A flat view of a vectored source: reads ancestors in one round, which would otherwise be read row
   group by row group. */
static bool taco__table_reader_read_ahead(taco_cursor *c, taco__table_reader *f)
{
    taco__buf ranges;
    taco__file *file = f->table->pq ? f->table->pq->part.file : NULL;
    uint32_t l;
    bool ok = true;
    if (!f->filter.has_cascade || !file || !file->src.read_many) { return true; }
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = f->store->mem;
    for (l = 0; ok && l <= c->query.level; l++) {
        const taco__row_reader *r = taco__table_reader_level(c, f, l);
        ok = !r->table->pq || r->table->pq->part.file != file ||
             taco__table_reader_need_columns(r, f->filter.cascade.bits[l], &ranges, &c->err);
    }
    ok = ok && taco__range_cache_fetch(&f->filter.cascade.cache, file, &ranges, &c->err);
    taco__buf_free(&ranges);
    return ok;
}

/* ---- columns ---- */

/* The columns that a scan reads: each once, even if used several times. */
typedef struct taco__table_reader_list {
    size_t *which;
    size_t count;
    size_t *at; /* for each column of the table, 1 + its index in the list; 0: not in the list */
} taco__table_reader_list;

/* The index of a table column in the list, to which it is added if missing. */
static size_t taco__table_reader_add_column(taco__table_reader_list *list, size_t column)
{
    if (!list->at[column]) {
        list->which[list->count++] = column;
        list->at[column] = list->count;
    }
    return list->at[column] - 1;
}

/* The column with that name that a table stores, or that is constant or made; TACO__NONE for the
   null columns that only predicates see (taco__schema_union_level_fields). */
static size_t taco__table_reader_find_column(const taco__table *t, const taco__field_index *names,
                                             const char *name)
{
    size_t at = taco__field_index_find(names, name);
    return at < taco__table_readable(t) ? at : TACO__NONE;
}

/* Makes the replacement of internal:current_id, if that is not the row number. */
static bool taco__table_reader_make_current_ids(taco_cursor *c, taco__table_reader *f)
{
    taco__level *l = f->store ? &f->store->levels[c->query.level] : NULL;
    if (!l || f->current_ids || f->store->kind != TACO_KIND_TACOCAT ||
        l->role.source == TACO__NONE) {
        return true;
    }
    f->current_ids = (int32_t *)taco__arena_array(&c->arena, (size_t)l->table.rows + 1,
                                                  sizeof *f->current_ids, &c->err);
    return f->current_ids && taco__join_number_rows(f->store, l, f->current_ids, &c->err);
}

/* Records where output columns of the rows' own level find their arrays. */
static bool taco__table_reader_place_columns(taco_cursor *c, taco__table_reader *f,
                                             taco__table_reader_list *list)
{
    taco__field_index names;
    size_t i, at;
    bool ok = true;
    taco__field_index_init(&names, f->table->fields, f->table->field_count, c->mem);
    for (i = 0; ok && i < c->columns.count; i++) {
        const taco__cursor_column *o = &c->columns.origins[i];
        f->place[i] = TACO__NONE;
        if (!taco__cursor_column_is_stored(o) || o->level != c->query.level) { continue; }
        at = taco__table_reader_find_column(f->table, &names, o->name);
        if (at != TACO__NONE) {
            ok = taco__table_reader_check_places(c, f->store, c->query.level, at);
            f->place[i] = taco__table_reader_add_column(list, at);
        } else if (o->kind == TACO__CURSOR_COLUMN_CURRENT_ID) {
            ok = taco__table_reader_make_current_ids(c, f);
        }
    }
    taco__field_index_free(&names);
    return ok;
}

/* The inputs of paths, if these are output: columns of the table become indexes of arrays. For
   children, how paths are made has already been decided. */
static bool taco__table_reader_place_paths(taco_cursor *c, taco__table_reader *f,
                                           taco__table_reader_list *list)
{
    size_t k;
    if (!taco__sample_path_is_asked_for(c, c->query.level)) { return true; }
    if (!c->children.active) {
        const taco__level *l = &f->store->levels[c->query.level];
        if (!taco__places_check(f->store, c->query.level, &c->err)) { return false; }
        if (!taco__sample_path_init(&f->paths, f->store, f->table, &l->role, c->query.level,
                                    &c->err)) {
            return taco__container_fail(f->store, l->name, &c->err);
        }
    }
    for (k = 0; k < TACO__SAMPLE_PATH_INPUTS; k++) {
        size_t *input = &f->paths.input[k];
        if (*input != TACO__NONE) { *input = taco__table_reader_add_column(list, *input); }
    }
    return true;
}

/* Opens the reader of the columns of an ancestor level, including those its paths are made from.
   The list is used up. */
static bool taco__table_reader_open_ancestor(taco_cursor *c, taco__table_reader *f, uint32_t level,
                                             taco__table_reader_list *list)
{
    const taco__level *l = &f->store->levels[level];
    taco__sample_path_maker *paths = &f->ancestor_paths[level];
    taco__field_index names;
    size_t i, at;
    list->count = 0;
    list->at =
        (size_t *)taco__arena_array(&c->arena, l->table.field_count + 1, sizeof *list->at, &c->err);
    if (!list->at) { return false; }
    taco__field_index_init(&names, l->table.fields, l->table.field_count, c->mem);
    for (i = 0; i < c->columns.count; i++) {
        const taco__cursor_column *o = &c->columns.origins[i];
        if (!taco__cursor_column_is_stored(o) || o->level != level) { continue; }
        at = taco__table_reader_find_column(&l->table, &names, o->name);
        if (at == TACO__NONE) { continue; }
        if (!taco__table_reader_check_places(c, f->store, level, at)) { return false; }
        f->place[i] = taco__table_reader_add_column(list, at);
    }
    taco__field_index_free(&names);
    if (taco__sample_path_is_asked_for(c, level)) {
        if (!taco__places_check(f->store, level, &c->err)) { return false; }
        if (!taco__sample_path_init(paths, f->store, &l->table, &l->role, level, &c->err)) {
            return taco__container_fail(f->store, l->name, &c->err);
        }
        for (i = 0; i < TACO__SAMPLE_PATH_INPUTS; i++) {
            at = paths->input[i];
            if (at != TACO__NONE) { paths->input[i] = taco__table_reader_add_column(list, at); }
        }
    }
    return taco__row_reader_open(&f->ancestors[level], &l->table, list->which, list->count, c->mem,
                                 &c->err);
}

/* Opens the scan over the columns of the rows' own level, and readers for those of ancestors.
   f->table, f->filter and c->columns are set, for children f->paths, too. */
TACO__FN bool taco__table_reader_open(taco_cursor *c, taco__table_reader *f)
{
    size_t n = c->columns.count;
    taco__table_reader_list list;
    uint32_t l;
    list.count = 0;
    list.which = (size_t *)taco__arena_array(&c->arena, n + TACO__SAMPLE_PATH_INPUTS,
                                             sizeof *list.which, &c->err);
    list.at =
        (size_t *)taco__arena_array(&c->arena, f->table->field_count + 1, sizeof *list.at, &c->err);
    f->place = (size_t *)taco__arena_array(&c->arena, n + 1, sizeof *f->place, &c->err);
    if (!list.which || !list.at || !f->place || !taco__table_reader_place_columns(c, f, &list) ||
        !taco__table_reader_place_paths(c, f, &list)) {
        return false;
    }
    f->open = taco__scan_open(&f->scan, f->table, f->filter.where,
                              f->filter.has_cascade ? f->filter.cascade.bits[c->query.level] : NULL,
                              list.which, list.count, 0, c->mem, &c->err);
    for (l = 0; f->open && c->query.flat && l < c->query.level; l++) {
        if (!taco__table_reader_open_ancestor(c, f, l, &list)) { return false; }
    }
    /* with a limit, rows of a flat view are read on demand */
    return f->open &&
           (!c->query.flat || c->query.left != UINT64_MAX || taco__table_reader_read_ahead(c, f));
}

TACO__FN void taco__table_reader_close(taco__table_reader *f)
{
    uint32_t l;
    taco__sample_path_tasks_free(&f->path_tasks);
    if (f->open) {
        taco__scan_close(&f->scan);
        f->open = false;
    }
    for (l = 0; l < TACO__MAX_LEVELS; l++) {
        taco__row_reader_close(&f->ancestors[l]);
        taco__sample_path_free(&f->ancestor_paths[l]);
    }
    if (f->filter.has_cascade) {
        taco__cascade_free(f->store, &f->filter.cascade);
        f->filter.has_cascade = false;
    }
    taco__sample_path_free(&f->paths);
}
