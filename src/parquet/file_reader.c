/* file_reader.c - open and close a file: finds its footer, owns what readers share

   In: a path, a source, or a part of an archive (a dataset sets those fields of a taco_pq_file);
   out: a taco_pq_file with validated metadata. Spec: parquet-format README "File format".

       "PAR1"  pages of all column chunks  indexes  footer  length of the footer (4 bytes)  "PAR1"

   The last TACO__PQ_FILE_TAIL bytes are fetched in one request: they contain most footers, and
   small files entirely. Everything else is read by scans. */
#include "parquet.h"
#include "../base/base.h"

/* Finds the footer from the last 8 bytes: its length in 4, then "PAR1", or "PARE" if it is
   encrypted. */
static bool taco__pq_file_find_footer(const taco__file_part *part, const taco_limits *limits,
                                      uint64_t *offset, size_t *len, taco_error *err)
{
    uint8_t tail[8];
    if (part->size < 12) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, 0, "not Parquet: %u bytes, the smallest file has 12",
                   part->size);
        return false;
    }
    if (!taco__file_part_read(part, part->size - 8, tail, 8, err)) { return false; }
    if (memcmp(tail + 4, "PARE", 4) == 0) {
        TACO__FAIL(err, TACO_ERR_UNSUPPORTED, part->size - 4,
                   "unsupported: encryption of the footer");
        return false;
    }
    if (memcmp(tail + 4, "PAR1", 4) != 0) {
        /* users sometimes pass an archive instead of a table */
        bool zip = taco__file_part_read(part, 0, tail, 4, NULL) && memcmp(tail, "PK\3\4", 4) == 0;
        TACO__FAIL(err, TACO_ERR_CORRUPT, part->size - 4, "not Parquet%s: %s",
                   zip ? " but a ZIP archive" : "",
                   zip ? "`taco info` shows what a dataset holds"
                       : "the file does not end with PAR1");
        return false;
    }
    *len = taco__load_le32(tail);
    if (*len == 0 || *len > part->size - 12) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, part->size - 8, "footer of %u bytes in a file of %u",
                   TACO__U(*len), part->size);
        return false;
    }
    if (*len > limits->max_metadata) {
        TACO__FAIL(err, TACO_ERR_LIMIT, part->size - 8,
                   "footer of %u bytes, limits.max_metadata is %u", TACO__U(*len),
                   limits->max_metadata);
        return false;
    }
    *offset = part->size - 8 - *len;
    return true;
}

TACO__FN bool taco__pq_file_open(taco_pq_file *f, taco_error *err)
{
    uint64_t offset = 0;
    size_t len = 0;
    taco__range guess;
    f->arena.mem = f->mem;
    f->footer.mem = f->text.mem = f->json.mem = f->index_bytes.mem = f->mem;
    f->indexes = NULL;
    guess.len = TACO__MIN(f->part.size, taco__mem_ahead(f->mem, TACO__PQ_FILE_TAIL));
    guess.offset = f->part.base + f->part.size - guess.len;
    if (!TACO__WITH_READ_AHEAD) {
        guess.len = 0;
    } else if (!taco__file_fetch(f->part.file, &guess, 1, err)) {
        return false;
    }
    f->tail = guess;
    if (!taco__pq_file_find_footer(&f->part, &f->options.limits, &offset, &len, err) ||
        !taco__buf_reset(&f->footer, len, err) ||
        !taco__file_part_read(&f->part, offset, f->footer.data, len, err)) {
        return false;
    }
    f->footer.len = len;
    if (TACO__WITH_READ_AHEAD &&
        /* when memory is short */
        taco__mem_ahead(f->mem, TACO__PQ_FILE_TAIL) < TACO__PQ_FILE_TAIL) {
        taco__file_release(f->part.file, guess.offset, guess.len);
        f->tail.len = 0;
    }
    return taco__footer_parse(&f->arena, taco__bytes_of(f->footer.data, len), f->part.size, offset,
                              &f->options.limits, &f->meta, err) == TACO_OK &&
           taco__expansion_check_file(f, err);
}

/* Commits a reader's pending pages to the cache, then frees everything the cache has of this
   file. */
static void taco__pq_file_free_pages(taco_pq_file *f)
{
    uint32_t g, i;
    if (f->codecs) {
        taco__page_cache_commit(f->mem, &f->codecs->pending_pages);
        taco__codecs_close(f->codecs, f->mem);
        f->codecs = NULL;
    }
    for (g = 0; f->has_cached && g < f->meta.group_count; g++) {
        for (i = 0; i < f->meta.leaf_count; i++) {
            taco__page_cache_free_chunk(f->mem, &f->meta.groups[g].chunks[i]);
        }
    }
}

TACO__FN void taco__pq_file_close(taco_pq_file *f)
{
    taco__pq_file_free_pages(f);
    if (f->tail.len) {
        taco__file_release(f->part.file, f->tail.offset, f->tail.len);
        f->tail.len = 0;
    }
    taco__buf_free(&f->footer);
    taco__buf_free(&f->index_bytes);
    taco__buf_free(&f->text);
    taco__buf_free(&f->json);
    taco__arena_free(&f->arena);
}

TACO__FN taco__codecs *taco__pq_file_codecs(taco_pq_file *f, taco_error *err)
{
    if (!f->codecs) { f->codecs = taco__codecs_open(f->mem, err); }
    return f->codecs;
}

TACO__FN bool taco__pq_file_fail(const taco_pq_file *f, taco_error *err)
{
    if (f->name[0]) { taco__error_prefix(err, "%s", f->name); }
    return false;
}

TACO__FN bool taco__pq_file_fail_group(const taco_pq_file *f, uint32_t group, taco_error *err)
{
    if (f->meta.group_count > 1) { taco__error_prefix(err, "row group %u", TACO__U(group)); }
    return taco__pq_file_fail(f, err);
}

TACO_API taco_pq_file *taco_pq_open_source(const taco_source *src, const char *name,
                                           const taco_options *opt, taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__mem mem;
    taco_pq_file *f;
    taco_bytes where = taco__bytes_text(name ? name : "");
    err = taco__error_fresh(err, &own);
    if (!taco__source_check(src, err)) { return NULL; }
    taco__mem_init(&mem, opt);
    f = (taco_pq_file *)taco__mem_alloc(&mem, sizeof *f, err);
    if (!f) {
        if (src->close) { src->close(src->ctx); }
        return NULL;
    }
    f->own_mem = mem;
    f->mem = &f->own_mem;
    f->name = "";
    taco__options_init(&f->options, opt);
    taco__file_init(&f->own_file, src, "", f->mem);
    f->part.file = &f->own_file;
    f->part.size = src->size;
    if (!taco__pq_file_open(f, err)) {
        if (where.len) { taco__error_prefix(err, "%s", name); }
        taco_pq_close(f);
        return NULL;
    }
    if (where.len) { f->name = taco__arena_text(&f->arena, where, err); }
    if (!f->name) {
        f->name = "";
        taco_pq_close(f);
        return NULL;
    }
    return f;
}

TACO_API taco_pq_file *taco_pq_open(const char *path, const taco_options *opt, taco_error *err)
{
    taco_source src;
    taco_options o;
    err = taco__error_fresh(err, NULL);
    taco__options_init(&o, opt);
    if (!path) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
        return NULL;
    }
    return taco__source_open_path(&o, path, &src, err) ? taco_pq_open_source(&src, path, opt, err)
                                                       : NULL;
}

TACO_API void taco_pq_close(taco_pq_file *f)
{
    if (f) {
        taco__mem mem;
        taco__pq_file_close(f);
        taco__file_close(&f->own_file);
        taco__mem_free_spares(f->mem);
        mem = f->own_mem;
        taco__mem_free(&mem, f, sizeof *f);
    }
}

TACO_API int64_t taco_pq_rows(const taco_pq_file *f)
{
    return f ? f->meta.num_rows : 0;
}

TACO_API size_t taco_pq_row_groups(const taco_pq_file *f)
{
    return f ? f->meta.group_count : 0;
}

TACO_API const taco_field *taco_pq_fields(const taco_pq_file *f, size_t *n)
{
    *n = f ? f->meta.column_count : 0;
    return f ? f->meta.columns : NULL;
}

TACO_API taco_bytes taco_pq_key_value(const taco_pq_file *f, const char *key)
{
    uint32_t i;
    for (i = 0; f && i < f->meta.pair_count; i++) {
        if (taco__bytes_equal(f->meta.pairs[i].key, taco__bytes_text(key))) {
            return f->meta.pairs[i].value;
        }
    }
    return taco__bytes_of(NULL, 0);
}
