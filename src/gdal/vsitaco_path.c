/* vsitaco_path.c - splits DATASET/ID/ID, the part of a path after /vsitaco/

   The dataset's path may contain slashes itself. It ends with the first component that names a
   dataset, or is in braces, as in GDAL's /vsizip/{...}/ ("Virtual File Systems"). */
#include "gdal_bridge.h"

/* True if `part` can end the path of an archive or a catalogue. */
static bool taco__vsitaco_is_dataset(taco_bytes part)
{
    static const char *const ends[] = {".tacozip", ".zip", ".tortilla", ".tacocat"};
    size_t i, n;
    if (taco__bytes_equal(part, taco__bytes_text("__TACOCAT__"))) { return true; }
    for (i = 0; i < TACO__COUNT(ends); i++) {
        n = strlen(ends[i]);
        if (part.len >= n && memcmp(part.data + part.len - n, ends[i], n) == 0) { return true; }
    }
    return false;
}

/* True if the first len bytes of path name a local directory with a COLLECTION.json. */
static bool taco__vsitaco_is_folder(taco__buf *name, const char *path, size_t len)
{
    VSIStatBufL st;
    name->len = 0;
    return taco__buf_append(name, path, len, NULL) &&
           taco__buf_append_text(name, "/COLLECTION.json", NULL) &&
           taco__buf_append_char(name, 0, NULL) &&
           VSIStatExL((const char *)name->data, &st, VSI_STAT_EXISTS_FLAG) == 0;
}

/* Length of the dataset's part of path; 0 if there is none. Only local directories are looked for,
   which makes no requests. */
static size_t taco__vsitaco_end(taco__buf *name, const char *path)
{
    bool local = !taco__vsi_is_remote(taco__bytes_text(path));
    size_t i, from, len = strlen(path);
    for (i = from = 0; i <= len; i++) {
        if (i < len && path[i] != '/') { continue; }
        if (taco__vsitaco_is_dataset(taco__bytes_of(path + from, i - from))) { return i; }
        from = i + 1;
    }
    for (i = 1; local && i <= len; i++) {
        if ((i == len || path[i] == '/') && taco__vsitaco_is_folder(name, path, i)) { return i; }
    }
    return 0;
}

TACO__FN bool taco__vsitaco_split(taco__vsitaco_path *p, const char *path)
{
    const char *close = *path == '{' ? strchr(path, '}') : NULL;
    const char *from = close ? path + 1 : path;
    size_t n = close ? (size_t)(close - from) : taco__vsitaco_end(&p->text, path);
    const char *keys = close ? close + 1 : path + n;
    size_t len = strlen(keys);
    /* opening a dataset inside a dataset would deadlock */
    if (n == 0 || taco__bytes_starts_with(taco__bytes_of(from, n), "/vsitaco/")) { return false; }
    while (len && *keys == '/') {
        keys++;
        len--;
    }
    while (len && keys[len - 1] == '/') {
        len--;
    }
    p->text.len = 0;
    if (!taco__buf_append(&p->text, from, n, NULL) || !taco__buf_append_char(&p->text, 0, NULL) ||
        !taco__buf_append(&p->text, keys, len, NULL) || !taco__buf_append_char(&p->text, 0, NULL)) {
        return false;
    }
    p->dataset = (const char *)p->text.data;
    p->keys = p->dataset + n + 1;
    return true;
}
