/* check_replaced.c - bytes of an archive that taco add has replaced

   In: an archive, and a range of its bytes that belongs to no entry of the central directory. Out:
   whether it is metadata that has been replaced by newer metadata, which is not a problem. Adding
   columns in place writes new __meta__, METADATA and COLLECTION.json after the old ones, and a new
   central directory. The old ones stay in place, so that a reader that has the archive open, or
   opens it after a crash, finds them complete.

   taco__check_replaced_is_metadata walks the range: local headers of metadata (APPNOTE §4.3.7),
   each with its bytes, then perhaps an old central directory up to its end record; the last record
   may be cut.
   taco__check_replaced_begins looks at what follows the archive that TACO_HEADER describes. */
#include "validate.h"
#include "../base/base.h"
#include "../dataset/archive.h"

/* Sizes of a local header, a directory entry and the end record, each without names, and of the
   ZIP64 end record and its locator (APPNOTE §4.3.7, §4.3.12, §4.3.14 to §4.3.16). */
#define TACO__REPLACED_LOCAL     30
#define TACO__REPLACED_DIRECTORY 46
#define TACO__REPLACED_END       22
#define TACO__REPLACED_END64     56
#define TACO__REPLACED_LOCATOR   20

/* True for entries that are rewritten when columns are added. */
static bool taco__check_replaced_is_metadata_name(taco_bytes name)
{
    static const char meta[] = "/__meta__";
    size_t n = sizeof meta - 1;
    return taco__bytes_equal(name, taco__bytes_text("COLLECTION.json")) ||
           taco__bytes_starts_with(name, "METADATA/") ||
           (name.len > n && memcmp(name.data + name.len - n, meta, n) == 0);
}

/* Length of the local header at `at` with its bytes, 0 if it is not a header of metadata. ZIP64
   sizes would be in the extra field (§4.5.3), which taco add does not write. */
static uint64_t taco__check_replaced_entry(taco__check_zip *z, uint64_t at, uint64_t end)
{
    const uint8_t *p;
    uint64_t len;
    uint16_t name;
    if (end - at < TACO__REPLACED_LOCAL) { return 0; }
    p = taco__file_view(z->file, at, TACO__REPLACED_LOCAL, &z->scratch, NULL);
    if (!p || taco__load_le32(p) != 0x04034B50) { return 0; }
    name = taco__load_le16(p + 26);
    len = (uint64_t)TACO__REPLACED_LOCAL + name + taco__load_le16(p + 28) + taco__load_le32(p + 18);
    if (len > end - at) { return 0; }
    p = taco__file_view(z->file, at + TACO__REPLACED_LOCAL, name, &z->scratch, NULL);
    return p && taco__check_replaced_is_metadata_name(taco__bytes_of(p, name)) ? len : 0;
}

/* Length of the central directory record at `at`, 0 if it is not one. */
static uint64_t taco__check_replaced_record(taco__check_zip *z, uint64_t at, uint64_t end)
{
    uint64_t left = end - at;
    const uint8_t *p =
        left >= TACO__REPLACED_LOCATOR
            ? taco__file_view(z->file, at, (size_t)TACO__MIN(left, TACO__REPLACED_DIRECTORY),
                              &z->scratch, NULL)
            : NULL;
    if (!p) { return 0; }
    switch (taco__load_le32(p)) {
    case 0x02014B50:
        return left < TACO__REPLACED_DIRECTORY
                   ? 0
                   : (uint64_t)TACO__REPLACED_DIRECTORY + taco__load_le16(p + 28) +
                         taco__load_le16(p + 30) + taco__load_le16(p + 32);
    case 0x06064B50: return TACO__REPLACED_END64;
    case 0x07064B50: return TACO__REPLACED_LOCATOR;
    case 0x06054B50:
        return left < TACO__REPLACED_END ? 0
                                         : TACO__REPLACED_END + (uint64_t)taco__load_le16(p + 20);
    default: return 0;
    }
}

/* The file ends within what it begins with, or shows an entry of metadata or of the directory. */
TACO__FN bool taco__check_replaced_begins(taco__check_zip *z, uint64_t from, uint64_t end)
{
    static const uint8_t local[] = {'P', 'K', 3, 4}, directory[] = {'P', 'K', 1, 2};
    size_t n = (size_t)TACO__MIN(end - from, (uint64_t)TACO__REPLACED_LOCAL), known;
    const uint8_t *p = taco__file_view(z->file, from, n, &z->scratch, NULL);
    uint16_t name;
    if (!p) { return false; }
    known = TACO__MIN(n, sizeof local);
    if (memcmp(p, directory, known) == 0) { return true; }
    if (memcmp(p, local, known) != 0) { return false; }
    if (n < TACO__REPLACED_LOCAL) { return true; }
    name = taco__load_le16(p + 26);
    if (end - from - n < name) { return true; }
    p = taco__file_view(z->file, from + n, name, &z->scratch, NULL);
    return p && taco__check_replaced_is_metadata_name(taco__bytes_of(p, name));
}

/* True for a record that goes on beyond `end`: an add was killed there, and another one, which
   appends to the file, finished it. */
static bool taco__check_replaced_is_cut(taco__check_zip *z, uint64_t at, uint64_t end)
{
    static const uint8_t ends[3][4] = {{'P', 'K', 6, 6}, {'P', 'K', 6, 7}, {'P', 'K', 5, 6}};
    size_t n = (size_t)TACO__MIN(end - at, (uint64_t)4), k;
    const uint8_t *p = taco__file_view(z->file, at, n, &z->scratch, NULL);
    for (k = 0; p && k < TACO__COUNT(ends); k++) {
        if (memcmp(p, ends[k], n) == 0) { return true; }
    }
    return taco__check_replaced_begins(z, at, end);
}

/* True if all bytes [from, end) are replaced metadata. */
TACO__FN bool taco__check_replaced_is_metadata(taco__check_zip *z, uint64_t from, uint64_t end)
{
    while (from < end) {
        uint64_t n = taco__check_replaced_entry(z, from, end);
        if (!n) { n = taco__check_replaced_record(z, from, end); }
        if (!n || n > end - from) { return taco__check_replaced_is_cut(z, from, end); }
        from += n;
    }
    return true;
}
