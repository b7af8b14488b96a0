/* payload_batch.c - the bytes of many samples, read, summed and written by the host's parallel_for

   In: samples one by one, in order, with the size of each; out: the same bytes in the same places
   as container_write.c writes alone. Only that program's own files are read and written by tasks:
   sources and sinks of the caller are called from the calling thread (taco_options.parallel_for).

   Archives: places follow from sizes, so a sample gets its place, its local header and its line in
   the directory at once, and its CRC later. There are two buffers. Bytes of samples, in steps of
   TACO__OUTPUT_BYTES (items), have their places in one; when it is full, a round of tasks reads and
   sums them, while one task writes the other buffer, since a file takes one writer at a time. Then
   the buffers change roles. FOLDERs: an item is a file, which a task makes.

   After a round the calling thread goes through the items in order (taco__payload_batch_retire):
   CRCs of a sample's items are joined, progress is reported, and the first failure is the one that
   one thread would have met. Start with taco__payload_batch_add. */
#include "write.h"
#include "../base/base.h"
#include "../base/sink.h"
#include "../base/file_copy.h"
#include "../dataset/cursor.h"
#include "../validate/validate.h"

/* Bytes of a buffer. Tests use fewer. */
#ifndef TACO__PAYLOAD_BATCH_BYTES
#define TACO__PAYLOAD_BATCH_BYTES ((size_t)1048576)
#endif
/* Bytes or files written by the calling thread alone before threads are worth waking. */
#ifndef TACO__PAYLOAD_BATCH_AFTER
#define TACO__PAYLOAD_BATCH_AFTER       ((uint64_t)8 << 20)
#define TACO__PAYLOAD_BATCH_AFTER_FILES ((uint64_t)1024)
/* Fewer bytes are not read by several tasks. */
#define TACO__PAYLOAD_BATCH_LEAST ((uint64_t)131072)
#endif
#define TACO__PAYLOAD_BATCH_ITEMS 1024
#define TACO__PAYLOAD_BATCH_FILES 64 /* open for items */
#define TACO__PAYLOAD_BATCH_WIDTH 8
/* Tasks of a round for its items: reading for one writer does not keep more busy, and those that
   wait cost time, too. In a FOLDER each has a file of its own. */
#define TACO__PAYLOAD_BATCH_READERS 4
#define TACO__PAYLOAD_BATCH_TASKS   (2 * TACO__PAYLOAD_BATCH_WIDTH)
/* Bytes of a round of files of a FOLDER, and what opening a file costs, in bytes copied. */
#define TACO__PAYLOAD_BATCH_ROUND ((uint64_t)64 << 20)
#define TACO__PAYLOAD_BATCH_OPEN  ((uint64_t)16384)
/* Fewer bytes are summed when they are read, while they are in the nearest cache; a file with more
   is read by tasks even if it must be complete when the call returns. */
#define TACO__PAYLOAD_BATCH_NEAR 16384
#define TACO__PAYLOAD_BATCH_FAR  ((uint64_t)1 << 20)

/* Bytes of a sample in a buffer, or a file of a FOLDER. */
typedef struct taco__payload_batch_item {
    taco__input in;  /* own: in the last item of a sample */
    uint64_t size;   /* of the input, which may be closed already */
    uint64_t at;     /* of the bytes in the input */
    size_t len;      /* 0 in a FOLDER */
    uint8_t *to;     /* archive: where the bytes belong */
    size_t path;     /* FOLDER: where its path begins in `paths` */
    uint64_t header; /* archive: position of the local header */
    size_t note;     /* archive: taco__zip_writer.crc_at */
    size_t row;
    uint32_t level, crc;
    bool first, last; /* of its sample */
    bool read, summed;
    bool has_wanted; /* the CRC that the sample must have is known */
    uint32_t wanted;
} taco__payload_batch_item;

typedef struct taco__payload_batch_task {
    size_t first, end; /* items */
    bool ok;           /* if not: item `end` failed */
    uint8_t *buffer;   /* FOLDER: for copies */
    taco_error err;
} taco__payload_batch_task;

struct taco__payload_batch {
    taco__output *out;
    taco__mem *mem;
    bool zip;
    /* archive: the buffer being filled, which begins at out->at, and the one to be written */
    uint8_t *fill, *full;
    size_t used, full_len;
    uint64_t full_at;
    bool written;
    taco_error write_error;
    taco__payload_batch_item *items;
    size_t count, files; /* files: inputs that items have open */
    uint64_t bytes;      /* of the items */
    uint32_t crc;        /* of the sample whose items are being joined */
    taco__buf paths;
    taco__payload_batch_task tasks[TACO__PAYLOAD_BATCH_TASKS];
    size_t task_count, task_most;
    void (*extra)(void *arg, size_t i);
    void *extra_arg;
};

/* ---- begin and end ---- */

/* Drops all items, closing their inputs. */
static void taco__payload_batch_drop(taco__payload_batch *b)
{
    size_t i;
    for (i = 0; i < b->count; i++) {
        taco__input_close(&b->items[i].in);
    }
    b->count = b->files = 0;
    b->bytes = 0;
    b->paths.len = 0;
}

/* Frees the batch, if there is one; what it holds is lost. */
TACO__FN void taco__payload_batch_free(taco__container_writer *p)
{
    taco__payload_batch *b = p->batch;
    size_t i;
    if (!b) { return; }
    taco__payload_batch_drop(b);
    taco__mem_free(b->mem, b->fill, TACO__PAYLOAD_BATCH_BYTES);
    taco__mem_free(b->mem, b->full, TACO__PAYLOAD_BATCH_BYTES);
    for (i = 0; i < TACO__PAYLOAD_BATCH_TASKS; i++) {
        taco__mem_free(b->mem, b->tasks[i].buffer, TACO__OUTPUT_BYTES);
    }
    taco__mem_free(b->mem, b->items, TACO__PAYLOAD_BATCH_ITEMS * sizeof *b->items);
    taco__buf_free(&b->paths);
    taco__mem_free(b->mem, b, sizeof *b);
    p->batch = NULL;
}

/* Memory for a batch; false if there is none. */
static bool taco__payload_batch_alloc(taco__container_writer *p, size_t width)
{
    taco__payload_batch *b = (taco__payload_batch *)taco__mem_alloc(p->mem, sizeof *b, NULL);
    size_t i;
    bool ok = true;
    if (!b) { return false; }
    p->batch = b;
    b->mem = b->paths.mem = p->mem;
    b->task_most = p->zip ? TACO__PAYLOAD_BATCH_READERS : 2 * width;
    b->out = &p->out;
    b->zip = p->zip;
    b->items = (taco__payload_batch_item *)taco__mem_alloc(
        p->mem, TACO__PAYLOAD_BATCH_ITEMS * sizeof *b->items, NULL);
    if (p->zip) { /* not cleared: they are filled by tasks */
        b->fill = (uint8_t *)taco__mem_resize(p->mem, NULL, 0, TACO__PAYLOAD_BATCH_BYTES, NULL);
        b->full = (uint8_t *)taco__mem_resize(p->mem, NULL, 0, TACO__PAYLOAD_BATCH_BYTES, NULL);
        ok = b->fill && b->full;
    }
    for (i = 0; ok && !p->zip && i < b->task_most; i++) {
        b->tasks[i].buffer = (uint8_t *)taco__mem_resize(p->mem, NULL, 0, TACO__OUTPUT_BYTES, NULL);
        ok = b->tasks[i].buffer != NULL;
    }
    if (ok && b->items) { return true; }
    taco__payload_batch_free(p);
    return false;
}

/* Whether tasks may read the input, in place or with a call of the system. */
static bool taco__payload_batch_may_read(const taco__container_writer *p, const taco__input *in)
{
    return (p->zip && in->source.view) || taco__input_tasks_may_read(in);
}

/* Begins a batch if that pays: enough is written with this input (NULL: with many that follow),
   which tasks may read, the host has threads, and there is plenty of memory. False if the output
   fails. */
TACO__FN bool taco__payload_batch_begin(taco__container_writer *p, const taco__input *in,
                                        taco_error *err)
{
    const uint64_t memory =
        2 * TACO__PAYLOAD_BATCH_BYTES + TACO__PAYLOAD_BATCH_TASKS * TACO__OUTPUT_BYTES;
    size_t width = taco__tasks_width(&p->options, TACO__PAYLOAD_BATCH_WIDTH);
    uint64_t size = in ? in->size : 0,
             left = p->mem->limit - TACO__MIN(p->mem->used, p->mem->limit);
    if (p->batch || width < 2 || p->alone || (p->zip && !p->out.anywhere) ||
        (in && !((in->later || size >= TACO__PAYLOAD_BATCH_FAR) &&
                 taco__payload_batch_may_read(p, in)))) {
        return true;
    }
    if (p->payload < TACO__PAYLOAD_BATCH_AFTER && size < TACO__PAYLOAD_BATCH_AFTER &&
        p->files < TACO__PAYLOAD_BATCH_AFTER_FILES && in) {
        return true;
    }
    p->alone = left / 8 < memory || !taco__payload_batch_alloc(p, width);
    return p->alone || !p->zip || taco__output_flush(&p->out, err);
}

/* ---- tasks ---- */

/* Reads and sums the bytes of an item, or makes its file. Bytes of a source in memory are summed
   before they are copied; without a view they are left to the calling thread. */
static bool taco__payload_batch_run_item(taco__payload_batch *b, taco__payload_batch_item *item,
                                         taco__payload_batch_task *t)
{
    taco__input *in = &item->in;
    const void *view;
    if (item->summed) { return true; }
#if TACO__DIRS
    if (!b->zip) {
        item->summed = taco__dir_write_file((const char *)b->paths.data + item->path, in, t->buffer,
                                            &item->crc, &t->err);
        if (item->summed) { taco__input_close(in); }
        return item->summed;
    }
#else
    (void)b;
#endif
    if (!item->read && in->source.view) {
        view = in->source.view(in->source.ctx, in->offset + item->at, item->len);
        if (!view) { return true; }
        item->crc = taco__crc32(0, view, item->len);
        memcpy(item->to, view, item->len);
        item->read = item->summed = true;
        return true;
    }
    if (!item->read && !taco__input_read(in, item->at, item->to, item->len, &t->err)) {
        return false;
    }
    item->crc = taco__crc32(0, item->to, item->len);
    item->read = item->summed = true;
    /* otherwise other tasks may be reading the same file */
    if (item->first && item->last) { taco__input_close(in); }
    return true;
}

/* Runs the items of a task, up to the first that fails. */
static void taco__payload_batch_run(taco__payload_batch *b, taco__payload_batch_task *t)
{
    size_t i;
    for (i = t->first; t->ok && i < t->end; i++) {
        t->ok = taco__payload_batch_run_item(b, &b->items[i], t);
        if (!t->ok) { t->end = i; }
    }
}

static void taco__payload_batch_write(taco__payload_batch *b)
{
    b->written = taco__output_write_at(b->out, b->full_at, b->full, b->full_len, &b->write_error);
}

/* Task 0 writes the full buffer, if there is one, as that takes longest. */
static void taco__payload_batch_task_run(void *arg, size_t i)
{
    taco__payload_batch *b = (taco__payload_batch *)arg;
    size_t writes = b->full_len != 0;
    if (i < writes) {
        taco__payload_batch_write(b);
    } else if (i - writes < b->task_count) {
        taco__payload_batch_run(b, &b->tasks[i - writes]);
    } else {
        b->extra(b->extra_arg, i - writes - b->task_count);
    }
}

/* Divides the items among at most `most` tasks: adjacent ones, of equal costs. */
static void taco__payload_batch_divide(taco__payload_batch *b, size_t most)
{
    size_t i;
    uint64_t total = b->bytes + b->count * TACO__PAYLOAD_BATCH_OPEN, share = total / most + 1,
             sum = share;
    b->task_count = 0;
    for (i = 0; i < b->count; i++) {
        taco__payload_batch_task *t = &b->tasks[b->task_count ? b->task_count - 1 : 0];
        if (sum >= share) {
            t = &b->tasks[b->task_count++];
            t->first = i;
            t->ok = true;
            memset(&t->err, 0, sizeof t->err);
            sum = 0;
        }
        t->end = i + 1;
        sum += (b->zip ? b->items[i].len : b->items[i].size) + TACO__PAYLOAD_BATCH_OPEN;
    }
}

/* ---- rounds ---- */

/* The sample of an item has been stored. */
static bool taco__payload_batch_complete(taco__container_writer *p, taco__payload_batch_item *item,
                                         taco_error *err)
{
    taco__payload_batch *b = p->batch;
    uint8_t sum[4];
    bool ok = taco__zip_check_copied(&p->options, item->has_wanted, item->wanted,
                                     b->zip ? b->crc : item->crc,
                                     taco__tree_id(p->tree, item->level, item->row), err);
    if (ok && b->zip) {
        taco__put_le32(sum, b->crc);
        taco__zip_write_set_crc(&p->z, item->note, b->crc);
        if (item->header >= b->out->at) {
            memcpy(b->fill + (size_t)(item->header - b->out->at) + TACO__ZIP_LOCAL_CRC, sum, 4);
        } else {
            ok = taco__output_write_at(b->out, item->header + TACO__ZIP_LOCAL_CRC, sum, 4, err);
        }
        b->crc = 0;
    }
    taco__input_close(&item->in);
    return ok && taco__container_write_stored(p, item->size, err);
}

/* What is left to do for an item after a round, in order. */
static bool taco__payload_batch_retire_item(taco__container_writer *p,
                                            taco__payload_batch_item *item, taco_error *err)
{
    taco__payload_batch *b = p->batch;
    if (!item->summed) { /* tasks cannot read its source */
        if (!taco__input_read(&item->in, item->at, item->to, item->len, err)) { return false; }
        item->crc = taco__crc32(0, item->to, item->len);
    }
    b->crc = taco__check_payloads_join(b->crc, item->crc, item->len);
    return !item->last || taco__payload_batch_complete(p, item, err);
}

/* Goes through the items of a round, which are dropped. A failure names the sample it is about in
   p->failed. */
static bool taco__payload_batch_retire(taco__container_writer *p, taco_error *err)
{
    taco__payload_batch *b = p->batch;
    size_t i, task = 0;
    bool ok = true;
    for (i = 0; ok && i < b->count; i++) {
        taco__payload_batch_task *t;
        while (task + 1 < b->task_count && b->tasks[task + 1].first <= i) {
            task++;
        }
        t = &b->tasks[task];
        ok = t->ok || i < t->end;
        if (!ok) {
            *err = t->err;
        } else {
            ok = taco__payload_batch_retire_item(p, &b->items[i], err);
        }
        if (!ok) {
            p->failed.known = true;
            p->failed.level = b->items[i].level;
            p->failed.row = b->items[i].row;
        }
    }
    taco__payload_batch_drop(b);
    return ok;
}

/* Runs tasks for all items, the full buffer, and n others of the caller. */
static bool taco__payload_batch_round(taco__container_writer *p, size_t n, taco_error *err)
{
    taco__payload_batch *b = p->batch;
    bool writes = b->full_len != 0, pays;
    taco__payload_batch_divide(b, n ? b->task_most / 2 : b->task_most);
    n += b->task_count + (writes ? 1U : 0U);
    b->written = true;
    memset(&b->write_error, 0, sizeof b->write_error);
    pays = writes || n > b->task_count || b->bytes >= TACO__PAYLOAD_BATCH_LEAST;
    taco__tasks_run(pays ? &p->options : NULL, n, taco__payload_batch_task_run, b);
    b->full_len = 0;
    if (!b->written) { /* samples before those of the items */
        *err = b->write_error;
        taco__payload_batch_drop(b);
        return false;
    }
    return taco__payload_batch_retire(p, err);
}

/* Reads what items still refer to: their sources may be closed afterwards. */
TACO__FN bool taco__payload_batch_settle(taco__container_writer *p, taco_error *err)
{
    return !p->batch || !p->batch->count || taco__payload_batch_round(p, 0, err);
}

/* Runs n tasks of the caller's, and what there is to do. */
TACO__FN bool taco__payload_batch_run_also(taco__container_writer *p, size_t n,
                                           void (*task)(void *arg, size_t i), void *arg,
                                           taco_error *err)
{
    if (!p->batch) {
        taco__tasks_run(&p->options, n, task, arg);
        return true;
    }
    p->batch->extra = task;
    p->batch->extra_arg = arg;
    return taco__payload_batch_round(p, n, err);
}

/* After a round: the buffers change roles. */
static bool taco__payload_batch_turn(taco__container_writer *p, taco_error *err)
{
    taco__payload_batch *b = p->batch;
    uint8_t *fill = b->fill;
    if ((b->count || b->full_len) && !taco__payload_batch_round(p, 0, err)) { return false; }
    b->fill = b->full;
    b->full = fill;
    b->full_at = b->out->at;
    b->full_len = b->used;
    b->out->at += b->used;
    b->used = 0;
    return true;
}

/* Reads and writes all that is left, and frees the batch: the output continues after it. */
TACO__FN bool taco__payload_batch_end(taco__container_writer *p, taco_error *err)
{
    bool ok = true;
    if (!p->batch) { return true; }
    if (p->batch->zip) {
        ok = taco__payload_batch_turn(p, err) &&
             (!p->batch->full_len || taco__payload_batch_round(p, 0, err));
    } else {
        ok = taco__payload_batch_settle(p, err);
    }
    taco__payload_batch_free(p);
    return ok;
}

/* After a failure elsewhere: an earlier sample, whose bytes had yet to be read, may have failed,
   and that failure takes its place. False if there is none. */
TACO__FN bool taco__payload_batch_blame_earlier(taco__container_writer *p, taco_error *err)
{
    taco_error earlier = {0, TACO_OK, 0, {0}};
    if (taco__payload_batch_settle(p, &earlier)) { return false; }
    *err = earlier;
    return true;
}

/* ---- samples ---- */

/* The next item of a sample, of len bytes of its input; those of an archive get the next len bytes
   of the buffer. */
static taco__payload_batch_item *
taco__payload_batch_append(taco__payload_batch *b, const taco__input *in, uint64_t at, size_t len)
{
    taco__payload_batch_item *item = &b->items[b->count++];
    memset(item, 0, sizeof *item);
    item->in = *in;
    item->in.own = false;
    item->size = in->size;
    item->at = at;
    item->len = len;
    item->first = at == 0;
    item->last = at + len == in->size;
    item->has_wanted = in->has_crc;
    item->wanted = in->crc;
    b->bytes += len;
    return item;
}

/* The last item of a sample closes the input. */
static void taco__payload_batch_take(taco__payload_batch *b, taco__payload_batch_item *item,
                                     taco__input *in)
{
    b->files += in->own;
    item->in.own = in->own;
    in->own = false;
}

/* A file of a FOLDER, at p->path, which ends with a NUL. Inputs that tasks cannot read, or that
   must be read now, are copied at once. */
static bool taco__payload_batch_add_file(taco__container_writer *p, uint32_t level, size_t row,
                                         taco__input *in, taco_error *err)
{
    taco__payload_batch *b = p->batch;
    taco__payload_batch_item *item;
    size_t path;
#if TACO__DIRS
    if (!in->later || !taco__input_tasks_may_read(in)) {
        uint32_t crc = 0;
        return taco__payload_batch_settle(p, err) &&
               taco__dir_write_file((const char *)p->path.data, in, p->buffer, &crc, err) &&
               taco__zip_check_copied(&p->options, in->has_crc, in->crc, crc,
                                      taco__tree_id(p->tree, level, row), err) &&
               taco__container_write_stored(p, in->size, err);
    }
#endif
    if ((b->count == TACO__PAYLOAD_BATCH_ITEMS || b->files == TACO__PAYLOAD_BATCH_FILES ||
         b->bytes >= TACO__PAYLOAD_BATCH_ROUND) &&
        !taco__payload_batch_round(p, 0, err)) {
        return false;
    }
    path = b->paths.len;
    if (!taco__buf_append(&b->paths, p->path.data, p->path.len, err)) { return false; }
    item = taco__payload_batch_append(b, in, 0, 0);
    item->last = true;
    item->path = path;
    item->level = level;
    item->row = row;
    b->bytes += in->size;
    taco__payload_batch_take(b, item, in);
    return true;
}

/* Room in the buffer for len bytes and an item. */
static bool taco__payload_batch_reserve(taco__container_writer *p, size_t len, taco_error *err)
{
    const taco__payload_batch *b = p->batch;
    return (len <= TACO__PAYLOAD_BATCH_BYTES - b->used && b->count < TACO__PAYLOAD_BATCH_ITEMS &&
            b->files < TACO__PAYLOAD_BATCH_FILES) ||
           taco__payload_batch_turn(p, err);
}

/* The bytes of a sample after its header, step by step. now: they are read by the calling thread,
   into their places. */
static bool taco__payload_batch_add_bytes(taco__container_writer *p,
                                          const taco__payload_batch_item *sample, taco__input *in,
                                          bool now, taco_error *err)
{
    taco__payload_batch *b = p->batch;
    uint64_t at = 0;
    do {
        size_t n = (size_t)TACO__MIN(in->size - at, (uint64_t)TACO__OUTPUT_BYTES);
        taco__payload_batch_item *item;
        if (!taco__payload_batch_reserve(p, n, err)) { return false; }
        if (now && !taco__input_read(in, at, b->fill + b->used, n, err)) { return false; }
        item = taco__payload_batch_append(b, in, at, n);
        item->to = b->fill + b->used;
        item->header = sample->header;
        item->note = sample->note;
        item->level = sample->level;
        item->row = sample->row;
        item->read = now;
        if (n <= TACO__PAYLOAD_BATCH_NEAR && now) {
            item->crc = taco__crc32(0, item->to, n);
            item->summed = true;
        }
        b->used += n;
        at += n;
        if (item->last && !now) { taco__payload_batch_take(b, item, in); }
    } while (at < in->size);
    return true;
}

/* An entry of an archive, named p->path. Small ones that are complete at once leave no item. */
static bool taco__payload_batch_add_entry(taco__container_writer *p, uint32_t level, size_t row,
                                          taco__input *in, uint64_t *offset, taco_error *err)
{
    taco__payload_batch *b = p->batch;
    taco_bytes name = taco__bytes_of(p->path.data, p->path.len);
    size_t head = taco__zip_write_local_header_size(name, in->size),
           step = (size_t)TACO__MIN(in->size, (uint64_t)TACO__OUTPUT_BYTES);
    bool now = !taco__payload_batch_may_read(p, in) ||
               (!in->later && in->size < TACO__PAYLOAD_BATCH_FAR),
         keep = in->later;
    taco__payload_batch_item sample;
    if (!taco__zip_write_check_name(name, err) ||
        !taco__payload_batch_reserve(p, head + step, err)) {
        return false;
    }
    memset(&sample, 0, sizeof sample);
    sample.level = level;
    sample.row = row;
    sample.header = b->out->at + b->used;
    *offset = sample.header + head;
    taco__zip_write_local_header(&p->z, b->fill + b->used, name, 0, in->size);
    if (!taco__zip_write_note_entry(&p->z, name, 0, in->size, err)) { return false; }
    sample.note = p->z.crc_at;
    b->used += head;
    if (!taco__payload_batch_add_bytes(p, &sample, in, now, err)) { return false; }
    if (now && b->count == 1 && b->items[0].summed && b->items[0].first) {
        b->count = 0;
        b->bytes = 0;
        return taco__payload_batch_retire_item(p, &b->items[0], err);
    }
    return keep || now || taco__payload_batch_settle(p, err);
}

/* Adds a FILE to the batch. p->path is the name of its entry, or in a FOLDER its path with a NUL.
   Unless in->own is still set, the input is closed when it has been read. */
TACO__FN bool taco__payload_batch_add(taco__container_writer *p, uint32_t level, size_t row,
                                      taco__input *in, uint64_t *offset, taco_error *err)
{
    return p->zip ? taco__payload_batch_add_entry(p, level, row, in, offset, err)
                  : taco__payload_batch_add_file(p, level, row, in, err);
}
