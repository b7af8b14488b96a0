/* cozip.c - the index of a CoZIP archive: names and ranges, every one of them checked

   In: the first bytes of an archive and its last 32 KiB, read in one round. Out: the entries of its
   index. CoZIP 1: the first entry of the archive is __cozip__, stored, with an extra field 0xCA0C
   that has the hash of the index and of the end of the archive.

       30 + 9 + 12 bytes: local header, name, extra field 0xCA0C; then, all little-endian,
       "CZIP", u16 version, u8 profile, u32 n,
       n x u16 lengths, names, n x u64 offsets from byte 0, n x u64 sizes

   No bytes may be left over, names are unique and cannot lead out of a directory, and ranges lie in
   the archive, after the header. The hash, FNV-1a of 64 bits, covers the index, then the last
   32,768 bytes: the central directory and the end of the metadata. It is checked always, of local
   files, too: an archive that was cut or changed is noticed before anything of it is used. Nothing
   is read from the central directory, which validation compares with the index. The words in
   capitals that begin messages are the names that CoZIP gives to errors.

   Start reading at taco__cozip_read. */
#include "v3.h"

/* Whether a file begins with an entry __cozip__: whatever is wrong with the rest, it is one. */
TACO__FN bool taco__cozip_is_head(taco_bytes head)
{
    return head.len >= 39 && taco__load_le32(head.data) == TACO__ZIP_SIG_LOCAL &&
           taco__load_le16(head.data + 26) == 9 && memcmp(head.data + 30, "__cozip__", 9) == 0;
}

/* ---- the local header ---- */

/* A fault of the index at a byte of the archive; false. */
static bool taco__cozip_fail(uint64_t at, const char *what, taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_CORRUPT, at, "%s", what);
    return false;
}

/* Checks the local header, and sets *size to the bytes of the index. */
static bool taco__cozip_check_header(const uint8_t *p, uint64_t file_size, uint64_t *size,
                                     taco_error *err)
{
    uint32_t stored = taco__load_le32(p + 18), plain = taco__load_le32(p + 22);
    if (taco__load_le16(p + 6) & 0x2049U) {
        return taco__cozip_fail(
            6, "INVALID_LFH: __cozip__ is encrypted, patched or has a descriptor", err);
    }
    if (taco__load_le16(p + 8)) {
        return taco__cozip_fail(8, "INVALID_LFH: __cozip__ is compressed, must be stored", err);
    }
    if (stored != plain || !plain || plain == UINT32_MAX) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, 18,
                   "INVALID_LFH: __cozip__ has sizes %u and %u, must be equal and not 0",
                   TACO__U(stored), TACO__U(plain));
        return false;
    }
    if (taco__load_le16(p + 28) != 12 || taco__load_le16(p + 39) != 0xCA0C ||
        taco__load_le16(p + 41) != 8) {
        return taco__cozip_fail(28, "INVALID_LFH: __cozip__ has no extra field 0xCA0C with a hash",
                                err);
    }
    if (!taco__checked_range(TACO__COZIP_HEADER_BYTES, plain, file_size)) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, 22,
                   "TRUNCATED_INDEX: an index of %u bytes, the archive has %u", TACO__U(plain),
                   file_size);
        return false;
    }
    *size = plain;
    return true;
}

/* ---- the hash ---- */

/* FNV-1a, 64 bits. */
static uint64_t taco__cozip_hash(uint64_t h, const uint8_t *p, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        h = (h ^ p[i]) * UINT64_C(0x100000001B3);
    }
    return h;
}

/* The hash of the index, then of the last bytes of the archive; bytes in both count once. */
static bool taco__cozip_check_hash(taco__file *f, taco_bytes index, uint64_t stored,
                                   taco_error *err)
{
    uint64_t end = TACO__COZIP_HEADER_BYTES + (uint64_t)index.len,
             at = TACO__MAX(f->src.size - TACO__COZIP_TAIL_BYTES, end), h;
    size_t n = (size_t)(f->src.size - at);
    const uint8_t *tail;
    taco__buf scratch;
    memset(&scratch, 0, sizeof scratch);
    scratch.mem = f->mem;
    h = taco__cozip_hash(UINT64_C(0xCBF29CE484222325), index.data, index.len);
    tail = n ? taco__file_view(f, at, n, &scratch, err) : index.data;
    if (tail) { h = taco__cozip_hash(h, tail, n); }
    taco__buf_free(&scratch);
    if (!tail) { return false; }
    if (h != stored) {
        TACO__FAIL(err, TACO_ERR_CHECKSUM, 43,
                   "HASH_MISMATCH: index and end of the archive have another hash than stored");
        return false;
    }
    return true;
}

/* ---- the entries ---- */

/* Checks one entry. */
static bool taco__cozip_check_entry(const taco__cozip_entry *e, uint64_t file_size, uint64_t at,
                                    taco_error *err)
{
    static const char what[] = "INVALID_NAME: the index: name";
    const taco_bytes name = e->name;
    size_t i;
    for (i = 0; i < name.len && name.data[i] <= 0x7F; i++) {}
    if (i < name.len || (name.len > 1 && name.data[1] == ':') ||
        taco__bytes_equal(name, taco__bytes_text("__cozip__")) ||
        taco__bytes_equal(name, taco__bytes_text("__cozip_padding__"))) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at, "%s %q is not ASCII, has a drive, or is reserved",
                   what, &name);
        return false;
    }
    if (taco__vsi_check_path(name, false, what, err) != TACO_OK) { return false; }
    if (e->range.len == 0 || e->range.offset < TACO__COZIP_HEADER_BYTES ||
        !taco__checked_range(e->range.offset, e->range.len, file_size)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                   "INVALID_OFFSET: the index has %q at %u with %u bytes, the archive has %u",
                   &e->name, e->range.offset, e->range.len, file_size);
        return false;
    }
    return true;
}

/* The offset of names in the index, and whether its parts add up to its size. */
static bool taco__cozip_check_lengths(taco_bytes index, uint64_t n, size_t *names, taco_error *err)
{
    uint64_t total = TACO__COZIP_FIXED_BYTES, i;
    if (n > index.len / 19) { /* the least that an entry takes: a length, a byte, two numbers */
        TACO__FAIL(err, TACO_ERR_CORRUPT, 58, "TRUNCATED_INDEX: %u entries in an index of %u bytes",
                   n, TACO__U(index.len));
        return false;
    }
    *names = TACO__COZIP_FIXED_BYTES + 2 * (size_t)n;
    total += n * 18;
    for (i = 0; i < n; i++) {
        uint16_t len = taco__load_le16(index.data + TACO__COZIP_FIXED_BYTES + 2 * i);
        if (!len) { return taco__cozip_fail(62 + 2 * i, "INVALID_NAME: an empty name", err); }
        total += len;
    }
    if (total != index.len) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, 58,
                   "TRUNCATED_INDEX: %u entries need %u bytes, the index has %u", n, total,
                   TACO__U(index.len));
        return false;
    }
    return true;
}

/* Reads the entries of an index whose hash is right; names are copied to the arena. */
static bool taco__cozip_read_entries(taco_bytes index, uint64_t file_size, taco__arena *arena,
                                     taco__cozip *out, taco_error *err)
{
    size_t n = taco__load_le32(index.data + 7), at, numbers, i;
    bool ok = true;
    if (!taco__cozip_check_lengths(index, n, &at, err)) { return false; }
    numbers = index.len - 16 * n;
    out->entries = (taco__cozip_entry *)taco__arena_array(arena, n + 1, sizeof *out->entries, err);
    for (i = 0; (ok = ok && out->entries) && i < n; i++) {
        taco__cozip_entry *e = &out->entries[i];
        size_t len = taco__load_le16(index.data + TACO__COZIP_FIXED_BYTES + 2 * i);
        char *name = taco__arena_text(arena, taco__bytes_of(index.data + at, len), err);
        taco__hash_slot *slot = NULL;
        bool added = true;
        e->name = taco__bytes_of(name, len);
        e->range.offset = taco__load_le64(index.data + numbers + 8 * i);
        e->range.len = taco__load_le64(index.data + numbers + 8 * n + 8 * i);
        ok = name && taco__cozip_check_entry(e, file_size, TACO__COZIP_HEADER_BYTES + at, err);
        slot = ok ? taco__hash_map_add(&out->names, e->name, &added, err) : NULL;
        ok = slot != NULL;
        if (ok) { slot->value = i; }
        if (ok && !added) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO__COZIP_HEADER_BYTES + at,
                       "DUPLICATE_NAME: the index lists %q twice", &e->name);
            ok = false;
        }
        at += len;
    }
    out->count = n;
    return ok;
}

/* Checks what precedes the entries. */
static bool taco__cozip_check_fixed(taco_bytes index, taco_error *err)
{
    if (index.len < TACO__COZIP_FIXED_BYTES || memcmp(index.data, "CZIP", 4) != 0) {
        return taco__cozip_fail(51, "INVALID_MAGIC: the index does not begin with CZIP", err);
    }
    if (taco__load_le16(index.data + 4) != 1) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, 55,
                   "UNSUPPORTED_VERSION: CoZIP version %u, 1 is supported",
                   TACO__U(taco__load_le16(index.data + 4)));
        return false;
    }
    if (index.data[6] != 2) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, 57,
                   "UNKNOWN_PROFILE: a CoZIP of profile %u, not a TACO 3 (2)",
                   TACO__U(index.data[6]));
        return false;
    }
    return true;
}

/* Fetches the index, or what of it is in the first bytes, and the end, in one round. */
static bool taco__cozip_fetch(taco__file *f, taco_error *err)
{
    taco__range want[2];
    bool roomy = taco__mem_ahead(f->mem, TACO__COZIP_FIRST_BYTES) == TACO__COZIP_FIRST_BYTES;
    want[0].offset = 0;
    want[0].len = TACO__MIN(f->src.size, (uint64_t)TACO__COZIP_FIRST_BYTES);
    want[1].offset = f->src.size - TACO__COZIP_TAIL_BYTES;
    want[1].len = TACO__COZIP_TAIL_BYTES;
    return taco__file_fetch(f, want, roomy ? 2 : 0, err);
}

/* Checks the index in the order in which its bytes may be trusted: magic and version say whether it
   is one, the hash whether it is whole, and only then are names and ranges taken from it. */
static bool taco__cozip_read_index(taco__file *f, const uint8_t *header, uint64_t size,
                                   taco__arena *arena, taco__cozip *out, taco_error *err)
{
    uint64_t stored = taco__load_le64(header + 43);
    taco__buf scratch;
    taco_bytes index;
    bool ok;
    memset(&scratch, 0, sizeof scratch);
    scratch.mem = f->mem;
    index.len = (size_t)size;
    index.data = taco__file_view(f, TACO__COZIP_HEADER_BYTES, index.len, &scratch, err);
    ok = index.data && taco__cozip_check_fixed(index, err) &&
         taco__cozip_check_hash(f, index, stored, err) &&
         taco__cozip_read_entries(index, f->src.size, arena, out, err);
    taco__buf_free(&scratch);
    return ok;
}

/* Reads and checks the index of an archive; taco__cozip_free frees it. */
TACO__FN bool taco__cozip_read(taco__file *f, taco__arena *arena, const taco_limits *limits,
                               taco__cozip *out, taco_error *err)
{
    uint8_t header[TACO__COZIP_HEADER_BYTES];
    uint64_t size;
    memset(out, 0, sizeof *out);
    out->names.mem = arena->mem;
    if (f->src.size < TACO__COZIP_HEADER_BYTES + TACO__COZIP_TAIL_BYTES) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, TACO_NO_OFFSET,
                   "ARCHIVE_TOO_SMALL: %u bytes, a CoZIP has at least %u", f->src.size,
                   TACO__U(TACO__COZIP_HEADER_BYTES + TACO__COZIP_TAIL_BYTES));
        return false;
    }
    if (!taco__cozip_fetch(f, err) || !taco__file_read(f, 0, header, sizeof header, err) ||
        !taco__cozip_check_header(header, f->src.size, &size, err)) {
        return false;
    }
    if (size > limits->max_metadata || size > SIZE_MAX / 2) {
        TACO__FAIL(err, TACO_ERR_LIMIT, 22, "an index of %u bytes, limits.max_metadata is %u", size,
                   limits->max_metadata);
        return false;
    }
    return taco__cozip_read_index(f, header, size, arena, out, err);
}

/* The entry of that name; NULL: none. */
TACO__FN const taco__cozip_entry *taco__cozip_find(const taco__cozip *x, taco_bytes name)
{
    const taco__hash_slot *slot = taco__hash_map_find(&x->names, name);
    return slot ? &x->entries[slot->value] : NULL;
}

/* Also after a failure of taco__cozip_read. */
TACO__FN void taco__cozip_free(taco__cozip *x)
{
    taco__hash_map_free(&x->names);
}
