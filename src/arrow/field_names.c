/* field_names.c - the message for a column that does not exist, with the nearest names

   In: the existing columns and the name that was not found; out: a NOT_FOUND error such as "no
   column 'clod_cover', the nearest is 'cloud_cover'". Shared by everything that looks up names. */
#include "arrow.h"
#include "../base/base.h"

/* Most bytes of a name, and most columns, that are compared: enough for a message. */
#define TACO__FIELD_NAMES_LENGTH  48
#define TACO__FIELD_NAMES_COLUMNS 4096

/* Whether byte i of one name and byte j of another are the same letter. */
static bool taco__field_names_same(taco_bytes a, size_t i, taco_bytes b, size_t j)
{
    return taco__ascii_lower(a.data[i]) == taco__ascii_lower(b.data[j]);
}

/* Number of edits (insert, delete, replace, swap neighbours) from one name to another, ignoring
   ASCII case: rows[i % 3][j] is the distance of the first i bytes of a from the first j of b. */
TACO__FN size_t taco__field_names_distance(taco_bytes a, taco_bytes b)
{
    size_t rows[3][TACO__FIELD_NAMES_LENGTH + 1], i, j;
    size_t n = TACO__MIN(b.len, (size_t)TACO__FIELD_NAMES_LENGTH);
    size_t m = TACO__MIN(a.len, (size_t)TACO__FIELD_NAMES_LENGTH);
    for (j = 0; j <= n; j++) {
        rows[0][j] = j;
    }
    for (i = 1; i <= m; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
        row[0] = i;
        for (j = 1; j <= n; j++) {
            size_t same = taco__field_names_same(a, i - 1, b, j - 1) ? 0 : 1;
            row[j] = TACO__MIN(TACO__MIN(above[j], row[j - 1]) + 1, above[j - 1] + same);
            if (i > 1 && j > 1 && taco__field_names_same(a, i - 1, b, j - 2) &&
                taco__field_names_same(a, i - 2, b, j - 1)) {
                row[j] = TACO__MIN(row[j], second[j - 2] + 1);
            }
        }
    }
    return rows[m % 3][n];
}

#ifndef TACO_NO_ERROR_TEXT
/* Whether two names with that distance are near: they share half their letters, or the column's is
   a longer form of a name of at least three letters, so that all edits are insertions. */
static bool taco__field_names_is_near(taco_bytes name, taco_bytes c, size_t distance)
{
    return distance <= TACO__MAX(name.len, c.len) / 2 ||
           (name.len >= 3 && c.len > name.len && distance == c.len - name.len);
}

/* The up to three nearest columns, the nearest first; returns how many. */
static size_t taco__field_names_nearest(const taco_field *columns, size_t n, taco_bytes name,
                                        taco_bytes near[3])
{
    size_t best[3], found = 0, i, j;
    for (i = 0; i < TACO__MIN(n, (size_t)TACO__FIELD_NAMES_COLUMNS); i++) {
        taco_bytes c = taco__bytes_text(columns[i].name);
        size_t d = taco__field_names_distance(name, c);
        if (!taco__field_names_is_near(name, c, d)) { continue; }
        for (j = found < 3 ? found++ : 3; j > 0 && best[j - 1] > d; j--) {
            if (j < 3) {
                best[j] = best[j - 1];
                near[j] = near[j - 1];
            }
        }
        if (j < 3) {
            best[j] = d;
            near[j] = c;
        }
    }
    return found;
}
#endif

TACO__FN TACO__COLD void taco__field_names_not_found(const taco_field *columns, size_t n,
                                                     taco_bytes name, const char *hint, uint64_t at,
                                                     taco_error *err)
{
#ifdef TACO_NO_ERROR_TEXT
    (void)columns;
    (void)n;
    (void)hint;
    TACO__FAIL(err, TACO_ERR_NOT_FOUND, at, "no column %q", &name);
#else
    taco_bytes near[3];
    size_t found = taco__field_names_nearest(columns, n, name, near);
    if (found == 0 && n == 0) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, at, "no column %q, there are no columns", &name);
    } else if (found == 0) {
        near[0] = taco__bytes_text(columns[0].name);
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, at,
                   "no column %q, none of the %u columns is near (the first is %q)%s", &name,
                   TACO__U(n), &near[0], hint);
    } else if (found == 1) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, at, "no column %q, the nearest is %q", &name, &near[0]);
    } else if (found == 2) {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, at, "no column %q, the nearest are %q, %q", &name,
                   &near[0], &near[1]);
    } else {
        TACO__FAIL(err, TACO_ERR_NOT_FOUND, at, "no column %q, the nearest are %q, %q, %q", &name,
                   &near[0], &near[1], &near[2]);
    }
#endif
}

TACO__FN TACO__COLD void taco__field_names_no_column(const taco_field *columns, size_t n,
                                                     taco_bytes name, taco_error *err)
{
    taco__field_names_not_found(columns, n, name, "", TACO_NO_OFFSET, err);
}
