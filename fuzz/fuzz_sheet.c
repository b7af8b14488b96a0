/* Tables about samples of any bytes, as CSV and as JSON lines: opened or refused, never both; every
   row can be read. clang -g -O1 -fsanitize=fuzzer,address,undefined -I.. fuzz_sheet.c -o fuzz_sheet
   && ./fuzz_sheet -max_len=4096 */
#define TACO_IMPLEMENTATION
#include "../extra/taco_write.h"

#include <stdlib.h>

static taco_bytes input;

static bool open_input(void *ctx, const char *path, taco_source *out)
{
    (void)ctx;
    (void)path;
    taco_source_memory(out, input.data, input.len);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"a.csv", "a.ndjson"};
    taco_options opt;
    size_t i, k, n, row;
    memset(&opt, 0, sizeof opt);
    opt.open_file = open_input;
    input.data = data;
    input.len = size;
    for (k = 0; k < 2; k++) {
        taco_error e;
        taco_table *t;
        const taco_batch *b;
        const taco_field *f;
        memset(&e, 0, sizeof e);
        t = taco_table_open(names[k], &opt, &e);
        if ((t != NULL) == (e.code != TACO_OK)) { abort(); }
        if (!t) { continue; }
        b = taco_table_rows(t);
        f = taco_table_fields(t, &n);
        for (i = 0; i < n; i++) {
            if (b->columns[i].length != b->length || b->columns[i].field->type != f[i].type) {
                abort();
            }
            for (row = 0; row < b->length; row++) {
                if (taco_array_valid(&b->columns[i], row) && f[i].type == TACO_TEXT &&
                    !taco__utf8_valid(taco_array_bytes(&b->columns[i], row))) {
                    abort();
                }
            }
        }
        taco_table_close(t);
    }
    return 0;
}
