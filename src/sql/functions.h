/* functions.h - functions, aggregates and their binders

   What these files offer to each other, to the table in functions.c and to the binder; types, and
   what func_number.c offers to aggregates and others, are in sql.h. */
#ifndef TACO__SQL_FUNCTIONS_H
#define TACO__SQL_FUNCTIONS_H

#include "sql.h"

/* ---- func_text.c ----
   taco__func_text_row is called for each row, the others for a whole batch. */

TACO__FN size_t taco__func_text_write_char(uint8_t *p, uint32_t c);
TACO__FN uint32_t taco__func_text_upper_char(uint32_t c);
TACO__FN size_t taco__func_text_length(taco_bytes s);
TACO__FN taco_bytes taco__func_text_range(taco_bytes s, int64_t from, int64_t to);
TACO__FN bool taco__func_text_row(taco__func_call *x, size_t i);
TACO__FN bool taco__func_text_like(taco__func_call *x);
TACO__FN bool taco__func_text_to_number(taco__func_call *x);
TACO__FN bool taco__func_text_concat(taco__func_call *x);

/* ---- func_date.c ---- Parts of dates are looked up by name once, when a call is bound; the result
   is kept in taco__func_call.plan. */

TACO__FN int64_t taco__func_date_iso_week(int64_t day, int64_t *year);
TACO__FN int taco__func_date_find_part(taco_bytes b);
TACO__FN int taco__func_date_boundary(int part);
TACO__FN const char *taco__func_day_name(int64_t day);
TACO__FN const char *taco__func_month_name(int64_t month);
TACO__FN bool taco__func_date_row(taco__func_call *x, size_t i);
TACO__FN bool taco__func_date_add_days(taco__func_call *x);
TACO__FN bool taco__func_date_add(taco__func_call *x);

/* ---- func_list.c ----
   Lists of any type; the slice of a text is here too. */

TACO__FN bool taco__func_list_element(taco__func_call *x);
TACO__FN bool taco__func_list_slice(taco__func_call *x);
TACO__FN bool taco__func_list_run(taco__func_call *x);

TACO__FN bool taco__func_set_text(taco__func_call *x, size_t i, taco_bytes s);

/* ---- func_geometry.c ---- pushdown.c recognizes a constant box with taco__func_geo_parse_box. */

TACO__FN bool taco__func_geo_parse_box(taco_bytes s, double box[4]);
TACO__FN bool taco__func_geo_run(taco__func_call *x);
TACO__FN bool taco__func_geo_measure(taco__func_call *x);

/* ---- func_math.c ---- */

TACO__FN double taco__func_math_log2(double x);
TACO__FN bool taco__func_math_run(taco__func_call *x);

/* ---- func_string.c, func_bits.c, func_hash.c ---- */

TACO__FN bool taco__func_string_run(taco__func_call *x);
TACO__FN bool taco__func_bits_run(taco__func_call *x);
TACO__FN bool taco__func_hash_row(taco__func_call *x, size_t i);
TACO__FN bool taco__func_hash_run(taco__func_call *x);

/* ---- func_format.c, func_strftime.c, func_strptime.c ---- Binding casts arguments to types that
   can be formatted. */

TACO__FN bool taco__func_format_bind(taco__bind *b, taco__sql_expr *e);
TACO__FN bool taco__func_format_run(taco__func_call *x);
TACO__FN TACO__COLD bool taco__func_strftime_fail(taco_bytes format, taco_error *err);
TACO__FN bool taco__func_strptime_row(taco__func_call *x, size_t i);
TACO__FN bool taco__func_strptime_bind(taco__bind *b, taco__sql_expr *e);
TACO__FN bool taco__func_strftime_bind(taco__bind *b, taco__sql_expr *e);
TACO__FN bool taco__func_strftime_run(taco__func_call *x);
TACO__FN bool taco__func_clock_bind(taco__bind *b, taco__sql_expr *e, bool *done);
TACO__FN bool taco__func_instant_row(taco__func_call *x, size_t i);

/* ---- func_regex.c ---- Constant patterns are compiled when a call is bound. */

TACO__FN bool taco__func_regex_bind(taco__bind *b, taco__sql_expr *e);
TACO__FN bool taco__func_regex_run(taco__func_call *x);

/* ---- func_list_make.c, func_list_parts.c ---- taco__func_list_make makes lists,
   taco__func_list_part takes them apart; both use the other functions to make a list and check a
   map. */

/* The lists that a call makes, row by row, from elements of a pile. */
typedef struct taco__func_list_out {
    taco__func_call *x;
    taco__buf picks; /* uint32_t: indexes of chosen elements in the pile */
    size_t n, begun; /* chosen elements, and those in complete lists */
} taco__func_list_out;

TACO__FN void taco__func_list_begin(taco__func_call *x, taco__func_list_out *o);
TACO__FN bool taco__func_list_reserve(taco__func_list_out *o, uint64_t n);
TACO__FN bool taco__func_list_push(taco__func_list_out *o, uint32_t at);
TACO__FN bool taco__func_list_push_span(taco__func_list_out *o, uint32_t at, uint32_t len);
TACO__FN void taco__func_list_end(taco__func_list_out *o, size_t i);
TACO__FN bool taco__func_list_drop(taco__func_list_out *o);
TACO__FN bool taco__func_list_finish(taco__func_list_out *o, const taco__vec *pile);
TACO__FN bool taco__func_list_push_text(taco__arena *arena, taco__vec_builder *pile, taco_bytes s,
                                        taco_error *err);
TACO__FN int taco__vec_compare_sorted(const taco__vec *v, size_t i, size_t j, uint8_t flags);
TACO__FN bool taco__func_list_make(taco__func_call *x);
TACO__FN bool taco__func_list_part(taco__func_call *x);
TACO__FN bool taco__func_list_check_keys(taco__func_call *x, const taco__vec *keys, uint32_t at,
                                         uint32_t len);

/* ---- aggregate_set.c ---- Aggregates of all values of a group, idx[0..n) of
   taco__aggregate_values(a), without nulls if the aggregate ignores them; the result is appended to
   out. tmp has room for n. */

TACO__FN bool taco__aggregate_set_takes(taco__aggregate *a);
TACO__FN bool taco__aggregate_set_run(taco__aggregate *a, taco__arena *arena, uint32_t *idx,
                                      uint32_t *tmp, size_t n, taco__vec_builder *out,
                                      taco_error *err);

/* ---- exact_mean.c ---- */

TACO__FN double taco__mean_exact(const taco__i256 *sum, int64_t n, int32_t scale);

/* ---- bind_call.c ---- */

TACO__FN TACO__COLD bool taco__bind_call_fail_argument(taco__bind *b, const taco__sql_expr *e,
                                                       uint32_t i, const char *wanted,
                                                       const taco__sql_type *have);

/* ---- bind_aggregate.c ---- What is decided before an aggregate is computed: constants among its
   arguments, its result type, the struct of several arguments. */

TACO__FN bool taco__bind_aggregate_options(taco__bind *b, const taco__sql_expr *e, uint32_t first,
                                           taco__aggregate *a);
TACO__FN bool taco__bind_aggregate_result(taco__bind *b, taco__aggregate *a);
TACO__FN bool taco__bind_aggregate_pack(taco__bind *b, taco__sql_expr *e, taco__aggregate *a,
                                        taco__sql_expr **arg);

/* ---- bind_type.c ---- */

TACO__FN bool taco__bind_type_either(taco__bind *b, const taco__sql_expr *a,
                                     const taco__sql_type *ta, const taco__sql_expr *c,
                                     bool compare, taco__sql_type *out);

/* ---- bind_list.c ---- Types of lists, structs and maps, and calls of their functions with bound
   operands. */

TACO__FN bool taco__bind_list_of(taco__bind *b, const taco__sql_type *element, taco__sql_type *out);
TACO__FN bool taco__bind_list_map(taco__bind *b, const taco__sql_type *key,
                                  const taco__sql_type *value, taco__sql_type *out);
TACO__FN bool taco__bind_list_settle(taco__bind *b, const taco__sql_type *t, taco__sql_type *out);
TACO__FN bool taco__bind_list_common(taco__bind *b, const taco__sql_type *x,
                                     const taco__sql_type *y, bool compare, taco__sql_type *out);
TACO__FN taco__sql_type taco__bind_list_float(const taco__sql_type *x, const taco__sql_type *y);
TACO__FN bool taco__bind_list_null(taco__bind *b, taco__sql_expr *e, taco__sql_type t);
TACO__FN bool taco__bind_list_step(taco__bind *b, taco__sql_expr *e);
TACO__FN bool taco__bind_list(taco__bind *b, taco__sql_expr *e, const taco__func *f);

#endif /* TACO__SQL_FUNCTIONS_H */
