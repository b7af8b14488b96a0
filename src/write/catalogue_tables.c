/* catalogue_tables.c - tables of a catalogue: rows of all parts, in a directory or one file

   In: the parts and united columns of a catalogue (catalogue.c); out: level tables as Parquet,
   or the __TACOCAT__ file: 128 bytes of header (magic, version, deepest level, offset and length
   of 6 levels and the collection), then the tables and the collection. TACO 2.0 §6.5.

   Rows are copied a batch at a time; columns that a part lacks are null.
   internal:source_file is the part's name (a dictionary of one), internal:current_id the row's
   number in it, counted again. */
#include "write.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../parquet/parquet.h"
#include "../parquet_write/parquet_write.h"
#include "../dataset/dataset.h"

/* ---- the tables ---- */

/* Rows copied at a time. */
#define TACO__CATALOGUE_TABLE_BATCH 4096

/* One level of one part being copied into the catalogue. */
typedef struct taco__catalogue_table_copy {
    taco__catalogue *m;
    uint32_t level;
    taco__table *table;
    taco__row_reader rows;
    taco__arena arena;
    taco_array *arrays;
    size_t *at; /* position among the columns being read, or TACO__NONE */
    size_t current, source;
    int64_t *numbers;
    int32_t *zeros, ends[2];
    taco_array word;
} taco__catalogue_table_copy;

/* Opens a reader over a part's columns in the catalogue's order, and prepares the arrays of missing
   ones. */
static bool taco__catalogue_table_copy_init(taco__catalogue_table_copy *c, const char *name,
                                            taco_error *err)
{
    taco__field_index names;
    bool ok = true;
    size_t i, n = 0, count = c->m->columns[c->level], *which;
    const taco_field *fields = c->m->fields[c->level];
    c->arrays = (taco_array *)taco__arena_array(&c->arena, count, sizeof *c->arrays, err);
    c->at = (size_t *)taco__arena_array(&c->arena, count, sizeof *c->at, err);
    which = (size_t *)taco__arena_array(&c->arena, count, sizeof *which, err);
    c->numbers = (int64_t *)taco__arena_array(&c->arena, TACO__CATALOGUE_TABLE_BATCH,
                                              sizeof *c->numbers, err);
    c->zeros =
        (int32_t *)taco__arena_array(&c->arena, TACO__CATALOGUE_TABLE_BATCH, sizeof *c->zeros, err);
    if (!c->arrays || !c->at || !which || !c->numbers || !c->zeros) { return false; }
    taco__field_index_init(&names, c->table->fields, c->table->field_count, c->arena.mem);
    for (i = 0; ok && i < count; i++) {
        size_t k = taco__field_index_find(&names, fields[i].name);
        c->at[i] = TACO__NONE;
        if (strcmp(fields[i].name, "internal:source_file") == 0) {
            c->source = i;
        } else if (strcmp(fields[i].name, "internal:current_id") == 0) {
            c->current = i; /* row number: archives from before 2025-12 have none */
        } else if (k != SIZE_MAX) {
            c->at[i] = n;
            which[n++] = k;
        } else {
            ok = taco__unify_null_array(&fields[i], TACO__CATALOGUE_TABLE_BATCH, &c->arrays[i],
                                        &c->arena, err);
        }
    }
    taco__field_index_free(&names);
    if (!ok) { return false; }
    c->ends[0] = 0;
    c->ends[1] = (int32_t)strlen(name);
    c->word.field = &fields[c->source];
    c->word.length = 1;
    c->word.offsets = c->ends;
    c->word.v.any = name;
    return taco__row_reader_open(&c->rows, c->table, which, n, &c->m->mem, err);
}

/* Counts rows that were written, and asks the caller whether to go on. */
static bool taco__catalogue_table_progress(taco__catalogue *m, size_t rows, taco_error *err)
{
    uint64_t total = 0;
    uint32_t i;
    m->copied += rows;
    for (i = 0; i < m->levels; i++) {
        total += m->rows[i];
    }
    if (!m->opt.progress || m->opt.progress(m->opt.progress_ctx, m->copied, total)) { return true; }
    TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET, "stopped by the caller");
    return false;
}

/* Copies all rows of a part. False with *err empty if the writer failed, which reports why when it
   is closed. */
static bool taco__catalogue_table_copy_rows(taco__catalogue_table_copy *c, taco_pq_writer *w,
                                            taco_error *err)
{
    size_t row = 0, i, count = c->m->columns[c->level];
    taco_batch b;
    memset(&b, 0, sizeof b);
    b.first_row = -1;
    b.columns = c->arrays;
    b.column_count = count;
    while (row < c->table->rows) {
        size_t n = (size_t)TACO__MIN(c->table->rows - row, (uint64_t)TACO__CATALOGUE_TABLE_BATCH);
        if (!taco__row_reader_read_range(&c->rows, row, n, err)) { return false; }
        for (i = 0; i < count; i++) {
            taco_array *a = &c->arrays[i];
            if (c->at[i] != TACO__NONE) {
                *a = c->rows.arrays[c->at[i]];
            } else if (i == c->source || i == c->current) {
                memset(a, 0, sizeof *a);
                a->field = &c->m->fields[c->level][i];
                a->v.any = i == c->source ? (const void *)c->zeros : (const void *)c->numbers;
                a->dictionary = i == c->source ? &c->word : NULL;
            } else {
                a->null_count = n;
            }
            a->length = n;
        }
        for (i = 0; i < n; i++) {
            c->numbers[i] = (int64_t)(row + i);
        }
        b.length = n;
        if (taco_pq_writer_batch(w, &b) != TACO_OK) { return false; /* the writer reports why */ }
        row += n;
        if (!taco__catalogue_table_progress(c->m, n, err)) { return false; }
    }
    return true;
}

/* Copies one level of one part into the writer. */
static bool taco__catalogue_table_copy_part(taco__catalogue *m, size_t number, uint32_t level,
                                            taco_pq_writer *w, taco_error *err)
{
    taco__container *s;
    taco__arena arena;
    taco__catalogue_table_copy c;
    taco__level *l;
    bool ok;
    memset(&c, 0, sizeof c);
    arena.mem = c.arena.mem = &m->mem;
    arena.head = NULL;
    c.m = m;
    c.level = level;
    /* too large for the stack */
    s = (taco__container *)taco__mem_alloc(&m->mem, sizeof *s, err);
    if (!s) { return false; }
    if (!taco__container_open(s, m->parts[number].path, NULL, &m->mem, &arena, &m->options, err)) {
        taco__arena_free(&arena);
        taco__mem_free(&m->mem, s, sizeof *s);
        return false;
    }
    l = taco__container_level(s, level, err);
    ok = l && taco__places_check(s, level, err);
    if (ok) {
        c.table = &l->table;
        ok = taco__catalogue_table_copy_init(&c, m->parts[number].name, err) &&
             taco__catalogue_table_copy_rows(&c, w, err);
        if (!ok) { taco__error_prefix(err, "%s", m->parts[number].path); }
        taco__row_reader_close(&c.rows);
    }
    taco__container_close(s);
    taco__mem_free(&m->mem, s, sizeof *s);
    taco__arena_free(&c.arena);
    taco__arena_free(&arena);
    return ok;
}

/* Writes a level of the catalogue into a sink, which is taken over. */
TACO__FN bool taco__catalogue_table_write_level(taco__catalogue *m, uint32_t level,
                                                const taco_sink *sink, taco_error *err)
{
    taco_pq_write_options w;
    taco_pq_writer *writer;
    size_t i;
    bool ok;
    w = taco__level_table_user_options(m->opt.parquet);
    w.options = &m->options;
    w.codec = m->opt.codec ? m->opt.codec : w.codec ? w.codec : TACO_CODEC_ZSTD;
    w.level = m->opt.level ? m->opt.level : w.level;
    w.row_group_rows = m->opt.row_group_rows ? m->opt.row_group_rows : w.row_group_rows;
    writer = taco_pq_write(sink, m->fields[level], m->columns[level], &w, err);
    ok = writer != NULL;
    for (i = 0; ok && i < m->count; i++) {
        ok = taco__catalogue_table_copy_part(m, i, level, writer, err);
    }
    if (writer && !ok && err->code != TACO_OK) {
        taco_pq_writer_abort(writer);
    } else if (writer) {
        ok = taco_pq_writer_close(writer, err) == TACO_OK && ok;
    }
    return ok;
}

/* ---- the 128-byte file (§6.5) ---- */

/* A table inside the file: its offset, and its size so far. */
typedef struct taco__catalogue_table_sink {
    taco_sink *out;
    uint64_t base, size;
} taco__catalogue_table_sink;

/* Writes to the file, relative to the beginning of the table. */
static bool taco__catalogue_table_sink_write(void *ctx, uint64_t offset, const void *src,
                                             size_t len)
{
    taco__catalogue_table_sink *s = (taco__catalogue_table_sink *)ctx;
    if (offset != s->size) { return false; }
    s->size += len;
    return s->out->write(s->out->ctx, s->base + offset, src, len);
}

/* The file stays open for the next table. */
static bool taco__catalogue_table_sink_close(void *ctx, bool keep)
{
    (void)ctx;
    (void)keep;
    return true;
}

/* Writes the __TACOCAT__ file: a header of zeros, the tables, the collection, then the header
   again with their places. Header, 128 bytes, little-endian:

         0 "TACOCAT", 0       16 u64 offset, u64 length of level 0
         8 u32 version 1      32 ... of level 1, and so on; 0 if there is none
        12 u32 deepest level  112 u64 offset, u64 length of the collection */
TACO__FN bool taco__catalogue_table_write_file(taco__catalogue *m, taco_sink *out, taco_error *err)
{
    uint8_t head[TACO__INDEX_TACOCAT_BYTES];
    taco__catalogue_table_sink part;
    taco_sink sink;
    taco__buf text;
    uint32_t i;
    bool ok;
    memset(head, 0, sizeof head);
    memcpy(head, "TACOCAT", 7);
    taco__put_le32(head + 8, 1);
    taco__put_le32(head + 12, m->levels - 1);
    memset(&text, 0, sizeof text);
    memset(&sink, 0, sizeof sink);
    text.mem = &m->mem;
    part.out = out;
    part.base = sizeof head;
    sink.ctx = &part;
    sink.write = taco__catalogue_table_sink_write;
    sink.close = taco__catalogue_table_sink_close;
    ok = out->write(out->ctx, 0, head, sizeof head);
    for (i = 0; ok && i < m->levels; i++) {
        part.size = 0;
        ok = taco__catalogue_table_write_level(m, i, &sink, err);
        taco__put_le64(head + 16 + 16 * (size_t)i, part.base);
        taco__put_le64(head + 24 + 16 * (size_t)i, part.size);
        part.base += part.size;
    }
    ok = ok && taco__merged_write(m, true, &text, err);
    taco__put_le64(head + 112, part.base);
    taco__put_le64(head + 120, text.len);
    ok = ok && out->write(out->ctx, part.base, text.data, text.len) &&
         out->write(out->ctx, 0, head, sizeof head);
    taco__buf_free(&text);
    return ok;
}
