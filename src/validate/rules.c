/* rules.c - what ids, column names and COLLECTION.json may hold; shared by writers and checks

   In: only values (an id, a name, a parsed document), never a dataset; out: TACO_OK or the broken
   rule as an error, or for documents one call of `found` for each breach. TACO 2.0.0 §5.5
   (padding), §5.6 (fields of the collection), §5.6.1 (ids), §7.1.2 and §7.2.3 (columns).

   The writer (src/write) stops at the first breach (taco__rules_stop_at_first); validation
   (check_collection.c, check_level.c) reports them all. A breach of something that the reference
   implementation requires but the specification does not is a warning. Start reading at
   taco__rules_check_collection. */
#include "validate.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../dataset/dataset.h"

/* ---- rules of samples ---- */

/* True for "__TACOPAD__" and digits: a row that only pads a folder (§5.5). */
TACO__FN bool taco__rules_is_padding(taco_bytes id)
{
    size_t i, n = sizeof TACO__RULES_PADDING - 1;
    bool ok = id.len > n && taco__bytes_starts_with(id, TACO__RULES_PADDING);
    for (i = n; ok && i < id.len; i++) {
        ok = id.data[i] >= '0' && id.data[i] <= '9';
    }
    return ok;
}

/* §5.6: no slash, backslash or colon; no double underscore at the start, unless it is padding. It
   must also be valid UTF-8, as Parquet's strings are. */
TACO__FN taco_status taco__rules_check_id(taco_bytes id, taco_error *err)
{
    uint8_t any = 0;
    size_t i;
    for (i = 0; i < id.len; i++) {
        uint8_t b = id.data[i];
        any |= b;
        if (b == '/' || b == '\\' || b == ':') {
            char c[2] = {0, 0};
            c[0] = (char)b;
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "id %q contains '%s'; an id has no '/', '\\' and ':'", &id, c);
        }
    }
    if (taco__bytes_starts_with(id, "__") && !taco__rules_is_padding(id)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "id %q starts with '__', which is reserved for padding", &id);
    }
    if ((any & 0x80) && !taco__utf8_valid(id)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "id %q is not UTF-8", &id);
    }
    return TACO_OK;
}

/* Further requirements for an id that names a file, in a FOLDER or when an archive is unpacked. */
TACO__FN taco_status taco__rules_check_file_name(taco_bytes id, taco_error *err)
{
    if (id.len == 0) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "an id is empty; it names a file");
    }
    if ((id.len == 1 && id.data[0] == '.') ||
        (id.len == 2 && id.data[0] == '.' && id.data[1] == '.')) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "id %q is a directory's name for itself or the one above", &id);
    }
    if (memchr(id.data, 0, id.len) != NULL) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "id %q has a zero byte; it names a file", &id);
    }
    if (taco__bytes_equal(id, taco__bytes_text("__meta__"))) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "id %q is the name of the local metadata", &id);
    }
    return TACO_OK;
}

/* Columns that the format or its readers make, whose stored values mean nothing in another dataset
   (§7.2.3). */
static const char *const taco__rules_format_columns[] = {"id",
                                                         "type",
                                                         "internal:current_id",
                                                         "internal:parent_id",
                                                         "internal:offset",
                                                         "internal:size",
                                                         "internal:relative_path",
                                                         "internal:source_file",
                                                         "internal:source_path",
                                                         "internal:gdal_vsi",
                                                         "internal:subfile",
                                                         "internal:file_format",
                                                         "internal:id",
                                                         "internal:type"};

/* True for the format's own columns. `path` is none: it is a field of a sample (§5.5.1), which no
   stored table has, and so a user's column like any other. */
TACO__FN bool taco__rules_is_format_column(taco_bytes name)
{
    size_t i;
    for (i = 0; i < TACO__COUNT(taco__rules_format_columns); i++) {
        if (taco__bytes_equal(name, taco__bytes_text(taco__rules_format_columns[i]))) {
            return true;
        }
    }
    return false;
}

/* A user's column has none of the format's names, nor one that differs from them only in case: for
   DuckDB, with which the reference reads, these are the same. internal:stats is what band
   statistics were called once. */
TACO__FN taco_status taco__rules_check_own_name(taco_bytes name, taco_error *err)
{
    static const char internal[] = "internal:";
    taco_bytes first = taco__bytes_of(name.data, TACO__MIN(name.len, sizeof internal - 1));
    if ((!taco__ascii_is_word(name, "id") && !taco__ascii_is_word(name, "type") &&
         !taco__ascii_is_word(first, internal)) ||
        taco__bytes_equal(name, taco__bytes_text("internal:stats"))) {
        return TACO_OK;
    }
    return TACO__FAIL(
        err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
        "column %q: id, type and internal:* are the format's own, in any case; rename "
        "the column, or leave it out",
        &name);
}

/* §7.1.2: letters, digits and underscores, with at most one colon between them; and none of the
   format's names. */
TACO__FN taco_status taco__rules_check_column_name(taco_bytes name, taco_error *err)
{
    size_t i, colons = 0, run = 0;
    bool ok = name.len != 0;
    for (i = 0; ok && i < name.len; i++) {
        uint8_t c = name.data[i];
        if (c == ':') {
            ok = run != 0 && ++colons == 1;
            run = 0;
        } else {
            ok = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                 c == '_';
            run++;
        }
    }
    if (!ok || run == 0) {
        return TACO__FAIL(
            err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
            "column %q: a name is letters, digits and '_', with one ':' between at most", &name);
    }
    return taco__rules_check_own_name(name, err);
}

/* One pass over a document: where breaches go, and whether the caller has stopped it. */
typedef struct taco__rules_check {
    taco__rules_report_fn found;
    void *ctx;
    bool stopped;
} taco__rules_check;

static uint64_t taco__rules_offset(const taco__json *n)
{
    return n ? n->begin : TACO_NO_OFFSET;
}

/* Passes a breach to the caller, unless it has stopped the check. */
static void taco__rules_report(taco__rules_check *c, bool warning, const taco_error *what)
{
    c->stopped = c->stopped || !c->found(c->ctx, warning, what);
}

/* Reports a breach of a rule at node n, whose byte in the document is the offset of the error. */
#define TACO__RULES_REPORT(c, warning, n, ...)                                                     \
    do {                                                                                           \
        taco_error taco__e;                                                                        \
        memset(&taco__e, 0, sizeof taco__e);                                                       \
        TACO__FAIL(&taco__e, TACO_ERR_ARGUMENT, taco__rules_offset(n), __VA_ARGS__);               \
        taco__rules_report((c), (warning), &taco__e);                                              \
    } while (0)

/* True for a missing or null member: the format does not distinguish them. */
TACO__FN bool taco__rules_is_null(const taco__json *n)
{
    return !n || n->type == TACO__JSON_NULL;
}

/* A member that is a string: required ones must not be empty, others may be null or missing. */
static void taco__rules_check_text(taco__rules_check *c, const taco__json *root, const char *key,
                                   bool required)
{
    const taco__json *n = taco__json_get(root, key);
    if (taco__json_is(n, TACO__JSON_STRING) ? (required && n->count == 0)
                                            : (required || !taco__rules_is_null(n))) {
        TACO__RULES_REPORT(c, false, n ? n : root, "%s must be a string%s, found %s", key,
                           required ? " that is not empty" : " or null",
                           taco__json_is(n, TACO__JSON_STRING) ? "an empty one"
                                                               : taco__json_type_name(n));
    }
}

/* A member that is an array of strings, none of them empty; required ones have at least one. */
static void taco__rules_check_texts(taco__rules_check *c, const taco__json *root, const char *key,
                                    bool required)
{
    const taco__json *n = taco__json_get(root, key), *item;
    size_t i;
    if (!required && taco__rules_is_null(n)) { return; }
    if (!taco__json_is(n, TACO__JSON_ARRAY) || (required && n->count == 0)) {
        TACO__RULES_REPORT(c, false, n ? n : root, "%s must be an array of strings%s, found %s",
                           key, required ? ", at least one" : "",
                           taco__json_is(n, TACO__JSON_ARRAY) ? "an empty one"
                                                              : taco__json_type_name(n));
        return;
    }
    for (i = 0, item = taco__json_first(n); i < n->count; i++, item = taco__json_next(item)) {
        if (!taco__json_is(item, TACO__JSON_STRING) || item->count == 0) {
            TACO__RULES_REPORT(c, false, item,
                               "%s[%u] must be a string that is not empty, found %s", key,
                               TACO__U(i),
                               taco__json_is(item, TACO__JSON_STRING) ? "an empty one"
                                                                      : taco__json_type_name(item));
        }
    }
}

/* A string of a contact, if present: it begins with one of two prefixes, or contains a
   character. */
static void taco__rules_check_contact_text(taco__rules_check *c, const taco__json *who,
                                           const char *key, size_t i, const char *name)
{
    const taco__json *n = taco__json_get(who, name);
    taco_bytes text = taco__json_bytes(n);
    if (taco__rules_is_null(n)) { return; }
    if (!taco__json_is(n, TACO__JSON_STRING)) {
        TACO__RULES_REPORT(c, false, n, "%s[%u].%s must be a string, found %s", key, TACO__U(i),
                           name, taco__json_type_name(n));
    } else if (strcmp(name, "url") == 0 && text.len && !taco__bytes_starts_with(text, "http://") &&
               !taco__bytes_starts_with(text, "https://")) {
        TACO__RULES_REPORT(c, true, n, "%s[%u].url is %q, must begin with http:// or https://", key,
                           TACO__U(i), &text);
    } else if (strcmp(name, "email") == 0 && text.len && !memchr(text.data, '@', text.len)) {
        TACO__RULES_REPORT(c, true, n, "%s[%u].email is %q, must contain '@'", key, TACO__U(i),
                           &text);
    }
}

/* providers and curators: objects with a name or an organization (§5.6), roles and addresses. */
static void taco__rules_check_contacts(taco__rules_check *c, const taco__json *root,
                                       const char *key, bool required)
{
    static const char *const texts[] = {"name", "organization", "email", "role", "url"};
    const taco__json *n = taco__json_get(root, key), *who;
    size_t i, k;
    if (!required && taco__rules_is_null(n)) { return; }
    if (!taco__json_is(n, TACO__JSON_ARRAY) || (required && n->count == 0)) {
        TACO__RULES_REPORT(c, false, n ? n : root, "%s must be an array of objects%s, found %s",
                           key, required ? ", at least one" : "",
                           taco__json_is(n, TACO__JSON_ARRAY) ? "an empty one"
                                                              : taco__json_type_name(n));
        return;
    }
    for (i = 0, who = taco__json_first(n); i < n->count; i++, who = taco__json_next(who)) {
        if (!taco__json_is(who, TACO__JSON_OBJECT)) {
            TACO__RULES_REPORT(c, false, who, "%s[%u] must be an object, found %s", key, TACO__U(i),
                               taco__json_type_name(who));
            continue;
        }
        if (taco__json_bytes(taco__json_get(who, "name")).len == 0 &&
            taco__json_bytes(taco__json_get(who, "organization")).len == 0) {
            TACO__RULES_REPORT(c, false, who, "%s[%u] must have a name or an organization", key,
                               TACO__U(i));
        }
        for (k = 0; k < TACO__COUNT(texts); k++) {
            taco__rules_check_contact_text(c, who, key, i, texts[k]);
        }
        if (!taco__rules_is_null(taco__json_get(who, "roles"))) {
            const taco__json *roles = taco__json_get(who, "roles"), *role;
            bool ok = taco__json_is(roles, TACO__JSON_ARRAY);
            for (k = 0, role = taco__json_first(roles); ok && k < roles->count;
                 k++, role = taco__json_next(role)) {
                ok = taco__json_is(role, TACO__JSON_STRING);
            }
            if (!ok) {
                TACO__RULES_REPORT(c, false, roles, "%s[%u].roles must be an array of strings", key,
                                   TACO__U(i));
            }
        }
    }
}

/* The id of a dataset (§5.6): lower case letters, digits, '_' and '-'. Letters of other scripts are
   accepted, as in the reference: non-ASCII bytes are not checked. */
static void taco__rules_check_dataset_id(taco__rules_check *c, const taco__json *root)
{
    const taco__json *n = taco__json_get(root, "id");
    taco_bytes id = taco__json_bytes(n);
    size_t i;
    bool ok = id.len != 0;
    for (i = 0; ok && i < id.len; i++) {
        uint8_t b = id.data[i];
        ok = (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9') || b == '_' || b == '-' || b >= 0x80;
    }
    if (!taco__json_is(n, TACO__JSON_STRING)) {
        TACO__RULES_REPORT(c, false, n ? n : root, "id must be a string, found %s",
                           taco__json_type_name(n));
    } else if (!ok) {
        TACO__RULES_REPORT(c, false, n, "id is %q, must be lower case letters, digits, '_' and '-'",
                           &id);
    }
}

/* tasks: strings (§5.6); the reference accepts only those on its own list. */
static void taco__rules_check_tasks(taco__rules_check *c, const taco__json *root)
{
    static const char *const known[] = {"regression",
                                        "classification",
                                        "scene-classification",
                                        "detection",
                                        "object-detection",
                                        "segmentation",
                                        "semantic-segmentation",
                                        "instance-segmentation",
                                        "panoptic-segmentation",
                                        "similarity-search",
                                        "generative",
                                        "image-captioning",
                                        "super-resolution",
                                        "denoising",
                                        "inpainting",
                                        "colorization",
                                        "style-transfer",
                                        "deblurring",
                                        "dehazing",
                                        "foundation-model",
                                        "other"};
    const taco__json *n = taco__json_get(root, "tasks"), *task;
    size_t i, k, count = taco__json_length(n);
    taco__rules_check_texts(c, root, "tasks", true);
    for (i = 0, task = count ? taco__json_first(n) : NULL; i < count;
         i++, task = taco__json_next(task)) {
        taco_bytes word = taco__json_bytes(task);
        for (k = 0; k < TACO__COUNT(known) && !taco__json_equals(task, known[k]); k++) {}
        if (k == TACO__COUNT(known) && word.len) {
            TACO__RULES_REPORT(c, true, task,
                               "tasks[%u] is %q, must be one of the 21 known tasks (regression, "
                               "classification, ..., other)",
                               TACO__U(i), &word);
        }
    }
}

/* extent: a box as taco__collection_check_extent requires it, which may be missing if there are
   times (samples in a CRS whose degrees the writer did not know); times in ISO 8601, the end not
   before the start. */
static void taco__rules_check_extent(taco__rules_check *c, const taco__collection *coll)
{
    taco_error what;
    int64_t us[2] = {0, 0};
    size_t i;
    bool date, ok = true;
    memset(&what, 0, sizeof what);
    if (taco__collection_check_extent(coll, &what) != TACO_OK) {
        taco__rules_report(c, false, &what);
        return;
    }
    if (taco__json_is(coll->extent, TACO__JSON_OBJECT) && !coll->has_spatial &&
        (taco__json_get(coll->extent, "spatial") || !coll->has_temporal)) {
        TACO__RULES_REPORT(c, false, coll->extent,
                           "extent.spatial must be four numbers: west, south, east, north");
    }
    for (i = 0; coll->has_temporal && i < 2; i++) {
        taco_bytes text = taco__bytes_text(coll->temporal[i]);
        if (!taco__time_parse(text, &us[i], &date)) {
            TACO__RULES_REPORT(c, false, coll->extent,
                               "extent.temporal[%u] is %q, must be an ISO 8601 date and time",
                               TACO__U(i), &text);
            ok = false;
        }
    }
    if (coll->has_temporal && ok && us[0] > us[1]) {
        TACO__RULES_REPORT(c, false, coll->extent, "extent.temporal: the start is after the end");
    }
}

/* taco_version: a version of the specification (§5.6, §8), of which this is 2; the reference writes
   0.5.0 into all its datasets. Readers accept any text, so another one is a warning; writers refuse
   it nevertheless. */
static void taco__rules_check_version(taco__rules_check *c, const taco__json *root, bool made)
{
    const taco__json *n = taco__json_get(root, "taco_version");
    taco_bytes text = taco__json_bytes(n);
    taco__rules_check_text(c, root, "taco_version", !made || n);
    if (text.len && !taco__collection_is_version(text)) {
        TACO__RULES_REPORT(c, true, n, "taco_version is %q, must be a version such as 2.0.0",
                           &text);
    } else if (text.len && !taco__bytes_starts_with(text, "2.") &&
               !taco__bytes_equal(text, taco__bytes_text("0.5.0"))) {
        TACO__RULES_REPORT(c, true, n,
                           "taco_version is %q, must be that of TACO 2, 2.x, or 0.5.0, as the "
                           "reference has it",
                           &text);
    }
}

/* Checks an object against every rule for the fields of a collection (§5.6); stops when `found`
   returns false. made: the document is about to be written, so fields that the writer fills in may
   be missing. taco:pit_schema is not checked here, but in dataset/collection.c when it is read. */
TACO__FN void taco__rules_check_collection(const taco__json_doc *doc, bool made,
                                           taco__rules_report_fn found, void *ctx)
{
    taco__rules_check c;
    taco__collection coll;
    const taco__json *root = doc->root;
    const taco__json *title = taco__json_get(root, "title");
    taco_bytes text = taco__json_bytes(title);
    size_t i, letters = 0;
    c.found = found;
    c.ctx = ctx;
    c.stopped = false;
    taco__rules_check_dataset_id(&c, root);
    if (!c.stopped) { taco__rules_check_version(&c, root, made); }
    if (!c.stopped) { taco__rules_check_text(&c, root, "dataset_version", true); }
    if (!c.stopped) { taco__rules_check_text(&c, root, "description", true); }
    if (!c.stopped) { taco__rules_check_texts(&c, root, "licenses", true); }
    if (!c.stopped) { taco__rules_check_contacts(&c, root, "providers", true); }
    if (!c.stopped) { taco__rules_check_tasks(&c, root); }
    if (!c.stopped) {
        taco__rules_check_text(&c, root, "title", false);
        for (i = 0; i < text.len; i++) {
            letters += (text.data[i] & 0xC0) != 0x80;
        }
        if (letters > 250) {
            TACO__RULES_REPORT(&c, false, title, "title has %u characters, at most 250",
                               TACO__U(letters));
        }
    }
    if (!c.stopped) { taco__rules_check_contacts(&c, root, "curators", false); }
    if (!c.stopped) { taco__rules_check_texts(&c, root, "keywords", false); }
    if (!c.stopped) {
        memset(&coll, 0, sizeof coll);
        coll.doc = *doc;
        coll.extent = taco__json_get(root, "extent");
        taco__collection_read_extent(&coll);
        taco__rules_check_extent(&c, &coll);
    }
}

/* A taco__rules_report_fn for writers: keeps the first breach in ctx, a taco_error, and stops.
   Warnings count too, so that everything we write passes the reference's rules. */
TACO__FN bool taco__rules_stop_at_first(void *ctx, bool warning, const taco_error *what)
{
    taco_error *err = (taco_error *)ctx;
    (void)warning;
    if (err->code == TACO_OK) { *err = *what; }
    return false;
}
