/* sizes.c - programs measured by tests/sizes.sh: PROGRAM 1 reads Parquet, 2 a dataset, 3 has SQL, 4
   writes */
#define TACO_IMPLEMENTATION
#if PROGRAM == 1
#include "../taco_parquet.h"
#elif PROGRAM == 2
#include "../taco.h"
#elif PROGRAM == 3
#include "../extra/taco_sql.h"
#else
#include "../extra/taco_sql.h"
#include "../extra/taco_write.h"
#endif

/* What a product has for its flash and its serial line. */
static volatile uint8_t device;
static uint8_t memory[1024];

static bool read_device(void *ctx, uint64_t offset, void *dst, size_t len)
{
    (void)ctx;
    (void)offset;
    for (; len; len--) {
        *(uint8_t *)dst = device;
    }
    return true;
}

static void *resize(void *ctx, void *ptr, size_t old_size, size_t new_size)
{
    (void)ctx;
    (void)ptr;
    (void)old_size;
    return new_size <= sizeof memory ? memory : NULL;
}

#if defined(__riscv) && PROGRAM >= 3
#include <sys/time.h>

/* picolibc has no clock, which now() asks for. */
int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
    (void)zone;
    t->tv_sec = device;
    t->tv_usec = 0;
    return 0;
}
#endif

static void print(const char *text, size_t len)
{
    for (; len; len--) {
        device = (uint8_t)*text++;
    }
}

int run(void);

int run(void)
{
    static const taco_allocator allocator = {NULL, resize};
    taco_options options = {0};
    taco_source source = {0};
    taco_error err = {0};
    source.size = device;
    source.read = read_device;
    options.allocator = &allocator;
#if PROGRAM == 1
    {
        taco_pq_file *file = taco_pq_open_source(&source, NULL, &options, &err);
        taco_pq_query query = {0};
        taco_pq_reader *reader;
        taco_batch batch;
        size_t i;
#ifndef TACO_NO_FILTERS
        query.where = (const char *)memory;
#endif
        reader = taco_pq_read(file, &query, &err);
        while (taco_pq_reader_next(reader, &batch)) {
            for (i = 0; i < batch.length; i++) {
                taco_bytes text = taco_array_bytes(batch.columns, i);
                print((const char *)text.data, text.len);
            }
        }
        taco_pq_reader_close(reader, &err);
        taco_pq_close(file);
    }
#else
    {
        taco_dataset *dataset = taco_open_source(&source, "a.tacozip", &options, &err);
        taco_query query = {0};
        taco_cursor *row;
        query.where = (const char *)memory;
        row = taco_select(dataset, &query, &err);
#if PROGRAM >= 3
        if (device) {
            taco_cursor_close(row, &err);
            row = taco_sql(dataset, (const char *)memory, &err);
        }
#endif
        while (taco_cursor_next(row)) {
            const char *path = taco_cursor_vsi(row);
            print(path, strlen(path));
        }
        taco_cursor_close(row, &err);
        taco_close(dataset);
    }
#endif
#if PROGRAM == 4
    {
        static taco_sink sink;
        taco_writer *out = taco_create_sink(&sink, NULL, &err);
        taco_writer_collection(out, (const char *)memory, device);
        taco_writer_bytes(out, (const char *)memory, memory, device);
        taco_writer_finish(out, &err);
    }
#endif
    print(err.text, device);
    return (int)err.code;
}

int main(void)
{
    return run();
}
