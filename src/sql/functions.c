/* functions.c - table of scalar functions, and the call of one over a batch

   A function has a row in taco__funcs: name, id, numbers of arguments, their types and the
   result's. taco__func_run allocates the result, makes rows null where an argument is, and hands
   the call to the file of the subject: func_number.c, func_text.c, func_date.c, func_list.c,
   func_geometry.c. To add a function: an id in sql.h, a row here, a case there. */
#include "sql.h"
#include "../base/base.h"

/* All functions, several rows for one name where the number of arguments decides. Searched from the
   top, ASCII case ignored; see taco__func for the letters. */
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
    /* which of the arguments: all of them are cast to one type */
    {"coalesce", TACO__FUNC_COALESCE, 1, 255, "*", '?', NULL},
    {"ifnull", TACO__FUNC_COALESCE, 2, 2, "*", '?', NULL},
    {"nullif", TACO__FUNC_NULLIF, 2, 2, "*", '?', NULL},
    {"greatest", TACO__FUNC_GREATEST, 1, 255, "*", '?', NULL},
    {"least", TACO__FUNC_LEAST, 1, 255, "*", '?', NULL},
    {"typeof", TACO__FUNC_TYPEOF, 1, 1, "*", 't', NULL},
    /* texts; positions and lengths are characters, but for strlen and octet_length */
    {"lower", TACO__FUNC_LOWER, 1, 1, "t", 't', NULL},
    {"lcase", TACO__FUNC_LOWER, 1, 1, "t", 't', NULL},
    {"upper", TACO__FUNC_UPPER, 1, 1, "t", 't', NULL},
    {"ucase", TACO__FUNC_UPPER, 1, 1, "t", 't', NULL},
    {"length", TACO__FUNC_LENGTH, 1, 1, "*", 'i', NULL},
    {"len", TACO__FUNC_LENGTH, 1, 1, "*", 'i', NULL},
    {"char_length", TACO__FUNC_LENGTH, 1, 1, "t", 'i', NULL},
    {"character_length", TACO__FUNC_LENGTH, 1, 1, "t", 'i', NULL},
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
    {"contains", TACO__FUNC_CONTAINS, 2, 2, "t", 'b', NULL},
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
    {"repeat", TACO__FUNC_REPEAT, 2, 2, "ti", 't', NULL},
    {"split_part", TACO__FUNC_SPLIT_PART, 3, 3, "tti", 't', NULL},
    {"ascii", TACO__FUNC_ASCII, 1, 1, "t", 'I', NULL},
    /* numbers */
    {"abs", TACO__FUNC_ABS, 1, 1, "n", '=', NULL},
    {"round", TACO__FUNC_ROUND, 1, 2, "ni", '?', NULL},
    {"floor", TACO__FUNC_FLOOR, 1, 1, "n", '?', NULL},
    {"ceil", TACO__FUNC_CEIL, 1, 1, "n", '?', NULL},
    {"ceiling", TACO__FUNC_CEIL, 1, 1, "n", '?', NULL},
    {"trunc", TACO__FUNC_TRUNC, 1, 1, "n", '?', NULL},
    {"sqrt", TACO__FUNC_SQRT, 1, 1, "d", 'd', NULL},
    {"sign", TACO__FUNC_SIGN, 1, 1, "n", '1', NULL},
    {"isnan", TACO__FUNC_ISNAN, 1, 1, "d", 'b', NULL},
    {"isinf", TACO__FUNC_ISINF, 1, 1, "d", 'b', NULL},
    {"isfinite", TACO__FUNC_ISFINITE, 1, 1, "d", 'b', NULL},
    /* dates: PART takes out what its last column names */
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
    {"epoch", TACO__FUNC_EPOCH, 1, 1, "w", 'd', NULL},
    {"epoch_ms", TACO__FUNC_PART, 1, 1, "w", 'i', "epoch_ms"},
    {"epoch_us", TACO__FUNC_PART, 1, 1, "w", 'i', "epoch_us"},
    /* dates: boundaries of a part */
    {"date_trunc", TACO__FUNC_TRUNC_DATE, 2, 2, "tw", '?', NULL},
    {"datetrunc", TACO__FUNC_TRUNC_DATE, 2, 2, "tw", '?', NULL},
    {"date_diff", TACO__FUNC_DATE_DIFF, 3, 3, "tw", 'i', NULL},
    {"datediff", TACO__FUNC_DATE_DIFF, 3, 3, "tw", 'i', NULL},
    {"last_day", TACO__FUNC_LAST_DAY, 1, 1, "w", 'D', NULL},
    {"dayname", TACO__FUNC_DAYNAME, 1, 1, "w", 't', NULL},
    {"monthname", TACO__FUNC_MONTHNAME, 1, 1, "w", 't', NULL},
    {"make_date", TACO__FUNC_MAKE_DATE, 3, 3, "i", 'D', NULL},
    /* lists */
    {"list_contains", TACO__FUNC_HAS, 2, 2, "l*", 'b', NULL},
    {"array_contains", TACO__FUNC_HAS, 2, 2, "l*", 'b', NULL},
    {"list_has", TACO__FUNC_HAS, 2, 2, "l*", 'b', NULL},
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
    {"st_y", TACO__FUNC_Y, 1, 1, "g", 'd', NULL}};

/* The row of a function that takes so many arguments; NULL where there is none, *known telling
   whether the name is one. */
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

/* A null in row i of the result. */
TACO__FN bool taco__func_set_null(taco__func_call *x, size_t i)
{
    if (!taco__vec_init_validity(x->arena, x->out, x->err)) { return false; }
    x->out->valid[i] = 0;
    return true;
}

/* ---- the rest ---- */

/* coalesce, greatest, least, nullif over arguments of one type: which argument each row takes.
   Nulls are passed over; a row where all are null is null. */
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

/* Hands a call to the file of its subject. Ids of a subject are next to each other in
   taco__func_id. */
static bool taco__func_dispatch(taco__func_call *x)
{
    char name[128];
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
    if (x->id >= TACO__FUNC_GEOM) { return taco__func_geo_run(x); }
    if ((x->id == TACO__FUNC_ADD || x->id == TACO__FUNC_SUB) &&
        x->a[1].type->t.id == TACO_INTERVAL) {
        return taco__func_date_add(x);
    }
    return taco__func_number_run(x);
}

/* Runs a call over n rows: where an argument is null the result is, but for functions that say
   otherwise (coalesce, concat and others). A call of constants alone is computed once and is a
   constant. */
TACO__FN bool taco__func_run(taco__func_call *x, const taco__sql_type *type, size_t n)
{
    bool keep = x->id == TACO__FUNC_COALESCE || x->id == TACO__FUNC_GREATEST ||
                x->id == TACO__FUNC_LEAST || x->id == TACO__FUNC_CONCAT ||
                x->id == TACO__FUNC_CONCAT_WS || x->id == TACO__FUNC_TYPEOF;
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
