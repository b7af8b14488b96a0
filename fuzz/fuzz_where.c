/* clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined
   fuzz/fuzz_where.c -o build/fuzz_where && build/fuzz_where -max_len=2048 seeds/where

   Any bytes as a condition over a table of every type. A condition that binds is evaluated, also
   negated, and against the statistics of the same rows: the two results must not overlap, and no
   row may contradict the statistics. */
#define TACO_PARQUET_IMPLEMENTATION
#include "../taco_parquet.h"

#define ROWS    70
#define COLUMNS 16

static taco_field fields[COLUMNS];
static taco_array arrays[COLUMNS], entries;
static taco__column_stats ranges[COLUMNS];
static uint64_t longs[ROWS], flags[2] = {0x123456789ABCDEFU, 0x2A},
                             nulls[2] = {0xFFFFFFF7FFFFFFEFU, 0x3F};
static double doubles[ROWS];
static float floats[ROWS];
static int32_t ints[ROWS], offsets[ROWS + 1], index4[ROWS];
static uint8_t wide[ROWS * 16];
static char text[ROWS * 4 + 1];

static void add(const char *name, taco_type type, int32_t width, const void *values)
{
    static size_t n;
    fields[n].name = name;
    fields[n].type = type;
    fields[n].width = width;
    fields[n].unit = TACO_MICRO;
    fields[n].precision = 18;
    fields[n].scale = 3;
    arrays[n].field = &fields[n];
    arrays[n].length = ROWS;
    arrays[n].validity = n % 2 ? (const uint8_t *)nulls : NULL;
    arrays[n].v.any = values;
    if (type == TACO_TEXT || type == TACO_BINARY) { arrays[n].offsets = offsets; }
    n++;
}

static void bounds(size_t c)
{
    taco__pred_operand s;
    taco__expr col;
    taco__scalar v;
    size_t i;
    memset(&s, 0, sizeof s);
    memset(&col, 0, sizeof col);
    col.kind = TACO__PRED_COLUMN;
    col.type = taco__scalar_type_of_field(&fields[c]);
    s.e = &col;
    s.a = &arrays[c];
    s.plain = arrays[c].dictionary ? &entries : &arrays[c];
    ranges[c].row_count = ROWS;
    for (i = 0; i < ROWS; i++) {
        if (arrays[c].validity && !taco__bitmap_get(arrays[c].validity, i)) {
            ranges[c].null_count++;
            continue;
        }
        if (taco__scalar_domain_of(col.type.id) == TACO__DOMAIN_NONE) { continue; }
        v = taco__pred_compare_operand_scalar(&s, i);
        if (v.f != v.f) { continue; }
        if (!ranges[c].has_min ||
            taco__scalar_compare(taco__scalar_domain_of(v.type.id), &v, &ranges[c].min) < 0) {
            ranges[c].min = v;
        }
        if (!ranges[c].has_min ||
            taco__scalar_compare(taco__scalar_domain_of(v.type.id), &v, &ranges[c].max) > 0) {
            ranges[c].max = v;
        }
        ranges[c].has_min = ranges[c].has_max = true;
    }
}

static void prepare(void)
{
    size_t i;
    for (i = 0; i < ROWS; i++) {
        uint64_t x = i * 0x9E3779B97F4A7C15U;
        longs[i] = i % 3 ? x >> x % 61 : (uint64_t)i - 20;
        doubles[i] =
            i % 7 ? (double)(int64_t)longs[i] / 8 : taco__f64_from_bits((uint64_t)0x7FF8 << 48);
        floats[i] = (float)doubles[i];
        ints[i] = (int32_t)longs[i];
        index4[i] = nulls[i / 64] >> i % 64 & 1 ? (int32_t)(i % 4) : -1;
        offsets[i] = (int32_t)(i * i % 5 + i * 3);
        offsets[i] = i ? (offsets[i] < offsets[i - 1] ? offsets[i - 1] : offsets[i]) : 0;
        memcpy(text + i * 4, i % 2 ? "ab\xC3\xA9" : "%x_A", 4);
        taco__put_le64(wide + i * 16, longs[i]);
        memset(wide + i * 16 + 8, i % 2 ? 0xFF : 0, 8);
    }
    offsets[ROWS] = ROWS * 4;
    add("a", TACO_INT64, 8, longs);
    add("b", TACO_INT64, 8, longs);
    add("u", TACO_UINT64, 8, longs);
    add("i", TACO_INT32, 4, ints);
    add("d", TACO_DOUBLE, 8, doubles);
    add("f", TACO_FLOAT, 4, floats);
    add("p", TACO_BOOL, 0, flags);
    add("q", TACO_BOOL, 0, flags);
    add("s", TACO_TEXT, 0, text);
    add("t", TACO_TEXT, 0, index4);
    entries = arrays[9];
    entries.validity = NULL;
    entries.length = 4;
    entries.v.any = text;
    arrays[9].dictionary = &entries;
    add("ts", TACO_TIMESTAMP, 8, longs);
    add("da", TACO_DATE, 4, ints);
    add("c", TACO_DECIMAL, 16, wide);
    add("x", TACO_BINARY, 0, text);
    add("g", TACO_UUID, 16, wide);
    add("l", TACO_LIST, 0, text);
    for (i = 0; i < COLUMNS; i++) {
        bounds(i);
    }
}

static taco__expr *expr_not(taco__arena *arena, taco__expr *child, taco_error *err)
{
    taco__expr *e = child ? taco__expr_make(arena, TACO__PRED_NOT, child->at, err) : NULL;
    if (e) { taco__expr_append_child(e, child); }
    return e;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const taco_array *columns[COLUMNS];
    taco__mem m;
    taco__arena arena;
    taco_error err;
    taco__expr *e, *n;
    uint8_t yes[16] = {0}, no[16] = {0};
    size_t i;
    bool ok;
    if (!fields[0].name) { prepare(); }
    for (i = 0; i < COLUMNS; i++) {
        columns[i] = &arrays[i];
    }
    memset(&err, 0, sizeof err);
    taco__mem_init(&m, NULL);
    arena.mem = &m;
    arena.head = NULL;
    e = taco__pred_parse(&arena, (const char *)data, size, NULL, &err);
    n = e ? expr_not(&arena, taco__pred_parse(&arena, (const char *)data, size, NULL, &err), &err)
          : NULL;
    ok = n && taco__pred_bind(e, fields, COLUMNS, &arena, &err) &&
         taco__pred_bind(n, fields, COLUMNS, &arena, &err) &&
         taco__pred_eval(e, columns, ROWS, yes, &m, &err) &&
         taco__pred_eval(n, columns, ROWS, no, &m, &err);
    if (ok != (err.code == TACO_OK) || (!ok && !err.text[0])) { abort(); }
    if (ok) {
        unsigned may = taco__pred_prune(e, ranges);
        for (i = 0; i < ROWS; i++) {
            bool t = taco__bitmap_get(yes, i), f = taco__bitmap_get(no, i);
            unsigned is = t ? TACO__MAY_TRUE : f ? TACO__MAY_FALSE : TACO__MAY_NULL;
            if ((t && f) || !(may & is)) { abort(); }
        }
    }
    taco__arena_free(&arena);
    if (m.used) { abort(); }
    return 0;
}
