/* ==== ROOM oldw: writers of the old containers. Uses: old pieces pq:write io. Spec: Tortilla 0.5.0 "Format", TACO 0.2.0 ====
   A footer says where payloads are and stands behind them, and a nested tortilla is a payload. So sizes come first,
   from the leaves up, then footers, and the bytes go out in one pass, without a patch. */

#define TACO__TORTILLA_PART_BYTES                                                                  \
    UINT64_C(20000000000) /* payload bytes of a part, as the last writer had them */

/* Samples that become one tortilla. */
typedef struct taco__tortilla_node {
    const taco_array            *columns; /* of all rows, without offset and length */
    size_t                       column_count, rows;
    uint64_t                    *sizes;
    struct taco__tortilla_node **kids; /* of rows that are tortillas; NULL: none is */
    size_t                       tag;  /* the caller's: its first row in the tables */
    uint32_t                     level;
    const size_t                *rows_of; /* the caller's: rows of its tables */
    taco_bytes                   footer;
    uint64_t                     body; /* bytes between header and footer */
} taco__tortilla_node;

/* Fills *in with the bytes of a row; they are copied and closed before the next call. */
typedef bool (*taco__tortilla_payload_fn)(void *ctx, const taco__tortilla_node *node, size_t row,
                                          taco__input *in, taco_error *err);

typedef struct taco__tortilla_writer {
    taco__mem                 mem;
    taco__arena               arena;
    taco_options              options;
    taco__output              out;
    taco__tortilla_payload_fn payload;
    void                     *ctx;
    bool                      closes; /* the sources that payload hands out are ours to close */
    bool        compiled; /* tortilla:length in front of tortilla:offset, as compile() had it */
    taco_error *err;
} taco__tortilla_writer;

/* Ends with what payload handed out. */
TACO__FN void taco__tortilla_write_close_input(const taco__tortilla_writer *w, taco__input *in)
{
    if (w->closes && in->source.close) {
        in->source.close(in->source.ctx);
    }
    memset(in, 0, sizeof *in);
}
TACO__FN void taco__tortilla_write_init(taco__tortilla_writer *w, const taco_options *opt,
                                        taco_error *err)
{
    memset(w, 0, sizeof *w);
    taco__mem_init(&w->mem, opt);
    taco__options_init(&w->options, opt);
    w->arena.mem = &w->mem;
    w->err = err;
}

/* ---- footers ------------------------------------------------------------------------------------- */

/* Order of columns: those of every tortilla first. */
TACO__FN int taco__tortilla_write_column_rank(const char *name)
{
    static const char *const first[] = {"tortilla:id", "tortilla:file_format",
                                        "tortilla:data_split"};
    int                      i;
    for (i = 0; i < 3 && strcmp(name, first[i]) != 0; i++) {
    }
    return i;
}
TACO__FN bool taco__tortilla_write_encode_footer(taco__tortilla_writer *w,
                                                 const taco_array *columns, size_t n, size_t rows,
                                                 const char *pointer, taco_bytes *out)
{
    taco_pq_write_options o;
    taco_pq_key           key;
    taco_pq_writer       *pq;
    taco_field *fields = (taco_field *)taco__arena_array(&w->arena, n + 1, sizeof *fields, w->err);
    taco_array *arrays = (taco_array *)taco__arena_array(&w->arena, n + 1, sizeof *arrays, w->err);
    taco_sink   sink;
    taco_batch  b;
    size_t      i;
    bool        ok;
    for (i = 0; fields && arrays && i < n; i++) {
        fields[i] = *columns[i].field;
        fields[i].nullable = true; /* as pandas has all of them */
        arrays[i] = columns[i];
        arrays[i].field = &fields[i];
    }
    memset(&o, 0, sizeof o);
    o.options = &w->options;
    o.codec = TACO_CODEC_ZSTD;
    o.encoding = TACO_ENCODING_PLAIN;
    o.row_group_rows = INT32_MAX;
    key.key = "pointer";
    key.value = pointer;
    o.keys = &key;
    o.key_count = pointer != NULL;
    if (!fields || !arrays || taco_sink_memory(&sink, &w->options, w->err) != TACO_OK) {
        return false;
    }
    memset(&b, 0, sizeof b);
    b.first_row = -1;
    b.length = rows;
    b.columns = arrays;
    b.column_count = n;
    pq = taco_pq_write(&sink, fields, n, &o, w->err);
    if (pq && rows) {
        taco_pq_writer_batch(pq, &b);
    }
    ok = pq && taco_pq_writer_close(pq, w->err) == TACO_OK;
    if (ok) {
        *out = taco_sink_bytes(&sink);
        out->data = (const uint8_t *)taco__arena_text(&w->arena, *out, w->err);
        ok = out->data != NULL;
    }
    taco_sink_free(&sink);
    return ok;
}
/* The columns of a footer: those of the node, offset and length among them. */
TACO__FN bool taco__tortilla_write_make_columns(taco__tortilla_writer     *w,
                                                const taco__tortilla_node *node,
                                                const int64_t *offsets, const int64_t *sizes,
                                                taco_array *out, size_t *n)
{
    taco_field *f = (taco_field *)taco__arena_array(&w->arena, 2, sizeof *f, w->err);
    size_t      i, k;
    int         rank;
    if (!f) {
        return false;
    }
    for (i = 0; i < 2; i++) {
        f[i].type = TACO_INT64;
        f[i].width = 8;
    }
    f[0].name = w->compiled ? "tortilla:length" : "tortilla:offset";
    f[1].name = w->compiled ? "tortilla:offset" : "tortilla:length";
    for (*n = 0, rank = 0; rank <= 3; rank++) {
        if (rank == 3) {
            for (k = 0; k < 2; k++) {
                taco_array *a = &out[(*n)++];
                memset(a, 0, sizeof *a);
                a->field = &f[k];
                a->length = node->rows;
                a->v.i64 = (k == 0) == w->compiled ? sizes : offsets;
            }
        }
        for (i = 0; i < node->column_count; i++) {
            if (taco__tortilla_write_column_rank(node->columns[i].field->name) == rank) {
                out[(*n)++] = node->columns[i];
            }
        }
    }
    return true;
}
/* Makes the footer of a node whose sizes are known. */
TACO__FN bool taco__tortilla_write_make_footer(taco__tortilla_writer *w, taco__tortilla_node *node)
{
    int64_t *at = (int64_t *)taco__arena_array(&w->arena, node->rows + 8, sizeof *at, w->err);
    int64_t *sizes = (int64_t *)taco__arena_array(&w->arena, node->rows + 8, sizeof *sizes, w->err);
    taco_array *columns =
        (taco_array *)taco__arena_array(&w->arena, node->column_count + 2, sizeof *columns, w->err);
    uint64_t next = TACO__TORTILLA_HEADER_BYTES;
    size_t   i, n;
    if (!at || !sizes || !columns) {
        return false;
    }
    for (i = 0; i < node->rows; i++) {
        at[i] = (int64_t)next;
        sizes[i] = (int64_t)node->sizes[i];
        if (!taco__checked_add64(next, node->sizes[i], &next) || next > INT64_MAX) {
            TACO__FAIL(w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "payloads of more than 2^63 bytes");
            return false;
        }
    }
    node->body = next - TACO__TORTILLA_HEADER_BYTES;
    return taco__tortilla_write_make_columns(w, node, at, sizes, columns, &n) &&
           taco__tortilla_write_encode_footer(w, columns, n, node->rows, NULL, &node->footer);
}
/* Sizes and footers of a node and all below it. */
TACO__FN bool taco__tortilla_write_measure(taco__tortilla_writer *w, taco__tortilla_node *node)
{
    size_t i;
    for (i = 0; i < node->rows; i++) {
        taco__input in;
        if (node->kids && node->kids[i]) {
            taco__tortilla_node *kid = node->kids[i];
            if (!taco__tortilla_write_measure(w, kid)) {
                return false;
            }
            node->sizes[i] = TACO__TORTILLA_HEADER_BYTES + kid->body + kid->footer.len;
            continue;
        }
        memset(&in, 0, sizeof in);
        if (!w->payload(w->ctx, node, i, &in, w->err)) {
            return false;
        }
        node->sizes[i] = in.size;
        taco__tortilla_write_close_input(w, &in);
    }
    return taco__tortilla_write_make_footer(w, node);
}

/* ---- bytes --------------------------------------------------------------------------------------- */

TACO__FN bool taco__tortilla_write_header(taco__tortilla_writer *w, const char *magic, uint64_t fo,
                                          uint64_t fl, uint64_t parts, uint64_t co, uint64_t cl)
{
    uint8_t p[TACO__TORTILLA_HEADER_BYTES];
    memset(p, 0, sizeof p);
    memcpy(p, magic, 2);
    taco__put_le64(p + 2, fo);
    taco__put_le64(p + 10, fl);
    taco__put_le64(p + 18, parts);
    taco__put_le64(p + 26, co);
    taco__put_le64(p + 34, cl);
    return taco__output_write(&w->out, p, sizeof p, w->err);
}
TACO__FN bool taco__tortilla_write_payload(taco__tortilla_writer *w, const taco__input *in)
{
    uint64_t at = 0;
    while (at < in->size) {
        size_t   n = (size_t)TACO__MIN(in->size - at, (uint64_t)TACO__OUTPUT_BYTES / 2);
        uint8_t *room = taco__output_reserve(&w->out, n, w->err);
        if (!room || !taco__input_read(in, at, room, n, w->err)) {
            return false;
        }
        at += n;
    }
    return true;
}
/* Payloads and footer. */
TACO__FN bool taco__tortilla_write_body(taco__tortilla_writer *w, const taco__tortilla_node *node)
{
    size_t i;
    for (i = 0; i < node->rows; i++) {
        taco__input in;
        bool        ok;
        if (node->kids && node->kids[i]) {
            const taco__tortilla_node *kid = node->kids[i];
            if (!taco__tortilla_write_header(w, "#y", TACO__TORTILLA_HEADER_BYTES + kid->body,
                                             kid->footer.len, 1, 0, 0) ||
                !taco__tortilla_write_body(w, kid)) {
                return false;
            }
            continue;
        }
        memset(&in, 0, sizeof in);
        ok = w->payload(w->ctx, node, i, &in, w->err);
        if (ok && in.size != node->sizes[i]) {
            TACO__FAIL(w->err, TACO_ERR_IO, TACO_NO_OFFSET,
                       "row %u: %u bytes now, %u when it was measured", TACO__U(i),
                       TACO__U(in.size), node->sizes[i]);
            ok = false;
        }
        ok = ok && taco__tortilla_write_payload(w, &in);
        taco__tortilla_write_close_input(w, &in);
        if (!ok) {
            return false;
        }
    }
    return taco__output_write(&w->out, node->footer.data, node->footer.len, w->err);
}
TACO__FN bool taco__tortilla_write_open(taco__tortilla_writer *w, const char *path)
{
#ifndef TACO_NO_STDIO
    taco_sink sink;
    return taco_sink_file(&sink, path, &w->options, w->err) == TACO_OK &&
           taco__output_open(&w->out, &sink, &w->mem, w->err);
#else
    (void)path;
    TACO__FAIL(w->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "built without files");
    return false;
#endif
}
/* One file of a node that was measured; a collection makes it a TACO. */
TACO__FN bool taco__tortilla_write_file(taco__tortilla_writer *w, const char *path,
                                        const taco__tortilla_node *node, uint64_t parts,
                                        taco_bytes collection)
{
    uint64_t fo = TACO__TORTILLA_HEADER_BYTES + node->body, co = fo + node->footer.len;
    bool     ok;
    if (!taco__tortilla_write_open(w, path)) {
        return false;
    }
    ok = taco__tortilla_write_header(w, collection.data ? "WX" : "#y", fo, node->footer.len, parts,
                                     collection.data ? co : 0, collection.len) &&
         taco__tortilla_write_body(w, node) &&
         taco__output_write(&w->out, collection.data, collection.len, w->err);
    return taco__output_close(&w->out, ok, w->err) && ok;
}
/* soyuna.tortilla as soyuna.0003.part.tortilla. */
TACO__FN const char *taco__tortilla_write_part_name(taco__tortilla_writer *w, const char *path,
                                                    size_t k)
{
    size_t      n = strlen(path), dot = n, digits;
    const char *ext = strrchr(path, '.'), *slash = strrchr(path, '/');
    char        number[24], *out;
    if (ext && (!slash || ext > slash + 1)) {
        dot = (size_t)(ext - path);
    }
    out = (char *)taco__arena_alloc(&w->arena, n + 40, w->err);
    if (!out) {
        return NULL;
    }
    digits = taco__num_format_u64(number, k);
    memcpy(out, path, dot);
    out[dot] = '.';
    memset(out + dot + 1, '0', 4);
    n = digits < 4 ? dot + 5 - digits : dot + 1;
    memcpy(out + n, number, digits);
    strcpy(out + n + digits, ".part");
    strcat(out, path + dot);
    return out;
}
/* Rows [first, first + n) of a node as a node of their own. */
TACO__FN bool taco__tortilla_write_slice(taco__tortilla_writer *w, const taco__tortilla_node *node,
                                         size_t first, size_t n, taco__tortilla_node *out)
{
    taco_array *columns =
        (taco_array *)taco__arena_array(&w->arena, node->column_count + 1, sizeof *columns, w->err);
    size_t i;
    *out = *node;
    out->columns = columns;
    out->rows = n;
    out->sizes = node->sizes + first;
    out->kids = node->kids ? node->kids + first : NULL;
    out->tag = node->tag + first;
    for (i = 0; columns && i < node->column_count; i++) {
        taco__concat_slice p;
        p.a = &node->columns[i];
        p.first = first;
        p.n = n;
        if (!taco__concat_arrays(&w->arena, node->columns[i].field, &p, 1, &columns[i], w->err)) {
            return false;
        }
    }
    return columns && taco__tortilla_write_make_footer(w, out);
}
/* Writes a node that was measured as one file, or as parts whose payloads have at most `most` bytes: a sample that is
   larger stands alone. tag counts the rows of the slices on. */
TACO__FN bool taco__tortilla_write_parts(taco__tortilla_writer *w, const char *path,
                                         taco__tortilla_node *node, uint64_t most,
                                         taco_bytes collection)
{
    size_t   i, first = 0, parts = 1, k = 0;
    uint64_t sum = 0;
    for (i = 0; i < node->rows; i++) { /* how many there will be stands in each of them */
        if (sum && sum + node->sizes[i] > most) {
            parts++;
            sum = 0;
        }
        sum += node->sizes[i];
    }
    if (parts == 1) {
        return taco__tortilla_write_file(w, path, node, 1, collection);
    }
    for (i = sum = 0; i <= node->rows; i++) {
        if (i == node->rows || (sum && sum + node->sizes[i] > most)) {
            taco__tortilla_node part;
            const char         *name = taco__tortilla_write_part_name(w, path, k++);
            if (!name || !taco__tortilla_write_slice(w, node, first, i - first, &part) ||
                !taco__tortilla_write_file(w, name, &part, parts, collection)) {
                return false;
            }
            first = i;
            sum = 0;
        }
        sum += i < node->rows ? node->sizes[i] : 0;
    }
    return true;
}

/* ---- the rules of samples ------------------------------------------------------------------------- */

TACO__FN const taco_array *taco__tortilla_write_find_column(const taco_array *columns, size_t n,
                                                            const char *name)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (strcmp(columns[i].field->name, name) == 0) {
            return &columns[i];
        }
    }
    return NULL;
}
TACO__FN bool taco__tortilla_write_check_ids(taco__tortilla_writer *w, const taco_array *ids,
                                             size_t rows)
{
    taco__legacy_sort_key *list =
        (taco__legacy_sort_key *)taco__arena_array(&w->arena, rows + 1, sizeof *list, w->err);
    size_t i;
    for (i = 0; list && i < rows; i++) {
        list[i].id = taco_array_bytes(ids, i);
        list[i].file = 0;
        list[i].row = i;
        if (!list[i].id.len) {
            TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "row %u has no tortilla:id",
                       TACO__U(i));
            return false;
        }
    }
    if (!list) {
        return false;
    }
    qsort(list, rows, sizeof *list, taco__legacy_compare_sort_keys);
    for (i = 1; i < rows; i++) {
        if (taco__bytes_equal(list[i - 1].id, list[i].id)) {
            TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "rows %u and %u both have the tortilla:id %q, they must be unique",
                       TACO__U(list[i - 1].row), TACO__U(list[i].row), &list[i].id);
            return false;
        }
    }
    return true;
}
/* What the last writer refused: ids that are not unique, no format, another split, an end before the start. */
TACO__FN bool taco__tortilla_write_check_node(taco__tortilla_writer     *w,
                                              const taco__tortilla_node *node)
{
    static const char *const splits[] = {"train", "validation", "test"};
    const taco_array        *id =
        taco__tortilla_write_find_column(node->columns, node->column_count, "tortilla:id");
    const taco_array *format =
        taco__tortilla_write_find_column(node->columns, node->column_count, "tortilla:file_format");
    const taco_array *split =
        taco__tortilla_write_find_column(node->columns, node->column_count, "tortilla:data_split");
    const taco_array *start =
        taco__tortilla_write_find_column(node->columns, node->column_count, "stac:time_start");
    const taco_array *end =
        taco__tortilla_write_find_column(node->columns, node->column_count, "stac:time_end");
    size_t i, k;
    if (!id || id->field->type != TACO_TEXT || !format || format->field->type != TACO_TEXT) {
        TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%s must be a column of text",
                   id && id->field->type == TACO_TEXT ? "tortilla:file_format" : "tortilla:id");
        return false;
    }
    for (i = 0; i < node->rows; i++) {
        taco_bytes s = split ? taco_array_bytes(split, i) : taco__bytes_of(NULL, 0);
        for (k = 0; s.data && k < 3 && !taco__bytes_equal(s, taco__bytes_text(splits[k])); k++) {
        }
        if (taco_array_bytes(format, i).len == 0) {
            TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "row %u has no tortilla:file_format: a GDAL driver, BYTES or TORTILLA",
                       TACO__U(i));
            return false;
        }
        if (s.data && k == 3) {
            TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "row %u: tortilla:data_split is %q, allowed are train, validation, test",
                       TACO__U(i), &s);
            return false;
        }
        if (start && end && taco_array_valid(start, i) && taco_array_valid(end, i) &&
            taco_array_double(end, i) < taco_array_double(start, i)) {
            TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "row %u: stac:time_end lies before stac:time_start", TACO__U(i));
            return false;
        }
    }
    return taco__tortilla_write_check_ids(w, id, node->rows);
}
/* A text that is a JSON object, for the collection. */
TACO__FN bool taco__tortilla_write_check_json(taco__tortilla_writer *w, const char *text,
                                              taco_bytes *out)
{
    taco__json_doc doc;
    *out = taco__bytes_text(text);
    if (taco__json_parse(&w->arena, *out, &w->options.limits, &doc, w->err) != TACO_OK) {
        taco__error_prefix(w->err, "collection");
        return false;
    }
    if (!taco__json_is(doc.root, TACO__JSON_OBJECT)) {
        TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "a collection is a JSON object");
        return false;
    }
    return true;
}
TACO__FN taco_status taco__tortilla_write_finish(taco__tortilla_writer *w, bool ok,
                                                 const char *path)
{
    taco__arena_free(&w->arena);
    if (!ok) {
        taco__error_prefix(w->err, "%s", path);
    }
    return ok ? TACO_OK : w->err->code;
}

/* ---- create --------------------------------------------------------------------------------------- */

typedef struct taco__tortilla_caller {
    bool (*payload)(void *ctx, size_t row, taco_source *out);
    void *ctx;
} taco__tortilla_caller;

TACO__FN bool taco__tortilla_create_payload(void *ctx, const taco__tortilla_node *node, size_t row,
                                            taco__input *in, taco_error *err)
{
    const taco__tortilla_caller *c = (const taco__tortilla_caller *)ctx;
    taco_source                  src;
    memset(&src, 0, sizeof src);
    if (!c->payload(c->ctx, node->tag + row, &src)) {
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET, "row %u: its bytes cannot be had",
                   TACO__U(node->tag + row));
        return false;
    }
    taco__input_from_range(in, &src, 0, src.size);
    return true;
}
/* Columns that the writer makes itself are left out. */
TACO__FN bool taco__tortilla_create_node(taco__tortilla_writer *w, const taco_batch *rows,
                                         taco__tortilla_node *node)
{
    taco_array *columns =
        (taco_array *)taco__arena_array(&w->arena, rows->column_count + 1, sizeof *columns, w->err);
    size_t i;
    memset(node, 0, sizeof *node);
    node->sizes =
        (uint64_t *)taco__arena_array(&w->arena, rows->length + 1, sizeof(uint64_t), w->err);
    for (i = 0; columns && i < rows->column_count; i++) {
        const char *name = rows->columns[i].field->name;
        if (strcmp(name, "tortilla:offset") != 0 && strcmp(name, "tortilla:length") != 0 &&
            strncmp(name, "internal:", 9) != 0) {
            columns[node->column_count++] = rows->columns[i];
        }
    }
    node->columns = columns;
    node->rows = rows->length;
    return columns && node->sizes;
}
/* ---- the chain of footers ---------------------------------------------------------------------------- */

/* A tortilla below the top: which payload of the top holds it, and where in it. */
typedef struct taco__chain_nested {
    size_t     top;
    uint64_t   base; /* in that payload */
    taco_bytes key;  /* of the row that it is */
} taco__chain_nested;
/* One object: its rows, and the tortillas among them. */
typedef struct taco__chain_object {
    taco_array         *columns;
    size_t              count, rows;
    taco__chain_nested *inner;
    size_t              inner_count;
} taco__chain_object;

/* A column of text: root, of the keys of parents, is the first one of every object. */
TACO__FN bool taco__chain_write_text_column(taco__tortilla_writer *w, taco_array *a,
                                            const char *name, const taco_bytes *roots, size_t n)
{
    taco_field *f = (taco_field *)taco__arena_alloc(&w->arena, sizeof *f, w->err);
    int32_t    *ends = (int32_t *)taco__arena_array(&w->arena, n + 1, sizeof *ends, w->err);
    uint64_t    total = 0;
    uint8_t    *p;
    size_t      i;
    for (i = 0; ends && i < n; i++) {
        total += roots[i].len;
        if (total > INT32_MAX) {
            TACO__FAIL(w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "too much text in column %s", name);
            return false;
        }
        ends[i + 1] = (int32_t)total;
    }
    p = (uint8_t *)taco__arena_alloc(&w->arena, (size_t)total + TACO__PAD, w->err);
    if (!f || !ends || !p) {
        return false;
    }
    for (i = 0; i < n; i++) {
        if (roots[i].len) {
            memcpy(p + ends[i], roots[i].data, roots[i].len);
        }
    }
    f->name = name;
    f->type = TACO_TEXT;
    memset(a, 0, sizeof *a);
    a->field = f;
    a->length = n;
    a->offsets = ends;
    a->v.any = p;
    return true;
}
/* The key of a row: that of its parent, a slash, its id. */
TACO__FN taco_bytes taco__chain_write_make_key(taco__tortilla_writer *w, taco_bytes parent,
                                               taco_bytes id)
{
    uint8_t *p = (uint8_t *)taco__arena_alloc(&w->arena, parent.len + id.len + 1, w->err);
    if (!p) {
        return taco__bytes_of(NULL, 0);
    }
    if (parent.len) {
        memcpy(p, parent.data, parent.len);
        p[parent.len] = '/';
    }
    if (id.len) {
        memcpy(p + parent.len + (parent.len != 0), id.data, id.len);
    }
    return taco__bytes_of(p, parent.len + (parent.len != 0) + id.len);
}
/* Reads the footer of a tortilla inside a payload. Its offsets become those in the file, whose payload begins at `at`. */
TACO__FN bool taco__chain_write_read_nested(taco__tortilla_writer     *w,
                                            const taco__tortilla_node *node,
                                            const taco__chain_nested *inner, uint64_t at,
                                            taco__tortilla_table *out, taco__buf *below,
                                            taco__buf *roots)
{
    taco__container s;
    taco__file      file;
    taco__tortilla  head;
    taco__input     in;
    size_t          i;
    bool            ok;
    memset(&s, 0, sizeof s);
    memset(&in, 0, sizeof in);
    s.mem = &w->mem;
    s.options = &w->options;
    if (!w->payload(w->ctx, node, inner->top, &in, w->err)) {
        return false;
    }
    taco__file_init(&file, &in.source, "", &w->mem);
    ok = taco__tortilla_read_header(&file, inner->base, &w->arena, &head, w->err) &&
         taco__tortilla_read_footer(&s, &file, head.footer, inner->base, head.driver, &w->arena,
                                    out, w->err);
    for (i = 0; ok && i < out->t.rows; i++) {
        int64_t   *place = (int64_t *)out->t.arrays[out->offset].v.any;
        taco_bytes id = taco_array_bytes(&out->t.arrays[out->id], i);
        ok = taco__buf_append(roots, &inner->key, sizeof inner->key, w->err);
        if (ok && taco__tortilla_is_nested(out, i)) {
            taco__chain_nested n;
            n.top = inner->top;
            n.base = (uint64_t)place[i];
            n.key = taco__chain_write_make_key(w, inner->key, id);
            ok = n.key.data && taco__buf_append(below, &n, sizeof n, w->err);
        }
        place[i] += (int64_t)at;
    }
    if (w->closes) {
        taco__file_close(&file);
    } else {
        file.src.close = NULL;
        taco__file_close(&file);
    }
    return ok;
}
/* The object below another one: the rows of all its tortillas. */
TACO__FN bool taco__chain_write_next_object(taco__tortilla_writer     *w,
                                            const taco__tortilla_node *node, const uint64_t *at,
                                            const taco__chain_object *above,
                                            taco__chain_object       *out)
{
    taco__tortilla_table *tables = (taco__tortilla_table *)taco__arena_array(
        &w->arena, above->inner_count, sizeof *tables, w->err);
    taco__legacy_run *runs =
        (taco__legacy_run *)taco__arena_array(&w->arena, above->inner_count, sizeof *runs, w->err);
    taco__legacy_table m;
    taco__buf          below, roots;
    size_t             i;
    bool               ok = tables && runs;
    memset(&m, 0, sizeof m);
    memset(&below, 0, sizeof below);
    memset(&roots, 0, sizeof roots);
    below.mem = roots.mem = &w->mem;
    m.arena = &w->arena;
    m.runs = runs;
    m.count = above->inner_count;
    m.err = w->err;
    for (i = 0; ok && i < m.count; i++) {
        ok = taco__chain_write_read_nested(w, node, &above->inner[i], at[above->inner[i].top],
                                           &tables[i], &below, &roots);
        runs[i].t = &tables[i];
        runs[i].n = ok ? (size_t)tables[i].t.rows : 0;
        m.rows += runs[i].n;
    }
    ok = ok && taco__legacy_table_unify_columns(&m, &w->arena) &&
         taco__legacy_table_copy_columns(&m, &w->arena);
    memset(out, 0, sizeof *out);
    if (ok) {
        out->rows = m.rows;
        out->count = m.n + 1;
        out->columns =
            (taco_array *)taco__arena_array(&w->arena, m.n + 1, sizeof *m.arrays, w->err);
        out->inner_count = below.len / sizeof *out->inner;
        out->inner = (taco__chain_nested *)taco__arena_alloc(&w->arena, below.len + 1, w->err);
        ok = out->columns && out->inner &&
             taco__chain_write_text_column(w, out->columns, "root",
                                           (const taco_bytes *)(const void *)roots.data, m.rows);
    }
    if (ok) {
        memcpy(out->columns + 1, m.arrays, m.n * sizeof *m.arrays);
        if (below.len) {
            memcpy(out->inner, below.data, below.len);
        }
    }
    taco__buf_free(&below);
    taco__buf_free(&roots);
    return ok;
}
/* The first object: the samples themselves, each its own root. */
TACO__FN bool taco__chain_write_first_object(taco__tortilla_writer     *w,
                                             const taco__tortilla_node *node, const uint64_t *at,
                                             taco__chain_object *out)
{
    const taco_array *id =
        taco__tortilla_write_find_column(node->columns, node->column_count, "tortilla:id");
    const taco_array *format =
        taco__tortilla_write_find_column(node->columns, node->column_count, "tortilla:file_format");
    int64_t *offsets =
        (int64_t *)taco__arena_array(&w->arena, node->rows + 8, sizeof *offsets, w->err);
    int64_t *sizes = (int64_t *)taco__arena_array(&w->arena, node->rows + 8, sizeof *sizes, w->err);
    taco_bytes *roots =
        (taco_bytes *)taco__arena_array(&w->arena, node->rows + 1, sizeof *roots, w->err);
    size_t i, n;
    memset(out, 0, sizeof *out);
    out->columns = (taco_array *)taco__arena_array(&w->arena, node->column_count + 3,
                                                   sizeof *out->columns, w->err);
    out->inner = (taco__chain_nested *)taco__arena_array(&w->arena, node->rows + 1,
                                                         sizeof *out->inner, w->err);
    if (!offsets || !sizes || !roots || !out->columns || !out->inner) {
        return false;
    }
    for (i = 0; i < node->rows; i++) {
        offsets[i] = (int64_t)at[i];
        sizes[i] = (int64_t)node->sizes[i];
        roots[i] = taco_array_bytes(id, i);
        if (taco__bytes_equal(taco_array_bytes(format, i), taco__bytes_text("TORTILLA"))) {
            out->inner[out->inner_count].top = i;
            out->inner[out->inner_count].base = 0;
            out->inner[out->inner_count++].key = roots[i];
        }
    }
    out->rows = node->rows;
    if (!taco__chain_write_text_column(w, out->columns, "root", roots, node->rows) ||
        !taco__tortilla_write_make_columns(w, node, offsets, sizes, out->columns + 1, &n)) {
        return false;
    }
    out->count = n + 1;
    return true;
}
/* ---- the table of chunks ---- */

/* Rows of the table that is being made. */
typedef struct taco__chain_chunks {
    taco__buf   roots, ids; /* taco_bytes */
    taco__buf   offsets, sizes;
    taco_source src;  /* of the payload that holds the sample */
    uint64_t    base; /* of the sample in it */
} taco__chain_chunks;

TACO__FN bool taco__chain_write_read_sample(void *ctx, uint64_t offset, void *dst, size_t len)
{
    const taco__chain_chunks *c = (const taco__chain_chunks *)ctx;
    return c->src.read(c->src.ctx, c->base + offset, dst, len);
}
/* The tiles of one TIFF, which begins at `at` in the file. */
TACO__FN bool taco__chain_write_add_tiles(taco__tortilla_writer *w, taco__chain_chunks *c,
                                          const taco_tiff_header *h, taco_bytes root, taco_bytes id,
                                          uint64_t at, uint64_t size)
{
    size_t i, n = TACO__MIN(h->tile_offset_count, h->tile_byte_count_count);
    for (i = 0; i < n; i++) {
        uint64_t   offset = h->tile_offsets[i], len = h->tile_byte_counts[i];
        taco_bytes name;
        char      *text = (char *)taco__arena_alloc(&w->arena, id.len + 24, w->err);
        if (!text) {
            return false;
        }
        if (!taco__checked_range(offset, len, size)) {
            TACO__FAIL(w->err, TACO_ERR_TRUNCATED, TACO_NO_OFFSET,
                       "sample %q: tile %u has %u bytes at %u, the TIFF ends at %u", &id,
                       TACO__U(i), len, offset, size);
            return false;
        }
        memcpy(text, id.data, id.len);
        memcpy(text + id.len, "::", 2);
        name.data = (const uint8_t *)text;
        name.len = id.len + 2 + taco__num_format_u64(text + id.len + 2, i);
        offset += at;
        if (!taco__buf_append(&c->roots, &root, sizeof root, w->err) ||
            !taco__buf_append(&c->ids, &name, sizeof name, w->err) ||
            !taco__buf_append(&c->offsets, &offset, sizeof offset, w->err) ||
            !taco__buf_append(&c->sizes, &len, sizeof len, w->err)) {
            return false;
        }
    }
    return true;
}
/* The tiles of one sample, where it is a TIFF that has some. at[top] is where the payload begins that holds it. */
TACO__FN bool taco__chain_write_add_sample(taco__tortilla_writer     *w,
                                           const taco__tortilla_node *node, const uint64_t *at,
                                           taco__chain_chunks *c, taco_bytes root, taco_bytes id,
                                           uint64_t offset, uint64_t size)
{
    size_t      top = 0, high = node->rows;
    taco__input in;
    taco_source part;
    taco_error  why; /* what is no TIFF has no chunks */
    taco_tiff  *t;
    bool        ok = true;
    while (high - top > 1) {
        size_t mid = top + (high - top) / 2;
        if (at[mid] <= offset) {
            top = mid;
        } else {
            high = mid;
        }
    }
    while (top && node->sizes[top] == 0 && size) { /* samples without bytes share a place */
        top--;
    }
    memset(&in, 0, sizeof in);
    memset(&part, 0, sizeof part);
    memset(&why, 0, sizeof why);
    if (!w->payload(w->ctx, node, top, &in, w->err)) {
        return false;
    }
    c->src = in.source;
    c->base = offset - at[top];
    part.ctx = c;
    part.size = size;
    part.read = taco__chain_write_read_sample;
    t = taco__checked_range(c->base, size, in.source.size)
            ? taco_tiff_open(&part, "payload", &w->options, &why)
            : NULL;
    if (t && taco_tiff_get(t)->tile_offsets && taco_tiff_get(t)->tile_byte_counts) {
        ok = taco__chain_write_add_tiles(w, c, taco_tiff_get(t), root, id, offset, size);
    }
    taco_tiff_close(t);
    if (w->closes && in.source.close) {
        in.source.close(in.source.ctx);
    }
    return ok;
}
/* A column of numbers of the table. */
TACO__FN bool taco__chain_write_number_column(taco__tortilla_writer *w, taco_array *a,
                                              const char *name, const taco__buf *values)
{
    taco_field *f = (taco_field *)taco__arena_alloc(&w->arena, sizeof *f, w->err);
    uint8_t    *v = (uint8_t *)taco__arena_alloc(&w->arena, values->len + TACO__PAD, w->err);
    if (!f || !v) {
        return false;
    }
    if (values->len) {
        memcpy(v, values->data, values->len);
    }
    f->name = name;
    f->type = TACO_INT64;
    f->width = 8;
    memset(a, 0, sizeof *a);
    a->field = f;
    a->length = values->len / sizeof(uint64_t);
    a->v.any = v;
    return true;
}
/* The object behind the last: root, id, offset and length of every chunk; no rows where there are none. */
TACO__FN bool taco__chain_write_chunk_table(taco__tortilla_writer     *w,
                                            const taco__tortilla_node *node, const uint64_t *at,
                                            const taco__chain_object *last, bool top,
                                            taco__chain_object *out)
{
    const taco_array *id =
        taco__tortilla_write_find_column(last->columns, last->count, "tortilla:id");
    const taco_array *offset =
        taco__tortilla_write_find_column(last->columns, last->count, "tortilla:offset");
    const taco_array *size =
        taco__tortilla_write_find_column(last->columns, last->count, "tortilla:length");
    taco__chain_chunks c;
    taco_array        *a = (taco_array *)taco__arena_array(&w->arena, 4, sizeof *a, w->err);
    size_t             i, n;
    bool               ok = a && id && offset && size;
    memset(&c, 0, sizeof c);
    c.roots.mem = c.ids.mem = c.offsets.mem = c.sizes.mem = &w->mem;
    for (i = 0; ok && i < last->rows; i++) {
        taco_bytes name = taco_array_bytes(id, i),
                   root = top ? name
                              : taco__chain_write_make_key(
                                    w, taco_array_bytes(&last->columns[0], i), name);
        ok = root.data && taco__chain_write_add_sample(w, node, at, &c, root, name,
                                                       (uint64_t)taco_array_int(offset, i),
                                                       (uint64_t)taco_array_int(size, i));
    }
    n = c.sizes.len / sizeof(uint64_t);
    ok = ok &&
         taco__chain_write_text_column(w, &a[0], "root",
                                       (const taco_bytes *)(const void *)c.roots.data, n) &&
         taco__chain_write_text_column(w, &a[1], "tortilla:id",
                                       (const taco_bytes *)(const void *)c.ids.data, n) &&
         taco__chain_write_number_column(w, &a[2], "tortilla:offset", &c.offsets) &&
         taco__chain_write_number_column(w, &a[3], "tortilla:length", &c.sizes);
    memset(out, 0, sizeof *out);
    out->columns = a;
    out->count = 4;
    out->rows = n;
    taco__buf_free(&c.roots);
    taco__buf_free(&c.ids);
    taco__buf_free(&c.offsets);
    taco__buf_free(&c.sizes);
    return ok;
}
/* Writes a node that was measured with a chain of footers. The objects stand last first, so that each knows where the
   next one is; the header names the first. */
TACO__FN bool taco__chain_write_file(taco__tortilla_writer *w, const char *path,
                                     taco__tortilla_node *node, taco_bytes collection, bool chunks)
{
    taco__chain_object objects[TACO__CHAIN_MAX_OBJECTS];
    taco_bytes         bytes[TACO__CHAIN_MAX_OBJECTS];
    uint64_t *at = (uint64_t *)taco__arena_array(&w->arena, node->rows + 1, sizeof *at, w->err);
    uint64_t  place = TACO__TORTILLA_HEADER_BYTES + node->body;
    char      pointer[80] = "NULL";
    size_t    i, n = 1;
    bool      ok = at != NULL;
    for (i = 0; ok && i < node->rows; i++) {
        at[i] = i ? at[i - 1] + node->sizes[i - 1] : TACO__TORTILLA_HEADER_BYTES;
    }
    ok = ok && taco__chain_write_first_object(w, node, at, &objects[0]);
    for (; ok && objects[n - 1].inner_count; n++) {
        if (n == TACO__CHAIN_MAX_OBJECTS) {
            TACO__FAIL(w->err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "a chain of more than %u objects",
                       TACO__U(n));
            return false;
        }
        ok = taco__chain_write_next_object(w, node, at, &objects[n - 1], &objects[n]);
    }
    if (ok && chunks && n < TACO__CHAIN_MAX_OBJECTS) {
        ok = taco__chain_write_chunk_table(w, node, at, &objects[n - 1], n == 1, &objects[n]);
        n += ok && objects[n].rows;
    }
    for (i = n; ok && i-- > 0;) {
        size_t k = 13;
        ok = taco__tortilla_write_encode_footer(w, objects[i].columns, objects[i].count,
                                                objects[i].rows, pointer, &bytes[i]);
        if (ok && i) {
            memcpy(pointer, "OFFSETLENGTH(", k);
            k += taco__num_format_u64(pointer + k, place);
            memcpy(pointer + k, ", ", 2);
            k += 2;
            k += taco__num_format_u64(pointer + k, bytes[i].len);
            memcpy(pointer + k, ")", 2);
            place += bytes[i].len;
        }
    }
    if (!ok || !taco__tortilla_write_open(w, path)) {
        return false;
    }
    node->footer = taco__bytes_of(NULL, 0);
    ok = taco__tortilla_write_header(w, collection.data ? "WX" : "#y", place, bytes[0].len, 1,
                                     collection.data ? place + bytes[0].len : 0, collection.len) &&
         taco__tortilla_write_body(w, node);
    for (i = n; ok && i-- > 0;) {
        ok = taco__output_write(&w->out, bytes[i].data, bytes[i].len, w->err);
    }
    ok = ok && taco__output_write(&w->out, collection.data, collection.len, w->err);
    return taco__output_close(&w->out, ok, w->err) && ok;
}
TACO_API taco_status taco_tortilla_create(const char *path, const taco_batch *samples,
                                          bool (*payload)(void *ctx, size_t row, taco_source *out),
                                          void *ctx, const taco_tortilla_options *opt,
                                          taco_error *err)
{
    taco_error            own = {0, TACO_OK, 0, {0}};
    taco__tortilla_writer w;
    taco__tortilla_node   node;
    taco__tortilla_caller caller;
    taco_bytes            collection = {NULL, 0};
    bool                  ok;
    taco__tortilla_write_init(&w, opt ? opt->options : NULL, err ? err : &own);
    if (!path || !samples || !payload || samples->length == 0) {
        return TACO__FAIL(w.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          !path ? "path" : "samples");
    }
    caller.payload = payload;
    caller.ctx = ctx;
    w.closes = true;
    w.payload = taco__tortilla_create_payload;
    w.ctx = &caller;
    ok = (!opt || !opt->collection ||
          taco__tortilla_write_check_json(&w, opt->collection, &collection)) &&
         taco__tortilla_create_node(&w, samples, &node) &&
         taco__tortilla_write_check_node(&w, &node) && taco__tortilla_write_measure(&w, &node) &&
         (opt && (opt->chain || opt->chunks)
              ? taco__chain_write_file(&w, path, &node, collection, opt->chunks)
              : taco__tortilla_write_parts(&w, path, &node,
                                           opt && opt->part_bytes ? opt->part_bytes
                                                                  : TACO__TORTILLA_PART_BYTES,
                                           collection));
    return taco__tortilla_write_finish(&w, ok, path);
}

/* ---- compile -------------------------------------------------------------------------------------- */

/* All rows of a cursor as arrays in the arena. */
TACO__FN bool taco__tortilla_compile_read_rows(taco__tortilla_writer *w, taco_cursor *c,
                                               taco_batch *out)
{
    size_t            n, i, k, parts = 0;
    const taco_field *fields = taco_cursor_fields(c, &n);
    taco__buf         list; /* of arrays of arrays */
    taco_batch        b;
    taco_array       *columns =
        (taco_array *)taco__arena_array(&w->arena, n + 1, sizeof *columns, w->err);
    bool ok = columns != NULL;
    memset(&list, 0, sizeof list);
    list.mem = &w->mem;
    memset(out, 0, sizeof *out);
    while (ok && taco_cursor_batch(c, &b)) {
        taco_array *copy = (taco_array *)taco__arena_array(&w->arena, n + 1, sizeof *copy, w->err);
        ok = copy && taco__buf_append(&list, &copy, sizeof copy, w->err);
        for (i = 0; ok && i < n; i++) {
            taco__concat_slice p;
            p.a = &b.columns[i];
            p.first = 0;
            p.n = b.length;
            ok = taco__concat_arrays(&w->arena, &fields[i], &p, 1, &copy[i], w->err);
        }
        out->length += b.length;
        parts++;
    }
    for (i = 0; ok && i < n; i++) {
        taco_field         *f = (taco_field *)taco__arena_alloc(&w->arena, sizeof *f, w->err);
        taco__concat_slice *p =
            (taco__concat_slice *)taco__arena_array(&w->arena, parts + 1, sizeof *p, w->err);
        for (k = 0; p && k < parts; k++) {
            const taco_array *copy = ((taco_array **)(void *)list.data)[k];
            p[k].a = &copy[i];
            p[k].n = copy[i].length;
        }
        ok = f && p && taco__concat_copy_field(&w->arena, &fields[i], f, w->err) &&
             taco__concat_arrays(&w->arena, f, p, parts, &columns[i], w->err);
    }
    taco__buf_free(&list);
    out->columns = columns;
    out->column_count = n;
    out->first_row = -1;
    return ok;
}
typedef struct taco__tortilla_subset {
    taco_dataset     *ds;
    const taco_array *offset, *size, *source;
    const size_t     *rows; /* in the order in which they are written */
} taco__tortilla_subset;

TACO__FN bool taco__tortilla_compile_payload(void *ctx, const taco__tortilla_node *node, size_t row,
                                             taco__input *in, taco_error *err)
{
    const taco__tortilla_subset *s = (const taco__tortilla_subset *)ctx;
    size_t                       at = s->rows[node->tag + row];
    uint64_t                     offset = (uint64_t)taco_array_int(s->offset, at),
             size = (uint64_t)taco_array_int(s->size, at);
    taco__file *f = &s->ds->stores[0].file;
    if (s->source) {
        f = taco__container_open_archive(&s->ds->stores[0], taco_array_bytes(s->source, at), err);
    }
    if (!f || !taco__file_check_range(f, offset, size, err)) {
        return false;
    }
    taco__input_from_range(in, &f->src, offset, size);
    return true;
}
typedef struct taco__tortilla_sort_key {
    int64_t offset;
    size_t  row;
} taco__tortilla_sort_key;

TACO__FN int taco__tortilla_compile_compare(const void *a, const void *b)
{
    const taco__tortilla_sort_key *x = (const taco__tortilla_sort_key *)a,
                                  *y = (const taco__tortilla_sort_key *)b;
    return x->offset != y->offset ? (x->offset > y->offset) - (x->offset < y->offset)
                                  : (x->row > y->row) - (x->row < y->row);
}
/* The rows by their old offsets, across files too; columns of our own are dropped. */
TACO__FN bool taco__tortilla_compile_node(taco__tortilla_writer *w, const taco_batch *all,
                                          taco__tortilla_subset *s, taco__tortilla_node *node)
{
    taco__tortilla_sort_key *places = (taco__tortilla_sort_key *)taco__arena_array(
        &w->arena, all->length + 1, sizeof *places, w->err);
    size_t *rows = (size_t *)taco__arena_array(&w->arena, all->length + 1, sizeof *rows, w->err);
    taco__concat_slice *p =
        (taco__concat_slice *)taco__arena_array(&w->arena, all->length + 1, sizeof *p, w->err);
    taco_array *columns =
        (taco_array *)taco__arena_array(&w->arena, all->column_count + 1, sizeof *columns, w->err);
    bool has_format = taco__tortilla_write_find_column(all->columns, all->column_count,
                                                       "tortilla:file_format"),
         user_id = taco__tortilla_write_find_column(all->columns, all->column_count, "internal:id"),
         user_type =
             taco__tortilla_write_find_column(all->columns, all->column_count, "internal:type");
    size_t i, k;
    memset(node, 0, sizeof *node);
    node->sizes =
        (uint64_t *)taco__arena_array(&w->arena, all->length + 1, sizeof(uint64_t), w->err);
    if (!places || !rows || !p || !columns || !node->sizes) {
        return false;
    }
    for (i = 0; i < all->length; i++) {
        places[i].offset = taco_array_int(s->offset, i);
        places[i].row = i;
    }
    qsort(places, all->length, sizeof *places, taco__tortilla_compile_compare);
    for (i = 0; i < all->length; i++) {
        rows[i] = places[i].row;
    }
    for (k = 0; k < all->column_count; k++) {
        const taco_field *from = all->columns[k].field;
        taco_field       *f;
        bool              format = !has_format && strcmp(from->name, "internal:file_format") == 0;
        if (!format &&
            (strncmp(from->name, "internal:", 9) == 0 || strcmp(from->name, "geometry") == 0 ||
             strcmp(from->name, "tortilla:offset") == 0 ||
             strcmp(from->name, "tortilla:length") == 0 ||
             (!user_id && strcmp(from->name, "id") == 0) ||
             (!user_type && strcmp(from->name, "type") == 0))) {
            continue;
        }
        f = (taco_field *)taco__arena_alloc(&w->arena, sizeof *f, w->err);
        for (i = 0; i < all->length; i++) {
            p[i].a = &all->columns[k];
            p[i].first = rows[i];
            p[i].n = 1;
        }
        if (!f) {
            return false;
        }
        *f = *from;
        f->name = format ? "tortilla:file_format" : f->name;
        if (!taco__concat_arrays(&w->arena, f, p, all->length, &columns[node->column_count++],
                                 w->err)) {
            return false;
        }
    }
    s->rows = rows;
    node->columns = columns;
    node->rows = all->length;
    return true;
}
TACO_API taco_status taco_tortilla_compile(taco_dataset *ds, const taco_query *q, const char *path,
                                           taco_error *err)
{
    taco_error            own = {0, TACO_OK, 0, {0}};
    taco__tortilla_writer w;
    taco__tortilla_node   node;
    taco__tortilla_subset s;
    taco_batch            all;
    taco_cursor          *c;
    bool                  ok;
    taco__tortilla_write_init(&w, ds ? &ds->options : NULL, err ? err : &own);
    if (!ds || !path || ds->stores[0].format != &taco__legacy_opener ||
        (q && (q->select || q->flat))) {
        return TACO__FAIL(w.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a Tortilla or TACO 0.x, whole rows of it and a path are needed");
    }
    c = taco_select(ds, q, w.err);
    ok = c && taco__tortilla_compile_read_rows(&w, c, &all);
    if (c && taco_cursor_close(c, w.err) != TACO_OK) {
        ok = false;
    }
    memset(&s, 0, sizeof s);
    s.ds = ds;
    if (ok && all.length == 0) {
        TACO__FAIL(w.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no row is left to write");
        ok = false;
    }
    if (ok) {
        s.offset =
            taco__tortilla_write_find_column(all.columns, all.column_count, "internal:offset");
        s.size = taco__tortilla_write_find_column(all.columns, all.column_count, "internal:size");
        s.source =
            taco__tortilla_write_find_column(all.columns, all.column_count, "internal:source_file");
        w.compiled = true;
        w.payload = taco__tortilla_compile_payload;
        w.ctx = &s;
        ok = s.offset && s.size && taco__tortilla_compile_node(&w, &all, &s, &node) &&
             taco__tortilla_write_measure(&w, &node) &&
             taco__tortilla_write_file(&w, path, &node, 1, taco__bytes_of(NULL, 0));
    }
    return taco__tortilla_write_finish(&w, ok, path);
}

/* ---- files that stand, changed --------------------------------------------------------------------- */

/* What is made of a file: its bytes up to where the footer or the collection begins, and another footer or collection. */
typedef struct taco__tortilla_edit {
    taco_source    src;
    taco__file     file;
    taco__tortilla head;
    uint8_t        raw[TACO__TORTILLA_HEADER_BYTES];
} taco__tortilla_edit;

TACO__FN bool taco__tortilla_edit_open(taco__tortilla_writer *w, const char *in,
                                       taco__tortilla_edit *e)
{
    memset(e, 0, sizeof *e);
    if (!taco__source_open_path(&w->options, in, &e->src, w->err)) {
        return false;
    }
    taco__file_init(&e->file, &e->src, "", &w->mem);
    if (!taco__tortilla_read_header(&e->file, 0, &w->arena, &e->head, w->err) ||
        !taco__file_read(&e->file, 0, e->raw, sizeof e->raw, w->err)) {
        return false;
    }
    if (e->head.driver) {
        TACO__FAIL(w->err, TACO_ERR_UNSUPPORTED, 18,
                   "files of before Tortilla 0.3 are read, not changed");
        return false;
    }
    return true;
}
/* Header, bytes [200, kept) as they are, and what comes behind them. */
TACO__FN bool taco__tortilla_edit_write(taco__tortilla_writer *w, taco__tortilla_edit *e,
                                        const char *out, uint64_t kept, taco_bytes behind,
                                        taco_bytes last)
{
    taco__input body;
    bool        ok;
    if (kept < TACO__TORTILLA_HEADER_BYTES || kept > e->src.size) {
        TACO__FAIL(w->err, TACO_ERR_CORRUPT, 2, "the footer stands where the header is");
        return false;
    }
    if (!taco__tortilla_write_open(w, out)) {
        return false;
    }
    taco__input_from_range(&body, &e->src, TACO__TORTILLA_HEADER_BYTES,
                           kept - TACO__TORTILLA_HEADER_BYTES);
    ok = taco__output_write(&w->out, e->raw, sizeof e->raw, w->err) &&
         taco__tortilla_write_payload(w, &body) &&
         taco__output_write(&w->out, behind.data, behind.len, w->err) &&
         taco__output_write(&w->out, last.data, last.len, w->err);
    return taco__output_close(&w->out, ok, w->err) && ok;
}
TACO__FN taco_status taco__tortilla_edit_close(taco__tortilla_writer *w, taco__tortilla_edit *e,
                                               bool ok, const char *path)
{
    if (e->src.read) {
        taco__file_close(&e->file);
    }
    return taco__tortilla_write_finish(w, ok, path);
}
TACO__FN bool taco__tortilla_edit_check_kind(taco__tortilla_writer *w, const taco__tortilla_edit *e,
                                             bool wanted)
{
    if ((memcmp(e->raw, "WX", 2) == 0) == wanted) {
        return true;
    }
    TACO__FAIL(w->err, TACO_ERR_ARGUMENT, 0, wanted ? "a tortilla, not a TACO" : "a TACO already");
    return false;
}
TACO_API taco_status taco_tortilla_to_taco(const char *in, const char *out, const char *collection,
                                           const taco_options *opt, taco_error *err)
{
    taco_error            own = {0, TACO_OK, 0, {0}};
    taco__tortilla_writer w;
    taco__tortilla_edit   e;
    taco_bytes            json, none = {NULL, 0};
    bool                  ok;
    taco__tortilla_write_init(&w, opt, err ? err : &own);
    ok = taco__tortilla_edit_open(&w, in, &e) && taco__tortilla_edit_check_kind(&w, &e, false) &&
         taco__tortilla_write_check_json(&w, collection, &json);
    if (ok) {
        memcpy(e.raw, "WX", 2);
        taco__put_le64(e.raw + 26, e.src.size);
        taco__put_le64(e.raw + 34, json.len);
        ok = taco__tortilla_edit_write(&w, &e, out, e.src.size, json, none);
    }
    return taco__tortilla_edit_close(&w, &e, ok, in);
}
TACO_API taco_status taco_tortilla_from_taco(const char *in, const char *out,
                                             const taco_options *opt, taco_error *err)
{
    taco_error            own = {0, TACO_OK, 0, {0}};
    taco__tortilla_writer w;
    taco__tortilla_edit   e;
    taco_bytes            none = {NULL, 0};
    bool                  ok;
    taco__tortilla_write_init(&w, opt, err ? err : &own);
    ok = taco__tortilla_edit_open(&w, in, &e) && taco__tortilla_edit_check_kind(&w, &e, true);
    if (ok) {
        memcpy(e.raw, "#y", 2);
        memset(e.raw + 26, 0, 16);
        ok = taco__tortilla_edit_write(&w, &e, out, e.head.collection.offset, none, none);
    }
    return taco__tortilla_edit_close(&w, &e, ok, in);
}
TACO_API taco_status taco_tortilla_edit_collection(const char *in, const char *out,
                                                   const char *collection, const taco_options *opt,
                                                   taco_error *err)
{
    taco_error            own = {0, TACO_OK, 0, {0}};
    taco__tortilla_writer w;
    taco__tortilla_edit   e;
    taco_bytes            json, none = {NULL, 0};
    bool                  ok;
    taco__tortilla_write_init(&w, opt, err ? err : &own);
    ok = taco__tortilla_edit_open(&w, in, &e) && taco__tortilla_edit_check_kind(&w, &e, true) &&
         taco__tortilla_write_check_json(&w, collection, &json);
    if (ok) {
        taco__put_le64(e.raw + 34, json.len);
        ok = taco__tortilla_edit_write(&w, &e, out, e.head.collection.offset, json, none);
    }
    return taco__tortilla_edit_close(&w, &e, ok, in);
}
/* The rows of a footer to come must lie in front of it. */
TACO__FN bool taco__tortilla_edit_check_rows(taco__tortilla_writer *w, const taco__tortilla_edit *e,
                                             const taco_batch *rows)
{
    const taco_array *offset =
        taco__tortilla_write_find_column(rows->columns, rows->column_count, "tortilla:offset");
    const taco_array *length =
        taco__tortilla_write_find_column(rows->columns, rows->column_count, "tortilla:length");
    const taco_array *id =
        taco__tortilla_write_find_column(rows->columns, rows->column_count, "tortilla:id");
    size_t i;
    if (!offset || !length || !id || !taco__concat_is_integer(offset->field->type) ||
        !taco__concat_is_integer(length->field->type) || id->field->type != TACO_TEXT) {
        TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "a footer has tortilla:id, tortilla:offset and tortilla:length");
        return false;
    }
    for (i = 0; i < rows->length; i++) {
        int64_t o = taco_array_int(offset, i), l = taco_array_int(length, i);
        if (o < 0 || l < 0 ||
            !taco__checked_range((uint64_t)o, (uint64_t)l, e->head.footer.offset)) {
            TACO__FAIL(w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "row %u: %d bytes at %d, the payloads end at %u", TACO__U(i), TACO__D(l),
                       TACO__D(o), e->head.footer.offset);
            return false;
        }
    }
    return true;
}
TACO_API taco_status taco_tortilla_edit_footer(const char *in, const char *out,
                                               const taco_batch *rows, const taco_options *opt,
                                               taco_error *err)
{
    taco_error            own = {0, TACO_OK, 0, {0}};
    taco__tortilla_writer w;
    taco__tortilla_edit   e;
    taco_bytes            json = {NULL, 0}, footer = {NULL, 0};
    taco_array           *columns;
    size_t                i, n = 0;
    bool                  ok;
    taco__tortilla_write_init(&w, opt, err ? err : &own);
    if (!rows) {
        return TACO__FAIL(w.err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no rows given");
    }
    ok = taco__tortilla_edit_open(&w, in, &e) && taco__tortilla_edit_check_rows(&w, &e, rows);
    columns =
        (taco_array *)taco__arena_array(&w.arena, rows->column_count + 1, sizeof *columns, w.err);
    for (i = 0; columns && i < rows->column_count; i++) {
        const char *name = rows->columns[i].field->name;
        if (strncmp(name, "internal:", 9) != 0 && strcmp(name, "geometry") != 0) {
            columns[n++] = rows->columns[i];
        }
    }
    ok = ok && columns &&
         taco__tortilla_write_encode_footer(&w, columns, n, rows->length, NULL, &footer);
    if (ok && e.head.collection.len) {
        uint8_t *p = (uint8_t *)taco__arena_alloc(&w.arena, (size_t)e.head.collection.len, w.err);
        ok = p && taco__file_read(&e.file, e.head.collection.offset, p,
                                  (size_t)e.head.collection.len, w.err);
        json = taco__bytes_of(p, (size_t)e.head.collection.len);
        taco__put_le64(e.raw + 26, e.head.footer.offset + footer.len);
    }
    taco__put_le64(e.raw + 10, footer.len);
    ok = ok && taco__tortilla_edit_write(&w, &e, out, e.head.footer.offset, footer, json);
    return taco__tortilla_edit_close(&w, &e, ok, in);
}
