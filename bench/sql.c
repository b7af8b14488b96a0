/* sql ARCHIVE file|mapped [THREADS|=THREADS] - runs queries that bench/sql.py writes to its
   standard input, one per line: WORD TAB QUERY, where WORD is
     check   writes the rows to standard output, one JSON object each, and a line "."
     time    opens the dataset, runs the query over all its batches, closes: one line "rows cpu wall", in seconds
     warm    the same on a dataset that stays open
   and QUERY is SQL, or @table, or @where PREDICATE, @time RANGE, @bbox W,S,E,N: a taco_query for
   the paths of level 0. With =THREADS, wall is the time that so many idle processors would need:
   see model. */
#define TACO_IMPLEMENTATION
#include "bench.h"
#include "../taco.h"
#include "../extra/taco_sql.h"
#include "../tool/pool.h"
#include <fcntl.h>
#include <sys/mman.h>

typedef struct map {
    void *at;
    size_t len;
} map;

static bool map_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    memcpy(dst, (const uint8_t *)((map *)ctx)->at + (size_t)offset, len);
    return true;
}

static const void *map_view(void *ctx, uint64_t offset, size_t len)
{
    (void)len;
    return (const uint8_t *)((map *)ctx)->at + (size_t)offset;
}

static void map_close(void *ctx)
{
    munmap(((map *)ctx)->at, ((map *)ctx)->len);
    free(ctx);
}

static bool map_open(void *ctx, const char *path, taco_source *out)
{
    map *m = (map *)bench_alloc(sizeof *m);
    int fd = open(path, O_RDONLY);
    off_t end = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
    (void)ctx;
    memset(out, 0, sizeof *out);
    m->len = end < 0 ? 0 : (size_t)end;
    m->at = end < 0 ? MAP_FAILED : mmap(NULL, m->len, PROT_READ, MAP_SHARED, fd, 0);
    if (fd >= 0) { close(fd); }
    if (m->at == MAP_FAILED) {
        free(m);
        return false;
    }
    out->ctx = m;
    out->size = m->len;
    out->read = map_read;
    out->view = map_view;
    out->close = map_close;
    return true;
}

/* parallel_for of N threads as a computation: the tasks run one after the other, and what N idle
   processors would have saved, each task going to the one that is free first, is taken off. It does
   not depend on other load. */
typedef struct model {
    size_t threads;
    double saved;
} model;

static double model_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void model_for(void *ctx, size_t n, void (*task)(void *arg, size_t i), void *arg)
{
    model *m = (model *)ctx;
    double busy[POOL_MOST] = {0}, all = 0, most = 0;
    size_t i, k;
    double from = model_now(), to, took; /* the clock is a system call: as few as will do */
    for (i = 0; i < n; i++, from = to) {
        size_t least = 0;
        task(arg, i);
        to = model_now();
        took = to - from;
        for (k = 1; k < m->threads; k++) {
            least = busy[k] < busy[least] ? k : least;
        }
        busy[least] += took;
        all += took;
        most = busy[least] > most ? busy[least] : most;
    }
    m->saved += all - most;
}

static double bench_wall(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static taco_cursor *start(taco_dataset *ds, const char *text, taco_error *err)
{
    taco_query q = {0};
    double box[4];
    const char *rest = strchr(text, ' ');
    if (text[0] != '@') { return taco_sql(ds, text, err); }
    rest = rest ? rest + 1 : NULL;
    q.select = "internal:gdal_vsi";
    if (text[1] == 'w') {
        q.where = rest;
    } else if (text[1] == 'b' && rest &&
               sscanf(rest, "%lf,%lf,%lf,%lf", &box[0], &box[1], &box[2], &box[3]) == 4) {
        q.bbox = box;
    } else if (rest) {
        q.time = rest;
    }
    return taco_select(ds, &q, err);
}

static uint64_t run(const char *path, const taco_options *opt, taco_dataset *open, const char *text,
                    bool show)
{
    taco_error err = {0};
    taco_dataset *ds = open ? open : taco_open(path, opt, &err);
    taco_cursor *c = ds ? start(ds, text, &err) : NULL;
    taco_batch b;
    uint64_t rows = 0;
    if (show) {
        for (; c && taco_cursor_next(c); rows++) {
            puts(taco_cursor_json(c));
        }
    } else {
        while (c && taco_cursor_batch(c, &b)) {
            rows += b.length;
        }
    }
    taco_cursor_close(c, &err);
    if (!open) { taco_close(ds); }
    if (err.code) { bench_fail(text, taco_error_text(&err)); }
    return rows;
}

int main(int argc, char **argv)
{
    static char line[1 << 16];
    taco_options opt = {0};
    taco_dataset *open = NULL;
    taco_error err = {0};
    pool threads;
    model ideal = {0};
    if (argc < 3) { bench_fail("usage", "sql ARCHIVE file|mapped [THREADS|=THREADS]"); }
    if (strcmp(argv[2], "mapped") == 0) { opt.open_file = map_open; }
    pool_open(&threads, argc > 3 && argv[3][0] != '=' ? (size_t)atoi(argv[3]) : 1);
    if (argc > 3 && argv[3][0] == '=') {
        ideal.threads = (size_t)atoi(argv[3] + 1);
        opt.parallel_for = model_for;
        opt.parallel_ctx = &ideal;
        opt.parallel_width = ideal.threads;
    } else if (argc > 3) {
        opt.parallel_for = pool_for;
        opt.parallel_ctx = &threads;
        opt.parallel_width = threads.threads;
    }
    while (fgets(line, sizeof line, stdin)) {
        char *text = strchr(line, '\t');
        double cpu, wall;
        uint64_t rows;
        line[strcspn(line, "\n")] = 0;
        if (!text) { bench_fail(line, "not WORD TAB QUERY"); }
        *text++ = 0;
        if (line[0] == 'c') {
            run(argv[1], &opt, NULL, text, true);
            puts(".");
        } else {
            if (line[0] == 'w' && !open) {
                open = taco_open(argv[1], &opt, &err);
                if (!open) { bench_fail(argv[1], taco_error_text(&err)); }
            }
            ideal.saved = 0;
            wall = bench_wall();
            cpu = bench_cpu();
            rows = run(argv[1], &opt, line[0] == 'w' ? open : NULL, text, false);
            cpu = bench_cpu() - cpu;
            wall = bench_wall() - wall;
            printf("%llu %.9f %.9f\n", (unsigned long long)rows, cpu,
                   ideal.threads ? cpu - ideal.saved : wall);
        }
        fflush(stdout);
    }
    taco_close(open);
    pool_close(&threads);
    return 0;
}
