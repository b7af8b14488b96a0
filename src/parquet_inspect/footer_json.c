/* footer_json.c - a footer as one JSON object: schema, row groups, chunks

   In: the metadata of an open file; out: taco_pq_meta_json, for tools. Keys are those of
   parquet.thrift; what is not known is left out. Statistics are printed as they are stored, with
   "usable" saying whether taco__stats_bounds believes them. Start with taco__footer_json_append.

     {"file_size": n, "footer_offset": n, "footer_size": n, "version": n, "created_by": text,
      "num_rows": n, "key_value_metadata": [{"key": text, "value": text}],
      "columns":    [{"path": text, "type": text, "annotation": text, ...}],
      "row_groups": [{"num_rows": n, ..., "columns": [{"path": text, "codec": text, ...}]}]}

   Functions append one member each and know by the last byte whether a comma goes before it: no
   state travels between them. After a failure they append nothing, and loops end. */
#include "inspect.h"
#include "../base/base.h"

/* `"key":`, after a comma unless it is the first of its object. */
static void taco__footer_json_key(taco__describe_out *o, const char *key)
{
    if (o->ok && o->buf->len && o->buf->data[o->buf->len - 1] != '{') {
        taco__describe_text(o, ",");
    }
    taco__describe_text(o, "\"");
    taco__describe_text(o, key);
    taco__describe_text(o, "\":");
}

/* A number of up to 64 bits: readers that hold numbers as doubles lose digits above 2^53. */
static void taco__footer_json_u64(taco__describe_out *o, const char *key, uint64_t x)
{
    taco__footer_json_key(o, key);
    taco__describe_u64(o, x);
}

/* A number that is left out when it is not known. */
static void taco__footer_json_count(taco__describe_out *o, const char *key, int64_t x)
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

/* A word that needs no escapes. */
static void taco__footer_json_word(taco__describe_out *o, const char *key, const char *word)
{
    taco__footer_json_key(o, key);
    taco__describe_text(o, "\"");
    taco__describe_text(o, word);
    taco__describe_text(o, "\"");
}

/* {"offset":4,"size":52}; nothing where there is no range, no size where it is not known. */
static void taco__footer_json_range(taco__describe_out *o, const char *key, const taco__range *r)
{
    if (r->len == 0) { return; }
    taco__footer_json_key(o, key);
    taco__describe_text(o, "{");
    taco__footer_json_u64(o, "offset", r->offset);
    if (r->len != UINT64_MAX) { taco__footer_json_u64(o, "size", r->len); }
    taco__describe_text(o, "}");
}

/* The path from the root to a leaf, joined with dots and cut to TACO__DESCRIBE_PATH bytes. */
static void taco__footer_json_path(taco__describe_out *o, const taco__pq_metadata *m,
                                   const taco__pq_leaf *leaf)
{
    char text[TACO__DESCRIBE_PATH];
    taco__footer_json_key(o, "path");
    taco__describe_json_string(o, taco__schema_path(m, leaf->element, text, sizeof text));
}

/* Bounds and counts as they are stored; "usable" where filters may rely on a bound. */
static void taco__footer_json_statistics(taco__describe_out *o, const taco__pq_metadata *m,
                                         const taco__pq_leaf *leaf, const taco__pq_statistics *s)
{
    taco__pq_bounds bounds;
    if (!s->present) { return; }
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

/* Names of the bits that are set; bit 31, for all above 30, is 31. */
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
            taco__describe_encoding(o, i);
            taco__describe_text(o, "\"");
            comma = ",";
        }
    }
    taco__describe_text(o, "]");
}

/* [xmin, ymin, xmax, ymax], the order of GeoJSON. */
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

/* What ColumnMetaData says; "pages" and the other ranges are those that were proven. */
static void taco__footer_json_chunk_meta(taco__describe_out *o, const taco__pq_metadata *m,
                                         const taco__pq_leaf *leaf, const taco__pq_column_chunk *c)
{
    taco__footer_json_key(o, "codec");
    taco__describe_text(o, "\"");
    taco__describe_codec(o, c->codec);
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

/* ColumnChunk. One that is encrypted, or in another file, may come without ColumnMetaData. */
static void taco__footer_json_chunk(taco__describe_out *o, const taco__pq_metadata *m,
                                    const taco__pq_leaf *leaf, const taco__pq_column_chunk *c)
{
    taco__describe_text(o, "{");
    taco__footer_json_path(o, m, leaf);
    if (c->encrypted) { taco__footer_json_bool(o, "encrypted", true); }
    if (c->file_path.len) {
        taco__footer_json_key(o, "file_path");
        taco__describe_json_string(o, c->file_path);
    }
    if (c->has_meta) { taco__footer_json_chunk_meta(o, m, leaf, c); }
    taco__describe_text(o, "}");
}

/* RowGroup.sorting_columns: leaves by number, in the order of the keys. */
static void taco__footer_json_sorting(taco__describe_out *o, const taco__pq_row_group *g)
{
    uint32_t i;
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

/* RowGroup. first_row is ours: the rows of the row groups before it. */
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
    if (g->sort_count) { taco__footer_json_sorting(o, g); }
    taco__footer_json_key(o, "columns");
    taco__describe_text(o, "[");
    for (i = 0; i < m->leaf_count && o->ok; i++) {
        taco__describe_text(o, i ? ",\n  " : "\n  ");
        taco__footer_json_chunk(o, m, &m->leaves[i], &g->chunks[i]);
    }
    taco__describe_text(o, "]}");
}

/* The annotation as the schema's text has it. A CRS in it is free text: what JSON would escape
   becomes a question mark. */
static void taco__footer_json_annotation(taco__describe_out *o, const taco__pq_schema_element *e)
{
    taco__pq_schema_element a;
    size_t at;
    if (taco__schema_annotation(e, &a) == TACO__PQ_LOGICAL_NONE) { return; }
    taco__footer_json_key(o, "annotation");
    taco__describe_text(o, "\"");
    at = o->buf->len;
    taco__schema_text_annotation(o, e);
    for (; o->ok && at < o->buf->len; at++) {
        uint8_t *c = &o->buf->data[at];
        *c = *c == '"' || *c == '\\' ? (uint8_t)'?' : *c;
    }
    taco__describe_text(o, "\"");
}

/* A leaf of the schema, with the levels that its nesting gives it, and ColumnOrder where the file
   says which order its statistics have. */
static void taco__footer_json_leaf(taco__describe_out *o, const taco__pq_metadata *m,
                                   const taco__pq_leaf *leaf)
{
    static const char *const orders[4] = {NULL, "TYPE_ORDER", "IEEE_754_TOTAL_ORDER",
                                          "INT96_TIMESTAMP_ORDER"};
    taco__describe_text(o, "{");
    taco__footer_json_path(o, m, leaf);
    taco__footer_json_key(o, "type");
    taco__describe_text(o, "\"");
    taco__describe_physical(o, leaf->type);
    taco__describe_text(o, "\"");
    if (leaf->type == TACO__PQ_FIXED) {
        taco__footer_json_u64(o, "type_length", (uint64_t)leaf->type_length);
    }
    taco__footer_json_annotation(o, leaf->element);
    taco__footer_json_count(o, "max_definition_level", leaf->max_def);
    taco__footer_json_count(o, "max_repetition_level", leaf->max_rep);
    if (leaf->order < TACO__COUNT(orders) && orders[leaf->order]) {
        taco__footer_json_word(o, "column_order", orders[leaf->order]);
    }
    taco__describe_text(o, "}");
}

/* KeyValue pairs in file order, keys that occur twice included. A value that is absent is left out,
   an empty one is "". */
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

TACO__FN bool taco__footer_json_append(const taco__pq_metadata *m, taco__buf *out, taco_error *err)
{
    taco__describe_out o = taco__describe_out_init(out, err);
    uint32_t i;
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

TACO_API taco_bytes taco_pq_meta_json(taco_pq_file *f, taco_error *err)
{
    err = taco__error_fresh(err, NULL);
    if (!f) { return taco__bytes_of(NULL, 0); }
    f->json.len = 0;
    return taco__footer_json_append(&f->meta, &f->json, err)
               ? taco__bytes_of(f->json.data, f->json.len)
               : taco__bytes_of(NULL, 0);
}
