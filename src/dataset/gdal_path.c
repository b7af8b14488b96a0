/* gdal_path.c - GDAL paths of samples, made from roots, offsets and names that cannot leave the
   dataset

   In: what the caller opened, and values of a row. Out: text that GDAL opens: /vsisubfile/ for a
   range of an archive, /vsis3/ and the like for URLs, plain paths below a FOLDER. TACO 2.0 §6.5,
   §7.2; GDAL "Virtual File Systems".

   Names in tables are hostile: a path is made from one only after taco__vsi_check_path or
   taco__vsi_check_name has refused everything that could lead out of the dataset. Numbers are
   written by the inline functions of gdal_path.h. */
#include "gdal_path.h"
#include "../base/base.h"

/* ---- roots ---- */

/* A kind of URL, and GDAL's prefix for it. */
typedef struct taco__vsi_scheme {
    const char *url, *vsi;
} taco__vsi_scheme;

static const taco__vsi_scheme taco__vsi_schemes[] = {{"s3://", "/vsis3/"},
                                                     {"gs://", "/vsigs/"},
                                                     {"az://", "/vsiaz/"},
                                                     {"oss://", "/vsioss/"},
                                                     /* after az://: the way back finds that */
                                                     {"swift://", "/vsiswift/"},
                                                     {"azure://", "/vsiaz/"}};

/* True for paths that GDAL or the caller's open_file fetches from elsewhere: these are not made
   absolute. */
TACO__FN bool taco__vsi_is_remote(taco_bytes path)
{
    size_t i;
    for (i = 0; i < TACO__COUNT(taco__vsi_schemes); i++) {
        if (taco__bytes_starts_with(path, taco__vsi_schemes[i].url)) { return true; }
    }
    if (taco__bytes_starts_with(path, "http://") || taco__bytes_starts_with(path, "https://")) {
        return true;
    }
    return taco__bytes_starts_with(path, "/vsi") && !taco__bytes_starts_with(path, "/vsimem/");
}

/* Appends a path as GDAL names it: URLs become /vsi paths, others are unchanged. Local paths must
   be absolute and resolved. */
TACO__FN bool taco__vsi_append_root(taco__buf *out, taco_bytes path, taco_error *err)
{
    size_t i;
    for (i = 0; i < TACO__COUNT(taco__vsi_schemes); i++) {
        const taco__vsi_scheme *s = &taco__vsi_schemes[i];
        if (taco__bytes_starts_with(path, s->url)) {
            size_t n = strlen(s->url);
            return taco__buf_append_text(out, s->vsi, err) &&
                   taco__buf_append(out, path.data + n, path.len - n, err);
        }
    }
    if ((taco__bytes_starts_with(path, "http://") || taco__bytes_starts_with(path, "https://")) &&
        !taco__buf_append_text(out, "/vsicurl/", err)) {
        return false;
    }
    return taco__buf_append(out, path.data, path.len, err);
}

/* Appends a '/' unless what has been appended since `start` ends with one. */
static bool taco__vsi_append_slash(taco__buf *out, size_t start, taco_error *err)
{
    return (out->len > start && taco__plat_is_slash((char)out->data[out->len - 1])) ||
           taco__buf_append_char(out, '/', err);
}

/* A directory that file names are appended to: the root with a '/' at the end. */
TACO__FN bool taco__vsi_append_base(taco__buf *out, taco_bytes path, taco_error *err)
{
    size_t start = out->len;
    return taco__vsi_append_root(out, path, err) && taco__vsi_append_slash(out, start, err);
}

/* ---- names that come from tables ---- */

/* Refuses a relative path that could lead out of the directory it is appended to: absolute, with an
   empty, '.' or '..' component, a backslash (a separator elsewhere) or a zero byte (the end, in C).
   That of a FOLDER may end with a '/'. */
TACO__FN taco_status taco__vsi_check_path(taco_bytes value, bool folder, const char *column,
                                          taco_error *err)
{
    size_t i, from = 0, len = value.len;
    const char *what = NULL;
    if (folder && len > 1 && value.data[len - 1] == '/') { len--; }
    if (len == 0) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                          "%s is null or empty, no path can be made from it", column);
    }
    for (i = 0; i <= len && !what; i++) {
        uint8_t c = i < len ? value.data[i] : (uint8_t)'/';
        size_t n = i - from;
        if (c == 0 || c == '\\') {
            what = c ? "a backslash" : "a zero byte";
        } else if (c == '/') {
            if (n == 0) {
                what = i ? "an empty component" : "a '/' at the start";
            } else if (n <= 2 && value.data[from] == '.' && value.data[i - 1] == '.') {
                what = n == 1 ? "a '.' component" : "a '..' component";
            }
            from = i + 1;
        }
    }
    return what ? TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                             "%s %q has %s, the path could leave the dataset", column, &value, what)
                : TACO_OK;
}

/* internal:source_file names a file next to the catalogue: the same, but only one component. */
TACO__FN taco_status taco__vsi_check_name(taco_bytes value, const char *column, taco_error *err)
{
    taco_status st;
    if (value.len > 2 && !memchr(value.data, '/', value.len) &&
        !memchr(value.data, '\\', value.len) && !memchr(value.data, 0, value.len)) {
        return TACO_OK;
    }
    st = taco__vsi_check_path(value, false, column, err);
    if (st == TACO_OK && memchr(value.data, '/', value.len)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                          "%s %q has a '/', must be a bare file name", column, &value);
    }
    return st;
}

/* A sample of a TACOCAT; base ends with '/'. */
TACO__FN bool taco__vsi_append_tacocat(taco__buf *out, int64_t offset, int64_t size,
                                       taco_bytes base, taco_bytes source_file, taco_error *err)
{
    return taco__vsi_check_name(source_file, "internal:source_file", err) == TACO_OK &&
           taco__vsi_check_range(offset, size, err) &&
           taco__vsi_append_subfile(out, (uint64_t)offset, (uint64_t)size, base, source_file, err);
}

/* A sample of a FOLDER dataset: {root}/DATA/{relative}, and /__meta__ after a FOLDER. relative is
   the id at level 0, internal:relative_path below; `column` is its name in messages. */
TACO__FN bool taco__vsi_append_folder(taco__buf *out, taco_bytes root, taco_bytes relative,
                                      bool folder, const char *column, taco_error *err)
{
    size_t start = out->len;
    if (taco__vsi_check_path(relative, folder, column, err) != TACO_OK ||
        !taco__buf_append(out, root.data, root.len, err) ||
        !taco__vsi_append_slash(out, start, err) || !taco__buf_append_text(out, "DATA/", err) ||
        !taco__buf_append(out, relative.data, relative.len, err)) {
        out->len = start;
        return false;
    }
    return !folder ||
           (taco__vsi_append_slash(out, start, err) && taco__buf_append_text(out, "__meta__", err));
}

/* A child in a FOLDER dataset, as its parent's __meta__ lists it: {folder}/{id}, for FILE and
   FOLDER alike. */
TACO__FN bool taco__vsi_append_child(taco__buf *out, taco_bytes folder, taco_bytes id,
                                     taco_error *err)
{
    size_t start = out->len;
    return taco__vsi_check_path(id, false, "id", err) == TACO_OK &&
           taco__buf_append(out, folder.data, folder.len, err) &&
           taco__vsi_append_slash(out, start, err) && taco__buf_append(out, id.data, id.len, err);
}

/* ---- parsing ---- */

/* Digits only: no sign, no blank, no '_'. False on overflow. */
TACO__FN bool taco__vsi_parse_number(taco_bytes text, uint64_t *out)
{
    size_t i;
    *out = 0;
    for (i = 0; i < text.len; i++) {
        uint8_t c = text.data[i];
        if (c < '0' || c > '9' || !taco__checked_mul64(*out, 10, out) ||
            !taco__checked_add64(*out, c - '0', out)) {
            return false;
        }
    }
    return text.len != 0;
}
