/* taco_write.h - create, consolidate, export, convert, validate and repair TACO datasets.

   Optional, beside taco.h and taco_parquet.h. In the one source file that holds the implementation:

       #define TACO_IMPLEMENTATION
       #include "taco_write.h"          (includes the other headers it needs)

   C99 or C++11; nothing but libc. What taco.h says of errors, ownership, limits and threads holds here.

   ROOMS, in order of dependency; those of the headers it includes stand before them.

   model     - the rules of ids, names, trees and COLLECTION.json, and what is computed from a tree
   zipw      - STORE-mode archives out: local headers, central directory, ZIP64, TACO_HEADER
   pack      - level tables, __meta__ and payloads into an archive or a folder
   make      - samples, folders and columns handed over one by one
   ext       - columns and fields of the known extensions
   merge     - many datasets as one: .tacocat, __TACOCAT__, merged collections
   export    - views of a dataset, and whole datasets, into other containers
   check     - every rule held against a dataset that stands
   repair    - offsets and headers made right again */
#ifndef TACO_WRITE_H
#define TACO_WRITE_H

#include "taco_tiff.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- creating ------------------------------------------------------------------------------------ */

typedef struct taco_create_options { /* {0} = defaults, in brackets */
    const taco_options *options;
    taco_kind container;  /* [an archive for names that end in .zip or .tacozip, else a FOLDER] */
    int64_t   mtime;      /* of the entries of an archive, seconds since 1970, UTC [1980-01-01] */
    bool      overwrite;  /* an archive that is there is replaced [ARGUMENT] */
    bool      any_tree;   /* samples of different trees: PIT-1 is not asked for (spec 5.5) */
    bool      fill;       /* a column that is not set is null [ARGUMENT: the schema is strict] */
    bool      new_extent; /* computed from the columns also where the collection has one */
    uint32_t pad_to; /* FOLDERs and level 0 get __TACOPAD__N rows up to a multiple of this [none] */
    /* of METADATA/levelN.parquet and __meta__ [ZSTD, none for a small __meta__; 65536] */
    taco_codec codec;
    int        level;
    uint64_t   row_group_rows;
    /* Called behind every sample with the payload bytes so far, and of all where that is known, else 0; false stops. */
    bool (*progress)(void *ctx, uint64_t bytes, uint64_t total);
    void    *progress_ctx;
    uint64_t total;
    int64_t  date; /* of an export, for taco:subset_date, seconds since 1970 [now] */
} taco_create_options;

typedef struct taco_writer taco_writer;

/* Starts a dataset at path, which must not be there: an archive for names that end in .zip or .tacozip, else a FOLDER. It
   is made under path with ".part" behind it and renamed when it is finished. opt may be NULL; what its `options` points
   to must outlive the writer. NULL on failure. Payloads are written as they come; of a sample its id, place and columns
   are kept until the end. The same calls give the same bytes. A writer belongs to one thread at a time.

   Calls come in the order of the tree: collection and columns; then samples, each with its values behind it; the children
   of a FOLDER between its _begin and _end. After a failure every call does nothing and returns the same code; _finish
   reports it. NULL writers are accepted. */
TACO_API taco_writer *taco_create(const char *path, const taco_create_options *opt,
                                  taco_error *err);
/* The same, an archive into a sink, which is copied and closed with the writer, on failure too. Payloads larger than
   256 KiB are read twice: their CRC stands before them. */
TACO_API taco_writer *taco_create_sink(const taco_sink *sink, const taco_create_options *opt,
                                       taco_error *err);
/* The fields of COLLECTION.json as one object, checked against every rule (spec 5.6): id, dataset_version, description,
   licenses, providers, tasks are required; further ones are kept. taco_version is 2.0.0 if it has none. extent is computed
   from stac:centroid, stac:time_start, ... or the istac: ones when it has none. Descriptions of columns are taken from
   "taco:field_schema": {"level0": [["name", "", "description"], ...]}. */
TACO_API taco_status taco_writer_collection(taco_writer *w, const char *json, size_t len);
/* Declares a column of a level, before its first sample. Names are [A-Za-z0-9_]+(:[A-Za-z0-9_]+)?, not id, type, path or
   internal:... Timestamps and times are in microseconds. */
TACO_API taco_status taco_writer_column(taco_writer *w, uint32_t level, const char *name,
                                        taco_type type);
TACO_API taco_status taco_writer_list(taco_writer *w, uint32_t level, const char *name,
                                      taco_type items);
/* The same of any type, nested ones included; field is copied. */
TACO_API taco_status taco_writer_field(taco_writer *w, uint32_t level, const taco_field *field);
/* Adds a FILE with the bytes of a file (by opt->options->open_file, where it is set), of memory, or of a range of a source
   that stays the caller's. An id has no '/', '\\' or ':', does not start with "__", and names a file; siblings differ. */
TACO_API taco_status taco_writer_file(taco_writer *w, const char *id, const char *path);
TACO_API taco_status taco_writer_bytes(taco_writer *w, const char *id, const void *data,
                                       size_t len);
TACO_API taco_status taco_writer_range(taco_writer *w, const char *id, const taco_source *src,
                                       uint64_t offset, uint64_t size);
/* Adds a FOLDER; what follows until the end is in it. Its own columns are set behind _begin, before its children, or
   behind _end. */
TACO_API taco_status taco_writer_folder_begin(taco_writer *w, const char *id);
TACO_API taco_status taco_writer_folder_end(taco_writer *w);
/* Sets a column of the sample that was begun or ended last, once. Columns that are not set: opt->fill. Integers go into
   every integer, date, time and floating type they fit; text also into dates and timestamps, as ISO 8601; NULL text is
   null. _set_array takes row `row` of an array of the column's type. TYPE where the column is of another type. */
TACO_API taco_status taco_writer_set_null(taco_writer *w, const char *column);
TACO_API taco_status taco_writer_set_text(taco_writer *w, const char *column, const char *value);
TACO_API taco_status taco_writer_set_bytes(taco_writer *w, const char *column, const void *data,
                                           size_t len);
TACO_API taco_status taco_writer_set_bool(taco_writer *w, const char *column, bool value);
TACO_API taco_status taco_writer_set_int(taco_writer *w, const char *column, int64_t value);
TACO_API taco_status taco_writer_set_double(taco_writer *w, const char *column, double value);
TACO_API taco_status taco_writer_set_ints(taco_writer *w, const char *column, const int64_t *values,
                                          size_t n);
TACO_API taco_status taco_writer_set_doubles(taco_writer *w, const char *column,
                                             const double *values, size_t n);
TACO_API taco_status taco_writer_set_array(taco_writer *w, const char *column,
                                           const taco_array *values, size_t row);
/* Checks the tree (PIT-1), writes the metadata, makes the dataset permanent and releases the writer. When this or an
   earlier call failed, nothing is left at path, and err says why. */
TACO_API taco_status taco_writer_finish(taco_writer *w, taco_error *err);
/* Drops what was made and releases the writer. */
TACO_API void taco_writer_abort(taco_writer *w);

/* Writes the samples that a query leaves, whole, with all that is below them, as a dataset of its own at path, which must
   not be there. query may be NULL; its order, table and flat are not taken. The collection is the source's (of several:
   the first's) with taco:subset_of and taco:subset_date, and extent, taco:pit_schema and taco:field_schema as they are of
   the samples written. Where consolidated offsets are wrong, the bytes are those of __meta__. Payloads are read in the
   order of the source; of one with read_many several at a time. Memory: the ids and places of the samples, and a row
   group. On failure nothing is left at path. */
TACO_API taco_status taco_export(taco_dataset *ds, const char *path, const taco_query *query,
                                 const taco_create_options *opt, taco_error *err);
/* Writes the whole dataset, padding included, into another container: archive to FOLDER and back, or a catalogue into one
   archive. The collection stays but for what is counted. */
TACO_API taco_status taco_repack(taco_dataset *ds, const char *path, const taco_create_options *opt,
                                 taco_error *err);

/* ---- columns of the extensions (TACO 2.0 §8) -------------------------------------------------- */

/* Longitude and latitude (EPSG:4326) of a point in a CRS that is not computed here; false when it cannot be told. */
typedef bool (*taco_lonlat_fn)(void *ctx, const char *crs, double x, double y, double out[2]);

/* Longitude and latitude of a point, in degrees. Computed here, to about a nanometre beside PROJ: geographic CRSs (EPSG:4326,
   4979, 4258, 4269, OGC:CRS84), UTM zones (EPSG:326xx, 327xx, 258xx, 269xx) and web mercator (EPSG:3857); crs is a code, a
   URN, or WKT that ends with its code. UNSUPPORTED for others, and CORRUPT for what is not on the globe. */
TACO_API taco_status taco_lonlat(const char *crs, double x, double y, double out[2],
                                 taco_error *err);

typedef struct taco_stac { /* a raster; {0} with crs, shape and geotransform is a valid one */
    const char    *crs;
    const int64_t *shape; /* of the tensor: at least rows and columns, last */
    size_t         dimensions;
    double         geotransform[6]; /* GDAL's */
    int64_t        time_start;      /* microseconds since 1970, UTC */
    int64_t        time_end;
    bool           has_end;
    const double  *centroid; /* longitude, latitude; NULL: of the middle of the raster */
    taco_lonlat_fn lonlat;   /* for CRSs that taco_lonlat does not know; may be NULL */
    void          *lonlat_ctx;
} taco_stac;
typedef struct taco_istac { /* an irregular footprint */
    const char    *crs;
    taco_bytes     geometry; /* WKB in crs */
    int64_t        time_start, time_end;
    bool           has_end;
    const double  *centroid; /* NULL: of the geometry */
    taco_lonlat_fn lonlat;
    void          *lonlat_ctx;
} taco_istac;

/* What a TIFF says of crs, shape and geotransform; the strings and the shape are t's. UNSUPPORTED without those. */
TACO_API taco_status taco_stac_tiff(const taco_tiff *t, taco_stac *out, taco_error *err);
/* Centroids, in degrees: of the raster's middle (rotation is not looked at, as in the reference), and of a geometry
   (area, else length, else points, in its own CRS). */
TACO_API taco_status taco_stac_centroid(const taco_stac *s, double out[2], taco_error *err);
TACO_API taco_status taco_istac_centroid(const taco_istac *s, double out[2], taco_error *err);

/* Declare the columns of an extension on a level, and set them on the sample that was begun last: stac:crs, tensor_shape,
   geotransform, time_start, centroid, time_end, time_middle; istac:crs, geometry, ...; split (train, test or validation);
   scaling:scale_factor, scale_offset (n numbers; lists where `lists`), padding (top, right, bottom, left; NULL = null).
   ARGUMENT for what the extension forbids: an end before the start, a factor of 0, no such split. */
TACO_API taco_status taco_writer_stac_columns(taco_writer *w, uint32_t level);
TACO_API taco_status taco_writer_set_stac(taco_writer *w, const taco_stac *s, taco_error *err);
TACO_API taco_status taco_writer_istac_columns(taco_writer *w, uint32_t level);
TACO_API taco_status taco_writer_set_istac(taco_writer *w, const taco_istac *s, taco_error *err);
TACO_API taco_status taco_writer_set_split(taco_writer *w, const char *split, taco_error *err);
TACO_API taco_status taco_writer_scaling_columns(taco_writer *w, uint32_t level, bool lists);
TACO_API taco_status taco_writer_set_scaling(taco_writer *w, const double *factors,
                                             const double *offsets, size_t n, bool lists,
                                             const int32_t padding[4], taco_error *err);

/* majortom:code of a point: the grid cell of about `km` kilometres (0 < km) it is in, "0100km_0003U_0005R". out has room for
   48 bytes. */
TACO_API taco_status taco_majortom(double km, double lon, double lat, char *out, taco_error *err);

typedef struct taco_label {
    const char *name, *category, *description; /* description may be NULL */
} taco_label;
typedef struct taco_publication {
    const char *doi, *citation, *summary; /* summary may be NULL */
} taco_publication;
/* Members of COLLECTION.json: "labels:classes":[...],"labels:description":...,"labels:num_classes":n, and
   "publications":[...], without braces around them, to be put into the object given to taco_writer_collection. out is the caller's
   buffer of `room` bytes. LIMIT when it is too small. */
TACO_API taco_status taco_labels_json(const taco_label *labels, size_t n, const char *description,
                                      char *out, size_t room, taco_error *err);
TACO_API taco_status taco_publications_json(const taco_publication *list, size_t n, char *out,
                                            size_t room, taco_error *err);

#ifdef __cplusplus
}
#endif
#endif /* TACO_WRITE_H */

#if defined(TACO_IMPLEMENTATION) && !defined(TACO__WRITE_IMPLEMENTED)
#define TACO__WRITE_IMPLEMENTED
#include "taco_tiff.h" /* its implementation too, where only its declarations were seen before */

/* ==== ROOM model: the rules of ids, names, trees and COLLECTION.json, and what is computed from a tree.
   Uses: pq:base error mem num describe json coll. Spec: TACO 2.0.0 §5, §6.2 ====
   The rules are functions of values alone: the writer refuses by them, and validation holds them against what stands. */

#define TACO__MODEL_PAD                                                                            \
    "__TACOPAD__" /* begins the id of a row that only keeps the tree regular (§5.5) */

/* ---- the tree: ids, types, parents and places of all samples ---- */

/* The samples of one level, in order: the children of a parent stand together, behind those of the parents before it. */
typedef struct taco__tree_level {
    taco__buf ids;     /* one behind the other                                          */
    taco__buf ends;    /* int32 where ids begin: rows + 1 of them, as Arrow's offsets   */
    taco__buf parents; /* uint32 row in the level above; nothing at level 0             */
    taco__buf folders; /* uint8: 1 for a FOLDER                                         */
    taco__buf offsets; /* int64 where the bytes are in the archive; a FOLDER's __meta__ */
    taco__buf sizes;   /* int64 how many                                                */
    size_t    rows;
} taco__tree_level;
typedef struct taco__tree {
    taco__tree_level level[TACO__LEVELS];
    uint32_t         levels; /* those with rows */
} taco__tree;

TACO__FN void taco__tree_init(taco__tree *t, taco__mem *mem)
{
    size_t i;
    memset(t, 0, sizeof *t);
    for (i = 0; i < TACO__LEVELS; i++) {
        taco__tree_level *l = &t->level[i];
        l->ids.mem = l->ends.mem = l->parents.mem = l->folders.mem = mem;
        l->offsets.mem = l->sizes.mem = mem;
    }
}
TACO__FN void taco__tree_free(taco__tree *t)
{
    size_t i;
    for (i = 0; i < TACO__LEVELS; i++) {
        taco__tree_level *l = &t->level[i];
        taco__buf_free(&l->ids);
        taco__buf_free(&l->ends);
        taco__buf_free(&l->parents);
        taco__buf_free(&l->folders);
        taco__buf_free(&l->offsets);
        taco__buf_free(&l->sizes);
        l->rows = 0;
    }
    t->levels = 0;
}
TACO__FN taco_bytes taco__tree_id(const taco__tree *t, uint32_t level, size_t row)
{
    const taco__tree_level *l = &t->level[level];
    const int32_t          *at = (const int32_t *)(const void *)l->ends.data;
    return taco__base_bytes(l->ids.data + at[row], (size_t)(at[row + 1] - at[row]));
}
TACO__FN size_t taco__tree_parent(const taco__tree *t, uint32_t level, size_t row)
{
    return ((const uint32_t *)(const void *)t->level[level].parents.data)[row];
}
TACO__FN bool taco__tree_folder(const taco__tree *t, uint32_t level, size_t row)
{
    return t->level[level].folders.data[row] != 0;
}
TACO__FN int64_t taco__tree_offset(const taco__tree *t, uint32_t level, size_t row)
{
    return ((const int64_t *)(const void *)t->level[level].offsets.data)[row];
}
TACO__FN int64_t taco__tree_size(const taco__tree *t, uint32_t level, size_t row)
{
    return ((const int64_t *)(const void *)t->level[level].sizes.data)[row];
}
TACO__FN void taco__tree_place(taco__tree *t, uint32_t level, size_t row, uint64_t offset,
                               uint64_t size)
{
    ((int64_t *)(void *)t->level[level].offsets.data)[row] = (int64_t)offset;
    ((int64_t *)(void *)t->level[level].sizes.data)[row] = (int64_t)size;
}
/* Appends a sample behind those of its level. Its parent (nothing at level 0) is not before that of the one before. */
TACO__FN bool taco__tree_add(taco__tree *t, uint32_t level, size_t parent, taco_bytes id,
                             bool folder, taco_error *err)
{
    taco__tree_level *l = &t->level[level];
    const int64_t     zero = 0;
    const uint32_t    up = (uint32_t)parent;
    const int32_t     none = 0;
    int32_t           end;
    if (level && (parent >= t->level[level - 1].rows || !t->level[level - 1].folders.data[parent] ||
                  (l->rows && parent < taco__tree_parent(t, level, l->rows - 1)))) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                   "sample %q of level %u: its parent is row %u, it must be a FOLDER of the %u "
                   "above, and none before "
                   "that of the sample before",
                   &id, TACO__U(level), TACO__U(parent), TACO__U(t->level[level - 1].rows));
        return false;
    }
    if (l->rows >= INT32_MAX || id.len > INT32_MAX - l->ids.len) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "more than 2^31 rows or bytes of ids in level %u", TACO__U(level));
        return false;
    }
    end = (int32_t)(l->ids.len + id.len);
    if ((l->rows == 0 && !taco__buf_append(&l->ends, &none, sizeof none, err)) ||
        !taco__buf_append(&l->ids, id.data, id.len, err) ||
        !taco__buf_append(&l->ends, &end, sizeof end, err) ||
        (level && !taco__buf_append(&l->parents, &up, sizeof up, err)) ||
        !taco__buf_char(&l->folders, folder ? 1 : 0, err) ||
        !taco__buf_append(&l->offsets, &zero, sizeof zero, err) ||
        !taco__buf_append(&l->sizes, &zero, sizeof zero, err)) {
        return false;
    }
    l->rows++;
    t->levels = TACO__MAX(t->levels, level + 1);
    return true;
}
/* Appends the path of a sample below DATA/, a '/' behind a FOLDER's (§7.2.3). */
TACO__FN bool taco__tree_path(const taco__tree *t, uint32_t level, size_t row, taco__buf *out,
                              taco_error *err)
{
    size_t   rows[TACO__LEVELS];
    uint32_t i = level;
    bool     ok = true;
    rows[level] = row;
    for (; i; i--) {
        rows[i - 1] = taco__tree_parent(t, i, rows[i]);
    }
    for (i = 0; ok && i <= level; i++) {
        taco_bytes id = taco__tree_id(t, i, rows[i]);
        ok = taco__buf_append(out, id.data, id.len, err) &&
             ((i == level && !taco__tree_folder(t, i, rows[i])) || taco__buf_char(out, '/', err));
    }
    return ok;
}

/* ---- rules of samples ---- */

TACO__FN bool taco__model_is_padding(taco_bytes id)
{
    size_t i, n = sizeof TACO__MODEL_PAD - 1;
    bool   ok = id.len > n && taco__base_starts(id, TACO__MODEL_PAD);
    for (i = n; ok && i < id.len; i++) {
        ok = id.data[i] >= '0' && id.data[i] <= '9';
    }
    return ok;
}
/* §5.6: no slash, backslash or colon; no double underscore at the start, unless it is padding. And UTF-8, as Parquet's
   strings are. */
TACO__FN taco_status taco__model_id(taco_bytes id, taco_error *err)
{
    size_t i;
    for (i = 0; i < id.len; i++) {
        char c[2];
        c[0] = (char)id.data[i];
        c[1] = 0;
        if (c[0] == '/' || c[0] == '\\' || c[0] == ':') {
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "id %q contains '%s'; an id has no '/', '\\' and ':'", &id, c);
        }
    }
    if (taco__base_starts(id, "__") && !taco__model_is_padding(id)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "id %q starts with '__', which is reserved for padding", &id);
    }
    if (!taco__num_utf8(id)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "id %q is not UTF-8", &id);
    }
    return TACO_OK;
}
/* What an id must be besides to name a file, in a FOLDER or where an archive is unpacked. */
TACO__FN taco_status taco__model_file_name(taco_bytes id, taco_error *err)
{
    if (id.len == 0) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "an id is empty; it names a file");
    }
    if ((id.len == 1 && id.data[0] == '.') ||
        (id.len == 2 && id.data[0] == '.' && id.data[1] == '.')) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "id %q is a directory's name for itself or the one above", &id);
    }
    if (memchr(id.data, 0, id.len) != NULL) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "id %q has a zero byte; it names a file", &id);
    }
    if (taco__base_equal(id, taco__base_text("__meta__"))) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "id %q is the name of the local metadata", &id);
    }
    return TACO_OK;
}
/* True for columns that are the format's own: id, type, path and what begins with "internal:" (§7.2.3). */
TACO__FN bool taco__model_protected(taco_bytes name)
{
    return taco__base_equal(name, taco__base_text("id")) ||
           taco__base_equal(name, taco__base_text("type")) ||
           taco__base_equal(name, taco__base_text("path")) || taco__base_starts(name, "internal:");
}
/* §7.1.2: letters, digits and underscores, with at most one colon between them; and no protected name. */
TACO__FN taco_status taco__model_key(taco_bytes name, taco_error *err)
{
    size_t i, colons = 0, run = 0;
    bool   ok = name.len != 0;
    for (i = 0; ok && i < name.len; i++) {
        uint8_t c = name.data[i];
        if (c == ':') {
            ok = run != 0 && ++colons == 1;
            run = 0;
        } else {
            ok = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                 c == '_';
            run++;
        }
    }
    if (!ok || run == 0) {
        return TACO__FAIL(
            err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
            "column %q: a name is letters, digits and '_', with one ':' between at most", &name);
    }
    if (taco__model_protected(name)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "column %q: the name is protected, the format fills it itself", &name);
    }
    return TACO_OK;
}

/* ---- rules of the tree ---- */

/* Siblings with equal ids; slots holds 2^bits uint32. */
TACO__FN bool taco__model_unique_in(const taco__tree *t, uint32_t level, size_t from, size_t to,
                                    uint32_t *slots, size_t mask, size_t *first, size_t *second)
{
    size_t row;
    memset(slots, 0xFF, (mask + 1) * sizeof *slots);
    for (row = from; row < to; row++) {
        taco_bytes id = taco__tree_id(t, level, row);
        size_t     at = (size_t)taco__hash_xxh64(0, id.data, id.len) & mask;
        for (; slots[at] != UINT32_MAX; at = (at + 1) & mask) {
            if (taco__base_equal(id, taco__tree_id(t, level, slots[at]))) {
                *first = slots[at];
                *second = row;
                return false;
            }
        }
        slots[at] = (uint32_t)row;
    }
    return true;
}
/* §7.2.3: an id is unique among its siblings. */
TACO__FN taco_status taco__model_unique(const taco__tree *t, taco__mem *mem, taco_error *err)
{
    taco__buf   slots;
    uint32_t    level;
    taco_status st = TACO_OK;
    memset(&slots, 0, sizeof slots);
    slots.mem = mem;
    for (level = 0; st == TACO_OK && level < t->levels; level++) {
        size_t from, to, rows = t->level[level].rows, first, second, cap;
        for (from = 0; st == TACO_OK && from < rows; from = to) {
            for (to = from + 1; to < rows && (!level || taco__tree_parent(t, level, to) ==
                                                            taco__tree_parent(t, level, from));) {
                to++;
            }
            for (cap = 8; cap < (to - from) * 2; cap *= 2) {
            }
            slots.len = 0;
            if (!taco__buf_reserve(&slots, cap * sizeof(uint32_t), err)) {
                st = TACO_ERR_MEMORY;
            } else if (!taco__model_unique_in(t, level, from, to, (uint32_t *)(void *)slots.data,
                                              cap - 1, &first, &second)) {
                taco_bytes id = taco__tree_id(t, level, first);
                st =
                    TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                               "level %u: rows %u and %u both have the id %q, siblings must differ",
                               TACO__U(level), TACO__U(first), TACO__U(second), &id);
            }
        }
    }
    taco__buf_free(&slots);
    return st;
}
/* PIT-1 (§5.5): all level-0 samples are of one type, and below every one of them stands the same tree: as many
   children, with the same ids and types at the same places, all the way down. */
TACO__FN taco_status taco__model_pit1(const taco__tree *t, taco_error *err)
{
    size_t   n0 = t->level[0].rows, row, above = 1;
    uint32_t d;
    for (row = 1; row < n0; row++) {
        if (taco__tree_folder(t, 0, row) != taco__tree_folder(t, 0, 0)) {
            taco_bytes a = taco__tree_id(t, 0, 0), b = taco__tree_id(t, 0, row);
            return TACO__FAIL(
                err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                "PIT-1: sample %q is a %s, sample %q a %s; all of level 0 must be of one type", &a,
                taco__coll_word(taco__tree_folder(t, 0, 0)), &b,
                taco__coll_word(taco__tree_folder(t, 0, row)));
        }
    }
    for (d = 1; d < t->levels; d++) {
        size_t rows = t->level[d].rows, k = rows / n0;
        for (row = 0; row < rows; row++) {
            size_t     like = k ? row % k : 0, top = row, i;
            taco_bytes id = taco__tree_id(t, d, row), other = taco__tree_id(t, d, like), sample;
            if (k && taco__base_equal(id, other) &&
                taco__tree_folder(t, d, row) == taco__tree_folder(t, d, like) &&
                taco__tree_parent(t, d, row) == row / k * above + taco__tree_parent(t, d, like)) {
                continue;
            }
            for (i = d; i; i--) {
                top = taco__tree_parent(t, (uint32_t)i, top);
            }
            sample = taco__tree_id(t, 0, top);
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "PIT-1: level %u, row %u: below sample %q stands %s %q where the "
                              "first sample has %s "
                              "%q, or the numbers of children differ",
                              TACO__U(d), TACO__U(row), &sample,
                              taco__coll_word(taco__tree_folder(t, d, row)), &id,
                              taco__coll_word(taco__tree_folder(t, d, like)), &other);
        }
        if (rows % n0) {
            taco_bytes sample = taco__tree_id(t, 0, n0 - 1);
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "PIT-1: %u rows of level %u below %u samples, the last is %q; every "
                              "sample must have as "
                              "many",
                              TACO__U(rows), TACO__U(d), TACO__U(n0), &sample);
        }
        above = k;
    }
    return TACO_OK;
}

/* ---- what is said of the tree: taco:pit_schema ---- */

#define TACO__MODEL_LOOSE UINT32_MAX /* a row below which nothing is described */

typedef struct
    taco__model_pattern { /* the children of one kind of folder, as the fullest of them has them */
    uint32_t from, to;    /* rows of the level                        */
    uint64_t n;           /* rows below all folders of the kind       */
    uint32_t below; /* FOLDER places: number of the first of their patterns in the next level */
} taco__model_pattern;

/* The children of the rows of one level, by kind of folder: kinds[row] is the pattern of what stands below a row. */
TACO__FN void taco__model_fullest(const taco__tree *t, uint32_t level, const uint32_t *kinds,
                                  taco__model_pattern *patterns)
{
    size_t from, to, rows = t->level[level].rows;
    for (from = 0; from < rows; from = to) {
        size_t   parent = taco__tree_parent(t, level, from);
        uint32_t kind = kinds[parent];
        for (to = from + 1; to < rows && taco__tree_parent(t, level, to) == parent;) {
            to++;
        }
        if (kind != TACO__MODEL_LOOSE) {
            taco__model_pattern *p = &patterns[kind];
            p->n += to - from;
            if (to - from > p->to - p->from) {
                p->from = (uint32_t)from;
                p->to = (uint32_t)to;
            }
        }
    }
}
/* Numbers the kinds of the FOLDERs in the patterns of a level, in order, and says for every row which it is: the FOLDER
   at the same place, or else with the same id. */
TACO__FN uint32_t taco__model_kinds(const taco__tree *t, uint32_t level, const uint32_t *above,
                                    taco__model_pattern *patterns, uint32_t count, uint32_t *kinds)
{
    uint32_t i, next = 0;
    size_t   row, place = 0;
    for (i = 0; i < count; i++) {
        patterns[i].below = next;
        for (row = patterns[i].from; row < patterns[i].to; row++) {
            next += taco__tree_folder(t, level, row);
        }
    }
    for (row = 0; row < t->level[level].rows; row++) {
        size_t                     parent = taco__tree_parent(t, level, row), k;
        uint32_t                   folders = 0;
        const taco__model_pattern *p;
        place = row && taco__tree_parent(t, level, row - 1) == parent ? place + 1 : 0;
        kinds[row] = TACO__MODEL_LOOSE;
        if (above[parent] == TACO__MODEL_LOOSE || !taco__tree_folder(t, level, row)) {
            continue;
        }
        p = &patterns[above[parent]];
        for (k = p->from; k < p->to; k++) {
            bool folder = taco__tree_folder(t, level, k);
            if (folder && (kinds[row] == TACO__MODEL_LOOSE || k - p->from == place) &&
                taco__base_equal(taco__tree_id(t, level, k), taco__tree_id(t, level, row))) {
                kinds[row] = p->below + folders;
            }
            folders += folder;
        }
    }
    return next;
}
TACO__FN bool taco__model_number(taco__buf *out, uint64_t x, taco_error *err)
{
    char digits[24];
    return taco__buf_append(out, digits, taco__num_u64(digits, x), err);
}
TACO__FN bool taco__model_pattern_json(const taco__tree *t, uint32_t level,
                                       const taco__model_pattern *p, taco__buf *out,
                                       taco_error *err)
{
    size_t row;
    bool   ok = taco__buf_puts(out, "{\"n\":", err) && taco__model_number(out, p->n, err) &&
              taco__buf_puts(out, ",\"type\":[", err);
    for (row = p->from; ok && row < p->to; row++) {
        ok = (row == p->from || taco__buf_char(out, ',', err)) && taco__buf_char(out, '"', err) &&
             taco__buf_puts(out, taco__coll_word(taco__tree_folder(t, level, row)), err) &&
             taco__buf_char(out, '"', err);
    }
    ok = ok && taco__buf_puts(out, "],\"id\":[", err);
    for (row = p->from; ok && row < p->to; row++) {
        ok = (row == p->from || taco__buf_char(out, ',', err)) &&
             taco__json_emit_text(out, taco__tree_id(t, level, row), err);
    }
    return ok && taco__buf_puts(out, "]}", err);
}
/* The key of one level: a pattern for every kind of folder above. kinds are of the rows above; *next gets those of this
   level, *count how many there are. */
TACO__FN bool taco__model_level_json(const taco__tree *t, uint32_t level, const taco__buf *kinds,
                                     taco__buf *next, uint32_t *count, taco__buf *out,
                                     taco_error *err)
{
    size_t               bytes = (size_t)*count * sizeof(taco__model_pattern);
    taco__model_pattern *patterns = (taco__model_pattern *)taco__mem_alloc(next->mem, bytes, err);
    const uint32_t      *above = (const uint32_t *)(const void *)kinds->data;
    uint32_t             i, n = *count;
    bool ok = patterns && taco__buf_reset(next, t->level[level].rows * sizeof(uint32_t), err);
    bool first = true;
    if (ok) {
        taco__model_fullest(t, level, above, patterns);
        *count = taco__model_kinds(t, level, above, patterns, n, (uint32_t *)(void *)next->data);
    }
    for (i = 0; ok && i < n; i++) {
        if (patterns[i].to >
            patterns[i].from) { /* a folder without children has none to describe */
            ok = (first || taco__buf_char(out, ',', err)) &&
                 taco__model_pattern_json(t, level, &patterns[i], out, err);
            first = false;
        }
    }
    taco__mem_free(next->mem, patterns, bytes);
    return ok;
}
/* The longest run of children in a level. */
TACO__FN uint64_t taco__model_most(const taco__tree *t, uint32_t level)
{
    size_t   row, run = 0;
    uint64_t most = 0;
    for (row = 0; row < t->level[level].rows; row++) {
        run = row && taco__tree_parent(t, level, row) == taco__tree_parent(t, level, row - 1)
                  ? run + 1
                  : 1;
        most = TACO__MAX(most, (uint64_t)run);
    }
    return most;
}
/* Appends the value of taco:pit_schema: counted, never copied, so that it holds for exports and parts as well. */
TACO__FN bool taco__model_pit_json(const taco__tree *t, taco__buf *out, taco_error *err)
{
    taco__buf kinds[2];
    uint32_t  level, count = 1;
    bool      ok, folders = t->level[0].rows && taco__tree_folder(t, 0, 0);
    memset(kinds, 0, sizeof kinds);
    kinds[0].mem = kinds[1].mem = out->mem;
    ok = taco__buf_puts(out, "{\"root\":{\"n\":", err) &&
         taco__model_number(out, t->level[0].rows, err) &&
         taco__buf_puts(out, ",\"type\":\"", err) &&
         taco__buf_puts(out, taco__coll_word(folders), err) &&
         taco__buf_puts(out, "\"},\"shape\":[", err) &&
         taco__model_number(out, t->level[0].rows, err);
    for (level = 1; ok && level < t->levels; level++) {
        ok = taco__buf_char(out, ',', err) &&
             taco__model_number(out, taco__model_most(t, level), err);
    }
    ok = ok && taco__buf_puts(out, "],\"hierarchy\":{", err) &&
         taco__buf_reset(&kinds[0], t->level[0].rows * sizeof(uint32_t), err);
    if (ok) {
        memset(kinds[0].data, 0, t->level[0].rows * sizeof(uint32_t));
    }
    for (level = 1; ok && level < t->levels; level++) {
        char key[] = "\"1\":[";
        key[1] = (char)('0' + level);
        ok = (level == 1 || taco__buf_char(out, ',', err)) && taco__buf_puts(out, key, err) &&
             taco__model_level_json(t, level, &kinds[(level - 1) & 1], &kinds[level & 1], &count,
                                    out, err) &&
             taco__buf_char(out, ']', err);
    }
    taco__buf_free(&kinds[0]);
    taco__buf_free(&kinds[1]);
    return ok && taco__buf_puts(out, "}}", err);
}

/* ---- taco:field_schema ---- */

/* What the reference says of the columns that are everywhere. NULL for others. */
TACO__FN const char *taco__model_describe(const char *name)
{
    static const char *const texts[][2] = {
        {"id", "Unique sample identifier within parent scope. Must be unique among siblings."},
        {"type", "Sample type discriminator (FILE or FOLDER)."},
        {"internal:current_id", "Current sample position at this level (0-indexed). Enables O(1) "
                                "random access and relational JOINs (ZIP, "
                                "FOLDER, TACOCAT)."},
        {"internal:parent_id", "Foreign key referencing parent sample position in previous level "
                               "(ZIP, FOLDER, TACOCAT)."},
        {"internal:relative_path", "Relative path from DATA/ directory. Format: {parent_path}/{id} "
                                   "or {id} for level0 (ZIP, FOLDER, TACOCAT)."},
    };
    size_t i;
    for (i = 0; i < TACO__COUNT(texts); i++) {
        if (strcmp(texts[i][0], name) == 0) {
            return texts[i][1];
        }
    }
    return NULL;
}
/* The description that another field schema (may be NULL) has of a column of a level: [name, type, description]. */
TACO__FN taco_bytes taco__model_known(const taco__json *schema, const char *level, const char *name)
{
    const taco__json *list = taco__json_get(schema, level), *row;
    size_t            i, n = taco__json_length(list);
    for (i = 0, row = n ? taco__json_first(list) : NULL; i < n; i++, row = taco__json_next(row)) {
        if (taco__json_equals(taco__json_at(row, 0), name)) {
            return taco__json_bytes(taco__json_at(row, 2));
        }
    }
    return taco__base_bytes("", 0);
}
TACO__FN bool taco__model_field_json(const taco_field *f, const char *level,
                                     const taco__json *known, taco__buf *out, taco_error *err)
{
    const char *text = taco__model_describe(f->name);
    taco_bytes  said = text ? taco__base_text(text) : taco__model_known(known, level, f->name);
    size_t      at;
    bool        ok = taco__buf_char(out, '[', err) &&
              taco__json_emit_text(out, taco__base_text(f->name), err) &&
              taco__buf_puts(out, ",\"", err);
    at = out->len;
    ok = ok && taco__describe_type(f, out, err);
    for (; ok && at < out->len; at++) { /* the reference has the names in lower case */
        uint8_t c = out->data[at];
        out->data[at] = (uint8_t)(c >= 'A' && c <= 'Z' ? c + 32 : c);
    }
    return ok && taco__buf_puts(out, "\",", err) && taco__json_emit_text(out, said, err) &&
           taco__buf_char(out, ']', err);
}
TACO__FN taco_field taco__model_field(const char *name, taco_type type)
{
    taco_field f;
    memset(&f, 0, sizeof f);
    f.name = name;
    f.type = type;
    f.nullable = true;
    f.width = type == TACO_INT64 ? 8 : 0;
    return f;
}
/* One level of taco:field_schema: id, type, the user's n columns, and what every container has besides. */
TACO__FN bool taco__model_fields_json(uint32_t level, const taco_field *fields, size_t n,
                                      const taco__json *known, taco__buf *out, taco_error *err)
{
    const taco_field core[] = {taco__model_field("id", TACO_TEXT),
                               taco__model_field("type", TACO_TEXT),
                               taco__model_field("internal:current_id", TACO_INT64),
                               taco__model_field("internal:parent_id", TACO_INT64),
                               taco__model_field("internal:relative_path", TACO_TEXT)};
    char             key[] = "level0";
    size_t           i, last = level ? 5 : 4;
    bool             ok;
    key[5] = (char)('0' + level);
    ok = taco__buf_char(out, '"', err) && taco__buf_puts(out, key, err) &&
         taco__buf_puts(out, "\":[", err);
    for (i = 0; ok && i < last + n; i++) {
        const taco_field *f = i < 2 ? &core[i] : i < 2 + n ? &fields[i - 2] : &core[i - n];
        ok = (i == 0 || taco__buf_char(out, ',', err)) &&
             taco__model_field_json(f, key, known, out, err);
    }
    return ok && taco__buf_char(out, ']', err);
}

/* ---- COLLECTION.json ---- */

/* What is done with a breach: return false to stop. A warning is a rule of the reference that the specification has not. */
typedef bool (*taco__model_found)(void *ctx, bool warning, const taco_error *what);

typedef struct taco__model_check {
    taco__model_found found;
    void             *ctx;
    bool              stopped;
} taco__model_check;

/* Says that `field` breaks a rule; n is what stands there. */
#define TACO__MODEL_SAY(c, warning, n, ...)                                                        \
    do {                                                                                           \
        taco_error taco__e;                                                                        \
        memset(&taco__e, 0, sizeof taco__e);                                                       \
        TACO__FAIL(&taco__e, TACO_ERR_ARGUMENT, (n) ? (n)->begin : TACO_NO_OFFSET, __VA_ARGS__);   \
        (c)->stopped = (c)->stopped || !(c)->found((c)->ctx, (warning), &taco__e);                 \
    } while (0)

TACO__FN bool taco__model_nothing(const taco__json *n)
{
    return !n || n->type == TACO__JSON_NULL;
}
TACO__FN void taco__model_text(taco__model_check *c, const taco__json *root, const char *key,
                               bool required)
{
    const taco__json *n = taco__json_get(root, key);
    if (taco__json_is(n, TACO__JSON_STRING) ? (required && n->count == 0)
                                            : (required || !taco__model_nothing(n))) {
        TACO__MODEL_SAY(c, false, n ? n : root, "%s must be a string%s, found %s", key,
                        required ? " that is not empty" : " or null",
                        taco__json_is(n, TACO__JSON_STRING) ? "an empty one" : taco__json_kind(n));
    }
}
TACO__FN void taco__model_texts(taco__model_check *c, const taco__json *root, const char *key,
                                bool required)
{
    const taco__json *n = taco__json_get(root, key), *item;
    size_t            i;
    if (!required && taco__model_nothing(n)) {
        return;
    }
    if (!taco__json_is(n, TACO__JSON_ARRAY) || (required && n->count == 0)) {
        TACO__MODEL_SAY(c, false, n ? n : root, "%s must be an array of strings%s, found %s", key,
                        required ? ", at least one" : "",
                        taco__json_is(n, TACO__JSON_ARRAY) ? "an empty one" : taco__json_kind(n));
        return;
    }
    for (i = 0, item = taco__json_first(n); i < n->count; i++, item = taco__json_next(item)) {
        if (!taco__json_is(item, TACO__JSON_STRING) || item->count == 0) {
            TACO__MODEL_SAY(c, false, item, "%s[%u] must be a string that is not empty, found %s",
                            key, TACO__U(i),
                            taco__json_is(item, TACO__JSON_STRING) ? "an empty one"
                                                                   : taco__json_kind(item));
        }
    }
}
/* A string of a contact, when it is there: it begins with one of two prefixes, or contains a character. */
TACO__FN void taco__model_contact_text(taco__model_check *c, const taco__json *who, const char *key,
                                       size_t i, const char *name)
{
    const taco__json *n = taco__json_get(who, name);
    taco_bytes        text = taco__json_bytes(n);
    if (taco__model_nothing(n)) {
        return;
    }
    if (!taco__json_is(n, TACO__JSON_STRING)) {
        TACO__MODEL_SAY(c, false, n, "%s[%u].%s must be a string, found %s", key, TACO__U(i), name,
                        taco__json_kind(n));
    } else if (strcmp(name, "url") == 0 && text.len && !taco__base_starts(text, "http://") &&
               !taco__base_starts(text, "https://")) {
        TACO__MODEL_SAY(c, true, n, "%s[%u].url is %q, must begin with http:// or https://", key,
                        TACO__U(i), &text);
    } else if (strcmp(name, "email") == 0 && text.len && !memchr(text.data, '@', text.len)) {
        TACO__MODEL_SAY(c, true, n, "%s[%u].email is %q, must contain '@'", key, TACO__U(i), &text);
    }
}
/* providers and curators: objects with a name or an organization (§5.6), roles and addresses. */
TACO__FN void taco__model_contacts(taco__model_check *c, const taco__json *root, const char *key,
                                   bool required)
{
    static const char *const texts[] = {"name", "organization", "email", "role", "url"};
    const taco__json        *n = taco__json_get(root, key), *who;
    size_t                   i, k;
    if (!required && taco__model_nothing(n)) {
        return;
    }
    if (!taco__json_is(n, TACO__JSON_ARRAY) || (required && n->count == 0)) {
        TACO__MODEL_SAY(c, false, n ? n : root, "%s must be an array of objects%s, found %s", key,
                        required ? ", at least one" : "",
                        taco__json_is(n, TACO__JSON_ARRAY) ? "an empty one" : taco__json_kind(n));
        return;
    }
    for (i = 0, who = taco__json_first(n); i < n->count; i++, who = taco__json_next(who)) {
        if (!taco__json_is(who, TACO__JSON_OBJECT)) {
            TACO__MODEL_SAY(c, false, who, "%s[%u] must be an object, found %s", key, TACO__U(i),
                            taco__json_kind(who));
            continue;
        }
        if (taco__json_bytes(taco__json_get(who, "name")).len == 0 &&
            taco__json_bytes(taco__json_get(who, "organization")).len == 0) {
            TACO__MODEL_SAY(c, false, who, "%s[%u] must have a name or an organization", key,
                            TACO__U(i));
        }
        for (k = 0; k < TACO__COUNT(texts); k++) {
            taco__model_contact_text(c, who, key, i, texts[k]);
        }
        if (!taco__model_nothing(taco__json_get(who, "roles"))) {
            const taco__json *roles = taco__json_get(who, "roles"), *role;
            bool              ok = taco__json_is(roles, TACO__JSON_ARRAY);
            for (k = 0, role = taco__json_first(roles); ok && k < roles->count;
                 k++, role = taco__json_next(role)) {
                ok = taco__json_is(role, TACO__JSON_STRING);
            }
            if (!ok) {
                TACO__MODEL_SAY(c, false, roles, "%s[%u].roles must be an array of strings", key,
                                TACO__U(i));
            }
        }
    }
}
/* The id of a dataset (§5.6): lower case letters, digits, '_' and '-'. Letters of other scripts pass, as they do in the
   reference: what is not ASCII is not looked at. */
TACO__FN void taco__model_dataset_id(taco__model_check *c, const taco__json *root)
{
    const taco__json *n = taco__json_get(root, "id");
    taco_bytes        id = taco__json_bytes(n);
    size_t            i;
    bool              ok = id.len != 0;
    for (i = 0; ok && i < id.len; i++) {
        uint8_t b = id.data[i];
        ok = (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9') || b == '_' || b == '-' || b >= 0x80;
    }
    if (!taco__json_is(n, TACO__JSON_STRING)) {
        TACO__MODEL_SAY(c, false, n ? n : root, "id must be a string, found %s",
                        taco__json_kind(n));
    } else if (!ok) {
        TACO__MODEL_SAY(c, false, n, "id is %q, must be lower case letters, digits, '_' and '-'",
                        &id);
    }
}
TACO__FN void taco__model_tasks(taco__model_check *c, const taco__json *root)
{
    static const char *const known[] = {"regression",
                                        "classification",
                                        "scene-classification",
                                        "detection",
                                        "object-detection",
                                        "segmentation",
                                        "semantic-segmentation",
                                        "instance-segmentation",
                                        "panoptic-segmentation",
                                        "similarity-search",
                                        "generative",
                                        "image-captioning",
                                        "super-resolution",
                                        "denoising",
                                        "inpainting",
                                        "colorization",
                                        "style-transfer",
                                        "deblurring",
                                        "dehazing",
                                        "foundation-model",
                                        "other"};
    const taco__json        *n = taco__json_get(root, "tasks"), *task;
    size_t                   i, k, count = taco__json_length(n);
    taco__model_texts(c, root, "tasks", true);
    for (i = 0, task = count ? taco__json_first(n) : NULL; i < count;
         i++, task = taco__json_next(task)) {
        taco_bytes word = taco__json_bytes(task);
        for (k = 0; k < TACO__COUNT(known) && !taco__json_equals(task, known[k]); k++) {
        }
        if (k == TACO__COUNT(known) && word.len) {
            TACO__MODEL_SAY(c, true, task,
                            "tasks[%u] is %q, must be one of the 21 known tasks (regression, "
                            "classification, ..., other)",
                            TACO__U(i), &word);
        }
    }
}
/* Box and times: as room coll has it, and the times are ISO 8601, the end not before the start. */
TACO__FN void taco__model_extent(taco__model_check *c, const taco__coll *coll)
{
    taco_error what;
    int64_t    us[2] = {0, 0};
    size_t     i;
    bool       date, ok = true;
    memset(&what, 0, sizeof what);
    if (taco__coll_check_extent(coll, &what) != TACO_OK) {
        c->stopped = c->stopped || !c->found(c->ctx, false, &what);
        return;
    }
    if (taco__json_is(coll->extent, TACO__JSON_OBJECT) && !coll->has_spatial) {
        TACO__MODEL_SAY(c, false, coll->extent,
                        "extent.spatial must be four numbers: west, south, east, north");
    }
    for (i = 0; coll->has_temporal && i < 2; i++) {
        taco_bytes text = taco__base_text(coll->temporal[i]);
        if (!taco__time_parse(text, &us[i], &date)) {
            TACO__MODEL_SAY(c, false, coll->extent,
                            "extent.temporal[%u] is %q, must be an ISO 8601 date and time",
                            TACO__U(i), &text);
            ok = false;
        }
    }
    if (coll->has_temporal && ok && us[0] > us[1]) {
        TACO__MODEL_SAY(c, false, coll->extent, "extent.temporal: the start lies behind the end");
    }
}
/* Every rule of the fields of a collection, an object (§5.6). taco:pit_schema is checked by room coll when it is read.
   made: the document is about to be written, and what the writer fills in may be missing. */
TACO__FN void taco__model_collection(const taco__json_doc *doc, bool made, taco__model_found found,
                                     void *ctx)
{
    taco__model_check c;
    taco__coll        coll;
    const taco__json *root = doc->root;
    const taco__json *title = taco__json_get(root, "title");
    taco_bytes        text = taco__json_bytes(title);
    size_t            i, letters = 0;
    c.found = found;
    c.ctx = ctx;
    c.stopped = false;
    taco__model_dataset_id(&c, root);
    if (!c.stopped) {
        taco__model_text(&c, root, "taco_version", !made || taco__json_get(root, "taco_version"));
    }
    if (!c.stopped) {
        taco__model_text(&c, root, "dataset_version", true);
    }
    if (!c.stopped) {
        taco__model_text(&c, root, "description", true);
    }
    if (!c.stopped) {
        taco__model_texts(&c, root, "licenses", true);
    }
    if (!c.stopped) {
        taco__model_contacts(&c, root, "providers", true);
    }
    if (!c.stopped) {
        taco__model_tasks(&c, root);
    }
    if (!c.stopped) {
        taco__model_text(&c, root, "title", false);
        for (i = 0; i < text.len; i++) {
            letters += (text.data[i] & 0xC0) != 0x80;
        }
        if (letters > 250) {
            TACO__MODEL_SAY(&c, false, title, "title has %u characters, at most 250",
                            TACO__U(letters));
        }
    }
    if (!c.stopped) {
        taco__model_contacts(&c, root, "curators", false);
    }
    if (!c.stopped) {
        taco__model_texts(&c, root, "keywords", false);
    }
    if (!c.stopped) {
        memset(&coll, 0, sizeof coll);
        coll.doc = *doc;
        coll.extent = taco__json_get(root, "extent");
        taco__coll_extent(&coll);
        taco__model_extent(&c, &coll);
    }
}
/* Stops at the first breach, for those who write: what they write passes the reference's rules, too. ctx is a taco_error. */
TACO__FN bool taco__model_first(void *ctx, bool warning, const taco_error *what)
{
    taco_error *err = (taco_error *)ctx;
    (void)warning;
    if (err->code == TACO_OK) {
        *err = *what;
    }
    return false;
}

/* ---- where and when: what the columns of STAC and ISTAC say of all samples ---- */

/* Longitudes are gathered twice, the second time from 0 to 360: the narrower box is that of samples on both sides of the
   antimeridian. */
typedef struct taco__model_span {
    bool     box, times;
    uint32_t box_level, time_level; /* that they are of: the first that has such columns */
    double   west, south, east, north, west360, east360;
    int64_t  first, last; /* microseconds since 1970 */
} taco__model_span;

TACO__FN void taco__model_point(taco__model_span *s, double x, double y)
{
    double turned = x < 0 ? x + 360 : x;
    if (!(x >= -180 && x <= 180 && y >= -90 && y <= 90)) {
        return; /* NaN, or not in degrees: no place on earth */
    }
    if (!s->box) {
        s->west = s->east = x;
        s->south = s->north = y;
        s->west360 = s->east360 = turned;
        s->box = true;
    }
    s->west = TACO__MIN(s->west, x);
    s->east = TACO__MAX(s->east, x);
    s->south = TACO__MIN(s->south, y);
    s->north = TACO__MAX(s->north, y);
    s->west360 = TACO__MIN(s->west360, turned);
    s->east360 = TACO__MAX(s->east360, turned);
}
TACO__FN void taco__model_points(taco__model_span *s, const taco_array *a)
{
    size_t i;
    for (i = 0; i < a->length; i++) {
        taco_bytes wkb = taco_array_bytes(a, i);
        double     b[4];
        bool       empty = true;
        if (wkb.len && taco__geom_bounds(wkb, b, &empty, NULL) == TACO_OK && !empty) {
            taco__model_point(s, b[0], b[1]);
            taco__model_point(s, b[2], b[3]);
        }
    }
}
TACO__FN void taco__model_times(taco__model_span *s, const taco_array *a)
{
    static const int64_t scale[] = {1000000, 1000, 1, 1};
    size_t               i;
    for (i = 0; i < a->length; i++) {
        int64_t t = taco_array_int(a, i), k = scale[a->field->unit];
        if (!taco_array_valid(a, i) || t > INT64_MAX / k || t < INT64_MIN / k) {
            continue;
        }
        t = a->field->unit == TACO_NANO ? taco__time_floor(t, 1000) : t * k;
        s->first = s->times ? TACO__MIN(s->first, t) : t;
        s->last = s->times ? TACO__MAX(s->last, t) : t;
        s->times = true;
    }
}
/* Adds a batch of a level: centroids (stac before istac), and every start, middle and end. */
TACO__FN void taco__model_spans(taco__model_span *s, uint32_t level, const taco_batch *b)
{
    static const char *const names[2][4] = {
        {"stac:centroid", "stac:time_start", "stac:time_middle", "stac:time_end"},
        {"istac:centroid", "istac:time_start", "istac:time_middle", "istac:time_end"}};
    size_t i, k, n;
    bool   box = !s->box || s->box_level == level, times = !s->times || s->time_level == level,
         hit[2] = {false, false};
    for (k = 0; k < 2; k++) {
        bool any = false;
        for (i = 0; i < b->column_count; i++) {
            const taco_array *a = &b->columns[i];
            if (box && !hit[0] && a->field->type == TACO_BINARY &&
                strcmp(a->field->name, names[k][0]) == 0) {
                taco__model_points(s, a);
                s->box_level = level;
                hit[0] = true;
            }
            for (n = 1; times && !hit[1] && n < 4; n++) {
                if (a->field->type == TACO_TIMESTAMP && strcmp(a->field->name, names[k][n]) == 0) {
                    taco__model_times(s, a);
                    s->time_level = level;
                    any = true;
                }
            }
        }
        hit[1] = hit[1] || any;
    }
}
TACO__FN bool taco__model_double(taco__buf *out, double x, taco_error *err)
{
    char   text[40];
    size_t n = taco__num_f64(text, x);
    return taco__buf_append(out, text, n, err);
}
/* Appends the value of extent; otherwise (may be NULL) is what stands in for what the columns do not say. */
TACO__FN bool taco__model_extent_json(const taco__model_span *s, const taco__json *otherwise,
                                      taco__buf *out, taco_error *err)
{
    bool              turned = s->box && s->east - s->west > 180 && s->east360 - s->west360 < 180;
    double            box[4];
    size_t            i;
    bool              ok = taco__buf_puts(out, "{\"spatial\":", err);
    const taco__json *spatial = taco__json_get(otherwise, "spatial"),
                     *temporal = taco__json_get(otherwise, "temporal");
    box[0] = turned ? s->west360 : s->box ? s->west : -180;
    box[1] = s->box ? s->south : -90;
    box[2] = turned ? s->east360 : s->box ? s->east : 180;
    box[3] = s->box ? s->north : 90;
    if (!s->box && !taco__model_nothing(spatial)) {
        ok = ok && taco__json_emit(out, spatial, 0, err);
    } else {
        for (i = 0; ok && i < 4; i++) {
            ok = taco__buf_char(out, i ? ',' : '[', err) &&
                 taco__model_double(out, i % 2 == 0 && box[i] > 180 ? box[i] - 360 : box[i], err);
        }
        ok = ok && taco__buf_char(out, ']', err);
    }
    ok = ok && taco__buf_puts(out, ",\"temporal\":", err);
    if (ok && !s->times) {
        ok = taco__json_emit(out, taco__model_nothing(temporal) ? NULL : temporal, 0, err);
    } else if (ok) {
        char text[2][48];
        text[0][taco__time_put_stamp(text[0], s->first, TACO_MICRO, true)] = 0;
        text[1][taco__time_put_stamp(text[1], s->last, TACO_MICRO, true)] = 0;
        ok = taco__buf_puts(out, "[\"", err) && taco__buf_puts(out, text[0], err) &&
             taco__buf_puts(out, "\",\"", err) && taco__buf_puts(out, text[1], err) &&
             taco__buf_puts(out, "\"]", err);
    }
    return ok && taco__buf_char(out, '}', err);
}

/* ---- the document ---- */

/* Appends members "key": value of an object that are not among the n keys of skip, a ',' before each but the first. */
TACO__FN bool taco__model_members(const taco__json *root, const char *const *skip, size_t n,
                                  bool *first, taco__buf *out, taco_error *err)
{
    const taco__json *key;
    uint32_t          i;
    bool              ok = true;
    for (i = 0, key = taco__json_first(root); ok && i < root->count;
         i++, key = taco__json_next(key + 1)) {
        size_t k;
        for (k = 0; k < n && !taco__json_equals(key, skip[k]); k++) {
        }
        if (k == n && taco__json_get_bytes(root, taco__json_bytes(key)) ==
                          key + 1) { /* the last of equal keys */
            ok = (*first || taco__buf_char(out, ',', err)) &&
                 taco__json_emit_text(out, taco__json_bytes(key), err) &&
                 taco__buf_char(out, ':', err) && taco__json_emit(out, key + 1, 0, err);
            *first = false;
        }
    }
    return ok;
}
TACO__FN bool taco__model_text_json(taco__buf *out, bool *first, const char *key, taco_error *err)
{
    bool ok = (*first || taco__buf_char(out, ',', err)) &&
              taco__json_emit_text(out, taco__base_text(key), err) && taco__buf_char(out, ':', err);
    *first = false;
    return ok;
}
/* The document that stands in a container, indented by four: the user's fields (root), in the order of §5.6, then what
   is computed: extent, unless root has one and keep_extent; taco:pit_schema; taco:field_schema (a text). */
TACO__FN bool taco__model_document(const taco__json *root, bool keep_extent,
                                   const taco__model_span *span, const taco__tree *t,
                                   taco_bytes field_schema, taco__buf *out, taco_error *err)
{
    static const char *const keys[] = {"id",
                                       "dataset_version",
                                       "description",
                                       "licenses",
                                       "providers",
                                       "tasks",
                                       "taco_version",
                                       "title",
                                       "curators",
                                       "keywords",
                                       "extent",
                                       "taco:pit_schema",
                                       "taco:field_schema",
                                       "taco:sources"};
    taco__buf                flat;
    taco__arena              arena;
    taco__json_doc           doc;
    const taco__json        *extent = taco__json_get(root, "extent");
    size_t                   i;
    bool                     ok, first = true;
    memset(&flat, 0, sizeof flat);
    flat.mem = arena.mem = out->mem;
    arena.head = NULL;
    ok = taco__buf_char(&flat, '{', err);
    for (i = 0; ok && i < 10; i++) {
        const taco__json *n = taco__json_get(root, keys[i]);
        ok = taco__model_text_json(&flat, &first, keys[i], err);
        if (i == 6 && taco__model_nothing(n)) {
            ok = ok && taco__buf_puts(&flat, "\"2.0.0\"", err);
        } else {
            ok = ok && taco__json_emit(&flat, n, 0, err);
        }
    }
    ok = ok && taco__model_text_json(&flat, &first, "extent", err) &&
         (keep_extent && !taco__model_nothing(extent)
              ? taco__json_emit(&flat, extent, 0, err)
              : taco__model_extent_json(span, extent, &flat, err)) &&
         taco__model_members(root, keys, TACO__COUNT(keys), &first, &flat, err) &&
         taco__model_text_json(&flat, &first, keys[11], err) &&
         taco__model_pit_json(t, &flat, err) &&
         taco__model_text_json(&flat, &first, keys[12], err) &&
         taco__buf_append(&flat, field_schema.data, field_schema.len, err) &&
         taco__buf_char(&flat, '}', err) &&
         taco__json_parse(&arena, taco__base_bytes(flat.data, flat.len), NULL, &doc, err) ==
             TACO_OK &&
         taco__json_emit(out, doc.root, 4, err) && taco__buf_char(out, '\n', err);
    taco__arena_free(&arena);
    taco__buf_free(&flat);
    return ok;
}

/* ==== ROOM zipw: STORE-mode archives out: local headers, central directory, ZIP64, TACO_HEADER.
   Uses: pq:io hash mem zip index. Spec: PKWARE APPNOTE 6.3.10 §4.3, §4.4, §4.5.3 (ZIP64); TACO 2.0.0 §6.3 ====
   Entries follow each other without a gap, so that where each begins need not be kept: of an entry that was written stay
   its name (what differs from the one before), CRC and size. */

#define TACO__ZIPW_MADE   0x033FU     /* UNIX, version 6.3                      (§4.4.2) */
#define TACO__ZIPW_FILE   0x81A40000U /* a regular file, 0644 */
#define TACO__ZIPW_HEADER 0x01A40000U /* of the TACO_HEADER, as the reference writes it */
#define TACO__ZIPW_MOST   0xFFFFFFFFU /* sizes and offsets from here on are in ZIP64 fields */

typedef struct taco__zipw {
    taco__io_out *out;
    taco__mem    *mem;
    taco__buf     entries, name; /* what is kept; the last name */
    uint64_t      count;
    uint32_t      stamp; /* DOS date and time of all entries */
} taco__zipw;

/* DOS time: two-second steps since 1980, in UTC; what is outside becomes the nearest end. */
TACO__FN uint32_t taco__zipw_stamp(int64_t seconds)
{
    int64_t          s = TACO__MIN(TACO__MAX(seconds, INT64_C(315532800)), INT64_C(4354819198));
    taco__time_civil d = taco__time_date_of(s / 86400);
    uint32_t         t = (uint32_t)(s % 86400);
    return ((uint32_t)(d.year - 1980) << 9 | (uint32_t)d.month << 5 | (uint32_t)d.day) << 16 |
           (t / 3600 << 11 | t / 60 % 60 << 5 | t % 60 / 2);
}
TACO__FN void taco__zipw_put16(uint8_t *p, uint32_t x)
{
    p[0] = (uint8_t)x;
    p[1] = (uint8_t)(x >> 8);
}
TACO__FN bool taco__zipw_number(taco__buf *b, uint64_t x, taco_error *err)
{
    bool ok = true;
    for (; ok && x >= 0x80; x >>= 7) {
        ok = taco__buf_char(b, (char)(uint8_t)(x | 0x80), err);
    }
    return ok && taco__buf_char(b, (char)(uint8_t)x, err);
}
/* Keeps what the central directory needs of the entry that begins where the last one ends. */
TACO__FN bool taco__zipw_keep(taco__zipw *z, taco_bytes name, uint32_t crc, uint64_t size,
                              taco_error *err)
{
    uint8_t sum[4];
    size_t  same = 0, most = TACO__MIN(name.len, z->name.len);
    while (same < most && name.data[same] == z->name.data[same]) {
        same++;
    }
    taco__base_put32(sum, crc);
    z->name.len = same;
    z->count++;
    return taco__buf_append(&z->name, name.data + same, name.len - same, err) &&
           taco__zipw_number(&z->entries, same, err) &&
           taco__zipw_number(&z->entries, name.len - same, err) &&
           taco__buf_append(&z->entries, name.data + same, name.len - same, err) &&
           taco__buf_append(&z->entries, sum, 4, err) && taco__zipw_number(&z->entries, size, err);
}
/* Bit 11 for names that are more than ASCII (§4.4.4). */
TACO__FN uint32_t taco__zipw_flags(taco_bytes name)
{
    size_t i;
    for (i = 0; i < name.len; i++) {
        if (name.data[i] >= 0x80) {
            return 0x0800;
        }
    }
    return 0;
}
TACO__FN size_t taco__zipw_local_len(taco_bytes name, uint64_t size)
{
    return TACO__ZIP_LOCAL + name.len + (size >= TACO__ZIPW_MOST ? 20 : 0);
}
/* A local header (§4.3.7), of taco__zipw_local_len bytes. */
TACO__FN void taco__zipw_local(const taco__zipw *z, uint8_t *p, taco_bytes name, uint32_t crc,
                               uint64_t size)
{
    bool     wide = size >= TACO__ZIPW_MOST;
    uint32_t narrow = wide ? TACO__ZIPW_MOST : (uint32_t)size;
    memset(p, 0, TACO__ZIP_LOCAL);
    taco__base_put32(p, TACO__ZIP_SIG_LOCAL);
    taco__zipw_put16(p + 4, wide ? 45 : 10);
    taco__zipw_put16(p + 6, taco__zipw_flags(name));
    taco__base_put32(p + 10, z->stamp);
    taco__base_put32(p + 14, crc);
    taco__base_put32(p + 18, narrow);
    taco__base_put32(p + 22, narrow);
    taco__zipw_put16(p + 26, (uint32_t)name.len);
    taco__zipw_put16(p + 28, wide ? 20 : 0);
    if (name.len) {
        memcpy(p + TACO__ZIP_LOCAL, name.data, name.len);
    }
    if (wide) {
        p += TACO__ZIP_LOCAL + name.len;
        taco__zipw_put16(p, 1);
        taco__zipw_put16(p + 2, 16);
        taco__base_put64(p + 4, size);
        taco__base_put64(p + 12, size);
    }
}
TACO__FN bool taco__zipw_named(taco_bytes name, taco_error *err)
{
    if (name.len > 0xFFFF) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "the path %q has %u bytes, an archive's has at most 65535", &name,
                   TACO__U(name.len));
        return false;
    }
    return true;
}
/* Begins an archive with room for its TACO_HEADER, which taco__zipw_end fills. out and mem stay the caller's. */
TACO__FN bool taco__zipw_begin(taco__zipw *z, taco__io_out *out, taco__mem *mem, int64_t mtime,
                               taco_error *err)
{
    const uint8_t blank[TACO__INDEX_FIRST] = {0};
    memset(z, 0, sizeof *z);
    z->out = out;
    z->mem = mem;
    z->entries.mem = z->name.mem = mem;
    z->stamp = taco__zipw_stamp(mtime);
    return taco__io_out_write(out, blank, sizeof blank, err);
}
TACO__FN void taco__zipw_free(taco__zipw *z)
{
    if (z->mem) {
        taco__buf_free(&z->entries);
        taco__buf_free(&z->name);
    }
}

/* ---- entries ---- */

/* The bytes of a large entry, a cache's worth at a time; *crc is theirs. */
TACO__FN bool taco__zipw_stream(taco__zipw *z, const taco__io_in *in, uint32_t *crc,
                                taco_error *err)
{
    uint64_t at = 0;
    *crc = 0;
    while (at < in->size) {
        size_t   n = (size_t)TACO__MIN(in->size - at, (uint64_t)TACO__OUT_BYTES);
        uint8_t *p = taco__io_out_room(z->out, n, err);
        if (!p || !taco__io_in_read(in, at, p, n, err)) {
            return false;
        }
        *crc = taco__hash_crc32(*crc, p, n);
        at += n;
    }
    return true;
}
/* The CRC of bytes before they are written, for outputs that cannot go back to a header. */
TACO__FN bool taco__zipw_sum(taco__zipw *z, const taco__io_in *in, uint32_t *crc, taco_error *err)
{
    uint64_t at = 0;
    *crc = 0;
    if (!taco__io_out_flush(z->out, err)) {
        return false;
    }
    while (at < in->size) {
        size_t n = (size_t)TACO__MIN(in->size - at, (uint64_t)TACO__OUT_BYTES);
        if (!taco__io_in_read(in, at, z->out->data, n, err)) {
            return false;
        }
        *crc = taco__hash_crc32(*crc, z->out->data, n);
        at += n;
    }
    return true;
}
/* Writes an entry; *offset is where its bytes begin. Small ones are read where they are to stand, behind their header. */
TACO__FN bool taco__zipw_add(taco__zipw *z, taco_bytes name, const taco__io_in *in,
                             uint64_t *offset, taco_error *err)
{
    size_t   head = taco__zipw_local_len(name, in->size);
    uint32_t crc = 0;
    uint64_t at;
    uint8_t *p;
    bool     ok;
    if (!taco__zipw_named(name, err)) {
        return false;
    }
    if (in->size <= TACO__OUT_BYTES - head) {
        p = taco__io_out_room(z->out, head + (size_t)in->size, err);
        if (!p || !taco__io_in_read(in, 0, p + head, (size_t)in->size, err)) {
            return false;
        }
        crc = taco__hash_crc32(0, p + head, (size_t)in->size);
        taco__zipw_local(z, p, name, crc, in->size);
        *offset = taco__io_out_end(z->out) - in->size;
        return taco__zipw_keep(z, name, crc, in->size, err);
    }
    if (!z->out->anywhere && !taco__zipw_sum(z, in, &crc, err)) {
        return false;
    }
    at = taco__io_out_end(z->out);
    p = taco__io_out_room(z->out, head, err);
    if (!p) {
        return false;
    }
    taco__zipw_local(z, p, name, crc, in->size);
    *offset = at + head;
    ok = taco__zipw_stream(z, in, &crc, err);
    if (ok && z->out->anywhere) {
        uint8_t sum[4];
        taco__base_put32(sum, crc);
        ok = taco__io_out_patch(z->out, at + 14, sum, 4, err);
    }
    return ok && taco__zipw_keep(z, name, crc, in->size, err);
}

/* An entry whose size is not known before: a sink to be written by somebody else. */
typedef struct taco__zipw_sink {
    taco__zipw *z;
    taco_error *err;
    taco__buf   name;
    uint64_t    head, data, size;
    uint32_t    crc;
    taco__buf   held; /* for outputs that cannot go back to a header */
    bool        open;
} taco__zipw_sink;

TACO__FN bool taco__zipw_sink_write(void *ctx, uint64_t offset, const void *src, size_t len)
{
    taco__zipw_sink *s = (taco__zipw_sink *)ctx;
    if (offset != s->size) {
        return false;
    }
    s->size += len;
    if (!s->z->out->anywhere) {
        return taco__buf_append(&s->held, src, len, s->err);
    }
    s->crc = taco__hash_crc32(s->crc, src, len);
    return taco__io_out_write(s->z->out, src, len, s->err);
}
TACO__FN bool taco__zipw_sink_finish(taco__zipw_sink *s)
{
    taco_bytes  name = taco__base_bytes(s->name.data, s->name.len);
    uint8_t     head[12];
    taco__io_in in;
    if (!s->z->out->anywhere) {
        taco__io_in_bytes(&in, taco__base_bytes(s->held.data, s->held.len));
        return taco__zipw_add(s->z, name, &in, &s->data, s->err);
    }
    if (s->size >= TACO__ZIPW_MOST) {
        TACO__FAIL(s->err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%q has %u bytes, metadata has less than 2^32", &name, s->size);
        return false;
    }
    taco__base_put32(head, s->crc);
    taco__base_put32(head + 4, (uint32_t)s->size);
    taco__base_put32(head + 8, (uint32_t)s->size);
    return taco__io_out_patch(s->z->out, s->head + 14, head, sizeof head, s->err) &&
           taco__zipw_keep(s->z, name, s->crc, s->size, s->err);
}
TACO__FN bool taco__zipw_sink_close(void *ctx, bool keep)
{
    taco__zipw_sink *s = (taco__zipw_sink *)ctx;
    bool             ok = !keep || taco__zipw_sink_finish(s);
    taco__buf_free(&s->held);
    taco__buf_free(&s->name);
    return ok;
}
/* Begins such an entry. Until the sink is closed nothing else is written; then s->data and s->size say where it is. */
TACO__FN bool taco__zipw_sink_open(taco__zipw_sink *s, taco__zipw *z, taco_bytes name,
                                   taco_sink *out, taco_error *err)
{
    uint8_t *p;
    size_t   head = taco__zipw_local_len(name, 0);
    memset(s, 0, sizeof *s);
    s->z = z;
    s->err = err;
    s->held.mem = s->name.mem = z->mem;
    memset(out, 0, sizeof *out);
    out->ctx = s;
    out->write = taco__zipw_sink_write;
    out->close = taco__zipw_sink_close;
    if (!taco__zipw_named(name, err) || !taco__buf_append(&s->name, name.data, name.len, err)) {
        return false;
    }
    if (z->out->anywhere) {
        s->head = taco__io_out_end(z->out);
        p = taco__io_out_room(z->out, head, err);
        if (!p) {
            return false;
        }
        taco__zipw_local(z, p, name, 0, 0);
        s->data = s->head + head;
    }
    return true;
}

/* ---- the end ---- */

/* One header of the central directory (§4.3.12); *local is where its entry begins, and then where the next one does. */
TACO__FN bool taco__zipw_central(taco__zipw *z, taco_bytes name, uint32_t crc, uint64_t size,
                                 uint64_t *local, taco_error *err)
{
    bool     wide = size >= TACO__ZIPW_MOST, far = *local >= TACO__ZIPW_MOST;
    size_t   extra = wide || far ? 4U + (wide ? 16U : 0U) + (far ? 8U : 0U) : 0;
    uint8_t *p = taco__io_out_room(z->out, TACO__ZIP_CENTRAL + name.len + extra, err);
    if (!p) {
        return false;
    }
    memset(p, 0, TACO__ZIP_CENTRAL);
    taco__base_put32(p, TACO__ZIP_SIG_CENTRAL);
    taco__zipw_put16(p + 4, TACO__ZIPW_MADE);
    taco__zipw_put16(p + 6, extra ? 45 : 10);
    taco__zipw_put16(p + 8, taco__zipw_flags(name));
    taco__base_put32(p + 12, z->stamp);
    taco__base_put32(p + 16, crc);
    taco__base_put32(p + 20, wide ? TACO__ZIPW_MOST : (uint32_t)size);
    taco__base_put32(p + 24, wide ? TACO__ZIPW_MOST : (uint32_t)size);
    taco__zipw_put16(p + 28, (uint32_t)name.len);
    taco__zipw_put16(p + 30, (uint32_t)extra);
    taco__base_put32(p + 38, *local ? TACO__ZIPW_FILE : TACO__ZIPW_HEADER);
    taco__base_put32(p + 42, far ? TACO__ZIPW_MOST : (uint32_t)*local);
    memcpy(p + TACO__ZIP_CENTRAL, name.data, name.len);
    if (extra) {
        p += TACO__ZIP_CENTRAL + name.len;
        taco__zipw_put16(p, 1);
        taco__zipw_put16(p + 2, (uint32_t)extra - 4);
        if (wide) {
            taco__base_put64(p + 4, size);
            taco__base_put64(p + 12, size);
        }
        if (far) {
            taco__base_put64(p + extra - 8, *local);
        }
    }
    *local += taco__zipw_local_len(name, size) + size;
    return true;
}
/* The end records (§4.3.14-16): those of ZIP64 only where a number needs them. */
TACO__FN bool taco__zipw_eocd(taco__zipw *z, uint64_t at, uint64_t size, taco_error *err)
{
    uint64_t count = z->count + 1;
    bool     wide = count >= 0xFFFF || at >= TACO__ZIPW_MOST || size >= TACO__ZIPW_MOST;
    uint8_t  b[TACO__ZIP_EOCD64 + TACO__ZIP_LOCATOR + TACO__ZIP_EOCD], *p = b;
    memset(b, 0, sizeof b);
    if (wide) {
        taco__base_put32(p, TACO__ZIP_SIG_EOCD64);
        taco__base_put64(p + 4, TACO__ZIP_EOCD64 - 12);
        taco__zipw_put16(p + 12, TACO__ZIPW_MADE);
        taco__zipw_put16(p + 14, 45);
        taco__base_put64(p + 24, count);
        taco__base_put64(p + 32, count);
        taco__base_put64(p + 40, size);
        taco__base_put64(p + 48, at);
        p += TACO__ZIP_EOCD64;
        taco__base_put32(p, TACO__ZIP_SIG_LOCATOR);
        taco__base_put64(p + 8, at + size);
        taco__base_put32(p + 16, 1);
        p += TACO__ZIP_LOCATOR;
    }
    taco__base_put32(p, TACO__ZIP_SIG_EOCD);
    taco__zipw_put16(p + 8, (uint32_t)TACO__MIN(count, (uint64_t)0xFFFF));
    taco__zipw_put16(p + 10, (uint32_t)TACO__MIN(count, (uint64_t)0xFFFF));
    taco__base_put32(p + 12, (uint32_t)TACO__MIN(size, (uint64_t)TACO__ZIPW_MOST));
    taco__base_put32(p + 16, (uint32_t)TACO__MIN(at, (uint64_t)TACO__ZIPW_MOST));
    p += TACO__ZIP_EOCD;
    return taco__io_out_write(z->out, b, (size_t)(p - b), err);
}
/* The TACO_HEADER (§6.3): where the n ranges are, the levels and COLLECTION.json; with its local header. */
TACO__FN uint32_t taco__zipw_header(const taco__zipw *z, const taco__range *ranges, size_t n,
                                    uint8_t out[TACO__INDEX_FIRST])
{
    uint8_t *p = out + TACO__INDEX_FIRST - TACO__INDEX_PAYLOAD;
    uint32_t crc;
    size_t   i;
    memset(out, 0, TACO__INDEX_FIRST);
    p[0] = (uint8_t)n;
    for (i = 0; i < n; i++) {
        taco__base_put64(p + 4 + 16 * i, ranges[i].offset);
        taco__base_put64(p + 12 + 16 * i, ranges[i].len);
    }
    crc = taco__hash_crc32(0, p, TACO__INDEX_PAYLOAD);
    taco__zipw_local(z, out, taco__base_text("TACO_HEADER"), crc, TACO__INDEX_PAYLOAD);
    return crc;
}
/* Ends the archive: directory, end records, and the TACO_HEADER, whose at most 7 ranges are given. */
TACO__FN bool taco__zipw_end(taco__zipw *z, const taco__range *ranges, size_t n, taco_error *err)
{
    uint8_t   header[TACO__INDEX_FIRST];
    uint32_t  crc = taco__zipw_header(z, ranges, n, header);
    uint64_t  at = taco__io_out_end(z->out), local = 0, i;
    taco__cur c = taco__cur_make(taco__base_bytes(z->entries.data, z->entries.len));
    bool      ok = taco__zipw_central(z, taco__base_text("TACO_HEADER"), crc, TACO__INDEX_PAYLOAD,
                                      &local, err);
    z->name.len = 0;
    for (i = 0; ok && i < z->count; i++) {
        size_t         rest;
        const uint8_t *p;
        z->name.len = (size_t)taco__cur_varint(&c);
        rest = (size_t)taco__cur_varint(&c);
        p = taco__cur_take(&c, rest);
        crc = 0;
        ok = p && taco__buf_append(&z->name, p, rest, err);
        if (ok) {
            crc = taco__cur_le32(&c);
            ok = taco__zipw_central(z, taco__base_bytes(z->name.data, z->name.len), crc,
                                    taco__cur_varint(&c), &local, err);
        }
    }
    return ok && taco__zipw_eocd(z, at, taco__io_out_end(z->out) - at, err) &&
           taco__io_out_flush(z->out, err) &&
           taco__io_out_patch(z->out, 0, header, sizeof header, err);
}

/* ==== ROOM pack: level tables, __meta__ and payloads into an archive or a folder.
   Uses: model zipw pq:column pq:write. Spec: TACO 2.0.0 §6.1 to §6.4 ====
   A container is made in one pass over the samples and one or two over the columns:

       taco__tree_init(&tree, &mem);
       taco__pack_begin(&p, "out.tacozip", opt, &tree, &mem, err)         (or taco__pack_begin_sink)
       for every sample, depth first:
           taco__tree_add(&tree, level, parent_row, id, is_folder, err)
           taco__io_in_file(&in, path, err)            (or taco__io_in_range, taco__io_in_bytes)
           taco__pack_sample(&p, level, row, &in, err)                    (NULL for a FOLDER)
           taco__io_in_close(&in)
       taco__pack_finish(&p, collection_object, &source, err)             (or taco__pack_abort)
       taco__tree_free(&tree);

   Where the tree is known before, taco__pack_samples walks it and asks for the bytes of each FILE. `source` streams the
   user's columns of each level, without id, type and what begins with "internal:", rows in the order of the tree; {0}
   is none. The rules of the tree (taco__model_pit1) are for the caller to ask for; ids that siblings share and FOLDERs
   without children are refused here. __meta__ are written from the deepest level up, so that each knows where those
   below it are, then METADATA/level0.parquet and on, then COLLECTION.json. What is kept of a sample: id, type, parent,
   offset, size, and of an entry its CRC and what its name adds to the one before. */

#define TACO__PACK_ROWS 4096 /* of a batch without user columns */

/* The user's columns: per level fields, and batches of rows in the order of the tree. */
typedef struct taco__pack_source {
    void             *ctx;
    const taco_field *fields[TACO__LEVELS];
    size_t            counts[TACO__LEVELS];
    /* Starts a level, from its first row; called twice for a level below the first. Not called for levels without columns. */
    bool (*begin)(void *ctx, uint32_t level, taco_error *err);
    /* The next batch, which lives until the next call; of length 0 at the end. */
    bool (*next)(void *ctx, taco_batch *out, taco_error *err);
} taco__pack_source;

typedef struct taco__pack {
    taco__mem          *mem;
    taco_options        options;
    taco_create_options opt;
    taco__tree         *tree;
    bool                zip, open;
    taco__io_out        out;
    taco__zipw          z;
    taco__buf           path;   /* FOLDER: the directory being made; then the name at hand */
    size_t              root;   /* bytes of the former, a '/' at its end, 0 in archives */
    taco__buf           target; /* FOLDER: its final name */
    uint8_t            *buffer; /* FOLDER: for copies */
    taco__range         ranges[TACO__LEVELS + 1];
    taco__model_span    span;
    uint64_t            payload; /* bytes of FILEs so far */
} taco__pack;

TACO__FN bool taco__pack_is_zip(const char *path, taco_kind container)
{
    size_t                   n = strlen(path), i, k;
    static const char *const ends[] = {".zip", ".tacozip"};
    for (i = 0; container == 0 && i < 2; i++) {
        size_t m = strlen(ends[i]);
        for (k = 0; n >= m && k < m && (path[n - m + k] | 32) == (ends[i][k] | 32); k++) {
        }
        if (n >= m && k == m) {
            return true;
        }
    }
    return container == TACO_KIND_ZIP;
}

/* ---- beginning and end ---- */

TACO__FN void taco__pack_free(taco__pack *p)
{
    taco__zipw_free(&p->z);
    taco__buf_free(&p->path);
    taco__buf_free(&p->target);
    taco__mem_free(p->mem, p->buffer, TACO__OUT_BYTES);
    p->buffer = NULL;
    p->open = false;
}
/* Drops what was made. Only after a begin that did not fail. */
TACO__FN void taco__pack_abort(taco__pack *p)
{
    if (!p->open) {
        return;
    }
    if (p->zip) {
        taco__io_out_close(&p->out, false, NULL);
    }
#if TACO__DIRS
    else if (p->root) {
        p->path.len = p->root - 1;
        if (taco__buf_char(&p->path, 0, NULL)) {
            taco__io_remove_tree((const char *)p->path.data, p->mem);
        }
    }
#endif
    taco__pack_free(p);
}
TACO__FN void taco__pack_init(taco__pack *p, const taco_create_options *opt, taco__tree *tree,
                              taco__mem *mem)
{
    memset(p, 0, sizeof *p);
    p->mem = mem;
    p->tree = tree;
    p->path.mem = p->target.mem = mem;
    if (opt) {
        p->opt = *opt;
    }
    taco__options_init(&p->options, p->opt.options);
    p->opt.options = NULL; /* the caller's may go */
    p->opt.mtime = p->opt.mtime ? p->opt.mtime : INT64_C(315532800);
}
/* An archive into a sink, which is taken over, on failure too. */
TACO__FN bool taco__pack_begin_sink(taco__pack *p, const taco_sink *sink,
                                    const taco_create_options *opt, taco__tree *tree,
                                    taco__mem *mem, taco_error *err)
{
    taco__pack_init(p, opt, tree, mem);
    p->zip = true;
    if (!taco__io_out_open(&p->out, sink, mem, err)) {
        return false;
    }
    p->open = true;
    if (!taco__zipw_begin(&p->z, &p->out, mem, p->opt.mtime, err)) {
        taco__pack_abort(p);
        return false;
    }
    return true;
}
#if TACO__DIRS
/* The name at hand: root, then what is given, with a zero byte. */
TACO__FN const char *taco__pack_name(taco__pack *p, const char *name, taco_error *err)
{
    p->path.len = p->root;
    return taco__buf_append(&p->path, name, strlen(name) + 1, err) ? (const char *)p->path.data
                                                                   : NULL;
}
/* A directory that a killed writer left has only what a FOLDER has. */
TACO__FN bool taco__pack_is_ours(void *ctx, const char *name, taco__plat_kind kind)
{
    (void)ctx;
    (void)kind;
    return strcmp(name, "DATA") == 0 || strcmp(name, "METADATA") == 0 ||
           strncmp(name, "COLLECTION.json", 15) == 0;
}
TACO__FN bool taco__pack_begin_folder(taco__pack *p, const char *path, taco_error *err)
{
    size_t      n = strlen(path);
    uint64_t    size;
    taco_bytes  name = taco__base_text(path);
    const char *at;
    while (n > 1 && path[n - 1] == '/') {
        n--;
    }
    if (!taco__buf_append(&p->target, path, n, err) || !taco__buf_char(&p->target, 0, err) ||
        !taco__buf_append(&p->path, path, n, err) || !taco__buf_puts(&p->path, ".part", err) ||
        !taco__buf_char(&p->path, 0, err)) {
        return false;
    }
    at = (const char *)p->path.data;
    if (taco__plat_stat(at, &size) != TACO__NOTHING &&
        (!taco__plat_list(at, taco__pack_is_ours, NULL) || !taco__io_remove_tree(at, p->mem))) {
        TACO__FAIL(err, TACO_ERR_IO, TACO_NO_OFFSET,
                   "%q is in the way: it is made as %q.part first, which is there", &name, &name);
        return false;
    }
    if (!taco__io_make_dir(at, err)) {
        return false;
    }
    p->path.data[p->path.len - 1] = '/';
    p->root = p->path.len;
    p->open = true;
    p->buffer = (uint8_t *)taco__mem_alloc(p->mem, TACO__OUT_BYTES, err);
    return p->buffer && (at = taco__pack_name(p, "DATA", err)) != NULL &&
           taco__io_make_dir(at, err) && (at = taco__pack_name(p, "METADATA", err)) != NULL &&
           taco__io_make_dir(at, err);
}
#endif
/* Begins a container at path, which must not be there unless opt->overwrite says so (archives). tree and mem stay the
   caller's, opt may be NULL. */
TACO__FN bool taco__pack_begin(taco__pack *p, const char *path, const taco_create_options *opt,
                               taco__tree *tree, taco__mem *mem, taco_error *err)
{
    taco_bytes name = taco__base_text(path);
    uint64_t   size;
    bool       zip = taco__pack_is_zip(path, opt ? opt->container : (taco_kind)0);
    taco__pack_init(p, opt, tree, mem);
    if (taco__plat_stat(path, &size) != TACO__NOTHING && !(zip && p->opt.overwrite)) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%q exists already", &name);
        return false;
    }
    if (zip) {
#ifndef TACO_NO_STDIO
        taco_sink sink;
        return taco_sink_file(&sink, path, &p->options, err) == TACO_OK &&
               taco__pack_begin_sink(p, &sink, opt, tree, mem, err);
#endif
    } else {
#if TACO__DIRS
        if (taco__pack_begin_folder(p, path, err)) {
            return true;
        }
        if (p->open) {
            taco__pack_abort(p);
        } else {
            taco__pack_free(p);
        }
        return false;
#endif
    }
    TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%q: this build makes no %s", &name,
               zip ? "files" : "directories");
    return false;
}

/* ---- samples ---- */

/* The name at hand: where a sample's bytes go, or its __meta__. */
TACO__FN bool taco__pack_place(taco__pack *p, uint32_t level, size_t row, const char *behind,
                               taco_error *err)
{
    p->path.len = p->root;
    return taco__buf_puts(&p->path, "DATA/", err) &&
           taco__tree_path(p->tree, level, row, &p->path, err) &&
           taco__buf_puts(&p->path, behind, err);
}
/* Stores the bytes of a FILE that is in the tree, or makes room for a FOLDER (in is NULL). */
TACO__FN bool taco__pack_sample(taco__pack *p, uint32_t level, size_t row, const taco__io_in *in,
                                taco_error *err)
{
    uint64_t offset = 0;
    bool     ok = true;
    if (!p->zip && taco__model_file_name(taco__tree_id(p->tree, level, row), err) != TACO_OK) {
        return false;
    }
    if (p->zip && in) {
        ok = taco__pack_place(p, level, row, "", err) &&
             taco__zipw_add(&p->z, taco__base_bytes(p->path.data, p->path.len), in, &offset, err);
    }
#if TACO__DIRS
    if (!p->zip) {
        ok = taco__pack_place(p, level, row, "", err) && taco__buf_char(&p->path, 0, err);
        if (ok && !in) { /* without the '/' behind it */
            p->path.data[p->path.len - 2] = 0;
            ok = taco__io_make_dir((const char *)p->path.data, err);
        } else if (ok) {
            ok = taco__io_put_file((const char *)p->path.data, in, p->buffer, err);
        }
    }
#endif
    if (ok && in) {
        taco__tree_place(p->tree, level, row, offset, in->size);
        p->payload += in->size;
        if (p->opt.progress && !p->opt.progress(p->opt.progress_ctx, p->payload, p->opt.total)) {
            TACO__FAIL(err, TACO_ERR_STATE, TACO_NO_OFFSET, "stopped by the caller");
            ok = false;
        }
    }
    return ok;
}
/* Fills *in with the bytes of a FILE; they are copied and closed before the next call. */
typedef bool (*taco__pack_payload)(void *ctx, uint32_t level, size_t row, taco__io_in *in,
                                   taco_error *err);

/* Stores all samples of a tree that stands, depth first. */
TACO__FN bool taco__pack_samples(taco__pack *p, taco__pack_payload payload, void *ctx,
                                 taco_error *err)
{
    size_t   next[TACO__LEVELS + 1] = {0};
    uint32_t level = 0;
    for (
        ;
        ;) { /* the next sample of this level, or, behind the last child, back to the level above */
        size_t row = next[level];
        if (row >= p->tree->level[level].rows ||
            (level && taco__tree_parent(p->tree, level, row) != next[level - 1] - 1)) {
            if (level == 0) {
                return true;
            }
            level--;
            continue;
        }
        next[level]++;
        if (taco__tree_folder(p->tree, level, row)) {
            if (!taco__pack_sample(p, level, row, NULL, err)) {
                return false;
            }
            level += level + 1 < TACO__LEVELS;
        } else {
            taco__io_in in;
            bool        ok;
            memset(&in, 0, sizeof in);
            ok = payload(ctx, level, row, &in, err) && taco__pack_sample(p, level, row, &in, err);
            taco__io_in_close(&in);
            if (!ok) {
                return false;
            }
        }
    }
}

/* ---- tables ---- */

/* The columns of a level or of a __meta__, made ready batch by batch. */
typedef struct taco__pack_table {
    taco__pack   *p;
    uint32_t      level;
    bool          meta;
    taco__arena   arena;
    taco_field   *fields;
    taco_array   *arrays;
    size_t        count, users; /* columns in all; of the user */
    taco__buf     types, current, parent, relative, ends, index;
    taco__colbuf *taken; /* META: the rows of one folder */
    taco_field    word;
    taco_array    words;
} taco__pack_table;

static const int32_t taco__pack_word_ends[] = {0, 4, 10};

TACO__FN void taco__pack_table_close(taco__pack_table *t)
{
    size_t i;
    for (i = 0; t->taken && i < t->users; i++) {
        taco__column_free_buffers(&t->taken[i]);
    }
    taco__buf_free(&t->types);
    taco__buf_free(&t->current);
    taco__buf_free(&t->parent);
    taco__buf_free(&t->relative);
    taco__buf_free(&t->ends);
    taco__buf_free(&t->index);
    taco__arena_free(&t->arena);
}
TACO__FN void taco__pack_column(taco__pack_table *t, const char *name, taco_type type)
{
    t->fields[t->count] = taco__model_field(name, type);
    t->arrays[t->count].field = &t->fields[t->count];
    t->count++;
}
/* id, type, the user's, then what the container adds (§4 of the facts: in this order). */
TACO__FN bool taco__pack_table_open(taco__pack_table *t, taco__pack *p, uint32_t level, bool meta,
                                    const taco__pack_source *src, taco_error *err)
{
    size_t i;
    memset(t, 0, sizeof *t);
    t->p = p;
    t->level = level;
    t->meta = meta;
    t->arena.mem = p->mem;
    t->types.mem = t->current.mem = t->parent.mem = t->relative.mem = t->ends.mem = t->index.mem =
        p->mem;
    t->users = src->counts[level];
    t->fields = (taco_field *)taco__arena_array(&t->arena, t->users + 7, sizeof *t->fields, err);
    t->arrays = (taco_array *)taco__arena_array(&t->arena, t->users + 7, sizeof *t->arrays, err);
    t->taken = (taco__colbuf *)taco__arena_array(&t->arena, t->users, sizeof *t->taken, err);
    if (!t->fields || !t->arrays || !t->taken) {
        taco__pack_table_close(t);
        return false;
    }
    taco__pack_column(t, "id", TACO_TEXT);
    taco__pack_column(t, "type", TACO_TEXT);
    for (i = 0; i < t->users; i++) {
        t->fields[t->count++] = src->fields[level][i];
        if (meta &&
            !taco__column_buffers(&t->taken[i], &src->fields[level][i], p->mem, &t->arena, err)) {
            taco__pack_table_close(t);
            return false;
        }
    }
    if (!meta) {
        taco__pack_column(t, "internal:current_id", TACO_INT64);
        taco__pack_column(t, "internal:parent_id", TACO_INT64);
    }
    if (p->zip) {
        taco__pack_column(t, "internal:offset", TACO_INT64);
        taco__pack_column(t, "internal:size", TACO_INT64);
    }
    if (!meta && level) {
        taco__pack_column(t, "internal:relative_path", TACO_TEXT);
    }
    t->word = taco__model_field("type", TACO_TEXT);
    t->words.field = &t->word;
    t->words.length = 2;
    t->words.offsets = taco__pack_word_ends;
    t->words.v.any = "FILEFOLDER";
    return true;
}
TACO__FN bool taco__pack_relative(taco__pack_table *t, size_t row, size_t n, taco_error *err)
{
    size_t   i;
    int32_t *ends;
    t->relative.len = 0;
    if (!taco__buf_reset(&t->ends, (n + 1) * sizeof *ends, err) ||
        !taco__buf_reserve(&t->relative, 1, err)) {
        return false;
    }
    ends = (int32_t *)(void *)t->ends.data;
    ends[0] = 0;
    for (i = 0; i < n; i++) {
        if (!taco__tree_path(t->p->tree, t->level, row + i, &t->relative, err) ||
            t->relative.len > INT32_MAX) {
            return false;
        }
        ends[i + 1] = (int32_t)t->relative.len;
    }
    return true;
}
/* The format's own columns for rows [row, row + n) of the level. */
TACO__FN bool taco__pack_own(taco__pack_table *t, size_t row, size_t n, taco_error *err)
{
    const taco__tree_level *l = &t->p->tree->level[t->level];
    size_t                  i, at = 2 + t->users;
    int32_t                *types;
    int64_t                *current, *parent;
    if (!taco__buf_reset(&t->types, n * sizeof *types, err) ||
        !taco__buf_reset(&t->current, n * sizeof *current, err) ||
        !taco__buf_reset(&t->parent, n * sizeof *parent, err)) {
        return false;
    }
    types = (int32_t *)(void *)t->types.data;
    current = (int64_t *)(void *)t->current.data;
    parent = (int64_t *)(void *)t->parent.data;
    for (i = 0; i < n; i++) {
        types[i] = l->folders.data[row + i];
        current[i] = (int64_t)(row + i);
        parent[i] =
            t->level ? (int64_t)taco__tree_parent(t->p->tree, t->level, row + i) : current[i];
    }
    for (i = 0; i < t->count; i++) {
        t->arrays[i].length = n;
    }
    t->arrays[0].offsets = (const int32_t *)(const void *)l->ends.data + row;
    t->arrays[0].v.any = l->ids.data;
    t->arrays[1].v.any = types;
    t->arrays[1].dictionary = &t->words;
    if (!t->meta) {
        t->arrays[at++].v.any = current;
        t->arrays[at++].v.any = parent;
    }
    if (t->p->zip) {
        t->arrays[at++].v.any = (const int64_t *)(const void *)l->offsets.data + row;
        t->arrays[at++].v.any = (const int64_t *)(const void *)l->sizes.data + row;
    }
    if (!t->meta && t->level) {
        if (!taco__pack_relative(t, row, n, err)) {
            return false;
        }
        t->arrays[at].offsets = (const int32_t *)(const void *)t->ends.data;
        t->arrays[at].v.any = t->relative.data;
    }
    return true;
}
/* The next batch of a level's user columns, or so many rows where it has none. */
TACO__FN bool taco__pack_next(const taco__pack_source *src, const taco__tree *tree, uint32_t level,
                              size_t row, taco_batch *out, taco_error *err)
{
    size_t left = tree->level[level].rows - row;
    memset(out, 0, sizeof *out);
    if (src->counts[level] == 0) {
        out->length = TACO__MIN(left, (size_t)TACO__PACK_ROWS);
        return true;
    }
    if (!src->next(src->ctx, out, err)) {
        return false;
    }
    if (out->length > left || (out->length == 0 && left) ||
        out->column_count != src->counts[level]) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "level %u: its columns have %s than the %u rows of the tree", TACO__U(level),
                   out->length > left ? "more rows" : "fewer rows, or other columns",
                   TACO__U(tree->level[level].rows));
        return false;
    }
    return true;
}
TACO__FN void taco__pack_options(const taco__pack *p, bool small, taco_pq_write_options *w)
{
    memset(w, 0, sizeof *w);
    w->options = &p->options;
    w->row_group_rows = p->opt.row_group_rows;
    w->codec = p->opt.codec ? p->opt.codec : small ? TACO_CODEC_NONE : TACO_CODEC_ZSTD;
    w->level = p->opt.level;
    w->content_defined = !p->zip && !small;
    w->no_page_index = small;
}

/* ---- __meta__ (§6.2) ---- */

#define TACO__PACK_SMALL 256 /* rows up to which a __meta__ is not worth compressing */

/* What is written of the folder at hand. */
typedef struct taco__pack_meta {
    taco_pq_writer *w;
    taco_sink       sink;
    size_t          parent;
    bool            made; /* the sink is to be freed */
} taco__pack_meta;

TACO__FN bool taco__pack_meta_begin(taco__pack_table *t, taco__pack_meta *m, size_t row,
                                    taco_error *err)
{
    const taco__tree     *tree = t->p->tree;
    taco_pq_write_options w;
    size_t                to = row;
    m->parent = taco__tree_parent(tree, t->level, row);
    while (to < tree->level[t->level].rows && to - row <= TACO__PACK_SMALL &&
           taco__tree_parent(tree, t->level, to) == m->parent) {
        to++;
    }
    taco__pack_options(t->p, to - row <= TACO__PACK_SMALL, &w);
    m->made = taco_sink_memory(&m->sink, &t->p->options, err) == TACO_OK;
    m->w = m->made ? taco_pq_write(&m->sink, t->fields, t->count, &w, err) : NULL;
    return m->w != NULL;
}
/* The file of one folder goes out, and its place into the folder's row. */
TACO__FN bool taco__pack_meta_put(taco__pack *p, uint32_t level, size_t row, taco_bytes bytes,
                                  taco_error *err)
{
    uint64_t    offset = 0;
    taco__io_in in;
    bool        ok = taco__pack_place(p, level, row, "__meta__", err);
    taco__io_in_bytes(&in, bytes);
    if (ok && p->zip) {
        ok = taco__zipw_add(&p->z, taco__base_bytes(p->path.data, p->path.len), &in, &offset, err);
    }
#if TACO__DIRS
    if (ok && !p->zip) {
        ok = taco__buf_char(&p->path, 0, err) &&
             taco__io_put_file((const char *)p->path.data, &in, p->buffer, err);
    }
#endif
    if (ok) {
        taco__tree_place(p->tree, level, row, offset, bytes.len);
    }
    return ok;
}
TACO__FN bool taco__pack_meta_end(taco__pack_table *t, taco__pack_meta *m, bool good,
                                  taco_error *err)
{
    if (m->w && !good) {
        taco_pq_writer_abort(m->w);
    } else if (m->w) {
        good = taco_pq_writer_close(m->w, err) == TACO_OK &&
               taco__pack_meta_put(t->p, t->level - 1, m->parent, taco_sink_bytes(&m->sink), err);
    }
    if (m->made) {
        taco_sink_free(&m->sink);
    }
    memset(m, 0, sizeof *m);
    return good;
}
/* Rows [at, at + n) of a batch that begins at row `base`, all of one folder. */
TACO__FN bool taco__pack_meta_rows(taco__pack_table *t, taco__pack_meta *m, const taco_batch *batch,
                                   size_t base, size_t at, size_t n, taco_error *err)
{
    taco_batch out;
    int32_t   *index;
    size_t     i;
    if (!taco__buf_reset(&t->index, n * sizeof *index, err) ||
        !taco__pack_own(t, base + at, n, err)) {
        return false;
    }
    index = (int32_t *)(void *)t->index.data;
    for (i = 0; i < n; i++) {
        index[i] = (int32_t)(at + i);
    }
    for (i = 0; i < t->users; i++) {
        if (!taco__take(&t->taken[i], &batch->columns[i], index, n, err)) {
            return false;
        }
        t->arrays[2 + i] = t->taken[i].array;
    }
    memset(&out, 0, sizeof out);
    out.first_row = -1;
    out.length = n;
    out.columns = t->arrays;
    out.column_count = t->count;
    if (taco_pq_writer_batch(m->w, &out) != TACO_OK) {
        taco_pq_writer_close(m->w, err);
        m->w = NULL;
        return false;
    }
    return true;
}
/* Writes the __meta__ of all FOLDERs of the level above, in one pass over the rows of this one. */
TACO__FN bool taco__pack_metas(taco__pack *p, uint32_t level, const taco__pack_source *src,
                               taco_error *err)
{
    taco__pack_table t;
    taco__pack_meta  m;
    size_t           row = 0, rows = p->tree->level[level].rows;
    bool             ok;
    memset(&m, 0, sizeof m);
    if (!taco__pack_table_open(&t, p, level, true, src, err)) {
        return false;
    }
    ok = src->counts[level] == 0 || src->begin(src->ctx, level, err);
    while (ok && row < rows) {
        taco_batch b;
        size_t     at = 0;
        ok = taco__pack_next(src, p->tree, level, row, &b, err);
        while (ok && at < b.length) {
            size_t to = at + 1, parent = taco__tree_parent(p->tree, level, row + at);
            while (to < b.length && taco__tree_parent(p->tree, level, row + to) == parent) {
                to++;
            }
            ok = !m.w || m.parent == parent || taco__pack_meta_end(&t, &m, true, err);
            ok = ok && (m.w || taco__pack_meta_begin(&t, &m, row + at, err)) &&
                 taco__pack_meta_rows(&t, &m, &b, row, at, to - at, err);
            at = to;
        }
        row += b.length;
    }
    ok = taco__pack_meta_end(&t, &m, ok, err) && ok;
    taco__pack_table_close(&t);
    return ok;
}

/* ---- METADATA/levelN.parquet, COLLECTION.json ---- */

/* A file of the container's own, as a sink; s is needed until it is closed. */
TACO__FN bool taco__pack_open(taco__pack *p, const char *name, taco__zipw_sink *s, taco_sink *sink,
                              taco_error *err)
{
    if (p->zip) {
        return taco__zipw_sink_open(s, &p->z, taco__base_text(name), sink, err);
    }
#if TACO__DIRS
    name = taco__pack_name(p, name, err);
    return name && taco_sink_file(sink, name, &p->options, err) == TACO_OK;
#else
    return false;
#endif
}
TACO__FN bool taco__pack_level_rows(taco__pack_table *t, taco_pq_writer *w,
                                    const taco__pack_source *src, taco_error *err)
{
    taco__pack *p = t->p;
    size_t      row = 0, rows = p->tree->level[t->level].rows, i;
    bool        ok = true;
    while (ok && row < rows) {
        taco_batch b, out;
        ok = taco__pack_next(src, p->tree, t->level, row, &b, err) &&
             taco__pack_own(t, row, b.length, err);
        if (!ok) {
            break;
        }
        taco__model_spans(&p->span, t->level, &b);
        for (i = 0; i < t->users; i++) {
            t->arrays[2 + i] = b.columns[i];
        }
        memset(&out, 0, sizeof out);
        out.first_row = -1;
        out.length = b.length;
        out.columns = t->arrays;
        out.column_count = t->count;
        ok = taco_pq_writer_batch(w, &out) == TACO_OK;
        row += b.length;
    }
    return ok;
}
TACO__FN bool taco__pack_level(taco__pack *p, uint32_t level, const taco__pack_source *src,
                               taco_error *err)
{
    char                  name[] = "METADATA/level0.parquet";
    taco__pack_table      t;
    taco__zipw_sink       s;
    taco_sink             sink;
    taco_pq_write_options opt;
    taco_pq_writer       *w;
    bool                  ok;
    name[14] = (char)('0' + level);
    memset(&s, 0, sizeof s);
    if (!taco__pack_table_open(&t, p, level, false, src, err)) {
        return false;
    }
    taco__pack_options(p, false, &opt);
    ok = (src->counts[level] == 0 || src->begin(src->ctx, level, err)) &&
         taco__pack_open(p, name, &s, &sink, err);
    w = ok ? taco_pq_write(&sink, t.fields, t.count, &opt, err) : NULL;
    ok = w && taco__pack_level_rows(&t, w, src, err);
    if (w && !ok && err->code != TACO_OK) {
        taco_pq_writer_abort(w); /* the columns failed, not the writer */
    } else if (w) {
        ok = taco_pq_writer_close(w, err) == TACO_OK && ok;
    }
    p->ranges[level].offset = s.data;
    p->ranges[level].len = s.size;
    if (!ok) {
        taco__error_prefix(err, "%s", name);
    }
    taco__pack_table_close(&t);
    return ok;
}
TACO__FN bool taco__pack_fields(taco__pack *p, const taco__pack_source *src,
                                const taco__json *known, taco__buf *out, taco_error *err)
{
    uint32_t level;
    bool     ok = taco__buf_char(out, '{', err);
    for (level = 0; ok && level < p->tree->levels; level++) {
        ok =
            (level == 0 || taco__buf_char(out, ',', err)) &&
            taco__model_fields_json(level, src->fields[level], src->counts[level], known, out, err);
    }
    return ok && taco__buf_char(out, '}', err);
}
/* COLLECTION.json; its range in an archive is the last of the header's. */
TACO__FN bool taco__pack_collection(taco__pack *p, const taco__json *root,
                                    const taco__pack_source *src, taco_error *err)
{
    taco__buf       fields, text;
    taco__zipw_sink s;
    taco_sink       sink;
    bool            ok;
    memset(&fields, 0, sizeof fields);
    memset(&text, 0, sizeof text);
    memset(&s, 0, sizeof s);
    fields.mem = text.mem = p->mem;
    ok = taco__pack_fields(p, src, taco__json_get(root, "taco:field_schema"), &fields, err) &&
         taco__model_document(root, !p->opt.new_extent, &p->span, p->tree,
                              taco__base_bytes(fields.data, fields.len), &text, err) &&
         taco__pack_open(p, "COLLECTION.json", &s, &sink, err);
    if (ok) {
        ok = sink.write(sink.ctx, 0, text.data, text.len);
        ok = sink.close(sink.ctx, ok) && ok;
        TACO__FAIL(ok ? NULL : err, TACO_ERR_IO, TACO_NO_OFFSET, "writing COLLECTION.json failed");
    }
    p->ranges[p->tree->levels].offset = s.data;
    p->ranges[p->tree->levels].len = text.len;
    taco__buf_free(&fields);
    taco__buf_free(&text);
    return ok;
}
/* Every FOLDER has children: without them there is no __meta__ for it (§6.2). */
TACO__FN bool taco__pack_no_empty(const taco__tree *t, taco_error *err)
{
    uint32_t level;
    if (t->level[0].rows == 0) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "a dataset has at least one sample");
        return false;
    }
    for (level = 0; level < TACO__LEVELS; level++) {
        const taco__tree_level *below = level + 1 < TACO__LEVELS ? &t->level[level + 1] : NULL;
        size_t                  row, next = 0;
        for (row = 0; row < t->level[level].rows; row++) {
            if (!taco__tree_folder(t, level, row)) {
                continue;
            }
            while (below && next < below->rows && taco__tree_parent(t, level + 1, next) < row) {
                next++;
            }
            if (!below || next == below->rows || taco__tree_parent(t, level + 1, next) != row) {
                taco_bytes id = taco__tree_id(t, level, row);
                TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                           "level %u: FOLDER %q has no children", TACO__U(level), &id);
                return false;
            }
        }
    }
    return true;
}
/* Writes the metadata and completes the container; the pack is over, on failure with nothing left behind. collection is
   an object: its taco:pit_schema is counted anew, as is taco:field_schema but for the descriptions in it. */
TACO__FN bool taco__pack_finish(taco__pack *p, const taco__json *collection,
                                const taco__pack_source *src, taco_error *err)
{
    uint32_t level;
    bool     ok =
        taco__pack_no_empty(p->tree, err) && taco__model_unique(p->tree, p->mem, err) == TACO_OK;
    for (level = p->tree->levels; ok && level-- > 1;) {
        ok = taco__pack_metas(p, level, src, err);
    }
    for (level = 0; ok && level < p->tree->levels; level++) {
        ok = taco__pack_level(p, level, src, err);
    }
    ok = ok && taco__pack_collection(p, collection, src, err);
    if (ok && p->zip) {
        ok = taco__zipw_end(&p->z, p->ranges, p->tree->levels + 1, err);
        if (!ok) {
            taco__pack_abort(p);
            return false;
        }
        ok = taco__io_out_close(&p->out, true, err);
        taco__pack_free(p);
        return ok;
    }
#if TACO__DIRS
    if (ok) {
        taco__buf from;
        memset(&from, 0, sizeof from);
        from.mem = p->mem;
        ok = taco__buf_append(&from, p->path.data, p->root - 1, err) &&
             taco__buf_char(&from, 0, err) && taco__pack_name(p, "COLLECTION.json", err) &&
             taco__io_rename_dir((const char *)from.data, (const char *)p->target.data,
                                 (const char *)p->path.data, err);
        taco__buf_free(&from);
    }
#endif
    if (!ok) {
        taco__pack_abort(p);
    } else {
        taco__pack_free(p);
    }
    return ok;
}

/* ==== ROOM make: samples, folders and columns handed over one by one.
   Uses: pack model pq:column pq:time view. Spec: TACO 2.0.0 §5, §7.1.1 ==== */

#define TACO__MAKE_SLICE 16384 /* rows of a batch that goes to the tables, a multiple of 8 */

/* A column that grows: Arrow's buffers, and those of its children. */
typedef struct taco__make_column {
    taco_field                field;
    taco__buf                 validity, offsets, values; /* values: bytes of TEXT and BINARY, too */
    size_t                    length, nulls;
    struct taco__make_column *children;
    taco_array                array;  /* all of it, once it is complete */
    taco__colbuf              pieces; /* for slices */
} taco__make_column;

struct taco_writer {
    taco__mem          mem;
    taco__arena        arena;
    taco_error         err;
    taco_options       options;
    taco__pack         pack;
    taco__tree         tree;
    const char        *path;
    bool               fill, any_tree;
    uint32_t           pad_to;
    taco__json_doc     collection;
    bool               has_collection, begun; /* some sample is there */
    uint32_t           depth;                 /* FOLDERs that are open */
    uint32_t           level;                 /* of the sample at hand */
    taco__make_column *columns[TACO__LEVELS];
    size_t             counts[TACO__LEVELS], caps[TACO__LEVELS];
    size_t             hint[TACO__LEVELS]; /* columns are set in the same order as a rule */
    /* while the tables are written */
    uint32_t    table;
    size_t      at;
    taco_array *arrays;
    taco_field *fields[TACO__LEVELS];
};

/* ---- columns ---- */

TACO__FN void taco__make_column_free(taco__make_column *c)
{
    uint32_t i;
    for (i = 0; i < c->field.child_count && c->children; i++) {
        taco__make_column_free(&c->children[i]);
    }
    taco__buf_free(&c->validity);
    taco__buf_free(&c->offsets);
    taco__buf_free(&c->values);
}
TACO__FN bool taco__make_has_offsets(const taco_field *f)
{
    return f->type == TACO_TEXT || f->type == TACO_BINARY || f->type == TACO_LIST ||
           f->type == TACO_MAP || (f->type == TACO_DECIMAL && f->width == 0);
}
/* Bytes of a value of a fixed width; 0 for others. */
TACO__FN size_t taco__make_width(const taco_field *f)
{
    static const uint8_t widths[] = {0, 0, 1, 2, 4,  8,  1, 2, 4, 8,  2, 4, 8,
                                     0, 4, 8, 8, 12, 12, 0, 0, 0, 16, 0, 0, 0};
    if (f->type == TACO_FIXED || f->type == TACO_DECIMAL) {
        return (size_t)f->width;
    }
    return f->type == TACO_TIME && f->unit <= TACO_MILLI ? 4 : widths[f->type];
}
/* A copy of a field and all below it, with names of its own. */
TACO__FN bool taco__make_column_open(taco__make_column *c, const taco_field *f, taco__mem *mem,
                                     taco__arena *arena, uint32_t depth, taco_error *err)
{
    const int32_t zero = 0;
    taco_field   *below;
    uint32_t      i;
    memset(c, 0, sizeof *c);
    c->validity.mem = c->offsets.mem = c->values.mem = mem;
    if (depth > 32 || (f->child_count && !f->children) ||
        (uint32_t)f->type > (uint32_t)TACO_STRUCT) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "a column of an impossible type");
        return false;
    }
    c->field = *f;
    c->field.nullable = true;
    c->field.leaf = c->field.leaf_count = 0;
    c->field.width = (int32_t)taco__make_width(f);
    c->field.name = taco__arena_text(arena, taco__base_text(f->name ? f->name : ""), err);
    below = (taco_field *)taco__arena_array(arena, f->child_count, sizeof *below, err);
    c->children =
        (taco__make_column *)taco__arena_array(arena, f->child_count, sizeof *c->children, err);
    if (!c->field.name || !below || !c->children) {
        return false;
    }
    for (i = 0; i < f->child_count; i++) {
        if (!taco__make_column_open(&c->children[i], &f->children[i], mem, arena, depth + 1, err)) {
            return false;
        }
        c->children[i].field.nullable = f->children[i].nullable;
        below[i] = c->children[i].field;
    }
    c->field.children = below;
    return !taco__make_has_offsets(f) || taco__buf_append(&c->offsets, &zero, sizeof zero, err);
}
TACO__FN bool taco__make_end(taco__make_column *c, size_t end, taco_error *err)
{
    int32_t at = (int32_t)end;
    if (end > INT32_MAX) {
        taco_bytes name = taco__base_text(c->field.name);
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "column %q has more than 2^31 bytes or items", &name);
        return false;
    }
    return taco__buf_append(&c->offsets, &at, sizeof at, err);
}
/* Counts one more row, and whether it has a value. */
TACO__FN bool taco__make_row(taco__make_column *c, bool valid, taco_error *err)
{
    if (c->length % 8 == 0 && !taco__buf_char(&c->validity, 0, err)) {
        return false;
    }
    if (valid) {
        taco__base_bit_set(c->validity.data, c->length);
    }
    c->nulls += !valid;
    c->length++;
    return true;
}
TACO__FN bool taco__make_null(taco__make_column *c, taco_error *err)
{
    static const uint8_t zeros[64] = {0};
    size_t               n = taco__make_width(&c->field);
    uint32_t             i;
    bool                 ok = true;
    if (c->field.type == TACO_BOOL) {
        ok = c->length % 8 != 0 || taco__buf_char(&c->values, 0, err);
    } else if (taco__make_has_offsets(&c->field)) {
        int32_t last;
        memcpy(&last, c->offsets.data + c->offsets.len - sizeof last, sizeof last);
        ok = taco__make_end(c, (size_t)last, err);
    } else if (c->field.type == TACO_STRUCT) {
        for (i = 0; ok && i < c->field.child_count; i++) {
            ok = taco__make_null(&c->children[i], err);
        }
    }
    for (; ok && n; n -= TACO__MIN(n, sizeof zeros)) {
        ok = taco__buf_append(&c->values, zeros, TACO__MIN(n, sizeof zeros), err);
    }
    return ok && taco__make_row(c, false, err);
}
/* A value of a fixed width, or the bytes of TEXT and BINARY. */
TACO__FN bool taco__make_bytes(taco__make_column *c, taco_bytes b, taco_error *err)
{
    return taco__buf_append(&c->values, b.data, b.len, err) &&
           (!taco__make_has_offsets(&c->field) || taco__make_end(c, c->values.len, err)) &&
           taco__make_row(c, true, err);
}
TACO__FN bool taco__make_bool(taco__make_column *c, bool value, taco_error *err)
{
    if (c->length % 8 == 0 && !taco__buf_char(&c->values, 0, err)) {
        return false;
    }
    if (value) {
        taco__base_bit_set(c->values.data, c->length);
    }
    return taco__make_row(c, true, err);
}
/* Row i of an array of the same type, with all below it. */
TACO__FN bool taco__make_copy(taco__make_column *c, const taco_array *a, size_t i, taco_error *err)
{
    const taco_field *f = &c->field;
    uint32_t          k;
    int32_t           from, to;
    if (!taco_array_valid(a, i)) {
        return taco__make_null(c, err);
    }
    if (a->dictionary) {
        i = (size_t)a->v.i32[i];
        a = a->dictionary;
        if (!taco_array_valid(a, i)) {
            return taco__make_null(c, err);
        }
    }
    if (f->type == TACO_BOOL) {
        return taco__make_bool(c, taco__base_bit(a->v.u8, i), err);
    }
    if (f->type == TACO_STRUCT) {
        for (k = 0; k < f->child_count; k++) {
            if (!taco__make_copy(&c->children[k], &a->children[k], i, err)) {
                return false;
            }
        }
        return taco__make_row(c, true, err);
    }
    if (!taco__make_has_offsets(f)) {
        size_t n = taco__make_width(f);
        return taco__make_bytes(c, taco__base_bytes(a->v.u8 + i * n, n), err);
    }
    from = a->offsets[i];
    to = a->offsets[i + 1];
    if (f->type != TACO_LIST && f->type != TACO_MAP) {
        return taco__make_bytes(c, taco__base_bytes(a->v.u8 + from, (size_t)(to - from)), err);
    }
    for (; from < to; from++) {
        if (!taco__make_copy(&c->children[0], &a->children[0], (size_t)from, err)) {
            return false;
        }
    }
    return taco__make_end(c, c->children[0].length, err) && taco__make_row(c, true, err);
}
/* The whole column as an array. */
TACO__FN void taco__make_array(taco__make_column *c, taco__arena *arena, taco_error *err)
{
    taco_array *below =
        (taco_array *)taco__arena_array(arena, c->field.child_count, sizeof *below, err);
    uint32_t i;
    memset(&c->array, 0, sizeof c->array);
    c->array.field = &c->field;
    c->array.length = c->length;
    c->array.null_count = c->field.type == TACO_NULL ? c->length : c->nulls;
    c->array.validity = c->nulls ? c->validity.data : NULL;
    c->array.offsets =
        taco__make_has_offsets(&c->field) ? (const int32_t *)(const void *)c->offsets.data : NULL;
    c->array.v.any = c->values.data ? c->values.data : (const uint8_t *)"";
    for (i = 0; below && i < c->field.child_count; i++) {
        taco__make_array(&c->children[i], arena, err);
        below[i] = c->children[i].array;
    }
    c->array.children = below;
}

/* ---- the handle ---- */

TACO__FN taco_status taco__make_failed(taco_writer *w)
{
    return w ? w->err.code : TACO_ERR_ARGUMENT;
}
TACO__FN void taco__make_free(taco_writer *w)
{
    taco__mem mem;
    uint32_t  level;
    size_t    i;
    for (level = 0; level < TACO__LEVELS; level++) {
        for (i = 0; i < w->counts[level]; i++) {
            taco__make_column_free(&w->columns[level][i]);
        }
        taco__mem_free(&w->mem, w->columns[level], w->caps[level] * sizeof *w->columns[level]);
    }
    taco__tree_free(&w->tree);
    taco__arena_free(&w->arena);
    mem = w->mem;
    taco__mem_free(&mem, w, sizeof *w);
}
TACO__FN taco_writer *taco__make_open(const char *path, const taco_sink *sink,
                                      const taco_create_options *opt, taco_error *err)
{
    taco__mem           mem;
    taco_writer        *w;
    taco_error          own;
    taco_create_options o;
    memset(&own, 0, sizeof own);
    memset(&o, 0, sizeof o);
    err = err ? err : &own;
    o = opt ? *opt : o;
    taco__mem_init(&mem, o.options);
    w = (taco_writer *)taco__mem_alloc(&mem, sizeof *w, err);
    if (!w) {
        if (sink) {
            sink->close(sink->ctx, false);
        }
        return NULL;
    }
    w->mem = mem;
    w->arena.mem = &w->mem;
    taco__options_init(&w->options, o.options);
    o.options = &w->options;
    w->fill = o.fill;
    w->any_tree = o.any_tree;
    w->pad_to = o.pad_to;
    taco__tree_init(&w->tree, &w->mem);
    w->path = taco__arena_text(&w->arena, taco__base_text(path), err);
    if (!w->path || !(sink ? taco__pack_begin_sink(&w->pack, sink, &o, &w->tree, &w->mem, err)
                           : taco__pack_begin(&w->pack, path, &o, &w->tree, &w->mem, err))) {
        taco__make_free(w);
        return NULL;
    }
    return w;
}
TACO_API taco_writer *taco_create(const char *path, const taco_create_options *opt, taco_error *err)
{
    if (!path) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
        return NULL;
    }
    return taco__make_open(path, NULL, opt, err);
}
TACO_API taco_writer *taco_create_sink(const taco_sink *sink, const taco_create_options *opt,
                                       taco_error *err)
{
    return taco__make_open("", sink, opt, err);
}
TACO_API void taco_writer_abort(taco_writer *w)
{
    if (w) {
        taco__pack_abort(&w->pack);
        taco__make_free(w);
    }
}
TACO_API taco_status taco_writer_collection(taco_writer *w, const char *json, size_t len)
{
    char *copy;
    if (taco__make_failed(w) != TACO_OK) {
        return taco__make_failed(w);
    }
    copy = taco__arena_text(&w->arena, taco__base_bytes(json, json ? len : 0), &w->err);
    if (copy && taco__json_parse(&w->arena, taco__base_bytes(copy, json ? len : 0),
                                 &w->options.limits, &w->collection, &w->err) == TACO_OK) {
        if (!taco__json_is(w->collection.root, TACO__JSON_OBJECT)) {
            TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, 0,
                       "a collection must be a JSON object, found %s",
                       taco__json_kind(w->collection.root));
        } else {
            w->has_collection = true;
            taco__model_collection(&w->collection, true, taco__model_first, &w->err);
        }
    }
    if (w->err.code != TACO_OK) {
        taco__error_prefix(&w->err, "collection");
    }
    return w->err.code;
}
TACO_API taco_status taco_writer_field(taco_writer *w, uint32_t level, const taco_field *field)
{
    taco_bytes         name = taco__base_text(field && field->name ? field->name : "");
    taco__make_column *c;
    size_t             i;
    if (taco__make_failed(w) != TACO_OK) {
        return taco__make_failed(w);
    }
    if (!field || level >= TACO__LEVELS) {
        return TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "column %q: there are levels 0 to %u", &name, TACO__U(TACO__LEVELS - 1));
    }
    if (taco__model_key(name, &w->err) != TACO_OK) {
        return w->err.code;
    }
    for (i = 0; i < w->counts[level]; i++) {
        if (strcmp(w->columns[level][i].field.name, field->name) == 0) {
            return TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "column %q of level %u is declared twice", &name, TACO__U(level));
        }
    }
    if (w->tree.level[level].rows && !w->fill) {
        return TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET,
                          "column %q: level %u has samples already, and the schema is strict",
                          &name, TACO__U(level));
    }
    if (w->counts[level] == w->caps[level]) {
        size_t             cap = w->caps[level] ? w->caps[level] * 2 : 8;
        taco__make_column *grown = (taco__make_column *)taco__mem_resize(
            &w->mem, w->columns[level], w->caps[level] * sizeof *grown, cap * sizeof *grown,
            &w->err);
        if (!grown) {
            return w->err.code;
        }
        w->columns[level] = grown;
        w->caps[level] = cap;
    }
    c = &w->columns[level][w->counts[level]++];
    taco__make_column_open(c, field, &w->mem, &w->arena, 0, &w->err);
    return w->err.code;
}
TACO_API taco_status taco_writer_column(taco_writer *w, uint32_t level, const char *name,
                                        taco_type type)
{
    taco_field f;
    memset(&f, 0, sizeof f);
    f.name = name;
    f.type = type;
    f.nullable = true;
    f.unit = type == TACO_TIMESTAMP || type == TACO_TIME ? TACO_MICRO : TACO_SECOND;
    if (taco__make_failed(w) == TACO_OK &&
        (type == TACO_DECIMAL || type == TACO_FIXED || type >= TACO_LIST || type < TACO_NULL)) {
        taco_bytes n = taco__base_text(name);
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "column %q: this type wants taco_writer_field", &n);
    }
    return taco_writer_field(w, level, &f);
}
TACO_API taco_status taco_writer_list(taco_writer *w, uint32_t level, const char *name,
                                      taco_type items)
{
    taco_field f, item;
    memset(&f, 0, sizeof f);
    memset(&item, 0, sizeof item);
    item.name = "element";
    item.type = items;
    item.nullable = true;
    f.name = name;
    f.type = TACO_LIST;
    f.children = &item;
    f.child_count = 1;
    return taco_writer_field(w, level, &f);
}

/* ---- values ---- */

/* What a failure is about: "sample 'id'". */
TACO__FN taco_status taco__make_about(taco_writer *w)
{
    const taco__tree_level *l = &w->tree.level[w->level];
    if (w->err.code != TACO_OK && w->begun && l->rows) {
        taco_bytes id = taco__tree_id(&w->tree, w->level, l->rows - 1);
        taco__error_prefix(&w->err, "sample %u of level %u, %q", TACO__U(l->rows - 1),
                           TACO__U(w->level), &id);
    }
    return w->err.code;
}
/* The rows of a level before `rows` are complete: what was not set is null, or an error. */
TACO__FN bool taco__make_complete(taco_writer *w, uint32_t level, size_t rows)
{
    size_t i;
    for (i = 0; i < w->counts[level]; i++) {
        taco__make_column *c = &w->columns[level][i];
        while (c->length < rows) {
            taco_bytes id = taco__tree_id(&w->tree, level, c->length),
                       name = taco__base_text(c->field.name);
            if (!w->fill && !taco__model_is_padding(id)) {
                TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                           "sample %q of level %u has no value for column %q; the schema is "
                           "strict, null must be said",
                           &id, TACO__U(level), &name);
                return false;
            }
            if (!taco__make_null(c, &w->err)) {
                return false;
            }
        }
    }
    return true;
}
/* The column of the sample at hand, ready for its value. NULL on failure. */
TACO__FN taco__make_column *taco__make_at(taco_writer *w, const char *name)
{
    taco_bytes         key = taco__base_text(name ? name : "");
    taco__make_column *c = NULL;
    size_t             i, k, n, row;
    if (taco__make_failed(w) != TACO_OK) {
        return NULL;
    }
    if (!w->begun) {
        TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET, "column %q: there is no sample yet",
                   &key);
        return NULL;
    }
    n = w->counts[w->level];
    row = w->tree.level[w->level].rows - 1;
    for (i = 0; i < n && !c; i++) {
        k = (w->hint[w->level] + i) % n;
        if (taco__base_equal(taco__base_text(w->columns[w->level][k].field.name), key)) {
            c = &w->columns[w->level][k];
            w->hint[w->level] = k + 1;
        }
    }
    if (!c) {
        TACO__FAIL(&w->err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "level %u has no column %q",
                   TACO__U(w->level), &key);
    } else if (c->length > row) {
        TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET, "column %q is set twice", &key);
    } else { /* rows before are complete but for columns that were declared late */
        while (c->length < row) {
            if (!taco__make_null(c, &w->err)) {
                break;
            }
        }
    }
    if (w->err.code != TACO_OK) {
        taco__make_about(w);
        return NULL;
    }
    return c;
}
TACO__FN taco_status taco__make_wrong(taco_writer *w, const taco__make_column *c, const char *given)
{
    taco__buf  b;
    taco_bytes name = taco__base_text(c->field.name);
    memset(&b, 0, sizeof b);
    b.mem = &w->mem;
    if (taco__describe_type(&c->field, &b, NULL) && taco__buf_char(&b, 0, NULL)) {
        TACO__FAIL(&w->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q is %s, was given %s", &name,
                   (const char *)b.data, given);
    }
    TACO__FAIL(&w->err, TACO_ERR_TYPE, TACO_NO_OFFSET, "column %q was given %s", &name, given);
    taco__buf_free(&b);
    return taco__make_about(w);
}
TACO_API taco_status taco_writer_set_null(taco_writer *w, const char *column)
{
    taco__make_column *c = taco__make_at(w, column);
    if (c) {
        taco__make_null(c, &w->err);
    }
    return taco__make_failed(w);
}
TACO_API taco_status taco_writer_set_bytes(taco_writer *w, const char *column, const void *data,
                                           size_t len)
{
    taco__make_column *c = taco__make_at(w, column);
    taco_bytes         b = taco__base_bytes(data, len);
    size_t             n;
    if (!c) {
        return taco__make_failed(w);
    }
    n = taco__make_width(&c->field);
    if (!(c->field.type == TACO_TEXT || c->field.type == TACO_BINARY ||
          ((c->field.type == TACO_FIXED || c->field.type == TACO_UUID) && n == len))) {
        return taco__make_wrong(w, c, "bytes");
    }
    if (c->field.type == TACO_TEXT && !taco__num_utf8(b)) {
        return taco__make_wrong(w, c, "bytes that are not UTF-8");
    }
    taco__make_bytes(c, b, &w->err);
    return taco__make_about(w);
}
/* An instant of ISO 8601 in the unit of a column. */
TACO__FN bool taco__make_instant(const taco_field *f, taco_bytes text, int64_t *out)
{
    static const int64_t per[] = {1000000, 1000, 1, 1};
    bool                 date;
    if (!taco__time_parse(text, out, &date)) {
        return false;
    }
    if (f->type == TACO_DATE) {
        *out = taco__time_floor(*out, TACO__TIME_DAY_MICROS);
    } else if (f->unit == TACO_NANO) {
        if (*out > INT64_MAX / 1000 || *out < INT64_MIN / 1000) {
            return false;
        }
        *out *= 1000;
    } else {
        *out = taco__time_floor(*out, per[f->unit]);
    }
    return true;
}
/* Stores an integer of any width; false where it does not fit. */
TACO__FN bool taco__make_int(taco__make_column *c, int64_t x, taco_error *err)
{
    static const uint8_t bits[] = {
        0, 0, 7, 15, 31, 63, 8, 16, 32, 63}; /* of the largest; UINT64 as far as int64_t goes */
    taco_type t = c->field.type;
    size_t    n = taco__make_width(&c->field), i;
    uint8_t   b[8];
    bool      is_signed = t < TACO_UINT8 || t > TACO_UINT64;
    unsigned  most = t <= TACO_UINT64 ? bits[t] : n == 4 ? 31 : 63;
    if (most < 63 && (x >= (int64_t)1 << most || x < (is_signed ? -((int64_t)1 << most) : 0))) {
        return false;
    }
    if (!is_signed && x < 0) {
        return false;
    }
    for (i = 0; i < n; i++) {
        b[TACO__BIG_ENDIAN ? n - 1 - i : i] = (uint8_t)((uint64_t)x >> (8 * i));
    }
    return taco__make_bytes(c, taco__base_bytes(b, n), err) || true;
}
TACO_API taco_status taco_writer_set_int(taco_writer *w, const char *column, int64_t value)
{
    taco__make_column *c = taco__make_at(w, column);
    taco_type          t;
    double             d = (double)value;
    float              f = (float)value;
    if (!c) {
        return taco__make_failed(w);
    }
    t = c->field.type;
    if (t == TACO_DOUBLE || t == TACO_FLOAT) {
        taco__make_bytes(c, t == TACO_DOUBLE ? taco__base_bytes(&d, 8) : taco__base_bytes(&f, 4),
                         &w->err);
    } else if ((t >= TACO_INT8 && t <= TACO_UINT64) || t == TACO_DATE || t == TACO_TIME ||
               t == TACO_TIMESTAMP) {
        if (!taco__make_int(c, value, &w->err)) {
            return taco__make_wrong(w, c, "a number that does not fit");
        }
    } else if (t == TACO_BOOL && (value == 0 || value == 1)) {
        taco__make_bool(c, value != 0, &w->err);
    } else {
        return taco__make_wrong(w, c, "an integer");
    }
    return taco__make_about(w);
}
TACO_API taco_status taco_writer_set_bool(taco_writer *w, const char *column, bool value)
{
    taco__make_column *c = taco__make_at(w, column);
    if (!c) {
        return taco__make_failed(w);
    }
    if (c->field.type != TACO_BOOL) {
        return taco__make_wrong(w, c, "a truth value");
    }
    taco__make_bool(c, value, &w->err);
    return taco__make_about(w);
}
TACO_API taco_status taco_writer_set_double(taco_writer *w, const char *column, double value)
{
    taco__make_column *c = taco__make_at(w, column);
    float              f = (float)value;
    if (!c) {
        return taco__make_failed(w);
    }
    if (c->field.type == TACO_DOUBLE) {
        taco__make_bytes(c, taco__base_bytes(&value, 8), &w->err);
    } else if (c->field.type == TACO_FLOAT) {
        taco__make_bytes(c, taco__base_bytes(&f, 4), &w->err);
    } else {
        return taco__make_wrong(w, c, "a number with a fraction");
    }
    return taco__make_about(w);
}
TACO_API taco_status taco_writer_set_text(taco_writer *w, const char *column, const char *value)
{
    taco__make_column *c;
    int64_t            t;
    if (!value) {
        return taco_writer_set_null(w, column);
    }
    c = taco__make_at(w, column);
    if (!c) {
        return taco__make_failed(w);
    }
    if (c->field.type == TACO_TEXT) {
        if (!taco__num_utf8(taco__base_text(value))) {
            return taco__make_wrong(w, c, "text that is not UTF-8");
        }
        taco__make_bytes(c, taco__base_text(value), &w->err);
    } else if (c->field.type == TACO_TIMESTAMP || c->field.type == TACO_DATE) {
        if (!taco__make_instant(&c->field, taco__base_text(value), &t)) {
            return taco__make_wrong(w, c, "text that is no date and time of ISO 8601");
        }
        taco__make_int(c, t, &w->err);
    } else {
        return taco__make_wrong(w, c, "text");
    }
    return taco__make_about(w);
}
/* A list of n numbers, each stored by one of the two. */
TACO__FN taco_status taco__make_list(taco_writer *w, const char *column, const int64_t *ints,
                                     const double *doubles, size_t n)
{
    taco__make_column *c = taco__make_at(w, column), *item;
    size_t             i;
    if (!c) {
        return taco__make_failed(w);
    }
    item = c->field.type == TACO_LIST ? &c->children[0] : NULL;
    if (!item || !(doubles ? item->field.type == TACO_DOUBLE || item->field.type == TACO_FLOAT
                           : item->field.type >= TACO_INT8 && item->field.type <= TACO_UINT64)) {
        return taco__make_wrong(w, c, doubles ? "a list of doubles" : "a list of integers");
    }
    for (i = 0; i < n && w->err.code == TACO_OK; i++) {
        float f = doubles ? (float)doubles[i] : 0.0F;
        if (doubles) {
            taco__make_bytes(item,
                             item->field.type == TACO_DOUBLE ? taco__base_bytes(&doubles[i], 8)
                                                             : taco__base_bytes(&f, 4),
                             &w->err);
        } else if (!taco__make_int(item, ints[i], &w->err)) {
            return taco__make_wrong(w, c, "a number that does not fit");
        }
    }
    if (w->err.code == TACO_OK && taco__make_end(c, item->length, &w->err)) {
        taco__make_row(c, true, &w->err);
    }
    return taco__make_about(w);
}
TACO_API taco_status taco_writer_set_ints(taco_writer *w, const char *column, const int64_t *values,
                                          size_t n)
{
    return taco__make_list(w, column, values, NULL, n);
}
TACO_API taco_status taco_writer_set_doubles(taco_writer *w, const char *column,
                                             const double *values, size_t n)
{
    static const double none = 0;
    return taco__make_list(w, column, NULL, values ? values : &none, n);
}
TACO_API taco_status taco_writer_set_array(taco_writer *w, const char *column,
                                           const taco_array *values, size_t row)
{
    taco__make_column *c = taco__make_at(w, column);
    if (!c) {
        return taco__make_failed(w);
    }
    if (!taco__field_same(&c->field, values->field)) {
        return taco__make_wrong(w, c, "an array of another type");
    }
    taco__make_copy(c, values, row, &w->err);
    return taco__make_about(w);
}

/* ---- samples ---- */

/* A sample of the folder that is open joins the tree. */
TACO__FN bool taco__make_add(taco_writer *w, taco_bytes id, bool folder)
{
    uint32_t level = w->depth;
    size_t   parent = level ? w->tree.level[level - 1].rows - 1 : 0;
    w->level = level;
    if (!taco__make_complete(w, level, w->tree.level[level].rows) ||
        !taco__tree_add(&w->tree, level, parent, id, folder, &w->err)) {
        return false;
    }
    w->begun = true;
    return true;
}
TACO__FN bool taco__make_begin(taco_writer *w, const char *id, bool folder)
{
    taco_bytes name = taco__base_text(id ? id : "");
    if (taco__make_failed(w) != TACO_OK) {
        return false;
    }
    if (taco__model_id(name, &w->err) != TACO_OK ||
        taco__model_file_name(name, &w->err) != TACO_OK) {
        return false;
    }
    if (taco__model_is_padding(name)) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "id %q starts with '__', which is reserved for padding", &name);
        return false;
    }
    if (folder && w->depth + 1 >= TACO__LEVELS) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "FOLDER %q at level %u: the deepest level is %u", &name, TACO__U(w->depth),
                   TACO__U(TACO__LEVELS - 1));
        return false;
    }
    if (!w->any_tree && w->depth == 0 && w->tree.level[0].rows &&
        taco__tree_folder(&w->tree, 0, 0) != folder) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "PIT-1: sample %q is a %s, the first sample is a %s; all of level 0 must be of "
                   "one type",
                   &name, taco__coll_word(folder), taco__coll_word(!folder));
        return false;
    }
    return taco__make_add(w, name, folder);
}
TACO__FN taco_status taco__make_store(taco_writer *w, taco__io_in *in)
{
    if (w->err.code == TACO_OK) {
        taco__pack_sample(&w->pack, w->level, w->tree.level[w->level].rows - 1, in, &w->err);
    }
    if (in) {
        taco__io_in_close(in);
    }
    return taco__make_about(w);
}
TACO_API taco_status taco_writer_file(taco_writer *w, const char *id, const char *path)
{
    taco__io_in in;
    memset(&in, 0, sizeof in);
    if (!taco__make_begin(w, id, false)) {
        return taco__make_failed(w);
    }
    if (!path) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no path given");
    } else if (w->options.open_file) {
        if (taco__options_open(&w->options, path, &in.source, &w->err)) {
            in.size = in.source.size;
            in.own = true;
        }
    } else {
#ifndef TACO_NO_STDIO
        taco__io_in_file(&in, path, &w->err);
#else
        taco__options_open(&w->options, path, &in.source, &w->err);
#endif
    }
    return taco__make_store(w, &in);
}
TACO_API taco_status taco_writer_bytes(taco_writer *w, const char *id, const void *data, size_t len)
{
    taco__io_in in;
    if (!taco__make_begin(w, id, false)) {
        return taco__make_failed(w);
    }
    taco__io_in_bytes(&in, taco__base_bytes(data, len));
    return taco__make_store(w, &in);
}
TACO_API taco_status taco_writer_range(taco_writer *w, const char *id, const taco_source *src,
                                       uint64_t offset, uint64_t size)
{
    taco__io_in in;
    if (!taco__make_begin(w, id, false)) {
        return taco__make_failed(w);
    }
    if (!src || !taco__base_inside(offset, size, src->size)) {
        TACO__FAIL(&w->err, TACO_ERR_ARGUMENT, offset, "%u bytes, the source has %u", size,
                   src ? src->size : 0);
        return taco__make_about(w);
    }
    taco__io_in_range(&in, src, offset, size);
    return taco__make_store(w, &in);
}
TACO_API taco_status taco_writer_folder_begin(taco_writer *w, const char *id)
{
    if (taco__make_begin(w, id, true)) {
        w->depth++;
        return taco__make_store(w, NULL);
    }
    return taco__make_failed(w);
}

/* ---- padding (§5.5, §7.1.1) ---- */

TACO__FN bool taco__make_pad_file(taco_writer *w, taco_bytes id)
{
    taco__io_in in;
    taco__io_in_bytes(&in, taco__base_bytes(NULL, 0));
    return taco__make_add(w, id, false) && taco__make_store(w, &in) == TACO_OK;
}
/* What stands below the first sample, without bytes: so is a padding sample isomorphic to it. */
TACO__FN bool taco__make_pad_below(taco_writer *w, uint32_t level, size_t like)
{
    size_t row;
    bool   ok = true;
    w->depth = level;
    for (row = 0;
         ok && row < w->tree.level[level].rows && taco__tree_parent(&w->tree, level, row) <= like;
         row++) {
        taco_bytes id = taco__tree_id(&w->tree, level, row);
        char      *copy;
        if (taco__tree_parent(&w->tree, level, row) != like) {
            continue;
        }
        copy = taco__arena_text(&w->arena, id, &w->err); /* the tree's ids move when it grows */
        id = taco__base_bytes(copy, id.len);
        if (!copy || !taco__tree_folder(&w->tree, level, row)) {
            ok = copy && taco__make_pad_file(w, id);
        } else {
            ok = taco__make_add(w, id, true) && taco__make_store(w, NULL) == TACO_OK &&
                 taco__make_pad_below(w, level + 1, row);
            w->depth = level;
        }
    }
    return ok;
}
/* Pads the children of the folder that is open; at level 0 the samples. */
TACO__FN bool taco__make_pad(taco_writer *w)
{
    const taco__tree_level *l = &w->tree.level[w->depth];
    size_t                  from = l->rows, n, k;
    bool                    fill = w->fill, ok = true;
    if (!w->pad_to || !l->rows) {
        return true;
    }
    while (from && (!w->depth || taco__tree_parent(&w->tree, w->depth, from - 1) ==
                                     w->tree.level[w->depth - 1].rows - 1)) {
        from--;
    }
    n = l->rows - from;
    n = (w->pad_to - n % w->pad_to) % w->pad_to;
    ok = taco__make_complete(w, w->depth, l->rows);
    w->fill = true; /* what pads has no values */
    for (k = 0; ok && k < n; k++) {
        char     id[40] = TACO__MODEL_PAD;
        size_t   len = sizeof TACO__MODEL_PAD - 1;
        uint32_t depth = w->depth;
        bool     folder = depth == 0 && taco__tree_folder(&w->tree, 0, 0);
        len += taco__num_u64(id + len, k);
        if (folder) {
            ok = taco__make_add(w, taco__base_bytes(id, len), true) &&
                 taco__make_store(w, NULL) == TACO_OK && taco__make_pad_below(w, 1, 0);
        } else {
            ok = taco__make_pad_file(w, taco__base_bytes(id, len));
        }
        w->depth = depth;
    }
    for (k = 0; ok && n && k < TACO__LEVELS; k++) {
        ok = k < w->depth || taco__make_complete(w, (uint32_t)k, w->tree.level[k].rows);
    }
    w->fill = fill;
    return ok;
}
TACO_API taco_status taco_writer_folder_end(taco_writer *w)
{
    if (taco__make_failed(w) != TACO_OK) {
        return taco__make_failed(w);
    }
    if (w->depth == 0) {
        return TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET, "no FOLDER is open");
    }
    if (taco__make_pad(w)) {
        w->depth--;
        w->level = w->depth; /* columns are set of the FOLDER again */
    }
    return w->err.code;
}

/* ---- the end ---- */

TACO__FN bool taco__make_source_begin(void *ctx, uint32_t level, taco_error *err)
{
    taco_writer *w = (taco_writer *)ctx;
    (void)err;
    w->table = level;
    w->at = 0;
    return true;
}
TACO__FN bool taco__make_source_next(void *ctx, taco_batch *out, taco_error *err)
{
    taco_writer *w = (taco_writer *)ctx;
    size_t       rows = w->tree.level[w->table].rows, i;
    (void)err;
    memset(out, 0, sizeof *out);
    out->first_row = (int64_t)w->at;
    out->length = TACO__MIN(rows - w->at, (size_t)TACO__MAKE_SLICE);
    for (i = 0; i < w->counts[w->table]; i++) {
        taco__make_column *c = &w->columns[w->table][i];
        w->arrays[i] = taco__column_slice(&c->pieces, &c->array, w->at, out->length);
    }
    out->columns = w->arrays;
    out->column_count = w->counts[w->table];
    w->at += out->length;
    return true;
}
TACO__FN bool taco__make_source(taco_writer *w, taco__pack_source *src)
{
    uint32_t level;
    size_t   i, most = 0;
    memset(src, 0, sizeof *src);
    src->ctx = w;
    src->begin = taco__make_source_begin;
    src->next = taco__make_source_next;
    for (level = 0; level < w->tree.levels; level++) {
        size_t n = w->counts[level];
        most = TACO__MAX(most, n);
        w->fields[level] =
            (taco_field *)taco__arena_array(&w->arena, n, sizeof **w->fields, &w->err);
        for (i = 0; w->err.code == TACO_OK && i < n; i++) {
            taco__make_column *c = &w->columns[level][i];
            taco__make_array(c, &w->arena, &w->err);
            taco__column_buffers(&c->pieces, &c->field, &w->mem, &w->arena, &w->err);
            w->fields[level][i] = c->field;
        }
        src->fields[level] = w->fields[level];
        src->counts[level] = n;
    }
    w->arrays = (taco_array *)taco__arena_array(&w->arena, most, sizeof *w->arrays, &w->err);
    return w->err.code == TACO_OK;
}
TACO__FN bool taco__make_finish(taco_writer *w)
{
    taco__pack_source src;
    uint32_t          level;
    if (w->err.code != TACO_OK) {
        return false;
    }
    if (w->depth) {
        taco_bytes id = taco__tree_id(&w->tree, w->depth - 1, w->tree.level[w->depth - 1].rows - 1);
        TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET, "FOLDER %q is still open", &id);
        return false;
    }
    if (!w->has_collection) {
        TACO__FAIL(&w->err, TACO_ERR_STATE, TACO_NO_OFFSET, "there is no collection");
        return false;
    }
    for (level = 0; level < TACO__LEVELS; level++) {
        if (!taco__make_complete(w, level, w->tree.level[level].rows)) {
            return false;
        }
    }
    return taco__make_pad(w) && (w->any_tree || taco__model_pit1(&w->tree, &w->err) == TACO_OK) &&
           taco__make_source(w, &src) &&
           taco__pack_finish(&w->pack, w->collection.root, &src, &w->err);
}
TACO_API taco_status taco_writer_finish(taco_writer *w, taco_error *err)
{
    taco_status st;
    if (!w) {
        return err ? err->code : TACO_ERR_ARGUMENT;
    }
    if (!taco__make_finish(w)) {
        taco__pack_abort(&w->pack); /* nothing, where finishing failed */
        if (w->path[0]) {
            taco__error_prefix(&w->err, "%s", w->path);
        }
    }
    st = w->err.code;
    if (err && err->code == TACO_OK) {
        *err = w->err;
    }
    taco__make_free(w);
    return st;
}

/* ==== ROOM ext: columns and fields of the known extensions. Uses: make geom func tiff pq:text. Spec: TACO 2.0
   §8, OGC 19-008r4; Karney 2011 for UTM ==== */

/* ---- columns made row by row ---------------------------------------------------------------------- */

/* Grows by one row at a time, nested ones through their children. The buffers are reused from batch to batch. */
typedef struct taco__ext_col {
    const taco_field     *field;
    size_t                length, nulls;
    taco__buf             validity, offsets, values;
    struct taco__ext_col *child; /* field->child_count of them */
    taco_array           *arrays;
} taco__ext_col;

TACO__FN void taco__ext_clear(taco__ext_col *c)
{
    uint32_t i;
    c->length = c->nulls = 0;
    c->validity.len = c->offsets.len = c->values.len = 0;
    for (i = 0; i < c->field->child_count; i++) {
        taco__ext_clear(&c->child[i]);
    }
}
TACO__FN bool taco__ext_open(taco__ext_col *c, const taco_field *f, taco__mem *mem,
                             taco__arena *arena, taco_error *err)
{
    uint32_t i;
    memset(c, 0, sizeof *c);
    c->field = f;
    c->validity.mem = c->offsets.mem = c->values.mem = mem;
    c->child = (taco__ext_col *)taco__arena_array(arena, f->child_count + 1, sizeof *c->child, err);
    c->arrays = (taco_array *)taco__arena_array(arena, f->child_count + 1, sizeof *c->arrays, err);
    for (i = 0; c->child && c->arrays && i < f->child_count; i++) {
        if (!taco__ext_open(&c->child[i], &f->children[i], mem, arena, err)) {
            return false;
        }
    }
    return c->child && c->arrays;
}
TACO__FN void taco__ext_free(taco__ext_col *c)
{
    uint32_t i;
    if (!c->field) {
        return;
    }
    taco__buf_free(&c->validity);
    taco__buf_free(&c->offsets);
    taco__buf_free(&c->values);
    for (i = 0; c->child && i < c->field->child_count; i++) {
        taco__ext_free(&c->child[i]);
    }
}
TACO__FN bool taco__ext_has_offsets(const taco_field *f)
{
    return f->type == TACO_TEXT || f->type == TACO_BINARY || f->type == TACO_LIST;
}
/* Counts a row, valid or not, whose values are there; those with offsets end here. */
TACO__FN bool taco__ext_row(taco__ext_col *c, bool valid, taco_error *err)
{
    int32_t  end, zero = 0;
    uint64_t bits = 0;
    size_t   total = c->field->type == TACO_LIST ? c->child[0].length : c->values.len;
    if ((c->length & 63) == 0 && !taco__buf_append(&c->validity, &bits, 8, err)) {
        return false;
    }
    if (valid) {
        taco__base_bit_set(c->validity.data, c->length);
    }
    c->nulls += !valid;
    c->length++;
    if (!taco__ext_has_offsets(c->field)) {
        return true;
    }
    if (total > INT32_MAX) {
        TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET,
                   "%u bytes or elements in a batch of one column", TACO__U(total));
        return false;
    }
    end = (int32_t)total;
    return (c->length > 1 || taco__buf_append(&c->offsets, &zero, 4, err)) &&
           taco__buf_append(&c->offsets, &end, 4, err);
}
TACO__FN bool taco__ext_null(taco__ext_col *c, taco_error *err)
{
    static const uint8_t zero[16] = {0};
    uint32_t             i;
    if (!taco__ext_has_offsets(c->field) && c->field->type != TACO_STRUCT &&
        !taco__buf_append(&c->values, zero, (size_t)c->field->width, err)) {
        return false;
    }
    for (i = 0; c->field->type == TACO_STRUCT && i < c->field->child_count; i++) {
        if (!taco__ext_null(&c->child[i], err)) {
            return false;
        }
    }
    return taco__ext_row(c, false, err);
}
TACO__FN bool taco__ext_int(taco__ext_col *c, int64_t x, taco_error *err)
{
    int32_t narrow = (int32_t)x;
    return taco__buf_append(&c->values, c->field->width == 4 ? (const void *)&narrow : &x,
                            (size_t)c->field->width, err) &&
           taco__ext_row(c, true, err);
}
TACO__FN bool taco__ext_double(taco__ext_col *c, double x, taco_error *err)
{
    float narrow = (float)x;
    return taco__buf_append(&c->values, c->field->width == 4 ? (const void *)&narrow : &x,
                            (size_t)c->field->width, err) &&
           taco__ext_row(c, true, err);
}
TACO__FN bool taco__ext_bytes(taco__ext_col *c, taco_bytes b, taco_error *err)
{
    return taco__buf_append(&c->values, b.data, b.len, err) && taco__ext_row(c, true, err);
}
TACO__FN bool taco__ext_text(taco__ext_col *c, const char *s, taco_error *err)
{
    return s ? taco__ext_bytes(c, taco__base_text(s), err) : taco__ext_null(c, err);
}
/* A list of n numbers; NULL = null. */
TACO__FN bool taco__ext_doubles(taco__ext_col *c, const double *v, size_t n, taco_error *err)
{
    size_t i;
    for (i = 0; v && i < n; i++) {
        if (!taco__ext_double(&c->child[0], v[i], err)) {
            return false;
        }
    }
    return taco__ext_row(c, v != NULL, err);
}
TACO__FN bool taco__ext_ints(taco__ext_col *c, const int64_t *v, size_t n, taco_error *err)
{
    size_t i;
    for (i = 0; v && i < n; i++) {
        if (!taco__ext_int(&c->child[0], v[i], err)) {
            return false;
        }
    }
    return taco__ext_row(c, v != NULL, err);
}
/* n rows of 8 bytes each at once, all valid; NULL when there is no memory. The caller fills them. */
TACO__FN uint64_t *taco__ext_room(taco__ext_col *c, size_t n, taco_error *err)
{
    size_t bits = ((c->length + n + 63) / 64) * 8, i, bytes;
    if (!taco__base_mulz(n, 8, &bytes) || !taco__buf_reserve(&c->values, bytes, err) ||
        !taco__buf_reserve(&c->validity, bits - c->validity.len, err)) {
        return NULL;
    }
    memset(c->validity.data + c->validity.len, 0, bits - c->validity.len);
    c->validity.len = bits;
    for (i = c->length; i < c->length + n; i++) {
        taco__base_bit_set(c->validity.data, i);
    }
    c->length += n;
    c->values.len += bytes;
    return (uint64_t *)(void *)(c->values.data + c->values.len - bytes);
}
/* The rows so far; lives until the column is cleared or grows. */
TACO__FN taco_array *taco__ext_array(taco__ext_col *c, taco_array *out)
{
    static const int32_t none[2] = {0, 0};
    uint32_t             i;
    memset(out, 0, sizeof *out);
    out->field = c->field;
    out->length = c->length;
    out->null_count = c->nulls;
    out->validity = c->nulls ? c->validity.data : NULL;
    out->v.any = c->values.data;
    if (taco__ext_has_offsets(c->field)) {
        out->offsets = c->length ? (const int32_t *)(const void *)c->offsets.data : none;
    }
    for (i = 0; i < c->field->child_count; i++) {
        taco__ext_array(&c->child[i], &c->arrays[i]);
    }
    out->children = c->field->child_count ? c->arrays : NULL;
    return out;
}
/* A field of a type without parameters but the width of its values. */
TACO__FN taco_field taco__ext_field(const char *name, taco_type type)
{
    taco_field f;
    memset(&f, 0, sizeof f);
    f.name = name;
    f.type = type;
    f.nullable = true;
    f.unit = TACO_MICRO;
    f.width = type == TACO_INT32 || type == TACO_FLOAT                              ? 4
              : type == TACO_INT64 || type == TACO_DOUBLE || type == TACO_TIMESTAMP ? 8
                                                                                    : 0;
    return f;
}
TACO__FN taco_field taco__ext_nest(const char *name, taco_type type, const taco_field *children,
                                   uint32_t n)
{
    taco_field f = taco__ext_field(name, type);
    f.children = children;
    f.child_count = n;
    return f;
}

/* ---- functions of angles, without libm ------------------------------------------------------------ */

#define TACO__EXT_PI 3.14159265358979323846

/* Taylor series on [-pi/4, pi/4]; the turns are taken off in two steps so that no bit of small multiples is lost. */
TACO__FN void taco__ext_sincos(double x, double *s, double *c)
{
    double   turns = x * (2 / TACO__EXT_PI), y, y2, term, sine, cosine;
    int64_t  k = (int64_t)(turns < 0 ? turns - 0.5 : turns + 0.5);
    unsigned i;
    y = (x - (double)k * 1.5707963267948966) - (double)k * 6.123233995736766e-17;
    y2 = y * y;
    sine = cosine = 0;
    for (i = 11; i > 0; i--) { /* Horner, from the smallest term */
        term = 1.0 / ((2.0 * i) * (2.0 * i + 1));
        sine = -y2 * term * (1 + sine);
        term = 1.0 / ((2.0 * i) * (2.0 * i - 1));
        cosine = -y2 * term * (1 + cosine);
    }
    sine = y + y * sine;
    cosine = 1 + cosine;
    switch ((unsigned)(k & 3)) {
    case 0: *s = sine, *c = cosine; break;
    case 1: *s = cosine, *c = -sine; break;
    case 2: *s = -sine, *c = -cosine; break;
    default: *s = -cosine, *c = sine; break;
    }
}
/* e^x for |x| up to about 700. */
TACO__FN double taco__ext_exp(double x)
{
    int64_t  k = (int64_t)(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5));
    double   y = (x - (double)k * 0.6931471803691238) - (double)k * 1.9082149292705877e-10, sum = 0;
    unsigned i;
    for (i = 18; i > 0; i--) {
        sum = y / i * (1 + sum);
    }
    return k < -1000 ? 0 : (1 + sum) * taco__base_f64((uint64_t)(k + 1023) << 52);
}
TACO__FN double taco__ext_sinh(double x)
{
    double   x2 = x * x, sum = 0, e;
    unsigned i;
    if (x2 < 1) {
        for (i = 10; i > 0; i--) {
            sum = x2 / ((2.0 * i) * (2.0 * i + 1)) * (1 + sum);
        }
        return x + x * sum;
    }
    e = taco__ext_exp(x);
    return (e - 1 / e) / 2;
}
TACO__FN double taco__ext_cosh(double x)
{
    double e = taco__ext_exp(x);
    return (e + 1 / e) / 2;
}
/* The angle of the direction (x, y), in radians, -pi to pi: a series of the tangent after two halvings of the angle. */
TACO__FN double taco__ext_atan2(double y, double x)
{
    double   ax = x < 0 ? -x : x, ay = y < 0 ? -y : y, t, t2, sum = 0, angle;
    unsigned i;
    bool     steep = ay > ax;
    if (ax + ay <= 0) {
        return 0;
    }
    t = steep ? ax / ay : ay / ax;
    t = t / (1 + taco__func_sqrt(1 + t * t));
    t = t / (1 + taco__func_sqrt(1 + t * t));
    t2 = t * t;
    for (i = 20; i > 0; i--) {
        sum = -t2 * (1.0 / (2.0 * i + 1) + sum);
    }
    angle = 4 * (t + t * sum);
    angle = steep ? TACO__EXT_PI / 2 - angle : angle;
    angle = x < 0 ? TACO__EXT_PI - angle : angle;
    return y < 0 ? -angle : angle;
}

/* ---- projections ---------------------------------------------------------------------------------- */

/* Longitude and latitude in radians of a point of a transverse Mercator projection, by Krueger's series to the sixth order
   of the third flattening n (Karney, Transverse Mercator with an accuracy of a few nanometers, 2011, (36), (19) to (21)).
   x and y are over the scale and the rectifying radius. */
TACO__FN void taco__ext_krueger(double n, double xi, double eta, double *lon, double *lat)
{
    const double n2 = n * n, n3 = n2 * n, n4 = n2 * n2, n5 = n4 * n, n6 = n3 * n3;
    const double beta[6] = {
        n / 2 - n2 * 2 / 3 + n3 * 37 / 96 - n4 / 360 - n5 * 81 / 512 + n6 * 96199 / 604800,
        n2 / 48 + n3 / 15 - n4 * 437 / 1440 + n5 * 46 / 105 - n6 * 1118711 / 3870720,
        n3 * 17 / 480 - n4 * 37 / 840 - n5 * 209 / 4480 + n6 * 5569 / 90720,
        n4 * 4397 / 161280 - n5 * 11 / 504 - n6 * 830251 / 7257600,
        n5 * 4583 / 161280 - n6 * 108847 / 3991680,
        n6 * 20648693 / 638668800};
    const double f = 2 * n / (1 + n), e2 = f * (2 - f), e = taco__func_sqrt(e2);
    double       x = xi, h = eta, s, c, sh, tau, want, u, v;
    unsigned     j;
    for (j = 1; j <= 6; j++) {
        taco__ext_sincos(2 * j * xi, &s, &c);
        x -= beta[j - 1] * s * taco__ext_cosh(2 * j * eta);
        h -= beta[j - 1] * c * taco__ext_sinh(2 * j * eta);
    }
    taco__ext_sincos(x, &s, &c);
    sh = taco__ext_sinh(h);
    *lon = taco__ext_atan2(sh, c);
    want = s / taco__func_sqrt(sh * sh + c * c); /* tangent of the conformal latitude */
    tau = want / (1 - e2);
    for (j = 0; j < 6; j++) { /* Newton: three steps are enough but near the poles */
        double root = taco__func_sqrt(1 + tau * tau), k = e * tau / root, k2 = k * k, at = 0, sigma,
               got;
        unsigned i;
        for (i = 12; i > 0; i--) {
            at = k2 * (1.0 / (2.0 * i + 1) + at);
        }
        sigma = taco__ext_sinh(e * (k + k * at));
        got = tau * taco__func_sqrt(1 + sigma * sigma) - sigma * root;
        u = (want - got) / taco__func_sqrt(1 + got * got);
        v = (1 + (1 - e2) * tau * tau) / ((1 - e2) * root);
        tau += u * v;
    }
    *lat = taco__ext_atan2(tau, 1);
}
TACO__FN void taco__ext_utm(int32_t zone, bool south, double flattening, double x, double y,
                            double out[2])
{
    const double a = 6378137, n = flattening / (2 - flattening), n2 = n * n;
    const double radius = a / (1 + n) * (1 + n2 / 4 + n2 * n2 / 64 + n2 * n2 * n2 / 256);
    double       lon, lat;
    taco__ext_krueger(n, (y - (south ? 10000000 : 0)) / (0.9996 * radius),
                      (x - 500000) / (0.9996 * radius), &lon, &lat);
    out[0] = lon * (180 / TACO__EXT_PI) + (zone * 6 - 183);
    out[1] = lat * (180 / TACO__EXT_PI);
    out[0] += out[0] < -180 ? 360 : out[0] > 180 ? -360 : 0;
}
/* The code behind the last `mark` in text, digits up to `end`; 0 when there is none. */
TACO__FN int32_t taco__ext_after(const char *text, const char *mark, char end)
{
    const char *at = text, *last = NULL;
    uint64_t    x = 0;
    size_t      n = strlen(mark), k;
    while ((at = strstr(at, mark)) != NULL) {
        last = at + n;
        at++;
    }
    for (k = 0; last && taco__num_is_digit((uint8_t)last[k]); k++) {
    }
    return last && (end == 0 ? last[k] == 0 : last[k] == end) &&
                   taco__num_parse_u64(taco__base_bytes(last, k), &x) && x <= INT32_MAX
               ? (int32_t)x
               : 0;
}
/* EPSG code of a CRS: EPSG:n, urn:...:EPSG:...:n, WKT's last ID or AUTHORITY. CRS84 counts as 4326: x is longitude. */
TACO__FN int32_t taco__ext_code(const char *crs)
{
    int32_t code;
    if (strncmp(crs, "EPSG:", 5) == 0 || strncmp(crs, "epsg:", 5) == 0) {
        return taco__ext_after(crs, ":", 0);
    }
    if (strcmp(crs, "OGC:CRS84") == 0 || strcmp(crs, "CRS84") == 0 ||
        strcmp(crs, "urn:ogc:def:crs:OGC:1.3:CRS84") == 0) {
        return 4326;
    }
    if (strncmp(crs, "urn:ogc:def:crs:EPSG:", 21) == 0) {
        return taco__ext_after(crs, ":", 0);
    }
    if (strchr(crs, '[')) {
        code = taco__ext_after(crs, "ID[\"EPSG\",", ']');
        return code ? code : taco__ext_after(crs, "AUTHORITY[\"EPSG\",\"", '"');
    }
    return 0;
}
TACO__FN bool taco__ext_project(int32_t code, double x, double y, double out[2])
{
    const double wgs = 1 / 298.257223563, grs = 1 / 298.257222101;
    if (code == 4326 || code == 4979 || code == 4258 || code == 4269) {
        out[0] = x;
        out[1] = y;
    } else if (code == 3857 || code == 900913) {
        out[0] = x / 6378137 * (180 / TACO__EXT_PI);
        out[1] = taco__ext_atan2(taco__ext_sinh(y / 6378137), 1) * (180 / TACO__EXT_PI);
    } else if (code > 32600 && code <= 32660) {
        taco__ext_utm(code - 32600, false, wgs, x, y, out);
    } else if (code > 32700 && code <= 32760) {
        taco__ext_utm(code - 32700, true, wgs, x, y, out);
    } else if (code >= 25828 && code <= 25838) {
        taco__ext_utm(code - 25800, false, grs, x, y, out);
    } else if (code > 26900 && code <= 26923) {
        taco__ext_utm(code - 26900, false, grs, x, y, out);
    } else {
        return false;
    }
    return true;
}
TACO__FN taco_status taco__ext_lonlat(const char *crs, double x, double y, taco_lonlat_fn fn,
                                      void *ctx, double out[2], taco_error *err)
{
    const double most = 1e9;
    taco_bytes   name = taco__base_text(crs ? crs : "");
    bool         ok;
    if (!(x > -most && x < most && y > -most && y < most)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                          "the centroid is no finite point of %q", &name);
    }
    ok = crs && taco__ext_project(taco__ext_code(crs), x, y, out);
    if (!ok && !(crs && fn && fn(ctx, crs, x, y, out))) {
        return TACO__FAIL(
            err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET,
            "longitude and latitude in %q are not computed here: UTM, web mercator and "
            "geographic CRSs are, others by a function of the caller's",
            &name);
    }
    if (!(out[0] >= -180 && out[0] <= 180 && out[1] >= -90 && out[1] <= 90)) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                          "a centroid in %q is outside of -180 to 180 and -90 to 90 degrees",
                          &name);
    }
    return TACO_OK;
}
TACO_API taco_status taco_lonlat(const char *crs, double x, double y, double out[2],
                                 taco_error *err)
{
    return taco__ext_lonlat(crs, x, y, NULL, NULL, out, err);
}

/* ---- centroids ------------------------------------------------------------------------------------ */

typedef struct taco__ext_mass { /* sums of points, lengths and areas, around the first point */
    double origin[2], area, ax, ay, length, lx, ly, points, px, py;
    bool   any;
} taco__ext_mass;

TACO__FN void taco__ext_weigh(taco__ext_mass *m, const taco__geom_item *run)
{
    double area = 0, cx = 0, cy = 0, x0 = 0, y0 = 0;
    size_t i;
    for (i = 0; i < run->n; i++) {
        double x = taco__geom_coord(run->xy + i * run->stride, run->big);
        double y = taco__geom_coord(run->xy + i * run->stride + 8, run->big);
        if (!m->any) {
            m->origin[0] = x;
            m->origin[1] = y;
            m->any = true;
        }
        x -= m->origin[0];
        y -= m->origin[1];
        m->points += 1;
        m->px += x;
        m->py += y;
        if (i && run->type != 1) {
            double cross = x0 * y - x * y0, dx = x - x0, dy = y - y0;
            double len = taco__func_sqrt(dx * dx + dy * dy);
            area += cross / 2;
            cx += (x0 + x) * cross / 6;
            cy += (y0 + y) * cross / 6;
            m->length += len;
            m->lx += len * (x0 + x) / 2;
            m->ly += len * (y0 + y) / 2;
        }
        x0 = x;
        y0 = y;
    }
    if (run->type == 3) { /* shells add, holes take away, however they turn */
        double sign = (area < 0) == (run->index > 0) ? 1 : -1;
        m->area += sign * area;
        m->ax += sign * cx;
        m->ay += sign * cy;
    }
}
TACO__FN taco_status taco__ext_middle(taco_bytes wkb, double out[2], taco_error *err)
{
    taco__geom_walk w;
    taco__geom_item item;
    taco__ext_mass  m;
    memset(&m, 0, sizeof m);
    taco__geom_start(&w, wkb);
    for (;;) {
        taco_status st = taco__geom_next(&w, &item, err);
        if (st != TACO_OK) {
            return st;
        }
        if (item.what == TACO__GEOM_DONE) {
            break;
        }
        if (item.what == TACO__GEOM_RUN) {
            taco__ext_weigh(&m, &item);
        }
    }
    if (!m.any || m.points != m.points || m.px != m.px || m.py != m.py) {
        return TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "the geometry is empty");
    }
    if (m.area > 0 || m.area < 0) {
        out[0] = m.ax / m.area;
        out[1] = m.ay / m.area;
    } else if (m.length > 0) {
        out[0] = m.lx / m.length;
        out[1] = m.ly / m.length;
    } else {
        out[0] = m.px / m.points;
        out[1] = m.py / m.points;
    }
    out[0] += m.origin[0];
    out[1] += m.origin[1];
    return TACO_OK;
}
TACO_API taco_status taco_stac_centroid(const taco_stac *s, double out[2], taco_error *err)
{
    const double *g = s->geotransform;
    if (s->centroid) {
        out[0] = s->centroid[0];
        out[1] = s->centroid[1];
        return TACO_OK;
    }
    if (!s->shape || s->dimensions < 2) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a tensor shape has rows and columns, %u sizes are given",
                          TACO__U(s->dimensions));
    }
    return taco__ext_lonlat(s->crs, g[0] + (double)s->shape[s->dimensions - 1] / 2 * g[1],
                            g[3] + (double)s->shape[s->dimensions - 2] / 2 * g[5], s->lonlat,
                            s->lonlat_ctx, out, err);
}
TACO_API taco_status taco_istac_centroid(const taco_istac *s, double out[2], taco_error *err)
{
    double xy[2] = {0, 0};
    if (s->centroid) {
        out[0] = s->centroid[0];
        out[1] = s->centroid[1];
        return TACO_OK;
    }
    if (taco__ext_middle(s->geometry, xy, err) != TACO_OK) {
        taco__error_prefix(err, "istac:geometry");
        return err ? err->code : TACO_ERR_CORRUPT;
    }
    return taco__ext_lonlat(s->crs, xy[0], xy[1], s->lonlat, s->lonlat_ctx, out, err);
}
TACO_API taco_status taco_stac_tiff(const taco_tiff *t, taco_stac *out, taco_error *err)
{
    const taco_tiff_header *h = taco_tiff_get(t);
    memset(out, 0, sizeof *out);
    if (!h->crs[0] || !h->has_geotransform) {
        return TACO__FAIL(err, TACO_ERR_UNSUPPORTED, TACO_NO_OFFSET, "%s: no %s", t->name,
                          h->crs[0] ? "georeferencing" : "CRS with a code");
    }
    out->crs = h->crs;
    out->shape = h->shape;
    out->dimensions = 3;
    memcpy(out->geotransform, h->geotransform, sizeof out->geotransform);
    return TACO_OK;
}

/* ---- columns of the writer ------------------------------------------------------------------------ */

TACO__FN void taco__ext_point(const double xy[2], uint8_t wkb[21])
{
    memset(wkb, 0, 21);
    wkb[0] = wkb[1] = 1;
    taco__base_put64(wkb + 5, taco__base_bits64(xy[0]));
    taco__base_put64(wkb + 13, taco__base_bits64(xy[1]));
}
TACO__FN taco_status taco__ext_times(taco_writer *w, const char *prefix, int64_t start, int64_t end,
                                     bool has_end)
{
    char   name[32];
    size_t n = strlen(prefix);
    memcpy(name, prefix, n);
    memcpy(name + n, "time_start", 11);
    taco_writer_set_int(w, name, start);
    memcpy(name + n, "time_end", 9);
    has_end ? taco_writer_set_int(w, name, end) : taco_writer_set_null(w, name);
    memcpy(name + n, "time_middle", 12); /* rounded down, without overflow */
    return has_end ? taco_writer_set_int(w, name,
                                         taco__time_floor(start, 2) + taco__time_floor(end, 2) +
                                             ((start & 1) + (end & 1)) / 2)
                   : taco_writer_set_null(w, name);
}
TACO__FN bool taco__ext_ordered(int64_t start, int64_t end, bool has_end, taco_error *err)
{
    if (has_end && start > end) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "time_start %d lies behind time_end %d",
                   TACO__D(start), TACO__D(end));
        return false;
    }
    return true;
}
TACO_API taco_status taco_writer_stac_columns(taco_writer *w, uint32_t level)
{
    taco_writer_column(w, level, "stac:crs", TACO_TEXT);
    taco_writer_list(w, level, "stac:tensor_shape", TACO_INT64);
    taco_writer_list(w, level, "stac:geotransform", TACO_DOUBLE);
    taco_writer_column(w, level, "stac:time_start", TACO_TIMESTAMP);
    taco_writer_column(w, level, "stac:centroid", TACO_BINARY);
    taco_writer_column(w, level, "stac:time_end", TACO_TIMESTAMP);
    return taco_writer_column(w, level, "stac:time_middle", TACO_TIMESTAMP);
}
TACO_API taco_status taco_writer_set_stac(taco_writer *w, const taco_stac *s, taco_error *err)
{
    double      xy[2];
    uint8_t     wkb[21];
    taco_status st;
    if (!taco__ext_ordered(s->time_start, s->time_end, s->has_end, err)) {
        return TACO_ERR_ARGUMENT;
    }
    st = taco_stac_centroid(s, xy, err);
    if (st != TACO_OK) {
        return st;
    }
    taco__ext_point(xy, wkb);
    taco_writer_set_text(w, "stac:crs", s->crs);
    taco_writer_set_ints(w, "stac:tensor_shape", s->shape, s->dimensions);
    taco_writer_set_doubles(w, "stac:geotransform", s->geotransform, 6);
    taco_writer_set_bytes(w, "stac:centroid", wkb, sizeof wkb);
    return taco__ext_times(w, "stac:", s->time_start, s->time_end, s->has_end);
}
TACO_API taco_status taco_writer_istac_columns(taco_writer *w, uint32_t level)
{
    taco_writer_column(w, level, "istac:crs", TACO_TEXT);
    taco_writer_column(w, level, "istac:geometry", TACO_BINARY);
    taco_writer_column(w, level, "istac:time_start", TACO_TIMESTAMP);
    taco_writer_column(w, level, "istac:time_end", TACO_TIMESTAMP);
    taco_writer_column(w, level, "istac:time_middle", TACO_TIMESTAMP);
    return taco_writer_column(w, level, "istac:centroid", TACO_BINARY);
}
TACO_API taco_status taco_writer_set_istac(taco_writer *w, const taco_istac *s, taco_error *err)
{
    double      xy[2];
    uint8_t     wkb[21];
    taco_status st;
    if (!taco__ext_ordered(s->time_start, s->time_end, s->has_end, err)) {
        return TACO_ERR_ARGUMENT;
    }
    st = taco_istac_centroid(s, xy, err);
    if (st != TACO_OK) {
        return st;
    }
    taco__ext_point(xy, wkb);
    taco_writer_set_text(w, "istac:crs", s->crs);
    taco_writer_set_bytes(w, "istac:geometry", s->geometry.data, s->geometry.len);
    taco_writer_set_bytes(w, "istac:centroid", wkb, sizeof wkb);
    return taco__ext_times(w, "istac:", s->time_start, s->time_end, s->has_end);
}
TACO_API taco_status taco_writer_set_split(taco_writer *w, const char *split, taco_error *err)
{
    taco_bytes name = taco__base_text(split ? split : "");
    if (!split || (strcmp(split, "train") != 0 && strcmp(split, "test") != 0 &&
                   strcmp(split, "validation") != 0)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "split is %q, allowed are train, test and validation", &name);
    }
    return taco_writer_set_text(w, "split", split);
}
TACO_API taco_status taco_writer_scaling_columns(taco_writer *w, uint32_t level, bool lists)
{
    if (lists) {
        taco_writer_list(w, level, "scaling:scale_factor", TACO_FLOAT);
        taco_writer_list(w, level, "scaling:scale_offset", TACO_FLOAT);
    } else {
        taco_writer_column(w, level, "scaling:scale_factor", TACO_FLOAT);
        taco_writer_column(w, level, "scaling:scale_offset", TACO_FLOAT);
    }
    return taco_writer_list(w, level, "scaling:padding", TACO_INT32);
}
TACO__FN taco_status taco__ext_scale(taco_writer *w, const char *name, const double *v, size_t n,
                                     bool lists)
{
    return !v      ? taco_writer_set_null(w, name)
           : lists ? taco_writer_set_doubles(w, name, v, n)
                   : taco_writer_set_double(w, name, v[0]);
}
TACO_API taco_status taco_writer_set_scaling(taco_writer *w, const double *factors,
                                             const double *offsets, size_t n, bool lists,
                                             const int32_t padding[4], taco_error *err)
{
    int64_t wide[4];
    size_t  i;
    for (i = 0; factors && i < n; i++) {
        if (!(factors[i] < 0 || factors[i] > 0)) {
            return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                              "scaling:scale_factor must not be 0");
        }
    }
    if (n == 0 || (!lists && n != 1)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "%u factors for columns of %s",
                          TACO__U(n), lists ? "lists" : "one each");
    }
    for (i = 0; padding && i < 4; i++) {
        wide[i] = padding[i];
    }
    taco__ext_scale(w, "scaling:scale_factor", factors, n, lists);
    taco__ext_scale(w, "scaling:scale_offset", offsets, n, lists);
    return padding ? taco_writer_set_ints(w, "scaling:padding", wide, 4)
                   : taco_writer_set_null(w, "scaling:padding");
}

/* ---- the MajorTOM grid ---------------------------------------------------------------------------- */

/* The greatest of n lines around a circle of `turn` degrees that is less than x, among those up to `limit` from 0; the
   least of them where there is none and `wrap` is not set, else the greatest. *index counts lines from 0, negative below. Lines are where
   the reference's floating-point numbers put them. */
TACO__FN double taco__ext_line(uint64_t n, double turn, double limit, double x, bool wrap,
                               int64_t *index)
{
    const double step = turn / (double)n;
    double       best = 0, least = 0, most = 0, at;
    bool         found = false, any = false;
    uint64_t     i;
    for (i = 0; i < n; i++) {
        double v = (double)i * step - turn / 2;
        at = (v < 0 ? v + turn : v) - turn / 2;
        if (at < -limit || at > limit) {
            continue;
        }
        least = !any || at < least ? at : least;
        most = !any || at > most ? at : most;
        any = true;
        if (at < x && (!found || at > best)) {
            best = at;
            found = true;
        }
    }
    best = found ? best : wrap ? most : least;
    *index = 0;
    for (i = 0; i < n; i++) {
        double v = (double)i * step - turn / 2;
        at = (v < 0 ? v + turn : v) - turn / 2;
        *index += best >= 0 ? at >= 0 && at < best : -(at >= best && at < 0);
    }
    return best;
}
TACO__FN uint64_t taco__ext_ceil(double x)
{
    uint64_t n = (uint64_t)x;
    return n + ((double)n < x);
}
TACO__FN char *taco__ext_digits(char *p, int64_t x) /* at least four */
{
    uint64_t u = x < 0 ? 0 - (uint64_t)x : (uint64_t)x, ten;
    for (ten = 1000; ten > 1 && u < ten; ten /= 10) {
        *p++ = '0';
    }
    return p + taco__num_u64(p, u);
}
TACO_API taco_status taco_majortom(double km, double lon, double lat, char *out, taco_error *err)
{
    const double radius = 6378.137;
    int64_t      row, column;
    double       south, s, c, around;
    if (!(km >= 0.5 && km <= 20000) || !(lon >= -180 && lon <= 180) || !(lat >= -90 && lat <= 90)) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                          "a grid of 0.5 to 20000 km and a point in degrees are wanted");
    }
    south = taco__ext_line(taco__ext_ceil(TACO__EXT_PI * radius / km), 180, 85, lat, false, &row);
    taco__ext_sincos(south * (TACO__EXT_PI / 180), &s, &c);
    around = 2 * TACO__EXT_PI * radius * c / km;
    (void)taco__ext_line(around > 1 ? taco__ext_ceil(around) : 1, 360, 180, lon, true, &column);
    out = taco__ext_digits(out, (int64_t)km);
    memcpy(out, "km_", 3);
    out = taco__ext_digits(out + 3, row);
    *out++ = row < 0 ? 'D' : 'U';
    *out++ = '_';
    out = taco__ext_digits(out, column);
    *out++ = column < 0 ? 'L' : 'R';
    *out = 0;
    return TACO_OK;
}

/* ---- fields of the collection --------------------------------------------------------------------- */

TACO__FN bool taco__ext_member(taco__buf *b, const char *before, const char *value, taco_error *err)
{
    return taco__buf_puts(b, before, err) &&
           (value ? taco__text_json_string(b, taco__base_text(value), err)
                  : taco__buf_puts(b, "null", err));
}
/* Hands the text over to the caller's buffer. */
TACO__FN taco_status taco__ext_give(taco__buf *b, bool ok, char *out, size_t room, taco_error *err)
{
    taco_status st = ok ? TACO_OK : TACO_ERR_MEMORY;
    if (ok && b->len + 1 > room) {
        st =
            TACO__FAIL(err, TACO_ERR_LIMIT, TACO_NO_OFFSET, "the text needs %u bytes, there are %u",
                       TACO__U(b->len + 1), TACO__U(room));
    } else if (ok) {
        memcpy(out, b->data, b->len);
        out[b->len] = 0;
    }
    taco__buf_free(b);
    return st;
}
TACO_API taco_status taco_labels_json(const taco_label *labels, size_t n, const char *description,
                                      char *out, size_t room, taco_error *err)
{
    taco__mem mem;
    taco__buf b;
    char      number[24];
    size_t    i;
    bool      ok;
    taco__mem_init(&mem, NULL);
    memset(&b, 0, sizeof b);
    b.mem = &mem;
    ok = taco__buf_puts(&b, "\"labels:classes\":[", err);
    for (i = 0; ok && i < n; i++) {
        ok = taco__ext_member(&b, i ? ",{\"name\":" : "{\"name\":", labels[i].name, err) &&
             taco__ext_member(&b, ",\"category\":", labels[i].category, err) &&
             taco__ext_member(&b, ",\"description\":", labels[i].description, err) &&
             taco__buf_char(&b, '}', err);
    }
    ok = ok && taco__ext_member(&b, "],\"labels:description\":", description, err) &&
         taco__buf_puts(&b, ",\"labels:num_classes\":", err) &&
         taco__buf_append(&b, number, taco__num_u64(number, n), err);
    return taco__ext_give(&b, ok, out, room, err);
}
TACO_API taco_status taco_publications_json(const taco_publication *list, size_t n, char *out,
                                            size_t room, taco_error *err)
{
    taco__mem mem;
    taco__buf b;
    size_t    i;
    bool      ok;
    taco__mem_init(&mem, NULL);
    memset(&b, 0, sizeof b);
    b.mem = &mem;
    ok = taco__buf_puts(&b, "\"publications\":[", err);
    for (i = 0; ok && i < n; i++) {
        ok = taco__ext_member(&b, i ? ",{\"doi\":" : "{\"doi\":", list[i].doi, err) &&
             taco__ext_member(&b, ",\"citation\":", list[i].citation, err) &&
             taco__ext_member(&b, ",\"summary\":", list[i].summary, err) &&
             taco__buf_char(&b, '}', err);
    }
    ok = ok && taco__buf_char(&b, ']', err);
    return taco__ext_give(&b, ok, out, room, err);
}

/* ==== ROOM merge: many datasets as one: .tacocat, __TACOCAT__, merged collections ==== */

/* ==== ROOM export: views of a dataset, and whole datasets, into other containers.
   Uses: pack model nav cursor view join store. Spec: TACO 2.0.0 §7.1.3, §7.1.4 ==== */

#define TACO__EXPORT_AHEAD                                                                         \
    8388608 /* bytes of payload that a vectored source is asked for at a time */

typedef struct
    taco__export_place { /* where the bytes of some level-0 samples, and of all below them, are */
    taco__store *store;
    const char  *source; /* TACOCAT: the archive */
} taco__export_place;

typedef struct taco__export_window { /* rows of one level whose bytes are held */
    taco__file *file;
    taco__range range;
    size_t      from, to;
} taco__export_window;

typedef struct taco__export {
    taco_dataset *ds;
    taco__mem     mem;
    taco__arena   arena;
    taco__tree    tree;
    uint8_t      *chosen[TACO__LEVELS]; /* bits of the rows of all stores, one behind the other */
    size_t        rows[TACO__LEVELS];
    taco__buf map; /* int32 number in the tree of each row of the level that was read last, or -1 */
    taco__buf places; /* taco__export_place */
    taco__buf place;  /* uint32 of each level-0 sample */
    uint64_t  total;  /* bytes of payload, where they are known */
    size_t    last;   /* place whose archive is open */
    taco__file         *file;
    taco__export_window window[TACO__LEVELS];
    taco_source         held; /* the file at hand, read from what is held */
    taco__buf           path, head;
    /* the columns of a level */
    taco__pack_source source;
    taco_cursor      *cursor;
    uint32_t          level;
    size_t            at;
    taco__arena       columns;
    taco__colbuf     *taken;
    taco_array       *arrays;
    taco__buf         index;
} taco__export;

TACO__FN void taco__export_free(taco__export *e)
{
    size_t i;
    for (i = 0; e->taken && i < e->source.counts[e->level]; i++) {
        taco__column_free_buffers(&e->taken[i]);
    }
    taco_cursor_close(e->cursor, NULL);
    for (i = 0; i < TACO__LEVELS; i++) {
        if (e->window[i].file) {
            taco__file_release(e->window[i].file, e->window[i].range.offset,
                               e->window[i].range.len);
        }
        taco__mem_free(&e->mem, e->chosen[i], TACO__BITMAP_BYTES(e->rows[i]));
    }
    taco__tree_free(&e->tree);
    taco__buf_free(&e->map);
    taco__buf_free(&e->places);
    taco__buf_free(&e->place);
    taco__buf_free(&e->path);
    taco__buf_free(&e->head);
    taco__buf_free(&e->index);
    taco__arena_free(&e->columns);
    taco__arena_free(&e->arena);
}

/* ---- which samples ---- */

/* Marks the level-0 rows that the query leaves. */
TACO__FN bool taco__export_choose(taco__export *e, const taco_query *query, taco_error *err)
{
    taco_query   q = *query;
    uint64_t     skip = q.offset, left = q.limit ? q.limit : UINT64_MAX;
    taco_cursor *c;
    size_t       i, base_all = 0;
    if (q.order || q.flat || q.table) {
        TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET,
                   "an export has samples of level 0 in storage order: no order, no flat view, no "
                   "other table");
        return false;
    }
    q.limit = q.offset = 0;
    q.select = "id";
    c = taco_select(e->ds, &q, err);
    for (i = 0; c && i < c->feed_count; i++) {
        taco__feed     *f = &c->feeds[i];
        const uint32_t *found;
        uint64_t        base;
        size_t          n, k;
        while (left && (n = taco__scan_next(&f->scan, TACO__SCAN_SLICE, false, &found, &base,
                                            &c->err)) != 0) {
            for (k = 0; k < n && left; k++) {
                if (skip) {
                    skip--;
                } else {
                    taco__base_bit_set(e->chosen[0], base_all + (size_t)base + found[k]);
                    left--;
                }
            }
        }
        base_all += (size_t)f->table->rows;
    }
    return taco_cursor_close(c, err) == TACO_OK && c != NULL;
}
TACO__FN bool taco__export_place_of(taco__export *e, taco__store *s, taco_bytes source,
                                    taco_error *err)
{
    taco__export_place *p = (taco__export_place *)(void *)e->places.data, one;
    size_t              i = e->places.len / sizeof *p;
    uint32_t            number;
    while (i &&
           (p[i - 1].store != s ||
            (p[i - 1].source && !taco__base_equal(taco__base_text(p[i - 1].source), source)))) {
        i--; /* rows of one archive follow each other: the last place is the first guess */
    }
    if (i == 0) {
        one.store = s;
        one.source = NULL;
        if (s->kind == TACO_KIND_TACOCAT) {
            if (taco__vsi_check_name(source, "internal:source_file", err) != TACO_OK) {
                return false;
            }
            one.source = taco__arena_text(&e->arena, source, err);
        }
        if ((s->kind == TACO_KIND_TACOCAT && !one.source) ||
            !taco__buf_append(&e->places, &one, sizeof one, err)) {
            return false;
        }
        i = e->places.len / sizeof one;
    }
    number = (uint32_t)i - 1;
    return taco__buf_append(&e->place, &number, sizeof number, err);
}
/* What an id may not have, whatever it was written by: a path is made of it. */
TACO__FN bool taco__export_id(taco_bytes id, bool valid, taco_error *err)
{
    if (!valid || taco__vsi_check_path(id, false, "id", err) != TACO_OK) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "id is null");
        return false;
    }
    if (memchr(id.data, '/', id.len)) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "id %q has a '/'", &id);
        return false;
    }
    return true;
}
enum {
    TACO__EXPORT_ID,
    TACO__EXPORT_TYPE,
    TACO__EXPORT_OFFSET,
    TACO__EXPORT_SIZE,
    TACO__EXPORT_SOURCE,
    TACO__EXPORT_ROLES
};

/* Row i of a batch joins the tree, with where its bytes are. */
TACO__FN bool taco__export_row(taco__export *e, taco__store *s, uint32_t level, size_t parent,
                               const taco_array *a, const size_t *at, size_t i, taco_error *err)
{
    taco_bytes id = taco_array_bytes(&a[at[TACO__EXPORT_ID]], i),
               type = taco_array_bytes(&a[at[TACO__EXPORT_TYPE]], i);
    int     folder = taco__vsi_type(type);
    bool    ranges = at[TACO__EXPORT_OFFSET] != TACO__NONE && at[TACO__EXPORT_SIZE] != TACO__NONE;
    int64_t offset = 0, size = 0;
    if (!taco__export_id(id, taco_array_valid(&a[at[TACO__EXPORT_ID]], i), err)) {
        return false;
    }
    if (folder < 0) {
        TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "type is %q, must be FILE or FOLDER",
                   &type);
        return false;
    }
    if (s->kind != TACO_KIND_FOLDER && !folder) {
        if (!ranges) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET,
                       "there is no internal:offset or internal:size");
            return false;
        }
        offset = taco_array_int(&a[at[TACO__EXPORT_OFFSET]], i);
        size = taco_array_int(&a[at[TACO__EXPORT_SIZE]], i);
        if (taco__vsi_check_range(offset, size, err) != TACO_OK) {
            return false;
        }
        e->total += (uint64_t)size;
    }
    if (!taco__tree_add(&e->tree, level, parent, id, folder != 0, err)) {
        return false;
    }
    taco__tree_place(&e->tree, level, e->tree.level[level].rows - 1, (uint64_t)offset,
                     (uint64_t)size);
    return level || taco__export_place_of(e, s,
                                          at[TACO__EXPORT_SOURCE] == TACO__NONE
                                              ? taco__base_bytes(NULL, 0)
                                              : taco_array_bytes(&a[at[TACO__EXPORT_SOURCE]], i),
                                          err);
}
/* The rows of one store's level whose parent is in the tree (level 0: that are chosen). */
TACO__FN bool taco__export_store(taco__export *e, taco__store *s, uint32_t level, size_t base,
                                 size_t above, taco__buf *map, taco_error *err)
{
    taco__level *l = taco__store_level(s, level, err);
    taco__roles  r;
    size_t which[TACO__EXPORT_ROLES], at[TACO__EXPORT_ROLES], roles[TACO__EXPORT_ROLES], n = 0, i,
                                                                                         first;
    taco__rows rows;
    bool       ok = true;
    if (!l || (level && !taco__join_parents(s, level, err)) ||
        !taco__nav_roles(s, &l->table, &r, err)) {
        return false;
    }
    roles[TACO__EXPORT_ID] = r.id;
    roles[TACO__EXPORT_TYPE] = r.type;
    roles[TACO__EXPORT_OFFSET] = s->kind == TACO_KIND_FOLDER ? TACO__NONE : r.offset;
    roles[TACO__EXPORT_SIZE] = s->kind == TACO_KIND_FOLDER ? TACO__NONE : r.size;
    roles[TACO__EXPORT_SOURCE] = s->kind == TACO_KIND_TACOCAT && level == 0 ? r.source : TACO__NONE;
    for (i = 0; i < TACO__EXPORT_ROLES; i++) {
        at[i] = roles[i] == TACO__NONE ? TACO__NONE : n;
        if (roles[i] != TACO__NONE) {
            which[n++] = roles[i];
        }
    }
    if (!taco__rows_open(&rows, &l->table, which, n, &e->mem, err)) {
        return false;
    }
    for (first = 0; ok && first < (size_t)l->table.rows; first += n) {
        n = (size_t)TACO__MIN(l->table.rows - first, (uint64_t)TACO__BATCH);
        ok = taco__rows_range(&rows, first, n, err);
        for (i = 0; ok && i < n; i++) {
            size_t  row = first + i, parent = 0;
            int32_t number = -1;
            bool    in = taco__base_bit(e->chosen[level], base + row);
            if (level) {
                int32_t up = l->parents[row];
                number =
                    up < 0 ? -1 : ((const int32_t *)(const void *)e->map.data)[above + (size_t)up];
                in = number >= 0;
                parent = in ? (size_t)number : 0;
                number = -1;
            }
            if (in) {
                taco__base_bit_set(e->chosen[level], base + row);
                number = (int32_t)e->tree.level[level].rows;
                ok = taco__export_row(e, s, level, parent, rows.arrays, at, i, err);
            }
            ok = ok && taco__buf_append(map, &number, sizeof number, err);
        }
    }
    taco__rows_close(&rows);
    return ok || taco__store_fail(s, l->name, err);
}
TACO__FN bool taco__export_level(taco__export *e, uint32_t level, taco_error *err)
{
    taco__buf map;
    size_t    i, base = 0, above = 0;
    bool      ok = true;
    memset(&map, 0, sizeof map);
    map.mem = &e->mem;
    for (i = 0; ok && i < e->ds->store_count; i++) {
        ok = taco__export_store(e, &e->ds->stores[i], level, base, above, &map, err);
        base += ok ? (size_t)e->ds->stores[i].levels[level].table.rows : 0;
        above += ok && level ? (size_t)e->ds->stores[i].levels[level - 1].table.rows : 0;
    }
    taco__buf_free(&e->map);
    e->map = map;
    return ok;
}
/* The tree of what the query leaves: whole samples, renumbered. */
TACO__FN bool taco__export_tree(taco__export *e, const taco_query *q, taco_error *err)
{
    uint32_t level, levels = taco_levels(e->ds);
    for (level = 0; level < levels; level++) {
        int64_t rows = taco_level_rows(e->ds, level, err);
        if (rows < 0) {
            return false;
        }
        e->rows[level] = (size_t)rows;
        e->chosen[level] =
            (uint8_t *)taco__mem_alloc(&e->mem, TACO__BITMAP_BYTES(e->rows[level]), err);
        if (!e->chosen[level] || (level == 0 && !taco__export_choose(e, q, err)) ||
            !taco__export_level(e, level, err)) {
            return false;
        }
        if (e->tree.level[level].rows == 0) {
            break;
        }
    }
    if (e->tree.level[0].rows == 0) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, TACO_NO_OFFSET, "%s: no sample is left to export",
                   e->ds->stores[0].name);
        return false;
    }
    return true;
}

/* ---- columns ---- */

TACO__FN bool taco__export_fields(taco__export *e, uint32_t level, taco_error *err)
{
    size_t            n, i, count = 0;
    const taco_field *all = taco_level_fields(e->ds, level, &n, err);
    taco_field       *fields =
        all ? (taco_field *)taco__arena_array(&e->arena, n, sizeof *fields, err) : NULL;
    if (!fields) {
        return false;
    }
    for (i = 0; i < n; i++) {
        if (!taco__model_protected(taco__base_text(all[i].name))) {
            fields[count] = all[i];
            fields[count++].nullable = true;
        }
    }
    e->source.fields[level] = fields;
    e->source.counts[level] = count;
    return true;
}
/* "a", "b": the user's columns, for a query's select. */
TACO__FN bool taco__export_select(taco__export *e, uint32_t level, taco__buf *out, taco_error *err)
{
    size_t i;
    bool   ok = true;
    for (i = 0; ok && i < e->source.counts[level]; i++) {
        const char *p = e->source.fields[level][i].name;
        ok = taco__buf_puts(out, i ? ", \"" : "\"", err);
        for (; ok && *p; p++) {
            ok = (*p != '"' || taco__buf_char(out, '"', err)) && taco__buf_char(out, *p, err);
        }
        ok = ok && taco__buf_char(out, '"', err);
    }
    return ok && taco__buf_char(out, 0, err);
}
TACO__FN bool taco__export_begin(void *ctx, uint32_t level, taco_error *err)
{
    taco__export *e = (taco__export *)ctx;
    taco_query    q;
    taco__buf     names;
    size_t        i, n = e->source.counts[level];
    bool          ok;
    memset(&q, 0, sizeof q);
    memset(&names, 0, sizeof names);
    names.mem = &e->mem;
    for (i = 0; e->taken && i < e->source.counts[e->level]; i++) {
        taco__column_free_buffers(&e->taken[i]);
    }
    e->taken = NULL;
    taco_cursor_close(e->cursor, NULL);
    e->cursor = NULL;
    taco__arena_free(&e->columns);
    e->level = level;
    e->at = 0;
    ok = taco__export_select(e, level, &names, err);
    if (ok) {
        q.table = level;
        q.padding = true;
        q.select = (const char *)names.data;
        e->cursor = taco_select(e->ds, &q, err);
    }
    taco__buf_free(&names);
    if (!e->cursor) {
        return false;
    }
    e->arrays = (taco_array *)taco__arena_array(&e->columns, n, sizeof *e->arrays, err);
    e->taken = (taco__colbuf *)taco__arena_array(&e->columns, n, sizeof *e->taken, err);
    ok = e->arrays && e->taken;
    for (i = 0; ok && i < n; i++) {
        ok = taco__column_buffers(&e->taken[i], &e->source.fields[level][i], &e->mem, &e->columns,
                                  err);
    }
    return ok;
}
/* The chosen rows of the next batch that has some. */
TACO__FN bool taco__export_next(void *ctx, taco_batch *out, taco_error *err)
{
    taco__export *e = (taco__export *)ctx;
    taco_batch    b;
    size_t        i, n = 0;
    memset(out, 0, sizeof *out);
    while (n == 0) {
        int32_t *index;
        if (!taco_cursor_batch(e->cursor, &b)) {
            taco_cursor *c = e->cursor;
            e->cursor = NULL;
            return taco_cursor_close(c, err) == TACO_OK;
        }
        if (e->at + b.length > e->rows[e->level] ||
            !taco__buf_reset(&e->index, b.length * sizeof *index, err)) {
            TACO__FAIL(err, TACO_ERR_CORRUPT, TACO_NO_OFFSET, "level %u has more rows than before",
                       TACO__U(e->level));
            return false;
        }
        index = (int32_t *)(void *)e->index.data;
        for (i = 0; i < b.length; i++) {
            index[n] = (int32_t)i;
            n += taco__base_bit(e->chosen[e->level], e->at + i);
        }
        e->at += b.length;
    }
    if (n == b.length) {
        *out = b;
        return true;
    }
    for (i = 0; i < b.column_count; i++) {
        if (!taco__take(&e->taken[i], &b.columns[i], (const int32_t *)(const void *)e->index.data,
                        n, err)) {
            return false;
        }
        e->arrays[i] = e->taken[i].array;
    }
    out->first_row = -1;
    out->length = n;
    out->columns = e->arrays;
    out->column_count = b.column_count;
    return true;
}

/* ---- payload ---- */

TACO__FN bool taco__export_held_read(void *ctx, uint64_t offset, void *dst, size_t len)
{
    return taco__file_copy((taco__file *)ctx, offset, dst, len, NULL);
}
TACO__FN const taco__export_place *taco__export_where(taco__export *e, uint32_t level, size_t row,
                                                      size_t *number)
{
    for (; level; level--) {
        row = taco__tree_parent(&e->tree, level, row);
    }
    *number = ((const uint32_t *)(const void *)e->place.data)[row];
    return &((const taco__export_place *)(const void *)e->places.data)[*number];
}
/* Asks a vectored source for the bytes of the rows that follow, in one round, sorted and joined by room io. */
TACO__FN bool taco__export_ahead(taco__export *e, uint32_t level, size_t row, size_t place,
                                 taco_error *err)
{
    taco__export_window *w = &e->window[level];
    uint64_t             begin = UINT64_MAX, end = 0, sum = 0;
    size_t               to = row, number;
    if (w->file == e->file && row >= w->from && row < w->to) {
        return true;
    }
    if (w->file) {
        taco__file_release(w->file, w->range.offset, w->range.len);
        w->file = NULL;
    }
    for (; to < e->tree.level[level].rows; to++) {
        uint64_t offset = (uint64_t)taco__tree_offset(&e->tree, level, to),
                 size = (uint64_t)taco__tree_size(&e->tree, level, to), low, high;
        taco__export_where(e, level, to, &number);
        if (number != place || taco__tree_folder(&e->tree, level, to)) {
            break;
        }
        low = TACO__MIN(begin, offset - TACO__MIN(offset, (uint64_t)1024)); /* its local header */
        high = TACO__MAX(end, offset + size);
        sum += size;
        if (high - low > TACO__EXPORT_AHEAD || high - low > sum * 2 + 65536) {
            break; /* too much at a time, or too much between them */
        }
        begin = low;
        end = high;
    }
    if (to > row + 1 && taco__base_inside(begin, end - begin, e->file->src.size)) {
        w->range.offset = begin;
        w->range.len = end - begin;
        w->from = row;
        w->to = to;
        if (!taco__file_fetch(e->file, &w->range, 1, err)) {
            return false;
        }
        w->file = e->file;
    }
    return true;
}
/* True when the local header of the entry `name` ends right before the offset. */
TACO__FN bool taco__export_named(taco__export *e, uint64_t offset, taco_bytes name)
{
    size_t extra;
    for (extra = 0; extra <= 20; extra += 20) {
        size_t len = TACO__ZIP_LOCAL + name.len + extra;
        if (offset >= len && taco__buf_reset(&e->head, len, NULL) &&
            taco__file_copy(e->file, offset - len, e->head.data, len, NULL) &&
            taco__base_le32(e->head.data) == TACO__ZIP_SIG_LOCAL &&
            memcmp(e->head.data + TACO__ZIP_LOCAL, name.data, name.len) == 0) {
            return true;
        }
    }
    return false;
}
/* Offset and size of a FILE in its archive. Consolidated ones may be another row's (facts: disagreements 1): what stands
   before the bytes tells, and then __meta__ is asked. */
TACO__FN bool taco__export_range(taco__export *e, uint32_t level, size_t row, taco__range *out,
                                 taco_error *err)
{
    taco_sample s;
    taco_error  why;
    out->offset = (uint64_t)taco__tree_offset(&e->tree, level, row);
    out->len = (uint64_t)taco__tree_size(&e->tree, level, row);
    if (level == 0) {
        return true;
    }
    e->path.len = 0;
    if (!taco__buf_puts(&e->path, "DATA/", err) ||
        !taco__tree_path(&e->tree, level, row, &e->path, err) ||
        taco__export_named(e, out->offset, taco__base_bytes(e->path.data, e->path.len))) {
        return err->code == TACO_OK;
    }
    memset(&why, 0, sizeof why);
    if (taco__buf_char(&e->path, 0, err) &&
        taco_locate(e->ds, (const char *)e->path.data + 5, &s, &why) == TACO_OK && !s.folder &&
        !s.whole) {
        out->offset = s.offset;
        out->len = s.size;
    }
    return err->code == TACO_OK;
}
TACO__FN bool taco__export_loose(taco__export *e, const taco__store *s, uint32_t level, size_t row,
                                 taco__io_in *in, taco_error *err)
{
    const char *path;
    taco_error  why;
    bool        ok;
    e->path.len = 0;
    memset(&why, 0, sizeof why);
    if (!taco__buf_puts(&e->path, s->dir, err) || !taco__buf_puts(&e->path, "DATA/", err) ||
        !taco__tree_path(&e->tree, level, row, &e->path, err) ||
        !taco__buf_char(&e->path, 0, err)) {
        return false;
    }
    path = (const char *)e->path.data;
#ifndef TACO_NO_STDIO
    ok = s->options->open_file ? taco__options_open(s->options, path, &in->source, &why)
                               : taco__io_in_file(in, path, &why);
#else
    ok = taco__options_open(s->options, path, &in->source, &why);
#endif
    if (ok && s->options->open_file) {
        in->size = in->source.size;
        in->own = true;
    }
    if (!ok && taco__model_is_padding(taco__tree_id(&e->tree, level, row))) {
        taco__io_in_bytes(in,
                          taco__base_bytes(NULL, 0)); /* no file is needed for what has no bytes */
        ok = true;
    }
    if (!ok && err->code == TACO_OK) {
        *err = why;
    }
    return ok;
}
TACO__FN bool taco__export_payload(void *ctx, uint32_t level, size_t row, taco__io_in *in,
                                   taco_error *err)
{
    taco__export             *e = (taco__export *)ctx;
    size_t                    number;
    const taco__export_place *p = taco__export_where(e, level, row, &number);
    taco__range               r;
    if (p->store->kind == TACO_KIND_FOLDER) {
        return taco__export_loose(e, p->store, level, row, in, err);
    }
    if (e->last != number || !e->file) {
        e->file = p->source ? taco__store_part(p->store, taco__base_text(p->source), err)
                            : &p->store->file;
        e->last = number;
        if (!e->file) {
            return taco__store_fail(p->store, NULL, err);
        }
    }
    if ((e->file->src.read_many && !taco__export_ahead(e, level, row, number, err)) ||
        !taco__export_range(e, level, row, &r, err)) {
        return false;
    }
    if (!taco__base_inside(r.offset, r.len, e->file->src.size)) {
        taco_bytes id = taco__tree_id(&e->tree, level, row);
        TACO__FAIL(err, TACO_ERR_TRUNCATED, r.offset,
                   "%s: sample %q: payload of %u bytes, the archive ends at %u",
                   p->source ? p->source : p->store->name, &id, r.len, e->file->src.size);
        return false;
    }
    if (e->file->src.read_many) {
        memset(&e->held, 0, sizeof e->held);
        e->held.ctx = e->file;
        e->held.read = taco__export_held_read;
        e->held.size = e->file->src.size;
        taco__io_in_range(in, &e->held, r.offset, r.len);
    } else {
        taco__io_in_range(in, &e->file->src, r.offset, r.len);
    }
    return true;
}

/* ---- the collection, and all of it ---- */

/* The source's document; of a subset with what it is of and since when (§7.1.3). */
TACO__FN const taco__json *taco__export_collection(taco__export *e, bool subset, int64_t when,
                                                   taco_error *err)
{
    static const char *const skip[] = {"taco:subset_of", "taco:subset_date"};
    const taco__coll        *c = &e->ds->stores[0].coll;
    taco__json_doc           doc;
    taco__buf                text;
    char                     stamp[48];
    bool                     ok, first = true;
    const char              *copy;
    if (!subset) {
        return c->doc.root;
    }
    memset(&text, 0, sizeof text);
    text.mem = &e->mem;
    stamp[taco__time_put_stamp(stamp, when, TACO_SECOND, false)] = 0;
    ok = taco__buf_char(&text, '{', err) &&
         taco__model_members(c->doc.root, skip, 2, &first, &text, err) &&
         taco__model_text_json(&text, &first, skip[0], err) &&
         taco__json_emit_text(&text, taco__base_text(c->id), err) &&
         taco__model_text_json(&text, &first, skip[1], err) && taco__buf_char(&text, '"', err) &&
         taco__buf_puts(&text, stamp, err) && taco__buf_puts(&text, "+00:00\"}", err);
    copy = ok ? taco__arena_text(&e->arena, taco__base_bytes(text.data, text.len), err) : NULL;
    ok = copy &&
         taco__json_parse(&e->arena, taco__base_bytes(copy, text.len), NULL, &doc, err) == TACO_OK;
    taco__buf_free(&text);
    return ok ? doc.root : NULL;
}
TACO__FN bool taco__export_write(taco__export *e, const char *path, const taco_create_options *opt,
                                 bool subset, taco_error *err)
{
    taco_create_options o;
    taco__pack          p;
    const taco__json   *root;
    uint32_t            level;
    memset(&o, 0, sizeof o);
    o = opt ? *opt : o;
    o.options = o.options ? o.options : &e->ds->options;
    o.new_extent = o.new_extent || subset;
    o.total = o.total ? o.total : e->total;
    for (level = 0; level < e->tree.levels; level++) {
        if (!taco__export_fields(e, level, err)) {
            return false;
        }
    }
    e->source.ctx = e;
    e->source.begin = taco__export_begin;
    e->source.next = taco__export_next;
    root = taco__export_collection(e, subset, o.date ? o.date : taco__plat_now(), err);
    if (!root || !taco__pack_begin(&p, path, &o, &e->tree, &e->mem, err)) {
        return false;
    }
    if (!taco__pack_samples(&p, taco__export_payload, e, err)) {
        taco__pack_abort(&p);
        return false;
    }
    return taco__pack_finish(&p, root, &e->source, err);
}
TACO__FN taco_status taco__export_run(taco_dataset *ds, const char *path, const taco_query *q,
                                      const taco_create_options *opt, bool subset, taco_error *err)
{
    taco_error   own;
    taco__export e;
    bool         ok;
    memset(&own, 0, sizeof own);
    memset(&e, 0, sizeof e);
    err = err ? err : &own;
    if (!ds || !path) {
        return TACO__FAIL(err, TACO_ERR_ARGUMENT, TACO_NO_OFFSET, "no %s given",
                          ds ? "path" : "dataset");
    }
    e.ds = ds;
    taco__mem_init(&e.mem, &ds->options);
    e.arena.mem = e.columns.mem = &e.mem;
    e.map.mem = e.places.mem = e.place.mem = e.path.mem = e.head.mem = e.index.mem = &e.mem;
    taco__tree_init(&e.tree, &e.mem);
    ok = taco__export_tree(&e, q, err) && taco__export_write(&e, path, opt, subset, err);
    if (!ok) {
        taco__error_prefix(err, "%s", path);
    }
    taco__export_free(&e);
    return ok ? TACO_OK : err->code;
}
TACO_API taco_status taco_export(taco_dataset *ds, const char *path, const taco_query *query,
                                 const taco_create_options *opt, taco_error *err)
{
    taco_query all;
    memset(&all, 0, sizeof all);
    return taco__export_run(ds, path, query ? query : &all, opt, true, err);
}
TACO_API taco_status taco_repack(taco_dataset *ds, const char *path, const taco_create_options *opt,
                                 taco_error *err)
{
    taco_query all;
    memset(&all, 0, sizeof all);
    all.padding = true;
    return taco__export_run(ds, path, &all, opt, false, err);
}

/* ==== ROOM check: every rule held against a dataset that stands ==== */

/* ==== ROOM repair: offsets and headers made right again ==== */

#endif /* TACO_IMPLEMENTATION */
