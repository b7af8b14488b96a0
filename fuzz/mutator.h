/* A mutator for archives, Parquet files and old files: libFuzzer's own on one part at a time, inside
   its bounds, and what frames the parts mended, so that the damage gets past the outer checks.

   TACO_HEADER names the tables and COLLECTION.json: 4 bytes at 41 how many, then offset and size of
   each, 8 bytes little-endian; the entries of the directory are parts, too. The header of an old
   file names its footer and its collection. Of a table, a Parquet file, the footer or the pages are
   changed, its length fields stay; of the footer often a single varint, a Thrift number, by another
   of as many bytes. Then every entry's CRC-32 of the ZIP file is made right, in both of its
   headers. Bytes that are none of these go to libFuzzer's mutator as they are. */
#ifndef FUZZ_MUTATOR_H
#define FUZZ_MUTATOR_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C"
#endif
    size_t
    LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

static uint64_t mutator_number(const uint8_t *p, unsigned bytes)
{
    uint64_t x = 0;
    while (bytes--) {
        x = x << 8 | p[bytes];
    }
    return x;
}

static unsigned mutator_next(unsigned *seed)
{
    *seed = *seed * 1664525U + 1013904223U;
    return *seed >> 8;
}

/* Loops over all bytes of an input are not instrumented: they would take longer than the target. */
#if defined(__clang__)
#define MUTATOR_PLAIN __attribute__((no_sanitize("coverage", "address", "undefined")))
#else
#define MUTATOR_PLAIN
#endif

/* CRC-32 of ZIP. */
MUTATOR_PLAIN static uint32_t mutator_crc(const uint8_t *p, size_t n)
{
    static uint32_t table[256];
    uint32_t c, i;
    for (i = 0; !table[255] && i < 256; i++) {
        unsigned k;
        for (c = i, k = 0; k < 8; k++) {
            c = c & 1 ? c >> 1 ^ 0xEDB88320U : c >> 1;
        }
        table[i] = c;
    }
    for (c = 0xFFFFFFFFU; n--; p++) {
        c = c >> 8 ^ table[(c ^ *p) & 0xFF];
    }
    return ~c;
}

/* Which of n operations an input goes through: any byte of it may change that. One operation an
   execution reaches more inputs a second than all of them. */
MUTATOR_PLAIN static unsigned mutator_choice(const uint8_t *p, size_t size, unsigned n)
{
    uint32_t hash = 2166136261U;
    size_t i;
    for (i = 0; i < size; i++) {
        hash = (hash ^ p[i]) * 16777619U;
    }
    return (unsigned)((hash >> 16 ^ hash) % n);
}

/* Walks the central directory and mends what says how its entries end. */
static void mutator_mend(uint8_t *data, size_t size)
{
    size_t at, end = size < 22 ? 0 : size - 22, left;
    while (end && memcmp(data + end, "PK\5\6", 4) != 0) {
        end--;
    }
    if (!end) { return; }
    at = (size_t)mutator_number(data + end + 16, 4);
    for (left = (size_t)mutator_number(data + end + 10, 2); left && size >= 46 && at <= size - 46;
         left--) {
        uint8_t *e = data + at;
        size_t n = (size_t)mutator_number(e + 20, 4), local = (size_t)mutator_number(e + 42, 4);
        uint32_t crc;
        if (memcmp(e, "PK\1\2", 4) != 0) { break; }
        at += 46 + (size_t)mutator_number(e + 28, 2) + (size_t)mutator_number(e + 30, 2) +
              (size_t)mutator_number(e + 32, 2);
        if (size < 30 || local > size - 30 || memcmp(data + local, "PK\3\4", 4) != 0) { continue; }
        n = n > size ? size : n;
        crc = (uint32_t)(local + 30 + mutator_number(data + local + 26, 2) +
                         mutator_number(data + local + 28, 2));
        if (crc > size - n) { continue; }
        crc = mutator_crc(data + crc, n);
        e[16] = data[local + 14] = (uint8_t)crc;
        e[17] = data[local + 15] = (uint8_t)(crc >> 8);
        e[18] = data[local + 16] = (uint8_t)(crc >> 16);
        e[19] = data[local + 17] = (uint8_t)(crc >> 24);
    }
}

/* One varint of compact Thrift becomes another of as many bytes. */
static void mutator_varint(uint8_t *p, size_t n, unsigned *seed)
{
    size_t i = mutator_next(seed) % n, k;
    unsigned how = mutator_next(seed) % 6;
    while (i && (p[i - 1] & 0x80)) {
        i--;
    }
    for (k = i; k < n && (p[k] & 0x80); k++) {}
    if (k >= n) { return; }
    if (how == 0) {
        p[i] ^= (uint8_t)(1U << mutator_next(seed) % 7);
    } else if (how == 1) {
        p[k] = (uint8_t)((p[k] + 1) & 0x7F);
    } else if (how == 2) {
        p[i] = (uint8_t)((p[i] & 0x80) | ((p[i] + 2) & 0x7F)); /* one more, in zigzag */
    } else if (how == 3) {
        p[i] = (uint8_t)((p[i] & 0x80) | ((p[i] - 2) & 0x7F));
    } else {
        for (; i <= k; i++) {
            p[i] = (uint8_t)((p[i] & 0x80) | (how == 4 ? 0x7F : 0));
        }
    }
}

/* libFuzzer's mutation of n bytes, as many as before. */
static void mutator_inside(uint8_t *p, size_t n)
{
    uint8_t copy[4096];
    size_t m = n > sizeof copy ? sizeof copy : n, k;
    memcpy(copy, p, m);
    k = LLVMFuzzerMutate(copy, m, m);
    memcpy(p, copy, k > m ? m : k);
}

/* The begin of what an entry holds, and how long it is; of any entry of the central directory. */
static void mutator_entry(const uint8_t *data, size_t size, unsigned *seed, size_t *offset,
                          size_t *n)
{
    size_t at, end = size < 22 ? 0 : size - 22, count, local;
    *n = 0;
    while (end && memcmp(data + end, "PK\5\6", 4) != 0) {
        end--;
    }
    count = end ? (size_t)mutator_number(data + end + 10, 2) : 0;
    if (!count) { return; }
    at = (size_t)mutator_number(data + end + 16, 4);
    for (count = mutator_next(seed) % count; size >= 46 && at <= size - 46; count--) {
        if (memcmp(data + at, "PK\1\2", 4) != 0) { return; }
        local = (size_t)mutator_number(data + at + 42, 4);
        if (!count && size > 30 && local < size - 30) {
            *offset = local + 30 + (size_t)mutator_number(data + local + 26, 2) +
                      (size_t)mutator_number(data + local + 28, 2);
            *n = (size_t)mutator_number(data + at + 20, 4);
        }
        if (!count) { return; }
        at += 46 + (size_t)mutator_number(data + at + 28, 2) +
              (size_t)mutator_number(data + at + 30, 2) + (size_t)mutator_number(data + at + 32, 2);
    }
}

/* One part: a Parquet file, of which the footer or the pages are changed, or anything. */
static void mutator_part(uint8_t *p, size_t n, unsigned *seed)
{
    size_t footer =
        n >= 12 && memcmp(p + n - 4, "PAR1", 4) == 0 ? (size_t)mutator_number(p + n - 8, 4) : 0;
    if (footer && footer < n - 12) {
        uint8_t *f = p + n - 8 - footer;
        size_t pages = n - 12 - footer, from;
        switch (mutator_next(seed) % 6) {
        case 0: mutator_inside(f, footer); break;
        case 1: /* the pages, from anywhere on */
            from = mutator_next(seed) % pages;
            mutator_inside(p + 4 + from, pages - from);
            break;
        case 2: /* a few bytes of them: the header of a page, its levels, its values */
            from = mutator_next(seed) % pages;
            mutator_inside(p + 4 + from, pages - from < 8 ? pages - from : 8);
            break;
        case 3: /* a number of the header of a page or of an index */
            from = mutator_next(seed) % pages;
            mutator_varint(p + 4 + from, pages - from < 32 ? pages - from : 32, seed);
            break;
        default:
            mutator_varint(f, footer, seed);
            if (mutator_next(seed) % 2) { mutator_varint(f, footer, seed); }
        }
    } else {
        size_t from = mutator_next(seed) % n;
        mutator_inside(p + from, n - from);
    }
}

/* An old file: the footer that its header names, or its collection, or the header. */
static void mutator_old(uint8_t *p, size_t size, unsigned *seed)
{
    size_t at = mutator_next(seed) % 4 == 0 && p[0] == 'W' ? 26 : 2;
    size_t offset = (size_t)mutator_number(p + at, 8), n = (size_t)mutator_number(p + at + 8, 8);
    if (offset > size || n > size - offset || n < 1 || mutator_next(seed) % 8 == 0) {
        mutator_inside(p, 50);
    } else {
        mutator_part(p + offset, n, seed);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    unsigned count, i;
    size_t offset = 0, n = 0;
    if (size < 157 || mutator_next(&seed) % 8 == 0) { return LLVMFuzzerMutate(data, size, max); }
    if (memcmp(data, "PAR1", 4) == 0) {
        mutator_part(data, size, &seed);
        return size;
    }
    if ((memcmp(data, "#y", 2) == 0 || memcmp(data, "WX", 2) == 0) && mutator_next(&seed) % 4) {
        mutator_old(data, size, &seed);
        return size;
    }
    if (memcmp(data, "PK\3\4", 4) != 0) { return LLVMFuzzerMutate(data, size, max); }
    if (memcmp(data + 30, "TACO_HEADER", 11) == 0 && mutator_next(&seed) % 4) {
        count = data[41];
        i = count ? mutator_next(&seed) % (count > 7 ? 7 : count) : 0;
        offset = (size_t)mutator_number(data + 45 + 16 * i, 8);
        n = (size_t)mutator_number(data + 53 + 16 * i, 8);
    } else {
        mutator_entry(data, size, &seed, &offset, &n);
    }
    if (offset > size || n > size - offset || n < 1) {
        offset = mutator_next(&seed) % size;
        n = size - offset < 64 ? size - offset : 64;
    }
    mutator_part(data + offset, n, &seed);
    mutator_mend(data, size);
    return size;
}
#endif
