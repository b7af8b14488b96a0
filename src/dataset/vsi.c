/* ==== ROOM vsi: GDAL paths of samples, made of roots, offsets and names that never leave the dataset. Uses: pq:base
   error mem. Spec: TACO 2.0 §6.5, §7.2; GDAL "Virtual File Systems" ==== */

/* ---- roots ---- */

typedef struct taco__vsi_scheme {
    const char *url, *vsi;
} taco__vsi_scheme;

static const taco__vsi_scheme taco__vsi_schemes[] = {
    {"s3://", "/vsis3/"},       {"gs://", "/vsigs/"},
    {"az://", "/vsiaz/"},       {"oss://", "/vsioss/"},
    {"swift://", "/vsiswift/"}, {"azure://", "/vsiaz/"} /* behind az://: the way back finds that */
};

/* True for what GDAL or an open_file of the caller's fetches from elsewhere: such a path is not made absolute. */
TACO__FN bool taco__vsi_is_remote(taco_bytes path)
{
    size_t i;
    for (i = 0; i < TACO__COUNT(taco__vsi_schemes); i++) {
        if (taco__bytes_starts_with(path, taco__vsi_schemes[i].url)) {
            return true;
        }
    }
    if (taco__bytes_starts_with(path, "http://") || taco__bytes_starts_with(path, "https://")) {
        return true;
    }
    return taco__bytes_starts_with(path, "/vsi") && !taco__bytes_starts_with(path, "/vsimem/");
}
/* Appends a path as GDAL names it: URLs become /vsi paths, all else stays. Local paths come absolute and resolved. */
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
/* The way back, for an open_file that knows URLs: /vsicurl/ is removed, /vsis3/ becomes s3://, ... */
TACO__FN bool taco__vsi_append_url(taco__buf *out, taco_bytes path, taco_error *err)
{
    size_t i, n = 9;
    for (i = 0; i < TACO__COUNT(taco__vsi_schemes); i++) {
        const taco__vsi_scheme *s = &taco__vsi_schemes[i];
        if (taco__bytes_starts_with(path, s->vsi)) {
            n = strlen(s->vsi);
            return taco__buf_append_text(out, s->url, err) &&
                   taco__buf_append(out, path.data + n, path.len - n, err);
        }
    }
    n = taco__bytes_starts_with(path, "/vsicurl/") ? n : 0;
    return taco__buf_append(out, path.data + n, path.len - n, err);
}
TACO__FN bool taco__vsi_append_slash(taco__buf *out, size_t start, taco_error *err)
{
    return (out->len > start && out->data[out->len - 1] == '/') ||
           taco__buf_append_char(out, '/', err);
}
/* A directory that file names are appended to: the root with a '/' at the end. */
TACO__FN bool taco__vsi_append_base(taco__buf *out, taco_bytes path, taco_error *err)
{
    size_t start = out->len;
    return taco__vsi_append_root(out, path, err) && taco__vsi_append_slash(out, start, err);
}
/* ---- names that come from tables ---- */

/* Refuses a relative path that could lead out of the directory it is appended to: absolute, with an empty, '.' or '..'
   component, a backslash (a separator elsewhere) or a zero byte (the end, for C). A FOLDER's may end with a '/'. */
TACO__FN taco_status taco__vsi_check_path(taco_bytes value, bool folder, const char *column,
                                          taco_error *err)
{
    size_t      i, from = 0, len = value.len;
    const char *what = NULL;
    if (folder && len > 1 && value.data[len - 1] == '/') {
        len--;
    }
    if (len == 0) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                          "%s is null or empty, no path can be made of it", column);
    }
    for (i = 0; i <= len && !what; i++) {
        uint8_t c = i < len ? value.data[i] : (uint8_t)'/';
        size_t  n = i - from;
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
/* internal:source_file names a file beside the catalogue: as above, and one component only. */
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

/* ---- paths of samples ---- */

/* The eight decimal digits of x < 10^8, one a byte, the first in the lowest: all of them at once, by multiplication
   with rounded reciprocals that are exact in these ranges. */
TACO__INLINE uint64_t taco__vsi_eight_digits(uint32_t x)
{
    uint64_t four = x / 10000U | (uint64_t)(x % 10000U) << 32, two, one;
    two = ((four * 10486U) >> 20) & 0x0000007F0000007FU; /* / 100, below 10^4 */
    two |= (four - two * 100U) << 16;
    one = ((two * 103U) >> 10) & 0x000F000F000F000FU; /* / 10, below 10^2 */
    return one | (two - one * 10U) << 8;
}
/* Writes x in decimal and returns the end. At most 20 digits; up to 8 bytes behind them are overwritten. */
TACO__INLINE uint8_t *taco__vsi_write_digits(uint8_t *p, uint64_t x)
{
    const uint64_t zeros = 0x3030303030303030U, base = 100000000U;
    uint64_t       parts[3], d;
    unsigned       skip;
    size_t         n = 0;
    if (x < 100) { /* offsets are long, the sizes of small samples are not */
        unsigned y = (unsigned)x, tens = (y * 205U) >> 11, one = y < 10;
        unsigned two = (tens | (y - tens * 10U) << 8 | 0x3030U) >> (8 * one);
        p[0] = (uint8_t)two;
        p[1] = (uint8_t)(two >> 8);
        return p + 2 - one;
    }
    while (x >= base) {
        parts[n++] = x % base;
        x /= base;
    }
    d = taco__vsi_eight_digits((uint32_t)x);
    skip = taco__plat_ctz64(d | (uint64_t)1 << 56) / 8; /* leading zeros, but for the last digit */
    taco__put_le64(p, (d + zeros) >> (8 * skip));
    p += 8 - skip;
    while (n) {
        taco__put_le64(p, taco__vsi_eight_digits((uint32_t)parts[--n]) + zeros);
        p += 8;
    }
    return p;
}
/* Appends /vsisubfile/{offset}_{size},{root}{name}. root is that of an archive and name empty, or root is the base of
   a TACOCAT and name a checked source file. */
TACO__INLINE bool taco__vsi_append_subfile(taco__buf *out, uint64_t offset, uint64_t size,
                                           taco_bytes root, taco_bytes name, taco_error *err)
{
    size_t   tail;
    uint8_t *p;
    if (!taco__checked_add_size(root.len, name.len, &tail) || tail > SIZE_MAX - 62) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for a path");
        return false;
    }
    tail += 62; /* "/vsisubfile/" + 20 + "_" + 20 + "," + 8 */
    if (TACO__UNLIKELY(!out->data || tail > out->cap - out->len) &&
        !taco__buf_reserve(out, tail, err)) {
        return false;
    }
    tail -= 62;
    p = out->data + out->len;
    memcpy(p, "/vsisubfile/", 12);
    p = taco__vsi_write_digits(p + 12, offset);
    *p++ = '_';
    p = taco__vsi_write_digits(p, size);
    *p++ = ',';
    if (root.len) {
        memcpy(p, root.data, root.len);
    }
    if (name.len) {
        memcpy(p + root.len, name.data, name.len);
    }
    out->len = (size_t)(p - out->data) + tail;
    return true;
}
/* Proves the values of a row's internal:offset and internal:size. */
TACO__INLINE bool taco__vsi_check_range(int64_t offset, int64_t size, taco_error *err)
{
    if (TACO__UNLIKELY(offset < 0 || size < 0)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "%s is %d, must not be negative",
                   offset < 0 ? "internal:offset" : "internal:size",
                   TACO__D(offset < 0 ? offset : size));
        return false;
    }
    return true;
}
/* A sample of an archive, at any level, FILE and FOLDER (its __meta__) alike. */
TACO__INLINE bool taco__vsi_append_zip(taco__buf *out, int64_t offset, int64_t size,
                                       taco_bytes root, taco_error *err)
{
    return taco__vsi_check_range(offset, size, err) &&
           taco__vsi_append_subfile(out, (uint64_t)offset, (uint64_t)size, root,
                                    taco__bytes_of(NULL, 0), err);
}
/* A sample of a TACOCAT; base ends with '/'. */
TACO__FN bool taco__vsi_append_tacocat(taco__buf *out, int64_t offset, int64_t size,
                                       taco_bytes base, taco_bytes source_file, taco_error *err)
{
    return taco__vsi_check_name(source_file, "internal:source_file", err) == TACO_OK &&
           taco__vsi_check_range(offset, size, err) &&
           taco__vsi_append_subfile(out, (uint64_t)offset, (uint64_t)size, base, source_file, err);
}
/* A sample of a FOLDER dataset: {root}/DATA/{relative}, and /__meta__ behind a FOLDER. relative is the id at level 0,
   internal:relative_path below; column names which in messages. */
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
/* A child in a FOLDER dataset, as its parent's __meta__ lists it: {folder}/{id}, for FILE and FOLDER alike. */
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
/* Takes /vsisubfile/{offset}_{size},{root} apart: at the first ',', then at the first '_' before it. */
TACO__FN taco_status taco__vsi_parse_subfile(taco_bytes path, uint64_t *offset, uint64_t *size,
                                             taco_bytes *root, taco_error *err)
{
    const uint8_t *begin, *comma, *bar;
    if (!taco__bytes_starts_with(path, "/vsisubfile/")) {
        return TACO__FAIL(err, TACO_ERR_SYNTAX, 0, "%q does not begin with /vsisubfile/", &path);
    }
    begin = path.data + 12;
    comma = path.len > 12 ? (const uint8_t *)memchr(begin, ',', path.len - 12) : NULL;
    if (!comma) {
        return TACO__FAIL(err, TACO_ERR_SYNTAX, path.len, "%q has no ',' behind offset and size",
                          &path);
    }
    bar = (const uint8_t *)memchr(begin, '_', (size_t)(comma - begin));
    if (!bar) {
        return TACO__FAIL(err, TACO_ERR_SYNTAX, (size_t)(comma - path.data),
                          "%q has no '_' between offset and size", &path);
    }
    if (!taco__vsi_parse_number(taco__bytes_of(begin, (size_t)(bar - begin)), offset) ||
        !taco__vsi_parse_number(taco__bytes_of(bar + 1, (size_t)(comma - bar) - 1), size)) {
        return TACO__FAIL(err, TACO_ERR_SYNTAX, 12, "%q: offset and size must be digits below 2^64",
                          &path);
    }
    *root = taco__bytes_of(comma + 1, path.len - (size_t)(comma - path.data) - 1);
    return TACO_OK;
}
