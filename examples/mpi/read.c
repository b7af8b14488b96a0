/* read.c ARCHIVE [WHERE] - prints id, size and CRC-32 of the payload of each matching row. Every rank
   reads an equal share of the bytes, in order of offsets, nearby payloads together. */
#include "mpi_taco.h"

/* What a rank has found out about its samples. */
typedef struct samples {
    mpi_text ids; /* each ends with a NUL */
    size_t *id;   /* where it begins */
    mpi_range *ranges;
    uint64_t *size;
    uint32_t *crc;
    size_t n, room;
} samples;

/* Lists where the payloads of this rank's samples are. */
static void list(taco_dataset *ds, const char *where, samples *s, taco_error *err)
{
    taco_query q = {0}, part;
    taco_cursor *row;
    q.where = where;
    q.select = "id, \"internal:offset\", \"internal:size\"";
    if (taco_shard(ds, &q, TACO_SHARD_BYTES, (uint32_t)mpi_rank(), (uint32_t)mpi_size(), &part,
                   err) != TACO_OK) {
        return;
    }
    row = taco_select(ds, &part, err);
    while (taco_cursor_next(row)) {
        int64_t offset = 0, size = 0;
        if (s->n == s->room) {
            s->room = s->room ? 2 * s->room : 1024;
            s->id = (size_t *)realloc(s->id, s->room * sizeof *s->id);
            s->ranges = (mpi_range *)realloc(s->ranges, s->room * sizeof *s->ranges);
            if (!s->id || !s->ranges) { MPI_Abort(MPI_COMM_WORLD, 1); }
        }
        taco_cursor_int(row, "internal:offset", &offset);
        taco_cursor_int(row, "internal:size", &size);
        s->id[s->n] = s->ids.len;
        mpi_text_add_bytes(&s->ids, taco_cursor_text(row, "id"),
                           strlen(taco_cursor_text(row, "id")) + 1);
        s->ranges[s->n].offset = (uint64_t)offset;
        s->ranges[s->n].size = (uint64_t)size;
        s->ranges[s->n].item = s->n;
        s->n++;
    }
    taco_cursor_close(row, err);
}

static void take(void *ctx, const mpi_range *r, const uint8_t *bytes)
{
    samples *s = (samples *)ctx;
    s->size[r->item] = r->size;
    s->crc[r->item] = taco_crc32(0, bytes, (size_t)r->size);
}

int main(int argc, char **argv)
{
    taco_error err = {0};
    mpi_file file;
    mpi_text lines = {0};
    samples s = {0};
    taco_dataset *ds;
    mpi_time spent = {0, 0, 0};
    size_t i;
    MPI_Init(&argc, &argv);
    ds = mpi_open(argc > 1 ? argv[1] : "", &file, NULL, &err);
    if (ds) {
        list(ds, argc > 2 && argv[2][0] ? argv[2] : NULL, &s, &err);
        s.size = (uint64_t *)calloc(s.n + 1, sizeof *s.size);
        s.crc = (uint32_t *)calloc(s.n + 1, sizeof *s.crc);
        mpi_begin(&spent);
        if (err.code == TACO_OK && s.size && s.crc) {
            mpi_read_ranges(&file, s.ranges, s.n, take, &s, &err);
        }
        mpi_pause(&spent);
        for (i = 0; err.code == TACO_OK && i < s.n; i++) {
            char rest[64];
            snprintf(rest, sizeof rest, " %llu %08x\n", (unsigned long long)s.size[i],
                     (unsigned)s.crc[i]);
            mpi_text_add(&lines, s.ids.data + s.id[i]);
            mpi_text_add(&lines, rest);
        }
        if (mpi_agree(&err)) {
            mpi_print(&lines);
            mpi_report("samples", s.n, file.reads, file.bytes, &spent);
        }
    }
    free(lines.data);
    free(s.ids.data);
    free(s.id);
    free(s.ranges);
    free(s.size);
    free(s.crc);
    taco_close(ds);
    return mpi_end(&err);
}
