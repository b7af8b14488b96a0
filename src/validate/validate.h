/* validate.h - checks a dataset against every rule of the format

       rules.c             what ids, names and COLLECTION.json may hold: also the writer's rules
       column_rules.c      what columns of the extensions may hold: also the writer's rules
       findings.c          problems with their places and counts; the hash of paths
       declared_type.c     Arrow's names of types against columns
       check_zip.c         the records of an archive, compared with each other
       check_payloads.c    CRCs of payloads
       check_collection.c  COLLECTION.json alone, and compared with the tables
       check_tree.c        children of every row, names for messages, PIT-1
       check_level.c       a level table: columns, rows, ids, ranges, paths
       check_extensions.c  the values of extension columns of a level
       check_meta.c        __meta__ of a FOLDER against the level below
       check_dataset.c     taco_validate: all checks in order. Start here
       check_replaced.c    bytes of an archive that taco add has replaced
       check_unlisted.c    files of a FOLDER dataset that no row lists
       check_sources.c     a merged collection and the datasets it names
       check_catalogue.c   a catalogue against its archives
       check_extent.c      extents against the samples
       collection_extent.c the extent of all samples; also the writer's

   It offers taco_validate, the rules to src/write, and the state of a checked dataset
   (taco__check_dataset) to repair and merge, which rebuild from it.

   A check returns false only if it could not be made (out of memory), with *err set; faults of
   the dataset become problems in taco__findings, and the check continues as long as it can.
   Loops end once findings.stop is set, at the caller's request. Structs are zeroed by their _init
   or by the caller, and their _close may be called at any time. Arrays of rows are in the arena
   of the dataset, buffers of the records in taco__buf. */
#ifndef TACO__VALIDATE_H
#define TACO__VALIDATE_H

#include "../api/taco_write.h"
#include "../base/base.h"
#include "../base/json.h"
#include "../parquet_inspect/inspect.h"
#include "../dataset/dataset.h"

/* Begins the id of a row that only fills a folder up to a number of children (§5.5). */
#define TACO__RULES_PADDING TACO__PADDING_PREFIX "__"

/* ---- collection_extent.c ---- */

/* Box and time span of the samples so far, zeroed at first. Longitudes are gathered twice, the
   second time from 0 to 360: that box is narrower for samples on both sides of the antimeridian. */
typedef struct taco__extent {
    bool box, times;                 /* something was found */
    bool loose, loose_times;         /* something else may lie outside of the box, or the times */
    uint32_t box_level;              /* the first level that is in the box */
    double west, south, east, north; /* degrees */
    double west360, east360;
    int64_t first, last; /* microseconds since 1970 */
    uint8_t unplaced;    /* a bit for each level with samples at unknown positions */
} taco__extent;

TACO__FN void taco__extent_join(taco__extent *s, const taco__extent *more);
TACO__FN void taco__extent_add_batch(taco__extent *s, uint32_t level, const taco_batch *b,
                                     taco__mem *mem);
TACO__FN bool taco__extent_read(taco__extent *s, taco_dataset *ds, taco__mem *mem, taco_error *err);
TACO__FN bool taco__extent_box_covers(const taco__extent *s, const double box[4]);
TACO__FN bool taco__extent_times_cover(const taco__extent *s, const char *const text[2]);
TACO__FN void taco__extent_box(const taco__extent *s, double box[4]);
TACO__FN void taco__extent_time_texts(const taco__extent *s, char text[2][48]);
TACO__FN bool taco__extent_is_unknown(const taco__extent *s);
TACO__FN bool taco__extent_is_told(const taco__extent *s, const taco__json *otherwise);
TACO__FN void taco__extent_write(const taco__extent *s, const taco__json *otherwise,
                                 taco__json_writer *w);

/* ---- COLLECTION.json ---- */

/* Receives each breach of a rule; returns false to stop. A warning is a breach of something the
   reference requires but the specification does not. `what` is valid during the call. */
typedef bool (*taco__rules_report_fn)(void *ctx, bool warning, const taco_error *what);

/* Slots for rules in one table: a power of two, well above the number of rules. */
#define TACO__FINDINGS_RULES 256

/* How many problems of one rule were reported in the current table. A rule is identified by the
   hash of its message's format: line numbers differ between src/ and the generated headers, and may
   coincide in two files. */
typedef struct taco__findings_rule {
    uint64_t hash; /* 0: free */
    uint64_t reported;
} taco__findings_rule;

/* What one validation has found so far; the parts of a catalogue share it. */
typedef struct taco__findings {
    const taco_validate_options *how;
    taco_validated *sum;
    taco_error first;   /* the first error, its place included; what validation returns */
    bool stop;          /* stopped by the caller: nothing more is reported or read */
    const char *part;   /* "east.tacozip: " for a part of a catalogue, or "" */
    const char *clause; /* clause for the following problems, or NULL */
    char where[512];    /* place of the following problems */
    taco__findings_rule rules[TACO__FINDINGS_RULES]; /* a hash table */
    uint64_t unreported;  /* problems of this table that were counted only */
    uint64_t done, total; /* bytes of payload, for progress */
} taco__findings;

/* Its first argument, the format of the message. */
#define TACO__FINDINGS_FORMAT(format, ...) (format)

/* Reports a problem at the current place, or only counts it if its rule has been broken often in
   this table. The arguments after `error` are a format and its values, as for TACO__FAIL. */
#define TACO__FINDINGS_REPORT(f, error, ...)                                                       \
    do { /* a problem that is only counted needs no text */                                        \
        if (taco__findings_may_report((f), (error), TACO__FINDINGS_FORMAT(__VA_ARGS__, 0))) {      \
            taco_error taco__e;                                                                    \
            memset(&taco__e, 0, sizeof taco__e);                                                   \
            TACO__FAIL(&taco__e, TACO_ERR_CORRUPT, TACO_NO_OFFSET, __VA_ARGS__);                   \
            taco__findings_report((f), (error), &taco__e);                                         \
        }                                                                                          \
    } while (0)
#define TACO__FINDINGS_ERROR(f, ...) TACO__FINDINGS_REPORT(f, true, __VA_ARGS__)
#define TACO__FINDINGS_WARN(f, ...)  TACO__FINDINGS_REPORT(f, false, __VA_ARGS__)
/* A problem with the clause that it breaks: "document, section". */
#define TACO__FINDINGS_CLAUSE(f, error, text, ...)                                                 \
    do {                                                                                           \
        (f)->clause = (text);                                                                      \
        TACO__FINDINGS_REPORT(f, error, __VA_ARGS__);                                              \
        (f)->clause = NULL;                                                                        \
    } while (0)
/* Names and paths as hashes. The hash of a longer path continues from that of its beginning, so
   that a row's path is its parent's and the id. A collision can hide a fault, but does no other
   harm. */
#define TACO__FINDINGS_HASH_SEED ((uint64_t)0xCBF29CE484222325U)

/* An entry of the central directory; 56 bytes, as archives have millions of them. */
typedef struct taco__check_zip_entry {
    uint64_t name;        /* taco__findings_hash_path */
    uint64_t local, data; /* offsets of its local header and its bytes */
    uint64_t size;
    uint64_t at; /* offset of its header in the directory */
    uint32_t crc;
    bool placed; /* the local header agrees: data is known */
    bool listed; /* a row or the TACO_HEADER names it */
    bool stored; /* neither compressed nor encrypted: its bytes are the payload */
} taco__check_zip_entry;

/* The records of one archive. The caller sets the first four. */
typedef struct taco__check_zip {
    taco__findings *f;
    taco__file *file;
    taco__mem *mem;
    taco__arena *arena;
    const taco_options *options; /* parallel_for to use; may be NULL */
    taco__zip_dir dir;           /* places and sizes from the end records */
    taco_bytes directory;        /* the bytes of the central directory, in dir_bytes or in memory */
    taco__buf dir_bytes, scratch;
    bool known;                     /* the whole directory was read */
    bool differs;                   /* the TACO_HEADER disagrees with the directory */
    taco__check_zip_entry *entries; /* sorted by offset of their local headers */
    uint32_t *by_name;              /* indexes of entries, sorted by the hash of their names */
    size_t count;
    taco__index header; /* TACO_HEADER; count 0: not readable */
} taco__check_zip;

#define TACO__CHECK_TREE_BATCH 4096 /* rows read at a time */

/* A level in memory: what is compared, one or two numbers per row; names are read again if a
   message needs one. */
typedef struct taco__check_tree_level {
    taco__level *l; /* NULL: not readable */
    size_t rows;
    uint64_t *path;         /* hash of "DATA/" and the path, without a '/' at the end */
    uint64_t *key;          /* hash of type and id: equal for rows that PIT treats as the same */
    int64_t *offset, *size; /* ZIP, TACOCAT; NULL without the columns */
    uint8_t *folder;        /* 0, 1, or 2 if the type is neither */
    uint32_t *source;       /* TACOCAT: index of the archive */
    uint8_t *seen;          /* not TACOCAT: a bit for each internal:current_id */
    /* rows of the level below: kids[first[row]] to kids[first[row + 1]] */
    int32_t *first, *kids;
    /* a window of ids and paths, for messages */
    taco__row_reader names;
    size_t name_first, name_count;
    bool names_open;
} taco__check_tree_level;

/* All levels of a dataset, and the state their checks share. */
typedef struct taco__check_tree_state {
    taco__findings *f;
    taco__container *s;
    taco__mem *mem;
    taco__arena *arena;
    taco__check_zip *zip; /* NULL, or not known: there is no directory to compare with */
    uint32_t count;
    taco__check_tree_level levels[TACO__MAX_LEVELS];
    taco__join sources;            /* TACOCAT: the archives by name */
    taco__buf text, other, window; /* scratch of one check at a time */
    taco__extent span;             /* of the rows of all levels */
    uint32_t level;                /* of the row being checked, for its place in messages */
    size_t row;
} taco__check_tree_state;

/* An error at row t->row of t->level. */
#define TACO__CHECK_LEVEL_ERROR(t, ...)                                                            \
    do {                                                                                           \
        taco__check_level_set_place(t);                                                            \
        TACO__FINDINGS_ERROR((t)->f, __VA_ARGS__);                                                 \
    } while (0)

/* Rows of two tables that must have the same cells: row a_rows[i] of a, or i, and row b_rows[i] of
   b, for n of them. */
typedef struct taco__check_meta_tables {
    taco__check_tree_state *t;
    const taco__table *a, *b;
    const char *other; /* name of b, for messages */
    const uint32_t *a_rows, *b_rows;
    size_t n;
} taco__check_meta_tables;

/* ---- a dataset ---- */

/* State for one archive, folder or catalogue; each part of a catalogue gets one, one after
   another. */
typedef struct taco__check_dataset {
    taco__findings *f;
    taco__mem *mem;
    taco_options options;
    taco__arena arena;
    taco__container store;
    bool open;           /* store has to be closed */
    taco__check_zip zip; /* for an archive, else zero */
    taco__check_tree_state tree;
} taco__check_dataset;

/* ---- rules.c: TACO_OK, or a breach in *err (NULL allowed) ---- */

TACO__FN bool taco__rules_is_padding(taco_bytes id);
TACO__FN taco_status taco__rules_check_id(taco_bytes id, taco_error *err);
TACO__FN taco_status taco__rules_check_file_name(taco_bytes id, taco_error *err);
TACO__FN bool taco__rules_is_format_column(taco_bytes name);
TACO__FN taco_status taco__rules_check_own_name(taco_bytes name, taco_error *err);
TACO__FN taco_status taco__rules_check_column_name(taco_bytes name, taco_error *err);
TACO__FN bool taco__rules_is_null(const taco__json *n);
TACO__FN void taco__rules_check_collection(const taco__json_doc *doc, bool made,
                                           taco__rules_report_fn found, void *ctx);
TACO__FN bool taco__rules_stop_at_first(void *ctx, bool warning, const taco_error *what);

/* ---- column_rules.c: columns by name. _check_type and _check_rows do all there is ---- */

/* Receives each breach, with its row counted from the start of the arrays; returns false to
   stop. */
typedef bool (*taco__column_rule_report_fn)(void *ctx, const taco_field *column, size_t row,
                                            const taco_error *what);

TACO__FN bool taco__column_rule_exists(const char *name);
TACO__FN size_t taco__column_rule_types(const char *name, taco_type out[3]);
TACO__FN taco_status taco__column_rule_check_type(const taco_field *f, taco_error *err);
TACO__FN taco_status taco__column_rule_check_split(taco_bytes split, taco_error *err);
TACO__FN taco_status taco__column_rule_check_factor(double factor, taco_error *err);
TACO__FN taco_status taco__column_rule_check_times(int64_t start, int64_t end, taco_error *err);
TACO__FN bool taco__column_rule_check_rows(const taco_array *columns, size_t n, size_t rows,
                                           taco__column_rule_report_fn report, void *ctx);

/* ---- findings.c: set the place, report, end the table ---- */

TACO__FN void taco__findings_set_place(taco__findings *f, const char *where, ...);
TACO__FN void taco__findings_report(taco__findings *f, bool error, const taco_error *e);
/* True if a problem of this rule should be reported: validation has not been stopped, and the rule
   was not reported too often in this table. Otherwise it is counted here, and the caller need not
   format the message. */
TACO__FN bool taco__findings_may_report(taco__findings *f, bool error, const char *rule);
TACO__FN void taco__findings_add(taco__findings *f, bool error, const char *rule,
                                 const taco_error *e);
TACO__FN bool taco__findings_take_error(taco__findings *f, taco_error *e);
TACO__FN void taco__findings_end_table(taco__findings *f, const char *table);
TACO__FN void taco__findings_progress(taco__findings *f, uint64_t bytes);
TACO__FN bool taco__findings_read_crc(taco__findings *f, taco__file *file, taco__range r,
                                      taco__buf *window, uint32_t *crc, taco_error *e);
TACO__FN uint64_t taco__findings_hash_path(uint64_t h, taco_bytes b);

/* ---- declared_type.c ---- */

TACO__FN bool taco__declared_type_matches(const char *declared, const taco_field *f);

/* ---- check_zip.c: _run, then levels, then _unlisted, then _close ---- */

TACO__FN void taco__check_zip_close(taco__check_zip *z);
TACO__FN taco_bytes taco__check_zip_name(const taco__check_zip *z, const taco__check_zip_entry *e);
TACO__FN taco__check_zip_entry *taco__check_zip_find(const taco__check_zip *z, uint64_t hash);
TACO__FN bool taco__check_zip_records(taco__check_zip *z, uint64_t limit, taco_error *err);
TACO__FN bool taco__check_zip_run(taco__check_zip *z, uint64_t limit, taco_error *err);
TACO__FN void taco__check_zip_unlisted(taco__check_zip *z);

/* ---- check_payloads.c: entries that _run has placed ---- */

TACO__FN uint32_t taco__check_payloads_join(uint32_t a, uint32_t b, uint64_t len);
TACO__FN bool taco__check_payloads_run(taco__check_zip *z, taco_error *err);

/* ---- check_collection.c: _document any time, _tables when children are linked ---- */

TACO__FN void taco__check_collection_document(taco__findings *f, const taco__collection *c);
TACO__FN bool taco__check_collection_tables(taco__check_tree_state *t, taco_error *err);

/* ---- check_tree.c: names and children of rows; _pit when children are linked ---- */

TACO__FN void taco__check_tree_close(taco__check_tree_state *t);
TACO__FN taco_bytes taco__check_tree_name(taco__check_tree_state *t, uint32_t level, size_t row,
                                          bool path, taco_error *err);
TACO__FN taco_bytes taco__check_tree_path(taco__check_tree_state *t, uint32_t level, size_t row);
TACO__FN bool taco__check_tree_link_children(taco__check_tree_state *t, uint32_t level,
                                             taco_error *err);
TACO__FN size_t taco__check_tree_children(const taco__check_tree_state *t, uint32_t level,
                                          size_t row, const int32_t **kids);
TACO__FN bool taco__check_tree_is_subset(const taco__check_tree_state *t);
TACO__FN void taco__check_tree_pit(taco__check_tree_state *t);

/* ---- check_level.c ---- */

TACO__FN void taco__check_level_set_place(taco__check_tree_state *t);
TACO__FN bool taco__check_level_column(taco__findings *f, const taco__table *table, size_t column,
                                       const char *name, bool text, bool error);
TACO__FN void taco__check_level_id(taco__findings *f, taco_bytes id, bool valid);
TACO__FN bool taco__check_level_parquet(taco__findings *f, taco_pq_file *pq, taco_error *err);
TACO__FN bool taco__check_level_run(taco__check_tree_state *t, uint32_t level, taco_error *err);

/* ---- check_extensions.c: a level that was checked ---- */

TACO__FN bool taco__check_extensions_level(taco__check_tree_state *t, uint32_t level,
                                           taco_error *err);

/* ---- check_extent.c: when all rows have been read ---- */

TACO__FN void taco__check_extent_run(taco__findings *f, const taco__json *extent,
                                     const taco__extent *s, bool error);
TACO__FN void taco__check_extent_source(taco__findings *f, const taco__collection *merged,
                                        const char *document, const char *name,
                                        const taco_options *options, const char *path,
                                        const taco__extent *s);

/* ---- check_meta.c: a level whose children are linked; any two tables of the same rows ---- */

TACO__FN bool taco__check_meta_columns(const taco__check_meta_tables *d, taco__arena *arena,
                                       taco_error *err);
TACO__FN bool taco__check_meta_level(taco__check_tree_state *t, uint32_t level, taco_error *err);

/* ---- check_dataset.c: _open, then _one or _archive and _tables, then _close ---- */

TACO__FN void taco__check_dataset_close(taco__check_dataset *c);
TACO__FN taco__check_dataset *taco__check_dataset_open(taco__findings *f, taco__mem *mem,
                                                       const taco_options *opt, taco_error *err);
TACO__FN bool taco__check_dataset_archive(taco__check_dataset *c, taco__file *file,
                                          taco_error *err);
TACO__FN bool taco__check_dataset_levels(taco__check_dataset *c, taco_error *err);
TACO__FN bool taco__check_dataset_tables(taco__check_dataset *c, taco_error *err);
TACO__FN bool taco__check_dataset_one(taco__check_dataset *c, const char *path,
                                      const taco_source *src, taco_error *err);

/* ---- check_replaced.c ---- */

TACO__FN bool taco__check_replaced_is_metadata(taco__check_zip *z, uint64_t from, uint64_t end);
/* Whether the bytes [from, end), at least one, are the beginning of what taco add writes. */
TACO__FN bool taco__check_replaced_begins(taco__check_zip *z, uint64_t from, uint64_t end);

/* ---- check_unlisted.c ---- */

TACO__FN bool taco__check_unlisted_run(taco__check_dataset *c, taco_error *err);
TACO__FN bool taco__check_unlisted_below(taco__findings *f, taco__container *s, const char *path,
                                         const taco__hash_map *listed, taco_error *err);

/* ---- check_sources.c ---- */

TACO__FN bool taco__check_sources_run(taco__check_dataset *c, const char *path, taco_error *err);

/* ---- check_catalogue.c ---- */

TACO__FN bool taco__check_catalogue_part(taco__check_dataset *cat, uint32_t source,
                                         taco_error *err);
TACO__FN void taco__check_catalogue_sources(taco__check_dataset *c);

#endif /* TACO__VALIDATE_H */
