/* write/catalogue*.c, merged_collection.c: catalogues in both forms and merged collections: rows of
   all archives, ids that restart in each, the union of extents, errors that name the column or the
   archive; validate/check_catalogue.c: archives that are others than their catalogue says. */
#include "../src/base/base.h"
#include "../src/dataset/dataset.h"
#include "../src/base/file_copy.h"
#include "../src/write/write.h"
#include "../taco_parquet.h"
#include "../taco.h"
#include "../extra/taco_write.h"
#include "../extra/taco_legacy.h"
#include "test.h"

#include "names.h"

#define DIR_ "build/test_merge"

static const char *parts[3] = {DIR_ "/a.tacozip", DIR_ "/b.tacozip", DIR_ "/c.tacozip"};

/* An archive of n FILEs with a column, an extent and, nested, two levels. */
static void make(const char *path, int n, const char *extent, const char *column, taco_type type,
                 bool nested)
{
    char text[1024];
    taco_error err;
    taco_writer *w;
    int i, k;
    memset(&err, 0, sizeof err);
    remove(path);
    sprintf(text,
            "{\"id\":\"%s\",\"dataset_version\":\"1\",\"description\":\"\xC3\xBC\",\"licenses\":["
            "\"x\"],"
            "\"providers\":[{\"name\":\"x\"}],\"tasks\":[\"other\"],\"taco_version\":\"2.0.0\","
            "\"extent\":%s,\"more\":[1]}",
            path[strlen(DIR_) + 1] == 'a' ? "first" : "other", extent);
    w = taco_create(path, NULL, &err);
    taco_writer_collection(w, text, strlen(text));
    taco_writer_column(w, nested ? 1 : 0, column, type);
    for (i = 0; i < n; i++) {
        sprintf(text, "s%d", i);
        if (nested) { taco_writer_folder_begin(w, text); }
        for (k = 0; k < (nested ? 2 : 1); k++) {
            taco_writer_bytes(w, nested ? (k ? "q" : "p") : text, path, strlen(path));
            if (type == TACO_TEXT) {
                taco_writer_set_text(w, column, "t");
            } else {
                taco_writer_set_int(w, column, i);
            }
        }
        if (nested) { taco_writer_folder_end(w); }
    }
    CHECK(taco_writer_finish(w, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
}

static void clean(void)
{
#if TACO__DIRS
    test_names_remove(DIR_);
    CHECK(taco__dir_make("build", NULL) && taco__dir_make(DIR_, NULL));
#endif
}

static taco_status merge(size_t n, const taco_merge_options *opt, taco_error *err)
{
    memset(err, 0, sizeof *err);
    return taco_create_tacocat(DIR_, parts, n, opt, err);
}

/* Ids and parts of a level, as the reader shows them. */
static void rows(const char *path, const char *where, int want)
{
    taco_error err;
    taco_query q;
    taco_dataset *ds;
    taco_cursor *c;
    int n = 0;
    memset(&err, 0, sizeof err);
    memset(&q, 0, sizeof q);
    q.where = where;
    ds = taco_open(path, NULL, &err);
    c = taco_select(ds, &q, &err);
    while (taco_cursor_next(c)) {
        CHECK(strstr(taco_cursor_vsi(c), taco_cursor_text(c, "internal:source_file")) != NULL);
        n++;
    }
    taco_cursor_close(c, &err);
    taco_close(ds);
    CHECK_TEXT(err.text, "");
    CHECK(n == want);
}

static void text_of(const char *path, char *out, size_t most)
{
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(out, 1, most - 1, f) : 0;
    CHECK(f != NULL);
    out[n] = 0;
    if (f) { fclose(f); }
}

/* taco_options.log: the lines of it, each with its level. */
static char said[2048];

static void hear(void *ctx, taco_log_level level, const char *line)
{
    (void)ctx;
    if (strlen(said) + strlen(line) + 8 < sizeof said) {
        sprintf(said + strlen(said), "%d %s\n", (int)level, line);
    }
}

static void told(void)
{
    taco_error err;
    taco_options hearing;
    taco_merge_options opt;
    clean();
    make(parts[0], 2, "null", "v", TACO_INT64, true);
    make(parts[1], 3, "null", "v", TACO_INT64, true);
    memset(&opt, 0, sizeof opt);
    memset(&hearing, 0, sizeof hearing);
    hearing.log = hear;
    opt.options = &hearing;
    said[0] = 0;
    CHECK(merge(2, &opt, &err) == TACO_OK);
    CHECK(strstr(said, "wrote the catalogue ") && strstr(said, ", archives: 2, samples: 5\n"));
    CHECK(strstr(said, "read ") && strstr(said, "b.tacozip, samples: 3\n"));
    said[0] = 0;
    CHECK(taco_create_tacollection(DIR_, parts, 2, &opt, &err) == TACO_OK);
    CHECK(strstr(said, "TACOLLECTION.json, datasets: 2\n") != NULL);
    if (!strstr(said, "TACOLLECTION.json, datasets: 2\n")) { printf("%s%s\n", said, err.text); }
    clean();
}

static void both_forms(void)
{
    static char text[65536];
    taco_error err;
    taco_merge_options opt;
    clean();
    make(parts[0], 2,
         "{\"spatial\":[0,0,10,10],\"temporal\":[\"2021-01-01T00:00:00Z\",\"2021-02-01T00:00:00Z\"]"
         "}",
         "v", TACO_INT64, true);
    make(parts[1], 3,
         "{\"spatial\":[-5,2,3,20],\"temporal\":[\"2020-01-01T00:00:00Z\",\"2020-02-01T00:00:00Z\"]"
         "}",
         "v", TACO_INT64, true);
    make(parts[2], 1, "{\"spatial\":[1,1,2,2],\"temporal\":null}", "v", TACO_INT64, true);
    memset(&opt, 0, sizeof opt);
    opt.binary = true;
    CHECK(merge(3, &opt, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    rows(DIR_, NULL, 6);
    rows(DIR_ "/.tacocat", "id = 's0'", 3);
    rows(test_native(DIR_ "/.tacocat"), "id = 's0'", 3);
    rows(test_native(DIR_ "/.tacocat/"), NULL, 6);
    rows(test_native(DIR_ "/__TACOCAT__"), NULL, 6);
    rows(test_native(DIR_ "/"), NULL, 6);
    rows(DIR_ "/__TACOCAT__", "\"internal:source_file\" = 'b.tacozip'", 3);
    CHECK(taco_validate(DIR_, NULL, NULL, NULL, &err) == TACO_OK);
    CHECK(taco_validate(DIR_ "/__TACOCAT__", NULL, NULL, NULL, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    text_of(DIR_ "/.tacocat/COLLECTION.json", text, sizeof text);
    CHECK(strstr(text, "\"id\": \"first\"") && strstr(text, "\"description\": \"\\u00fc\""));
    CHECK(strstr(text, "\"count\": 3") && strstr(text, "\"b.tacozip\"") &&
          !strstr(text, "_tacocat"));
    CHECK(strstr(text, "\"2020-01-01T00:00:00Z\",\n            \"2021-02-01T00:00:00Z\"") != NULL);
    CHECK(strstr(text, "-5") && strstr(text, "\"n\": 12"));
    /* nothing is overwritten */
    CHECK(merge(3, NULL, &err) == TACO_ERR_ARGUMENT);
    CHECK(strstr(err.text, "exists already") != NULL);
    /* the merged collection alone */
    memset(&err, 0, sizeof err);
    CHECK(taco_create_tacollection(DIR_, parts, 3, NULL, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    {
        static char other[65536];
        text_of(DIR_ "/TACOLLECTION.json", other, sizeof other);
        CHECK_TEXT(other, text);
    }
    CHECK(taco_create_tacollection(DIR_ "/TACOLLECTION.json", parts, 3, NULL, &err) ==
          TACO_ERR_ARGUMENT);
}

static void antimeridian(void)
{
    static char text[65536];
    taco_error err;
    clean();
    make(parts[0], 1, "{\"spatial\":[170,-10,-170,10],\"temporal\":null}", "v", TACO_INT64, false);
    make(parts[1], 1, "{\"spatial\":[-175,0,-160,20],\"temporal\":null}", "v", TACO_INT64, false);
    memset(&err, 0, sizeof err);
    CHECK(taco_create_tacollection(DIR_ "/m.json", parts, 2, NULL, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    text_of(DIR_ "/m.json", text, sizeof text);
    CHECK(strstr(text, "\"spatial\": [\n            170.0,\n            -10.0,\n            "
                       "-160.0,\n            20.0") != NULL);
}

static void refusals(void)
{
    taco_error err;
    taco_merge_options opt;
    const char *same[2];
    uint64_t size;
    memset(&opt, 0, sizeof opt);
    clean();
    make(parts[0], 2, "null", "v", TACO_INT64, false);
    make(parts[1], 2, "null", "w", TACO_INT64, false);
    CHECK(merge(2, NULL, &err) == TACO_ERR_ARGUMENT);
    CHECK_TEXT(err.text, "2 differences: b.tacozip: level 0: column 'v' of a.tacozip is missing; "
                         "b.tacozip: level 0: column 'w' is not in a.tacozip");
    CHECK(taco__plat_stat(DIR_ "/.tacocat", &size) == TACO__PATH_MISSING);
    opt.fill = true;
    CHECK(merge(2, &opt, &err) == TACO_OK);
    rows(DIR_, "v is null", 2);
    rows(DIR_, "w = 1", 1);
    clean();
    make(parts[0], 2, "null", "v", TACO_INT64, false);
    make(parts[1], 2, "null", "v", TACO_TEXT, false);
    CHECK(merge(2, &opt, &err) == TACO_ERR_TYPE);
    CHECK_TEXT(err.text, "b.tacozip: level 0: column 'v' has another type than in the archives "
                         "before it: string, there int64");
    make(parts[1], 2, "null", "v", TACO_INT64, true);
    CHECK(merge(2, &opt, &err) == TACO_ERR_ARGUMENT);
    CHECK(strstr(err.text, "cannot be merged with") != NULL);
    same[0] = same[1] = parts[0];
    CHECK(taco_create_tacocat(DIR_ "/.tacocat", same, 2, NULL, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_create_tacocat(test_native(DIR_ "/.tacocat/"), same, 2, NULL, NULL) ==
          TACO_ERR_ARGUMENT);
    CHECK(taco_create_tacocat(DIR_, NULL, 0, NULL, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco_create_tacocat(NULL, parts, 1, NULL, NULL) == TACO_ERR_ARGUMENT);
    /* what is wrong in an archive would be wrong in the catalogue */
    same[0] = "examples/data/refbug_unsorted.tacozip";
    memset(&err, 0, sizeof err);
    CHECK(taco_create_tacocat(DIR_, same, 1, NULL, &err) == TACO_ERR_CORRUPT);
    CHECK(strstr(err.text, "to be repaired before it is merged") != NULL);
    opt.unchecked = true;
    CHECK(taco_create_tacocat(DIR_, same, 1, &opt, NULL) == TACO_OK);
    same[0] = "examples/data/nested_folder";
    CHECK(taco_create_tacocat(DIR_ "/__TACOCAT__", same, 1, &opt, NULL) == TACO_ERR_ARGUMENT);
    CHECK(taco__plat_stat(DIR_ "/__TACOCAT__", &size) == TACO__PATH_MISSING);
}

static void count_warning(void *ctx, const taco_error *warning)
{
    *(size_t *)ctx += warning->text[0] != 0;
}

/* Collections of datasets whose columns differ are not merged without a word: all differences of
   all parts are named, and each is told to warn. */
static void differing_columns(void)
{
    taco_error err;
    taco_merge_options opt;
    taco_options options;
    taco_dataset *ds;
    size_t heard = 0;
    uint64_t size;
    memset(&opt, 0, sizeof opt);
    memset(&options, 0, sizeof options);
    memset(&err, 0, sizeof err);
    options.warn = count_warning;
    options.warn_ctx = &heard;
    opt.options = &options;
    clean();
    make(parts[0], 2, "null", "v", TACO_INT64, false);
    make(parts[1], 2, "null", "v", TACO_DOUBLE, false);
    make(parts[2], 2, "null", "w", TACO_INT64, false);
    CHECK(taco_create_tacollection(DIR_ "/m.json", parts, 3, &opt, &err) == TACO_ERR_TYPE);
    CHECK_TEXT(err.text, "3 differences: b.tacozip: level 0: column 'v' has another type than in "
                         "a.tacozip: double, there int64; c.tacozip: level 0: column 'v' of "
                         "a.tacozip is missing; c.tacozip: level 0: column 'w' is not in "
                         "a.tacozip");
    CHECK(heard == 3);
    CHECK(taco__plat_stat(DIR_ "/m.json", &size) == TACO__PATH_MISSING);
    memset(&err, 0, sizeof err);
    ds = taco_open_many(parts, 3, TACO_COLUMNS_STRICT, &options, &err);
    heard = 0;
    CHECK(ds && !taco_select(ds, NULL, &err) && err.code == TACO_ERR_TYPE && heard == 3);
    CHECK(strstr(err.text, "3 differences: ") == err.text);
    taco_close(ds);
    opt.fill = true;
    CHECK(taco_create_tacollection(DIR_ "/m.json", parts, 3, &opt, NULL) == TACO_OK);
}

static size_t count_rows(taco_dataset *ds, const taco_query *q, taco_error *err)
{
    taco_cursor *c = taco_select(ds, q, err);
    size_t n = 0;
    while (taco_cursor_next(c)) {
        n++;
    }
    taco_cursor_close(c, err);
    return n;
}

/* The merged collection with one text replaced: what validation says. message NULL: anything. */
static void broken(const char *text, const char *from, const char *to, const char *message)
{
    const char *at = strstr(text, from);
    FILE *f = fopen(DIR_ "/TACOLLECTION.json", "wb");
    taco_error err;
    memset(&err, 0, sizeof err);
    CHECK(at && f);
    if (at && f) {
        fprintf(f, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
        fclose(f);
        CHECK(taco_validate(DIR_ "/TACOLLECTION.json", NULL, NULL, NULL, &err) != TACO_OK);
        CHECK(!message || strstr(err.text, message) != NULL);
    }
    f = fopen(DIR_ "/TACOLLECTION.json", "wb");
    if (f) {
        fputs(text, f);
        fclose(f);
    }
}

/* A merged collection that is its own only source ends in an error, not in an endless circle. */
static void source_of_itself(void)
{
    static const char text[] = "{\"taco:sources\":{\"files\":[\"TACOLLECTION.json\"]}}";
    taco_error err;
    FILE *f = fopen(DIR_ "/TACOLLECTION.json", "wb");
    memset(&err, 0, sizeof err);
    CHECK(f != NULL);
    if (!f) { return; }
    fputs(text, f);
    fclose(f);
    CHECK(taco_open(DIR_ "/TACOLLECTION.json", NULL, &err) == NULL && err.code == TACO_ERR_CORRUPT);
    CHECK(strstr(err.text, "has the merged collection itself") != NULL);
    CHECK(taco_validate(DIR_ "/TACOLLECTION.json", NULL, NULL, NULL, NULL) != TACO_OK);
}

/* A merged collection opens as its sources; with a query, too, if there are only extents, which
   writers make of centroids: see test_levels.c for bounds. */
static void routing(void)
{
    static const double east[4] = {100, -10, 120, 10};
    taco_error err;
    taco_options options;
    taco_query q;
    taco_dataset *ds;
    size_t heard = 0;
    static char text[65536];
    taco_validate_options how;
    taco_validated sum;
    memset(&err, 0, sizeof err);
    memset(&options, 0, sizeof options);
    memset(&q, 0, sizeof q);
    options.warn = count_warning;
    options.warn_ctx = &heard;
    clean();
    make(parts[0], 1, "{\"spatial\":[-20,-5,0,5],\"temporal\":[\"2020-01-01\",\"2020-12-31\"]}",
         "v", TACO_INT64, false);
    make(parts[1], 2, "{\"spatial\":[110,-5,130,5],\"temporal\":[\"2021-01-01\",\"2021-12-31\"]}",
         "v", TACO_INT64, false);
    make(parts[2], 4, "{\"spatial\":[170,-5,-170,5],\"temporal\":null}", "v", TACO_INT64, false);
    CHECK(taco_create_tacollection(DIR_, parts, 3, NULL, &err) == TACO_OK);
    ds = taco_open(DIR_ "/TACOLLECTION.json", &options, &err);
    CHECK(ds && count_rows(ds, NULL, &err) == 7 && heard == 0);
    taco_close(ds);
    q.bbox = east;
    ds = taco_open_tacollection(DIR_ "/TACOLLECTION.json", &q, TACO_COLUMNS_INTERSECTION, &options,
                                &err);
    CHECK_TEXT(err.text, "");
    CHECK(ds && count_rows(ds, NULL, &err) == 7 && heard == 0);
    taco_close(ds);
    q.bbox = NULL;
    q.time = "2021-12-31";
    ds = taco_open_tacollection(DIR_ "/TACOLLECTION.json", &q, TACO_COLUMNS_INTERSECTION, NULL,
                                &err);
    CHECK(ds && count_rows(ds, NULL, &err) == 7);
    taco_close(ds);
    remove(parts[0]);
    CHECK(taco_validate(DIR_ "/TACOLLECTION.json", NULL, NULL, NULL, NULL) != TACO_OK);
    make(parts[0], 1, "null", "v", TACO_INT64, false);
    CHECK(taco_validate(DIR_ "/TACOLLECTION.json", NULL, NULL, NULL, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    memset(&how, 0, sizeof how);
    how.deep = true;
    CHECK(taco_validate(DIR_ "/TACOLLECTION.json", NULL, &how, &sum, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    CHECK(sum.rows == 7);
    text_of(DIR_ "/TACOLLECTION.json", text, sizeof text);
    broken(text, "\"count\": 3", "\"count\": 2", "count is 2, there are 3 files");
    broken(text, "\"count\": 3", "\"counts\": 3", "count is -1, there are 3 files");
    broken(text, "\"other\",\n", "\"another\",\n",
           "the id is 'other', taco:sources says 'another'");
    broken(text, "\"file\": \"a.tac", "\"file\": \"z.tac", "file is none of taco:sources.files");
    broken(text, "\"b.tacozip\",", "\"a.tacozip\",", "files names 'a.tacozip' twice");
    broken(text, "110.0,", "1100.0,", "west is '1100.0', must lie between -180 and 180");
    remove(parts[0]);
    CHECK(!taco_open(DIR_ "/TACOLLECTION.json", NULL, &err));
    CHECK(strstr(err.text, "a.tacozip") != NULL);
}

/* Types of all kinds, in two parts. */
static void all_types(void)
{
    taco_error err;
    const char *two[2] = {"examples/data/types.tacozip", "examples/data/era_0130.tacozip"};
    clean();
    memset(&err, 0, sizeof err);
    CHECK(taco_create_tacocat(DIR_ "/__TACOCAT__", two, 1, NULL, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    /* current_id is made */
    CHECK(taco_create_tacocat(DIR_, two + 1, 1, NULL, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
}

/* ---- a catalogue whose archives are others than when it was made ---- */

/* What an archive of FOLDERs s0, s1, ... with FILEs p and q has. */
typedef struct content {
    int n;               /* FOLDERs; 0: none, FILEs s0 and s1 */
    const char *ids;     /* before their numbers */
    const char *payload; /* of each FILE */
    int64_t v;           /* the column of level 1 */
    const char *child;   /* the second FILE */
} content;

static void fill(const char *path, const content *x)
{
    static const char text[] =
        "{\"id\":\"x\",\"dataset_version\":\"1\",\"description\":\"d\",\"licenses\":[\"x\"],"
        "\"providers\":[{\"name\":\"x\"}],\"tasks\":[\"other\"],\"taco_version\":\"2.0.0\"}";
    taco_error err;
    taco_create_options create;
    taco_writer *w;
    char id[16];
    int i, k;
    memset(&err, 0, sizeof err);
    memset(&create, 0, sizeof create);
    create.overwrite = true;
    w = taco_create(path, &create, &err);
    taco_writer_collection(w, text, sizeof text - 1);
    taco_writer_column(w, x->n ? 1 : 0, "v", TACO_INT64);
    for (i = 0; i < (x->n ? x->n : 2); i++) {
        sprintf(id, "%s%d", x->ids, i);
        if (x->n) { taco_writer_folder_begin(w, id); }
        for (k = 0; k < (x->n ? 2 : 1); k++) {
            taco_writer_bytes(w, !x->n ? id : k ? x->child : "p", x->payload, strlen(x->payload));
            taco_writer_set_int(w, "v", x->v);
        }
        if (x->n) { taco_writer_folder_end(w); }
    }
    CHECK(taco_writer_finish(w, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
}

static char problems[16384];
static uint64_t found_errors, told_errors;
static size_t most_problems; /* stop behind so many; 0: never */

static bool note_problem(void *ctx, const taco_problem *p)
{
    size_t n = strlen(problems);
    (void)ctx;
    told_errors += p->error;
    snprintf(problems + n, sizeof problems - n, "%s: %s: %s\n", p->error ? "error" : "warning",
             p->where, p->message);
    return !most_problems || --most_problems > 0;
}

/* All that is wrong with the catalogue, one a line. */
static const char *wrong(const char *path, bool deep)
{
    taco_validate_options check;
    taco_validated sum;
    memset(&check, 0, sizeof check);
    check.deep = deep;
    check.found = note_problem;
    problems[0] = 0;
    told_errors = 0;
    CHECK((taco_validate(path, NULL, &check, &sum, NULL) == TACO_OK) == (sum.errors == 0));
    found_errors = sum.errors;
    return problems;
}

static size_t lines_of(const char *text, const char *begin)
{
    size_t n = 0;
    for (; *text; text = strchr(text, '\n') + 1) {
        n += strncmp(text, begin, strlen(begin)) == 0;
    }
    return n;
}

/* What is said of one thing that is wrong, and how many errors and warnings there are. */
static void finds(const char *path, bool deep, size_t errors, size_t warnings, const char *says)
{
    const char *all = wrong(path, deep);
    CHECK(lines_of(all, "error: ") == errors && lines_of(all, "warning: ") == warnings);
    CHECK(strstr(all, says) != NULL);
    if (!strstr(all, says) || lines_of(all, "") != errors + warnings) {
        printf("\"%s\" is not all of\n%s", says, all);
    }
}

static const content usual = {2, "s", "payload", 7, "q"}, many = {110, "s", "payload", 7, "q"};

static void remove_catalogue(void)
{
#if TACO__DIRS
    test_names_remove(DIR_ "/.tacocat");
#endif
}

/* With deep, every row of the catalogue is one of its archive, with the same place and values; the
   archive may have more. */
static void against_archives(void)
{
    static const struct {
        content x;
        size_t errors, warnings;
        const char *says;
    } t[] = {
        {{2, "s", "payload", 7, "q"}, 0, 0, ""},
        {{1, "s", "payload", 7, "q"},
         4,
         0,
         "error: a.tacozip: level1.parquet: the catalogue has 4 rows of it, the archive has 2\n"
         "error: a.tacozip: level1.parquet: row 2: the archive has no such row (id, type, "
         "internal:offset)\n"},
        {{3, "s", "payload", 7, "q"},
         1,
         2,
         "warning: a.tacozip: level1.parquet: the catalogue has 4 rows of it, the archive has "
         "6\n"},
        {{2, "z", "payload", 7, "q"},
         2,
         0,
         "error: a.tacozip: level0.parquet: row 1: another id or type than row 1 of the archive\n"},
        {{2, "s", "longer payload", 7, "q"},
         6,
         0,
         "error: a.tacozip: level1.parquet: row 0: internal:offset 196, internal:size 7, but 196, "
         "14 in row 0 of the archive\n"},
        {{2, "s", "payload", 8, "q"},
         4,
         0,
         "error: a.tacozip: level1.parquet: row 3, column 'v' is '7', in the archive '8': they "
         "disagree\n"},
        {{2, "s", "payload", 7, "r"},
         3,
         0,
         "error: a.tacozip: COLLECTION.json: taco:pit_schema differs at hierarchy.1[0]: child 1 is "
         "FILE 'q' in the first dataset, FILE 'r' in the second\n"
         "error: a.tacozip: level1.parquet: row 1: another id or type than row 1 of the "
         "archive\n"},
        {{0, "s", "payload", 7, "q"},
         3,
         0,
         "error: a.tacozip: levels: the archive has 1 levels, the catalogue 2\n"},
    };

    taco_error err;
    taco_merge_options binary;
    taco_status status;
    const char *one = parts[1];
    size_t i;
    clean();
    fill(parts[0], &usual);
    fill(parts[1], &usual);
    CHECK(merge(2, NULL, &err) == TACO_OK);
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        fill(parts[0], &t[i].x);
        finds(DIR_ "/.tacocat", true, t[i].errors, t[i].warnings, t[i].says);
        finds(DIR_ "/.tacocat", false, 0, 0, ""); /* they are there: no more is asked */
    }
    /* rules that more rows break than are told */
    fill(parts[0], &many);
    remove_catalogue();
    CHECK(merge(2, NULL, &err) == TACO_OK);
    for (i = 3; i < 6; i++) {
        content x = t[i].x;
        x.n = many.n;
        fill(parts[0], &x);
        wrong(DIR_ "/.tacocat", true);
        CHECK(told_errors < found_errors && told_errors >= 100);
        CHECK(found_errors == (i == 3 ? 110 : i == 4 ? 330 : 220));
    }
    fill(parts[0], &usual);
    remove_catalogue();
    CHECK(merge(2, NULL, &err) == TACO_OK);
    /* a caller who has heard enough */
    fill(parts[0], &t[4].x);
    most_problems = 2;
    CHECK(lines_of(wrong(DIR_ "/.tacocat", true), "") == 2);
    most_problems = 0;
    /* a catalogue in the place of an archive */
    memset(&binary, 0, sizeof binary);
    memset(&err, 0, sizeof err);
    binary.binary = true;
    remove(parts[0]);
    status = taco_create_tacocat(DIR_ "/__TACOCAT__", &one, 1, &binary, &err);
    CHECK_TEXT(err.text, "");
    CHECK(status == TACO_OK && rename(DIR_ "/__TACOCAT__", parts[0]) == 0);
    finds(DIR_ "/.tacocat", true, 1, 0,
          "error: a.tacozip: internal:source_file: names something that is not an archive\n");
    remove(parts[0]);
    for (i = 0; i < 2; i++) {
        finds(DIR_ "/.tacocat", i == 1, 1, 0,
              "error: internal:source_file: the archive 'a.tacozip' is missing: it does not exist, "
              "or cannot be read\n");
    }
}

/* taco:sources is for people: what is wrong there is a warning. */
static void told_sources(void)
{
    static const char path[] = DIR_ "/.tacocat/COLLECTION.json";

    static const struct {
        const char *from, *to, *says;
    } t[] = {{"\"count\": 2", "\"count\": 3", "count is 3, the levels name 2 archives"},
             {"\"count\": 2", "\"count\": \"2\"", NULL},
             {"\"b.tacozip\"", "\"z.tacozip\"", "files names 'z.tacozip', no level does"},
             {"\"taco:sources\": {", "\"taco:sources\": [], \"x\": {",
              "must be an object, found an array"},
             {"\"taco:sources\": {", "\"taco:sources\": null, \"x\": {", NULL},
             {"\"taco:sources\": {", "\"x\": {", NULL}};

    static char text[65536];
    taco_error err;
    size_t i;
    clean();
    fill(parts[0], &usual);
    fill(parts[1], &usual);
    CHECK(merge(2, NULL, &err) == TACO_OK);
    text_of(path, text, sizeof text);
    for (i = 0; i < sizeof t / sizeof t[0]; i++) {
        const char *at = strstr(text, t[i].from);
        char says[128] = "";
        FILE *f = fopen(path, "wb");
        CHECK(at && f);
        if (!at || !f) { break; }
        fprintf(f, "%.*s%s%s", (int)(at - text), text, t[i].to, at + strlen(t[i].from));
        fclose(f);
        if (t[i].says) {
            snprintf(says, sizeof says, "warning: COLLECTION.json: taco:sources: %s\n", t[i].says);
        }
        finds(DIR_ "/.tacocat", false, 0, t[i].says != NULL, says);
    }
}

/* An archive of one FILE with a footprint from -half to half degrees, and two times. Returns how
   many warnings there were. */
static size_t make_placed(const char *path, double half, const char *extent)
{
    static const uint8_t corner[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
    const int64_t day = INT64_C(86400000000);
    char text[600];
    uint8_t wkb[93] = {1, 3};
    taco_error err;
    taco_writer *w;
    taco_options options;
    taco_create_options opt;
    size_t i, heard = 0;
    memset(&err, 0, sizeof err);
    memset(&options, 0, sizeof options);
    memset(&opt, 0, sizeof opt);
    options.warn = count_warning;
    options.warn_ctx = &heard;
    opt.options = &options;
    remove(path);
    sprintf(text,
            "{\"id\":\"x\",\"dataset_version\":\"1\",\"description\":\"x\",\"licenses\":[\"x\"],"
            "\"providers\":[{\"name\":\"x\"}],\"tasks\":[\"other\"],\"taco_version\":\"2.0.0\","
            "\"extent\":%s}",
            extent);
    w = taco_create(path, &opt, &err);
    taco_writer_collection(w, text, strlen(text));
    taco_writer_column(w, 0, "istac:geometry", TACO_BINARY);
    taco_writer_column(w, 0, "istac:time_start", TACO_TIMESTAMP);
    taco_writer_column(w, 0, "istac:time_end", TACO_TIMESTAMP);
    wkb[5] = 1;
    wkb[9] = 5;
    for (i = 0; i < 10; i++) {
        taco__put_le64(wkb + 13 + 8 * i, taco__f64_to_bits(corner[i / 2][i % 2] ? half : -half));
    }
    taco_writer_bytes(w, "s", "x", 1);
    taco_writer_set_bytes(w, "istac:geometry", wkb, sizeof wkb);
    taco_writer_set_int(w, "istac:time_start", 18262 * day);
    taco_writer_set_int(w, "istac:time_end", 18264 * day);
    CHECK(taco_writer_finish(w, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    return heard;
}

/* Writes the text of the merged collection with one change. */
static void changed_to(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    FILE *f = fopen(DIR_ "/TACOLLECTION.json", "wb");
    CHECK(at && f);
    if (at && f) { fprintf(f, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)); }
    if (f) { fclose(f); }
}

/* Extents that do not cover the samples: warnings; taco:bounds that do not: an error. */
static void told_extents(void)
{
    static const char point[] =
        "{\"spatial\":[0,0,0,0],\"temporal\":[\"2020-01-01\",\"2020-01-02\"]}",
                      box[] = "spatial is 0.0, 0.0, 0.0, 0.0 (west, south, east, north), but "
                              "centroids and footprints of the samples reach from "
                              "-2.0, -2.0, 2.0, 2.0",
                      times[] =
                          "temporal is '2020-01-01' to '2020-01-02', but times of the samples "
                          "reach from 2020-01-01T00:00:00.000000Z to "
                          "2020-01-03T00:00:00.000000Z";
    static const char merged[] = DIR_ "/TACOLLECTION.json";
    static char text[65536];
    char says[1200];
    taco_error err;
    taco_merge_options opt;
    taco_options hearing;
    int deep;
    memset(&hearing, 0, sizeof hearing);
    memset(&opt, 0, sizeof opt);
    memset(&err, 0, sizeof err);
    hearing.log = hear;
    opt.options = &hearing;
    clean();
    CHECK(make_placed(parts[0], 2, point) == 1 && make_placed(parts[1], 1, "null") == 0);
    snprintf(says, sizeof says,
             "warning: COLLECTION.json: extent: %s\nwarning: COLLECTION.json: extent: %s\n", box,
             times);
    finds(parts[0], false, 0, 2, says);
    finds(parts[1], true, 0, 0, "");
    said[0] = 0;
    CHECK(merge(2, &opt, &err) == TACO_OK);
    CHECK(strstr(said, "a.tacozip: its extent does not cover the footprints and times of all"));
    finds(DIR_ "/.tacocat", false, 0, 0, "");
    CHECK(taco_create_tacollection(DIR_, parts, 2, NULL, &err) == TACO_OK);
    CHECK_TEXT(err.text, "");
    finds(merged, false, 0, 0, "");
    text_of(merged, text, sizeof text);
    changed_to(text, "\"bytes\": ", "\"bytes\": 1");
    finds(merged, false, 0, 1,
          "warning: TACOLLECTION.json: taco:sources: extents[0]: taco:bounds: the file has changed "
          "since: 1");
    changed_to(text, "\"bytes\": ", "\"byte\": ");
    finds(merged, false, 0, 1, "readers ignore these bounds");
    /* another file in its place, larger to the east */
    make_placed(parts[1], 3, "null");
    changed_to(text, "", "");
    for (deep = 0; deep < 2; deep++) {
        finds(merged, deep, 1, deep ? 5 : 3,
              "error: TACOLLECTION.json: taco:sources: extents[1]: taco:bounds: spatial is -1.0, "
              "-1.0, 1.0, 1.0 (west, south, east, north), but");
    }
    finds(DIR_ "/.tacocat", true, 2, 4, "error: COLLECTION.json: taco:sources: extents[1]: taco:b");
}

int main(void)
{
    if (TACO__DIRS) {
        RUN(told_extents);
        RUN(told);
        RUN(both_forms);
        RUN(antimeridian);
        RUN(refusals);
        RUN(differing_columns);
        RUN(routing);
        RUN(source_of_itself);
        RUN(all_types);
        RUN(against_archives);
        RUN(told_sources);
        clean();
    } else {
        printf("SKIPPED test_merge: no directories here\n");
    }
    return test_end("merge");
}
