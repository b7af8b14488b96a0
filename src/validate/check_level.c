/* check_level.c - METADATA/levelN.parquet: columns, every row, ids, ranges, paths, parents

   In: a level of an open container, the level above it, and the entries of the archive's
   directory; out: problems under the place "levelN: row M", and the level in memory
   (taco__check_tree_level) for the files that compare levels with each other. TACO 2.0 §5.6.1
   (ids), §6.2 (tables), §6.3 (offsets), §7.1.2 (names), §7.2.3 (columns of the format).

   taco__check_level_run reads a table once. It checks the columns first (a missing one is
   reported once, and its role becomes TACO__NONE), then each row with taco__check_level_row,
   which calls one function per subject: type and path, id, numbers, range, path, entry or local
   header or file. With deep every Parquet page is verified. Uniqueness of ids is checked last,
   with the sorted hashes of all paths. */
#include "validate.h"
#include "../base/base.h"
#include "../parquet_inspect/inspect.h"
#include "../dataset/dataset.h"

/* Sets the place to the current row, t->row of t->level. */
TACO__FN void taco__check_level_set_place(taco__check_tree_state *t)
{
    taco__findings_set_place(t->f, "%s: row %u", t->levels[t->level].l->name, TACO__U(t->row));
}

#define TACO__CHECK_LEVEL_WARN(t, ...)                                                             \
    do {                                                                                           \
        taco__check_level_set_place(t);                                                            \
        TACO__FINDINGS_WARN((t)->f, __VA_ARGS__);                                                  \
    } while (0)

/* ---- columns ---- */

/* True if a column exists and has the right type (text, or integers). Otherwise a problem: an error
   if `error` is set, and always if the type is wrong. */
TACO__FN bool taco__check_level_column(taco__findings *f, const taco__table *table, size_t column,
                                       const char *name, bool text, bool error)
{
    if (column == TACO__NONE) {
        TACO__FINDINGS_REPORT(f, error, "there is no column %s", name);
        return false;
    }
    if (text ? table->fields[column].type != TACO_TEXT
             : !taco__join_is_integer(table->fields[column].type)) {
        TACO__FINDINGS_ERROR(f, "column %s must be of %s (type)", name, text ? "text" : "integers");
        return false;
    }
    return true;
}

/* Names of the user's columns: the reference accepts only this form (§7.1.2). */
static void taco__check_level_column_names(taco__findings *f, const taco__table *table)
{
    size_t i;
    for (i = 0; i < table->field_count; i++) {
        taco_bytes name = taco__bytes_text(table->fields[i].name);
        taco_error e;
        memset(&e, 0, sizeof e);
        if (!taco__rules_is_format_column(name) &&
            taco__rules_check_column_name(name, &e) != TACO_OK) {
            taco__findings_add(f, false, "column name", &e);
        }
    }
}

/* The columns that every level must have (§7.2.3). A role whose column is missing or has the wrong
   type becomes TACO__NONE, so that rows are not checked for it. */
static void taco__check_level_columns(taco__check_tree_state *t, uint32_t level)
{
    taco__level *l = t->levels[level].l;
    taco__column_roles *r = &l->role;
    bool archive = t->s->kind != TACO_KIND_FOLDER;
    taco__findings_set_place(t->f, "%s", l->name);
    r->id = taco__check_level_column(t->f, &l->table, r->id, "id", true, true) ? r->id : TACO__NONE;
    r->type = taco__check_level_column(t->f, &l->table, r->type, "type", true, true) ? r->type
                                                                                     : TACO__NONE;
    if (!taco__check_level_column(t->f, &l->table, r->parent, "internal:parent_id", false,
                                  level > 0)) {
        r->parent = TACO__NONE;
    }
    if (!taco__check_level_column(t->f, &l->table, r->current, "internal:current_id", false,
                                  false)) {
        r->current = TACO__NONE;
    }
    if (archive) {
        if (!taco__check_level_column(t->f, &l->table, r->offset, "internal:offset", false, true)) {
            r->offset = TACO__NONE;
        }
        if (!taco__check_level_column(t->f, &l->table, r->size, "internal:size", false, true)) {
            r->size = TACO__NONE;
        }
    }
    if ((level || r->relative != TACO__NONE) &&
        !taco__check_level_column(t->f, &l->table, r->relative, "internal:relative_path", true,
                                  !archive)) {
        r->relative = TACO__NONE;
    }
    if (t->s->kind == TACO_KIND_TACOCAT &&
        !taco__check_level_column(t->f, &l->table, r->source, "internal:source_file", true, true)) {
        r->source = TACO__NONE;
    }
    taco__check_level_column_names(t->f, &l->table);
    if (l->table.rows == 0) { TACO__FINDINGS_ERROR(t->f, "the table is empty, it has no rows"); }
}

/* ---- one row ---- */

/* Allowed (§5.6.1), but a list of paths with it may be read as other paths. */
static bool taco__check_level_has_control(taco_bytes id)
{
    size_t i;
    for (i = 0; i < id.len && id.data[i] >= 0x20 && id.data[i] != 0x7F; i++) {}
    return i < id.len;
}

/* The rules for ids (§5.6.1), in a level or a __meta__; the place is set. */
TACO__FN void taco__check_level_id(taco__findings *f, taco_bytes id, bool valid)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    if (!valid) {
        TACO__FINDINGS_ERROR(f, "id is null");
    } else if (taco__rules_check_id(id, &e) != TACO_OK ||
               taco__rules_check_file_name(id, &e) != TACO_OK) {
        taco__findings_add(f, true, "id", &e);
    } else if (taco__check_level_has_control(id)) {
        TACO__FAIL(&e, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "id %q has a control character, which can end a line in what prints it", &id);
        taco__findings_add(f, false, "control", &e);
    }
}

/* Positions of the columns among those being read; TACO__NONE for missing ones. */
typedef struct taco__check_level_set_place {
    size_t id, type, parent, current, offset, size, relative, source;
} taco__check_level_positions;

/* Adds a column to those to read; returns its position among them, TACO__NONE for a missing one. */
static size_t taco__check_level_pick_column(size_t column, size_t *which, size_t *n)
{
    if (column == TACO__NONE) { return TACO__NONE; }
    which[*n] = column;
    return (*n)++;
}

/* True if the column is being read and is not null in row i. */
static bool taco__check_level_has_value(const taco_array *a, size_t at, size_t i)
{
    return at != TACO__NONE && taco_array_valid(&a[at], i);
}

/* Index of the archive that a row of a catalogue names, in order of first occurrence; UINT32_MAX
   with *err set if out of memory. A name that leads out of the directory is a problem, but gets an
   index too. */
static uint32_t taco__check_level_source(taco__check_tree_state *t, taco_bytes name, bool valid,
                                         taco_error *err)
{
    taco_error e;
    size_t n;
    memset(&e, 0, sizeof e);
    if (!valid) {
        TACO__CHECK_LEVEL_ERROR(t, "internal:source_file is null");
    } else if (taco__vsi_check_name(name, "internal:source_file", &e) != TACO_OK) {
        taco__check_level_set_place(t);
        taco__findings_add(t->f, true, "internal:source_file", &e);
    }
    n = taco__join_find_archive(&t->sources, name, true, err);
    return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

/* internal:offset and internal:size: both present, not negative, inside the archive. If they are
   unusable, v->offset of the row is set to -1. */
static void taco__check_level_range(taco__check_tree_state *t, const taco_array *a,
                                    const taco__check_level_positions *at, size_t i)
{
    taco__check_tree_level *v = &t->levels[t->level];
    int64_t offset, size;
    if (!v->offset) { return; }
    v->offset[t->row] = v->size[t->row] = -1;
    if (!taco__check_level_has_value(a, at->offset, i) ||
        !taco__check_level_has_value(a, at->size, i)) {
        TACO__CHECK_LEVEL_ERROR(t, "internal:offset or internal:size is null");
        return;
    }
    offset = taco_array_int(&a[at->offset], i);
    size = taco_array_int(&a[at->size], i);
    if (offset < 0 || size < 0) {
        TACO__CHECK_LEVEL_ERROR(t, "internal:offset is %d, internal:size %d: negative",
                                TACO__D(offset), TACO__D(size));
        return;
    }
    v->offset[t->row] = offset;
    v->size[t->row] = size;
    if (t->s->kind == TACO_KIND_ZIP &&
        !taco__checked_range((uint64_t)offset, (uint64_t)size, t->s->file.src.size)) {
        TACO__CHECK_LEVEL_ERROR(
            t, "internal:offset %d, internal:size %d: past the end of the file at %u",
            TACO__D(offset), TACO__D(size), t->s->file.src.size);
    }
}

/* The row's entry in the archive's directory: it must exist under the row's path, and its bytes
   must be where the row says. Marks it as listed. */
static void taco__check_level_entry(taco__check_tree_state *t, taco_bytes id)
{
    taco__check_tree_level *v = &t->levels[t->level];
    taco__check_zip_entry *e;
    bool folder = v->folder[t->row] == 1;
    uint64_t hash = v->path[t->row];
    const char *suffix = folder ? "/__meta__" : "";
    if (!t->zip || !t->zip->known || v->folder[t->row] > 1) { return; }
    e = taco__check_zip_find(t->zip, taco__findings_hash_path(hash, taco__bytes_text(suffix)));
    if (!e) {
        taco_bytes path = t->level ? taco__check_tree_path(t, t->level, t->row) : id;
        TACO__CHECK_LEVEL_ERROR(t, "the central directory has no entry DATA/%q%s of this sample",
                                &path, suffix);
        return;
    }
    e->listed = true;
    if (!e->placed || !v->offset || v->offset[t->row] < 0) { return; }
    if ((uint64_t)v->offset[t->row] != e->data || (uint64_t)v->size[t->row] != e->size) {
        taco_bytes name = taco__check_zip_name(t->zip, e);
        TACO__CHECK_LEVEL_ERROR(t,
                                "%u bytes at %u by internal:size and internal:offset, but by its "
                                "local header %q has %u at %u",
                                (uint64_t)v->size[t->row], (uint64_t)v->offset[t->row], &name,
                                e->size, e->data);
    }
}

/* The same if the directory is not readable: a local header with the row's name must end right
   before its bytes. It is 20 bytes longer with a ZIP64 extra field, so both lengths are tried.
   False if the check itself failed. */
static bool taco__check_level_local_header(taco__check_tree_state *t, taco_bytes id,
                                           taco_error *err)
{
    taco__check_tree_level *v = &t->levels[t->level];
    taco_bytes path = t->level ? taco__check_tree_path(t, t->level, t->row) : id;
    const char *suffix = v->folder[t->row] == 1 ? "/__meta__" : "";
    size_t len = TACO__ZIP_LOCAL_BYTES + 5 + path.len + strlen(suffix), tries;
    taco__zip_local_header l;
    taco_error e;
    bool ok = false;
    memset(&e, 0, sizeof e);
    if (!v->offset || v->offset[t->row] < 0 || !path.len || path.len > UINT16_MAX ||
        (t->zip && t->zip->known) || v->folder[t->row] > 1) {
        return true;
    }
    t->text.len = 0;
    if (!taco__buf_append_text(&t->text, "DATA/", err) ||
        !taco__buf_append(&t->text, path.data, path.len, err) ||
        !taco__buf_append_text(&t->text, suffix, err)) {
        return false;
    }
    for (tries = 0; tries < 2 && !ok; tries++) { /* without and with the ZIP64 extra field */
        uint64_t n = len + 20 * tries, at = (uint64_t)v->offset[t->row];
        const uint8_t *p = NULL;
        memset(&e, 0, sizeof e);
        if (at >= n && taco__checked_range(at, 0, t->s->file.src.size)) {
            p = taco__file_view(&t->s->file, at - n, (size_t)n, &t->window, &e);
        }
        ok = p &&
             taco__zip_read_local_header(taco__bytes_of(p, (size_t)n), at - n, &l, &e) == TACO_OK &&
             !l.partial && l.data == at && l.csize == (uint64_t)v->size[t->row] &&
             taco__bytes_equal(l.name, taco__bytes_of(t->text.data, t->text.len));
        if (taco__error_is_of_machine(&e)) {
            *err = e;
            return false;
        }
    }
    if (!ok) {
        TACO__CHECK_LEVEL_ERROR(t, "no local header of DATA/%q%s before the %d bytes at %d", &path,
                                suffix, TACO__D(v->size[t->row]), TACO__D(v->offset[t->row]));
    }
    return true;
}

/* The row's file in a FOLDER dataset (__meta__ for a FOLDER); with deep the whole file is read.
   path is below DATA/, and has been checked not to leave it. */
static bool taco__check_level_file(taco__check_tree_state *t, taco_bytes path, taco_error *err)
{
    taco__check_tree_level *v = &t->levels[t->level];
    bool folder = v->folder[t->row] == 1;
    taco_source src;
    taco_error e;
    bool ok = true;
    memset(&e, 0, sizeof e);
    t->text.len = 0;
    if (!taco__buf_append_text(&t->text, t->s->dir, err) ||
        !taco__buf_append_text(&t->text, "DATA/", err) ||
        !taco__buf_append(&t->text, path.data, path.len, err) ||
        !taco__buf_append(&t->text, "/__meta__", folder ? 10 : 0, err) ||
        !taco__buf_append_char(&t->text, 0, err)) {
        return false;
    }
    if (!taco__source_open_path(t->s->options, (const char *)t->text.data, &src, &e)) {
        TACO__CHECK_LEVEL_ERROR(t, "DATA/%q%s is missing: it does not exist, or cannot be read",
                                &path, folder ? "/__meta__" : "");
        return true;
    }
    if (!folder && t->f->how->deep) {
        taco__file file;
        taco__range all;
        uint32_t crc;
        taco__file_init(&file, &src, "", t->mem);
        all.offset = 0;
        all.len = src.size;
        taco__check_level_set_place(t);
        ok = taco__findings_read_crc(t->f, &file, all, &t->window, &crc, &e) ||
             taco__findings_take_error(t->f, &e);
        t->f->sum->payloads++;
        taco__file_close(&file);
        if (!ok) { *err = e; }
    } else if (src.close) {
        src.close(src.ctx);
    }
    return ok;
}

/* internal:relative_path (§7.2.3): stays inside DATA/, and is the parent's path, a '/' and the
   id. */
static void taco__check_level_relative_path(taco__check_tree_state *t, taco_bytes path, bool valid)
{
    taco__check_tree_level *v = &t->levels[t->level];
    taco_error e;
    memset(&e, 0, sizeof e);
    if (!valid) {
        TACO__CHECK_LEVEL_ERROR(t, "internal:relative_path is null");
        return;
    }
    if (taco__vsi_check_path(path, v->folder[t->row] == 1, "internal:relative_path", &e) !=
        TACO_OK) {
        TACO__CHECK_LEVEL_ERROR(t, "internal:relative_path %q is not a path inside DATA/ ('..')",
                                &path);
        return;
    }
    if (v->folder[t->row] == 1 && path.data[path.len - 1] == '/') { path.len--; }
    if (t->s->kind != TACO_KIND_TACOCAT &&
        taco__findings_hash_path(
            taco__findings_hash_path(TACO__FINDINGS_HASH_SEED, taco__bytes_text("DATA/")), path) !=
            v->path[t->row]) {
        TACO__CHECK_LEVEL_ERROR(
            t, "internal:relative_path %q is not the path of its parent and the id", &path);
    }
}

/* Fills in what other checks compare: type, archive, and the hashes of the path and of id with
   type. A row without a parent is placed below the root of its archive. */
static bool taco__check_level_begin_row(taco__check_tree_state *t, const taco_array *a,
                                        const taco__check_level_positions *at, size_t i,
                                        taco_bytes id, taco_error *err)
{
    taco__check_tree_level *v = &t->levels[t->level];
    const int32_t *parents = t->level ? v->l->parents : NULL;
    bool valid = taco__check_level_has_value(a, at->type, i);
    taco_bytes type = valid ? taco_array_bytes(&a[at->type], i) : taco__bytes_of(NULL, 0);
    int folder = taco__sample_path_parse_type(type);
    uint64_t hash = taco__findings_hash_path(TACO__FINDINGS_HASH_SEED, taco__bytes_text("DATA"));
    v->folder[t->row] = folder < 0 ? 2 : (uint8_t)folder;
    if (folder < 0) {
        if (valid) {
            TACO__CHECK_LEVEL_ERROR(t, "type is %q, must be FILE or FOLDER", &type);
        } else {
            TACO__CHECK_LEVEL_ERROR(t, "type is null, must be FILE or FOLDER");
        }
    }
    if (v->source) {
        bool known = taco__check_level_has_value(a, at->source, i);
        v->source[t->row] = taco__check_level_source(
            t, known ? taco_array_bytes(&a[at->source], i) : taco__bytes_of(NULL, 0), known, err);
        if (v->source[t->row] == UINT32_MAX) { return false; }
        hash += v->source[t->row];
    }
    if (parents && parents[t->row] >= 0) { hash = t->levels[t->level - 1].path[parents[t->row]]; }
    hash = taco__findings_hash_path(hash, taco__bytes_text("/"));
    v->path[t->row] = taco__findings_hash_path(hash, id);
    v->key[t->row] = taco__findings_hash_path(TACO__FINDINGS_HASH_SEED + v->folder[t->row], id);
    return true;
}

/* internal:current_id is the number of the row (any other permutation is accepted with a warning,
   since exports of the reference have them), internal:parent_id that of a FOLDER in the level
   above; at level 0 that of the row itself. `number` is the row's, counted within its archive. */
static void taco__check_level_numbers(taco__check_tree_state *t, const taco_array *a,
                                      const taco__check_level_positions *at, size_t i,
                                      int64_t number)
{
    taco__check_tree_level *v = &t->levels[t->level];
    bool has = taco__check_level_has_value(a, at->parent, i);
    int64_t parent = has ? taco_array_int(&a[at->parent], i) : 0, current;
    if (at->current != TACO__NONE) {
        current = taco_array_int(&a[at->current], i);
        if (!taco_array_valid(&a[at->current], i)) {
            TACO__CHECK_LEVEL_ERROR(t, "internal:current_id is null");
        } else if (v->seen && (current < 0 || (uint64_t)current >= v->rows ||
                               taco__bitmap_get(v->seen, (size_t)current))) {
            TACO__CHECK_LEVEL_ERROR(
                t,
                "internal:current_id is %d, must be a number from 0 to %u that no "
                "other row has",
                TACO__D(current), TACO__U(v->rows - 1));
        } else if (current != number) { /* exports of the reference have them */
            TACO__CHECK_LEVEL_WARN(t, "internal:current_id is %d in row %d", TACO__D(current),
                                   TACO__D(number));
        }
        if (v->seen && current >= 0 && (uint64_t)current < v->rows) {
            taco__bitmap_set(v->seen, (size_t)current);
        }
    }
    if (at->parent == TACO__NONE) { return; }
    if (!has) {
        TACO__CHECK_LEVEL_ERROR(t, "internal:parent_id is null");
    } else if (t->level == 0) {
        if (parent != number) {
            TACO__CHECK_LEVEL_WARN(t,
                                   "internal:parent_id is %d, at level 0 it is the row's own, %d",
                                   TACO__D(parent), TACO__D(number));
        }
    } else if (v->l->parents) {
        int32_t p = v->l->parents[t->row];
        if (p < 0) {
            TACO__CHECK_LEVEL_ERROR(t, "internal:parent_id is %d, which is not a row of %s",
                                    TACO__D(parent), t->levels[t->level - 1].l->name);
        } else if (t->levels[t->level - 1].folder[p] == 0) {
            TACO__CHECK_LEVEL_ERROR(t, "its parent, row %u of %s by internal:parent_id, is a FILE",
                                    TACO__U(p), t->levels[t->level - 1].l->name);
        }
    }
}

/* All checks of one row. False if the check itself failed. */
static bool taco__check_level_row(taco__check_tree_state *t, const taco_array *a,
                                  const taco__check_level_positions *at, size_t i, int64_t number,
                                  taco_error *err)
{
    taco__check_tree_level *v = &t->levels[t->level];
    bool valid = taco__check_level_has_value(a, at->id, i);
    taco_bytes id = valid ? taco_array_bytes(&a[at->id], i) : taco__bytes_of(NULL, 0);
    taco_bytes path = id;
    const int32_t *parents = v->l->parents;
    bool linked = t->level == 0 || (parents && parents[t->row] >= 0);
    taco_error e;
    memset(&e, 0, sizeof e);
    if (!taco__check_level_begin_row(t, a, at, i, id, err)) { return false; }
    if (at->id != TACO__NONE) {
        taco__check_level_set_place(t);
        taco__check_level_id(t->f, id, valid);
    }
    taco__check_level_numbers(t, a, at, i, number);
    taco__check_level_range(t, a, at, i);
    if (at->relative != TACO__NONE && t->level) {
        bool known = taco_array_valid(&a[at->relative], i);
        path = taco_array_bytes(&a[at->relative], i);
        if (!linked) { /* the path of an orphan is the one it states */
            taco_bytes own = path;
            own.len -= own.len > 1 && own.data[own.len - 1] == '/';
            v->path[t->row] = taco__findings_hash_path(
                taco__findings_hash_path(TACO__FINDINGS_HASH_SEED, taco__bytes_text("DATA/")), own);
            linked = known;
        }
        taco__check_level_relative_path(t, path, known);
    }
    if (t->s->kind == TACO_KIND_ZIP && linked) {
        taco__check_level_entry(t, id);
        if (!taco__check_level_local_header(t, id, err)) { return false; }
    }
    if (taco__bytes_starts_with(id, TACO__PADDING_PREFIX) &&
        (v->folder[t->row] || (v->size && v->size[t->row] > 0))) {
        TACO__CHECK_LEVEL_WARN(t, "padding %q is not a FILE of 0 bytes", &id);
    }
    if (t->s->kind == TACO_KIND_FOLDER && v->folder[t->row] < 2 &&
        (t->level == 0 || at->relative != TACO__NONE)) {
        if (path.len > 1 && path.data[path.len - 1] == '/') { path.len--; }
        return taco__vsi_check_path(path, false, "path", &e) != TACO_OK ||
               taco__check_level_file(t, path, err);
    }
    return true;
}

/* ---- one level ---- */

/* Arrays of a level, one cell per row: 41 bytes a row with offsets, in the arena of the dataset. */
static bool taco__check_level_alloc(taco__check_tree_state *t, taco__check_tree_level *v,
                                    taco_error *err)
{
    size_t n = v->rows + 1;
    bool archive = t->s->kind != TACO_KIND_FOLDER && v->l->role.offset != TACO__NONE &&
                   v->l->role.size != TACO__NONE;
    v->path = (uint64_t *)taco__arena_array(t->arena, n, sizeof *v->path, err);
    v->key = (uint64_t *)taco__arena_array(t->arena, n, sizeof *v->key, err);
    v->folder = (uint8_t *)taco__arena_array(t->arena, n, 1, err);
    if (archive) {
        v->offset = (int64_t *)taco__arena_array(t->arena, n, sizeof *v->offset, err);
        v->size = (int64_t *)taco__arena_array(t->arena, n, sizeof *v->size, err);
    }
    if (t->s->kind != TACO_KIND_TACOCAT && v->l->role.current != TACO__NONE) {
        v->seen = (uint8_t *)taco__arena_alloc(t->arena, TACO__BITMAP_BYTES(n), err);
        if (!v->seen) { return false; }
    }
    if (v->l->role.source != TACO__NONE && t->s->kind == TACO_KIND_TACOCAT) {
        v->source = (uint32_t *)taco__arena_array(t->arena, n, sizeof *v->source, err);
        if (!v->source) { return false; }
    }
    return v->path && v->key && v->folder && (!archive || (v->offset && v->size));
}

/* Ascending order of uint64_t. */
static int taco__check_level_compare_hashes(const void *ctx, const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    (void)ctx;
    return (x > y) - (x < y);
}

/* §7.2.3: ids are unique among siblings. Paths consist of the parent's and the id, so equal hashes
   in a level are equal siblings; each duplicate is reported once, at its last row, never at its
   first. */
static bool taco__check_level_unique_paths(taco__check_tree_state *t, taco_error *err)
{
    taco__check_tree_level *v = &t->levels[t->level];
    size_t i, k, bytes = v->rows * sizeof(uint64_t);
    uint64_t *sorted = (uint64_t *)taco__mem_alloc(t->mem, bytes, err);
    if (!sorted) { return false; }
    if (bytes) { memcpy(sorted, v->path, bytes); }
    if (!taco__sort_in(t->mem, sorted, v->rows, sizeof *sorted, taco__check_level_compare_hashes,
                       NULL, err)) {
        taco__mem_free(t->mem, sorted, bytes);
        return false;
    }
    for (i = 1; i < v->rows && !t->f->stop; i++) {
        if (sorted[i] != sorted[i - 1] || (i > 1 && sorted[i] == sorted[i - 2])) { continue; }
        if (!taco__findings_may_report(t->f, true, "duplicate id")) { continue; }
        for (k = v->rows, t->row = 0; k-- > 0;) { /* the last but first of them */
            if (v->path[k] == sorted[i]) { t->row = TACO__MAX(t->row, k); }
        }
        {
            taco_error e;
            taco_bytes id = taco__check_tree_name(t, t->level, t->row, false, NULL);
            memset(&e, 0, sizeof e);
            taco__check_level_set_place(t);
            TACO__FAIL(&e, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "id %q is a duplicate: it must be unique among its siblings", &id);
            taco__findings_report(t->f, true, &e);
        }
    }
    taco__mem_free(t->mem, sorted, bytes);
    return true;
}

/* Number of a row within its archive: in a catalogue each archive starts at 0 again. */
static int64_t taco__check_level_row_number(taco__check_tree_state *t, const taco_array *a,
                                            const taco__check_level_positions *at, size_t i,
                                            taco_error *err)
{
    size_t n;
    if (t->s->kind != TACO_KIND_TACOCAT || at->source == TACO__NONE) { return (int64_t)t->row; }
    n = taco__join_find_archive(&t->sources, taco_array_bytes(&a[at->source], i), true, err);
    return n == SIZE_MAX ? -1 : t->sources.sources[n].count++;
}

/* Reads the columns that have a role, a batch at a time, and checks every row. If the table cannot
   be read completely, v->l becomes NULL, and nothing is compared with it later. */
static bool taco__check_level_rows(taco__check_tree_state *t, taco_error *err)
{
    taco__check_tree_level *v = &t->levels[t->level];
    taco__column_roles *r = &v->l->role;
    taco__check_level_positions at;
    taco__row_reader rows;
    taco_error e;
    size_t which[8], n = 0, i, m;
    memset(&e, 0, sizeof e);
    at.id = taco__check_level_pick_column(r->id, which, &n);
    at.type = taco__check_level_pick_column(r->type, which, &n);
    at.parent = taco__check_level_pick_column(r->parent, which, &n);
    at.current = taco__check_level_pick_column(r->current, which, &n);
    at.offset = taco__check_level_pick_column(r->offset, which, &n);
    at.size = taco__check_level_pick_column(r->size, which, &n);
    at.relative = taco__check_level_pick_column(r->relative, which, &n);
    at.source = taco__check_level_pick_column(r->source, which, &n);
    for (i = 0; i < t->sources.source_count; i++) {
        t->sources.sources[i].count = 0;
    }
    if (!taco__row_reader_open(&rows, &v->l->table, which, n, t->mem, err)) { return false; }
    for (t->row = 0; t->row < v->rows && !t->f->stop && err->code == TACO_OK;) {
        m = TACO__MIN(v->rows - t->row, (size_t)TACO__CHECK_TREE_BATCH);
        if (!taco__row_reader_read_range(&rows, t->row, m, &e)) { break; }
        for (i = 0; i < m && err->code == TACO_OK; i++, t->row++) {
            int64_t number = taco__check_level_row_number(t, rows.arrays, &at, i, err);
            if (err->code != TACO_OK ||
                !taco__check_level_row(t, rows.arrays, &at, i, number, err)) {
                break;
            }
        }
    }
    taco__row_reader_close(&rows);
    if (e.code != TACO_OK) {
        taco__findings_set_place(t->f, "%s", v->l->name);
        v->l = NULL;
        if (!taco__findings_take_error(t->f, &e)) { *err = e; }
    }
    return err->code == TACO_OK;
}

/* Pages, statistics and page indexes of a table. */
typedef struct taco__check_level_pages {
    taco__findings *f;
} taco__check_level_pages;

/* A problem of a Parquet file, from taco__verify_file. */
static bool taco__check_level_page(void *ctx, bool fault, const taco_error *what)
{
    taco__check_level_pages *p = (taco__check_level_pages *)ctx;
    taco__findings_add(p->f, fault, "page", what);
    return !p->f->stop;
}

/* With deep: every page, statistic and page index of a Parquet file, and its magic. The place is
   set; pq->name is empty meanwhile, since messages would repeat it. */
TACO__FN bool taco__check_level_parquet(taco__findings *f, taco_pq_file *pq, taco_error *err)
{
    taco__check_level_pages p;
    taco_pq_checked sum;
    taco_error e;
    const char *name = pq->name;
    char magic[4];
    p.f = f;
    memset(&sum, 0, sizeof sum);
    memset(&e, 0, sizeof e);
    if (!taco__file_read(pq->part.file, pq->part.base, magic, sizeof magic, &e)) {
        return taco__findings_take_error(f, &e) || (*err = e, false);
    }
    if (memcmp(magic, "PAR1", 4) != 0) {
        TACO__FINDINGS_ERROR(f, "a Parquet file begins with PAR1, this one does not");
    }
    pq->name = ""; /* the place names it */
    taco__verify_file(pq, taco__check_level_page, &p, &sum, &e);
    pq->name = name;
    if (taco__error_is_of_machine(&e)) {
        *err = e;
        return false;
    }
    return true;
}

/* Checks one level; those above it have been checked. If it cannot be read, that is reported and
   v->l stays NULL. */
TACO__FN bool taco__check_level_run(taco__check_tree_state *t, uint32_t level, taco_error *err)
{
    taco__check_tree_level *v = &t->levels[level];
    taco_error e;
    memset(&e, 0, sizeof e);
    t->level = level;
    taco__findings_set_place(t->f, "METADATA/level%u", TACO__U(level));
    v->l = taco__container_level(t->s, level, &e);
    if (!v->l) { return taco__findings_take_error(t->f, &e) || (*err = e, false); }
    v->rows = (size_t)v->l->table.rows;
    t->f->sum->rows += v->rows;
    taco__check_level_columns(t, level);
    if (level && t->levels[level - 1].l && v->l->role.parent != TACO__NONE &&
        !taco__join_make_parents(t->s, level, &e)) {
        taco__findings_set_place(t->f, "%s", v->l->name);
        if (!taco__findings_take_error(t->f, &e)) {
            *err = e;
            return false;
        }
    }
    if (!taco__check_level_alloc(t, v, err) || !taco__check_level_rows(t, err)) { return false; }
    if (v->l && t->f->how->deep && v->l->table.pq) {
        taco__findings_set_place(t->f, "%s", v->l->name);
        if (!taco__check_level_parquet(t->f, &v->l->pq, err)) { return false; }
    }
    if (v->l && v->l->role.id != TACO__NONE && (level == 0 || v->l->parents) &&
        !taco__check_level_unique_paths(t, err)) {
        return false;
    }
    taco__findings_end_table(t->f, v->l ? v->l->name : "METADATA");
    return true;
}
