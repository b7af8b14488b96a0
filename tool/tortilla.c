/* tortilla.c - taco tortilla: writes and edits Tortilla 0.5 and TACO 0.x files, for users who still
   need to deliver them. The verbs: create makes a file from a table and the files that it names,
   compile one from the rows of others; to-taco, to-tortilla, edit-collection and edit-footer change
   the end of a file. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

/* In the order of the verbs of the command. */
typedef enum tortilla_verb {
    TORTILLA_CREATE,
    TORTILLA_COMPILE,
    TORTILLA_TO_TACO,
    TORTILLA_TO_TORTILLA,
    TORTILLA_EDIT_COLLECTION,
    TORTILLA_EDIT_FOOTER,
    TORTILLA_VERBS
} tortilla_verb;

/* Bit sets of verbs: those that write a collection. */
enum {
    TORTILLA_WITH_COLLECTION =
        1U << TORTILLA_CREATE | 1U << TORTILLA_TO_TACO | 1U << TORTILLA_EDIT_COLLECTION
};

/* ---- create ---- */

/* The files that the rows of a table name. */
typedef struct named_files {
    /* column `path`, relative to the directory of the table */
    const taco_array *path;
    const char *table;
} named_files;

/* The callback of taco_tortilla_create that opens the file of a row, with named_files as its
   context. */
static bool open_named_file(void *ctx, size_t row, taco_source *out)
{
    const named_files *f = (const named_files *)ctx;
    taco_bytes name = taco_array_bytes(f->path, row);
    size_t n = (size_t)(name_in_path(f->table) - f->table);
    char *path;
    bool ok;
    if (!name.data) { return false; }
    path = (char *)malloc(n + name.len + 1);
    if (!path) { return false; }
    /* an absolute path needs no directory */
    n = is_absolute_path((const char *)name.data, name.len) ? 0 : n;
    memcpy(path, f->table, n);
    memcpy(path + n, name.data, name.len);
    path[n + name.len] = 0;
    ok = taco_source_file(out, path, NULL) == TACO_OK;
    free(path);
    return ok;
}

/* Copies the columns of a batch to `columns`, which has room for them, except `path`, which goes to
   *path; returns how many. */
static size_t split_path_column(const taco_batch *batch, taco_array *columns,
                                const taco_array **path)
{
    size_t i, n = 0;
    *path = NULL;
    for (i = 0; i < batch->column_count; i++) {
        if (strcmp(batch->columns[i].field->name, "path") == 0) {
            *path = &batch->columns[i];
        } else {
            columns[n++] = batch->columns[i];
        }
    }
    return n;
}

/* Makes a file from the columns of the table, and the files in its column `path`. */
static void create_tortilla(const arguments *a, const char *collection, const taco_options *opt,
                            taco_error *err)
{
    taco_table *table = taco_table_open(a->words[1], opt, err);
    named_files files;
    taco_tortilla_options o;
    memset(&o, 0, sizeof o);
    o.options = opt;
    o.collection = collection;
    o.part_bytes = a->split_size;
    o.chain = a->chain;
    o.chunks = a->chunks;
    o.any_format = a->any_format;
    o.keep_parts = !a->create.overwrite;
    files.table = a->words[1];
    if (table) {
        taco_batch rows = *taco_table_rows(table);
        taco_array *columns =
            (taco_array *)grow_list(NULL, 0, (rows.column_count + 1) * sizeof *columns);
        size_t n = split_path_column(&rows, columns, &files.path);
        if (files.path && files.path->field->type == TACO_TEXT) {
            rows.columns = columns;
            rows.column_count = n;
            taco_tortilla_create(a->words[2], &rows, open_named_file, &files, &o, err);
        } else {
            err->code = TACO_ERR_ARGUMENT;
            sprintf(err->text, "%.200s: a column `path` of text must name the files", a->words[1]);
        }
    }
    taco_table_close(table);
}

/* ---- the other verbs ---- */

/* Words: compile FILE... OUT. Writes the rows that pass the filters. */
static void compile_tortilla(arguments *a, const taco_options *opt, taco_error *err)
{
    const char *const *files = (const char *const *)a->words + 1;
    taco_dataset *ds = taco_open_many(files, a->word_count - 2, a->column_mode, opt, err);
    prepare_query(a);
    if (ds) { taco_tortilla_compile(ds, &a->query, a->words[a->word_count - 1], err); }
    taco_close(ds);
}

/* Replaces rows and columns, keeping the payloads. */
static void edit_footer(const arguments *a, const taco_options *opt, taco_error *err)
{
    taco_table *table = taco_table_open(a->samples[0], opt, err);
    if (table) {
        taco_tortilla_edit_footer(a->words[1], a->words[2], taco_table_rows(table), opt, err);
    }
    taco_table_close(table);
}

/* ---- the command ---- */

/* A part that exists is named after the file of which it is one. */
static int report_parts(const char *out, const taco_error *err)
{
    const char *text = taco_error_text(err);
    size_t n = strlen(out);
    bool prefixed = strncmp(text, out, n) == 0 && strncmp(text + n, ": ", 2) == 0;
    return report_existing(prefixed ? text + n + 2 : text, err);
}

/* Finds the verb, and checks that the words and options that it needs are there. */
static int check_arguments(const arguments *a, tortilla_verb *verb)
{
    const char *what = a->word_count ? a->words[0] : "";
    tortilla_verb v = (tortilla_verb)find_verb(&tortilla_command, what);
    *verb = v;
    if (v == TORTILLA_VERBS) {
        return value_error("tortilla",
                           "create, compile, to-taco, to-tortilla, edit-collection or edit-footer",
                           what);
    }
    if (a->word_count < 3 || (v != TORTILLA_COMPILE && a->word_count != 3)) {
        return usage_error(what, "needs a FILE and OUT (see taco tortilla --help)");
    }
    if (v == TORTILLA_EDIT_FOOTER && !a->samples_count) {
        return usage_error(what, "needs --samples TABLE.parquet");
    }
    if ((v == TORTILLA_TO_TACO || v == TORTILLA_EDIT_COLLECTION) && !a->collection) {
        return usage_error(what, "needs --collection FILE.json");
    }
    return DONE;
}

/* Words: VERB FILE OUT. */
static int run_tortilla(arguments *a, const taco_options *opt)
{
    taco_error err = {0};
    char *text = NULL;
    tortilla_verb verb;
    if (check_arguments(a, &verb) != DONE) { return USAGE; }
    if (a->collection && !(text = read_text(a->collection, &err))) { return report_error(&err); }
    switch (verb) {
    case TORTILLA_CREATE: create_tortilla(a, text, opt, &err); break;
    case TORTILLA_COMPILE: compile_tortilla(a, opt, &err); break;
    case TORTILLA_TO_TORTILLA: taco_tortilla_from_taco(a->words[1], a->words[2], opt, &err); break;
    case TORTILLA_TO_TACO: taco_tortilla_to_taco(a->words[1], a->words[2], text, opt, &err); break;
    case TORTILLA_EDIT_FOOTER: edit_footer(a, opt, &err); break;
    case TORTILLA_EDIT_COLLECTION:
        taco_tortilla_edit_collection(a->words[1], a->words[2], text, opt, &err);
        break;
    case TORTILLA_VERBS: break;
    }
    free(text);
    return err.code != TACO_OK ? report_parts(a->words[2], &err) : DONE;
}

static const command_verb tortilla_verbs[] = {
    {"create", "TABLE.parquet OUT [options]",
     "make a file from a table: `path` names the files (relative to the table); tortilla:id and "
     "tortilla:file_format are required"},
    {"compile", "FILE... OUT [filters]", "write the rows that pass filters as a new tortilla"},
    {"to-taco", "FILE OUT --collection FILE.json", "add a collection to a tortilla"},
    {"to-tortilla", "FILE OUT", "remove the collection"},
    {"edit-collection", "FILE OUT --collection FILE.json", "replace the collection"},
    {"edit-footer", "FILE OUT --samples TABLE.parquet",
     "replace rows and columns; tortilla:offset and tortilla:length must not change"},
    {NULL, NULL, NULL},
};

static const command_option tortilla_options[] = {
    {"--collection", NULL, "of TACO 0.x", TORTILLA_WITH_COLLECTION},
    {"--samples", NULL, "the table of edit-footer", 1U << TORTILLA_EDIT_FOOTER},
    OPTION_OF(1U << TORTILLA_CREATE, "--part-size"),
    OPTION_OF(1U << TORTILLA_CREATE, "--chain"),
    OPTION_OF(1U << TORTILLA_CREATE, "--chunks"),
    OPTION_OF(1U << TORTILLA_CREATE, "--any-format"),
    OPTION_OF(1U << TORTILLA_COMPILE, "--max-output"),
    OPTION("--overwrite"),
    OPTION_HEADING("which rows: all filters must hold"),
    FILTER_OPTIONS(1U << TORTILLA_COMPILE),
    OPTION_OF(1U << TORTILLA_COMPILE, "--limit"),
    OPTION_OF(1U << TORTILLA_COMPILE, "--offset"),
    OPTION_END,
};

const command tortilla_command = {
    "tortilla",
    "write Tortilla and TACO 0.x: create, compile, edit",
    NULL,
    "Writes Tortilla 0.5 and TACO 0.x, for users who still need them. OUT may be the same "
    "as FILE; for create and compile it ends in .tortilla, or with a collection in .taco.",
    NULL,
    tortilla_verbs,
    tortilla_options,
    run_tortilla,
    false,
    true,
    true,
};
