/* tortilla_read.c - headers, footers and nested tables of Tortilla and TACO 0.x.. Spec: Tortilla
   0.5.0 "Format"; TACO 0.2.0 "Data format" */
#include "legacy.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../parquet/parquet.h"
#include "../dataset/dataset.h"

/* Text that is padded with blanks. */
static const char *taco__tortilla_read_driver(taco__arena *arena, const uint8_t *p, size_t n,
                                              taco_error *err)
{
    while (n && p[n - 1] == ' ') {
        n--;
    }
    return taco__arena_text(arena, taco__bytes_of(p, n), err);
}

static bool taco__tortilla_is_printable(const uint8_t *p, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (p[i] < 0x20 || p[i] > 0x7E) { return false; }
    }
    return true;
}

/* A range that the header names at byte `at`: within the file, and relative to the tortilla. */
static bool taco__tortilla_read_range(const taco__file *file, const taco__tortilla *t,
                                      const uint8_t *p, size_t at, const char *what,
                                      taco__range *out, taco_error *err)
{
    uint64_t offset = taco__load_le64(p + at), len = taco__load_le64(p + at + 8);
    if (!taco__checked_add64(t->base, offset, &out->offset) ||
        !taco__checked_range(out->offset, len, file->src.size)) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, t->base + at,
                   "the %s has %u bytes at %u, the file ends at %u", what, len, out->offset,
                   file->src.size);
        return false;
    }
    if (out->offset < t->body) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, t->base + at,
                   "the %s at %u lies in the header, which ends at %u", what, out->offset, t->body);
        return false;
    }
    out->len = len;
    return true;
}

/* Reads the header at base. Three layouts: that of the specifications; before it one with the
   format at 18 (24 bytes, padded with blanks); and at first one of 50 bytes, with 32 for the
   format. */
TACO__FN bool taco__tortilla_read_header(taco__file *file, uint64_t base, taco__arena *arena,
                                         taco__tortilla *out, taco_error *err)
{
    uint8_t p[TACO__TORTILLA_HEADER_BYTES];
    uint64_t have = base < file->src.size ? file->src.size - base : 0;
    size_t n = (size_t)TACO__MIN(have, (uint64_t)sizeof p), at = 26;
    memset(out, 0, sizeof *out);
    memset(p, 0, sizeof p);
    out->base = base;
    out->parts = 1;
    if (n < 50) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, base,
                   "a Tortilla header has 50 or 200 bytes, %u are there", TACO__U(n));
        return false;
    }
    if (!taco__file_read(file, base, p, n, err)) { return false; }
    if (memcmp(p, "#y", 2) != 0 && memcmp(p, "WX", 2) != 0) {
        taco_bytes magic = taco__bytes_of(p, 2);
        TACO__FAIL(err, TACO_ERR_CORRUPT, base, "a Tortilla begins with '#y' or 'WX', found %q",
                   &magic);
        return false;
    }
    if (taco__tortilla_is_printable(p + 18, 8)) { /* a number of parts of 2^56 there is not */
        bool first = memcmp(p + 42, "        ", 8) == 0;
        out->driver = taco__tortilla_read_driver(arena, p + 18, first ? 32 : 24, err);
        if (!out->driver) { return false; }
        out->parts = first ? 1 : taco__load_le64(p + 42);
        out->body = base + (first ? 50 : TACO__TORTILLA_HEADER_BYTES);
        at = first ? 0 : 50;
    } else {
        out->parts = taco__load_le64(p + 18);
        out->body = base + TACO__TORTILLA_HEADER_BYTES;
    }
    return taco__tortilla_read_range(file, out, p, 2, "footer", &out->footer, err) &&
           (!at || taco__load_le64(p + at + 8) == 0 ||
            taco__tortilla_read_range(file, out, p, at, "collection", &out->collection, err));
}

/* Columns that pandas keeps its index in, and those that readers made. */
static bool taco__tortilla_is_hidden_column(const char *name, const taco__json *index)
{
    static const char *const made[] = {
        "internal:subfile", "internal:parent_id",     "internal:current_id",  "internal:offset",
        "internal:size",    "internal:relative_path", "internal:source_file", "internal:gdal_vsi",
        "internal:id",      "internal:type"};
    size_t i, n = strlen(name);
    if (strncmp(name, "__index_level_", 14) == 0 && n > 16 && strcmp(name + n - 2, "__") == 0) {
        return true;
    }
    for (i = 0; i < TACO__COUNT(made); i++) {
        if (strcmp(name, made[i]) == 0) { return true; }
    }
    for (i = 0; strncmp(name, "tortilla:", 9) != 0 && i < taco__json_length(index); i++) {
        if (taco__json_equals(taco__json_at(index, i), name)) { return true; }
    }
    return false;
}

/* Which columns of a footer are shown. */
static size_t taco__tortilla_list_columns(const taco_pq_file *pq, const taco__table *t,
                                          taco__arena *arena, size_t *which)
{
    taco__json_doc doc;
    const taco__json *index = NULL;
    taco_bytes pandas = taco_pq_key_value(pq, "pandas");
    taco_error none;
    size_t i, n = 0;
    memset(&none, 0, sizeof none);
    if (pandas.data &&
        taco__json_parse(arena, pandas, &pq->options.limits, &doc, &none) == TACO_OK) {
        index = taco__json_get(doc.root, "index_columns");
    }
    for (i = 0; i < t->field_count; i++) {
        if (!taco__tortilla_is_hidden_column(t->fields[i].name, index)) { which[n++] = i; }
    }
    return n;
}

/* Column that every footer has. */
static size_t taco__tortilla_find_column(const taco__table *t, const char *name, bool text,
                                         taco_error *err)
{
    size_t c = taco__table_find_column(t, name);
    if (c == TACO__NONE) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "there is no column %s", name);
    } else if (text ? t->fields[c].type != TACO_TEXT
                    : !taco__concat_is_integer(t->fields[c].type)) {
        TACO__FAIL(err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %s is no %s", name,
                   text ? "text" : "integer");
        c = TACO__NONE;
    }
    return c;
}

/* Proves that every row lies in the file, and makes offsets those in the file. */
static bool taco__tortilla_resolve_offsets(taco__tortilla_table *t, uint64_t base, uint64_t size,
                                           taco__arena *arena, taco_error *err)
{
    taco_array *column = (taco_array *)&t->t.arrays[t->offset];
    const taco_array *lengths = &t->t.arrays[t->length];
    taco_field *f = (taco_field *)column->field;
    int64_t *at = (int64_t *)taco__arena_array(arena, (size_t)t->t.rows + 8, sizeof *at, err);
    size_t i;
    if (!at) { return false; }
    for (i = 0; i < t->t.rows; i++) {
        int64_t offset = taco_array_int(column, i), length = taco_array_int(lengths, i);
        uint64_t place;
        if (!taco_array_valid(column, i) || !taco_array_valid(lengths, i) || offset < 0 ||
            length < 0) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "row %u: tortilla:offset %d and tortilla:length %d, both must be there and "
                       "0 or more",
                       TACO__U(i), TACO__D(offset), TACO__D(length));
            return false;
        }
        if (!taco__checked_add64(base, (uint64_t)offset, &place) ||
            !taco__checked_range(place, (uint64_t)length, size)) {
            TACO__FAIL(err, TACO_ERR_TRUNCATED, TACO_NO_OFFSET,
                       "row %u: %u bytes at %u, the file ends at %u", TACO__U(i), TACO__U(length),
                       TACO__U(offset) + base, size);
            return false;
        }
        at[i] = (int64_t)place;
    }
    f->type = TACO_INT64;
    f->width = 8;
    column->v.any = at;
    column->dictionary = NULL;
    return true;
}

/* Copies the columns of an open footer into the arena. */
static bool taco__tortilla_copy_table(taco__container *s, taco_pq_file *pq, const taco__table *from,
                                      taco__arena *arena, taco__table *out, taco_error *err)
{
    size_t *which = (size_t *)taco__arena_array(arena, from->field_count + 1, sizeof *which, err);
    size_t i, n = which ? taco__tortilla_list_columns(pq, from, arena, which) : 0;
    taco_field *fields = (taco_field *)taco__arena_array(arena, n + 1, sizeof *fields, err);
    taco_array *arrays = (taco_array *)taco__arena_array(arena, n + 1, sizeof *arrays, err);
    taco__row_reader rows;
    bool ok = which && fields && arrays;
    if (!ok || !taco__row_reader_open(&rows, from, which, n, s->mem, err)) { return false; }
    ok = taco__row_reader_read_range(&rows, 0, (size_t)from->rows, err);
    for (i = 0; ok && i < n; i++) {
        taco__concat_slice p;
        const taco_field *f = &from->fields[which[i]];
        p.a = &rows.arrays[i];
        p.first = 0;
        p.n = (size_t)from->rows;
        ok = taco__concat_copy_field(arena, f, &fields[i], err) &&
             taco__concat_arrays(arena, &fields[i], &p, 1, &arrays[i], err);
    }
    taco__row_reader_close(&rows);
    out->fields = fields;
    out->arrays = arrays;
    out->field_count = out->stored = n;
    out->rows = from->rows;
    return ok;
}

/* Fills the three columns of the first footers. */
static bool taco__tortilla_parse_members(const taco__json *root, uint64_t at, char *text,
                                         int32_t *ends, int64_t *offset, int64_t *length,
                                         taco_error *err)
{
    const taco__json *key = taco__json_first(root);
    uint32_t i;
    for (i = 0; i < root->count; i++, key = taco__json_next(key + 1)) {
        taco_bytes id = taco__json_bytes(key);
        if (taco__json_length(key + 1) != 2 ||
            !taco__json_int(taco__json_at(key + 1, 0), &offset[i]) ||
            !taco__json_int(taco__json_at(key + 1, 1), &length[i])) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, at + key[1].begin,
                       "sample %q is %s, must be [offset, length] of whole numbers", &id,
                       taco__json_type_name(key + 1));
            return false;
        }
        if (id.len) { memcpy(text + ends[i], id.data, id.len); }
        ends[i + 1] = ends[i] + (int32_t)id.len; /* the text of a document has less than 2^31 */
    }
    return true;
}

/* Footers of 2024-09 are {"id": [offset, length], ...}, the offsets those in the file: rows in the
   order of the text. */
static bool taco__tortilla_read_json(taco__container *s, taco__file *file, taco__range range,
                                     taco__arena *arena, taco__table *out, taco_error *err)
{
    static const char *const names[] = {"tortilla:id", "tortilla:offset", "tortilla:length"};
    taco_field *f = (taco_field *)taco__arena_array(arena, 3, sizeof *f, err);
    taco_array *a = (taco_array *)taco__arena_array(arena, 3, sizeof *a, err);
    taco__json_doc doc;
    taco__arena scratch;
    uint8_t *bytes;
    char *text;
    int32_t *ends;
    int64_t *number[2];
    size_t i, n = 0;
    bool ok;
    scratch.mem = s->mem;
    scratch.head = NULL;
    bytes = f && a ? (uint8_t *)taco__arena_alloc(&scratch, (size_t)range.len + 1, err) : NULL;
    ok = bytes && taco__file_read(file, range.offset, bytes, (size_t)range.len, err) &&
         taco__json_parse_at(&scratch, taco__bytes_of(bytes, (size_t)range.len), range.offset,
                             &s->options->limits, &doc, err) == TACO_OK;
    if (ok) {
        n = doc.root->count;
        text = (char *)taco__arena_alloc(arena, (size_t)range.len + TACO__PAD, err);
        ends = (int32_t *)taco__arena_array(arena, n + 1, sizeof *ends, err);
        number[0] = (int64_t *)taco__arena_array(arena, n + 8, sizeof **number, err);
        number[1] = (int64_t *)taco__arena_array(arena, n + 8, sizeof **number, err);
        ok = text && ends && number[0] && number[1] &&
             taco__tortilla_parse_members(doc.root, range.offset, text, ends, number[0], number[1],
                                          err);
        for (i = 0; i < 3; i++) {
            f[i].name = names[i];
            f[i].type = i ? TACO_INT64 : TACO_TEXT;
            f[i].width = i ? 8 : 0;
            a[i].field = &f[i];
            a[i].length = n;
            a[i].offsets = i ? NULL : ends;
            a[i].v.any = i ? (const void *)number[i - 1] : (const void *)text;
        }
        out->fields = f;
        out->arrays = a;
        out->field_count = out->stored = 3;
        out->rows = n;
    }
    taco__arena_free(&scratch);
    return ok;
}

/* The same of a footer in Parquet, with what it says of the chain. */
static bool taco__tortilla_read_parquet(taco__container *s, taco__file *file, taco__range range,
                                        taco__arena *arena, taco__tortilla_table *out,
                                        taco_error *err)
{
    taco_pq_file pq;
    taco__table t;
    taco_bytes pointer;
    bool ok;
    if (!taco__container_open_table(s, file, range, "footer", false, arena, &pq, &t, err)) {
        return false;
    }
    pointer = taco_pq_key_value(&pq, "pointer");
    ok = t.rows <= INT32_MAX;
    if (!ok) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u rows, at most %u are read", t.rows,
                   TACO__U(INT32_MAX));
    }
    ok = ok && taco__tortilla_copy_table(s, &pq, &t, arena, &out->t, err);
    if (ok && pointer.data) {
        out->pointer.data = (const uint8_t *)taco__arena_text(arena, pointer, err);
        out->pointer.len = pointer.len;
        ok = out->pointer.data != NULL;
    }
    taco__pq_file_close(&pq);
    return ok;
}

/* Opens the footer at a range of a file: its rows, the columns that navigation needs proven. */
TACO__FN bool taco__tortilla_read_footer(taco__container *s, taco__file *file, taco__range range,
                                         uint64_t base, const char *driver, taco__arena *arena,
                                         taco__tortilla_table *out, taco_error *err)
{
    uint8_t first = 0;
    bool ok;
    memset(out, 0, sizeof *out);
    if (range.len > s->options->limits.max_metadata) {
        TACO__FAIL(err, TACO_ERR_LIMIT, range.offset,
                   "a footer of %u bytes, limits.max_metadata is %u", range.len,
                   s->options->limits.max_metadata);
        return false;
    }
    ok = !driver || !range.len || taco__file_read(file, range.offset, &first, 1, err);
    ok = ok && (first == '{' ? taco__tortilla_read_json(s, file, range, arena, &out->t, err)
                             : taco__tortilla_read_parquet(s, file, range, arena, out, err));
    if (ok) {
        out->base = base;
        out->driver = driver;
        out->id = taco__tortilla_find_column(&out->t, "tortilla:id", true, err);
        out->offset = out->id == TACO__NONE
                          ? TACO__NONE
                          : taco__tortilla_find_column(&out->t, "tortilla:offset", false, err);
        out->length = out->offset == TACO__NONE
                          ? TACO__NONE
                          : taco__tortilla_find_column(&out->t, "tortilla:length", false, err);
        out->format = taco__table_find_column(&out->t, "tortilla:file_format");
        if (out->format == TACO__NONE) {
            out->format = taco__table_find_column(&out->t, "internal:file_format");
        }
        if (out->format != TACO__NONE && out->t.fields[out->format].type != TACO_TEXT) {
            out->format = TACO__NONE;
        }
        out->all = driver && strcmp(driver, "TORTILLA") == 0;
        ok = out->length != TACO__NONE &&
             taco__tortilla_resolve_offsets(out, base, file->src.size, arena, err);
    }
    if (!ok) { taco__error_prefix(err, "footer at byte %u", TACO__U(range.offset)); }
    return ok;
}

/* Whether row i holds a tortilla of its own. */
TACO__FN bool taco__tortilla_is_nested(const taco__tortilla_table *t, size_t i)
{
    return t->all || (t->format != TACO__NONE &&
                      taco__bytes_equal(taco_array_bytes(&t->t.arrays[t->format], i),
                                        taco__bytes_text("TORTILLA")));
}
