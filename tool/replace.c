/* replace.c - one policy for all commands that write: an existing output is refused, --overwrite
   replaces it. Files are left to the library, which replaces them in one step. Anything else, a
   FOLDER or a catalogue, is renamed to NAME.old until the work is done, and gets its name back if
   that fails; a directory that contains anything but a dataset is never touched (keep.c). */
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

/* Whether the library replaces an existing file in one step. */
static bool is_left_to_library(const command *c, const char *path)
{
    bool archive = ends_with(path, ".zip") || ends_with(path, ".tacozip") ||
                   ends_with(path, ".tortilla") || ends_with(path, ".taco");
    return archive && kind_of_path(path) == PATH_FILE && c != &repair_command &&
           c != &rasteret_command && c != &zip2folder_command;
}

/* ---- setting aside ---- */

/* Renames path to PATH.old, or PATH.1.old and so on; NULL, or why that failed. */
static const char *set_aside(replaced *r, const char *path)
{
    char *old = (char *)grow_list(NULL, 0, strlen(path) + 16);
    int i;
    sprintf(old, "%s.old", path);
    for (i = 1; kind_of_path(old) != PATH_MISSING && i < 1000; i++) {
        sprintf(old, "%s.%d.old", path, i);
    }
    note_aside(path, old, true);
    if (rename(path, old) != 0) {
        note_aside(path, old, false);
        return explain(path, "cannot be replaced: ", strerror(errno));
    }
    r->path = (const char **)grow_list((void *)r->path, r->count, sizeof *r->path);
    r->aside = (char **)grow_list((void *)r->aside, r->count, sizeof *r->aside);
    r->path[r->count] = path;
    r->aside[r->count++] = old;
    return NULL;
}

bool make_way(void *ctx, const char *path)
{
    const arguments *a = (const arguments *)ctx;
    const char *other = NULL;
    replaced *r = a->replaced;
    r->why = why_not(&create_command, a, path);
    if (!r->why && strcmp(name_in_path(path), ".tacocat") == 0) {
        other = other_archive(path, name_in_path(a->words[1]), a->group_by != NULL);
    }
    if (other) {
        r->why = explain(path,
                         "is not replaced: it lists archives of others (--consolidate no makes no "
                         "catalogue): ",
                         other);
    }
    if (!r->why) { r->why = set_aside(r, copy_text(path)); }
    return r->why == NULL;
}

void note_made(void *ctx, const char *path)
{
    (void)path;
    ((const arguments *)ctx)->replaced->made = true;
}

/* Handles an output path that already exists. */
static int make_room(const command *c, const arguments *a, const char *path)
{
    const char *why = why_not(c, a, path);
    if (!why && !is_left_to_library(c, path)) { why = set_aside(a->replaced, path); }
    if (why) { fprintf(stderr, "%s\n", why); }
    return why ? FAILED : DONE;
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

int begin_output(const command *c, arguments *a, replaced *r)
{
    const char *out[2];
    size_t i, n;
    int status = DONE;
    memset(r, 0, sizeof *r);
    a->replaced = r;
    if (find_outputs(c, a, out) || c == &create_command) { strip_output(c, a); }
    n = find_outputs(c, a, out);
    for (i = 0; i < n && status == DONE; i++) {
        path_kind kind = kind_of_path(out[i]);
        if (kind == PATH_FILE || kind == PATH_DIRECTORY) { status = make_room(c, a, out[i]); }
    }
    return status == DONE ? DONE : end_output(r, status);
}

/* Gives what was set aside its name back, unless something else has it now. */
static void restore(const replaced *r, size_t i)
{
    if (kind_of_path(r->path[i]) != PATH_MISSING || rename(r->aside[i], r->path[i]) != 0) {
        fprintf(stderr, "%s: is what %s was before\n", r->aside[i], r->path[i]);
    }
}

int end_output(replaced *r, int status)
{
    size_t i;
    for (i = 0; i < r->count; i++) {
        if (status == FAILED && r->made) {
            /* a catalogue of archives that are new now would lead to wrong bytes */
            fprintf(stderr, "%s: is what %s was before\n", r->aside[i], r->path[i]);
        } else if (status != DONE || kind_of_path(r->path[i]) == PATH_MISSING) {
            restore(r, i);
        } else if (!remove_tree(r->aside[i])) {
            fprintf(stderr, "%s: cannot be removed; it is what %s was before\n", r->aside[i],
                    r->path[i]);
        }
        note_aside(r->path[i], r->aside[i], false);
    }
    r->count = 0;
    return status;
}
