/* scan.c DATASET [WHERE [REPEAT]] - prints the ids of matching rows in storage order; every rank
   scans a part of the rows. DATASET is an archive, or a `__TACOCAT__` with any number of sources.
   REPEAT is how many times to scan, for measurements. */
#include "mpi_taco.h"

/* Scans this rank's rows and appends the ids of matching ones to *out. */
static uint64_t scan(taco_dataset *ds, const char *where, mpi_text *out, taco_error *err)
{
    taco_query q = {0}, part;
    taco_cursor *rows;
    taco_batch b;
    uint64_t n = 0;
    size_t i;
    q.where = where;
    q.select = "id";
    if (taco_shard(ds, &q, TACO_SHARD_ROWS, (uint32_t)mpi_rank(), (uint32_t)mpi_size(), &part,
                   err) != TACO_OK) {
        return 0;
    }
    rows = taco_select(ds, &part, err);
    while (taco_cursor_batch(rows, &b)) {
        for (i = 0; out && i < b.length; i++) {
            taco_bytes id = taco_array_bytes(&b.columns[0], i);
            mpi_text_add_bytes(out, id.data, id.len);
            mpi_text_add(out, "\n");
        }
        n += b.length;
    }
    taco_cursor_close(rows, err);
    return n;
}

int main(int argc, char **argv)
{
    taco_error err = {0};
    mpi_file file;
    mpi_text ids = {0};
    taco_dataset *ds;
    uint64_t n = 0;
    mpi_time spent = {0, 0, 0};
    int repeat;
    MPI_Init(&argc, &argv);
    repeat = argc > 3 ? atoi(argv[3]) : 0;
    ds = mpi_open(argc > 1 ? argv[1] : "", &file, NULL, &err);
    if (ds) {
        const char *where = argc > 2 && argv[2][0] ? argv[2] : NULL;
        n = scan(ds, where, &ids, &err);
        mpi_begin(&spent);
        while (repeat-- > 0 && err.code == TACO_OK) {
            scan(ds, where, NULL, &err);
        }
        mpi_pause(&spent);
        if (mpi_agree(&err)) {
            mpi_print(&ids);
            mpi_report("rows", n, file.reads, file.bytes, &spent);
        }
    }
    free(ids.data);
    taco_close(ds);
    return mpi_end(&err);
}
