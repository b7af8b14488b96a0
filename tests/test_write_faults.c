/* Writers under faults: each place that allocates, and each system call that creates names, writes,
   reads, syncs, locks, renames or closes, fails once. Afterwards the output is complete or does not
   exist, an archive edited in place is unchanged or has the whole edit, nothing else is left, no
   other file is gone, and no memory or descriptor leaks. Then other processes beside writers: links
   they plant, locks they hold, files they put in place of one being changed. */
#include "system_faults.h"

#include "places.h"

#include "../src/base/file_copy.h"
#include "../src/base/sink.h"
#include "../extra/taco_write.h"
#include "../extra/taco_legacy.h"
#include "../extra/taco_publish.h"
#include "../extra/taco_rasteret.h"

#include "names.h"
#include "tiff.h"

#define HOME "build/test_write_faults"
#define OUT  HOME "/out"

static const char collection[] = "{\"id\":\"demo\",\"dataset_version\":\"1.0.0\",\"description\":"
                                 "\"d\",\"licenses\":[\"CC0-1.0\"],"
                                 "\"providers\":[{\"name\":\"x\"}],\"tasks\":[\"other\"]}";

/* ---- sources ---- */

static void write_text(const char *path, const char *text, size_t len)
{
    FILE *f = fopen(path, "wb");
    CHECK(f && fwrite(text, 1, len, f) == len && fclose(f) == 0);
}

static taco_writer *fill(taco_writer *w, size_t tiles, const char *payload, size_t size)
{
    char name[16];
    size_t i;
    if (!w) { return NULL; }
    taco_writer_collection(w, collection, sizeof collection - 1);
    taco_writer_column(w, 0, "cloud", TACO_DOUBLE);
    taco_writer_column(w, 1, "note", TACO_TEXT);
    for (i = 0; i < tiles; i++) {
        snprintf(name, sizeof name, "t%u", (unsigned)i);
        taco_writer_folder_begin(w, name);
        taco_writer_set_double(w, "cloud", (double)i);
        taco_writer_bytes(w, "a", payload, size);
        taco_writer_set_text(w, "note", name);
        taco_writer_bytes(w, "b", payload + i, 3);
        taco_writer_set_text(w, "note", "b");
        taco_writer_folder_end(w);
    }
    return w;
}

static char payload[3000];

static void make_tiffs(void)
{
    static tiff_maker m;
    static const int64_t shape[3] = {3, 20, 40};
    taco_error e = {0, TACO_OK, 0, {0}};
    taco_stac s;
    taco_writer *w;
    memset(&s, 0, sizeof s);
    tiff_begin(&m, false, false, 32, 700);
    tiff_usual(&m, 3, true);
    s.crs = "EPSG:32630";
    s.shape = shape;
    s.dimensions = 3;
    s.geotransform[0] = 500000;
    s.geotransform[1] = 10;
    s.geotransform[3] = 4000000;
    s.geotransform[5] = -10;
    w = taco_create(HOME "/tiff.tacozip", NULL, &e);
    taco_writer_collection(w, collection, sizeof collection - 1);
    taco_writer_stac_columns(w, 0);
    s.time_start = INT64_C(86400000000) * 18000;
    taco_writer_bytes(w, "one", m.data, m.size);
    CHECK(taco_writer_set_stac(w, &s, &e) == TACO_OK);
    s.time_start = INT64_C(86400000000) * 18100;
    taco_writer_bytes(w, "two", m.data, m.size);
    CHECK(taco_writer_set_stac(w, &s, &e) == TACO_OK);
    CHECK(taco_writer_finish(w, &e) == TACO_OK);
    CHECK_TEXT(e.text, "");
}

static size_t read_whole(const char *path, char *to, size_t most)
{
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(to, 1, most, f) : 0;
    if (f) { fclose(f); }
    CHECK(n > 1000 && n < most);
    return n;
}

/* Where a text begins behind a place of bytes that have it. */
static size_t text_after(const char *p, const char *text, size_t at)
{
    const size_t n = strlen(text);
    while (memcmp(p + at, text, n) != 0) {
        at++;
    }
    return at;
}

/* Archives to repair: without a directory; with a level that cannot be read, so that it is made of
   all __meta__; with a TACO_HEADER that is wrong. The same level in a FOLDER. */
static void make_damaged(void)
{
    static char data[65536];
    size_t n = read_whole(HOME "/a.tacozip", data, sizeof data), at, end;
    write_text(HOME "/cut.tacozip", data, n - 300);
    at = text_after(data, "METADATA/level1.parquetPAR1", 0);
    end = text_after(data, "COLLECTION.json", at);
    while (memcmp(data + end - 4, "PAR1", 4) != 0) {
        end--;
    }
    memset(data + end - 40, 0xFF, 36);
    write_text(HOME "/level.tacozip", data, n);
    n = read_whole(HOME "/a.tacozip", data, sizeof data);
    data[45] ^= 1;
    write_text(HOME "/header.tacozip", data, n);
    n = read_whole(HOME "/damaged/METADATA/level1.parquet", data, sizeof data);
    memset(data + n - 40, 0xFF, 36);
    write_text(HOME "/damaged/METADATA/level1.parquet", data, n);
}

/* The directory of this test, with all that the operations read. */
static void make_sources(void)
{
    static const char *const dirs[] = {HOME, HOME "/files", HOME "/files/t0", HOME "/files/t1",
                                       HOME "/files/t2"};
    taco_error e = {0, TACO_OK, 0, {0}};
    taco_dataset *ds;
    size_t i;
    char path[64];
    taco__dir_make("build", NULL);
    test_names_remove(HOME);
    for (i = 0; i < sizeof payload; i++) {
        payload[i] = (char)(i * 7 + i / 64);
    }
    for (i = 0; i < sizeof dirs / sizeof dirs[0]; i++) {
        CHECK(taco__dir_make(dirs[i], &e));
        snprintf(path, sizeof path, "%s/x", dirs[i]);
        if (i > 1) { write_text(path, payload, 900); }
    }
    CHECK(taco_writer_finish(fill(taco_create(HOME "/a.tacozip", NULL, &e), 3, payload, 2000),
                             &e) == TACO_OK);
    CHECK(taco_writer_finish(fill(taco_create(HOME "/b.tacozip", NULL, &e), 3, payload, 1000),
                             &e) == TACO_OK);
    ds = taco_open(HOME "/a.tacozip", NULL, &e);
    CHECK(taco_repack(ds, HOME "/folder", NULL, &e) == TACO_OK);
    CHECK(taco_repack(ds, HOME "/damaged", NULL, &e) == TACO_OK);
    taco_close(ds);
    CHECK(taco_convert_from_taco2(HOME "/a.tacozip", HOME "/old.tortilla", NULL, &e) == TACO_OK);
    write_text(HOME "/add.csv", "id,extra\nt0,1\nt1,2\nt2,3\n", 24);
    make_tiffs();
    make_damaged();
    CHECK_TEXT(e.text, "");
}

/* The output's directory, with strangers in it, and for changes in place an archive. */
static void make_out(void)
{
    char data[65536];
    size_t n = read_whole(HOME "/a.tacozip", data, sizeof data);
    test_names_remove(OUT);
    CHECK(taco__dir_make_new(OUT, NULL) && taco__dir_make_new(OUT "/x.part", NULL) &&
          taco__dir_make_new(OUT "/x.part/DATA", NULL));
    write_text(OUT "/x.part/DATA/mine", "mine", 4);
    write_text(OUT "/x.tacozip.part", "mine", 4);
    write_text(OUT "/place.tacozip", data, n);
}

/* ---- the operations ---- */

static taco_status op_create_zip(const taco_options *opt, taco_error *err)
{
    taco_create_options c;
    memset(&c, 0, sizeof c);
    c.options = opt;
    return taco_writer_finish(fill(taco_create(OUT "/x.tacozip", &c, err), 2, payload, 2000), err);
}

static taco_status op_create_folder(const taco_options *opt, taco_error *err)
{
    taco_create_options c;
    memset(&c, 0, sizeof c);
    c.options = opt;
    return taco_writer_finish(fill(taco_create(OUT "/x", &c, err), 2, payload, 2000), err);
}

static taco_status op_create_parts(const taco_options *opt, taco_error *err)
{
    taco_create_options c;
    taco_directory_options d;
    memset(&c, 0, sizeof c);
    memset(&d, 0, sizeof d);
    c.options = opt;
    d.create = &c;
    d.split_size = 1000;
    d.no_catalogue = true;
    return taco_create_directory(OUT "/x.tacozip", HOME "/files", collection, sizeof collection - 1,
                                 &d, err);
}

static taco_status copy_to(const char *from, const char *to, bool subset, const taco_options *opt,
                           taco_error *err)
{
    taco_create_options c;
    taco_query q;
    taco_dataset *ds = taco_open(from, opt, err);
    memset(&c, 0, sizeof c);
    memset(&q, 0, sizeof q);
    c.options = opt;
    c.date = 1;
    q.where = "cloud > 0";
    if (ds && subset) {
        taco_export(ds, to, &q, &c, err);
    } else if (ds) {
        taco_repack(ds, to, &c, err);
    }
    taco_close(ds);
    return err->code;
}

static taco_status op_export(const taco_options *opt, taco_error *err)
{
    return copy_to(HOME "/a.tacozip", OUT "/x.tacozip", true, opt, err);
}

static taco_status op_export_folder(const taco_options *opt, taco_error *err)
{
    return copy_to(HOME "/folder", OUT "/x", true, opt, err);
}

static taco_status op_zip_to_folder(const taco_options *opt, taco_error *err)
{
    return copy_to(HOME "/a.tacozip", OUT "/x", false, opt, err);
}

static taco_status op_folder_to_zip(const taco_options *opt, taco_error *err)
{
    return copy_to(HOME "/folder", OUT "/x.tacozip", false, opt, err);
}

static taco_status op_repair(const taco_options *opt, taco_error *err)
{
    return taco_repair(HOME "/a.tacozip", OUT "/x.tacozip", opt, NULL, NULL, err);
}

static taco_status op_repair_folder(const taco_options *opt, taco_error *err)
{
    return taco_repair(HOME "/folder", OUT "/x", opt, NULL, NULL, err);
}

static taco_status op_repair_cut(const taco_options *opt, taco_error *err)
{
    return taco_repair(HOME "/cut.tacozip", OUT "/x.tacozip", opt, NULL, NULL, err);
}

static taco_status op_repair_level(const taco_options *opt, taco_error *err)
{
    return taco_repair(HOME "/level.tacozip", OUT "/x.tacozip", opt, NULL, NULL, err);
}

static taco_status op_repair_header(const taco_options *opt, taco_error *err)
{
    return taco_repair(HOME "/header.tacozip", OUT "/x.tacozip", opt, NULL, NULL, err);
}

static taco_status op_repair_folder_level(const taco_options *opt, taco_error *err)
{
    return taco_repair(HOME "/damaged", OUT "/x", opt, NULL, NULL, err);
}

/* These two have no options: only system calls fail. */
static taco_status op_replace(const taco_options *opt, taco_error *err)
{
    taco_member m;
    (void)opt;
    memset(&m, 0, sizeof m);
    m.name = "COLLECTION.json";
    m.data = collection;
    m.len = sizeof collection - 1;
    return taco_archive_replace(OUT "/place.tacozip", &m, err);
}

static taco_status op_header(const taco_options *opt, taco_error *err)
{
    taco_header h;
    (void)opt;
    return taco_header_read(HOME "/a.tacozip", NULL, &h, err) == TACO_OK
               ? taco_header_write(OUT "/place.tacozip", &h, err)
               : err->code;
}

static taco_status op_archive(const taco_options *opt, taco_error *err)
{
    taco_member m[2];
    taco_archive_options how;
    memset(m, 0, sizeof m);
    memset(&how, 0, sizeof how);
    m[0].name = "a";
    m[0].data = payload;
    m[0].len = sizeof payload;
    m[0].listed = true;
    m[1].name = "b/c";
    m[1].path = HOME "/add.csv";
    how.options = opt;
    return taco_archive_create(OUT "/x.tacozip", m, 2, &how, err);
}

static taco_status merge(const char *out, bool binary, const taco_options *opt, taco_error *err)
{
    static const char *const paths[] = {HOME "/a.tacozip", HOME "/b.tacozip"};
    taco_merge_options m;
    memset(&m, 0, sizeof m);
    m.options = opt;
    m.binary = binary;
    return strcmp(out, OUT "/x.json") == 0 ? taco_create_tacollection(out, paths, 2, &m, err)
                                           : taco_create_tacocat(out, paths, 2, &m, err);
}

static taco_status op_tacocat(const taco_options *opt, taco_error *err)
{
    return merge(OUT, false, opt, err);
}

static taco_status op_tacocat_both(const taco_options *opt, taco_error *err)
{
    return merge(OUT, true, opt, err);
}

static taco_status op_tacocat_file(const taco_options *opt, taco_error *err)
{
    return merge(OUT "/__TACOCAT__", false, opt, err);
}

static taco_status op_tacollection(const taco_options *opt, taco_error *err)
{
    return merge(OUT "/x.json", false, opt, err);
}

static taco_status add(const char *path, const char *output, const taco_options *opt,
                       taco_error *err)
{
    static const char *const tables[] = {HOME "/add.csv"};
    taco_create_options c;
    taco_add_options a;
    memset(&c, 0, sizeof c);
    memset(&a, 0, sizeof a);
    c.options = opt;
    a.create = &c;
    a.tables = tables;
    a.table_count = 1;
    return taco_add_columns(path, output, &a, err);
}

static taco_status op_add(const taco_options *opt, taco_error *err)
{
    return add(OUT "/place.tacozip", NULL, opt, err);
}

static taco_status op_add_output(const taco_options *opt, taco_error *err)
{
    return add(OUT "/place.tacozip", OUT "/x.tacozip", opt, err);
}

static taco_status op_convert(const taco_options *opt, taco_error *err)
{
    static const char *const in[] = {HOME "/old.tortilla"};
    taco_convert_options c;
    memset(&c, 0, sizeof c);
    c.create.options = opt;
    return taco_convert_to_taco2(in, 1, OUT "/x.tacozip", &c, err);
}

static taco_status op_convert_back(const taco_options *opt, taco_error *err)
{
    taco_convert_options c;
    memset(&c, 0, sizeof c);
    c.create.options = opt;
    return taco_convert_from_taco2(HOME "/a.tacozip", OUT "/x.tortilla", &c, err);
}

static taco_status op_publish(const taco_options *opt, taco_error *err)
{
    taco_publish_options how;
    taco_sink sink;
    taco_dataset *ds = taco_open(HOME "/tiff.tacozip", opt, err);
    taco_cursor *rows = ds ? taco_select(ds, NULL, err) : NULL;
    memset(&how, 0, sizeof how);
    how.kind = TACO_PUBLISH_GEOPARQUET;
    how.write.options = opt;
    if (rows && taco_sink_file(&sink, OUT "/x.parquet", opt, err) == TACO_OK) {
        taco_publish(rows, &sink, &how, err);
    } else {
        taco_cursor_close(rows, err);
    }
    taco_close(ds);
    return err->code;
}

static taco_status op_rasteret(const taco_options *opt, taco_error *err)
{
    taco_rasteret_options o;
    memset(&o, 0, sizeof o);
    o.options = opt;
    return taco_rasteret_from_taco(HOME "/tiff.tacozip", OUT "/x", &o, err);
}

typedef struct operation {
    const char *name;
    taco_status (*run)(const taco_options *opt, taco_error *err);
    bool leaves_out; /* what it cannot read, with a warning */
} operation;

static const operation operations[] = {{"create", op_create_zip, false},
                                       {"create a FOLDER", op_create_folder, false},
                                       {"create parts", op_create_parts, false},
                                       {"export", op_export, false},
                                       {"export to FOLDER", op_export_folder, false},
                                       {"zip2folder", op_zip_to_folder, false},
                                       {"folder2zip", op_folder_to_zip, false},
                                       {"repair", op_repair, false},
                                       {"repair a FOLDER", op_repair_folder, false},
                                       {"repair without a directory", op_repair_cut, false},
                                       {"repair a level", op_repair_level, false},
                                       {"repair a header", op_repair_header, false},
                                       {"repair a FOLDER's level", op_repair_folder_level, false},
                                       {"replace", op_replace, false},
                                       {"header", op_header, false},
                                       {"archive", op_archive, false},
                                       {"tacocat", op_tacocat, false},
                                       {"tacocat, both forms", op_tacocat_both, false},
                                       {"__TACOCAT__", op_tacocat_file, false},
                                       {"tacollection", op_tacollection, false},
                                       {"add", op_add, false},
                                       {"add to an output", op_add_output, false},
                                       {"convert", op_convert, false},
                                       {"convert back", op_convert_back, false},
                                       {"publish", op_publish, false},
                                       {"rasteret from-taco", op_rasteret, true}};

enum { OPERATIONS = sizeof operations / sizeof operations[0] };

/* ---- the tour ---- */

static test_content before, after; /* without a fault */

/* Faults of reading. */
static bool taken_away(const char *what)
{
    return strcmp(what, "open") == 0 || strcmp(what, "pread") == 0 || strcmp(what, "stat") == 0;
}

/* After an operation: all of it, or as it was. */
static void judge(const operation *op, taco_status st, const taco_error *err, size_t live,
                  size_t files, const char *what, size_t n)
{
    test_content now = test_look(OUT);
    const bool whole = test_alike(now, st == TACO_OK ? after : before) ||
                       (op->leaves_out && st == TACO_OK && taken_away(what));
    bool good = st == err->code && live == 0 && files == test_open_files() && whole &&
                test_names_count(OUT, "", ".part") == 2;
    if (!good) {
        printf("%s: %s %u: %s: %s; %u bytes, %d files lost, %u names: as %s\n", op->name, what,
               (unsigned)n, taco_status_name(st), err->text, (unsigned)live,
               (int)test_open_files() - (int)files, (unsigned)now.names,
               test_alike(now, before)  ? "before"
               : test_alike(now, after) ? "after"
                                        : "never");
    }
    CHECK(good);
    if (!test_alike(now, before)) { make_out(); }
}

static places tried;

#if TEST_SYSTEM_FAULTS
/* The system calls of an operation: of each kind how many, and those that are due, each at another
   place than all before. */
static struct {
    size_t made[FAULT_KINDS], due[FAULT_KINDS][200], count[FAULT_KINDS];
} calls;

static void note_call(int kind)
{
    const size_t n = calls.count[kind], last = n ? calls.due[kind][n - 1] : 0;
    const uint64_t place = 10 + (uint64_t)kind + (fault_system.interrupts ? FAULT_KINDS : 0);
    calls.made[kind]++;
    if (n < 200 && places_add(&tried, place, calls.made[kind], last)) {
        calls.due[kind][calls.count[kind]++] = calls.made[kind];
    }
}

static void note_calls(void (*note)(int kind))
{
    if (note) { memset(&calls, 0, sizeof calls); }
    fault_system.note = note;
}
#endif

/* The operation once without a fault: what it leaves. */
static void undisturbed(const operation *op, bool note)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_options opt;
    taco_allocator a;
    test_memory m;
    test_counted(&opt, &a, &m);
    make_out();
    before = test_look(OUT);
#if TEST_SYSTEM_FAULTS
    note_calls(note ? note_call : NULL);
#endif
    CHECK(op->run(&opt, &err) == TACO_OK);
#if TEST_SYSTEM_FAULTS
    note_calls(NULL);
#endif
    (void)note;
    CHECK_TEXT(err.text, "");
    after = test_look(OUT);
    CHECK(m.live == 0 && !test_alike(before, after));
    CHECK(test_names_count(OUT, "", ".part") == 2);
    make_out();
}

static void every_allocation(void)
{
    taco_options opt;
    taco_allocator a;
    size_t i, n = 0;
    places_begin(&tried, &n, &opt, &a);
    for (i = 0; i < OPERATIONS; i++) {
        taco_error err = {0, TACO_OK, 0, {0}};
        undisturbed(&operations[i], false);
        places_next(&tried, 0);
        CHECK(operations[i].run(&opt, &err) == TACO_OK);
        make_out();
        for (n = 1; test_bad <= 40 && places_next(&tried, n); n++) {
            taco_status st;
            size_t files = test_open_files();
            memset(&err, 0, sizeof err);
            tried.memory.all_after = n % 2 == 0;
            st = operations[i].run(&opt, &err);
            judge(&operations[i], st, &err, tried.memory.live, files, "allocation",
                  tried.memory.fail_at);
        }
        tried.memory.all_after = false;
    }
    printf("%u allocations failed\n", (unsigned)tried.tried);
}

#if TEST_SYSTEM_FAULTS
/* The system call that is due fails, and is made. */
static void system_call(const operation *op, int kind, size_t due)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_options opt;
    taco_allocator a;
    test_memory m;
    taco_status st;
    size_t files = test_open_files();
    test_counted(&opt, &a, &m);
    fault_system.kind = kind;
    fault_system.calls = 0;
    fault_system.at = due;
    st = op->run(&opt, &err);
    fault_system.at = 0;
    CHECK(fault_system.calls >= due);
    if (fault_system.interrupts) {
        CHECK(st == TACO_OK && m.live == 0);
        make_out();
    } else {
        judge(op, st, &err, m.live, files, fault_names[kind], due);
    }
}
#endif

static void every_system_call(void)
{
#if TEST_SYSTEM_FAULTS
    size_t i, n, points = 0;
    int kind;
    for (i = 0; i < OPERATIONS; i++) {
        undisturbed(&operations[i], true);
        for (kind = 0; kind < FAULT_KINDS; kind++) {
            for (n = 0; test_bad <= 40 && n < calls.count[kind]; n++) {
                system_call(&operations[i], kind, calls.due[kind][n]);
                points++;
            }
        }
    }
    printf("%u system calls failed\n", (unsigned)points);
#else
    SKIP("this C library's functions are not replaced");
#endif
}

/* A read that a signal interrupts is made again. */
static void every_read_interrupted(void)
{
#if TEST_SYSTEM_FAULTS
    size_t i, n, points = 0;
    fault_system.interrupts = true;
    for (i = 0; i < OPERATIONS; i++) {
        undisturbed(&operations[i], true);
        for (n = 0; test_bad <= 40 && n < calls.count[FAULT_PREAD]; n++) {
            system_call(&operations[i], FAULT_PREAD, calls.due[FAULT_PREAD][n]);
            points++;
        }
    }
    fault_system.interrupts = false;
    CHECK(points > OPERATIONS);
#else
    SKIP("this C library's functions are not replaced");
#endif
}

/* A read that gives less than was asked for is not the end of the file. */
static void every_read_short(void)
{
#if TEST_SYSTEM_FAULTS
    size_t i;
    for (i = 0; i < OPERATIONS; i++) {
        taco_error err = {0, TACO_OK, 0, {0}};
        taco_options opt;
        taco_allocator a;
        test_memory m;
        undisturbed(&operations[i], false);
        test_counted(&opt, &a, &m);
        fault_system.halves = true;
        CHECK(operations[i].run(&opt, &err) == TACO_OK);
        fault_system.halves = false;
        if (!test_alike(test_look(OUT), after)) {
            printf("%s: not the same\n", operations[i].name);
            CHECK(false);
        }
        make_out();
    }
#else
    SKIP("this C library's functions are not replaced");
#endif
}

/* A file that is continued, and not kept or not complete: bytes that were replaced come back, and
   where a call fails at that, closing says so. */
static void every_return_to_old_bytes(void)
{
#if TEST_SYSTEM_FAULTS
    static const struct {
        int kind;
        bool keep, closes;
        const char *left; /* NULL: half of the way back */
    } rows[] = {{FAULT_KINDS, true, true, "mXYemore"}, {FAULT_KINDS, false, true, "mine"},
                {FAULT_FSYNC, true, false, "mine"},    {FAULT_FSYNC, false, true, "mine"},
                {FAULT_TRUNCATE, false, false, NULL},  {FAULT_SEEK, false, false, NULL},
                {FAULT_WRITE, false, false, NULL}};

    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        taco_error e = {0, TACO_OK, 0, {0}};
        taco__update u;
        taco_sink sink;
        taco__mem m;
        char text[20] = "";
        FILE *f;
        taco__mem_init(&m, NULL);
        test_names_remove(OUT);
        write_text(OUT, "mine", 4);
        CHECK(taco__update_open(&u, OUT, &e) && taco__sink_append_open(&sink, &u, 4, &m, &e));
        CHECK(sink.write(sink.ctx, 4, "more", 4) && sink.write(sink.ctx, 1, "XY", 2));
        fault_system.kind = rows[i].kind;
        fault_system.calls = 0;
        fault_system.at = 1;
        CHECK(sink.close(sink.ctx, rows[i].keep) == rows[i].closes);
        fault_system.at = 0;
        taco__update_close(&u);
        f = fopen(OUT, "rb");
        CHECK(f && fread(text, 1, sizeof text - 1, f) >= 4 && fclose(f) == 0);
        CHECK(m.used == 0);
        if (rows[i].left) { CHECK_TEXT(text, rows[i].left); }
    }
    for (i = 0; i < 4; i++) { /* and a call fails before anything is replaced */
        static const int kinds[] = {FAULT_SEEK, FAULT_READ, FAULT_FSYNC, FAULT_WRITE};
        taco_error e = {0, TACO_OK, 0, {0}};
        taco__update u;
        taco_sink sink;
        taco__mem m;
        taco__mem_init(&m, NULL);
        test_names_remove(OUT);
        write_text(OUT, "mine", 4);
        CHECK(taco__update_open(&u, OUT, &e) && taco__sink_append_open(&sink, &u, 4, &m, &e));
        fault_system.kind = kinds[i];
        fault_system.calls = 0;
        fault_system.at = 1;
        CHECK(!sink.write(sink.ctx, 1, "XY", 2));
        fault_system.at = kinds[i] == FAULT_SEEK;
        fault_system.calls = 0; /* nor may the file be written elsewhere */
        CHECK(sink.write(sink.ctx, 5, "more", 4) != (fault_system.at != 0));
        fault_system.at = 0;
        CHECK(sink.close(sink.ctx, false));
        taco__update_close(&u);
        CHECK(m.used == 0);
        write_text(HOME "/mine", "mine", 4);
        CHECK(test_file_hash(OUT) == test_file_hash(HOME "/mine") && remove(HOME "/mine") == 0);
    }
    test_names_remove(OUT);
#else
    SKIP("this C library's functions are not replaced");
#endif
}

/* A copy that the kernel ends early continues at the byte after; if the file cannot be positioned
   there, the error says so. */
static void copy_that_cannot_continue(void)
{
#if TEST_SYSTEM_FAULTS
    static uint8_t buffer[TACO__OUTPUT_BYTES];
    taco_error e = {0, TACO_OK, 0, {0}};
    taco__input in;
    taco_source src;
    CHECK(taco__dir_make(HOME, NULL));
    write_text(HOME "/short", "mine", 4);
    CHECK(taco_source_file(&src, HOME "/short", &e) == TACO_OK);
    taco__input_from_range(&in, &src, 0, 8); /* more than there is */
    fault_system.kind = FAULT_SEEK;
    fault_system.calls = 0;
    fault_system.at = 1;
    CHECK(!taco__dir_write_file(HOME "/copy", &in, buffer, NULL, &e) && e.code == TACO_ERR_IO);
    fault_system.at = 0;
    src.close(src.ctx);
    if (fault_system.calls) { /* the kernel has copied */
        CHECK(strstr(e.text, "at byte 4: writing to '" HOME "/copy' failed") == e.text);
    }
    test_names_remove(HOME);
#else
    SKIP("this C library's functions are not replaced");
#endif
}

int main(void)
{
    make_sources();
    RUN(every_return_to_old_bytes);
    RUN(every_allocation);
    RUN(every_read_interrupted);
    RUN(every_read_short);
    RUN(every_system_call);
    RUN(copy_that_cannot_continue);
    test_names_remove(HOME);
    return test_end("test_write_faults");
}
