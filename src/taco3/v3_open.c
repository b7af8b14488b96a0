/* v3_open.c - the opener of TACO 3: archives, FOLDERs, catalogues, and lists of these

   In: paths. Out: a dataset with a container for each, whose level 0 is the wide relation. What is
   at a path is told by its first bytes (an entry __cozip__), or by the collection of a directory,
   never by a suffix or a version. An archive is read in two rounds: index and end, then collection
   and footers. Start reading at taco__v3_open. */
#include "v3.h"

/* Metadata of an archive up to this size is read in one piece. */
#define TACO__V3_WHOLE_BYTES 1048576
/* Most footers that are fetched with the collection. */
#define TACO__V3_FOOTERS 64

/* taco_opener.detect. A CoZIP of another profile is claimed as well: its message is then about
   that. */
static bool taco__v3_detect(taco__container *s, const char *path, taco_bytes head)
{
    (void)s;
    (void)path;
    return head.data && taco__cozip_is_head(head);
}

/* A key of TACO 3 that TACO 2 does not have, and not the other way around. */
static bool taco__v3_is_collection(taco_bytes json)
{
    return taco__bytes_find(json, 0, taco__bytes_text("\"taco:version\""), false) != SIZE_MAX &&
           taco__bytes_find(json, 0, taco__bytes_text("\"taco:pit_schema\""), false) == SIZE_MAX;
}

/* ---- the collection ---- */

/* Keys of the prefixes that are reserved must be known ones: a later draft may change what they
   mean. Of a key that occurs twice, readers take either. */
static bool taco__v3_open_check_keys(taco__container *s, const taco__json *root, taco_error *err)
{
    static const char *const known[] = {"taco:version", "taco:structure", "taco:metadata",
                                        "taco:sources", "taco:derived",   "taco:extensions"};
    const taco__json *key;
    taco__hash_map seen;
    uint32_t i;
    size_t k;
    bool ok = true, added;
    memset(&seen, 0, sizeof seen);
    seen.mem = s->mem;
    for (i = 0, key = taco__json_first(root); ok && i < root->count;
         i++, key = taco__json_next(key + 1)) {
        taco_bytes name = taco__json_bytes(key);
        ok = taco__hash_map_add(&seen, name, &added, err) != NULL;
        if (ok && !added) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, key->begin, "key %q occurs twice", &name);
            ok = false;
        }
        if (!ok || !(taco__bytes_starts_with(name, "taco:") ||
                     taco__bytes_starts_with(name, "internal:") ||
                     taco__bytes_starts_with(name, "cozip:"))) {
            continue;
        }
        for (k = 0; k < TACO__COUNT(known) && !taco__bytes_equal(name, taco__bytes_text(known[k]));
             k++) {}
        if (k == TACO__COUNT(known)) {
            TACO__FAIL(err, TACO_ERR_UNSUPPORTED, key->begin,
                       "key %q is reserved, and this reader does not know it", &name);
            ok = false;
        }
    }
    taco__hash_map_free(&seen);
    return ok;
}

/* Fills the collection from its parsed document. */
static bool taco__v3_read_members(taco__container *s, taco_error *err)
{
    taco__collection *c = &s->coll;
    const taco__json *root = c->doc.root, *version, *id;
    taco_bytes text;
    if (!taco__json_is(root, TACO__JSON_OBJECT)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "a collection must be a JSON object, found %s",
                   taco__json_type_name(root));
        return false;
    }
    if (!taco__v3_open_check_keys(s, root, err)) { return false; }
    version = taco__json_get(root, "taco:version");
    text = taco__json_bytes(version);
    if (!taco__bytes_equal(text, taco__bytes_text(TACO__V3_VERSION))) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, (version ? version : root)->begin,
                   version ? "taco:version is %q, " TACO__V3_VERSION " is supported"
                           : "there is no taco:version",
                   &text);
        return false;
    }
    id = taco__json_get(root, "id");
    c->id = taco__json_text(id);
    if (!c->id) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, (id ? id : root)->begin, "id must be a string, found %s",
                   taco__json_type_name(id));
        return false;
    }
    c->taco_version = TACO__V3_VERSION;
    c->dataset_version = taco__json_text(taco__json_get(root, "dataset_version"));
    c->description = taco__json_text(taco__json_get(root, "description"));
    c->title = taco__json_text(taco__json_get(root, "title"));
    c->providers = taco__json_get(root, "providers");
    c->curators = taco__json_get(root, "curators");
    c->extent = taco__json_get(root, "extent");
    c->sources = taco__json_get(root, "taco:sources");
    taco__collection_read_extent(c);
    return true;
}

/* Reads COLLECTION.json in a range of a file. */
static bool taco__v3_read_collection(taco__v3_store *x, taco__file *file, taco__range range,
                                     taco_error *err)
{
    taco__container *s = x->s;
    char *text;
    size_t len;
    if (range.len > s->options->limits.max_metadata || !taco__checked_to_size(range.len, &len)) {
        TACO__FAIL(err, TACO_ERR_LIMIT, range.offset, "%u bytes, limits.max_metadata is %u",
                   range.len, s->options->limits.max_metadata);
        taco__error_prefix(err, "COLLECTION.json");
        return false;
    }
    text = (char *)taco__arena_alloc(s->arena, len + 1, err);
    if (text && taco__file_read(file, range.offset, text, len, err) &&
        taco__json_parse(s->arena, taco__bytes_of(text, len), &s->options->limits, &s->coll.doc,
                         err) == TACO_OK &&
        taco__v3_read_members(s, err) &&
        taco__v3_contract_read(s->arena, s->coll.doc.root, &x->contract, err)) {
        return true;
    }
    taco__error_prefix(err, "COLLECTION.json");
    return false;
}

/* Makes room for what is known of each level and each file. */
static bool taco__v3_alloc(taco__v3_store *x, taco_error *err)
{
    taco__arena *a = x->s->arena;
    size_t n = x->contract.level_count, m = x->contract.file_count;
    x->tables = (taco__v3_table *)taco__arena_array(a, n, sizeof *x->tables, err);
    x->places = (taco__v3_places *)taco__arena_array(a, n, sizeof *x->places, err);
    x->rows = (taco__v3_rows *)taco__arena_array(a, m, sizeof *x->rows, err);
    x->sample_of = (int32_t **)taco__arena_array(a, n, sizeof *x->sample_of, err);
    x->mapped = (bool *)taco__arena_array(a, n, sizeof *x->mapped, err);
    x->windows = (taco__v3_window *)taco__arena_array(a, n, sizeof *x->windows, err);
    return x->windows && x->tables && x->places && x->rows && x->sample_of && x->mapped;
}

/* ---- archives ---- */

/* Fetches the collection and the tables, or their footers, in one round. */
static bool taco__v3_fetch(taco__container *s, const taco__cozip *index,
                           const taco__cozip_entry *collection, taco_error *err)
{
    taco__range want[TACO__V3_FOOTERS + 1];
    uint64_t begin = collection->range.offset, end = begin + collection->range.len;
    size_t i, n = 1;
    want[0] = collection->range;
    for (i = 0; i < index->count; i++) {
        const taco__cozip_entry *e = &index->entries[i];
        uint64_t tail = TACO__MIN(e->range.len, (uint64_t)TACO__PQ_FILE_TAIL);
        if (!taco__bytes_starts_with(e->name, "METADATA/")) { continue; }
        begin = TACO__MIN(begin, e->range.offset);
        end = TACO__MAX(end, e->range.offset + e->range.len);
        if (n <= TACO__V3_FOOTERS && s->file.src.read_many) {
            want[n].offset = e->range.offset + e->range.len - tail;
            want[n++].len = tail;
        }
    }
    if (end - begin <= taco__mem_ahead(s->mem, TACO__V3_WHOLE_BYTES)) {
        want[0].offset = begin;
        want[0].len = end - begin;
        n = 1;
    }
    return taco__file_fetch(&s->file, want, n, err);
}

/* The tables that the index lists must be the levels. */
static bool taco__v3_find_tables(taco__v3_store *x, const taco__cozip *index, taco_error *err)
{
    const taco__v3_contract *c = &x->contract;
    size_t i, n = 0;
    for (i = 0; i < c->level_count; i++) {
        const char *name = taco__container_join_path(x->s, "METADATA/", c->levels[i].file, err);
        const taco__cozip_entry *e = name ? taco__cozip_find(index, taco__bytes_text(name)) : NULL;
        if (!name) { return false; }
        if (!e) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "MISSING_ENTRY: taco:metadata has level %s, the index has no %s",
                       c->levels[i].name, name);
            return false;
        }
        x->tables[i].range = e->range;
    }
    for (i = 0; i < index->count; i++) {
        taco_bytes name = index->entries[i].name;
        n += taco__bytes_starts_with(name, "METADATA/") && name.len > 8 &&
             memcmp(name.data + name.len - 8, ".parquet", 8) == 0;
    }
    if (n != c->level_count) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "the index lists %u tables, taco:metadata has %u levels", TACO__U(n),
                   TACO__U(c->level_count));
        return false;
    }
    return true;
}

/* Opens an archive: its index, then the collection that the index locates, then the ranges of the
   tables that the collection demands. */
static bool taco__v3_open_archive(taco__v3_store *x, taco_error *err)
{
    taco__container *s = x->s;
    taco__cozip index;
    const taco__cozip_entry *collection;
    bool ok = taco__cozip_read(&s->file, s->arena, &s->options->limits, &index, err);
    collection = ok ? taco__cozip_find(&index, taco__bytes_text("COLLECTION.json")) : NULL;
    if (ok && !collection) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "MISSING_ENTRY: the index has no COLLECTION.json");
    }
    s->kind = TACO_KIND_ZIP;
    ok = ok && collection && taco__container_set_vsi_root(s, s->name, false, err) &&
         taco__v3_fetch(s, &index, collection, err) &&
         taco__v3_read_collection(x, &s->file, collection->range, err) && taco__v3_alloc(x, err) &&
         taco__v3_find_tables(x, &index, err);
    taco__cozip_free(&index);
    return ok;
}

/* ---- directories ---- */

/* Tables in a directory that the contract does not have. */
typedef struct taco__v3_stray {
    const taco__v3_contract *contract;
    char name[80];
} taco__v3_stray;

/* taco__plat_list_fn. */
static bool taco__v3_note_stray(void *ctx, const char *name, taco__path_kind kind)
{
    taco__v3_stray *stray = (taco__v3_stray *)ctx;
    size_t i, n = TACO__MIN(strlen(name), sizeof stray->name - 1);
    if (kind == TACO__PATH_DIRECTORY || !taco__container_ends_with(name, ".parquet")) {
        return true;
    }
    for (i = 0; i < stray->contract->level_count; i++) {
        if (strcmp(stray->contract->levels[i].file, name) == 0) { return true; }
    }
    memcpy(stray->name, name, n);
    return false;
}

/* On disk, the tables must be the levels; elsewhere a missing one is noticed when it is used. */
static bool taco__v3_check_directory(taco__v3_store *x, const char *dir, taco_error *err)
{
    taco__container *s = x->s;
    taco__v3_stray stray;
    taco_bytes name;
    uint64_t size;
    size_t i;
    if (s->options->open_file || taco__vsi_is_remote(taco__bytes_text(dir))) { return true; }
    for (i = 0; i < x->contract.level_count; i++) {
        const char *path = taco__container_join_path(s, dir, x->contract.levels[i].file, err);
        if (!path) { return false; }
        if (taco__plat_stat(path, &size) != TACO__PATH_FILE) {
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "there is no %s, of level %s",
                       x->contract.levels[i].file, x->contract.levels[i].name);
            return false;
        }
    }
    memset(&stray, 0, sizeof stray);
    stray.contract = &x->contract;
    taco__plat_list_dir(dir, taco__v3_note_stray, &stray);
    name = taco__bytes_text(stray.name);
    if (name.len) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "taco:metadata has no level with the table %q", &name);
    }
    return !name.len;
}

/* Opens a FOLDER or a catalogue, whose collection container_open.c has recognized. */
static bool taco__v3_open_directory(taco__v3_store *x, taco_error *err)
{
    taco__container *s = x->s;
    const char *path = taco__container_join_path(s, s->dir, "COLLECTION.json", err), *dir;
    taco_source src;
    taco__file file;
    taco__range whole;
    bool ok;
    if (!path || !taco__source_open_path(s->options, path, &src, err)) { return false; }
    taco__file_init(&file, &src, "", s->mem);
    whole.offset = 0;
    whole.len = src.size;
    ok = taco__v3_read_collection(x, &file, whole, err);
    taco__file_close(&file);
    dir = s->kind == TACO_KIND_FOLDER ? taco__container_join_path(s, s->dir, "METADATA/", err)
                                      : s->dir;
    return ok && dir && taco__v3_alloc(x, err) && taco__v3_check_directory(x, dir, err);
}

/* ---- datasets ---- */

/* The value of a member as in the document. */
static taco_bytes taco__v3_raw(const taco__container *s, const char *key)
{
    const taco__json *n = taco__json_get(s->coll.doc.root, key);
    return n ? taco__json_raw(&s->coll.doc, n) : taco__bytes_of(NULL, 0);
}

/* A list of sources must be of one collection. */
static bool taco__v3_check_alike(const taco__v3 *all, const taco__container *s, taco_error *err)
{
    static const char *const keys[] = {"id", "taco:structure", "taco:metadata"};
    const taco__container *first = &all->ds->stores[0];
    size_t i;
    for (i = 0; i < TACO__COUNT(keys); i++) {
        if (!taco__bytes_equal(taco__v3_raw(s, keys[i]), taco__v3_raw(first, keys[i]))) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "cannot be read together with %s: another %s", first->name, keys[i]);
            return false;
        }
    }
    if (s->kind == TACO_KIND_TACOCAT || first->kind == TACO_KIND_TACOCAT) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "a catalogue cannot be one of several sources");
        return false;
    }
    return true;
}

/* Makes a detected container one of the dataset. */
static bool taco__v3_open_store(taco__v3 *all, size_t i, taco_error *err)
{
    taco__container *s = &all->ds->stores[i];
    taco__v3_store *x = (taco__v3_store *)taco__arena_alloc(s->arena, sizeof *x, err);
    if (!x) { return false; }
    x->all = all;
    x->index = i;
    x->s = s;
    x->source_names.mem = x->sources.mem = s->mem;
    s->format_state = x;
    s->level_count = 1;
    s->levels[0].name = "dataset";
    s->levels[0].present = s->levels[0].wide = true;
    if (!(s->file_open ? taco__v3_open_archive(x, err) : taco__v3_open_directory(x, err)) ||
        (i && !taco__v3_check_alike(all, s, err))) {
        taco__error_prefix(err, "%s", s->name);
        return false;
    }
    return true;
}

/* The last component of a path, without slashes at its end. */
static taco_bytes taco__v3_base_name(const char *path)
{
    size_t n = strlen(path), k;
    while (n > 1 && taco__plat_is_slash(path[n - 1])) {
        n--;
    }
    k = taco__plat_dir_length(path, n);
    return taco__bytes_of(path + k, n - k);
}

/* The values of source_file: base names, or paths where two of these are the same. */
static bool taco__v3_name_sources(taco_dataset *ds, taco_error *err)
{
    taco__hash_map seen;
    size_t i;
    bool ok = true, clash = false, added;
    memset(&seen, 0, sizeof seen);
    seen.mem = &ds->mem;
    for (i = 0; ok && i < ds->container_count; i++) {
        ok = taco__hash_map_add(&seen, taco__v3_base_name(ds->stores[i].name), &added, err) != NULL;
        clash = clash || !added;
    }
    taco__hash_map_free(&seen);
    for (i = 0; ok && i < ds->container_count; i++) {
        taco__v3_store *x = taco__v3_store_of(&ds->stores[i]);
        x->source = clash
                        ? ds->stores[i].name
                        : taco__arena_text(&ds->arena, taco__v3_base_name(ds->stores[i].name), err);
        ok = x->source != NULL;
    }
    return ok;
}

/* Opens the other sources of a list. */
static bool taco__v3_open_others(taco__v3 *all, const char *const *paths, size_t n, taco_error *err)
{
    taco_dataset *ds = all->ds;
    size_t i;
    if (!taco__dataset_reserve(ds, n, err)) { return false; }
    taco__v3_store_of(&ds->stores[0])->s = &ds->stores[0];
    for (i = 1; i < n; i++) {
        taco__container *s = &ds->stores[i];
        if (!paths[i]) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
            return false;
        }
        if (!taco__container_open_any(s, paths[i], NULL, &ds->mem, &ds->arena, &ds->options, true,
                                      err)) {
            return false;
        }
        ds->container_count++;
        if (s->format != taco__v3_format()) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "%s: cannot be read together with %s, a TACO 3", s->name,
                       ds->stores[0].name);
            return false;
        }
        if (!taco__v3_open_store(all, i, err)) { return false; }
    }
    return n == 1 || taco__v3_name_sources(ds, err);
}

/* taco_opener.open: the first container has been detected, the others are opened here. Their rows
   follow each other, and taco:sample_index runs over all of them. */
static bool taco__v3_open(taco_dataset *ds, const char *const *paths, size_t n, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__v3 *all = (taco__v3 *)taco__arena_alloc(&ds->arena, sizeof *all, err);
    err = err ? err : &own;
    if (!all) { return false; }
    all->ds = ds;
    all->text.mem = &ds->mem;
    if (!taco__v3_open_store(all, 0, err) || (n > 1 && !taco__v3_open_others(all, paths, n, err))) {
        return false;
    }
    all->level_count = taco__v3_store_of(&ds->stores[0])->contract.level_count;
    all->levels =
        (taco_dataset **)taco__arena_array(&ds->arena, all->level_count, sizeof *all->levels, err);
    return all->levels != NULL;
}

/* The tables as datasets use the files of this one: they are closed first. */
static void taco__v3_close(taco__container *s)
{
    taco__v3_store *x = taco__v3_store_of(s);
    size_t i;
    if (!x) { return; }
    for (i = 0; x->index == 0 && x->all->levels && i < x->all->level_count; i++) {
        taco_close(x->all->levels[i]);
    }
    for (i = 0; i < x->column_count; i++) {
        if (x->columns[i].is_held) { taco__row_reader_close(&x->columns[i].held); }
    }
    if (x->index == 0) { taco__buf_free(&x->all->text); }
    taco__v3_window_free(x);
    taco__v3_level_close_tables(x);
    taco__hash_map_free(&x->source_names);
    taco__buf_free(&x->sources);
}

/* Level 0 has ids, and rows of several files each. */
static void taco__v3_roles(const taco__table *t, taco__column_roles *r)
{
    size_t id = taco__table_find_column(t, "id");
    memset(r, 0xFF, sizeof *r);
    r->id = id;
}

static const taco_opener taco__v3_opener = {"taco3",
                                            taco__v3_detect,
                                            taco__v3_open,
                                            taco__v3_wide_read,
                                            NULL,
                                            taco__v3_roles,
                                            NULL,
                                            taco__v3_filter_bbox,
                                            taco__v3_filter_time,
                                            taco__v3_close,
                                            NULL,
                                            taco__v3_check_run,
                                            taco__v3_is_collection,
                                            taco__v3_level_open,
                                            taco__v3_walk,
                                            taco__v3_walk_read,
                                            taco__v3_info_write,
                                            NULL};

TACO__FN const taco_opener *taco__v3_format(void)
{
    return &taco__v3_opener;
}

TACO_API const taco_opener *taco_v3_opener(void)
{
    return &taco__v3_opener;
}
