/* v3_check.c - taco_validate of TACO 3: the collection, the archive, the files of a FOLDER, the
   archives of a catalogue

   In: an open dataset, whose index and contract are therefore in order; out: problems in
   taco__findings. What readers need was checked when it was opened; here comes what they can do
   without: texts of the collection, the central directory against the tables, payloads (deep),
   files that no row lists, archives that taco:sources names. Tables and their rows are in
   v3_check_level.c. Start reading at taco__v3_check. */
#include "v3.h"
#include "../validate/validate.h"

/* ---- COLLECTION.json ---- */

/* Whether a member is a list of at least one object or text; of objects, that each has a name. */
static void taco__v3_check_list(taco__findings *f, const taco__json *root, const char *key,
                                taco__json_type type)
{
    const taco__json *list = taco__json_get(root, key), *item;
    size_t i, n = taco__json_length(list);
    if (n == 0) {
        TACO__FINDINGS_ERROR(f, "%s must be a list that is not empty, found %s", key,
                             taco__json_type_name(list));
    }
    for (i = 0, item = taco__json_first(list); i < n; i++, item = taco__json_next(item)) {
        if (!taco__json_is(item, type)) {
            TACO__FINDINGS_ERROR(f, "%s[%u] is %s", key, TACO__U(i), taco__json_type_name(item));
        } else if (type == TACO__JSON_OBJECT && !taco__json_text(taco__json_get(item, "name"))) {
            TACO__FINDINGS_ERROR(f, "%s[%u] has no name", key, TACO__U(i));
        }
    }
}

/* Keys without a namespace are those of the specification. */
static void taco__v3_check_keys_known(taco__findings *f, const taco__json *root)
{
    static const char *const known[] = {"id",     "description",    "licenses", "providers",
                                        "tasks",  "title",          "curators", "keywords",
                                        "extent", "dataset_version"};
    const taco__json *key;
    uint32_t i;
    size_t k;
    for (i = 0, key = taco__json_first(root); i < root->count;
         i++, key = taco__json_next(key + 1)) {
        taco_bytes name = taco__json_bytes(key);
        for (k = 0; k < TACO__COUNT(known) && !taco__bytes_equal(name, taco__bytes_text(known[k]));
             k++) {}
        if (k == TACO__COUNT(known) && !memchr(name.data, ':', name.len)) {
            TACO__FINDINGS_ERROR(f, "key %q is unknown, and has no namespace", &name);
        }
    }
}

/* The characters of a declared path. */
static void taco__v3_check_path_text(taco__findings *f, const char *path)
{
    size_t i, n = strlen(path);
    taco_bytes name = taco__bytes_text(path);
    for (i = 0; i < n; i++) {
        if (strchr("<>:\"\\|?", path[i]) || (path[i] == '_' && path[i + 1] == '_') ||
            ((path[i] == ' ' || path[i] == '.') && (!path[i + 1] || path[i + 1] == '/'))) {
            TACO__FINDINGS_ERROR(f, "taco:structure: %q is not a portable path, at character %u",
                                 &name, TACO__U(i));
            return;
        }
    }
}

static void taco__v3_check_collection(taco__findings *f, const taco__v3_store *x)
{
    const taco__collection *c = &x->s->coll;
    const taco__json *root = c->doc.root;
    taco_error e;
    size_t i;
    taco__findings_set_place(f, "COLLECTION.json");
    memset(&e, 0, sizeof e);
    taco__v3_check_keys_known(f, root);
    if (!*c->id || strpbrk(c->id, "/\\:")) {
        TACO__FINDINGS_ERROR(f, "id must be a text without '/', '\\' and ':'");
    }
    if (!c->description) { TACO__FINDINGS_ERROR(f, "description must be a text"); }
    taco__v3_check_list(f, root, "licenses", TACO__JSON_STRING);
    taco__v3_check_list(f, root, "providers", TACO__JSON_OBJECT);
    if (taco__json_get(root, "tasks")) { taco__v3_check_list(f, root, "tasks", TACO__JSON_STRING); }
    if (taco__collection_check_extent(c, &e) != TACO_OK) { taco__findings_report(f, true, &e); }
    for (i = 0; i < x->contract.file_count; i++) {
        taco__v3_check_path_text(f, x->contract.files[i].path);
    }
    if ((x->s->kind == TACO_KIND_TACOCAT) != (c->sources != NULL)) {
        TACO__FINDINGS_ERROR(f, "taco:sources must be in the collection of a catalogue, and in no "
                                "other");
    }
}

/* ---- archives ---- */

/* Entries that no row names. */
static void taco__v3_check_list_own(taco__v3_check *c)
{
    size_t i;
    for (i = 0; i < c->zip.count; i++) {
        taco_bytes name = taco__check_zip_name(&c->zip, &c->zip.entries[i]);
        if (taco__bytes_starts_with(name, "METADATA/") ||
            taco__bytes_equal(name, taco__bytes_text("COLLECTION.json")) ||
            taco__bytes_starts_with(name, "__cozip_")) {
            c->zip.entries[i].listed = true;
        }
    }
}

/* The records of the archive: stored entries, no comment, nothing between or behind them. */
static bool taco__v3_check_archive(taco__v3_check *c, taco_error *err)
{
    taco__container *s = c->x->s;
    c->zip.f = c->f;
    c->zip.file = &s->file;
    c->zip.mem = s->mem;
    c->zip.arena = s->arena;
    c->zip.options = s->options;
    if (!taco__check_zip_records(&c->zip, s->options->limits.max_metadata, err)) { return false; }
    if (c->zip.dir.comment) {
        TACO__FINDINGS_ERROR(c->f, "an archive comment of %u bytes", TACO__U(c->zip.dir.comment));
    }
    taco__v3_check_list_own(c);
    taco__findings_end_table(c->f, "central directory");
    return true;
}

/* ---- FOLDERs ---- */

static bool taco__v3_check_folder(taco__v3_check *c, taco_error *err)
{
    return taco__check_unlisted_below(c->f, c->x->s, "DATA/", &c->files, err);
}

/* ---- catalogues ---- */

/* Samples of each archive, counted from the rows. */
static uint64_t taco__v3_check_count(const taco__v3_store *x, taco_bytes name, uint64_t rows)
{
    const taco__hash_slot *slot = taco__hash_map_find(&x->source_names, name);
    uint64_t i, n = 0;
    for (i = 0; slot && i < rows; i++) {
        n += x->places[0].source[(size_t)i] == slot->value;
    }
    return n;
}

/* One archive of taco:sources. */
static bool taco__v3_check_part(taco__v3_check *c, const taco__json *part, taco__hash_map *seen,
                                uint64_t rows, taco_error *err)
{
    taco__container *s = c->x->s;
    taco_bytes name = taco__json_bytes(taco__json_get(part, "file"));
    const char *text = taco__arena_text(s->arena, name, err),
               *path = text ? taco__container_join_path(s, s->archive_dir, text, err) : NULL;
    int64_t samples = -1;
    uint64_t size, found = taco__v3_check_count(c->x, name, rows);
    taco_error e;
    bool added;
    if (!path || !taco__hash_map_add(seen, name, &added, err)) { return false; }
    memset(&e, 0, sizeof e);
    if (taco__vsi_check_path(name, false, "taco:sources file", &e) != TACO_OK) {
        taco__findings_report(c->f, true, &e);
    } else if (!s->options->open_file && !taco__vsi_is_remote(taco__bytes_text(path)) &&
               taco__plat_stat(path, &size) != TACO__PATH_FILE) {
        TACO__FINDINGS_ERROR(c->f, "there is no %q of taco:sources", &name);
    }
    if (!added) { TACO__FINDINGS_ERROR(c->f, "taco:sources has %q twice", &name); }
    if (!taco__json_int(taco__json_get(part, "samples"), &samples) || samples < 0 ||
        (uint64_t)samples != found) {
        TACO__FINDINGS_ERROR(c->f, "taco:sources has %d samples of %q, the tables have %u",
                             TACO__D(samples), &name, found);
    }
    return true;
}

static bool taco__v3_check_sources(taco__v3_check *c, taco_error *err)
{
    taco__v3_store *x = c->x;
    const taco__json *parts = taco__json_get(x->s->coll.sources, "partitions"), *part;
    taco__v3_table *t = taco__v3_level_table(x, 0, err);
    size_t i, n = taco__json_length(parts);
    taco__hash_map seen;
    int64_t samples = -1;
    bool ok = t && taco__v3_places_read(x, 0, err);
    if (!ok) { return false; }
    memset(&seen, 0, sizeof seen);
    seen.mem = x->s->mem;
    taco__findings_set_place(c->f, "COLLECTION.json");
    if (!taco__json_int(taco__json_get(x->s->coll.sources, "samples"), &samples) || samples < 0 ||
        (uint64_t)samples != t->t.rows) {
        TACO__FINDINGS_ERROR(c->f, "taco:sources has %d samples, sample.parquet has %u",
                             TACO__D(samples), t->t.rows);
    }
    for (i = 0, part = taco__json_first(parts); ok && i < n; i++, part = taco__json_next(part)) {
        ok = taco__v3_check_part(c, part, &seen, t->t.rows, err);
    }
    for (i = 0; ok && i < x->sources.len / sizeof(taco_bytes); i++) {
        taco_bytes name = ((const taco_bytes *)(const void *)x->sources.data)[i];
        if (!taco__hash_map_find(&seen, name)) {
            TACO__FINDINGS_ERROR(c->f,
                                 "the tables have an internal:source_file %q, which is not in "
                                 "taco:sources",
                                 &name);
        }
        if (name.len < 5 || memcmp(name.data + name.len - 4, ".zip", 4) != 0) {
            TACO__FINDINGS_ERROR(c->f, "internal:source_file %q does not end in .zip", &name);
        }
    }
    taco__hash_map_free(&seen);
    return ok;
}

/* ---- all ---- */

/* Checks of one container, in an order in which the first problem is the most telling. */
static bool taco__v3_check_store(taco__v3_check *c, taco_error *err)
{
    taco__v3_store *x = c->x;
    size_t i;
    taco__v3_check_collection(c->f, x);
    if (x->s->kind == TACO_KIND_ZIP && !taco__v3_check_archive(c, err)) { return false; }
    for (i = 0; i < x->contract.level_count && !c->f->stop; i++) {
        if (!taco__v3_check_level(c, i, err)) { return false; } /* problems are no failure */
    }
    if (x->s->kind == TACO_KIND_ZIP) {
        taco__check_zip_unlisted(&c->zip);
        return !c->f->how->deep || c->f->stop || taco__check_payloads_run(&c->zip, err);
    }
    return x->s->kind == TACO_KIND_FOLDER ? taco__v3_check_folder(c, err)
                                          : taco__v3_check_sources(c, err);
}

/* taco_opener.check. A failure that is about the dataset is one more problem. */
TACO__FN bool taco__v3_check_run(taco_dataset *ds, struct taco__findings *f, taco_error *err)
{
    size_t i;
    for (i = 0; i < ds->container_count; i++) {
        taco__v3_check c;
        taco_error e = {0, TACO_OK, 0, {0}};
        bool ok;
        memset(&c, 0, sizeof c);
        c.f = f;
        c.x = taco__v3_store_of(&ds->stores[i]);
        c.files.mem = &ds->mem;
        ok = taco__v3_check_store(&c, &e) || taco__findings_take_error(f, &e);
        if (c.zip.mem) { taco__check_zip_close(&c.zip); }
        taco__hash_map_free(&c.files);
        if (!ok) {
            *err = e;
            return false;
        }
    }
    return true;
}
