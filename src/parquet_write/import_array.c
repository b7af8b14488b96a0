/* import_array.c - converts a producer's Arrow arrays to ours, for the rows of one batch

   In: a struct ArrowArray, the node that import_schema.c made for it, and which rows. Out: a
   taco_array: validity from bit 0, 32-bit offsets from 0, numbers of the machine's order (Arrow
   Columnar Format). Fixed-width values and bytes of text are used in place where they are aligned;
   everything else is converted into the node's buffers, so the array lives until the node's next.

   Counts, offsets, indices and views are checked before they are used. The interface does not give
   the length of the producer's buffers, so that must be trusted. A failure that fewer rows may
   avoid (2^31 bytes of text) sets in->too_large. Start reading at taco__import_array. */
#include "parquet_write.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

/* ---- checks of an array ---- */

/* The message says what, the number found and the most allowed. */
TACO__FN bool taco__import_array_fail(taco_import *in, const taco__import_node *k, const char *what,
                                      uint64_t found, uint64_t allowed)
{
    taco_bytes name = taco__bytes_text(k->field->name);
    TACO__FAIL(&in->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
               "an Arrow array of field %q: %s %u, %u at most", &name, what, found, allowed);
    return false;
}

/* Number of buffers of the node's arrays (Arrow Columnar Format, "Buffer Listing for Each
   Layout"). */
static int64_t taco__import_array_buffer_count(const taco__import_node *k)
{
    if (k->dictionary) { return 2; }
    switch (k->kind) {
    case TACO__IMPORT_NONE: return 0;
    case TACO__IMPORT_STRUCT:
    case TACO__IMPORT_FIXED_LIST: return 1;
    case TACO__IMPORT_TEXT: return 3;
    default: return 2;
    }
}

/* Checks that the array has as many buffers and children as its type; views may have more
   buffers. */
static bool taco__import_array_check_layout(taco_import *in, const taco__import_node *k,
                                            const struct ArrowArray *a, size_t n)
{
    int64_t buffers = taco__import_array_buffer_count(k);
    bool views = k->kind == TACO__IMPORT_VIEW && !k->dictionary;
    if (views ? a->n_buffers < 3 : a->n_buffers != buffers) {
        return taco__import_array_fail(in, k, "number of buffers", (uint64_t)a->n_buffers,
                                       (uint64_t)buffers);
    }
    if (a->n_children != (int64_t)k->field->child_count || (a->n_children && !a->children) ||
        (k->dictionary && !a->dictionary) || (buffers && !a->buffers)) {
        return taco__import_array_fail(in, k, "number of children", (uint64_t)a->n_children,
                                       k->field->child_count);
    }
    if (buffers > 1 && n && !a->buffers[1] &&
        (k->dictionary || k->width || k->kind == TACO__IMPORT_BITS)) {
        return taco__import_array_fail(in, k, "no buffer for rows:", n, 0);
    }
    return true;
}

/* Checks that rows [first, first + n) of an array exist, and its buffers, too; *at is where the
   rows begin in these. */
static bool taco__import_array_check_range(taco_import *in, const taco__import_node *k,
                                           const struct ArrowArray *a, uint64_t first, size_t n,
                                           size_t *at)
{
    uint64_t end = 0;
    size_t bytes;
    if (!a) { return taco__import_array_fail(in, k, "missing", 0, 0); }
    if (a->length < 0 || a->offset < 0 || a->length > INT64_MAX - a->offset) {
        return taco__import_array_fail(in, k, "offset and length below zero or beyond",
                                       (uint64_t)a->length, INT64_MAX);
    }
    if (!taco__checked_add64(first, n, &end) || end > (uint64_t)a->length) {
        return taco__import_array_fail(in, k, "its parent needs rows up to", end,
                                       (uint64_t)a->length);
    }
    if (!taco__import_array_check_layout(in, k, a, n)) { return false; }
    first += (uint64_t)a->offset;
    if (first > SIZE_MAX - n ||
        !taco__checked_mul_size((size_t)first + n, TACO__MAX(k->width, (size_t)1), &bytes)) {
        return taco__import_array_fail(in, k, "rows beyond what memory holds:", first, SIZE_MAX);
    }
    *at = (size_t)first;
    return true;
}

/* A failure that fewer rows may avoid, unless a single row is too large. */
static bool taco__import_array_fail_large(taco_import *in, size_t rows, const char *what)
{
    in->too_large = rows > 1;
    TACO__FAIL(&in->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, what, TACO__U(INT32_MAX));
    return false;
}

/* Room for n + 1 offsets; NULL on failure. */
static int32_t *taco__import_array_alloc_offsets(taco_import *in, taco__import_node *k, size_t n)
{
    size_t bytes;
    if (!taco__checked_mul_size(n + 1, sizeof(int32_t), &bytes) ||
        !taco__buf_reset(&k->offsets, bytes, &in->err)) {
        return NULL;
    }
    return (int32_t *)(void *)k->offsets.data;
}

/* ---- values of one width ---- */

/* Copies validity into a bitmap of our own, at bit 0; none if no row is null. */
static bool taco__import_array_validity(taco_import *in, taco__import_node *k,
                                        const struct ArrowArray *a, size_t at, size_t n,
                                        taco_array *out)
{
    const uint8_t *bits =
        a->n_buffers > 0 && a->null_count != 0 ? (const uint8_t *)a->buffers[0] : NULL;
    if (k->kind == TACO__IMPORT_NONE && !k->dictionary) {
        out->null_count = n;
        return true;
    }
    if (!bits || !n) { return true; }
    if (!taco__buf_reset(&k->validity, TACO__BITMAP_BYTES(n), &in->err)) { return false; }
    memset(k->validity.data, 0, TACO__BITMAP_BYTES(n));
    out->null_count = n - taco__bitmap_copy(k->validity.data, 0, bits, at, n);
    out->validity = out->null_count ? k->validity.data : NULL;
    return true;
}

/* n values of `width` bytes at `at`: in place, if they are aligned for a machine number. */
static bool taco__import_array_fixed(taco_import *in, taco__import_node *k,
                                     const struct ArrowArray *a, size_t at, size_t n,
                                     taco_array *out)
{
    size_t unit = k->width == 2 || k->width == 4 || k->width == 8 ? k->width : 1, bytes;
    const uint8_t *p = (const uint8_t *)a->buffers[1];
    if (n == 0 || k->width == 0) {
        out->v.any = in->root.field; /* any address */
        return true;
    }
    p += at * k->width;
    if ((uintptr_t)p % unit == 0) {
        out->v.any = p;
        return true;
    }
    if (!taco__checked_mul_size(n, k->width, &bytes) ||
        !taco__buf_reset(&k->values, bytes, &in->err)) {
        return false;
    }
    memcpy(k->values.data, p, bytes);
    out->v.any = k->values.data;
    return true;
}

/* BOOL: bits, copied to bit 0. */
static bool taco__import_array_bits(taco_import *in, taco__import_node *k,
                                    const struct ArrowArray *a, size_t at, size_t n,
                                    taco_array *out)
{
    if (!taco__buf_reset(&k->values, TACO__BITMAP_BYTES(n), &in->err)) { return false; }
    memset(k->values.data, 0, TACO__BITMAP_BYTES(n));
    if (n) { taco__bitmap_copy(k->values.data, 0, (const uint8_t *)a->buffers[1], at, n); }
    out->v.any = k->values.data;
    return true;
}

/* Converts a decimal in native byte order, of 4 to 32 bytes, to a little-endian one of 16 or 32. */
static void taco__import_array_widen_decimal(const uint8_t *p, size_t width, uint8_t *to,
                                             size_t own)
{
    size_t i;
    for (i = 0; i < width; i++) {
        to[i] = p[TACO__BIG_ENDIAN ? width - 1 - i : i];
    }
    memset(to + width, to[width - 1] & 0x80 ? 0xFF : 0, own - width);
}

/* Months, days and milliseconds, uint32 each (LogicalTypes.md, INTERVAL). False for parts that are
   negative, or smaller than milliseconds: Parquet has neither. */
static bool taco__import_array_interval(taco__import_kind kind, const uint8_t *p, uint8_t *to)
{
    int32_t part[2];
    int64_t rest = 0;
    memset(part, 0, sizeof part);
    memcpy(part, p, kind == TACO__IMPORT_MONTHS ? 4 : 8);
    if (kind == TACO__IMPORT_DAYS) {
        rest = part[1];
        part[1] = part[0];
        part[0] = 0;
    } else if (kind == TACO__IMPORT_MIXED) {
        memcpy(&rest, p + 8, 8);
        if (rest % 1000000) { return false; }
        rest /= 1000000;
    }
    taco__put_le32(to, (uint32_t)part[0]);
    taco__put_le32(to + 4, (uint32_t)part[1]);
    taco__put_le32(to + 8, (uint32_t)rest);
    return part[0] >= 0 && part[1] >= 0 && rest >= 0 && rest <= UINT32_MAX;
}

/* Milliseconds since 1970 as days, rounded down. */
static bool taco__import_array_days(taco_import *in, const taco__import_node *k,
                                    const uint8_t *from, uint8_t *to)
{
    int64_t ms, day;
    int32_t days;
    memcpy(&ms, from, 8);
    day = taco__time_floor_div(ms, 86400000);
    if (day < INT32_MIN || day > INT32_MAX) {
        return taco__import_array_fail(in, k, "a date of days", (uint64_t)day, INT32_MAX);
    }
    days = (int32_t)day;
    memcpy(to, &days, 4);
    return true;
}

/* The value of row i, which is not null. */
static bool taco__import_array_convert_value(taco_import *in, const taco__import_node *k,
                                             const uint8_t *from, uint8_t *to, size_t i)
{
    switch (k->kind) {
    case TACO__IMPORT_DECIMAL:
        taco__import_array_widen_decimal(from, k->width, to, (size_t)k->field->width);
        return true;
    case TACO__IMPORT_DATE64: return taco__import_array_days(in, k, from, to);
    default:
        return taco__import_array_interval(k->kind, from, to) ||
               taco__import_array_fail(
                   in, k, "an interval below zero or not of whole milliseconds in row", i, 0);
    }
}

/* Values that need conversion: one by one, zeros for nulls. */
static bool taco__import_array_convert(taco_import *in, taco__import_node *k,
                                       const struct ArrowArray *a, size_t at, size_t n,
                                       taco_array *out)
{
    size_t own = (size_t)k->field->width, i, bytes;
    const uint8_t *p = (const uint8_t *)a->buffers[1];
    if (!taco__checked_mul_size(n, own, &bytes) || !taco__buf_reset(&k->values, bytes, &in->err)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        uint8_t *to = k->values.data + i * own;
        if (out->validity && !taco__bitmap_get(out->validity, i)) {
            memset(to, 0, own);
        } else if (!taco__import_array_convert_value(in, k, p + (at + i) * k->width, to, i)) {
            return false;
        }
    }
    out->v.any = k->values.data;
    return true;
}

/* ---- text and lists ---- */

/* Offset i, of 4 or 8 bytes. */
TACO__INLINE int64_t taco__import_array_offset_at(const taco__import_node *k, const uint8_t *p,
                                                  size_t i)
{
    int64_t wide;
    int32_t narrow;
    if (k->width == 8) {
        memcpy(&wide, p + i * 8, 8);
        return wide;
    }
    memcpy(&narrow, p + i * 4, 4);
    return narrow;
}

/* Converts n + 1 offsets, which must ascend, to 32-bit ones from 0; *first is the original first
   one. Without rows there may be no offsets. */
static bool taco__import_array_offsets(taco_import *in, taco__import_node *k,
                                       const struct ArrowArray *a, size_t at, size_t n,
                                       uint64_t *first)
{
    const uint8_t *p = (const uint8_t *)a->buffers[1];
    int32_t *to = taco__import_array_alloc_offsets(in, k, n);
    int64_t from, last, x;
    size_t i;
    if (!to) { return false; }
    to[0] = 0;
    *first = 0;
    if (!n) { return true; }
    from = last = taco__import_array_offset_at(k, p, at);
    *first = (uint64_t)from;
    for (i = 0; i <= n; i++) {
        x = taco__import_array_offset_at(k, p, at + i);
        if (x < last || from < 0) {
            return taco__import_array_fail(in, k, "offsets that descend, to", (uint64_t)x,
                                           (uint64_t)last);
        }
        if (x - from > INT32_MAX) {
            in->too_large = n > 1;
            TACO__FAIL(&in->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                       "%u bytes or items in one row, at most %u are allowed", (uint64_t)(x - from),
                       TACO__U(INT32_MAX));
            return false;
        }
        to[i] = (int32_t)(x - from);
        last = x;
    }
    return true;
}

/* The bytes stay in place, from the first one on. */
static bool taco__import_array_text(taco_import *in, taco__import_node *k,
                                    const struct ArrowArray *a, size_t at, size_t n,
                                    taco_array *out)
{
    uint64_t first;
    const uint8_t *p = (const uint8_t *)a->buffers[2];
    if (!taco__import_array_offsets(in, k, a, at, n, &first)) { return false; }
    out->offsets = (const int32_t *)(const void *)k->offsets.data;
    if (out->offsets[n] && (!p || first > SIZE_MAX - INT32_MAX)) {
        return taco__import_array_fail(in, k, "no buffer for bytes:", TACO__U(out->offsets[n]), 0);
    }
    out->v.any = out->offsets[n] ? p + first : (const void *)in->root.field;
    return true;
}

/* Bytes of a view: a length of 4 bytes, then up to 12 bytes of text, or for longer text a prefix,
   the number of a buffer and the offset in it. The last buffer has the sizes of these. */
static bool taco__import_array_view_bytes(taco_import *in, const taco__import_node *k,
                                          const struct ArrowArray *a, const uint8_t *view,
                                          taco_bytes *out)
{
    int64_t more = a->n_buffers - 3, size;
    int32_t len, which, at;
    memcpy(&len, view, 4);
    memcpy(&which, view + 8, 4);
    memcpy(&at, view + 12, 4);
    if (len >= 0 && len <= 12) {
        *out = taco__bytes_of(view + 4, (size_t)len);
        return true;
    }
    if (len < 0 || which < 0 || which >= more || !a->buffers[2 + which] ||
        !a->buffers[a->n_buffers - 1]) {
        return taco__import_array_fail(in, k, "a view into buffer", (uint64_t)(int64_t)which,
                                       (uint64_t)more);
    }
    memcpy(&size, (const uint8_t *)a->buffers[a->n_buffers - 1] + 8 * (size_t)which, 8);
    if (at < 0 || size < (int64_t)at + len) {
        return taco__import_array_fail(in, k, "a view to byte", (uint64_t)((int64_t)at + len),
                                       (uint64_t)size);
    }
    *out = taco__bytes_of((const uint8_t *)a->buffers[2 + which] + at, (size_t)len);
    return true;
}

/* Views: the texts are copied, one after the other. */
static bool taco__import_array_views(taco_import *in, taco__import_node *k,
                                     const struct ArrowArray *a, size_t at, size_t n,
                                     taco_array *out)
{
    const uint8_t *views = (const uint8_t *)a->buffers[1];
    int32_t *to = taco__import_array_alloc_offsets(in, k, n);
    size_t i;
    if (!to || !taco__buf_reset(&k->values, 0, &in->err)) { return false; }
    to[0] = 0;
    for (i = 0; i < n; i++) {
        taco_bytes b = {NULL, 0};
        if ((!out->validity || taco__bitmap_get(out->validity, i)) &&
            !taco__import_array_view_bytes(in, k, a, views + (at + i) * 16, &b)) {
            return false;
        }
        if (b.len > INT32_MAX - k->values.len) {
            return taco__import_array_fail_large(in, n, "more than %u bytes of text in a batch");
        }
        if (!taco__buf_append(&k->values, b.data, b.len, &in->err)) { return false; }
        to[i + 1] = (int32_t)k->values.len;
    }
    out->offsets = to;
    out->v.any = k->values.data;
    return true;
}

/* Offsets of lists that all have list_length items. */
static bool taco__import_array_fixed_lists(taco_import *in, taco__import_node *k, size_t at,
                                           size_t n)
{
    int32_t *to;
    size_t i;
    if ((uint64_t)n * (uint64_t)k->list_length > INT32_MAX ||
        at > SIZE_MAX / 2 / ((size_t)k->list_length + 1)) {
        return taco__import_array_fail_large(in, n, "more than %u list items in a batch");
    }
    to = taco__import_array_alloc_offsets(in, k, n);
    for (i = 0; to && i <= n; i++) {
        to[i] = (int32_t)(i * (size_t)k->list_length);
    }
    return to != NULL;
}

/* Lists, maps and structs: the offsets, if there are any, then the rows of the children they
   name. */
static bool taco__import_array_nested(taco_import *in, taco__import_node *k,
                                      const struct ArrowArray *a, size_t at, size_t n,
                                      taco_array *out)
{
    uint64_t first = at;
    size_t items = n, i;
    if (k->kind == TACO__IMPORT_LIST) {
        if (!taco__import_array_offsets(in, k, a, at, n, &first)) { return false; }
    } else if (k->kind == TACO__IMPORT_FIXED_LIST) {
        if (!taco__import_array_fixed_lists(in, k, at, n)) { return false; }
        first = (uint64_t)at * (uint64_t)k->list_length;
    }
    if (k->kind != TACO__IMPORT_STRUCT) {
        out->offsets = (const int32_t *)(const void *)k->offsets.data;
        items = (size_t)out->offsets[n];
    }
    for (i = 0; i < k->field->child_count; i++) {
        if (!taco__import_array(in, &k->children[i], a->children[i], first, items, &k->arrays[i])) {
            return false;
        }
    }
    out->children = k->arrays;
    return true;
}

/* ---- dictionaries ---- */

/* A dictionary index of 1 to 8 bytes. A uint64 that does not fit becomes negative. */
TACO__INLINE int64_t taco__import_array_index_at(const taco__import_node *k, const uint8_t *p)
{
    union {
        int8_t c;
        int16_t s;
        uint16_t S;
        int32_t i;
        uint32_t I;
        int64_t l;
    } x;

    memcpy(&x, p, k->width);
    switch (k->width) {
    case 1: return k->is_signed ? x.c : *p;
    case 2: return k->is_signed ? x.s : (int64_t)x.S;
    case 4: return k->is_signed ? x.i : (int64_t)x.I;
    default: return x.l;
    }
}

/* Looks up values of fixed width, so that the array has no dictionary. */
static bool taco__import_array_decode_fixed(taco_import *in, taco__import_node *k,
                                            const int32_t *index, size_t n, taco_array *out)
{
    const taco_array *d = &k->decoded;
    size_t width = (size_t)k->field->width, i, bytes;
    bool bits = k->field->type == TACO_BOOL;
    taco__buf *to = &k->values;
    if (!taco__checked_mul_size(n, TACO__MAX(width, (size_t)1), &bytes) ||
        !taco__buf_reset(to, bytes, &in->err)) {
        return false;
    }
    memset(to->data, 0, bytes);
    for (i = 0; i < n; i++) {
        if (d->length == 0 || (out->validity && !taco__bitmap_get(out->validity, i))) { continue; }
        if (bits && taco__bitmap_get(d->v.u8, (size_t)index[i])) {
            taco__bitmap_set(to->data, i);
        } else if (!bits && width) {
            memcpy(to->data + i * width, d->v.u8 + (size_t)index[i] * width, width);
        }
    }
    out->v.any = to->data;
    return true;
}

/* Fills k->decoded with the values, once per array of the stream. A failure there is not due to too
   many rows. */
static bool taco__import_array_read_values(taco_import *in, taco__import_node *k,
                                           const struct ArrowArray *values)
{
    if (k->decoded_from == values && k->decoded_turn == in->turn) { return true; }
    if (values->length < 0 || values->length > INT32_MAX) {
        return taco__import_array_fail(in, k, "entries of a dictionary", (uint64_t)values->length,
                                       INT32_MAX);
    }
    if (!taco__import_array(in, k->dictionary, values, 0, (size_t)values->length, &k->decoded)) {
        in->too_large = false;
        return false;
    }
    k->decoded_from = values;
    k->decoded_turn = in->turn;
    return true;
}

/* Makes a bitmap with all rows valid, if some may turn out to be null and there is none. */
static bool taco__import_array_need_validity(taco_import *in, taco__import_node *k, size_t n,
                                             taco_array *out)
{
    if (out->validity || !(k->decoded.null_count || k->nested)) { return true; }
    if (!taco__buf_reset(&k->validity, TACO__BITMAP_BYTES(n), &in->err)) { return false; }
    taco__bitmap_fill(k->validity.data, 0, n, true);
    out->validity = k->validity.data;
    return true;
}

/* Indices of the rows as int32, 0 for null rows. A null among the values makes its rows null; so
   does an index out of range below other fields, where the row may be under a null parent and
   undefined. */
static bool taco__import_array_indices(taco_import *in, taco__import_node *k, const uint8_t *p,
                                       int32_t *to, size_t n, taco_array *out)
{
    const taco_array *d = &k->decoded;
    size_t i;
    for (i = 0; i < n; i++) {
        int64_t x;
        bool there;
        to[i] = 0;
        if (out->validity && !taco__bitmap_get(out->validity, i)) { continue; }
        x = taco__import_array_index_at(k, p + i * k->width);
        there = x >= 0 && (uint64_t)x < d->length;
        if (!there && !k->nested) {
            return taco__import_array_fail(in, k, "a dictionary index of", (uint64_t)x,
                                           (uint64_t)d->length - (d->length > 0));
        }
        to[i] = there ? (int32_t)x : 0;
        if (!there ||
            (d->null_count && (!d->validity || !taco__bitmap_get(d->validity, (size_t)x)))) {
            taco__bitmap_fill(k->validity.data, i, 1, false);
            out->null_count++;
        }
    }
    if (out->null_count == 0) { out->validity = NULL; }
    return true;
}

/* Text stays in a dictionary, values of fixed width are decoded. */
static bool taco__import_array_dictionary(taco_import *in, taco__import_node *k,
                                          const struct ArrowArray *a, size_t at, size_t n,
                                          taco_array *out)
{
    const uint8_t *p;
    int32_t *to;
    if (!taco__import_array_read_values(in, k, a->dictionary)) { return false; }
    to = taco__import_array_alloc_offsets(in, k, n);
    if (!to || !taco__import_array_need_validity(in, k, n, out)) { return false; }
    p = n ? (const uint8_t *)a->buffers[1] + at * k->width : NULL;
    if (!taco__import_array_indices(in, k, p, to, n, out)) { return false; }
    if (!taco__array_is_var_length(k->field)) {
        return taco__import_array_decode_fixed(in, k, to, n, out);
    }
    out->v.any = to;
    out->dictionary = &k->decoded;
    return true;
}

TACO__FN bool taco__import_array(taco_import *in, taco__import_node *k, const struct ArrowArray *a,
                                 uint64_t first, size_t n, taco_array *out)
{
    size_t at = 0;
    memset(out, 0, sizeof *out);
    out->field = k->field;
    out->length = n;
    if (!taco__import_array_check_range(in, k, a, first, n, &at) ||
        !taco__import_array_validity(in, k, a, at, n, out)) {
        return false;
    }
    if (k->dictionary) { return taco__import_array_dictionary(in, k, a, at, n, out); }
    switch (k->kind) {
    case TACO__IMPORT_NONE: return true;
    case TACO__IMPORT_BITS: return taco__import_array_bits(in, k, a, at, n, out);
    case TACO__IMPORT_FIXED: return taco__import_array_fixed(in, k, a, at, n, out);
    case TACO__IMPORT_TEXT: return taco__import_array_text(in, k, a, at, n, out);
    case TACO__IMPORT_VIEW: return taco__import_array_views(in, k, a, at, n, out);
    case TACO__IMPORT_LIST:
    case TACO__IMPORT_FIXED_LIST:
    case TACO__IMPORT_STRUCT: return taco__import_array_nested(in, k, a, at, n, out);
    default: return taco__import_array_convert(in, k, a, at, n, out);
    }
}
