/* cat LIST OUT - concatenates the files named by the lines of LIST (up to a tab) into OUT, with
   read and write through a buffer of 1 MiB: the least copying can cost. For bench/create.py. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    static char line[8192];
    size_t cap = (size_t)1 << 20;
    char *buffer = (char *)malloc(cap);
    FILE *list = argc == 3 ? fopen(argv[1], "r") : NULL;
    int out = list ? open(argv[2], O_CREAT | O_TRUNC | O_WRONLY, 0644) : -1;
    if (out < 0 || !buffer) { return 2; }
    while (fgets(line, sizeof line, list)) {
        int in;
        ssize_t n;
        line[strcspn(line, "\t\n")] = 0;
        in = open(line, O_RDONLY);
        if (in < 0) { return 1; }
        while ((n = read(in, buffer, cap)) > 0) {
            if (write(out, buffer, (size_t)n) != n) { return 1; }
        }
        close(in);
    }
    fclose(list);
    free(buffer);
    return close(out) != 0;
}
