/* temporary.h - names that only this run uses, until what they stand for is complete

   Every writer makes its file or directory beside the output, under a name that did not exist, and
   gives it the output's name when it is complete: whoever does so last has written the output, and
   nobody ever sees a part of it. The name is NAME.0123456789abcdef.part, NAME being the output's
   (its first 200 bytes) and the digits 64 bits that differ from run to run. A run that is killed
   leaves it behind; no other run reads, uses or removes it, so that it may be deleted by hand when
   no writer is at work. */
#ifndef TACO__BASE_TEMPORARY_H
#define TACO__BASE_TEMPORARY_H

#include "platform_write.h"

#ifndef TACO_NO_STDIO
typedef struct taco__temporary {
    taco__mem *mem;
    char *name; /* NUL-terminated; NULL: there is none */
    size_t size;
    bool directory, renamed;
    taco__plat_id id; /* of what was made */
    /* taco_options.temporary */
    void (*told)(void *ctx, const char *path, bool begun);
    void *told_ctx;
} taco__temporary;

/* Makes a file, open in *f, or without f a directory. opt may be NULL. On failure there is nothing
   to remove. */
TACO__FN bool taco__temporary_make(taco__temporary *t, const char *path, FILE **f,
                                   const taco_options *opt, taco__mem *mem, taco_error *err);
/* Gives it the name `path`, if the temporary name still stands for what was made; the file is
   closed by then. False leaves it to be removed. */
TACO__FN bool taco__temporary_rename(taco__temporary *t, const char *path);
/* Takes taco__temporary_rename to that path back, unless something else has come there. */
TACO__FN void taco__temporary_undo(taco__temporary *t, const char *path);
/* Removes what was made, unless it was renamed, and frees the name. Does nothing without one. */
TACO__FN void taco__temporary_remove(taco__temporary *t);
/* Removes a file or directory that has its final name, unless something else has it by now. */
TACO__FN void taco__temporary_remove_made(const char *path, const taco__plat_id *id);
#endif

#endif /* TACO__BASE_TEMPORARY_H */
