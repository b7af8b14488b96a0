/* taco_writer.c - writes rows as a Parquet file, text or an Arrow stream. It is a separate
   WebAssembly module, loaded on demand, since few pages need it. The host copies batches from the
   memory of the reading module into this one's (../js/writer.js).

   An instance writes one file: Parquet goes to its memory, text and Arrow are returned by batch. */
#define TACO_STATIC
#define TACO_IMPLEMENTATION
#include "../../../extra/taco_parquet_write.h"

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

/* The writer reports the failure again when it is closed. */
EXPORT("write_batch") int write_batch(taco_pq_writer *w, const taco_batch *batch)
{
    return taco_pq_writer_batch(w, batch) == TACO_OK;
}

/* The file as {address, length}, valid as long as the instance. */
EXPORT("write_close") void write_close(taco_pq_writer *w, taco_bytes *out)
{
    if (taco_pq_writer_close(w, &failure) == TACO_OK) { *out = taco_sink_bytes(&sink); }
}

#include "printer.h"
