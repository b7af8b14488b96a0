/* metadata_stac.c - a collection as a STAC Collection 1.1.0

   In: a collection; out: one JSON object with the extensions scientific, eo and version if it has
   values for them, and taco:task, taco:labels and taco:version for what STAC has no field for. The
   file itself is the asset "data". Spec: STAC 1.1.0 Collection. Start reading at
   taco__metadata_stac. */
#include "legacy.h"
#include "../base/base.h"
#include "../base/json.h"

/* ---- providers ---- */

/* True if STAC has the role (1.1.0 Collection, Provider Object): one of four, in lower case. */
static bool taco__metadata_stac_is_role(taco_bytes role)
{
    static const char *const roles[] = {"licensor", "producer", "processor", "host"};
    size_t i;
    for (i = 0; i < TACO__COUNT(roles); i++) {
        if (taco__bytes_equal(role, taco__bytes_text(roles[i]))) { return true; }
    }
    return false;
}

/* Writes a person or organization, with its role, {NULL, 0} for none. */
static void taco__metadata_stac_person(taco__metadata_writer *a, const taco__json *who,
                                       taco_bytes role, bool organization)
{
    taco_bytes url = taco__metadata_person_url(who);
    if (!taco__metadata_person_name(who).len) { return; }
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_text(a, "name", taco__metadata_person_name(who));
    if (organization && taco__metadata_text_of(who, "name").len) {
        taco__metadata_text(a, "description", taco__metadata_person_house(who));
    }
    if (role.len) {
        taco__metadata_begin(a, "roles", '[');
        taco__metadata_text(a, NULL, role);
        taco__metadata_end(a, ']');
    }
    if (taco__bytes_starts_with(url, "http")) { taco__metadata_text(a, "url", url); }
    taco__metadata_end(a, '}');
}

/* Writes a provider. Roles that STAC does not have are omitted, since validators refuse them. */
static void taco__metadata_stac_provider(taco__metadata_writer *a, const taco__json *who)
{
    taco_bytes role = taco__metadata_first_text(who, "role", "roles", NULL);
    if (!taco__metadata_stac_is_role(role)) { role.len = 0; }
    taco__metadata_stac_person(a, who, role, true);
}

/* Writes a curator, as a provider that processed the data. */
static void taco__metadata_stac_curator(taco__metadata_writer *a, const taco__json *who)
{
    taco__metadata_stac_person(a, who, taco__bytes_text("processor"), false);
}

/* Writes providers, then curators; STAC has one list for both. */
static void taco__metadata_stac_providers(taco__metadata_writer *a)
{
    taco__metadata_begin(a, "providers", '[');
    taco__metadata_each(a, taco__json_get(a->root, "providers"), taco__metadata_stac_provider);
    taco__metadata_each(a, taco__metadata_curators(a), taco__metadata_stac_curator);
    taco__metadata_end(a, ']');
}

/* ---- links ---- */

/* Writes a link of the collection: an object, or the address itself; nothing if there is none. */
static void taco__metadata_stac_link(taco__metadata_writer *a, const char *rel, const taco__json *n)
{
    taco_bytes href = taco__metadata_text_of(n, "href");
    href = href.len ? href : taco__json_bytes(n);
    if (!href.len) { return; }
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_string(a, "rel", rel);
    taco__metadata_text(a, "href", href);
    taco__metadata_text(a, "title", taco__metadata_text_of(n, "title"));
    taco__metadata_end(a, '}');
}

/* Writes a link to the licence, which STAC recommends in addition to its id, and requires if that
   is "other". */
static void taco__metadata_stac_license(taco__metadata_writer *a, const taco__json *id)
{
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_string(a, "rel", "license");
    taco__metadata_license(a, "href", taco__json_bytes(id));
    taco__metadata_text(a, "title", taco__json_bytes(id));
    taco__metadata_end(a, '}');
}

/* Writes links to licences, the raw data, the discussion, and the DOI as the scientific extension
   requires. */
static void taco__metadata_stac_links(taco__metadata_writer *a)
{
    taco_bytes doi = taco__metadata_doi(a);
    taco__metadata_begin(a, "links", '[');
    taco__metadata_each(a, taco__json_get(a->root, "licenses"), taco__metadata_stac_license);
    taco__metadata_stac_link(a, "via", taco__metadata_member(a, "raw_link"));
    taco__metadata_stac_link(a, "about", taco__metadata_member(a, "discuss_link"));
    if (doi.len) {
        taco__metadata_begin(a, NULL, '{');
        taco__metadata_string(a, "rel", "cite-as");
        taco__metadata_joined(a, "href", taco__bytes_text("https://doi.org/"), doi,
                              taco__bytes_of(NULL, 0));
        taco__metadata_end(a, '}');
    }
    taco__metadata_end(a, ']');
}

/* ---- bands ---- */

/* Writes a wavelength of a band: nanometres in the collection, micrometres in the extension. */
static void taco__metadata_stac_wavelength(taco__metadata_writer *a, const char *key,
                                           const taco__json *nanometres)
{
    double x;
    if (taco__json_double(nanometres, &x)) { taco__metadata_number(a, key, x / 1000); }
}

/* Writes a band; wavelengths use the names of the eo extension. */
static void taco__metadata_stac_band(taco__metadata_writer *a, const taco__json *n)
{
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_text(a, "name", taco__metadata_text_of(n, "name"));
    taco__metadata_text(a, "description", taco__metadata_text_of(n, "description"));
    taco__metadata_stac_wavelength(a, "eo:center_wavelength",
                                   taco__json_get(n, "center_wavelength"));
    taco__metadata_stac_wavelength(a, "eo:full_width_half_max",
                                   taco__json_get(n, "full_width_half_max"));
    taco__metadata_end(a, '}');
}

/* Writes bands, which STAC 1.1.0 has at the top of a collection; nothing if there are none. */
static void taco__metadata_stac_bands(taco__metadata_writer *a)
{
    const taco__json *list = taco__metadata_bands(a);
    if (!taco__json_length(list)) { return; }
    taco__metadata_begin(a, "bands", '[');
    taco__metadata_each(a, list, taco__metadata_stac_band);
    taco__metadata_end(a, ']');
}

/* ---- extent and science ---- */

/* Writes a list of one box: the whole world if the collection has none. */
static void taco__metadata_stac_boxes(taco__metadata_writer *a)
{
    static const double world[4] = {-180, -90, 180, 90};
    double box[4];
    bool known = taco__metadata_bbox(a, box);
    size_t i;
    taco__metadata_begin(a, "bbox", '[');
    taco__metadata_begin(a, NULL, '[');
    for (i = 0; i < 4; i++) {
        taco__metadata_number(a, NULL, known ? box[i] : world[i]);
    }
    taco__metadata_end(a, ']');
    taco__metadata_end(a, ']');
}

/* Writes a list of one interval, open if the collection has none. */
static void taco__metadata_stac_intervals(taco__metadata_writer *a)
{
    taco_bytes t[2];
    taco__metadata_begin(a, "interval", '[');
    taco__metadata_begin(a, NULL, '[');
    if (taco__metadata_time_range(a, t)) {
        taco__metadata_text(a, NULL, t[0]);
        taco__metadata_text(a, NULL, t[1]);
    } else {
        taco__json_write_text(&a->json, NULL, NULL);
        taco__json_write_text(&a->json, NULL, NULL);
    }
    taco__metadata_end(a, ']');
    taco__metadata_end(a, ']');
}

/* Writes extent, for which STAC requires at least one box and one interval. */
static void taco__metadata_stac_extent(taco__metadata_writer *a)
{
    taco__metadata_begin(a, "extent", '{');
    taco__metadata_begin(a, "spatial", '{');
    taco__metadata_stac_boxes(a);
    taco__metadata_end(a, '}');
    taco__metadata_begin(a, "temporal", '{');
    taco__metadata_stac_intervals(a);
    taco__metadata_end(a, '}');
    taco__metadata_end(a, '}');
}

/* Writes a paper, by DOI or citation; nothing if it has neither. */
static void taco__metadata_stac_publication(taco__metadata_writer *a, const taco__json *n)
{
    taco_bytes doi = taco__metadata_text_of(n, "doi");
    taco_bytes citation = taco__metadata_text_of(n, "citation");
    if (!doi.len && !citation.len) { return; }
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_text(a, "doi", doi);
    taco__metadata_text(a, "citation", citation);
    taco__metadata_end(a, '}');
}

/* Writes members of the scientific extension: DOI and citation of the dataset, then publications
   about it. */
static void taco__metadata_stac_science(taco__metadata_writer *a)
{
    const taco__json *list = taco__metadata_publications(a);
    taco__metadata_text(a, "sci:doi", taco__metadata_doi(a));
    taco__metadata_text(a, "sci:citation",
                        taco__metadata_text_of(taco__metadata_member(a, "scientific"), "citation"));
    if (!taco__json_length(list)) { return; }
    taco__metadata_begin(a, "sci:publications", '[');
    taco__metadata_each(a, list, taco__metadata_stac_publication);
    taco__metadata_end(a, ']');
}

/* ---- the document ---- */

/* Writes the list of extensions used in the document. */
static void taco__metadata_stac_extensions(taco__metadata_writer *a)
{
    bool bands = taco__json_length(taco__metadata_bands(a)) != 0;
    bool science = taco__json_is(taco__metadata_member(a, "scientific"), TACO__JSON_OBJECT) ||
                   taco__json_length(taco__metadata_publications(a));
    taco__metadata_begin(a, "stac_extensions", '[');
    if (science) {
        taco__metadata_string(a, NULL,
                              "https://stac-extensions.github.io/scientific/v1.0.0/schema.json");
    }
    if (bands) {
        taco__metadata_string(a, NULL, "https://stac-extensions.github.io/eo/v2.0.0/schema.json");
    }
    taco__metadata_string(a, NULL, "https://stac-extensions.github.io/version/v1.2.0/schema.json");
    taco__metadata_end(a, ']');
}

/* Writes title and licence of the dataset; several licences become "other". */
static void taco__metadata_stac_identity(taco__metadata_writer *a)
{
    const taco__json *licenses = taco__json_get(a->root, "licenses");
    bool one = taco__json_length(licenses) == 1;
    taco__metadata_text(a, "id", taco__metadata_member_text(a, "id"));
    taco__metadata_text(a, "title", taco__metadata_member_text(a, "title"));
    taco__metadata_text(a, "description", taco__metadata_member_text(a, "description"));
    taco__metadata_value(a, "keywords", taco__json_get(a->root, "keywords"));
    taco__metadata_text(a, "license",
                        one ? taco__json_bytes(taco__json_at(licenses, 0))
                            : taco__bytes_text("other"));
}

/* Writes what samples have in common. Each is a list, as STAC requires, except for the labels,
   which are kept in the form of the collection. */
static void taco__metadata_stac_summaries(taco__metadata_writer *a)
{
    taco_bytes sensor = taco__metadata_text_of(taco__metadata_member(a, "optical_data"), "sensor");
    taco__metadata_begin(a, "summaries", '{');
    if (sensor.len) {
        taco__metadata_begin(a, "platform", '[');
        taco__metadata_text(a, NULL, sensor);
        taco__metadata_end(a, ']');
    }
    taco__metadata_begin(a, "taco:task", '[');
    taco__metadata_each_task(a, taco__metadata_item);
    taco__metadata_end(a, ']');
    taco__metadata_value(a, "taco:labels",
                         taco__json_get(taco__metadata_member(a, "labels"), "label_classes"));
    taco__metadata_end(a, '}');
}

/* Writes the asset: the file, next to the document. */
static void taco__metadata_stac_assets(taco__metadata_writer *a)
{
    taco_bytes file = taco__bytes_text(taco__metadata_base_name(a->path));
    taco__metadata_begin(a, "assets", '{');
    taco__metadata_begin(a, "data", '{');
    taco__metadata_joined(a, "href", taco__bytes_text("./"), file, taco__bytes_of(NULL, 0));
    taco__metadata_string(a, "type", taco__metadata_media_type(a));
    taco__metadata_begin(a, "roles", '[');
    taco__metadata_string(a, NULL, "data");
    taco__metadata_end(a, ']');
    taco__metadata_end(a, '}');
    taco__metadata_end(a, '}');
}

TACO__FN void taco__metadata_stac(taco__metadata_writer *a)
{
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_string(a, "type", "Collection");
    taco__metadata_string(a, "stac_version", "1.1.0");
    taco__metadata_stac_extensions(a);
    taco__metadata_stac_identity(a);
    taco__metadata_stac_providers(a);
    taco__metadata_stac_extent(a);
    taco__metadata_stac_links(a);
    taco__metadata_stac_science(a);
    taco__metadata_stac_bands(a);
    taco__metadata_stac_summaries(a);
    taco__metadata_text(a, "taco:version", taco__metadata_member_text(a, "taco_version"));
    taco__metadata_text(a, "version", taco__metadata_member_text(a, "dataset_version"));
    taco__metadata_stac_assets(a);
    taco__metadata_end(a, '}');
}
