/* interrupt.c - an interrupted command leaves nothing half-made. The first SIGINT, SIGTERM or
   SIGHUP removes the file that was begun and ends the process, or stops the writing of a dataset
   after the sample in progress; a second one ends it at once. WITH_THREADS says that the system
   is POSIX; elsewhere signals have their usual effect. */
#include "tool.h"

#include <signal.h>
#include <string.h>

/* the signal that came */
static volatile sig_atomic_t signal_received;

int interrupted(void)
{
    return (int)signal_received;
}

#ifdef WITH_THREADS
#include <unistd.h>

/* What the handler removes, where there is something. It is set before the handler is installed. */
static char unfinished[4096];
static volatile sig_atomic_t unfinished_exists;

/* Calls nothing that a signal handler must not (POSIX.1-2008, "Signal Concepts"). */
static void on_signal(int number)
{
    signal_received = number;
    if (unfinished_exists) {
        unlink(unfinished);
        raise(number);
    }
}

/* Signals that are ignored, as under nohup, stay so. */
void catch_interrupts(const char *path)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action, before;
    size_t i;
    unfinished_exists = 0;
    if (path && strlen(path) + 6 <= sizeof unfinished) {
        sprintf(unfinished, "%s.part", path);
        unfinished_exists = 1;
    }
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = (int)SA_RESETHAND;
    for (i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
            sigaction(numbers[i], &action, NULL);
        }
    }
}
#else
void catch_interrupts(const char *path)
{
    (void)path;
}
#endif
