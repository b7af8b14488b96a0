/* lz_copy.c - output of the decoders: growing buffers, copies of matches, decoders of the host

   What Snappy, LZ4, DEFLATE and ZSTD have in common: each appends literals and repeats bytes that
   it wrote before. taco__lz_output tracks where in a taco__buf it writes; taco__lz_copy_match
   (codec.h) repeats bytes in wide steps that may overlap what they copy from; taco__lz_host_decode
   calls a decoder that the host plugged in instead of one of ours. */
#include "codec.h"

/* Every copy of a match may write garbage past its end, at most this many bytes: the slack of a
   taco__buf absorbs them. */
#define TACO__LZ_COPY_OVERWRITE 32
TACO__STATIC_ASSERT(copy_slack, TACO__LZ_COPY_OVERWRITE <= TACO__PAD);

/* A match at a distance from 1 to 15. Not inlined, since in the loops of Snappy, DEFLATE and ZSTD
   the registers it needs cost more than a call. */
TACO__FN TACO__NOINLINE void taco__lz_copy_near(uint8_t *to, size_t distance, size_t len)
{
    taco__lz_copy_near_inline(to, distance, len);
}

TACO__FN taco_status taco__lz_reserve(taco__buf *b, size_t extra, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    if (!taco__buf_reserve(b, extra, &own)) { taco__error_copy(err, &own); }
    return own.code;
}

/* Makes room for `extra` bytes after the `done` ones that have been decoded. */
static taco_status taco__lz_output_reserve(taco__lz_output *o, size_t done, size_t extra,
                                           taco_error *err)
{
    taco__buf *b = o->buf;
    size_t first = b->len;
    taco_status status;
    b->len += done; /* so that growing moves what is decoded so far */
    status = taco__lz_reserve(b, extra, err);
    b->len = first;
    if (status != TACO_OK) { return status; }
    o->base = b->data + first;
    o->op = o->base + done;
    o->stop = o->base + TACO__MIN(b->cap - first, o->limit);
    return TACO_OK;
}

/* Begins to append at most limit bytes, with room for `extra` of them. */
TACO__FN taco_status taco__lz_output_init(taco__lz_output *o, taco__buf *buf, size_t extra,
                                          size_t limit, taco_error *err)
{
    o->buf = buf;
    o->limit = limit;
    return taco__lz_output_reserve(o, 0, TACO__MIN(extra, limit), err);
}

/* Makes room for `need` more bytes, and for `hint` if that is more and the limit allows it. `at`:
   the byte of the input that needs them. */
TACO__FN taco_status taco__lz_output_grow(taco__lz_output *o, uint64_t need, size_t hint,
                                          uint64_t at, taco_error *err)
{
    size_t done = (size_t)(o->op - o->base), left = o->limit - done;
    if (need > left) {
        return TACO__FAIL(err, TACO_ERR_LIMIT, at,
                          "decodes to %u bytes or more, limits.max_page leaves %u",
                          TACO__U(done) + need, TACO__U(o->limit));
    }
    return taco__lz_output_reserve(o, done, TACO__MAX((size_t)need, TACO__MIN(hint, left)), err);
}

/* Adds the decoded bytes to the buffer's length. */
TACO__FN void taco__lz_output_finish(taco__lz_output *o)
{
    o->buf->len += (size_t)(o->op - o->base);
}

/* Appends what the host's decoder makes of one stream at the beginning of `in`; *used is the length
   of the stream. Pages know their size, so there is usually room for all of it; if not, a failure
   may only mean that the room was too small, and it is called again with four times as much. `at`:
   the offset of `in` in the whole input, for errors. */
TACO__FN taco_status taco__lz_host_decode(taco__lz_output *o, taco__lz_host_decoder decode,
                                          const char *name, taco_bytes in, uint64_t at,
                                          size_t *used, taco_error *err)
{
    for (;;) {
        size_t have = (size_t)(o->stop - o->op), done = (size_t)(o->op - o->base);
        size_t left = o->limit - done, n, more;
        taco_status status;
        *used = in.len;
        n = decode(o->op, have, in.data, in.len, used);
        if (n <= have && *used <= in.len) {
            o->op += n;
            return TACO_OK;
        }
        if (n <= have || have >= left) {
            return TACO__FAIL(err, TACO_ERR_CORRUPT, at,
                              "%s data of %u bytes, not decoded by the host's decoder into %u",
                              name, TACO__U(in.len), TACO__U(have));
        }
        more = TACO__MAX(have < SIZE_MAX / 4 ? have * 4 : left, (size_t)65536);
        more = TACO__MIN(more, left);
        status = taco__lz_output_reserve(o, done, more, err);
        if (status != TACO_OK) { return status; }
    }
}

/* The same for data that is a sequence of such streams, like frames, with the usual contract of a
   decoder. */
TACO__FN taco_status taco__lz_host_decode_all(taco__lz_host_decoder decode, const char *name,
                                              taco_bytes in, taco__buf *out, size_t limit,
                                              taco_error *err)
{
    taco__lz_output o;
    size_t at = 0, used;
    taco_status status = taco__lz_output_init(&o, out, 0, limit, err);
    do {
        if (status == TACO_OK) {
            status = taco__lz_host_decode(
                &o, decode, name, taco__bytes_of(in.data + at, in.len - at), at, &used, err);
            at += used;
        }
    } while (status == TACO_OK && at < in.len && used);
    if (status == TACO_OK && at < in.len) {
        status = TACO__FAIL(err, TACO_ERR_CORRUPT, at, "%s data with %u bytes after its end", name,
                            TACO__U(in.len - at));
    }
    if (status == TACO_OK) { taco__lz_output_finish(&o); }
    return status;
}
