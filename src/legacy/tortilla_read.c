/* tortilla_read.c - one header and one footer of a Tortilla or TACO 0.x file

   In: an open file and the offset of a tortilla in it: 0 unless it is nested. Out: the ranges in
   its header, all within the file, and the table of its footer, in an arena, with the offsets of
   its samples checked and made relative to the file. Spec: Tortilla 0.5.0 "Format", TACO 0.2.0
   "Data format". Headers, all numbers little-endian:

       0  "#y", "WX" with a collection
       2  footer: offset, length, 8 bytes each
       18 number of parts; before 0.3 the format of all samples, 24 bytes, padded with blanks
       26 collection: offset, length; before 0.3 the parts at 42, the collection at 50
       200 (of the first writers 50, with 32 for the format) payloads

   Footers are Parquet, or JSON in files of 2024-09. Start reading at taco__tortilla_read_header. */
#include "legacy.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../parquet/parquet.h"
#include "../dataset/dataset.h"

/* ---- headers ---- */

/* Copies text padded with blanks; NULL if out of memory. */
static const char *taco__tortilla_read_driver(taco__arena *arena, const uint8_t *p, size_t n,
                                              taco_error *err)
{
    while (n && p[n - 1] == ' ') {
        n--;
    }
    return taco__arena_text(arena, taco__bytes_of(p, n), err);
}

/* True for ASCII without control characters, like the name of a driver. */
static bool taco__tortilla_is_printable(const uint8_t *p, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (p[i] < 0x20 || p[i] > 0x7E) { return false; }
    }
    return true;
}

/* Reads the range in the header at byte `at`, relative to the tortilla; it must lie in the file. */
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

/* Reads the first 200 bytes, or as many as there are. */
static bool taco__tortilla_read_bytes(taco__file *file, uint64_t base, uint8_t *p, taco_error *err)
{
    uint64_t have = base < file->src.size ? file->src.size - base : 0;
    size_t n = (size_t)TACO__MIN(have, (uint64_t)TACO__TORTILLA_HEADER_BYTES);
    memset(p, 0, TACO__TORTILLA_HEADER_BYTES);
    if (n < TACO__TORTILLA_FIRST_HEADER_BYTES) {
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
    return true;
}

/* Reads a header from before 0.3: printable text in place of the number of parts, which would be
   2^56 or more. *collection is the position of its range, 0 if it has none. */
static bool taco__tortilla_read_old_header(const uint8_t *p, uint64_t base, taco__arena *arena,
                                           taco__tortilla *out, size_t *collection, taco_error *err)
{
    bool first = memcmp(p + 42, "        ", 8) == 0;
    out->driver = taco__tortilla_read_driver(arena, p + 18, first ? 32 : 24, err);
    out->parts = first ? 1 : taco__load_le64(p + 42);
    out->body = base + (first ? TACO__TORTILLA_FIRST_HEADER_BYTES : TACO__TORTILLA_HEADER_BYTES);
    *collection = first ? 0 : 50;
    return out->driver != NULL;
}

TACO__FN bool taco__tortilla_read_header(taco__file *file, uint64_t base, taco__arena *arena,
                                         taco__tortilla *out, taco_error *err)
{
    uint8_t p[TACO__TORTILLA_HEADER_BYTES];
    size_t collection = 26;
    memset(out, 0, sizeof *out);
    out->base = base;
    out->parts = 1;
    if (!taco__tortilla_read_bytes(file, base, p, err)) { return false; }
    if (taco__tortilla_is_printable(p + 18, 8)) {
        if (!taco__tortilla_read_old_header(p, base, arena, out, &collection, err)) {
            return false;
        }
    } else {
        out->parts = taco__load_le64(p + 18);
        out->body = base + TACO__TORTILLA_HEADER_BYTES;
    }
    return taco__tortilla_read_range(file, out, p, 2, "footer", &out->footer, err) &&
           (!collection || taco__load_le64(p + collection + 8) == 0 ||
            taco__tortilla_read_range(file, out, p, collection, "collection", &out->collection,
                                      err));
}

/* ---- columns of a footer ---- */

/* True for columns of a pandas index and those made by readers: a footer may have been written from
   a table that was read. index: the texts of index_columns. */
static bool taco__tortilla_is_hidden_column(const char *name, const taco__hash_map *index)
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
    return strncmp(name, "tortilla:", 9) != 0 && taco__hash_map_find(index, taco__bytes_text(name));
}

/* Adds the names in index_columns of the pandas metadata, if there are any, to a map. */
static bool taco__tortilla_index_names(const taco_pq_file *pq, taco__arena *arena,
                                       taco__hash_map *names, taco_error *err)
{
    taco__json_doc doc;
    const taco__json *list, *name;
    taco_bytes pandas = taco_pq_key_value(pq, "pandas");
    taco_error none;
    size_t i;
    bool added;
    memset(&none, 0, sizeof none);
    if (!pandas.data) { return true; }
    if (taco__json_parse(arena, pandas, &pq->options.limits, &doc, &none) != TACO_OK) {
        bool machine = taco__error_is_of_machine(&none);
        if (machine) { *err = none; }
        return !machine; /* other metadata than that of pandas says nothing about columns */
    }
    list = taco__json_get(doc.root, "index_columns");
    for (i = 0, name = taco__json_first(list); i < taco__json_length(list);
         i++, name = taco__json_next(name)) {
        if (taco__json_text(name) &&
            !taco__hash_map_add(names, taco__json_bytes(name), &added, err)) {
            return false;
        }
    }
    return true;
}

/* Lists the columns of a footer that are shown, in which[0..*n). */
static bool taco__tortilla_list_columns(const taco_pq_file *pq, const taco__table *t,
                                        taco__arena *arena, size_t *which, size_t *n,
                                        taco_error *err)
{
    taco__hash_map index;
    size_t i;
    bool ok;
    memset(&index, 0, sizeof index);
    index.mem = arena->mem;
    ok = taco__tortilla_index_names(pq, arena, &index, err);
    for (*n = 0, i = 0; ok && i < t->field_count; i++) {
        if (!taco__tortilla_is_hidden_column(t->fields[i].name, &index)) { which[(*n)++] = i; }
    }
    taco__hash_map_free(&index);
    return ok;
}

/* A column that every footer has, with its type. TACO__NONE on failure. */
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

/* Computes the offset in the file of the sample in row i, and checks its range. */
static bool taco__tortilla_resolve_row(const taco__tortilla_table *t, size_t i, uint64_t base,
                                       uint64_t size, int64_t *out, taco_error *err)
{
    const taco_array *offsets = &t->t.arrays[t->offset], *lengths = &t->t.arrays[t->length];
    int64_t offset = taco_array_int(offsets, i), length = taco_array_int(lengths, i);
    uint64_t place;
    if (!taco_array_valid(offsets, i) || !taco_array_valid(lengths, i) || offset < 0 ||
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
    *out = (int64_t)place;
    return true;
}

/* Checks that every row lies in the file, and makes offsets relative to it: the column becomes
   INT64. */
static bool taco__tortilla_resolve_offsets(taco__tortilla_table *t, uint64_t base, uint64_t size,
                                           taco__arena *arena, taco_error *err)
{
    taco_array *column = (taco_array *)&t->t.arrays[t->offset];
    taco_field *f = (taco_field *)column->field;
    int64_t *at = (int64_t *)taco__arena_array(arena, (size_t)t->t.rows + 8, sizeof *at, err);
    size_t i;
    if (!at) { return false; }
    for (i = 0; i < t->t.rows; i++) {
        if (!taco__tortilla_resolve_row(t, i, base, size, &at[i], err)) { return false; }
    }
    f->type = TACO_INT64;
    f->width = 8;
    column->v.any = at;
    column->dictionary = NULL;
    return true;
}

/* ---- Parquet footers ---- */

/* Copies columns `which` of the rows of an open footer into the arena. */
static bool taco__tortilla_copy_columns(taco__row_reader *rows, const taco__table *from,
                                        const size_t *which, size_t n, taco__arena *arena,
                                        taco_field *fields, taco_array *arrays, taco_error *err)
{
    size_t i;
    if (!taco__row_reader_read_range(rows, 0, (size_t)from->rows, err)) { return false; }
    for (i = 0; i < n; i++) {
        taco__concat_slice p;
        p.a = &rows->arrays[i];
        p.first = 0;
        p.n = (size_t)from->rows;
        if (!taco__field_copy(arena, &from->fields[which[i]], &fields[i], err) ||
            !taco__concat_arrays(arena, &fields[i], &p, 1, &arrays[i], err)) {
            return false;
        }
    }
    return true;
}

/* Reads all columns of a footer into the arena, so that the Parquet file can be closed. */
static bool taco__tortilla_copy_table(taco__container *s, taco_pq_file *pq, const taco__table *from,
                                      taco__arena *arena, taco__table *out, taco_error *err)
{
    size_t *which = (size_t *)taco__arena_array(arena, from->field_count + 1, sizeof *which, err);
    taco_field *fields;
    taco_array *arrays;
    taco__row_reader rows;
    size_t n;
    bool ok;
    if (!which || !taco__tortilla_list_columns(pq, from, arena, which, &n, err)) { return false; }
    fields = (taco_field *)taco__arena_array(arena, n + 1, sizeof *fields, err);
    arrays = (taco_array *)taco__arena_array(arena, n + 1, sizeof *arrays, err);
    if (!fields || !arrays || !taco__row_reader_open(&rows, from, which, n, s->mem, err)) {
        return false;
    }
    ok = taco__tortilla_copy_columns(&rows, from, which, n, arena, fields, arrays, err);
    taco__row_reader_close(&rows);
    out->fields = fields;
    out->arrays = arrays;
    out->field_count = out->stored = n;
    out->rows = from->rows;
    return ok;
}

/* Reads the rows of an open footer, and its pointer to the next one of a chain. */
static bool taco__tortilla_read_open(taco__container *s, taco_pq_file *pq, const taco__table *t,
                                     taco__arena *arena, taco__tortilla_table *out, taco_error *err)
{
    taco_bytes pointer = taco_pq_key_value(pq, "pointer");
    if (t->rows > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u rows, at most %u are read", t->rows,
                   TACO__U(INT32_MAX));
        return false;
    }
    if (!taco__tortilla_copy_table(s, pq, t, arena, &out->t, err)) { return false; }
    if (!pointer.data) { return true; }
    out->pointer.data = (const uint8_t *)taco__arena_text(arena, pointer, err);
    out->pointer.len = pointer.len;
    return out->pointer.data != NULL;
}

/* Reads a footer in Parquet, the only format since the first writers. */
static bool taco__tortilla_read_parquet(taco__container *s, taco__file *file, taco__range range,
                                        taco__arena *arena, taco__tortilla_table *out,
                                        taco_error *err)
{
    taco_pq_file pq;
    taco__table t;
    bool ok;
    if (!taco__container_open_table(s, file, range, "footer", false, arena, &pq, &t, err)) {
        return false;
    }
    ok = taco__tortilla_read_open(s, &pq, &t, arena, out, err);
    taco__pq_file_close(&pq);
    return ok;
}

/* ---- JSON footers ---- */

/* The three columns of the first footers, under construction. */
typedef struct taco__tortilla_members {
    char *text; /* ids, concatenated */
    int32_t *ends;
    int64_t *offset, *length;
} taco__tortilla_members;

/* The text of a document has less than 2^31 bytes, so the ends fit. */
static bool taco__tortilla_parse_members(const taco__json *root, uint64_t at,
                                         taco__tortilla_members *m, taco_error *err)
{
    const taco__json *key = taco__json_first(root);
    uint32_t i;
    for (i = 0; i < root->count; i++, key = taco__json_next(key + 1)) {
        taco_bytes id = taco__json_bytes(key);
        if (taco__json_length(key + 1) != 2 ||
            !taco__json_int(taco__json_at(key + 1, 0), &m->offset[i]) ||
            !taco__json_int(taco__json_at(key + 1, 1), &m->length[i])) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, at + key[1].begin,
                       "sample %q is %s, must be [offset, length] of whole numbers", &id,
                       taco__json_type_name(key + 1));
            return false;
        }
        if (id.len) { memcpy(m->text + m->ends[i], id.data, id.len); }
        m->ends[i + 1] = m->ends[i] + (int32_t)id.len;
    }
    return true;
}

/* Makes the table of a document of n members. */
static bool taco__tortilla_make_table(const taco__tortilla_members *m, size_t n, taco__arena *arena,
                                      taco__table *out, taco_error *err)
{
    taco_field *f = (taco_field *)taco__arena_array(arena, 3, sizeof *f, err);
    taco_array *a = (taco_array *)taco__arena_array(arena, 3, sizeof *a, err);
    size_t i;
    if (!f || !a) { return false; }
    f[0] = taco__field_make("tortilla:id", TACO_TEXT);
    f[1] = taco__field_make("tortilla:offset", TACO_INT64);
    f[2] = taco__field_make("tortilla:length", TACO_INT64);
    for (i = 0; i < 3; i++) {
        f[i].nullable = false;
        a[i].field = &f[i];
        a[i].length = n;
    }
    a[0].offsets = m->ends;
    a[0].v.any = m->text;
    a[1].v.i64 = m->offset;
    a[2].v.i64 = m->length;
    out->fields = f;
    out->arrays = a;
    out->field_count = out->stored = 3;
    out->rows = n;
    return true;
}

/* Converts the members of a JSON footer to a table of three columns: id, offset and length. */
static bool taco__tortilla_parse_json(const taco__json_doc *doc, taco__range range,
                                      taco__arena *arena, taco__table *out, taco_error *err)
{
    size_t n = doc->root->count;
    taco__tortilla_members m;
    m.text = (char *)taco__arena_alloc(arena, (size_t)range.len + TACO__PAD, err);
    m.ends = (int32_t *)taco__arena_array(arena, n + 1, sizeof *m.ends, err);
    m.offset = (int64_t *)taco__arena_array(arena, n + 8, sizeof *m.offset, err);
    m.length = (int64_t *)taco__arena_array(arena, n + 8, sizeof *m.length, err);
    return m.text && m.ends && m.offset && m.length &&
           taco__tortilla_parse_members(doc->root, range.offset, &m, err) &&
           taco__tortilla_make_table(&m, n, arena, out, err);
}

/* Reads {"id": [offset, length], ...}, with offsets relative to the file; rows in the order of the
   text. */
static bool taco__tortilla_read_json(taco__container *s, taco__file *file, taco__range range,
                                     taco__arena *arena, taco__table *out, taco_error *err)
{
    taco__json_doc doc;
    taco__arena scratch;
    uint8_t *bytes;
    bool ok;
    scratch.mem = s->mem;
    scratch.head = NULL;
    bytes = (uint8_t *)taco__arena_alloc(&scratch, (size_t)range.len + 1, err);
    ok = bytes && taco__file_read(file, range.offset, bytes, (size_t)range.len, err) &&
         taco__json_parse_at(&scratch, taco__bytes_of(bytes, (size_t)range.len), range.offset,
                             &s->options->limits, &doc, err) == TACO_OK &&
         taco__tortilla_parse_json(&doc, range, arena, out, err);
    taco__arena_free(&scratch);
    return ok;
}

/* ---- footers ---- */

/* taco__sort_compare: by the names of columns, equal ones by position. */
static int taco__tortilla_compare_names(const void *ctx, const void *a, const void *b)
{
    const taco_field *f = (const taco_field *)ctx;
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    int order = strcmp(f[x].name, f[y].name);
    return order ? order : (x > y) - (x < y);
}

/* Fills by_name. */
static bool taco__tortilla_sort_names(taco__tortilla_table *t, taco__arena *arena, taco_error *err)
{
    size_t n = t->t.field_count, i;
    t->by_name = (size_t *)taco__arena_array(arena, n + 1, sizeof *t->by_name, err);
    for (i = 0; t->by_name && i < n; i++) {
        t->by_name[i] = i;
    }
    return t->by_name && taco__sort_in(arena->mem, t->by_name, n, sizeof *t->by_name,
                                       taco__tortilla_compare_names, t->t.fields, err);
}

TACO__FN size_t taco__tortilla_find_name(const taco__tortilla_table *t, const char *name)
{
    size_t at = 0, n = t->t.field_count;
    TACO__LOWER_BOUND(at, n, i, strcmp(t->t.fields[t->by_name[i]].name, name) < 0);
    return at < n && strcmp(t->t.fields[t->by_name[at]].name, name) == 0 ? t->by_name[at]
                                                                         : TACO__NONE;
}

/* The column that tells which rows are tortillas; TACO__NONE if none does. */
static size_t taco__tortilla_find_format(const taco__table *t)
{
    size_t c = taco__table_find_column(t, "tortilla:file_format");
    if (c == TACO__NONE) { c = taco__table_find_column(t, "internal:file_format"); }
    return c != TACO__NONE && t->fields[c].type == TACO_TEXT ? c : TACO__NONE;
}

/* Finds the columns that every footer has, and checks the ranges of the samples. */
static bool taco__tortilla_check_table(taco__tortilla_table *t, uint64_t base, const char *driver,
                                       uint64_t size, taco__arena *arena, taco_error *err)
{
    t->base = base;
    t->driver = driver;
    t->all = driver && strcmp(driver, "TORTILLA") == 0;
    t->format = taco__tortilla_find_format(&t->t);
    t->id = taco__tortilla_find_column(&t->t, "tortilla:id", true, err);
    if (t->id == TACO__NONE) { return false; }
    t->offset = taco__tortilla_find_column(&t->t, "tortilla:offset", false, err);
    if (t->offset == TACO__NONE) { return false; }
    t->length = taco__tortilla_find_column(&t->t, "tortilla:length", false, err);
    return t->length != TACO__NONE && taco__tortilla_sort_names(t, arena, err) &&
           taco__tortilla_resolve_offsets(t, base, size, arena, err);
}

/* Only files that have one format for all samples may have a footer in JSON. */
static bool taco__tortilla_read_table(taco__container *s, taco__file *file, taco__range range,
                                      const char *driver, taco__arena *arena,
                                      taco__tortilla_table *out, taco_error *err)
{
    uint8_t first = 0;
    if (driver && range.len && !taco__file_read(file, range.offset, &first, 1, err)) {
        return false;
    }
    return first == '{' ? taco__tortilla_read_json(s, file, range, arena, &out->t, err)
                        : taco__tortilla_read_parquet(s, file, range, arena, out, err);
}

TACO__FN bool taco__tortilla_read_footer(taco__container *s, taco__file *file, taco__range range,
                                         uint64_t base, const char *driver, taco__arena *arena,
                                         taco__tortilla_table *out, taco_error *err)
{
    memset(out, 0, sizeof *out);
    if (range.len > s->options->limits.max_metadata) {
        TACO__FAIL(err, TACO_ERR_LIMIT, range.offset,
                   "a footer of %u bytes, limits.max_metadata is %u", range.len,
                   s->options->limits.max_metadata);
        return false;
    }
    if (taco__tortilla_read_table(s, file, range, driver, arena, out, err) &&
        taco__tortilla_check_table(out, base, driver, file->src.size, arena, err)) {
        return true;
    }
    taco__error_prefix(err, "footer at byte %u", TACO__U(range.offset));
    return false;
}

TACO__FN bool taco__tortilla_is_nested(const taco__tortilla_table *t, size_t i)
{
    return t->all || (t->format != TACO__NONE &&
                      taco__bytes_equal(taco_array_bytes(&t->t.arrays[t->format], i),
                                        taco__bytes_text("TORTILLA")));
}
