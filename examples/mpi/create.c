/* create.c OUTPUT COLLECTION LIST - an archive of the files in LIST, one path per line, their names
   becoming the ids: the same bytes that one writer makes, written by all ranks.

   The offset of a payload depends only on sizes: rank 0 runs the writer with them, discards its
   output, and broadcasts the offsets (taco_writer_placed). Each rank then reads its share of the
   files, computes their CRCs and writes them, one after another, so that one rank reads while another
   writes: file systems that lock a whole file let one process write at a time. With the CRCs, rank 0
   runs the writer again for everything but the payload. The file is OUTPUT.part until rank 0 renames
   it: when a rank fails, nothing is left under the name OUTPUT, and only a rank that is killed leaves
   OUTPUT.part. --fail N and --kill N make rank N fail, or kill it, to test that. */
#include "mpi_taco.h"

#include <signal.h>

typedef struct entry {
    char *path;
    const char *id;
    uint64_t size, offset;
    uint32_t crc;
} entry;

/* A buffer into which files are read one after another. */
typedef struct memory {
    uint8_t *data;
    size_t cap;
} memory;

/* Reads a whole file into *m and puts a NUL after it. */
static bool slurp(const char *path, memory *m, uint64_t *size, taco_error *err)
{
    taco_source src;
    if (taco_source_file(&src, path, err) != TACO_OK) { return false; }
    *size = src.size;
    if (src.size >= m->cap) {
        free(m->data);
        m->cap = (size_t)src.size + 1;
        m->data = (uint8_t *)malloc(m->cap);
    }
    if (!m->data || (src.size && !src.read(src.ctx, 0, m->data, (size_t)src.size))) {
        mpi_fail(err, TACO_ERR_IO, path, "cannot be read");
    } else {
        m->data[src.size] = 0;
    }
    src.close(src.ctx);
    return err->code == TACO_OK;
}

/* All ranks: returns the bytes of a file, which rank 0 reads; NULL, on all ranks, on failure. */
static char *shared(const char *path, uint64_t *size, taco_error *err)
{
    memory m = {0};
    if (mpi_rank() == 0) { slurp(path, &m, size, err); }
    if (!mpi_agree(err)) {
        free(m.data);
        return NULL;
    }
    mpi_bcast(size, sizeof *size, 0);
    if (mpi_rank() != 0) { m.data = (uint8_t *)malloc((size_t)*size + 1); }
    if (!m.data) { MPI_Abort(MPI_COMM_WORLD, 1); }
    mpi_bcast(m.data, *size + 1, 0);
    return (char *)m.data;
}

/* Splits a text into lines, in place: the lines point into it. */
static entry *split(char *text, size_t *n)
{
    entry *list = NULL;
    char *line = text, *end, *slash;
    size_t room = 0;
    *n = 0;
    for (; *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end) { *end++ = 0; }
        if (!*line) { continue; }
        if (*n == room) {
            room = room ? 2 * room : 1024;
            list = (entry *)realloc(list, room * sizeof *list);
            if (!list) { MPI_Abort(MPI_COMM_WORLD, 1); }
        }
        memset(&list[*n], 0, sizeof list[*n]);
        slash = strrchr(line, '/');
        list[*n].path = line;
        list[(*n)++].id = slash ? slash + 1 : line;
    }
    return list;
}

/* The sizes of this rank's files. */
static void measure(entry *list, size_t from, size_t to, taco_error *err)
{
    size_t i;
    for (i = from; i < to && err->code == TACO_OK; i++) {
        taco_source src;
        if (taco_source_file(&src, list[i].path, err) != TACO_OK) { return; }
        list[i].size = src.size;
        src.close(src.ctx);
    }
}

/* All ranks: exchanges the sizes and CRCs that each rank has of its own files. */
static void exchange(entry *list, size_t n)
{
    uint64_t *all = (uint64_t *)malloc((n + 1) * 2 * sizeof *all);
    int rank, size = mpi_size();
    size_t i;
    if (!all) { MPI_Abort(MPI_COMM_WORLD, 1); }
    for (rank = 0; rank < size; rank++) {
        size_t from = n * (size_t)rank / (size_t)size, to = n * ((size_t)rank + 1) / (size_t)size;
        for (i = from; i < to; i++) {
            all[2 * i] = list[i].size;
            all[2 * i + 1] = list[i].crc;
        }
        mpi_bcast(all + 2 * from, (to - from) * 2 * sizeof *all, rank);
        for (i = from; i < to; i++) {
            list[i].size = all[2 * i];
            list[i].crc = (uint32_t)all[2 * i + 1];
        }
    }
    free(all);
}

static bool put(MPI_File f, uint64_t offset, const void *src, uint64_t len)
{
    uint64_t at, n;
    for (at = 0; at < len; at += n) {
        n = len - at < (1u << 30) ? len - at : 1u << 30;
        if (MPI_File_write_at(f, (MPI_Offset)(offset + at), (const char *)src + at, (int)n,
                              MPI_BYTE, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
            return false;
        }
    }
    return true;
}

/* The writer's taco_sink: writes everything but payload, or nothing if there is no file. All ranks
   together close and rename the file. */
static bool sink_write(void *ctx, uint64_t offset, const void *src, size_t len)
{
    return !ctx || put(*(MPI_File *)ctx, offset, src, len);
}

static bool sink_close(void *ctx, bool keep)
{
    (void)ctx;
    (void)keep;
    return true;
}

/* Rank 0: computes the offsets of the payloads and writes the rest of the archive. Without a file
   it only computes the offsets. */
static void frame(entry *list, size_t n, MPI_File *f, const char *collection, uint64_t len,
                  taco_error *err)
{
    taco_sink sink;
    taco_writer *w;
    size_t i;
    sink.ctx = f;
    sink.write = sink_write;
    sink.close = sink_close;
    w = taco_create_sink(&sink, NULL, err);
    taco_writer_collection(w, collection, (size_t)len);
    for (i = 0; i < n; i++) {
        taco_writer_placed(w, list[i].id, list[i].size, list[i].crc, &list[i].offset);
    }
    taco_writer_finish(w, err);
}

/* All ranks: receives the offsets from rank 0. */
static void places(entry *list, size_t n)
{
    uint64_t *all = (uint64_t *)malloc((n + 1) * sizeof *all);
    size_t i;
    if (!all) { MPI_Abort(MPI_COMM_WORLD, 1); }
    for (i = 0; i < n; i++) {
        all[i] = list[i].offset;
    }
    mpi_bcast(all, n * sizeof *all, 0);
    for (i = 0; i < n; i++) {
        list[i].offset = all[i];
    }
    free(all);
}

/* Reads and writes this rank's payloads; fails if the size of a file has changed. */
static uint64_t store(entry *list, size_t from, size_t to, MPI_File f, taco_error *err)
{
    memory m = {0};
    uint64_t bytes = 0, size = 0;
    size_t i;
    for (i = from; i < to; i++) {
        entry *e = &list[i];
        if (!slurp(e->path, &m, &size, err)) { break; }
        if (size != e->size) {
            mpi_fail(err, TACO_ERR_IO, e->path, "changed while it was read");
            break;
        }
        e->crc = taco_crc32(0, m.data, (size_t)size);
        if (!put(f, e->offset, m.data, size)) {
            mpi_fail(err, TACO_ERR_IO, e->path, "cannot be written to the archive");
            break;
        }
        bytes += size;
    }
    free(m.data);
    return bytes;
}

/* All ranks: writes the archive into an open file. Returns the payload bytes that this rank wrote. */
static uint64_t fill(entry *list, size_t n, MPI_File f, const char *collection, uint64_t len,
                     mpi_time *spent, taco_error *err)
{
    size_t rank = (size_t)mpi_rank(), size = (size_t)mpi_size();
    size_t from = n * rank / size, to = n * (rank + 1) / size;
    uint64_t bytes;
    mpi_begin(spent);
    if (rank == 0) { frame(list, n, NULL, collection, len, err); }
    mpi_pause(spent);
    if (!mpi_agree(err)) { return 0; }
    places(list, n);
    mpi_begin(spent);
    bytes = store(list, from, to, f, err);
    mpi_pause(spent);
    if (!mpi_agree(err)) { return bytes; }
    exchange(list, n);
    mpi_begin(spent);
    if (rank == 0) { frame(list, n, &f, collection, len, err); }
    mpi_pause(spent);
    return bytes;
}

/* Whether the option NAME RANK names this rank. */
static bool asked(int argc, char **argv, const char *name)
{
    return argc > 5 && strcmp(argv[4], name) == 0 && mpi_rank() == atoi(argv[5]);
}

int main(int argc, char **argv)
{
    taco_error err = {0};
    char part[4096], *collection, *text = NULL;
    uint64_t len = 0, size = 0, bytes = 0;
    entry *list = NULL;
    size_t n = 0, from = 0, to = 0;
    mpi_time spent = {0, 0, 0};
    MPI_File f;
    MPI_Init(&argc, &argv);
    if (argc < 4) {
        fprintf(stderr, "usage: create OUTPUT COLLECTION LIST [--fail RANK]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    snprintf(part, sizeof part, "%.4000s.part", argv[1]);
    collection = shared(argv[2], &len, &err);
    if (collection) { text = shared(argv[3], &size, &err); }
    if (!text) {
        free(collection);
        return mpi_end(&err);
    }
    list = split(text, &n);
    from = n * (size_t)mpi_rank() / (size_t)mpi_size();
    to = n * ((size_t)mpi_rank() + 1) / (size_t)mpi_size();
    mpi_begin(&spent);
    measure(list, from, to, &err);
    mpi_pause(&spent);
    if (asked(argc, argv, "--fail")) {
        mpi_fail(&err, TACO_ERR_IO, argv[5], "a rank that was asked to fail");
    }
    if (mpi_agree(&err)) {
        exchange(list, n);
        if (MPI_File_open(MPI_COMM_WORLD, part, MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_EXCL,
                          MPI_INFO_NULL, &f) != MPI_SUCCESS) {
            mpi_fail(&err, TACO_ERR_IO, part, "cannot be made");
        } else {
            if (asked(argc, argv, "--kill")) { raise(SIGKILL); }
            bytes = fill(list, n, f, collection, len, &spent, &err);
            mpi_agree(&err);
            if (MPI_File_sync(f) != MPI_SUCCESS) {
                mpi_fail(&err, TACO_ERR_IO, part, "cannot be flushed");
            }
            MPI_File_close(&f);
            mpi_agree(&err);
            if (mpi_rank() == 0 && (err.code != TACO_OK || rename(part, argv[1]) != 0)) {
                mpi_fail(&err, TACO_ERR_IO, argv[1], "cannot be renamed");
                remove(part);
            }
        }
        if (mpi_agree(&err)) { mpi_report("samples", to - from, to - from, bytes, &spent); }
    }
    free(list);
    free(text);
    free(collection);
    return mpi_end(&err);
}
