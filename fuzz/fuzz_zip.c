/* Archives: end records, directory, local headers, TACO_HEADER, recovery, and the TACOCAT header of
   any bytes. clang -g -O1 -fsanitize=fuzzer,address,undefined -I.. fuzz_zip.c -o fuzz_zip &&
   ./fuzz_zip -max_len=8192 */
#define TACO_IMPLEMENTATION
#include "../taco.h"

#include <stdlib.h>

/* What an index promises: ranges inside the file, apart from each other. */
static void check_index(const taco__index *x, uint64_t size)
{
    size_t i, k;
    if (x->levels == 0 || x->level[0].len == 0 || x->collection.len == 0) { abort(); }
    for (i = 0; i <= TACO__INDEX_LEVELS; i++) {
        const taco__range *a = taco__index_get_range(x, i);
        if (a->len && !taco__checked_range(a->offset, a->len, size)) { abort(); }
        for (k = 0; k < i; k++) {
            const taco__range *b = taco__index_get_range(x, k);
            if (a->len && b->len && a->offset < b->offset + b->len &&
                b->offset < a->offset + a->len) {
                abort();
            }
        }
    }
}

static void walk(taco__file *f, taco__mem *mem)
{
    taco__buf whole, scratch;
    taco__zip_dir dir;
    taco__zip_entry e;
    taco__zip_local_header local;
    taco_bytes directory;
    taco_error err;
    memset(&whole, 0, sizeof whole);
    memset(&err, 0, sizeof err);
    whole.mem = mem;
    scratch = whole;
    if (taco__zip_open(f, &dir, &whole, &err) == TACO_OK &&
        taco__zip_read_directory(f, &dir, 1 << 20, &whole, &directory, &err) == TACO_OK) {
        taco__zip_iter it = taco__zip_iter_init(directory, &dir);
        while (taco__zip_next(&it, &e, &err)) {
            taco_error none;
            memset(&none, 0, sizeof none);
            if (taco__zip_locate_entry(f, &dir, &e, &local, &scratch, &none) == TACO_OK &&
                !taco__checked_range(local.data, e.csize, f->src.size)) {
                abort();
            }
        }
        if (it.bad != (err.code != TACO_OK)) { abort(); }
    }
    taco__buf_free(&whole);
    taco__buf_free(&scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    taco_source src;
    taco__mem mem;
    taco__file f;
    taco__index x;
    taco_error err;
    taco_bytes first = taco__bytes_of(data, TACO__MIN(size, (size_t)256));
    taco_source_memory(&src, data, size);
    src.view = NULL;
    taco__mem_init(&mem, NULL);
    taco__file_init(&f, &src, "fuzz", &mem);
    memset(&err, 0, sizeof err);
    if (taco__index_read_header(first, size, &x, &err) == TACO_OK) { check_index(&x, size); }
    memset(&err, 0, sizeof err);
    if (taco__index_read_tacocat(first, size, &x, &err) == TACO_OK) { check_index(&x, size); }
    memset(&err, 0, sizeof err);
    if (taco__index_recover(&f, 1 << 20, &x, &err) == TACO_OK) { check_index(&x, size); }
    walk(&f, &mem);
    taco__file_close(&f);
    if (mem.used) { abort(); }
    return 0;
}
