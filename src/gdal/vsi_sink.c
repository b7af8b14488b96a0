/* vsi_sink.c - files of GDAL's virtual file systems as taco_sink

   Files have a temporary name until they are closed and kept, like local files in base/sink.c. */
#include "gdal_bridge.h"

typedef struct taco__vsi_sink {
    taco__mem mem;
    taco__buf name, part; /* the final name and the temporary one, NUL-terminated */
    VSILFILE *f;
} taco__vsi_sink;

/* Seeks only if necessary, as streams of object stores cannot. */
static bool taco__vsi_sink_write(void *ctx, uint64_t offset, const void *src, size_t len)
{
    taco__vsi_sink *s = (taco__vsi_sink *)ctx;
    return (VSIFTellL(s->f) == offset || VSIFSeekL(s->f, offset, SEEK_SET) == 0) &&
           VSIFWriteL(src, 1, len, s->f) == len;
}

/* Frees the sink; its file is closed by now. */
static void taco__vsi_sink_free(taco__vsi_sink *s)
{
    taco__mem mem = s->mem;
    s->name.mem = s->part.mem = &mem;
    taco__buf_free(&s->name);
    taco__buf_free(&s->part);
    taco__mem_free(&mem, s, sizeof *s);
}

/* A file that cannot be renamed is removed. */
static bool taco__vsi_sink_close(void *ctx, bool keep)
{
    taco__vsi_sink *s = (taco__vsi_sink *)ctx;
    const char *part = (const char *)s->part.data;
    bool ok;
    taco__vsi_source_quiet();
    ok = VSIFCloseL(s->f) == 0;
    ok = ok && keep && VSIRename(part, (const char *)s->name.data) == 0;
    if (!ok) { VSIUnlink(part); }
    taco__vsi_source_loud();
    taco__vsi_sink_free(s);
    return ok || !keep;
}

/* Sets s->part to path and ".0123456789abcdef.part": hexadecimal digits from time, process and
   sink, which no other sink in use has. */
static bool taco__vsi_sink_name_part(taco__vsi_sink *s, const char *path, taco_error *err)
{
    taco__buf *out = &s->part;
    uint8_t seed[8];
    char digits[17];
    taco__put_le64(
        seed, ((uint64_t)taco__plat_now() ^ (uint64_t)CPLGetPID() << 40 ^ (uint64_t)(uintptr_t)s) *
                  0x9E3779B97F4A7C15U);
    *taco__ascii_put_hex(digits, seed, sizeof seed) = 0;
    if (!taco__vsi_source_name(out, path, err)) { return false; }
    out->len--;
    return taco__buf_append_char(out, '.', err) && taco__buf_append_text(out, digits, err) &&
           taco__buf_append_text(out, ".part", err) && taco__buf_append_char(out, 0, err);
}

TACO_API taco_status taco_gdal_sink(taco_sink *out, const char *path, const taco_options *opt,
                                    taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__mem mem;
    taco__vsi_sink *s;
    memset(out, 0, sizeof *out);
    err = taco__error_fresh(err, &own);
    if (!path || !*path) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
    }
    taco__mem_init(&mem, opt);
    s = (taco__vsi_sink *)taco__mem_alloc(&mem, sizeof *s, err);
    if (!s) { return TACO_ERR_MEMORY; }
    memset(s, 0, sizeof *s);
    s->mem = mem;
    s->name.mem = s->part.mem = &s->mem;
    if (!taco__vsi_source_name(&s->name, path, err) || !taco__vsi_sink_name_part(s, path, err)) {
        taco__vsi_sink_free(s);
        return err->code;
    }
    taco__vsi_source_quiet();
    s->f = VSIFOpenL((const char *)s->part.data, "wb+");
    if (!s->f) { taco__vsi_source_fail(err, TACO_ERR_IO, path, "cannot be written"); }
    taco__vsi_source_loud();
    if (!s->f) {
        taco__vsi_sink_free(s);
        return err->code;
    }
    out->ctx = s;
    out->write = taco__vsi_sink_write;
    out->close = taco__vsi_sink_close;
    return TACO_OK;
}
