/* condition_levels.c - names of other levels in a condition: l0:split = 'train' AND l1:id =
   'image.tif'

   In: the condition of a filter, parsed but not bound, and the level of the filter. Out: a
   condition for each level whose columns it names.

   lN:NAME is the column NAME of level N, unless the filter's own level has a column with the whole
   name. All filters hold along one path (cascade.c), as AND does, so the parts of a condition
   between its ANDs may be of different levels; the columns of one part may not. */
#include "cascade.h"
#include "cursor.h"
#include "../base/base.h"

/* Length of the prefix of a name that is no column of level `level`; 0: it has none. */
static size_t taco__condition_prefix(const taco__container *s, uint32_t level, taco_bytes name)
{
    const taco__table *t = &s->levels[level].table;
    size_t i;
    if (name.len < 4 || (name.data[0] | 0x20) != 'l' || name.data[1] < '0' || name.data[1] > '9' ||
        name.data[2] != ':') {
        return 0;
    }
    for (i = 0; i < t->field_count; i++) {
        if (taco__bytes_equal(taco__bytes_text(t->fields[i].name), name)) { return 0; }
    }
    return 3;
}

/* Whether a condition names a column of another level. */
static bool taco__condition_has_prefix(const taco__container *s, uint32_t level,
                                       const taco__expr *e)
{
    const taco__expr *c;
    if (e->kind == TACO__PRED_COLUMN && e->name.data) {
        return taco__condition_prefix(s, level, e->name) != 0;
    }
    for (c = e->first; c && !taco__condition_has_prefix(s, level, c); c = c->next) {}
    return c != NULL;
}

/* Finds the level of the columns of one part, which lose their prefixes. *found is UINT32_MAX
   before the first column. */
static bool taco__condition_find_level(const taco__container *s, uint32_t level, taco__expr *e,
                                       uint32_t *found, taco_error *err)
{
    taco__expr *c;
    size_t n;
    uint32_t own;
    if (e->kind == TACO__PRED_COLUMN && e->name.data) {
        n = taco__condition_prefix(s, level, e->name);
        own = n ? (uint32_t)(e->name.data[1] - '0') : level;
        if (*found != UINT32_MAX && *found != own) {
            TACO__FAIL(err, TACO_ERR_SYNTAX, e->at,
                       "%q is of level %u, the column before it of level %u: conditions on "
                       "different levels are joined by AND",
                       &e->name, TACO__U(own), TACO__U(*found));
            return false;
        }
        if (n && own >= TACO__MAX_LEVELS) {
            TACO__FAIL(err, TACO_ERR_NOT_FOUND, e->at, "%q: there is no level %u", &e->name,
                       TACO__U(own));
            return false;
        }
        e->name = taco__bytes_of(e->name.data + n, e->name.len - n);
        *found = own;
    }
    for (c = e->first; c; c = c->next) {
        if (!taco__condition_find_level(s, level, c, found, err)) { return false; }
    }
    return true;
}

/* Adds what is joined by AND in e to the conditions of their levels. */
static bool taco__condition_split(const taco__container *s, taco__arena *arena, uint32_t level,
                                  taco__expr *e, taco__expr **parts, taco_error *err)
{
    uint32_t found = UINT32_MAX;
    taco__expr *c = e->first, *next;
    if (e->kind == TACO__PRED_AND) {
        for (; c; c = next) {
            next = c->next;
            c->next = NULL;
            if (!taco__condition_split(s, arena, level, c, parts, err)) { return false; }
        }
        return true;
    }
    if (!taco__condition_find_level(s, level, e, &found, err)) { return false; }
    found = found == UINT32_MAX ? level : found;
    parts[found] = taco__expr_and(arena, parts[found], e, err);
    return parts[found] != NULL;
}

/* Sets parts[l] to what *e, which is taken apart, says about level l; NULL for nothing. */
TACO__FN bool taco__condition_levels(const taco__container *s, taco__arena *arena, uint32_t level,
                                     taco__expr *e, taco__expr *parts[TACO__MAX_LEVELS],
                                     taco_error *err)
{
    memset(parts, 0, TACO__MAX_LEVELS * sizeof *parts);
    if (!taco__condition_has_prefix(s, level, e)) {
        parts[level] = e;
        return true;
    }
    return taco__condition_split(s, arena, level, e, parts, err);
}

/* The column of a level with that name in any case of letters, as conditions find it; NULL: it has
   none. */
static const char *taco__condition_find_column(const taco__level *l, taco_bytes name)
{
    size_t i, k;
    for (i = 0; i < l->table.field_count; i++) {
        taco_bytes f = taco__bytes_text(l->table.fields[i].name);
        for (k = 0; f.len == name.len && k < name.len &&
                    taco__ascii_lower(f.data[k]) == taco__ascii_lower(name.data[k]);
             k++) {}
        if (k == name.len) { return l->table.fields[i].name; }
    }
    return NULL;
}

/* The first column of a condition that its level lacks; NULL: there is none. */
static const taco__expr *taco__condition_missing(const taco__level *l, const taco__expr *e)
{
    const taco__expr *c, *found = NULL;
    if (e->kind == TACO__PRED_COLUMN && e->name.data && !taco__condition_find_column(l, e->name)) {
        return e;
    }
    for (c = e->first; c && !found; c = c->next) {
        found = taco__condition_missing(l, c);
    }
    return found;
}

/* A condition failed because its level lacks a column: appends which level has it. */
TACO__FN TACO__COLD void taco__condition_hint(taco__container *s, uint32_t level,
                                              const taco__expr *e, taco_error *err)
{
    const taco__expr *missing =
        err->code == TACO_ERR_NOT_FOUND ? taco__condition_missing(&s->levels[level], e) : NULL;
    const uint32_t n = missing ? taco__container_level_count(s) : 0;
    uint32_t l;
    for (l = 0; l < n; l++) {
        taco_error none = {0, TACO_OK, 0, {0}};
        const taco__level *other = l != level ? taco__container_level(s, l, &none) : NULL;
        const char *name = other ? taco__condition_find_column(other, missing->name) : NULL;
        if (name) {
            taco__error_suffix(err, "; level %u has it: l%u:%s", TACO__U(l), TACO__U(l), name);
            return;
        }
    }
}
