/* container.c - an open container: levels as tables, names, messages, archives of a catalogue

   In: a container that container_open.c has opened. Out: its levels as tables, opened on first use
   (taco__container_level): a range of the archive, a separate file, or whatever a format provides;
   Parquet, or Avro in the first FOLDER datasets. TACO 2.0 §6.

   Texts are made in the container's arena, so they live as long as the dataset. */
#include "container.h"
#include "cascade.h"
#include "avro.h"
#include "gdal_path.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* ---- names and files ---- */

/* Concatenates a and b; the caller provides any '/' between them. */
TACO__FN const char *taco__container_join_path(taco__container *s, const char *a, const char *b,
                                               taco_error *err)
{
    size_t n = strlen(a), m = strlen(b);
    char *p = (char *)taco__arena_alloc(s->arena, n + m + 1, err);
    if (p) {
        memcpy(p, a, n);
        memcpy(p + n, b, m);
    }
    return p;
}

TACO__FN bool taco__container_ends_with(const char *path, const char *suffix)
{
    size_t n = strlen(path), m = strlen(suffix);
    return n >= m && strcmp(path + n - m, suffix) == 0;
}

/* An absolute path if it is in the local file system; URLs and /vsi paths are unchanged, and so are
   names that only open_file understands. */
static const char *taco__container_absolute_path(taco__container *s, const char *path,
                                                 taco_error *err)
{
    char *buffer;
    if (taco__vsi_is_remote(taco__bytes_text(path)) || s->options->open_file) {
        return taco__arena_text(s->arena, taco__bytes_text(path), err);
    }
    buffer = (char *)taco__arena_alloc(s->arena, TACO__PATH_MAX + 1, err);
    if (!buffer) { return NULL; }
    return TACO__REALPATH(path, buffer) ? buffer
                                        : taco__arena_text(s->arena, taco__bytes_text(path), err);
}

/* An absolute path of a directory that need not exist; otherwise as _absolute_path. */
TACO__FN const char *taco__container_full_path(taco__container *s, const char *path,
                                               taco_error *err)
{
    char *buffer;
    if (taco__vsi_is_remote(taco__bytes_text(path)) || s->options->open_file) { return path; }
    buffer = (char *)taco__arena_alloc(s->arena, TACO__PATH_MAX + 1, err);
    if (!buffer) { return NULL; }
    return TACO__FULL_PATH(path, buffer) ? buffer : path;
}

/* Copies the contents of a buffer to the arena; frees the buffer. */
static const char *taco__container_copy_text(taco__container *s, taco__buf *b, taco_error *err)
{
    const char *text = taco__arena_text(s->arena, taco__bytes_of(b->data, b->len), err);
    taco__buf_free(b);
    return text;
}

/* Sets s->vsi: GDAL's name of what is at `path`, ending in '/' if it is a directory. */
TACO__FN bool taco__container_set_vsi_root(taco__container *s, const char *path, bool directory,
                                           taco_error *err)
{
    taco__buf b;
    const char *absolute = taco__container_absolute_path(s, path, err);
    memset(&b, 0, sizeof b);
    b.mem = s->mem;
    if (!absolute || !(directory ? taco__vsi_append_base(&b, taco__bytes_text(absolute), err)
                                 : taco__vsi_append_root(&b, taco__bytes_text(absolute), err))) {
        taco__buf_free(&b);
        return false;
    }
    s->vsi = taco__container_copy_text(s, &b, err);
    return s->vsi != NULL;
}

/* ---- the end ---- */

static void taco__container_close_level(taco__container *s, taco__level *l)
{
    if (l->table.pq == &l->pq) { taco__pq_file_close(&l->pq); }
    if (l->file_open) { taco__file_close(&l->file); }
    if (l->parents) {
        taco__mem_free(s->mem, l->parents, (size_t)l->table.rows * sizeof *l->parents);
    }
}

/* Closes files and tables, even if opening failed halfway. */
TACO__FN void taco__container_close(taco__container *s)
{
    uint32_t i;
    if (s->format && s->format->close) { s->format->close(s); }
    if (s->kept) { taco__mem_free(s->mem, s->kept, taco__cascade_bitmap_bytes(s, 0)); }
    for (i = 0; i < TACO__MAX_LEVELS; i++) {
        taco__container_close_level(s, &s->levels[i]);
    }
    if (s->file_open) { taco__file_close(&s->file); }
    for (; s->archives; s->archives = s->archives->next) {
        if (s->archives->open) { taco__file_close(&s->archives->file); }
    }
    memset(s, 0, sizeof *s);
}

/* ---- messages ---- */

/* Prefixes a message with the dataset, and with `what` if it names a level; always false. */
TACO__FN bool taco__container_fail(const taco__container *s, const char *what, taco_error *err)
{
    if (what) {
        taco__error_prefix(err, "%s: %s", s->name, what);
    } else {
        taco__error_prefix(err, "%s", s->name);
    }
    return false;
}

/* Warns that something was read in another way than it should be, if the caller wants warnings. */
TACO__FN void taco__container_warn(const taco__container *s, taco_error *why, const char *what)
{
    if (s->options->warn) {
        taco__error_prefix(why, "%s: %s", s->name, what);
        s->options->warn(s->options->warn_ctx, why);
    }
}

/* If the version cannot be judged, the content decides how it is read (§8). */
TACO__FN void taco__container_warn_version(const taco__container *s)
{
    taco_bytes version = taco__bytes_text(s->coll.taco_version);
    taco_error w;
    if (!version.len || taco__collection_is_version(version)) { return; }
    memset(&w, 0, sizeof w);
    TACO__FAIL(&w, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
               "taco_version is %q, not a version such as 2.0.0", &version);
    taco__container_warn(s, &w, "collection");
}

/* ---- columns of tables ---- */

/* Compares const char *. */
TACO__FN int taco__container_compare_names(const void *ctx, const void *a, const void *b)
{
    (void)ctx;
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Column names must be unique. */
TACO__FN bool taco__container_check_unique_names(taco__container *s, const taco__table *t,
                                                 taco_error *err)
{
    size_t i, bytes = t->field_count * sizeof(const char *);
    const char **names = (const char **)taco__mem_alloc(s->mem, bytes, err);
    bool ok;
    if (!names) { return false; }
    for (i = 0; i < t->field_count; i++) {
        names[i] = t->fields[i].name;
    }
    ok = taco__sort_in(s->mem, (void *)names, t->field_count, sizeof *names,
                       taco__container_compare_names, NULL, err);
    for (i = 1; ok && i < t->field_count; i++) {
        if (strcmp(names[i - 1], names[i]) == 0) {
            taco_bytes name = taco__bytes_text(names[i]);
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "column %q occurs twice", &name);
            ok = false;
        }
    }
    taco__mem_free(s->mem, (void *)names, bytes);
    return ok;
}

/* Finds the columns that readers need. Their presence and types are checked where they are used. */
TACO__FN void taco__container_find_roles(const taco__container *s, const taco__table *t,
                                         taco__column_roles *r)
{
    r->subfile = s->format ? taco__table_find_column(t, "internal:subfile") : TACO__NONE;
    r->id = taco__table_find_column(t, "id");
    r->type = taco__table_find_column(t, "type");
    r->parent = taco__table_find_column(t, "internal:parent_id");
    r->current = taco__table_find_column(t, TACO__CURRENT_ID);
    r->offset = taco__table_find_column(t, "internal:offset");
    r->size = taco__table_find_column(t, "internal:size");
    r->relative = taco__table_find_column(t, "internal:relative_path");
    r->source = taco__table_find_column(t, TACO__SOURCE_FILE);
    if (s->format && s->format->roles) { s->format->roles(t, r); }
}

/* ---- opening tables ---- */

/* Avro is read whole, into the arena, because such files are small. */
static bool taco__container_open_avro(taco__container *s, taco__file *file, taco__range range,
                                      taco__arena *arena, taco__table *table, taco_error *err)
{
    uint64_t max = s->options->limits.max_metadata;
    taco__avro_table t;
    taco__buf scratch;
    const uint8_t *p;
    size_t len;
    bool ok;
    if (!TACO__WITH_AVRO) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, range.offset, "Avro, left out by TACO_NO_AVRO");
        return false;
    }
    if (range.len > max || !taco__checked_to_size(range.len, &len)) {
        TACO__FAIL(err, TACO_ERR_LIMIT, range.offset, "%u bytes of Avro, limits.max_metadata is %u",
                   range.len, max);
        return false;
    }
    memset(&scratch, 0, sizeof scratch);
    scratch.mem = s->mem;
    p = taco__file_view(file, range.offset, len, &scratch, err);
    ok = p &&
         taco__avro_read(arena, taco__bytes_of(p, len), &s->options->limits, &t, err) == TACO_OK;
    taco__buf_free(&scratch);
    if (ok) {
        table->fields = t.fields;
        table->field_count = table->stored = t.field_count;
        table->arrays = t.columns;
        table->rows = t.rows;
    }
    return ok;
}

/* For Parquet, reads the footer. */
static bool taco__container_open_parquet(taco__container *s, taco__file *file, taco__range range,
                                         const char *name, taco_pq_file *pq, taco__table *table,
                                         taco_error *err)
{
    pq->mem = s->mem;
    pq->name = name;
    pq->options = *s->options;
    pq->part.file = file;
    pq->part.base = range.offset;
    pq->part.size = range.len;
    if (!taco__pq_file_open(pq, err)) {
        taco__pq_file_close(pq);
        return false;
    }
    taco__table_from_file(table, pq);
    return true;
}

/* Opens Parquet or Avro bytes at a range of a file as a table. The table points to *pq, which the
   caller closes if table->pq is set; Avro goes to the arena. */
TACO__FN bool taco__container_open_table(taco__container *s, taco__file *file, taco__range range,
                                         const char *name, bool avro, taco__arena *arena,
                                         taco_pq_file *pq, taco__table *table, taco_error *err)
{
    bool ok;
    memset(pq, 0, sizeof *pq);
    memset(table, 0, sizeof *table);
    ok = avro ? taco__container_open_avro(s, file, range, arena, table, err)
              : taco__container_open_parquet(s, file, range, name, pq, table, err);
    if (!ok) { taco__error_prefix(err, "%s", name); }
    return ok;
}

/* ---- levels ---- */

/* Number of levels, which formats may count only now. If one turns out to be missing, that is
   reported when it is used. */
TACO__FN uint32_t taco__container_level_count(taco__container *s)
{
    taco_error none;
    if (s->levels_uncounted) {
        memset(&none, 0, sizeof none);
        s->levels_uncounted = false;
        s->format->deepen(s, &none);
    }
    return s->level_count;
}

/* Opens the table of a level and checks what all levels need: unique names, and row numbers of 31
   bits. */
static bool taco__container_open_level(taco__container *s, uint32_t n, taco_error *err)
{
    taco__level *l = &s->levels[n];
    bool ok = s->format && s->format->level
                  ? s->format->level(s, n, err)
                  : taco__container_open_table(s, l->path ? &l->file : &s->file, l->range, l->name,
                                               l->avro, s->arena, &l->pq, &l->table, err);
    if (!ok) { return taco__container_fail(s, NULL, err); }
    if (l->table.rows > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%u rows in a level, at most %u are supported", l->table.rows,
                   TACO__U(INT32_MAX));
    } else if (taco__container_check_unique_names(s, &l->table, err)) {
        taco__container_find_roles(s, &l->table, &l->role);
        l->opened = true;
        if (l->places == 2) { l->table.replaced = &l->replaced; }
        taco__log(s->options, TACO_LOG_DEBUG, "%s: level %u: %u rows, %u columns", s->name,
                  TACO__U(n), l->table.rows, TACO__U(l->table.field_count));
        return true;
    }
    if (l->table.pq == &l->pq) { taco__pq_file_close(&l->pq); }
    memset(&l->table, 0, sizeof l->table);
    return taco__container_fail(s, l->name, err);
}

/* A level with its table open; NULL if there is none, or it cannot be read. */
TACO__FN taco__level *taco__container_level(taco__container *s, uint32_t n, taco_error *err)
{
    taco__level *l = &s->levels[n];
    if (n) { taco__container_level_count(s); }
    if (n >= s->level_count || !l->present) {
        TACO__FAIL(err, n < s->level_count ? TACO_ERR_CORRUPT : TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "there is no level %u, the deepest is %u", TACO__U(n),
                   TACO__U(s->level_count - 1));
        taco__error_prefix(err, "%s", s->name);
        return NULL;
    }
    return l->opened || taco__container_open_level(s, n, err) ? l : NULL;
}

/* ---- archives of a catalogue ---- */

/* Adds or removes a cursor as a user of an archive; other files are not counted. */
TACO__FN void taco__container_count_archive_user(taco__container *s, const taco__file *file,
                                                 bool begins)
{
    taco__archive *a;
    for (a = s->archives; a; a = a->next) {
        if (&a->file == file) { a->users += begins ? 1 : SIZE_MAX; }
    }
}

/* An entry of the list for another archive: one without users, after closing it, or a new one. */
static taco__archive *taco__container_idle_archive(taco__container *s, taco_error *err)
{
    taco__archive *a, *idle = NULL;
    for (a = s->archives; a; a = a->next) {
        idle = a->users ? idle : a;
    }
    if (!idle) {
        idle = (taco__archive *)taco__arena_alloc(s->arena, sizeof *idle, err);
        if (!idle) { return NULL; }
        idle->next = s->archives;
        s->archives = idle;
    }
    if (idle->open) {
        taco__file_close(&idle->file);
        idle->open = false;
    }
    return idle;
}

/* The archive of a row of a catalogue, opened. It stays open until another one is requested and no
   cursor uses it. name must have been checked to be a bare file name. */
TACO__FN taco__file *taco__container_open_archive(taco__container *s, taco_bytes name,
                                                  taco_error *err)
{
    taco_source src;
    taco__archive *a;
    const char *text = taco__arena_text(s->arena, name, err),
               *path = text ? taco__container_join_path(s, s->archive_dir, text, err) : NULL;
    if (!path) { return NULL; }
    for (a = s->archives; a; a = a->next) {
        if (a->open && strcmp(a->name, path) == 0) { return &a->file; }
    }
    a = taco__container_idle_archive(s, err);
    if (!a || !taco__source_open_path(s->options, path, &src, err)) { return NULL; }
    taco__file_init(&a->file, &src, "", s->mem);
    a->open = true;
    a->name = path;
    return &a->file;
}
