/* write_options.c - turns the caller's options, with defaults filled in, into settings of every
   leaf

   In: w->opt, the fields and the leaves that schema_write.c made; out: taco__leaf_settings of each
   leaf, w->gear, and the defaults of taco_pq_write_options in w->opt. An encoding for the whole
   file is used where it fits the type; one for a column must fit. Nested columns take the options
   of their top-level column. Start reading at taco__write_options_apply. */
#include "parquet_write.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* Which types an encoding is valid for: Encodings.md. */
TACO__FN int32_t taco__write_options_encoding(const taco__leaf_schema *s, taco_encoding option)
{
    bool boolean = s->type == TACO__PQ_BOOLEAN, bytes = s->type == TACO__PQ_BYTE_ARRAY;
    bool fixed = s->type == TACO__PQ_FIXED;
    bool whole = s->type == TACO__PQ_INT32 || s->type == TACO__PQ_INT64;
    bool real = s->type == TACO__PQ_FLOAT || s->type == TACO__PQ_DOUBLE;
    switch (option) {
    case TACO_ENCODING_PLAIN: return TACO__PQ_ENC_PLAIN;
    case TACO_ENCODING_DICTIONARY: return boolean ? -1 : TACO__PQ_ENC_RLE_DICTIONARY;
    case TACO_ENCODING_RLE: return boolean ? TACO__PQ_ENC_RLE : -1;
    case TACO_ENCODING_DELTA: return whole ? TACO__PQ_ENC_DELTA_BINARY_PACKED : -1;
    case TACO_ENCODING_DELTA_LENGTH: return bytes ? TACO__PQ_ENC_DELTA_LENGTH_BYTE_ARRAY : -1;
    case TACO_ENCODING_DELTA_BYTES: return bytes || fixed ? TACO__PQ_ENC_DELTA_BYTE_ARRAY : -1;
    case TACO_ENCODING_SPLIT: return whole || real || fixed ? TACO__PQ_ENC_BYTE_STREAM_SPLIT : -1;
    default: return -1;
    }
}

/* The Arrow schema of a leaf of the stream; NULL if the rows do not come from a stream. */
static const struct ArrowSchema *taco__write_options_arrow_leaf(const taco_pq_writer *w,
                                                                const taco__leaf_schema *leaf)
{
    const struct ArrowSchema *s =
        w->arrow && leaf->column < w->caller_count ? w->arrow->children[leaf->column] : NULL;
    const taco_field *f = &w->fields[leaf->column];
    const uint32_t *path = leaf->path;
    uint32_t i;
    while (s && f->child_count) {
        i = f->type == TACO_STRUCT ? *path++ : 0;
        s = s->children[i];
        if (f->type == TACO_MAP) { /* its entries are the repeated group itself */
            f = &f->children[0];
            i = *path++;
            s = s->children[i];
        }
        f = &f->children[i];
    }
    return s;
}

/* The options of a top-level column; the last ones with that name, NULL for none. */
static const taco_pq_column_options *taco__write_options_find(const taco_pq_write_options *o,
                                                              const char *name)
{
    const taco_pq_column_options *found = NULL;
    size_t i;
    for (i = 0; i < o->column_count; i++) {
        if (strcmp(o->columns[i].name, name) == 0) { found = &o->columns[i]; }
    }
    return found;
}

/* Sets the encoding of a leaf. False if the column cannot have the one in its options. */
static bool taco__write_options_set_encoding(taco_pq_writer *w, taco__leaf_writer *l,
                                             const taco_pq_column_options *c)
{
    taco_encoding file = w->opt.encoding;
    l->settings.encoding = file;
    if (taco__write_options_encoding(&l->schema, file) < 0 ||
        (l->settings.arrow_dictionary && file > TACO_ENCODING_DICTIONARY)) {
        l->settings.encoding = TACO_ENCODING_AUTO;
    }
    if (!c || c->encoding == TACO_ENCODING_AUTO) { return true; }
    l->settings.encoding = c->encoding;
    if (taco__write_options_encoding(&l->schema, c->encoding) < 0) {
        taco_bytes name = taco__bytes_text(c->name);
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "column %q cannot have encoding number %d", &name, TACO__D(c->encoding));
        return false;
    }
    return true;
}

static bool taco__write_options_set_leaf(taco_pq_writer *w, taco__leaf_writer *l)
{
    const taco_pq_write_options *o = &w->opt;
    const taco_pq_column_options *c = taco__write_options_find(o, w->fields[l->schema.column].name);
    const struct ArrowSchema *arrow = taco__write_options_arrow_leaf(w, &l->schema);
    taco__leaf_settings *s = &l->settings;
    taco_codec codec = o->codec ? o->codec : TACO_CODEC_NONE;
    s->arrow_dictionary = arrow && arrow->dictionary && o->arrow_schema != TACO_HINT_NEVER;
    if (!taco__write_options_set_encoding(w, l, c)) { return false; }
    s->bloom = (o->bloom || (c && c->bloom)) && l->schema.type != TACO__PQ_BOOLEAN &&
               l->schema.field->type != TACO_NULL;
    s->stats = !o->no_statistics && !(c && c->no_statistics);
    s->page_index = s->stats && !o->no_page_index;
    s->level = c && c->codec ? c->level : o->level;
    return taco__compress_codec_number(c && c->codec ? c->codec : codec, &s->codec, &w->err);
}

static bool taco__write_options_has_field(const taco_pq_writer *w, const char *name)
{
    size_t i;
    for (i = 0; name && i < w->field_count; i++) {
        if (strcmp(w->fields[i].name, name) == 0) { return true; }
    }
    return false;
}

/* Options for a column that does not exist are an error. */
static bool taco__write_options_check_names(taco_pq_writer *w)
{
    size_t i;
    for (i = 0; i < w->opt.column_count; i++) {
        taco_bytes name = taco__bytes_text(w->opt.columns[i].name);
        if (!taco__write_options_has_field(w, w->opt.columns[i].name)) {
            TACO__FAIL(&w->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                       "options for column %q, which does not exist", &name);
            return false;
        }
    }
    return true;
}

/* The gear table: 256 numbers of a generator that has seen no values (splitmix64 from zero), and a
   mask under which the hash is zero once in a quarter to a half of chunk_max - chunk_min bytes. */
static void taco__write_options_init_gear(taco_pq_writer *w)
{
    uint64_t state = 0, x, span = w->opt.chunk_max - w->opt.chunk_min;
    unsigned i, bits = span > 1 ? 62 - taco__plat_clz64(span) : 1;
    for (i = 0; i < 256; i++) {
        state += UINT64_C(0x9E3779B97F4A7C15);
        x = (state ^ (state >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
        x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
        w->gear.table[i] = x ^ (x >> 31);
    }
    bits = TACO__MIN(TACO__MAX(bits, 1U), 40U);
    w->gear.mask = UINT64_MAX << (64 - bits);
}

/* The defaults in brackets in taco_parquet_write.h. */
static bool taco__write_options_set_defaults(taco_pq_write_options *o, taco_error *err)
{
    o->row_group_rows = o->row_group_rows ? o->row_group_rows : 65536;
    o->page_rows = o->page_rows ? o->page_rows : 20000;
    o->page_bytes = o->page_bytes ? o->page_bytes : (size_t)1 << 20;
    o->dictionary_bytes = o->dictionary_bytes ? o->dictionary_bytes : (size_t)1 << 20;
    o->chunk_min = o->chunk_min ? o->chunk_min : (size_t)256 << 10;
    o->chunk_max = o->chunk_max ? o->chunk_max : (size_t)1 << 20;
    if (o->chunk_min > o->chunk_max || o->dictionary_bytes > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   o->dictionary_bytes > INT32_MAX ? "dictionary_bytes is larger than 2^31 - 1"
                                                   : "chunk_min is larger than chunk_max");
        return false;
    }
    return true;
}

TACO__FN bool taco__write_options_apply(taco_pq_writer *w)
{
    size_t i;
    if (!taco__write_options_set_defaults(&w->opt, &w->err)) { return false; }
    if (w->opt.content_defined) { taco__write_options_init_gear(w); }
    for (i = 0; i < w->leaf_count; i++) {
        if (!taco__write_options_set_leaf(w, &w->leaves[i])) { return false; }
    }
    return taco__write_options_check_names(w);
}
