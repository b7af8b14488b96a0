/* bit_writer.c - bits from the lowest up, and the lengths of Huffman codes, for the encoders

   taco__bit_writer is mostly inline, in encode.h. taco__huffman_lengths serves DEFLATE and ZSTD: it
   turns the frequency of each symbol into the length of its code, first from Huffman's tree and
   then limited to the longest that the format allows. Each format derives the codes from the
   lengths in its own way. */
#include "encode.h"

TACO__FN taco__bit_writer taco__bit_writer_init(uint8_t *at, uint8_t *stop)
{
    taco__bit_writer b;
    b.word = 0;
    b.count = 0;
    b.at = at;
    b.stop = stop;
    return b;
}

/* Ends a ZSTD stream with a bit 1, RFC 8878 §4.1; returns its end, NULL when it reached `stop`. */
TACO__FN uint8_t *taco__bit_writer_finish(taco__bit_writer *b)
{
    taco__bit_writer_put(b, 1, 1);
    taco__bit_writer_flush(b);
    if (b->at >= b->stop) { return NULL; }
    if (b->count) { *b->at++ = (uint8_t)b->word; }
    return b->at;
}

#define TACO__HUFFMAN_SYMBOLS 288 /* of the largest alphabet, that of DEFLATE */

/* Code lengths for the `used` >= 2 entries of `order`, ascending: the low 9 bits of an entry are a
   symbol, the others its frequency. The two smallest of the remaining trees are joined until one is
   left: leaves in order, and joined trees in order of creation, are two queues. */
static void taco__huffman_tree(const uint32_t *order, unsigned used, uint8_t *length)
{
    uint32_t weight[TACO__HUFFMAN_SYMBOLS];
    uint16_t parent[2 * TACO__HUFFMAN_SYMBOLS];
    uint8_t depth[TACO__HUFFMAN_SYMBOLS];
    unsigned leaf = 0, tree = 0, made, i, k;
    for (made = 0; made + 1 < used; made++) {
        weight[made] = 0;
        for (k = 0; k < 2; k++) {
            if (leaf < used && (tree == made || order[leaf] >> 9 <= weight[tree])) {
                weight[made] += order[leaf] >> 9;
                parent[leaf++] = (uint16_t)made;
            } else {
                weight[made] += weight[tree];
                parent[TACO__HUFFMAN_SYMBOLS + tree++] = (uint16_t)made;
            }
        }
    }
    depth[made - 1] = 0;
    for (i = made - 1; i > 0; i--) {
        depth[i - 1] = (uint8_t)(depth[parent[TACO__HUFFMAN_SYMBOLS + i - 1]] + 1);
    }
    for (i = 0; i < used; i++) {
        length[i] = (uint8_t)(depth[parent[i]] + 1);
    }
}

/* Limits lengths to `max` bits; `length` begins with the rarest symbol. A code of n bits takes 1 <<
   (max - n) of the space 1 << max. The excess is compensated by lengthening the longest codes below
   max by a bit, the rarest first; if that was more than needed, codes are shortened again, from the
   longest. The rest is always a multiple of what the longest codes take, so that nothing is left at
   the end. */
static void taco__huffman_limit(uint8_t *length, unsigned used, unsigned max)
{
    int32_t left = 1 << max;
    unsigned i, best;
    for (i = 0; i < used; i++) {
        length[i] = (uint8_t)TACO__MIN(length[i], max);
        left -= 1 << (max - length[i]);
    }
    while (left < 0) {
        for (best = used, i = 0; i < used; i++) {
            best = length[i] < max && (best == used || length[i] > length[best]) ? i : best;
        }
        left += 1 << (max - ++length[best]);
    }
    while (left > 0) {
        for (best = used, i = used; i-- > 0;) {
            if (1 << (max - length[i]) <= left && (best == used || length[i] > length[best])) {
                best = i;
            }
        }
        left -= 1 << (max - length[best]--);
    }
}

/* Lengths of codes, of 1 to `max` bits, for symbols that occur freq[symbol] times; 0 for those that
   do not. Frequencies are below 1 << 23. One symbol alone has 1 bit. */
TACO__FN void taco__huffman_lengths(uint8_t *length, const uint32_t *freq, unsigned symbols,
                                    unsigned max)
{
    uint32_t order[TACO__HUFFMAN_SYMBOLS];
    uint8_t by_order[TACO__HUFFMAN_SYMBOLS];
    unsigned used = 0, s, i, gap;
    for (s = 0; s < symbols; s++) {
        if (freq[s]) { order[used++] = freq[s] << 9 | s; }
        length[s] = 0;
    }
    for (gap = 121; gap; gap /= 3) { /* Shell's sort: 121, 40, 13, 4, 1 */
        for (i = gap; i < used; i++) {
            uint32_t x = order[i];
            for (s = i; s >= gap && order[s - gap] > x; s -= gap) {
                order[s] = order[s - gap];
            }
            order[s] = x;
        }
    }
    if (used == 1) { length[order[0] & 511] = 1; }
    if (used < 2) { return; }
    taco__huffman_tree(order, used, by_order);
    taco__huffman_limit(by_order, used, max);
    for (i = 0; i < used; i++) {
        length[order[i] & 511] = by_order[i];
    }
}
