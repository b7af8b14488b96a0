/* taco_write.h - create, consolidate, export, convert, validate and repair TACO datasets.

   Optional, beside taco.h and taco_parquet.h. In the one source file that holds the implementation:

       #define TACO_IMPLEMENTATION
       #include "taco_write.h"          (includes the other headers it needs)

   C99 or C++11; nothing but libc. What taco.h says of errors, ownership, limits and threads holds here.

   ROOMS, in order of dependency; those of the headers it includes stand before them.

   model     - the rules of ids, names, trees and COLLECTION.json, and what is computed from a tree
   zipw      - STORE-mode archives out: local headers, central directory, ZIP64, TACO_HEADER
   pack      - level tables, __meta__ and payloads into an archive or a folder
   make      - samples, folders and columns handed over one by one
   ext       - columns and fields of the known extensions
   merge     - many datasets as one: .tacocat, __TACOCAT__, merged collections
   export    - views of a dataset, and whole datasets, into other containers
   finding   - what validation tells: problems with their place
   zipcheck  - the records of an archive against each other
   collcheck - the fields of COLLECTION.json
   treecheck - levels and the tree they make
   check     - every rule held against a dataset that stands
   repair    - offsets and headers made right again */
#ifndef TACO_WRITE_H
#define TACO_WRITE_H

#include "taco_tiff.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- validate -------------------------------------------------------------------------------- */

typedef struct taco_problem { /* lives until the callback returns */
    bool        error;        /* a rule is broken; else a warning: readers get over it */
    const char *where; /* "METADATA/level1.parquet: row 7", "'DATA/a'", "COLLECTION.json: extent" */
    const char *message; /* one line */
} taco_problem;

typedef struct taco_validate_options { /* {0}: everything but the payloads */
    bool
         deep; /* every payload against its CRC, every page, cells of __meta__ and level, parts of a catalogue */
    bool strict_pit; /* the rule of June 2025: all FOLDERs of a level have the same children */
    bool (*found)(void               *ctx,
                  const taco_problem *p); /* each problem; false ends the work. May be NULL */
    bool (*progress)(void *ctx, uint64_t done,
                     uint64_t total); /* bytes of payload; false ends. May be NULL */
    void *ctx;
} taco_validate_options;

typedef struct taco_validated {
    uint64_t errors,
        warnings;           /* of one kind and table only the first 100 are told, all are counted */
    uint64_t rows, entries; /* of the levels, of the central directories */
    uint64_t payloads, bytes; /* files of a FOLDER read, and bytes, with deep */
} taco_validated;

/* Holds every rule of the specification against a dataset (what taco_open takes): the records of an archive against each
   other, every internal:offset and internal:size against the local headers, ids, types, parents, __meta__ against the
   levels, PIT-1 and PIT-2, COLLECTION.json, the archives of a catalogue. What the reference writer leaves wrong without
   harm is a warning. Returns the code of the first error, which is in err too with its place; TACO_OK when there are only
   warnings. MEMORY and LIMIT mean that the work could not be done. Memory: about 60 bytes a row and 60 an entry. opt, how,
   out and err may be NULL. */
TACO_API taco_status taco_validate(const char *path, const taco_options *opt,
                                   const taco_validate_options *how, taco_validated *out,
                                   taco_error *err);
/* The same over the bytes of an archive or a `__TACOCAT__`; src is copied and closed in any case. */
TACO_API taco_status taco_validate_source(const taco_source *src, const char *name,
                                          const taco_options *opt, const taco_validate_options *how,
                                          taco_validated *out, taco_error *err);

#ifdef __cplusplus
}
#endif
#endif /* TACO_WRITE_H */

#if defined(TACO_IMPLEMENTATION) && !defined(TACO__WRITE_IMPLEMENTED)
#define TACO__WRITE_IMPLEMENTED
#include "taco_tiff.h" /* its implementation too, where only its declarations were seen before */

/* ==== ROOM model: the rules of ids, names, trees and COLLECTION.json, and what is computed from a tree ==== */

/* ==== ROOM zipw: STORE-mode archives out: local headers, central directory, ZIP64, TACO_HEADER ==== */

/* ==== ROOM pack: level tables, __meta__ and payloads into an archive or a folder ==== */

/* ==== ROOM make: samples, folders and columns handed over one by one ==== */

/* ==== ROOM ext: columns and fields of the known extensions ==== */

/* ==== ROOM merge: many datasets as one: .tacocat, __TACOCAT__, merged collections ==== */

/* ==== ROOM export: views of a dataset, and whole datasets, into other containers ==== */

/* ==== ROOM finding: what validation tells: problems with their place, counted. Uses: pq:error pq:text ==== */

#define TACO__FINDING_EACH                                                                         \
    100 /* problems of one kind in one table; the others are counted: text is slow, files are large */
#define TACO__FINDING_KINDS 512

/* What one validation has found so far; the parts of a catalogue share it. */
typedef struct taco__finding {
    const taco_validate_options *how;
    taco_validated              *sum;
    taco_error                   first; /* error */
    bool                         stop;  /* the caller has seen enough */
    const char                  *part;  /* "east.tacozip: " of a catalogue, or "" */
    char                         where[512];
    uint16_t told[TACO__FINDING_KINDS]; /* of this table, by line of this header */
    uint64_t left;                      /* problems that were only counted */
    uint64_t done, total;               /* bytes, for progress */
} taco__finding;

/* Where the problems that follow are. */
TACO__FN void taco__finding_at(taco__finding *f, const char *where, ...)
{
    taco__fmt out;
    va_list   args;
    out.at = f->where;
    out.end = f->where + sizeof f->where;
    *out.at = 0;
    taco__fmt_text(&out, f->part);
    va_start(args, where);
    taco__fmt_list(&out, where, args);
    va_end(args);
}
TACO__FN void taco__finding_tell(taco__finding *f, bool error, const taco_error *e)
{
    taco_problem p;
    if (f->stop) {
        return;
    }
    p.error = error;
    p.where = f->where;
    p.message = e->text;
    f->sum->errors += error;
    f->sum->warnings += !error;
    if (error && f->first.code == TACO_OK) {
        f->first = *e;
        if (f->where[0]) {
            taco__error_prefix(&f->first, "%s", f->where);
        }
    }
    f->stop = f->how->found && !f->how->found(f->how->ctx, &p);
}
/* Whether a problem of this kind is worth its text. */
TACO__FN bool taco__finding_wanted(taco__finding *f, int line)
{
    uint16_t *told = &f->told[(unsigned)line % TACO__FINDING_KINDS];
    if (f->stop || *told >= TACO__FINDING_EACH) {
        f->left++;
        return false;
    }
    ++*told;
    return true;
}
#define TACO__FINDING_SAY(f, error, ...)                                                           \
    do {                                                                                           \
        if (taco__finding_wanted((f), __LINE__)) {                                                 \
            taco_error taco__e;                                                                    \
            memset(&taco__e, 0, sizeof taco__e);                                                   \
            TACO__FAIL(&taco__e, TACO_ERR_CORRUPT, TACO_NO_OFFSET, __VA_ARGS__);                   \
            taco__finding_tell((f), (error), &taco__e);                                            \
        } else if (error) {                                                                        \
            (f)->sum->errors++;                                                                    \
        } else {                                                                                   \
            (f)->sum->warnings++;                                                                  \
        }                                                                                          \
    } while (0)
#define TACO__FINDING_ERROR(f, ...) TACO__FINDING_SAY(f, true, __VA_ARGS__)
#define TACO__FINDING_WARN(f, ...)  TACO__FINDING_SAY(f, false, __VA_ARGS__)

/* A failure of another room as a problem, and the error empty again. True when it is one: running out of memory
   says nothing about the dataset, and stays in *e. */
TACO__FN bool taco__finding_take(taco__finding *f, taco_error *e)
{
    if (e->code == TACO_ERR_MEMORY) {
        return false;
    }
    if (e->code != TACO_OK) {
        taco__finding_tell(f, true, e);
    }
    memset(e, 0, sizeof *e);
    return true;
}
/* Ends a table: what was only counted is summed up in one line. */
TACO__FN void taco__finding_end(taco__finding *f, const char *table)
{
    if (f->left && !f->stop) {
        uint64_t   left = f->left;
        taco_error e;
        memset(&e, 0, sizeof e);
        taco__finding_at(f, "%s", table);
        TACO__FAIL(&e, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "%u further problems of these kinds",
                   left);
        f->sum->warnings--; /* they are counted already */
        taco__finding_tell(f, false, &e);
    }
    f->left = 0;
    memset(f->told, 0, sizeof f->told);
}
TACO__FN void taco__finding_progress(taco__finding *f, uint64_t bytes)
{
    f->done += bytes;
    f->sum->bytes += bytes;
    if (f->how->progress && !f->how->progress(f->how->ctx, f->done, f->total)) {
        f->stop = true;
    }
}

/* Reads a range to its end in pieces, for its CRC. False with *e set when it cannot be read. */
TACO__FN bool taco__finding_read(taco__finding *f, taco__file *file, taco__range r,
                                 taco__buf *window, uint32_t *crc, taco_error *e)
{
    *crc = 0;
    while (r.len && !f->stop) {
        size_t         n = (size_t)TACO__MIN(r.len, (uint64_t)TACO__WINDOW);
        const uint8_t *p = taco__file_view(file, r.offset, n, window, e);
        if (!p) {
            return false;
        }
        *crc = taco__hash_crc32(*crc, p, n);
        r.offset += n;
        r.len -= n;
        taco__finding_progress(f, n);
    }
    return true;
}
/* Names and paths as numbers: the state of a longer path goes on from that of its beginning, so that a row's path is
   its parent's and the id. Equal numbers of different paths would hide a fault, nothing worse. */
#define TACO__FINDING_HASH ((uint64_t)0xCBF29CE484222325U)
TACO__FN uint64_t taco__finding_hash(uint64_t h, taco_bytes b)
{
    size_t i;
    for (i = 0; i < b.len; i++) {
        h = (h ^ b.data[i]) * (uint64_t)0x100000001B3U;
    }
    return h;
}

/* ==== ROOM zipcheck: the records of an archive against each other: header, directory, local headers, bytes.
   Uses: finding zip index. Spec: TACO 2.0 §6.3, PKWARE APPNOTE 6.3.10 §4.3 ==== */

/* An entry of the central directory. */
typedef struct taco__zipcheck_entry {
    uint64_t name; /* taco__finding_hash */
    uint64_t local, data, size;
    uint64_t at; /* its header in the directory */
    uint32_t crc;
    bool     placed; /* the local header agrees: data is known */
    bool     listed; /* a row or the TACO_HEADER names it */
    bool     stored;
} taco__zipcheck_entry;

typedef struct taco__zipcheck {
    taco__finding        *f;
    taco__file           *file;
    taco__mem            *mem;
    taco__arena          *arena;
    taco__zip_dir         dir;
    taco_bytes            directory;
    taco__buf             dir_bytes, scratch;
    bool                  known;   /* the directory was read to its end */
    taco__zipcheck_entry *entries; /* sorted by place in the file, */
    uint32_t             *by_name; /* and by name */
    size_t                count;
    taco__index           header; /* TACO_HEADER; count 0: not readable */
} taco__zipcheck;

TACO__FN void taco__zipcheck_close(taco__zipcheck *z)
{
    if (z->mem) {
        taco__buf_free(&z->dir_bytes);
        taco__buf_free(&z->scratch);
    }
    memset(z, 0, sizeof *z);
}
/* The name of an entry, from the directory. */
TACO__FN taco_bytes taco__zipcheck_name(const taco__zipcheck *z, const taco__zipcheck_entry *e)
{
    const uint8_t *p = z->directory.data + (size_t)(e->at - z->dir.offset);
    return taco__base_bytes(p + TACO__ZIP_CENTRAL, taco__base_le16(p + 28));
}

/* ---- TACO_HEADER ---- */

TACO__FN bool taco__zipcheck_header(taco__zipcheck *z, taco_error *err)
{
    taco__finding *f = z->f;
    size_t         n = (size_t)TACO__MIN(z->file->src.size, (uint64_t)TACO__OPEN_FIRST);
    const uint8_t *p;
    taco_error     e;
    memset(&e, 0, sizeof e);
    if (!taco__buf_reset(&z->scratch, n + 1, err)) {
        return false;
    }
    p = n ? taco__file_view(z->file, 0, n, &z->scratch, err) : z->scratch.data;
    if (!p) {
        return false;
    }
    taco__finding_at(f, "TACO_HEADER");
    if (taco__index_header(taco__base_bytes(p, n), z->file->src.size, &z->header, &e) != TACO_OK) {
        z->header.count = 0;
        return taco__finding_take(f, &e) || (*err = e, false);
    }
    if (z->header.odd & TACO__INDEX_GHOST) {
        TACO__FINDING_WARN(f, "the entry is named TACO_GHOST, as tacozip 0.5 and before did");
    }
    if (z->header.odd & TACO__INDEX_SIZES) {
        TACO__FINDING_ERROR(f, "its local header gives another size than %u bytes",
                            TACO__U(TACO__INDEX_PAYLOAD));
    }
    if (z->header.odd & TACO__INDEX_PADDING) {
        TACO__FINDING_WARN(f, "the three bytes behind the count of entries are not zero");
    }
    if (z->header.odd & TACO__INDEX_SKIPPED) {
        TACO__FINDING_ERROR(f, "a level in front of the deepest one is missing");
    }
    if (z->header.odd & TACO__INDEX_CRC) {
        TACO__FINDING_ERROR(f,
                            "its bytes have another CRC-32 (checksum) than its local header says");
    }
    return true;
}

/* ---- the directory ---- */

TACO__FN void taco__zipcheck_end(taco__zipcheck *z)
{
    taco__finding *f = z->f;
    taco__finding_at(f, "end of central directory");
    if (z->dir.trailing) {
        TACO__FINDING_ERROR(f, "%u bytes of something else after the end record (EOCD) at %u",
                            z->dir.trailing, z->dir.eocd);
    }
    if (z->dir.gap) {
        TACO__FINDING_ERROR(f, "%u bytes between the central directory and its end record (EOCD)",
                            z->dir.gap);
    }
    if (z->dir.comment) {
        TACO__FINDING_WARN(f, "an archive comment of %u bytes", TACO__U(z->dir.comment));
    }
}
/* What an entry says of itself; the local header is looked at next. */
TACO__FN void taco__zipcheck_flags(taco__zipcheck *z, const taco__zip_entry *e)
{
    taco__finding *f = z->f;
    taco_error     why;
    size_t         i;
    bool           ascii = true, utf8 = taco__num_utf8(e->name);
    memset(&why, 0, sizeof why);
    if (taco__zip_stored(e, &why) != TACO_OK) {
        taco__finding_take(f, &why);
    }
    if (e->flags & TACO__ZIP_DESCRIPTOR) {
        TACO__FINDING_ERROR(f, "flag bit 3: sizes and CRC stand in a data descriptor behind the "
                               "bytes, not in the local header");
    }
    if (e->flags & ~(unsigned)(TACO__ZIP_DESCRIPTOR | TACO__ZIP_ENCRYPTED | 0x0806U)) {
        TACO__FINDING_WARN(f, "flags 0x%x", TACO__U(e->flags));
    }
    for (i = 0; i < e->name.len; i++) {
        ascii = ascii && e->name.data[i] < 0x80;
    }
    if (!ascii && (!utf8 || !(e->flags & 0x0800U))) {
        TACO__FINDING_WARN(f, utf8 ? "the name is UTF-8, but flag bit 11 does not say so"
                                   : "the name is not UTF-8");
    }
    if (e->name.len == 0 || e->name.data[0] == '/' || memchr(e->name.data, 0, e->name.len)) {
        TACO__FINDING_ERROR(f, "entry name %q is no relative path", &e->name);
    }
}
/* The local header against the directory (APPNOTE §4.3.7). */
TACO__FN bool taco__zipcheck_local(taco__zipcheck *z, const taco__zip_entry *e,
                                   taco__zipcheck_entry *out, taco_error *err)
{
    taco__finding         *f = z->f;
    taco__zip_local_header l;
    taco_error             why;
    memset(&why, 0, sizeof why);
    if (taco__zip_place(z->file, &z->dir, e, &l, &z->scratch, &why) != TACO_OK) {
        return taco__finding_take(f, &why) || (*err = why, false);
    }
    out->data = l.data;
    out->placed = true;
    if (l.flags & TACO__ZIP_DESCRIPTOR) {
        if (!(e->flags & TACO__ZIP_DESCRIPTOR)) {
            TACO__FINDING_ERROR(f, "its local header has flag bit 3 (data descriptor), the central "
                                   "directory has not");
        }
        return true;
    }
    /* libzip leaves the CRC of a file of 2^32-1 bytes 0 here */
    if (l.crc != e->crc && !(l.crc == 0 && e->size == 0xFFFFFFFFU)) {
        TACO__FINDING_ERROR(f,
                            "CRC-32 (checksum) %x in the local header, %x in the central directory",
                            TACO__U(l.crc), TACO__U(e->crc));
    }
    if (l.flags != e->flags) {
        TACO__FINDING_WARN(f, "flags 0x%x in the local header, 0x%x in the central directory",
                           TACO__U(l.flags), TACO__U(e->flags));
    }
    return true;
}
TACO__FN bool taco__zipcheck_walk(taco__zipcheck *z, taco_error *err)
{
    taco__finding  *f = z->f;
    taco__zip_iter  it = taco__zip_entries(z->directory, &z->dir);
    taco__zip_entry e;
    taco_error      why;
    memset(&why, 0, sizeof why);
    z->entries = (taco__zipcheck_entry *)taco__arena_array(z->arena, (size_t)z->dir.entries + 1,
                                                           sizeof *z->entries, err);
    z->by_name = (uint32_t *)taco__arena_array(z->arena, (size_t)z->dir.entries + 1,
                                               sizeof *z->by_name, err);
    if (!z->entries || !z->by_name) {
        return false;
    }
    while (!f->stop && taco__zip_next(&it, &e, &why)) {
        taco__zipcheck_entry *out = &z->entries[z->count++];
        out->name = taco__finding_hash(TACO__FINDING_HASH, e.name);
        out->local = e.local;
        out->size = e.csize;
        out->at = e.at;
        out->crc = e.crc;
        out->stored = !e.method && !(e.flags & TACO__ZIP_ENCRYPTED) && e.size == e.csize;
        taco__finding_at(f, "%q", &e.name);
        taco__zipcheck_flags(z, &e);
        if (!taco__zipcheck_local(z, &e, out, err)) {
            return false;
        }
    }
    taco__finding_at(f, "central directory");
    z->known = !it.bad;
    if (it.bad) {
        return taco__finding_take(f, &why) || (*err = why, false);
    }
    if (!f->stop && taco__cur_left(&it.cur)) {
        TACO__FINDING_ERROR(f, "%u bytes behind the last of its %u entries",
                            TACO__U(taco__cur_left(&it.cur)), z->dir.entries);
    }
    return true;
}

/* ---- all entries together ---- */

TACO__FN int taco__zipcheck_by_place(const void *a, const void *b)
{
    uint64_t x = ((const taco__zipcheck_entry *)a)->local,
             y = ((const taco__zipcheck_entry *)b)->local;
    return (x > y) - (x < y);
}
typedef struct taco__zipcheck_name {
    uint64_t hash;
    uint32_t entry;
} taco__zipcheck_name_key;
TACO__FN int taco__zipcheck_by_name(const void *a, const void *b)
{
    const taco__zipcheck_name_key *x = (const taco__zipcheck_name_key *)a,
                                  *y = (const taco__zipcheck_name_key *)b;
    if (x->hash != y->hash) {
        return x->hash < y->hash ? -1 : 1;
    }
    return (x->entry > y->entry) - (x->entry < y->entry);
}
/* Bytes that two entries share, and bytes that none has. */
TACO__FN void taco__zipcheck_overlaps(taco__zipcheck *z)
{
    taco__finding *f = z->f;
    uint64_t       end = 0;
    size_t         i, last = 0;
    for (i = 0; i < z->count && !f->stop; i++) {
        const taco__zipcheck_entry *e = &z->entries[i];
        taco_bytes                  name = taco__zipcheck_name(z, e);
        uint64_t                    own = e->placed ? e->data + e->size : e->local;
        taco__finding_at(f, "%q", &name);
        if (e->local < end && i) {
            taco_bytes other = taco__zipcheck_name(z, &z->entries[last]);
            TACO__FINDING_ERROR(f, "its local header at %u overlaps the entry %q, which ends at %u",
                                e->local, &other, end);
        } else if (e->local > end && (!i || z->entries[last].placed)) {
            TACO__FINDING_WARN(f, "the %u bytes in front of its local header belong to no entry",
                               e->local - end);
        }
        if (own > end || !i) {
            end = own;
            last = i;
        }
    }
    taco__finding_at(f, "central directory");
    if (!f->stop && z->count && end < z->dir.offset && z->entries[last].placed) {
        TACO__FINDING_WARN(f, "the %u bytes in front of it belong to no entry",
                           z->dir.offset - end);
    }
}
TACO__FN bool taco__zipcheck_names(taco__zipcheck *z, taco_error *err)
{
    taco__finding           *f = z->f;
    size_t                   i, bytes;
    taco__zipcheck_name_key *keys;
    if (!taco__base_mulz(z->count + 1, sizeof *keys, &bytes)) {
        return TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory"), false;
    }
    keys = (taco__zipcheck_name_key *)taco__mem_alloc(z->mem, bytes, err);
    if (!keys) {
        return false;
    }
    for (i = 0; i < z->count; i++) {
        keys[i].hash = z->entries[i].name;
        keys[i].entry = (uint32_t)i;
    }
    qsort(keys, z->count, sizeof *keys, taco__zipcheck_by_name);
    for (i = 0; i < z->count; i++) {
        z->by_name[i] = keys[i].entry;
        if (i && keys[i].hash == keys[i - 1].hash) {
            taco_bytes name = taco__zipcheck_name(z, &z->entries[keys[i].entry]);
            taco__finding_at(f, "central directory");
            TACO__FINDING_ERROR(f, "two entries are named %q (duplicate)", &name);
        }
    }
    taco__mem_free(z->mem, keys, bytes);
    return true;
}
/* The entry of a name, by its hash; NULL when there is none. */
TACO__FN taco__zipcheck_entry *taco__zipcheck_find(const taco__zipcheck *z, uint64_t hash)
{
    size_t lo = 0, hi = z->count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (z->entries[z->by_name[mid]].name < hash) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo < z->count && z->entries[z->by_name[lo]].name == hash ? &z->entries[z->by_name[lo]]
                                                                    : NULL;
}
/* The TACO_HEADER against the directory. */
TACO__FN bool taco__zipcheck_compare(taco__zipcheck *z, taco_error *err)
{
    taco__finding *f = z->f;
    taco__index    directory;
    taco_error     why;
    size_t         i;
    memset(&why, 0, sizeof why);
    taco__finding_at(f, "central directory");
    if (z->count) {
        taco_bytes name = taco__zipcheck_name(z, &z->entries[0]);
        if (!taco__base_equal(name, taco__base_text("TACO_HEADER")) &&
            !taco__base_equal(name, taco__base_text("TACO_GHOST"))) {
            TACO__FINDING_ERROR(f, "the first entry is %q, must be TACO_HEADER", &name);
        }
        z->entries[0].listed = true;
    }
    for (i = 0; i < z->count; i++) {
        taco__index slot;
        memset(&slot, 0, sizeof slot);
        z->entries[i].listed =
            z->entries[i].listed || taco__index_slot(&slot, taco__zipcheck_name(z, &z->entries[i]));
    }
    if (taco__index_from_directory(z->file, &z->dir, z->directory, &directory, &z->scratch, &why) !=
        TACO_OK) {
        return taco__finding_take(f, &why) || (*err = why, false);
    }
    taco__finding_at(f, "TACO_HEADER");
    if (z->header.count && taco__index_compare(&z->header, &directory, &why) != TACO_OK) {
        taco__finding_take(f, &why);
    }
    return true;
}
/* Checks the records of an archive. z->f, file, mem and arena are set; z is to be closed in any case. False when the work
   itself failed. */
TACO__FN bool taco__zipcheck_run(taco__zipcheck *z, uint64_t limit, taco_error *err)
{
    taco_error why;
    memset(&why, 0, sizeof why);
    z->dir_bytes.mem = z->scratch.mem = z->mem;
    if (!taco__zipcheck_header(z, err)) {
        return false;
    }
    taco__finding_at(z->f, "end of central directory");
    if (taco__zip_open(z->file, &z->dir, &z->dir_bytes, &why) != TACO_OK) {
        return taco__finding_take(z->f, &why) || (*err = why, false);
    }
    taco__zipcheck_end(z);
    if (taco__zip_directory(z->file, &z->dir, limit, &z->dir_bytes, &z->directory, &why) !=
        TACO_OK) {
        return taco__finding_take(z->f, &why) || (*err = why, false);
    }
    if (!taco__zipcheck_walk(z, err)) {
        return false;
    }
    qsort(z->entries, z->count, sizeof *z->entries, taco__zipcheck_by_place);
    z->f->sum->entries += z->count;
    taco__zipcheck_overlaps(z);
    if (!taco__zipcheck_names(z, err) || (z->known && !taco__zipcheck_compare(z, err))) {
        return false;
    }
    taco__finding_end(z->f, "central directory");
    return true;
}
/* Reads the bytes of every entry: their CRC-32 must be the one the directory gives. */
TACO__FN bool taco__zipcheck_deep(taco__zipcheck *z, taco_error *err)
{
    taco__finding *f = z->f;
    size_t         i;
    for (i = 0; i < z->count; i++) {
        f->total += z->entries[i].placed && z->entries[i].stored ? z->entries[i].size : 0;
    }
    for (i = 0; i < z->count && !f->stop; i++) {
        const taco__zipcheck_entry *e = &z->entries[i];
        taco_bytes                  name = taco__zipcheck_name(z, e);
        taco__range                 r;
        taco_error                  why;
        uint32_t                    crc;
        memset(&why, 0, sizeof why);
        if (!e->placed || !e->stored) {
            continue;
        }
        r.offset = e->data;
        r.len = e->size;
        taco__finding_at(f, "%q", &name);
        if (!taco__finding_read(f, z->file, r, &z->scratch, &crc, &why)) {
            if (!taco__finding_take(f, &why)) {
                *err = why;
                return false;
            }
            continue;
        }
        if (crc != e->crc && !f->stop) {
            TACO__FINDING_ERROR(f, "its %u bytes at %u have the CRC-32 (checksum) %x, not %x",
                                r.len, r.offset, TACO__U(crc), TACO__U(e->crc));
        }
    }
    taco__finding_end(f, "payloads");
    return true;
}
/* Entries that nobody names. */
TACO__FN void taco__zipcheck_unlisted(taco__zipcheck *z)
{
    taco__finding *f = z->f;
    size_t         i;
    for (i = 0; z->known && i < z->count && !f->stop; i++) {
        if (!z->entries[i].listed) {
            taco_bytes name = taco__zipcheck_name(z, &z->entries[i]);
            taco__finding_at(f, "%q", &name);
            TACO__FINDING_WARN(f, "no level lists this entry");
        }
    }
    taco__finding_end(f, "central directory");
}

/* ==== ROOM collcheck: the fields of COLLECTION.json. Uses: finding coll pq:time. Spec: TACO 2.0 §5.6, facts of taco-format 6 ==== */

#define TACO__COLLCHECK_TITLE 250 /* characters */

TACO__FN bool taco__collcheck_is(taco__finding *f, const taco__json *n, taco__json_type type,
                                 const char *what)
{
    bool ok = taco__json_is(n, type);
    if (!ok) {
        TACO__FINDING_ERROR(f, "must be %s, found %s", what, taco__json_kind(n));
    }
    return ok;
}
TACO__FN bool taco__collcheck_missing(const taco__json *n)
{
    return !n || n->type == TACO__JSON_NULL;
}
/* The identifier: lower case, digits, '_' and '-' (§5.5.2). The reference takes letters of other alphabets too. */
TACO__FN void taco__collcheck_id(taco__finding *f, const taco__json *n)
{
    taco_bytes id = taco__json_bytes(n);
    size_t     i, other = 0;
    taco__finding_at(f, "COLLECTION.json: id");
    if (!taco__collcheck_is(f, n, TACO__JSON_STRING, "a string")) {
        return;
    }
    for (i = 0; i < id.len; i++) {
        uint8_t c = id.data[i];
        if (c >= 0x80) {
            other++;
        } else if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-')) {
            break;
        }
    }
    if (i < id.len || id.len == 0) {
        TACO__FINDING_ERROR(f, "id %q, must be lower case letters, digits, '_' and '-'", &id);
    } else if (other) {
        TACO__FINDING_WARN(f, "id %q has letters outside of a to z", &id);
    }
}
TACO__FN void taco__collcheck_text(taco__finding *f, const taco__json *root, const char *key)
{
    const taco__json *n = taco__json_get(root, key);
    taco__finding_at(f, "COLLECTION.json: %s", key);
    if (!n) {
        TACO__FINDING_ERROR(f, "%s is required, and missing", key);
    } else {
        taco__collcheck_is(f, n, TACO__JSON_STRING, "a string");
    }
}
/* An array of strings. */
TACO__FN void taco__collcheck_texts(taco__finding *f, const taco__json *root, const char *key,
                                    bool required)
{
    const taco__json *n = taco__json_get(root, key), *item;
    size_t            i;
    taco__finding_at(f, "COLLECTION.json: %s", key);
    if (!required && taco__collcheck_missing(n)) {
        return;
    }
    if (!n) {
        TACO__FINDING_ERROR(f, "%s is required, and missing", key);
        return;
    }
    if (!taco__collcheck_is(f, n, TACO__JSON_ARRAY, "an array of strings")) {
        return;
    }
    if (required && !n->count) {
        TACO__FINDING_WARN(f, "%s is empty", key);
    }
    for (i = 0, item = taco__json_first(n); i < n->count; i++, item = taco__json_next(item)) {
        if (!taco__json_is(item, TACO__JSON_STRING)) {
            TACO__FINDING_ERROR(f, "entry %u must be a string, found %s", TACO__U(i),
                                taco__json_kind(item));
        }
    }
}
TACO__FN void taco__collcheck_tasks(taco__finding *f, const taco__coll *c)
{
    static const char *const known[] = {"regression",
                                        "classification",
                                        "scene-classification",
                                        "detection",
                                        "object-detection",
                                        "segmentation",
                                        "semantic-segmentation",
                                        "instance-segmentation",
                                        "panoptic-segmentation",
                                        "similarity-search",
                                        "generative",
                                        "image-captioning",
                                        "super-resolution",
                                        "denoising",
                                        "inpainting",
                                        "colorization",
                                        "style-transfer",
                                        "deblurring",
                                        "dehazing",
                                        "foundation-model",
                                        "other"};
    size_t                   i, k;
    taco__finding_at(f, "COLLECTION.json: tasks");
    for (i = 0; i < c->tasks.count; i++) {
        for (k = 0; k < TACO__COUNT(known) && strcmp(known[k], c->tasks.items[i]) != 0; k++) {
        }
        if (k == TACO__COUNT(known)) {
            taco_bytes task = taco__base_text(c->tasks.items[i]);
            TACO__FINDING_WARN(f, "%q is none of the tasks the reference knows", &task);
        }
    }
}
/* Persons and organisations, of the older writers and today's. */
TACO__FN void taco__collcheck_people(taco__finding *f, const taco__json *root, const char *key,
                                     bool required)
{
    const taco__json *n = taco__json_get(root, key), *item, *v;
    size_t            i;
    taco__finding_at(f, "COLLECTION.json: %s", key);
    if (!required && taco__collcheck_missing(n)) {
        return;
    }
    if (!n) {
        TACO__FINDING_ERROR(f, "%s is required, and missing", key);
        return;
    }
    if (!taco__collcheck_is(f, n, TACO__JSON_ARRAY, "an array of objects")) {
        return;
    }
    for (i = 0, item = taco__json_first(n); i < n->count; i++, item = taco__json_next(item)) {
        taco_bytes text;
        taco__finding_at(f, "COLLECTION.json: %s[%u]", key, TACO__U(i));
        if (!taco__collcheck_is(f, item, TACO__JSON_OBJECT, "an object with a name")) {
            continue;
        }
        if (!taco__json_text(taco__json_get(item, "name")) &&
            !taco__json_text(taco__json_get(item, "organization"))) {
            TACO__FINDING_WARN(f, "neither name nor organization");
        }
        v = taco__json_get(item, "email");
        text = taco__json_bytes(v);
        if (!taco__collcheck_missing(v) && !(text.len && memchr(text.data, '@', text.len))) {
            TACO__FINDING_WARN(f, "email %q has no '@'", &text);
        }
        v = taco__json_get(item, "url");
        text = taco__json_bytes(v);
        if (!taco__collcheck_missing(v) && !taco__base_starts(text, "http://") &&
            !taco__base_starts(text, "https://")) {
            TACO__FINDING_WARN(f, "url %q is not http:// or https://", &text);
        }
    }
}
TACO__FN void taco__collcheck_title(taco__finding *f, const taco__json *n)
{
    taco_bytes text = taco__json_bytes(n);
    size_t     i, count = 0;
    taco__finding_at(f, "COLLECTION.json: title");
    if (taco__collcheck_missing(n) || !taco__collcheck_is(f, n, TACO__JSON_STRING, "a string")) {
        return;
    }
    for (i = 0; i < text.len; i++) {
        count += (text.data[i] & 0xC0) != 0x80;
    }
    if (count > TACO__COLLCHECK_TITLE) {
        TACO__FINDING_ERROR(f, "title of %u characters, at most %u", TACO__U(count),
                            TACO__U(TACO__COLLCHECK_TITLE));
    }
}
TACO__FN void taco__collcheck_extent(taco__finding *f, const taco__coll *c)
{
    taco_error e;
    int64_t    t[2];
    size_t     i;
    bool       date, ok = c->has_temporal;
    memset(&e, 0, sizeof e);
    taco__finding_at(f, "COLLECTION.json: extent");
    if (taco__coll_check_extent(c, &e) != TACO_OK) {
        taco__finding_take(f, &e);
    }
    for (i = 0; ok && i < 2; i++) {
        taco_bytes text = taco__base_text(c->temporal[i]);
        ok = taco__time_parse(text, &t[i], &date);
        if (!ok) {
            TACO__FINDING_ERROR(f, "extent.temporal: %q is no ISO 8601 time", &text);
        }
    }
    if (ok && t[0] > t[1]) {
        taco_bytes a = taco__base_text(c->temporal[0]), b = taco__base_text(c->temporal[1]);
        TACO__FINDING_ERROR(f, "extent.temporal: the start %q is after the end %q", &a, &b);
    }
}
TACO__FN void taco__collcheck_twice(taco__finding *f, const taco__json *root)
{
    const taco__json *key;
    size_t            i;
    taco__finding_at(f, "COLLECTION.json");
    for (i = 0, key = taco__json_first(root); i < root->count && i < 1000;
         i++, key = taco__json_next(key + 1)) {
        taco_bytes name = taco__json_bytes(key);
        if (taco__json_get_bytes(root, name) != key + 1) {
            TACO__FINDING_WARN(f, "the key %q occurs twice, the last one counts", &name);
        }
    }
}
/* taco:field_schema: an object of levels, each a list of [name, type, description]. */
TACO__FN void taco__collcheck_fields(taco__finding *f, const taco__json *n)
{
    const taco__json *key, *row;
    size_t            i, k;
    taco__finding_at(f, "COLLECTION.json: taco:field_schema");
    if (taco__collcheck_missing(n)) {
        TACO__FINDING_WARN(f, "taco:field_schema is missing");
        return;
    }
    if (!taco__collcheck_is(f, n, TACO__JSON_OBJECT, "an object of levels")) {
        return;
    }
    for (i = 0, key = taco__json_first(n); i < n->count; i++, key = taco__json_next(key + 1)) {
        taco_bytes        name = taco__json_bytes(key);
        const taco__json *list = key + 1;
        taco__finding_at(f, "COLLECTION.json: taco:field_schema: %q", &name);
        if (!taco__collcheck_is(f, list, TACO__JSON_ARRAY, "an array of fields")) {
            continue;
        }
        for (k = 0, row = taco__json_first(list); k < list->count;
             k++, row = taco__json_next(row)) {
            if (!taco__json_text(taco__json_at(row, 0)) ||
                !taco__json_text(taco__json_at(row, 1))) {
                TACO__FINDING_ERROR(f, "field %u must be [name, type, description]", TACO__U(k));
            }
        }
    }
}
/* What can be said of the document alone. */
TACO__FN void taco__collcheck_run(taco__finding *f, const taco__coll *c)
{
    const taco__json *root = c->doc.root;
    taco__collcheck_twice(f, root);
    taco__collcheck_id(f, taco__json_get(root, "id"));
    taco__collcheck_text(f, root, "taco_version");
    taco__collcheck_text(f, root, "dataset_version");
    taco__collcheck_text(f, root, "description");
    taco__collcheck_texts(f, root, "licenses", true);
    taco__collcheck_texts(f, root, "tasks", true);
    taco__collcheck_texts(f, root, "keywords", false);
    taco__collcheck_tasks(f, c);
    taco__collcheck_people(f, root, "providers", true);
    taco__collcheck_people(f, root, "curators", false);
    taco__collcheck_title(f, taco__json_get(root, "title"));
    taco__collcheck_extent(f, c);
    taco__collcheck_fields(f, c->field_schema);
    taco__finding_end(f, "COLLECTION.json");
}

/* ==== ROOM treecheck: levels, __meta__ and the tree they make. Uses: finding zipcheck nav join store coll.
   Spec: TACO 2.0 §5.5, §6.2, §7.2.3; draft of June 2025 §5 (strict PIT) ==== */

#define TACO__TREECHECK_STEP   4096 /* rows read at a time */
#define TACO__TREECHECK_WINDOW 1024 /* rows whose names are kept for messages */

/* A level in memory: what is compared, a number or two for a row; names are read again when one is to be shown. */
typedef struct taco__treecheck_level {
    taco__level *l; /* NULL: not readable */
    size_t       rows;
    uint64_t    *path, *key;    /* of the whole path; of id and type */
    int64_t     *offset, *size; /* ZIP, TACOCAT; NULL without the columns */
    uint8_t     *folder;        /* 0, 1, or 2 where the type is neither */
    uint32_t    *source;        /* TACOCAT: number of the archive */
    uint8_t     *seen;          /* not TACOCAT: a bit for each internal:current_id */
    int32_t   *first, *kids; /* rows of the level below: kids[first[row]] to kids[first[row + 1]] */
    taco__rows names;
    size_t     name_first, name_count;
    bool       names_open;
} taco__treecheck_level;

typedef struct taco__treecheck {
    taco__finding        *f;
    taco__store          *s;
    taco__mem            *mem;
    taco__arena          *arena;
    taco__zipcheck       *zip; /* NULL, or not known: no directory to compare with */
    uint32_t              count;
    taco__treecheck_level levels[TACO__LEVELS];
    taco__join            sources; /* TACOCAT: the archives by name */
    taco__buf             text, other, window;
    uint32_t              level; /* at hand */
    size_t                row;
} taco__treecheck;

TACO__FN void taco__treecheck_close(taco__treecheck *t)
{
    uint32_t i;
    for (i = 0; i < TACO__LEVELS; i++) {
        if (t->levels[i].names_open) {
            taco__rows_close(&t->levels[i].names);
        }
    }
    if (t->mem) {
        taco__arena_free(&t->sources.arena);
        taco__buf_free(&t->text);
        taco__buf_free(&t->other);
        taco__buf_free(&t->window);
    }
    memset(t, 0, sizeof *t);
}

/* ---- names for messages ---- */

/* Id of a row, or its path below DATA/ where the level has them; {NULL, 0} when it cannot be read. Lives until the next
   call for this level. */
TACO__FN taco_bytes taco__treecheck_name(taco__treecheck *t, uint32_t level, size_t row, bool path)
{
    taco__treecheck_level *v = &t->levels[level];
    size_t                 which[2], at = 0;
    taco_error             e;
    memset(&e, 0, sizeof e);
    which[0] = v->l->role.id;
    which[1] = level && v->l->role.relative != TACO__NONE ? v->l->role.relative : v->l->role.id;
    if (which[0] == TACO__NONE) {
        return taco__base_bytes(NULL, 0);
    }
    if (!v->names_open) {
        v->names_open = taco__rows_open(&v->names, &v->l->table, which, 2, t->mem, &e);
        if (!v->names_open) {
            return taco__base_bytes(NULL, 0);
        }
    }
    if (row < v->name_first || row - v->name_first >= v->name_count) {
        v->name_first = row - row % TACO__TREECHECK_WINDOW;
        v->name_count = TACO__MIN(v->rows - v->name_first, (size_t)TACO__TREECHECK_WINDOW);
        if (!taco__rows_range(&v->names, v->name_first, v->name_count, &e)) {
            v->name_count = 0;
            return taco__base_bytes(NULL, 0);
        }
    }
    at = path ? 1 : 0;
    return v->names.arrays[at].field->type == TACO_TEXT
               ? taco_array_bytes(&v->names.arrays[at], row - v->name_first)
               : taco__base_bytes(NULL, 0);
}
/* The path of a row below DATA/, without a '/' at the end. */
TACO__FN taco_bytes taco__treecheck_path(taco__treecheck *t, uint32_t level, size_t row)
{
    taco_bytes b = taco__treecheck_name(t, level, row, true);
    if (b.len > 1 && b.data[b.len - 1] == '/') {
        b.len--;
    }
    return b;
}
/* The place of the row at hand. */
TACO__FN void taco__treecheck_at(taco__treecheck *t)
{
    taco__finding_at(t->f, "%s: row %u", t->levels[t->level].l->name, TACO__U(t->row));
}
#define TACO__TREECHECK_ERROR(t, ...)                                                              \
    do {                                                                                           \
        taco__treecheck_at(t);                                                                     \
        TACO__FINDING_ERROR((t)->f, __VA_ARGS__);                                                  \
    } while (0)
#define TACO__TREECHECK_WARN(t, ...)                                                               \
    do {                                                                                           \
        taco__treecheck_at(t);                                                                     \
        TACO__FINDING_WARN((t)->f, __VA_ARGS__);                                                   \
    } while (0)

/* ---- columns ---- */

TACO__FN bool taco__treecheck_of(taco__finding *f, const taco__table *table, size_t column,
                                 const char *name, bool text, bool error)
{
    if (column == TACO__NONE) {
        TACO__FINDING_SAY(f, error, "there is no column %s", name);
        return false;
    }
    if (text ? table->fields[column].type != TACO_TEXT
             : !taco__join_integer(table->fields[column].type)) {
        TACO__FINDING_ERROR(f, "column %s must be of %s (type)", name, text ? "text" : "integers");
        return false;
    }
    return true;
}
/* Names that the reference lets be added: letters, digits and '_', once divided by ':' (§7.1.2). */
TACO__FN void taco__treecheck_names(taco__finding *f, const taco__table *table)
{
    size_t i;
    for (i = 0; i < table->field_count; i++) {
        const char *p = table->fields[i].name;
        size_t      colons = 0, k;
        taco_bytes  name = taco__base_text(p);
        for (k = 0; p[k]; k++) {
            char c = p[k];
            bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || c == '_';
            colons += c == ':';
            if ((!word && c != ':') || (c == ':' && (!k || !p[k + 1]))) {
                break;
            }
        }
        if (p[k] || k == 0 || colons > 1) {
            TACO__FINDING_WARN(f,
                               "column %q: a name is letters, digits and '_', with one ':' for a "
                               "namespace",
                               &name);
        }
    }
}
/* The columns a level must have. */
TACO__FN void taco__treecheck_columns(taco__treecheck *t, uint32_t level)
{
    taco__level *l = t->levels[level].l;
    taco__roles *r = &l->role;
    bool         archive = t->s->kind != TACO_KIND_FOLDER;
    taco__finding_at(t->f, "%s", l->name);
    r->id = taco__treecheck_of(t->f, &l->table, r->id, "id", true, true) ? r->id : TACO__NONE;
    r->type =
        taco__treecheck_of(t->f, &l->table, r->type, "type", true, true) ? r->type : TACO__NONE;
    if (!taco__treecheck_of(t->f, &l->table, r->parent, "internal:parent_id", false, level > 0)) {
        r->parent = TACO__NONE;
    }
    if (!taco__treecheck_of(t->f, &l->table, r->current, "internal:current_id", false, false)) {
        r->current = TACO__NONE;
    }
    if (archive) {
        if (!taco__treecheck_of(t->f, &l->table, r->offset, "internal:offset", false, true)) {
            r->offset = TACO__NONE;
        }
        if (!taco__treecheck_of(t->f, &l->table, r->size, "internal:size", false, true)) {
            r->size = TACO__NONE;
        }
    }
    if ((level || r->relative != TACO__NONE) &&
        !taco__treecheck_of(t->f, &l->table, r->relative, "internal:relative_path", true,
                            !archive)) {
        r->relative = TACO__NONE;
    }
    if (t->s->kind == TACO_KIND_TACOCAT &&
        !taco__treecheck_of(t->f, &l->table, r->source, "internal:source_file", true, true)) {
        r->source = TACO__NONE;
    }
    taco__treecheck_names(t->f, &l->table);
    if (l->table.rows == 0) {
        TACO__FINDING_ERROR(t->f, "the table is empty, it has no rows");
    }
}

/* ---- one row ---- */

/* The rules of ids (§5.6.1). */
TACO__FN void taco__treecheck_id(taco__finding *f, taco_bytes id, bool valid, bool folder)
{
    static const char separators[] = "/\\:";
    const char       *c;
    if (!valid) {
        TACO__FINDING_ERROR(f, "id is null");
        return;
    }
    if (id.len == 0) {
        TACO__FINDING_ERROR(f, "id is empty");
        return;
    }
    for (c = separators; *c; c++) {
        if (memchr(id.data, *c, id.len)) {
            char sign[2];
            sign[0] = *c;
            sign[1] = 0;
            TACO__FINDING_ERROR(f, "id %q has a '%s'", &id, sign);
        }
    }
    if (memchr(id.data, 0, id.len)) {
        TACO__FINDING_ERROR(f, "id %q has a zero byte", &id);
    }
    if (id.data[0] == '.' && (id.len == 1 || (id.len == 2 && id.data[1] == '.'))) {
        TACO__FINDING_SAY(f, folder, "id %q is a way to another directory", &id);
    }
    if (taco__base_starts(id, "__") && !taco__base_starts(id, TACO__PADDING)) {
        TACO__FINDING_ERROR(f, "id %q begins with '__', which is kept for padding", &id);
    }
    if (!taco__num_utf8(id)) {
        TACO__FINDING_ERROR(f, "id %q is not UTF-8", &id);
    }
}
/* Columns of the rows that are read, by place among them; TACO__NONE where there is none. */
typedef struct taco__treecheck_at {
    size_t id, type, parent, current, offset, size, relative, source;
} taco__treecheck_columns_at;

TACO__FN size_t taco__treecheck_pick(size_t column, size_t *which, size_t *n)
{
    if (column == TACO__NONE) {
        return TACO__NONE;
    }
    which[*n] = column;
    return (*n)++;
}
TACO__FN bool taco__treecheck_has(const taco_array *a, size_t at, size_t i)
{
    return at != TACO__NONE && taco_array_valid(&a[at], i);
}
/* Number of the archive of a row; UINT32_MAX on failure. */
TACO__FN uint32_t taco__treecheck_source(taco__treecheck *t, taco_bytes name, bool valid,
                                         taco_error *err)
{
    taco_error e;
    size_t     n;
    memset(&e, 0, sizeof e);
    if (!valid) {
        TACO__TREECHECK_ERROR(t, "internal:source_file is null");
    } else if (taco__vsi_check_name(name, "internal:source_file", &e) != TACO_OK) {
        taco__treecheck_at(t);
        if (taco__finding_wanted(t->f, __LINE__)) {
            taco__finding_take(t->f, &e);
        } else {
            t->f->sum->errors++;
        }
    }
    n = taco__join_source(&t->sources, name, true, err);
    return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}
/* The bytes of a row: a number each, inside of the archive. */
TACO__FN void taco__treecheck_range(taco__treecheck *t, const taco_array *a,
                                    const taco__treecheck_columns_at *at, size_t i)
{
    taco__treecheck_level *v = &t->levels[t->level];
    int64_t                offset, size;
    if (!v->offset) {
        return;
    }
    v->offset[t->row] = v->size[t->row] = -1;
    if (!taco__treecheck_has(a, at->offset, i) || !taco__treecheck_has(a, at->size, i)) {
        TACO__TREECHECK_ERROR(t, "internal:offset or internal:size is null");
        return;
    }
    offset = taco_array_int(&a[at->offset], i);
    size = taco_array_int(&a[at->size], i);
    if (offset < 0 || size < 0) {
        TACO__TREECHECK_ERROR(t, "internal:offset is %d, internal:size %d: negative",
                              TACO__D(offset), TACO__D(size));
        return;
    }
    v->offset[t->row] = offset;
    v->size[t->row] = size;
    if (t->s->kind == TACO_KIND_ZIP &&
        !taco__base_inside((uint64_t)offset, (uint64_t)size, t->s->file.src.size)) {
        TACO__TREECHECK_ERROR(
            t, "internal:offset %d, internal:size %d: past the end of the file at %u",
            TACO__D(offset), TACO__D(size), t->s->file.src.size);
    }
}
/* The row's entry in the directory of the archive: named as the path says, and where the row says. */
TACO__FN void taco__treecheck_entry(taco__treecheck *t, taco_bytes id)
{
    taco__treecheck_level *v = &t->levels[t->level];
    taco__zipcheck_entry  *e;
    bool                   folder = v->folder[t->row] == 1;
    uint64_t               hash = v->path[t->row];
    const char            *suffix = folder ? "/__meta__" : "";
    if (!t->zip || !t->zip->known || v->folder[t->row] > 1) {
        return;
    }
    e = taco__zipcheck_find(t->zip, taco__finding_hash(hash, taco__base_text(suffix)));
    if (!e) {
        taco_bytes path = t->level ? taco__treecheck_path(t, t->level, t->row) : id;
        TACO__TREECHECK_ERROR(t, "the central directory has no entry DATA/%q%s of this sample",
                              &path, suffix);
        return;
    }
    e->listed = true;
    if (!e->placed || !v->offset || v->offset[t->row] < 0) {
        return;
    }
    if ((uint64_t)v->offset[t->row] != e->data || (uint64_t)v->size[t->row] != e->size) {
        taco_bytes name = taco__zipcheck_name(t->zip, e);
        TACO__TREECHECK_ERROR(t,
                              "%u bytes at %u by internal:size and internal:offset, but by its "
                              "local header %q has %u at %u",
                              (uint64_t)v->size[t->row], (uint64_t)v->offset[t->row], &name,
                              e->size, e->data);
    }
}
/* The same without a directory: the local header in front of the bytes. */
TACO__FN void taco__treecheck_probe(taco__treecheck *t, taco_bytes id)
{
    taco__treecheck_level *v = &t->levels[t->level];
    taco_bytes             path = t->level ? taco__treecheck_path(t, t->level, t->row) : id;
    const char            *suffix = v->folder[t->row] == 1 ? "/__meta__" : "";
    size_t                 len = TACO__ZIP_LOCAL + 5 + path.len + strlen(suffix), tries;
    taco__zip_local_header l;
    taco_error             e;
    bool                   ok = false;
    memset(&e, 0, sizeof e);
    if (!v->offset || v->offset[t->row] < 0 || !path.len || path.len > UINT16_MAX ||
        (t->zip && t->zip->known) || v->folder[t->row] > 1) {
        return;
    }
    t->text.len = 0;
    if (!taco__buf_puts(&t->text, "DATA/", &e) ||
        !taco__buf_append(&t->text, path.data, path.len, &e) ||
        !taco__buf_puts(&t->text, suffix, &e)) {
        return;
    }
    for (tries = 0; tries < 2 && !ok; tries++) { /* without and with the extra field of ZIP64 */
        uint64_t       n = len + 20 * tries, at = (uint64_t)v->offset[t->row];
        const uint8_t *p = NULL;
        memset(&e, 0, sizeof e);
        if (at >= n && taco__base_inside(at, 0, t->s->file.src.size)) {
            p = taco__file_view(&t->s->file, at - n, (size_t)n, &t->window, &e);
        }
        ok = p && taco__zip_local(taco__base_bytes(p, (size_t)n), at - n, &l, &e) == TACO_OK &&
             !l.partial && l.data == at && l.csize == (uint64_t)v->size[t->row] &&
             taco__base_equal(l.name, taco__base_bytes(t->text.data, t->text.len));
    }
    if (!ok) {
        TACO__TREECHECK_ERROR(t, "no local header of DATA/%q%s in front of the %d bytes at %d",
                              &path, suffix, TACO__D(v->size[t->row]), TACO__D(v->offset[t->row]));
    }
}
/* The row's file in a FOLDER dataset; with deep it is read. path is below DATA/ and was found to stay there. */
TACO__FN bool taco__treecheck_file(taco__treecheck *t, taco_bytes path, taco_error *err)
{
    taco__treecheck_level *v = &t->levels[t->level];
    bool                   folder = v->folder[t->row] == 1;
    taco_source            src;
    taco_error             e;
    bool                   ok = true;
    memset(&e, 0, sizeof e);
    t->text.len = 0;
    if (!taco__buf_puts(&t->text, t->s->dir, err) || !taco__buf_puts(&t->text, "DATA/", err) ||
        !taco__buf_append(&t->text, path.data, path.len, err) ||
        !taco__buf_append(&t->text, "/__meta__", folder ? 10 : 0, err) ||
        !taco__buf_char(&t->text, 0, err)) {
        return false;
    }
    if (!taco__options_open(t->s->options, (const char *)t->text.data, &src, &e)) {
        TACO__TREECHECK_ERROR(t, "DATA/%q%s is missing: it does not exist, or cannot be read",
                              &path, folder ? "/__meta__" : "");
        return true;
    }
    if (!folder && t->f->how->deep) {
        taco__file  file;
        taco__range all;
        uint32_t    crc;
        taco__file_init(&file, &src, "", t->mem);
        all.offset = 0;
        all.len = src.size;
        taco__treecheck_at(t);
        ok = taco__finding_read(t->f, &file, all, &t->window, &crc, &e) ||
             taco__finding_take(t->f, &e);
        t->f->sum->payloads++;
        taco__file_close(&file);
        if (!ok) {
            *err = e;
        }
    } else if (src.close) {
        src.close(src.ctx);
    }
    return ok;
}
/* internal:relative_path: that of the parent, a '/', and the id. */
TACO__FN void taco__treecheck_relative(taco__treecheck *t, taco_bytes path, bool valid)
{
    taco__treecheck_level *v = &t->levels[t->level];
    taco_error             e;
    memset(&e, 0, sizeof e);
    if (!valid) {
        TACO__TREECHECK_ERROR(t, "internal:relative_path is null");
        return;
    }
    if (taco__vsi_check_path(path, v->folder[t->row] == 1, "internal:relative_path", &e) !=
        TACO_OK) {
        TACO__TREECHECK_ERROR(t, "internal:relative_path %q is no path inside of DATA/ ('..')",
                              &path);
        return;
    }
    if (v->folder[t->row] == 1 && path.data[path.len - 1] == '/') {
        path.len--;
    }
    if (t->s->kind != TACO_KIND_TACOCAT &&
        taco__finding_hash(taco__finding_hash(TACO__FINDING_HASH, taco__base_text("DATA/")),
                           path) != v->path[t->row]) {
        TACO__TREECHECK_ERROR(
            t, "internal:relative_path %q is not the path of its parent and the id", &path);
    }
}
/* Type, archive and path of a row. */
TACO__FN bool taco__treecheck_begin(taco__treecheck *t, const taco_array *a,
                                    const taco__treecheck_columns_at *at, size_t i, taco_bytes id,
                                    taco_error *err)
{
    taco__treecheck_level *v = &t->levels[t->level];
    const int32_t         *parents = t->level ? v->l->parents : NULL;
    bool                   valid = taco__treecheck_has(a, at->type, i);
    taco_bytes type = valid ? taco_array_bytes(&a[at->type], i) : taco__base_bytes(NULL, 0);
    int        folder = taco__vsi_type(type);
    uint64_t   hash = taco__finding_hash(TACO__FINDING_HASH, taco__base_text("DATA"));
    v->folder[t->row] = folder < 0 ? 2 : (uint8_t)folder;
    if (folder < 0) {
        if (valid) {
            TACO__TREECHECK_ERROR(t, "type is %q, must be FILE or FOLDER", &type);
        } else {
            TACO__TREECHECK_ERROR(t, "type is null, must be FILE or FOLDER");
        }
    }
    if (v->source) {
        bool known = taco__treecheck_has(a, at->source, i);
        v->source[t->row] = taco__treecheck_source(
            t, known ? taco_array_bytes(&a[at->source], i) : taco__base_bytes(NULL, 0), known, err);
        if (v->source[t->row] == UINT32_MAX) {
            return false;
        }
        hash += v->source[t->row];
    }
    if (parents && parents[t->row] >= 0) {
        hash = t->levels[t->level - 1].path[parents[t->row]];
    }
    hash = taco__finding_hash(hash, taco__base_text("/"));
    v->path[t->row] = taco__finding_hash(hash, id);
    v->key[t->row] = taco__finding_hash(TACO__FINDING_HASH + v->folder[t->row], id);
    return true;
}
/* internal:parent_id and internal:current_id; number is the row's, counted in its archive. */
TACO__FN void taco__treecheck_numbers(taco__treecheck *t, const taco_array *a,
                                      const taco__treecheck_columns_at *at, size_t i,
                                      int64_t number)
{
    taco__treecheck_level *v = &t->levels[t->level];
    bool                   has = taco__treecheck_has(a, at->parent, i);
    int64_t                parent = has ? taco_array_int(&a[at->parent], i) : 0, current;
    if (at->current != TACO__NONE) {
        current = taco_array_int(&a[at->current], i);
        if (!taco_array_valid(&a[at->current], i)) {
            TACO__TREECHECK_ERROR(t, "internal:current_id is null");
        } else if (v->seen && (current < 0 || (uint64_t)current >= v->rows ||
                               taco__base_bit(v->seen, (size_t)current))) {
            TACO__TREECHECK_ERROR(
                t,
                "internal:current_id is %d, must be a number from 0 to %u that no "
                "other row has",
                TACO__D(current), TACO__U(v->rows - 1));
        } else if (current != number) { /* as exports of the reference have it */
            TACO__TREECHECK_WARN(t, "internal:current_id is %d in row %d", TACO__D(current),
                                 TACO__D(number));
        }
        if (v->seen && current >= 0 && (uint64_t)current < v->rows) {
            taco__base_bit_set(v->seen, (size_t)current);
        }
    }
    if (at->parent == TACO__NONE) {
        return;
    }
    if (!has) {
        TACO__TREECHECK_ERROR(t, "internal:parent_id is null");
    } else if (t->level == 0) {
        if (parent != number) {
            TACO__TREECHECK_WARN(t, "internal:parent_id is %d, at level 0 it is the row's own, %d",
                                 TACO__D(parent), TACO__D(number));
        }
    } else if (v->l->parents) {
        int32_t p = v->l->parents[t->row];
        if (p < 0) {
            TACO__TREECHECK_ERROR(t, "internal:parent_id is %d, which is no row of %s",
                                  TACO__D(parent), t->levels[t->level - 1].l->name);
        } else if (t->levels[t->level - 1].folder[p] == 0) {
            TACO__TREECHECK_ERROR(t, "its parent, row %u of %s by internal:parent_id, is a FILE",
                                  TACO__U(p), t->levels[t->level - 1].l->name);
        }
    }
}
TACO__FN bool taco__treecheck_row(taco__treecheck *t, const taco_array *a,
                                  const taco__treecheck_columns_at *at, size_t i, int64_t number,
                                  taco_error *err)
{
    taco__treecheck_level *v = &t->levels[t->level];
    bool                   valid = taco__treecheck_has(a, at->id, i);
    taco_bytes             id = valid ? taco_array_bytes(&a[at->id], i) : taco__base_bytes(NULL, 0);
    taco_bytes             path = id;
    const int32_t         *parents = v->l->parents;
    bool                   linked = t->level == 0 || (parents && parents[t->row] >= 0);
    taco_error             e;
    memset(&e, 0, sizeof e);
    if (!taco__treecheck_begin(t, a, at, i, id, err)) {
        return false;
    }
    if (at->id != TACO__NONE) {
        taco__treecheck_at(t);
        taco__treecheck_id(t->f, id, valid, t->s->kind == TACO_KIND_FOLDER);
    }
    taco__treecheck_numbers(t, a, at, i, number);
    taco__treecheck_range(t, a, at, i);
    if (at->relative != TACO__NONE && t->level) {
        bool known = taco_array_valid(&a[at->relative], i);
        path = taco_array_bytes(&a[at->relative], i);
        if (!linked) { /* an orphan is where its path says */
            taco_bytes own = path;
            own.len -= own.len > 1 && own.data[own.len - 1] == '/';
            v->path[t->row] = taco__finding_hash(
                taco__finding_hash(TACO__FINDING_HASH, taco__base_text("DATA/")), own);
            linked = known;
        }
        taco__treecheck_relative(t, path, known);
    }
    if (t->s->kind == TACO_KIND_ZIP && linked) {
        taco__treecheck_entry(t, id);
        taco__treecheck_probe(t, id);
    }
    if (taco__base_starts(id, TACO__PADDING) &&
        (v->folder[t->row] || (v->size && v->size[t->row] > 0))) {
        TACO__TREECHECK_WARN(t, "padding %q is no FILE of 0 bytes", &id);
    }
    if (t->s->kind == TACO_KIND_FOLDER && v->folder[t->row] < 2 &&
        (t->level == 0 || at->relative != TACO__NONE)) {
        if (path.len > 1 && path.data[path.len - 1] == '/') {
            path.len--;
        }
        return taco__vsi_check_path(path, false, "path", &e) != TACO_OK ||
               taco__treecheck_file(t, path, err);
    }
    return true;
}

/* ---- one level ---- */

TACO__FN bool taco__treecheck_arrays(taco__treecheck *t, taco__treecheck_level *v, taco_error *err)
{
    size_t n = v->rows + 1;
    bool   archive = t->s->kind != TACO_KIND_FOLDER && v->l->role.offset != TACO__NONE &&
                   v->l->role.size != TACO__NONE;
    v->path = (uint64_t *)taco__arena_array(t->arena, n, sizeof *v->path, err);
    v->key = (uint64_t *)taco__arena_array(t->arena, n, sizeof *v->key, err);
    v->folder = (uint8_t *)taco__arena_array(t->arena, n, 1, err);
    if (archive) {
        v->offset = (int64_t *)taco__arena_array(t->arena, n, sizeof *v->offset, err);
        v->size = (int64_t *)taco__arena_array(t->arena, n, sizeof *v->size, err);
    }
    if (t->s->kind != TACO_KIND_TACOCAT && v->l->role.current != TACO__NONE) {
        v->seen = (uint8_t *)taco__arena_alloc(t->arena, TACO__BITMAP_BYTES(n), err);
        if (!v->seen) {
            return false;
        }
    }
    if (v->l->role.source != TACO__NONE && t->s->kind == TACO_KIND_TACOCAT) {
        v->source = (uint32_t *)taco__arena_array(t->arena, n, sizeof *v->source, err);
        if (!v->source) {
            return false;
        }
    }
    return v->path && v->key && v->folder && (!archive || (v->offset && v->size));
}
TACO__FN int taco__treecheck_order(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}
/* Ids are unique among siblings: paths are in their level. */
TACO__FN bool taco__treecheck_unique(taco__treecheck *t, taco_error *err)
{
    taco__treecheck_level *v = &t->levels[t->level];
    size_t                 i, k, bytes = v->rows * sizeof(uint64_t);
    uint64_t              *sorted = (uint64_t *)taco__mem_alloc(t->mem, bytes, err);
    if (!sorted) {
        return false;
    }
    if (bytes) {
        memcpy(sorted, v->path, bytes);
        qsort(sorted, v->rows, sizeof *sorted, taco__treecheck_order);
    }
    for (i = 1; i < v->rows && !t->f->stop; i++) {
        if (sorted[i] != sorted[i - 1] || (i > 1 && sorted[i] == sorted[i - 2])) {
            continue;
        }
        if (!taco__finding_wanted(t->f, __LINE__)) {
            t->f->sum->errors++;
            continue;
        }
        for (k = v->rows, t->row = 0; k-- > 0;) { /* the last but first of them */
            if (v->path[k] == sorted[i]) {
                t->row = TACO__MAX(t->row, k);
            }
        }
        {
            taco_error e;
            taco_bytes id = taco__treecheck_name(t, t->level, t->row, false);
            memset(&e, 0, sizeof e);
            taco__treecheck_at(t);
            TACO__FAIL(&e, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "id %q is a duplicate: it must be unique among its siblings", &id);
            taco__finding_tell(t->f, true, &e);
        }
    }
    taco__mem_free(t->mem, sorted, bytes);
    return true;
}
/* Number of a row among those of its archive. */
TACO__FN int64_t taco__treecheck_number(taco__treecheck *t, const taco_array *a,
                                        const taco__treecheck_columns_at *at, size_t i,
                                        taco_error *err)
{
    size_t n;
    if (t->s->kind != TACO_KIND_TACOCAT || at->source == TACO__NONE) {
        return (int64_t)t->row;
    }
    n = taco__join_source(&t->sources, taco_array_bytes(&a[at->source], i), true, err);
    return n == SIZE_MAX ? -1 : t->sources.sources[n].count++;
}
TACO__FN bool taco__treecheck_rows(taco__treecheck *t, taco_error *err)
{
    taco__treecheck_level     *v = &t->levels[t->level];
    taco__roles               *r = &v->l->role;
    taco__treecheck_columns_at at;
    taco__rows                 rows;
    taco_error                 e;
    size_t                     which[8], n = 0, i, m;
    memset(&e, 0, sizeof e);
    at.id = taco__treecheck_pick(r->id, which, &n);
    at.type = taco__treecheck_pick(r->type, which, &n);
    at.parent = taco__treecheck_pick(r->parent, which, &n);
    at.current = taco__treecheck_pick(r->current, which, &n);
    at.offset = taco__treecheck_pick(r->offset, which, &n);
    at.size = taco__treecheck_pick(r->size, which, &n);
    at.relative = taco__treecheck_pick(r->relative, which, &n);
    at.source = taco__treecheck_pick(r->source, which, &n);
    for (i = 0; i < t->sources.source_count; i++) {
        t->sources.sources[i].count = 0;
    }
    if (!taco__rows_open(&rows, &v->l->table, which, n, t->mem, err)) {
        return false;
    }
    for (t->row = 0; t->row < v->rows && !t->f->stop && err->code == TACO_OK;) {
        m = TACO__MIN(v->rows - t->row, (size_t)TACO__TREECHECK_STEP);
        if (!taco__rows_range(&rows, t->row, m, &e)) {
            break;
        }
        for (i = 0; i < m && err->code == TACO_OK; i++, t->row++) {
            int64_t number = taco__treecheck_number(t, rows.arrays, &at, i, err);
            if (err->code != TACO_OK || !taco__treecheck_row(t, rows.arrays, &at, i, number, err)) {
                break;
            }
        }
    }
    taco__rows_close(&rows);
    if (e.code != TACO_OK) {
        taco__finding_at(t->f, "%s", v->l->name);
        v->l = NULL;
        if (!taco__finding_take(t->f, &e)) {
            *err = e;
        }
    }
    return err->code == TACO_OK;
}
/* Pages, statistics and page indexes of a table. */
typedef struct taco__treecheck_pages {
    taco__finding *f;
} taco__treecheck_pages;
TACO__FN bool taco__treecheck_page(void *ctx, bool fault, const taco_error *what)
{
    taco__treecheck_pages *p = (taco__treecheck_pages *)ctx;
    if (taco__finding_wanted(p->f, __LINE__)) {
        taco__finding_tell(p->f, fault, what);
    } else {
        p->f->sum->errors += fault;
        p->f->sum->warnings += !fault;
    }
    return !p->f->stop;
}
TACO__FN bool taco__treecheck_parquet(taco__finding *f, taco_pq_file *pq, taco_error *err)
{
    taco__treecheck_pages p;
    taco_pq_checked       sum;
    taco_error            e;
    const char           *name = pq->name;
    p.f = f;
    memset(&sum, 0, sizeof sum);
    memset(&e, 0, sizeof e);
    pq->name = ""; /* the place says it */
    taco__verify_file(pq, taco__treecheck_page, &p, &sum, &e);
    pq->name = name;
    if (e.code == TACO_ERR_MEMORY) {
        *err = e;
        return false;
    }
    return true;
}
TACO__FN bool taco__treecheck_level_run(taco__treecheck *t, uint32_t level, taco_error *err)
{
    taco__treecheck_level *v = &t->levels[level];
    taco_error             e;
    memset(&e, 0, sizeof e);
    t->level = level;
    taco__finding_at(t->f, "METADATA/level%u", TACO__U(level));
    v->l = taco__store_level(t->s, level, &e);
    if (!v->l) {
        return taco__finding_take(t->f, &e) || (*err = e, false);
    }
    v->rows = (size_t)v->l->table.rows;
    t->f->sum->rows += v->rows;
    taco__treecheck_columns(t, level);
    if (level && t->levels[level - 1].l && v->l->role.parent != TACO__NONE &&
        !taco__join_parents(t->s, level, &e)) {
        taco__finding_at(t->f, "%s", v->l->name);
        if (!taco__finding_take(t->f, &e)) {
            *err = e;
            return false;
        }
    }
    if (!taco__treecheck_arrays(t, v, err) || !taco__treecheck_rows(t, err)) {
        return false;
    }
    if (v->l && t->f->how->deep && v->l->table.pq) {
        taco__finding_at(t->f, "%s", v->l->name);
        if (!taco__treecheck_parquet(t->f, &v->l->pq, err)) {
            return false;
        }
    }
    if (v->l && v->l->role.id != TACO__NONE && (level == 0 || v->l->parents) &&
        !taco__treecheck_unique(t, err)) {
        return false;
    }
    taco__finding_end(t->f, v->l ? v->l->name : "METADATA");
    return true;
}
/* The children of every row: rows of the level below, by parent, in their order. */
TACO__FN bool taco__treecheck_link(taco__treecheck *t, uint32_t level, taco_error *err)
{
    taco__treecheck_level *v = &t->levels[level], *below = &t->levels[level + 1];
    const int32_t         *parents = below->l ? below->l->parents : NULL;
    size_t                 i;
    int32_t                sum = 0;
    if (!v->l || !parents) {
        return true;
    }
    v->first = (int32_t *)taco__arena_array(t->arena, v->rows + 2, sizeof *v->first, err);
    v->kids = (int32_t *)taco__arena_array(t->arena, below->rows + 1, sizeof *v->kids, err);
    if (!v->first || !v->kids) {
        return false;
    }
    for (i = 0; i < below->rows; i++) {
        if (parents[i] >= 0) {
            v->first[parents[i] + 2]++;
        }
    }
    for (i = 0; i < v->rows; i++) { /* first[row + 1] is where the next kid of the row goes */
        sum += v->first[i + 2];
        v->first[i + 2] = sum;
    }
    for (i = 0; i < below->rows; i++) {
        if (parents[i] >= 0) {
            v->kids[v->first[parents[i] + 1]++] = (int32_t)i;
        }
    }
    return true;
}
/* The kids of a row; 0 of them where the level below is missing. */
TACO__FN size_t taco__treecheck_kids(const taco__treecheck *t, uint32_t level, size_t row,
                                     const int32_t **kids)
{
    const taco__treecheck_level *v = &t->levels[level];
    *kids = v->first ? v->kids + v->first[row] : NULL;
    return v->first ? (size_t)(v->first[row + 1] - v->first[row]) : 0;
}

/* ==== ROOM check: every rule held against a dataset that stands. Uses: treecheck collcheck zipcheck. Spec: TACO 2.0 §5, §6 ==== */

/* ---- __meta__ against the levels ---- */

typedef struct taco__check_folder { /* a FOLDER whose children are compared */
    taco__treecheck       *t;
    uint32_t               level;
    size_t                 row;
    taco__treecheck_level *below; /* NULL: no level to compare with */
    const int32_t         *kids;
    size_t                 count;
    taco__meta_table       m;
} taco__check_folder;

TACO__FN void taco__check_folder_at(taco__check_folder *d)
{
    taco_bytes path = taco__treecheck_path(d->t, d->level, d->row);
    taco__finding_at(d->t->f, "DATA/%q/__meta__", &path);
}
/* Column of that name, most likely at the same place. */
TACO__FN size_t taco__check_column(const taco__table *t, const char *name, size_t guess)
{
    return guess < t->field_count && strcmp(t->fields[guess].name, name) == 0
               ? guess
               : taco__table_find(t, name);
}
/* PIT-2: columns of the same name have the same type (§5.5); that some folders lack some is left to the writer. */
TACO__FN void taco__check_schema(taco__check_folder *d)
{
    const taco__table *a = &d->m.table, *b = &d->below->l->table;
    taco__finding     *f = d->t->f;
    size_t             i, k;
    for (i = 0; i < a->field_count; i++) {
        taco_bytes name = taco__base_text(a->fields[i].name);
        k = taco__check_column(b, a->fields[i].name, i);
        if (k == SIZE_MAX) {
            if (!taco__base_starts(name, "internal:")) {
                TACO__FINDING_WARN(f, "PIT-2: %s has no column %q", d->below->l->name, &name);
            }
        } else if (!taco__base_starts(name, "internal:") &&
                   !taco__field_same(&a->fields[i], &b->fields[k])) {
            TACO__FINDING_ERROR(f, "PIT-2: column %q has another type in %s", &name,
                                d->below->l->name);
        }
    }
    for (i = 0; i < b->field_count; i++) {
        taco_bytes name = taco__base_text(b->fields[i].name);
        if (!taco__base_starts(name, "internal:") &&
            taco__check_column(a, b->fields[i].name, i) == SIZE_MAX) {
            TACO__FINDING_WARN(f, "PIT-2: column %q of %s is missing", &name, d->below->l->name);
        }
    }
}
/* One child of a folder, as its __meta__ has it, against the row of the level. */
TACO__FN void taco__check_child(taco__check_folder *d, const taco_array *a, const size_t at[4],
                                size_t i, size_t number)
{
    taco__treecheck *t = d->t;
    taco__finding   *f = t->f;
    bool             valid = taco_array_valid(&a[at[0]], i);
    taco_bytes       id = taco_array_bytes(&a[at[0]], i), type = taco_array_bytes(&a[at[1]], i);
    int              folder = taco__vsi_type(type);
    size_t           row;
    uint64_t         key;
    taco__treecheck_id(f, id, valid, t->s->kind == TACO_KIND_FOLDER);
    if (folder < 0) {
        TACO__FINDING_ERROR(f, "row %u: type is %q, must be FILE or FOLDER", TACO__U(number),
                            &type);
    }
    if (!d->below || number >= d->count) {
        return;
    }
    row = (size_t)d->kids[number];
    key = taco__finding_hash(TACO__FINDING_HASH + (uint64_t)(folder < 0 ? 2 : folder), id);
    if (key != d->below->key[row]) {
        taco_bytes other = taco__treecheck_name(t, d->level + 1, row, false);
        TACO__FINDING_ERROR(f,
                            "row %u is the %q %q, but row %u of %s the %s %q: __meta__ and level "
                            "disagree",
                            TACO__U(number), &type, &id, TACO__U(row), d->below->l->name,
                            taco__coll_word(d->below->folder[row] == 1), &other);
    } else if (at[2] != TACO__NONE && d->below->offset) {
        int64_t offset = taco_array_int(&a[at[2]], i), size = taco_array_int(&a[at[3]], i);
        if (!taco_array_valid(&a[at[2]], i) || !taco_array_valid(&a[at[3]], i)) {
            TACO__FINDING_ERROR(f, "row %u: internal:offset or internal:size is null",
                                TACO__U(number));
        } else if (offset != d->below->offset[row] || size != d->below->size[row]) {
            TACO__FINDING_ERROR(
                f,
                "row %u (id %q): internal:offset %d, internal:size %d, but %d, %d in "
                "row %u of %s: __meta__ and level disagree",
                TACO__U(number), &id, TACO__D(offset), TACO__D(size),
                TACO__D(d->below->offset[row]), TACO__D(d->below->size[row]), TACO__U(row),
                d->below->l->name);
        }
    }
}
TACO__FN bool taco__check_children(taco__check_folder *d, taco_error *err)
{
    taco__treecheck *t = d->t;
    taco__rows       rows;
    taco_error       e;
    size_t           which[4], at[4] = {0, 1, TACO__NONE, TACO__NONE}, n = 2, i, m, row = 0;
    memset(&e, 0, sizeof e);
    which[0] = d->m.role.id;
    which[1] = d->m.role.type;
    if (t->s->kind == TACO_KIND_ZIP) {
        bool offset = taco__treecheck_of(t->f, &d->m.table, d->m.role.offset, "internal:offset",
                                         false, true),
             size = taco__treecheck_of(t->f, &d->m.table, d->m.role.size, "internal:size", false,
                                       true);
        if (offset && size) {
            at[2] = n;
            which[n++] = d->m.role.offset;
            at[3] = n;
            which[n++] = d->m.role.size;
        }
    }
    if (!taco__rows_open(&rows, &d->m.table, which, n, t->mem, err)) {
        return false;
    }
    while (row < d->m.table.rows && !t->f->stop) {
        m = (size_t)TACO__MIN(d->m.table.rows - row, (uint64_t)TACO__TREECHECK_STEP);
        if (!taco__rows_range(&rows, row, m, &e)) {
            break;
        }
        for (i = 0; i < m; i++, row++) {
            taco__check_child(d, rows.arrays, at, i, row);
        }
    }
    taco__rows_close(&rows);
    return e.code == TACO_OK || taco__finding_take(t->f, &e) || (*err = e, false);
}
/* The cells of the columns both have; both readers hold the same rows. */
TACO__FN bool taco__check_cells(taco__check_folder *d, const taco__rows *a, const taco__rows *b,
                                size_t n, size_t first, taco_error *err)
{
    taco__treecheck *t = d->t;
    size_t           c, i;
    for (c = 0; c < a->count; c++) {
        for (i = 0; i < n && !t->f->stop; i++) {
            t->text.len = t->other.len = 0;
            if (!taco__text_json(&t->text, &a->arrays[c], i, err) ||
                !taco__text_json(&t->other, &b->arrays[c], i, err)) {
                return false;
            }
            if (t->text.len != t->other.len ||
                memcmp(t->text.data, t->other.data, t->text.len) != 0) {
                taco_bytes name = taco__base_text(d->m.table.fields[a->which[c]].name);
                taco_bytes x = taco__base_bytes(t->text.data, t->text.len),
                           y = taco__base_bytes(t->other.data, t->other.len);
                TACO__FINDING_ERROR(t->f, "row %u, column %q is %q, in %s %q: they disagree",
                                    TACO__U(first + i), &name, &x, d->below->l->name, &y);
            }
        }
    }
    return true;
}
/* Every cell of a __meta__ against the level, with --deep. */
TACO__FN bool taco__check_values(taco__check_folder *d, taco__arena *arena, taco_error *err)
{
    taco__treecheck   *t = d->t;
    const taco__table *a = &d->m.table, *b = &d->below->l->table;
    size_t *mine = (size_t *)taco__arena_array(arena, a->field_count + 1, sizeof *mine, err),
           *theirs = (size_t *)taco__arena_array(arena, a->field_count + 1, sizeof *theirs, err);
    uint32_t  *numbers = (uint32_t *)taco__arena_array(arena, d->count + 1, sizeof *numbers, err);
    size_t     i, n = 0, total = TACO__MIN((size_t)a->rows, d->count);
    taco__rows x, y;
    taco_error e;
    bool       ok = true;
    memset(&e, 0, sizeof e);
    if (!mine || !theirs || !numbers) {
        return false;
    }
    for (i = 0; i < a->field_count; i++) {
        size_t k = taco__check_column(b, a->fields[i].name, i);
        if (k != SIZE_MAX && strncmp(a->fields[i].name, "internal:", 9) != 0 &&
            taco__field_same(&a->fields[i], &b->fields[k])) {
            mine[n] = i;
            theirs[n++] = k;
        }
    }
    for (i = 0; i < total; i++) {
        numbers[i] = (uint32_t)d->kids[i];
    }
    if (!taco__rows_open(&x, a, mine, n, t->mem, err)) {
        return false;
    }
    if (!taco__rows_open(&y, b, theirs, n, t->mem, err)) {
        taco__rows_close(&x);
        return false;
    }
    for (i = 0; ok && i < total && !t->f->stop; i += TACO__TREECHECK_STEP) {
        size_t m = TACO__MIN(total - i, (size_t)TACO__TREECHECK_STEP);
        ok = taco__rows_range(&x, i, m, &e) && taco__rows_read(&y, 0, numbers + i, m, &e) &&
             taco__check_cells(d, &x, &y, m, i, &e);
    }
    taco__rows_close(&x);
    taco__rows_close(&y);
    return ok || taco__finding_take(t->f, &e) || (*err = e, false);
}
TACO__FN bool taco__check_folder_run(taco__check_folder *d, taco__arena *arena, taco_error *err)
{
    taco__treecheck *t = d->t;
    if (t->f->how->deep && d->m.table.pq && !taco__treecheck_parquet(t->f, &d->m.pq, err)) {
        return false;
    }
    if (d->m.table.rows == 0) {
        TACO__FINDING_ERROR(t->f, "a FOLDER without children: the table has no rows");
    }
    if (!d->below && d->level + 1 >= t->count) {
        TACO__FINDING_ERROR(t->f, "a FOLDER on the deepest level: no level lists its %u children",
                            d->m.table.rows);
    }
    if (d->below && d->m.table.rows != d->count) {
        TACO__FINDING_ERROR(t->f,
                            "__meta__ has %u rows, %s has %u for this folder: rows are missing",
                            d->m.table.rows, d->below->l->name, TACO__U(d->count));
    }
    if (!taco__check_children(d, err)) {
        return false;
    }
    if (d->below) {
        taco__check_schema(d);
    }
    return !d->below || !t->f->how->deep || taco__check_values(d, arena, err);
}
/* The __meta__ of one FOLDER, where its path says it is. */
TACO__FN bool taco__check_meta(taco__treecheck *t, uint32_t level, size_t row, taco_error *err)
{
    taco__treecheck_level *v = &t->levels[level];
    taco__check_folder     d;
    taco__node             node;
    taco__arena            arena;
    taco_error             e;
    taco_bytes             path = taco__treecheck_path(t, level, row);
    bool                   ok;
    memset(&d, 0, sizeof d);
    memset(&node, 0, sizeof node);
    memset(&e, 0, sizeof e);
    arena.mem = t->mem;
    arena.head = NULL;
    d.t = t;
    d.level = level;
    d.row = row;
    if (v->first) {
        d.below = &t->levels[level + 1];
        d.count = taco__treecheck_kids(t, level, row, &d.kids);
    }
    node.store = t->s;
    node.folder = true;
    if (t->s->kind == TACO_KIND_ZIP) {
        taco__zipcheck_entry *entry =
            t->zip && t->zip->known
                ? taco__zipcheck_find(
                      t->zip, taco__finding_hash(v->path[row], taco__base_text("/__meta__")))
                : NULL;
        node.has_range = (entry && entry->placed) || (v->offset && v->offset[row] >= 0);
        if (!node.has_range) {
            return true;
        }
        node.offset = entry && entry->placed ? (int64_t)entry->data : v->offset[row];
        node.size = entry && entry->placed ? (int64_t)entry->size : v->size[row];
    } else {
        if (taco__vsi_check_path(path, false, "path", &e) != TACO_OK) {
            return true; /* was told */
        }
        node.path = taco__arena_text(&arena, path, err);
        if (!node.path) {
            return false;
        }
    }
    taco__check_folder_at(&d);
    ok = taco__nav_open(&node, &arena, &d.m, &e)
             ? taco__check_folder_run(&d, &arena, err)
             : taco__finding_take(t->f, &e) || (*err = e, false);
    taco__nav_close(&d.m);
    taco__arena_free(&arena);
    return ok;
}
TACO__FN bool taco__check_metas(taco__treecheck *t, uint32_t level, taco_error *err)
{
    taco__treecheck_level *v = &t->levels[level];
    size_t                 row;
    for (row = 0; v->l && row < v->rows && !t->f->stop; row++) {
        if (v->folder[row] == 1 && !taco__check_meta(t, level, row, err)) {
            return false;
        }
    }
    taco__finding_end(t->f, "__meta__");
    return true;
}

/* ---- PIT ---- */

typedef struct taco__check_pair { /* two FOLDERs that must have the same children */
    uint32_t    level;
    size_t      a, b; /* a is the first of its kind */
    const char *rule;
    bool        error;
} taco__check_pair;

TACO__FN void taco__check_differ(taco__treecheck *t, const taco__check_pair *p, const int32_t *x,
                                 const int32_t *y, size_t n, size_t m)
{
    taco__finding *f = t->f;
    taco_bytes     first = taco__treecheck_path(t, p->level, p->a), other, one, two;
    size_t         i;
    uint32_t       below = p->level + 1;
    t->other.len = 0; /* the window of names may move */
    if (!taco__buf_append(&t->other, first.data, first.len, NULL)) {
        return;
    }
    first = taco__base_bytes(t->other.data, t->other.len);
    t->level = p->level;
    t->row = p->b;
    taco__treecheck_at(t);
    other = taco__treecheck_path(t, p->level, p->b);
    if (n != m) {
        TACO__FINDING_SAY(f, p->error, "%s: %q has %u children, %q has %u", p->rule, &other,
                          TACO__U(m), &first, TACO__U(n));
        return;
    }
    for (i = 0; i < n; i++) {
        const uint64_t *key = t->levels[below].key;
        const uint8_t  *folder = t->levels[below].folder;
        if (key[x[i]] == key[y[i]]) {
            continue;
        }
        one = taco__treecheck_name(t, below, (size_t)x[i], false);
        t->text.len = 0;
        if (!taco__buf_append(&t->text, one.data, one.len, NULL)) {
            return;
        }
        one = taco__base_bytes(t->text.data, t->text.len);
        two = taco__treecheck_name(t, below, (size_t)y[i], false);
        TACO__FINDING_SAY(f, p->error, "%s: child %u of %q is the %s %q, that of %q the %s %q",
                          p->rule, TACO__U(i), &other, taco__coll_word(folder[y[i]] == 1), &two,
                          &first, taco__coll_word(folder[x[i]] == 1), &one);
        return;
    }
}
/* True when the children of both are alike; else the first difference is told. */
TACO__FN bool taco__check_alike(taco__treecheck *t, const taco__check_pair *p)
{
    const int32_t *x, *y;
    size_t         n = taco__treecheck_kids(t, p->level, p->a, &x),
           m = taco__treecheck_kids(t, p->level, p->b, &y), i = 0;
    const uint64_t *key = n ? t->levels[p->level + 1].key : NULL;
    if (n == m) {
        for (; i < n && key[x[i]] == key[y[i]]; i++) {
        }
        if (i == n) {
            return true;
        }
    }
    taco__check_differ(t, p, x, y, n, m);
    return false;
}
/* Exports of the reference keep the schema of the whole, and may leave some samples fewer children than others. */
TACO__FN bool taco__check_subset(const taco__treecheck *t)
{
    return taco__json_get(t->s->coll.doc.root, "taco:subset_of") != NULL;
}
/* Two samples of level 0 and what is below, as far as they are alike. The reference compares the ids and types of the
   children and the number of theirs; deeper differences are those it lets pass (facts: disagreements 27). */
TACO__FN void taco__check_isomorphic(taco__treecheck *t, uint32_t level, size_t a, size_t b)
{
    taco__check_pair p;
    const int32_t   *x, *y;
    size_t           n, i;
    p.level = level;
    p.a = a;
    p.b = b;
    p.rule = "PIT-1";
    n = taco__treecheck_kids(t, level, a, &x);
    p.error = !taco__check_subset(t) &&
              (level == 0 || (level == 1 && n != taco__treecheck_kids(t, level, b, &y)));
    if (t->f->stop || !taco__check_alike(t, &p)) {
        return;
    }
    n = taco__treecheck_kids(t, level, a, &x);
    taco__treecheck_kids(t, level, b, &y);
    for (i = 0; i < n; i++) {
        if (t->levels[level + 1].folder[x[i]] == 1) {
            taco__check_isomorphic(t, level + 1, (size_t)x[i], (size_t)y[i]);
        }
    }
}
/* The draft of June 2025 asks more: all FOLDERs of a level have the same children. */
TACO__FN void taco__check_strict(taco__treecheck *t)
{
    taco__check_pair p;
    uint32_t         level;
    p.rule = "strict PIT";
    p.error = true;
    for (level = 0; level + 1 < t->count; level++) {
        taco__treecheck_level *v = &t->levels[level];
        p.level = level;
        p.a = SIZE_MAX;
        for (p.b = 0; v->first && p.b < v->rows && !t->f->stop; p.b++) {
            if (v->folder[p.b] != 1) {
                continue;
            }
            if (p.a == SIZE_MAX) {
                p.a = p.b;
            } else {
                taco__check_alike(t, &p);
            }
        }
    }
    taco__finding_end(t->f, "strict PIT");
}
TACO__FN void taco__check_pit(taco__treecheck *t)
{
    taco__treecheck_level *v = &t->levels[0];
    size_t                 row;
    t->level = 0;
    for (row = 1; v->l && row < v->rows && !t->f->stop; row++) {
        if (v->folder[row] != v->folder[0] && v->folder[row] < 2 && v->folder[0] < 2) {
            t->row = row;
            TACO__TREECHECK_ERROR(t, "PIT-1: the root mixes types: this sample is a %s, row 0 a %s",
                                  taco__coll_word(v->folder[row] == 1),
                                  taco__coll_word(v->folder[0] == 1));
        } else if (v->folder[row] == 1) {
            taco__check_isomorphic(t, 0, 0, row);
        }
    }
    taco__finding_end(t->f, "PIT-1");
    if (t->f->how->strict_pit) {
        taco__check_strict(t);
    }
}

/* ---- the collection against the tables ---- */

/* A pattern of the pit schema against the children of a FOLDER. */
TACO__FN bool taco__check_pattern(const taco__treecheck *t, uint32_t level, size_t row,
                                  const taco__coll_pattern *p)
{
    const int32_t *kids;
    size_t         n = taco__treecheck_kids(t, level, row, &kids), i;
    for (i = 0; i < n && i < p->count; i++) {
        if (t->levels[level + 1].key[kids[i]] !=
            taco__finding_hash(TACO__FINDING_HASH + p->folders[i], p->ids[i])) {
            return false;
        }
    }
    return n == p->count;
}
/* Level 1 has one pattern. Deeper ones follow the FOLDERs of the first pattern above only, so that the tables may hold
   more than the schema tells (facts: disagreements 4): told as a warning, and only what no FOLDER matches. */
TACO__FN void taco__check_patterns(taco__treecheck *t, uint32_t depth)
{
    const taco__coll_level *c = &t->s->coll.pit.levels[depth - 1];
    taco__treecheck_level  *above = &t->levels[depth - 1];
    int64_t                 sum = 0;
    size_t                  i, row;
    taco__finding_at(t->f, "COLLECTION.json: taco:pit_schema.hierarchy.%u", TACO__U(depth));
    if (depth < t->count && !c->count) {
        TACO__FINDING_ERROR(t->f, "there is no pattern, but there is a level %u", TACO__U(depth));
        return;
    }
    if (depth >= t->count) {
        if (c->count) {
            TACO__FINDING_ERROR(t->f, "describes level %u, which is missing", TACO__U(depth));
        }
        return;
    }
    for (i = 0; i < c->count; i++) {
        sum = sum < 0 || c->patterns[i].n < 0 || c->patterns[i].n > INT32_MAX
                  ? -1
                  : sum + c->patterns[i].n;
        for (row = 0; above->first && row < above->rows; row++) {
            if (above->folder[row] == 1 &&
                taco__check_pattern(t, depth - 1, row, &c->patterns[i])) {
                break;
            }
        }
        if (above->first && row == above->rows) {
            TACO__FINDING_SAY(t->f, depth == 1 && !taco__check_subset(t),
                              "no FOLDER has the children that pattern %u lists", TACO__U(i));
        }
    }
    if (t->levels[depth].l && sum >= 0 && (uint64_t)sum != t->levels[depth].rows) {
        TACO__FINDING_WARN(t->f, "n is %d in all, level%u has %u rows", TACO__D(sum),
                           TACO__U(depth), TACO__U(t->levels[depth].rows));
    }
}
TACO__FN void taco__check_fields(taco__treecheck *t)
{
    const taco__json *schema = t->s->coll.field_schema, *list, *row;
    char              key[] = "level0";
    size_t            i;
    for (; key[5] < (char)('0' + t->count); key[5]++) {
        const taco__level *l = t->levels[key[5] - '0'].l;
        list = taco__json_get(schema, key);
        taco__finding_at(t->f, "COLLECTION.json: taco:field_schema.%s", key);
        if (taco__json_is(schema, TACO__JSON_OBJECT) && !list) {
            TACO__FINDING_WARN(t->f, "is missing");
        }
        for (i = 0, row = taco__json_first(list); l && i < taco__json_length(list);
             i++, row = taco__json_next(row)) {
            const char *name = taco__json_text(taco__json_at(row, 0));
            taco_bytes  text = taco__base_text(name);
            if (name && taco__table_find(&l->table, name) == SIZE_MAX &&
                strcmp(name, "path") != 0) {
                TACO__FINDING_WARN(t->f, "lists the column %q, which %s has not", &text, l->name);
            }
        }
    }
}
TACO__FN void taco__check_collection(taco__treecheck *t)
{
    const taco__coll_pit  *pit = &t->s->coll.pit;
    taco__treecheck_level *v = &t->levels[0];
    uint32_t               d;
    taco__finding_at(t->f, "COLLECTION.json: taco:pit_schema.root");
    if (v->l && pit->n < 0) {
        TACO__FINDING_WARN(t->f, "n is missing");
    } else if (v->l && (uint64_t)pit->n != v->rows) {
        TACO__FINDING_ERROR(t->f, "taco:pit_schema: root n is %d, level0 has %u rows",
                            TACO__D(pit->n), TACO__U(v->rows));
    }
    if (v->l && v->rows && v->folder[0] < 2 && pit->folders != (v->folder[0] == 1)) {
        TACO__FINDING_ERROR(t->f, "type is %s, but the samples of level0 are of type %s",
                            taco__coll_word(pit->folders), taco__coll_word(v->folder[0] == 1));
    }
    for (d = 1; d <= TACO__COLL_DEPTH; d++) {
        taco__check_patterns(t, d);
    }
    taco__finding_at(t->f, "COLLECTION.json: taco:pit_schema.shape");
    if (pit->shape && v->l &&
        (pit->shape_count != t->count || (uint64_t)pit->shape[0] != v->rows)) {
        TACO__FINDING_WARN(t->f, "says %u levels and %d samples, there are %u and %u",
                           TACO__U(pit->shape_count), TACO__D(pit->shape[0]), TACO__U(t->count),
                           TACO__U(v->rows));
    }
    taco__check_fields(t);
    taco__finding_end(t->f, "COLLECTION.json");
}

/* ---- a dataset ---- */

/* What one archive, folder or catalogue needs; the parts of a catalogue get one each, one after the other. */
typedef struct taco__check {
    taco__finding  *f;
    taco__mem      *mem;
    taco_options    options;
    taco__arena     arena;
    taco__store     store;
    bool            open;
    taco__zipcheck  zip;
    taco__treecheck tree;
} taco__check;

TACO__FN void taco__check_close(taco__check *c)
{
    taco__treecheck_close(&c->tree);
    taco__zipcheck_close(&c->zip);
    if (c->open) {
        taco__store_close(&c->store);
    }
    taco__arena_free(&c->arena);
}
TACO__FN void taco__check_begin(taco__check *c, taco__finding *f, taco__mem *mem,
                                const taco_options *opt)
{
    memset(c, 0, sizeof *c);
    c->f = f;
    c->mem = c->arena.mem = mem;
    taco__options_init(&c->options, opt);
    c->options.warn = NULL;         /* what it would tell is told as a problem */
    c->options.parallel_for = NULL; /* work is in small pieces */
}
TACO__FN bool taco__check_archive(taco__check *c, taco__file *file, taco_error *err)
{
    c->zip.f = c->f;
    c->zip.file = file;
    c->zip.mem = c->mem;
    c->zip.arena = &c->arena;
    return taco__zipcheck_run(&c->zip, c->options.limits.max_metadata, err);
}
/* A file that does not open as a dataset may say more as an archive. */
TACO__FN bool taco__check_broken(taco__check *c, const char *path, taco_error *err)
{
    taco_source src;
    taco__file  file;
    uint8_t     magic[4] = {0};
    taco_error  e;
    bool        ok = true;
    memset(&e, 0, sizeof e);
    if (!path || !taco__options_open(&c->options, path, &src, &e)) {
        return true;
    }
    taco__file_init(&file, &src, "", c->mem);
    if (src.size >= 4 && taco__file_copy(&file, 0, magic, 4, &e) &&
        memcmp(magic, "PK\3\4", 4) == 0) {
        ok = taco__check_archive(c, &file, err);
    }
    taco__zipcheck_close(&c->zip);
    taco__file_close(&file);
    return ok;
}
/* Levels and what hangs on them. */
TACO__FN bool taco__check_tree(taco__check *c, taco_error *err)
{
    taco__treecheck *t = &c->tree;
    uint32_t         i;
    t->f = c->f;
    t->s = &c->store;
    t->mem = t->text.mem = t->other.mem = t->window.mem = t->sources.arena.mem = c->mem;
    t->arena = &c->arena;
    t->zip = c->store.kind == TACO_KIND_ZIP ? &c->zip : NULL;
    t->count = c->store.level_count;
    t->sources.store = &c->store;
    for (i = 0; i < t->count && !c->f->stop; i++) {
        if (!taco__treecheck_level_run(t, i, err)) {
            return false;
        }
    }
    for (i = 0; i + 1 < t->count && !c->f->stop; i++) {
        if (!taco__treecheck_link(t, i, err)) {
            return false;
        }
    }
    for (i = 0; i < t->count && c->store.kind != TACO_KIND_TACOCAT && !c->f->stop; i++) {
        if (!taco__check_metas(t, i, err)) {
            return false;
        }
    }
    taco__check_pit(t);
    taco__check_collection(t);
    return true;
}
/* Opens a dataset and checks it, but not the archives of a catalogue. */
TACO__FN bool taco__check_one(taco__check *c, const char *path, const taco_source *src,
                              taco_error *err)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    taco__finding_at(c->f, "%s", "");
    c->open = taco__store_open(&c->store, path, src, c->mem, &c->arena, &c->options, &e);
    if (!c->open) {
        if (!taco__finding_take(c->f, &e)) {
            *err = e;
            return false;
        }
        return taco__check_broken(c, src ? NULL : path, err);
    }
    if (c->store.kind == TACO_KIND_ZIP && !taco__check_archive(c, &c->store.file, err)) {
        return false;
    }
    taco__collcheck_run(c->f, &c->store.coll);
    if (!taco__check_tree(c, err)) {
        return false;
    }
    if (c->store.kind == TACO_KIND_ZIP) {
        taco__zipcheck_unlisted(&c->zip);
        return !c->f->how->deep || taco__zipcheck_deep(&c->zip, err);
    }
    return true;
}

/* ---- catalogues ---- */

/* True when row i of the catalogue is row k of the archive. */
TACO__FN bool taco__check_same(const taco__treecheck_level *a, size_t i,
                               const taco__treecheck_level *b, size_t k)
{
    return a->key[i] == b->key[k] &&
           (!a->offset || !b->offset || (a->offset[i] == b->offset[k] && a->size[i] == b->size[k]));
}
/* Rows of one level of an archive, and those the catalogue has of it: all of them, or some in their order. */
TACO__FN void taco__check_copy(taco__check *cat, taco__check *part, uint32_t source, uint32_t level)
{
    taco__treecheck_level *a = &cat->tree.levels[level], *b = &part->tree.levels[level];
    taco__treecheck       *t = &cat->tree;
    size_t                 i, k = 0, count = 0;
    t->level = level;
    if (!a->l || !b->l || !a->source) {
        return;
    }
    for (i = 0; i < a->rows; i++) {
        count += a->source[i] == source;
    }
    taco__finding_at(cat->f, "%s", a->l->name);
    if (count != b->rows) {
        TACO__FINDING_SAY(cat->f, count > b->rows,
                          "the catalogue has %u rows of it, the archive has %u", TACO__U(count),
                          TACO__U(b->rows));
    }
    for (i = 0; i < a->rows && !cat->f->stop; i++) {
        if (a->source[i] != source) {
            continue;
        }
        for (; count != b->rows && k < b->rows && !taco__check_same(a, i, b, k); k++) {
        }
        if (k < b->rows && taco__check_same(a, i, b, k)) {
            k++;
            continue;
        }
        t->row = i;
        if (k == b->rows) {
            TACO__TREECHECK_ERROR(t, "the archive has no such row (id, type, internal:offset)");
            break;
        }
        if (a->key[i] != b->key[k]) {
            TACO__TREECHECK_ERROR(t, "another id or type than row %u of the archive", TACO__U(k));
        } else {
            TACO__TREECHECK_ERROR(
                t,
                "internal:offset %d, internal:size %d, but %d, %d in row %u of the "
                "archive",
                TACO__D(a->offset[i]), TACO__D(a->size[i]), TACO__D(b->offset[k]),
                TACO__D(b->size[k]), TACO__U(k));
        }
        k++;
    }
}
/* One archive of a catalogue: it is there, and with deep it is right, and the rows are its rows. */
TACO__FN bool taco__check_part(taco__check *cat, uint32_t source, taco_error *err)
{
    taco__finding *f = cat->f;
    taco_bytes     name = cat->tree.sources.sources[source].name;
    const char    *path, *prefix;
    taco_source    src;
    taco_error     e;
    taco__check    part;
    uint32_t       i;
    bool           ok = true;
    memset(&e, 0, sizeof e);
    if (taco__vsi_check_name(name, "internal:source_file", &e) != TACO_OK) {
        return true; /* was told */
    }
    memset(&e, 0, sizeof e);
    path = taco__store_join(&cat->store, cat->store.parts, (const char *)name.data, err);
    prefix = path ? taco__store_join(&cat->store, (const char *)name.data, ": ", err) : NULL;
    if (!prefix) {
        return false;
    }
    taco__finding_at(f, "internal:source_file");
    if (!taco__options_open(&cat->options, path, &src, &e)) {
        TACO__FINDING_ERROR(f, "the archive %q is missing: it does not exist, or cannot be read",
                            &name);
        return true;
    }
    if (!f->how->deep) {
        if (src.close) {
            src.close(src.ctx);
        }
        return true;
    }
    f->part = prefix;
    taco__check_begin(&part, f, cat->mem, &cat->options);
    ok = taco__check_one(&part, path, &src, err);
    if (ok && part.open && part.store.kind == TACO_KIND_ZIP) {
        taco_error why;
        memset(&why, 0, sizeof why);
        if (part.store.level_count != cat->store.level_count) {
            taco__finding_at(f, "levels");
            TACO__FINDING_ERROR(f, "the archive has %u levels, the catalogue %u",
                                TACO__U(part.store.level_count), TACO__U(cat->store.level_count));
        } else if (taco__coll_same_pit(&cat->store.coll, &part.store.coll, &why) != TACO_OK) {
            taco__finding_at(f, "COLLECTION.json");
            taco__finding_take(f, &why);
        }
        for (i = 0; i < cat->store.level_count && i < part.store.level_count; i++) {
            taco__check_copy(cat, &part, source, i);
        }
    } else if (ok && part.open) {
        taco__finding_at(f, "%s", "");
        TACO__FINDING_ERROR(f, "internal:source_file names something that is no archive");
    }
    taco__check_close(&part);
    taco__finding_end(f, "catalogue");
    f->part = "";
    return ok;
}
/* taco:sources, as the writers of catalogues leave it (§6.6). */
TACO__FN void taco__check_sources(taco__check *c)
{
    const taco__json *sources = c->store.coll.sources, *files = taco__json_get(sources, "files"),
                     *file;
    int64_t count;
    size_t  i, n = c->tree.sources.source_count;
    taco__finding_at(c->f, "COLLECTION.json: taco:sources");
    if (!sources) {
        return;
    }
    if (taco__json_int(taco__json_get(sources, "count"), &count) && (uint64_t)count != n) {
        TACO__FINDING_WARN(c->f, "count is %d, the levels name %u archives", TACO__D(count),
                           TACO__U(n));
    }
    for (i = 0, file = taco__json_first(files); i < taco__json_length(files);
         i++, file = taco__json_next(file)) {
        taco_bytes name = taco__json_bytes(file);
        if (taco__join_source(&c->tree.sources, name, false, NULL) == SIZE_MAX) {
            TACO__FINDING_WARN(c->f, "files names %q, no level does", &name);
        }
    }
}
TACO__FN bool taco__check_run(taco__check *c, const char *path, const taco_source *src,
                              taco_error *err)
{
    size_t i;
    if (!taco__check_one(c, path, src, err)) {
        return false;
    }
    if (c->open && c->store.kind == TACO_KIND_TACOCAT) {
        taco__check_sources(c);
        for (i = 0; i < c->tree.sources.source_count && !c->f->stop; i++) {
            if (!taco__check_part(c, (uint32_t)i, err)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- public ---- */

TACO__FN taco_status taco__check_all(const char *path, const taco_source *src,
                                     const taco_options *opt, const taco_validate_options *how,
                                     taco_validated *out, taco_error *err)
{
    taco_validate_options none;
    taco_validated        sum;
    taco__finding         f;
    taco__mem             mem;
    taco__check           c;
    taco_error            own = {0, TACO_OK, 0, {0}};
    bool                  done;
    memset(&none, 0, sizeof none);
    memset(&sum, 0, sizeof sum);
    memset(&f, 0, sizeof f);
    f.how = how ? how : &none;
    f.sum = &sum;
    f.part = "";
    taco__mem_init(&mem, opt);
    taco__check_begin(&c, &f, &mem, opt);
    done = taco__check_run(&c, path, src, &own);
    taco__check_close(&c);
    if (!done) {
        TACO__FAIL(&own, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory");
        taco__finding_at(&f, "%s", "");
        taco__finding_tell(&f, true, &own);
    }
    if (out) {
        *out = sum;
    }
    if (done && f.first.code != TACO_OK) {
        own = f.first;
        taco__error_prefix(&own, "%s", path);
    }
    if (err && err->code == TACO_OK) {
        *err = own;
    }
    return own.code;
}
TACO_API taco_status taco_validate(const char *path, const taco_options *opt,
                                   const taco_validate_options *how, taco_validated *out,
                                   taco_error *err)
{
    if (!path) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
    }
    return taco__check_all(path, NULL, opt, how, out, err);
}
TACO_API taco_status taco_validate_source(const taco_source *src, const char *name,
                                          const taco_options *opt, const taco_validate_options *how,
                                          taco_validated *out, taco_error *err)
{
    return taco__check_all(name ? name : "", src, opt, how, out, err);
}

/* ==== ROOM repair: offsets and headers made right again ==== */

#endif /* TACO_IMPLEMENTATION */
