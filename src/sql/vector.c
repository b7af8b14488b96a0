/* vector.c - vectors of typed values: create, fill, select, compare, hash

   A taco__vec is a batch of one column or of one intermediate result. Value i of a vector is at i *
   step; a constant has one value and step 0. `valid` is a byte for each row, or NULL where nothing
   is null. Vectors are in an arena, usually that of the batch, and share bytes with their source. A
   taco__vec_builder grows and owns copies: it holds what outlives a batch (groups, sorted rows, the
   inner side of a join). */
#include "sql.h"
#include "vector_hash.h"
#include "../base/base.h"
#include "../filter/filter.h"

/* n zeroed values, not null; children of structs have n values, too, those of lists none yet. A
   vector of type NULL has no values, only a mask of nulls. */
TACO__FN bool taco__vec_init(taco__arena *arena, const taco__sql_type *type, size_t n,
                             taco__vec *out, taco_error *err)
{
    taco__physical_type p = taco__sql_type_physical(type);
    uint32_t i;
    memset(out, 0, sizeof *out);
    out->type = type;
    out->n = n;
    out->step = 1;
    if (taco__sql_type_physical_size(p)) {
        out->v.any = taco__arena_array(arena, n, taco__sql_type_physical_size(p), err);
        if (!out->v.any) { return false; }
    }
    if (p == TACO__PHYS_NULL) {
        out->valid = (uint8_t *)taco__arena_alloc(arena, n, err);
        return out->valid != NULL;
    }
    if (type->count) {
        out->kids = (taco__vec *)taco__arena_array(arena, type->count, sizeof *out->kids, err);
        for (i = 0; out->kids && i < type->count; i++) {
            if (!taco__vec_init(arena, &type->kids[i], p == TACO__PHYS_STRUCT ? n : 0,
                                &out->kids[i], err)) {
                return false;
            }
        }
        return out->kids != NULL;
    }
    return true;
}

/* Allocates the validity mask; everything is valid at first. */
TACO__FN bool taco__vec_init_validity(taco__arena *arena, taco__vec *v, taco_error *err)
{
    if (!v->valid) {
        v->valid = (uint8_t *)taco__arena_alloc(arena, v->n, err);
        if (!v->valid) { return false; }
        memset(v->valid, 1, v->n);
    }
    return true;
}

/* n nulls of a type. */
TACO__FN bool taco__vec_init_null(taco__arena *arena, const taco__sql_type *type, size_t n,
                                  taco__vec *out, taco_error *err)
{
    if (!taco__vec_init(arena, type, n, out, err) || !taco__vec_init_validity(arena, out, err)) {
        return false;
    }
    memset(out->valid, 0, n);
    return true;
}

/* A LIMIT error: offsets of Arrow have 31 bits. */
TACO__FN bool taco__vec_fail_too_long(taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
               "the values of a batch take more than 2147483647 bytes or elements");
    return false;
}

/* ---- choosing rows ---- */

/* out[i] is valid if idx[i] is a row of v and valid. No mask if all are valid. */
static bool taco__vec_take_validity(taco__arena *arena, const taco__vec *v, const uint32_t *idx,
                                    size_t n, taco__vec *out, taco_error *err)
{
    size_t i, gone = 0;
    for (i = 0; i < n; i++) {
        gone += idx[i] == TACO__VEC_NONE;
    }
    if ((!v->valid && !gone) || taco__sql_type_physical(v->type) == TACO__PHYS_NULL) {
        return true;
    }
    if (!taco__vec_init_validity(arena, out, err)) { return false; }
    for (i = 0; i < n; i++) {
        out->valid[i] = idx[i] != TACO__VEC_NONE && taco__vec_is_valid(v, idx[i]);
    }
    return true;
}

/* Selects the rows of each field of a struct. */
static bool taco__vec_take_fields(taco__arena *arena, const taco__vec *v, const uint32_t *idx,
                                  size_t n, taco__vec *out, taco_error *err)
{
    size_t i;
    uint32_t k, *zero = NULL;
    out->kids = (taco__vec *)taco__arena_array(arena, v->type->count, sizeof *out->kids, err);
    if (!v->step) { /* a constant: its child has one row */
        zero = (uint32_t *)taco__arena_array(arena, n, sizeof *zero, err);
        if (!zero) { return false; }
        for (i = 0; i < n; i++) {
            zero[i] = idx[i] == TACO__VEC_NONE ? idx[i] : 0;
        }
    }
    for (k = 0; out->kids && k < v->type->count; k++) {
        if (!taco__vec_take(arena, &v->kids[k], zero ? zero : idx, n, &out->kids[k], err)) {
            return false;
        }
    }
    return out->kids != NULL;
}

/* out = the rows idx[0..n) of v; TACO__VEC_NONE gives null. Bytes are shared with v, and so are
   elements of lists: only their spans are copied. */
TACO__FN bool taco__vec_take(taco__arena *arena, const taco__vec *v, const uint32_t *idx, size_t n,
                             taco__vec *out, taco_error *err)
{
    taco__physical_type p = taco__sql_type_physical(v->type);
    size_t i;
    /* these share or create their children below: none are allocated here */
    if (p == TACO__PHYS_STRUCT || p == TACO__PHYS_LIST) {
        memset(out, 0, sizeof *out);
        out->type = v->type;
        out->n = n;
        out->step = 1;
        out->kids = v->kids;
    } else if (!taco__vec_init(arena, v->type, n, out, err)) {
        return false;
    }
    if (p == TACO__PHYS_LIST) {
        out->v.l = (taco__sql_list_span *)taco__arena_array(arena, n, sizeof *out->v.l, err);
        if (!out->v.l) { return false; }
    }
    if (!taco__vec_take_validity(arena, v, idx, n, out, err)) { return false; }
#define TACO__VEC_COPY(m)                                                                          \
    for (i = 0; i < n; i++) {                                                                      \
        if (idx[i] != TACO__VEC_NONE) { out->v.m[i] = v->v.m[idx[i] * v->step]; }                  \
    }                                                                                              \
    return true
    switch (p) {
    case TACO__PHYS_INT: TACO__VEC_COPY(i);
    case TACO__PHYS_DBL: TACO__VEC_COPY(f);
    case TACO__PHYS_BIG: TACO__VEC_COPY(d);
    case TACO__PHYS_STR: TACO__VEC_COPY(s);
    case TACO__PHYS_LIST: TACO__VEC_COPY(l);
    case TACO__PHYS_STRUCT: return taco__vec_take_fields(arena, v, idx, n, out, err);
    default: return true;
    }
#undef TACO__VEC_COPY
}

/* A vector with value i at i; v itself unless it is a constant, which is expanded. Called first by
   functions that ignore step. */
TACO__FN bool taco__vec_flatten(taco__arena *arena, taco__vec *v, taco_error *err)
{
    uint32_t *idx;
    taco__vec out;
    if (v->step) { return true; }
    idx = (uint32_t *)taco__arena_array(arena, v->n, sizeof *idx, err); /* zeros */
    if (!idx || !taco__vec_take(arena, v, idx, v->n, &out, err)) { return false; }
    *v = out;
    return true;
}

/* An empty builder of values of a type, with builders for its children. */
TACO__FN bool taco__vec_builder_init(taco__arena *arena, const taco__sql_type *type,
                                     taco__vec_builder *p, taco_error *err)
{
    uint32_t k;
    memset(p, 0, sizeof *p);
    p->v.type = type;
    p->v.step = 1;
    if (type->count) {
        p->kids = (taco__vec_builder *)taco__arena_array(arena, type->count, sizeof *p->kids, err);
        p->v.kids = (taco__vec *)taco__arena_array(arena, type->count, sizeof *p->v.kids, err);
        for (k = 0; p->kids && p->v.kids && k < type->count; k++) {
            if (!taco__vec_builder_init(arena, &type->kids[k], &p->kids[k], err)) { return false; }
            p->v.kids[k] = p->kids[k].v;
        }
        return p->kids && p->v.kids;
    }
    return true;
}

/* Makes room for `extra` more values, not counting children. Old memory stays in the arena, so
   builders double. */
TACO__FN bool taco__vec_builder_reserve(taco__arena *arena, taco__vec_builder *p, size_t extra,
                                        taco_error *err)
{
    size_t size = taco__sql_type_physical_size(taco__sql_type_physical(p->v.type)), cap;
    uint8_t *valid;
    void *data = NULL;
    if (extra <= p->cap - p->v.n) { return true; }
    /* row numbers have 32 bits, and TACO__VEC_NONE is not one */
    if (extra > UINT32_MAX - 1 - p->v.n) { return taco__vec_fail_too_long(err); }
    cap = TACO__MAX(p->v.n + extra, p->cap ? p->cap * 2 : (size_t)64);
    valid = (uint8_t *)taco__arena_alloc(arena, cap, err);
    data = size ? taco__arena_array(arena, cap, size, err) : NULL;
    if (!valid || (size && !data)) { return false; }
    if (p->v.n) {
        memcpy(valid, p->v.valid, p->v.n);
        if (size) { memcpy(data, p->v.v.any, p->v.n * size); }
    }
    p->v.valid = valid;
    p->v.v.any = data;
    p->cap = cap;
    return true;
}

/* Appends the elements of a list, which become value `to`. */
static bool taco__vec_builder_append_list(taco__arena *arena, taco__vec_builder *p, size_t to,
                                          const taco__vec *v, taco__sql_list_span span,
                                          taco_error *err)
{
    uint32_t *at = (uint32_t *)taco__arena_array(arena, span.len, sizeof *at, err), k;
    for (k = 0; at && k < span.len; k++) {
        at[k] = span.at + k;
    }
    p->v.v.l[to].at = (uint32_t)p->kids[0].v.n;
    p->v.v.l[to].len = span.len;
    return at && taco__vec_builder_append(arena, &p->kids[0], &v->kids[0], at, span.len, err);
}

/* Appends the fields of a struct, even of a null, so that all columns have the same number of
   rows. */
static bool taco__vec_builder_append_fields(taco__arena *arena, taco__vec_builder *p,
                                            const taco__vec *v, size_t row, taco_error *err)
{
    uint32_t at = (uint32_t)row, k;
    for (k = 0; k < v->type->count; k++) {
        if (!taco__vec_builder_append(arena, &p->kids[k], &v->kids[k], &at, 1, err)) {
            return false;
        }
    }
    return true;
}

/* Sets value `to` to row `row` of v; bytes are copied. */
TACO__INLINE bool taco__vec_builder_set(taco__arena *arena, taco__vec_builder *p, size_t to,
                                        taco__physical_type ph, const taco__vec *v, size_t row,
                                        taco_error *err)
{
    char *copy;
    switch (ph) {
    case TACO__PHYS_INT: p->v.v.i[to] = v->v.i[row]; return true;
    case TACO__PHYS_DBL: p->v.v.f[to] = v->v.f[row]; return true;
    case TACO__PHYS_BIG: p->v.v.d[to] = v->v.d[row]; return true;
    case TACO__PHYS_STR:
        copy = taco__arena_text(arena, v->v.s[row], err);
        p->v.v.s[to] = taco__bytes_of(copy, v->v.s[row].len);
        return copy != NULL;
    case TACO__PHYS_LIST: return taco__vec_builder_append_list(arena, p, to, v, v->v.l[row], err);
    case TACO__PHYS_STRUCT: return taco__vec_builder_append_fields(arena, p, v, row, err);
    default: return true;
    }
}

/* The same as taco__vec_builder_append for numbers of 64 bits, once there is room. */
static void taco__vec_builder_append_numbers(taco__vec_builder *p, const taco__vec *v,
                                             const uint32_t *idx, size_t n)
{
    const uint8_t *valid = v->valid;
    const int64_t *ints = v->v.i;
    const double *doubles = v->v.f;
    uint8_t *to_valid = p->v.valid + p->v.n;
    int64_t *to_ints = p->v.v.i + p->v.n;
    double *to_doubles = p->v.v.f + p->v.n;
    bool is_int = taco__sql_type_physical(v->type) == TACO__PHYS_INT;
    size_t i, row, step = v->step;
    for (i = 0; i < n; i++) {
        row = (idx ? idx[i] : i) * step;
        to_valid[i] = !valid || valid[row];
        if (!to_valid[i]) { continue; }
        if (is_int) {
            to_ints[i] = ints[row];
        } else {
            to_doubles[i] = doubles[row];
        }
    }
    p->v.n += n;
}

/* Appends the rows idx[0..n) of v, or its first n if idx is NULL. */
TACO__FN bool taco__vec_builder_append(taco__arena *arena, taco__vec_builder *p, const taco__vec *v,
                                       const uint32_t *idx, size_t n, taco_error *err)
{
    taco__physical_type ph = taco__sql_type_physical(v->type);
    size_t i, from = p->v.n;
    uint32_t k;
    if (!taco__vec_builder_reserve(arena, p, n, err)) { return false; }
    if (n > 0 && (ph == TACO__PHYS_DBL || ph == TACO__PHYS_INT)) {
        taco__vec_builder_append_numbers(p, v, idx, n);
        return true;
    }
    for (i = 0; i < n; i++) {
        size_t row = idx ? idx[i] : i;
        bool ok = taco__vec_is_valid(v, row) && ph != TACO__PHYS_NULL;
        p->v.valid[from + i] = ok;
        if ((ok || ph == TACO__PHYS_STRUCT) &&
            !taco__vec_builder_set(arena, p, from + i, ph, v, row * v->step, err)) {
            return false;
        }
    }
    p->v.n += n;
    for (k = 0; k < v->type->count; k++) {
        p->v.kids[k] = p->kids[k].v;
    }
    return true;
}

/* Compares two values that may be null: nulls are last, as inside lists and structs of a sort, and
   equal to each other, as in GROUP BY. */
TACO__FN int taco__vec_compare_nulls(const taco__vec *a, size_t i, const taco__vec *b, size_t j)
{
    bool x = taco__vec_is_valid(a, i), y = taco__vec_is_valid(b, j);
    if (!x || !y) { return (int)y - (int)x; }
    return taco__vec_compare(a, i, b, j);
}

/* Compares two non-null values of one type: numbers by value with NaN the greatest, bytes as
   unsigned, lists element by element and then by length, structs field by field. */
TACO__FN int taco__vec_compare(const taco__vec *a, size_t i, const taco__vec *b, size_t j)
{
    size_t k;
    int c;
    i *= a->step;
    j *= b->step;
    switch (taco__sql_type_physical(a->type)) {
    case TACO__PHYS_INT: return (a->v.i[i] > b->v.i[j]) - (a->v.i[i] < b->v.i[j]);
    case TACO__PHYS_DBL: return taco__scalar_compare_double(a->v.f[i], b->v.f[j]);
    case TACO__PHYS_BIG: return taco__i256_compare(&a->v.d[i], &b->v.d[j]);
    case TACO__PHYS_STR: return taco__bytes_compare(a->v.s[i], b->v.s[j]);
    case TACO__PHYS_LIST: {
        taco__sql_list_span x = a->v.l[i], y = b->v.l[j];
        for (k = 0; k < x.len && k < y.len; k++) {
            c = taco__vec_compare_nulls(&a->kids[0], x.at + k, &b->kids[0], y.at + k);
            if (c) { return c; }
        }
        return (x.len > y.len) - (x.len < y.len);
    }
    case TACO__PHYS_STRUCT:
        for (k = 0; k < a->type->count; k++) {
            c = taco__vec_compare_nulls(&a->kids[k], i, &b->kids[k], j);
            if (c) { return c; }
        }
        return 0;
    default: return 0;
    }
}

/* The hash of one value; equal values (0.0 and -0.0, all NaNs, nulls) have equal hashes. */
static uint64_t taco__vec_hash_one(const taco__vec *v, size_t i, uint64_t seed)
{
    uint64_t h = seed;
    size_t k;
    if (!taco__vec_is_valid(v, i)) { return 0x9E3779B9; }
    i *= v->step;
    switch (taco__sql_type_physical(v->type)) {
    case TACO__PHYS_INT: return taco__vec_hash_mix((uint64_t)v->v.i[i] ^ seed);
    /* NaNs are equal to each other, and 0.0 to -0.0 */
    case TACO__PHYS_DBL:
        return taco__f64_is_nan(v->v.f[i])
                   ? 77
                   : taco__vec_hash_mix(
                         seed ^ taco__f64_to_bits(taco__f64_is_zero(v->v.f[i]) ? 0.0 : v->v.f[i]));
    case TACO__PHYS_BIG:
        return taco__vec_hash_mix(v->v.d[i].w[0] ^ taco__vec_hash_mix(v->v.d[i].w[1] ^ seed));
    case TACO__PHYS_STR:
        return v->v.s[i].len ? taco__xxh64_hash(seed, v->v.s[i].data, v->v.s[i].len) : 1;
    case TACO__PHYS_LIST:
        for (k = 0; k < v->v.l[i].len; k++) {
            h = taco__vec_hash_mix(h ^ taco__vec_hash_one(&v->kids[0], v->v.l[i].at + k, seed));
        }
        return h;
    case TACO__PHYS_STRUCT:
        for (k = 0; k < v->type->count; k++) {
            h = taco__vec_hash_mix(h ^ taco__vec_hash_one(&v->kids[k], i, seed));
        }
        return h;
    default: return 0;
    }
}

/* Mixes the hash of every row into out[0..n); called for each column of a key. */
TACO__FN void taco__vec_hash(const taco__vec *v, uint64_t seed, uint64_t *out)
{
    size_t i;
    for (i = 0; i < v->n; i++) {
        out[i] = taco__vec_hash_mix(out[i] * 31 + taco__vec_hash_one(v, i, seed));
    }
}

TACO__FN uint64_t taco__vec_hash_row(const taco__vec *v, size_t columns, size_t i, uint64_t seed)
{
    uint64_t h = 0;
    size_t k;
    for (k = 0; k < columns; k++) {
        h = taco__vec_hash_mix(h * 31 + taco__vec_hash_one(&v[k], i, seed));
    }
    return h;
}

TACO__FN bool taco__vec_hash_next_seed(uint64_t *seed, size_t keys, taco_error *err)
{
    const uint64_t step = UINT64_C(0x9E3779B97F4A7C15);
    if (*seed == TACO__VEC_HASH_SEEDS * step) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "too many of %u keys have the same hash, at most %u may", TACO__U(keys),
                   TACO__U(TACO__VEC_HASH_PROBES));
        return false;
    }
    *seed += step;
    return true;
}

/* Whether rows are equal in all columns; null equals null. */
TACO__FN bool taco__vec_equal(const taco__vec *a, size_t i, const taco__vec *b, size_t j,
                              size_t columns)
{
    size_t k;
    for (k = 0; k < columns; k++) {
        if (taco__vec_compare_nulls(&a[k], i, &b[k], j) != 0) { return false; }
    }
    return true;
}
