/* check_meta.c - __meta__ of every FOLDER against the level below: rows, columns, cells

   In: a level whose children are linked, and the __meta__ files of its FOLDERs; out: problems
   under "DATA/.../__meta__". TACO 2.0 §6.2 (a FOLDER's children are in its __meta__ and in the
   level below, the same rows in the same order), §5.5 (PIT-2: columns of one name have one
   type).

   taco__check_meta_level walks the FOLDERs; taco__check_meta_row opens the __meta__ of one by
   its path, in an archive through the directory rather than internal:offset. Ids, types and
   places are always compared, with deep also every cell of the common columns, as JSON text.
   taco__check_meta_columns does the same for the rows of a catalogue and an archive
   (check_catalogue.c). */
#include "validate.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"
#include "../dataset/dataset.h"

/* ---- __meta__ against the levels ---- */

/* A FOLDER whose children are compared: row `row` of `level`, its __meta__, and the rows below. */
typedef struct taco__check_meta_folder {
    taco__check_tree_state *t;
    uint32_t level;
    size_t row;
    taco__check_tree_level *below; /* NULL: there is no level to compare with */
    const int32_t *kids;
    size_t count;
    taco__local_meta m;
} taco__check_meta_folder;

/* Sets the place to the current __meta__. */
static void taco__check_meta_set_place(taco__check_meta_folder *d)
{
    taco_bytes path = taco__check_tree_path(d->t, d->level, d->row);
    taco__findings_set_place(d->t->f, "DATA/%q/__meta__", &path);
}

/* Index of the column with that name, SIZE_MAX if there is none. `guess` is tried first: tables of
   one dataset usually have it at the same position. */
static size_t taco__check_meta_find_column(const taco__table *t, const char *name, size_t guess)
{
    return guess < t->field_count && strcmp(t->fields[guess].name, name) == 0
               ? guess
               : taco__table_find_column(t, name);
}

/* PIT-2: columns of the same name have the same type (§5.5); missing columns in some folders are
   the writer's choice. */
static void taco__check_meta_schema(taco__check_meta_folder *d)
{
    const taco__table *a = &d->m.table, *b = &d->below->l->table;
    taco__findings *f = d->t->f;
    size_t i, k;
    for (i = 0; i < a->field_count; i++) {
        taco_bytes name = taco__bytes_text(a->fields[i].name);
        k = taco__check_meta_find_column(b, a->fields[i].name, i);
        if (k == SIZE_MAX) {
            if (!taco__bytes_starts_with(name, "internal:")) {
                TACO__FINDINGS_WARN(f, "PIT-2: %s has no column %q", d->below->l->name, &name);
            }
        } else if (!taco__bytes_starts_with(name, "internal:") &&
                   !taco__unify_same_type(&a->fields[i], &b->fields[k])) {
            TACO__FINDINGS_ERROR(f, "PIT-2: column %q has another type in %s", &name,
                                 d->below->l->name);
        }
    }
    for (i = 0; i < b->field_count; i++) {
        taco_bytes name = taco__bytes_text(b->fields[i].name);
        if (!taco__bytes_starts_with(name, "internal:") &&
            taco__check_meta_find_column(a, b->fields[i].name, i) == SIZE_MAX) {
            TACO__FINDINGS_WARN(f, "PIT-2: column %q of %s is missing", &name, d->below->l->name);
        }
    }
}

/* One child of a folder in its __meta__ against the row of the level. */
static void taco__check_meta_child(taco__check_meta_folder *d, const taco_array *a,
                                   const size_t at[4], size_t i, size_t number)
{
    taco__check_tree_state *t = d->t;
    taco__findings *f = t->f;
    bool valid = taco_array_valid(&a[at[0]], i);
    taco_bytes id = taco_array_bytes(&a[at[0]], i), type = taco_array_bytes(&a[at[1]], i);
    int folder = taco__sample_path_parse_type(type);
    size_t row;
    uint64_t key;
    taco__check_level_id(f, id, valid);
    if (folder < 0) {
        TACO__FINDINGS_ERROR(f, "row %u: type is %q, must be FILE or FOLDER", TACO__U(number),
                             &type);
    }
    if (!d->below || number >= d->count) { return; }
    row = (size_t)d->kids[number];
    key = taco__findings_hash_path(TACO__FINDINGS_HASH_SEED + (uint64_t)(folder < 0 ? 2 : folder),
                                   id);
    if (key != d->below->key[row]) {
        taco_bytes other = taco__check_tree_name(t, d->level + 1, row, false, NULL);
        TACO__FINDINGS_ERROR(f,
                             "row %u is the %q %q, but row %u of %s the %s %q: __meta__ and level "
                             "disagree",
                             TACO__U(number), &type, &id, TACO__U(row), d->below->l->name,
                             taco__collection_type_name(d->below->folder[row] == 1), &other);
    } else if (at[2] != TACO__NONE && d->below->offset) {
        int64_t offset = taco_array_int(&a[at[2]], i), size = taco_array_int(&a[at[3]], i);
        if (!taco_array_valid(&a[at[2]], i) || !taco_array_valid(&a[at[3]], i)) {
            TACO__FINDINGS_ERROR(f, "row %u: internal:offset or internal:size is null",
                                 TACO__U(number));
        } else if (offset != d->below->offset[row] || size != d->below->size[row]) {
            TACO__FINDINGS_ERROR(
                f,
                "row %u (id %q): internal:offset %d, internal:size %d, but %d, %d in "
                "row %u of %s: __meta__ and level disagree",
                TACO__U(number), &id, TACO__D(offset), TACO__D(size),
                TACO__D(d->below->offset[row]), TACO__D(d->below->size[row]), TACO__U(row),
                d->below->l->name);
        }
    }
}

/* Every row of a __meta__ against the child at the same position in the level. */
static bool taco__check_meta_children(taco__check_meta_folder *d, taco_error *err)
{
    taco__check_tree_state *t = d->t;
    taco__row_reader rows;
    taco_error e;
    size_t which[4], at[4] = {0, 1, TACO__NONE, TACO__NONE}, n = 2, i, m, row = 0;
    memset(&e, 0, sizeof e);
    which[0] = d->m.role.id;
    which[1] = d->m.role.type;
    if (t->s->kind == TACO_KIND_ZIP) {
        bool offset = taco__check_level_column(t->f, &d->m.table, d->m.role.offset,
                                               "internal:offset", false, true),
             size = taco__check_level_column(t->f, &d->m.table, d->m.role.size, "internal:size",
                                             false, true);
        if (offset && size) {
            at[2] = n;
            which[n++] = d->m.role.offset;
            at[3] = n;
            which[n++] = d->m.role.size;
        }
    }
    if (!taco__row_reader_open(&rows, &d->m.table, which, n, t->mem, err)) { return false; }
    while (row < d->m.table.rows && !t->f->stop) {
        m = (size_t)TACO__MIN(d->m.table.rows - row, (uint64_t)TACO__CHECK_TREE_BATCH);
        if (!taco__row_reader_read_range(&rows, row, m, &e)) { break; }
        for (i = 0; i < m; i++, row++) {
            taco__check_meta_child(d, rows.arrays, at, i, row);
        }
    }
    taco__row_reader_close(&rows);
    return e.code == TACO_OK || taco__findings_take_error(t->f, &e) || (*err = e, false);
}

/* Compares the cells of the n rows loaded in both readers, as JSON text; `first` is the index of
   the first in a_rows. */
static bool taco__check_meta_cells(const taco__check_meta_tables *d, const taco__row_reader *a,
                                   const taco__row_reader *b, size_t n, size_t first,
                                   taco_error *err)
{
    taco__check_tree_state *t = d->t;
    size_t c, i;
    for (c = 0; c < a->count; c++) {
        for (i = 0; i < n && !t->f->stop; i++) {
            t->text.len = t->other.len = 0;
            if (!taco__cell_json(&t->text, &a->arrays[c], i, err) ||
                !taco__cell_json(&t->other, &b->arrays[c], i, err)) {
                return false;
            }
            if (t->text.len != t->other.len ||
                memcmp(t->text.data, t->other.data, t->text.len) != 0) {
                taco_bytes name = taco__bytes_text(d->a->fields[a->which[c]].name);
                taco_bytes x = taco__bytes_of(t->text.data, t->text.len),
                           y = taco__bytes_of(t->other.data, t->other.len);
                TACO__FINDINGS_ERROR(t->f, "row %u, column %q is %q, in %s %q: they disagree",
                                     TACO__U(d->a_rows ? d->a_rows[first + i] : first + i), &name,
                                     &x, d->other, &y);
            }
        }
    }
    return true;
}

/* Every cell of the columns that both tables have with the same type, except for those of the
   format. */
TACO__FN bool taco__check_meta_columns(const taco__check_meta_tables *d, taco__arena *arena,
                                       taco_error *err)
{
    taco__check_tree_state *t = d->t;
    const taco__table *a = d->a, *b = d->b;
    size_t *mine = (size_t *)taco__arena_array(arena, a->field_count + 1, sizeof *mine, err),
           *theirs = (size_t *)taco__arena_array(arena, a->field_count + 1, sizeof *theirs, err);
    size_t i, n = 0;
    taco__row_reader x, y;
    taco_error e;
    bool ok = true;
    memset(&e, 0, sizeof e);
    if (!mine || !theirs) { return false; }
    for (i = 0; i < a->field_count; i++) {
        size_t k = taco__check_meta_find_column(b, a->fields[i].name, i);
        if (k != SIZE_MAX && strncmp(a->fields[i].name, "internal:", 9) != 0 &&
            taco__unify_same_type(&a->fields[i], &b->fields[k])) {
            mine[n] = i;
            theirs[n++] = k;
        }
    }
    if (!taco__row_reader_open(&x, a, mine, n, t->mem, err)) { return false; }
    if (!taco__row_reader_open(&y, b, theirs, n, t->mem, err)) {
        taco__row_reader_close(&x);
        return false;
    }
    for (i = 0; ok && i < d->n && !t->f->stop; i += TACO__CHECK_TREE_BATCH) {
        size_t m = TACO__MIN(d->n - i, (size_t)TACO__CHECK_TREE_BATCH);
        ok = (d->a_rows ? taco__row_reader_read(&x, 0, d->a_rows + i, m, &e)
                        : taco__row_reader_read_range(&x, i, m, &e)) &&
             taco__row_reader_read(&y, 0, d->b_rows + i, m, &e) &&
             taco__check_meta_cells(d, &x, &y, m, i, &e);
    }
    taco__row_reader_close(&x);
    taco__row_reader_close(&y);
    return ok || taco__findings_take_error(t->f, &e) || (*err = e, false);
}

/* Every cell of a __meta__ against the level, with deep. */
static bool taco__check_meta_values(taco__check_meta_folder *d, taco__arena *arena, taco_error *err)
{
    uint32_t *numbers = (uint32_t *)taco__arena_array(arena, d->count + 1, sizeof *numbers, err);
    size_t i;
    taco__check_meta_tables both;
    both.t = d->t;
    both.a = &d->m.table;
    both.b = &d->below->l->table;
    both.other = d->below->l->name;
    both.a_rows = NULL;
    both.b_rows = numbers;
    both.n = TACO__MIN((size_t)d->m.table.rows, d->count);
    for (i = 0; numbers && i < both.n; i++) {
        numbers[i] = (uint32_t)d->kids[i];
    }
    return numbers && taco__check_meta_columns(&both, arena, err);
}

/* All checks of one open __meta__. */
static bool taco__check_meta_run(taco__check_meta_folder *d, taco__arena *arena, taco_error *err)
{
    taco__check_tree_state *t = d->t;
    taco_error e;
    memset(&e, 0, sizeof e);
    if (t->f->how->deep && d->m.table.pq && !taco__check_level_parquet(t->f, &d->m.pq, err)) {
        return false;
    }
    if (!taco__container_check_unique_names(t->s, &d->m.table, &e)) {
        return taco__findings_take_error(t->f, &e) || (*err = e, false);
    }
    if (d->m.table.rows == 0) {
        TACO__FINDINGS_ERROR(t->f, "a FOLDER without children: the table has no rows");
    }
    if (!d->below && d->level + 1 >= t->count) {
        TACO__FINDINGS_ERROR(t->f, "a FOLDER on the deepest level: no level lists its %u children",
                             d->m.table.rows);
    }
    if (d->below && d->m.table.rows != d->count) {
        TACO__FINDINGS_ERROR(t->f,
                             "__meta__ has %u rows, %s has %u for this folder: rows are missing",
                             d->m.table.rows, d->below->l->name, TACO__U(d->count));
    }
    if (!taco__check_meta_children(d, err)) { return false; }
    if (d->below) { taco__check_meta_schema(d); }
    return !d->below || !t->f->how->deep || taco__check_meta_values(d, arena, err);
}

/* The __meta__ of one FOLDER, at the place its path gives. */
static bool taco__check_meta_row(taco__check_tree_state *t, uint32_t level, size_t row,
                                 taco_error *err)
{
    taco__check_tree_level *v = &t->levels[level];
    taco__check_meta_folder d;
    taco__nav_node node;
    taco__arena arena;
    taco_error e;
    taco_bytes path = taco__check_tree_path(t, level, row);
    bool ok;
    memset(&d, 0, sizeof d);
    memset(&node, 0, sizeof node);
    memset(&e, 0, sizeof e);
    arena.mem = t->mem;
    arena.head = NULL;
    d.t = t;
    d.level = level;
    d.row = row;
    if (v->first) {
        d.below = &t->levels[level + 1];
        d.count = taco__check_tree_children(t, level, row, &d.kids);
    }
    node.store = t->s;
    node.folder = true;
    if (t->s->kind == TACO_KIND_ZIP) {
        taco__check_zip_entry *entry =
            t->zip && t->zip->known
                ? taco__check_zip_find(
                      t->zip, taco__findings_hash_path(v->path[row], taco__bytes_text("/__meta__")))
                : NULL;
        node.has_range = (entry && entry->placed) || (v->offset && v->offset[row] >= 0);
        if (!node.has_range) { return true; }
        node.offset = entry && entry->placed ? (int64_t)entry->data : v->offset[row];
        node.size = entry && entry->placed ? (int64_t)entry->size : v->size[row];
    } else {
        if (taco__vsi_check_path(path, false, "path", &e) != TACO_OK) {
            return true; /* check_level.c has reported it */
        }
        node.path = taco__arena_text(&arena, path, err);
        if (!node.path) { return false; }
    }
    taco__check_meta_set_place(&d);
    ok = taco__local_meta_open(&node, &arena, &d.m, &e)
             ? taco__check_meta_run(&d, &arena, err)
             : taco__findings_take_error(t->f, &e) || (*err = e, false);
    taco__local_meta_close(&d.m);
    taco__arena_free(&arena);
    return ok;
}

/* The __meta__ of every FOLDER of a level. */
TACO__FN bool taco__check_meta_level(taco__check_tree_state *t, uint32_t level, taco_error *err)
{
    taco__check_tree_level *v = &t->levels[level];
    size_t row;
    for (row = 0; v->l && row < v->rows && !t->f->stop; row++) {
        if (v->folder[row] == 1 && !taco__check_meta_row(t, level, row, err)) { return false; }
    }
    taco__findings_end_table(t->f, "__meta__");
    return true;
}
