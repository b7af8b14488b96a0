/* catalogue.c PHASE DIR COUNT - one phase of the benchmark of catalogues, for catalogue.py: COUNT
   archives in DIR, of 10 FOLDERs with 3 FILEs each, whose payloads are holes. Prints "rows files
   bytes memory": rows returned, files opened, bytes read, peak memory in KB. */
#define _POSIX_C_SOURCE 200809L
#include "../extra/taco_sql.h"
#include "../extra/taco_write.h"

#include "../tool/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDERS  10
#define CHILDREN 3
#define PAYLOAD  262144

/* ---- files, counted ---- */

typedef struct counts {
    uint64_t files, bytes;
} counts;

typedef struct counted {
    taco_source base;
    counts *to;
} counted;

static bool counted_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    counted *c = (counted *)ctx;
    __atomic_fetch_add(&c->to->bytes, len, __ATOMIC_RELAXED);
    return c->base.read(c->base.ctx, offset, dst, len);
}

static void counted_close(void *ctx)
{
    counted *c = (counted *)ctx;
    c->base.close(c->base.ctx);
    free(c);
}

static bool counted_open(void *ctx, const char *path, taco_source *out)
{
    counted *c = (counted *)malloc(sizeof *c);
    if (!c || taco_source_file(&c->base, path, NULL) != TACO_OK) {
        free(c);
        return false;
    }
    c->to = (counts *)ctx;
    __atomic_fetch_add(&c->to->files, 1, __ATOMIC_RELAXED);
    memset(out, 0, sizeof *out);
    out->ctx = c;
    out->size = c->base.size;
    out->read = counted_read;
    out->close = counted_close;
    return true;
}

/* ---- making archives ---- */

static bool hole_write(void *ctx, uint64_t offset, const void *src, size_t len)
{
    FILE *f = (FILE *)ctx;
    return fseeko(f, (off_t)offset, SEEK_SET) == 0 && fwrite(src, 1, len, f) == len;
}

static bool hole_close(void *ctx, bool keep)
{
    (void)keep;
    return fclose((FILE *)ctx) == 0;
}

static void set_stac(taco_writer *w, size_t archive, size_t i, taco_error *err)
{
    static const int64_t shape[3] = {3, 128, 128};
    taco_stac s;
    double centroid[2];
    memset(&s, 0, sizeof s);
    s.crs = "EPSG:32718";
    s.shape = shape;
    s.dimensions = 3;
    s.geotransform[0] = 300000 + (double)(archive * 1280);
    s.geotransform[1] = 10;
    s.geotransform[3] = 8600000 - (double)(i * 1280);
    s.geotransform[5] = -10;
    s.time_start = 1700000000000000 + (int64_t)(archive * 86400) * 1000000;
    centroid[0] = -77.0 + (double)(archive % 1000) / 1000;
    centroid[1] = -12.0 + (double)i / 100;
    s.centroid = centroid;
    taco_writer_set_stac(w, &s, err);
}

static void make_archive(const char *path, size_t archive, uint32_t crc, taco_error *err)
{
    static const char collection[] =
        "{\"id\": \"part\", \"dataset_version\": \"1.0.0\", \"description\": \"d\", \"licenses\":"
        " [\"CC-BY-4.0\"], \"providers\": [{\"name\": \"N\"}], \"tasks\": [\"other\"]}";
    taco_sink sink;
    taco_writer *w;
    uint64_t at;
    char id[32];
    size_t i, k;
    sink.ctx = fopen(path, "wb+");
    sink.write = hole_write;
    sink.close = hole_close;
    if (!sink.ctx) {
        err->code = TACO_ERR_IO;
        return;
    }
    w = taco_create_sink(&sink, NULL, err);
    taco_writer_collection(w, collection, sizeof collection - 1);
    taco_writer_stac_columns(w, 0);
    taco_writer_column(w, 0, "cloud", TACO_DOUBLE);
    for (i = 0; i < FOLDERS; i++) {
        snprintf(id, sizeof id, "tile_%05zu_%zu", archive, i);
        taco_writer_folder_begin(w, id);
        set_stac(w, archive, i, err);
        taco_writer_set_double(w, "cloud", (double)((archive * FOLDERS + i) * 7919 % 1000) / 10);
        for (k = 0; k < CHILDREN; k++) {
            snprintf(id, sizeof id, "B0%zu", k);
            taco_writer_placed(w, id, PAYLOAD, crc, &at);
        }
        taco_writer_folder_end(w);
    }
    taco_writer_finish(w, err);
}

/* ---- phases ---- */

typedef struct job {
    char **paths;
    const taco_options *opt;
    taco_error errors[64];
    size_t count, parts;
} job;

static void check_part(void *arg, size_t part)
{
    job *j = (job *)arg;
    size_t i, to = j->count * (part + 1) / j->parts;
    for (i = j->count * part / j->parts; i < to && j->errors[part].code == TACO_OK; i++) {
        taco_validate(j->paths[i], j->opt, NULL, NULL, &j->errors[part]);
    }
}

/* Archives checked by two threads, then merged. */
static uint64_t merge(char **paths, size_t n, const char *output, const taco_options *opt,
                      taco_error *err)
{
    taco_merge_options how = {0};
    static job j;
    pool threads;
    size_t i;
    pool_open(&threads, 2);
    j.paths = paths;
    j.opt = opt;
    j.count = n;
    j.parts = 32;
    pool_for(&threads, j.parts, check_part, &j);
    pool_close(&threads);
    for (i = 0; i < j.parts; i++) {
        if (j.errors[i].code != TACO_OK && err->code == TACO_OK) { *err = j.errors[i]; }
    }
    how.unchecked = true;
    how.options = opt;
    if (err->code == TACO_OK) { taco_create_tacocat(output, (const char **)paths, n, &how, err); }
    return n * FOLDERS;
}

static uint64_t filter(taco_dataset *ds, taco_error *err)
{
    taco_query q = {0};
    taco_cursor *rows;
    taco_batch b;
    const double box[4] = {-76.9, -11.99, -76.5, -11.95};
    uint64_t n = 0;
    q.where = "cloud < 20";
    q.bbox = box;
    rows = taco_select(ds, &q, err);
    while (taco_cursor_batch(rows, &b)) {
        n += b.length;
    }
    taco_cursor_close(rows, err);
    return n;
}

/* A FOLDER of every hundredth archive, its children, and the first bytes of one. */
static uint64_t navigate(taco_dataset *ds, size_t count, taco_error *err)
{
    char path[64];
    uint64_t n = 0;
    size_t i;
    for (i = 0; i < count && err->code == TACO_OK; i += 100) {
        taco_cursor *row;
        taco_source src;
        uint8_t bytes[16];
        snprintf(path, sizeof path, "tile_%05zu_%zu", i, i / 100 % FOLDERS);
        row = taco_read(ds, path, false, err);
        while (taco_cursor_next(row)) {
            n++;
        }
        taco_cursor_close(row, err);
        snprintf(path, sizeof path, "tile_%05zu_%zu/B01", i, i / 100 % FOLDERS);
        if (taco_payload(ds, path, &src, err) == TACO_OK) {
            src.read(src.ctx, 0, bytes, sizeof bytes);
            src.close(src.ctx);
        }
    }
    return n;
}

static uint64_t export_some(taco_dataset *ds, const char *output, const taco_options *opt,
                            taco_error *err)
{
    taco_query q = {0};
    taco_create_options how = {0};
    how.options = opt;
    how.overwrite = true;
    how.date = 1;
    q.where = "cloud < 0.1";
    taco_export(ds, output, &q, &how, err);
    return 0;
}

static uint64_t run(const char *phase, const char *dir, size_t count, const taco_options *opt,
                    taco_error *err)
{
    char **paths = (char **)calloc(count, sizeof *paths), *zeros = (char *)calloc(1, PAYLOAD);
    char catalogue[4096], output[4096];
    uint32_t crc = zeros ? taco_crc32(0, zeros, PAYLOAD) : 0;
    uint64_t rows = 0;
    taco_dataset *ds;
    size_t i;
    snprintf(catalogue, sizeof catalogue, "%s/__TACOCAT__", dir);
    snprintf(output, sizeof output, "%s/export.tacozip", dir);
    for (i = 0; paths && i < count; i++) {
        paths[i] = (char *)malloc(strlen(dir) + 32);
        if (!paths[i]) { return 0; }
        sprintf(paths[i], "%s/p%05zu.tacozip", dir, i);
        if (strcmp(phase, "make") == 0) { make_archive(paths[i], i, crc, err); }
    }
    if (strcmp(phase, "make") == 0) {
        rows = count * FOLDERS;
    } else if (strcmp(phase, "tacocat") == 0) {
        rows = merge(paths, count, catalogue, opt, err);
    } else {
        ds = taco_open(catalogue, opt, err);
        if (strcmp(phase, "open") == 0) { rows = (uint64_t)taco_level_rows(ds, 0, err); }
        if (strcmp(phase, "filter") == 0) { rows = filter(ds, err); }
        if (strcmp(phase, "navigate") == 0) { rows = navigate(ds, count, err); }
        if (strcmp(phase, "export") == 0) { rows = export_some(ds, output, opt, err); }
        taco_close(ds);
        if (strcmp(phase, "export") == 0 && err->code == TACO_OK) {
            ds = taco_open(output, NULL, err);
            rows = (uint64_t)taco_level_rows(ds, 0, err);
            taco_close(ds);
        }
    }
    for (i = 0; paths && i < count; i++) {
        free(paths[i]);
    }
    free(paths);
    free(zeros);
    return rows;
}

/* The most memory that this program had, in KB: what its parent had does not count (Linux). */
static unsigned long peak(void)
{
    char line[256];
    unsigned long kb = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f) && sscanf(line, "VmHWM: %lu", &kb) != 1) {}
    if (f) { fclose(f); }
    return kb;
}

int main(int argc, char **argv)
{
    taco_error err = {0};
    taco_options opt = {0};
    counts all = {0, 0};
    uint64_t rows;
    if (argc < 4) { return 2; }
    opt.open_file = counted_open;
    opt.open_ctx = &all;
    rows = run(argv[1], argv[2], (size_t)strtoul(argv[3], NULL, 10), &opt, &err);
    if (err.code) { fprintf(stderr, "%s: %s\n", argv[1], taco_error_text(&err)); }
    printf("%llu %llu %llu %lu\n", (unsigned long long)rows, (unsigned long long)all.files,
           (unsigned long long)all.bytes, peak());
    return err.code != TACO_OK;
}
