/* gdal_writer.c OUTPUT - an archive of one sample whose bytes are those of standard input, written through GDAL, for s3.py. */
#define TACO_STATIC
#define TACO_IMPLEMENTATION
#include "../../extra/taco_gdal.h"

#include <stdio.h>
#include <string.h>

static const char collection[] =
    "{\"id\": \"s\", \"dataset_version\": \"1.0.0\", \"description\": \"d\", \"licenses\": "
    "[\"CC-BY-4.0\"], "
    "\"providers\": [{\"name\": \"N\"}], \"tasks\": [\"classification\"]}";

int main(int argc, char **argv)
{
    static char bytes[1 << 20];
    size_t n = fread(bytes, 1, sizeof bytes, stdin);
    taco_error err = {0};
    taco_sink sink;
    if (taco_gdal_sink(&sink, argc > 1 ? argv[1] : "", NULL, &err) == TACO_OK) {
        taco_writer *w = taco_create_sink(&sink, NULL, &err);
        taco_writer_collection(w, collection, strlen(collection));
        taco_writer_bytes(w, "a.tif", bytes, n);
        taco_writer_finish(w, &err);
    }
    if (err.code) { fprintf(stderr, "%s\n", taco_error_text(&err)); }
    return err.code != TACO_OK;
}
