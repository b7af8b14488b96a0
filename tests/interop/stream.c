/* stream.c - Arrow streams of files and datasets for tests/interop/arrow.py, and what they left
   allocated. cc -shared -fPIC -O1 -g tests/interop/stream.c -o build/libtaco_stream.so */
#include "../../examples/system_codecs.h"

#define TACO_STATIC
#define TACO_IMPLEMENTATION
#include "../../taco.h"
#include "../../extra/taco_parquet_write.h"
#include "../../extra/taco_sql.h"

#include <stdlib.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

static int64_t live_bytes; /* consumers release arrays on threads of their own */

static void *counted_resize(void *ctx, void *p, size_t old, size_t size)
{
    void *q = NULL;
    (void)ctx;
    if (size == 0) {
        free(p);
    } else {
        q = realloc(p, size);
        if (!q) { return NULL; }
    }
    __atomic_fetch_add(&live_bytes, (int64_t)size - (int64_t)old, __ATOMIC_RELAXED);
    return q;
}

static const taco_allocator counted = {NULL, counted_resize};

static int answer(const taco_error *err, char text[384])
{
    strcpy(text, taco_error_text(err));
    return (int)err->code;
}

EXPORT int64_t interop_live(void)
{
    return __atomic_load_n(&live_bytes, __ATOMIC_RELAXED);
}

/* The rows of a Parquet file: n columns of names (NULL = all) where a predicate holds (NULL =
   everywhere). */
EXPORT int interop_parquet(const char *path, const char *const *names, size_t n, const char *where,
                           size_t batch_rows, uint64_t max_memory, struct ArrowArrayStream *out,
                           char text[384])
{
    taco_error err = {0};
    taco_options opt;
    taco_pq_query q;
    taco_pq_file *file;
    memset(&opt, 0, sizeof opt);
    memset(&q, 0, sizeof q);
    opt.allocator = &counted;
    opt.limits.max_memory = max_memory;
    q.columns = names;
    q.column_count = n;
    q.where = where;
    q.batch_rows = batch_rows;
    file = taco_pq_open(path, &opt, &err);
    if (file) {
        taco_pq_reader *rows = taco_pq_read(file, &q, &err);
        if (rows) {
            taco_pq_reader_export(rows, true, out, &err);
        } else {
            taco_pq_close(file);
        }
    }
    return answer(&err, text);
}

/* The rows of a dataset's table. */
EXPORT int interop_dataset(const char *path, uint32_t table, bool flat, const char *select,
                           const char *order, struct ArrowArrayStream *out, char text[384])
{
    taco_error err = {0};
    taco_options opt;
    taco_query q;
    taco_dataset *ds;
    memset(&opt, 0, sizeof opt);
    memset(&q, 0, sizeof q);
    opt.allocator = &counted;
    q.table = q.level = table;
    q.flat = flat;
    q.select = select;
    q.order = order;
    ds = taco_open(path, &opt, &err);
    if (ds) {
        taco_cursor *rows = taco_select(ds, &q, &err);
        if (rows) {
            taco_cursor_export(rows, true, out, &err);
        } else {
            taco_close(ds);
        }
    }
    return answer(&err, text);
}

/* The rows of a SELECT over a dataset. */
EXPORT int interop_sql(const char *path, const char *sql, struct ArrowArrayStream *out,
                       char text[384])
{
    taco_error err = {0};
    taco_options opt;
    taco_dataset *ds;
    memset(&opt, 0, sizeof opt);
    opt.allocator = &counted;
    ds = taco_open(path, &opt, &err);
    if (ds) {
        taco_cursor *rows = taco_sql(ds, sql, &err);
        if (rows) {
            taco_cursor_export(rows, true, out, &err);
        } else {
            taco_close(ds);
        }
    }
    return answer(&err, text);
}

/* A Parquet file of the rows of a stream. numbers: row group, page rows, page bytes, dictionary
   bytes, codec, level, encoding, chunk_min, chunk_max, arrow_schema; flags: pages_v2 1, bloom 2,
   no_crc 4, no_page_index 8, no_statistics 16, content_defined 32. geometry and covering may be
   NULL. */
EXPORT int interop_write(const char *path, struct ArrowArrayStream *in, const uint64_t *numbers,
                         unsigned flags, const char *geometry, const char *covering, char text[384])
{
    taco_error err = {0};
    taco_options opt;
    taco_pq_write_options o;
    taco_pq_geometry g;
    taco_sink sink;
    memset(&opt, 0, sizeof opt);
    memset(&o, 0, sizeof o);
    memset(&g, 0, sizeof g);
    opt.allocator = &counted;
    o.options = &opt;
    o.row_group_rows = numbers[0];
    o.page_rows = (size_t)numbers[1];
    o.page_bytes = (size_t)numbers[2];
    o.dictionary_bytes = (size_t)numbers[3];
    o.codec = (taco_codec)numbers[4];
    o.level = (int)numbers[5];
    o.encoding = (taco_encoding)numbers[6];
    o.chunk_min = (size_t)numbers[7];
    o.chunk_max = (size_t)numbers[8];
    o.arrow_schema = (taco_pq_hint)numbers[9];
    o.pages_v2 = flags & 1;
    o.bloom = flags & 2;
    o.no_crc = flags & 4;
    o.no_page_index = flags & 8;
    o.no_statistics = flags & 16;
    o.content_defined = flags & 32;
    g.column = geometry;
    g.covering = covering;
    o.geometries = &g;
    o.geometry_count = geometry != NULL;
    if (taco_sink_file(&sink, path, &opt, &err) == TACO_OK) {
        taco_pq_write_stream(&sink, in, &o, &err);
    }
    return answer(&err, text);
}

/* What a consumer calls when it is done. */
EXPORT void interop_release(struct ArrowArrayStream *stream)
{
    if (stream->release) { stream->release(stream); }
}
