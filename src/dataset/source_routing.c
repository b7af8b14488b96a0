/* source_routing.c - a merged collection (TACOLLECTION.json) as a dataset of its sources

   In: the path of a TACOLLECTION.json, whose taco:sources names archives and FOLDERs next to it
   in taco:sources; a query. Out: the paths of the sources that may have rows of the query, to be
   opened as one dataset. TACO 2.0 §6.6 ("individual partition extents in taco:sources for query
   routing").

   Extents are what writers claim, mostly of centroids and of middle times, and prove nothing about
   footprints: no source is left out because of them. taco_create_tacollection adds what does:
   taco:bounds, within which every footprint, centroid and time of the source lies, with the size of
   the archive and the CRC-32 of its end for which that holds. A source is left out if these bounds
   are disjoint from the box of a filter, or from its days, and the archive is still that one. The
   others are opened, and the statistics of their tables leave out what they can. */
#include "cascade.h"
#include "gdal_path.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../geo/geo.h"

/* Bytes at the end of a file that its mark is made of. */
#define TACO__ROUTING_TAIL 4096
/* Microseconds of a day. */
#define TACO__ROUTING_DAY INT64_C(86400000000)

/* True for paths whose last component is TACOLLECTION.json. */
TACO__FN TACO__ONCE bool taco__routing_is_collection(const char *path)
{
    static const char name[] = "TACOLLECTION.json";
    size_t n = strlen(path), k = sizeof name - 1;
    return n >= k && strcmp(path + n - k, name) == 0 &&
           (n == k || path[n - k - 1] == '/' || path[n - k - 1] == '\\');
}

/* ---- bounds against a filter ---- */

/* Whether bounds [west, south, east, north] and a box share a point, all turned by 360 degrees or
   not: footprints continue across 180 degrees. */
static TACO__ONCE bool taco__routing_box_meets(const double b[4], const double box[4])
{
    double turn;
    if (b[1] > box[3] || b[3] < box[1]) { return false; }
    for (turn = -360; turn <= 360; turn += 360) {
        if (b[0] + turn <= box[2] && b[2] + turn >= box[0]) { return true; }
    }
    return false;
}

/* The same for the box of a filter; true if that cannot be decided: a box that is not in degrees,
   or that is compared with a column of the caller's, bounds that are not told. */
static TACO__ONCE bool taco__routing_spatial_meets(const taco__json *spatial, const taco_filter *f,
                                                   bool *meets, taco_error *err)
{
    double box[2][4], edge[4];
    size_t n, i;
    if (taco__intersect_split_box(f->bbox, box, &n, err) != TACO_OK) { return false; }
    for (i = 0; i < 4; i++) {
        if (!taco__json_double(taco__json_at(spatial, i), &edge[i])) { return true; }
    }
    if (f->geometry_column || (n == 1 && !taco__box_is_degrees(box[0]))) { return true; }
    for (i = 0; i < n && !taco__routing_box_meets(edge, box[i]); i++) {}
    *meets = *meets && i < n;
    return true;
}

/* Whether bounds ["first", "last"] and the days of a filter share an instant. */
static TACO__ONCE bool taco__routing_time_meets(const taco__json *temporal, const taco_filter *f,
                                                bool *meets, taco_error *err)
{
    const char *text[2];
    int64_t first, last, from, to, begin, end;
    bool date, whole;
    if (taco__time_parse_range(f->time, &first, &last, &from, &to, err) != TACO_OK) {
        return false;
    }
    text[0] = taco__json_text(taco__json_at(temporal, 0));
    text[1] = taco__json_text(taco__json_at(temporal, 1));
    if (f->time_column || !text[0] || !text[1] ||
        !taco__time_parse(taco__bytes_text(text[0]), &begin, &date) ||
        !taco__time_parse(taco__bytes_text(text[1]), &end, &whole)) {
        return true;
    }
    end += whole ? TACO__ROUTING_DAY - 1 : 0;
    *meets = *meets && begin < (last + 1) * TACO__ROUTING_DAY && end >= first * TACO__ROUTING_DAY;
    return true;
}

/* Whether a source may have rows that match all filters of a query, which may be NULL. */
static TACO__ONCE bool taco__routing_query_meets(const taco__json *bounds, const taco_query *q,
                                                 bool *meets, taco_error *err)
{
    const taco__json *spatial = taco__json_get(bounds, "spatial"),
                     *temporal = taco__json_get(bounds, "temporal");
    taco_filter own;
    size_t i;
    bool ok = true;
    *meets = true;
    if (!q) { return true; }
    memset(&own, 0, sizeof own);
    own.bbox = q->bbox;
    own.time = q->time;
    own.geometry_column = q->geometry_column;
    own.time_column = q->time_column;
    for (i = 0; ok && i <= q->filter_count; i++) {
        const taco_filter *f = i ? &q->filters[i - 1] : &own;
        ok = (!f->bbox || taco__routing_spatial_meets(spatial, f, meets, err)) &&
             (!f->time || taco__routing_time_meets(temporal, f, meets, err));
    }
    return ok;
}

/* What tells whether a file is another one: its size and the CRC-32 of its last bytes, which are an
   archive's central directory with the CRCs of its tables. False if it is no file, or with IO if it
   cannot be read. */
TACO__FN TACO__ONCE bool taco__routing_mark_read(const taco_options *options, const char *path,
                                                 taco__routing_mark *out, taco_error *err)
{
    uint8_t last[TACO__ROUTING_TAIL];
    taco_source src;
    size_t n;
    bool ok;
    if (!taco__source_open_path(options, path, &src, err)) { return false; }
    n = (size_t)TACO__MIN(src.size, (uint64_t)sizeof last);
    ok = n == 0 || (src.read && src.read(src.ctx, src.size - n, last, n));
    out->bytes = src.size;
    out->crc = taco__crc32(0, last, n);
    if (src.close) { src.close(src.ctx); }
    if (!ok) { TACO__FAIL(err, TACO_ERR_IO, src.size - n, "reading %u bytes failed", TACO__U(n)); }
    return ok;
}

/* Whether bounds still hold: a file on this machine is the one that they were made for. Remote
   files are not asked, which would take as long as to open them: a collection is published with its
   sources. */
static TACO__ONCE bool taco__routing_bounds_hold(const taco__json *bounds, const char *path,
                                                 const taco_options *options, bool *hold,
                                                 taco_error *err)
{
    int64_t bytes = -1, crc = -1;
    taco__routing_mark now;
    taco_error e;
    memset(&e, 0, sizeof e);
    *hold = false;
    if (!taco__json_int(taco__json_get(bounds, "bytes"), &bytes) || bytes < 0 ||
        !taco__json_int(taco__json_get(bounds, "crc"), &crc)) {
        return true;
    }
    if (strstr(path, "://") || strncmp(path, "/vsi", 4) == 0) {
        *hold = true;
        return true;
    }
    if (taco__routing_mark_read(options, path, &now, &e)) {
        *hold = now.bytes == (uint64_t)bytes && (int64_t)now.crc == crc;
    } else if (e.code == TACO_ERR_IO) {
        taco__error_prefix(&e, "%s", path);
        taco__error_copy(err, &e);
        return false;
    }
    return true;
}

/* ---- sources ---- */

/* The extents of files by name: `by_file` has indexes into the list, in the arena. The first of
   equal names counts. */
typedef struct taco__routing_extents {
    const taco__json **list;
    taco__hash_map by_file;
} taco__routing_extents;

static TACO__ONCE bool taco__routing_index_extents(taco__routing_extents *e, taco__arena *arena,
                                                   const taco__json *sources, taco_error *err)
{
    const taco__json *extents = taco__json_get(sources, "extents"), *x;
    size_t i, n = taco__json_is(extents, TACO__JSON_ARRAY) ? taco__json_length(extents) : 0;
    e->list = (const taco__json **)taco__arena_array(arena, n + 1, sizeof *e->list, err);
    if (!e->list || !taco__hash_map_reset(&e->by_file, n, err)) { return false; }
    for (i = 0, x = taco__json_first(extents); i < n; i++, x = taco__json_next(x)) {
        const taco__json *file = taco__json_get(x, "file");
        taco__hash_slot *slot;
        bool added;
        if (!taco__json_text(file)) { continue; }
        slot = taco__hash_map_add(&e->by_file, taco__json_bytes(file), &added, err);
        if (!slot) { return false; }
        if (added) { slot->value = i; }
        e->list[i] = x;
    }
    return true;
}

/* The extent of a file, NULL if it is not listed. */
static TACO__ONCE const taco__json *taco__routing_find_extent(const taco__routing_extents *e,
                                                              taco_bytes file)
{
    const taco__hash_slot *slot = file.data ? taco__hash_map_find(&e->by_file, file) : NULL;
    return slot ? e->list[slot->value] : NULL;
}

/* The path of a source: its bare name next to the collection; not the collection itself. NULL on
   failure. */
static TACO__ONCE const char *taco__routing_source_path(taco__arena *arena, const char *collection,
                                                        const taco__json *file, taco_error *err)
{
    const char *name = taco__json_text(file);
    size_t dir = strlen(collection) - strlen("TACOLLECTION.json"), n = name ? strlen(name) : 0;
    char *path;
    if (!name ||
        taco__vsi_check_name(taco__bytes_text(name), "taco:sources.files", err) != TACO_OK) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "taco:sources.files must have names");
        return NULL;
    }
    if (taco__routing_is_collection(name)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "taco:sources.files has the merged collection itself");
        return NULL;
    }
    path = (char *)taco__arena_alloc(arena, dir + n + 1, err);
    if (path) {
        memcpy(path, collection, dir);
        memcpy(path + dir, name, n + 1);
    }
    return path;
}

/* Whether a source may have rows of a query. */
static TACO__ONCE bool taco__routing_source_meets(const taco__routing_extents *extents,
                                                  const taco__json *file, const char *path,
                                                  const taco_query *q, const taco_options *options,
                                                  bool *meets, taco_error *err)
{
    const taco__json *bounds =
        taco__json_get(taco__routing_find_extent(extents, taco__json_bytes(file)), "taco:bounds");
    bool hold;
    if (!taco__routing_query_meets(bounds, q, meets, err)) { return false; }
    if (*meets) { return true; }
    if (!taco__routing_bounds_hold(bounds, path, options, &hold, err)) { return false; }
    *meets = !hold;
    return true;
}

/* The paths of the sources that may have rows of a query, in the arena; the first one if none has,
   because columns and tree are taken from one. */
static TACO__ONCE bool taco__routing_list_files(taco__arena *arena, const char *collection,
                                                const taco__json *files,
                                                const taco__routing_extents *extents,
                                                const taco_query *q, const taco_options *options,
                                                const char ***paths, size_t *n, taco_error *err)
{
    const taco__json *file;
    const char *stand_in = NULL;
    size_t i, count = taco__json_length(files);
    *paths = (const char **)taco__arena_array(arena, count, sizeof **paths, err);
    *n = 0;
    for (i = 0, file = taco__json_first(files); *paths && i < count;
         i++, file = taco__json_next(file)) {
        const char *path = taco__routing_source_path(arena, collection, file, err);
        bool meets = true;
        if (!path || !taco__routing_source_meets(extents, file, path, q, options, &meets, err)) {
            return false;
        }
        stand_in = stand_in ? stand_in : path;
        if (meets) { (*paths)[(*n)++] = path; }
    }
    if (*paths && *n == 0) { (*paths)[(*n)++] = stand_in; }
    return *paths != NULL;
}

/* taco__routing_list_files for the text of a collection. */
static TACO__ONCE bool taco__routing_list(taco__arena *arena, const char *collection,
                                          taco_bytes text, const taco_query *q,
                                          const taco_options *options, const char ***paths,
                                          size_t *n, taco_error *err)
{
    taco__json_doc doc;
    const taco__json *sources, *files;
    taco__routing_extents extents;
    bool ok;
    if (taco__json_parse(arena, text, &options->limits, &doc, err) != TACO_OK) { return false; }
    sources = taco__json_get(doc.root, "taco:sources");
    files = taco__json_get(sources, "files");
    if (!taco__json_is(files, TACO__JSON_ARRAY) || taco__json_length(files) == 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "a merged collection must name its sources: taco:sources.files");
        return false;
    }
    memset(&extents, 0, sizeof extents);
    extents.by_file.mem = arena->mem;
    ok = taco__routing_index_extents(&extents, arena, sources, err) &&
         taco__routing_list_files(arena, collection, files, &extents, q, options, paths, n, err);
    taco__hash_map_free(&extents.by_file);
    if (ok) {
        taco__log(options, TACO_LOG_INFO, "%s: %u of %u sources opened", collection, TACO__U(*n),
                  TACO__U(taco__json_length(files)));
    }
    return ok;
}

/* Reads a merged collection, then opens its sources. */
static TACO__ONCE taco_dataset *taco__routing_open(taco__mem *mem, const char *path,
                                                   const taco_query *q, taco_column_mode mode,
                                                   const taco_options *opt, taco_error *err)
{
    taco_options options;
    taco__arena arena;
    taco__buf scratch;
    taco_source src;
    taco__file file;
    const uint8_t *text = NULL;
    const char **paths = NULL;
    size_t n = 0, len;
    taco_dataset *ds = NULL;
    memset(&arena, 0, sizeof arena);
    memset(&scratch, 0, sizeof scratch);
    arena.mem = scratch.mem = mem;
    taco__options_init(&options, opt);
    if (!taco__source_open_path(&options, path, &src, err)) { return NULL; }
    taco__file_init(&file, &src, "", mem);
    if (src.size > options.limits.max_metadata || !taco__checked_to_size(src.size, &len)) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "%u bytes, limits.max_metadata is %u",
                   src.size, options.limits.max_metadata);
    } else {
        text = taco__file_view(&file, 0, len, &scratch, err);
    }
    if (text &&
        taco__routing_list(&arena, path, taco__bytes_of(text, len), q, &options, &paths, &n, err)) {
        ds = taco_open_many(paths, n, mode, opt, err);
    } else {
        taco__error_prefix(err, "%s", path);
    }
    taco__file_close(&file);
    taco__buf_free(&scratch);
    taco__arena_free(&arena);
    return ds;
}

TACO_API taco_dataset *taco_open_tacollection(const char *path, const taco_query *route,
                                              taco_column_mode mode, const taco_options *opt,
                                              taco_error *err)
{
    taco_error own = {0, TACO_OK, 0, {0}};
    taco__mem mem;
    err = taco__error_fresh(err, &own);
    if (!path || !taco__routing_is_collection(path)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path of a TACOLLECTION.json given");
        return NULL;
    }
    taco__mem_init(&mem, opt);
    return taco__routing_open(&mem, path, route, mode, opt, err);
}
