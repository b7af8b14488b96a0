/* gdal_path.h - GDAL paths of samples; those in archives are made inline, a million at a time */
#ifndef TACO__GDAL_PATH_H
#define TACO__GDAL_PATH_H

#include "../api/taco.h"
#include "../base/base.h"

/* ---- gdal_path.c ---- */

/* Roots: what paths begin with. */
TACO__FN bool taco__vsi_is_remote(taco_bytes path);
TACO__FN bool taco__vsi_append_root(taco__buf *out, taco_bytes path, taco_error *err);
TACO__FN bool taco__vsi_append_base(taco__buf *out, taco_bytes path, taco_error *err);

/* Names from tables must pass one of these checks before a path is made from them. */
TACO__FN taco_status taco__vsi_check_path(taco_bytes value, bool folder, const char *column,
                                          taco_error *err);
TACO__FN taco_status taco__vsi_check_name(taco_bytes value, const char *column, taco_error *err);

/* The path of one sample. On failure nothing, or part of a path, has been appended. */
TACO__FN bool taco__vsi_append_tacocat(taco__buf *out, int64_t offset, int64_t size,
                                       taco_bytes base, taco_bytes source_file, taco_error *err);
TACO__FN bool taco__vsi_append_folder(taco__buf *out, taco_bytes root, taco_bytes relative,
                                      bool folder, const char *column, taco_error *err);
TACO__FN bool taco__vsi_append_child(taco__buf *out, taco_bytes folder, taco_bytes id,
                                     taco_error *err);

/* The number in a path or a key. */
TACO__FN bool taco__vsi_parse_number(taco_bytes text, uint64_t *out);

/* ---- paths in archives: /vsisubfile/{offset}_{size},{root} ---- */

/* The eight decimal digits of x < 10^8, one per byte, the first in the lowest byte: computed all at
   once, by multiplication with rounded reciprocals that are exact in these ranges. 12345678 becomes
   0x0807060504030201. */
TACO__INLINE uint64_t taco__vsi_eight_digits(uint32_t x)
{
    uint64_t four = x / 10000U | (uint64_t)(x % 10000U) << 32, two, one;
    two = ((four * 10486U) >> 20) & 0x0000007F0000007FU; /* / 100, below 10^4 */
    two |= (four - two * 100U) << 16;
    one = ((two * 103U) >> 10) & 0x000F000F000F000FU; /* / 10, below 10^2 */
    return one | (two - one * 10U) << 8;
}

/* A shortcut for x < 100: offsets are long, but the sizes of small samples are not. */
TACO__INLINE uint8_t *taco__vsi_write_two_digits(uint8_t *p, unsigned x)
{
    unsigned tens = (x * 205U) >> 11, one = x < 10;
    unsigned two = (tens | (x - tens * 10U) << 8 | 0x3030U) >> (8 * one);
    p[0] = (uint8_t)two;
    p[1] = (uint8_t)(two >> 8);
    return p + 2 - one;
}

/* Writes x in decimal and returns the end. At most 20 digits; up to 8 bytes after them are
   overwritten. */
TACO__INLINE uint8_t *taco__vsi_write_digits(uint8_t *p, uint64_t x)
{
    const uint64_t zeros = 0x3030303030303030U, base = 100000000U;
    uint64_t parts[3], d;
    unsigned skip;
    size_t n = 0;
    if (x < 100) { return taco__vsi_write_two_digits(p, (unsigned)x); }
    while (x >= base) {
        parts[n++] = x % base;
        x /= base;
    }
    d = taco__vsi_eight_digits((uint32_t)x);
    /* leading zeros, except for the last digit */
    skip = taco__plat_ctz64(d | (uint64_t)1 << 56) / 8;
    taco__put_le64(p, (d + zeros) >> (8 * skip));
    p += 8 - skip;
    while (n) {
        taco__put_le64(p, taco__vsi_eight_digits((uint32_t)parts[--n]) + zeros);
        p += 8;
    }
    return p;
}

/* The most bytes that taco__vsi_write_range writes: "/vsisubfile/" + 20 + "_" + 20 + ",". It
   overwrites TACO__VSI_OVERRUN bytes after them. */
#define TACO__VSI_RANGE_BYTES 54
#define TACO__VSI_OVERRUN     8

/* Writes /vsisubfile/{offset}_{size}, and returns the end. */
TACO__INLINE uint8_t *taco__vsi_write_range(uint8_t *p, uint64_t offset, uint64_t size)
{
    memcpy(p, "/vsisubfile/", 12);
    p = taco__vsi_write_digits(p + 12, offset);
    *p++ = '_';
    p = taco__vsi_write_digits(p, size);
    *p++ = ',';
    return p;
}

/* Appends /vsisubfile/{offset}_{size},{root}{name}. Either root is an archive and name is empty, or
   root is the base of a TACOCAT and name a checked source file. */
TACO__INLINE bool taco__vsi_append_subfile(taco__buf *out, uint64_t offset, uint64_t size,
                                           taco_bytes root, taco_bytes name, taco_error *err)
{
    const size_t more = TACO__VSI_RANGE_BYTES + TACO__VSI_OVERRUN;
    size_t tail;
    uint8_t *p;
    if (!taco__checked_add_size(root.len, name.len, &tail) || tail > SIZE_MAX - more) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for a path");
        return false;
    }
    if (TACO__UNLIKELY(!out->data || tail + more > out->cap - out->len) &&
        !taco__buf_reserve(out, tail + more, err)) {
        return false;
    }
    p = taco__vsi_write_range(out->data + out->len, offset, size);
    if (root.len) { memcpy(p, root.data, root.len); }
    if (name.len) { memcpy(p + root.len, name.data, name.len); }
    out->len = (size_t)(p - out->data) + tail;
    return true;
}

/* Checks the values of a row's internal:offset and internal:size. */
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

/* A sample of an archive, at any level; FILE and FOLDER (its __meta__) alike. */
TACO__INLINE bool taco__vsi_append_zip(taco__buf *out, int64_t offset, int64_t size,
                                       taco_bytes root, taco_error *err)
{
    return taco__vsi_check_range(offset, size, err) &&
           taco__vsi_append_subfile(out, (uint64_t)offset, (uint64_t)size, root,
                                    taco__bytes_of(NULL, 0), err);
}

#endif /* TACO__GDAL_PATH_H */
