/* codecs.c - which decoders of the system the tool is linked with. */
#ifdef SYSTEM_BROTLI
#include <brotli/decode.h>
#endif
#include <stdio.h>

#include "tool.h"

void print_codecs(void)
{
#ifdef SYSTEM_BROTLI
    uint32_t v = BrotliDecoderVersion(); /* major, 12 bits of minor, 12 bits of patch */
    printf("brotli: libbrotlidec %u.%u.%u\n", (unsigned)(v >> 24), (unsigned)(v >> 12 & 0xFFF),
           (unsigned)(v & 0xFFF));
#else
    printf("brotli: none, its pages are refused\n");
#endif
}
