/* places.c DATASET LEVEL - the FILE rows of a level as programs take them: "rows" and "bytes", the paths that two ranks get by
   shards, as in examples/mpi; "batch", the CRC-32 of the payloads in the batches of a loader. places.py compares them. */
#include "taco.h"
#include "extra/taco_write.h"

#include <stdio.h>
#include <stdlib.h>

static void shards(taco_dataset *ds, const taco_query *q, taco_shard_by by, const char *what,
                   taco_error *err)
{
    uint32_t rank;
    for (rank = 0; rank < 2; rank++) {
        taco_query part;
        if (taco_shard(ds, q, by, rank, 2, &part, err) == TACO_OK) {
            taco_cursor *row = taco_select(ds, &part, err);
            while (taco_cursor_next(row)) {
                printf("%s %s\n", what, taco_cursor_text(row, "internal:gdal_vsi"));
            }
            taco_cursor_close(row, err);
        }
    }
}

int main(int argc, char **argv)
{
    taco_error err = {0};
    taco_query q = {0};
    taco_loader_batch batch;
    taco_dataset *ds = taco_open(argc > 2 ? argv[1] : "", NULL, &err);
    taco_loader *loader;
    size_t i;
    q.table = q.level = argc > 2 ? (uint32_t)atoi(argv[2]) : 0;
    if (ds && argc <= 3) { /* not of a FOLDER, whose rows have no sizes */
        shards(ds, &q, TACO_SHARD_ROWS, "rows", &err);
        shards(ds, &q, TACO_SHARD_BYTES, "bytes", &err);
    }
    loader = taco_loader_open(ds, &q, NULL, &err);
    while (taco_loader_next(loader, &batch)) {
        for (i = 0; i < batch.count; i++) {
            printf("batch %u\n",
                   (unsigned)taco_crc32(0, batch.items[i].bytes.data, batch.items[i].bytes.len));
        }
    }
    taco_loader_close(loader, &err);
    taco_close(ds);
    if (err.code != TACO_OK) { fprintf(stderr, "%s\n", taco_error_text(&err)); }
    return err.code != TACO_OK;
}
