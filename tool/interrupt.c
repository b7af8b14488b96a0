/* interrupt.c - an interrupted command leaves nothing half-made. The first SIGINT, SIGTERM or
   SIGHUP removes unfinished files and ends the process, or stops writing a dataset after the
   current sample; a second one ends it at once. WITH_THREADS implies POSIX; on other systems
   signals have their usual effect. */
#include "tool.h"

#include <signal.h>
#include <string.h>

/* the signal received, or 0 */
static volatile sig_atomic_t signal_received;

int interrupted(void)
{
    return (int)signal_received;
}

#ifdef WITH_THREADS
#include <unistd.h>

/* Files being written, which the handler removes. A slot is in use while its flag is set: after its
   name has been stored, and before the file is created. */
enum { MAX_UNFINISHED = 8 };

static char unfinished[MAX_UNFINISHED][4096];
static volatile sig_atomic_t unfinished_exists[MAX_UNFINISHED];
static volatile sig_atomic_t removes_unfinished;

/* Files that were set aside, and their original names. */
enum { MAX_ASIDE = 2 };

static char aside[MAX_ASIDE][2][4096];
static volatile sig_atomic_t aside_exists[MAX_ASIDE];

/* Calls only functions that are safe in signal handlers (POSIX.1-2008, "Signal Concepts"). */
static void on_signal(int number)
{
    size_t i;
    signal_received = number;
    if (removes_unfinished) {
        for (i = 0; i < MAX_UNFINISHED; i++) {
            if (unfinished_exists[i]) { unlink(unfinished[i]); }
        }
        for (i = 0; i < MAX_ASIDE; i++) {
            if (aside_exists[i]) { rename(aside[i][1], aside[i][0]); }
        }
        raise(number);
    }
}

void note_temporary(void *ctx, const char *path, bool begun)
{
    size_t i, slot = MAX_UNFINISHED;
    (void)ctx;
    for (i = 0; i < MAX_UNFINISHED; i++) {
        if (unfinished_exists[i] && strcmp(unfinished[i], path) == 0) { unfinished_exists[i] = 0; }
        if (!unfinished_exists[i]) { slot = i; }
    }
    if (begun && slot < MAX_UNFINISHED && strlen(path) < sizeof unfinished[slot]) {
        strcpy(unfinished[slot], path);
        unfinished_exists[slot] = 1;
    }
}

void note_aside(const char *path, const char *old, bool begun)
{
    size_t i;
    for (i = 0; i < MAX_ASIDE; i++) {
        if (aside_exists[i] && strcmp(aside[i][1], old) == 0) { aside_exists[i] = 0; }
    }
    for (i = 0; i < MAX_ASIDE && aside_exists[i]; i++) {}
    if (begun && i < MAX_ASIDE && strlen(old) < sizeof aside[i][1]) {
        strcpy(aside[i][0], path);
        strcpy(aside[i][1], old);
        aside_exists[i] = 1;
    }
}

/* Signals that are ignored, as under nohup, stay ignored. */
void catch_interrupts(bool at_once)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action, before;
    size_t i;
    removes_unfinished = at_once;
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
void note_temporary(void *ctx, const char *path, bool begun)
{
    (void)ctx;
    (void)path;
    (void)begun;
}

void note_aside(const char *path, const char *old, bool begun)
{
    (void)path;
    (void)old;
    (void)begun;
}

void catch_interrupts(bool at_once)
{
    (void)at_once;
}
#endif
