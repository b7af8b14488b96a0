/* container.c - shared by create, add, export, zip2folder and folder2zip: the kind of container to
   write (an archive or a FOLDER), the options of its metadata files, and interruption. */
#include "tool.h"

int set_container(arguments *a, taco_kind otherwise)
{
    static const char *const names[] = {"zip", "folder"};
    static const taco_kind kinds[] = {TACO_KIND_ZIP, TACO_KIND_FOLDER};
    size_t i;
    if (!a->format) {
        a->create.container = otherwise;
        return DONE;
    }
    /* the other values of --format are for commands that print rows */
    i = find_name(a->format, names, 2);
    if (i == 2) { return value_error("--format", "zip or folder here", a->format); }
    a->create.container = kinds[i];
    return DONE;
}

/* taco_create_options.progress; false after an interrupt. */
static bool show_progress(void *ctx, uint64_t bytes, uint64_t total)
{
    (void)ctx;
    draw_progress(bytes, total);
    return !interrupted();
}

void prepare_create(arguments *a, const taco_options *opt)
{
    a->create.options = opt;
    a->create.codec = a->write.codec;
    a->create.level = a->write.level;
    a->create.row_group_rows = a->write.row_group_rows;
    a->create.parquet = &a->write;
    a->create.progress = show_progress;
    begin_progress(a);
    /* show_progress checks for interrupts, and the library removes the unfinished output */
    catch_interrupts(false);
}
