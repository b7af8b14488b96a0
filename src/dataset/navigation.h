/* navigation.h - single samples: paths of keys, and the __meta__ that lists a FOLDER's children. */
#ifndef TACO__NAVIGATION_H
#define TACO__NAVIGATION_H

#include "container.h"

/* A path is keys separated by '/', one for each level: an id, "@12" for the row at position 12
   without padding, "@@12" with padding. "" is the root, whose children are the rows of level 0. Ids
   in old formats may contain '/', '\\' and '@'; these are escaped with a '\\' in a key. */

/* A sample found by its path; the members point into an arena. Its children are read from its
   __meta__: where that disagrees with the consolidated level (facts: disagreements 1), __meta__ is
   right. */
typedef struct taco__nav_node {
    taco__container *store;
    bool root, folder;
    /* archives: has the range of its bytes, or its __meta__ */
    bool has_range;
    int64_t offset, size;
    /* FOLDER datasets: below DATA/ */
    const char *path;
    /* TACOCAT: the archive */
    const char *source;
    /* formats: its level and row */
    uint32_t level;
    int64_t row;
    /* the keys that led here, which identify only this sample; NULL: none */
    const char *key_path;
    /* offset of the last of them */
    size_t last_key;
} taco__nav_node;

/* An open __meta__. Must not be moved: the table points into it. All zeros is closed. */
typedef struct taco__local_meta {
    taco_pq_file pq;
    taco__table table;
    taco__column_roles role;
    /* FOLDER datasets: its own file */
    taco__file file;
    bool file_open, open;
    /* archives: the file whose `range` is kept in memory while this is open */
    taco__file *cached;
    taco__range range;
} taco__local_meta;

/* ---- local_metadata.c ---- */

TACO__FN bool taco__local_meta_open(const taco__nav_node *n, taco__arena *arena,
                                    taco__local_meta *m, taco_error *err);
TACO__FN void taco__local_meta_close(taco__local_meta *m);
TACO__FN bool taco__local_meta_find_roles(const taco__container *s, const taco__table *t,
                                          taco__column_roles *r, taco_error *err);
TACO__FN const char *taco__local_meta_folder_path(const taco__nav_node *n, const char *suffix,
                                                  taco_error *err);
TACO__FN const char *taco__local_meta_folder_vsi(const taco__nav_node *n, taco_error *err);

/* ---- navigation.c ---- */

/* Keys. */
TACO__FN bool taco__nav_parse_position(taco_bytes key, uint64_t *out);
TACO__FN bool taco__nav_is_stored_position(taco_bytes key);
TACO__FN const char *taco__nav_key_end(const char *p);
TACO__FN bool taco__nav_append_key(taco__buf *b, taco_bytes id, taco_error *err);
TACO__FN bool taco__nav_append_keys(taco__buf *b, taco_bytes relative, taco_error *err);
TACO__FN taco_bytes taco__nav_key_to_id(taco_bytes key, taco__arena *arena, taco_error *err);

/* From a path to a sample, and from a row to its path. */
TACO__FN bool taco__nav_walk(taco_dataset *ds, const char *path, bool padding, taco__nav_node *node,
                             taco__arena *arena, taco_error *err);
TACO__FN bool taco__nav_path_of_row(taco_dataset *ds, size_t store, uint32_t level, uint64_t row,
                                    taco__buf *path, taco_error *err);

/* Conditions on the rows of a table. */
TACO__FN bool taco__nav_make_filter(const taco__table *t, const taco__column_roles *r,
                                    const taco_bytes *id, bool padding, taco__arena *arena,
                                    taco__expr **out, taco_error *err);
TACO__FN const char *taco__nav_id_predicate(taco__arena *arena, const char *id, taco_bytes key,
                                            taco_error *err);
TACO__FN const char *taco__nav_id_column(const taco__container *s, uint32_t level);

#endif /* TACO__NAVIGATION_H */
