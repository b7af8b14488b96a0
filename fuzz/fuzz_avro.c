/* clang -g -O1 -fsanitize=fuzzer,address,undefined fuzz/fuzz_avro.c -o build/fuzz_avro &&
   build/fuzz_avro -max_len=4096 seeds/avro

   Any bytes as an Avro file. Reads every byte that a column claims to have. */
#define TACO_IMPLEMENTATION
#include "../taco.h"

static uint64_t sum;

static void require(bool ok)
{
    if (!ok) { abort(); }
}

static void touch(const void *p, size_t n)
{
    const uint8_t *b = (const uint8_t *)p;
    size_t i;
    for (i = 0; i < n; i++) {
        sum += b[i];
    }
}

static void visit(const taco_array *a)
{
    const taco_field *f = a->field;
    size_t i, nulls = 0, inner = a->length;
    require(f->name && f->child_count == (a->children ? f->child_count : 0));
    if (f->type != TACO_NULL) {
        for (i = 0; i < a->length; i++) {
            nulls += a->validity && !taco__bitmap_get(a->validity, i);
        }
        require(nulls == a->null_count && (f->nullable || !nulls));
    }
    if (a->offsets) {
        require(a->offsets[0] == 0);
        for (i = 0; i < a->length; i++) {
            require(a->offsets[i] <= a->offsets[i + 1]);
        }
        inner = (size_t)a->offsets[a->length];
    }
    if (f->type == TACO_BOOL) {
        touch(a->v.any, TACO__BITMAP_BYTES(a->length));
    } else if (f->width) {
        touch(a->v.any, a->length * (size_t)f->width);
    } else if (a->offsets && !f->child_count) {
        touch(a->v.any, inner);
    }
    for (i = 0; i < f->child_count; i++) {
        require(a->children[i].length == inner && a->children[i].field == &f->children[i]);
        visit(&a->children[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    taco__mem mem;
    taco__arena arena;
    taco__avro_table table;
    taco_options opt;
    taco_error err;
    size_t i;
    memset(&opt, 0, sizeof opt);
    opt.limits.max_memory = (uint64_t)64 << 20;
    taco__mem_init(&mem, &opt);
    memset(&arena, 0, sizeof arena);
    memset(&err, 0, sizeof err);
    arena.mem = &mem;
    if (taco__avro_read(&arena, taco__bytes_of(data, size), &opt.limits, &table, &err) == TACO_OK) {
        for (i = 0; i < table.field_count; i++) {
            require(table.columns[i].length == table.rows &&
                    table.columns[i].field == &table.fields[i]);
            visit(&table.columns[i]);
        }
    } else {
        require(err.code != TACO_OK && err.text[0]);
    }
    taco__arena_free(&arena);
    require(mem.used == 0);
    return 0;
}
