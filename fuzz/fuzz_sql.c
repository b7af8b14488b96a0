/* clang -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I.. -o fuzz_sql
   fuzz_sql.c

   Any text as a query over a small archive of two levels, and over one with a column of every type
   if that is found: parsed, bound, run; an error has a message, a result its columns. Tasks give the
   same rows and the same failure as one thread. */
#define TACO__SQL_TASK_ROWS ((uint64_t)1)
#define TACO_IMPLEMENTATION
#include "../taco.h"
#include "../extra/taco_sql.h"

#define CHECK(cond) ((cond) ? (void)0 : abort())
#define TEST_FN     static
#include "../tests/footer.h"
#include "../tests/make.h"
#include "tasks.h"

static mk_buf made;
static taco_dataset *set, *tasks, *types;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void sql_archive(void)
{
    static const char *const ids[] = {"x", "y", "z"},
                             *const type[] = {"FOLDER", "FOLDER", "FOLDER"},
                             *const file[] = {"FILE", "FILE", "FILE"};
    static const int64_t row[] = {0, 1, 2}, at[] = {MK_PAYLOAD, MK_PAYLOAD, MK_PAYLOAD};
    static const double v[] = {1, 2.5, -3};
    static const uint8_t null[] = {0, 0, 1};
    taco_error err;
    taco_options opt;
    taco_source src;
    mk_col c[6];
    mk_buf levels[2];
    c[0] = mk_text("id", ids);
    c[1] = mk_text("type", type);
    c[2] = mk_f64("v", v);
    c[2].null = null;
    c[3] = mk_i64("internal:current_id", row);
    c[4] = mk_i64("internal:offset", at);
    c[5] = mk_i64("internal:size", at);
    levels[0] = mk_parquet(c, 6, 3, 2);
    c[1] = mk_text("type", file);
    c[3] = mk_i64("internal:parent_id", row);
    levels[1] = mk_parquet(c, 6, 3, 2);
    made = mk_archive(levels, 2, MK_NESTED, "data", 4);
    memset(&err, 0, sizeof err);
    memset(&opt, 0, sizeof opt);
    opt.limits.max_memory = (uint64_t)128 << 20;
    taco_source_memory(&src, made.data, made.len);
    set = taco_open_source(&src, "made.tacozip", &opt, &err);
    if (!set) { abort(); }
    opt.parallel_for = last_first;
    opt.parallel_width = 2;
    tasks = taco_open_source(&src, "made.tacozip", &opt, &err);
    if (!tasks) { abort(); }
    /* from the repository's root */
    types = taco_open("examples/data/types.tacozip", &opt, NULL);
}

/* A hash of the rows and of the failure. */
static uint64_t run(taco_dataset *ds, const char *text)
{
    uint64_t hash = 0;
    taco_error err;
    taco_cursor *c;
    memset(&err, 0, sizeof err);
    c = taco_sql(ds, text, &err);
    if ((c != NULL) != (err.code == TACO_OK) || (!c && !err.text[0])) { abort(); }
    while (taco_cursor_next(c)) {
        const char *row = taco_cursor_json(c);
        if (row[0] != '{' && c->err.code == TACO_OK) { abort(); }
        for (; *row; row++) {
            hash = (hash ^ (uint8_t)*row) * 1099511628211U;
        }
    }
    taco_cursor_close(c, &err);
    return hash ^ (uint64_t)err.code << 56;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = (char *)malloc(size + 1);
    uint64_t hash;
    if (!set) { sql_archive(); }
    memcpy(text, data, size);
    text[size] = 0;
    hash = run(set, text);
    if (run(tasks, text) != hash) { abort(); }
    if (types) { run(types, text); }
    free(text);
    return 0;
}
