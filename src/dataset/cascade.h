/* cascade.h - how rows of different levels are related, and which rows conditions leave */
#ifndef TACO__CASCADE_H
#define TACO__CASCADE_H

#include "container.h"

/* TACO 2.0 §7.2.2, "Cascading Joins": a condition on a level holds for a row of another level when
   it holds along the path between the two. Each row of level n >= 1 has one parent in level n - 1:
   the row whose internal:current_id is its internal:parent_id, in a catalogue of the same archive,
   as ids restart in every archive. Files from before 2025-12 have no current_id; a row's number
   within its archive is used instead. */

/* ---- parents of all rows ---- */

/* An archive of a catalogue, in a join; other containers have a single one, with an empty name. */
typedef struct taco__join_archive {
    taco_bytes name;
    /* its rows in the level above: the first (-1 if there is none) and their number */
    int64_t first, count;
} taco__join_archive;

/* A row of the level above, with the id that its children refer to. */
typedef struct taco__join_row_key {
    uint32_t source;
    int32_t row;
    int64_t id;
} taco__join_row_key;

/* State of a join of two levels. The archives are also used alone, to number names. */
typedef struct taco__join {
    taco__container *store;
    taco__arena arena;
    taco__join_archive *sources;
    size_t source_count, source_cap;
    /* numbers of archives; its keys are the names in `sources` */
    taco__hash_map by_name;
    /* rows of the level above, sorted; NULL while ids are plain row numbers */
    taco__join_row_key *keys;
    size_t key_count;
    /* rows of an archive are consecutive, and their ids count from 0 */
    bool plain;
} taco__join;

/* ---- rows that conditions leave ---- */

/* Row numbers of a level that another column contains. */
typedef struct taco__lookup_set {
    const uint8_t *bits;
    uint64_t rows;
} taco__lookup_set;

/* The rows that conditions on several levels leave. The bitmaps are in the container's memory. */
typedef struct taco__cascade {
    /* rows of each level that are left; NULL = all of them */
    uint8_t *bits[TACO__MAX_LEVELS];
    /* ranges read ahead */
    taco__range_cache cache;
} taco__cascade;

/* A taco_filter.bbox as normalized boxes, west, south, east, north: two if it crosses 180
   degrees. */
typedef struct taco__query_box {
    double edge[2][4];
    size_t n;
} taco__query_box;

/* A taco_filter.time in microseconds, half open. */
typedef struct taco__query_period {
    int64_t from, to;
    /* whole days: a time stored as text is compared as a date */
    bool days;
} taco__query_period;

/* ---- level_join.c ---- */

TACO__FN void taco__join_init(taco__join *j, taco__container *s);
TACO__FN void taco__join_free(taco__join *j);
TACO__FN size_t taco__join_find_archive(taco__join *j, taco_bytes name, bool add, taco_error *err);
TACO__FN bool taco__join_is_integer(taco_type t);
TACO__FN bool taco__join_number_rows(taco__container *s, taco__level *l, int32_t *out,
                                     taco_error *err);
TACO__FN bool taco__join_make_parents(taco__container *s, uint32_t n, taco_error *err);
TACO__FN bool taco__join_top_row(taco__container *s, uint32_t level, uint64_t *row,
                                 taco_error *err);

/* ---- parent_lookup.c ---- */

TACO__FN bool taco__lookup_is_possible(const taco__container *s, uint32_t n);
TACO__FN bool taco__lookup_find_rows(taco__container *s, taco__level *l, size_t column,
                                     const taco__lookup_set *set, uint8_t *out, uint64_t *found,
                                     taco_error *err);
TACO__FN bool taco__lookup_ids_are_row_numbers(taco__container *s, taco__level *l,
                                               const taco__lookup_set *set, uint64_t count,
                                               bool *own, taco_error *err);
TACO__FN bool taco__lookup_parent(taco__container *s, uint32_t n, uint64_t row, int64_t *out,
                                  taco_error *err);

/* ---- child_places.c ---- */

/* Makes sure that internal:offset and internal:size of a level lead to its samples, before they are
   read: the central directory replaces them where they do not. */
TACO__FN bool taco__places_check(taco__container *s, uint32_t level, taco_error *err);

/* ---- box_in_crs.c ---- */

TACO__FN bool taco__box_is_degrees(const double edge[4]);
TACO__FN bool taco__box_in_crs_test(void *ctx, const taco_array *a, const taco_array *crs,
                                    size_t rows, taco__mem *mem, uint8_t *true_bits,
                                    uint8_t *valid_bits, taco_error *err);
TACO__FN bool taco__box_crs_to_degrees(taco_bytes crs, int32_t *code);
TACO__FN bool taco__box_bounds_in_degrees(int32_t code, taco_bytes wkb, taco__buf *scratch,
                                          double out[4], bool *empty);
TACO__FN unsigned taco__box_in_crs_prune(void *ctx, const taco__column_stats *r,
                                         const taco__column_stats *crs);
TACO__FN void taco__box_in_crs_warn(const taco__table *t, size_t crs, const taco_options *options);

/* ---- query_filter.c ---- */

/* Conditions are allocated in the arena and not yet bound; NULL on failure. */
TACO__FN bool taco__query_hide_padding(taco__level *l, taco__arena *arena, taco__expr **e,
                                       taco_error *err);
TACO__FN size_t taco__query_find_column(const taco__table *t, const char *asked,
                                        const char *const *names, size_t n, const char *what,
                                        taco_error *err);
TACO__FN bool taco__query_box_test(void *ctx, const taco_array *a, size_t rows, uint8_t *true_bits,
                                   uint8_t *valid_bits, taco_error *err);
TACO__FN unsigned taco__query_box_prune(void *ctx, const taco__column_stats *r);
TACO__FN taco__expr *taco__query_add_bbox(taco__arena *arena, const taco__table *t,
                                          const taco_filter *f, const taco_options *options,
                                          taco_error *err);
TACO__FN taco__query_period *taco__query_parse_period(taco__arena *arena, const taco_filter *f,
                                                      taco_error *err);
TACO__FN int64_t taco__query_time_in_unit(int64_t us, taco_unit unit);
TACO__FN taco__expr *taco__query_add_time(taco__arena *arena, const taco__table *t,
                                          const taco_filter *f, taco_error *err);
TACO__FN bool taco__query_level_hint(taco__container *s, uint32_t own, const char *const *names,
                                     size_t n, const char *option, taco_error *err);
TACO__FN bool taco__query_place_hint(taco__container *s, uint32_t own, taco_error *err);
TACO__FN void taco__query_hint(taco__container *s, const taco_filter *f, taco_error *err);
TACO__FN bool taco__query_add_filter(const taco__container *s, taco__arena *arena,
                                     const taco__table *t, const taco_filter *f, taco__expr **e,
                                     taco_error *err);

/* ---- cascade.c ---- */

TACO__FN bool taco__cascade_run(taco__container *s, taco__cascade *p, taco__expr *const *where,
                                uint8_t *const *masks, uint32_t deepest, uint32_t table,
                                taco_error *err);
TACO__FN void taco__cascade_free(taco__container *s, taco__cascade *p);

/* A bitmap over the rows of a level, all zero. */
TACO__FN size_t taco__cascade_bitmap_bytes(const taco__container *s, uint32_t level);
TACO__FN bool taco__cascade_alloc_bitmap(taco__container *s, taco__cascade *p, uint32_t level,
                                         taco_error *err);

/* What a cascade reads, to read it ahead or to explain it: ranges of the level's file. */
TACO__FN bool taco__cascade_need_level(taco__container *s, uint32_t l, const taco__expr *where,
                                       uint32_t last, uint32_t certain, taco__buf *ranges,
                                       taco_error *err);
TACO__FN bool taco__cascade_need_indexes(taco__container *s, uint32_t l, uint32_t last,
                                         taco__buf *ranges, taco_error *err);

#endif /* TACO__CASCADE_H */
