/* ==== ROOM finding: what validation tells: problems with their place, counted. Uses: pq:error pq:text ==== */

#define TACO__FINDING_EACH                                                                         \
    100 /* problems of one kind in one table; the others are counted: text is slow, files are large */
#define TACO__FINDING_KINDS 512

/* What one validation has found so far; the parts of a catalogue share it. */
typedef struct taco__finding {
    const taco_validate_options *how;
    taco_validated              *sum;
    taco_error                   first; /* error */
    bool                         stop;  /* the caller has seen enough */
    const char                  *part;  /* "east.tacozip: " of a catalogue, or "" */
    char                         where[512];
    uint16_t told[TACO__FINDING_KINDS]; /* of this table, by line of this header */
    uint64_t left;                      /* problems that were only counted */
    uint64_t done, total;               /* bytes, for progress */
} taco__finding;

/* Where the problems that follow are. */
TACO__FN void taco__finding_at(taco__finding *f, const char *where, ...)
{
    taco__fmt out;
    va_list   args;
    out.at = f->where;
    out.end = f->where + sizeof f->where;
    *out.at = 0;
    taco__fmt_text(&out, f->part);
    va_start(args, where);
    taco__fmt_list(&out, where, args);
    va_end(args);
}
TACO__FN void taco__finding_tell(taco__finding *f, bool error, const taco_error *e)
{
    taco_problem p;
    if (f->stop) {
        return;
    }
    p.error = error;
    p.where = f->where;
    p.message = e->text;
    f->sum->errors += error;
    f->sum->warnings += !error;
    if (error && f->first.code == TACO_OK) {
        f->first = *e;
        if (f->where[0]) {
            taco__error_prefix(&f->first, "%s", f->where);
        }
    }
    f->stop = f->how->found && !f->how->found(f->how->ctx, &p);
}
/* Whether a problem of this kind is worth its text. */
TACO__FN bool taco__finding_wanted(taco__finding *f, int line)
{
    uint16_t *told = &f->told[(unsigned)line % TACO__FINDING_KINDS];
    if (f->stop || *told >= TACO__FINDING_EACH) {
        f->left++;
        return false;
    }
    ++*told;
    return true;
}
#define TACO__FINDING_SAY(f, error, ...)                                                           \
    do {                                                                                           \
        if (taco__finding_wanted((f), __LINE__)) {                                                 \
            taco_error taco__e;                                                                    \
            memset(&taco__e, 0, sizeof taco__e);                                                   \
            TACO__FAIL(&taco__e, TACO_ERR_CORRUPT, TACO_NO_OFFSET, __VA_ARGS__);                   \
            taco__finding_tell((f), (error), &taco__e);                                            \
        } else if (error) {                                                                        \
            (f)->sum->errors++;                                                                    \
        } else {                                                                                   \
            (f)->sum->warnings++;                                                                  \
        }                                                                                          \
    } while (0)
#define TACO__FINDING_ERROR(f, ...) TACO__FINDING_SAY(f, true, __VA_ARGS__)
#define TACO__FINDING_WARN(f, ...)  TACO__FINDING_SAY(f, false, __VA_ARGS__)

/* A failure of another room as a problem, and the error empty again. True when it is one: running out of memory
   says nothing about the dataset, and stays in *e. */
TACO__FN bool taco__finding_take(taco__finding *f, taco_error *e)
{
    if (e->code == TACO_ERR_MEMORY) {
        return false;
    }
    if (e->code != TACO_OK) {
        taco__finding_tell(f, true, e);
    }
    memset(e, 0, sizeof *e);
    return true;
}
/* Ends a table: what was only counted is summed up in one line. */
TACO__FN void taco__finding_end(taco__finding *f, const char *table)
{
    if (f->left && !f->stop) {
        uint64_t   left = f->left;
        taco_error e;
        memset(&e, 0, sizeof e);
        taco__finding_at(f, "%s", table);
        TACO__FAIL(&e, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "%u further problems of these kinds",
                   left);
        f->sum->warnings--; /* they are counted already */
        taco__finding_tell(f, false, &e);
    }
    f->left = 0;
    memset(f->told, 0, sizeof f->told);
}
TACO__FN void taco__finding_progress(taco__finding *f, uint64_t bytes)
{
    f->done += bytes;
    f->sum->bytes += bytes;
    if (f->how->progress && !f->how->progress(f->how->ctx, f->done, f->total)) {
        f->stop = true;
    }
}

/* Reads a range to its end in pieces, for its CRC. False with *e set when it cannot be read. */
TACO__FN bool taco__finding_read(taco__finding *f, taco__file *file, taco__range r,
                                 taco__buf *window, uint32_t *crc, taco_error *e)
{
    *crc = 0;
    while (r.len && !f->stop) {
        size_t         n = (size_t)TACO__MIN(r.len, (uint64_t)TACO__WINDOW);
        const uint8_t *p = taco__file_view(file, r.offset, n, window, e);
        if (!p) {
            return false;
        }
        *crc = taco__hash_crc32(*crc, p, n);
        r.offset += n;
        r.len -= n;
        taco__finding_progress(f, n);
    }
    return true;
}
/* Names and paths as numbers: the state of a longer path goes on from that of its beginning, so that a row's path is
   its parent's and the id. Equal numbers of different paths would hide a fault, nothing worse. */
#define TACO__FINDING_HASH ((uint64_t)0xCBF29CE484222325U)
TACO__FN uint64_t taco__finding_hash(uint64_t h, taco_bytes b)
{
    size_t i;
    for (i = 0; i < b.len; i++) {
        h = (h ^ b.data[i]) * (uint64_t)0x100000001B3U;
    }
    return h;
}

