/* Each n-th allocation and each n-th read fails once: the result is a clean error, without leaks or
   crashes. */
#include "../taco.h"

#include "test.h"

#include "alloc.h"

/* ---- an allocator and files that fail ---- */

typedef struct faults {
    test_memory memory;
    size_t reads, opens; /* so far */
    /* this one fails, counted from 1; 0 = none; as the memory's all_after says, all that follow */
    size_t fail_read;
    size_t open;
} faults;

typedef struct fault_file {
    faults *f;
    uint8_t *data;
    size_t len;
} fault_file;

static bool fault_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    fault_file *x = (fault_file *)ctx;
    faults *f = x->f;
    f->reads++;
    if (f->fail_read &&
        (f->reads == f->fail_read || (f->memory.all_after && f->reads > f->fail_read))) {
        return false;
    }
    memcpy(dst, x->data + offset, len);
    return true;
}

static bool fault_read_many(void *ctx, const taco_piece *reads, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (!fault_read(ctx, reads[i].offset, reads[i].dst, reads[i].len)) { return false; }
    }
    return true;
}

static void fault_close(void *ctx)
{
    fault_file *x = (fault_file *)ctx;
    x->f->open--;
    free(x->data);
    free(x);
}

static bool fault_many;

static bool fault_open(void *ctx, const char *path, taco_source *out)
{
    fault_file *x;
    FILE *file = fopen(path, "rb");
    int64_t len = 0;
    if (!file || fseek(file, 0, SEEK_END) != 0 || (len = (int64_t)ftell(file)) < 0 ||
        len > 100000000 || fseek(file, 0, SEEK_SET) != 0) {
        if (file) { fclose(file); }
        return false;
    }
    x = (fault_file *)calloc(1, sizeof *x);
    x->data = (uint8_t *)malloc((size_t)len + 1);
    x->len = fread(x->data, 1, (size_t)len, file);
    fclose(file);
    x->f = (faults *)ctx;
    x->f->open++;
    memset(out, 0, sizeof *out);
    out->ctx = x;
    out->size = x->len;
    out->read = fault_read;
    out->read_many = fault_many ? fault_read_many : NULL;
    out->close = fault_close;
    return true;
}

/* ---- what is done ---- */

typedef struct job {
    const char *path, *path2;
    const char *sample; /* a FOLDER or FILE below */
    taco_query q;
} job;

static taco_status drain(taco_cursor *c, taco_error *err, size_t *rows)
{
    size_t n = 0;
    while (taco_cursor_next(c)) {
        n += taco_cursor_json(c)[0] == '{';
        taco_cursor_text(c, "id");
        taco_cursor_vsi(c);
    }
    *rows += n;
    return taco_cursor_close(c, err);
}

/* Everything once; the first failure ends it. */
static taco_status perform(const job *j, const taco_options *opt, taco_error *err, size_t *rows)
{
    const char *paths[2];
    taco_dataset *ds;
    taco_cursor *c, *k;
    taco_source payload;
    uint8_t byte;
    *rows = 0;
    paths[0] = j->path;
    paths[1] = j->path2;
    ds = taco_open_many(paths, j->path2 ? 2 : 1, TACO_COLUMNS_FILL_MISSING, opt, err);
    if (!ds) {
        CHECK(err->code != TACO_OK);
        return err->code;
    }
    c = taco_select(ds, &j->q, err);
    CHECK((c == NULL) == (err->code != TACO_OK));
    if (c && drain(c, err, rows) == TACO_OK && j->sample &&
        (k = taco_read(ds, j->sample, false, err)) != NULL && drain(k, err, rows) == TACO_OK) {
        taco_sample s;
        if (taco_locate(ds, j->sample, &s, err) == TACO_OK && !s.folder &&
            taco_payload(ds, j->sample, &payload, err) == TACO_OK) {
            if (payload.size && !payload.read(payload.ctx, 0, &byte, 1)) {
                err->code = TACO_ERR_IO; /* a source has only true and false */
                snprintf(err->text, sizeof err->text, "%s: payload", j->path);
            }
            payload.close(payload.ctx);
        }
    }
    if (err->code == TACO_OK) {
        c = taco_select(ds, NULL, err);
        if (taco_cursor_next(c)) {
            taco_error none = {0, TACO_OK, 0, {0}};
            k = taco_cursor_children(c, &none);
            if (k) {
                drain(k, err, rows);
            } else if (none.code == TACO_ERR_MEMORY || none.code == TACO_ERR_IO ||
                       none.code == TACO_ERR_LIMIT) {
                *err = none;
            }
        }
        taco_cursor_close(c, err);
    }
    if (err->code == TACO_OK) { *rows += taco_info_json(ds, err).len; }
    taco_close(ds);
    return err->code;
}

static void options(taco_options *opt, taco_allocator *a, faults *f)
{
    memset(f, 0, sizeof *f);
    test_counted(opt, a, &f->memory);
    opt->open_file = fault_open;
    opt->open_ctx = f;
}

/* Fails the n-th allocation (or read) for n = 1, 2, ... until everything goes well. */
static void every(const job *j, bool reads, bool all_after)
{
    taco_options opt;
    taco_allocator a;
    faults f;
    size_t n, rows, want, step = 1;
    taco_error err = {0, TACO_OK, 0, {0}};
    options(&opt, &a, &f);
    CHECK(perform(j, &opt, &err, &want) == TACO_OK);
    CHECK_TEXT(taco_error_text(&err), "");
    CHECK(want > 0 && f.memory.live == 0 && f.open == 0);
    for (n = 1;; n += step + n / 6) {
        taco_status st;
        memset(&err, 0, sizeof err);
        options(&opt, &a, &f);
        f.memory.fail_at = reads ? 0 : n;
        f.fail_read = reads ? n : 0;
        f.memory.all_after = all_after;
        st = perform(j, &opt, &err, &rows);
        if (f.memory.live || f.open || st != err.code) {
            printf("%s: %s %u: %u bytes and %u files left, %s\n", j->path,
                   reads ? "read" : "allocation", (unsigned)n, (unsigned)f.memory.live,
                   (unsigned)f.open, err.text);
        }
        CHECK(f.memory.live == 0 && f.open == 0 && st == err.code);
        if ((reads ? f.reads : f.memory.calls) < n) {
            CHECK(st == TACO_OK && rows == want);
            break;
        }
        /* something that can be done without: the answer is the same, and complete */
        if (st == TACO_OK) {
            if (rows != want) {
                printf("%s: %s %u failed unseen\n", j->path, reads ? "read" : "allocation",
                       (unsigned)n);
            }
            CHECK(rows == want);
        } else if (st != (reads ? TACO_ERR_IO : TACO_ERR_MEMORY)) {
            printf("%s: %s %u: %s: %s\n", j->path, reads ? "read" : "allocation", (unsigned)n,
                   taco_status_name(st), err.text);
            CHECK(!"the error is another one");
        } else {
            bool named = strncmp(err.text, j->path, strlen(j->path)) == 0 ||
                         (j->path2 && strncmp(err.text, j->path2, strlen(j->path2)) == 0);
            CHECK(named || !reads);
            if (reads && !named) { printf("%s: read %u: %s\n", j->path, (unsigned)n, err.text); }
        }
        if (test_bad > 40) { break; }
    }
}

/* Budgets from nothing up: LIMIT errors that name the field, until there is enough. */
static void budgets(const job *j)
{
    uint64_t limit;
    for (limit = 64; limit < (uint64_t)64 << 20; limit += limit / 5) {
        taco_options opt;
        taco_allocator a;
        faults f;
        size_t rows;
        taco_error err = {0, TACO_OK, 0, {0}};
        options(&opt, &a, &f);
        opt.limits.max_memory = limit;
        if (perform(j, &opt, &err, &rows) == TACO_OK) { break; }
        CHECK(f.memory.live == 0 && f.open == 0);
        if (err.code != TACO_ERR_LIMIT || !strstr(err.text, "limits.max_memory")) {
            printf("%s: budget %u: %s\n", j->path, (unsigned)limit, err.text);
        }
        CHECK(err.code == TACO_ERR_LIMIT && strstr(err.text, "limits.max_memory") != NULL);
    }
    CHECK(limit < (uint64_t)64 << 20);
}

static const double world[4] = {-180, -90, 180, 90};

static size_t make_jobs(job *jobs)
{
    size_t n = 0;
    memset(jobs, 0, 16 * sizeof *jobs);
    jobs[n].path = "examples/data/nested.tacozip";
    jobs[n].sample = "@1/@0";
    jobs[n].q.where = "id like '%' and type in ('FILE', 'FOLDER')";
    jobs[n].q.level = 1;
    jobs[n++].q.table = 1;
    jobs[n].path = "examples/data/nested.tacozip";
    jobs[n].q.flat = true;
    jobs[n].q.table = 1;
    jobs[n++].q.order = "\"l0:id\" desc";
    jobs[n].path = "examples/data/geo_stac.tacozip";
    jobs[n].q.bbox = world;
    jobs[n].q.order = "id desc";
    jobs[n].q.select = "id, internal:gdal_vsi";
    jobs[n].sample = "@0";
    jobs[n++].q.time = "1990-01-01/2030-01-01";
    jobs[n].path = "examples/data/multi";
    jobs[n].sample = "@2/@0";
    jobs[n].q.where = "id is not null";
    jobs[n++].q.level = 1;
    jobs[n].path = "examples/data/concat/a.tacozip";
    jobs[n++].path2 = "examples/data/concat/b.tacozip";
    jobs[n].path = "examples/data/era_0130_folder";
    jobs[n].sample = "@1/@0/@0";
    jobs[n].q.where = "id is not null";
    jobs[n].q.level = 2;
    jobs[n++].q.table = 0;
    jobs[n].path = "examples/data/types.tacozip";
    jobs[n++].sample = "@0";
    jobs[n].path = "examples/data/padded_old.tacozip";
    jobs[n++].sample = "@0";
    return n;
}

static void run_all(bool reads, bool all_after)
{
    job jobs[16];
    size_t i, n = make_jobs(jobs);
    for (i = 0; i < (all_after ? 4 : n); i++) {
        fault_many = i & 1;
        every(&jobs[i], reads, all_after);
    }
}

static void one_allocation_fails(void)
{
    run_all(false, false);
}

static void memory_ends(void)
{
    run_all(false, true);
}

static void one_read_fails(void)
{
    run_all(true, false);
}

static void reads_end(void)
{
    run_all(true, true);
}

static void small_budgets(void)
{
    job jobs[16];
    size_t i, n = make_jobs(jobs);
    for (i = 0; i < n; i++) {
        budgets(&jobs[i]);
    }
}

/* Memory that ends while the names of a FOLDER are put together: not a dataset that is not there.
   The path is long, so that each of them asks for memory: as long as the system takes. */
static void small_budgets_of_names(void)
{
    const char *folder = "examples/data/", *name = "era_0130_folder";
    static char path[3000];
    taco_dataset *ds = NULL;
    uint64_t limit;
    size_t n = strlen(folder), most = FILENAME_MAX < sizeof path ? FILENAME_MAX : sizeof path;
    memcpy(path, folder, n);
    for (; n < most - 100; n += 2) {
        memcpy(path + n, "./", 2);
    }
    memcpy(path + n, name, strlen(name) + 1);
    for (limit = 1000; !ds && limit < (uint64_t)4 << 20; limit += 512) {
        taco_options opt;
        taco_error err = {0, TACO_OK, 0, {0}};
        memset(&opt, 0, sizeof opt);
        opt.limits.max_memory = limit;
        ds = taco_open(path, &opt, &err);
        CHECK(err.code == (ds ? TACO_OK : TACO_ERR_LIMIT));
    }
    CHECK(ds != NULL);
    taco_close(ds);
}

int main(void)
{
    RUN(one_allocation_fails);
    RUN(memory_ends);
    RUN(one_read_fails);
    RUN(reads_end);
    RUN(small_budgets);
    RUN(small_budgets_of_names);
    return test_end("test_faults");
}
