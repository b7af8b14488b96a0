/* For targets whose input is several files: the stored members of an archive, below a directory of
   the one in operations.h. The archive is split into files here, so that only the contents of files
   are damaged. */
#ifndef FUZZ_MEMBERS_H
#define FUZZ_MEMBERS_H
#include "operations.h"
#include "mutator.h"

#define MEMBERS_PATHS 8
static char members_paths[MEMBERS_PATHS][256];

/* Makes the directories of a path below the one of this process. */
static bool members_directories(char *path)
{
    char *p;
    for (p = path + strlen(fuzz_home) + 1; (p = strchr(p, '/')) != NULL; *p++ = '/') {
        *p = 0;
        if (mkdir(path, 0700) != 0 && !fuzz_is_there(path)) { return false; }
    }
    return true;
}

/* A name that stays below the directory. */
static bool members_is_safe(const char *name, size_t n)
{
    size_t i;
    if (n == 0 || n > 150 || name[0] == '/' || memchr(name, 0, n)) { return false; }
    for (i = 0; i + 1 < n; i++) {
        if (name[i] == '.' && name[i + 1] == '.') { return false; }
    }
    return true;
}

/* Unpacks files that are stored, one local header after the other, in the order of an archive.
   Returns their number; members_paths are those of the first ones. */
static unsigned members_unpack(const uint8_t *data, size_t size, const char *below)
{
    size_t at = 0;
    unsigned files = 0;
    while (files < 60 && size - at > 30 && memcmp(data + at, "PK\3\4", 4) == 0) {
        size_t name = (size_t)mutator_number(data + at + 26, 2), from, n;
        char path[256];
        n = (size_t)mutator_number(data + at + 18, 4);
        from = at + 30 + name + (size_t)mutator_number(data + at + 28, 2);
        if (from > size || n > size - from) { break; }
        if (members_is_safe((const char *)data + at + 30, name)) {
            snprintf(path, sizeof path, "%s/%s/%.*s", fuzz_home, below, (int)name,
                     (const char *)data + at + 30);
            if (members_directories(path)) {
                FILE *f = fopen(path, "wb");
                if (f) {
                    HOLDS(fwrite(data + from, 1, n, f) == n && fclose(f) == 0);
                    if (files < MEMBERS_PATHS) { strcpy(members_paths[files], path); }
                    files++;
                }
            }
        }
        at = from + n;
    }
    return files;
}
#endif
