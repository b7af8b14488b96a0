/* platform_write.h - names that are made once, locks, renaming and removing, on every system

   What writers need of the operating system so that several of them, and whoever else may write to
   a directory, do not harm each other. A file or directory is made exclusively: it is new, and the
   name is no link. From then on it is known by its identity (volume and number of the file), which
   is compared before it is renamed or removed. Nothing here follows a symbolic link. A host
   without a file system has none of it; where the system is unknown names are made as ISO C can,
   all identities are equal and nothing can be locked. */
#ifndef TACO__BASE_PLATFORM_WRITE_H
#define TACO__BASE_PLATFORM_WRITE_H

#include "base.h"

#ifndef TACO_NO_STDIO
/* What a name stands for: equal for two names of one file. Never reused while a handle on the
   file is open. */
typedef struct taco__plat_id {
    uint64_t volume, file;
} taco__plat_id;

typedef enum taco__plat_lock_state {
    TACO__LOCK_HELD,  /* ours, until the file is closed */
    TACO__LOCK_TAKEN, /* another handle, of this process or another, has it */
    TACO__LOCK_NONE   /* the file system has no locks */
} taco__plat_lock_state;

/* A new file that can be written and read. NULL on failure; *taken: because something has the name,
   a link that leads nowhere included. */
TACO__FN FILE *taco__plat_create_file(const char *path, taco__plat_id *id, bool *taken);
/* A new, empty directory; false as above. */
TACO__FN bool taco__plat_create_dir(const char *path, taco__plat_id *id, bool *taken);
/* A regular file that exists, for reading and writing; links are followed, as the user gave the
   name. NULL on failure. */
TACO__FN FILE *taco__plat_open_update(const char *path, taco__plat_id *id);
/* The exclusive lock of an open file, without waiting for it. Readers are not kept out. */
TACO__FN taco__plat_lock_state taco__plat_lock(FILE *f);
/* True when the path leads to that file. follow: also through a link at its end. */
TACO__FN bool taco__plat_is_same(const char *path, const taco__plat_id *id, bool follow);
/* Identity of what a path leads to through links; false where it leads nowhere. */
TACO__FN bool taco__plat_identify(const char *path, taco__plat_id *id);
/* `from` takes the name `to` in one step: a file in the place of the file that is there, or, a
   directory, where nothing is. On Windows two steps where somebody reads the file that is there:
   for a moment nothing has the name, and a crash then leaves the old file as FROM.old. */
TACO__FN bool taco__plat_rename(const char *from, const char *to, bool directory);
/* Removes a directory and all in it, if the name stands for `id`: links in it are removed, what
   they lead to stays. False when something is left. */
TACO__FN bool taco__plat_remove_tree(const char *path, const taco__plat_id *id);
/* A number that differs between processes, threads and calls. */
TACO__FN uint64_t taco__plat_seed(void);
#endif
/* True when anything has that name, also a link that leads nowhere. */
TACO__FN bool taco__plat_name_exists(const char *path);

#endif /* TACO__BASE_PLATFORM_WRITE_H */
