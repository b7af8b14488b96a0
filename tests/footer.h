/* Writes Thrift compact structures, and footers made of them, for tests of their readers. Include
   it after the implementation. Nothing is checked here, since most callers want damaged ones. */
#ifndef TACO_TEST_FOOTER_H
#define TACO_TEST_FOOTER_H

typedef struct wr {
    uint8_t b[1 << 16];
    size_t n;
    int16_t last[80]; /* field written before, by depth */
    int depth;
} wr;

TEST_FN void w_le64(uint8_t *p, uint64_t x)
{
    size_t i;
    for (i = 0; i < 8; i++) {
        p[i] = (uint8_t)(x >> 8 * i);
    }
}

TEST_FN uint64_t w_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

TEST_FN void w_init(wr *w)
{
    memset(w, 0, sizeof *w);
}

TEST_FN void w_u8(wr *w, unsigned x)
{
    if (w->n < sizeof w->b) { w->b[w->n++] = (uint8_t)x; }
}

TEST_FN void w_varint(wr *w, uint64_t x)
{
    for (; x >= 0x80; x >>= 7) {
        w_u8(w, (unsigned)(x & 0x7F) | 0x80);
    }
    w_u8(w, (unsigned)x);
}

TEST_FN void w_zz(wr *w, int64_t x)
{
    w_varint(w, (uint64_t)x << 1 ^ (uint64_t)(x < 0 ? -1 : 0));
}

TEST_FN void w_field(wr *w, int id, unsigned type)
{
    int delta = id - w->last[w->depth];
    if (delta > 0 && delta < 16) {
        w_u8(w, (unsigned)delta << 4 | type);
    } else {
        w_u8(w, type);
        w_zz(w, id);
    }
    w->last[w->depth] = (int16_t)id;
}

TEST_FN void w_bytes(wr *w, const void *p, size_t n)
{
    size_t i;
    w_varint(w, n);
    for (i = 0; i < n; i++) {
        w_u8(w, ((const uint8_t *)p)[i]);
    }
}

TEST_FN void w_i8(wr *w, int id, int x)
{
    w_field(w, id, 3), w_u8(w, (unsigned)x & 255);
}

TEST_FN void w_i32(wr *w, int id, int64_t x)
{
    w_field(w, id, 5), w_zz(w, x);
}

TEST_FN void w_i64(wr *w, int id, int64_t x)
{
    w_field(w, id, 6), w_zz(w, x);
}

TEST_FN void w_bool(wr *w, int id, bool x)
{
    w_field(w, id, x ? 1 : 2);
}

TEST_FN void w_bin(wr *w, int id, const void *p, size_t n)
{
    w_field(w, id, 8), w_bytes(w, p, n);
}

TEST_FN void w_text(wr *w, int id, const char *s)
{
    w_bin(w, id, s, strlen(s));
}

TEST_FN void w_f64(wr *w, int id, double x)
{
    uint8_t le[8];
    size_t i;
    w_le64(le, w_bits(x));
    w_field(w, id, 7);
    for (i = 0; i < 8; i++) {
        w_u8(w, le[i]);
    }
}

TEST_FN void w_begin(wr *w)
{
    w->last[++w->depth] = 0;
} /* of an item of a list */

TEST_FN void w_end(wr *w)
{
    w->depth--, w_u8(w, 0);
}

TEST_FN void w_open(wr *w, int id)
{
    w_field(w, id, 12), w_begin(w);
}

TEST_FN void w_list(wr *w, int id, unsigned item, size_t n)
{
    w_field(w, id, 9);
    if (n < 15) {
        w_u8(w, (unsigned)n << 4 | item);
    } else {
        w_u8(w, 0xF0 | item);
        w_varint(w, n);
    }
}

/* One schema element; -1 leaves a field out. */
TEST_FN void w_element_open(wr *w, int type, int repetition, const char *name, int children)
{
    w_begin(w);
    if (type >= 0) { w_i32(w, 1, type); }
    if (repetition >= 0) { w_i32(w, 3, repetition); }
    w_text(w, 4, name);
    if (children >= 0) { w_i32(w, 5, children); }
}

TEST_FN void w_element(wr *w, int type, int repetition, const char *name, int children,
                       int converted)
{
    w_element_open(w, type, repetition, name, children);
    if (converted >= 0) { w_i32(w, 6, converted); }
    w_end(w);
}

TEST_FN void w_root(wr *w, int children)
{
    w_element(w, -1, -1, "root", children, -1);
}

/* A column chunk: what most tests want to change one number of. */
typedef struct chunk_spec {
    int type;
    const char *path[4];                                         /* NULL ends it */
    int64_t codec, values, uncompressed, compressed, data, dict; /* dict INT64_MIN: left out */
    int64_t offset_index, column_index, bloom, bloom_length;     /* 0: left out */
    const char *file_path;
    bool no_meta, encrypted;
    const char *min, *max;         /* NULL: left out */
    const char *old_min, *old_max; /* the deprecated ones */
    size_t width;                  /* of these four */
    int64_t nulls;                 /* INT64_MIN: left out */
} chunk_spec;

TEST_FN chunk_spec chunk_of(int type, const char *name)
{
    chunk_spec c;
    memset(&c, 0, sizeof c);
    c.type = type;
    c.path[0] = name;
    c.values = 3;
    c.uncompressed = 60;
    c.compressed = 50;
    c.data = 4;
    c.dict = c.nulls = INT64_MIN;
    return c;
}

TEST_FN void w_statistics(wr *w, int id, const chunk_spec *c)
{
    w_open(w, id);
    if (c->old_max) { w_bin(w, 1, c->old_max, c->width); }
    if (c->old_min) { w_bin(w, 2, c->old_min, c->width); }
    if (c->nulls != INT64_MIN) { w_i64(w, 3, c->nulls); }
    if (c->max) { w_bin(w, 5, c->max, c->width); }
    if (c->min) { w_bin(w, 6, c->min, c->width); }
    w_end(w);
}

TEST_FN void w_chunk(wr *w, const chunk_spec *c)
{
    size_t n = 0, i;
    while (n < 4 && c->path[n]) {
        n++;
    }
    w_begin(w);
    if (c->file_path) { w_text(w, 1, c->file_path); }
    w_i64(w, 2, 4);
    if (!c->no_meta) {
        w_open(w, 3);
        w_i32(w, 1, c->type);
        w_list(w, 2, 5, 2);
        w_zz(w, 0);
        w_zz(w, 3);
        w_list(w, 3, 8, n);
        for (i = 0; i < n; i++) {
            w_bytes(w, c->path[i], strlen(c->path[i]));
        }
        w_i32(w, 4, c->codec);
        w_i64(w, 5, c->values);
        w_i64(w, 6, c->uncompressed);
        w_i64(w, 7, c->compressed);
        w_i64(w, 9, c->data);
        if (c->dict != INT64_MIN) { w_i64(w, 11, c->dict); }
        if (c->min || c->max || c->old_min || c->old_max || c->nulls != INT64_MIN) {
            w_statistics(w, 12, c);
        }
        if (c->bloom) { w_i64(w, 14, c->bloom); }
        if (c->bloom_length) { w_i32(w, 15, c->bloom_length); }
        w_end(w);
    }
    if (c->offset_index) {
        w_i64(w, 4, c->offset_index);
        w_i32(w, 5, 10);
    }
    if (c->column_index) {
        w_i64(w, 6, c->column_index);
        w_i32(w, 7, 10);
    }
    if (c->encrypted) {
        w_open(w, 8);
        w_open(w, 1);
        w_end(w);
        w_end(w);
    }
    w_end(w);
}

/* A row group of n chunks. */
TEST_FN void w_group(wr *w, const chunk_spec *c, size_t n, int64_t rows)
{
    size_t i;
    w_begin(w);
    w_list(w, 1, 12, n);
    for (i = 0; i < n; i++) {
        w_chunk(w, &c[i]);
    }
    w_i64(w, 2, 60);
    w_i64(w, 3, rows);
    w_end(w);
}

/* The rest of a footer behind its schema: one row group of 3 rows. */
TEST_FN void w_rest(wr *w, const chunk_spec *c, size_t n)
{
    w_i64(w, 3, 3);
    w_list(w, 4, 12, 1);
    w_group(w, c, n, 3);
    w_u8(w, 0);
}

/* The beginning of a footer up to the elements of its schema. */
TEST_FN void w_schema(wr *w, size_t elements)
{
    w_init(w);
    w_i32(w, 1, 1);
    w_list(w, 2, 12, elements);
}

#if defined(TACO__PARQUET_IMPLEMENTED) || defined(TACO__PARQUET_H)
/* ---- a parsed footer and what it lives in ---- */

#define FOOTER_AT 1000 /* where the footers of the tests stand: pages may lie in [4, 1000) */

typedef struct parsed {
    taco__mem mem;
    taco__arena arena;
    taco__pq_metadata m;
    taco_error err;
    taco_status status;
    /* exactly as long as the footer, so that a sanitizer sees a read behind it */
    uint8_t *bytes;
} parsed;

TEST_FN taco_status parse_footer(parsed *p, const wr *w, const taco_limits *limits)
{
    memset(p, 0, sizeof *p);
    taco__mem_init(&p->mem, NULL);
    p->arena.mem = &p->mem;
    p->bytes = (uint8_t *)malloc(w->n ? w->n : 1);
    memcpy(p->bytes, w->b, w->n);
    p->status = taco__footer_parse(&p->arena, taco__bytes_of(p->bytes, w->n), FOOTER_AT + w->n + 8,
                                   FOOTER_AT, limits, &p->m, &p->err);
    CHECK(p->status == p->err.code);
    if (p->status != TACO_OK && p->err.offset != TACO_NO_OFFSET) {
        CHECK(p->err.offset >= FOOTER_AT && p->err.offset <= FOOTER_AT + w->n);
    }
    return p->status;
}

TEST_FN void parse_done(parsed *p)
{
    taco__arena_free(&p->arena);
    CHECK(p->mem.used == 0);
    free(p->bytes);
}

/* A footer of one required column "a" and the chunk. */
TEST_FN taco_status parse_chunk(parsed *p, const chunk_spec *c)
{
    static wr w;
    w_schema(&w, 2);
    w_root(&w, 1);
    w_element(&w, c->type, 0, "a", -1, -1);
    w_rest(&w, c, 1);
    return parse_footer(p, &w, NULL);
}
#endif

#endif
