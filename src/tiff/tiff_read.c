/* tiff_read.c - header, first directory and tag values of a TIFF or BigTIFF, in one read or two

   In: a source, a caller's or a file's; out: the values of the tags that matter
   (taco__tiff_values and the _get_ functions), held in ranges until taco_tiff_open returns. TIFF
   6.0 §2; BigTIFF (version 43, offsets of 64 bits).

   Tags are not read one by one, as over a network one more request costs more than a megabyte. The
   first 32 KiB usually contain header, directory and values; otherwise the directory is read with
   the megabyte after it, and values that are still missing in one range, or in one each if they are
   far apart. Each entry's offset and count are checked against the file's size when it is read, so
   that later code need not check. taco_tiff_open, at the end, shows the order: tags, image
   (tiff_image.c), georeferencing (geo_keys.c). */
#include "tiff.h"
#include "../base/base.h"

/* The first read: header, directory and values of most images. */
#define TACO__TIFF_FIRST_READ 32768
/* Half of the second read, for a directory that is not at the front, with its values. */
#define TACO__TIFF_SECOND_READ 1048576
/* Values are read together if the range is at most this long, and at most _GAP plus four times
   their own size. */
#define TACO__TIFF_MAX_SPAN ((uint64_t)64 << 20)
#define TACO__TIFF_MAX_GAP  ((uint64_t)1 << 20)
/* Most entries of a classic directory; BigTIFF, which counts in 64 bits, has the same limit
   here. */
#define TACO__TIFF_MAX_ENTRIES 65535

/* Numbers of the tags, in the order of the enumeration in tiff.h. */

static const uint16_t taco__tiff_tags[TACO__TIFF_TAGS] = {
    256, 257, 258, 259,   262,   277,   284,   317,   322,   323,   324,
    325, 338, 339, 33550, 33922, 34264, 34735, 34736, 34737, 42112, 42113};

/* ---- bytes ---- */

/* Bytes of one value; 0 = unknown type (TIFF 6.0 §2, BigTIFF's 16 to 18). */
TACO__FN size_t taco__tiff_type_size(unsigned type)
{
    static const uint8_t size[19] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
    return type < sizeof size ? size[type] : 0;
}

/* Numbers in the file's byte order. */
TACO__FN uint16_t taco__tiff_load_u16(const taco_tiff *t, const uint8_t *p)
{
    return t->h.big_endian ? (uint16_t)((unsigned)p[0] << 8 | p[1]) : taco__load_le16(p);
}

static uint32_t taco__tiff_load_u32(const taco_tiff *t, const uint8_t *p)
{
    return t->h.big_endian ? taco__load_be32(p) : taco__load_le32(p);
}

static uint64_t taco__tiff_load_u64(const taco_tiff *t, const uint8_t *p)
{
    return t->h.big_endian ? taco__load_be64(p) : taco__load_le64(p);
}

/* RATIONAL and SRATIONAL (TIFF 6.0 §2); 0 if the denominator is 0. */
static double taco__tiff_ratio(double a, double b)
{
    return b < 0 || b > 0 ? a / b : 0;
}

/* A value of any numeric type as a double; 0 for other types. */
TACO__FN double taco__tiff_load_double(const taco_tiff *t, unsigned type, const uint8_t *p)
{
    switch (type) {
    case 1:
    case 7: return p[0];
    case 3: return taco__tiff_load_u16(t, p);
    case 4:
    case 13: return taco__tiff_load_u32(t, p);
    case 5: return taco__tiff_ratio(taco__tiff_load_u32(t, p), taco__tiff_load_u32(t, p + 4));
    case 6: return (int8_t)p[0];
    case 8: return (int16_t)taco__tiff_load_u16(t, p);
    case 9: return (int32_t)taco__tiff_load_u32(t, p);
    case 10:
        return taco__tiff_ratio((int32_t)taco__tiff_load_u32(t, p),
                                (int32_t)taco__tiff_load_u32(t, p + 4));
    case 11: return (double)taco__f32_from_bits(taco__tiff_load_u32(t, p));
    case 12: return taco__f64_from_bits(taco__tiff_load_u64(t, p));
    case 16:
    case 18: return (double)taco__tiff_load_u64(t, p);
    case 17: return (double)(int64_t)taco__tiff_load_u64(t, p);
    default: return 0;
    }
}

/* A value of an unsigned type, or a non-negative one of a signed type: readers should accept BYTE,
   SHORT and LONG for any unsigned number (TIFF 6.0 §2), and some writers use signed types. */
static bool taco__tiff_load_unsigned(const taco_tiff *t, unsigned type, const uint8_t *p,
                                     uint64_t *out)
{
    switch (type) {
    case 1: *out = p[0]; return true;
    case 3: *out = taco__tiff_load_u16(t, p); return true;
    case 4:
    case 13: *out = taco__tiff_load_u32(t, p); return true;
    case 16:
    case 18: *out = taco__tiff_load_u64(t, p); return true;
    case 6: *out = p[0]; return p[0] < 0x80;
    case 8: *out = taco__tiff_load_u16(t, p); return *out < 0x8000;
    case 9: *out = taco__tiff_load_u32(t, p); return *out < 0x80000000U;
    case 17: *out = taco__tiff_load_u64(t, p); return *out <= INT64_MAX;
    default: return false;
    }
}

/* ---- ranges ---- */

/* The len bytes at offset from the ranges read so far, or NULL. All values come from here, so that
   over a network a header costs one request or two, not one per tag. */
static const uint8_t *taco__tiff_find_bytes(const taco_tiff *t, uint64_t offset, uint64_t len)
{
    size_t i;
    for (i = 0; i < t->range_count; i++) {
        const taco__tiff_range *h = &t->ranges[i];
        if (offset >= h->offset && taco__checked_range(offset - h->offset, len, h->bytes.len)) {
            return h->bytes.data + (size_t)(offset - h->offset);
        }
    }
    return NULL;
}

/* Reads [offset, offset + len), which lies inside the file, into the next of t->ranges. */
static bool taco__tiff_read_range(taco_tiff *t, uint64_t offset, uint64_t len, taco_error *err)
{
    taco__tiff_range *h = &t->ranges[t->range_count];
    size_t n = 0;
    if (t->range_count == TACO__COUNT(t->ranges) || !taco__checked_to_size(len, &n)) {
        TACO__FAIL(err, TACO_ERR_LIMIT, offset, "values of tags take %u bytes", TACO__U(len));
        return false;
    }
    h->bytes.mem = &t->mem;
    h->offset = offset;
    t->range_count++;
    if (!taco__buf_reserve(&h->bytes, n, err)) { return false; }
    t->h.reads++;
    if (n && !t->src.read(t->src.ctx, offset, h->bytes.data, n)) {
        TACO__FAIL(err, TACO_ERR_IO, offset, "read of %u bytes failed", TACO__U(n));
        return false;
    }
    h->bytes.len = n;
    return true;
}

/* ---- the directory ---- */

/* Byte order, version, and where the first directory is (TIFF 6.0 §2; BigTIFF: 43, 8, 0, 64
   bits). */
static bool taco__tiff_read_header(taco_tiff *t, uint64_t *ifd, taco_error *err)
{
    uint64_t size = t->src.size;
    const uint8_t *p;
    unsigned version;
    if (!taco__tiff_read_range(t, 0, TACO__MIN(size, (uint64_t)TACO__TIFF_FIRST_READ), err)) {
        return false;
    }
    p = t->ranges[0].bytes.data;
    if (size < 8) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, 0, "a TIFF header needs 8 bytes, the file has %u",
                   size);
        return false;
    }
    t->h.big_endian = p[0] == 'M';
    version = taco__tiff_load_u16(t, p + 2);
    t->h.big = version == 43;
    if (p[0] != p[1] || (p[0] != 'I' && p[0] != 'M') || (version != 42 && version != 43)) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, 0,
                   "not a TIFF: it begins with %x, allowed are 49492a00, 4d4d002a and BigTIFF's 2b",
                   TACO__U(taco__load_be32(p)));
        return false;
    }
    if (t->h.big &&
        (size < 16 || taco__tiff_load_u16(t, p + 4) != 8 || taco__tiff_load_u16(t, p + 6) != 0)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, 4, "BigTIFF with offsets of %u bytes, allowed is 8",
                   TACO__U(taco__tiff_load_u16(t, p + 4)));
        return false;
    }
    *ifd = t->h.big ? taco__tiff_load_u64(t, p + 8) : taco__tiff_load_u32(t, p + 4);
    /* 0 means "no image", less than 8 lies in this header */
    if (*ifd < 8 || *ifd >= size) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, t->h.big ? 8 : 4,
                   "the directory is at byte %u, the file has %u", *ifd, size);
        return false;
    }
    return true;
}

/* The *n entries of the directory at ifd; NULL on failure. Reads at most once, and then includes
   the values, which usually follow. */
static const uint8_t *taco__tiff_read_directory(taco_tiff *t, uint64_t ifd, uint64_t *n,
                                                taco_error *err)
{
    uint64_t size = t->src.size, head = t->h.big ? 8 : 2, entry = t->h.big ? 20 : 12;
    const uint8_t *p = NULL;
    unsigned pass;
    /* the first read may contain everything, as a COG has its directory at the front */
    for (pass = 0; pass < 2; pass++) {
        p = taco__tiff_find_bytes(t, ifd, head);
        if (p) {
            *n = t->h.big ? taco__tiff_load_u64(t, p) : taco__tiff_load_u16(t, p);
            if (*n > TACO__TIFF_MAX_ENTRIES) {
                TACO__FAIL(err, TACO_ERR_CORRUPT, ifd, "directory of %u tags, allowed are %u", *n,
                           TACO__U(TACO__TIFF_MAX_ENTRIES));
                return NULL;
            }
            if (!taco__checked_range(ifd + head, *n * entry, size)) {
                TACO__FAIL(err, TACO_ERR_TRUNCATED, ifd,
                           "directory of %u tags needs %u bytes, the file has %u", *n,
                           ifd + head + *n * entry, size);
                return NULL;
            }
            p = taco__tiff_find_bytes(t, ifd + head, *n * entry);
        }
        if (p || pass == 1) { break; }
        if (!taco__tiff_read_range(
                t, ifd, TACO__MIN(size - ifd, 2 * (uint64_t)TACO__TIFF_SECOND_READ), err)) {
            return NULL;
        }
    }
    if (!p) { TACO__FAIL(err, TACO_ERR_TRUNCATED, ifd, "the file ends inside the directory"); }
    return p;
}

/* Reads one entry of the directory (TIFF 6.0 §2, "IFD Entry"): type, count and offset of a known
   tag. Values of up to 4 bytes, 8 in BigTIFF, are in the entry itself, in place of the offset. If a
   tag has several entries, the last wins. */
static bool taco__tiff_read_entry(taco_tiff *t, const uint8_t *p, uint64_t at, taco_error *err)
{
    unsigned tag = taco__tiff_load_u16(t, p), i, room = t->h.big ? 8 : 4;
    taco__tiff_entry e;
    uint64_t len;
    for (i = 0; i < TACO__TIFF_TAGS && taco__tiff_tags[i] != tag; i++) {}
    if (i == TACO__TIFF_TAGS) { return true; }
    e.type = taco__tiff_load_u16(t, p + 2);
    e.count = t->h.big ? taco__tiff_load_u64(t, p + 4) : taco__tiff_load_u32(t, p + 4);
    if (!taco__tiff_type_size(e.type)) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, at, "tag %u of type %u", TACO__U(tag),
                   TACO__U(e.type));
        return false;
    }
    if (!taco__checked_mul64(e.count, taco__tiff_type_size(e.type), &len)) {
        len = UINT64_MAX; /* in no file: fails the test below */
    }
    e.offset = len <= room ? at + (t->h.big ? 12 : 8)
               : t->h.big  ? taco__tiff_load_u64(t, p + 12)
                           : taco__tiff_load_u32(t, p + 8);
    if (!taco__checked_range(e.offset, len, t->src.size) || !taco__checked_to_size(len, &e.len)) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, at,
                   "tag %u has %u values at byte %u, the file ends at %u", TACO__U(tag), e.count,
                   e.offset, t->src.size);
        return false;
    }
    t->tag[i] = e;
    return true;
}

/* Reads the values that are in no range yet: together, or one by one if that would read too much
   between them. */
static bool taco__tiff_read_values(taco_tiff *t, taco_error *err)
{
    uint64_t lo = UINT64_MAX, hi = 0, sum = 0;
    size_t i;
    for (i = 0; i < TACO__TIFF_TAGS; i++) {
        const taco__tiff_entry *e = &t->tag[i];
        if (e->count && !taco__tiff_find_bytes(t, e->offset, e->len)) {
            lo = TACO__MIN(lo, e->offset);
            hi = TACO__MAX(hi, e->offset + e->len);
            sum += e->len;
        }
    }
    if (hi == 0) { return true; }
    /* These are nearly always the two tile tables, one after the other. A request costs more than
       an unneeded megabyte; but a directory with values at both ends of a large file must not make
       us read all of it. */
    if (hi - lo <= TACO__TIFF_MAX_SPAN && hi - lo <= TACO__TIFF_MAX_GAP + 4 * sum) {
        return taco__tiff_read_range(t, lo, hi - lo, err);
    }
    for (i = 0; i < TACO__TIFF_TAGS; i++) {
        const taco__tiff_entry *e = &t->tag[i];
        if (e->count && !taco__tiff_find_bytes(t, e->offset, e->len) &&
            !taco__tiff_read_range(t, e->offset, e->len, err)) {
            return false;
        }
    }
    return true;
}

/* Sets h.more_images if another directory follows. Its offset is after the entries. */
static bool taco__tiff_has_next(taco_tiff *t, uint64_t at, taco_error *err)
{
    uint64_t len = t->h.big ? 8 : 4;
    const uint8_t *p;
    if (!taco__checked_range(at, len, t->src.size)) {
        return true; /* truncated here, as by some writers */
    }
    if (!taco__tiff_find_bytes(t, at, len) && !taco__tiff_read_range(t, at, len, err)) {
        return false;
    }
    p = taco__tiff_find_bytes(t, at, len);
    t->h.more_images = (t->h.big ? taco__tiff_load_u64(t, p) : taco__tiff_load_u32(t, p)) != 0;
    return true;
}

/* What GDAL's COG driver writes between the header and the first directory: lines of text, one of
   which gives the order of the file. */
static void taco__tiff_read_ghost(taco_tiff *t)
{
    const taco__buf *first = &t->ranges[0].bytes;
    size_t at = t->h.big ? 16 : 8;
    taco_bytes ghost;
    if (first->len <= at) { return; }
    ghost = taco__bytes_of(first->data + at, TACO__MIN(first->len - at, (size_t)512));
    t->is_cog = taco__bytes_starts_with(ghost, "GDAL_STRUCTURAL_METADATA_SIZE=") &&
                taco__tiff_find_text(ghost, "LAYOUT=IFDS_BEFORE_DATA") != SIZE_MAX;
}

/* Reads all tags, without interpreting them: fills t->tag, and the ranges that hold their
   values. */
static bool taco__tiff_read_tags(taco_tiff *t, taco_error *err)
{
    uint64_t ifd = 0, n = 0, i, entry, head;
    const uint8_t *p;
    if (!taco__tiff_read_header(t, &ifd, err)) { return false; }
    taco__tiff_read_ghost(t);
    entry = t->h.big ? 20 : 12;
    head = t->h.big ? 8 : 2;
    p = taco__tiff_read_directory(t, ifd, &n, err);
    for (i = 0; p && i < n; i++) {
        if (!taco__tiff_read_entry(t, p + (size_t)(i * entry), ifd + head + i * entry, err)) {
            return false;
        }
    }
    return p && taco__tiff_has_next(t, ifd + head + n * entry, err) &&
           taco__tiff_read_values(t, err);
}

/* ---- values ---- */

/* The e->len bytes of a tag's values; NULL if the tag is absent. */
TACO__FN const uint8_t *taco__tiff_values(const taco_tiff *t, unsigned tag)
{
    const taco__tiff_entry *e = &t->tag[tag];
    return e->count ? taco__tiff_find_bytes(t, e->offset, e->len) : NULL;
}

/* The first value of a tag, or `otherwise` if absent. False if it is not an unsigned number of 32
   bits. */
TACO__FN bool taco__tiff_get_number(const taco_tiff *t, unsigned tag, uint32_t otherwise,
                                    uint32_t *out, taco_error *err)
{
    const uint8_t *p = taco__tiff_values(t, tag);
    uint64_t x = 0;
    *out = otherwise;
    if (!p) { return true; }
    if (!taco__tiff_load_unsigned(t, t->tag[tag].type, p, &x) || x > UINT32_MAX) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, t->tag[tag].offset,
                   "tag %u is not a number of 32 bits (type %u)", TACO__U(taco__tiff_tags[tag]),
                   TACO__U(t->tag[tag].type));
        return false;
    }
    *out = (uint32_t)x;
    return true;
}

/* All *n values of a tag, in the arena; *out stays NULL if the tag is absent. */
TACO__FN bool taco__tiff_get_numbers(taco_tiff *t, unsigned tag, const uint64_t **out, size_t *n,
                                     taco_error *err)
{
    const taco__tiff_entry *e = &t->tag[tag];
    const uint8_t *p = taco__tiff_values(t, tag);
    size_t i, size = taco__tiff_type_size(e->type);
    uint64_t *to;
    if (!p) { return true; }
    *n = e->len / size;
    to = (uint64_t *)taco__arena_array(&t->arena, *n, sizeof *to, err);
    for (i = 0; to && i < *n; i++) {
        if (!taco__tiff_load_unsigned(t, e->type, p + i * size, &to[i])) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, e->offset + i * size,
                       "tag %u is not a list of unsigned numbers (type %u)",
                       TACO__U(taco__tiff_tags[tag]), TACO__U(e->type));
            return false;
        }
    }
    *out = to;
    return to != NULL;
}

/* The same as doubles; values of other types are 0. */
TACO__FN bool taco__tiff_get_doubles(taco_tiff *t, unsigned tag, const double **out, size_t *n,
                                     taco_error *err)
{
    const taco__tiff_entry *e = &t->tag[tag];
    const uint8_t *p = taco__tiff_values(t, tag);
    size_t i, size = taco__tiff_type_size(e->type);
    double *to;
    if (!p) { return true; }
    *n = e->len / size;
    to = (double *)taco__arena_array(&t->arena, *n, sizeof *to, err);
    for (i = 0; to && i < *n; i++) {
        to[i] = taco__tiff_load_double(t, e->type, p + i * size);
    }
    *out = to;
    return to != NULL;
}

/* The text of a tag, up to its first zero byte. */
TACO__FN taco_bytes taco__tiff_get_text(const taco_tiff *t, unsigned tag)
{
    const uint8_t *p = taco__tiff_values(t, tag);
    const void *end = p ? memchr(p, 0, t->tag[tag].len) : NULL;
    return taco__bytes_of(p, end ? (size_t)((const uint8_t *)end - p) : p ? t->tag[tag].len : 0);
}

/* Where needle begins in b, or SIZE_MAX. */
TACO__FN size_t taco__tiff_find_text(taco_bytes b, const char *needle)
{
    size_t i, n = strlen(needle);
    for (i = 0; n <= b.len && i <= b.len - n; i++) {
        if (memcmp(b.data + i, needle, n) == 0) { return i; }
    }
    return SIZE_MAX;
}

/* ---- the calls ---- */

/* Frees the ranges, once everything that the header keeps is in the arena. */
static void taco__tiff_free_ranges(taco_tiff *t)
{
    while (t->range_count) {
        taco__buf_free(&t->ranges[--t->range_count].bytes);
    }
}

TACO_API void taco_tiff_close(taco_tiff *t)
{
    if (t) {
        taco__mem mem;
        taco__tiff_free_ranges(t);
        taco__buf_free(&t->json);
        taco__buf_free(&t->taco);
        taco__arena_free(&t->arena);
        mem = t->mem;
        taco__mem_free(&mem, t, sizeof *t);
    }
}

TACO_API taco_tiff *taco_tiff_open(const taco_source *src, const char *name,
                                   const taco_options *opt, taco_error *err)
{
    taco__mem mem;
    taco_tiff *t;
    bool ok;
    taco_error own;
    err = taco__error_fresh(err, NULL);
    memset(&own, 0, sizeof own);
    if (!taco__source_check(src, err)) { return NULL; }
    taco__mem_init(&mem, opt);
    t = (taco_tiff *)taco__mem_alloc(&mem, sizeof *t, err);
    if (!t) { return NULL; }
    t->mem = mem;
    t->arena.mem = t->json.mem = t->taco.mem = &t->mem;
    t->src = *src;
    ok = taco__tiff_read_tags(t, &own) && taco__tiff_image_read(t, &own) &&
         taco__geo_keys_read_transform(t, &own);
    if (ok) {
        taco__tiff_image_read_gdal(t);
        taco__geo_keys_read_crs(t);
        t->name = taco__arena_text(&t->arena, taco__bytes_text(name ? name : "TIFF"), &own);
        ok = t->name != NULL;
    }
    memset(&t->src, 0, sizeof t->src);
    taco__tiff_free_ranges(t);
    if (!ok) {
        taco__error_prefix(&own, "%s", name ? name : "TIFF");
        taco__error_copy(err, &own);
        taco_tiff_close(t);
        return NULL;
    }
    return t;
}

TACO_API const taco_tiff_header *taco_tiff_get(const taco_tiff *t)
{
    return t ? &t->h : NULL;
}

/* The error for calls whose TIFF is NULL. */
TACO__FN taco_status taco__tiff_fail_null(taco_error *err)
{
    return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no TIFF given");
}
