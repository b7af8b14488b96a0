/* mpi_taco.h - shared by the programs in examples/mpi: failures that all ranks agree on, metadata
   that one rank reads for all, payloads in a few large reads.

   Rank 0 reads the metadata of a file (an archive's, which follows its payload; all of a
   `__TACOCAT__`) in two reads and broadcasts it. Every rank then opens the dataset from memory, and
   reads payloads through MPI-IO. Link with libtaco_h; mpicc -std=c99. */
#ifndef MPI_TACO_H
#define MPI_TACO_H

#include "../../extra/taco_sql.h"
#include "../../extra/taco_write.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MPI_TACO_FN static __attribute__((unused))

/* Ranges with a smaller gap are read together, up to a limit of bytes. */
#define MPI_TACO_GAP  ((uint64_t)64 << 10)
#define MPI_TACO_MOST ((uint64_t)16 << 20)

MPI_TACO_FN int mpi_rank(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

MPI_TACO_FN int mpi_size(void)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

/* CPU seconds between mpi_begin and mpi_pause, as MPI uses CPU time while it waits for other ranks;
   and wall time from the first mpi_begin to the last mpi_pause, waiting included. */
typedef struct mpi_time {
    double cpu, clock, first;
} mpi_time;

MPI_TACO_FN void mpi_begin(mpi_time *t)
{
    if (t->first == 0) { t->first = MPI_Wtime(); }
    t->cpu -= (double)clock() / CLOCKS_PER_SEC;
}

MPI_TACO_FN void mpi_pause(mpi_time *t)
{
    t->cpu += (double)clock() / CLOCKS_PER_SEC;
    t->clock = MPI_Wtime() - t->first;
}

/* All ranks: true when none has failed. Otherwise all get the failure of the first rank that has. */
MPI_TACO_FN bool mpi_agree(taco_error *err)
{
    int mine = err->code == TACO_OK ? mpi_size() : mpi_rank(), first;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == mpi_size()) { return true; }
    MPI_Bcast(err, (int)sizeof *err, MPI_BYTE, first, MPI_COMM_WORLD);
    return false;
}

/* All ranks: ends the program; rank 0 prints the failure that they have agreed on. */
MPI_TACO_FN int mpi_end(const taco_error *err)
{
    if (err->code != TACO_OK && mpi_rank() == 0) { fprintf(stderr, "%s\n", taco_error_text(err)); }
    MPI_Finalize();
    return err->code != TACO_OK;
}

MPI_TACO_FN taco_status mpi_fail(taco_error *err, taco_status code, const char *name,
                                 const char *what)
{
    if (err->code == TACO_OK) {
        err->code = code;
        err->offset = TACO_NO_OFFSET;
        snprintf(err->text, sizeof err->text, "%.200s: %s", name, what);
    }
    return err->code;
}

/* Broadcasts any number of bytes, also more than INT_MAX. */
MPI_TACO_FN void mpi_bcast(void *data, uint64_t len, int from)
{
    uint64_t at, n;
    for (at = 0; at < len; at += n) {
        n = len - at < (1u << 30) ? len - at : 1u << 30;
        MPI_Bcast((char *)data + at, (int)n, MPI_BYTE, from, MPI_COMM_WORLD);
    }
}

/* ---- a file: its metadata in memory, the rest through MPI-IO ---- */

typedef struct mpi_file {
    MPI_File file;
    uint64_t size;
    uint8_t head[512];
    uint64_t head_len, from; /* the bytes before, and from `from` on, are in memory */
    uint8_t *meta;
    uint64_t reads, bytes; /* by this rank: of metadata (rank 0), and of payload */
} mpi_file;

static bool mpi_file_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    mpi_file *f = (mpi_file *)ctx;
    MPI_Status status;
    int got = 0;
    if (offset >= f->from) {
        memcpy(dst, f->meta + (offset - f->from), len);
        return true;
    }
    if (offset + len <= f->head_len) {
        memcpy(dst, f->head + offset, len);
        return true;
    }
    if (len > (1u << 30)) { return false; }
    f->reads++;
    f->bytes += len;
    return MPI_File_read_at(f->file, (MPI_Offset)offset, dst, (int)len, MPI_BYTE, &status) ==
               MPI_SUCCESS &&
           MPI_Get_count(&status, MPI_BYTE, &got) == MPI_SUCCESS && (size_t)got == len;
}

static void mpi_file_close(void *ctx)
{
    mpi_file *f = (mpi_file *)ctx;
    MPI_File_close(&f->file);
    free(f->meta);
    f->meta = NULL;
}

MPI_TACO_FN uint64_t mpi_le64(const uint8_t *p)
{
    uint64_t x = 0;
    int i;
    for (i = 7; i >= 0; i--) {
        x = x << 8 | p[i];
    }
    return x;
}

/* Where the metadata of an archive begins: the lowest offset in its TACO_HEADER, the first entry
   (TACO 2.0 §6.3), which has pairs of offset and length from byte 45 on. 0 for any other file. */
MPI_TACO_FN uint64_t mpi_metadata_begin(const uint8_t *head, uint64_t len, uint64_t size)
{
    uint64_t least = size, at;
    int i;
    if (len < 157 || memcmp(head + 30, "TACO_HEADER", 11) != 0) { return 0; }
    for (i = 0; i < 7; i++) {
        at = mpi_le64(head + 45 + 16 * i);
        if (mpi_le64(head + 53 + 16 * i) && at < least) { least = at; }
    }
    return least < size ? least : 0;
}

/* What rank 0 does: reads the first bytes, then the metadata. */
MPI_TACO_FN void mpi_file_load(mpi_file *f, const char *path, taco_error *err)
{
    taco_source src;
    if (taco_source_file(&src, path, err) != TACO_OK) { return; }
    f->size = src.size;
    f->head_len = src.size < sizeof f->head ? src.size : sizeof f->head;
    if (src.read(src.ctx, 0, f->head, (size_t)f->head_len)) {
        f->from = mpi_metadata_begin(f->head, f->head_len, f->size);
        f->meta = (uint8_t *)malloc((size_t)(f->size - f->from) + 1);
    }
    if (!f->meta || !src.read(src.ctx, f->from, f->meta, (size_t)(f->size - f->from))) {
        mpi_fail(err, TACO_ERR_IO, path, "the metadata cannot be read");
    }
    f->reads = 2;
    f->bytes = f->head_len + (f->size - f->from);
    src.close(src.ctx);
}

/* All ranks: opens the dataset at path, an archive or a `__TACOCAT__`. NULL, on all ranks, on
   failure. *f must outlive the dataset, which closes it. */
MPI_TACO_FN taco_dataset *mpi_open(const char *path, mpi_file *f, const taco_options *opt,
                                   taco_error *err)
{
    taco_source src = {0};
    taco_dataset *ds;
    memset(f, 0, sizeof *f);
    if (mpi_rank() == 0) { mpi_file_load(f, path, err); }
    if (!mpi_agree(err)) { return NULL; }
    MPI_Bcast(f->head, (int)sizeof f->head, MPI_BYTE, 0, MPI_COMM_WORLD);
    mpi_bcast(&f->size, sizeof f->size, 0);
    mpi_bcast(&f->head_len, sizeof f->head_len, 0);
    mpi_bcast(&f->from, sizeof f->from, 0);
    if (mpi_rank() != 0) { f->meta = (uint8_t *)malloc((size_t)(f->size - f->from) + 1); }
    if (!f->meta) { mpi_fail(err, TACO_ERR_MEMORY, path, "out of memory for the metadata"); }
    if (!mpi_agree(err)) { return NULL; }
    mpi_bcast(f->meta, f->size - f->from, 0);
    if (MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &f->file) !=
        MPI_SUCCESS) {
        mpi_fail(err, TACO_ERR_IO, path, "MPI-IO cannot open it");
    }
    if (!mpi_agree(err)) { return NULL; }
    src.ctx = f;
    src.size = f->size;
    src.read = mpi_file_read;
    src.close = mpi_file_close;
    ds = taco_open_source(&src, path, opt, err);
    return mpi_agree(err) ? ds : NULL;
}

/* ---- payloads ---- */

typedef struct mpi_range {
    uint64_t offset, size;
    size_t item;
} mpi_range;

MPI_TACO_FN int mpi_range_compare(const void *a, const void *b)
{
    const mpi_range *x = (const mpi_range *)a, *y = (const mpi_range *)b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Sorts n ranges by offset, reads them, nearby ones together, and calls `each` with the bytes of
   each. */
MPI_TACO_FN bool mpi_read_ranges(mpi_file *f, mpi_range *ranges, size_t n,
                                 void (*each)(void *ctx, const mpi_range *r, const uint8_t *bytes),
                                 void *ctx, taco_error *err)
{
    uint8_t *bytes = NULL;
    size_t i, k, end;
    qsort(ranges, n, sizeof *ranges, mpi_range_compare);
    for (i = 0; i < n; i = end) {
        uint64_t from = ranges[i].offset, to = from + ranges[i].size, next;
        for (end = i + 1; end < n && ranges[end].offset <= to + MPI_TACO_GAP; end++) {
            next = ranges[end].offset + ranges[end].size;
            if ((next > to ? next : to) - from > MPI_TACO_MOST) { break; }
            to = next > to ? next : to;
        }
        if (to > f->size || to < from) {
            return mpi_fail(err, TACO_ERR_TRUNCATED, "payload", "ends past the file") == TACO_OK;
        }
        bytes = (uint8_t *)realloc(bytes, (size_t)(to - from) + 1);
        if (!bytes || (to > from && !mpi_file_read(f, from, bytes, (size_t)(to - from)))) {
            free(bytes);
            return mpi_fail(err, TACO_ERR_IO, "payload", "cannot be read") == TACO_OK;
        }
        for (k = i; k < end; k++) {
            each(ctx, &ranges[k], bytes + (ranges[k].offset - from));
        }
    }
    free(bytes);
    return true;
}

/* ---- output ---- */

/* A growing text. */
typedef struct mpi_text {
    char *data;
    size_t len, cap;
} mpi_text;

/* Appends n bytes, however many; what is appended is always followed by a NUL. */
MPI_TACO_FN void mpi_text_add_bytes(mpi_text *t, const void *bytes, size_t n)
{
    if (n + 1 > t->cap - t->len) {
        t->cap = 2 * (t->len + n + 1);
        t->data = (char *)realloc(t->data, t->cap);
        if (!t->data) { MPI_Abort(MPI_COMM_WORLD, 1); }
    }
    if (n) { memcpy(t->data + t->len, bytes, n); }
    t->len += n;
    t->data[t->len] = 0;
}

MPI_TACO_FN void mpi_text_add(mpi_text *t, const char *text)
{
    mpi_text_add_bytes(t, text, strlen(text));
}

/* Sends or receives any number of bytes, also more than INT_MAX. */
MPI_TACO_FN void mpi_send_bytes(const char *data, uint64_t len, int to)
{
    uint64_t at, n;
    for (at = 0; at < len; at += n) {
        n = len - at < (1u << 30) ? len - at : 1u << 30;
        MPI_Send(data + at, (int)n, MPI_BYTE, to, 2, MPI_COMM_WORLD);
    }
}

MPI_TACO_FN void mpi_recv_bytes(char *data, uint64_t len, int from)
{
    uint64_t at, n;
    for (at = 0; at < len; at += n) {
        n = len - at < (1u << 30) ? len - at : 1u << 30;
        MPI_Recv(data + at, (int)n, MPI_BYTE, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* All ranks: rank 0 prints the texts in the order of the ranks. */
MPI_TACO_FN void mpi_print(mpi_text *t)
{
    int rank, size = mpi_size();
    if (mpi_rank() != 0) {
        uint64_t n = t->len;
        MPI_Send(&n, sizeof n, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
        mpi_send_bytes(t->data, n, 0);
    } else {
        fwrite(t->data ? t->data : "", 1, t->len, stdout);
        for (rank = 1; rank < size; rank++) {
            uint64_t n;
            char *data;
            MPI_Recv(&n, sizeof n, MPI_BYTE, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            data = (char *)malloc((size_t)n + 1);
            if (!data) { MPI_Abort(MPI_COMM_WORLD, 1); }
            mpi_recv_bytes(data, n, rank);
            fwrite(data, 1, (size_t)n, stdout);
            free(data);
        }
        fflush(stdout);
    }
    free(t->data);
    memset(t, 0, sizeof *t);
}

/* All ranks: prints what each has done on stderr, in order of ranks. */
MPI_TACO_FN void mpi_report(const char *what, uint64_t count, uint64_t reads, uint64_t bytes,
                            const mpi_time *spent)
{
    double mine[5], all[5];
    int rank;
    mine[0] = (double)count;
    mine[1] = (double)reads;
    mine[2] = (double)bytes;
    mine[3] = spent->cpu;
    mine[4] = spent->clock;
    for (rank = 0; rank < mpi_size(); rank++) {
        memcpy(all, mine, sizeof all);
        MPI_Bcast(all, 5, MPI_DOUBLE, rank, MPI_COMM_WORLD);
        if (mpi_rank() == 0) {
            fprintf(stderr,
                    "rank %d: %.0f %s, %.0f reads, %.0f bytes, %.4f s of processor, %.4f s of "
                    "clock\n",
                    rank, all[0], what, all[1], all[2], all[3], all[4]);
        }
    }
}

#endif
