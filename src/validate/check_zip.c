/* check_zip.c - the records of an archive: header, directory, local headers and bytes

   In: an archive as a file; out: problems, and the entries of its central directory, sorted by
   offset and indexed by the hash of their name, for check_level.c to compare rows with. TACO 2.0
   §6.3; PKWARE APPNOTE 6.3.10 §4.3 (records), §4.4 (fields), §4.5.3 (ZIP64).

   taco__check_zip_run does everything that needs no payload: TACO_HEADER, end records, each
   entry against its local header, overlaps and gaps, equal names, and whether TACO_HEADER agrees
   with the directory. taco__check_zip_unlisted comes last, after the levels have marked the
   entries they list. check_payloads.c reads their bytes. */
#include "validate.h"
#include "../base/base.h"
#include "../dataset/dataset.h"

/* Frees buffers; entries belong to the arena. Safe on a zeroed struct, and leaves it zeroed. */
TACO__FN void taco__check_zip_close(taco__check_zip *z)
{
    if (z->mem) {
        taco__buf_free(&z->dir_bytes);
        taco__buf_free(&z->scratch);
    }
    memset(z, 0, sizeof *z);
}

/* The name of an entry, which points into the directory: entries hold only its hash. */
TACO__FN taco_bytes taco__check_zip_name(const taco__check_zip *z, const taco__check_zip_entry *e)
{
    const uint8_t *p = z->directory.data + (size_t)(e->at - z->dir.offset);
    return taco__bytes_of(p + TACO__ZIP_CENTRAL_BYTES, taco__load_le16(p + 28));
}

/* ---- TACO_HEADER ---- */

/* True if this was the first problem: the reason why an archive cannot be opened is reported before
   its records are checked. */
static bool taco__check_zip_is_reported(const taco__findings *f, const taco_error *e)
{
    size_t n = strlen(f->first.text), m = strlen(e->text);
    return m && n >= m && strcmp(f->first.text + n - m, e->text) == 0;
}

/* Reads the first entry, TACO_HEADER (§6.3). If it cannot be parsed, header.count stays 0 and a
   problem is reported; deviations that readers accept are in header.odd, each a separate
   problem. */
static bool taco__check_zip_read_taco_header(taco__check_zip *z, taco_error *err)
{
    taco__findings *f = z->f;
    size_t n = (size_t)TACO__MIN(z->file->src.size, (uint64_t)TACO__OPEN_FIRST_BYTES);
    const uint8_t *p;
    taco_error e;
    memset(&e, 0, sizeof e);
    if (!taco__buf_reset(&z->scratch, n + 1, err)) { return false; }
    p = n ? taco__file_view(z->file, 0, n, &z->scratch, err) : z->scratch.data;
    if (!p) { return false; }
    taco__findings_set_place(f, "TACO_HEADER");
    if (taco__index_read_header(taco__bytes_of(p, n), z->file->src.size, &z->header, &e) !=
        TACO_OK) {
        z->header.count = 0;
        return taco__check_zip_is_reported(f, &e) || taco__findings_take_error(f, &e) ||
               (*err = e, false);
    }
    if (z->header.odd & TACO__INDEX_ODD_NAME) {
        TACO__FINDINGS_WARN(f, "the entry is named TACO_GHOST, as tacozip 0.5 and before did");
    }
    if (z->header.odd & TACO__INDEX_ODD_LENGTH) {
        TACO__FINDINGS_ERROR(f, "its local header gives another size than %u bytes",
                             TACO__U(TACO__INDEX_PAYLOAD_BYTES));
    }
    if (z->header.odd & TACO__INDEX_ODD_PADDING) {
        TACO__FINDINGS_WARN(f, "the three bytes behind the count of entries are not zero");
    }
    if (z->header.odd & TACO__INDEX_ODD_GAP) {
        TACO__FINDINGS_ERROR(f, "a level above the deepest one is missing");
    }
    if (z->header.odd & TACO__INDEX_ODD_CRC) {
        TACO__FINDINGS_ERROR(f,
                             "its bytes have another CRC-32 (checksum) than its local header says");
    }
    return true;
}

/* ---- the directory ---- */

/* The end of central directory (§4.3.14 to §4.3.16): nothing after it, nothing between it and
   the directory, a locator that points where it should, no comment. */
static void taco__check_zip_end_records(taco__check_zip *z)
{
    taco__findings *f = z->f;
    taco__findings_set_place(f, "end of central directory");
    if (z->dir.trailing) {
        TACO__FINDINGS_ERROR(f, "%u bytes of something else after the end record (EOCD) at %u",
                             z->dir.trailing, z->dir.eocd);
    }
    if (z->dir.gap) {
        TACO__FINDINGS_ERROR(f, "%u bytes between the central directory and its end record (EOCD)",
                             z->dir.gap);
    }
    if (z->dir.odd64) {
        TACO__FINDINGS_ERROR(f,
                             "ZIP64: the length of the end record (EOCD64) at %u is not that up "
                             "to its locator",
                             z->dir.eocd64);
    }
    if (z->dir.comment) {
        TACO__FINDINGS_WARN(f, "an archive comment of %u bytes", TACO__U(z->dir.comment));
    }
}

/* APPNOTE §4.4.17.1: no drive, no leading '/', no backslash. No '..' either: programs extract
   entries that no level lists, too. */
static bool taco__check_zip_is_relative(taco_bytes name)
{
    size_t i, from = 0;
    if (name.len == 0 || name.data[0] == '/' || memchr(name.data, 0, name.len) ||
        memchr(name.data, '\\', name.len) || (name.len > 1 && name.data[1] == ':')) {
        return false;
    }
    for (i = 0; i <= name.len; i++) {
        if (i == name.len || name.data[i] == '/') {
            if (i - from == 2 && name.data[from] == '.' && name.data[from + 1] == '.') {
                return false;
            }
            from = i + 1;
        }
    }
    return true;
}

/* Checks that need only the entry's header in the directory: stored, not encrypted, no data
   descriptor, a name that is a relative path in a known encoding. */
static void taco__check_zip_entry_flags(taco__check_zip *z, const taco__zip_entry *e)
{
    taco__findings *f = z->f;
    taco_error why;
    size_t i;
    bool ascii = true, utf8 = taco__utf8_valid(e->name);
    memset(&why, 0, sizeof why);
    if (taco__zip_check_stored(e, &why) != TACO_OK) { taco__findings_take_error(f, &why); }
    if (e->flags & TACO__ZIP_DESCRIPTOR) {
        TACO__FINDINGS_ERROR(f, "flag bit 3: sizes and CRC stand in a data descriptor behind the "
                                "bytes, not in the local header");
    }
    if (e->flags & ~(unsigned)(TACO__ZIP_DESCRIPTOR | TACO__ZIP_ENCRYPTED | 0x0806U)) {
        TACO__FINDINGS_WARN(f, "flags 0x%x", TACO__U(e->flags));
    }
    for (i = 0; i < e->name.len; i++) {
        ascii = ascii && e->name.data[i] < 0x80;
    }
    if (!ascii && (!utf8 || !(e->flags & 0x0800U))) {
        TACO__FINDINGS_WARN(f, utf8 ? "the name is UTF-8, but flag bit 11 does not say so"
                                    : "the name is not UTF-8");
    }
    if (!taco__check_zip_is_relative(e->name)) {
        TACO__FINDINGS_ERROR(
            f, "entry name %q is not a relative path, or could lead out of a directory", &e->name);
    }
}

/* The local header (APPNOTE §4.3.7) against the entry of the directory; sets out->data, the offset
   of its bytes. */
static bool taco__check_zip_local_header(taco__check_zip *z, const taco__zip_entry *e,
                                         taco__check_zip_entry *out, taco_error *err)
{
    taco__findings *f = z->f;
    taco__zip_local_header l;
    taco_error why;
    memset(&why, 0, sizeof why);
    if (taco__zip_locate_entry(z->file, &z->dir, e, &l, &z->scratch, &why) != TACO_OK) {
        return taco__findings_take_error(f, &why) || (*err = why, false);
    }
    out->data = l.data;
    out->placed = true;
    if (l.flags & TACO__ZIP_DESCRIPTOR) {
        if (!(e->flags & TACO__ZIP_DESCRIPTOR)) {
            TACO__FINDINGS_ERROR(f,
                                 "its local header has flag bit 3 (data descriptor), the central "
                                 "directory has not");
        }
        return true;
    }
    /* libzip leaves a CRC of 0 here for a file of 2^32-1 bytes */
    if (l.crc != e->crc && !(l.crc == 0 && e->size == 0xFFFFFFFFU)) {
        TACO__FINDINGS_ERROR(
            f, "CRC-32 (checksum) %x in the local header, %x in the central directory",
            TACO__U(l.crc), TACO__U(e->crc));
    }
    /* compression hints and the flag for UTF-8 names are harmless */
    if (l.flags != e->flags) {
        TACO__FINDINGS_REPORT(f, ((l.flags ^ e->flags) & ~0x0806U) != 0,
                              "flags 0x%x in the local header, 0x%x in the central directory",
                              TACO__U(l.flags), TACO__U(e->flags));
    }
    return true;
}

/* Reads the directory's headers into z->entries, in directory order. z->known is set if all could
   be read; later checks rely on it. */
static bool taco__check_zip_entries(taco__check_zip *z, taco_error *err)
{
    taco__findings *f = z->f;
    taco__zip_iter it = taco__zip_iter_init(z->directory, &z->dir);
    taco__zip_entry e;
    taco_error why;
    memset(&why, 0, sizeof why);
    z->entries = (taco__check_zip_entry *)taco__arena_array(z->arena, (size_t)z->dir.entries + 1,
                                                            sizeof *z->entries, err);
    z->by_name = (uint32_t *)taco__arena_array(z->arena, (size_t)z->dir.entries + 1,
                                               sizeof *z->by_name, err);
    if (!z->entries || !z->by_name) { return false; }
    while (!f->stop && taco__zip_next(&it, &e, &why)) {
        taco__check_zip_entry *out = &z->entries[z->count++];
        out->name = taco__findings_hash_path(TACO__FINDINGS_HASH_SEED, e.name);
        out->local = e.local;
        out->size = e.csize;
        out->at = e.at;
        out->crc = e.crc;
        out->stored = !e.method && !(e.flags & TACO__ZIP_ENCRYPTED) && e.size == e.csize;
        taco__findings_set_place(f, "%q", &e.name);
        taco__check_zip_entry_flags(z, &e);
        if (!taco__check_zip_local_header(z, &e, out, err)) { return false; }
    }
    taco__findings_set_place(f, "central directory");
    z->known = !it.bad;
    if (it.bad) { return taco__findings_take_error(f, &why) || (*err = why, false); }
    if (!f->stop && taco__byte_reader_left(&it.cur)) {
        TACO__FINDINGS_ERROR(f, "%u bytes behind the last of its %u entries",
                             TACO__U(taco__byte_reader_left(&it.cur)), z->dir.entries);
    }
    return true;
}

/* ---- all entries together ---- */

/* Order of entries by the place of their local header. */
static int taco__check_zip_compare_places(const void *ctx, const void *a, const void *b)
{
    uint64_t x = ((const taco__check_zip_entry *)a)->local,
             y = ((const taco__check_zip_entry *)b)->local;
    (void)ctx;
    return (x > y) - (x < y);
}

/* A name to sort: its hash and the index of its entry. */
typedef struct taco__check_zip_name {
    uint64_t hash;
    uint32_t entry;
} taco__check_zip_name_key;

/* Order by hash, then by place, so that the first of equal names is the first in the file. */
static int taco__check_zip_compare_names(const void *ctx, const void *a, const void *b)
{
    const taco__check_zip_name_key *x = (const taco__check_zip_name_key *)a,
                                   *y = (const taco__check_zip_name_key *)b;
    (void)ctx;
    if (x->hash != y->hash) { return x->hash < y->hash ? -1 : 1; }
    return (x->entry > y->entry) - (x->entry < y->entry);
}

/* Bytes shared by two entries are an error (extractors disagree about such archives), bytes that
   belong to no entry a warning. Entries are sorted by offset; `last` is the one that has reached
   furthest so far. */
static void taco__check_zip_overlaps(taco__check_zip *z)
{
    taco__findings *f = z->f;
    uint64_t end = 0;
    size_t i, last = 0;
    for (i = 0; i < z->count && !f->stop; i++) {
        const taco__check_zip_entry *e = &z->entries[i];
        taco_bytes name = taco__check_zip_name(z, e);
        uint64_t own = e->placed ? e->data + e->size : e->local;
        if (e->local < end && i) {
            taco_bytes other = taco__check_zip_name(z, &z->entries[last]);
            taco__findings_set_place(f, "%q", &name);
            TACO__FINDINGS_ERROR(f,
                                 "its local header at %u overlaps the entry %q, which ends at %u",
                                 e->local, &other, end);
        } else if (e->local > end && (!i || z->entries[last].placed) &&
                   !taco__check_replaced_is_metadata(z, end, e->local)) {
            taco__findings_set_place(f, "%q", &name);
            TACO__FINDINGS_WARN(f, "the %u bytes before its local header belong to no entry",
                                e->local - end);
        }
        if (own > end || !i) {
            end = own;
            last = i;
        }
    }
    taco__findings_set_place(f, "central directory");
    if (!f->stop && z->count && end < z->dir.offset && z->entries[last].placed &&
        !taco__check_replaced_is_metadata(z, end, z->dir.offset)) {
        TACO__FINDINGS_WARN(f, "the %u bytes before it belong to no entry", z->dir.offset - end);
    }
}

/* Fills z->by_name for taco__check_zip_find, and reports names that occur twice. */
static bool taco__check_zip_index_names(taco__check_zip *z, taco_error *err)
{
    taco__findings *f = z->f;
    size_t i, bytes;
    taco__check_zip_name_key *keys;
    if (!taco__checked_mul_size(z->count + 1, sizeof *keys, &bytes)) {
        return TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory"), false;
    }
    keys = (taco__check_zip_name_key *)taco__mem_alloc(z->mem, bytes, err);
    if (!keys) { return false; }
    for (i = 0; i < z->count; i++) {
        keys[i].hash = z->entries[i].name;
        keys[i].entry = (uint32_t)i;
    }
    if (!taco__sort_in(z->mem, keys, z->count, sizeof *keys, taco__check_zip_compare_names, NULL,
                       err)) {
        taco__mem_free(z->mem, keys, bytes);
        return false;
    }
    for (i = 0; i < z->count; i++) {
        z->by_name[i] = keys[i].entry;
        if (i && keys[i].hash == keys[i - 1].hash) {
            taco_bytes name = taco__check_zip_name(z, &z->entries[keys[i].entry]);
            taco__findings_set_place(f, "central directory");
            TACO__FINDINGS_ERROR(f, "two entries are named %q (duplicate)", &name);
        }
    }
    taco__mem_free(z->mem, keys, bytes);
    return true;
}

/* The entry whose name has this hash, the first of several; NULL if there is none. */
TACO__FN taco__check_zip_entry *taco__check_zip_find(const taco__check_zip *z, uint64_t hash)
{
    size_t at = 0;
    TACO__LOWER_BOUND(at, z->count, i, z->entries[z->by_name[i]].name < hash);
    return at < z->count && z->entries[z->by_name[at]].name == hash ? &z->entries[z->by_name[at]]
                                                                    : NULL;
}

/* TACO_HEADER against the directory: it must be the first entry, and its places of level tables and
   COLLECTION.json must be those in the directory. Marks these as listed. z->differs tells repair
   not to trust the header. */
static bool taco__check_zip_taco_header(taco__check_zip *z, taco_error *err)
{
    taco__findings *f = z->f;
    taco__index directory;
    taco_error why;
    size_t i;
    memset(&why, 0, sizeof why);
    taco__findings_set_place(f, "central directory");
    if (z->count) {
        taco_bytes name = taco__check_zip_name(z, &z->entries[0]);
        if (!taco__bytes_equal(name, taco__bytes_text("TACO_HEADER")) &&
            !taco__bytes_equal(name, taco__bytes_text("TACO_GHOST"))) {
            TACO__FINDINGS_ERROR(f, "the first entry is %q, must be TACO_HEADER", &name);
        }
        z->entries[0].listed = true;
    }
    for (i = 0; i < z->count; i++) {
        taco__index slot;
        memset(&slot, 0, sizeof slot);
        z->entries[i].listed =
            z->entries[i].listed ||
            taco__index_find_slot(&slot, taco__check_zip_name(z, &z->entries[i]));
    }
    if (taco__index_from_directory(z->file, &z->dir, z->directory, &directory, &z->scratch, &why) !=
        TACO_OK) {
        return taco__findings_take_error(f, &why) || (*err = why, false);
    }
    taco__findings_set_place(f, "TACO_HEADER");
    if (z->header.count && taco__index_compare(&z->header, &directory, &why) != TACO_OK) {
        z->differs = true;
        taco__findings_take_error(f, &why);
    }
    return true;
}

/* The size of the archive that TACO_HEADER describes, if what taco add had written when it was
   killed follows it; else 0. TACO_HEADER is changed last: until then, it and the old central
   directory count, even where a new one is complete. */
static uint64_t taco__check_zip_interrupted(taco__check_zip *z)
{
    const taco__range *last = &z->header.collection;
    uint64_t end;
    if (!z->header.count || z->header.odd) { return 0; }
    end = taco__zip_find_end(z->file, last->offset + last->len, &z->scratch);
    if (!end || end >= z->file->src.size) { return 0; }
    return taco__check_replaced_begins(z, end, z->file->src.size) ? end : 0;
}

/* Finds the central directory. Leaves z->dir.file_size 0 if there is none, which is reported. */
static bool taco__check_zip_open(taco__check_zip *z, taco_error *err)
{
    uint64_t size = taco__check_zip_interrupted(z), whole = z->file->src.size;
    taco_error why;
    memset(&why, 0, sizeof why);
    if (size) {
        taco__findings_set_place(z->f, "%s", "");
        TACO__FINDINGS_ERROR(z->f,
                             "an add was interrupted; `taco add` or `taco repair` finishes it: the "
                             "dataset is as before, the last %u bytes of the file are not in use",
                             whole - size);
    }
    taco__findings_set_place(z->f, "end of central directory");
    if (taco__zip_open_until(z->file, size ? size : whole, &z->dir, &z->dir_bytes, &why) !=
        TACO_OK) {
        memset(&z->dir, 0, sizeof z->dir);
        return taco__findings_take_error(z->f, &why) || (*err = why, false);
    }
    return true;
}

/* Checks the records of any archive without reading payloads. The caller sets z->f, file, mem and
   arena, leaves the rest zero, and closes z in any case. limit: most bytes of the directory. False
   if the check itself failed (memory), not if problems were found. */
TACO__FN bool taco__check_zip_records(taco__check_zip *z, uint64_t limit, taco_error *err)
{
    taco_error why;
    memset(&why, 0, sizeof why);
    z->dir_bytes.mem = z->scratch.mem = z->mem;
    if (!taco__check_zip_open(z, err)) { return false; }
    if (z->dir.file_size == 0) { return true; }
    taco__check_zip_end_records(z);
    if (taco__zip_read_directory(z->file, &z->dir, limit, &z->dir_bytes, &z->directory, &why) !=
        TACO_OK) {
        return taco__findings_take_error(z->f, &why) || (*err = why, false);
    }
    if (!taco__check_zip_entries(z, err) ||
        !taco__sort_in(z->mem, z->entries, z->count, sizeof *z->entries,
                       taco__check_zip_compare_places, NULL, err)) {
        return false;
    }
    z->f->sum->entries += z->count;
    taco__check_zip_overlaps(z);
    return taco__check_zip_index_names(z, err);
}

/* The same for an archive of TACO 2, with its TACO_HEADER. */
TACO__FN bool taco__check_zip_run(taco__check_zip *z, uint64_t limit, taco_error *err)
{
    z->scratch.mem = z->mem;
    if (!taco__check_zip_read_taco_header(z, err) || !taco__check_zip_records(z, limit, err) ||
        (z->known && !taco__check_zip_taco_header(z, err))) {
        return false;
    }
    taco__findings_end_table(z->f, "central directory");
    return true;
}

/* Warns of entries that neither TACO_HEADER nor a row lists: readers ignore them. */
TACO__FN void taco__check_zip_unlisted(taco__check_zip *z)
{
    taco__findings *f = z->f;
    size_t i;
    for (i = 0; z->known && i < z->count && !f->stop; i++) {
        if (!z->entries[i].listed) {
            taco_bytes name = taco__check_zip_name(z, &z->entries[i]);
            taco__findings_set_place(f, "%q", &name);
            TACO__FINDINGS_WARN(f, "no level lists this entry");
        }
    }
    taco__findings_end_table(f, "central directory");
}
