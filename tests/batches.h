/* Generated columns of every type, including nested ones. The including file defines `static
   uint32_t any(uint32_t n)`, which returns 0 .. n - 1; everything generated is valid until
   forget(). */
#ifndef TACO_BATCHES_H
#define TACO_BATCHES_H

static void *pool[200000];
static size_t pool_count;

static void *keep(size_t size)
{
    void *p = calloc(1, size + 1);
    pool[pool_count++] = p;
    return p;
}

static void forget(void)
{
    while (pool_count) {
        free(pool[--pool_count]);
    }
}

static taco_field leaf(const char *name, taco_type type, int32_t width, bool nullable)
{
    taco_field f;
    memset(&f, 0, sizeof f);
    f.name = name;
    f.type = type;
    f.width = width;
    f.nullable = nullable;
    return f;
}

static taco_field nest(const char *name, taco_type type, const taco_field *children, uint32_t n,
                       bool nullable)
{
    taco_field f = leaf(name, type, 0, nullable);
    taco_field *copy = (taco_field *)keep(n * sizeof *copy);
    memcpy(copy, children, n * sizeof *copy);
    f.children = copy;
    f.child_count = n;
    return f;
}

static void fill_text(taco_array *a, size_t n)
{
    int32_t *offsets = (int32_t *)keep((n + 1) * 4);
    uint8_t *bytes = (uint8_t *)keep(n * 100 + 1);
    int32_t at = 0;
    size_t i, k;
    for (i = 0; i < n; i++) {
        size_t len = any(4) ? any(6) : any(100);
        for (k = 0; k < len; k++) {
            bytes[at++] = (uint8_t)(a->field->type == TACO_BINARY ? any(256) : 'a' + any(3));
        }
        if (len == 0 && a->field->type == TACO_DECIMAL) { bytes[at++] = 7; }
        offsets[i + 1] = at;
    }
    a->offsets = offsets;
    a->v.any = bytes;
}

static void fill_numbers(taco_array *a, size_t n)
{
    size_t width = (size_t)a->field->width, i, k;
    uint8_t *bytes = (uint8_t *)keep(n * width + 8);
    uint8_t last[64] = {0};
    for (i = 0; i < n; i++) {
        uint32_t kind = any(6);
        for (k = 0; k < width; k++) {
            uint8_t fill = (uint8_t)(kind == 0   ? 0
                                     : kind == 1 ? 0xFF
                                     : kind == 2 ? 0x7F
                                                 : any(256));
            last[k] = kind >= 4 ? last[k] : fill;
        }
        if (a->field->type == TACO_DECIMAL) { /* what the precision holds */
            memset(last, any(2) ? 0 : 0xFF, width);
            last[0] = (uint8_t)any(256);
        }
        if (a->field->type == TACO_TIME) {
            uint64_t wide = any(256);
            uint32_t narrow = (uint32_t)wide;
            memcpy(last, width == 4 ? (const void *)&narrow : (const void *)&wide, width);
        }
        memcpy(bytes + i * width, last, width);
    }
    a->v.any = bytes;
}

static taco_array fill(const taco_field *f, size_t n);

static void fill_list(taco_array *a, size_t n)
{
    int32_t *offsets = (int32_t *)keep((n + 1) * 4);
    taco_array *child = (taco_array *)keep(sizeof *child);
    size_t i;
    for (i = 0; i < n; i++) {
        /* null rows have items too */
        offsets[i + 1] = offsets[i] + (int32_t)(any(3) ? any(4) : 0);
    }
    *child = fill(a->field->children, (size_t)offsets[n]);
    if (a->field->type == TACO_MAP) { child->validity = NULL; }
    a->offsets = offsets;
    a->children = child;
}

static taco_array fill(const taco_field *f, size_t n)
{
    taco_array a;
    size_t i;
    uint32_t kind = any(8);
    memset(&a, 0, sizeof a);
    a.field = f;
    a.length = n;
    if (f->nullable) {
        uint8_t *validity = (uint8_t *)keep(n / 8 + 1);
        for (i = 0; i < n; i++) {
            if (kind ? any(4) != 0 : kind == 1) { /* also: none at all */
                taco__bitmap_set(validity, i);
            } else {
                a.null_count++;
            }
        }
        a.validity = validity;
    }
    if (f->type == TACO_LIST || f->type == TACO_MAP) {
        fill_list(&a, n);
    } else if (f->type == TACO_STRUCT) {
        taco_array *children = (taco_array *)keep(f->child_count * sizeof *children);
        for (i = 0; i < f->child_count; i++) {
            children[i] = fill(&f->children[i], n);
        }
        a.children = children;
    } else if (f->type == TACO_TEXT || f->type == TACO_BINARY ||
               (f->type == TACO_DECIMAL && !f->width)) {
        fill_text(&a, n);
    } else if (f->type == TACO_BOOL) {
        uint8_t *bits = (uint8_t *)keep(n / 8 + 1);
        for (i = 0; i < n / 8 + 1; i++) {
            bits[i] = (uint8_t)any(256);
        }
        a.v.any = bits;
    } else if (f->type != TACO_NULL) {
        fill_numbers(&a, n);
    }
    return a;
}

/* One field of every type, and nested ones. */
static size_t all_fields(taco_field *f)
{
    static const struct {
        taco_type type;
        int32_t width, precision;
        taco_unit unit;
    } types[] = {{TACO_NULL, 0, 0, TACO_SECOND},      {TACO_BOOL, 0, 0, TACO_SECOND},
                 {TACO_INT8, 1, 0, TACO_SECOND},      {TACO_INT16, 2, 0, TACO_SECOND},
                 {TACO_INT32, 4, 0, TACO_SECOND},     {TACO_INT64, 8, 0, TACO_SECOND},
                 {TACO_UINT8, 1, 0, TACO_SECOND},     {TACO_UINT16, 2, 0, TACO_SECOND},
                 {TACO_UINT32, 4, 0, TACO_SECOND},    {TACO_UINT64, 8, 0, TACO_SECOND},
                 {TACO_HALF, 2, 0, TACO_SECOND},      {TACO_FLOAT, 4, 0, TACO_SECOND},
                 {TACO_DOUBLE, 8, 0, TACO_SECOND},    {TACO_DECIMAL, 16, 5, TACO_SECOND},
                 {TACO_DECIMAL, 16, 15, TACO_SECOND}, {TACO_DECIMAL, 16, 30, TACO_SECOND},
                 {TACO_DECIMAL, 32, 70, TACO_SECOND}, {TACO_DECIMAL, 0, 90, TACO_SECOND},
                 {TACO_DATE, 4, 0, TACO_SECOND},      {TACO_TIME, 4, 0, TACO_MILLI},
                 {TACO_TIME, 8, 0, TACO_NANO},        {TACO_TIMESTAMP, 8, 0, TACO_MILLI},
                 {TACO_TIMESTAMP, 8, 0, TACO_MICRO},  {TACO_TIMESTAMP, 8, 0, TACO_NANO},
                 {TACO_INTERVAL, 12, 0, TACO_SECOND}, {TACO_INT96, 12, 0, TACO_SECOND},
                 {TACO_TEXT, 0, 0, TACO_SECOND},      {TACO_BINARY, 0, 0, TACO_SECOND},
                 {TACO_FIXED, 5, 0, TACO_SECOND},     {TACO_UUID, 16, 0, TACO_SECOND}};

    static char names[200][8];
    size_t i, n = 0;
    taco_field part[3], inner[2];
    for (i = 0; i < 2 * TACO__COUNT(types); i++) {
        sprintf(names[i], "c%u", (unsigned)i);
        f[n] = leaf(names[i], types[i / 2].type, types[i / 2].width,
                    i % 2 || types[i / 2].type == TACO_NULL);
        f[n].precision = types[i / 2].precision;
        f[n].scale = types[i / 2].precision / 3;
        f[n].unit = types[i / 2].unit;
        f[n++].utc = i % 2 != 0;
    }
    part[0] = leaf("element", TACO_INT32, 4, true);
    f[n++] = nest("list", TACO_LIST, part, 1, true);
    part[0] = nest("element", TACO_LIST, part, 1, false);
    f[n++] = nest("lists", TACO_LIST, part, 1, false);
    inner[0] = leaf("key", TACO_TEXT, 0, false);
    inner[1] = leaf("value", TACO_DOUBLE, 8, true);
    part[0] = nest("key_value", TACO_STRUCT, inner, 2, false);
    f[n++] = nest("map", TACO_MAP, part, 1, true);
    part[0] = nest("element", TACO_MAP, part, 1, true);
    part[1] = nest("deep", TACO_LIST, part, 1, true);
    part[0] = leaf("x", TACO_TEXT, 0, true);
    part[2] = leaf("y", TACO_BOOL, 0, false);
    f[n++] = nest("struct", TACO_STRUCT, part, 3, true);
    part[0] = nest("element", TACO_STRUCT, part, 3, true);
    f[n++] = nest("structs", TACO_LIST, part, 1, true);
    return n;
}

#endif
