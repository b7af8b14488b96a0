/* metadata_stac.c - what a collection says, in the words of STAC, DataCite, data cards and
   Croissant.. Spec: STAC 1.1.0 Collection; DataCite 4.5; Croissant 1.0; TACO 0.2.0 "API" */
#include "legacy.h"
#include "../base/base.h"
#include "../base/json.h"

/* ---- STAC ---- */

static bool taco__metadata_stac_is_role(taco_bytes role)
{
    return taco__bytes_equal(role, taco__bytes_text("licensor")) ||
           taco__bytes_equal(role, taco__bytes_text("producer")) ||
           taco__bytes_equal(role, taco__bytes_text("processor")) ||
           taco__bytes_equal(role, taco__bytes_text("host"));
}

static void taco__metadata_stac_people(taco__metadata_writer *a, const char *key, bool curators)
{
    const taco__json *list = taco__json_get(a->root, key), *who;
    size_t i, n = taco__json_length(list);
    for (i = 0, who = n ? taco__json_first(list) : NULL; i < n; i++, who = taco__json_next(who)) {
        taco_bytes role = taco__metadata_first_text(who, "role", "roles", NULL),
                   url = taco__metadata_person_url(who);
        if (!taco__metadata_person_name(who).len) { continue; }
        taco__metadata_open(a, NULL, "{");
        taco__metadata_text(a, "name", taco__metadata_person_name(who));
        if (!curators && taco__metadata_text_of(who, "name").len) {
            taco__metadata_text(a, "description", taco__metadata_text_of(who, "organization"));
        }
        if (curators || taco__metadata_stac_is_role(role)) {
            taco__metadata_open(a, "roles", "[");
            taco__metadata_text(a, NULL, curators ? taco__bytes_text("processor") : role);
            taco__metadata_close(a, "]");
        }
        if (taco__bytes_starts_with(url, "http")) { taco__metadata_text(a, "url", url); }
        taco__metadata_close(a, "}");
    }
}

static void taco__metadata_stac_link(taco__metadata_writer *a, const char *rel, const taco__json *n)
{
    taco_bytes href = taco__metadata_text_of(n, "href");
    href = href.len ? href : taco__json_bytes(n);
    if (href.len) {
        taco__metadata_open(a, NULL, "{");
        taco__metadata_string(a, "rel", rel);
        taco__metadata_text(a, "href", href);
        taco__metadata_text(a, "title", taco__metadata_text_of(n, "title"));
        taco__metadata_close(a, "}");
    }
}

static void taco__metadata_stac_links(taco__metadata_writer *a)
{
    const taco__json *list = taco__json_get(a->root, "licenses"), *n;
    taco_bytes doi = taco__metadata_text_of(taco__metadata_member(a, "scientific"), "doi");
    size_t i, count = taco__json_length(list);
    taco__metadata_open(a, "links", "[");
    for (i = 0, n = count ? taco__json_first(list) : NULL; i < count; i++, n = taco__json_next(n)) {
        taco__metadata_open(a, NULL, "{");
        taco__metadata_string(a, "rel", "license");
        taco__metadata_license(a, "href", taco__json_bytes(n));
        taco__metadata_text(a, "title", taco__json_bytes(n));
        taco__metadata_close(a, "}");
    }
    taco__metadata_stac_link(a, "via", taco__metadata_member(a, "raw_link"));
    taco__metadata_stac_link(a, "about", taco__metadata_member(a, "discuss_link"));
    if (doi.len) {
        taco__metadata_open(a, NULL, "{");
        taco__metadata_string(a, "rel", "cite-as");
        taco__metadata_open(a, "href", "\"https://doi.org/");
        taco__metadata_bytes(a, doi);
        taco__metadata_puts(a, "\",");
        taco__metadata_close(a, "}");
    }
    taco__metadata_close(a, "]");
}

/* Wavelengths of the collection are nanometres, of the extension micrometres. */
static void taco__metadata_stac_bands(taco__metadata_writer *a)
{
    const taco__json *list = taco__metadata_list_bands(a), *n;
    size_t i, count = taco__json_length(list);
    if (!count) { return; }
    taco__metadata_open(a, "bands", "[");
    for (i = 0, n = taco__json_first(list); i < count; i++, n = taco__json_next(n)) {
        double x;
        taco__metadata_open(a, NULL, "{");
        taco__metadata_text(a, "name", taco__metadata_text_of(n, "name"));
        taco__metadata_text(a, "description", taco__metadata_text_of(n, "description"));
        if (taco__json_double(taco__json_get(n, "center_wavelength"), &x)) {
            taco__metadata_number(a, "eo:center_wavelength", x / 1000);
        }
        if (taco__json_double(taco__json_get(n, "full_width_half_max"), &x)) {
            taco__metadata_number(a, "eo:full_width_half_max", x / 1000);
        }
        taco__metadata_close(a, "}");
    }
    taco__metadata_close(a, "]");
}

static void taco__metadata_stac_extent(taco__metadata_writer *a)
{
    double box[4] = {-180, -90, 180, 90};
    taco_bytes t[2];
    size_t i;
    if (!taco__metadata_bbox(a, box)) {
        box[0] = -180;
        box[1] = -90;
        box[2] = 180;
        box[3] = 90;
    }
    taco__metadata_open(a, "extent", "{");
    taco__metadata_open(a, "spatial", "{\"bbox\":[[");
    for (i = 0; i < 4; i++) {
        taco__metadata_number(a, NULL, box[i]);
    }
    taco__metadata_close(a, "]]}");
    taco__metadata_open(a, "temporal", "{\"interval\":[[");
    if (taco__metadata_time_range(a, t)) {
        taco__metadata_text(a, NULL, t[0]);
        taco__metadata_text(a, NULL, t[1]);
    } else {
        taco__metadata_puts(a, "null,null,");
    }
    taco__metadata_close(a, "]]}");
    taco__metadata_close(a, "}");
}

static void taco__metadata_stac_science(taco__metadata_writer *a)
{
    const taco__json *s = taco__metadata_member(a, "scientific"),
                     *list = taco__metadata_publications(a), *n;
    size_t i, count = taco__json_length(list);
    taco__metadata_text(a, "sci:doi", taco__metadata_text_of(s, "doi"));
    taco__metadata_text(a, "sci:citation", taco__metadata_text_of(s, "citation"));
    if (!count) { return; }
    taco__metadata_open(a, "sci:publications", "[");
    for (i = 0, n = taco__json_first(list); i < count; i++, n = taco__json_next(n)) {
        if (taco__metadata_text_of(n, "doi").len || taco__metadata_text_of(n, "citation").len) {
            taco__metadata_open(a, NULL, "{");
            taco__metadata_text(a, "doi", taco__metadata_text_of(n, "doi"));
            taco__metadata_text(a, "citation", taco__metadata_text_of(n, "citation"));
            taco__metadata_close(a, "}");
        }
    }
    taco__metadata_close(a, "]");
}

TACO__FN void taco__metadata_stac(taco__metadata_writer *a)
{
    const taco__json *licenses = taco__json_get(a->root, "licenses");
    bool bands = taco__json_length(taco__metadata_list_bands(a)) != 0,
         science = taco__json_is(taco__metadata_member(a, "scientific"), TACO__JSON_OBJECT) ||
                   taco__json_length(taco__metadata_publications(a));
    taco__metadata_open(a, NULL, "{");
    taco__metadata_string(a, "type", "Collection");
    taco__metadata_string(a, "stac_version", "1.1.0");
    taco__metadata_open(a, "stac_extensions", "[");
    if (science) {
        taco__metadata_string(a, NULL,
                              "https://stac-extensions.github.io/scientific/v1.0.0/schema.json");
    }
    if (bands) {
        taco__metadata_string(a, NULL, "https://stac-extensions.github.io/eo/v2.0.0/schema.json");
    }
    taco__metadata_string(a, NULL, "https://stac-extensions.github.io/version/v1.2.0/schema.json");
    taco__metadata_close(a, "]");
    taco__metadata_text(a, "id", taco__metadata_member_text(a, "id"));
    taco__metadata_text(a, "title", taco__metadata_member_text(a, "title"));
    taco__metadata_text(a, "description", taco__metadata_member_text(a, "description"));
    taco__metadata_value(a, "keywords", taco__json_get(a->root, "keywords"));
    taco__metadata_text(a, "license",
                        taco__json_length(licenses) == 1
                            ? taco__json_bytes(taco__json_at(licenses, 0))
                            : taco__bytes_text("other"));
    taco__metadata_open(a, "providers", "[");
    taco__metadata_stac_people(a, "providers", false);
    taco__metadata_stac_people(a, "curators", true);
    taco__metadata_close(a, "]");
    taco__metadata_stac_extent(a);
    taco__metadata_stac_links(a);
    taco__metadata_stac_science(a);
    taco__metadata_stac_bands(a);
    taco__metadata_open(a, "summaries", "{");
    if (taco__metadata_text_of(taco__metadata_member(a, "optical_data"), "sensor").len) {
        taco__metadata_open(a, "platform", "[");
        taco__metadata_text(
            a, NULL, taco__metadata_text_of(taco__metadata_member(a, "optical_data"), "sensor"));
        taco__metadata_close(a, "]");
    }
    taco__metadata_open(a, "taco:task", "[");
    taco__metadata_text(a, NULL, taco__metadata_first_text(a->root, "task", "tasks", NULL));
    taco__metadata_close(a, "]");
    taco__metadata_value(a, "taco:labels",
                         taco__json_get(taco__metadata_member(a, "labels"), "label_classes"));
    taco__metadata_close(a, "}");
    taco__metadata_text(a, "taco:version", taco__metadata_member_text(a, "taco_version"));
    taco__metadata_text(a, "version", taco__metadata_member_text(a, "dataset_version"));
    taco__metadata_open(a, "assets", "{");
    taco__metadata_open(a, "data", "{");
    taco__metadata_open(a, "href", "\"./");
    taco__metadata_puts(a, taco__metadata_file_name(a));
    taco__metadata_puts(a, "\",");
    taco__metadata_string(a, "type", taco__metadata_media_type(a));
    taco__metadata_puts(a, "\"roles\":[\"data\"],");
    taco__metadata_close(a, "}");
    taco__metadata_close(a, "}");
    taco__metadata_close(a, "}");
}
