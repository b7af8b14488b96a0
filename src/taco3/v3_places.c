/* v3_places.c - where the bytes of rows are, and which rows belong to which sample and file

   In: the columns that locate rows (parent_id, relative_path, offset, size, source_file). Out: for
   each row its place, and for each declared file the row of each sample, or the rows of a sequence
   in the order of their numbers. A child belongs to the row whose current_id is its parent_id; in
   catalogues of old writers ids begin again in every archive, where they are joined together with
   the archive. What a row is follows from its path: "12/before/B02.tif" is the declared file
   before/B02.tif of a sample. Paths that could lead out of the dataset are refused.

   The numbers of 1 million samples with three files take 16 bytes a row, and 4 for each file of a
   sample. They are read on the first use of a column that needs them: queries of other columns read
   only the table of samples. For few samples of a large archive v3_window.c reads less.

   Everything is computed once and kept, in the dataset's arena. Start reading at
   taco__v3_places_map. */
#include "v3.h"

/* Rows read at a time. */
#define TACO__V3_PLACES_BATCH 65536
/* Most bytes of a table that are fetched in one round from a vectored source, and kept. */
#define TACO__V3_AHEAD ((uint64_t)64 << 20)

/* ---- reading a table in batches ---- */

typedef struct taco__v3_scan {
    taco__row_reader rows;
    size_t which[4];
    uint64_t at, end;
    size_t n;
    const char *store, *table;
} taco__v3_scan;

/* Opens a scan of the columns c->which[0..count) of a table. It is closed by taco__v3_places_end,
   also if this fails. */
static bool taco__v3_places_begin(taco__v3_store *x, size_t level, taco__v3_scan *c, size_t count,
                                  taco_error *err)
{
    taco__v3_table *t = taco__v3_level_table(x, level, err);
    taco__file *file = x->s->file_open ? &x->s->file : &x->tables[level].file;
    memset(&c->rows, 0, sizeof c->rows);
    c->at = c->n = 0;
    c->end = t ? t->t.rows : 0;
    c->store = x->s->name;
    c->table = x->contract.levels[level].file;
    if (t && file->src.read_many && t->range.len <= taco__mem_ahead(file->mem, TACO__V3_AHEAD) &&
        !taco__file_fetch(file, &t->range, 1, err)) {
        return false;
    }
    return t && taco__row_reader_open(&c->rows, &t->t, c->which, count, x->s->mem, err);
}

/* The next rows, from c->at on; false at the end and on failure, which sets *ok. */
static bool taco__v3_places_next(taco__v3_scan *c, bool *ok, taco_error *err)
{
    c->at += c->n;
    c->n = (size_t)TACO__MIN(c->end - c->at, (uint64_t)TACO__V3_PLACES_BATCH);
    if (!*ok || !c->n) { return false; }
    *ok = taco__row_reader_read_range(&c->rows, c->at, c->n, err);
    return *ok;
}

/* Ends a scan; returns ok, and puts the table before the message of a failure. */
static bool taco__v3_places_end(taco__v3_scan *c, bool ok, taco_error *err)
{
    taco__row_reader_close(&c->rows);
    if (!ok) { taco__error_prefix(err, "%s: %s", c->store, c->table); }
    return ok;
}

/* An integer that is not negative; false if it is null or negative. */
static bool taco__v3_places_number(const taco_array *a, size_t i, uint64_t *out)
{
    *out = (uint64_t)taco_array_int(a, i);
    return taco_array_valid(a, i) && (a->field->type == TACO_UINT64 || *out <= INT64_MAX);
}

/* ---- archives of a catalogue ---- */

/* The index of an archive by its name in a row, which is checked. */
static bool taco__v3_places_source(taco__v3_store *x, const taco_array *a, size_t i, uint32_t *out,
                                   taco_error *err)
{
    taco_bytes name = taco_array_valid(a, i) ? taco_array_bytes(a, i) : taco__bytes_of(NULL, 0);
    taco__hash_slot *slot = name.len ? taco__hash_map_find(&x->source_names, name) : NULL;
    bool added;
    if (!slot) {
        taco_bytes kept;
        if (taco__vsi_check_path(name, false, TACO__SOURCE_FILE, err) != TACO_OK) { return false; }
        kept = taco__bytes_of(taco__arena_text(x->s->arena, name, err), name.len);
        slot = kept.data ? taco__hash_map_add(&x->source_names, kept, &added, err) : NULL;
        if (!slot || !taco__buf_append(&x->sources, &kept, sizeof kept, err)) { return false; }
        slot->value = x->sources.len / sizeof kept - 1;
    }
    *out = (uint32_t)slot->value;
    return true;
}

/* ---- places ---- */

/* Makes room for the places of n rows: numbers, or in a FOLDER paths. */
static bool taco__v3_places_alloc(taco__v3_store *x, size_t level, size_t n, taco_error *err)
{
    taco__arena *a = x->s->arena;
    taco__v3_places *p = &x->places[level];
    if (x->s->kind == TACO_KIND_FOLDER) {
        p->path = level ? (taco_bytes *)taco__arena_array(a, n + 1, sizeof *p->path, err) : NULL;
        return !level || p->path;
    }
    if (level) {
        p->offset = (uint64_t *)taco__arena_array(a, n + 1, sizeof *p->offset, err);
        p->size = (uint64_t *)taco__arena_array(a, n + 1, sizeof *p->size, err);
        if (!p->offset || !p->size) { return false; }
    }
    if (x->s->kind == TACO_KIND_TACOCAT) {
        p->source = (uint32_t *)taco__arena_array(a, n + 1, sizeof *p->source, err);
        return p->source != NULL;
    }
    return true;
}

/* The columns of a level's places. */
static size_t taco__v3_places_columns(const taco__v3_store *x, const taco__v3_table *t,
                                      size_t level, size_t *which)
{
    size_t n = 0;
    if (x->s->kind == TACO_KIND_FOLDER) {
        if (level) { which[n++] = t->path; }
        return n;
    }
    if (level) {
        which[n++] = t->offset;
        which[n++] = t->size;
    }
    if (x->s->kind == TACO_KIND_TACOCAT) { which[n++] = t->source; }
    return n;
}

/* Row i of a batch that is row `row` of the level; arrays are those of taco__v3_places_columns. */
static bool taco__v3_places_read_row(taco__v3_store *x, taco__v3_places *p, const taco_array *a,
                                     size_t i, size_t row, taco_error *err)
{
    if (p->path) {
        taco_bytes path = taco_array_valid(a, i) ? taco_array_bytes(a, i) : taco__bytes_of(NULL, 0);
        if (taco__vsi_check_path(path, false, "internal:relative_path", err) != TACO_OK) {
            return false;
        }
        p->path[row] = taco__bytes_of(taco__arena_text(x->s->arena, path, err), path.len);
        return p->path[row].data != NULL;
    }
    if (p->offset) {
        if (!taco_array_valid(&a[0], i) || !taco_array_valid(&a[1], i)) {
            p->offset[row] = UINT64_MAX;
        } else if (!taco__v3_places_number(&a[0], i, &p->offset[row]) ||
                   !taco__v3_places_number(&a[1], i, &p->size[row])) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "row %u: internal:offset or internal:size is negative", TACO__U(row));
            return false;
        }
        a += 2;
    }
    return !p->source || taco__v3_places_source(x, a, i, &p->source[row], err);
}

/* Reads the places of all rows of a level, once. */
TACO__FN bool taco__v3_places_read(taco__v3_store *x, size_t level, taco_error *err)
{
    taco__v3_places *p = &x->places[level];
    taco__v3_table *t = taco__v3_level_table(x, level, err);
    taco__v3_scan c;
    size_t count, i;
    bool ok;
    if (!t || p->ready) { return t != NULL; }
    count = taco__v3_places_columns(x, t, level, c.which);
    if (!taco__v3_places_alloc(x, level, (size_t)t->t.rows, err)) { return false; }
    p->ready = count == 0;
    if (p->ready) { return true; }
    ok = taco__v3_places_begin(x, level, &c, count, err);
    while (taco__v3_places_next(&c, &ok, err)) {
        for (i = 0; ok && i < c.n; i++) {
            ok = taco__v3_places_read_row(x, p, c.rows.arrays, i, (size_t)c.at + i, err);
        }
    }
    p->ready = ok;
    return taco__v3_places_end(&c, ok, err);
}

/* Whether a path below a FOLDER is that of a folder, "12/before": a level of the contract. */
TACO__FN bool taco__v3_places_is_folder(const taco__v3_store *x, taco_bytes path)
{
    const uint8_t *slash =
        path.len ? (const uint8_t *)memchr(path.data, '/', path.len) : (const uint8_t *)NULL;
    char name[1024];
    size_t n = slash ? path.len - (size_t)(slash - path.data) : 0;
    if (!n || n + 8 > sizeof name) { return false; }
    memcpy(name, "children", 8);
    memcpy(name + 8, slash, n);
    return taco__v3_contract_find_level(&x->contract, taco__bytes_of(name, n + 8)) != TACO__NONE;
}

TACO__FN bool taco__v3_places_append_range(const taco__v3_store *x, size_t level, size_t row,
                                           uint64_t offset, uint64_t size, taco_bytes source,
                                           taco__buf *out, taco_error *err)
{
    const taco__container *s = x->s;
    if (s->kind == TACO_KIND_ZIP && !taco__checked_range(offset, size, s->file.src.size)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "%s: %s: row %u: %u bytes at %u are outside of the archive, which has %u",
                   s->name, x->contract.levels[level].file, TACO__U(row), size, offset,
                   s->file.src.size);
        return false;
    }
    return taco__vsi_append_subfile(out, offset, size, taco__bytes_text(s->vsi), source, err);
}

/* Appends the path for GDAL of a row whose places are known; *none: it has none. */
TACO__FN bool taco__v3_places_append(const taco__v3_store *x, size_t level, size_t row,
                                     taco__buf *out, bool *none, taco_error *err)
{
    const taco__v3_places *p = &x->places[level];
    const taco__container *s = x->s;
    *none = true;
    if (p->path) {
        *none = taco__v3_places_is_folder(x, p->path[row]);
        return *none || taco__vsi_append_folder(out, taco__bytes_text(s->vsi), p->path[row], false,
                                                "internal:relative_path", err);
    }
    if (!p->offset || p->offset[row] == UINT64_MAX) { return true; }
    *none = false;
    return taco__v3_places_append_range(
        x, level, row, p->offset[row], p->size[row],
        p->source ? ((const taco_bytes *)(const void *)x->sources.data)[p->source[row]]
                  : taco__bytes_of(NULL, 0),
        out, err);
}

/* ---- parents ---- */

/* A key of a row: its archive and its id, which is at most 32 bits. */
static bool taco__v3_places_key(taco__v3_store *x, const taco_array *a, size_t i, uint64_t *key,
                                taco_error *err)
{
    uint32_t source = 0;
    bool known = taco__v3_places_number(a, i, key);
    if (x->s->kind == TACO_KIND_TACOCAT && !taco__v3_places_source(x, &a[1], i, &source, err)) {
        return false;
    }
    *key = known && *key <= UINT32_MAX ? *key | (uint64_t)source << 32 : UINT64_MAX;
    return true;
}

/* Whether the current_id of every row of a level is its number; if not, `ids` gets the rows by
   archive and id. */
static bool taco__v3_places_ids(taco__v3_store *x, size_t level, bool *numbered,
                                taco__hash_map *ids, taco_error *err)
{
    taco__v3_table *t = taco__v3_level_table(x, level, err);
    bool many = x->s->kind == TACO_KIND_TACOCAT, ok, added;
    taco__v3_scan c;
    size_t i, pass;
    uint64_t key;
    *numbered = true;
    if (!t || !taco__join_is_integer(t->current == TACO__NONE ? TACO_INT64
                                                              : t->t.fields[t->current].type)) {
        if (t) {
            TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "%s: %s: internal:current_id must be "
                       "integers",
                       x->s->name, x->contract.levels[level].file);
        }
        return false;
    }
    if (t->current == TACO__NONE) { return true; }
    c.which[0] = t->current;
    c.which[1] = t->source;
    for (pass = 0, ok = true; ok && pass < 2 && (pass == 0 || !*numbered); pass++) {
        ok = taco__v3_places_begin(x, level, &c, pass && many ? 2 : 1, err);
        while (taco__v3_places_next(&c, &ok, err)) {
            for (i = 0; ok && i < c.n; i++) {
                const taco_array *a = c.rows.arrays;
                taco__hash_slot *slot;
                if (!pass) {
                    *numbered = *numbered && taco__v3_places_number(a, i, &key) && key == c.at + i;
                    continue;
                }
                ok = taco__v3_places_key(x, a, i, &key, err);
                slot = ok ? taco__hash_map_add_u64(ids, key, &added, err) : NULL;
                ok = slot != NULL;
                if (ok && added) { slot->value = c.at + i; }
            }
        }
        ok = taco__v3_places_end(&c, ok, err);
    }
    return ok;
}

/* For each row of a level its row in the parent level, -1 for none. */
TACO__FN bool taco__v3_places_parents(taco__v3_store *x, size_t level, int32_t *out,
                                      taco_error *err)
{
    size_t above = x->contract.levels[level].parent, i;
    bool many = x->s->kind == TACO_KIND_TACOCAT, numbered, ok;
    taco__v3_table *t = taco__v3_level_table(x, level, err),
                   *up = t ? taco__v3_level_table(x, above, err) : NULL;
    taco__hash_map ids;
    taco__v3_scan c;
    uint64_t key;
    memset(&ids, 0, sizeof ids);
    ids.mem = x->s->mem;
    ok = up && taco__v3_places_ids(x, above, &numbered, &ids, err);
    if (!ok) {
        taco__hash_map_free(&ids);
        return false;
    }
    c.which[0] = t->parent;
    c.which[1] = t->source;
    ok = taco__v3_places_begin(x, level, &c, many && !numbered ? 2 : 1, err);
    while (taco__v3_places_next(&c, &ok, err)) {
        for (i = 0; ok && i < c.n; i++) {
            const taco_array *a = c.rows.arrays;
            int32_t *row = &out[(size_t)c.at + i];
            const taco__hash_slot *slot;
            *row = -1;
            if (numbered) {
                if (taco__v3_places_number(a, i, &key) && key < up->t.rows) { *row = (int32_t)key; }
                continue;
            }
            ok = taco__v3_places_key(x, a, i, &key, err);
            slot = ok && key != UINT64_MAX ? taco__hash_map_find_u64(&ids, key) : NULL;
            if (slot) { *row = (int32_t)slot->value; }
        }
    }
    taco__hash_map_free(&ids);
    return taco__v3_places_end(&c, ok, err);
}

/* Makes sample_of of a level whose parent has it. */
static bool taco__v3_places_samples(taco__v3_store *x, size_t level, taco_error *err)
{
    size_t above = x->contract.levels[level].parent, i;
    taco__v3_table *t = taco__v3_level_table(x, level, err);
    int32_t *of =
        t ? (int32_t *)taco__arena_array(x->s->arena, (size_t)t->t.rows + 1, sizeof *of, err)
          : NULL;
    if (!of || !taco__v3_places_parents(x, level, of, err)) { return false; }
    for (i = 0; above && i < t->t.rows; i++) {
        if (of[i] >= 0) { of[i] = x->sample_of[above][of[i]]; }
    }
    x->sample_of[level] = of;
    return true;
}

/* Makes sample_of of a level, and of those above it, from the top. */
static bool taco__v3_places_find_samples(taco__v3_store *x, size_t level, taco_error *err)
{
    while (!x->sample_of[level]) {
        size_t l = level, above = x->contract.levels[l].parent;
        while (above && !x->sample_of[above]) {
            l = above;
            above = x->contract.levels[l].parent;
        }
        if (!taco__v3_places_samples(x, l, err)) { return false; }
    }
    return true;
}

/* ---- rows of files ---- */

/* A file of a sequence. */
typedef struct taco__v3_item {
    uint32_t sample;
    int32_t row;
    uint64_t number;
} taco__v3_item;

/* What is found while the rows of a level are mapped to its files. */
typedef struct taco__v3_map {
    taco__v3_store *x;
    size_t level;
    taco_bytes folder; /* in front of the names, with a '/'; or nothing */
    size_t samples;
    taco__hash_map names; /* of single files: their index */
    size_t *sequences;    /* indexes of the sequences */
    size_t sequence_count;
    taco__buf *items; /* for each: taco__v3_item */
    size_t last;      /* the single file found last: the next one is likely to follow */
} taco__v3_map;

/* A file that a sample has twice: one of them would be shown, and nobody could say which; false. */
static bool taco__v3_places_fail_twice(const taco__v3_map *m, size_t sample, const char *path,
                                       taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "sample %u has file %s twice",
               TACO__U(sample), path);
    taco__error_prefix(err, "%s: %s", m->x->s->name, m->x->contract.levels[m->level].file);
    return false;
}

/* Puts one row where it belongs; rows of no file, which are folders, are left out. */
static bool taco__v3_places_map_row(taco__v3_map *m, taco_bytes name, int32_t sample, size_t row,
                                    taco_error *err)
{
    taco__v3_store *x = m->x;
    const taco__hash_slot *slot = taco__hash_map_find(&m->names, name);
    taco__v3_item item;
    size_t i;
    if (slot) {
        int32_t *at = &x->rows[slot->value].row[sample];
        if (*at >= 0) {
            return taco__v3_places_fail_twice(m, (size_t)sample,
                                              x->contract.files[slot->value].path, err);
        }
        *at = (int32_t)row;
        return true;
    }
    for (i = 0; i < m->sequence_count; i++) {
        if (!taco__v3_contract_number(&x->contract.files[m->sequences[i]], name, &item.number)) {
            continue;
        }
        item.sample = (uint32_t)sample;
        item.row = (int32_t)row;
        return taco__buf_append(&m->items[i], &item, sizeof item, err);
    }
    return true;
}

/* The name of a row in its folder; {NULL, 0}: its path is not in the level's folder. */
static taco_bytes taco__v3_places_name(const taco__v3_map *m, taco_bytes path)
{
    const uint8_t *slash = path.len ? (const uint8_t *)memchr(path.data, '/', path.len) : NULL;
    taco_bytes rest;
    if (!slash) { return taco__bytes_of(NULL, 0); }
    rest = taco__bytes_of(slash + 1, path.len - (size_t)(slash - path.data) - 1);
    if (rest.len <= m->folder.len ||
        (m->folder.len && memcmp(rest.data, m->folder.data, m->folder.len) != 0)) {
        return taco__bytes_of(NULL, 0);
    }
    return taco__bytes_of(rest.data + m->folder.len, rest.len - m->folder.len);
}

/* taco__sort_compare: by sample, then by number: img10 comes after img9. */
static int taco__v3_places_compare_items(const void *ctx, const void *a, const void *b)
{
    const taco__v3_item *x = (const taco__v3_item *)a, *y = (const taco__v3_item *)b;
    (void)ctx;
    return x->sample != y->sample   ? (x->sample < y->sample ? -1 : 1)
           : x->number != y->number ? (x->number < y->number ? -1 : 1)
                                    : 0;
}

/* The rows of a sequence, by sample and number. */
static bool taco__v3_places_sort_items(taco__v3_map *m, size_t i, taco_error *err)
{
    taco__v3_rows *r = &m->x->rows[m->sequences[i]];
    taco__v3_item *items = (taco__v3_item *)(void *)m->items[i].data;
    size_t n = m->items[i].len / sizeof *items, k, sample = 0;
    if (n && !taco__sort_in(m->x->s->mem, items, n, sizeof *items, taco__v3_places_compare_items,
                            NULL, err)) {
        return false;
    }
    r->start = (uint32_t *)taco__arena_array(m->x->s->arena, m->samples + 1, sizeof *r->start, err);
    r->rows = (int32_t *)taco__arena_array(m->x->s->arena, n + 1, sizeof *r->rows, err);
    if (!r->start || !r->rows) { return false; }
    for (k = 0; k < n; k++) {
        if (k && taco__v3_places_compare_items(NULL, &items[k - 1], &items[k]) == 0) {
            return taco__v3_places_fail_twice(m, items[k].sample,
                                              m->x->contract.files[m->sequences[i]].path, err);
        }
        while (sample < items[k].sample) {
            r->start[++sample] = (uint32_t)k;
        }
        r->rows[k] = items[k].row;
    }
    while (sample < m->samples) {
        r->start[++sample] = (uint32_t)n;
    }
    return true;
}

/* Prepares the files of a level: names to find, rows to fill. */
static bool taco__v3_places_begin_map(taco__v3_map *m, taco_error *err)
{
    taco__v3_store *x = m->x;
    taco__arena *a = x->s->arena;
    size_t i, k, n = x->contract.file_count;
    m->names.mem = x->s->mem;
    m->sequences = (size_t *)taco__arena_array(a, n + 1, sizeof *m->sequences, err);
    m->items = (taco__buf *)taco__arena_array(a, n + 1, sizeof *m->items, err);
    for (i = 0; m->sequences && m->items && i < n; i++) {
        const taco__v3_file *f = &x->contract.files[i];
        taco__hash_slot *slot;
        bool added;
        if (f->level != m->level) { continue; }
        m->folder = taco__bytes_of(f->path, (size_t)((const char *)f->name.data - f->path));
        if (f->sequence) {
            m->items[m->sequence_count].mem = x->s->mem;
            m->sequences[m->sequence_count++] = i;
            continue;
        }
        slot = taco__hash_map_add(&m->names, f->name, &added, err);
        x->rows[i].row = (int32_t *)taco__arena_array(a, m->samples + 1, sizeof(int32_t), err);
        if (!slot || !x->rows[i].row) { return false; }
        slot->value = i;
        for (k = 0; k < m->samples; k++) {
            x->rows[i].row[k] = -1;
        }
    }
    return m->sequences && m->items;
}

/* Maps all rows of a level. */
static bool taco__v3_places_map_rows(taco__v3_map *m, taco_error *err)
{
    taco__v3_store *x = m->x;
    const int32_t *sample_of = x->sample_of[m->level];
    taco__v3_scan c;
    size_t i;
    bool ok;
    c.which[0] = x->tables[m->level].path;
    ok = taco__v3_places_begin(x, m->level, &c, 1, err);
    while (taco__v3_places_next(&c, &ok, err)) {
        for (i = 0; ok && i < c.n; i++) {
            const taco_array *a = c.rows.arrays;
            int32_t sample = sample_of[(size_t)c.at + i];
            taco_bytes path = taco_array_valid(a, i) ? taco_array_bytes(a, i)
                                                     : taco__bytes_of(NULL, 0),
                       name;
            ok = taco__vsi_check_path(path, false, "internal:relative_path", err) == TACO_OK;
            name = taco__v3_places_name(m, path);
            if (ok && sample >= 0 && name.data) {
                ok = taco__v3_places_map_row(m, name, sample, (size_t)c.at + i, err);
            }
        }
    }
    return taco__v3_places_end(&c, ok, err);
}

/* Finds the rows of a declared file, and their places, once. */
TACO__FN bool taco__v3_places_map(taco__v3_store *x, size_t file, taco_error *err)
{
    size_t level = x->contract.files[file].level, i;
    taco__v3_table *samples = taco__v3_level_table(x, 0, err);
    taco__v3_map m;
    bool ok;
    if (!samples || x->mapped[level]) { return samples != NULL; }
    memset(&m, 0, sizeof m);
    m.x = x;
    m.level = level;
    m.samples = (size_t)samples->t.rows;
    ok = taco__v3_places_read(x, level, err) && taco__v3_places_find_samples(x, level, err) &&
         taco__v3_places_begin_map(&m, err) && taco__v3_places_map_rows(&m, err);
    for (i = 0; ok && i < m.sequence_count; i++) {
        ok = taco__v3_places_sort_items(&m, i, err);
    }
    for (i = 0; i < m.sequence_count; i++) {
        taco__buf_free(&m.items[i]);
    }
    taco__hash_map_free(&m.names);
    x->mapped[level] = ok;
    return ok;
}
