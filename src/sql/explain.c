/* explain.c - plans for users: what a view will read, computed in advance

   In: a view. Out: a taco_plan: for each table what statistics prune, and ranges of files by round.
   The view is planned as if for reading, and its cursors are opened except for their rows
   (plan_only). For each scan the row groups and pages that may match are found the same way as by
   the scan, from footers and page indexes, which are read; their byte ranges are joined as for
   requests to a vectored source. Round 0 is indexes, 1 tested columns, 2 output columns. Start at
   taco_view_plan, at the end. */
#include "sql.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../filter/scan.h"
#include "../dataset/dataset.h"

/* a range of a file to read in a round, not yet sorted */
typedef struct taco__explain_range {
    taco__file *file;
    taco__range range;
    uint32_t round; /* 0 indexes, 1 tested columns, 2 output columns */
    bool at_most;
} taco__explain_range;

typedef struct taco__explain_file {
    taco__file *file;
    const char *name;
} taco__explain_file;

/* must begin with the public part */
typedef struct taco__explain {
    taco_plan plan;
    taco__mem *mem;
    taco__arena arena;
    taco__buf needs, tables, files, ranges; /* need, taco_plan_table, file, taco_range */
    taco__buf text, json;
    uint64_t skip, left; /* for rows returned in storage order */
    bool waits;          /* indexes must be fetched first */
    taco_error *err;
} taco__explain;

/* Records a file that may be read, with its name in ranges; each file once. */
static bool taco__explain_add_file(taco__explain *p, taco__file *file, const char *name)
{
    const taco__explain_file *have = (const taco__explain_file *)(const void *)p->files.data;
    taco__explain_file f;
    size_t i;
    for (i = 0; i < p->files.len / sizeof f; i++) {
        if (have[i].file == file) { return true; }
    }
    f.file = file;
    f.name = taco__arena_text(&p->arena, taco__bytes_text(name), p->err);
    return f.name && taco__buf_append(&p->files, &f, sizeof f, p->err);
}

/* Adds ranges to the needs of a round, and empties them. */
static bool taco__explain_add_ranges(taco__explain *p, taco__file *file, taco__buf *ranges,
                                     uint32_t round, bool at_most)
{
    taco__explain_range n;
    size_t i;
    bool ok = true;
    memset(&n, 0, sizeof n);
    n.file = file;
    n.round = round;
    n.at_most = at_most;
    for (i = 0; ok && i < ranges->len / sizeof n.range; i++) {
        memcpy(&n.range, ranges->data + i * sizeof n.range, sizeof n.range);
        ok = taco__buf_append(&p->needs, &n, sizeof n, p->err);
    }
    ranges->len = 0;
    return ok;
}

/* ---- one table ---- */

/* Names of some columns of a table, copied into the plan. NULL if there is no memory. */
static const char *const *taco__explain_column_names(taco__explain *p, const taco__table *t,
                                                     const size_t *which, size_t n)
{
    const char **out = (const char **)taco__arena_array(&p->arena, n + 1, sizeof *out, p->err);
    size_t i;
    for (i = 0; out && i < n; i++) {
        out[i] = taco__arena_text(&p->arena, taco__bytes_text(t->fields[which[i]].name), p->err);
        if (!out[i]) { return NULL; }
    }
    return out;
}

/* Reads the indexes of a table's row groups, which everything else depends on. If they are not
   available yet (a feed without the bytes: an IO error), they are what is needed first, and
   p->waits is set. */
static bool taco__explain_read_indexes(taco__explain *p, taco__scan *s, const taco__scan_window *w)
{
    taco__file *file = s->query.table->pq->part.file;
    taco__buf asked, *ranges = &s->fetch.ranges;
    bool ok;
    if (!taco__scan_fetch_add_indexes(s, w, true, p->err)) { return false; }
    memset(&asked, 0, sizeof asked);
    asked.mem = p->mem;
    ok = taco__buf_append(&asked, ranges->data, ranges->len, p->err);
    p->plan.index_bytes += taco__scan_fetch_range_bytes(ranges);
    if (ok && !taco__scan_fetch_ranges(s, &s->fetch.tested, p->err)) {
        ok = false;
        if (p->err->code == TACO_ERR_IO) {
            p->waits = taco__explain_add_ranges(p, file, &asked, 0, false);
        }
    }
    taco__buf_free(&asked);
    return ok;
}

/* The needs of one row group of a scan, in order: pages of tested columns, and of output columns,
   if those depend on the test. */
static bool taco__explain_group(taco__explain *p, taco__scan *s, taco_plan_table *t, uint32_t group,
                                size_t *at, bool depends)
{
    taco__file *file = s->query.table->pq->part.file;
    taco__row_selection rows;
    bool test = taco__scan_plan_group_rows(s, group, at, &rows);
    if (!rows.span_count) { return true; }
    rows.cache_scan = 0;
    rows.select = NULL;
    t->at_most = t->at_most || test || depends;
    return (!test || (taco__scan_fetch_add_tested(s, group, &rows, &s->fetch.ranges, p->err) &&
                      taco__explain_add_ranges(p, file, &s->fetch.ranges, 1, depends))) &&
           taco__scan_fetch_add_output(s, group, &rows, &s->fetch.ranges, p->err) &&
           taco__explain_add_ranges(p, file, &s->fetch.ranges, 2, test || depends);
}

/* The needs of a scan: its predicate, and its columns for rows that may match. depends: the rows
   also depend on something else. */
static bool taco__explain_scan(taco__explain *p, taco__scan *s, taco_plan_table *t, bool depends)
{
    size_t i, at = 0, count = taco__table_group_count(s->query.table);
    const taco__scan_counts *counts = &s->plan.counts;
    const taco__scan_span *x;
    taco__scan_window w;
    bool ok;
    w.groups = (uint32_t *)taco__arena_array(&p->arena, count + 1, sizeof *w.groups, p->err);
    w.outcomes = (uint8_t *)taco__arena_array(&p->arena, count + 1, sizeof *w.outcomes, p->err);
    if (!w.groups || !w.outcomes) { return false; }
    taco__scan_plan_all_groups(s, &w);
    ok = taco__explain_read_indexes(p, s, &w) && taco__scan_plan_rows(s, &w, p->err);
    for (i = 0; ok && i < w.count; i++) {
        ok = taco__explain_group(p, s, t, w.groups[i], &at, depends);
    }
    x = (const taco__scan_span *)(const void *)s->plan.spans.data;
    for (i = 0; i < s->plan.spans.len / sizeof *x; i++) {
        t->rows_left += x[i].n;
    }
    t->groups += counts->groups;
    t->groups_pruned += counts->groups_pruned + counts->bloom_pruned;
    t->pages += counts->pages;
    t->pages_pruned += counts->pages_pruned;
    return ok;
}

/* A level that is tested or joined but not output: columns of its conditions and of joins with
   adjacent levels, and the indexes for looking up a few rows, if possible. */
static bool taco__explain_level(taco__explain *p, taco__table_reader *f, uint32_t l, uint32_t last)
{
    taco__level *level = &f->store->levels[l];
    taco__scan s;
    taco_plan_table t;
    taco__buf ranges;
    bool ok, few = (l && taco__lookup_is_possible(f->store, l)) ||
                   (l < last && taco__lookup_is_possible(f->store, l + 1));
    memset(&t, 0, sizeof t);
    if (!level->table.pq) { return true; }
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = p->mem;
    ok = taco__cascade_need_level(f->store, l, f->filter.conditions[l], last, f->filter.deepest,
                                  &ranges, p->err) &&
         taco__explain_add_ranges(p, level->table.pq->part.file, &ranges, 1, false) &&
         (!few || (taco__cascade_need_level(f->store, l, NULL, last, last, &ranges, p->err) &&
                   taco__cascade_need_indexes(f->store, l, last, &ranges, p->err) &&
                   taco__explain_add_ranges(p, level->table.pq->part.file, &ranges, 1, true)));
    taco__buf_free(&ranges);
    if (!ok || !f->filter.conditions[l] ||
        !taco__scan_open(&s, &level->table, f->filter.conditions[l], NULL, NULL, 0, 0, p->mem,
                         p->err)) {
        return ok && !f->filter.conditions[l];
    }
    t.dataset = f->store->name;
    t.level = l;
    t.rows = level->table.rows;
    t.tested = taco__explain_column_names(p, &level->table, s.query.tested, s.query.tested_count);
    t.tested_count = s.query.tested_count;
    ok = t.tested && taco__explain_scan(p, &s, &t, false) &&
         taco__buf_append(&p->tables, &t, sizeof t, p->err);
    taco__scan_close(&s);
    return ok;
}

/* ---- cursors ---- */

/* Ancestors that a flat view outputs: since their rows are not known yet, all rows, as an upper
   bound. */
static bool taco__explain_ancestors(taco__explain *p, const taco_cursor *c, taco__table_reader *f)
{
    uint32_t l;
    taco__buf ranges;
    bool ok = true;
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = p->mem;
    for (l = 0; ok && c->query.flat && l < c->query.level; l++) {
        const taco__row_reader *r = &f->ancestors[l];
        taco_plan_table t;
        if (!r->table->pq || !r->count) { continue; }
        memset(&t, 0, sizeof t);
        t.dataset = f->store->name;
        t.level = l;
        t.rows = t.rows_left = r->table->rows;
        t.groups = taco__table_group_count(r->table);
        t.at_most = true;
        t.shown = taco__explain_column_names(p, r->table, r->which, r->count);
        t.shown_count = r->count;
        ok = t.shown && taco__table_reader_need_columns(r, NULL, &ranges, p->err) &&
             taco__explain_add_ranges(p, r->table->pq->part.file, &ranges, 2, true) &&
             taco__buf_append(&p->tables, &t, sizeof t, p->err);
    }
    taco__buf_free(&ranges);
    return ok;
}

/* The needs of one container: levels that are only tested, then the table of the rows, then its
   ancestors. */
static bool taco__explain_store(taco__explain *p, const taco_cursor *c, taco__table_reader *f)
{
    taco_pq_file *pq = f->table->pq;
    taco__scan *s = &f->scan;
    taco_plan_table t;
    uint32_t l, last = TACO__MAX(f->filter.deepest, c->query.level);
    bool ok = true, plain = !s->query.where && !f->filter.conditions;
    /* names of the files that may be read */
    for (l = 0; ok && l < TACO__MAX_LEVELS; l++) {
        const taco__level *level = &f->store->levels[l];
        ok = !level->table.pq || taco__explain_add_file(p, level->table.pq->part.file,
                                                        level->path ? level->path : f->store->name);
    }
    for (l = 0; ok && f->filter.conditions && l <= last; l++) {
        ok = taco__explain_level(p, f, l, last);
    }
    if (!ok || !pq) { return ok; }
    memset(&t, 0, sizeof t);
    t.dataset = f->store->name;
    t.level = c->query.level;
    t.rows = f->table->rows;
    t.tested = taco__explain_column_names(p, f->table, s->query.tested, s->query.tested_count);
    t.tested_count = s->query.tested_count;
    t.shown = taco__explain_column_names(p, f->table, s->out.which, s->out.count);
    t.shown_count = s->out.count;
    /* OFFSET and LIMIT are known in advance */
    if (plain) { /* rows are returned in storage order */
        taco__scan_set_rows(s, p->skip, p->left);
        p->skip -= s->query.from;
        p->left -= s->query.to - s->query.from;
    }
    return t.tested && t.shown && taco__explain_scan(p, s, &t, f->filter.conditions != NULL) &&
           taco__buf_append(&p->tables, &t, sizeof t, p->err) && taco__explain_ancestors(p, c, f);
}

/* The needs of a cursor; a SELECT has one cursor below it for each of its tables. */
static bool taco__explain_cursor(taco__explain *p, taco_cursor *c, uint32_t depth)
{
    size_t i;
    /* a SELECT: its tables, which may be the SELECTs of layers again */
    if (c->producer.next) {
        taco__executor *x = (taco__executor *)c->producer.state;
        for (i = 0; i < TACO__SQL_MAX_TABLES; i++) {
            if (x->scans[i] && depth < 64 && !taco__explain_cursor(p, x->scans[i], depth + 1)) {
                return false;
            }
        }
        return true;
    }
    p->skip = c->query.skip;
    p->left = c->query.left;
    for (i = 0; i < c->reader_count; i++) {
        if (!taco__explain_store(p, c, &c->readers[i])) { return false; }
    }
    return true;
}

/* ---- ranges ---- */

/* The needs of one file and round as ranges: joined as for a vectored source, without what is in
   memory and what earlier rounds fetch. `seen` is a file whose segments are those; the ranges are
   added to it. */
static bool taco__explain_add_round(taco__explain *p, const taco__explain_file *file,
                                    taco__file *seen, uint32_t round, bool at_most, uint32_t number,
                                    bool *any)
{
    const taco__explain_range *need = (const taco__explain_range *)(const void *)p->needs.data;
    size_t i, n = 0, count = p->needs.len / sizeof *need, bytes;
    taco__range *r;
    uint64_t asked = 0, left = 0;
    bool ok = true;
    if (!taco__checked_mul_size(count + seen->segment_count + 1, sizeof *r, &bytes)) {
        TACO__FAIL(p->err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for ranges");
        return false;
    }
    r = (taco__range *)taco__mem_alloc(p->mem, bytes, p->err);
    for (i = 0; r && i < count; i++) {
        if (need[i].file == file->file && need[i].round == round && need[i].at_most == at_most) {
            r[n++] = need[i].range;
            asked += need[i].range.len;
        }
    }
    n = r ? taco__file_plan_reads(seen, r, n, TACO__FILE_GAP) : 0;
    for (i = 0; ok && i < n; i++) {
        taco_range out;
        taco__file_segment s;
        memset(&out, 0, sizeof out);
        memset(&s, 0, sizeof s);
        out.file = file->name;
        s.offset = out.offset = r[i].offset;
        out.len = r[i].len;
        out.round = number;
        out.at_most = at_most;
        left += out.len;
        *any = true;
        ok = taco__checked_to_size(out.len, &s.len) &&
             taco__buf_append(&p->ranges, &out, sizeof out, p->err) &&
             taco__file_add_segment(seen, s, p->err);
    }
    p->plan.held += asked > left ? asked - left : 0;
    taco__mem_free(p->mem, r, bytes);
    return r && ok;
}

/* Orders the needs of all files, round by round. Rounds without a range are not counted, so that
   the first one needed is 0. */
static bool taco__explain_order_rounds(taco__explain *p)
{
    const taco__explain_file *files = (const taco__explain_file *)(const void *)p->files.data;
    size_t i, k, n = p->files.len / sizeof *files;
    taco__file *seen = (taco__file *)taco__arena_array(&p->arena, n + 1, sizeof *seen, p->err);
    uint32_t round, number = 0;
    bool ok = seen != NULL;
    for (i = 0; ok && i < n; i++) {
        seen[i].mem = p->mem;
        seen[i].src.size = files[i].file->src.size;
        for (k = 0; ok && k < files[i].file->segment_count; k++) {
            taco__file_segment s = files[i].file->segments[k];
            s.data = NULL;
            ok = taco__file_add_segment(&seen[i], s, p->err);
        }
    }
    for (round = 0; ok && round < 3; round++) {
        bool any = false;
        for (i = 0; ok && i < n; i++) {
            ok = taco__explain_add_round(p, &files[i], &seen[i], round, false, number, &any) &&
                 taco__explain_add_round(p, &files[i], &seen[i], round, true, number, &any);
        }
        number += any;
    }
    p->plan.rounds = number;
    for (i = 0; seen && i < n; i++) {
        taco__mem_free(p->mem, seen[i].segments, seen[i].segment_cap * sizeof *seen[i].segments);
    }
    return ok;
}

/* ---- as text ---- */

/* Appends text to an output of the plan. */
static bool taco__explain_append(taco__explain *p, taco__buf *b, const char *text)
{
    return taco__buf_append_text(b, text, p->err);
}

/* Appends a number between two texts. */
static bool taco__explain_append_number(taco__explain *p, taco__buf *b, const char *before,
                                        uint64_t n, const char *after)
{
    char digits[24];
    return taco__explain_append(p, b, before) &&
           taco__buf_append(b, digits, taco__num_format_u64(digits, n), p->err) &&
           taco__explain_append(p, b, after);
}

/* A line "label a, b, c"; nothing for an empty list. */
static bool taco__explain_append_list(taco__explain *p, taco__buf *b, const char *label,
                                      const char *const *names, size_t n)
{
    size_t i;
    bool ok = !n || taco__explain_append(p, b, label);
    for (i = 0; ok && i < n; i++) {
        ok = taco__explain_append(p, b, i ? ", " : " ") && taco__explain_append(p, b, names[i]);
    }
    return ok && (!n || taco__explain_append(p, b, "\n"));
}

/* The lines of one table: rows, what is pruned, what is tested and read. */
static bool taco__explain_append_table(taco__explain *p, taco__buf *b, const taco_plan_table *t)
{
    return taco__explain_append(p, b, t->dataset) &&
           taco__explain_append_number(p, b, ": level", t->level, ": ") &&
           taco__explain_append_number(p, b, "", t->rows, " rows, ") &&
           taco__explain_append_number(p, b, "", t->groups_pruned, " of ") &&
           taco__explain_append_number(p, b, "", t->groups, " row groups pruned") &&
           (!t->pages ||
            (taco__explain_append_number(p, b, ", ", t->pages_pruned, " of ") &&
             taco__explain_append_number(p, b, "", t->pages, " page ranges pruned"))) &&
           taco__explain_append_number(p, b, t->at_most ? ", at most " : ", ", t->rows_left,
                                       " rows left\n") &&
           taco__explain_append_list(p, b, "  tests", t->tested, t->tested_count) &&
           taco__explain_append_list(p, b, "  reads", t->shown, t->shown_count);
}

/* One line each for SELECTs, tables and totals, then a line for each range. */
TACO_API taco_bytes taco_plan_text(taco_plan *plan, taco_error *err)
{
    taco__explain *p = (taco__explain *)(void *)plan;
    taco__buf *b = p ? &p->text : NULL;
    size_t i;
    bool ok = p != NULL;
    err = taco__error_fresh(err, NULL);
    if (!p) { return taco__bytes_of(NULL, 0); }
    p->err = err;
    b->len = 0;
    ok = taco__explain_append_list(p, b, "SELECTs over the query:", plan->selects,
                                   plan->select_count) &&
         taco__explain_append_list(p, b,
                                   "conditions of SELECTs tested below them:", plan->pushed_down,
                                   plan->pushed_down_count);
    for (i = 0; ok && i < plan->table_count; i++) {
        ok = taco__explain_append_table(p, b, &plan->tables[i]);
    }
    ok = ok && taco__explain_append_number(p, b, "", plan->bytes, " bytes in ") &&
         taco__explain_append_number(p, b, "", plan->range_count, " requests, ") &&
         taco__explain_append_number(p, b, "", plan->rounds, " rounds") &&
         (!plan->held ||
          taco__explain_append_number(p, b, "; ", plan->held, " bytes more are held already")) &&
         taco__explain_append(p, b, plan->complete ? "\n" : "; then more\n");
    for (i = 0; ok && i < plan->range_count; i++) {
        const taco_range *r = &plan->ranges[i];
        ok = taco__explain_append_number(p, b, "  round ", r->round + 1,
                                         r->at_most ? " at most " : " ") &&
             taco__explain_append_number(p, b, "", r->len, " bytes at ") &&
             taco__explain_append_number(p, b, "", r->offset, " of ") &&
             taco__explain_append(p, b, r->file) && taco__explain_append(p, b, "\n");
    }
    return ok ? taco__bytes_of(b->data, b->len) : taco__bytes_of(NULL, 0);
}

/* "key": [names] */
static void taco__explain_json_list(taco__json_writer *w, const char *key, const char *const *names,
                                    size_t n)
{
    size_t i;
    taco__json_write_begin(w, key, '[');
    for (i = 0; i < n; i++) {
        taco__json_write_text(w, NULL, names[i]);
    }
    taco__json_write_end(w, ']');
}

/* One table as an object. */
static void taco__explain_json_table(taco__json_writer *w, const taco_plan_table *t)
{
    taco__json_write_begin(w, NULL, '{');
    taco__json_write_text(w, "dataset", t->dataset);
    taco__json_write_u64(w, "level", t->level);
    taco__json_write_u64(w, "rows", t->rows);
    taco__json_write_u64(w, "row_groups", t->groups);
    taco__json_write_u64(w, "row_groups_pruned", t->groups_pruned);
    taco__json_write_u64(w, "pages", t->pages);
    taco__json_write_u64(w, "pages_pruned", t->pages_pruned);
    taco__json_write_u64(w, "rows_left", t->rows_left);
    taco__json_write_bool(w, "at_most", t->at_most);
    taco__explain_json_list(w, "tests", t->tested, t->tested_count);
    taco__explain_json_list(w, "reads", t->shown, t->shown_count);
    taco__json_write_end(w, '}');
}

/* One range of a file as an object; rounds count from 1. */
static void taco__explain_json_range(taco__json_writer *w, const taco_range *r)
{
    taco__json_write_begin(w, NULL, '{');
    taco__json_write_text(w, "file", r->file);
    taco__json_write_u64(w, "round", (uint64_t)r->round + 1);
    taco__json_write_u64(w, "offset", r->offset);
    taco__json_write_u64(w, "bytes", r->len);
    taco__json_write_bool(w, "at_most", r->at_most);
    taco__json_write_end(w, '}');
}

/* The plan as one object; field by field as taco_plan has them. */
TACO_API taco_bytes taco_plan_json(taco_plan *plan, taco_error *err)
{
    taco__explain *p = (taco__explain *)(void *)plan;
    taco__json_writer w;
    size_t i;
    err = taco__error_fresh(err, NULL);
    if (!p) { return taco__bytes_of(NULL, 0); }
    p->json.len = 0;
    w = taco__json_writer_init(&p->json, err);
    taco__json_write_begin(&w, NULL, '{');
    taco__explain_json_list(&w, "selects", plan->selects, plan->select_count);
    taco__json_write_begin(&w, "tables", '[');
    for (i = 0; i < plan->table_count; i++) {
        taco__explain_json_table(&w, &plan->tables[i]);
    }
    taco__json_write_end(&w, ']');
    taco__explain_json_list(&w, "pushed_down", plan->pushed_down, plan->pushed_down_count);
    taco__json_write_u64(&w, "rounds", plan->rounds);
    taco__json_write_u64(&w, "requests", plan->range_count);
    taco__json_write_u64(&w, "bytes", plan->bytes);
    taco__json_write_u64(&w, "held", plan->held);
    taco__json_write_u64(&w, "index_bytes", plan->index_bytes);
    taco__json_write_bool(&w, "complete", plan->complete);
    taco__json_write_begin(&w, "ranges", '[');
    for (i = 0; i < plan->range_count; i++) {
        taco__explain_json_range(&w, &plan->ranges[i]);
    }
    taco__json_write_end(&w, ']');
    taco__json_write_end(&w, '}');
    return w.ok ? taco__bytes_of(p->json.data, p->json.len) : taco__bytes_of(NULL, 0);
}

/* ---- public ---- */

/* The public plan is the beginning of a taco__explain, which owns its arrays and texts. */
TACO_API void taco_plan_free(taco_plan *plan)
{
    taco__explain *p = (taco__explain *)(void *)plan;
    if (p) {
        taco__buf_free(&p->needs);
        taco__buf_free(&p->tables);
        taco__buf_free(&p->files);
        taco__buf_free(&p->ranges);
        taco__buf_free(&p->text);
        taco__buf_free(&p->json);
        taco__arena_free(&p->arena);
        taco__mem_free(p->mem, p, sizeof *p);
    }
}

/* Fills in the public part from what was gathered; its arrays are the buffers' memory, its texts
   are in the arena. */
static bool taco__explain_finish(taco__explain *p, const taco__view_query *z)
{
    const char **texts =
        (const char **)taco__arena_array(&p->arena, z->layer_count + 1, sizeof *texts, p->err);
    size_t i;
    if (!texts || !taco__explain_order_rounds(p)) { return false; }
    for (i = 0; i < z->layer_count; i++) {
        texts[i] = taco__arena_text(&p->arena, taco__bytes_text(z->layers[i].sql), p->err);
        if (!texts[i]) { return false; }
    }
    p->plan.selects = texts;
    p->plan.select_count = z->layer_count;
    texts = (const char **)taco__arena_array(&p->arena, z->pushed_down_count + 1, sizeof *texts,
                                             p->err);
    for (i = 0; texts && i < z->pushed_down_count; i++) {
        texts[i] = taco__arena_text(&p->arena, taco__bytes_text(z->pushed_down[i]), p->err);
    }
    if (!texts || p->err->code != TACO_OK) { return false; }
    p->plan.pushed_down = texts;
    p->plan.pushed_down_count = z->pushed_down_count;
    p->plan.ranges = (const taco_range *)(const void *)p->ranges.data;
    p->plan.range_count = p->ranges.len / sizeof(taco_range);
    p->plan.tables = (const taco_plan_table *)(const void *)p->tables.data;
    p->plan.table_count = p->tables.len / sizeof(taco_plan_table);
    for (i = 0; i < p->plan.range_count; i++) {
        p->plan.bytes += p->plan.ranges[i].len;
    }
    p->plan.complete = !p->waits;
    return true;
}

/* The view is opened to plan it, inspected and closed. An index that cannot be read yet is not a
   failure: the plan ends with its ranges. */
TACO_API taco_plan *taco_view_plan(const taco_view *v, taco_error *err)
{
    taco__explain *p;
    taco__view_query z;
    taco_cursor *c = NULL;
    taco_error own;
    bool ok;
    err = taco__error_fresh(err, NULL);
    memset(&own, 0, sizeof own);
    if (!v) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no view given");
        return NULL;
    }
    p = (taco__explain *)taco__mem_alloc(&v->ds->mem, sizeof *p, err);
    if (!p) { return NULL; }
    p->mem = p->arena.mem = &v->ds->mem;
    p->needs.mem = p->tables.mem = p->files.mem = p->ranges.mem = p->text.mem = p->json.mem =
        p->mem;
    p->err = &own;
    ok = taco__view_query_open_plan(&z, v, &own, &c) && taco__explain_cursor(p, c, 0);
    if (!ok && p->waits) { /* the plan ends with what must be fetched first */
        memset(&own, 0, sizeof own);
        ok = true;
    }
    taco_cursor_close(c, NULL);
    ok = ok && taco__explain_finish(p, &z);
    taco__view_query_free(&z);
    if (!ok) {
        taco__error_copy(err, &own);
        taco_plan_free(&p->plan);
        return NULL;
    }
    return &p->plan;
}
