/* zip_write.c - writes an archive: local headers, central directory, ZIP64, TACO_HEADER

   In: entries in the order of the file, as inputs of a known size or streams; out: a ZIP archive
   in STORE mode whose first entry is TACO_HEADER, written last. PKWARE APPNOTE 6.3.10 §4.3
   (records), §4.4 (fields), §4.5.3 (ZIP64); TACO 2.0 §6.3.

   Order of calls: _begin (or _resume after the payload of an archive that exists), any number of
   _entry and _stream_open, _end, _free. Local headers are written as entries come, with CRC and
   size: outputs that can seek are patched, for others the CRC is computed first. There are no
   gaps between entries, so the directory needs only the name (its difference to the previous
   one), CRC and size of each: a few bytes per entry in z->entries, which _end replays into the
   central directory. */
#include "write.h"
#include "../base/base.h"
#include "../base/sink.h"
#include "../base/file_copy.h"
#include "../dataset/dataset.h"

#define TACO__ZIP_WRITE_MADE_BY     0x033FU /* UNIX, version 6.3                      (§4.4.2) */
#define TACO__ZIP_WRITE_FILE_MODE   0x81A40000U /* a regular file, 0644 */
#define TACO__ZIP_WRITE_HEADER_MODE 0x01A40000U /* mode of the TACO_HEADER, as in the reference */
/* Sizes and offsets from here on are in ZIP64 fields. */
#define TACO__ZIP_WRITE_ZIP64_FROM 0xFFFFFFFFU

/* DOS time: two-second steps since 1980, in UTC; clamped to its range. */
static uint32_t taco__zip_write_dos_time(int64_t seconds)
{
    int64_t s = TACO__MIN(TACO__MAX(seconds, INT64_C(315532800)), INT64_C(4354819198));
    taco__time_civil d = taco__time_date_from_days(s / 86400);
    uint32_t t = (uint32_t)(s % 86400);
    return ((uint32_t)(d.year - 1980) << 9 | (uint32_t)d.month << 5 | (uint32_t)d.day) << 16 |
           (t / 3600 << 11 | t / 60 % 60 << 5 | t % 60 / 2);
}

/* A number of 16 bits, little-endian. */
static void taco__zip_write_put16(uint8_t *p, uint32_t x)
{
    p[0] = (uint8_t)x;
    p[1] = (uint8_t)(x >> 8);
}

#define TACO__ZIP_WRITE_VARINT_SIZE 10 /* most bytes of a number */

/* LEB128; returns the end. */
static uint8_t *taco__zip_write_put_varint(uint8_t *p, uint64_t x)
{
    for (; x >= 0x80; x >>= 7) {
        *p++ = (uint8_t)(x | 0x80);
    }
    *p++ = (uint8_t)x;
    return p;
}

/* Records what the central directory needs of the entry that begins where the last one ends: length
   of the prefix shared with the last name, length of the rest (varints), the rest, CRC (4 bytes),
   size (varint). */
TACO__FN bool taco__zip_write_note_entry(taco__zip_writer *z, taco_bytes name, uint32_t crc,
                                         uint64_t size, taco_error *err)
{
    uint8_t *p;
    size_t same = taco__bytes_common_prefix(name, taco__bytes_of(z->name.data, z->name.len));
    z->name.len = same;
    z->count++;
    if (!taco__buf_append(&z->name, name.data + same, name.len - same, err) ||
        !taco__buf_reserve(&z->entries, name.len - same + 3 * TACO__ZIP_WRITE_VARINT_SIZE + 4,
                           err)) {
        return false;
    }
    p = z->entries.data + z->entries.len;
    p = taco__zip_write_put_varint(p, same);
    p = taco__zip_write_put_varint(p, name.len - same);
    memcpy(p, name.data + same, name.len - same);
    p += name.len - same;
    taco__put_le32(p, crc);
    z->crc_at = (size_t)(p - z->entries.data);
    p = taco__zip_write_put_varint(p + 4, size);
    z->entries.len = (size_t)(p - z->entries.data);
    return true;
}

/* Sets the CRC of an entry that was noted without it; z->crc_at was `at` then. */
TACO__FN void taco__zip_write_set_crc(taco__zip_writer *z, size_t at, uint32_t crc)
{
    taco__put_le32(z->entries.data + at, crc);
}

/* Bit 11 for names that are not ASCII (§4.4.4). */
static uint32_t taco__zip_write_flags(taco_bytes name)
{
    uint8_t any = 0;
    size_t i;
    for (i = 0; i < name.len; i++) {
        any |= name.data[i];
    }
    return any & 0x80 ? 0x0800 : 0;
}

/* Size of an entry's local header: 20 bytes more for the ZIP64 extra field if the size needs it. */
TACO__FN size_t taco__zip_write_local_header_size(taco_bytes name, uint64_t size)
{
    return TACO__ZIP_LOCAL_BYTES + name.len + (size >= TACO__ZIP_WRITE_ZIP64_FROM ? 20 : 0);
}

/* Makes a local header (§4.3.7), of taco__zip_write_local_header_size bytes. Layout,
   little-endian:

        0 u32 signature   10 u32 time and date   22 u32 size, unpacked
        4 u16 version     14 u32 CRC-32          26 u16 length of the name
        6 u16 flags       18 u32 size            28 u16 length of the extra field
        8 u16 method 0                           30 the name, then the extra field

   The extra field of ZIP64 (§4.5.3), only for large entries: id 1, length 16, both sizes as u64. */
TACO__FN void taco__zip_write_local_header(const taco__zip_writer *z, uint8_t *p, taco_bytes name,
                                           uint32_t crc, uint64_t size)
{
    bool wide = size >= TACO__ZIP_WRITE_ZIP64_FROM;
    uint32_t narrow = wide ? TACO__ZIP_WRITE_ZIP64_FROM : (uint32_t)size;
    memset(p, 0, TACO__ZIP_LOCAL_BYTES);
    taco__put_le32(p, TACO__ZIP_SIG_LOCAL);
    taco__zip_write_put16(p + 4, wide ? 45 : 10);
    taco__zip_write_put16(p + 6, taco__zip_write_flags(name));
    taco__put_le32(p + 10, z->stamp);
    taco__put_le32(p + 14, crc);
    taco__put_le32(p + 18, narrow);
    taco__put_le32(p + 22, narrow);
    taco__zip_write_put16(p + 26, (uint32_t)name.len);
    taco__zip_write_put16(p + 28, wide ? 20 : 0);
    if (name.len) { memcpy(p + TACO__ZIP_LOCAL_BYTES, name.data, name.len); }
    if (wide) {
        p += TACO__ZIP_LOCAL_BYTES + name.len;
        taco__zip_write_put16(p, 1);
        taco__zip_write_put16(p + 2, 16);
        taco__put_le64(p + 4, size);
        taco__put_le64(p + 12, size);
    }
}

/* Names have a length of 16 bits (§4.4.10). */
TACO__FN bool taco__zip_write_check_name(taco_bytes name, taco_error *err)
{
    if (name.len > 0xFFFF) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "the path %q has %u bytes, an archive's has at most 65535", &name,
                   TACO__U(name.len));
        return false;
    }
    return true;
}

/* Begins an archive with space for its TACO_HEADER, which _end fills in. mtime, in seconds since
   1970, applies to all entries. out and mem belong to the caller. */
TACO__FN bool taco__zip_write_begin(taco__zip_writer *z, taco__output *out, taco__mem *mem,
                                    int64_t mtime, taco_error *err)
{
    const uint8_t blank[TACO__INDEX_HEADER_BYTES] = {0};
    memset(z, 0, sizeof *z);
    z->out = out;
    z->mem = mem;
    z->entries.mem = z->name.mem = mem;
    z->stamp = taco__zip_write_dos_time(mtime);
    return taco__output_write(out, blank, sizeof blank, err);
}

/* Continues after the first `begin` bytes of an existing archive. old_headers are the old_count
   headers of its directory to keep; they must stay valid until _end. */
TACO__FN void taco__zip_write_resume(taco__zip_writer *z, taco__output *out, taco__mem *mem,
                                     int64_t mtime, uint64_t begin, taco_bytes old_headers,
                                     uint64_t old_count)
{
    memset(z, 0, sizeof *z);
    z->out = out;
    z->mem = mem;
    z->entries.mem = z->name.mem = mem;
    z->stamp = taco__zip_write_dos_time(mtime);
    z->begin = begin;
    z->old_headers = old_headers;
    z->old_count = old_count;
    out->at = begin;
}

/* Safe on a zeroed writer; the output is not closed. */
TACO__FN void taco__zip_write_free(taco__zip_writer *z)
{
    if (z->mem) {
        taco__buf_free(&z->entries);
        taco__buf_free(&z->name);
    }
}

/* ---- entries ---- */

/* Copies the bytes of a large entry, a buffer at a time, and computes their CRC. */
static bool taco__zip_write_copy(taco__zip_writer *z, const taco__input *in, uint32_t *crc,
                                 taco_error *err)
{
    uint64_t at = 0;
    *crc = 0;
    while (at < in->size) {
        size_t n = (size_t)TACO__MIN(in->size - at, (uint64_t)TACO__OUTPUT_BYTES);
        uint8_t *p = taco__output_reserve(z->out, n, err);
        if (!p || !taco__input_read(in, at, p, n, err)) { return false; }
        *crc = taco__crc32(*crc, p, n);
        at += n;
    }
    return true;
}

/* The CRC of bytes before they are written, for outputs that cannot go back to the header. Uses the
   buffer of the output, which is flushed first. */
static bool taco__zip_write_crc(taco__zip_writer *z, const taco__input *in, uint32_t *crc,
                                taco_error *err)
{
    uint64_t at = 0;
    *crc = 0;
    if (!taco__output_flush(z->out, err)) { return false; }
    while (at < in->size) {
        size_t n = (size_t)TACO__MIN(in->size - at, (uint64_t)TACO__OUTPUT_BYTES);
        if (!taco__input_read(in, at, z->out->data, n, err)) { return false; }
        *crc = taco__crc32(*crc, z->out->data, n);
        at += n;
    }
    return true;
}

/* Header and bytes of an entry that fits into p. The CRC of a source in memory is computed in
   place, before it is copied. */
static bool taco__zip_write_small_entry(const taco__zip_writer *z, uint8_t *p, taco_bytes name,
                                        const taco__input *in, uint32_t *crc, taco_error *err)
{
    size_t len = (size_t)in->size;
    uint8_t *to = p + taco__zip_write_local_header_size(name, len);
    const void *view = in->source.view ? in->source.view(in->source.ctx, in->offset, len) : NULL;
    if (!view && !taco__input_read(in, 0, to, len, err)) { return false; }
    *crc = taco__crc32(0, view ? view : to, len);
    taco__zip_write_local_header(z, p, name, *crc, len);
    if (view) { memcpy(to, view, len); }
    return true;
}

/* Writes an entry; *offset is where its bytes begin, *crc their CRC-32. Small ones are read
   directly into the output's buffer, after their header. */
TACO__FN bool taco__zip_write_entry(taco__zip_writer *z, taco_bytes name, const taco__input *in,
                                    uint64_t *offset, uint32_t *crc, taco_error *err)
{
    size_t head = taco__zip_write_local_header_size(name, in->size);
    uint64_t at;
    uint8_t *p;
    bool ok;
    *crc = 0;
    if (!taco__zip_write_check_name(name, err)) { return false; }
    if (in->size <= TACO__OUTPUT_BYTES - head) {
        p = taco__output_reserve(z->out, head + (size_t)in->size, err);
        if (!p || !taco__zip_write_small_entry(z, p, name, in, crc, err)) { return false; }
        *offset = taco__output_position(z->out) - in->size;
        return taco__zip_write_note_entry(z, name, *crc, in->size, err);
    }
    if (!z->out->anywhere && !taco__zip_write_crc(z, in, crc, err)) { return false; }
    at = taco__output_position(z->out);
    p = taco__output_reserve(z->out, head, err);
    if (!p) { return false; }
    taco__zip_write_local_header(z, p, name, *crc, in->size);
    *offset = at + head;
    ok = taco__zip_write_copy(z, in, crc, err);
    if (ok && z->out->anywhere) {
        uint8_t sum[4];
        taco__put_le32(sum, *crc);
        ok = taco__output_patch(z->out, at + TACO__ZIP_LOCAL_CRC, sum, 4, err);
    }
    return ok && taco__zip_write_note_entry(z, name, *crc, in->size, err);
}

/* Writes the local header of an entry whose bytes the caller writes to *offset. */
TACO__FN bool taco__zip_write_gap(taco__zip_writer *z, taco_bytes name, uint64_t size, uint32_t crc,
                                  uint64_t *offset, taco_error *err)
{
    size_t head = taco__zip_write_local_header_size(name, size);
    uint8_t *p;
    if (!taco__zip_write_check_name(name, err)) { return false; }
    p = taco__output_reserve(z->out, head, err);
    if (!p) { return false; }
    taco__zip_write_local_header(z, p, name, crc, size);
    *offset = taco__output_position(z->out);
    return taco__output_skip(z->out, size, err) &&
           taco__zip_write_note_entry(z, name, crc, size, err);
}

/* sink.write of a stream: bytes come in order, without gaps. */
static bool taco__zip_write_stream_write(void *ctx, uint64_t offset, const void *src, size_t len)
{
    taco__zip_write_stream *s = (taco__zip_write_stream *)ctx;
    if (offset != s->size) { return false; }
    s->size += len;
    if (!s->z->out->anywhere) { return taco__buf_append(&s->pending, src, len, s->err); }
    s->crc = taco__crc32(s->crc, src, len);
    return taco__output_write(s->z->out, src, len, s->err);
}

/* The end of a stream: its header gets CRC and size or, if the output cannot seek, the whole entry
   is written now. */
static bool taco__zip_write_stream_finish(taco__zip_write_stream *s)
{
    taco_bytes name = taco__bytes_of(s->name.data, s->name.len);
    uint8_t head[12];
    taco__input in;
    if (!s->z->out->anywhere) {
        taco__input_from_bytes(&in, taco__bytes_of(s->pending.data, s->pending.len));
        return taco__zip_write_entry(s->z, name, &in, &s->data, &s->crc, s->err);
    }
    if (s->size >= TACO__ZIP_WRITE_ZIP64_FROM) {
        TACO__FAIL(s->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%q has %u bytes, metadata has less than 2^32", &name, s->size);
        return false;
    }
    taco__put_le32(head, s->crc);
    taco__put_le32(head + 4, (uint32_t)s->size);
    taco__put_le32(head + 8, (uint32_t)s->size);
    return taco__output_patch(s->z->out, s->head + TACO__ZIP_LOCAL_CRC, head, sizeof head,
                              s->err) &&
           taco__zip_write_note_entry(s->z, name, s->crc, s->size, s->err);
}

/* sink.close of a stream: completes the entry if it is kept, frees in any case. */
static bool taco__zip_write_stream_close(void *ctx, bool keep)
{
    taco__zip_write_stream *s = (taco__zip_write_stream *)ctx;
    bool ok = !keep || taco__zip_write_stream_finish(s);
    taco__buf_free(&s->pending);
    taco__buf_free(&s->name);
    return ok;
}

/* Begins an entry of unknown size. Until the sink is closed nothing else may be written; then
   s->data and s->size are its place. Outputs that cannot seek keep it in memory until then, so use
   it only for metadata. */
TACO__FN bool taco__zip_write_stream_open(taco__zip_write_stream *s, taco__zip_writer *z,
                                          taco_bytes name, taco_sink *out, taco_error *err)
{
    uint8_t *p;
    size_t head = taco__zip_write_local_header_size(name, 0);
    memset(s, 0, sizeof *s);
    s->z = z;
    s->err = err;
    s->pending.mem = s->name.mem = z->mem;
    memset(out, 0, sizeof *out);
    out->ctx = s;
    out->write = taco__zip_write_stream_write;
    out->close = taco__zip_write_stream_close;
    if (!taco__zip_write_check_name(name, err) ||
        !taco__buf_append(&s->name, name.data, name.len, err)) {
        return false;
    }
    if (z->out->anywhere) {
        s->head = taco__output_position(z->out);
        p = taco__output_reserve(z->out, head, err);
        if (!p) { return false; }
        taco__zip_write_local_header(z, p, name, 0, 0);
        s->data = s->head + head;
    }
    return true;
}

/* ---- the end ---- */

/* One header of the central directory (§4.3.12); *local, where its entry begins, is moved to the
   next one. Offset 0 is TACO_HEADER. Layout: as a local header from byte 6 on, after signature,
   version made by and version needed; then comment length, disk, attributes and the offset:

        8 u16 flags    16 u32 CRC-32     28 u16 length of the name   38 u32 mode
       10 u16 method   20 u32 size       30 u16 length of extra      42 u32 local header
       12 u32 time     24 u32 unpacked   32 u16 of the comment       46 name, extra field

   Sizes and offset from 2^32 - 1 on are in the extra field, in this order, those that are
   needed. */
static bool taco__zip_write_central_header(taco__zip_writer *z, taco_bytes name, uint32_t crc,
                                           uint64_t size, uint64_t *local, taco_error *err)
{
    bool wide = size >= TACO__ZIP_WRITE_ZIP64_FROM, far = *local >= TACO__ZIP_WRITE_ZIP64_FROM;
    size_t extra = wide || far ? 4U + (wide ? 16U : 0U) + (far ? 8U : 0U) : 0;
    uint8_t *p = taco__output_reserve(z->out, TACO__ZIP_CENTRAL_BYTES + name.len + extra, err);
    if (!p) { return false; }
    memset(p, 0, TACO__ZIP_CENTRAL_BYTES);
    taco__put_le32(p, TACO__ZIP_SIG_CENTRAL);
    taco__zip_write_put16(p + 4, TACO__ZIP_WRITE_MADE_BY);
    taco__zip_write_put16(p + 6, extra ? 45 : 10);
    taco__zip_write_put16(p + 8, taco__zip_write_flags(name));
    taco__put_le32(p + 12, z->stamp);
    taco__put_le32(p + 16, crc);
    taco__put_le32(p + 20, wide ? TACO__ZIP_WRITE_ZIP64_FROM : (uint32_t)size);
    taco__put_le32(p + 24, wide ? TACO__ZIP_WRITE_ZIP64_FROM : (uint32_t)size);
    taco__zip_write_put16(p + 28, (uint32_t)name.len);
    taco__zip_write_put16(p + 30, (uint32_t)extra);
    taco__put_le32(p + 38, *local ? TACO__ZIP_WRITE_FILE_MODE : TACO__ZIP_WRITE_HEADER_MODE);
    taco__put_le32(p + 42, far ? TACO__ZIP_WRITE_ZIP64_FROM : (uint32_t)*local);
    memcpy(p + TACO__ZIP_CENTRAL_BYTES, name.data, name.len);
    if (extra) {
        p += TACO__ZIP_CENTRAL_BYTES + name.len;
        taco__zip_write_put16(p, 1);
        taco__zip_write_put16(p + 2, (uint32_t)extra - 4);
        if (wide) {
            taco__put_le64(p + 4, size);
            taco__put_le64(p + 12, size);
        }
        if (far) { taco__put_le64(p + extra - 8, *local); }
    }
    *local += taco__zip_write_local_header_size(name, size) + size;
    return true;
}

/* The end records (§4.3.14 to §4.3.16) of a directory of `size` bytes at `at`. Those of ZIP64
   come first, and only if a number needs them: its end record (56 bytes: entries at 24 and
   32, size at 40, offset at 48), its locator (20 bytes: offset of the former at 8). The old
   record has the largest numbers it can hold instead. */
static bool taco__zip_write_end_records(taco__zip_writer *z, uint64_t at, uint64_t size,
                                        taco_error *err)
{
    uint64_t count = z->old_count + z->count + 1;
    bool wide =
        count >= 0xFFFF || at >= TACO__ZIP_WRITE_ZIP64_FROM || size >= TACO__ZIP_WRITE_ZIP64_FROM;
    uint8_t b[TACO__ZIP_EOCD64_BYTES + TACO__ZIP_LOCATOR_BYTES + TACO__ZIP_EOCD_BYTES], *p = b;
    memset(b, 0, sizeof b);
    if (wide) {
        taco__put_le32(p, TACO__ZIP_SIG_EOCD64);
        taco__put_le64(p + 4, TACO__ZIP_EOCD64_BYTES - 12);
        taco__zip_write_put16(p + 12, TACO__ZIP_WRITE_MADE_BY);
        taco__zip_write_put16(p + 14, 45);
        taco__put_le64(p + 24, count);
        taco__put_le64(p + 32, count);
        taco__put_le64(p + 40, size);
        taco__put_le64(p + 48, at);
        p += TACO__ZIP_EOCD64_BYTES;
        taco__put_le32(p, TACO__ZIP_SIG_LOCATOR);
        taco__put_le64(p + 8, at + size);
        taco__put_le32(p + 16, 1);
        p += TACO__ZIP_LOCATOR_BYTES;
    }
    taco__put_le32(p, TACO__ZIP_SIG_EOCD);
    taco__zip_write_put16(p + 8, (uint32_t)TACO__MIN(count, (uint64_t)0xFFFF));
    taco__zip_write_put16(p + 10, (uint32_t)TACO__MIN(count, (uint64_t)0xFFFF));
    taco__put_le32(p + 12, (uint32_t)TACO__MIN(size, (uint64_t)TACO__ZIP_WRITE_ZIP64_FROM));
    taco__put_le32(p + 16, (uint32_t)TACO__MIN(at, (uint64_t)TACO__ZIP_WRITE_ZIP64_FROM));
    p += TACO__ZIP_EOCD_BYTES;
    return taco__output_write(z->out, b, (size_t)(p - b), err);
}

/* Makes TACO_HEADER (§6.3) with its local header: 157 bytes in all, so that its payload is at a
   fixed place. Payload: u8 number of ranges n, three zeros, then n times u64 offset and u64
   length: levels from 0 on, COLLECTION.json last; at most 7. Returns the CRC of the payload. */
TACO__FN uint32_t taco__zip_write_taco_header(const taco__zip_writer *z, const taco__range *ranges,
                                              size_t n, uint8_t out[TACO__INDEX_HEADER_BYTES])
{
    uint8_t *p = out + TACO__INDEX_HEADER_BYTES - TACO__INDEX_PAYLOAD_BYTES;
    uint32_t crc;
    size_t i;
    memset(out, 0, TACO__INDEX_HEADER_BYTES);
    p[0] = (uint8_t)n;
    for (i = 0; i < n; i++) {
        taco__put_le64(p + 4 + 16 * i, ranges[i].offset);
        taco__put_le64(p + 12 + 16 * i, ranges[i].len);
    }
    crc = taco__crc32(0, p, TACO__INDEX_PAYLOAD_BYTES);
    taco__zip_write_local_header(z, out, taco__bytes_text("TACO_HEADER"), crc,
                                 TACO__INDEX_PAYLOAD_BYTES);
    return crc;
}

/* Ends the archive: directory, end records, and finally TACO_HEADER at the front. */
TACO__FN bool taco__zip_write_end(taco__zip_writer *z, const taco__range *ranges, size_t n,
                                  taco_error *err)
{
    uint8_t header[TACO__INDEX_HEADER_BYTES];
    uint32_t crc = taco__zip_write_taco_header(z, ranges, n, header);
    uint64_t at = taco__output_position(z->out), local = 0, i;
    taco__byte_reader c = taco__byte_reader_init(taco__bytes_of(z->entries.data, z->entries.len));
    bool ok = taco__zip_write_central_header(z, taco__bytes_text("TACO_HEADER"), crc,
                                             TACO__INDEX_PAYLOAD_BYTES, &local, err);
    z->name.len = 0;
    if (z->begin) {
        local = z->begin;
        ok = ok && taco__output_write(z->out, z->old_headers.data, z->old_headers.len, err);
    }
    for (i = 0; ok && i < z->count; i++) {
        size_t rest;
        const uint8_t *p;
        z->name.len = (size_t)taco__byte_reader_varint(&c);
        rest = (size_t)taco__byte_reader_varint(&c);
        p = taco__byte_reader_take(&c, rest);
        ok = p && taco__buf_append(&z->name, p, rest, err);
        if (ok) {
            crc = taco__byte_reader_le32(&c);
            ok = taco__zip_write_central_header(z, taco__bytes_of(z->name.data, z->name.len), crc,
                                                taco__byte_reader_varint(&c), &local, err);
        }
    }
    return ok && taco__zip_write_end_records(z, at, taco__output_position(z->out) - at, err) &&
           taco__output_flush(z->out, err) &&
           taco__output_patch(z->out, 0, header, sizeof header, err);
}
