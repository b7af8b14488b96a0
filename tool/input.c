/* input.c - the files and datasets that commands read: whole files, datasets that are opened as
   the options say, queries made of the filters, and the counting of reads for -v. */
#include "tool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

char *read_bytes(const char *path, size_t more, size_t *len)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL, *grown;
    size_t n = 0, cap = 0, got = 1;
    /* its size is not asked for: the file may be a pipe */
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
    /* got is not 0 where memory ended the loop */
    if (!f || got || ferror(f)) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        free(text);
        text = NULL;
    }
    if (f) { fclose(f); }
    *len = n;
    return text;
}

char *read_text(const char *path, taco_error *err)
{
    const uint64_t most = (uint64_t)64 << 20; /* collections have some kilobytes */
    taco_source src;
    char *text = NULL;
    if (taco_source_file(&src, path, err) != TACO_OK) { return NULL; }
    if (src.size < most) { text = (char *)malloc((size_t)src.size + 1); }
    /* sources read all or nothing */
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
    /* one dataset is opened as it is, without the columns of several */
    taco_dataset *ds = n == 1 ? taco_open(a->words[0], opt, err)
                              : taco_open_many(a->words, n, a->column_mode, opt, err);
    if (ds && a->base_path && taco_set_base_path(ds, a->base_path, err) != TACO_OK) {
        taco_close(ds);
        return NULL;
    }
    return ds;
}

/* --geometry-col, --time-col and --exact-time hold for every filter, wherever they are among the
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
        /* LIMIT 0, which is no limit to the library: the query is checked, and has no row */
        a->query.offset = UINT64_MAX;
        a->query.limit = 1;
    }
}

/* ---- -v: files whose reads are counted and, with -vv, printed ---- */

typedef struct counted_file {
    /* the file itself */
    taco_source src;
    arguments *a;
    /* as long as it needs to be */
    char name[1];
} counted_file;

/* taco_source.read */
static bool counted_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    counted_file *c = (counted_file *)ctx;
    c->a->read_requests++;
    c->a->read_bytes += len;
    if (c->a->verbose > 1) {
        fprintf(stderr, "%s: %" PRIu64 " bytes at %" PRIu64 "\n", c->name, (uint64_t)len, offset);
    }
    return c->src.read(c->src.ctx, offset, dst, len);
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
    if (!c || taco_source_file(&c->src, path, NULL) != TACO_OK) {
        free(c);
        return false;
    }
    c->a = (arguments *)ctx;
    strcpy(c->name, path);
    out->ctx = c;
    out->size = c->src.size;
    out->read = counted_read;
    out->close = counted_close;
    return true;
}

/* The library makes a path absolute when it opens the file itself, but not for open_file; that
   is done here, so that -v does not change what is printed. */
void count_reads(arguments *a, taco_options *opt)
{
    size_t i;
    if (!a->verbose) { return; }
    /* datasets and single Parquet files are opened by it */
    opt->open_file = counted_open;
    opt->open_ctx = a;
    for (i = 0; i < a->word_count; i++) {
        a->words[i] = absolute_path(a->words[i]);
    }
    a->base_path = absolute_path(a->base_path);
}
