/* Makes small and large datasets in memory for the tests: Parquet with plain pages, and an archive
   around it. Include it after footer.h. Nothing is checked here: callers get what they specify. */
#ifndef TACO_TEST_MAKE_H
#define TACO_TEST_MAKE_H

typedef struct mk_buf {
    uint8_t *data;
    size_t len, cap;
} mk_buf;

TEST_FN void mk_add(mk_buf *b, const void *p, size_t n)
{
    if (b->len + n > b->cap) {
        b->cap = (b->len + n) * 2 + 64;
        b->data = (uint8_t *)realloc(b->data, b->cap);
    }
    if (n) { memcpy(b->data + b->len, p, n); }
    b->len += n;
}

TEST_FN taco_bytes mk_bytes(const uint8_t *data, size_t len)
{
    taco_bytes b;
    b.data = data;
    b.len = len;
    return b;
}

TEST_FN uint32_t mk_crc32(const uint8_t *data, size_t len)
{
    /* of the 16 values of four bits */
    static const uint32_t table[16] = {0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC,
                                       0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
                                       0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C,
                                       0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};
    uint32_t crc = UINT32_MAX;
    size_t i;
    for (i = 0; i < len; i++) {
        crc ^= data[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

TEST_FN void mk_le(mk_buf *b, uint64_t x, size_t n)
{
    uint8_t p[8];
    w_le64(p, x);
    mk_add(b, p, n);
}

typedef enum mk_type {
    MK_TEXT,
    MK_BINARY,
    MK_FIXED, /* FIXED_LEN_BYTE_ARRAY */
    MK_I64,
    MK_F64,
    MK_DECIMAL,
    MK_DECIMAL_BYTES, /* BYTE_ARRAY: big-endian */
    MK_STAMP,
    MK_STAMP_UTC,
    MK_STAMP_MILLI,
    MK_INT96
} mk_type;

/* A column: texts end at a zero byte, binary ones are width bytes each; i64 also holds decimals
   (scale 2), whose width is a type_length that means nothing, and microseconds. null[i] != 0: no
   value; text and width are borrowed. */
typedef struct mk_col {
    const char *name;
    mk_type type;
    const char *const *text;
    const uint8_t *bin;
    const int64_t *i64;
    const double *f64;
    const uint8_t *null;
    size_t width;
    bool page_bounds; /* in the header of each page, too */
} mk_col;

TEST_FN mk_col mk_text(const char *name, const char *const *v)
{
    mk_col c;
    memset(&c, 0, sizeof c);
    c.name = name;
    c.type = MK_TEXT;
    c.text = v;
    return c;
}

TEST_FN mk_col mk_f64(const char *name, const double *v)
{
    mk_col c;
    memset(&c, 0, sizeof c);
    c.name = name;
    c.type = MK_F64;
    c.f64 = v;
    return c;
}

TEST_FN mk_col mk_i64(const char *name, const int64_t *v)
{
    mk_col c;
    memset(&c, 0, sizeof c);
    c.name = name;
    c.type = MK_I64;
    c.i64 = v;
    return c;
}

TEST_FN mk_col mk_bin(const char *name, const uint8_t *v, size_t width)
{
    mk_col c;
    memset(&c, 0, sizeof c);
    c.name = name;
    c.type = MK_BINARY;
    c.bin = v;
    c.width = width;
    return c;
}

TEST_FN bool mk_null(const mk_col *c, size_t i)
{
    return (c->null && c->null[i]) || (c->text && !c->text[i]);
}

TEST_FN int mk_physical(const mk_col *c)
{
    return c->type == MK_F64     ? 5
           : c->type == MK_FIXED ? 7
           : c->type == MK_INT96
               ? 3
               : (c->type == MK_TEXT || c->type == MK_BINARY || c->type == MK_DECIMAL_BYTES ? 6
                                                                                            : 2);
}

TEST_FN taco_bytes mk_value(const mk_col *c, size_t i, uint8_t scratch[8])
{
    if (c->text) { return mk_bytes((const uint8_t *)c->text[i], strlen(c->text[i])); }
    if (c->bin) { return mk_bytes(c->bin + i * c->width, c->width); }
    w_le64(scratch, c->f64 ? w_bits(c->f64[i]) : (uint64_t)c->i64[i]);
    return mk_bytes(scratch, 8);
}

TEST_FN bool mk_less(const mk_col *c, size_t a, size_t b)
{
    uint8_t x[8], y[8];
    taco_bytes p, q;
    int order;
    if (c->f64) { return c->f64[a] < c->f64[b]; }
    if (c->i64) { return c->i64[a] < c->i64[b]; }
    p = mk_value(c, a, x), q = mk_value(c, b, y);
    order = memcmp(p.data, q.data, p.len < q.len ? p.len : q.len);
    return order ? order < 0 : p.len < q.len;
}

/* Statistics as field `id`. */
TEST_FN void mk_stats(wr *w, int id, const mk_col *c, size_t first, size_t n)
{
    size_t i, min = SIZE_MAX, max = SIZE_MAX;
    int64_t nulls = 0;
    uint8_t s[8];
    bool nan = false;
    for (i = first; i < first + n; i++) {
        if (mk_null(c, i)) {
            nulls++;
            continue;
        }
        nan = nan || (c->f64 && c->f64[i] != c->f64[i]);
        min = min == SIZE_MAX || mk_less(c, i, min) ? i : min;
        max = max == SIZE_MAX || mk_less(c, max, i) ? i : max;
    }
    w_open(w, id);
    w_i64(w, 3, nulls);
    if (min != SIZE_MAX && !nan) {
        taco_bytes v = mk_value(c, max, s);
        w_bin(w, 5, v.data, v.len);
        v = mk_value(c, min, s);
        w_bin(w, 6, v.data, v.len);
    }
    w_end(w);
}

/* One chunk: a page of rows [first, first + n). Returns where it begins. */
TEST_FN size_t mk_chunk(mk_buf *out, const mk_col *c, size_t first, size_t n)
{
    static wr w;
    mk_buf body = {NULL, 0, 0};
    size_t i, at = out->len;
    uint8_t scratch[8];
    mk_le(&body, (uint64_t)n * 2, 4); /* definition levels: a run of one for each row */
    for (i = first; i < first + n; i++) {
        mk_le(&body, 2, 1);
        mk_le(&body, !mk_null(c, i), 1);
    }
    for (i = first; i < first + n; i++) {
        taco_bytes v;
        if (mk_null(c, i)) { continue; }
        v = mk_value(c, i, scratch);
        if (mk_physical(c) == 6) { mk_le(&body, v.len, 4); }
        mk_add(&body, v.data, v.len);
    }
    w_init(&w);
    w_begin(&w);
    w_i32(&w, 1, 0);
    w_i32(&w, 2, (int64_t)body.len);
    w_i32(&w, 3, (int64_t)body.len);
    w_open(&w, 5);
    w_i32(&w, 1, (int64_t)n);
    w_i32(&w, 2, 0);
    w_i32(&w, 3, 3);
    w_i32(&w, 4, 3);
    if (c->page_bounds) { mk_stats(&w, 5, c, first, n); }
    w_end(&w);
    w_end(&w);
    mk_add(out, w.b, w.n);
    mk_add(out, body.data, body.len);
    free(body.data);
    return at;
}

TEST_FN void mk_element(wr *w, const mk_col *c)
{
    w_begin(w);
    w_i32(w, 1, mk_physical(c));
    if ((c->type == MK_DECIMAL || c->type == MK_FIXED) && c->width) {
        w_i32(w, 2, (int32_t)c->width);
    }
    w_i32(w, 3, 1);
    w_text(w, 4, c->name);
    if (c->type == MK_TEXT) {
        w_i32(w, 6, 0);
    } else if (c->type == MK_DECIMAL || c->type == MK_DECIMAL_BYTES) {
        w_i32(w, 6, 5);
        w_i32(w, 7, 2);
        w_i32(w, 8, 12);
    } else if (c->type == MK_STAMP || c->type == MK_STAMP_UTC ||
               c->type ==
                   MK_STAMP_MILLI) { /* logical type: TIMESTAMP, of microseconds by default */
        w_open(w, 10);
        w_open(w, 8);
        w_bool(w, 1, c->type == MK_STAMP_UTC);
        w_open(w, 2);
        w_open(w, c->type == MK_STAMP_MILLI ? 1 : 2);
        w_end(w);
        w_end(w);
        w_end(w);
        w_end(w);
    }
    w_end(w);
}

/* Parquet bytes of the columns, in row groups of at most group_rows. */
TEST_FN mk_buf mk_parquet(const mk_col *cols, size_t n, size_t rows, size_t group_rows)
{
    static wr w;
    mk_buf out = {NULL, 0, 0};
    size_t groups = rows ? (rows + group_rows - 1) / group_rows : 0, g, i;
    size_t *at = (size_t *)calloc(groups * (n + 1) + 1, sizeof *at);
    mk_add(&out, "PAR1", 4);
    w_schema(&w, n + 1);
    w_root(&w, (int)n);
    for (i = 0; i < n; i++) {
        mk_element(&w, &cols[i]);
    }
    for (g = 0; g < groups; g++) {
        size_t first = g * group_rows, k = rows - first < group_rows ? rows - first : group_rows;
        for (i = 0; i < n; i++) {
            at[g * (n + 1) + i] = mk_chunk(&out, &cols[i], first, k);
        }
        at[g * (n + 1) + n] = out.len;
    }
    w_i64(&w, 3, (int64_t)rows);
    w_list(&w, 4, 12, groups);
    for (g = 0; g < groups; g++) {
        size_t first = g * group_rows, k = rows - first < group_rows ? rows - first : group_rows;
        const size_t *a = at + g * (n + 1);
        w_begin(&w);
        w_list(&w, 1, 12, n);
        for (i = 0; i < n; i++) {
            w_begin(&w);
            w_i64(&w, 2, (int64_t)a[i]);
            w_open(&w, 3);
            w_i32(&w, 1, mk_physical(&cols[i]));
            w_list(&w, 2, 5, 2);
            w_zz(&w, 0);
            w_zz(&w, 3);
            w_list(&w, 3, 8, 1);
            w_bytes(&w, cols[i].name, strlen(cols[i].name));
            w_i32(&w, 4, 0);
            w_i64(&w, 5, (int64_t)k);
            w_i64(&w, 6, (int64_t)(a[i + 1] - a[i]));
            w_i64(&w, 7, (int64_t)(a[i + 1] - a[i]));
            w_i64(&w, 9, (int64_t)a[i]);
            mk_stats(&w, 12, &cols[i], first, k);
            w_end(&w);
            w_end(&w);
        }
        w_i64(&w, 2, (int64_t)(a[n] - a[0]));
        w_i64(&w, 3, (int64_t)k);
        w_end(&w);
    }
    w_text(&w, 6, "taco.h version 0"); /* places of ours are not compared: child_places.c */
    w_list(&w, 7, 12, n); /* column orders: without them the bounds of text mean nothing */
    for (i = 0; i < n; i++) {
        w_begin(&w);
        w_open(&w, 1);
        w_end(&w);
        w_end(&w);
    }
    w_u8(&w, 0);
    CHECK(w.n < sizeof w.b);
    mk_add(&out, w.b, w.n);
    mk_le(&out, w.n, 4);
    mk_add(&out, "PAR1", 4);
    free(at);
    return out;
}

TEST_FN size_t mk_entry(mk_buf *z, const char *name, const void *data, size_t len)
{
    size_t n = strlen(name), at;
    mk_le(z, 0x04034B50, 4);
    mk_le(z, 10, 2);
    mk_le(z, 0, 2 + 2);
    mk_le(z, 0x00210000, 4); /* 1980-01-01 */
    mk_le(z, mk_crc32((const uint8_t *)data, len), 4);
    mk_le(z, len, 4);
    mk_le(z, len, 4);
    mk_le(z, n, 2);
    mk_le(z, 0, 2);
    mk_add(z, name, n);
    at = z->len;
    mk_add(z, data, len);
    return at;
}

/* A local file header has no room for a wide crc: the central directory is left out, TACO_HEADER is
   enough. The levels are freed. payload goes to byte MK_PAYLOAD. */
#define MK_PAYLOAD 193

TEST_FN mk_buf mk_archive(mk_buf *levels, size_t n, const char *collection, const void *payload,
                          size_t payload_len)
{
    static const char *const names[] = {"METADATA/level0.parquet", "METADATA/level1.parquet",
                                        "METADATA/level2.parquet"};
    mk_buf z = {NULL, 0, 0}, body = {NULL, 0, 0}, head = {NULL, 0, 0};
    uint8_t none[116] = {0};
    size_t i, at;
    mk_entry(&z, "TACO_HEADER", none, sizeof none);
    mk_entry(&z, "DATA/p", payload, payload_len);
    mk_le(&head, n + 1, 4);
    for (i = 0; i < n; i++) {
        at = mk_entry(&z, names[i], levels[i].data, levels[i].len);
        mk_le(&head, at, 8);
        mk_le(&head, levels[i].len, 8);
        free(levels[i].data);
    }
    at = mk_entry(&z, "COLLECTION.json", collection, strlen(collection));
    mk_le(&head, at, 8);
    mk_le(&head, strlen(collection), 8);
    memcpy(none, head.data, head.len);
    mk_entry(&body, "TACO_HEADER", none, sizeof none);
    memcpy(z.data, body.data, body.len);
    free(head.data);
    free(body.data);
    return z;
}

#define MK_FLAT                                                                                    \
    "{\"id\":\"made\",\"taco:pit_schema\":{\"root\":{\"n\":1,\"type\":\"FILE\"},\"hierarchy\":{}}" \
    "}"
#define MK_NESTED                                                                                  \
    "{\"id\":\"made\",\"taco:pit_schema\":{\"root\":{\"n\":1,\"type\":\"FOLDER\"},\"hierarchy\":{" \
    "\"1\":[{\"n\":1,\"type\":"                                                                    \
    "[\"FILE\"],\"id\":[\"a\"]}]}}}"

/* An archive of two levels: FOLDERs x, y, z with a value v each, whose ids are out of order and no
   row numbers, and seven FILEs with a value w below them; "lost" has a parent that is not there,
   "nil" has none. */
TEST_FN mk_buf mk_family(const double v[3], const char *const ids[7], const int64_t size[7])
{
    static const char *const ids0[] = {"x", "y", "z"}, *const folder[] = {"FOLDER", "FOLDER",
                                                                          "FOLDER"};
    static const int64_t current0[] = {20, 10, 30}, zero3[] = {MK_PAYLOAD, MK_PAYLOAD, MK_PAYLOAD};
    static const char *const file[] = {"FILE", "FILE", "FILE", "FILE", "FILE", "FILE", "FILE"};
    static const int64_t parent1[] = {10, 10, 20, 20, 99, 0, 30};
    static const uint8_t null1[] = {0, 0, 0, 0, 0, 1, 0};
    static const double w[] = {5, 6, 7, 8, 9, 9, 5};
    mk_col c[6];
    mk_buf levels[2];
    c[0] = mk_text("id", ids0);
    c[1] = mk_text("type", folder);
    c[2] = mk_f64("v", v);
    c[3] = mk_i64("internal:current_id", current0);
    c[4] = mk_i64("internal:offset", zero3);
    c[5] = mk_i64("internal:size", zero3);
    levels[0] = mk_parquet(c, 6, 3, 2);
    c[0] = mk_text("id", ids);
    c[1] = mk_text("type", file);
    c[2] = mk_f64("w", w);
    c[3] = mk_i64("internal:parent_id", parent1);
    c[3].null = null1;
    c[4] = mk_i64("internal:offset", parent1);
    c[4].null = null1;
    c[5] = mk_i64("internal:size", size);
    levels[1] = mk_parquet(c, 6, 7, 3);
    return mk_archive(levels, 2, MK_NESTED, "data", 4);
}
#endif
