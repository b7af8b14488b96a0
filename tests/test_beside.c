/* Other processes beside a writer, and hostile datasets: a second writer of the same output, a held
   lock, a file that replaces one being changed, planted links, rows that share their bytes, ids
   that are not file names. */
#include "../src/base/file_copy.h"
#include "../src/base/sink.h"
#include "../extra/taco_write.h"
#include "../extra/taco_legacy.h"

#include "test.h"

#include "alloc.h"
#include "footer.h"
#include "make.h"
#include "names.h"

#define HOME "build/test_beside"

static const char collection[] = "{\"id\":\"demo\",\"dataset_version\":\"1.0.0\",\"description\":"
                                 "\"d\",\"licenses\":[\"CC0-1.0\"],"
                                 "\"providers\":[{\"name\":\"x\"}],\"tasks\":[\"other\"]}";

static void write_text(const char *path, const void *text, size_t len)
{
    FILE *f = fopen(path, "wb");
    CHECK(f && fwrite(text, 1, len, f) == len && fclose(f) == 0);
}

static const char *read_text(const char *path)
{
    static char text[65536];
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f) { fclose(f); }
    text[n] = 0;
    return f ? text : "missing";
}

static bool put(const taco_sink *s, uint64_t at, const char *text)
{
    return s->write(s->ctx, at, text, strlen(text));
}

static void begin(void)
{
    test_names_remove(HOME);
    CHECK(taco__dir_make_new(HOME, NULL));
}

/* An archive of two FILEs with a column. */
static taco_status make_archive(const char *path, const char *payload, taco_error *err)
{
    taco_create_options o;
    taco_writer *w;
    memset(&o, 0, sizeof o);
    o.overwrite = true;
    w = taco_create(path, &o, err);
    taco_writer_collection(w, collection, sizeof collection - 1);
    taco_writer_column(w, 0, "cloud", TACO_DOUBLE);
    taco_writer_bytes(w, "a", payload, strlen(payload));
    taco_writer_set_double(w, "cloud", 1);
    taco_writer_bytes(w, "b", payload, strlen(payload));
    taco_writer_set_double(w, "cloud", 2);
    return taco_writer_finish(w, err);
}

static taco_status add_extra(const char *path, const taco_options *opt, taco_error *err)
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
    memset(err, 0, sizeof *err);
    return taco_add_columns(path, NULL, &a, err);
}

/* ---- two writers ---- */

static char told[2][600];
static unsigned begun, ended;

static void note(void *ctx, const char *path, bool begins)
{
    (void)ctx;
    if (begins) {
        snprintf(told[begun++ % 2], sizeof told[0], "%s", path);
    } else {
        ended++;
    }
}

static void last_wins_whole(void)
{
    taco_sink a, b;
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_options opt;
    memset(&opt, 0, sizeof opt);
    opt.temporary = note;
    begun = ended = 0;
    begin();
    CHECK(taco_sink_file(&a, HOME "/x", &opt, &err) == TACO_OK);
    CHECK(taco_sink_file(&b, HOME "/x", &opt, &err) == TACO_OK);
    CHECK(begun == 2 && ended == 0 && strcmp(told[0], told[1]) != 0);
    CHECK(strncmp(told[0], HOME "/x.", strlen(HOME "/x.")) == 0 &&
          strlen(told[0]) == strlen(HOME "/x.0123456789abcdef.part"));
    CHECK(put(&a, 0, "aaaa") && put(&b, 0, "bb") && put(&a, 4, "aaaa"));
    CHECK(a.close(a.ctx, true));
    CHECK_TEXT(read_text(HOME "/x"), "aaaaaaaa");
    CHECK(b.close(b.ctx, true) && ended == 2);
    CHECK_TEXT(read_text(HOME "/x"), "bb");
    CHECK(test_names_count(HOME, "", "") == 1);
}

static void one_folder(void)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_writer *a, *b;
    begin();
    a = taco_create(HOME "/x", NULL, &err);
    b = taco_create(HOME "/x", NULL, &err);
    CHECK(a && b && test_names_count(HOME, "x.", ".part") == 2);
    taco_writer_collection(a, collection, sizeof collection - 1);
    taco_writer_collection(b, collection, sizeof collection - 1);
    taco_writer_bytes(a, "s", "a", 1);
    taco_writer_bytes(b, "s", "b", 1);
    CHECK(taco_writer_finish(b, &err) == TACO_OK);
    CHECK(taco_writer_finish(a, &err) == TACO_ERR_IO);
    CHECK(strstr(err.text, "which another writer has made in the meantime") != NULL);
    CHECK_TEXT(read_text(HOME "/x/DATA/s"), "b");
    CHECK(test_names_count(HOME, "", "") == 1);
}

#if defined(_WIN32)
#define LETTERS 55 /* paths have 259 bytes in all, and Wine makes two of each that is not ASCII */
#else
#define LETTERS 127 /* 254 bytes, of 255 that most systems take */
#endif

static void long_names(void)
{
    char path[300] = HOME "/";
    taco_sink s;
    taco_error err = {0, TACO_OK, 0, {0}};
    size_t n = strlen(path), i;
    begin();
    for (i = 0; i < LETTERS; i++) { /* two bytes each */
        memcpy(path + n + 2 * i, "\xC3\xA9", 3);
    }
    CHECK(taco_sink_file(&s, path, NULL, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    CHECK(err.code == TACO_OK && put(&s, 0, "long") && s.close(s.ctx, true));
    CHECK_TEXT(read_text(path), "long");
}

/* The name until the end is next to the output, however its path is written: only the name of the
   output is cut, and not its directory. */
static void native_paths(void)
{
    char path[300];
    size_t n = strlen(HOME) + 1, i;
    taco_options opt;
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_sink s;
    begin();
    memset(&opt, 0, sizeof opt);
    opt.temporary = note;
    begun = ended = 0;
    strcpy(path, test_native(HOME "/"));
    for (i = 0; i < 186; i++) { /* with the digits 226 bytes, of 259 that Windows takes */
        path[n + i] = 'x';
    }
    path[n + i] = 0;
    path[n + 90] = 0;
    CHECK(taco__dir_make_new(path, NULL));
    path[n + 90] = *test_native("/");
    CHECK(strlen(path) > 200 && taco_sink_file(&s, path, &opt, &err) == TACO_OK);
    CHECK(begun == 1 && strncmp(told[0], path, strlen(path)) == 0);
    CHECK(put(&s, 0, "deep") && s.close(s.ctx, true));
    CHECK_TEXT(read_text(path), "deep");
    CHECK(taco_sink_file(&s, test_native(HOME "/none/x"), &opt, &err) == TACO_ERR_IO);
    CHECK(strstr(err.text, ", whose directory does not exist") != NULL);
}

/* An output that a program has open: where that keeps it from being replaced, the reason is told. */
static void output_open(void)
{
    taco_sink s;
    taco_error err = {0, TACO_OK, 0, {0}};
    FILE *f;
    bool good;
    begin();
    write_text(HOME "/x", "old", 3);
    f = fopen(HOME "/x", "rb");
    CHECK(f && taco_sink_file(&s, HOME "/x", NULL, &err) == TACO_OK && put(&s, 0, "new"));
    good = s.close(s.ctx, true);
    if (!good) { CHECK_TEXT(taco__plat_cause(taco__plat_reason()), ": permission denied"); }
    if (f) { fclose(f); }
    CHECK_TEXT(read_text(HOME "/x"), good ? "new" : "old");
    CHECK(test_names_count(HOME, "", "") == 1);
}

/* ---- an archive that is changed in place ---- */

#if defined(__wasi__)
#define LOCKS false
#else
#define LOCKS true
#endif

static void lock_is_held(void)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    taco__update held;
    char was[8192];
    if (!LOCKS) {
        SKIP("no locks");
        return;
    }
    begin();
    write_text(HOME "/add.csv", "id,extra\na,1\nb,2\n", 17);
    CHECK(make_archive(HOME "/x.tacozip", "payload", &err) == TACO_OK);
    memcpy(was, read_text(HOME "/x.tacozip"), sizeof was);
    CHECK(taco__update_open(&held, HOME "/x.tacozip", &err));
    CHECK(add_extra(HOME "/x.tacozip", NULL, &err) == TACO_ERR_IO);
    CHECK(strstr(err.text, "is being changed by another writer") != NULL);
    CHECK(memcmp(was, read_text(HOME "/x.tacozip"), sizeof was) == 0);
    taco__update_close(&held);
    CHECK(add_extra(HOME "/x.tacozip", NULL, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
}

static unsigned count_rows(taco_dataset *ds)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_cursor *c = taco_select(ds, NULL, &err);
    unsigned n = 0;
    while (taco_cursor_next(c)) {
        n++;
    }
    CHECK(taco_cursor_close(c, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    return n;
}

/* A FOLDER, by its COLLECTION.json. Somebody reads it meanwhile, and goes on with what was
   there. */
static void folder_lock_is_held(void)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    taco__update held;
    taco_dataset *reader;
    begin();
    write_text(HOME "/add.csv", "id,extra\na,1\nb,2\n", 17);
    CHECK(make_archive(HOME "/x_folder", "payload", &err) == TACO_OK);
    if (LOCKS) {
        CHECK(taco__update_open(&held, HOME "/x_folder/COLLECTION.json", &err));
        CHECK(add_extra(HOME "/x_folder", NULL, &err) == TACO_ERR_IO);
        CHECK(strstr(err.text, "is being changed by another writer") != NULL);
        taco__update_close(&held);
    }
    memset(&err, 0, sizeof err);
    reader = taco_open(HOME "/x_folder", NULL, &err);
    CHECK(reader && count_rows(reader) == 2);
    CHECK(add_extra(HOME "/x_folder", NULL, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    CHECK(count_rows(reader) == 2);
    taco_close(reader);
    CHECK(add_extra(HOME "/x_folder", NULL, &err) == TACO_ERR_ARGUMENT);
    CHECK(test_names_count(HOME "/x_folder", "", "") == 3 &&
          test_names_count(HOME "/x_folder/METADATA", "", "") == 1);
}

/* Copies a directory. */
typedef struct copying {
    const char *from, *to;
} copying;

static bool copy_name(void *ctx, const char *name, taco__path_kind kind)
{
    const copying *c = (const copying *)ctx;
    char from[256], to[256], bytes[4096];
    copying below;
    uint64_t size;
    size_t n;
    FILE *in, *out;
    below.from = from;
    below.to = to;
    snprintf(from, sizeof from, "%s/%s", c->from, name);
    snprintf(to, sizeof to, "%s/%s", c->to, name);
    kind = taco__plat_stat(from, &size);
    if (kind == TACO__PATH_DIRECTORY) {
        return taco__dir_make_new(to, NULL) && taco__plat_list_dir(from, copy_name, &below);
    }
    in = fopen(from, "rb");
    out = fopen(to, "wb");
    while (in && out && (n = fread(bytes, 1, sizeof bytes, in)) > 0) {
        CHECK(fwrite(bytes, 1, n, out) == n);
    }
    CHECK(in && fclose(in) == 0 && out && fclose(out) == 0);
    return true;
}

/* A FOLDER of Avro: there would be two tables of each level. */
static void avro_stays(void)
{
    static const copying all = {"examples/data/era_0130_folder", HOME "/x_folder"};
    taco_error err = {0, TACO_OK, 0, {0}};
    copying c = all;
    begin();
    write_text(HOME "/add.csv", "id,extra\nt0,1\nt1,2\nt2,3\n", 24);
    CHECK(taco__dir_make_new(c.to, NULL) && taco__plat_list_dir(c.from, copy_name, &c));
    CHECK(add_extra(HOME "/x_folder", NULL, &err) == TACO_ERR_UNSUPPORTED);
    CHECK(strstr(err.text, "tables of Avro are not replaced in place") != NULL);
    if (test_bad) { printf("%s\n", err.text); }
    CHECK(test_names_count(HOME "/x_folder/METADATA", "", ".parquet") == 0);
}

/* An allocator that puts another file in the archive's place at the n-th call. */
typedef struct replacement {
    test_memory m;
    size_t at;
    bool done;
} replacement;

static void *replacing_resize(void *ctx, void *p, size_t old, size_t size)
{
    replacement *r = (replacement *)ctx;
    if (size && r->m.calls + 1 == r->at) {
        r->done = taco__plat_rename(HOME "/other.tacozip", HOME "/x.tacozip", false);
    }
    return test_resize(&r->m, p, old, size);
}

/* The file that replaced the archive stays as it is, and whoever says that columns were added has
   added them to what was there: it was replaced afterwards. */
static void replaced_meanwhile(void)
{
    size_t n, refused = 0, calls;
    begin();
    write_text(HOME "/add.csv", "id,extra\na,1\nb,2\n", 17);
    for (n = 1;; n += 1 + n / 10) {
        taco_error err = {0, TACO_OK, 0, {0}};
        taco_options opt;
        taco_allocator a;
        replacement r;
        taco_status st;
        taco_dataset *ds;
        size_t fields = 0;
        memset(&r, 0, sizeof r);
        test_counted(&opt, &a, &r.m);
        a.ctx = &r;
        a.resize = replacing_resize;
        r.at = n;
        CHECK(make_archive(HOME "/x.tacozip", "first", &err) == TACO_OK &&
              make_archive(HOME "/other.tacozip", "second", &err) == TACO_OK);
        st = add_extra(HOME "/x.tacozip", &opt, &err);
        calls = r.m.calls;
        refused += st != TACO_OK;
        CHECK(r.m.live == 0 && r.done == (calls >= n));
        if (st != TACO_OK) {
            CHECK(strstr(err.text, "replaced by another writer") != NULL || n < 4);
            if (test_bad) { printf("%u: %s\n", (unsigned)n, err.text); }
        }
        memset(&err, 0, sizeof err);
        ds = taco_open(HOME "/x.tacozip", NULL, &err);
        CHECK(ds && taco_level_fields(ds, 0, &fields, &err) != NULL);
        taco_close(ds);
        CHECK_TEXT(err.text, "");
        if (calls < n) {
            CHECK(st == TACO_OK);
            break;
        }
        if (test_bad > 10) { break; }
    }
    CHECK(refused > 20);
}

/* ---- planted names ---- */

#if TACO__DIRS && !defined(_WIN32)
#include <unistd.h>
#if defined(__GLIBC__)
extern int symlink(const char *, const char *);
#endif

static void plant(void)
{
    begin();
    CHECK(taco__dir_make_new(HOME "/precious", NULL));
    write_text(HOME "/precious/mine", "mine", 4);
    write_text(HOME "/mine", "mine", 4);
}

static bool safe(void)
{
    return strcmp(read_text(HOME "/precious/mine"), "mine") == 0 &&
           test_names_count(HOME "/precious", "", "") == 1 &&
           strcmp(read_text(HOME "/mine"), "mine") == 0;
}

/* The output itself is a link: it is replaced, or in the way, and never gone through. */
static void link_as_output(void)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_sink s;
    plant();
    CHECK(symlink("mine", HOME "/x.tacozip") == 0 && symlink("nothing", HOME "/x") == 0 &&
          symlink("mine", HOME "/file") == 0);
    CHECK(taco_create(HOME "/x.tacozip", NULL, &err) == NULL && err.code == TACO_ERR_ARGUMENT);
    memset(&err, 0, sizeof err);
    CHECK(taco_create(HOME "/x", NULL, &err) == NULL && err.code == TACO_ERR_ARGUMENT);
    memset(&err, 0, sizeof err);
    CHECK(make_archive(HOME "/x.tacozip", "p", &err) == TACO_OK && safe());
    CHECK(taco_sink_file(&s, HOME "/file", NULL, &err) == TACO_OK && put(&s, 0, "new") &&
          s.close(s.ctx, true) && safe());
    CHECK_TEXT(read_text(HOME "/file"), "new");
}

/* A FOLDER that is being made; the path of it is told. */
static taco_writer *begin_folder(taco_error *err)
{
    taco_options opt;
    taco_create_options c;
    memset(&opt, 0, sizeof opt);
    memset(&c, 0, sizeof c);
    opt.temporary = note;
    c.options = &opt;
    plant();
    begun = 0;
    return taco_create(HOME "/x", &c, err);
}

/* Links that come into it. */
static void link_in_folder(void)
{
#if defined(__wasi__)
    SKIP("Node makes no links that lead upwards");
#else
    taco_error err = {0, TACO_OK, 0, {0}};
    char path[700];
    taco_writer *w = begin_folder(&err);
    snprintf(path, sizeof path, "%s/DATA/link", told[0]);
    CHECK(w && symlink("../../precious", path) == 0);
    snprintf(path, sizeof path, "%s/DATA/s", told[0]);
    CHECK(symlink("../../mine", path) == 0);
    taco_writer_collection(w, collection, sizeof collection - 1);
    CHECK(taco_writer_bytes(w, "s", "payload", 7) == TACO_ERR_IO);
    taco_writer_abort(w);
    CHECK(safe() && test_names_count(HOME, "x", "") == 0);
#endif
}

/* A link in the place of it. */
static void link_as_folder(void)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    char path[700];
    taco_writer *w = begin_folder(&err);
    snprintf(path, sizeof path, "%s.away", told[0]);
    CHECK(w && rename(told[0], path) == 0 && symlink("precious", told[0]) == 0);
    taco_writer_abort(w);
    CHECK(safe() && test_names_count(HOME, "x", ".part") == 1);
}

static void file_exchanged(void)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_options opt;
    taco_sink s;
    memset(&opt, 0, sizeof opt);
    opt.temporary = note;
    plant();
    begun = 0;
    CHECK(taco_sink_file(&s, HOME "/x", &opt, &err) == TACO_OK && put(&s, 0, "ours"));
    CHECK(rename(HOME "/mine", told[0]) == 0);
    CHECK(!s.close(s.ctx, true));
    CHECK_TEXT(read_text(told[0]), "mine");
    CHECK_TEXT(read_text(HOME "/x"), "missing");
}

/* Links from the first temporary name to nothing, before a file can be made there. */
static void plant_link(void *ctx, const char *path, bool begins)
{
    if (begins && begun == 0) { CHECK(symlink("elsewhere", path) == 0); }
    note(ctx, path, begins);
}

/* A link in the place of a temporary file: before it is made, nothing is made where the link leads;
   afterwards the link is not renamed, even where it leads to the file. */
static void link_as_temporary(void)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_options opt;
    taco_sink s;
    memset(&opt, 0, sizeof opt);
    opt.temporary = plant_link;
    begin();
    begun = 0;
    CHECK(taco_sink_file(&s, HOME "/x", &opt, &err) == TACO_OK && put(&s, 0, "ours") && begun == 2);
    CHECK(s.close(s.ctx, true));
    CHECK_TEXT(read_text(HOME "/x"), "ours");
    CHECK_TEXT(read_text(HOME "/elsewhere"), "missing");
    opt.temporary = note;
    begin();
    begun = 0;
    CHECK(taco_sink_file(&s, HOME "/x", &opt, &err) == TACO_OK && put(&s, 0, "ours"));
    CHECK(rename(told[0], HOME "/away") == 0 && symlink("away", told[0]) == 0);
    CHECK(!s.close(s.ctx, true));
    CHECK_TEXT(read_text(HOME "/x"), "missing");
    CHECK_TEXT(read_text(HOME "/away"), "ours");
}
#else
static void link_as_output(void)
{
    SKIP("no symbolic links");
}

static void link_as_temporary(void)
{
    SKIP("no symbolic links");
}

static void link_in_folder(void)
{
    SKIP("no symbolic links");
}

static void link_as_folder(void)
{
    SKIP("no symbolic links");
}

static void file_exchanged(void)
{
    SKIP("an open file cannot be replaced");
}
#endif

/* ---- hostile datasets ---- */

enum { ROWS = 60, SHARED = 5000 };

/* An archive of 60 rows with ids `letter`0 to `letter`59, each of the same 5000 bytes or, apart,
   of 50 of its own. */
static void make_hostile(const char *path, const char *letter, bool apart, bool equal)
{
    static char names[ROWS][16];
    static char payload[SHARED];
    const char *ids[ROWS], *types[ROWS];
    int64_t offsets[ROWS], sizes[ROWS];
    mk_col c[4];
    mk_buf level, archive;
    size_t i;
    for (i = 0; i < ROWS; i++) {
        snprintf(names[i], sizeof names[i], "%s%u", letter, (unsigned)(equal ? i / 2 : i));
        ids[i] = names[i];
        types[i] = "FILE";
        offsets[i] = MK_PAYLOAD + (apart ? (int64_t)(50 * i) : 0);
        sizes[i] = apart ? 50 : SHARED;
    }
    c[0] = mk_text("id", ids);
    c[1] = mk_text("type", types);
    c[2] = mk_i64("internal:offset", offsets);
    c[3] = mk_i64("internal:size", sizes);
    level = mk_parquet(c, 4, ROWS, ROWS);
    archive = mk_archive(&level, 1, MK_FLAT, payload, sizeof payload);
    write_text(path, archive.data, archive.len);
    free(archive.data);
}

static taco_status repack(const char *to, uint64_t most, taco_error *err)
{
    taco_options opt;
    taco_create_options c;
    taco_dataset *ds;
    memset(&opt, 0, sizeof opt);
    memset(&c, 0, sizeof c);
    memset(err, 0, sizeof *err);
    opt.limits.max_output = most;
    c.options = &opt;
    ds = taco_open(HOME "/in.tacozip", NULL, err);
    if (ds) { taco_repack(ds, to, &c, err); }
    taco_close(ds);
    return err->code;
}

static void shared_bytes(void)
{
    taco_error err;
    begin();
    make_hostile(HOME "/in.tacozip", "s", false, false);
    CHECK(repack(HOME "/x", 0, &err) == TACO_ERR_CORRUPT);
    CHECK(strstr(err.text, "limits.max_output allows that") != NULL);
    CHECK(repack(HOME "/x.tacozip", 0, &err) == TACO_ERR_CORRUPT);
    CHECK(repack(HOME "/x", ROWS * SHARED - 1, &err) == TACO_ERR_LIMIT);
    CHECK(strstr(err.text, "limits.max_output is 299999") != NULL);
    CHECK(test_names_count(HOME, "", "") == 1);
    CHECK(repack(HOME "/x", ROWS * SHARED, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    memset(&err, 0, sizeof err);
    CHECK(taco_repair(HOME "/in.tacozip", HOME "/r.tacozip", NULL, NULL, NULL, &err) != TACO_OK &&
          test_names_count(HOME, "r", "") == 0);
    make_hostile(HOME "/in.tacozip", "s", true, false);
    CHECK(repack(HOME "/y", 0, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
}

static taco_status go_back(const char *to, uint64_t most, taco_error *err)
{
    taco_options opt;
    taco_convert_options c;
    memset(&opt, 0, sizeof opt);
    memset(&c, 0, sizeof c);
    memset(err, 0, sizeof *err);
    opt.limits.max_output = most;
    c.create.options = &opt;
    return taco_convert_from_taco2(HOME "/in.tacozip", to, &c, err);
}

/* The same of the old formats: an archive as a tortilla. */
static void shared_bytes_go_back(void)
{
    taco_error err;
    begin();
    make_hostile(HOME "/in.tacozip", "s", false, false);
    CHECK(go_back(HOME "/x.tortilla", 0, &err) == TACO_ERR_CORRUPT);
    CHECK(strstr(err.text, "limits.max_output allows that") != NULL);
    CHECK(go_back(HOME "/x.tortilla", ROWS * SHARED - 1, &err) == TACO_ERR_LIMIT);
    CHECK(strstr(err.text, "limits.max_output is 299999") != NULL);
    CHECK(test_names_count(HOME, "", "") == 1);
    CHECK(go_back(HOME "/x.tortilla", ROWS * SHARED, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    make_hostile(HOME "/in.tacozip", "s", true, false);
    CHECK(go_back(HOME "/y.tortilla", 0, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
}

/* A tortilla of 60 rows, each of the same bytes, or, apart, of 50 of its own. */
static void make_hostile_tortilla(const char *path, bool apart)
{
    static char names[ROWS][16];
    static uint8_t head[200 + SHARED];
    const char *ids[ROWS], *formats[ROWS];
    int64_t offsets[ROWS], sizes[ROWS];
    mk_col c[4];
    mk_buf footer, file;
    size_t i;
    for (i = 0; i < ROWS; i++) {
        snprintf(names[i], sizeof names[i], "s%02u", (unsigned)i);
        ids[i] = names[i];
        formats[i] = "BYTES";
        offsets[i] = 200 + (apart ? (int64_t)(50 * i) : 0);
        sizes[i] = apart ? 50 : SHARED;
    }
    c[0] = mk_text("tortilla:id", ids);
    c[1] = mk_text("tortilla:file_format", formats);
    c[2] = mk_i64("tortilla:offset", offsets);
    c[3] = mk_i64("tortilla:length", sizes);
    footer = mk_parquet(c, 4, ROWS, ROWS);
    memcpy(head, "#y", 2);
    w_le64(head + 2, sizeof head);
    w_le64(head + 10, footer.len);
    w_le64(head + 18, 1);
    memset(&file, 0, sizeof file);
    mk_add(&file, head, sizeof head);
    mk_add(&file, footer.data, footer.len);
    write_text(path, file.data, file.len);
    free(footer.data);
    free(file.data);
}

static taco_status copy_tortilla(const char *to, uint64_t most, taco_error *err)
{
    const taco_opener *openers[2];
    taco_options opt;
    taco_dataset *ds;
    memset(&opt, 0, sizeof opt);
    memset(err, 0, sizeof *err);
    openers[0] = taco_legacy_opener();
    openers[1] = NULL;
    opt.openers = openers;
    opt.limits.max_output = most;
    ds = taco_open(HOME "/in.tortilla", &opt, err);
    if (ds) { taco_tortilla_compile(ds, NULL, to, err); }
    taco_close(ds);
    return err->code;
}

/* And from one tortilla to the next. */
static void shared_bytes_of_tortilla(void)
{
    taco_error err;
    begin();
    make_hostile_tortilla(HOME "/in.tortilla", false);
    CHECK(copy_tortilla(HOME "/x.tortilla", 0, &err) == TACO_ERR_CORRUPT);
    CHECK(strstr(err.text, "limits.max_output allows that") != NULL);
    CHECK(copy_tortilla(HOME "/x.tortilla", ROWS * SHARED - 1, &err) == TACO_ERR_LIMIT);
    CHECK(test_names_count(HOME, "", "") == 1);
    CHECK(copy_tortilla(HOME "/x.tortilla", ROWS * SHARED, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    make_hostile_tortilla(HOME "/in.tortilla", true);
    CHECK(copy_tortilla(HOME "/y.tortilla", 0, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
}

static void ids_that_are_no_names(void)
{
    taco_error err;
    begin();
    make_hostile(HOME "/in.tacozip", "s:", true, false);
    CHECK(repack(HOME "/x", 0, &err) == TACO_ERR_CORRUPT);
    CHECK(strstr(err.text, "an id has no '/', '\\' and ':'") != NULL);
    make_hostile(HOME "/in.tacozip", "s", true, true);
    CHECK(repack(HOME "/x", 0, &err) != TACO_OK);
    CHECK(strstr(err.text, "is twice") != NULL || strstr(err.text, "s0") != NULL);
    if (test_bad) { printf("%s\n", err.text); }
    CHECK(test_names_count(HOME, "", "") == 1);
}

/* Names and paths in messages are no commands to a terminal. */
static void messages_are_text(void)
{
    taco_error err = {0, TACO_OK, 0, {0}};
    size_t i;
    CHECK(taco_open("no\x1B[2J\x07\xC2\x9B"
                    "31m\x7F",
                    NULL, &err) == NULL);
    for (i = 0; err.text[i]; i++) {
        const unsigned char c = (unsigned char)err.text[i];
        CHECK(c >= 0x20 && c != 0x7F && !(c == 0xC2 && (unsigned char)err.text[i + 1] < 0xA0));
    }
    CHECK(i > 10);
}

static void strict_limits(void)
{
    taco_options opt;
    taco_error err = {0, TACO_OK, 0, {0}};
    taco_dataset *ds;
    memset(&opt, 0, sizeof opt);
    taco_limits_strict(&opt.limits);
    CHECK(opt.limits.max_memory == (uint64_t)128 << 20 && opt.limits.max_columns == 4096);
    ds = taco_open("examples/data/geo_stac.tacozip", &opt, &err);
    CHECK(ds && taco_info_json(ds, &err).len > 0);
    taco_close(ds);
    CHECK_TEXT(err.text, "");
}

int main(void)
{
    taco__dir_make("build", NULL);
    RUN(last_wins_whole);
    RUN(one_folder);
    RUN(long_names);
    RUN(native_paths);
    RUN(output_open);
    RUN(lock_is_held);
    RUN(folder_lock_is_held);
    RUN(avro_stays);
    RUN(replaced_meanwhile);
    RUN(link_as_output);
    RUN(link_as_temporary);
    RUN(link_in_folder);
    RUN(link_as_folder);
    RUN(file_exchanged);
    RUN(shared_bytes);
    RUN(shared_bytes_go_back);
    RUN(shared_bytes_of_tortilla);
    RUN(ids_that_are_no_names);
    RUN(messages_are_text);
    RUN(strict_limits);
    test_names_remove(HOME);
    return test_end("test_beside");
}
