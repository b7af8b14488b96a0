/* The headers in a host program that manages memory and files itself: all functions static, no stdio
   in the library, every allocation and every byte through the host. Prints what one query cost.
   cc -O2 vendored.c -o vendored */
#define TACO_STATIC   /* nothing is exported from this object */
#define TACO_NO_STDIO /* the library opens no file by itself */
#define TACO_IMPLEMENTATION
#include "../taco.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct host {
    FILE *file;
    size_t live, peak, reads, bytes;
} host;

static void *host_resize(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    host *h = (host *)ctx;
    void *p = new_size ? realloc(ptr, new_size) : (free(ptr), (void *)NULL);
    h->live += p || !new_size ? new_size - old_size : 0;
    h->peak = h->live > h->peak ? h->live : h->peak;
    return p;
}

static bool host_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    host *h = (host *)ctx;
    h->reads++;
    h->bytes += len;
    return fseek(h->file, (long)offset, SEEK_SET) == 0 && fread(dst, 1, len, h->file) == len;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "examples/data/nested.tacozip";
    host h = {0};
    taco_allocator memory = {&h, host_resize};
    taco_options opt = {0};
    taco_source src = {0};
    taco_error err = {0};
    taco_dataset *ds;
    taco_cursor *row;
    h.file = fopen(path, "rb");
    if (!h.file || fseek(h.file, 0, SEEK_END) != 0) { return 1; }
    src.ctx = &h;
    src.size = (uint64_t)ftell(h.file);
    src.read = host_read;
    opt.allocator = &memory;
    ds = taco_open_source(&src, path, &opt, &err);
    for (row = taco_read(ds, "tile_02", false, &err); taco_cursor_next(row);) {
        printf("%s\t%s\n", taco_cursor_text(row, "id"), taco_cursor_vsi(row));
    }
    taco_cursor_close(row, &err);
    taco_close(ds);
    fclose(h.file);
    printf("%lu reads, %lu bytes read, %lu bytes of memory at most, %lu left\n%s",
           (unsigned long)h.reads, (unsigned long)h.bytes, (unsigned long)h.peak,
           (unsigned long)h.live, taco_error_text(&err));
    return err.code != TACO_OK || h.live != 0;
}
