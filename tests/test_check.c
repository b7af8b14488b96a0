/* validate/, write/repair.c: good datasets are valid; a small archive with any byte of its records
   changed is not; each problem is reported by name, and repaired with the same payloads. */
#include "../src/base/platform_write.h"
#include "../src/validate/validate.h"
#include "test.h"

#include "alloc.h"
#include "names.h"

static const char collection[] =
    "{\"id\":\"made\",\"dataset_version\":\"1.0.0\",\"description\":\"d\",\"licenses\":[\"CC0-1."
    "0\"],"
    "\"providers\":[{\"name\":\"x\"}],\"tasks\":[\"other\"],\"taco_version\":\"2.0.0\"}";

static uint8_t *bytes; /* the archive at hand, to be damaged */
static size_t size;

/* What a finished writer has left in the sink becomes the archive at hand. */
static void take(taco_sink *sink)
{
    taco_bytes out = taco_sink_bytes(sink);
    free(bytes);
    size = out.len;
    bytes = (uint8_t *)malloc(size + 64);
    memcpy(bytes, out.data, size);
    taco_sink_free(sink);
}

/* Two FOLDERs of two FILEs, with a column on each level. */
static void make_with(taco_codec codec, const taco_pq_write_options *parquet)
{
    taco_error err;
    taco_create_options opt;
    taco_sink sink;
    taco_writer *w;
    char text[16];
    int f, c;
    memset(&err, 0, sizeof err);
    memset(&opt, 0, sizeof opt);
    opt.codec = codec;
    opt.parquet = parquet;
    CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
    w = taco_create_sink(&sink, &opt, &err);
    taco_writer_collection(w, collection, sizeof collection - 1);
    taco_writer_column(w, 0, "split", TACO_TEXT);
    taco_writer_column(w, 1, "number", TACO_INT64);
    for (f = 0; f < 2; f++) {
        sprintf(text, "f%d", f);
        taco_writer_folder_begin(w, text);
        taco_writer_set_text(w, "split", f ? "train" : "test");
        for (c = 0; c < 2; c++) {
            sprintf(text, "payload %d%d", f, c);
            taco_writer_bytes(w, c ? "y" : "x", text, strlen(text));
            taco_writer_set_int(w, "number", f * 2 + c);
        }
        taco_writer_folder_end(w);
    }
    CHECK(taco_writer_finish(w, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    take(&sink);
}

static void make(taco_codec codec)
{
    make_with(codec, NULL);
}

static void load(const char *path)
{
    FILE *f = fopen(path, "rb");
    CHECK(f != NULL);
    free(bytes);
    bytes = (uint8_t *)malloc(1 << 20);
    size = f ? fread(bytes, 1, 1 << 20, f) : 0;
    if (f) { fclose(f); }
}

/* Writes the archive at hand to a file. */
static const char *write_file(const char *path)
{
    FILE *f = fopen(path, "wb");
    CHECK(f && fwrite(bytes, 1, size, f) == size);
    if (f) { fclose(f); }
    return path;
}

typedef struct findings {
    size_t errors, warnings;
    char text[4096]; /* "where: message" of the errors */
    size_t most;     /* stop behind so many; 0: never */
} findings;

static bool find(void *ctx, const taco_problem *p)
{
    findings *f = (findings *)ctx;
    size_t n = strlen(f->text);
    CHECK(p->message[0] && !strchr(p->message, '\n'));
    f->errors += p->error;
    f->warnings += !p->error;
    if (p->error && n < sizeof f->text - 1024) {
        sprintf(f->text + n, "%s: %s\n", p->where, p->message);
    }
    return !f->most || f->errors + f->warnings < f->most;
}

static findings validate(bool deep, taco_validated *sum)
{
    taco_validate_options how;
    taco_source src;
    findings f;
    taco_error err;
    taco_validated own;
    taco_status status;
    sum = sum ? sum : &own;
    memset(&how, 0, sizeof how);
    memset(&f, 0, sizeof f);
    memset(&err, 0, sizeof err);
    how.deep = deep;
    how.found = find;
    how.ctx = &f;
    taco_source_memory(&src, bytes, size);
    status = taco_validate_source(&src, "x", NULL, &how, sum, &err);
    CHECK(status == err.code && (status == TACO_OK) == (f.errors == 0));
    CHECK(sum->errors == f.errors && sum->warnings == f.warnings);
    return f;
}

static findings validate_path(const char *path, bool strict, taco_status *status, taco_error *err)
{
    taco_validate_options how;
    findings f;
    memset(&how, 0, sizeof how);
    memset(&f, 0, sizeof f);
    memset(err, 0, sizeof *err);
    how.deep = true;
    how.strict_pit = strict;
    how.found = find;
    how.ctx = &f;
    *status = taco_validate(path, NULL, &how, NULL, err);
    return f;
}

#define CHECK_FOUND(f, what)                                                                       \
    do {                                                                                           \
        test_checks++;                                                                             \
        if (!strstr((f).text, (what))) {                                                           \
            printf("%s:%d: \"%s\" is not in\n%s", __FILE__, __LINE__, (what), (f).text);           \
            test_bad++;                                                                            \
        }                                                                                          \
    } while (0)

static void good_datasets(void)
{
    static const char *const paths[] = {"examples/data/nested.tacozip",
                                        "examples/data/nested_folder",
                                        "examples/data/names.tacozip",
                                        "examples/data/padded_old.tacozip",
                                        "examples/data/ragged.tacozip",
                                        "examples/data/types.tacozip",
                                        "examples/data/geo_nested.tacozip",
                                        "examples/data/era_0130.tacozip",
                                        "examples/data/era_0130_folder",
                                        "examples/data/multi",
                                        "examples/data/tacocat_binary/__TACOCAT__"};
    size_t i;
    taco_error err;
    taco_status status;
    taco_validated sum;
    for (i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        findings f = validate_path(paths[i], false, &status, &err);
        CHECK_TEXT(f.text, "");
        CHECK_TEXT(err.text, "");
        CHECK(status == TACO_OK && f.errors == 0);
    }
    make(TACO_CODEC_NONE);
    CHECK(validate(true, &sum).warnings == 0);
    CHECK(sum.rows == 6 && sum.entries == 10 && sum.errors == 0 && sum.bytes > 2000);
    make(TACO_CODEC_ZSTD);
    CHECK(validate(true, NULL).warnings == 0);
    CHECK(taco_validate(NULL, NULL, NULL, NULL, NULL) == TACO_ERR_ARGUMENT);
}

/* Bytes of records that mean nothing to a TACO: versions, dates, attributes, the padding of the
   header. */
static bool idle(const uint8_t *kind, size_t i)
{
    return kind[i] == 0;
}

static uint8_t *kinds(void)
{
    uint8_t *k = (uint8_t *)malloc(size);
    size_t i, at;
    memset(k, 1, size);
    for (i = 0; i + 46 < size; i++) {
        uint32_t sig = bytes[i] | (uint32_t)bytes[i + 1] << 8 | (uint32_t)bytes[i + 2] << 16 |
                       (uint32_t)bytes[i + 3] << 24;
        if (sig == 0x04034B50) {
            memset(k + i + 4, 0, 2);
            memset(k + i + 10, 0, 4);
        } else if (sig == 0x02014B50) {
            memset(k + i + 4, 0, 4);
            memset(k + i + 12, 0, 4);
            memset(k + i + 34, 0, 2); /* 65535 disks stand for ZIP64 */
            memset(k + i + 36, 0, 6);
        }
    }
    for (at = 42; at < 45; at++) {
        k[at] = 0;
    }
    return k;
}

static void every_byte(void)
{
    uint8_t *k;
    size_t i, missed = 0;
    make(TACO_CODEC_NONE);
    k = kinds();
    for (i = 0; i < size; i++) {
        findings f;
        if (i > 400 && i < size - 900 && i % 7) {
            continue; /* tables: their CRC tells, a sample of them will do */
        }
        bytes[i] ^= 0xFF;
        f = validate(true, NULL);
        if (f.errors == 0 && !idle(k, i)) {
            printf("byte %u of %u is changed, and nothing is found\n", (unsigned)i, (unsigned)size);
            missed++;
        }
        bytes[i] ^= 0xFF;
    }
    CHECK(missed == 0);
    free(k);
}

static void every_length(void)
{
    size_t whole, i;
    make(TACO_CODEC_NONE);
    whole = size;
    for (i = 0; i < whole; i += i < 200 || i > whole - 100 ? 1 : 37) {
        size = i;
        CHECK(validate(false, NULL).errors > 0);
    }
    size = whole;
    bytes[size++] = 'x';
    CHECK_FOUND(validate(false, NULL), "after the end record");
}

static void named_faults(void)
{
    findings f;
    size_t i;
    make(TACO_CODEC_NONE);
    for (i = 0; memcmp(bytes + i, "payload 01", 10) != 0; i++) {}
    bytes[i] ^= 1;
    CHECK(validate(false, NULL).errors == 0);
    f = validate(true, NULL);
    CHECK(f.errors == 1);
    CHECK_FOUND(f, "'DATA/f0/y': its 10 bytes");
    CHECK_FOUND(f, "CRC-32");
    bytes[i] ^= 1;
    bytes[45] ^= 1; /* of level0's offset in the TACO_HEADER */
    f = validate(false, NULL);
    CHECK_FOUND(f, "TACO_HEADER: its bytes have another CRC-32");
    CHECK_FOUND(f, "TACO_HEADER: level0 has");
    bytes[45] ^= 1;
    load("examples/data/refbug_unsorted.tacozip");
    f = validate(false, NULL);
    CHECK_FOUND(f, "METADATA/level1.parquet: row 0: ");
    CHECK_FOUND(f, "__meta__ and level disagree");
}

/* What stands in the archive as `from`, everywhere, becomes `to`; as long. */
static void replace(const char *from, const char *to)
{
    size_t i, n = strlen(from);
    for (i = 0; i + n <= size; i++) {
        if (memcmp(bytes + i, from, n) == 0) { memcpy(bytes + i, to, n); }
    }
}

/* Where a text is in bytes, from a place on. */
static size_t at_text(const char *text, size_t from)
{
    size_t n = strlen(text);
    while (from + n < size && memcmp(bytes + from, text, n) != 0) {
        from++;
    }
    CHECK(from + n < size);
    return from;
}

/* Replaces a text in METADATA/level1.parquet by one of the same length. */
static void replace_in_level1(const char *from, const char *to)
{
    size_t i = at_text("METADATA/level1.parquet", 0), end = at_text("COLLECTION.json", i);
    for (; i + strlen(from) <= end; i++) {
        if (memcmp(bytes + i, from, strlen(from)) == 0) { memcpy(bytes + i, to, strlen(to)); }
    }
}

static void core_fields(void)
{
    taco_pq_write_options parquet;
    findings f;
    memset(&parquet, 0, sizeof parquet);
    parquet.no_crc = true;
    make_with(TACO_CODEC_NONE, &parquet);
    CHECK(validate(false, NULL).errors == 0);
    replace_in_level1("FILE", "LINE");
    f = validate(false, NULL);
    CHECK_FOUND(f, "METADATA/level1.parquet: row 0: type is 'LINE', must be FILE or FOLDER");
    make(TACO_CODEC_NONE);
    replace_in_level1("type", "tipe");
    f = validate(false, NULL);
    CHECK_FOUND(f, "there is no column type");
    make(TACO_CODEC_NONE);
    replace("DATA/f0/__meta__", "DATA/f0/__mete__");
    f = validate(false, NULL);
    CHECK_FOUND(f, "METADATA/level0.parquet: row 0: ");
    CHECK_FOUND(f, "DATA/'f0'/__meta__");
}

/* A __meta__ with another column than its level: not an error, as the reference writes such. */
static void other_columns(void)
{
    taco_pq_write_options parquet;
    findings f;
    size_t i, end;
    memset(&parquet, 0, sizeof parquet);
    parquet.no_crc = true;
    make_with(TACO_CODEC_NONE, &parquet);
    i = at_text("DATA/f0/__meta__", 0);
    for (end = at_text("PK\3\4", i); i + 6 <= end; i++) {
        if (memcmp(bytes + i, "number", 6) == 0) { bytes[i + 1] = 'o'; }
    }
    f = validate(false, NULL); /* one column is missing, and there is one too many */
    CHECK(f.errors == 0 && f.warnings == 2);
}

static void names_and_counts(void)
{
    static const char *const bad[] = {"DATA/../y", "/ATA/f0/y", "DATA\\f0/y", "C:TA/f0/y"};
    findings f;
    size_t i;
    for (i = 0; i < 4; i++) {
        make(TACO_CODEC_NONE);
        replace("DATA/f0/y", bad[i]);
        f = validate(false, NULL);
        CHECK_FOUND(f, "could lead out of a directory");
    }
    make(TACO_CODEC_NONE);
    replace("DATA/f0/y", "DATA/..yy"); /* a name, not the directory above */
    f = validate(false, NULL);
    CHECK(!strstr(f.text, "could lead out"));
    make(TACO_CODEC_NONE);
    replace("\"n\": 2", "\"n\":-2");
    f = validate(false, NULL);
    CHECK_FOUND(f, "n must be an integer, 0 or more");
}

/* What stands around the central directory of an archive, and names that are twice there. */
static void around_the_directory(void)
{
    findings f;
    size_t end;
    make(TACO_CODEC_NONE);
    end = size - 22; /* of the end record, which has no comment */
    CHECK(memcmp(bytes + end, "PK\5\6", 4) == 0);
    memcpy(bytes + size, "more", 4);
    size += 4;
    f = validate(false, NULL);
    CHECK(f.errors == 1);
    CHECK_FOUND(f, "4 bytes of something else after the end record");
    bytes[end + 20] = 4; /* they are its comment */
    f = validate(false, NULL);
    CHECK(f.errors == 0 && f.warnings == 1);
    make(TACO_CODEC_NONE);
    memmove(bytes + end + 3, bytes + end, size - end);
    memset(bytes + end, 0, 3);
    size += 3;
    f = validate(false, NULL);
    CHECK_FOUND(f, "3 bytes between the central directory and its end record");
    make(TACO_CODEC_NONE);
    replace("DATA/f0/y", "DATA/f0/x");
    f = validate(false, NULL);
    CHECK_FOUND(f, "two entries are named 'DATA/f0/x'");
}

/* Places of level tables, counts and flags that contradict the rest. */
static void counts_and_flags(void)
{
    findings f;
    size_t end, i;
    make(TACO_CODEC_NONE);
    memset(bytes + 45, 0, 16); /* level0 */
    f = validate(false, NULL);
    CHECK_FOUND(f, "TACO_HEADER: at byte 45: TACO_HEADER: level0 is missing or empty");
    make(TACO_CODEC_NONE);
    CHECK(bytes[41] == 3);
    bytes[41] = 4;
    memmove(bytes + 77, bytes + 61, 32); /* level1 is level2 */
    memset(bytes + 61, 0, 16);
    f = validate(false, NULL);
    CHECK_FOUND(f, "TACO_HEADER: a level above the deepest one is missing");
    make(TACO_CODEC_NONE);
    end = size - 22;
    CHECK(bytes[end + 8] == 10 && bytes[end + 10] == 10);
    bytes[end + 8] = bytes[end + 10] = 9;
    f = validate(false, NULL);
    CHECK_FOUND(f, "behind the last of its 9 entries");
    make(TACO_CODEC_NONE);
    i = at_text("DATA/f0/yPK", 0) - 46;
    CHECK(memcmp(bytes + i, "PK\1\2", 4) == 0);
    bytes[i + 8] |= 8; /* a data descriptor follows */
    f = validate(false, NULL);
    CHECK_FOUND(f, "flag bit 3: sizes and CRC stand in a data descriptor");
    make(TACO_CODEC_NONE);
    bytes[i + 10] = 8; /* DEFLATE */
    f = validate(false, NULL);
    CHECK_FOUND(f, "compressed");
    make(TACO_CODEC_NONE);
    bytes[i + 16] ^= 1; /* the CRC of the directory alone */
    f = validate(false, NULL);
    CHECK_FOUND(f, "CRC");
    make(TACO_CODEC_NONE);
    replace("DATA/f0/y", "DATA/f0/\xFF");
    f = validate(false, NULL);
    CHECK(f.warnings > 0 && f.errors > 0);
}

static char warned[4096];

static bool note_warning(void *ctx, const taco_problem *p)
{
    size_t n = strlen(warned);
    (void)ctx;
    if (strcmp(p->where, "COLLECTION.json: extent") == 0) { return true; } /* test_merge.c */
    if (n < sizeof warned - 1024) { sprintf(warned + n, "%s: %s\n", p->where, p->message); }
    return true;
}

/* What COLLECTION.json says of the columns, and of its version, against what there is. */
static void schema_and_version(void)
{
    static const struct {
        const char *after, *from, *to, *finds;
    } t[] = {
        {"\"pos\"", "int64", "int32",
         "COLLECTION.json: taco:field_schema.level1: says 'int32' for the type of 'pos', which "
         "METADATA/level1.parquet does not have\n"},
        {"\"pos\"", "int64", "whole", ""},
        {"\"stac:centroid\"", "binary", "string",
         "COLLECTION.json: taco:field_schema.level0: says 'string' for the type of "
         "'stac:centroid', which METADATA/level0.parquet does not have\n"},
        {"\"level1\"", "\"kind\"", "\"king\"",
         "COLLECTION.json: taco:field_schema.level1: lists the column 'king', which "
         "METADATA/level1.parquet has not\nCOLLECTION.json: taco:field_schema.level1: does not "
         "list the column 'kind' of METADATA/level1.parquet\n"},
        {"\"level1\"", "\"kind\"", "\"path\"",
         "COLLECTION.json: taco:field_schema.level1: does not list the column 'kind' of "
         "METADATA/level1.parquet\n"},
        {"\"taco_version\"", "0.5.0", "3.0.0",
         "COLLECTION.json: at byte 419: taco_version is '3.0.0', must be that of TACO 2, 2.x, or "
         "0.5.0, as the reference has it\n"},
        {"\"taco_version\"", "0.5.0", "2.7.1", ""}};

    taco_validate_options how;
    taco_validated sum;
    size_t i, at;
    memset(&how, 0, sizeof how);
    how.found = note_warning;
    for (i = 0; i < TACO__COUNT(t); i++) {
        load("examples/data/nested.tacozip");
        at = at_text(t[i].after, at_text("COLLECTION.json", 0));
        at = at_text(t[i].from, at);
        memcpy(bytes + at, t[i].to, strlen(t[i].to));
        warned[0] = 0;
        write_file("build/test_check_schema.tacozip");
        CHECK(taco_validate("build/test_check_schema.tacozip", NULL, &how, &sum, NULL) == TACO_OK);
        CHECK_TEXT(warned, t[i].finds);
    }
}

/* A FOLDER whose deeper table has pages that cannot be read: that is what is told, and its file is no stray one. */
static void folder_without_a_level(void)
{
#define FOLDER "build/test_check_folder"
    findings f;
    taco_error err;
    taco_status status;
    taco_dataset *ds;
    uint8_t other[200];
    FILE *table;
    memset(&err, 0, sizeof err);
    test_names_remove(FOLDER);
    ds = taco_open("examples/data/nested.tacozip", NULL, &err);
    CHECK(taco_repack(ds, FOLDER, NULL, &err) == TACO_OK);
    taco_close(ds);
    CHECK_TEXT(err.text, "");
    memset(other, 0xFF, sizeof other); /* no header of a page */
    table = fopen(FOLDER "/METADATA/level1.parquet", "r+b");
    CHECK(table && fseek(table, 4, SEEK_SET) == 0 && fwrite(other, 1, 200, table) == 200 &&
          fclose(table) == 0);
    f = validate_path(FOLDER, false, &status, &err);
    CHECK(status != TACO_OK && f.errors > 0);
    CHECK_FOUND(f, "METADATA/level1.parquet: ");
    test_names_remove(FOLDER);
}

/* taco_options.open_file: files that are read, never mapped. */
static bool open_unmapped(void *ctx, const char *path, taco_source *out)
{
    (void)ctx;
    if (taco_source_file(out, path, NULL) != TACO_OK) { return false; }
    out->view = NULL;
    return true;
}

/* Repacks the small archive as a FOLDER. */
static void make_folder(void)
{
    taco_error err;
    taco_dataset *ds;
    memset(&err, 0, sizeof err);
    test_names_remove(FOLDER);
    make(TACO_CODEC_NONE);
    ds = taco_open(write_file("build/test_check_from.tacozip"), NULL, &err);
    CHECK(taco_repack(ds, FOLDER, NULL, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    taco_close(ds);
    remove("build/test_check_from.tacozip");
}

/* Changes the last letter of a name in the table at hand; returns how often it is there. */
static size_t rename_column(const char *name)
{
    size_t i, n = strlen(name), found = 0;
    for (i = 0; i + n < size; i++) {
        if (bytes[i] == n && memcmp(bytes + i + 1, name, n) == 0) {
            bytes[i + n] = 'x';
            found++;
        }
    }
    return found;
}

/* A file that needs more memory than there is: its row is told, also in a level of which nothing else
   is told by row. */
static void folder_without_ids(void)
{
    static const uint8_t large[1 << 20] = {0}; /* a window of it is as long as the limit */
    const char *table = FOLDER "/METADATA/level1.parquet";
    taco_validate_options how;
    taco_options opt;
    taco_error err;
    findings f;
    memset(&err, 0, sizeof err);
    memset(&opt, 0, sizeof opt);
    memset(&how, 0, sizeof how);
    memset(&f, 0, sizeof f);
    make_folder();
    load(table);
    CHECK(rename_column("id") == 2); /* in the schema, and in the path of the column */
    CHECK(rename_column("internal:parent_id") == 2);
    write_file(table);
    load(FOLDER "/DATA/f0/y");
    memcpy(bytes, large, size = sizeof large);
    write_file(FOLDER "/DATA/f0/y");
    opt.open_file = open_unmapped;
    opt.limits.max_memory = sizeof large;
    how.deep = true;
    how.found = find;
    how.ctx = &f;
    CHECK(taco_validate(FOLDER, &opt, &how, NULL, &err) != TACO_OK);
    CHECK_FOUND(f, "METADATA/level1.parquet: there is no column id\n");
    CHECK_FOUND(f, "METADATA/level1.parquet: row 1: needs ");
    test_names_remove(FOLDER);
}

/* Children that a pattern lists and no FOLDER has: an error at depth 1, deeper down a warning. */
static void patterns_of_nobody(void)
{
    taco_error err;
    taco_sink sink;
    taco_writer *w;
    findings f;
    int i;
    for (i = 0; i < 2; i++) {
        memset(&err, 0, sizeof err);
        CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
        w = taco_create_sink(&sink, NULL, &err);
        taco_writer_collection(w, collection, sizeof collection - 1);
        taco_writer_folder_begin(w, "top");
        taco_writer_folder_begin(w, "middle");
        taco_writer_bytes(w, "child_x", "x", 1);
        taco_writer_folder_end(w);
        taco_writer_folder_end(w);
        CHECK(taco_writer_finish(w, &err) == TACO_OK);
        CHECK_TEXT(err.text, "");
        take(&sink);
        CHECK(validate(false, NULL).errors == 0 && validate(false, NULL).warnings == 0);
        replace(i ? "\"child_x\"" : "\"middle\"", i ? "\"child_z\"" : "\"riddle\"");
        f = validate(false, NULL);
        CHECK(i ? f.errors == 0 && f.warnings == 1 : f.errors == 1);
        CHECK(i || strstr(f.text, "no FOLDER has the children that pattern 0 lists"));
    }
}

static void devices(void)
{
    taco_source src; /* where there is none it is not found, either */
    CHECK(taco_source_file(&src, "/dev/zero", NULL) == TACO_ERR_NOT_FOUND);
}

static void a_caller_stops(void)
{
    taco_validate_options how;
    findings f;
    taco_source src;
    taco_validated sum;
    load("examples/data/refbug_unsorted.tacozip");
    memset(&how, 0, sizeof how);
    memset(&f, 0, sizeof f);
    how.found = find;
    how.ctx = &f;
    f.most = 3;
    taco_source_memory(&src, bytes, size);
    CHECK(taco_validate_source(&src, "x", NULL, &how, &sum, NULL) == TACO_ERR_CORRUPT);
    CHECK(f.errors + f.warnings == 3);
}

static void strict_pit(void)
{
    taco_error err;
    taco_status status;
    findings f = validate_path("examples/data/ragged.tacozip", true, &status, &err);
    CHECK(status == TACO_ERR_CORRUPT);
    CHECK_FOUND(f, "strict PIT: ");
    f = validate_path("examples/data/geo_nested.tacozip", true, &status, &err);
    CHECK(status == TACO_OK && f.errors == 0);
}

/* ---- when memory fails ---- */

static size_t allowed;

static void *failing(void *ctx, void *p, size_t old, size_t n)
{
    (void)ctx;
    (void)old;
    if (!n) {
        free(p);
        return NULL;
    }
    if (!allowed) { return NULL; }
    allowed--;
    return realloc(p, n);
}

static void memory_fails(void)
{
    taco_allocator a;
    taco_options opt;
    taco_validate_options how;
    size_t i;
    taco_status status = TACO_ERR_MEMORY;
    memset(&a, 0, sizeof a);
    memset(&opt, 0, sizeof opt);
    memset(&how, 0, sizeof how);
    a.resize = failing;
    opt.allocator = &a;
    how.deep = true;
    make(TACO_CODEC_NONE);
    for (i = 0; i < 100000 && status != TACO_OK; i += 1 + i / 40) {
        taco_source src;
        taco_error err;
        memset(&err, 0, sizeof err);
        taco_source_memory(&src, bytes, size);
        allowed = i;
        status = taco_validate_source(&src, "x", &opt, &how, NULL, &err);
        CHECK(status == TACO_OK || status == TACO_ERR_MEMORY);
    }
    CHECK(status == TACO_OK);
}

/* Each allocation fails alone: the check does without it, or says that it has failed. */
static void memory_fails_once(void)
{
    taco_allocator a;
    taco_options opt;
    taco_validate_options how;
    test_memory m;
    taco_validated sum;
    size_t i;
    make(TACO_CODEC_NONE);
    test_counted(&opt, &a, &m);
    memset(&how, 0, sizeof how);
    how.deep = true;
    for (i = 1;; i++) {
        taco_source src;
        taco_error err;
        taco_status status;
        memset(&err, 0, sizeof err);
        taco_source_memory(&src, bytes, size);
        m.calls = 0;
        m.fail_at = i;
        status = taco_validate_source(&src, "x", &opt, &how, &sum, &err);
        CHECK(status == TACO_OK || status == TACO_ERR_MEMORY);
        CHECK(status == err.code && (status == TACO_OK) == (sum.errors == 0) && m.live == 0);
        if (m.calls < i) { break; }
    }
    CHECK(i > 100);
}

/* ---- repair ---- */

/* Repairs what stands in bytes, and leaves the new archive there. */
static taco_status repair(taco_repaired *sum, taco_error *err)
{
    const char *from = write_file("build/test_check_from.tacozip"),
               *to = "build/test_check_to.tacozip";
    taco_status status;
    memset(err, 0, sizeof *err);
    remove(to);
    status = taco_repair(from, to, NULL, NULL, sum, err);
    if (status == TACO_OK) {
        load(to);
        CHECK(taco_repair(from, to, NULL, NULL, NULL, NULL) == TACO_ERR_ARGUMENT); /* exists */
    }
    remove(from);
    remove(to);
    return status;
}

/* A __meta__ of no bytes at all, where no level has the children either. */
static void empty_meta(void)
{
    taco_repaired sum;
    taco_error err;
    size_t i, n;
    make(TACO_CODEC_NONE);
    i = at_text("DATA/f0/__meta__PK", 0) - 46;
    CHECK(memcmp(bytes + i, "PK\1\2", 4) == 0);
    memset(bytes + i + 20, 0, 8);
    i = at_text("DATA/f0/__meta__PAR1", 0) - 30;
    CHECK(memcmp(bytes + i, "PK\3\4", 4) == 0);
    memset(bytes + i + 18, 0, 8);
    n = at_text("METADATA/level1.parquetPAR1", 0);
    i = at_text("METADATA/level", n + 1);
    for (; memcmp(bytes + i - 4, "PAR1", 4) != 0; i--) {}
    memset(bytes + i - 40, 0xFF, 36);
    CHECK(repair(&sum, &err) == TACO_ERR_CORRUPT);
    CHECK(strstr(err.text, "DATA/'f0': no row of a level has its children, and __meta__ cannot be "
                           "read: at byte 399: __meta__ of 0 bytes"));
}

static void repairs(void)
{
    taco_repaired sum;
    taco_error err;
    size_t i, n;
    uint8_t *before;
    /* offsets of a level that its writer mixed up */
    load("examples/data/refbug_unsorted.tacozip");
    CHECK(repair(&sum, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    CHECK(sum.before > 0 && sum.after == 0 && sum.places > 0 && sum.files == 8);
    CHECK(validate(true, NULL).errors == 0);
    /* a TACO_HEADER that is zeros, and one that names other places: the same bytes come out as from
       the good one */
    make(TACO_CODEC_ZSTD);
    CHECK(repair(&sum, &err) == TACO_OK);
    n = size;
    before = (uint8_t *)malloc(n);
    memcpy(before, bytes, n);
    for (i = 0; i < 3; i++) {
        make(TACO_CODEC_ZSTD);
        if (i == 0) {
            memset(bytes + 41, 0, 116);
        } else if (i == 1) {
            bytes[45] ^= 1;
        } else {
            uint8_t swap[16]; /* level0 and level1 */
            memcpy(swap, bytes + 45, 16);
            memmove(bytes + 45, bytes + 61, 16);
            memcpy(bytes + 61, swap, 16);
        }
        CHECK(repair(&sum, &err) == TACO_OK);
        CHECK_TEXT(err.text, "");
        CHECK(size == n && memcmp(before, bytes, n) == 0 && sum.rows == 6 && sum.files == 4);
    }
    free(before);
    /* the directory is gone */
    make(TACO_CODEC_NONE);
    size -= 300;
    CHECK(repair(&sum, &err) == TACO_OK);
    CHECK(validate(true, NULL).errors == 0);
    /* a __meta__ that is not readable is made from the level */
    make(TACO_CODEC_NONE);
    for (i = 0; memcmp(bytes + i, "DATA/f1/__meta__PAR1", 20) != 0; i++) {}
    memset(bytes + i + 20, 0xFF, 60);
    CHECK(repair(&sum, &err) == TACO_OK);
    CHECK(sum.metas == 1 && sum.after == 0);
    /* a level that is not readable is made of all __meta__ */
    make(TACO_CODEC_NONE);
    n = at_text("METADATA/level1.parquetPAR1", 0);
    i = at_text("METADATA/level", n + 1); /* in the directory, or of the level behind it */
    for (; memcmp(bytes + i - 4, "PAR1", 4) != 0; i--) {}
    memset(bytes + i - 40, 0xFF, 36);
    CHECK(repair(&sum, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    CHECK(sum.from_meta == 4 && sum.after == 0 && sum.rows == 6 && sum.files == 4);
    CHECK(validate(true, NULL).errors == 0);
    /* an extent that is none is computed again */
    load("examples/data/geo_stac.tacozip");
    for (i = 0; memcmp(bytes + i, "51.5", 4) != 0; i++) {}
    memcpy(bytes + i, "-910", 4);
    CHECK(validate(true, NULL).errors > 0);
    CHECK(repair(&sum, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    CHECK(sum.before > 0 && sum.after == 0 && validate(true, NULL).errors == 0);
    for (i = 0; i + 4 < size && memcmp(bytes + i, "51.5", 4) != 0; i++) {}
    CHECK(i + 4 < size);
    /* a payload that is damaged is not blessed */
    make(TACO_CODEC_NONE);
    for (i = 0; memcmp(bytes + i, "payload 01", 10) != 0; i++) {}
    bytes[i] ^= 1;
    CHECK(repair(&sum, &err) == TACO_ERR_CHECKSUM);
    CHECK(strstr(err.text, "DATA/'f0/y'") != NULL);
    CHECK(taco_repair("examples/data/multi", "build/none", NULL, NULL, NULL, &err) != TACO_OK);
    CHECK(taco_repair(NULL, NULL, NULL, NULL, NULL, NULL) == TACO_ERR_ARGUMENT);
}

/* A value of a column in an archive that was repaired, of all rows of level 1. */
static const char *repaired_column(const char *column)
{
    static char text[256];
    taco_error err;
    taco_source src;
    taco_query q;
    taco_dataset *ds;
    taco_cursor *c;
    size_t n = 0;
    memset(&err, 0, sizeof err);
    memset(&q, 0, sizeof q);
    q.table = 1;
    taco_source_memory(&src, bytes, size);
    ds = taco_open_source(&src, "x", NULL, &err);
    c = ds ? taco_select(ds, &q, &err) : NULL;
    text[0] = 0;
    while (taco_cursor_next(c)) {
        const char *v = taco_cursor_text(c, column);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? " " : "", v ? v : "null");
    }
    taco_cursor_close(c, &err);
    taco_close(ds);
    CHECK_TEXT(err.text, "");
    return text;
}

/* taco_validate_options.progress: the last of done and total. */
static bool note_progress(void *ctx, uint64_t done, uint64_t total)
{
    uint64_t *last = (uint64_t *)ctx;
    last[0] = done;
    last[1] = total;
    return true;
}

/* The bytes of all payloads of an archive are known while they are copied, those of a FOLDER not. */
static void progress_of_repairs(void)
{
    const char *to = "build/test_check_to.tacozip", *from, *folder = "build/test_check_repaired";
    taco_validate_options how;
    taco_error err;
    uint64_t last[2] = {0, 0};
    memset(&err, 0, sizeof err);
    memset(&how, 0, sizeof how);
    how.progress = note_progress;
    how.ctx = last;
    make(TACO_CODEC_NONE);
    from = write_file("build/test_check_from.tacozip");
    remove(to);
    CHECK(taco_repair(from, to, NULL, &how, NULL, &err) == TACO_OK);
    CHECK(last[0] == 40 && last[1] == 40);
    remove(from);
    remove(to);
    test_names_remove(folder);
    make_folder();
    CHECK(taco_repair(FOLDER, folder, NULL, &how, NULL, &err) == TACO_OK);
    CHECK(last[0] == 40 && last[1] == 0);
    CHECK_TEXT(err.text, "");
    test_names_remove(folder);
}

/* Files of a FOLDER have no places in tables: they are copied by level and row, whether their row is
   from a __meta__ or, because that is missing, from the level. The first that is lost is told. */
static void order_of_files(void)
{
    const char *to = "build/test_check_repaired";
    taco_repaired sum;
    taco_error err;
    memset(&err, 0, sizeof err);
    test_names_remove(to);
    make_folder();
    CHECK(remove(FOLDER "/DATA/f0/__meta__") == 0);
    CHECK(taco_repair(FOLDER, to, NULL, NULL, &sum, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    CHECK(sum.metas == 1 && sum.files == 4 && sum.places == 0 && sum.after == 0);
    test_names_remove(to);
    CHECK(remove(FOLDER "/DATA/f0/y") == 0 && remove(FOLDER "/DATA/f1/x") == 0);
    CHECK(taco_repair(FOLDER, to, NULL, NULL, &sum, &err) == TACO_ERR_NOT_FOUND);
    CHECK(strstr(err.text, "f0/y") != NULL && strstr(err.text, "f1/x") == NULL);
    test_names_remove(to);
    test_names_remove(FOLDER);
}

/* A payload is where the tables say only if the archive has something of that length there. */
static void lost_payloads(void)
{
    static const char nowhere[] = "DATA/'f0/y': its bytes are nowhere to be found, neither by the "
                                  "central directory nor by internal:offset";
    taco_repaired sum;
    taco_error err;
    size_t i;
    /* an entry of another name has these bytes */
    make(TACO_CODEC_NONE);
    replace("DATA/f0/y", "DATA/f0/z");
    CHECK(repair(&sum, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    CHECK(sum.files == 4 && sum.after == 0);
    CHECK_TEXT(repaired_column("id"), "x y x y");
    /* it has one byte less */
    make(TACO_CODEC_NONE);
    replace("DATA/f0/y", "DATA/f0/z");
    i = at_text("DATA/f0/zPK", 0) - 46;
    CHECK(memcmp(bytes + i, "PK\1\2", 4) == 0 && bytes[i + 20] == 10 && bytes[i + 24] == 10);
    bytes[i + 20] = bytes[i + 24] = 9;
    CHECK(repair(&sum, &err) == TACO_ERR_CORRUPT);
    CHECK(strstr(err.text, nowhere) != NULL);
    CHECK(sum.files == 0 && sum.rows == 0 && sum.bytes == 0);
    /* there is no directory, and another name before the bytes */
    make(TACO_CODEC_NONE);
    replace("DATA/f0/y", "DATA/f0/z");
    size -= 300;
    CHECK(repair(&sum, &err) == TACO_ERR_CORRUPT);
    CHECK(strstr(err.text, nowhere) != NULL);
    /* the name is right, the length before it is not */
    make(TACO_CODEC_NONE);
    i = at_text("DATA/f0/ypayload", 0) - 30;
    CHECK(memcmp(bytes + i, "PK\3\4", 4) == 0 && bytes[i + 18] == 10);
    bytes[i + 18] = 11;
    size -= 300;
    CHECK(repair(&sum, &err) == TACO_ERR_CORRUPT);
    CHECK(strstr(err.text, nowhere) != NULL);
}

/* Without a directory, bytes are a payload only behind a local header that says all of it. */
static void local_headers(void)
{
    static const struct {
        size_t at;
        unsigned value;
    } t[] = {{8, 8},              /* compressed */
             {18, 11},            /* another size */
             {28, 1},             /* the data begin later */
             {30, 'X'},           /* another name */
             {38, 'z'}, {26, 8}}; /* a shorter one */

    taco_repaired sum;
    taco_error err;
    size_t i, k;
    for (k = 0; k < sizeof t / sizeof t[0]; k++) {
        make(TACO_CODEC_NONE);
        i = at_text("DATA/f0/ypayload", 0) - 30;
        CHECK(memcmp(bytes + i, "PK\3\4", 4) == 0);
        bytes[i + t[k].at] = (uint8_t)t[k].value;
        size -= 300;
        CHECK(repair(&sum, &err) == TACO_ERR_CORRUPT);
        CHECK(strstr(err.text, "DATA/'f0/y': its bytes are nowhere to be found") != NULL);
    }
    make(TACO_CODEC_NONE); /* and with it nothing is missing */
    size -= 300;
    CHECK(repair(&sum, &err) == TACO_OK && sum.files == 4);
    CHECK(taco_repair("examples/data/nested.tacozip", NULL, NULL, NULL, NULL, NULL) ==
          TACO_ERR_ARGUMENT);
}

/* With a directory: its entry is of this place, of this size, and stored. */
static void other_entries(void)
{
    static const struct {
        size_t at;
        unsigned value;
    } t[] = {{10, 8}, {20, 11}, {42, 0xFF}};

    taco_repaired sum;
    taco_error err;
    size_t i, k;
    for (k = 0; k < sizeof t / sizeof t[0]; k++) {
        make(TACO_CODEC_NONE);
        replace("DATA/f0/y", "DATA/f0/z"); /* no entry has its path */
        i = at_text("DATA/f0/zPK", 0) - 46;
        CHECK(memcmp(bytes + i, "PK\1\2", 4) == 0);
        bytes[i + t[k].at] = (uint8_t)t[k].value;
        if (k == 1) { bytes[i + 24] = 11; }
        CHECK(repair(&sum, &err) == TACO_ERR_CORRUPT);
        CHECK(strstr(err.text, "DATA/'f0/y': its bytes are nowhere to be found") != NULL);
    }
}

/* A level made of the __meta__ of its FOLDERs has the columns of the first; values of columns that
   another lacks are null. */
static void columns_of_meta(void)
{
    taco_repaired sum;
    taco_error err;
    size_t i, n, end;
    make(TACO_CODEC_NONE);
    i = at_text("DATA/f1/__meta__PAR1", 0);
    end = at_text("METADATA/level", i);
    for (n = 0; i + 6 < end; i++) {
        if (memcmp(bytes + i, "number", 6) == 0) {
            memcpy(bytes + i, "numbed", 6);
            n++;
        }
    }
    CHECK(n >= 2); /* in the schema, and in the path of its chunk */
    n = at_text("METADATA/level1.parquetPAR1", 0);
    i = at_text("METADATA/level", n + 1);
    for (; memcmp(bytes + i - 4, "PAR1", 4) != 0; i--) {}
    memset(bytes + i - 40, 0xFF, 36);
    CHECK(repair(&sum, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    CHECK(sum.from_meta == 4 && sum.after == 0);
    CHECK_TEXT(repaired_column("number"), "0 1 null null");
    CHECK_TEXT(repaired_column("id"), "x y x y");
}

/* Files that can be opened so often, and one that cannot be opened at all. */
static struct {
    int left;           /* -1: any number of times */
    const char *refuse; /* the end of its name */
} doors;

static bool open_door(void *ctx, const char *path, taco_source *out)
{
    (void)ctx;
    if (doors.refuse && strstr(path, doors.refuse)) { return false; }
    if (doors.left == 0) { return false; }
    doors.left -= doors.left > 0;
    return taco_source_file(out, path, NULL) == TACO_OK;
}

/* progress: false at the call that *ctx counts down to. */
static bool stop_after_payloads(void *ctx, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    return --*(int *)ctx > 0;
}

static bool stop_at_once(void *ctx, const taco_problem *p)
{
    ++*(int *)ctx;
    CHECK(p->message[0]);
    return false;
}

/* What stops a repair: nothing is left of it, and the reason is told. */
static void stopped_repairs(void)
{
    const char *from, *to = "build/test_check_to.tacozip";
    taco_validate_options how;
    taco_options opt;
    taco_repaired sum;
    taco_error err;
    uint64_t n;
    int heard = 0, left;
    memset(&opt, 0, sizeof opt);
    memset(&how, 0, sizeof how);
    opt.open_file = open_door;
    make(TACO_CODEC_NONE);
    bytes[45] ^= 1; /* TACO_HEADER is wrong: the archive is opened twice */
    from = write_file("build/test_check_from.tacozip");
    remove(to);
    doors.left = 1;
    memset(&err, 0, sizeof err);
    CHECK(taco_repair(from, to, &opt, NULL, &sum, &err) == TACO_ERR_CORRUPT);
    CHECK(strstr(err.text, "TACO_HEADER") != NULL && sum.rows == 0);
    CHECK(taco__plat_stat(to, &n) == TACO__PATH_MISSING);
    /* the result cannot be opened: nobody knows what it is */
    doors.left = -1;
    doors.refuse = "test_check_to.tacozip."; /* it still has its temporary name */
    memset(&err, 0, sizeof err);
    CHECK(taco_repair(from, to, &opt, NULL, &sum, &err) != TACO_OK);
    CHECK(strstr(err.text, "the result cannot be read again, and is removed") == err.text);
    CHECK(sum.rows == 0 && sum.files == 0 && sum.bytes == 0);
    CHECK(taco__plat_stat(to, &n) == TACO__PATH_MISSING);
    doors.refuse = NULL;
    /* the caller has heard enough */
    how.found = stop_at_once;
    how.ctx = &heard;
    memset(&err, 0, sizeof err);
    CHECK(taco_repair(from, to, NULL, &how, &sum, &err) != TACO_OK && heard == 1);
    CHECK(taco__plat_stat(to, &n) == TACO__PATH_MISSING);
    /* or has waited for long enough */
    how.found = NULL;
    how.progress = stop_after_payloads;
    for (heard = 1; heard < 3; heard++) {
        left = heard;
        how.ctx = &left;
        memset(&err, 0, sizeof err);
        CHECK(taco_repair(from, to, NULL, &how, &sum, &err) == TACO_ERR_STATE && left == 0);
        CHECK(strstr(err.text, "stopped by the caller") != NULL && sum.rows == 0);
        CHECK(taco__plat_stat(to, &n) == TACO__PATH_MISSING);
    }
    remove(from);
    memset(&err, 0, sizeof err);
    CHECK(taco_repair(from, to, NULL, NULL, &sum, &err) == TACO_ERR_NOT_FOUND);
    CHECK(strstr(err.text, from) == err.text);
}

static bool counted_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    ++*(size_t *)ctx;
    CHECK(offset <= size && len <= size - offset);
    memcpy(dst, bytes + offset, len);
    return true;
}

/* How often a source is read by a check; what is found goes to *f. */
static size_t reads_of_check(bool deep, findings *f)
{
    taco_validate_options how;
    taco_source src;
    size_t reads = 0;
    memset(&how, 0, sizeof how);
    memset(&src, 0, sizeof src);
    memset(f, 0, sizeof *f);
    how.deep = deep;
    how.found = find;
    how.ctx = f;
    src.ctx = &reads;
    src.size = size;
    src.read = counted_read;
    CHECK(taco_validate_source(&src, "x", NULL, &how, NULL, NULL) ==
          (f->errors ? TACO_ERR_CORRUPT : TACO_OK));
    return reads;
}

/* Small payloads are read a megabyte at a time, not one by one, and each is told from the others. */
static void payloads_are_read_together(void)
{
    enum { FILES = 200, BYTES = 10000 };

    static uint8_t payload[BYTES];
    findings f;
    taco_error err;
    taco_sink sink;
    taco_writer *w;
    char id[16];
    size_t i, shallow, deep;
    memset(&err, 0, sizeof err);
    CHECK(taco_sink_memory(&sink, NULL, &err) == TACO_OK);
    w = taco_create_sink(&sink, NULL, &err);
    taco_writer_collection(w, collection, sizeof collection - 1);
    for (i = 0; i < FILES; i++) {
        sprintf(id, "s%u", (unsigned)i);
        memset(payload, (int)(i + 1), sizeof payload);
        taco_writer_bytes(w, id, payload, sizeof payload);
    }
    CHECK(taco_writer_finish(w, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    take(&sink);
    shallow = reads_of_check(false, &f);
    deep = reads_of_check(true, &f);
    CHECK(f.errors == 0);
    CHECK(deep > shallow && deep - shallow < 10);
    for (i = 0; i + 4 < size && memcmp(bytes + i, "\x97\x97\x97", 3) != 0; i++) {} /* 150 + 1 */
    bytes[i] ^= 1;
    reads_of_check(true, &f);
    CHECK(f.errors == 1);
    CHECK_FOUND(f, "'DATA/s150': its 10000 bytes");
}

/* Two rules, often broken, written in lines of one number modulo 512. */
static void break_two_rules(taco__findings *f, int n)
{
    int i;
    for (i = 0; i < n; i++) {
#line 1000
        TACO__FINDINGS_ERROR(f, "one rule, %d", TACO__D(i));
#line 1512
        TACO__FINDINGS_WARN(f, "another rule");
    }
}

static bool count_problem(void *ctx, const taco_problem *p)
{
    int *count = (int *)ctx;
    count[p->error ? 0 : 1]++;
    return true;
}

/* What is reported depends on the rule and not on the line it is written in, which is another one in
   the generated headers: the first hundred of each, one line for the rest, and all are counted. */
static void problems_by_rule(void)
{
    taco_validate_options how;
    taco_validated sum;
    taco__findings f;
    int count[2] = {0, 0};
    memset(&how, 0, sizeof how);
    memset(&sum, 0, sizeof sum);
    memset(&f, 0, sizeof f);
    how.found = count_problem;
    how.ctx = count;
    f.how = &how;
    f.sum = &sum;
    f.part = "";
    break_two_rules(&f, 150);
    CHECK(count[0] == 100 && count[1] == 100);
    CHECK(sum.errors == 150 && sum.warnings == 150);
    taco__findings_end_table(&f, "table");
    CHECK(count[1] == 101 && sum.warnings == 150);
    break_two_rules(&f, 1); /* the next table begins anew */
    CHECK(count[0] == 101 && count[1] == 102);
}

int main(void)
{
    RUN(good_datasets);
    RUN(every_byte);
    RUN(every_length);
    RUN(named_faults);
    RUN(core_fields);
    RUN(other_columns);
    RUN(names_and_counts);
    RUN(around_the_directory);
    RUN(counts_and_flags);
    RUN(schema_and_version);
    RUN(folder_without_a_level);
    RUN(folder_without_ids);
    RUN(patterns_of_nobody);
    RUN(devices);
    RUN(a_caller_stops);
    RUN(strict_pit);
    RUN(memory_fails);
    RUN(memory_fails_once);
    RUN(repairs);
    RUN(order_of_files);
    RUN(progress_of_repairs);
    RUN(empty_meta);
    RUN(lost_payloads);
    RUN(local_headers);
    RUN(other_entries);
    RUN(columns_of_meta);
    RUN(stopped_repairs);
    RUN(payloads_are_read_together);
    RUN(problems_by_rule);
    free(bytes);
    return test_end("check");
}
