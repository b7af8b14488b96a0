/* curl.c - the tool's opener for remote files, where libcurl was found. */
#ifdef WITH_CURL
#include "remote.c"
#else
/* a translation unit has a declaration */
typedef int no_remote_files;
#endif
