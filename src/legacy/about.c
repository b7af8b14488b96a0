/* ==== ROOM about: what a collection says, in the words of STAC, DataCite, data cards and Croissant. Uses: sha back
   forward json. Spec: STAC 1.1.0 Collection; DataCite 4.5; Croissant 1.0; TACO 0.2.0 "API" ==== */

/* JSON and Markdown being written. A failure sticks. */
typedef struct taco__metadata_writer {
    taco__buf                     *b;
    const taco__json              *root; /* of the collection */
    const char                    *path; /* of the dataset */
    taco_dataset                  *ds;
    taco_collection_export_options opt;
    taco_error                    *err;
    bool                           ok;
} taco__metadata_writer;

TACO__FN void taco__metadata_puts(taco__metadata_writer *a, const char *text)
{
    a->ok = a->ok && taco__buf_append_text(a->b, text, a->err);
}
TACO__FN void taco__metadata_bytes(taco__metadata_writer *a, taco_bytes text)
{
    a->ok = a->ok && taco__buf_append(a->b, text.data, text.len, a->err);
}
/* Every value ends with a comma, which the bracket that closes takes back. */
TACO__FN void taco__metadata_open(taco__metadata_writer *a, const char *key, const char *bracket)
{
    if (key) {
        taco__metadata_puts(a, "\"");
        taco__metadata_puts(a, key);
        taco__metadata_puts(a, "\":");
    }
    taco__metadata_puts(a, bracket);
}
TACO__FN void taco__metadata_close(taco__metadata_writer *a, const char *bracket)
{
    if (a->ok && a->b->len && a->b->data[a->b->len - 1] == ',') {
        a->b->len--;
    }
    taco__metadata_puts(a, bracket);
    taco__metadata_puts(a, ",");
}
/* A text; nothing where it is empty. */
TACO__FN void taco__metadata_text(taco__metadata_writer *a, const char *key, taco_bytes text)
{
    if (text.len) {
        taco__metadata_open(a, key, "");
        a->ok = a->ok && taco__json_write_utf8(a->b, text, a->err);
        taco__metadata_puts(a, ",");
    }
}
TACO__FN void taco__metadata_string(taco__metadata_writer *a, const char *key, const char *text)
{
    taco__metadata_text(a, key, taco__bytes_text(text));
}
TACO__FN void taco__metadata_number(taco__metadata_writer *a, const char *key, double x)
{
    taco__metadata_open(a, key, "");
    a->ok = a->ok && taco__document_write_double(a->b, x, a->err);
    taco__metadata_puts(a, ",");
}
/* A value as it stands; nothing where it is null. */
TACO__FN void taco__metadata_value(taco__metadata_writer *a, const char *key, const taco__json *n)
{
    if (!taco__rules_is_null(n)) {
        taco__metadata_open(a, key, "");
        a->ok = a->ok && taco__json_write_value(a->b, n, 0, a->err);
        taco__metadata_puts(a, ",");
    }
}

/* ---- what collections of both generations say ---- */

TACO__FN taco_bytes taco__metadata_text_of(const taco__json *n, const char *key)
{
    return taco__json_bytes(taco__json_get(n, key));
}
/* What TACO 2 has no name for stands in the old document that was kept. */
TACO__FN const taco__json *taco__metadata_member(const taco__metadata_writer *a, const char *key)
{
    const taco__json *n = taco__json_get(a->root, key);
    return n ? n : taco__json_get(taco__json_get(a->root, "legacy:collection"), key);
}
TACO__FN taco_bytes taco__metadata_member_text(const taco__metadata_writer *a, const char *key)
{
    return taco__metadata_text_of(a->root, key);
}
/* Values that are in a list of TACO 2 or under another name in TACO 0.x. */
TACO__FN taco_bytes taco__metadata_first_text(const taco__json *n, const char *one,
                                              const char *list, const char *inner)
{
    const taco__json *first = taco__json_at(taco__json_get(n, list), 0);
    taco_bytes        text = taco__metadata_text_of(n, one);
    return text.len ? text : inner ? taco__metadata_text_of(first, inner) : taco__json_bytes(first);
}
TACO__FN taco_bytes taco__metadata_person_name(const taco__json *who)
{
    taco_bytes name = taco__metadata_text_of(who, "name");
    return name.len ? name : taco__metadata_text_of(who, "organization");
}
TACO__FN taco_bytes taco__metadata_person_url(const taco__json *who)
{
    return taco__metadata_first_text(who, "url", "links", "href");
}
/* The title, the id where it has none. */
TACO__FN taco_bytes taco__metadata_title(const taco__metadata_writer *a)
{
    taco_bytes title = taco__metadata_member_text(a, "title");
    return title.len ? title : taco__metadata_member_text(a, "id");
}
TACO__FN bool taco__metadata_time_range(const taco__metadata_writer *a, taco_bytes out[2])
{
    const taco__json *t = taco__json_get(taco__json_get(a->root, "extent"), "temporal"),
                     *one = taco__json_at(t, 0);
    one = taco__json_is(one, TACO__JSON_STRING) ? t : one;
    out[0] = taco__json_bytes(taco__json_at(one, 0));
    out[1] = taco__json_bytes(taco__json_at(one, 1));
    return out[0].len && out[1].len;
}
TACO__FN bool taco__metadata_bbox(const taco__metadata_writer *a, double box[4])
{
    return taco__convert_read_bbox(taco__json_get(taco__json_get(a->root, "extent"), "spatial"),
                                   box);
}
TACO__FN const taco__json *taco__metadata_publications(const taco__metadata_writer *a)
{
    const taco__json *p = taco__json_get(taco__metadata_member(a, "scientific"), "publications");
    return p ? p : taco__json_get(a->root, "publications");
}
TACO__FN const char *taco__metadata_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
TACO__FN const char *taco__metadata_file_name(const taco__metadata_writer *a)
{
    return taco__metadata_base_name(a->path);
}
TACO__FN const char *taco__metadata_media_type(const taco__metadata_writer *a)
{
    return taco__container_ends_with(a->path, ".taco") ||
                   taco__container_ends_with(a->path, ".tortilla")
               ? "application/vnd.tortilla+blob"
               : "application/zip";
}
/* The page of a licence at SPDX. */
TACO__FN void taco__metadata_license(taco__metadata_writer *a, const char *key, taco_bytes id)
{
    taco__metadata_open(a, key, "\"https://spdx.org/licenses/");
    taco__metadata_bytes(a, id);
    taco__metadata_puts(a, ".html\",");
}

/* ---- STAC ---- */

TACO__FN bool taco__metadata_stac_is_role(taco_bytes role)
{
    return taco__bytes_equal(role, taco__bytes_text("licensor")) ||
           taco__bytes_equal(role, taco__bytes_text("producer")) ||
           taco__bytes_equal(role, taco__bytes_text("processor")) ||
           taco__bytes_equal(role, taco__bytes_text("host"));
}
TACO__FN void taco__metadata_stac_people(taco__metadata_writer *a, const char *key, bool curators)
{
    const taco__json *list = taco__json_get(a->root, key), *who;
    size_t            i, n = taco__json_length(list);
    for (i = 0, who = n ? taco__json_first(list) : NULL; i < n; i++, who = taco__json_next(who)) {
        taco_bytes role = taco__metadata_first_text(who, "role", "roles", NULL),
                   url = taco__metadata_person_url(who);
        if (!taco__metadata_person_name(who).len) {
            continue;
        }
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
        if (taco__bytes_starts_with(url, "http")) {
            taco__metadata_text(a, "url", url);
        }
        taco__metadata_close(a, "}");
    }
}
TACO__FN void taco__metadata_stac_link(taco__metadata_writer *a, const char *rel,
                                       const taco__json *n)
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
TACO__FN void taco__metadata_stac_links(taco__metadata_writer *a)
{
    const taco__json *list = taco__json_get(a->root, "licenses"), *n;
    taco_bytes        doi = taco__metadata_text_of(taco__metadata_member(a, "scientific"), "doi");
    size_t            i, count = taco__json_length(list);
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
/* Bands of TACO 0.x, or of the extensions of TACO 2. */
TACO__FN const taco__json *taco__metadata_list_bands(const taco__metadata_writer *a)
{
    const taco__json *list = taco__json_get(taco__metadata_member(a, "optical_data"), "bands");
    return list ? list : taco__json_get(a->root, "optical:bands");
}
/* Wavelengths of the collection are nanometres, of the extension micrometres. */
TACO__FN void taco__metadata_stac_bands(taco__metadata_writer *a)
{
    const taco__json *list = taco__metadata_list_bands(a), *n;
    size_t            i, count = taco__json_length(list);
    if (!count) {
        return;
    }
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
TACO__FN void taco__metadata_stac_extent(taco__metadata_writer *a)
{
    double     box[4] = {-180, -90, 180, 90};
    taco_bytes t[2];
    size_t     i;
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
TACO__FN void taco__metadata_stac_science(taco__metadata_writer *a)
{
    const taco__json *s = taco__metadata_member(a, "scientific"),
                     *list = taco__metadata_publications(a), *n;
    size_t i, count = taco__json_length(list);
    taco__metadata_text(a, "sci:doi", taco__metadata_text_of(s, "doi"));
    taco__metadata_text(a, "sci:citation", taco__metadata_text_of(s, "citation"));
    if (!count) {
        return;
    }
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
    bool              bands = taco__json_length(taco__metadata_list_bands(a)) != 0,
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

/* ---- DataCite ---- */

TACO__FN void taco__metadata_datacite_people(taco__metadata_writer *a, const char *key,
                                             const char *to, const char *type)
{
    const taco__json *list = taco__json_get(a->root, key), *who;
    size_t            i, n = taco__json_length(list);
    if (!n) {
        return;
    }
    taco__metadata_open(a, to, "[");
    for (i = 0, who = taco__json_first(list); i < n; i++, who = taco__json_next(who)) {
        bool person = taco__metadata_text_of(who, "name").len != 0;
        taco__metadata_open(a, NULL, "{");
        taco__metadata_text(a, "name", taco__metadata_person_name(who));
        taco__metadata_string(a, "nameType", person ? "Personal" : "Organizational");
        if (person && taco__metadata_text_of(who, "organization").len) {
            taco__metadata_open(a, "affiliation", "[{");
            taco__metadata_text(a, "name", taco__metadata_text_of(who, "organization"));
            taco__metadata_close(a, "}]");
        }
        if (type) {
            taco__metadata_string(a, "contributorType", type);
        }
        taco__metadata_close(a, "}");
    }
    taco__metadata_close(a, "]");
}
TACO__FN void taco__metadata_datacite_related(taco__metadata_writer *a)
{
    const taco__json *list = taco__metadata_publications(a), *n;
    taco_bytes        raw = taco__metadata_text_of(taco__metadata_member(a, "raw_link"), "href");
    size_t            i, count = taco__json_length(list);
    taco__metadata_open(a, "relatedIdentifiers", "[");
    for (i = 0, n = count ? taco__json_first(list) : NULL; i < count; i++, n = taco__json_next(n)) {
        if (taco__metadata_text_of(n, "doi").len) {
            taco__metadata_open(a, NULL, "{");
            taco__metadata_text(a, "relatedIdentifier", taco__metadata_text_of(n, "doi"));
            taco__metadata_string(a, "relatedIdentifierType", "DOI");
            taco__metadata_string(a, "relationType", "IsDescribedBy");
            taco__metadata_close(a, "}");
        }
    }
    if (raw.len) {
        taco__metadata_open(a, NULL, "{");
        taco__metadata_text(a, "relatedIdentifier", raw);
        taco__metadata_string(a, "relatedIdentifierType", "URL");
        taco__metadata_string(a, "relationType", "IsDerivedFrom");
        taco__metadata_close(a, "}");
    }
    taco__metadata_close(a, "]");
}
TACO__FN void taco__metadata_datacite_places(taco__metadata_writer *a)
{
    double     box[4];
    taco_bytes t[2];
    if (taco__metadata_bbox(a, box)) {
        taco__metadata_open(a, "geoLocations", "[{");
        taco__metadata_open(a, "geoLocationBox", "{");
        taco__metadata_number(a, "westBoundLongitude", box[0]);
        taco__metadata_number(a, "eastBoundLongitude", box[2]);
        taco__metadata_number(a, "southBoundLatitude", box[1]);
        taco__metadata_number(a, "northBoundLatitude", box[3]);
        taco__metadata_close(a, "}");
        taco__metadata_close(a, "}]");
    }
    if (taco__metadata_time_range(a, t)) {
        taco__metadata_open(a, "dates", "[{\"date\":\"");
        taco__metadata_bytes(a, t[0]);
        taco__metadata_puts(a, "/");
        taco__metadata_bytes(a, t[1]);
        taco__metadata_puts(a, "\",\"dateType\":\"Collected\",");
        taco__metadata_close(a, "}]");
    }
}
TACO__FN void taco__metadata_datacite(taco__metadata_writer *a)
{
    const taco__json *n, *first = taco__json_at(taco__json_get(a->root, "providers"), 0), *list;
    size_t            i, count;
    taco_bytes        house = taco__metadata_text_of(first, "organization");
    taco__metadata_open(a, NULL,
                        "{\"types\":{\"resourceTypeGeneral\":\"Dataset\","
                        "\"resourceType\":\"TACO dataset\"},");
    taco__metadata_datacite_people(a, "providers", "creators", NULL);
    taco__metadata_open(a, "titles", "[{");
    taco__metadata_text(a, "title", taco__metadata_title(a));
    taco__metadata_close(a, "}]");
    taco__metadata_open(a, "publisher", "{");
    taco__metadata_text(a, "name", house.len ? house : taco__metadata_person_name(first));
    taco__metadata_close(a, "}");
    taco__metadata_string(a, "publicationYear", a->opt.year);
    taco__metadata_text(a, "version", taco__metadata_member_text(a, "dataset_version"));
    taco__metadata_string(a, "schemaVersion", "http://datacite.org/schema/kernel-4");
    taco__metadata_text(a, "doi",
                        taco__metadata_text_of(taco__metadata_member(a, "scientific"), "doi"));
    taco__metadata_open(a, "descriptions", "[{");
    taco__metadata_text(a, "description", taco__metadata_member_text(a, "description"));
    taco__metadata_string(a, "descriptionType", "Abstract");
    taco__metadata_close(a, "}]");
    list = taco__json_get(a->root, "keywords");
    count = taco__json_length(list);
    taco__metadata_open(a, "subjects", "[");
    for (i = 0, n = count ? taco__json_first(list) : NULL; i < count; i++, n = taco__json_next(n)) {
        taco__metadata_open(a, NULL, "{");
        taco__metadata_text(a, "subject", taco__json_bytes(n));
        taco__metadata_close(a, "}");
    }
    taco__metadata_close(a, "]");
    taco__metadata_datacite_people(a, "curators", "contributors", "DataCurator");
    list = taco__json_get(a->root, "licenses");
    count = taco__json_length(list);
    taco__metadata_open(a, "rightsList", "[");
    for (i = 0, n = count ? taco__json_first(list) : NULL; i < count; i++, n = taco__json_next(n)) {
        taco__metadata_open(a, NULL, "{");
        taco__metadata_text(a, "rights", taco__json_bytes(n));
        taco__metadata_text(a, "rightsIdentifier", taco__json_bytes(n));
        taco__metadata_string(a, "rightsIdentifierScheme", "SPDX");
        taco__metadata_string(a, "schemeUri", "https://spdx.org/licenses/");
        taco__metadata_license(a, "rightsUri", taco__json_bytes(n));
        taco__metadata_close(a, "}");
    }
    taco__metadata_close(a, "]");
    taco__metadata_datacite_places(a);
    taco__metadata_datacite_related(a);
    taco__metadata_open(a, "formats", "[");
    taco__metadata_string(a, NULL, taco__metadata_media_type(a));
    taco__metadata_close(a, "]");
    taco__metadata_close(a, "}");
}

/* ---- data card ---- */

TACO__FN void taco__metadata_datacard_list(taco__metadata_writer *a, const char *title,
                                           const char *key)
{
    const taco__json *list = taco__json_get(a->root, key), *n;
    size_t            i, count = taco__json_length(list);
    if (count) {
        taco__metadata_puts(a, title);
        for (i = 0, n = taco__json_first(list); i < count; i++, n = taco__json_next(n)) {
            taco__metadata_puts(a, "  - ");
            a->ok = a->ok && taco__json_write_value(a->b, n, 0, a->err);
            taco__metadata_puts(a, "\n");
        }
    }
}
/* A cell of a table: one line, its bars escaped; N/A where there is nothing. */
TACO__FN void taco__metadata_datacard_cell(taco__metadata_writer *a, const taco__json *n)
{
    taco_bytes b = taco__json_bytes(n);
    size_t     i;
    taco__metadata_puts(a, "|");
    if (taco__rules_is_null(n)) {
        taco__metadata_puts(a, "N/A");
    } else if (!taco__json_is(n, TACO__JSON_STRING)) {
        a->ok = a->ok && taco__json_write_value(a->b, n, 0, a->err);
    }
    for (i = 0; i < b.len; i++) {
        char c[3] = {'\\', 0, 0};
        c[b.data[i] == '|'] = (char)(b.data[i] == '\n' || b.data[i] == '\r' ? ' ' : b.data[i]);
        taco__metadata_puts(a, c);
    }
}
TACO__FN void taco__metadata_datacard_table(taco__metadata_writer *a, const char *title,
                                            const taco__json *list, const char *const *keys,
                                            const char *const *heads, size_t n)
{
    const taco__json *row;
    size_t            i, k, count = taco__json_length(list);
    if (!count) {
        return;
    }
    taco__metadata_puts(a, title);
    for (k = 0; k < n; k++) {
        taco__metadata_puts(a, "|**");
        taco__metadata_puts(a, heads[k]);
        taco__metadata_puts(a, "**");
    }
    taco__metadata_puts(a, "|\n|");
    for (k = 0; k < n; k++) {
        taco__metadata_puts(a, " :--- |");
    }
    for (i = 0, row = taco__json_first(list); i < count; i++, row = taco__json_next(row)) {
        taco__metadata_puts(a, "\n");
        for (k = 0; k < n; k++) {
            const taco__json *v = taco__json_get(row, keys[k]);
            if (!v && strcmp(keys[k], "role") == 0) {
                v = taco__json_at(taco__json_get(row, "roles"), 0);
            }
            taco__metadata_datacard_cell(a, v);
        }
        taco__metadata_puts(a, "|");
    }
    taco__metadata_puts(a, "\n\n");
}
TACO__FN void taco__metadata_datacard_line(taco__metadata_writer *a, const char *before,
                                           taco_bytes text)
{
    if (text.len) {
        taco__metadata_puts(a, before);
        taco__metadata_bytes(a, text);
        taco__metadata_puts(a, "**\n\n");
    }
}
/* The tree as taco:pit_schema tells it, a line for each level. */
TACO__FN void taco__metadata_datacard_tree(taco__metadata_writer *a)
{
    const taco__json *pit = taco__json_get(a->root, "taco:pit_schema"), *level, *one, *types;
    const taco__json *hierarchy = taco__json_get(pit, "hierarchy");
    size_t i, k, j, n = taco__json_is(hierarchy, TACO__JSON_OBJECT) ? hierarchy->count : 0;
    if (!taco__json_is(pit, TACO__JSON_OBJECT)) {
        return;
    }
    taco__metadata_puts(a, "## Structure\n\n- Level 0: ");
    taco__metadata_bytes(a, taco__metadata_text_of(taco__json_get(pit, "root"), "type"));
    taco__metadata_puts(a, ", samples: ");
    a->ok = a->ok && taco__json_write_value(a->b, taco__json_get(taco__json_get(pit, "root"), "n"),
                                            0, a->err);
    for (i = 0, level = n ? hierarchy + 1 : NULL; i < n; i++, level = taco__json_next(level + 1)) {
        size_t patterns = taco__json_length(level + 1);
        for (k = 0; k < patterns; k++) {
            one = taco__json_at(level + 1, k);
            types = taco__json_get(one, "type");
            taco__metadata_puts(a, "\n- Level ");
            taco__metadata_bytes(a, taco__json_bytes(level));
            taco__metadata_puts(a, ": ");
            for (j = 0; j < taco__json_length(types); j++) {
                taco__metadata_puts(a, j ? ", " : "");
                taco__metadata_bytes(a, taco__json_bytes(taco__json_at(types, j)));
            }
            taco__metadata_puts(a, ", samples: ");
            a->ok = a->ok && taco__json_write_value(a->b, taco__json_get(one, "n"), 0, a->err);
        }
    }
    taco__metadata_puts(a, "\n\n");
}
/* The columns of every level. */
TACO__FN void taco__metadata_datacard_fields(taco__metadata_writer *a)
{
    const taco__json *schema = taco__json_get(a->root, "taco:field_schema"), *level, *row;
    size_t            i, k, j, n = taco__json_is(schema, TACO__JSON_OBJECT) ? schema->count : 0;
    for (i = 0, level = n ? schema + 1 : NULL; i < n; i++, level = taco__json_next(level + 1)) {
        size_t rows = taco__json_length(level + 1);
        taco__metadata_puts(a, i ? "" : "## Metadata Fields\n\n");
        taco__metadata_puts(a, "### ");
        taco__metadata_bytes(a, taco__json_bytes(level));
        taco__metadata_puts(a, "\n\n|**Field**|**Type**|**Description**|\n| :--- | :--- | :--- |");
        for (k = 0, row = rows ? taco__json_first(level + 1) : NULL; k < rows;
             k++, row = taco__json_next(row)) {
            taco__metadata_puts(a, "\n");
            for (j = 0; j < 3; j++) {
                taco__metadata_datacard_cell(a, taco__json_at(row, j));
            }
            taco__metadata_puts(a, "|");
        }
        taco__metadata_puts(a, "\n\n");
    }
}
TACO__FN void taco__metadata_datacard(taco__metadata_writer *a)
{
    static const char *const        people[] = {"name", "organization", "role"},
                             *const people_heads[] = {"Name", "Organization", "Role"},
                             *const labels[] = {"name", "category", "description"},
                             *const label_heads[] = {"Name", "Category", "Description"},
                             *const bands[] = {"name",
                                               "common_name",
                                               "description",
                                               "center_wavelength",
                                               "full_width_half_max",
                                               "index"},
                             *const band_heads[] = {"Name",
                                                    "Common Name",
                                                    "Description",
                                                    "Center Wavelength",
                                                    "Full Width Half Max",
                                                    "Index"},
                             *const papers[] = {"doi", "summary", "citation"},
                             *const paper_heads[] = {"DOI", "Summary", "BibTeX Citation"};
    const taco__json               *optical = taco__metadata_member(a, "optical_data"),
                     *label = taco__metadata_member(a, "labels"),
                     *strategy = taco__metadata_member(a, "split_strategy"),
                     *pit = taco__json_get(a->root, "taco:pit_schema");
    taco__metadata_puts(a, "---\n");
    taco__metadata_datacard_list(a, "license:\n", "licenses");
    taco__metadata_puts(a, "language:\n- en\n");
    taco__metadata_datacard_list(a, "tags:\n", "keywords");
    taco__metadata_puts(a, "pretty_name: ");
    a->ok = a->ok && taco__json_write_utf8(a->b, taco__metadata_title(a), a->err);
    taco__metadata_puts(a, "\n---\n# ");
    taco__metadata_bytes(a, taco__metadata_title(a));
    taco__metadata_puts(a, "\n\n");
    taco__metadata_bytes(a, taco__metadata_member_text(a, "description"));
    taco__metadata_puts(a, "\n\n## TACO Snippet\n\n```python\nimport tacoreader\ndataset = "
                           "tacoreader.load('");
    taco__metadata_puts(a, taco__metadata_file_name(a));
    taco__metadata_puts(a, "')\n```\n\n```r\nlibrary(tacoreader)\ndataset <- tacoreader::load('");
    taco__metadata_puts(a, taco__metadata_file_name(a));
    taco__metadata_puts(a, "')\n```\n\n");
    taco__metadata_datacard_line(a, "## Version\n\nThe version of the dataset: **",
                                 pit ? taco__metadata_member_text(a, "dataset_version")
                                     : taco__bytes_of(NULL, 0));
    taco__metadata_datacard_tree(a);
    taco__metadata_datacard_line(a, "## Sensor Information\n\nThe sensor of the dataset: **",
                                 optical ? taco__metadata_text_of(optical, "sensor")
                                         : taco__metadata_member_text(a, "optical:sensor"));
    taco__metadata_datacard_line(a, "## Task\n\nThe task of the dataset: **",
                                 taco__metadata_first_text(a->root, "task", "tasks", NULL));
    taco__metadata_datacard_line(
        a, "## Original Data Repository\n\nWhere the raw data is: **",
        taco__metadata_text_of(taco__metadata_member(a, "raw_link"), "href"));
    taco__metadata_datacard_line(
        a, "## Discussion\n\nWhere the dataset is discussed: **",
        taco__metadata_text_of(taco__metadata_member(a, "discuss_link"), "href"));
    taco__metadata_datacard_line(a, "## Split Strategy\n\nHow the dataset is divided: **",
                                 strategy ? taco__json_bytes(strategy)
                                          : taco__metadata_member_text(a, "split:strategy"));
    taco__metadata_datacard_table(a, "## Scientific Publications\n\n",
                                  taco__metadata_publications(a), papers, paper_heads, 3);
    taco__metadata_datacard_table(a, "## Data Providers\n\n", taco__json_get(a->root, "providers"),
                                  people, people_heads, 3);
    taco__metadata_datacard_table(a, "## Curators\n\n", taco__json_get(a->root, "curators"), people,
                                  people_heads, 3);
    taco__metadata_datacard_table(a, "## Labels\n\n",
                                  label ? taco__json_get(label, "label_classes")
                                        : taco__json_get(a->root, "labels:classes"),
                                  labels, label_heads, 3);
    taco__metadata_datacard_table(a, "## Optical Bands\n\n", taco__metadata_list_bands(a), bands,
                                  band_heads, 6);
    taco__metadata_datacard_fields(a);
}

/* ---- Croissant ---- */

/* A FileObject: its name is its @id too. */
TACO__FN void taco__metadata_croissant_file(taco__metadata_writer *a, const char *path,
                                            const char *type)
{
    char     hex[65], size[40];
    uint64_t n;
    if (!a->ok || !taco__sha256_file(path, &a->ds->options, &a->ds->mem, hex, &n, a->err)) {
        a->ok = false;
        return;
    }
    size[taco__num_format_u64(size, n)] = 0;
    taco__metadata_open(a, NULL, "{");
    taco__metadata_string(a, "@type", "cr:FileObject");
    taco__metadata_string(a, "@id", taco__metadata_base_name(path));
    taco__metadata_string(a, "name", taco__metadata_base_name(path));
    taco__metadata_string(a, "contentUrl", taco__metadata_base_name(path));
    taco__metadata_string(a, "encodingFormat", type);
    taco__metadata_string(a, "sha256", hex);
    taco__metadata_open(a, "contentSize", "\"");
    taco__metadata_puts(a, size);
    taco__metadata_puts(a, " B\",");
    taco__metadata_close(a, "}");
}
/* The data type of a column; NULL where Croissant has none for it. */
TACO__FN const char *taco__metadata_croissant_data_type(const taco_field *f)
{
    switch (f->type) {
    case TACO_BOOL: return "sc:Boolean";
    case TACO_INT8:
    case TACO_INT16:
    case TACO_INT32:
    case TACO_INT64:
    case TACO_UINT8:
    case TACO_UINT16:
    case TACO_UINT32:
    case TACO_UINT64: return "sc:Integer";
    case TACO_HALF:
    case TACO_FLOAT:
    case TACO_DOUBLE: return "sc:Float";
    case TACO_TEXT: return "sc:Text";
    default: return NULL;
    }
}
/* An @id holds no colon: it would be a prefix of the context. */
TACO__FN void taco__metadata_croissant_id(taco__metadata_writer *a, const char *key,
                                          const char *name)
{
    size_t i, at;
    taco__metadata_open(a, key, "");
    at = a->b->len;
    a->ok = a->ok && taco__json_write_utf8(a->b, taco__bytes_text(name), a->err);
    for (i = at; a->ok && i < a->b->len; i++) {
        a->b->data[i] = a->b->data[i] == ':' ? '_' : a->b->data[i];
    }
    if (a->ok && taco__buf_reserve(a->b, 8, a->err)) { /* behind the quote */
        memmove(a->b->data + at + 9, a->b->data + at + 1, a->b->len - at - 1);
        memcpy(a->b->data + at + 1, "samples/", 8);
        a->b->len += 8;
    } else {
        a->ok = false;
    }
    taco__metadata_puts(a, ",");
}
TACO__FN void taco__metadata_croissant_field(taco__metadata_writer *a, const taco_field *f)
{
    bool        list = f->type == TACO_LIST;
    const char *type = taco__metadata_croissant_data_type(list ? f->children : f);
    if (!type) {
        return;
    }
    taco__metadata_open(a, NULL, "{");
    taco__metadata_string(a, "@type", "cr:Field");
    taco__metadata_croissant_id(a, "@id", f->name);
    taco__metadata_string(a, "name", f->name);
    taco__metadata_string(a, "dataType", type);
    if (list) {
        taco__metadata_puts(a, "\"repeated\":true,");
    }
    taco__metadata_open(a, "source", "{\"fileObject\":{");
    taco__metadata_string(a, "@id", taco__metadata_base_name(a->opt.table));
    taco__metadata_close(a, "}");
    taco__metadata_open(a, "extract", "{");
    taco__metadata_string(a, "column", f->name);
    taco__metadata_close(a, "}");
    taco__metadata_close(a, "}");
    taco__metadata_close(a, "}");
}
TACO__FN void taco__metadata_croissant_record_set(taco__metadata_writer *a)
{
    taco_source       src;
    taco_pq_file     *file;
    const taco_field *f;
    size_t            i, n, key;
    if (!a->ok || !taco__source_open_path(&a->ds->options, a->opt.table, &src, a->err) ||
        !(file = taco_pq_open_source(&src, a->opt.table, &a->ds->options, a->err))) {
        a->ok = false;
        return;
    }
    f = taco_pq_fields(file, &n);
    for (key = 0;
         key < n && strcmp(f[key].name, "id") != 0 && strcmp(f[key].name, "tortilla:id") != 0;
         key++) {
    }
    taco__metadata_open(a, "recordSet", "[{");
    taco__metadata_string(a, "@type", "cr:RecordSet");
    taco__metadata_string(a, "@id", "samples");
    taco__metadata_string(a, "name", "samples");
    if (key < n) {
        taco__metadata_open(a, "key", "{");
        taco__metadata_croissant_id(a, "@id", f[key].name);
        taco__metadata_close(a, "}");
    }
    taco__metadata_open(a, "field", "[");
    for (i = 0; i < n; i++) {
        taco__metadata_croissant_field(a, &f[i]);
    }
    taco__metadata_close(a, "]");
    taco__metadata_close(a, "}]");
    taco_pq_close(file);
}
TACO__FN void taco__metadata_croissant_people(taco__metadata_writer *a)
{
    const taco__json *list = taco__json_get(a->root, "providers"), *who;
    size_t            i, n = taco__json_length(list);
    taco__metadata_open(a, "creator", "[");
    for (i = 0, who = n ? taco__json_first(list) : NULL; i < n; i++, who = taco__json_next(who)) {
        bool person = taco__metadata_text_of(who, "name").len &&
                      taco__metadata_text_of(who, "organization").len;
        taco__metadata_open(a, NULL, "{");
        taco__metadata_string(a, "@type", person ? "sc:Person" : "sc:Organization");
        taco__metadata_text(a, "name", taco__metadata_person_name(who));
        taco__metadata_text(a, "url", taco__metadata_person_url(who));
        taco__metadata_text(a, "email", taco__metadata_text_of(who, "email"));
        taco__metadata_close(a, "}");
    }
    taco__metadata_close(a, "]");
}
TACO__FN void taco__metadata_croissant(taco__metadata_writer *a)
{
    static const char context[] =
        "{\"@language\":\"en\",\"@vocab\":\"https://schema.org/\",\"citeAs\":\"cr:citeAs\","
        "\"column\":\"cr:column\",\"conformsTo\":\"dct:conformsTo\","
        "\"cr\":\"http://mlcommons.org/croissant/\","
        "\"rai\":\"http://mlcommons.org/croissant/RAI/\","
        "\"data\":{\"@id\":\"cr:data\",\"@type\":\"@json\"},"
        "\"dataType\":{\"@id\":\"cr:dataType\",\"@type\":\"@vocab\"},"
        "\"dct\":\"http://purl.org/dc/terms/\","
        "\"examples\":{\"@id\":\"cr:examples\",\"@type\":\"@json\"},"
        "\"extract\":\"cr:extract\",\"field\":\"cr:field\",\"fileProperty\":\"cr:fileProperty\","
        "\"fileObject\":\"cr:fileObject\",\"fileSet\":\"cr:fileSet\",\"format\":\"cr:format\","
        "\"includes\":\"cr:includes\",\"isLiveDataset\":\"cr:isLiveDataset\","
        "\"jsonPath\":\"cr:jsonPath\",\"key\":\"cr:key\",\"md5\":\"cr:md5\","
        "\"parentField\":\"cr:parentField\",\"path\":\"cr:path\",\"recordSet\":\"cr:recordSet\","
        "\"references\":\"cr:references\",\"regex\":\"cr:regex\",\"repeated\":\"cr:repeated\","
        "\"replace\":\"cr:replace\",\"sc\":\"https://schema.org/\","
        "\"separator\":\"cr:separator\",\"source\":\"cr:source\",\"subField\":\"cr:subField\","
        "\"transform\":\"cr:transform\"},";
    const taco__json *list = taco__json_get(a->root, "licenses"), *n;
    size_t            i, count = taco__json_length(list);
    taco__metadata_open(a, NULL, "{");
    taco__metadata_open(a, "@context", context);
    taco__metadata_string(a, "@type", "sc:Dataset");
    taco__metadata_string(a, "conformsTo", "http://mlcommons.org/croissant/1.0");
    taco__metadata_text(a, "name", taco__metadata_member_text(a, "id"));
    taco__metadata_text(a, "description", taco__metadata_member_text(a, "description"));
    taco__metadata_text(a, "version", taco__metadata_member_text(a, "dataset_version"));
    taco__metadata_open(a, "license", "[");
    for (i = 0, n = count ? taco__json_first(list) : NULL; i < count; i++, n = taco__json_next(n)) {
        taco__metadata_license(a, NULL, taco__json_bytes(n));
    }
    taco__metadata_close(a, "]");
    taco__metadata_text(a, "url",
                        taco__metadata_text_of(taco__metadata_member(a, "raw_link"), "href"));
    taco__metadata_croissant_people(a);
    taco__metadata_text(a, "alternateName", taco__metadata_member_text(a, "title"));
    taco__metadata_value(a, "keywords", taco__json_get(a->root, "keywords"));
    taco__metadata_string(a, "datePublished", a->opt.year);
    taco__metadata_text(a, "citeAs",
                        taco__metadata_text_of(taco__metadata_member(a, "scientific"), "citation"));
    taco__metadata_open(a, "distribution", "[");
    if (a->ds->stores[0].file_open) {
        taco__metadata_croissant_file(a, a->path, taco__metadata_media_type(a));
    }
    if (a->opt.table) {
        taco__metadata_croissant_file(a, a->opt.table, "application/x-parquet");
    }
    taco__metadata_close(a, "]");
    if (a->opt.table) {
        taco__metadata_croissant_record_set(a);
    }
    taco__metadata_close(a, "}");
}

/* ---- public ---- */

TACO_API taco_bytes taco_collection_export(taco_dataset *ds, taco_collection_format kind,
                                           const taco_collection_export_options *opt,
                                           taco_error                           *err)
{
    taco_error            own = {0, TACO_OK, 0, {0}};
    taco__metadata_writer a;
    taco__arena           arena;
    taco__json_doc        doc;
    taco__buf             flat;
    bool                  ok;
    err = err ? err : &own;
    memset(&a, 0, sizeof a);
    memset(&flat, 0, sizeof flat);
    if (opt) {
        a.opt = *opt;
    }
    if (!ds || !ds->stores[0].coll.doc.root || (kind == TACO_COLLECTION_DATACITE && !a.opt.year)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s",
                   !ds                            ? "no dataset given"
                   : !ds->stores[0].coll.doc.root ? "the dataset has no collection"
                                                  : "DataCite wants a year of publication");
        if (ds) {
            taco__error_prefix(err, "%s", ds->stores[0].name);
        }
        return taco__bytes_of(NULL, 0);
    }
    flat.mem = arena.mem = &ds->mem;
    arena.head = NULL;
    a.root = ds->stores[0].coll.doc.root;
    a.path = ds->stores[0].name;
    a.ds = ds;
    a.err = err;
    a.ok = true;
    ds->info.len = 0;
    a.b = kind == TACO_COLLECTION_DATACARD ? &ds->info : &flat;
    if (kind == TACO_COLLECTION_DATACARD) {
        taco__metadata_datacard(&a);
    } else if (kind == TACO_COLLECTION_STAC) {
        taco__metadata_stac(&a);
    } else if (kind == TACO_COLLECTION_CROISSANT) {
        taco__metadata_croissant(&a);
    } else {
        taco__metadata_datacite(&a);
    }
    ok = a.ok;
    if (ok && kind != TACO_COLLECTION_DATACARD) {
        flat.len--; /* the last comma */
        ok = taco__json_parse(&arena, taco__bytes_of(flat.data, flat.len), &ds->options.limits,
                              &doc, err) == TACO_OK &&
             taco__json_write_value(&ds->info, doc.root, 2, err) &&
             taco__buf_append_char(&ds->info, '\n', err);
    }
    ok = ok && taco__buf_append_char(&ds->info, 0, err);
    taco__buf_free(&flat);
    taco__arena_free(&arena);
    return ok ? taco__bytes_of(ds->info.data, ds->info.len - 1) : taco__bytes_of(NULL, 0);
}
