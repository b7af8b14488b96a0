/* legacy_collection.c - what the collection of a TACO 0.x may hold

   In: the parsed document, of a file or about to be written; out: a problem in taco__findings for
   each breach, with its clause. Spec: TACO 0.2.0 "Semantic Description": the core fields are
   required, the optional ones may be missing or null. data_curator is a core field in the document,
   but the writers of that time called it `curators` and made it optional: lacking it is a warning.
   An extent is a list of boxes and a list of intervals, or one of each. */
#include "legacy.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../dataset/dataset.h"
#include "../validate/validate.h"

/* A breach at a member. */
#define TACO__LEGACY_COLLECTION_MEMBER(f, error, clause, key, ...)                                 \
    do {                                                                                           \
        taco__findings_set_place(f, "collection: %s", key);                                        \
        TACO__FINDINGS_CLAUSE(f, error, clause, __VA_ARGS__);                                      \
    } while (0)

static const char taco__legacy_collection_core[] = "TACO 0.2.0, Semantic Description, core fields";
static const char taco__legacy_collection_optional[] =
    "TACO 0.2.0, Semantic Description, optional fields";

/* Checks a text: required ones must not be empty, optional ones may be missing or null. */
static void taco__legacy_collection_check_text(taco__findings *f, const taco__json *root,
                                               const char *key, bool core)
{
    const taco__json *n = taco__json_get(root, key);
    bool text = taco__json_is(n, TACO__JSON_STRING);
    if (core ? !taco__json_bytes(n).len : !text && !taco__rules_is_null(n)) {
        TACO__LEGACY_COLLECTION_MEMBER(
            f, true, core ? taco__legacy_collection_core : taco__legacy_collection_optional, key,
            "must be %s, found %s", core ? "a text that is not empty" : "a text or null",
            text ? "an empty one" : taco__json_type_name(n));
    }
}

/* Checks a list of texts; core: it has at least one. */
static void taco__legacy_collection_check_texts(taco__findings *f, const taco__json *root,
                                                const char *key, bool core)
{
    const taco__json *list = taco__json_get(root, key), *text;
    const char *clause = core ? taco__legacy_collection_core : taco__legacy_collection_optional;
    size_t i, n = taco__json_length(list);
    if (!core && taco__rules_is_null(list)) { return; }
    if (!taco__json_is(list, TACO__JSON_ARRAY) || (core && !n)) {
        TACO__LEGACY_COLLECTION_MEMBER(
            f, true, clause, key, "must be a list of texts%s, found %s",
            core ? ", at least one" : "",
            taco__json_is(list, TACO__JSON_ARRAY) ? "an empty one" : taco__json_type_name(list));
        return;
    }
    for (i = 0, text = taco__json_first(list); i < n; i++, text = taco__json_next(text)) {
        if (!taco__json_bytes(text).len) {
            TACO__LEGACY_COLLECTION_MEMBER(f, true, clause, key,
                                           "item %u must be a text that is not empty, found %s",
                                           TACO__U(i), taco__json_type_name(text));
        }
    }
}

/* ---- people ---- */

/* Checks a list of contacts (table 2): objects with a name, or an organization. */
static void taco__legacy_collection_check_contacts(taco__findings *f, const taco__json *list,
                                                   const char *key)
{
    const taco__json *who;
    size_t i, n = taco__json_length(list);
    if (!taco__json_is(list, TACO__JSON_ARRAY) || !n) {
        TACO__LEGACY_COLLECTION_MEMBER(
            f, true, taco__legacy_collection_core, key,
            "must be a list of contacts, at least one, found %s",
            taco__json_is(list, TACO__JSON_ARRAY) ? "an empty one" : taco__json_type_name(list));
        return;
    }
    for (i = 0, who = taco__json_first(list); i < n; i++, who = taco__json_next(who)) {
        if (!taco__metadata_person_name(who).len) {
            TACO__LEGACY_COLLECTION_MEMBER(f, true, taco__legacy_collection_core, key,
                                           "item %u has neither a name nor an organization",
                                           TACO__U(i));
        }
    }
}

/* Checks data_curator, or `curators` as the writers called it. */
static void taco__legacy_collection_check_curators(taco__findings *f, const taco__json *root)
{
    const taco__json *list = taco__json_get(root, "data_curator");
    const char *key = list ? "data_curator" : "curators";
    list = list ? list : taco__json_get(root, "curators");
    if (!taco__rules_is_null(list) &&
        !(taco__json_is(list, TACO__JSON_ARRAY) && !taco__json_length(list))) {
        taco__legacy_collection_check_contacts(f, list, key);
    } else {
        TACO__LEGACY_COLLECTION_MEMBER(f, false, taco__legacy_collection_core, "data_curator",
                                       "is missing, and so is curators");
    }
}

/* ---- the extent ---- */

/* Checks a box of two or three dimensions, in degrees. */
static void taco__legacy_collection_check_box(taco__findings *f, const taco__json *box)
{
    size_t n = taco__json_length(box), wide = n / 2, k;
    double e[6] = {0, 0, 0, 0, 0, 0};
    bool numbers = n == 4 || n == 6;
    for (k = 0; numbers && k < n; k++) {
        numbers = taco__json_double(taco__json_at(box, k), &e[k]);
    }
    if (!numbers) {
        TACO__LEGACY_COLLECTION_MEMBER(f, true, taco__legacy_collection_core, "extent.spatial",
                                       "a box must be 4 or 6 numbers, found %u", TACO__U(n));
        return;
    }
    if (!(e[0] >= -180 && e[0] <= 180 && e[wide] >= -180 && e[wide] <= 180 && e[1] >= -90 &&
          e[1] <= e[wide + 1] && e[wide + 1] <= 90)) {
        TACO__LEGACY_COLLECTION_MEMBER(
            f, true, taco__legacy_collection_core, "extent.spatial",
            "a box must be west, south, east, north in degrees, south not "
            "above north");
    }
}

/* Parses one end of an interval to milliseconds: an ISO 8601 date, or an integer; *open is set for
   null. */
static bool taco__legacy_collection_read_time(const taco__json *n, int64_t *ms, bool *open)
{
    bool date, ok;
    *open = taco__rules_is_null(n);
    if (*open || taco__json_int(n, ms)) { return true; }
    ok = taco__time_parse(taco__json_bytes(n), ms, &date);
    if (ok) { *ms = taco__time_floor_div(*ms, 1000); }
    return ok;
}

/* Checks an interval of two times, the second not before the first. */
static void taco__legacy_collection_check_interval(taco__findings *f, const taco__json *times)
{
    int64_t ms[2] = {0, 0};
    bool open[2] = {false, false};
    if (taco__json_length(times) != 2 ||
        !taco__legacy_collection_read_time(taco__json_at(times, 0), &ms[0], &open[0]) ||
        !taco__legacy_collection_read_time(taco__json_at(times, 1), &ms[1], &open[1])) {
        TACO__LEGACY_COLLECTION_MEMBER(f, true, taco__legacy_collection_core, "extent.temporal",
                                       "an interval must be two times in ISO 8601");
    } else if (!open[0] && !open[1] && ms[1] < ms[0]) {
        TACO__LEGACY_COLLECTION_MEMBER(f, true, taco__legacy_collection_core, "extent.temporal",
                                       "an interval ends before it starts");
    }
}

/* Calls the check for each item of a list of lists, or for the list itself if its items are not
   lists. */
static void taco__legacy_collection_each(taco__findings *f, const taco__json *list, const char *key,
                                         void (*check)(taco__findings *f, const taco__json *item))
{
    const taco__json *item = taco__json_first(list);
    size_t i, n = taco__json_length(list);
    if (!taco__json_is(list, TACO__JSON_ARRAY) || !n) {
        TACO__LEGACY_COLLECTION_MEMBER(
            f, true, taco__legacy_collection_core, key,
            "must be a list that is not empty, found %s",
            taco__json_is(list, TACO__JSON_ARRAY) ? "an empty one" : taco__json_type_name(list));
    } else if (!taco__json_is(item, TACO__JSON_ARRAY)) {
        check(f, list);
    } else {
        for (i = 0; i < n; i++, item = taco__json_next(item)) {
            check(f, item);
        }
    }
}

static void taco__legacy_collection_check_extent(taco__findings *f, const taco__json *root)
{
    const taco__json *extent = taco__json_get(root, "extent"), *times;
    if (!taco__json_is(extent, TACO__JSON_OBJECT)) {
        TACO__LEGACY_COLLECTION_MEMBER(f, true, taco__legacy_collection_core, "extent",
                                       "must be an object of spatial and temporal, found %s",
                                       taco__json_type_name(extent));
        return;
    }
    times = taco__json_get(extent, "temporal");
    taco__legacy_collection_each(f, taco__json_get(extent, "spatial"), "extent.spatial",
                                 taco__legacy_collection_check_box);
    if (!taco__rules_is_null(times) &&
        !(taco__json_length(times) == 1 && taco__rules_is_null(taco__json_at(times, 0)))) {
        taco__legacy_collection_each(f, times, "extent.temporal",
                                     taco__legacy_collection_check_interval);
    } else {
        TACO__LEGACY_COLLECTION_MEMBER(f, false, taco__legacy_collection_core, "extent.temporal",
                                       "is missing");
    }
}

/* ---- the rest ---- */

/* Checks raw_link and discuss_link (table 6): an object with an address. */
static void taco__legacy_collection_check_link(taco__findings *f, const taco__json *root,
                                               const char *key)
{
    const taco__json *n = taco__json_get(root, key);
    if (taco__rules_is_null(n) || taco__metadata_text_of(n, "href").len) { return; }
    TACO__LEGACY_COLLECTION_MEMBER(f, !taco__json_bytes(n).len, taco__legacy_collection_optional,
                                   key, "must be an object with href, found %s",
                                   taco__json_type_name(n));
}

TACO__FN void taco__legacy_collection_check(taco__findings *f, const taco__json *root, bool made)
{
    static const char *const core[] = {"id", "taco_version", "dataset_version", "description"};
    static const char *const optional[] = {"title", "task", "split_strategy"};
    static const char *const links[] = {"raw_link", "discuss_link"};
    taco_bytes version = taco__metadata_text_of(root, "taco_version");
    size_t i;
    for (i = 0; i < TACO__COUNT(core); i++) {
        taco__legacy_collection_check_text(f, root, core[i], true);
    }
    if (version.len && !taco__collection_is_version(version)) {
        TACO__LEGACY_COLLECTION_MEMBER(f, made, taco__legacy_collection_core, "taco_version",
                                       "is %q, must be a version such as 0.2.0", &version);
    }
    taco__legacy_collection_check_texts(f, root, "licenses", true);
    taco__legacy_collection_check_contacts(f, taco__json_get(root, "providers"), "providers");
    taco__legacy_collection_check_curators(f, root);
    taco__legacy_collection_check_extent(f, root);
    for (i = 0; i < TACO__COUNT(optional); i++) {
        taco__legacy_collection_check_text(f, root, optional[i], false);
    }
    taco__legacy_collection_check_texts(f, root, "keywords", false);
    for (i = 0; i < TACO__COUNT(links); i++) {
        taco__legacy_collection_check_link(f, root, links[i]);
    }
    taco__findings_end_table(f, "collection");
}
