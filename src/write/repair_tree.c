/* repair_tree.c - the tree of a repaired dataset: rows by __meta__, places by the directory

   In: the levels of the old dataset as validation has read them, its __meta__ files and central
   directory; out: the new tree, and for each of its rows the old row, the place of its bytes,
   and the ranges its columns come from (taco__repair_level). TACO 2.0 §6.2.

   taco__repair_tree_build goes down level by level: the children of a FOLDER are the rows of its
   __meta__, or if that cannot be read, those in the level. Rows in both are matched by the hash of
   id and type, so that columns come from the level.

   A range (taco__repair_range) keeps runs of rows together: a level without wrong rows is one
   range of the old level, and its columns are read in large batches; a FOLDER whose __meta__
   disagrees is a separate range, read from that __meta__. */
#include "write.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"

/* The directory's entry for a new row, for a FOLDER that of its __meta__; NULL if there is none, or
   if it is compressed. */
TACO__FN taco__check_zip_entry *taco__repair_tree_find_entry(taco__repair *r, uint32_t level,
                                                             size_t row, const char *path)
{
    uint64_t h = taco__findings_hash_path(TACO__FINDINGS_HASH_SEED, taco__bytes_text("DATA/"));
    bool folder = taco__tree_is_folder(&r->tree, level, row);
    taco__check_zip_entry *e;
    if (!r->c->zip.known) { return NULL; }
    h = taco__findings_hash_path(h, taco__bytes_text(path));
    e = taco__check_zip_find(
        &r->c->zip, folder ? taco__findings_hash_path(h, taco__bytes_text("/__meta__")) : h);
    return e && e->stored ? e : NULL;
}

/* Appends a row with the place in its table, replaced by the directory's if known. old is its row
   in the old level, -1 for none. */
static bool taco__repair_tree_append_row(taco__repair *r, uint32_t level, size_t parent,
                                         taco_bytes id, bool folder, int32_t old, int64_t offset,
                                         int64_t size, taco_error *err)
{
    taco__repair_level *l = &r->levels[level];
    taco__check_zip_entry *e;
    const taco__check_tree_level *v = &r->c->tree.levels[level];
    int64_t first = offset, last = size;
    size_t row = r->tree.level[level].rows;
    const char *path;
    if (taco__rules_check_id(id, err) != TACO_OK ||
        taco__rules_check_file_name(id, err) != TACO_OK ||
        !taco__tree_append_ordered(&r->tree, level, parent, id, folder, err)) {
        return false;
    }
    path = taco__repair_path(r, level, row, err);
    if (!path) { return false; }
    e = taco__repair_tree_find_entry(r, level, row, path);
    if (v->offset && old >= 0) { /* the place in the level */
        first = v->offset[old];
        last = v->size[old];
    }
    if (e && e->placed) {
        offset = (int64_t)e->data;
        size = (int64_t)e->size;
    }
    r->out->places += r->c->store.kind == TACO_KIND_ZIP && (first != offset || last != size);
    return taco__buf_append(&l->old, &old, sizeof old, err) &&
           taco__buf_append(&l->offset, &offset, sizeof offset, err) &&
           taco__buf_append(&l->size, &size, sizeof size, err);
}

/* Records where the columns of `count` rows come from; adjacent rows of the level form one
   range. */
static bool taco__repair_tree_append_range(taco__repair *r, uint32_t level, bool meta, size_t first,
                                           size_t count, size_t parent, taco_error *err)
{
    taco__buf *b = &r->levels[level].runs;
    taco__repair_range run,
        *last = b->len ? (taco__repair_range *)(void *)(b->data + b->len) - 1 : NULL;
    if (last && !meta && !last->meta && last->first + (uint64_t)last->count == first) {
        last->count += (uint32_t)count;
        return true;
    }
    memset(&run, 0, sizeof run);
    run.meta = meta;
    run.first = (uint32_t)first;
    run.count = (uint32_t)count;
    run.parent = (uint32_t)parent;
    return count == 0 || taco__buf_append(b, &run, sizeof run, err);
}

/* Appends rows of level 0, or of a FOLDER whose __meta__ cannot be read: n of the old level, or its
   first n if rows is NULL. */
static bool taco__repair_tree_append_from_level(taco__repair *r, uint32_t level, size_t parent,
                                                const int32_t *rows, size_t n, taco_error *err)
{
    taco__check_tree_state *t = &r->c->tree;
    taco__check_tree_level *v = &t->levels[level];
    taco_error e = {0, TACO_OK, 0, {0}};
    size_t i;
    for (i = 0; i < n; i++) {
        size_t old = rows ? (size_t)rows[i] : i;
        taco_bytes id = taco__check_tree_name(t, level, old, false, &e);
        if (taco__error_is_of_machine(&e)) { /* not a fault of the row */
            *err = e;
            return false;
        }
        if (v->folder[old] > 1 || !id.data) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "%s: row %u: id or type cannot be read, nothing can be made of it",
                       v->l->name, TACO__U(old));
            return false;
        }
        if (!taco__repair_tree_append_row(r, level, parent, id, v->folder[old] == 1, (int32_t)old,
                                          v->offset ? v->offset[old] : -1,
                                          v->size ? v->size[old] : -1, err) ||
            !taco__repair_tree_append_range(r, level, false, old, 1, parent, err)) {
            return false;
        }
    }
    return true;
}

/* True if the rows of a __meta__ are those of the old level, kids[0..n), by id and type, and these
   are adjacent. */
static bool taco__repair_tree_meta_agrees(const taco__check_tree_level *below, const int32_t *kids,
                                          size_t n, const taco_array *a, size_t first)
{
    size_t i;
    for (i = 0; i < a->length; i++) {
        int folder = taco__sample_path_parse_type(taco_array_bytes(&a[1], i));
        uint64_t key =
            taco__findings_hash_path(TACO__FINDINGS_HASH_SEED + (uint64_t)(folder < 0 ? 2 : folder),
                                     taco_array_bytes(&a[0], i));
        if (first + i >= n || below->key[kids[first + i]] != key ||
            (i && kids[first + i] != kids[first + i - 1] + 1)) {
            return false;
        }
    }
    return true;
}

/* Appends the rows of an open __meta__ as children of a new row; kids are the n old ones. *read is
   true if a failure came after reading. */
static bool taco__repair_tree_append_from_meta(taco__repair *r, uint32_t level, size_t parent,
                                               taco__local_meta *m, const int32_t *kids, size_t n,
                                               bool *read, taco_error *err)
{
    taco__check_tree_level *below = &r->c->tree.levels[level];
    bool zip = r->c->store.kind == TACO_KIND_ZIP,
         ranges = zip && m->role.offset != TACO__NONE && m->role.size != TACO__NONE &&
                  taco__join_is_integer(m->table.fields[m->role.offset].type) &&
                  taco__join_is_integer(m->table.fields[m->role.size].type);
    taco__row_reader rows;
    size_t which[4], i, row, total = (size_t)m->table.rows;
    bool ok, agrees;
    which[0] = m->role.id;
    which[1] = m->role.type;
    which[2] = ranges ? m->role.offset : m->role.id;
    which[3] = ranges ? m->role.size : m->role.id;
    *read = false;
    if (!taco__row_reader_open(&rows, &m->table, which, 4, &r->mem, err)) { return false; }
    /* the children of one FOLDER */
    ok = *read = taco__row_reader_read_range(&rows, 0, total, err);
    agrees = ok && total == n && below->l &&
             taco__repair_tree_meta_agrees(below, kids, n, rows.arrays, 0);
    for (i = 0, row = 0; ok && i < total; i++, row++) {
        taco_bytes id = taco_array_bytes(&rows.arrays[0], i),
                   type = taco_array_bytes(&rows.arrays[1], i);
        int folder = taco__sample_path_parse_type(type);
        int32_t old = agrees ? kids[i] : -1;
        size_t k;
        bool known =
            ranges && taco_array_valid(&rows.arrays[2], i) && taco_array_valid(&rows.arrays[3], i);
        for (k = 0; old < 0 && below->l && k < n; k++) { /* match by id, for the levels below */
            uint64_t key = taco__findings_hash_path(
                TACO__FINDINGS_HASH_SEED + (uint64_t)(folder < 0 ? 2 : folder), id);
            old = below->key[kids[k]] == key ? kids[k] : -1;
        }
        if (folder < 0 || !taco_array_valid(&rows.arrays[0], i)) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "__meta__: row %u: the id is null, or the type neither FILE nor FOLDER",
                       TACO__U(i));
            ok = false;
        }
        ok = ok &&
             taco__repair_tree_append_row(r, level, parent, id, folder == 1, old,
                                          known ? taco_array_int(&rows.arrays[2], i) : -1,
                                          known ? taco_array_int(&rows.arrays[3], i) : -1, err);
    }
    r->out->from_meta += agrees ? 0 : total;
    ok = ok &&
         (agrees && total
              ? taco__repair_tree_append_range(r, level, false, (size_t)kids[0], total, parent, err)
              : taco__repair_tree_append_range(r, level, true, 0, total, parent, err));
    taco__row_reader_close(&rows);
    return ok;
}

/* The children of a new FOLDER row. */
static bool taco__repair_tree_append_children(taco__repair *r, uint32_t level, size_t row,
                                              taco_error *err)
{
    taco__check_tree_state *t = &r->c->tree;
    taco__repair_level *next = &r->levels[level + 1];
    int32_t old = ((const int32_t *)(const void *)r->levels[level].old.data)[row];
    const int32_t *kids = NULL;
    size_t n = 0;
    taco__local_meta m;
    taco__arena arena;
    taco_error e;
    bool ok, read = false;
    memset(&e, 0, sizeof e);
    arena.mem = &r->mem;
    arena.head = NULL;
    if (old >= 0 && level < t->count) {
        n = taco__check_tree_children(t, level, (size_t)old, &kids);
    }
    ok = taco__repair_open_meta(r, level, row, &arena, &m, &e);
    if (ok) {
        ok = taco__repair_tree_append_from_meta(r, level + 1, row, &m, kids, n, &read, &e);
        if (ok && !t->levels[level + 1].l && !next->has_sample_meta) {
            next->sample_meta =
                m; /* Avro tables, whose columns are in the arena, have levels of their own */
            next->has_sample_meta = m.table.pq != NULL;
            if (next->has_sample_meta) {
                next->sample_meta.table.pq = &next->sample_meta.pq;
                next->sample_meta.pq.part.file =
                    m.file_open ? &next->sample_meta.file : m.pq.part.file;
                m.open = false;
            }
        }
        if (!next->has_sample_meta || m.open) { taco__local_meta_close(&m); }
    }
    if (!ok && (read || taco__error_is_of_machine(&e) || e.code == TACO_ERR_LIMIT)) {
        *err = e;
    } else if (read) {
        ok = err->code == TACO_OK;
    } else if (n) {
        r->out->metas++;
        ok = taco__repair_tree_append_from_level(r, level + 1, row, kids, n, err);
    } else {
        const char *path = taco__repair_path(r, level, row, err);
        taco_bytes name = taco__bytes_text(path);
        *err = e;
        taco__error_prefix(err,
                           "DATA/%q: no row of a level has its children, and __meta__ cannot be "
                           "read",
                           &name);
    }
    taco__arena_free(&arena);
    return ok;
}

/* Builds the tree. CORRUPT if level 0 cannot be read: its samples are nowhere else. */
TACO__FN bool taco__repair_tree_build(taco__repair *r, taco_error *err)
{
    taco__check_tree_state *t = &r->c->tree;
    uint32_t level;
    size_t row;
    if (!t->levels[0].l || t->levels[0].l->role.id == TACO__NONE) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "level 0 cannot be read, nothing else has its samples");
        return false;
    }
    if (!taco__repair_tree_append_from_level(r, 0, 0, NULL, t->levels[0].rows, err)) {
        return false;
    }
    for (level = 0; level + 1 < TACO__MAX_LEVELS; level++) {
        for (row = 0; row < r->tree.level[level].rows; row++) {
            if (taco__tree_is_folder(&r->tree, level, row) &&
                !taco__repair_tree_append_children(r, level, row, err)) {
                return false;
            }
        }
    }
    return true;
}
