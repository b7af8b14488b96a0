/* container_index.c - where the metadata of an archive or a TACOCAT is

   In: the first bytes of a file, or its central directory. Out: a taco__index whose ranges lie
   inside the file and do not overlap, so that no caller has to check them again. TACO 2.0 §6.3,
   §6.5.

   An archive begins with an entry TACO_HEADER of 116 bytes: a count, 3 bytes of padding, and pairs
   of offset and length, one for each level and the last for COLLECTION.json
   (taco__index_read_header). If it is damaged, it is rebuilt from the central directory
   (taco__index_recover). A catalogue begins with its own header of 128 bytes: magic, version,
   depth, six levels and the collection (taco__index_read_tacocat). All of them end in
   taco__index_check_ranges. */
#include "archive.h"
#include "../base/base.h"

/* ---- proofs shared by the three ---- */

/* Name of range i in messages: the levels, then the collection. */
static const char *taco__index_range_name(size_t i)
{
    static const char *const names[] = {"level0", "level1", "level2",         "level3",
                                        "level4", "level5", "COLLECTION.json"};
    return names[TACO__MIN(i, TACO__COUNT(names) - 1)];
}

/* Range i: the levels, then the collection. */
static const taco__range *taco__index_get_range(const taco__index *x, size_t i)
{
    return i < TACO__INDEX_LEVELS ? &x->level[i] : &x->collection;
}

/* Offset in the file at which range i is given, for messages. */
static uint64_t taco__index_pair_offset(const taco__index *x, size_t i)
{
    return x->table ? x->table + 16 * (i < TACO__INDEX_LEVELS ? (uint64_t)i : x->last)
                    : TACO_NO_OFFSET;
}

/* Every range lies between the header, which ends at `first`, and the end of the file, and none
   overlaps another. */
static taco_status taco__index_check_ranges(const taco__index *x, uint64_t first,
                                            uint64_t file_size, const char *who, taco_error *err)
{
    size_t i, k;
    for (i = 0; i <= TACO__INDEX_LEVELS; i++) {
        const taco__range *a = taco__index_get_range(x, i);
        if (a->len == 0) { continue; }
        if (a->len > UINT64_MAX - a->offset) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, taco__index_pair_offset(x, i),
                              "%s: %s has %u bytes at %u, past 2^64", who,
                              taco__index_range_name(i), a->len, a->offset);
        }
        if (a->offset + a->len > file_size) {
            return TACO__FAIL(err, TACO_ERR_TRUNCATED, taco__index_pair_offset(x, i),
                              "%s: %s has %u bytes at %u, past the end of the file at %u", who,
                              taco__index_range_name(i), a->len, a->offset, file_size);
        }
        if (a->offset < first) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, taco__index_pair_offset(x, i),
                              "%s: %s at %u overlaps the header, which ends at %u", who,
                              taco__index_range_name(i), a->offset, first);
        }
        for (k = 0; k < i; k++) {
            const taco__range *b = taco__index_get_range(x, k);
            if (b->len && a->offset < b->offset + b->len && b->offset < a->offset + a->len) {
                return TACO__FAIL(err, TACO_ERR_CORRUPT, taco__index_pair_offset(x, i),
                                  "%s: %s (%u bytes at %u) overlaps %s (%u bytes at %u)", who,
                                  taco__index_range_name(i), a->len, a->offset,
                                  taco__index_range_name(k), b->len, b->offset);
            }
        }
    }
    return TACO_OK;
}

/* level0 and the collection are required; deeper levels may be missing. */
static taco_status taco__index_check_required(taco__index *x, const char *who, taco_error *err)
{
    size_t i;
    if (x->level[0].len == 0) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, taco__index_pair_offset(x, 0),
                          "%s: level0 is missing or empty", who);
    }
    if (x->collection.len == 0) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, taco__index_pair_offset(x, TACO__INDEX_LEVELS),
                          "%s: COLLECTION.json is missing or empty", who);
    }
    x->levels = 0;
    for (i = 0; i < TACO__INDEX_LEVELS; i++) {
        if (x->level[i].len) {
            x->odd |= x->levels < i ? TACO__INDEX_ODD_GAP : 0;
            x->levels = (uint32_t)i + 1;
        }
    }
    return TACO_OK;
}

/* ---- TACO_HEADER ---- */

/* Says what the first bytes are, if they are not those of an archive of this format. */
static taco_status taco__index_check_magic(taco_bytes first, uint64_t file_size, taco_error *err)
{
    taco_bytes magic = taco__bytes_of(first.data, TACO__MIN(first.len, (size_t)4));
    if (file_size == 0) { return TACO__FAIL(err, TACO_ERR_TRUNCATED, 0, "the file is empty"); }
    if (taco__bytes_starts_with(magic, "#y")) {
        return TACO__FAIL(
            err, TACO_ERR_UNSUPPORTED, 0,
            "a Tortilla 0.x file (magic '#y'), not a TACO 2 archive: taco convert makes one");
    }
    if (taco__bytes_starts_with(magic, "WX")) {
        return TACO__FAIL(
            err, TACO_ERR_UNSUPPORTED, 0,
            "a TACO 0.x file (magic 'WX'), not a TACO 2 archive: taco convert makes one");
    }
    if (!taco__bytes_starts_with(magic, "PK\3\4")) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, 0,
                          "not a ZIP archive, which begins with 'PK\\x03\\x04': %q", &magic);
    }
    if (first.len < TACO__ZIP_LOCAL_BYTES) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, file_size,
                          "a local header needs 30 bytes, the file has %u", file_size);
    }
    return TACO_OK;
}

/* The name of the first entry, at byte 30, decides whether it is a TACO archive, and which. */
static taco_status taco__index_check_first_entry(taco_bytes first, uint64_t file_size,
                                                 taco__index *out, taco_error *err)
{
    size_t len = taco__load_le16(first.data + 26), have = first.len - TACO__ZIP_LOCAL_BYTES,
           payload = TACO__ZIP_LOCAL_BYTES + len;
    taco_bytes name = taco__bytes_of(first.data + TACO__ZIP_LOCAL_BYTES, TACO__MIN(len, have));
    if (taco__bytes_equal(name, taco__bytes_text("__cozip__"))) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO__ZIP_LOCAL_BYTES,
                          "a TACO 3 archive (first entry '__cozip__'), TACO 2 is read");
    }
    if (taco__bytes_equal(name, taco__bytes_text("TACO_GHOST"))) {
        out->odd |= TACO__INDEX_ODD_NAME;
    } else if (!taco__bytes_equal(name, taco__bytes_text("TACO_HEADER"))) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO__ZIP_LOCAL_BYTES,
                          "the first entry is %q, a TACO archive begins with TACO_HEADER", &name);
    }
    out->recover = true;
    out->table = (uint32_t)payload + 4;
    if (first.len < payload + TACO__INDEX_PAYLOAD_BYTES) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, file_size,
                          "TACO_HEADER: needs %u bytes, the file has %u",
                          TACO__U(payload + TACO__INDEX_PAYLOAD_BYTES), file_size);
    }
    if (taco__load_le16(first.data + 28) || taco__load_le16(first.data + 8)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, 8,
                          "TACO_HEADER: method %u and %u bytes of extra field, both must be 0",
                          TACO__U(taco__load_le16(first.data + 8)),
                          TACO__U(taco__load_le16(first.data + 28)));
    }
    if (taco__load_le32(first.data + 18) != TACO__INDEX_PAYLOAD_BYTES ||
        taco__load_le32(first.data + 22) != TACO__INDEX_PAYLOAD_BYTES) {
        out->odd |= TACO__INDEX_ODD_LENGTH;
    }
    if (taco__load_le32(first.data + 14) !=
        taco__crc32(0, first.data + payload, TACO__INDEX_PAYLOAD_BYTES)) {
        out->odd |= TACO__INDEX_ODD_CRC;
    }
    return TACO_OK;
}

/* Reads the header of an archive from its first bytes, TACO__INDEX_HEADER_BYTES of them or a whole
   shorter file. On failure out->recover says whether the central directory is worth a try. */
TACO__FN taco_status taco__index_read_header(taco_bytes first, uint64_t file_size, taco__index *out,
                                             taco_error *err)
{
    const uint8_t *p;
    size_t i;
    taco_status st;
    memset(out, 0, sizeof *out);
    st = taco__index_check_magic(first, file_size, err);
    st = st == TACO_OK ? taco__index_check_first_entry(first, file_size, out, err) : st;
    if (st != TACO_OK) { return st; }
    p = first.data + out->table - 4;
    out->count = p[0];
    out->last = out->count - 1U;
    out->odd |= p[1] | p[2] | p[3] ? TACO__INDEX_ODD_PADDING : 0;
    if (out->count == 0) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, out->table - 4U,
                          "Empty TACO_HEADER: its count of entries is 0");
    }
    if (out->count == 1 || out->count > TACO__INDEX_LEVELS + 1) {
        return TACO__FAIL(
            err, TACO_ERR_CORRUPT, out->table - 4U,
            "TACO_HEADER: a count of %u entries, needs 2 (level0, COLLECTION.json) to 7",
            TACO__U(out->count));
    }
    for (i = 0; i < out->count; i++) {
        taco__range r;
        r.offset = taco__load_le64(p + 4 + 16 * i);
        r.len = taco__load_le64(p + 12 + 16 * i);
        if (i + 1 == out->count) {
            out->collection = r;
        } else {
            out->level[i] = r;
        }
    }
    st = taco__index_check_required(out, "TACO_HEADER", err);
    st = st == TACO_OK ? taco__index_check_ranges(out, out->table - 4U + TACO__INDEX_PAYLOAD_BYTES,
                                                  file_size, "TACO_HEADER", err)
                       : st;
    out->recover = st != TACO_OK;
    return st;
}

/* ---- central directory ---- */

/* The slot of METADATA/level{0-5}.parquet or COLLECTION.json; NULL for every other name. */
TACO__FN taco__range *taco__index_find_slot(taco__index *x, taco_bytes name)
{
    if (taco__bytes_equal(name, taco__bytes_text("COLLECTION.json"))) { return &x->collection; }
    if (name.len == 23 && taco__bytes_starts_with(name, "METADATA/level") &&
        memcmp(name.data + 15, ".parquet", 8) == 0 && name.data[14] >= '0' &&
        name.data[14] < '0' + TACO__INDEX_LEVELS) {
        return &x->level[name.data[14] - '0'];
    }
    return NULL;
}

/* Builds the index from the entries of the central directory, for archives with a damaged
   TACO_HEADER. Offsets come from the local headers, which are read and must agree. */
TACO__FN taco_status taco__index_from_directory(taco__file *f, const taco__zip_dir *dir,
                                                taco_bytes directory, taco__index *out,
                                                taco__buf *scratch, taco_error *err)
{
    taco__zip_iter it = taco__zip_iter_init(directory, dir);
    taco__zip_entry e;
    taco_status st;
    memset(out, 0, sizeof *out);
    while (taco__zip_next(&it, &e, err)) {
        taco__zip_local_header local;
        taco__range *slot = taco__index_find_slot(out, e.name);
        if (!slot) { continue; }
        if (slot->len) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, e.at, "central directory: two entries %q",
                              &e.name);
        }
        st = taco__zip_check_stored(&e, err);
        st = st == TACO_OK ? taco__zip_locate_entry(f, dir, &e, &local, scratch, err) : st;
        if (st != TACO_OK) { return st; }
        slot->offset = local.data;
        slot->len = e.csize;
        out->count++;
    }
    if (it.bad) { return err ? err->code : TACO_ERR_CORRUPT; }
    st = taco__index_check_required(out, "central directory", err);
    return st == TACO_OK ? taco__index_check_ranges(out, 0, dir->offset, "central directory", err)
                         : st;
}

/* The same from the file alone: reads end records and directory. limit is limits.max_metadata. */
TACO__FN taco_status taco__index_recover(taco__file *f, uint64_t limit, taco__index *out,
                                         taco_error *err)
{
    taco__buf whole, scratch;
    taco__zip_dir dir;
    taco_bytes directory;
    taco_status st;
    memset(out, 0, sizeof *out);
    memset(&whole, 0, sizeof whole);
    whole.mem = f->mem;
    scratch = whole;
    st = taco__zip_open(f, &dir, &whole, err);
    st = st == TACO_OK ? taco__zip_read_directory(f, &dir, limit, &whole, &directory, err) : st;
    st = st == TACO_OK ? taco__index_from_directory(f, &dir, directory, out, &scratch, err) : st;
    taco__buf_free(&whole);
    taco__buf_free(&scratch);
    return st;
}

/* Compares a TACO_HEADER with the directory of the same archive: every range must be the entry of
   that name. */
TACO__FN taco_status taco__index_compare(const taco__index *header, const taco__index *directory,
                                         taco_error *err)
{
    size_t i;
    for (i = 0; i <= TACO__INDEX_LEVELS; i++) {
        const taco__range *a = taco__index_get_range(header, i),
                          *b = taco__index_get_range(directory, i);
        if (a->len != b->len || (a->len && a->offset != b->offset)) {
            return TACO__FAIL(
                err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                "TACO_HEADER: %s has %u bytes at %u, the central directory says %u at %u",
                taco__index_range_name(i), a->len, a->offset, b->len, b->offset);
        }
    }
    return TACO_OK;
}

/* ---- TACOCAT ---- */

/* True if the first bytes are those of a `__TACOCAT__` file. */
TACO__FN bool taco__index_is_tacocat(taco_bytes first)
{
    return first.len >= 7 && memcmp(first.data, "TACOCAT", 7) == 0;
}

/* Reads the binary header of a TACOCAT: magic, version, depth, six levels and the collection, all
   little-endian. */
TACO__FN taco_status taco__index_read_tacocat(taco_bytes first, uint64_t file_size,
                                              taco__index *out, taco_error *err)
{
    taco__byte_reader c = taco__byte_reader_init(first);
    taco_bytes magic = taco__bytes_of(first.data, TACO__MIN(first.len, (size_t)8));
    uint32_t version, depth;
    size_t i;
    taco_status st;
    memset(out, 0, sizeof *out);
    out->table = 16;
    out->last = TACO__INDEX_LEVELS;
    if (first.len < TACO__INDEX_TACOCAT_BYTES) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, file_size,
                          "TACOCAT: a header needs %u bytes, the file has %u",
                          TACO__U(TACO__INDEX_TACOCAT_BYTES), file_size);
    }
    if (memcmp(magic.data, "TACOCAT\0", 8) != 0) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, 0,
                          "TACOCAT: begins with %q, must be 'TACOCAT\\x00'", &magic);
    }
    taco__byte_reader_take(&c, 8);
    version = taco__byte_reader_le32(&c);
    depth = taco__byte_reader_le32(&c);
    if (version != 1) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, 8, "TACOCAT: version %u, only 1 is supported",
                          TACO__U(version));
    }
    if (depth >= TACO__INDEX_LEVELS) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, 12, "TACOCAT: depth %u, at most 5",
                          TACO__U(depth));
    }
    for (i = 0; i < TACO__INDEX_LEVELS; i++) {
        out->level[i].offset = taco__byte_reader_le64(&c);
        out->level[i].len = taco__byte_reader_le64(&c);
        out->count += out->level[i].len != 0;
    }
    out->collection.offset = taco__byte_reader_le64(&c);
    out->collection.len = taco__byte_reader_le64(&c);
    out->count += out->collection.len != 0;
    st = taco__index_check_required(out, "TACOCAT", err);
    if (st == TACO_OK && out->levels > depth + 1) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, 12, "TACOCAT: depth %u, but %s is there",
                          TACO__U(depth), taco__index_range_name(out->levels - 1));
    }
    return st == TACO_OK
               ? taco__index_check_ranges(out, TACO__INDEX_TACOCAT_BYTES, file_size, "TACOCAT", err)
               : st;
}
