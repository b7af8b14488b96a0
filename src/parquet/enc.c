/* ==== ROOM enc: value decodings into Arrow buffers, gather, spacing, decimals. Uses: bits mem. Spec: Parquet Encodings.md ==== */

/* A decoder is a small state over the value section of one page, which it borrows. _open parses what stands in front,
   _read hands out the next n values, _skip steps over them, in any mixture; what is asked for beyond the end of the
   section is TRUNCATED. No allocation but for DELTA_BYTE_ARRAY's last value and the text that is produced. All
   functions that can fail return false then, with err filled; its offset counts from the start of the bytes given to
   _open. After a failure a state is only good for another _open (or _close).

     taco__rle     RLE and bit-packed hybrid, BIT_PACKED     indices, levels, validity, booleans, dictionary values
     taco__plain   PLAIN                                     fixed width, text; taco__plain_read_bits for BOOLEAN
     taco__delta_int   DELTA_BINARY_PACKED                       int32, int64
     taco__delta_len    DELTA_LENGTH_BYTE_ARRAY                   text
     taco__delta_bytes     DELTA_BYTE_ARRAY                          text, fixed width
     taco__stream_split     BYTE_STREAM_SPLIT                         fixed width
     taco__enc_*   what works on decoded buffers: take, fill, space, narrow, decimal

   Values are packed: nulls take no place; taco__spacing_values* puts them to their rows afterwards. dst buffers need
   TACO__PAD bytes of room behind the values asked for, which may be overwritten. "Numeric" fixed-width values become
   native integers or floats; others (FIXED, INT96, UUID) stay as bytes.
   Text goes to a taco__buf that grows and to offsets: offsets[0] is set to data->len as it was, offsets[n] to the new
   one, so that n + 1 entries need room and a later read goes on at offsets + n. More than INT32_MAX bytes: LIMIT.
   `count` of an _open is the number of values its page header promises, nulls included: an upper bound for headers of
   the encoding. */

/* ---- buffers of fixed-width values ------------------------------------------------------------- */

#define TACO__STACK_VALUES 512 /* values that pass through a buffer on the stack at a time */

/* dst[i] = src[idx[i]]; the indices are proven. dst may not overlap. Serves dictionaries as well as selections. */
TACO__FN void taco__take_fixed(void *dst, const void *src, size_t width,
                               const int32_t *TACO__RESTRICT idx, size_t n)
{
    uint8_t *TACO__RESTRICT       d = (uint8_t *)dst;
    const uint8_t *TACO__RESTRICT s = (const uint8_t *)src;
    size_t                        i = 0;
#define TACO__TAKE_ONE(w, k, index)                                                                \
    memcpy(d + (i + (k)) * (w), s + (size_t)(uint32_t)(index) * (w), (w))
#define TACO__TAKE_TWO(w, k) /* two indices to a load: it is loads that this loop waits for */     \
    do {                                                                                           \
        uint64_t pair;                                                                             \
        memcpy(&pair, idx + i + (k), 8);                                                           \
        TACO__TAKE_ONE(w, k, TACO__BIG_ENDIAN ? pair >> 32 : pair);                                \
        TACO__TAKE_ONE(w, (k) + 1, TACO__BIG_ENDIAN ? pair : pair >> 32);                          \
    } while (0)
#define TACO__TAKE_CASE(w)                                                                         \
    case w:                                                                                        \
        for (; i + 4 <= n; i += 4) {                                                               \
            TACO__TAKE_TWO(w, 0);                                                                  \
            TACO__TAKE_TWO(w, 2);                                                                  \
        }                                                                                          \
        for (; i < n; i++) {                                                                       \
            TACO__TAKE_ONE(w, 0, idx[i]);                                                          \
        }                                                                                          \
        break;
    switch (width) {
        TACO__TAKE_CASE(1)
        TACO__TAKE_CASE(2)
        TACO__TAKE_CASE(4)
        TACO__TAKE_CASE(8)
        TACO__TAKE_CASE(12)
        TACO__TAKE_CASE(16)
        TACO__TAKE_CASE(32)
    default:
        for (; i < n; i++) {
            TACO__TAKE_ONE(width, 0, idx[i]);
        }
        break;
    }
#undef TACO__TAKE_CASE
#undef TACO__TAKE_TWO
#undef TACO__TAKE_ONE
}
/* Writes the idx[i]-th bit of src to bit dst_bit + i of dst, and returns the ones among them. */
TACO__FN size_t taco__take_bits(uint8_t *dst, size_t dst_bit, const uint8_t *src, size_t src_bit,
                                const int32_t *idx, size_t n)
{
    size_t i, j, m, ones = 0;
    for (i = 0; i < n; i += m) {
        uint64_t x = 0;
        m = TACO__MIN(n - i, (size_t)64);
        for (j = 0; j < m; j++) {
            x |= (uint64_t)taco__bitmap_get(src, src_bit + (uint32_t)idx[i + j]) << j;
        }
        taco__bitmap_write(dst, dst_bit + i, x, m);
        ones += taco__bitmap_popcount(x);
    }
    return ones;
}
/* n copies of one value. */
TACO__FN void taco__values_fill(void *dst, const void *value, size_t width, size_t n)
{
    uint8_t *d = (uint8_t *)dst;
    size_t   i, done, total = n * width;
    if (width == 4 || width == 8) {
        uint64_t x = 0;
        memcpy(&x, value, width);
        if (width == 4) {
            memcpy((uint8_t *)&x + 4, value, 4);
        }
        for (i = 0; i < total; i += 8) { /* may end in the padding */
            memcpy(d + i, &x, 8);
        }
        return;
    }
    if (!total) {
        return;
    }
    memcpy(d, value, width);
    for (done = width; done < total; done += i) {
        i = TACO__MIN(done, total - done);
        memcpy(d + done, d, i);
    }
}
/* Copies len bytes; a short piece goes as 32 when src has `left` of them, dst always having room. By way of registers,
   since the bytes behind a piece may be its own copy. */
TACO__INLINE void taco__array_buf_copy_text(uint8_t *dst, const uint8_t *src, size_t len,
                                            size_t left)
{
    if (TACO__LIKELY(len <= 32 && left >= 32)) {
        uint8_t low[16], high[16]; /* gcc keeps one of 32 bytes in memory */
        memcpy(low, src, 16);
        memcpy(high, src + 16, 16);
        memcpy(dst, low, 16);
        memcpy(dst + 16, high, 16);
    } else if (len) {
        memcpy(dst, src, len);
    }
}
/* Room for more bytes of text, whose end must still be an int32 offset. */
TACO__FN bool taco__array_buf_reserve_text(taco__buf *data, uint64_t more, taco_error *err)
{
    if (data->len > INT32_MAX || more > INT32_MAX - data->len) {
        TACO__FAIL(
            err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
            "%u bytes of text in one batch, 32-bit offsets reach %u: read fewer rows at a time",
            TACO__U(data->len) + more, TACO__U(INT32_MAX));
        return false;
    }
    return taco__buf_reserve(data, (size_t)more, err);
}
/* taco__take_fixed of text. Text and its offsets are proven; src, of src_len bytes, may not be data's own. */
TACO__FN bool taco__take_bytes(taco__buf *data, int32_t *offsets, const uint8_t *src,
                               size_t src_len, const int32_t *src_offsets, const int32_t *idx,
                               size_t n, taco_error *err)
{
    uint64_t total = 0;
    size_t   i, at = data->len;
    uint8_t *out;
    for (i = 0; i < n; i++) {
        const int32_t *o = src_offsets + (uint32_t)idx[i];
        total += (uint32_t)(o[1] - o[0]);
    }
    if (!taco__array_buf_reserve_text(data, total, err)) {
        return false;
    }
    out = data->data;
    offsets[0] = (int32_t)at;
    for (i = 0; i < n; i++) {
        const int32_t *o = src_offsets + (uint32_t)idx[i];
        size_t         from = (uint32_t)o[0], len = (uint32_t)(o[1] - o[0]);
        taco__array_buf_copy_text(out + at, src + from, len, src_len - from);
        at += len;
        offsets[i + 1] = (int32_t)at;
    }
    data->len = at;
    return true;
}

/* ---- spacing: from packed values to rows -------------------------------------------------------- */

/* From the last row to the first, in place, a word of validity at a time. It ends where rows and values coincide. */
TACO__INLINE void taco__spacing_move(uint8_t *v, size_t width, const uint8_t *validity, size_t bit,
                                     size_t rows, size_t valid)
{
    while (valid < rows) { /* of rows [0, rows), which valid values belong to */
        size_t   k, first, m = (rows - 1) % 64 + 1;
        uint64_t x;
        rows -= m;
        x = taco__bitmap_read(validity, bit + rows, m);
        if (x == TACO__LOW_BITS(m)) {
            valid -= m;
            memmove(v + rows * width, v + valid * width, m * width);
            continue;
        }
        first = x ? taco__plat_ctz64(x) : m;
        for (k = m;
             k-- > first;) { /* without a branch: a null's row gets a copy of the value before it */
            memcpy(v + (rows + k) * width, v + (valid - 1) * width, width);
            valid -= x >> k & 1;
        }
        memset(v + rows * width, 0, first * width);
    }
}
/* Moves n_valid packed values to the rows whose validity bit (from `bit` on) is set; n_valid is their number. Rows
   without a value get some other value or zero. */
TACO__FN void taco__spacing_values(void *values, size_t width, const uint8_t *validity, size_t bit,
                                   size_t n_rows, size_t n_valid)
{
    uint8_t *v = (uint8_t *)values;
    switch (width) {
    case 1: taco__spacing_move(v, 1, validity, bit, n_rows, n_valid); break;
    case 2: taco__spacing_move(v, 2, validity, bit, n_rows, n_valid); break;
    case 4: taco__spacing_move(v, 4, validity, bit, n_rows, n_valid); break;
    case 8: taco__spacing_move(v, 8, validity, bit, n_rows, n_valid); break;
    case 12: taco__spacing_move(v, 12, validity, bit, n_rows, n_valid); break;
    case 16: taco__spacing_move(v, 16, validity, bit, n_rows, n_valid); break;
    default: taco__spacing_move(v, width, validity, bit, n_rows, n_valid); break;
    }
}
/* The same for n_valid + 1 offsets, of which n_rows + 1 are made; a null is a text of length 0. */
TACO__FN void taco__spacing_offsets(int32_t *offsets, const uint8_t *validity, size_t bit,
                                    size_t n_rows, size_t n_valid)
{
    while (n_valid < n_rows) {
        size_t   k, m = (n_rows - 1) % 64 + 1;
        uint64_t x;
        n_rows -= m;
        x = taco__bitmap_read(validity, bit + n_rows, m);
        for (k = m; k-- > 0;) {
            offsets[n_rows + k + 1] = offsets[n_valid];
            n_valid -= x >> k & 1;
        }
    }
}
/* The same for bits, from values_bit on. Rows without a value get 0. */
TACO__FN void taco__spacing_bits(uint8_t *values, size_t values_bit, const uint8_t *validity,
                                 size_t bit, size_t n_rows, size_t n_valid)
{
    while (n_valid < n_rows) {
        size_t   ones, m = (n_rows - 1) % 64 + 1;
        uint64_t x, packed, spread = 0;
        n_rows -= m;
        x = taco__bitmap_read(validity, bit + n_rows, m);
        ones = taco__bitmap_popcount(x);
        n_valid -= ones;
        packed = taco__bitmap_read(values, values_bit + n_valid, ones);
        for (; x; x &= x - 1, packed >>= 1) {
            spread |= (packed & 1) << taco__plat_ctz64(x);
        }
        taco__bitmap_write(values, values_bit + n_rows, spread, m);
    }
}
/* 64 levels to a word with the bits of those that are >= least set. */
TACO__INLINE uint64_t taco__spacing_mask_plain(const int16_t *levels, int16_t least)
{
    uint64_t x = 0, part;
    unsigned i, j;
    for (i = 0; i < 64; i += 8) {
        uint8_t yes[8];
        for (j = 0; j < 8; j++) {
            yes[j] = levels[i + j] >= least;
        }
        part = taco__load_le64(yes) * 0x0102040810204080U >>
               56; /* lowest byte to the lowest bit of the top one, ... */
        x |= part << i;
    }
    return x;
}
#if TACO__X86
TACO__TARGET("avx2") TACO__FN uint64_t taco__spacing_mask_avx2(const int16_t *levels, int16_t least)
{
    const __m256i below =
        _mm256_set1_epi16((int16_t)(least - 1)); /* least > INT16_MIN: levels are not negative */
    uint64_t x = 0;
    unsigned i;
    for (i = 0; i < 64; i += 32) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(const void *)(levels + i));
        __m256i b = _mm256_loadu_si256((const __m256i *)(const void *)(levels + i + 16));
        __m256i both =
            _mm256_packs_epi16(_mm256_cmpgt_epi16(a, below), _mm256_cmpgt_epi16(b, below));
        x |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_permute4x64_epi64(both, 0xD8)) << i;
    }
    return x;
}
#endif
/* Bit i is set where levels[i] >= least, for the n <= 64 levels. */
TACO__FN uint64_t taco__spacing_level_word(const int16_t *levels, size_t n, int16_t least)
{
    uint64_t x = 0;
    size_t   i;
    if (n == 64) {
#if TACO__X86
        if (TACO__CPU_HAS("avx2")) {
            return taco__spacing_mask_avx2(levels, least);
        }
#endif
        return taco__spacing_mask_plain(levels, least);
    }
    for (i = 0; i < n; i++) {
        x |= (uint64_t)(levels[i] >= least) << i;
    }
    return x;
}
/* Sets bit `bit` + i of bitmap where levels[i] >= least, and returns how many: validity from definition levels. */
TACO__FN size_t taco__spacing_level_mask(uint8_t *bitmap, size_t bit, const int16_t *levels,
                                         size_t n, int16_t least)
{
    size_t i, m, ones = 0;
    for (i = 0; i < n; i += m) {
        uint64_t x;
        m = TACO__MIN(n - i, (size_t)64);
        x = taco__spacing_level_word(levels + i, m, least);
        taco__bitmap_write(bitmap, bit + i, x, m);
        ones += taco__bitmap_popcount(x);
    }
    return ones;
}

/* ---- integers and decimals ---------------------------------------------------------------------- */

/* INT32 values to their low 1 or 2 bytes, in place: sixteen at a time are read before they are written. */
TACO__FN void taco__values_narrow(void *values, size_t width, size_t n)
{
    uint8_t *v = (uint8_t *)values;
    size_t   i = 0, j;
    for (; i + 16 <= n && width == 1; i += 16) {
        uint32_t in[16];
        uint8_t  out[16];
        memcpy(in, v + i * 4, sizeof in);
        for (j = 0; j < 16; j++) {
            out[j] = (uint8_t)in[j];
        }
        memcpy(v + i, out, sizeof out);
    }
    for (; i + 16 <= n && width == 2; i += 16) {
        uint32_t in[16];
        uint16_t out[16];
        memcpy(in, v + i * 4, sizeof in);
        for (j = 0; j < 16; j++) {
            out[j] = (uint16_t)in[j];
        }
        memcpy(v + i * 2, out, sizeof out);
    }
    for (; i < n; i++) {
        uint32_t x;
        uint16_t y;
        memcpy(&x, v + i * 4, 4);
        y = (uint16_t)x;
        if (width == 1) {
            v[i] = (uint8_t)x;
        } else {
            memcpy(v + i * 2, &y, 2);
        }
    }
}

/* Decimals become little-endian two's complement of dst_width bytes, 16 or 32 (taco_field.width). */
TACO__INLINE void taco__values_decimal_int(uint8_t *dst, size_t dst_width, int64_t x)
{
    taco__put_le64(dst, (uint64_t)x);
    memset(dst + 8, x < 0 ? 0xFF : 0, dst_width - 8);
}
TACO__FN void taco__values_decimal_int32(uint8_t *dst, size_t dst_width, const int32_t *src,
                                         size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        taco__values_decimal_int(dst + i * dst_width, dst_width, src[i]);
    }
}
TACO__FN void taco__values_decimal_int64(uint8_t *dst, size_t dst_width, const int64_t *src,
                                         size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        taco__values_decimal_int(dst + i * dst_width, dst_width, src[i]);
    }
}
/* Big-endian bytes of any number; those in front may only repeat the sign when there are more than fit. None is 0. */
TACO__INLINE bool taco__values_decimal_big_endian(uint8_t *dst, size_t dst_width,
                                                  const uint8_t *src, size_t len)
{
    uint8_t sign = (uint8_t)(len && src[0] & 0x80 ? 0xFF : 0);
    size_t  i, drop;
    if (len >= 8 &&
        len <=
            16) { /* the low word, and what is above it: the high word without the bytes they share */
        uint64_t low = taco__load_be64(src + len - 8), high = taco__load_be64(src),
                 fill = sign ? UINT64_MAX : 0;
        unsigned shared = (unsigned)(16 - len) * 8;
        taco__put_le64(dst, low);
        taco__put_le64(dst + 8, shared == 64 ? fill
                                : shared     ? high >> shared | fill << (64 - shared)
                                             : high);
        memset(dst + 16, sign, dst_width - 16);
        return true;
    }
    if (len > dst_width) {
        drop = len - dst_width;
        for (i = 0; i < drop; i++) {
            if (src[i] != sign) {
                return false;
            }
        }
        if ((src[drop] ^ sign) & 0x80) {
            return false;
        }
        src += drop;
        len = dst_width;
    }
    for (i = 0; i < len; i++) {
        dst[i] = src[len - 1 - i];
    }
    memset(dst + len, sign, dst_width - len);
    return true;
}
TACO__COLD bool taco__values_decimal_fail(size_t i, size_t len, size_t dst_width, taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
               "value %u: decimal of %u bytes, its precision allows %u", TACO__U(i), TACO__U(len),
               TACO__U(dst_width));
    return false;
}
TACO__FN bool taco__values_decimal_fixed(uint8_t *dst, size_t dst_width, const uint8_t *src,
                                         size_t src_width, size_t n, taco_error *err)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (!taco__values_decimal_big_endian(dst + i * dst_width, dst_width, src + i * src_width,
                                             src_width)) {
            return taco__values_decimal_fail(i, src_width, dst_width, err);
        }
    }
    return true;
}
TACO__FN bool taco__values_decimal_text(uint8_t *dst, size_t dst_width, const uint8_t *data,
                                        const int32_t *offsets, size_t n, taco_error *err)
{
    size_t i;
    for (i = 0; i < n; i++) {
        size_t len = (size_t)(uint32_t)(offsets[i + 1] - offsets[i]);
        if (!taco__values_decimal_big_endian(dst + i * dst_width, dst_width,
                                             data + (uint32_t)offsets[i], len)) {
            return taco__values_decimal_fail(i, len, dst_width, err);
        }
    }
    return true;
}

/* ---- RLE and bit-packed hybrid; BIT_PACKED -------------------------------------------------------- */

typedef struct taco__rle {
    taco_bytes bytes;
    size_t     at;    /* next byte to parse */
    size_t     run;   /* first byte of the run's packed values, or of the one that repeats */
    size_t     used;  /* values taken from a packed run */
    size_t     left;  /* values left in the run */
    uint32_t   value; /* the one that repeats */
    unsigned   width;
    bool       packed, msb;
} taco__rle;

TACO__FN bool taco__rle_open(taco__rle *r, taco_bytes bytes, unsigned width, taco_error *err)
{
    memset(r, 0, sizeof *r);
    r->bytes = bytes;
    r->width = width;
    if (width > 32) { /* Encodings.md, dictionary: max bit width = 32 */
        TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "bit width %u, at most 32 is allowed", TACO__U(width));
        return false;
    }
    return true;
}
/* Values that bytes can hold. */
TACO__INLINE size_t taco__rle_capacity(uint64_t bytes, unsigned width)
{
    uint64_t n = bytes * 8 / width;
    return n < SIZE_MAX ? (size_t)n : SIZE_MAX;
}
/* BIT_PACKED: one run of all the bytes, most significant bit first. */
TACO__FN bool taco__rle_open_msb(taco__rle *r, taco_bytes bytes, unsigned width, taco_error *err)
{
    if (!taco__rle_open(r, bytes, width, err)) {
        return false;
    }
    if (width) {
        r->at = bytes.len;
        r->left = taco__rle_capacity(bytes.len, width);
        r->packed = r->msb = true;
    }
    return true;
}
/* Parses run headers until there are values again; called when none are left. */
TACO__FN bool taco__rle_next_run(taco__rle *r, size_t missing, taco_error *err)
{
    if (!r->width) { /* one possible value: what the runs say does not matter, and some writers leave them out */
        r->left = SIZE_MAX;
        r->packed = false;
        return true;
    }
    do { /* an empty run still takes a byte, so this ends */
        taco__byte_reader c = taco__byte_reader_init(r->bytes);
        uint64_t          head, size, have;
        size_t            i, start = r->at;
        if (start == r->bytes.len) {
            TACO__FAIL(err, TACO_ERR_TRUNCATED, start, "values end, %u more expected",
                       TACO__U(missing));
            return false;
        }
        c.at += start;
        head = c.at[0] < 0x80 ? *c.at++ : taco__byte_reader_varint(&c);
        if (c.bad || head > UINT32_MAX) {
            bool cut = c.bad && c.at == c.end;
            TACO__FAIL(err, cut ? TACO_ERR_TRUNCATED : TACO_ERR_CORRUPT, start,
                       cut ? "run header is cut off" : "run header is longer than 32 bits");
            return false;
        }
        r->run = taco__byte_reader_position(&c);
        r->used = 0;
        r->packed = head & 1;
        have = taco__byte_reader_left(&c);
        size = r->packed ? (head >> 1) * r->width : (r->width + 7) / 8;
        if (r->packed && size <= have) {
            r->left = (size_t)(head >> 1) * 8;
            r->at = r->run + (size_t)size;
            continue;
        }
        if (r->packed) { /* the last run may be cut short behind the values that exist */
            r->left = taco__rle_capacity(have, r->width);
            r->at = r->bytes.len;
            continue;
        }
        if (size > have) {
            TACO__FAIL(err, TACO_ERR_TRUNCATED, r->run, "repeated value of %u bytes, %u are left",
                       size, have);
            return false;
        }
        for (r->value = 0, i = 0; i < size; i++) {
            r->value |= (uint32_t)c.at[i] << (8 * i);
        }
        r->left = (size_t)(head >> 1);
        r->at = r->run + (size_t)size;
    } while (!r->left);
    return true;
}
/* m values of the packed run, which has them, into dst. */
TACO__INLINE void taco__rle_unpack(const taco__rle *r, size_t m, uint32_t *dst)
{
    if (r->msb) {
        taco__bit_unpack_msb(r->bytes.data + r->run, r->width, r->used, m, dst);
    } else {
        taco__bit_unpack32(r->bytes.data + r->run, r->bytes.len - r->run, r->width, r->used, m,
                           dst);
    }
}
/* The same, and true when one of them is above max < 2^31. */
TACO__INLINE bool taco__rle_unpack_check(const taco__rle *r, size_t m, uint32_t *dst, uint32_t max)
{
    if (r->msb || TACO__LOW_BITS(r->width) <= max) {
        taco__rle_unpack(r, m, dst);
        return r->msb && taco__bit_unpack_any_above(dst, m, max);
    }
    return taco__bit_unpack32_above(r->bytes.data + r->run, r->bytes.len - r->run, r->width,
                                    r->used, m, dst, max);
}
TACO__INLINE void taco__rle_advance(taco__rle *r, size_t m)
{
    r->used += m;
    r->left -= m;
}
/* Reports the first value above max among the m at v, which begin at r->used. */
TACO__COLD bool taco__rle_fail_value(const taco__rle *r, const uint32_t *v, size_t m, uint32_t max,
                                     bool index, taco_error *err)
{
    size_t   i = 0;
    uint64_t at = r->run;
    while (r->packed && i + 1 < m && v[i] <= max) {
        i++;
    }
    if (r->packed) {
        at += ((uint64_t)r->used + i) * r->width / 8;
    }
    if (index) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at, "dictionary index %u, dictionary has %u entries",
                   TACO__U(v[i]), TACO__U(max) + 1);
    } else {
        TACO__FAIL(err, TACO_ERR_CORRUPT, at, "level %u, the column's maximum is %u", TACO__U(v[i]),
                   TACO__U(max));
    }
    return false;
}
TACO__COLD bool taco__rle_fail_no_dictionary(const taco__rle *r, taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_CORRUPT, r->at, "dictionary index, but the dictionary is empty");
    return false;
}

/* Dictionary indices, each proven less than entries (<= 2^31). */
TACO__FN bool taco__rle_read_indices(taco__rle *r, int32_t *dst, size_t n, size_t entries,
                                     taco_error *err)
{
    uint32_t *out = (uint32_t *)dst, max;
    if (!n) {
        return true;
    }
    if (!entries) {
        return taco__rle_fail_no_dictionary(r, err);
    }
    max = (uint32_t)TACO__MIN(entries - 1, (size_t)INT32_MAX);
    while (n) {
        size_t m;
        if (!r->left && !taco__rle_next_run(r, n, err)) {
            return false;
        }
        m = TACO__MIN(n, r->left);
        if (r->packed) {
            m = TACO__MIN(m, (size_t)4 *
                                 TACO__STACK_VALUES); /* checked while still in the nearest cache */
            if (taco__rle_unpack_check(r, m, out, max)) {
                return taco__rle_fail_value(r, out, m, max, true, err);
            }
        } else {
            if (r->value > max) {
                return taco__rle_fail_value(r, &r->value, 1, max, true, err);
            }
            taco__values_fill(out, &r->value, 4, m);
        }
        taco__rle_advance(r, m);
        out += m;
        n -= m;
    }
    return true;
}
/* Dictionary indices, replaced at once by the values of width bytes they stand for. */
TACO__FN bool taco__rle_read_dict(taco__rle *r, void *dst, const void *dict, size_t width,
                                  size_t entries, size_t n, taco_error *err)
{
    uint8_t *out = (uint8_t *)dst;
    uint32_t idx[TACO__STACK_VALUES + 8], max;
    if (!n) {
        return true;
    }
    if (!entries) {
        return taco__rle_fail_no_dictionary(r, err);
    }
    max = (uint32_t)TACO__MIN(entries - 1, (size_t)INT32_MAX);
    while (n) {
        size_t m;
        if (!r->left && !taco__rle_next_run(r, n, err)) {
            return false;
        }
        m = TACO__MIN(n, r->left);
        if (r->packed) {
            m = TACO__MIN(m, (size_t)TACO__STACK_VALUES);
            if (taco__rle_unpack_check(r, m, idx, max)) {
                return taco__rle_fail_value(r, idx, m, max, true, err);
            }
            taco__take_fixed(out, dict, width, (const int32_t *)idx, m);
        } else {
            if (r->value > max) {
                return taco__rle_fail_value(r, &r->value, 1, max, true, err);
            }
            taco__values_fill(out, (const uint8_t *)dict + (size_t)r->value * width, width, m);
        }
        taco__rle_advance(r, m);
        out += m * width;
        n -= m;
    }
    return true;
}
/* Whether the next n values are x, by one run. */
TACO__FN bool taco__rle_is_run_of(const taco__rle *r, size_t n, uint32_t x)
{
    return !r->packed && r->left >= n && r->value == x;
}
/* Levels of up to max (<= INT16_MAX). */
TACO__FN bool taco__rle_read_levels(taco__rle *r, int16_t *dst, size_t n, unsigned max,
                                    taco_error *err)
{
    uint32_t v[TACO__STACK_VALUES + 8];
    while (n) {
        size_t i, j, m;
        if (!r->left && !taco__rle_next_run(r, n, err)) {
            return false;
        }
        m = TACO__MIN(n, r->left);
        if (r->packed) {
            m = TACO__MIN(m, (size_t)TACO__STACK_VALUES);
            if (taco__rle_unpack_check(r, m, v, max)) {
                return taco__rle_fail_value(r, v, m, max, false, err);
            }
            for (i = 0; i < m; i += 8) { /* whole groups, as they were unpacked */
                for (j = 0; j < 8; j++) {
                    dst[i + j] = (int16_t)v[i + j];
                }
            }
        } else {
            uint16_t x = (uint16_t)r->value;
            if (r->value > max) {
                return taco__rle_fail_value(r, &r->value, 1, max, false, err);
            }
            taco__values_fill(dst, &x, 2, m);
        }
        taco__rle_advance(r, m);
        dst += m;
        n -= m;
    }
    return true;
}
/* Values of width 1 (or 0) straight into a bitmap: definition levels of a flat nullable column, booleans. Sets *ones,
   the number of valid rows. */
TACO__FN bool taco__rle_read_validity(taco__rle *r, uint8_t *bitmap, size_t bit, size_t n,
                                      size_t *ones, taco_error *err)
{
    size_t sum = 0;
    while (n) {
        size_t i, m;
        if (!r->left && !taco__rle_next_run(r, n, err)) {
            return false;
        }
        m = TACO__MIN(n, r->left);
        if (!r->packed) {
            if (r->value > 1) {
                return taco__rle_fail_value(r, &r->value, 1, 1, false, err);
            }
            taco__bitmap_fill(bitmap, bit, m, r->value != 0);
            sum += r->value ? m : 0;
        } else if (!r->msb) {
            sum += taco__bitmap_copy(bitmap, bit, r->bytes.data + r->run, r->used, m);
        } else {
            uint32_t v[64];
            uint64_t x = 0;
            m = TACO__MIN(m, (size_t)64);
            taco__rle_unpack(r, m, v);
            for (i = 0; i < m; i++) {
                x |= (uint64_t)v[i] << i;
            }
            taco__bitmap_write(bitmap, bit, x, m);
            sum += taco__bitmap_popcount(x);
        }
        taco__rle_advance(r, m);
        bit += m;
        n -= m;
    }
    *ones = sum;
    return true;
}
TACO__FN bool taco__rle_skip(taco__rle *r, size_t n, taco_error *err)
{
    while (n) {
        size_t m;
        if (!r->left && !taco__rle_next_run(r, n, err)) {
            return false;
        }
        m = TACO__MIN(n, r->left);
        taco__rle_advance(r, m);
        n -= m;
    }
    return true;
}
/* Skips n values and sets *equal to how many of them were `level`: values to skip where those are not null. */
TACO__FN bool taco__rle_skip_count(taco__rle *r, size_t n, unsigned level, size_t *equal,
                                   taco_error *err)
{
    size_t sum = 0;
    while (n) {
        size_t i, m;
        if (!r->left && !taco__rle_next_run(r, n, err)) {
            return false;
        }
        m = TACO__MIN(n, r->left);
        if (!r->packed) {
            sum += r->value == level ? m : 0;
        } else if (r->width == 1 && !r->msb) {
            size_t ones = taco__bitmap_count(r->bytes.data + r->run, r->used, m);
            sum += level == 1 ? ones : level == 0 ? m - ones : 0;
        } else {
            uint32_t v[64 + 8];
            m = TACO__MIN(m, (size_t)64);
            taco__rle_unpack(r, m, v);
            for (i = 0; i < m; i++) {
                sum += v[i] == level;
            }
        }
        taco__rle_advance(r, m);
        n -= m;
    }
    *equal = sum;
    return true;
}

/* ---- PLAIN ---------------------------------------------------------------------------------------- */

typedef struct taco__plain {
    taco_bytes bytes;
    size_t     at;  /* next byte; for BOOLEAN the byte the next bit lies in */
    unsigned   bit; /* BOOLEAN: the bit of that byte */
} taco__plain;

TACO__FN void taco__plain_open(taco__plain *p, taco_bytes bytes)
{
    p->bytes = bytes;
    p->at = 0;
    p->bit = 0;
}
TACO__COLD bool taco__plain_fail_short(const taco__plain *p, size_t n, uint64_t have,
                                       taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_TRUNCATED, p->bytes.len, "values end, %u more expected",
               TACO__U(n) - have);
    return false;
}
/* Swaps numbers from or to little-endian on machines of the other order. */
TACO__INLINE void taco__plain_swap_bytes(void *dst, size_t width, size_t n)
{
    uint8_t *d = (uint8_t *)dst;
    size_t   i;
    if (!TACO__BIG_ENDIAN) {
        return;
    }
    for (i = 0; i < n; i++, d += width) {
        if (width == 8) {
            uint64_t x = taco__load_le64(d);
            memcpy(d, &x, 8);
        } else if (width == 4) {
            uint32_t x = taco__load_le32(d);
            memcpy(d, &x, 4);
        } else if (width == 2) {
            uint16_t x = taco__load_le16(d);
            memcpy(d, &x, 2);
        }
    }
}
TACO__FN bool taco__plain_skip(taco__plain *p, size_t width, size_t n, taco_error *err)
{
    size_t left = p->bytes.len - p->at;
    if (width && n > left / width) {
        return taco__plain_fail_short(p, n, left / width, err);
    }
    p->at += n * width;
    return true;
}
TACO__FN bool taco__plain_read(taco__plain *p, void *dst, size_t width, bool numeric, size_t n,
                               taco_error *err)
{
    size_t from = p->at;
    if (!taco__plain_skip(p, width, n, err)) {
        return false;
    }
    if (p->at > from) {
        memcpy(dst, p->bytes.data + from, p->at - from);
    }
    if (numeric) {
        taco__plain_swap_bytes(dst, width, n);
    }
    return true;
}
TACO__FN bool taco__plain_skip_bits(taco__plain *p, size_t n, taco_error *err)
{
    uint64_t have = (uint64_t)(p->bytes.len - p->at) * 8 - p->bit; /* bit is 0 at the end */
    if (n > have) {
        return taco__plain_fail_short(p, n, have, err);
    }
    p->at += (n >> 3) + ((p->bit + (n & 7)) >> 3);
    p->bit = (unsigned)((p->bit + n) & 7);
    return true;
}
/* BOOLEAN into bits dst_bit.. of a bitmap. */
TACO__FN bool taco__plain_read_bits(taco__plain *p, uint8_t *dst, size_t dst_bit, size_t n,
                                    taco_error *err)
{
    size_t   at = p->at;
    unsigned bit = p->bit;
    if (!taco__plain_skip_bits(p, n, err)) {
        return false;
    }
    if (n) {
        taco__bitmap_copy(dst, dst_bit, p->bytes.data + at, bit, n);
    }
    return true;
}
/* Says why the i-th of n texts at byte `at` does not exist. */
TACO__COLD bool taco__plain_fail_text(const taco__plain *p, size_t at, size_t missing,
                                      taco_error *err)
{
    size_t left = p->bytes.len - at;
    if (!left) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, at, "values end, %u more expected", TACO__U(missing));
    } else if (left < 4) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, at, "length of 4 bytes, %u are left", TACO__U(left));
    } else {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, at, "text of %u bytes, %u are left",
                   TACO__U(taco__load_le32(p->bytes.data + at)), TACO__U(left - 4));
    }
    return false;
}
#define TACO__PLAIN_SAME_LENGTH                                                                    \
    8 /* texts of one length in a row that make the next ones likely to have it */
#define TACO__PLAIN_RUN 64 /* texts tried at once then */

/* Takes texts of m <= 32 bytes until one has another length, TACO__PLAIN_RUN of them at most, and returns how many. The
   caller has proven room for all of them, and src to reach 32 bytes behind them. Since a length is only compared with what
   was expected, the next text need not wait for it to be loaded. */
TACO__INLINE size_t taco__plain_copy_run(const uint8_t *src, size_t m, uint8_t *out,
                                         int32_t *offsets, size_t len)
{
    size_t i;
    for (i = 0; i < TACO__PLAIN_RUN && taco__load_le32(src) == m; i++) {
        memcpy(out, src + 4, 32);
        src += 4 + m;
        out += m;
        len += m;
        offsets[i] = (int32_t)len;
    }
    return i;
}
/* BYTE_ARRAY: each length is proven against the bytes left before it is used. */
TACO__FN bool taco__plain_read_text(taco__plain *p, taco__buf *data, int32_t *offsets, size_t n,
                                    taco_error *err)
{
    size_t   i, len, at = p->at, left = p->bytes.len - at, cap, last = 0, alike = 0;
    uint8_t *out;
    /* A first guess, from bytes that are there; the buffer doubles from then on. */
    if (!taco__array_buf_reserve_text(data, TACO__MIN(left, n < left / 16 ? 16 * n : left), err)) {
        return false;
    }
    out = data->data;
    cap = data->cap;
    len = data->len;
    offsets[0] = (int32_t)len;
    for (i = 0; i < n; i++) {
        const uint8_t *src = p->bytes.data + at;
        size_t         m = left >= 4 ? taco__load_le32(src) : SIZE_MAX;
        if (TACO__UNLIKELY(left < 4 || m > left - 4)) {
            return taco__plain_fail_text(p, at, n - i, err);
        }
        left -= 4 + m;
        if (TACO__UNLIKELY(m > cap - len || len > INT32_MAX - m)) {
            data->len = len;
            if (!taco__array_buf_reserve_text(data, m, err)) {
                return false;
            }
            out = data->data;
            cap = data->cap;
        }
        taco__array_buf_copy_text(out + len, src + 4, m, left + m);
        len += m;
        at += 4 + m;
        offsets[i + 1] = (int32_t)len;
        alike = m == last ? alike + 1 : 0;
        last = m;
        if (alike >= TACO__PLAIN_SAME_LENGTH && m <= 32 && n - i > TACO__PLAIN_RUN &&
            left >= TACO__PLAIN_RUN * (4 + m) + 36 && TACO__PLAIN_RUN * m <= cap - len &&
            len <= (size_t)INT32_MAX - TACO__PLAIN_RUN * 32) {
            size_t k = taco__plain_copy_run(p->bytes.data + at, m, out + len, offsets + i + 2, len);
            i += k;
            at += k * (4 + m);
            left -= k * (4 + m);
            len += k * m;
            alike = k == TACO__PLAIN_RUN ? alike : 0;
        }
    }
    data->len = len;
    p->at = at;
    return true;
}
TACO__FN bool taco__plain_skip_text(taco__plain *p, size_t n, taco_error *err)
{
    size_t i, at = p->at;
    for (i = 0; i < n; i++) {
        size_t left = p->bytes.len - at;
        if (left < 4 || taco__load_le32(p->bytes.data + at) > left - 4) {
            return taco__plain_fail_text(p, at, n - i, err);
        }
        at += (size_t)4 + taco__load_le32(p->bytes.data + at);
    }
    p->at = at;
    return true;
}

/* ---- DELTA_BINARY_PACKED ---------------------------------------------------------------------------- */

typedef struct taco__delta_int {
    taco_bytes bytes;
    size_t     at;        /* next byte to parse: a block, or the miniblock behind the current one */
    uint64_t   left;      /* values not yet handed out */
    uint64_t   value;     /* the last one, or the first while `begun` is false */
    uint64_t   least;     /* minimal delta of the block, which is added to each */
    size_t     per_mini;  /* values of a miniblock */
    size_t     minis;     /* of a block */
    size_t     mini;      /* of them begun */
    size_t     widths;    /* the block's list of bit widths */
    size_t     run;       /* first byte of the current miniblock */
    size_t     used;      /* values taken from it */
    size_t     mini_left; /* values left in it, and in those of its width behind it */
    unsigned   width;     /* its bit width */
    unsigned   bits;      /* 32 or 64 */
    bool       begun;
} taco__delta_int;

/* The header begins at byte `from`. All arithmetic wraps (Encodings.md: "overflow should be allowed"), so that sums in
   64 bits are right in their low 32. A section without a byte has no values: pages of nulls only. */
TACO__FN bool taco__delta_int_open(taco__delta_int *d, taco_bytes bytes, size_t from,
                                   uint64_t count, unsigned bits, taco_error *err)
{
    taco__byte_reader c = taco__byte_reader_init(bytes);
    uint64_t          block, minis;
    memset(d, 0, sizeof *d);
    d->bytes = bytes;
    d->bits = bits;
    d->at = from;
    if (from == bytes.len) {
        return true;
    }
    c.at += from;
    block = taco__byte_reader_varint(&c);
    minis = taco__byte_reader_varint(&c);
    d->left = taco__byte_reader_varint(&c);
    d->value = (uint64_t)taco__zigzag_decode(taco__byte_reader_varint(&c));
    d->at = taco__byte_reader_position(&c);
    if (c.bad) {
        bool cut = c.at == c.end;
        TACO__FAIL(err, cut ? TACO_ERR_TRUNCATED : TACO_ERR_CORRUPT, from,
                   cut ? "delta header is cut off"
                       : "delta header has a number longer than 64 bits");
        return false;
    }
    /* A block is a multiple of 128 values, a miniblock one of 32. No page holds 2^31 values. */
    if (!block || block % 128 || block > INT32_MAX || !minis || block % minis ||
        block / minis % 32) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, from,
                   "delta block of %u values in %u miniblocks, must be a multiple of 128 in "
                   "multiples of 32",
                   block, minis);
        return false;
    }
    if (d->left > count) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, from, "delta header counts %u values, the page %u",
                   d->left, count);
        return false;
    }
    d->minis = d->mini = (size_t)minis;
    d->per_mini = (size_t)(block / minis);
    return true;
}
/* Begins the next miniblocks of one width, and the next block where the last one is used up. Called when values are left. */
TACO__FN bool taco__delta_int_next_miniblock(taco__delta_int *d, taco_error *err)
{
    uint64_t size, step, need, have;
    if (d->mini == d->minis) {
        taco__byte_reader c = taco__byte_reader_init(d->bytes);
        c.at += d->at;
        d->least = (uint64_t)taco__zigzag_decode(taco__byte_reader_varint(&c));
        d->widths = taco__byte_reader_position(&c);
        if (c.bad && c.at != c.end) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, d->at, "minimal delta is longer than 64 bits");
            return false;
        }
        if (!taco__byte_reader_take(&c, d->minis)) {
            TACO__FAIL(err, TACO_ERR_TRUNCATED, d->at,
                       "delta block is cut off, %u more values expected", d->left);
            return false;
        }
        d->at = taco__byte_reader_position(&c);
        d->mini = 0;
    }
    d->width = d->bytes.data[d->widths + d->mini];
    if (d->width >
        64) { /* DuckDB writes INT32 deltas of 33 bits, against the specification; peers read them */
        TACO__FAIL(err, TACO_ERR_CORRUPT, d->widths + d->mini,
                   "deltas of %u bits, at most 64 are allowed", TACO__U(d->width));
        return false;
    }
    d->mini++;
    d->mini_left = d->per_mini;
    size = (uint64_t)d->per_mini / 8 * d->width;
    need = (TACO__MIN(d->left, (uint64_t)d->per_mini) * d->width + 7) / 8;
    have = d->bytes.len - d->at;
    /* miniblocks of one width are one run, as long as they are there and have values */
    for (step = size; d->mini < d->minis && d->bytes.data[d->widths + d->mini] == d->width &&
                      d->mini_left < d->left && size + step <= have;
         d->mini++) {
        d->mini_left += d->per_mini;
        size += step;
        need = TACO__MIN((TACO__MIN(d->left, (uint64_t)d->mini_left) * d->width + 7) / 8, size);
    }
    if (need > have) { /* the padding of the last one may be missing */
        TACO__FAIL(err, TACO_ERR_TRUNCATED, d->at, "deltas of %u bytes, %u are left", need, have);
        return false;
    }
    d->run = d->at;
    d->at += (size_t)TACO__MIN(size, have);
    d->used = 0;
    return true;
}
/* How many of n values can be taken in one step, 0 on failure. */
TACO__INLINE size_t taco__delta_int_available(taco__delta_int *d, size_t n, taco_error *err)
{
    size_t m;
    if (!d->mini_left && !taco__delta_int_next_miniblock(d, err)) {
        return 0;
    }
    m = TACO__MIN(TACO__MIN(n, d->mini_left), (size_t)TACO__STACK_VALUES);
    d->mini_left -= m;
    d->left -= m;
    return m;
}
TACO__FN bool taco__delta_int_check_left(const taco__delta_int *d, size_t n, taco_error *err)
{
    if (n > d->left) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, d->at, "values end, %u more expected", n - d->left);
        return false;
    }
    return true;
}
TACO__INLINE void taco__delta_int_unpack32(taco__delta_int *d, size_t m, uint32_t *dst)
{
    if (TACO__UNLIKELY(d->width > 32)) { /* arithmetic wraps: the low 32 bits are enough */
        uint64_t wide[TACO__STACK_VALUES + 8];
        size_t   i;
        taco__bit_unpack64(d->bytes.data + d->run, d->bytes.len - d->run, d->width, d->used, m,
                           wide);
        for (i = 0; i < m; i++) {
            dst[i] = (uint32_t)wide[i];
        }
    } else {
        taco__bit_unpack32(d->bytes.data + d->run, d->bytes.len - d->run, d->width, d->used, m,
                           dst);
    }
    d->used += m;
}
/* out[i] = sum of the first i + 1 deltas, each `least` more than v[i], and of `sum`, which is also out[-1]. */
TACO__INLINE uint64_t taco__delta_int_sum64_plain(uint64_t *out, const uint32_t *v, size_t n,
                                                  uint64_t sum, uint64_t least)
{
    size_t i;
    for (i = 0; i < n; i++) {
        out[i] = sum += least + v[i];
    }
    return sum;
}
/* May work in place. */
TACO__INLINE uint32_t taco__delta_int_sum32_plain(uint32_t *out, const uint32_t *v, size_t n,
                                                  uint32_t sum, uint32_t least)
{
    size_t i;
    for (i = 0; i < n; i++) {
        out[i] = sum += least + v[i];
    }
    return sum;
}
#if TACO__X86
/* Running sums of eight: within each half, then the low half's total to the high one. */
TACO__INLINE TACO__TARGET("avx2") __m256i taco__delta_int_prefix(__m256i x)
{
    __m256i low;
    x = _mm256_add_epi32(x, _mm256_slli_si256(x, 4));
    x = _mm256_add_epi32(x, _mm256_slli_si256(x, 8));
    low = _mm256_permute2x128_si256(x, x, 0x08); /* 0, low half */
    return _mm256_add_epi32(x, _mm256_shuffle_epi32(low, 0xFF));
}
/* v[i] < 2^29, so that eight of them do not overflow. Only one addition waits for the eight before. */
TACO__TARGET("avx2")
TACO__FN uint64_t taco__delta_int_sum64_avx2(uint64_t *out, const uint32_t *v, size_t n,
                                             uint64_t sum, uint64_t least)
{
    const __m256i low = _mm256_setr_epi64x((int64_t)least, (int64_t)(2 * least),
                                           (int64_t)(3 * least), (int64_t)(4 * least));
    const __m256i high = _mm256_add_epi64(low, _mm256_set1_epi64x((int64_t)(4 * least)));
    const __m256i step = _mm256_set1_epi64x((int64_t)(8 * least));
    const __m256i last = _mm256_setr_epi32(7, 7, 7, 7, 7, 7, 7, 7);
    const __m256i even = _mm256_set1_epi64x(0xFFFFFFFF);
    __m256i       base = _mm256_set1_epi64x((int64_t)sum);
    size_t        i;
    for (i = 0; i + 8 <= n; i += 8) {
        __m256i x =
            taco__delta_int_prefix(_mm256_loadu_si256((const __m256i *)(const void *)(v + i)));
        __m256i a = _mm256_cvtepu32_epi64(_mm256_castsi256_si128(x));
        __m256i b = _mm256_cvtepu32_epi64(_mm256_extracti128_si256(x, 1));
        _mm256_storeu_si256((__m256i *)(void *)(out + i),
                            _mm256_add_epi64(_mm256_add_epi64(a, low), base));
        _mm256_storeu_si256((__m256i *)(void *)(out + i + 4),
                            _mm256_add_epi64(_mm256_add_epi64(b, high), base));
        base = _mm256_add_epi64(
            base,
            _mm256_add_epi64(step, _mm256_and_si256(_mm256_permutevar8x32_epi32(x, last), even)));
    }
    return taco__delta_int_sum64_plain(out + i, v + i, n - i, i ? out[i - 1] : sum, least);
}
/* May work in place. */
TACO__TARGET("avx2")
TACO__FN uint32_t taco__delta_int_sum32_avx2(uint32_t *out, const uint32_t *v, size_t n,
                                             uint32_t sum, uint32_t least)
{
    const __m256i low = _mm256_mullo_epi32(_mm256_set1_epi32((int)least),
                                           _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8));
    const __m256i step = _mm256_set1_epi32((int)(8 * least));
    const __m256i last = _mm256_set1_epi32(7);
    __m256i       base = _mm256_set1_epi32((int)sum);
    size_t        i;
    for (i = 0; i + 8 <= n; i += 8) {
        __m256i x =
            taco__delta_int_prefix(_mm256_loadu_si256((const __m256i *)(const void *)(v + i)));
        _mm256_storeu_si256((__m256i *)(void *)(out + i),
                            _mm256_add_epi32(_mm256_add_epi32(x, low), base));
        base = _mm256_add_epi32(base, _mm256_add_epi32(step, _mm256_permutevar8x32_epi32(x, last)));
    }
    return taco__delta_int_sum32_plain(out + i, v + i, n - i, i ? out[i - 1] : sum, least);
}
#endif
TACO__INLINE uint64_t taco__delta_int_sum64(uint64_t *out, const uint32_t *v, size_t n,
                                            uint64_t sum, uint64_t least, unsigned width)
{
#if TACO__X86
    if (width < 30 && TACO__CPU_HAS("avx2")) {
        return taco__delta_int_sum64_avx2(out, v, n, sum, least);
    }
#endif
    (void)width;
    return taco__delta_int_sum64_plain(out, v, n, sum, least);
}
TACO__INLINE uint32_t taco__delta_int_sum32(uint32_t *out, const uint32_t *v, size_t n,
                                            uint32_t sum, uint32_t least)
{
#if TACO__X86
    if (TACO__CPU_HAS("avx2")) {
        return taco__delta_int_sum32_avx2(out, v, n, sum, least);
    }
#endif
    return taco__delta_int_sum32_plain(out, v, n, sum, least);
}
TACO__FN bool taco__delta_int_read64(taco__delta_int *d, int64_t *dst, size_t n, taco_error *err)
{
    uint64_t *out = (uint64_t *)dst;
    uint32_t  v[TACO__STACK_VALUES + 8];
    if (!taco__delta_int_check_left(d, n, err)) {
        return false;
    }
    if (n && !d->begun) {
        d->begun = true;
        d->left--;
        *out++ = d->value;
        n--;
    }
    while (n) {
        uint64_t sum, least;
        size_t   i, m = taco__delta_int_available(d, n, err);
        if (!m) {
            return false;
        }
        sum = d->value;
        least = d->least;
        if (!d->width) {
            for (i = 0; i < m; i++) {
                out[i] = sum += least;
            }
        } else if (d->width <= 32) {
            taco__delta_int_unpack32(d, m, v);
            sum = taco__delta_int_sum64(out, v, m, sum, least, d->width);
        } else {
            taco__bit_unpack64(d->bytes.data + d->run, d->bytes.len - d->run, d->width, d->used, m,
                               out);
            d->used += m;
            for (i = 0; i < m; i++) {
                out[i] = sum += least + out[i];
            }
        }
        d->value = sum;
        out += m;
        n -= m;
    }
    return true;
}
TACO__FN bool taco__delta_int_read32(taco__delta_int *d, int32_t *dst, size_t n, taco_error *err)
{
    uint32_t *out = (uint32_t *)dst;
    if (!taco__delta_int_check_left(d, n, err)) {
        return false;
    }
    if (n && !d->begun) {
        d->begun = true;
        d->left--;
        *out++ = (uint32_t)d->value;
        n--;
    }
    while (n) {
        size_t m = taco__delta_int_available(d, n, err);
        if (!m) {
            return false;
        }
        taco__delta_int_unpack32(d, m, out);
        d->value = taco__delta_int_sum32(out, out, m, (uint32_t)d->value, (uint32_t)d->least);
        out += m;
        n -= m;
    }
    return true;
}
/* Skipped values still have to be summed up. */
TACO__FN bool taco__delta_int_skip(taco__delta_int *d, size_t n, taco_error *err)
{
    uint64_t v[TACO__STACK_VALUES + 8];
    if (!taco__delta_int_check_left(d, n, err)) {
        return false;
    }
    if (n && !d->begun) {
        d->begun = true;
        d->left--;
        n--;
    }
    while (n) {
        size_t   i, m = taco__delta_int_available(d, n, err);
        uint64_t sum = d->least * m;
        if (!m) {
            return false;
        }
        if (d->width <= 32) {
            uint32_t *v32 = (uint32_t *)(void *)v;
            taco__delta_int_unpack32(d, m, v32);
            for (i = 0; i < m; i++) {
                sum += v32[i];
            }
        } else {
            taco__bit_unpack64(d->bytes.data + d->run, d->bytes.len - d->run, d->width, d->used, m,
                               v);
            d->used += m;
            for (i = 0; i < m; i++) {
                sum += v[i];
            }
        }
        d->value += sum;
        n -= m;
    }
    return true;
}
/* Sets *end to the byte behind the last miniblock, where the next part of a page begins. d has just been opened. Walks
   the blocks without unpacking: each takes bytes of the page, so this is bounded by them. */
TACO__FN bool taco__delta_int_find_end(const taco__delta_int *d, size_t *end, taco_error *err)
{
    taco__delta_int w = *d;
    w.left -= w.left ? 1 : 0;
    while (w.left) {
        if (!taco__delta_int_next_miniblock(&w, err)) {
            return false;
        }
        w.left -= TACO__MIN(w.left, (uint64_t)w.mini_left);
    }
    *end = w.at;
    return true;
}

/* ---- DELTA_LENGTH_BYTE_ARRAY ------------------------------------------------------------------------ */

typedef struct taco__delta_len {
    taco__delta_int lengths;
    size_t          at; /* first byte of the next text */
} taco__delta_len;

TACO__FN bool taco__delta_len_open(taco__delta_len *s, taco_bytes bytes, size_t from,
                                   uint64_t count, taco_error *err)
{
    return taco__delta_int_open(&s->lengths, bytes, from, count, 32, err) &&
           taco__delta_int_find_end(&s->lengths, &s->at, err);
}
/* The next m <= TACO__STACK_VALUES lengths, proven to lie in the bytes left, and their sum. */
TACO__FN bool taco__delta_len_next(taco__delta_len *s, int32_t *lengths, size_t m, size_t *total,
                                   taco_error *err)
{
    uint64_t sum = 0, left = s->lengths.bytes.len - s->at;
    uint32_t any = 0;
    size_t   i;
    if (!taco__delta_int_read32(&s->lengths, lengths, m, err)) {
        return false;
    }
    for (i = 0; i < m; i++) {
        sum += (uint32_t)lengths[i];
        any |= (uint32_t)lengths[i];
    }
    if (any >> 31) {
        for (i = 0; lengths[i] >= 0; i++) {
        }
        TACO__FAIL(err, TACO_ERR_CORRUPT, s->lengths.run, "length %d of a text",
                   TACO__D(lengths[i]));
        return false;
    }
    if (sum > left) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, s->at, "texts of %u bytes, %u are left", sum, left);
        return false;
    }
    *total = (size_t)sum;
    return true;
}
/* The texts stand back to back, so a chunk of them is one copy. */
TACO__FN bool taco__delta_len_read_text(taco__delta_len *s, taco__buf *data, int32_t *offsets,
                                        size_t n, taco_error *err)
{
    int32_t lengths[TACO__STACK_VALUES + 16];
    size_t  i, m, total;
    if (!taco__array_buf_reserve_text(data, 0, err)) {
        return false;
    }
    offsets[0] = (int32_t)data->len;
    for (; n; n -= m, offsets += m) {
        int32_t at = (int32_t)data->len;
        m = TACO__MIN(n, (size_t)TACO__STACK_VALUES);
        if (!taco__delta_len_next(s, lengths, m, &total, err) ||
            !taco__array_buf_reserve_text(data, total, err)) {
            return false;
        }
        for (i = 0; i < m; i++) {
            offsets[i + 1] = at += lengths[i];
        }
        if (total) {
            memcpy(data->data + data->len, s->lengths.bytes.data + s->at, total);
        }
        data->len += total;
        s->at += total;
    }
    return true;
}
TACO__FN bool taco__delta_len_skip(taco__delta_len *s, size_t n, taco_error *err)
{
    int32_t lengths[TACO__STACK_VALUES + 16];
    size_t  m, total;
    for (; n; n -= m) {
        m = TACO__MIN(n, (size_t)TACO__STACK_VALUES);
        if (!taco__delta_len_next(s, lengths, m, &total, err)) {
            return false;
        }
        s->at += total;
    }
    return true;
}

/* ---- DELTA_BYTE_ARRAY ------------------------------------------------------------------------------- */

/* Each value is a prefix of the one before and a suffix of its own. */
typedef struct taco__delta_bytes {
    taco__delta_int prefixes;
    taco__delta_len suffixes;
    taco__buf       last; /* the value before the next one */
} taco__delta_bytes;

TACO__FN void
taco__delta_bytes_init(taco__delta_bytes *s,
                       taco__mem         *mem) /* once; _close in the end, _open for each page */
{
    memset(s, 0, sizeof *s);
    s->last.mem = mem;
}
TACO__FN void taco__delta_bytes_free(taco__delta_bytes *s)
{
    taco__buf_free(&s->last);
}
TACO__FN bool taco__delta_bytes_open(taco__delta_bytes *s, taco_bytes bytes, uint64_t count,
                                     taco_error *err)
{
    size_t end;
    s->last.len = 0;
    return taco__delta_int_open(&s->prefixes, bytes, 0, count, 32, err) &&
           taco__delta_int_find_end(&s->prefixes, &end, err) &&
           taco__delta_len_open(&s->suffixes, bytes, end, count, err);
}
#define TACO__DELTA_BYTES_STEP 128
typedef struct
    taco__delta_bytes_part { /* lengths of the next values, proven, and what they come to */
    int32_t  prefix[TACO__DELTA_BYTES_STEP + 16], suffix[TACO__DELTA_BYTES_STEP + 16];
    size_t   n, suffix_total;
    uint64_t total;
} taco__delta_bytes_part;

/* width is what every value must have, or SIZE_MAX when they are text. */
TACO__FN bool taco__delta_bytes_next(taco__delta_bytes *s, taco__delta_bytes_part *p, size_t n,
                                     size_t width, taco_error *err)
{
    uint64_t len = s->last.len;
    size_t   i;
    p->n = TACO__MIN(n, (size_t)TACO__DELTA_BYTES_STEP);
    p->total = 0;
    if (!taco__delta_int_read32(&s->prefixes, p->prefix, p->n, err) ||
        !taco__delta_len_next(&s->suffixes, p->suffix, p->n, &p->suffix_total, err)) {
        return false;
    }
    for (i = 0; i < p->n; i++) {
        if (p->prefix[i] < 0 || (uint32_t)p->prefix[i] > len) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, s->prefixes.run,
                       "prefix of %d bytes, the text before has %u", TACO__D(p->prefix[i]), len);
            return false;
        }
        len = (uint64_t)(uint32_t)p->prefix[i] + (uint32_t)p->suffix[i];
        if (width != SIZE_MAX && len != width) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, s->prefixes.run, "value of %u bytes, the type has %u",
                       len, TACO__U(width));
            return false;
        }
        p->total += len;
    }
    return true;
}
/* Writes the values of a part, p->total bytes, to dst and keeps the last one. */
TACO__FN bool taco__delta_bytes_write(taco__delta_bytes *s, const taco__delta_bytes_part *p,
                                      uint8_t *dst, taco_error *err)
{
    const uint8_t *prev = s->last.data, *src = s->suffixes.lengths.bytes.data + s->suffixes.at;
    size_t i, prev_left = s->last.len, left = s->suffixes.lengths.bytes.len - s->suffixes.at,
              len = s->last.len;
    for (i = 0; i < p->n; i++) {
        size_t a = (uint32_t)p->prefix[i], b = (uint32_t)p->suffix[i];
        taco__array_buf_copy_text(dst, prev, a, prev_left);
        taco__array_buf_copy_text(dst + a, src, b, left);
        src += b;
        left -= b;
        prev = dst;
        len = a + b;
        dst += len;
        prev_left = len + TACO__PAD; /* now it lies in front of dst */
    }
    s->suffixes.at += p->suffix_total;
    s->last.len = 0; /* prev does not lie in it, unless nothing was read */
    return p->n == 0 || taco__buf_append(&s->last, prev, len, err);
}
TACO__FN bool taco__delta_bytes_read_text(taco__delta_bytes *s, taco__buf *data, int32_t *offsets,
                                          size_t n, taco_error *err)
{
    taco__delta_bytes_part p;
    size_t                 i;
    if (!taco__array_buf_reserve_text(data, 0, err)) {
        return false;
    }
    offsets[0] = (int32_t)data->len;
    for (; n; n -= p.n, offsets += p.n) {
        int32_t at = (int32_t)data->len;
        if (!taco__delta_bytes_next(s, &p, n, SIZE_MAX, err) ||
            !taco__array_buf_reserve_text(data, p.total, err) ||
            !taco__delta_bytes_write(s, &p, data->data + data->len, err)) {
            return false;
        }
        for (i = 0; i < p.n; i++) {
            offsets[i + 1] = at += p.prefix[i] + p.suffix[i];
        }
        data->len += (size_t)p.total;
    }
    return true;
}
/* FIXED_LEN_BYTE_ARRAY of width bytes. */
TACO__FN bool taco__delta_bytes_read_fixed(taco__delta_bytes *s, void *dst, size_t width, size_t n,
                                           taco_error *err)
{
    taco__delta_bytes_part p;
    uint8_t               *out = (uint8_t *)dst;
    for (; n; n -= p.n, out += p.total) {
        if (!taco__delta_bytes_next(s, &p, n, width, err) ||
            !taco__delta_bytes_write(s, &p, out, err)) {
            return false;
        }
    }
    return true;
}
/* Builds each value on top of the one before, without writing it anywhere else. */
TACO__FN bool taco__delta_bytes_skip(taco__delta_bytes *s, size_t n, taco_error *err)
{
    taco__delta_bytes_part p;
    size_t                 i;
    for (; n; n -= p.n) {
        if (!taco__delta_bytes_next(s, &p, n, SIZE_MAX, err)) {
            return false;
        }
        for (i = 0; i < p.n; i++) {
            size_t b = (uint32_t)p.suffix[i];
            s->last.len = (uint32_t)p.prefix[i];
            if (!taco__buf_append(&s->last, s->suffixes.lengths.bytes.data + s->suffixes.at, b,
                                  err)) {
                return false;
            }
            s->suffixes.at += b;
        }
    }
    return true;
}

/* ---- BYTE_STREAM_SPLIT ------------------------------------------------------------------------------ */

typedef struct taco__stream_split {
    taco_bytes bytes;
    size_t width, stride; /* bytes of a value; values, which is also the distance of the streams */
    size_t at;            /* the next value */
} taco__stream_split;

TACO__FN bool taco__stream_split_open(taco__stream_split *s, taco_bytes bytes, size_t width,
                                      taco_error *err)
{
    s->bytes = bytes;
    s->width = width;
    s->at = 0;
    s->stride = width ? bytes.len / width : 0;
    if (width && bytes.len % width) { /* width streams of equal length, nothing else */
        TACO__FAIL(err, TACO_ERR_CORRUPT, 0, "%u bytes in %u streams of equal length",
                   TACO__U(bytes.len), TACO__U(width));
        return false;
    }
    return true;
}
TACO__FN bool taco__stream_split_skip(taco__stream_split *s, size_t n, taco_error *err)
{
    if (s->width && n > s->stride - s->at) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, s->bytes.len, "values end, %u more expected",
                   TACO__U(n - (s->stride - s->at)));
        return false;
    }
    s->at += n;
    return true;
}
/* Byte k of word j becomes byte j of word k: swaps the halves, the quarters, the eighths across the diagonal. */
#define TACO__STREAM_SPLIT_SWAP(a, b, by, mask)                                                    \
    do {                                                                                           \
        uint64_t t = ((a >> (by)) ^ b) & (mask);                                                   \
        b ^= t;                                                                                    \
        a ^= t << (by);                                                                            \
    } while (0)
TACO__INLINE void taco__stream_split_transpose(uint64_t w[8])
{
    uint64_t a = w[0], b = w[1], c = w[2], d = w[3], e = w[4], f = w[5], g = w[6], h = w[7];
    TACO__STREAM_SPLIT_SWAP(a, e, 32, 0x00000000FFFFFFFFU);
    TACO__STREAM_SPLIT_SWAP(b, f, 32, 0x00000000FFFFFFFFU);
    TACO__STREAM_SPLIT_SWAP(c, g, 32, 0x00000000FFFFFFFFU);
    TACO__STREAM_SPLIT_SWAP(d, h, 32, 0x00000000FFFFFFFFU);
    TACO__STREAM_SPLIT_SWAP(a, c, 16, 0x0000FFFF0000FFFFU);
    TACO__STREAM_SPLIT_SWAP(b, d, 16, 0x0000FFFF0000FFFFU);
    TACO__STREAM_SPLIT_SWAP(e, g, 16, 0x0000FFFF0000FFFFU);
    TACO__STREAM_SPLIT_SWAP(f, h, 16, 0x0000FFFF0000FFFFU);
    TACO__STREAM_SPLIT_SWAP(a, b, 8, 0x00FF00FF00FF00FFU);
    TACO__STREAM_SPLIT_SWAP(c, d, 8, 0x00FF00FF00FF00FFU);
    TACO__STREAM_SPLIT_SWAP(e, f, 8, 0x00FF00FF00FF00FFU);
    TACO__STREAM_SPLIT_SWAP(g, h, 8, 0x00FF00FF00FF00FFU);
    w[0] = a, w[1] = b, w[2] = c, w[3] = d, w[4] = e, w[5] = f, w[6] = g, w[7] = h;
}
#undef TACO__STREAM_SPLIT_SWAP
/* Widths 2 and 4, 64 / width values a step: the streams' next 8 bytes, 8 / width times, fill the rows of a square of
   bytes whose columns are the values. Returns how many were done, as little-endian bytes. */
TACO__INLINE size_t taco__stream_split_read_narrow(const uint8_t *src, size_t stride,
                                                   unsigned width, uint8_t *dst, size_t n)
{
    size_t         i;
    const unsigned parts = 8 / width, step = 64 / width;
    for (i = 0; i + step <= n; i += step, dst += 64) {
        uint64_t w[8];
        unsigned j, k;
        for (j = 0; j < 8; j++) {
            w[j] = taco__load_le64(src + i + (j % width) * stride + 8 * (j / width));
        }
        taco__stream_split_transpose(w);
        for (j = 0; j < 8; j++) {
            for (k = 0; k < parts; k++) {
                uint64_t x = w[j] >> (8 * width * k);
                if (width == 4) {
                    taco__put_le32(dst + 32 * k + 4 * j, (uint32_t)x);
                } else {
                    dst[16 * k + 2 * j] = (uint8_t)x;
                    dst[16 * k + 2 * j + 1] = (uint8_t)(x >> 8);
                }
            }
        }
    }
    return i;
}
/* Widths from 8 on, 8 values a step: eight streams after eight, the last eight overlapping the ones before. */
TACO__FN size_t taco__stream_split_read_wide(const uint8_t *src, size_t stride, size_t width,
                                             uint8_t *dst, size_t n)
{
    size_t i, from, j;
    for (i = 0; i + 8 <= n; i += 8, dst += 8 * width) {
        for (from = 0; from < width; from += 8) {
            uint64_t w[8];
            size_t   first = TACO__MIN(from, width - 8);
            for (j = 0; j < 8; j++) {
                w[j] = taco__load_le64(src + i + (first + j) * stride);
            }
            taco__stream_split_transpose(w);
            for (j = 0; j < 8; j++) {
                taco__put_le64(dst + j * width + first, w[j]);
            }
        }
    }
    return i;
}
TACO__FN size_t taco__stream_split_read_plain(const uint8_t *src, size_t stride, size_t width,
                                              uint8_t *dst, size_t n)
{
    return width == 2   ? taco__stream_split_read_narrow(src, stride, 2, dst, n)
           : width == 4 ? taco__stream_split_read_narrow(src, stride, 4, dst, n)
           : width >= 8 ? taco__stream_split_read_wide(src, stride, width, dst, n)
                        : 0;
}
#if TACO__X86
#define TACO__STREAM_SPLIT_LOAD(k)                                                                 \
    _mm256_loadu_si256((const __m256i *)(const void *)(src + i + (k)*stride))
/* Stores the low halves of a (count of vectors) in order and the high ones behind them. */
#define TACO__STREAM_SPLIT_STORE(v, count, k)                                                      \
    _mm_storeu_si128((__m128i *)(void *)(dst + 16 * (k)), _mm256_castsi256_si128(v));              \
    _mm_storeu_si128((__m128i *)(void *)(dst + 16 * ((count) + (k))),                              \
                     _mm256_extracti128_si256(v, 1))
/* The same, 32 values a step, by interleaving bytes: streams apart by half their number first. */
TACO__TARGET("avx2")
TACO__FN size_t taco__stream_split_read_avx2(const uint8_t *src, size_t stride, unsigned width,
                                             uint8_t *dst, size_t n)
{
    size_t i;
    for (i = 0; i + 32 <= n; i += 32, dst += 32 * width) {
        if (width == 2) {
            __m256i a = TACO__STREAM_SPLIT_LOAD(0), b = TACO__STREAM_SPLIT_LOAD(1);
            __m256i x = _mm256_unpacklo_epi8(a, b), y = _mm256_unpackhi_epi8(a, b);
            TACO__STREAM_SPLIT_STORE(x, 2, 0);
            TACO__STREAM_SPLIT_STORE(y, 2, 1);
        } else if (width == 4) {
            __m256i a = TACO__STREAM_SPLIT_LOAD(0), b = TACO__STREAM_SPLIT_LOAD(1),
                    c = TACO__STREAM_SPLIT_LOAD(2), e = TACO__STREAM_SPLIT_LOAD(3);
            __m256i ac0 = _mm256_unpacklo_epi8(a, c), ac1 = _mm256_unpackhi_epi8(a, c);
            __m256i be0 = _mm256_unpacklo_epi8(b, e), be1 = _mm256_unpackhi_epi8(b, e);
            __m256i x0 = _mm256_unpacklo_epi8(ac0, be0), x1 = _mm256_unpackhi_epi8(ac0, be0);
            __m256i x2 = _mm256_unpacklo_epi8(ac1, be1), x3 = _mm256_unpackhi_epi8(ac1, be1);
            TACO__STREAM_SPLIT_STORE(x0, 4, 0);
            TACO__STREAM_SPLIT_STORE(x1, 4, 1);
            TACO__STREAM_SPLIT_STORE(x2, 4, 2);
            TACO__STREAM_SPLIT_STORE(x3, 4, 3);
        } else {
            __m256i  p[8], q[8];
            unsigned k;
            for (k = 0; k < 4;
                 k++) { /* p: streams k and k + 4, first and second half of their bytes */
                __m256i a = TACO__STREAM_SPLIT_LOAD(k), b = TACO__STREAM_SPLIT_LOAD(k + 4);
                p[k] = _mm256_unpacklo_epi8(a, b);
                p[k + 4] = _mm256_unpackhi_epi8(a, b);
            }
            for (k = 0; k < 2; k++) { /* q: k, k + 2, k + 4, k + 6 in quarters */
                q[k] = _mm256_unpacklo_epi8(p[k], p[k + 2]);
                q[k + 2] = _mm256_unpackhi_epi8(p[k], p[k + 2]);
                q[k + 4] = _mm256_unpacklo_epi8(p[k + 4], p[k + 6]);
                q[k + 6] = _mm256_unpackhi_epi8(p[k + 4], p[k + 6]);
            }
            for (k = 0; k < 4; k++) {
                __m256i x = _mm256_unpacklo_epi8(q[2 * k], q[2 * k + 1]);
                __m256i y = _mm256_unpackhi_epi8(q[2 * k], q[2 * k + 1]);
                TACO__STREAM_SPLIT_STORE(x, 8, 2 * k);
                TACO__STREAM_SPLIT_STORE(y, 8, 2 * k + 1);
            }
        }
    }
    return i;
}
#endif
TACO__FN bool taco__stream_split_read(taco__stream_split *s, void *dst, bool numeric, size_t n,
                                      taco_error *err)
{
    uint8_t       *out = (uint8_t *)dst;
    const size_t   width = s->width, stride = s->stride;
    const uint8_t *src;
    size_t         k, done = 0;
    if (!n || !width) {
        return true;
    }
    if (!taco__stream_split_skip(s, n, err)) {
        return false;
    }
    src = s->bytes.data + (s->at - n);
#if TACO__X86
    if ((width == 2 || width == 4 || width == 8) && TACO__CPU_HAS("avx2")) {
        done = taco__stream_split_read_avx2(src, stride, (unsigned)width, out, n);
    }
#endif
    done += taco__stream_split_read_plain(src + done, stride, width, out + done * width, n - done);
    for (; done < n; done++) {
        for (k = 0; k < width; k++) {
            out[done * width + k] = src[done + k * stride];
        }
    }
    if (numeric) {
        taco__plain_swap_bytes(dst, width, n);
    }
    return true;
}
