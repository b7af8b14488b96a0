/* container.c - what create, add, export, zip2folder and folder2zip share: which container is
   written (an archive or a FOLDER), the options of its metadata files, the progress bar, and how
   the work is interrupted. */
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
    /* the other values of --format are of commands that print rows */
    i = find_name(a->format, names, 2);
    if (i == 2) { return value_error("--format", "zip or folder here", a->format); }
    a->create.container = kinds[i];
    return DONE;
}

/* taco_create_options.progress, with a progress_bar as its context; false after an interrupt.
   Work of less than 100 MB gets no bar. It is drawn again when a hundredth more is done, or 100
   MB more where the total is not known. */
static bool show_progress(void *ctx, uint64_t bytes, uint64_t total)
{
    progress_bar *bar = (progress_bar *)ctx;
    const uint64_t least = 100000000, step = bytes / (total ? total / 100 + 1 : least);
    if (bar->terminal && step != bar->shown && (total == 0 || total >= least)) {
        bar->shown = step;
        if (total) {
            fprintf(stderr, "\r%3u %% of %.1f MB", (unsigned)step, (double)total / 1e6);
        } else {
            fprintf(stderr, "\r%.1f GB", (double)bytes / 1e9);
        }
        fflush(stderr);
    }
    return !interrupted();
}

void end_progress(const progress_bar *bar)
{
    if (bar->shown) {
        /* spaces over all that show_progress can have drawn */
        fprintf(stderr, "\r%30s\r", "");
    }
}

void prepare_create(arguments *a, const taco_options *opt, progress_bar *bar)
{
    a->create.options = opt;
    a->create.codec = a->write.codec;
    a->create.level = a->write.level;
    a->create.row_group_rows = a->write.row_group_rows;
    a->create.progress = show_progress;
    a->create.progress_ctx = bar;
    bar->shown = 0;
    bar->terminal = !a->quiet && on_terminal();
    /* show_progress asks, and the library removes what it has begun */
    catch_interrupts(NULL);
}
