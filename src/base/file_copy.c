/* file_copy.c - inputs of a copy, and making, filling and removing directories

   An input hides whether bytes come from a file, from a range of an archive or from memory. Files
   are copied inside the kernel where it can do that, else through a buffer of TACO__OUTPUT_BYTES. A
   directory of a dataset is made under a temporary name and renamed by taco__dir_rename when all in
   it is on the disk. Where the system's directories are unknown (TACO__DIRS is 0) only the inputs
   are here. Start with taco__dir_write_file. */
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

/* A range that lies inside the source, which stays the caller's. */
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

/* A directory whose files are about to be read; false where the system has nothing quicker for that
   than their paths. */
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

/* A regular file that such a directory lists. False without an error: opening its path then says
   what is wrong. *in borrows page, where the bytes of a small file are. */
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
/* Copies what the kernel copies by itself; returns how many bytes from the start that was. */
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

/* Writes a file of these bytes under its final name; buffer has TACO__OUTPUT_BYTES. */
TACO__FN bool taco__dir_write_file(const char *path, const taco__input *in, uint8_t *buffer,
                                   taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    uint64_t at;
    bool ok;
    FILE *f = fopen(path, "wb");
    if (!f) {
        taco__sink_open_error(path, err);
        return false;
    }
    setvbuf(f, NULL, _IONBF, 0);
    at = taco__dir_copy_range(f, in);
    /* the rest goes through the buffer; the file's own position may not have moved */
    ok = at == 0 || at == in->size || TACO__FSEEK(f, at, SEEK_SET) == 0;
    while (ok && at < in->size) {
        size_t n = (size_t)TACO__MIN(in->size - at, (uint64_t)TACO__OUTPUT_BYTES);
        ok = taco__input_read(in, at, buffer, n, err);
        if (ok && fwrite(buffer, 1, n, f) != n) {
            TACO__FAIL(err, TACO_ERR_IO, at, "writing %u bytes to %q failed", TACO__U(n), &name);
            ok = false;
        }
        at += n;
    }
    if (fclose(f) != 0 && ok) {
        TACO__FAIL(err, TACO_ERR_IO, at, "writing to %q failed", &name);
        ok = false;
    }
    return ok;
}

/* A directory that exists already is as good. */
TACO__FN bool taco__dir_make(const char *path, taco_error *err)
{
    taco_bytes name = taco__bytes_text(path);
    uint64_t size;
    if (TACO__MKDIR(path) != 0 && taco__plat_stat(path, &size) != TACO__PATH_DIRECTORY) {
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "the directory cannot be made: %q%s", &name,
                   taco__plat_stat(path, &size) == TACO__PATH_MISSING ? ""
                                                                      : ", a file stands there");
        return false;
    }
    return true;
}

#define TACO__DIR_MAX_DEPTH 64 /* directories inside directories: a loop ends here */

/* A directory that is being emptied, while taco__plat_list_dir calls taco__dir_remove_entry. */
typedef struct taco__dir_removal {
    taco__buf *path; /* of the directory, with its NUL; entries are appended and cut off again */
    unsigned depth;
} taco__dir_removal;

/* Removes a file, a link or an empty directory as it is; a directory that is not empty is emptied
   first. */

static bool taco__dir_remove_entry(void *ctx, const char *name, taco__path_kind kind)
{
    taco__dir_removal *t = (taco__dir_removal *)ctx, below;
    size_t len = t->path->len - 1; /* without the NUL */
    uint64_t size;
    const char *path;
    bool ok;
    (void)kind;
    t->path->len = len;
    if (!taco__buf_append_char(t->path, '/', NULL) ||
        !taco__buf_append(t->path, name, strlen(name) + 1, NULL)) {
        return false;
    }
    path = (const char *)t->path->data;
    ok = remove(path) == 0;
    if (!ok && t->depth < TACO__DIR_MAX_DEPTH &&
        taco__plat_stat(path, &size) == TACO__PATH_DIRECTORY) {
        below = *t;
        below.depth++;
        ok = taco__plat_list_dir(path, taco__dir_remove_entry, &below) &&
             TACO__RMDIR((const char *)t->path->data) == 0;
    }
    t->path->data[len] = 0;
    t->path->len = len + 1;
    return ok;
}

/* Removes a directory and everything in it; what links in it point to stays. */
TACO__FN bool taco__dir_remove_tree(const char *path, taco__mem *mem)
{
    taco__buf b;
    taco__dir_removal t;
    bool ok;
    memset(&b, 0, sizeof b);
    b.mem = mem;
    t.path = &b;
    t.depth = 0;
    ok = taco__buf_append(&b, path, strlen(path) + 1, NULL) &&
         taco__plat_list_dir(path, taco__dir_remove_entry, &t) && TACO__RMDIR(path) == 0;
    taco__buf_free(&b);
    return ok;
}

/* Everything written to the file system that `file` is on reaches the disk, as far as the system
   has a call for that, then the directory `from` is renamed to `to`. */
TACO__FN bool taco__dir_rename(const char *from, const char *to, const char *file, taco_error *err)
{
    taco_bytes name = taco__bytes_text(to);
    FILE *f = fopen(file, "rb");
    bool ok = f && TACO__SYNC_ALL(f) == 0;
    if (f) { fclose(f); }
    if (!ok || rename(from, to) != 0) {
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "the directory cannot be completed: %q",
                   &name);
        return false;
    }
    return true;
}
#endif
