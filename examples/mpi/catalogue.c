/* catalogue.c OUTPUT LIST - a catalogue (`__TACOCAT__` or .tacocat) of the archives in LIST, one path
   per line. Each rank checks an equal share of the archives, which is most of the work; then rank 0
   writes the catalogue, byte for byte as taco_create_tacocat does. */
#include "mpi_taco.h"

/* What this rank has read, and one of the files it reads from. */
typedef struct total {
    uint64_t reads, bytes;
} total;

typedef struct counted {
    taco_source file;
    total *sum;
} counted;

static bool counted_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    counted *c = (counted *)ctx;
    c->sum->reads++;
    c->sum->bytes += len;
    return c->file.read(c->file.ctx, offset, dst, len);
}

static void counted_close(void *ctx)
{
    counted *c = (counted *)ctx;
    c->file.close(c->file.ctx);
    free(c);
}

/* taco_options.open_file; ctx is the total. */
static bool counted_open(void *ctx, const char *path, taco_source *out)
{
    counted *c = (counted *)calloc(1, sizeof *c);
    if (!c || taco_source_file(&c->file, path, NULL) != TACO_OK) {
        free(c);
        return false;
    }
    c->sum = (total *)ctx;
    memset(out, 0, sizeof *out);
    out->ctx = c;
    out->size = c->file.size;
    out->read = counted_read;
    out->close = counted_close;
    return true;
}

int main(int argc, char **argv)
{
    taco_error err = {0};
    const char **paths = NULL;
    char *text = NULL, *line, *end;
    taco_source src;
    taco_options counting = {0};
    total sum = {0, 0};
    mpi_time spent = {0, 0, 0};
    size_t n = 0, room = 0, i, from, to;
    MPI_Init(&argc, &argv);
    if (taco_source_file(&src, argc > 2 ? argv[2] : "", &err) == TACO_OK) {
        text = (char *)calloc((size_t)src.size + 1, 1);
        if (!text || (src.size && !src.read(src.ctx, 0, text, (size_t)src.size))) {
            mpi_fail(&err, TACO_ERR_IO, argv[2], "cannot be read");
        }
        src.close(src.ctx);
    }
    if (!mpi_agree(&err)) { return mpi_end(&err); }
    for (line = text; *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end) { *end++ = 0; }
        if (n == room) {
            room = room ? 2 * room : 1024;
            paths = (const char **)realloc(paths, room * sizeof *paths);
            if (!paths) { MPI_Abort(MPI_COMM_WORLD, 1); }
        }
        paths[n++] = line;
    }
    from = n * (size_t)mpi_rank() / (size_t)mpi_size();
    to = n * ((size_t)mpi_rank() + 1) / (size_t)mpi_size();
    counting.open_file = counted_open;
    counting.open_ctx = &sum;
    mpi_begin(&spent);
    for (i = from; i < to && err.code == TACO_OK; i++) {
        taco_validate(paths[i], &counting, NULL, NULL, &err);
    }
    mpi_pause(&spent);
    if (mpi_agree(&err)) {
        if (mpi_rank() == 0) {
            taco_merge_options how = {0};
            how.unchecked = true;
            taco_create_tacocat(argv[1], paths, n, &how, &err);
        }
        if (mpi_agree(&err)) { mpi_report("archives", to - from, sum.reads, sum.bytes, &spent); }
    }
    free(paths);
    free(text);
    return mpi_end(&err);
}
