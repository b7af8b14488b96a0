/* file_copy.h - copying bytes from files, sources and memory, and making directories from them

   For the writers of archives and folders: an input is a file, a range of a source or bytes in
   memory, read by taco__input_read; the functions of directories make the folders of a dataset. All
   of it is in file_copy.c. */
#ifndef TACO__BASE_FILE_COPY_H
#define TACO__BASE_FILE_COPY_H

#include "temporary.h"

typedef struct taco__input {
    taco_source source;
    uint64_t offset, size; /* range of the source */
    bool own;              /* taco__input_close closes the source */
    /* The bytes may be read until the output is finished: the source stays open, and nobody changes
       it. */
    bool later;
    /* which of several files the range is in, from 1, for callers that compare ranges; 0:
       unknown */
    uint64_t archive;
    /* The CRC-32 that the bytes must have, if that is known. */
    bool has_crc;
    uint32_t crc;
} taco__input;

TACO__FN void taco__input_from_bytes(taco__input *in, taco_bytes b);
TACO__FN void taco__input_from_range(taco__input *in, const taco_source *src, uint64_t offset,
                                     uint64_t size);
#ifndef TACO_NO_STDIO
TACO__FN bool taco__input_open_file(taco__input *in, const char *path, taco_error *err);
#endif
/* The same without a reason for failures; *in borrows page, which holds the bytes of a small
   file. */
TACO__FN bool taco__input_open_paged(taco__input *in, const char *path,
                                     uint8_t page[TACO__PLAT_PAGE]);
/* Many small files in one directory: opened by name only, read with one call, closed together. */
TACO__FN bool taco__dir_open(taco__plat_dir *dir, const char *path);
TACO__FN void taco__dir_close(taco__plat_dir *dir);
TACO__FN bool taco__input_open_listed(taco__input *in, taco__plat_dir *dir, const char *name,
                                      uint8_t page[TACO__PLAT_PAGE]);
/* The same directory for a task: files that it opens are read, and closed by _end_task. */
TACO__FN void taco__dir_begin_task(taco__plat_dir *own, const taco__plat_dir *dir);
TACO__FN void taco__dir_end_task(taco__plat_dir *own);
/* Whether tasks may call taco__input_read concurrently. */
TACO__FN bool taco__input_tasks_may_read(const taco__input *in);
TACO__FN void taco__input_close(taco__input *in);
TACO__FN bool taco__input_read(const taco__input *in, uint64_t at, void *dst, size_t len,
                               taco_error *err);

#if TACO__DIRS
/* Writes a new file of these bytes; buffer has TACO__OUTPUT_BYTES. If they must have a CRC-32, that
   of the bytes written is returned in *crc; NULL: it is not compared. */
TACO__FN bool taco__dir_write_file(const char *path, const taco__input *in, uint8_t *buffer,
                                   uint32_t *crc, taco_error *err);
TACO__FN bool taco__dir_make(const char *path, taco_error *err);
TACO__FN bool taco__dir_make_new(const char *path, taco_error *err);
TACO__FN bool taco__dir_sync(const char *file);
TACO__FN bool taco__dir_commit(taco__temporary *from, const char *to, const char *file,
                               taco_error *err);
#endif

#endif /* TACO__BASE_FILE_COPY_H */
