/* arrow.c - passes the rows of a query to a consumer of the Arrow C stream interface, here a loop
   that sums a column of floats. cc -O2 examples/arrow.c -o arrow && ./arrow [DATASET] */
#define TACO_IMPLEMENTATION
#include "../taco.h"
#include <stdio.h>

/* What pyarrow, DuckDB, polars or GDAL would do with the stream. */
static int consume(struct ArrowArrayStream *stream)
{
    struct ArrowSchema schema;
    struct ArrowArray batch;
    int64_t i, rows = 0;
    double sum = 0;
    int code = stream->get_schema(stream, &schema);
    if (code == 0) {
        printf("%s: %s\n", schema.children[0]->name, schema.children[0]->format);
        schema.release(&schema);
    }
    while (code == 0 && (code = stream->get_next(stream, &batch)) == 0 && batch.release) {
        const struct ArrowArray *column = batch.children[0];
        const uint8_t *valid = (const uint8_t *)column->buffers[0];
        for (i = 0; i < column->length; i++) {
            if (!valid || valid[i / 8] >> i % 8 & 1) {
                sum += (double)((const float *)column->buffers[1])[i];
                rows++;
            }
        }
        batch.release(&batch); /* may also happen later, on any thread */
    }
    if (code == 0) {
        printf("%lld values, %g in all\n", (long long)rows, sum);
    } else {
        fprintf(stderr, "%s\n", stream->get_last_error(stream));
    }
    stream->release(stream); /* closes the cursor and the dataset */
    return code != 0;
}

int main(int argc, char **argv)
{
    taco_query query = {0};
    taco_error err = {0};
    struct ArrowArrayStream stream;
    taco_dataset *ds;

    query.where = "\"scaling:scale_factor\" < 0.9";
    query.select = "\"scaling:scale_factor\", id, \"internal:gdal_vsi\"";
    ds = taco_open(argc > 1 ? argv[1] : "examples/data/geo_stac.tacozip", NULL, &err);
    if (taco_cursor_export(taco_select(ds, &query, &err), true, &stream, &err) != TACO_OK) {
        fprintf(stderr, "%s\n", taco_error_text(&err));
        return 1;
    }
    return consume(&stream);
}
