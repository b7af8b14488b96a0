/* zip_read.c - ZIP records, from the end record to the bytes of an entry

   In: a file. Out: records (archive.h) with validated ranges. PKWARE APPNOTE 6.3.10 §4.3, §4.4,
   §4.5.3 (ZIP64); TACO 2.0 §6.3 (entries are stored).

   taco__zip_open looks for the end of central directory record in the last 64 KiB and follows it to
   its ZIP64 form. taco__zip_next walks the directory, which is authoritative for names and sizes;
   taco__zip_locate_entry reads the local header of one entry, checks that it agrees, and returns
   where the bytes begin. A TACO archive is opened without any of this (container_index.c): these
   are for damaged headers, validation, repair and adding to an archive. */
#include "archive.h"
#include "../base/base.h"

/* EOCD64, locator, EOCD and the longest comment: how much to read at the end of a file */
#define TACO__ZIP_TAIL_BYTES 65633U

/* ---- the records at the end ---- */

/* Checks that the directory lies before the end records, and is large enough for its entries. */
static taco_status taco__zip_check_dir_range(taco__zip_dir *d, taco_error *err)
{
    uint64_t end;
    if (!taco__checked_add64(d->offset, d->size, &end) || end > d->end) {
        return TACO__FAIL(
            err, TACO_ERR_CORRUPT, d->end,
            "ZIP: central directory of %u bytes at %u runs past the end records at %u", d->size,
            d->offset, d->end);
    }
    if (d->entries > d->size / TACO__ZIP_CENTRAL_BYTES) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, d->end,
                          "ZIP: %u entries in a central directory of %u bytes", d->entries,
                          d->size);
    }
    d->gap = d->end - end;
    return TACO_OK;
}

/* The last end record whose comment ends at the end of the file; failing that, the last whose
   comment lies inside, so that bytes after the archive do not hide it. SIZE_MAX if there is
   none. */
static size_t taco__zip_find_eocd(taco_bytes tail)
{
    size_t i, loose = SIZE_MAX;
    if (tail.len < TACO__ZIP_EOCD_BYTES) { return SIZE_MAX; }
    for (i = tail.len - TACO__ZIP_EOCD_BYTES + 1; i-- > 0;) {
        size_t after, comment;
        if (tail.data[i] != 'P' || taco__load_le32(tail.data + i) != TACO__ZIP_SIG_EOCD) {
            continue;
        }
        comment = taco__load_le16(tail.data + i + 20);
        after = tail.len - i - TACO__ZIP_EOCD_BYTES;
        if (comment == after) { return i; }
        if (comment < after && loose == SIZE_MAX) { loose = i; }
    }
    return loose;
}

/* Reads the EOCD64; record begins at d->eocd64 and has at least 56 bytes. */
static taco_status taco__zip_read_eocd64(taco_bytes record, taco__zip_dir *d, taco_error *err)
{
    taco__byte_reader c = taco__byte_reader_init(record);
    uint64_t length, here, all, size, offset;
    uint32_t sig = taco__byte_reader_le32(&c), disk, start;
    length = taco__byte_reader_le64(&c);
    taco__byte_reader_take(&c, 4); /* versions */
    disk = taco__byte_reader_le32(&c);
    start = taco__byte_reader_le32(&c);
    here = taco__byte_reader_le64(&c);
    all = taco__byte_reader_le64(&c);
    size = taco__byte_reader_le64(&c);
    offset = taco__byte_reader_le64(&c);
    if (c.bad || sig != TACO__ZIP_SIG_EOCD64 || length < TACO__ZIP_EOCD64_BYTES - 12) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, d->eocd64,
                          "ZIP64: the locator points here, but no end record (EOCD64) begins");
    }
    if (disk || start || here != all) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, d->eocd64,
                          "ZIP64: an archive of several disks");
    }
    /* The 32-bit record must agree unless it has the "see ZIP64" value (§4.4.1.4). */
    if ((d->entries != 0xFFFF && d->entries != all) ||
        (d->size != 0xFFFFFFFFU && d->size != size) ||
        (d->offset != 0xFFFFFFFFU && d->offset != offset)) {
        return TACO__FAIL(
            err, TACO_ERR_CORRUPT, d->eocd64,
            "ZIP64: %u entries, directory of %u bytes at %u; the EOCD says %u, %u, %u", all, size,
            offset, d->entries, d->size, d->offset);
    }
    d->entries = all;
    d->size = size;
    d->offset = offset;
    d->end = d->eocd64;
    d->odd64 = length != d->eocd - TACO__ZIP_LOCATOR_BYTES - d->eocd64 - 12;
    d->pending = false;
    return taco__zip_check_dir_range(d, err);
}

/* Reads the end records from the last bytes of a file: tail is from tail_offset to file_size; it
   should have TACO__ZIP_TAIL_BYTES bytes, or the whole file. */
static taco_status taco__zip_read_eocd(taco_bytes tail, uint64_t tail_offset, uint64_t file_size,
                                       taco__zip_dir *out, taco_error *err)
{
    size_t at = taco__zip_find_eocd(tail);
    const uint8_t *p;
    memset(out, 0, sizeof *out);
    out->file_size = file_size;
    if (at == SIZE_MAX) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, file_size,
                          "ZIP: no end of central directory record (EOCD) in the last %u bytes",
                          TACO__U(tail.len));
    }
    p = tail.data + at;
    out->eocd = out->end = tail_offset + at;
    out->comment = taco__load_le16(p + 20);
    out->trailing = tail.len - at - TACO__ZIP_EOCD_BYTES - out->comment;
    out->entries = taco__load_le16(p + 10);
    out->size = taco__load_le32(p + 12);
    out->offset = taco__load_le32(p + 16);
    if (at >= TACO__ZIP_LOCATOR_BYTES &&
        taco__load_le32(p - TACO__ZIP_LOCATOR_BYTES) == TACO__ZIP_SIG_LOCATOR) {
        uint64_t locator = out->eocd - TACO__ZIP_LOCATOR_BYTES;
        out->eocd64 = taco__load_le64(p - 12);
        if (taco__load_le32(p - 16) || taco__load_le32(p - 4) > 1) {
            return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, locator,
                              "ZIP64: an archive of several disks");
        }
        if (out->eocd64 == 0 ||
            !taco__checked_range(out->eocd64, TACO__ZIP_EOCD64_BYTES, locator)) {
            return TACO__FAIL(
                err, TACO_ERR_CORRUPT, locator,
                "ZIP64: the locator points to %u, the end record (EOCD64) must lie before %u",
                out->eocd64, locator);
        }
        out->pending = out->eocd64 < tail_offset;
        at = out->pending ? 0 : (size_t)(out->eocd64 - tail_offset);
        return out->pending
                   ? TACO_OK
                   : taco__zip_read_eocd64(taco__bytes_of(tail.data + at, tail.len - at), out, err);
    }
    if (taco__load_le16(p + 4) || taco__load_le16(p + 6) ||
        taco__load_le16(p + 8) != out->entries) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, out->eocd, "ZIP: an archive of several disks");
    }
    return taco__zip_check_dir_range(out, err);
}

/* ---- ZIP64 extra field ---- */

/* Replaces the values that are 2^32-1 by the 64-bit ones of extra field 1, which holds only these,
   in this order (§4.5.3). Without such a field 2^32-1 is an ordinary size, which writers have used
   as such. */
static taco_status taco__zip_read_extra64(taco_bytes extra, uint64_t at, uint64_t *const values[],
                                          size_t n, bool *found, taco_error *err)
{
    taco__byte_reader c = taco__byte_reader_init(extra);
    size_t i, need = 0;
    for (i = 0; i < n; i++) {
        need += *values[i] == 0xFFFFFFFFU ? 8U : 0U;
    }
    *found = false;
    while (taco__byte_reader_left(&c) >= 4) {
        uint16_t id = taco__byte_reader_le16(&c), len = taco__byte_reader_le16(&c);
        const uint8_t *p = taco__byte_reader_take(&c, len);
        if (!p && id == 1) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                              "ZIP64: extra field of %u bytes, %u are left", TACO__U(len),
                              TACO__U(taco__byte_reader_left(&c)));
        }
        if (!p) { break; /* other fields are not ours; a broken one ends the list */ }
        if (id != 1) { continue; }
        *found = true;
        if (len && len < need) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, at, "ZIP64: extra field of %u bytes, needs %u",
                              TACO__U(len), TACO__U(need));
        }
        for (i = 0; len && i < n; i++) {
            if (*values[i] == 0xFFFFFFFFU) {
                *values[i] = taco__load_le64(p);
                p += 8;
            }
        }
        break;
    }
    return TACO_OK;
}

/* ---- the central directory ---- */

/* Iterates over the entries. directory holds the dir->size bytes at dir->offset. */
TACO__FN taco__zip_iter taco__zip_iter_init(taco_bytes directory, const taco__zip_dir *dir)
{
    taco__zip_iter it;
    it.cur = taco__byte_reader_init(directory);
    it.dir = dir;
    it.index = 0;
    it.bad = false;
    return it;
}

/* Whether a local header with a name of this length, and the bytes, fit before the directory. */
static bool taco__zip_entry_fits(const taco__zip_dir *dir, const taco__zip_entry *e)
{
    uint64_t head = TACO__ZIP_LOCAL_BYTES + (uint64_t)e->name.len;
    return taco__checked_range(e->local, head, dir->offset) &&
           e->csize <= dir->offset - e->local - head;
}

/* Reads the members of a central directory header (§4.3.12); *disk: its disk number. False if it is
   not one, or runs past the directory. */
static bool taco__zip_read_entry_members(taco__zip_iter *it, taco__zip_entry *e, uint32_t *disk)
{
    taco__byte_reader *c = &it->cur;
    uint32_t sig;
    size_t name, extra, comment;
    e->index = it->index;
    e->at = it->dir->offset + taco__byte_reader_position(c);
    sig = taco__byte_reader_le32(c);
    e->made = taco__byte_reader_le16(c);
    e->needed = taco__byte_reader_le16(c);
    e->flags = taco__byte_reader_le16(c);
    e->method = taco__byte_reader_le16(c);
    e->time = taco__byte_reader_le16(c);
    e->date = taco__byte_reader_le16(c);
    e->crc = taco__byte_reader_le32(c);
    e->csize = taco__byte_reader_le32(c);
    e->size = taco__byte_reader_le32(c);
    name = taco__byte_reader_le16(c);
    extra = taco__byte_reader_le16(c);
    comment = taco__byte_reader_le16(c);
    *disk = taco__byte_reader_le16(c);
    taco__byte_reader_take(c, 2); /* internal attributes */
    e->external = taco__byte_reader_le32(c);
    e->local = taco__byte_reader_le32(c);
    e->name = taco__bytes_of(taco__byte_reader_take(c, name), name);
    e->extra = taco__bytes_of(taco__byte_reader_take(c, extra), extra);
    e->comment = taco__bytes_of(taco__byte_reader_take(c, comment), comment);
    return !c->bad && sig == TACO__ZIP_SIG_CENTRAL;
}

/* Reads and checks the next central directory header, with its ZIP64 values. */
static taco_status taco__zip_read_entry(taco__zip_iter *it, taco__zip_entry *e, taco_error *err)
{
    uint64_t *values[3];
    uint32_t disk;
    taco_status st;
    values[0] = &e->size;
    values[1] = &e->csize;
    values[2] = &e->local;
    if (!taco__zip_read_entry_members(it, e, &disk)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, e->at,
                          "ZIP: entry %u of %u is not a central directory header, or runs past the "
                          "end of the directory",
                          e->index, it->dir->entries);
    }
    st = taco__zip_read_extra64(e->extra, e->at, values, 3, &e->zip64, err);
    if (st != TACO_OK) {
        taco__error_prefix(err, "entry %q", &e->name);
        return st;
    }
    if (disk && disk != 0xFFFF) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, e->at, "ZIP: entry %q is on disk %u", &e->name,
                          TACO__U(disk));
    }
    if (!taco__zip_entry_fits(it->dir, e)) {
        return TACO__FAIL(
            err, TACO_ERR_CORRUPT, e->at,
            "ZIP: entry %q has %u bytes after a local header at %u, the directory begins at %u",
            &e->name, e->csize, e->local, it->dir->offset);
    }
    return TACO_OK;
}

/* Returns false at the end and on failure, which sets it->bad. */
TACO__FN bool taco__zip_next(taco__zip_iter *it, taco__zip_entry *out, taco_error *err)
{
    if (it->bad || it->index == it->dir->entries) { return false; }
    memset(out, 0, sizeof *out);
    it->bad = taco__zip_read_entry(it, out, err) != TACO_OK;
    it->index++;
    return !it->bad;
}

/* Checks that a TACO archive's entry can be read in place (TACO 2.0 §6.3). */
TACO__FN taco_status taco__zip_check_stored(const taco__zip_entry *e, taco_error *err)
{
    if (e->method) {
        return TACO__FAIL(
            err, TACO_ERR_UNSUPPORTED, e->at,
            "entry %q is compressed (method %u), a TACO archive stores its entries (STORE, 0)",
            &e->name, TACO__U(e->method));
    }
    if (e->flags & TACO__ZIP_ENCRYPTED) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, e->at, "entry %q is encrypted (flags 0x%x)",
                          &e->name, TACO__U(e->flags));
    }
    if (e->size != e->csize) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, e->at,
                          "entry %q is stored, but has %u bytes in %u", &e->name, e->size,
                          e->csize);
    }
    return TACO_OK;
}

/* ---- local headers ---- */

/* b begins at offset in the file. If it is shorter than the header, out->partial is set and
   out->length is the size needed; it must have at least 30 bytes. */
TACO__FN taco_status taco__zip_read_local_header(taco_bytes b, uint64_t offset,
                                                 taco__zip_local_header *out, taco_error *err)
{
    taco__byte_reader c = taco__byte_reader_init(b);
    uint64_t *values[2];
    uint32_t sig = taco__byte_reader_le32(&c);
    size_t name, extra;
    bool zip64;
    taco_status st;
    memset(out, 0, sizeof *out);
    values[0] = &out->size;
    values[1] = &out->csize;
    out->needed = taco__byte_reader_le16(&c);
    out->flags = taco__byte_reader_le16(&c);
    out->method = taco__byte_reader_le16(&c);
    taco__byte_reader_take(&c, 4); /* time, date */
    out->crc = taco__byte_reader_le32(&c);
    out->csize = taco__byte_reader_le32(&c);
    out->size = taco__byte_reader_le32(&c);
    name = taco__byte_reader_le16(&c);
    extra = taco__byte_reader_le16(&c);
    if (c.bad) {
        return TACO__FAIL(err, TACO_ERR_TRUNCATED, offset,
                          "ZIP: a local header needs 30 bytes, %u are left", TACO__U(b.len));
    }
    if (sig != TACO__ZIP_SIG_LOCAL) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, offset,
                          "ZIP: no local header, its signature is 0x%x", TACO__U(sig));
    }
    out->length = TACO__ZIP_LOCAL_BYTES + (uint64_t)name + extra;
    out->partial = out->length > b.len;
    if (!taco__checked_add64(offset, out->length, &out->data)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, offset,
                          "ZIP: a local header of %u bytes ends past 2^64", out->length);
    }
    if (out->partial) { return TACO_OK; }
    out->name = taco__bytes_of(taco__byte_reader_take(&c, name), name);
    out->extra = taco__bytes_of(taco__byte_reader_take(&c, extra), extra);
    st = taco__zip_read_extra64(out->extra, offset, values, 2, &zip64, err);
    if (st != TACO_OK) { taco__error_prefix(err, "local header of %q", &out->name); }
    return st;
}

/* Checks that the local header of an entry names the same entry, and that its bytes end before the
   directory. The CRC is not compared: libzip leaves it 0 here for a file of 2^32-1 bytes. */
static taco_status taco__zip_check_local_header(const taco__zip_dir *dir, const taco__zip_entry *e,
                                                const taco__zip_local_header *l, taco_error *err)
{
    bool sized = !(l->flags & TACO__ZIP_DESCRIPTOR);
    if (l->partial || !taco__bytes_equal(l->name, e->name)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, e->local,
                          "ZIP: the local header of entry %q names %q", &e->name, &l->name);
    }
    if (l->method != e->method) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, e->local,
                          "ZIP: the local header of entry %q says method %u, the directory %u",
                          &e->name, TACO__U(l->method), TACO__U(e->method));
    }
    if (sized && (l->size != e->size || l->csize != e->csize)) {
        return TACO__FAIL(
            err, TACO_ERR_CORRUPT, e->local,
            "ZIP: the local header of entry %q says %u bytes in %u, the directory %u in %u",
            &e->name, l->size, l->csize, e->size, e->csize);
    }
    if (!taco__checked_range(l->data, e->csize, dir->offset)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, e->local,
                          "ZIP: entry %q has %u bytes at %u, the directory begins at %u", &e->name,
                          e->csize, l->data, dir->offset);
    }
    return TACO_OK;
}

/* Whether b, which ends where the payload begins, ends with the local header of a stored entry of
   `size` bytes. Its length is unknown, as its name is. NULL: it does not. */
static const uint8_t *taco__zip_find_stored(taco_bytes b, uint64_t size)
{
    size_t len;
    for (len = TACO__ZIP_LOCAL_BYTES; len <= b.len; len++) {
        const uint8_t *p = b.data + b.len - len;
        uint32_t said;
        if (p[0] != 'P' || taco__load_le32(p) != TACO__ZIP_SIG_LOCAL ||
            len !=
                (size_t)TACO__ZIP_LOCAL_BYTES + taco__load_le16(p + 26) + taco__load_le16(p + 28)) {
            continue;
        }
        /* in a ZIP64 entry the size is in the extra field */
        said = taco__load_le32(p + 22);
        if (taco__load_le16(p + 8) == 0 && (said == size || said == 0xFFFFFFFFU)) { return p; }
    }
    return NULL;
}

/* Takes the CRC-32 of a payload of `size` bytes out of the bytes before it. *known is false if it
   is in a record after the payload. *name becomes that of the entry, in `lead`. False if the bytes
   do not end with the local header. */
TACO__FN bool taco__zip_lead_crc(taco_bytes lead, uint64_t size, bool *known, uint32_t *crc,
                                 taco_bytes *name)
{
    const uint8_t *p = taco__zip_find_stored(lead, size);
    *known = false;
    if (!p) { return false; }
    *name = taco__bytes_of(p + TACO__ZIP_LOCAL_BYTES, taco__load_le16(p + 26));
    *crc = taco__load_le32(p + 14);
    *known = *crc || !(taco__load_le16(p + 6) & TACO__ZIP_DESCRIPTOR);
    return true;
}

/* The CRC-32 in the local header right before a payload. False if there is none, or it leaves the
   CRC to a record after the payload. */
TACO__FN bool taco__zip_stored_crc(const taco_source *src, uint64_t offset, uint64_t size,
                                   uint32_t *crc)
{
    /* headers of names of usual lengths; of the longest ones, with six ids */
    static const size_t steps[] = {TACO__ZIP_LEAD, 2048};
    uint8_t b[2048];
    size_t i;
    for (i = 0; i < TACO__COUNT(steps); i++) {
        size_t n = (size_t)TACO__MIN(offset, (uint64_t)steps[i]);
        taco_bytes name;
        bool known;
        if (n < TACO__ZIP_LOCAL_BYTES || (i && n <= steps[i - 1]) ||
            !src->read(src->ctx, offset - n, b, n)) {
            return false;
        }
        if (taco__zip_lead_crc(taco__bytes_of(b, n), size, &known, crc, &name)) { return known; }
    }
    return false;
}

/* Compares the CRC-32 of a payload that was copied, or is passed on whole, with that of its
   archive, if known: a damaged payload becomes no part of a valid dataset, unless o->keep_damaged
   is set; then a warning says which it is. */
TACO__FN bool taco__zip_check_copied(const taco_options *o, bool known, uint32_t wanted,
                                     uint32_t found, taco_bytes id, taco_error *err)
{
    taco_error what = {0, TACO_OK, 0, {0}};
    if (!known || wanted == found) { return true; }
    TACO__FAIL(&what, TACO_ERR_CHECKSUM, TACO_NO_OFFSET,
               "sample %q: its bytes are damaged: their CRC-32 is %x, the archive says %x%s", &id,
               TACO__U(found), TACO__U(wanted), o->keep_damaged ? "; they are copied" : "");
    if (o->keep_damaged) {
        if (o->warn) { o->warn(o->warn_ctx, &what); }
        return true;
    }
    taco__error_copy(err, &what);
    return false;
}

/* ---- over a file ---- */

/* Reads and checks the end records. scratch is overwritten. */
TACO__FN taco_status taco__zip_open_until(taco__file *f, uint64_t size, taco__zip_dir *out,
                                          taco__buf *scratch, taco_error *err)
{
    size_t len = size < TACO__ZIP_TAIL_BYTES ? (size_t)size : TACO__ZIP_TAIL_BYTES;
    const uint8_t *p = taco__file_view(f, size - len, len, scratch, err);
    taco_status st;
    memset(out, 0, sizeof *out);
    if (!p) { return err ? err->code : TACO_ERR_IO; }
    st = taco__zip_read_eocd(taco__bytes_of(p, len), size - len, size, out, err);
    if (st != TACO_OK || !out->pending) { return st; }
    p = taco__file_view(f, out->eocd64, TACO__ZIP_EOCD64_BYTES, scratch, err);
    return p     ? taco__zip_read_eocd64(taco__bytes_of(p, TACO__ZIP_EOCD64_BYTES), out, err)
           : err ? err->code
                 : TACO_ERR_IO;
}

TACO__FN taco_status taco__zip_open(taco__file *f, taco__zip_dir *out, taco__buf *scratch,
                                    taco_error *err)
{
    return taco__zip_open_until(f, f->src.size, out, scratch, err);
}

TACO__FN uint64_t taco__zip_find_end(taco__file *f, uint64_t at, taco__buf *scratch)
{
    uint64_t left;
    size_t entries = 0, records = 0;
    const uint8_t *p;
    for (;;) {
        left = f->src.size - TACO__MIN(at, f->src.size);
        p = left < TACO__ZIP_EOCD_BYTES
                ? NULL
                : taco__file_view(f, at, (size_t)TACO__MIN(left, (uint64_t)TACO__ZIP_CENTRAL_BYTES),
                                  scratch, NULL);
        if (p && left >= TACO__ZIP_CENTRAL_BYTES && taco__load_le32(p) == TACO__ZIP_SIG_CENTRAL) {
            at += TACO__ZIP_CENTRAL_BYTES + (uint64_t)taco__load_le16(p + 28) +
                  taco__load_le16(p + 30) + taco__load_le16(p + 32);
            entries++;
        } else if (p && records == 0 && taco__load_le32(p) == TACO__ZIP_SIG_EOCD64) {
            at += TACO__ZIP_EOCD64_BYTES + TACO__ZIP_LOCATOR_BYTES;
            records++;
        } else {
            break;
        }
    }
    if (!p || !entries || taco__load_le32(p) != TACO__ZIP_SIG_EOCD) { return 0; }
    at += TACO__ZIP_EOCD_BYTES + (uint64_t)taco__load_le16(p + 20);
    return at <= f->src.size ? at : 0;
}

/* Reads the directory; *out is in scratch (or the file's memory) until that is used again. limit is
   limits.max_metadata. */
TACO__FN taco_status taco__zip_read_directory(taco__file *f, const taco__zip_dir *dir,
                                              uint64_t limit, taco__buf *scratch, taco_bytes *out,
                                              taco_error *err)
{
    size_t len;
    const uint8_t *p;
    *out = taco__bytes_of(NULL, 0);
    if (dir->size > limit || !taco__checked_to_size(dir->size, &len)) {
        return TACO__FAIL(err, TACO_ERR_LIMIT, dir->offset,
                          "ZIP: central directory of %u bytes, limits.max_metadata is %u",
                          dir->size, limit);
    }
    p = taco__file_view(f, dir->offset, len, scratch, err);
    if (!p) { return err ? err->code : TACO_ERR_IO; }
    *out = taco__bytes_of(p, len);
    return TACO_OK;
}

/* Reads the local header of an entry and checks it against the directory: out->data is where its
   bytes are. The name of *out is in scratch, which must not hold the directory. */
TACO__FN taco_status taco__zip_locate_entry(taco__file *f, const taco__zip_dir *dir,
                                            const taco__zip_entry *e, taco__zip_local_header *out,
                                            taco__buf *scratch, taco_error *err)
{
    /* inside the file: taco__zip_entry_fits */
    size_t len = TACO__ZIP_LOCAL_BYTES + e->name.len;
    const uint8_t *p = taco__file_view(f, e->local, len, scratch, err);
    taco_status st = p     ? taco__zip_read_local_header(taco__bytes_of(p, len), e->local, out, err)
                     : err ? err->code
                           : TACO_ERR_IO;
    if (st == TACO_OK && out->partial) { /* an extra field: at most 64 KiB */
        len = (size_t)out->length;
        p = taco__file_view(f, e->local, len, scratch, err);
        st = p     ? taco__zip_read_local_header(taco__bytes_of(p, len), e->local, out, err)
             : err ? err->code
                   : TACO_ERR_IO;
    }
    if (st != TACO_OK) {
        taco__error_prefix(err, "local header of entry %q", &e->name);
        return st;
    }
    return taco__zip_check_local_header(dir, e, out, err);
}
