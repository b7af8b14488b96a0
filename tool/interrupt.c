/* interrupt.c - an interrupted command leaves nothing half-made. The first SIGINT, SIGTERM or
   SIGHUP removes unfinished files and ends the process; where a directory is being written, it
   stops the library after the current sample, which then removes the directory, and the process ends
   after the command (main.c). A second one ends it at once. WITH_THREADS implies POSIX; on other systems
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

bool not_interrupted(void *ctx, uint64_t done, uint64_t total)
{
    (void)ctx;
    (void)done;
    (void)total;
    return !signal_received;
}

#ifdef WITH_THREADS
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file or directory being written, which the handler removes. Entries are never freed but used
   again: one is in use while its flag is set, after its name has been stored. */
typedef struct noted {
    struct noted *next;
    char name[4096];
    volatile sig_atomic_t exists;
} noted;

static noted *volatile first_noted;
static volatile sig_atomic_t removes_unfinished;

/* Whether a directory is being written. Only the command can remove it: the library is told to
   stop. */
static bool has_directory(void)
{
    const noted *f;
    struct stat st;
    for (f = first_noted; f; f = f->next) {
        if (f->exists && lstat(f->name, &st) == 0 && S_ISDIR(st.st_mode)) { return true; }
    }
    return false;
}

/* Calls only functions that are safe in signal handlers (POSIX.1-2008, "Signal Concepts"). */
static void on_signal(int number)
{
    const noted *f;
    signal_received = number;
    if (!removes_unfinished || has_directory()) { return; }
    for (f = first_noted; f; f = f->next) {
        if (f->exists) { unlink(f->name); }
    }
    raise(number);
}

/* Begins or ends an entry. */
void note_temporary(void *ctx, const char *name, bool begun)
{
    noted *f;
    (void)ctx;
    for (f = first_noted; f; f = f->next) {
        if (f->exists && strcmp(f->name, name) == 0) { f->exists = 0; }
    }
    if (!begun || strlen(name) >= sizeof f->name) { return; }
    for (f = first_noted; f && f->exists; f = f->next) {}
    if (!f) {
        f = (noted *)calloc(1, sizeof *f);
        if (!f) { return; }
        f->next = first_noted;
        first_noted = f;
    }
    strcpy(f->name, name);
    f->exists = 1;
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

void catch_interrupts(bool at_once)
{
    (void)at_once;
}
#endif
