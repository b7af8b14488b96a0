/* wkb_point.c - points: WKB of two numbers, and the text "POINT (x y)" of older formats

   TACO stores centroids as WKB; Tortilla and TACO 0.x have them as well-known text. Only a point's
   two numbers are read from that text, because nothing else was ever written (OGC 06-103r4 7.2,
   8.2). */
#include "geo.h"
#include "../base/base.h"

/* Byte order 1 (little-endian), type 1 (Point), x, y. */
TACO__FN void taco__wkb_point_write(uint8_t out[TACO__WKB_POINT_BYTES], double x, double y)
{
    out[0] = 1;
    taco__put_le32(out + 1, TACO__WKB_POINT);
    taco__put_le64(out + 5, taco__f64_to_bits(x));
    taco__put_le64(out + 13, taco__f64_to_bits(y));
}

TACO__FN bool taco__wkb_point_from_text(taco_bytes text, double xy[2])
{
    const uint8_t *p = text.len ? (const uint8_t *)memchr(text.data, '(', text.len) : NULL;
    const uint8_t *end = text.data + text.len, *from;
    size_t i;
    if (!p) { return false; }
    for (p++, i = 0; i < 2; i++) {
        while (p < end && *p == ' ') {
            p++;
        }
        from = p;
        while (p < end && *p != ' ' && *p != ')') {
            p++;
        }
        if (!taco__num_parse_f64(taco__bytes_of(from, (size_t)(p - from)), &xy[i])) {
            return false;
        }
    }
    return true;
}
