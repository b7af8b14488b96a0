/* input.c - the input of commands: whole files, datasets opened according to the options, queries
   made from the filters, and counting of reads for -v. */
#include "tool.h"

#ifdef WITH_CURL
#include "remote.h"
#endif

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

char *read_bytes(const char *path, size_t more, size_t *len)
{
    bool standard_input = strcmp(path, "-") == 0;
    FILE *f = standard_input ? stdin : fopen(path, "rb");
    char *text = NULL, *grown;
    size_t n = 0, cap = 0, got = 1;
    /* the size is not used, as the file may be a pipe */
    while (f && got) {
        if (cap - n < 65536 + more) {
            cap = 2 * cap + 65536 + more;
            grown = (char *)realloc(text, cap);
            if (!grown) { break; }
            text = grown;
        }
        got = fread(text + n, 1, 65536, f);
        n += got;
    }
    /* got is not 0 if the loop ended for lack of memory */
    if (!f || got || ferror(f)) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        free(text);
        text = NULL;
    }
    if (f && !standard_input) { fclose(f); }
    *len = n;
    return text;
}

char *read_text(const char *path, taco_error *err)
{
    const uint64_t most = (uint64_t)64 << 20; /* collections have a few kilobytes */
    taco_source src;
    char *text = NULL;
    if (taco_source_file(&src, path, err) != TACO_OK) { return NULL; }
    if (src.size < most) { text = (char *)malloc((size_t)src.size + 1); }
    /* sources read everything or fail */
    if (text && src.read(src.ctx, 0, text, (size_t)src.size)) {
        text[src.size] = 0;
    } else {
        free(text);
        text = NULL;
        err->code = TACO_ERR_IO;
        sprintf(err->text, "%.200s: cannot be read", path);
    }
    src.close(src.ctx);
    return text;
}

taco_dataset *open_datasets(const arguments *a, size_t n, const taco_options *opt, taco_error *err)
{
    static const char merged[] = "TACOLLECTION.json";
    size_t i, len = n == 1 ? strlen(a->words[0]) : 0, k = sizeof merged - 1;
    taco_dataset *ds;
    for (i = 0; a->output && i < n; i++) {
        if (is_same_file(a->output, a->words[i])) {
            err->code = TACO_ERR_ARGUMENT;
            snprintf(err->text, sizeof err->text,
                     "%.200s: the output is also an input; nothing was written", a->output);
            return NULL;
        }
    }
    for (i = 0; i < n; i++) {
        if (!*a->words[i]) {
            err->code = TACO_ERR_ARGUMENT;
            strcpy(err->text, "the name of a dataset is empty");
            return NULL;
        }
    }
    if (a->table_name && !a->named_tables) {
        err->code = TACO_ERR_ARGUMENT;
        snprintf(err->text, sizeof err->text, "--table %.200s: only taco query reads named tables",
                 a->table_name);
        return NULL;
    }
    /* a single dataset is opened as it is, without the columns added for several; from a merged
       collection only those are opened that the filters may match */
    ds = len >= k && strcmp(a->words[0] + len - k, merged) == 0
             ? taco_open_tacollection(a->words[0], &a->query, a->column_mode, opt, err)
         : n == 1 ? taco_open(a->words[0], opt, err)
                  : taco_open_many(a->words, n, a->column_mode, opt, err);
    if (ds && a->base_path && taco_set_base_path(ds, a->base_path, err) != TACO_OK) {
        taco_close(ds);
        return NULL;
    }
    return ds;
}

/* --geometry-col, --time-col and --exact-time apply to every filter, regardless of the order of the
   options. */
void prepare_query(arguments *a)
{
    size_t i;
    for (i = 0; i < a->filter_count; i++) {
        a->filters[i].geometry_column = a->query.geometry_column;
        a->filters[i].time_column = a->query.time_column;
        a->filters[i].exact_time = a->exact_time;
    }
    a->query.filters = a->filters;
    a->query.filter_count = a->filter_count;
    if (a->limit_given && a->query.limit == 0) {
        /* LIMIT 0, which the library takes for no limit: the query is checked, but has no rows */
        a->query.offset = UINT64_MAX;
        a->query.limit = 1;
    }
}

/* ---- files not opened by the C library: remote ones, and those whose reads are counted ---- */

#ifdef WITH_CURL
static remote_client remote;
#endif

bool is_remote(const char *path)
{
#ifdef WITH_CURL
    return path && remote_is_url(path);
#else
    (void)path;
    return false;
#endif
}

const char *remote_failure(void)
{
#ifdef WITH_CURL
    return remote.failure;
#else
    return "";
#endif
}

/* taco_options.open_file, for remote files and others */
static bool open_any(void *ctx, const char *path, taco_source *out)
{
    (void)ctx;
#ifdef WITH_CURL
    return remote_open(&remote, path, out);
#else
    return taco_source_file(out, path, NULL) == TACO_OK;
#endif
}

/* Adds requests to servers and bytes from them so far, which -v prints instead of reads. */
static void count_remote(arguments *a)
{
#ifdef WITH_CURL
    a->read_requests += remote.requests;
    a->read_bytes += remote.bytes;
    remote.requests = remote.bytes = 0;
#else
    (void)a;
#endif
}

typedef struct counted_file {
    /* the file itself */
    taco_source src;
    arguments *a;
    bool remote;
    /* as long as needed */
    char name[1];
} counted_file;

/* Updates the progress bar after a read, if a->shows_reads. */
static void draw_reads(arguments *a)
{
    count_remote(a);
    if (a->shows_reads) { draw_progress(a->read_bytes, a->reads_expected); }
}

/* Counts a read before it is made; for remote files their requests are counted instead. */
static void count_read(counted_file *c, uint64_t offset, size_t len)
{
    if (!c->remote) {
        c->a->read_requests++;
        c->a->read_bytes += len;
    }
    if (c->a->verbose > 1) {
        end_progress();
        fprintf(stderr, "%s: %" PRIu64 " bytes at %" PRIu64 "\n", c->name, (uint64_t)len, offset);
    }
}

/* taco_source.read */
static bool counted_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    counted_file *c = (counted_file *)ctx;
    bool ok;
    count_read(c, offset, len);
    ok = c->src.read(c->src.ctx, offset, dst, len);
    draw_reads(c->a);
    return ok;
}

/* taco_source.read_many, of files that have it */
static bool counted_read_many(void *ctx, const taco_piece *reads, size_t n)
{
    counted_file *c = (counted_file *)ctx;
    size_t i;
    bool ok;
    for (i = 0; i < n; i++) {
        count_read(c, reads[i].offset, reads[i].len);
    }
    ok = c->src.read_many(c->src.ctx, reads, n);
    draw_reads(c->a);
    return ok;
}

/* taco_source.close */
static void counted_close(void *ctx)
{
    counted_file *c = (counted_file *)ctx;
    if (c->src.close) { c->src.close(c->src.ctx); }
    free(c);
}

/* taco_options.open_file, with the arguments as its context */
static bool counted_open(void *ctx, const char *path, taco_source *out)
{
    counted_file *c = (counted_file *)malloc(sizeof *c + strlen(path));
    memset(out, 0, sizeof *out);
    if (!c || !open_any(NULL, path, &c->src)) {
        free(c);
        count_remote((arguments *)ctx);
        return false;
    }
    c->a = (arguments *)ctx;
    c->remote = is_remote(path);
    count_remote(c->a);
    strcpy(c->name, path);
    out->ctx = c;
    out->size = c->src.size;
    out->read = counted_read;
    out->read_many = c->src.read_many ? counted_read_many : NULL;
    out->close = counted_close;
    return true;
}

bool open_source(const char *path, const taco_options *opt, taco_source *out, taco_error *err)
{
    if (!opt->open_file) { return taco_source_file(out, path, err) == TACO_OK; }
    if (opt->open_file(opt->open_ctx, path, out)) { return true; }
    err->code = TACO_ERR_NOT_FOUND;
    snprintf(err->text, sizeof err->text, "%.200s: cannot be read", path);
    return false;
}

/* The library makes a path absolute when it opens the file itself, but not for open_file; that
   is done here, so that counting does not change what is printed. */
void choose_files(arguments *a, taco_options *opt)
{
    bool any = is_remote(a->base_path), counts = a->verbose || a->shows_reads;
    size_t i;
    for (i = 0; i < a->word_count; i++) {
        any = any || is_remote(a->words[i]);
    }
    if (!counts && !any) { return; }
    /* datasets and single Parquet files are opened by it */
    opt->open_file = counts ? counted_open : open_any;
    opt->open_ctx = a;
    for (i = 0; i < a->word_count; i++) {
        a->words[i] = absolute_path(a->words[i]);
    }
    a->base_path = absolute_path(a->base_path);
}
