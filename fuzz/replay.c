/* cc -std=c99 -g -fsanitize=address,undefined fuzz/replay.c fuzz/fuzz_X.c -o build/replay_X &&
   build/replay_X FILE|DIRECTORY... Runs a fuzz target on files, without libFuzzer: seeds, kept
   crashers, mutants, on any compiler. Directories are walked. An input that takes longer than 10 s
   ends the program (SIGALRM); the last line but one names the slowest. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What mutators of targets ask of libFuzzer, and nobody calls here. */
#ifdef __cplusplus
extern "C"
#endif
    size_t
    LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max)
{
    (void)data;
    (void)max;
    return size;
}

static unsigned long ran, failed;
static double slowest;
static char slowest_name[4096];

static void replay_one(const char *path, const uint8_t *data, size_t len)
{
    clock_t begin = clock();
    double seconds;
    alarm(10);
    LLVMFuzzerTestOneInput(data, len);
    alarm(0);
    seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (seconds >= slowest) {
        slowest = seconds;
        snprintf(slowest_name, sizeof slowest_name, "%s", path);
    }
}

static void replay_file(const char *path)
{
    size_t len = 0, cap = 65536, n;
    uint8_t *data = (uint8_t *)malloc(cap), *exact;
    FILE *f = fopen(path, "rb");
    if (!data || !f) {
        fprintf(stderr, "%s: cannot be read\n", path);
        failed++;
        free(data);
        if (f) { fclose(f); }
        return;
    }
    while ((n = fread(data + len, 1, cap - len, f)) > 0) {
        len += n;
        if (len == cap) {
            uint8_t *more = (uint8_t *)realloc(data, cap * 2);
            if (!more) { break; }
            data = more;
            cap *= 2;
        }
    }
    fclose(f);
    /* so that a sanitizer sees every read behind the end */
    exact = (uint8_t *)malloc(len ? len : 1);
    if (exact) {
        memcpy(exact, data, len);
        printf("%s: %lu bytes\n", path, (unsigned long)len);
        fflush(stdout); /* the last line names the input of a crash */
        replay_one(path, exact, len);
        ran++;
    }
    free(exact);
    free(data);
}

static void replay(const char *path, int depth)
{
    struct stat st;
    struct dirent *e;
    DIR *d;
    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) {
        replay_file(path);
        return;
    }
    d = depth < 16 ? opendir(path) : NULL;
    while (d && (e = readdir(d)) != NULL) {
        size_t need = strlen(path) + strlen(e->d_name) + 2;
        char *name;
        if (e->d_name[0] == '.' || (name = (char *)malloc(need)) == NULL) { continue; }
        snprintf(name, need, "%s/%s", path, e->d_name);
        replay(name, depth + 1);
        free(name);
    }
    if (d) { closedir(d); }
}

int main(int argc, char **argv)
{
    int i;
    for (i = 1; i < argc; i++) {
        replay(argv[i], 0);
    }
    printf("slowest: %.2f s, %s\n", slowest, slowest_name);
    printf("%lu inputs replayed, %lu could not be read\n", ran, failed);
    return argc < 2 || failed ? 2 : 0;
}
