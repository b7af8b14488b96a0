/* platform_write.h - exclusive creation, locks, renaming and removing, on every system

   What writers need from the operating system so that several of them, and anyone else who may
   write to a directory, do not harm each other. A file or directory is created exclusively: it is
   new, and the name is not a link. From then on it is known by its identity (volume and number of
   the file), which is compared before it is renamed or removed. Nothing here follows a symbolic
   link. Without a file system none of this exists; on unknown systems names are created with ISO C,
   all identities are equal and nothing can be locked. */
#ifndef TACO__BASE_PLATFORM_WRITE_H
#define TACO__BASE_PLATFORM_WRITE_H

#include "base.h"

#ifndef TACO_NO_STDIO
/* The identity of a file: equal for two names of one file. Not reused while a handle on the file is
   open. */
typedef struct taco__plat_id {
    uint64_t volume, file;
} taco__plat_id;

typedef enum taco__plat_lock_state {
    TACO__LOCK_HELD,  /* held by us, until the file is closed */
    TACO__LOCK_TAKEN, /* held by another handle, of this or another process */
    TACO__LOCK_NONE   /* the file system has no locks */
} taco__plat_lock_state;

/* Creates a file for writing and reading. NULL on failure; *taken: something already has the name,
   possibly a dangling link. */
TACO__FN FILE *taco__plat_create_file(const char *path, taco__plat_id *id, bool *taken);
/* Creates an empty directory; false as above. */
TACO__FN bool taco__plat_create_dir(const char *path, taco__plat_id *id, bool *taken);
/* An existing regular file, for reading and writing; links are followed, since the user gave the
   name. NULL on failure. */
TACO__FN FILE *taco__plat_open_update(const char *path, taco__plat_id *id);
/* Takes the exclusive lock of an open file, without waiting. Readers are not locked out. */
TACO__FN taco__plat_lock_state taco__plat_lock(FILE *f);
/* True if the path leads to that file. follow: also through a link at its end. */
TACO__FN bool taco__plat_is_same(const char *path, const taco__plat_id *id, bool follow);
/* Identity of what a path leads to, following links; false if it leads nowhere. */
TACO__FN bool taco__plat_identify(const char *path, taco__plat_id *id);
/* Renames `from` to `to` in one step: a file replaces an existing one, a directory must not exist.
   On Windows it takes two steps if someone reads the existing file: for a moment nothing has the
   name, and a crash then leaves the old file as FROM.old. */
TACO__FN bool taco__plat_rename(const char *from, const char *to, bool directory);
/* Exchanges what two names in one directory lead to, files or directories, in one step if the
   system has one. Elsewhere it takes three renames, between which nothing has the name `b` for a
   moment. On failure both are what they were. */
TACO__FN bool taco__plat_exchange(const char *a, const char *b);
/* Gives the permissions of the file or directory `from`, if there is one, to `to`, as far as the
   system has such. */
TACO__FN void taco__plat_keep_mode(const char *from, const char *to);
/* Makes sure that the name of a file, new or changed, is on the disk, as far as the system has a
   call for that: fsync of its directory. */
TACO__FN void taco__plat_sync_name(const char *path);
/* Removes a directory and everything in it, if it still has the identity `id`: links in it are
   removed, their targets stay. False if something is left. */
TACO__FN bool taco__plat_remove_tree(const char *path, const taco__plat_id *id);
/* A number that differs between processes, threads and calls. */
TACO__FN uint64_t taco__plat_seed(void);
#endif
/* True if anything has that name, even a dangling link. */
TACO__FN bool taco__plat_name_exists(const char *path);

#endif /* TACO__BASE_PLATFORM_WRITE_H */
