/* archive_edit.c - TACO_HEADER alone, and archives with any members

   In: ranges, or members with their bytes; out: the bytes of a TACO_HEADER and back, uncompressed
   archives that begin with one, and archives whose TACO_HEADER or one member has been replaced.
   TACO 2.0 §6.3; PKWARE APPNOTE 6.3.10.

   Changes are appended to an archive, with a new central directory, and TACO_HEADER is changed last
   (taco__archive_commit), as in add_columns.c: a reader that opens the archive meanwhile, or
   after a crash, sees the old state or the new one. */
#include "write.h"
#include "../base/base.h"
#include "../base/file_copy.h"
#include "../base/sink.h"
#include "../dataset/archive.h"

/* DOS date of 1980-01-01, the earliest. */
#define TACO__ARCHIVE_STAMP 0x00210000U
/* Bytes of a local header with the name TACO_HEADER. */
#define TACO__ARCHIVE_LOCAL (TACO_HEADER_BYTES - TACO__INDEX_PAYLOAD_BYTES)

static const char taco__archive_header_name[] = "TACO_HEADER";

/* ---- the header as bytes ---- */

/* Converts ranges to the form of the archive writer; ARGUMENT if there are too many. */
static bool taco__archive_ranges(const taco_header *h, taco__range out[TACO_HEADER_RANGES],
                                 taco_error *err)
{
    uint32_t i;
    if (!h || h->count > TACO_HEADER_RANGES) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "a TACO_HEADER has up to %u ranges, given are %u", TACO__U(TACO_HEADER_RANGES),
                   TACO__U(h ? h->count : 0));
        return false;
    }
    for (i = 0; i < h->count; i++) {
        out[i].offset = h->ranges[i].offset;
        out[i].len = h->ranges[i].size;
    }
    return true;
}

TACO_API taco_status taco_header_bytes(const taco_header *h, uint8_t out[TACO_HEADER_BYTES],
                                       taco_error *err)
{
    taco__range ranges[TACO_HEADER_RANGES];
    taco__zip_writer z;
    err = taco__error_fresh(err, NULL);
    memset(&z, 0, sizeof z);
    z.stamp = TACO__ARCHIVE_STAMP;
    if (!out || !taco__archive_ranges(h, ranges, err)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "nowhere to write to");
    }
    taco__zip_write_taco_header(&z, ranges, h->count, out);
    return TACO_OK;
}

TACO_API taco_status taco_header_parse(const void *first, size_t len, taco_header *out,
                                       taco_error *err)
{
    const uint8_t *p = (const uint8_t *)first;
    size_t at = 0, i;
    err = taco__error_fresh(err, NULL);
    if (!p || !out) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no bytes, or nowhere to");
    }
    memset(out, 0, sizeof *out);
    if (len != TACO__INDEX_PAYLOAD_BYTES) {
        const size_t name = len > TACO__ZIP_LOCAL_BYTES ? taco__load_le16(p + 26) : 0;
        at = TACO__ZIP_LOCAL_BYTES + name;
        /* the older name, TACO_GHOST, is a byte shorter */
        if (len < at + TACO__INDEX_PAYLOAD_BYTES || taco__load_le32(p) != TACO__ZIP_SIG_LOCAL ||
            (name != 10 && name != 11) ||
            memcmp(p + TACO__ZIP_LOCAL_BYTES, name == 10 ? "TACO_GHOST" : taco__archive_header_name,
                   name) != 0) {
            return TACO__FAIL(err, len < TACO_HEADER_BYTES ? TACO_ERR_TRUNCATED : TACO_ERR_CORRUPT,
                              0, "no TACO_HEADER in the first %u bytes", TACO__U(len));
        }
    }
    p += at;
    if (p[0] > TACO_HEADER_RANGES) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, at, "TACO_HEADER: %u ranges, %u are the most",
                          TACO__U(p[0]), TACO__U(TACO_HEADER_RANGES));
    }
    out->count = p[0];
    for (i = 0; i < out->count; i++) {
        out->ranges[i].offset = taco__load_le64(p + 4 + 16 * i);
        out->ranges[i].size = taco__load_le64(p + 12 + 16 * i);
    }
    return TACO_OK;
}

TACO_API taco_status taco_header_read(const char *path, const taco_options *opt, taco_header *out,
                                      taco_error *err)
{
    taco_options options;
    taco_source src;
    taco__mem mem;
    taco__file file;
    taco_error own = {0, TACO_OK, 0, {0}};
    uint8_t first[TACO_HEADER_BYTES];
    size_t n;
    err = taco__error_fresh(err, NULL);
    if (!path || !out) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "path or header is missing");
    }
    taco__options_init(&options, opt);
    taco__mem_init(&mem, &options);
    if (taco__source_open_path(&options, path, &src, &own)) {
        taco__file_init(&file, &src, path, &mem);
        n = (size_t)TACO__MIN(src.size, (uint64_t)sizeof first);
        if (taco__file_read(&file, 0, first, n, &own)) { taco_header_parse(first, n, out, &own); }
        taco__file_close(&file);
    }
    if (own.code != TACO_OK) { taco__error_prefix(&own, "%s", path); }
    taco__error_copy(err, &own);
    return own.code;
}

/* ---- members ---- */

/* A name that every ZIP reader can extract below a directory. */
static bool taco__archive_check_name(const char *name, taco_error *err)
{
    taco_bytes text = taco__bytes_text(name ? name : "");
    const char *p = name;
    bool good = name && *name && *name != '/' && !strchr(name, '\\') &&
                strcmp(name, taco__archive_header_name) != 0;
    for (; good && p; p = strchr(p, '/')) {
        p += *p == '/';
        good = strncmp(p, "..", 2) != 0 || (p[2] && p[2] != '/');
    }
    if (!good) {
        TACO__FAIL(
            err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
            "%q is not a valid name of a member: a relative path with '/', without '..', and "
            "not TACO_HEADER",
            &text);
    }
    return good;
}

/* Writes a member, and returns its range. */
static bool taco__archive_write_member(taco__zip_writer *z, const taco_member *m,
                                       const taco_options *options, taco__range *range,
                                       taco_error *err)
{
    taco__input in;
    taco_source src;
    uint32_t crc;
    bool ok;
    if (!m->path) {
        taco__input_from_bytes(&in, taco__bytes_of((const uint8_t *)m->data, m->len));
    } else if (taco__source_open_path(options, m->path, &src, err)) {
        taco__input_from_range(&in, &src, 0, src.size);
        in.own = true;
    } else {
        return false;
    }
    range->len = in.size;
    ok = taco__zip_write_entry(z, taco__bytes_text(m->name), &in, &range->offset, &crc, err);
    taco__input_close(&in);
    return ok;
}

/* Checks that names are valid and unique. */
static bool taco__archive_check_members(const taco_member *m, size_t n, taco__mem *mem,
                                        taco_error *err)
{
    taco__hash_map names;
    size_t i;
    bool ok = true, added = true;
    memset(&names, 0, sizeof names);
    names.mem = mem;
    for (i = 0; ok && i < n; i++) {
        taco_bytes name = taco__bytes_text(m[i].name ? m[i].name : "");
        ok = taco__archive_check_name(m[i].name, err) &&
             taco__hash_map_add(&names, name, &added, err);
        if (ok && !added) {
            TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "two members are named %q", &name);
            ok = false;
        }
    }
    taco__hash_map_free(&names);
    return ok;
}

/* Writes all members, the header and the end of an archive. The ranges are those of listed members,
   in order. */
static bool taco__archive_write(taco__zip_writer *z, const taco_member *m, size_t n,
                                const taco_options *options, const taco_header *given,
                                taco_error *err)
{
    taco__range ranges[TACO_HEADER_RANGES], place;
    size_t i, count = 0;
    for (i = 0; i < n; i++) {
        if (!taco__archive_write_member(z, &m[i], options, &place, err)) { return false; }
        if (m[i].listed && count < TACO_HEADER_RANGES) { ranges[count] = place; }
        count += m[i].listed;
    }
    if (given && !taco__archive_ranges(given, ranges, err)) { return false; }
    if (count > TACO_HEADER_RANGES) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "a TACO_HEADER lists up to %u members, given are %u",
                   TACO__U(TACO_HEADER_RANGES), TACO__U(count));
        return false;
    }
    return taco__zip_write_end(z, ranges, given ? given->count : count, err);
}

TACO_API taco_status taco_archive_create(const char *path, const taco_member *members, size_t n,
                                         const taco_archive_options *how, taco_error *err)
{
    taco_archive_options none;
    taco_options options;
    taco__mem mem;
    taco__output out;
    taco__zip_writer z;
    taco_sink sink;
    taco_error own = {0, TACO_OK, 0, {0}};
    bool ok;
    err = taco__error_fresh(err, NULL);
    memset(&none, 0, sizeof none);
    memset(&z, 0, sizeof z);
    memset(&sink, 0, sizeof sink);
    how = how ? how : &none;
    if (!path || (n && !members)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "path or members are missing");
    }
    taco__options_init(&options, how->options);
    taco__mem_init(&mem, &options);
    ok = taco__archive_check_members(members, n, &mem, &own);
    if (ok && !how->overwrite && taco__plat_name_exists(path)) {
        TACO__FAIL(&own, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "the file exists already, and overwrite is not asked for");
        ok = false;
    }
#ifndef TACO_NO_STDIO
    ok = ok && taco_sink_file(&sink, path, &options, &own) == TACO_OK;
#else
    TACO__FAIL(&own, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "this build makes no files");
    ok = false;
#endif
    ok = ok && taco__output_open(&out, &sink, &mem, &own);
    if (ok) {
        out.anywhere = true;
        ok = taco__zip_write_begin(&z, &out, &mem, how->mtime, &own) &&
             taco__archive_write(&z, members, n, &options, how->header, &own);
        ok = taco__output_close(&out, ok, &own) && ok;
        taco__zip_write_free(&z);
    }
    if (!ok) {
        TACO__FAIL(&own, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory");
        taco__error_prefix(&own, "%s", path);
    }
    taco__error_copy(err, &own);
    return own.code;
}

/* ---- changing archives ---- */

#ifndef TACO_NO_STDIO
/* An archive that has been locked and read. */
typedef struct taco__archive_edit {
    taco__mem mem;
    taco_options options;
    taco__update update;
    taco__file file;
    bool open;               /* the file is open */
    taco__buf headers;       /* headers to keep: all but TACO_HEADER and the member `without` */
    uint64_t count;          /* number of these headers */
    uint64_t size;           /* size of the archive */
    taco_header header;      /* current header */
    bool found;              /* `without` exists, */
    taco_header_range range; /* and its bytes are in this range */
} taco__archive_edit;

/* Takes an entry of the directory, to keep or to replace. */
static bool taco__archive_take_entry(taco__archive_edit *a, const taco__zip_dir *dir,
                                     const taco__zip_entry *e, taco_bytes header,
                                     const char *without, taco_error *err)
{
    taco__zip_local_header local;
    taco__buf scratch;
    bool ok;
    if (taco__bytes_equal(e->name, taco__bytes_text(taco__archive_header_name))) {
        if (e->local == 0 && e->size == TACO__INDEX_PAYLOAD_BYTES && e->method == 0) {
            return true;
        }
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, e->at,
                   "TACO_HEADER is not the first entry, of %u bytes: taco repair writes it anew",
                   TACO__U(TACO__INDEX_PAYLOAD_BYTES));
        return false;
    }
    if (!without || !taco__bytes_equal(e->name, taco__bytes_text(without))) {
        a->count++;
        return taco__buf_append(&a->headers, header.data, header.len, err);
    }
    memset(&scratch, 0, sizeof scratch);
    scratch.mem = &a->mem;
    ok = taco__zip_locate_entry(&a->file, dir, e, &local, &scratch, err) == TACO_OK;
    if (ok) {
        a->found = true;
        a->range.offset = local.data;
        a->range.size = e->csize;
    }
    taco__buf_free(&scratch);
    return ok;
}

/* Reads the central directory. */
static bool taco__archive_read_directory(taco__archive_edit *a, const char *without,
                                         taco_error *err)
{
    taco__buf whole;
    taco__zip_dir dir;
    taco__zip_iter it;
    taco__zip_entry e;
    taco_bytes directory;
    bool ok;
    memset(&whole, 0, sizeof whole);
    whole.mem = &a->mem;
    ok = taco__zip_open(&a->file, &dir, &whole, err) == TACO_OK &&
         taco__zip_read_directory(&a->file, &dir, a->options.limits.max_metadata, &whole,
                                  &directory, err) == TACO_OK;
    if (ok) {
        a->size = dir.file_size;
        it = taco__zip_iter_init(directory, &dir);
        while (ok && taco__zip_next(&it, &e, err)) {
            const size_t at = (size_t)(e.at - dir.offset);
            ok = taco__archive_take_entry(
                a, &dir, &e,
                taco__bytes_of(directory.data + at, taco__byte_reader_position(&it.cur) - at),
                without, err);
        }
        ok = ok && !it.bad;
    }
    taco__buf_free(&whole);
    return ok;
}

/* Locks and reads the archive; taco__archive_close must follow, even after a failure. */
static bool taco__archive_open(taco__archive_edit *a, const char *path, const char *without,
                               taco_error *err)
{
    uint8_t first[TACO_HEADER_BYTES];
    taco_source src;
    memset(a, 0, sizeof *a);
    taco__options_init(&a->options, NULL);
    taco__mem_init(&a->mem, &a->options);
    a->headers.mem = &a->mem;
    if (!taco__update_open(&a->update, path, err) ||
        !taco__source_open_path(&a->options, path, &src, err)) {
        return false;
    }
    taco__file_init(&a->file, &src, path, &a->mem);
    a->open = true;
    return taco__update_check(&a->update, err) &&
           taco__file_read(&a->file, 0, first, (size_t)TACO__MIN(src.size, (uint64_t)sizeof first),
                           err) &&
           taco_header_parse(first, (size_t)TACO__MIN(src.size, (uint64_t)sizeof first), &a->header,
                             err) == TACO_OK &&
           taco__archive_read_directory(a, without, err);
}

static void taco__archive_close(taco__archive_edit *a)
{
    taco__buf_free(&a->headers);
    if (a->open) { taco__file_close(&a->file); }
    taco__update_close(&a->update);
}

/* Appends a member, which may be NULL, and the directory, then updates the header: the range of the
   replaced member becomes that of the new one. */
static bool taco__archive_commit(taco__archive_edit *a, const taco_member *m, taco_error *err)
{
    taco__range ranges[TACO_HEADER_RANGES], place;
    taco__output out;
    taco__zip_writer z;
    taco_sink sink;
    uint32_t i;
    bool ok = taco__archive_ranges(&a->header, ranges, err) &&
              taco__sink_append_open(&sink, &a->update, a->size, &a->mem, err) &&
              taco__output_open(&out, &sink, &a->mem, err);
    if (!ok) { return false; }
    out.anywhere = true;
    taco__zip_write_resume(&z, &out, &a->mem, 0, a->size,
                           taco__bytes_of(a->headers.data, a->headers.len), a->count);
    ok = !m || taco__archive_write_member(&z, m, &a->options, &place, err);
    for (i = 0; ok && m && i < a->header.count; i++) {
        if (ranges[i].offset == a->range.offset && ranges[i].len == a->range.size) {
            ranges[i] = place;
        }
    }
    ok = ok && taco__zip_write_end(&z, ranges, a->header.count, err);
    ok = taco__output_close(&out, ok, err) && ok;
    taco__zip_write_free(&z);
    return ok;
}
#endif

/* The end of every change of an archive. */
static taco_status taco__archive_result(const char *path, taco_error *own, taco_error *err)
{
    if (own->code != TACO_OK) { taco__error_prefix(own, "%s", path); }
    taco__error_copy(err, own);
    return own->code;
}

TACO_API taco_status taco_header_write(const char *path, const taco_header *h, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__range ranges[TACO_HEADER_RANGES];
    err = taco__error_fresh(err, NULL);
    if (!path || !taco__archive_ranges(h, ranges, err)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "path or header is missing");
    }
#ifndef TACO_NO_STDIO
    {
        taco__archive_edit a;
        uint32_t i;
        bool ok = taco__archive_open(&a, path, NULL, &own);
        for (i = 0; ok && i < h->count; i++) {
            ok = taco__checked_range(h->ranges[i].offset, h->ranges[i].size, a.size);
            if (!ok) {
                TACO__FAIL(&own, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                           "range %u: %u bytes at %u, the archive has %u", TACO__U(i),
                           h->ranges[i].size, h->ranges[i].offset, a.size);
            }
        }
        if (ok) {
            a.header = *h;
            taco__archive_commit(&a, NULL, &own);
        }
        taco__archive_close(&a);
    }
#else
    TACO__FAIL(&own, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "this build changes no files");
#endif
    return taco__archive_result(path, &own, err);
}

TACO_API taco_status taco_archive_replace(const char *path, const taco_member *member,
                                          taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    err = taco__error_fresh(err, NULL);
    if (!path || !member) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "path or member is missing");
    }
    if (!taco__archive_check_name(member->name, err)) { return TACO_ERR_ARGUMENT; }
#ifndef TACO_NO_STDIO
    {
        taco__archive_edit a;
        taco_bytes name = taco__bytes_text(member->name);
        bool ok = taco__archive_open(&a, path, member->name, &own);
        if (ok && !a.found) {
            TACO__FAIL(&own, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "no member is named %q", &name);
        } else if (ok && a.header.count > 1 && strncmp(member->name, "DATA/", 5) == 0) {
            /* level tables have their own ranges: a reader would continue to read the old bytes */
            TACO__FAIL(&own, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "%q is a sample, whose place is in the tables of the dataset: it is made "
                       "anew for that",
                       &name);
        } else if (ok) {
            taco__archive_commit(&a, member, &own);
        }
        taco__archive_close(&a);
    }
#else
    TACO__FAIL(&own, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "this build changes no files");
#endif
    return taco__archive_result(path, &own, err);
}
