/* local_metadata.c - the __meta__ of a FOLDER: a table of its children

   In: a node that was found by its path (navigation.c). Out: its __meta__ opened as a table. TACO
   2.0 §6.2 "Local Metadata".

   In a FOLDER dataset __meta__ is a file in the sample's directory; in an archive it is the range
   that the sample's row names. It is Parquet, or Avro in the first FOLDER datasets: its first bytes
   say which. A small one is read in one piece and kept in memory while it is open. Formats find
   children their own way (taco_opener.children). */
#include "navigation.h"
#include "../base/base.h"
#include "../parquet/parquet.h"

/* Also cleans up after taco__local_meta_open has failed; may be called twice. */
TACO__FN void taco__local_meta_close(taco__local_meta *m)
{
    if (m->open && m->table.pq) { taco__pq_file_close(&m->pq); }
    if (m->cached) { taco__file_release(m->cached, m->range.offset, m->range.len); }
    if (m->file_open) { taco__file_close(&m->file); }
    memset(m, 0, sizeof *m);
}

/* Finds the columns needed to find samples: id and type must be present, and text. */
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

/* ---- where it is ---- */

/* The file that contains the bytes of a node. */
static taco__file *taco__local_meta_archive_file(const taco__nav_node *n, taco_error *err)
{
    if (n->store->kind == TACO_KIND_ZIP) { return &n->store->file; }
    return taco__container_open_archive(n->store, taco__bytes_text(n->source), err);
}

/* FOLDER datasets: the path of a sample's file or directory, and a suffix; NULL when memory
   ends. */
TACO__FN const char *taco__local_meta_folder_path(const taco__nav_node *n, const char *suffix,
                                                  taco_error *err)
{
    const char *path = taco__container_join_path(n->store, n->store->dir, "DATA/", err);
    path = path ? taco__container_join_path(n->store, path, n->path, err) : NULL;
    return path ? taco__container_join_path(n->store, path, suffix, err) : NULL;
}

/* The same as a GDAL path. */
TACO__FN const char *taco__local_meta_folder_vsi(const taco__nav_node *n, taco_error *err)
{
    const char *data = taco__container_ends_with(n->store->vsi, "/") ? "DATA/" : "/DATA/";
    const char *path = taco__container_join_path(n->store, n->store->vsi, data, err);
    return path ? taco__container_join_path(n->store, path, n->path, err) : NULL;
}

/* Opens the file __meta__ of a directory. */
static taco__file *taco__local_meta_open_own_file(const taco__nav_node *n, taco__local_meta *m,
                                                  taco_error *err)
{
    const char *path = taco__local_meta_folder_path(n, "/__meta__", err);
    taco_source src;
    if (!path || !taco__source_open_path(n->store->options, path, &src, err)) { return NULL; }
    taco__file_init(&m->file, &src, "", n->store->mem);
    m->file_open = true;
    m->range.offset = 0;
    m->range.len = src.size;
    return &m->file;
}

/* The archive of a node, and the range of its __meta__ in it. */
static taco__file *taco__local_meta_find_range(const taco__nav_node *n, taco__local_meta *m,
                                               taco_error *err)
{
    taco__file *file = taco__local_meta_archive_file(n, err);
    if (!file) { return NULL; }
    if (!n->has_range) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "internal:offset or internal:size is null");
        return NULL;
    }
    m->range.offset = (uint64_t)n->offset;
    m->range.len = (uint64_t)n->size;
    if (!taco__checked_range(m->range.offset, m->range.len, file->src.size)) {
        TACO__FAIL(err, TACO_ERR_TRUNCATED, m->range.offset,
                   "%u bytes of __meta__, the archive ends at %u", m->range.len, file->src.size);
        return NULL;
    }
    return file;
}

/* ---- opening ---- */

/* The children of a FOLDER of one of the caller's formats. */
static bool taco__local_meta_open_format(const taco__nav_node *n, taco__arena *arena,
                                         taco__local_meta *m, taco_error *err)
{
    taco__format_folder of;
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

/* Opens the table in m->range of a file, keeping the range in memory if it is small. */
static bool taco__local_meta_open_table(const taco__nav_node *n, taco__file *file,
                                        taco__arena *arena, taco__local_meta *m, taco_error *err)
{
    const taco__range *range = &m->range;
    bool small = range->len <= taco__mem_ahead(file->mem, TACO__PQ_FILE_TAIL);
    uint8_t magic[4] = {0};
    if (range->len < sizeof magic) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, range->offset, "__meta__ of %u bytes", range->len);
        return false;
    }
    if (!taco__file_fetch(file, range, small ? 1 : 0, err) ||
        !taco__file_read(file, range->offset, magic, sizeof magic, err)) {
        return false;
    }
    m->cached = small && !m->file_open ? file : NULL;
    m->open =
        taco__container_open_table(n->store, file, *range, "__meta__",
                                   memcmp(magic, "Obj\1", 4) == 0, arena, &m->pq, &m->table, err);
    return m->open;
}

/* Opens the __meta__ of a FOLDER into *m, which must not be moved; close it with
   taco__local_meta_close, even on failure. What the table needs beyond its file lives in the
   arena. */
TACO__FN bool taco__local_meta_open(const taco__nav_node *n, taco__arena *arena,
                                    taco__local_meta *m, taco_error *err)
{
    taco__file *file;
    memset(m, 0, sizeof *m);
    if (n->store->format && n->store->format->children) {
        return taco__local_meta_open_format(n, arena, m, err);
    }
    file = n->store->kind == TACO_KIND_FOLDER ? taco__local_meta_open_own_file(n, m, err)
                                              : taco__local_meta_find_range(n, m, err);
    return file && taco__local_meta_open_table(n, file, arena, m, err) &&
           taco__local_meta_find_roles(n->store, &m->table, &m->role, err);
}
