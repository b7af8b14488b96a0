/* metadata_datacard.c - a collection as a data card, the README of a repository of datasets

   In: a collection; out: Markdown with YAML front matter: how to read the dataset, its tree and
   columns, and a section with a table for each part of the collection. As this is not JSON, text is
   appended to taco__metadata_writer.json.out; failures are sticky there, too. Start reading at
   taco__metadata_datacard. */
#include "legacy.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../validate/validate.h"

/* ---- text ---- */

/* Appends bytes unchanged, unless there was a failure. */
static void taco__metadata_datacard_bytes(taco__metadata_writer *a, taco_bytes text)
{
    taco__json_writer *w = &a->json;
    w->ok = w->ok && taco__buf_append(w->out, text.data, text.len, w->err);
}

/* The same for a string. */
static void taco__metadata_datacard_puts(taco__metadata_writer *a, const char *text)
{
    taco__metadata_datacard_bytes(a, taco__bytes_text(text));
}

/* Appends a value as JSON. */
static void taco__metadata_datacard_json(taco__metadata_writer *a, const taco__json *n)
{
    taco__json_writer *w = &a->json;
    w->ok = w->ok && taco__json_print(w->out, n, 0, w->err);
}

/* Appends a section of one line; nothing without a text. */
static void taco__metadata_datacard_section(taco__metadata_writer *a, const char *before,
                                            taco_bytes text)
{
    if (!text.len) { return; }
    taco__metadata_datacard_puts(a, before);
    taco__metadata_datacard_bytes(a, text);
    taco__metadata_datacard_puts(a, "**\n\n");
}

/* ---- the front matter ---- */

/* Appends an item of a YAML list. A JSON string is also a YAML string, so it needs no other
   escapes. */
static void taco__metadata_datacard_item(taco__metadata_writer *a, const taco__json *n)
{
    taco__metadata_datacard_puts(a, "  - ");
    taco__metadata_datacard_json(a, n);
    taco__metadata_datacard_puts(a, "\n");
}

/* Appends a YAML list; nothing if the collection has none. */
static void taco__metadata_datacard_list(taco__metadata_writer *a, const char *title,
                                         const char *key)
{
    const taco__json *list = taco__json_get(a->root, key);
    if (taco__json_length(list)) { taco__metadata_datacard_puts(a, title); }
    taco__metadata_each(a, list, taco__metadata_datacard_item);
}

/* Appends the members that Hugging Face reads from the head of a README: license, language, tags
   and pretty_name. */
static void taco__metadata_datacard_front_matter(taco__metadata_writer *a)
{
    taco__json_writer *w = &a->json;
    taco__metadata_datacard_puts(a, "---\n");
    taco__metadata_datacard_list(a, "license:\n", "licenses");
    taco__metadata_datacard_puts(a, "language:\n- en\n");
    taco__metadata_datacard_list(a, "tags:\n", "keywords");
    taco__metadata_datacard_puts(a, "pretty_name: ");
    w->ok = w->ok && taco__json_write_name(w->out, taco__metadata_title(a), w->err);
    taco__metadata_datacard_puts(a, "\n---\n");
}

/* Appends title, description, and how to read the file. */
static void taco__metadata_datacard_snippets(taco__metadata_writer *a)
{
    const char *file = taco__metadata_base_name(a->path);
    taco__metadata_datacard_puts(a, "# ");
    taco__metadata_datacard_bytes(a, taco__metadata_title(a));
    taco__metadata_datacard_puts(a, "\n\n");
    taco__metadata_datacard_bytes(a, taco__metadata_member_text(a, "description"));
    taco__metadata_datacard_puts(a, "\n\n## TACO Snippet\n\n```python\nimport tacoreader\n"
                                    "dataset = tacoreader.load('");
    taco__metadata_datacard_puts(a, file);
    taco__metadata_datacard_puts(a, "')\n```\n\n```r\nlibrary(tacoreader)\n"
                                    "dataset <- tacoreader::load('");
    taco__metadata_datacard_puts(a, file);
    taco__metadata_datacard_puts(a, "')\n```\n\n");
}

/* ---- tables ---- */

/* Appends text on one line, with bars escaped. */
static void taco__metadata_datacard_escape(taco__metadata_writer *a, taco_bytes text)
{
    size_t i;
    for (i = 0; i < text.len; i++) {
        char c = (char)text.data[i];
        bool line_end = c == '\n' || c == '\r';
        if (c == '|') { taco__metadata_datacard_puts(a, "\\"); }
        taco__metadata_datacard_bytes(a, line_end ? taco__bytes_text(" ") : taco__bytes_of(&c, 1));
    }
}

/* Appends a cell of a table; N/A if it is empty. */
static void taco__metadata_datacard_cell(taco__metadata_writer *a, const taco__json *n)
{
    taco__metadata_datacard_puts(a, "|");
    if (taco__rules_is_null(n)) {
        taco__metadata_datacard_puts(a, "N/A");
    } else if (taco__json_is(n, TACO__JSON_STRING)) {
        taco__metadata_datacard_escape(a, taco__json_bytes(n));
    } else {
        taco__metadata_datacard_json(a, n);
    }
}

/* A column of a table: a member of the rows' objects. */
typedef struct taco__metadata_column {
    const char *key, *head;
} taco__metadata_column;

/* Appends the first two lines of a table. */
static void taco__metadata_datacard_head(taco__metadata_writer *a, const taco__metadata_column *c,
                                         size_t n)
{
    size_t k;
    for (k = 0; k < n; k++) {
        taco__metadata_datacard_puts(a, "|**");
        taco__metadata_datacard_puts(a, c[k].head);
        taco__metadata_datacard_puts(a, "**");
    }
    taco__metadata_datacard_puts(a, "|\n|");
    for (k = 0; k < n; k++) {
        taco__metadata_datacard_puts(a, " :--- |");
    }
}

/* Appends a table with a row for each object of the list; nothing if it is empty. */
static void taco__metadata_datacard_table(taco__metadata_writer *a, const char *title,
                                          const taco__json *list, const taco__metadata_column *c,
                                          size_t n)
{
    const taco__json *row;
    size_t i, k, count = taco__json_length(list);
    if (!count) { return; }
    taco__metadata_datacard_puts(a, title);
    taco__metadata_datacard_head(a, c, n);
    for (i = 0, row = taco__json_first(list); i < count; i++, row = taco__json_next(row)) {
        taco__metadata_datacard_puts(a, "\n");
        for (k = 0; k < n; k++) {
            const taco__json *v = taco__json_get(row, c[k].key);
            if (!v && strcmp(c[k].key, "role") == 0) {
                v = taco__json_at(taco__json_get(row, "roles"), 0);
            } else if (!v && strcmp(c[k].key, "organization") == 0) {
                v = taco__json_get(row, "affiliation");
            }
            taco__metadata_datacard_cell(a, v);
        }
        taco__metadata_datacard_puts(a, "|");
    }
    taco__metadata_datacard_puts(a, "\n\n");
}

/* Appends providers or curators. */
static void taco__metadata_datacard_people(taco__metadata_writer *a, const char *title,
                                           const taco__json *list)
{
    static const taco__metadata_column columns[] = {
        {"name", "Name"}, {"organization", "Organization"}, {"role", "Role"}};
    taco__metadata_datacard_table(a, title, list, columns, 3);
}

/* Appends publications about the dataset, with a BibTeX citation if the collection has one. */
static void taco__metadata_datacard_publications(taco__metadata_writer *a)
{
    static const taco__metadata_column columns[] = {
        {"doi", "DOI"}, {"summary", "Summary"}, {"citation", "BibTeX Citation"}};
    taco__metadata_datacard_table(a, "## Scientific Publications\n\n",
                                  taco__metadata_publications(a), columns, 3);
}

/* Appends classes: labels.label_classes in TACO 0.x, labels:classes in the extension of TACO 2. */
static void taco__metadata_datacard_labels(taco__metadata_writer *a)
{
    static const taco__metadata_column columns[] = {
        {"name", "Name"}, {"category", "Category"}, {"description", "Description"}};
    const taco__json *labels = taco__metadata_member(a, "labels");
    taco__metadata_datacard_table(a, "## Labels\n\n",
                                  labels ? taco__json_get(labels, "label_classes")
                                         : taco__json_get(a->root, "labels:classes"),
                                  columns, 3);
}

/* Appends bands, with the members that optical_data.bands and optical:bands share. */
static void taco__metadata_datacard_bands(taco__metadata_writer *a)
{
    static const taco__metadata_column columns[] = {{"name", "Name"},
                                                    {"common_name", "Common Name"},
                                                    {"description", "Description"},
                                                    {"center_wavelength", "Center Wavelength"},
                                                    {"full_width_half_max", "Full Width Half Max"},
                                                    {"index", "Index"}};
    taco__metadata_datacard_table(a, "## Optical Bands\n\n", taco__metadata_bands(a), columns, 6);
}

/* ---- the tree and its columns ---- */

/* Appends the line of a pattern of a level: types of its children, and their number. */
static void taco__metadata_datacard_pattern(taco__metadata_writer *a, taco_bytes level,
                                            const taco__json *pattern)
{
    const taco__json *types = taco__json_get(pattern, "type"), *type = taco__json_first(types);
    size_t i, n = taco__json_length(types);
    taco__metadata_datacard_puts(a, "\n- Level ");
    taco__metadata_datacard_bytes(a, level);
    taco__metadata_datacard_puts(a, ": ");
    for (i = 0; i < n; i++, type = taco__json_next(type)) {
        taco__metadata_datacard_puts(a, i ? ", " : "");
        taco__metadata_datacard_bytes(a, taco__json_bytes(type));
    }
    taco__metadata_datacard_puts(a, ", samples: ");
    taco__metadata_datacard_json(a, taco__json_get(pattern, "n"));
}

/* Appends the tree of taco:pit_schema, a line for each pattern. */
static void taco__metadata_datacard_tree(taco__metadata_writer *a)
{
    const taco__json *pit = taco__json_get(a->root, "taco:pit_schema"), *level;
    const taco__json *root = taco__json_get(pit, "root");
    const taco__json *levels = taco__json_get(pit, "hierarchy");
    size_t i, k, n = taco__json_is(levels, TACO__JSON_OBJECT) ? levels->count : 0;
    if (!taco__json_is(pit, TACO__JSON_OBJECT)) { return; }
    taco__metadata_datacard_puts(a, "## Structure\n\n- Level 0: ");
    taco__metadata_datacard_bytes(a, taco__metadata_text_of(root, "type"));
    taco__metadata_datacard_puts(a, ", samples: ");
    taco__metadata_datacard_json(a, taco__json_get(root, "n"));
    for (i = 0, level = n ? taco__json_first(levels) : NULL; i < n;
         i++, level = taco__json_next(level + 1)) {
        const taco__json *pattern = taco__json_first(level + 1);
        size_t count = taco__json_length(level + 1);
        for (k = 0; k < count; k++, pattern = taco__json_next(pattern)) {
            taco__metadata_datacard_pattern(a, taco__json_bytes(level), pattern);
        }
    }
    taco__metadata_datacard_puts(a, "\n\n");
}

/* Appends the line of a column: name, type and description. */
static void taco__metadata_datacard_field(taco__metadata_writer *a, const taco__json *field)
{
    size_t i;
    taco__metadata_datacard_puts(a, "\n");
    for (i = 0; i < 3; i++) {
        taco__metadata_datacard_cell(a, taco__json_at(field, i));
    }
    taco__metadata_datacard_puts(a, "|");
}

/* Appends the columns of every level from taco:field_schema. */
static void taco__metadata_datacard_fields(taco__metadata_writer *a)
{
    const taco__json *schema = taco__json_get(a->root, "taco:field_schema"), *level;
    size_t i, n = taco__json_is(schema, TACO__JSON_OBJECT) ? schema->count : 0;
    for (i = 0, level = n ? taco__json_first(schema) : NULL; i < n;
         i++, level = taco__json_next(level + 1)) {
        taco__metadata_datacard_puts(a, i ? "### " : "## Metadata Fields\n\n### ");
        taco__metadata_datacard_bytes(a, taco__json_bytes(level));
        taco__metadata_datacard_puts(
            a, "\n\n|**Field**|**Type**|**Description**|\n| :--- | :--- | :--- |");
        taco__metadata_each(a, level + 1, taco__metadata_datacard_field);
        taco__metadata_datacard_puts(a, "\n\n");
    }
}

/* ---- the card ---- */

/* The address of a link of the collection. */
static taco_bytes taco__metadata_datacard_href(const taco__metadata_writer *a, const char *key)
{
    return taco__metadata_text_of(taco__metadata_member(a, key), "href");
}

/* Appends a task to those before it, which the writer counts. */
static void taco__metadata_datacard_task(taco__metadata_writer *a, const taco__json *task)
{
    taco__metadata_datacard_puts(a, a->items++ ? ", " : "## Task\n\nThe task of the dataset: **");
    taco__metadata_datacard_bytes(a, taco__json_bytes(task));
}

/* Appends all tasks on one line. */
static void taco__metadata_datacard_tasks(taco__metadata_writer *a)
{
    a->items = 0;
    taco__metadata_each_task(a, taco__metadata_datacard_task);
    if (a->items) { taco__metadata_datacard_puts(a, "**\n\n"); }
}

/* Appends sections of one line. Version is only a section if there is a tree. */
static void taco__metadata_datacard_facts(taco__metadata_writer *a)
{
    const taco__json *optical = taco__metadata_member(a, "optical_data");
    const taco__json *split = taco__metadata_member(a, "split_strategy");
    if (taco__json_get(a->root, "taco:pit_schema")) {
        taco__metadata_datacard_section(a, "## Version\n\nThe version of the dataset: **",
                                        taco__metadata_member_text(a, "dataset_version"));
    }
    taco__metadata_datacard_tree(a);
    taco__metadata_datacard_section(a, "## Sensor Information\n\nThe sensor of the dataset: **",
                                    optical ? taco__metadata_text_of(optical, "sensor")
                                            : taco__metadata_member_text(a, "optical:sensor"));
    taco__metadata_datacard_tasks(a);
    taco__metadata_datacard_section(a, "## Original Data Repository\n\nWhere the raw data is: **",
                                    taco__metadata_datacard_href(a, "raw_link"));
    taco__metadata_datacard_section(a, "## Discussion\n\nWhere the dataset is discussed: **",
                                    taco__metadata_datacard_href(a, "discuss_link"));
    taco__metadata_datacard_section(a, "## Split Strategy\n\nHow the dataset is divided: **",
                                    split ? taco__json_bytes(split)
                                          : taco__metadata_member_text(a, "split:strategy"));
}

TACO__FN void taco__metadata_datacard(taco__metadata_writer *a)
{
    taco__metadata_datacard_front_matter(a);
    taco__metadata_datacard_snippets(a);
    taco__metadata_datacard_facts(a);
    taco__metadata_datacard_publications(a);
    taco__metadata_datacard_people(a, "## Data Providers\n\n",
                                   taco__json_get(a->root, "providers"));
    taco__metadata_datacard_people(a, "## Curators\n\n", taco__metadata_curators(a));
    taco__metadata_datacard_labels(a);
    taco__metadata_datacard_bands(a);
    taco__metadata_datacard_fields(a);
}
