/* Batches of tensors [batch][bands][rows][columns] for training, from a dataset of GeoTIFFs.

       cc -O2 -I. -isystem /usr/include/gdal examples/train_loader.c tool/pool.c -lgdal -pthread
       ./a.out s2.tacozip 3 128 --seed 1 --first 0

   Prints the rows of each batch, the sum of its pixels, and the counter to pass to --first to resume
   after it. --plain does the same without the loader, for comparison: GDAL opens one path after
   another. --threads N, --batch N, --rank R --ranks N, --where TEXT, --stop N (batches). */
#define _POSIX_C_SOURCE 200809L
#define TACO_IMPLEMENTATION
#include "../extra/taco_gdal.h"

#include "../tool/pool.h"
#include "prefetch.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* The shape of a tensor. */
typedef struct tensor {
    int bands[16];
    size_t count, pixels;
} tensor;

static bool read_tensor(const tensor *t, const char *path, void *out, taco_error *err)
{
    static const char *const tiff[] = {"GTiff", NULL}, *const siblings[] = {NULL};
    GDALDatasetH image = GDALOpenEx(path, GDAL_OF_RASTER, tiff, NULL, siblings);
    taco_gdal_window w = {0};
    taco_status st;
    w.columns = w.rows = (int64_t)t->pixels;
    w.bands = t->bands;
    w.band_count = t->count;
    w.type = GDT_Float32;
    st = taco_gdal_read(image, &w, out, t->count * t->pixels * t->pixels * sizeof(float), err);
    if (image) { GDALClose(image); }
    return st == TACO_OK;
}

/* taco_loader_options.decode: GDAL reads the payload in place. */
static bool decode(void *ctx, const taco_loader_item *item, void *out, taco_error *err)
{
    char name[64];
    bool ok;
    snprintf(name, sizeof name, "/vsimem/train/%llu.tif", (unsigned long long)item->at);
    VSIFCloseL(VSIFileFromMemBuffer(name, (GByte *)item->bytes.data, item->bytes.len, FALSE));
    ok = read_tensor((const tensor *)ctx, name, out, err);
    VSIUnlink(name);
    return ok;
}

static double sum(const float *pixels, size_t n)
{
    double s = 0;
    size_t i;
    for (i = 0; i < n; i++) {
        s += (double)pixels[i];
    }
    return s;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Prints a batch on one line: its rows, the sum of its pixels, the counter after it. */
static void print(const taco_loader_batch *b, size_t floats)
{
    size_t i;
    for (i = 0; i < b->count; i++) {
        printf("%llu ", (unsigned long long)b->items[i].row);
    }
    printf("sum %.0f next %llu\n", sum((const float *)b->decoded, b->count * floats),
           (unsigned long long)b->next);
    fflush(stdout);
}

static size_t load(taco_dataset *ds, const taco_query *q, const taco_loader_options *how,
                   size_t floats, size_t stop, taco_error *err)
{
    taco_loader *loader = taco_loader_open(ds, q, how, err);
    taco_loader_batch batch;
    prefetch p;
    size_t n = 0, batches = 0;
    if (loader && prefetch_open(&p, loader, how->ahead)) {
        while ((!stop || batches++ < stop) && prefetch_next(&p, &batch)) {
            print(&batch, floats);
            n += batch.count;
        }
        prefetch_close(&p);
    }
    if (loader) { taco_loader_close(loader, err); }
    return n;
}

/* The same samples without the loader. */
static size_t plain(taco_dataset *ds, const taco_query *q, const taco_loader_options *how,
                    size_t floats, taco_error *err)
{
    taco_cursor *row = taco_select(ds, q, err);
    char **paths = NULL;
    uint64_t n = 0, i;
    float *out = (float *)malloc(floats * sizeof(float));
    while (taco_cursor_next(row)) {
        paths = (char **)realloc(paths, (n + 1) * sizeof *paths);
        paths[n++] = strdup(taco_cursor_vsi(row));
    }
    taco_cursor_close(row, err);
    for (i = 0; i < n && err->code == TACO_OK; i++) {
        uint64_t at = taco_shuffle(n, how->seed, i);
        if (read_tensor((const tensor *)how->ctx, paths[at], out, err)) {
            printf("%llu sum %.0f\n", (unsigned long long)at, sum(out, floats));
        }
    }
    for (i = 0; i < n; i++) {
        free(paths[i]);
    }
    free(paths);
    free(out);
    return (size_t)n;
}

int main(int argc, char **argv)
{
    taco_options opt = {0};
    taco_query query = {0};
    taco_loader_options how = {0};
    taco_error err = {0};
    tensor shape = {{0}, 1, 64};
    pool threads;
    size_t i, n, width = 0, stop = 0, floats;
    bool alone = false;
    double begun = now();
    taco_dataset *ds;
    if (argc < 4) {
        fprintf(stderr, "usage: train_loader DATASET BANDS PIXELS [--seed N] [--first N] ...\n");
        return 2;
    }
    shape.count = strtoul(argv[2], NULL, 10);
    shape.pixels = strtoul(argv[3], NULL, 10);
    if (shape.count < 1 || shape.count > 16 || shape.pixels < 1 || shape.pixels > 16384) {
        return 2;
    }
    for (i = 0; i < shape.count; i++) {
        shape.bands[i] = (int)i + 1;
    }
    floats = shape.count * shape.pixels * shape.pixels;
    how.shuffle = true;
    how.ahead = 2;
    how.decode = decode;
    how.ctx = &shape;
    how.item_bytes = floats * sizeof(float);
    for (i = 4; i < (size_t)argc; i++) {
        const char *name = argv[i], *value = i + 1 < (size_t)argc ? argv[i + 1] : "";
        unsigned long long number = strtoull(value, NULL, 10);
        if (strcmp(name, "--plain") == 0) {
            alone = true;
            continue;
        }
        if (strcmp(name, "--seed") == 0) { how.seed = number; }
        if (strcmp(name, "--first") == 0) { how.first = number; }
        if (strcmp(name, "--batch") == 0) { how.batch = (size_t)number; }
        if (strcmp(name, "--rank") == 0) { how.rank = (uint32_t)number; }
        if (strcmp(name, "--ranks") == 0) { how.ranks = (uint32_t)number; }
        if (strcmp(name, "--threads") == 0) { width = (size_t)number; }
        if (strcmp(name, "--where") == 0) { query.where = value; }
        if (strcmp(name, "--stop") == 0) { stop = (size_t)number; }
        i++;
    }
    GDALAllRegister();
    pool_open(&threads, width);
    opt.parallel_for = pool_for;
    opt.parallel_ctx = &threads;
    ds = taco_open(argv[1], &opt, &err);
    n = alone ? plain(ds, &query, &how, floats, &err) : load(ds, &query, &how, floats, stop, &err);
    taco_close(ds);
    pool_close(&threads);
    if (err.code) { fprintf(stderr, "%s\n", taco_error_text(&err)); }
    fprintf(stderr, "%zu samples, %.0f a second\n", n, (double)n / (now() - begun));
    return err.code != TACO_OK;
}
