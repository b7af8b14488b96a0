/* Data for the tests of encoders; the same on every machine. */
#ifndef TACO_ENCODE_H
#define TACO_ENCODE_H

#include <stddef.h>
#include <stdint.h>

#define ENCODE_KINDS 9

/* Fills n bytes: 0 noise, 1 skewed letters, 2 one byte, 3 a short period, 4 words, 5 a long period
   with flaws, 6 growing numbers of 8 bytes, 7 noise and runs in turn, 8 noise of 1 to 7 bits. */
static void encode_fill(uint8_t *to, size_t n, unsigned kind, uint32_t seed)
{
    static const char *const word[8] = {"alpha ", "beta ", "gamma_", "delta;",
                                        "eps\n",  "zeta-", "eta,",   "theta "};
    const char *w = "";
    size_t i;
    const size_t period = kind == 3 ? 1 + seed % 40 : 900 + seed % 70000;
    uint32_t state = seed * 2654435761U + 1, a;
    for (i = 0; i < n; i++) {
        state = state * 1664525U + 1013904223U;
        a = state >> 16;
        switch (kind) {
        case 0: to[i] = (uint8_t)(a >> 3); break;
        case 1: to[i] = (uint8_t)('0' + (a & a >> 4 & a >> 8 & 63)); break;
        case 2: to[i] = (uint8_t)seed; break;
        case 3: to[i] = i < period ? (uint8_t)a : to[i - period]; break;
        case 4:
            if (*w == 0) { w = word[a % 8 & (a >> 3 | 3)]; }
            to[i] = (uint8_t)(a % 61 == 0 ? 'A' + a % 26 : (unsigned char)*w++);
            break;
        case 5: to[i] = i < period || a % 200 == 0 ? (uint8_t)a : to[i - period]; break;
        case 6: to[i] = (uint8_t)((uint64_t)(i / 8 * 37 + 100000) >> (8 * (i & 7))); break;
        case 8: to[i] = (uint8_t)(a >> 3 & ((2U << seed % 7) - 1)); break;
        default: to[i] = (uint8_t)(i / (1 + seed % 3000) % 2 ? seed : a); break;
        }
    }
}

#endif
