/* container.c - what create, add, export, zip2folder and folder2zip share: which container is
   written (an archive or a FOLDER), the options of its metadata files, the progress bar, and how
   the work is interrupted. */
#include "tool.h"

#include <string.h>

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

void draw_progress(progress_bar *bar, uint64_t bytes, uint64_t total)
{
    double now = bar->terminal ? seconds_now() : 0, spent, rate;
    if (!bar->terminal || (bar->shown && now - bar->drawn < 0.2)) { return; }
    if (bar->begun <= 0) { bar->begun = now; }
    spent = now - bar->begun;
    /* work of less than a second needs none */
    if (spent < 1) { return; }
    rate = (double)bytes / spent;
    fputs("\r\033[K", stderr);
    print_byte_size(stderr, bytes);
    if (total) {
        fprintf(stderr, " of ");
        print_byte_size(stderr, total);
        fprintf(stderr, ", %u %%", (unsigned)(100.0 * (double)bytes / (double)total));
    }
    fprintf(stderr, ", ");
    print_byte_size(stderr, (uint64_t)rate);
    fprintf(stderr, "/s");
    if (total > bytes && rate > 0) {
        uint64_t left = (uint64_t)((double)(total - bytes) / rate) + 1;
        fprintf(stderr, ", %u:%02u left", (unsigned)(left / 60), (unsigned)(left % 60));
    }
    fflush(stderr);
    bar->shown = true;
    bar->drawn = now;
}

/* taco_create_options.progress, with a progress_bar as its context; false after an interrupt. */
static bool show_progress(void *ctx, uint64_t bytes, uint64_t total)
{
    draw_progress((progress_bar *)ctx, bytes, total);
    return !interrupted();
}

void end_progress(progress_bar *bar)
{
    if (bar->shown) { fputs("\r\033[K", stderr); }
    bar->shown = false;
}

void begin_progress(const arguments *a, progress_bar *bar)
{
    memset(bar, 0, sizeof *bar);
    bar->terminal = !a->quiet && on_terminal();
}

void prepare_create(arguments *a, const taco_options *opt, progress_bar *bar)
{
    a->create.options = opt;
    a->create.codec = a->write.codec;
    a->create.level = a->write.level;
    a->create.row_group_rows = a->write.row_group_rows;
    a->create.parquet = &a->write;
    a->create.progress = show_progress;
    a->create.progress_ctx = bar;
    begin_progress(a, bar);
    /* show_progress asks, and the library removes what it has begun */
    catch_interrupts(false);
}
