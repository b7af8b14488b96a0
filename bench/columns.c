/* columns - reads one column with the library, for bench/parquet.py. Each line of standard input is
   a command, each line of standard output its result:

       read FILE    seconds of CPU to read every value into arrays, batch by batch
       file FILE    the same with taco_pq_open
       held FILE    the same from memory, as for libzstd: read beforehand, not mapped
       fold FILE    the same with an aggregate over every value, and the aggregate
       sum FILE     order-sensitive checksum, as ../shared/tools/make_columns.py writes it
       zstd FILE    seconds of CPU that libzstd takes to decompress the file's pages from memory; "-" without it
       rows FILE    seconds of CPU to open the file, and its number of rows
       none FILE    the same to find that no row has cloud_cover < -1000, which statistics tell

   The aggregate is the one DuckDB computes: the exclusive or of integers, the sum of floats and of
   lists of them, the sum of text lengths. Except for "file", the file is mapped into memory, as in
   pyarrow. */
#include "bench.h"
#include <fcntl.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

static uint64_t fold_i64(const taco_array *a, uint64_t x)
{
    uint64_t v[4] = {0, 0, 0, 0};
    size_t i = 0;
    for (; a->validity && i < a->length; i++) { /* nulls hold anything */
        x ^= a->v.u64[i] & (0 - (uint64_t)(a->validity[i >> 3] >> (i & 7) & 1));
    }
    for (; i + 4 <= a->length; i += 4) {
        v[0] ^= a->v.u64[i];
        v[1] ^= a->v.u64[i + 1];
        v[2] ^= a->v.u64[i + 2];
        v[3] ^= a->v.u64[i + 3];
    }
    for (; i < a->length; i++) {
        x ^= a->v.u64[i];
    }
    return x ^ v[0] ^ v[1] ^ v[2] ^ v[3];
}

static double fold_f64(const double *p, size_t n)
{
    double v[4] = {0, 0, 0, 0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        v[0] += p[i];
        v[1] += p[i + 1];
        v[2] += p[i + 2];
        v[3] += p[i + 3];
    }
    for (; i < n; i++) {
        v[0] += p[i];
    }
    return v[0] + v[1] + v[2] + v[3];
}

static double fold_f32(const float *p, size_t n)
{
    double v[4] = {0, 0, 0, 0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        v[0] += (double)p[i];
        v[1] += (double)p[i + 1];
        v[2] += (double)p[i + 2];
        v[3] += (double)p[i + 3];
    }
    for (; i < n; i++) {
        v[0] += (double)p[i];
    }
    return v[0] + v[1] + v[2] + v[3];
}

static uint64_t fold_text(const taco_array *a)
{
    uint64_t sum = 0;
    size_t i;
    if (a->dictionary) {
        const int32_t *o = a->dictionary->offsets;
        for (i = 0; i < a->length; i++) {
            sum += (uint32_t)(o[a->v.i32[i] + 1] - o[a->v.i32[i]]);
        }
        return sum;
    }
    for (i = 0; i < a->length; i++) {
        sum += (uint32_t)(a->offsets[i + 1] - a->offsets[i]);
    }
    return sum;
}

/* The checksum goes on with the number of values that came before. */
static void check(const taco_array *a, uint64_t *n, uint64_t *sum, uint64_t *bytes)
{
    size_t i, k;
    for (i = 0; i < a->length; i++) {
        if (!taco_array_valid(a, i)) { continue; }
        if (a->field->type == TACO_TEXT) {
            taco_bytes b = taco_array_bytes(a, i);
            *sum += ++*n * b.len;
            for (k = 0; k < b.len; k++) {
                *bytes += b.data[k];
            }
        } else {
            *sum += ++*n * (a->field->type == TACO_FLOAT ? (uint64_t)a->v.u32[i] : a->v.u64[i]);
        }
    }
}

/* A file mapped into memory as a source. */
typedef struct mapping {
    void *at;
    size_t len;
} mapping;

static bool mapping_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    memcpy(dst, (const uint8_t *)((mapping *)ctx)->at + offset, len);
    return true;
}

static const void *mapping_view(void *ctx, uint64_t offset, size_t len)
{
    (void)len;
    return (const uint8_t *)((mapping *)ctx)->at + offset;
}

static void mapping_close(void *ctx)
{
    munmap(((mapping *)ctx)->at, ((mapping *)ctx)->len);
}

static taco_pq_file *open_mapped(const char *path, mapping *m, taco_error *err)
{
    taco_source src;
    int fd = open(path, O_RDONLY);
    off_t end = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
    memset(&src, 0, sizeof src);
    m->len = (size_t)end;
    m->at = end < 0 ? MAP_FAILED : mmap(NULL, m->len, PROT_READ, MAP_SHARED, fd, 0);
    if (m->at == MAP_FAILED) { bench_fail(path, "cannot be mapped"); }
    close(fd);
    src.ctx = m;
    src.size = (uint64_t)end;
    src.read = mapping_read;
    src.view = mapping_view;
    src.close = mapping_close;
    return taco_pq_open_source(&src, "", NULL, err);
}

enum { READ, THROUGH_FILE, HELD, FOLD, SUM };

static void column(const char *path, int what)
{
    mapping map;
    taco_error err;
    taco_pq_query q;
    taco_batch b;
    taco_pq_file *f;
    taco_pq_reader *r;
    taco_type type = TACO_NULL;
    uint64_t x = 0, n = 0, sum = 0, bytes = 0;
    size_t len = 0;
    uint8_t *held = what == HELD ? bench_slurp(path, &len) : NULL;
    taco_source src;
    double total = 0, begin = bench_cpu();
    memset(&err, 0, sizeof err);
    memset(&q, 0, sizeof q);
    q.batch_rows = getenv("BATCH") ? (size_t)atoi(getenv("BATCH")) : 0;
    taco_source_memory(&src, held, len);
    f = what == THROUGH_FILE ? taco_pq_open(path, NULL, &err)
        : what == HELD       ? taco_pq_open_source(&src, "", NULL, &err)
                             : open_mapped(path, &map, &err);
    r = taco_pq_read(f, &q, &err);
    while (taco_pq_reader_next(r, &b)) {
        const taco_array *a = &b.columns[0];
        if (a->field->type == TACO_LIST) { a = a->children; }
        type = a->field->type;
        if (what == SUM) {
            check(a, &n, &sum, &bytes);
        } else if (what != FOLD) {
            n += a->length;
        } else if (type == TACO_INT64) {
            x = fold_i64(a, x);
        } else if (type == TACO_DOUBLE) {
            total += fold_f64(a->v.f64, a->length);
        } else if (type == TACO_FLOAT) {
            total += fold_f32(a->v.f32, a->length);
        } else {
            x += fold_text(a);
        }
    }
    taco_pq_reader_close(r, &err);
    taco_pq_close(f);
    begin = bench_cpu() - begin;
    free(held);
    if (err.code) {
        printf("error %s\n", err.text);
    } else if (what == READ || what == THROUGH_FILE || what == HELD) {
        printf("%.9f\n", begin);
    } else if (what == SUM && type == TACO_TEXT) {
        printf("%" PRIu64 "/%" PRIu64 "\n", sum, bytes);
    } else if (what == SUM) {
        printf("%" PRIu64 "\n", sum);
    } else if (type == TACO_DOUBLE || type == TACO_FLOAT) {
        printf("%.9f %.17g\n", begin, total);
    } else {
        printf("%.9f %" PRId64 "\n", begin, (int64_t)x);
    }
}

static void zstd(const char *path)
{
#ifdef HAVE_ZSTD
    size_t i, len;
    uint8_t *file = bench_slurp(path, &len), *out;
    bench_blocks b = bench_pages(path, file, len);
    ZSTD_DCtx *d = ZSTD_createDCtx();
    double begin;
    out = (uint8_t *)bench_alloc(b.largest);
    for (i = 0; i < b.largest; i += 4096) {
        ((volatile uint8_t *)out)[i] = 1;
    }
    begin = bench_cpu();
    for (i = 0; i < b.n; i++) {
        if (ZSTD_decompressDCtx(d, out, b.largest, b.at[i].data, b.at[i].len) != b.at[i].plain) {
            bench_fail(path, "libzstd refuses a page");
        }
    }
    printf("%.9f\n", bench_cpu() - begin);
    ZSTD_freeDCtx(d);
    free(out);
    free(b.at);
    free(file);
#else
    (void)path;
    printf("-\n");
#endif
}

/* Opens a file, and reads the rows that pass `where`, if that is given. */
static void rows(const char *path, const char *where)
{
    mapping map;
    taco_error err;
    taco_pq_query q;
    taco_batch b;
    int64_t n = 0;
    double begin = bench_cpu();
    taco_pq_file *f;
    memset(&err, 0, sizeof err);
    memset(&q, 0, sizeof q);
    q.where = where;
    f = open_mapped(path, &map, &err);
    if (where) {
        taco_pq_reader *r = taco_pq_read(f, &q, &err);
        while (taco_pq_reader_next(r, &b)) {
            n += (int64_t)b.length;
        }
        taco_pq_reader_close(r, &err);
    } else if (f) {
        n = taco_pq_rows(f);
    }
    taco_pq_close(f);
    begin = bench_cpu() - begin;
    if (err.code) { bench_fail(path, err.text); }
    printf("%.9f %" PRId64 "\n", begin, n);
}

int main(void)
{
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (strncmp(line, "read ", 5) == 0) {
            column(line + 5, READ);
        } else if (strncmp(line, "file ", 5) == 0) {
            column(line + 5, THROUGH_FILE);
        } else if (strncmp(line, "held ", 5) == 0) {
            column(line + 5, HELD);
        } else if (strncmp(line, "fold ", 5) == 0) {
            column(line + 5, FOLD);
        } else if (strncmp(line, "sum ", 4) == 0) {
            column(line + 4, SUM);
        } else if (strncmp(line, "zstd ", 5) == 0) {
            zstd(line + 5);
        } else if (strncmp(line, "rows ", 5) == 0) {
            rows(line + 5, NULL);
        } else if (strncmp(line, "none ", 5) == 0) {
            rows(line + 5, "cloud_cover < -1000");
        } else {
            bench_fail(line, "no such command");
        }
        fflush(stdout);
    }
    return 0;
}
