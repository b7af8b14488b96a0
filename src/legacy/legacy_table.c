/* legacy_table.c - one table of the rows of several footers, with the columns that navigation needs

   In: runs of rows of footers; out: a taco__table: the columns of all footers in order of first
   occurrence, null for footers without the column, then those that TACO 2 has and old files do
   not: id and type (internal:id and internal:type if a footer has columns of these names),
   internal:subfile, internal:offset and internal:size, row numbers, and if needed the key of a
   row and its file. Paths are made once here, not when they are read.

   Start reading at taco__legacy_table_build. */
#include "legacy.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../dataset/dataset.h"

#define TACO__LEGACY_TABLE_MADE 12 /* most computed columns */

/* ---- stored columns ---- */

/* The fields of all footers, in a growing list. */
typedef struct taco__legacy_table_fields {
    taco_field *list;
    size_t n, cap;
    taco__hash_map names; /* their indexes */
} taco__legacy_table_fields;

/* Appends a field. All are nullable: rows of a footer without the column are null. */
static bool taco__legacy_table_add_field(taco__legacy_table_fields *u, const taco_field *f,
                                         taco__arena *scratch, taco_error *err)
{
    if (u->n == u->cap) {
        size_t cap = u->cap ? u->cap * 2 : 64;
        taco_field *more = (taco_field *)taco__arena_array(scratch, cap, sizeof *more, err);
        if (!more) { return false; }
        if (u->n) { memcpy(more, u->list, u->n * sizeof *more); }
        u->list = more;
        u->cap = cap;
    }
    u->list[u->n] = *f;
    u->list[u->n++].nullable = true;
    return true;
}

/* Adds the columns of one footer, or unifies them with existing ones of the same name. */
static bool taco__legacy_table_unify(taco__legacy_table_fields *u, const taco__table *t,
                                     taco__arena *scratch, taco_error *err)
{
    size_t c;
    for (c = 0; c < t->field_count; c++) {
        bool added;
        taco__hash_slot *s =
            taco__hash_map_add(&u->names, taco__bytes_text(t->fields[c].name), &added, err);
        if (!s) { return false; }
        if (added) { s->value = u->n; }
        if (added ? !taco__legacy_table_add_field(u, &t->fields[c], scratch, err)
                  : !taco__concat_unify_field(scratch, &u->list[s->value], &t->fields[c], 0, err)) {
            return false;
        }
    }
    return true;
}

/* Adds the columns of all footers. */
static bool taco__legacy_table_unify_runs(const taco__legacy_table *m, taco__legacy_table_fields *u,
                                          taco__arena *scratch)
{
    size_t i;
    for (i = 0; i < m->count; i++) {
        if (i && m->runs[i - 1].t == m->runs[i].t) { continue; }
        if (!taco__legacy_table_unify(u, &m->runs[i].t->t, scratch, m->err)) { return false; }
    }
    return true;
}

TACO__FN bool taco__legacy_table_unify_columns(taco__legacy_table *m, taco__arena *scratch)
{
    taco__legacy_table_fields u;
    size_t i;
    bool ok;
    memset(&u, 0, sizeof u);
    u.names.mem = scratch->mem;
    ok = taco__legacy_table_unify_runs(m, &u, scratch);
    taco__hash_map_free(&u.names);
    if (!ok) { return false; }
    m->fields = (taco_field *)taco__arena_array(m->arena, u.n + TACO__LEGACY_TABLE_MADE,
                                                sizeof *m->fields, m->err);
    m->arrays = (taco_array *)taco__arena_array(m->arena, u.n + TACO__LEGACY_TABLE_MADE,
                                                sizeof *m->arrays, m->err);
    if (!m->fields || !m->arrays) { return false; }
    for (i = 0; i < u.n; i++) {
        if (!taco__field_copy(m->arena, &u.list[i], &m->fields[i], m->err)) { return false; }
    }
    m->n = m->stored = u.n;
    return true;
}

/* Makes the slices of one column, without an array if a footer lacks it. Runs of one footer are
   adjacent, so its column is looked up once. */
static void taco__legacy_table_slice_column(const taco__legacy_table *m, const char *name,
                                            taco__concat_slice *p)
{
    size_t i, at = TACO__NONE;
    for (i = 0; i < m->count; i++) {
        const taco__legacy_run *r = &m->runs[i];
        if (!i || m->runs[i - 1].t != r->t) { at = taco__tortilla_find_name(r->t, name); }
        p[i].a = at == TACO__NONE ? NULL : &r->t->t.arrays[at];
        p[i].first = r->first;
        p[i].n = r->n;
    }
}

TACO__FN bool taco__legacy_table_copy_columns(taco__legacy_table *m, taco__arena *scratch)
{
    taco__concat_slice *p =
        (taco__concat_slice *)taco__arena_array(scratch, m->count + 1, sizeof *p, m->err);
    size_t c;
    for (c = 0; p && c < m->stored; c++) {
        taco__legacy_table_slice_column(m, m->fields[c].name, p);
        if (!taco__concat_arrays(m->arena, &m->fields[c], p, m->count, &m->arrays[c], m->err)) {
            taco__error_prefix(m->err, "column %s", m->fields[c].name);
            return false;
        }
    }
    return p != NULL;
}

/* True if a footer has a column of that name, which then is not computed. */
static bool taco__legacy_table_has_column(const taco__legacy_table *m, const char *name)
{
    return taco__cursor_column_find_field(m->fields, m->stored, name) != TACO__NONE;
}

/* ---- columns of text ---- */

/* Adds a computed column; the caller fills its array. */
static taco_array *taco__legacy_table_add_column(taco__legacy_table *m, const char *name,
                                                 taco_type type)
{
    taco_field *f = &m->fields[m->n];
    taco_array *a = &m->arrays[m->n++];
    *f = taco__field_make(name, type);
    f->nullable = false;
    memset(a, 0, sizeof *a);
    a->field = f;
    a->length = m->rows;
    return a;
}

/* The kinds of computed text columns. */
typedef enum taco__legacy_text_column {
    TACO__LEGACY_TYPE,    /* FILE or FOLDER */
    TACO__LEGACY_SUBFILE, /* path for GDAL */
    TACO__LEGACY_DRIVER,  /* format of all samples in a file from before 0.3, else null */
    TACO__LEGACY_SOURCE,  /* path of the file */
    TACO__LEGACY_PATH     /* ids from the top, with slashes */
} taco__legacy_text_column;

/* Appends parent/id. */
static bool taco__legacy_table_append_key(const taco__legacy_table *m, const taco__legacy_run *r,
                                          size_t i, const taco__legacy_level *above, taco__buf *out)
{
    taco_bytes parent = taco_array_bytes(above->path, (size_t)r->parent);
    taco_bytes id = taco_array_bytes(&r->t->t.arrays[r->t->id], i);
    return taco__buf_append(out, parent.data, parent.len, m->err) &&
           taco__buf_append_char(out, '/', m->err) &&
           taco__buf_append(out, id.data, id.len, m->err);
}

/* Formats one cell of a text column; *null if it has none. */
static bool taco__legacy_table_format_cell(const taco__legacy_table *m,
                                           taco__legacy_text_column what, const taco__legacy_run *r,
                                           size_t i, const taco__legacy_level *above,
                                           taco__buf *out, bool *null)
{
    const taco__tortilla_table *t = r->t;
    const taco__legacy_file *file = &m->state->files[t->file];
    switch (what) {
    case TACO__LEGACY_TYPE:
        return taco__buf_append_text(out, taco__tortilla_is_nested(t, i) ? "FOLDER" : "FILE",
                                     m->err);
    case TACO__LEGACY_DRIVER:
        *null = t->driver == NULL;
        return *null || taco__buf_append_text(out, t->driver, m->err);
    case TACO__LEGACY_SOURCE: return taco__buf_append_text(out, file->path, m->err);
    case TACO__LEGACY_PATH: return taco__legacy_table_append_key(m, r, i, above, out);
    default:
        return taco__vsi_append_subfile(out, (uint64_t)taco_array_int(&t->t.arrays[t->offset], i),
                                        (uint64_t)taco_array_int(&t->t.arrays[t->length], i),
                                        taco__bytes_text(file->vsi), taco__bytes_of(NULL, 0),
                                        m->err);
    }
}

/* A text column under construction. */
typedef struct taco__legacy_table_text {
    taco__buf bytes;
    int32_t *offsets;
    uint8_t *valid;
    size_t nulls;
} taco__legacy_table_text;

/* Appends the cells of all rows. */
static bool taco__legacy_table_format_column(const taco__legacy_table *m, const char *name,
                                             taco__legacy_text_column what,
                                             const taco__legacy_level *above,
                                             taco__legacy_table_text *x)
{
    size_t i, k, row = 0;
    for (i = 0; i < m->count; i++) {
        const taco__legacy_run *r = &m->runs[i];
        for (k = r->first; k < r->first + r->n; k++) {
            bool null = false;
            if (!taco__legacy_table_format_cell(m, what, r, k, above, &x->bytes, &null)) {
                return false;
            }
            if (x->bytes.len > INT32_MAX) {
                TACO__FAIL(m->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                           "more than %u bytes of text in column %s", TACO__U(INT32_MAX), name);
                return false;
            }
            if (!null) { taco__bitmap_set(x->valid, row); }
            x->nulls += null;
            x->offsets[++row] = (int32_t)x->bytes.len;
        }
    }
    return true;
}

/* Adds a computed text column; `what` says which. Null in rows that have no value. */
static bool taco__legacy_table_add_text(taco__legacy_table *m, const char *name,
                                        taco__legacy_text_column what,
                                        const taco__legacy_level *above)
{
    taco_array *a = taco__legacy_table_add_column(m, name, TACO_TEXT);
    taco__legacy_table_text x;
    uint8_t *bytes;
    bool ok;
    memset(&x, 0, sizeof x);
    x.bytes.mem = m->s->mem;
    x.offsets = (int32_t *)taco__arena_array(m->arena, m->rows + 1, sizeof *x.offsets, m->err);
    x.valid = (uint8_t *)taco__arena_alloc(m->arena, TACO__BITMAP_BYTES(m->rows) + 8, m->err);
    ok = x.offsets && x.valid && taco__legacy_table_format_column(m, name, what, above, &x);
    bytes = ok ? (uint8_t *)taco__arena_alloc(m->arena, x.bytes.len + TACO__PAD, m->err) : NULL;
    if (bytes && x.bytes.len) { memcpy(bytes, x.bytes.data, x.bytes.len); }
    taco__buf_free(&x.bytes);
    a->offsets = x.offsets;
    a->null_count = x.nulls;
    a->validity = x.nulls ? x.valid : NULL;
    a->v.any = bytes;
    m->fields[m->n - 1].nullable = x.nulls != 0;
    return bytes != NULL;
}

/* ---- columns of numbers ---- */

/* Adds internal:current_id and internal:parent_id: the row in its level, and the parent's in the
   level above; rows of level 0 are their own parents, as in TACO 2. */
static bool taco__legacy_table_add_row_numbers(taco__legacy_table *m, bool top)
{
    int64_t *row = (int64_t *)taco__arena_array(m->arena, m->rows + 8, sizeof *row, m->err);
    int64_t *parent = (int64_t *)taco__arena_array(m->arena, m->rows + 8, sizeof *parent, m->err);
    size_t i, k, at = 0;
    if (!row || !parent) { return false; }
    for (i = 0; i < m->count; i++) {
        for (k = 0; k < m->runs[i].n; k++, at++) {
            row[at] = m->runs[i].row + (int64_t)k;
            parent[at] = top ? row[at] : m->runs[i].parent;
        }
    }
    taco__legacy_table_add_column(m, "internal:current_id", TACO_INT64)->v.i64 = row;
    taco__legacy_table_add_column(m, "internal:parent_id", TACO_INT64)->v.i64 = parent;
    return true;
}

/* Adds a stored column again, under its name in TACO 2; nothing if no footer has it. */
static void taco__legacy_table_add_alias(taco__legacy_table *m, const char *name,
                                         const char *stored)
{
    size_t i = taco__cursor_column_find_field(m->fields, m->stored, stored);
    if (i == TACO__NONE) { return; }
    m->fields[m->n] = m->fields[i];
    m->fields[m->n].name = name;
    m->arrays[m->n] = m->arrays[i];
    m->arrays[m->n].field = &m->fields[m->n];
    m->n++;
}

/* Adds internal:offset and internal:size, INT64 whatever the type of the lengths; offsets already
   are INT64. */
static bool taco__legacy_table_add_ranges(taco__legacy_table *m)
{
    int64_t *size = (int64_t *)taco__arena_array(m->arena, m->rows + 8, sizeof *size, m->err);
    size_t i, k, at = 0;
    if (!size) { return false; }
    for (i = 0; i < m->count; i++) {
        const taco__legacy_run *r = &m->runs[i];
        for (k = r->first; k < r->first + r->n; k++) {
            size[at++] = taco_array_int(&r->t->t.arrays[r->t->length], k);
        }
    }
    taco__legacy_table_add_alias(m, "internal:offset", "tortilla:offset");
    taco__legacy_table_add_column(m, "internal:size", TACO_INT64)->v.i64 = size;
    return true;
}

/* ---- the table ---- */

/* Adds the columns that say what a row is. */
static bool taco__legacy_table_add_identity(taco__legacy_table *m, bool driver)
{
    bool id = taco__legacy_table_has_column(m, "id");
    bool type = taco__legacy_table_has_column(m, "type");
    bool format = taco__legacy_table_has_column(m, "internal:file_format");
    taco__legacy_table_add_alias(m, id ? "internal:id" : "id", "tortilla:id");
    return taco__legacy_table_add_text(m, type ? "internal:type" : "type", TACO__LEGACY_TYPE,
                                       NULL) &&
           (!driver || format ||
            taco__legacy_table_add_text(m, "internal:file_format", TACO__LEGACY_DRIVER, NULL));
}

/* Adds the columns that say where a row is. */
static bool taco__legacy_table_add_places(taco__legacy_table *m, bool top,
                                          const taco__legacy_level *above)
{
    return taco__legacy_table_add_text(m, "internal:subfile", TACO__LEGACY_SUBFILE, NULL) &&
           taco__legacy_table_add_ranges(m) && taco__legacy_table_add_row_numbers(m, top) &&
           (!above ||
            taco__legacy_table_add_text(m, "internal:relative_path", TACO__LEGACY_PATH, above)) &&
           (m->state->file_count == 1 ||
            taco__legacy_table_add_text(m, "internal:source_file", TACO__LEGACY_SOURCE, NULL));
}

/* Counts the rows; *driver is set if some come from a file from before 0.3. */
static bool taco__legacy_table_count_rows(taco__legacy_table *m, bool *driver)
{
    size_t i;
    *driver = false;
    for (i = 0; i < m->count; i++) {
        m->rows += m->runs[i].n;
        *driver = *driver || m->runs[i].t->driver;
    }
    if (m->rows > INT32_MAX) {
        TACO__FAIL(m->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%u rows in a level, at most %u are read", TACO__U(m->rows), TACO__U(INT32_MAX));
        return false;
    }
    return true;
}

TACO__FN bool taco__legacy_table_build(taco__container *s, taco__legacy *state, taco__arena *arena,
                                       const taco__legacy_run *runs, size_t count, bool top,
                                       const taco__legacy_level *above, taco__table *out,
                                       taco_error *err)
{
    taco__legacy_table m;
    taco__arena scratch;
    bool ok, driver;
    memset(&m, 0, sizeof m);
    scratch.mem = s->mem;
    scratch.head = NULL;
    m.s = s;
    m.state = state;
    m.arena = arena;
    m.runs = runs;
    m.count = count;
    m.err = err;
    if (!taco__legacy_table_count_rows(&m, &driver)) { return false; }
    ok = taco__legacy_table_unify_columns(&m, &scratch) &&
         taco__legacy_table_copy_columns(&m, &scratch) &&
         taco__legacy_table_add_identity(&m, driver) &&
         taco__legacy_table_add_places(&m, top, above);
    taco__arena_free(&scratch);
    memset(out, 0, sizeof *out);
    out->fields = m.fields;
    out->arrays = m.arrays;
    out->field_count = out->stored = m.n;
    out->rows = m.rows;
    return ok;
}
