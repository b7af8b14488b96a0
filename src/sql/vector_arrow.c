/* vector_arrow.c - vectors of SQL from Arrow arrays, and Arrow arrays from vectors

   In: arrays of a cursor's batch, dictionaries included, in the forms of the Arrow columnar format.
   Out: the same values in one of the physical forms, and back for the result. Numbers are
   converted, bytes are shared with the array. Texts with a dictionary keep their codes
   (taco__vec.codes), with which group_table.c groups without reading the texts. */
#include "sql.h"
#include "../base/base.h"
#include "../arrow/arrow.h"
#include "../filter/filter.h"

/* UINT64, and DECIMALs of any width: little-endian in Arrow, big-endian if they come as BINARY. */
static bool taco__vec_arrow_load_decimal(const taco_array *a, taco__vec *out)
{
    size_t i;
    for (i = 0; i < out->n; i++) {
        if (!taco__vec_is_valid(out, i)) { continue; }
        if (a->field->type == TACO_UINT64) {
            out->v.d[i] = taco__i256_from_u64(a->v.u64[i]);
        } else if (a->field->width) {
            out->v.d[i] =
                taco__i256_from_le(a->v.u8 + i * (size_t)a->field->width, (size_t)a->field->width);
        } else {
            taco__i256_from_be(taco_array_bytes(a, i), &out->v.d[i]);
        }
    }
    return true;
}

/* Texts and bytes, shared with the array; with their codes if there is a dictionary. */
static void taco__vec_arrow_load_text(const taco_array *a, taco__vec *out)
{
    const taco_array *d = a->dictionary ? a->dictionary : a;
    size_t i;
    if (!taco__array_is_var_length(d->field)) {
        for (i = 0; i < out->n; i++) {
            out->v.s[i] = taco_array_bytes(a, i);
        }
        return;
    }
    for (i = 0; i < out->n; i++) {
        size_t k = a->dictionary ? (size_t)(uint32_t)a->v.i32[i] : i;
        if (taco__vec_is_valid(out, i)) {
            out->v.s[i] = taco__bytes_of(d->v.u8 + d->offsets[k],
                                         (size_t)(d->offsets[k + 1] - d->offsets[k]));
        }
    }
    out->codes = a->dictionary ? a->v.i32 : NULL;
    out->code_n = a->dictionary ? d->length : 0;
}

/* Nulls and codes of a text with a dictionary, without the texts: a value exists only after
   taco__vec_arrow_load_code_text. So a group of many rows costs one text. */
TACO__FN bool taco__vec_arrow_load_codes(taco__arena *arena, const taco_array *a,
                                         const taco__sql_type *type, taco__vec *out,
                                         taco_error *err)
{
    size_t i;
    if (!taco__vec_init(arena, type, a->length, out, err)) { return false; }
    if (a->validity && a->null_count) {
        if (!taco__vec_init_validity(arena, out, err)) { return false; }
        for (i = 0; i < a->length; i++) {
            out->valid[i] = taco__bitmap_get(a->validity, i);
        }
    }
    out->codes = a->v.i32;
    out->code_n = a->dictionary->length;
    out->source = a;
    return true;
}

/* Makes value i of a vector of codes. */
TACO__FN void taco__vec_arrow_load_code_text(const taco__vec *v, size_t i)
{
    if (v->source) { v->v.s[i] = taco_array_bytes(v->source, i); }
}

/* Children of lists, maps and structs, and the spans of lists. */
static bool taco__vec_arrow_load_nested(taco__arena *arena, const taco_array *a, taco__vec *out,
                                        taco_error *err)
{
    uint32_t k;
    size_t i;
    for (k = 0; k < out->type->count; k++) {
        if (!taco__vec_arrow_load(arena, &a->children[k], &out->type->kids[k], &out->kids[k],
                                  err)) {
            return false;
        }
    }
    for (i = 0; out->type->t.id != TACO_STRUCT && i < out->n; i++) {
        if (taco__vec_is_valid(out, i)) {
            out->v.l[i].at = (uint32_t)a->offsets[i];
            out->v.l[i].len = (uint32_t)(a->offsets[i + 1] - a->offsets[i]);
        }
    }
    return true;
}

/* An array as a vector of `type`, the type of its field. Bytes and children are shared, so the
   array must outlive it. */
TACO__FN bool taco__vec_arrow_load(taco__arena *arena, const taco_array *a,
                                   const taco__sql_type *type, taco__vec *out, taco_error *err)
{
    size_t i, n = a->length;
    taco__physical_type p = taco__sql_type_physical(type);
    /* an array of nulls may come without values */
    bool nothing = a->null_count == n && !a->v.any && !a->offsets && !a->children;
    if ((a->field->type == TACO_NULL || nothing) && type->t.id != TACO_NULL) {
        return taco__vec_init_null(arena, type, n, out, err);
    }
    if (!taco__vec_init(arena, type, n, out, err)) { return false; }
    if (p == TACO__PHYS_NULL) { return true; }
    if (a->validity && a->null_count) {
        if (!taco__vec_init_validity(arena, out, err)) { return false; }
        for (i = 0; i < n; i++) {
            out->valid[i] = taco__bitmap_get(a->validity, i);
        }
    }
    switch (p) {
    case TACO__PHYS_INT:
        if (a->field->type == TACO_INT64 && !a->dictionary && n) {
            memcpy(out->v.i, a->v.i64, n * sizeof(int64_t));
        } else if (a->field->type == TACO_INT96) {
            for (i = 0; i < n; i++) {
                if (taco__vec_is_valid(out, i)) {
                    out->v.i[i] = taco__scalar_key_int96(a->v.u8 + i * 12);
                }
            }
        } else {
            int64_t per = a->field->type == TACO_TIME && a->field->unit == TACO_MILLI ? 1000 : 1;
            for (i = 0; i < n; i++) { /* a TIME of milliseconds has 32 bits */
                out->v.i[i] = taco_array_int(a, i) * per;
            }
        }
        return true;
    case TACO__PHYS_DBL:
        if (a->field->type == TACO_DOUBLE && !a->dictionary && n) {
            memcpy(out->v.f, a->v.f64, n * sizeof(double));
            return true;
        }
        for (i = 0; i < n; i++) {
            out->v.f[i] = taco_array_double(a, i);
        }
        return true;
    case TACO__PHYS_STR: taco__vec_arrow_load_text(a, out); return true;
    case TACO__PHYS_BIG: return taco__vec_arrow_load_decimal(a, out);
    default: return taco__vec_arrow_load_nested(arena, a, out, err);
    }
}

/* BOOLs as bits, integers in the width of the field. */
static bool taco__vec_arrow_store_int(taco__arena *arena, const taco__vec *v, const taco_field *f,
                                      taco_array *out, taco_error *err)
{
    size_t i, w = (size_t)f->width;
    uint8_t *p = (uint8_t *)(f->type == TACO_BOOL
                                 ? taco__arena_alloc(arena, TACO__BITMAP_BYTES(v->n) + 8, err)
                                 : taco__arena_array(arena, v->n + 1, w, err));
    if (!p) { return false; }
    out->v.any = p;
    for (i = 0; i < v->n; i++) {
        int64_t x = v->v.i[i * v->step];
        if (f->type == TACO_BOOL) {
            if (x && taco__vec_is_valid(v, i)) { taco__bitmap_set(p, i); }
        } else if (w == 8) {
            memcpy(p + i * 8, &x, 8);
        } else if (w == 4) {
            uint32_t y = (uint32_t)x;
            memcpy(p + i * 4, &y, 4);
        } else if (w == 2) {
            uint16_t y = (uint16_t)x;
            memcpy(p + i * 2, &y, 2);
        } else {
            p[i] = (uint8_t)x;
        }
    }
    return true;
}

/* Floating point, UINT64, DECIMAL and UUID in the width of the field; nulls are zeros. */
static bool taco__vec_arrow_store_fixed(taco__arena *arena, const taco__vec *v, const taco_field *f,
                                        taco_array *out, taco_error *err)
{
    size_t i, k, w = (size_t)f->width;
    uint8_t *p = (uint8_t *)taco__arena_array(arena, v->n + 1, w, err);
    if (!p) { return false; }
    out->v.any = p;
    for (i = 0; i < v->n; i++) {
        if (!taco__vec_is_valid(v, i)) { continue; }
        if (f->type == TACO_UINT64) {
            memcpy(p + i * 8, &v->v.d[i * v->step].w[0], 8);
        } else if (f->type == TACO_DECIMAL) {
            for (k = 0; k < w / 8; k++) {
                taco__put_le64(p + i * w + k * 8, v->v.d[i * v->step].w[k]);
            }
        } else if (f->type == TACO_FLOAT) {
            float x = taco__num_f64_to_f32(v->v.f[i * v->step]);
            memcpy(p + i * 4, &x, 4);
        } else if (f->type == TACO_DOUBLE) {
            memcpy(p + i * 8, &v->v.f[i * v->step], 8);
        } else if (v->v.s[i * v->step].len == w) { /* UUID */
            memcpy(p + i * w, v->v.s[i * v->step].data, w);
        }
    }
    return true;
}

/* Texts and bytes with 32-bit offsets; nulls are empty. */
static bool taco__vec_arrow_store_text(taco__arena *arena, const taco__vec *v, taco_array *out,
                                       taco_error *err)
{
    int32_t *offsets = (int32_t *)taco__arena_array(arena, v->n + 1, sizeof *offsets, err);
    uint64_t total = 0;
    size_t i;
    uint8_t *p;
    for (i = 0; i < v->n; i++) {
        total += taco__vec_is_valid(v, i) ? v->v.s[i * v->step].len : 0;
    }
    if (total > INT32_MAX) { return taco__vec_fail_too_long(err); }
    p = (uint8_t *)taco__arena_alloc(arena, (size_t)total, err);
    if (!offsets || !p) { return false; }
    out->offsets = offsets;
    out->v.any = p;
    for (i = 0, total = 0; i < v->n; i++) {
        taco_bytes b = taco__vec_is_valid(v, i) ? v->v.s[i * v->step] : taco__bytes_of(NULL, 0);
        if (b.len) { memcpy(p + total, b.data, b.len); }
        total += b.len;
        offsets[i + 1] = (int32_t)total;
    }
    return true;
}

/* A list: its elements are gathered from the child, which removes gaps and overlaps. */
static bool taco__vec_arrow_store_list(taco__arena *arena, const taco__vec *v, const taco_field *f,
                                       taco_array *out, taco_error *err)
{
    int32_t *offsets = (int32_t *)taco__arena_array(arena, v->n + 1, sizeof *offsets, err);
    taco_array *kid = (taco_array *)taco__arena_alloc(arena, sizeof *kid, err);
    uint64_t total = 0;
    uint32_t *idx;
    size_t i, k;
    taco__vec chosen;
    for (i = 0; i < v->n; i++) {
        total += taco__vec_is_valid(v, i) ? v->v.l[i * v->step].len : 0;
    }
    if (total > INT32_MAX) { return taco__vec_fail_too_long(err); }
    idx = (uint32_t *)taco__arena_array(arena, (size_t)total, sizeof *idx, err);
    if (!offsets || !kid || !idx) { return false; }
    for (i = 0, total = 0; i < v->n; i++) {
        taco__sql_list_span s = v->v.l[i * v->step];
        for (k = 0; taco__vec_is_valid(v, i) && k < s.len; k++) {
            idx[total++] = s.at + (uint32_t)k;
        }
        offsets[i + 1] = (int32_t)total;
    }
    out->offsets = offsets;
    out->children = kid;
    return taco__vec_take(arena, &v->kids[0], idx, (size_t)total, &chosen, err) &&
           taco__vec_arrow_store(arena, &chosen, &f->children[0], kid, err);
}

/* A vector as an array of the field, in the arena, including children of structs and lists. */
TACO__FN bool taco__vec_arrow_store(taco__arena *arena, const taco__vec *v, const taco_field *f,
                                    taco_array *out, taco_error *err)
{
    size_t i;
    uint8_t *bits;
    memset(out, 0, sizeof *out);
    out->field = f;
    out->length = v->n;
    if (v->valid) {
        bits = (uint8_t *)taco__arena_alloc(arena, TACO__BITMAP_BYTES(v->n) + 8, err);
        if (!bits) { return false; }
        for (i = 0; i < v->n; i++) {
            if (taco__vec_is_valid(v, i)) {
                taco__bitmap_set(bits, i);
            } else {
                out->null_count++;
            }
        }
        out->validity = bits;
    }
    switch (taco__sql_type_physical(v->type)) {
    case TACO__PHYS_NULL: return true;
    case TACO__PHYS_INT: return taco__vec_arrow_store_int(arena, v, f, out, err);
    case TACO__PHYS_STR:
        if (f->type != TACO_UUID) {
            return taco__vec_arrow_store_text(arena, v, out, err);
        } /* fall through */
    case TACO__PHYS_DBL:
    case TACO__PHYS_BIG: return taco__vec_arrow_store_fixed(arena, v, f, out, err);
    case TACO__PHYS_LIST: return taco__vec_arrow_store_list(arena, v, f, out, err);
    default: {
        taco_array *kids =
            (taco_array *)taco__arena_array(arena, f->child_count, sizeof *kids, err);
        out->children = kids;
        for (i = 0; kids && i < f->child_count; i++) {
            taco__vec kid = v->kids[i];
            if (!v->step) {
                kid.step = 0;
                kid.n = v->n;
            }
            if (!taco__vec_arrow_store(arena, &kid, &f->children[i], &kids[i], err)) {
                return false;
            }
        }
        return kids != NULL;
    }
    }
}
