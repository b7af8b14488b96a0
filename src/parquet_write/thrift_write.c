/* thrift_write.c - structures in Thrift's compact protocol

   In: calls in the order of the fields; out: bytes appended to a buffer (Thrift compact protocol
   specification). All of Parquet's metadata consists of such structures: page headers, indexes, the
   footer. A field's header is one byte if its number is at most 15 above the last one's: step << 4
   | type. {1: i32 5, 3: true} is 15 0a 21 00. A failure stays in w->bad, so that a caller only
   checks the last taco__thrift_write_end. */
#include "parquet_write.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

TACO__FN void taco__thrift_write_init(taco__thrift_writer *w, taco__buf *out, taco_error *err)
{
    memset(w, 0, sizeof *w);
    w->out = out;
    w->err = err;
}

TACO__FN void taco__thrift_write_raw(taco__thrift_writer *w, const void *data, size_t len)
{
    w->bad = w->bad || !taco__buf_append(w->out, data, len, w->err);
}

TACO__FN void taco__thrift_write_u8(taco__thrift_writer *w, unsigned x)
{
    uint8_t b = (uint8_t)x;
    taco__thrift_write_raw(w, &b, 1);
}

/* ULEB128: seven bits a byte, the lowest first. */
static void taco__thrift_write_varint(taco__thrift_writer *w, uint64_t x)
{
    uint8_t b[10];
    size_t n = 0;
    for (; x >= 0x80; x >>= 7) {
        b[n++] = (uint8_t)(x | 0x80);
    }
    b[n++] = (uint8_t)x;
    taco__thrift_write_raw(w, b, n);
}

/* Zigzag: 0, -1, 1, -2 become 0, 1, 2, 3. */
TACO__FN void taco__thrift_write_number(taco__thrift_writer *w, int64_t x)
{
    taco__thrift_write_varint(w, ((uint64_t)x << 1) ^ (x < 0 ? UINT64_MAX : 0));
}

TACO__FN void taco__thrift_write_bytes(taco__thrift_writer *w, taco_bytes b)
{
    taco__thrift_write_varint(w, b.len);
    taco__thrift_write_raw(w, b.data, b.len);
}

TACO__FN void taco__thrift_write_field(taco__thrift_writer *w, int16_t id, unsigned type)
{
    int step = id - w->last[w->depth];
    if (step > 0 && step < 16) {
        taco__thrift_write_u8(w, (unsigned)step << 4 | type);
    } else {
        taco__thrift_write_u8(w, type);
        taco__thrift_write_number(w, id);
    }
    w->last[w->depth] = id;
}

TACO__FN void taco__thrift_write_i32(taco__thrift_writer *w, int16_t id, int32_t x)
{
    taco__thrift_write_field(w, id, TACO__THRIFT_I32);
    taco__thrift_write_number(w, x);
}

TACO__FN void taco__thrift_write_i64(taco__thrift_writer *w, int16_t id, int64_t x)
{
    taco__thrift_write_field(w, id, TACO__THRIFT_I64);
    taco__thrift_write_number(w, x);
}

/* A bool's value is in its type. */
TACO__FN void taco__thrift_write_bool(taco__thrift_writer *w, int16_t id, bool x)
{
    taco__thrift_write_field(w, id, x ? TACO__THRIFT_TRUE : TACO__THRIFT_FALSE);
}

TACO__FN void taco__thrift_write_binary(taco__thrift_writer *w, int16_t id, taco_bytes b)
{
    taco__thrift_write_field(w, id, TACO__THRIFT_BINARY);
    taco__thrift_write_bytes(w, b);
}

/* Up to 14 items are counted in the byte of the type. */
TACO__FN void taco__thrift_write_list(taco__thrift_writer *w, int16_t id, unsigned type, size_t n)
{
    taco__thrift_write_field(w, id, TACO__THRIFT_LIST);
    taco__thrift_write_u8(w, (unsigned)(n < 15 ? n : 15) << 4 | type);
    if (n >= 15) { taco__thrift_write_varint(w, n); }
}

TACO__FN void taco__thrift_write_begin_item(taco__thrift_writer *w)
{
    w->last[++w->depth] = 0;
}

TACO__FN void taco__thrift_write_begin(taco__thrift_writer *w, int16_t id)
{
    taco__thrift_write_field(w, id, TACO__THRIFT_STRUCT);
    taco__thrift_write_begin_item(w);
}

TACO__FN bool taco__thrift_write_end(taco__thrift_writer *w)
{
    taco__thrift_write_u8(w, 0); /* the stop field */
    w->depth -= w->depth > 0;
    return !w->bad;
}

TACO__FN void taco__thrift_write_empty(taco__thrift_writer *w, int16_t id)
{
    taco__thrift_write_begin(w, id);
    taco__thrift_write_end(w);
}
