/* platform.c - what the tool needs of the system beyond the C library: kinds of files, absolute
   paths, terminals. Where the system is not known, nothing is a directory or a terminal and
   paths stay as they are: the tool works, with poorer messages and without progress. */
#include "tool.h"

#include <stdlib.h>

#if defined(__unix__) || defined(__APPLE__) || defined(__wasi__)
#include <sys/stat.h>
#include <unistd.h>

/* Links are followed: the kind is that of what they lead to. */
path_kind kind_of_path(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0) { return PATH_MISSING; }
    return S_ISREG(st.st_mode) ? PATH_FILE : S_ISDIR(st.st_mode) ? PATH_DIRECTORY : PATH_SPECIAL;
}
#elif defined(_WIN32)
#include <sys/types.h>
#include <sys/stat.h>

path_kind kind_of_path(const char *path)
{
    struct _stat64 st;
    if (_stat64(path, &st) != 0) { return PATH_MISSING; }
    return (st.st_mode & _S_IFMT) == _S_IFREG   ? PATH_FILE
           : (st.st_mode & _S_IFMT) == _S_IFDIR ? PATH_DIRECTORY
                                                : PATH_SPECIAL;
}
#else
path_kind kind_of_path(const char *path)
{
    (void)path;
    return PATH_MISSING;
}
#endif

const char *absolute_path(const char *path)
{
#if defined(__unix__) || defined(__APPLE__)
    /* realpath allocates it */
    char *full = path ? realpath(path, NULL) : NULL;
    return full ? full : path;
#else
    return path;
#endif
}

bool on_terminal(void)
{
#if defined(__unix__) || defined(__APPLE__)
    return isatty(2) != 0;
#else
    return false;
#endif
}
