/* make_fixture.c - a dataset of 10,000 samples, in row groups that suit small memories

   cc -O2 make_fixture.c -o make_fixture && ./make_fixture fixture.tacozip */
#define TACO_IMPLEMENTATION
#include "../../extra/taco_write.h"
#include <stdio.h>

#define ROWS 10000

int main(int argc, char **argv)
{
    static const char collection[] =
        "{\"id\": \"fixture\", \"dataset_version\": \"1.0.0\", \"description\": \"10,000 samples\","
        " \"licenses\": [\"CC-BY-4.0\"], \"providers\": [{\"name\": \"Nobody\"}],"
        " \"tasks\": [\"classification\"]}";
    static const char *const splits[] = {"train", "test", "validation"};
    taco_error err = {0};
    taco_create_options options = {0};
    taco_writer *out;
    uint32_t seed = 1;
    int i;

    options.row_group_rows = ROWS / 10; /* a reader holds one page per column in memory */
    out = taco_create(argc > 1 ? argv[1] : "fixture.tacozip", &options, &err);
    taco_writer_collection(out, collection, sizeof collection - 1);
    taco_writer_column(out, 0, "split", TACO_TEXT);
    taco_writer_column(out, 0, "stac:crs", TACO_TEXT);
    taco_writer_column(out, 0, "stac:cloud_cover", TACO_DOUBLE);
    taco_writer_column(out, 0, "quality", TACO_INT32);
    for (i = 0; i < ROWS; i++) {
        char id[32], crs[32];
        seed = seed * 1664525U + 1013904223U;
        snprintf(id, sizeof id, "tile_%05d_%04x", i, (unsigned)(seed >> 16));
        snprintf(crs, sizeof crs, "EPSG:326%02u", 1 + (unsigned)(seed >> 8) % 60);
        taco_writer_bytes(out, id, id, (size_t)(i % 7) + 1);
        taco_writer_set_text(out, "split", splits[i % 10 < 7 ? 0 : i % 10 - 7 ? 1 : 2]);
        taco_writer_set_text(out, "stac:crs", crs);
        taco_writer_set_double(out, "stac:cloud_cover", (double)(seed >> 12) / 10485.76);
        taco_writer_set_int(out, "quality", (int64_t)(seed >> 20) % 100);
    }
    if (taco_writer_finish(out, &err) != TACO_OK) {
        fprintf(stderr, "%s\n", taco_error_text(&err));
    }
    return err.code != TACO_OK;
}
