/* one_file DIR LIST PROCESSES one|own - what the kernel allows several processes that copy at the
   same time: each copies an equal part of the files in LIST, one path per line, into its part of
   DIR/one_file.0, or into a file of its own. Prints the seconds until the last one has ended. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_FILES = 1 << 16 };

typedef struct input {
    char *path;
    off_t size, offset; /* in the one file */
} input;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "one_file: %s: %s\n", what, why);
    exit(2);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static size_t read_list(const char *path, input *list)
{
    char line[4096];
    FILE *f = fopen(path, "r");
    off_t offset = 0;
    size_t n = 0;
    while (f && n < MOST_FILES && fgets(line, sizeof line, f)) {
        struct stat st;
        line[strcspn(line, "\n")] = 0;
        if (stat(line, &st) != 0) { fail(line, "cannot be read"); }
        list[n].path = strdup(line);
        list[n].size = st.st_size;
        list[n++].offset = offset;
        offset += st.st_size;
    }
    if (f) { fclose(f); }
    if (n == 0) { fail(path, "names no file"); }
    return n;
}

/* Copies n files to an output, from the given offset on. */
static void copy(const input *list, size_t n, const char *output, off_t offset)
{
    off_t begin = list[0].offset;
    int out = open(output, O_WRONLY | O_CREAT, 0644);
    char *data = NULL;
    size_t i, room = 0;
    for (i = 0; i < n; i++) {
        size_t size = (size_t)list[i].size;
        int in = open(list[i].path, O_RDONLY);
        if (size > room) {
            free(data);
            data = (char *)malloc(room = size);
        }
        if ((size && !data) || in < 0 || pread(in, data, size, 0) != list[i].size ||
            pwrite(out, data, size, list[i].offset - begin + offset) != list[i].size) {
            fail(list[i].path, "cannot be copied");
        }
        close(in);
    }
    free(data);
    if (close(out) != 0) { fail(output, "cannot be written"); }
}

int main(int argc, char **argv)
{
    static input list[MOST_FILES];
    char path[4096];
    int i, processes = argc == 5 ? atoi(argv[3]) : 0, status, failed = 0;
    bool one = processes > 0 && strcmp(argv[4], "one") == 0;
    size_t n;
    double begun;
    if (processes < 1) { fail("usage", "DIR LIST PROCESSES one|own"); }
    n = read_list(argv[2], list);
    begun = now();
    for (i = 0; i < processes; i++) {
        size_t from = n * (size_t)i / (size_t)processes,
               to = n * (size_t)(i + 1) / (size_t)processes;
        pid_t child = fork();
        if (child < 0) { fail("fork", "no process"); }
        if (child == 0) {
            snprintf(path, sizeof path, "%s/one_file.%d", argv[1], one ? 0 : i);
            copy(list + from, to - from, path, one ? list[from].offset : 0);
            return 0;
        }
    }
    while (wait(&status) > 0) {
        failed |= status;
    }
    printf("%.6f\n", now() - begun);
    for (i = 0; i < processes; i++) {
        snprintf(path, sizeof path, "%s/one_file.%d", argv[1], i);
        unlink(path);
    }
    return failed != 0;
}
