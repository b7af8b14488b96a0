/* Damaged payloads: whatever copies whole payloads out of an archive, or passes them on, compares
   them with the CRC-32 of the archive: every writer, the loader and taco_payload_check, for archives
   and catalogues, flat and nested, small and large payloads, with tasks and without. */
#include "../src/base/file_copy.h"
#include "../src/base/temporary.h"
#include "../extra/taco_write.h"
#include "../extra/taco_legacy.h"

#include "names.h"

#define HOME  "build/test_damaged"
#define OUT   HOME "/out"
#define LARGE 300000 /* more than the buffer of a writer */

static taco_error err;

static taco_error *fresh(void)
{
    memset(&err, 0, sizeof err);
    return &err;
}

/* taco_options.parallel_for without threads, the last task first. */
static void backwards(void *ctx, size_t n, void (*task)(void *arg, size_t i), void *arg)
{
    (void)ctx;
    while (n--) {
        task(arg, n);
    }
}

/* ---- sources ---- */

typedef struct source {
    const char *name;
    size_t size;  /* of each payload */
    size_t parts; /* archives: more than one are opened by their catalogue */
    bool nested;
    bool long_names; /* local headers longer than most */
} source;

static uint8_t bytes[LARGE];

/* The payload of sample i, which begins with a text that is nowhere else. */
static void fill(size_t i, size_t size)
{
    memset(bytes, (int)('a' + i), size);
    memcpy(bytes, "payload 0", 9);
    bytes[8] = (uint8_t)('0' + i);
}

static void name_of(const source *s, size_t i, char *out)
{
    int n = s->long_names ? 250 : 0;
    sprintf(
        out, "s%d%.*s", (int)i, n,
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
}

/* Samples from to `to`; a nested one is a FOLDER with two files. */
static void make_archive(const source *s, const char *path, size_t from, size_t to)
{
    static const char collection[] =
        "{\"id\":\"d\",\"dataset_version\":\"1\",\"description\":\"d\",\"licenses\":[\"CC0-1.0\"],"
        "\"providers\":[{\"name\":\"x\"}],\"tasks\":[\"other\"]}";
    char id[300];
    taco_writer *w = taco_create(path, NULL, fresh());
    taco_writer_collection(w, collection, sizeof collection - 1);
    for (; from < to; from++) {
        fill(from, s->size);
        name_of(s, from, id);
        if (s->nested) {
            taco_writer_folder_begin(w, id);
            taco_writer_bytes(w, "one", "other", 5);
        }
        taco_writer_bytes(w, s->nested ? "two" : id, bytes, s->size);
        if (s->nested) { taco_writer_folder_end(w); }
    }
    CHECK(taco_writer_finish(w, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
}

/* Changes a bit in the middle of the payload of a sample, in whichever archive has it. */
static void damage(const char *path, size_t sample, size_t size)
{
    static uint8_t file[8 * LARGE];
    FILE *f = fopen(path, "rb");
    char text[16];
    size_t n = f ? fread(file, 1, sizeof file, f) : 0, i;
    if (f) { fclose(f); }
    sprintf(text, "payload %d", (int)sample);
    for (i = 0; i + 9 < n && memcmp(file + i, text, 9) != 0; i++) {}
    if (i + 9 >= n) { return; }
    file[i + size / 2] ^= 4;
    f = fopen(path, "wb");
    CHECK(f && fwrite(file, 1, n, f) == n);
    if (f) { fclose(f); }
}

/* Makes a source, of four samples, and returns its path; sample 2 is damaged. */
static const char *make(const source *s, bool damaged)
{
    static const char *const paths[] = {HOME "/a.tacozip", HOME "/b.tacozip"};
    size_t i;
    test_names_remove(HOME);
    CHECK(taco__dir_make("build", NULL) && taco__dir_make(HOME, NULL));
    for (i = 0; i < s->parts; i++) {
        make_archive(s, paths[i], 4 * i / s->parts, 4 * (i + 1) / s->parts);
        if (damaged) { damage(paths[i], 2, s->size); }
    }
    if (s->parts == 1) { return paths[0]; }
    CHECK(taco_create_tacocat(HOME, paths, s->parts, NULL, fresh()) == TACO_OK);
    CHECK_TEXT(err.text, "");
    return HOME;
}

/* ---- works ---- */

static taco_status repack(taco_dataset *ds, const char *path, const taco_create_options *c)
{
    (void)path;
    return taco_repack(ds, OUT, c, &err);
}

static taco_status repack_zip(taco_dataset *ds, const char *path, const taco_create_options *c)
{
    (void)path;
    return taco_repack(ds, OUT ".tacozip", c, &err);
}

static taco_status export_zip(taco_dataset *ds, const char *path, const taco_create_options *c)
{
    taco_query q;
    memset(&q, 0, sizeof q);
    q.where = "id >= 's1'";
    (void)path;
    return taco_export(ds, OUT ".tacozip", &q, c, &err);
}

static taco_status export_rows(taco_dataset *ds, const char *path, const taco_create_options *c)
{
    (void)path;
    return taco_export_rows(taco_select(ds, NULL, &err), OUT, c, &err);
}

static taco_status convert(taco_dataset *ds, const char *path, const taco_create_options *c)
{
    taco_convert_options o;
    memset(&o, 0, sizeof o);
    o.create.options = c->options;
    (void)ds;
    return taco_convert_from_taco2(path, OUT ".tortilla", &o, &err);
}

static taco_status load(taco_dataset *ds, const char *path, const taco_create_options *c)
{
    taco_loader_options how;
    taco_loader_batch b;
    taco_loader *l;
    taco_query q;
    size_t i, n = 0;
    (void)path;
    (void)c;
    memset(&how, 0, sizeof how);
    memset(&q, 0, sizeof q);
    q.table = taco_levels(ds) - 1;
    how.batch = 3;
    how.shuffle = true;
    l = taco_loader_open(ds, &q, &how, &err);
    while (taco_loader_next(l, &b)) {
        for (i = 0; i < b.count; i++) {
            n++;
            CHECK(b.items[i].bytes.len == 5 || memcmp(b.items[i].bytes.data, "payload ", 8) == 0);
        }
    }
    CHECK(err.code != TACO_OK || taco_loader_close(l, &err) != TACO_OK || n >= 4);
    return err.code;
}

static taco_status payload_check(taco_dataset *ds, const char *path, const taco_create_options *c)
{
    taco_source src;
    const char *key = taco_levels(ds) > 1 ? "@2/two" : "@2";
    (void)path;
    (void)c;
    if (taco_payload(ds, key, &src, &err) != TACO_OK) { return err.code; }
    CHECK(src.size <= sizeof bytes && src.read(src.ctx, 0, bytes, (size_t)src.size));
    taco_payload_check(ds, key, taco_crc32(0, bytes, (size_t)src.size), &err);
    if (src.close) { src.close(src.ctx); }
    return err.code;
}

typedef struct work {
    const char *name;
    taco_status (*run)(taco_dataset *ds, const char *path, const taco_create_options *c);
    bool archives; /* only these */
} work;

static const work works[] = {
    {"repack", repack, false},
    {"repack to an archive", repack_zip, false},
    {"export", export_zip, false},
    {"export of rows", export_rows, false},
    {"convert", convert, true},
    {"loader", load, false},
    {"payload_check", payload_check, false},
};

static const source sources[] = {
    {"an archive", 100, 1, false, false},        {"large payloads", LARGE, 1, false, false},
    {"a nested archive", 100, 1, true, false},   {"a catalogue", 100, 2, false, false},
    {"a nested catalogue", 100, 2, true, false}, {"long names", 100, 1, false, true},
};

/* ---- the table ---- */

static size_t warned;
static char warning[512];

static void count_warning(void *ctx, const taco_error *what)
{
    (void)ctx;
    if (what->code != TACO_ERR_CHECKSUM) { return; }
    warned++;
    snprintf(warning, sizeof warning, "%s", what->text);
}

static taco_status run(const work *w, const char *path, bool keep, bool tasks)
{
    taco_options opt;
    taco_create_options c;
    taco_dataset *ds;
    memset(&opt, 0, sizeof opt);
    memset(&c, 0, sizeof c);
    opt.keep_damaged = keep;
    opt.warn = count_warning;
    if (tasks) { opt.parallel_for = backwards; }
    c.options = &opt;
    warned = 0;
    ds = taco_open(path, &opt, fresh());
    CHECK(ds != NULL);
    if (ds) { w->run(ds, path, &c); }
    taco_close(ds);
    return err.code;
}

/* Says which line of the table it is when a check failed. */
static void report(int bad, const work *w, const source *s, const char *how)
{
    if (test_bad > bad) { printf("  %s of %s, %s: %s\n", w->name, s->name, how, err.text); }
}

static void damaged_payloads(void)
{
    size_t i, k;
    int tasks, bad;
    for (k = 0; k < sizeof sources / sizeof *sources; k++) {
        const source *s = &sources[k];
        for (i = 0; i < sizeof works / sizeof *works; i++) {
            const work *w = &works[i];
            if (w->archives && s->parts > 1) { continue; }
            for (tasks = 0; tasks < 2; tasks++) {
                bad = test_bad;
                CHECK(run(w, make(s, false), false, tasks) == TACO_OK && warned == 0);
                report(bad, w, s, "sound");
                bad = test_bad;
                CHECK(run(w, make(s, true), false, tasks) == TACO_ERR_CHECKSUM && warned == 0);
                CHECK(strstr(err.text, "sample '") && strstr(err.text, "its bytes are damaged"));
                CHECK(s->long_names || strstr(err.text, s->nested ? "two'" : "2'"));
                CHECK(test_names_count(HOME, "out", "") == 0);
                report(bad, w, s, "damaged");
                bad = test_bad;
                CHECK(run(w, make(s, true), true, tasks) == TACO_OK && warned == 1);
                CHECK(strstr(warning, "sample '") && strstr(warning, "they are copied"));
                report(bad, w, s, "kept");
            }
        }
    }
    test_names_remove(HOME);
}

/* What is copied damaged is a dataset of its own: its CRC is that of the bytes it has. */
static void kept(void)
{
    taco_validate_options how;
    memset(&how, 0, sizeof how);
    how.deep = true;
    CHECK(run(&works[1], make(&sources[0], true), true, false) == TACO_OK);
    CHECK(taco_validate(OUT ".tacozip", NULL, &how, NULL, fresh()) == TACO_OK);
    CHECK_TEXT(err.text, "");
    CHECK(run(&works[6], OUT ".tacozip", false, false) == TACO_OK);
    test_names_remove(HOME);
}

int main(void)
{
    RUN(damaged_payloads);
    RUN(kept);
    return test_end("test_damaged");
}
