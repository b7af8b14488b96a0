/* repair.c - taco_repair: a dataset rewritten around the same payloads

   In: an archive or FOLDER with wrong places, counts or headers; out: a new one of the same
   kind, valid except for what only its author can decide. TACO 2.0 §6.

   Contradictions are resolved in this order: for the bytes of a sample the entry of its path in the
   central directory, then its __meta__, then the level; for the samples of a FOLDER its __meta__,
   then the level; for their columns the level, or __meta__ if the two disagree about the rows.
   Payloads keep their order, and are copied only if they match the CRC-32 in the archive.

   Steps (taco__repair_run_all): validate the old dataset, which also reads its levels; if
   TACO_HEADER is wrong, open it again by the directory alone; build the new tree
   (repair_tree.c); write it under a temporary name. taco_repair then validates the result, and
   gives it its name. */
#include "write.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../base/file_copy.h"
#include "../base/json.h"
#include "../parquet/parquet.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"

/* The ranges that the rows of a new level come from, *n of them in order. */
static const taco__repair_range *taco__repair_ranges(const taco__repair_level *l, size_t *n)
{
    *n = l->runs.len / sizeof(taco__repair_range);
    return (const taco__repair_range *)(const void *)l->runs.data;
}

/* Closes the table whose columns are being read; safe if there is none. */
static void taco__repair_close_reader(taco__repair *r)
{
    if (r->rows_open) { taco__row_reader_close(&r->rows); }
    if (r->m_open) { taco__local_meta_close(&r->m); }
    r->rows_open = r->m_open = false;
    taco__arena_free(&r->batch);
}

/* Frees everything in a repair; safe in any state after its init. */
static void taco__repair_free(taco__repair *r)
{
    size_t i;
    taco__repair_close_reader(r);
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        taco__repair_level *l = &r->levels[i];
        taco__buf_free(&l->old);
        taco__buf_free(&l->offset);
        taco__buf_free(&l->size);
        taco__buf_free(&l->runs);
        if (l->has_sample_meta) { taco__local_meta_close(&l->sample_meta); }
    }
    taco__buf_free(&r->path);
    taco__buf_free(&r->window);
    taco__tree_free(&r->tree);
    taco__check_dataset_close(r->c);
}

/* An offset or size of a row; -1 if unknown. */
static int64_t taco__repair_place(const taco__buf *b, size_t row)
{
    return ((const int64_t *)(const void *)b->data)[row];
}

/* ---- where bytes are ---- */

/* The path of a new row below DATA/, NUL-terminated and without a '/' at the end, in r->path. */
TACO__FN const char *taco__repair_path(taco__repair *r, uint32_t level, size_t row, taco_error *err)
{
    r->path.len = 0;
    if (!taco__tree_path(&r->tree, level, row, &r->path, err) ||
        !taco__buf_append_char(&r->path, 0, err)) {
        return NULL;
    }
    if (taco__tree_is_folder(&r->tree, level, row)) { r->path.data[r->path.len - 2] = 0; }
    return (const char *)r->path.data;
}

/* ---- the tree ---- */

/* Opens the __meta__ of a new FOLDER row; nothing to close after a failure. */
TACO__FN bool taco__repair_open_meta(taco__repair *r, uint32_t level, size_t row,
                                     taco__arena *arena, taco__local_meta *m, taco_error *err)
{
    taco__nav_node node;
    const char *path = taco__repair_path(r, level, row, err);
    if (!path) { return false; }
    memset(&node, 0, sizeof node);
    node.store = &r->c->store;
    node.folder = true;
    node.path = taco__arena_text(arena, taco__bytes_text(path), err);
    node.offset = taco__repair_place(&r->levels[level].offset, row);
    node.size = taco__repair_place(&r->levels[level].size, row);
    node.has_range = node.offset >= 0 && node.size >= 0;
    if (!node.path) { return false; }
    if (taco__local_meta_open(&node, arena, m, err)) { return true; }
    taco__local_meta_close(m);
    return false;
}

/* ---- columns ---- */

/* The user's columns of a new level: those of the old level, or of the first __meta__ that was read
   instead. */
static bool taco__repair_fields(taco__repair *r, uint32_t level, taco_error *err)
{
    taco__repair_level *l = &r->levels[level];
    const taco__table *t = r->c->tree.levels[level].l ? &r->c->tree.levels[level].l->table
                           : l->has_sample_meta       ? &l->sample_meta.table
                                                      : NULL;
    size_t i;
    if (!t) { return true; }
    l->fields =
        (taco_field *)taco__arena_array(&r->c->arena, t->field_count + 1, sizeof *l->fields, err);
    for (i = 0; l->fields && i < t->field_count; i++) {
        if (!taco__rules_is_format_column(taco__bytes_text(t->fields[i].name))) {
            l->fields[l->count] = t->fields[i];
            l->fields[l->count++].nullable = true;
        }
    }
    return l->fields != NULL;
}

/* Positions of the level's columns in a table; SIZE_MAX for missing ones. */
static void taco__repair_find_columns(const taco__repair_level *l, const taco__table *t,
                                      taco__mem *mem, size_t *which)
{
    taco__field_index names;
    size_t i;
    taco__field_index_init(&names, t->fields, t->field_count, mem);
    for (i = 0; i < l->count; i++) {
        which[i] = taco__field_index_find(&names, l->fields[i].name);
    }
    taco__field_index_free(&names);
}

/* taco__container_columns.begin. */
static bool taco__repair_begin_level(void *ctx, uint32_t level, taco_error *err)
{
    taco__repair *r = (taco__repair *)ctx;
    taco__repair_level *l = &r->levels[level];
    taco__check_tree_level *v = &r->c->tree.levels[level];
    taco__repair_close_reader(r);
    r->level = level;
    r->run = r->at = 0;
    r->arrays = (taco_array *)taco__arena_array(&r->c->arena, l->count + 1, sizeof *r->arrays, err);
    r->which = (size_t *)taco__arena_array(&r->c->arena, l->count + 1, sizeof *r->which, err);
    if (!r->arrays || !r->which) { return false; }
    if (v->l) {
        taco__repair_find_columns(l, &v->l->table, &r->mem, r->which);
        r->rows_open =
            taco__row_reader_open(&r->rows, &v->l->table, r->which, l->count, &r->mem, err);
        return r->rows_open;
    }
    return true;
}

/* A batch of a whole __meta__: its columns of the same name and type, nulls for others. */
static bool taco__repair_next_from_meta(taco__repair *r, const taco__repair_range *run,
                                        taco_batch *out, taco_error *err)
{
    taco__repair_level *l = &r->levels[r->level];
    size_t i, n = 0, *at;
    taco__repair_close_reader(r);
    at = (size_t *)taco__arena_array(&r->batch, l->count + 1, sizeof *at, err);
    if (!at || !taco__repair_open_meta(r, r->level - 1, run->parent, &r->batch, &r->m, err)) {
        return false;
    }
    r->m_open = true;
    taco__repair_find_columns(l, &r->m.table, &r->mem, at);
    for (i = 0; i < l->count; i++) {
        size_t k = at[i];
        at[i] = TACO__NONE;
        if (k != SIZE_MAX && taco__unify_same_type(&r->m.table.fields[k], &l->fields[i])) {
            at[i] = n;
            r->which[n++] = k;
        }
    }
    r->rows_open = taco__row_reader_open(&r->rows, &r->m.table, r->which, n, &r->mem, err);
    if (!r->rows_open || !taco__row_reader_read_range(&r->rows, 0, run->count, err)) {
        return false;
    }
    for (i = 0; i < l->count; i++) {
        if (at[i] == TACO__NONE) {
            if (!taco__unify_null_array(&l->fields[i], run->count, &r->arrays[i], &r->batch, err)) {
                return false;
            }
        } else {
            r->arrays[i] = r->rows.arrays[at[i]];
        }
    }
    out->length = run->count;
    return true;
}

/* taco__container_columns.next: the next rows of a range, from the old level or from a __meta__. */
static bool taco__repair_next_batch(void *ctx, taco_batch *out, taco_error *err)
{
    taco__repair *r = (taco__repair *)ctx;
    taco__repair_level *l = &r->levels[r->level];
    taco__check_tree_level *v = &r->c->tree.levels[r->level];
    size_t n, i, m;
    const taco__repair_range *runs = taco__repair_ranges(l, &n), *run;
    memset(out, 0, sizeof *out);
    out->first_row = -1;
    out->columns = r->arrays;
    out->column_count = l->count;
    if (r->run == n) { return true; }
    run = &runs[r->run];
    if (run->meta) {
        r->run++;
        return taco__repair_next_from_meta(r, run, out, err);
    }
    if (!r->rows_open || r->m_open) {
        taco__repair_close_reader(r);
        taco__repair_find_columns(l, &v->l->table, &r->mem, r->which);
        r->rows_open =
            taco__row_reader_open(&r->rows, &v->l->table, r->which, l->count, &r->mem, err);
        if (!r->rows_open) { return false; }
    }
    m = TACO__MIN((size_t)run->count - r->at, (size_t)TACO__CHECK_TREE_BATCH);
    if (!taco__row_reader_read_range(&r->rows, run->first + r->at, m, err)) { return false; }
    for (i = 0; i < l->count; i++) {
        r->arrays[i] = r->rows.arrays[i];
    }
    out->length = m;
    r->at += m;
    if (r->at == run->count) {
        r->run++;
        r->at = 0;
    }
    return true;
}

/* ---- payloads ---- */

/* A FILE and the place of its bytes, for sorting. */
typedef struct taco__repair_file {
    uint64_t offset;
    uint32_t level, row;
} taco__repair_file;

/* Order by place, so that payloads are read and written in their old order; then by level and
   row. */
static int taco__repair_compare_files(const void *ctx, const void *a, const void *b)
{
    const taco__repair_file *x = (const taco__repair_file *)a, *y = (const taco__repair_file *)b;
    (void)ctx;
    if (x->offset != y->offset) { return x->offset < y->offset ? -1 : 1; }
    if (x->level != y->level) { return x->level < y->level ? -1 : 1; }
    return (x->row > y->row) - (x->row < y->row);
}

/* If there is no entry for its path, a place from the tables is trusted only if some entry is
   exactly there or, without a directory, a local header with that name. */
static bool taco__repair_is_known_place(taco__repair *r, uint64_t offset, uint64_t size,
                                        const char *path, taco_error *err)
{
    taco__check_zip *z = &r->c->zip;
    size_t at = 0, len = TACO__ZIP_LOCAL_BYTES + 5 + strlen(path);
    taco__zip_local_header l;
    const uint8_t *p;
    taco_error why;
    memset(&why, 0, sizeof why);
    if (z->known) {
        const taco__check_zip_entry *e;
        /* the last entry whose local header is before the bytes */
        TACO__LOWER_BOUND(at, z->count, i, z->entries[i].local < offset);
        e = at ? &z->entries[at - 1] : NULL;
        return e && e->placed && e->stored && e->data == offset && e->size == size;
    }
    if (offset < len) { return false; }
    p = taco__file_view(&r->c->store.file, offset - len, len, &r->window, &why);
    if (taco__error_is_of_machine(&why)) { *err = why; }
    return p &&
           taco__zip_read_local_header(taco__bytes_of(p, len), offset - len, &l, &why) == TACO_OK &&
           !l.partial && l.data == offset && l.csize == size && l.method == 0 &&
           taco__bytes_starts_with(l.name, "DATA/") && l.name.len == 5 + strlen(path) &&
           memcmp(l.name.data + 5, path, strlen(path)) == 0;
}

/* Checks the bytes of a FILE: they are inside the archive, and match its CRC-32. */
static bool taco__repair_check_payload(taco__repair *r, uint32_t level, size_t row, taco_error *err)
{
    int64_t offset = taco__repair_place(&r->levels[level].offset, row),
            size = taco__repair_place(&r->levels[level].size, row);
    const char *path = taco__repair_path(r, level, row, err);
    taco_bytes name = taco__bytes_text(path);
    taco__check_zip_entry *e = path ? taco__repair_tree_find_entry(r, level, row, path) : NULL;
    taco__file *file = &r->c->store.file;
    taco__range range;
    uint32_t crc;
    if (!path) { return false; }
    if (offset < 0 || size < 0 ||
        !taco__checked_range((uint64_t)offset, (uint64_t)size, file->src.size) ||
        (e && e->size != (uint64_t)size) ||
        (!e && !taco__repair_is_known_place(r, (uint64_t)offset, (uint64_t)size, path, err))) {
        TACO__FAIL(
            err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
            "DATA/%q: its bytes are nowhere to be found, neither by the central directory nor "
            "by internal:offset",
            &name);
        return false;
    }
    if (!e) { return true; }
    /* offset from its local header if there is one, else from the table */
    range.offset = (uint64_t)offset;
    range.len = e->size;
    if (!taco__findings_read_crc(&r->f, file, range, &r->window, &crc, err) || r->f.stop) {
        return false;
    }
    if (crc != e->crc) {
        TACO__FAIL(err, TACO_ERR_CHECKSUM, range.offset,
                   "DATA/%q: its bytes are damaged, or its CRC-32 is: %x, the archive says %x",
                   &name, TACO__U(crc), TACO__U(e->crc));
        return false;
    }
    return true;
}

/* Copies one FILE, from the archive or the directory, into the new container. */
static bool taco__repair_copy_payload(taco__repair *r, taco__container_writer *p, uint32_t level,
                                      size_t row, taco_error *err)
{
    taco__input in;
    bool ok;
    memset(&in, 0, sizeof in);
    if (r->c->store.kind == TACO_KIND_ZIP) {
        if (!taco__repair_check_payload(r, level, row, err)) { return false; }
        taco__input_from_range(&in, &r->c->store.file.src,
                               (uint64_t)taco__repair_place(&r->levels[level].offset, row),
                               (uint64_t)taco__repair_place(&r->levels[level].size, row));
        in.archive = 1;
        in.later = true;
        return taco__container_write_sample(p, level, row, &in, err);
    }
    r->window.len = 0;
    ok = taco__repair_path(r, level, row, err) &&
         taco__buf_append_text(&r->window, r->c->store.dir, err) &&
         taco__buf_append_text(&r->window, "DATA/", err) &&
         taco__buf_append(&r->window, r->path.data, r->path.len, err) &&
         taco__source_open_path(&r->c->options, (const char *)r->window.data, &in.source, err);
    if (!ok) { return false; }
    in.own = in.later = true;
    in.size = in.source.size;
    ok = taco__container_write_sample(p, level, row, &in, err);
    taco__input_close(&in);
    return ok;
}

/* Copies all samples: directories of a FOLDER from level 0 down, then the bytes in the order of the
   archive. */
static bool taco__repair_copy_samples(taco__repair *r, taco__container_writer *p, taco_error *err)
{
    uint32_t level;
    size_t row, n = 0, total = 0, i, bytes;
    taco__repair_file *files;
    bool ok;
    p->copies = true;
    if (!taco__container_write_check_tree(p, err)) { return false; }
    for (level = 0; level < r->tree.levels; level++) {
        for (row = 0; row < r->tree.level[level].rows; row++) {
            total += !taco__tree_is_folder(&r->tree, level, row);
            if (taco__tree_is_folder(&r->tree, level, row) &&
                !taco__container_write_sample(p, level, row, NULL, err)) {
                return false;
            }
        }
    }
    if (!taco__checked_mul_size(total + 1, sizeof *files, &bytes)) {
        return TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory"), false;
    }
    files = (taco__repair_file *)taco__mem_alloc(&r->mem, bytes, err);
    if (!files) { return false; }
    for (level = 0; level < r->tree.levels; level++) {
        for (row = 0; row < r->tree.level[level].rows; row++) {
            if (!taco__tree_is_folder(&r->tree, level, row)) {
                files[n].offset = (uint64_t)taco__repair_place(&r->levels[level].offset, row);
                files[n].level = level;
                files[n++].row = (uint32_t)row;
            }
        }
    }
    ok = taco__sort_in(&r->mem, files, n, sizeof *files, taco__repair_compare_files, NULL, err);
    for (i = 0; ok && i < n; i++) {
        ok = taco__repair_copy_payload(r, p, files[i].level, files[i].row, err);
        r->out->files += ok;
    }
    taco__mem_free(&r->mem, files, bytes);
    if (!ok) { taco__payload_batch_blame_earlier(p, err); }
    return ok && taco__payload_batch_end(p, err);
}

/* ---- all steps ---- */

/* The collection without its extent, which is computed again. */
static const taco__json *taco__repair_collection(taco__repair *r, taco_error *err)
{
    static const char *const skip[] = {"extent"};
    taco__buf text;
    taco__json_writer w;
    taco__json_doc doc;
    bool ok;
    memset(&text, 0, sizeof text);
    text.mem = &r->mem;
    w = taco__json_writer_init(&text, err);
    taco__json_write_begin(&w, NULL, '{');
    taco__document_copy_members(r->c->store.coll.doc.root, skip, 1, &w);
    taco__json_write_end(&w, '}');
    ok = w.ok;
    if (ok) { /* the nodes point into the text, which is kept in the arena */
        char *copy = taco__arena_text(&r->c->arena, taco__bytes_of(text.data, text.len), err);
        ok = copy && taco__json_parse(&r->c->arena, taco__bytes_of(copy, text.len),
                                      &r->c->options.limits, &doc, err) == TACO_OK;
    }
    taco__buf_free(&text);
    return ok ? doc.root : NULL;
}

/* Bytes of the payloads of an archive; 0, not known, for a FOLDER, whose files are not open yet. */
static uint64_t taco__repair_sum_payloads(const taco__repair *r)
{
    uint64_t sum = 0;
    uint32_t level;
    size_t row;
    if (r->c->store.kind != TACO_KIND_ZIP) { return 0; }
    for (level = 0; level < r->tree.levels; level++) {
        for (row = 0; row < r->tree.level[level].rows; row++) {
            int64_t size = taco__repair_place(&r->levels[level].size, row);
            /* a size that is wrong fails later */
            if (size > 0 && !taco__tree_is_folder(&r->tree, level, row)) { sum += (uint64_t)size; }
        }
    }
    return sum;
}

/* Writes the new container. */
/* Begins the output, which keeps a temporary name when it is complete. */
static bool taco__repair_begin(taco__repair *r, taco__container_writer *p, const char *output,
                               const taco_create_options *create, taco_error *err)
{
#ifndef TACO_NO_STDIO
    taco_sink sink;
    if (create->container != TACO_KIND_ZIP) {
        if (!taco__container_write_begin(p, output, create, &r->tree, &r->mem, err)) {
            return false;
        }
        p->staged = r->staged;
        return true;
    }
    return taco__sink_file_staged(&sink, output, create->options, r->staged->mem, r->staged, err) ==
               TACO_OK &&
           taco__container_write_begin_sink(p, &sink, create, &r->tree, &r->mem, err);
#else
    return taco__container_write_begin(p, output, create, &r->tree, &r->mem, err);
#endif
}

static bool taco__repair_write(taco__repair *r, const char *output, const taco_options *opt,
                               taco_error *err)
{
    const taco__json *root = r->c->store.coll.doc.root;
    taco_create_options create;
    taco__container_writer p;
    taco__container_columns src;
    taco_error e;
    uint32_t level;
    memset(&create, 0, sizeof create);
    memset(&src, 0, sizeof src);
    memset(&e, 0, sizeof e);
    create.options = opt;
    create.any_tree = true;
    create.container = r->c->store.kind;
    create.progress = r->f.how->progress;
    create.progress_ctx = r->f.how->ctx;
    create.total = taco__repair_sum_payloads(r);
    if (taco__collection_check_extent(&r->c->store.coll, &e) != TACO_OK) {
        create.new_extent = true;
        root = taco__repair_collection(r, err);
        if (!root) { return false; }
    }
    src.ctx = r;
    src.begin = taco__repair_begin_level;
    src.next = taco__repair_next_batch;
    for (level = 0; level < r->tree.levels; level++) {
        if (!taco__repair_fields(r, level, err)) { return false; }
        src.fields[level] = r->levels[level].fields;
        src.counts[level] = r->levels[level].count;
        r->out->rows += r->tree.level[level].rows;
    }
    if (!taco__repair_begin(r, &p, output, &create, err)) { return false; }
    if (!taco__repair_copy_samples(r, &p, err)) {
        taco__container_write_abort(&p);
        return false;
    }
    r->out->bytes = p.payload;
    return taco__container_write_finish(&p, root, &src, err);
}

/* A source that hides a wrong TACO_HEADER: its first bytes are those of an empty one, so that the
   reader uses the central directory. With `off` the file is passed through unchanged. */
typedef struct taco__repair_mask {
    taco_source src;
    taco__mem *mem;
    bool off;
} taco__repair_mask;

/* taco_source.read, with an empty TACO_HEADER in place of the wrong one. */
static bool taco__repair_mask_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    taco__repair_mask *m = (taco__repair_mask *)ctx;
    uint8_t head[TACO__INDEX_HEADER_BYTES];
    taco__zip_writer z;
    if (!m->src.read(m->src.ctx, offset, dst, len)) { return false; }
    if (!m->off && offset < sizeof head) {
        memset(&z, 0, sizeof z);
        taco__zip_write_taco_header(&z, NULL, 0, head);
        memcpy(dst, head + (size_t)offset, TACO__MIN(len, sizeof head - (size_t)offset));
    }
    return true;
}

/* taco_source.close: closes the file and frees the mask itself. */
static void taco__repair_mask_close(void *ctx)
{
    taco__repair_mask *m = (taco__repair_mask *)ctx;
    if (m->src.close) { m->src.close(m->src.ctx); }
    taco__mem_free(m->mem, m, sizeof *m);
}

/* Opens the archive by its central directory alone. Its problems have already been reported. */
static bool taco__repair_open_masked(taco__repair *r, const char *path, taco_error *err)
{
    static const taco_validate_options none = {false, false, NULL, NULL, NULL};
    const taco_validate_options *how = r->f.how;
    taco_validated sum, *before = r->f.sum;
    taco_options options = r->c->options;
    taco__repair_mask *m;
    taco_source src;
    taco_error e;
    bool ok;
    memset(&e, 0, sizeof e);
    memset(&sum, 0, sizeof sum);
    taco__check_dataset_close(r->c);
    r->c = taco__check_dataset_open(&r->f, &r->mem, &options, err);
    if (!r->c) { return false; }
    m = (taco__repair_mask *)taco__mem_alloc(&r->mem, sizeof *m, err);
    if (!m || !taco__source_open_path(&r->c->options, path, &m->src, &e)) {
        taco__mem_free(&r->mem, m, sizeof *m);
        *err = r->f.first;
        return false;
    }
    m->mem = &r->mem;
    memset(&src, 0, sizeof src);
    src.ctx = m;
    src.size = m->src.size;
    src.read = taco__repair_mask_read;
    src.close = taco__repair_mask_close;
    r->f.how = &none; /* everything has been reported */
    r->f.sum = &sum;
    r->c->open =
        taco__container_open(&r->c->store, path, &src, &r->mem, &r->c->arena, &r->c->options, &e);
    ok = r->c->open;
    if (ok) {
        m->off = true;
        taco__file_release(&r->c->store.file, 0,
                           TACO__MIN(src.size, (uint64_t)TACO__OPEN_FIRST_BYTES));
        ok = taco__check_dataset_archive(r->c, &r->c->store.file, err) &&
             taco__check_dataset_tables(r->c, err);
    }
    r->f.how = how;
    r->f.sum = before;
    if (!r->c->open && r->f.first.code != TACO_OK) {
        *err = r->f.first; /* the first problem found */
    }
    return ok;
}

/* All steps except for the validation of the result. */
static bool taco__repair_run_all(taco__repair *r, const char *path, const char *output,
                                 const taco_options *opt, taco_error *err)
{
    if (!taco__temporary_is_free(output, opt)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "exists already, nothing is overwritten");
        taco__error_prefix(err, "%s", output);
        return false;
    }
    if (!taco__check_dataset_one(r->c, path, NULL, err)) { return false; }
    r->out->before = r->before.errors;
    if (!r->c->open || (r->c->store.kind == TACO_KIND_ZIP && r->c->zip.differs)) {
        if (!taco__repair_open_masked(r, path, err)) { return false; }
    }
    if (r->c->store.kind == TACO_KIND_TACOCAT) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "a catalogue: repair its archives, and make it again");
        return false;
    }
    return taco__repair_tree_build(r, err) && taco__repair_write(r, output, opt, err);
}

#ifndef TACO_NO_STDIO
/* Validates the result, and once more if that fails: a file that could not be opened once says
   nothing about the dataset. False if it cannot be read, so that nobody knows its state; errors
   that cannot be decided are reported. */
static bool taco__repair_validate(const char *output, const taco_options *opt, taco_repaired *out,
                                  taco_error *err)
{
    taco_validate_options deep;
    taco_validated after;
    memset(&deep, 0, sizeof deep);
    deep.deep = true;
    if (taco_validate(output, opt, &deep, &after, NULL) != TACO_OK) {
        taco_validate(output, opt, &deep, &after, err);
    }
    out->after = after.errors;
    if (taco__error_is_of_machine(err) || err->code == TACO_ERR_LIMIT ||
        err->code == TACO_ERR_NOT_FOUND) {
        taco__error_prefix(err, "the result cannot be read again, and is removed");
        return false;
    }
    return true;
}

/* Gives the complete result its name, unless it cannot be read. */
static void taco__repair_publish(taco__staged *staged, const taco_options *opt, taco_repaired *out,
                                 taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    bool ok = taco__repair_validate(staged->temporary.name, opt, out, err);
    if (ok && !taco__staged_rename(staged, 1, &own)) {
        *err = own;
        ok = false;
    }
    if (!ok) { out->rows = out->files = out->bytes = 0; }
}
#endif

TACO_API taco_status taco_repair(const char *path, const char *output, const taco_options *opt,
                                 const taco_validate_options *how, taco_repaired *out,
                                 taco_error *err)
{
    taco__repair *r;
    taco__mem mem; /* for r, which has another one for what it reads */
    taco_repaired none;
    taco_validate_options quiet;
    taco_error own = {0, TACO_OK, 0, {0}};
    err = taco__error_fresh(err, NULL);
#ifndef TACO_NO_STDIO
    taco__staged staged;
#endif
    size_t i;
    bool done;
    out = out ? out : &none;
    memset(out, 0, sizeof *out);
    if (!path || !output) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
    }
    memset(&quiet, 0, sizeof quiet);
    if (how) { quiet = *how; }
    quiet.deep = false; /* payloads are checked when they are copied */
    taco__mem_init(&mem, opt);
    r = (taco__repair *)taco__mem_alloc(&mem, sizeof *r, &own);
    if (!r) {
        taco__error_copy(err, &own);
        return own.code;
    }
    memset(r, 0, sizeof *r);
    taco__mem_init(&r->mem, opt);
    r->f.how = &quiet;
    r->f.sum = &r->before;
    r->f.part = "";
    r->out = out;
#ifndef TACO_NO_STDIO
    memset(&staged, 0, sizeof staged);
    staged.path = output;
    staged.mem = &mem;
    r->staged = &staged;
#endif
    r->path.mem = r->window.mem = r->batch.mem = &r->mem;
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        taco__repair_level *l = &r->levels[i];
        l->old.mem = l->offset.mem = l->size.mem = l->runs.mem = &r->mem;
    }
    taco__tree_init(&r->tree, &r->mem);
    r->c = taco__check_dataset_open(&r->f, &r->mem, opt, &own);
    done = r->c && taco__repair_run_all(r, path, output, opt, &own);
    taco__repair_free(r);
    taco__mem_free(&mem, r, sizeof *r);
    if (!done) {
        TACO__FAIL(&own, TACO_ERR_STATE, TACO_NO_OFFSET, "stopped by the caller");
        if (strncmp(own.text, path, strlen(path)) != 0) { taco__error_prefix(&own, "%s", path); }
        out->rows = out->files = out->bytes = 0; /* nothing was kept */
    }
#ifndef TACO_NO_STDIO
    if (done) { taco__repair_publish(&staged, opt, out, &own); }
    taco__staged_free(&staged, 1);
#endif
    taco__error_copy(err, &own);
    return own.code;
}
