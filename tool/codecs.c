/* codecs.c - which libraries of the system the tool is linked with. */
#ifdef SYSTEM_BROTLI
#include <brotli/decode.h>
#endif
#include <stdio.h>

#include "tool.h"

#ifdef WITH_CURL
#include "remote.h"
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
    printf("curl: libcurl %s, for https:// and s3://\n", remote_version());
#else
    printf("curl: none, no remote files\n");
#endif
}
