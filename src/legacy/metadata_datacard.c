/* metadata_datacard.c - what a collection says, in the words of STAC, DataCite, data cards and
   Croissant.. Spec: STAC 1.1.0 Collection; DataCite 4.5; Croissant 1.0; TACO 0.2.0 "API" */
#include "legacy.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../validate/validate.h"

/* ---- data card ---- */

static void taco__metadata_datacard_list(taco__metadata_writer *a, const char *title,
                                         const char *key)
{
    const taco__json *list = taco__json_get(a->root, key), *n;
    size_t i, count = taco__json_length(list);
    if (count) {
        taco__metadata_puts(a, title);
        for (i = 0, n = taco__json_first(list); i < count; i++, n = taco__json_next(n)) {
            taco__metadata_puts(a, "  - ");
            a->ok = a->ok && taco__json_print(a->b, n, 0, a->err);
            taco__metadata_puts(a, "\n");
        }
    }
}

/* A cell of a table: one line, its bars escaped; N/A where there is nothing. */
static void taco__metadata_datacard_cell(taco__metadata_writer *a, const taco__json *n)
{
    taco_bytes b = taco__json_bytes(n);
    size_t i;
    taco__metadata_puts(a, "|");
    if (taco__rules_is_null(n)) {
        taco__metadata_puts(a, "N/A");
    } else if (!taco__json_is(n, TACO__JSON_STRING)) {
        a->ok = a->ok && taco__json_print(a->b, n, 0, a->err);
    }
    for (i = 0; i < b.len; i++) {
        char c[3] = {'\\', 0, 0};
        c[b.data[i] == '|'] = (char)(b.data[i] == '\n' || b.data[i] == '\r' ? ' ' : b.data[i]);
        taco__metadata_puts(a, c);
    }
}

static void taco__metadata_datacard_table(taco__metadata_writer *a, const char *title,
                                          const taco__json *list, const char *const *keys,
                                          const char *const *heads, size_t n)
{
    const taco__json *row;
    size_t i, k, count = taco__json_length(list);
    if (!count) { return; }
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

static void taco__metadata_datacard_line(taco__metadata_writer *a, const char *before,
                                         taco_bytes text)
{
    if (text.len) {
        taco__metadata_puts(a, before);
        taco__metadata_bytes(a, text);
        taco__metadata_puts(a, "**\n\n");
    }
}

/* The tree as taco:pit_schema tells it, a line for each level. */
static void taco__metadata_datacard_tree(taco__metadata_writer *a)
{
    const taco__json *pit = taco__json_get(a->root, "taco:pit_schema"), *level, *one, *types;
    const taco__json *hierarchy = taco__json_get(pit, "hierarchy");
    size_t i, k, j, n = taco__json_is(hierarchy, TACO__JSON_OBJECT) ? hierarchy->count : 0;
    if (!taco__json_is(pit, TACO__JSON_OBJECT)) { return; }
    taco__metadata_puts(a, "## Structure\n\n- Level 0: ");
    taco__metadata_bytes(a, taco__metadata_text_of(taco__json_get(pit, "root"), "type"));
    taco__metadata_puts(a, ", samples: ");
    a->ok = a->ok &&
            taco__json_print(a->b, taco__json_get(taco__json_get(pit, "root"), "n"), 0, a->err);
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
            a->ok = a->ok && taco__json_print(a->b, taco__json_get(one, "n"), 0, a->err);
        }
    }
    taco__metadata_puts(a, "\n\n");
}

/* The columns of every level. */
static void taco__metadata_datacard_fields(taco__metadata_writer *a)
{
    const taco__json *schema = taco__json_get(a->root, "taco:field_schema"), *level, *row;
    size_t i, k, j, n = taco__json_is(schema, TACO__JSON_OBJECT) ? schema->count : 0;
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
    static const char *const people[] = {"name", "organization", "role"},
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
    const taco__json *optical = taco__metadata_member(a, "optical_data"),
                     *label = taco__metadata_member(a, "labels"),
                     *strategy = taco__metadata_member(a, "split_strategy"),
                     *pit = taco__json_get(a->root, "taco:pit_schema");
    taco__metadata_puts(a, "---\n");
    taco__metadata_datacard_list(a, "license:\n", "licenses");
    taco__metadata_puts(a, "language:\n- en\n");
    taco__metadata_datacard_list(a, "tags:\n", "keywords");
    taco__metadata_puts(a, "pretty_name: ");
    a->ok = a->ok && taco__json_print_text(a->b, taco__metadata_title(a), a->err);
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
