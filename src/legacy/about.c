/* ==== ROOM about: what a collection says, in the words of STAC, DataCite, data cards and Croissant. Uses: sha back
   forward json. Spec: STAC 1.1.0 Collection; DataCite 4.5; Croissant 1.0; TACO 0.2.0 "API" ==== */

/* JSON and Markdown being written. A failure sticks. */
typedef struct taco__about {
    taco__buf         *b;
    const taco__json  *root; /* of the collection */
    const char        *path; /* of the dataset */
    taco_dataset      *ds;
    taco_about_options opt;
    taco_error        *err;
    bool               ok;
} taco__about;

TACO__FN void taco__about_puts(taco__about *a, const char *text)
{
    a->ok = a->ok && taco__buf_puts(a->b, text, a->err);
}
TACO__FN void taco__about_bytes(taco__about *a, taco_bytes text)
{
    a->ok = a->ok && taco__buf_append(a->b, text.data, text.len, a->err);
}
/* Every value ends with a comma, which the bracket that closes takes back. */
TACO__FN void taco__about_open(taco__about *a, const char *key, const char *bracket)
{
    if (key) {
        taco__about_puts(a, "\"");
        taco__about_puts(a, key);
        taco__about_puts(a, "\":");
    }
    taco__about_puts(a, bracket);
}
TACO__FN void taco__about_close(taco__about *a, const char *bracket)
{
    if (a->ok && a->b->len && a->b->data[a->b->len - 1] == ',') {
        a->b->len--;
    }
    taco__about_puts(a, bracket);
    taco__about_puts(a, ",");
}
/* A text; nothing where it is empty. */
TACO__FN void taco__about_text(taco__about *a, const char *key, taco_bytes text)
{
    if (text.len) {
        taco__about_open(a, key, "");
        a->ok = a->ok && taco__json_emit_text(a->b, text, a->err);
        taco__about_puts(a, ",");
    }
}
TACO__FN void taco__about_word(taco__about *a, const char *key, const char *text)
{
    taco__about_text(a, key, taco__base_text(text));
}
TACO__FN void taco__about_number(taco__about *a, const char *key, double x)
{
    taco__about_open(a, key, "");
    a->ok = a->ok && taco__model_double(a->b, x, a->err);
    taco__about_puts(a, ",");
}
/* A value as it stands; nothing where it is null. */
TACO__FN void taco__about_value(taco__about *a, const char *key, const taco__json *n)
{
    if (!taco__model_nothing(n)) {
        taco__about_open(a, key, "");
        a->ok = a->ok && taco__json_emit(a->b, n, 0, a->err);
        taco__about_puts(a, ",");
    }
}

/* ---- what collections of both generations say ---- */

TACO__FN taco_bytes taco__about_of(const taco__json *n, const char *key)
{
    return taco__json_bytes(taco__json_get(n, key));
}
/* What TACO 2 has no name for stands in the old document that was kept. */
TACO__FN const taco__json *taco__about_member(const taco__about *a, const char *key)
{
    const taco__json *n = taco__json_get(a->root, key);
    return n ? n : taco__json_get(taco__json_get(a->root, "legacy:collection"), key);
}
TACO__FN taco_bytes taco__about_get(const taco__about *a, const char *key)
{
    return taco__about_of(a->root, key);
}
/* Values that are in a list of TACO 2 or under another name in TACO 0.x. */
TACO__FN taco_bytes taco__about_either(const taco__json *n, const char *one, const char *list,
                                       const char *inner)
{
    const taco__json *first = taco__json_at(taco__json_get(n, list), 0);
    taco_bytes        text = taco__about_of(n, one);
    return text.len ? text : inner ? taco__about_of(first, inner) : taco__json_bytes(first);
}
TACO__FN taco_bytes taco__about_name(const taco__json *who)
{
    taco_bytes name = taco__about_of(who, "name");
    return name.len ? name : taco__about_of(who, "organization");
}
TACO__FN taco_bytes taco__about_url(const taco__json *who)
{
    return taco__about_either(who, "url", "links", "href");
}
/* The title, the id where it has none. */
TACO__FN taco_bytes taco__about_title(const taco__about *a)
{
    taco_bytes title = taco__about_get(a, "title");
    return title.len ? title : taco__about_get(a, "id");
}
TACO__FN bool taco__about_times(const taco__about *a, taco_bytes out[2])
{
    const taco__json *t = taco__json_get(taco__json_get(a->root, "extent"), "temporal"),
                     *one = taco__json_at(t, 0);
    one = taco__json_is(one, TACO__JSON_STRING) ? t : one;
    out[0] = taco__json_bytes(taco__json_at(one, 0));
    out[1] = taco__json_bytes(taco__json_at(one, 1));
    return out[0].len && out[1].len;
}
TACO__FN bool taco__about_box(const taco__about *a, double box[4])
{
    return taco__forward_box(taco__json_get(taco__json_get(a->root, "extent"), "spatial"), box);
}
TACO__FN const taco__json *taco__about_papers(const taco__about *a)
{
    const taco__json *p = taco__json_get(taco__about_member(a, "scientific"), "publications");
    return p ? p : taco__json_get(a->root, "publications");
}
TACO__FN const char *taco__about_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
TACO__FN const char *taco__about_file(const taco__about *a)
{
    return taco__about_base(a->path);
}
TACO__FN const char *taco__about_type(const taco__about *a)
{
    return taco__store_ends(a->path, ".taco") || taco__store_ends(a->path, ".tortilla")
               ? "application/vnd.tortilla+blob"
               : "application/zip";
}
/* The page of a licence at SPDX. */
TACO__FN void taco__about_license(taco__about *a, const char *key, taco_bytes id)
{
    taco__about_open(a, key, "\"https://spdx.org/licenses/");
    taco__about_bytes(a, id);
    taco__about_puts(a, ".html\",");
}

/* ---- STAC ---- */

TACO__FN bool taco__about_role(taco_bytes role)
{
    return taco__base_equal(role, taco__base_text("licensor")) ||
           taco__base_equal(role, taco__base_text("producer")) ||
           taco__base_equal(role, taco__base_text("processor")) ||
           taco__base_equal(role, taco__base_text("host"));
}
TACO__FN void taco__about_stac_people(taco__about *a, const char *key, bool curators)
{
    const taco__json *list = taco__json_get(a->root, key), *who;
    size_t            i, n = taco__json_length(list);
    for (i = 0, who = n ? taco__json_first(list) : NULL; i < n; i++, who = taco__json_next(who)) {
        taco_bytes role = taco__about_either(who, "role", "roles", NULL),
                   url = taco__about_url(who);
        if (!taco__about_name(who).len) {
            continue;
        }
        taco__about_open(a, NULL, "{");
        taco__about_text(a, "name", taco__about_name(who));
        if (!curators && taco__about_of(who, "name").len) {
            taco__about_text(a, "description", taco__about_of(who, "organization"));
        }
        if (curators || taco__about_role(role)) {
            taco__about_open(a, "roles", "[");
            taco__about_text(a, NULL, curators ? taco__base_text("processor") : role);
            taco__about_close(a, "]");
        }
        if (taco__base_starts(url, "http")) {
            taco__about_text(a, "url", url);
        }
        taco__about_close(a, "}");
    }
}
TACO__FN void taco__about_link(taco__about *a, const char *rel, const taco__json *n)
{
    taco_bytes href = taco__about_of(n, "href");
    href = href.len ? href : taco__json_bytes(n);
    if (href.len) {
        taco__about_open(a, NULL, "{");
        taco__about_word(a, "rel", rel);
        taco__about_text(a, "href", href);
        taco__about_text(a, "title", taco__about_of(n, "title"));
        taco__about_close(a, "}");
    }
}
TACO__FN void taco__about_stac_links(taco__about *a)
{
    const taco__json *list = taco__json_get(a->root, "licenses"), *n;
    taco_bytes        doi = taco__about_of(taco__about_member(a, "scientific"), "doi");
    size_t            i, count = taco__json_length(list);
    taco__about_open(a, "links", "[");
    for (i = 0, n = count ? taco__json_first(list) : NULL; i < count; i++, n = taco__json_next(n)) {
        taco__about_open(a, NULL, "{");
        taco__about_word(a, "rel", "license");
        taco__about_license(a, "href", taco__json_bytes(n));
        taco__about_text(a, "title", taco__json_bytes(n));
        taco__about_close(a, "}");
    }
    taco__about_link(a, "via", taco__about_member(a, "raw_link"));
    taco__about_link(a, "about", taco__about_member(a, "discuss_link"));
    if (doi.len) {
        taco__about_open(a, NULL, "{");
        taco__about_word(a, "rel", "cite-as");
        taco__about_open(a, "href", "\"https://doi.org/");
        taco__about_bytes(a, doi);
        taco__about_puts(a, "\",");
        taco__about_close(a, "}");
    }
    taco__about_close(a, "]");
}
/* Bands of TACO 0.x, or of the extensions of TACO 2. */
TACO__FN const taco__json *taco__about_bands(const taco__about *a)
{
    const taco__json *list = taco__json_get(taco__about_member(a, "optical_data"), "bands");
    return list ? list : taco__json_get(a->root, "optical:bands");
}
/* Wavelengths of the collection are nanometres, of the extension micrometres. */
TACO__FN void taco__about_stac_bands(taco__about *a)
{
    const taco__json *list = taco__about_bands(a), *n;
    size_t            i, count = taco__json_length(list);
    if (!count) {
        return;
    }
    taco__about_open(a, "bands", "[");
    for (i = 0, n = taco__json_first(list); i < count; i++, n = taco__json_next(n)) {
        double x;
        taco__about_open(a, NULL, "{");
        taco__about_text(a, "name", taco__about_of(n, "name"));
        taco__about_text(a, "description", taco__about_of(n, "description"));
        if (taco__json_double(taco__json_get(n, "center_wavelength"), &x)) {
            taco__about_number(a, "eo:center_wavelength", x / 1000);
        }
        if (taco__json_double(taco__json_get(n, "full_width_half_max"), &x)) {
            taco__about_number(a, "eo:full_width_half_max", x / 1000);
        }
        taco__about_close(a, "}");
    }
    taco__about_close(a, "]");
}
TACO__FN void taco__about_stac_extent(taco__about *a)
{
    double     box[4] = {-180, -90, 180, 90};
    taco_bytes t[2];
    size_t     i;
    if (!taco__about_box(a, box)) {
        box[0] = -180;
        box[1] = -90;
        box[2] = 180;
        box[3] = 90;
    }
    taco__about_open(a, "extent", "{");
    taco__about_open(a, "spatial", "{\"bbox\":[[");
    for (i = 0; i < 4; i++) {
        taco__about_number(a, NULL, box[i]);
    }
    taco__about_close(a, "]]}");
    taco__about_open(a, "temporal", "{\"interval\":[[");
    if (taco__about_times(a, t)) {
        taco__about_text(a, NULL, t[0]);
        taco__about_text(a, NULL, t[1]);
    } else {
        taco__about_puts(a, "null,null,");
    }
    taco__about_close(a, "]]}");
    taco__about_close(a, "}");
}
TACO__FN void taco__about_stac_science(taco__about *a)
{
    const taco__json *s = taco__about_member(a, "scientific"), *list = taco__about_papers(a), *n;
    size_t            i, count = taco__json_length(list);
    taco__about_text(a, "sci:doi", taco__about_of(s, "doi"));
    taco__about_text(a, "sci:citation", taco__about_of(s, "citation"));
    if (!count) {
        return;
    }
    taco__about_open(a, "sci:publications", "[");
    for (i = 0, n = taco__json_first(list); i < count; i++, n = taco__json_next(n)) {
        if (taco__about_of(n, "doi").len || taco__about_of(n, "citation").len) {
            taco__about_open(a, NULL, "{");
            taco__about_text(a, "doi", taco__about_of(n, "doi"));
            taco__about_text(a, "citation", taco__about_of(n, "citation"));
            taco__about_close(a, "}");
        }
    }
    taco__about_close(a, "]");
}
TACO__FN void taco__about_stac(taco__about *a)
{
    const taco__json *licenses = taco__json_get(a->root, "licenses");
    bool              bands = taco__json_length(taco__about_bands(a)) != 0,
         science = taco__json_is(taco__about_member(a, "scientific"), TACO__JSON_OBJECT) ||
                   taco__json_length(taco__about_papers(a));
    taco__about_open(a, NULL, "{");
    taco__about_word(a, "type", "Collection");
    taco__about_word(a, "stac_version", "1.1.0");
    taco__about_open(a, "stac_extensions", "[");
    if (science) {
        taco__about_word(a, NULL,
                         "https://stac-extensions.github.io/scientific/v1.0.0/schema.json");
    }
    if (bands) {
        taco__about_word(a, NULL, "https://stac-extensions.github.io/eo/v2.0.0/schema.json");
    }
    taco__about_word(a, NULL, "https://stac-extensions.github.io/version/v1.2.0/schema.json");
    taco__about_close(a, "]");
    taco__about_text(a, "id", taco__about_get(a, "id"));
    taco__about_text(a, "title", taco__about_get(a, "title"));
    taco__about_text(a, "description", taco__about_get(a, "description"));
    taco__about_value(a, "keywords", taco__json_get(a->root, "keywords"));
    taco__about_text(a, "license",
                     taco__json_length(licenses) == 1 ? taco__json_bytes(taco__json_at(licenses, 0))
                                                      : taco__base_text("other"));
    taco__about_open(a, "providers", "[");
    taco__about_stac_people(a, "providers", false);
    taco__about_stac_people(a, "curators", true);
    taco__about_close(a, "]");
    taco__about_stac_extent(a);
    taco__about_stac_links(a);
    taco__about_stac_science(a);
    taco__about_stac_bands(a);
    taco__about_open(a, "summaries", "{");
    if (taco__about_of(taco__about_member(a, "optical_data"), "sensor").len) {
        taco__about_open(a, "platform", "[");
        taco__about_text(a, NULL, taco__about_of(taco__about_member(a, "optical_data"), "sensor"));
        taco__about_close(a, "]");
    }
    taco__about_open(a, "taco:task", "[");
    taco__about_text(a, NULL, taco__about_either(a->root, "task", "tasks", NULL));
    taco__about_close(a, "]");
    taco__about_value(a, "taco:labels",
                      taco__json_get(taco__about_member(a, "labels"), "label_classes"));
    taco__about_close(a, "}");
    taco__about_text(a, "taco:version", taco__about_get(a, "taco_version"));
    taco__about_text(a, "version", taco__about_get(a, "dataset_version"));
    taco__about_open(a, "assets", "{");
    taco__about_open(a, "data", "{");
    taco__about_open(a, "href", "\"./");
    taco__about_puts(a, taco__about_file(a));
    taco__about_puts(a, "\",");
    taco__about_word(a, "type", taco__about_type(a));
    taco__about_puts(a, "\"roles\":[\"data\"],");
    taco__about_close(a, "}");
    taco__about_close(a, "}");
    taco__about_close(a, "}");
}

/* ---- DataCite ---- */

TACO__FN void taco__about_people(taco__about *a, const char *key, const char *to, const char *type)
{
    const taco__json *list = taco__json_get(a->root, key), *who;
    size_t            i, n = taco__json_length(list);
    if (!n) {
        return;
    }
    taco__about_open(a, to, "[");
    for (i = 0, who = taco__json_first(list); i < n; i++, who = taco__json_next(who)) {
        bool person = taco__about_of(who, "name").len != 0;
        taco__about_open(a, NULL, "{");
        taco__about_text(a, "name", taco__about_name(who));
        taco__about_word(a, "nameType", person ? "Personal" : "Organizational");
        if (person && taco__about_of(who, "organization").len) {
            taco__about_open(a, "affiliation", "[{");
            taco__about_text(a, "name", taco__about_of(who, "organization"));
            taco__about_close(a, "}]");
        }
        if (type) {
            taco__about_word(a, "contributorType", type);
        }
        taco__about_close(a, "}");
    }
    taco__about_close(a, "]");
}
TACO__FN void taco__about_datacite_related(taco__about *a)
{
    const taco__json *list = taco__about_papers(a), *n;
    taco_bytes        raw = taco__about_of(taco__about_member(a, "raw_link"), "href");
    size_t            i, count = taco__json_length(list);
    taco__about_open(a, "relatedIdentifiers", "[");
    for (i = 0, n = count ? taco__json_first(list) : NULL; i < count; i++, n = taco__json_next(n)) {
        if (taco__about_of(n, "doi").len) {
            taco__about_open(a, NULL, "{");
            taco__about_text(a, "relatedIdentifier", taco__about_of(n, "doi"));
            taco__about_word(a, "relatedIdentifierType", "DOI");
            taco__about_word(a, "relationType", "IsDescribedBy");
            taco__about_close(a, "}");
        }
    }
    if (raw.len) {
        taco__about_open(a, NULL, "{");
        taco__about_text(a, "relatedIdentifier", raw);
        taco__about_word(a, "relatedIdentifierType", "URL");
        taco__about_word(a, "relationType", "IsDerivedFrom");
        taco__about_close(a, "}");
    }
    taco__about_close(a, "]");
}
TACO__FN void taco__about_datacite_places(taco__about *a)
{
    double     box[4];
    taco_bytes t[2];
    if (taco__about_box(a, box)) {
        taco__about_open(a, "geoLocations", "[{");
        taco__about_open(a, "geoLocationBox", "{");
        taco__about_number(a, "westBoundLongitude", box[0]);
        taco__about_number(a, "eastBoundLongitude", box[2]);
        taco__about_number(a, "southBoundLatitude", box[1]);
        taco__about_number(a, "northBoundLatitude", box[3]);
        taco__about_close(a, "}");
        taco__about_close(a, "}]");
    }
    if (taco__about_times(a, t)) {
        taco__about_open(a, "dates", "[{\"date\":\"");
        taco__about_bytes(a, t[0]);
        taco__about_puts(a, "/");
        taco__about_bytes(a, t[1]);
        taco__about_puts(a, "\",\"dateType\":\"Collected\",");
        taco__about_close(a, "}]");
    }
}
TACO__FN void taco__about_datacite(taco__about *a)
{
    const taco__json *n, *first = taco__json_at(taco__json_get(a->root, "providers"), 0), *list;
    size_t            i, count;
    taco_bytes        house = taco__about_of(first, "organization");
    taco__about_open(a, NULL,
                     "{\"types\":{\"resourceTypeGeneral\":\"Dataset\","
                     "\"resourceType\":\"TACO dataset\"},");
    taco__about_people(a, "providers", "creators", NULL);
    taco__about_open(a, "titles", "[{");
    taco__about_text(a, "title", taco__about_title(a));
    taco__about_close(a, "}]");
    taco__about_open(a, "publisher", "{");
    taco__about_text(a, "name", house.len ? house : taco__about_name(first));
    taco__about_close(a, "}");
    taco__about_word(a, "publicationYear", a->opt.year);
    taco__about_text(a, "version", taco__about_get(a, "dataset_version"));
    taco__about_word(a, "schemaVersion", "http://datacite.org/schema/kernel-4");
    taco__about_text(a, "doi", taco__about_of(taco__about_member(a, "scientific"), "doi"));
    taco__about_open(a, "descriptions", "[{");
    taco__about_text(a, "description", taco__about_get(a, "description"));
    taco__about_word(a, "descriptionType", "Abstract");
    taco__about_close(a, "}]");
    list = taco__json_get(a->root, "keywords");
    count = taco__json_length(list);
    taco__about_open(a, "subjects", "[");
    for (i = 0, n = count ? taco__json_first(list) : NULL; i < count; i++, n = taco__json_next(n)) {
        taco__about_open(a, NULL, "{");
        taco__about_text(a, "subject", taco__json_bytes(n));
        taco__about_close(a, "}");
    }
    taco__about_close(a, "]");
    taco__about_people(a, "curators", "contributors", "DataCurator");
    list = taco__json_get(a->root, "licenses");
    count = taco__json_length(list);
    taco__about_open(a, "rightsList", "[");
    for (i = 0, n = count ? taco__json_first(list) : NULL; i < count; i++, n = taco__json_next(n)) {
        taco__about_open(a, NULL, "{");
        taco__about_text(a, "rights", taco__json_bytes(n));
        taco__about_text(a, "rightsIdentifier", taco__json_bytes(n));
        taco__about_word(a, "rightsIdentifierScheme", "SPDX");
        taco__about_word(a, "schemeUri", "https://spdx.org/licenses/");
        taco__about_license(a, "rightsUri", taco__json_bytes(n));
        taco__about_close(a, "}");
    }
    taco__about_close(a, "]");
    taco__about_datacite_places(a);
    taco__about_datacite_related(a);
    taco__about_open(a, "formats", "[");
    taco__about_word(a, NULL, taco__about_type(a));
    taco__about_close(a, "]");
    taco__about_close(a, "}");
}

/* ---- data card ---- */

TACO__FN void taco__about_card_list(taco__about *a, const char *title, const char *key)
{
    const taco__json *list = taco__json_get(a->root, key), *n;
    size_t            i, count = taco__json_length(list);
    if (count) {
        taco__about_puts(a, title);
        for (i = 0, n = taco__json_first(list); i < count; i++, n = taco__json_next(n)) {
            taco__about_puts(a, "  - ");
            a->ok = a->ok && taco__json_emit(a->b, n, 0, a->err);
            taco__about_puts(a, "\n");
        }
    }
}
/* A cell of a table: one line, its bars escaped; N/A where there is nothing. */
TACO__FN void taco__about_cell(taco__about *a, const taco__json *n)
{
    taco_bytes b = taco__json_bytes(n);
    size_t     i;
    taco__about_puts(a, "|");
    if (taco__model_nothing(n)) {
        taco__about_puts(a, "N/A");
    } else if (!taco__json_is(n, TACO__JSON_STRING)) {
        a->ok = a->ok && taco__json_emit(a->b, n, 0, a->err);
    }
    for (i = 0; i < b.len; i++) {
        char c[3] = {'\\', 0, 0};
        c[b.data[i] == '|'] = (char)(b.data[i] == '\n' || b.data[i] == '\r' ? ' ' : b.data[i]);
        taco__about_puts(a, c);
    }
}
TACO__FN void taco__about_card_table(taco__about *a, const char *title, const taco__json *list,
                                     const char *const *keys, const char *const *heads, size_t n)
{
    const taco__json *row;
    size_t            i, k, count = taco__json_length(list);
    if (!count) {
        return;
    }
    taco__about_puts(a, title);
    for (k = 0; k < n; k++) {
        taco__about_puts(a, "|**");
        taco__about_puts(a, heads[k]);
        taco__about_puts(a, "**");
    }
    taco__about_puts(a, "|\n|");
    for (k = 0; k < n; k++) {
        taco__about_puts(a, " :--- |");
    }
    for (i = 0, row = taco__json_first(list); i < count; i++, row = taco__json_next(row)) {
        taco__about_puts(a, "\n");
        for (k = 0; k < n; k++) {
            const taco__json *v = taco__json_get(row, keys[k]);
            if (!v && strcmp(keys[k], "role") == 0) {
                v = taco__json_at(taco__json_get(row, "roles"), 0);
            }
            taco__about_cell(a, v);
        }
        taco__about_puts(a, "|");
    }
    taco__about_puts(a, "\n\n");
}
TACO__FN void taco__about_card_line(taco__about *a, const char *before, taco_bytes text)
{
    if (text.len) {
        taco__about_puts(a, before);
        taco__about_bytes(a, text);
        taco__about_puts(a, "**\n\n");
    }
}
/* The tree as taco:pit_schema tells it, a line for each level. */
TACO__FN void taco__about_card_tree(taco__about *a)
{
    const taco__json *pit = taco__json_get(a->root, "taco:pit_schema"), *level, *one, *types;
    const taco__json *hierarchy = taco__json_get(pit, "hierarchy");
    size_t i, k, j, n = taco__json_is(hierarchy, TACO__JSON_OBJECT) ? hierarchy->count : 0;
    if (!taco__json_is(pit, TACO__JSON_OBJECT)) {
        return;
    }
    taco__about_puts(a, "## Structure\n\n- Level 0: ");
    taco__about_bytes(a, taco__about_of(taco__json_get(pit, "root"), "type"));
    taco__about_puts(a, ", samples: ");
    a->ok =
        a->ok && taco__json_emit(a->b, taco__json_get(taco__json_get(pit, "root"), "n"), 0, a->err);
    for (i = 0, level = n ? hierarchy + 1 : NULL; i < n; i++, level = taco__json_next(level + 1)) {
        size_t patterns = taco__json_length(level + 1);
        for (k = 0; k < patterns; k++) {
            one = taco__json_at(level + 1, k);
            types = taco__json_get(one, "type");
            taco__about_puts(a, "\n- Level ");
            taco__about_bytes(a, taco__json_bytes(level));
            taco__about_puts(a, ": ");
            for (j = 0; j < taco__json_length(types); j++) {
                taco__about_puts(a, j ? ", " : "");
                taco__about_bytes(a, taco__json_bytes(taco__json_at(types, j)));
            }
            taco__about_puts(a, ", samples: ");
            a->ok = a->ok && taco__json_emit(a->b, taco__json_get(one, "n"), 0, a->err);
        }
    }
    taco__about_puts(a, "\n\n");
}
/* The columns of every level. */
TACO__FN void taco__about_card_fields(taco__about *a)
{
    const taco__json *schema = taco__json_get(a->root, "taco:field_schema"), *level, *row;
    size_t            i, k, j, n = taco__json_is(schema, TACO__JSON_OBJECT) ? schema->count : 0;
    for (i = 0, level = n ? schema + 1 : NULL; i < n; i++, level = taco__json_next(level + 1)) {
        size_t rows = taco__json_length(level + 1);
        taco__about_puts(a, i ? "" : "## Metadata Fields\n\n");
        taco__about_puts(a, "### ");
        taco__about_bytes(a, taco__json_bytes(level));
        taco__about_puts(a, "\n\n|**Field**|**Type**|**Description**|\n| :--- | :--- | :--- |");
        for (k = 0, row = rows ? taco__json_first(level + 1) : NULL; k < rows;
             k++, row = taco__json_next(row)) {
            taco__about_puts(a, "\n");
            for (j = 0; j < 3; j++) {
                taco__about_cell(a, taco__json_at(row, j));
            }
            taco__about_puts(a, "|");
        }
        taco__about_puts(a, "\n\n");
    }
}
TACO__FN void taco__about_card(taco__about *a)
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
    const taco__json               *optical = taco__about_member(a, "optical_data"),
                     *label = taco__about_member(a, "labels"),
                     *strategy = taco__about_member(a, "split_strategy"),
                     *pit = taco__json_get(a->root, "taco:pit_schema");
    taco__about_puts(a, "---\n");
    taco__about_card_list(a, "license:\n", "licenses");
    taco__about_puts(a, "language:\n- en\n");
    taco__about_card_list(a, "tags:\n", "keywords");
    taco__about_puts(a, "pretty_name: ");
    a->ok = a->ok && taco__json_emit_text(a->b, taco__about_title(a), a->err);
    taco__about_puts(a, "\n---\n# ");
    taco__about_bytes(a, taco__about_title(a));
    taco__about_puts(a, "\n\n");
    taco__about_bytes(a, taco__about_get(a, "description"));
    taco__about_puts(a, "\n\n## TACO Snippet\n\n```python\nimport tacoreader\ndataset = "
                        "tacoreader.load('");
    taco__about_puts(a, taco__about_file(a));
    taco__about_puts(a, "')\n```\n\n```r\nlibrary(tacoreader)\ndataset <- tacoreader::load('");
    taco__about_puts(a, taco__about_file(a));
    taco__about_puts(a, "')\n```\n\n");
    taco__about_card_line(a, "## Version\n\nThe version of the dataset: **",
                          pit ? taco__about_get(a, "dataset_version") : taco__base_bytes(NULL, 0));
    taco__about_card_tree(a);
    taco__about_card_line(a, "## Sensor Information\n\nThe sensor of the dataset: **",
                          optical ? taco__about_of(optical, "sensor")
                                  : taco__about_get(a, "optical:sensor"));
    taco__about_card_line(a, "## Task\n\nThe task of the dataset: **",
                          taco__about_either(a->root, "task", "tasks", NULL));
    taco__about_card_line(a, "## Original Data Repository\n\nWhere the raw data is: **",
                          taco__about_of(taco__about_member(a, "raw_link"), "href"));
    taco__about_card_line(a, "## Discussion\n\nWhere the dataset is discussed: **",
                          taco__about_of(taco__about_member(a, "discuss_link"), "href"));
    taco__about_card_line(a, "## Split Strategy\n\nHow the dataset is divided: **",
                          strategy ? taco__json_bytes(strategy)
                                   : taco__about_get(a, "split:strategy"));
    taco__about_card_table(a, "## Scientific Publications\n\n", taco__about_papers(a), papers,
                           paper_heads, 3);
    taco__about_card_table(a, "## Data Providers\n\n", taco__json_get(a->root, "providers"), people,
                           people_heads, 3);
    taco__about_card_table(a, "## Curators\n\n", taco__json_get(a->root, "curators"), people,
                           people_heads, 3);
    taco__about_card_table(a, "## Labels\n\n",
                           label ? taco__json_get(label, "label_classes")
                                 : taco__json_get(a->root, "labels:classes"),
                           labels, label_heads, 3);
    taco__about_card_table(a, "## Optical Bands\n\n", taco__about_bands(a), bands, band_heads, 6);
    taco__about_card_fields(a);
}

/* ---- Croissant ---- */

/* A FileObject: its name is its @id too. */
TACO__FN void taco__about_croissant_file(taco__about *a, const char *path, const char *type)
{
    char     hex[65], size[40];
    uint64_t n;
    if (!a->ok || !taco__sha_file(path, &a->ds->options, &a->ds->mem, hex, &n, a->err)) {
        a->ok = false;
        return;
    }
    size[taco__num_u64(size, n)] = 0;
    taco__about_open(a, NULL, "{");
    taco__about_word(a, "@type", "cr:FileObject");
    taco__about_word(a, "@id", taco__about_base(path));
    taco__about_word(a, "name", taco__about_base(path));
    taco__about_word(a, "contentUrl", taco__about_base(path));
    taco__about_word(a, "encodingFormat", type);
    taco__about_word(a, "sha256", hex);
    taco__about_open(a, "contentSize", "\"");
    taco__about_puts(a, size);
    taco__about_puts(a, " B\",");
    taco__about_close(a, "}");
}
/* The data type of a column; NULL where Croissant has none for it. */
TACO__FN const char *taco__about_croissant_type(const taco_field *f)
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
TACO__FN void taco__about_croissant_id(taco__about *a, const char *key, const char *name)
{
    size_t i, at;
    taco__about_open(a, key, "");
    at = a->b->len;
    a->ok = a->ok && taco__json_emit_text(a->b, taco__base_text(name), a->err);
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
    taco__about_puts(a, ",");
}
TACO__FN void taco__about_croissant_field(taco__about *a, const taco_field *f)
{
    bool        list = f->type == TACO_LIST;
    const char *type = taco__about_croissant_type(list ? f->children : f);
    if (!type) {
        return;
    }
    taco__about_open(a, NULL, "{");
    taco__about_word(a, "@type", "cr:Field");
    taco__about_croissant_id(a, "@id", f->name);
    taco__about_word(a, "name", f->name);
    taco__about_word(a, "dataType", type);
    if (list) {
        taco__about_puts(a, "\"repeated\":true,");
    }
    taco__about_open(a, "source", "{\"fileObject\":{");
    taco__about_word(a, "@id", taco__about_base(a->opt.table));
    taco__about_close(a, "}");
    taco__about_open(a, "extract", "{");
    taco__about_word(a, "column", f->name);
    taco__about_close(a, "}");
    taco__about_close(a, "}");
    taco__about_close(a, "}");
}
TACO__FN void taco__about_croissant_records(taco__about *a)
{
    taco_source       src;
    taco_pq_file     *file;
    const taco_field *f;
    size_t            i, n, key;
    if (!a->ok || !taco__options_open(&a->ds->options, a->opt.table, &src, a->err) ||
        !(file = taco_pq_open_source(&src, a->opt.table, &a->ds->options, a->err))) {
        a->ok = false;
        return;
    }
    f = taco_pq_fields(file, &n);
    for (key = 0;
         key < n && strcmp(f[key].name, "id") != 0 && strcmp(f[key].name, "tortilla:id") != 0;
         key++) {
    }
    taco__about_open(a, "recordSet", "[{");
    taco__about_word(a, "@type", "cr:RecordSet");
    taco__about_word(a, "@id", "samples");
    taco__about_word(a, "name", "samples");
    if (key < n) {
        taco__about_open(a, "key", "{");
        taco__about_croissant_id(a, "@id", f[key].name);
        taco__about_close(a, "}");
    }
    taco__about_open(a, "field", "[");
    for (i = 0; i < n; i++) {
        taco__about_croissant_field(a, &f[i]);
    }
    taco__about_close(a, "]");
    taco__about_close(a, "}]");
    taco_pq_close(file);
}
TACO__FN void taco__about_croissant_people(taco__about *a)
{
    const taco__json *list = taco__json_get(a->root, "providers"), *who;
    size_t            i, n = taco__json_length(list);
    taco__about_open(a, "creator", "[");
    for (i = 0, who = n ? taco__json_first(list) : NULL; i < n; i++, who = taco__json_next(who)) {
        bool person = taco__about_of(who, "name").len && taco__about_of(who, "organization").len;
        taco__about_open(a, NULL, "{");
        taco__about_word(a, "@type", person ? "sc:Person" : "sc:Organization");
        taco__about_text(a, "name", taco__about_name(who));
        taco__about_text(a, "url", taco__about_url(who));
        taco__about_text(a, "email", taco__about_of(who, "email"));
        taco__about_close(a, "}");
    }
    taco__about_close(a, "]");
}
TACO__FN void taco__about_croissant(taco__about *a)
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
    taco__about_open(a, NULL, "{");
    taco__about_open(a, "@context", context);
    taco__about_word(a, "@type", "sc:Dataset");
    taco__about_word(a, "conformsTo", "http://mlcommons.org/croissant/1.0");
    taco__about_text(a, "name", taco__about_get(a, "id"));
    taco__about_text(a, "description", taco__about_get(a, "description"));
    taco__about_text(a, "version", taco__about_get(a, "dataset_version"));
    taco__about_open(a, "license", "[");
    for (i = 0, n = count ? taco__json_first(list) : NULL; i < count; i++, n = taco__json_next(n)) {
        taco__about_license(a, NULL, taco__json_bytes(n));
    }
    taco__about_close(a, "]");
    taco__about_text(a, "url", taco__about_of(taco__about_member(a, "raw_link"), "href"));
    taco__about_croissant_people(a);
    taco__about_text(a, "alternateName", taco__about_get(a, "title"));
    taco__about_value(a, "keywords", taco__json_get(a->root, "keywords"));
    taco__about_word(a, "datePublished", a->opt.year);
    taco__about_text(a, "citeAs", taco__about_of(taco__about_member(a, "scientific"), "citation"));
    taco__about_open(a, "distribution", "[");
    if (a->ds->stores[0].file_open) {
        taco__about_croissant_file(a, a->path, taco__about_type(a));
    }
    if (a->opt.table) {
        taco__about_croissant_file(a, a->opt.table, "application/x-parquet");
    }
    taco__about_close(a, "]");
    if (a->opt.table) {
        taco__about_croissant_records(a);
    }
    taco__about_close(a, "}");
}

/* ---- public ---- */

TACO_API taco_bytes taco_collection_about(taco_dataset *ds, taco_about kind,
                                          const taco_about_options *opt, taco_error *err)
{
    taco_error     own = {0, TACO_OK, 0, {0}};
    taco__about    a;
    taco__arena    arena;
    taco__json_doc doc;
    taco__buf      flat;
    bool           ok;
    err = err ? err : &own;
    memset(&a, 0, sizeof a);
    memset(&flat, 0, sizeof flat);
    if (opt) {
        a.opt = *opt;
    }
    if (!ds || !ds->stores[0].coll.doc.root || (kind == TACO_ABOUT_DATACITE && !a.opt.year)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s",
                   !ds                            ? "no dataset given"
                   : !ds->stores[0].coll.doc.root ? "the dataset has no collection"
                                                  : "DataCite wants a year of publication");
        if (ds) {
            taco__error_prefix(err, "%s", ds->stores[0].name);
        }
        return taco__base_bytes(NULL, 0);
    }
    flat.mem = arena.mem = &ds->mem;
    arena.head = NULL;
    a.root = ds->stores[0].coll.doc.root;
    a.path = ds->stores[0].name;
    a.ds = ds;
    a.err = err;
    a.ok = true;
    ds->info.len = 0;
    a.b = kind == TACO_ABOUT_DATACARD ? &ds->info : &flat;
    if (kind == TACO_ABOUT_DATACARD) {
        taco__about_card(&a);
    } else if (kind == TACO_ABOUT_STAC) {
        taco__about_stac(&a);
    } else if (kind == TACO_ABOUT_CROISSANT) {
        taco__about_croissant(&a);
    } else {
        taco__about_datacite(&a);
    }
    ok = a.ok;
    if (ok && kind != TACO_ABOUT_DATACARD) {
        flat.len--; /* the last comma */
        ok = taco__json_parse(&arena, taco__base_bytes(flat.data, flat.len), &ds->options.limits,
                              &doc, err) == TACO_OK &&
             taco__json_emit(&ds->info, doc.root, 2, err) && taco__buf_char(&ds->info, '\n', err);
    }
    ok = ok && taco__buf_char(&ds->info, 0, err);
    taco__buf_free(&flat);
    taco__arena_free(&arena);
    return ok ? taco__base_bytes(ds->info.data, ds->info.len - 1) : taco__base_bytes(NULL, 0);
}

