/* progress.c - how far long work is: one line on standard error, where that is a terminal and the
   work takes longer than a second. It is the same everywhere: bytes, of how many, the rate and the
   time that is left. Commands that write samples and that read payloads are told by the library
   how far they are; the others count what they read. Whatever else is printed wipes the line
   first. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

/* There is one terminal, and one line of it. */
static struct {
    bool wanted;
    /* something is drawn, which end_progress wipes */
    bool shown;
    /* seconds_now of the beginning, and of when it was drawn last */
    double begun, drawn;
    /* seconds before which nothing is drawn */
    double delay;
} bar;

void begin_progress(const arguments *a)
{
    /* as GIT_PROGRESS_DELAY: for those whose terminal is slow, or who want to see it at once */
    const char *delay = getenv("TACO_PROGRESS_DELAY"), *term = getenv("TERM");
    memset(&bar, 0, sizeof bar);
    /* a dumb terminal cannot wipe a line */
    bar.wanted = !a->quiet && on_terminal() && !(term && strcmp(term, "dumb") == 0);
    bar.begun = bar.wanted ? seconds_now() : 0;
    bar.delay = delay && *delay ? atof(delay) : 1;
}

bool progress_wanted(void)
{
    return bar.wanted;
}

void draw_progress(uint64_t bytes, uint64_t total)
{
    double now = bar.wanted ? seconds_now() : 0, spent = now - bar.begun, rate;
    if (!bar.wanted || spent < bar.delay || (bar.shown && now - bar.drawn < 0.2)) { return; }
    rate = spent > 0 ? (double)bytes / spent : 0;
    fputs("\r\033[K", stderr);
    print_byte_size(stderr, bytes);
    if (total >= bytes && total) {
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
    bar.shown = true;
    bar.drawn = now;
}

void end_progress(void)
{
    if (bar.shown) { fputs("\r\033[K", stderr); }
    bar.shown = false;
}

void count_progress(arguments *a, const char *path, unsigned times)
{
    uint64_t size = 0;
    begin_progress(a);
    a->shows_reads = bar.wanted;
    /* a FOLDER or a remote file has no size here: bytes and rate are shown */
    if (bar.wanted && path && file_size(path, &size)) { a->reads_expected = size * times; }
}
