/* ==== ROOM vec: vectors of typed values that SQL computes with: from Arrow, to Arrow, choose, append, hash, order.
   Uses: pq:value pq:time pq:hash mem. Spec: Arrow columnar format ==== */

/* A type of SQL. LIST and MAP have one child, STRUCT its fields. DECIMAL of precision 39 is HUGEINT, a BINARY with
   `geo` set is a GEOMETRY. */
typedef struct taco__sql_type {
    taco__scalar_type            t;
    bool                         geo;
    uint32_t                     count;
    const struct taco__sql_type *kids;
    const char *const           *names; /* STRUCT */
} taco__sql_type;

/* How values of a type are held: few forms, so that each operation is written few times. */
typedef enum taco__physical_type {
    TACO__PHYS_NULL = 0,
    TACO__PHYS_INT, /* int64_t: BOOL, integers up to INT64, UINT32, DATE, TIME, TIMESTAMP */
    TACO__PHYS_BIG, /* taco__i256: UINT64, DECIMAL */
    TACO__PHYS_DBL, /* double: FLOAT (rounded to it) and DOUBLE */
    TACO__PHYS_STR, /* bytes: TEXT, BINARY, UUID, INTERVAL (taco__sql_interval) */
    TACO__PHYS_LIST,
    TACO__PHYS_STRUCT
} taco__physical_type;

typedef struct taco__sql_list_span { /* elements of a list in its child */
    uint32_t at, len;
} taco__sql_list_span;
typedef struct taco__sql_interval {
    int32_t months, days;
    int64_t micros;
} taco__sql_interval;

/* n values; value i stands at i * step, step 0 being a constant. valid NULL: no nulls. */
typedef struct taco__vec {
    const taco__sql_type *type;
    size_t                n, step;
    uint8_t              *valid;
    const int32_t        *codes;  /* STR as it was loaded: entries of a dictionary, or NULL */
    size_t                code_n; /* of the dictionary; codes of nulls may be any */
    const taco_array     *source; /* in place of values: an array that goes out as it is, or whose
                                  dictionary has the texts of the codes */
    union {
        void                *any;
        int64_t             *i;
        double              *f;
        taco__i256          *d;
        taco_bytes          *s;
        taco__sql_list_span *l;
    } v;
    struct taco__vec *kids;
} taco__vec;

#define TACO__VEC_NONE UINT32_MAX /* in an index: no row, all values null */

TACO__FN taco__physical_type taco__sql_type_physical(const taco__sql_type *t)
{
    switch (t->t.id) {
    case TACO_NULL: return TACO__PHYS_NULL;
    case TACO_UINT64:
    case TACO_DECIMAL: return TACO__PHYS_BIG;
    case TACO_HALF:
    case TACO_FLOAT:
    case TACO_DOUBLE: return TACO__PHYS_DBL;
    case TACO_TEXT:
    case TACO_BINARY:
    case TACO_FIXED:
    case TACO_UUID:
    case TACO_INT96:
    case TACO_INTERVAL: return TACO__PHYS_STR;
    case TACO_LIST:
    case TACO_MAP: return TACO__PHYS_LIST;
    case TACO_STRUCT: return TACO__PHYS_STRUCT;
    default: return TACO__PHYS_INT;
    }
}
TACO__FN size_t taco__sql_type_physical_size(taco__physical_type p)
{
    static const size_t sizes[] = {0,
                                   sizeof(int64_t),
                                   sizeof(taco__i256),
                                   sizeof(double),
                                   sizeof(taco_bytes),
                                   sizeof(taco__sql_list_span),
                                   0};
    return sizes[p];
}
TACO__INLINE bool taco__vec_is_valid(const taco__vec *v, size_t i)
{
    return !v->valid || v->valid[i * v->step];
}
TACO__FN bool taco__sql_type_equal(const taco__sql_type *a, const taco__sql_type *b)
{
    uint32_t i;
    if (a->t.id != b->t.id || a->geo != b->geo || a->count != b->count) {
        return false;
    }
    if ((a->t.id == TACO_DECIMAL &&
         (a->t.precision != b->t.precision || a->t.scale != b->t.scale)) ||
        ((a->t.id == TACO_TIME || a->t.id == TACO_TIMESTAMP) && a->t.unit != b->t.unit) ||
        (a->t.id == TACO_TIMESTAMP && a->t.utc != b->t.utc)) {
        return false;
    }
    for (i = 0; i < a->count; i++) {
        if (!taco__sql_type_equal(&a->kids[i], &b->kids[i]) ||
            (a->names && b->names && strcmp(a->names[i], b->names[i]) != 0)) {
            return false;
        }
    }
    return true;
}
/* n zeroed values, not null. */
TACO__FN bool taco__vec_init(taco__arena *arena, const taco__sql_type *type, size_t n,
                             taco__vec *out, taco_error *err)
{
    taco__physical_type p = taco__sql_type_physical(type);
    uint32_t            i;
    memset(out, 0, sizeof *out);
    out->type = type;
    out->n = n;
    out->step = 1;
    if (taco__sql_type_physical_size(p)) {
        out->v.any = taco__arena_array(arena, n, taco__sql_type_physical_size(p), err);
        if (!out->v.any) {
            return false;
        }
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
/* Room to mark nulls; everything is valid at first. */
TACO__FN bool taco__vec_init_validity(taco__arena *arena, taco__vec *v, taco_error *err)
{
    if (!v->valid) {
        v->valid = (uint8_t *)taco__arena_alloc(arena, v->n, err);
        if (!v->valid) {
            return false;
        }
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

/* ---- types from fields, fields from types --------------------------------------------------------- */

TACO__FN bool taco__sql_type_from_field(taco__arena *arena, const taco_field *f,
                                        taco__sql_type *out, taco_error *err)
{
    uint32_t        i;
    taco__sql_type *kids;
    const char    **names;
    memset(out, 0, sizeof *out);
    out->t = taco__scalar_type_of_field(f);
    out->t.id = f->type == TACO_HALF ? TACO_FLOAT : f->type == TACO_NULL ? TACO_INT32 : out->t.id;
    if (out->t.id == TACO_TIME && out->t.unit == TACO_MILLI) {
        out->t.unit = TACO_MICRO; /* DuckDB's only TIME */
    }
    if (f->type != TACO_DECIMAL) {
        out->t.precision = out->t.scale = 0;
    }
    if (!f->child_count) {
        return true;
    }
    out->count = f->child_count;
    out->kids = kids =
        (taco__sql_type *)taco__arena_array(arena, f->child_count, sizeof *kids, err);
    names = (const char **)taco__arena_array(arena, f->child_count, sizeof *names, err);
    out->names = names;
    for (i = 0; kids && names && i < f->child_count; i++) {
        names[i] = f->children[i].name;
        if (!taco__sql_type_from_field(arena, &f->children[i], &kids[i], err)) {
            return false;
        }
    }
    return kids && names;
}
TACO__FN bool taco__sql_type_to_field(taco__arena *arena, const taco__sql_type *t, const char *name,
                                      taco_field *out, taco_error *err)
{
    static const uint8_t widths[] = {0, 0, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 16, 4, 8, 8};
    taco_field          *kids;
    uint32_t             i;
    memset(out, 0, sizeof *out);
    out->name = name;
    out->type = t->t.id;
    out->unit = t->t.unit;
    out->utc = t->t.utc;
    out->nullable = true;
    out->width = (size_t)t->t.id < sizeof widths ? widths[t->t.id] : t->t.id == TACO_UUID ? 16 : 0;
    out->precision = TACO__MIN(t->t.precision, t->t.precision == 39 ? 38 : t->t.precision);
    out->scale = t->t.scale;
    if (t->t.id == TACO_DECIMAL && t->t.precision > 39) {
        out->width = 32;
    }
    if (t->t.id == TACO_TIME && t->t.unit == TACO_MILLI) {
        out->width = 4;
    }
    if (!t->count) {
        return true;
    }
    kids = (taco_field *)taco__arena_array(arena, t->count, sizeof *kids, err);
    out->children = kids;
    out->child_count = t->count;
    for (i = 0; kids && i < t->count; i++) {
        if (!taco__sql_type_to_field(arena, &t->kids[i], t->names ? t->names[i] : "item", &kids[i],
                                     err)) {
            return false;
        }
    }
    return kids != NULL;
}

/* ---- from Arrow ------------------------------------------------------------------------------------ */

TACO__FN bool taco__vec_arrow_load(taco__arena *arena, const taco_array *a,
                                   const taco__sql_type *type, taco__vec *out, taco_error *err);

TACO__FN bool taco__vec_arrow_load_decimal(const taco_array *a, taco__vec *out)
{
    size_t i;
    for (i = 0; i < out->n; i++) {
        if (!taco__vec_is_valid(out, i)) {
            continue;
        }
        if (a->field->type == TACO_UINT64) {
            out->v.d[i] = taco__i256_from_u64(a->v.u64[i]);
        } else if (a->field->width) {
            out->v.d[i] =
                taco__i256_from_le(a->v.u8 + i * (size_t)a->field->width, (size_t)a->field->width);
        } else {
            taco__i256_from_be(taco__bytes_of(a->v.u8 + a->offsets[i],
                                              (size_t)(a->offsets[i + 1] - a->offsets[i])),
                               &out->v.d[i]);
        }
    }
    return true;
}
TACO__FN void taco__vec_arrow_load_text(const taco_array *a, taco__vec *out)
{
    const taco_array *d = a->dictionary ? a->dictionary : a;
    size_t            i;
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
/* Nulls and codes of a text with a dictionary; a value is there once taco__vec_arrow_load_code_text has made it. */
TACO__FN bool taco__vec_arrow_load_codes(taco__arena *arena, const taco_array *a,
                                         const taco__sql_type *type, taco__vec *out,
                                         taco_error *err)
{
    size_t i;
    if (!taco__vec_init(arena, type, a->length, out, err)) {
        return false;
    }
    if (a->validity && a->null_count) {
        if (!taco__vec_init_validity(arena, out, err)) {
            return false;
        }
        for (i = 0; i < a->length; i++) {
            out->valid[i] = taco__bitmap_get(a->validity, i);
        }
    }
    out->codes = a->v.i32;
    out->code_n = a->dictionary->length;
    out->source = a;
    return true;
}
TACO__FN void taco__vec_arrow_load_code_text(const taco__vec *v, size_t i)
{
    if (v->source) {
        v->v.s[i] = taco_array_bytes(v->source, i);
    }
}
TACO__FN bool taco__vec_arrow_load_nested(taco__arena *arena, const taco_array *a, taco__vec *out,
                                          taco_error *err)
{
    uint32_t k;
    size_t   i;
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
TACO__FN bool taco__vec_arrow_load(taco__arena *arena, const taco_array *a,
                                   const taco__sql_type *type, taco__vec *out, taco_error *err)
{
    size_t              i, n = a->length;
    taco__physical_type p = taco__sql_type_physical(type);
    bool                nothing = a->null_count == n && !a->v.any && !a->offsets && !a->children;
    if ((a->field->type == TACO_NULL || nothing) && type->t.id != TACO_NULL) {
        return taco__vec_init_null(arena, type, n, out, err);
    }
    if (!taco__vec_init(arena, type, n, out, err)) {
        return false;
    }
    if (p == TACO__PHYS_NULL) {
        return true;
    }
    if (a->validity && a->null_count) {
        if (!taco__vec_init_validity(arena, out, err)) {
            return false;
        }
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
                int64_t ns = 0;
                if (taco__vec_is_valid(out, i) &&
                    taco__time_int96_to_nanos(a->v.u8 + i * 12, &ns)) {
                    out->v.i[i] = taco__time_floor_div(ns, 1000);
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

/* ---- to Arrow -------------------------------------------------------------------------------------- */

TACO__FN bool taco__vec_arrow_store(taco__arena *arena, const taco__vec *v, const taco_field *f,
                                    taco_array *out, taco_error *err);

TACO__FN bool taco__vec_arrow_store_int(taco__arena *arena, const taco__vec *v, const taco_field *f,
                                        taco_array *out, taco_error *err)
{
    size_t   i, w = (size_t)f->width;
    uint8_t *p = (uint8_t *)(f->type == TACO_BOOL
                                 ? taco__arena_alloc(arena, TACO__BITMAP_BYTES(v->n) + 8, err)
                                 : taco__arena_array(arena, v->n + 1, w, err));
    if (!p) {
        return false;
    }
    out->v.any = p;
    for (i = 0; i < v->n; i++) {
        int64_t x = v->v.i[i * v->step];
        if (f->type == TACO_BOOL) {
            if (x && taco__vec_is_valid(v, i)) {
                taco__bitmap_set(p, i);
            }
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
TACO__FN bool taco__vec_arrow_store_fixed(taco__arena *arena, const taco__vec *v,
                                          const taco_field *f, taco_array *out, taco_error *err)
{
    size_t   i, k, w = (size_t)f->width;
    uint8_t *p = (uint8_t *)taco__arena_array(arena, v->n + 1, w, err);
    if (!p) {
        return false;
    }
    out->v.any = p;
    for (i = 0; i < v->n; i++) {
        if (!taco__vec_is_valid(v, i)) {
            continue;
        }
        if (f->type == TACO_UINT64) {
            memcpy(p + i * 8, &v->v.d[i * v->step].w[0], 8);
        } else if (f->type == TACO_DECIMAL) {
            for (k = 0; k < w / 8; k++) {
                taco__put_le64(p + i * w + k * 8, v->v.d[i * v->step].w[k]);
            }
        } else if (f->type == TACO_FLOAT) {
            float x = (float)v->v.f[i * v->step];
            memcpy(p + i * 4, &x, 4);
        } else if (f->type == TACO_DOUBLE) {
            memcpy(p + i * 8, &v->v.f[i * v->step], 8);
        } else if (v->v.s[i * v->step].len == w) { /* UUID */
            memcpy(p + i * w, v->v.s[i * v->step].data, w);
        }
    }
    return true;
}
TACO__FN bool taco__vec_fail_too_long(taco_error *err)
{
    TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
               "the values of a batch take more than 2147483647 bytes or elements");
    return false;
}
TACO__FN bool taco__vec_arrow_store_text(taco__arena *arena, const taco__vec *v, taco_array *out,
                                         taco_error *err)
{
    int32_t *offsets = (int32_t *)taco__arena_array(arena, v->n + 1, sizeof *offsets, err);
    uint64_t total = 0;
    size_t   i;
    uint8_t *p;
    for (i = 0; i < v->n; i++) {
        total += taco__vec_is_valid(v, i) ? v->v.s[i * v->step].len : 0;
    }
    if (total > INT32_MAX) {
        return taco__vec_fail_too_long(err);
    }
    p = (uint8_t *)taco__arena_alloc(arena, (size_t)total, err);
    if (!offsets || !p) {
        return false;
    }
    out->offsets = offsets;
    out->v.any = p;
    for (i = 0, total = 0; i < v->n; i++) {
        taco_bytes b = taco__vec_is_valid(v, i) ? v->v.s[i * v->step] : taco__bytes_of(NULL, 0);
        if (b.len) {
            memcpy(p + total, b.data, b.len);
        }
        total += b.len;
        offsets[i + 1] = (int32_t)total;
    }
    return true;
}

/* ---- choosing rows --------------------------------------------------------------------------------- */

/* out = the rows idx[0..n) of v; TACO__VEC_NONE gives null. Bytes are shared with v. */
TACO__FN bool taco__vec_take(taco__arena *arena, const taco__vec *v, const uint32_t *idx, size_t n,
                             taco__vec *out, taco_error *err)
{
    taco__physical_type p = taco__sql_type_physical(v->type);
    size_t              i, gone = 0;
    uint32_t            k;
    for (i = 0; i < n; i++) {
        gone += idx[i] == TACO__VEC_NONE;
    }
    if (p == TACO__PHYS_STRUCT || p == TACO__PHYS_LIST) {
        memset(out, 0, sizeof *out);
        out->type = v->type;
        out->n = n;
        out->step = 1;
        out->kids = v->kids; /* lists keep their child */
    } else if (!taco__vec_init(arena, v->type, n, out, err)) {
        return false;
    }
    if (p == TACO__PHYS_LIST) {
        out->v.l = (taco__sql_list_span *)taco__arena_array(arena, n, sizeof *out->v.l, err);
        if (!out->v.l) {
            return false;
        }
    }
    if ((v->valid || gone) && p != TACO__PHYS_NULL) {
        if (!taco__vec_init_validity(arena, out, err)) {
            return false;
        }
        for (i = 0; i < n; i++) {
            out->valid[i] = idx[i] != TACO__VEC_NONE && taco__vec_is_valid(v, idx[i]);
        }
    }
#define TACO__VEC_COPY(m)                                                                          \
    for (i = 0; i < n; i++) {                                                                      \
        if (idx[i] != TACO__VEC_NONE) {                                                            \
            out->v.m[i] = v->v.m[idx[i] * v->step];                                                \
        }                                                                                          \
    }                                                                                              \
    break
    switch (p) {
    case TACO__PHYS_INT: TACO__VEC_COPY(i);
    case TACO__PHYS_DBL: TACO__VEC_COPY(f);
    case TACO__PHYS_BIG: TACO__VEC_COPY(d);
    case TACO__PHYS_STR: TACO__VEC_COPY(s);
    case TACO__PHYS_LIST: TACO__VEC_COPY(l);
    case TACO__PHYS_STRUCT:
        out->kids = (taco__vec *)taco__arena_array(arena, v->type->count, sizeof *out->kids, err);
        for (k = 0; out->kids && k < v->type->count; k++) {
            uint32_t       *at = NULL;
            const uint32_t *use = idx;
            if (!v->step) { /* a constant: its child has one row */
                at = (uint32_t *)taco__arena_array(arena, n, sizeof *at, err);
                for (i = 0; at && i < n; i++) {
                    at[i] = idx[i] == TACO__VEC_NONE ? idx[i] : 0;
                }
                use = at;
            }
            if (!use || !taco__vec_take(arena, &v->kids[k], use, n, &out->kids[k], err)) {
                return false;
            }
        }
        return out->kids != NULL;
    default: break;
    }
#undef TACO__VEC_COPY
    return true;
}
/* A vector whose value i stands at i; v itself unless it is a constant. */
TACO__FN bool taco__vec_flatten(taco__arena *arena, taco__vec *v, taco_error *err)
{
    uint32_t *idx;
    taco__vec out;
    if (v->step) {
        return true;
    }
    idx = (uint32_t *)taco__arena_array(arena, v->n, sizeof *idx, err); /* zeros */
    if (!idx || !taco__vec_take(arena, v, idx, v->n, &out, err)) {
        return false;
    }
    *v = out;
    return true;
}
TACO__FN bool taco__vec_arrow_store_list(taco__arena *arena, const taco__vec *v,
                                         const taco_field *f, taco_array *out, taco_error *err)
{
    int32_t    *offsets = (int32_t *)taco__arena_array(arena, v->n + 1, sizeof *offsets, err);
    taco_array *kid = (taco_array *)taco__arena_alloc(arena, sizeof *kid, err);
    uint64_t    total = 0;
    uint32_t   *idx;
    size_t      i, k;
    taco__vec   chosen;
    for (i = 0; i < v->n; i++) {
        total += taco__vec_is_valid(v, i) ? v->v.l[i * v->step].len : 0;
    }
    if (total > INT32_MAX) {
        return taco__vec_fail_too_long(err);
    }
    idx = (uint32_t *)taco__arena_array(arena, (size_t)total, sizeof *idx, err);
    if (!offsets || !kid || !idx) {
        return false;
    }
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
TACO__FN bool taco__vec_arrow_store(taco__arena *arena, const taco__vec *v, const taco_field *f,
                                    taco_array *out, taco_error *err)
{
    size_t   i;
    uint8_t *bits;
    memset(out, 0, sizeof *out);
    out->field = f;
    out->length = v->n;
    if (v->valid) {
        bits = (uint8_t *)taco__arena_alloc(arena, TACO__BITMAP_BYTES(v->n) + 8, err);
        if (!bits) {
            return false;
        }
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

/* ---- columns that grow ----------------------------------------------------------------------------- */

/* A column of a result that is held: rows are appended, bytes are copied into the arena. */
typedef struct taco__vec_builder {
    taco__vec                 v;
    size_t                    cap;
    struct taco__vec_builder *kids;
} taco__vec_builder;

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
            if (!taco__vec_builder_init(arena, &type->kids[k], &p->kids[k], err)) {
                return false;
            }
            p->v.kids[k] = p->kids[k].v;
        }
        return p->kids && p->v.kids;
    }
    return true;
}
TACO__FN bool taco__vec_builder_reserve(taco__arena *arena, taco__vec_builder *p, size_t extra,
                                        taco_error *err)
{
    size_t   size = taco__sql_type_physical_size(taco__sql_type_physical(p->v.type)), cap;
    uint8_t *valid;
    void    *data = NULL;
    if (extra <= p->cap - p->v.n) {
        return true;
    }
    if (extra > UINT32_MAX - 1 - p->v.n) {
        return taco__vec_fail_too_long(err);
    }
    cap = TACO__MAX(p->v.n + extra, p->cap ? p->cap * 2 : (size_t)64);
    valid = (uint8_t *)taco__arena_alloc(arena, cap, err);
    data = size ? taco__arena_array(arena, cap, size, err) : NULL;
    if (!valid || (size && !data)) {
        return false;
    }
    if (p->v.n) {
        memcpy(valid, p->v.valid, p->v.n);
        if (size) {
            memcpy(data, p->v.v.any, p->v.n * size);
        }
    }
    p->v.valid = valid;
    p->v.v.any = data;
    p->cap = cap;
    return true;
}
/* Appends the rows idx[0..n) of v, or for NULL its first n. */
TACO__FN bool taco__vec_builder_append(taco__arena *arena, taco__vec_builder *p, const taco__vec *v,
                                       const uint32_t *idx, size_t n, taco_error *err)
{
    taco__physical_type ph = taco__sql_type_physical(v->type);
    size_t              i, k, from = p->v.n;
    if (!taco__vec_builder_reserve(arena, p, n, err)) {
        return false;
    }
    for (i = 0; i < n; i++) {
        size_t row = idx ? idx[i] : i, to = from + i;
        bool   ok = taco__vec_is_valid(v, row) && ph != TACO__PHYS_NULL;
        p->v.valid[to] = ok;
        row *= v->step;
        if (!ok && ph != TACO__PHYS_STRUCT) {
            continue;
        }
        switch (ph) {
        case TACO__PHYS_INT: p->v.v.i[to] = v->v.i[row]; break;
        case TACO__PHYS_DBL: p->v.v.f[to] = v->v.f[row]; break;
        case TACO__PHYS_BIG: p->v.v.d[to] = v->v.d[row]; break;
        case TACO__PHYS_STR: {
            char *copy = taco__arena_text(arena, v->v.s[row], err);
            if (!copy) {
                return false;
            }
            p->v.v.s[to] = taco__bytes_of(copy, v->v.s[row].len);
            break;
        }
        case TACO__PHYS_LIST: {
            uint32_t *at = (uint32_t *)taco__arena_array(arena, v->v.l[row].len, 4, err);
            for (k = 0; at && k < v->v.l[row].len; k++) {
                at[k] = v->v.l[row].at + (uint32_t)k;
            }
            p->v.v.l[to].at = (uint32_t)p->kids[0].v.n;
            p->v.v.l[to].len = v->v.l[row].len;
            if (!at || !taco__vec_builder_append(arena, &p->kids[0], &v->kids[0], at,
                                                 v->v.l[row].len, err)) {
                return false;
            }
            break;
        }
        case TACO__PHYS_STRUCT: {
            uint32_t at = (uint32_t)row;
            for (k = 0; k < v->type->count; k++) {
                if (!taco__vec_builder_append(arena, &p->kids[k], &v->kids[k], &at, 1, err)) {
                    return false;
                }
            }
            break;
        }
        default: break;
        }
    }
    p->v.n += n;
    for (k = 0; k < v->type->count; k++) {
        p->v.kids[k] = p->kids[k].v;
    }
    return true;
}

/* ---- order and hashes ------------------------------------------------------------------------------ */

TACO__FN int taco__vec_compare(const taco__vec *a, size_t i, const taco__vec *b, size_t j);

/* Nulls inside lists and structs are last, as values of a sort are. */
TACO__FN int taco__vec_compare_nulls(const taco__vec *a, size_t i, const taco__vec *b, size_t j)
{
    bool x = taco__vec_is_valid(a, i), y = taco__vec_is_valid(b, j);
    if (!x || !y) {
        return (int)y - (int)x;
    }
    return taco__vec_compare(a, i, b, j);
}
/* Order of two values of one type that are not null. */
TACO__FN int taco__vec_compare(const taco__vec *a, size_t i, const taco__vec *b, size_t j)
{
    size_t k;
    int    c;
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
            if (c) {
                return c;
            }
        }
        return (x.len > y.len) - (x.len < y.len);
    }
    case TACO__PHYS_STRUCT:
        for (k = 0; k < a->type->count; k++) {
            c = taco__vec_compare_nulls(&a->kids[k], i, &b->kids[k], j);
            if (c) {
                return c;
            }
        }
        return 0;
    default: return 0;
    }
}
TACO__INLINE uint64_t taco__vec_hash_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= UINT64_C(0xD6E8FEB86659FD93);
    x ^= x >> 32;
    x *= UINT64_C(0xD6E8FEB86659FD93);
    return x ^ x >> 32;
}
TACO__FN uint64_t taco__vec_hash_one(const taco__vec *v, size_t i)
{
    uint64_t h = 0;
    size_t   k;
    if (!taco__vec_is_valid(v, i)) {
        return 0x9E3779B9;
    }
    i *= v->step;
    switch (taco__sql_type_physical(v->type)) {
    case TACO__PHYS_INT: return taco__vec_hash_mix((uint64_t)v->v.i[i]);
    case TACO__PHYS_DBL:
        return v->v.f[i] != v->v.f[i]
                   ? 77
                   : taco__vec_hash_mix(taco__f64_to_bits(v->v.f[i] == 0 ? 0.0 : v->v.f[i]));
    case TACO__PHYS_BIG:
        return taco__vec_hash_mix(v->v.d[i].w[0] ^ taco__vec_hash_mix(v->v.d[i].w[1]));
    case TACO__PHYS_STR:
        return v->v.s[i].len ? taco__xxh64_hash(0, v->v.s[i].data, v->v.s[i].len) : 1;
    case TACO__PHYS_LIST:
        for (k = 0; k < v->v.l[i].len; k++) {
            h = taco__vec_hash_mix(h ^ taco__vec_hash_one(&v->kids[0], v->v.l[i].at + k));
        }
        return h;
    case TACO__PHYS_STRUCT:
        for (k = 0; k < v->type->count; k++) {
            h = taco__vec_hash_mix(h ^ taco__vec_hash_one(&v->kids[k], i));
        }
        return h;
    default: return 0;
    }
}
/* Mixes the hash of every row into out[0..n). */
TACO__FN void taco__vec_hash(const taco__vec *v, uint64_t *out)
{
    size_t i;
    for (i = 0; i < v->n; i++) {
        out[i] = taco__vec_hash_mix(out[i] * 31 + taco__vec_hash_one(v, i));
    }
}
/* Rows that are equal in all columns; null equals null. */
TACO__FN bool taco__vec_equal(const taco__vec *a, size_t i, const taco__vec *b, size_t j,
                              size_t columns)
{
    size_t k;
    for (k = 0; k < columns; k++) {
        if (taco__vec_compare_nulls(&a[k], i, &b[k], j) != 0) {
            return false;
        }
    }
    return true;
}
