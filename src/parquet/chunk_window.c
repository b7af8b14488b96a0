/* chunk_window.c - bytes of a column chunk, read ahead in a window that moves forward

   In: where a chunk's pages are in the file; out: any of their bytes, in file order. Bytes already
   in memory (a memory source, a mapped file, what a scan has fetched) are returned without a copy.
   Others are read up to TACO__FILE_WINDOW at a time, no byte twice, and never past `read_end`,
   which the reader lowers while it needs only a few pages. Start reading at
   taco__chunk_window_view. */
#include "parquet.h"
#include "../base/base.h"

/* Bytes past the end of a chunk that may still belong to it: old parquet-mr left the header of the
   dictionary page out of total_compressed_size (PARQUET-816). */
#define TACO__CHUNK_WINDOW_SLACK 128

TACO__FN void taco__chunk_window_init(taco__chunk_window *w, taco__mem *mem)
{
    memset(w, 0, sizeof *w);
    w->bytes.mem = mem;
}

TACO__FN void taco__chunk_window_free(taco__chunk_window *w)
{
    taco__buf_free(&w->bytes);
}

TACO__FN void taco__chunk_window_open(taco__chunk_window *w, const taco__file_part *part,
                                      const taco__range *pages)
{
    w->part = part;
    w->read_end = pages->offset + pages->len;
    w->end = TACO__MIN(w->read_end + TACO__CHUNK_WINDOW_SLACK, part->size);
    w->bytes.len = 0;
    w->offset = 0;
}

/* How many bytes from `offset` on the window should hold, at least len; it already has `have` of
   them. */
static size_t taco__chunk_window_extent(const taco__chunk_window *w, uint64_t offset, size_t have,
                                        size_t len)
{
    uint64_t ahead = w->read_end > offset ? w->read_end - offset : 0, cached;
    const uint64_t most = taco__mem_ahead(w->bytes.mem, TACO__FILE_WINDOW);
    size_t n = TACO__MAX(len, (size_t)TACO__MIN(most, ahead));
    cached = have + taco__file_cached_length(w->part->file, w->part->base + offset + have);
    /* cached bytes cost no read, further ones would */
    return cached >= len ? (size_t)TACO__MIN((uint64_t)n, cached) : n;
}

TACO__FN const uint8_t *taco__chunk_window_view(taco__chunk_window *w, uint64_t offset, size_t len,
                                                taco_error *err)
{
    const uint8_t *p = taco__file_part_cached(w->part, offset, len);
    size_t have = 0, extent;
    if (p) { return p; }
    if (offset >= w->offset && taco__checked_range(offset - w->offset, len, w->bytes.len)) {
        return w->bytes.data + (size_t)(offset - w->offset);
    }
    if (!taco__checked_range(offset, len, w->end)) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, offset, "page of %u bytes, its column chunk ends at %u",
                   TACO__U(len), w->end);
        return NULL;
    }
    if (offset >= w->offset && offset - w->offset < w->bytes.len) {
        have = w->bytes.len - (size_t)(offset - w->offset);
        memmove(w->bytes.data, w->bytes.data + (w->bytes.len - have), have);
    }
    extent = taco__chunk_window_extent(w, offset, have, len);
    w->bytes.len = have;
    w->offset = offset;
    if (!taco__buf_reserve(&w->bytes, extent - have, err) ||
        !taco__file_part_read(w->part, offset + have, w->bytes.data + have, extent - have, err)) {
        w->bytes.len = 0;
        return NULL;
    }
    w->bytes.len = extent;
    return w->bytes.data;
}
