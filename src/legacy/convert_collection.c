/* convert_collection.c - converts collections between TACO 0.x and TACO 2

   In: the collection of a dataset, or none, since a tortilla has none; out: a document of TACO 2
   or of TACO 0.x. Members that mean the same are copied. The whole old document is kept in that of
   TACO 2 as legacy:collection, so that nothing is lost, and is restored from there. Members that
   TACO 2 requires and an old dataset lacks get placeholders, which are noted. Spec: TACO 2.0.0
   section 5, TACO 0.2.0.

   TACO 0.x                        TACO 2.0.0
       id                              id, in lower case letters, digits, '_' and '-'
       task                            tasks, of one; "general" is "other"
       extent: lists of boxes, times   extent: one box around all, the first interval
       data_curator, contact.affiliation   curators, organization
       contact.emails[0].value         email
       contact.roles[0]                role
       contact.links[0].href           url, if it begins with http
       taco_version 0.x                taco_version 2.0.0 */
#include "legacy.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../validate/validate.h"

/* ---- values ---- */

/* Writes text as a JSON string, escaped; key is NULL in an array. */
static void taco__convert_collection_text(taco__json_writer *w, const char *key, taco_bytes text)
{
    taco__json_write_key(w, key);
    w->ok = w->ok && taco__json_write_name(w->out, text, w->err);
}

/* Writes any value; null if n is NULL. */
static void taco__convert_collection_value(taco__json_writer *w, const char *key,
                                           const taco__json *n)
{
    taco__json_write_key(w, key);
    w->ok = w->ok && taco__json_print(w->out, n, 0, w->err);
}

/* Writes a member of root under the same name; nothing if it is missing. */
static void taco__convert_collection_member(taco__json_writer *w, const taco__json *root,
                                            const char *key)
{
    const taco__json *n = taco__json_get(root, key);
    if (!taco__rules_is_null(n)) { taco__convert_collection_value(w, key, n); }
}

/* Writes a member that is text, or another text instead. */
static void taco__convert_collection_text_or(taco__json_writer *w, const taco__json *root,
                                             const char *key, const char *otherwise)
{
    taco_bytes text = taco__json_bytes(taco__json_get(root, key));
    taco__convert_collection_text(w, key, text.len ? text : taco__bytes_text(otherwise));
}

/* Writes a list of one text. */
static void taco__convert_collection_list_of(taco__json_writer *w, const char *key, taco_bytes text)
{
    taco__json_write_begin(w, key, '[');
    taco__convert_collection_text(w, NULL, text);
    taco__json_write_end(w, ']');
}

/* ---- extents ---- */

/* Extends box by b, which has two or three dimensions; first: box is not yet set. */
static bool taco__convert_collection_add_box(const taco__json *b, bool first, double box[4])
{
    size_t wide = taco__json_length(b) == 6 ? 3 : 2, k;
    for (k = 0; k < 4; k++) {
        double e;
        if (taco__json_length(b) != wide * 2 ||
            !taco__json_double(taco__json_at(b, k < 2 ? k : wide + k - 2), &e)) {
            return false;
        }
        box[k] = first ? e : k < 2 ? TACO__MIN(box[k], e) : TACO__MAX(box[k], e);
    }
    return true;
}

TACO__FN bool taco__convert_collection_box(const taco__json *spatial, double box[4])
{
    const taco__json *b = taco__json_first(spatial);
    size_t n = taco__json_length(spatial), i;
    if (n && taco__json_is(b, TACO__JSON_NUMBER)) {
        return taco__convert_collection_add_box(spatial, true, box);
    }
    for (i = 0; i < n; i++, b = taco__json_next(b)) {
        if (!taco__convert_collection_add_box(b, i == 0, box)) { return false; }
    }
    return n != 0;
}

/* Writes the first interval of a list, or the only one; null for an open end. */
static void taco__convert_collection_interval(taco__json_writer *w, const taco__json *times)
{
    const taco__json *first = taco__json_at(times, 0), *from, *to;
    first = taco__json_is(first, TACO__JSON_STRING) ? times : first;
    from = taco__json_at(first, 0);
    to = taco__json_at(first, 1);
    if (!taco__json_text(from) || !taco__json_text(to)) {
        taco__json_write_text(w, "temporal", NULL);
        return;
    }
    taco__json_write_begin(w, "temporal", '[');
    taco__convert_collection_value(w, NULL, from);
    taco__convert_collection_value(w, NULL, to);
    taco__json_write_end(w, ']');
}

/* Writes the extent; nothing without a box: it is then computed from the columns. */
static void taco__convert_collection_extent(taco__json_writer *w, const taco__json *root)
{
    const taco__json *extent = taco__json_get(root, "extent");
    double box[4];
    size_t i;
    if (!taco__convert_collection_box(taco__json_get(extent, "spatial"), box)) { return; }
    taco__json_write_begin(w, "extent", '{');
    taco__json_write_begin(w, "spatial", '[');
    for (i = 0; i < 4; i++) {
        taco__json_write_double(w, NULL, box[i]);
    }
    taco__json_write_end(w, ']');
    taco__convert_collection_interval(w, taco__json_get(extent, "temporal"));
    taco__json_write_end(w, '}');
}

/* ---- to TACO 2 ---- */

/* The name of an old dataset: its id, or its file name up to the first dot. */
static taco_bytes taco__convert_collection_name(const taco__json *root, const char *path)
{
    taco_bytes id = taco__json_bytes(taco__json_get(root, "id"));
    const char *dot;
    if (id.len) { return id; }
    path += taco__plat_dir_length(path, strlen(path));
    dot = strchr(path, '.');
    return taco__bytes_of(path, dot ? (size_t)(dot - path) : strlen(path));
}

/* Writes the id in lower case letters, digits, '_' and '-'. */
static void taco__convert_collection_id(taco__json_writer *w, taco_bytes name)
{
    size_t i;
    taco__json_write_key(w, "id");
    w->ok = w->ok && taco__buf_append_char(w->out, '"', w->err);
    for (i = 0; w->ok && i < name.len; i++) {
        char c = (char)name.data[i];
        bool good;
        c = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
        good = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
        w->ok = taco__buf_append_char(w->out, good ? c : '_', w->err);
    }
    w->ok = w->ok && taco__buf_append_text(w->out, name.len ? "\"" : "dataset\"", w->err);
}

/* Writes a person: name, organization, first address, role and page. */
static void taco__convert_collection_contact(taco__json_writer *w, const taco__json *who)
{
    static const char *const keys[] = {"name", "organization", "email", "role", "url"};
    const taco__json *values[5];
    size_t k;
    values[0] = taco__json_get(who, "name");
    values[1] = taco__json_get(who, "organization");
    values[1] = values[1] ? values[1] : taco__json_get(who, "affiliation");
    values[2] = taco__json_get(taco__json_at(taco__json_get(who, "emails"), 0), "value");
    values[2] = values[2] ? values[2] : taco__json_get(who, "email");
    values[3] = taco__json_at(taco__json_get(who, "roles"), 0);
    values[4] = taco__json_get(taco__json_at(taco__json_get(who, "links"), 0), "href");
    if (!taco__bytes_starts_with(taco__json_bytes(values[4]), "http")) { values[4] = NULL; }
    taco__json_write_begin(w, NULL, '{');
    for (k = 0; k < 5; k++) {
        taco_bytes text = taco__json_bytes(values[k]);
        if (text.len) { taco__convert_collection_text(w, keys[k], text); }
    }
    taco__json_write_end(w, '}');
}

/* Writes providers or curators; nothing if there are none. */
static void taco__convert_collection_contacts(taco__json_writer *w, const taco__json *list,
                                              const char *key)
{
    const taco__json *who;
    size_t n = taco__json_length(list), i;
    if (!n) { return; }
    taco__json_write_begin(w, key, '[');
    for (i = 0, who = taco__json_first(list); i < n; i++, who = taco__json_next(who)) {
        taco__convert_collection_contact(w, who);
    }
    taco__json_write_end(w, ']');
}

/* Writes providers; TACO 2 requires at least one. */
static void taco__convert_collection_providers(taco__json_writer *w, const taco__json *root)
{
    taco__convert_collection_contacts(w, taco__json_get(root, "providers"), "providers");
    if (!taco__json_length(taco__json_get(root, "providers"))) {
        taco__json_write_raw(w, "providers", taco__bytes_text("[{\"name\":\"unknown\"}]"));
    }
}

/* Writes licenses; TACO 2 requires at least one (section 5.1). */
static void taco__convert_collection_licenses(taco__json_writer *w, const taco__json *root)
{
    const taco__json *list = taco__json_get(root, "licenses");
    if (taco__json_length(list)) {
        taco__convert_collection_value(w, "licenses", list);
    } else {
        taco__convert_collection_list_of(w, "licenses", taco__bytes_text("unknown"));
    }
}

/* Writes the one task of an old dataset as a list; "general" becomes "other". */
static void taco__convert_collection_tasks(taco__json_writer *w, const taco__json *root)
{
    taco_bytes task = taco__json_bytes(taco__json_get(root, "task"));
    if (!task.len || taco__bytes_equal(task, taco__bytes_text("general"))) {
        task = taco__bytes_text("other");
    }
    taco__convert_collection_list_of(w, "tasks", task);
}

/* Writes which dataset the new one is a subset of, and the date. */
static void taco__convert_collection_subset(taco__json_writer *w, const taco__conversion *f,
                                            taco_bytes name)
{
    int64_t when = f->opt.create.date ? f->opt.create.date : taco__plat_now();
    char stamp[48];
    size_t n = taco__time_format_timestamp(stamp, when, TACO_SECOND, false);
    memcpy(stamp + n, "+00:00", 7);
    taco__convert_collection_text(w, "taco:subset_of", name);
    taco__convert_collection_text(w, "taco:subset_date", taco__bytes_text(stamp));
}

/* Writes the document for the old collection; root is NULL if there is none. */
static void taco__convert_collection_write(taco__conversion *f, const taco__json *root,
                                           taco__json_writer *w)
{
    taco_bytes name = taco__convert_collection_name(root, f->ds->stores[0].name);
    const taco__json *curators = taco__json_get(root, "curators");
    if (!taco__json_length(curators)) { curators = taco__json_get(root, "data_curator"); }
    taco__json_write_begin(w, NULL, '{');
    taco__convert_collection_id(w, name);
    taco__convert_collection_text_or(w, root, "dataset_version", "1.0.0");
    taco__convert_collection_text_or(w, root, "description", "Converted from a tortilla.");
    taco__json_write_text(w, "taco_version", "2.0.0");
    taco__convert_collection_licenses(w, root);
    taco__convert_collection_providers(w, root);
    taco__convert_collection_tasks(w, root);
    taco__convert_collection_member(w, root, "title");
    taco__convert_collection_contacts(w, curators, "curators");
    taco__convert_collection_member(w, root, "keywords");
    taco__convert_collection_extent(w, root);
    if (f->opt.query) { taco__convert_collection_subset(w, f, name); }
    if (root) { taco__convert_collection_value(w, "legacy:collection", root); }
    taco__json_write_end(w, '}');
}

/* Makes the text of the document, in the arena. */
static bool taco__convert_collection_make(taco__conversion *f, taco_bytes *out)
{
    const taco__json *root = f->ds->stores[0].coll.doc.root;
    taco__json_writer w;
    taco__buf b;
    memset(&b, 0, sizeof b);
    b.mem = &f->mem;
    w = taco__json_writer_init(&b, f->err);
    taco__convert_collection_write(f, root, &w);
    if (w.ok && !root) {
        taco__convert_note(f,
                           "a tortilla has no collection: id, licenses, providers and tasks "
                           "are placeholders%s",
                           "");
    }
    *out = taco__bytes_of(b.data, b.len);
    if (w.ok) { out->data = (const uint8_t *)taco__arena_text(&f->arena, *out, f->err); }
    taco__buf_free(&b);
    return w.ok && out->data;
}

TACO__FN bool taco__convert_collection_to_taco2(taco__conversion *f, taco__json_doc *doc)
{
    taco_bytes text = taco__bytes_text(f->opt.collection ? f->opt.collection : "");
    if ((!f->opt.collection && !taco__convert_collection_make(f, &text)) ||
        taco__json_parse(&f->arena, text, &f->options.limits, doc, f->err) != TACO_OK) {
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

/* ---- from TACO 2 ---- */

/* Writes a person: emails is null or a list of {"value": address}, roles null or a list. */
static void taco__convert_collection_old_contact(taco__json_writer *w, const taco__json *who)
{
    const taco__json *mail = taco__json_get(who, "email"), *role = taco__json_get(who, "role");
    taco__json_write_begin(w, NULL, '{');
    taco__convert_collection_value(w, "name", taco__json_get(who, "name"));
    taco__convert_collection_value(w, "organization", taco__json_get(who, "organization"));
    if (taco__rules_is_null(mail)) {
        taco__json_write_text(w, "emails", NULL);
    } else {
        taco__json_write_begin(w, "emails", '[');
        taco__json_write_begin(w, NULL, '{');
        taco__convert_collection_value(w, "value", mail);
        taco__json_write_end(w, '}');
        taco__json_write_end(w, ']');
    }
    if (taco__rules_is_null(role)) {
        taco__json_write_text(w, "roles", NULL);
    } else {
        taco__json_write_begin(w, "roles", '[');
        taco__convert_collection_value(w, NULL, role);
        taco__json_write_end(w, ']');
    }
    taco__json_write_end(w, '}');
}

/* Writes providers or curators, as an empty list if there are none. */
static void taco__convert_collection_old_contacts(taco__json_writer *w, const taco__json *root,
                                                  const char *key)
{
    const taco__json *list = taco__json_get(root, key), *who;
    size_t n = taco__json_length(list), i;
    taco__json_write_begin(w, key, '[');
    for (i = 0, who = n ? taco__json_first(list) : NULL; i < n; i++, who = taco__json_next(who)) {
        taco__convert_collection_old_contact(w, who);
    }
    taco__json_write_end(w, ']');
}

/* Writes lists of one box and one interval. */
static void taco__convert_collection_old_extent(taco__json_writer *w, const taco__json *extent)
{
    taco__json_write_begin(w, "extent", '{');
    taco__json_write_begin(w, "spatial", '[');
    taco__convert_collection_value(w, NULL, taco__json_get(extent, "spatial"));
    taco__json_write_end(w, ']');
    taco__json_write_begin(w, "temporal", '[');
    taco__convert_collection_value(w, NULL, taco__json_get(extent, "temporal"));
    taco__json_write_end(w, ']');
    taco__json_write_end(w, '}');
}

/* Writes what TACO 2 has, in the order of the last writer, with null for missing members, as it
   did. */
static void taco__convert_collection_old_write(taco__json_writer *w, const taco__json *root)
{
    static const char *const copied[] = {"id", "dataset_version", "description", "licenses"};
    static const char *const nulls[] = {"split_strategy", "discuss_link", "raw_link",
                                        "optical_data",   "labels",       "scientific"};
    size_t i;
    taco__json_write_begin(w, NULL, '{');
    for (i = 0; i < TACO__COUNT(copied); i++) {
        taco__convert_collection_member(w, root, copied[i]);
    }
    taco__convert_collection_old_extent(w, taco__json_get(root, "extent"));
    taco__convert_collection_old_contacts(w, root, "providers");
    taco__convert_collection_old_contacts(w, root, "curators");
    taco__convert_collection_value(w, "task", taco__json_at(taco__json_get(root, "tasks"), 0));
    taco__json_write_text(w, "taco_version", "0.4.0");
    taco__convert_collection_value(w, "title", taco__json_get(root, "title"));
    taco__convert_collection_value(w, "keywords", taco__json_get(root, "keywords"));
    for (i = 0; i < TACO__COUNT(nulls); i++) {
        taco__json_write_text(w, nulls[i], NULL);
    }
    taco__json_write_end(w, '}');
}

TACO__FN bool taco__convert_collection_from_taco2(taco__conversion *f, taco__buf *out)
{
    const taco__json *root = f->ds->stores[0].coll.doc.root;
    const taco__json *kept = taco__json_get(root, "legacy:collection");
    taco__json_writer w = taco__json_writer_init(out, f->err);
    if (taco__json_is(kept, TACO__JSON_OBJECT)) {
        taco__convert_collection_value(&w, NULL, kept);
    } else {
        taco__convert_collection_old_write(&w, root);
    }
    return w.ok;
}
