/* ==== ROOM zipw: STORE-mode archives out: local headers, central directory, ZIP64, TACO_HEADER.
   Uses: pq:io hash mem zip index. Spec: PKWARE APPNOTE 6.3.10 §4.3, §4.4, §4.5.3 (ZIP64); TACO 2.0.0 §6.3 ====
   Entries follow each other without a gap, so that where each begins need not be kept: of an entry that was written stay
   its name (what differs from the one before), CRC and size. */

#define TACO__ZIPW_MADE   0x033FU     /* UNIX, version 6.3                      (§4.4.2) */
#define TACO__ZIPW_FILE   0x81A40000U /* a regular file, 0644 */
#define TACO__ZIPW_HEADER 0x01A40000U /* of the TACO_HEADER, as the reference writes it */
#define TACO__ZIPW_MOST   0xFFFFFFFFU /* sizes and offsets from here on are in ZIP64 fields */

typedef struct taco__zipw {
    taco__io_out *out;
    taco__mem    *mem;
    taco__buf     entries, name; /* what is kept; the last name */
    uint64_t      count;
    uint32_t      stamp; /* DOS date and time of all entries */
    /* An archive that goes on: where our entries begin, and the headers of its directory that stay, `stays` of them */
    uint64_t   begin, stays;
    taco_bytes headers;
} taco__zipw;

/* DOS time: two-second steps since 1980, in UTC; what is outside becomes the nearest end. */
TACO__FN uint32_t taco__zipw_stamp(int64_t seconds)
{
    int64_t          s = TACO__MIN(TACO__MAX(seconds, INT64_C(315532800)), INT64_C(4354819198));
    taco__time_civil d = taco__time_date_of(s / 86400);
    uint32_t         t = (uint32_t)(s % 86400);
    return ((uint32_t)(d.year - 1980) << 9 | (uint32_t)d.month << 5 | (uint32_t)d.day) << 16 |
           (t / 3600 << 11 | t / 60 % 60 << 5 | t % 60 / 2);
}
TACO__FN void taco__zipw_put16(uint8_t *p, uint32_t x)
{
    p[0] = (uint8_t)x;
    p[1] = (uint8_t)(x >> 8);
}
#define TACO__ZIPW_NUMBER 10 /* bytes of a number, at most */
TACO__FN uint8_t *taco__zipw_number(uint8_t *p, uint64_t x)
{
    for (; x >= 0x80; x >>= 7) {
        *p++ = (uint8_t)(x | 0x80);
    }
    *p++ = (uint8_t)x;
    return p;
}
/* Keeps what the central directory needs of the entry that begins where the last one ends. */
TACO__FN bool taco__zipw_keep(taco__zipw *z, taco_bytes name, uint32_t crc, uint64_t size,
                              taco_error *err)
{
    uint8_t *p;
    size_t   same = taco__base_common(name, taco__base_bytes(z->name.data, z->name.len));
    z->name.len = same;
    z->count++;
    if (!taco__buf_append(&z->name, name.data + same, name.len - same, err) ||
        !taco__buf_reserve(&z->entries, name.len - same + 3 * TACO__ZIPW_NUMBER + 4, err)) {
        return false;
    }
    p = z->entries.data + z->entries.len;
    p = taco__zipw_number(p, same);
    p = taco__zipw_number(p, name.len - same);
    memcpy(p, name.data + same, name.len - same);
    p += name.len - same;
    taco__base_put32(p, crc);
    p = taco__zipw_number(p + 4, size);
    z->entries.len = (size_t)(p - z->entries.data);
    return true;
}
/* Bit 11 for names that are more than ASCII (§4.4.4). */
TACO__FN uint32_t taco__zipw_flags(taco_bytes name)
{
    uint8_t any = 0;
    size_t  i;
    for (i = 0; i < name.len; i++) {
        any |= name.data[i];
    }
    return any & 0x80 ? 0x0800 : 0;
}
TACO__FN size_t taco__zipw_local_len(taco_bytes name, uint64_t size)
{
    return TACO__ZIP_LOCAL + name.len + (size >= TACO__ZIPW_MOST ? 20 : 0);
}
/* A local header (§4.3.7), of taco__zipw_local_len bytes. */
TACO__FN void taco__zipw_local(const taco__zipw *z, uint8_t *p, taco_bytes name, uint32_t crc,
                               uint64_t size)
{
    bool     wide = size >= TACO__ZIPW_MOST;
    uint32_t narrow = wide ? TACO__ZIPW_MOST : (uint32_t)size;
    memset(p, 0, TACO__ZIP_LOCAL);
    taco__base_put32(p, TACO__ZIP_SIG_LOCAL);
    taco__zipw_put16(p + 4, wide ? 45 : 10);
    taco__zipw_put16(p + 6, taco__zipw_flags(name));
    taco__base_put32(p + 10, z->stamp);
    taco__base_put32(p + 14, crc);
    taco__base_put32(p + 18, narrow);
    taco__base_put32(p + 22, narrow);
    taco__zipw_put16(p + 26, (uint32_t)name.len);
    taco__zipw_put16(p + 28, wide ? 20 : 0);
    if (name.len) {
        memcpy(p + TACO__ZIP_LOCAL, name.data, name.len);
    }
    if (wide) {
        p += TACO__ZIP_LOCAL + name.len;
        taco__zipw_put16(p, 1);
        taco__zipw_put16(p + 2, 16);
        taco__base_put64(p + 4, size);
        taco__base_put64(p + 12, size);
    }
}
TACO__FN bool taco__zipw_named(taco_bytes name, taco_error *err)
{
    if (name.len > 0xFFFF) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "the path %q has %u bytes, an archive's has at most 65535", &name,
                   TACO__U(name.len));
        return false;
    }
    return true;
}
/* Begins an archive with room for its TACO_HEADER, which taco__zipw_end fills. out and mem stay the caller's. */
TACO__FN bool taco__zipw_begin(taco__zipw *z, taco__io_out *out, taco__mem *mem, int64_t mtime,
                               taco_error *err)
{
    const uint8_t blank[TACO__INDEX_FIRST] = {0};
    memset(z, 0, sizeof *z);
    z->out = out;
    z->mem = mem;
    z->entries.mem = z->name.mem = mem;
    z->stamp = taco__zipw_stamp(mtime);
    return taco__io_out_write(out, blank, sizeof blank, err);
}
/* Goes on behind `begin` bytes of an archive. The headers live until the end. */
TACO__FN void taco__zipw_resume(taco__zipw *z, taco__io_out *out, taco__mem *mem, int64_t mtime,
                                uint64_t begin, taco_bytes headers, uint64_t stays)
{
    memset(z, 0, sizeof *z);
    z->out = out;
    z->mem = mem;
    z->entries.mem = z->name.mem = mem;
    z->stamp = taco__zipw_stamp(mtime);
    z->begin = begin;
    z->headers = headers;
    z->stays = stays;
    out->at = begin;
}
TACO__FN void taco__zipw_free(taco__zipw *z)
{
    if (z->mem) {
        taco__buf_free(&z->entries);
        taco__buf_free(&z->name);
    }
}

/* ---- entries ---- */

/* The bytes of a large entry, a cache's worth at a time; *crc is theirs. */
TACO__FN bool taco__zipw_stream(taco__zipw *z, const taco__io_in *in, uint32_t *crc,
                                taco_error *err)
{
    uint64_t at = 0;
    *crc = 0;
    while (at < in->size) {
        size_t   n = (size_t)TACO__MIN(in->size - at, (uint64_t)TACO__OUT_BYTES);
        uint8_t *p = taco__io_out_room(z->out, n, err);
        if (!p || !taco__io_in_read(in, at, p, n, err)) {
            return false;
        }
        *crc = taco__hash_crc32(*crc, p, n);
        at += n;
    }
    return true;
}
/* The CRC of bytes before they are written, for outputs that cannot go back to a header. */
TACO__FN bool taco__zipw_sum(taco__zipw *z, const taco__io_in *in, uint32_t *crc, taco_error *err)
{
    uint64_t at = 0;
    *crc = 0;
    if (!taco__io_out_flush(z->out, err)) {
        return false;
    }
    while (at < in->size) {
        size_t n = (size_t)TACO__MIN(in->size - at, (uint64_t)TACO__OUT_BYTES);
        if (!taco__io_in_read(in, at, z->out->data, n, err)) {
            return false;
        }
        *crc = taco__hash_crc32(*crc, z->out->data, n);
        at += n;
    }
    return true;
}
/* Header and bytes of an entry that p has room for. What lies in memory is summed there: a copy is still on its way. */
TACO__FN bool taco__zipw_small(const taco__zipw *z, uint8_t *p, taco_bytes name,
                               const taco__io_in *in, uint32_t *crc, taco_error *err)
{
    size_t      len = (size_t)in->size;
    uint8_t    *to = p + taco__zipw_local_len(name, len);
    const void *held = in->source.view ? in->source.view(in->source.ctx, in->offset, len) : NULL;
    if (!held && !taco__io_in_read(in, 0, to, len, err)) {
        return false;
    }
    *crc = taco__hash_crc32(0, held ? held : to, len);
    taco__zipw_local(z, p, name, *crc, len);
    if (held) {
        memcpy(to, held, len);
    }
    return true;
}
/* Writes an entry; *offset is where its bytes begin. Small ones are read where they are to stand, behind their header. */
TACO__FN bool taco__zipw_add(taco__zipw *z, taco_bytes name, const taco__io_in *in,
                             uint64_t *offset, taco_error *err)
{
    size_t   head = taco__zipw_local_len(name, in->size);
    uint32_t crc = 0;
    uint64_t at;
    uint8_t *p;
    bool     ok;
    if (!taco__zipw_named(name, err)) {
        return false;
    }
    if (in->size <= TACO__OUT_BYTES - head) {
        p = taco__io_out_room(z->out, head + (size_t)in->size, err);
        if (!p || !taco__zipw_small(z, p, name, in, &crc, err)) {
            return false;
        }
        *offset = taco__io_out_end(z->out) - in->size;
        return taco__zipw_keep(z, name, crc, in->size, err);
    }
    if (!z->out->anywhere && !taco__zipw_sum(z, in, &crc, err)) {
        return false;
    }
    at = taco__io_out_end(z->out);
    p = taco__io_out_room(z->out, head, err);
    if (!p) {
        return false;
    }
    taco__zipw_local(z, p, name, crc, in->size);
    *offset = at + head;
    ok = taco__zipw_stream(z, in, &crc, err);
    if (ok && z->out->anywhere) {
        uint8_t sum[4];
        taco__base_put32(sum, crc);
        ok = taco__io_out_patch(z->out, at + 14, sum, 4, err);
    }
    return ok && taco__zipw_keep(z, name, crc, in->size, err);
}

/* An entry whose size is not known before: a sink to be written by somebody else. */
typedef struct taco__zipw_sink {
    taco__zipw *z;
    taco_error *err;
    taco__buf   name;
    uint64_t    head, data, size;
    uint32_t    crc;
    taco__buf   held; /* for outputs that cannot go back to a header */
    bool        open;
} taco__zipw_sink;

TACO__FN bool taco__zipw_sink_write(void *ctx, uint64_t offset, const void *src, size_t len)
{
    taco__zipw_sink *s = (taco__zipw_sink *)ctx;
    if (offset != s->size) {
        return false;
    }
    s->size += len;
    if (!s->z->out->anywhere) {
        return taco__buf_append(&s->held, src, len, s->err);
    }
    s->crc = taco__hash_crc32(s->crc, src, len);
    return taco__io_out_write(s->z->out, src, len, s->err);
}
TACO__FN bool taco__zipw_sink_finish(taco__zipw_sink *s)
{
    taco_bytes  name = taco__base_bytes(s->name.data, s->name.len);
    uint8_t     head[12];
    taco__io_in in;
    if (!s->z->out->anywhere) {
        taco__io_in_bytes(&in, taco__base_bytes(s->held.data, s->held.len));
        return taco__zipw_add(s->z, name, &in, &s->data, s->err);
    }
    if (s->size >= TACO__ZIPW_MOST) {
        TACO__FAIL(s->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%q has %u bytes, metadata has less than 2^32", &name, s->size);
        return false;
    }
    taco__base_put32(head, s->crc);
    taco__base_put32(head + 4, (uint32_t)s->size);
    taco__base_put32(head + 8, (uint32_t)s->size);
    return taco__io_out_patch(s->z->out, s->head + 14, head, sizeof head, s->err) &&
           taco__zipw_keep(s->z, name, s->crc, s->size, s->err);
}
TACO__FN bool taco__zipw_sink_close(void *ctx, bool keep)
{
    taco__zipw_sink *s = (taco__zipw_sink *)ctx;
    bool             ok = !keep || taco__zipw_sink_finish(s);
    taco__buf_free(&s->held);
    taco__buf_free(&s->name);
    return ok;
}
/* Begins such an entry. Until the sink is closed nothing else is written; then s->data and s->size say where it is. */
TACO__FN bool taco__zipw_sink_open(taco__zipw_sink *s, taco__zipw *z, taco_bytes name,
                                   taco_sink *out, taco_error *err)
{
    uint8_t *p;
    size_t   head = taco__zipw_local_len(name, 0);
    memset(s, 0, sizeof *s);
    s->z = z;
    s->err = err;
    s->held.mem = s->name.mem = z->mem;
    memset(out, 0, sizeof *out);
    out->ctx = s;
    out->write = taco__zipw_sink_write;
    out->close = taco__zipw_sink_close;
    if (!taco__zipw_named(name, err) || !taco__buf_append(&s->name, name.data, name.len, err)) {
        return false;
    }
    if (z->out->anywhere) {
        s->head = taco__io_out_end(z->out);
        p = taco__io_out_room(z->out, head, err);
        if (!p) {
            return false;
        }
        taco__zipw_local(z, p, name, 0, 0);
        s->data = s->head + head;
    }
    return true;
}

/* ---- the end ---- */

/* One header of the central directory (§4.3.12); *local is where its entry begins, and then where the next one does. */
TACO__FN bool taco__zipw_central(taco__zipw *z, taco_bytes name, uint32_t crc, uint64_t size,
                                 uint64_t *local, taco_error *err)
{
    bool     wide = size >= TACO__ZIPW_MOST, far = *local >= TACO__ZIPW_MOST;
    size_t   extra = wide || far ? 4U + (wide ? 16U : 0U) + (far ? 8U : 0U) : 0;
    uint8_t *p = taco__io_out_room(z->out, TACO__ZIP_CENTRAL + name.len + extra, err);
    if (!p) {
        return false;
    }
    memset(p, 0, TACO__ZIP_CENTRAL);
    taco__base_put32(p, TACO__ZIP_SIG_CENTRAL);
    taco__zipw_put16(p + 4, TACO__ZIPW_MADE);
    taco__zipw_put16(p + 6, extra ? 45 : 10);
    taco__zipw_put16(p + 8, taco__zipw_flags(name));
    taco__base_put32(p + 12, z->stamp);
    taco__base_put32(p + 16, crc);
    taco__base_put32(p + 20, wide ? TACO__ZIPW_MOST : (uint32_t)size);
    taco__base_put32(p + 24, wide ? TACO__ZIPW_MOST : (uint32_t)size);
    taco__zipw_put16(p + 28, (uint32_t)name.len);
    taco__zipw_put16(p + 30, (uint32_t)extra);
    taco__base_put32(p + 38, *local ? TACO__ZIPW_FILE : TACO__ZIPW_HEADER);
    taco__base_put32(p + 42, far ? TACO__ZIPW_MOST : (uint32_t)*local);
    memcpy(p + TACO__ZIP_CENTRAL, name.data, name.len);
    if (extra) {
        p += TACO__ZIP_CENTRAL + name.len;
        taco__zipw_put16(p, 1);
        taco__zipw_put16(p + 2, (uint32_t)extra - 4);
        if (wide) {
            taco__base_put64(p + 4, size);
            taco__base_put64(p + 12, size);
        }
        if (far) {
            taco__base_put64(p + extra - 8, *local);
        }
    }
    *local += taco__zipw_local_len(name, size) + size;
    return true;
}
/* The end records (§4.3.14-16): those of ZIP64 only where a number needs them. */
TACO__FN bool taco__zipw_eocd(taco__zipw *z, uint64_t at, uint64_t size, taco_error *err)
{
    uint64_t count = z->stays + z->count + 1;
    bool     wide = count >= 0xFFFF || at >= TACO__ZIPW_MOST || size >= TACO__ZIPW_MOST;
    uint8_t  b[TACO__ZIP_EOCD64 + TACO__ZIP_LOCATOR + TACO__ZIP_EOCD], *p = b;
    memset(b, 0, sizeof b);
    if (wide) {
        taco__base_put32(p, TACO__ZIP_SIG_EOCD64);
        taco__base_put64(p + 4, TACO__ZIP_EOCD64 - 12);
        taco__zipw_put16(p + 12, TACO__ZIPW_MADE);
        taco__zipw_put16(p + 14, 45);
        taco__base_put64(p + 24, count);
        taco__base_put64(p + 32, count);
        taco__base_put64(p + 40, size);
        taco__base_put64(p + 48, at);
        p += TACO__ZIP_EOCD64;
        taco__base_put32(p, TACO__ZIP_SIG_LOCATOR);
        taco__base_put64(p + 8, at + size);
        taco__base_put32(p + 16, 1);
        p += TACO__ZIP_LOCATOR;
    }
    taco__base_put32(p, TACO__ZIP_SIG_EOCD);
    taco__zipw_put16(p + 8, (uint32_t)TACO__MIN(count, (uint64_t)0xFFFF));
    taco__zipw_put16(p + 10, (uint32_t)TACO__MIN(count, (uint64_t)0xFFFF));
    taco__base_put32(p + 12, (uint32_t)TACO__MIN(size, (uint64_t)TACO__ZIPW_MOST));
    taco__base_put32(p + 16, (uint32_t)TACO__MIN(at, (uint64_t)TACO__ZIPW_MOST));
    p += TACO__ZIP_EOCD;
    return taco__io_out_write(z->out, b, (size_t)(p - b), err);
}
/* The TACO_HEADER (§6.3): where the n ranges are, the levels and COLLECTION.json; with its local header. */
TACO__FN uint32_t taco__zipw_header(const taco__zipw *z, const taco__range *ranges, size_t n,
                                    uint8_t out[TACO__INDEX_FIRST])
{
    uint8_t *p = out + TACO__INDEX_FIRST - TACO__INDEX_PAYLOAD;
    uint32_t crc;
    size_t   i;
    memset(out, 0, TACO__INDEX_FIRST);
    p[0] = (uint8_t)n;
    for (i = 0; i < n; i++) {
        taco__base_put64(p + 4 + 16 * i, ranges[i].offset);
        taco__base_put64(p + 12 + 16 * i, ranges[i].len);
    }
    crc = taco__hash_crc32(0, p, TACO__INDEX_PAYLOAD);
    taco__zipw_local(z, out, taco__base_text("TACO_HEADER"), crc, TACO__INDEX_PAYLOAD);
    return crc;
}
/* Ends the archive: directory, end records, and the TACO_HEADER, whose at most 7 ranges are given. */
TACO__FN bool taco__zipw_end(taco__zipw *z, const taco__range *ranges, size_t n, taco_error *err)
{
    uint8_t   header[TACO__INDEX_FIRST];
    uint32_t  crc = taco__zipw_header(z, ranges, n, header);
    uint64_t  at = taco__io_out_end(z->out), local = 0, i;
    taco__cur c = taco__cur_make(taco__base_bytes(z->entries.data, z->entries.len));
    bool      ok = taco__zipw_central(z, taco__base_text("TACO_HEADER"), crc, TACO__INDEX_PAYLOAD,
                                      &local, err);
    z->name.len = 0;
    if (z->begin) {
        local = z->begin;
        ok = ok && taco__io_out_write(z->out, z->headers.data, z->headers.len, err);
    }
    for (i = 0; ok && i < z->count; i++) {
        size_t         rest;
        const uint8_t *p;
        z->name.len = (size_t)taco__cur_varint(&c);
        rest = (size_t)taco__cur_varint(&c);
        p = taco__cur_take(&c, rest);
        crc = 0;
        ok = p && taco__buf_append(&z->name, p, rest, err);
        if (ok) {
            crc = taco__cur_le32(&c);
            ok = taco__zipw_central(z, taco__base_bytes(z->name.data, z->name.len), crc,
                                    taco__cur_varint(&c), &local, err);
        }
    }
    return ok && taco__zipw_eocd(z, at, taco__io_out_end(z->out) - at, err) &&
           taco__io_out_flush(z->out, err) &&
           taco__io_out_patch(z->out, 0, header, sizeof header, err);
}

