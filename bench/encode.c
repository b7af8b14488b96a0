/* make bench-encode PAGES=FILE [R=5], make bench-metadata, or: cc -O2 bench/encode.c -o
   build/bench_encode -lzstd -llz4 -lsnappy

   Compares our encoders with the reference libraries on the same pages, alternating in one run:
   bytes, CPU time (medians of R runs), and every frame read back by the library. PAGES holds pages,
   each after its size in 4 bytes, or is any other file, which is then split into pieces of 128 KiB.
   With a third argument, the default level must reach the goal for metadata: at most 1.07 times the
   bytes of libzstd -13, at 8 times its speed. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define TACO_STATIC
#define TACO_PARQUET_IMPLEMENTATION
#include "../extra/taco_parquet_write.h"
#include <lz4.h>
#include <snappy-c.h>
#include <zstd.h>

#define RUNS_MOST 31

enum { OURS_ZSTD, THEIR_ZSTD, OURS_SNAPPY, THEIR_SNAPPY, OURS_LZ4, THEIR_LZ4 };

typedef struct job {
    int kind, level;
    taco__zstd_encoder *enc;
    double seconds[RUNS_MOST];
    size_t bytes;
} job;

static taco_bytes *page;
static size_t pages, plain, largest, cap;
static uint8_t *to, *back;
static ZSTD_CCtx *cctx;
static taco__snappy_encoder snappy;
static taco__lz4_encoder lz4;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void load(const char *name)
{
    FILE *f = fopen(name, "rb");
    size_t n, at, framed = 0;
    uint8_t *data;
    if (!f || fseek(f, 0, SEEK_END) != 0) {
        perror(name);
        exit(1);
    }
    n = (size_t)ftell(f);
    rewind(f);
    data = (uint8_t *)malloc(n + 1);
    if (fread(data, 1, n, f) != n) { exit(1); }
    fclose(f);
    while (framed + 4 <= n && taco__load_le32(data + framed) <= n - framed - 4) {
        framed += 4 + taco__load_le32(data + framed);
    }
    page = (taco_bytes *)malloc((n / 4 + 2) * sizeof *page);
    for (at = 0; at < n;) {
        size_t size = framed == n ? taco__load_le32(data + at) : TACO__MIN(n - at, (size_t)131072);
        at += framed == n ? 4 : 0;
        page[pages++] = taco__bytes_of(data + at, size);
        plain += size;
        largest = TACO__MAX(largest, size);
        at += size;
    }
    cap = largest + largest / 6 + 1024;
    to = (uint8_t *)malloc(cap);
    back = (uint8_t *)malloc(largest + 1);
}

static size_t encode(job *j, taco_bytes in)
{
    size_t size = cap;
    switch (j->kind) {
    case OURS_ZSTD: return taco__zstd_encode(j->enc, in, false, to, cap, &size, NULL) ? 0 : size;
    case THEIR_ZSTD: return ZSTD_compressCCtx(cctx, to, cap, in.data, in.len, j->level);
    case OURS_SNAPPY: return taco__snappy_encode(&snappy, in, to, cap, &size, NULL) ? 0 : size;
    case THEIR_SNAPPY:
        return snappy_compress((const char *)in.data, in.len, (char *)to, &size) ? 0 : size;
    case OURS_LZ4: return taco__lz4_encode(&lz4, in, to, cap, &size, NULL) ? 0 : size;
    default:
        return (size_t)LZ4_compress_default((const char *)in.data, (char *)to, (int)in.len,
                                            (int)cap);
    }
}

static bool decode(const job *j, size_t size, taco_bytes in)
{
    size_t n = in.len;
    bool ok;
    if (j->kind <= THEIR_ZSTD) {
        ok = ZSTD_decompress(back, largest, to, size) == n;
    } else if (j->kind <= THEIR_SNAPPY) {
        n = largest;
        ok = snappy_uncompress((char *)to, size, (char *)back, &n) == SNAPPY_OK && n == in.len;
    } else {
        ok = LZ4_decompress_safe((char *)to, (char *)back, (int)size, (int)largest) == (int)n;
    }
    return ok && memcmp(back, in.data, in.len) == 0;
}

static void run(job *j, int round)
{
    double start, sum = 0;
    size_t i, size;
    j->bytes = 0;
    for (i = 0; i < pages; i++) {
        start = now();
        size = encode(j, page[i]);
        sum += now() - start;
        j->bytes += size;
        if (round == 0 && !decode(j, size, page[i])) {
            printf("page %u is not read back\n", (unsigned)i);
            exit(1);
        }
    }
    j->seconds[round] = sum;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    static const int ours[] = {1, 2, 3, 4, 5, 6, 7, 9, 12, 15, 19}, theirs[] = {1, 3, 6, 9, 13, 19};
    static const char *const names[] = {"zstd", "libzstd", "snappy", "libsnappy", "lz4", "liblz4"};
    static job jobs[32];
    const job *mine = NULL, *theirs13 = NULL;
    taco__mem mem;
    int n = 0, i, round, rounds = argc > 2 ? atoi(argv[2]) : 5;
    if (argc < 2 || rounds < 1 || rounds > RUNS_MOST) {
        fprintf(stderr, "usage: bench_encode PAGES [RUNS]\n");
        return 2;
    }
    load(argv[1]);
    taco__mem_init(&mem, NULL);
    cctx = ZSTD_createCCtx();
    for (i = 0; i < (int)TACO__COUNT(ours); i++) {
        jobs[n].level = ours[i];
        jobs[n++].enc = taco__zstd_encode_open(&mem, ours[i], NULL);
    }
    for (i = 0; i < (int)TACO__COUNT(theirs); i++) {
        jobs[n].kind = THEIR_ZSTD;
        jobs[n++].level = theirs[i];
    }
    for (i = OURS_SNAPPY; i <= THEIR_LZ4; i++) {
        jobs[n++].kind = i;
    }
    for (round = 0; round < rounds; round++) {
        for (i = 0; i < n; i++) {
            run(&jobs[i], round);
        }
    }
    printf("%u pages, %.1f MB, medians of %d\n| encoder | bytes | ratio | MB/s |\n| --- | --- | "
           "--- | --- |\n",
           (unsigned)pages, (double)plain / 1e6, rounds);
    for (i = 0; i < n; i++) {
        job *j = &jobs[i];
        qsort(j->seconds, (size_t)rounds, sizeof(double), by_size);
        printf("| %s", names[j->kind]);
        if (j->level) { printf(" -%d", j->level); }
        printf(" | %.0f | %.3f | %.1f |\n", (double)j->bytes, (double)plain / (double)j->bytes,
               (double)plain / j->seconds[rounds / 2] / 1e6);
        mine = j->kind == OURS_ZSTD && j->level == TACO__ZSTD_ENCODE_DEFAULT_LEVEL ? j : mine;
        theirs13 = j->kind == THEIR_ZSTD && j->level == 13 ? j : theirs13;
    }
    if (argc > 3) {
        double size = (double)mine->bytes / (double)theirs13->bytes;
        double speed = theirs13->seconds[rounds / 2] / mine->seconds[rounds / 2];
        bool ok = size <= 1.07 && speed >= 8;
        printf("zstd -%d: %.4f times the bytes of libzstd -13 (asked: <= 1.07), %.2f times its "
               "speed (asked: >= 8) %s\n",
               mine->level, size, speed, ok ? "ok" : "NOT REACHED");
        return !ok;
    }
    return 0;
}
