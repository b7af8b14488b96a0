/* info.c - taco info: the collection of a dataset, its extent, and the rows, bytes and columns of
   its levels, as text for people or as one JSON object. JSON needs only the collection and the
   footers of the tables; text also reads the types and sizes of the samples, to add them up. */
#include "tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the collection ---- */

static bool is_null(taco_bytes json)
{
    return !json.data || (json.len == 4 && memcmp(json.data, "null", 4) == 0);
}

/* "LABEL        TEXT" and the end of the line. */
static void print_fact(const char *label, const char *text, size_t n)
{
    printf("%-12s ", label);
    print_words(text, n, 13, 13);
    putchar('\n');
}

/* Prints a list of strings from the collection on one line, "a, b"; the first thousand bytes. Other
   JSON is printed without its line breaks. */
static void print_member(const char *label, taco_bytes json)
{
    size_t i, n = json.len > 1000 ? 1000 : json.len, len = 0;
    bool inside = false, list = !is_null(json) && json.data[0] == '[' && !memchr(json.data, '{', n);
    /* a blank is added after each comma */
    char text[2000];
    if (is_null(json)) { return; }
    for (i = list ? 1 : 0; i < n; i++) {
        char c = (char)json.data[i];
        bool quote = c == '"' && (i == 0 || json.data[i - 1] != '\\');
        inside = quote ? !inside : inside;
        if (inside || quote || !strchr(" \t\r\n", c)) {
            if (!(list && (quote || (!inside && c == ']')))) { text[len++] = c; }
            if (!inside && c == ',') { text[len++] = ' '; }
        }
    }
    print_fact(label, text, len);
}

/* The value of a name in the extent, from its '[' on; NULL if it is missing. */
static const char *find_extent(const char *text, const char *name)
{
    const char *at = strstr(text, name);
    return at ? strchr(at, '[') : NULL;
}

bool read_extent(taco_dataset *ds, extent *out)
{
    taco_bytes json = taco_collection(ds, "extent");
    char text[512];
    const char *at;
    memset(out, 0, sizeof *out);
    if (is_null(json) || json.len >= sizeof text) { return false; }
    memcpy(text, json.data, json.len);
    text[json.len] = 0;
    at = find_extent(text, "\"spatial\"");
    out->has_box = at && sscanf(at, "[ %lf , %lf , %lf , %lf", &out->box[0], &out->box[1],
                                &out->box[2], &out->box[3]) == 4;
    at = find_extent(text, "\"temporal\"");
    out->has_time = at && sscanf(at, "[ \"%63[^\"]\" , \"%63[^\"]\"", out->from, out->to) == 2;
    return out->has_box || out->has_time;
}

/* "extent" and "time". Adding 0 turns a -0 into 0. */
static void print_extent(taco_dataset *ds)
{
    extent e;
    read_extent(ds, &e);
    if (e.has_box) {
        printf("%-12s %.6g, %.6g to %.6g, %.6g (W, S to E, N)\n", "extent", e.box[0] + 0.0,
               e.box[1] + 0.0, e.box[2] + 0.0, e.box[3] + 0.0);
    }
    if (e.has_time) {
        char text[2 * sizeof e.from + 8];
        print_fact("time", text, (size_t)sprintf(text, "%s to %s", e.from, e.to));
    }
}

/* ---- levels ---- */

/* Appends as much as fits. */
static void append(char *text, size_t room, const char *what)
{
    size_t n = strlen(text);
    snprintf(text + n, room - n, "%s", what);
}

/* Appends Arrow's name for a type, as far as people need it. */
static void append_type(char *text, size_t room, const taco_field *f, int depth)
{
    /* in the order of taco_type */
    static const char *const names[] = {
        "null",     "bool", "int8",   "int16",  "int32",   "int64", "uint8", "uint16",    "uint32",
        "uint64",   "half", "float",  "double", "decimal", "date",  "time",  "timestamp", "int96",
        "interval", "text", "binary", "fixed",  "uuid",    "list",  "map",   "struct"};
    char digits[32];
    uint32_t i;
    append(text, room, names[f->type]);
    if (f->type == TACO_TIMESTAMP && f->utc) { append(text, room, " UTC"); }
    if (f->type == TACO_DECIMAL) {
        sprintf(digits, "(%d, %d)", (int)f->precision, (int)f->scale);
        append(text, room, digits);
    }
    for (i = 0; i < f->child_count && depth < 4; i++) {
        append(text, room, i ? ", " : "<");
        if (f->type == TACO_STRUCT) {
            append(text, room, f->children[i].name);
            append(text, room, ": ");
        }
        append_type(text, room, &f->children[i], depth + 1);
    }
    if (f->child_count && depth < 4) { append(text, room, ">"); }
}

/* Prints a line for a column. */
static void print_column(const taco_field *f, size_t width)
{
    size_t len = strlen(f->name), chars = count_columns(f->name, len);
    char type[4096] = "";
    printf("  ");
    print_words(f->name, len, 2, 2);
    printf("%*s", (int)((chars < width ? width - chars : 0) + 2), "");
    append_type(type, sizeof type, f, 0);
    print_words(type, strlen(type), 2 + (chars < width ? width : chars) + 2, width + 4);
    putchar('\n');
}

/* Prints "12 FILEs of 1.2 MB" for each type in a level, with the bytes if the table has them.
   Prints nothing if that is unknown, as in old formats. */
static void print_files(taco_dataset *ds, uint32_t level, bool sizes)
{
    char sql[200];
    taco_cursor *rows;
    const char *between = "";
    sprintf(sql, "SELECT type, count(*) AS n%s FROM level%u GROUP BY type ORDER BY type",
            sizes ? ", sum(\"internal:size\") AS bytes" : "", (unsigned)level);
    rows = taco_sql(ds, sql, NULL);
    while (taco_cursor_next(rows)) {
        const char *type = taco_cursor_text(rows, "type");
        int64_t n = 0;
        double bytes;
        taco_cursor_int(rows, "n", &n);
        printf("%s", *between ? between : ": ");
        print_count(stdout, (uint64_t)n);
        printf(" %s%s", type ? type : "null", n == 1 ? "" : "s");
        if (taco_cursor_double(rows, "bytes", &bytes)) {
            printf(" of ");
            print_byte_size(stdout, (uint64_t)bytes);
        }
        between = ", ";
    }
    taco_cursor_close(rows, NULL);
}

/* Prints the number of rows, their types, and a line for each column. */
static int print_level(taco_dataset *ds, uint32_t level, taco_error *err)
{
    size_t i, n, len, width = 0;
    int64_t rows = taco_level_rows(ds, level, err);
    const taco_field *fields = taco_level_fields(ds, level, &n, err);
    bool sizes;
    if (!fields) { return report_error(err); }
    sizes = find_field(fields, n, "internal:size") < n;
    printf("\nlevel %u, ", (unsigned)level);
    print_count(stdout, (uint64_t)rows);
    printf(" row%s, %u columns", rows == 1 ? "" : "s", (unsigned)n);
    if (find_field(fields, n, "type") < n) { print_files(ds, level, sizes); }
    printf("\n");
    for (i = 0; i < n; i++) {
        len = count_columns(fields[i].name, strlen(fields[i].name));
        width = len > width && len <= 40 ? len : width;
    }
    for (i = 0; i < n; i++) {
        if (strncmp(fields[i].name, "internal:", 9) == 0) { continue; }
        print_column(&fields[i], width);
    }
    return DONE;
}

/* Prints what people look for first in a collection, then the levels. */
static int print_dataset(const arguments *a, taco_dataset *ds, taco_error *err)
{
    /* by taco_kind; other formats than TACO 2 have their own names */
    static const char *const kinds[] = {"", "zip", "folder", "tacocat", ""};
    const char *format = taco_dataset_format(ds);
    uint64_t bytes;
    uint32_t level;
    int status = DONE;
    print_fact("id", taco_id(ds), strlen(taco_id(ds)));
    print_fact("version", taco_dataset_version(ds), strlen(taco_dataset_version(ds)));
    printf("%-12s %s", "kind", *format ? format : kinds[taco_dataset_kind(ds)]);
    if (a->word_count == 1 && file_size(a->words[0], &bytes)) {
        printf(", ");
        print_byte_size(stdout, bytes);
    }
    putchar('\n');
    print_fact("description", taco_description(ds), strlen(taco_description(ds)));
    print_member("tasks", taco_collection(ds, "tasks"));
    print_member("licenses", taco_collection(ds, "licenses"));
    print_extent(ds);
    for (level = 0; level < taco_levels(ds) && status == DONE; level++) {
        status = print_level(ds, level, err);
    }
    return status;
}

/* Words: DATASET... */
static int run_info(arguments *a, const taco_options *opt)
{
    taco_error err = {0};
    taco_dataset *ds;
    int status = DONE;
    if (a->word_count == 0) { return usage_error("info needs a DATASET", NULL); }
    ds = open_datasets(a, a->word_count, opt, &err);
    if (ds && a->json) {
        if (write_bytes(stdout, taco_info_json(ds, &err))) { putchar('\n'); }
        status = flush_stdout(status);
    } else if (ds) {
        status = flush_stdout(print_dataset(a, ds, &err));
    }
    taco_close(ds);
    return err.code != TACO_OK && status == DONE ? report_error(&err) : status;
}

static const command_option info_options[] = {
    OPTION("--json"), OPTION("--base-path"), OPTION("--column-mode"), OPTION("--files-from"),
    OPTION_END,
};

const command info_command = {
    "info",
    "show a dataset: collection, levels, columns",
    "DATASET... [options]",
    "Prints the collection, its extent, and the rows, files and columns of every level (with "
    "--json including columns named internal:*).",
    NULL,
    NULL,
    info_options,
    run_info,
    false,
    true,
    false,
};
