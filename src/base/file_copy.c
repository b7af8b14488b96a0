/* file_copy.c - inputs of a copy, and making and filling directories

   An input hides whether bytes come from a file, from a range of an archive or from memory. Files
   are copied inside the kernel if possible, else through a buffer of TACO__OUTPUT_BYTES. A
   directory of a dataset is created with a temporary name (temporary.h) and renamed by
   taco__dir_commit when everything in it is on the disk. On systems without directories (TACO__DIRS
   is 0) there are only inputs. Start with taco__dir_write_file. */
#include "file_copy.h"
#include "base.h"
#include "sink.h"

/* ---- inputs ---- */

/* b is borrowed until the input is closed. */
TACO__FN void taco__input_from_bytes(taco__input *in, taco_bytes b)
{
    memset(in, 0, sizeof *in);
    taco_source_memory(&in->source, b.data, b.len);
    in->size = b.len;
}

/* A range that lies inside the source; the caller keeps the source. */
TACO__FN void taco__input_from_range(taco__input *in, const taco_source *src, uint64_t offset,
                                     uint64_t size)
{
    memset(in, 0, sizeof *in);
    in->source = *src;
    in->offset = offset;
    in->size = size;
}

#ifndef TACO_NO_STDIO
TACO__FN bool taco__input_open_file(taco__input *in, const char *path, taco_error *err)
{
    memset(in, 0, sizeof *in);
    in->own = taco_source_file(&in->source, path, err) == TACO_OK;
    in->size = in->source.size;
    return in->own;
}
#endif

TACO__FN bool taco__input_open_paged(taco__input *in, const char *path,
                                     uint8_t page[TACO__PLAT_PAGE])
{
#ifndef TACO_NO_STDIO
    taco_error why = {0, TACO_OK, 0, {0}};
    size_t size;
    bool ok = taco__input_open_file(in, path, &why);
    if (!ok || in->size > TACO__PLAT_PAGE) { return ok; }
    size = (size_t)in->size;
    ok = taco__input_read(in, 0, page, size, &why);
    taco__input_close(in);
    taco__input_from_bytes(in, taco__bytes_of(page, size));
    return ok;
#else
    (void)in;
    (void)path;
    (void)page;
    return false;
#endif
}

/* A directory whose files will be read; false if the system has nothing faster for that than
   opening their paths. */
TACO__FN bool taco__dir_open(taco__plat_dir *dir, const char *path)
{
    memset(dir, 0, sizeof *dir);
#ifdef TACO__OPEN_AT
    dir->fd = open(path, O_RDONLY | O_NONBLOCK);
    return dir->fd >= 0;
#else
    (void)path;
    return false;
#endif
}

TACO__FN void taco__dir_close(taco__plat_dir *dir)
{
#ifdef TACO__OPEN_AT
    taco__plat_close_deferred(dir);
    close(dir->fd);
#else
    (void)dir;
#endif
}

/* A regular file listed in such a directory. False without an error: opening its path then reports
   what is wrong. *in borrows page, which holds the bytes of a small file. */
TACO__FN bool taco__input_open_listed(taco__input *in, taco__plat_dir *dir, const char *name,
                                      uint8_t page[TACO__PLAT_PAGE])
{
#ifdef TACO__OPEN_AT
    taco__plat_file file;
    uint64_t size;
    bool whole;
    memset(in, 0, sizeof *in);
    if (!taco__plat_open_at(dir, name, &file, &size, page, &whole)) { return false; }
    if (whole) {
        taco__input_from_bytes(in, taco__bytes_of(page, (size_t)size));
    } else {
        taco__source_file_init(&in->source, file, size);
        in->size = size;
        in->own = true;
    }
    return true;
#else
    (void)in;
    (void)dir;
    (void)name;
    (void)page;
    return false;
#endif
}

TACO__FN void taco__dir_begin_task(taco__plat_dir *own, const taco__plat_dir *dir)
{
    memset(own, 0, sizeof *own);
    own->fd = dir->fd;
}

TACO__FN void taco__dir_end_task(taco__plat_dir *own)
{
#ifdef TACO__OPEN_AT
    taco__plat_close_deferred(own);
#else
    (void)own;
#endif
}

TACO__FN bool taco__input_tasks_may_read(const taco__input *in)
{
#ifdef TACO_NO_STDIO
    return in->size == 0;
#else
    return in->size == 0 || (TACO__PREAD && in->source.read == taco__source_file_read);
#endif
}

TACO__FN void taco__input_close(taco__input *in)
{
    if (in->own && in->source.close) { in->source.close(in->source.ctx); }
    memset(in, 0, sizeof *in);
}

/* Reads bytes [at, at + len), which lie inside the input. */
TACO__FN bool taco__input_read(const taco__input *in, uint64_t at, void *dst, size_t len,
                               taco_error *err)
{
    bool ok = len == 0 || in->source.read(in->source.ctx, in->offset + at, dst, len);
    if (!ok) {
        TACO__FAIL(err, TACO_ERR_IO, in->offset + at, "reading %u bytes failed", TACO__U(len));
    }
    return ok;
}

/* ---- files and directories of a FOLDER being made ---- */

#if TACO__DIRS
/* Copies inside the kernel as far as possible; returns how many bytes from the start. */
static uint64_t taco__dir_copy_range(FILE *f, const taco__input *in)
{
    uint64_t at = 0;
    while (in->source.read == taco__source_file_read && at < in->size) {
        size_t n = taco__plat_copy_range(TACO__FILE_FROM_CTX(in->source.ctx), in->offset + at, f,
                                         at, (size_t)TACO__MIN(in->size - at, (uint64_t)1 << 30));
        if (n == 0) { break; }
        at += n;
    }
    return at;
}

TACO__FN bool taco__dir_write_file(const char *path, const taco__input *in, uint8_t *buffer,
                                   uint32_t *crc, taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    taco__plat_id id;
    uint64_t at;
    bool ok, taken = false, sums = crc && in->has_crc;
    FILE *f = taco__plat_create_file(path, &id, &taken);
    if (taken) {
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "cannot be written: %q, which already exists",
                   &name);
    }
    if (!f) {
        taco__sink_open_error(path, err);
        return false;
    }
    setvbuf(f, NULL, _IONBF, 0);
    /* the kernel copies without a sum */
    at = sums ? 0 : taco__dir_copy_range(f, in);
    if (sums) { *crc = 0; }
    /* the rest goes through the buffer; the file's own position may not have moved */
    ok = at == 0 || at == in->size || TACO__FSEEK(f, at, SEEK_SET) == 0;
    if (!ok) {
        TACO__FAIL(err, TACO_ERR_IO, at, "writing to %q failed%s", &name,
                   taco__plat_cause(taco__plat_reason()));
    }
    while (ok && at < in->size) {
        size_t n = (size_t)TACO__MIN(in->size - at, (uint64_t)TACO__OUTPUT_BYTES);
        ok = taco__input_read(in, at, buffer, n, err);
        if (ok && sums) { *crc = taco__crc32(*crc, buffer, n); }
        if (ok && fwrite(buffer, 1, n, f) != n) {
            TACO__FAIL(err, TACO_ERR_IO, at, "writing %u bytes to %q failed%s", TACO__U(n), &name,
                       taco__plat_cause(taco__plat_reason()));
            ok = false;
        }
        at += n;
    }
    if (fclose(f) != 0 && ok) {
        TACO__FAIL(err, TACO_ERR_IO, at, "writing to %q failed%s", &name,
                   taco__plat_cause(taco__plat_reason()));
        ok = false;
    }
    return ok;
}

/* Creates a directory that did not exist. */
TACO__FN bool taco__dir_make_new(const char *path, taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    int reason;
    if (TACO__MKDIR(path) == 0) { return true; }
    reason = taco__plat_reason();
    TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "the directory cannot be made: %q%s", &name,
               taco__plat_name_exists(path) ? ", which already exists" : taco__plat_cause(reason));
    return false;
}

/* Creates a directory, or accepts an existing one. */
TACO__FN bool taco__dir_make(const char *path, taco_error *err)
{
    uint64_t size;
    return TACO__MKDIR(path) == 0 || taco__plat_stat(path, &size) == TACO__PATH_DIRECTORY ||
           taco__dir_make_new(path, err);
}

/* True if everything written to the file system of `file` has reached the disk, as far as the
   system has a call for that. */
TACO__FN bool taco__dir_sync(const char *file)
{
    FILE *f = fopen(file, TACO__SYNC_MODE);
    bool ok = f && TACO__SYNC_ALL(f) == 0;
    if (f) { fclose(f); }
    return ok;
}

/* Makes sure that everything written to the file system of `file` reaches the disk, as far as the
   system has a call for that, and renames the directory to `to`, which must not exist, or be what
   it may replace: of two writers the second one fails here. */
TACO__FN bool taco__dir_commit(taco__temporary *from, const char *to, const char *file,
                               taco_error *err)
{
    taco_bytes name = taco__bytes_text(to);
    bool ok = taco__dir_sync(file), taken;
    taken = ok && !from->replaces && taco__plat_name_exists(to);
    if (!ok || taken || !taco__temporary_rename(from, to)) {
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "the directory cannot be completed: %q%s",
                   &name,
                   taken || (ok && taco__plat_name_exists(to))
                       ? ", which another writer has made in the meantime"
                       : "");
        return false;
    }
    return true;
}
#endif
