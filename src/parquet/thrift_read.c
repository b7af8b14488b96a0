/* thrift_read.c - structures of Thrift's compact protocol, read field by field

   In: bytes of a file; out: fields, numbers, slices and lists, for the parsers of footers, page
   headers, page indexes and bloom filters. Spec: Apache Thrift,
   doc/specs/thrift-compact-protocol.md.

   A structure is a list of fields, each a byte of type and number, then its value, and ends with a
   zero byte: 15 02 19 4c ... 00 is field 1, an I32 of 1 (02, zigzag), field 2, a list of four
   structures, ... Every read is bounded by the bytes left, and the first failure stays, so that a
   parser checks once; see taco__thrift in format.h. */
#include "parquet.h"
#include "../base/base.h"

/* Most structures and lists open at a time. Parquet's own nest nine deep; the rest is room for
   future fields. */
#define TACO__THRIFT_DEPTH 64

TACO__FN void taco__thrift_init(taco__thrift *t, taco_bytes in, uint64_t base, const char *what,
                                bool partial, taco_error *err)
{
    memset(t, 0, sizeof *t);
    t->cur = taco__byte_reader_init(in);
    t->base = base;
    t->what = what;
    t->partial = partial;
    t->err = err;
    t->status = TACO_OK;
}

TACO__FN TACO__COLD bool taco__thrift_fail(taco__thrift *t, taco_status status)
{
    if (t->status == TACO_OK) { t->status = status; }
    t->cur.bad = true;
    return false;
}

/* The bytes end inside something that began at `at`. */
static TACO__COLD bool taco__thrift_fail_short(taco__thrift *t, uint64_t at)
{
    taco_status code = t->partial ? TACO_ERR_TRUNCATED : TACO_ERR_CORRUPT;
    if (t->status == TACO_OK) {
        TACO__FAIL_SOFT(t->err, code, at, "%s ends inside a field, at byte %u", t->what,
                        t->base + (uint64_t)(t->cur.end - t->cur.begin));
    }
    return taco__thrift_fail(t, code);
}

TACO__FN TACO__COLD bool taco__thrift_fail_type(taco__thrift *t, unsigned type, const char *want)
{
    if (t->status == TACO_OK) {
        TACO__FAIL(t->err, TACO_ERR_CORRUPT, taco__thrift_at(t),
                   "%s has a field of type %u, expected %s", t->what, TACO__U(type), want);
    }
    return taco__thrift_fail(t, TACO_ERR_CORRUPT);
}

TACO__FN bool taco__thrift_type_fits(unsigned type, unsigned want)
{
    return type == want || (want >= TACO__THRIFT_I8 && want <= TACO__THRIFT_I64 &&
                            type >= TACO__THRIFT_I8 && type <= TACO__THRIFT_I64);
}

static uint8_t taco__thrift_u8(taco__thrift *t)
{
    uint8_t b = taco__byte_reader_u8(&t->cur);
    if (TACO__UNLIKELY(t->cur.bad)) { taco__thrift_fail_short(t, taco__thrift_at(t)); }
    return b;
}

/* The slow path for a number: longer than a byte, or at the end of the bytes. */
static TACO__NOINLINE uint64_t taco__thrift_varint_long(taco__thrift *t)
{
    uint64_t at = taco__thrift_at(t), x;
    if (!taco__thrift_ok(t)) { return 0; }
    x = taco__byte_reader_varint(&t->cur);
    if (t->cur.bad) {
        /* ten bytes hold any 64-bit number: if fewer were read, the input ended */
        if (taco__thrift_at(t) - at < 10) {
            taco__thrift_fail_short(t, at);
        } else {
            TACO__FAIL(t->err, TACO_ERR_CORRUPT, at, "%s has a number of more than 64 bits",
                       t->what);
            taco__thrift_fail(t, TACO_ERR_CORRUPT);
        }
    }
    return x;
}

TACO__INLINE uint64_t taco__thrift_varint(taco__thrift *t)
{
    if (TACO__LIKELY(!t->cur.bad && t->cur.at != t->cur.end && *t->cur.at < 0x80)) {
        return *t->cur.at++;
    }
    return taco__thrift_varint_long(t);
}

TACO__FN bool taco__thrift_begin(taco__thrift *t, taco__thrift_field *f)
{
    f->id = 0;
    f->type = 0;
    if (!taco__thrift_ok(t)) { return false; }
    if (t->depth >= TACO__THRIFT_DEPTH) {
        TACO__FAIL(t->err, TACO_ERR_CORRUPT, taco__thrift_at(t),
                   "%s nests structures deeper than %u", t->what, TACO__U(TACO__THRIFT_DEPTH));
        return taco__thrift_fail(t, TACO_ERR_CORRUPT);
    }
    t->depth++;
    return true;
}

TACO__FN bool taco__thrift_begin_struct(taco__thrift *t, unsigned type, taco__thrift_field *f)
{
    if (type != TACO__THRIFT_STRUCT) {
        f->id = 0;
        f->type = 0;
        return taco__thrift_fail_type(t, type, "a structure");
    }
    return taco__thrift_begin(t, f);
}

/* A field header has the difference of its number to the last one (1 to 15) in the high four bits,
   or 0 there and the number after it. */
TACO__FN bool taco__thrift_next(taco__thrift *t, taco__thrift_field *f)
{
    uint64_t at = taco__thrift_at(t);
    uint8_t head = taco__thrift_u8(t);
    int64_t id;
    if (TACO__UNLIKELY(!taco__thrift_ok(t))) { return false; }
    if (head == 0) {
        t->depth--;
        return false;
    }
    id = head >> 4 ? f->id + (head >> 4) : taco__zigzag_decode(taco__thrift_varint(t));
    if (!taco__thrift_ok(t)) { return false; }
    f->type = head & 15;
    if (f->type == 0 || f->type > TACO__THRIFT_UUID || id < INT16_MIN || id > INT16_MAX) {
        TACO__FAIL(t->err, TACO_ERR_CORRUPT, at, "%s has a field %d of type %u", t->what, id,
                   TACO__U(f->type));
        return taco__thrift_fail(t, TACO_ERR_CORRUPT);
    }
    f->id = (int16_t)id;
    return true;
}

/* Widths above one byte are stored alike, as zigzag varints, and writers have mixed them up. */
TACO__FN int64_t taco__thrift_i64(taco__thrift *t, unsigned type)
{
    if (TACO__LIKELY(type >= TACO__THRIFT_I16 && type <= TACO__THRIFT_I64)) {
        return taco__zigzag_decode(taco__thrift_varint(t));
    }
    if (type == TACO__THRIFT_I8) {
        uint8_t b = taco__thrift_u8(t);
        return b < 128 ? b : (int64_t)b - 256;
    }
    taco__thrift_fail_type(t, type, "an integer");
    return 0;
}

TACO__FN int32_t taco__thrift_i32(taco__thrift *t, unsigned type)
{
    uint64_t at = taco__thrift_at(t);
    int64_t x = taco__thrift_i64(t, type);
    if (x < INT32_MIN || x > INT32_MAX) {
        TACO__FAIL(t->err, TACO_ERR_CORRUPT, at,
                   "%s has the number %d, at most 32 bits are allowed", t->what, x);
        taco__thrift_fail(t, TACO_ERR_CORRUPT);
        return 0;
    }
    return (int32_t)x;
}

/* A boolean field: its type is its value. */
TACO__FN bool taco__thrift_bool(taco__thrift *t, unsigned type)
{
    if (type != TACO__THRIFT_TRUE && type != TACO__THRIFT_FALSE) {
        taco__thrift_fail_type(t, type, "a boolean");
    }
    return type == TACO__THRIFT_TRUE;
}

/* A boolean in a list: 1 is true; writers have used both 0 and 2 for false. */
TACO__FN bool taco__thrift_bool_in_list(taco__thrift *t)
{
    return taco__thrift_u8(t) == 1;
}

TACO__FN double taco__thrift_double(taco__thrift *t, unsigned type)
{
    uint64_t at = taco__thrift_at(t);
    const uint8_t *p;
    if (type != TACO__THRIFT_DOUBLE) {
        taco__thrift_fail_type(t, type, "a double");
        return 0;
    }
    p = taco__byte_reader_take(&t->cur, 8);
    if (!p) {
        taco__thrift_fail_short(t, at);
        return 0;
    }
    return taco__f64_from_bits(taco__load_le64(p));
}

TACO__FN taco_bytes taco__thrift_binary(taco__thrift *t, unsigned type)
{
    uint64_t at = taco__thrift_at(t), n;
    const uint8_t *p;
    if (type != TACO__THRIFT_BINARY) {
        taco__thrift_fail_type(t, type, "bytes");
        return taco__bytes_of(NULL, 0);
    }
    n = taco__thrift_varint(t);
    if (!taco__thrift_ok(t)) { return taco__bytes_of(NULL, 0); }
    if (n > taco__byte_reader_left(&t->cur)) {
        if (t->partial) {
            taco__thrift_fail_short(t, at);
        } else {
            TACO__FAIL(t->err, TACO_ERR_CORRUPT, at, "text of %u bytes, %s has %u left", n, t->what,
                       TACO__U(taco__byte_reader_left(&t->cur)));
            taco__thrift_fail(t, TACO_ERR_CORRUPT);
        }
        return taco__bytes_of(NULL, 0);
    }
    p = taco__byte_reader_take(&t->cur, (size_t)n);
    return taco__bytes_of(p, (size_t)n);
}

/* Checks that n items of at least `least` bytes each fit in the bytes left. */
static bool taco__thrift_check_count(taco__thrift *t, uint64_t at, uint64_t n, size_t least)
{
    size_t left = taco__byte_reader_left(&t->cur);
    if (TACO__LIKELY(n <= left / least)) { return true; }
    if (t->partial) { return taco__thrift_fail_short(t, at); }
    if (t->status == TACO_OK) {
        TACO__FAIL(t->err, TACO_ERR_CORRUPT, at, "list of %u items, %s has %u bytes left", n,
                   t->what, TACO__U(left));
    }
    return taco__thrift_fail(t, TACO_ERR_CORRUPT);
}

/* The header has the count in its high four bits, or 15 there and the count after it. */
TACO__FN size_t taco__thrift_begin_list(taco__thrift *t, unsigned type, size_t least, uint8_t *item)
{
    uint64_t at = taco__thrift_at(t), n;
    uint8_t head;
    *item = 0;
    if (type != TACO__THRIFT_LIST && type != TACO__THRIFT_SET) {
        taco__thrift_fail_type(t, type, "a list");
        return 0;
    }
    head = taco__thrift_u8(t);
    n = head >> 4 == 15 ? taco__thrift_varint(t) : head >> 4;
    *item = head & 15;
    if (!taco__thrift_ok(t) || !taco__thrift_check_count(t, at, n, least)) { return 0; }
    if (n && (*item == 0 || *item > TACO__THRIFT_UUID)) {
        TACO__FAIL(t->err, TACO_ERR_CORRUPT, at, "%s has a list of type %u", t->what,
                   TACO__U(*item));
        taco__thrift_fail(t, TACO_ERR_CORRUPT);
        return 0;
    }
    return (size_t)n;
}

TACO__FN size_t taco__thrift_begin_structs(taco__thrift *t, unsigned type, size_t least)
{
    uint8_t item;
    size_t n = taco__thrift_begin_list(t, type, least, &item);
    if (n && item != TACO__THRIFT_STRUCT) {
        taco__thrift_fail_type(t, item, "a list of structures");
        return 0;
    }
    return n;
}

static void taco__thrift_skip_value(taco__thrift *t, unsigned type, bool in_list); /* recursive */

static void taco__thrift_skip_list(taco__thrift *t, unsigned type)
{
    uint8_t item;
    size_t n = taco__thrift_begin_list(t, type, 1, &item);
    for (; n && taco__thrift_ok(t); n--) {
        taco__thrift_skip_value(t, item, true);
    }
}

/* A map: its number of pairs, a byte with both types unless it is empty, the pairs. */
static void taco__thrift_skip_map(taco__thrift *t)
{
    uint64_t at = taco__thrift_at(t), n = taco__thrift_varint(t);
    uint8_t types;
    if (n == 0 || !taco__thrift_ok(t)) { return; /* an empty map is one byte */ }
    types = taco__thrift_u8(t);
    if (!taco__thrift_ok(t) || !taco__thrift_check_count(t, at, n, 2)) { return; }
    for (; n && taco__thrift_ok(t); n--) {
        taco__thrift_skip_value(t, types >> 4, true);
        taco__thrift_skip_value(t, types & 15, true);
    }
}

static void taco__thrift_skip_struct(taco__thrift *t)
{
    taco__thrift_field f;
    if (taco__thrift_begin(t, &f)) {
        while (taco__thrift_next(t, &f)) {
            taco__thrift_skip_value(t, f.type, false);
        }
    }
}

/* Every item takes at least a byte and every level is counted, so the work is bounded by the size
   of the input. */
static void taco__thrift_skip_value(taco__thrift *t, unsigned type, bool in_list)
{
    uint64_t at = taco__thrift_at(t);
    if (t->depth >= TACO__THRIFT_DEPTH && type >= TACO__THRIFT_LIST &&
        type <= TACO__THRIFT_STRUCT) {
        taco__thrift_field f;
        taco__thrift_begin(t, &f); /* fails and reports it */
        return;
    }
    switch (type) {
    case TACO__THRIFT_TRUE:
    case TACO__THRIFT_FALSE:
        if (in_list) { taco__thrift_u8(t); }
        break;
    case TACO__THRIFT_I8: taco__thrift_u8(t); break;
    case TACO__THRIFT_I16:
    case TACO__THRIFT_I32:
    case TACO__THRIFT_I64: taco__thrift_varint(t); break;
    case TACO__THRIFT_BINARY: taco__thrift_binary(t, type); break;
    case TACO__THRIFT_DOUBLE:
    case TACO__THRIFT_UUID:
        if (!taco__byte_reader_take(&t->cur, type == TACO__THRIFT_UUID ? 16 : 8)) {
            taco__thrift_fail_short(t, at);
        }
        break;
    case TACO__THRIFT_LIST:
    case TACO__THRIFT_SET:
    case TACO__THRIFT_MAP:
        t->depth++; /* nested lists count as levels, too */
        if (type == TACO__THRIFT_MAP) {
            taco__thrift_skip_map(t);
        } else {
            taco__thrift_skip_list(t, type);
        }
        t->depth--;
        break;
    case TACO__THRIFT_STRUCT: taco__thrift_skip_struct(t); break;
    default: taco__thrift_fail_type(t, type, "a known type"); break;
    }
}

TACO__FN void taco__thrift_skip(taco__thrift *t, unsigned type)
{
    taco__thrift_skip_value(t, type, false);
}

TACO__FN TACO__COLD bool taco__thrift_fail_memory(taco__thrift *t)
{
    return taco__thrift_fail(t, t->err && t->err->code != TACO_OK ? t->err->code : TACO_ERR_MEMORY);
}

TACO__FN TACO__NOINLINE void *taco__thrift_alloc(taco__thrift *t, taco__arena *arena, size_t n,
                                                 size_t size)
{
    void *p = taco__thrift_ok(t) ? taco__arena_array(arena, n, size, t->err) : NULL;
    if (!p && taco__thrift_ok(t)) { taco__thrift_fail_memory(t); }
    return p;
}

TACO__FN int64_t taco__thrift_count(taco__thrift *t, unsigned type, const char *name)
{
    uint64_t at = taco__thrift_at(t);
    int64_t x = taco__thrift_i64(t, type);
    if (TACO__UNLIKELY(x < 0)) {
        TACO__THRIFT_FAIL(t, at, "%s is %d", name, x);
        return 0;
    }
    return x;
}

TACO__FN uint32_t taco__thrift_count32(taco__thrift *t, unsigned type, const char *name)
{
    uint64_t at = taco__thrift_at(t);
    int64_t x = taco__thrift_count(t, type, name);
    if (TACO__UNLIKELY(x > INT32_MAX)) {
        TACO__THRIFT_FAIL(t, at, "%s is %d, at most 32 bits are allowed", name, x);
        return 0;
    }
    return (uint32_t)x;
}
