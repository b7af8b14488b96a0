/* replace.c - one policy for all commands that write: an existing output is refused, --overwrite
   replaces it. The library does that in one step, when the new one is complete, and asks
   may_replace; a directory that contains anything but a dataset is never touched (keep.c). What a
   killed command has left beside its output is named by the next one. */
#include "tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a command writes ---- */

/* DIR/NAME, which lives as long as the program. */
static const char *join(const char *dir, const char *name)
{
    size_t n = strlen(dir);
    char *out = (char *)grow_list(NULL, 0, n + strlen(name) + 2);
    sprintf(out, "%s%s%s", dir, n && !is_path_separator(dir[n - 1]) ? "/" : "", name);
    return out;
}

/* The outputs for a catalogue: OUTPUT is the directory that will contain it, or the catalogue
   itself. */
static size_t catalogue_outputs(const arguments *a, const char *out[2])
{
    const char *path = a->words[0];
    if (ends_with(path, ".tacocat") || ends_with(path, "__TACOCAT__")) {
        out[0] = path;
        return 1;
    }
    out[0] = join(path, ".tacocat");
    out[1] = join(path, "__TACOCAT__");
    return a->binary ? 2 : 1;
}

/* Fills in the paths that the command makes, and returns how many. Missing words are reported by
   the command itself. */
static size_t find_outputs(const command *c, const arguments *a, const char *out[2])
{
    size_t n = a->word_count;
    const char *last = n ? a->words[n - 1] : NULL;
    out[0] = last;
    if (c == &export_command || c == &zip2folder_command || c == &folder2zip_command ||
        c == &convert_command || c == &repair_command || c == &add_command) {
        return n >= 2;
    }
    /* only the library knows how many datasets, and what their names are: make_way */
    if (c == &create_command) { return n == 2 && !a->split_size && !a->group_by; }
    if (c == &tortilla_command) { return n >= 3 && !is_same_file(a->words[1], last); }
    if (c == &rasteret_command) { return n == 3; }
    if (c == &tacocat_command && n >= 2) { return catalogue_outputs(a, out); }
    if (c == &tacollection_command && n >= 2) {
        out[0] =
            ends_with(a->words[0], ".json") ? a->words[0] : join(a->words[0], "TACOLLECTION.json");
        return 1;
    }
    return 0;
}

/* ---- what may be replaced ---- */

/* "PATH: WHY", with text after it, which lives as long as the program. */
static const char *explain(const char *path, const char *why, const char *text)
{
    char *out = (char *)grow_list(NULL, 0, strlen(path) + strlen(why) + strlen(text) + 3);
    sprintf(out, "%s: %s%s", path, why, text);
    return out;
}

/* Whether a path is that file or directory, or somewhere below it, as it is written. */
static bool is_below(const char *path, const char *dir)
{
    char *at = copy_text(path), *name;
    if (is_same_file(at, dir)) { return true; }
    while ((name = at + (name_in_path(at) - at)) > at) {
        name[-1] = 0;
        if (*at && is_same_file(at, dir)) { return true; }
    }
    return false;
}

/* The same for a link and for what it leads to. */
static bool is_within(const char *path, const char *dir)
{
    return is_below(path, dir) || is_below(absolute_path(path), dir);
}

/* The index of the word that names the output, of commands that have one. */
static size_t output_word(const command *c, const arguments *a)
{
    return c == &tacocat_command || c == &tacollection_command ? 0 : a->word_count - 1;
}

/* The file that the command reads from the output, or NULL. */
static const char *find_read(const command *c, const arguments *a, const char *path)
{
    const char *others[2];
    size_t i;
    others[0] = a->collection;
    others[1] = a->rasteret.descriptor;
    for (i = 0; i < a->word_count; i++) {
        if (i != output_word(c, a) && is_within(a->words[i], path)) { return a->words[i]; }
    }
    for (i = 0; i < a->samples_count; i++) {
        if (is_within(a->samples[i], path)) { return a->samples[i]; }
    }
    for (i = 0; i < 2; i++) {
        if (others[i] && is_within(others[i], path)) { return others[i]; }
    }
    return NULL;
}

/* Why an existing output is not replaced, as a line for the user; NULL if it may be. */
static const char *why_not(const command *c, const arguments *a, const char *path)
{
    const char *text;
    if (!a->create.overwrite) { return explain(path, "exists; --overwrite replaces it", ""); }
    text = find_read(c, a, path);
    if (text && is_same_file(text, path)) {
        return explain(path, "is read, too: it cannot be replaced", "");
    }
    if (text) { return explain(path, "cannot be replaced, as the command reads ", text); }
    text =
        kind_of_path(path) == PATH_DIRECTORY ? reason_to_keep(path, c == &rasteret_command) : NULL;
    return text ? explain(path, "is not replaced: ", text) : NULL;
}

/* Whether it was asked before, and the answer was yes: a directory is compared once. */
static bool is_approved(const replaced *r, const char *path)
{
    size_t i;
    for (i = 0; i < r->count && strcmp(r->path[i], path) != 0; i++) {}
    return i < r->count;
}

bool may_replace(void *ctx, const char *path)
{
    const arguments *a = (const arguments *)ctx;
    replaced *r = a->replaced;
    const char *other = NULL;
    if (is_approved(r, path)) { return true; }
    r->why = why_not(r->command, a, path);
    if (!r->why && r->command == &create_command && strcmp(name_in_path(path), ".tacocat") == 0) {
        other = other_archive(path, name_in_path(a->words[1]), a->group_by != NULL);
    }
    if (other) {
        r->why = explain(path,
                         "is not replaced: it lists archives of others (--consolidate no makes no "
                         "catalogue): ",
                         other);
    }
    if (r->why) { return false; }
    r->path = (const char **)grow_list((void *)r->path, r->count, sizeof *r->path);
    r->path[r->count++] = copy_text(path);
    return true;
}

/* Whether the library makes an archive of that name unless told otherwise: .zip or .tacozip, in
   letters of any case. */
static bool is_archive_name(const char *path)
{
    static const char *const ends[] = {".zip", ".tacozip"};
    size_t n = strlen(path), i, k;
    for (i = 0; i < 2; i++) {
        size_t m = strlen(ends[i]);
        for (k = 0; n >= m && k < m && (path[n - m + k] | 32) == (ends[i][k] | 32); k++) {}
        if (n >= m && k == m) { return true; }
    }
    return false;
}

/* Removes separators from the end of the output's path, whose name is then its last; "x.zip/" stays
   a FOLDER. */
static void strip_output(const command *c, arguments *a)
{
    size_t i = output_word(c, a), n;
    char *path;
    if (a->word_count < 2) { return; }
    path = copy_text(a->words[i]);
    n = strlen(path);
    while (n > 1 && is_path_separator(path[n - 1]) && path[n - 2] != ':') {
        path[--n] = 0;
    }
    if (n == strlen(a->words[i])) { return; }
    a->words[i] = path;
    if (c == &convert_command || c == &rasteret_command) {
        a->create.container = TACO_KIND_FOLDER;
    } else if ((c == &create_command || c == &export_command || c == &add_command) && !a->format &&
               is_archive_name(path)) {
        a->format = "folder";
    }
}

/* ---- what killed commands have left ---- */

/* Whether a name is NAME.0123456789abcdef.part, maybe with .old after it: see taco_sink_file. */
static bool is_leftover(const char *name, const char *of)
{
    const size_t n = strlen(of);
    size_t i = 0;
    if (strncmp(name, of, n) != 0 || name[n] != '.') { return false; }
    for (name += n + 1; i < 16 && strchr("0123456789abcdef", name[i]) && name[i]; i++) {}
    return i == 16 && (strcmp(name + 16, ".part") == 0 || strcmp(name + 16, ".part.old") == 0);
}

/* visit_directory's callback; ctx is the path of an output. */
static bool name_leftover(void *ctx, const char *name)
{
    const char *path = (const char *)ctx;
    if (is_leftover(name, name_in_path(path))) {
        fprintf(stderr,
                "note: %.*s%s: left by a command that was killed, unless one is writing %s just "
                "now: it "
                "may be removed\n",
                (int)(name_in_path(path) - path), path, name, name_in_path(path));
    }
    return true;
}

static void name_leftovers(const char *path)
{
    const size_t n = (size_t)(name_in_path(path) - path);
    char *dir = (char *)grow_list(NULL, 0, n + 2);
    memcpy(dir, path, n);
    strcpy(dir + n, n ? "" : ".");
    visit_directory(dir, name_leftover, (void *)path);
}

int begin_output(const command *c, arguments *a, replaced *r)
{
    const char *out[2];
    size_t i, n;
    memset(r, 0, sizeof *r);
    r->command = c;
    a->replaced = r;
    if (find_outputs(c, a, out) || c == &create_command) { strip_output(c, a); }
    n = find_outputs(c, a, out);
    for (i = 0; i < n; i++) {
        path_kind kind = kind_of_path(out[i]);
        name_leftovers(out[i]);
        if ((kind == PATH_FILE || kind == PATH_DIRECTORY) && !may_replace(a, out[i])) {
            fprintf(stderr, "%s\n", r->why);
            return FAILED;
        }
    }
    return DONE;
}
