/* lz_copy.c - wide copies for the LZ decoders, which may write past their end, and a wide
   comparison. */
#include "codec.h"
#include "../base/base.h"

/* Every copy here may write garbage behind its end, TACO__LZ_COPY_OVERWRITE bytes at most: the
   slack of a taco__buf takes it. */
#define TACO__LZ_COPY_OVERWRITE 32
TACO__STATIC_ASSERT(copy_slack, TACO__LZ_COPY_OVERWRITE <= TACO__PAD);

/* Out of line: in the loops of Snappy, DEFLATE and ZSTD the registers that it takes cost more than
   the call. */
TACO__FN TACO__NOINLINE void taco__lz_copy_near(uint8_t *to, size_t distance, size_t len)
{
    taco__lz_copy_near_inline(to, distance, len);
}

/* The status behind a helper that reports failure as false. */
TACO__FN taco_status taco__lz_error_status(const taco_error *err)
{
    return err && err->code != TACO_OK ? err->code : TACO_ERR_MEMORY;
}

static taco_status taco__lz_output_reserve(taco__lz_output *o, size_t done, size_t extra,
                                           taco_error *err)
{
    taco__buf *b = o->buf;
    size_t first = b->len;
    bool ok;
    b->len += done; /* so that growing moves what is decoded so far */
    ok = taco__buf_reserve(b, extra, err);
    b->len = first;
    if (!ok) { return taco__lz_error_status(err); }
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

/* Makes room for `need` more bytes, and for `hint` if the limit allows. `at` is where the input
   asked for them. */
TACO__FN taco_status taco__lz_output_grow(taco__lz_output *o, uint64_t need, size_t hint,
                                          uint64_t at, taco_error *err)
{
    size_t done = (size_t)(o->op - o->base), left = o->limit - done;
    if (need > left) {
        return TACO__FAIL(err, TACO_ERR_LIMIT, at,
                          "decodes to %u bytes and more, limits.max_page leaves %u",
                          TACO__U(done) + need, TACO__U(o->limit));
    }
    return taco__lz_output_reserve(o, done, TACO__MAX((size_t)need, TACO__MIN(hint, left)), err);
}

TACO__FN void taco__lz_output_finish(taco__lz_output *o)
{
    o->buf->len += (size_t)(o->op - o->base);
}

/* Appends what the host makes of one stream at the start of `in`, and says in *used how many bytes
   it had. Pages know their size, so that there is room for all of it at once; where there is not, a
   refusal may only mean that the room was too small, and there is another try with four times as
   much. `at` is where `in` stands in what errors count from. */
TACO__FN taco_status taco__lz_host_decode(taco__lz_output *o, taco__lz_host_decoder decode,
                                          const char *name, taco_bytes in, uint64_t at,
                                          size_t *used, taco_error *err)
{
    for (;;) {
        size_t have = (size_t)(o->stop - o->op), done = (size_t)(o->op - o->base);
        size_t left = o->limit - done, n, more;
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
        if (taco__lz_output_reserve(o, done, more, err) != TACO_OK) {
            return taco__lz_error_status(err);
        }
    }
}

/* The same for data that is such streams one after the other: frames. At most limit bytes; on
   failure out keeps the length it had. */
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
        status = TACO__FAIL(err, TACO_ERR_CORRUPT, at, "%s data with %u bytes behind its end", name,
                            TACO__U(in.len - at));
    }
    if (status == TACO_OK) { taco__lz_output_finish(&o); }
    return status;
}
