/* ==== ROOM plan: what a view will read, told before it does: tables, row groups, pages, ranges. Uses: lazy sql cursor pq:scan pq:text ==== */

typedef struct taco__plan_need { /* a range of a file, of a round; not yet put in order */
    taco__file *file;
    taco__range range;
    uint32_t    round; /* 0 indexes, 1 what is tested, 2 what comes out */
    bool        at_most;
} taco__plan_need;
typedef struct taco__plan_file {
    taco__file *file;
    const char *name;
} taco__plan_file;

typedef struct taco__plan_own { /* behind the public part */
    taco_plan   plan;
    taco__mem  *mem;
    taco__arena arena;
    taco__buf   needs, tables, files, ranges; /* need, taco_plan_table, file, taco_range */
    taco__buf   text, json;
    uint64_t    skip, left; /* of rows that come out one by one */
    bool        waits;      /* for indexes */
    taco_error *err;
} taco__plan_own;

TACO__FN bool taco__plan_file_of(taco__plan_own *p, taco__file *file, const char *name)
{
    const taco__plan_file *have = (const taco__plan_file *)(const void *)p->files.data;
    taco__plan_file        f;
    size_t                 i;
    for (i = 0; i < p->files.len / sizeof f; i++) {
        if (have[i].file == file) {
            return true;
        }
    }
    f.file = file;
    f.name = taco__arena_text(&p->arena, taco__base_text(name), p->err);
    return f.name && taco__buf_append(&p->files, &f, sizeof f, p->err);
}
/* Takes ranges over as needs of a round, and empties them. */
TACO__FN bool taco__plan_needs(taco__plan_own *p, taco__file *file, taco__buf *ranges,
                               uint32_t round, bool at_most)
{
    taco__plan_need n;
    size_t          i;
    bool            ok = true;
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

/* ---- one table ------------------------------------------------------------------------------------- */

TACO__FN const char *const *taco__plan_names(taco__plan_own *p, const taco__table *t,
                                             const size_t *which, size_t n)
{
    const char **out = (const char **)taco__arena_array(&p->arena, n + 1, sizeof *out, p->err);
    size_t       i;
    for (i = 0; out && i < n; i++) {
        out[i] = taco__arena_text(&p->arena, taco__base_text(t->fields[which[i]].name), p->err);
        if (!out[i]) {
            return NULL;
        }
    }
    return out;
}
/* Reads the indexes of a table's row groups: what follows depends on them. Where that fails they are what is needed
   first. */
TACO__FN bool taco__plan_indexes(taco__plan_own *p, taco__scan *s, const uint32_t *groups,
                                 const uint8_t *may, size_t n)
{
    taco__file *file = s->table->pq->part.file;
    taco__buf   asked;
    size_t      i;
    bool        ok = true;
    for (i = 0; i < n; i++) {
        if ((s->where && may[i] != TACO__MAY_TRUE &&
             !taco__scan_want_index(s, groups[i], p->err)) ||
            !taco__scan_want_out_index(s, groups[i], p->err)) {
            return false;
        }
    }
    memset(&asked, 0, sizeof asked);
    asked.mem = p->mem;
    ok = taco__buf_append(&asked, s->fetch.data, s->fetch.len, p->err);
    p->plan.index_bytes += taco__scan_bytes(&s->fetch);
    if (ok && !taco__scan_fetch(s, &s->held, p->err)) {
        ok = false;
        if (p->err->code == TACO_ERR_IO) {
            p->waits = taco__plan_needs(p, file, &asked, 0, false);
        }
    }
    taco__buf_free(&asked);
    return ok;
}
/* The needs of a scan: its predicate, and its columns for rows that may be left. depends: on more than this. */
TACO__FN bool taco__plan_scan(taco__plan_own *p, taco__scan *s, taco_plan_table *t, bool depends)
{
    uint32_t     *all;
    uint8_t      *may;
    size_t        i, n = 0, k = 0, end, count = taco__table_groups(s->table);
    unsigned      m;
    taco_pq_file *pq = s->table->pq;
    taco__buf     ranges;
    bool          ok = true;
    all = (uint32_t *)taco__arena_array(&p->arena, count + 1, sizeof *all, p->err);
    may = (uint8_t *)taco__arena_array(&p->arena, count + 1, sizeof *may, p->err);
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = p->mem;
    while (all && may && taco__scan_step(s, &all[n], &m)) {
        may[n++] = (uint8_t)m;
    }
    ok = all && may && taco__plan_indexes(p, s, all, may, n);
    for (i = 0; ok && i < n; i++) {
        m = may[i];
        ok = (m == TACO__MAY_TRUE || taco__scan_bloom(s, all[i], &m, p->err)) &&
             (!(m & TACO__MAY_TRUE) || taco__scan_plan(s, all[i], m, p->err));
    }
    for (i = 0; ok && i < n; i++) {
        const taco__scan_span *x = (const taco__scan_span *)(const void *)s->spans.data;
        uint64_t               stop =
            taco__table_group_first(s->table, all[i]) + taco__table_group_rows(s->table, all[i]);
        size_t       spans = s->spans.len / sizeof *x;
        bool         test = false;
        taco__wanted w;
        memset(&w, 0, sizeof w);
        for (end = k; end < spans && x[end].first < stop; end++) {
            test = test || (s->where && !x[end].whole);
        }
        w.spans = x + k;
        w.span_count = end - k;
        if (end > k) {
            ok = (!test || (taco__scan_chunks(pq, s->used, s->used_count, s->table->stored, all[i],
                                              &w, &ranges, p->err) &&
                            taco__plan_needs(p, pq->part.file, &ranges, 1, depends))) &&
                 taco__scan_chunks(pq, s->out.which, s->out.count, s->table->stored, all[i], &w,
                                   &ranges, p->err) &&
                 taco__plan_needs(p, pq->part.file, &ranges, 2, test || depends);
            t->at_most = t->at_most || test || depends;
        }
        for (; k < end && x[k].first + x[k].n <= stop; k++) {
            t->rows_left += x[k].n;
        }
    }
    taco__buf_free(&ranges);
    t->groups += s->counts.groups;
    t->groups_pruned += s->counts.groups_pruned + s->counts.bloom_pruned;
    t->pages += s->counts.pages;
    t->pages_pruned += s->counts.pages_pruned;
    return ok;
}
/* A level that is tested or joined, not shown. */
TACO__FN bool taco__plan_level(taco__plan_own *p, taco__feed *f, uint32_t l, uint32_t last)
{
    taco__level    *level = &f->store->levels[l];
    taco__scan      s;
    taco_plan_table t;
    taco__buf       ranges;
    bool            ok, few = (l && taco__join_few_may(f->store, l)) ||
                   (l < last && taco__join_few_may(f->store, l + 1));
    memset(&t, 0, sizeof t);
    if (!level->table.pq) {
        return true;
    }
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = p->mem;
    ok = taco__picks_want(f->store, l, f->tested[l], last, f->deepest, &ranges, p->err) &&
         taco__plan_needs(p, level->table.pq->part.file, &ranges, 1, false) &&
         (!few || (taco__picks_want(f->store, l, NULL, last, last, &ranges, p->err) &&
                   taco__picks_want_index(f->store, l, last, &ranges, p->err) &&
                   taco__plan_needs(p, level->table.pq->part.file, &ranges, 1, true)));
    taco__buf_free(&ranges);
    if (!ok || !f->tested[l] ||
        !taco__scan_open(&s, &level->table, f->tested[l], NULL, NULL, 0, 0, p->mem, p->err)) {
        return ok && !f->tested[l];
    }
    t.dataset = f->store->name;
    t.level = l;
    t.rows = level->table.rows;
    t.tested = taco__plan_names(p, &level->table, s.used, s.used_count);
    t.tested_count = s.used_count;
    ok = t.tested && taco__plan_scan(p, &s, &t, false) &&
         taco__buf_append(&p->tables, &t, sizeof t, p->err);
    taco__scan_close(&s);
    return ok;
}

/* ---- cursors --------------------------------------------------------------------------------------- */

/* Ancestors that a flat view shows. */
TACO__FN bool taco__plan_ancestors(taco__plan_own *p, const taco_cursor *c, taco__feed *f)
{
    uint32_t  l;
    taco__buf ranges;
    bool      ok = true;
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = p->mem;
    for (l = 0; ok && c->flat && l < c->level; l++) {
        const taco__rows *r = &f->rows[l];
        taco_plan_table   t;
        if (!r->table->pq || !r->count) {
            continue;
        }
        memset(&t, 0, sizeof t);
        t.dataset = f->store->name;
        t.level = l;
        t.rows = t.rows_left = r->table->rows;
        t.groups = taco__table_groups(r->table);
        t.at_most = true;
        t.shown = taco__plan_names(p, r->table, r->which, r->count);
        t.shown_count = r->count;
        ok = t.shown && taco__feed_want(r, NULL, &ranges, p->err) &&
             taco__plan_needs(p, r->table->pq->part.file, &ranges, 2, true) &&
             taco__buf_append(&p->tables, &t, sizeof t, p->err);
    }
    taco__buf_free(&ranges);
    return ok;
}
TACO__FN bool taco__plan_feed(taco__plan_own *p, const taco_cursor *c, taco__feed *f)
{
    taco_pq_file   *pq = f->table->pq;
    taco__scan     *s = &f->scan;
    taco_plan_table t;
    uint32_t        l, last = TACO__MAX(f->deepest, c->level);
    bool            ok = true, plain = !s->where && !f->tested;
    for (l = 0; ok && l < TACO__LEVELS; l++) { /* names of the files that may be asked for */
        const taco__level *level = &f->store->levels[l];
        ok = !level->table.pq || taco__plan_file_of(p, level->table.pq->part.file,
                                                    level->path ? level->path : f->store->name);
    }
    for (l = 0; ok && f->tested && l <= last; l++) {
        ok = taco__plan_level(p, f, l, last);
    }
    if (!ok || !pq) {
        return ok;
    }
    memset(&t, 0, sizeof t);
    t.dataset = f->store->name;
    t.level = c->level;
    t.rows = f->table->rows;
    t.tested = taco__plan_names(p, f->table, s->used, s->used_count);
    t.tested_count = s->used_count;
    t.shown = taco__plan_names(p, f->table, s->out.which, s->out.count);
    t.shown_count = s->out.count;
    if (plain) { /* rows leave as they are stored */
        s->from = TACO__MIN(p->skip, f->table->rows);
        s->to = f->table->rows - s->from > p->left ? s->from + p->left : f->table->rows;
        p->skip -= s->from;
        p->left -= s->to - s->from;
    }
    return t.tested && t.shown && taco__plan_scan(p, s, &t, f->tested != NULL) &&
           taco__buf_append(&p->tables, &t, sizeof t, p->err) && taco__plan_ancestors(p, c, f);
}
TACO__FN bool taco__plan_cursor(taco__plan_own *p, taco_cursor *c, uint32_t depth)
{
    size_t i;
    if (c->next) {
        taco__exec *x = (taco__exec *)c->plan;
        for (i = 0; i < TACO__SQL_TABLES; i++) {
            if (x->scans[i] && depth < 64 && !taco__plan_cursor(p, x->scans[i], depth + 1)) {
                return false;
            }
        }
        return true;
    }
    p->skip = c->skip;
    p->left = c->left;
    for (i = 0; i < c->feed_count; i++) {
        if (!taco__plan_feed(p, c, &c->feeds[i])) {
            return false;
        }
    }
    return true;
}

/* ---- ranges ---------------------------------------------------------------------------------------- */

/* The needs of one file and round as ranges: joined as a vectored source is asked for them, without what is held and what
   rounds before brought. seen: a file whose segments are those. */
TACO__FN bool taco__plan_round(taco__plan_own *p, const taco__plan_file *file, taco__file *seen,
                               uint32_t round, bool at_most, uint32_t number, bool *any)
{
    const taco__plan_need *need = (const taco__plan_need *)(const void *)p->needs.data;
    size_t                 i, n = 0, count = p->needs.len / sizeof *need, bytes;
    taco__range           *r;
    uint64_t               asked = 0, left = 0;
    bool                   ok = true;
    if (!taco__base_mulz(count + seen->seg_count + 1, sizeof *r, &bytes)) {
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
    n = r ? taco__file_missing(seen, r, n, TACO__GAP) : 0;
    for (i = 0; ok && i < n; i++) {
        taco_range out;
        taco__seg  s;
        memset(&out, 0, sizeof out);
        memset(&s, 0, sizeof s);
        out.file = file->name;
        s.offset = out.offset = r[i].offset;
        out.len = r[i].len;
        out.round = number;
        out.at_most = at_most;
        left += out.len;
        *any = true;
        ok = taco__base_size(out.len, &s.len) &&
             taco__buf_append(&p->ranges, &out, sizeof out, p->err) &&
             taco__file_add_seg(seen, s, p->err);
    }
    p->plan.held += asked > left ? asked - left : 0;
    taco__mem_free(p->mem, r, bytes);
    return r && ok;
}
/* Puts the needs of all files in order. */
TACO__FN bool taco__plan_order(taco__plan_own *p)
{
    const taco__plan_file *files = (const taco__plan_file *)(const void *)p->files.data;
    size_t                 i, k, n = p->files.len / sizeof *files;
    taco__file *seen = (taco__file *)taco__arena_array(&p->arena, n + 1, sizeof *seen, p->err);
    uint32_t    round, number = 0;
    bool        ok = seen != NULL;
    for (i = 0; ok && i < n; i++) {
        seen[i].mem = p->mem;
        seen[i].src.size = files[i].file->src.size;
        for (k = 0; ok && k < files[i].file->seg_count; k++) {
            taco__seg s = files[i].file->segs[k];
            s.data = NULL;
            ok = taco__file_add_seg(&seen[i], s, p->err);
        }
    }
    for (round = 0; ok && round < 3; round++) {
        bool any = false;
        for (i = 0; ok && i < n; i++) {
            ok = taco__plan_round(p, &files[i], &seen[i], round, false, number, &any) &&
                 taco__plan_round(p, &files[i], &seen[i], round, true, number, &any);
        }
        number += any;
    }
    p->plan.rounds = number;
    for (i = 0; seen && i < n; i++) {
        taco__mem_free(p->mem, seen[i].segs, seen[i].seg_cap * sizeof *seen[i].segs);
    }
    return ok;
}

/* ---- as text --------------------------------------------------------------------------------------- */

TACO__FN bool taco__plan_say(taco__plan_own *p, taco__buf *b, const char *text)
{
    return taco__buf_puts(b, text, p->err);
}
TACO__FN bool taco__plan_number(taco__plan_own *p, taco__buf *b, const char *before, uint64_t n,
                                const char *behind)
{
    char digits[24];
    return taco__plan_say(p, b, before) &&
           taco__buf_append(b, digits, taco__num_u64(digits, n), p->err) &&
           taco__plan_say(p, b, behind);
}
TACO__FN bool taco__plan_list(taco__plan_own *p, taco__buf *b, const char *label,
                              const char *const *names, size_t n)
{
    size_t i;
    bool   ok = !n || taco__plan_say(p, b, label);
    for (i = 0; ok && i < n; i++) {
        ok = taco__plan_say(p, b, i ? ", " : " ") && taco__plan_say(p, b, names[i]);
    }
    return ok && (!n || taco__plan_say(p, b, "\n"));
}
TACO__FN bool taco__plan_table_text(taco__plan_own *p, taco__buf *b, const taco_plan_table *t)
{
    return taco__plan_say(p, b, t->dataset) && taco__plan_number(p, b, ": level", t->level, ": ") &&
           taco__plan_number(p, b, "", t->rows, " rows, ") &&
           taco__plan_number(p, b, "", t->groups_pruned, " of ") &&
           taco__plan_number(p, b, "", t->groups, " row groups pruned") &&
           (!t->pages || (taco__plan_number(p, b, ", ", t->pages_pruned, " of ") &&
                          taco__plan_number(p, b, "", t->pages, " stretches of pages pruned"))) &&
           taco__plan_number(p, b, t->at_most ? ", at most " : ", ", t->rows_left,
                             " rows left\n") &&
           taco__plan_list(p, b, "  tests", t->tested, t->tested_count) &&
           taco__plan_list(p, b, "  reads", t->shown, t->shown_count);
}
TACO_API taco_bytes taco_plan_text(taco_plan *plan, taco_error *err)
{
    taco__plan_own *p = (taco__plan_own *)(void *)plan;
    taco__buf      *b = p ? &p->text : NULL;
    size_t          i;
    bool            ok = p != NULL;
    if (!p) {
        return taco__base_bytes(NULL, 0);
    }
    p->err = err;
    b->len = 0;
    ok = taco__plan_list(p, b, "SELECTs over the query:", plan->selects, plan->select_count) &&
         taco__plan_list(p, b, "conditions of SELECTs tested below them:", plan->sunk,
                         plan->sunk_count);
    for (i = 0; ok && i < plan->table_count; i++) {
        ok = taco__plan_table_text(p, b, &plan->tables[i]);
    }
    ok = ok && taco__plan_number(p, b, "", plan->bytes, " bytes in ") &&
         taco__plan_number(p, b, "", plan->range_count, " requests, ") &&
         taco__plan_number(p, b, "", plan->rounds, " rounds") &&
         (!plan->held ||
          taco__plan_number(p, b, "; ", plan->held, " bytes more are held already")) &&
         taco__plan_say(p, b, plan->complete ? "\n" : "; then more\n");
    for (i = 0; ok && i < plan->range_count; i++) {
        const taco_range *r = &plan->ranges[i];
        ok = taco__plan_number(p, b, "  round ", r->round + 1, r->at_most ? " at most " : " ") &&
             taco__plan_number(p, b, "", r->len, " bytes at ") &&
             taco__plan_number(p, b, "", r->offset, " of ") && taco__plan_say(p, b, r->file) &&
             taco__plan_say(p, b, "\n");
    }
    return ok ? taco__base_bytes(b->data, b->len) : taco__base_bytes(NULL, 0);
}
TACO__FN bool taco__plan_json_list(taco__plan_own *p, taco__buf *b, const char *key,
                                   const char *const *names, size_t n)
{
    size_t i;
    bool   ok = taco__plan_say(p, b, key);
    for (i = 0; ok && i < n; i++) {
        ok = (!i || taco__plan_say(p, b, ",")) &&
             taco__text_json_string(b, taco__base_text(names[i]), p->err);
    }
    return ok && taco__plan_say(p, b, "]");
}
TACO__FN bool taco__plan_json_table(taco__plan_own *p, taco__buf *b, const taco_plan_table *t)
{
    return taco__plan_say(p, b, "{\"dataset\":") &&
           taco__text_json_string(b, taco__base_text(t->dataset), p->err) &&
           taco__plan_number(p, b, ",\"level\":", t->level, "") &&
           taco__plan_number(p, b, ",\"rows\":", t->rows, "") &&
           taco__plan_number(p, b, ",\"row_groups\":", t->groups, "") &&
           taco__plan_number(p, b, ",\"row_groups_pruned\":", t->groups_pruned, "") &&
           taco__plan_number(p, b, ",\"pages\":", t->pages, "") &&
           taco__plan_number(p, b, ",\"pages_pruned\":", t->pages_pruned, "") &&
           taco__plan_number(p, b, ",\"rows_left\":", t->rows_left, "") &&
           taco__plan_say(p, b, t->at_most ? ",\"at_most\":true" : ",\"at_most\":false") &&
           taco__plan_json_list(p, b, ",\"tests\":[", t->tested, t->tested_count) &&
           taco__plan_json_list(p, b, ",\"reads\":[", t->shown, t->shown_count) &&
           taco__plan_say(p, b, "}");
}
TACO_API taco_bytes taco_plan_json(taco_plan *plan, taco_error *err)
{
    taco__plan_own *p = (taco__plan_own *)(void *)plan;
    taco__buf      *b = p ? &p->json : NULL;
    size_t          i;
    bool            ok = p != NULL;
    if (!p) {
        return taco__base_bytes(NULL, 0);
    }
    p->err = err;
    b->len = 0;
    ok = taco__plan_json_list(p, b, "{\"selects\":[", plan->selects, plan->select_count) &&
         taco__plan_say(p, b, ",\"tables\":[");
    for (i = 0; ok && i < plan->table_count; i++) {
        ok = (!i || taco__plan_say(p, b, ",")) && taco__plan_json_table(p, b, &plan->tables[i]);
    }
    ok = ok && taco__plan_say(p, b, "]") &&
         taco__plan_json_list(p, b, ",\"sunk\":[", plan->sunk, plan->sunk_count) &&
         taco__plan_number(p, b, ",\"rounds\":", plan->rounds, "") &&
         taco__plan_number(p, b, ",\"requests\":", plan->range_count, "") &&
         taco__plan_number(p, b, ",\"bytes\":", plan->bytes, "") &&
         taco__plan_number(p, b, ",\"held\":", plan->held, "") &&
         taco__plan_number(p, b, ",\"index_bytes\":", plan->index_bytes, "") &&
         taco__plan_say(p, b, plan->complete ? ",\"complete\":true" : ",\"complete\":false") &&
         taco__plan_say(p, b, ",\"ranges\":[");
    for (i = 0; ok && i < plan->range_count; i++) {
        const taco_range *r = &plan->ranges[i];
        ok = taco__plan_say(p, b, i ? ",{\"file\":" : "{\"file\":") &&
             taco__text_json_string(b, taco__base_text(r->file), p->err) &&
             taco__plan_number(p, b, ",\"round\":", r->round + 1, "") &&
             taco__plan_number(p, b, ",\"offset\":", r->offset, "") &&
             taco__plan_number(p, b, ",\"bytes\":", r->len, "") &&
             taco__plan_say(p, b, r->at_most ? ",\"at_most\":true}" : ",\"at_most\":false}");
    }
    ok = ok && taco__plan_say(p, b, "]}");
    return ok ? taco__base_bytes(b->data, b->len) : taco__base_bytes(NULL, 0);
}

/* ---- public ---------------------------------------------------------------------------------------- */

TACO_API void taco_plan_free(taco_plan *plan)
{
    taco__plan_own *p = (taco__plan_own *)(void *)plan;
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
/* Lays the public part over what was gathered. */
TACO__FN bool taco__plan_finish(taco__plan_own *p, const taco__lazy *z)
{
    const char **texts =
        (const char **)taco__arena_array(&p->arena, z->layer_count + 1, sizeof *texts, p->err);
    size_t i;
    if (!texts || !taco__plan_order(p)) {
        return false;
    }
    for (i = 0; i < z->layer_count; i++) {
        texts[i] = taco__arena_text(&p->arena, taco__base_text(z->layers[i].sql), p->err);
        if (!texts[i]) {
            return false;
        }
    }
    p->plan.selects = texts;
    p->plan.select_count = z->layer_count;
    texts = (const char **)taco__arena_array(&p->arena, z->sunk_count + 1, sizeof *texts, p->err);
    for (i = 0; texts && i < z->sunk_count; i++) {
        texts[i] = taco__arena_text(&p->arena, taco__base_text(z->sunk[i]), p->err);
    }
    if (!texts || p->err->code != TACO_OK) {
        return false;
    }
    p->plan.sunk = texts;
    p->plan.sunk_count = z->sunk_count;
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
TACO_API taco_plan *taco_view_plan(const taco_view *v, taco_error *err)
{
    taco__plan_own *p;
    taco__lazy      z;
    taco_cursor    *c = NULL;
    taco_error      own;
    bool            ok;
    memset(&own, 0, sizeof own);
    if (!v) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no view given");
        return NULL;
    }
    p = (taco__plan_own *)taco__mem_alloc(&v->ds->mem, sizeof *p, err);
    if (!p) {
        return NULL;
    }
    p->mem = p->arena.mem = &v->ds->mem;
    p->needs.mem = p->tables.mem = p->files.mem = p->ranges.mem = p->text.mem = p->json.mem =
        p->mem;
    p->err = &own;
    ok = taco__lazy_dry(&z, v, &own, &c) && taco__plan_cursor(p, c, 0);
    if (!ok && p->waits) { /* the plan ends with what has to be there first */
        memset(&own, 0, sizeof own);
        ok = true;
    }
    taco_cursor_close(c, NULL);
    ok = ok && taco__plan_finish(p, &z);
    taco__lazy_end(&z);
    if (!ok) {
        if (err && err->code == TACO_OK) {
            *err = own;
        }
        taco_plan_free(&p->plan);
        return NULL;
    }
    return &p->plan;
}

