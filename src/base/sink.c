/* sink.c - sinks into memory, into a file and onto the end of a file, and buffered output

   A file is written under a temporary name (temporary.h) and renamed when it is complete and on the
   disk, so that its name never leads to half a file. Two exceptions: a device or a pipe is written
   to in place, and taco__sink_append continues an existing file at some byte, with the file locked;
   the new bytes reach the disk before the few old ones that point readers to them are replaced, and
   those are restored if anything fails. A sink has its own taco__mem, because it may outlive the
   writer. Start with taco_sink_file and taco__output_write. */
#include "sink.h"
#include "base.h"

/* ---- into memory ---- */

/* The context of such a sink. After a successful close, taco_sink_bytes returns the buffer until
   taco_sink_free. */
typedef struct taco__sink_memory {
    taco__mem mem;
    taco__buf buf;
} taco__sink_memory;

/* Anywhere up to the end of what was written. */
static bool taco__sink_memory_write(void *ctx, uint64_t offset, const void *src, size_t len)
{
    taco__sink_memory *m = (taco__sink_memory *)ctx;
    size_t at, end;
    if (!taco__checked_to_size(offset, &at) || at > m->buf.len ||
        !taco__checked_add_size(at, len, &end)) {
        return false;
    }
    if (end > m->buf.len) {
        if (!taco__buf_reserve(&m->buf, end - m->buf.len, NULL)) { return false; }
        m->buf.len = end;
    }
    if (len) { memcpy(m->buf.data + at, src, len); }
    return true;
}

static bool taco__sink_memory_close(void *ctx, bool keep)
{
    taco__sink_memory *m = (taco__sink_memory *)ctx;
    if (!keep) { taco__buf_free(&m->buf); }
    return true;
}

TACO_API taco_status taco_sink_memory(taco_sink *out, const taco_options *opt, taco_error *err)
{
    taco__mem mem;
    taco__sink_memory *m;
    err = taco__error_fresh(err, NULL);
    memset(out, 0, sizeof *out);
    taco__mem_init(&mem, opt);
    m = (taco__sink_memory *)taco__mem_alloc(&mem, sizeof *m, err);
    if (!m) { return TACO_ERR_MEMORY; }
    m->mem = mem;
    m->buf.mem = &m->mem;
    out->ctx = m;
    out->write = taco__sink_memory_write;
    out->close = taco__sink_memory_close;
    return TACO_OK;
}

TACO_API taco_bytes taco_sink_bytes(const taco_sink *sink)
{
    const taco__sink_memory *m = sink ? (const taco__sink_memory *)sink->ctx : NULL;
    return taco__bytes_of(m ? m->buf.data : NULL, m ? m->buf.len : 0);
}

TACO_API void taco_sink_free(taco_sink *sink)
{
    taco__sink_memory *m = sink ? (taco__sink_memory *)sink->ctx : NULL;
    if (m) { /* a copy, because the account is in the block freed last */
        taco__mem mem = m->mem;
        m->buf.mem = &mem;
        taco__buf_free(&m->buf);
        taco__mem_free(&mem, m, sizeof *m);
    }
    if (sink) { memset(sink, 0, sizeof *sink); }
}

/* ---- into a file ---- */

#ifndef TACO_NO_STDIO
/* Why `path` cannot be written: the system's reason, or else from a second look. */
TACO__FN TACO__COLD taco_status taco__sink_open_error(const char *path, taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    char dir[1024];
    const char *why = taco__plat_cause(taco__plat_reason());
    uint64_t size;
    size_t n = taco__plat_dir_length(path, name.len);
    if (TACO__DIRS && taco__plat_stat(path, &size) == TACO__PATH_DIRECTORY) {
        why = ", which is a directory";
    } else if (TACO__DIRS && !*why && n > 1 && n < sizeof dir) {
        memcpy(dir, path, n - 1);
        dir[n - 1] = 0;
        why = taco__plat_stat(dir, &size) == TACO__PATH_DIRECTORY
                  ? ""
                  : ", whose directory does not exist";
    }
    return TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "cannot be written: %q%s", &name, why);
}

typedef struct taco__sink_file {
    taco__mem mem;
    FILE *f;
    uint64_t at;
    size_t size; /* of this block; the path follows it there */
    char *path;
    taco__temporary temporary;
    taco__staged *staged; /* gets the complete file, which is not renamed; or NULL */
    bool special;         /* a device or a pipe: written to in place, as no file may replace it */
} taco__sink_file;

/* Writes at offset; *at is the position of the file, before and after. */
static bool taco__sink_write_at(FILE *f, uint64_t *at, uint64_t offset, const void *src, size_t len)
{
    if (offset != *at && (offset > TACO__FILE_MAX || TACO__FSEEK(f, offset, SEEK_SET) != 0)) {
        return false;
    }
    *at = offset + len;
    return fwrite(src, 1, len, f) == len;
}

static bool taco__sink_file_write(void *ctx, uint64_t offset, const void *src, size_t len)
{
    taco__sink_file *t = (taco__sink_file *)ctx;
    taco__plat_set_reason(0);
    return taco__sink_write_at(t->f, &t->at, offset, src, len);
}

/* Flushed to the disk before it is renamed, or a crash may leave an empty file with the name. Keeps
   the first reason of a failure. */
static bool taco__sink_file_close(void *ctx, bool keep)
{
    taco__sink_file *t = (taco__sink_file *)ctx;
    taco__mem mem;
    /* without keep, that of an earlier write */
    int reason = keep ? 0 : taco__plat_reason();
    bool good;
    taco__plat_set_reason(0);
    good = !keep || (fflush(t->f) == 0 && (t->special || TACO__FSYNC(t->f) == 0));
    if (!good) { reason = taco__plat_reason(); }
    good = fclose(t->f) == 0 && good;
    if (!good && !reason) { reason = taco__plat_reason(); }
    if (t->staged && keep && good) {
        t->staged->temporary = t->temporary;
        t->temporary.name = NULL;
    } else if (!t->special) {
        good = (!keep || !good || taco__temporary_rename(&t->temporary, t->path)) && good;
        if (!good && !reason) { reason = taco__plat_reason(); }
        taco__temporary_remove(&t->temporary);
    }
    mem = t->mem; /* a copy, as the account is in the block itself */
    taco__mem_free(&mem, t, t->size);
    taco__plat_set_reason(reason);
    return good;
}

/* The context of a sink for path, in one block with it. NULL without memory. */
static taco__sink_file *taco__sink_file_create(const taco__mem *mem, taco_bytes path,
                                               taco_error *err)
{
    taco__mem account = *mem;
    taco__sink_file *t = NULL;
    size_t size;
    if (!taco__checked_add_size(path.len, sizeof *t + 1, &size)) {
        TACO__FAIL(err, TACO_ERR_MEMORY, TACO_NO_OFFSET, "out of memory for %u bytes",
                   TACO__U(path.len));
        return NULL;
    }
    t = (taco__sink_file *)taco__mem_alloc(&account, size, err);
    if (!t) { return NULL; }
    t->mem = account;
    t->size = size;
    t->path = (char *)(t + 1);
    memcpy(t->path, path.data, path.len);
    return t;
}

TACO__FN taco_status taco__sink_file_staged(taco_sink *out, const char *path,
                                            const taco_options *opt, taco__mem *staged_mem,
                                            taco__staged *staged, taco_error *err)
{
    taco__mem mem;
    taco__sink_file *t;
    uint64_t bytes;
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__path_kind kind = path ? taco__plat_stat(path, &bytes) : TACO__PATH_MISSING;
    memset(out, 0, sizeof *out);
    taco__mem_init(&mem, opt);
    if (!path) { return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given"); }
    /* reported now, and not when everything has been written and renaming fails */
    if ((kind == TACO__PATH_DIRECTORY && !taco__temporary_is_free(path, opt)) || !*path) {
        return taco__sink_open_error(path, err);
    }
    t = taco__sink_file_create(&mem, taco__bytes_text(path), err);
    if (!t) { return TACO_ERR_MEMORY; }
    t->special = kind == TACO__PATH_SPECIAL;
    if (t->special) {
        t->f = fopen(path, "wb");
        if (!t->f) { taco__sink_open_error(path, &own); }
    } else {
        t->staged = staged;
        taco__temporary_make(&t->temporary, path, &t->f, opt, staged ? staged_mem : &t->mem, &own);
    }
    if (!t->f) {
        mem = t->mem;
        taco__mem_free(&mem, t, t->size);
        taco__error_copy(err, &own);
        return own.code;
    }
    out->ctx = t;
    out->write = taco__sink_file_write;
    out->close = taco__sink_file_close;
    return TACO_OK;
}

TACO_API taco_status taco_sink_file(taco_sink *out, const char *path, const taco_options *opt,
                                    taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    return taco__sink_file_staged(out, path, opt, NULL, NULL, err);
}

/* ---- a file that is changed in place ---- */

/* Opens and locks a file. A caller that afterwards opens it for reading must check with
   taco__update_check that it is the same file. */
TACO__FN bool taco__update_open(taco__update *u, const char *path, taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    taco__plat_lock_state lock;
    memset(u, 0, sizeof *u);
    u->path = path;
    u->f = taco__plat_open_update(path, &u->id);
    if (!u->f) {
        taco__sink_open_error(path, err);
        return false;
    }
    lock = taco__plat_lock(u->f);
    /* unbuffered: what a full disk refused must not be written after the file has been truncated */
    if (lock == TACO__LOCK_HELD && setvbuf(u->f, NULL, _IONBF, 0) == 0) { return true; }
    TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET,
               lock == TACO__LOCK_TAKEN
                   ? "%q is being changed by another writer, which has locked it"
                   : "%q cannot be locked on this file system, so it is not changed in place: an "
                     "output is needed",
               &name);
    taco__update_close(u);
    return false;
}

TACO__FN bool taco__update_check(const taco__update *u, taco_error *err)
{
    taco_bytes name = taco__bytes_text(u->path);
    if (taco__plat_is_same(u->path, &u->id, true)) { return true; }
    TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET,
               "%q was replaced by another writer while it was read: nothing is changed", &name);
    return false;
}

/* Also releases the lock. Everything that must be on the disk already is, whatever closing
   returns. */
TACO__FN void taco__update_close(taco__update *u)
{
    if (u->f) { fclose(u->f); }
    memset(u, 0, sizeof *u);
}

/* Bytes before `begin` that one write may replace: more than a TACO_HEADER. */
#define TACO__SINK_APPEND_HEAD 512

/* A file that is continued from byte `begin`. A write before that byte, once and last, points
   readers to the rest, which is then on the disk. If it is closed without keeping, or anything
   fails, the file has its old bytes and ends at `begin` again. */
typedef struct taco__sink_append {
    taco__update *update; /* the caller's, who closes it */
    taco__mem *mem;
    uint64_t begin, at;
    uint64_t head_at; /* what was replaced before `begin`, and how many bytes that were */
    size_t head_len;
    uint8_t head[TACO__SINK_APPEND_HEAD];
} taco__sink_append;

/* Restores the old bytes; true also if none was replaced. */
static bool taco__sink_append_restore(taco__sink_append *t)
{
    FILE *f = t->update->f;
    bool good = t->head_len == 0 || (TACO__FSEEK(f, t->head_at, SEEK_SET) == 0 &&
                                     fwrite(t->head, 1, t->head_len, f) == t->head_len);
    if (good && t->head_len) { (void)TACO__FSYNC(f); }
    t->head_len = good ? 0 : t->head_len;
    return good;
}

/* The commit: refused if the path now leads to another file, which would not get it. */
static bool taco__sink_append_write_head(taco__sink_append *t, uint64_t offset, const void *src,
                                         size_t len)
{
    FILE *f = t->update->f;
    if (len > sizeof t->head || len > t->begin - offset || t->head_len || TACO__FSYNC(f) != 0 ||
        TACO__FSEEK(f, offset, SEEK_SET) != 0 || fread(t->head, 1, len, f) != len ||
        !taco__update_check(t->update, NULL)) {
        return false;
    }
    t->head_at = offset;
    t->head_len = len;
    t->at = UINT64_MAX; /* a seek must separate reading and writing */
    if (taco__sink_write_at(f, &t->at, offset, src, len)) { return true; }
    taco__sink_append_restore(t);
    return false;
}

static bool taco__sink_append_write(void *ctx, uint64_t offset, const void *src, size_t len)
{
    taco__sink_append *t = (taco__sink_append *)ctx;
    return offset < t->begin ? taco__sink_append_write_head(t, offset, src, len)
                             : taco__sink_write_at(t->update->f, &t->at, offset, src, len);
}

static bool taco__sink_append_close(void *ctx, bool keep)
{
    taco__sink_append *t = (taco__sink_append *)ctx;
    bool good = keep && TACO__FSYNC(t->update->f) == 0;
    if (!good) {
        good = taco__sink_append_restore(t) && TACO__TRUNCATE(t->update->f, t->begin) && !keep;
    }
    taco__mem_free(t->mem, t, sizeof *t);
    return good;
}

/* Continues a locked file; truncates it at `begin`. */
TACO__FN bool taco__sink_append_open(taco_sink *out, taco__update *u, uint64_t begin,
                                     taco__mem *mem, taco_error *err)
{
    taco__sink_append *t = (taco__sink_append *)taco__mem_alloc(mem, sizeof *t, err);
    memset(out, 0, sizeof *out);
    if (!t) { return false; }
    t->mem = mem;
    t->begin = begin;
    t->update = u;
    if (!TACO__TRUNCATE(u->f, begin)) {
        taco__mem_free(mem, t, sizeof *t);
        taco__sink_open_error(u->path, err);
        return false;
    }
    out->ctx = t;
    out->write = taco__sink_append_write;
    out->close = taco__sink_append_close;
    return true;
}
#endif

/* ---- any sink ---- */

/* Closes a sink without writing to it. One that could not be opened is all zeros and needs no
   closing. */
TACO__FN void taco__sink_abort(const taco_sink *sink)
{
    if (sink && sink->close) { sink->close(sink->ctx, false); }
}

/* False with an error if there is no sink to write to, as after a failed taco_sink_file. */
TACO__FN bool taco__sink_check(const taco_sink *sink, taco_error *err)
{
    if (!sink || !sink->write || !sink->close) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "no sink given, or one that is not open");
        taco__sink_abort(sink);
        return false;
    }
    return true;
}

/* The path of a file sink, for messages; {NULL, 0} for others. */
TACO__FN taco_bytes taco__sink_name(const taco_sink *sink)
{
#ifndef TACO_NO_STDIO
    if (sink->write == taco__sink_file_write) {
        return taco__bytes_text(((const taco__sink_file *)sink->ctx)->path);
    }
#endif
    (void)sink;
    return taco__bytes_of(NULL, 0);
}

/* ---- buffered output ---- */

/* Takes over the sink, even on failure, which closes it. */
TACO__FN bool taco__output_open(taco__output *o, const taco_sink *sink, taco__mem *mem,
                                taco_error *err)
{
    memset(o, 0, sizeof *o);
    o->sink = *sink;
    o->mem = mem;
#ifndef TACO_NO_STDIO
    o->anywhere = sink->write == taco__sink_file_write;
#endif
    o->data = (uint8_t *)taco__mem_alloc(mem, TACO__OUTPUT_BYTES, err);
    if (!o->data) { taco__sink_abort(sink); }
    return o->data != NULL;
}

TACO__FN const char *taco__sink_cause(const taco_sink *sink)
{
#ifndef TACO_NO_STDIO
    if (sink->write == taco__sink_file_write || sink->write == taco__sink_append_write) {
        return taco__plat_cause(taco__plat_reason());
    }
#else
    (void)sink;
#endif
    return "";
}

static TACO__COLD void taco__output_write_error(const taco__output *o, uint64_t at, size_t len,
                                                taco_error *err)
{
    taco_bytes name = taco__sink_name(&o->sink);
    if (name.len) {
        TACO__FAIL(err, TACO_ERR_IO, at, "writing %u bytes to %q failed%s", TACO__U(len), &name,
                   taco__sink_cause(&o->sink));
    } else {
        TACO__FAIL(err, TACO_ERR_IO, at, "writing %u bytes failed", TACO__U(len));
    }
}

/* Number of bytes written so far. */
TACO__FN uint64_t taco__output_position(const taco__output *o)
{
    return o->at + o->used;
}

TACO__FN bool taco__output_write_at(const taco__output *o, uint64_t at, const void *data,
                                    size_t len, taco_error *err)
{
    if (o->sink.write(o->sink.ctx, at, data, len)) { return true; }
    taco__output_write_error(o, at, len, err);
    return false;
}

TACO__FN bool taco__output_flush(taco__output *o, taco_error *err)
{
    if (o->used && !taco__output_write_at(o, o->at, o->data, o->used, err)) { return false; }
    o->at += o->used;
    o->used = 0;
    return true;
}

/* Room for len bytes in one piece, at most TACO__OUTPUT_BYTES, which the caller fills before the
   next call. NULL on failure. */
TACO__FN uint8_t *taco__output_reserve(taco__output *o, size_t len, taco_error *err)
{
    if (len > TACO__OUTPUT_BYTES - o->used && !taco__output_flush(o, err)) { return NULL; }
    o->used += len;
    return o->data + o->used - len;
}

TACO__FN bool taco__output_write(taco__output *o, const void *data, size_t len, taco_error *err)
{
    const uint8_t *p = (const uint8_t *)data;
    while (len) {
        size_t n = TACO__MIN(len, (size_t)TACO__OUTPUT_BYTES);
        uint8_t *room = taco__output_reserve(o, n, err);
        if (!room) { return false; }
        memcpy(room, p, n);
        p += n;
        len -= n;
    }
    return true;
}

/* Flushes what was written before, so that the next write begins after the gap. */
TACO__FN bool taco__output_skip(taco__output *o, uint64_t len, taco_error *err)
{
    if (!taco__output_flush(o, err)) { return false; }
    if (!taco__checked_add64(o->at, len, &o->at)) {
        TACO__FAIL(err, TACO_ERR_LIMIT, o->at, "%u more bytes, a file has less than 2^64", len);
        return false;
    }
    return true;
}

/* Replaces bytes written before, either all or none of which are still in the buffer. If the sink
   allows that only at the end (o->anywhere is false), the next call must be taco__output_close. */
TACO__FN bool taco__output_patch(taco__output *o, uint64_t at, const void *data, size_t len,
                                 taco_error *err)
{
    if (at >= o->at) {
        memcpy(o->data + (size_t)(at - o->at), data, len);
        return true;
    }
    return taco__output_write_at(o, at, data, len, err);
}

/* keep: the rest is written and the output becomes permanent, or this fails. Otherwise, and after a
   failure, nothing remains of the output. */
TACO__FN bool taco__output_close(taco__output *o, bool keep, taco_error *err)
{
    bool ok = !keep || taco__output_flush(o, err);
    if (o->sink.close && !o->sink.close(o->sink.ctx, keep && ok) && keep && ok) {
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET,
                   "the output cannot be completed: flushing or renaming it failed%s",
                   taco__sink_cause(&o->sink));
        ok = false;
    }
    taco__mem_free(o->mem, o->data, TACO__OUTPUT_BYTES);
    memset(o, 0, sizeof *o);
    return ok;
}
