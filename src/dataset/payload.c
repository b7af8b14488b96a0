/* payload.c - from keys to samples, through the local metadata: read, locate, payload.. Spec: TACO
   2.0 §6.2 "Local Metadata", §7.2.3 */
#include "dataset.h"
#include "../base/base.h"

TACO_API taco_status taco_locate(taco_dataset *ds, const char *path, taco_sample *out,
                                 taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__nav_node n;
    taco__arena arena;
    bool ok;
    memset(out, 0, sizeof *out);
    err = err ? err : &own;
    if (!ds || !path) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          ds ? "path" : "dataset");
    }
    arena.mem = &ds->mem;
    arena.head = NULL;
    ds->locate_vsi.len = ds->locate_file.len = 0;
    ok = taco__nav_walk(ds, path, false, &n, &arena, err);
    if (ok && n.root) {
        out->folder = out->whole = true;
        out->vsi = out->file = "";
    } else if (ok && n.store->kind == TACO_KIND_FOLDER) {
        const char *file = taco__local_meta_folder_path(&n, n.folder ? "/__meta__" : "", err);
        const char *dir = file ? taco__local_meta_folder_vsi(&n, err) : NULL;
        out->folder = n.folder;
        out->whole = true;
        ok = dir && taco__buf_append_text(&ds->locate_file, file, err) &&
             taco__buf_append_char(&ds->locate_file, 0, err) &&
             taco__buf_append_text(&ds->locate_vsi, dir, err) &&
             (!n.folder || taco__buf_append_text(&ds->locate_vsi, "/__meta__", err)) &&
             taco__buf_append_char(&ds->locate_vsi, 0, err);
    } else if (ok) {
        taco_bytes source = taco__bytes_text(n.source ? n.source : "");
        out->folder = n.folder;
        out->offset = (uint64_t)n.offset;
        out->size = (uint64_t)n.size;
        ok = taco__buf_append_text(&ds->locate_file,
                                   n.source ? n.store->archive_dir : n.store->name, err) &&
             taco__buf_append(&ds->locate_file, source.data, source.len, err) &&
             taco__buf_append_char(&ds->locate_file, 0, err) &&
             taco__vsi_append_subfile(&ds->locate_vsi, out->offset, out->size,
                                      taco__bytes_text(n.store->vsi), source, err) &&
             taco__buf_append_char(&ds->locate_vsi, 0, err);
    }
    if (ok && !n.root) {
        out->vsi = (const char *)ds->locate_vsi.data;
        out->file = (const char *)ds->locate_file.data;
    }
    taco__arena_free(&arena);
    return ok ? TACO_OK : err->code;
}

/* ---- payload
   -------------------------------------------------------------------------------------- */

typedef struct taco__payload {
    taco_source base;
    uint64_t offset;
    taco__mem *mem;
    bool own; /* closes base */
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

TACO_API taco_status taco_payload(taco_dataset *ds, const char *path, taco_source *out,
                                  taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco_sample s;
    taco__payload *p;
    taco_bytes name = taco__bytes_text(path);
    memset(out, 0, sizeof *out);
    err = err ? err : &own;
    if (taco_locate(ds, path, &s, err) != TACO_OK) { return err->code; }
    if (s.folder) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "%s: sample %q is a FOLDER, only a FILE has bytes", ds->stores[0].name,
                          &name);
    }
    p = (taco__payload *)taco__mem_alloc(&ds->mem, sizeof *p, err);
    if (!p) { return err->code; }
    p->mem = &ds->mem;
    p->offset = s.offset;
    p->own = true;
    if (ds->container_count == 1 &&
        ds->stores[0].kind == TACO_KIND_ZIP) { /* the archive is open already */
        p->base = ds->stores[0].file.src;
        p->own = false;
    } else if (!taco__source_open_path(&ds->options, s.file, &p->base, err)) {
        taco__mem_free(&ds->mem, p, sizeof *p);
        taco__error_prefix(err, "%s: sample %q", ds->stores[0].name, &name);
        return err->code;
    }
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
