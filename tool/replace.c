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

/* `name` in the directory of a path. */
static const char *beside(const char *path, const char *name)
{
    char *dir = copy_text(path);
    dir[name_in_path(path) - path] = 0;
    return *dir ? join(dir, name) : name;
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
    if (c == &create_command) {
        /* parts, which the library checks one by one, and their catalogue */
        if (a->split_size || a->group_by) { out[0] = last ? beside(last, ".tacocat") : NULL; }
        return n == 2 && !((a->split_size || a->group_by) && a->directory.no_catalogue);
    }
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

/* ---- setting aside ---- */

/* Renames path to PATH.old, or PATH.1.old and so on. */
static int set_aside(replaced *r, const char *path)
{
    char *old = (char *)grow_list(NULL, 0, strlen(path) + 16);
    int i;
    sprintf(old, "%s.old", path);
    for (i = 1; kind_of_path(old) != PATH_MISSING && i < 1000; i++) {
        sprintf(old, "%s.%d.old", path, i);
    }
    catch_interrupts(true);
    note_aside(path, old, true);
    if (rename(path, old) != 0) {
        fprintf(stderr, "%s: cannot be replaced: %s\n", path, strerror(errno));
        return FAILED;
    }
    r->path[r->count] = path;
    r->aside[r->count++] = old;
    return DONE;
}

/* Handles an output path that already exists. */
static int make_room(const command *c, const arguments *a, const char *path, path_kind kind,
                     replaced *r)
{
    const char *why = NULL;
    bool archive = ends_with(path, ".zip") || ends_with(path, ".tacozip") ||
                   ends_with(path, ".tortilla") || ends_with(path, ".taco");
    size_t i;
    if (!a->create.overwrite) {
        fprintf(stderr, "%s: exists; --overwrite replaces it\n", path);
        return FAILED;
    }
    for (i = 0; i < a->word_count; i++) {
        if (a->words[i] != path && is_same_file(a->words[i], path)) {
            fprintf(stderr, "%s: is read, too: it cannot be replaced\n", path);
            return FAILED;
        }
    }
    if (kind == PATH_FILE && archive && c != &repair_command && c != &rasteret_command &&
        c != &zip2folder_command) {
        return DONE;
    }
    if (kind == PATH_DIRECTORY) { why = reason_to_keep(path, c == &rasteret_command); }
    if (why) {
        fprintf(stderr, "%s: is not replaced: %s\n", path, why);
        return FAILED;
    }
    return set_aside(r, path);
}

int begin_output(const command *c, const arguments *a, replaced *r)
{
    const char *out[2];
    size_t i, n = find_outputs(c, a, out);
    int status = DONE;
    memset(r, 0, sizeof *r);
    for (i = 0; i < n && status == DONE; i++) {
        path_kind kind = kind_of_path(out[i]);
        if (kind == PATH_FILE || kind == PATH_DIRECTORY) {
            status = make_room(c, a, out[i], kind, r);
        }
    }
    return status == DONE ? DONE : end_output(r, status);
}

int end_output(replaced *r, int status)
{
    size_t i;
    for (i = 0; i < r->count; i++) {
        note_aside(r->path[i], r->aside[i], false);
        if (status == DONE) {
            if (!remove_tree(r->aside[i])) {
                fprintf(stderr, "%s: cannot be removed; it is what %s was before\n", r->aside[i],
                        r->path[i]);
            }
        } else if (kind_of_path(r->path[i]) != PATH_MISSING ||
                   rename(r->aside[i], r->path[i]) != 0) {
            fprintf(stderr, "%s: is what %s was before\n", r->aside[i], r->path[i]);
        }
    }
    r->count = 0;
    return status;
}
