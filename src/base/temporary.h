/* temporary.h - unique temporary names for files and directories until they are complete

   Every writer creates its file or directory next to the output, with a name that did not exist,
   and renames it to the output's name when it is complete: the last one to do so has written the
   output, and nobody ever sees a partial one. The name is NAME.0123456789abcdef.part, NAME being
   the output's (its first 200 bytes) and the digits 64 bits that differ from run to run. A killed
   run leaves its temporary file; no other run reads, uses or removes it, so it may be deleted by
   hand when no writer is running. */
#ifndef TACO__BASE_TEMPORARY_H
#define TACO__BASE_TEMPORARY_H

#include "platform_write.h"

/* A complete file that keeps its temporary name until others are complete, too. */
typedef struct taco__staged taco__staged;

#ifndef TACO_NO_STDIO
typedef struct taco__temporary {
    taco__mem *mem;
    char *name; /* NUL-terminated; NULL: there is none */
    size_t size;
    bool directory, renamed;
    /* what was at the path before may be replaced as a whole; it has the temporary name now */
    bool replaces, exchanged;
    taco__plat_id id;  /* identity of what was created */
    taco__plat_id old; /* of what it may replace */
    /* taco_options.temporary */
    void (*told)(void *ctx, const char *path, bool begun);
    void *told_ctx;
    void (*warn)(void *ctx, const taco_error *warning);
    void *warn_ctx;
} taco__temporary;

/* Creates a file, open in *f, or if f is NULL a directory. opt may be NULL. On failure there is
   nothing to remove. */
TACO__FN bool taco__temporary_make(taco__temporary *t, const char *path, FILE **f,
                                   const taco_options *opt, taco__mem *mem, taco_error *err);
/* Renames it to `path`, if the temporary name still has the same identity; the file must be closed.
   What taco_options.replace allowed to replace is exchanged with it, unless another writer has
   replaced that since, and is removed with the temporary. A file gets the permissions of the one
   that it replaces. On failure it remains to be removed. */
TACO__FN bool taco__temporary_rename(taco__temporary *t, const char *path);
/* Undoes taco__temporary_rename to that path, unless something else has replaced it. */
TACO__FN void taco__temporary_undo(taco__temporary *t, const char *path);
/* Removes what was created, unless it was renamed, or what it replaced, and frees the name. Does
   nothing without one. */
TACO__FN void taco__temporary_remove(taco__temporary *t);
/* Removes a file or directory that already has its final name, unless something else has replaced
   it. */
TACO__FN void taco__temporary_remove_made(const char *path, const taco__plat_id *id);

struct taco__staged {
    taco__temporary temporary; /* name NULL: there is none */
    const char *path;          /* its own name, which lives as long */
    taco__mem *mem;            /* of a directory's temporary name; lives as long */
    bool replaces;             /* something had that name before */
};

/* Hands over a complete directory, whose writer's memory ends before. */
TACO__FN bool taco__temporary_stage(taco__temporary *t, taco__staged *to, taco_error *err);
/* Renames n files to their own names. If one cannot be renamed, those before it that replaced
   nothing get their temporary names back. */
TACO__FN bool taco__staged_rename(taco__staged *list, size_t n, taco_error *err);
/* Removes those that were not renamed, and frees the names. */
TACO__FN void taco__staged_free(taco__staged *list, size_t n);
#endif

/* True if nothing has that name, or taco_options.replace allows to replace what has it. opt may be
   NULL. */
TACO__FN bool taco__temporary_is_free(const char *path, const taco_options *opt);

/* Warns if `next` exists, the name of part n of a dataset or file (`what`) with n parts: it stays,
   since nobody asked to remove it, and would be read together with the new ones by its name. */
TACO__FN void taco__staged_warn_of_more(const taco_options *opt, const char *next, const char *what,
                                        size_t n);

#endif /* TACO__BASE_TEMPORARY_H */
