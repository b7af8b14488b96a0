/* parallel.c - rows printed by several threads, each of which takes the next part of the table: it
   finds the rows of its part, reads them and makes their text, with a handle of its own; one of
   them has the caller's. Nothing is shared but the order of the output: the thread whose part is
   the first that is not finished writes as it goes, the others keep their text until it is their
   turn. Threads never wait for each other inside a part, as the tasks of one query do, and the
   output is that of one thread.

   What has to be one query stays one: sorted and limited rows, SELECTs, filters of levels above
   the one that is printed, formats whose text depends on how rows are divided into batches. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

#ifdef WITH_THREADS
#include <pthread.h>

/* Rows of a part (a test defines its own number): one or more row groups of most writers, so that
   few pages are decoded for two parts. */
#ifndef PARALLEL_ROWS
#define PARALLEL_ROWS 65536
#endif
/* Parts that are worth a second thread, and those of each thread at least: it opens the dataset
   once more. */
#define PARALLEL_PARTS 3
#define PARALLEL_SHARE 2
/* Bytes of a block of text, and of all text that may wait for its turn. */
#ifndef PARALLEL_TEXT
#define PARALLEL_BLOCK ((size_t)256 << 10)
#define PARALLEL_TEXT  ((size_t)32 << 20)
#endif

/* Text that waits. */
typedef struct text_block {
    struct text_block *next;
    size_t len;
    uint8_t bytes[PARALLEL_BLOCK];
} text_block;

typedef struct part_text {
    text_block *first, *last;
} part_text;

/* What the threads share. */
typedef struct parallel_rows {
    const arguments *a;
    /* without threads, and without warnings: the first handle has given them */
    taco_options opt;
    taco_query query;
    taco_format format;
    const taco_field *fields;
    size_t field_count, count;
    /* written to by the thread whose part is `first`; the header goes before the first text */
    output *out;
    taco_bytes header;
    /* for all members below */
    pthread_mutex_t lock;
    pthread_cond_t moved;
    /* the caller's handle, until a thread has taken it */
    taco_dataset *ds;
    /* the next part to take, and the first one that is not written */
    size_t next, first;
    /* of each part, once it is finished */
    part_text *texts;
    bool *finished;
    text_block *spare;
    /* bytes of all blocks that wait */
    size_t waiting;
    /* the output ends here: the first error, or it cannot be written */
    bool ended;
    taco_error err;
} parallel_rows;

/* What one thread has, and its part. */
typedef struct part_rows {
    parallel_rows *all;
    taco_dataset *ds;
    /* it is the thread's, which closes it */
    bool opened;
    taco_printer *printer;
    size_t part;
    part_text text;
    taco_error err;
} part_rows;

/* ---- text that waits ---- */

/* A block to write text into; NULL when out of memory, or where enough text waits. Called with the
   lock held. */
static text_block *take_block(parallel_rows *all)
{
    text_block *b = all->spare;
    if (all->waiting >= PARALLEL_TEXT) { return NULL; }
    if (b) {
        all->spare = b->next;
    } else {
        b = (text_block *)malloc(sizeof *b);
    }
    if (b) {
        b->next = NULL;
        b->len = 0;
        all->waiting += sizeof *b;
    }
    return b;
}

/* Appends as much of *text as the last block has room for, and takes that off *text. */
static void fill_block(part_text *t, taco_bytes *text)
{
    text_block *b = t->last;
    size_t n = b ? sizeof b->bytes - b->len : 0;
    n = n < text->len ? n : text->len;
    if (n) {
        memcpy(b->bytes + b->len, text->data, n);
        b->len += n;
        text->data += n;
        text->len -= n;
    }
}

static void add_block(part_text *t, text_block *b)
{
    *(t->last ? &t->last->next : &t->first) = b;
    t->last = b;
}

static void free_blocks(text_block *b)
{
    while (b) {
        text_block *next = b->next;
        free(b);
        b = next;
    }
}

/* Writes text, if it is still wanted. Called, and returns, with the lock held, which is free
   meanwhile, by the thread whose turn it is. */
static void write_now(parallel_rows *all, taco_bytes text)
{
    bool good = true;
    if (all->ended || text.len == 0) { return; }
    pthread_mutex_unlock(&all->lock);
    if (all->header.len) {
        good = output_write(all->out, all->header);
        all->header.len = 0;
    }
    good = good && output_write(all->out, text);
    pthread_mutex_lock(&all->lock);
    all->ended = all->ended || !good;
}

/* The same of all blocks of a part. */
static void write_blocks(parallel_rows *all, part_text *t)
{
    while (t->first) {
        text_block *b = t->first;
        taco_bytes text = {b->bytes, b->len};
        t->first = b->next;
        write_now(all, text);
        b->next = all->spare;
        all->spare = b;
        all->waiting -= sizeof *b;
        pthread_cond_broadcast(&all->moved);
    }
    t->last = NULL;
}

/* ---- a part ---- */

/* Writes the text of a batch, or keeps it until it is the part's turn. Where too much text waits,
   the thread does, too, but never the one whose turn it is. False when no more is wanted. */
static bool put_text(part_rows *p, taco_bytes text)
{
    parallel_rows *all = p->all;
    bool more = true;
    fill_block(&p->text, &text);
    while (more && text.len) {
        text_block *b = NULL;
        pthread_mutex_lock(&all->lock);
        if (p->part == all->first) {
            write_blocks(all, &p->text);
            write_now(all, text);
            text.len = 0;
        } else if (!all->ended && (b = take_block(all)) == NULL) {
            pthread_cond_wait(&all->moved, &all->lock);
        }
        more = !all->ended;
        pthread_mutex_unlock(&all->lock);
        if (b) { add_block(&p->text, b); }
        fill_block(&p->text, &text);
    }
    return more;
}

/* Prints the rows of the part, until an error, which goes to p->err. */
static void print_part(part_rows *p)
{
    taco_query q = p->all->query;
    taco_cursor *rows;
    taco_batch batch;
    q.row_from = (uint64_t)p->part * PARALLEL_ROWS;
    q.row_to = q.row_from + PARALLEL_ROWS;
    rows = taco_select(p->ds, &q, &p->err);
    while (rows && taco_cursor_batch(rows, &batch)) {
        taco_bytes text = taco_printer_batch(p->printer, &batch, &p->err);
        if (!text.data || !put_text(p, text)) { break; }
    }
    taco_cursor_close(rows, &p->err);
}

/* The part is finished. The thread whose turn it is writes it, and those after it that are finished
   as well. A part that failed waits for its turn, and is the last. */
static void finish_part(part_rows *p)
{
    parallel_rows *all = p->all;
    pthread_mutex_lock(&all->lock);
    while (p->err.code != TACO_OK && p->part != all->first && !all->ended) {
        pthread_cond_wait(&all->moved, &all->lock);
    }
    all->texts[p->part] = p->text;
    all->finished[p->part] = true;
    if (p->part == all->first) {
        write_blocks(all, &all->texts[p->part]);
        if (p->err.code != TACO_OK && !all->ended) {
            all->err = p->err;
            all->ended = true;
        }
        while (++all->first < all->count && all->finished[all->first]) {
            write_blocks(all, &all->texts[all->first]);
        }
        pthread_cond_broadcast(&all->moved);
    }
    pthread_mutex_unlock(&all->lock);
}

/* Takes the next part; false at the end. */
static bool take_part(part_rows *p)
{
    parallel_rows *all = p->all;
    bool more;
    pthread_mutex_lock(&all->lock);
    more = all->next < all->count && !all->ended;
    p->part = all->next;
    all->next += more;
    pthread_mutex_unlock(&all->lock);
    memset(&p->text, 0, sizeof p->text);
    return more;
}

/* Opens what a thread needs. Its printer has printed the header, which the first text has. */
static bool open_part(part_rows *p)
{
    parallel_rows *all = p->all;
    taco_batch none;
    memset(&none, 0, sizeof none);
    pthread_mutex_lock(&all->lock);
    p->ds = all->ds;
    all->ds = NULL;
    pthread_mutex_unlock(&all->lock);
    p->opened = !p->ds;
    if (p->opened) { p->ds = open_datasets(all->a, 1, &all->opt, &p->err); }
    p->printer =
        p->ds ? taco_printer_open(all->fields, all->field_count, all->format, &all->opt, &p->err)
              : NULL;
    return p->printer && taco_printer_batch(p->printer, &none, &p->err).data;
}

/* A task: prints parts until none is left. */
static void print_parts(void *arg, size_t i)
{
    part_rows p;
    (void)i;
    memset(&p, 0, sizeof p);
    p.all = (parallel_rows *)arg;
    while (p.err.code == TACO_OK && take_part(&p)) {
        if (p.printer || open_part(&p)) { print_part(&p); }
        finish_part(&p);
    }
    taco_printer_close(p.printer);
    if (p.opened) { taco_close(p.ds); }
}

/* ---- all of them ---- */

/* How many threads have enough parts each. */
static size_t thread_count(size_t parts, size_t width)
{
    size_t most = parts / PARALLEL_SHARE;
    most = most < 2 ? 2 : most;
    return width < most ? width : most;
}

/* Prints the rows with several threads; a printer that has printed nothing makes the header. */
static void print_all_parts(parallel_rows *all, const taco_options *host, taco_printer *printer)
{
    taco_batch none;
    size_t i;
    memset(&none, 0, sizeof none);
    all->texts = (part_text *)calloc(all->count, sizeof *all->texts);
    all->finished = (bool *)calloc(all->count, sizeof *all->finished);
    all->header = taco_printer_batch(printer, &none, &all->err);
    if (!all->texts || !all->finished) { all->err.code = TACO_ERR_MEMORY; }
    if (all->err.code == TACO_OK) {
        pthread_mutex_init(&all->lock, NULL);
        pthread_cond_init(&all->moved, NULL);
        host->parallel_for(host->parallel_ctx, thread_count(all->count, host->parallel_width),
                           print_parts, all);
        pthread_mutex_destroy(&all->lock);
        pthread_cond_destroy(&all->moved);
    }
    /* no row was found */
    if (all->err.code == TACO_OK && all->header.len) { output_write(all->out, all->header); }
    for (i = 0; all->texts && i < all->count; i++) {
        free_blocks(all->texts[i].first);
    }
    free_blocks(all->spare);
    free(all->texts);
    free(all->finished);
}

/* Whether the query is one whose rows come in the order in which they are stored, each by
   itself. */
static bool is_divisible(const arguments *a)
{
    const taco_query *q = &a->query;
    size_t i;
    for (i = 0; i < a->filter_count && a->filters[i].level == 0; i++) {}
    return i == a->filter_count && !q->level && !q->table && !q->flat && !q->order && !q->limit &&
           !q->offset && !a->sql;
}

/* The rows of level 0; 0 where they are not known. */
static uint64_t stored_rows(taco_dataset *ds)
{
    taco_query part;
    return taco_shard(ds, NULL, TACO_SHARD_ROWS, 0, 1, &part, NULL) == TACO_OK ? part.row_to : 0;
}

/* Each thread opens what is a local file, once more, and within its own limits. */
bool may_pay_parallel(const arguments *a, const taco_options *opt)
{
    return opt->parallel_for && opt->parallel_width > 1 && !opt->open_file && !a->strict_limits &&
           is_choice("vsi|csv|ndjson", a->format) && !to_terminal(a) && a->word_count == 1 &&
           is_divisible(a);
}

bool pays_parallel(const arguments *a, taco_dataset *ds, const taco_options *opt)
{
    return may_pay_parallel(a, opt) && !*taco_dataset_format(ds) &&
           stored_rows(ds) >= (uint64_t)PARALLEL_PARTS * PARALLEL_ROWS;
}

int print_parallel(const arguments *a, taco_dataset *ds, taco_cursor *rows, const taco_options *opt,
                   taco_error *err)
{
    parallel_rows all;
    output out;
    taco_printer *printer;
    int status = output_open(&out, a->output);
    memset(&all, 0, sizeof all);
    all.a = a;
    all.opt = *opt;
    all.opt.parallel_for = NULL;
    all.opt.warn = NULL;
    all.ds = ds;
    all.query = a->query;
    /* as open_paths */
    if (strcmp(a->format, "vsi") == 0) { all.query.select = "\"internal:gdal_vsi\""; }
    all.format = printer_format(a);
    all.fields = taco_cursor_fields(rows, &all.field_count);
    all.count = (size_t)((stored_rows(ds) + PARALLEL_ROWS - 1) / PARALLEL_ROWS);
    all.out = &out;
    printer = taco_printer_open(all.fields, all.field_count, all.format, opt, err);
    if (status == DONE && printer) {
        print_all_parts(&all, opt, printer);
        if (all.err.code != TACO_OK) { *err = all.err; }
    }
    taco_printer_close(printer);
    taco_cursor_close(rows, err);
    if (status == DONE) {
        status = output_close(&out, a->output, err->code == TACO_OK ? DONE : FAILED);
    }
    return err->code != TACO_OK ? report_file_error(a->words[0], err) : status;
}
#else

bool may_pay_parallel(const arguments *a, const taco_options *opt)
{
    (void)a;
    (void)opt;
    return false;
}

bool pays_parallel(const arguments *a, taco_dataset *ds, const taco_options *opt)
{
    (void)a;
    (void)ds;
    (void)opt;
    return false;
}

int print_parallel(const arguments *a, taco_dataset *ds, taco_cursor *rows, const taco_options *opt,
                   taco_error *err)
{
    (void)a;
    (void)ds;
    (void)rows;
    (void)opt;
    (void)err;
    return FAILED;
}
#endif
