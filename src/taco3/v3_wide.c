/* v3_wide.c - level 0, the relation `dataset`: a row for each sample, with the places of its files

   In: the table of samples and the contract. Out: a table with the stored columns and the made
   ones: source_file (catalogues, lists of sources), taco:sample_index, and for each declared file
   FILE::location and a column for each rumi: field of its level, FILE::minimum; those of a sequence
   are lists. Columns are made for the rows that are read (taco__made_columns), from what
   v3_places.c knows. Internal columns are not shown. TACO 3 "Reader relation".

   Start reading at taco__v3_wide_read. */
#include "v3.h"

/* Begins the names of stored columns whose own names readers reserve. */
#define TACO__V3_WIDE_DROPPED '\1'

/* ---- making columns ---- */

/* Reads all rows of a column of a file's level. */
static bool taco__v3_wide_hold(taco__v3_store *x, taco__v3_column *c, taco_error *err)
{
    taco__v3_table *t = taco__v3_level_table(x, x->contract.files[c->file].level, err);
    if (!t || c->is_held) { return t != NULL; }
    if (!taco__row_reader_open(&c->held, &t->t, &c->column, 1, x->s->mem, err)) { return false; }
    c->is_held = true;
    if (taco__row_reader_read_range(&c->held, 0, (size_t)t->t.rows, err)) { return true; }
    taco__row_reader_close(&c->held);
    c->is_held = false;
    return false;
}

/* The samples of earlier containers, which sample_index counts too. */
static bool taco__v3_wide_count_before(taco__v3_store *x, taco_error *err)
{
    size_t i;
    uint64_t n = 0;
    for (i = 0; i < x->index; i++) {
        taco__v3_table *t = taco__v3_level_table(taco__v3_store_of(&x->all->ds->stores[i]), 0, err);
        if (!t) { return false; }
        n += t->t.rows;
    }
    x->first_sample = n;
    return true;
}

/* taco__made_columns.prepare: everything that a column needs of other tables is read here, so that
   tasks only look it up. */
static bool taco__v3_wide_prepare(void *ctx, size_t column, taco_error *err)
{
    taco__v3_store *x = (taco__v3_store *)ctx;
    taco__v3_column *c = &x->columns[column];
    size_t level;
    switch (c->kind) {
    case TACO__V3_SOURCE: return x->source || taco__v3_places_read(x, 0, err);
    case TACO__V3_INDEX: return taco__v3_wide_count_before(x, err);
    case TACO__V3_VALUE:
        return taco__v3_places_map(x, c->file, err) && taco__v3_wide_hold(x, c, err);
    default:
        level = x->contract.files[c->file].level;
        return taco__v3_window_begin(x, level, err) &&
               (x->windows[level].lazy || taco__v3_places_map(x, c->file, err));
    }
}

/* taco__made_columns.load: where rows are not where they should be, all are looked at. */
static bool taco__v3_wide_load(void *ctx, size_t column, uint64_t first, const uint32_t *rows,
                               size_t n, taco_error *err)
{
    taco__v3_store *x = (taco__v3_store *)ctx;
    const taco__v3_column *c = &x->columns[column];
    size_t level = x->contract.files[c->file].level;
    if (c->kind != TACO__V3_LOCATION || x->mapped[level]) { return true; }
    return taco__v3_window_load(x, level, first, rows, n, err) &&
           (x->windows[level].lazy || taco__v3_places_map(x, c->file, err));
}

/* Appends what one row of a file's level says. */
static bool taco__v3_wide_append_cell(const taco__v3_store *x, const taco__v3_column *c, size_t row,
                                      taco__array_builder *out, taco_error *err)
{
    bool none;
    if (c->kind == TACO__V3_VALUE) {
        return taco__array_builder_append_copy(out, &c->held.arrays[0], row, err);
    }
    return taco__v3_places_append(x, x->contract.files[c->file].level, row, &out->values, &none,
                                  err) &&
           taco__array_builder_end_row(out, !none, err);
}

/* The same for a sample: a cell, or a list of them. */
static bool taco__v3_wide_append_file(const taco__v3_store *x, const taco__v3_column *c,
                                      size_t sample, taco__array_builder *out, taco_error *err)
{
    const taco__v3_rows *r = &x->rows[c->file];
    uint32_t i;
    bool none;
    if (c->kind == TACO__V3_LOCATION && !x->mapped[x->contract.files[c->file].level]) {
        return taco__v3_window_append(x, c->file, sample, &out->values, &none, err) &&
               taco__array_builder_end_row(out, !none, err);
    }
    if (!x->contract.files[c->file].sequence) {
        return r->row[sample] < 0
                   ? taco__array_builder_append_null(out, err)
                   : taco__v3_wide_append_cell(x, c, (size_t)r->row[sample], out, err);
    }
    for (i = r->start[sample]; i < r->start[sample + 1]; i++) {
        if (!taco__v3_wide_append_cell(x, c, (size_t)r->rows[i], &out->children[0], err)) {
            return false;
        }
    }
    return taco__array_builder_end_row(out, r->start[sample] < r->start[sample + 1], err);
}

/* taco__made_columns.append: rows of one column. */
static bool taco__v3_wide_append(void *ctx, size_t column, uint64_t first, uint64_t n,
                                 taco__array_builder *out, taco_error *err)
{
    const taco__v3_store *x = (const taco__v3_store *)ctx;
    const taco__v3_column *c = &x->columns[column];
    uint64_t i;
    bool ok = true;
    for (i = first; ok && i < first + n; i++) {
        if (c->kind == TACO__V3_INDEX) {
            ok = taco__array_builder_append_int(out, (int64_t)(x->first_sample + i), err);
        } else if (c->kind == TACO__V3_SOURCE) {
            ok = taco__array_builder_append_bytes(
                out,
                x->source ? taco__bytes_text(x->source)
                          : ((const taco_bytes *)(const void *)
                                 x->sources.data)[x->places[0].source[(size_t)i]],
                err);
        } else {
            ok = taco__v3_wide_append_file(x, c, (size_t)i, out, err);
        }
    }
    return ok;
}

/* ---- which columns there are ---- */

/* Columns of level 0 in the making. */
typedef struct taco__v3_wide {
    taco__v3_store *x;
    taco_field *fields;
    size_t count, *shown, shown_count, room;
} taco__v3_wide;

/* Adds a made column for a declared file, named made::name; of a sequence it is a list. */
static bool taco__v3_wide_add_file(taco__v3_wide *w, size_t file, taco__v3_column_kind kind,
                                   size_t column, const char *name, const taco_field *of,
                                   taco_error *err)
{
    taco__v3_store *x = w->x;
    const taco__v3_file *f = &x->contract.files[file];
    taco__v3_column *c = &x->columns[x->column_count];
    taco_field *element;
    size_t n = strlen(f->made), m = strlen(name);
    char *label = (char *)taco__arena_alloc(x->s->arena, n + m + 3, err);
    if (!label) { return false; }
    memcpy(label, f->made, n);
    memcpy(label + n, "::", 2);
    memcpy(label + n + 2, name, m + 1);
    c->kind = kind;
    c->file = file;
    c->column = column;
    w->fields[w->count] = *of;
    if (f->sequence) {
        element = (taco_field *)taco__arena_alloc(x->s->arena, sizeof *element, err);
        if (!element) { return false; }
        *element = *of;
        element->name = "element";
        element->nullable = true;
        w->fields[w->count] = taco__field_make_nested(label, TACO_LIST, element, 1);
    }
    w->fields[w->count].name = label;
    w->fields[w->count].nullable = true;
    w->shown[w->shown_count++] = w->count++;
    x->column_count++;
    return true;
}

/* Whether a field holds for a declared file: all do, but for those with a list of files. */
static bool taco__v3_wide_holds(const taco__v3_store *x, size_t file, const taco__json *field)
{
    const taco__v3_file *f = &x->contract.files[file];
    const taco__json *files = taco__json_get(field, "files");
    size_t i;
    if (!taco__json_is(files, TACO__JSON_ARRAY)) { return true; }
    for (i = 0; i < taco__json_length(files); i++) {
        if (taco__json_equals(taco__json_at(files, i), f->path)) { return true; }
    }
    return false;
}

/* The columns of one declared file. */
static bool taco__v3_wide_add_files(taco__v3_wide *w, size_t file, taco_error *err)
{
    taco__v3_store *x = w->x;
    taco_field text = taco__field_make("location", TACO_TEXT);
    size_t level = x->contract.files[file].level, at;
    const taco__json *fields = x->contract.levels[level].fields, *key = taco__json_first(fields);
    taco__v3_table *t;
    uint32_t i;
    if (!taco__v3_wide_add_file(w, file, TACO__V3_LOCATION, 0, "location", &text, err)) {
        return false;
    }
    for (i = 0; i < fields->count; i++, key = taco__json_next(key + 1)) {
        taco_bytes name = taco__json_bytes(key);
        if (!taco__bytes_starts_with(name, "rumi:") || !taco__v3_wide_holds(x, file, key + 1)) {
            continue;
        }
        t = taco__v3_level_table(x, level, err);
        if (!t) { return false; }
        at = taco__table_find_column(&t->t, key->text);
        if (at != TACO__NONE && !taco__v3_wide_add_file(w, file, TACO__V3_VALUE, at, key->text + 5,
                                                        &t->t.fields[at], err)) {
            return false;
        }
    }
    return true;
}

/* Adds a made column that is not of a file. */
static void taco__v3_wide_add(taco__v3_wide *w, taco__v3_column_kind kind, const char *name,
                              taco_type type)
{
    taco__v3_store *x = w->x;
    x->columns[x->column_count++].kind = kind;
    w->fields[w->count] = taco__field_make(name, type);
    w->shown[w->shown_count++] = w->count++;
}

/* The stored columns: internal ones are hidden, and reserved names are dropped. */
static void taco__v3_wide_add_stored(taco__v3_wide *w, const taco__table *t)
{
    static const char *const reserved[][2] = {{"taco:sample_index", "\1sample_index"},
                                              {"taco:location", "\1location"},
                                              {"cozip:location", "\1cozip"}};
    size_t i, k;
    for (i = 0; i < t->field_count; i++) {
        w->fields[i] = t->fields[i];
        for (k = 0; k < TACO__COUNT(reserved); k++) {
            if (strcmp(w->fields[i].name, reserved[k][0]) == 0) {
                w->fields[i].name = reserved[k][1];
            }
        }
    }
    w->count = t->field_count;
}

/* Shows the stored columns in their order, without those that place rows. */
static void taco__v3_wide_show_stored(taco__v3_wide *w, const taco__table *t)
{
    size_t i;
    for (i = 0; i < t->field_count; i++) {
        taco_bytes name = taco__bytes_text(w->fields[i].name);
        if (!taco__bytes_starts_with(name, "internal:") &&
            w->fields[i].name[0] != TACO__V3_WIDE_DROPPED) {
            w->shown[w->shown_count++] = i;
        }
    }
}

/* Room for all columns: as many fields as the tables of files have, for each file. */
static bool taco__v3_wide_alloc(taco__v3_wide *w, const taco__table *t, taco_error *err)
{
    taco__v3_store *x = w->x;
    taco__arena *a = x->s->arena;
    size_t i, room = t->field_count + 3;
    for (i = 0; i < x->contract.file_count; i++) {
        size_t more = x->contract.levels[x->contract.files[i].level].fields->count + 1U;
        if (!taco__checked_add_size(room, more, &room)) { return false; }
    }
    w->fields = (taco_field *)taco__arena_array(a, room, sizeof *w->fields, err);
    w->shown = (size_t *)taco__arena_array(a, room, sizeof *w->shown, err);
    x->columns = (taco__v3_column *)taco__arena_array(a, room, sizeof *x->columns, err);
    x->column_count = 0;
    return w->fields && w->shown && x->columns;
}

/* taco_opener.level: level 0. */
TACO__FN bool taco__v3_wide_read(taco__container *s, uint32_t n, taco_error *err)
{
    taco__v3_store *x = taco__v3_store_of(s);
    taco__v3_table *t = taco__v3_level_table(x, 0, err);
    taco__level *l = &s->levels[n];
    taco__v3_wide w;
    size_t i;
    memset(&w, 0, sizeof w);
    w.x = x;
    if (!t || !taco__v3_wide_alloc(&w, &t->t, err)) { return false; }
    taco__v3_wide_add_stored(&w, &t->t);
    if (x->source || s->kind == TACO_KIND_TACOCAT) {
        taco__v3_wide_add(&w, TACO__V3_SOURCE, "source_file", TACO_TEXT);
    }
    taco__v3_wide_add(&w, TACO__V3_INDEX, "taco:sample_index", TACO_UINT64);
    taco__v3_wide_show_stored(&w, &t->t);
    for (i = 0; i < x->contract.file_count; i++) {
        if (!taco__v3_wide_add_files(&w, i, err)) { return false; }
    }
    x->made.count = x->column_count;
    x->made.ctx = x;
    x->made.prepare = taco__v3_wide_prepare;
    x->made.append = taco__v3_wide_append;
    x->made.load = taco__v3_wide_load;
    l->table = t->t;
    l->table.fields = w.fields;
    l->table.field_count = w.count;
    l->table.made = &x->made;
    l->shown = w.shown;
    l->shown_count = w.shown_count;
    return true;
}
