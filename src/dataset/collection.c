/* collection.c - COLLECTION.json: what a dataset is, and its PIT schema

   In: the bytes of the document. Out: a taco__collection in an arena, every text and number of it
   checked or defaulted. TACO 2.0 §5.5, §5.5.2, §6.

   taco__collection_parse copies the text, parses it with base/json_read.c, and extracts the
   members. Only two of them can make it fail: `id`, and `taco:pit_schema`, which
   taco__collection_read_pit parses level by level and pattern by pattern. An error has the offset
   of the value it is about. The second half compares trees (taco_open_many), checks the extent for
   validation, and prints the parts of the document that `taco info --json` shows. */
#include "collection.h"
#include "../base/base.h"
#include "../base/json.h"

/* ---- reading ---- */

/* The word for a type of sample. */
TACO__FN TACO__ONCE const char *taco__collection_type_name(bool folder)
{
    return folder ? "FOLDER" : "FILE";
}

/* Reads FILE or FOLDER into *folder; false for everything else. */
static TACO__ONCE bool taco__collection_read_type(const taco__json *n, bool *folder)
{
    *folder = taco__json_equals(n, "FOLDER");
    return *folder || taco__json_equals(n, "FILE");
}

/* The strings in an array, skipping other values. A lone string is read as an array of one. */
static TACO__ONCE bool taco__collection_read_texts(taco__arena *arena, const taco__json *n,
                                                   taco__collection_texts *out, taco_error *err)
{
    bool lone = taco__json_is(n, TACO__JSON_STRING);
    size_t count = lone ? 1 : taco__json_length(n), i;
    const taco__json *item;
    const char **items;
    if (!count) { return true; }
    items = (const char **)taco__arena_array(arena, count, sizeof *items, err);
    if (!items) { return false; }
    for (i = 0, item = lone ? n : taco__json_first(n); i < count;
         i++, item = taco__json_next(item)) {
        if (taco__json_text(item)) { items[out->count++] = item->text; }
    }
    out->items = items;
    return true;
}

/* Four numbers and two strings, or nothing: a dataset opens without them, and validation reports
   mistakes. */
TACO__FN TACO__ONCE void taco__collection_read_extent(taco__collection *c)
{
    const taco__json *spatial = taco__json_get(c->extent, "spatial"),
                     *temporal = taco__json_get(c->extent, "temporal");
    size_t i;
    c->has_spatial = taco__json_length(spatial) == 4;
    for (i = 0; i < 4; i++) {
        if (!taco__json_double(taco__json_at(spatial, i), &c->spatial[i])) {
            c->has_spatial = false;
        }
    }
    c->temporal[0] = taco__json_text(taco__json_at(temporal, 0));
    c->temporal[1] = taco__json_text(taco__json_at(temporal, 1));
    c->has_temporal = taco__json_length(temporal) == 2 && c->temporal[0] && c->temporal[1];
}

/* A member of a pattern, which must be a non-empty array. path is "taco:pit_schema.hierarchy.1". */
static TACO__ONCE const taco__json *taco__collection_get_list(const taco__json *pattern,
                                                              const char *path, size_t index,
                                                              const char *key, taco_error *err)
{
    const taco__json *list = taco__json_get(pattern, key);
    if (!taco__json_is(list, TACO__JSON_ARRAY)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, (list ? list : pattern)->begin,
                   "%s[%u].%s must be an array with an entry for each child, found %s", path,
                   TACO__U(index), key, taco__json_type_name(list));
        return NULL;
    }
    if (!list->count) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, list->begin,
                   "%s[%u].%s is empty, a folder has at least one child", path, TACO__U(index),
                   key);
        return NULL;
    }
    return list;
}

/* Child i of a pattern: its type must be one of the two, its id a string. */
static TACO__ONCE taco_status taco__collection_read_child(const taco__json *type,
                                                          const taco__json *id, const char *path,
                                                          size_t index, size_t i, bool *folder,
                                                          taco_error *err)
{
    taco_bytes word = taco__json_bytes(type);
    bool is_type = !taco__json_is(type, TACO__JSON_STRING);
    if (is_type || !taco__json_is(id, TACO__JSON_STRING)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, (is_type ? type : id)->begin,
                          "%s[%u].%s[%u] must be a string, found %s", path, TACO__U(index),
                          is_type ? "type" : "id", TACO__U(i),
                          taco__json_type_name(is_type ? type : id));
    }
    if (!taco__collection_read_type(type, folder)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, type->begin,
                          "%s[%u].type[%u] is %q, must be FILE or FOLDER", path, TACO__U(index),
                          TACO__U(i), &word);
    }
    return TACO_OK;
}

/* One pattern: type and id are non-empty arrays of the same length, and every type is FILE or
   FOLDER. */
static TACO__ONCE taco_status taco__collection_read_pattern(taco__arena *arena,
                                                            const taco__json *node,
                                                            const char *path, size_t index,
                                                            taco__pit_pattern *out, taco_error *err)
{
    const taco__json *types, *ids, *type, *id;
    uint8_t *folders;
    taco_bytes *names;
    size_t i;
    if (!taco__json_is(node, TACO__JSON_OBJECT)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, node->begin,
                          "%s[%u] must be an object with type and id, found %s", path,
                          TACO__U(index), taco__json_type_name(node));
    }
    types = taco__collection_get_list(node, path, index, "type", err);
    ids = types ? taco__collection_get_list(node, path, index, "id", err) : NULL;
    if (!ids) { return TACO_ERR_CORRUPT; }
    if (types->count != ids->count) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, node->begin,
                          "%s[%u]: type has %u entries, id has %u, must be the same number", path,
                          TACO__U(index), TACO__U(types->count), TACO__U(ids->count));
    }
    folders = (uint8_t *)taco__arena_alloc(arena, types->count, err);
    names = folders ? (taco_bytes *)taco__arena_array(arena, ids->count, sizeof *names, err) : NULL;
    if (!names) { return err ? err->code : TACO_ERR_MEMORY; }
    /* walks both arrays in parallel */
    type = taco__json_first(types);
    id = taco__json_first(ids);
    for (i = 0; i < types->count; i++, type = taco__json_next(type), id = taco__json_next(id)) {
        bool folder;
        taco_status s = taco__collection_read_child(type, id, path, index, i, &folder, err);
        if (s != TACO_OK) { return s; }
        folders[i] = folder;
        names[i] = taco__json_bytes(id);
    }
    /* some writers omit n, and nothing relies on it: an odd value counts as missing */
    out->node = node;
    out->folders = folders;
    out->ids = names;
    out->count = types->count;
    if (!taco__json_int(taco__json_get(node, "n"), &out->n) || out->n < 0) { out->n = -1; }
    return TACO_OK;
}

/* The patterns of hierarchy.depth. */
static TACO__ONCE taco_status taco__collection_read_level(taco__arena *arena,
                                                          const taco__json *list, uint32_t depth,
                                                          taco__pit_level *out, taco_error *err)
{
    char path[] = "taco:pit_schema.hierarchy.?";
    taco__pit_pattern *patterns;
    const taco__json *node;
    size_t i;
    path[sizeof path - 2] = (char)('0' + depth);
    if (!taco__json_is(list, TACO__JSON_ARRAY)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, list->begin,
                          "%s must be an array of patterns, found %s", path,
                          taco__json_type_name(list));
    }
    patterns = (taco__pit_pattern *)taco__arena_array(arena, list->count, sizeof *patterns, err);
    if (!patterns) { return err ? err->code : TACO_ERR_MEMORY; }
    for (i = 0, node = taco__json_first(list); i < list->count; i++, node = taco__json_next(node)) {
        taco_status s = taco__collection_read_pattern(arena, node, path, i, &patterns[i], err);
        if (s != TACO_OK) { return s; }
    }
    out->patterns = patterns;
    out->count = list->count;
    out->present = true;
    return TACO_OK;
}

/* The keys are depths, "1" to "5"; a deeper level could not be stored. The last of equal keys
   counts, as everywhere. */
static TACO__ONCE taco_status taco__collection_read_hierarchy(taco__arena *arena,
                                                              const taco__json *hierarchy,
                                                              taco__pit *pit, taco_error *err)
{
    const taco__json *found[TACO__PIT_MAX_DEPTH], *key;
    uint32_t i;
    memset((void *)found, 0, sizeof found);
    for (i = 0, key = taco__json_first(hierarchy); i < hierarchy->count;
         i++, key = taco__json_next(key + 1)) {
        taco_bytes name = taco__json_bytes(key);
        if (name.len != 1 || name.data[0] < '1' || name.data[0] > '0' + TACO__PIT_MAX_DEPTH) {
            return TACO__FAIL(
                err, TACO_ERR_CORRUPT, key->begin,
                "taco:pit_schema.hierarchy has the key %q, must be a depth from 1 to %u", &name,
                TACO__U(TACO__PIT_MAX_DEPTH));
        }
        found[name.data[0] - '1'] = key + 1;
    }
    for (i = 0; i < TACO__PIT_MAX_DEPTH; i++) {
        if (found[i]) {
            taco_status s =
                taco__collection_read_level(arena, found[i], i + 1, &pit->levels[i], err);
            if (s != TACO_OK) { return s; }
            pit->depth = i + 1;
        }
    }
    return TACO_OK;
}

/* An optional hint by later writers: a shape that is not an array of integers is ignored. */
static TACO__ONCE bool taco__collection_read_shape(taco__arena *arena, const taco__json *shape,
                                                   taco__pit *pit, taco_error *err)
{
    size_t count = taco__json_length(shape), i;
    const taco__json *n;
    int64_t *items;
    if (!count) { return true; }
    items = (int64_t *)taco__arena_array(arena, count, sizeof *items, err);
    if (!items) { return false; }
    for (i = 0, n = taco__json_first(shape); i < count; i++, n = taco__json_next(n)) {
        if (!taco__json_int(n, &items[i])) { return true; }
    }
    pit->shape = items;
    pit->shape_count = count;
    return true;
}

/* root.type and hierarchy are required; `around` is what should contain the schema, for the offset
   if it is missing. */
static TACO__ONCE taco_status taco__collection_read_pit(taco__arena *arena,
                                                        const taco__json *schema,
                                                        const taco__json *around, taco__pit *pit,
                                                        taco_error *err)
{
    const taco__json *root, *type, *hierarchy;
    taco_bytes word;
    if (!taco__json_is(schema, TACO__JSON_OBJECT)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, (schema ? schema : around)->begin,
                          "taco:pit_schema must be an object with root and hierarchy, found %s",
                          taco__json_type_name(schema));
    }
    root = taco__json_get(schema, "root");
    if (!taco__json_is(root, TACO__JSON_OBJECT)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, (root ? root : schema)->begin,
                          "taco:pit_schema.root must be an object with type, found %s",
                          taco__json_type_name(root));
    }
    type = taco__json_get(root, "type");
    /* another word, or not a string */
    if (!taco__collection_read_type(type, &pit->folders)) {
        word = taco__json_bytes(type);
        if (taco__json_is(type, TACO__JSON_STRING)) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, type->begin,
                              "taco:pit_schema.root.type is %q, must be FILE or FOLDER", &word);
        }
        return TACO__FAIL(err, TACO_ERR_CORRUPT, (type ? type : root)->begin,
                          "taco:pit_schema.root.type must be FILE or FOLDER, found %s",
                          taco__json_type_name(type));
    }
    if (!taco__json_int(taco__json_get(root, "n"), &pit->n) || pit->n < 0) { pit->n = -1; }
    hierarchy = taco__json_get(schema, "hierarchy");
    if (!taco__json_is(hierarchy, TACO__JSON_OBJECT)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, (hierarchy ? hierarchy : schema)->begin,
                          "taco:pit_schema.hierarchy must be an object with a key for each level "
                          "below the root, found %s",
                          taco__json_type_name(hierarchy));
    }
    if (!taco__collection_read_shape(arena, taco__json_get(schema, "shape"), pit, err)) {
        return err ? err->code : TACO_ERR_MEMORY;
    }
    return taco__collection_read_hierarchy(arena, hierarchy, pit, err);
}

/* A string of the document, or the default if it is missing, null or not a string. */
static TACO__ONCE const char *taco__collection_text_or(const taco__json *root, const char *key,
                                                       const char *otherwise)
{
    const char *text = taco__json_text(taco__json_get(root, key));
    return text ? text : otherwise;
}

/* The members other than id and the PIT schema, with their defaults. */
static TACO__ONCE bool taco__collection_read_members(taco__arena *arena, const taco__json *root,
                                                     taco__collection *out, taco_error *err)
{
    out->dataset_version = taco__collection_text_or(root, "dataset_version", "unknown");
    out->description = taco__collection_text_or(root, "description", "");
    out->taco_version = taco__collection_text_or(root, "taco_version", "");
    out->title = taco__collection_text_or(root, "title", NULL);
    out->providers = taco__json_get(root, "providers");
    out->curators = taco__json_get(root, "curators");
    out->extent = taco__json_get(root, "extent");
    out->pit_schema = taco__json_get(root, "taco:pit_schema");
    out->field_schema = taco__json_get(root, "taco:field_schema");
    out->sources = taco__json_get(root, "taco:sources");
    taco__collection_read_extent(out);
    return taco__collection_read_texts(arena, taco__json_get(root, "tasks"), &out->tasks, err) &&
           taco__collection_read_texts(arena, taco__json_get(root, "licenses"), &out->licenses,
                                       err) &&
           taco__collection_read_texts(arena, taco__json_get(root, "keywords"), &out->keywords,
                                       err);
}

TACO__FN TACO__ONCE bool taco__collection_is_version(taco_bytes text)
{
    size_t i = 0, numbers = 0;
    while (i < text.len && text.data[i] >= '0' && text.data[i] <= '9') {
        while (i < text.len && text.data[i] >= '0' && text.data[i] <= '9') {
            i++;
        }
        numbers++;
        i += i + 1 < text.len && text.data[i] == '.' && text.data[i + 1] >= '0' &&
             text.data[i + 1] <= '9';
    }
    for (; i < text.len && numbers > 1; i++) {
        uint8_t c = text.data[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
              c == '.' || c == '-' || c == '+')) {
            return false;
        }
    }
    return numbers > 1;
}

/* Parses a document, of which the arena keeps a copy. Offsets of errors count from its first byte.
   Only `id` and `taco:pit_schema` are needed to read a dataset; the rest has defaults. limits may
   be NULL. */
TACO__FN TACO__ONCE taco_status taco__collection_parse(taco__arena *arena, taco_bytes text,
                                                       const taco_limits *limits,
                                                       taco__collection *out, taco_error *err)
{
    taco_error local;
    taco_status s;
    const taco__json *root, *id;
    char *copy;
    memset(out, 0, sizeof *out);
    memset(&local, 0, sizeof local);
    err = taco__error_fresh(err, &local);
    if (text.len > (limits && limits->max_metadata ? limits->max_metadata : TACO__JSON_MAX_BYTES)) {
        return taco__json_parse(arena, text, limits, &out->doc,
                                err); /* fails before anything is copied */
    }
    /* nodes point into the text, and the caller's buffer may not live long enough */
    copy = taco__arena_text(arena, text, err);
    if (!copy) { return err->code; }
    s = taco__json_parse(arena, taco__bytes_of(copy, text.len), limits, &out->doc, err);
    if (s != TACO_OK) { return s; }
    root = out->doc.root;
    if (!taco__json_is(root, TACO__JSON_OBJECT)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, root->begin,
                          "a collection must be a JSON object, found %s",
                          taco__json_type_name(root));
    }
    id = taco__json_get(root, "id");
    out->id = taco__json_text(id);
    if (!out->id) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, (id ? id : root)->begin,
                          "id must be a string, found %s", taco__json_type_name(id));
    }
    if (!taco__collection_read_members(arena, root, out, err)) { return err->code; }
    return taco__collection_read_pit(arena, out->pit_schema, root, &out->pit, err);
}

/* ---- comparing and checking ---- */

/* True if two patterns have the same children; otherwise err names the first difference. */
static TACO__ONCE bool taco__collection_check_same_pattern(const taco__pit_pattern *a,
                                                           const taco__pit_pattern *b,
                                                           uint32_t depth, size_t index,
                                                           taco_error *err)
{
    size_t i;
    if (a->count != b->count) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "taco:pit_schema differs at hierarchy.%u[%u]: %u children in the first dataset, "
                   "%u in the second",
                   TACO__U(depth), TACO__U(index), TACO__U(a->count), TACO__U(b->count));
        return false;
    }
    for (i = 0; i < a->count; i++) {
        if (a->folders[i] != b->folders[i] || !taco__bytes_equal(a->ids[i], b->ids[i])) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "taco:pit_schema differs at hierarchy.%u[%u]: child %u is %s %q in the "
                       "first dataset, %s %q in the second",
                       TACO__U(depth), TACO__U(index), TACO__U(i),
                       taco__collection_type_name(a->folders[i] != 0), &a->ids[i],
                       taco__collection_type_name(b->folders[i] != 0), &b->ids[i]);
            return false;
        }
    }
    return true;
}

/* Datasets are concatenated only if their trees match: the type of the samples, the levels, and
   types and ids of every pattern. Counts and shape do not matter. ARGUMENT, with the first
   difference, if they do not match. */
TACO__FN TACO__ONCE taco_status taco__collection_check_same_pit(const taco__collection *a,
                                                                const taco__collection *b,
                                                                taco_error *err)
{
    uint32_t d;
    size_t i;
    if (a->pit.folders != b->pit.folders) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "taco:pit_schema differs at root: samples are %s in the first dataset, "
                          "%s in the second",
                          taco__collection_type_name(a->pit.folders),
                          taco__collection_type_name(b->pit.folders));
    }
    /* the order of keys in the document does not matter, that of patterns and children does */
    for (d = 0; d < TACO__PIT_MAX_DEPTH; d++) {
        const taco__pit_level *x = &a->pit.levels[d], *y = &b->pit.levels[d];
        if (x->present != y->present) {
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "taco:pit_schema differs: only the %s dataset has hierarchy.%u",
                              x->present ? "first" : "second", TACO__U(d + 1));
        }
        if (x->count != y->count) {
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "taco:pit_schema differs at hierarchy.%u: %u patterns in the first "
                              "dataset, %u in the second",
                              TACO__U(d + 1), TACO__U(x->count), TACO__U(y->count));
        }
        for (i = 0; i < x->count; i++) {
            if (!taco__collection_check_same_pattern(&x->patterns[i], &y->patterns[i], d + 1, i,
                                                     err)) {
                return TACO_ERR_ARGUMENT;
            }
        }
    }
    return TACO_OK;
}

/* Checks the extent (TACO 2.0.0 §5.5.2), for validation; a dataset without one is valid. The order
   of the two times is not checked here. A box with west > east crosses the antimeridian. */
TACO__FN TACO__ONCE taco_status taco__collection_check_extent(const taco__collection *c,
                                                              taco_error *err)
{
    static const char *const names[] = {"west", "south", "east", "north"};
    const taco__json *e = c->extent, *spatial = taco__json_get(e, "spatial"),
                     *temporal = taco__json_get(e, "temporal");
    size_t i;
    if (!e || e->type == TACO__JSON_NULL) { return TACO_OK; /* not given */ }
    if (e->type != TACO__JSON_OBJECT) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, e->begin, "extent must be an object, found %s",
                          taco__json_type_name(e));
    }
    if (spatial && spatial->type != TACO__JSON_NULL) {
        if (!c->has_spatial) {
            return TACO__FAIL(
                err, TACO_ERR_CORRUPT, spatial->begin,
                "extent.spatial must be four numbers: west, south, east, north; found %s of %u",
                taco__json_type_name(spatial), TACO__U(spatial->count));
        }
        for (i = 0; i < 4; i++) {
            double bound = i % 2 ? 90.0 : 180.0;
            if (!(c->spatial[i] >= -bound && c->spatial[i] <= bound)) {
                taco_bytes raw = taco__json_raw(&c->doc, taco__json_at(spatial, i));
                return TACO__FAIL(err, TACO_ERR_CORRUPT, taco__json_at(spatial, i)->begin,
                                  "extent.spatial: %s is %q, must lie between -%u and %u", names[i],
                                  &raw, TACO__U(i % 2 ? 90 : 180), TACO__U(i % 2 ? 90 : 180));
            }
        }
        if (c->spatial[1] > c->spatial[3]) {
            taco_bytes south = taco__json_raw(&c->doc, taco__json_at(spatial, 1));
            taco_bytes north = taco__json_raw(&c->doc, taco__json_at(spatial, 3));
            return TACO__FAIL(err, TACO_ERR_CORRUPT, spatial->begin,
                              "extent.spatial: south is %q, above north, %q", &south, &north);
        }
    }
    if (temporal && temporal->type != TACO__JSON_NULL && !c->has_temporal) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, temporal->begin,
                          "extent.temporal must be two strings: start, end; found %s of %u",
                          taco__json_type_name(temporal), TACO__U(temporal->count));
    }
    return TACO_OK;
}

/* ---- printing ---- */

/* The members of `info --json` that come from the document, with their values as in the document,
   without enclosing braces and trailing comma. Missing ones get the defaults of the Python
   reader. */
TACO__FN TACO__ONCE bool taco__collection_write_info(taco__buf *out, const taco__collection *c,
                                                     taco_error *err)
{
    static const char *const keys[][3] = {
        /* name in the output, and in the document if different */
        {"id", "id", "null"},
        {"version", "dataset_version", "\"unknown\""},
        {"description", "description", "\"\""},
        {"tasks", "tasks", "[]"},
        {"extent", "extent", "{}"},
        {"providers", "providers", "[]"},
        {"licenses", "licenses", "[]"},
        {"title", "title", "null"},
        {"curators", "curators", "null"},
        {"keywords", "keywords", "null"},
        {"taco_version", "taco_version", "null"},
        {"pit_schema", "taco:pit_schema", "null"},
        {"field_schema", "taco:field_schema", "{}"},
    };
    size_t i;
    bool ok = true;
    for (i = 0; ok && i < TACO__COUNT(keys); i++) {
        const taco__json *value = taco__json_get(c->doc.root, keys[i][1]);
        ok = taco__buf_append_text(out, i ? ",\"" : "\"", err) &&
             taco__buf_append_text(out, keys[i][0], err) &&
             taco__buf_append_text(out, "\":", err) &&
             (value ? taco__json_print(out, value, 0, err)
                    : taco__buf_append_text(out, keys[i][2], err));
    }
    return ok && taco__buf_append_text(out, ",\"collection\":", err) &&
           taco__json_print(out, c->doc.root, 0, err);
}
