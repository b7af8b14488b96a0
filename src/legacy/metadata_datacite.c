/* metadata_datacite.c - what a collection says, in the words of STAC, DataCite, data cards and
   Croissant.. Spec: STAC 1.1.0 Collection; DataCite 4.5; Croissant 1.0; TACO 0.2.0 "API" */
#include "legacy.h"
#include "../base/json.h"

/* ---- DataCite ---- */

static void taco__metadata_datacite_people(taco__metadata_writer *a, const char *key,
                                           const char *to, const char *type)
{
    const taco__json *list = taco__json_get(a->root, key), *who;
    size_t i, n = taco__json_length(list);
    if (!n) { return; }
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
        if (type) { taco__metadata_string(a, "contributorType", type); }
        taco__metadata_close(a, "}");
    }
    taco__metadata_close(a, "]");
}

static void taco__metadata_datacite_related(taco__metadata_writer *a)
{
    const taco__json *list = taco__metadata_publications(a), *n;
    taco_bytes raw = taco__metadata_text_of(taco__metadata_member(a, "raw_link"), "href");
    size_t i, count = taco__json_length(list);
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

static void taco__metadata_datacite_places(taco__metadata_writer *a)
{
    double box[4];
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
    size_t i, count;
    taco_bytes house = taco__metadata_text_of(first, "organization");
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
