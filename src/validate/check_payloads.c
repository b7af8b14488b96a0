/* check_payloads.c - the bytes of every entry of an archive against their CRC-32

   In: the entries of the central directory that check_zip.c has placed, in the order of the file;
   out: problems, in that order, and progress. PKWARE APPNOTE 6.3.10 §4.4.7. Everything is stored,
   nothing compressed: an entry's bytes are its payload.

   Work is done in rounds. Entries are cut into pieces; consecutive pieces form a task, which
   reads the file a window at a time and computes the CRC of each piece. Tasks are run by the
   host's parallel_for if they may read the file concurrently, otherwise by the calling thread.
   The calling thread then joins the CRCs of each entry's pieces and reports. It reads again what
   a task could not read, so that messages do not depend on threads.

   Start reading at taco__check_payloads_run. */
#include "validate.h"
#include "../base/base.h"

/* Most bytes of a piece (a whole number of windows) and of a round; most pieces of a task and of a
   round, and most tasks. */
#define TACO__PAYLOAD_PIECE       ((uint64_t)4 << 20)
#define TACO__PAYLOAD_ROUND       ((uint64_t)64 << 20)
#define TACO__PAYLOAD_TASK_PIECES 512
#define TACO__PAYLOAD_PIECES      8192
#define TACO__PAYLOAD_TASKS       48
/* Least bytes for which waking threads pays off. */
#define TACO__PAYLOAD_LEAST ((uint64_t)262144)

typedef struct taco__payload_piece {
    const taco__check_zip_entry *entry;
    uint64_t offset, len; /* offset and length in the file */
    uint32_t crc;
    bool ok; /* the piece was read */
} taco__payload_piece;

typedef struct taco__payload_task {
    taco__mem own;
    size_t first, end; /* pieces */
    uint64_t bytes;
} taco__payload_task;

typedef struct taco__check_payloads {
    taco__check_zip *z;
    taco__payload_piece *pieces; /* capacity: `room` */
    size_t room, count;
    taco__payload_task *tasks;
    size_t task_count;
    uint64_t bytes; /* bytes of the round */
    size_t entry;   /* next entry to cut, */
    uint64_t cut;   /* and how many of its bytes are in pieces */
    /* of the entry whose pieces are being joined */
    uint32_t crc;
    bool failed;
} taco__check_payloads;

static bool taco__check_payloads_is_checked(const taco__check_zip_entry *e)
{
    return e->placed && e->stored;
}

/* ---- joining CRCs ---- */

/* The product of two polynomials modulo the CRC-32 polynomial; the highest bit is the coefficient
   of x^0. */
static uint32_t taco__check_payloads_multiply(uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    for (; a; a <<= 1) {
        product ^= a >> 31 ? b : 0;
        b = b & 1 ? b >> 1 ^ 0xEDB88320U : b >> 1;
    }
    return product;
}

/* CRC of two parts together, of CRC a and b, the second of `len` bytes: a * x^(8 len) + b. */
TACO__FN uint32_t taco__check_payloads_join(uint32_t a, uint32_t b, uint64_t len)
{
    uint32_t power = 0x800000U; /* x^8, then its squares */
    if (!a) { return b; }       /* the first piece; most entries have only one */
    for (; len; len >>= 1) {
        if (len & 1) { a = taco__check_payloads_multiply(power, a); }
        power = taco__check_payloads_multiply(power, power);
    }
    return a ^ b;
}

/* ---- a round ---- */

/* Adds a piece to the last task, or begins one. */
static void taco__check_payloads_add(taco__check_payloads *p, const taco__payload_piece *piece)
{
    taco__payload_task *t = &p->tasks[p->task_count ? p->task_count - 1 : 0];
    if (!p->task_count || t->end - t->first == TACO__PAYLOAD_TASK_PIECES ||
        t->bytes + piece->len > TACO__PAYLOAD_PIECE) {
        t = &p->tasks[p->task_count++];
        memset(t, 0, sizeof *t);
        t->first = t->end = p->count;
    }
    t->bytes += piece->len;
    t->end++;
    p->bytes += piece->len;
    p->pieces[p->count++] = *piece;
}

/* Cuts the next entries into pieces. False at the end of the entries. */
static bool taco__check_payloads_cut(taco__check_payloads *p)
{
    p->count = p->task_count = 0;
    p->bytes = 0;
    while (p->entry < p->z->count && p->count < p->room && p->bytes < TACO__PAYLOAD_ROUND &&
           p->task_count < TACO__PAYLOAD_TASKS) {
        const taco__check_zip_entry *e = &p->z->entries[p->entry];
        taco__payload_piece piece;
        memset(&piece, 0, sizeof piece);
        piece.entry = e;
        piece.offset = e->data + p->cut;
        piece.len = TACO__MIN(e->size - p->cut, TACO__PAYLOAD_PIECE);
        if (taco__check_payloads_is_checked(e)) { taco__check_payloads_add(p, &piece); }
        p->cut += piece.len;
        if (p->cut == e->size || !taco__check_payloads_is_checked(e)) {
            p->entry++;
            p->cut = 0;
        }
    }
    return p->count > 0;
}

/* ---- tasks ---- */

/* The n bytes at offset, n at most a window. Bytes after them up to `end` are read along for the
   next pieces; *at is the offset of the window. NULL if they cannot be read. */
static const uint8_t *taco__check_payloads_view(taco__file *file, uint64_t offset, size_t n,
                                                uint64_t end, taco__buf *window, uint64_t *at)
{
    const uint8_t *p = taco__file_cached(file, offset, n);
    size_t len = n;
    if (p) { return p; }
    if (offset >= *at && taco__checked_range(offset - *at, n, window->len)) {
        return window->data + (size_t)(offset - *at);
    }
    if (end > offset + n) {
        len = (size_t)TACO__MIN(end - offset, (uint64_t)TACO__FILE_WINDOW);
        len = TACO__MAX(len, n);
    }
    window->len = 0;
    if (!taco__buf_reset(window, len, NULL) ||
        !taco__file_read(file, offset, window->data, len, NULL)) {
        return NULL;
    }
    *at = offset;
    window->len = len;
    return window->data;
}

static void taco__check_payloads_task(void *arg, size_t i)
{
    taco__check_payloads *p = (taco__check_payloads *)arg;
    taco__payload_task *t = &p->tasks[i];
    const taco__payload_piece *last = &p->pieces[t->end - 1];
    const uint64_t end = last->offset + last->len;
    uint64_t at = 0;
    taco__buf window;
    size_t k;
    memset(&window, 0, sizeof window);
    window.mem = &t->own;
    for (k = t->first; k < t->end; k++) {
        taco__payload_piece *piece = &p->pieces[k];
        uint64_t done = 0;
        piece->ok = true;
        while (piece->ok && done < piece->len) {
            size_t n = (size_t)TACO__MIN(piece->len - done, (uint64_t)TACO__FILE_WINDOW);
            const uint8_t *b =
                taco__check_payloads_view(p->z->file, piece->offset + done, n, end, &window, &at);
            piece->ok = b != NULL;
            if (b) { piece->crc = taco__crc32(piece->crc, b, n); }
            done += n;
        }
    }
    taco__buf_free(&window);
}

static void taco__check_payloads_work(taco__check_payloads *p)
{
    const taco_options *host = p->z->options;
    const taco__file *file = p->z->file;
    size_t i;
    bool tasks = taco__tasks_width(host, p->task_count) > 1 && p->bytes >= TACO__PAYLOAD_LEAST &&
                 (file->src.view || taco__file_tasks_may_read(file));
    for (i = 0; i < p->task_count; i++) {
        taco__mem_task_begin(p->z->mem, &p->tasks[i].own, tasks ? p->task_count : 1);
    }
    taco__tasks_run(tasks ? host : NULL, p->task_count, taco__check_payloads_task, p);
    for (i = 0; i < p->task_count; i++) {
        taco__mem_task_merge(p->z->mem, &p->tasks[i].own);
    }
}

/* ---- findings ---- */

/* Adds a piece to the CRC of its entry, and reports progress after each window; a piece that was
   not read is read again. False with *e set if that fails. */
static bool taco__check_payloads_count(taco__check_payloads *p, const taco__payload_piece *piece,
                                       taco_error *e)
{
    taco__findings *f = p->z->f;
    uint32_t crc = piece->crc;
    uint64_t done = 0;
    if (!piece->ok) {
        taco__range r;
        r.offset = piece->offset;
        r.len = piece->len;
        if (!taco__findings_read_crc(f, p->z->file, r, &p->z->scratch, &crc, e)) { return false; }
        done = piece->len;
    }
    while (done < piece->len && !f->stop) {
        uint64_t n = TACO__MIN(piece->len - done, (uint64_t)TACO__FILE_WINDOW);
        taco__findings_progress(f, n);
        done += n;
    }
    p->crc = taco__check_payloads_join(p->crc, crc, piece->len);
    return true;
}

/* Reports what was found in a piece; after the last piece of an entry its CRC is compared with the
   directory. False with *err set if the check itself failed. */
static bool taco__check_payloads_report(taco__check_payloads *p, const taco__payload_piece *piece,
                                        taco_error *err)
{
    taco__findings *f = p->z->f;
    const taco__check_zip_entry *e = piece->entry;
    taco_bytes name = taco__check_zip_name(p->z, e);
    taco_error why;
    memset(&why, 0, sizeof why);
    if (piece->offset == e->data) {
        p->crc = 0;
        p->failed = false;
    }
    if (p->failed) { return true; }
    if (!taco__check_payloads_count(p, piece, &why)) {
        p->failed = true;
        taco__findings_set_place(f, "%q", &name);
        if (taco__findings_take_error(f, &why)) { return true; }
        *err = why;
        return false;
    }
    if (piece->offset + piece->len == e->data + e->size && p->crc != e->crc && !f->stop) {
        taco__findings_set_place(f, "%q", &name);
        TACO__FINDINGS_ERROR(f, "its %u bytes at %u have the CRC-32 (checksum) %x, not %x", e->size,
                             e->data, TACO__U(p->crc), TACO__U(e->crc));
    }
    return true;
}

/* Rounds until the last entry, or until the caller stops. */
static bool taco__check_payloads_rounds(taco__check_payloads *p, taco_error *err)
{
    size_t i;
    while (!p->z->f->stop && taco__check_payloads_cut(p)) {
        taco__check_payloads_work(p);
        for (i = 0; i < p->count && !p->z->f->stop; i++) {
            if (!taco__check_payloads_report(p, &p->pieces[i], err)) { return false; }
        }
    }
    taco__findings_end_table(p->z->f, "payloads");
    return true;
}

/* Reads the bytes of every entry (deep): their CRC-32 must match the directory. */
TACO__FN bool taco__check_payloads_run(taco__check_zip *z, taco_error *err)
{
    taco__check_payloads p;
    size_t i, tasks;
    bool ok;
    memset(&p, 0, sizeof p);
    p.z = z;
    for (i = 0; i < z->count; i++) {
        const taco__check_zip_entry *e = &z->entries[i];
        const uint64_t size = taco__check_payloads_is_checked(e) ? e->size : 0;
        z->f->total += size;
        p.room += (size_t)TACO__MIN(1 + size / TACO__PAYLOAD_PIECE, (uint64_t)TACO__PAYLOAD_PIECES);
        p.room = TACO__MIN(p.room, (size_t)TACO__PAYLOAD_PIECES);
    }
    tasks = TACO__MIN(p.room, (size_t)TACO__PAYLOAD_TASKS);
    p.pieces = (taco__payload_piece *)taco__mem_alloc(z->mem, p.room * sizeof *p.pieces, err);
    p.tasks = p.pieces ? (taco__payload_task *)taco__mem_alloc(z->mem, tasks * sizeof *p.tasks, err)
                       : NULL;
    ok = p.tasks && taco__check_payloads_rounds(&p, err);
    taco__mem_free(z->mem, p.tasks, tasks * sizeof *p.tasks);
    taco__mem_free(z->mem, p.pieces, p.room * sizeof *p.pieces);
    return ok;
}
