/* ==== ROOM base: checked arithmetic, little-endian loads, slices, a sticky byte cursor. Uses: plat ==== */

#define TACO__COUNT(a)                  (sizeof(a) / sizeof((a)[0]))
#define TACO__STATIC_ASSERT(name, cond) typedef char taco__assert_##name[(cond) ? 1 : -1]
#define TACO__MIN(a, b)                 ((a) < (b) ? (a) : (b))
#define TACO__MAX(a, b)                 ((a) > (b) ? (a) : (b))

/* Sums, products and narrowing of numbers that come from a file. False, and *out untouched, on overflow. */
TACO__INLINE bool taco__checked_add64(uint64_t a, uint64_t b, uint64_t *out)
{
    if (a > UINT64_MAX - b) {
        return false;
    }
    *out = a + b;
    return true;
}
TACO__INLINE bool taco__checked_mul64(uint64_t a, uint64_t b, uint64_t *out)
{
    if (b && a > UINT64_MAX / b) {
        return false;
    }
    *out = a * b;
    return true;
}
TACO__INLINE bool taco__checked_add_size(size_t a, size_t b, size_t *out)
{
    if (a > SIZE_MAX - b) {
        return false;
    }
    *out = a + b;
    return true;
}
TACO__INLINE bool taco__checked_mul_size(size_t a, size_t b, size_t *out)
{
    if (b && a > SIZE_MAX / b) {
        return false;
    }
    *out = a * b;
    return true;
}
TACO__INLINE bool taco__checked_to_size(uint64_t a, size_t *out) /* file size -> memory size */
{
    if (a > SIZE_MAX / 2) {
        return false;
    }
    *out = (size_t)a;
    return true;
}
/* True when [offset, offset + len) lies inside [0, size). */
TACO__INLINE bool taco__checked_range(uint64_t offset, uint64_t len, uint64_t size)
{
    return offset <= size && len <= size - offset;
}

TACO__INLINE uint16_t taco__load_le16(const uint8_t *p)
{
    return (uint16_t)(p[0] | (unsigned)p[1] << 8);
}
TACO__INLINE uint32_t taco__load_le32(const uint8_t *p)
{
    uint32_t x;
    memcpy(&x, p, 4);
    return TACO__BIG_ENDIAN ? taco__plat_swap32(x) : x;
}
TACO__INLINE uint64_t taco__load_le64(const uint8_t *p)
{
    uint64_t x;
    memcpy(&x, p, 8);
    return TACO__BIG_ENDIAN ? taco__plat_swap64(x) : x;
}
TACO__INLINE uint32_t taco__load_be32(const uint8_t *p)
{
    uint32_t x;
    memcpy(&x, p, 4);
    return TACO__BIG_ENDIAN ? x : taco__plat_swap32(x);
}
TACO__INLINE uint64_t taco__load_be64(const uint8_t *p)
{
    uint64_t x;
    memcpy(&x, p, 8);
    return TACO__BIG_ENDIAN ? x : taco__plat_swap64(x);
}
TACO__INLINE void taco__put_le32(uint8_t *p, uint32_t x)
{
    x = TACO__BIG_ENDIAN ? taco__plat_swap32(x) : x;
    memcpy(p, &x, 4);
}
TACO__INLINE void taco__put_le64(uint8_t *p, uint64_t x)
{
    x = TACO__BIG_ENDIAN ? taco__plat_swap64(x) : x;
    memcpy(p, &x, 8);
}
TACO__INLINE double taco__f64_from_bits(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, 8);
    return d;
}
TACO__INLINE float taco__f32_from_bits(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, 4);
    return f;
}
TACO__INLINE uint64_t taco__f64_to_bits(double d)
{
    uint64_t x;
    memcpy(&x, &d, 8);
    return x;
}
TACO__INLINE uint32_t taco__f32_to_bits(float f)
{
    uint32_t x;
    memcpy(&x, &f, 4);
    return x;
}

TACO__INLINE bool taco__bitmap_get(const uint8_t *bitmap, size_t i)
{
    return (bitmap[i >> 3] >> (i & 7)) & 1;
}
TACO__INLINE void taco__bitmap_set(uint8_t *bitmap, size_t i)
{
    bitmap[i >> 3] = (uint8_t)(bitmap[i >> 3] | 1U << (i & 7));
}
TACO__INLINE void taco__bitmap_clear(uint8_t *bitmap, size_t i)
{
    bitmap[i >> 3] = (uint8_t)(bitmap[i >> 3] & ~(1U << (i & 7)));
}
#define TACO__BITMAP_BYTES(n) (((n) + 7) / 8)

TACO__FN taco_bytes taco__bytes_of(const void *data, size_t len)
{
    taco_bytes b;
    b.data = (const uint8_t *)data;
    b.len = len;
    return b;
}
TACO__FN taco_bytes taco__bytes_text(const char *s)
{
    return taco__bytes_of(s, s ? strlen(s) : 0);
}
TACO__FN bool taco__bytes_equal(taco_bytes a, taco_bytes b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}
/* Unsigned bytewise order, the shorter first among equals: < 0, 0, > 0. */
TACO__FN int taco__bytes_compare(taco_bytes a, taco_bytes b)
{
    size_t n = TACO__MIN(a.len, b.len);
    int    c = n ? memcmp(a.data, b.data, n) : 0;
    return c ? c : (a.len > b.len) - (a.len < b.len);
}
/* How many bytes both begin with. */
TACO__FN size_t taco__bytes_common_prefix(taco_bytes a, taco_bytes b)
{
    size_t same = 0, most = TACO__MIN(a.len, b.len);
    while (most - same >= 8 && memcmp(a.data + same, b.data + same, 8) == 0) {
        same += 8;
    }
    while (same < most && a.data[same] == b.data[same]) {
        same++;
    }
    return same;
}
TACO__FN bool taco__bytes_starts_with(taco_bytes a, const char *prefix)
{
    size_t n = strlen(prefix);
    return a.len >= n && memcmp(a.data, prefix, n) == 0;
}

/* A cursor over bytes with a sticky flag: a read past the end yields zero and sets `bad`, so that a parser reads all
   the fields of a header and checks once. */
typedef struct taco__byte_reader {
    const uint8_t *at, *end, *begin;
    bool           bad;
} taco__byte_reader;

TACO__FN taco__byte_reader taco__byte_reader_init(taco_bytes b)
{
    taco__byte_reader c;
    c.begin = c.at = b.data;
    c.end = b.data ? b.data + b.len : b.data;
    c.bad = false;
    return c;
}
TACO__INLINE size_t taco__byte_reader_left(const taco__byte_reader *c)
{
    return (size_t)(c->end - c->at);
}
TACO__INLINE size_t taco__byte_reader_position(const taco__byte_reader *c)
{
    return (size_t)(c->at - c->begin);
}
/* Returns n bytes and steps over them, or NULL. */
TACO__INLINE const uint8_t *taco__byte_reader_take(taco__byte_reader *c, size_t n)
{
    const uint8_t *p = c->at;
    if (TACO__UNLIKELY(c->bad || n > taco__byte_reader_left(c))) {
        c->bad = true;
        return NULL;
    }
    c->at += n;
    return p;
}
TACO__INLINE uint8_t taco__byte_reader_u8(taco__byte_reader *c)
{
    const uint8_t *p = taco__byte_reader_take(c, 1);
    return (uint8_t)(p ? p[0] : 0);
}
TACO__INLINE uint16_t taco__byte_reader_le16(taco__byte_reader *c)
{
    const uint8_t *p = taco__byte_reader_take(c, 2);
    return (uint16_t)(p ? taco__load_le16(p) : 0);
}
TACO__INLINE uint32_t taco__byte_reader_le32(taco__byte_reader *c)
{
    const uint8_t *p = taco__byte_reader_take(c, 4);
    return p ? taco__load_le32(p) : 0;
}
TACO__INLINE uint64_t taco__byte_reader_le64(taco__byte_reader *c)
{
    const uint8_t *p = taco__byte_reader_take(c, 8);
    return p ? taco__load_le64(p) : 0;
}
/* Unsigned LEB128 of at most 64 bits; `bad` when longer. */
TACO__FN uint64_t taco__byte_reader_varint(taco__byte_reader *c)
{
    uint64_t x = 0;
    unsigned shift;
    for (shift = 0; shift < 64; shift += 7) {
        uint8_t b = taco__byte_reader_u8(c);
        if (c->bad || (shift == 63 && (b & 0xFE))) {
            break;
        }
        x |= (uint64_t)(b & 0x7F) << shift;
        if (!(b & 0x80)) {
            return x;
        }
    }
    c->bad = true;
    return 0;
}
TACO__INLINE int64_t taco__zigzag_decode(uint64_t x)
{
    return (int64_t)(x >> 1) ^ -(int64_t)(x & 1);
}
