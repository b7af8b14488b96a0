/* v3_check_level.c - a table of TACO 3: its columns against the contract, and every row

   In: one level of a container that is being checked. Out: problems. Columns: those that place rows
   with the types of the specification, those of taco:metadata with the declared types and
   nullability, and no others. Rows: current_id is the row number (in catalogues of old writers it
   begins again in every archive), the parent exists and comes in order, the path is that of the
   parent and one name more, which is a folder of the contract or a declared file; files have bytes
   inside of the archive, which its directory has at the same place; folders have none. Samples have
   every declared file once, sequences from 0 on without gaps. Start reading at
   taco__v3_check_level. */
#include "v3.h"
#include "../validate/validate.h"

/* ---- columns ---- */

/* A column that places rows: its type, and whether it may be null. */
static void taco__v3_check_column(taco__v3_check *c, const taco__v3_table *t, const char *name,
                                  size_t at, taco_type type, bool nullable)
{
    taco_field want = taco__field_make(name, type);
    if (at == TACO__NONE) {
        TACO__FINDINGS_ERROR(c->f, "there is no column %s", name);
    } else if (t->t.fields[at].type != type) {
        TACO__FINDINGS_ERROR(c->f, "column %s has type %s, must be %s", name,
                             taco__type_word(t->t.fields[at].type), taco__type_word(want.type));
    } else if (t->t.fields[at].nullable && !nullable) {
        TACO__FINDINGS_ERROR(c->f, "column %s may be null, must not", name);
    }
}

static void taco__v3_check_columns(taco__v3_check *c, const taco__v3_table *t, size_t level)
{
    const bool folder = c->x->s->kind == TACO_KIND_FOLDER;
    taco__v3_check_column(c, t, TACO__CURRENT_ID, t->current, TACO_UINT64, false);
    taco__v3_check_column(c, t, "internal:relative_path", t->path, TACO_TEXT, false);
    if (level) { taco__v3_check_column(c, t, TACO__PARENT_ID, t->parent, TACO_UINT64, false); }
    if (level && !folder) {
        taco__v3_check_column(c, t, "internal:offset", t->offset, TACO_UINT64, true);
        taco__v3_check_column(c, t, "internal:size", t->size, TACO_UINT64, true);
    }
    if (c->x->s->kind == TACO_KIND_TACOCAT) {
        taco__v3_check_column(c, t, TACO__SOURCE_FILE, t->source, TACO_TEXT, false);
    }
    if (!level && t->id != TACO__NONE) {
        taco__v3_check_column(c, t, "id", t->id, TACO_TEXT, false);
    } else if (!level) {
        TACO__FINDINGS_WARN(c->f, "there is no column id, as before 0.9");
    }
}

/* One field of taco:metadata against its column. */
static void taco__v3_check_field(taco__v3_check *c, const taco__v3_table *t, const taco__json *key)
{
    taco_bytes name = taco__json_bytes(key), type;
    const taco__json *nullable = taco__json_get(key + 1, "nullable");
    size_t at = taco__table_find_column(&t->t, key->text);
    const char *declared = taco__json_text(taco__json_get(key + 1, "type"));
    type = taco__bytes_text(declared);
    if (at == TACO__NONE) {
        TACO__FINDINGS_ERROR(c->f, "taco:metadata has %q, the table has no such column", &name);
        return;
    }
    if (!declared || !taco__declared_type_matches(declared, &t->t.fields[at])) {
        TACO__FINDINGS_ERROR(c->f, "column %q is declared as %q, stored as %s", &name, &type,
                             taco__type_word(t->t.fields[at].type));
    }
    if (taco__json_is(nullable, TACO__JSON_FALSE) != !t->t.fields[at].nullable) {
        TACO__FINDINGS_ERROR(c->f, "column %q is declared as %s, stored as %s", &name,
                             t->t.fields[at].nullable ? "not nullable" : "nullable",
                             t->t.fields[at].nullable ? "nullable" : "not nullable");
    }
}

/* taco:metadata against the columns, in both directions; and the level that the file names. */
static void taco__v3_check_contract(taco__v3_check *c, const taco__v3_table *t, size_t level)
{
    const taco__v3_level *l = &c->x->contract.levels[level];
    const taco__json *key;
    taco_bytes own = taco_pq_key_value(&t->pq, "taco:level");
    size_t i;
    for (i = 0, key = taco__json_first(l->fields); i < l->fields->count;
         i++, key = taco__json_next(key + 1)) {
        taco__v3_check_field(c, t, key);
    }
    for (i = 0; i < t->t.field_count; i++) {
        taco_bytes name = taco__bytes_text(t->t.fields[i].name);
        if (i != t->id && !taco__bytes_starts_with(name, "internal:") &&
            !taco__json_get_bytes(l->fields, name)) {
            TACO__FINDINGS_REPORT(c->f, !taco__v3_level_is_reserved(t->t.fields[i].name),
                                  "column %q is not in taco:metadata", &name);
        }
    }
    if (own.data && !taco__bytes_equal(own, taco__bytes_text(l->name))) {
        TACO__FINDINGS_ERROR(c->f, "taco:level is %q, this is the table of level %s", &own,
                             l->name);
    }
}

/* ---- rows ---- */

/* The rows of one table, all columns that place them in memory. */
typedef struct taco__v3_checked {
    taco__v3_check *c;
    taco__v3_table *t;
    size_t level;
    taco__row_reader own, above; /* columns of this table; paths of the parent level */
    const taco_array *current, *path, *offset, *size, *source, *id;
    int32_t *parents;
    uint8_t *mapped;    /* rows that are declared files */
    uint64_t number;    /* of the row in its archive */
    taco_bytes archive; /* of the row before */
    taco__hash_map ids;
} taco__v3_checked;

/* The text of a row; {NULL, 0} if it is null. */
static taco_bytes taco__v3_check_text(const taco_array *a, size_t i)
{
    return a && taco_array_valid(a, i) ? taco_array_bytes(a, i) : taco__bytes_of(NULL, 0);
}

/* current_id, and the number of the row in its archive. */
static void taco__v3_check_current(taco__v3_checked *k, size_t i)
{
    taco_bytes source = taco__v3_check_text(k->source, i);
    uint64_t id = k->current ? (uint64_t)taco_array_int(k->current, i) : i;
    k->number = k->source && taco__bytes_equal(source, k->archive) ? k->number + 1
                : k->source                                        ? 0
                                                                   : i;
    k->archive = source;
    if (id != i && id != k->number) {
        TACO__FINDINGS_ERROR(k->c->f, "internal:current_id is %u, must be the row number", id);
    } else if (id != i) {
        TACO__FINDINGS_WARN(k->c->f, "internal:current_id begins again in an archive, as before "
                                     "0.9");
    }
}

/* The path must be the parent's and one name more, or of a sample its number. */
static void taco__v3_check_row_path(taco__v3_checked *k, size_t i)
{
    taco__findings *f = k->c->f;
    taco_bytes path = taco__v3_check_text(k->path, i), above;
    char digits[24];
    size_t n = taco__num_format_u64(digits, k->number);
    if (!k->level) {
        if (!taco__bytes_equal(path, taco__bytes_of(digits, n))) {
            TACO__FINDINGS_ERROR(
                f, "internal:relative_path is %q, must be the number of the sample", &path);
        }
        return;
    }
    if (k->parents[i] < 0) {
        TACO__FINDINGS_ERROR(f, "internal:parent_id is that of no row of the level above");
        return;
    }
    if (i && k->parents[i] < k->parents[i - 1]) {
        TACO__FINDINGS_ERROR(f, "internal:parent_id is less than in the row before");
    }
    above = taco_array_bytes(&k->above.arrays[0], (size_t)k->parents[i]);
    if (path.len < above.len + 2 || memcmp(path.data, above.data, above.len) != 0 ||
        path.data[above.len] != '/' ||
        memchr(path.data + above.len + 1, '/', path.len - above.len - 1)) {
        TACO__FINDINGS_ERROR(f, "internal:relative_path is %q, that of its parent %q", &path,
                             &above);
    }
}

/* The bytes of a file in an archive: inside of it, and where its directory says. */
static void taco__v3_check_range(taco__v3_checked *k, size_t i, taco_bytes path)
{
    taco__findings *f = k->c->f;
    uint64_t offset = (uint64_t)taco_array_int(k->offset, i),
             size = (uint64_t)taco_array_int(k->size, i);
    taco__check_zip_entry *e;
    if (size == 0) { TACO__FINDINGS_ERROR(f, "internal:size is 0, a file is not empty"); }
    if (k->c->x->s->kind != TACO_KIND_ZIP) { return; }
    if (!taco__checked_range(offset, size, k->c->x->s->file.src.size)) {
        TACO__FINDINGS_ERROR(
            f, "internal:offset %u and internal:size %u are outside of the archive", offset, size);
    }
    if (!k->c->zip.known) { return; }
    e = taco__check_zip_find(
        &k->c->zip,
        taco__findings_hash_path(
            taco__findings_hash_path(TACO__FINDINGS_HASH_SEED, taco__bytes_text("DATA/")), path));
    if (!e) {
        TACO__FINDINGS_ERROR(f, "the archive has no entry DATA/%q", &path);
        return;
    }
    e->listed = true;
    if (e->placed && (e->data != offset || e->size != size)) {
        TACO__FINDINGS_ERROR(f,
                             "internal:offset and internal:size are %u and %u, DATA/%q is at %u "
                             "with %u bytes",
                             offset, size, &path, e->data, e->size);
    }
}

/* The file of a row on disk, which the walk over DATA/ will expect. */
static bool taco__v3_check_on_disk(taco__v3_checked *k, taco_bytes path, taco_error *err)
{
    taco__container *s = k->c->x->s;
    const char *text = taco__arena_text(s->arena, path, err),
               *data = text ? taco__container_join_path(s, "DATA/", text, err) : NULL,
               *full = data ? taco__container_join_path(s, s->dir, data, err) : NULL;
    uint64_t size;
    bool added;
    if (!full || !taco__hash_map_add(&k->c->files, taco__bytes_text(data), &added, err)) {
        return false;
    }
    if (!s->options->open_file && taco__plat_stat(full, &size) != TACO__PATH_FILE) {
        TACO__FINDINGS_ERROR(k->c->f, "there is no file %s", data);
    }
    return true;
}

/* A row is a file or a folder: has it what that has, and only that? */
static bool taco__v3_check_kind(taco__v3_checked *k, size_t i, taco_error *err)
{
    taco__findings *f = k->c->f;
    taco_bytes path = taco__v3_check_text(k->path, i);
    bool placed = k->offset && taco_array_valid(k->offset, i) && taco_array_valid(k->size, i);
    if (taco__bitmap_get(k->mapped, i)) {
        if (k->c->x->s->kind == TACO_KIND_FOLDER) { return taco__v3_check_on_disk(k, path, err); }
        if (placed) {
            taco__v3_check_range(k, i, path);
        } else {
            TACO__FINDINGS_ERROR(f, "internal:offset or internal:size of a file is null");
        }
    } else if (!taco__v3_places_is_folder(k->c->x, path)) {
        TACO__FINDINGS_ERROR(f, "%q is neither a file of taco:structure nor a folder", &path);
    } else if (k->offset && (taco_array_valid(k->offset, i) || taco_array_valid(k->size, i))) {
        TACO__FINDINGS_ERROR(f, "a folder with an internal:offset or internal:size");
    }
    return true;
}

/* Ids of samples: text that is not blank, each once in its archive. */
static bool taco__v3_check_id(taco__v3_checked *k, size_t i, taco_error *err)
{
    taco_bytes id = taco__v3_check_text(k->id, i);
    size_t n = 0;
    bool added = true;
    if (!k->id) { return true; }
    while (n < id.len && (id.data[n] == ' ' || (id.data[n] >= 9 && id.data[n] <= 13))) {
        n++;
    }
    if (n == id.len) {
        TACO__FINDINGS_ERROR(k->c->f, "id is null or blank");
        return true;
    }
    if (!taco__hash_map_add(&k->ids, id, &added, err)) { return false; }
    if (!added) {
        TACO__FINDINGS_REPORT(k->c->f, k->c->x->s->kind != TACO_KIND_TACOCAT, "id %q occurs twice",
                              &id);
    }
    return true;
}

/* Marks the rows of declared files, and reports samples that lack one. */
static bool taco__v3_check_files(taco__v3_checked *k, taco_error *err)
{
    taco__v3_store *x = k->c->x;
    size_t i, s, samples = (size_t)x->tables[0].t.rows;
    uint32_t j;
    for (i = 0; i < x->contract.file_count; i++) {
        const taco__v3_file *file = &x->contract.files[i];
        const taco__v3_rows *r = &x->rows[i];
        if (file->level != k->level) { continue; }
        if (!taco__v3_places_map(x, i, err)) { return false; }
        for (s = 0; s < samples; s++) {
            uint32_t n = file->sequence ? r->start[s + 1] - r->start[s] : r->row[s] >= 0;
            if (file->sequence ? n < file->least || n > file->most : !n) {
                TACO__FINDINGS_ERROR(k->c->f, "sample %u has %u files %s of taco:structure",
                                     TACO__U(s), TACO__U(n), file->path);
            }
            if (!file->sequence && n) { taco__bitmap_set(k->mapped, (size_t)r->row[s]); }
            for (j = file->sequence ? r->start[s] : 0; file->sequence && j < r->start[s + 1]; j++) {
                taco_bytes path = taco__v3_check_text(k->path, (size_t)r->rows[j]);
                size_t at = path.len - file->after.len;
                char digits[24];
                size_t len = taco__num_format_u64(digits, j - r->start[s]);
                taco__bitmap_set(k->mapped, (size_t)r->rows[j]);
                if (at < len || memcmp(path.data + at - len, digits, len) != 0) {
                    TACO__FINDINGS_ERROR(k->c->f, "sample %u: the sequence %s has a gap before %q",
                                         TACO__U(s), file->path, &path);
                }
            }
        }
    }
    return true;
}

/* Opens the columns of a level and the paths above it. */
static bool taco__v3_check_open(taco__v3_checked *k, taco_error *err)
{
    taco__v3_store *x = k->c->x;
    const size_t columns[] = {k->t->current, k->t->path,   k->t->offset,
                              k->t->size,    k->t->source, k->level ? TACO__NONE : k->t->id};
    const taco_array **out[6];
    size_t which[6], i, n = 0, rows = (size_t)k->t->t.rows, up;
    taco__v3_table *above;
    out[0] = &k->current, out[1] = &k->path, out[2] = &k->offset;
    out[3] = &k->size, out[4] = &k->source, out[5] = &k->id;
    for (i = 0; i < 6; i++) {
        if (columns[i] != TACO__NONE) { which[n++] = columns[i]; }
    }
    k->mapped = (uint8_t *)taco__arena_alloc(x->s->arena, TACO__BITMAP_BYTES(rows) + 8, err);
    if (!k->mapped || !taco__row_reader_open(&k->own, &k->t->t, which, n, x->s->mem, err) ||
        !taco__row_reader_read_range(&k->own, 0, rows, err)) {
        return false;
    }
    for (i = n = 0; i < 6; i++) {
        if (columns[i] != TACO__NONE) { *out[i] = &k->own.arrays[n++]; }
    }
    if (!k->level) { return true; }
    up = x->contract.levels[k->level].parent;
    above = taco__v3_level_table(x, up, err);
    k->parents = (int32_t *)taco__arena_array(x->s->arena, rows + 1, sizeof *k->parents, err);
    if (above && above->path == TACO__NONE) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no internal:relative_path");
        return false;
    }
    return above && k->parents && taco__v3_places_parents(x, k->level, k->parents, err) &&
           taco__row_reader_open(&k->above, &above->t, &above->path, 1, x->s->mem, err) &&
           taco__row_reader_read_range(&k->above, 0, (size_t)above->t.rows, err);
}

static bool taco__v3_check_rows(taco__v3_checked *k, taco_error *err)
{
    const char *table = k->c->x->contract.levels[k->level].file;
    size_t i;
    if (!taco__v3_check_open(k, err) || (k->level && !taco__v3_check_files(k, err))) {
        return false;
    }
    for (i = 0; i < k->t->t.rows && !k->c->f->stop; i++) {
        taco__findings_set_place(k->c->f, "%s: row %u", table, TACO__U(i));
        taco__v3_check_current(k, i);
        taco__v3_check_row_path(k, i);
        if (k->level ? !taco__v3_check_kind(k, i, err) : !taco__v3_check_id(k, i, err)) {
            return false;
        }
    }
    taco__findings_end_table(k->c->f, table);
    return true;
}

/* Checks one table. False if the check itself failed. */
TACO__FN bool taco__v3_check_level(taco__v3_check *c, size_t level, taco_error *err)
{
    taco__v3_checked k;
    taco_error e = {0, TACO_OK, 0, {0}};
    bool ok;
    memset(&k, 0, sizeof k);
    k.c = c;
    k.level = level;
    k.ids.mem = c->x->s->mem;
    taco__findings_set_place(c->f, "%s", c->x->contract.levels[level].file);
    k.t = taco__v3_level_table(c->x, level, &e);
    ok = k.t != NULL;
    if (ok) {
        if (!level && !k.t->t.rows) { TACO__FINDINGS_ERROR(c->f, "there are no samples"); }
        taco__v3_check_columns(c, k.t, level);
        taco__v3_check_contract(c, k.t, level);
        ok = c->f->first.code != TACO_OK && k.t->path == TACO__NONE ? true
                                                                    : taco__v3_check_rows(&k, &e);
    }
    taco__row_reader_close(&k.own);
    taco__row_reader_close(&k.above);
    taco__hash_map_free(&k.ids);
    if (!ok && !taco__findings_take_error(c->f, &e)) {
        *err = e;
        return false;
    }
    return true;
}
