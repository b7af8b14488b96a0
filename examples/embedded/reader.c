/* reader.c - a dataset on a Cortex-M3 without an operating system: opens it, filters it, prints paths

   The archive stays on the host and is read in ranges through semihosting; a product would read
   flash or a card in the same callback. All memory is the array `memory` and the stack, which the
   linker script fits into RAM_SIZE with all other data. No stdio, no malloc. See README.md. */
#define TACO_IMPLEMENTATION
#include "../../taco.h"

#include "arena.h"

#ifndef ARENA_SIZE
#define ARENA_SIZE (208 * 1024)
#endif

/* ---- semihosting: the debugger, or QEMU, performs the operation named in a register ---- */

enum { SYS_OPEN = 1, SYS_WRITE0 = 4, SYS_READ = 6, SYS_SEEK = 10, SYS_FLEN = 12, SYS_EXIT = 24 };

enum { SYS_GET_CMDLINE = 21 };

static int semihost(int operation, const void *argument)
{
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

static void print(const char *text)
{
    semihost(SYS_WRITE0, text);
}

static void print_number(const char *before, uint32_t x, const char *after)
{
    char digits[11], *p = digits + sizeof digits - 1;
    *p = 0;
    do {
        *--p = (char)('0' + x % 10);
        x /= 10;
    } while (x);
    print(before);
    print(p);
    print(after);
}

/* taco_source.read; ctx is the handle of the open file. */
static bool read_range(void *ctx, uint64_t offset, void *dst, size_t len)
{
    const uintptr_t seek[2] = {(uintptr_t)ctx, (uintptr_t)offset};
    const uintptr_t read[3] = {(uintptr_t)ctx, (uintptr_t)dst, len};
    return semihost(SYS_SEEK, seek) == 0 && semihost(SYS_READ, read) == 0;
}

static bool open_archive(const char *path, taco_source *out)
{
    const uintptr_t name[3] = {(uintptr_t)path, 1 /* "rb" */, strlen(path)};
    const int handle = semihost(SYS_OPEN, name);
    const uintptr_t length = (uintptr_t)handle;
    if (handle < 0) { return false; }
    memset(out, 0, sizeof *out);
    out->ctx = (void *)(uintptr_t)handle;
    out->size = (uint64_t)(uint32_t)semihost(SYS_FLEN, &length);
    out->read = read_range;
    return true;
}

/* ---- the program ---- */

static uint8_t memory[ARENA_SIZE] __attribute__((aligned(ARENA_ALIGN)));
static arena heap;

/* Prints the paths of the rows of an archive that meet the condition. */
static bool run(const char *path, const char *where, taco_error *err)
{
    taco_allocator allocator = {&heap, arena_resize};
    taco_options options = {0};
    taco_query query = {0};
    taco_source source;
    taco_dataset *dataset;
    taco_cursor *row;

    if (!open_archive(path, &source)) {
        print("cannot open the archive\n");
        return false;
    }
    options.allocator = &allocator;
    options.limits.max_memory = ARENA_SIZE;
    options.limits.max_cache = 1; /* nothing is kept for a second query */
    query.where = where;
    query.select = "internal:gdal_vsi";
    dataset = taco_open_source(&source, path, &options, err);
    row = taco_select(dataset, &query, err);
    while (taco_cursor_next(row)) {
        print(taco_cursor_vsi(row));
        print("\n");
    }
    taco_cursor_close(row, err);
    taco_close(dataset);
    return err->code == TACO_OK;
}

extern uint8_t stack_bottom[], stack_top[]; /* defined by the linker script */

int main(void)
{
    static char line[256], *where = line;
    const uintptr_t argument[2] = {(uintptr_t)line, sizeof line};
    static taco_error err;
    const uint8_t *used = stack_bottom;
    bool ok;

    /* the command line: the archive, a blank, the condition */
    semihost(SYS_GET_CMDLINE, argument);
    while (*where && *where != ' ') {
        where++;
    }
    if (*where) { *where++ = 0; }
    arena_init(&heap, memory, sizeof memory);
    ok = run(line, *where ? where : NULL, &err);
    if (err.code != TACO_OK) {
        print(taco_error_text(&err));
        print("\n");
    }
    while (used < stack_top && *used == 0xA5) {
        used++;
    }
    print_number("# arena ", (uint32_t)heap.peak, "");
    print_number(" of ", ARENA_SIZE, " bytes");
    print_number(", stack ", (uint32_t)(stack_top - used), "");
    print_number(" of ", (uint32_t)(stack_top - stack_bottom), " bytes\n");
    if (heap.live) { print_number("# not given back: ", (uint32_t)heap.live, " bytes\n"); }
    return ok && heap.live == 0 ? 0 : 1;
}

/* ---- start ---- */

extern uint32_t data_from[], data_begin[], data_end[], bss_begin[], bss_end[];
extern uint32_t paint_end[]; /* below the part of the stack that this function uses */

/* Where the processor starts: copies data, clears the rest, and paints the stack so that its deepest
   use can be seen. */
void reset(void);

void reset(void)
{
    uint32_t *from = data_from, *to;
    for (to = data_begin; to < data_end;) {
        *to++ = *from++;
    }
    for (to = bss_begin; to < bss_end;) {
        *to++ = 0;
    }
    for (to = (uint32_t *)(void *)stack_bottom; to < paint_end;) {
        *to++ = 0xA5A5A5A5U;
    }
    if (main() == 0) {
        semihost(SYS_EXIT, (const void *)0x20026); /* ADP_Stopped_ApplicationExit */
    }
    semihost(SYS_EXIT, (const void *)0x20023); /* ADP_Stopped_RunTimeErrorUnknown */
    for (;;) {}
}

static void fault(void)
{
    print("fault\n");
    semihost(SYS_EXIT, (const void *)0x20023);
    for (;;) {}
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    stack_top,           (const void *)reset, (const void *)fault, (const void *)fault,
    (const void *)fault, (const void *)fault, (const void *)fault};
