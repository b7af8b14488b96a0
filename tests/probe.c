/* probe KIND FILE - decodes or parses a file with one part of the library. Writes the decoded
   bytes, or the parsed contents in a fixed form, to stdout. Exit status 0; 1 with one line on
   stderr for bad input; 2 for wrong usage. */
#include "../examples/system_codecs.h"
#include "../src/codec/lz4_decode.c"
#include "../src/codec/gzip_decode.c"
#include "../src/parquet/thrift_read.c"
#include "../src/base/base.h"
#include "../src/filter/filter.h"
#include "../src/base/json.h"
#include "../src/geo/geo.h"
#include "../src/dataset/dataset.h"
#include "../src/sql/sql.h"
#include "../taco_parquet.h"
#include "../taco.h"
#include "../extra/taco_sql.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most that is written: enough for any corpus, small enough for a process of 512 MB. */
#define PROBE_LIMIT ((size_t)256 << 20)

typedef struct probe {
    taco_bytes in;
    taco__mem mem;
    taco__arena arena;
    taco__buf out;
    taco_error err;
} probe;

/* ---- codecs ---- */

static taco_status probe_zstd(probe *p)
{
    const size_t size = sizeof(taco__zstd_decoder) + TACO__ZSTD_LITERALS((size_t)PROBE_LIMIT);
    taco__zstd_decoder *z = (taco__zstd_decoder *)taco__mem_alloc(&p->mem, size, &p->err);
    taco_status st = p->err.code;
    if (z) {
        z->literals = (uint8_t *)(z + 1);
        st = taco__zstd_decode(z, p->in, &p->out, PROBE_LIMIT, &p->err);
    }
    taco__mem_free(&p->mem, z, size);
    return st;
}

static taco_status probe_snappy(probe *p)
{
    return taco__snappy_decode(p->in, &p->out, PROBE_LIMIT, &p->err);
}

static taco_status probe_gzip(probe *p)
{
    return taco__gzip_decode(p->in, &p->out, PROBE_LIMIT, &p->err);
}

static taco_status probe_zlib(probe *p)
{
    return taco__zlib_decode(p->in, &p->out, PROBE_LIMIT, &p->err);
}

static taco_status probe_flate(probe *p)
{
    return taco__inflate(p->in, &p->out, PROBE_LIMIT, &p->err);
}

/* A block, or frames when there is their magic number: a block cannot begin like that. */
static taco_status probe_lz4(probe *p)
{
    taco__lz4_decoder z;
    taco_status st;
    if (p->in.len < 4 || taco__load_le32(p->in.data) != TACO__LZ4_MAGIC) {
        return taco__lz4_decode_raw(p->in, &p->out, PROBE_LIMIT, &p->err);
    }
    st = taco__lz4_decode_init(&z, p->in, &p->out, PROBE_LIMIT, &p->err);
    st = st == TACO_OK ? taco__lz4_decode_frames(&z, p->in, &p->err) : st;
    if (st == TACO_OK) { taco__lz_output_finish(&z.out); }
    return st;
}

#ifdef TACO_PARQUET_BROTLI_DECOMPRESS
static taco_status probe_brotli(probe *p)
{
    return taco__lz_host_decode_all(TACO_PARQUET_BROTLI_DECOMPRESS, "Brotli", p->in, &p->out,
                                    PROBE_LIMIT, &p->err);
}
#endif

/* ---- texts ---- */

static taco_status probe_json(probe *p)
{
    taco__json_doc doc;
    taco_status st = taco__json_parse(&p->arena, p->in, NULL, &doc, &p->err);
    if (st != TACO_OK) { return st; }
    return taco__json_print(&p->out, doc.root, 0, &p->err) &&
                   taco__buf_append_char(&p->out, '\n', &p->err)
               ? TACO_OK
               : p->err.code;
}

static taco_status probe_where(probe *p)
{
    if (!taco__pred_parse(&p->arena, (const char *)p->in.data, p->in.len, NULL, &p->err)) {
        return p->err.code;
    }
    return taco__buf_append_text(&p->out, "parsed\n", &p->err) ? TACO_OK : p->err.code;
}

/* ---- structures ---- */

static void probe_number(probe *p, const char *before, uint64_t x)
{
    char text[32];
    taco__fmt f;
    f.at = text;
    f.end = text + sizeof text;
    taco__fmt_number(&f, x, 10);
    taco__buf_append_text(&p->out, before, &p->err);
    taco__buf_append_text(&p->out, text, &p->err);
}

static void probe_signed(probe *p, const char *before, int64_t x)
{
    taco__buf_append_text(&p->out, before, &p->err);
    probe_number(p, x < 0 ? "-" : "", x < 0 ? 0 - (uint64_t)x : (uint64_t)x);
}

static void probe_hex(probe *p, taco_bytes b)
{
    size_t i;
    for (i = 0; i < b.len; i++) {
        taco__buf_append_char(&p->out, "0123456789abcdef"[b.data[i] >> 4], &p -> err);
        taco__buf_append_char(&p->out, "0123456789abcdef"[b.data[i] & 15], &p -> err);
    }
}

/* One line per entry of the central directory. The last field is where its bytes are, or why they
   cannot be read. */
static taco_status probe_zip(probe *p)
{
    taco_source src;
    taco__file file;
    taco__zip_dir dir;
    taco__zip_iter it;
    taco__zip_entry e;
    taco__buf scratch, local;
    taco_bytes bytes;
    taco_status st;
    memset(&scratch, 0, sizeof scratch);
    scratch.mem = &p->mem;
    local = scratch;
    taco_source_memory(&src, p->in.data, p->in.len);
    taco__file_init(&file, &src, "archive", &p->mem);
    st = taco__zip_open(&file, &dir, &scratch, &p->err);
    st = st == TACO_OK
             ? taco__zip_read_directory(&file, &dir, PROBE_LIMIT, &scratch, &bytes, &p->err)
             : st;
    if (st == TACO_OK) {
        for (it = taco__zip_iter_init(bytes, &dir); taco__zip_next(&it, &e, &p->err);) {
            taco__zip_local_header l;
            taco_error odd;
            memset(&odd, 0, sizeof odd);
            probe_number(p, "", e.index);
            probe_number(p, " local ", e.local);
            probe_number(p, " size ", e.size);
            probe_number(p, " stored ", e.csize);
            probe_number(p, " crc ", e.crc);
            probe_number(p, " method ", e.method);
            probe_number(p, " flags ", e.flags);
            taco__buf_append_text(&p->out, " name ", &p->err);
            probe_hex(p, e.name);
            if (taco__zip_check_stored(&e, &odd) == TACO_OK &&
                taco__zip_locate_entry(&file, &dir, &e, &l, &local, &odd) == TACO_OK) {
                probe_number(p, " data ", l.data);
            } else {
                taco__buf_append_text(&p->out, " ", &p->err);
                taco__buf_append_text(&p->out, taco_status_name(odd.code), &p->err);
            }
            taco__buf_append_text(&p->out, "\n", &p->err);
        }
        st = p->err.code;
    }
    taco__file_close(&file);
    taco__buf_free(&local);
    taco__buf_free(&scratch);
    return st;
}

static void probe_thrift_value(probe *p, taco__thrift *t, unsigned type, bool in_list);

static void probe_thrift_struct(probe *p, taco__thrift *t)
{
    taco__thrift_field f;
    taco__buf_append_text(&p->out, "{", &p->err);
    if (taco__thrift_begin(t, &f)) {
        while (taco__thrift_next(t, &f)) {
            probe_signed(p, " ", f.id);
            taco__buf_append_text(&p->out, ":", &p->err);
            probe_thrift_value(p, t, f.type, false);
        }
    }
    taco__buf_append_text(&p->out, " }", &p->err);
}

static void probe_thrift_list(probe *p, taco__thrift *t, unsigned type)
{
    uint8_t item;
    size_t n = taco__thrift_begin_list(t, type, 1, &item);
    taco__buf_append_text(&p->out, "[", &p->err);
    t->depth++; /* lists of lists, without a structure between them, are bounded here */
    if (t->depth < TACO__THRIFT_DEPTH) {
        for (; n && taco__thrift_ok(t); n--) {
            taco__buf_append_text(&p->out, " ", &p->err);
            probe_thrift_value(p, t, item, true);
        }
    } else {
        taco__thrift_field f;
        taco__thrift_begin(t, &f); /* fails, and says so */
    }
    t->depth--;
    taco__buf_append_text(&p->out, " ]", &p->err);
}

static void probe_thrift_value(probe *p, taco__thrift *t, unsigned type, bool in_list)
{
    switch (type) {
    case TACO__THRIFT_TRUE:
    case TACO__THRIFT_FALSE:
        taco__buf_append_text(&p->out,
                              (in_list ? taco__thrift_bool_in_list(t) : taco__thrift_bool(t, type))
                                  ? "true"
                                  : "false",
                              &p->err);
        break;
    case TACO__THRIFT_I8:
    case TACO__THRIFT_I16:
    case TACO__THRIFT_I32:
    case TACO__THRIFT_I64: probe_signed(p, "", taco__thrift_i64(t, type)); break;
    case TACO__THRIFT_DOUBLE:
        probe_number(p, "double ", taco__f64_to_bits(taco__thrift_double(t, type)));
        break;
    case TACO__THRIFT_BINARY:
        taco__buf_append_text(&p->out, "x", &p->err);
        probe_hex(p, taco__thrift_binary(t, type));
        break;
    case TACO__THRIFT_LIST:
    case TACO__THRIFT_SET: probe_thrift_list(p, t, type); break;
    case TACO__THRIFT_STRUCT: probe_thrift_struct(p, t); break;
    default:
        taco__thrift_skip_value(t, type, in_list);
        taco__buf_append_text(&p->out, "?", &p->err);
        break;
    }
}

static taco_status probe_thrift(probe *p)
{
    taco__thrift t;
    taco__thrift_init(&t, p->in, 0, "structure", false, &p->err);
    probe_thrift_struct(p, &t);
    taco__buf_append_text(&p->out, "\n", &p->err);
    return taco__thrift_ok(&t) ? p->err.code : t.status;
}

/* The bounds, and whether the geometry meets the unit square. */
static taco_status probe_wkb(probe *p)
{
    static const double unit[4] = {0, 0, 1, 1};
    double box[4];
    bool empty = true, hit = false;
    char line[160];
    taco_status st = taco__wkb_bounds(p->in, box, &empty, &p->err);
    st = st == TACO_OK ? taco__intersect_wkb_box(p->in, unit, &hit, &p->err) : st;
    if (st != TACO_OK) { return st; }
    if (empty) {
        snprintf(line, sizeof line, "empty\n");
    } else {
        snprintf(line, sizeof line, "%.17g %.17g %.17g %.17g %s\n", box[0], box[1], box[2], box[3],
                 hit ? "in" : "out");
    }
    return taco__buf_append_text(&p->out, line, &p->err) ? TACO_OK : p->err.code;
}

/* ---- SQL: the first line names a dataset, each further one is a query ---- */

/* {"names": [...], "types": [...], "rows": [[...]]} or {"error": "..."}; values as CAST AS VARCHAR writes them. */
static bool probe_sql_rows(probe *p, taco_cursor *c)
{
    taco_batch batch;
    size_t n, i, k, rows = 0;
    const taco_field *f = taco_cursor_fields(c, &n);
    taco__sql_type *types =
        (taco__sql_type *)taco__arena_array(&p->arena, n, sizeof *types, &p->err);
    taco__buf cell;
    bool ok = types && taco__buf_append_text(&p->out, "{\"names\": [", &p->err);
    memset(&cell, 0, sizeof cell);
    cell.mem = &p->mem;
    for (i = 0; ok && i < n; i++) {
        ok = (!i || taco__buf_append_text(&p->out, ", ", &p->err)) &&
             taco__json_write_string(&p->out, taco__bytes_text(f[i].name), &p->err);
    }
    ok = ok && taco__buf_append_text(&p->out, "], \"types\": [", &p->err);
    for (i = 0; ok && i < n; i++) {
        char name[256];
        ok = taco__sql_type_from_field(&p->arena, &f[i], &types[i], &p->err);
        taco__sql_type_text(&types[i], name, sizeof name);
        ok = ok && (!i || taco__buf_append_text(&p->out, ", ", &p->err)) &&
             taco__json_write_string(&p->out, taco__bytes_text(name), &p->err);
    }
    ok = ok && taco__buf_append_text(&p->out, "], \"rows\": [", &p->err);
    while (ok && taco_cursor_batch(c, &batch)) {
        taco__vec *v = (taco__vec *)taco__arena_array(&p->arena, n, sizeof *v, &p->err);
        for (k = 0; v && ok && k < n; k++) {
            ok = taco__vec_arrow_load(&p->arena, &batch.columns[k], &types[k], &v[k], &p->err);
        }
        for (i = 0; v && ok && i < batch.length; i++) {
            ok = taco__buf_append_text(&p->out, rows++ ? ", [" : "[", &p->err);
            for (k = 0; ok && k < n; k++) {
                cell.len = 0;
                ok = !k || taco__buf_append_text(&p->out, ", ", &p->err);
                if (!taco__vec_is_valid(&v[k], i)) {
                    ok = ok && taco__buf_append_text(&p->out, "null", &p->err);
                } else {
                    ok = ok && taco__cast_format(&cell, &v[k], i, false, &p->err) &&
                         taco__json_write_string(&p->out, taco__bytes_of(cell.data, cell.len),
                                                 &p->err);
                }
            }
            ok = ok && taco__buf_append_text(&p->out, "]", &p->err);
        }
    }
    taco__buf_free(&cell);
    return ok && taco__buf_append_text(&p->out, "]}\n", &p->err);
}

static taco_status probe_sql(probe *p)
{
    char *text = taco__arena_text(&p->arena, p->in, &p->err), *line, *next;
    taco_dataset *ds = NULL;
    for (line = text; line && *line; line = next) {
        size_t begin = p->out.len;
        taco_cursor *c;
        taco_error err;
        next = strchr(line, '\n');
        next = next ? (*next = 0, next + 1) : line + strlen(line);
        if (!ds) {
            ds = taco_open(line, NULL, &p->err);
            if (!ds) { return p->err.code; }
            continue;
        }
        memset(&err, 0, sizeof err);
        c = taco_sql(ds, line, &err);
        if (c && !probe_sql_rows(p, c)) {
            taco_cursor_close(c, NULL);
            break;
        }
        taco_cursor_close(c, &err);
        if (err.code != TACO_OK) {
            p->out.len = begin;
            taco__buf_append_text(&p->out, "{\"error\": ", &p->err);
            taco__json_write_string(&p->out, taco__bytes_text(err.text), &p->err);
            taco__buf_append_text(&p->out, "}\n", &p->err);
        }
    }
    taco_close(ds);
    return p->err.code;
}

/* ---- main ---- */

static const struct probe_kind {
    const char *name;
    taco_status (*run)(probe *p);
} probe_kinds[] = {
    {"zstd", probe_zstd},     {"snappy", probe_snappy}, {"lz4", probe_lz4},   {"gzip", probe_gzip},
    {"zlib", probe_zlib},     {"flate", probe_flate},   {"json", probe_json}, {"zip", probe_zip},
    {"thrift", probe_thrift}, {"geom", probe_wkb},      {"wkb", probe_wkb},   {"expr", probe_where},
    {"where", probe_where},   {"sql", probe_sql},
#ifdef TACO_PARQUET_BROTLI_DECOMPRESS
    {"brotli", probe_brotli},
#endif
};

static bool probe_read(probe *p, const char *path)
{
    uint8_t block[4096];
    size_t n;
    bool ok = true;
    FILE *f = fopen(path, "rb");
    taco__buf b;
    memset(&b, 0, sizeof b);
    b.mem = &p->mem;
    if (!f) { return false; }
    while (ok && (n = fread(block, 1, sizeof block, f)) > 0) {
        ok = taco__buf_append(&b, block, n, &p->err);
    }
    ok = ok && !ferror(f);
    fclose(f);
    /* exactly as long as the file, so that a sanitizer sees every read behind its end */
    p->in.len = b.len;
    p->in.data = (const uint8_t *)malloc(b.len ? b.len : 1);
    ok = ok && p->in.data;
    if (ok && b.len) { memcpy((uint8_t *)(uintptr_t)p->in.data, b.data, b.len); }
    taco__buf_free(&b);
    return ok;
}

int main(int argc, char **argv)
{
    static probe p;
    size_t k = 0;
    int status = 0;
    while (argc == 3 && k < TACO__COUNT(probe_kinds) && strcmp(argv[1], probe_kinds[k].name) != 0) {
        k++;
    }
    if (argc != 3 || k == TACO__COUNT(probe_kinds)) {
        fprintf(stderr, "usage: probe KIND FILE\nkinds:");
        for (k = 0; k < TACO__COUNT(probe_kinds); k++) {
            fprintf(stderr, " %s", probe_kinds[k].name);
        }
        fprintf(stderr, "\n");
        return 2;
    }
    taco__mem_init(&p.mem, NULL);
    p.arena.mem = &p.mem;
    p.out.mem = &p.mem;
    if (!probe_read(&p, argv[2])) {
        fprintf(stderr, "%s: cannot be read\n", argv[2]);
        status = 2;
    } else if (probe_kinds[k].run(&p) != TACO_OK) {
        fprintf(stderr, "%s: %s\n", argv[2], taco_error_text(&p.err));
        status = 1;
    } else if ((p.out.len && fwrite(p.out.data, 1, p.out.len, stdout) != p.out.len) ||
               fflush(stdout) != 0) {
        fprintf(stderr, "stdout cannot be written\n");
        status = 1;
    }
    taco__arena_free(&p.arena);
    taco__buf_free(&p.out);
    free((void *)(uintptr_t)p.in.data);
    return status;
}
