/* parallel.c - rows printed by several threads. Each takes the next part of the table, finds and
   reads its rows, and formats them, with its own handle; one thread uses the caller's. Only the
   output is shared: the thread with the first unfinished part writes directly, the others keep
   their text until it is their turn. Unlike the tasks of one query, threads do not wait for each
   other within a part, and the output is the same as with one thread.

   Some rows need a single query: sorted and limited ones, SELECTs, filters on levels above the one
   printed, formats whose text depends on the division into batches. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

#ifdef WITH_THREADS
#include <pthread.h>

/* Rows of a part (a test overrides this): at least a row group of most writers, so that few pages
   are decoded for two parts. */
#ifndef PARALLEL_ROWS
#define PARALLEL_ROWS 65536
#endif
/* Number of parts from which a second thread pays, and least number per thread, as each opens the
   dataset again. */
#define PARALLEL_PARTS 3
#define PARALLEL_SHARE 2
/* Bytes of a block of text, and most bytes of text waiting for its turn. */
#ifndef PARALLEL_TEXT
#define PARALLEL_BLOCK ((size_t)256 << 10)
#define PARALLEL_TEXT  ((size_t)32 << 20)
#endif

/* Text waiting for its turn. */
typedef struct text_block {
    struct text_block *next;
    size_t len;
    uint8_t bytes[PARALLEL_BLOCK];
} text_block;

typedef struct part_text {
    text_block *first, *last;
} part_text;

/* State shared by the threads. */
typedef struct parallel_rows {
    const arguments *a;
    /* without threads, and without warnings, which the first handle has reported */
    taco_options opt;
    taco_query query;
    taco_format format;
    const taco_field *fields;
    size_t field_count, count;
    /* written to by the thread whose part is `first`; the header goes before the first text */
    output *out;
    taco_bytes header;
    /* protects all members below */
    pthread_mutex_t lock;
    pthread_cond_t moved;
    /* the caller's handle, until a thread takes it */
    taco_dataset *ds;
    /* next part to take, and first part not yet written */
    size_t next, first;
    /* text of each part, once it is finished */
    part_text *texts;
    bool *finished;
    text_block *spare;
    /* bytes of all waiting blocks */
    size_t waiting;
    /* stop: an error occurred, or the output cannot be written */
    bool ended;
    taco_error err;
} parallel_rows;

/* State of one thread and its part. */
typedef struct part_rows {
    parallel_rows *all;
    taco_dataset *ds;
    /* the dataset was opened by the thread, which must close it */
    bool opened;
    taco_printer *printer;
    size_t part;
    part_text text;
    taco_error err;
} part_rows;

/* ---- waiting text ---- */

/* A block to write text into; NULL if out of memory, or if enough text is waiting. Called with the
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

/* Appends as much of *text as fits the last block, and removes it from *text. */
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

/* Writes text, unless the output has ended. Called by the thread whose turn it is, with the lock
   held, which is released while writing. */
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

/* The same for all blocks of a part. */
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

/* Writes the text of a batch, or keeps it until it is the part's turn. If too much text is waiting,
   the thread waits too, unless it is its turn. False if the output has ended. */
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

/* Finishes the part. The thread whose turn it is writes it, and any finished parts after it. A
   failed part waits for its turn too, and is the last one written. */
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

/* Opens everything a thread needs. Its printer has already made the header, which is dropped here,
   as the first text includes it. */
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

/* ---- all parts ---- */

/* Number of threads, so that each has enough parts. */
static size_t thread_count(size_t parts, size_t width)
{
    size_t most = parts / PARALLEL_SHARE;
    most = most < 2 ? 2 : most;
    return width < most ? width : most;
}

/* Prints the rows with several threads; `printer`, which has printed nothing yet, makes the
   header. */
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
    /* there were no rows */
    if (all->err.code == TACO_OK && all->header.len) { output_write(all->out, all->header); }
    for (i = 0; all->texts && i < all->count; i++) {
        free_blocks(all->texts[i].first);
    }
    free_blocks(all->spare);
    free(all->texts);
    free(all->finished);
}

/* Whether the query returns rows in stored order, independently of each other. */
static bool is_divisible(const arguments *a)
{
    const taco_query *q = &a->query;
    size_t i;
    for (i = 0; i < a->filter_count && a->filters[i].level == 0; i++) {}
    return i == a->filter_count && !q->level && !q->table && !q->flat && !q->order && !q->limit &&
           !q->offset && !a->sql;
}

/* The number of rows of level 0; 0 if unknown. */
static uint64_t stored_rows(taco_dataset *ds)
{
    taco_query part;
    return taco_shard(ds, NULL, TACO_SHARD_ROWS, 0, 1, &part, NULL) == TACO_OK ? part.row_to : 0;
}

/* Each thread opens the file again, which must be local, with its own limits. */
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
    /* like open_paths */
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
