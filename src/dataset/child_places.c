/* child_places.c - internal:offset and internal:size of children that a writer has mixed up

   In: a container with levels below the first. Out: taco__level.replaced, the places of all rows of
   a level, if those that its table stores lead to the bytes of other samples. TACO 2.0 §6.3.

   The writers of tacotoolbox (0.26.9 and before) collect the places of METADATA/level1.parquet and
   below FOLDER by FOLDER in the byte order of their paths, and give them to the rows in the order
   in which samples were added (facts: disagreements 1). The first samples of a level, and __meta__,
   are right. Where FOLDERs are in byte order, so that both orders are one, nothing can be wrong:
   that is what taco__places_suspect finds out, from the ids of the levels above. Otherwise the
   central directory decides, which has the place of every path and is read once; of a catalogue,
   those of its archives.

   The bytes of an entry begin at the one stored place that lies between its local header and the
   next one, whose extra field need not be read for that. */
#include "cursor.h"
#include "gdal_path.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"

/* Runs of rows of one archive. */
#define TACO__PLACES_RUNS 16

/* An entry of the central directory. */
typedef struct taco__places_entry {
    uint64_t local, size;
    uint64_t next; /* where the next local header, or the directory, begins */
    size_t name_len;
} taco__places_entry;

/* Consecutive rows of one archive. */
typedef struct taco__places_run {
    uint64_t first, count;
    taco_bytes source; /* of a catalogue */
} taco__places_run;

/* The ids of a level: row i has bytes[ends[i - 1]..ends[i]). */
typedef struct taco__places_ids {
    taco__buf bytes, ends;
} taco__places_ids;

typedef struct taco__places {
    taco__container *s;
    taco__arena arena; /* names of archives */
    /* archives of a catalogue with FOLDERs that are not in byte order */
    taco__hash_map suspected;
    bool any;
    taco__places_ids ids[TACO__MAX_LEVELS];
    taco__buf runs, path, last;
    /* the archive that is open: its directory, and the entries in the order of the file */
    taco__buf directory, entries;
    taco__hash_map by_name;
    taco__buf stored; /* the places that rows of a run have, in order */
    uint64_t *offset, *size, changed;
} taco__places;

static void taco__places_init(taco__places *p, taco__container *s)
{
    size_t i;
    memset(p, 0, sizeof *p);
    p->s = s;
    p->arena.mem = p->suspected.mem = p->by_name.mem = s->mem;
    p->runs.mem = p->path.mem = p->last.mem = s->mem;
    p->directory.mem = p->entries.mem = p->stored.mem = s->mem;
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        p->ids[i].bytes.mem = p->ids[i].ends.mem = s->mem;
    }
}

static void taco__places_free(taco__places *p)
{
    size_t i;
    taco__hash_map_free(&p->suspected);
    taco__hash_map_free(&p->by_name);
    taco__buf_free(&p->runs);
    taco__buf_free(&p->path);
    taco__buf_free(&p->last);
    taco__buf_free(&p->directory);
    taco__buf_free(&p->entries);
    taco__buf_free(&p->stored);
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        taco__buf_free(&p->ids[i].bytes);
        taco__buf_free(&p->ids[i].ends);
    }
    taco__arena_free(&p->arena);
}

/* Replaces the contents of a buffer. */
static bool taco__places_keep(taco__buf *b, taco_bytes text, taco_error *err)
{
    b->len = 0;
    return taco__buf_append(b, text.data, text.len, err);
}

/* ---- passes over the rows of a level ---- */

/* Columns of a level, read in slices; SIZE_MAX for one that is not read. */
typedef struct taco__places_columns {
    taco__row_reader rows;
    taco__range_cache cache; /* of a remote file: all of them, read in one round */
    size_t id, type, offset, size, source;
} taco__places_columns;

static size_t taco__places_add_column(size_t column, size_t *which, size_t *n)
{
    if (column == TACO__NONE) { return SIZE_MAX; }
    which[*n] = column;
    return (*n)++;
}

static void taco__places_close(taco__places_columns *c)
{
    taco__row_reader_close(&c->rows);
    taco__range_cache_free(&c->cache);
}

/* Reads the columns of a remote file at once: slices would take a round each. */
static bool taco__places_fetch(taco__places *p, const taco__level *l, taco__places_columns *c,
                               taco_error *err)
{
    taco__file *file = l->table.pq ? l->table.pq->part.file : NULL;
    taco__buf ranges;
    bool ok;
    if (!file || !file->src.read_many) { return true; }
    memset(&ranges, 0, sizeof ranges);
    ranges.mem = p->s->mem;
    ok = taco__table_reader_need_columns(&c->rows, NULL, &ranges, err) &&
         taco__range_cache_fetch(&c->cache, file, &ranges, err);
    taco__buf_free(&ranges);
    return ok;
}

static bool taco__places_open(taco__places *p, const taco__level *l, bool names, bool places,
                              taco__places_columns *c, taco_error *err)
{
    const taco__column_roles *r = &l->role;
    size_t which[5], n = 0;
    c->id = taco__places_add_column(names ? r->id : TACO__NONE, which, &n);
    c->type = taco__places_add_column(names ? r->type : TACO__NONE, which, &n);
    c->offset = taco__places_add_column(places ? r->offset : TACO__NONE, which, &n);
    c->size = taco__places_add_column(places ? r->size : TACO__NONE, which, &n);
    c->source = taco__places_add_column(p->s->kind == TACO_KIND_TACOCAT ? r->source : TACO__NONE,
                                        which, &n);
    taco__range_cache_init(&c->cache, p->s->mem);
    if (!taco__row_reader_open(&c->rows, &l->table, which, n, p->s->mem, err)) { return false; }
    if (taco__places_fetch(p, l, c, err)) { return true; }
    taco__places_close(c);
    return false;
}

/* Reads the slice that begins at row `at`, before row `end`; *n gets its rows. */
static bool taco__places_read(taco__places_columns *c, uint64_t at, uint64_t end, size_t *n,
                              taco_error *err)
{
    *n = (size_t)TACO__MIN(end - at, (uint64_t)TACO__BATCH_ROWS);
    return taco__row_reader_read_range(&c->rows, at, *n, err);
}

static taco_bytes taco__places_text(const taco__places_columns *c, size_t column, size_t i)
{
    return column == SIZE_MAX ? taco__bytes_of(NULL, 0)
                              : taco_array_bytes(&c->rows.arrays[column], i);
}

/* ---- FOLDERs that are not in byte order ---- */

/* Whether the path a/ is after b/. */
static bool taco__places_is_after(taco_bytes a, taco_bytes b)
{
    const size_t n = TACO__MIN(a.len, b.len);
    const int order = n ? memcmp(a.data, b.data, n) : 0;
    if (order || a.len == b.len) { return order > 0; }
    return a.len < b.len ? b.data[n] < '/' : a.data[n] > '/';
}

/* Marks the archive that a row is of. */
static bool taco__places_mark(taco__places *p, taco_bytes source, taco_error *err)
{
    const char *copy;
    bool added;
    p->any = true;
    if (p->s->kind != TACO_KIND_TACOCAT || taco__hash_map_find(&p->suspected, source)) {
        return true;
    }
    copy = taco__arena_text(&p->arena, source, err);
    return copy && taco__hash_map_add(&p->suspected, taco__bytes_of(copy, source.len), &added, err);
}

/* The FOLDER before the current row, in the same archive: its id is p->last. */
typedef struct taco__places_before {
    bool any;
    int32_t parent;
    taco_bytes source;
} taco__places_before;

/* Compares row i of a slice with the FOLDER before it, which it then becomes. */
static bool taco__places_compare(taco__places *p, const taco__places_columns *c, size_t i,
                                 int32_t parent, taco__places_before *b, taco_error *err)
{
    const taco_bytes id = taco__places_text(c, c->id, i),
                     source = taco__places_text(c, c->source, i);
    const char *copy;
    if (c->type != SIZE_MAX &&
        taco__sample_path_parse_type(taco__places_text(c, c->type, i)) != 1) {
        return true;
    }
    if (b->any && !taco__bytes_equal(b->source, source)) { b->any = false; }
    if (b->any &&
        (b->parent > parent ||
         (b->parent == parent &&
          taco__places_is_after(taco__bytes_of(p->last.data, p->last.len), id))) &&
        !taco__places_mark(p, source, err)) {
        return false;
    }
    if (!b->any && source.len) {
        copy = taco__arena_text(&p->arena, source, err);
        if (!copy) { return false; }
        b->source = taco__bytes_of(copy, source.len);
    }
    b->any = true;
    b->parent = parent;
    return taco__places_keep(&p->last, id, err);
}

/* Looks for FOLDERs of a level that are not in the byte order of their paths. */
static bool taco__places_suspect(taco__places *p, uint32_t level, taco_error *err)
{
    taco__level *l = taco__container_level(p->s, level, err);
    taco__places_columns c;
    taco__places_before b;
    uint64_t at;
    size_t n, i;
    bool ok;
    memset(&b, 0, sizeof b);
    if (!l || (level && !taco__join_make_parents(p->s, level, err)) ||
        !taco__places_open(p, l, true, false, &c, err)) {
        return false;
    }
    ok = true;
    for (at = 0; ok && at < l->table.rows; at += n) {
        ok = taco__places_read(&c, at, l->table.rows, &n, err);
        for (i = 0; ok && i < n; i++) {
            ok = taco__places_compare(p, &c, i, level ? l->parents[(size_t)at + i] : 0, &b, err);
        }
        /* one archive needs no second reason */
        if (p->any && p->s->kind == TACO_KIND_ZIP) { break; }
    }
    taco__places_close(&c);
    return ok || taco__container_fail(p->s, l->name, err);
}

/* ---- the central directory ---- */

static bool taco__places_is_payload(taco_bytes name)
{
    return name.len > 5 && memcmp(name.data, "DATA/", 5) == 0;
}

/* Order by local header. */
static int taco__places_by_local(const void *ctx, const void *a, const void *b)
{
    const uint64_t x = ((const taco__places_entry *)a)->local,
                   y = ((const taco__places_entry *)b)->local;
    (void)ctx;
    return x < y ? -1 : x > y;
}

static int taco__places_by_number(const void *ctx, const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    (void)ctx;
    return x < y ? -1 : x > y;
}

/* Reads the entries, whose local headers are then in order: each ends where the next one begins. */
static bool taco__places_list_entries(taco__places *p, const taco__zip_dir *dir,
                                      taco_bytes directory, taco_error *err)
{
    taco__zip_iter it = taco__zip_iter_init(directory, dir);
    taco__places_entry *list, one;
    taco__zip_entry e;
    size_t n, i;
    memset(&one, 0, sizeof one);
    p->entries.len = 0;
    while (taco__zip_next(&it, &e, err)) {
        one.local = e.local;
        one.size = e.csize;
        one.name_len = e.name.len;
        if (!taco__buf_append(&p->entries, &one, sizeof one, err)) { return false; }
    }
    n = p->entries.len / sizeof one;
    list = (taco__places_entry *)(void *)p->entries.data;
    if (it.bad ||
        !taco__sort_in(p->s->mem, list, n, sizeof *list, taco__places_by_local, NULL, err)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        list[i].next = i + 1 < n ? list[i + 1].local : dir->offset;
    }
    return true;
}

/* The entry whose local header is there. */
static size_t taco__places_find_local(const taco__places *p, uint64_t local)
{
    const taco__places_entry *list = (const taco__places_entry *)(const void *)p->entries.data;
    size_t at = 0;
    TACO__LOWER_BOUND(at, p->entries.len / sizeof *list, i, list[i].local < local);
    return at;
}

/* Maps the names of payloads and __meta__ to their entries; of two with a name the last one. */
static bool taco__places_index_names(taco__places *p, const taco__zip_dir *dir,
                                     taco_bytes directory, taco_error *err)
{
    taco__zip_iter it = taco__zip_iter_init(directory, dir);
    taco__zip_entry e;
    if (!taco__hash_map_reset(&p->by_name, p->entries.len / sizeof(taco__places_entry), err)) {
        return false;
    }
    while (taco__zip_next(&it, &e, err)) {
        taco__hash_slot *slot;
        bool added;
        if (!taco__places_is_payload(e.name)) { continue; }
        slot = taco__hash_map_add(&p->by_name, e.name, &added, err);
        if (!slot) { return false; }
        slot->value = taco__places_find_local(p, e.local);
    }
    return !it.bad;
}

/* The file of an archive: the container's own, or one of a catalogue. */
static taco__file *taco__places_file(taco__places *p, taco_bytes source, taco_error *err)
{
    if (p->s->kind == TACO_KIND_ZIP) { return &p->s->file; }
    return taco__vsi_check_name(source, TACO__SOURCE_FILE, err) == TACO_OK
               ? taco__container_open_archive(p->s, source, err)
               : NULL;
}

static bool taco__places_read_directory(taco__places *p, taco__file *f, taco_error *err)
{
    taco__zip_dir dir;
    taco_bytes directory;
    if (taco__zip_open(f, &dir, &p->directory, err) == TACO_OK &&
        taco__zip_read_directory(f, &dir, p->s->options->limits.max_metadata, &p->directory,
                                 &directory, err) == TACO_OK &&
        taco__places_list_entries(p, &dir, directory, err) &&
        taco__places_index_names(p, &dir, directory, err)) {
        return true;
    }
    taco__error_prefix(err, "FOLDERs are not in byte order, and whether internal:offset leads to "
                            "other samples is known by the central directory alone");
    return false;
}

/* ---- the place of a row ---- */

/* Appends the id of a row of a level above, and those of its ancestors before it. */
static bool taco__places_append_ids(taco__places *p, uint32_t level, int32_t row, taco_error *err)
{
    const taco__places_ids *x = &p->ids[level];
    const size_t *ends = (const size_t *)(const void *)x->ends.data;
    size_t begin;
    if (row < 0 || (size_t)row >= x->ends.len / sizeof *ends) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "a row without a parent");
        return false;
    }
    begin = row ? ends[row - 1] : 0;
    return (!level ||
            taco__places_append_ids(p, level - 1, p->s->levels[level].parents[row], err)) &&
           taco__buf_append(&p->path, x->bytes.data + begin, ends[row] - begin, err) &&
           taco__buf_append_char(&p->path, '/', err);
}

/* Makes p->path: the name of the entry of a row, whose slice is in c. */
static bool taco__places_make_path(taco__places *p, const taco__places_columns *c, uint32_t level,
                                   uint64_t row, size_t i, taco_error *err)
{
    const taco_bytes id = taco__places_text(c, c->id, i);
    p->path.len = 0;
    return taco__buf_append_text(&p->path, "DATA/", err) &&
           taco__places_append_ids(p, level - 1, p->s->levels[level].parents[(size_t)row], err) &&
           taco__buf_append(&p->path, id.data, id.len, err) &&
           (taco__sample_path_parse_type(taco__places_text(c, c->type, i)) != 1 ||
            taco__buf_append_text(&p->path, "/__meta__", err));
}

/* Where the bytes of an entry begin, from its local header (APPNOTE 4.3.7). */
static bool taco__places_read_local(taco__file *f, const taco__places_entry *e, uint64_t *at,
                                    taco__buf *scratch, taco_error *err)
{
    const uint8_t *h = taco__file_view(f, e->local, TACO__ZIP_LOCAL_BYTES, scratch, err);
    if (!h) { return false; }
    *at = e->local + TACO__ZIP_LOCAL_BYTES + taco__load_le16(h + 26) + taco__load_le16(h + 28);
    if (taco__load_le32(h) == TACO__ZIP_SIG_LOCAL && *at <= e->next && e->size <= e->next - *at) {
        return true;
    }
    TACO__FAIL(err, TACO_ERR_CORRUPT, e->local, "ZIP: no local header of %u bytes is here",
               e->size);
    return false;
}

/* Sets the place of a row to that of its entry. */
static bool taco__places_set(taco__places *p, taco__file *f, uint64_t row, taco__buf *scratch,
                             taco_error *err)
{
    const uint64_t *stored = (const uint64_t *)(const void *)p->stored.data;
    const taco__hash_slot *slot =
        taco__hash_map_find(&p->by_name, taco__bytes_of(p->path.data, p->path.len));
    const taco_bytes name = taco__bytes_of(p->path.data, p->path.len);
    const taco__places_entry *e;
    uint64_t head, at;
    size_t low = 0;
    if (!slot) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "row %u: the central directory has no entry %q, so the place of the sample is "
                   "not known",
                   row, &name);
        return false;
    }
    e = (const taco__places_entry *)(const void *)p->entries.data + (size_t)slot->value;
    head = e->local + TACO__ZIP_LOCAL_BYTES + e->name_len;
    TACO__LOWER_BOUND(low, p->stored.len / sizeof *stored, i, stored[i] < head);
    at = low < p->stored.len / sizeof *stored ? stored[low] : UINT64_MAX;
    if ((at > e->next || e->size > e->next - at) &&
        !taco__places_read_local(f, e, &at, scratch, err)) {
        return false;
    }
    p->changed += p->offset[row] != at || p->size[row] != e->size;
    p->offset[row] = at;
    p->size[row] = e->size;
    return true;
}

/* Sorts the places that the rows of a run have. */
static bool taco__places_sort_stored(taco__places *p, const taco__places_run *run, taco_error *err)
{
    p->stored.len = 0;
    return taco__buf_append(&p->stored, p->offset + (size_t)run->first,
                            (size_t)run->count * sizeof *p->offset, err) &&
           taco__sort_in(p->s->mem, p->stored.data, (size_t)run->count, sizeof *p->offset,
                         taco__places_by_number, NULL, err);
}

/* Sets the places of all rows of an archive. */
static bool taco__places_set_run(taco__places *p, uint32_t level, const taco__places_run *run,
                                 taco__places_columns *c, taco_error *err)
{
    taco__file *f = taco__places_file(p, run->source, err);
    const uint64_t end = run->first + run->count;
    taco__buf scratch;
    uint64_t at;
    size_t n, i;
    bool ok = f && taco__places_read_directory(p, f, err) && taco__places_sort_stored(p, run, err);
    memset(&scratch, 0, sizeof scratch);
    scratch.mem = p->s->mem;
    for (at = run->first; ok && at < end; at += n) {
        ok = taco__places_read(c, at, end, &n, err);
        for (i = 0; ok && i < n; i++) {
            ok = taco__places_make_path(p, c, level, at + i, i, err) &&
                 taco__places_set(p, f, at + i, &scratch, err);
        }
    }
    taco__buf_free(&scratch);
    if (!ok && run->source.len) { taco__error_prefix(err, "%q", &run->source); }
    return ok;
}

/* ---- a level ---- */

/* Loads the ids of a level above. */
static bool taco__places_load_ids(taco__places *p, uint32_t level, taco_error *err)
{
    taco__level *l = taco__container_level(p->s, level, err);
    taco__places_ids *x = &p->ids[level];
    taco__places_columns c;
    uint64_t at;
    size_t n, i;
    bool ok;
    if (x->ends.len) { return true; }
    if (!l || (level && !taco__join_make_parents(p->s, level, err)) ||
        !taco__places_open(p, l, true, false, &c, err)) {
        return false;
    }
    ok = true;
    for (at = 0; ok && at < l->table.rows; at += n) {
        ok = taco__places_read(&c, at, l->table.rows, &n, err);
        for (i = 0; ok && i < n; i++) {
            const taco_bytes id = taco__places_text(&c, c.id, i);
            ok = taco__buf_append(&x->bytes, id.data, id.len, err) &&
                 taco__buf_append(&x->ends, &x->bytes.len, sizeof x->bytes.len, err);
        }
    }
    taco__places_close(&c);
    return ok;
}

/* Adds a row to the run of its archive, or begins one. */
static bool taco__places_add_to_run(taco__places *p, taco_bytes source, uint64_t row,
                                    taco_error *err)
{
    const size_t n = p->runs.len / sizeof(taco__places_run);
    taco__places_run *run = n ? (taco__places_run *)(void *)p->runs.data + (n - 1) : NULL, one;
    const char *copy;
    if (run && taco__bytes_equal(run->source, source)) {
        run->count++;
        return true;
    }
    copy = taco__arena_text(&p->arena, source, err);
    one.first = row;
    one.count = 1;
    one.source = taco__bytes_of(copy, source.len);
    return copy && taco__buf_append(&p->runs, &one, sizeof one, err);
}

/* Reads the stored places of all rows, and divides them into runs. */
static bool taco__places_load(taco__places *p, const taco__level *l, taco_error *err)
{
    taco__places_columns c;
    uint64_t at;
    size_t n, i;
    bool ok;
    p->runs.len = 0;
    p->changed = 0;
    p->offset = (uint64_t *)taco__arena_array(p->s->arena, (size_t)l->table.rows + 1,
                                              2 * sizeof *p->offset, err);
    if (!p->offset || !taco__places_open(p, l, false, true, &c, err)) { return false; }
    p->size = p->offset + (size_t)l->table.rows + 1;
    ok = true;
    for (at = 0; ok && at < l->table.rows; at += n) {
        ok = taco__places_read(&c, at, l->table.rows, &n, err);
        for (i = 0; ok && i < n; i++) {
            p->offset[at + i] = (uint64_t)taco_array_int(&c.rows.arrays[c.offset], i);
            p->size[at + i] = (uint64_t)taco_array_int(&c.rows.arrays[c.size], i);
            ok = taco__places_add_to_run(p, taco__places_text(&c, c.source, i), at + i, err);
        }
    }
    taco__places_close(&c);
    return ok;
}

/* Replaces the places of a level, and warns, once for a dataset. */
static void taco__places_replace(taco__places *p, taco__level *l)
{
    taco_error why = {0, TACO_OK, 0, {0}};
    l->replaced.column[0] = l->role.offset;
    l->replaced.column[1] = l->role.size;
    l->replaced.values[0] = (const int64_t *)(const void *)p->offset;
    l->replaced.values[1] = (const int64_t *)(const void *)p->size;
    l->table.replaced = &l->replaced;
    l->places = 2;
    if (p->s->told_places) { return; }
    p->s->told_places = true;
    TACO__FAIL(
        &why, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
        "internal:offset of %u of %u rows leads to other samples, as its writer took FOLDERs "
        "in the order of their names; the central directory is used instead (taco repair "
        "writes a right one)",
        p->changed, l->table.rows);
    taco__container_warn(p->s, &why, l->name);
}

/* Compares the places of a level with the central directories of suspected archives. */
static bool taco__places_check_level(taco__places *p, uint32_t level, taco_error *err)
{
    taco__level *l = &p->s->levels[level];
    const taco__places_run *run;
    taco__places_columns c;
    uint32_t above;
    size_t i;
    bool ok = true;
    for (above = 0; ok && above < level; above++) {
        ok = taco__places_load_ids(p, above, err);
    }
    if (!ok || !taco__join_make_parents(p->s, level, err) || !taco__places_load(p, l, err) ||
        !taco__places_open(p, l, true, false, &c, err)) {
        return false;
    }
    run = (const taco__places_run *)(const void *)p->runs.data;
    for (i = 0; ok && i < p->runs.len / sizeof *run; i++) {
        taco__hash_slot *slot = taco__hash_map_find(&p->suspected, run[i].source);
        if (p->s->kind == TACO_KIND_TACOCAT && !slot) { continue; }
        /* writers keep the rows of an archive together: otherwise it would be read many times */
        if (slot && slot->value++ >= TACO__PLACES_RUNS) {
            TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                       "rows of %q are in more than %u places of the table", &run[i].source,
                       TACO__U(TACO__PLACES_RUNS));
            ok = false;
        }
        ok = ok && taco__places_set_run(p, level, &run[i], &c, err);
    }
    taco__places_close(&c);
    if (ok && p->changed) { taco__places_replace(p, l); }
    return ok;
}

/* Whether our own writer has made a table: it takes places from the samples themselves. */
static bool taco__places_is_ours(const taco__table *t)
{
    const taco_bytes by = t->pq ? t->pq->meta.created_by : taco__bytes_of(NULL, 0);
    return by.len > 15 && memcmp(by.data, "taco.h version ", 15) == 0;
}

/* Whether a level has what is compared; if not, whoever needs it says so. */
static bool taco__places_can_compare(const taco__container *s, const taco__level *l)
{
    const taco__column_roles *r = &l->role;
    const taco_field *f = l->table.fields;
    if (s->kind == TACO_KIND_TACOCAT &&
        (r->source == TACO__NONE || f[r->source].type != TACO_TEXT)) {
        return false;
    }
    return r->id != TACO__NONE && r->type != TACO__NONE && r->offset != TACO__NONE &&
           r->size != TACO__NONE && f[r->id].type == TACO_TEXT && f[r->type].type == TACO_TEXT &&
           taco__join_is_integer(f[r->offset].type) && f[r->offset].width == 8 &&
           taco__join_is_integer(f[r->size].type) && f[r->size].width == 8 && l->table.pq;
}

TACO__FN bool taco__places_check(taco__container *s, uint32_t level, taco_error *err)
{
    taco__level *l = level && !s->format && s->kind != TACO_KIND_FOLDER
                         ? taco__container_level(s, level, err)
                         : NULL;
    taco__places p;
    uint32_t above;
    bool ok = true;
    if (!l) { return level == 0 || s->format || s->kind == TACO_KIND_FOLDER; }
    if (l->places || !taco__places_can_compare(s, l) || taco__places_is_ours(&l->table)) {
        return true;
    }
    taco__places_init(&p, s);
    for (above = 0; ok && above < level; above++) {
        ok = taco__places_suspect(&p, above, err);
    }
    if (ok && p.any) { ok = taco__places_check_level(&p, level, err); }
    taco__places_free(&p);
    if (ok && !l->places) { l->places = 1; }
    return ok || taco__container_fail(s, l->name, err);
}
