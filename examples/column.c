/* Reads one column of a Parquet file in batches with taco_parquet.h alone, without a dataset. With no
   argument it reads the metadata table of a bundled FOLDER dataset. cc -O2 column.c -o column &&
   ./column FILE.parquet COLUMN */
#define TACO_PARQUET_IMPLEMENTATION
#include "../taco_parquet.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "examples/data/nested_folder/METADATA/level0.parquet";
    const char *name = argc > 2 ? argv[2] : "stac:time_start";
    /* if the file has another type, the error says so */
    taco_type type = argc > 2 ? TACO_DOUBLE : TACO_TIMESTAMP;
    taco_error err = {0};
    taco_pq_file *file = taco_pq_open(path, NULL, &err);
    taco_pq_column *column = taco_pq_column_open(file, name, type, &err);
    taco_array batch;
    double sum = 0;
    size_t i, values = 0, nulls = 0;

    while (taco_pq_column_next(column, 4096, &batch)) { /* arrays live until the next call */
        for (i = 0; i < batch.length; i++) {
            if (taco_array_valid(&batch, i)) {
                sum += type == TACO_DOUBLE ? batch.v.f64[i] : (double)batch.v.i64[i];
                values++;
            } else {
                nulls++;
            }
        }
    }
    taco_pq_column_close(column, &err);
    taco_pq_close(file);

    if (err.code != TACO_OK) {
        fprintf(stderr, "%s\n", taco_error_text(&err));
        return 1;
    }
    printf("%s: %lu values, %lu nulls, mean %.10g\n", name, (unsigned long)values,
           (unsigned long)nulls, values ? sum / (double)values : 0.0);
    return 0;
}
