/* legacy_dataset.c - the opener: Tortilla and TACO 0.x files as one dataset of six levels

   In: paths of files, which are opened as one; out: a taco_dataset with one container. Its
   levels follow the nesting: a sample with format TORTILLA is a FOLDER, and the rows of all of
   them together are the next level; in a file with a chain of footers, object k is level k.
   Everything is kept in arrays: footers are small compared with the payloads, and offsets inside a
   nested tortilla have to be made relative to the file. Spec: Tortilla 0.5.0, TACO 0.2.0.

   taco__legacy_opener lists what taco_open and navigation call. Opening reads headers, collection,
   footers and chains of all files (taco__legacy_open); levels below are legacy_levels.c. */
#include "legacy.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../parquet/parquet.h"
#include "../dataset/dataset.h"

/* ---- navigation ---- */

/* Finds the columns with a role. Footers may have their own columns `id` and `type`. */
static void taco__legacy_roles(const taco__table *t, taco__column_roles *r)
{
    size_t id = taco__table_find_column(t, "internal:id");
    size_t type = taco__table_find_column(t, "internal:type");
    r->id = id == TACO__NONE ? r->id : id;
    r->type = type == TACO__NONE ? r->type : type;
}

/* Finds the rows of the next level whose root is a given row; runs must have room for all. Returns
   the number of runs. */
static size_t taco__legacy_find_chain_rows(const taco__legacy *state, const taco__format_folder *of,
                                           taco__legacy_run *runs)
{
    const taco__legacy_level *l = &state->levels[of->level], *below = l + 1;
    uint32_t file = l->file[of->row];
    const taco__chain *c = state->files[file].chain;
    size_t i, n = 0;
    for (i = 0; i < below->t.rows; i++) {
        size_t k = below->object_row[i];
        if (below->file[i] == file &&
            c->parents[of->level + 1][k] == (int64_t)l->object_row[of->row]) {
            runs[n].t = &c->tables[of->level + 1];
            runs[n].first = k;
            runs[n].n = 1;
            runs[n].parent = of->row;
            runs[n++].row = (int64_t)i;
        }
    }
    if (n == 0) { runs[n++].t = &c->tables[of->level + 1]; } /* all columns, no rows */
    return n;
}

/* Children of a row in a file with a chain. */
static bool taco__legacy_chain_children(taco__container *s, taco__legacy *state,
                                        const taco__format_folder *of, taco__arena *arena,
                                        taco__table *out, taco_error *err)
{
    const taco__legacy_level *l = &state->levels[of->level], *below = l + 1;
    taco__arena scratch;
    taco__legacy_run *runs;
    bool ok;
    if (of->row < 0 || (uint64_t)of->row >= l->t.rows || !below->built) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no object below in the chain");
        return false;
    }
    scratch.mem = s->mem;
    scratch.head = NULL;
    runs = (taco__legacy_run *)taco__arena_array(&scratch, (size_t)below->t.rows + 1, sizeof *runs,
                                                 err);
    ok = runs && taco__legacy_table_build(s, state, arena, runs,
                                          taco__legacy_find_chain_rows(state, of, runs), false,
                                          NULL, out, err);
    taco__arena_free(&scratch);
    return ok;
}

/* Children of a nested tortilla: the rows of its footer, at any depth. */
static bool taco__legacy_nested_children(taco__container *s, taco__legacy *state,
                                         const taco__format_folder *of, uint32_t number,
                                         taco__arena *arena, taco__table *out, taco_error *err)
{
    taco__tortilla_table t;
    taco__legacy_run r;
    if (!of->folder) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "a FILE, which has no children");
        return false;
    }
    if (!taco__legacy_levels_read_nested(s, of->file, (uint64_t)of->offset, number, arena, &t, NULL,
                                         err)) {
        return false;
    }
    r.t = &t;
    r.first = 0;
    r.n = (size_t)t.t.rows;
    r.parent = of->row;
    r.row = 0;
    return taco__legacy_table_build(s, state, arena, &r, 1, false, NULL, out, err);
}

/* taco_opener.children. */
static bool taco__legacy_children(taco__container *s, const taco__format_folder *of,
                                  taco__arena *arena, taco__table *out, taco_error *err)
{
    taco__legacy *state = (taco__legacy *)s->format_state;
    const taco__chain *c;
    uint32_t k = 0;
    while (of->source && k + 1 < state->file_count &&
           strcmp(state->files[k].path, of->source) != 0) {
        k++;
    }
    c = state->files[k].chain;
    if (c && of->level + 1 < TACO__MIN(c->count, (size_t)TACO__MAX_LEVELS)) {
        taco__container_level_count(s);
        return taco__legacy_chain_children(s, state, of, arena, out, err);
    }
    return taco__legacy_nested_children(s, state, of, k, arena, out, err);
}

/* ---- the collection ---- */

/* Reads and parses the JSON in a range; false if it is not an object. */
static bool taco__legacy_parse_collection(taco__container *s, taco__file *file, taco__range range,
                                          taco__json_doc *doc, taco_error *err)
{
    size_t len;
    uint8_t *text;
    if (range.len > s->options->limits.max_metadata || !taco__checked_to_size(range.len, &len)) {
        TACO__FAIL(err, TACO_ERR_LIMIT, range.offset,
                   "a collection of %u bytes, limits.max_metadata is %u", range.len,
                   s->options->limits.max_metadata);
        return false;
    }
    text = (uint8_t *)taco__arena_alloc(s->arena, len + 1, err);
    if (!text || !taco__file_read(file, range.offset, text, len, err) ||
        taco__json_parse_at(s->arena, taco__bytes_of(text, len), range.offset, &s->options->limits,
                            doc, err) != TACO_OK) {
        taco__error_prefix(err, "collection");
        return false;
    }
    if (!taco__json_is(doc->root, TACO__JSON_OBJECT)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, range.offset,
                   "a collection must be a JSON object, found %s", taco__json_type_name(doc->root));
        return false;
    }
    return true;
}

/* Reads the collection of a TACO 0.x, which has fewer rules than that of TACO 2, and no tree. */
static bool taco__legacy_read_collection(taco__container *s, taco__file *file, taco__range range,
                                         taco_error *err)
{
    taco__collection *c = &s->coll;
    const taco__json *root;
    if (!taco__legacy_parse_collection(s, file, range, &c->doc, err)) { return false; }
    root = c->doc.root;
    c->id = taco__json_text(taco__json_get(root, "id"));
    c->dataset_version = taco__json_text(taco__json_get(root, "dataset_version"));
    c->description = taco__json_text(taco__json_get(root, "description"));
    c->taco_version = taco__json_text(taco__json_get(root, "taco_version"));
    c->title = taco__json_text(taco__json_get(root, "title"));
    c->providers = taco__json_get(root, "providers");
    c->curators = taco__json_get(root, "curators");
    c->extent = taco__json_get(root, "extent");
    return true;
}

/* ---- level 0 ---- */

/* A row of one of the files, to sort. */
typedef struct taco__legacy_sort_key {
    taco_bytes id;
    size_t file, row;
} taco__legacy_sort_key;

/* taco__sort_compare: by the bytes of the id. */
static int taco__legacy_compare_ids(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return taco__bytes_compare(((const taco__legacy_sort_key *)a)->id,
                               ((const taco__legacy_sort_key *)b)->id);
}

/* Lists the rows of all files, by file and row. Returns their number. */
static size_t taco__legacy_list_rows(const taco__tortilla_table *tables, size_t count,
                                     taco__legacy_sort_key *rows)
{
    size_t f, i, n = 0;
    for (f = 0; f < count; f++) {
        for (i = 0; i < tables[f].t.rows; i++, n++) {
            rows[n].id = taco_array_bytes(&tables[f].t.arrays[tables[f].id], i);
            rows[n].file = f;
            rows[n].row = i;
        }
    }
    return n;
}

/* Sorts the rows of several files by id, as the last reader did; *n runs of one row each. Without
   rows the columns of all files still count. */
static taco__legacy_run *taco__legacy_sort_rows(const taco__tortilla_table *tables, size_t count,
                                                size_t *n, taco__arena *scratch, taco_error *err)
{
    taco__legacy_sort_key *rows;
    taco__legacy_run *runs;
    size_t f, i, total = 0;
    for (f = 0; f < count; f++) {
        total += (size_t)tables[f].t.rows;
    }
    rows = (taco__legacy_sort_key *)taco__arena_array(scratch, total + 1, sizeof *rows, err);
    runs = (taco__legacy_run *)taco__arena_array(scratch, total + count, sizeof *runs, err);
    if (!rows || !runs) { return NULL; }
    *n = taco__legacy_list_rows(tables, count, rows);
    if (!taco__sort_in(scratch->mem, rows, total, sizeof *rows, taco__legacy_compare_ids, NULL,
                       err)) {
        return NULL;
    }
    for (i = 0; i < total; i++) {
        runs[i].t = &tables[rows[i].file];
        runs[i].first = rows[i].row;
        runs[i].n = 1;
        runs[i].row = (int64_t)i;
    }
    for (f = 0; f < count && total == 0; f++) {
        runs[(*n)++].t = &tables[f];
    }
    return runs;
}

/* Appends the rows of all files: one run per file. */
static taco__legacy_run *taco__legacy_append_rows(const taco__tortilla_table *tables, size_t count,
                                                  taco__arena *scratch, taco_error *err)
{
    taco__legacy_run *runs =
        (taco__legacy_run *)taco__arena_array(scratch, count, sizeof *runs, err);
    size_t f, row = 0;
    for (f = 0; runs && f < count; f++) {
        runs[f].t = &tables[f];
        runs[f].n = (size_t)tables[f].t.rows;
        runs[f].row = (int64_t)row;
        row += runs[f].n;
    }
    return runs;
}

/* True if rows of several files are sorted: those of files from before 0.3 are not. */
static bool taco__legacy_is_sorted(const taco__legacy *state)
{
    size_t f;
    for (f = 0; f < state->file_count; f++) {
        if (state->file_count > 1 && !state->files[f].head.driver) { return true; }
    }
    return false;
}

/* Builds level 0 from all files. */
static bool taco__legacy_build_top(taco__container *s, taco__legacy *state,
                                   const taco__tortilla_table *tables, taco_error *err)
{
    size_t n = state->file_count;
    taco__arena scratch;
    taco__legacy_run *runs;
    bool ok;
    scratch.mem = s->mem;
    scratch.head = NULL;
    runs = taco__legacy_is_sorted(state) ? taco__legacy_sort_rows(tables, n, &n, &scratch, err)
                                         : taco__legacy_append_rows(tables, n, &scratch, err);
    ok = runs && taco__legacy_levels_build(s, state, 0, runs, n, err);
    taco__arena_free(&scratch);
    return ok;
}

/* ---- opening ---- */

/* The first column of one table that another lacks; NULL if there is none. */
static const char *taco__legacy_find_missing(const taco__tortilla_table *a,
                                             const taco__tortilla_table *b)
{
    size_t c;
    for (c = 0; c < a->t.field_count; c++) {
        const char *name = a->t.fields[c].name;
        if (taco__tortilla_find_name(b, name) == TACO__NONE) { return name; }
    }
    return NULL;
}

/* STRICT requires the same columns in all files; otherwise missing ones are null. */
static bool taco__legacy_check_same_columns(const taco__legacy *state,
                                            const taco__tortilla_table *tables, taco_error *err)
{
    size_t f;
    for (f = 1; f < state->file_count; f++) {
        const char *name = taco__legacy_find_missing(&tables[0], &tables[f]);
        taco_bytes quoted;
        name = name ? name : taco__legacy_find_missing(&tables[f], &tables[0]);
        if (name) {
            quoted = taco__bytes_text(name);
            TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET,
                       "%s: column %q is not in all files, as --column-mode strict requires",
                       state->files[f].path, &quoted);
            return false;
        }
    }
    return true;
}

/* Reads the chain of a file whose first footer has a pointer. The chain keeps its tables, so the
   footer is read again, into the dataset's arena. */
static bool taco__legacy_read_chain(taco__container *s, taco__file *file, taco__legacy_file *f,
                                    size_t k, taco__tortilla_table *first, taco_error *err)
{
    f->chain = (taco__chain *)taco__arena_alloc(s->arena, sizeof *f->chain, err);
    if (!f->chain ||
        !taco__tortilla_read_footer(s, file, f->head.footer, 0, NULL, s->arena, first, err)) {
        return false;
    }
    first->file = (uint32_t)k;
    return taco__chain_read(s, file, first, f->head.footer, s->arena, f->chain, err);
}

/* Reads one file: header, collection (of the first file), footer, chain. */
static bool taco__legacy_read_file(taco__container *s, taco__legacy *state, size_t k,
                                   taco__arena *scratch, taco__tortilla_table *out, taco_error *err)
{
    taco__legacy_file *f = &state->files[k];
    taco__file *file = taco__legacy_levels_file(s, state, k, err);
    bool ends = true, ok;
    taco__range next;
    ok = file && taco__tortilla_read_header(file, 0, s->arena, &f->head, err) &&
         (k || !f->head.collection.len ||
          taco__legacy_read_collection(s, file, f->head.collection, err)) &&
         taco__tortilla_read_footer(s, file, f->head.footer, 0, f->head.driver, scratch, out, err);
    out->file = (uint32_t)k;
    ok = ok && (!out->pointer.data || taco__chain_parse_pointer(out->pointer, &ends, &next, err)) &&
         (ends || taco__legacy_read_chain(s, file, f, k, out, err));
    if (!ok) { taco__error_prefix(err, "%s", f->path); }
    return ok;
}

/* The path of a file for GDAL, valid in any directory; NULL on failure. */
static const char *taco__legacy_vsi_path(taco__container *s, const char *path, taco_error *err)
{
    const char *before = s->vsi;
    const char *made = taco__container_set_vsi_root(s, path, false, err) ? s->vsi : NULL;
    s->vsi = before;
    return made;
}

/* Initializes a container whose rows are in n files; its levels are not files. */
static void taco__legacy_init_container(taco__container *s, taco__legacy *state, size_t n)
{
    static const char *const names[] = {"level0", "level1", "level2", "level3", "level4", "level5"};
    size_t i;
    s->format_state = state;
    /* as of an archive if one file has all rows, and of a catalogue if internal:source_file names
       that of each */
    s->kind = n == 1 ? TACO_KIND_ZIP : TACO_KIND_TACOCAT;
    s->vsi = s->name;
    s->archive_dir = "";
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        s->levels[i].name = names[i];
        s->levels[i].padded = 0;
    }
}

/* Reads all files, and builds level 0 from their footers. The container lists each file as it was
   opened and as GDAL names it: rows have the second, loaders open the first, which differ for URLs
   and relative paths. */
static bool taco__legacy_read_files(taco_dataset *ds, taco__legacy *state, const char *const *paths,
                                    taco__arena *scratch, taco_error *err)
{
    taco__container *s = &ds->stores[0];
    size_t n = state->file_count, i;
    taco__tortilla_table *tables =
        (taco__tortilla_table *)taco__arena_array(scratch, n, sizeof *tables, err);
    taco__format_file *named =
        (taco__format_file *)taco__arena_array(&ds->arena, n, sizeof *named, err);
    s->format_files = named;
    if (!named) { return false; }
    for (i = 0; tables && i < n; i++) {
        taco__legacy_file *f = &state->files[i];
        f->path = taco__arena_text(&ds->arena, taco__bytes_text(paths[i]), err);
        f->vsi = f->path ? taco__legacy_vsi_path(s, paths[i], err) : NULL;
        if (!f->vsi || !taco__legacy_read_file(s, state, i, scratch, &tables[i], err)) {
            return false;
        }
        named[i].path = f->path;
        named[i].vsi = f->vsi;
        s->format_file_count = i + 1;
    }
    return tables &&
           (ds->mode != TACO_COLUMNS_STRICT ||
            taco__legacy_check_same_columns(state, tables, err)) &&
           taco__legacy_build_top(s, state, tables, err);
}

/* taco_opener.open. */
static bool taco__legacy_open(taco_dataset *ds, const char *const *paths, size_t n, taco_error *err)
{
    taco__container *s = &ds->stores[0];
    taco__legacy *state = (taco__legacy *)taco__arena_alloc(&ds->arena, sizeof *state, err);
    taco__arena scratch;
    bool ok;
    if (!state) { return false; }
    state->files = (taco__legacy_file *)taco__arena_array(&ds->arena, n, sizeof *state->files, err);
    if (!state->files) { return false; }
    state->file_count = n;
    taco__legacy_init_container(s, state, n);
    scratch.mem = s->mem;
    scratch.head = NULL;
    ok = taco__legacy_read_files(ds, state, paths, &scratch, err);
    taco__arena_free(&scratch);
    s->level_count = 1;
    s->levels[0].present = true;
    s->levels_uncounted = ok && taco__legacy_levels_any_below(state, 0);
    if (ok) {
        taco__legacy_parts_warn(s, state);
        taco__container_warn_version(s);
    }
    return ok;
}

/* taco_opener.detect: by the first two bytes. */
static bool taco__legacy_detect(taco__container *s, const char *path, taco_bytes head)
{
    (void)s;
    (void)path;
    return taco__bytes_starts_with(head, "#y") || taco__bytes_starts_with(head, "WX");
}

static const taco_opener taco__legacy_opener = {"tortilla",
                                                taco__legacy_detect,
                                                taco__legacy_open,
                                                taco__legacy_levels_read,
                                                taco__legacy_levels_count,
                                                taco__legacy_roles,
                                                taco__legacy_children,
                                                taco__legacy_filter_bbox,
                                                taco__legacy_filter_time,
                                                NULL,
                                                NULL,
                                                taco__legacy_check,
                                                NULL,
                                                NULL,
                                                NULL,
                                                NULL,
                                                NULL,
                                                taco__legacy_parts_set};

TACO_API const taco_opener *taco_legacy_opener(void)
{
    return &taco__legacy_opener;
}
