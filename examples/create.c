/* Creates demo.tacozip with three files.  cc -O2 -I. examples/create.c -o create */
#define TACO_IMPLEMENTATION
#include "../extra/taco_write.h"
#include <stdio.h>

int main(int argc, char **argv)
{
    static const char collection[] =
        "{\"id\": \"demo\", \"dataset_version\": \"1.0.0\", \"description\": \"Three images\","
        " \"licenses\": [\"CC-BY-4.0\"], \"providers\": [{\"name\": \"Nobody\"}],"
        " \"tasks\": [\"classification\"]}";
    taco_error err = {0};
    taco_writer *out = taco_create(argc > 1 ? argv[1] : "demo.tacozip", NULL, &err);
    int i;

    taco_writer_collection(out, collection, sizeof collection - 1);
    taco_writer_column(out, 0, "split", TACO_TEXT);
    taco_writer_column(out, 0, "stac:cloud_cover", TACO_DOUBLE);
    for (i = 0; i < 3; i++) {
        char id[32], path[64];
        snprintf(id, sizeof id, "img_%03d.tif", i);
        snprintf(path, sizeof path, "images/%s", id);
        if (argc > 2) {
            taco_writer_bytes(out, id, argv[2], strlen(argv[2]));
        } else {
            taco_writer_file(out, id, path);
        }
        taco_writer_set_text(out, "split", i ? "train" : "test");
        taco_writer_set_double(out, "stac:cloud_cover", 2.5 * i);
    }
    if (taco_writer_finish(out, &err) != TACO_OK) {
        fprintf(stderr, "%s\n", taco_error_text(&err));
    }
    return err.code != TACO_OK;
}
