/* parquet.c - taco parquet: the schema, the metadata and the rows of a Parquet file, its
   verification, and a copy with other settings (codec, encodings, pages, GeoParquet metadata). The
   file may come from anywhere, and need not have anything to do with TACO. */
#include "tool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* In the order of the verbs of the command. */
typedef enum parquet_verb {
    PARQUET_SCHEMA,
    PARQUET_META,
    PARQUET_CAT,
    PARQUET_VERIFY,
    PARQUET_COPY,
    PARQUET_VERBS
} parquet_verb;

/* Bit sets of verbs: those with --json, those that return rows, those that write a file. */
enum {
    PARQUET_JSON = 1U << PARQUET_META | 1U << PARQUET_VERIFY,
    PARQUET_ROWS = 1U << PARQUET_CAT | 1U << PARQUET_COPY,
    PARQUET_WRITTEN = PARQUET_ROWS
};

/* ---- cat ---- */

/* row_source.next of a Parquet reader */
static bool reader_next(void *reader, taco_batch *batch)
{
    return taco_pq_reader_next((taco_pq_reader *)reader, batch);
}

/* row_source.next for --limit 0, which in a query means no limit */
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

/* Prints the rows as JSON, one per line, or in the format given by --format. */
static int print_file(arguments *a, taco_pq_file *file, const taco_pq_query *q,
                      const taco_options *opt, taco_error *err)
{
    row_source source;
    table_options how;
    taco_pq_query query = *q;
    taco_pq_reader *rows;
    if (choose_format(a, &parquet_command, "ndjson") != DONE) { return USAGE; }
    query.arrow = printer_format(a) == TACO_FORMAT_ARROW;
    rows = taco_pq_read(file, &query, err);
    memset(&source, 0, sizeof source);
    source.reader = rows;
    source.next = a->limit_given && q->limit == 0 ? no_next : reader_next;
    source.close = reader_close;
    source.fields = taco_pq_reader_fields(rows, &source.field_count);
    memset(&how, 0, sizeof how);
    how.internal = true; /* in other files these are names like any others */
    return print_batches(source, 0, a, &how, opt, err);
}

/* ---- verify ---- */

typedef struct verify_state {
    arguments *a;
    /* number of findings printed */
    size_t found;
} verify_state;

/* Called for every finding. As JSON all are printed. Otherwise warnings are kept for later, and the
   first fault ends the verification: its text becomes that of the error. */
static bool print_finding(void *ctx, bool fault, const taco_error *what)
{
    verify_state *v = (verify_state *)ctx;
    end_progress();
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

/* Prints all findings and what was checked, as one object. file is NULL if it could not be opened:
   then err, which says why, is the only finding. */
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
    end_progress();
    printf("],\n \"row_groups\":%" PRIu64 ",\"rows\":%" PRIu64 ",\"chunks\":%" PRIu64
           ",\"pages\":%" PRIu64 ",\"crcs\":%" PRIu64 ","
           "\"values\":%" PRIu64 ",\"skipped\":%" PRIu64 ",\"good\":%s}\n",
           sum.row_groups, sum.rows, sum.chunks, sum.pages, sum.crcs, sum.values, sum.skipped,
           err->code == TACO_OK ? "true" : "false");
    return flush_stdout(DONE);
}

/* Ends at the first fault, which is in err. file is NULL if it could not be opened: err says
   why. */
static int verify_file(arguments *a, taco_pq_file *file, taco_error *err)
{
    verify_state v;
    taco_pq_checked sum;
    v.a = a;
    v.found = 0;
    memset(&sum, 0, sizeof sum);
    if (file) { taco_pq_verify(file, print_finding, &v, &sum, err); }
    end_progress();
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

/* Whether --encoding applies to a leaf of that type, and a reader rejects it there: byte stream
   split except for floating point (DuckDB 1.5), and both encodings for fixed-size bytes (polars
   2.1). */
static bool is_refused(const arguments *a, const taco_field *f, bool polars)
{
    bool fixed = f->type == TACO_FIXED || f->type == TACO_UUID ||
                 (f->type == TACO_DECIMAL && f->precision > 18);
    bool split = a->write.encoding == TACO_ENCODING_SPLIT;
    if (f->child_count || f->type == TACO_BOOL || f->type == TACO_TEXT || f->type == TACO_BINARY) {
        return false;
    }
    if (polars) { return fixed || (!split && f->type == TACO_HALF); }
    return split && f->type != TACO_FLOAT && f->type != TACO_DOUBLE;
}

/* How many leaves a reader rejects; *first gets the column of the first one. */
static size_t count_refused(const arguments *a, const taco_field *f, size_t n, bool polars,
                            const char **first, const char *column)
{
    size_t i, sum = 0;
    for (i = 0; i < n; i++) {
        const char *name = column ? column : f[i].name;
        if (is_refused(a, &f[i], polars)) {
            if (!*first) { *first = name; }
            sum++;
        }
        sum += count_refused(a, f[i].children, f[i].child_count, polars, first, name);
    }
    return sum;
}

/* Warns about columns whose encoding some readers do not support. */
static void warn_of_readers(arguments *a, const taco_field *fields, size_t n)
{
    static const char *const readers[] = {"DuckDB", "polars"};
    size_t k;
    if (a->write.encoding != TACO_ENCODING_SPLIT &&
        a->write.encoding != TACO_ENCODING_DELTA_BYTES) {
        return;
    }
    for (k = 0; k < 2; k++) {
        const char *first = NULL;
        size_t columns = count_refused(a, fields, n, k == 1, &first, NULL);
        taco_error e = {0};
        if (!columns) { continue; }
        e.code = TACO_ERR_UNSUPPORTED;
        snprintf(e.text, sizeof e.text,
                 "%s refuses the encoding %s of %zu column%s, the first is '%s'", readers[k],
                 a->write.encoding == TACO_ENCODING_SPLIT ? "split" : "delta-bytes", columns,
                 columns == 1 ? "" : "s", first);
        keep_warning(a, &e);
    }
}

/* Opens a writer for the columns of `rows`. NULL on failure; *opened tells whether the file was
   opened, so that the failure is the writer's. */
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

/* Rows per row group of the copy, unless given: about as many as in the file, as every group
   repeats the dictionaries, but limited, as large groups take much memory. */
static uint64_t copied_group_rows(const taco_pq_file *file)
{
    const uint64_t least = 65536, most = 1048576;
    uint64_t groups = taco_pq_row_groups(file);
    uint64_t rows = groups ? (uint64_t)taco_pq_rows(file) / groups : 0;
    return rows > most - least ? most : (rows / least + (rows % least != 0)) * least;
}

/* Rows of a batch that make waking threads to write them worthwhile. */
#define COPY_BATCH_ROWS 65536

/* Errors are reported with the name of the file concerned. */
static int copy_file(arguments *a, taco_pq_file *file, taco_pq_query *q, const taco_options *opt,
                     taco_error *err)
{
    const char *path = a->words[2];
    taco_pq_reader *rows;
    taco_pq_writer *w = NULL;
    taco_batch batch;
    bool opened = false;
    a->write.options = opt;
    a->write.like = file; /* annotations, field ids and keys are those of the file */
    if (!a->write.row_group_rows) { a->write.row_group_rows = copied_group_rows(file); }
    q->batch_rows = opt->parallel_for ? COPY_BATCH_ROWS : 0;
    rows = taco_pq_read(file, q, err);
    if (rows) { w = open_writer(path, rows, &a->write, &opened, err); }
    if (w) {
        size_t n;
        const taco_field *fields = taco_pq_reader_fields(rows, &n);
        warn_of_readers(a, fields, n);
    }
    /* --limit 0 copies only the schema */
    while (w && (!a->limit_given || q->limit) && taco_pq_reader_next(rows, &batch)) {
        if (taco_pq_writer_batch(w, &batch) != TACO_OK) { break; }
    }
    /* a reader that failed has returned too few rows: the output is discarded */
    if (taco_pq_reader_close(rows, err) != TACO_OK) {
        taco_pq_writer_abort(w);
        return report_file_error(opened && !w ? path : a->words[1], err);
    }
    if (taco_pq_writer_close(w, err) != TACO_OK) { return report_file_error(path, err); }
    return err->code == TACO_OK ? DONE : report_file_error(opened ? path : a->words[1], err);
}

/* ---- the command ---- */

/* The words are the verb, the file to read, and the file to write. */
static int check_arguments(const arguments *a, parquet_verb *verb)
{
    const char *what = a->word_count ? a->words[0] : "";
    bool copy;
    *verb = (parquet_verb)find_verb(&parquet_command, what);
    copy = *verb == PARQUET_COPY;
    if (*verb == PARQUET_VERBS) {
        return value_error("parquet", "schema, meta, cat, verify or copy", what);
    }
    if (a->word_count != (copy ? 3U : 2U)) {
        return usage_error(copy ? "parquet copy needs FILE and OUT" : "parquet wants one FILE",
                           NULL);
    }
    if (a->filter_count > 1) { return usage_error("parquet cat and copy take one --where", NULL); }
    if ((a->geometry.covering || a->geometry.crs) && !a->geometry.column) {
        return usage_error("--covering and --crs need --geometry", NULL);
    }
    return DONE;
}

/* The query of cat and copy. */
static void prepare_file_query(const arguments *a, taco_pq_query *q)
{
    const char *list = a->columns ? a->columns : a->query.select;
    memset(q, 0, sizeof *q);
    q->where = a->filter_count ? a->filters[0].where : NULL;
    q->limit = a->query.limit;
    if (list) {
        const char **names;
        q->column_count = split_names(list, &names);
        q->columns = names;
    }
}

/* schema and meta: prints text made by the library. */
static int print_metadata(const arguments *a, parquet_verb verb, taco_pq_file *file,
                          taco_error *err)
{
    taco_bytes text = verb == PARQUET_SCHEMA ? taco_pq_schema_text(file, err)
                      : a->json              ? taco_pq_meta_json(file, err)
                                             : taco_pq_meta_text(file, err);
    if (a->json) {
        write_bytes(stdout, text);
    } else {
        print_lines(text);
    }
    return flush_stdout(DONE);
}

/* Whether threads pay: not if few rows are wanted, which a copy does not know beforehand; cat
   prints many rows with several threads. */
static bool pays_threads(const arguments *a, parquet_verb verb)
{
    return verb == PARQUET_VERIFY || verb == PARQUET_CAT ||
           (verb == PARQUET_COPY && !a->limit_given && a->filter_count == 0);
}

/* Words: VERB FILE, or copy FILE OUT. */
static int run_parquet(arguments *a, const taco_options *host)
{
    taco_options own = *host;
    const taco_options *opt = &own;
    taco_error err = {0};
    taco_pq_query q;
    parquet_verb verb;
    taco_pq_file *file;
    int status = DONE;
    if (check_arguments(a, &verb) != DONE) { return USAGE; }
    if (verb == PARQUET_COPY && check_overwrite(a, a->words[2]) != DONE) { return FAILED; }
    if (!a->threads_given && !pays_threads(a, verb)) { own.parallel_for = NULL; }
    /* the tasks of a scan are short */
    own.parallel_long = verb == PARQUET_CAT && !a->threads_given;
    prepare_file_query(a, &q);
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
    /* copy has reported its own failures */
    if (err.code != TACO_OK && !(file && verb == PARQUET_COPY)) {
        status = report_file_error(a->words[1], &err);
    }
    taco_pq_close(file);
    return status;
}

static const command_verb parquet_verbs[] = {
    {"schema", "FILE", "print the schema as a Parquet message type"},
    {"meta", "FILE [--json]",
     "print row groups, column chunks, statistics; with --json everything in the footer"},
    {"cat", "FILE [options]", "print the rows as JSON, one per line"},
    {"verify", "FILE [--json]",
     "read every page and check CRCs, lengths, levels, values, row counts, page indexes; "
     "statistics "
     "that the values contradict are warnings. Stops at the first fault, with exit status 1; "
     "--json: all faults, as one object"},
    {"copy", "FILE OUT [options]",
     "write the rows as a new Parquet file, with the schema and the keys of FILE"},
    {NULL, NULL, NULL},
};

static const command_option parquet_options[] = {
    OPTION_OF(PARQUET_JSON, "--json"),
    OPTION_HEADING("cat and copy: which rows and columns"),
    {"--columns", NULL, "only these columns", PARQUET_ROWS},
    {"--select", NULL, "the same as --columns", PARQUET_ROWS},
    {"--where", NULL, "rows that meet a condition; at most one", PARQUET_ROWS},
    OPTION_OF(PARQUET_ROWS, "--limit"),
    {"--format", "table|ndjson|json|csv|arrow", "output format (ndjson)", 1U << PARQUET_CAT},
    OPTION_OF(1U << PARQUET_CAT, "-o"),
    OPTION_OF(1U << PARQUET_CAT, "--all"),
    OPTION_OF(1U << PARQUET_CAT, "--crlf"),
    OPTION_OF(PARQUET_WRITTEN, "--overwrite"),
    OPTION_HEADING("copy: the file it writes"),
    PARQUET_OPTIONS(1U << PARQUET_COPY),
    OPTION_OF(1U << PARQUET_COPY, "--geometry"),
    OPTION_END,
};

const command parquet_command = {
    "parquet",
    "work with Parquet files: schema, meta, cat, verify, copy",
    NULL,
    NULL,
    NULL,
    parquet_verbs,
    parquet_options,
    run_parquet,
    true,
    false,
    false,
};
