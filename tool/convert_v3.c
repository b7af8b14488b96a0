/* convert_v3.c - taco convert: from TACO 3 to TACO 2

   In: a TACO 3 (archive, FOLDER, catalogue, or several sources of one collection). Out: a TACO 2
   archive or FOLDER with the same samples and payloads. Every level table is read once, in order:
   rows are grouped by parent in all of them, so that the rows of a sample or a folder are the next
   ones of its table. All tables of one depth become one level of TACO 2; a column that a table does
   not have is null in its rows. What TACO 2 has no place for is noted on standard error. Start
   reading at convert_v3. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

/* levels of TACO 2 (spec 5.2) */
#define MOST_LEVELS 6

/* How the values of a column are stored. */
typedef enum { AS_IS = 0, AS_POINT } value_kind;

typedef struct kept_column {
    size_t from; /* index in the table */
    const char *name;
    value_kind kind;
} kept_column;

/* A level table. */
typedef struct v3_table {
    char *name; /* "children/before" */
    uint32_t depth;
    taco_cursor *rows;
    taco_batch batch;
    size_t at;
    int64_t row; /* number of the row */
    bool more;
    kept_column *kept;
    size_t kept_count;
    size_t id, current, parent, path, vsi; /* columns; SIZE_MAX: none */
} v3_table;

typedef struct v3_conversion {
    const arguments *a;
    const taco_options *opt;
    taco_dataset *ds;
    taco_writer *w;
    v3_table *tables;
    size_t count;
    /* fields of each level that are declared */
    const taco_field **declared[MOST_LEVELS];
    size_t declared_count[MOST_LEVELS];
    /* the archive that was read last */
    taco_source src;
    char *archive;
    /* texts of the current row */
    char path[4096], below[4096 + 8], vsi[8192];
    size_t samples, renamed, deep;
    taco_error *err;
} v3_conversion;

static void note(const v3_conversion *v, const char *text, const char *what)
{
    if (v->a->quiet) { return; }
    end_progress();
    fprintf(stderr, "note: %s%s%s\n", what, *what ? ": " : "", text);
}

static bool fail(v3_conversion *v, taco_status code, const char *what, const char *text)
{
    if (v->err->code == TACO_OK) {
        v->err->code = code;
        snprintf(v->err->text, sizeof v->err->text, "%.200s: %s", what, text);
    }
    return false;
}

/* ---- tables ---- */

static v3_table *find_table(const v3_conversion *v, const char *name, size_t n)
{
    size_t i;
    for (i = 0; i < v->count; i++) {
        if (strlen(v->tables[i].name) == n && memcmp(v->tables[i].name, name, n) == 0) {
            return &v->tables[i];
        }
    }
    return NULL;
}

/* Adds the table of a name, once. */
static bool add_table(v3_conversion *v, const char *prefix, const char *name, size_t n)
{
    char text[4096];
    v3_table *t;
    size_t i, m = (size_t)snprintf(text, sizeof text, "%s%.*s", prefix, (int)n, name);
    if (m >= sizeof text) { return fail(v, TACO_ERR_LIMIT, "taco:structure", "too long a path"); }
    if (find_table(v, text, m)) { return true; }
    v->tables = (v3_table *)grow_list(v->tables, v->count, sizeof *v->tables);
    t = &v->tables[v->count];
    memset(t, 0, sizeof *t);
    t->name = (char *)malloc(m + 1);
    if (!t->name) { return fail(v, TACO_ERR_MEMORY, "taco:structure", "no memory"); }
    memcpy(t->name, text, m + 1);
    for (i = 0, t->depth = strcmp(text, "sample") != 0; text[i]; i++) {
        t->depth += text[i] == '/';
    }
    v->count++;
    return true;
}

/* Makes the list of tables from taco:structure, whose paths are printable and have no quotes. */
static bool add_tables(v3_conversion *v)
{
    taco_bytes list = taco_collection(v->ds, "taco:structure");
    const char *p = (const char *)list.data, *end = p ? p + list.len : p;
    if (!add_table(v, "sample", "", 0) || !add_table(v, "children", "", 0)) { return false; }
    while (p && p < end) {
        const char *open = (const char *)memchr(p, '"', (size_t)(end - p)), *close, *s;
        close = open ? (const char *)memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
        if (!close) { break; }
        for (s = open + 1; s < close; s++) {
            if (*s == '/' && !add_table(v, "children/", open + 1, (size_t)(s - open - 1))) {
                return false;
            }
            if (*s == '*') {
                char name[256];
                snprintf(name, sizeof name, "%.*s", (int)(close - open - 1), open + 1);
                note(v, "a list of places in TACO 3; its files are samples of their own", name);
            }
        }
        p = close + 1;
    }
    return true;
}

/* Names that columns may have (spec 7.1). */
static bool is_column_name(const char *name)
{
    size_t i, colons = 0;
    for (i = 0; name[i]; i++) {
        char c = name[i];
        bool word =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        colons += c == ':' && i > 0 && name[i + 1];
        if (!word && !(c == ':' && i > 0 && name[i + 1])) { return false; }
    }
    return i > 0 && colons <= 1;
}

static bool same_type(const taco_field *a, const taco_field *b)
{
    uint32_t i;
    if (a->type != b->type || a->unit != b->unit || a->utc != b->utc || a->width != b->width ||
        a->precision != b->precision || a->scale != b->scale || a->child_count != b->child_count) {
        return false;
    }
    for (i = 0; i < a->child_count; i++) {
        if (strcmp(a->children[i].name, b->children[i].name) != 0 ||
            !same_type(&a->children[i], &b->children[i])) {
            return false;
        }
    }
    return true;
}

/* Keeps a column under a name, which is declared once for all tables of a level. */
static bool keep_column(v3_conversion *v, v3_table *t, size_t from, const taco_field *of,
                        const char *name, value_kind kind)
{
    taco_field f = *of;
    size_t i, *n = &v->declared_count[t->depth];
    f.name = name;
    f.nullable = true;
    if (kind == AS_POINT) {
        memset(&f, 0, sizeof f);
        f.name = name;
        f.type = TACO_BINARY;
        f.nullable = true;
    }
    for (i = 0; i < *n; i++) {
        const taco_field *other = v->declared[t->depth][i];
        if (strcmp(other->name, name) != 0) { continue; }
        if (kind == AS_IS && !same_type(other, of)) {
            note(v, "another table of the same depth has it with another type; left out", name);
            return true;
        }
        break;
    }
    if (i == *n) {
        v->declared[t->depth] =
            (const taco_field **)grow_list((void *)v->declared[t->depth], *n, sizeof **v->declared);
        v->declared[t->depth][(*n)++] = of;
        if (taco_writer_field(v->w, t->depth, &f) != TACO_OK) { return false; }
    }
    t->kept = (kept_column *)grow_list(t->kept, t->kept_count, sizeof *t->kept);
    t->kept[t->kept_count].from = from;
    t->kept[t->kept_count].name = name;
    t->kept[t->kept_count++].kind = kind;
    return true;
}

/* Whether a field is the centre of later drafts, struct<lon, lat>. */
static bool is_point(const taco_field *f)
{
    size_t n = strlen(f->name);
    return n > 9 && strcmp(f->name + n - 9, ":centroid") == 0 && f->type == TACO_STRUCT &&
           f->child_count == 2;
}

/* One column of a table. */
static bool take_column(v3_conversion *v, v3_table *t, size_t i, const taco_field *f)
{
    size_t *place = strcmp(f->name, "internal:current_id") == 0      ? &t->current
                    : strcmp(f->name, "internal:parent_id") == 0     ? &t->parent
                    : strcmp(f->name, "internal:relative_path") == 0 ? &t->path
                    : strcmp(f->name, "internal:gdal_vsi") == 0      ? &t->vsi
                    : strcmp(f->name, "id") == 0 && t->depth == 0    ? &t->id
                                                                     : NULL;
    if (place) {
        *place = i;
        return true;
    }
    if (strncmp(f->name, "internal:", 9) == 0) { return true; }
    if (!is_column_name(f->name) || strcmp(f->name, "id") == 0 || strcmp(f->name, "type") == 0 ||
        strcmp(f->name, "path") == 0) {
        note(v, "not a name of a column in TACO 2; left out", f->name);
        return true;
    }
    return keep_column(v, t, i, f, f->name, is_point(f) ? AS_POINT : AS_IS);
}

/* The next row. */
static bool next_row(v3_conversion *v, v3_table *t)
{
    t->at++;
    t->row++;
    while (t->at >= t->batch.length) {
        t->at = 0;
        t->more = taco_cursor_batch(t->rows, &t->batch);
        if (!t->more) {
            t->batch.length = 0;
            taco_cursor_close(t->rows, v->err);
            t->rows = NULL;
            return v->err->code == TACO_OK;
        }
    }
    return true;
}

/* Opens a table, declares its columns, and reads its first row. */
static bool open_table(v3_conversion *v, v3_table *t)
{
    taco_dataset *table = taco_v3_table(v->ds, t->name, v->err);
    const taco_field *fields;
    size_t i, n;
    t->rows = table ? taco_select(table, NULL, v->err) : NULL;
    if (!t->rows) { return false; }
    t->id = t->current = t->parent = t->path = t->vsi = SIZE_MAX;
    fields = taco_cursor_fields(t->rows, &n);
    for (i = 0; i < n; i++) {
        if (!take_column(v, t, i, &fields[i])) { return false; }
    }
    t->row = -1;
    if (t->depth && (t->parent == SIZE_MAX || t->path == SIZE_MAX || t->vsi == SIZE_MAX)) {
        return fail(v, TACO_ERR_TYPE, t->name, "rows cannot be located");
    }
    return next_row(v, t);
}

/* ---- values ---- */

/* The centre as a WKB point; false if a coordinate is null. */
static bool point_bytes(const taco_array *a, size_t i, uint8_t out[21])
{
    static const uint8_t head[5] = {1, 1, 0, 0, 0};
    size_t k, b;
    memcpy(out, head, sizeof head);
    for (k = 0; k < 2; k++) {
        double x = taco_array_double(&a->children[k], i);
        uint64_t bits;
        if (!taco_array_valid(&a->children[k], i)) { return false; }
        memcpy(&bits, &x, sizeof bits);
        for (b = 0; b < 8; b++) {
            out[5 + 8 * k + b] = (uint8_t)(bits >> 8 * b);
        }
    }
    return true;
}

/* Sets the columns of the sample that was begun last; those that are null stay so. */
static void set_values(v3_conversion *v, const v3_table *t)
{
    size_t i;
    uint8_t point[21];
    for (i = 0; i < t->kept_count; i++) {
        const kept_column *k = &t->kept[i];
        const taco_array *a = &t->batch.columns[k->from];
        if (!taco_array_valid(a, t->at)) { continue; }
        if (k->kind == AS_IS) {
            taco_writer_set_array(v->w, k->name, a, t->at);
        } else if (point_bytes(a, t->at, point)) {
            taco_writer_set_bytes(v->w, k->name, point, sizeof point);
        }
    }
}

/* The bytes of a text in the current row; NUL-terminated in `out`; false: null or too long. */
static bool row_text(const v3_table *t, size_t column, char *out, size_t room)
{
    taco_bytes b = {NULL, 0};
    if (column == SIZE_MAX || !taco_array_valid(&t->batch.columns[column], t->at)) { return false; }
    b = taco_array_bytes(&t->batch.columns[column], t->at);
    if (b.len >= room || (b.len && memchr(b.data, 0, b.len))) { return false; }
    if (b.len) { memcpy(out, b.data, b.len); }
    out[b.len] = 0;
    return true;
}

/* The current_id of the row, or its number. */
static int64_t row_id(const v3_table *t)
{
    return t->current == SIZE_MAX ? t->row : taco_array_int(&t->batch.columns[t->current], t->at);
}

/* ---- files and folders ---- */

/* Opens the archive at a path, unless it is open. */
static bool open_archive(v3_conversion *v, const char *path)
{
    const char *name = strncmp(path, "/vsicurl/", 9) == 0 ? path + 9 : path;
    size_t n = strlen(path) + 1;
    if (v->archive && strcmp(v->archive, path) == 0) { return true; }
    if (v->archive && v->src.close) { v->src.close(v->src.ctx); }
    free(v->archive);
    v->archive = NULL;
    memset(&v->src, 0, sizeof v->src);
    if (!(v->opt->open_file && v->opt->open_file(v->opt->open_ctx, name, &v->src)) &&
        taco_source_file(&v->src, name, v->err) != TACO_OK) {
        return false;
    }
    v->archive = (char *)malloc(n);
    if (!v->archive) { return fail(v, TACO_ERR_MEMORY, path, "no memory"); }
    memcpy(v->archive, path, n);
    return true;
}

/* Adds the file of the current row: a range of an archive, or a file of a FOLDER. */
static bool add_file(v3_conversion *v, const v3_table *t, const char *name)
{
    const char *path = v->vsi;
    char *end;
    uint64_t offset, size;
    if (!row_text(t, t->vsi, v->vsi, sizeof v->vsi)) {
        return fail(v, TACO_ERR_CORRUPT, t->name, "a file has no place");
    }
    if (strncmp(path, "/vsisubfile/", 12) != 0) {
        return taco_writer_file(v->w, name, path) == TACO_OK;
    }
    offset = strtoull(path + 12, &end, 10);
    size = *end == '_' ? strtoull(end + 1, &end, 10) : 0;
    return *end == ',' && open_archive(v, end + 1) &&
           taco_writer_range(v->w, name, &v->src, offset, size) == TACO_OK;
}

static bool add_children(v3_conversion *v, v3_table *t, int64_t parent, uint32_t room);

/* Adds the current row of a table, with what is below it, and moves on. */
static bool add_row(v3_conversion *v, v3_table *t, uint32_t room)
{
    const char *slash, *name;
    v3_table *of;
    int64_t id = row_id(t);
    if (!row_text(t, t->path, v->path, sizeof v->path) || !(slash = strchr(v->path, '/'))) {
        return fail(v, TACO_ERR_CORRUPT, t->name, "a row has no path");
    }
    name = strrchr(v->path, '/') + 1;
    of = find_table(v, v->below, (size_t)snprintf(v->below, sizeof v->below, "children%s", slash));
    if (!of) {
        if (!add_file(v, t, name)) { return false; }
        set_values(v, t);
        return next_row(v, t);
    }
    if (of->depth >= MOST_LEVELS) {
        v->deep++;
        return next_row(v, t);
    }
    if (taco_writer_folder_begin(v->w, name) != TACO_OK) { return false; }
    set_values(v, t);
    return next_row(v, t) && room && add_children(v, of, id, room - 1) &&
           taco_writer_folder_end(v->w) == TACO_OK;
}

/* Adds the rows of a parent, which are the next ones. */
static bool add_children(v3_conversion *v, v3_table *t, int64_t parent, uint32_t room)
{
    while (t->more && taco_array_int(&t->batch.columns[t->parent], t->at) == parent) {
        if (!add_row(v, t, room)) { return false; }
    }
    return true;
}

/* Whether an id of TACO 3, which may be any text, can be one of TACO 2. */
static bool is_id(const char *id)
{
    size_t i, n = strlen(id);
    if (!n || n > 200 || strncmp(id, "__", 2) == 0 || id[n - 1] == '.' || id[n - 1] == ' ') {
        return false;
    }
    for (i = 0; i < n; i++) {
        if ((unsigned char)id[i] < 0x20 || (unsigned char)id[i] == 0x7F ||
            strchr("/\\:*?\"<>|", id[i])) {
            return false;
        }
    }
    return true;
}

/* Adds all samples. */
static bool add_samples(v3_conversion *v)
{
    v3_table *t = find_table(v, "sample", 6), *below = find_table(v, "children", 8);
    char id[256];
    size_t i;
    while (t->more) {
        int64_t current = row_id(t);
        if (!row_text(t, t->id, id, sizeof id) || !is_id(id)) {
            v->renamed++;
            snprintf(id, sizeof id, "sample_%lu", (unsigned long)v->samples);
        }
        v->samples++;
        if (taco_writer_folder_begin(v->w, id) != TACO_OK) { return false; }
        set_values(v, t);
        if (!next_row(v, t) || !add_children(v, below, current, MOST_LEVELS) ||
            taco_writer_folder_end(v->w) != TACO_OK) {
            return false;
        }
    }
    for (i = 0; i < v->count; i++) {
        if (v->tables[i].more) {
            return fail(v, TACO_ERR_UNSUPPORTED, v->tables[i].name,
                        "rows are not in the order of their parents");
        }
    }
    return true;
}

/* ---- the collection ---- */

/* Sets the collection: --collection, or the members that both generations have. */
static bool set_collection(v3_conversion *v, const char *given)
{
    static const char *const members[] = {"id",       "dataset_version", "description",
                                          "licenses", "providers",       "tasks",
                                          "title",    "curators",        "keywords"};
    static const char *const defaults[] = {NULL, "\"1.0.0\"", NULL, NULL, NULL, "[\"other\"]"};
    taco_bytes whole = taco_collection(v->ds, NULL);
    size_t i, n = 0, room = whole.len * 2 + 256;
    char *text;
    bool ok;
    if (given) { return taco_writer_collection(v->w, given, strlen(given)) == TACO_OK; }
    text = (char *)malloc(room);
    if (!text) { return fail(v, TACO_ERR_MEMORY, "COLLECTION.json", "no memory"); }
    for (i = 0; i < sizeof members / sizeof *members; i++) {
        taco_bytes b = taco_collection(v->ds, members[i]);
        const char *other = i < sizeof defaults / sizeof *defaults ? defaults[i] : NULL;
        if (!b.data && !other) { continue; }
        n += (size_t)snprintf(text + n, room - n, "%s\"%s\":%.*s", n ? "," : "{", members[i],
                              b.data ? (int)b.len : (int)strlen(other),
                              b.data ? (const char *)b.data : other);
    }
    n += (size_t)snprintf(text + n, room - n, "}");
    ok = taco_writer_collection(v->w, text, n) == TACO_OK;
    free(text);
    note(v, "taco:structure, taco:metadata, and keys of extensions are left out",
         "COLLECTION.json");
    return ok;
}

/* ---- all of it ---- */

static void print_losses(const v3_conversion *v)
{
    char text[160];
    if (v->renamed) {
        snprintf(text, sizeof text, "%lu of %lu samples have none that TACO 2 allows: sample_N",
                 (unsigned long)v->renamed, (unsigned long)v->samples);
        note(v, text, "id");
    }
    if (v->deep) {
        snprintf(text, sizeof text, "%lu folders below the sixth level are left out",
                 (unsigned long)v->deep);
        note(v, text, "levels");
    }
}

/* Frees everything but the dataset. */
static void free_conversion(v3_conversion *v)
{
    size_t i;
    for (i = 0; i < v->count; i++) {
        taco_cursor_close(v->tables[i].rows, NULL);
        free(v->tables[i].name);
    }
    if (v->archive && v->src.close) { v->src.close(v->src.ctx); }
    free(v->archive);
}

void convert_v3(const arguments *a, const char *collection, const taco_create_options *create,
                const taco_options *opt, taco_error *err)
{
    size_t i, last = a->word_count - 1;
    taco_create_options own = *create;
    v3_conversion *v = (v3_conversion *)grow_list(NULL, 0, sizeof *v);
    bool ok;
    memset(v, 0, sizeof *v);
    v->a = a;
    v->opt = opt;
    v->err = err;
    v->ds = open_datasets(a, last, opt, err);
    if (!v->ds) { return; }
    own.fill = true;
    own.options = opt;
    v->w = taco_create(a->words[last], &own, err);
    ok = v->w && set_collection(v, collection) && add_tables(v);
    for (i = 0; ok && i < v->count; i++) {
        ok = v->tables[i].depth >= MOST_LEVELS || open_table(v, &v->tables[i]);
    }
    ok = ok && add_samples(v);
    if (ok || err->code == TACO_OK) {
        ok = taco_writer_finish(v->w, err) == TACO_OK;
    } else {
        taco_writer_abort(v->w);
    }
    if (ok) { print_losses(v); }
    free_conversion(v);
    taco_close(v->ds);
}
