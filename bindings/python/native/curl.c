/* curl.c - the tool's opener for remote files, if libcurl was found */
#ifdef WITH_CURL
#include "remote.c"
#else
/* a translation unit must not be empty */
typedef int no_remote_files;
#endif
