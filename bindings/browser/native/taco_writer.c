/* taco_writer.c - rows into a Parquet file, text or an Arrow stream, as a WebAssembly module of its
   own: few pages need it, and they load it when they do. Batches come out of a reading module by way
   of the host, which copies them from one memory into the other (../js/writer.js).

   An instance writes one file: Parquet into its memory, the rest a piece for each batch. */
#define TACO_NO_STDIO
#define TACO_NO_SIMD
#define TACO_STATIC
#define TACO_IMPLEMENTATION
#include "../../../taco_parquet_write.h"

static taco_options options;
static taco_sink sink;
#include "module.h"

EXPORT("write_open") taco_pq_writer *write_open(const taco_field *fields, size_t n)
{
    taco_pq_write_options opt;
    memset(&opt, 0, sizeof opt);
    opt.options = &options;
    opt.codec = TACO_CODEC_ZSTD;
    if (taco_sink_memory(&sink, &options, &failure) != TACO_OK) { return NULL; }
    return taco_pq_write(&sink, fields, n, &opt, &failure);
}

/* The writer reports a failure when it is closed, too. */
EXPORT("write_batch") int write_batch(taco_pq_writer *w, const taco_batch *batch)
{
    return taco_pq_writer_batch(w, batch) == TACO_OK;
}

/* The file as {address, length}, which lives as long as the instance. */
EXPORT("write_close") void write_close(taco_pq_writer *w, taco_bytes *out)
{
    if (taco_pq_writer_close(w, &failure) == TACO_OK) { *out = taco_sink_bytes(&sink); }
}

#include "printer.h"
