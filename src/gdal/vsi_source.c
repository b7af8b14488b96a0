/* vsi_source.c - files of GDAL's virtual file systems as taco_source

   In: a GDAL path or a URL. Out: a source that reads it; several ranges are passed to GDAL at once,
   which merges nearby ones and fetches others in parallel. GDAL "Virtual File Systems". */
#include "gdal_bridge.h"

/* Ranges passed to GDAL at a time. */
#define TACO__VSI_SOURCE_RANGES 64

TACO__FN void taco__vsi_source_quiet(void)
{
    CPLPushErrorHandler(CPLQuietErrorHandler);
    CPLErrorReset();
}

TACO__FN void taco__vsi_source_loud(void)
{
    CPLPopErrorHandler();
}

TACO__FN TACO__COLD taco_status taco__vsi_source_fail(taco_error *err, taco_status code,
                                                      const char *name, const char *what)
{
    const char *said = CPLGetLastErrorMsg();
    bool any = said && said[0];
    taco_bytes quoted = taco__bytes_text(said);
    return any ? TACO__FAIL(err, code, TACO_NO_OFFSET, "%s: %s: GDAL says %q", name, what, &quoted)
               : TACO__FAIL(err, code, TACO_NO_OFFSET, "%s: %s", name, what);
}

TACO__FN bool taco__vsi_source_name(taco__buf *out, const char *path, taco_error *err)
{
    out->len = 0;
    return taco__vsi_append_root(out, taco__bytes_text(path), err) &&
           taco__buf_append_char(out, 0, err);
}

/* ---- the source ---- */

/* taco_source.read. */
static bool taco__vsi_source_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    VSILFILE *f = (VSILFILE *)ctx;
    return VSIFSeekL(f, offset, SEEK_SET) == 0 && VSIFReadL(dst, 1, len, f) == len;
}

/* taco_source.read_many: as many ranges at a time as fit the lists. */
static bool taco__vsi_source_read_many(void *ctx, const taco_piece *reads, size_t n)
{
    void *data[TACO__VSI_SOURCE_RANGES];
    vsi_l_offset offsets[TACO__VSI_SOURCE_RANGES];
    size_t sizes[TACO__VSI_SOURCE_RANGES], i, k;
    for (i = 0; i < n; i += k) {
        for (k = 0; k < TACO__VSI_SOURCE_RANGES && i + k < n; k++) {
            data[k] = reads[i + k].dst;
            offsets[k] = reads[i + k].offset;
            sizes[k] = reads[i + k].len;
        }
        if (VSIFReadMultiRangeL((int)k, data, offsets, sizes, (VSILFILE *)ctx) != 0) {
            return false;
        }
    }
    return true;
}

static void taco__vsi_source_close(void *ctx)
{
    VSIFCloseL((VSILFILE *)ctx);
}

/* The size comes from stat, which detects directories: they can be opened but not read. GDAL caches
   the result of stat, so the open makes no request. */
static taco_status taco__vsi_source_open(taco_source *out, const char *name, taco_error *err)
{
    const int flags = VSI_STAT_EXISTS_FLAG | VSI_STAT_NATURE_FLAG | VSI_STAT_SIZE_FLAG;
    VSIStatBufL st;
    VSILFILE *f;
    memset(&st, 0, sizeof st);
    if (VSIStatExL(name, &st, flags) != 0 || VSI_ISDIR(st.st_mode) || st.st_size < 0) {
        return taco__vsi_source_fail(err, TACO_ERR_NOT_FOUND, name, "no such file");
    }
    f = VSIFOpenL(name, "rb");
    if (!f) { return taco__vsi_source_fail(err, TACO_ERR_NOT_FOUND, name, "cannot be opened"); }
    out->ctx = f;
    out->size = (uint64_t)st.st_size;
    out->read = taco__vsi_source_read;
    out->read_many = taco__vsi_source_read_many;
    out->close = taco__vsi_source_close;
    return TACO_OK;
}

TACO_API taco_status taco_gdal_source(taco_source *out, const char *path, taco_error *err)
{
    taco__mem mem;
    taco__buf name;
    taco_status st = TACO_ERR_MEMORY;
    err = taco__error_fresh(err, NULL);
    memset(out, 0, sizeof *out);
    if (!path || !*path) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
    }
    taco__mem_init(&mem, NULL);
    memset(&name, 0, sizeof name);
    name.mem = &mem;
    if (taco__vsi_source_name(&name, path, err)) {
        taco__vsi_source_quiet();
        st = taco__vsi_source_open(out, (const char *)name.data, err);
        taco__vsi_source_loud();
    }
    taco__buf_free(&name);
    return st;
}

TACO_API bool taco_gdal_open_file(void *ctx, const char *path, taco_source *out)
{
    (void)ctx;
    return taco_gdal_source(out, path, NULL) == TACO_OK;
}
