/* Writers with taco_options.parallel_for: the same bytes, errors and calls of progress as without,
   with real threads and with tasks in reverse order; the same under faults, with nothing left. The
   program has its own copy of the sources that begin tasks, with small buffers. */
#include "system_faults.h"

#ifdef WITH_THREADS
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#endif

#include "places.h"

/* The smallest buffer holds a step and the header of the longest name. */
#define TACO__PAYLOAD_BATCH_BYTES       ((size_t)393216)
#define TACO__PAYLOAD_BATCH_AFTER       ((uint64_t)3000)
#define TACO__PAYLOAD_BATCH_AFTER_FILES ((uint64_t)8)
#define TACO__PAYLOAD_BATCH_LEAST       ((uint64_t)1)
#define TACO__DIR_AHEAD_FIRST           16
#include "../src/write/payload_batch.c"
#include "../src/write/directory_ahead.c"

#include "../src/base/file_copy.h"
#include "../src/base/sink.h"
#include "../extra/taco_write.h"
#include "../extra/taco_legacy.h"

#include "names.h"

#ifdef WITH_THREADS
#include "../tool/pool.h"
#endif

#define HOME "build/test_write_tasks"
#define OUT  HOME "/out"

static const char collection[] = "{\"id\":\"demo\",\"dataset_version\":\"1.0.0\",\"description\":"
                                 "\"d\",\"licenses\":[\"CC0-1.0\"],"
                                 "\"providers\":[{\"name\":\"x\"}],\"tasks\":[\"other\"]}";

/* ---- hosts ---- */

static size_t rounds, most_tasks; /* of `backwards` */

/* taco_options.parallel_for without threads, the last task first. */
static void backwards(void *ctx, size_t n, void (*task)(void *arg, size_t i), void *arg)
{
    (void)ctx;
    rounds++;
    most_tasks = n > most_tasks ? n : most_tasks;
    while (n--) {
        task(arg, n);
    }
}

/* ---- sources ---- */

static uint8_t noise[1 << 20];

static void make_noise(void)
{
    uint32_t x = 12345;
    size_t i;
    for (i = 0; i < sizeof noise; i++) {
        x = x * 1664525U + 1013904223U;
        noise[i] = (uint8_t)(x >> 24);
    }
}

/* A file of any size: the noise again and again. */
static void write_noise(const char *path, size_t from, size_t len)
{
    FILE *f = fopen(path, "wb");
    bool ok = f != NULL;
    while (ok && len) {
        size_t n = sizeof noise - from;
        n = n < len ? n : len;
        ok = fwrite(noise + from, 1, n, f) == n;
        len -= n;
        from = 0;
    }
    CHECK(ok && fclose(f) == 0);
}

static void make_dir(const char *path)
{
    CHECK(taco__dir_make(path, NULL));
}

/* Sizes around everything that counts: a page, a step, a buffer, several of them, nothing. */
static size_t size_of(size_t i)
{
    static const size_t special[] = {0, 4096, 900000, 262144, 262145, 393216, 4095, 600000};
    return i % 20 == 3 ? special[i / 20 % (sizeof special / sizeof *special)]
                       : (i * 7919) % (i % 5 == 0 ? 30000 : 3000);
}

enum { FLAT = 160, TILES = 8, FILES = 20 };

/* flat: files alone; deep: FOLDERs of three files, and of many. */
static void make_directories(void)
{
    char path[96];
    size_t i, k;
    make_dir(HOME "/flat");
    make_dir(HOME "/deep");
    for (i = 0; i < FLAT; i++) {
        snprintf(path, sizeof path, HOME "/flat/f%04u.bin", (unsigned)i);
        write_noise(path, i * 31, size_of(i));
    }
    for (i = 0; i < TILES; i++) {
        snprintf(path, sizeof path, HOME "/deep/t%02u", (unsigned)i);
        make_dir(path);
        for (k = 0; k < FILES; k++) {
            snprintf(path, sizeof path, HOME "/deep/t%02u/%02u", (unsigned)i, (unsigned)k);
            write_noise(path, i * 100 + k, size_of(i * FILES + k) / (i % 2 ? 10 : 1));
        }
    }
}

/* ---- operations ---- */

/* What a run is given, and what it has done. */
typedef struct context {
    const taco_options *opt;
    size_t stop_at; /* the call of progress that stops; 0: none */
    size_t calls;
    uint64_t trace; /* of the calls of progress */
} context;

static bool note_progress(void *ctx, uint64_t done, uint64_t total)
{
    context *c = (context *)ctx;
    (void)total;
    c->calls++;
    c->trace = (c->trace ^ done) * UINT64_C(0x9E3779B97F4A7C15) + 1;
    return c->calls != c->stop_at;
}

static taco_create_options how(context *c)
{
    taco_create_options o;
    memset(&o, 0, sizeof o);
    o.options = c->opt;
    o.date = 1;
    o.progress = note_progress;
    o.progress_ctx = c;
    return o;
}

static taco_status create(context *c, const char *out, const char *from, uint64_t split,
                          bool catalogue, taco_error *err)
{
    taco_create_options o = how(c);
    taco_directory_options d;
    memset(&d, 0, sizeof d);
    d.create = &o;
    d.split_size = split;
    d.no_catalogue = !catalogue;
    return taco_create_directory(out, from, collection, sizeof collection - 1, &d, err);
}

static taco_status copy(context *c, const char *from, const char *out, taco_error *err)
{
    taco_create_options o = how(c);
    taco_dataset *ds = taco_open(from, c->opt, err);
    if (ds) { taco_repack(ds, out, &o, err); }
    taco_close(ds);
    return err->code;
}

static taco_status op_flat(context *c, taco_error *err)
{
    return create(c, OUT "/x.tacozip", HOME "/flat", 0, false, err);
}

static bool open_plain(void *ctx, const char *path, taco_source *out)
{
    (void)ctx;
    return taco_source_file(out, path, NULL) == TACO_OK;
}

/* Files that a program opens. */
static taco_status op_opened(context *c, taco_error *err)
{
    const taco_options *given = c->opt;
    taco_options own = *given;
    taco_status st;
    own.open_file = open_plain;
    c->opt = &own;
    st = create(c, OUT "/x.tacozip", HOME "/flat", 0, false, err);
    c->opt = given;
    return st;
}

static taco_status op_flat_folder(context *c, taco_error *err)
{
    return create(c, OUT "/x", HOME "/flat", 0, false, err);
}

static taco_status op_deep(context *c, taco_error *err)
{
    return create(c, OUT "/x.tacozip", HOME "/deep", 0, false, err);
}

static taco_status op_deep_folder(context *c, taco_error *err)
{
    return create(c, OUT "/x", HOME "/deep", 0, false, err);
}

static taco_status op_parts(context *c, taco_error *err)
{
    return create(c, OUT "/x.tacozip", HOME "/flat", 1000000, false, err);
}

static taco_status op_zip_to_zip(context *c, taco_error *err)
{
    return copy(c, HOME "/deep.tacozip", OUT "/x.tacozip", err);
}

static taco_status op_zip_to_folder(context *c, taco_error *err)
{
    return copy(c, HOME "/deep.tacozip", OUT "/x", err);
}

static taco_status op_folder_to_zip(context *c, taco_error *err)
{
    return copy(c, HOME "/deep.folder", OUT "/x.tacozip", err);
}

static taco_status op_folder_to_folder(context *c, taco_error *err)
{
    return copy(c, HOME "/deep.folder", OUT "/x", err);
}

/* From several archives: one is closed when the next one is opened. */
static taco_status op_catalogue(context *c, taco_error *err)
{
    return copy(c, HOME "/parts/.tacocat", OUT "/x.tacozip", err);
}

static taco_status op_repair(context *c, taco_error *err)
{
    return taco_repair(HOME "/deep.tacozip", OUT "/x.tacozip", c->opt, NULL, NULL, err);
}

static taco_status op_repair_folder(context *c, taco_error *err)
{
    return taco_repair(HOME "/deep.folder", OUT "/x", c->opt, NULL, NULL, err);
}

static taco_status op_convert(context *c, taco_error *err)
{
    static const char *const in[] = {HOME "/old.tortilla"};
    taco_convert_options o;
    memset(&o, 0, sizeof o);
    o.create = how(c);
    return taco_convert_to_taco2(in, 1, OUT "/x.tacozip", &o, err);
}

/* Samples of all kinds through the public writer. A file may change when the call has returned. */
static taco_status write_samples(context *c, taco_writer *w, taco_error *err)
{
    static const size_t sizes[] = {10, 5000, 262144, 2500000, 100, 0, 700000};
    char id[16];
    uint8_t *bytes = (uint8_t *)malloc(sizeof noise);
    taco_source src;
    size_t i;
    (void)c;
    taco_writer_collection(w, collection, sizeof collection - 1);
    for (i = 0; w && i < 70; i++) {
        size_t len = sizes[i % (sizeof sizes / sizeof *sizes)];
        snprintf(id, sizeof id, "s%02u", (unsigned)i);
        if (i % 3 == 0) {
            write_noise(HOME "/changing", i, len);
            taco_writer_file(w, id, HOME "/changing");
        } else if (i % 3 == 1) {
            len = len < sizeof noise - 100 ? len : sizeof noise - 100;
            memcpy(bytes, noise + i, len);
            taco_writer_bytes(w, id, bytes, len);
            memset(bytes, 0, len);
        } else if (taco_source_file(&src, HOME "/long", err) == TACO_OK) {
            taco_writer_range(w, id, &src, i * 3, len);
            src.close(src.ctx);
        }
    }
    free(bytes);
    return taco_writer_finish(w, err);
}

static taco_status op_writer(context *c, taco_error *err)
{
    taco_create_options o = how(c);
    return write_samples(c, taco_create(OUT "/x.tacozip", &o, err), err);
}

static taco_status op_writer_folder(context *c, taco_error *err)
{
    taco_create_options o = how(c);
    return write_samples(c, taco_create(OUT "/x", &o, err), err);
}

/* A sink that cannot go back. */
static taco_status op_sink(context *c, taco_error *err)
{
    taco_create_options o = how(c);
    taco_sink sink;
    taco_status st;
    taco_bytes b;
    FILE *f;
    if (taco_sink_memory(&sink, c->opt, err) != TACO_OK) { return err->code; }
    st = write_samples(c, taco_create_sink(&sink, &o, err), err);
    b = taco_sink_bytes(&sink);
    if (st == TACO_OK) {
        f = fopen(OUT "/x.tacozip", "wb");
        CHECK(f && fwrite(b.data, 1, b.len, f) == b.len && fclose(f) == 0);
    }
    taco_sink_free(&sink);
    return st;
}

typedef struct operation {
    const char *name;
    taco_status (*run)(context *c, taco_error *err);
    bool tasks;  /* uses them for samples */
    bool faults; /* is tried with them */
} operation;

static const operation operations[] = {{"create", op_flat, true, true},
                                       {"create with open_file", op_opened, true, false},
                                       {"create a FOLDER", op_flat_folder, true, false},
                                       {"create, deep", op_deep, true, false},
                                       {"create a FOLDER, deep", op_deep_folder, true, true},
                                       {"create parts", op_parts, true, false},
                                       {"repack", op_zip_to_zip, true, false},
                                       {"zip2folder", op_zip_to_folder, true, true},
                                       {"folder2zip", op_folder_to_zip, true, true},
                                       {"repack a FOLDER", op_folder_to_folder, true, false},
                                       {"catalogue", op_catalogue, true, true},
                                       {"repair", op_repair, true, true},
                                       {"repair a FOLDER", op_repair_folder, true, false},
                                       {"convert", op_convert, true, false},
                                       {"writer", op_writer, true, false},
                                       {"writer of a FOLDER", op_writer_folder, false, false},
                                       {"sink", op_sink, false, false}};

enum { OPERATIONS = sizeof operations / sizeof operations[0] };

static void make_sources(void)
{
    taco_error e = {0, TACO_OK, 0, {0}};
    taco_options none;
    context c;
    taco__dir_make("build", NULL);
    test_names_remove(HOME);
    make_dir(HOME);
    make_dir(HOME "/parts");
    make_noise();
    make_directories();
    write_noise(HOME "/long", 0, 3000000);
    memset(&none, 0, sizeof none);
    memset(&c, 0, sizeof c);
    c.opt = &none;
    CHECK(create(&c, HOME "/deep.tacozip", HOME "/deep", 0, false, &e) == TACO_OK);
    CHECK(create(&c, HOME "/parts/x.tacozip", HOME "/deep", 300000, true, &e) == TACO_OK);
    CHECK(copy(&c, HOME "/deep.tacozip", HOME "/deep.folder", &e) == TACO_OK);
    CHECK(taco_convert_from_taco2(HOME "/deep.tacozip", HOME "/old.tortilla", NULL, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
}

static void make_out(void)
{
    test_names_remove(OUT);
    make_dir(OUT);
}

/* ---- the same ---- */

typedef struct outcome {
    test_content left;
    size_t calls, faults;
    uint64_t trace;
    taco_error err;
} outcome;

/* The system call of a kind that fails, or 0; returns how many were made since. */
static size_t fault_kind(int kind, size_t at)
{
#if TEST_SYSTEM_FAULTS
    size_t calls = fault_system.calls;
    fault_system.kind = kind;
    fault_system.at = at;
    fault_system.calls = 0;
    return calls;
#else
    (void)kind;
    (void)at;
    return 0;
#endif
}

static outcome run_with_fault(const operation *op, const taco_options *opt, size_t stop_at,
                              int kind, size_t at)
{
    outcome o;
    context c;
    size_t files = test_open_files();
    memset(&o, 0, sizeof o);
    memset(&c, 0, sizeof c);
    c.opt = opt;
    c.stop_at = stop_at;
    make_out();
    fault_kind(kind, at);
    op->run(&c, &o.err);
    o.faults = fault_kind(0, 0);
    o.left = test_look(OUT);
    o.calls = c.calls;
    o.trace = c.trace;
    CHECK(test_open_files() == files);
    return o;
}

static outcome run(const operation *op, const taco_options *opt, size_t stop_at)
{
    return run_with_fault(op, opt, stop_at, 0, 0);
}

static void compare(const operation *op, const char *host, const outcome *a, const outcome *b)
{
    bool same = test_alike(a->left, b->left) && a->calls == b->calls && a->trace == b->trace &&
                a->err.code == b->err.code && strcmp(a->err.text, b->err.text) == 0;
    if (!same) {
        printf("%s, %s: %s, %u calls: \"%s\", not \"%s\"\n", op->name, host,
               test_alike(a->left, b->left) ? "same bytes" : "other bytes", (unsigned)a->calls,
               a->err.text, b->err.text);
    }
    CHECK(same);
}

static void same_backwards(void)
{
    taco_options opt;
    size_t i, width;
    for (i = 0; i < OPERATIONS; i++) {
        outcome alone, o;
        memset(&opt, 0, sizeof opt);
        alone = run(&operations[i], &opt, 0);
        CHECK(alone.err.code == TACO_OK);
        opt.parallel_for = backwards;
        for (width = 1; width <= 7; width += 2) {
            opt.parallel_width = width;
            opt.parallel_long = width % 4 == 3;
            rounds = most_tasks = 0;
            o = run(&operations[i], &opt, 0);
            compare(&operations[i], "backwards", &o, &alone);
            if (TACO__PREAD && width > 1 && operations[i].tasks && (!rounds || most_tasks < 2)) {
                printf("%s: %u rounds, %u tasks\n", operations[i].name, (unsigned)rounds,
                       (unsigned)most_tasks);
                CHECK(false);
            }
        }
    }
}

static void same_with_threads(void)
{
#ifdef WITH_THREADS
    static const size_t widths[] = {1, 2, 3, 7};
    taco_options opt;
    size_t i, k;
    for (i = 0; i < OPERATIONS; i++) {
        outcome alone, o;
        memset(&opt, 0, sizeof opt);
        alone = run(&operations[i], &opt, 0);
        for (k = 0; k < sizeof widths / sizeof *widths; k++) {
            pool threads;
            pool_open(&threads, widths[k]);
            opt.parallel_for = pool_for;
            opt.parallel_ctx = &threads;
            opt.parallel_width = widths[k];
            o = run(&operations[i], &opt, 0);
            compare(&operations[i], "threads", &o, &alone);
            pool_close(&threads);
        }
    }
#else
    SKIP("compiled without threads");
#endif
}

/* A file of so many bytes and the next are a task each; with one byte less none is. */
static void first_batch(void)
{
    const size_t least = (size_t)TACO__PAYLOAD_BATCH_AFTER;
    taco_options opt;
    size_t k;
    memset(&opt, 0, sizeof opt);
    opt.parallel_for = backwards;
    opt.parallel_width = 3;
    opt.parallel_long = true;
    opt.open_file = open_plain; /* else the bytes of a small file are in a page */
    make_dir(HOME "/two");
    write_noise(HOME "/two/g.bin", 0, 100);
    for (k = 0; k < 2; k++) {
        taco_error e = {0, TACO_OK, 0, {0}};
        context c;
        memset(&c, 0, sizeof c);
        c.opt = &opt;
        write_noise(HOME "/two/f.bin", 0, least - k);
        make_out();
        rounds = 0;
        CHECK(create(&c, OUT "/x.tacozip", HOME "/two", 0, false, &e) == TACO_OK);
        CHECK_TEXT(e.text, "");
        CHECK(rounds == (TACO__PREAD && k == 0));
    }
}

/* ---- a Parquet file ---- */

/* n rows of 16 columns of numbers, of which 15 have the same values. */
static void write_numbers(taco_pq_writer *w, const taco_field *f, const int64_t *v, size_t n)
{
    taco_array a[16];
    taco_batch b;
    size_t i;
    memset(a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    for (i = 0; i < 16; i++) {
        a[i].field = &f[i];
        a[i].length = n;
        a[i].v.i64 = v + (i == 7);
    }
    b.columns = a;
    b.column_count = 16;
    b.length = n;
    CHECK(taco_pq_writer_batch(w, &b) == TACO_OK);
}

/* Tasks add the rows of a batch if all leaves together get 131072 values; the pages are made by
   other tasks, when the row group ends. */
static void rows_by_tasks(void)
{
    static int64_t v[8193];
    static taco_field f[16];
    char names[16][4];
    taco_bytes made[2];
    taco_sink sinks[2];
    size_t i, k, n;
    for (i = 0; i < 8193; i++) {
        v[i] = (int64_t)(i * 7919 % 10007);
    }
    for (i = 0; i < 16; i++) {
        sprintf(names[i], "c%u", (unsigned)i);
        f[i] = taco__field_make(names[i], TACO_INT64);
    }
    for (n = 8191; n <= 8192; n++) {
        for (k = 0; k < 2; k++) {
            taco_error e = {0, TACO_OK, 0, {0}};
            taco_pq_write_options o;
            taco_options opt;
            taco_pq_writer *w;
            memset(&o, 0, sizeof o);
            memset(&opt, 0, sizeof opt);
            opt.parallel_for = k ? backwards : NULL;
            opt.parallel_width = 3;
            o.options = &opt;
            rounds = 0;
            CHECK(taco_sink_memory(&sinks[k], NULL, &e) == TACO_OK);
            w = taco_pq_write(&sinks[k], f, 16, &o, &e);
            write_numbers(w, f, v, n);
            CHECK(rounds == (k && n == 8192));
            CHECK(taco_pq_writer_close(w, &e) == TACO_OK);
            CHECK(rounds == (k ? n - 8190 : 0));
            CHECK_TEXT(e.text, "");
            made[k] = taco_sink_bytes(&sinks[k]);
        }
        CHECK(taco__bytes_equal(made[0], made[1]));
        taco_sink_free(&sinks[0]);
        taco_sink_free(&sinks[1]);
    }
}

enum { TEXT = 120, TEXTS = 65536 };

/* Rows of a text, every third null, and a number, written by tasks or not. */
static void write_texts(taco_sink *sink, bool tasks)
{
    static int32_t offsets[TEXTS + 1];
    static uint8_t valid[TEXTS / 8 + 1];
    taco_field f[2];
    taco_array a[2];
    taco_batch b;
    taco_error e = {0, TACO_OK, 0, {0}};
    taco_pq_write_options o;
    taco_options opt;
    taco_pq_writer *w;
    char *text = (char *)malloc((size_t)TEXT * TEXTS);
    size_t i, nulls = 0;
    memset(a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    memset(&o, 0, sizeof o);
    memset(&opt, 0, sizeof opt);
    memset(valid, 0, sizeof valid);
    opt.parallel_for = tasks ? backwards : NULL;
    opt.parallel_width = 3;
    o.options = &opt;
    o.codec = TACO_CODEC_NONE;
    f[0] = taco__field_make("text", TACO_TEXT);
    f[0].nullable = true;
    f[1] = taco__field_make("n", TACO_INT32);
    for (i = 0; i < TEXTS; i++) {
        bool null = i % 3 == 1;
        memset(text + offsets[i], (int)('a' + i % 23), TEXT);
        offsets[i + 1] = offsets[i] + (null ? 0 : TEXT);
        nulls += null;
        if (!null) { valid[i / 8] = (uint8_t)(valid[i / 8] | 1 << i % 8); }
    }
    a[0].v.any = text;
    a[0].offsets = a[1].v.i32 = offsets;
    a[0].validity = valid;
    a[0].null_count = nulls;
    for (i = 0; i < 2; i++) {
        a[i].field = &f[i];
        a[i].length = TEXTS;
    }
    b.columns = a;
    b.column_count = 2;
    b.length = TEXTS;
    CHECK(taco_sink_memory(sink, NULL, &e) == TACO_OK);
    w = taco_pq_write(sink, f, 2, &o, &e);
    CHECK(taco_pq_writer_batch(w, &b) == TACO_OK && taco_pq_writer_close(w, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
    free(text);
}

/* A column that gets more bytes than a task may add is left as it was before the last piece of its
   rows, which the calling thread adds. */
static void many_bytes(void)
{
    taco_sink alone, with;
    write_texts(&alone, false);
    rounds = 0;
    write_texts(&with, true);
    CHECK(rounds >= 2);
    CHECK(taco__bytes_equal(taco_sink_bytes(&alone), taco_sink_bytes(&with)));
    taco_sink_free(&alone);
    taco_sink_free(&with);
}

/* ---- failures ---- */

/* Whoever stops gets the same calls, the same message, and nothing is left. */
static void stopped(void)
{
    taco_options opt;
    size_t i, at;
    for (i = 0; i < OPERATIONS; i++) {
        for (at = 1; at < 300; at += at < 3 ? 1 : 97) {
            outcome alone, o;
            memset(&opt, 0, sizeof opt);
            alone = run(&operations[i], &opt, at);
            opt.parallel_for = backwards;
            opt.parallel_width = 3;
            o = run(&operations[i], &opt, at);
            compare(&operations[i], "stopped", &o, &alone);
            if (alone.err.code != TACO_OK) { CHECK(o.left.names == 0); }
        }
    }
}

/* Cuts the file off when progress is called for the first time: samples beyond cannot be read. */
static bool cut_short(void *ctx, uint64_t done, uint64_t total)
{
    (void)total;
    if (done && *(uint64_t *)ctx) {
        FILE *f = fopen(HOME "/cut.tacozip", "r+b");
        CHECK(f && TACO__TRUNCATE(f, *(uint64_t *)ctx) && fclose(f) == 0);
        *(uint64_t *)ctx = 0;
    }
    return true;
}

static taco_error copy_cut(const char *out, taco_options *opt, uint64_t size)
{
    taco_error e = {0, TACO_OK, 0, {0}};
    taco_create_options o;
    taco_dataset *ds;
    uint64_t cut = size;
    FILE *f = fopen(HOME "/deep.tacozip", "rb"), *to = fopen(HOME "/cut.tacozip", "wb");
    static uint8_t data[65536];
    size_t n;
    while ((n = fread(data, 1, sizeof data, f)) > 0) {
        CHECK(fwrite(data, 1, n, to) == n);
    }
    fclose(f);
    fclose(to);
    make_out();
    memset(&o, 0, sizeof o);
    o.options = opt;
    o.progress = cut_short;
    o.progress_ctx = &cut;
    ds = taco_open(HOME "/cut.tacozip", opt, &e);
    taco_repack(ds, out, &o, &e);
    taco_close(ds);
    CHECK(test_look(OUT).names == 0);
    return e;
}

static void source_ends(void)
{
    static const char *const outs[] = {OUT "/x.tacozip", OUT "/x"};
    size_t i, width;
    uint64_t size, whole = 0;
    CHECK(taco__plat_stat(HOME "/deep.tacozip", &whole) == TACO__PATH_FILE && whole > 1000000);
    for (i = 0; i < 2; i++) {
        for (size = whole / 5; size < whole; size += whole / 4) {
            taco_options opt;
            taco_error alone;
            memset(&opt, 0, sizeof opt);
            alone = copy_cut(outs[i], &opt, size);
            CHECK(alone.code == TACO_ERR_IO && strstr(alone.text, "reading") != NULL);
            opt.parallel_for = backwards;
            for (width = 2; width <= 7; width += 5) {
                taco_error e;
                opt.parallel_width = width;
                e = copy_cut(outs[i], &opt, size);
                CHECK(e.code == alone.code && e.offset == alone.offset);
                CHECK_TEXT(e.text, alone.text);
            }
        }
    }
}

/* After a fault: all of it, or nothing and a message. */
static void judge(const operation *op, const outcome *o, const outcome *whole, size_t live,
                  const char *what, size_t n)
{
    bool good = live == 0 && (o->err.code == TACO_OK ? test_alike(o->left, whole->left)
                                                     : o->left.names == 0 && o->err.text[0]);
    if (!good) {
        printf("%s: %s %u: \"%s\", %u bytes, %u names\n", op->name, what, (unsigned)n, o->err.text,
               (unsigned)live, (unsigned)o->left.names);
    }
    CHECK(good);
}

static void every_allocation(void)
{
    static places tried;
    taco_options opt;
    taco_allocator a;
    size_t i, n = 0;
    places_begin(&tried, &n, &opt, &a);
    opt.parallel_for = backwards;
    opt.parallel_width = 2;
    opt.parallel_long = true;
    for (i = 0; i < OPERATIONS; i++) {
        outcome whole, o;
        if (!operations[i].faults) { continue; }
        places_next(&tried, 0);
        whole = run(&operations[i], &opt, 0);
        CHECK(whole.err.code == TACO_OK);
        for (n = 1; test_bad <= 40 && places_next(&tried, n); n++) {
            tried.memory.all_after = n % 2 == 0;
            o = run(&operations[i], &opt, 0);
            judge(&operations[i], &o, &whole, tried.memory.live, "allocation",
                  tried.memory.fail_at);
        }
        tried.memory.all_after = false;
    }
    printf("%u allocations failed\n", (unsigned)tried.tried);
}

static test_memory unlimited;

/* Fails for the memory of files that are opened ahead. */
static void *resize_but_ahead(void *ctx, void *p, size_t old, size_t size)
{
    bool ahead = !p && size == sizeof(taco__dir_ahead);
    *(size_t *)ctx += ahead;
    return ahead ? NULL : test_resize(&unlimited, p, old, size);
}

/* Without that memory each file is opened when it is stored. */
static void none_ahead(void)
{
    taco_options opt;
    taco_allocator a;
    outcome whole, o;
    size_t asked = 0;
    memset(&a, 0, sizeof a);
    a.ctx = &asked;
    a.resize = resize_but_ahead;
    memset(&opt, 0, sizeof opt);
    whole = run(&operations[0], &opt, 0);
    opt.allocator = &a;
    opt.parallel_for = backwards;
    opt.parallel_width = 2;
    o = run(&operations[0], &opt, 0);
    CHECK(o.err.code == TACO_OK && test_alike(o.left, whole.left));
#ifdef TACO__OPEN_AT
    CHECK(asked > 0);
#endif
}

static void every_system_call(void)
{
#if TEST_SYSTEM_FAULTS
    static const int kinds[] = {FAULT_OPEN, FAULT_WRITE, FAULT_PREAD, FAULT_CLOSE, FAULT_SEEK};
    taco_options opt;
    taco_allocator a;
    test_memory m;
    size_t i, k, n, points = 0;
    for (i = 0; i < OPERATIONS; i++) {
        outcome whole, o;
        if (!operations[i].faults) { continue; }
        test_counted(&opt, &a, &m);
        whole = run(&operations[i], &opt, 0);
        opt.parallel_for = backwards;
        opt.parallel_width = 3;
        opt.parallel_long = true;
        for (k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            for (n = 1; test_bad <= 40; n += 1 + n / 2) {
                o = run_with_fault(&operations[i], &opt, 0, kinds[k], n);
                judge(&operations[i], &o, &whole, m.live, fault_names[kinds[k]], n);
                points++;
                if (o.faults < n) { break; }
            }
        }
    }
    printf("%u system calls failed\n", (unsigned)points);
#else
    SKIP("this C library's functions are not replaced");
#endif
}

/* Without room for the buffers, and without a file to go back in, tasks are not used. */
static void little_memory(void)
{
    taco_options opt;
    outcome alone, o;
    memset(&opt, 0, sizeof opt);
    alone = run(&operations[0], &opt, 0);
    opt.parallel_for = backwards;
    opt.parallel_width = 4;
    opt.parallel_long = true;
    opt.limits.max_memory = (uint64_t)32 << 20;
    rounds = 0;
    o = run(&operations[0], &opt, 0);
    compare(&operations[0], "little memory", &o, &alone);
}

int main(void)
{
    make_sources();
    RUN(same_backwards);
    RUN(same_with_threads);
    RUN(first_batch);
    RUN(rows_by_tasks);
    RUN(many_bytes);
    RUN(stopped);
    RUN(source_ends);
    RUN(little_memory);
    RUN(every_allocation);
    RUN(none_ahead);
    RUN(every_system_call);
    test_names_remove(HOME);
    return test_end("test_write_tasks");
}
