/* vector_hash.h - hashes of values: GROUP BY, DISTINCT, joins

   Tables over values of a file, which may be chosen to collide, put no key further than
   TACO__VEC_HASH_PROBES slots from the first that is searched. If one would be, all keys are hashed
   again with the next seed; after TACO__VEC_HASH_SEEDS the table fails. Seeds begin with 0, and the
   order of results does not depend on them. With half of the slots empty, the longest run of used
   ones is about 5.2 ln n, 115 for 2^32 keys. */
#ifndef TACO__SQL_VECTOR_HASH_H
#define TACO__SQL_VECTOR_HASH_H

#include "sql.h"

#define TACO__VEC_HASH_PROBES ((size_t)256)
#define TACO__VEC_HASH_SEEDS  3 /* after the first */

/* Mixes the hash of every row into out; called for each column of a key. */
TACO__FN void taco__vec_hash(const taco__vec *v, uint64_t seed, uint64_t *out);
/* What taco__vec_hash makes of row i, called for each of the columns. */
TACO__FN uint64_t taco__vec_hash_row(const taco__vec *v, size_t columns, size_t i, uint64_t seed);
/* LIMIT after the last one; keys: how many the table has. */
TACO__FN bool taco__vec_hash_next_seed(uint64_t *seed, size_t keys, taco_error *err);

TACO__INLINE uint64_t taco__vec_hash_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= UINT64_C(0xD6E8FEB86659FD93);
    x ^= x >> 32;
    x *= UINT64_C(0xD6E8FEB86659FD93);
    return x ^ x >> 32;
}

#endif
