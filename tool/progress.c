/* progress.c - progress of long work: one line on standard error, if that is a terminal and the
   work takes longer than a second. It always shows bytes, the total, the rate and the time left.
   The library reports the progress of commands that write samples or read payloads; the others
   count what they read. The line is wiped before anything else is printed. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

/* Global, as there is only one line on one terminal. */
static struct {
    bool wanted;
    /* something is drawn, which end_progress wipes */
    bool shown;
    /* seconds_now at the beginning, and when it was last drawn */
    double begun, drawn;
    /* seconds before which nothing is drawn */
    double delay;
} bar;

void begin_progress(const arguments *a)
{
    /* like GIT_PROGRESS_DELAY: for slow terminals, or to see progress at once */
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
