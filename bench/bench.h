/* Shared by the C benchmarks: CPU time, medians, files in memory. They compile the library in, to
   reach its private functions. */
#ifndef BENCH_H
#define BENCH_H
#define _POSIX_C_SOURCE 200809L
#define TACO_STATIC
#ifndef TACO_IMPLEMENTATION /* the whole library is the program's to include */
#define TACO_PARQUET_IMPLEMENTATION
#endif
#include "../extra/taco_parquet_write.h"
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static inline double bench_cpu(void) /* seconds of this process, user + system */
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline int bench_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double bench_median(double *v, size_t n)
{
    qsort(v, n, sizeof *v, bench_compare);
    return v[n / 2];
}

static inline void bench_fail(const char *what, const char *why)
{
    fprintf(stderr, "bench: %s: %s\n", what, why);
    exit(2);
}

static inline void *bench_alloc(size_t n)
{
    void *p = calloc(n ? n : 1, 1);
    if (!p) { bench_fail("memory", "there is none"); }
    return p;
}

static inline uint8_t *bench_slurp(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    uint8_t *b;
    if (!f || fseeko(f, 0, SEEK_END) != 0) { bench_fail(path, "cannot be read"); }
    *len = (size_t)ftello(f);
    b = (uint8_t *)bench_alloc(*len + TACO__PAD);
    rewind(f);
    if (fread(b, 1, *len, f) != *len) { bench_fail(path, "cannot be read"); }
    fclose(f);
    return b;
}

/* Compressed pages, or blocks, and what they become. */
typedef struct bench_block {
    const uint8_t *data;
    size_t len, plain;
} bench_block;

typedef struct bench_blocks {
    bench_block *at;
    size_t n, cap, plain, largest;
} bench_blocks;

static inline void bench_add(bench_blocks *b, const uint8_t *data, size_t len, size_t plain)
{
    if (b->n == b->cap) {
        b->cap = b->cap * 2 + 64;
        b->at = (bench_block *)realloc(b->at, b->cap * sizeof *b->at);
    }
    b->at[b->n].data = data;
    b->at[b->n].len = len;
    b->at[b->n++].plain = plain;
    b->plain += plain;
    b->largest = plain > b->largest ? plain : b->largest;
}

/* The bodies of all pages of a file of v1 data pages, which is at `file`; they stay there. */
static inline bench_blocks bench_pages(const char *name, const uint8_t *file, size_t len)
{
    bench_blocks out;
    taco_source src;
    taco_error err;
    taco_pq_file *f;
    uint32_t g, c;
    memset(&out, 0, sizeof out);
    memset(&err, 0, sizeof err);
    taco_source_memory(&src, file, len);
    f = taco_pq_open_source(&src, name, NULL, &err);
    for (g = 0; f && g < f->meta.group_count; g++) {
        for (c = 0; c < f->meta.leaf_count; c++) {
            const taco__pq_column_chunk *k = &f->meta.groups[g].chunks[c];
            uint64_t at = k->pages.offset, end = at + k->pages.len;
            while (at < end && !err.code) {
                taco__pq_page_header page;
                size_t head = 0;
                if (taco__page_header_parse(taco__bytes_of(file + at, (size_t)(end - at)), at,
                                            &page, &head, &err) == TACO_OK) {
                    bench_add(&out, file + at + head, (size_t)page.compressed_size,
                              (size_t)page.uncompressed_size);
                    at += head + page.compressed_size;
                }
            }
        }
    }
    if (err.code) { bench_fail(name, err.text); }
    taco_pq_close(f);
    return out;
}
#endif
