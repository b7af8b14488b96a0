/* rows.c - the rows that a command line selects: those that pass the filters, or a SELECT in which
   `data` has only these; and the GDAL path of each of their samples. */
#include "tool.h"

#include <string.h>

/* Whether a text has a word outside quotes, ignoring case. */
static bool has_word(const char *text, const char *word)
{
    size_t n = strlen(word), i;
    char quote = 0, before = ' ';
    for (; *text; before = *text++) {
        if (quote || *text == '\'' || *text == '"') {
            quote = (char)(!quote ? *text : *text == quote ? 0 : quote);
            continue;
        }
        for (i = 0; i < n && (text[i] | 32) == word[i]; i++) {}
        if (i == n && !strchr("abcdefghijklmnopqrstuvwxyz_0123456789.:", text[n] | 32) &&
            !strchr("abcdefghijklmnopqrstuvwxyz_0123456789", before | 32)) {
            return true;
        }
        if (i == n && !text[n]) { return true; }
    }
    return false;
}

int check_sql_source(const arguments *a)
{
    if (a->sql &&
        (a->filter_count || a->table_name || a->query.table || a->query.flat || a->query.padding) &&
        !has_word(a->sql, "data")) {
        return usage_error("filters and --table apply to the table `data` of --sql, which this "
                           "SELECT does not name",
                           NULL);
    }
    return DONE;
}

taco_view *open_view(const arguments *a, taco_dataset *ds, taco_error *err)
{
    taco_view *rows = taco_view_open(ds, &a->query, err), *selected;
    if (!a->sql || !rows) { return rows; }
    selected = taco_view_sql(rows, a->sql, err);
    taco_view_free(rows);
    return selected;
}

taco_cursor *open_rows(const arguments *a, taco_dataset *ds, taco_error *err)
{
    taco_view *v;
    taco_cursor *rows;
    if (!a->sql) { return taco_select(ds, &a->query, err); }
    if (!a->filter_count && !a->query.table && !a->query.flat && !a->query.padding) {
        return taco_sql(ds, a->sql, err);
    }
    v = open_view(a, ds, err);
    rows = taco_view_rows(v, err);
    taco_view_free(v);
    return rows;
}

/* Opens a SELECT that returns the path itself, from any table. */
static taco_cursor *open_selected_paths(const arguments *a, taco_dataset *ds, taco_error *err)
{
    taco_cursor *rows = open_rows(a, ds, err);
    size_t n;
    const taco_field *fields = taco_cursor_fields(rows, &n);
    if (rows && find_field(fields, n, "internal:gdal_vsi") == n) {
        taco_cursor_close(rows, NULL);
        return NULL;
    }
    return rows;
}

taco_cursor *open_paths(const arguments *a, taco_dataset *ds, taco_error *err)
{
    taco_view *v, *paths;
    taco_cursor *rows;
    if (!a->sql) {
        taco_query q = a->query;
        /* whatever was selected, as nothing else needs to be read */
        q.select = "\"internal:gdal_vsi\"";
        return taco_select(ds, &q, err);
    }
    rows = open_selected_paths(a, ds, err);
    if (rows || err->code != TACO_OK) { return rows; }
    v = open_view(a, ds, err);
    paths = taco_view_select(v, "\"internal:gdal_vsi\"", err);
    rows = taco_view_rows(paths, err);
    taco_view_free(paths);
    taco_view_free(v);
    if (!rows && err->code == TACO_ERR_NOT_FOUND) {
        sprintf(err->text, "--format vsi prints the path of each sample, and the rows of this "
                           "SELECT are not samples of `data`");
    }
    return rows;
}
