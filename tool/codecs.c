/* codecs.c - the codecs that the tool writes, and the system libraries that it uses. */
#ifdef SYSTEM_BROTLI
#include <brotli/decode.h>
#endif
#include <stdio.h>

#include "tool.h"

#ifdef WITH_CURL
#include "remote.h"
#endif

const codec_name codec_names[] = {{"none", 0},  {"snappy", 0}, {"gzip", 9},
                                  {"zstd", 22}, {"lz4", 0},    {NULL, 0}};

#ifdef WITH_CURL
static void print_curl(void)
{
    const char *version = remote_version();
    if (version) {
        printf("curl: libcurl %s, for https:// and s3://\n", version);
    } else {
        printf("curl: libcurl is not installed, no remote files until it is\n");
    }
}
#endif

void print_codecs(void)
{
#ifdef SYSTEM_BROTLI
    uint32_t v = BrotliDecoderVersion(); /* major, 12 bits of minor, 12 bits of patch */
    printf("brotli: libbrotlidec %u.%u.%u\n", (unsigned)(v >> 24), (unsigned)(v >> 12 & 0xFFF),
           (unsigned)(v & 0xFFF));
#else
    printf("brotli: none, its pages are refused\n");
#endif
#ifdef WITH_CURL
    print_curl();
#else
    printf("curl: none, no remote files\n");
#endif
}
