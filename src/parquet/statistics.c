/* statistics.c - what minimum, maximum and counts prove about values

   In: Statistics of a chunk or page header, or an entry of a column index; out: taco__pq_bounds
   that may be relied on, for filters to prune by. Spec: parquet.thrift "Statistics", "ColumnOrder".

   Not all statistics can be trusted: there are bounds in the wrong order, from old writers or for
   types without an agreed order; NaN as a bound; truncated bytes. taco__stats_bounds is the only
   place that decides what to believe. Bounds are compared as PLAIN bytes (taco__stats_compare),
   without conversion to typed values. */
#include "parquet.h"
#include "../base/base.h"

TACO__FN void taco__stats_parse(taco__thrift *t, unsigned type, taco__pq_statistics *s)
{
    taco__thrift_field f;
    taco_bytes old_min, old_max;
    if (!TACO__WITH_PRUNING) { /* leave them absent */
        taco__thrift_skip(t, type);
        return;
    }
    old_min = old_max = taco__bytes_of(NULL, 0);
    memset(s, 0, sizeof *s);
    s->null_count = s->distinct_count = s->nan_count = -1;
    s->present = true;
    if (taco__thrift_begin_struct(t, type, &f)) {
        while (taco__thrift_next(t, &f)) {
            switch (f.id) {
            case 1: old_max = taco__thrift_binary(t, f.type); break;
            case 2: old_min = taco__thrift_binary(t, f.type); break;
            case 3: s->null_count = taco__thrift_i64(t, f.type); break;
            case 4: s->distinct_count = taco__thrift_i64(t, f.type); break;
            case 5: s->max = taco__thrift_binary(t, f.type); break;
            case 6: s->min = taco__thrift_binary(t, f.type); break;
            case 7: s->max_exact = taco__thrift_bool(t, f.type); break;
            case 8: s->min_exact = taco__thrift_bool(t, f.type); break;
            case 9: s->nan_count = taco__thrift_i64(t, f.type); break;
            default: taco__thrift_skip(t, f.type); break;
            }
        }
    }
    if (!s->min.data && !s->max.data && (old_min.data || old_max.data)) {
        s->min = old_min;
        s->max = old_max;
        s->deprecated = true;
    }
}

TACO__FN void taco__stats_drop_impossible(taco__pq_statistics *s, int64_t num_values)
{
    if (!TACO__WITH_PRUNING) {
        s->null_count = s->nan_count = s->distinct_count = -1;
        return;
    }
    if (s->present && s->null_count > num_values) { s->denied = "more nulls than values"; }
    if (s->present && num_values > 0 && s->null_count == num_values && s->min.data && s->max.data) {
        s->denied = "bounds, but nothing but nulls";
    }
    if (!s->present || s->null_count < 0 || s->null_count > num_values) { s->null_count = -1; }
    if (!s->present || s->nan_count < 0 || s->nan_count > num_values) { s->nan_count = -1; }
    if (!s->present || s->distinct_count < 0 || s->distinct_count > num_values) {
        s->distinct_count = -1;
    }
}

/* Whether the values of an annotation are ordered as their bytes are. */
static bool taco__stats_is_of_bytes(unsigned logical)
{
    return logical == TACO__PQ_LOGICAL_NONE || logical == TACO__PQ_LOGICAL_BSON ||
           logical == TACO__PQ_LOGICAL_STRING || logical == TACO__PQ_LOGICAL_ENUM ||
           logical == TACO__PQ_LOGICAL_JSON;
}

TACO__FN taco__stats_order taco__stats_order_of(const taco__pq_leaf *leaf)
{
    taco__pq_schema_element a;
    unsigned logical = taco__schema_annotation(leaf->element, &a);
    /* an annotation that was ignored may have its own order */
    bool plain = logical != TACO__PQ_LOGICAL_OTHER && logical != TACO__PQ_LOGICAL_NULL &&
                 (logical != TACO__PQ_LOGICAL_INTEGER || a.is_signed);
    switch (leaf->field->type) {
    case TACO_BOOL:
    case TACO_INT8:
    case TACO_INT16:
    case TACO_INT32:
    case TACO_INT64:
    case TACO_DATE:
    case TACO_TIME:
    case TACO_TIMESTAMP: return plain ? TACO__STATS_SIGNED : TACO__STATS_UNORDERED;
    case TACO_UINT8:
    case TACO_UINT16:
    case TACO_UINT32:
    case TACO_UINT64: return TACO__STATS_UNSIGNED;
    case TACO_HALF:
    case TACO_FLOAT:
    case TACO_DOUBLE: return plain ? TACO__STATS_FLOATS : TACO__STATS_UNORDERED;
    case TACO_DECIMAL:
        return leaf->type == TACO__PQ_INT32 || leaf->type == TACO__PQ_INT64 ? TACO__STATS_SIGNED
                                                                            : TACO__STATS_DECIMALS;
    case TACO_TEXT:
    case TACO_UUID: return TACO__STATS_BYTES;
    case TACO_BINARY:
    case TACO_FIXED:
        return taco__stats_is_of_bytes(logical) ? TACO__STATS_BYTES : TACO__STATS_UNORDERED;
    default: return TACO__STATS_UNORDERED;
    }
}

/* Compares big-endian two's complement numbers of any length but 0, both sign-extended to the
   longer one's length. */
static int taco__stats_compare_decimal(taco_bytes a, taco_bytes b)
{
    bool minus = a.data[0] >> 7 != 0;
    size_t n = TACO__MAX(a.len, b.len), i;
    if (minus != (b.data[0] >> 7 != 0)) { return minus ? -1 : 1; }
    for (i = 0; i < n; i++) {
        uint8_t fill = (uint8_t)(minus ? 0xFF : 0);
        uint8_t x = i < n - a.len ? fill : a.data[i - (n - a.len)];
        uint8_t y = i < n - b.len ? fill : b.data[i - (n - b.len)];
        if (x != y) { return x < y ? -1 : 1; }
    }
    return 0;
}

TACO__FN int taco__stats_compare(taco__stats_order order, taco_bytes a, taco_bytes b)
{
    int64_t x = 0, y = 0;
    switch (order) {
    case TACO__STATS_BYTES: return taco__bytes_compare(a, b);
    case TACO__STATS_DECIMALS: return taco__stats_compare_decimal(a, b);
    case TACO__STATS_UNSIGNED: {
        uint64_t u = (uint64_t)taco__stats_integer(a),
                 v = (uint64_t)taco__stats_integer(b); /* sign extension preserves the order */
        return (u > v) - (u < v);
    }
    case TACO__STATS_FLOATS:
        taco__stats_float_order(a, &x);
        taco__stats_float_order(b, &y);
        break;
    default:
        x = taco__stats_integer(a);
        y = taco__stats_integer(b);
        break;
    }
    return (x > y) - (x < y);
}

static const uint8_t taco__stats_widths[6] = {1, 4, 8, 12, 4, 8}; /* by physical type */

/* True if b can be a value of the leaf: checks length, NaN, and the width that the annotation
   narrows it to. */
static bool taco__stats_is_valid(const taco__pq_leaf *leaf, taco_bytes b)
{
    int64_t x;
    if (!b.data) { return false; }
    if (leaf->type == TACO__PQ_BYTE_ARRAY) {
        return b.len > 0 || leaf->field->type != TACO_DECIMAL;
    }
    if (leaf->type == TACO__PQ_FIXED) { /* bounds in bytewise order may be truncated */
        return leaf->field->type == TACO_FIXED
                   ? b.len <= (size_t)leaf->type_length
                   : b.len == (size_t)leaf->type_length &&
                         (leaf->field->type != TACO_HALF || taco__stats_float_order(b, &x));
    }
    if (b.len != taco__stats_widths[leaf->type]) { return false; }
    /* values are read modulo the narrow width, which their bounds would not reflect */
    switch (leaf->field->type) {
    case TACO_BOOL: return b.data[0] <= 1;
    case TACO_INT8: x = taco__stats_integer(b); return x >= INT8_MIN && x <= INT8_MAX;
    case TACO_INT16: x = taco__stats_integer(b); return x >= INT16_MIN && x <= INT16_MAX;
    case TACO_UINT8: x = taco__stats_integer(b); return x >= 0 && x <= UINT8_MAX;
    case TACO_UINT16: x = taco__stats_integer(b); return x >= 0 && x <= UINT16_MAX;
    case TACO_FLOAT:
    case TACO_DOUBLE: return taco__stats_float_order(b, &x);
    default: return true;
    }
}

/* parquet.thrift, ColumnOrder: a minimum of +0 may mean -0 as well, and a maximum of -0 may mean
   +0. */
static void taco__stats_widen_zero(taco__pq_bounds *b)
{
    static const uint8_t plus[8] = {0, 0, 0, 0, 0, 0, 0, 0}, minus[8] = {0, 0, 0, 0, 0, 0, 0, 0x80};
    int64_t x;
    if (b->min.data && taco__stats_float_order(b->min, &x) && x == 0) {
        b->min.data = minus + 8 - b->min.len;
    }
    if (b->max.data && taco__stats_float_order(b->max, &x) && x == 0) { b->max.data = plus; }
}

/* Whether the bounds were made in the order of the type (parquet.thrift, ColumnOrder). The
   deprecated fields are always in signed order, and for byte arrays simply wrong in old files; if
   no order is given, it can only be the obvious one for signed types. */
static bool taco__stats_is_trusted(const taco__pq_metadata *m, const taco__pq_leaf *leaf,
                                   taco__stats_order order, const taco__pq_statistics *s)
{
    /* min equals max: any order agrees */
    bool same = s->min.data && s->max.data && taco__bytes_equal(s->min, s->max);
    if (order == TACO__STATS_UNORDERED || (order == TACO__STATS_DECIMALS && m->distrust_decimal)) {
        return false;
    }
    if (s->deprecated) {
        if (order == TACO__STATS_BYTES || order == TACO__STATS_DECIMALS) {
            return same && !m->distrust_binary;
        }
        return leaf->type != TACO__PQ_FIXED && (order != TACO__STATS_UNSIGNED || same);
    }
    switch (leaf->order) {
    case TACO__PQ_ORDER_TYPE: return true;
    case TACO__PQ_ORDER_IEEE754: return order == TACO__STATS_FLOATS;
    case TACO__PQ_ORDER_NONE:
        return same || order == TACO__STATS_SIGNED ||
               (order == TACO__STATS_FLOATS && leaf->type != TACO__PQ_FIXED);
    default: return false;
    }
}

TACO__FN const char *taco__stats_contradiction(const taco__pq_metadata *m,
                                               const taco__pq_leaf *leaf,
                                               const taco__pq_statistics *s)
{
    taco__stats_order order = taco__stats_order_of(leaf);
    bool sized = leaf->type != TACO__PQ_BYTE_ARRAY && leaf->type != TACO__PQ_FIXED;
    size_t width = (size_t)(sized ? taco__stats_widths[leaf->type] : 0);
    if (!s->present) { return NULL; }
    if (s->denied) { return s->denied; }
    if (leaf->max_def == 0 && s->null_count > 0) { return "nulls, but is required"; }
    if (sized && ((s->min.data && s->min.len != width) || (s->max.data && s->max.len != width))) {
        return "a bound of another length than its type";
    }
    return s->min.data && s->max.data && taco__stats_is_trusted(m, leaf, order, s) &&
                   taco__stats_is_valid(leaf, s->min) && taco__stats_is_valid(leaf, s->max) &&
                   taco__stats_compare(order, s->min, s->max) > 0
               ? "a minimum above its maximum"
               : NULL;
}

TACO__FN void taco__stats_bounds(const taco__pq_metadata *m, const taco__pq_leaf *leaf,
                                 const taco__pq_statistics *s, taco__pq_bounds *out)
{
    taco__stats_order order = taco__stats_order_of(leaf);
    memset(out, 0, sizeof *out);
    out->null_count = out->nan_count = -1;
    /* what another part of the file denies proves nothing */
    if (!s->present || s->denied || (leaf->max_def == 0 && s->null_count > 0)) { return; }
    out->null_count = s->null_count;
    out->nan_count = s->nan_count;
    if (!taco__stats_is_trusted(m, leaf, order, s)) { return; }
    if ((s->min.data && !taco__stats_is_valid(leaf, s->min)) ||
        (s->max.data && !taco__stats_is_valid(leaf, s->max))) {
        return;
    }
    if (s->min.data && s->max.data && taco__stats_compare(order, s->min, s->max) > 0) { return; }
    out->min = s->min;
    out->max = s->max;
    out->min_exact = s->min_exact;
    out->max_exact = s->max_exact;
    if (order == TACO__STATS_FLOATS) { taco__stats_widen_zero(out); }
}

TACO__FN taco__pq_statistics taco__stats_of_page(const taco__pq_column_index *ix, size_t i)
{
    taco__pq_statistics s;
    memset(&s, 0, sizeof s);
    s.present = true;
    s.null_count = ix->null_counts ? ix->null_counts[i] : -1;
    s.nan_count = ix->nan_counts ? ix->nan_counts[i] : -1;
    if (!ix->null_pages[i]) {
        s.min = ix->min[i];
        s.max = ix->max[i];
    }
    return s;
}

TACO__FN void taco__stats_page_bounds(const taco__pq_metadata *m, const taco__pq_leaf *leaf,
                                      const taco__pq_column_index *ix, size_t i,
                                      taco__pq_bounds *out)
{
    taco__pq_statistics s = taco__stats_of_page(ix, i);
    taco__stats_bounds(m, leaf, &s, out);
}
