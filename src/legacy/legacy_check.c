/* legacy_check.c - taco_validate of Tortilla and TACO 0.x files

   In: an open dataset: its headers, footers and collections are readable, every sample lies in its
   file, and chains end. Out: problems in taco__findings, each with its clause: of the headers and
   names of files, the collection (legacy_collection.c), the rows of each
   level (legacy_rules.c), the ranges of samples against each other, and the chain. Spec: Tortilla
   0.5.0 "Format", TACO 0.2.0 "Data format" and "Facilitating dataset streaming".

   File names only cause warnings: they are not part of the file, and tortilla2taco() kept them.
   Start reading at taco__legacy_check. */
#include "legacy.h"
#include "../base/base.h"
#include "../tiff/tiff.h"
#include "../validate/validate.h"

/* ---- headers and names ---- */

/* True if all bytes are zero. */
static bool taco__legacy_check_is_free(const uint8_t *p, size_t from, size_t to)
{
    while (from < to && p[from] == 0) {
        from++;
    }
    return from == to;
}

/* Checks the name of a file against its contents. */
static void taco__legacy_check_name(taco__findings *f, const taco__legacy_file *file)
{
    static const char clause[] = "Tortilla 0.5.0, File Extension";
    uint64_t parts = file->head.parts, number = 0;
    taco_bytes stem;
    bool part = taco__legacy_parts_parse(file->path, &stem, &number);
    if (part != (parts > 1)) {
        TACO__FINDINGS_CLAUSE(f, false, clause, "a file of %u parts must be named %s", parts,
                              parts > 1 ? "NAME.####.part.tortilla" : "without .####.part");
    } else if (part && number > parts) {
        TACO__FINDINGS_CLAUSE(f, false, clause, "the name says part %u, there are %u", number,
                              parts);
    }
    if (!taco__container_ends_with(file->path, file->head.collection.len ? ".taco" : ".tortilla")) {
        TACO__FINDINGS_CLAUSE(f, false, clause, "the name of a file with%s collection ends in %s",
                              file->head.collection.len ? " a" : "out a",
                              file->head.collection.len ? ".taco" : ".tortilla");
    }
}

/* Checks the header of file k: a TACO has a collection, and reserved bytes are zero. There were no
   such rules for headers before 0.3. */
static bool taco__legacy_check_header(taco__container *s, const taco__legacy *state, size_t k,
                                      taco__findings *f, taco_error *err)
{
    const taco__legacy_file *file = &state->files[k];
    taco__file *bytes = taco__legacy_levels_file(s, state, k, err);
    uint8_t p[TACO__TORTILLA_HEADER_BYTES];
    bool taco;
    taco__findings_set_place(f, state->file_count > 1 ? "%s: header" : "header",
                             taco__metadata_base_name(file->path));
    taco__legacy_check_name(f, file);
    if (!bytes || file->head.driver) { return bytes != NULL; }
    if (!taco__file_read(bytes, 0, p, sizeof p, err)) { return false; }
    taco = p[0] == 'W';
    if (file->head.parts == 0) {
        TACO__FINDINGS_CLAUSE(f, true, "Tortilla 0.5.0, The Data Partition",
                              "the number of parts is 0, must be 1 or more");
    }
    if (taco && !file->head.collection.len) {
        TACO__FINDINGS_CLAUSE(f, true, "TACO 0.2.0, Data format",
                              "a TACO (magic 'WX') without a collection");
    }
    if (!taco__legacy_check_is_free(p, taco ? 42 : 26, sizeof p)) {
        TACO__FINDINGS_CLAUSE(f, false, "Tortilla 0.5.0, The Free Space",
                              "the bytes from %u on are reserved, and not all zero",
                              TACO__U(taco ? 42 : 26));
    }
    return true;
}

/* ---- ranges ---- */

/* A range of a file that belongs to a sample or something else. */
typedef struct taco__legacy_check_range {
    uint64_t begin, end;
    uint32_t file;
    size_t row;
} taco__legacy_check_range;

/* taco__sort_compare: by file, then offset. */
static int taco__legacy_check_compare_ranges(const void *ctx, const void *a, const void *b)
{
    const taco__legacy_check_range *x = (const taco__legacy_check_range *)a;
    const taco__legacy_check_range *y = (const taco__legacy_check_range *)b;
    int order = (x->file > y->file) - (x->file < y->file);
    (void)ctx;
    return order ? order : (x->begin > y->begin) - (x->begin < y->begin);
}

/* True if a sample overlaps a range of its file. */
static bool taco__legacy_check_meets(const taco__legacy_check_range *r, taco__range other)
{
    return r->begin < r->end && other.len && r->begin < other.offset + other.len &&
           other.offset < r->end;
}

/* Checks a sample of level 0: it lies in the data, between header and footer. */
static void taco__legacy_check_top_range(taco__findings *f, const taco__legacy *state,
                                         const taco__legacy_check_range *r)
{
    const taco__tortilla *head = &state->files[r->file].head;
    const char *what = r->begin < r->end && r->begin < head->body      ? "header"
                       : taco__legacy_check_meets(r, head->footer)     ? "footer"
                       : taco__legacy_check_meets(r, head->collection) ? "collection"
                                                                       : NULL;
    if (what) {
        taco__findings_set_place(f, "level 0: row %u", TACO__U(r->row));
        TACO__FINDINGS_CLAUSE(f, true, "Tortilla 0.5.0, The Data Pile",
                              "its bytes %u to %u overlap those of the %s", r->begin, r->end, what);
    }
}

/* Checks a sample of a nested tortilla, or a tile: it lies in the bytes of its parent. */
static void taco__legacy_check_inner_range(taco__findings *f, const taco__legacy_level *above,
                                           uint32_t level, size_t parent,
                                           const taco__legacy_check_range *r)
{
    uint64_t begin = (uint64_t)above->offset[parent];
    uint64_t end = begin + (uint64_t)above->size[parent];
    if (r->begin < begin || r->end > end) {
        taco__findings_set_place(f, "level %u: row %u", TACO__U(level), TACO__U(r->row));
        TACO__FINDINGS_CLAUSE(f, true, "Tortilla 0.5.0, Nested properties",
                              "its bytes %u to %u are not within those of its parent, %u to %u",
                              r->begin, r->end, begin, end);
    }
}

/* Finds samples that share bytes. Readers accept them, and an edited footer may list a sample
   twice. */
static void taco__legacy_check_overlaps(taco__findings *f, uint32_t level,
                                        const taco__legacy_check_range *list, size_t n)
{
    size_t i, last = 0; /* the sample before i that reaches furthest */
    for (i = 1; i < n && !f->stop; i++) {
        if (list[i].file == list[last].file && list[i].begin < list[last].end &&
            list[i].begin < list[i].end) {
            taco__findings_set_place(f, "level %u: rows %u and %u", TACO__U(level),
                                     TACO__U(list[last].row), TACO__U(list[i].row));
            TACO__FINDINGS_CLAUSE(f, false, "Tortilla 0.5.0, Goals: sample isolation",
                                  "share bytes from %u on", list[i].begin);
        }
        if (list[i].file != list[last].file || list[i].end > list[last].end) { last = i; }
    }
}

/* Checks the ranges of all rows of a level. */
static bool taco__legacy_check_ranges(taco__container *s, const taco__legacy *state, uint32_t level,
                                      taco__findings *f, taco_error *err)
{
    const taco__legacy_level *l = &state->levels[level];
    size_t c = taco__table_find_column(&l->t, "internal:parent_id"), i, n = (size_t)l->t.rows;
    taco__legacy_check_range *list;
    taco__arena scratch;
    bool ok;
    scratch.mem = s->mem;
    scratch.head = NULL;
    list = (taco__legacy_check_range *)taco__arena_array(&scratch, n + 1, sizeof *list, err);
    for (i = 0; list && i < n; i++) {
        list[i].begin = (uint64_t)l->offset[i];
        list[i].end = list[i].begin + (uint64_t)l->size[i];
        list[i].file = l->file[i];
        list[i].row = i;
        if (level == 0) {
            taco__legacy_check_top_range(f, state, &list[i]);
        } else {
            taco__legacy_check_inner_range(f, l - 1, level,
                                           (size_t)taco_array_int(&l->t.arrays[c], i), &list[i]);
        }
    }
    ok = list &&
         taco__sort_in(s->mem, list, n, sizeof *list, taco__legacy_check_compare_ranges, NULL, err);
    if (ok) { taco__legacy_check_overlaps(f, level, list, n); }
    taco__arena_free(&scratch);
    return ok;
}

/* ---- chains ---- */

/* Finds the tiles of a level: the rows whose parents are not tortillas. NULL if out of memory. */
static uint8_t *taco__legacy_check_find_tiles(const taco__legacy *state, uint32_t level,
                                              taco__arena *arena, taco_error *err)
{
    const taco__legacy_level *l = &state->levels[level];
    size_t i, c = taco__table_find_column(&l->t, "internal:parent_id");
    uint8_t *tiles = (uint8_t *)taco__arena_alloc(arena, (size_t)l->t.rows + 1, err);
    for (i = 0; tiles && level && i < l->t.rows; i++) {
        tiles[i] = !l[-1].folder[taco_array_int(&l->t.arrays[c], i)];
    }
    return tiles;
}

/* Checks a tile: its id is that of its sample, "::" and a number, and its sample is a TIFF. */
static void taco__legacy_check_tile(const taco__legacy_level *l, size_t i, size_t parent,
                                    taco__findings *f)
{
    static const char clause[] = "TACO 0.2.0, Facilitating dataset streaming";
    const taco__legacy_level *above = l - 1;
    size_t ids = taco__table_find_column(&l->t, "tortilla:id");
    size_t of = taco__table_find_column(&above->t, "tortilla:id");
    size_t c = taco__table_find_column(&above->t, "tortilla:file_format");
    taco_bytes id = taco_array_bytes(&l->t.arrays[ids], i), format = {NULL, 0};
    taco_bytes sample = taco_array_bytes(&above->t.arrays[of], parent);
    if (c != TACO__NONE) { format = taco_array_bytes(&above->t.arrays[c], parent); }
    if (id.len < sample.len + 3 || memcmp(id.data, sample.data, sample.len) != 0 ||
        memcmp(id.data + sample.len, "::", 2) != 0) {
        TACO__FINDINGS_CLAUSE(f, false, clause, "the tile %q is not named as its sample %q", &id,
                              &sample);
    }
    if (!taco__bytes_equal(format, taco__bytes_text("GTiff")) &&
        !taco__bytes_equal(format, taco__bytes_text("COG"))) {
        TACO__FINDINGS_CLAUSE(
            f, true, clause, "a tile of the sample %q, whose format is %q: only GeoTIFFs have some",
            &sample, &format);
    }
}

/* The bytes of a sample, as a source. */
typedef struct taco__legacy_check_part {
    taco__file *file;
    uint64_t base;
} taco__legacy_check_part;

/* taco_source.read. */
static bool taco__legacy_check_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    const taco__legacy_check_part *p = (const taco__legacy_check_part *)ctx;
    return taco__file_read(p->file, p->base + offset, dst, len, NULL);
}

/* Checks that a sample with tiles, row i of a level, is a TOG. Only a warning, since tiles of other
   TIFFs can be read as well; and only done with deep, as it reads payloads. False if the check
   itself failed. */
static bool taco__legacy_check_tog(taco__container *s, const taco__legacy *state, uint32_t level,
                                   size_t i, taco__findings *f, taco_error *err)
{
    const taco__legacy_level *l = &state->levels[level];
    taco__legacy_check_part part;
    taco_source src;
    taco_error e;
    taco_tiff *t;
    memset(&src, 0, sizeof src);
    memset(&e, 0, sizeof e);
    part.file = taco__legacy_levels_file(s, state, l->file[i], &e);
    part.base = (uint64_t)l->offset[i];
    src.ctx = &part;
    src.size = (uint64_t)l->size[i];
    src.read = taco__legacy_check_read;
    t = part.file ? taco_tiff_open(&src, "sample", s->options, &e) : NULL;
    if (!t && taco__error_is_of_machine(&e)) {
        *err = e;
        return false;
    }
    if (!t || taco_tog_check(t, &e) != TACO_OK) {
        taco__findings_set_place(f, "level %u: row %u", TACO__U(level), TACO__U(i));
        TACO__FINDINGS_CLAUSE(f, false, "TACO 0.2.0, Facilitating dataset streaming", "%s", e.text);
    }
    taco_tiff_close(t);
    return true;
}

/* Checks the tiles of a level, and with deep the samples that contain them. */
static bool taco__legacy_check_tiles(taco__container *s, const taco__legacy *state, uint32_t level,
                                     const uint8_t *tiles, taco__findings *f, taco_error *err)
{
    const taco__legacy_level *l = &state->levels[level];
    size_t i, c = taco__table_find_column(&l->t, "internal:parent_id"), last = SIZE_MAX;
    for (i = 0; i < l->t.rows && !f->stop; i++) {
        size_t parent = tiles[i] ? (size_t)taco_array_int(&l->t.arrays[c], i) : last;
        if (!tiles[i]) { continue; }
        taco__findings_set_place(f, "level %u: row %u", TACO__U(level), TACO__U(i));
        taco__legacy_check_tile(l, i, parent, f);
        if (f->how->deep && parent != last &&
            !taco__legacy_check_tog(s, state, level - 1, parent, f, err)) {
            return false;
        }
        last = parent;
    }
    return true;
}

/* Checks that the first object of a chain has a column root, the id of each row: other objects
   refer to it. */
static void taco__legacy_check_root(const taco__chain *c, taco__findings *f)
{
    static const char clause[] = "TACO 0.2.0, Facilitating dataset streaming";
    const taco__tortilla_table *t = &c->tables[0];
    size_t root = taco__table_find_column(&t->t, "root");
    if (root == TACO__NONE) { root = taco__table_find_column(&t->t, "tortilla:root"); }
    taco__findings_set_place(f, "level 0: columns");
    if (root == TACO__NONE) {
        TACO__FINDINGS_CLAUSE(f, true, clause, "a chain of footers without a column root");
    }
}

/* ---- levels ---- */

/* Checks the rows of a level: rules, ranges, tiles. */
static bool taco__legacy_check_level(taco__container *s, const taco__legacy *state, uint32_t level,
                                     taco__findings *f, taco_error *err)
{
    const taco__legacy_level *l = &state->levels[level];
    char place[] = "level 0: ";
    size_t c = taco__table_find_column(&l->t, "internal:parent_id");
    taco__legacy_rows r;
    taco__arena scratch;
    bool ok;
    scratch.mem = s->mem;
    scratch.head = NULL;
    place[6] = (char)('0' + level);
    memset(&r, 0, sizeof r);
    r.f = f;
    r.mem = s->mem;
    r.columns = l->t.arrays;
    r.column_count = l->t.field_count;
    r.rows = (size_t)l->t.rows;
    r.parent = level ? &l->t.arrays[c] : NULL;
    r.tiles = taco__legacy_check_find_tiles(state, level, &scratch, err);
    r.place = place;
    r.before_03 = state->files[0].head.driver != NULL;
    ok = r.tiles && taco__legacy_rules_check_rows(&r, err) &&
         taco__legacy_check_ranges(s, state, level, f, err) &&
         taco__legacy_check_tiles(s, state, level, r.tiles, f, err);
    if (ok) {
        place[7] = 0;
        taco__findings_end_table(f, place);
    }
    taco__arena_free(&scratch);
    return ok;
}

TACO__FN bool taco__legacy_check(taco_dataset *ds, taco__findings *f, taco_error *err)
{
    taco__container *s = &ds->stores[0];
    const taco__legacy *state = (const taco__legacy *)s->format_state;
    uint32_t level;
    size_t k;
    for (k = 0; k < state->file_count; k++) {
        if (!taco__legacy_check_header(s, state, k, f, err)) { return false; }
        if (state->files[k].chain) { taco__legacy_check_root(state->files[k].chain, f); }
    }
    if (s->coll.doc.root) { taco__legacy_collection_check(f, s->coll.doc.root, false); }
    for (level = 0; level < s->level_count && state->levels[level].built && !f->stop; level++) {
        if (!taco__legacy_check_level(s, state, level, f, err)) { return false; }
    }
    return true;
}
