/* functions.c - the table of scalar functions, and calling one over a batch

   A function has a row in taco__funcs: name, id, number and types of arguments, and type of the
   result. taco__func_run allocates the result, makes rows null if an argument is (except for
   taco__func_takes_nulls), and passes the call to the file of its subject, func_*.c, through
   taco__func_dispatch. To add a function: an id in sql.h, a row here, a case there. */
#include "sql.h"
#include "functions.h"
#include "../base/base.h"

/* All functions, with several rows for one name if the number of arguments matters. Searched from
   the top, ignoring ASCII case; see taco__func for the letters. */
static const taco__func taco__funcs[] = {
    /* operators; / and // by zero are null */
    {"+", TACO__FUNC_ADD, 2, 2, "*", '?', NULL},
    {"+", TACO__FUNC_PLUS, 1, 1, "n", '=', NULL},
    {"-", TACO__FUNC_SUB, 2, 2, "*", '?', NULL},
    {"-", TACO__FUNC_NEG, 1, 1, "n", '=', NULL},
    {"*", TACO__FUNC_MUL, 2, 2, "*", '?', NULL},
    {"/", TACO__FUNC_DIV, 2, 2, "*", '?', NULL},
    {"//", TACO__FUNC_IDIV, 2, 2, "*", '?', NULL},
    {"%", TACO__FUNC_MOD, 2, 2, "*", '?', NULL},
    {"mod", TACO__FUNC_MOD, 2, 2, "*", '?', NULL},
    {"||", TACO__FUNC_CONCAT_OP, 2, 2, "*", '?', NULL},
    /* LIKE, NOT LIKE, ILIKE, NOT ILIKE; the third argument is that of ESCAPE */
    {"~~", TACO__FUNC_LIKE, 2, 3, "t", 'b', "~~"},
    {"!~~", TACO__FUNC_LIKE, 2, 3, "t", 'b', "!~~"},
    {"~~*", TACO__FUNC_LIKE, 2, 3, "t", 'b', "~~*"},
    {"!~~*", TACO__FUNC_LIKE, 2, 3, "t", 'b', "!~~*"},
    /* a choice of argument: all are cast to one type */
    {"coalesce", TACO__FUNC_COALESCE, 1, 255, "*", '?', NULL},
    {"ifnull", TACO__FUNC_COALESCE, 2, 2, "*", '?', NULL},
    {"nullif", TACO__FUNC_NULLIF, 2, 2, "*", '?', NULL},
    {"greatest", TACO__FUNC_GREATEST, 1, 255, "*", '?', NULL},
    {"least", TACO__FUNC_LEAST, 1, 255, "*", '?', NULL},
    {"typeof", TACO__FUNC_TYPEOF, 1, 1, "*", 't', NULL},
    {"hash", TACO__FUNC_HASH, 1, 255, "*", 'U', NULL},
    /* texts; positions and lengths are in characters, except for strlen and octet_length */
    {"lower", TACO__FUNC_LOWER, 1, 1, "t", 't', NULL},
    {"lcase", TACO__FUNC_LOWER, 1, 1, "t", 't', NULL},
    {"upper", TACO__FUNC_UPPER, 1, 1, "t", 't', NULL},
    {"ucase", TACO__FUNC_UPPER, 1, 1, "t", 't', NULL},
    {"length", TACO__FUNC_LENGTH, 1, 1, "*", 'i', NULL},
    {"len", TACO__FUNC_LENGTH, 1, 1, "*", 'i', NULL},
    {"char_length", TACO__FUNC_LENGTH, 1, 1, "*", 'i', NULL},
    {"character_length", TACO__FUNC_LENGTH, 1, 1, "*", 'i', NULL},
    {"array_length", TACO__FUNC_LENGTH, 1, 1, "l", 'i', NULL},
    {"strlen", TACO__FUNC_STRLEN, 1, 1, "t", 'i', NULL},
    {"octet_length", TACO__FUNC_OCTETS, 1, 1, "B", 'i', NULL},
    {"substr", TACO__FUNC_SUBSTR, 2, 3, "ti", 't', NULL},
    {"substring", TACO__FUNC_SUBSTR, 2, 3, "ti", 't', NULL},
    {"left", TACO__FUNC_LEFT, 2, 2, "ti", 't', NULL},
    {"right", TACO__FUNC_RIGHT, 2, 2, "ti", 't', NULL},
    {"trim", TACO__FUNC_TRIM, 1, 2, "t", 't', NULL},
    {"ltrim", TACO__FUNC_LTRIM, 1, 2, "t", 't', NULL},
    {"rtrim", TACO__FUNC_RTRIM, 1, 2, "t", 't', NULL},
    {"replace", TACO__FUNC_REPLACE, 3, 3, "t", 't', NULL},
    {"contains", TACO__FUNC_CONTAINS, 2, 2, "*", 'b', NULL},
    {"starts_with", TACO__FUNC_STARTS, 2, 2, "t", 'b', NULL},
    {"prefix", TACO__FUNC_STARTS, 2, 2, "t", 'b', NULL},
    {"ends_with", TACO__FUNC_ENDS, 2, 2, "t", 'b', NULL},
    {"suffix", TACO__FUNC_ENDS, 2, 2, "t", 'b', NULL},
    {"concat", TACO__FUNC_CONCAT, 1, 255, "*", 't', NULL},
    {"concat_ws", TACO__FUNC_CONCAT_WS, 2, 255, "*", 't', NULL},
    {"strpos", TACO__FUNC_STRPOS, 2, 2, "t", 'i', NULL},
    {"instr", TACO__FUNC_STRPOS, 2, 2, "t", 'i', NULL},
    {"position", TACO__FUNC_STRPOS, 2, 2, "t", 'i', NULL},
    {"reverse", TACO__FUNC_REVERSE, 1, 1, "t", 't', NULL},
    {"lpad", TACO__FUNC_LPAD, 3, 3, "tit", 't', NULL},
    {"rpad", TACO__FUNC_RPAD, 3, 3, "tit", 't', NULL},
    {"repeat", TACO__FUNC_REPEAT, 2, 2, "*", 't', NULL},
    {"split_part", TACO__FUNC_SPLIT_PART, 3, 3, "tti", 't', NULL},
    {"ascii", TACO__FUNC_ASCII, 1, 1, "t", 'I', NULL},
    /* numbers */
    {"abs", TACO__FUNC_ABS, 1, 1, "n", '=', NULL},
    {"round", TACO__FUNC_ROUND, 1, 2, "ni", '?', NULL},
    {"floor", TACO__FUNC_FLOOR, 1, 1, "n", '?', NULL},
    {"ceil", TACO__FUNC_CEIL, 1, 1, "n", '?', NULL},
    {"ceiling", TACO__FUNC_CEIL, 1, 1, "n", '?', NULL},
    {"trunc", TACO__FUNC_TRUNC, 1, 2, "ni", '?', NULL},
    {"sqrt", TACO__FUNC_SQRT, 1, 1, "d", 'd', NULL},
    {"sign", TACO__FUNC_SIGN, 1, 1, "n", '1', NULL},
    {"isnan", TACO__FUNC_ISNAN, 1, 1, "d", 'b', NULL},
    {"isinf", TACO__FUNC_ISINF, 1, 1, "f", 'b', NULL},
    {"isfinite", TACO__FUNC_ISFINITE, 1, 1, "f", 'b', NULL},
    /* dates: PART extracts what its last column names */
    {"date_part", TACO__FUNC_PART, 2, 2, "tw", '?', NULL},
    {"datepart", TACO__FUNC_PART, 2, 2, "tw", '?', NULL},
    {"year", TACO__FUNC_PART, 1, 1, "w", 'i', "year"},
    {"month", TACO__FUNC_PART, 1, 1, "w", 'i', "month"},
    {"day", TACO__FUNC_PART, 1, 1, "w", 'i', "day"},
    {"dayofmonth", TACO__FUNC_PART, 1, 1, "w", 'i', "day"},
    {"hour", TACO__FUNC_PART, 1, 1, "w", 'i', "hour"},
    {"minute", TACO__FUNC_PART, 1, 1, "w", 'i', "minute"},
    {"second", TACO__FUNC_PART, 1, 1, "w", 'i', "second"},
    {"millisecond", TACO__FUNC_PART, 1, 1, "w", 'i', "millisecond"},
    {"microsecond", TACO__FUNC_PART, 1, 1, "w", 'i', "microsecond"},
    {"dayofweek", TACO__FUNC_PART, 1, 1, "w", 'i', "dow"},
    {"weekday", TACO__FUNC_PART, 1, 1, "w", 'i', "dow"},
    {"isodow", TACO__FUNC_PART, 1, 1, "w", 'i', "isodow"},
    {"dayofyear", TACO__FUNC_PART, 1, 1, "w", 'i', "doy"},
    {"week", TACO__FUNC_PART, 1, 1, "w", 'i', "week"},
    {"weekofyear", TACO__FUNC_PART, 1, 1, "w", 'i', "week"},
    {"quarter", TACO__FUNC_PART, 1, 1, "w", 'i', "quarter"},
    {"isoyear", TACO__FUNC_PART, 1, 1, "w", 'i', "isoyear"},
    {"yearweek", TACO__FUNC_PART, 1, 1, "w", 'i', "yearweek"},
    {"decade", TACO__FUNC_PART, 1, 1, "w", 'i', "decade"},
    {"century", TACO__FUNC_PART, 1, 1, "w", 'i', "century"},
    {"millennium", TACO__FUNC_PART, 1, 1, "w", 'i', "millennium"},
    {"era", TACO__FUNC_PART, 1, 1, "w", 'i', "era"},
    {"julian", TACO__FUNC_PART, 1, 1, "w", 'd', "julian"},
    {"epoch", TACO__FUNC_EPOCH, 1, 1, "w", 'd', NULL},
    {"epoch_ms", TACO__FUNC_PART, 1, 1, "w", 'i', "epoch_ms"},
    {"epoch_us", TACO__FUNC_PART, 1, 1, "w", 'i', "epoch_us"},
    /* dates: boundaries of a part */
    {"date_trunc", TACO__FUNC_TRUNC_DATE, 2, 2, "tw", '?', NULL},
    {"datetrunc", TACO__FUNC_TRUNC_DATE, 2, 2, "tw", '?', NULL},
    {"date_diff", TACO__FUNC_DATE_DIFF, 3, 3, "tw", 'i', NULL},
    {"datediff", TACO__FUNC_DATE_DIFF, 3, 3, "tw", 'i', NULL},
    {"date_sub", TACO__FUNC_DATE_SUB, 3, 3, "tw", 'i', NULL},
    {"datesub", TACO__FUNC_DATE_SUB, 3, 3, "tw", 'i', NULL},
    {"last_day", TACO__FUNC_LAST_DAY, 1, 1, "w", 'D', NULL},
    {"dayname", TACO__FUNC_DAYNAME, 1, 1, "w", 't', NULL},
    {"monthname", TACO__FUNC_MONTHNAME, 1, 1, "w", 't', NULL},
    {"make_date", TACO__FUNC_MAKE_DATE, 3, 3, "i", 'D', NULL},
    /* lists */
    {"list_contains", TACO__FUNC_HAS, 2, 2, "*", 'b', NULL},
    {"array_contains", TACO__FUNC_HAS, 2, 2, "*", 'b', NULL},
    {"list_has", TACO__FUNC_HAS, 2, 2, "*", 'b', NULL},
    {"list_extract", TACO__FUNC_ELEMENT, 2, 2, "*i", '?', NULL},
    {"list_element", TACO__FUNC_ELEMENT, 2, 2, "*i", '?', NULL},
    {"array_extract", TACO__FUNC_ELEMENT, 2, 2, "*i", '?', NULL},
    /* geometries; DuckDB has these in its spatial extension */
    {"st_geomfromwkb", TACO__FUNC_GEOM, 1, 1, "B", 'g', NULL},
    {"st_makeenvelope", TACO__FUNC_ENVELOPE, 4, 4, "d", 'g', NULL},
    {"st_point", TACO__FUNC_POINT, 2, 2, "d", 'g', NULL},
    {"st_intersects", TACO__FUNC_INTERSECTS, 2, 2, "g", 'b', NULL},
    {"st_within", TACO__FUNC_WITHIN, 2, 2, "g", 'b', NULL},
    {"st_x", TACO__FUNC_X, 1, 1, "g", 'd', NULL},
    {"st_y", TACO__FUNC_Y, 1, 1, "g", 'd', NULL},
    /* lists, structs and maps: bind_list.c. Elements get a common type; array_ names are
       PostgreSQL's for the same functions. list_concat treats nulls as empty lists;
       list_append(NULL, 1) is [1]. */
    {"list_value", TACO__FUNC_LIST_VALUE, 0, 255, "*", '?', NULL},
    {"list_pack", TACO__FUNC_LIST_VALUE, 0, 255, "*", '?', NULL},
    {"struct_pack", TACO__FUNC_STRUCT_PACK, 0, 255, "*", '?', NULL},
    {"row", TACO__FUNC_STRUCT_PACK, 0, 255, "*", '?', NULL},
    {"list_concat", TACO__FUNC_LIST_CONCAT, 1, 255, "*", '?', NULL},
    {"list_cat", TACO__FUNC_LIST_CONCAT, 1, 255, "*", '?', NULL},
    {"array_concat", TACO__FUNC_LIST_CONCAT, 1, 255, "*", '?', NULL},
    {"array_cat", TACO__FUNC_LIST_CONCAT, 1, 255, "*", '?', NULL},
    {"list_append", TACO__FUNC_LIST_APPEND, 2, 2, "*", '?', NULL},
    {"array_append", TACO__FUNC_LIST_APPEND, 2, 2, "*", '?', NULL},
    {"array_push_back", TACO__FUNC_LIST_APPEND, 2, 2, "*", '?', NULL},
    {"list_prepend", TACO__FUNC_LIST_PREPEND, 2, 2, "*", '?', NULL},
    {"array_prepend", TACO__FUNC_LIST_PREPEND, 2, 2, "*", '?', NULL},
    /* sorting: the order is a text constant, ASC or DESC, then NULLS FIRST or LAST; the default is
       nulls last */
    {"list_sort", TACO__FUNC_LIST_SORT, 1, 3, "*", '?', NULL},
    {"array_sort", TACO__FUNC_LIST_SORT, 1, 3, "*", '?', NULL},
    {"list_reverse_sort", TACO__FUNC_LIST_SORT, 1, 2, "*", '?', "reverse"},
    {"array_reverse_sort", TACO__FUNC_LIST_SORT, 1, 2, "*", '?', "reverse"},
    {"list_grade_up", TACO__FUNC_LIST_GRADE, 1, 3, "*", '?', NULL},
    {"array_grade_up", TACO__FUNC_LIST_GRADE, 1, 3, "*", '?', NULL},
    {"grade_up", TACO__FUNC_LIST_GRADE, 1, 3, "*", '?', NULL},
    /* sets: ignore nulls, and keep the order of first occurrence */
    {"list_distinct", TACO__FUNC_LIST_DISTINCT, 1, 1, "*", '?', NULL},
    {"array_distinct", TACO__FUNC_LIST_DISTINCT, 1, 1, "*", '?', NULL},
    {"list_unique", TACO__FUNC_LIST_UNIQUE, 1, 1, "*", '?', NULL},
    {"array_unique", TACO__FUNC_LIST_UNIQUE, 1, 1, "*", '?', NULL},
    {"list_reverse", TACO__FUNC_LIST_REVERSE, 1, 1, "*", '?', NULL},
    {"array_reverse", TACO__FUNC_LIST_REVERSE, 1, 1, "*", '?', NULL},
    {"list_position", TACO__FUNC_LIST_POSITION, 2, 2, "*", '?', NULL},
    {"list_indexof", TACO__FUNC_LIST_POSITION, 2, 2, "*", '?', NULL},
    {"array_position", TACO__FUNC_LIST_POSITION, 2, 2, "*", '?', NULL},
    {"array_indexof", TACO__FUNC_LIST_POSITION, 2, 2, "*", '?', NULL},
    {"array_has", TACO__FUNC_HAS, 2, 2, "*", 'b', NULL},
    {"list_has_all", TACO__FUNC_LIST_HAS_ALL, 2, 2, "*", '?', NULL},
    {"array_has_all", TACO__FUNC_LIST_HAS_ALL, 2, 2, "*", '?', NULL},
    {"@>", TACO__FUNC_LIST_HAS_ALL, 2, 2, "*", '?', NULL},
    {"<@", TACO__FUNC_LIST_HAS_ALL, 2, 2, "*", '?', NULL},
    {"list_has_any", TACO__FUNC_LIST_HAS_ANY, 2, 2, "*", '?', NULL},
    {"array_has_any", TACO__FUNC_LIST_HAS_ANY, 2, 2, "*", '?', NULL},
    {"&&", TACO__FUNC_LIST_HAS_ANY, 2, 2, "*", '?', NULL},
    {"list_intersect", TACO__FUNC_LIST_INTERSECT, 2, 2, "*", '?', NULL},
    {"array_intersect", TACO__FUNC_LIST_INTERSECT, 2, 2, "*", '?', NULL},
    /* selection by number or condition: nulls outside the list */
    {"list_resize", TACO__FUNC_LIST_RESIZE, 2, 3, "*", '?', NULL},
    {"array_resize", TACO__FUNC_LIST_RESIZE, 2, 3, "*", '?', NULL},
    {"list_where", TACO__FUNC_LIST_WHERE, 2, 2, "*", '?', NULL},
    {"array_where", TACO__FUNC_LIST_WHERE, 2, 2, "*", '?', NULL},
    {"list_select", TACO__FUNC_LIST_SELECT, 2, 2, "*", '?', NULL},
    {"array_select", TACO__FUNC_LIST_SELECT, 2, 2, "*", '?', NULL},
    {"array_pop_back", TACO__FUNC_LIST_POP, 1, 1, "*", '?', "back"},
    {"array_pop_front", TACO__FUNC_LIST_POP, 1, 1, "*", '?', "front"},
    {"flatten", TACO__FUNC_FLATTEN, 1, 1, "*", '?', NULL},
    /* a range excludes its end, a series includes it; a step of 0 makes none */
    {"range", TACO__FUNC_RANGE, 1, 3, "*", '?', "range"},
    {"generate_series", TACO__FUNC_RANGE, 1, 3, "*", '?', "generate_series"},
    {"list_slice", TACO__FUNC_LIST_SLICE, 3, 4, "*", '?', NULL},
    {"array_slice", TACO__FUNC_LIST_SLICE, 3, 4, "*", '?', NULL},
    /* between texts and lists; array_to_string skips nulls */
    {"string_split", TACO__FUNC_SPLIT, 2, 2, "*", '?', NULL},
    {"str_split", TACO__FUNC_SPLIT, 2, 2, "*", '?', NULL},
    {"string_to_array", TACO__FUNC_SPLIT, 2, 2, "*", '?', NULL},
    {"split", TACO__FUNC_SPLIT, 2, 2, "*", '?', NULL},
    {"array_to_string", TACO__FUNC_LIST_TO_TEXT, 2, 2, "*", '?', NULL},
    /* aggregates over the elements of a list, by name; constants may follow, such as the share of a
       quantile */
    {"list_aggregate", TACO__FUNC_LIST_AGGREGATE, 2, 255, "*", '?', NULL},
    {"list_aggr", TACO__FUNC_LIST_AGGREGATE, 2, 255, "*", '?', NULL},
    {"array_aggregate", TACO__FUNC_LIST_AGGREGATE, 2, 255, "*", '?', NULL},
    {"array_aggr", TACO__FUNC_LIST_AGGREGATE, 2, 255, "*", '?', NULL},
    {"aggregate", TACO__FUNC_LIST_AGGREGATE, 2, 255, "*", '?', NULL},
    {"list_avg", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "avg"},
    {"list_var_samp", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "var_samp"},
    {"list_var_pop", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "var_pop"},
    {"list_stddev_pop", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "stddev_pop"},
    {"list_stddev_samp", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "stddev_samp"},
    {"list_sem", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "sem"},
    {"list_approx_count_distinct", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?',
     "approx_count_distinct"},
    {"list_bit_xor", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "bit_xor"},
    {"list_bit_or", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "bit_or"},
    {"list_bit_and", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "bit_and"},
    {"list_bool_and", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "bool_and"},
    {"list_bool_or", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "bool_or"},
    {"list_count", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "count"},
    {"list_entropy", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "entropy"},
    {"list_last", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "last"},
    {"list_first", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "first"},
    {"list_any_value", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "any_value"},
    {"list_kurtosis", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "kurtosis"},
    {"list_kurtosis_pop", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "kurtosis_pop"},
    {"list_min", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "min"},
    {"list_max", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "max"},
    {"list_product", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "product"},
    {"list_skewness", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "skewness"},
    {"list_sum", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "sum"},
    {"list_string_agg", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "string_agg"},
    {"list_mode", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "mode"},
    {"list_median", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "median"},
    {"list_mad", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "mad"},
    {"list_histogram", TACO__FUNC_LIST_AGGREGATE, 1, 1, "*", '?', "histogram"},
    /* two lists of the same length, without nulls, in the precision of the elements */
    {"list_dot_product", TACO__FUNC_LIST_MEASURE, 2, 2, "*", '?', "dot"},
    {"list_inner_product", TACO__FUNC_LIST_MEASURE, 2, 2, "*", '?', "dot"},
    {"list_negative_dot_product", TACO__FUNC_LIST_MEASURE, 2, 2, "*", '?', "negative dot"},
    {"list_negative_inner_product", TACO__FUNC_LIST_MEASURE, 2, 2, "*", '?', "negative dot"},
    {"list_distance", TACO__FUNC_LIST_MEASURE, 2, 2, "*", '?', "euclidean"},
    {"<->", TACO__FUNC_LIST_MEASURE, 2, 2, "*", '?', "euclidean"},
    {"list_cosine_similarity", TACO__FUNC_LIST_MEASURE, 2, 2, "*", '?', "cosine"},
    {"list_cosine_distance", TACO__FUNC_LIST_MEASURE, 2, 2, "*", '?', "one minus cosine"},
    {"<=>", TACO__FUNC_LIST_MEASURE, 2, 2, "*", '?', "one minus cosine"},
    /* maps are lists of structs whose keys are distinct; map_extract gives a list, map[key] a
       value */
    {"map", TACO__FUNC_MAP, 2, 2, "*", '?', NULL},
    {"map_keys", TACO__FUNC_MAP_KEYS, 1, 1, "*", '?', NULL},
    {"map_values", TACO__FUNC_MAP_VALUES, 1, 1, "*", '?', NULL},
    {"map_entries", TACO__FUNC_MAP_ENTRIES, 1, 1, "*", '?', NULL},
    {"map_extract", TACO__FUNC_MAP_EXTRACT, 2, 2, "*", '?', NULL},
    {"element_at", TACO__FUNC_MAP_EXTRACT, 2, 2, "*", '?', NULL},
    {"map_extract_value", TACO__FUNC_MAP_VALUE, 2, 2, "*", '?', NULL},
    {"map_contains", TACO__FUNC_MAP_CONTAINS, 2, 2, "*", '?', NULL},
    {"map_from_entries", TACO__FUNC_MAP_FROM_ENTRIES, 1, 1, "*", '?', NULL},
    {"cardinality", TACO__FUNC_CARDINALITY, 1, 1, "*", '?', NULL},
    /* elementary functions, by letters of func_math.c */
    {"sin", TACO__FUNC_MATH, 1, 1, "d", 'd', "s"},
    {"cos", TACO__FUNC_MATH, 1, 1, "d", 'd', "c"},
    {"tan", TACO__FUNC_MATH, 1, 1, "d", 'd', "t"},
    {"cot", TACO__FUNC_MATH, 1, 1, "d", 'd', "k"},
    {"asin", TACO__FUNC_MATH, 1, 1, "d", 'd', "a"},
    {"acos", TACO__FUNC_MATH, 1, 1, "d", 'd', "b"},
    {"atan", TACO__FUNC_MATH, 1, 1, "d", 'd', "A"},
    {"exp", TACO__FUNC_MATH, 1, 1, "d", 'd', "e"},
    {"ln", TACO__FUNC_MATH, 1, 1, "d", 'd', "l"},
    {"log10", TACO__FUNC_MATH, 1, 1, "d", 'd', "L"},
    {"log", TACO__FUNC_MATH, 1, 1, "d", 'd', "L"},
    {"log2", TACO__FUNC_MATH, 1, 1, "d", 'd', "2"},
    {"sinh", TACO__FUNC_MATH, 1, 1, "d", 'd', "S"},
    {"cosh", TACO__FUNC_MATH, 1, 1, "d", 'd', "C"},
    {"tanh", TACO__FUNC_MATH, 1, 1, "d", 'd', "T"},
    {"asinh", TACO__FUNC_MATH, 1, 1, "d", 'd', "h"},
    {"acosh", TACO__FUNC_MATH, 1, 1, "d", 'd', "j"},
    {"atanh", TACO__FUNC_MATH, 1, 1, "d", 'd', "H"},
    {"gamma", TACO__FUNC_MATH, 1, 1, "d", 'd', "g"},
    {"lgamma", TACO__FUNC_MATH, 1, 1, "d", 'd', "G"},
    {"cbrt", TACO__FUNC_MATH, 1, 1, "d", 'd', "3"},
    {"even", TACO__FUNC_MATH, 1, 1, "d", 'd', "E"},
    {"degrees", TACO__FUNC_MATH, 1, 1, "d", 'd', "d"},
    {"radians", TACO__FUNC_MATH, 1, 1, "d", 'd', "r"},
    /* log(base, x), but log(x) is to base 10 */
    {"log", TACO__FUNC_LOG_BASE, 2, 2, "d", 'd', NULL},
    {"pow", TACO__FUNC_POW, 2, 2, "d", 'd', NULL},
    {"power", TACO__FUNC_POW, 2, 2, "d", 'd', NULL},
    {"**", TACO__FUNC_POW, 2, 2, "d", 'd', NULL},
    {"^", TACO__FUNC_POW, 2, 2, "d", 'd', NULL},
    {"atan2", TACO__FUNC_ATAN2, 2, 2, "d", 'd', NULL},
    {"pi", TACO__FUNC_PI, 0, 0, "*", 'd', NULL},
    {"nextafter", TACO__FUNC_NEXT_AFTER, 2, 2, "*", '?', NULL},
    /* whole numbers and bits: types in bind_call.c */
    {"&", TACO__FUNC_BIT_AND, 2, 2, "*", '?', NULL},
    {"|", TACO__FUNC_BIT_OR, 2, 2, "*", '?', NULL},
    {"xor", TACO__FUNC_XOR, 2, 2, "*", '?', NULL},
    {"~", TACO__FUNC_BIT_NOT, 1, 1, "*", '?', NULL},
    {"<<", TACO__FUNC_SHIFT_LEFT, 2, 2, "*", '?', NULL},
    {">>", TACO__FUNC_SHIFT_RIGHT, 2, 2, "*", '?', NULL},
    /* the type of the operand says how many bits there are */
    {"bit_count", TACO__FUNC_BIT_COUNT, 1, 1, "n", '1', NULL},
    {"gcd", TACO__FUNC_GCD, 2, 2, "*", '?', NULL},
    {"greatest_common_divisor", TACO__FUNC_GCD, 2, 2, "*", '?', NULL},
    {"lcm", TACO__FUNC_LCM, 2, 2, "*", '?', NULL},
    {"least_common_multiple", TACO__FUNC_LCM, 2, 2, "*", '?', NULL},
    {"factorial", TACO__FUNC_FACTORIAL, 1, 1, "i", '?', NULL},
    {"!", TACO__FUNC_FACTORIAL, 1, 1, "i", '?', NULL},
    {"signbit", TACO__FUNC_SIGNBIT, 1, 1, "d", 'b', NULL},
    {"@", TACO__FUNC_ABS, 1, 1, "n", '=', NULL},
    /* operators by name; divide is //, not / */
    {"add", TACO__FUNC_PLUS, 1, 1, "n", '=', NULL},
    {"subtract", TACO__FUNC_NEG, 1, 1, "n", '=', NULL},
    {"add", TACO__FUNC_ADD, 2, 2, "*", '?', NULL},
    {"subtract", TACO__FUNC_SUB, 2, 2, "*", '?', NULL},
    {"multiply", TACO__FUNC_MUL, 2, 2, "*", '?', NULL},
    {"divide", TACO__FUNC_IDIV, 2, 2, "*", '?', NULL},
    /* texts: codes, encodings, distances; letters of func_string.c */
    {"chr", TACO__FUNC_CHR, 1, 1, "i", 't', NULL},
    {"unicode", TACO__FUNC_UNICODE, 1, 1, "t", 'I', NULL},
    {"ord", TACO__FUNC_UNICODE, 1, 1, "t", 'I', NULL},
    {"bit_length", TACO__FUNC_BIT_LENGTH, 1, 1, "t", 'i', NULL},
    {"translate", TACO__FUNC_TRANSLATE, 3, 3, "t", 't', NULL},
    /* digits of bytes, or of a number; unhex and unbin return bytes */
    {"hex", TACO__FUNC_HEX, 1, 1, "*", 't', NULL},
    {"to_hex", TACO__FUNC_HEX, 1, 1, "*", 't', NULL},
    {"unhex", TACO__FUNC_UNHEX, 1, 1, "t", 'B', NULL},
    {"from_hex", TACO__FUNC_UNHEX, 1, 1, "t", 'B', NULL},
    {"bin", TACO__FUNC_BIN, 1, 1, "*", 't', NULL},
    {"to_binary", TACO__FUNC_BIN, 1, 1, "*", 't', NULL},
    {"unbin", TACO__FUNC_UNBIN, 1, 1, "t", 'B', NULL},
    {"from_binary", TACO__FUNC_UNBIN, 1, 1, "t", 'B', NULL},
    {"base64", TACO__FUNC_BASE64, 1, 1, "B", 't', NULL},
    {"to_base64", TACO__FUNC_BASE64, 1, 1, "B", 't', NULL},
    {"from_base64", TACO__FUNC_FROM_BASE64, 1, 1, "t", 'B', NULL},
    {"encode", TACO__FUNC_ENCODE, 1, 1, "t", 'B', NULL},
    {"decode", TACO__FUNC_DECODE, 1, 1, "B", 't', NULL},
    /* distances and similarities, on bytes as in DuckDB */
    {"levenshtein", TACO__FUNC_LEVENSHTEIN, 2, 2, "t", 'i', NULL},
    {"editdist3", TACO__FUNC_LEVENSHTEIN, 2, 2, "t", 'i', NULL},
    {"damerau_levenshtein", TACO__FUNC_DAMERAU, 2, 2, "t", 'i', NULL},
    {"hamming", TACO__FUNC_HAMMING, 2, 2, "t", 'i', NULL},
    {"mismatches", TACO__FUNC_HAMMING, 2, 2, "t", 'i', NULL},
    {"jaccard", TACO__FUNC_JACCARD, 2, 2, "t", 'd', NULL},
    {"jaro_similarity", TACO__FUNC_JARO, 2, 3, "ttd", 'd', NULL},
    {"jaro_winkler_similarity", TACO__FUNC_JARO_WINKLER, 2, 3, "ttd", 'd', NULL},
    /* digests in hexadecimal digits, of texts and blobs */
    {"md5", TACO__FUNC_MD5, 1, 1, "*", 't', NULL},
    {"sha1", TACO__FUNC_SHA1, 1, 1, "*", 't', NULL},
    {"sha256", TACO__FUNC_SHA256, 1, 1, "*", 't', NULL},
    /* parts of addresses and paths */
    {"url_encode", TACO__FUNC_URL_ENCODE, 1, 1, "t", 't', NULL},
    {"url_decode", TACO__FUNC_URL_DECODE, 1, 1, "t", 't', NULL},
    {"parse_filename", TACO__FUNC_PATH_PART, 1, 2, "tb", 't', "file"},
    {"parse_dirname", TACO__FUNC_PATH_PART, 1, 1, "t", 't', "directory"},
    {"parse_dirpath", TACO__FUNC_PATH_PART, 1, 1, "t", 't', "path"},
    /* numbers as people read them */
    {"format_bytes", TACO__FUNC_FORMAT_BYTES, 1, 1, "i", 't', "binary"},
    {"formatreadablesize", TACO__FUNC_FORMAT_BYTES, 1, 1, "i", 't', "binary"},
    {"formatreadabledecimalsize", TACO__FUNC_FORMAT_BYTES, 1, 1, "i", 't', "decimal"},
    {"bar", TACO__FUNC_BAR, 3, 4, "d", 't', NULL},
    {"to_base", TACO__FUNC_TO_BASE, 2, 3, "i", 't', NULL},
    {"^@", TACO__FUNC_STARTS, 2, 2, "t", 'b', NULL},
    /* patterns; ~ and SIMILAR TO are regexp_full_match */
    {"~~~", TACO__FUNC_GLOB, 2, 2, "t", 'b', NULL},
    {"~", TACO__FUNC_REGEX_FULL, 2, 2, "t", 'b', NULL},
    {"!~", TACO__FUNC_REGEX_FULL, 2, 2, "t", 'b', NULL},
    {"regexp_full_match", TACO__FUNC_REGEX_FULL, 2, 3, "t", 'b', NULL},
    {"regexp_matches", TACO__FUNC_REGEX_MATCHES, 2, 3, "t", 'b', NULL},
    /* regexp_extract of a pattern that does not match is empty, not null */
    {"regexp_extract", TACO__FUNC_REGEX_EXTRACT, 2, 4, "tt*t", 't', NULL},
    {"regexp_extract_all", TACO__FUNC_REGEX_EXTRACT_ALL, 2, 4, "tt*t", '?', NULL},
    {"regexp_replace", TACO__FUNC_REGEX_REPLACE, 3, 4, "t", 't', NULL},
    {"regexp_split_to_array", TACO__FUNC_REGEX_SPLIT, 2, 3, "t", '?', NULL},
    {"string_split_regex", TACO__FUNC_REGEX_SPLIT, 2, 3, "t", '?', NULL},
    {"str_split_regex", TACO__FUNC_REGEX_SPLIT, 2, 3, "t", '?', NULL},
    {"regexp_escape", TACO__FUNC_REGEX_ESCAPE, 1, 1, "t", 't', NULL},
    /* formatting; arguments in func_format.c and func_strftime.c */
    {"printf", TACO__FUNC_PRINTF, 1, 255, "*", 't', NULL},
    {"format", TACO__FUNC_FORMAT, 1, 255, "*", 't', NULL},
    /* strftime takes its arguments in either order; strptime takes a list of formats */
    {"strftime", TACO__FUNC_STRFTIME, 2, 2, "*", 't', NULL},
    {"strptime", TACO__FUNC_STRPTIME, 2, 2, "*", 'W', NULL},
    {"try_strptime", TACO__FUNC_TRY_STRPTIME, 2, 2, "*", 'W', NULL},
    /* instants from numbers: letters of func_strftime.c */
    {"make_timestamp", TACO__FUNC_MAKE_TIMESTAMP, 6, 6, "iiiiid", 'W', NULL},
    {"make_timestamp", TACO__FUNC_FROM_EPOCH, 1, 1, "i", 'W', "u"},
    {"make_timestamp_ms", TACO__FUNC_FROM_EPOCH, 1, 1, "i", 'W', "m"},
    {"make_timestamp_ns", TACO__FUNC_FROM_EPOCH, 1, 1, "i", 'W', "n"},
    {"to_timestamp", TACO__FUNC_FROM_EPOCH, 1, 1, "d", 'W', "s"},
    {"make_time", TACO__FUNC_MAKE_TIME, 3, 3, "iid", 'T', NULL},
    {"julian", TACO__FUNC_JULIAN, 1, 1, "w", 'd', NULL},
    /* intervals of a unit; milliseconds and seconds may have fractions */
    {"to_microseconds", TACO__FUNC_TO_INTERVAL, 1, 1, "i", '?', "microsecond"},
    {"to_milliseconds", TACO__FUNC_TO_INTERVAL, 1, 1, "d", '?', "millisecond"},
    {"to_seconds", TACO__FUNC_TO_INTERVAL, 1, 1, "d", '?', "second"},
    {"to_minutes", TACO__FUNC_TO_INTERVAL, 1, 1, "i", '?', "minute"},
    {"to_hours", TACO__FUNC_TO_INTERVAL, 1, 1, "i", '?', "hour"},
    {"to_days", TACO__FUNC_TO_INTERVAL, 1, 1, "i", '?', "day"},
    {"to_weeks", TACO__FUNC_TO_INTERVAL, 1, 1, "i", '?', "week"},
    {"to_months", TACO__FUNC_TO_INTERVAL, 1, 1, "i", '?', "month"},
    {"to_quarters", TACO__FUNC_TO_INTERVAL, 1, 1, "i", '?', "quarter"},
    {"to_years", TACO__FUNC_TO_INTERVAL, 1, 1, "i", '?', "year"},
    {"to_decades", TACO__FUNC_TO_INTERVAL, 1, 1, "i", '?', "decade"},
    {"to_centuries", TACO__FUNC_TO_INTERVAL, 1, 1, "i", '?', "century"},
    {"to_millennia", TACO__FUNC_TO_INTERVAL, 1, 1, "i", '?', "millennium"},
    /* geometries: measures */
    {"st_astext", TACO__FUNC_AS_TEXT, 1, 1, "g", 't', NULL},
    {"st_area", TACO__FUNC_AREA, 1, 1, "g", 'd', NULL},
    {"st_centroid", TACO__FUNC_CENTROID, 1, 1, "g", 'g', NULL}};

/* The row of a function with that many arguments; NULL if there is none, and *known says whether
   the name exists. */
TACO__FN const taco__func *taco__func_find(taco_bytes name, uint32_t args, bool *known)
{
    size_t i;
    *known = false;
    for (i = 0; i < TACO__COUNT(taco__funcs); i++) {
        if (taco__ascii_is_word(name, taco__funcs[i].name)) {
            *known = true;
            if (args >= taco__funcs[i].least && args <= taco__funcs[i].most) {
                return &taco__funcs[i];
            }
        }
    }
    return NULL;
}

/* The fewest and most arguments of the functions with that name, which must exist. */
TACO__FN void taco__func_arity(taco_bytes name, uint32_t *least, uint32_t *most)
{
    size_t i;
    *least = 255;
    *most = 0;
    for (i = 0; i < TACO__COUNT(taco__funcs); i++) {
        if (taco__ascii_is_word(name, taco__funcs[i].name)) {
            *least = TACO__MIN(*least, (uint32_t)taco__funcs[i].least);
            *most = TACO__MAX(*most, (uint32_t)taco__funcs[i].most);
        }
    }
}

/* The name of a function or aggregate that differs in at most a third of its letters; NULL if there
   is none. */
TACO__FN const char *taco__func_nearest(taco_bytes name)
{
    size_t i, least = name.len / 3 + 1;
    const char *near = taco__aggregate_nearest(name, &least);
    for (i = 0; i < TACO__COUNT(taco__funcs); i++) {
        size_t d = taco__field_names_distance(name, taco__bytes_text(taco__funcs[i].name));
        if (d < least) {
            least = d;
            near = taco__funcs[i].name;
        }
    }
    return near;
}

/* Sets row i of the result to null. */
TACO__FN bool taco__func_set_null(taco__func_call *x, size_t i)
{
    if (!taco__vec_init_validity(x->arena, x->out, x->err)) { return false; }
    x->out->valid[i] = 0;
    return true;
}

/* ---- calling functions ---- */

/* coalesce, greatest, least, nullif over arguments of one type: which argument each row takes.
   Nulls are skipped; a row with only nulls is null. */
static bool taco__func_choose(taco__func_call *x)
{
    taco__vec_builder p;
    size_t i, n = x->out->n;
    uint32_t k;
    if (!taco__vec_builder_init(x->arena, x->out->type, &p, x->err)) { return false; }
    for (i = 0; i < n; i++) {
        uint32_t pick = UINT32_MAX, row = (uint32_t)i;
        for (k = 0; k < (x->id == TACO__FUNC_NULLIF ? 1 : x->n); k++) {
            int c;
            if (!taco__vec_is_valid(&x->a[k], i)) { continue; }
            if (pick == UINT32_MAX) {
                pick = k;
                if (x->id == TACO__FUNC_COALESCE) { break; }
                continue;
            }
            c = taco__vec_compare(&x->a[k], i, &x->a[pick], i);
            pick = (x->id == TACO__FUNC_GREATEST ? c > 0 : c < 0) ? k : pick;
        }
        k = pick == UINT32_MAX ? 0 : pick;
        if (!taco__vec_builder_append(x->arena, &p, &x->a[k], &row, 1, x->err)) { return false; }
    }
    *x->out = p.v;
    /* for FLOATs, DuckDB takes the greatest and the least by keys that have only one zero */
    for (i = 0; x->out->type->t.id == TACO_FLOAT &&
                (x->id == TACO__FUNC_GREATEST || x->id == TACO__FUNC_LEAST) && i < n;
         i++) {
        x->out->v.f[i] += 0.0;
    }
    return true;
}

/* Runs a function for each row that is not null. */
static bool taco__func_each_row(taco__func_call *x, bool (*row)(taco__func_call *x, size_t i))
{
    size_t i;
    for (i = 0; i < x->out->n; i++) {
        if (taco__vec_is_valid(x->out, i) && !row(x, i)) { return false; }
    }
    return true;
}

/* Passes a call to the file of its subject. Ids of one subject are contiguous in taco__func_id. */
static bool taco__func_dispatch(taco__func_call *x)
{
    char name[1024];
    char *copy;
    size_t i;
    switch (x->id) {
    case TACO__FUNC_COALESCE:
    case TACO__FUNC_GREATEST:
    case TACO__FUNC_LEAST: return taco__func_choose(x);
    case TACO__FUNC_TYPEOF:
        taco__sql_type_text(x->a[0].type, name, sizeof name);
        copy = taco__arena_text(x->arena, taco__bytes_text(name), x->err);
        for (i = 0; copy && i < x->out->n; i++) {
            x->out->v.s[i] = taco__bytes_text(copy);
        }
        return copy != NULL;
    case TACO__FUNC_CONCAT_OP:
    case TACO__FUNC_CONCAT:
    case TACO__FUNC_CONCAT_WS: return taco__func_text_concat(x);
    case TACO__FUNC_HASH: return taco__func_hash_run(x);
    case TACO__FUNC_LIKE: return taco__func_text_like(x);
    case TACO__FUNC_HAS: return taco__func_list_run(x);
    case TACO__FUNC_ELEMENT: return taco__func_list_element(x);
    case TACO__FUNC_LENGTH:
        if (taco__sql_type_physical(x->a[0].type) == TACO__PHYS_LIST) {
            return taco__func_list_run(x);
        } /* fall through */
    case TACO__FUNC_STRLEN:
    case TACO__FUNC_OCTETS:
    case TACO__FUNC_ASCII:
    case TACO__FUNC_CONTAINS:
    case TACO__FUNC_STARTS:
    case TACO__FUNC_ENDS:
    case TACO__FUNC_STRPOS: return taco__func_text_to_number(x);
    default: break;
    }
    /* by range: see taco__func_id */
    if (x->id >= TACO__FUNC_LOWER && x->id <= TACO__FUNC_SPLIT_PART) {
        return taco__func_each_row(x, taco__func_text_row);
    }
    if (x->id >= TACO__FUNC_PART && x->id <= TACO__FUNC_EPOCH) {
        return taco__func_each_row(x, taco__func_date_row);
    }
    if (x->id >= TACO__FUNC_AS_TEXT && x->id <= TACO__FUNC_CENTROID) {
        return taco__func_geo_measure(x);
    }
    if (x->id >= TACO__FUNC_GEOM && x->id <= TACO__FUNC_Y) { return taco__func_geo_run(x); }
    if (x->id == TACO__FUNC_PRINTF || x->id == TACO__FUNC_FORMAT) {
        return taco__func_format_run(x);
    }
    if (x->id >= TACO__FUNC_STRFTIME && x->id <= TACO__FUNC_TRY_STRPTIME) {
        return taco__func_strftime_run(x);
    }
    if (x->id >= TACO__FUNC_MAKE_TIMESTAMP && x->id <= TACO__FUNC_JULIAN) {
        return taco__func_each_row(x, taco__func_instant_row);
    }
    if (x->id >= TACO__FUNC_GLOB && x->id <= TACO__FUNC_REGEX_ESCAPE) {
        return taco__func_regex_run(x);
    }
    if (x->id >= TACO__FUNC_BIT_AND && x->id <= TACO__FUNC_SIGNBIT) {
        return taco__func_bits_run(x);
    }
    if (x->id >= TACO__FUNC_CHR && x->id <= TACO__FUNC_TO_BASE) { return taco__func_string_run(x); }
    if (x->id >= TACO__FUNC_MATH && x->id <= TACO__FUNC_NEXT_AFTER) {
        return taco__func_math_run(x);
    }
    if (x->id >= TACO__FUNC_LIST_VALUE && x->id <= TACO__FUNC_LIST_TO_TEXT) {
        return x->id <= TACO__FUNC_LIST_PREPEND || x->id >= TACO__FUNC_SPLIT ||
                       x->id == TACO__FUNC_RANGE
                   ? taco__func_list_make(x)
                   : taco__func_list_part(x);
    }
    if ((x->id == TACO__FUNC_ADD || x->id == TACO__FUNC_SUB) &&
        x->a[1].type->t.id == TACO_INTERVAL) {
        return taco__func_date_add(x);
    }
    if (x->out->type->t.id == TACO_DATE) { return taco__func_date_add_days(x); }
    return taco__func_number_run(x);
}

/* Whether a function handles nulls itself, instead of returning null for them. */
static bool taco__func_takes_nulls(uint32_t id)
{
    switch (id) {
    case TACO__FUNC_COALESCE:
    case TACO__FUNC_GREATEST:
    case TACO__FUNC_LEAST:
    case TACO__FUNC_CONCAT:
    case TACO__FUNC_CONCAT_WS:
    case TACO__FUNC_TYPEOF:
    case TACO__FUNC_HASH:
    case TACO__FUNC_LIST_VALUE:
    case TACO__FUNC_STRUCT_PACK:
    case TACO__FUNC_LIST_CONCAT:
    case TACO__FUNC_LIST_APPEND:
    case TACO__FUNC_LIST_PREPEND:
    case TACO__FUNC_LIST_POSITION:
    case TACO__FUNC_LIST_RESIZE:
    case TACO__FUNC_LIST_INTERSECT:
    case TACO__FUNC_MAP_EXTRACT:
    case TACO__FUNC_SPLIT:
    case TACO__FUNC_LIST_TO_TEXT: return true;
    default: return false;
    }
}

/* Runs a call over n rows: the result is null if an argument is, except for functions that handle
   nulls (coalesce, concat and others). A call with only constants is computed once and is a
   constant. */
TACO__FN bool taco__func_run(taco__func_call *x, const taco__sql_type *type, size_t n)
{
    bool keep = taco__func_takes_nulls(x->id);
    bool constant = x->n > 0;
    uint32_t k;
    size_t i;
    for (k = 0; k < x->n; k++) {
        constant = constant && !x->a[k].step;
    }
    if (!taco__vec_init(x->arena, type, constant ? TACO__MIN(n, (size_t)1) : n, x->out, x->err)) {
        return false;
    }
    /* a null argument makes the row null before the function sees it */
    for (k = 0; !keep && k < x->n; k++) {
        const taco__vec *a = &x->a[k];
        if (!a->valid) { continue; }
        if (!taco__vec_init_validity(x->arena, x->out, x->err)) { return false; }
        for (i = 0; i < x->out->n; i++) {
            x->out->valid[i] = x->out->valid[i] && taco__vec_is_valid(a, i);
        }
    }
    if (!taco__func_dispatch(x)) { return false; }
    if (constant) {
        x->out->step = 0;
        x->out->n = n;
    }
    return true;
}
