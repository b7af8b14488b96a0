/* footer.c - the footer: row groups, key-value metadata, known writer bugs

   In: the bytes of FileMetaData; out: a taco__pq_metadata in which every number is validated, so
   that readers need not check again. Spec: parquet.thrift "FileMetaData", "RowGroup".

   taco__footer_parse is the entry. The schema is parsed in schema.c, column chunks in
   column_metadata.c; all three work on one taco__footer_parser, whose first failure stays. */
#include "parquet.h"
#include "../base/base.h"

TACO__FN TACO__COLD void taco__footer_prefix_error(const taco__pq_metadata *m, taco_error *err,
                                                   size_t group, size_t leaf)
{
    char text[80];
    taco_bytes path = taco__schema_path(m, m->leaves[leaf].element, text, sizeof text);
    taco__error_prefix(err, "row group %u, column %q", TACO__U(group), &path);
}

/* ---- row groups ---- */

/* RowGroup.columns: one chunk for each leaf, in the order of the schema. */
static bool taco__footer_parse_chunks(taco__footer_parser *j, unsigned type, size_t number,
                                      taco__pq_row_group *g)
{
    taco__thrift *t = &j->t;
    taco__pq_metadata *m = j->out;
    uint64_t at = taco__thrift_at(t);
    size_t n = taco__thrift_begin_structs(t, type, 5), i;
    if (!taco__thrift_ok(t)) { return false; }
    if (n != m->leaf_count || g->chunks) {
        return TACO__THRIFT_FAIL(
            t, at, "row group %u has %s%u column chunks, the schema has %u columns",
            TACO__U(number), g->chunks ? "again " : "", TACO__U(n), TACO__U(m->leaf_count));
    }
    g->chunks = (taco__pq_column_chunk *)taco__thrift_alloc(t, j->arena, n, sizeof *g->chunks);
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        if (!taco__column_meta_parse(j, &m->leaves[i], &g->chunks[i])) {
            taco__footer_prefix_error(m, t->err, number, i);
        }
    }
    return taco__thrift_ok(t);
}

/* RowGroup.sorting_columns: only a hint, so impossible entries are dropped. */
static void taco__footer_parse_sorting(taco__footer_parser *j, unsigned type, taco__pq_row_group *g)
{
    taco__thrift *t = &j->t;
    size_t n = taco__thrift_begin_structs(t, type, 1);
    g->sort = (taco__pq_sorting_column *)taco__thrift_alloc(t, j->arena, n, sizeof *g->sort);
    g->sort_count = 0;
    for (; n && taco__thrift_ok(t); n--) {
        taco__thrift_field f;
        int64_t leaf = -1;
        bool descending = false, nulls_first = false;
        taco__thrift_begin(t, &f);
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: leaf = taco__thrift_i64(t, f.type); break;
            case 2: descending = taco__thrift_bool(t, f.type); break;
            case 3: nulls_first = taco__thrift_bool(t, f.type); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
        if (leaf >= 0 && leaf < j->out->leaf_count) {
            taco__pq_sorting_column *s = &g->sort[g->sort_count++];
            s->leaf = (uint32_t)leaf;
            s->descending = descending;
            s->nulls_first = nulls_first;
        }
    }
}

/* num_rows and columns are required; chunks are validated here, where the number of rows is
   known. */
static bool taco__footer_check_group(taco__footer_parser *j, size_t number, taco__pq_row_group *g)
{
    uint32_t i;
    if (g->rows < 0 || (!g->chunks && j->out->leaf_count)) {
        return TACO__THRIFT_FAIL(&j->t, g->at, "row group %u has no %s", TACO__U(number),
                                 g->rows < 0 ? "num_rows" : "columns");
    }
    for (i = 0; i < j->out->leaf_count; i++) {
        if (!taco__column_meta_check(j, &j->out->leaves[i], g->rows, &g->chunks[i])) {
            taco__footer_prefix_error(j->out, j->t.err, number, i);
            return false;
        }
    }
    return true;
}

/* RowGroup `number`, with its chunks. */
static bool taco__footer_parse_group(taco__footer_parser *j, size_t number, taco__pq_row_group *g)
{
    taco__thrift *t = &j->t;
    taco__thrift_field f;
    g->at = taco__thrift_at(t);
    g->rows = g->file_offset = g->total_compressed_size = g->ordinal = -1;
    if (taco__thrift_begin(t, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: taco__footer_parse_chunks(j, f.type, number, g); break;
            case 2: g->total_byte_size = (uint64_t)taco__thrift_i64(t, f.type); break;
            case 3: g->rows = taco__thrift_count(t, f.type, "num_rows of a row group"); break;
            case 4: taco__footer_parse_sorting(j, f.type, g); break;
            case 5: g->file_offset = taco__thrift_i64(t, f.type); break;
            case 6: g->total_compressed_size = taco__thrift_i64(t, f.type); break;
            case 7: g->ordinal = taco__thrift_i64(t, f.type); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
    return taco__thrift_ok(t) && taco__footer_check_group(j, number, g);
}

/* FileMetaData.row_groups. The number of rows is their sum, because some writers leave num_rows
   0. */
static bool taco__footer_parse_groups(taco__footer_parser *j, unsigned type)
{
    taco__thrift *t = &j->t;
    taco__pq_metadata *m = j->out;
    uint64_t at = taco__thrift_at(t);
    /* at least num_rows with two bytes, and a stop */
    size_t n = taco__thrift_begin_structs(t, type, 3), i;
    int64_t rows = 0;
    if (!taco__thrift_ok(t)) { return false; }
    if (m->groups || n > UINT32_MAX) {
        return TACO__THRIFT_FAIL(t, at, "footer has a second list of row groups");
    }
    m->groups = (taco__pq_row_group *)taco__thrift_alloc(t, j->arena, n, sizeof *m->groups);
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        if (!taco__footer_parse_group(j, i, &m->groups[i])) { return false; }
        m->groups[i].first_row = rows;
        if (m->groups[i].rows > INT64_MAX - rows) {
            return TACO__THRIFT_FAIL(t, m->groups[i].at, "row groups have more than 2^63 rows");
        }
        rows += m->groups[i].rows;
    }
    m->group_count = (uint32_t)n;
    m->num_rows = rows;
    return taco__thrift_ok(t);
}

/* ---- other metadata ---- */

/* FileMetaData.key_value_metadata; keys may repeat. */
static void taco__footer_parse_key_values(taco__footer_parser *j, unsigned type)
{
    taco__thrift *t = &j->t;
    taco__pq_metadata *m = j->out;
    size_t n = taco__thrift_begin_structs(t, type, 1), i;
    m->pairs = (taco__key_value *)taco__thrift_alloc(t, j->arena, n, sizeof *m->pairs);
    m->pair_count = (uint32_t)n;
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        taco__thrift_field f;
        taco__thrift_begin(t, &f);
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: m->pairs[i].key = taco__thrift_binary(t, f.type); break;
            case 2: m->pairs[i].value = taco__thrift_binary(t, f.type); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
}

/* FileMetaData.column_orders, one per leaf. A list of another length is ignored. */
static void taco__footer_parse_orders(taco__footer_parser *j, unsigned type)
{
    taco__thrift *t = &j->t;
    size_t n = taco__thrift_begin_structs(t, type, 1), i;
    j->out->has_orders = n == j->out->leaf_count;
    for (i = 0; i < n && taco__thrift_ok(t); i++) {
        taco__thrift_field f;
        uint8_t order = TACO__PQ_ORDER_OTHER;
        taco__thrift_begin(t, &f);
        while (taco__thrift_next(t, &f)) {
            order = f.id >= TACO__PQ_ORDER_TYPE && f.id <= TACO__PQ_ORDER_INT96
                        ? (uint8_t)f.id
                        : (uint8_t)TACO__PQ_ORDER_OTHER;
            taco__thrift_skip(t, f.type);
        }
        if (j->out->has_orders) { j->out->leaves[i].order = order; }
    }
}

/* EncryptionAlgorithm: only the union's member matters; 255 if it is unknown. */
static void taco__footer_parse_encryption(taco__footer_parser *j, unsigned type)
{
    taco__thrift_field f;
    j->out->encryption = 255;
    if (taco__thrift_begin_struct(&j->t, type, &f)) {
        while (taco__thrift_next(&j->t, &f)) {
            j->out->encryption = (uint8_t)(f.id > 0 && f.id < 255 ? f.id : 255);
            taco__thrift_skip(&j->t, f.type);
        }
    }
}

/* The numbers of " version 1.6.0 (build ...)" in v, as far as they are given; the others stay. */
static void taco__footer_parse_version(taco_bytes text, uint32_t v[3])
{
    size_t at = 9, i;
    if (!taco__bytes_starts_with(text, " version ")) { return; }
    for (i = 0; i < 3; i++) {
        for (; at < text.len && taco__ascii_is_digit(text.data[at]) && v[i] < 100000; at++) {
            v[i] = v[i] * 10 + (uint32_t)(text.data[at] - '0');
        }
        if (at >= text.len || text.data[at] != '.') { break; }
        at++;
    }
}

/* True if created_by names `app` with a version before `below`. A missing version counts as
   0.0.0. */
static bool taco__footer_writer_is_older(taco_bytes created_by, const char *app,
                                         const unsigned below[3])
{
    size_t n = strlen(app), i;
    uint32_t v[3] = {0, 0, 0};
    if (!taco__bytes_starts_with(created_by, app) ||
        (created_by.len > n && created_by.data[n] != ' ')) {
        return false;
    }
    taco__footer_parse_version(taco__bytes_of(created_by.data + n, created_by.len - n), v);
    for (i = 0; i < 3; i++) {
        if (v[i] != below[i]) { return v[i] < below[i]; }
    }
    return false;
}

/* Flags the bugs of known writers that could have affected this file: see taco__pq_metadata. */
static void taco__footer_set_writer_bugs(taco__pq_metadata *m)
{
    static const unsigned mr_binary[3] = {1, 8, 0}, cpp_flag[3] = {2, 0, 0}, any[3] = {99999, 0, 0};
    if (TACO__WITH_PRUNING) { /* only bounds are affected */
        m->distrust_binary = m->created_by.len == 0 ||
                             taco__footer_writer_is_older(m->created_by, "parquet-mr", mr_binary);
        m->distrust_decimal = taco__footer_writer_is_older(m->created_by, "parquet-cpp", any);
    }
    m->always_compressed = taco__footer_writer_is_older(m->created_by, "parquet-cpp", cpp_flag);
}

/* Whether the statistics of a leaf, whose annotation says that all values are null, count fewer
   nulls than values. */
static bool taco__footer_denies_nulls(const taco__pq_metadata *m, uint32_t leaf)
{
    uint32_t i;
    for (i = 0; i < m->group_count; i++) {
        const taco__pq_column_chunk *c = &m->groups[i].chunks[leaf];
        if (c->stats.null_count >= 0 && c->stats.null_count < c->num_values) { return true; }
    }
    return false;
}

/* UNKNOWN loses to statistics: nulls would be lost values. Where there are none, a value is an
   error when it is read (taco__page_decode_values). */
static void taco__footer_check_unknown(taco__pq_metadata *m)
{
    uint32_t i;
    for (i = 0; i < m->leaf_count; i++) {
        taco__pq_leaf *leaf = &m->leaves[i];
        if (leaf->field->type == TACO_NULL && taco__footer_denies_nulls(m, i)) {
            taco__schema_types_drop_unknown(leaf->field, leaf->element);
        }
    }
}

/* FileMetaData. Row groups and column orders need the schema, which precedes them in every file we
   know; row groups before it, and orders in any case, are read in a second pass. */
static bool taco__footer_parse_metadata(taco__footer_parser *j)
{
    taco__thrift *t = &j->t;
    taco__pq_metadata *m = j->out;
    taco__thrift_field f;
    taco__byte_reader groups = t->cur, orders = t->cur;
    uint8_t groups_type = 0, orders_type = 0;
    if (taco__thrift_begin(t, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: m->version = taco__thrift_i32(t, f.type); break;
            case 2: taco__schema_parse(j, f.type); break;
            case 3: m->claimed_rows = taco__thrift_i64(t, f.type); break;
            case 4:
                groups = t->cur;
                groups_type = f.type;
                if (j->has_schema) {
                    taco__footer_parse_groups(j, f.type);
                } else {
                    taco__thrift_skip(t, f.type);
                }
                break;
            case 5: taco__footer_parse_key_values(j, f.type); break;
            case 6: m->created_by = taco__thrift_binary(t, f.type); break;
            case 7:
                orders = t->cur;
                orders_type = f.type;
                taco__thrift_skip(t, f.type);
                break;
            case 8: taco__footer_parse_encryption(j, f.type); break;
            case 9: m->signing_key = taco__thrift_binary(t, f.type); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
    if (!taco__thrift_ok(t)) { return false; }
    if (!j->has_schema || !groups_type) {
        return TACO__THRIFT_FAIL(t, t->base, "footer has no %s",
                                 j->has_schema ? "row groups" : "schema");
    }
    if (!m->groups) {
        t->cur = groups;
        taco__footer_parse_groups(j, groups_type);
    }
    if (orders_type && taco__thrift_ok(t)) {
        t->cur = orders;
        taco__footer_parse_orders(j, orders_type);
    }
    return taco__thrift_ok(t);
}

TACO__FN taco_status taco__footer_parse(taco__arena *arena, taco_bytes footer, uint64_t file_size,
                                        uint64_t footer_offset, const taco_limits *limits,
                                        taco__pq_metadata *out, taco_error *err)
{
    taco__footer_parser j;
    memset(&j, 0, sizeof j);
    memset(out, 0, sizeof *out);
    taco__thrift_init(&j.t, footer, footer_offset, "footer", false, err);
    j.arena = arena;
    j.limits = limits;
    j.out = out;
    out->file_size = file_size;
    out->footer_offset = footer_offset;
    out->footer_size = footer.len;
    if (taco__footer_parse_metadata(&j)) {
        taco__footer_set_writer_bugs(out);
        taco__footer_check_unknown(out);
    }
    return j.t.status;
}

TACO__FN uint32_t taco__footer_find_row_group(const taco__pq_metadata *m, uint64_t row)
{
    size_t i = 0;
    TACO__LOWER_BOUND(i, m->group_count, k,
                      (uint64_t)m->groups[k].first_row + (uint64_t)m->groups[k].rows <= row);
    return (uint32_t)i;
}
