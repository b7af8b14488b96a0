/* verify_values.c - values against the bounds and the bloom filter of a file

   In: the values that a chunk reader has in its batch; out: warnings, one for each claim that a
   value contradicts. Bounds and filters are of PLAIN bytes (parquet.thrift "Statistics",
   BloomFilter.md), so that values go back from memory form to those: taco__verify_values_encode. */
#include "verify.h"
#include "../base/base.h"
#include "../arrow/arrow.h"

/* Text i of the batch, from the dictionary where the batch holds indices. */
static taco_bytes taco__verify_values_text(const taco__chunk_reader *r, size_t i)
{
    const taco__values *s = &r->batch.values;
    const int32_t *offsets;
    if (s->is_indices) {
        i = (size_t)(uint32_t)((const int32_t *)(const void *)s->fixed.data)[i];
        s = &r->dict.values;
    }
    offsets = (const int32_t *)(const void *)s->offsets.data + i;
    return taco__bytes_of(s->bytes.data + offsets[0], (size_t)(offsets[1] - offsets[0]));
}

/* A decimal of width bytes at p, little-endian and sign-extended in memory: PLAIN has the low bytes
   of INT32 and INT64 as they are, others big-endian. */
static taco_bytes taco__verify_values_decimal(const taco__pq_leaf *leaf, const uint8_t *p,
                                              uint8_t *scratch)
{
    size_t i, width = (size_t)leaf->field->width;
    if (leaf->type == TACO__PQ_INT32) { return taco__bytes_of(p, 4); }
    if (leaf->type == TACO__PQ_INT64) { return taco__bytes_of(p, 8); }
    for (i = 0; i < width; i++) {
        scratch[i] = p[width - 1 - i];
    }
    return taco__bytes_of(scratch, width);
}

/* A native number of 1, 2, 4 or 8 bytes at p, little-endian in the width of its physical type. */
static taco_bytes taco__verify_values_number(taco_type type, size_t width, const uint8_t *p,
                                             uint8_t *scratch)
{
    uint16_t x16;
    uint32_t x = 0;
    uint64_t x64;
    switch (width) {
    case 1: x = type == TACO_INT8 ? (uint32_t)(int32_t)(int8_t)p[0] : p[0]; break;
    case 2:
        memcpy(&x16, p, 2);
        x = type == TACO_INT16 ? (uint32_t)(int32_t)(int16_t)x16 : x16;
        break;
    case 8:
        memcpy(&x64, p, 8);
        taco__put_le64(scratch, x64);
        return taco__bytes_of(scratch, 8);
    default: memcpy(&x, p, 4); break;
    }
    taco__put_le32(scratch, x);
    return taco__bytes_of(scratch, type == TACO_HALF ? 2 : 4);
}

/* Value i of the batch, PLAIN-encoded as bounds are; scratch has room for 32 bytes. */
static taco_bytes taco__verify_values_encode(const taco__chunk_reader *r, size_t i,
                                             uint8_t *scratch)
{
    const taco_field *f = r->field;
    const uint8_t *values = r->batch.values.fixed.data, *p;
    bool numeric;
    if (taco__array_is_var_length(f)) { return taco__verify_values_text(r, i); }
    if (f->type == TACO_BOOL) {
        scratch[0] = taco__bitmap_get(values, i);
        return taco__bytes_of(scratch, 1);
    }
    p = values + i * (size_t)f->width;
    if (f->type == TACO_DECIMAL) { return taco__verify_values_decimal(r->leaf, p, scratch); }
    taco__value_decode_width(r->leaf, &numeric);
    return numeric ? taco__verify_values_number(f->type, (size_t)f->width, p, scratch)
                   : taco__bytes_of(p, (size_t)f->width);
}

/* A value as the footer's JSON has it, without quotes, in v->text until the next call. */
static taco_bytes taco__verify_values_format(taco__verify *v, taco_bytes b)
{
    taco__describe_out o;
    size_t n;
    v->text.len = 0;
    o = taco__describe_out_init(&v->text, NULL);
    taco__describe_value(&o, v->reader.leaf, b);
    n = o.ok ? v->text.len : 0;
    return n >= 2 && v->text.data[0] == '"' ? taco__bytes_of(v->text.data + 1, n - 2)
                                            : taco__bytes_of(v->text.data, n);
}

/* Warns that value b is below (low) or above what c claims. */
static void taco__verify_values_report(taco__verify *v, taco__verify_claim *c, bool low,
                                       taco_bytes b)
{
    char value[80];
    taco_bytes is = taco__verify_values_format(v, b), claimed;
    c->reported = true;
    is.len = TACO__MIN(is.len, sizeof value);
    if (is.len) { memcpy(value, is.data, is.len); }
    is.data = (const uint8_t *)value;
    claimed = taco__verify_values_format(v, low ? c->bounds.min : c->bounds.max);
    TACO__VERIFY_WARN(v, v->reader.page.body_at, "the value %q is %s %q, the %s of its %s", &is,
                      low ? "below" : "above", &claimed, low ? "minimum" : "maximum", c->what);
}

/* The first of n values of the batch that the annotation excludes, n if none: a decimal of more
   digits (as far as 64 bits hold it), a time outside of the day, text that is not UTF-8. */
static size_t taco__verify_values_excluded(const taco__verify *v, size_t n)
{
    static const int64_t days[] = {86400, 86400000, INT64_C(86400000000), INT64_C(86400000000000)};
    const taco_field *f = v->reader.field;
    int64_t least = 0, most, x;
    uint8_t scratch[32];
    size_t i;
    int32_t k;
    if (f->type == TACO_TEXT) {
        for (i = 0; i < n; i++) {
            taco_bytes b = taco__verify_values_text(&v->reader, i);
            if (!taco__utf8_valid(b)) { return i; }
        }
        return n;
    }
    if (v->reader.leaf->type != TACO__PQ_INT32 && v->reader.leaf->type != TACO__PQ_INT64) {
        return n;
    }
    if (f->type == TACO_DECIMAL && f->precision <= 18) {
        for (most = 1, k = 0; k < f->precision; k++) {
            most *= 10;
        }
        least = 1 - most;
    } else if (f->type == TACO_TIME) {
        most = days[f->unit];
    } else {
        return n;
    }
    for (i = 0; i < n; i++) {
        x = taco__stats_integer(taco__verify_values_encode(&v->reader, i, scratch));
        if (x < least || x >= most) { return i; }
    }
    return n;
}

TACO__FN void taco__verify_values_annotation(taco__verify *v)
{
    const taco_field *f = v->reader.field;
    size_t n = v->reader.batch.values.count, i;
    uint8_t scratch[32];
    taco__pq_schema_element element;
    taco_bytes is;
    if (v->odd_value) { return; }
    if (n && taco__schema_annotation(v->reader.leaf->element, &element) == TACO__PQ_LOGICAL_NULL) {
        v->odd_value = true;
        TACO__VERIFY_WARN(v, v->reader.page.body_at,
                          "a value that is not null, which its annotation, UNKNOWN, excludes");
        return;
    }
    i = taco__verify_values_excluded(v, n);
    if (i == n) { return; }
    v->odd_value = true;
    if (f->type == TACO_TEXT) {
        TACO__VERIFY_WARN(v, v->reader.page.body_at, "text that is not UTF-8");
        return;
    }
    is = taco__verify_values_format(v, taco__verify_values_encode(&v->reader, i, scratch));
    if (f->type == TACO_TIME) {
        TACO__VERIFY_WARN(v, v->reader.page.body_at, "the time %q is not within a day", &is);
    } else {
        TACO__VERIFY_WARN(v, v->reader.page.body_at, "the decimal %q has more than %d digits", &is,
                          TACO__D(f->precision));
    }
}

/* Every value is compared with each claim until one value has contradicted it. NaN is in no bound
   (parquet.thrift, Statistics); neither is a decimal of no bytes. */
TACO__FN void taco__verify_values_bounds(taco__verify *v)
{
    const taco__values *s = &v->reader.batch.values;
    uint8_t scratch[32];
    size_t i, k;
    int64_t order;
    for (k = 0; k < TACO__COUNT(v->claims); k++) {
        taco__verify_claim *c = &v->claims[k];
        if (!c->bounds.min.data && !c->bounds.max.data) { continue; }
        for (i = 0; i < s->count && !c->reported; i++) {
            taco_bytes b = taco__verify_values_encode(&v->reader, i, scratch);
            if ((v->order == TACO__STATS_FLOATS && !taco__stats_float_order(b, &order)) ||
                (v->order == TACO__STATS_DECIMALS && b.len == 0)) {
                continue; /* NaN lies outside of every bound */
            }
            if (c->bounds.min.data && taco__stats_compare(v->order, b, c->bounds.min) < 0) {
                taco__verify_values_report(v, c, true, b);
            } else if (c->bounds.max.data && taco__stats_compare(v->order, b, c->bounds.max) > 0) {
                taco__verify_values_report(v, c, false, b);
            }
        }
    }
}

/* Widest decimal that is looked up in a bloom filter. */
#define TACO__VERIFY_DECIMAL 64

/* A big-endian number in n bytes: the first ones only repeat its sign. */
static taco_bytes taco__verify_values_resize(taco_bytes b, size_t n, uint8_t *wide)
{
    if (n <= b.len) { return taco__bytes_of(b.data + b.len - n, n); }
    memset(wide, b.data[0] & 0x80 ? 0xFF : 0, n - b.len);
    memcpy(wide + n - b.len, b.data, b.len);
    return taco__bytes_of(wide, n);
}

TACO__FN void taco__verify_values_bloom(taco__verify *v, taco_error *err)
{
    const taco__pq_leaf *leaf = v->reader.leaf;
    bool decimal = leaf->field->type == TACO_DECIMAL && leaf->field->width;
    uint8_t scratch[32], wide[TACO__VERIFY_DECIMAL];
    size_t i;
    v->bloom.err = err;
    if (decimal && (leaf->type == TACO__PQ_BYTE_ARRAY || leaf->type_length > (int)sizeof wide)) {
        return; /* how many bytes the file has for a value is not known here, or they are many */
    }
    for (i = 0; i < v->reader.batch.values.count && v->has_bloom; i++) {
        taco_bytes b = taco__verify_values_encode(&v->reader, i, scratch), plain = b, is;
        if (decimal && leaf->type == TACO__PQ_FIXED) {
            plain = taco__verify_values_resize(b, (size_t)leaf->type_length, wide);
        }
        if (!taco__bloom_may_contain(&v->bloom, plain)) {
            v->has_bloom = false; /* one warning is enough */
            is = taco__verify_values_format(v, b);
            TACO__VERIFY_WARN(v, v->reader.page.body_at, "the value %q is not in the bloom filter",
                              &is);
        }
    }
}
