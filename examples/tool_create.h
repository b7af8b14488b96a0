/* create: a dataset from a directory and tables about its samples. Included by taco.c behind tool_make.h. Beside the
   public API it uses the private rooms plat, mem, hash and json of taco.h, rather than have its own. */

static const char usage_create[] =
    "usage: taco create SOURCE OUTPUT --collection FILE.json [--samples FILE]... [options]\n"
    "\n"
    "Every entry of the directory SOURCE becomes a sample: a file a FILE, a directory a FOLDER, "
    "all\n"
    "the way down. All entries of SOURCE must be of one type and, directories, alike (PIT-1).\n"
    "\n"
    "  --collection FILE    id, dataset_version, description, licenses, providers, tasks, ...\n"
    "  --samples FILE       metadata, by the ending of its name: .ndjson (an object a line), "
    ".csv,\n"
    "                       .parquet. Its `id` is a path below SOURCE (tile_1/a.tif); the other "
    "columns\n"
    "                       are the sample's. Repeatable, e.g. a file for each level. Samples come "
    "in\n"
    "                       the order of their rows, others behind them by name\n"
    "  --strict-schema no   samples without a row, and values that are not there, are null (yes: "
    "an\n"
    "                       error)\n"
    "  --split-size 4GB     parts OUTPUT_part0001... of at most so many bytes of payload\n"
    "  --pad-to N           __TACOPAD__ samples up to a multiple of N in every folder\n"
    "\n"
    "Types: those of Parquet; of ndjson and CSV bool, int64, double, string, lists of numbers "
    "(ndjson);\n"
    "*:time_start, *:time_middle and *:time_end are times (ISO 8601), *:centroid and *:geometry "
    "WKB in\n"
    "hexadecimal. What is nested deeper becomes a string of JSON.\n" USAGE_CONTAINER;

enum { MAX_TABLES = 16 };

typedef enum cell_type {
    CELL_NONE,
    CELL_BOOL,
    CELL_INT,
    CELL_DOUBLE,
    CELL_TEXT,
    CELL_INTS,
    CELL_DOUBLES,
    CELL_JSON
} cell_type;

/* Rows about samples, in memory: of text a column each, of Parquet one batch. */
typedef struct samples_table {
    const char        *path;
    taco_pq_file      *file;
    taco_pq_reader    *reader;
    size_t             row_count, column_count, id; /* id: its column */
    const char       **names;
    cell_type         *types;
    taco__make_column *columns;
    const taco_array  *arrays;
    const taco_field  *fields;
    uint8_t           *used[TACO__LEVELS]; /* per column: it belongs to the level */
    bool               level[TACO__LEVELS];
    uint8_t           *seen; /* per row: its sample was met in a directory */
} samples_table;

typedef struct creation {
    args         *a;
    taco_error   *err;
    taco__mem     mem;
    taco__arena   arena;
    samples_table tables[MAX_TABLES];
    size_t        table_count;
    uint64_t     *slots; /* table << 32 | row, plus one, by the hash of the id */
    size_t        slot_count;
    taco_writer  *w;
    taco__buf     path;  /* of the file at hand */
    size_t        root;  /* length of SOURCE/ in it */
    bool          sizes; /* parts are made: the sizes are needed before */
} creation;

typedef struct entry { /* of a directory */
    const char *name;
    uint64_t    row;  /* as in slots; UINT64_MAX: no row is about it */
    uint64_t    size; /* of all below, where parts are made */
    bool        folder;
} entry;
typedef struct listing {
    creation *c;
    entry    *entries;
    size_t    count, cap;
} listing;

static bool read_file(const char *path, taco__buf *out, taco_error *err)
{
    taco_source src;
    bool        ok = taco_source_file(&src, path, err) == TACO_OK;
    if (ok) {
        ok = src.size < SIZE_MAX / 2 && taco__buf_reserve(out, (size_t)src.size + 1, err) &&
             (src.size == 0 || src.read(src.ctx, 0, out->data, (size_t)src.size));
        out->len = ok ? (size_t)src.size : 0;
        src.close(src.ctx);
    }
    TACO__FAIL(ok ? NULL : err, TACO_ERR_IO, TACO_NO_OFFSET, "%s cannot be read", path);
    return ok;
}

/* ---- text to columns -------------------------------------------------------------------------------- */

/* The type of values that are of one or the other. Numbers widen; other scalars are JSON together. */
static cell_type join_types(cell_type a, cell_type b)
{
    if (a == CELL_NONE || b == CELL_NONE || a == b) {
        return a == CELL_NONE ? b : a;
    }
    if (a + b == CELL_INT + CELL_DOUBLE && (a == CELL_INT || b == CELL_INT)) {
        return CELL_DOUBLE;
    }
    return a + b == CELL_INTS + CELL_DOUBLES && (a == CELL_INTS || b == CELL_INTS) ? CELL_DOUBLES
                                                                                   : CELL_JSON;
}
static cell_type json_type(const taco__json *n)
{
    int64_t           x;
    cell_type         items = CELL_INT;
    const taco__json *item;
    size_t            i;
    switch (n->type) {
    case TACO__JSON_NULL: return CELL_NONE;
    case TACO__JSON_FALSE:
    case TACO__JSON_TRUE: return CELL_BOOL;
    case TACO__JSON_STRING: return CELL_TEXT;
    case TACO__JSON_NUMBER:
        return taco__num_parse_i64(taco__base_bytes(n->text, n->count), &x) ? CELL_INT
                                                                            : CELL_DOUBLE;
    case TACO__JSON_ARRAY:
        for (i = 0, item = n + 1; i < n->count; i++, item = taco__json_next(item)) {
            items = join_types(items, item->type == TACO__JSON_NULL ? CELL_JSON : json_type(item));
        }
        return items == CELL_INT ? CELL_INTS : items == CELL_DOUBLE ? CELL_DOUBLES : CELL_JSON;
    default: return CELL_JSON;
    }
}
static cell_type csv_type(taco_bytes b, bool quoted)
{
    int64_t x;
    double  d;
    bool    integral;
    if (quoted || b.len == 0) {
        return quoted ? CELL_TEXT : CELL_NONE;
    }
    if (taco__num_parse_i64(b, &x)) {
        return CELL_INT;
    }
    if (taco__num_scan_json(b, &integral) == b.len && taco__num_parse_f64(b, &d)) {
        return CELL_DOUBLE;
    }
    return taco__base_equal(b, taco__base_text("true")) ||
                   taco__base_equal(b, taco__base_text("false"))
               ? CELL_BOOL
               : CELL_TEXT;
}
/* A field of a CSV record (RFC 4180), unquoted; *at moves behind its comma, *more says whether there was one. */
static bool csv_field(const taco__buf *text, size_t *at, size_t end, taco__buf *out, bool *quoted,
                      bool *more, taco_error *err)
{
    bool ok = true;
    out->len = 0;
    *quoted = *at < end && text->data[*at] == '"';
    if (*quoted) {
        for (++*at; ok && *at < end; ++*at) {
            if (text->data[*at] == '"') {
                if (*at + 1 >= end || text->data[*at + 1] != '"') {
                    break;
                }
                ++*at;
            }
            ok = taco__buf_char(out, (char)text->data[*at], err);
        }
        *at += *at < end;
    }
    for (; ok && *at < end && text->data[*at] != ','; ++*at) {
        ok = taco__buf_char(out, (char)text->data[*at], err);
    }
    *more = *at < end;
    *at += *more;
    return ok && taco__buf_reserve(out, 1, err);
}
/* A text read record by record, through a window that holds one at least. */
typedef struct text_reader {
    taco_source src;
    uint64_t    read; /* bytes of src so far */
    uint64_t    base; /* of the window in it */
    taco__buf   window;
    size_t      begin, end, next; /* of the record at hand, and where the next one begins */
} text_reader;

/* Where the record that begins at `at` ends; *next is where the next one begins. */
static size_t record_end(const taco__buf *text, bool csv, size_t at, size_t *next)
{
    bool   quoted = false;
    size_t end = at;
    for (; end < text->len && (quoted || text->data[end] != '\n'); end++) {
        quoted = csv && text->data[end] == '"' ? !quoted : quoted;
    }
    *next = end + (end < text->len);
    return end > at && text->data[end - 1] == '\r' ? end - 1 : end;
}
/* The next record that is not empty; false at the end and on failure. */
static bool next_record(text_reader *r, bool csv, taco_error *err)
{
    for (;;) {
        size_t n = (size_t)1 << 20, left = r->window.len - r->next;
        r->begin = r->next;
        if (left) {
            r->end = record_end(&r->window, csv, r->begin, &r->next);
            if (r->next > r->begin &&
                (r->window.data[r->next - 1] == '\n' || r->read == r->src.size)) {
                if (r->end > r->begin) {
                    return true;
                }
                continue;
            }
        }
        if (r->read == r->src.size) {
            return false;
        }
        n = (size_t)TACO__MIN(r->src.size - r->read, (uint64_t)n);
        if (left) {
            memmove(r->window.data, r->window.data + r->begin, left);
        }
        r->base += r->begin;
        r->window.len = left;
        r->next = 0;
        if (!taco__buf_reserve(&r->window, n, err) ||
            !r->src.read(r->src.ctx, r->read, r->window.data + left, n)) {
            TACO__FAIL(err, TACO_ERR_IO, r->read, "reading failed");
            return false;
        }
        r->window.len += n;
        if (r->read == 0 && n >= 3 && memcmp(r->window.data, "\xEF\xBB\xBF", 3) == 0) {
            r->next = 3;
        }
        r->read += n;
    }
}
static size_t find_name(const samples_table *t, taco_bytes name)
{
    size_t i;
    for (i = 0; i < t->column_count && !taco__base_equal(taco__base_text(t->names[i]), name); i++) {
    }
    return i;
}
static bool add_name(creation *c, samples_table *t, taco_bytes name)
{
    size_t       n = t->column_count;
    const char **names = (const char **)taco__arena_array(&c->arena, n + 1, sizeof *names, c->err);
    cell_type   *types = (cell_type *)taco__arena_array(&c->arena, n + 1, sizeof *types, c->err);
    const char  *copy = taco__arena_text(&c->arena, name, c->err);
    if (!names || !types || !copy) {
        return false;
    }
    if (n) {
        memcpy((void *)names, (const void *)t->names, n * sizeof *names);
        memcpy(types, t->types, n * sizeof *types);
    }
    names[n] = copy;
    t->names = names;
    t->types = types;
    t->column_count++;
    return true;
}
static bool hex_bytes(taco_bytes text, taco__buf *out, taco_error *err)
{
    size_t i;
    out->len = 0;
    for (i = 0; i < text.len; i++) {
        uint8_t c = text.data[i], x = (uint8_t)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
        if (!((c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'f')) || text.len % 2) {
            return false;
        }
        if (i % 2 == 0 && !taco__buf_char(out, (char)(x << 4), err)) {
            return false;
        }
        out->data[i / 2] = (uint8_t)(out->data[i / 2] | (i % 2 ? x : 0));
    }
    return true;
}
/* A text of a column: a time, WKB or just that. False where it is none. */
static bool put_text(taco__make_column *col, taco_bytes b, taco__buf *scratch, taco_error *err)
{
    int64_t t;
    if (col->field.type == TACO_TIMESTAMP) {
        return taco__make_instant(&col->field, b, &t) && taco__make_int(col, t, err);
    }
    if (col->field.type == TACO_BINARY) {
        return hex_bytes(b, scratch, err) &&
               taco__make_bytes(col, taco__base_bytes(scratch->data, scratch->len), err);
    }
    return taco__num_utf8(b) && taco__make_bytes(col, b, err);
}
static bool put_double(taco__make_column *col, taco_bytes b, taco_error *err)
{
    double d = 0;
    return taco__num_parse_f64(b, &d) && taco__make_bytes(col, taco__base_bytes(&d, 8), err);
}
static bool put_json(taco__make_column *col, cell_type type, const taco__json *n,
                     taco__buf *scratch, taco_error *err)
{
    const taco__json *item;
    int64_t           x = 0;
    size_t            i;
    if (!n || n->type == TACO__JSON_NULL) {
        return taco__make_null(col, err);
    }
    switch (type) {
    case CELL_BOOL: return taco__make_bool(col, n->type == TACO__JSON_TRUE, err);
    case CELL_INT: return taco__json_int(n, &x) && taco__make_int(col, x, err);
    case CELL_DOUBLE: return put_double(col, taco__base_bytes(n->text, n->count), err);
    case CELL_TEXT: return put_text(col, taco__json_bytes(n), scratch, err);
    case CELL_INTS:
    case CELL_DOUBLES:
        for (i = 0, item = n + 1; i < n->count; i++, item = taco__json_next(item)) {
            if (!put_json(&col->children[0], type == CELL_INTS ? CELL_INT : CELL_DOUBLE, item,
                          scratch, err)) {
                return false;
            }
        }
        return taco__make_end(col, col->children[0].length, err) && taco__make_row(col, true, err);
    default:
        scratch->len = 0;
        return taco__json_emit(scratch, n, 0, err) &&
               taco__make_bytes(col, taco__base_bytes(scratch->data, scratch->len), err);
    }
}
static bool put_csv(taco__make_column *col, cell_type type, taco_bytes b, bool quoted,
                    taco__buf *scratch, taco_error *err)
{
    int64_t x = 0;
    if (b.len == 0 && !quoted) {
        return taco__make_null(col, err);
    }
    switch (type) {
    case CELL_BOOL: return taco__make_bool(col, b.data[0] == 't', err);
    case CELL_INT: return taco__num_parse_i64(b, &x) && taco__make_int(col, x, err);
    case CELL_DOUBLE: return put_double(col, b, err);
    default: return put_text(col, b, scratch, err);
    }
}
/* One pass over a text: the names and types of its columns first, then (fill) their values. */
static bool pass_text(creation *c, samples_table *t, bool csv, bool fill)
{
    size_t      row = 0, k;
    text_reader r;
    taco__buf  *text = &r.window;
    taco__buf   field, scratch;
    taco__arena arena;
    bool        ok = true, header = csv;
    memset(&field, 0, sizeof field);
    memset(&scratch, 0, sizeof scratch);
    field.mem = scratch.mem = arena.mem = &c->mem;
    arena.head = NULL;
    memset(&r, 0, sizeof r);
    r.window.mem = &c->mem;
    if (taco_source_file(&r.src, t->path, c->err) != TACO_OK) {
        return false;
    }
    while (ok && next_record(&r, csv, c->err)) {
        if (csv) {
            size_t from = r.begin;
            bool   more = true, quoted;
            for (k = 0; ok && more; k++) {
                taco_bytes b;
                ok = csv_field(text, &from, r.end, &field, &quoted, &more, c->err);
                b = taco__base_bytes(field.data, field.len);
                if (ok && header && !fill) {
                    ok = add_name(c, t, b);
                } else if (ok && !header && k < t->column_count) {
                    if (fill) {
                        ok = put_csv(&t->columns[k], t->types[k], b, quoted, &scratch, c->err);
                    } else {
                        cell_type now = join_types(t->types[k], csv_type(b, quoted));
                        t->types[k] = now == CELL_JSON ? CELL_TEXT : now;
                    }
                }
            }
            if (ok && !header && k != t->column_count) {
                TACO__FAIL(c->err, TACO_ERR_SYNTAX, TACO_NO_OFFSET,
                           "row %u has %u fields, the header %u", TACO__U(row + 1), TACO__U(k),
                           TACO__U(t->column_count));
                ok = false;
            }
        } else {
            taco__json_doc    doc;
            const taco__json *key;
            ok =
                taco__json_parse_at(&arena, taco__base_bytes(text->data + r.begin, r.end - r.begin),
                                    r.base + r.begin, NULL, &doc, c->err) == TACO_OK;
            if (ok && !taco__json_is(doc.root, TACO__JSON_OBJECT)) {
                TACO__FAIL(c->err, TACO_ERR_SYNTAX, TACO_NO_OFFSET, "row %u is no JSON object",
                           TACO__U(row + 1));
                ok = false;
            }
            for (k = 0, key = ok ? doc.root + 1 : NULL; ok && !fill && k < doc.root->count;
                 k++, key = taco__json_next(key + 1)) {
                size_t i = find_name(t, taco__json_bytes(key));
                ok = i < t->column_count || add_name(c, t, taco__json_bytes(key));
                if (ok) {
                    t->types[i] = join_types(t->types[i], json_type(key + 1));
                }
            }
            for (k = 0; ok && fill && k < t->column_count; k++) {
                ok = put_json(&t->columns[k], t->types[k], taco__json_get(doc.root, t->names[k]),
                              &scratch, c->err);
            }
            taco__arena_free(&arena);
        }
        if (!ok && fill && c->err->code == TACO_OK) {
            TACO__FAIL(c->err, TACO_ERR_SYNTAX, TACO_NO_OFFSET,
                       "row %u, column '%s': not a value of the column's type", TACO__U(row + 1),
                       k && csv              ? t->names[k - 1]
                       : k < t->column_count ? t->names[k]
                                             : "");
        }
        row += !header;
        header = false;
    }
    t->row_count = row;
    r.src.close(r.src.ctx);
    taco__buf_free(&r.window);
    taco__buf_free(&field);
    taco__buf_free(&scratch);
    taco__arena_free(&arena);
    return ok && c->err->code == TACO_OK;
}
/* What a column of text is made of. */
static taco_field column_field(const char *name, cell_type type, taco_field *item)
{
    static const taco_type types[] = {TACO_TEXT, TACO_BOOL, TACO_INT64, TACO_DOUBLE,
                                      TACO_TEXT, TACO_LIST, TACO_LIST,  TACO_TEXT};
    taco_field             f = taco__model_field(name, types[type]);
    bool                   text = type == CELL_TEXT || type == CELL_NONE;
    if (text && (ends_with(name, ":time_start") || ends_with(name, ":time_middle") ||
                 ends_with(name, ":time_end"))) {
        f.type = TACO_TIMESTAMP;
        f.unit = TACO_MICRO;
    } else if (text && (ends_with(name, ":centroid") || ends_with(name, ":geometry"))) {
        f.type = TACO_BINARY;
    } else if (f.type == TACO_LIST) {
        *item = taco__model_field("element", type == CELL_INTS ? TACO_INT64 : TACO_DOUBLE);
        f.children = item;
        f.child_count = 1;
    }
    return f;
}
static bool load_text(creation *c, samples_table *t, bool csv)
{
    taco_array *arrays = NULL;
    taco_field *fields = NULL;
    size_t      i;
    bool        ok;
    ok = pass_text(c, t, csv, false);
    if (ok) {
        size_t n = t->column_count;
        t->columns =
            (taco__make_column *)taco__arena_array(&c->arena, n, sizeof *t->columns, c->err);
        arrays = (taco_array *)taco__arena_array(&c->arena, n, sizeof *arrays, c->err);
        fields = (taco_field *)taco__arena_array(&c->arena, n, sizeof *fields, c->err);
        ok = t->columns && arrays && fields;
        for (i = 0; ok && i < n; i++) {
            taco_field item, f = column_field(t->names[i], t->types[i], &item);
            if (i == find_name(t, taco__base_text("id"))) {
                f = taco__model_field("id", TACO_TEXT);
                t->types[i] = csv ? CELL_TEXT : t->types[i];
            }
            ok = taco__make_column_open(&t->columns[i], &f, &c->mem, &c->arena, 0, c->err);
        }
        ok = ok && pass_text(c, t, csv, true);
        for (i = 0; ok && i < n; i++) {
            taco__make_array(&t->columns[i], &c->arena, c->err);
            arrays[i] = t->columns[i].array;
            fields[i] = t->columns[i].field;
        }
        t->arrays = arrays;
        t->fields = fields;
    }
    return ok && c->err->code == TACO_OK;
}
static bool load_parquet(creation *c, samples_table *t, const taco_options *opt)
{
    taco_pq_query q;
    taco_batch    b;
    size_t        i;
    memset(&q, 0, sizeof q);
    t->file = taco_pq_open(t->path, opt, c->err);
    q.batch_rows = t->file ? (size_t)taco_pq_rows(t->file) + 1 : 0;
    t->reader = t->file ? taco_pq_read(t->file, &q, c->err) : NULL;
    t->fields = t->reader ? taco_pq_reader_fields(t->reader, &t->column_count) : NULL;
    t->names = t->fields ? (const char **)taco__arena_array(&c->arena, t->column_count,
                                                            sizeof *t->names, c->err)
                         : NULL;
    if (!t->names) {
        return false;
    }
    for (i = 0; i < t->column_count; i++) {
        t->names[i] = t->fields[i].name;
    }
    if (taco_pq_reader_next(t->reader, &b)) {
        t->arrays = b.columns;
        t->row_count = b.length;
        if ((int64_t)b.length != taco_pq_rows(t->file)) {
            TACO__FAIL(c->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                       "the rows do not come in one batch");
        }
    } else {
        taco_pq_reader_close(t->reader, c->err);
        t->reader = NULL;
    }
    return c->err->code == TACO_OK;
}

/* ---- rows by the path of their sample ---------------------------------------------------------------- */

static taco_bytes row_id(const samples_table *t, size_t row)
{
    return taco_array_bytes(&t->arrays[t->id], row);
}
/* The slot of a path: with its row, or where it would go. */
static uint64_t *find_slot(const creation *c, taco_bytes id)
{
    size_t at = (size_t)taco__hash_xxh64(0, id.data, id.len) & (c->slot_count - 1);
    while (c->slots[at]) {
        uint64_t x = c->slots[at] - 1;
        if (taco__base_equal(row_id(&c->tables[x >> 32], (size_t)(x & UINT32_MAX)), id)) {
            break;
        }
        at = (at + 1) & (c->slot_count - 1);
    }
    return &c->slots[at];
}
/* The level of a path. */
static uint32_t path_level(taco_bytes id)
{
    uint32_t n = 0;
    size_t   i;
    for (i = 0; i < id.len; i++) {
        n += id.data[i] == '/';
    }
    return n;
}
/* Levels and columns of a table: where it has rows of several levels, a column is of those where it has values. */
static bool place_rows(creation *c, size_t number)
{
    samples_table *t = &c->tables[number];
    size_t         row, i, levels = 0;
    uint32_t       level;
    for (row = 0; row < t->row_count; row++) {
        taco_bytes id = row_id(t, row);
        uint64_t  *slot = find_slot(c, id);
        level = path_level(id);
        if (!id.len || level >= TACO__LEVELS || *slot) {
            TACO__FAIL(c->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "row %u: id %q %s",
                       TACO__U(row + 1), &id,
                       *slot    ? "has a row before"
                       : id.len ? "lies too deep"
                                : "is empty");
            return false;
        }
        *slot = ((uint64_t)number << 32 | row) + 1;
        if (!t->level[level]) {
            t->used[level] = (uint8_t *)taco__arena_alloc(&c->arena, t->column_count, c->err);
            t->level[level] = t->used[level] != NULL;
            levels++;
        }
        for (i = 0; t->level[level] && i < t->column_count; i++) {
            t->used[level][i] |= taco_array_valid(&t->arrays[i], row);
        }
    }
    for (level = 0; level < TACO__LEVELS; level++) {
        for (i = 0; t->level[level] && i < t->column_count; i++) {
            taco_bytes name = taco__base_text(t->names[i]);
            t->used[level][i] = (levels == 1 || t->used[level][i]) && !taco__model_protected(name);
        }
    }
    t->seen = (uint8_t *)taco__arena_alloc(&c->arena, t->row_count, c->err);
    return t->seen != NULL;
}
static bool load_tables(creation *c, const taco_options *opt)
{
    size_t i, rows = 0;
    for (i = 0; i < c->a->samples_count; i++) {
        samples_table *t = &c->tables[c->table_count++];
        bool           ok;
        t->path = c->a->samples[i];
        if (ends_with(t->path, ".parquet")) {
            ok = load_parquet(c, t, opt);
        } else if (ends_with(t->path, ".csv") || ends_with(t->path, ".ndjson")) {
            ok = load_text(c, t, ends_with(t->path, ".csv"));
        } else {
            TACO__FAIL(c->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "--samples wants a name that ends in .ndjson, .csv or .parquet");
            ok = false;
        }
        t->id = ok ? find_name(t, taco__base_text("id")) : 0;
        if (ok && (t->id == t->column_count || t->fields[t->id].type != TACO_TEXT)) {
            TACO__FAIL(c->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "there is no column `id` of text");
            ok = false;
        }
        if (!ok) {
            if (!strstr(c->err->text, t->path)) {
                taco__error_prefix(c->err, "%s", t->path);
            }
            return false;
        }
        rows += t->row_count;
    }
    for (c->slot_count = 16; c->slot_count < rows * 2; c->slot_count *= 2) {
    }
    c->slots = (uint64_t *)taco__arena_array(&c->arena, c->slot_count, sizeof *c->slots, c->err);
    for (i = 0; c->slots && i < c->table_count; i++) {
        if (!place_rows(c, i)) {
            taco__error_prefix(c->err, "%s", c->tables[i].path);
            return false;
        }
    }
    return c->slots != NULL;
}
/* Every level's columns, from all tables that have rows of it. */
static void declare_columns(creation *c)
{
    uint32_t level;
    size_t   i, k;
    for (level = 0; level < TACO__LEVELS; level++) {
        for (i = 0; i < c->table_count; i++) {
            const samples_table *t = &c->tables[i];
            for (k = 0; t->level[level] && k < t->column_count; k++) {
                if (t->used[level][k]) {
                    taco_writer_field(c->w, level, &t->fields[k]);
                }
            }
        }
    }
}

/* ---- the directory ------------------------------------------------------------------------------------ */

static bool list_entry(void *ctx, const char *name, taco__plat_kind kind)
{
    listing *l = (listing *)ctx;
    entry   *e;
    if (l->count == l->cap) {
        size_t cap = l->cap ? l->cap * 2 : 16;
        entry *grown = (entry *)taco__mem_resize(&l->c->mem, l->entries, l->cap * sizeof *grown,
                                                 cap * sizeof *grown, l->c->err);
        if (!grown) {
            return false;
        }
        l->entries = grown;
        l->cap = cap;
    }
    e = &l->entries[l->count++];
    memset(e, 0, sizeof *e);
    e->name = taco__arena_text(&l->c->arena, taco__base_text(name), l->c->err);
    e->folder = kind == TACO__DIRECTORY;
    e->row = kind == TACO__NOTHING; /* for now: the kind is not known */
    return e->name != NULL;
}
static int entry_order(const void *a, const void *b)
{
    const entry *x = (const entry *)a, *y = (const entry *)b;
    return x->row != y->row ? (x->row < y->row ? -1 : 1) : strcmp(x->name, y->name);
}
/* Puts a name behind the directory whose path has the length given; with a zero byte. */
static const char *set_path(creation *c, size_t dir, const char *name)
{
    c->path.len = dir;
    return taco__buf_append(&c->path, name, strlen(name) + 1, c->err) ? (const char *)c->path.data
                                                                      : NULL;
}
/* What is in the directory that c->path names (dir bytes, a '/' at their end), in order. */
static bool list_directory(creation *c, size_t dir, listing *l)
{
    size_t     i;
    uint64_t   size = 0;
    taco_bytes name;
    memset(l, 0, sizeof *l);
    l->c = c;
    c->path.len = dir;
    if (!taco__buf_char(&c->path, 0, c->err) ||
        !taco__plat_list((const char *)c->path.data, list_entry, l)) {
        name = taco__base_bytes(c->path.data, dir);
        TACO__FAIL(c->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "the directory cannot be read: %q",
                   &name);
        return false;
    }
    for (i = 0; i < l->count; i++) {
        entry      *e = &l->entries[i];
        const char *path = set_path(c, dir, e->name);
        uint64_t    x;
        if (!path) {
            return false;
        }
        if (e->row || (c->sizes && !e->folder)) {
            e->folder = taco__plat_stat(path, &size) == TACO__DIRECTORY;
            e->size = e->folder ? 0 : size;
        }
        x = *find_slot(c, taco__base_bytes(c->path.data + c->root, c->path.len - 1 - c->root));
        e->row = x ? x - 1 : UINT64_MAX;
        if (x) {
            c->tables[e->row >> 32].seen[(size_t)(e->row & UINT32_MAX)] = 1;
        }
    }
    if (l->count) {
        qsort(l->entries, l->count, sizeof *l->entries, entry_order);
    }
    return true;
}
static void free_listing(listing *l)
{
    taco__mem_free(&l->c->mem, l->entries, l->cap * sizeof *l->entries);
}
/* The values of a sample's row; nulls of the tables of its level that it has no row in. */
static bool set_values(creation *c, uint32_t level, uint64_t row)
{
    size_t i, k;
    for (i = 0; i < c->table_count; i++) {
        const samples_table *t = &c->tables[i];
        bool                 here = row != UINT64_MAX && row >> 32 == i;
        for (k = 0; here && k < t->column_count; k++) {
            if (t->used[level][k]) {
                taco_writer_set_array(c->w, t->names[k], &t->arrays[k], (size_t)(row & UINT32_MAX));
            }
        }
    }
    return true;
}
static bool add_entries(creation *c, size_t dir, uint32_t level, const entry *entries,
                        size_t count);

static bool add_folder(creation *c, size_t dir, uint32_t level, const entry *e)
{
    listing l;
    size_t  below;
    bool    ok;
    taco_writer_folder_begin(c->w, e->name);
    set_values(c, level, e->row);
    if (!set_path(c, dir, e->name)) {
        return false;
    }
    c->path.data[c->path.len - 1] = '/';
    below = c->path.len;
    ok = level + 1 < TACO__LEVELS && list_directory(c, below, &l);
    if (ok) {
        ok = add_entries(c, below, level + 1, l.entries, l.count);
        free_listing(&l);
    }
    return taco_writer_folder_end(c->w) == TACO_OK && ok;
}
static bool add_entries(creation *c, size_t dir, uint32_t level, const entry *entries, size_t count)
{
    size_t i;
    bool   ok = true;
    for (i = 0; ok && i < count; i++) {
        const entry *e = &entries[i];
        if (e->folder) {
            ok = add_folder(c, dir, level, e);
        } else {
            const char *path = set_path(c, dir, e->name);
            ok = path && taco_writer_file(c->w, e->name, path) == TACO_OK &&
                 set_values(c, level, e->row);
        }
    }
    return ok;
}
/* Bytes of everything below a directory. */
static bool sum_sizes(creation *c, size_t dir, entry *e, unsigned depth)
{
    listing l;
    size_t  i, below;
    bool    ok;
    if (!e->folder) {
        return true;
    }
    if (depth > TACO__LEVELS || !set_path(c, dir, e->name)) {
        return depth <= TACO__LEVELS;
    }
    c->path.data[c->path.len - 1] = '/';
    below = c->path.len;
    ok = list_directory(c, below, &l);
    for (i = 0; ok && i < l.count; i++) {
        ok = sum_sizes(c, below, &l.entries[i], depth + 1);
        e->size += l.entries[i].size;
    }
    if (ok) {
        free_listing(&l);
    }
    return ok;
}

/* ---- parts -------------------------------------------------------------------------------------------- */

/* "out_part0001.tacozip" */
static const char *part_name(creation *c, const char *target, size_t number)
{
    const char *dot = strrchr(target, '.'), *slash = strrchr(target, '/');
    size_t      n = dot && (!slash || dot > slash) ? (size_t)(dot - target) : strlen(target);
    char       *out = (char *)taco__arena_alloc(&c->arena, strlen(target) + 32, c->err);
    if (out) {
        memcpy(out, target, n);
        sprintf(out + n, "_part%04u%s", (unsigned)number, target + n);
    }
    return out;
}
static bool write_part(creation *c, const char *target, const entry *entries, size_t count,
                       const taco__buf *collection)
{
    c->w = taco_create(target, &c->a->create, c->err);
    if (!c->w) {
        return false;
    }
    taco_writer_collection(c->w, (const char *)collection->data, collection->len);
    declare_columns(c);
    if (add_entries(c, c->root, 0, entries, count) || c->err->code == TACO_OK) {
        return taco_writer_finish(c->w, c->err) == TACO_OK;
    }
    taco_writer_abort(c->w);
    return false;
}
static bool write_parts(creation *c, const char *target, listing *l, const taco__buf *collection)
{
    size_t      at = 0, parts = 0, made = 0;
    const char *names[10000];
    bool        ok = true, one;
    uint64_t    all = 0;
    for (at = 0; at < l->count; at++) {
        all += l->entries[at].size;
    }
    one = !c->sizes || all <= c->a->split_size;
    for (at = 0; ok && at < l->count;) {
        size_t   to = at + 1;
        uint64_t sum = l->entries[at].size;
        while (to < l->count && (one || sum + l->entries[to].size <= c->a->split_size)) {
            sum += l->entries[to++].size;
        }
        if (parts == sizeof names / sizeof names[0] - 1) {
            TACO__FAIL(c->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                       "more than 9,999 parts: --split-size is too small");
            ok = false;
            break;
        }
        names[parts] = one ? target : part_name(c, target, parts + 1);
        ok = names[parts] && write_part(c, names[parts], l->entries + at, to - at, collection);
        made += ok;
        parts++;
        at = to;
    }
    while (!ok && made) { /* all parts, or none */
        remove(names[--made]);
    }
    return ok;
}
/* Every row is about something that is there; the entries of SOURCE have been seen. */
static bool check_rows(creation *c)
{
    size_t i, row;
    for (i = 0; i < c->table_count; i++) {
        for (row = 0; row < c->tables[i].row_count; row++) {
            taco_bytes id = row_id(&c->tables[i], row);
            uint64_t   size;
            if (c->tables[i].seen[row]) {
                continue;
            }
            if (!set_path(c, c->root, "") ||
                (c->path.len--, !taco__buf_append(&c->path, id.data, id.len, c->err)) ||
                !taco__buf_char(&c->path, 0, c->err)) {
                return false;
            }
            if (taco__plat_stat((const char *)c->path.data, &size) == TACO__NOTHING) {
                TACO__FAIL(c->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                           "%s: row %u: there is no %q in the source", c->tables[i].path,
                           TACO__U(row + 1), &id);
                return false;
            }
        }
    }
    return true;
}
static bool create_from(creation *c, const taco_options *opt, const char *source,
                        const char *target)
{
    taco__buf collection;
    listing   l;
    size_t    i, n = strlen(source);
    bool      ok, listed;
    memset(&collection, 0, sizeof collection);
    collection.mem = &c->mem;
    ok = read_file(c->a->collection, &collection, c->err) && load_tables(c, opt) &&
         taco__buf_append(&c->path, source, n, c->err) &&
         ((n && source[n - 1] == '/') || taco__buf_char(&c->path, '/', c->err));
    c->root = c->path.len;
    listed = ok && list_directory(c, c->root, &l);
    ok = listed && check_rows(c);
    for (i = 0; ok && c->sizes && i < l.count; i++) {
        ok = sum_sizes(c, c->root, &l.entries[i], 0);
    }
    if (ok && l.count == 0) {
        TACO__FAIL(c->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s: the directory is empty",
                   source);
        ok = false;
    }
    ok = ok && write_parts(c, target, &l, &collection);
    if (listed) {
        free_listing(&l);
    }
    taco__buf_free(&collection);
    return ok;
}
static int run_create(args *a, const taco_options *opt)
{
    static creation c;
    taco_error      err = {0};
    progress_bar    bar;
    size_t          i, k;
    if (a->word_count != 2) {
        return complain("create wants a SOURCE directory and an OUTPUT", NULL);
    }
    if (!a->collection) {
        return complain("create wants --collection FILE.json: id, dataset_version, description, "
                        "licenses, providers, tasks",
                        NULL);
    }
    if (a->samples_count > MAX_TABLES) {
        return complain("too many --samples", NULL);
    }
    if (set_container(a, (taco_kind)0) != DONE) {
        return USAGE;
    }
    prepare_create(a, opt, &bar);
    c.a = a;
    c.err = &err;
    taco__mem_init(&c.mem, opt);
    c.arena.mem = c.path.mem = &c.mem;
    c.sizes = a->split_size != 0;
    create_from(&c, opt, a->words[0], a->words[1]);
    for (i = 0; i < c.table_count; i++) {
        samples_table *t = &c.tables[i];
        for (k = 0; t->columns && k < t->column_count; k++) {
            taco__make_column_free(&t->columns[k]);
        }
        taco_pq_reader_close(t->reader, NULL);
        taco_pq_close(t->file);
    }
    taco__buf_free(&c.path);
    taco__arena_free(&c.arena);
    return err.code != TACO_OK ? report(&err) : DONE;
}
