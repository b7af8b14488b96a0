/* main.c - a program that uses the installed library: packaging/check.sh builds it in every way that
   is offered. Prints the version and the path of each sample of a dataset. */
#include <taco_sql.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    taco_error err = {0};
    taco_dataset *ds = taco_open(argc > 1 ? argv[1] : "", NULL, &err);
    taco_cursor *row = taco_sql(ds, "SELECT \"internal:gdal_vsi\" AS path FROM data", &err);
    while (taco_cursor_next(row)) {
        puts(taco_cursor_text(row, "path"));
    }
    taco_cursor_close(row, &err);
    taco_close(ds);
    /* header and library are of one version */
    printf("%s\n", taco_version());
    if (err.code) { fprintf(stderr, "%s\n", taco_error_text(&err)); }
    return err.code != TACO_OK || strcmp(taco_version(), TACO_VERSION) != 0;
}
