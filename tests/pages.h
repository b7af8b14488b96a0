/* Parquet files of hand-made pages, and what is read from them. Include it after make.h. Nothing is
   checked while they are made: most callers want damaged ones. */
#ifndef TACO_TEST_PAGES_H
#define TACO_TEST_PAGES_H

/* A data page, as an offset index describes it. */
typedef struct made_location {
    size_t chunk;
    int64_t at, size, rows;
} made_location;

/* What the footer says of a chunk; zero means nothing unusual. */
typedef struct made_about {
    int64_t data_at; /* data_page_offset; 0: where the chunk begins */
    int codec;
    bool dict_only; /* the pages' statistics name no other encoding */
    bool offsets;   /* it has an offset index */
    mk_buf columns; /* its column index */
    const char *file_path;
    bool encrypted;
} made_about;

typedef struct made {
    mk_buf out;
    const char *paths[2][5]; /* of the leaves, NULL ends one */
    int types[2];
    size_t leaves;
    wr schema; /* its elements */
    size_t elements;
    size_t at[64], len[64];
    int64_t values[64], dict[64]; /* per chunk; no dictionary: -1 */
    made_about about[64];
    int64_t index_at[64], index_len[64];
    size_t chunks;
    int64_t rows[16];
    size_t groups;
    made_location pages[512];
    size_t page_count;
} made;

TEST_FN made *made_new(void)
{
    made *m = (made *)calloc(1, sizeof *m);
    mk_add(&m->out, "PAR1", 4);
    w_init(&m->schema);
    return m;
}

TEST_FN void made_element(made *m, int type, int repetition, const char *name, int children,
                          int converted)
{
    w_element(&m->schema, type, repetition, name, children, converted);
    m->elements++;
}

TEST_FN void made_flat(made *m, int type, int repetition, const char *name, int converted)
{
    if (!m->elements) { made_element(m, -1, -1, "root", 1, -1); }
    made_element(m, type, repetition, name, -1, converted);
    m->types[m->leaves] = type;
    m->paths[m->leaves++][0] = name;
}

TEST_FN void made_chunk(made *m)
{
    m->at[m->chunks] = m->out.len;
    m->dict[m->chunks++] = -1;
}

typedef struct page_spec {
    int type; /* 0 data, 1 index, 2 dictionary, 3 data v2 */
    uint64_t n;
    int encoding;
    size_t claims; /* bytes its header promises beyond those there are */
    bool crc;
    uint32_t crc_off;
    uint64_t rows, rep_len, def_len; /* of a v2 page */
    int levels;                      /* encoding of the levels of a v1 page; 0: RLE */
    int64_t plain;                   /* uncompressed size; 0: it is not compressed */
    size_t padding;                  /* bytes of a field that no reader knows, in its header */
} page_spec;

TEST_FN void made_page(made *m, const page_spec *p, const mk_buf *body)
{
    static wr w;
    size_t c = m->chunks - 1, at = m->out.len;
    w_init(&w);
    w_begin(&w);
    w_i32(&w, 1, p->type);
    w_i32(&w, 2, p->plain ? p->plain : (int64_t)(body->len + p->claims));
    w_i32(&w, 3, (int64_t)(body->len + p->claims));
    if (p->crc) { w_i32(&w, 4, (int32_t)(taco__crc32(0, body->data, body->len) + p->crc_off)); }
    if (p->type != 1) { /* an index page has nothing else */
        w_open(&w, p->type == 2 ? 7 : p->type == 3 ? 8 : 5);
        w_i32(&w, 1, (int64_t)p->n);
        w_i32(&w, 2, p->type == 3 ? 0 : p->encoding);
        if (p->type == 3) {
            w_i32(&w, 3, (int64_t)p->rows);
            w_i32(&w, 4, p->encoding);
            w_i32(&w, 5, (int64_t)p->def_len);
            w_i32(&w, 6, (int64_t)p->rep_len);
        } else if (p->type == 0) {
            w_i32(&w, 3, p->levels ? p->levels : 3);
            w_i32(&w, 4, p->levels ? p->levels : 3);
        }
        w_end(&w);
    }
    if (p->padding) { w_bin(&w, 20, w.b, p->padding); }
    w_end(&w);
    if (p->type == 2) {
        m->dict[c] = (int64_t)at;
    } else {
        m->values[c] += (int64_t)p->n;
    }
    mk_add(&m->out, w.b, w.n);
    mk_add(&m->out, body->data, body->len);
    m->len[c] = m->out.len - m->at[c];
    if (p->type != 2 && m->page_count < sizeof m->pages / sizeof m->pages[0]) {
        made_location *l = &m->pages[m->page_count++];
        l->chunk = c;
        l->at = (int64_t)at;
        l->size = (int64_t)(m->out.len - at);
        l->rows = (int64_t)(p->rows ? p->rows : p->n);
    }
}

TEST_FN void made_data(made *m, uint64_t n, int encoding, mk_buf *body)
{
    page_spec p;
    memset(&p, 0, sizeof p);
    p.n = n;
    p.encoding = encoding;
    made_page(m, &p, body);
    body->len = 0;
}

TEST_FN void made_dict(made *m, uint64_t n, mk_buf *body)
{
    page_spec p;
    memset(&p, 0, sizeof p);
    p.type = 2;
    p.n = n;
    made_page(m, &p, body);
    body->len = 0;
}

TEST_FN void made_group(made *m, int64_t rows)
{
    m->rows[m->groups++] = rows;
}

/* Writes the offset index of a chunk and its column index. */
TEST_FN void made_index(made *m, size_t c)
{
    static wr w;
    size_t i, n = 0;
    int64_t row = 0;
    for (i = 0; i < m->page_count; i++) {
        n += m->pages[i].chunk == c;
    }
    w_init(&w);
    w_list(&w, 1, 12, n);
    for (i = 0; i < m->page_count; i++) {
        if (m->pages[i].chunk != c) { continue; }
        w_begin(&w);
        w_i64(&w, 1, m->pages[i].at);
        w_i32(&w, 2, m->pages[i].size);
        w_i64(&w, 3, row);
        w_end(&w);
        row += m->pages[i].rows;
    }
    w_u8(&w, 0);
    m->index_at[c] = (int64_t)m->out.len;
    m->index_len[c] = (int64_t)w.n;
    mk_add(&m->out, w.b, w.n);
    mk_add(&m->out, m->about[c].columns.data, m->about[c].columns.len);
}

/* The rest of a chunk in the footer, behind its metadata. */
TEST_FN void made_chunk_end(const made *m, wr *w, size_t c)
{
    const made_about *x = &m->about[c];
    if (x->offsets) {
        w_i64(w, 4, m->index_at[c]);
        w_i32(w, 5, m->index_len[c]);
    }
    if (x->columns.len) {
        w_i64(w, 6, m->index_at[c] + m->index_len[c]);
        w_i32(w, 7, (int64_t)x->columns.len);
    }
    if (x->encrypted) {
        w_open(w, 8);
        w_end(w);
    }
    w_end(w);
}

/* Writes the footer; the bytes stay in m->out. */
TEST_FN void made_end(made *m)
{
    static wr w;
    size_t g, i, k;
    int64_t rows = 0;
    for (g = 0; g < m->groups; g++) {
        rows += m->rows[g];
    }
    for (i = 0; i < m->chunks; i++) {
        if (m->about[i].offsets) { made_index(m, i); }
    }
    w_schema(&w, m->elements);
    memcpy(w.b + w.n, m->schema.b, m->schema.n);
    w.n += m->schema.n;
    w_i64(&w, 3, rows);
    w_list(&w, 4, 12, m->groups);
    for (g = 0; g < m->groups; g++) {
        w_begin(&w);
        w_list(&w, 1, 12, m->leaves);
        for (i = 0; i < m->leaves; i++) {
            size_t c = g * m->leaves + i;
            const made_about *x = &m->about[c];
            w_begin(&w);
            if (x->file_path) { w_text(&w, 1, x->file_path); }
            w_i64(&w, 2, (int64_t)m->at[c]);
            w_open(&w, 3);
            w_i32(&w, 1, m->types[i]);
            w_list(&w, 2, 5, 2);
            w_zz(&w, 0);
            w_zz(&w, 3);
            for (k = 0; m->paths[i][k]; k++) {}
            w_list(&w, 3, 8, k);
            for (k = 0; m->paths[i][k]; k++) {
                w_bytes(&w, m->paths[i][k], strlen(m->paths[i][k]));
            }
            w_i32(&w, 4, x->codec);
            w_i64(&w, 5, m->values[c]);
            w_i64(&w, 6, (int64_t)m->len[c]);
            w_i64(&w, 7, (int64_t)m->len[c]);
            w_i64(&w, 9, x->data_at ? x->data_at : (int64_t)m->at[c]);
            if (m->dict[c] >= 0) { w_i64(&w, 11, m->dict[c]); }
            if (x->dict_only) {
                w_list(&w, 13, 12, 1);
                w_begin(&w);
                w_i32(&w, 1, 0);
                w_i32(&w, 2, 8);
                w_i32(&w, 3, 1);
                w_end(&w);
            }
            w_end(&w);
            made_chunk_end(m, &w, c);
        }
        w_i64(&w, 2, 60);
        w_i64(&w, 3, m->rows[g]);
        w_end(&w);
    }
    w_u8(&w, 0);
    mk_add(&m->out, w.b, w.n);
    mk_le(&m->out, w.n, 4);
    mk_add(&m->out, "PAR1", 4);
}

TEST_FN void made_free(made *m)
{
    size_t i;
    for (i = 0; i < m->chunks; i++) {
        free(m->about[i].columns.data);
    }
    free(m->out.data);
    free(m);
}

TEST_FN void put_texts(mk_buf *b, const char *const *v, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        mk_le(b, strlen(v[i]), 4);
        mk_add(b, v[i], strlen(v[i]));
    }
}

/* An RLE run of `n` times x, of one byte. */
TEST_FN void put_run(mk_buf *b, uint64_t n, unsigned x)
{
    uint64_t head = n << 1;
    for (; head >= 0x80; head >>= 7) {
        mk_le(b, (head & 0x7F) | 0x80, 1);
    }
    mk_le(b, head, 1);
    mk_le(b, x, 1);
}

/* A level section of a v1 page. */
TEST_FN void put_levels(mk_buf *page, const mk_buf *levels)
{
    mk_le(page, levels->len, 4);
    mk_add(page, levels->data, levels->len);
}

/* ---- reading what was made ---- */

TEST_FN taco_pq_file *open_bytes(const void *data, size_t len, const taco_limits *limits)
{
    taco_source src;
    taco_options opt;
    taco_error e;
    memset(&opt, 0, sizeof opt);
    memset(&e, 0, sizeof e);
    if (limits) { opt.limits = *limits; }
    taco_source_memory(&src, data, len);
    {
        taco_pq_file *f = taco_pq_open_source(&src, "made", &opt, &e);
        CHECK_TEXT(e.text, "");
        return f;
    }
}

/* All rows as NDJSON (malloc'd), or NULL and the failure in *e. */
TEST_FN char *dump(taco_pq_file *f, const taco_pq_query *q, taco_error *e)
{
    taco_pq_reader *r = taco_pq_read(f, q, e);
    const taco_field *fields;
    taco_printer *p;
    taco_batch b;
    mk_buf text = {NULL, 0, 0};
    size_t n;
    if (!r) { return NULL; }
    fields = taco_pq_reader_fields(r, &n);
    p = taco_printer_open(fields, n, TACO_FORMAT_NDJSON, NULL, e);
    while (taco_pq_reader_next(r, &b)) {
        taco_bytes t = taco_printer_batch(p, &b, e);
        CHECK(!q || !q->batch_rows || b.length <= q->batch_rows);
        mk_add(&text, t.data, t.len);
    }
    taco_printer_close(p);
    mk_add(&text, "", 1);
    if (taco_pq_reader_close(r, e) != TACO_OK) {
        free(text.data);
        return NULL;
    }
    return (char *)text.data;
}

TEST_FN void same(taco_pq_file *f, const taco_pq_query *q, const char *want)
{
    taco_error e;
    char *got;
    memset(&e, 0, sizeof e);
    got = dump(f, q, &e);
    CHECK_TEXT(e.text, "");
    if (got) { CHECK_TEXT(got, want); }
    free(got);
}

TEST_FN void refused(const made *m, const taco_limits *limits, taco_status code, const char *text)
{
    taco_pq_file *f = open_bytes(m->out.data, m->out.len, limits);
    taco_error e;
    char *got;
    memset(&e, 0, sizeof e);
    got = dump(f, NULL, &e);
    CHECK(got == NULL && e.code == code);
    if (!strstr(e.text, text)) { CHECK_TEXT(e.text, text); }
    CHECK(f->mem->used < 1 << 20);
    free(got);
    taco_pq_close(f);
}

#endif
