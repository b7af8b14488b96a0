/* convert.c - old datasets as TACO 2, and back.. Spec: TACO 2.0.0 §5, §6 */
#include "legacy.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../validate/validate.h"
#include "../write/write.h"

/* Tells the caller what the other format has no place for. */
TACO__FN void taco__convert_note(taco__conversion *f, const char *text, const char *what)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    if (f->opt.note) {
        TACO__FAIL(&e, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, text, what);
        f->opt.note(f->opt.note_ctx, e.text);
    }
}

TACO__FN void taco__convert_init(taco__conversion *f, const taco_convert_options *opt,
                                 taco_error *err)
{
    memset(f, 0, sizeof *f);
    if (opt) { f->opt = *opt; }
    taco__options_init(&f->options, f->opt.create.options);
    f->openers[0] = taco_legacy_opener();
    f->options.openers = f->openers;
    f->opt.create.options = &f->options;
    taco__mem_init(&f->mem, &f->options);
    f->arena.mem = &f->mem;
    f->err = err;
    taco__tree_init(&f->tree, &f->mem);
}

TACO__FN void taco__convert_free(taco__conversion *f)
{
    taco__tree_free(&f->tree);
    taco__arena_free(&f->arena);
    taco_close(f->ds);
    f->ds = NULL;
}

/* ---- the collection
   ------------------------------------------------------------------------------- */

static bool taco__convert_append_key(taco__buf *b, const char *key, taco_error *err)
{
    return (b->len == 1 || taco__buf_append_char(b, ',', err)) &&
           taco__buf_append_char(b, '"', err) && taco__buf_append_text(b, key, err) &&
           taco__buf_append_text(b, "\":", err);
}

static bool taco__convert_append_text(taco__buf *b, const char *key, taco_bytes text,
                                      taco_error *err)
{
    return taco__convert_append_key(b, key, err) && taco__json_print_text(b, text, err);
}

/* A member as it stands; nothing where the document has none. */
static bool taco__convert_copy_member(taco__buf *b, const taco__json *root, const char *key,
                                      taco_error *err)
{
    const taco__json *n = taco__json_get(root, key);
    return taco__rules_is_null(n) ||
           (taco__convert_append_key(b, key, err) && taco__json_print(b, n, 0, err));
}

/* The id in lower case letters, digits, '_' and '-'. */
static bool taco__convert_append_id(taco__buf *b, taco_bytes id, taco_error *err)
{
    size_t i;
    bool ok = taco__convert_append_key(b, "id", err) && taco__buf_append_char(b, '"', err);
    for (i = 0; ok && i < id.len; i++) {
        char c = (char)id.data[i];
        c = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
        ok = taco__buf_append_char(
            b, (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ? c : '_', err);
    }
    return ok && (id.len || taco__buf_append_text(b, "dataset", err)) &&
           taco__buf_append_char(b, '"', err);
}

/* providers or curators: name, organization, the first address and role. */
static bool taco__convert_append_contacts(taco__buf *b, const taco__json *root, const char *key,
                                          taco_error *err)
{
    const taco__json *list = taco__json_get(root, key), *who;
    size_t i, k;
    bool ok;
    if (!taco__json_length(list)) { return true; }
    ok = taco__convert_append_key(b, key, err) && taco__buf_append_char(b, '[', err);
    for (i = 0, who = taco__json_first(list); ok && i < list->count;
         i++, who = taco__json_next(who)) {
        static const char *const keys[] = {"name", "organization", "email", "role", "url"};
        const taco__json *values[5];
        bool first = true;
        values[0] = taco__json_get(who, "name");
        values[1] = taco__json_get(who, "organization");
        values[2] = taco__json_get(taco__json_at(taco__json_get(who, "emails"), 0), "value");
        values[3] = taco__json_at(taco__json_get(who, "roles"), 0);
        values[4] = taco__json_get(taco__json_at(taco__json_get(who, "links"), 0), "href");
        if (!taco__bytes_starts_with(taco__json_bytes(values[4]), "http")) { values[4] = NULL; }
        ok = taco__buf_append_text(b, i ? ",{" : "{", err);
        for (k = 0; ok && k < 5; k++) {
            if (taco__json_bytes(values[k]).len) {
                ok = (first || taco__buf_append_char(b, ',', err)) &&
                     taco__buf_append_char(b, '"', err) && taco__buf_append_text(b, keys[k], err) &&
                     taco__buf_append_text(b, "\":", err) &&
                     taco__json_print_text(b, taco__json_bytes(values[k]), err);
                first = false;
            }
        }
        ok = ok && taco__buf_append_char(b, '}', err);
    }
    return ok && taco__buf_append_char(b, ']', err);
}

/* The boxes of an extent together; false when there is none that is whole. */
TACO__FN bool taco__convert_read_bbox(const taco__json *spatial, double box[4])
{
    size_t i, k, n = taco__json_length(spatial);
    bool flat = n && taco__json_is(taco__json_at(spatial, 0), TACO__JSON_NUMBER);
    for (i = 0; i < (flat ? 1 : n); i++) {
        const taco__json *b = flat ? spatial : taco__json_at(spatial, i);
        size_t wide = taco__json_length(b) == 6 ? 3 : 2;
        double e[4];
        for (k = 0; k < 4; k++) {
            if (taco__json_length(b) != wide * 2 ||
                !taco__json_double(taco__json_at(b, k < 2 ? k : wide + k - 2), &e[k])) {
                return false;
            }
            box[k] = !i ? e[k] : k < 2 ? TACO__MIN(box[k], e[k]) : TACO__MAX(box[k], e[k]);
        }
    }
    return n != 0;
}

static bool taco__convert_append_extent(taco__buf *b, const taco__json *root, taco_error *err)
{
    const taco__json *extent = taco__json_get(root, "extent"),
                     *times = taco__json_get(extent, "temporal"), *one = taco__json_at(times, 0);
    double box[4];
    size_t i;
    bool ok;
    one = taco__json_is(one, TACO__JSON_STRING) ? times : one;
    if (!taco__convert_read_bbox(taco__json_get(extent, "spatial"), box)) {
        return true; /* it is computed from the columns */
    }
    ok = taco__convert_append_key(b, "extent", err) &&
         taco__buf_append_text(b, "{\"spatial\":", err);
    for (i = 0; ok && i < 4; i++) {
        ok = taco__buf_append_char(b, i ? ',' : '[', err) &&
             taco__document_write_double(b, box[i], err);
    }
    ok = ok && taco__buf_append_text(b, "],\"temporal\":", err);
    if (taco__json_text(taco__json_at(one, 0)) && taco__json_text(taco__json_at(one, 1))) {
        ok = ok && taco__buf_append_char(b, '[', err) &&
             taco__json_print_text(b, taco__json_bytes(taco__json_at(one, 0)), err) &&
             taco__buf_append_char(b, ',', err) &&
             taco__json_print_text(b, taco__json_bytes(taco__json_at(one, 1)), err) &&
             taco__buf_append_text(b, "]", err);
    } else {
        ok = ok && taco__buf_append_text(b, "null", err);
    }
    return ok && taco__buf_append_char(b, '}', err);
}

/* The collection of TACO 2 for one of TACO 0.x: the members that mean the same, and the whole old
   document as legacy:collection, so that nothing is lost. root NULL: of a tortilla, which has
   none. */
static bool taco__convert_document_to_taco2(taco__conversion *f, const taco__json *root,
                                            const char *name, taco__buf *b)
{
    taco_error *err = f->err;
    taco_bytes id = taco__json_bytes(taco__json_get(root, "id")), text;
    bool ok;
    if (!id.len) {
        const char *slash = strrchr(name, '/'), *dot;
        name = slash ? slash + 1 : name;
        dot = strchr(name, '.');
        id = taco__bytes_of(name, dot ? (size_t)(dot - name) : strlen(name));
    }
    ok = taco__buf_append_char(b, '{', err) && taco__convert_append_id(b, id, err);
    text = taco__json_bytes(taco__json_get(root, "dataset_version"));
    ok = ok && taco__convert_append_text(b, "dataset_version",
                                         text.len ? text : taco__bytes_text("1.0.0"), err);
    text = taco__json_bytes(taco__json_get(root, "description"));
    ok = ok &&
         taco__convert_append_text(b, "description",
                                   text.len ? text : taco__bytes_text("Converted from a tortilla."),
                                   err) &&
         taco__convert_append_text(b, "taco_version", taco__bytes_text("2.0.0"), err);
    if (taco__json_length(taco__json_get(root, "licenses"))) {
        ok = ok && taco__convert_copy_member(b, root, "licenses", err);
    } else {
        ok = ok && taco__convert_append_key(b, "licenses", err) &&
             taco__buf_append_text(b, "[\"unknown\"]", err);
    }
    if (taco__json_length(taco__json_get(root, "providers"))) {
        ok = ok && taco__convert_append_contacts(b, root, "providers", err);
    } else {
        ok = ok && taco__convert_append_key(b, "providers", err) &&
             taco__buf_append_text(b, "[{\"name\":\"unknown\"}]", err);
    }
    text = taco__json_bytes(taco__json_get(root, "task"));
    text = !text.len || taco__bytes_equal(text, taco__bytes_text("general"))
               ? taco__bytes_text("other")
               : text;
    ok = ok && taco__convert_append_key(b, "tasks", err) && taco__buf_append_char(b, '[', err) &&
         taco__json_print_text(b, text, err) && taco__buf_append_char(b, ']', err) &&
         taco__convert_copy_member(b, root, "title", err) &&
         taco__convert_append_contacts(b, root, "curators", err) &&
         taco__convert_copy_member(b, root, "keywords", err) &&
         taco__convert_append_extent(b, root, err);
    if (f->opt.query) {
        char stamp[48];
        int64_t when = f->opt.create.date ? f->opt.create.date : taco__plat_now();
        size_t n = taco__time_format_timestamp(stamp, when, TACO_SECOND, false);
        memcpy(stamp + n, "+00:00", 7);
        ok = ok && taco__convert_append_text(b, "taco:subset_of", id, err) &&
             taco__convert_append_text(b, "taco:subset_date", taco__bytes_text(stamp), err);
    }
    if (root) {
        ok = ok && taco__convert_append_key(b, "legacy:collection", err) &&
             taco__json_print(b, root, 0, err);
    } else if (ok) {
        taco__convert_note(f,
                           "a tortilla has no collection: id, licenses, providers and tasks "
                           "are placeholders%s",
                           "");
    }
    return ok && taco__buf_append_char(b, '}', err);
}

TACO__FN bool taco__convert_collection_to_taco2(taco__conversion *f, const char *name,
                                                taco__json_doc *doc)
{
    const taco__json *root = f->ds->stores[0].coll.doc.root;
    taco__buf b;
    taco_bytes text = taco__bytes_of(NULL, 0);
    bool ok = true;
    memset(&b, 0, sizeof b);
    b.mem = &f->mem;
    if (f->opt.collection) {
        text = taco__bytes_text(f->opt.collection);
    } else {
        ok = taco__convert_document_to_taco2(f, root, name, &b);
        text.data =
            ok ? (const uint8_t *)taco__arena_text(&f->arena, taco__bytes_of(b.data, b.len), f->err)
               : NULL;
        text.len = b.len;
        ok = ok && text.data;
    }
    taco__buf_free(&b);
    if (!ok || taco__json_parse(&f->arena, text, &f->options.limits, doc, f->err) != TACO_OK) {
        return false;
    }
    if (!taco__json_is(doc->root, TACO__JSON_OBJECT)) {
        TACO__FAIL(f->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "a collection is a JSON object");
        return false;
    }
    taco__rules_check_collection(doc, true, taco__rules_stop_at_first, f->err);
    if (f->err->code != TACO_OK) { taco__error_prefix(f->err, "collection"); }
    return f->err->code == TACO_OK;
}

/* ---- the collection, the file ---- */

/* The document that taco_convert_to_taco2 kept, or one of what TACO 2 has, in the order of the last
   writer. */
TACO__FN bool taco__convert_collection_from_taco2(taco__from_taco2 *b, taco__buf *out)
{
    static const char *const nulls[] = {"split_strategy", "discuss_link", "raw_link",
                                        "optical_data",   "labels",       "scientific"};
    const taco__json *root = b->f.ds->stores[0].coll.doc.root,
                     *old = taco__json_get(root, "legacy:collection"),
                     *extent = taco__json_get(root, "extent");
    taco_error *err = b->w.err;
    size_t i, k;
    bool ok;
    if (taco__json_is(old, TACO__JSON_OBJECT)) { return taco__json_print(out, old, 0, err); }
    ok = taco__buf_append_char(out, '{', err) && taco__convert_copy_member(out, root, "id", err) &&
         taco__convert_copy_member(out, root, "dataset_version", err) &&
         taco__convert_copy_member(out, root, "description", err) &&
         taco__convert_copy_member(out, root, "licenses", err) &&
         taco__convert_append_key(out, "extent", err) &&
         taco__buf_append_text(out, "{\"spatial\":[", err) &&
         taco__json_print(out, taco__json_get(extent, "spatial"), 0, err) &&
         taco__buf_append_text(out, "],\"temporal\":[", err) &&
         taco__json_print(out, taco__json_get(extent, "temporal"), 0, err) &&
         taco__buf_append_text(out, "]}", err);
    for (k = 0; ok && k < 2; k++) {
        const taco__json *list = taco__json_get(root, k ? "curators" : "providers");
        const taco__json *who = taco__json_length(list) ? taco__json_first(list) : NULL;
        ok = taco__convert_append_key(out, k ? "curators" : "providers", err) &&
             taco__buf_append_char(out, '[', err);
        for (i = 0; ok && i < taco__json_length(list); i++, who = taco__json_next(who)) {
            const taco__json *role = taco__json_get(who, "role"),
                             *mail = taco__json_get(who, "email");
            ok = taco__buf_append_text(out, i ? ",{\"name\":" : "{\"name\":", err) &&
                 taco__json_print(out, taco__json_get(who, "name"), 0, err) &&
                 taco__buf_append_text(out, ",\"organization\":", err) &&
                 taco__json_print(out, taco__json_get(who, "organization"), 0, err) &&
                 taco__buf_append_text(out, ",\"emails\":", err) &&
                 (taco__rules_is_null(mail) ? taco__buf_append_text(out, "null", err)
                                            : taco__buf_append_text(out, "[{\"value\":", err) &&
                                                  taco__json_print(out, mail, 0, err) &&
                                                  taco__buf_append_text(out, "}]", err)) &&
                 taco__buf_append_text(out, ",\"roles\":", err) &&
                 (taco__rules_is_null(role) ? taco__buf_append_text(out, "null", err)
                                            : taco__buf_append_char(out, '[', err) &&
                                                  taco__json_print(out, role, 0, err) &&
                                                  taco__buf_append_char(out, ']', err)) &&
                 taco__buf_append_char(out, '}', err);
        }
        ok = ok && taco__buf_append_char(out, ']', err);
    }
    ok = ok && taco__convert_append_key(out, "task", err) &&
         taco__json_print(out, taco__json_at(taco__json_get(root, "tasks"), 0), 0, err) &&
         taco__convert_append_text(out, "taco_version", taco__bytes_text("0.4.0"), err) &&
         taco__convert_append_key(out, "title", err) &&
         taco__json_print(out, taco__json_get(root, "title"), 0, err) &&
         taco__convert_append_key(out, "keywords", err) &&
         taco__json_print(out, taco__json_get(root, "keywords"), 0, err);
    for (i = 0; ok && i < TACO__COUNT(nulls); i++) {
        ok =
            taco__convert_append_key(out, nulls[i], err) && taco__buf_append_text(out, "null", err);
    }
    return ok && taco__buf_append_char(out, '}', err);
}
