/* payload.c - where the bytes of a sample are, and a source that reads them

   In: a path of keys. Out: taco_sample (a GDAL path, a file and a range of it), or a taco_source
   over just these bytes. TACO 2.0 §7.2.3.

   taco_locate turns the node that navigation.c finds into names, which live in the dataset until
   the next call. taco_payload opens that file; an archive of the dataset is open already. */
#include "navigation.h"
#include "gdal_path.h"
#include "../base/base.h"

/* ---- locate ---- */

/* Appends text and the NUL after it. */
static bool taco__payload_end_text(taco__buf *b, const char *text, taco_error *err)
{
    return taco__buf_append_text(b, text, err) && taco__buf_append_char(b, 0, err);
}

/* A FOLDER dataset: a separate file, for a FOLDER its __meta__. */
static bool taco__payload_locate_file(taco_dataset *ds, const taco__nav_node *n, taco_sample *out,
                                      taco_error *err)
{
    const char *meta = n->folder ? "/__meta__" : "";
    const char *file = taco__local_meta_folder_path(n, meta, err);
    const char *dir = file ? taco__local_meta_folder_vsi(n, err) : NULL;
    out->folder = n->folder;
    out->whole = true;
    return dir && taco__payload_end_text(&ds->locate_file, file, err) &&
           taco__buf_append_text(&ds->locate_vsi, dir, err) &&
           taco__payload_end_text(&ds->locate_vsi, meta, err);
}

/* What GDAL calls the file of a format that was opened as `path`; NULL if it is not among them. */
static const char *taco__payload_format_vsi(const taco__container *s, const char *path)
{
    size_t i;
    for (i = 0; i < s->format_file_count; i++) {
        if (strcmp(s->format_files[i].path, path) == 0) { return s->format_files[i].vsi; }
    }
    return NULL;
}

/* An archive: a range in it. */
static bool taco__payload_locate_range(taco_dataset *ds, const taco__nav_node *n, taco_sample *out,
                                       taco_error *err)
{
    const char *source = n->source ? n->source : "", *below = source;
    const char *root = taco__payload_format_vsi(n->store, n->source ? source : n->store->name);
    if (root) {
        below = "";
    } else {
        root = n->store->vsi;
    }
    out->folder = n->folder;
    out->offset = (uint64_t)n->offset;
    out->size = (uint64_t)n->size;
    return taco__buf_append_text(&ds->locate_file,
                                 n->source ? n->store->archive_dir : n->store->name, err) &&
           taco__payload_end_text(&ds->locate_file, source, err) &&
           taco__vsi_append_subfile(&ds->locate_vsi, out->offset, out->size, taco__bytes_text(root),
                                    taco__bytes_text(below), err) &&
           taco__buf_append_char(&ds->locate_vsi, 0, err);
}

/* The root has neither file nor path. */
static bool taco__payload_locate_node(taco_dataset *ds, const taco__nav_node *n, taco_sample *out,
                                      taco_error *err)
{
    ds->locate_vsi.len = ds->locate_file.len = 0;
    if (n->root) {
        out->folder = out->whole = true;
        out->vsi = out->file = "";
        return true;
    }
    if (!(n->store->kind == TACO_KIND_FOLDER ? taco__payload_locate_file(ds, n, out, err)
                                             : taco__payload_locate_range(ds, n, out, err))) {
        return false;
    }
    out->vsi = (const char *)ds->locate_vsi.data;
    out->file = (const char *)ds->locate_file.data;
    return true;
}

/* taco_locate; *store becomes the container of the sample. err must not be NULL. */
static taco_status taco__payload_locate(taco_dataset *ds, const char *path, taco_sample *out,
                                        taco__container **store, taco_error *err)
{
    taco__nav_node n;
    taco__arena arena;
    bool ok;
    memset(out, 0, sizeof *out);
    if (!ds || !path) {
        TACO__FAIL_SOFT(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                        ds ? "path" : "dataset");
        return TACO_ERR_ARGUMENT;
    }
    memset(&arena, 0, sizeof arena);
    arena.mem = &ds->mem;
    ok = taco__nav_walk(ds, path, false, &n, &arena, err) &&
         taco__payload_locate_node(ds, &n, out, err);
    *store = n.store;
    taco__arena_free(&arena);
    return ok ? TACO_OK : err->code;
}

TACO_API taco_status taco_locate(taco_dataset *ds, const char *path, taco_sample *out,
                                 taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__container *store;
    return taco__payload_locate(ds, path, out, &store, taco__error_fresh(err, &own));
}

/* ---- payload ---- */

/* A source that is part of another. */
typedef struct taco__payload {
    taco_source base;
    uint64_t offset;
    taco__mem *mem;
    /* base is closed with it */
    bool own;
} taco__payload;

static bool taco__payload_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    taco__payload *p = (taco__payload *)ctx;
    return p->base.read(p->base.ctx, p->offset + offset, dst, len);
}

static void taco__payload_close(void *ctx)
{
    taco__payload *p = (taco__payload *)ctx;
    if (p->own && p->base.close) { p->base.close(p->base.ctx); }
    taco__mem_free(p->mem, p, sizeof *p);
}

/* Uses the archive with the sample, which is open, or opens the file of the sample. NULL on
   failure. */
static taco__payload *taco__payload_open(taco_dataset *ds, const taco__container *store,
                                         const taco_sample *s, const char *path, taco_error *err)
{
    taco__payload *p = (taco__payload *)taco__mem_alloc(&ds->mem, sizeof *p, err);
    if (!p) { return NULL; }
    p->mem = &ds->mem;
    p->offset = s->offset;
    if (store->kind == TACO_KIND_ZIP && store->file_open) {
        p->base = store->file.src;
        return p;
    }
    if (!taco__source_open_path(&ds->options, s->file, &p->base, err)) {
        taco_bytes name = taco__bytes_text(path);
        taco__mem_free(&ds->mem, p, sizeof *p);
        taco__error_prefix(err, "%s: sample %q", store->name, &name);
        return NULL;
    }
    p->own = true;
    return p;
}

TACO_API taco_status taco_payload(taco_dataset *ds, const char *path, taco_source *out,
                                  taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_sample s;
    taco__payload *p;
    taco__container *store;
    taco_bytes name = taco__bytes_text(path);
    memset(out, 0, sizeof *out);
    err = taco__error_fresh(err, &own);
    if (taco__payload_locate(ds, path, &s, &store, err) != TACO_OK) { return err->code; }
    if (s.folder) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "%s: sample %q is a FOLDER, only a FILE has bytes", store->name, &name);
    }
    p = taco__payload_open(ds, store, &s, path, err);
    if (!p) { return err->code; }
    if (!s.whole && !taco__checked_range(s.offset, s.size, p->base.size)) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, s.offset, "payload of %u bytes, the archive ends at %u",
                   s.size, p->base.size);
        taco__error_prefix(err, "%s: sample %q", s.file, &name);
        taco__payload_close(p);
        return err->code;
    }
    out->ctx = p;
    out->size = s.whole ? p->base.size : s.size;
    out->read = taco__payload_read;
    out->close = taco__payload_close;
    return TACO_OK;
}

TACO_API taco_status taco_payload_check(taco_dataset *ds, const char *path, uint32_t crc,
                                        taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_sample s;
    taco__payload *p;
    taco__container *store;
    taco_bytes name = taco__bytes_text(path);
    uint32_t wanted = 0;
    bool known;
    err = taco__error_fresh(err, &own);
    if (taco__payload_locate(ds, path, &s, &store, err) != TACO_OK) { return err->code; }
    if (s.folder || s.whole) { return TACO_OK; }
    p = taco__payload_open(ds, store, &s, path, err);
    if (!p) { return err->code; }
    known = taco__checked_range(s.offset, s.size, p->base.size) &&
            taco__zip_stored_crc(&p->base, s.offset, s.size, &wanted);
    taco__payload_close(p);
    if (!taco__zip_check_copied(&ds->options, known, wanted, crc, name, err)) {
        taco__error_prefix(err, "%s", s.file);
    }
    return err->code;
}
