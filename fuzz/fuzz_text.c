/* Any text as what is given as text besides SQL and JSON: periods and times, numbers, decimals, ids
   as keys of a path, paths of GDAL. What is written is read back as it was. */
#define TACO_IMPLEMENTATION
#include "../taco.h"

#include "holds.h"

static taco__mem text_mem;

static taco_error no_error(void)
{
    taco_error e;
    memset(&e, 0, sizeof e);
    return e;
}

static void times(const char *text, taco_bytes all)
{
    taco_error err = no_error();
    int64_t first = 0, last = 0, us = 0;
    int32_t days;
    bool date_only, zone;
    char out[64];
    taco_status st;
    int64_t first_us = 0, last_us = 0;
    st = taco__time_parse_range(text, &first, &last, &first_us, &last_us, &err);
    HOLDS(st == err.code && (st != TACO_OK || first <= last));
    taco__time_parse(all, &us, &date_only);
    taco__time_cast_date(all, &days);
    if (taco__time_cast_timestamp(all, &us, &date_only, &zone) && us > INT64_MIN / 2 &&
        us < INT64_MAX / 2) {
        int64_t again = 0;
        size_t n = taco__time_format_timestamp(out, us, TACO_MICRO, false);
        HOLDS(n <= sizeof out);
        if (taco__time_parse(taco__bytes_of(out, n), &again, &date_only)) { HOLDS(again == us); }
    }
}

static void numbers(taco_bytes all)
{
    double x, y;
    float f;
    char out[64];
    uint64_t u;
    int64_t i;
    bool integral;
    taco__num_scan_json(all, &integral);
    taco__num_scan_sql(all, &integral);
    if (taco__num_parse_u64(all, &u)) {
        HOLDS(taco__num_parse_u64(taco__bytes_of(out, taco__num_format_u64(out, u)), &u));
    }
    taco__num_parse_i64(all, &i);
    taco__num_parse_f32(all, &f);
    if (taco__num_parse_f64(all, &x) && x - x == 0) {
        HOLDS(taco__num_parse_f64(taco__bytes_of(out, taco__num_format_f64(out, x)), &y));
        HOLDS(memcmp(&x, &y, sizeof x) == 0);
    }
}

/* The number that a decimal is as text is that which it is as a double. */
static void decimals(taco_bytes all)
{
    uint8_t wide[32];
    int32_t scale = all.len ? all.data[0] % 80 : 0, width = all.len > 20 ? 32 : 16;
    taco__buf text = {&text_mem, NULL, 0, 0};
    taco_error err = no_error();
    double x, y = 0;
    memset(wide, all.len % 2 ? 0xFF : 0, sizeof wide);
    if (all.len) { memcpy(wide, all.data, TACO__MIN(all.len, (size_t)width)); }
    HOLDS(taco__decimal_append_le(&text, wide, width, scale, &err));
    x = taco__decimal_le_to_f64(wide, width, scale);
    HOLDS(taco__num_parse_f64(taco__bytes_of(text.data, text.len), &y) && x == y);
    text.len = 0;
    taco__decimal_append_be(&text, all, scale, &err);
    taco__buf_free(&text);
}

static void keys(taco_bytes id)
{
    taco__arena arena = {&text_mem, NULL};
    taco__buf key = {&text_mem, NULL, 0, 0};
    taco_error err = no_error();
    taco_bytes back;
    uint64_t position;
    HOLDS(taco__nav_append_key(&key, id, &err) && taco__buf_append_char(&key, 0, &err));
    if (id.len && !memchr(id.data, 0, id.len)) {
        HOLDS(taco__nav_key_end((const char *)key.data) == (const char *)key.data + key.len - 1);
        back = taco__nav_key_to_id(taco__bytes_of(key.data, key.len - 1), &arena, &err);
        HOLDS(taco__bytes_equal(back, id));
        HOLDS(!taco__nav_parse_position(taco__bytes_of(key.data, key.len - 1), &position));
    }
    taco__nav_parse_position(id, &position);
    HOLDS(taco__nav_id_predicate(&arena, "id", id, &err) != NULL);
    taco__buf_free(&key);
    taco__arena_free(&arena);
}

/* Neither a path nor a name leaves the folder. */
static void paths(taco_bytes all)
{
    taco__buf out = {&text_mem, NULL, 0, 0};
    taco_error err = no_error();
    size_t i;
    for (i = 0; i < 5; i++) {
        taco_bytes root = taco__bytes_text("/root");
        bool ok = i == 0   ? taco__vsi_append_root(&out, all, &err)
                  : i == 1 ? taco__vsi_append_folder(&out, root, all, false, "id", &err)
                  : i == 2 ? taco__vsi_append_folder(&out, root, all, true, "id", &err)
                  : i == 3 ? taco__vsi_append_child(&out, root, all, &err)
                           : taco__vsi_append_tacocat(&out, 5, (int64_t)all.len,
                                                      taco__bytes_text("/root/"), all, &err);
        HOLDS(ok == (err.code == TACO_OK));
        if (ok && i) {
            HOLDS(taco__buf_append_char(&out, 0, &err));
            HOLDS(strstr((const char *)out.data, "/root"));
            HOLDS(!strstr((const char *)out.data, "/../"));
        }
        taco__vsi_is_remote(all);
        err = no_error();
        out.len = 0;
    }
    taco__buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = (char *)malloc(size + 1);
    taco_bytes all;
    HOLDS(text != NULL);
    if (size) { memcpy(text, data, size); }
    text[size] = 0;
    all = taco__bytes_of(text, size);
    taco__mem_init(&text_mem, NULL);
    times(text, all);
    numbers(all);
    decimals(all);
    keys(all);
    paths(all);
    HOLDS(text_mem.used == 0);
    free(text);
    return 0;
}
