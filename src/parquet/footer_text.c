/* footer_text.c - schemas, types and footers as text, for people and for tools.. Spec: - The
   message type notation is parquet-mr's, the type names are Arrow's */
#include "parquet.h"
#include "../base/base.h"

#define TACO__FOOTER_TEXT_PATH                                                                     \
    1024 /* bytes of a column's path; hostile schemas repeat long names in every column */

static const char *const taco__footer_text_codecs[8] = {
    "UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4", "ZSTD", "LZ4_RAW"};

static const char *const taco__footer_text_encodings[10] = {"PLAIN",
                                                            NULL,
                                                            "PLAIN_DICTIONARY",
                                                            "RLE",
                                                            "BIT_PACKED",
                                                            "DELTA_BINARY_PACKED",
                                                            "DELTA_LENGTH_BYTE_ARRAY",
                                                            "DELTA_BYTE_ARRAY",
                                                            "RLE_DICTIONARY",
                                                            "BYTE_STREAM_SPLIT"};

/* `"key":` with a comma in front of all but the first. */
static void taco__footer_json_key(taco__describe_out *o, const char *key)
{
    if (o->ok && o->buf->len && o->buf->data[o->buf->len - 1] != '{') {
        taco__describe_text(o, ",");
    }
    taco__describe_text(o, "\"");
    taco__describe_text(o, key);
    taco__describe_text(o, "\":");
}

static void taco__footer_json_u64(taco__describe_out *o, const char *key, uint64_t x)
{
    taco__footer_json_key(o, key);
    taco__describe_u64(o, x);
}

static void taco__footer_json_count(taco__describe_out *o, const char *key,
                                    int64_t x) /* left out when it is not known */
{
    if (x >= 0) {
        taco__footer_json_key(o, key);
        taco__describe_i64(o, x);
    }
}

static void taco__footer_json_bool(taco__describe_out *o, const char *key, bool x)
{
    taco__footer_json_key(o, key);
    taco__describe_text(o, x ? "true" : "false");
}

static void taco__footer_json_range(taco__describe_out *o, const char *key, const taco__range *r)
{
    if (r->len == 0) { return; }
    taco__footer_json_key(o, key);
    taco__describe_text(o, "{");
    taco__footer_json_u64(o, "offset", r->offset);
    if (r->len != UINT64_MAX) { taco__footer_json_u64(o, "size", r->len); }
    taco__describe_text(o, "}");
}

static void taco__footer_text_path(taco__describe_out *o, const taco__pq_metadata *m,
                                   const taco__pq_leaf *leaf)
{
    char text[TACO__FOOTER_TEXT_PATH];
    taco__footer_json_key(o, "path");
    taco__describe_json_string(o, taco__schema_path(m, leaf->element, text, sizeof text));
}

static void taco__footer_json_statistics(taco__describe_out *o, const taco__pq_metadata *m,
                                         const taco__pq_leaf *leaf, const taco__pq_statistics *s)
{
    taco__pq_bounds bounds;
    if (!s->given) { return; }
    taco__stats_bounds(m, leaf, s, &bounds);
    taco__footer_json_key(o, "statistics");
    taco__describe_text(o, "{");
    if (s->min.data) {
        taco__footer_json_key(o, "min");
        taco__describe_value(o, leaf, s->min);
    }
    if (s->max.data) {
        taco__footer_json_key(o, "max");
        taco__describe_value(o, leaf, s->max);
    }
    if (s->min.data || s->max.data) {
        taco__footer_json_bool(o, "min_exact", s->min_exact);
        taco__footer_json_bool(o, "max_exact", s->max_exact);
        taco__footer_json_bool(o, "deprecated", s->deprecated);
        taco__footer_json_bool(o, "usable", bounds.min.data || bounds.max.data);
    }
    taco__footer_json_count(o, "null_count", s->null_count);
    taco__footer_json_count(o, "distinct_count", s->distinct_count);
    taco__footer_json_count(o, "nan_count", s->nan_count);
    taco__describe_text(o, "}");
}

static void taco__footer_json_encodings(taco__describe_out *o, uint32_t encodings)
{
    const char *comma = "";
    int i;
    taco__footer_json_key(o, "encodings");
    taco__describe_text(o, "[");
    for (i = 0; i < 32; i++) {
        if (encodings >> i & 1) {
            taco__describe_text(o, comma);
            taco__describe_text(o, "\"");
            taco__describe_enum(o, taco__footer_text_encodings,
                                TACO__COUNT(taco__footer_text_encodings), i);
            taco__describe_text(o, "\"");
            comma = ",";
        }
    }
    taco__describe_text(o, "]");
}

static void taco__footer_json_bbox(taco__describe_out *o, const taco__pq_geo_bounds *g)
{
    const double v[4] = {g->xmin, g->ymin, g->xmax, g->ymax};
    size_t i;
    taco__footer_json_key(o, "bbox");
    taco__describe_text(o, "[");
    for (i = 0; i < 4; i++) {
        uint8_t le[8];
        taco__put_le64(le, taco__f64_to_bits(v[i]));
        taco__describe_text(o, i ? "," : "");
        taco__describe_float(o, taco__bytes_of(le, 8));
    }
    taco__describe_text(o, "]");
}

static void taco__footer_json_chunk(taco__describe_out *o, const taco__pq_metadata *m,
                                    const taco__pq_leaf *leaf, const taco__pq_column_chunk *c)
{
    taco__describe_text(o, "{");
    taco__footer_text_path(o, m, leaf);
    if (c->encrypted) { taco__footer_json_bool(o, "encrypted", true); }
    if (c->file_path.len) {
        taco__footer_json_key(o, "file_path");
        taco__describe_json_string(o, c->file_path);
    }
    if (c->has_meta) {
        taco__footer_json_key(o, "codec");
        taco__describe_text(o, "\"");
        taco__describe_enum(o, taco__footer_text_codecs, TACO__COUNT(taco__footer_text_codecs),
                            c->codec);
        taco__describe_text(o, "\"");
        taco__footer_json_encodings(o, c->encodings);
        taco__footer_json_count(o, "num_values", c->num_values);
        taco__footer_json_u64(o, "uncompressed_size", c->uncompressed_size);
        taco__footer_json_u64(o, "compressed_size", c->compressed_size);
        taco__footer_json_count(o, "data_page_offset", c->data_offset);
        taco__footer_json_count(o, "dictionary_page_offset", c->dictionary_offset);
        taco__footer_json_count(o, "index_page_offset", c->index_page_offset);
        taco__footer_json_count(o, "unencoded_bytes", c->unencoded);
        taco__footer_json_range(o, "pages", &c->pages);
        taco__footer_json_range(o, "column_index", &c->column_index);
        taco__footer_json_range(o, "offset_index", &c->offset_index);
        taco__footer_json_range(o, "bloom_filter", &c->bloom);
        taco__footer_json_statistics(o, m, leaf, &c->stats);
        if (c->geo) { taco__footer_json_bbox(o, c->geo); }
    }
    taco__describe_text(o, "}");
}

static void taco__footer_json_group(taco__describe_out *o, const taco__pq_metadata *m,
                                    const taco__pq_row_group *g)
{
    uint32_t i;
    taco__describe_text(o, "{");
    taco__footer_json_count(o, "num_rows", g->rows);
    taco__footer_json_count(o, "first_row", g->first_row);
    taco__footer_json_u64(o, "total_byte_size", g->total_byte_size);
    taco__footer_json_count(o, "total_compressed_size", g->total_compressed_size);
    taco__footer_json_count(o, "file_offset", g->file_offset);
    taco__footer_json_count(o, "ordinal", g->ordinal);
    if (g->sort_count) {
        taco__footer_json_key(o, "sorting_columns");
        taco__describe_text(o, "[");
        for (i = 0; i < g->sort_count && o->ok; i++) {
            taco__describe_text(o, i ? ",{" : "{");
            taco__footer_json_u64(o, "column", g->sort[i].leaf);
            taco__footer_json_bool(o, "descending", g->sort[i].descending);
            taco__footer_json_bool(o, "nulls_first", g->sort[i].nulls_first);
            taco__describe_text(o, "}");
        }
        taco__describe_text(o, "]");
    }
    taco__footer_json_key(o, "columns");
    taco__describe_text(o, "[");
    for (i = 0; i < m->leaf_count && o->ok; i++) {
        taco__describe_text(o, i ? ",\n  " : "\n  ");
        taco__footer_json_chunk(o, m, &m->leaves[i], &g->chunks[i]);
    }
    taco__describe_text(o, "]}");
}

static void taco__footer_json_leaf(taco__describe_out *o, const taco__pq_metadata *m,
                                   const taco__pq_leaf *leaf)
{
    static const char *const orders[4] = {NULL, "TYPE_ORDER", "IEEE_754_TOTAL_ORDER",
                                          "INT96_TIMESTAMP_ORDER"};
    taco__pq_schema_element a;
    taco__describe_text(o, "{");
    taco__footer_text_path(o, m, leaf);
    taco__footer_json_key(o, "type");
    taco__describe_text(o, "\"");
    taco__describe_text(o, taco__schema_text_physical[leaf->type]);
    taco__describe_text(o, "\"");
    if (leaf->type == TACO__PQ_FIXED) {
        taco__footer_json_u64(o, "type_length", (uint64_t)leaf->type_length);
    }
    if (taco__schema_annotation(leaf->element, &a) != TACO__PQ_LOGICAL_NONE) {
        size_t at;
        taco__footer_json_key(o, "annotation");
        taco__describe_text(o, "\"");
        at = o->buf->len;
        taco__schema_text_annotation(o, leaf->element);
        while (o->ok &&
               at < o->buf->len) { /* a CRS is free text: what JSON would escape is left out */
            uint8_t *c = &o->buf->data[at++];
            *c = *c == '"' || *c == '\\' ? (uint8_t)'?' : *c;
        }
        taco__describe_text(o, "\"");
    }
    taco__footer_json_count(o, "max_definition_level", leaf->max_def);
    taco__footer_json_count(o, "max_repetition_level", leaf->max_rep);
    if (leaf->order < TACO__COUNT(orders) && orders[leaf->order]) {
        taco__footer_json_key(o, "column_order");
        taco__describe_text(o, "\"");
        taco__describe_text(o, orders[leaf->order]);
        taco__describe_text(o, "\"");
    }
    taco__describe_text(o, "}");
}

static void taco__footer_json_key_values(taco__describe_out *o, const taco__pq_metadata *m)
{
    uint32_t i;
    taco__footer_json_key(o, "key_value_metadata");
    taco__describe_text(o, "[");
    for (i = 0; i < m->pair_count && o->ok; i++) {
        taco__describe_text(o, i ? ",\n {" : "\n {");
        taco__footer_json_key(o, "key");
        taco__describe_json_string(o, m->pairs[i].key);
        if (m->pairs[i].value.data) {
            taco__footer_json_key(o, "value");
            taco__describe_json_string(o, m->pairs[i].value);
        }
        taco__describe_text(o, "}");
    }
    taco__describe_text(o, "]");
}

/* ---- the footer as a table for people
   ----------------------------------------------------------- */

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

/* A bound, cut to 24 characters. */
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

static void taco__footer_text_sizes(taco__describe_out *o, const taco__pq_column_chunk *c)
{
    size_t from = o->buf->len;
    int i;
    taco__describe_enum(o, taco__footer_text_codecs, TACO__COUNT(taco__footer_text_codecs),
                        c->codec);
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
            taco__describe_enum(o, taco__footer_text_encodings,
                                TACO__COUNT(taco__footer_text_encodings), i);
        }
    }
}

static void taco__footer_text_row(taco__describe_out *o, const taco__pq_metadata *m,
                                  const taco__pq_leaf *leaf, const taco__pq_column_chunk *c,
                                  size_t width)
{
    char text[TACO__FOOTER_TEXT_PATH];
    size_t from;
    taco__describe_text(o, "  ");
    from = o->buf->len;
    taco__describe_name(o, taco__schema_path(m, leaf->element, text, sizeof text));
    taco__footer_text_pad(o, from, width);
    from = o->buf->len;
    taco__describe_text(o, taco__schema_text_physical[leaf->type]);
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
    if (c->stats.given && c->stats.null_count >= 0) {
        taco__describe_text(o, "  nulls ");
        taco__describe_i64(o, c->stats.null_count);
    }
    taco__describe_text(o, c->column_index.len || c->offset_index.len ? "  page index" : "");
    taco__describe_text(o, c->bloom.len ? "  bloom" : "");
    taco__describe_text(o, c->external ? "  in another file\n" : "\n");
}

static void taco__footer_text_sorting(taco__describe_out *o, const taco__pq_metadata *m,
                                      const taco__pq_row_group *g)
{
    char text[TACO__FOOTER_TEXT_PATH];
    uint32_t i;
    for (i = 0; i < g->sort_count && o->ok; i++) {
        taco__describe_text(o, i ? ", " : ", sorted by ");
        taco__describe_name(
            o, taco__schema_path(m, m->leaves[g->sort[i].leaf].element, text, sizeof text));
        taco__describe_text(o, g->sort[i].descending ? " desc" : "");
    }
}

/* Appends the footer as lines: the file, then each row group and its column chunks. False on
   failure. */
TACO__FN bool taco__footer_text_append(const taco__pq_metadata *m, taco__buf *out, taco_error *err)
{
    char text[TACO__FOOTER_TEXT_PATH];
    taco__describe_out o;
    size_t width = 0;
    uint32_t i, k;
    o.buf = out;
    o.err = err;
    o.ok = true;
    for (i = 0; i < m->leaf_count; i++) {
        taco_bytes path = taco__schema_path(m, m->leaves[i].element, text, sizeof text);
        width = TACO__MAX(width, TACO__MIN(path.len, (size_t)40));
    }
    taco__describe_u64(&o, m->file_size);
    taco__describe_text(&o, " bytes, footer ");
    taco__describe_u64(&o, m->footer_size);
    taco__describe_text(&o, ", ");
    taco__describe_i64(&o, m->num_rows);
    taco__describe_text(&o, " rows, ");
    taco__describe_u64(&o, m->leaf_count);
    taco__describe_text(&o, " columns, ");
    taco__describe_u64(&o, m->group_count);
    taco__describe_text(&o, " row groups\nwritten by ");
    taco__describe_name(&o, m->created_by.data ? m->created_by : taco__bytes_text("?"));
    taco__describe_text(&o, "\n");
    for (i = 0; i < m->pair_count && o.ok; i++) {
        taco__describe_text(&o, "key ");
        taco__describe_name(&o, m->pairs[i].key);
        taco__describe_text(&o, ", ");
        taco__describe_u64(&o, m->pairs[i].value.len);
        taco__describe_text(&o, " bytes\n");
    }
    for (i = 0; i < m->group_count && o.ok; i++) {
        const taco__pq_row_group *g = &m->groups[i];
        taco__describe_text(&o, "\nrow group ");
        taco__describe_u64(&o, i);
        taco__describe_text(&o, ": ");
        taco__describe_i64(&o, g->rows);
        taco__describe_text(&o, " rows, ");
        taco__describe_u64(&o, g->total_byte_size);
        taco__describe_text(&o, " bytes uncompressed");
        taco__footer_text_sorting(&o, m, g);
        taco__describe_text(&o, "\n");
        for (k = 0; k < m->leaf_count && o.ok; k++) {
            taco__footer_text_row(&o, m, &m->leaves[k], &g->chunks[k], width);
        }
    }
    return o.ok;
}

/* Appends the footer as one JSON object over several lines. False on failure. */
TACO__FN bool taco__footer_json_append(const taco__pq_metadata *m, taco__buf *out, taco_error *err)
{
    taco__describe_out o;
    uint32_t i;
    o.buf = out;
    o.err = err;
    o.ok = true;
    taco__describe_text(&o, "{");
    taco__footer_json_u64(&o, "file_size", m->file_size);
    taco__footer_json_u64(&o, "footer_offset", m->footer_offset);
    taco__footer_json_u64(&o, "footer_size", m->footer_size);
    taco__footer_json_key(&o, "version");
    taco__describe_i64(&o, m->version);
    taco__footer_json_key(&o, "created_by");
    if (m->created_by.data) {
        taco__describe_json_string(&o, m->created_by);
    } else {
        taco__describe_text(&o, "null");
    }
    taco__footer_json_count(&o, "num_rows", m->num_rows);
    if (m->encryption) { taco__footer_json_u64(&o, "encryption_algorithm", m->encryption); }
    taco__footer_json_key_values(&o, m);
    taco__footer_json_key(&o, "columns");
    taco__describe_text(&o, "[");
    for (i = 0; i < m->leaf_count && o.ok; i++) {
        taco__describe_text(&o, i ? ",\n " : "\n ");
        taco__footer_json_leaf(&o, m, &m->leaves[i]);
    }
    taco__describe_text(&o, "]");
    taco__footer_json_key(&o, "row_groups");
    taco__describe_text(&o, "[");
    for (i = 0; i < m->group_count && o.ok; i++) {
        taco__describe_text(&o, i ? ",\n " : "\n ");
        taco__footer_json_group(&o, m, &m->groups[i]);
    }
    taco__describe_text(&o, "]}\n");
    return o.ok;
}
