/* write_options.c - the schema, options and key-value metadata of a file to be written.. Spec:
   parquet.thrift, LogicalTypes.md, GeoParquet 1.1 */
#include "parquet_write.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* ---- options
   ---------------------------------------------------------------------------------------- */

/* The Encoding of a wish, -1 when the leaf's type has none such. */
TACO__FN int32_t taco__write_options_encoding(const taco__leaf_writer *l, taco_encoding wish)
{
    bool whole = l->type == TACO__PQ_INT32 || l->type == TACO__PQ_INT64;
    switch (wish) {
    case TACO_ENCODING_PLAIN: return TACO__PQ_ENC_PLAIN;
    case TACO_ENCODING_DICTIONARY:
        return l->type == TACO__PQ_BOOLEAN ? -1 : TACO__PQ_ENC_RLE_DICTIONARY;
    case TACO_ENCODING_RLE: return l->type == TACO__PQ_BOOLEAN ? TACO__PQ_ENC_RLE : -1;
    case TACO_ENCODING_DELTA: return whole ? TACO__PQ_ENC_DELTA_BINARY_PACKED : -1;
    case TACO_ENCODING_DELTA_LENGTH:
        return l->type == TACO__PQ_BYTE_ARRAY ? TACO__PQ_ENC_DELTA_LENGTH_BYTE_ARRAY : -1;
    case TACO_ENCODING_DELTA_BYTES:
        return l->type == TACO__PQ_BYTE_ARRAY || l->type == TACO__PQ_FIXED
                   ? TACO__PQ_ENC_DELTA_BYTE_ARRAY
                   : -1;
    case TACO_ENCODING_SPLIT:
        return whole || l->type == TACO__PQ_FLOAT || l->type == TACO__PQ_DOUBLE ||
                       l->type == TACO__PQ_FIXED
                   ? TACO__PQ_ENC_BYTE_STREAM_SPLIT
                   : -1;
    default: return -1;
    }
}

static bool taco__write_options_set_codec(taco_pq_writer *w, taco__leaf_writer *l, taco_codec codec)
{
    size_t i;
    for (i = 0; i < TACO__COUNT(taco__compress_codecs); i++) {
        const taco__compress_codec *c = &taco__compress_codecs[i];
        if (c->codec == codec) {
            if (!c->encode && codec != TACO_CODEC_NONE) {
                TACO__FAIL(&w->err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
                           "unsupported: compressing with %s", c->name);
                return false;
            }
            l->codec = c->number;
            return true;
        }
    }
    TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no codec has the number %d",
               TACO__D(codec));
    return false;
}

/* The Arrow schema of a leaf of the stream. */
static const struct ArrowSchema *taco__write_options_arrow_leaf(const taco_pq_writer *w,
                                                                const taco__leaf_writer *l)
{
    const struct ArrowSchema *s =
        w->arrow && l->column < w->given ? w->arrow->children[l->column] : NULL;
    const taco_field *f = &w->fields[l->column];
    const uint32_t *path = l->path;
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

static bool taco__write_options_set_leaf(taco_pq_writer *w, taco__leaf_writer *l)
{
    const taco_pq_column_options *c = NULL;
    const taco_pq_write_options *o = &w->opt;
    const char *name = w->fields[l->column].name;
    taco_codec codec = o->codec ? o->codec : TACO_CODEC_NONE;
    size_t i;
    const struct ArrowSchema *arrow = taco__write_options_arrow_leaf(w, l);
    l->coded = arrow && arrow->dictionary && o->arrow_schema != TACO_HINT_NEVER;
    l->wish = o->encoding;
    if (taco__write_options_encoding(l, o->encoding) < 0 ||
        (l->coded && o->encoding > TACO_ENCODING_DICTIONARY)) {
        l->wish = TACO_ENCODING_AUTO;
    }
    for (i = 0; i < o->column_count; i++) {
        c = strcmp(o->columns[i].name, name) == 0 ? &o->columns[i] : c;
    }
    if (c && c->encoding != TACO_ENCODING_AUTO) {
        taco_bytes text = taco__bytes_text(name);
        if (taco__write_options_encoding(l, c->encoding) < 0) {
            TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                       "column %q cannot have encoding number %d", &text, TACO__D(c->encoding));
            return false;
        }
        l->wish = c->encoding;
    }
    l->level = c && c->codec ? c->level : o->level;
    l->bloom =
        (o->bloom || (c && c->bloom)) && l->type != TACO__PQ_BOOLEAN && l->field->type != TACO_NULL;
    l->stats = !o->no_statistics && !(c && c->no_statistics);
    l->index = l->stats && !o->no_page_index;
    return taco__write_options_set_codec(w, l, c && c->codec ? c->codec : codec);
}

static bool taco__write_options_check_names(taco_pq_writer *w)
{
    size_t i, k;
    for (i = 0; i < w->opt.column_count; i++) {
        taco_bytes name = taco__bytes_text(w->opt.columns[i].name);
        for (k = 0; k < w->field_count; k++) {
            if (name.data && strcmp(w->fields[k].name, w->opt.columns[i].name) == 0) { break; }
        }
        if (k == w->field_count) {
            TACO__FAIL(&w->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET,
                       "options for column %q, which is not there", &name);
            return false;
        }
    }
    return true;
}

/* The gear table: 256 numbers out of a generator that has seen no values (splitmix64 from zero). */
static void taco__write_options_init_gear(taco_pq_writer *w)
{
    uint64_t state = 0, x, span = w->opt.chunk_max - w->opt.chunk_min;
    unsigned i, bits = span > 1 ? 62 - taco__plat_clz64(span) : 1;
    for (i = 0; i < 256; i++) {
        state += UINT64_C(0x9E3779B97F4A7C15);
        x = (state ^ (state >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
        x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
        w->gear[i] = x ^ (x >> 31);
    }
    bits = TACO__MIN(TACO__MAX(bits, 1U), 40U);
    w->cut_mask = UINT64_MAX << (64 - bits);
}

TACO__FN bool taco__write_options_apply(taco_pq_writer *w)
{
    taco_pq_write_options *o = &w->opt;
    size_t i;
    o->row_group_rows = o->row_group_rows ? o->row_group_rows : 65536;
    o->page_rows = o->page_rows ? o->page_rows : 20000;
    o->page_bytes = o->page_bytes ? o->page_bytes : (size_t)1 << 20;
    o->dictionary_bytes = o->dictionary_bytes ? o->dictionary_bytes : (size_t)1 << 20;
    o->chunk_min = o->chunk_min ? o->chunk_min : (size_t)256 << 10;
    o->chunk_max = o->chunk_max ? o->chunk_max : (size_t)1 << 20;
    if (o->chunk_min > o->chunk_max || o->dictionary_bytes > INT32_MAX) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   o->dictionary_bytes > INT32_MAX ? "dictionary_bytes is larger than 2^31 - 1"
                                                   : "chunk_min is larger than chunk_max");
        return false;
    }
    if (o->content_defined) { taco__write_options_init_gear(w); }
    for (i = 0; i < w->leaf_count; i++) {
        if (!taco__write_options_set_leaf(w, &w->leaves[i])) { return false; }
    }
    return taco__write_options_check_names(w);
}
