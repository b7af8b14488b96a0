/* metadata_datacite.c - a collection as DataCite 4.5, for registering a DOI

   In: a collection, and a year of publication, which collections do not have; out: one JSON
   object. Providers are the creators, curators the contributors, and the publisher is the
   organization of the first provider. Spec: DataCite Metadata Schema 4.5. Start reading at
   taco__metadata_datacite. */
#include "legacy.h"
#include "../base/json.h"

/* ---- people ---- */

/* Writes a person with an affiliation, or an organization; type: the role of a contributor, or
   NULL. */
static void taco__metadata_datacite_person(taco__metadata_writer *a, const taco__json *who,
                                           const char *type)
{
    bool person = taco__metadata_text_of(who, "name").len != 0;
    taco_bytes house = taco__metadata_person_house(who);
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_text(a, "name", taco__metadata_person_name(who));
    taco__metadata_string(a, "nameType", person ? "Personal" : "Organizational");
    if (person && house.len) {
        taco__metadata_begin(a, "affiliation", '[');
        taco__metadata_begin(a, NULL, '{');
        taco__metadata_text(a, "name", house);
        taco__metadata_end(a, '}');
        taco__metadata_end(a, ']');
    }
    if (type) { taco__metadata_string(a, "contributorType", type); }
    taco__metadata_end(a, '}');
}

/* Writes a creator, without contributorType. */
static void taco__metadata_datacite_creator(taco__metadata_writer *a, const taco__json *who)
{
    taco__metadata_datacite_person(a, who, NULL);
}

/* Writes a contributor. DataCurator is DataCite's type for those who prepare data (appendix 1). */
static void taco__metadata_datacite_contributor(taco__metadata_writer *a, const taco__json *who)
{
    taco__metadata_datacite_person(a, who, "DataCurator");
}

/* Writes the people of a list; nothing if there are none. */
static void
taco__metadata_datacite_people(taco__metadata_writer *a, const taco__json *list, const char *key,
                               void (*each)(taco__metadata_writer *a, const taco__json *who))
{
    if (!taco__json_length(list)) { return; }
    taco__metadata_begin(a, key, '[');
    taco__metadata_each(a, list, each);
    taco__metadata_end(a, ']');
}

/* Writes publisher, which DataCite requires: the organization of the first provider, or its
   name. */
static void taco__metadata_datacite_publisher(taco__metadata_writer *a)
{
    const taco__json *first = taco__json_at(taco__json_get(a->root, "providers"), 0);
    taco_bytes house = taco__metadata_person_house(first);
    taco__metadata_begin(a, "publisher", '{');
    taco__metadata_text(a, "name", house.len ? house : taco__metadata_person_name(first));
    taco__metadata_end(a, '}');
}

/* ---- lists ---- */

/* Writes another work, and how the dataset relates to it. */
static void taco__metadata_datacite_relation(taco__metadata_writer *a, taco_bytes id,
                                             const char *type, const char *relation)
{
    if (!id.len) { return; }
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_text(a, "relatedIdentifier", id);
    taco__metadata_string(a, "relatedIdentifierType", type);
    taco__metadata_string(a, "relationType", relation);
    taco__metadata_end(a, '}');
}

/* Writes a paper, which describes the dataset; without a DOI there is nothing to relate to. */
static void taco__metadata_datacite_publication(taco__metadata_writer *a, const taco__json *n)
{
    taco__metadata_datacite_relation(a, taco__metadata_text_of(n, "doi"), "DOI", "IsDescribedBy");
}

/* Writes relatedIdentifiers: papers, and the data from which the samples were made. */
static void taco__metadata_datacite_related(taco__metadata_writer *a)
{
    taco_bytes raw = taco__metadata_text_of(taco__metadata_member(a, "raw_link"), "href");
    taco__metadata_begin(a, "relatedIdentifiers", '[');
    taco__metadata_each(a, taco__metadata_publications(a), taco__metadata_datacite_publication);
    taco__metadata_datacite_relation(a, raw, "URL", "IsDerivedFrom");
    taco__metadata_end(a, ']');
}

/* Writes a keyword, which belongs to no vocabulary. */
static void taco__metadata_datacite_subject(taco__metadata_writer *a, const taco__json *keyword)
{
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_text(a, "subject", taco__json_bytes(keyword));
    taco__metadata_end(a, '}');
}

/* Writes a task, from TACO's list. */
static void taco__metadata_datacite_task(taco__metadata_writer *a, const taco__json *task)
{
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_text(a, "subject", taco__json_bytes(task));
    taco__metadata_string(a, "subjectScheme", "TACO task");
    taco__metadata_end(a, '}');
}

/* Writes subjects: keywords, then tasks, for which DataCite has no other place. */
static void taco__metadata_datacite_subjects(taco__metadata_writer *a)
{
    taco__metadata_begin(a, "subjects", '[');
    taco__metadata_each(a, taco__json_get(a->root, "keywords"), taco__metadata_datacite_subject);
    taco__metadata_each_task(a, taco__metadata_datacite_task);
    taco__metadata_end(a, ']');
}

/* Writes a licence by its SPDX id. The collection has no other name for it, so `rights` is also the
   id. */
static void taco__metadata_datacite_right(taco__metadata_writer *a, const taco__json *license)
{
    taco_bytes id = taco__json_bytes(license);
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_text(a, "rights", id);
    taco__metadata_text(a, "rightsIdentifier", id);
    taco__metadata_string(a, "rightsIdentifierScheme", "SPDX");
    taco__metadata_string(a, "schemeUri", "https://spdx.org/licenses/");
    taco__metadata_license(a, "rightsUri", id);
    taco__metadata_end(a, '}');
}

/* ---- places and dates ---- */

/* Writes the box; nothing if the collection has none. */
static void taco__metadata_datacite_place(taco__metadata_writer *a)
{
    double box[4];
    if (!taco__metadata_bbox(a, box)) { return; }
    taco__metadata_begin(a, "geoLocations", '[');
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_begin(a, "geoLocationBox", '{');
    taco__metadata_number(a, "westBoundLongitude", box[0]);
    taco__metadata_number(a, "eastBoundLongitude", box[2]);
    taco__metadata_number(a, "southBoundLatitude", box[1]);
    taco__metadata_number(a, "northBoundLatitude", box[3]);
    taco__metadata_end(a, '}');
    taco__metadata_end(a, '}');
    taco__metadata_end(a, ']');
}

/* Writes when the data was collected, start/end; nothing if the collection does not say. */
static void taco__metadata_datacite_dates(taco__metadata_writer *a)
{
    taco_bytes t[2];
    if (!taco__metadata_time_range(a, t)) { return; }
    taco__metadata_begin(a, "dates", '[');
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_joined(a, "date", t[0], taco__bytes_text("/"), t[1]);
    taco__metadata_string(a, "dateType", "Collected");
    taco__metadata_end(a, '}');
    taco__metadata_end(a, ']');
}

/* ---- the document ---- */

/* Writes types, which DataCite requires: a Dataset in its terms, a TACO dataset in ours. */
static void taco__metadata_datacite_types(taco__metadata_writer *a)
{
    taco__metadata_begin(a, "types", '{');
    taco__metadata_string(a, "resourceTypeGeneral", "Dataset");
    taco__metadata_string(a, "resourceType", "TACO dataset");
    taco__metadata_end(a, '}');
}

/* Writes a list of one object with one text, and its type, if it has one. */
static void taco__metadata_datacite_one(taco__metadata_writer *a, const char *key,
                                        const char *member, taco_bytes text, const char *type)
{
    taco__metadata_begin(a, key, '[');
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_text(a, member, text);
    if (type) { taco__metadata_string(a, "descriptionType", type); }
    taco__metadata_end(a, '}');
    taco__metadata_end(a, ']');
}

/* Writes a list with an object for each text of a member of the collection. */
static void
taco__metadata_datacite_list(taco__metadata_writer *a, const char *key, const char *from,
                             void (*each)(taco__metadata_writer *a, const taco__json *text))
{
    taco__metadata_begin(a, key, '[');
    taco__metadata_each(a, taco__json_get(a->root, from), each);
    taco__metadata_end(a, ']');
}

TACO__FN void taco__metadata_datacite(taco__metadata_writer *a)
{
    taco__metadata_begin(a, NULL, '{');
    taco__metadata_datacite_types(a);
    taco__metadata_datacite_people(a, taco__json_get(a->root, "providers"), "creators",
                                   taco__metadata_datacite_creator);
    taco__metadata_datacite_one(a, "titles", "title", taco__metadata_title(a), NULL);
    taco__metadata_datacite_publisher(a);
    taco__metadata_string(a, "publicationYear", a->opt.year);
    taco__metadata_text(a, "version", taco__metadata_member_text(a, "dataset_version"));
    taco__metadata_string(a, "schemaVersion", "http://datacite.org/schema/kernel-4");
    taco__metadata_text(a, "doi", taco__metadata_doi(a));
    taco__metadata_datacite_one(a, "descriptions", "description",
                                taco__metadata_member_text(a, "description"), "Abstract");
    taco__metadata_datacite_subjects(a);
    taco__metadata_datacite_people(a, taco__metadata_curators(a), "contributors",
                                   taco__metadata_datacite_contributor);
    taco__metadata_datacite_list(a, "rightsList", "licenses", taco__metadata_datacite_right);
    taco__metadata_datacite_place(a);
    taco__metadata_datacite_dates(a);
    taco__metadata_datacite_related(a);
    taco__metadata_begin(a, "formats", '[');
    taco__metadata_string(a, NULL, taco__metadata_media_type(a));
    taco__metadata_end(a, ']');
    taco__metadata_end(a, '}');
}
