/* local_metadata.c - from keys to samples, through the local metadata: read, locate, payload..
   Spec: TACO 2.0 §6.2 "Local Metadata", §7.2.3 */
#include "dataset.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

TACO__FN void taco__local_meta_close(taco__local_meta *m)
{
    if (m->open && m->table.pq) { taco__pq_file_close(&m->pq); }
    if (m->cached) { taco__file_release(m->cached, m->range.offset, m->range.len); }
    if (m->file_open) { taco__file_close(&m->file); }
    memset(m, 0, sizeof *m);
}

/* id and type are what navigation goes by: they must be there, and text. */
TACO__FN bool taco__local_meta_find_roles(const taco__container *s, const taco__table *t,
                                          taco__column_roles *r, taco_error *err)
{
    taco__container_find_roles(s, t, r);
    if (r->id == TACO__NONE || r->type == TACO__NONE || t->fields[r->id].type != TACO_TEXT ||
        t->fields[r->type].type != TACO_TEXT) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "id and type must be columns of text");
        return false;
    }
    return true;
}

/* Where the file with the bytes of a node is, in this dataset's sources. */
static taco__file *taco__local_meta_archive_file(const taco__nav_node *n, taco_error *err)
{
    if (n->store->kind == TACO_KIND_ZIP) { return &n->store->file; }
    return taco__container_open_archive(n->store, taco__bytes_text(n->source), err);
}

TACO__FN const char *taco__local_meta_folder_path(const taco__nav_node *n, const char *suffix,
                                                  taco_error *err)
{
    const char *path = taco__container_join_path(n->store, n->store->dir, "DATA/", err);
    path = path ? taco__container_join_path(n->store, path, n->path, err) : NULL;
    return path ? taco__container_join_path(n->store, path, suffix, err) : NULL;
}

/* Directory of a FOLDER sample in a FOLDER dataset, as GDAL calls it. */
TACO__FN const char *taco__local_meta_folder_vsi(const taco__nav_node *n, taco_error *err)
{
    const char *path = taco__container_join_path(
        n->store, n->store->vsi, taco__container_ends_with(n->store->vsi, "/") ? "DATA/" : "/DATA/",
        err);
    return path ? taco__container_join_path(n->store, path, n->path, err) : NULL;
}

/* The children of a FOLDER of one of the caller's formats. */
static bool taco__local_meta_open_format(const taco__nav_node *n, taco__arena *arena,
                                         taco__local_meta *m, taco_error *err)
{
    taco__format_folder of;
    memset(m, 0, sizeof *m);
    of.file = taco__local_meta_archive_file(n, err);
    of.offset = n->offset;
    of.size = n->size;
    of.row = n->row;
    of.level = n->level;
    of.source = n->source;
    of.folder = n->folder;
    m->open = of.file && n->store->format->children(n->store, &of, arena, &m->table, err);
    return m->open && taco__local_meta_find_roles(n->store, &m->table, &m->role, err);
}

/* Opens the __meta__ of a FOLDER, Parquet or Avro by its first bytes. */
TACO__FN bool taco__local_meta_open(const taco__nav_node *n, taco__arena *arena,
                                    taco__local_meta *m, taco_error *err)
{
    taco__file *file;
    taco__range range;
    uint8_t magic[4] = {0};
    taco_source src;
    memset(m, 0, sizeof *m);
    if (n->store->format && n->store->format->children) {
        return taco__local_meta_open_format(n, arena, m, err);
    }
    if (n->store->kind == TACO_KIND_FOLDER) {
        const char *path = taco__local_meta_folder_path(n, "/__meta__", err);
        if (!path || !taco__source_open_path(n->store->options, path, &src, err)) { return false; }
        taco__file_init(&m->file, &src, "", n->store->mem);
        m->file_open = true;
        file = &m->file;
        range.offset = 0;
        range.len = src.size;
    } else {
        file = taco__local_meta_archive_file(n, err);
        if (!file) { return false; }
        if (!n->has_range) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "internal:offset or internal:size is null");
            return false;
        }
        range.offset = (uint64_t)n->offset;
        range.len = (uint64_t)n->size;
        if (!taco__checked_range(range.offset, range.len, file->src.size)) {
            TACO__FAIL(err, TACO_ERR_TRUNCATED, range.offset,
                       "%u bytes of __meta__, the archive ends at %u", range.len, file->src.size);
            return false;
        }
    }
    if (range.len < sizeof magic ||
        !taco__file_fetch(file, &range, range.len <= TACO__PQ_FILE_TAIL ? 1 : 0, err) ||
        !taco__file_read(file, range.offset, magic, sizeof magic, err)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, range.offset, "__meta__ of %u bytes", range.len);
        return false;
    }
    m->cached = m->file_open || range.len > TACO__PQ_FILE_TAIL ? NULL : file;
    m->range = range;
    if (!taco__container_open_table(n->store, file, range, "__meta__",
                                    memcmp(magic, "Obj\1", 4) == 0, arena, &m->pq, &m->table,
                                    err)) {
        return false;
    }
    m->open = true;
    return taco__local_meta_find_roles(n->store, &m->table, &m->role, err);
}
