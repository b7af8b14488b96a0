/* taco_browser.c - the library as a WebAssembly module. `make wasm` builds it in four variants, the
   last two both with and without simd128:

       taco.wasm           containers, filters, cursors: what most datasets and queries need
       taco-parquet.wasm   with BROWSER_PARQUET: plain Parquet files, and no datasets
       taco-full.wasm      with BROWSER_FULL: all of both, Avro, and error texts
       taco-sql.wasm       with BROWSER_SQL: the same plus SQL, views, plans, text and Arrow

   The first two are one unit with the library, built without some parts (../browser.mk), without
   error texts, and without the code that would undo a call that fails: the call ends in the host,
   which drops the instance and repeats the call in taco-full.wasm. The others are linked with
   objects of src/, unless BROWSER_UNIT is defined.

   Nothing here blocks. A read calls the host's `read` with all ranges needed at this point; the
   host either copies the bytes, or records the ranges and returns 0. In that case the call fails,
   and the host fetches the ranges and repeats the call (../js/module.js).

   The host reads and writes structs in the module's memory: ../js/layout.js has their offsets,
   which the assertions at the end check against the headers. Handles are addresses. */
#if defined(BROWSER_SQL) || defined(BROWSER_FULL)
#define BROWSER_ALL
#else
/* Ends a call with a failure, without returning to it. The memory may be in any state afterwards:
   the host makes no other call. */
__attribute__((import_module("env"), import_name("give_up"))) _Noreturn void host_give_up(int code);
#define TACO_GIVE_UP host_give_up
#endif
#if !defined(BROWSER_ALL) || defined(BROWSER_UNIT)
#define TACO_STATIC
#define TACO_IMPLEMENTATION
#endif
#ifdef BROWSER_SQL
#include "../../../extra/taco_sql.h"
#elif defined(BROWSER_PARQUET)
#include "../../../taco_parquet.h"
#else
#include "../../../taco.h"
#endif
#include <stdlib.h>
#include <string.h>

#define HOST(name) __attribute__((import_module("env"), import_name(name)))

/* A file, as described by the host. */
typedef struct host_file {
    uint64_t size;
    uint32_t id;
    uint32_t vectored; /* bytes have to be fetched: ranges are read ahead, all at once */
} host_file;

/* Fills *out and returns 1; returns 0 if there is no such file, or it has to be requested first. */
HOST("open") int host_open(const char *path, host_file *out);
HOST("close") void host_close(uint32_t id);
/* Copies n ranges and returns 1; returns 0 if bytes are missing or cannot be read. */
HOST("read") int host_read(uint32_t id, const taco_piece *pieces, size_t n);
HOST("warn") void host_warn(const char *text);

/* ---- files of the host ---- */

static uint32_t file_of(void *ctx)
{
    return (uint32_t)(uintptr_t)ctx;
}

static bool file_read_many(void *ctx, const taco_piece *pieces, size_t n)
{
    return host_read(file_of(ctx), pieces, n) != 0;
}

static bool file_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    taco_piece piece;
    piece.offset = offset;
    piece.dst = dst;
    piece.len = len;
    return file_read_many(ctx, &piece, 1);
}

static void file_close(void *ctx)
{
    host_close(file_of(ctx));
}

static bool file_open(void *ctx, const char *path, taco_source *out)
{
    host_file f = {0, 0, 0};
    (void)ctx;
    memset(out, 0, sizeof *out);
    if (!host_open(path, &f)) { return false; }
    out->ctx = (void *)(uintptr_t)f.id;
    out->size = f.size;
    out->read = file_read;
    out->close = file_close;
    out->read_many = f.vectored ? file_read_many : NULL;
    return true;
}

static void warned(void *ctx, const taco_error *warning)
{
    (void)ctx;
    host_warn(warning->text);
}

/* ---- the module ---- */

static taco_options options = {.open_file = file_open, .warn = warned};
#include "module.h"

/* Structs that may gain members, for which 0 is the default. */
#ifndef BROWSER_PARQUET
EXPORT("query_size") size_t query_size(void)
{
    return sizeof(taco_query);
}

EXPORT("sample_size") size_t sample_size(void)
{
    return sizeof(taco_sample);
}
#endif

#if defined(BROWSER_PARQUET) || defined(BROWSER_ALL)
EXPORT("pq_query_size") size_t pq_query_size(void)
{
    return sizeof(taco_pq_query);
}
#endif

/* ---- datasets ---- */

#ifndef BROWSER_PARQUET
EXPORT("open") taco_dataset *dataset_open(const char *const *paths, size_t n, taco_column_mode mode)
{
    return n == 1 ? taco_open(paths[0], &options, &failure)
                  : taco_open_many(paths, n, mode, &options, &failure);
}

EXPORT("close") void dataset_close(taco_dataset *ds)
{
    taco_close(ds);
}

EXPORT("base_path") void dataset_base_path(taco_dataset *ds, const char *base)
{
    taco_set_base_path(ds, base, &failure);
}

/* Texts are returned as {address, length} in *out. */
EXPORT("info") void dataset_info(taco_dataset *ds, taco_bytes *out)
{
    *out = taco_info_json(ds, &failure);
}

EXPORT("collection") void dataset_collection(taco_dataset *ds, const char *key, taco_bytes *out)
{
    *out = taco_collection(ds, key);
}

EXPORT("level_fields") const taco_field *level_fields(taco_dataset *ds, uint32_t level, size_t *n)
{
    return taco_level_fields(ds, level, n, &failure);
}

EXPORT("locate") void dataset_locate(taco_dataset *ds, const char *path, taco_sample *out)
{
    taco_locate(ds, path, out, &failure);
}

/* ---- rows ---- */

EXPORT("select") taco_cursor *dataset_select(taco_dataset *ds, const taco_query *q)
{
    return taco_select(ds, q, &failure);
}

EXPORT("read") taco_cursor *dataset_read(taco_dataset *ds, const char *path, int padding)
{
    return taco_read(ds, path, padding != 0, &failure);
}

EXPORT("cursor_fields") const taco_field *cursor_fields(taco_cursor *c, size_t *n)
{
    return taco_cursor_fields(c, n);
}

EXPORT("cursor_next") int cursor_next(taco_cursor *c, taco_batch *out)
{
    return taco_cursor_batch(c, out);
}

EXPORT("cursor_close") void cursor_close(taco_cursor *c)
{
    taco_cursor_close(c, &failure);
}

#endif

/* ---- text and Arrow (the other modules use taco-write.wasm for these) ---- */

#ifdef BROWSER_SQL
#include "printer.h"
#endif

/* ---- plain Parquet files ---- */

#if defined(BROWSER_PARQUET) || defined(BROWSER_ALL)
EXPORT("pq_open") taco_pq_file *pq_open(const char *path)
{
    return taco_pq_open(path, &options, &failure);
}

EXPORT("pq_close") void pq_close(taco_pq_file *f)
{
    taco_pq_close(f);
}

EXPORT("pq_rows") double pq_rows(taco_pq_file *f)
{
    return (double)taco_pq_rows(f);
}

EXPORT("pq_row_groups") size_t pq_row_groups(taco_pq_file *f)
{
    return taco_pq_row_groups(f);
}

EXPORT("pq_fields") const taco_field *pq_fields(taco_pq_file *f, size_t *n)
{
    return taco_pq_fields(f, n);
}

EXPORT("pq_key_value") void pq_key_value(taco_pq_file *f, const char *key, taco_bytes *out)
{
    *out = taco_pq_key_value(f, key);
}

EXPORT("pq_read") taco_pq_reader *pq_read(taco_pq_file *f, const taco_pq_query *q)
{
    return taco_pq_read(f, q, &failure);
}

EXPORT("pq_reader_fields") const taco_field *pq_reader_fields(taco_pq_reader *r, size_t *n)
{
    return taco_pq_reader_fields(r, n);
}

EXPORT("pq_next") int pq_next(taco_pq_reader *r, taco_batch *out)
{
    return taco_pq_reader_next(r, out);
}

EXPORT("pq_reader_close") void pq_reader_close(taco_pq_reader *r)
{
    taco_pq_reader_close(r, &failure);
}

#endif

/* ---- SQL ---- */

#ifdef BROWSER_SQL
/* One SELECT over the rows of q. */
static taco_view *sql_view(taco_dataset *ds, const taco_query *q, const char *sql)
{
    taco_view *all = taco_view_open(ds, q, &failure), *v = all;
    if (all && sql) {
        v = taco_view_sql(all, sql, &failure);
        taco_view_free(all);
    }
    return v;
}

EXPORT("sql") taco_cursor *dataset_sql(taco_dataset *ds, const taco_query *q, const char *sql)
{
    taco_view *v = sql_view(ds, q, sql);
    taco_cursor *c = v ? taco_view_rows(v, &failure) : NULL;
    taco_view_free(v);
    return c;
}

/* What a query will read, as text or JSON in *out; plan_free frees the plan returned. */
EXPORT("plan")

taco_plan *dataset_plan(taco_dataset *ds, const taco_query *q, const char *sql, int json,
                        taco_bytes *out)
{
    taco_view *v = sql_view(ds, q, sql);
    taco_plan *p = v ? taco_view_plan(v, &failure) : NULL;
    taco_view_free(v);
    if (p) { *out = json ? taco_plan_json(p, &failure) : taco_plan_text(p, &failure); }
    return p;
}

EXPORT("plan_free") void plan_free(taco_plan *p)
{
    taco_plan_free(p);
}
#endif

/* ---- the layout that ../js/layout.js relies on ---- */

#define AT(type, member, offset)                                                                   \
    _Static_assert(offsetof(type, member) == (offset), #type "." #member)
#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type)
AT(taco_error, code, 8);
AT(taco_error, text, 16);
SIZE(taco_error, 400);
AT(taco_piece, dst, 8);
AT(taco_piece, len, 12);
SIZE(taco_piece, 16);
AT(host_file, id, 8);
AT(host_file, vectored, 12);
AT(taco_field, type, 4);
AT(taco_field, unit, 8);
AT(taco_field, utc, 12);
AT(taco_field, nullable, 13);
AT(taco_field, width, 16);
AT(taco_field, precision, 20);
AT(taco_field, scale, 24);
AT(taco_field, children, 28);
AT(taco_field, child_count, 32);
SIZE(taco_field, 44);
AT(taco_array, length, 4);
AT(taco_array, null_count, 8);
AT(taco_array, validity, 12);
AT(taco_array, offsets, 16);
AT(taco_array, v, 20);
AT(taco_array, dictionary, 24);
AT(taco_array, children, 28);
SIZE(taco_array, 32);
AT(taco_batch, length, 8);
AT(taco_batch, columns, 12);
AT(taco_batch, column_count, 16);
SIZE(taco_batch, 24);
AT(taco_pq_query, where, 8);
AT(taco_pq_query, limit, 16);
AT(taco_pq_query, batch_rows, 24);
AT(taco_pq_query, first_row, 32);
AT(taco_pq_query, row_count, 40);
AT(taco_pq_query, predicates, 48);
#ifndef BROWSER_PARQUET
AT(taco_filter, bbox, 4);
AT(taco_filter, exact_time, 24);
SIZE(taco_filter, 28);
AT(taco_query, filters, 28);
AT(taco_query, table, 36);
AT(taco_query, flat, 40);
AT(taco_query, select, 44);
AT(taco_query, limit, 56);
AT(taco_query, offset, 64);
AT(taco_query, padding, 72);
AT(taco_query, row_from, 80);
AT(taco_query, row_to, 88);
AT(taco_sample, file, 4);
AT(taco_sample, offset, 8);
AT(taco_sample, size, 16);
AT(taco_sample, folder, 24);
AT(taco_sample, whole, 25);
#endif
