/* base/: messages that are cut, numbers at their ends, accounts and spare blocks of memory, ranges of
   files that are outside, and texts that are too long. */
#include "places.h"

#include "../src/base/base.h"
#include "../src/base/file_copy.h"
#include "../src/base/sink.h"
#include "../src/base/temporary.h"
#include "../extra/taco_parquet_write.h"

#include "names.h"

/* ---- messages ---- */

static void messages(void)
{
    taco_error e;
    taco_bytes name;
    char text[400];
    size_t i;
    memset(&e, 0, sizeof e);
    CHECK(!taco__error_inside(NULL, 1, "page") && !taco__error_inside(&e, 1, "page"));
    CHECK(e.code == TACO_OK && e.offset == 0);
    TACO__FAIL(&e, TACO_ERR_CORRUPT, 7, "100%% of %s, %d, %z, 100%", "\xF0\x9F\x98\x80\xE2\x82\xAC",
               (int64_t)-5);
    CHECK_TEXT(e.text, "at byte 7: 100% of \xF0\x9F\x98\x80\xE2\x82\xAC, -5, z, 100%");
    CHECK(!taco__error_inside(&e, 50, "page"));
    CHECK(strncmp(e.text, "at byte 50: page, byte 7: 100% of ", 34) == 0);
    memset(&e, 0, sizeof e);
    TACO__FAIL(&e, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "x");
    CHECK(!taco__error_inside(&e, 50, "page") && e.offset == 50);
    CHECK_TEXT(e.text, "at byte 50: page: x");
    taco__error_prefix(&e, "file");
    CHECK(!taco__error_inside(&e, 60, "archive")); /* the place is no longer at the beginning */
    CHECK_TEXT(e.text, "at byte 60: archive: file: at byte 50: page: x");
    memset(&e, 0, sizeof e);
    TACO__FAIL(&e, TACO_ERR_IO, TACO_NO_OFFSET, "%s",
               "a\x7F"
               "b\n\t\x1B"
               "\xC2\x85"
               "\xC2\xA9"
               "\xC2x");
    CHECK_TEXT(e.text, "a?b\n\t???\xC2\xA9\xC2x");
    memset(&e, 0, sizeof e); /* a name is cut between two characters */
    memset(text, 'a', 63);
    memcpy(text + 63, "\xC3\xA9z", 4);
    name = taco__bytes_text(text);
    TACO__FAIL(&e, TACO_ERR_IO, TACO_NO_OFFSET, "%q", &name);
    CHECK(strlen(e.text) == 68 && strcmp(e.text + 60, "aaaa...'") == 0);
    memset(&e, 0, sizeof e); /* so is a text that ends before the name does */
    memset(text, 'b', sizeof text);
    text[sizeof e.text - 3] = 0;
    name = taco__bytes_text("\xC3\xA9\xC3\xA9\xC3\xA9");
    TACO__FAIL(&e, TACO_ERR_IO, TACO_NO_OFFSET, "%s%q", text, &name);
    CHECK(taco__utf8_valid(taco__bytes_text(e.text)));
    CHECK(strchr(e.text, '\'') == e.text + sizeof e.text - 3);
    for (i = 0; i < 4; i++) {
        memset(&e, 0, sizeof e);
        text[sizeof e.text - 6 + i] = 0;
        TACO__FAIL(&e, TACO_ERR_IO, TACO_NO_OFFSET, "%s%s", text, "\xF0\x9F\x98\x80z");
        CHECK(strlen(e.text) == (i < 1 ? sizeof e.text - 2 : sizeof e.text - 6 + i) ||
              strlen(e.text) == sizeof e.text - 1);
        CHECK(taco__utf8_valid(taco__bytes_text(e.text)));
        text[sizeof e.text - 6 + i] = 'b';
    }
    memset(&e, 0, sizeof e);
    e.code = TACO_ERR_LIMIT; /* as a program may set it */
    CHECK_TEXT(taco_error_text(&e), "limit");
    CHECK_TEXT(taco_error_text(NULL), "");
    CHECK_TEXT(taco_status_name((taco_status)99), "unknown");
}

static void say(void *ctx, taco_log_level level, const char *text)
{
    CHECK(level == TACO_LOG_INFO);
    strcat((char *)ctx, text);
}

static void logs(void)
{
    taco_options o;
    char said[100] = "";
    memset(&o, 0, sizeof o);
    taco__log(NULL, TACO_LOG_INFO, "nobody hears");
    taco__log(&o, TACO_LOG_INFO, "nobody hears");
    o.log = say;
    o.log_ctx = said;
    taco__log(&o, TACO_LOG_INFO, "%u\x01", UINT64_C(5));
    CHECK_TEXT(said, "5?");
}

/* ---- bytes ---- */

static void bytes(void)
{
    taco__mem m;
    taco__buf out;
    taco_error e;
    taco_bytes b = taco__bytes_text("ab");
    taco__mem_init(&m, NULL);
    memset(&out, 0, sizeof out);
    memset(&e, 0, sizeof e);
    out.mem = &m;
    CHECK(taco__bytes_starts_with(b, "") && taco__bytes_starts_with(b, "a") &&
          !taco__bytes_starts_with(b, "b") && !taco__bytes_starts_with(b, "abc"));
    CHECK(taco__utf8_length(b.data, b.data) == 0 && taco__utf8_length(b.data, b.data + 2) == 1);
    CHECK(taco__ascii_is_space(' ') && taco__ascii_is_space('\t') && taco__ascii_is_space('\r') &&
          !taco__ascii_is_space(8) && !taco__ascii_is_space(14));
    CHECK(taco__ascii_append_hex(&out, "x'", b, "'", &e) && out.len == 7 &&
          memcmp(out.data, "x'6162'", 7) == 0);
    b.len = SIZE_MAX / 2 + 1; /* never read */
    CHECK(!taco__ascii_append_hex(&out, "", b, "", &e) && e.code == TACO_ERR_MEMORY);
    memset(&e, 0, sizeof e);
    b.len = SIZE_MAX / 2;
    CHECK(!taco__ascii_append_hex(&out, "x'", b, "'", &e) && e.code == TACO_ERR_MEMORY);
    CHECK(strstr(e.text, " bytes in hex") != NULL);
    taco__buf_free(&out);
    CHECK(m.used == 0);
}

/* Sums that are reduced on the way: four million of the greatest byte. */
static void adler(void)
{
    enum { MANY = 4 << 20 };

    uint8_t *p = (uint8_t *)malloc(MANY);
    uint32_t a = 1, b = 0;
    size_t i;
    CHECK(p != NULL);
    if (!p) { return; }
    memset(p, 0xFF, MANY);
    for (i = 0; i < MANY; i++) {
        a = (a + 255) % 65521;
        b = (b + a) % 65521;
    }
    CHECK(taco__adler32(p, MANY) == (b << 16 | a));
    free(p);
}

/* ---- numbers ---- */

/* The double of a text with so many zeros in place of its '#'. */
static double with_zeros(const char *before, size_t zeros, const char *after)
{
    static char text[2000];
    double x = -1;
    size_t n = strlen(before);
    memcpy(text, before, n);
    memset(text + n, '0', zeros);
    strcpy(text + n + zeros, after);
    return taco__num_parse_f64(taco__bytes_text(text), &x) ? x : -1;
}

static void numbers(void)
{
    static const uint8_t zeros[32] = {0};
    taco__mem m;
    taco__buf out;
    /* halfway between two doubles, and the digit that decides after more than 800 others */
    CHECK(with_zeros("9007199254740993", 0, "") == 9007199254740992.0);
    CHECK(with_zeros("9007199254740993", 0, ".0000000000000000000000001") == 9007199254740994.0);
    CHECK(with_zeros("9007199254740993.", 900, "1") == 9007199254740994.0);
    CHECK(with_zeros("9007199254740993.", 900, "") == 9007199254740992.0);
    CHECK(with_zeros("9007199254740993", 790, ".1e-790") == 9007199254740994.0);
    CHECK(with_zeros("9007199254740993", 790, ".0e-790") == 9007199254740992.0);
    CHECK(with_zeros("106338239662793305250053186344767", 0, "e5") ==
          9007199254740996.0 * 1180591620717411303424.0);
    CHECK(with_zeros("106338239662793305250053186344766", 0, "e5") ==
          9007199254740994.0 * 1180591620717411303424.0);
    CHECK(with_zeros("1", 0, "e") == -1 && with_zeros("1", 0, "e+") == -1 &&
          with_zeros("1", 0, "e5x") == -1 && with_zeros("1", 0, "e5") == 1e5);
    taco__mem_init(&m, NULL);
    memset(&out, 0, sizeof out);
    out.mem = &m;
    CHECK(taco__decimal_append_le(&out, zeros, 0, 2, NULL) &&
          taco__decimal_append_be(&out, taco__bytes_of(zeros, 32), 1, NULL) &&
          taco__buf_append(&out, "", 1, NULL));
    CHECK_TEXT((const char *)out.data, "0.000.0");
    CHECK(taco__decimal_le_to_f64(zeros, 0, 2) == 0 && taco__decimal_le_to_f64(zeros, 32, 2) == 0);
    taco__buf_free(&out);
    CHECK(m.used == 0);
}

/* ---- memory ---- */

static void sizes(void)
{
    taco__mem m;
    taco__arena a;
    taco_error e;
    taco__mem_init(&m, NULL);
    a.mem = &m;
    a.head = NULL;
    memset(&e, 0, sizeof e);
    CHECK(!taco__arena_alloc(&a, SIZE_MAX, &e) && e.code == TACO_ERR_MEMORY);
    memset(&e, 0, sizeof e);
    CHECK(!taco__arena_alloc(&a, SIZE_MAX - 20, &e) && e.code == TACO_ERR_MEMORY);
    memset(&e, 0, sizeof e);
    CHECK(!taco__arena_array(&a, SIZE_MAX / 2, 3, &e) && e.code == TACO_ERR_MEMORY);
    CHECK(strstr(e.text, " items") != NULL);
    CHECK(taco__arena_array(&a, 3, 5, NULL) != NULL);
    taco__arena_free(&a);
    CHECK(m.used == 0);
}

/* A buffer of a task that is freed, and so a spare block if there is room for it. */
static void spare(taco__mem *task, size_t size)
{
    taco__buf b;
    memset(&b, 0, sizeof b);
    b.mem = task;
    CHECK(taco__buf_reserve(&b, size, NULL));
    taco__buf_free(&b);
}

static void spares(void)
{
    enum { BLOCK = 100000 };

    taco_options options;
    taco_allocator allocator;
    test_memory memory;
    taco__mem m, task;
    taco__buf kept[TACO__SPARE_BLOCKS];
    size_t i;
    test_counted(&options, &allocator, &memory);
    taco__mem_init(&m, &options);
    memset(&task, 0, sizeof task);
    taco__mem_task_begin(&m, &task, 1);
    taco__mem_task_take_spares(&m, &task, 1, 1);
    spare(&task, 100); /* too small */
    CHECK(task.spares.count == 0 && memory.live == 0);
    task.spares.limit = 10 * BLOCK;
    spare(&task, 20 * BLOCK); /* too large */
    CHECK(task.spares.count == 0 && memory.live == 0);
    spare(&task, BLOCK);
    CHECK(task.spares.count == 1 && task.used == 0 && memory.live > BLOCK);
    spare(&task, BLOCK / 2); /* which takes the one there is, as it is not four times as large */
    CHECK(task.spares.count == 1);
    task.limit = BLOCK / 4 * 3; /* the budget has less than that */
    spare(&task, 70000);
    CHECK(task.spares.count == 2);
    task.limit = (uint64_t)1 << 30;
    task.spares.limit = UINT64_MAX;
    for (i = 0; i < TACO__SPARE_BLOCKS + 5; i++) { /* as many as it may keep, of all sizes */
        spare(&task, BLOCK * (i + 5));
    }
    CHECK(task.spares.count <= TACO__SPARE_BLOCKS);
    taco__mem_task_return_spares(&m, &task);
    CHECK(m.spares.count > 0 && task.spares.count == 0);
    m.spares.limit = 10; /* the next task gets a share that holds none of them */
    taco__mem_task_take_spares(&m, &task, 1, 1);
    CHECK(m.spares.count == 0 && task.spares.count == 0 && memory.live == 0);
    taco__mem_task_return_spares(&m, &task);
    m.spares.limit = UINT64_MAX; /* nor more than it may keep */
    taco__mem_task_take_spares(&m, &task, 1, 1);
    for (i = 0; i < TACO__SPARE_BLOCKS; i++) {
        memset(&kept[i], 0, sizeof kept[i]);
        kept[i].mem = &task;
        CHECK(taco__buf_reserve(&kept[i], BLOCK, NULL));
    }
    for (i = 0; i < TACO__SPARE_BLOCKS; i++) {
        taco__buf_free(&kept[i]);
    }
    CHECK(task.spares.count == TACO__SPARE_BLOCKS);
    taco__mem_task_return_spares(&m, &task);
    taco__mem_task_take_spares(&m, &task, 2, 1);
    spare(&task, BLOCK);
    for (i = 0; i < m.spares.count; i++) {
        m.spares.owner[i] = 2;
    }
    taco__mem_task_take_spares(&m, &task, 2, 1);
    CHECK(task.spares.count == TACO__SPARE_BLOCKS && m.spares.count == 1);
    m.spares.limit = 10;
    taco__mem_task_return_spares(&m, &task);
    taco__mem_free_spares(&m);
    CHECK(m.spares.count == 0 && memory.live == 0);
    m.spares.limit = UINT64_MAX;
    taco__mem_task_take_spares(&m, &task, 1, 1);
    spare(&task, BLOCK);
    m.spares.limit = 10; /* nor does the handle, later */
    taco__mem_task_return_spares(&m, &task);
    CHECK(m.spares.count == 0 && memory.live == 0);
    taco__mem_free_spares(&m);
    CHECK(m.used == 0 && memory.live == 0);
}

/* ---- files ---- */

static bool zero_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    (void)offset;
    memset(dst, 0, len);
    return *(bool *)ctx;
}

static void ranges(void)
{
    bool works = true;
    taco_source src;
    taco__mem m;
    taco__file f;
    taco__file_part part;
    taco__buf scratch;
    taco_error e;
    taco__range r[2];
    uint8_t byte[8];
    taco__file_segment s;
    memset(&src, 0, sizeof src);
    memset(&part, 0, sizeof part);
    memset(&scratch, 0, sizeof scratch);
    memset(&e, 0, sizeof e);
    taco__mem_init(&m, NULL);
    scratch.mem = &m;
    src.ctx = &works;
    src.size = UINT64_MAX;
    src.read = zero_read;
    taco__file_init(&f, &src, "made", &m);
    r[0].offset = 0;
    r[0].len = (uint64_t)SIZE_MAX / 2 + 1; /* more than may be in memory */
    CHECK(!taco__file_fetch(&f, r, 1, &e) && e.code == TACO_ERR_MEMORY && e.offset == 0);
    memset(&e, 0, sizeof e);
    CHECK(!taco__file_fetch(&f, r, SIZE_MAX / 8, &e) && e.code == TACO_ERR_MEMORY);
    CHECK(strstr(e.text, " ranges") != NULL);
    memset(&e, 0, sizeof e);
    f.src.size = 100;
    r[0].offset = 99;
    r[0].len = 2;
    CHECK(!taco__file_fetch(&f, r, 1, &e) && e.code == TACO_ERR_TRUNCATED);
    CHECK_TEXT(e.text, "at byte 99: needs 2 bytes, the file ends at 100");
    memset(&e, 0, sizeof e);
    r[0].offset = 90; /* one that wraps is not joined with the one before it */
    r[0].len = 10;
    r[1].offset = 95;
    r[1].len = UINT64_MAX - 90;
    CHECK(!taco__file_fetch(&f, r, 2, &e) && e.code == TACO_ERR_TRUNCATED && e.offset == 95);
    CHECK(f.segment_count == 0);
    memset(&e, 0, sizeof e);
    CHECK(!taco__file_read(&f, 101, byte, 0, &e) && e.code == TACO_ERR_TRUNCATED);
    part.file = &f;
    part.base = 50;
    part.size = 10;
    memset(&e, 0, sizeof e);
    CHECK(!taco__file_part_view(&part, 9, 2, &scratch, &e) && e.code == TACO_ERR_TRUNCATED);
    CHECK_TEXT(e.text, "at byte 9: needs 2 bytes, the file ends at 10");
    CHECK(taco__file_part_view(&part, 2, 8, &scratch, NULL) != NULL);
    CHECK(taco__file_part_read(&part, 0, byte, 8, NULL) &&
          !taco__file_part_read(&part, 3, byte, 8, NULL) && !taco__file_part_cached(&part, 3, 8) &&
          !taco__file_part_cached(&part, 3, 2));
    works = false;
    memset(&e, 0, sizeof e);
    CHECK(!taco__file_part_read(&part, 0, byte, 8, &e) && e.code == TACO_ERR_IO);
    works = true;
    r[0].offset = 10;
    r[0].len = 10;
    CHECK(taco__file_fetch(&f, r, 1, NULL) && f.segment_count == 1);
    taco__file_release(&f, 15, 0); /* none of these is part of it */
    taco__file_release(&f, 0, 10);
    taco__file_release(&f, 20, 5);
    CHECK(f.segment_count == 1 && taco__file_cached_length(&f, 10) == 10);
    r[0].offset = 0; /* around the one that is there, which is not read again */
    r[0].len = 40;
    r[1].offset = 5;
    r[1].len = 0;
    CHECK(taco__file_fetch(&f, r, 2, NULL) && f.segment_count == 3 &&
          taco__file_cached_length(&f, 0) == 40);
    taco__file_release(&f, 10, 10);
    CHECK(f.segment_count == 3);
    taco__file_release(&f, 0, 40);
    CHECK(f.segment_count == 0);
    s.offset = 60; /* one that nothing has fetched stays until the file is closed */
    s.len = 10;
    s.pins = 0;
    s.data = (uint8_t *)taco__mem_alloc(&m, 10, NULL);
    CHECK(taco__file_add_segment(&f, s, NULL));
    taco__file_release(&f, 60, 10);
    CHECK(f.segment_count == 1);
    taco__file_close(&f);
    taco__buf_free(&scratch);
    CHECK(m.used == 0);
}

/* ---- sinks ---- */

/* A program's sink that takes so many writes, and says whether it could close. */
typedef struct narrow {
    size_t left, closed, kept;
    bool closes;
} narrow;

static bool narrow_write(void *ctx, uint64_t offset, const void *src, size_t len)
{
    narrow *n = (narrow *)ctx;
    (void)offset, (void)src, (void)len;
    if (!n->left) { return false; }
    n->left--;
    return true;
}

static bool narrow_close(void *ctx, bool keep)
{
    narrow *n = (narrow *)ctx;
    n->closed++;
    n->kept += keep;
    return n->closes;
}

static void sinks_of_programs(void)
{
    static uint8_t data[3 * TACO__OUTPUT_BYTES];
    taco__mem m;
    taco_sink sink;
    taco__output o;
    taco_error e;
    narrow n;
    size_t i;
    taco__mem_init(&m, NULL);
    memset(&sink, 0, sizeof sink);
    memset(&n, 0, sizeof n);
    memset(&e, 0, sizeof e);
    sink.ctx = &n;
    CHECK(!taco__sink_check(NULL, &e) && e.code == TACO_ERR_ARGUMENT);
    sink.write = narrow_write; /* neither of the two functions can be missing */
    CHECK(!taco__sink_check(&sink, NULL));
    sink.write = NULL;
    sink.close = narrow_close;
    CHECK(!taco__sink_check(&sink, NULL) && n.closed == 1 && n.kept == 0);
    sink.write = narrow_write;
    CHECK(taco__sink_check(&sink, NULL));
    for (i = 0; i < 3; i++) { /* the first, second or no write fails */
        memset(&n, 0, sizeof n);
        memset(&e, 0, sizeof e);
        n.left = i;
        CHECK(taco__output_open(&o, &sink, &m, &e));
        CHECK(taco__output_write(&o, data, 2 * TACO__OUTPUT_BYTES + 1, &e) == (i > 1));
        CHECK(taco__output_close(&o, true, &e) == false); /* one more write, and cannot close */
        CHECK(n.closed == 1 && n.kept == 0 && e.code == TACO_ERR_IO);
        CHECK(strstr(e.text, "bytes failed") != NULL);
    }
    memset(&e, 0, sizeof e);
    n.left = 1;
    CHECK(taco__output_open(&o, &sink, &m, &e) && taco__output_write(&o, data, 1, &e));
    CHECK(!taco__output_close(&o, true, &e) && n.kept == 1);
    CHECK_TEXT(e.text, "the output cannot be completed: flushing or renaming it failed");
    memset(&e, 0, sizeof e);
    CHECK(taco__output_open(&o, &sink, &m, &e) && taco__output_close(&o, false, &e));
    CHECK(e.code == TACO_OK && m.used == 0);
    memset(&o, 0, sizeof o); /* one that was never opened */
    CHECK(taco__output_close(&o, false, NULL));
}

static void sinks_in_memory(void)
{
    taco_sink sink;
    CHECK(taco_sink_memory(&sink, NULL, NULL) == TACO_OK);
    CHECK(sink.write(sink.ctx, 0, "abc", 3) && sink.write(sink.ctx, 1, "X", 1));
    CHECK(sink.write(sink.ctx, 3, NULL, 0)); /* nothing, at the end */
    CHECK(!sink.write(sink.ctx, 4, "d", 1)); /* a gap */
    CHECK(!sink.write(sink.ctx, UINT64_MAX, "d", 1));
    CHECK(!sink.write(sink.ctx, 3, "d", SIZE_MAX));
    CHECK(taco_sink_bytes(&sink).len == 3 && memcmp(taco_sink_bytes(&sink).data, "aXc", 3) == 0);
    taco_sink_free(&sink);
    taco_sink_free(NULL);
    CHECK(taco_sink_bytes(NULL).data == NULL);
}

/* What follows is as on Unix, where files that are open can be removed, and names are bytes. */
#if TACO__DIRS && !defined(_WIN32)
#define ON_UNIX 1

/* Why a path cannot be written. */
static void sinks_of_files(void)
{
    static char path[1400];
    taco_sink sink;
    taco_error e;
    memset(&e, 0, sizeof e);
    CHECK(taco_sink_file(&sink, "build/no such/x", NULL, &e) == TACO_ERR_IO);
    CHECK_TEXT(e.text, "cannot be written: 'build/no such/x', whose directory does not exist");
    CHECK(taco_sink_file(&sink, "build/no such/y", NULL, &e) == TACO_ERR_IO &&
          taco_sink_file(&sink, "build/no such/y", NULL, NULL) == TACO_ERR_IO);
    CHECK(strstr(e.text, "/x'") != NULL); /* the first failure stays */
    memset(&e, 0, sizeof e);
    CHECK(taco_sink_file(&sink, "", NULL, &e) == TACO_ERR_IO && !sink.write);
    CHECK_TEXT(e.text, "cannot be written: ''");
    memset(&e, 0, sizeof e);
    CHECK(taco_sink_file(&sink, "build", NULL, &e) == TACO_ERR_IO);
    CHECK_TEXT(e.text, "cannot be written: 'build', which is a directory");
    CHECK(taco_sink_file(&sink, NULL, NULL, NULL) == TACO_ERR_ARGUMENT);
    memset(&e, 0, sizeof e); /* nothing is known of the root, nor of names that are too long */
    taco__plat_set_reason(0);
    taco__sink_open_error("/no such file", &e);
    CHECK_TEXT(e.text, "cannot be written: '/no such file'");
    memset(path, 'd', sizeof path - 1);
    path[1200] = '/';
    memset(&e, 0, sizeof e);
    taco__plat_set_reason(0);
    taco__sink_open_error(path, &e);
    CHECK(e.code == TACO_ERR_IO && strstr(e.text, "does not exist") == NULL);
    memset(&e, 0, sizeof e);
    CHECK(taco_sink_file(&sink, "build/test_base_edges.tmp", NULL, &e) == TACO_OK);
    CHECK(sink.write(sink.ctx, 0, "a", 1) && !sink.write(sink.ctx, UINT64_MAX, "a", 1));
    CHECK(sink.close(sink.ctx, false));
    CHECK(fopen("build/test_base_edges.tmp", "rb") == NULL);
}

/* ---- names ---- */

#define HOME "build/test_base_edges"

static void write_file(const char *path)
{
    FILE *f = fopen(path, "wb");
    CHECK(f && fputs("mine", f) >= 0 && fclose(f) == 0);
}

static bool exists(const char *path)
{
    return taco__plat_name_exists(path);
}

/* Only what has the identity is removed, renamed or changed. */
static void identities(void)
{
    static char deep[sizeof HOME + 160];
    taco__plat_id id, other;
    taco__temporary t;
    taco__mem m;
    taco_error e;
    FILE *f;
    bool taken;
    size_t i, n;
    taco__mem_init(&m, NULL);
    memset(&e, 0, sizeof e);
    test_names_remove(HOME);
    CHECK(taco__dir_make(HOME, &e) && taco__dir_make(HOME, &e));
    CHECK(!taco__dir_make_new(HOME, &e));
    CHECK_TEXT(e.text, "the directory cannot be made: '" HOME "', which already exists");
    write_file(HOME "/a");
    write_file(HOME "/b");
    memset(&e, 0, sizeof e);
    CHECK(!taco__dir_make(HOME "/a", &e) && e.code == TACO_ERR_IO); /* a file has the name */
    CHECK(taco__plat_create_dir(HOME "/d", &id, &taken));
    CHECK(!taco__plat_create_dir(HOME "/d", &other, &taken) && taken);
    CHECK(taco__plat_identify(HOME "/a", &other));
    CHECK(!taco__plat_remove_tree(HOME "/d", &other) && exists(HOME "/d"));
    other = id;
    other.volume++;
    CHECK(!taco__plat_remove_tree(HOME "/d", &other) && exists(HOME "/d"));
    taco__temporary_remove_made(HOME "/d", &other);
    CHECK(exists(HOME "/d"));
    write_file(HOME "/d/c");
    taco__temporary_remove_made(HOME "/d", &id);
    CHECK(!exists(HOME "/d"));
    CHECK(taco__plat_identify(HOME "/a", &id));
    CHECK(taco__plat_is_same(HOME "/a", &id, false) && taco__plat_is_same(HOME "/a", &id, true) &&
          !taco__plat_is_same(HOME "/b", &id, false) && !taco__plat_is_same(HOME "/c", &id, true));
    other = id;
    other.volume++;
    CHECK(!taco__plat_is_same(HOME "/a", &other, false));
    taco__temporary_remove_made(HOME "/a", &id);
    CHECK(!exists(HOME "/a"));
    CHECK(!taco__plat_open_update("/dev/null", &id) && !taco__plat_open_update(HOME, &id) &&
          !taco__plat_open_update(HOME "/none", &id));
    /* a renaming that is undone, but not where another file has the name by then */
    CHECK(taco__temporary_make(&t, HOME "/x", &f, NULL, &m, &e) && fclose(f) == 0);
    taco__temporary_undo(&t, HOME "/x");
    CHECK(!t.renamed && taco__temporary_rename(&t, HOME "/x") && exists(HOME "/x"));
    taco__temporary_undo(&t, HOME "/x");
    CHECK(!t.renamed && !exists(HOME "/x") && taco__temporary_rename(&t, HOME "/x"));
    CHECK(rename(HOME "/b", HOME "/x") == 0);
    taco__temporary_undo(&t, HOME "/x");
    CHECK(t.renamed && exists(HOME "/x"));
    taco__temporary_remove(&t);
    CHECK(exists(HOME "/x") && test_names_count(HOME, "", "") == 1);
    /* more directories inside directories than are opened at a time: the innermost stay */
    n = sizeof HOME - 1;
    memcpy(deep, HOME, n);
    for (i = 0; i < 70; i++) {
        memcpy(deep + n, "/d", 3);
        n += 2;
        CHECK(taco__dir_make_new(deep, NULL));
    }
    CHECK(taco__plat_identify(HOME "/d", &id) && !taco__plat_remove_tree(HOME "/d", &id));
    deep[sizeof HOME - 1 + 20] = 0; /* what is left of them is removed from below */
    CHECK(taco__plat_identify(deep, &id) && taco__plat_remove_tree(deep, &id));
    CHECK(taco__plat_identify(HOME "/d", &id) && taco__plat_remove_tree(HOME "/d", &id));
    CHECK(m.used == 0 && test_names_count(HOME, "", "") == 1);
    test_names_remove(HOME);
}

/* The empty path is no directory, least of all the working one. */
static void empty_path(void)
{
    taco__plat_id id;
    uint64_t size = 7;
    size_t i;
    for (i = 0; i < 2; i++) {
        CHECK(taco__plat_stat("", &size) == TACO__PATH_MISSING && size == 7);
        CHECK(!taco__plat_name_exists("") && test_names_count("", "", "") == 0);
        CHECK(taco__plat_identify(".", &id) && !taco__plat_is_same("", &id, i == 0));
        CHECK(!taco__plat_identify("", &id) && !taco__plat_remove_tree("", &id));
    }
    CHECK(taco__plat_stat("build", &size) == TACO__PATH_DIRECTORY);
}

/* The kind that a listing has is that of the file, or not known. */
static bool check_kind(void *ctx, const char *name, taco__path_kind kind)
{
    const taco__path_kind is = name[0] == 'd' ? TACO__PATH_DIRECTORY : TACO__PATH_FILE;
    CHECK(kind == is || kind == TACO__PATH_MISSING);
    (*(size_t *)ctx)++;
    return true;
}

static void listed_kinds(void)
{
    size_t n = 0;
    CHECK(taco__dir_make(HOME, NULL) && taco__dir_make(HOME "/directory", NULL));
    write_file(HOME "/file");
    CHECK(taco__plat_list_dir(HOME, check_kind, &n) && n == 2);
    test_names_remove(HOME);
}

/* The bytes of a file, as text. */
static const char *text_of(const char *path)
{
    static char text[100];
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    text[n] = 0;
    if (f) { fclose(f); }
    return text;
}

/* A file that is continued: bytes before the old end are replaced once and last, and come back where
   the rest is not kept. */
static void continued(void)
{
    static char much[600];
    taco__update u;
    taco_sink sink;
    taco__mem m;
    taco_error e;
    int keep;
    taco__mem_init(&m, NULL);
    memset(&e, 0, sizeof e);
    CHECK(taco__dir_make(HOME, NULL));
    for (keep = 0; keep < 2; keep++) {
        write_file(HOME "/a"); /* mine */
        CHECK(taco__update_open(&u, HOME "/a", &e));
        CHECK(taco__sink_append_open(&sink, &u, 4, &m, &e));
        CHECK(sink.write(sink.ctx, 4, "more", 4));
        CHECK(!sink.write(sink.ctx, 2, much, 3) && !sink.write(sink.ctx, 0, much, 600));
        CHECK(sink.write(sink.ctx, 1, "XY", 2));
        CHECK(!sink.write(sink.ctx, 1, "AB", 2)); /* once */
        CHECK_TEXT(text_of(HOME "/a"), "mXYemore");
        CHECK(sink.close(sink.ctx, keep != 0));
        taco__update_close(&u);
        CHECK_TEXT(text_of(HOME "/a"), keep ? "mXYemore" : "mine");
    }
    CHECK(taco__update_open(&u, HOME "/a", &e) && taco__update_check(&u, &e));
    CHECK(taco__sink_append_open(&sink, &u, 600, &m, &e)); /* zeros before the new end */
    CHECK(!sink.write(sink.ctx, 0, much, 513));
    CHECK(remove(HOME "/a") == 0);
    write_file(HOME "/a"); /* another writer's */
    CHECK(!sink.write(sink.ctx, 0, much, 5) && sink.close(sink.ctx, false));
    CHECK_TEXT(text_of(HOME "/a"), "mine");
    CHECK(!taco__update_check(&u, &e) && e.code == TACO_ERR_IO);
    taco__update_close(&u);
    taco__update_close(&u);
    CHECK(m.used == 0);
    test_names_remove(HOME);
}

/* Names longer than a temporary name may be are cut between two characters. */
static void long_names(void)
{
    static char path[sizeof HOME + 300];
    static const char *const parts[] = {"\xC3\xA9", "a\xE2\x82\xAC", "\x80"};
    size_t i, n;
    CHECK(taco__dir_make(HOME, NULL));
    for (i = 0; i < TACO__COUNT(parts); i++) {
        taco_sink sink;
        taco_error e;
        memset(&e, 0, sizeof e);
        for (n = (size_t)sprintf(path, HOME "/"); n < sizeof HOME + 230; n += strlen(parts[i])) {
            strcpy(path + n, parts[i]);
        }
        if (taco_sink_file(&sink, path, NULL, &e) != TACO_OK) { /* a system that checks names */
            CHECK(i == 2 && e.code == TACO_ERR_IO);
            continue;
        }
        CHECK(test_names_count(HOME, "", ".part") == 1);
        CHECK(sink.write(sink.ctx, 0, "a", 1) && sink.close(sink.ctx, true));
        CHECK(exists(path) && remove(path) == 0 && test_names_count(HOME, "", "") == 0);
    }
    test_names_remove(HOME);
}

/* A directory gets its name only where everything before went well. */
static void commits(void)
{
    taco__temporary t;
    taco__mem m;
    taco_error e;
    taco__mem_init(&m, NULL);
    memset(&e, 0, sizeof e);
    CHECK(taco__dir_make(HOME, NULL));
    write_file(HOME "/file");
    CHECK(taco__temporary_make(&t, HOME "/x", NULL, NULL, &m, &e));
    CHECK(!taco__dir_commit(&t, HOME "/x", HOME "/none", &e));
    CHECK_TEXT(e.text, "the directory cannot be completed: '" HOME "/x'");
    memset(&e, 0, sizeof e);
    CHECK(taco__dir_make_new(HOME "/y", NULL));
    CHECK(!taco__dir_commit(&t, HOME "/y", HOME "/file", &e));
    CHECK_TEXT(e.text, "the directory cannot be completed: '" HOME
                       "/y', which another writer has made in the meantime");
    CHECK(taco__dir_commit(&t, HOME "/x", HOME "/file", &e) && exists(HOME "/x"));
    taco__temporary_remove(&t);
    CHECK(exists(HOME "/x") && m.used == 0);
    test_names_remove(HOME);
}

/* A file that has its name already stays as it is; one whose source fails is reported. */
static void copies(void)
{
    static uint8_t buffer[TACO__OUTPUT_BYTES];
    taco__input in;
    taco_source src;
    taco_error e;
    bool works = false;
    memset(&e, 0, sizeof e);
    memset(&src, 0, sizeof src);
    CHECK(taco__dir_make(HOME, NULL));
    write_file(HOME "/file");
    taco__input_from_bytes(&in, taco__bytes_text("new"));
    CHECK(!taco__dir_write_file(HOME "/file", &in, buffer, NULL, &e));
    CHECK_TEXT(e.text, "cannot be written: '" HOME "/file', which already exists");
    CHECK(taco__dir_write_file(HOME "/new", &in, buffer, NULL, NULL));
    taco__input_close(&in);
    memset(&e, 0, sizeof e);
    src.ctx = &works;
    src.size = 10;
    src.read = zero_read;
    taco__input_from_range(&in, &src, 2, 8);
    CHECK(!taco__dir_write_file(HOME "/bad", &in, buffer, NULL, &e));
    CHECK_TEXT(e.text, "at byte 2: reading 8 bytes failed");
    in.own = true; /* a source that needs no closing */
    taco__input_close(&in);
    CHECK(in.source.read == NULL);
    test_names_remove(HOME);
}

/* A file that has become shorter since it was opened: its end is not waited for. */
static void shorter_files(void)
{
    static uint8_t buffer[TACO__OUTPUT_BYTES];
    taco__input in;
    taco_error e;
    memset(&e, 0, sizeof e);
    CHECK(taco__dir_make(HOME, NULL));
    write_file(HOME "/file");
    CHECK(taco__input_open_file(&in, HOME "/file", &e));
    CHECK(taco__dir_write_file(HOME "/same", &in, buffer, NULL, &e));
    in.size += 10;
    CHECK(!taco__dir_write_file(HOME "/longer", &in, buffer, NULL, &e) && e.code == TACO_ERR_IO);
    CHECK(strstr(e.text, "reading ") != NULL);
    taco__input_close(&in);
    test_names_remove(HOME);
}

#endif

int main(void)
{
    RUN(messages);
    RUN(logs);
    RUN(bytes);
    RUN(adler);
    RUN(numbers);
    RUN(sizes);
    RUN(spares);
    RUN(ranges);
    RUN(sinks_of_programs);
    RUN(sinks_in_memory);
#ifdef ON_UNIX
    RUN(sinks_of_files);
    RUN(identities);
    RUN(empty_path);
    RUN(listed_kinds);
    RUN(continued);
    RUN(long_names);
    RUN(commits);
    RUN(copies);
    RUN(shorter_files);
#endif
    return test_end("test_base_edges");
}
