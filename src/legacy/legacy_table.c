/* legacy_table.c - Tortilla and TACO 0.x as datasets: collection, levels, children, filters.. Spec:
   Tortilla 0.5.0, TACO 0.2.0 */
#include "legacy.h"
#include "../base/base.h"
#include "../parquet/parquet.h"
#include "../dataset/dataset.h"

/* ---- columns
   ------------------------------------------------------------------------------------- */

/* The columns of all footers in the order in which they are first met. */
TACO__FN bool taco__legacy_table_unify_columns(taco__legacy_table *m, taco__arena *scratch)
{
    size_t i, c, k, n = 0, cap = 64;
    taco_field *list = (taco_field *)taco__arena_array(scratch, cap, sizeof *list, m->err);
    for (i = 0; list && i < m->count; i++) {
        const taco__table *t = &m->runs[i].t->t;
        if (i && m->runs[i - 1].t == m->runs[i].t) { continue; }
        for (c = 0; c < t->field_count; c++) {
            for (k = 0; k < n && strcmp(list[k].name, t->fields[c].name) != 0; k++) {}
            if (k < n) {
                if (!taco__concat_unify_field(scratch, &list[k], &t->fields[c], 0, m->err)) {
                    return false;
                }
                continue;
            }
            if (n == cap) {
                taco_field *more =
                    (taco_field *)taco__arena_array(scratch, cap * 2, sizeof *list, m->err);
                if (!more) { return false; }
                memcpy(more, list, cap * sizeof *list);
                list = more;
                cap *= 2;
            }
            list[n] = t->fields[c];
            list[n++].nullable = true;
        }
    }
    m->fields =
        list ? (taco_field *)taco__arena_array(m->arena, n + 12, sizeof *list, m->err) : NULL;
    m->arrays = m->fields
                    ? (taco_array *)taco__arena_array(m->arena, n + 12, sizeof *m->arrays, m->err)
                    : NULL;
    for (i = 0; m->arrays && i < n; i++) {
        if (!taco__concat_copy_field(m->arena, &list[i], &m->fields[i], m->err)) { return false; }
    }
    m->n = m->stored = n;
    return m->arrays != NULL;
}

TACO__FN bool taco__legacy_table_copy_columns(taco__legacy_table *m, taco__arena *scratch)
{
    taco__concat_slice *p =
        (taco__concat_slice *)taco__arena_array(scratch, m->count + 1, sizeof *p, m->err);
    size_t c, i, at = TACO__NONE;
    for (c = 0; p && c < m->stored; c++) {
        for (i = 0; i < m->count; i++) {
            const taco__legacy_run *r = &m->runs[i];
            if (!i || m->runs[i - 1].t != r->t) {
                at = taco__table_find_column(&r->t->t, m->fields[c].name);
            }
            p[i].a = at == TACO__NONE ? NULL : &r->t->t.arrays[at];
            p[i].first = r->first;
            p[i].n = r->n;
        }
        if (!taco__concat_arrays(m->arena, &m->fields[c], p, m->count, &m->arrays[c], m->err)) {
            taco__error_prefix(m->err, "column %s", m->fields[c].name);
            return false;
        }
    }
    return p != NULL;
}

static bool taco__legacy_table_has_column(const taco__legacy_table *m, const char *name)
{
    return taco__cursor_column_find_field(m->fields, m->stored, name) != TACO__NONE;
}

/* Adds a column that we make. */
static taco_array *taco__legacy_table_add_column(taco__legacy_table *m, const char *name,
                                                 taco_type type)
{
    taco_field *f = &m->fields[m->n];
    taco_array *a = &m->arrays[m->n++];
    memset(f, 0, sizeof *f);
    memset(a, 0, sizeof *a);
    f->name = name;
    f->type = type;
    f->width = type == TACO_INT64 ? 8 : 0;
    a->field = f;
    a->length = m->rows;
    return a;
}

typedef enum taco__legacy_text_column {
    TACO__LEGACY_TYPE,
    TACO__LEGACY_SUBFILE,
    TACO__LEGACY_DRIVER,
    TACO__LEGACY_SOURCE,
    TACO__LEGACY_PATH
} taco__legacy_text_column;

/* One cell of a column of text; *null where it has none. */
static bool taco__legacy_table_format_cell(const taco__legacy_table *m,
                                           taco__legacy_text_column what, const taco__legacy_run *r,
                                           size_t i, const taco__legacy_level *above,
                                           taco__buf *out, bool *null)
{
    const taco__tortilla_table *t = r->t;
    taco_bytes b;
    switch (what) {
    case TACO__LEGACY_TYPE:
        return taco__buf_append_text(out, taco__tortilla_is_nested(t, i) ? "FOLDER" : "FILE",
                                     m->err);
    case TACO__LEGACY_DRIVER:
        *null = t->driver == NULL;
        return *null || taco__buf_append_text(out, t->driver, m->err);
    case TACO__LEGACY_SOURCE:
        return taco__buf_append_text(out, m->own->files[t->file].path, m->err);
    case TACO__LEGACY_PATH:
        b = taco_array_bytes(above->path, (size_t)r->parent);
        if (!taco__buf_append(out, b.data, b.len, m->err) ||
            !taco__buf_append_char(out, '/', m->err)) {
            return false;
        }
        b = taco_array_bytes(&t->t.arrays[t->id], i);
        return taco__buf_append(out, b.data, b.len, m->err);
    default:
        return taco__vsi_append_subfile(out, (uint64_t)taco_array_int(&t->t.arrays[t->offset], i),
                                        (uint64_t)taco_array_int(&t->t.arrays[t->length], i),
                                        taco__bytes_text(m->own->files[t->file].vsi),
                                        taco__bytes_of(NULL, 0), m->err);
    }
}

static bool taco__legacy_table_add_text(taco__legacy_table *m, const char *name,
                                        taco__legacy_text_column what,
                                        const taco__legacy_level *above)
{
    taco_array *a = taco__legacy_table_add_column(m, name, TACO_TEXT);
    int32_t *offsets = (int32_t *)taco__arena_array(m->arena, m->rows + 1, sizeof *offsets, m->err);
    uint8_t *bits = (uint8_t *)taco__arena_alloc(m->arena, TACO__BITMAP_BYTES(m->rows) + 8, m->err);
    taco__buf b;
    size_t i, k, row = 0;
    bool ok = offsets && bits;
    memset(&b, 0, sizeof b);
    b.mem = m->s->mem;
    for (i = 0; ok && i < m->count; i++) {
        for (k = 0; ok && k < m->runs[i].n; k++, row++) {
            bool null = false;
            ok = taco__legacy_table_format_cell(m, what, &m->runs[i], m->runs[i].first + k, above,
                                                &b, &null);
            if (ok && b.len > INT32_MAX) {
                TACO__FAIL(m->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                           "more than %u bytes of text in column %s", TACO__U(INT32_MAX), name);
                ok = false;
            }
            if (ok) {
                offsets[row + 1] = (int32_t)b.len;
                a->null_count += null;
                if (!null) { taco__bitmap_set(bits, row); }
            }
        }
    }
    a->field = &m->fields[m->n - 1];
    a->offsets = offsets;
    a->validity = a->null_count ? bits : NULL;
    if (ok) {
        uint8_t *p = (uint8_t *)taco__arena_alloc(m->arena, b.len + TACO__PAD, m->err);
        ok = p != NULL;
        if (ok && b.len) { memcpy(p, b.data, b.len); }
        a->v.any = p;
    }
    ((taco_field *)a->field)->nullable = a->null_count != 0;
    taco__buf_free(&b);
    return ok;
}

/* Columns of row numbers. */
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

/* A column that is another one under the name that TACO 2 has for it. */
static bool taco__legacy_table_add_alias(taco__legacy_table *m, const char *name,
                                         const char *stored)
{
    size_t i;
    for (i = 0; i < m->stored && strcmp(m->fields[i].name, stored) != 0; i++) {}
    if (i == m->stored) { return true; /* of no footer at all */ }
    m->fields[m->n] = m->fields[i];
    m->fields[m->n].name = name;
    m->arrays[m->n] = m->arrays[i];
    m->arrays[m->n].field = &m->fields[m->n];
    m->n++;
    return true;
}

/* Offsets and lengths are INT64 whatever the footers have. */
static bool taco__legacy_table_add_ranges(taco__legacy_table *m)
{
    int64_t *size = (int64_t *)taco__arena_array(m->arena, m->rows + 8, sizeof *size, m->err);
    size_t i, k, at = 0;
    if (!size) { return false; }
    for (i = 0; i < m->count; i++) {
        for (k = 0; k < m->runs[i].n; k++) {
            size[at++] =
                taco_array_int(&m->runs[i].t->t.arrays[m->runs[i].t->length], m->runs[i].first + k);
        }
    }
    taco__legacy_table_add_alias(m, "internal:offset", "tortilla:offset");
    taco__legacy_table_add_column(m, "internal:size", TACO_INT64)->v.i64 = size;
    return true;
}

/* Makes the table of `count` runs: what is stored, and what levels and navigation go by. above is
   the level of the parents, NULL for level 0 and where no paths are wanted. */
TACO__FN bool taco__legacy_table_build(taco__container *s, taco__legacy *own, taco__arena *arena,
                                       const taco__legacy_run *runs, size_t count, bool top,
                                       const taco__legacy_level *above, taco__table *out,
                                       taco_error *err)
{
    taco__legacy_table m;
    taco__arena scratch;
    size_t i;
    bool ok, driver = false;
    memset(&m, 0, sizeof m);
    scratch.mem = s->mem;
    scratch.head = NULL;
    m.s = s;
    m.own = own;
    m.arena = arena;
    m.runs = runs;
    m.count = count;
    m.err = err;
    for (i = 0; i < count; i++) {
        m.rows += runs[i].n;
        driver = driver || runs[i].t->driver;
    }
    if (m.rows > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u rows in a level, at most %u are read",
                   TACO__U(m.rows), TACO__U(INT32_MAX));
        return false;
    }
    ok = taco__legacy_table_unify_columns(&m, &scratch) &&
         taco__legacy_table_copy_columns(&m, &scratch) &&
         taco__legacy_table_add_alias(
             &m, taco__legacy_table_has_column(&m, "id") ? "internal:id" : "id", "tortilla:id") &&
         taco__legacy_table_add_text(
             &m, taco__legacy_table_has_column(&m, "type") ? "internal:type" : "type",
             TACO__LEGACY_TYPE, NULL) &&
         (!driver || taco__legacy_table_has_column(&m, "internal:file_format") ||
          taco__legacy_table_add_text(&m, "internal:file_format", TACO__LEGACY_DRIVER, NULL)) &&
         taco__legacy_table_add_text(&m, "internal:subfile", TACO__LEGACY_SUBFILE, NULL) &&
         taco__legacy_table_add_ranges(&m) && taco__legacy_table_add_row_numbers(&m, top) &&
         (!above ||
          taco__legacy_table_add_text(&m, "internal:relative_path", TACO__LEGACY_PATH, above)) &&
         (own->file_count == 1 ||
          taco__legacy_table_add_text(&m, "internal:source_file", TACO__LEGACY_SOURCE, NULL));
    taco__arena_free(&scratch);
    memset(out, 0, sizeof *out);
    out->fields = m.fields;
    out->arrays = m.arrays;
    out->field_count = out->stored = m.n;
    out->rows = m.rows;
    return ok;
}
