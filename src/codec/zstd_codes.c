/* zstd_codes.c - what the codes of ZSTD sequences stand for, and their predefined tables

   A sequence is three numbers: how many literals to copy, how far back a match begins, how long the
   match is. Each is written as a code from a finite state table, and further bits that are added to
   the code's base (RFC 8878 §3.1.1.3.2.1.1). This file has what decoder and encoder must agree on:
   how many codes there are, their bases and bits, and the tables that a block need not describe. */
#include "zstd.h"

/* How many bits follow a code. */
static const uint8_t taco__zstd_codes_ll_extra[36] = {0, 0, 0, 0, 0, 0,  0,  0,  0,  0,  0,  0,
                                                      0, 0, 0, 0, 1, 1,  1,  1,  2,  2,  3,  3,
                                                      4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

static const uint8_t taco__zstd_codes_ml_extra[53] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  0,  0,  0,  0, 0,
    0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

/* The counts of mode Predefined, §3.1.1.3.2.2 */
static const int8_t taco__zstd_codes_ll_counts[36] = {4, 3, 2, 2, 2, 2, 2, 2, 2,  2,  2,  2,
                                                      2, 1, 1, 1, 2, 2, 2, 2, 2,  2,  2,  2,
                                                      2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1};

static const int8_t taco__zstd_codes_ml_counts[53] = {
    1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,  1,  1,  1,  1,  1,  1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1};

static const int8_t taco__zstd_codes_of_counts[29] = {
    1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1};

/* Offsets of 32 bits and more are not supported: no supported window reaches that far. */
TACO__FN const taco__zstd_codes *taco__zstd_codes_of(unsigned field)
{
    static const taco__zstd_codes all[3] = {
        {"literal length", 36, 9, taco__zstd_codes_ll_counts, 36, 6},
        {"offset", 32, 8, taco__zstd_codes_of_counts, 29, 5},
        {"match length", 53, 9, taco__zstd_codes_ml_counts, 53, 6}};
    return &all[field];
}

/* Fills base and extra for every code of a field. Bases are not listed: each is the base of the
   previous code plus the number of its values. An offset's code is its number of extra bits, below
   a 1 bit. */
TACO__FN void taco__zstd_codes_values(unsigned field, uint32_t *base, uint8_t *extra)
{
    const uint8_t *bits =
        field == TACO__ZSTD_LL ? taco__zstd_codes_ll_extra : taco__zstd_codes_ml_extra;
    uint32_t next = field == TACO__ZSTD_LL ? 0 : 3; /* the shortest match is 3 */
    unsigned s, n = taco__zstd_codes_of(field)->count;
    for (s = 0; s < n; s++) {
        extra[s] = field == TACO__ZSTD_OF ? (uint8_t)s : bits[s];
        base[s] = field == TACO__ZSTD_OF ? 1U << s : next;
        next += 1U << extra[s];
    }
}

/* The counts of a field's predefined table. */
TACO__FN void taco__zstd_codes_predefined(unsigned field, taco__zstd_fse_counts *c)
{
    const taco__zstd_codes *codes = taco__zstd_codes_of(field);
    unsigned s;
    for (s = 0; s < codes->predefined_count; s++) {
        c->n[s] = codes->predefined[s];
    }
    c->symbols = codes->predefined_count;
    c->log = codes->predefined_log;
}
