/* parquet.c - taco parquet: the schema, the metadata and the rows of a Parquet file, its
   verification, and a copy in another shape (codec, encodings, pages, GeoParquet metadata). The
   file is one of any origin, and its rows need have nothing to do with TACO. */
#include "tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: taco parquet schema|meta|cat|verify FILE [--json]\n"
    "       taco parquet copy FILE OUT\n"
    "\n"
    "  schema               the schema as a Parquet message type\n"
    "  meta                 row groups, column chunks, statistics; with --json all there is\n"
    "  verify               reads every page: CRCs, lengths, levels, values, row counts, page "
    "indexes;\n"
    "                       statistics that the values contradict are warnings. Ends at the first\n"
    "                       fault with exit status 1; --json: all of them, as one object\n"
    "  cat                  the rows, as JSON, one a line\n"
    "    --columns COLS (or --select)  --where EXPR  --limit N\n"
    "    --format ndjson|csv|table|arrow  -o FILE\n"
    "  copy                 the rows, as a Parquet file of its own; takes these three, and\n"
    "    --codec C[:LEVEL]    none, snappy, gzip, zstd, lz4\n"
    "    --encoding E         auto, plain, dictionary, rle, delta, delta-length, delta-bytes, "
    "split\n"
    "    --row-group N  --page-rows N  --page-bytes N  --dictionary-bytes N\n"
    "    --pages-v2  --bloom  --no-statistics  --no-page-index  --no-crc\n"
    "    --content-defined    pages end where the content says, so that small edits change few\n"
    "    --chunk-min N  --chunk-max N\n"
    "    --geometry COLUMN    a column of WKB, for GeoParquet metadata\n"
    "    --covering COLUMN    its boxes in a column of that name (GeoParquet 1.1), made where "
    "there "
    "is\n"
    "                         none; readers prune by it\n"
    "    --crs FILE           PROJJSON of its coordinates, or that itself (longitude, latitude)\n"
    "    --arrow-schema needed|always|never\n"
    "                         the schema as Arrow has it, under ARROW:schema (where types need "
    "it)\n";

/* ---- cat ---- */

/* row_source.next of a Parquet reader */
static bool reader_next(void *reader, taco_batch *batch)
{
    return taco_pq_reader_next((taco_pq_reader *)reader, batch);
}

/* row_source.next of --limit 0, which a query takes for no limit */
static bool no_next(void *reader, taco_batch *batch)
{
    (void)reader;
    (void)batch;
    return false;
}

/* row_source.close of a Parquet reader */
static void reader_close(void *reader, taco_error *err)
{
    taco_pq_reader_close((taco_pq_reader *)reader, err);
}

/* The rows as JSON, one a line, or in the format of --format. */
static int print_file(const arguments *a, taco_pq_file *file, const taco_pq_query *q,
                      const taco_options *opt, taco_error *err)
{
    taco_format format;
    row_source source;
    taco_pq_reader *rows;
    if (parse_row_format(a, "ndjson", &format) != DONE) { return USAGE; }
    rows = taco_pq_read(file, q, err);
    memset(&source, 0, sizeof source);
    source.reader = rows;
    source.next = a->limit_given && q->limit == 0 ? no_next : reader_next;
    source.close = reader_close;
    source.fields = taco_pq_reader_fields(rows, &source.field_count);
    return print_batches(source, 0, format, a->output, opt, err);
}

/* ---- verify ---- */

typedef struct verify_state {
    arguments *a;
    /* findings that were printed */
    size_t found;
} verify_state;

/* Called for every finding. As JSON all are printed; else warnings wait, and the first fault
   ends the work: its text is then that of the error. */
static bool print_finding(void *ctx, bool fault, const taco_error *what)
{
    verify_state *v = (verify_state *)ctx;
    if (!v->a->json) {
        if (!fault) { keep_warning(v->a, what); }
        return !fault;
    }
    printf("%s\n {\"kind\":\"%s\",\"code\":\"%s\"", v->found++ ? "," : "",
           fault ? "fault" : "warning", taco_status_name(what->code));
    if (what->offset != TACO_NO_OFFSET) { printf(",\"offset\":%" PRIu64, what->offset); }
    printf(",\"text\":");
    print_json_string(taco_error_text(what));
    printf("}");
    return true;
}

/* All findings and what was checked, as one object. file NULL: it could not be opened, err says
   why, and that is the one finding. */
static int verify_as_json(arguments *a, taco_pq_file *file, taco_error *err)
{
    verify_state v;
    taco_pq_checked sum;
    v.a = a;
    v.found = 0;
    memset(&sum, 0, sizeof sum);
    printf("{\"file\":");
    print_json_string(a->words[1]);
    printf(",\"findings\":[");
    if (file) {
        taco_pq_verify(file, print_finding, &v, &sum, err);
    } else {
        print_finding(&v, true, err);
    }
    printf("],\n \"row_groups\":%" PRIu64 ",\"rows\":%" PRIu64 ",\"chunks\":%" PRIu64
           ",\"pages\":%" PRIu64 ",\"crcs\":%" PRIu64 ","
           "\"values\":%" PRIu64 ",\"skipped\":%" PRIu64 ",\"good\":%s}\n",
           sum.row_groups, sum.rows, sum.chunks, sum.pages, sum.crcs, sum.values, sum.skipped,
           err->code == TACO_OK ? "true" : "false");
    return flush_stdout(DONE);
}

/* Ends at the first fault, which err has. file NULL: err says why. */
static int verify_file(arguments *a, taco_pq_file *file, taco_error *err)
{
    verify_state v;
    taco_pq_checked sum;
    v.a = a;
    v.found = 0;
    memset(&sum, 0, sizeof sum);
    if (file) { taco_pq_verify(file, print_finding, &v, &sum, err); }
    if (err->code == TACO_OK) {
        printf("good: %" PRIu64 " rows in %" PRIu64 " row groups, %" PRIu64
               " column chunks, %" PRIu64 " pages, %" PRIu64 " with a CRC",
               sum.rows, sum.row_groups, sum.chunks, sum.pages, sum.crcs);
        if (sum.skipped) { printf("; %" PRIu64 " column chunks not checked", sum.skipped); }
        printf("\n");
    }
    return flush_stdout(DONE);
}

/* ---- copy ---- */

/* A NUL-terminated copy of what the file has under a key, which the caller frees; NULL when it
   has nothing. */
static char *copy_key_value(const taco_pq_file *file, const char *key)
{
    taco_bytes value = taco_pq_key_value(file, key);
    char *copy = value.data ? (char *)malloc(value.len + 1) : NULL;
    if (copy) {
        memcpy(copy, value.data, value.len);
        copy[value.len] = 0;
    }
    return copy;
}

/* A writer of the columns of `rows` to a file. NULL on failure; *opened: the file was, so that a
   failure is the writer's. */
static taco_pq_writer *open_writer(const char *path, const taco_pq_reader *rows,
                                   const taco_pq_write_options *write, bool *opened,
                                   taco_error *err)
{
    taco_sink sink;
    size_t n;
    const taco_field *fields;
    *opened = taco_sink_file(&sink, path, write->options, err) == TACO_OK;
    if (!*opened) { return NULL; }
    fields = taco_pq_reader_fields(rows, &n);
    return taco_pq_write(&sink, fields, n, write, err);
}

/* A failure is reported with the name of the file that it is about. */
static int copy_file(arguments *a, taco_pq_file *file, const taco_pq_query *q,
                     const taco_options *opt, taco_error *err)
{
    const char *path = a->words[2];
    taco_pq_reader *rows = taco_pq_read(file, q, err);
    taco_pq_writer *w = NULL;
    taco_batch batch;
    taco_pq_key geo = {"geo", NULL};
    /* GeoParquet metadata is about the columns: it is kept where all of them are, and none is
       made */
    char *text = q->columns || a->write.geometry_count ? NULL : copy_key_value(file, "geo");
    bool opened = false;
    a->write.options = opt;
    if (text) {
        geo.value = text;
        a->write.keys = &geo;
        a->write.key_count = 1;
    }
    catch_interrupts(path);
    if (rows) { w = open_writer(path, rows, &a->write, &opened, err); }
    /* --limit 0 copies the schema alone */
    while (w && (!a->limit_given || q->limit) && taco_pq_reader_next(rows, &batch)) {
        if (taco_pq_writer_batch(w, &batch) != TACO_OK) { break; }
    }
    free(text);
    /* a reader that failed has given too few rows: the output is discarded */
    if (taco_pq_reader_close(rows, err) != TACO_OK) {
        taco_pq_writer_abort(w);
        return report_file_error(opened && !w ? path : a->words[1], err);
    }
    if (taco_pq_writer_close(w, err) != TACO_OK) { return report_file_error(path, err); }
    return err->code == TACO_OK ? DONE : report_file_error(opened ? path : a->words[1], err);
}

/* ---- the command ---- */

typedef enum parquet_verb {
    PARQUET_SCHEMA,
    PARQUET_META,
    PARQUET_CAT,
    PARQUET_VERIFY,
    PARQUET_COPY,
    PARQUET_VERBS
} parquet_verb;

/* The verb is the first word, the file to read the second, and that to write the third. */
static int check_arguments(const arguments *a, parquet_verb *verb)
{
    static const char *const names[] = {"schema", "meta", "cat", "verify", "copy"};
    const char *what = a->word_count ? a->words[0] : "";
    bool copy;
    *verb = (parquet_verb)find_name(what, names, PARQUET_VERBS);
    copy = *verb == PARQUET_COPY;
    if (*verb == PARQUET_VERBS) {
        return value_error("parquet", "schema, meta, cat, verify or copy", what);
    }
    if (a->word_count != (copy ? 3U : 2U)) {
        return usage_error(copy ? "parquet copy wants FILE and OUT" : "parquet wants one FILE",
                           NULL);
    }
    if (a->filter_count > 1 || (a->filter_count && !a->filters[0].where)) {
        return usage_error("parquet cat and copy take one --where and no other filter", NULL);
    }
    if ((a->geometry.covering || a->geometry.crs) && !a->geometry.column) {
        return usage_error("--covering and --crs are about a --geometry", NULL);
    }
    return DONE;
}

/* The query of cat and copy. *columns, which q borrows, is the caller's to free. */
static int prepare_file_query(const arguments *a, taco_pq_query *q, char **columns)
{
    static const char *names[4096];
    const char *list = a->columns ? a->columns : a->query.select;
    memset(q, 0, sizeof *q);
    *columns = NULL;
    q->where = a->filter_count ? a->filters[0].where : NULL;
    q->limit = a->query.limit;
    if (list) {
        *columns = (char *)malloc(strlen(list) + 1);
        if (!*columns) { return usage_error("out of memory", NULL); }
        strcpy(*columns, list);
        q->column_count = split_names(*columns, names, 4096);
        q->columns = names;
    }
    return DONE;
}

/* schema and meta: text that the library makes. */
static int print_metadata(const arguments *a, parquet_verb verb, taco_pq_file *file,
                          taco_error *err)
{
    taco_bytes text = verb == PARQUET_SCHEMA ? taco_pq_schema_text(file, err)
                      : a->json              ? taco_pq_meta_json(file, err)
                                             : taco_pq_meta_text(file, err);
    write_bytes(stdout, text);
    return flush_stdout(DONE);
}

/* Words: VERB FILE, or copy FILE OUT. */
static int run_parquet(arguments *a, const taco_options *opt)
{
    taco_error err = {0};
    taco_pq_query q;
    parquet_verb verb;
    taco_pq_file *file;
    char *columns;
    int status = DONE;
    if (check_arguments(a, &verb) != DONE || prepare_file_query(a, &q, &columns) != DONE) {
        return USAGE;
    }
    file = taco_pq_open(a->words[1], opt, &err);
    if (verb == PARQUET_VERIFY) {
        status = a->json ? verify_as_json(a, file, &err) : verify_file(a, file, &err);
    } else if (file && verb == PARQUET_CAT) {
        status = print_file(a, file, &q, opt, &err);
    } else if (file && verb == PARQUET_COPY) {
        status = copy_file(a, file, &q, opt, &err);
    } else if (file) {
        status = print_metadata(a, verb, file, &err);
    }
    free(columns);
    /* copy has reported its own failures */
    if (err.code != TACO_OK && !(file && verb == PARQUET_COPY)) {
        status = report_file_error(a->words[1], &err);
    }
    taco_pq_close(file);
    return status;
}

const command parquet_command = {"parquet", usage, run_parquet, NULL, false};
