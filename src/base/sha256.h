/* sha256.h - what sha256.c offers */
#ifndef TACO__SHA256_H
#define TACO__SHA256_H

#include "base.h"

typedef struct taco__sha256 {
    uint32_t h[8];
    uint8_t block[64]; /* bytes of an incomplete block: total % 64 of them */
    uint64_t total;
} taco__sha256;

/* Begins the hash of an empty input; adds bytes; writes 64 digits and a zero byte. */
TACO__FN void taco__sha256_init(taco__sha256 *s);
TACO__FN void taco__sha256_update(taco__sha256 *s, const uint8_t *p, size_t len);
TACO__FN void taco__sha256_finish(taco__sha256 *s, char hex[65]);

#endif
