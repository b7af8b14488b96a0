/* footer_text.c - a footer as lines for people, one for each column chunk

   In: the metadata of an open file; out: taco_pq_meta_text. Columns are as wide as their contents,
   up to a limit; a character is a column. See footer_json.c for all there is to know.

     row group 0: 5 rows, 214 bytes uncompressed, sorted by col1
       col2  BYTE_ARRAY  SNAPPY  5  52/51  PLAIN,RLE  "a" .. "e"  nulls 0  page index */
#include "inspect.h"
#include "../base/base.h"

/* Spaces up to column `width` of a cell that began at byte `from` of the text, and two more. A
   character is a column. */
static void taco__footer_text_pad(taco__describe_out *o, size_t from, size_t width)
{
    size_t i, n = 0;
    for (i = from; o->ok && i < o->buf->len; i++) {
        n += (o->buf->data[i] & 0xC0) != 0x80;
    }
    for (width = TACO__MAX(n, width) + 2; o->ok && n < width; n++) {
        taco__describe_text(o, " ");
    }
}

/* A bound, cut to 24 characters; "?" where there is none. */
static void taco__footer_text_bound(taco__describe_out *o, const taco__pq_leaf *leaf, taco_bytes b)
{
    size_t from = o->buf->len, i, n = 0;
    if (!b.data) {
        taco__describe_text(o, "?");
        return;
    }
    taco__describe_value(o, leaf, b);
    for (i = from; o->ok && i < o->buf->len; i++) {
        n += (o->buf->data[i] & 0xC0) != 0x80;
        if (n > 24) {
            o->buf->len = i;
            taco__describe_text(o, "...");
            return;
        }
    }
}

/* Codec, values, compressed and plain bytes, encodings. */
static void taco__footer_text_sizes(taco__describe_out *o, const taco__pq_column_chunk *c)
{
    size_t from = o->buf->len;
    int i;
    taco__describe_codec(o, c->codec);
    taco__footer_text_pad(o, from, 12);
    from = o->buf->len;
    taco__describe_i64(o, c->num_values);
    taco__footer_text_pad(o, from, 8);
    from = o->buf->len;
    taco__describe_u64(o, c->compressed_size);
    taco__describe_text(o, "/");
    taco__describe_u64(o, c->uncompressed_size);
    taco__footer_text_pad(o, from, 15);
    for (i = 0, from = 0; i < 32; i++) {
        if (c->encodings >> i & 1) {
            taco__describe_text(o, from++ ? "," : "");
            taco__describe_encoding(o, i);
        }
    }
}

/* The line of a column chunk; `width` is that of the names. */
static void taco__footer_text_row(taco__describe_out *o, const taco__pq_metadata *m,
                                  const taco__pq_leaf *leaf, const taco__pq_column_chunk *c,
                                  size_t width)
{
    char text[TACO__DESCRIBE_PATH];
    size_t from;
    taco__describe_text(o, "  ");
    from = o->buf->len;
    taco__describe_name(o, taco__schema_path(m, leaf->element, text, sizeof text));
    taco__footer_text_pad(o, from, width);
    from = o->buf->len;
    taco__describe_physical(o, leaf->type);
    taco__footer_text_pad(o, from, 10);
    if (!c->has_meta || c->encrypted) {
        taco__describe_text(o, c->encrypted ? "encrypted\n" : "no metadata\n");
        return;
    }
    taco__footer_text_sizes(o, c);
    if (c->stats.min.data || c->stats.max.data) {
        taco__describe_text(o, "  ");
        taco__footer_text_bound(o, leaf, c->stats.min);
        taco__describe_text(o, " .. ");
        taco__footer_text_bound(o, leaf, c->stats.max);
    }
    if (c->stats.present && c->stats.null_count >= 0) {
        taco__describe_text(o, "  nulls ");
        taco__describe_i64(o, c->stats.null_count);
    }
    taco__describe_text(o, c->column_index.len || c->offset_index.len ? "  page index" : "");
    taco__describe_text(o, c->bloom.len ? "  bloom" : "");
    taco__describe_text(o, c->external ? "  in another file\n" : "\n");
}

/* ", sorted by a, b desc"; nothing where the row group does not say. */
static void taco__footer_text_sorting(taco__describe_out *o, const taco__pq_metadata *m,
                                      const taco__pq_row_group *g)
{
    char text[TACO__DESCRIBE_PATH];
    uint32_t i;
    for (i = 0; i < g->sort_count && o->ok; i++) {
        taco__describe_text(o, i ? ", " : ", sorted by ");
        taco__describe_name(
            o, taco__schema_path(m, m->leaves[g->sort[i].leaf].element, text, sizeof text));
        taco__describe_text(o, g->sort[i].descending ? " desc" : "");
    }
}

/* The lines about the file: sizes, counts, writer, keys. */
static void taco__footer_text_file(taco__describe_out *o, const taco__pq_metadata *m)
{
    uint32_t i;
    taco__describe_u64(o, m->file_size);
    taco__describe_text(o, " bytes, footer ");
    taco__describe_u64(o, m->footer_size);
    taco__describe_text(o, ", ");
    taco__describe_i64(o, m->num_rows);
    taco__describe_text(o, " rows, ");
    taco__describe_u64(o, m->leaf_count);
    taco__describe_text(o, " columns, ");
    taco__describe_u64(o, m->group_count);
    taco__describe_text(o, " row groups\nwritten by ");
    taco__describe_name(o, m->created_by.data ? m->created_by : taco__bytes_text("?"));
    taco__describe_text(o, "\n");
    for (i = 0; i < m->pair_count && o->ok; i++) {
        taco__describe_text(o, "key ");
        taco__describe_name(o, m->pairs[i].key);
        taco__describe_text(o, ", ");
        taco__describe_u64(o, m->pairs[i].value.len);
        taco__describe_text(o, " bytes\n");
    }
}

/* The lines about row group i: itself, then its column chunks. */
static void taco__footer_text_group(taco__describe_out *o, const taco__pq_metadata *m, uint32_t i,
                                    size_t width)
{
    const taco__pq_row_group *g = &m->groups[i];
    uint32_t k;
    taco__describe_text(o, "\nrow group ");
    taco__describe_u64(o, i);
    taco__describe_text(o, ": ");
    taco__describe_i64(o, g->rows);
    taco__describe_text(o, " rows, ");
    taco__describe_u64(o, g->total_byte_size);
    taco__describe_text(o, " bytes uncompressed");
    taco__footer_text_sorting(o, m, g);
    taco__describe_text(o, "\n");
    for (k = 0; k < m->leaf_count && o->ok; k++) {
        taco__footer_text_row(o, m, &m->leaves[k], &g->chunks[k], width);
    }
}

/* The whole text: the file, then each row group. */
static bool taco__footer_text_append(const taco__pq_metadata *m, taco__buf *out, taco_error *err)
{
    char text[TACO__DESCRIBE_PATH];
    taco__describe_out o = taco__describe_out_init(out, err);
    size_t width = 0; /* of the column of names: the longest, but 40 bytes at most */
    uint32_t i;
    for (i = 0; i < m->leaf_count; i++) {
        taco_bytes path = taco__schema_path(m, m->leaves[i].element, text, sizeof text);
        width = TACO__MAX(width, TACO__MIN(path.len, (size_t)40));
    }
    taco__footer_text_file(&o, m);
    for (i = 0; i < m->group_count && o.ok; i++) {
        taco__footer_text_group(&o, m, i, width);
    }
    return o.ok;
}

TACO_API taco_bytes taco_pq_meta_text(taco_pq_file *f, taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    if (!f) { return taco__bytes_of(NULL, 0); }
    f->text.len = 0;
    return taco__footer_text_append(&f->meta, &f->text, err)
               ? taco__bytes_of(f->text.data, f->text.len)
               : taco__bytes_of(NULL, 0);
}
