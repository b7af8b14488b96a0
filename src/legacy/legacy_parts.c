/* legacy_parts.c - the parts of a tortilla that was written in several files

   In: paths of files and the number of parts in their headers; out: the part number in the name of
   a file, a warning if not all parts of a set are opened, and the paths of a set. Each part can be
   read without the others, but the number of parts serves "to verify dataset completeness" (TACO
   0.2.0 "Data format"), as some of the parts look like a complete dataset with fewer samples.
   Names: NAME.####.part.tortilla (Tortilla 0.5.0 "The Data Partition", "File Extension"), with
   .taco if there is a collection. The document counts from 1, its writers from 0: both are
   accepted. */
#include "legacy.h"
#include "../base/base.h"
#include "../dataset/dataset.h"

TACO__FN bool taco__legacy_parts_parse(const char *path, taco_bytes *stem, uint64_t *number)
{
    static const char *const ends[] = {".part.tortilla", ".part.taco"};
    size_t n = strlen(path), k, i, digits = 0;
    for (k = 0; k < TACO__COUNT(ends) && !taco__container_ends_with(path, ends[k]); k++) {}
    if (k == TACO__COUNT(ends)) { return false; }
    n -= strlen(ends[k]);
    while (digits < n && digits < 19 && path[n - digits - 1] >= '0' &&
           path[n - digits - 1] <= '9') {
        digits++;
    }
    if (digits < 4 || digits + 1 > n || path[n - digits - 1] != '.') { return false; }
    *number = 0;
    for (i = n - digits; i < n; i++) {
        *number = *number * 10 + (uint64_t)(path[i] - '0');
    }
    *stem = taco__bytes_of(path, n - digits - 1);
    return true;
}

/* The part of a file name before the number, or the whole name: files of one set share it. */
static taco_bytes taco__legacy_parts_stem(const char *path)
{
    taco_bytes stem;
    uint64_t number;
    return taco__legacy_parts_parse(path, &stem, &number) ? stem : taco__bytes_text(path);
}

/* True if file k is the first of its set; *count: number of open files of the set. Files that are
   not named as parts form sets of one. */
static bool taco__legacy_parts_count(const taco__legacy *state, size_t k, uint64_t *count)
{
    taco_bytes stem = taco__legacy_parts_stem(state->files[k].path);
    size_t i;
    *count = 0;
    for (i = 0; i < state->file_count; i++) {
        if (taco__bytes_equal(taco__legacy_parts_stem(state->files[i].path), stem)) {
            if (i < k) { return false; }
            ++*count;
        }
    }
    return true;
}

/* Each set is compared with all files, and nobody opens more files than this together. */
#define TACO__LEGACY_PARTS_MOST 4096

TACO__FN void taco__legacy_parts_warn(taco__container *s, const taco__legacy *state)
{
    size_t k;
    for (k = 0; k < state->file_count && state->file_count <= TACO__LEGACY_PARTS_MOST; k++) {
        uint64_t parts = state->files[k].head.parts, count;
        taco_error w;
        if (parts < 2 || !taco__legacy_parts_count(state, k, &count) || count == parts) {
            continue;
        }
        memset(&w, 0, sizeof w);
        TACO__FAIL(&w, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                   "%u of %u parts are opened, samples of the others are missing", count, parts);
        taco__container_warn(
            s, &w,
            state->file_count == 1 ? "parts" : taco__metadata_base_name(state->files[k].path));
    }
}

/* The name of part `number` beside one of the set, which has as many digits. */
static char *taco__legacy_parts_name(taco__arena *arena, const char *path, taco_bytes stem,
                                     uint64_t number, taco_error *err)
{
    char *out = taco__arena_text(arena, taco__bytes_text(path), err);
    size_t k = stem.len + 1;
    while (out && out[k] >= '0' && out[k] <= '9') {
        k++;
    }
    while (out && k > stem.len + 1) {
        out[--k] = (char)('0' + number % 10);
        number /= 10;
    }
    return number ? NULL : out;
}

/* Numbers count from 0, or from 1 if there is no part 0. */
TACO__FN const char *const *taco__legacy_parts_set(taco_dataset *ds, taco__arena *arena, size_t *n,
                                                   taco_error *err)
{
    const taco__legacy *state = (const taco__legacy *)ds->stores[0].format_state;
    const taco__legacy_file *file = &state->files[0];
    uint64_t parts = file->head.parts, number, size, from;
    const char **paths;
    taco_bytes stem;
    if (state->file_count != 1 || parts < 2 || parts > TACO__LEGACY_PARTS_MOST ||
        ds->options.open_file || !taco__legacy_parts_parse(file->path, &stem, &number)) {
        return NULL;
    }
    paths = (const char **)taco__arena_array(arena, (size_t)parts, sizeof *paths, err);
    for (from = 0; paths && from < 2; from++) {
        if (number < from || number - from >= parts) { continue; } /* a file of another set */
        for (*n = 0; *n < parts; ++*n) {
            char *name = taco__legacy_parts_name(arena, file->path, stem, from + *n, err);
            if (!name || taco__plat_stat(name, &size) != TACO__PATH_FILE) { break; }
            paths[*n] = name;
        }
        if (*n == parts) { return paths; }
    }
    return NULL;
}
