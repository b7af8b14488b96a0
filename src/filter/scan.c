/* ==== ROOM scan: rows of a table that match: prune, read what the predicate needs, evaluate, read the rest.
   Uses: read bloom expr eval stats value ==== */

#define TACO__SCAN_SLICE                                                                           \
    8192 /* rows a predicate is evaluated on at a time: their values stay in the cache */
#define TACO__SCAN_STRETCH 65536 /* rows that are evaluated for one batch, when few of them match */
#define TACO__SCAN_AHEAD                                                                           \
    ((uint64_t)64                                                                                  \
     << 20) /* bytes of column chunks held at a time, for a vectored source or for tasks */
#define TACO__SCAN_GROUPS 256 /* row groups of a window */
#define TACO__SCAN_TASKS  16  /* tasks at the same time, at most */
#define TACO__SCAN_SPARES                                                                          \
    (2 * TACO__SCAN_TASKS + 2)        /* from here on taco__mem_task_take_spares knows others */
#define TACO__SCAN_PIECE       131072 /* rows whose columns a task decodes */
#define TACO__SCAN_CACHED_ROWS 8192   /* the same where the cache is to hold them */
#define TACO__SCAN_DIVIDE      16384  /* rows that are worth two tasks */
#define TACO__SCAN_SHARED      ((uint64_t)1 << 20) /* bytes of a page, which both of them decode */
#define TACO__SCAN_PAGE        ((uint64_t)65536)   /* plain bytes that are decoded for one row */
#define TACO__SCAN_LEAST       ((uint64_t)262144)  /* plain bytes that are worth waking tasks */
#define TACO__SCAN_LOCAL       ((uint64_t)8 << 20) /* bytes held for tasks when a local source has them */

typedef struct taco__scan_span { /* rows of a table that may match */
    uint64_t first, n;
    bool     whole; /* all of them do */
} taco__scan_span;

typedef struct taco__scan_counts {            /* for people who ask what a predicate saved */
    uint64_t groups, groups_pruned;           /* by statistics */
    uint64_t bloom_pruned, dictionary_pruned; /* row groups beyond those */
    uint64_t pages,
        pages_pruned; /* stretches of rows between page boundaries, by the column index */
} taco__scan_counts;

/* What it takes to evaluate the predicate: one, or one per task. */
typedef struct taco__scan_filter {
    taco__mem           own; /* of a task */
    taco__mem          *mem;
    taco__codecs       *codecs; /* of a task */
    taco__row_reader    pred;
    const taco_array  **by_column; /* what the predicate reads, by table column */
    taco__column_stats *ranges;    /* what is known of a row group or page, by table column */
    taco__buf           bits;
    taco__buf           found; /* uint32 numbers of rows that match */
    size_t     written;  /* so many of them count 0, 1, 2, ... and stay so when all match again */
    uint64_t   from, to; /* rows of the piece */
    uint64_t   dictionary_pruned;
    taco_error err;
    bool       open, ok;
} taco__scan_filter;

/* Columns that go out of some rows, read by a task. */
typedef struct taco__scan_reader {
    taco__mem        own;
    taco__codecs    *codecs;
    taco__row_reader rows;
    size_t           first, n; /* of the rows that were found */
    taco_error       err;
    bool             ok;
} taco__scan_reader;

typedef struct taco__scan {
    const taco__table *table;
    taco__mem         *mem;
    taco__arena        arena;
    const taco__expr  *where;    /* bound to the table's columns; NULL = every row */
    const uint8_t     *select;   /* bitmap over the table's rows; NULL = every row */
    uint64_t           from, to; /* rows outside are not looked at */
    taco__row_reader   out;
    size_t            *used; /* columns the predicate reads */
    size_t             used_count;
    taco__scan_filter  probe, *probes; /* the caller's; those of tasks */
    taco__scan_reader *lanes;
    size_t
        width; /* tasks at the same time; there may be a lane more, taco__scan_task_max_readers */
    size_t   task_batch_end; /* of the rows found: those before were read at the same time... */
    bool     read_by_tasks;  /* ... by tasks */
    uint64_t task_batches;   /* so far */
    void (*also)(void *ctx, size_t lane); /* what the task of a lane does with its rows, or NULL */
    void               *reader_done_ctx;
    size_t              reader_count; /* of the last one */
    uint64_t            number;   /* of the scan among those of the handle; 0: nothing is kept */
    const taco_options *parallel; /* NULL: no tasks */
    size_t              batch_rows;
    bool                ahead;    /* bytes of several row groups are held at a time */
    bool                keep;     /* what was read of columns that are tested stays held */
    bool                unpruned; /* for tests: read and evaluate everything */
    uint32_t            group;    /* next row group */
    taco__buf           spans;    /* taco__scan_span, still to be evaluated from span_at on */
    size_t              span_at;
    uint64_t            at, end;         /* the rows of the window that are still to be evaluated */
    uint64_t            base;            /* what the numbers of found rows count from */
    size_t              found_at, ready; /* of them delivered; whose columns are held */
    taco__buf           fetch;           /* taco__range: to be read */
    taco__buf           held, held_out; /* to be let go of: the predicate's and those that go out */
    taco__bloom         bloom;
    taco__scan_counts   counts;
} taco__scan;

TACO__FN void taco__scan_fetch_release(taco__scan *s, taco__buf *held)
{
    const taco__range *r = (const taco__range *)(const void *)held->data;
    size_t             i;
    for (i = 0; i < held->len / sizeof *r; i++) {
        taco__file_release(s->table->pq->part.file, r[i].offset, r[i].len);
    }
    held->len = 0;
}
TACO__FN uint64_t taco__scan_fetch_range_bytes(const taco__buf *ranges)
{
    const taco__range *r = (const taco__range *)(const void *)ranges->data;
    size_t             i;
    uint64_t           total = 0;
    for (i = 0; i < ranges->len / sizeof *r; i++) {
        total += r[i].len;
    }
    return total;
}
/* Bytes of the chunks of some columns in a row group; as they are stored, or plain. */
TACO__FN uint64_t taco__scan_fetch_chunk_bytes(const taco__table *t, const size_t *which,
                                               size_t count, uint32_t group, bool plain)
{
    uint64_t total = 0;
    size_t   i;
    uint32_t k;
    for (i = 0; i < count; i++) {
        const taco__pq_schema_node *node =
            which[i] < t->stored ? &t->pq->meta.nodes[which[i]] : NULL;
        for (k = 0; node && k < node->leaf_count; k++) {
            const taco__pq_column_chunk *c = &t->pq->meta.groups[group].chunks[node->leaf + k];
            uint64_t                     size = plain ? c->uncompressed_size : c->pages.size;
            total += TACO__MIN(size, (uint64_t)1 << 40);
        }
    }
    return total;
}
TACO__FN void taco__scan_filter_close(taco__scan *s, taco__scan_filter *p)
{
    taco__row_reader_close(&p->pred);
    if (p->open) {
        taco__buf_free(&p->bits);
        taco__buf_free(&p->found);
        taco__codecs_close(p->codecs, p->mem);
        if (p->mem == &p->own) {
            taco__mem_task_merge(s->mem, &p->own);
            taco__mem_task_return_spares(s->mem, &p->own);
        }
    }
}
/* Lanes are one more than tasks at the same time: the largest of the last ones is cut in two, so that all end together. */
TACO__FN size_t taco__scan_task_max_readers(const taco__scan *s)
{
    return s->width + 1;
}
/* Closes what tasks have, for good: their work, or the memory for it, did not do. */
TACO__FN void taco__scan_drop_tasks(taco__scan *s)
{
    size_t i;
    for (i = 0; s->probes && i < s->width; i++) {
        taco__scan_filter_close(s, &s->probes[i]);
    }
    for (i = 0; s->lanes && i < taco__scan_task_max_readers(s); i++) {
        taco__scan_reader *l = &s->lanes[i];
        taco__row_reader_close(&l->rows);
        taco__codecs_close(l->codecs, &l->own);
        taco__mem_task_merge(s->mem, &l->own);
        taco__mem_task_return_spares(s->mem, &l->own);
    }
    s->probes = NULL;
    s->lanes = NULL;
    s->parallel = NULL;
}
TACO__FN void taco__scan_close(taco__scan *s)
{
    taco__row_reader_close(&s->out);
    if (s->number) {
        taco__page_cache_commit(s->table->pq->mem, &s->table->pq->codecs->pending_pages);
        taco__page_cache_end_scan(s->table->pq->mem);
    }
    if (s->mem) {
        taco__scan_filter_close(s, &s->probe);
        taco__scan_drop_tasks(s);
        taco__scan_fetch_release(s, &s->held);
        taco__scan_fetch_release(s, &s->held_out);
        taco__bloom_close(&s->bloom);
        taco__buf_free(&s->spans);
        taco__buf_free(&s->fetch);
        taco__buf_free(&s->held);
        taco__buf_free(&s->held_out);
        taco__arena_free(&s->arena);
    }
    memset(s, 0, sizeof *s);
}
/* Opens the reader of the predicate's columns; codecs NULL: those of the file. */
TACO__FN bool taco__scan_filter_open(taco__scan *s, taco__scan_filter *p, taco__mem *mem, bool task,
                                     taco_error *err)
{
    const taco__table *t = s->table;
    size_t             i;
    p->mem = p->bits.mem = p->found.mem = mem;
    p->open = true;
    p->by_column = (const taco_array **)taco__arena_array(&s->arena, t->field_count + 1,
                                                          sizeof *p->by_column, err);
    p->ranges = (taco__column_stats *)taco__arena_array(&s->arena, t->field_count + 1,
                                                        sizeof *p->ranges, err);
    if (task) {
        p->codecs = taco__codecs_open(mem, err);
    }
    if (!p->by_column || !p->ranges || (task && !p->codecs) ||
        !(task
              ? taco__row_reader_open_with(&p->pred, t, s->used, s->used_count, p->codecs, mem, err)
              : taco__row_reader_open(&p->pred, t, s->used, s->used_count, mem, err))) {
        return false;
    }
    for (i = 0; i < s->used_count; i++) {
        p->by_column[s->used[i]] = &p->pred.arrays[i];
    }
    return true;
}
/* where and select are borrowed; out_columns are copied. batch_rows 0: as many as suit. */
TACO__FN bool taco__scan_open(taco__scan *s, const taco__table *t, const taco__expr *where,
                              const uint8_t *select, const size_t *out_columns, size_t out_count,
                              size_t batch_rows, taco__mem *mem, taco_error *err)
{
    size_t   i;
    uint8_t *mask;
    memset(s, 0, sizeof *s);
    s->table = t;
    s->mem = s->arena.mem = s->spans.mem = s->fetch.mem = s->held.mem = mem;
    s->held_out.mem = mem;
    s->where = where;
    s->select = select;
    s->to = t->rows;
    s->parallel = t->pq && t->pq->options.parallel_for ? &t->pq->options : NULL;
    s->batch_rows = batch_rows ? batch_rows : TACO__BATCH_ROWS;
    s->width = s->parallel && s->parallel->parallel_width ? s->parallel->parallel_width : 4;
    s->width = TACO__MIN(s->width, (size_t)TACO__SCAN_TASKS);
    s->parallel = s->width > 1 ? s->parallel : NULL;
    s->ahead = t->pq && (s->parallel || t->pq->part.file->src.read_many);
    s->used = (size_t *)taco__arena_array(&s->arena, t->field_count + 1, sizeof *s->used, err);
    mask = (uint8_t *)taco__arena_alloc(&s->arena, TACO__BITMAP_BYTES(t->field_count) + 8, err);
    if (!s->used || !mask) {
        taco__scan_close(s);
        return false;
    }
    if (where) {
        taco__expr_mark_columns(where, mask);
        for (i = 0; i < t->field_count; i++) {
            if (taco__bitmap_get(mask, i)) {
                s->used[s->used_count++] = i;
            }
        }
    }
    if (!taco__scan_filter_open(s, &s->probe, mem, false, err) ||
        !taco__row_reader_open(&s->out, t, out_columns, out_count, mem, err)) {
        taco__scan_close(s);
        return false;
    }
    if (t->pq && t->pq->mem->cache.most > TACO__CACHED_PAGE_SIZE) {
        s->number = taco__page_cache_begin_scan(t->pq->mem);
        s->out.scan = s->probe.pred.scan = s->number;
    }
    return true;
}
/* Says which columns of a row group are about to be read. */
TACO__FN void taco__scan_fetch_mark_group(taco__scan *s, uint32_t group, const size_t *which,
                                          size_t count)
{
    taco_pq_file *f = s->table->pq;
    size_t        i;
    uint32_t      k;
    if (!s->number) {
        return;
    }
    f->keeps = true;
    for (i = 0; i < count; i++) {
        const taco__pq_schema_node *node =
            which[i] < s->table->stored ? &f->meta.nodes[which[i]] : NULL;
        for (k = 0; node && k < node->leaf_count; k++) {
            taco__page_cache_mark(f->mem, &f->meta.groups[group].chunks[node->leaf + k], s->number);
        }
    }
}
/* The same of those that go out, for rows of several row groups. */
TACO__FN void taco__scan_fetch_mark_output(taco__scan *s, uint64_t first, uint64_t last)
{
    uint32_t g, end = s->number ? taco__footer_find_row_group(&s->table->pq->meta, last) + 1 : 0;
    for (g = end ? taco__footer_find_row_group(&s->table->pq->meta, first) : 0; g < end; g++) {
        taco__scan_fetch_mark_group(s, g, s->out.which, s->out.count);
    }
}

/* ---- pruning ------------------------------------------------------------------------------------ */

/* The flat leaf of a table column, whose statistics speak of its rows; UINT32_MAX for others. */
TACO__FN uint32_t taco__scan_prune_flat_leaf(const taco__table *t, size_t column)
{
    const taco__pq_metadata    *m = &t->pq->meta;
    const taco__pq_schema_node *node = column < t->stored ? &m->nodes[column] : NULL;
    return node && node->leaf_count == 1 && !node->field->child_count &&
                   !m->leaves[node->leaf].max_rep
               ? node->leaf
               : UINT32_MAX;
}
TACO__FN void taco__scan_prune_bounds_of(const taco__pq_leaf *leaf, const taco__pq_bounds *b,
                                         int64_t rows, taco__column_stats *out)
{
    memset(out, 0, sizeof *out);
    out->row_count = rows;
    out->null_count = b->null_count;
    out->physical = leaf->type;
    out->has_min =
        b->min.data && taco__scalar_from_statistics(leaf->field, leaf->type, b->min, &out->min);
    out->has_max =
        b->max.data && taco__scalar_from_statistics(leaf->field, leaf->type, b->max, &out->max);
}
/* What the statistics of a row group say of a table column. */
TACO__FN void taco__scan_prune_group_bounds(const taco__table *t, uint32_t group, size_t column,
                                            taco__column_stats *out)
{
    const taco__pq_metadata  *m = &t->pq->meta;
    const taco__pq_row_group *g = &m->groups[group];
    uint32_t                  leaf = taco__scan_prune_flat_leaf(t, column);
    taco__pq_bounds           b;
    if (leaf == UINT32_MAX) {
        memset(out, 0, sizeof *out);
        out->row_count = g->rows;
        out->null_count = column >= t->stored ? g->rows : -1;
        if (column >= t->stored && column - t->stored < t->constant_count &&
            !t->given[column - t->stored].null_count) {
            const taco_array *one = &t->given[column - t->stored];
            out->null_count = 0;
            out->has_min = out->has_max = true;
            out->min = out->max =
                one->field->type == TACO_INT32
                    ? taco__scalar_make_int(TACO_INT32, taco_array_int(one, 0))
                    : taco__scalar_make_bytes(TACO_TEXT, taco_array_bytes(one, 0));
        }
        return;
    }
    taco__stats_bounds(m, &m->leaves[leaf], &g->chunks[leaf].stats, &b);
    taco__scan_prune_bounds_of(&m->leaves[leaf], &b, g->rows, out);
}
/* The results that rows of a row group may have, a set of taco__outcomes. */
TACO__FN unsigned taco__scan_prune_group(taco__scan *s, uint32_t group)
{
    size_t i;
    if (!s->where || !s->table->pq || s->unpruned) {
        return s->where ? TACO__MAY_ANY : TACO__MAY_TRUE;
    }
    for (i = 0; i < s->used_count; i++) {
        taco__scan_prune_group_bounds(s->table, group, s->used[i], &s->probe.ranges[s->used[i]]);
    }
    return taco__pred_prune(s->where, s->probe.ranges);
}
/* Whether a bloom filter may help with a column that the predicate reads. */
TACO__FN bool taco__scan_prune_has_bloom(const taco__scan *s, uint32_t group, size_t column)
{
    uint32_t leaf = taco__scan_prune_flat_leaf(s->table, column);
    return leaf != UINT32_MAX && s->table->pq->meta.groups[group].chunks[leaf].bloom.size &&
           taco__pred_prune_needs_more(s->where, column, true);
}
/* Narrows `may` by the bloom filters of a row group. A source behind a network is asked only for filters that came with
   the page indexes. */
TACO__FN bool taco__scan_prune_by_bloom(taco__scan *s, uint32_t group, unsigned *may,
                                        taco_error *err)
{
    taco_pq_file *f = s->table->pq;
    taco_error    e;
    size_t        i;
    memset(&e, 0, sizeof e);
    for (i = 0; s->where && !s->unpruned && (*may & TACO__MAY_TRUE) && i < s->used_count; i++) {
        taco__column_stats          *r = &s->probe.ranges[s->used[i]];
        const taco__pq_column_chunk *c;
        unsigned                     now;
        if (!taco__scan_prune_has_bloom(s, group, s->used[i])) {
            continue;
        }
        c = &f->meta.groups[group].chunks[taco__scan_prune_flat_leaf(s->table, s->used[i])];
        if (f->part.file->src.read_many &&
            (c->bloom.size == UINT64_MAX ||
             !taco__file_part_cached(&f->part, c->bloom.offset, (size_t)c->bloom.size))) {
            continue;
        }
        taco__scan_prune_group_bounds(s->table, group, s->used[i], r);
        if (!taco__bloom_open(&s->bloom, &f->part, c, s->mem, &e)) {
            continue;
        }
        r->holds = taco__bloom_may_contain;
        r->holds_ctx = &s->bloom;
        now = taco__pred_prune(s->where, s->probe.ranges);
        r->holds = NULL;
        s->counts.bloom_pruned += !(now & TACO__MAY_TRUE);
        *may = e.code == TACO_OK ? now : *may;
    }
    return !taco__page_index_is_fatal(&e, err);
}
TACO__FN bool taco__scan_prune_add_span(taco__scan *s, uint64_t first, uint64_t end, bool whole,
                                        taco_error *err)
{
    taco__scan_span x, *last = (taco__scan_span *)(void *)s->spans.data;
    size_t          n = s->spans.len / sizeof x;
    first = TACO__MAX(first, s->from);
    end = TACO__MIN(end, s->to);
    if (first >= end) {
        return true;
    }
    if (n && last[n - 1].first + last[n - 1].n == first && last[n - 1].whole == whole) {
        last[n - 1].n += end - first;
        return true;
    }
    memset(&x, 0, sizeof x);
    x.first = first;
    x.n = end - first;
    x.whole = whole;
    return taco__buf_append(&s->spans, &x, sizeof x, err);
}
/* A column of the predicate that has a page index, and where in it the plan has come to. */
typedef struct taco__scan_page_walk {
    size_t                       column;
    const taco__pq_leaf         *leaf;
    const taco__pq_offset_index *offsets;
    const taco__pq_column_index *bounds;
    size_t                       page;
} taco__scan_page_walk;

TACO__FN bool taco__scan_prune_open_pages(taco__scan *s, uint32_t group,
                                          taco__scan_page_walk *pages, size_t *n, taco_error *err)
{
    taco_pq_file *f = s->table->pq;
    size_t        i;
    bool          ok = true;
    *n = 0;
    for (i = 0; ok && i < s->used_count; i++) {
        taco__scan_page_walk *p = &pages[*n];
        uint32_t              leaf = taco__scan_prune_flat_leaf(s->table, s->used[i]);
        if (leaf == UINT32_MAX || !taco__pred_prune_needs_more(s->where, s->used[i], false)) {
            continue;
        }
        p->bounds = taco__page_index_columns(f, group, leaf, &ok, err);
        p->offsets = p->bounds && ok ? taco__page_index_offsets(f, group, leaf, &ok, err) : NULL;
        p->column = s->used[i];
        p->leaf = &f->meta.leaves[leaf];
        p->page = SIZE_MAX;
        *n += p->offsets != NULL;
    }
    return ok || taco__pq_file_fail_group(f, group, err);
}
/* Adds the rows of a row group that may match, as the page index of the predicate's columns has it: between two page
   boundaries of any of them all is known that there is to know. */
TACO__FN bool taco__scan_prune_by_page_index(taco__scan *s, uint32_t group, unsigned may,
                                             taco_error *err)
{
    const taco__pq_metadata *m = s->table->pq ? &s->table->pq->meta : NULL;
    uint64_t                 first = taco__table_group_first_row(s->table, group), at = 0, next,
             rows = taco__table_group_rows(s->table, group);
    taco__scan_page_walk *pages;
    taco__pq_bounds       b;
    size_t                i, n = 0, bytes = (s->used_count + 1) * sizeof *pages;
    bool                  ok = true;
    if (may == TACO__MAY_TRUE || !m || s->unpruned) {
        return taco__scan_prune_add_span(s, first, first + rows, may == TACO__MAY_TRUE, err);
    }
    pages = (taco__scan_page_walk *)taco__mem_alloc(s->mem, bytes, err);
    if (!pages || !taco__scan_prune_open_pages(s, group, pages, &n, err)) {
        taco__mem_free(s->mem, pages, bytes);
        return false;
    }
    for (i = 0; i < s->used_count; i++) {
        taco__scan_prune_group_bounds(s->table, group, s->used[i], &s->probe.ranges[s->used[i]]);
    }
    for (; ok && at < rows; at = next) {
        for (i = 0, next = rows; i < n; i++) {
            taco__scan_page_walk *p = &pages[i];
            size_t                k = taco__page_index_find_page(p->offsets, at);
            uint64_t              end = taco__page_index_page_end(p->offsets, k, rows);
            if (k != p->page) {
                taco__stats_page_bounds(m, p->leaf, p->bounds, k, &b);
                taco__scan_prune_bounds_of(p->leaf, &b,
                                           (int64_t)(end - (uint64_t)p->offsets->page[k].first_row),
                                           &s->probe.ranges[p->column]);
                if (p->bounds->null_pages[k]) {
                    s->probe.ranges[p->column].null_count = s->probe.ranges[p->column].row_count;
                }
                p->page = k;
            }
            next = TACO__MIN(next, end);
        }
        may = n ? taco__pred_prune(s->where, s->probe.ranges) : may;
        s->counts.pages += n != 0;
        if (may & TACO__MAY_TRUE) {
            ok = taco__scan_prune_add_span(s, first + at, first + next, may == TACO__MAY_TRUE, err);
        } else {
            s->counts.pages_pruned++;
        }
    }
    taco__mem_free(s->mem, pages, bytes);
    return ok;
}
TACO__FN bool taco__scan_prune_group_selected(const taco__scan *s, uint32_t g)
{
    uint64_t first = taco__table_group_first_row(s->table, g),
             n = taco__table_group_rows(s->table, g);
    return n && first < s->to && first + n > s->from &&
           (!s->select || taco__bitmap_count(s->select, (size_t)first, (size_t)n) != 0);
}
/* Lets go of what was read for row groups that are done. */
TACO__FN void taco__scan_release_finished(taco__scan *s)
{
    taco__scan_fetch_release(s, &s->held_out);
    if (!s->keep || taco__scan_fetch_range_bytes(&s->held) > TACO__SCAN_AHEAD) {
        taco__scan_fetch_release(s, &s->held);
    }
}
/* Steps to the next row group that may have rows; false at the end. */
TACO__FN bool taco__scan_next_candidate(taco__scan *s, uint32_t *group, unsigned *may)
{
    while (s->group < taco__table_group_count(s->table)) {
        *group = s->group++;
        if (!taco__scan_prune_group_selected(s, *group)) {
            continue;
        }
        *may = taco__scan_prune_group(s, *group);
        s->counts.groups++;
        if (*may & TACO__MAY_TRUE) {
            return true;
        }
        s->counts.groups_pruned++;
    }
    return false;
}

/* ---- fetching ----------------------------------------------------------------------------------- */

/* Rows that are wanted: those of spans, as far as they are selected, or those found. */
typedef struct taco__wanted_rows {
    uint64_t               scan; /* what is kept for this one is not wanted */
    const taco__scan_span *spans;
    size_t                 span_count;
    const uint8_t         *select;
    const uint32_t        *rows; /* ascending, from base on; NULL: spans */
    size_t                 row_count;
    uint64_t               base;
} taco__wanted_rows;

/* Whether any row of [first, end) is wanted. */
TACO__FN bool taco__scan_fetch_is_wanted(const taco__wanted_rows *w, uint64_t first, uint64_t end)
{
    size_t lo = 0, hi = w->rows ? w->row_count : w->span_count;
    while (lo < hi) {
        size_t   mid = lo + (hi - lo) / 2;
        uint64_t last =
            w->rows ? w->base + w->rows[mid] : w->spans[mid].first + w->spans[mid].n - 1;
        if (last < first) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    if (w->rows) {
        return lo < w->row_count && w->base + w->rows[lo] < end;
    }
    for (; lo < w->span_count && w->spans[lo].first < end; lo++) {
        uint64_t a = TACO__MAX(first, w->spans[lo].first),
                 b = TACO__MIN(end, w->spans[lo].first + w->spans[lo].n);
        if (!w->select || taco__bitmap_count(w->select, (size_t)a, (size_t)(b - a))) {
            return true;
        }
    }
    return false;
}
TACO__FN bool taco__scan_fetch_add_range(taco__buf *ranges, const taco_pq_file *f, uint64_t offset,
                                         uint64_t len, taco_error *err)
{
    taco__range r;
    r.offset = f->part.base + offset;
    r.len = len;
    return !len || taco__buf_append(ranges, &r, sizeof r, err);
}
/* The bytes of one chunk that hold wanted rows: pages by its offset index, with the dictionary, or all. */
TACO__FN bool taco__scan_fetch_add_chunk(taco_pq_file *f, uint32_t group, uint32_t leaf,
                                         const taco__wanted_rows *w, taco__buf *ranges,
                                         taco_error *err)
{
    const taco__pq_row_group    *g = &f->meta.groups[group];
    const taco__pq_column_chunk *c = &g->chunks[leaf];
    const taco__pq_offset_index *x;
    uint64_t                     first = (uint64_t)g->first_row, from = 0, len = 0;
    size_t                       i;
    bool                         ok = true, any = false;
    bool all = !w->rows && !w->select && w->span_count == 1 && w->spans[0].first == first &&
               w->spans[0].n == (uint64_t)g->rows;
    const taco__cached_chunk *k = w->scan && c->kept && c->kept->scan >= w->scan ? c->kept : NULL;
    const taco__cached_page  *near = NULL;
    if (k && k->whole) {
        return true;
    }
    x = all ? NULL : taco__page_index_offsets(f, group, leaf, &ok, err);
    if (!ok) {
        return taco__pq_file_fail_group(f, group, err);
    }
    if (!x) {
        return taco__scan_fetch_add_range(ranges, f, c->pages.offset, c->pages.size, err);
    }
    for (i = 0; i < x->pages; i++) {
        const taco__pq_page_location *p = &x->page[i];
        if ((k && taco__page_cache_find(k, &near, p->offset)) ||
            !taco__scan_fetch_is_wanted(w, first + (uint64_t)p->first_row,
                                        first +
                                            taco__page_index_page_end(x, i, (uint64_t)g->rows))) {
            continue;
        }
        if (!any && !(k && k->first && k->first->at == c->pages.offset) &&
            !taco__scan_fetch_add_range(ranges, f, c->pages.offset,
                                        x->page[0].offset - c->pages.offset, err)) {
            return false;
        }
        any = true;
        if (len && from + len == p->offset) {
            len += p->size;
        } else {
            if (!taco__scan_fetch_add_range(ranges, f, from, len, err)) {
                return false;
            }
            from = p->offset;
            len = p->size;
        }
    }
    return taco__scan_fetch_add_range(ranges, f, from, len, err);
}
/* Adds what the columns `which` need of one row group. */
TACO__FN bool taco__scan_fetch_add_chunks(taco_pq_file *f, const size_t *which, size_t count,
                                          size_t stored, uint32_t group, const taco__wanted_rows *w,
                                          taco__buf *ranges, taco_error *err)
{
    size_t   i;
    uint32_t k;
    for (i = 0; i < count; i++) {
        const taco__pq_schema_node *node = which[i] < stored ? &f->meta.nodes[which[i]] : NULL;
        for (k = 0; node && k < node->leaf_count; k++) {
            if (!taco__scan_fetch_add_chunk(f, group, node->leaf + k, w, ranges, err)) {
                return false;
            }
        }
    }
    return true;
}
/* Reads the ranges gathered in s->fetch in one round; `held` lets go of them. */
TACO__FN bool taco__scan_fetch_ranges(taco__scan *s, taco__buf *held, taco_error *err)
{
    size_t n = s->fetch.len / sizeof(taco__range);
    bool   ok = !n || (taco__buf_reserve(held, s->fetch.len, err) &&
                     taco__file_fetch(s->table->pq->part.file,
                                        (const taco__range *)(const void *)s->fetch.data, n, err) &&
                     taco__buf_append(held, s->fetch.data, s->fetch.len, err));
    s->fetch.len = 0;
    return ok;
}

/* ---- evaluating --------------------------------------------------------------------------------- */

/* Evaluates rows [first, first + n) and appends the numbers of those that match, counted from s->base. */
TACO__FN bool taco__scan_filter_slice(const taco__scan *s, taco__scan_filter *p, uint64_t first,
                                      size_t n, bool whole, taco_error *err)
{
    size_t    i, k = n, start = p->found.len / sizeof(uint32_t);
    uint32_t *found, shift = (uint32_t)(first - s->base);
    int32_t  *idx;
    if (!taco__buf_reserve(&p->found, n * sizeof(uint32_t), err)) {
        return false;
    }
    found = (uint32_t *)(void *)p->found.data + start;
    idx = (int32_t *)(void *)found;
    if ((!s->where || whole) && !s->select) {
        /* numbers that stand at their own place stay there from one window to the next */
        for (i = start == shift && p->written > start ? TACO__MIN(p->written - start, n) : 0; i < n;
             i++) {
            found[i] = shift + (uint32_t)i;
        }
        p->written = start != shift || start > p->written ? TACO__MIN(p->written, start)
                                                          : TACO__MAX(p->written, start + n);
        p->found.len += n * sizeof(uint32_t);
        return true;
    }
    p->written = 0;
    if (s->where && !whole) {
        if (s->select) {
            k = taco__bitmap_select(s->select, (size_t)first, n, idx);
        }
        if (k == 0) {
            return true;
        }
        if (!taco__buf_reset(&p->bits, TACO__BITMAP_BYTES(k) + 8, err) ||
            !(s->select ? taco__row_reader_read(&p->pred, first, found, k, err)
                        : taco__row_reader_read_range(&p->pred, first, n, err)) ||
            !taco__pred_eval(s->where, p->by_column, k, p->bits.data, p->mem, err)) {
            return false;
        }
        if (s->select) { /* idx shrinks in place to the rows that match */
            size_t hits = 0;
            for (i = 0; i < k; i++) {
                idx[hits] = idx[i];
                hits += taco__bitmap_get(p->bits.data, i);
            }
            k = hits;
        } else {
            k = taco__bitmap_select(p->bits.data, 0, n, idx);
        }
    } else {
        k = taco__bitmap_select(s->select, (size_t)first, n, idx);
    }
    for (i = 0; i < k; i++) {
        found[i] += shift;
    }
    p->found.len += k * sizeof(uint32_t);
    return true;
}
/* False in *may: no entry of the dictionaries of a row group makes the predicate true. They have to be loaded in any case,
   unless this spares the rest. */
TACO__FN bool taco__scan_filter_test_dictionary(const taco__scan *s, taco__scan_filter *p,
                                                uint32_t group, unsigned *may, taco_error *err)
{
    const taco__pq_row_group *g = &s->table->pq->meta.groups[group];
    size_t                    i;
    taco_array                entries;
    *may = TACO__MAY_ANY;
    for (i = 0; i < s->used_count; i++) {
        taco__scan_prune_group_bounds(s->table, group, s->used[i], &p->ranges[s->used[i]]);
    }
    for (i = 0; (*may & TACO__MAY_TRUE) && i < s->used_count; i++) {
        uint32_t leaf = taco__scan_prune_flat_leaf(s->table, s->used[i]);
        if (leaf == UINT32_MAX || !g->chunks[leaf].dict_only || p->pred.columns[i].row ||
            !taco__pred_prune_needs_more(s->where, s->used[i], false)) {
            continue;
        }
        if (!taco__row_reader_open_group(&p->pred, group, err) ||
            !taco__column_reader_dictionary(&p->pred.columns[i], &entries, err)) {
            return taco__pq_file_fail_group(s->table->pq, group, err);
        }
        if (!entries.length || entries.length > (uint64_t)g->rows / 4) {
            continue; /* so many that testing them costs as much as it may spare */
        }
        p->ranges[s->used[i]].entries = &entries;
        p->ranges[s->used[i]].mem = p->mem;
        *may = taco__pred_prune(s->where, p->ranges);
        p->ranges[s->used[i]].entries = NULL;
    }
    return true;
}
/* Evaluates the spans inside rows [from, to) of one row group. */
TACO__FN bool taco__scan_filter_group(const taco__scan *s, taco__scan_filter *p, uint32_t group,
                                      uint64_t from, uint64_t to, taco_error *err)
{
    const taco__scan_span *x = (const taco__scan_span *)(const void *)s->spans.data;
    size_t                 i, n = s->spans.len / sizeof *x;
    unsigned               may = TACO__MAY_ANY;
    bool                   first = s->where && s->table->pq && !s->unpruned && !s->select;
    for (i = s->span_at; i < n && x[i].first < to; i++) {
        uint64_t at = TACO__MAX(x[i].first, from), end = TACO__MIN(x[i].first + x[i].n, to);
        if (at < end && first && !x[i].whole) {
            if (!taco__scan_filter_test_dictionary(s, p, group, &may, err)) {
                return false;
            }
            first = false;
            p->dictionary_pruned += !(may & TACO__MAY_TRUE);
        }
        while (at < end && (x[i].whole || (may & TACO__MAY_TRUE))) {
            size_t k = (size_t)TACO__MIN(end - at, (uint64_t)TACO__SCAN_SLICE);
            if (!taco__scan_filter_slice(s, p, at, k, x[i].whole || may == TACO__MAY_TRUE, err)) {
                return false;
            }
            at += k;
        }
    }
    return true;
}

/* The same of rows [p->from, p->to), which may reach over row groups. */
TACO__FN bool taco__scan_filter_rows(const taco__scan *s, taco__scan_filter *p, taco_error *err)
{
    const taco__pq_metadata *m = &s->table->pq->meta;
    uint64_t                 at, stop;
    for (at = p->from; at < p->to; at = stop) {
        uint32_t g = taco__footer_find_row_group(m, at);
        stop = TACO__MIN((uint64_t)(m->groups[g].first_row + m->groups[g].rows), p->to);
        if (!taco__scan_filter_group(s, p, g, at, stop, err)) {
            return false;
        }
    }
    return true;
}

/* ---- tasks -------------------------------------------------------------------------------------- */

typedef struct taco__scan_task_arg {
    taco__scan *s;
} taco__scan_task_arg;

TACO__FN void taco__scan_task_run_filter(void *arg, size_t i)
{
    taco__scan        *s = ((taco__scan_task_arg *)arg)->s;
    taco__scan_filter *p = &s->probes[i];
    p->ok = taco__scan_filter_rows(s, p, &p->err);
}
/* Reads columns of n rows that were found, numbered from base on. */
TACO__FN bool taco__scan_read_rows(taco__row_reader *r, uint64_t base, const uint32_t *found,
                                   size_t n, taco_error *err)
{
    return found[n - 1] - found[0] == n - 1 /* they follow each other */
               ? taco__row_reader_read_range(r, base + found[0], n, err)
               : taco__row_reader_read(r, base, found, n, err);
}
TACO__FN void taco__scan_task_run_reader(void *arg, size_t i)
{
    taco__scan        *s = ((taco__scan_task_arg *)arg)->s;
    taco__scan_reader *l = &s->lanes[i];
    l->ok = taco__scan_read_rows(&l->rows, s->base,
                                 (const uint32_t *)(const void *)s->probe.found.data + l->first,
                                 l->n, &l->err);
    if (l->ok && s->also) {
        s->also(s->reader_done_ctx, i);
    }
}
TACO__FN void taco__scan_task_run_all(taco__scan *s, void (*task)(void *, size_t), size_t n,
                                      taco__scan_task_arg *w)
{
    s->table->pq->part.file->cached_only = true;
    s->parallel->parallel_for(s->parallel->parallel_ctx, n, task, w);
    s->table->pq->part.file->cached_only = false;
}
/* Runs the pieces that were cut off, and gathers what they found; false when one failed: then they are done over in the
   calling thread, which reads what was not held and fails where it always does. */
TACO__FN bool taco__scan_task_run_filters(taco__scan *s, size_t n)
{
    taco__scan_task_arg w;
    taco_error          e;
    size_t              i;
    bool                ok = true;
    memset(&w, 0, sizeof w);
    memset(&e, 0, sizeof e);
    w.s = s;
    for (i = 0; i < n; i++) {
        taco__mem_task_begin(s->mem, &s->probes[i].own, n);
        taco__page_cache_set_room(s->table->pq->mem, &s->probes[i].codecs->pending_pages, n);
        s->probes[i].pred.scan = s->number;
        memset(&s->probes[i].err, 0, sizeof s->probes[i].err);
        s->probes[i].found.len = 0;
        s->probes[i].dictionary_pruned = 0;
    }
    taco__scan_task_run_all(s, taco__scan_task_run_filter, n, &w);
    for (i = 0; i < n; i++) {
        taco__mem_task_merge(s->mem, &s->probes[i].own);
        taco__page_cache_commit(s->table->pq->mem, &s->probes[i].codecs->pending_pages);
        ok = ok && s->probes[i].ok;
    }
    for (i = 0; ok && i < n; i++) {
        const taco__scan_filter *p = &s->probes[i];
        s->probe.written = 0;
        ok = taco__buf_append(&s->probe.found, p->found.data, p->found.len, &e);
        s->counts.dictionary_pruned += p->dictionary_pruned;
    }
    if (!ok) {
        taco__scan_drop_tasks(s);
    }
    return ok;
}
TACO__FN bool taco__scan_task_open_filters(taco__scan *s)
{
    taco_error e;
    size_t     i;
    memset(&e, 0, sizeof e);
    if (!s->probes) {
        s->probes =
            (taco__scan_filter *)taco__arena_array(&s->arena, s->width, sizeof *s->probes, &e);
        for (i = 0; s->probes && i < s->width; i++) {
            taco__mem_task_begin(s->mem, &s->probes[i].own, 1);
            taco__mem_task_take_spares(s->mem, &s->probes[i].own, 1 + (unsigned)i, s->width * 3);
            if (!taco__scan_filter_open(s, &s->probes[i], &s->probes[i].own, true, &e)) {
                e.code = TACO_ERR_MEMORY;
            }
            taco__mem_task_merge(s->mem, &s->probes[i].own);
        }
    }
    if (e.code != TACO_OK) { /* not enough memory for them */
        taco__scan_drop_tasks(s);
    }
    return s->probes != NULL;
}
/* Whether two tasks that share the rows of a row group do little twice: of each column the page at the cut. */
TACO__FN bool taco__scan_task_pays_to_divide(const taco__scan *s, const size_t *which, size_t count,
                                             uint32_t group)
{
    const taco_pq_file *f = s->table->pq;
    uint64_t            once = 0, twice = 0;
    size_t              i;
    uint32_t            k;
    for (i = 0; i < count; i++) {
        const taco__pq_schema_node *node =
            which[i] < s->table->stored ? &f->meta.nodes[which[i]] : NULL;
        for (k = 0; node && k < node->leaf_count; k++) {
            const taco__pq_column_chunk *c = &f->meta.groups[group].chunks[node->leaf + k];
            once += TACO__MIN(c->uncompressed_size, (uint64_t)1 << 40);
            twice +=
                c->kept && c->kept->whole ? 0 : TACO__MIN(c->uncompressed_size, TACO__SCAN_SHARED);
        }
    }
    return twice <= once / 8;
}
/* Where a piece from row `at` on ends that should end at `want`: there, or where a row group does. */
TACO__FN uint64_t taco__scan_task_piece_end(const taco__scan *s, uint64_t at, uint64_t want)
{
    const taco__pq_metadata *m = &s->table->pq->meta;
    uint32_t                 g = taco__footer_find_row_group(m, want);
    uint64_t first = (uint64_t)m->groups[g].first_row, end = first + (uint64_t)m->groups[g].rows;
    return taco__scan_task_pays_to_divide(s, s->used, s->used_count, g) ? want
           : first > at && want - first <= end - want                   ? first
                                                                        : end;
}
/* Evaluates the window from s->at on, in pieces of about the same size, so many at a time. A local source's rows go out as
   soon as some are found, while the cache has them; behind a network they are all asked for in one round. */
TACO__FN bool taco__scan_evaluate_window(taco__scan *s, taco_error *err)
{
    bool all = s->table->pq->part.file->src.read_many != NULL;
    while (s->at < s->end && (all || !s->probe.found.len)) {
        bool     tasks = s->parallel && s->where && taco__scan_task_open_filters(s);
        size_t   n = 0, before = s->probe.found.len;
        uint64_t begin = s->at, each = (s->end - s->at) / s->width + 1;
        each = TACO__MIN(TACO__MAX(each, (uint64_t)TACO__SCAN_DIVIDE), (uint64_t)TACO__SCAN_PIECE);
        do {
            taco__scan_filter *p = tasks ? &s->probes[n] : &s->probe;
            p->from = s->at;
            p->to = tasks && s->end - s->at > each
                        ? taco__scan_task_piece_end(s, s->at, s->at + each)
                        : s->end;
            s->at = p->to = TACO__MIN(p->to, s->end);
            n++;
        } while (tasks && s->at < s->end && n < s->width);
        if (!tasks) {
            if (!taco__scan_filter_rows(s, &s->probe, err)) {
                return false;
            }
        } else if (!taco__scan_task_run_filters(s, n)) {
            s->probe.found.len = before;
            s->at = begin;
        }
    }
    return true;
}
/* Opens the tasks' readers of the columns that go out, once; without the memory for them there are no tasks. */
TACO__FN bool taco__scan_task_open_readers(taco__scan *s)
{
    taco_error e;
    size_t     i, most = taco__scan_task_max_readers(s);
    memset(&e, 0, sizeof e);
    if (s->lanes || !s->parallel) {
        return s->parallel != NULL;
    }
    s->lanes = (taco__scan_reader *)taco__arena_array(&s->arena, most, sizeof *s->lanes, &e);
    for (i = 0; s->lanes && i < most && e.code == TACO_OK; i++) {
        taco__scan_reader *l = &s->lanes[i];
        taco__mem_task_begin(s->mem, &l->own, 1);
        taco__mem_task_take_spares(s->mem, &l->own, 1 + TACO__SCAN_TASKS + (unsigned)i, most * 3);
        l->codecs = taco__codecs_open(&l->own, &e);
        if (l->codecs && !taco__row_reader_open_with(&l->rows, s->table, s->out.which, s->out.count,
                                                     l->codecs, &l->own, &e)) {
            taco__codecs_close(l->codecs, &l->own);
            l->codecs = NULL;
        }
        taco__mem_task_merge(s->mem, &l->own);
    }
    if (e.code != TACO_OK) {
        taco__scan_drop_tasks(s);
    }
    return s->lanes != NULL;
}
/* The first of found[lo..hi) that is not below stop. */
TACO__FN size_t taco__scan_task_lower_bound(const uint32_t *found, size_t lo, size_t hi,
                                            uint64_t stop)
{
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (found[mid] < stop) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}
/* Cuts the largest of the last n lanes in two as long as tasks had nothing to do without it, so that all end together. */
TACO__FN size_t taco__scan_task_balance(taco__scan *s, size_t n)
{
    const uint32_t *found = (const uint32_t *)(const void *)s->probe.found.data;
    for (; n < taco__scan_task_max_readers(s); n++) {
        size_t             i, large = 0, second = 0, rows = s->lanes[0].n, least;
        taco__scan_reader *l;
        for (i = 1; i < n; i++) {
            rows += s->lanes[i].n;
            second = TACO__MAX(second, TACO__MIN(s->lanes[i].n, s->lanes[large].n));
            large = s->lanes[i].n > s->lanes[large].n ? i : large;
        }
        l = &s->lanes[large];
        least = n < s->width ? l->n / 2 : TACO__MAX(rows / s->width, second);
        if (least >= l->n || found[l->first + l->n - 1] - found[l->first] < TACO__SCAN_DIVIDE ||
            !taco__scan_task_pays_to_divide(
                s, s->out.which, s->out.count,
                taco__footer_find_row_group(&s->table->pq->meta, s->base + found[l->first]))) {
            break;
        }
        for (i = n; i > large + 1; i--) { /* readers stay where they are */
            s->lanes[i].first = s->lanes[i - 1].first;
            s->lanes[i].n = s->lanes[i - 1].n;
        }
        l[1].first = l->first + least;
        l[1].n = l->n - least;
        l[1].ok = true;
        l->n = least;
    }
    return n;
}
/* Rows of a row group that a lane reads at most: few, unless that means to decode pages more than once. */
TACO__FN size_t taco__scan_task_reader_rows(const taco__scan *s, uint32_t group)
{
    return taco__scan_task_pays_to_divide(s, s->out.which, s->out.count, group)
               ? TACO__SCAN_CACHED_ROWS
               : TACO__SCAN_PIECE;
}
/* Cuts the rows that were found, up to the end-th, into pieces for tasks, none of which reaches over row groups. Returns
   how many pieces; they are not more than may be decoded at a time. */
TACO__FN size_t taco__scan_task_split_rows(taco__scan *s, size_t end)
{
    const uint32_t          *found = (const uint32_t *)(const void *)s->probe.found.data;
    const taco__pq_metadata *m = &s->table->pq->meta;
    size_t                   n = 0, at = s->found_at;
    uint64_t                 bytes = 0;
    while (n < s->width && at < end && bytes <= TACO__SCAN_AHEAD) {
        uint32_t           g = taco__footer_find_row_group(m, s->base + found[at]);
        uint64_t           stop = (uint64_t)(m->groups[g].first_row + m->groups[g].rows) - s->base;
        uint64_t           rows = (uint64_t)m->groups[g].rows;
        taco__scan_reader *l = &s->lanes[n++];
        l->first = at;
        at = taco__scan_task_lower_bound(
            found, at, TACO__MIN(end, at + taco__scan_task_reader_rows(s, g)), stop);
        l->n = at - l->first;
        l->ok = true;
        bytes += (uint64_t)((double)taco__scan_fetch_chunk_bytes(s->table, s->out.which,
                                                                 s->out.count, g, true) *
                            (double)l->n / (double)rows);
    }
    s->task_batch_end = at;
    return at == end ? taco__scan_task_balance(s, n) : n;
}
/* Whether there is work for several tasks in the rows that were found, up to the end-th: few rows that stand far apart
   take as much decoding as all around them. */
TACO__FN bool taco__scan_task_pays_to_run(const taco__scan *s, size_t end)
{
    const uint32_t          *found = (const uint32_t *)(const void *)s->probe.found.data;
    const taco__pq_metadata *m = &s->table->pq->meta;
    uint32_t                 g = taco__footer_find_row_group(m, s->base + found[s->found_at]),
             last = taco__footer_find_row_group(m, s->base + found[end - 1]);
    uint64_t bytes = 0, most = (uint64_t)(end - s->found_at) * TACO__SCAN_PAGE;
    if (g == last && end - s->found_at <= taco__scan_task_reader_rows(s, g)) {
        return false;
    }
    for (; g <= last && bytes < TACO__SCAN_LEAST; g++) {
        bytes += taco__scan_fetch_chunk_bytes(s->table, s->out.which, s->out.count, g, true);
    }
    bytes = TACO__MIN(bytes, most);
    most = (uint64_t)(end - s->found_at) * s->out.count * 8; /* however short they are stored */
    return TACO__MAX(bytes, most) >= TACO__SCAN_LEAST;
}
/* Reads the columns of rows that were found, up to the end-th, by tasks. False when that does not pay or did not do. */
TACO__FN bool taco__scan_task_read_batch(taco__scan *s, size_t end)
{
    taco__scan_task_arg w;
    size_t              i, n;
    bool                ok = true;
    if (!s->parallel || !s->out.count || !taco__scan_task_pays_to_run(s, end) ||
        !taco__scan_task_open_readers(s)) {
        return false;
    }
    n = taco__scan_task_split_rows(s, end);
    s->reader_count = n;
    s->task_batches++;
    w.s = s;
    for (i = 0; i < n; i++) {
        taco__mem_task_begin(s->mem, &s->lanes[i].own, n);
        taco__page_cache_set_room(s->table->pq->mem, &s->lanes[i].codecs->pending_pages, n);
        s->lanes[i].rows.scan = s->number;
        memset(&s->lanes[i].err, 0, sizeof s->lanes[i].err);
    }
    if (n > 1) {
        taco__scan_task_run_all(s, taco__scan_task_run_reader, n, &w);
    }
    for (i = 0; i < n; i++) {
        taco__mem_task_merge(s->mem, &s->lanes[i].own);
        taco__page_cache_commit(s->table->pq->mem, &s->lanes[i].codecs->pending_pages);
        ok = ok && s->lanes[i].ok;
    }
    if (!ok) {
        taco__scan_drop_tasks(s);
    }
    return n > 1 && ok;
}
/* Lays out n rows, from found_at on, of what a task read. */
TACO__FN size_t taco__scan_task_deliver(taco__scan *s, size_t n, taco_error *err)
{
    taco__scan_reader *l = s->lanes;
    size_t             i, k, at;
    while (s->found_at >= l->first + l->n) {
        l++;
    }
    at = s->found_at - l->first;
    n = TACO__MIN(n, l->n - at);
    if (at % 8 == 0) {
        for (i = 0; i < s->out.count; i++) {
            s->out.arrays[i] = taco__array_buf_slice(&s->out.taken[i], &l->rows.arrays[i], at, n);
        }
        return n;
    }
    for (i = 0; i < s->out.count; i++) { /* bitmaps cannot begin inside a byte */
        int32_t *idx = taco__row_reader_reserve_index(&s->out, n, err);
        for (k = 0; idx && k < n; k++) {
            idx[k] = (int32_t)(at + k);
        }
        if (!idx || !taco__take_array(&s->out.taken[i], &l->rows.arrays[i], idx, n, err)) {
            return 0;
        }
        s->out.arrays[i] = s->out.taken[i].array;
    }
    return n;
}

/* ---- several row groups at a time --------------------------------------------------------------- */

/* What is read before any page: page indexes of the predicate's columns and small bloom filters, of one row group. */
TACO__FN bool taco__scan_fetch_add_filter_index(taco__scan *s, uint32_t group, taco_error *err)
{
    taco_pq_file *f = s->table->pq;
    size_t        i;
    for (i = 0; i < s->used_count; i++) {
        uint32_t                     leaf = taco__scan_prune_flat_leaf(s->table, s->used[i]);
        const taco__pq_column_chunk *c =
            &f->meta.groups[group].chunks[leaf == UINT32_MAX ? 0 : leaf];
        if (leaf == UINT32_MAX) {
            continue;
        }
        if (taco__page_index_is_useful(c) && !taco__page_index_has_offsets(f, group, leaf) &&
            (!taco__scan_fetch_add_range(&s->fetch, f, c->offset_index.offset, c->offset_index.size,
                                         err) ||
             (c->column_index.size < c->pages.size &&
              !taco__scan_fetch_add_range(&s->fetch, f, c->column_index.offset,
                                          c->column_index.size, err)))) {
            return false;
        }
        if (c->bloom.size != UINT64_MAX && c->bloom.size < c->pages.size / 2 &&
            taco__scan_prune_has_bloom(s, group, s->used[i]) &&
            !taco__scan_fetch_add_range(&s->fetch, f, c->bloom.offset, c->bloom.size, err)) {
            return false;
        }
    }
    return true;
}
/* Offset indexes of the columns that go out: they come with the predicate's pages. */
TACO__FN bool taco__scan_fetch_add_output_index(taco__scan *s, uint32_t group, taco_error *err)
{
    taco_pq_file *f = s->table->pq;
    size_t        i;
    uint32_t      k;
    for (i = 0; i < s->out.count; i++) {
        const taco__pq_schema_node *node =
            s->out.which[i] < s->table->stored ? &f->meta.nodes[s->out.which[i]] : NULL;
        for (k = 0; node && k < node->leaf_count; k++) {
            const taco__pq_column_chunk *c = &f->meta.groups[group].chunks[node->leaf + k];
            if (taco__page_index_is_useful(c) &&
                !taco__page_index_has_offsets(f, group, node->leaf + k) &&
                !taco__scan_fetch_add_range(&s->fetch, f, c->offset_index.offset,
                                            c->offset_index.size, err)) {
                return false;
            }
        }
    }
    return true;
}
/* Row groups of the next window; n of them with what statistics leave of each. */
TACO__FN size_t taco__scan_fetch_window_groups(taco__scan *s, uint32_t *groups, uint8_t *may)
{
    uint64_t bytes = 0;
    size_t   n = 0;
    unsigned m;
    size_t   most = s->where || s->table->pq->part.file->src.read_many
                        ? (size_t)TACO__SCAN_GROUPS
                        : s->width; /* there is nothing to be found: as many as tasks read */
    while (n < most && taco__scan_next_candidate(s, &groups[n], &m)) {
        uint32_t g = groups[n];
        if (n && (bytes > TACO__SCAN_AHEAD ||
                  taco__table_group_first_row(s->table, g) + taco__table_group_rows(s->table, g) -
                          taco__table_group_first_row(s->table, groups[0]) >
                      INT32_MAX)) {
            s->group = g;
            s->counts.groups--;
            break;
        }
        may[n++] = (uint8_t)m;
        bytes += s->where && m != TACO__MAY_TRUE
                     ? taco__scan_fetch_chunk_bytes(s->table, s->used, s->used_count, g, false)
                     : taco__scan_fetch_chunk_bytes(s->table, s->out.which, s->out.count, g, false);
    }
    return n;
}
/* Fetches the predicate's pages of the spans, and the indexes that the columns which go out need later. */
TACO__FN bool taco__scan_fetch_spans(taco__scan *s, const uint32_t *groups, size_t n,
                                     taco_error *err)
{
    const taco__scan_span *x = (const taco__scan_span *)(const void *)s->spans.data;
    size_t                 i, k = 0, end, count = s->spans.len / sizeof *x;
    taco__wanted_rows      w;
    memset(&w, 0, sizeof w);
    w.scan = s->number;
    w.select = s->select;
    for (i = 0; i < n; i++) {
        uint64_t stop = taco__table_group_first_row(s->table, groups[i]) +
                        taco__table_group_rows(s->table, groups[i]);
        bool test = false;
        for (end = k; end < count && x[end].first < stop; end++) {
            test = test || (s->where && !x[end].whole);
        }
        w.spans = x + k;
        w.span_count = end - k;
        if (end > k && test) {
            taco__scan_fetch_mark_group(s, groups[i], s->used, s->used_count);
        }
        if (end > k && test &&
            (!taco__scan_fetch_add_chunks(s->table->pq, s->used, s->used_count, s->table->stored,
                                          groups[i], &w, &s->fetch, err) ||
             !taco__scan_fetch_add_output_index(s, groups[i], err))) {
            return false;
        }
        for (; k < end && x[k].first + x[k].n <= stop; k++) {
        }
    }
    return taco__scan_fetch_ranges(s, &s->held, err);
}
/* Opens a window of row groups to be evaluated: the predicate's pages come in one round, before it those indexes and
   filters that may spare some. */
TACO__FN bool taco__scan_fetch_open_window(taco__scan *s, taco_error *err)
{
    uint32_t               groups[TACO__SCAN_GROUPS];
    uint8_t                may[TACO__SCAN_GROUPS];
    size_t                 i, n, kept = 0;
    const taco__scan_span *x;
    taco__scan_release_finished(s);
    s->spans.len = 0;
    s->span_at = 0;
    n = taco__scan_fetch_window_groups(s, groups, may);
    for (i = 0; i < n; i++) {
        if (s->where && may[i] != TACO__MAY_TRUE && !s->unpruned &&
            !taco__scan_fetch_add_filter_index(s, groups[i], err)) {
            return false;
        }
    }
    if (!n || !taco__scan_fetch_ranges(s, &s->held, err)) {
        return !n;
    }
    s->base = taco__table_group_first_row(s->table, groups[0]);
    for (i = 0; i < n; i++) {
        unsigned m = may[i];
        if (m != TACO__MAY_TRUE && !taco__scan_prune_by_bloom(s, groups[i], &m, err)) {
            return taco__pq_file_fail_group(s->table->pq, groups[i], err);
        }
        if (!(m & TACO__MAY_TRUE)) {
            continue;
        }
        if (!taco__scan_prune_by_page_index(s, groups[i], m, err)) {
            return false;
        }
        groups[kept++] = groups[i];
    }
    if (!s->spans.len) {
        return true;
    }
    x = (const taco__scan_span *)(const void *)s->spans.data;
    s->at = x[0].first;
    x += s->spans.len / sizeof *x - 1;
    s->end = x->first + x->n;
    return taco__scan_fetch_spans(s, groups, kept, err);
}
/* Fetches the columns that go out for rows that were found, up to the n-th: those of as many row groups as may be held. */
TACO__FN bool taco__scan_fetch_found_rows(taco__scan *s, size_t n, taco_error *err)
{
    const uint32_t   *found = (const uint32_t *)(const void *)s->probe.found.data;
    size_t            groups;
    taco__wanted_rows w;
    uint64_t most = s->table->pq->part.file->src.read_many ? TACO__SCAN_AHEAD : TACO__SCAN_LOCAL;
    memset(&w, 0, sizeof w);
    w.scan = s->number;
    w.base = s->base;
    s->ready = s->found_at;
    taco__scan_fetch_release(s, &s->held_out);
    for (groups = 0; s->ready < n && ((s->parallel && groups % s->width) ||
                                      taco__scan_fetch_range_bytes(&s->fetch) <= most);
         groups++) {
        uint32_t g = taco__footer_find_row_group(&s->table->pq->meta, s->base + found[s->ready]);
        uint64_t stop =
            taco__table_group_first_row(s->table, g) + taco__table_group_rows(s->table, g);
        size_t lo = s->ready, hi = n;
        while (lo < hi) {
            size_t mid = lo + (hi - lo) / 2;
            if (s->base + found[mid] < stop) {
                lo = mid + 1;
            } else {
                hi = mid;
            }
        }
        w.rows = found + s->ready;
        w.row_count = lo - s->ready;
        taco__scan_fetch_mark_group(s, g, s->out.which, s->out.count);
        if (!taco__scan_fetch_add_chunks(s->table->pq, s->out.which, s->out.count, s->table->stored,
                                         g, &w, &s->fetch, err)) {
            return false;
        }
        s->ready = lo;
    }
    return taco__scan_fetch_ranges(s, &s->held_out, err);
}

/* ---- one row group at a time -------------------------------------------------------------------- */

/* A local source is read as the pages come. Columns that are tested and also go out have two readers: their pages are
   held, so that no byte is read twice, unless they are too many for that. */
TACO__FN bool taco__scan_prefetch_group(taco__scan *s, uint32_t group, taco_error *err)
{
    const taco__scan_span *x = (const taco__scan_span *)(const void *)s->spans.data;
    size_t                 i, k, n = 0, *both, bytes = (s->out.count + 1) * sizeof *both;
    taco__wanted_rows      w;
    bool                   ok = true, test = false;
    if (!s->table->pq) {
        return true;
    }
    taco__scan_release_finished(s);
    memset(&w, 0, sizeof w);
    w.scan = s->number;
    w.spans = x;
    w.span_count = s->spans.len / sizeof *x;
    w.select = s->select;
    for (i = 0; i < w.span_count; i++) {
        test = test || !x[i].whole;
    }
    if (!s->where || !test) {
        return true;
    }
    taco__scan_fetch_mark_group(s, group, s->used, s->used_count);
    both = (size_t *)taco__mem_alloc(s->mem, bytes, err);
    for (i = 0; both && i < s->out.count; i++) {
        for (k = 0; k < s->used_count && s->used[k] != s->out.which[i]; k++) {
        }
        if (k < s->used_count) {
            both[n++] = s->out.which[i];
        }
    }
    if (n && taco__scan_fetch_chunk_bytes(s->table, both, n, group, false) <= TACO__SCAN_AHEAD) {
        ok = taco__scan_fetch_add_chunks(s->table->pq, both, n, s->table->stored, group, &w,
                                         &s->fetch, err) &&
             taco__scan_fetch_ranges(s, &s->held, err);
    }
    taco__mem_free(s->mem, both, bytes);
    return both && ok;
}
/* Drops or settles the spans of a row group by what its dictionaries hold. */
TACO__FN bool taco__scan_prune_by_dictionary(taco__scan *s, uint32_t group, taco_error *err)
{
    taco__scan_span *x = (taco__scan_span *)(void *)s->spans.data;
    size_t           i, kept = 0, n = s->spans.len / sizeof *x;
    unsigned         may;
    if (!s->where || !s->table->pq || s->unpruned || s->select) {
        return true;
    }
    for (i = 0; i < n && x[i].whole; i++) {
    }
    if (i == n) {
        return true;
    }
    if (!taco__scan_filter_test_dictionary(s, &s->probe, group, &may, err)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        x[i].whole = x[i].whole || may == TACO__MAY_TRUE;
        if (x[i].whole || (may & TACO__MAY_TRUE)) {
            x[kept++] = x[i];
        }
    }
    s->counts.dictionary_pruned += !(may & TACO__MAY_TRUE);
    s->spans.len = kept * sizeof *x;
    return true;
}
/* Steps to the next row group that has rows to evaluate; *more false at the end. */
TACO__FN bool taco__scan_next_group(taco__scan *s, bool *more, taco_error *err)
{
    uint32_t g;
    unsigned may;
    s->spans.len = 0;
    s->span_at = 0;
    while (taco__scan_next_candidate(s, &g, &may)) {
        if (s->table->pq && may != TACO__MAY_TRUE && !taco__scan_prune_by_bloom(s, g, &may, err)) {
            return taco__pq_file_fail_group(s->table->pq, g, err);
        }
        if (!(may & TACO__MAY_TRUE)) {
            continue;
        }
        if (!taco__scan_prune_by_page_index(s, g, may, err)) {
            return false;
        }
        if (s->spans.len &&
            (!taco__scan_prefetch_group(s, g, err) || !taco__scan_prune_by_dictionary(s, g, err))) {
            return false;
        }
        if (s->spans.len) {
            *more = true;
            return true;
        }
    }
    *more = false;
    return true;
}
/* Evaluates the next stretch of the row group. */
TACO__FN bool taco__scan_evaluate_slice(taco__scan *s, taco_error *err)
{
    taco__scan_span *x = (taco__scan_span *)(void *)s->spans.data + s->span_at;
    taco__scan_span  now = *x;
    now.n = TACO__MIN(now.n, (uint64_t)TACO__SCAN_SLICE);
    s->base = s->probe.found.len ? s->base : now.first;
    x->first += now.n;
    x->n -= now.n;
    s->span_at += x->n == 0;
    return taco__scan_filter_slice(s, &s->probe, now.first, (size_t)now.n, now.whole, err);
}
/* Whether further slices of the row group belong to the rows that were found: the fewer batches the better. */
TACO__FN bool taco__scan_wants_more(const taco__scan *s)
{
    const taco__scan_span *x = (const taco__scan_span *)(const void *)s->spans.data + s->span_at;
    return s->probe.found.len / sizeof(uint32_t) < TACO__BATCH_ROWS / 2 &&
           s->span_at < s->spans.len / sizeof *x && !x->whole &&
           x->first - s->base < TACO__SCAN_STRETCH;
}
/* Finds further rows; false at the end and on failure. */
TACO__FN bool taco__scan_find_rows(taco__scan *s, taco_error *err)
{
    bool more = true;
    s->probe.found.len = s->found_at = s->ready = s->task_batch_end = 0;
    while (s->probe.found.len == 0 || (!s->ahead && taco__scan_wants_more(s))) {
        if (s->ahead) {
            if (s->at == s->end && (s->group >= taco__table_group_count(s->table) ||
                                    !taco__scan_fetch_open_window(s, err))) {
                return false;
            }
            if (!taco__scan_evaluate_window(s, err)) {
                return false;
            }
        } else if (s->span_at == s->spans.len / sizeof(taco__scan_span)) {
            if (!taco__scan_next_group(s, &more, err) || !more) {
                return false;
            }
        } else if (!taco__scan_evaluate_slice(s, err)) {
            return false;
        }
    }
    return true;
}
/* Numbers of the next rows that match, ascending, counted from *base: at most max of them, 0 at the end and on failure.
   Their columns are in s->out.arrays afterwards when `read` is set. They live until the next call. */
TACO__FN size_t taco__scan_next(taco__scan *s, size_t max, bool read, const uint32_t **rows,
                                uint64_t *base, taco_error *err)
{
    const uint32_t *found;
    size_t          n, count = s->probe.found.len / sizeof(uint32_t);
    if (s->number) {
        taco__page_cache_commit(s->table->pq->mem, &s->table->pq->codecs->pending_pages);
        taco__page_cache_set_room(s->table->pq->mem, &s->table->pq->codecs->pending_pages, 1);
    }
    if (s->found_at == count) {
        if (!taco__scan_find_rows(s, err)) {
            return 0;
        }
        count = s->probe.found.len / sizeof(uint32_t);
    }
    n = TACO__MIN(count - s->found_at, max);
    if (read && s->ahead) {
        if (s->ready <= s->found_at && !taco__scan_fetch_found_rows(s, s->found_at + n, err)) {
            return 0;
        }
        n = TACO__MIN(n, s->ready - s->found_at);
        if (s->task_batch_end <= s->found_at) {
            s->read_by_tasks = taco__scan_task_read_batch(s, s->found_at + n);
            s->task_batch_end = s->read_by_tasks ? s->task_batch_end : s->found_at + n;
        }
        n = TACO__MIN(n, s->task_batch_end - s->found_at);
    }
    n = TACO__MIN(n, s->batch_rows);
    found = (const uint32_t *)(const void *)s->probe.found.data + s->found_at;
    if (read && s->ahead && s->read_by_tasks) {
        n = taco__scan_task_deliver(s, n, err);
    } else if (read) {
        taco__scan_fetch_mark_output(s, s->base + found[0], s->base + found[n - 1]);
        if (!taco__scan_read_rows(&s->out, s->base, found, n, err)) {
            return 0;
        }
    }
    s->found_at += n;
    *rows = found;
    *base = s->base;
    return n;
}
